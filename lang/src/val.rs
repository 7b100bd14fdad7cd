//! Run-time values: `Val`, its operators, registers, and the traits that name sets of dtypes.
//!
//! Invariants
//! - `Val<T>` names a value of dtype `T::DTYPE`; only staging makes one.
//! - Both operands of an operator have one dtype; a plain Rust number beside a `Val<T>` is a constant `T`.
//! - Every operator records the line where the author wrote it.
//!
//! Absent: implicit conversions; `PartialEq` and `PartialOrd` (comparisons are staged by `compare`).

use crate::{
    dtype::DType,
    ir::{self, Const, Op, Type, Value},
    ops::{BinaryOp, UnaryOp},
    stage::{self, StageCause},
};
use half::{bf16, f16};
use std::{fmt, marker::PhantomData, ops};

/// A Rust type that names a dtype.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no dtype",
    label = "no dtype",
    note = "dtypes are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64, and in buffers also I4, U4, F8E4M3, F8E5M2, F8E8M0, F4E2M1"
)]
pub trait Element: Copy + fmt::Debug + Send + Sync + 'static {
    /// The dtype.
    const DTYPE: DType;
    /// What a load yields and a store takes.
    type Value: Scalar;
}

/// A dtype that values may have.
#[diagnostic::on_unimplemented(
    message = "a run-time value cannot be a `{Self}`",
    label = "no value dtype",
    note = "value dtypes are bool, i8 to i64, u8 to u64, f16, bf16, f32 and f64; a storage dtype exists in buffers only, and usize is comptime only"
)]
pub trait Scalar: Element<Value = Self> + PartialEq {
    /// The bits of a constant, zero-extended; NaN is canonical.
    fn const_bits(self) -> u64;
}

/// Integers and floats.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an integer nor a float dtype",
    label = "an integer or a float is needed"
)]
pub trait Numeric: Scalar {
    /// The number nearest to `x`; `None` where an integer dtype does not have `x`.
    fn nearest(x: f64) -> Option<Self>;
}

/// Integers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no integer dtype",
    label = "an integer is needed"
)]
pub trait Int: Numeric + Bits {}

/// f16, bf16, f32 and f64.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no float dtype",
    label = "f16, bf16, f32 or f64 is needed"
)]
pub trait Float: Signed {}

/// f16, bf16 and f32: the dtypes with elementary functions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elementary functions",
    label = "f16, bf16 or f32 is needed",
    note = "convert first: `x as f32`"
)]
pub trait Real: Float {}

/// Signed integers and floats.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no sign",
    label = "a signed integer or a float is needed"
)]
pub trait Signed: Numeric {}

/// Integers and `bool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no bitwise operations",
    label = "an integer or bool is needed"
)]
pub trait Bits: Scalar {}

/// i32, u32, i64 and u64: the dtypes with atomics.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no atomics",
    label = "i32, u32, i64 or u64 is needed"
)]
pub trait Atomic: Int {}

/// Numbers whose bits are an unsigned integer of the same width.
#[diagnostic::on_unimplemented(
    message = "the bits of `{Self}` are no unsigned integer",
    label = "an integer or a float is needed"
)]
pub trait Reinterpret: Numeric {
    /// The unsigned integer of the same width.
    type Raw: Int;
}

macro_rules! scalars {
    ($($t:ty, $dtype:ident, |$x:ident| $bits:expr;)*) => { $(
        impl Element for $t {
            const DTYPE: DType = DType::$dtype;
            type Value = $t;
        }
        impl Scalar for $t {
            fn const_bits(self) -> u64 { let $x = self; $bits }
        }
    )* };
}
scalars! {
    bool, Bool, |x| u64::from(x);
    i8, I8, |x| u64::from(x as u8);
    u8, U8, |x| u64::from(x);
    i16, I16, |x| u64::from(x as u16);
    u16, U16, |x| u64::from(x);
    i32, I32, |x| u64::from(x as u32);
    u32, U32, |x| u64::from(x);
    i64, I64, |x| x as u64;
    u64, U64, |x| x;
    f16, F16, |x| if x.is_nan() { 0x7e00 } else { u64::from(x.to_bits()) };
    bf16, BF16, |x| if x.is_nan() { 0x7fc0 } else { u64::from(x.to_bits()) };
    f32, F32, |x| if x.is_nan() { 0x7fc0_0000 } else { u64::from(x.to_bits()) };
    f64, F64, |x| if x.is_nan() { 0x7ff8_0000_0000_0000 } else { x.to_bits() };
}

