//! Arithmetic over lanes, with the functions of `eval::number` that define it.
//!
//! Invariants
//! - NaN results are left as they come: stores, bit casts and conversions make them canonical, and nothing else
//!   can tell two NaN apart.
#![deny(clippy::wildcard_enum_match_arm)]

use super::lanes::{CHUNK, Source, Word, map1, map2, map3};
use evenweave_lang::{
    dtype::DType,
    eval::{
        number::{self, Float, Integer, Number},
        storage,
    },
    ops::{BinaryOp, CompareOp, UnaryOp},
};

const LEGAL: &str = "legalize leaves native rows on dtypes that have them";

#[inline(always)]
fn get<W: Word, T: Number>(x: W) -> T {
    T::from_word(x.up())
}

#[inline(always)]
fn put<W: Word, T: Number>(x: T) -> W {
    W::down(x.to_word())
}

#[inline(always)]
fn float_unary<W: Word, T: Float>(op: UnaryOp, dst: &mut [[W; CHUNK]], a: Source<W>) {
    macro_rules! all {
        ($f:expr) => {
            map1(dst, a, |x| put(($f)(get::<W, T>(x))))
        };
    }
    match op {
        UnaryOp::Neg => all!(T::neg),
        UnaryOp::Abs => all!(T::abs),
        UnaryOp::Floor => all!(T::floor),
        UnaryOp::Ceil => all!(T::ceil),
        UnaryOp::Trunc => all!(T::trunc),
        UnaryOp::RoundEven => all!(T::round_even),
        UnaryOp::Sqrt => all!(T::sqrt),
        UnaryOp::Rsqrt => all!(T::rsqrt),
        UnaryOp::Recip => all!(T::recip),
        UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
        | UnaryOp::Exp
        | UnaryOp::Exp2
        | UnaryOp::Expm1
        | UnaryOp::Log
        | UnaryOp::Log2
        | UnaryOp::Log10
        | UnaryOp::Log1p
        | UnaryOp::Sin
        | UnaryOp::Cos
        | UnaryOp::Tan
        | UnaryOp::Asin
        | UnaryOp::Acos
        | UnaryOp::Atan
        | UnaryOp::Sinh
        | UnaryOp::Cosh
        | UnaryOp::Tanh
        | UnaryOp::Asinh
        | UnaryOp::Acosh
        | UnaryOp::Atanh
        | UnaryOp::Sigmoid
        | UnaryOp::Silu
        | UnaryOp::GeluTanh
        | UnaryOp::GeluErf
        | UnaryOp::Softplus
        | UnaryOp::Erf
        | UnaryOp::Erfinv
        | UnaryOp::FastExp
        | UnaryOp::FastLog
        | UnaryOp::FastRecip
        | UnaryOp::FastRsqrt => unreachable!("{LEGAL}"),
    }
}

#[inline(always)]
fn int_unary<W: Word, T: Integer>(op: UnaryOp, dst: &mut [[W; CHUNK]], a: Source<W>) {
    macro_rules! all {
        ($f:expr) => {
            map1(dst, a, |x| put(($f)(get::<W, T>(x))))
        };
    }
    match op {
        UnaryOp::Neg => all!(T::neg),
        UnaryOp::Abs => all!(T::abs),
        UnaryOp::Not => all!(T::not),
        UnaryOp::CountOnes => all!(T::count_ones),
        UnaryOp::LeadingZeros => all!(T::leading_zeros),
        UnaryOp::TrailingZeros => all!(T::trailing_zeros),
        UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc
        | UnaryOp::RoundEven
        | UnaryOp::Sqrt
        | UnaryOp::Rsqrt
        | UnaryOp::Recip
        | UnaryOp::Exp
        | UnaryOp::Exp2
        | UnaryOp::Expm1
        | UnaryOp::Log
        | UnaryOp::Log2
        | UnaryOp::Log10
        | UnaryOp::Log1p
        | UnaryOp::Sin
        | UnaryOp::Cos
        | UnaryOp::Tan
        | UnaryOp::Asin
        | UnaryOp::Acos
        | UnaryOp::Atan
        | UnaryOp::Sinh
        | UnaryOp::Cosh
        | UnaryOp::Tanh
        | UnaryOp::Asinh
        | UnaryOp::Acosh
        | UnaryOp::Atanh
        | UnaryOp::Sigmoid
        | UnaryOp::Silu
        | UnaryOp::GeluTanh
        | UnaryOp::GeluErf
        | UnaryOp::Softplus
        | UnaryOp::Erf
        | UnaryOp::Erfinv
        | UnaryOp::FastExp
        | UnaryOp::FastLog
        | UnaryOp::FastRecip
        | UnaryOp::FastRsqrt => unreachable!("{LEGAL}"),
    }
}

