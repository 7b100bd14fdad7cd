//! What the macros' output calls. No author writes these names.

pub use crate::{
    cast::cast,
    compare::{eq, ge, gt, le, lt, ne},
    control::*,
    ir::Param,
    launch::Len,
    memory::{load, store},
    registers::{IntoCell, inner, registers, registers_of},
    stage::{kernel, naming, pin},
    val::{Reg, RegType},
};

use crate::{
    ir::{Op, ParamKind},
    stage::{self, StageCause},
    val::{Element, Int, IntoVal, Scalar, Val},
};
use std::{any::type_name, fmt::Debug, fmt::Write as _};

/// Declares a scalar parameter.
#[track_caller]
pub fn scalar<T: Scalar>(name: &str) -> Val<T> {
    stage::reserve(name);
    let param = stage::with(|b| b.param(name, ParamKind::Scalar(T::DTYPE)));
    Val::push(Op::Scalar(param))
}

/// A scalar parameter in a `len`, `shape` or `grid`.
#[must_use]
pub fn len_scalar<T: Int>(param: usize) -> Len {
    Len::Scalar(Param::at(param))
}

/// A buffer or view parameter in a `len`, `shape` or `grid`.
#[derive(Clone, Copy, Debug)]
pub struct LenOf(pub usize);

impl LenOf {
    /// Elements of its buffer.
    #[allow(clippy::len_without_is_empty, reason = "a length expression, no collection")]
    pub fn len(self) -> Len {
        Len::Length(Param::at(self.0))
    }

    /// Extent along an axis.
    pub fn extent(self, axis: u8) -> Len {
        Len::Extent(Param::at(self.0), axis)
    }
}

/// A size of a group along an axis.
pub trait GroupSize {
    /// The number.
    fn wide(self) -> i128;
}
macro_rules! group_sizes {
    ($($t:ty)*) => { $(impl GroupSize for $t { fn wide(self) -> i128 { self as i128 } })* };
}
group_sizes! { i32 u32 u64 usize }

/// `group = ...`: one to three sizes.
#[diagnostic::on_unimplemented(
    message = "`group` is a comptime integer or a tuple of two or three, not `{Self}`",
    label = "no group size"
)]
pub trait Group {
    /// Sizes along x, y, z.
    fn sizes(self) -> [i128; 3];
}
impl<A: GroupSize> Group for A {
    fn sizes(self) -> [i128; 3] {
        [self.wide(), 1, 1]
    }
}
impl<A: GroupSize> Group for (A,) {
    fn sizes(self) -> [i128; 3] {
        [self.0.wide(), 1, 1]
    }
}
impl<A: GroupSize, B: GroupSize> Group for (A, B) {
    fn sizes(self) -> [i128; 3] {
        [self.0.wide(), self.1.wide(), 1]
    }
}
impl<A: GroupSize, B: GroupSize, C: GroupSize> Group for (A, B, C) {
    fn sizes(self) -> [i128; 3] {
        [self.0.wide(), self.1.wide(), self.2.wide()]
    }
}

/// Sets the group size.
#[track_caller]
pub fn group(group: impl Group) {
    let sizes = group.sizes();
    if let Some(&size) = sizes.iter().find(|s| !(1..=1024).contains(*s)) {
        return stage::fault(StageCause::GroupSize { size });
    }
    stage::with(|b| b.kernel_mut().group = sizes.map(|s| s as u32));
}

/// `grid = ...`: one to three numbers of groups.
#[diagnostic::on_unimplemented(
    message = "`grid` is a length expression or a tuple of two or three, not `{Self}`",
    label = "no grid",
    note = "a length expression is over scalar parameters, `x.len()`, `x.extent(i)` and comptime integers"
)]
pub trait Grid {
    /// Groups along x, y, z.
    fn groups(self) -> [Len; 3];
}
impl<A: Into<Len>> Grid for A {
    fn groups(self) -> [Len; 3] {
        [self.into(), 1.into(), 1.into()]
    }
}
macro_rules! grids {
    ($($($a:ident $x:ident)*, [$($one:literal)*];)*) => { $(
        impl<$($a: Into<Len>),*> Grid for ($($a,)*) {
            fn groups(self) -> [Len; 3] {
                let ($($x,)*) = self;
                [$($x.into(),)* $(Len::Const($one)),*]
            }
        }
    )* };
}
grids! { A a, [1 1]; A a B b, [1]; A a B b C c, []; }