macro_rules! storage {
    ($($(#[doc = $doc:literal])* $name:ident => $value:ty;)*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {}
        impl Element for $name {
            const DTYPE: DType = DType::$name;
            type Value = $value;
        }
    )* };
}
storage! {
    /// The storage dtype `i4`.
    I4 => i32;
    /// The storage dtype `u4`.
    U4 => u32;
    /// The storage dtype `f8e4m3`.
    F8E4M3 => f32;
    /// The storage dtype `f8e5m2`.
    F8E5M2 => f32;
    /// The storage dtype `f8e8m0`.
    F8E8M0 => f32;
    /// The storage dtype `f4e2m1`.
    F4E2M1 => f32;
}

macro_rules! ints {
    ($($t:ty)*) => { $(
        impl Numeric for $t {
            fn nearest(x: f64) -> Option<$t> {
                (x as $t as f64 == x && (x as $t as i128) == x as i128).then_some(x as $t)
            }
        }
        impl Bits for $t {}
        impl Int for $t {}
    )* };
}
ints! { i8 u8 i16 u16 i32 u32 i64 u64 }
impl Bits for bool {}

/// One rounding, by the language's own conversion: that of `half` goes through f32 on some hosts.
fn narrow(to: DType, x: f64) -> u16 {
    crate::eval::cast(DType::F64, to, x.to_bits()).expect("floats convert") as u16
}

macro_rules! floats {
    ($($t:ty, |$x:ident| $nearest:expr;)*) => { $(
        impl Numeric for $t {
            fn nearest($x: f64) -> Option<$t> { Some($nearest) }
        }
        impl Float for $t {}
    )* };
}
floats! {
    f16, |x| f16::from_bits(narrow(DType::F16, x));
    bf16, |x| bf16::from_bits(narrow(DType::BF16, x));
    f32, |x| x as f32;
    f64, |x| x;
}

macro_rules! marks {
    ($($trait:ident: $($t:ty)*;)*) => { $($(impl $trait for $t {})*)* };
}
marks! {
    Signed: i8 i16 i32 i64 f16 bf16 f32 f64;
    Real: f16 bf16 f32;
    Atomic: i32 u32 i64 u64;
}

macro_rules! raws {
    ($($t:ty => $raw:ty;)*) => { $(impl Reinterpret for $t { type Raw = $raw; })* };
}
raws! {
    i8 => u8; u8 => u8; i16 => u16; u16 => u16; i32 => u32; u32 => u32; i64 => u64; u64 => u64;
    f16 => u16; bf16 => u16; f32 => u32; f64 => u64;
}

/// A value that exists when the kernel runs.
pub struct Val<T: Scalar> {
    value: Value,
    dtype: PhantomData<T>,
}

impl<T: Scalar> Clone for Val<T> {
    fn clone(&self) -> Val<T> {
        *self
    }
}
impl<T: Scalar> Copy for Val<T> {}

impl<T: Scalar> fmt::Debug for Val<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}: {}", self.value.index(), T::DTYPE)
    }
}

impl<T: Scalar> Val<T> {
    /// The handle of an instruction of dtype `T`.
    pub(crate) fn of(value: Value) -> Val<T> {
        Val { value, dtype: PhantomData }
    }

    /// The value that an instruction of dtype `T` computes: for a pass that stages into a kernel.
    ///
    /// # Panics
    /// When the instruction has another type.
    #[track_caller]
    pub fn from_ir(value: Value) -> Val<T> {
        let ty = stage::with(|b| b.kernel()[value].ty);
        assert_eq!(ty, Type::Scalar(T::DTYPE), "v{}", value.index());
        Val::of(value)
    }

    /// The instruction.
    pub fn ir(self) -> Value {
        self.value
    }

    /// Appends an instruction with a result of dtype `T`.
    #[track_caller]
    pub(crate) fn push(op: Op) -> Val<T> {
        Val::of(stage::push(op, Type::Scalar(T::DTYPE)))
    }
}

