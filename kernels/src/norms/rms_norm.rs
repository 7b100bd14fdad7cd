//! RMS norm of each row: `y[r, i] = x[r, i] / sqrt(mean over j of x[r, j]^2 + eps) * weight[i]`.
//!
//! `x` and `y` are [..., n], `weight` is [n], of any of the three dtypes.

use super::{eps, inverse_rms, known_eps, rms_roundings, rows_and_weight, ulps, usual};
use crate::{
    pieces::{
        fold::{Lanes, Row},
        norm::row_inverse_rms,
    },
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("rms_norm", "norms", plan, reference, cases)
    .summary("y[r, i] = x[r, i] * rsqrt(mean(x[r]^2) + eps) * weight[i]")
    .inputs(&[InputSpec::new("x", REALS, "[..., n]"), InputSpec::new("weight", REALS, "[n]")])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])])
    .settings(&[SettingSpec::float("eps", 1e-5, "added to the mean square")])
    .bench(bench);

/// Definition.
#[kernel(group = lanes.threads, grid = rows)]
pub fn rms_norm<T: Real, W: Real>(
    #[len(rows * row_elems)] x: &In<T>,
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
        y[at] = (x * inverse * (weight[i] as f32)) as T;
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = rows_and_weight(call)?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let lanes = Lanes::for_rows_of(call, "x")?;
    let kernel = with_real2!(call, ["x", "weight"], [T, W] => rms_norm::<T, W>(lanes))?;
    let (x, weight) = (call.buffer("x"), call.buffer("weight"));
    plan.step(kernel, [x, weight, y.buffer(), rows.into(), row_elems.into(), eps(call)?]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, weight) = (known.float("x"), known.float("weight"));
    let mut y = Vec::new();
    for row in x.chunks(weight.len().max(1)) {
        let inverse = inverse_rms(row, known_eps(known));
        y.extend(row.iter().zip(weight).map(|(x, w)| x * inverse * w));
    }
    vec![Expected::float("y", y)]
}

fn bound(dtype: DType, row_elems: u32) -> Bound {
    ulps(dtype, rms_roundings(row_elems) + 2.0)
}

fn cases(_: &Entry) -> Vec<Case> {
    let with = |case: Case, shape: &[u32], x: Pattern| {
        let (n, dtype) = (shape[shape.len() - 1], case.dtype);
        case.input("x", shape, x)
            .input("weight", &[n], Pattern::uniform(2, 0.5, 1.5))
            .bound(bound(dtype, n))
    };
    let mut all = usual(with);
    let wide = Case::new("f32 weight", DType::F16)
        .input("x", &[2, 100], Pattern::normal(5))
        .input_as("weight", DType::F32, &[100], Pattern::normal(6));
    all.push(wide.bound(bound(DType::F16, 100)));
    let view = Case::new("view", DType::F32)
        .view("x", TensorDesc::strided(DType::F32, &[4, 30], &[0, 2], 3), Pattern::normal(8))
        .view("weight", TensorDesc::strided(DType::F32, &[30], &[3], 1), Pattern::normal(9));
    all.push(view.bound(bound(DType::F32, 30)));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let n = 4_096;
    let of = |(name, rows, dtype, scale): (&str, u32, DType, Scale)| {
        let case = Case::new(name, dtype)
            .input("x", &[rows, n], Pattern::normal(1))
            .input("weight", &[n], Pattern::normal(2))
            .bound(bound(dtype, n));
        let elems = u64::from(rows * n);
        Bench { case, bytes: 2 * elems * u64::from(dtype.bits() / 8), flops: 4 * elems, scale }
    };
    let sizes = [
        ("4096", 1_024, DType::F32, Scale::Host),
        ("4096x4096", n, DType::F32, Scale::Device),
        ("4096x4096", n, DType::BF16, Scale::Device),
    ];
    sizes.map(of).into()
}
