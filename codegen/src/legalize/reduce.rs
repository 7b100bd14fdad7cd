//! Subgroup reductions and scans as shuffles, in the order of the index tree.
//!
//! Invariants
//! - `combine` is commutative bit for bit, so that the butterfly gives every lane the same bits.

use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Op, Type, Value},
    ops::{BinaryOp, CompareOp, IdOp, Reach, ShuffleOp},
};

/// Writes one step of the reduction.
pub(super) type Combine<'a> = dyn Fn(&mut Builder, Value, Value) -> Value + 'a;

/// The reduction of `x` with `combine`; `identity` is what lane 0 of an exclusive scan gets.
pub(super) fn shuffled(
    b: &mut Builder,
    reach: Reach,
    x: Value,
    identity: u64,
    combine: &Combine<'_>,
) -> Value {
    match reach {
        Reach::All => butterfly(b, x, combine),
        Reach::Inclusive => inclusive(b, x, combine),
        Reach::Exclusive => {
            let scanned = inclusive(b, x, combine);
            exclusive(b, scanned, identity)
        }
    }
}

/// What is the same in all lanes, as the value of lane 0.
pub(super) fn uniform(b: &mut Builder, x: Value) -> Value {
    let zero = b.constant(DType::U32, 0);
    shuffle(b, ShuffleOp::Broadcast, x, zero)
}

fn butterfly(b: &mut Builder, x: Value, combine: &Combine<'_>) -> Value {
    levels(b).fold(x, |sum, level| {
        let mask = b.constant(DType::U32, 1 << level);
        let other = shuffle(b, ShuffleOp::Xor, sum, mask);
        combine(b, sum, other)
    })
}

/// Sklansky's scan: at level d a lane with bit d set takes the last lane of the block of 2^d lanes before its own.
fn inclusive(b: &mut Builder, x: Value, combine: &Combine<'_>) -> Value {
    let lane = b.id(IdOp::Lane);
    let zero = b.constant(DType::U32, 0);
    let one = b.constant(DType::U32, 1);
    levels(b).fold(x, |sum, level| {
        let bit = b.constant(DType::U32, 1 << level);
        let block_mask = b.constant(DType::U32, u64::from(u32::MAX << level));
        let block = binary(b, BinaryOp::And, lane, block_mask);
        let from = binary(b, BinaryOp::Sub, block, one);
        let before = shuffle(b, ShuffleOp::Any, sum, from);
        let both = combine(b, before, sum);
        let set = binary(b, BinaryOp::And, lane, bit);
        let takes = b.push(Op::Compare(CompareOp::Ne, set, zero), Type::Scalar(DType::Bool));
        select(b, takes, both, sum)
    })
}

fn exclusive(b: &mut Builder, scanned: Value, identity: u64) -> Value {
    let lane = b.id(IdOp::Lane);
    let zero = b.constant(DType::U32, 0);
    let one = b.constant(DType::U32, 1);
    let from = binary(b, BinaryOp::Sub, lane, one);
    let before = shuffle(b, ShuffleOp::Any, scanned, from);
    let dtype = b.kernel()[scanned].ty.scalar().expect("a reduction is of scalars");
    let identity = b.constant(dtype, identity);
    let first = b.push(Op::Compare(CompareOp::Eq, lane, zero), Type::Scalar(DType::Bool));
    select(b, first, identity, before)
}

fn levels(b: &Builder) -> std::ops::Range<u32> {
    0..b.kernel().lanes.trailing_zeros()
}

fn binary(b: &mut Builder, op: BinaryOp, x: Value, y: Value) -> Value {
    b.push(Op::Binary(op, x, y), Type::Scalar(DType::U32))
}

fn shuffle(b: &mut Builder, op: ShuffleOp, x: Value, lane: Value) -> Value {
    let ty = b.kernel()[x].ty;
    b.push(Op::Shuffle(op, x, lane), ty)
}

fn select(b: &mut Builder, c: Value, x: Value, y: Value) -> Value {
    let ty = b.kernel()[x].ty;
    b.push(Op::Select(c, x, y), ty)
}
