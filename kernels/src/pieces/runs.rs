//! Rows in runs, one for each of several matrices: run e is rows `offsets[e]` to `offsets[e + 1] - 1`, and may be empty.

use evenweave_lang::prelude::*;

/// The run, the first row and the end of the rows that group `at` takes, where groups take up to `high` rows of one run each; no run
/// has the number `runs`, which groups past the last get. There are enough groups if there are `rows / high + runs`.
#[device]
pub fn run_tile(
    offsets: &In<u32>,
    runs: Val<u32>,
    high: u32,
    at: Val<u32>,
) -> (Val<u32>, Val<u32>, Val<u32>) {
    let mut left = at;
    let mut run = runs;
    let mut first = 0u32;
    let mut end = 0u32;
    for e in val(0)..runs {
        let (from, to) = (offsets[e], offsets[e + 1]);
        assert!(from <= to, "runs follow each other");
        let groups = (to - from + (high - 1)) / high;
        if run == runs {
            if left < groups {
                run = e;
                first = from + left * high;
                end = to;
            } else {
                left = left - groups;
            }
        }
    }
    (run, first, end)
}
