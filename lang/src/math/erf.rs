//! The error function and its inverse.
//!
//! Invariants
//! - A subnormal argument counts as zero.

use super::exp::exp_core;
use super::log::log_two;
use super::recip::sqrt_core;
use super::{INF, MIN_NORMAL, NAN, ONE, SIGN, coefficients, poly};
use crate::prelude::*;

/// erf x = x + x p(x^2) for |x| < 0.9277.
const ERF: [f32; 7] = coefficients([
    0x3e0375d4, 0xbec093a1, 0x3de716f6, 0xbcdc066d, 0x3baa5d9d, 0xba54f1c9, 0x38adeac6,
]);
/// erf x = 1 - exp(-q(x)) for x >= 0.9277.
const ERF_TAIL: [f32; 8] = coefficients([
    0xb9372b28, 0x3f9093f2, 0x3f222306, 0x3dddc1f1, 0xbccdc73c, 0x3b88ad60, 0xb9e3c875, 0x37b0f516,
]);

/// 2^64.
const SCALE: f32 = 18_446_744_073_709_551_616.0;
/// sqrt(pi) / 2, in two parts.
const SLOPE: [f32; 2] = coefficients([0x3f62dfc5, 0xb2e4b109]);
/// erfinv x = x (sqrt(pi)/2 + x^2 q(x^2)) for x^2 <= 1/2.
const ERFINV: [f32; 9] = coefficients([
    0x3e6d950d, 0x3e029965, 0x3db23ca8, 0x3d70bc2d, 0x3dc562b2, 0xbe16d896, 0x3f042b10, 0xbf2506f1,
    0x3eebe6e7,
]);
/// erfinv x = t p(t - 3/2) with t = sqrt(-log(1 - x^2)) in [0.83, 2.25]; the first coefficient has a second part.
const ERFINV_MIDDLE: [f32; 9] = coefficients([
    0x3f685e63, 0x3ccf7b0f, 0x3b6e41ec, 0xbb5d9ca8, 0xb9844459, 0x39e97cbd, 0x38c5b1e7, 0xb88bbd25,
    0xb79ba273,
]);
/// The same about t = 25/8, for t in [2.25, 4].
const ERFINV_TAIL: [f32; 9] = coefficients([
    0x3f7256b1, 0x3c96f4b2, 0xbb85ee82, 0x39c5ed12, 0x39508de9, 0xb913da5c, 0x383f4725, 0x35c6000d,
    0xb6ce8c67,
]);
/// Second parts of the first coefficients.
const ERFINV_LOW: [f32; 2] = coefficients([0xb2b20a65, 0xb2c8eade]);

/// Error function.
///
/// Below 0.9277 an odd polynomial; above, `1 - exp(-q(x))` with a polynomial q (N. Juffa's form); both minimax.
#[device]
pub fn erf(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let small = fma(poly(a * a, &ERF), a, a);
    let q = poly(select(a < 3.95, a, 3.95), &ERF_TAIL);
    let big = 1.0 - exp_core(-q);
    let v = bits(select(a < 0.927_734_375, small, big));
    let magnitude = bits(a);
    let v = select(magnitude < MIN_NORMAL, 0u32, v) ^ (bits(x) & SIGN);
    from_bits::<f32>(select(INF < magnitude, NAN, v))
}

/// The coefficient of `ERFINV_TAIL` where `tail`, else that of `ERFINV_MIDDLE`, by Horner's rule without the
/// constant term.
fn tail_poly(tail: Val<bool>, v: Val<f32>) -> Val<f32> {
    let mut pairs = ERFINV_TAIL.iter().zip(&ERFINV_MIDDLE).skip(1).rev();
    let pick = |(t, m): (&f32, &f32)| select(tail, *t, *m);
    let first = pick(pairs.next().expect("there are coefficients"));
    pairs.fold(first, |p, pair| fma(p, v, pick(pair)))
}

/// Inverse of the error function.
///
/// Up to sqrt(1/2) an odd polynomial. Above, with `t = sqrt(-log((1 - x)(1 + x)))`, a quantity close to the result
/// (M. Giles), `t p(t)` with a polynomial for each half of the range of t. Logarithm, root and the leading
/// products are kept in two floats.
#[device]
pub fn erfinv(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let magnitude = bits(a);
    // centre; tiny arguments are scaled by 2^64, so that no low term is subnormal
    let s = a * a;
    let tiny = magnitude < 0x30000000;
    let b = select(tiny, a * SCALE, a);
    let h = b * SLOPE[0];
    let l = fma(b, SLOPE[0], -h);
    let centre = bits(h + fma(b, fma(poly(s, &ERFINV), s, SLOPE[1]), l));
    let centre = select(tiny, centre - (64 << 23), centre);
    // tails
    let b = select((a > 0.5) & (magnitude < ONE), a, 0.75);
    let d = 1.0 - b;
    let n = 1.0 + b;
    let nl = (1.0 - n) + b;
    let u = d * n;
    let ul = fma(d, nl, fma(d, n, -u));
    let (w, wl) = log_two(u, ul, val(0.0f32));
    let (t, half) = sqrt_core(-w);
    let tl = (fma(-t, t, -w) - wl) * half;
    let tail = t > 2.25;
    let v = t - select(tail, 3.125f32, 1.5);
    let c = select(tail, ERFINV_TAIL[0], ERFINV_MIDDLE[0]);
    let cl = select(tail, ERFINV_LOW[1], ERFINV_LOW[0]);
    let g = t * c;
    let gl = fma(tl, c, fma(t, c, -g));
    let edge = g + fma(t, fma(v, tail_poly(tail, v), cl), gl);
    // specials
    let r = select(s < 0.5, centre, bits(edge));
    let r = select(magnitude <= 0x00906eba, 0u32, r);
    let r = select(magnitude == ONE, INF, r) ^ (bits(x) & SIGN);
    from_bits::<f32>(select(ONE < magnitude, NAN, r))
}
