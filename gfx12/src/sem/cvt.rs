//! Conversions between numbers of different kinds.
//!
//! Invariants:
//! - Float to integer truncates unless the operation says otherwise, saturates, and gives 0 for NaN.

use super::float::{f16_to_f32, f32_to_f16_rtz};

/// The nearest integer of `x + 1/2` rounded down.
#[must_use]
pub fn nearest_i32(x: f32) -> i32 {
    (f64::from(x) + 0.5).floor() as i32
}

/// The floor of `x`.
#[must_use]
pub fn floor_i32(x: f32) -> i32 {
    x.floor() as i32
}

/// `x` in [-1, 1] as a fraction of 32767.
#[must_use]
pub fn norm_i16(x: f32) -> i16 {
    (f64::from(x).clamp(-1.0, 1.0) * 32767.0).round_ties_even() as i16
}

/// `x` in [0, 1] as a fraction of 65535.
#[must_use]
pub fn norm_u16(x: f32) -> u16 {
    (f64::from(x).clamp(0.0, 1.0) * 65535.0).round_ties_even() as u16
}

/// Two halves of a register.
#[must_use]
#[inline(always)]
pub fn pair(low: u16, high: u16) -> u32 {
    u32::from(low) | (u32::from(high) << 16)
}

/// Two f32 as f16, rounded towards zero.
#[must_use]
pub fn pk_rtz(low: f32, high: f32) -> u32 {
    pair(f32_to_f16_rtz(low), f32_to_f16_rtz(high))
}

/// One byte of `old` replaced by `x` as an unsigned byte.
#[must_use]
pub fn pk_u8(x: f32, place: u32, old: u32) -> u32 {
    let shift = 8 * (place & 3);
    let byte = x.round_ties_even().clamp(0.0, 255.0) as u32;
    (old & !(0xff << shift)) | (byte << shift)
}

/// The low nibble, as a signed number of sixteenths.
#[must_use]
pub fn off_f32_i4(x: u32) -> f32 {
    let signed = ((x << 28) as i32) >> 28;
    signed as f32 / 16.0
}

/// An f16 as an i16.
#[must_use]
pub fn i16_of_f16(h: u16) -> i16 {
    f16_to_f32(h) as i16
}

/// An f16 as a u16.
#[must_use]
pub fn u16_of_f16(h: u16) -> u16 {
    f16_to_f32(h) as u16
}

/// Two signed halves as unsigned bytes, saturated.
#[must_use]
pub fn sat_pk_u8(x: u32) -> u32 {
    let byte = |half: u32| (half as u16 as i16).clamp(0, 255) as u32;
    byte(x) | (byte(x >> 16) << 8)
}
