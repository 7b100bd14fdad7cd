//! The operations of one primitive type, as functions that inline into a device's vector loops.
//!
//! Invariants
//! - Nothing here panics, and nothing depends on the platform's mathematical library: `sqrt`, `mul_add` and
//!   the roundings have one right answer, and `rem` is integer code.
//! - A NaN result may be any NaN; `eval` makes it canonical.

use crate::{
    dtype::DType,
    ops::{BinaryOp, CompareOp, UnaryOp},
};

/// A primitive number.
pub trait Number: Copy + PartialOrd + 'static {
    /// Its dtype.
    const DTYPE: DType;
    /// From bits in the low end of a word.
    fn from_word(word: u64) -> Self;
    /// The bits, zero-extended.
    fn to_word(self) -> u64;
    /// Sum.
    fn add(self, b: Self) -> Self;
    /// Difference.
    fn sub(self, b: Self) -> Self;
    /// Product.
    fn mul(self, b: Self) -> Self;
    /// Quotient.
    fn div(self, b: Self) -> Self;
    /// Remainder.
    fn rem(self, b: Self) -> Self;
    /// IEEE minimum.
    fn minimum(self, b: Self) -> Self;
    /// IEEE maximum.
    fn maximum(self, b: Self) -> Self;
    /// Negation.
    fn neg(self) -> Self;
    /// Magnitude.
    fn abs(self) -> Self;
}

/// A primitive integer.
pub trait Integer: Number + Eq + Ord {
    /// Complement.
    fn not(self) -> Self;
    /// Number of one bits.
    fn count_ones(self) -> Self;
    /// Zero bits above the highest one.
    fn leading_zeros(self) -> Self;
    /// Zero bits below the lowest one.
    fn trailing_zeros(self) -> Self;
    /// Upper half of the double-width product.
    fn mul_high(self, b: Self) -> Self;
    /// Bitwise and.
    fn and(self, b: Self) -> Self;
    /// Bitwise or.
    fn or(self, b: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, b: Self) -> Self;
    /// Shift left by the count modulo the width.
    fn shl(self, b: Self) -> Self;
    /// Shift right by the count modulo the width.
    fn shr(self, b: Self) -> Self;
}