/// What stands where a run-time value of dtype `T` is wanted: a `Val<T>`, or a number that becomes a constant.
#[diagnostic::on_unimplemented(
    message = "expected a run-time `{T}`, found `{Self}`",
    label = "neither a `Val<{T}>` nor a `{T}`",
    note = "convert with `as`; a usize converts with `as u32` or `as u64`"
)]
pub trait IntoVal<T: Scalar>: Copy {
    /// The value, a constant instruction if need be.
    fn into_val(self) -> Val<T>;
}

impl<T: Scalar> IntoVal<T> for Val<T> {
    fn into_val(self) -> Val<T> {
        self
    }
}

impl<T: Scalar> IntoVal<T> for T {
    #[track_caller]
    fn into_val(self) -> Val<T> {
        Val::push(Op::Const(Const { bits: self.const_bits() }))
    }
}

/// A constant made a run-time value: `val(0)..64` is a run-time loop.
#[track_caller]
pub fn val<T: Scalar>(x: impl IntoVal<T>) -> Val<T> {
    x.into_val()
}

/// The `T` nearest to `x`. An integer `T` must have `x` itself.
#[track_caller]
pub fn lit<T: Numeric>(x: f64) -> Val<T> {
    if T::nearest(x).is_none() {
        stage::fault(StageCause::NotRepresentable { value: x, dtype: T::DTYPE });
    }
    T::nearest(x).or(T::nearest(0.0)).expect("every dtype has 0").into_val()
}

/// The bits as an unsigned integer of the same width. NaN becomes canonical first.
#[track_caller]
pub fn bits<T: Reinterpret>(x: impl IntoVal<T>) -> Val<T::Raw> {
    Val::push(Op::Bitcast(x.into_val().ir()))
}

/// The number that has these bits.
#[track_caller]
pub fn from_bits<T: Reinterpret>(x: impl IntoVal<T::Raw>) -> Val<T> {
    Val::push(Op::Bitcast(x.into_val().ir()))
}

#[track_caller]
pub(crate) fn unary<T: Scalar>(op: UnaryOp, x: impl IntoVal<T>) -> Val<T> {
    Val::push(Op::Unary(op, x.into_val().ir()))
}

#[track_caller]
pub(crate) fn binary<T: Scalar>(op: BinaryOp, a: impl IntoVal<T>, b: impl IntoVal<T>) -> Val<T> {
    let (a, b) = (a.into_val(), b.into_val());
    Val::push(Op::Binary(op, a.ir(), b.ir()))
}

macro_rules! binary_operators {
    ($($trait:ident $method:ident $bound:ident [$($t:ty)*];)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: $bound> ops::$trait<Val<T>> for Val<T> {
            type Output = Val<T>;
            #[track_caller]
            fn $method(self, rhs: Val<T>) -> Val<T> { binary(BinaryOp::$trait, self, rhs) }
        }
        #[diagnostic::do_not_recommend]
        impl<T: $bound> ops::$trait<T> for Val<T> {
            type Output = Val<T>;
            #[track_caller]
            fn $method(self, rhs: T) -> Val<T> { binary(BinaryOp::$trait, self, rhs) }
        }
        $(impl ops::$trait<Val<$t>> for $t {
            type Output = Val<$t>;
            #[track_caller]
            fn $method(self, rhs: Val<$t>) -> Val<$t> { binary(BinaryOp::$trait, self, rhs) }
        })*
    )* };
}
binary_operators! {
    Add add Numeric [i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64];
    Sub sub Numeric [i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64];
    Mul mul Numeric [i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64];
    Div div Numeric [i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64];
    Rem rem Numeric [i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64];
}

macro_rules! bit_operators {
    ($($trait:ident $method:ident $op:ident;)*) => { bit_operators! { @
        $($trait $method $op [bool i8 u8 i16 u16 i32 u32 i64 u64];)*
    } };
    (@ $($trait:ident $method:ident $op:ident [$($t:ty)*];)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Bits> ops::$trait<Val<T>> for Val<T> {
            type Output = Val<T>;
            #[track_caller]
            fn $method(self, rhs: Val<T>) -> Val<T> { binary(BinaryOp::$op, self, rhs) }
        }
        #[diagnostic::do_not_recommend]
        impl<T: Bits> ops::$trait<T> for Val<T> {
            type Output = Val<T>;
            #[track_caller]
            fn $method(self, rhs: T) -> Val<T> { binary(BinaryOp::$op, self, rhs) }
        }
        $(impl ops::$trait<Val<$t>> for $t {
            type Output = Val<$t>;
            #[track_caller]
            fn $method(self, rhs: Val<$t>) -> Val<$t> { binary(BinaryOp::$op, self, rhs) }
        })*
    )* };
}
bit_operators! { BitAnd bitand And; BitOr bitor Or; BitXor bitxor Xor; }

