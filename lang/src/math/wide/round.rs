//! Roundings of f64 to integral values, in integers.
//!
//! Invariants
//! - The sign of zero and of results that round to zero is the operand's.

use super::{INF, MAGNITUDE, NAN, ONE, SIGN, exponent};
use crate::prelude::*;

/// The place of the fraction in a double's bits: whether there is none, whether the magnitude is below 1, how
/// many bits it has, and their mask. The last two hold in between only.
#[device]
fn fraction(x: Val<u64>) -> (Val<bool>, Val<bool>, Val<u32>, Val<u64>) {
    let field = exponent(x);
    let count = 1075 - field;
    (1074 < field, field < 1023, count, (val(1u64) << count) - 1)
}

/// The result's bits from those of the operand: itself where it is integral, and canonical where it is NaN.
#[device]
fn finished(x: Val<u64>, integral: Val<bool>, r: Val<u64>) -> Val<f64> {
    let r = select(integral, x, r);
    from_bits::<f64>(select(INF < (x & MAGNITUDE), NAN, r))
}

/// Integral part.
#[device]
pub fn trunc(x: Val<f64>) -> Val<f64> {
    let x = bits(x);
    let (integral, small, _, mask) = fraction(x);
    finished(x, integral, select(small, x & SIGN, x & !mask))
}

/// Away from zero where `away`, else towards it.
#[device]
fn directed(x: Val<f64>, outward: u64) -> Val<f64> {
    let x = bits(x);
    let (integral, small, _, mask) = fraction(x);
    let away = (x & SIGN) == outward;
    let unit = select((x & MAGNITUDE) == 0, 0u64, ONE);
    let up = (x + select(away, mask, 0u64)) & !mask;
    let near = (x & SIGN) | select(away, unit, 0u64);
    finished(x, integral, select(small, near, up))
}

/// Largest integral value not above.
#[device]
pub fn floor(x: Val<f64>) -> Val<f64> {
    directed(x, SIGN)
}

/// Smallest integral value not below.
#[device]
pub fn ceil(x: Val<f64>) -> Val<f64> {
    directed(x, 0)
}

/// Nearest integral value, halves to even.
///
/// The bit above the fraction says whether the integral part is odd; for 1 it is the exponent's last one, which
/// is set.
#[device]
pub fn round_even(x: Val<f64>) -> Val<f64> {
    let x = bits(x);
    let (integral, small, count, mask) = fraction(x);
    let odd = (x >> count) & 1;
    let near = (x + (mask >> 1) + odd) & !mask;
    let unit = select(0x3fe0_0000_0000_0000 < (x & MAGNITUDE), ONE, 0u64);
    finished(x, integral, select(small, (x & SIGN) | unit, near))
}