/// A primitive float.
pub trait Float: Number {
    /// Largest integral value not above.
    fn floor(self) -> Self;
    /// Smallest integral value not below.
    fn ceil(self) -> Self;
    /// Integral part.
    fn trunc(self) -> Self;
    /// Nearest integral value, halves to even.
    fn round_even(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// `1 / sqrt(self)`, correctly rounded.
    fn rsqrt(self) -> Self;
    /// `1 / self`.
    fn recip(self) -> Self;
    /// IEEE minimumNumber.
    fn min_num(self, b: Self) -> Self;
    /// IEEE maximumNumber.
    fn max_num(self, b: Self) -> Self;
    /// `self * b + c` with one rounding.
    fn fma(self, b: Self, c: Self) -> Self;
}

macro_rules! integer {
    ($($t:ident $unsigned:ident $wide:ident $dtype:ident $div:expr, $rem:expr, $neg:expr, $abs:expr;)*) => { $(
        impl Number for $t {
            const DTYPE: DType = DType::$dtype;
            #[inline(always)]
            fn from_word(word: u64) -> $t { word as $t }
            #[inline(always)]
            fn to_word(self) -> u64 { self as $unsigned as u64 }
            #[inline(always)]
            fn add(self, b: $t) -> $t { self.wrapping_add(b) }
            #[inline(always)]
            fn sub(self, b: $t) -> $t { self.wrapping_sub(b) }
            #[inline(always)]
            fn mul(self, b: $t) -> $t { self.wrapping_mul(b) }
            #[inline(always)]
            fn div(self, b: $t) -> $t { if b == 0 { !0 } else { $div(self, b) } }
            #[inline(always)]
            fn rem(self, b: $t) -> $t { if b == 0 { self } else { $rem(self, b) } }
            #[inline(always)]
            fn minimum(self, b: $t) -> $t { if b < self { b } else { self } }
            #[inline(always)]
            fn maximum(self, b: $t) -> $t { if b > self { b } else { self } }
            #[inline(always)]
            fn neg(self) -> $t { $neg(self) }
            #[inline(always)]
            fn abs(self) -> $t { $abs(self) }
        }
        impl Integer for $t {
            #[inline(always)]
            fn not(self) -> $t { !self }
            #[inline(always)]
            fn count_ones(self) -> $t { <$t>::count_ones(self) as $t }
            #[inline(always)]
            fn leading_zeros(self) -> $t { <$t>::leading_zeros(self) as $t }
            #[inline(always)]
            fn trailing_zeros(self) -> $t { <$t>::trailing_zeros(self) as $t }
            #[inline(always)]
            fn mul_high(self, b: $t) -> $t { ((self as $wide * b as $wide) >> <$t>::BITS) as $t }
            #[inline(always)]
            fn and(self, b: $t) -> $t { self & b }
            #[inline(always)]
            fn or(self, b: $t) -> $t { self | b }
            #[inline(always)]
            fn xor(self, b: $t) -> $t { self ^ b }
            #[inline(always)]
            fn shl(self, b: $t) -> $t { self.wrapping_shl(b as u32) }
            #[inline(always)]
            fn shr(self, b: $t) -> $t { self.wrapping_shr(b as u32) }
        }
    )* };
}

#[rustfmt::skip]
integer! {
    i8  u8  i16  I8  i8::wrapping_div,  i8::wrapping_rem,  i8::wrapping_neg,  i8::wrapping_abs;
    i16 u16 i32  I16 i16::wrapping_div, i16::wrapping_rem, i16::wrapping_neg, i16::wrapping_abs;
    i32 u32 i64  I32 i32::wrapping_div, i32::wrapping_rem, i32::wrapping_neg, i32::wrapping_abs;
    i64 u64 i128 I64 i64::wrapping_div, i64::wrapping_rem, i64::wrapping_neg, i64::wrapping_abs;
    u8  u8  u16  U8  u8::wrapping_div,  u8::wrapping_rem,  u8::wrapping_neg,  std::convert::identity;
    u16 u16 u32  U16 u16::wrapping_div, u16::wrapping_rem, u16::wrapping_neg, std::convert::identity;
    u32 u32 u64  U32 u32::wrapping_div, u32::wrapping_rem, u32::wrapping_neg, std::convert::identity;
    u64 u64 u128 U64 u64::wrapping_div, u64::wrapping_rem, u64::wrapping_neg, std::convert::identity;
}

macro_rules! float {
    ($($t:ident $bits:ident $dtype:ident $rsqrt:path, $mantissa_bits:literal;)*) => { $(
        impl Number for $t {
            const DTYPE: DType = DType::$dtype;
            #[inline(always)]
            fn from_word(word: u64) -> $t { $t::from_bits(word as $bits) }
            #[inline(always)]
            fn to_word(self) -> u64 { self.to_bits() as u64 }
            #[inline(always)]
            fn add(self, b: $t) -> $t { self + b }
            #[inline(always)]
            fn sub(self, b: $t) -> $t { self - b }
            #[inline(always)]
            fn mul(self, b: $t) -> $t { self * b }
            #[inline(always)]
            fn div(self, b: $t) -> $t { self / b }
            #[inline(always)]
            fn rem(self, b: $t) -> $t {
                let sign = self.to_bits() & (1 << ($bits::BITS - 1));
                let magnitude = remainder(
                    $t::abs(self).to_bits() as u64,
                    $t::abs(b).to_bits() as u64,
                    $mantissa_bits,
                    $bits::BITS - 1 - $mantissa_bits,
                );
                $t::from_bits(magnitude as $bits | sign)
            }
            // Equal operands are the same bits or two zeros: `or` keeps the sign of -0, `and` drops it.
            #[inline(always)]
            fn minimum(self, b: $t) -> $t {
                let less = if self < b { self } else { b };
                let low = if self == b { $t::from_bits(self.to_bits() | b.to_bits()) } else { less };
                if self.is_nan() | b.is_nan() { $t::NAN } else { low }
            }
            #[inline(always)]
            fn maximum(self, b: $t) -> $t {
                let more = if self > b { self } else { b };
                let high = if self == b { $t::from_bits(self.to_bits() & b.to_bits()) } else { more };
                if self.is_nan() | b.is_nan() { $t::NAN } else { high }
            }
            #[inline(always)]
            fn neg(self) -> $t { $t::from_bits(self.to_bits() ^ (1 << ($bits::BITS - 1))) }
            #[inline(always)]
            fn abs(self) -> $t { $t::from_bits(self.to_bits() & !(1 << ($bits::BITS - 1))) }
        }
        impl Float for $t {
            #[inline(always)]
            fn floor(self) -> $t { <$t>::floor(self) }
            #[inline(always)]
            fn ceil(self) -> $t { <$t>::ceil(self) }
            #[inline(always)]
            fn trunc(self) -> $t { <$t>::trunc(self) }
            #[inline(always)]
            fn round_even(self) -> $t { self.round_ties_even() }
            #[inline(always)]
            fn sqrt(self) -> $t { <$t>::sqrt(self) }
            #[inline(always)]
            fn rsqrt(self) -> $t { $rsqrt(self) }
            #[inline(always)]
            fn recip(self) -> $t { 1.0 / self }
            #[inline(always)]
            fn min_num(self, b: $t) -> $t {
                let low = Number::minimum(self, b);
                let low = if self.is_nan() { b } else { low };
                if b.is_nan() { self } else { low }
            }
            #[inline(always)]
            fn max_num(self, b: $t) -> $t {
                let high = Number::maximum(self, b);
                let high = if self.is_nan() { b } else { high };
                if b.is_nan() { self } else { high }
            }
            #[inline(always)]
            fn fma(self, b: $t, c: $t) -> $t { self.mul_add(b, c) }
        }
    )* };
}

float! {
    f32 u32 F32 rsqrt_f32, 23;
    f64 u64 F64 rsqrt_f64, 52;
}

/// Correctly rounded: the two roundings in f64 leave an error far below the distance of any f32 result from a
/// tie (checked over all mantissas).
#[inline(always)]
fn rsqrt_f32(x: f32) -> f32 {
    (1.0 / f64::from(x).sqrt()) as f32
}

/// Correctly rounded: an estimate within one unit, then moved by exact comparisons of `x * t * t` with 1,
/// where `t` is a midpoint of neighbouring results. There are no ties: an odd `t` above 1 has no power of
/// two as its square.
fn rsqrt_f64(x: f64) -> f64 {
    let estimate = 1.0 / x.sqrt();
    if !(x > 0.0 && x < f64::INFINITY) {
        return estimate;
    }
    // x = m * 2^e with m of 53 bits; results lie in [2^-512, 2^537], so they are normal.
    let normal = if x < f64::MIN_POSITIVE { x * 2f64.powi(54) } else { x };
    let shift = if x < f64::MIN_POSITIVE { 54 } else { 0 };
    let m = (normal.to_bits() & ((1 << 52) - 1)) | (1 << 52);
    let e = (normal.to_bits() >> 52) as i32 - 1075 - shift;
    let mut y = estimate.to_bits();
    // Whether 1/sqrt(x) lies above the midpoint of y and its successor.
    let above = |y: u64| {
        let n = (y & ((1 << 52) - 1)) | (1 << 52);
        let f = (y >> 52) as i32 - 1075;
        let t = u128::from(2 * n + 1);
        let square = t * t;
        // m * square against 2^-(e + 2 (f - 1)).
        let low = u128::from(square as u64) * u128::from(m);
        let high = (square >> 64) * u128::from(m) + (low >> 64);
        let power = (-(e + 2 * (f - 1))) as u32;
        // The product is between 2^159 and 2^163: bits 64 and up are in `high`.
        high < 1u128 << (power - 64)
    };
    while above(y) {
        y += 1;
    }
    while !above(y - 1) {
        y -= 1;
    }
    f64::from_bits(y)
}

/// The magnitude's bits of the exact remainder of two magnitudes, given as bits with so many bits of mantissa
/// and exponent.
#[inline(always)]
fn remainder(a: u64, b: u64, mantissa_bits: u32, exponent_bits: u32) -> u64 {
    let infinity = ((1u64 << exponent_bits) - 1) << mantissa_bits;
    if a >= infinity || b > infinity || b == 0 {
        return infinity | 1 << (mantissa_bits - 1);
    }
    if a < b {
        return a;
    }
    let hidden = 1u64 << mantissa_bits;
    let split = |x: u64| {
        let exponent = (x >> mantissa_bits) as u32;
        let mantissa = x & (hidden - 1);
        if exponent == 0 { (mantissa, 1) } else { (mantissa | hidden, exponent) }
    };
    let ((ma, ea), (mb, eb)) = (split(a), split(b));
    let mut rest = ma % mb;
    let mut left = ea - eb;
    let most = 63 - mantissa_bits;
    while left > 0 && rest != 0 {
        let by = left.min(most);
        rest = (rest << by) % mb;
        left -= by;
    }
    if rest == 0 {
        return 0;
    }
    // `rest` counts units of b's last place: shift it up to a normal number, or leave it subnormal.
    let up = (mantissa_bits + 1).saturating_sub(64 - rest.leading_zeros()).min(eb - 1);
    let rest = rest << up;
    if rest & hidden == 0 {
        rest
    } else {
        (u64::from(eb - up) << mantissa_bits) | (rest & (hidden - 1))
    }
}

/// `a * b + c` in f64 rounded to odd, for `a * b` exact in f64: a later rounding to at most 51 bits rounds
/// as if from the exact sum.
#[inline(always)]
pub fn fma_to_odd(a: f64, b: f64, c: f64) -> f64 {
    let product = a * b;
    let sum = product + c;
    let back = sum - product;
    let error = (product - (sum - back)) + (c - back);
    let bits = sum.to_bits();
    // NaN compares false here, so that non-finite sums stay.
    let inexact = (error > 0.0) | (error < 0.0);
    let outward = (error > 0.0) == (sum > 0.0);
    let odd = if outward { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    f64::from_bits(if inexact & (bits & 1 == 0) { odd } else { bits })
}

/// An integer as f64, rounded to odd where it has more than 53 bits.
#[inline(always)]
pub fn int_to_odd(x: i128) -> f64 {
    let magnitude = x.unsigned_abs() as u64;
    let f = if magnitude >> 53 == 0 {
        magnitude as f64
    } else {
        let sticky = u64::from(magnitude & 0x7ff != 0);
        ((magnitude >> 11) | sticky) as f64 * 2048.0
    };
    if x < 0 { -f } else { f }
}

/// A comparison.
#[inline(always)]
pub fn compare<T: Number>(op: CompareOp, a: T, b: T) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    }
}

