//! The logistic function and what is made of it.
//!
//! Invariants
//! - A quotient is formed on significands; the power of two is added to the exponent last, so that no step
//!   but the last can leave the normal range.

use super::exp::{EXP_UNDERFLOW, LN2_HI, LN2_LO, exp_core, exp_two};
use super::log::LOG1P;
use super::recip::recip_near;
use super::{INF, MAGNITUDE, MIN_NORMAL, NAN, ONE, SIGN, poly};
use crate::prelude::*;

/// 1 / (1 + e^-x).
///
/// With `e = exp(-|x|)`: `1 / (1 + e)` or `e / (1 + e)`, the remainder taken against the unrounded `1 + e`.
#[device]
pub fn sigmoid(x: Val<f32>) -> Val<f32> {
    let z = -abs(x);
    let e = exp_core(select(z < EXP_UNDERFLOW, EXP_UNDERFLOW, z));
    let d = e + 1.0;
    let y = recip_near(d);
    let n = select(x < 0.0, e, 1.0);
    let dl = e - (d - 1.0);
    let q = n * y;
    let r = fma(-dl, q, fma(-d, q, n));
    let v = select(x < EXP_UNDERFLOW, 0.0, fma(r, y, q));
    from_bits::<f32>(select(INF < (bits(x) & MAGNITUDE), NAN, bits(v)))
}

/// `x / (1 + e^-(w + wl))` for `w` of the sign of `x`.
///
/// Where `w < 0`, with `e^w = p 2^k` it is `(x p) / (1 + p 2^k)` times 2^k. Everything before the last quotient
/// is kept in two floats, so about one rounding remains.
#[device]
pub(super) fn logistic_times(x: Val<f32>, w: Val<f32>, wl: Val<f32>) -> Val<f32> {
    let negative = w < 0.0;
    let z = -abs(w);
    let (p, pl, shift) = exp_two(select(z < -120.0, -120.0, z), select(negative, wl, -wl));
    // Below e^-40 the sum 1 + e is 1.
    let far = z < -40.0;
    let e = select(far, 0u32, bits(p) + shift);
    let e = from_bits::<f32>(e);
    let el = pl * from_bits::<f32>(select(far, 0u32, ONE + shift));
    let d = e + 1.0;
    let dl = (e - (d - 1.0)) + el;
    let y = recip_near(d);
    let xp = x * p;
    let n = select(negative, xp, x);
    let nl = select(negative, fma(x, pl, fma(x, p, -xp)), 0.0);
    let q = n * y;
    let r = fma(-dl, q, fma(-d, q, n)) + nl;
    let v = bits(fma(r, y, q)) & MAGNITUDE;
    let v = v + select(negative, shift, 0u32);
    let magnitude = bits(x) & MAGNITUDE;
    let v = select(magnitude < 0x32800000, magnitude - MIN_NORMAL, v);
    let v = select((v as i32) < (MIN_NORMAL as i32), 0u32, v);
    let v = select(w > 87.0, magnitude, v);
    let v = select(w < -120.0, 0u32, v) | (bits(x) & SIGN);
    from_bits::<f32>(select(INF < magnitude, NAN, v))
}

/// x / (1 + e^-x).
///
/// The exponential and the quotient in two floats; results below 2^-126 are zeros.
#[device]
pub fn silu(x: Val<f32>) -> Val<f32> {
    logistic_times(x, x, val(0.0f32))
}

/// log(1 + e^x).
///
/// `max(x, 0) + log1p(u)` with `u = exp(-|x|)` in two floats; `u` above 1/2 is halved, so that one polynomial
/// serves, and ln2 comes back. The sums are fast two-sums (Dekker) and one two-sum (Knuth).
#[device]
pub fn softplus(x: Val<f32>) -> Val<f32> {
    let z = -abs(x);
    let (p, pl, shift) = exp_two(select(z < EXP_UNDERFLOW, EXP_UNDERFLOW, z), val(0.0f32));
    let u = from_bits::<f32>(bits(p) + shift);
    // Below e^-40 the rounded u is the answer.
    let ul = pl * from_bits::<f32>(select(z < -40.0, 0u32, ONE + shift));
    let big = u > 0.5;
    let f = select(big, fma(u, 0.5, -0.5), u);
    let fl = select(big, 0.5 * ul, ul);
    let fl = fma(fma(f, f, -f), fl, fl);
    let t = fma(poly(f, &LOG1P), f * f, fl);
    let base = select(big, LN2_HI, 0.0);
    let s = base + f;
    let t = ((f - (s - base)) + t) + select(big, LN2_LO, 0.0);
    let up = select(x > 0.0, x, 0.0);
    let r = up + s;
    let v = r - up;
    let lost = (up - (r - v)) + (s - v);
    let r = bits(r + (lost + t));
    let r = select(x > 30.0, bits(x), r);
    let r = select(x < EXP_UNDERFLOW, 0u32, r);
    from_bits::<f32>(select(INF < (bits(x) & MAGNITUDE), NAN, r))
}
