//! Each row in order, and where its elements stood: `values[r, i] = x[r, indices[r, i]]`.
//!
//! `x` and `values` are [..., n], one dtype; `indices` is u32. The order is that of `sort`, and stable: of equal
//! elements (same bits, or NaN) the lower index comes first, also where the order descends. How: `keys`.

use super::{
    DTYPES,
    keys::{sort_steps, unpack_indices},
    like_x, order,
};
use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("argsort", "sorting", plan, reference, cases)
    .summary("values[r, i] = x[r, indices[r, i]], in order")
    .inputs(&[InputSpec::new("x", DTYPES, "[..., n]")])
    .outputs(&[
        OutputSpec::new("values", "shape and dtype of x"),
        OutputSpec::new("indices", "shape of x, u32"),
    ])
    .words(&[WordSpec::new("order", &["ascending", "descending"], "which comes first")])
    .bench(bench);

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let mut plan = Plan::new();
    let keys = sort_steps::<u64>(call, &mut plan)?;
    let indices = plan.output("indices", DType::U32, call.dims("x"));
    let kernel = call.staged(unpack_indices())?;
    plan.step(kernel, [keys.buffer(), indices.buffer(), call.elems("x")?.into()]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let x = known.values("x");
    let n = known.extents("x").last().copied().unwrap_or(1).max(1);
    let descending = known.word("order") == "descending";
    let (mut values, mut indices) = (Vec::new(), Vec::new());
    for row in x.chunks(n) {
        for i in order(row, descending) {
            values.push(row[i]);
            indices.push(i as i128);
        }
    }
    vec![like_x(known, "values", values), Expected::int("indices", indices)]
}

fn cases(_: &Entry) -> Vec<Case> {
    super::cases()
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (rows, n) = (64, 16_384);
    let case = Case::new("16384", DType::F32).input("x", &[rows, n], Pattern::normal(1));
    vec![Bench { case, bytes: 12 * u64::from(rows * n), flops: 0, scale: Scale::Host }]
}
