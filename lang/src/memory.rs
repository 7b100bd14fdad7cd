//! Memory as authors see it: buffers, views, shared and private arrays, and what `x[i]` means on each.
//!
//! Invariants
//! - A handle is `Copy` and names a parameter or an array of the kernel being staged.
//! - What may be read implements `IndexLoad`, what may be written `IndexStore`: reading an `Out` or writing
//!   an `In` is a type error.
//! - The index of a view becomes `offset + sum(index * stride)` in `u64`.
//!
//! Absent: bounds checks. An index out of bounds is an error of the launch, found by the device.

use crate::{
    dtype::DType,
    ir::{self, Access, Const, Op, ParamKind, Place, Space, Type, Value},
    launch::Len,
    ops::AtomicOp,
    stage::{self, StageCause},
    val::{self, Element, IntoVal, Scalar, Val},
};
use std::{fmt, marker::PhantomData};

/// A buffer, view or array whose elements have a place in memory.
pub trait Handle {
    /// The elements.
    type Elem: Element;
    /// The memory.
    fn place(&self) -> Place;
}

impl<H: Handle> Handle for &H {
    type Elem = H::Elem;
    fn place(&self) -> Place {
        H::place(self)
    }
}
impl<H: Handle> Handle for &mut H {
    type Elem = H::Elem;
    fn place(&self) -> Place {
        H::place(self)
    }
}

macro_rules! handles {
    ($($(#[doc = $doc:literal])* $name:ident [$($rank:tt)*] [$($args:tt)*] $field:ident: $ty:ty;)*) => { $(
        $(#[doc = $doc])*
        pub struct $name<T: Element $($rank)*> {
            $field: $ty,
            elem: PhantomData<T>,
        }
        impl<T: Element $($rank)*> Clone for $name<T $($args)*> {
            fn clone(&self) -> Self { *self }
        }
        impl<T: Element $($rank)*> Copy for $name<T $($args)*> {}
        impl<T: Element $($rank)*> fmt::Debug for $name<T $($args)*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {} of {}", stringify!($name), self.$field.index(), T::DTYPE)
            }
        }
    )* };
}
handles! {
    /// A contiguous buffer that is only read.
    In [] [] param: ir::Param;
    /// A contiguous buffer that is only written.
    Out [] [] param: ir::Param;
    /// A contiguous buffer that is read and written.
    InOut [] [] param: ir::Param;
    /// A strided view of rank `R` that is only read.
    InView [, const R: usize] [, R] param: ir::Param;
    /// A strided view of rank `R` that is only written.
    OutView [, const R: usize] [, R] param: ir::Param;
    /// A strided view of rank `R` that is read and written.
    InOutView [, const R: usize] [, R] param: ir::Param;
    /// An array of the group. Undefined until written.
    Shared [] [] array: ir::Array;
    /// An array of each thread. Undefined until written.
    Private [] [] array: ir::Array;
}

macro_rules! buffers {
    ($($name:ident $access:ident;)*) => { $(
        impl<T: Element> Handle for $name<T> {
            type Elem = T;
            fn place(&self) -> Place { Place::Param(self.param) }
        }
        impl<T: Element> $name<T> {
            /// Declares the parameter.
            #[doc(hidden)]
            #[track_caller]
            pub fn declare(name: &str, len: impl Into<Len>) -> Self {
                let len = len.into();
                stage::reserve(name);
                let kind = ParamKind::Buffer { dtype: T::DTYPE, access: Access::$access, len };
                $name { param: stage::with(|b| b.param(name, kind)), elem: PhantomData }
            }

            /// Elements of the buffer, which may be more than `#[len]` asks for.
            #[track_caller]
            pub fn len(&self) -> Val<u64> { Val::push(Op::Length(self.param)) }

            /// Whether the buffer has no elements.
            #[track_caller]
            pub fn is_empty(&self) -> Val<bool> { crate::compare::eq(&self.len(), &0) }
        }
    )* };
}
buffers! { In In; Out Out; InOut InOut; }