macro_rules! shift_operators {
    ($($trait:ident $method:ident [$($t:ty)*];)*) => { $(
        /// The count is taken modulo the width; it may have any integer dtype, since the width divides
        /// the range of every one of them.
        #[diagnostic::do_not_recommend]
        impl<T: Int, S: Int> ops::$trait<Val<S>> for Val<T> {
            type Output = Val<T>;
            #[track_caller]
            fn $method(self, rhs: Val<S>) -> Val<T> {
                binary(BinaryOp::$trait, self, crate::cast::convert::<S, T>(rhs))
            }
        }
        #[diagnostic::do_not_recommend]
        impl<T: Int, S: Int> ops::$trait<S> for Val<T> {
            type Output = Val<T>;
            #[track_caller]
            fn $method(self, rhs: S) -> Val<T> {
                let bits = rhs.const_bits() & u64::from(T::DTYPE.bits() - 1);
                binary(BinaryOp::$trait, self, Val::<T>::push(Op::Const(Const { bits })))
            }
        }
        $(impl ops::$trait<Val<$t>> for $t {
            type Output = Val<$t>;
            #[track_caller]
            fn $method(self, rhs: Val<$t>) -> Val<$t> { binary(BinaryOp::$trait, self, rhs) }
        })*
    )* };
}
shift_operators! {
    Shl shl [i8 u8 i16 u16 i32 u32 i64 u64];
    Shr shr [i8 u8 i16 u16 i32 u32 i64 u64];
}

impl<T: Signed> ops::Neg for Val<T> {
    type Output = Val<T>;
    #[track_caller]
    fn neg(self) -> Val<T> {
        unary(UnaryOp::Neg, self)
    }
}

impl<T: Bits> ops::Not for Val<T> {
    type Output = Val<T>;
    #[track_caller]
    fn not(self) -> Val<T> {
        unary(UnaryOp::Not, self)
    }
}

/// A mutable register of each thread: what `let mut` declares.
pub struct Reg<T: Scalar> {
    var: ir::Var,
    dtype: PhantomData<T>,
}

impl<T: Scalar> Clone for Reg<T> {
    fn clone(&self) -> Reg<T> {
        *self
    }
}
impl<T: Scalar> Copy for Reg<T> {}

impl<T: Scalar> fmt::Debug for Reg<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}: {}", self.var.index(), T::DTYPE)
    }
}

impl<T: Scalar> Reg<T> {
    /// A register without a value.
    #[track_caller]
    pub(crate) fn new(name: &str) -> Reg<T> {
        let name = stage::unique(name);
        let var = stage::with(|b| b.var(name, T::DTYPE));
        Reg { var, dtype: PhantomData }
    }

    /// A register with a first value.
    #[track_caller]
    pub fn init(name: &str, x: impl IntoVal<T>) -> Reg<T> {
        let x = x.into_val();
        let reg = Reg::new(name);
        reg.set(x);
        reg
    }

    /// Its value.
    #[track_caller]
    pub fn get(&self) -> Val<T> {
        Val::push(Op::Get(self.var))
    }

    /// Gives it a value.
    #[track_caller]
    pub fn set(&self, x: impl IntoVal<T>) {
        let x = x.into_val();
        stage::push_unit(Op::Set(self.var, x.ir()));
    }
}

/// What may stand as the type of a `let mut`: a dtype, or `Val` of one.
#[diagnostic::on_unimplemented(
    message = "`let mut` declares a register of each thread, and `{Self}` is no value dtype",
    label = "no value dtype"
)]
pub trait RegType {
    /// The dtype.
    type Dtype: Scalar;
}
impl<T: Scalar> RegType for T {
    type Dtype = T;
}
impl<T: Scalar> RegType for Val<T> {
    type Dtype = T;
}
