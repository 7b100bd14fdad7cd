//! Logarithms: the exponent by integers, a minimax polynomial in `m - 1`.
//!
//! Invariants
//! - A significand `m` lies in [2/3, 4/3), so that the exponent is 0 around 1 and nothing cancels there.
//! - Subnormal arguments are normalised by an exact conversion from integer.

use super::exp::LN2_HI;
use super::{EXPONENT, INF, MAGNITUDE, MIN_NORMAL, NAN, NEG_INF, ONE, coefficients, poly};
use crate::prelude::*;

/// Bits of 2/3: significands from here up to 4/3 have exponent 0.
const SPLIT: u32 = 0x3f2aaaab;
/// ln 2 in two parts, of which the first times an exponent is exact.
const LN2_SHORT: f32 = f32::from_bits(0x3f317200);
const LN2_REST: f32 = f32::from_bits(0x35bfbe8e);

/// log10(2) in two parts, of which the first times an exponent is exact.
const LOG10_2_SHORT: f32 = f32::from_bits(0x3e9a2000);
const LOG10_2_REST: f32 = f32::from_bits(0x369a84fc);
/// 1 / ln 2; the second part is fitted together with `LOG2`.
const INV_LN2: [f32; 2] = coefficients([0x3fb8aa3b, 0x32d67f70]);
/// 1 / ln 10.
const INV_LN10: [f32; 2] = coefficients([0x3ede5bd9, 0xb22d91af]);

/// log(1 + f) = f + f^2 q(f) for |f| <= 1/3.
const LOG: [f32; 9] = coefficients([
    0xbf000000, 0x3eaaaa81, 0xbe7fff8a, 0x3e4ce8e3, 0xbe2acc02, 0x3e0f6068, 0xbdf9d3c4, 0x3e0f6370,
    0xbe03676e,
]);
/// log2(1 + f) = f / ln2 + f^2 q(f) for |f| <= 1/3.
const LOG2: [f32; 9] = coefficients([
    0xbf38aa3c, 0x3ef637fa, 0xbeb8a952, 0x3e93d2e0, 0xbe76880c, 0x3e4e8a7e, 0xbe32e1dd, 0x3e501beb,
    0xbe428119,
]);
/// log10(1 + f) = f / ln10 + f^2 q(f) for |f| <= 1/3.
const LOG10: [f32; 9] = coefficients([
    0xbe5e5bd9, 0x3e143d29, 0xbdde5b1d, 0x3db1f3c6, 0xbd946646, 0x3d7a00dc, 0xbd57c01f, 0x3d74b994,
    0xbd69a4b2,
]);
/// log(1 + f) = f + f^2 q(f) for f in [-1/4, 1/2].
pub(super) const LOG1P: [f32; 10] = coefficients([
    0xbf000000, 0x3eaaaaad, 0xbe800037, 0x3e4ccbaf, 0xbe2a8ce6, 0x3e12322b, 0xbe0257a8, 0x3def887e,
    0xbdba6ae8, 0x3d19e438,
]);

/// The positive `x = m 2^e`: `m - 1`, and `e` as a float.
#[device]
fn split(x: Val<f32>) -> (Val<f32>, Val<f32>) {
    let xb = bits(x);
    let subnormal = xb < MIN_NORMAL;
    let xx = select(subnormal, bits((xb as i32) as f32), xb);
    let adjust = select(subnormal, -149.0f32, 0.0);
    let d = xx - SPLIT;
    let m = from_bits::<f32>(xx - (d & EXPONENT));
    (m - 1.0, (((d as i32) >> 23) as f32) + adjust)
}

/// The special cases of a logarithm `r` of `x`.
#[device]
fn guard(x: Val<f32>, r: Val<f32>) -> Val<f32> {
    let xb = bits(x);
    let r = select(xb < INF, bits(r), NAN);
    let r = select(xb == INF, INF, r);
    from_bits::<f32>(select((xb & MAGNITUDE) == 0, NEG_INF, r))
}

