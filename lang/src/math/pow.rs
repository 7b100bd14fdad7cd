//! x to the power y.
//!
//! Invariants
//! - The special cases are those of C99; a subnormal y counts as zero.

use super::exp::EXP2;
use super::recip::recip_near;
use super::{EXPONENT, INF, MAGIC, MAGNITUDE, MIN_NORMAL, NAN, ONE, SIGN, poly};
use crate::prelude::*;

/// The series of log2 in s = (m - 1)/(m + 1): 2/ln2 in two parts for the linear term.
const LINEAR: [f32; 2] = [f32::from_bits(0x4038aa3b), f32::from_bits(0x33257060)];
/// The cubic coefficient in two parts.
const CUBIC: [f32; 2] = [f32::from_bits(0x3f76384f), f32::from_bits(0xb1f17f01)];
/// The coefficients after it.
const REST: [f32; 3] =
    [f32::from_bits(0x3f13bb66), f32::from_bits(0x3ed2fa70), f32::from_bits(0x3eaa3d79)];

/// log2 of the positive number with bits `a`, as a sum of two floats.
///
/// `m` in [sqrt(1/2), sqrt 2), `s = (m - 1)/(m + 1)`; s, its powers and the terms up to the cubic one are kept
/// in two floats.
#[device]
fn log2_two(a: Val<u32>) -> (Val<f32>, Val<f32>) {
    let subnormal = a < MIN_NORMAL;
    let xx = select(subnormal, bits((a as i32) as f32), a);
    let d = xx - 0x3f3504f3;
    let m = from_bits::<f32>(xx - (d & EXPONENT));
    let e = (((d as i32) >> 23) as f32) + select(subnormal, -149.0f32, 0.0);
    let f = m - 1.0;
    let g = m + 1.0;
    let gl = m - (g - 1.0);
    let rc = recip_near(g);
    let s = f * rc;
    let sl = fma(-gl, s, fma(-g, s, f)) * rc;
    let s2 = s * s;
    let s2l = fma(s, sl + sl, fma(s, s, -s2));
    let s3 = s2 * s;
    let s3l = fma(s2, sl, fma(s2l, s, fma(s2, s, -s3)));
    // The cubic coefficient takes in the rest of the series.
    let u = poly(s2, &REST) * s2 + CUBIC[1];
    let c = u + CUBIC[0];
    let cl = u - (c - CUBIC[0]);
    let t = s3 * c;
    let tl = fma(s3l, c, fma(s3, cl, fma(s3, c, -t)));
    let h = s * LINEAR[0];
    let l = fma(sl, LINEAR[0], fma(s, LINEAR[1], fma(s, LINEAR[0], -h))) + tl;
    let sum = h + t;
    let l = (t - (sum - h)) + l;
    let top = e + sum;
    let l = (sum - (top - e)) + l;
    let r = top + l;
    (r, l - (r - top))
}

/// 2^(h + l), 0 below 2^-126.
#[device]
fn exp2_two(h: Val<f32>, l: Val<f32>) -> Val<u32> {
    let hc = select(h > 200.0, 200.0, h);
    let hc = select(hc < -200.0, -200.0, hc);
    let t = hc + MAGIC;
    let r = (hc - (t - MAGIC)) + l;
    let v = bits(poly(r, &EXP2)) + (bits(t) << 23);
    let total = h + l;
    // The sum may round up to 128, or to -126, while the power is below: its own bits decide there.
    let v = select((total > 128.5) | (v >= INF), INF, v);
    select((total < -126.0) | (v < MIN_NORMAL), 0u32, v)
}

/// Whether the number of magnitude `a` is an integer, and whether it is an odd one.
#[device]
fn parity(a: Val<u32>) -> (Val<bool>, Val<bool>) {
    let t = from_bits::<f32>(a) + MAGIC;
    let small = a < 0x4a800000;
    let ge23 = a >= 0x4b000000;
    let integer = select(small, (t - MAGIC) == from_bits::<f32>(a), ge23 | ((a & 1) == 0));
    let low = select(ge23, a & 1, select(small, bits(t) & 1, (a >> 1) & 1));
    (integer, integer & (a < 0x4b800000) & (low == 1))
}

/// x to the power y.
///
/// `2^(y log2 x)` with log2 in two floats by the series of the inverse hyperbolic tangent, the product in two
/// floats, and the exponential of `exp2`.
#[device]
pub fn pow(x: Val<f32>, y: Val<f32>) -> Val<f32> {
    let (ax, ay) = (bits(x) & MAGNITUDE, bits(y) & MAGNITUDE);
    let ay = select(ay < MIN_NORMAL, 0u32, ay);
    let (sx, sy) = (bits(x) & SIGN, bits(y) & SIGN);
    // Beyond 2^40 every y gives 0, 1 or infinity.
    let yc = from_bits::<f32>(select(0x53800000 < ay, 0x53800000u32, ay) | sy);
    let (h, l) = log2_two(ax);
    let p = yc * h;
    let v = exp2_two(p, fma(yc, l, fma(yc, h, -p)));

    let (integer, odd) = parity(ay);
    let negative = sy == SIGN;
    let v = select(ax == 0, select(negative, INF, 0u32), v);
    let v = select(ax == INF, select(negative, 0u32, INF), v);
    let grows = (ONE < ax) ^ negative;
    let v = select(ay == INF, select(ax == ONE, ONE, select(grows, INF, 0u32)), v);
    let v = v ^ select(odd, sx, 0u32);
    let ordinary = (ax != 0) & (ax != INF) & (ay != INF);
    let invalid = ((sx == SIGN) & !integer & ordinary) | (INF < ax) | (INF < ay);
    let v = select(invalid, NAN, v);
    from_bits::<f32>(select((ay == 0) | (bits(x) == ONE), ONE, v))
}
