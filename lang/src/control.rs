//! Control flow: what the macros turn `if`, `for`, `while`, `loop`, `break`, `continue`, `return`, `&&` and
//! `||` into. Each dispatches on whether its operand is comptime or run-time.
//!
//! Invariants
//! - A comptime condition or range leaves no trace in the IR; a run-time one becomes one construct.
//! - A construct opens its block when it begins and closes it when it ends, so blocks nest as the source does.
//! - Rust's own `break` and `continue` are taken only by unrolled loops, and only where no run-time block
//!   has been opened since the round began.

use crate::{
    build::Builder,
    ir::{Block, Op, Value},
    ops::{BinaryOp, CompareOp},
    stage::{self, StageCause},
    val::{Int, IntoVal, Reg, Scalar, Val, binary},
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

/// A loop that the macros drive: `while let Some(i) = l.next() { body }`.
///
/// `leave` is `break`, `again` is `continue`; true asks for Rust's own.
#[derive(Debug)]
pub struct Unrolled<T> {
    next: Option<T>,
    last: T,
    step: i128,
    inclusive: bool,
    depth: usize,
}

/// Comptime integers that a range may have.
pub trait ComptimeInt: Copy + PartialOrd {
    /// Its value.
    fn wide(self) -> i128;
    /// The integer with this value; `None` where there is none.
    fn narrow(x: i128) -> Option<Self>;
}

macro_rules! comptime_ints {
    ($($t:ty)*) => { $(
        impl ComptimeInt for $t {
            fn wide(self) -> i128 { self as i128 }
            fn narrow(x: i128) -> Option<$t> { <$t>::try_from(x).ok() }
        }
    )* };
}
comptime_ints! { i8 u8 i16 u16 i32 u32 i64 u64 isize usize }

impl<T: ComptimeInt> Unrolled<T> {
    /// The next index.
    #[allow(clippy::should_implement_trait, reason = "the macros call it; it is no iterator")]
    #[track_caller]
    pub fn next(&mut self) -> Option<T> {
        self.depth = stage::with(|b| b.depth());
        let index = self.next?;
        let inside = if self.inclusive { index <= self.last } else { index < self.last };
        if !inside {
            return None;
        }
        self.next = T::narrow(index.wide() + self.step);
        Some(index)
    }
}

impl<T> Unrolled<T> {
    /// `break`.
    #[track_caller]
    pub fn leave(&self) -> bool {
        self.comptime("break")
    }

    /// `continue`.
    #[track_caller]
    pub fn again(&self) -> bool {
        self.comptime("continue")
    }

    #[track_caller]
    fn comptime(&self, word: &'static str) -> bool {
        let here = stage::with(|b| b.depth());
        if here != self.depth {
            stage::fault(StageCause::LeavesUnrolled { word });
        }
        here == self.depth
    }
}

/// Rust's own loop over any other iterable, unrolled: its rounds are not ours to count, so it only knows how
/// deep it began.
#[derive(Debug)]
pub struct Iterated {
    depth: usize,
}

/// Begins a Rust loop.
#[track_caller]
pub fn iterated() -> Iterated {
    Iterated { depth: stage::with(|b| b.depth()) }
}

impl Iterated {
    fn as_unrolled(&self) -> Unrolled<()> {
        Unrolled { next: None, last: (), step: 1, inclusive: false, depth: self.depth }
    }

    /// `break`.
    #[track_caller]
    pub fn leave(&self) -> bool {
        self.as_unrolled().leave()
    }

    /// `continue`.
    #[track_caller]
    pub fn again(&self) -> bool {
        self.as_unrolled().again()
    }
}

/// A `for` over a range with a run-time bound.
#[derive(Debug)]
pub struct Counted<T: Int> {
    start: Val<T>,
    end: Val<T>,
    step: Val<T>,
    inclusive: bool,
    open: Option<Open<T>>,
}

#[derive(Clone, Copy, Debug)]
struct Open<T: Int> {
    /// What `break` leaves.
    outer: Value,
    /// What `continue` leaves (a `Scope`) or goes round (the loop itself).
    round: Value,
    /// The index, and the `If` around the loop, where the range is inclusive.
    inclusive: Option<(Reg<T>, Value)>,
}

impl<T: Int> Counted<T> {
    /// The index, once; then the loop's end.
    #[allow(clippy::should_implement_trait, reason = "the macros call it; it is no iterator")]
    #[track_caller]
    pub fn next(&mut self) -> Option<Val<T>> {
        match self.open {
            None if self.inclusive => Some(self.begin_inclusive()),
            None => {
                let (start, end, step) = (self.start.ir(), self.end.ir(), self.step.ir());
                let outer = stage::with(|b| b.begin_for(start, end, step));
                self.open = Some(Open { outer, round: outer, inclusive: None });
                Some(Val::of(outer))
            }
            Some(Open { outer, inclusive: Some((index, guard)), .. }) => {
                self.end_inclusive(outer, index, guard);
                None
            }
            Some(_) => {
                stage::with(Builder::close_block);
                None
            }
        }
    }

    /// An inclusive end may be the greatest integer, which `For` cannot reach: a loop that asks before it
    /// adds, its body in a scope so that `continue` comes to the question.
    #[track_caller]
    fn begin_inclusive(&mut self) -> Val<T> {
        let runs = crate::compare::le(&self.start, &self.end);
        let guard = runs.begin_if();
        let index = Reg::init("index", self.start);
        let outer = stage::with(Builder::begin_loop);
        let round = stage::with(Builder::begin_scope);
        self.open = Some(Open { outer, round, inclusive: Some((index, guard.0)) });
        index.get()
    }

    #[track_caller]
    fn end_inclusive(&self, outer: Value, index: Reg<T>, guard: Value) {
        stage::with(Builder::close_block);
        // The distance to the end as an unsigned number, whatever the sign of either.
        let now = index.get();
        let left = stage::with(|b| {
            b.push(
                Op::Binary(BinaryOp::Sub, self.end.ir(), now.ir()),
                crate::ir::Type::Scalar(T::DTYPE),
            )
        });
        let (left, step) = (unsigned::<T>(left), unsigned::<T>(self.step.ir()));
        let last = Val::<bool>::push(Op::Compare(CompareOp::Lt, left, step)).begin_if();
        stage::push_unit(Op::Break(outer));
        last.end();
        index.set(now + self.step);
        stage::with(Builder::close_block);
        RuntimeIf(guard).end();
    }

    /// `break`.
    #[track_caller]
    pub fn leave(&self) -> bool {
        if let Some(open) = self.open {
            stage::push_unit(Op::Break(open.outer));
        }
        false
    }

    /// `continue`.
    #[track_caller]
    pub fn again(&self) -> bool {
        match self.open {
            Some(Open { round, inclusive: Some(_), .. }) => stage::push_unit(Op::Break(round)),
            Some(Open { round, inclusive: None, .. }) => stage::push_unit(Op::Continue(round)),
            None => {}
        }
        false
    }
}

/// The same bits as the unsigned dtype of the width.
#[track_caller]
fn unsigned<T: Int>(x: Value) -> Value {
    use crate::dtype::DType;
    let raw = match T::DTYPE {
        DType::I8 => DType::U8,
        DType::I16 => DType::U16,
        DType::I32 => DType::U32,
        DType::I64 => DType::U64,
        other => {
            return {
                debug_assert!(!other.is_signed());
                x
            };
        }
    };
    stage::push(Op::Bitcast(x), crate::ir::Type::Scalar(raw))
}

/// The bounds of a `for`.
#[diagnostic::on_unimplemented(
    message = "`{Self}..{B}` is no range of a `for`",
    label = "the bounds do not fit together",
    note = "both bounds are integers of one dtype, run-time or comptime; convert with `as`"
)]
pub trait Bounds<B>: Sized {
    /// `Unrolled` or `Counted`.
    type Loop;
    /// The loop over `self..end` or `self..=end`.
    fn range(self, end: B, inclusive: bool) -> Self::Loop;
}