/// Natural logarithm.
///
/// `x = m 2^e`, `f = m - 1`, `e ln2 + (f + f^2 q(f))` with a minimax polynomial of degree 8.
#[device]
pub fn log(x: Val<f32>) -> Val<f32> {
    let (f, e) = split(x);
    let r = fma(poly(f, &LOG), f * f, f);
    guard(x, fma(e, LN2_HI, r))
}

/// `c f + q f^2` with `c` in two parts: the rounded leading product, and all the rest.
#[device]
fn terms(f: Val<f32>, c: [f32; 2], q: Val<f32>) -> (Val<f32>, Val<f32>) {
    let h = f * c[0];
    let l = fma(f, c[0], -h);
    (h, fma(q, f * f, fma(f, c[1], l)))
}

/// Logarithm to base 2.
///
/// `x = m 2^e`, `f = m - 1`, `e + (f / ln2 + f^2 q(f))`: the sum with `e` cancels, so the linear term is a
/// product in two floats and the sum is Dekker's fast two-sum.
#[device]
pub fn log2(x: Val<f32>) -> Val<f32> {
    let (f, e) = split(x);
    let (h, t) = terms(f, INV_LN2, poly(f, &LOG2));
    let s = e + h;
    guard(x, s + ((h - (s - e)) + t))
}

/// Logarithm to base 10.
///
/// As `log2`, with `e log10(2)` in two parts, of which the first is exact.
#[device]
pub fn log10(x: Val<f32>) -> Val<f32> {
    let (f, e) = split(x);
    let (h, t) = terms(f, INV_LN10, poly(f, &LOG10));
    let base = e * LOG10_2_SHORT;
    let s = base + h;
    guard(x, s + fma(e, LOG10_2_REST, (h - (s - base)) + t))
}

/// log(1 + x).
///
/// The exponent is taken from the rounded `1 + x`, then `x` itself is scaled by an integer subtraction so that
/// `f = (1 + x) 2^-e - 1` has the bits that `1 + x` lost (N. Juffa); `f + f^2 q(f)` with degree 9.
#[device]
pub fn log1p(x: Val<f32>) -> Val<f32> {
    let xb = bits(x);
    let e = (bits(x + 1.0) - 0x3f400000) & EXPONENT;
    let scale = from_bits::<f32>(0x40800000 - e);
    let f = from_bits::<f32>(xb - e) + fma(scale, 0.25, -1.0);
    let r = fma(poly(f, &LOG1P), f * f, f);
    // The exponent stands 23 bits up, hence ln2 * 2^-23.
    let r = bits(fma((e as i32) as f32, f32::from_bits(0x33b17218), r));
    let magnitude = xb & MAGNITUDE;
    let r = select(magnitude < 0x33000000, xb, r);
    let r = select(xb == INF, INF, r);
    let r = select(xb == 0xbf800000, NEG_INF, r);
    from_bits::<f32>(select((0xbf800000 < xb) | (INF < magnitude), NAN, r))
}

/// log((h + l) 2^extra) as a sum of two floats, for normal positive `h` below 2^126 and `l` below an ULP of it.
#[device]
pub(super) fn log_two(h: Val<f32>, l: Val<f32>, extra: Val<f32>) -> (Val<f32>, Val<f32>) {
    let d = bits(h) - SPLIT;
    let eb = d & EXPONENT;
    let f = from_bits::<f32>(bits(h) - eb) - 1.0;
    let c = l * from_bits::<f32>(ONE - eb);
    let t = fma(poly(f, &LOG), f * f, fma(-c, f, c));
    let e = (((d as i32) >> 23) as f32) + extra;
    let base = e * LN2_SHORT;
    let s = base + f;
    let t = fma(e, LN2_REST, (f - (s - base)) + t);
    let r = s + t;
    (r, (s - r) + t)
}
