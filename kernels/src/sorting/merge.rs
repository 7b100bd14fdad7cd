//! Stable merge of neighbouring sorted runs: each row is a sequence of sorted runs of `run` elements (the last
//! may be shorter); each pair of them becomes one sorted run.
//!
//! `x` and `y` are [..., n], one dtype. The order is total: -0 before +0, NaN last; of equal elements those of
//! the earlier run come first. A thread finds by bisection how many of the outputs before its own come from the
//! earlier run (its co-rank), and then merges a few elements one by one. Rows that are not sorted so give some
//! permutation of their pairs of runs or repeat elements; nothing is checked.

use super::{DTYPES, compare, like_x};
use crate::{
    pieces::{fold::ROW_ELEMS, order::Compare},
    prelude::*,
    reduce::rows::with_foldable,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("merge", "sorting", plan, reference, cases)
    .summary("y[r] = x[r] with each two neighbouring sorted runs merged")
    .inputs(&[InputSpec::new("x", DTYPES, "[..., n], sorted runs of `run` elements")])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x")])
    .settings(&[SettingSpec::required_int("run", "elements of a run, 1 to 2^31")])
    .bench(bench);

/// Outputs of a thread.
const PER_THREAD: u32 = 4;

/// Definition.
#[kernel(group = 256, grid = (row_elems.div_ceil(256 * PER_THREAD), rows))]
pub fn merge_runs<T: Compare>(
    #[len(rows * row_elems)] x: &In<T>,
    #[len(rows * row_elems)] y: &mut Out<T>,
    rows: u32,
    row_elems: u32,
    run: u32,
) {
    let base = group_id_y() as u64 * row_elems as u64;
    let first = global_id() * PER_THREAD;
    if first < row_elems {
        for k in first..min(first + PER_THREAD, row_elems) {
            let start = k / run / 2 * 2 * run;
            let a_elems = min(run, row_elems - start);
            let b_elems = min(run, row_elems - start - a_elems);
            let a = |i: Val<u32>| x[base + (start + i) as u64];
            let b = |j: Val<u32>| x[base + (start + a_elems + j) as u64];
            // How many of the outputs before this one come from `a`.
            let before = k - start;
            let mut low = before - min(before, b_elems);
            let mut high = min(before, a_elems);
            while low < high {
                let middle = (low + high) / 2;
                if T::in_order(a(middle), b(before - 1 - middle)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            let j = before - low;
            let mut from_a = j >= b_elems;
            if low < a_elems && j < b_elems {
                from_a = T::in_order(a(low), b(j));
            }
            if from_a {
                y[base + k as u64] = a(low);
            } else {
                y[base + k as u64] = b(j);
            }
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = call.rows("x")?;
    call.expect(row_elems <= ROW_ELEMS, "the last extent of `x`", "at most 2^31", row_elems)?;
    let run = call.int_in("run", 1..=i64::from(ROW_ELEMS))?;
    let dtype = call.dtype("x");
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("x"));
    let kernel = with_foldable!(call, dtype, T => merge_runs::<T>())?;
    plan.step(kernel, [call.buffer("x"), y.buffer(), rows.into(), row_elems.into(), run.into()]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let x = known.values("x");
    let n = known.extents("x").last().copied().unwrap_or(1).max(1);
    let run = Call::int(known, "run") as usize;
    let mut y = Vec::new();
    for row in x.chunks(n) {
        for pair in row.chunks(2 * run) {
            let (a, b) = pair.split_at(run.min(pair.len()));
            let (mut i, mut j) = (0, 0);
            while i < a.len() || j < b.len() {
                let take_a = j == b.len() || (i < a.len() && compare(a[i], b[j]).is_le());
                y.push(if take_a { a[i] } else { b[j] });
                (i, j) = if take_a { (i + 1, j) } else { (i, j + 1) };
            }
        }
    }
    vec![like_x(known, "y", y)]
}

/// Rows of sorted runs: each value comes in several runs, and several times in one.
fn sorted_runs(dtype: DType, rows: usize, n: usize, run: usize) -> Pattern {
    let mut all: Vec<f64> = (0..rows * n)
        .map(|i| {
            let x = ((i * 7919 + i / 13) % 61) as f64;
            if dtype == DType::U32 { x } else { x - 30.0 }
        })
        .collect();
    for row in all.chunks_mut(n) {
        for run in row.chunks_mut(run) {
            run.sort_by(|a, b| compare(*a, *b));
        }
    }
    Pattern::Cycle(all)
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let case = |dtype: DType, rows: u32, n: u32, run: u32| {
        let x = sorted_runs(dtype, rows as usize, n as usize, run as usize);
        Case::new(format!("{rows}x{n} run {run}"), dtype).input("x", &[rows, n], x).set("run", run)
    };
    for &dtype in DTYPES {
        for [rows, n, run] in [[1, 100, 50], [3, 77, 10], [2, 1_500, 512]] {
            all.push(case(dtype, rows, n, run));
        }
    }
    // One run, a last pair with one run only, a second run of one, runs of one, lengths around a group's.
    for [rows, n, run] in [
        [1, 1, 1],
        [2, 9, 9],
        [2, 9, 20],
        [2, 10, 4],
        [1, 11, 5],
        [2, 31, 1],
        [1, 1_024, 512],
        [1, 1_025, 1_024],
        [1, 4_097, 1_000],
    ] {
        all.push(case(DType::F32, rows, n, run));
    }
    let edges = [f64::NEG_INFINITY, -0.0, 0.0, f64::NAN, -2.0, -0.0, 0.0, f64::INFINITY, f64::NAN];
    let edges = Case::new("specials", DType::F32).set("run", 4).input(
        "x",
        &[1, 9],
        Pattern::Cycle(edges.to_vec()),
    );
    all.push(edges);
    for shape in [[0, 5], [5, 0]] {
        let none = Case::new(format!("{shape:?}"), DType::F32).set("run", 2);
        all.push(none.input("x", &shape, Pattern::normal(1)).empty());
    }
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (rows, n, run) = (16, 65_536, 32_768);
    let x = sorted_runs(DType::F32, rows as usize, n as usize, run as usize);
    let case = Case::new("32768", DType::F32).input("x", &[rows, n], x).set("run", run);
    vec![Bench { case, bytes: 8 * u64::from(rows * n), flops: 0, scale: Scale::Host }]
}
