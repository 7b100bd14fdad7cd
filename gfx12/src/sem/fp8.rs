//! The two 8-bit floats: fp8 (e4m3 without infinities) and bf8 (e5m2).
//!
//! Invariants:
//! - Decoding is exact. Encoding rounds once, to nearest, ties to even; what is too large becomes NaN in fp8 and infinity
//!   in bf8, which is the mode without saturation.

/// One of the two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fp8 {
    /// Four bits of exponent, three of fraction; one NaN a sign, no infinity.
    E4m3,
    /// Five bits of exponent, two of fraction, as f16's upper half.
    E5m2,
}

impl Fp8 {
    const fn fraction_bits(self) -> u32 {
        match self {
            Self::E4m3 => 3,
            Self::E5m2 => 2,
        }
    }

    const fn bias(self) -> i32 {
        match self {
            Self::E4m3 => 7,
            Self::E5m2 => 15,
        }
    }

    /// The code of the magnitude that stands for what is too large.
    const fn overflow(self) -> u32 {
        match self {
            Self::E4m3 => 0x7f,
            Self::E5m2 => 0x7c,
        }
    }
}

/// The value of a code.
#[must_use]
pub fn decode(format: Fp8, code: u8) -> f32 {
    let magnitude = u32::from(code & 0x7f);
    let special = match format {
        Fp8::E4m3 if magnitude == 0x7f => Some(f32::NAN),
        Fp8::E5m2 if magnitude == 0x7c => Some(f32::INFINITY),
        Fp8::E5m2 if magnitude > 0x7c => Some(f32::NAN),
        Fp8::E4m3 | Fp8::E5m2 => None,
    };
    let value = special.unwrap_or_else(|| {
        // The code's fields in f32's places, and the difference of the biases as a power of two.
        let power = f32::from_bits(((127 + 127 - format.bias()) as u32) << 23);
        f32::from_bits(magnitude << (23 - format.fraction_bits())) * power
    });
    if code & 0x80 != 0 { -value } else { value }
}

/// The nearest code.
#[must_use]
pub fn encode(format: Fp8, x: f32) -> u8 {
    encode_with(format, x, |rest, half, odd| rest > half || (rest == half && odd))
}

/// The code of `x` after 20 or 21 random bits (fp8, bf8) are added below the last place that is kept: stochastic rounding.
#[must_use]
pub fn encode_stochastic(format: Fp8, x: f32, random: u32) -> u8 {
    // The random bits are a number in [0, 1) of the last place.
    let dropped = 23 - format.fraction_bits();
    let random = u64::from(random >> (32 - dropped));
    encode_with(format, x, |rest, half, _| {
        u128::from(rest) * (1 << dropped) + u128::from(random) * u128::from(half) * 2
            >= u128::from(half) * 2 * (1 << dropped)
    })
}

/// Encodes with a rule that says from the rest, half a place and whether the last place is odd if to round up.
fn encode_with(format: Fp8, x: f32, up: impl Fn(u64, u64, bool) -> bool) -> u8 {
    let sign = if x.is_sign_negative() { 0x80 } else { 0 };
    if x.is_nan() {
        return sign | 0x7f;
    }
    if x.is_infinite() {
        return sign | format.overflow() as u8;
    }
    let bits = x.abs().to_bits();
    let field = (bits >> 23) as i32;
    let mantissa = u64::from(bits & 0x7f_ffff) | if field == 0 { 0 } else { 1 << 23 };
    let exponent = field.max(1) - 127;
    // The exponent of a result's hidden bit, and how many digits of the 24 do not fit below it.
    let least = 1 - format.bias();
    let drop = (23 - format.fraction_bits() as i32) + (least - exponent).max(0);
    if drop > 40 {
        return sign;
    }
    let (kept, rest) = (mantissa >> drop, mantissa & ((1 << drop) - 1));
    let rounded = kept + u64::from(up(rest, 1 << (drop - 1), kept & 1 == 1));
    let biased = (exponent.max(least) + format.bias() - 1) as u64;
    let code = (biased << format.fraction_bits()) + rounded;
    sign | code.min(u64::from(format.overflow())) as u8
}
