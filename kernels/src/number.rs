//! Numbers as bits and as values, for references and the judge.
//!
//! Written from the formats' definitions over f64 and integers, apart from the language's own conversions,
//! so that one can be held against the other.
//!
//! Invariants
//! - `decode` is exact; `encode` rounds once, to nearest even (f8e8m0, a scale, rounds down).
//! - A value outside the range becomes infinity where the dtype has one and is no 8-bit float, and the
//!   nearest number of the dtype otherwise.

use evenweave_lang::dtype::{Class, DType};

/// The parts of a float dtype. A sign bit stands above the exponent.
#[derive(Clone, Copy, Debug)]
pub struct FloatFormat {
    /// Bits of the exponent field.
    pub exponent_bits: u32,
    /// Bits of the stored mantissa.
    pub mantissa_bits: u32,
    /// What is subtracted from the exponent field.
    pub bias: i32,
    /// The largest finite number.
    pub max: f64,
    /// Whether infinity is a number of the format that stores make.
    pub overflows: bool,
    /// The canonical NaN, or what stands for it.
    pub nan: u64,
}

/// The parts of a float dtype that has a sign; `None` for f8e8m0, f64 and what is no float.
pub const fn float_format(dtype: DType) -> Option<FloatFormat> {
    let (exponent_bits, mantissa_bits, bias, max, overflows, nan) = match dtype {
        DType::F32 => (8, 23, 127, f32::MAX as f64, true, 0x7fc0_0000),
        DType::F16 => (5, 10, 15, 65504.0, true, 0x7e00),
        DType::BF16 => (8, 7, 127, 3.3895313892515355e38, true, 0x7fc0),
        DType::F8E5M2 => (5, 2, 15, 57344.0, false, 0x7e),
        DType::F8E4M3 => (4, 3, 7, 448.0, false, 0x7f),
        DType::F4E2M1 => (2, 1, 1, 6.0, false, 7),
        _ => return None,
    };
    Some(FloatFormat { exponent_bits, mantissa_bits, bias, max, overflows, nan })
}

/// The largest finite number of a float dtype.
pub fn max_finite(dtype: DType) -> f64 {
    match dtype {
        DType::F8E8M0 => 2f64.powi(127),
        _ => float_format(dtype).map_or(f64::MAX, |f| f.max),
    }
}

/// The distance of neighbours of a float dtype around `x`; that of subnormals where `x` is one or 0.
/// Infinite where `x` is not finite.
pub fn ulp(dtype: DType, x: f64) -> f64 {
    if !x.is_finite() {
        return f64::INFINITY;
    }
    match float_format(dtype) {
        Some(f) => {
            let exponent = exponent_of(x.abs().min(f.max)).max(1 - f.bias);
            power_of_two(exponent - f.mantissa_bits as i32)
        }
        None => power_of_two(exponent_of(x).max(-1022) - 52),
    }
}

/// Half the distance of 1 and its upper neighbour: the largest relative error of one rounding.
pub fn rounding_error(dtype: DType) -> f64 {
    ulp(dtype, 1.0) / 2.0
}

/// `x` rounded once to a float dtype; unchanged in f64.
pub fn round(dtype: DType, x: f64) -> f64 {
    decode(dtype, encode(dtype, x))
}

/// The bits of `x` rounded once. Integers take the nearest integer, saturated; `bool` is `x != 0`.
pub fn encode(dtype: DType, x: f64) -> u64 {
    match dtype.class() {
        Class::Bool => (x != 0.0).into(),
        Class::Signed | Class::Unsigned => {
            let (low, high) = int_range(dtype);
            encode_int(dtype, (libm::rint(x) as i128).clamp(low, high))
        }
        Class::Float => match (dtype, float_format(dtype)) {
            (_, Some(f)) => encode_float(f, x),
            (DType::F8E8M0, None) => encode_scale(x),
            (_, None) if x.is_nan() => 0x7ff8_0000_0000_0000,
            (_, None) => x.to_bits(),
        },
    }
}

/// The value of a float's bits, or of an integer's as a float.
pub fn decode(dtype: DType, bits: u64) -> f64 {
    match dtype.class() {
        Class::Bool | Class::Signed | Class::Unsigned => decode_int(dtype, bits) as f64,
        Class::Float => match (dtype, float_format(dtype)) {
            (_, Some(f)) => decode_float(dtype, f, bits),
            (DType::F8E8M0, None) if bits == 0xff => f64::NAN,
            (DType::F8E8M0, None) => power_of_two(bits as i32 - 127),
            (_, None) => f64::from_bits(bits),
        },
    }
}