macro_rules! views {
    ($($name:ident $access:ident;)*) => { $(
        impl<T: Element, const R: usize> Handle for $name<T, R> {
            type Elem = T;
            fn place(&self) -> Place { Place::Param(self.param) }
        }
        impl<T: Element, const R: usize> $name<T, R> {
            /// Declares the parameter.
            #[doc(hidden)]
            #[track_caller]
            pub fn declare(name: &str, shape: [Len; R]) -> Self {
                const { assert!(1 <= R && R <= ir::MAX_RANK, "a view has rank 1 to 8") };
                stage::reserve(name);
                let kind = ParamKind::View { dtype: T::DTYPE, access: Access::$access, shape: shape.into() };
                $name { param: stage::with(|b| b.param(name, kind)), elem: PhantomData }
            }

            /// Extent along an axis.
            #[track_caller]
            pub fn extent(&self, axis: usize) -> Val<u32> { Val::push(Op::Extent(self.param, checked_axis::<R>(axis))) }

            /// Distance of neighbours along an axis, in elements of the buffer.
            #[track_caller]
            pub fn stride(&self, axis: usize) -> Val<u64> { Val::push(Op::Stride(self.param, checked_axis::<R>(axis))) }

            /// Element of the buffer where the view starts.
            #[track_caller]
            pub fn offset(&self) -> Val<u64> { Val::push(Op::Offset(self.param)) }
        }
        impl<T: Element, I: ViewIndex<R>, const R: usize> At<I> for $name<T, R> {
            #[track_caller]
            fn at(&self, index: I) -> Value {
                let mut at = self.offset();
                for (axis, i) in index.indices().into_iter().enumerate() {
                    if let Some(i) = i {
                        at = at + i * self.stride(axis);
                    }
                }
                at.ir()
            }
        }
    )* };
}
views! { InView In; OutView Out; InOutView InOut; }

#[track_caller]
fn checked_axis<const R: usize>(axis: usize) -> u8 {
    if axis >= R {
        stage::fault(StageCause::Axis { axis, rank: R });
        return 0;
    }
    axis as u8
}

macro_rules! arrays {
    ($($name:ident $space:ident;)*) => { $(
        impl<T: Scalar> Handle for $name<T> {
            type Elem = T;
            fn place(&self) -> Place { Place::Array(self.array) }
        }
        impl<T: Scalar> $name<T> {
            #[track_caller]
            fn declare(elems: impl Elems) -> Self {
                let elems = match u32::try_from(elems.wide()) {
                    Ok(elems) if elems > 0 => elems,
                    _ => {
                        stage::fault(StageCause::ArrayElems { elems: elems.wide() });
                        1
                    }
                };
                let name = stage::array_name(&stringify!($space).to_lowercase());
                let array = stage::with(|b| b.array(name, Space::$space, T::DTYPE, elems));
                $name { array, elem: PhantomData }
            }
        }
    )* };
}
arrays! { Shared Shared; Private Private; }

/// How many elements an array has: a comptime integer.
#[diagnostic::on_unimplemented(
    message = "the elements of an array are a comptime u32 or usize, not `{Self}`",
    label = "no comptime integer"
)]
pub trait Elems: Copy {
    /// The number.
    fn wide(self) -> i128;
}
macro_rules! elems {
    ($($t:ty)*) => { $(impl Elems for $t { fn wide(self) -> i128 { self as i128 } })* };
}
elems! { u32 usize i32 u64 }

/// An array of the group with `elems` elements. Undefined until written; `barrier()` makes writes visible.
#[track_caller]
pub fn shared<T: Scalar>(elems: impl Elems) -> Shared<T> {
    Shared::declare(elems)
}

/// An array of each thread with `elems` elements. Undefined until written.
#[track_caller]
pub fn private<T: Scalar>(elems: impl Elems) -> Private<T> {
    Private::declare(elems)
}

