//! Exponentials: argument reduction by Cody and Waite, a minimax polynomial, the exponent by an integer add.
//!
//! Invariants
//! - Results below 2^-126 are +0; NaN never meets exponent arithmetic unselected.

use super::{INF, MAGIC, MAGNITUDE, NAN, coefficients, poly};
use crate::prelude::*;

/// log2(e), rounded.
const LOG2_E: f32 = f32::from_bits(0x3fb8aa3b);
/// ln 2 in two parts.
pub(super) const LN2_HI: f32 = f32::from_bits(0x3f317218);
/// The second part of ln 2.
pub(super) const LN2_LO: f32 = f32::from_bits(0xb102e308);
/// The first x whose e^x rounds to infinity.
const EXP_OVERFLOW: f32 = f32::from_bits(0x42b17218);
/// The least x with e^x at or above 2^-126.
pub(super) const EXP_UNDERFLOW: f32 = f32::from_bits(0xc2aeac4f);

/// e^r = p(r) for |r| <= ln2 / 2.
const EXP: [f32; 7] = coefficients([
    0x3f800000, 0x3f800000, 0x3efffffd, 0x3e2aaa49, 0x3d2aad13, 0x3c091cbe, 0x3ab4a641,
]);
/// 2^r = p(r) for |r| <= 1/2.
pub(super) const EXP2: [f32; 7] = coefficients([
    0x3f800000, 0x3f317218, 0x3e75fdec, 0x3d6357bb, 0x3c1d9850, 0x3aaf85c1, 0x391fd103,
]);
/// e^r = 1 + r + r^2 q(r) for |r| <= ln2 / 2.
const EXPM1: [f32; 6] =
    coefficients([0x3f000000, 0x3e2aaaaa, 0x3d2aaa78, 0x3c088983, 0x3ab6a1b3, 0x394f05f2]);

/// `x = k ln2 + r`: `r`, and `k` in the exponent's place.
#[device]
fn reduce(x: Val<f32>) -> (Val<f32>, Val<u32>) {
    let t = fma(x, LOG2_E, MAGIC);
    let k = t - MAGIC;
    let r = fma(-k, LN2_LO, fma(-k, LN2_HI, x));
    (r, bits(t) << 23)
}

/// As `reduce`, with what the rounding of `r` loses: `r + rl`, and `k` in the exponent's place.
#[device]
fn reduce_two(x: Val<f32>) -> (Val<f32>, Val<f32>, Val<u32>) {
    let t = fma(x, LOG2_E, MAGIC);
    let k = t - MAGIC;
    let r0 = fma(-k, LN2_HI, x);
    let r = fma(-k, LN2_LO, r0);
    (r, fma(-k, LN2_LO, r0 - r), bits(t) << 23)
}

/// e^x in parts, without guards: a significand in [0.7, 1.42] and the power of two in the exponent's place.
#[device]
pub(super) fn exp_parts(x: Val<f32>) -> (Val<f32>, Val<u32>) {
    let (r, shift) = reduce(x);
    (poly(r, &EXP), shift)
}

/// e^(x + xl) in parts, without guards, the significand as a sum of two floats.
#[device]
pub(super) fn exp_two(x: Val<f32>, xl: Val<f32>) -> (Val<f32>, Val<f32>, Val<u32>) {
    let (r, rl, shift) = reduce_two(x);
    let rl = rl + xl;
    let one = 1.0 + r;
    let rest = fma(r * r, poly(r, &EXPM1), (r - (one - 1.0)) + rl);
    let p = one + rest;
    (p, fma(rl, p - 1.0, (one - p) + rest), shift)
}

/// e^x without guards.
#[device]
pub(super) fn exp_core(x: Val<f32>) -> Val<f32> {
    let (p, shift) = exp_parts(x);
    from_bits::<f32>(bits(p) + shift)
}

/// The special cases of an exponential with the bits `r` of `x` that is 0 below `low` and infinite from `high` on.
///
/// Bits in range are at most infinity's. Said once, it is known to the compiler, which then knows of no NaN but the one.
#[device]
fn guard(x: Val<f32>, r: Val<u32>, low: f32, high: f32) -> Val<f32> {
    let r = select(x < low, 0u32, min(r, INF));
    let r = select(x >= high, INF, r);
    from_bits::<f32>(select(INF < (bits(x) & MAGNITUDE), NAN, r))
}

/// e^x.
///
/// `x = k ln2 + r` with ln2 in two parts (Cody and Waite), a polynomial of degree 6 (minimax), times 2^k.
#[device]
pub fn exp(x: Val<f32>) -> Val<f32> {
    let (p, shift) = exp_parts(x);
    guard(x, bits(p) + shift, EXP_UNDERFLOW, EXP_OVERFLOW)
}

/// 2^x.
///
/// `x = k + r` exactly, a polynomial of degree 6 (minimax), times 2^k.
#[device]
pub fn exp2(x: Val<f32>) -> Val<f32> {
    let t = x + MAGIC;
    let r = x - (t - MAGIC);
    guard(x, bits(poly(r, &EXP2)) + (bits(t) << 23), -126.0, 128.0)
}

/// e^x - 1.
///
/// `x = k ln2 + r` (Cody and Waite), `e^r - 1 = r + r^2 q(r)` as a sum of two floats, then
/// `2^k (e^r - 1) + (2^k - 1)` added without loss (Dekker's fast two-sum). Half of it is formed, so that 2^128 is not.
#[device]
pub fn expm1(x: Val<f32>) -> Val<f32> {
    let (r, rl, shift) = reduce_two(select(x < -18.0, -18.0, x));
    let t = poly(r, &EXPM1) * (r * r);
    let p = r + t;
    let pl = ((r - p) + t) + rl;
    let s = from_bits::<f32>(shift + 0x3f000000);
    let h = s * p;
    let base = s - 0.5;
    let v = base + h;
    let rest = (h - (v - base)) + ((s - base) - 0.5);
    let v = v + fma(s, pl, rest);
    let v = bits(v + v);
    let magnitude = bits(x) & MAGNITUDE;
    let v = select(x >= EXP_OVERFLOW, INF, v);
    let v = select(magnitude < 0x33000000, bits(x), v);
    from_bits::<f32>(select(INF < magnitude, NAN, v))
}
