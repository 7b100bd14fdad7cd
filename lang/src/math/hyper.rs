//! Hyperbolic functions and their inverses.
//!
//! Invariants
//! - Odd functions return a tiny argument itself, with its sign.

use super::exp::{exp_core, exp_two};
use super::log::log_two;
use super::recip::{recip_near, sqrt_core};
use super::{INF, MAGNITUDE, NAN, ONE, SIGN, coefficients, poly};
use crate::prelude::*;

/// Below this magnitude, 2^-13, an odd function with slope 1 is its argument.
const TINY: u32 = 0x39000000;

/// sinh x = x + x^3 p(x^2) for |x| <= 1.
const SINH: [f32; 4] = coefficients([0x3e2aaaab, 0x3c088863, 0x39501aa2, 0x36392bcd]);
/// tanh x = x + x^3 p(x^2) for |x| < 0.625.
const TANH: [f32; 5] = coefficients([0xbeaaaa99, 0x3e088382, 0xbd5c1c50, 0x3ca908e2, 0xbbbac7d6]);
/// asinh x = x + x^3 p(x^2) for |x| <= 1/2.
const ASINH: [f32; 6] =
    coefficients([0xbe2aaaab, 0x3d9999b6, 0xbd36d979, 0x3cf7dea2, 0xbcab809c, 0x3c2c981b]);
/// acosh(1 + d) = sqrt(2 d) (1 + d q(d)) for d in [0, 1/2].
const ACOSH: [f32; 6] =
    coefficients([0xbdaaaaab, 0x3c9999b6, 0xbbb6d97a, 0x3af7decb, 0xba2b81a1, 0x392c9c35]);
/// atanh x = x + x^3 p(x^2) for |x| <= 1/2.
const ATANH: [f32; 7] = coefficients([
    0x3eaaaaab, 0x3e4ccc6c, 0x3e1258ca, 0x3de15998, 0x3dce4810, 0x3cfa487b, 0x3e2d3890,
]);

/// `a + a^3 p(a^2)`.
#[device]
fn odd(a: Val<f32>, c: &[f32]) -> Val<f32> {
    let s = a * a;
    fma(poly(s, c), a * s, a)
}

/// The last selects of an odd function: `r` for the magnitude of `x`, the sign, tiny arguments, NaN.
#[device]
fn odd_guard(x: Val<f32>, r: Val<u32>) -> Val<f32> {
    let magnitude = bits(x) & MAGNITUDE;
    let r = select(magnitude < TINY, magnitude, r) ^ (bits(x) & SIGN);
    from_bits::<f32>(select(INF < magnitude, NAN, r))
}

/// `e^a +- e^-a` times 2^-k, for `a >= 0`, and `k` in the exponent's place.
///
/// e^a is a significand in two floats times 2^k; the reciprocal of the significand gives e^-a, and vanishes
/// beyond k = 15. The sum is Dekker's fast two-sum.
#[device]
fn exp_pair(a: Val<f32>, minus: bool) -> (Val<f32>, Val<u32>) {
    let (p, pl, shift) = exp_two(a, val(0.0f32));
    let y = recip_near(p);
    let z = select(shift <= (15 << 23), bits(y) - (shift + shift), 0u32);
    let z = from_bits::<f32>(if minus { z ^ SIGN } else { z });
    let r = p + z;
    let e = (z - (r - p)) + fma(-pl, z * y, pl);
    (r + e, shift)
}

/// Hyperbolic sine.
///
/// Up to 1 an odd polynomial (minimax); above, `(e^x - e^-x) / 2` with e^x in two floats.
#[device]
pub fn sinh(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let over = a >= f32::from_bits(0x42b2d4fd);
    let (r, shift) = exp_pair(select(over, 0.0, a), true);
    let v = select(a < 1.0, bits(odd(a, &SINH)), bits(r) + (shift - 0x00800000));
    odd_guard(x, select(over, INF, v))
}