#[inline(always)]
pub(super) fn unary_narrow(op: UnaryOp, dtype: DType, dst: &mut [[u32; CHUNK]], a: Source<u32>) {
    match dtype {
        DType::F32 => float_unary::<u32, f32>(op, dst, a),
        DType::I8 => int_unary::<u32, i8>(op, dst, a),
        DType::U8 => int_unary::<u32, u8>(op, dst, a),
        DType::I16 => int_unary::<u32, i16>(op, dst, a),
        DType::U16 => int_unary::<u32, u16>(op, dst, a),
        DType::I32 => int_unary::<u32, i32>(op, dst, a),
        DType::U32 => int_unary::<u32, u32>(op, dst, a),
        DType::Bool => map1(dst, a, |x| x ^ 1),
        DType::I4
        | DType::U4
        | DType::I64
        | DType::U64
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0
        | DType::F16
        | DType::BF16
        | DType::F64 => unreachable!("{LEGAL}"),
    }
}

#[inline(always)]
pub(super) fn unary_wide(op: UnaryOp, dtype: DType, dst: &mut [[u64; CHUNK]], a: Source<u64>) {
    match dtype {
        DType::F64 => float_unary::<u64, f64>(op, dst, a),
        DType::I64 => int_unary::<u64, i64>(op, dst, a),
        DType::U64 => int_unary::<u64, u64>(op, dst, a),
        DType::Bool
        | DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0
        | DType::F16
        | DType::BF16
        | DType::F32 => unreachable!("{LEGAL}"),
    }
}

#[inline(always)]
fn float_binary<W: Word, T: Float>(
    op: BinaryOp,
    dst: &mut [[W; CHUNK]],
    a: Source<W>,
    b: Source<W>,
) {
    macro_rules! all {
        ($f:expr) => {
            map2(dst, a, b, |x, y| put(($f)(get::<W, T>(x), get::<W, T>(y))))
        };
    }
    match op {
        BinaryOp::Add => all!(T::add),
        BinaryOp::Sub => all!(T::sub),
        BinaryOp::Mul => all!(T::mul),
        BinaryOp::Div => all!(T::div),
        BinaryOp::Rem => all!(T::rem),
        BinaryOp::Min => all!(T::minimum),
        BinaryOp::Max => all!(T::maximum),
        BinaryOp::MinNum => all!(T::min_num),
        BinaryOp::MaxNum => all!(T::max_num),
        BinaryOp::MulHigh
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Pow
        | BinaryOp::Atan2 => unreachable!("{LEGAL}"),
    }
}