/// The least and the greatest integer of an integer dtype or `bool`.
pub fn int_range(dtype: DType) -> (i128, i128) {
    match dtype.class() {
        Class::Signed => (-(1 << (dtype.bits() - 1)), (1 << (dtype.bits() - 1)) - 1),
        Class::Bool => (0, 1),
        Class::Unsigned | Class::Float => (0, (1 << dtype.bits()) - 1),
    }
}

/// The low bits of an integer.
pub fn encode_int(dtype: DType, x: i128) -> u64 {
    match dtype.class() {
        Class::Bool => (x != 0).into(),
        Class::Signed | Class::Unsigned | Class::Float => (x as u64) & low_bits(dtype.bits()),
    }
}

/// The integer of some bits.
pub fn decode_int(dtype: DType, bits: u64) -> i128 {
    let bits = i128::from(bits & low_bits(dtype.bits()));
    match dtype.class() {
        Class::Signed if bits >> (dtype.bits() - 1) == 1 => bits - (1 << dtype.bits()),
        Class::Bool => (bits != 0).into(),
        Class::Signed | Class::Unsigned | Class::Float => bits,
    }
}

/// An integer wrapped to the range of a dtype, as its arithmetic does.
pub fn wrap(dtype: DType, x: i128) -> i128 {
    decode_int(dtype, encode_int(dtype, x))
}

/// The element at `index` of packed bytes; the low nibble comes first.
pub fn element(dtype: DType, bytes: &[u8], index: usize) -> u64 {
    match dtype.bits() {
        4 => u64::from(bytes[index / 2] >> (4 * (index % 2)) & 0xf),
        bits => {
            let size = bits as usize / 8;
            let mut word = [0; 8];
            word[..size].copy_from_slice(&bytes[index * size..][..size]);
            u64::from_le_bytes(word)
        }
    }
}

