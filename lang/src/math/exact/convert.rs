//! Conversions between 32-bit integers and floats of 32 bits and fewer.
//!
//! Invariants
//! - To floats with one rounding; to integers truncating and saturating, NaN to 0.

use super::{
    pack::nearest,
    storage::{narrow_bf16_bits, narrow_f16_bits},
};
use crate::math::{INF, MAGNITUDE, SIGN};
use crate::prelude::*;

/// 2^31 as f32.
const TWO_31: u32 = 0x4f000000;
/// 2^32 as f32.
const TWO_32: u32 = 0x4f800000;

/// `x` shifted up to bit 31, and what to add to its upper 24 bits to make the f32; for 0 both are 0.
#[device]
fn split(x: Val<u32>) -> (Val<u32>, Val<u32>) {
    let z = leading_zeros(x);
    (x << z, select(x == 0, 0u32, (157 - z) << 23))
}

/// The sign bit and the magnitude.
#[device]
fn sign_of(x: Val<i32>) -> (Val<u32>, Val<u32>) {
    let mask = (x >> 31) as u32;
    (mask & SIGN, ((x as u32) ^ mask) - mask)
}

/// The f32 nearest to `x`, as bits.
#[device]
fn near(x: Val<u32>) -> Val<u32> {
    let (m, field) = split(x);
    nearest(m) + field
}

/// The f32 of `x` rounded to odd, as bits: a later rounding to at most 22 bits is the only one.
#[device]
fn odd(x: Val<u32>) -> Val<u32> {
    let (m, field) = split(x);
    ((m >> 8) | (((m & 0xff) != 0) as u32)) + field
}

/// Nearest f32, ties to even.
#[device]
pub fn from_u32(x: Val<u32>) -> Val<f32> {
    from_bits::<f32>(near(x))
}

/// Nearest f32, ties to even.
#[device]
pub fn from_i32(x: Val<i32>) -> Val<f32> {
    let (sign, magnitude) = sign_of(x);
    from_bits::<f32>(near(magnitude) | sign)
}

/// The bits of the nearest f16, ties to even, rounded once.
#[device]
pub fn u32_to_f16(x: Val<u32>) -> Val<u32> {
    narrow_f16_bits(odd(x))
}

/// The bits of the nearest f16, ties to even, rounded once.
#[device]
pub fn i32_to_f16(x: Val<i32>) -> Val<u32> {
    let (sign, magnitude) = sign_of(x);
    narrow_f16_bits(odd(magnitude) | sign)
}

/// The bits of the nearest bf16, ties to even, rounded once.
#[device]
pub fn u32_to_bf16(x: Val<u32>) -> Val<u32> {
    narrow_bf16_bits(odd(x))
}

/// The bits of the nearest bf16, ties to even, rounded once.
#[device]
pub fn i32_to_bf16(x: Val<i32>) -> Val<u32> {
    let (sign, magnitude) = sign_of(x);
    narrow_bf16_bits(odd(magnitude) | sign)
}

/// The integer part of a magnitude below 2^32.
#[device]
fn whole(a: Val<u32>) -> Val<u32> {
    let m = (a << 8) | 0x80000000;
    select(a < 0x3f800000, 0u32, m >> (158 - (a >> 23)))
}

/// What a magnitude of 2^31 or more becomes.
#[device]
fn limit(x: Val<u32>) -> Val<i32> {
    let end = select(x < SIGN, i32::MAX, i32::MIN);
    select(INF < (x & MAGNITUDE), 0, end)
}

/// Truncates, saturates, NaN to 0.
#[device]
pub fn to_u32(x: Val<f32>) -> Val<u32> {
    let x = bits(x);
    select(x < TWO_32, whole(x), select(x <= INF, u32::MAX, 0u32))
}

/// Truncates, saturates, NaN to 0.
#[device]
pub fn to_i32(x: Val<f32>) -> Val<i32> {
    let x = bits(x);
    let a = x & MAGNITUDE;
    let mask = (x as i32) >> 31;
    let inside = ((whole(a) as i32) ^ mask) - mask;
    select(a < TWO_31, inside, limit(x))
}

/// As `to_u32` by the native conversion, which sees numbers in [0, 2^32) only.
#[device]
pub fn to_u32_guarded(x: Val<f32>) -> Val<u32> {
    let xb = bits(x);
    let inside = xb < TWO_32;
    let native = select(inside, x, 0.0) as u32;
    select(inside, native, select(xb <= INF, u32::MAX, 0u32))
}

/// As `to_i32` by the native conversion, which sees numbers in (-2^31, 2^31) only.
#[device]
pub fn to_i32_guarded(x: Val<f32>) -> Val<i32> {
    let xb = bits(x);
    let inside = (xb & MAGNITUDE) < TWO_31;
    let native = select(inside, x, 0.0) as i32;
    select(inside, native, limit(xb))
}
