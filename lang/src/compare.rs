//! Comparisons: staged for run-time values, Rust's own for comptime ones.
//!
//! Invariants
//! - A comparison with a `Val` on either side is a `Val<bool>`; without one it is a `bool`.
//! - Both sides have one dtype.

use crate::{
    ir::Op,
    ops::CompareOp,
    val::{IntoVal, Numeric, Scalar, Val},
};

#[track_caller]
fn compare<T: Scalar>(op: CompareOp, a: impl IntoVal<T>, b: impl IntoVal<T>) -> Val<bool> {
    let (a, b) = (a.into_val(), b.into_val());
    Val::push(Op::Compare(op, a.ir(), b.ir()))
}

/// Marks comparisons of comptime values. It keeps Rust's own comparisons apart from ours, so that both may
/// be generic.
#[derive(Debug)]
pub enum Comptime {}
/// Marks comparisons of run-time values.
#[derive(Debug)]
pub enum RunTime {}

/// `a == b` and `a != b`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with `{B}`",
    label = "cannot be compared with `{B}`",
    note = "both sides of a comparison have one dtype; convert with `as`"
)]
pub trait Equal<B: ?Sized, When> {
    /// `bool`, or `Val<bool>` where a side is a run-time value.
    type Out;
    /// Whether they are equal (`Eq`) or not (`Ne`).
    fn compare(&self, op: CompareOp, other: &B) -> Self::Out;
}

/// `a < b`, `a <= b`, `a > b` and `a >= b`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be ordered against `{B}`",
    label = "cannot be ordered against `{B}`",
    note = "both sides of a comparison have one integer or float dtype; convert with `as`"
)]
pub trait Order<B: ?Sized, When> {
    /// `bool`, or `Val<bool>` where a side is a run-time value.
    type Out;
    /// The comparison.
    fn compare(&self, op: CompareOp, other: &B) -> Self::Out;
}

#[diagnostic::do_not_recommend]
impl<A: PartialEq<B> + ?Sized, B: ?Sized> Equal<B, Comptime> for A {
    type Out = bool;
    fn compare(&self, op: CompareOp, other: &B) -> bool {
        (self == other) == (op == CompareOp::Eq)
    }
}

#[diagnostic::do_not_recommend]
impl<A: PartialOrd<B> + ?Sized, B: ?Sized> Order<B, Comptime> for A {
    type Out = bool;
    fn compare(&self, op: CompareOp, other: &B) -> bool {
        match op {
            CompareOp::Lt => self < other,
            CompareOp::Le => self <= other,
            CompareOp::Gt => self > other,
            CompareOp::Ge => self >= other,
            CompareOp::Eq => self == other,
            CompareOp::Ne => self != other,
        }
    }
}

macro_rules! run_time {
    ($($trait:ident $bound:ident: $a:ty, $b:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: $bound> $trait<$b, RunTime> for $a {
            type Out = Val<bool>;
            #[track_caller]
            fn compare(&self, op: CompareOp, other: &$b) -> Val<bool> { compare(op, *self, *other) }
        }
    )* };
}
run_time! {
    Equal Scalar: Val<T>, Val<T>;
    Equal Scalar: Val<T>, T;
    Equal Scalar: T, Val<T>;
    Order Numeric: Val<T>, Val<T>;
    Order Numeric: Val<T>, T;
    Order Numeric: T, Val<T>;
}

macro_rules! comparisons {
    ($($(#[doc = $doc:literal])* $name:ident $trait:ident $op:ident;)*) => { $(
        $(#[doc = $doc])*
        #[track_caller]
        pub fn $name<A: $trait<B, When> + ?Sized, B: ?Sized, When>(a: &A, b: &B) -> A::Out {
            a.compare(CompareOp::$op, b)
        }
    )* };
}
comparisons! {
    /// `a == b`.
    eq Equal Eq;
    /// `a != b`.
    ne Equal Ne;
    /// `a < b`.
    lt Order Lt;
    /// `a <= b`.
    le Order Le;
    /// `a > b`.
    gt Order Gt;
    /// `a >= b`.
    ge Order Ge;
}
