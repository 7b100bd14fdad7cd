//! `a * b + c` with one rounding.

use super::pack::{normalise, pack};
use crate::math::{INF, MAGNITUDE, NAN, SIGN};
use crate::prelude::*;

/// The exponent given to zero, below every other one.
const NOTHING: i32 = -1000;

/// From the number midway between the greatest f32 and 2^128 to the greatest, as a part of that number.
const MIDWAY_TO_GREATEST: f64 = -1.0 / ((1u64 << 25) - 1) as f64;

/// The finite magnitude `a` with its leading bit at 31, and that bit's biased exponent.
#[device]
fn split_high(a: Val<u32>) -> (Val<u32>, Val<i32>) {
    let e = a >> 23;
    let m = (a << 8) | (((e != 0) as u32) << 31);
    let z = leading_zeros(m);
    (m << z, max(e, 1) as i32 - z as i32)
}

/// The pair shifted right by at most 63, rounded to odd.
#[device]
fn shift_pair(hi: Val<u32>, lo: Val<u32>, by: Val<u32>) -> (Val<u32>, Val<u32>) {
    let far = 31 < by;
    let h = select(far, 0u32, hi);
    let l = select(far, hi, lo);
    let rest = select(far, lo, 0u32);
    let k = by & 31;
    let kept = l >> k;
    let lost = rest | (l ^ (kept << k));
    (h >> k, kept | ((h << 1) << (31 - k)) | ((lost != 0) as u32))
}

/// The pair negated where `mask` is all ones; as it is where it is 0.
#[device]
fn negate_pair(hi: Val<u32>, lo: Val<u32>, mask: Val<u32>) -> (Val<u32>, Val<u32>) {
    let carry = select(lo == 0, mask & 1, 0u32);
    ((hi ^ mask) + carry, (lo ^ mask) - mask)
}

/// `a * b + c` with one rounding, in integers.
///
/// The product has its leading bit at 61 or 62 of 64 and at least 15 zeros at the end, the addend at 61. The one
/// with the lesser exponent is shifted right, rounded to odd; the other is even, so the sum is rounded to odd too.
/// Where a sum loses more than one leading bit, the shift was at most 1, and nothing had been lost.
#[device]
pub fn fma(a: Val<f32>, b: Val<f32>, c: Val<f32>) -> Val<f32> {
    let (ab, bb, cb) = (bits(a), bits(b), bits(c));
    let (aa, ba, ca) = (ab & MAGNITUDE, bb & MAGNITUDE, cb & MAGNITUDE);
    let sp = (ab ^ bb) & SIGN;
    let (ma, ea) = split_high(aa);
    let (mb, eb) = split_high(ba);
    let (mc, ec) = split_high(ca);
    let half = ma >> 1;
    let (ph, pl) = (mul_high(half, mb), half * mb);
    let empty = min(aa, ba) == 0;
    let ep = select(empty, NOTHING, ea + eb - 127);
    let ec = select(ca == 0, NOTHING, ec);
    let d = ep - ec;
    let product = 0 <= d;
    let (ch, nil) = (mc >> 2, val(0u32));
    let (xh, xl) = (select(product, ph, ch), select(product, pl, nil));
    let (yh, yl) =
        shift_pair(select(product, ch, ph), select(product, nil, pl), min(abs(d), 63) as u32);
    let differ = ((sp ^ cb) as i32 >> 31) as u32;
    let (yh, yl) = negate_pair(yh, yl, differ);
    let lo = xl + yl;
    let hi = xh + yh + ((lo < xl) as u32);
    // A difference fits 63 bits and a sign, a sum 64 bits.
    let under = differ & ((hi as i32 >> 31) as u32);
    let (hi, lo) = negate_pair(hi, lo, under);
    let sign = (select(product, sp, cb) ^ under) & SIGN;
    let (m, z) = normalise(hi, lo);
    let r = pack(m, max(ep, ec) + 2 - z as i32) | sign;
    let r = select((hi | lo) == 0, sp & cb & SIGN, r);
    let infinite = max(aa, ba) == INF;
    let r = select(infinite, sp | INF, r);
    let r = select(ca == INF, cb, r);
    let clash = infinite & (empty | ((ca == INF) & (differ != 0)));
    from_bits::<f32>(select(clash | (INF < max(max(aa, ba), ca)), NAN, r))
}

/// `a * b + c` with one rounding, where f64 sums and products, and the conversions between f32 and f64, are exact
/// or correctly rounded, subnormal f32 included.
///
/// The product is exact. Knuth's two-sum gives the sum and its error. Rounding the sum once more is wrong only where the
/// sum lies midway between two f32 and the error points to the one that was not taken. `far` is as far on the other side
/// of the sum as `near` is on this one: an f32 only where the sum lies midway (or is an f32 itself, and both are it). No
/// bit of a float is looked at, since a look makes NaN the one first.
#[device]
pub fn fma_wide(a: Val<f32>, b: Val<f32>, c: Val<f32>) -> Val<f32> {
    let product = (a as f64) * (b as f64);
    let addend = c as f64;
    let sum = product + addend;
    let back = sum - product;
    let error = (product - (sum - back)) + (addend - back);
    let near = sum as f32;
    // Past the greatest f32, only the number midway to 2^128 may round down: its gap is the one to the greatest.
    let gap = select(abs(near) < f32::INFINITY, sum - near as f64, sum * MIDWAY_TO_GREATEST);
    let other = sum + gap;
    let far = other as f32;
    select((far as f64 == other) & (0.0 < error * gap), far, near)
}