#[inline(always)]
fn int_binary<W: Word, T: Integer>(
    op: BinaryOp,
    dst: &mut [[W; CHUNK]],
    a: Source<W>,
    b: Source<W>,
) {
    macro_rules! all {
        ($f:expr) => {
            map2(dst, a, b, |x, y| put(($f)(get::<W, T>(x), get::<W, T>(y))))
        };
    }
    match op {
        BinaryOp::Add => all!(T::add),
        BinaryOp::Sub => all!(T::sub),
        BinaryOp::Mul => all!(T::mul),
        BinaryOp::Div => all!(T::div),
        BinaryOp::Rem => all!(T::rem),
        BinaryOp::Min => all!(T::minimum),
        BinaryOp::Max => all!(T::maximum),
        BinaryOp::MulHigh => all!(T::mul_high),
        BinaryOp::And => all!(T::and),
        BinaryOp::Or => all!(T::or),
        BinaryOp::Xor => all!(T::xor),
        BinaryOp::Shl => all!(T::shl),
        BinaryOp::Shr => all!(T::shr),
        BinaryOp::MinNum | BinaryOp::MaxNum | BinaryOp::Pow | BinaryOp::Atan2 => {
            unreachable!("{LEGAL}")
        }
    }
}

#[inline(always)]
pub(super) fn binary_narrow(
    op: BinaryOp,
    dtype: DType,
    dst: &mut [[u32; CHUNK]],
    a: Source<u32>,
    b: Source<u32>,
) {
    match dtype {
        DType::F32 => float_binary::<u32, f32>(op, dst, a, b),
        DType::I8 => int_binary::<u32, i8>(op, dst, a, b),
        DType::U8 => int_binary::<u32, u8>(op, dst, a, b),
        DType::I16 => int_binary::<u32, i16>(op, dst, a, b),
        DType::U16 => int_binary::<u32, u16>(op, dst, a, b),
        DType::I32 => int_binary::<u32, i32>(op, dst, a, b),
        // The bits of a `bool` are 0 and 1: `and`, `or` and `xor` are those of integers.
        DType::U32 | DType::Bool => int_binary::<u32, u32>(op, dst, a, b),
        DType::I4
        | DType::U4
        | DType::I64
        | DType::U64
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0
        | DType::F16
        | DType::BF16
        | DType::F64 => unreachable!("{LEGAL}"),
    }
}

#[inline(always)]
pub(super) fn binary_wide(
    op: BinaryOp,
    dtype: DType,
    dst: &mut [[u64; CHUNK]],
    a: Source<u64>,
    b: Source<u64>,
) {
    match dtype {
        DType::F64 => float_binary::<u64, f64>(op, dst, a, b),
        DType::I64 => int_binary::<u64, i64>(op, dst, a, b),
        DType::U64 => int_binary::<u64, u64>(op, dst, a, b),
        DType::Bool
        | DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0
        | DType::F16
        | DType::BF16
        | DType::F32 => unreachable!("{LEGAL}"),
    }
}

#[inline(always)]
fn compare<W: Word, T: Number>(
    op: CompareOp,
    dst: &mut [[u32; CHUNK]],
    a: Source<W>,
    b: Source<W>,
) {
    macro_rules! all {
        ($op:expr) => {
            map2(dst, a, b, |x, y| u32::from(number::compare($op, get::<W, T>(x), get::<W, T>(y))))
        };
    }
    match op {
        CompareOp::Eq => all!(CompareOp::Eq),
        CompareOp::Ne => all!(CompareOp::Ne),
        CompareOp::Lt => all!(CompareOp::Lt),
        CompareOp::Le => all!(CompareOp::Le),
        CompareOp::Gt => all!(CompareOp::Gt),
        CompareOp::Ge => all!(CompareOp::Ge),
    }
}

#[inline(always)]
pub(super) fn compare_narrow(
    op: CompareOp,
    dtype: DType,
    dst: &mut [[u32; CHUNK]],
    a: Source<u32>,
    b: Source<u32>,
) {
    match dtype {
        DType::F32 => compare::<u32, f32>(op, dst, a, b),
        DType::I8 => compare::<u32, i8>(op, dst, a, b),
        DType::I16 => compare::<u32, i16>(op, dst, a, b),
        DType::I32 => compare::<u32, i32>(op, dst, a, b),
        // Zero-extended: they order as their words do.
        DType::U8 | DType::U16 | DType::U32 | DType::Bool => compare::<u32, u32>(op, dst, a, b),
        DType::I4
        | DType::U4
        | DType::I64
        | DType::U64
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0
        | DType::F16
        | DType::BF16
        | DType::F64 => unreachable!("{LEGAL}"),
    }
}