/// One index of a buffer or array.
#[diagnostic::on_unimplemented(
    message = "an index is a `u32` or a `u64`, not a `{Self}`",
    label = "no index",
    note = "convert with `as u32` or `as u64`; a view takes one index an axis: `x[[i, j]]`"
)]
pub trait Index: Copy {
    /// A `u32` or `u64` value.
    fn index(self) -> Value;
    /// As a `u64`; `None` for a comptime 0.
    fn index_u64(self) -> Option<Val<u64>>;
    /// The comptime index.
    fn known(self) -> Option<u64>;
}

impl Index for Val<u32> {
    fn index(self) -> Value {
        self.ir()
    }
    #[track_caller]
    fn index_u64(self) -> Option<Val<u64>> {
        Some(crate::cast::convert(self))
    }
    fn known(self) -> Option<u64> {
        None
    }
}

impl Index for Val<u64> {
    fn index(self) -> Value {
        self.ir()
    }
    fn index_u64(self) -> Option<Val<u64>> {
        Some(self)
    }
    fn known(self) -> Option<u64> {
        None
    }
}

macro_rules! comptime_index {
    ($($t:ty)*) => { $(
        impl Index for $t {
            #[track_caller]
            fn index(self) -> Value { constant(checked_index(self as i128)) }
            #[track_caller]
            fn index_u64(self) -> Option<Val<u64>> {
                let index = checked_index(self as i128);
                if index == 0 { None } else { Some(val::val(index)) }
            }
            fn known(self) -> Option<u64> { u64::try_from(self).ok() }
        }
    )* };
}
comptime_index! { i32 u32 u64 usize }

#[track_caller]
fn checked_index(index: i128) -> u64 {
    let Ok(at) = u64::try_from(index) else {
        stage::fault(StageCause::NegativeIndex { index });
        return 0;
    };
    at
}

#[track_caller]
fn constant(bits: u64) -> Value {
    let dtype = if u32::try_from(bits).is_ok() { DType::U32 } else { DType::U64 };
    stage::push(Op::Const(Const { bits }), Type::Scalar(dtype))
}

/// The index of a view: one index an axis.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no index of a view of rank {R}",
    label = "not {R} indices",
    note = "a view of rank {R} takes {R} indices, each u32 or u64: `x[[i, j]]` for rank 2"
)]
pub trait ViewIndex<const R: usize>: Copy {
    /// Each index; `None` for a comptime 0.
    fn indices(self) -> [Option<Val<u64>>; R];
}

impl<I: Index, const R: usize> ViewIndex<R> for [I; R] {
    #[track_caller]
    fn indices(self) -> [Option<Val<u64>>; R] {
        let _pin = stage::pin();
        self.map(|i| i.index_u64())
    }
}

macro_rules! tuple_index {
    ($($rank:literal: $($i:ident $x:ident),*;)*) => { $(
        impl<$($i: Index),*> ViewIndex<$rank> for ($($i,)*) {
            #[track_caller]
            fn indices(self) -> [Option<Val<u64>>; $rank] {
                let ($($x,)*) = self;
                [$($x.index_u64()),*]
            }
        }
    )* };
}
tuple_index! {
    1: A a;
    2: A a, B b;
    3: A a, B b, C c;
    4: A a, B b, C c, D d;
    5: A a, B b, C c, D d, E e;
    6: A a, B b, C c, D d, E e, F f;
    7: A a, B b, C c, D d, E e, F f, G g;
    8: A a, B b, C c, D d, E e, F f, G g, H h;
}

/// Memory with an element at `I`.
pub trait At<I> {
    /// The element's index in its buffer or array.
    fn at(&self, index: I) -> Value;
}

macro_rules! at_buffers {
    ($($name:ident)*) => { $(
        impl<T: Element, I: Index> At<I> for $name<T> {
            #[track_caller]
            fn at(&self, index: I) -> Value { index.index() }
        }
    )* };
}
at_buffers! { In Out InOut }

