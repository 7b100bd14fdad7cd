//! Sums and products of f32 that keep subnormals on devices that flush them.
//!
//! Invariants
//! - The native operation runs only where neither a subnormal result nor a subnormal operand that matters can
//!   occur; the integer form stands behind a run-time `if`.

use super::pack::{normalise, pack, shift_odd, split};
use crate::math::{INF, MAGNITUDE, MIN_NORMAL, NAN, SIGN};
use crate::prelude::*;

/// The greater magnitude from which sums are native, 2^-99: beside it a subnormal is less than half an ulp, and
/// what cancellation leaves is normal.
const SAFE: u32 = 28 << 23;

/// `a + b`.
#[device]
pub fn add(a: Val<f32>, b: Val<f32>) -> Val<f32> {
    let (ab, bb) = (bits(a), bits(b));
    let most = max(ab & MAGNITUDE, bb & MAGNITUDE);
    // Two zeros wrap around, and are native as well.
    if SAFE - 1 <= most - 1 { a + b } else { from_bits::<f32>(add_small(ab, bb)) }
}

/// `a - b`.
#[device]
pub fn sub(a: Val<f32>, b: Val<f32>) -> Val<f32> {
    add(a, from_bits::<f32>(bits(b) ^ SIGN))
}

/// The sum of two numbers far from overflow. Significands have their leading bit at 29.
#[device]
fn add_small(ab: Val<u32>, bb: Val<u32>) -> Val<u32> {
    let swap = (ab & MAGNITUDE) < (bb & MAGNITUDE);
    let (x, y) = (select(swap, bb, ab), select(swap, ab, bb));
    let (mx, ex) = split(x & MAGNITUDE);
    let (my, ey) = split(y & MAGNITUDE);
    let (mx, my) = (mx << 6, shift_odd(my << 6, min(ex - ey, 31)));
    let m = select(((x ^ y) & SIGN) == 0, mx + my, mx - my);
    let z = leading_zeros(m);
    let r = pack(m << z, (ex + 2 - z) as i32) | (x & SIGN);
    select(m == 0, x & y & SIGN, r)
}

/// `a * b`.
#[device]
pub fn mul(a: Val<f32>, b: Val<f32>) -> Val<f32> {
    let (ab, bb) = (bits(a), bits(b));
    let (aa, ba) = (ab & MAGNITUDE, bb & MAGNITUDE);
    let least = min(aa, ba);
    // Normal operands whose product is at least 2^-124, or a zero.
    let large = (MIN_NORMAL <= least) & (130 <= ((aa >> 23) + (ba >> 23)));
    if large | (least == 0) { a * b } else { from_bits::<f32>(mul_small(ab, bb)) }
}

/// The product of two numbers that are not zero, in integers.
#[device]
fn mul_small(ab: Val<u32>, bb: Val<u32>) -> Val<u32> {
    let (aa, ba) = (ab & MAGNITUDE, bb & MAGNITUDE);
    let (ma, ea) = split(aa);
    let (mb, eb) = split(ba);
    let (ma, mb) = (ma << 8, mb << 8);
    let (m, z) = normalise(mul_high(ma, mb), ma * mb);
    let r = pack(m, (ea + eb - 126 - z) as i32);
    let most = max(aa, ba);
    let r = select(most == INF, INF, r) | ((ab ^ bb) & SIGN);
    select(INF < most, NAN, r)
}
