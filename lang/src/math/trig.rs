//! Sine, cosine and tangent of radians over the whole range.
//!
//! Invariants
//! - Infinities give NaN; a large argument is reduced with all the bits of 2/pi that it needs.

use super::recip::recip_near;
use super::reduce::{CODY_WAITE_MAX, far, near, near_two};
use super::{INF, MAGNITUDE, NAN, coefficients, poly};
use crate::prelude::*;

/// sin r = r + r^3 p(r^2) for |r| <= pi/4.
const SIN: [f32; 4] = coefficients([0xbe2aaaab, 0x3c0888b2, 0xb9502433, 0x363bf0fc]);
/// cos r = p(r^2) for |r| <= pi/4.
const COS: [f32; 5] = coefficients([0x3f800000, 0xbf000000, 0x3d2aaaa5, 0xbab60615, 0x37ccf488]);
/// tan r = r + r^3 p(r^2) for |r| <= pi/4.
const TAN: [f32; 7] = coefficients([
    0x3eaaaaab, 0x3e088834, 0x3d5d2d51, 0x3cb0eb01, 0x3c246f86, 0x3a8db044, 0x3b7f7f91,
]);

/// Sine of `r + n pi/2`, for `n` in the low two bits.
#[device]
fn quarter(r: Val<f32>, n: Val<u32>) -> Val<u32> {
    let s = r * r;
    let sine = fma(poly(s, &SIN), r * s, r);
    let v = select((n & 1) == 0, sine, poly(s, &COS));
    bits(v) ^ ((n & 2) << 30)
}

/// Sine of `x + turn pi/2`.
#[device]
fn sine(x: Val<f32>, turn: u32) -> Val<u32> {
    let big = CODY_WAITE_MAX < (bits(x) & MAGNITUDE);
    let (r, n) = if big {
        let (r, _, n) = far(x);
        (r, n)
    } else {
        near(x)
    };
    quarter(r, n + turn)
}

/// Sine.
///
/// Reduction by quarter turns (Cody and Waite in three parts up to 105615, Payne and Hanek above), then minimax
/// polynomials for sine and cosine on [-pi/4, pi/4].
#[device]
pub fn sin(x: Val<f32>) -> Val<f32> {
    let magnitude = bits(x) & MAGNITUDE;
    let v = select(magnitude < 0x39000000, bits(x), sine(x, 0));
    from_bits::<f32>(select(magnitude < INF, v, NAN))
}

/// Cosine: the sine a quarter turn on.
#[device]
pub fn cos(x: Val<f32>) -> Val<f32> {
    from_bits::<f32>(select((bits(x) & MAGNITUDE) < INF, sine(x, 1), NAN))
}

/// Tangent.
///
/// The reduction of `sin` with both floats of `r`; `tan r = r + r^3 p(r^2)` (minimax) as a sum of two floats, to
/// which the second float of `r` adds its slope `1 + r^2`; in odd quarters `-1 / tan r` by one Newton step on
/// both floats.
#[device]
pub fn tan(x: Val<f32>) -> Val<f32> {
    let magnitude = bits(x) & MAGNITUDE;
    let big = CODY_WAITE_MAX < magnitude;
    let (r, rl, n) = if big { far(x) } else { near_two(x) };
    let s = r * r;
    let t = fma(poly(s, &TAN), r * s, fma(rl, s, rl));
    let h = r + t;
    let l = (r - h) + t;
    let y = recip_near(h);
    let e = fma(-y, l, fma(-y, h, 1.0));
    let v = select((n & 1) == 0, h, -fma(y, e, y));
    let v = select(magnitude < 0x39000000, bits(x), bits(v));
    from_bits::<f32>(select(magnitude < INF, v, NAN))
}
