//! Each row in order: `y[r]` has the elements of `x[r]`, ascending or descending.
//!
//! `x` and `values` are [..., n], one dtype. The order is total: -inf < ... < -0 < +0 < ... < +inf < NaN; descending
//! is its reverse, so NaN comes first there. Bits are kept, NaN becomes canonical. How: `keys`.

use super::{DTYPES, keys::sort_steps, like_x, order};
use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("sort", "sorting", plan, reference, cases)
    .summary("values[r] = the elements of x[r] in order")
    .inputs(&[InputSpec::new("x", DTYPES, "[..., n]")])
    .outputs(&[OutputSpec::new("values", "shape and dtype of x")])
    .words(&[WordSpec::new("order", &["ascending", "descending"], "which comes first")])
    .bench(bench);

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let mut plan = Plan::new();
    sort_steps::<u32>(call, &mut plan)?;
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let x = known.values("x");
    let n = known.extents("x").last().copied().unwrap_or(1).max(1);
    let descending = known.word("order") == "descending";
    let sorted = x.chunks(n).flat_map(|row| order(row, descending).into_iter().map(|i| row[i]));
    vec![like_x(known, "values", sorted.collect())]
}

fn cases(_: &Entry) -> Vec<Case> {
    super::cases()
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (rows, n) = (64, 16_384);
    let case = Case::new("16384", DType::F32).input("x", &[rows, n], Pattern::normal(1));
    vec![Bench { case, bytes: 8 * u64::from(rows * n), flops: 0, scale: Scale::Host }]
}
