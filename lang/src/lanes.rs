//! Operations among the 32 lanes of a subgroup, and thread 0's value for a group.
//!
//! Invariants
//! - Each stands in control flow that is uniform for its scope; `verify` checks it.
//! - Sums, products and scans follow the index tree, so their bits do not depend on the device.

use crate::{
    ir::{Array, Op, Place, Type},
    matrix::{Atom, wide::Wide},
    memory::{Handle, Private, Shared},
    ops::{Reach, ReduceOp, ShuffleOp, VoteOp},
    stage,
    val::{Bits, IntoVal, Numeric, Scalar, Val},
};

macro_rules! shuffles {
    ($($(#[doc = $doc:literal])* $name:ident $op:ident;)*) => { $(
        $(#[doc = $doc])*
        #[track_caller]
        pub fn $name<T: Scalar>(x: impl IntoVal<T>, lane: impl IntoVal<u32>) -> Val<T> {
            let (x, lane) = (x.into_val(), lane.into_val());
            Val::push(Op::Shuffle(ShuffleOp::$op, x.ir(), lane.ir()))
        }
    )* };
}
shuffles! {
    /// The value of the lane that each lane names, modulo 32.
    shuffle Any;
    /// The value of the lane `lane() ^ mask`; the mask is uniform in the subgroup.
    shuffle_xor Xor;
    /// The value of one lane, for all; the lane is uniform in the subgroup, and so is the result.
    broadcast Broadcast;
}

/// A `u32` with bit i set where lane i says true.
#[track_caller]
pub fn ballot(p: impl IntoVal<bool>) -> Val<u32> {
    Val::push(Op::Vote(VoteOp::Ballot, p.into_val().ir()))
}

/// Whether any lane says true.
#[track_caller]
pub fn any(p: impl IntoVal<bool>) -> Val<bool> {
    Val::push(Op::Vote(VoteOp::Any, p.into_val().ir()))
}

/// Whether all lanes say true.
#[track_caller]
pub fn all(p: impl IntoVal<bool>) -> Val<bool> {
    Val::push(Op::Vote(VoteOp::All, p.into_val().ir()))
}

macro_rules! reductions {
    ($($op:ident $bound:ident $words:literal: $all:ident $inclusive:ident $exclusive:ident;)*) => { $(
        #[doc = concat!($words, " over the 32 lanes, for all of them.")]
        #[track_caller]
        pub fn $all<T: $bound>(x: impl IntoVal<T>) -> Val<T> {
            Val::push(Op::Reduce(Reach::All, ReduceOp::$op, x.into_val().ir()))
        }
        #[doc = concat!($words, " over the lanes up to and with each one.")]
        #[track_caller]
        pub fn $inclusive<T: $bound>(x: impl IntoVal<T>) -> Val<T> {
            Val::push(Op::Reduce(Reach::Inclusive, ReduceOp::$op, x.into_val().ir()))
        }
        #[doc = concat!($words, " over the lanes before each one; lane 0 gets the identity.")]
        #[track_caller]
        pub fn $exclusive<T: $bound>(x: impl IntoVal<T>) -> Val<T> {
            Val::push(Op::Reduce(Reach::Exclusive, ReduceOp::$op, x.into_val().ir()))
        }
    )* };
}
reductions! {
    Sum Numeric "Sum": subgroup_sum subgroup_inclusive_sum subgroup_exclusive_sum;
    Prod Numeric "Product": subgroup_prod subgroup_inclusive_prod subgroup_exclusive_prod;
    Min Numeric "Minimum": subgroup_min subgroup_inclusive_min subgroup_exclusive_min;
    Max Numeric "Maximum": subgroup_max subgroup_inclusive_max subgroup_exclusive_max;
    And Bits "Bitwise and": subgroup_and subgroup_inclusive_and subgroup_exclusive_and;
    Or Bits "Bitwise or": subgroup_or subgroup_inclusive_or subgroup_exclusive_or;
    Xor Bits "Bitwise exclusive or": subgroup_xor subgroup_inclusive_xor subgroup_exclusive_xor;
}

/// Thread 0's value for all threads of the group; has the effect of a barrier.
#[track_caller]
pub fn group_broadcast<T: Scalar>(x: impl IntoVal<T>) -> Val<T> {
    Val::push(Op::GroupBroadcast(x.into_val().ir()))
}

/// `a b + c` of small matrices of i8 by the lanes of the subgroup: this lane's words of `a` and `b`, its elements of `c`
/// and its word of places give its elements of the result. `atom` says which they are; sums wrap.
///
/// # Panics
/// On an atom of floats: that is `fast::matrix`.
#[track_caller]
pub fn matrix(
    atom: Atom,
    a: &[Val<u32>],
    b: &[Val<u32>],
    c: &[Val<i32>],
    places: Val<u32>,
) -> Vec<Val<i32>> {
    assert!(!atom.is_float(), "{}: hardware adds floats in its own order", atom.name());
    staged_matrix(atom, a, b, c, places)
}

#[track_caller]
pub(crate) fn staged_matrix<W: Scalar>(
    atom: Atom,
    a: &[Val<u32>],
    b: &[Val<u32>],
    c: &[Val<W>],
    places: Val<u32>,
) -> Vec<Val<W>> {
    let words = a.iter().chain(b).map(|v| v.ir());
    let all = words.chain(c.iter().map(|v| v.ir())).chain([places.ir()]).collect();
    let d = stage::push(Op::Matrix(atom, all), Type::Vector(W::DTYPE, atom.sums() as u8));
    (0..atom.sums() as u8).map(|i| Val::push(Op::Extract(d, i))).collect()
}

/// `sums += a b`, of i8: each lane gives words of its subgroup's 16 rows of `a` and of their places, and has its sums; `tile` is
/// `b`, for all subgroups of the group. `wide` says which they are; sums wrap.
///
/// # Panics
/// On a product of floats: that is `fast::wide_matrix`.
#[track_caller]
pub fn wide_matrix(
    wide: Wide,
    sums: Private<i32>,
    a: &[Val<u32>],
    places: &[Val<u32>],
    tile: Shared<u32>,
) {
    assert!(!wide.is_float(), "{}: hardware adds floats in its own order", wide.name());
    staged_wide(wide, sums, a, places, tile);
}

#[track_caller]
pub(crate) fn staged_wide<W: Scalar>(
    wide: Wide,
    sums: Private<W>,
    a: &[Val<u32>],
    places: &[Val<u32>],
    tile: Shared<u32>,
) {
    let words = a.iter().chain(places).map(|v| v.ir()).collect();
    let [sums, tile] = [array(&sums), array(&tile)];
    stage::push_unit(Op::Wide { wide, sums, tile, words });
}

fn array(handle: &impl Handle) -> Array {
    match handle.place() {
        Place::Array(array) => array,
        Place::Param(_) => unreachable!("shared and private memory is arrays"),
    }
}
