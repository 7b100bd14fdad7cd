//! `e as T`: a `Cast` for run-time values, Rust's own conversion for comptime ones.
//!
//! Invariants
//! - A `Val` stays a `Val`, a comptime number stays comptime.

use crate::{
    ir::Op,
    val::{Scalar, Val},
};
use half::{bf16, f16};

/// What `e as D` is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not convert to `{D}`",
    label = "does not convert to `{D}`",
    note = "a run-time value converts to a value dtype (bool, i8 to i64, u8 to u64, f16, bf16, f32, f64); it cannot become comptime",
    note = "a constant of a generic dtype is `lit::<T>(0.5)`"
)]
pub trait CastTo<D> {
    /// `Val<D>` for a run-time value, `D` for a comptime number.
    type Out;
    /// The conversion.
    fn cast_to(self) -> Self::Out;
}

/// `x as D`.
#[track_caller]
pub fn cast<D, S: CastTo<D>>(x: S) -> S::Out {
    x.cast_to()
}

impl<S: Scalar, D: Scalar> CastTo<D> for Val<S> {
    type Out = Val<D>;
    #[track_caller]
    fn cast_to(self) -> Val<D> {
        convert(self)
    }
}

/// The conversion by value; nothing where the dtype stays.
#[track_caller]
pub(crate) fn convert<S: Scalar, D: Scalar>(x: Val<S>) -> Val<D> {
    if S::DTYPE == D::DTYPE { Val::of(x.ir()) } else { Val::push(Op::Cast(x.ir())) }
}

macro_rules! comptime {
    ($($s:ty => $($d:ty)*;)*) => { $($(
        impl CastTo<$d> for $s {
            type Out = $d;
            fn cast_to(self) -> $d { self as $d }
        }
    )*)* };
}
comptime! {
    bool => bool i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize;
    char => char u8 u32;
    i8 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    u8 => char i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    i16 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    u16 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    i32 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    u32 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    i64 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    u64 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    i128 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    u128 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    isize => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    usize => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    f32 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
    f64 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64;
}

macro_rules! halves {
    ($($half:ty)*) => { $(
        impl CastTo<$half> for f32 {
            type Out = $half;
            fn cast_to(self) -> $half { <$half>::from_f32(self) }
        }
        impl CastTo<f32> for $half {
            type Out = f32;
            fn cast_to(self) -> f32 { self.to_f32() }
        }
        impl CastTo<f64> for $half {
            type Out = f64;
            fn cast_to(self) -> f64 { self.to_f64() }
        }
        impl CastTo<$half> for $half {
            type Out = $half;
            fn cast_to(self) -> $half { self }
        }
    )* };
}
halves! { f16 bf16 }
