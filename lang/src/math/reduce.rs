//! Reduction of radians to a quarter turn: `x = n pi/2 + r` with `|r| <= pi/4`.
//!
//! Invariants
//! - `r` comes in two floats, `n` in the low bits of an integer; both forms agree on what they mean.
//! - Only integers touch the bits of 2/pi that a large `x` needs, so nothing is lost there.

use super::{MAGIC, MAGNITUDE, MIN_NORMAL, SIGN, SIGNIFICAND};
use crate::prelude::*;

/// Bits of the largest magnitude that three parts of pi/2 reduce well.
pub(super) const CODY_WAITE_MAX: u32 = 105_615.0f32.to_bits();

/// pi/2 in three parts.
pub(super) const PIO2: [f32; 3] =
    [f32::from_bits(0x3fc90fdb), f32::from_bits(0xb33bbd2e), f32::from_bits(0xa6f72ced)];

/// 2/pi as a fraction, 32 bits a word, after a word of zeros.
const TWO_OVER_PI: [u32; 8] =
    [0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab];

/// Reduction for magnitudes up to `CODY_WAITE_MAX`: `n` from the magic sum, `r` by three fused steps
/// (Cody and Waite). Only the first float of `r`.
#[device]
pub(super) fn near(x: Val<f32>) -> (Val<f32>, Val<u32>) {
    let t = fma(x, f32::from_bits(0x3f22f983), MAGIC);
    let n = t - MAGIC;
    let r = fma(-n, PIO2[2], fma(-n, PIO2[1], fma(-n, PIO2[0], x)));
    (r, bits(t))
}

/// As `near`, with both floats of `r`: the second product is formed without loss, and so is the sum.
#[device]
pub(super) fn near_two(x: Val<f32>) -> (Val<f32>, Val<f32>, Val<u32>) {
    let t = fma(x, f32::from_bits(0x3f22f983), MAGIC);
    let n = t - MAGIC;
    let r0 = fma(-n, PIO2[0], x);
    let w = n * PIO2[1];
    let wl = fma(n, PIO2[1], -w);
    let s = r0 - w;
    let v = s - r0;
    let e = (r0 - (s - v)) - (w + v);
    let e = fma(-n, PIO2[2], e - wl);
    let r = s + e;
    (r, (s - r) + e, bits(t))
}

/// Word `at + j` of `TWO_OVER_PI`, for `at` in 0..=4.
#[device]
fn word(at: Val<u32>, j: usize) -> Val<u32> {
    let v = select(at == 1, TWO_OVER_PI[j + 1], TWO_OVER_PI[j]);
    let v = select(at == 2, TWO_OVER_PI[j + 2], v);
    let v = select(at == 3, TWO_OVER_PI[j + 3], v);
    select(at == 4, TWO_OVER_PI[j + 4], v)
}

/// The upper word of `high : low` shifted left by `count` in 0..32.
#[device]
fn funnel(high: Val<u32>, low: Val<u32>, count: Val<u32>) -> Val<u32> {
    (high << count) | select(count == 0, 0u32, low >> (32 - count))
}

/// Reduction for magnitudes from 2^16 (Payne and Hanek): the product of the significand with the 96 bits of
/// 2/pi that matter, in 32-bit integers, modulo 4; its fraction goes to two floats and is multiplied by pi/2.
#[device]
pub(super) fn far(x: Val<f32>) -> (Val<f32>, Val<f32>, Val<u32>) {
    let xb = bits(x);
    let a = xb & MAGNITUDE;
    let m = (a & SIGNIFICAND) | MIN_NORMAL;
    let shift = (a >> 23) - 120;
    let (at, count) = (shift >> 5, shift & 31);
    let (w0, w1, w2, w3) = (word(at, 0), word(at, 1), word(at, 2), word(at, 3));
    let (p0, p1, p2) = (funnel(w0, w1, count), funnel(w1, w2, count), funnel(w2, w3, count));
    let carry_in = mul_high(m, p2);
    let low = m * p1 + carry_in;
    let high = m * p0 + mul_high(m, p1) + select(low < carry_in, 1u32, 0u32);
    // The upper two bits of `high` are n modulo 4; the rest is a fraction of a quarter turn.
    let n = (high + 0x20000000) >> 30;
    let f = high - (n << 30);
    let side = ((f as i32) >> 31) as u32;
    let low = (low ^ side) + (side & 1);
    let f = (f ^ side) + select(low == 0, side & 1, 0u32);
    let (f1, f0) = (as_float(f >> 16), as_float(f & 0xffff));
    let (l1, l0) = (as_float(low >> 16), as_float(low & 0xffff));
    let h = fma(f1, 65536.0, f0);
    let lost = f0 - (h - f1 * 65536.0);
    let l = fma(fma(l0, 1.0 / 65536.0, l1), 1.0 / 65536.0, lost);
    let rh = h * PIO2[0];
    let rl = fma(l, PIO2[0], fma(h, PIO2[1], fma(h, PIO2[0], -rh)));
    let r = rh + rl;
    let rl = (rh - r) + rl;
    let unit = 1.0 / 1_073_741_824.0;
    let flip = (side ^ xb) & SIGN;
    let negative = (xb & SIGN) == SIGN;
    (
        from_bits::<f32>(bits(r * unit) ^ flip),
        from_bits::<f32>(bits(rl * unit) ^ flip),
        select(negative, 0 - n, n),
    )
}

/// An integer below 2^31 as a float.
#[device]
fn as_float(x: Val<u32>) -> Val<f32> {
    (x as i32) as f32
}
