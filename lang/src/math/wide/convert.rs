//! Conversions to, from and between 64-bit numbers, each with one rounding.
//!
//! Invariants
//! - To a float: nearest, ties to even. To an integer: truncated, saturating, NaN gives 0.
//! - f32 and 16-bit floats are made as bits; no float operation rounds on the way.

use super::{HIDDEN, INF, MAGNITUDE, SIGN, SIGNIFICAND, exponent, leading_zeros, rounded, upper};
use crate::prelude::*;

/// A narrower float: bits of its stored significand, its exponent bias, its infinity, its NaN.
#[derive(Clone, Copy, Debug)]
struct Narrow {
    stored_bits: u32,
    bias: u32,
    infinity: u32,
    nan: u32,
}

const F32: Narrow = Narrow { stored_bits: 23, bias: 127, infinity: 0x7f80_0000, nan: 0x7fc0_0000 };
const F16: Narrow = Narrow { stored_bits: 10, bias: 15, infinity: 0x7c00, nan: 0x7e00 };
const BF16: Narrow = Narrow { stored_bits: 7, bias: 127, infinity: 0x7f80, nan: 0x7fc0 };

/// `x` shifted right, rounded to nearest even; `x` below 2^63, the count from 1 to 63.
#[device]
fn shifted_to_even(x: Val<u64>, count: Val<u32>) -> Val<u64> {
    let odd = (x >> count) & 1;
    let half = (val(1u64) << count) >> 1;
    (x + (half - 1) + odd) >> count
}

/// The code of a double in a narrower float.
#[device]
fn narrowed(x: Val<f64>, to: Narrow) -> Val<u32> {
    let x = bits(x);
    let magnitude = x & MAGNITUDE;
    let dropped = 52 - to.stored_bits;
    // The exponent field from which results are normal.
    let least = 1024 - to.bias;
    let rebased = magnitude - (u64::from(least - 1) << 52);
    let significand = (magnitude & SIGNIFICAND) | HIDDEN;
    let field = upper(magnitude) >> 20;
    let small = field < least;
    // Beyond 63 the significand is below half of the least code, and at 63 already.
    let far = least + dropped - field;
    let far = select(far < 63, far, 63);
    let code = shifted_to_even(select(small, significand, rebased), select(small, far, dropped));
    let limit = u64::from(to.infinity);
    let code = select(code < limit, code, limit) as u32;
    let sign = (upper(x) >> 31) << (to.stored_bits + (to.infinity >> to.stored_bits).count_ones());
    select(INF < magnitude, to.nan, code | sign)
}

/// Nearest f32.
#[device]
pub fn f64_to_f32(x: Val<f64>) -> Val<f32> {
    from_bits::<f32>(narrowed(x, F32))
}

/// Nearest f16.
#[device]
pub fn f64_to_f16(x: Val<f64>) -> Val<f16> {
    from_bits::<f16>(narrowed(x, F16) as u16)
}

/// Nearest bf16.
#[device]
pub fn f64_to_bf16(x: Val<f64>) -> Val<bf16> {
    from_bits::<bf16>(narrowed(x, BF16) as u16)
}

/// The double with an integer's magnitude, as bits.
#[device]
fn double(x: Val<u64>) -> Val<u64> {
    let zeros = leading_zeros(x);
    let r = rounded(1085 - zeros, x << zeros);
    select(x == 0, 0u64, r)
}

/// Nearest double.
#[device]
pub fn u64_to_f64(x: Val<u64>) -> Val<f64> {
    from_bits::<f64>(double(x))
}

/// Nearest double.
#[device]
pub fn i64_to_f64(x: Val<i64>) -> Val<f64> {
    let (magnitude, sign) = signed(x);
    from_bits::<f64>(double(magnitude) | sign)
}

/// An integer's magnitude and its sign bit.
#[device]
fn signed(x: Val<i64>) -> (Val<u64>, Val<u64>) {
    let all = x >> 63;
    (((x ^ all) - all) as u64, (x as u64) & SIGN)
}

/// The double with a 32-bit integer's magnitude, as bits: always exact.
#[device]
fn double_of_short(x: Val<u32>) -> Val<u64> {
    let zeros = func::leading_zeros(x);
    let m = x << zeros;
    let high = ((1053 - zeros) << 20) + (m >> 11);
    select(x == 0, 0u64, ((high as u64) << 32) | (m << 21) as u64)
}

/// The double of this value.
#[device]
pub fn u32_to_f64(x: Val<u32>) -> Val<f64> {
    from_bits::<f64>(double_of_short(x))
}

/// The double of this value.
#[device]
pub fn i32_to_f64(x: Val<i32>) -> Val<f64> {
    let all = x >> 31;
    let sign = ((x as u32 & 0x8000_0000) as u64) << 32;
    from_bits::<f64>(double_of_short(((x ^ all) - all) as u32) | sign)
}

