//! Temperature: `y = x / t`, element by element, `t` above 0.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("temperature", "logits", plan, reference, cases)
    .summary("y = x / t")
    .inputs(&[InputSpec::new("x", REALS, "any shape")])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])])
    .settings(&[SettingSpec::required_float("t", "the temperature, above 0")]);

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn temperature<T: Real>(#[len(n)] x: &In<T>, #[len(n)] y: &mut Out<T>, n: u32, t: f32) {
    each(per(&[T::DTYPE]), n, |i| {
        y[i] = (x[i] as f32 / t) as T;
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let t = call.float("t");
    call.expect(t > 0.0 && t.is_finite(), "`t`", "above 0", t)?;
    let n = call.elems("x")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let kernel = with_real!(call, call.dtype("x"), T => temperature::<T>())?;
    plan.step(kernel, [call.buffer("x"), y.buffer(), n.into(), Arg::float(DType::F32, t)]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let t = number::round(DType::F32, call.float("t"));
    vec![Expected::float("y", known.float("x").iter().map(|x| x / t).collect())]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        // The quotient is rounded in f32, and again to 16 bits.
        let bound = if dtype == DType::F32 { Exact } else { Ulp(0.501) };
        let special = crate::pattern::specials(dtype).len() as u32;
        for t in [0.7, 1.0, 3.0] {
            let case =
                |name: &str| Case::new(format!("{name}-{t}"), dtype).set("t", t).bound(bound);
            all.push(case("ragged").input(
                "x",
                &[3, 301],
                Pattern::Normal { seed: 1, mean: 0.0, sd: 5.0 },
            ));
            all.push(case("specials").input("x", &[special], Pattern::specials()));
        }
    }
    let turned = TensorDesc::strided(DType::F32, &[3, 7], &[1, 4], 2);
    let view = Case::new("view", DType::F32).set("t", 0.7);
    all.push(view.view("x", turned, Pattern::normal(2)));
    all.push(
        Case::new("empty", DType::F32).set("t", 1.0).input("x", &[0], Pattern::normal(1)).empty(),
    );
    all
}
