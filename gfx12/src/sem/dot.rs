//! Dot products of packed elements.
//!
//! Invariants:
//! - Integer sums are exact before they are wrapped or saturated.
//! - Float sums are products in f32 that are fused one after another onto the addend. The hardware's own order and
//!   rounding are not documented: only integer-valued data has one answer.

use super::float::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use super::fp8::{Fp8, decode};

/// The i32 of an exact sum: wrapped, or saturated.
#[must_use]
#[inline(always)]
pub fn narrow_i32(sum: i64, saturate: bool) -> u32 {
    if saturate {
        sum.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32 as u32
    } else {
        sum as u32
    }
}

/// Element `index` of `bits` bits, signed or not.
#[must_use]
#[inline(always)]
pub fn element(word: u32, index: u32, bits: u32, signed: bool) -> i32 {
    let up = word << (32 - bits * (index + 1));
    if signed { (up as i32) >> (32 - bits) } else { (up >> (32 - bits)) as i32 }
}

/// The sum of products of all elements of `bits` bits, onto `c`, which is signed if an operand may be.
#[must_use]
pub fn dot_int(a: u32, b: u32, c: u32, bits: u32, signed: [bool; 2], saturate: bool) -> u32 {
    let products = (0..32 / bits)
        .map(|i| {
            i64::from(element(a, i, bits, signed[0])) * i64::from(element(b, i, bits, signed[1]))
        })
        .sum::<i64>();
    narrow_i32(products + i64::from(c as i32), saturate)
}

/// The sum of products of unsigned elements, onto an unsigned `c`.
#[must_use]
pub fn dot_uint(a: u32, b: u32, c: u32, bits: u32, saturate: bool) -> u32 {
    let products = (0..32 / bits)
        .map(|i| i64::from(element(a, i, bits, false)) * i64::from(element(b, i, bits, false)))
        .sum::<i64>();
    let sum = products + i64::from(c);
    if saturate { sum.min(i64::from(u32::MAX)) as u32 } else { sum as u32 }
}

/// Two products of halves, given as f32, onto `c`.
#[must_use]
#[inline(always)]
pub fn dot2(a: [f32; 2], b: [f32; 2], c: f32) -> f32 {
    a[1].mul_add(b[1], a[0].mul_add(b[0], c))
}

/// The halves of a register as f16.
#[must_use]
#[inline(always)]
pub fn halves_f16(x: u32) -> [f32; 2] {
    [f16_to_f32(x as u16), f16_to_f32((x >> 16) as u16)]
}

/// The halves of a register as bf16.
#[must_use]
#[inline(always)]
pub fn halves_bf16(x: u32) -> [f32; 2] {
    [bf16_to_f32(x as u16), bf16_to_f32((x >> 16) as u16)]
}

/// The f16 form with an f16 result.
#[must_use]
pub fn dot2_f16(a: u32, b: u32, c: u16) -> u16 {
    f32_to_f16(dot2(halves_f16(a), halves_f16(b), f16_to_f32(c)))
}

/// The bf16 form with a bf16 result.
#[must_use]
pub fn dot2_bf16(a: u32, b: u32, c: u16) -> u16 {
    f32_to_bf16(dot2(halves_bf16(a), halves_bf16(b), bf16_to_f32(c)))
}

/// Four products of 8-bit floats onto `c`.
#[must_use]
pub fn dot4_fp8(a: u32, b: u32, c: f32, formats: [Fp8; 2]) -> f32 {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    (0..4).fold(c, |sum, i| decode(formats[0], a[i]).mul_add(decode(formats[1], b[i]), sum))
}
