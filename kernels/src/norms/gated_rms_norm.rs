//! RMS norm with a gate: `y[r, i] = x[r, i] / sqrt(mean(x[r]^2) + eps) * weight[i] * silu(gate[r, i])`.
//!
//! `x` is [..., n] of any of the three dtypes; `gate` and `y` have its shape and one dtype; `weight` is [n], of
//! the dtype of the gate.

use super::{
    bench_of_two, eps, inverse_rms, known_eps, rms_roundings, rows_and_weight, ulps, usual,
};
use crate::{
    pieces::{
        fold::{Lanes, Row},
        norm::row_inverse_rms,
    },
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("gated_rms_norm", "norms", plan, reference, cases)
    .summary("y[r, i] = x[r, i] * rsqrt(mean(x[r]^2) + eps) * weight[i] * silu(gate[r, i])")
    .inputs(&[
        InputSpec::new("x", REALS, "[..., n]"),
        InputSpec::new("gate", REALS, "shape of x"),
        InputSpec::like("weight", "gate", "[n]"),
    ])
    .outputs(&[OutputSpec::new("y", "shape of x, dtype of gate").over(&["x", "gate"])])
    .settings(&[SettingSpec::float("eps", 1e-5, "added to the mean square")])
    .bench(bench);

/// Definition.
#[kernel(group = lanes.threads, grid = rows)]
pub fn gated_rms_norm<X: Real, T: Real>(
    #[len(rows * row_elems)] x: &In<X>,
    #[len(rows * row_elems)] gate: &In<T>,
    #[len(row_elems)] weight: &In<T>,
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
        y[at] = (normed * silu(gate[at] as f32)) as T;
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = rows_and_weight(call)?;
    call.expect_shape("gate", call.dims("x"))?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("gate"), call.dims("x"));
    let lanes = Lanes::for_rows_of(call, "x")?;
    let kernel = with_real2!(call, ["x", "gate"], [X, T] => gated_rms_norm::<X, T>(lanes))?;
    let inputs = ["x", "gate", "weight"].map(|name| call.buffer(name));
    let rest = [y.buffer(), rows.into(), row_elems.into(), eps(call)?];
    plan.step(kernel, inputs.into_iter().chain(rest));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, gate, weight) = (known.float("x"), known.float("gate"), known.float("weight"));
    let n = weight.len();
    let mut y = Vec::new();
    for (row, gate) in x.chunks(n.max(1)).zip(gate.chunks(n.max(1))) {
        let inverse = inverse_rms(row, known_eps(known));
        let silu = |z: f64| z / (1.0 + libm::exp(-z));
        y.extend((0..n).map(|i| row[i] * inverse * weight[i] * silu(gate[i])));
    }
    vec![Expected::float("y", y)]
}

/// silu is at most 1.7 ULP off, which is up to 3.4 roundings; three products.
fn bound(dtype: DType, row_elems: u32) -> Bound {
    ulps(dtype, rms_roundings(row_elems) + 6.4)
}

fn cases(_: &Entry) -> Vec<Case> {
    let with = |case: Case, from: DType, shape: &[u32], x: Pattern| {
        let (n, dtype) = (shape[shape.len() - 1], case.dtype);
        case.input_as("x", from, shape, x)
            .input("gate", shape, Pattern::Normal { seed: 5, mean: 0.0, sd: 3.0 })
            .input("weight", &[n], Pattern::uniform(2, 0.5, 1.5))
            .bound(bound(dtype, n))
    };
    let mut all = usual(|case, shape, x| {
        let dtype = case.dtype;
        with(case, dtype, shape, x)
    });
    for &dtype in REALS {
        for from in REALS.iter().copied().filter(|&from| from != dtype) {
            let case = Case::new(format!("from {from}"), dtype);
            all.push(with(case, from, &[4, 256], Pattern::normal(1)));
        }
    }
    let dtype = DType::F32;
    let view = Case::new("view", dtype)
        .view("x", TensorDesc::strided(dtype, &[4, 30], &[0, 2], 3), Pattern::normal(8))
        .view("gate", TensorDesc::strided(dtype, &[4, 30], &[1, 4], 0), Pattern::normal(7))
        .input("weight", &[30], Pattern::normal(9));
    all.push(view.bound(bound(dtype, 30)));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (case, elems) = bench_of_two(["x", "gate"], |case, n| case.bound(bound(DType::F32, n)));
    vec![Bench { case, bytes: 12 * elems, flops: 10 * elems, scale: Scale::Host }]
}
