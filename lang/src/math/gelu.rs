//! The two forms of the Gaussian error linear unit.
//!
//! Invariants
//! - Both keep their relative error in the negative tail, down to 2^-126; results below are zeros.

use super::exp::exp_two;
use super::gates::logistic_times;
use super::recip::recip_near;
use super::{INF, MAGNITUDE, MIN_NORMAL, NAN, ONE, SIGN, coefficients, poly};
use crate::prelude::*;

/// 2 sqrt(2/pi), in two parts.
const LINEAR: [f32; 2] = coefficients([0x3fcc422a, 0xb342bc9b]);
/// 0.044715 * 2 sqrt(2/pi), in two parts.
const CUBIC: [f32; 2] = coefficients([0x3d922279, 0x3124d8b5]);

/// e^(a^2/2) Phi(-a) = t (p(v) + v^2 q(v)) with t = 1 / (1 + a/4) and v = t - 1/2, for a in [0, 13.25]: p.
const TAIL_LINE: [f32; 2] = coefficients([0x3e415a5e, 0x3e9b9f1d]);
/// And q.
const TAIL_CURVE: [f32; 8] = coefficients([
    0x3ec636c6, 0x3ebeffc4, 0x3e776ce9, 0x3d76c0ce, 0xbd6712ca, 0xbd4e7047, 0x3c54bfd2, 0x3c7bfef5,
]);
/// Their slope over t, to 5 in 100.
const TAIL_SLOPE: [f32; 4] = [0.339, 0.989, 1.86, 2.23];

/// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
///
/// It is `x / (1 + e^-w)` with `w = 2 sqrt(2/pi) (x + 0.044715 x^3)`, and `w` is formed in two floats, because
/// its error is the relative error of the negative tail.
#[device]
pub fn gelu_tanh(x: Val<f32>) -> Val<f32> {
    let a = abs(x);
    let a = select(a < 16.0, a, 16.0);
    let s = a * a;
    let sl = fma(a, a, -s);
    let c = s * CUBIC[0];
    let cl = fma(sl, CUBIC[0], fma(s, CUBIC[0], -c));
    let cl = fma(s, CUBIC[1], cl) + LINEAR[1];
    let u = c + LINEAR[0];
    let v = u - c;
    let ul = ((c - (u - v)) + (LINEAR[0] - v)) + cl;
    let w = a * u;
    let wl = fma(a, ul, fma(a, u, -w));
    let sign = bits(x) & SIGN;
    logistic_times(x, from_bits::<f32>(bits(w) ^ sign), from_bits::<f32>(bits(wl) ^ sign))
}

/// x/2 (1 + erf(x / sqrt 2)).
///
/// With `a = |x|`, `m = a Phi(-a)`: `-m` for negative x, `a - m` for positive. `Phi(-a)` is e^(-a^2/2) with a^2
/// in two floats, times `t p(t)` with `t = 1 / (1 + a/4)` (a mapping of the kind of Shepherd and Laframboise, a
/// minimax polynomial); the product is kept in two floats.
#[device]
pub fn gelu_erf(x: Val<f32>) -> Val<f32> {
    let magnitude = bits(x) & MAGNITUDE;
    let a = abs(x);
    let ac = select(a < 16.0, a, 16.0);
    let s = ac * ac;
    let sl = fma(ac, ac, -s);
    let (p, pl, shift) = exp_two(-0.5 * s, -0.5 * sl);
    // t + tl = 1 / (1 + a/4)
    let b = 0.25 * ac;
    let d = b + 1.0;
    let v = d - b;
    let dl = (b - (d - v)) + (1.0 - v);
    let t = recip_near(d);
    let tl = fma(-dl, t, fma(-d, t, 1.0)) * t;
    // g + gl = (t + tl) (p + v^2 q)
    let v = t - 0.5;
    let line = fma(v, TAIL_LINE[1], TAIL_LINE[0]);
    let curve = poly(v, &TAIL_CURVE) * (v * v);
    let c = line + curve;
    let cl = fma(v, TAIL_LINE[1], TAIL_LINE[0] - line) + (curve - (c - line));
    let g = t * c;
    let gl = fma(poly(v, &TAIL_SLOPE), tl, fma(t, cl, fma(t, c, -g)));
    // m + ml = a p g
    let h = p * g;
    let hl = fma(p, gl, fma(pl, g, fma(p, g, -h)));
    let m = ac * h;
    let ml = fma(ac, hl, fma(ac, h, -m));
    let below = bits(m + ml) + shift;
    let below = select((below as i32) < (MIN_NORMAL as i32), 0u32, below);
    // Beyond 6 the positive side is x itself.
    let scale = from_bits::<f32>(select(ac < 6.0, ONE + shift, 0u32));
    let ms = m * scale;
    let r = ac - ms;
    let above = r + (((ac - r) - ms) - ml * scale);
    let above = select(ac < 6.0, bits(above), magnitude);
    let v = select(bits(x) < SIGN, above, below);
    let half = magnitude - MIN_NORMAL;
    let half = select((half as i32) < (MIN_NORMAL as i32), 0u32, half);
    let v = select(magnitude < 0x32800000, half, v) | (bits(x) & SIGN);
    from_bits::<f32>(select(INF < magnitude, NAN, v))
}