impl<T: ComptimeInt> Bounds<T> for T {
    type Loop = Unrolled<T>;
    fn range(self, end: T, inclusive: bool) -> Unrolled<T> {
        Unrolled { next: Some(self), last: end, step: 1, inclusive, depth: 0 }
    }
}

macro_rules! bounds {
    ($($a:ty, $b:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Int> Bounds<$b> for $a {
            type Loop = Counted<T>;
            #[track_caller]
            fn range(self, end: $b, inclusive: bool) -> Counted<T> {
                let (start, end) = (self.into_val(), end.into_val());
                let step = Val::push(Op::Const(crate::ir::Const { bits: 1 }));
                Counted { start, end, step, inclusive, open: None }
            }
        }
    )* };
}
bounds! { Val<T>, Val<T>; Val<T>, T; T, Val<T>; }

/// `start..end`.
#[track_caller]
pub fn range<A: Bounds<B>, B>(start: A, end: B) -> A::Loop {
    start.range(end, false)
}

/// `start..=end`.
#[track_caller]
pub fn range_inclusive<A: Bounds<B>, B>(start: A, end: B) -> A::Loop {
    start.range(end, true)
}

/// `.step_by(s)` of a range.
#[diagnostic::on_unimplemented(
    message = "`{S}` is no step of this range",
    label = "no step",
    note = "a step has the dtype of the range, or is a comptime usize or u32"
)]
pub trait StepBy<S> {
    /// The loop with this step.
    type Loop;
    /// The loop with this step.
    fn step_by(self, step: S) -> Self::Loop;
}