#[inline(always)]
pub(super) fn compare_wide(
    op: CompareOp,
    dtype: DType,
    dst: &mut [[u32; CHUNK]],
    a: Source<u64>,
    b: Source<u64>,
) {
    match dtype {
        DType::F64 => compare::<u64, f64>(op, dst, a, b),
        DType::I64 => compare::<u64, i64>(op, dst, a, b),
        DType::U64 => compare::<u64, u64>(op, dst, a, b),
        DType::Bool
        | DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0
        | DType::F16
        | DType::BF16
        | DType::F32 => unreachable!("{LEGAL}"),
    }
}

#[inline(always)]
pub(super) fn fma_narrow(dst: &mut [[u32; CHUNK]], a: Source<u32>, b: Source<u32>, c: Source<u32>) {
    map3(dst, a, b, c, |x, y, z| put(get::<u32, f32>(x).fma(get(y), get(z))));
}

#[inline(always)]
pub(super) fn fma_wide(dst: &mut [[u64; CHUNK]], a: Source<u64>, b: Source<u64>, c: Source<u64>) {
    map3(dst, a, b, c, |x, y, z| put(get::<u64, f64>(x).fma(get(y), get(z))));
}

/// A number that converts to every other; the kinds that hold all value dtypes without loss.
trait Convert: Copy + 'static {
    fn is_true(self) -> bool;
    fn i8(self) -> i8;
    fn u8(self) -> u8;
    fn i16(self) -> i16;
    fn u16(self) -> u16;
    fn i32(self) -> i32;
    fn u32(self) -> u32;
    fn i64(self) -> i64;
    fn u64(self) -> u64;
    fn f32(self) -> f32;
    fn f64(self) -> f64;
    /// As f64, rounded to odd where it has more bits.
    fn odd(self) -> f64;
}

macro_rules! convert {
    ($($t:ident |$x:ident| $true:expr, $odd:expr;)*) => { $(
        impl Convert for $t {
            #[inline(always)]
            fn is_true(self) -> bool { let $x = self; $true }
            #[inline(always)]
            fn odd(self) -> f64 { let $x = self; $odd }
            convert!(@as i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);
        }
    )* };
    (@as $($to:ident)*) => { $(
        #[inline(always)]
        fn $to(self) -> $to { self as $to }
    )* };
}
convert! {
    i32 |x| x != 0, f64::from(x);
    u32 |x| x != 0, f64::from(x);
    i64 |x| x != 0, number::int_to_odd(x.into());
    u64 |x| x != 0, number::int_to_odd(x.into());
    f32 |x| x != 0.0, f64::from(x);
    f64 |x| x != 0.0, x;
}

