//! Correctly rounded quotients and roots from an integer seed, for targets without correct ones of their own.
//!
//! Invariants
//! - `div`, `recip`, `sqrt` and `rsqrt` have the bits of the native rows of the same names.
//! - No hardware approximation: the seed is an integer subtraction from a magic number.

use super::{INF, MAGNITUDE, MIN_NORMAL, NAN, ONE, SIGN, SIGNIFICAND};
use crate::prelude::*;

/// One cubic step towards `1 / d`: with `e = 1 - d y`, `y (1 + e + e^2)`.
#[device]
fn recip_step(d: Val<f32>, y: Val<f32>) -> Val<f32> {
    let e = fma(-d, y, 1.0);
    fma(fma(e, e, e), y, y)
}

/// `1 / d` to 0.5002 ULP for `|d|` in [2^-125, 2^125]: seed and two cubic steps.
#[device]
pub(super) fn recip_near(d: Val<f32>) -> Val<f32> {
    let y = from_bits::<f32>(0x7ef311c7 - bits(d));
    recip_step(d, recip_step(d, y))
}

/// `1 / d`, correctly rounded, for `|d|` in [2^-125, 2^125].
///
/// Markstein's last step fails for a divisor of all ones when it starts from below; this seed never
/// underestimates, so the approach is from above.
#[device]
pub(super) fn recip_core(d: Val<f32>) -> Val<f32> {
    let y = from_bits::<f32>(0x7f000000 - bits(d));
    let y = recip_step(d, recip_step(d, y));
    fma(fma(-d, y, 1.0), y, y)
}

/// `n / d` from `y = 1 / d`: one correction by the exact remainder (Markstein).
#[device]
pub(super) fn div_fix(n: Val<f32>, d: Val<f32>, y: Val<f32>) -> Val<f32> {
    let q = n * y;
    fma(fma(-d, q, n), y, q)
}

/// One cubic step towards `1 / sqrt(x)`.
#[device]
fn rsqrt_step(x: Val<f32>, y: Val<f32>) -> Val<f32> {
    let e = fma(-(x * y), y, 1.0);
    let u = e * fma(e, 0.375, 0.5);
    fma(u, y, y)
}

/// `1 / sqrt(x)` to about an ULP, for `x` far from the ends of the range: seed and two cubic steps.
#[device]
pub(super) fn rsqrt_near(x: Val<f32>) -> Val<f32> {
    let y = from_bits::<f32>(0x5f375a86 - (bits(x) >> 1));
    rsqrt_step(x, rsqrt_step(x, y))
}

/// `sqrt(x)`, correctly rounded, and half of `1 / sqrt(x)`, for `x` far from the ends of the range.
#[device]
pub(super) fn sqrt_core(x: Val<f32>) -> (Val<f32>, Val<f32>) {
    let y = rsqrt_near(x);
    let s = x * y;
    let h = 0.5 * y;
    (fma(fma(-s, s, x), h, s), h)
}

/// The positive `x = m * 4^j` with `m` in [0.5, 2): `m`, and `j` in the exponent's place.
/// A subnormal is read as the integer that its bits are.
#[device]
fn split_even(x: Val<f32>) -> (Val<f32>, Val<u32>) {
    let xb = bits(x);
    let subnormal = xb < MIN_NORMAL;
    let scaled = bits(((xb << 1) as i32) as f32);
    let xx = select(subnormal, scaled, xb);
    let adjust = select(subnormal, 75 << 23, 0u32);
    let m = from_bits::<f32>((xx & 0x00ffffff) | 0x3f000000);
    (m, ((xx & 0x7f000000) >> 1) - 0x1f800000 - adjust)
}

/// Square root, correctly rounded: Newton's method on `1 / sqrt(x)`, then the exact remainder.
#[device]
pub fn sqrt(x: Val<f32>) -> Val<f32> {
    let (m, j) = split_even(x);
    let (s, _) = sqrt_core(m);
    let xb = bits(x);
    let r = select(xb < INF, bits(s) + j, NAN);
    let keep = (xb == INF) | ((xb & MAGNITUDE) == 0);
    from_bits::<f32>(select(keep, xb, r))
}