macro_rules! at_arrays {
    ($($name:ident)*) => { $(
        impl<T: Scalar, I: Index> At<I> for $name<T> {
            #[track_caller]
            fn at(&self, index: I) -> Value {
                let (elems, name) = stage::with(|b| {
                    let array = &b.kernel().arrays[self.array.index()];
                    (u64::from(array.elems), array.name.clone())
                });
                if let Some(index) = index.known() && index >= elems {
                    stage::fault(StageCause::PastEnd { name, index, elems });
                }
                index.index()
            }
        }
    )* };
}
at_arrays! { Shared Private }

/// What `x[i]` reads.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read at `{I}`",
    label = "cannot be read like this",
    note = "`In`, `InOut`, shared and private arrays take a u32 or u64: `x[i]`; views take one an axis: `x[[i, j]]`; an `Out` is never read; Rust's own arrays, slices and Vecs take a comptime usize"
)]
pub trait IndexLoad<I> {
    /// `Val` of the element's value dtype, or a comptime element.
    type Out;
    /// The element.
    fn load(&self, index: I) -> Self::Out;
}

/// What `x[i] = v` writes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written at `{I}`",
    label = "cannot be written like this",
    note = "`Out`, `InOut`, shared and private arrays take a u32 or u64: `x[i] = v`; views take one an axis: `x[[i, j]] = v`; an `In` is never written"
)]
pub trait IndexStore<I> {
    /// The dtype of what is written.
    type In: Scalar;
    /// Writes the element.
    fn store(&self, index: I, value: Val<Self::In>);
}

#[track_caller]
fn load_at<T: Element>(place: Place, index: Value) -> Val<T::Value> {
    Val::push(Op::Load(place, index))
}

#[track_caller]
fn store_at<V: Scalar>(place: Place, index: Value, value: Val<V>) {
    stage::push_unit(Op::Store(place, index, value.ir()));
}

macro_rules! loads {
    ($($elem:ident [$($rank:tt)*] $name:ty;)*) => { $(
        impl<T: $elem, I $($rank)*> IndexLoad<I> for $name where $name: At<I> + Handle<Elem = T> {
            type Out = Val<T::Value>;
            #[track_caller]
            fn load(&self, index: I) -> Val<T::Value> {
                load_at::<T>(self.place(), self.at(index))
            }
        }
    )* };
}
loads! {
    Element [] In<T>;
    Element [] InOut<T>;
    Element [, const R: usize] InView<T, R>;
    Element [, const R: usize] InOutView<T, R>;
    Scalar [] Shared<T>;
    Scalar [] Private<T>;
}

macro_rules! stores {
    ($($elem:ident [$($rank:tt)*] $name:ty;)*) => { $(
        impl<T: $elem, I $($rank)*> IndexStore<I> for $name where $name: At<I> + Handle<Elem = T> {
            type In = T::Value;
            #[track_caller]
            fn store(&self, index: I, value: Val<T::Value>) {
                store_at(self.place(), self.at(index), value);
            }
        }
    )* };
}
stores! {
    Element [] Out<T>;
    Element [] InOut<T>;
    Element [, const R: usize] OutView<T, R>;
    Element [, const R: usize] InOutView<T, R>;
    Scalar [] Shared<T>;
    Scalar [] Private<T>;
}

macro_rules! through_references {
    ($($reference:ty),*) => { $(
        impl<X: IndexLoad<I> + ?Sized, I> IndexLoad<I> for $reference {
            type Out = X::Out;
            #[track_caller]
            fn load(&self, index: I) -> X::Out { X::load(self, index) }
        }
        impl<X: IndexStore<I> + ?Sized, I> IndexStore<I> for $reference {
            type In = X::In;
            #[track_caller]
            fn store(&self, index: I, value: Val<X::In>) { X::store(self, index, value) }
        }
    )* };
}
through_references! { &X, &mut X }

