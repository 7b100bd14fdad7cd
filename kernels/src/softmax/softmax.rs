//! Softmax of each row: `y[r, i] = exp(x[r, i] - max_r) / sum over j of exp(x[r, j] - max_r)`.
//!
//! `x` and `y` are [..., n], one dtype, computed in f32: the greatest element, the sum of `exp(x - max)`, and
//! `exp(x - max) * recip(sum)`, rounded once. A row of -inf only gives 0 everywhere; NaN or +inf in a row
//! makes all of it NaN.

use super::{exp_sum as exp_sum_f64, rows};
use crate::{
    pieces::{
        exp_sum::{greatest_of, powers, top_of},
        fold::{Fold, Lanes, Row},
    },
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("softmax", "softmax", plan, reference, cases)
    .summary("y[r, i] = exp(x[r, i]) / sum over j of exp(x[r, j])")
    .inputs(&[InputSpec::new("x", REALS, "[..., n]")])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])])
    .bench(bench);

/// Definition.
#[kernel(group = lanes.threads, grid = rows)]
pub fn softmax<T: Real>(
    #[len(rows * row_elems)] x: &In<T>,
    #[len(rows * row_elems)] y: &mut Out<T>,
    rows: u32,
    row_elems: u32,
    #[comptime] lanes: Lanes,
) {
    let row_elems = lanes.whole(row_elems);
    let base = group_id() as u64 * row_elems as u64;
    let row = Row::new(lanes, row_elems, |i| x[base + i as u64] as f32);
    let powers = powers(&row, top_of(greatest_of(&row)));
    let sum = powers.fold(Fold::Sum);
    let scale = select(sum == 0.0, lit::<f32>(0.0), recip(sum));
    powers.each(|i, power| {
        y[base + i as u64] = (power * scale) as T;
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = call.rows("x")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let lanes = Lanes::for_rows_of(call, "x")?;
    plan.step(
        with_real!(call, call.dtype("x"), T => softmax::<T>(lanes))?,
        [call.buffer("x"), y.buffer(), rows.into(), row_elems.into()],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let x = known.float("x");
    let n = known.extents("x").last().copied().unwrap_or(1);
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for row in x.chunks(n.max(1)) {
        let (top, sum, sum_error) = exp_sum_f64(row);
        for x in row {
            let p = if top == f64::NEG_INFINITY { 0.0 } else { libm::exp(x - top) / sum };
            values.push(p);
            // The element's own exponential and difference, the reciprocal, the product.
            let distance = if p == 0.0 { 0.0 } else { top - x };
            errors.push(p * (distance + sum_error + 5.0));
        }
    }
    vec![Expected::sum("y", values, errors)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all: Vec<_> = rows()
        .into_iter()
        .map(|(name, dtype, desc, pattern)| {
            Case::new(name, dtype).view("x", desc, pattern).bound(Bound::sum(1.0))
        })
        .collect();
    for shape in [[0, 5], [5, 0]] {
        let none = Case::new(format!("{shape:?}"), DType::F32);
        all.push(none.input("x", &shape, Pattern::normal(1)).empty());
    }
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let n = 4_096;
    let of = |(name, rows, dtype, scale): (&str, u32, DType, Scale)| {
        let case = Case::new(name, dtype).input("x", &[rows, n], Pattern::normal(1));
        let bytes = 2 * u64::from(rows * n * dtype.bits() / 8);
        Bench { case: case.bound(Bound::sum(1.0)), bytes, flops: 0, scale }
    };
    let sizes = [
        ("4096", 1_024, DType::F32, Scale::Host),
        ("4096x4096", n, DType::F32, Scale::Device),
        ("4096x4096", n, DType::BF16, Scale::Device),
    ];
    sizes.map(of).into()
}
