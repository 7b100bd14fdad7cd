//! What an operation on groups could not take: how many groups, and the first of them.
//!
//! Invariants
//! - Where nothing is refused, row and group are 2^32 - 1.
//! - Integer sums and least numbers: no order of threads shows.

use crate::prelude::*;

/// The output of every operation that reports.
pub(super) const REPORT: OutputSpec = OutputSpec::new(
    "report",
    "[3], u32: how many groups are refused, row and group of the first one (2^32 - 1 where none is)",
);

/// Nothing found.
#[kernel(group = 32, grid = 1)]
pub(super) fn start_report(#[len(2)] found: &mut Out<u32>) {
    if global_id() == 0 {
        found[0] = 0;
        found[1] = u32::MAX;
    }
}

/// Counts a group that is refused. The groups of all rows are numbered through.
#[device]
pub(super) fn refuse(bad: Val<bool>, group: Val<u32>, found: &InOut<u32>) {
    if bad {
        atomic_add(found, 0, 1);
        atomic_min(found, 1, group);
    }
}

/// The number of groups, row and group of the least.
#[kernel(group = 32, grid = 1)]
pub(super) fn end_report(#[len(2)] found: &In<u32>, #[len(3)] report: &mut Out<u32>, groups: u32) {
    if global_id() == 0 {
        let (least, of) = (found[1], max(groups, 1));
        report[0] = found[0];
        report[1] = select(least == u32::MAX, u32::MAX, least / of);
        report[2] = select(least == u32::MAX, u32::MAX, least % of);
    }
}

/// A report that a step writes between its start and its end.
pub(super) struct Report {
    report: TensorRef,
    found: TensorRef,
}

impl Report {
    /// Declares the output and begins.
    pub(super) fn start(call: &Call<'_>, plan: &mut Plan) -> Result<Report, PlanError> {
        let report = plan.output("report", DType::U32, &[3]);
        let found = plan.temp(DType::U32, &[2]);
        plan.step(call.staged(start_report())?, [found.buffer()]);
        Ok(Report { report, found })
    }

    /// The argument of a kernel that reports.
    pub(super) fn arg(&self) -> Arg {
        self.found.buffer()
    }

    /// Ends it; a row has so many groups.
    pub(super) fn end(
        self,
        call: &Call<'_>,
        plan: &mut Plan,
        groups: u32,
    ) -> Result<(), PlanError> {
        let args = [self.found.buffer(), self.report.buffer(), groups.into()];
        plan.step(call.staged(end_report())?, args);
        Ok(())
    }
}

/// Rows of a given input, whose last extent must be a multiple of four.
pub(super) fn grouped_rows(call: &Call<'_>, name: &str) -> Result<(u32, u32), PlanError> {
    let (rows, k) = call.rows(name)?;
    call.elems(name)?;
    call.require(!call.dims(name).is_empty() && k.is_multiple_of(4), || {
        let got = format!("{:?}", call.dims(name));
        (format!("the last extent of `{name}`"), "a multiple of 4".into(), got)
    })?;
    Ok((rows, k))
}

/// What a report of rows of `groups` says of the groups that `bad` names.
pub(super) fn expected(groups: usize, bad: &[usize]) -> Expected {
    let none = i128::from(u32::MAX);
    let first = bad.iter().min();
    let [row, group] = first.map_or([none; 2], |&at| [at / groups, at % groups].map(|x| x as i128));
    Expected::int("report", vec![bad.len() as i128, row, group])
}
