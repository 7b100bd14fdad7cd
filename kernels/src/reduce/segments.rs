//! Reduction of runs of any length: `y[s] = x[offsets[s]] . ... . x[offsets[s + 1] - 1]`.
//!
//! `x` is [n], `offsets` is [segments + 1] and must not descend nor pass n: a launch with others is an error.
//! Each run is folded in the canonical order with 1,024 accumulators, counted from its first element; a run is
//! not cut, whatever its length. An empty run gives the identity: -0.0, 1, -inf, +inf.

use super::{
    reference::{WORDS, bound, fold, pattern},
    rows::{DTYPES, with_foldable},
};
use crate::{
    pieces::fold::{FOLDS, Fold, Foldable, Lanes, ROW_ELEMS, fold_row},
    prelude::*,
};

/// Definition.
#[kernel(group = lanes.threads, grid = segments)]
pub fn fold_segments<T: Numeric, A: Numeric>(
    #[len(elems)] x: &In<T>,
    #[len(segments + 1)] offsets: &In<u32>,
    #[len(segments)] y: &mut Out<T>,
    elems: u32,
    segments: u32,
    #[comptime] fold: Fold,
    #[comptime] lanes: Lanes,
) {
    let segment = group_id();
    let (begin, end) = (offsets[segment], offsets[segment + 1]);
    assert!(begin <= end && end <= elems, "offsets must ascend and end within x");
    let result = fold_row(fold, lanes, end - begin, |i| x[begin + i] as A);
    if thread_id() == 0 {
        y[segment] = result as T;
    }
}

fn stage<T: Foldable>(
    fold: Fold,
    lanes: Lanes,
) -> Result<evenweave_lang::ir::Kernel, evenweave_lang::StageError> {
    fold_segments::<T, T::Acc>(fold, lanes)
}

/// The operation.
pub const ENTRY: Entry = Entry::new("reduce_segments", "reduce", plan, reference, cases)
    .summary("y[s] = x[offsets[s]] . ... . x[offsets[s + 1] - 1]")
    .inputs(&[
        InputSpec::new("x", DTYPES, "[n]"),
        InputSpec::new("offsets", &[DType::U32], "[segments + 1], ascending, at most n"),
    ])
    .outputs(&[OutputSpec::new("y", "[segments], like x")])
    .words(&[WordSpec::new("op", FOLDS, "what combines")])
    .bench(bench);

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [elems] = call.shape("x")?;
    let [offsets] = call.shape("offsets")?;
    let Some(segments) = offsets.checked_sub(1) else {
        return Err(call.wrong("the length of `offsets`", "at least 1", offsets));
    };
    let dtype = call.dtype("x");
    let fold = Fold::named(call.word("op"));
    call.expect(elems <= ROW_ELEMS, "the length of `x`", "at most 2^31", elems)?;
    let lanes = Lanes::for_any_row(elems);
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, &[segments]);
    plan.step(
        with_foldable!(call, dtype, T => stage::<T>(fold, lanes))?,
        [call.buffer("x"), call.buffer("offsets"), y.buffer(), elems.into(), segments.into()],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let offsets = known.int("offsets");
    let rows: Vec<_> =
        offsets.windows(2).map(|pair| (pair[0] as usize..pair[1] as usize).collect()).collect();
    fold(known, known.word("op"), &rows)
}

fn cases(_: &Entry) -> Vec<Case> {
    // Empty runs at both ends and inside, runs of one, and lengths around those of a subgroup.
    let offsets = [0, 0, 1, 3, 34, 34, 66, 99, 350, 2_500, 2_500];
    let mut all = Vec::new();
    for &op in WORDS {
        for &dtype in DTYPES {
            let case = |name: &str, offsets: &[u32]| {
                let elems = offsets[offsets.len() - 1];
                let ends = offsets.iter().map(|&o| f64::from(o)).collect();
                let case = Case::new(format!("{op} {name}"), dtype).word("op", op);
                let case = case.input("x", &[elems], pattern(op, dtype, 5));
                let shape = [offsets.len() as u32];
                case.input_as("offsets", DType::U32, &shape, Pattern::Cycle(ends))
                    .bound(bound(op, elems))
            };
            all.push(case("ragged", &offsets));
            if dtype == DType::F32 {
                all.push(case("one", &[0, 1]));
                all.push(case("one long", &[0, 5_000]));
                all.push(case("all empty", &[0, 0, 0]));
                all.push(case("none", &[0]).empty());
            }
        }
    }
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (runs, n) = (1_024, 4_096);
    let case = Case::new("sum", DType::F32)
        .input("x", &[runs * n], Pattern::normal(1))
        .input_as("offsets", DType::U32, &[runs + 1], Pattern::ramp(0.0, f64::from(n)))
        .bound(bound("sum", n));
    vec![Bench {
        case,
        bytes: 4 * u64::from(runs * n + 2 * runs),
        flops: u64::from(runs * n),
        scale: Scale::Host,
    }]
}
