//! RMS norm added to a residual: `y[r, i] = residual[r, i] + x[r, i] / sqrt(mean(x[r]^2) + eps) * weight[i]`.
//!
//! `x`, `residual` and `y` are [..., n] of one dtype; `weight` is [n], of any of the three dtypes.

use super::{bench_of_two, eps, inverse_rms, known_eps, rms_roundings, rows_and_weight, usual};
use crate::{
    pieces::{
        fold::{Lanes, Row},
        norm::row_inverse_rms,
    },
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("rms_norm_residual", "norms", plan, reference, cases)
    .summary("y[r, i] = residual[r, i] + x[r, i] * rsqrt(mean(x[r]^2) + eps) * weight[i]")
    .inputs(&[
        InputSpec::new("x", REALS, "[..., n]"),
        InputSpec::like("residual", "x", "shape of x"),
        InputSpec::new("weight", REALS, "[n]"),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x", "residual"])])
    .settings(&[SettingSpec::float("eps", 1e-5, "added to the mean square")])
    .bench(bench);

/// Definition.
#[kernel(group = lanes.threads, grid = rows)]
pub fn rms_norm_residual<T: Real, W: Real>(
    #[len(rows * row_elems)] x: &In<T>,
    #[len(rows * row_elems)] residual: &In<T>,
    #[len(row_elems)] weight: &In<W>,
    #[len(rows * row_elems)] y: &mut Out<T>,
    rows: u32,
    row_elems: u32,
    eps: f32,
    #[comptime] lanes: Lanes,
) {
    let row_elems = lanes.whole(row_elems);
    let base = group_id() as u64 * row_elems as u64;
    let row = Row::new(lanes, row_elems, |i| x[base + i as u64] as f32);
    let inverse = row_inverse_rms(&row, eps);
    row.each(|i, x| {
        let at = base + i as u64;
        let normed = x * inverse * (weight[i] as f32);
        y[at] = (residual[at] as f32 + normed) as T;
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = rows_and_weight(call)?;
    call.expect_shape("residual", call.dims("x"))?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let lanes = Lanes::for_rows_of(call, "x")?;
    let kernel = with_real2!(call, ["x", "weight"], [T, W] => rms_norm_residual::<T, W>(lanes))?;
    let inputs = ["x", "residual", "weight"].map(|name| call.buffer(name));
    let rest = [y.buffer(), rows.into(), row_elems.into(), eps(call)?];
    plan.step(kernel, inputs.into_iter().chain(rest));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, residual, weight) = (known.float("x"), known.float("residual"), known.float("weight"));
    let n = weight.len();
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for (row, residual) in x.chunks(n.max(1)).zip(residual.chunks(n.max(1))) {
        let inverse = inverse_rms(row, known_eps(known));
        for i in 0..n {
            let normed = row[i] * inverse * weight[i];
            y.push(residual[i] + normed);
            magnitude.push(residual[i].abs() + normed.abs());
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

fn bound(row_elems: u32) -> Bound {
    Bound::sum(rms_roundings(row_elems) + 3.0)
}

fn cases(_: &Entry) -> Vec<Case> {
    let with = |case: Case, shape: &[u32], x: Pattern| {
        let n = shape[shape.len() - 1];
        case.input("x", shape, x)
            .input("residual", shape, Pattern::normal(5))
            .input("weight", &[n], Pattern::uniform(2, 0.5, 1.5))
            .bound(bound(n))
    };
    let mut all = usual(with);
    let dtype = DType::BF16;
    let view = Case::new("view", dtype)
        .view("x", TensorDesc::strided(dtype, &[4, 30], &[0, 2], 3), Pattern::normal(8))
        .view("residual", TensorDesc::strided(dtype, &[4, 30], &[1, 4], 0), Pattern::normal(7))
        .input_as("weight", DType::F32, &[30], Pattern::normal(9));
    all.push(view.bound(bound(30)));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (case, elems) = bench_of_two(["x", "residual"], |case, n| case.bound(bound(n)));
    vec![Bench { case, bytes: 12 * elems, flops: 5 * elems, scale: Scale::Host }]
}
