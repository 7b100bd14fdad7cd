//! Reductions and scans over a group, written in the language.
//!
//! Invariants
//! - The order is that of the index tree on `thread_id`: within a subgroup by its own reduction, then among
//!   the subgroups' totals by the same tree. So the bits depend on the index alone.
//! - Every function stands where control flow is uniform in the group, whose threads are whole subgroups.
//! - A reduction's result is the same for the group, and known to be so.

use crate::{
    eval,
    func::{lane, select, subgroup_id, thread_id},
    ir::{Const, Op, SUBGROUP_LANES},
    lanes::{group_broadcast, shuffle},
    memory::shared,
    ops::{Reach, ReduceOp},
    stage,
    val::{Bits, IntoVal, Numeric, Scalar, Val, binary},
};
use evenweave_macros::device;

/// Threads of the group, a comptime number: the product of the kernel's `group`.
#[track_caller]
pub fn group_threads() -> u32 {
    stage::with(|b| b.kernel().group_threads())
}

fn subgroups_of_group() -> u32 {
    group_threads().div_ceil(SUBGROUP_LANES)
}

#[track_caller]
fn lanes<T: Scalar>(reach: Reach, op: ReduceOp, x: Val<T>) -> Val<T> {
    Val::push(Op::Reduce(reach, op, x.ir()))
}

/// What changes nothing when it is combined by `op`: a comptime constant.
///
/// # Panics
/// When `op` does not take the dtype: `And`, `Or` and `Xor` of floats, and anything but those of `bool`.
#[track_caller]
pub fn identity<T: Scalar>(op: ReduceOp) -> Val<T> {
    let bits = eval::identity(op, T::DTYPE).expect("the operation takes the dtype");
    Val::push(Op::Const(Const { bits }))
}

/// Each subgroup's total in the lane of its number, the identity in the lanes above.
#[device]
fn totals<T: Scalar>(op: ReduceOp, total: Val<T>, last: Val<bool>) -> Val<T> {
    let subgroups = subgroups_of_group();
    let totals = shared::<T>(subgroups);
    if last {
        totals[subgroup_id()] = total;
    }
    crate::func::barrier();
    let there = lane() < subgroups;
    let mine = totals[select(there, lane(), 0)];
    select(there, mine, identity(op))
}

#[device(at_caller)]
fn reduce<T: Scalar>(op: ReduceOp, x: Val<T>) -> Val<T> {
    let total = lanes(Reach::All, op, x);
    if subgroups_of_group() == 1 {
        group_broadcast(total)
    } else {
        let totals = totals(op, total, lane() == 0);
        // Also what keeps a next round from writing the totals while a thread still reads them.
        group_broadcast(lanes(Reach::All, op, totals))
    }
}

/// The inclusive scan, and the inclusive scan of the subgroups' totals in the lane of their number.
///
/// Sklansky on the bits of the thread's number: level by level, where the bit is set, the total of the block
/// before comes first.
#[device]
fn scan<T: Scalar>(op: ReduceOp, x: Val<T>) -> (Val<T>, Val<T>) {
    let inside = lanes(Reach::Inclusive, op, x);
    let subgroups = subgroups_of_group();
    if subgroups == 1 {
        (inside, inside)
    } else {
        let mut whole = inside;
        let mut ends = totals(op, inside, lane() == SUBGROUP_LANES - 1);
        for level in 0..subgroups.next_power_of_two().ilog2() {
            let before_me = shuffle(ends, (subgroup_id() >> level << level) - 1);
            let mine = (subgroup_id() >> level) & 1 == 1;
            whole = select(mine, binary(eval::combine(op), before_me, whole), whole);
            let before_end = shuffle(ends, (lane() >> level << level) - 1);
            let end = (lane() >> level) & 1 == 1;
            ends = select(end, binary(eval::combine(op), before_end, ends), ends);
        }
        crate::func::barrier();
        (whole, ends)
    }
}

#[device(at_caller)]
fn inclusive<T: Scalar>(op: ReduceOp, x: Val<T>) -> Val<T> {
    let (whole, _) = scan(op, x);
    whole
}

#[device(at_caller)]
fn exclusive<T: Scalar>(op: ReduceOp, x: Val<T>) -> Val<T> {
    let (whole, ends) = scan(op, x);
    let neighbour = shuffle(whole, lane() - 1);
    let before = select(lane() == 0, shuffle(ends, subgroup_id() - 1), neighbour);
    select(thread_id() == 0, identity(op), before)
}

macro_rules! reductions {
    ($($op:ident $bound:ident $words:literal: $all:ident $inclusive:ident $exclusive:ident;)*) => { $(
        #[doc = concat!($words, " over the threads of the group, for all of them.")]
        #[track_caller]
        pub fn $all<T: $bound>(x: impl IntoVal<T>) -> Val<T> { reduce(ReduceOp::$op, x.into_val()) }
        #[doc = concat!($words, " over the threads up to and with each one.")]
        #[track_caller]
        pub fn $inclusive<T: $bound>(x: impl IntoVal<T>) -> Val<T> {
            inclusive(ReduceOp::$op, x.into_val())
        }
        #[doc = concat!($words, " over the threads before each one; thread 0 gets the identity.")]
        #[track_caller]
        pub fn $exclusive<T: $bound>(x: impl IntoVal<T>) -> Val<T> {
            exclusive(ReduceOp::$op, x.into_val())
        }
    )* };
}
reductions! {
    Sum Numeric "Sum": group_sum group_inclusive_sum group_exclusive_sum;
    Prod Numeric "Product": group_prod group_inclusive_prod group_exclusive_prod;
    Min Numeric "Minimum": group_min group_inclusive_min group_exclusive_min;
    Max Numeric "Maximum": group_max group_inclusive_max group_exclusive_max;
    And Bits "Bitwise and": group_and group_inclusive_and group_exclusive_and;
    Or Bits "Bitwise or": group_or group_inclusive_or group_exclusive_or;
    Xor Bits "Bitwise exclusive or": group_xor group_inclusive_xor group_exclusive_xor;
}
