//! f64 and 64-bit integer operations as sequences, for devices whose own are missing or not correct.
//!
//! Invariants
//! - Each function has the bits of the native row or cast of the same meaning (`eval`), for every input.
//! - The leaves are exact: integer `+ - *`, shifts, bitwise operations, comparisons, selects, casts between
//!   integers, and of the counting rows `leading_zeros` of 32 bits. No float operation is
//!   used; `rsqrt_from` takes its estimate from the caller.
//! - Floats are told apart on the bits, so no device's view of NaN payloads or subnormals matters; a NaN result
//!   is the canonical one.
//! - 32-bit products that need 64 bits are written `x as u64 * y as u64` of `u32`s.
//!
//! Absent: f64 elementary functions, which the language does not have; widening casts to f64 of floats, which
//! every device with f64 has exactly.

mod convert;
mod fma;
mod integer;
mod quotient;
mod root;
mod round;

pub use convert::{
    f32_to_i64, f32_to_u64, f64_to_bf16, f64_to_f16, f64_to_f32, f64_to_i32, f64_to_i64,
    f64_to_u32, f64_to_u64, i32_to_f64, i64_to_bf16, i64_to_f16, i64_to_f32, i64_to_f64,
    u32_to_f64, u64_to_bf16, u64_to_f16, u64_to_f32, u64_to_f64,
};
pub use fma::fma;
pub use integer::{mul_high_i64, mul_high_u64};
pub use quotient::{div, recip, rem};
pub use root::{rsqrt, rsqrt_from, sqrt};
pub use round::{ceil, floor, round_even, trunc};

use crate::prelude::*;
use integer::leading_zeros;

/// Bits of +inf; a magnitude above it is a NaN.
const INF: u64 = 0x7ff0_0000_0000_0000;
/// The one NaN.
const NAN: u64 = 0x7ff8_0000_0000_0000;
/// The sign bit.
const SIGN: u64 = 1 << 63;
/// All bits but the sign.
const MAGNITUDE: u64 = SIGN - 1;
/// The hidden bit of a significand; bits of the least normal number.
const HIDDEN: u64 = 1 << 52;
/// The stored bits of a significand.
const SIGNIFICAND: u64 = HIDDEN - 1;
/// Bits of 1.0.
const ONE: u64 = 0x3ff0_0000_0000_0000;

/// The upper 32 bits.
#[device]
fn upper(x: Val<u64>) -> Val<u32> {
    (x >> 32) as u32
}

/// The exponent field of a double's bits.
#[device]
fn exponent(x: Val<u64>) -> Val<u32> {
    (upper(x) >> 20) & 0x7ff
}

/// 1 where the condition holds, else 0.
#[device]
fn flag(condition: Val<bool>) -> Val<u64> {
    select(condition, 1u64, 0u64)
}

/// A nonzero finite magnitude as a significand with its leading bit at 52, and the biased exponent that it then
/// has, below 1 for a subnormal. Zero gives no leading bit.
#[device]
fn normalised(magnitude: Val<u64>) -> (Val<u64>, Val<i32>) {
    let field = exponent(magnitude);
    let stored = magnitude & SIGNIFICAND;
    let up = leading_zeros(stored) - 11;
    let subnormal = field == 0;
    (
        select(subnormal, stored << up, stored | HIDDEN),
        select(subnormal, 1 - up as i32, field as i32),
    )
}

/// The bits of the magnitude `m * 2^(field - 1085)`, `m` with its leading bit at 63 or `field` 0, and bit 0 of `m`
/// set for whatever lies below it: rounded to nearest even, infinite from 2^1024. `field` is at most 3070.
#[device]
fn rounded(field: Val<u32>, m: Val<u64>) -> Val<u64> {
    let low = m as u32;
    let up = ((low & 0x7ff) + ((low >> 11) & 1) + 0x3ff) >> 11;
    let r = ((field as u64) << 52) + (m >> 11) + up as u64;
    select(r < INF, r, INF)
}

/// As `rounded`, with the biased exponent that a leading bit at 63 stands for, of any sign.
#[device]
fn packed(biased: Val<i32>, m: Val<u64>) -> Val<u64> {
    let tiny = biased < 1;
    let down = select(biased < -62, 63, 1 - biased) as u32;
    let kept = m >> down;
    let small = kept | flag((kept << down) != m);
    rounded(select(tiny, 0, biased - 1) as u32, select(tiny, small, m))
}