impl<T: ComptimeInt, S: ComptimeInt> StepBy<S> for Unrolled<T> {
    type Loop = Unrolled<T>;
    #[track_caller]
    fn step_by(mut self, step: S) -> Unrolled<T> {
        self.step = step.wide();
        if self.step < 1 {
            stage::fault(StageCause::Step { step: self.step });
            self.next = None;
        }
        self
    }
}

impl<T: Int + ComptimeInt> StepBy<Val<T>> for Unrolled<T> {
    type Loop = Counted<T>;
    #[track_caller]
    fn step_by(self, step: Val<T>) -> Counted<T> {
        let start = self.next.unwrap_or(self.last).into_val();
        let end = self.last.into_val();
        Counted { start, end, step, inclusive: self.inclusive, open: None }
    }
}

impl<T: Int> StepBy<Val<T>> for Counted<T> {
    type Loop = Counted<T>;
    fn step_by(self, step: Val<T>) -> Counted<T> {
        Counted { step, ..self }
    }
}

impl<T: Int, S: ComptimeInt> StepBy<S> for Counted<T> {
    type Loop = Counted<T>;
    #[track_caller]
    fn step_by(mut self, step: S) -> Counted<T> {
        let step = step.wide();
        let fits =
            step >= 1 && T::nearest(step as f64).is_some_and(|s| s.const_bits() as i128 == step);
        if fits {
            self.step = Val::push(Op::Const(crate::ir::Const { bits: step as u64 }));
        } else {
            stage::fault(StageCause::Step { step });
        }
        self
    }
}

/// `while` and `loop`.
#[derive(Debug)]
pub struct Endless {
    value: Value,
    rounds: u32,
}

/// Begins a `loop`.
#[track_caller]
pub fn endless() -> Endless {
    Endless { value: stage::with(Builder::begin_loop), rounds: 0 }
}

impl Endless {
    /// Some once; then the loop's end.
    #[allow(clippy::should_implement_trait, reason = "the macros call it; it is no iterator")]
    #[track_caller]
    pub fn next(&mut self) -> Option<()> {
        self.rounds += 1;
        if self.rounds > 1 {
            stage::with(Builder::close_block);
            return None;
        }
        Some(())
    }

