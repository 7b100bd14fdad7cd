//! Integers as bits and bytes.
//!
//! Invariants:
//! - Shift counts and field positions are taken modulo the width, as the hardware does.

/// `width` bits of `x` from `offset`, which have no more than five bits each; no width gives 0.
#[must_use]
#[inline(always)]
pub fn bfe_u32(x: u32, offset: u32, width: u32) -> u32 {
    (x >> (offset & 31)) & ((1u32 << (width & 31)) - 1)
}

/// As [`bfe_u32`], the field's highest bit being its sign.
#[must_use]
#[inline(always)]
pub fn bfe_i32(x: u32, offset: u32, width: u32) -> u32 {
    let (offset, width) = (offset & 31, width & 31);
    let field = bfe_u32(x, offset, width);
    let sign = if width == 0 { 0 } else { 1u32 << (width - 1) };
    (field ^ sign).wrapping_sub(sign)
}

/// A field of the scalar unit: offset in the low bits of `packed`, width above bit 16; a width past the end is cut.
#[must_use]
pub fn s_bfe_u64(x: u64, packed: u32, bits: u32) -> u64 {
    let (offset, width) = (packed & (bits - 1), (packed >> 16) & 0x7f);
    if width == 0 {
        return 0;
    }
    (x >> offset) & (u64::MAX >> (64 - width.min(64)))
}

/// As [`s_bfe_u64`], with the field's highest bit as its sign.
#[must_use]
pub fn s_bfe_i64(x: i64, packed: u32, bits: u32) -> i64 {
    let (offset, width) = (packed & (bits - 1), (packed >> 16) & 0x7f);
    if width == 0 {
        return 0;
    }
    let kept = width.min(64);
    ((x >> offset) << (64 - kept)) >> (64 - kept)
}

/// The 32 bits of `high:low` from `shift`.
#[must_use]
#[inline(always)]
pub fn align_bits(high: u32, low: u32, shift: u32) -> u32 {
    (((u64::from(high) << 32) | u64::from(low)) >> (shift & 31)) as u32
}

/// Four bytes picked out of `high:low` by four selectors.
#[must_use]
#[inline(always)]
pub fn perm(high: u32, low: u32, selectors: u32) -> u32 {
    let bytes = (u64::from(high) << 32) | u64::from(low);
    let mut result = 0;
    for place in 0..4 {
        let selector = (selectors >> (8 * place)) & 0xff;
        let byte = match selector {
            0..8 => (bytes >> (8 * selector)) & 0xff,
            // The sign of one of the four 16-bit halves.
            8..12 => ((bytes >> (16 * (selector - 8) + 15)) & 1) * 0xff,
            12 => 0,
            _ => 0xff,
        };
        result |= (byte as u32) << (8 * place);
    }
    result
}

/// Zeros above the highest one; all ones for 0.
#[must_use]
#[inline(always)]
pub fn clz(x: u32) -> u32 {
    if x == 0 { u32::MAX } else { x.leading_zeros() }
}

/// Zeros below the lowest one; all ones for 0.
#[must_use]
#[inline(always)]
pub fn ctz(x: u32) -> u32 {
    if x == 0 { u32::MAX } else { x.trailing_zeros() }
}

/// Bits from the top that equal the sign; all ones where all do.
#[must_use]
#[inline(always)]
pub fn cls(x: u32) -> u32 {
    clz(x ^ (((x as i32) >> 31) as u32))
}

/// Zeros above the highest one of 64 bits; all ones for 0.
#[must_use]
pub fn clz64(x: u64) -> u32 {
    if x == 0 { u32::MAX } else { x.leading_zeros() }
}

/// Zeros below the lowest one of 64 bits; all ones for 0.
#[must_use]
pub fn ctz64(x: u64) -> u32 {
    if x == 0 { u32::MAX } else { x.trailing_zeros() }
}

/// Bits from the top of 64 that equal the sign; all ones where all do.
#[must_use]
pub fn cls64(x: u64) -> u32 {
    clz64(x ^ (((x as i64) >> 63) as u64))
}

/// The sum over bytes of absolute differences, and `c`; with `masked`, bytes of `b` that are 0 do not count.
#[must_use]
pub fn sad_u8(a: u32, b: u32, c: u32, masked: bool) -> u32 {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    let one = |i: usize| if masked && b[i] == 0 { 0 } else { u32::from(a[i].abs_diff(b[i])) };
    (0..4).fold(c, |sum, i| sum.wrapping_add(one(i)))
}

/// The sum over halves of absolute differences, and `c`.
#[must_use]
pub fn sad_u16(a: u32, b: u32, c: u32) -> u32 {
    let low = (a & 0xffff).abs_diff(b & 0xffff);
    (a >> 16).abs_diff(b >> 16).wrapping_add(low).wrapping_add(c)
}

/// The average of bytes, rounded up where the byte of `round` is odd.
#[must_use]
pub fn lerp_u8(a: u32, b: u32, round: u32) -> u32 {
    let (a, b, round) = (a.to_le_bytes(), b.to_le_bytes(), round.to_le_bytes());
    let one = |i: usize| ((u32::from(a[i]) + u32::from(b[i]) + u32::from(round[i] & 1)) >> 1) as u8;
    u32::from_le_bytes([one(0), one(1), one(2), one(3)])
}

/// The low 24 bits as a signed number.
#[must_use]
#[inline(always)]
pub fn signed24(x: u32) -> i32 {
    ((x << 8) as i32) >> 8
}

/// Each pair of bits 2i becomes the bit i twice: the scalar unit's bit replication.
#[must_use]
pub fn replicate(x: u32) -> u64 {
    (0..32).fold(0, |sum, i| sum | (u64::from((x >> i) & 1) * 3) << (2 * i))
}

/// All lanes of a quad where one of them is set.
#[must_use]
pub fn whole_quads(x: u32) -> u32 {
    (0..8).fold(0, |sum, i| sum | if (x >> (4 * i)) & 15 != 0 { 15 << (4 * i) } else { 0 })
}

/// One bit a quad where any lane of it is set.
#[must_use]
pub fn quads(x: u32) -> u32 {
    (0..8).fold(0, |sum, i| sum | u32::from((x >> (4 * i)) & 15 != 0) << i)
}
