//! Reduction of each row: `y[r] = x[r, 0] . x[r, 1] . ... . x[r, n - 1]`.
//!
//! `x` is [..., n], `y` is [...]. The order is the canonical one (`pieces::fold`) with 1,024 accumulators; a row
//! longer than 65,536 is cut into segments of that length, and their results are folded by the same rule. So a
//! row's result depends on that row only. A row of nothing gives the identity: -0.0, 1, -inf, +inf.

use super::reference::{WORDS, bound, fold, pattern, special_pairs};
use crate::{
    pieces::fold::{FOLDS, Fold, Foldable, Lanes, SEGMENT_ELEMS, fold_row},
    prelude::*,
};

/// The dtypes that are folded.
pub(crate) const DTYPES: &[DType] = &[DType::F32, DType::F16, DType::BF16, DType::I32, DType::U32];

/// Stages for a dtype of `DTYPES`.
macro_rules! with_foldable {
    ($call:expr, $dtype:expr, $T:ident => $stage:expr) => {
        $crate::with_dtype! { $call, $dtype, $T => $stage; $crate::reduce::rows::DTYPES;
        F32 f32, F16 ::half::f16, BF16 ::half::bf16, I32 i32, U32 u32, }
    };
}
pub(crate) use with_foldable;

/// Definition: one group a segment of a row.
#[kernel(
    group = lanes.threads,
    grid = (rows, row_elems.div_ceil(SEGMENT_ELEMS).max(1))
)]
pub fn fold_rows<T: Numeric, A: Numeric, Y: Numeric>(
    #[len(rows * row_elems)] x: &In<T>,
    #[len(rows * row_elems.div_ceil(SEGMENT_ELEMS).max(1))] y: &mut Out<Y>,
    rows: u32,
    row_elems: u32,
    #[comptime] fold: Fold,
    #[comptime] lanes: Lanes,
) {
    let row_elems = lanes.whole(row_elems);
    let start = group_id_y() * SEGMENT_ELEMS;
    let base = group_id() as u64 * row_elems as u64 + start as u64;
    let elems = min(row_elems - start, SEGMENT_ELEMS);
    let result = fold_row(fold, lanes, elems, |i| x[base + i as u64] as A);
    if thread_id() == 0 {
        y[group_id() as u64 * grid_size_y() as u64 + group_id_y() as u64] = result as Y;
    }
}

/// Adds the launches that fold the rows of `x` into `y`.
pub(super) fn fold_steps(
    call: &Call<'_>,
    plan: &mut Plan,
    dtype: DType,
    [rows, row_elems]: [u32; 2],
    x: Arg,
    y: Arg,
) -> Result<(), PlanError> {
    let fold = Fold::named(call.word("op"));
    let acc_dtype = if dtype.is_float() { DType::F32 } else { dtype };
    let (mut x, mut elems) = (x, row_elems);
    loop {
        let (first, segments) = (elems == row_elems, elems.div_ceil(SEGMENT_ELEMS).max(1));
        // A row that is cut has whole segments but for its last, and so neighbours stay together.
        let lanes = Lanes::for_row(elems);
        let last = segments == 1;
        let kernel = with_foldable!(call, dtype, T => stage::<T>(first, last, fold, lanes))?;
        if last {
            plan.step(kernel, [x, y, rows.into(), elems.into()]);
            return Ok(());
        }
        let parts = plan.temp(acc_dtype, &[rows, segments]);
        plan.step(kernel, [x, parts.buffer(), rows.into(), elems.into()]);
        (x, elems) = (parts.buffer(), segments);
    }
}

fn stage<T: Foldable>(
    first: bool,
    last: bool,
    fold: Fold,
    lanes: Lanes,
) -> Result<evenweave_lang::ir::Kernel, evenweave_lang::StageError> {
    match (first, last) {
        (true, true) => fold_rows::<T, T::Acc, T>(fold, lanes),
        (true, false) => fold_rows::<T, T::Acc, T::Acc>(fold, lanes),
        (false, true) => fold_rows::<T::Acc, T::Acc, T>(fold, lanes),
        (false, false) => fold_rows::<T::Acc, T::Acc, T::Acc>(fold, lanes),
    }
}