/// Changes the element at `index` of packed bytes.
pub fn set_element(dtype: DType, bytes: &mut [u8], index: usize, value: u64) {
    match dtype.bits() {
        4 => {
            let shift = 4 * (index % 2);
            let byte = &mut bytes[index / 2];
            *byte = *byte & !(0xf << shift) | ((value as u8 & 0xf) << shift);
        }
        bits => {
            let size = bits as usize / 8;
            bytes[index * size..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
    }
}

fn low_bits(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

fn power_of_two(exponent: i32) -> f64 {
    libm::scalbn(1.0, exponent)
}

/// The power of two at or below `|x|`; that of the least subnormal for 0.
fn exponent_of(x: f64) -> i32 {
    if x == 0.0 { -1074 } else { libm::ilogb(x) }
}

fn encode_float(f: FloatFormat, x: f64) -> u64 {
    let sign_at = f.exponent_bits + f.mantissa_bits;
    let sign = u64::from(x.is_sign_negative()) << sign_at;
    if x.is_nan() {
        return f.nan;
    }
    let exponent = exponent_of(x).max(1 - f.bias);
    let units = libm::rint(libm::scalbn(x.abs(), f.mantissa_bits as i32 - exponent));
    let rounded = libm::scalbn(units, exponent - f.mantissa_bits as i32);
    if x.is_infinite() || rounded > f.max {
        let infinity = low_bits(f.exponent_bits) << f.mantissa_bits;
        return sign | if f.overflows { infinity } else { encode_float(f, f.max) };
    }
    // A carry out of the mantissa moves on to the exponent, which is the right answer.
    let field = ((exponent + f.bias - 1) as u64) << f.mantissa_bits;
    sign | (field + units as u64)
}

fn decode_float(dtype: DType, f: FloatFormat, bits: u64) -> f64 {
    let sign = if bits >> (dtype.bits() - 1) & 1 == 1 { -1.0 } else { 1.0 };
    let field = (bits >> f.mantissa_bits & low_bits(f.exponent_bits)) as i32;
    let mantissa = bits & low_bits(f.mantissa_bits);
    let last = field == low_bits(f.exponent_bits) as i32;
    let ieee = matches!(dtype, DType::F32 | DType::F16 | DType::BF16 | DType::F8E5M2);
    if (last && ieee && mantissa != 0) || (dtype == DType::F8E4M3 && bits & 0x7f == 0x7f) {
        return f64::NAN;
    }
    if last && ieee {
        return sign * f64::INFINITY;
    }
    let (exponent, units) = match field {
        0 => (1 - f.bias, mantissa),
        _ => (field - f.bias, mantissa | 1 << f.mantissa_bits),
    };
    sign * libm::scalbn(units as f64, exponent - f.mantissa_bits as i32)
}

/// The exponent of a scale, rounded down; NaN stands for what has none: infinity and numbers below zero.
fn encode_scale(x: f64) -> u64 {
    if x.is_nan() || x.is_infinite() || x < 0.0 {
        return 0xff;
    }
    (exponent_of(x) + 127).clamp(0, 254) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_formats_have_their_published_values() {
        let e2m1: Vec<f64> = (0..8).map(|b| decode(DType::F4E2M1, b)).collect();
        assert_eq!(e2m1, [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
        assert_eq!(decode(DType::F8E4M3, 0x7e), 448.0);
        assert_eq!(decode(DType::F8E4M3, 1), 2f64.powi(-9));
        assert_eq!(decode(DType::F8E5M2, 0x7b), 57344.0);
        assert_eq!(decode(DType::F8E8M0, 127), 1.0);
        assert!(decode(DType::F8E4M3, 0xff).is_nan() && decode(DType::F8E8M0, 0xff).is_nan());
    }

    #[test]
    fn every_code_of_a_small_float_comes_back() {
        for dtype in [DType::F16, DType::BF16, DType::F8E5M2, DType::F8E4M3, DType::F4E2M1] {
            for bits in 0..1u64 << dtype.bits() {
                let x = decode(dtype, bits);
                let stays =
                    !x.is_nan() && (x.is_finite() || float_format(dtype).unwrap().overflows);
                assert!(!stays || encode(dtype, x) == bits, "{dtype} {bits:#x} {x}");
            }
        }
    }

    #[test]
    fn sixteen_bits_agree_with_another_implementation() {
        for bits in (0..=u32::MAX).step_by(65_521) {
            let x = f32::from_bits(bits);
            if !x.is_nan() {
                let (h, b) = (half::f16::from_f32(x).to_bits(), half::bf16::from_f32(x).to_bits());
                assert_eq!(encode(DType::F16, x.into()), u64::from(h), "{x}");
                assert_eq!(encode(DType::BF16, x.into()), u64::from(b), "{x}");
                assert_eq!(encode(DType::F32, x.into()), u64::from(bits), "{x}");
            }
        }
    }

    #[test]
    fn rounding_is_once_and_to_even() {
        assert_eq!(encode(DType::F32, 1.0 + 2f64.powi(-24)), 0x3f80_0000);
        assert_eq!(encode(DType::F32, 1.0 + 3.0 * 2f64.powi(-24)), 0x3f80_0002);
        assert_eq!(encode(DType::F16, 65520.0), 0x7c00);
        assert_eq!(encode(DType::F16, 65519.99), 0x7bff);
        assert_eq!(encode(DType::F8E4M3, 1e9), 0x7e);
        assert_eq!(encode(DType::F8E4M3, f64::NEG_INFINITY), 0xfe);
        assert_eq!([0.25, 0.75, 2.5, 5.0].map(|x| encode(DType::F4E2M1, x)), [0, 2, 4, 6]);
        assert_eq!(encode(DType::F32, 2f64.powi(-150)), 0);
        assert_eq!(encode(DType::F32, -(2f64.powi(-149))), 0x8000_0001);
    }

    #[test]
    fn integers_wrap_or_saturate_as_asked() {
        assert_eq!(wrap(DType::I8, 200), -56);
        assert_eq!(encode(DType::I8, 200.0), 0x7f);
        assert_eq!(decode_int(DType::I4, 0xf), -1);
        assert_eq!(decode_int(DType::U64, u64::MAX), (1 << 64) - 1);
        assert_eq!(int_range(DType::I64), (i64::MIN.into(), i64::MAX.into()));
    }

    #[test]
    fn nibbles_are_packed_low_first() {
        let mut bytes = [0u8; 2];
        set_element(DType::U4, &mut bytes, 1, 0xa);
        set_element(DType::U4, &mut bytes, 2, 0x5);
        assert_eq!(bytes, [0xa0, 0x05]);
        assert_eq!(
            (0..4).map(|i| element(DType::U4, &bytes, i)).collect::<Vec<_>>(),
            [0, 10, 5, 0]
        );
    }

    #[test]
    fn a_unit_in_the_last_place() {
        assert_eq!(ulp(DType::F32, 1.0), 2f64.powi(-23));
        assert_eq!(ulp(DType::F32, 1e-45), 2f64.powi(-149));
        assert_eq!(ulp(DType::F16, 0.0), 2f64.powi(-24));
        assert_eq!(ulp(DType::F16, 1e9), 32.0);
        assert_eq!(ulp(DType::F64, 1.0), f64::EPSILON);
    }
}