/// Hyperbolic cosine: `(e^x + e^-x) / 2` with e^x in two floats.
#[device]
pub fn cosh(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let over = a >= f32::from_bits(0x42b2d4fd);
    let (r, shift) = exp_pair(select(over, 0.0, a), false);
    let v = select(over, INF, bits(r) + (shift - 0x00800000));
    from_bits::<f32>(select(INF < bits(a), NAN, v))
}

/// Hyperbolic tangent.
///
/// Below 0.625 an odd polynomial (minimax); above, `1 - 2 / (e^2x + 1)`.
#[device]
pub fn tanh(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let ac = select(a < 9.2, a, 9.2);
    let y = recip_near(exp_core(ac + ac) + 1.0);
    let big = fma(y, -2.0, 1.0);
    odd_guard(x, bits(select(a < 0.625, odd(a, &TANH), big)))
}

/// The sum of two floats, `a + b`, and what its rounding lost (Knuth).
#[device]
fn two_sum(a: Val<f32>, b: Val<f32>) -> (Val<f32>, Val<f32>) {
    let s = a + b;
    let v = s - a;
    (s, (a - (s - v)) + (b - v))
}

/// log(a + sqrt(a^2 + c)) for c = +-1: square, root, sum and logarithm each in two floats. From 2^12 on it is
/// log(2a).
#[device]
fn log_root(a: Val<f32>, c: f32) -> Val<f32> {
    let big = a >= 4096.0;
    let b = select(big, 2.0, a);
    let s = b * b;
    let (z, zl) = two_sum(s, val(c));
    let zl = zl + fma(b, b, -s);
    let (root, half) = sqrt_core(z);
    let rl = (fma(-root, root, z) + zl) * half;
    let w = b + root;
    let v = w - b;
    let wl = ((b - (w - v)) + (root - v)) + rl;
    let h = select(big, 0.5 * a, w);
    let l = select(big, 0.0, wl);
    let (r, _) = log_two(h, l, select(big, 2.0f32, 0.0));
    r
}

/// Inverse hyperbolic sine.
///
/// Below 1/2 an odd polynomial (minimax); above, `log(x + sqrt(x^2 + 1))` in two floats.
#[device]
pub fn asinh(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let r = log_root(select(bits(a) < INF, a, 1.0), 1.0);
    let v = bits(select(a < 0.5, odd(a, &ASINH), r));
    odd_guard(x, select(bits(a) == INF, INF, v))
}

/// Inverse hyperbolic cosine.
///
/// Below 1.5 `sqrt(2 d) (1 + d q(d))` with `d = x - 1` (minimax, the root in two floats); above,
/// `log(x + sqrt(x^2 - 1))` in two floats.
#[device]
pub fn acosh(x: Val<f32>) -> Val<f32> {
    let valid = (bits(x) - ONE) < (INF - ONE);
    let a = select(valid, x, 1.0);
    let d = a - 1.0;
    let z = d + d;
    let (root, half) = sqrt_core(z);
    let rl = fma(-root, root, z) * half;
    let near = root + fma(poly(d, &ACOSH) * d, root, rl);
    let far = log_root(select(a < 1.5, 1.5, a), -1.0);
    let v = select(valid, bits(select(a < 1.5, near, far)), NAN);
    from_bits::<f32>(select(bits(x) == INF, INF, v))
}

/// Inverse hyperbolic tangent.
///
/// Below 1/2 an odd polynomial (minimax); above, half of `log((1 + x) / (1 - x))`, quotient and logarithm in two
/// floats.
#[device]
pub fn atanh(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let inside = bits(a) < ONE;
    let b = select(inside & (a >= 0.5), a, 0.5);
    let d = 1.0 - b;
    let n = 1.0 + b;
    let nl = (1.0 - n) + b;
    let y = recip_near(d);
    let q = n * y;
    let ql = (fma(-d, q, n) + nl) * y;
    let (r, _) = log_two(q, ql, val(0.0f32));
    let v = bits(select(a < 0.5, odd(a, &ATANH), 0.5 * r));
    let r = odd_guard(x, select(inside, v, INF));
    from_bits::<f32>(select(ONE < bits(a), NAN, bits(r)))
}
