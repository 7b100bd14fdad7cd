//! f32 to an integral f32, on the bits.

use crate::math::{MAGNITUDE, ONE, SIGN, SIGNIFICAND};
use crate::prelude::*;

/// The bits of `x` below its units, as a mask (all of the magnitude below 1), and what adds one unit to it.
#[device]
fn below(x: Val<u32>) -> (Val<u32>, Val<u32>) {
    let e = (x & MAGNITUDE) >> 23;
    let small = e < 127;
    let mask = SIGNIFICAND >> (min(max(e, 127), 150) - 127);
    (select(small, MAGNITUDE, mask), select(small, ONE, mask + 1))
}

/// The integral part, and one unit more in magnitude where `away` and something was cut off.
#[device]
fn cut(x: Val<u32>, away: Val<bool>) -> Val<f32> {
    let (mask, unit) = below(x);
    let whole = x & !mask;
    from_bits::<f32>(select(away & (whole != x), whole + unit, whole))
}

/// Integral part.
#[device]
pub fn trunc(x: Val<f32>) -> Val<f32> {
    let x = bits(x);
    let (mask, _) = below(x);
    from_bits::<f32>(x & !mask)
}

/// Largest integral value not above.
#[device]
pub fn floor(x: Val<f32>) -> Val<f32> {
    let x = bits(x);
    cut(x, SIGN <= x)
}

/// Smallest integral value not below.
#[device]
pub fn ceil(x: Val<f32>) -> Val<f32> {
    let x = bits(x);
    cut(x, x < SIGN)
}

/// Nearest integral value, halves to even. From 1 up, the lowest bit of the integral part is `x & unit`: that of 1
/// itself is the lowest bit of its exponent.
#[device]
pub fn round_even(x: Val<f32>) -> Val<f32> {
    let x = bits(x);
    let magnitude = x & MAGNITUDE;
    let (mask, unit) = below(x);
    let odd = ((x & unit) != 0) as u32;
    let large = (x + (mask >> 1) + odd) & !mask;
    let large = select((x & mask) == 0, x, large);
    let small = (x & SIGN) | select(0x3f000000 < magnitude, ONE, 0u32);
    from_bits::<f32>(select(magnitude < ONE, small, large))
}
