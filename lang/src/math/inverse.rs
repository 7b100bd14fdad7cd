//! Inverse trigonometric functions.
//!
//! Invariants
//! - Outside [-1, 1] arc sine and arc cosine are NaN; signs of zero follow C99.

use super::recip::{div_fix, recip_core, sqrt_core};
use super::reduce::PIO2;
use super::{INF, MIN_NORMAL, NAN, ONE, SIGN, SIGNIFICAND, coefficients, poly};
use crate::prelude::*;

/// atan x = x + x^3 p(x^2) for |x| <= 1.
const ATAN: [f32; 9] = coefficients([
    0xbeaaaa9f, 0x3e4cc8f6, 0xbe12108d, 0x3de04a36, 0xbdac12f9, 0x3d6d4e17, 0xbcff3e92, 0x3c32a8f1,
    0xbaead0d5,
]);
/// asin x = x + x^3 p(x^2) for |x| <= 1/2.
const ASIN: [f32; 6] =
    coefficients([0x3e2aaaa6, 0x3d999c4f, 0x3d36555b, 0x3d02579a, 0x3c6bc926, 0x3d19ea19]);

/// Factors whose exact product is pi/2 to twice the precision.
const HALF_PI: [f32; 2] = coefficients([0x3f6ecd6a, 0x3fd78aa7]);
/// Below this magnitude, 2^-13, an odd function with slope 1 is its argument.
const TINY: u32 = 0x39000000;

/// Arc tangent of `|q| <= 1`.
#[device]
fn atan_core(q: Val<f32>) -> Val<f32> {
    let s = q * q;
    fma(poly(s, &ATAN), q * s, q)
}

/// Arc tangent.
///
/// Above 1 it is `pi/2 - atan(1/x)`; an odd polynomial (minimax) on [0, 1]. pi/2 is a product of two floats inside
/// a fused multiply-add (N. Juffa).
#[device]
pub fn atan(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let big = a > 1.0;
    let y = recip_core(select(a < 8.0e30, a, 8.0e30));
    let r = atan_core(select(big, y, a));
    let r = bits(select(big, fma(val(HALF_PI[0]), HALF_PI[1], -r), r));
    let magnitude = bits(a);
    let r = select(magnitude < TINY, magnitude, r) ^ (bits(x) & SIGN);
    from_bits::<f32>(select(INF < magnitude, NAN, r))
}

/// Angle of the point (x, y) in (-pi, pi].
///
/// The smaller magnitude is divided by the larger on significands, the exponent set by integers, and the remainder
/// of the division kept; the arc tangent (as in `atan`) is added to or taken from the nearest axis, all sums in two
/// floats. Subnormal arguments count as zero.
#[device]
pub fn atan2(y: Val<f32>, x: Val<f32>) -> Val<f32> {
    let (ax, ay) = (bits(abs(x)), bits(abs(y)));
    let nan = (INF < ax) | (INF < ay);
    let ax = select(ax < MIN_NORMAL, 0u32, ax);
    let ay = select(ay < MIN_NORMAL, 0u32, ay);
    let swap = ax < ay;
    let (large, small) = (select(swap, ay, ax), select(swap, ax, ay));
    // Two infinities are as good as two ones.
    let both = small == INF;
    let (large, small) = (select(both, ONE, large), select(both, ONE, small));
    let small = select(large == INF, 0u32, small);
    let d = from_bits::<f32>((large & SIGNIFICAND) | ONE);
    let n = from_bits::<f32>((small & SIGNIFICAND) | ONE);
    let rc = recip_core(d);
    let q = div_fix(n, d, rc);
    let ql = fma(-d, q, n) * rc;
    let exponent = (small & INF) - (large & INF);
    let q = bits(q) + exponent;
    let q = select((q as i32) < (MIN_NORMAL as i32), 0u32, q);
    let q = select(small == 0, 0u32, q);
    let tiny = q < TINY;
    let ql = ql * from_bits::<f32>(select(tiny, 0u32, ONE + exponent));
    let q = from_bits::<f32>(q);
    let s = q * q;
    // The slope of the arc tangent, 1 / (1 + s), to 1 in 10.
    let t = fma(poly(s, &ATAN), q * s, fma(-0.5 * s, ql, ql));
    let t = select(tiny, 0.0, t);
    // r + rl, or its distance from the axis that it was measured from
    let negative = (bits(x) & SIGN) == SIGN;
    let side = select(swap ^ negative, SIGN, 0u32);
    let q = from_bits::<f32>(bits(q) ^ side);
    let t = from_bits::<f32>(bits(t) ^ side);
    let r = q + t;
    let rl = (q - r) + t;
    let turns = select(swap, 1.0, select(negative, 2.0f32, 0.0));
    let c = turns * PIO2[0];
    let u = c + r;
    let r = u + fma(turns, PIO2[1], (r - (u - c)) + rl);
    let r = bits(r) ^ (bits(y) & SIGN);
    from_bits::<f32>(select(nan, NAN, r))
}

/// `s + sl + s z p(z)`, the arc sine of the root of `z = s^2` up to 1/2, as a sum of two floats. For `a > 1/2`,
/// `z = (1 - a)/2` and `s` its root in two floats.
#[device]
fn asin_core(a: Val<f32>) -> (Val<f32>, Val<f32>, Val<bool>) {
    let big = a > 0.5;
    let zb = fma(a, -0.5, 0.5);
    let z = select(big, zb, a * a);
    let (root, half) = sqrt_core(zb);
    let rl = fma(-root, root, zb) * half;
    let s = select(big, root, a);
    (s, fma(poly(z, &ASIN), s * z, select(big, rl, 0.0)), big)
}

/// Arc sine.
///
/// Up to 1/2 an odd polynomial (minimax); above, `pi/2 - 2 asin(sqrt((1 - x)/2))` with the root, pi/2 and the
/// difference in two floats.
#[device]
pub fn asin(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let (s, t, big) = asin_core(a);
    let h = fma(s, -2.0, PIO2[0]);
    let l = fma(s, -2.0, PIO2[0] - h);
    let r = bits(select(big, h + (fma(t, -2.0, PIO2[1]) + l), s + t));
    let magnitude = bits(a);
    let r = select(magnitude < TINY, magnitude, r) ^ (bits(x) & SIGN);
    from_bits::<f32>(select(ONE < magnitude, NAN, r))
}

/// Arc cosine: `2 asin(sqrt((1 - |x|)/2))` or pi less that beyond 1/2, `pi/2 - asin(x)` within.
#[device]
pub fn acos(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let negative = SIGN <= bits(x);
    let big = a > 0.5;
    let zb = fma(a, -0.5, 0.5);
    let z = select(big, zb, a * a);
    let (root, _) = sqrt_core(zb);
    let s = select(big, root, a);
    let r = fma(poly(z, &ASIN), s * z, s);
    let r2 = 2.0 * r;
    let outer = select(negative, 2.0 * PIO2[0] + (2.0 * PIO2[1] - r2), r2);
    let r = from_bits::<f32>(bits(r) ^ (bits(x) & SIGN));
    let inner = PIO2[0] + (PIO2[1] - r);
    let v = bits(select(big, outer, inner));
    from_bits::<f32>(select(ONE < bits(a), NAN, v))
}
