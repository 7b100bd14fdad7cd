//! f16 and bf16 as bits, and the pieces of floats.
//!
//! Invariants:
//! - Arithmetic on f16 rounds once: the wider format in between is wide enough, or rounds to odd.

/// The value of an f16.
#[must_use]
#[inline(always)]
pub fn f16_to_f32(h: u16) -> f32 {
    let magnitude = u32::from(h & 0x7fff);
    // 2^112 moves the exponent from one bias to the other; it is exact, for subnormals as well.
    let finite = (f32::from_bits(magnitude << 13) * f32::from_bits((127 + 112) << 23)).to_bits();
    let quiet = if magnitude > 0x7c00 { 1 << 22 } else { 0 };
    let special = 0x7f80_0000 | (magnitude << 13) | quiet;
    let bits = if magnitude >= 0x7c00 { special } else { finite };
    f32::from_bits(bits | (u32::from(h & 0x8000) << 16))
}

/// An f32 rounded to the nearest f16, ties to even.
#[must_use]
#[inline(always)]
pub fn f32_to_f16(x: f32) -> u16 {
    let bits = x.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let sign = (bits >> 16) & 0x8000;
    let normal =
        (magnitude.wrapping_add(0xfff + ((magnitude >> 13) & 1)).wrapping_sub((127 - 15) << 23))
            >> 13;
    // One half has the weight of f16's smallest subnormal as its last place, so that the sum rounds there.
    let small = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let value = if magnitude < 0x3880_0000 { small } else { normal };
    let value = if magnitude >= 0x4780_0000 { 0x7c00 } else { value };
    let value = if magnitude > 0x7f80_0000 { 0x7e00 | ((magnitude >> 13) & 0x3ff) } else { value };
    (value | sign) as u16
}

/// An f32 rounded to f16 towards zero; what is too large becomes the largest finite value.
#[must_use]
#[inline(always)]
pub fn f32_to_f16_rtz(x: f32) -> u16 {
    let near = f32_to_f16(x);
    let back = f16_to_f32(near);
    if x.is_finite() && back.abs() > x.abs() { near - 1 } else { near }
}

/// An f64 rounded to f32 so that a second rounding to fewer bits is right: an inexact result has an odd last place.
#[must_use]
#[inline(always)]
pub fn f64_to_f32_odd(x: f64) -> f32 {
    let near = x as f32;
    let wide = f64::from(near);
    let even = near.to_bits() & 1 == 0;
    let (grew, shrank) = (wide.abs() > x.abs(), wide.abs() < x.abs());
    let step = if even && grew {
        u32::MAX
    } else if even && shrank {
        1
    } else {
        0
    };
    f32::from_bits(near.to_bits().wrapping_add(step))
}

/// An f64 rounded to the nearest f16, once.
#[must_use]
#[inline(always)]
pub fn f64_to_f16(x: f64) -> u16 {
    f32_to_f16(f64_to_f32_odd(x))
}

/// `a * b + c` of f16, rounded once.
///
/// The product is exact in f64. Where the sum is not, the product is far below a quarter of the last place of `c`, so
/// that rounding twice does no harm.
#[must_use]
#[inline(always)]
pub fn fma_f16(a: u16, b: u16, c: u16) -> u16 {
    let product = f64::from(f16_to_f32(a)) * f64::from(f16_to_f32(b));
    f64_to_f16(product + f64::from(f16_to_f32(c)))
}

/// A function of two f16 values through f32, whose 24 bits make a second rounding harmless for +, -, *, / and sqrt.
#[must_use]
#[inline(always)]
pub fn through_f32(a: u16, b: u16, f: impl Fn(f32, f32) -> f32) -> u16 {
    f32_to_f16(f(f16_to_f32(a), f16_to_f32(b)))
}

/// The value of a bf16.
#[must_use]
#[inline(always)]
pub fn bf16_to_f32(h: u16) -> f32 {
    f32::from_bits(u32::from(h) << 16)
}

/// An f32 rounded to the nearest bf16, ties to even.
#[must_use]
#[inline(always)]
pub fn f32_to_bf16(x: f32) -> u16 {
    let bits = x.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    (if x.is_nan() { (bits >> 16) | 0x40 } else { rounded }) as u16
}

/// The fraction in [0.5, 1) with the sign of `x`; zero, infinity and NaN as they are.
#[must_use]
pub fn frexp_mant_f64(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let scaled = if x.abs() < f64::MIN_POSITIVE { x * 18_014_398_509_481_984.0 } else { x };
    f64::from_bits((scaled.to_bits() & !(0x7ff << 52)) | (1022 << 52))
}

/// The power of two that goes with [`frexp_mant_f64`]; 0 for zero, infinity and NaN.
#[must_use]
pub fn frexp_exp_f64(x: f64) -> i32 {
    if x == 0.0 || !x.is_finite() {
        return 0;
    }
    let subnormal = x.abs() < f64::MIN_POSITIVE;
    let scaled = if subnormal { x * 18_014_398_509_481_984.0 } else { x };
    let exponent = ((scaled.to_bits() >> 52) & 0x7ff) as i32 - 1022;
    if subnormal { exponent - 54 } else { exponent }
}

/// The part of `x` above its floor, below one; `largest` is the largest value below one of the format.
#[must_use]
#[inline(always)]
pub fn fract_f64(x: f64, largest: f64) -> f64 {
    let part = x - x.floor();
    if part > largest { largest } else { part }
}

/// `x` held in [0, 1]; NaN becomes 0.
#[must_use]
#[inline(always)]
pub fn saturate_f32(x: f32) -> f32 {
    let low = if x > 0.0 { x } else { 0.0 };
    if low < 1.0 { low } else { 1.0 }
}

/// `x` held in [0, 1]; NaN becomes 0.
#[must_use]
#[inline(always)]
pub fn saturate_f64(x: f64) -> f64 {
    let low = if x > 0.0 { x } else { 0.0 };
    if low < 1.0 { low } else { 1.0 }
}

/// The classes of the class tests, as single bits.
#[must_use]
pub fn class_f64(x: f64, quiet: bool, smallest_normal: f64) -> u32 {
    if x.is_nan() {
        return if quiet { 2 } else { 1 };
    }
    let (negative, positive) = if x.is_infinite() {
        (2, 9)
    } else if x == 0.0 {
        (5, 6)
    } else if x.abs() < smallest_normal {
        (4, 7)
    } else {
        (3, 8)
    };
    1 << if x.is_sign_negative() { negative } else { positive }
}

/// The class of an f32.
#[must_use]
pub fn class_f32(bits: u32) -> u32 {
    class_f64(f64::from(f32::from_bits(bits)), bits & (1 << 22) != 0, f64::from(f32::MIN_POSITIVE))
}

/// The class of an f16.
#[must_use]
pub fn class_f16(bits: u16) -> u32 {
    class_f64(f64::from(f16_to_f32(bits)), bits & (1 << 9) != 0, 2f64.powi(-14))
}