/// A row of one integer; `None` where the row takes no such integer.
#[inline(always)]
pub fn int_unary<T: Integer>(op: UnaryOp, a: T) -> Option<T> {
    if !op.accepts().holds(T::DTYPE) {
        return None;
    }
    Some(match op {
        UnaryOp::Neg => a.neg(),
        UnaryOp::Abs => a.abs(),
        UnaryOp::Not => a.not(),
        UnaryOp::CountOnes => a.count_ones(),
        UnaryOp::LeadingZeros => a.leading_zeros(),
        UnaryOp::TrailingZeros => a.trailing_zeros(),
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
        | UnaryOp::FastRsqrt => return None,
    })
}

/// A native row of one float; `None` where the row is legalised or takes no float.
#[inline(always)]
pub fn float_unary<T: Float>(op: UnaryOp, a: T) -> Option<T> {
    Some(match op {
        UnaryOp::Neg => a.neg(),
        UnaryOp::Abs => a.abs(),
        UnaryOp::Floor => a.floor(),
        UnaryOp::Ceil => a.ceil(),
        UnaryOp::Trunc => a.trunc(),
        UnaryOp::RoundEven => a.round_even(),
        UnaryOp::Sqrt => a.sqrt(),
        UnaryOp::Rsqrt => a.rsqrt(),
        UnaryOp::Recip => a.recip(),
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
        | UnaryOp::FastRsqrt => return None,
    })
}