/// `1 / sqrt(x)`, correctly rounded.
///
/// The residual of the last step is formed in two floats. One significand of 2^24, 0x3f3a18e3, lies 2.6e-9
/// ULP from a tie and is corrected by name.
#[device]
pub fn rsqrt(x: Val<f32>) -> Val<f32> {
    let (m, j) = split_even(x);
    let y = rsqrt_near(m);
    let h = m * y;
    let l = fma(m, y, -h);
    let e = fma(-l, y, fma(-h, y, 1.0));
    let u = e * fma(e, 0.375, 0.5);
    let y = bits(fma(u, y, y));
    let y = select(bits(m) == 0x3f3a18e3, y - 1, y);
    let xb = bits(x);
    let magnitude = xb & MAGNITUDE;
    let r = select(xb < INF, y - j, NAN);
    let r = select(xb == INF, 0u32, r);
    from_bits::<f32>(select(magnitude == 0, (xb - magnitude) | INF, r))
}

/// The finite magnitude `a = m * 2^e`: `m` in [1, 2) and the biased exponent, which may be 0 or below.
#[device]
fn split(a: Val<u32>) -> (Val<f32>, Val<u32>) {
    let subnormal = a < MIN_NORMAL;
    let xx = select(subnormal, bits((a as i32) as f32), a);
    let adjust = select(subnormal, 149u32, 0u32);
    (from_bits::<f32>((xx & SIGNIFICAND) | ONE), (xx >> 23) - adjust)
}

/// A significand `q`, its biased exponent `be` below 1, and the remainder `r` of the division that made it:
/// the bits of the subnormal, rounded to nearest even. A tie is broken by the sign of `r`.
#[device]
fn to_subnormal(q: Val<f32>, be: Val<i32>, r: Val<f32>) -> Val<u32> {
    let shift = 1 - be;
    let shift = select(26 < shift, 26, shift) as u32;
    let side = select((bits(r) & MAGNITUDE) == 0, 0, ((bits(r) as i32) >> 31) | 1) as u32;
    let m = (((bits(q) & SIGNIFICAND) | MIN_NORMAL) << 2) + side;
    let kept = m >> (shift + 2);
    let rest = m - (kept << (shift + 2));
    let half = val(1u32) << (shift + 1);
    let up = (half < rest) | ((half == rest) & ((kept & 1) == 1));
    select(up, kept + 1, kept)
}

/// Quotient, correctly rounded: significands in [1, 2) by Newton's method and Markstein's exact remainder,
/// the exponent by integers, subnormal results by one more rounding that knows the remainder.
#[device]
pub fn div(x: Val<f32>, y: Val<f32>) -> Val<f32> {
    let (xb, yb) = (bits(x), bits(y));
    let (ax, ay) = (xb & MAGNITUDE, yb & MAGNITUDE);
    let sign = (xb ^ yb) & SIGN;
    let (mx, ex) = split(ax);
    let (my, ey) = split(ay);
    let rc = recip_core(my);
    let q = div_fix(mx, my, rc);
    let r = fma(-my, q, mx);
    let de = ex - ey;
    let be = ((bits(q) >> 23) + de) as i32;
    let v = select(be < 1, to_subnormal(q, be, r), bits(q) + (de << 23));
    let v = select(254 < be, INF, v);
    let v = select((ax == 0) | (ay == INF), 0u32, v);
    let v = select((ay == 0) | (ax == INF), INF, v);
    let invalid = ((ax == 0) & (ay == 0)) | ((ax == INF) & (ay == INF)) | (INF < ax) | (INF < ay);
    from_bits::<f32>(select(invalid, NAN, v | sign))
}

/// `1 / x`, correctly rounded.
#[device]
pub fn recip(x: Val<f32>) -> Val<f32> {
    div(val(1.0f32), x)
}
