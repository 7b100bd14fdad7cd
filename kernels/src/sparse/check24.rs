//! Whether a matrix is 2:4: how many groups of four neighbours hold more than two numbers other than zero, and where
//! the first of them is.

use super::{
    group::{DTYPES, Kept, group_at, survivors, with_kept},
    image,
    report::{REPORT, Report, expected, grouped_rows, refuse},
};
use crate::{pieces::each::THREADS, prelude::*};

/// The operation.
pub const ENTRY: Entry = Entry::new("check24", "sparse", plan, reference, cases)
    .summary("groups of four along a row with more than two numbers other than zero")
    .inputs(&[InputSpec::new("x", DTYPES, "[..., k], k a multiple of 4")])
    .outputs(&[REPORT])
    .bench(bench);

/// Definition: a thread a group.
#[kernel(group = THREADS, grid = groups.div_ceil(THREADS))]
pub fn check24<T: Kept>(
    #[len(groups * 4)] x: &In<T>,
    #[len(2)] found: &mut InOut<u32>,
    groups: u32,
) {
    let i = global_id();
    if i < groups {
        let group = group_at(x, i as u64 * 4);
        refuse(survivors(&group) > 2, i, found);
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, k) = grouped_rows(call, "x")?;
    let mut plan = Plan::new();
    let report = Report::start(call, &mut plan)?;
    let kernel = with_kept!(call, call.dtype("x"), T => check24::<T>())?;
    plan.step(kernel, [call.buffer("x"), report.arg(), (rows * (k / 4)).into()]);
    report.end(call, &mut plan, k / 4)?;
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let x = known.values("x");
    vec![expected(known.extents("x").last().map_or(1, |k| k / 4), &crowded(&x))]
}

/// The groups with more than two numbers other than zero.
pub(super) fn crowded(x: &[f64]) -> Vec<usize> {
    let is_bad = |group: &[f64]| group.iter().filter(|&&v| v != 0.0).count() > 2;
    x.chunks(4).enumerate().filter(|(_, group)| is_bad(group)).map(|(at, _)| at).collect()
}

fn cases(_: &Entry) -> Vec<Case> {
    image::matrices()
}

fn bench(_: &Entry) -> Vec<Bench> {
    image::benches(|bytes| bytes)
}
