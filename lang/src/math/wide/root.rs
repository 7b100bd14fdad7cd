//! Square roots of f64, correctly rounded, in integers.
//!
//! Invariants
//! - The root is found bit by bit; its reciprocal by exact comparisons with midpoints near an estimate.

use super::{INF, MAGNITUDE, NAN, SIGN, flag, integer, normalised, quotient, rounded};
use crate::prelude::*;

/// 54 bits of the square root of `m`, which has its leading bit at 63 or 62, and whether it is inexact. Two bits
/// of the radicand enter each step; the remainder is at most twice the root.
#[device]
fn digits(m: Val<u64>) -> (Val<u64>, Val<bool>) {
    let mut radicand = m;
    let mut rest = val(0u64);
    let mut root = val(0u64);
    for _ in val(0u32)..54 {
        let wide = (rest << 2) | (radicand >> 62);
        let trial = (root << 2) | 1;
        let fits = trial <= wide;
        rest = wide - select(fits, trial, 0u64);
        root = (root << 1) | flag(fits);
        radicand = radicand << 2;
    }
    (root, rest != 0)
}

/// Square root.
#[device]
pub fn sqrt(x: Val<f64>) -> Val<f64> {
    let x = bits(x);
    let magnitude = x & MAGNITUDE;
    let (m, e) = normalised(magnitude);
    // x = m * 2^(e - 1075); with an even exponent less 1023 the significand lies in [1, 2), else in [2, 4).
    let odd = (e & 1) == 0;
    let (root, inexact) = digits(select(odd, m << 11, m << 10));
    let half = ((e + 1023) >> 1) as u32;
    let r = rounded(half - 1, (root << 10) | flag(inexact));
    let r = select(x < INF, r, NAN);
    let keep = (magnitude == 0) | (x == INF);
    from_bits::<f64>(select(keep, x, r))
}

/// `1 / sqrt(x)` from an estimate within two units of the last place.
///
/// With `m` the significand of `x` and `t` twice the midpoint above a candidate, `m t^2` is compared with a power
/// of two, which is at least 2^128 and differs from it by less than 2^127. So bit 127 of the product says which
/// is larger. There are no ties.
#[device]
pub fn rsqrt_from(x: Val<f64>, estimate: Val<f64>) -> Val<f64> {
    let x = bits(x);
    let magnitude = x & MAGNITUDE;
    let (m, _) = normalised(magnitude);
    let mut y = bits(estimate) - 2;
    for _ in val(0u32)..4 {
        let t = ((y & super::SIGNIFICAND) | super::HIDDEN) * 2 + 1;
        let (square_high, square) = integer::product(t, t);
        let high = integer::mul_high_u64(square, m) + square_high * m;
        y = y + (high >> 63);
    }
    let r = select(x < INF, y, NAN);
    let r = select(x == INF, 0u64, r);
    from_bits::<f64>(select(magnitude == 0, (x & SIGN) | INF, r))
}

/// `1 / sqrt(x)`.
#[device]
pub fn rsqrt(x: Val<f64>) -> Val<f64> {
    rsqrt_from(x, quotient::recip(sqrt(x)))
}
