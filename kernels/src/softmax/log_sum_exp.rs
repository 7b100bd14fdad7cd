//! The logarithm of the sum of exponentials of each row: `y[r] = max_r + log(sum over j of exp(x[r, j] - max_r))`.
//!
//! `x` is [..., n], `y` is [...], one dtype, computed in f32 by `pieces::exp_sum`. A row of nothing or of -inf
//! only gives -inf; a row with +inf gives +inf; NaN gives NaN.

use super::{exp_sum as exp_sum_f64, rows};
use crate::{
    pieces::{
        exp_sum::{greatest_of, powers, top_of},
        fold::{Fold, Lanes, Row},
    },
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("log_sum_exp", "softmax", plan, reference, cases)
    .summary("y[r] = log(sum over j of exp(x[r, j]))")
    .inputs(&[InputSpec::new("x", REALS, "[..., n]")])
    .outputs(&[OutputSpec::new("y", "[...], like x")])
    .bench(bench);

/// Definition.
#[kernel(group = lanes.threads, grid = rows)]
pub fn log_sum_exp<T: Real>(
    #[len(rows * row_elems)] x: &In<T>,
    #[len(rows)] y: &mut Out<T>,
    rows: u32,
    row_elems: u32,
    #[comptime] lanes: Lanes,
) {
    let row_elems = lanes.whole(row_elems);
    let base = group_id() as u64 * row_elems as u64;
    let row = Row::new(lanes, row_elems, |i| x[base + i as u64] as f32);
    let greatest = greatest_of(&row);
    let sum = powers(&row, top_of(greatest)).fold(Fold::Sum);
    let infinite = abs(greatest) == f32::INFINITY;
    let result = select(infinite, greatest, greatest + log(sum));
    if thread_id() == 0 {
        y[group_id()] = result as T;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = call.rows("x")?;
    let outer = call.dims("x").split_last().map_or(&[][..], |(_, outer)| outer);
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), outer);
    let lanes = Lanes::for_rows_of(call, "x")?;
    plan.step(
        with_real!(call, call.dtype("x"), T => log_sum_exp::<T>(lanes))?,
        [call.buffer("x"), y.buffer(), rows.into(), row_elems.into()],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let x = known.float("x");
    let (n, outer) =
        known.extents("x").split_last().map_or((1, 1), |(&n, o)| (n, o.iter().product()));
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for r in 0..outer {
        let (top, sum, sum_error) = exp_sum_f64(&x[r * n..(r + 1) * n]);
        let log = libm::log(sum);
        values.push(if top.is_infinite() { top } else { top + log });
        // An error of the sum, relative to it, is one of its logarithm; which itself has 1.5 ULP.
        errors.push(if top.is_infinite() { 0.0 } else { sum_error + 3.0 * log });
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
    let case = |name: &str| Case::new(name, DType::F32);
    all.push(case("of nothing").input("x", &[3, 0], Pattern::normal(1)));
    all.push(case("no rows").input("x", &[0, 3], Pattern::normal(1)).empty());
    all.push(case("scalar").input("x", &[], Pattern::Constant(-7.5)));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (rows, n) = (16, 152_064);
    let case = Case::new("vocabulary", DType::F32).input("x", &[rows, n], Pattern::normal(1));
    let bytes = 4 * u64::from(rows * n);
    vec![Bench { case: case.bound(Bound::sum(1.0)), bytes, flops: 0, scale: Scale::Host }]
}
