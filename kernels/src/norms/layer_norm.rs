//! Layer norm of each row: `y[r, i] = (x[r, i] - mean_r) / sqrt(variance_r + eps) * weight[i] + bias[i]`.
//!
//! `x` and `y` are [..., n]; `weight` and `bias` are [n], of one dtype, any of the three. The variance is the
//! mean square of the distances from the mean (two passes, divided by n).

use super::{eps, known_eps, rms_roundings, rows_and_weight, usual};
use crate::{
    pieces::{
        fold::{Lanes, Row},
        norm::{row_inverse_rms, row_mean},
    },
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("layer_norm", "norms", plan, reference, cases)
    .summary("y[r, i] = (x[r, i] - mean(x[r])) * rsqrt(variance(x[r]) + eps) * weight[i] + bias[i]")
    .inputs(&[
        InputSpec::new("x", REALS, "[..., n]"),
        InputSpec::new("weight", REALS, "[n]"),
        InputSpec::like("bias", "weight", "[n]"),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])])
    .settings(&[SettingSpec::float("eps", 1e-5, "added to the variance")])
    .bench(bench);

/// Definition.
#[kernel(group = lanes.threads, grid = rows)]
pub fn layer_norm<T: Real, W: Real>(
    #[len(rows * row_elems)] x: &In<T>,
    #[len(row_elems)] weight: &In<W>,
    #[len(row_elems)] bias: &In<W>,
    #[len(rows * row_elems)] y: &mut Out<T>,
    rows: u32,
    row_elems: u32,
    eps: f32,
    #[comptime] lanes: Lanes,
) {
    let row_elems = lanes.whole(row_elems);
    let base = group_id() as u64 * row_elems as u64;
    let row = Row::new(lanes, row_elems, |i| x[base + i as u64] as f32);
    let mean = row_mean(&row);
    let distances = row.map(|x| x - mean);
    let inverse = row_inverse_rms(&distances, eps);
    distances.each(|i, distance| {
        let normed = distance * inverse;
        y[base + i as u64] = fma(normed, weight[i] as f32, bias[i] as f32) as T;
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = rows_and_weight(call)?;
    call.expect_shape("bias", &[row_elems])?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let lanes = Lanes::for_rows_of(call, "x")?;
    let kernel = with_real2!(call, ["x", "weight"], [T, W] => layer_norm::<T, W>(lanes))?;
    let inputs = ["x", "weight", "bias"].map(|name| call.buffer(name));
    let rest = [y.buffer(), rows.into(), row_elems.into(), eps(call)?];
    plan.step(kernel, inputs.into_iter().chain(rest));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, weight, bias) = (known.float("x"), known.float("weight"), known.float("bias"));
    let n = weight.len();
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for row in x.chunks(n.max(1)) {
        let mean = row.iter().sum::<f64>() / n as f64;
        let size = row.iter().map(|x| x.abs()).sum::<f64>() / n as f64;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        let inverse = 1.0 / (variance + known_eps(known)).sqrt();
        for i in 0..n {
            let distance = row[i] - mean;
            y.push(distance * inverse * weight[i] + bias[i]);
            // The mean is off by roundings of the mean magnitude; the rest by roundings of itself.
            let terms = weight[i].abs() * inverse * (size + distance.abs());
            magnitude.push(terms + bias[i].abs());
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

/// The mean has the roundings of its sum and quotient, the scale those of the RMS and two of each distance;
/// a difference, a product and an `fma` follow.
fn bound(row_elems: u32) -> Bound {
    Bound::sum(f64::from(row_elems.div_ceil(1_024)) + 11.0 + rms_roundings(row_elems) + 5.0)
}

fn cases(_: &Entry) -> Vec<Case> {
    let with = |case: Case, shape: &[u32], x: Pattern| {
        let n = shape[shape.len() - 1];
        case.input("x", shape, x)
            .input("weight", &[n], Pattern::uniform(2, 0.5, 1.5))
            .input("bias", &[n], Pattern::normal(3))
            .bound(bound(n))
    };
    let mut all = usual(with);
    let far = Pattern::Normal { seed: 6, mean: 50.0, sd: 2.0 };
    all.push(with(Case::new("far from 0", DType::F32), &[2, 500], far));
    let wide = Case::new("f32 weight", DType::F16)
        .input("x", &[2, 100], Pattern::normal(5))
        .input_as("weight", DType::F32, &[100], Pattern::normal(6))
        .input_as("bias", DType::F32, &[100], Pattern::normal(7));
    all.push(wide.bound(bound(100)));
    let dtype = DType::F32;
    let view = Case::new("view", dtype)
        .view("x", TensorDesc::strided(dtype, &[4, 30], &[1, 4], 3), Pattern::normal(8))
        .view("weight", TensorDesc::strided(dtype, &[30], &[3], 1), Pattern::normal(9))
        .view("bias", TensorDesc::strided(dtype, &[30], &[0], 2), Pattern::Constant(0.5));
    all.push(view.bound(bound(30)));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let n = 4_096;
    let of = |(name, rows, scale)| {
        let case = Case::new(name, DType::F32)
            .input("x", &[rows, n], Pattern::normal(1))
            .input("weight", &[n], Pattern::normal(2))
            .input("bias", &[n], Pattern::normal(3))
            .bound(bound(n));
        let elems = u64::from(rows * n);
        Bench { case, bytes: 8 * elems, flops: 8 * elems, scale }
    };
    [("4096", 1_024, Scale::Host), ("4096x4096", n, Scale::Device)].map(of).into()
}
