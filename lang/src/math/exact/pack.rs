//! Taking floats apart, and rounding them once on the way back.
//!
//! Invariants
//! - A significand that stands for more bits than it has is rounded to odd: its last bit is set when any bit
//!   below was. At least two bits lie below the last one that a result keeps.

use crate::math::{INF, MIN_NORMAL, SIGNIFICAND};
use crate::prelude::*;

/// The finite magnitude `a` as an integer significand with the leading bit of a normal number at 23, and its
/// biased exponent, 1 for subnormals.
#[device]
pub(super) fn split(a: Val<u32>) -> (Val<u32>, Val<u32>) {
    let e = a >> 23;
    let normal = e != 0;
    (select(normal, (a & SIGNIFICAND) | MIN_NORMAL, a), select(normal, e, 1u32))
}

/// `m >> by` rounded to odd, `by` at most 31.
#[device]
pub(super) fn shift_odd(m: Val<u32>, by: Val<u32>) -> Val<u32> {
    let kept = m >> by;
    kept | (((kept << by) != m) as u32)
}

/// Nearest even of `m` without its low eight bits.
#[device]
pub(super) fn nearest(m: Val<u32>) -> Val<u32> {
    let kept = m >> 8;
    kept + ((0x80 < ((m & 0xff) + (kept & 1))) as u32)
}

/// The magnitude's bits of `m * 2^(e - 127 - 31)`, rounded to nearest even. Bit 31 of `m` is set.
#[device]
pub(super) fn pack(m: Val<u32>, e: Val<i32>) -> Val<u32> {
    let by = min(max(1 - e, 0), 31) as u32;
    let field = (max(e, 1) as u32 - 1) << 23;
    select(254 < e, INF, nearest(shift_odd(m, by)) + field)
}

/// The pair shifted until bit 31 of the upper word is set, then that word rounded to odd; and by how much it was
/// shifted. Not for zero.
#[device]
pub(super) fn normalise(hi: Val<u32>, lo: Val<u32>) -> (Val<u32>, Val<u32>) {
    let low = hi == 0;
    let h = select(low, lo, hi);
    let l = select(low, 0u32, lo);
    let z = leading_zeros(h);
    let upper = (h << z) | ((l >> 1) >> (31 - z));
    let by = select(low, z + 32, z);
    (upper | (((l << z) != 0) as u32), by)
}
