//! Control flow: what the macros turn `if`, `for`, `while`, `loop`, `break`, `continue`, `return`, `&&` and
//! `||` into. Each dispatches on whether its operand is comptime or run-time.
//!
//! Invariants
//! - A comptime condition or range leaves no trace in the IR; a run-time one becomes one construct.
//! - A construct opens its block when it begins and closes it when it ends, so blocks nest as the source does.

mod leave;
mod loops;

pub use leave::{Body, Yield, body, end_thread};
pub use loops::{
    Bounds, ComptimeInt, Counted, Endless, Iterated, StepBy, Unrolled, endless, iterated, range,
    range_inclusive,
};

use crate::{
    build::Builder,
    ir::{Block, Op, Value},
    ops::BinaryOp,
    stage,
    val::{IntoVal, Reg, Scalar, Val, binary},
};

/// What may stand after `if` and `while`.
#[diagnostic::on_unimplemented(
    message = "a condition is a `bool` or a `Val<bool>`, not a `{Self}`",
    label = "no condition"
)]
pub trait Condition {
    /// The open `if`.
    type If;
    /// Begins it.
    fn begin_if(self) -> Self::If;
}

/// `if` on a comptime `bool`: only the taken arm is staged.
#[derive(Debug)]
pub struct ComptimeIf(bool);

impl Condition for bool {
    type If = ComptimeIf;
    fn begin_if(self) -> ComptimeIf {
        ComptimeIf(self)
    }
}

impl ComptimeIf {
    /// Whether to stage the first arm.
    pub fn then(&self) -> bool {
        self.0
    }

    /// Whether to stage the second arm.
    pub fn otherwise(&self) -> bool {
        !self.0
    }

    /// Ends an `if` without `else`.
    pub fn end(self) {}

    /// Ends it with the taken arm's value.
    pub fn join<A>(self, then: Option<A>, other: Option<A>) -> A {
        then.or(other).expect("one arm of an `if` is taken")
    }
}

/// `if` on a `Val<bool>`: both arms are staged.
#[derive(Debug)]
pub struct RuntimeIf(Value);

impl Condition for Val<bool> {
    type If = RuntimeIf;
    #[track_caller]
    fn begin_if(self) -> RuntimeIf {
        RuntimeIf(stage::with(|b| b.begin_if(self.ir())))
    }
}

impl RuntimeIf {
    /// Whether to stage the first arm.
    pub fn then(&self) -> bool {
        true
    }

    /// Whether to stage the second arm, which it begins.
    #[track_caller]
    pub fn otherwise(&self) -> bool {
        stage::with(|b| b.begin_else(self.0));
        true
    }

    /// Ends an `if` without `else`.
    #[track_caller]
    pub fn end(self) {
        stage::with(|b| {
            b.begin_else(self.0);
            b.end_if();
        });
    }

    /// Ends it with the values of both arms, joined through registers.
    #[track_caller]
    pub fn join<A: Join<B>, B>(self, then: Option<A>, other: Option<B>) -> A::Out {
        let arms = stage::with(|b| {
            b.end_if();
            match b.kernel()[self.0].op {
                Op::If { then, other, .. } => Arms { then, other },
                _ => unreachable!("`begin_if` made it an `If`"),
            }
        });
        then.expect("staged").join(other.expect("staged"), arms)
    }
}

/// The bodies of a finished `if`.
#[derive(Clone, Copy, Debug)]
pub struct Arms {
    then: Block,
    other: Block,
}

/// The value of a run-time `if`: that of the arm that ran.
#[diagnostic::on_unimplemented(
    message = "the arms of a run-time `if` yield `{Self}` and `{B}`",
    label = "the arms do not join",
    note = "both arms of a run-time `if` yield run-time values (or numbers) of one dtype, or tuples or arrays of them"
)]
pub trait Join<B> {
    /// The joined value.
    type Out;
    /// Writes the value of each arm at the end of its block, and reads it after both.
    fn join(self, other: B, arms: Arms) -> Self::Out;
}

