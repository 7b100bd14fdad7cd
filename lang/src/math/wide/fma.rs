//! `a * b + c` in f64 with one rounding, in integers.
//!
//! Invariants
//! - Product and addend meet in a window of 128 bits; what falls out below it is kept as a one in bit 0.

use super::{INF, MAGNITUDE, NAN, SIGN, SIGNIFICAND, flag, integer, rounded, upper};
use crate::prelude::*;

/// The significand of a finite magnitude in units of its last place, and its exponent field less one, where a
/// subnormal has that of the least normal number.
#[device]
fn unpacked(magnitude: Val<u64>) -> (Val<u64>, Val<u32>) {
    let field = upper(magnitude) >> 20;
    let normal = select(field == 0, 0u32, 1u32);
    ((magnitude & SIGNIFICAND) | ((normal as u64) << 52), field - normal)
}

/// The 128 bits shifted right by a count below 128; bit 0 is set for any one that is lost.
#[device]
fn shifted_down(high: Val<u64>, low: Val<u64>, count: Val<u32>) -> (Val<u64>, Val<u64>) {
    let far = 63 < count;
    let below = select(far, low, 0u64);
    let low = select(far, high, low);
    let high = select(far, 0u64, high);
    // The complement of a count is 63 less the count, modulo 64.
    let up = !count;
    let lost = ((low << 1) << up) | below;
    (high >> count, (low >> count) | ((high << 1) << up) | flag(lost != 0))
}

/// `a * b + c`, rounded once.
///
/// In the window the product's significand leads at bit 124 or 125, the addend's at 125. Where the smaller one
/// loses bits, no leading bits of the larger one can cancel: one factor alone may be subnormal without the product
/// leading below bit 72; two subnormal factors are below every bit of the addend's window.
#[device]
pub fn fma(a: Val<f64>, b: Val<f64>, c: Val<f64>) -> Val<f64> {
    let (a, b, c) = (bits(a), bits(b), bits(c));
    let product_sign = (a ^ b) & SIGN;
    let addend_sign = c & SIGN;
    let (a, b, c) = (a & MAGNITUDE, b & MAGNITUDE, c & MAGNITUDE);
    let opposed = product_sign != addend_sign;

    let (ma, ea) = unpacked(a);
    let (mb, eb) = unpacked(b);
    let (mc, ec) = unpacked(c);
    let (ph, pl) = integer::product(ma << 10, mb << 10);
    let ch = mc << 9;
    // A product without upper bits is zero or far below the addend.
    let ahead = (ea + eb - ec - 1021) as i32;
    let ahead = select(ph == 0, -127, ahead);
    let first = ahead >= 0;
    let apart = select(first, ahead, -ahead);
    let apart = select(apart < 127, apart, 127) as u32;
    let (sh, sl) = shifted_down(select(first, ch, ph), select(first, 0u64, pl), apart);
    let (bh, bl) = (select(first, ph, ch), select(first, pl, 0u64));

    let total = bl + sl;
    let total_high = bh + sh + flag(total < bl);
    let rest = bl - sl;
    let rest_high = bh - sh - flag(bl < sl);
    let low = select(opposed, rest, total);
    let high = select(opposed, rest_high, total_high);
    let negative = (high >> 63) != 0;
    let high = select(negative, !high + flag(low == 0), high);
    let low = select(negative, 0 - low, low);
    let sign = select(first, product_sign, addend_sign) ^ select(negative, SIGN, 0u64);
    let zero = (high | low) == 0;
    let sign = select(zero, product_sign & addend_sign, sign);

    // Leading bit to 63 of the upper half, but not beyond the scale of subnormals.
    let none = high == 0;
    let zeros = integer::leading_zeros(select(none, low, high)) + select(none, 64u32, 0u32);
    let most = select(first, ec + ahead as u32, ec) + 2;
    let most = select(zero, 0u32, most);
    let up = select(zeros < most, zeros, most);
    let far = 63 < up;
    let high = select(far, low, high);
    let low = select(far, 0u64, low);
    let m = (high << up) | ((low >> 1) >> !up) | flag((low << up) != 0);
    let finite = rounded(most - up, m) | sign;

    let (a_inf, b_inf, c_inf) = (a == INF, b == INF, c == INF);
    let infinite = a_inf | b_inf;
    let r = select(c_inf, c | addend_sign, finite);
    let r = select(infinite, product_sign | INF, r);
    let invalid = (infinite & ((a == 0) | (b == 0))) | (infinite & c_inf & opposed);
    let nan = (INF < a) | (INF < b) | (INF < c);
    from_bits::<f64>(select(invalid | nan, NAN, r))
}
