//! Rows of 64-bit integers from 32-bit halves.
//!
//! Invariants
//! - A device needs the counting rows of 32 bits only.

use super::upper;
use crate::prelude::*;

/// The 64-bit product of 32-bit factors.
#[device]
fn mul_wide(x: Val<u32>, y: Val<u32>) -> Val<u64> {
    x as u64 * y as u64
}

/// The 128-bit product, upper and lower half.
#[device]
pub(super) fn product(x: Val<u64>, y: Val<u64>) -> (Val<u64>, Val<u64>) {
    let (x0, x1) = (x as u32, upper(x));
    let (y0, y1) = (y as u32, upper(y));
    let low = mul_wide(x0, y0);
    // (2^32 - 1)^2 + 2 (2^32 - 1) is below 2^64, so neither sum wraps.
    let a = mul_wide(x1, y0) + (low >> 32);
    let b = mul_wide(x0, y1) + (a as u32) as u64;
    let high = mul_wide(x1, y1) + (a >> 32) + (b >> 32);
    (high, (b << 32) | (low as u32) as u64)
}

/// Upper half of the 128-bit product.
#[device]
pub fn mul_high_u64(x: Val<u64>, y: Val<u64>) -> Val<u64> {
    let (high, _) = product(x, y);
    high
}

/// Upper half of the signed 128-bit product: a negative factor counts 2^64 too much of the other.
#[device]
pub fn mul_high_i64(x: Val<i64>, y: Val<i64>) -> Val<i64> {
    let high = mul_high_u64(x as u64, y as u64) as i64;
    high - ((x >> 63) & y) - ((y >> 63) & x)
}

/// Zero bits above the highest one; 64 for 0.
#[device]
pub(super) fn leading_zeros(x: Val<u64>) -> Val<u32> {
    let high = upper(x);
    let none = high == 0;
    func::leading_zeros(select(none, x as u32, high)) + select(none, 32u32, 0u32)
}