/// The code of an integer in a narrower float, infinite where it is too large.
#[device]
fn narrowed_integer(x: Val<u64>, to: Narrow) -> Val<u32> {
    let zeros = leading_zeros(x);
    let m = x << zeros;
    let code = shifted_to_even((m >> 1) | (m & 1), val(62 - to.stored_bits)) as u32;
    let code = ((to.bias + 62 - zeros) << to.stored_bits) + code;
    let code = select(code < to.infinity, code, to.infinity);
    select(x == 0, 0u32, code)
}

/// The sign of an integer at the place that a narrower float has it.
#[device]
fn sign_of(x: Val<i64>, place: u32) -> Val<u32> {
    (upper(x as u64) >> 31) << place
}

/// Nearest f32.
#[device]
pub fn u64_to_f32(x: Val<u64>) -> Val<f32> {
    from_bits::<f32>(narrowed_integer(x, F32))
}

/// Nearest f32.
#[device]
pub fn i64_to_f32(x: Val<i64>) -> Val<f32> {
    let (magnitude, _) = signed(x);
    from_bits::<f32>(narrowed_integer(magnitude, F32) | sign_of(x, 31))
}

/// Nearest f16.
#[device]
pub fn u64_to_f16(x: Val<u64>) -> Val<f16> {
    from_bits::<f16>(narrowed_integer(x, F16) as u16)
}

/// Nearest f16.
#[device]
pub fn i64_to_f16(x: Val<i64>) -> Val<f16> {
    let (magnitude, _) = signed(x);
    from_bits::<f16>((narrowed_integer(magnitude, F16) | sign_of(x, 15)) as u16)
}

/// Nearest bf16.
#[device]
pub fn u64_to_bf16(x: Val<u64>) -> Val<bf16> {
    from_bits::<bf16>(narrowed_integer(x, BF16) as u16)
}

/// Nearest bf16.
#[device]
pub fn i64_to_bf16(x: Val<i64>) -> Val<bf16> {
    let (magnitude, _) = signed(x);
    from_bits::<bf16>((narrowed_integer(magnitude, BF16) | sign_of(x, 15)) as u16)
}

/// The integral part of `m * 2^(power - 63)`, `m` with its leading bit at 63: 0 below 1, all ones from 2^64 on.
#[device]
fn integral(m: Val<u64>, power: Val<i32>) -> Val<u64> {
    let r = select(power < 0, 0u64, m >> (63 - power) as u32);
    select(63 < power, u64::MAX, r)
}

/// A magnitude with a sign as the nearest i64.
#[device]
fn saturated(magnitude: Val<u64>, negative: Val<bool>) -> Val<i64> {
    let limit = select(negative, SIGN, SIGN - 1);
    let r = select(magnitude < limit, magnitude, limit) as i64;
    select(negative, 0 - r, r)
}

/// A double's integral magnitude, 0 for NaN, and whether it is negative.
#[device]
fn parts(x: Val<f64>) -> (Val<u64>, Val<bool>) {
    let x = bits(x);
    let m = (x << 11) | SIGN;
    let r = integral(m, exponent(x) as i32 - 1023);
    (select(INF < (x & MAGNITUDE), 0u64, r), (x >> 63) != 0)
}

/// A float's integral magnitude, 0 for NaN, and whether it is negative.
#[device]
fn float_parts(x: Val<f32>) -> (Val<u64>, Val<bool>) {
    let x = bits(x);
    let m = ((x << 8) | 0x8000_0000) as u64;
    let r = integral(m << 32, ((x >> 23) & 0xff) as i32 - 127);
    (select(0x7f80_0000 < (x & 0x7fff_ffff), 0u64, r), (x >> 31) != 0)
}

/// Truncated to u64.
#[device]
pub fn f64_to_u64(x: Val<f64>) -> Val<u64> {
    let (magnitude, negative) = parts(x);
    select(negative, 0u64, magnitude)
}

/// Truncated to i64.
#[device]
pub fn f64_to_i64(x: Val<f64>) -> Val<i64> {
    let (magnitude, negative) = parts(x);
    saturated(magnitude, negative)
}

/// Truncated to u32.
#[device]
pub fn f64_to_u32(x: Val<f64>) -> Val<u32> {
    let (magnitude, negative) = parts(x);
    let r = select(upper(magnitude) == 0, magnitude as u32, u32::MAX);
    select(negative, 0u32, r)
}

/// Truncated to i32.
#[device]
pub fn f64_to_i32(x: Val<f64>) -> Val<i32> {
    let (magnitude, negative) = parts(x);
    let short = select(upper(magnitude) == 0, magnitude as u32, u32::MAX);
    let limit = select(negative, 0x8000_0000u32, 0x7fff_ffffu32);
    let r = select(short < limit, short, limit) as i32;
    select(negative, 0 - r, r)
}

/// Truncated to u64.
#[device]
pub fn f32_to_u64(x: Val<f32>) -> Val<u64> {
    let (magnitude, negative) = float_parts(x);
    select(negative, 0u64, magnitude)
}

/// Truncated to i64.
#[device]
pub fn f32_to_i64(x: Val<f32>) -> Val<i64> {
    let (magnitude, negative) = float_parts(x);
    saturated(magnitude, negative)
}
