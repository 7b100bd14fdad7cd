//! Places in a launch, and its groups over threads.
//!
//! Invariants
//! - What a launch prints and which fault it reports do not depend on the number of threads: prints come in the
//!   order of groups, and the fault is that of the first group that has one.

use crate::error::{Fault, Site};
use evenweave_lang::ir::{Kernel, Loc};
use rayon::prelude::*;
use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// What running some groups in order gave.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) prints: Vec<String>,
    pub(crate) faults: Vec<Fault>,
}

/// The place of a group that is counted through, x fastest.
pub(crate) fn group_at(grid: [u32; 3], index: u64) -> [u32; 3] {
    let (x, y) = (u64::from(grid[0]), u64::from(grid[1]));
    [(index % x) as u32, (index / x % y) as u32, (index / x / y) as u32]
}

/// The place in the author's source.
pub(crate) fn site(kernel: &Kernel, loc: Loc) -> Site {
    let file = kernel.files.get(loc.file as usize).map_or("?", String::as_str);
    Site { file: file.into(), line: loc.line }
}

/// The place of a thread that is counted through its group, x fastest.
pub(crate) fn thread_at(group: [u32; 3], index: u32) -> [u32; 3] {
    [index % group[0], index / group[0] % group[1], index / group[0] / group[1]]
}

/// Runs all groups in ranges, several at once, and joins what they gave.
pub(crate) fn over_groups(grid: [u32; 3], run: impl Fn(Range<u64>) -> Outcome + Sync) -> Outcome {
    let groups: u64 = grid.iter().map(|&n| u64::from(n)).product();
    // A few ranges a thread even out groups of unequal work.
    let ranges = (rayon::current_num_threads() as u64 * 8).min(groups);
    let at = |i: u64| (u128::from(groups) * u128::from(i) / u128::from(ranges)) as u64;
    let first_bad = AtomicU64::new(u64::MAX);
    let outcomes: Vec<Outcome> = (0..ranges)
        .into_par_iter()
        .map(|i| {
            if first_bad.load(Relaxed) < i {
                return Outcome::default();
            }
            let outcome = run(at(i)..at(i + 1));
            if !outcome.faults.is_empty() {
                first_bad.fetch_min(i, Relaxed);
            }
            outcome
        })
        .collect();
    let mut all = Outcome::default();
    for outcome in outcomes {
        all.prints.extend(outcome.prints);
        if !outcome.faults.is_empty() {
            all.faults = outcome.faults;
            break;
        }
    }
    all
}
