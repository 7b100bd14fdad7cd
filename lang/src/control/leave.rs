//! `return`: of a kernel, and of a device function.
//!
//! Invariants
//! - A device function with `return` runs in a `Scope`; its result goes through registers.

use crate::{
    build::Builder,
    ir::{Op, Value},
    stage,
    val::{Reg, Scalar, Val},
};

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