/// A row of two integers; `None` where the row takes no integers.
#[inline(always)]
pub fn int_binary<T: Integer>(op: BinaryOp, a: T, b: T) -> Option<T> {
    Some(match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::Div => a.div(b),
        BinaryOp::Rem => a.rem(b),
        BinaryOp::Min => Number::minimum(a, b),
        BinaryOp::Max => Number::maximum(a, b),
        BinaryOp::MulHigh => a.mul_high(b),
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::Shl => a.shl(b),
        BinaryOp::Shr => a.shr(b),
        BinaryOp::MinNum | BinaryOp::MaxNum | BinaryOp::Pow | BinaryOp::Atan2 => return None,
    })
}

/// A native row of two floats; `None` where the row is legalised or takes no floats.
#[inline(always)]
pub fn float_binary<T: Float>(op: BinaryOp, a: T, b: T) -> Option<T> {
    Some(match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::Div => a.div(b),
        BinaryOp::Rem => a.rem(b),
        BinaryOp::Min => a.minimum(b),
        BinaryOp::Max => a.maximum(b),
        BinaryOp::MinNum => a.min_num(b),
        BinaryOp::MaxNum => a.max_num(b),
        BinaryOp::MulHigh
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Pow
        | BinaryOp::Atan2 => return None,
    })
}