macro_rules! comptime_collections {
    ($([$($generics:tt)*] $name:ty;)*) => { $(
        impl<$($generics)*> IndexLoad<usize> for $name {
            type Out = T;
            #[track_caller]
            fn load(&self, index: usize) -> T { self[index].clone() }
        }
        comptime_collections! { @ [$($generics)*] $name: Range RangeFrom RangeTo RangeInclusive }
    )* };
    (@ [$($generics:tt)*] $name:ty: $range:ident $($rest:ident)*) => {
        impl<$($generics)*> IndexLoad<std::ops::$range<usize>> for $name {
            type Out = Vec<T>;
            #[track_caller]
            fn load(&self, index: std::ops::$range<usize>) -> Vec<T> { self[index].to_vec() }
        }
        comptime_collections! { @ [$($generics)*] $name: $($rest)* }
    };
    (@ [$($generics:tt)*] $name:ty:) => {};
}
comptime_collections! { [T: Clone] [T]; [T: Clone] Vec<T>; [T: Clone, const N: usize] [T; N]; }

/// `x[i]` as a value.
#[track_caller]
pub fn load<X: IndexLoad<I> + ?Sized, I>(x: &X, index: I) -> X::Out {
    x.load(index)
}

/// `x[i] = value`.
#[track_caller]
pub fn store<X: IndexStore<I> + ?Sized, I>(x: &X, index: I, value: impl IntoVal<X::In>) {
    x.store(index, value.into_val());
}

/// Memory that atomics may update: `Out`, `InOut` and shared arrays.
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no atomics",
    label = "no atomics here",
    note = "atomics update an `InOut` buffer or view, or a shared array, of i32, u32, i64 or u64"
)]
pub trait AtomicPlace {}
impl<T: Element> AtomicPlace for InOut<T> {}
impl<T: Element, const R: usize> AtomicPlace for InOutView<T, R> {}
impl<T: Element> AtomicPlace for Shared<T> {}
impl<H: AtomicPlace> AtomicPlace for &H {}
impl<H: AtomicPlace> AtomicPlace for &mut H {}

impl<X: At<I>, I> At<I> for &X {
    #[track_caller]
    fn at(&self, index: I) -> Value {
        X::at(self, index)
    }
}
impl<X: At<I>, I> At<I> for &mut X {
    #[track_caller]
    fn at(&self, index: I) -> Value {
        X::at(self, index)
    }
}

#[track_caller]
fn atomic<T: val::Atomic, H, I>(op: AtomicOp, x: &H, index: I, operand: impl IntoVal<T>) -> Val<T>
where
    H: Handle<Elem = T> + AtomicPlace + At<I>,
{
    let at = x.at(index);
    let operand = operand.into_val();
    Val::push(Op::Atomic(op, x.place(), at, operand.ir()))
}

macro_rules! atomics {
    ($($(#[doc = $doc:literal])* $name:ident $op:ident;)*) => { $(
        $(#[doc = $doc])*
        #[track_caller]
        pub fn $name<T: val::Atomic, H, I>(x: &H, index: I, operand: impl IntoVal<T>) -> Val<T>
        where
            H: Handle<Elem = T> + AtomicPlace + At<I>,
        {
            atomic(AtomicOp::$op, x, index, operand)
        }
    )* };
}
atomics! {
    /// Adds to an element, wrapping; yields the value before.
    atomic_add Add;
    /// Lowers an element to a minimum; yields the value before.
    atomic_min Min;
    /// Raises an element to a maximum; yields the value before.
    atomic_max Max;
    /// Bitwise and; yields the value before.
    atomic_and And;
    /// Bitwise or; yields the value before.
    atomic_or Or;
    /// Bitwise exclusive or; yields the value before.
    atomic_xor Xor;
    /// Replaces an element; yields the value before.
    atomic_exchange Exchange;
}

/// Replaces an element by `value` where it equals `expected`; yields the value before.
#[track_caller]
pub fn compare_exchange<T: val::Atomic, H, I>(
    x: &H,
    index: I,
    expected: impl IntoVal<T>,
    value: impl IntoVal<T>,
) -> Val<T>
where
    H: Handle<Elem = T> + AtomicPlace + At<I>,
{
    let (index, expected, value) = (x.at(index), expected.into_val().ir(), value.into_val().ir());
    Val::push(Op::CompareExchange { at: x.place(), index, expected, value })
}
