//! Addition and RMS norm of the sum: `sum = a + b`, `y[r, i] = sum[r, i] / sqrt(mean(sum[r]^2) + eps) * weight[i]`.
//!
//! `a`, `b`, `sum` and `y` are [..., n] of one dtype; `weight` is [n], of any of the three dtypes. The sum is
//! rounded to its dtype before it is normalised, so `y` has the bits of `rms_norm` of `sum`.

use super::{bench_of_two, eps, inverse_rms, known_eps, rms_roundings, ulps, usual};
use crate::{
    pieces::{
        fold::{Lanes, Row},
        norm::row_inverse_rms,
    },
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("add_rms_norm", "norms", plan, reference, cases)
    .summary("sum = a + b; y[r, i] = sum[r, i] * rsqrt(mean(sum[r]^2) + eps) * weight[i]")
    .inputs(&[
        InputSpec::new("a", REALS, "[..., n]"),
        InputSpec::like("b", "a", "shape of a"),
        InputSpec::new("weight", REALS, "[n]"),
    ])
    .outputs(&[
        OutputSpec::new("sum", "shape and dtype of a").over(&["a", "b"]),
        OutputSpec::new("y", "shape and dtype of a").over(&["a", "b"]),
    ])
    .settings(&[SettingSpec::float("eps", 1e-5, "added to the mean square")])
    .bench(bench);

/// Definition.
#[kernel(group = lanes.threads, grid = rows)]
pub fn add_rms_norm<T: Real, W: Real>(
    #[len(rows * row_elems)] a: &In<T>,
    #[len(rows * row_elems)] b: &In<T>,
    #[len(row_elems)] weight: &In<W>,
    #[len(rows * row_elems)] sum: &mut Out<T>,
    #[len(rows * row_elems)] y: &mut Out<T>,
    rows: u32,
    row_elems: u32,
    eps: f32,
    #[comptime] lanes: Lanes,
) {
    let row_elems = lanes.whole(row_elems);
    let base = group_id() as u64 * row_elems as u64;
    let sums = Row::new(lanes, row_elems, |i| a[base + i as u64] + b[base + i as u64]);
    let inverse = row_inverse_rms(&sums.map(|x| x as f32), eps);
    sums.each(|i, x| {
        let at = base + i as u64;
        sum[at] = x;
        y[at] = (x as f32 * inverse * (weight[i] as f32)) as T;
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = call.rows("a")?;
    call.expect_shape("b", call.dims("a"))?;
    call.expect_shape("weight", &[row_elems])?;
    let mut plan = Plan::new();
    let outputs = ["sum", "y"].map(|name| plan.output(name, call.dtype("a"), call.dims("a")));
    let lanes = Lanes::for_rows_of(call, "a")?;
    let kernel = with_real2!(call, ["a", "weight"], [T, W] => add_rms_norm::<T, W>(lanes))?;
    let inputs = ["a", "b", "weight"].map(|name| call.buffer(name));
    let scalars = [rows.into(), row_elems.into(), eps(call)?];
    let outputs = outputs.iter().map(TensorRef::buffer);
    plan.step(kernel, inputs.into_iter().chain(outputs).chain(scalars));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (a, b, weight) = (known.float("a"), known.float("b"), known.float("weight"));
    let sums: Vec<f64> =
        a.iter().zip(b).map(|(a, b)| number::round(known.dtype("a"), a + b)).collect();
    let mut y = Vec::new();
    for row in sums.chunks(weight.len().max(1)) {
        let inverse = inverse_rms(row, known_eps(known));
        y.extend(row.iter().zip(weight).map(|(x, w)| x * inverse * w));
    }
    vec![Expected::float("sum", sums), Expected::float("y", y)]
}

fn bound(dtype: DType, row_elems: u32) -> Bound {
    ulps(dtype, rms_roundings(row_elems) + 2.0)
}

fn cases(_: &Entry) -> Vec<Case> {
    let with = |case: Case, shape: &[u32], a: Pattern| {
        let (n, dtype) = (shape[shape.len() - 1], case.dtype);
        case.input("a", shape, a)
            .input("b", shape, Pattern::normal(5))
            .input("weight", &[n], Pattern::uniform(2, 0.5, 1.5))
            .bound_for("y", bound(dtype, n))
    };
    let mut all = usual(with);
    let dtype = DType::F16;
    let view = Case::new("view", dtype)
        .view("a", TensorDesc::strided(dtype, &[4, 30], &[0, 2], 3), Pattern::normal(8))
        .view("b", TensorDesc::strided(dtype, &[4, 30], &[1, 4], 0), Pattern::normal(7))
        .input_as("weight", DType::F32, &[30], Pattern::normal(9));
    all.push(view.bound_for("y", bound(dtype, 30)));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (case, elems) =
        bench_of_two(["a", "b"], |case, n| case.bound_for("y", bound(DType::F32, n)));
    vec![Bench { case, bytes: 16 * elems, flops: 5 * elems, scale: Scale::Host }]
}
