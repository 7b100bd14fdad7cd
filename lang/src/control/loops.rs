//! Loops: `for` over ranges and over Rust's iterables, `while` and `loop`.
//!
//! Invariants
//! - A range with comptime bounds and step is unrolled; with a run-time one it is a `For`, or a `Loop` where
//!   it is inclusive.
//! - `leave` and `again` say whether Rust's own `break` or `continue` is to be taken: never for a run-time
//!   loop, and for an unrolled one only where no run-time block has been opened since its round began.

use super::{Condition, RuntimeIf};
use crate::{
    build::Builder,
    dtype::DType,
    ir::{Const, Op, Type, Value},
    ops::{BinaryOp, CompareOp},
    stage::{self, StageCause},
    val::{Int, IntoVal, Reg, Val, binary},
};

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
            b.push(Op::Binary(BinaryOp::Sub, self.end.ir(), now.ir()), Type::Scalar(T::DTYPE))
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
    stage::push(Op::Bitcast(x), Type::Scalar(raw))
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
                let step = Val::push(Op::Const(Const { bits: 1 }));
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

/// A run-time step. `For` counts 0 as 1 (and a device that watches reports it), so a negative one becomes 0;
/// the loop of an inclusive range adds the step itself, and would never end with 0.
#[track_caller]
fn run_time_step<T: Int>(step: Val<T>, inclusive: bool) -> Val<T> {
    if !inclusive && !T::DTYPE.is_signed() {
        return step;
    }
    let least = Val::<T>::push(Op::Const(Const { bits: u64::from(inclusive) }));
    binary(BinaryOp::Max, step, least)
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
        let step = run_time_step(step, self.inclusive);
        Counted { start, end, step, inclusive: self.inclusive, open: None }
    }
}

impl<T: Int> StepBy<Val<T>> for Counted<T> {
    type Loop = Counted<T>;
    #[track_caller]
    fn step_by(self, step: Val<T>) -> Counted<T> {
        Counted { step: run_time_step(step, self.inclusive), ..self }
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
            self.step = Val::push(Op::Const(Const { bits: step as u64 }));
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