/// The operation.
pub const ENTRY: Entry = Entry::new("reduce_rows", "reduce", plan, reference, cases)
    .summary("y[r] = x[r, 0] . x[r, 1] . ... . x[r, n - 1]")
    .inputs(&[InputSpec::new("x", DTYPES, "[..., n]")])
    .outputs(&[OutputSpec::new("y", "[...], like x")])
    .words(&[WordSpec::new("op", FOLDS, "what combines")])
    .bench(bench);

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = call.rows("x")?;
    let outer = call.dims("x").split_last().map_or(&[][..], |(_, outer)| outer);
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), outer);
    fold_steps(call, &mut plan, call.dtype("x"), [rows, row_elems], call.buffer("x"), y.buffer())?;
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (n, outer) =
        known.extents("x").split_last().map_or((1, 1), |(&n, o)| (n, o.iter().product()));
    let rows: Vec<_> = (0..outer).map(|r| (r * n..(r + 1) * n).collect()).collect();
    fold(known, known.word("op"), &rows)
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &op in WORDS {
        for &dtype in DTYPES {
            let case = |name: &str| Case::new(format!("{op} {name}"), dtype).word("op", op);
            let few = [[3, 33], [1, 2_500]];
            let many =
                [[1, 1], [5, 2], [2, 31], [3, 32], [2, 127], [2, 1_000], [3, 1_024], [1, 70_001]];
            let more = if dtype == DType::F32 { &many[..] } else { &[] };
            for &[rows, n] in few.iter().chain(more) {
                let pattern = pattern(op, dtype, u64::from(rows + n));
                let case = case(&format!("{rows}x{n}")).input("x", &[rows, n], pattern);
                all.push(case.bound(bound(op, n)));
            }
            if dtype.is_float() {
                let (rows, pairs) = special_pairs(dtype);
                all.push(case("specials").input("x", &[rows, 2], pairs));
            }
            if [DType::F32, DType::I32].contains(&dtype) {
                all.push(case("of nothing").input("x", &[3, 0], Pattern::Constant(0.0)));
                all.push(case("no rows").input("x", &[0, 3], Pattern::Constant(0.0)).empty());
            }
        }
        // A view that starts late, repeats its first axis, and steps over every other column.
        let view = TensorDesc::strided(DType::F32, &[2, 3, 70], &[0, 211, 2], 5);
        let view = Case::new(format!("{op} view"), DType::F32).word("op", op).view(
            "x",
            view,
            pattern(op, DType::F32, 11),
        );
        all.push(view.bound(bound(op, 70)));
    }
    all.extend(edges());
    all
}

/// Where a wrong identity, a narrow accumulator or a lost NaN shows.
fn edges() -> Vec<Case> {
    let case = |name: &str, dtype: DType, op: &str, x: &[f64]| {
        let n = x.len() as u32;
        let case = Case::new(format!("{op} {name}"), dtype).word("op", op);
        case.input("x", &[1, n], Pattern::Cycle(x.to_vec()))
    };
    let nan_at = |i: usize| {
        let mut x = vec![1.0; 300];
        x[i] = f64::NAN;
        x
    };
    let mut all = vec![
        case("above 32767", DType::F32, "min", &[32_768.0, 40_000.0]),
        case("all -inf", DType::F32, "max", &[f64::NEG_INFINITY; 40]),
        case("all +inf", DType::F32, "min", &[f64::INFINITY; 40]),
        case("lowest", DType::F16, "max", &[-65_504.0; 3]),
        case("past f16 on the way", DType::F16, "sum", &[60_000.0, 60_000.0, -60_000.0, -59_968.0]),
        case("overflow", DType::F16, "sum", &[60_000.0, 60_000.0]),
        case("negative zeros", DType::F32, "sum", &[-0.0; 5]),
    ];
    for op in WORDS {
        for i in [0, 150, 299] {
            all.push(case(&format!("NaN at {i}"), DType::F32, op, &nan_at(i)));
        }
    }
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let n = 4_096;
    let of = |(name, rows, scale)| {
        let case = Case::new(name, DType::F32)
            .input("x", &[rows, n], Pattern::normal(1))
            .bound(bound("sum", n));
        let elems = u64::from(rows * n);
        Bench { case, bytes: 4 * (elems + u64::from(rows)), flops: elems, scale }
    };
    [("sum", 1_024, Scale::Host), ("sum-4096x4096", n, Scale::Device)].map(of).into()
}
