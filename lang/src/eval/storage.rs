//! Conversions between f32 and the narrow floats, and between 32-bit integers and nibbles, as integer code.
//!
//! Invariants
//! - Narrowing rounds to nearest even, once. f16 and bf16 overflow to infinity.
//! - Stores of f8 and f4 saturate: what is above the largest finite number becomes it, infinities too. NaN is
//!   `0x7f` (f8e4m3), `0x7e` (f8e5m2), `0xff` (f8e8m0) and, where there is none (f4e2m1), the largest, 6.
//! - f8e8m0 takes the exponent field as it is: a positive number becomes the power of two at or below it, zero and
//!   subnormals become 2^-127 (code 0); infinity, NaN and negative numbers become NaN.
//! - Stores of i4 and u4 saturate: -8 to 7, 0 to 15.
//!
//! No hardware conversion is used, and no addition has a subnormal that matters as an operand or result.

const SIGN: u32 = 0x8000_0000;

/// Rounds a finite magnitude (f32 bits) to `mantissa_bits` with the given bias; `step` is a power of two whose ulp
/// is the target's subnormal step. The result may exceed the largest finite code.
#[inline(always)]
fn round(a: u32, mantissa_bits: u32, bias: u32, step: f32) -> u32 {
    let least_normal = (128 - bias) << 23;
    let drop = 23 - mantissa_bits;
    let small = (f32::from_bits(a) + step).to_bits().wrapping_sub(step.to_bits());
    let half = (1 << (drop - 1)) - 1 + ((a >> drop) & 1);
    let large = a.wrapping_sub((127 - bias) << 23).wrapping_add(half) >> drop;
    if a < least_normal { small } else { large }
}

/// Nearest f16, ties to even.
#[inline(always)]
pub fn f32_to_f16(x: f32) -> u16 {
    let bits = x.to_bits();
    let a = bits & !SIGN;
    let sign = (bits >> 16) & 0x8000;
    let code = round(a, 10, 15, 0.5);
    let code = if a >= 0x4780_0000 { 0x7c00 } else { code };
    (if a > 0x7f80_0000 { 0x7e00 } else { code | sign }) as u16
}

/// The f16's value.
#[inline(always)]
pub fn f16_to_f32(h: u16) -> f32 {
    let h = u32::from(h);
    let a = h & 0x7fff;
    let small = (a as f32 * f32::from_bits(0x3380_0000)).to_bits();
    let normal = (a << 13) + (112 << 23);
    let special = (a << 13) | 0x7f80_0000;
    let bits = if a < 0x400 { small } else { normal };
    let bits = if a >= 0x7c00 { special } else { bits };
    f32::from_bits(bits | ((h & 0x8000) << 16))
}

/// Nearest bf16, ties to even.
#[inline(always)]
pub fn f32_to_bf16(x: f32) -> u16 {
    let bits = x.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    (if bits & !SIGN > 0x7f80_0000 { 0x7fc0 } else { rounded }) as u16
}

/// The bf16's value.
#[inline(always)]
pub fn bf16_to_f32(h: u16) -> f32 {
    f32::from_bits(u32::from(h) << 16)
}

/// f64 as f32, rounded to odd: a later rounding to at most 22 bits rounds as if from the f64.
#[inline(always)]
fn f64_to_odd(x: f64) -> f32 {
    let near = x as f32;
    let bits = near.to_bits();
    let back = f64::from(near);
    let inexact = (back > x) | (back < x);
    let odd = if back.abs() > x.abs() { bits.wrapping_sub(1) } else { bits.wrapping_add(1) };
    f32::from_bits(if inexact & (bits & 1 == 0) { odd } else { bits })
}

/// Nearest f16 of an f64, ties to even, rounded once.
#[inline(always)]
pub fn f64_to_f16(x: f64) -> u16 {
    f32_to_f16(f64_to_odd(x))
}

/// Nearest bf16 of an f64, ties to even, rounded once.
#[inline(always)]
pub fn f64_to_bf16(x: f64) -> u16 {
    f32_to_bf16(f64_to_odd(x))
}

/// Nearest f8e4m3, saturating.
#[inline(always)]
pub fn f32_to_f8e4m3(x: f32) -> u8 {
    let bits = x.to_bits();
    let a = bits & !SIGN;
    let sign = bits >> 24 & 0x80;
    let code = round(a, 3, 7, 16384.0);
    let code = if a >= 0x43e0_0000 { 0x7e } else { code };
    (if a > 0x7f80_0000 { 0x7f } else { code | sign }) as u8
}

/// The f8e4m3's value.
#[inline(always)]
pub fn f8e4m3_to_f32(code: u8) -> f32 {
    let a = u32::from(code & 0x7f);
    let small = (a as f32 * f32::from_bits(0x3b00_0000)).to_bits();
    let normal = (a << 20) + (120 << 23);
    let bits = if a < 8 { small } else { normal };
    let bits = if a == 0x7f { 0x7fc0_0000 } else { bits | (u32::from(code & 0x80) << 24) };
    f32::from_bits(bits)
}

/// Nearest f8e5m2, saturating.
#[inline(always)]
pub fn f32_to_f8e5m2(x: f32) -> u8 {
    let bits = x.to_bits();
    let a = bits & !SIGN;
    let sign = bits >> 24 & 0x80;
    let code = round(a, 2, 15, 128.0);
    let code = if a >= 0x4760_0000 { 0x7b } else { code };
    (if a > 0x7f80_0000 { 0x7e } else { code | sign }) as u8
}

/// The f8e5m2's value.
#[inline(always)]
pub fn f8e5m2_to_f32(code: u8) -> f32 {
    f16_to_f32(u16::from(code) << 8)
}

/// The exponent field of an f32.
#[inline(always)]
pub fn f32_to_f8e8m0(x: f32) -> u8 {
    let bits = x.to_bits();
    (if bits > SIGN { 0xff } else { bits >> 23 & 0xff }) as u8
}

/// 2^(code - 127).
#[inline(always)]
pub fn f8e8m0_to_f32(code: u8) -> f32 {
    let bits = u32::from(code) << 23;
    let bits = if code == 0 { 0x0040_0000 } else { bits };
    f32::from_bits(if code == 0xff { 0x7fc0_0000 } else { bits })
}

/// Nearest f4e2m1, saturating.
#[inline(always)]
pub fn f32_to_f4e2m1(x: f32) -> u8 {
    let bits = x.to_bits();
    let a = bits & !SIGN;
    let sign = bits >> 28 & 0x8;
    let code = round(a, 1, 1, 4_194_304.0);
    let code = if a >= 0x40c0_0000 { 7 } else { code };
    (if a > 0x7f80_0000 { 7 } else { code | sign }) as u8
}

/// The f4e2m1's value (of the low nibble).
#[inline(always)]
pub fn f4e2m1_to_f32(code: u8) -> f32 {
    let a = u32::from(code & 7);
    let bits = if a < 2 { (a as f32 * 0.5).to_bits() } else { (a << 22) + (126 << 23) };
    f32::from_bits(bits | (u32::from(code & 8) << 28))
}

/// The low nibble as two's complement.
#[inline(always)]
pub fn i4_to_i32(code: u8) -> i32 {
    i32::from((code << 4) as i8 >> 4)
}

/// Saturates to -8 to 7; the low nibble of the result.
#[inline(always)]
pub fn i32_to_i4(x: i32) -> u8 {
    x.clamp(-8, 7) as u8 & 0xf
}

/// Saturates to 0 to 15.
#[inline(always)]
pub fn u32_to_u4(x: u32) -> u8 {
    x.min(15) as u8
}