    /// Leaves a `while` where its condition is false.
    #[track_caller]
    pub fn test(&self, condition: impl IntoVal<bool>) {
        let done = (!condition.into_val()).begin_if();
        self.leave();
        done.end();
    }

    /// `break`.
    #[track_caller]
    pub fn leave(&self) -> bool {
        stage::push_unit(Op::Break(self.value));
        false
    }

    /// `continue`.
    #[track_caller]
    pub fn again(&self) -> bool {
        stage::push_unit(Op::Continue(self.value));
        false
    }
}

/// `return` of a kernel.
#[track_caller]
pub fn end_thread() {
    stage::push_unit(Op::Return);
}

/// What a device function with `return` may yield.
#[diagnostic::on_unimplemented(
    message = "a #[device] function with `return` cannot yield `{Self}`",
    label = "no run-time value",
    note = "it yields `Val`s, tuples or arrays of them, or nothing"
)]
pub trait Yield: Copy {
    /// Registers that hold it.
    type Regs: Copy;
    /// New registers.
    fn regs() -> Self::Regs;
    /// Fills them.
    fn set(self, regs: Self::Regs);
    /// Reads them.
    fn get(regs: Self::Regs) -> Self;
}

impl Yield for () {
    type Regs = ();
    fn regs() {}
    fn set(self, (): ()) {}
    fn get((): ()) {}
}

impl<T: Scalar> Yield for Val<T> {
    type Regs = Reg<T>;
    #[track_caller]
    fn regs() -> Reg<T> {
        Reg::new("result")
    }
    #[track_caller]
    fn set(self, regs: Reg<T>) {
        regs.set(self);
    }
    #[track_caller]
    fn get(regs: Reg<T>) -> Val<T> {
        regs.get()
    }
}

macro_rules! yield_tuples {
    ($(($($a:ident $x:ident $r:ident),*);)*) => { $(
        impl<$($a: Yield),*> Yield for ($($a,)*) {
            type Regs = ($($a::Regs,)*);
            #[track_caller]
            fn regs() -> Self::Regs { ($($a::regs(),)*) }
            #[track_caller]
            fn set(self, ($($r,)*): Self::Regs) { let ($($x,)*) = self; $($x.set($r);)* }
            #[track_caller]
            fn get(($($r,)*): Self::Regs) -> Self { ($($a::get($r),)*) }
        }
    )* };
}
yield_tuples! { (A a p); (A a p, B b q); (A a p, B b q, C c r); (A a p, B b q, C c r, D d s); }

impl<A: Yield, const N: usize> Yield for [A; N] {
    type Regs = [A::Regs; N];
    #[track_caller]
    fn regs() -> Self::Regs {
        let _pin = stage::pin();
        std::array::from_fn(|_| A::regs())
    }
    #[track_caller]
    fn set(self, regs: Self::Regs) {
        for (a, r) in self.into_iter().zip(regs) {
            a.set(r);
        }
    }
    #[track_caller]
    fn get(regs: Self::Regs) -> Self {
        let _pin = stage::pin();
        regs.map(|r| A::get(r))
    }
}

/// The body of a device function with `return`.
#[derive(Debug)]
pub struct Body<R: Yield> {
    scope: Value,
    regs: R::Regs,
}

/// Begins it.
#[track_caller]
pub fn body<R: Yield>() -> Body<R> {
    let regs = R::regs();
    Body { scope: stage::with(Builder::begin_scope), regs }
}

impl<R: Yield> Body<R> {
    /// `return result`.
    #[track_caller]
    pub fn leave(&self, result: R) {
        result.set(self.regs);
        stage::push_unit(Op::Break(self.scope));
    }

    /// Ends it with the value of its last expression.
    #[track_caller]
    pub fn end(self, result: R) -> R {
        result.set(self.regs);
        stage::with(Builder::close_block);
        R::get(self.regs)
    }
}
