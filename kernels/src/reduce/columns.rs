//! Reduction of each column: `y[c] = x[0, c] . x[1, c] . ... . x[n - 1, c]`.
//!
//! `x` is [n, ...], `y` is [...]. The bits are those of `reduce_rows` on the transposed matrix: 1,024
//! accumulators by row index, and an axis longer than 65,536 in segments. A group takes 32 neighbouring
//! columns, so loads run along rows; 32 accumulators of each column at a time cross the group through shared
//! memory, where a subgroup takes one column and combines neighbours.

use super::{
    reference::{WORDS, bound, fold, pattern},
    rows::{DTYPES, with_foldable},
};
use crate::{
    pieces::fold::{
        ACCUMULATORS, FOLDS, Fold, Foldable, SEGMENT_ELEMS, combine, fold_subgroup, identity,
    },
    prelude::*,
};

/// Columns of a group, one a lane.
const COLUMNS: u32 = 32;
/// Threads of a group that share a column.
const SHARE: u32 = 8;
/// A row of the tile: one element more than its columns, so that a column's elements lie in different banks.
const PITCH: u32 = COLUMNS + 1;

/// Definition.
#[kernel(
    group = (COLUMNS, SHARE),
    grid = (columns.div_ceil(COLUMNS), rows.div_ceil(SEGMENT_ELEMS).max(1))
)]
pub fn fold_columns<T: Numeric, A: Numeric, Y: Numeric>(
    #[len(rows * columns)] x: &In<T>,
    #[len(columns * rows.div_ceil(SEGMENT_ELEMS).max(1))] y: &mut Out<Y>,
    rows: u32,
    columns: u32,
    #[comptime] fold: Fold,
) {
    let first = group_id_y() * SEGMENT_ELEMS;
    let segment_rows = min(rows - first, SEGMENT_ELEMS);
    let column = global_id();
    let tile = shared::<A>(32 * PITCH);
    // Lane b of a subgroup keeps what accumulators 32 b to 32 b + 31 of each of its columns come to.
    let parts = private::<A>(COLUMNS / SHARE);
    for j in 0..COLUMNS / SHARE {
        parts[j] = identity::<A>(fold);
    }
    for block in (val(0)..min(segment_rows, ACCUMULATORS)).step_by(32) {
        for j in 0..32 / SHARE {
            let slot = local_id_y() + j * SHARE;
            let mut acc = identity::<A>(fold);
            if column < columns {
                for row in (block + slot..segment_rows).step_by(ACCUMULATORS) {
                    let at = (first + row) as u64 * columns as u64 + column as u64;
                    acc = combine(fold, acc, x[at] as A);
                }
            }
            tile[slot * PITCH + lane()] = acc;
        }
        barrier();
        for j in 0..COLUMNS / SHARE {
            let part = fold_subgroup(fold, tile[lane() * PITCH + subgroup_id() + j * SHARE]);
            if lane() == block / 32 {
                parts[j] = part;
            }
        }
        barrier();
    }
    for j in 0..COLUMNS / SHARE {
        let result = fold_subgroup(fold, parts[j]);
        let mine = group_id() * COLUMNS + subgroup_id() + j * SHARE;
        if lane() == 0 && mine < columns {
            y[group_id_y() as u64 * columns as u64 + mine as u64] = result as Y;
        }
    }
}

fn stage<T: Foldable>(
    first: bool,
    last: bool,
    fold: Fold,
) -> Result<evenweave_lang::ir::Kernel, evenweave_lang::StageError> {
    match (first, last) {
        (true, true) => fold_columns::<T, T::Acc, T>(fold),
        (true, false) => fold_columns::<T, T::Acc, T::Acc>(fold),
        (false, true) => fold_columns::<T::Acc, T::Acc, T>(fold),
        (false, false) => fold_columns::<T::Acc, T::Acc, T::Acc>(fold),
    }
}

/// The operation.
pub const ENTRY: Entry = Entry::new("reduce_columns", "reduce", plan, reference, cases)
    .summary("y[c] = x[0, c] . x[1, c] . ... . x[n - 1, c]")
    .inputs(&[InputSpec::new("x", DTYPES, "[n, ...]")])
    .outputs(&[OutputSpec::new("y", "[...], like x")])
    .words(&[WordSpec::new("op", FOLDS, "what combines")])
    .bench(bench);

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let dtype = call.dtype("x");
    let Some((&rows, inner)) = call.dims("x").split_first() else {
        return Err(call.wrong("the rank of `x`", "at least 1", 0));
    };
    let columns = call.product("x", inner)?;
    let fold = Fold::named(call.word("op"));
    let acc_dtype = if dtype.is_float() { DType::F32 } else { dtype };
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, inner);
    let (mut x, mut left) = (call.buffer("x"), rows);
    loop {
        let (first, segments) = (left == rows, left.div_ceil(SEGMENT_ELEMS).max(1));
        let last = segments == 1;
        let kernel = with_foldable!(call, dtype, T => stage::<T>(first, last, fold))?;
        if last {
            plan.step(kernel, [x, y.buffer(), left.into(), columns.into()]);
            return Ok(plan);
        }
        let parts = plan.temp(acc_dtype, &[segments, columns]);
        plan.step(kernel, [x, parts.buffer(), left.into(), columns.into()]);
        (x, left) = (parts.buffer(), segments);
    }
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (rows, inner) = (known.extent("x", 0), &known.extents("x")[1..]);
    let columns: usize = inner.iter().product();
    let all: Vec<_> = (0..columns).map(|c| (0..rows).map(|r| r * columns + c).collect()).collect();
    fold(known, known.word("op"), &all)
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &op in WORDS {
        for &dtype in DTYPES {
            let case = |shape: &[u32]| {
                let case = Case::new(format!("{op} {shape:?}"), dtype).word("op", op);
                case.input("x", shape, pattern(op, dtype, 7)).bound(bound(op, shape[0]))
            };
            all.push(case(&[37, 100]));
            if dtype == DType::F32 {
                for shape in [&[1, 33][..], &[33, 1], &[7, 4, 8], &[3_100, 3], &[0, 3]] {
                    all.push(case(shape));
                }
                all.push(case(&[3, 0]).empty());
            }
        }
        let turned = TensorDesc::strided(DType::F32, &[40, 30], &[1, 41], 2);
        let case = Case::new(format!("{op} transposed"), DType::F32).word("op", op);
        all.push(case.view("x", turned, pattern(op, DType::F32, 9)).bound(bound(op, 40)));
    }
    let long = Case::new("sum long", DType::F32).input("x", &[66_000, 2], Pattern::normal(3));
    all.push(long.bound(bound("sum", 66_000)));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (rows, columns) = (4_096, 1_024);
    let case = Case::new("sum", DType::F32)
        .input("x", &[rows, columns], Pattern::normal(1))
        .bound(bound("sum", rows));
    vec![Bench {
        case,
        bytes: 4 * u64::from((rows + 1) * columns),
        flops: u64::from(rows * columns),
        scale: Scale::Host,
    }]
}