#[track_caller]
fn join<T: Scalar>(a: impl IntoVal<T>, b: impl IntoVal<T>, arms: Arms) -> Val<T> {
    let reg = Reg::new("join");
    stage::with(|builder| builder.resume(arms.then));
    reg.set(a);
    stage::with(Builder::close_block);
    stage::with(|builder| builder.resume(arms.other));
    reg.set(b);
    stage::with(Builder::close_block);
    reg.get()
}

macro_rules! joins {
    ($($a:ty, $b:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Scalar> Join<$b> for $a {
            type Out = Val<T>;
            #[track_caller]
            fn join(self, other: $b, arms: Arms) -> Val<T> { join(self, other, arms) }
        }
    )* };
}
joins! { Val<T>, Val<T>; Val<T>, T; T, Val<T>; T, T; }

impl Join<()> for () {
    type Out = ();
    fn join(self, (): (), _: Arms) {}
}

macro_rules! join_tuples {
    ($(($($a:ident $b:ident $x:ident $y:ident),*);)*) => { $(
        impl<$($a: Join<$b>, $b),*> Join<($($b,)*)> for ($($a,)*) {
            type Out = ($($a::Out,)*);
            #[track_caller]
            fn join(self, other: ($($b,)*), arms: Arms) -> Self::Out {
                let (($($x,)*), ($($y,)*)) = (self, other);
                ($($x.join($y, arms),)*)
            }
        }
    )* };
}
join_tuples! {
    (A B a b);
    (A B a b, C D c d);
    (A B a b, C D c d, E F e f);
    (A B a b, C D c d, E F e f, G H g h);
}

impl<A: Join<B>, B, const N: usize> Join<[B; N]> for [A; N] {
    type Out = [A::Out; N];
    #[track_caller]
    fn join(self, other: [B; N], arms: Arms) -> [A::Out; N] {
        let _pin = stage::pin();
        let mut other = other.into_iter();
        self.map(|a| a.join(other.next().expect("as many"), arms))
    }
}

/// `a && b` and `a || b`: `b` runs only where `a` does not decide.
#[diagnostic::on_unimplemented(
    message = "`&&` and `||` take `bool` or `Val<bool>`, not `{Self}` and `{B}`",
    label = "no truth value"
)]
pub trait Logic<B> {
    /// `bool`, or `Val<bool>` where a side is a run-time value.
    type Out;
    /// `a && b`.
    fn and(self, b: impl FnOnce() -> B) -> Self::Out;
    /// `a || b`.
    fn or(self, b: impl FnOnce() -> B) -> Self::Out;
}

impl Logic<bool> for bool {
    type Out = bool;
    fn and(self, b: impl FnOnce() -> bool) -> bool {
        self && b()
    }
    fn or(self, b: impl FnOnce() -> bool) -> bool {
        self || b()
    }
}

impl Logic<Val<bool>> for bool {
    type Out = Val<bool>;
    #[track_caller]
    fn and(self, b: impl FnOnce() -> Val<bool>) -> Val<bool> {
        if self { b() } else { false.into_val() }
    }
    #[track_caller]
    fn or(self, b: impl FnOnce() -> Val<bool>) -> Val<bool> {
        if self { true.into_val() } else { b() }
    }
}

impl<B: IntoVal<bool>> Logic<B> for Val<bool> {
    type Out = Val<bool>;
    #[track_caller]
    fn and(self, b: impl FnOnce() -> B) -> Val<bool> {
        short_circuit(self, BinaryOp::And, || b().into_val())
    }
    #[track_caller]
    fn or(self, b: impl FnOnce() -> B) -> Val<bool> {
        short_circuit(self, BinaryOp::Or, || b().into_val())
    }
}

/// Stages `b` under the condition that `a` does not decide. Where `b` turns out to be free of effects and
/// of memory, running it always is the same, and the branch goes.
#[track_caller]
fn short_circuit(a: Val<bool>, op: BinaryOp, b: impl FnOnce() -> Val<bool>) -> Val<bool> {
    let undecided = if op == BinaryOp::And { a } else { !a };
    let branch = undecided.begin_if();
    let b = b();
    let inlined = stage::with(|builder| builder.inline_pure_if(branch.0));
    if inlined {
        return binary(op, a, b);
    }
    branch.otherwise();
    branch.join(Some(b), Some(op == BinaryOp::Or))
}