/// Destination lanes of either width.
pub(super) enum Lanes<'a> {
    Narrow(&'a mut [[u32; CHUNK]]),
    Wide(&'a mut [[u64; CHUNK]]),
}

#[inline(always)]
fn cast_all<S: Convert>(to: DType, dst: Lanes<'_>, get: impl Fn(usize) -> [S; CHUNK]) {
    macro_rules! fill {
        ($dst:ident, |$x:ident| $value:expr) => {
            for (i, d) in $dst.iter_mut().enumerate() {
                let from = get(i);
                for j in 0..CHUNK {
                    let $x = from[j];
                    d[j] = $value;
                }
            }
        };
    }
    match (dst, to) {
        (Lanes::Narrow(d), DType::Bool) => fill!(d, |x| u32::from(x.is_true())),
        (Lanes::Narrow(d), DType::I8) => fill!(d, |x| u32::from(x.i8() as u8)),
        (Lanes::Narrow(d), DType::U8) => fill!(d, |x| u32::from(x.u8())),
        (Lanes::Narrow(d), DType::I16) => fill!(d, |x| u32::from(x.i16() as u16)),
        (Lanes::Narrow(d), DType::U16) => fill!(d, |x| u32::from(x.u16())),
        (Lanes::Narrow(d), DType::I32) => fill!(d, |x| x.i32() as u32),
        (Lanes::Narrow(d), DType::U32) => fill!(d, |x| x.u32()),
        (Lanes::Narrow(d), DType::F16) => fill!(d, |x| u32::from(storage::f64_to_f16(x.odd()))),
        (Lanes::Narrow(d), DType::BF16) => fill!(d, |x| u32::from(storage::f64_to_bf16(x.odd()))),
        (Lanes::Narrow(d), DType::F32) => fill!(d, |x| x.f32().to_bits()),
        (Lanes::Wide(d), DType::I64) => fill!(d, |x| x.i64() as u64),
        (Lanes::Wide(d), DType::U64) => fill!(d, |x| x.u64()),
        (Lanes::Wide(d), DType::F64) => fill!(d, |x| x.f64().to_bits()),
        (Lanes::Narrow(_) | Lanes::Wide(_), _) => {
            unreachable!("slots have the width of their dtype")
        }
    }
}

#[inline(always)]
pub(super) fn cast_narrow(from: DType, to: DType, dst: Lanes<'_>, a: Source<u32>) {
    match (from, to, dst) {
        // One rounding each; far more frequent than the general way through f64.
        (DType::F32, DType::F16, Lanes::Narrow(d)) => {
            map1(d, a, |x| u32::from(storage::f32_to_f16(f32::from_bits(x))));
        }
        (DType::F32, DType::BF16, Lanes::Narrow(d)) => {
            map1(d, a, |x| u32::from(storage::f32_to_bf16(f32::from_bits(x))));
        }
        (DType::Bool | DType::U8 | DType::U16 | DType::U32, _, dst) => {
            cast_all::<u32>(to, dst, |i| *a.chunk(i));
        }
        (DType::I8, _, dst) => cast_all::<i32>(to, dst, |i| a.chunk(i).map(|x| i32::from(x as i8))),
        (DType::I16, _, dst) => {
            cast_all::<i32>(to, dst, |i| a.chunk(i).map(|x| i32::from(x as i16)))
        }
        (DType::I32, _, dst) => cast_all::<i32>(to, dst, |i| a.chunk(i).map(|x| x as i32)),
        (DType::F16, _, dst) => {
            cast_all::<f32>(to, dst, |i| a.chunk(i).map(|x| storage::f16_to_f32(x as u16)));
        }
        (DType::BF16, _, dst) => {
            cast_all::<f32>(to, dst, |i| a.chunk(i).map(|x| storage::bf16_to_f32(x as u16)));
        }
        (DType::F32, _, dst) => cast_all::<f32>(to, dst, |i| a.chunk(i).map(f32::from_bits)),
        (
            DType::I4
            | DType::U4
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0
            | DType::F64,
            _,
            _,
        ) => unreachable!("slots have the width of their dtype"),
    }
}

#[inline(always)]
pub(super) fn cast_wide(from: DType, to: DType, dst: Lanes<'_>, a: Source<u64>) {
    match from {
        DType::I64 => cast_all::<i64>(to, dst, |i| a.chunk(i).map(|x| x as i64)),
        DType::U64 => cast_all::<u64>(to, dst, |i| *a.chunk(i)),
        DType::F64 => cast_all::<f64>(to, dst, |i| a.chunk(i).map(f64::from_bits)),
        DType::Bool
        | DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0
        | DType::F16
        | DType::BF16
        | DType::F32 => unreachable!("slots have the width of their dtype"),
    }
}
