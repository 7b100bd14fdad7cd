//! Arrays of registers: what `let mut acc = [0.0f32; 8]` declares.
//!
//! Invariants
//! - Each element is a register of its own, so an index is comptime; `private` arrays take run-time ones.

use crate::{
    memory::{Elems, IndexLoad, IndexStore},
    stage::{self, StageCause},
    val::{IntoVal, Reg, Scalar, Val},
};

/// A register, or an array of cells.
pub trait Cell: Copy {
    /// `Val`, or an array of values.
    type Value;
    /// Its value.
    fn get(&self) -> Self::Value;
}

impl<T: Scalar> Cell for Reg<T> {
    type Value = Val<T>;
    #[track_caller]
    fn get(&self) -> Val<T> {
        Reg::get(self)
    }
}

/// An array of registers, or of arrays of them.
#[derive(Clone, Copy, Debug)]
pub struct RegArray<C, const N: usize> {
    cells: [C; N],
}

impl<C: Cell, const N: usize> RegArray<C, N> {
    /// All values.
    #[track_caller]
    pub fn get(&self) -> [C::Value; N] {
        let _pin = stage::pin();
        self.cells.map(|c| c.get())
    }

    /// Gives every element a value.
    #[track_caller]
    pub fn set<V>(&self, values: [V; N])
    where
        C: CellFrom<V>,
    {
        for (cell, value) in self.cells.iter().zip(values) {
            cell.fill(value);
        }
    }

    #[track_caller]
    fn cell(&self, index: impl Elems) -> &C {
        let wide = index.wide();
        let found = usize::try_from(wide).ok().and_then(|i| self.cells.get(i));
        if found.is_none() {
            stage::fault(match u64::try_from(wide) {
                Ok(index) => StageCause::PastEnd { name: "array".into(), index, elems: N as u64 },
                Err(_) => StageCause::NegativeIndex { index: wide },
            });
        }
        found.or(self.cells.first()).expect("an array of registers has elements")
    }
}

impl<C: Cell, const N: usize> Cell for RegArray<C, N> {
    type Value = [C::Value; N];
    #[track_caller]
    fn get(&self) -> [C::Value; N] {
        RegArray::get(self)
    }
}

/// What `let mut x = [...]` may hold.
#[diagnostic::on_unimplemented(
    message = "`let mut` of an array declares registers, and `{Self}` is no value dtype",
    label = "no run-time value",
    note = "comptime arrays do not change: leave out `mut`"
)]
pub trait IntoCell {
    /// `Reg`, or an array of cells.
    type Cell: Cell;
    /// Declares it with a first value.
    fn into_cell(self, name: &str) -> Self::Cell;
}

impl<T: Scalar> IntoCell for T {
    type Cell = Reg<T>;
    #[track_caller]
    fn into_cell(self, name: &str) -> Reg<T> {
        Reg::init(name, self)
    }
}

impl<T: Scalar> IntoCell for Val<T> {
    type Cell = Reg<T>;
    #[track_caller]
    fn into_cell(self, name: &str) -> Reg<T> {
        Reg::init(name, self)
    }
}

impl<A: IntoCell, const N: usize> IntoCell for [A; N] {
    type Cell = RegArray<A::Cell, N>;
    #[track_caller]
    fn into_cell(self, name: &str) -> RegArray<A::Cell, N> {
        const { assert!(N > 0, "an array of registers has elements") };
        let _pin = stage::pin();
        RegArray { cells: self.map(|a| a.into_cell(name)) }
    }
}

/// A cell that a `V` can fill.
#[diagnostic::on_unimplemented(
    message = "a `{V}` does not fill `{Self}`",
    label = "another dtype or length"
)]
pub trait CellFrom<V>: Cell {
    /// Declares it.
    fn declare(name: &str, value: V) -> Self;
    /// Gives it a value.
    fn fill(&self, value: V);
}

impl<T: Scalar, V: IntoVal<T>> CellFrom<V> for Reg<T> {
    #[track_caller]
    fn declare(name: &str, value: V) -> Reg<T> {
        Reg::init(name, value)
    }
    #[track_caller]
    fn fill(&self, value: V) {
        self.set(value);
    }
}

impl<C: CellFrom<V>, V, const N: usize> CellFrom<[V; N]> for RegArray<C, N> {
    #[track_caller]
    fn declare(name: &str, values: [V; N]) -> RegArray<C, N> {
        let _pin = stage::pin();
        RegArray { cells: values.map(|v| C::declare(name, v)) }
    }
    #[track_caller]
    fn fill(&self, values: [V; N]) {
        self.set(values);
    }
}

/// `let mut x = [...]`.
#[track_caller]
pub fn registers<V: IntoCell>(name: &str, value: V) -> V::Cell {
    value.into_cell(name)
}

/// `let mut x: ty = [...]`.
#[track_caller]
pub fn registers_of<C: CellFrom<V>, V>(name: &str, value: V) -> C {
    C::declare(name, value)
}

/// One row of an array of arrays.
#[track_caller]
pub fn inner<C: Cell, const N: usize>(array: &RegArray<C, N>, index: impl Elems) -> &C {
    array.cell(index)
}

impl<C: Cell, I: Elems, const N: usize> IndexLoad<I> for RegArray<C, N> {
    type Out = C::Value;
    #[track_caller]
    fn load(&self, index: I) -> C::Value {
        self.cell(index).get()
    }
}

impl<T: Scalar, I: Elems, const N: usize> IndexStore<I> for RegArray<Reg<T>, N> {
    type In = T;
    #[track_caller]
    fn store(&self, index: I, value: Val<T>) {
        self.cell(index).set(value);
    }
}
