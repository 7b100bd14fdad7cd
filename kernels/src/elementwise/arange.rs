//! Evenly spaced numbers: `y[i] = start + i * step`, the product and the sum rounded in f32 each, then to the dtype.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("arange", "ternary", plan, reference, cases)
    .summary("y[i] = start + i * step")
    .outputs(&[OutputSpec::new("y", "[n], dtype as `dtype`")])
    .settings(&[
        SettingSpec::required_int("n", "how many"),
        SettingSpec::float("start", 0.0, "the first number"),
        SettingSpec::float("step", 1.0, "the distance of neighbours"),
    ])
    .words(&[WordSpec::new("dtype", &["f32", "f16", "bf16"], "the dtype of y")]);

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn arange<T: Real>(#[len(n)] y: &mut Out<T>, n: u32, start: f32, step: f32) {
    each(per(&[T::DTYPE]), n, |i| {
        y[i] = (start + i as f32 * step) as T;
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let n = call.int_in("n", 0..=i64::from(u32::MAX))?;
    let dtype = call.dtype_word("dtype");
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, &[n]);
    let kernel = with_real!(call, dtype, T => arange::<T>())?;
    let number = |name| Arg::float(DType::F32, call.float(name));
    plan.step(kernel, [y.buffer(), n.into(), number("start"), number("step")]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let f32 = |x: f64| number::round(DType::F32, x);
    let (start, step) = (f32(call.float("start")), f32(call.float("step")));
    let each = |i: i64| f32(start + f32(f32(i as f64) * step));
    vec![Expected::float("y", (0..call.int("n")).map(each).collect())]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for (n, start, step) in
            [(1, 3.5, 2.0), (257, 0.0, 1.0), (1_001, -2.0, 0.1), (300, 1e4, -33.3)]
        {
            let case = Case::new(format!("{n}"), dtype).word("dtype", dtype.name());
            all.push(case.set("n", n).set("start", start).set("step", step));
        }
        all.push(Case::new("empty", dtype).word("dtype", dtype.name()).set("n", 0).empty());
    }
    all
}