/// Sets the grid.
#[track_caller]
pub fn grid(grid: impl Grid) {
    let groups = grid.groups();
    stage::with(|b| b.kernel_mut().grid = groups);
}

/// `assert!` in a body.
#[diagnostic::on_unimplemented(message = "`assert!` takes a `bool` or a `Val<bool>`, not `{Self}`")]
pub trait Claim {
    /// A comptime claim fails staging; a run-time one fails the launch.
    fn claim(self, text: &str);
}
impl Claim for bool {
    #[track_caller]
    fn claim(self, text: &str) {
        if !self {
            stage::fault(StageCause::Assertion { text: text.into() });
        }
    }
}
impl Claim for Val<bool> {
    #[track_caller]
    fn claim(self, text: &str) {
        stage::push_unit(Op::Assert(self.ir(), text.into()));
    }
}

/// `assert!(claim, "text")`.
#[track_caller]
pub fn claim(claim: impl Claim, text: &str) {
    claim.claim(text);
}

/// A value that `debug_print!` prints.
#[track_caller]
pub fn printed<T: Scalar>(x: impl IntoVal<T>) -> crate::ir::Value {
    x.into_val().ir()
}

/// `debug_print!("text {}", a)`.
#[track_caller]
pub fn print(text: &str, values: Vec<crate::ir::Value>) {
    let places = text.matches("{}").count();
    if places != values.len() {
        return stage::fault(StageCause::PrintArity { places, values: values.len() });
    }
    stage::push_unit(Op::Print(text.into(), values));
}

/// Catches a run-time value where only comptime ones make sense.
#[derive(Debug)]
pub struct Probe<'a, T>(pub &'a T);

/// Nothing implements it: its message is what an author sees.
#[diagnostic::on_unimplemented(
    message = "`match` works on comptime values, and this is a run-time `{Self}`",
    label = "known only when the kernel runs",
    note = "use `if` and `else if`, or `select`"
)]
pub trait Comptime {}

impl<T: Scalar> Probe<'_, Val<T>> {
    /// Never holds.
    pub fn comptime_only(&self)
    where
        T: Comptime,
    {
    }
}

/// Everything but `Val` is comptime.
pub trait ProbeAny {
    /// Always holds.
    fn comptime_only(&self);
}
impl<T> ProbeAny for Probe<'_, T> {
    fn comptime_only(&self) {}
}

/// The kernel's name: the function's, its dtypes and its comptime arguments.
#[derive(Debug)]
pub struct Name {
    name: String,
    parts: Vec<String>,
}

impl Name {
    /// The function's name.
    pub fn new(name: &str) -> Name {
        Name { name: name.into(), parts: Vec::new() }
    }

    /// A dtype.
    pub fn dtype<T: Element>(&mut self) {
        self.parts.push(T::DTYPE.name().into());
    }

    /// Any other type: its last word, where it has one.
    pub fn other<T: ?Sized>(&mut self) {
        let path = type_name::<T>().split('<').next().unwrap_or_default();
        let word = path.rsplit("::").next().unwrap_or_default();
        if !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_') {
            self.parts.push(word.into());
        }
    }

    /// A comptime argument as `key=text`, in characters that names may have.
    pub fn argument(&mut self, key: &str, text: Option<String>) {
        // An address of a function differs from run to run, and says nothing.
        let Some(text) = text.filter(|text| !text.contains("0x")) else { return };
        let mut part = format!("{key}=");
        for c in text.chars().take(32) {
            let _ = match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '.' | '-' => part.write_char(c),
                '"' | ' ' => Ok(()),
                _ => part.write_char('_'),
            };
        }
        self.parts.push(part);
    }

    /// The whole.
    pub fn finish(self) -> String {
        if self.parts.is_empty() {
            self.name
        } else {
            format!("{}<{}>", self.name, self.parts.join(","))
        }
    }
}

/// Asks a comptime argument for its text, which a closure does not have.
#[derive(Debug)]
pub struct Text<'a, T>(pub &'a T);

/// The argument has a `Debug` form.
pub trait Shown {
    /// The text.
    fn text(&self) -> Option<String>;
}
impl<T: Debug> Shown for Text<'_, T> {
    fn text(&self) -> Option<String> {
        Some(format!("{:?}", self.0))
    }
}

/// The argument has none.
pub trait Unshown {
    /// Nothing.
    fn text(&self) -> Option<String>;
}
impl<T> Unshown for &Text<'_, T> {
    fn text(&self) -> Option<String> {
        None
    }
}
