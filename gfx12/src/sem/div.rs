//! The three helpers of correctly rounded division: scale the operands, undo the scale, fix the special cases.
//!
//! Invariants:
//! - Exponents are compared as they are encoded: every subnormal has 0.
//! - What `scale` says in its flag is what `fmas` undoes, in one rounding.

use super::soft::{self, F32, F64};

macro_rules! scale {
    ($name:ident, $f:ty, $bits:ty, $fraction:expr, $field:expr, $far:expr, $by:expr, $tiny:expr) => {
        /// `operand`, one of `denominator` and `numerator`, scaled so that the steps of a division neither overflow nor
        /// lose digits, and whether the quotient must be scaled back.
        #[must_use]
        pub fn $name(operand: $f, denominator: $f, numerator: $f) -> ($f, bool) {
            let exponent = |x: $f| ((x.to_bits() >> $fraction) & $field) as i32;
            let (num, den) = (exponent(numerator), exponent(denominator));
            let up = <$f>::from_bits((($field / 2 + $by) as $bits) << $fraction);
            let down = <$f>::from_bits((($field / 2 - $by) as $bits) << $fraction);
            let is_denominator = operand.to_bits() == denominator.to_bits();
            let is_numerator = operand.to_bits() == numerator.to_bits();
            if numerator == 0.0 || denominator == 0.0 {
                (<$f>::NAN, false)
            } else if num - den >= $far {
                // The quotient is near overflow.
                (if is_denominator { operand * up } else { operand }, true)
            } else if den == 0 {
                (operand * up, false)
            } else if den >= $field as i32 - 2 {
                // The denominator's reciprocal is subnormal; so may be the quotient.
                if num - den <= -$far {
                    (if is_denominator { operand * down } else { operand }, true)
                } else {
                    (operand * down, false)
                }
            } else if num - den <= -$far {
                (if is_numerator { operand * up } else { operand }, true)
            } else if num <= $tiny {
                // The residuals of a tiny numerator would lose digits.
                (operand * up, false)
            } else {
                (operand, false)
            }
        }
    };
}

scale!(scale_f32, f32, u32, 23, 0xff, 96, 64, 24);
scale!(scale_f64, f64, u64, 52, 0x7ff, 768, 128, 53);

/// `a * b + c`, scaled back by 2^64 where the flag of [`scale_f32`] is set; the addend says in which direction.
#[must_use]
pub fn fmas_f32(a: f32, b: f32, c: f32, scaled: bool) -> f32 {
    if !scaled {
        return a.mul_add(b, c);
    }
    let scale = if (c.to_bits() >> 23) & 0xff > 127 { 64 } else { -64 };
    f32::from_bits(soft::fma_scaled(F32, f64::from(a), f64::from(b), f64::from(c), scale) as u32)
}

/// `a * b + c`, scaled back by 2^128 where the flag of [`scale_f64`] is set; the addend says in which direction.
#[must_use]
pub fn fmas_f64(a: f64, b: f64, c: f64, scaled: bool) -> f64 {
    if !scaled {
        return a.mul_add(b, c);
    }
    let scale = if (c.to_bits() >> 52) & 0x7ff > 1023 { 128 } else { -128 };
    f64::from_bits(soft::fma_scaled(F64, a, b, c, scale))
}

/// The quotient with its special cases: NaN, zeros and infinities of the operands, and a result too small or too large for
/// the format.
///
/// `underflows` is what the encoded exponents say; it is given by the forms for one format below. A quotient of finite
/// operands that is not finite overflowed, in its scaling as well: its residuals are NaN then.
fn fixup(quotient: f64, denominator: f64, numerator: f64, underflows: bool) -> f64 {
    let negative = denominator.is_sign_negative() != numerator.is_sign_negative();
    let signed = |x: f64| if negative { -x } else { x };
    if numerator.is_nan() || denominator.is_nan() {
        f64::NAN
    } else if (denominator == 0.0 && numerator == 0.0)
        || (denominator.is_infinite() && numerator.is_infinite())
    {
        -f64::NAN
    } else if denominator == 0.0 || numerator.is_infinite() {
        signed(f64::INFINITY)
    } else if denominator.is_infinite() || numerator == 0.0 || underflows {
        signed(0.0)
    } else if !quotient.is_finite() {
        signed(f64::INFINITY)
    } else {
        signed(quotient.abs())
    }
}

/// The last step of an f32 division.
#[must_use]
pub fn fixup_f32(quotient: f32, denominator: f32, numerator: f32) -> f32 {
    let exponent = |x: f32| ((x.to_bits() >> 23) & 0xff) as i32;
    let underflows = exponent(numerator) - exponent(denominator) < -150;
    fixup(f64::from(quotient), f64::from(denominator), f64::from(numerator), underflows) as f32
}

/// The last step of an f64 division.
#[must_use]
pub fn fixup_f64(quotient: f64, denominator: f64, numerator: f64) -> f64 {
    let exponent = |x: f64| ((x.to_bits() >> 52) & 0x7ff) as i32;
    fixup(quotient, denominator, numerator, exponent(numerator) - exponent(denominator) < -1075)
}

/// The last step of an f16 division, which has no range of its own to leave: values are given as f32.
#[must_use]
pub fn fixup_f16(quotient: f32, denominator: f32, numerator: f32) -> f32 {
    fixup(f64::from(quotient), f64::from(denominator), f64::from(numerator), false) as f32
}
