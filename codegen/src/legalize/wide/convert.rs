//! Conversions between 64-bit integers and everything else.
//!
//! Invariants
//! - Floats are taken apart and put together as bits: nothing depends on how a device rounds or flushes.
//! - An integer is rounded once. On the way to bf16 it is first rounded to odd, which the second rounding, of 16
//!   bits fewer, cannot tell from the integer itself; f16 is exact in f32 where it is finite.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{pair::Pair, words::Words};
use evenweave_lang::{
    dtype::{Class, DType},
    ir::{Op, Type, Value},
    ops::{BinaryOp, CompareOp, UnaryOp},
};

/// How an integer becomes 24 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    NearestEven,
    Odd,
}

impl Words<'_> {
    /// A value of less than 64 bits as one of 64.
    pub(super) fn widen(&mut self, x: Value, from: DType, to_signed: bool) -> Pair {
        match from.class() {
            Class::Bool | Class::Unsigned => {
                let low = self.cast(x, DType::U32);
                self.widened(low)
            }
            Class::Signed => {
                let low = self.cast(x, DType::U32);
                Pair { low, high: self.sign(low) }
            }
            Class::Float => {
                let x = self.cast(x, DType::F32);
                let bits = self.b.push(Op::Bitcast(x), Type::Scalar(DType::U32));
                self.truncated(bits, to_signed)
            }
        }
    }

    /// A 64-bit integer as a dtype of less than 64 bits.
    pub(super) fn narrow(&mut self, x: Pair, from_signed: bool, to: DType) -> Value {
        let float = |w: &mut Self, rounding| {
            let bits = w.rounded(x, from_signed, rounding);
            w.b.push(Op::Bitcast(bits), Type::Scalar(DType::F32))
        };
        match (to.class(), to) {
            (Class::Bool, _) => {
                let zero = self.is_zero_pair(x);
                self.not(zero)
            }
            (Class::Float, DType::BF16) => {
                let odd = float(self, Rounding::Odd);
                self.cast(odd, to)
            }
            (Class::Float, _) => {
                let nearest = float(self, Rounding::NearestEven);
                self.cast(nearest, to)
            }
            (Class::Signed | Class::Unsigned, _) => self.cast(x.low, to),
        }
    }

    /// The integer part of an f32 of these bits, saturated; 0 of NaN.
    fn truncated(&mut self, bits: Value, is_signed: bool) -> Pair {
        let negative = self.is_negative(bits);
        let exponent = self.by(BinaryOp::Shr, bits, 23);
        let exponent = self.by(BinaryOp::And, exponent, 255);
        let fraction = self.by(BinaryOp::And, bits, 0x7f_ffff);
        let significand = self.by(BinaryOp::Or, fraction, 0x80_0000);
        // At an exponent of 150 the significand is the integer.
        let left = self.by(BinaryOp::Sub, exponent, 150);
        let whole = self.widened(significand);
        let large = self.shl(whole, left);
        let hundred_fifty = self.number(150);
        let right = self.binary(BinaryOp::Sub, hundred_fifty, exponent);
        let small = self.binary(BinaryOp::Shr, significand, right);
        let small = self.widened(small);
        let is_large = self.compare_by(CompareOp::Ge, exponent, 150);
        let magnitude = self.select_pair(is_large, large, small);

        let magnitude_bits = self.by(BinaryOp::And, bits, 0x7fff_ffff);
        let is_nan = self.compare_by(CompareOp::Gt, magnitude_bits, 0x7f80_0000);
        let is_small = self.compare_by(CompareOp::Lt, exponent, 127);
        let mut is_zero = self.either(is_nan, is_small);
        let first_too_large = if is_signed { 190 } else { 191 };
        let is_past = self.compare_by(CompareOp::Ge, exponent, first_too_large);
        let result = if is_signed {
            let [least, most] = [1 << 63, u64::MAX >> 1].map(|bits| self.pair(bits));
            let bound = self.select_pair(negative, least, most);
            let signed = self.negated_where(negative, magnitude);
            self.select_pair(is_past, bound, signed)
        } else {
            is_zero = self.either(is_zero, negative);
            let most = self.pair(u64::MAX);
            self.select_pair(is_past, most, magnitude)
        };
        let zero = self.pair(0);
        self.select_pair(is_zero, zero, result)
    }

    /// The bits of the f32 that an integer is rounded to.
    fn rounded(&mut self, x: Pair, is_signed: bool, rounding: Rounding) -> Value {
        let (negative, x) = if is_signed {
            (self.is_negative(x.high), self.magnitude(x))
        } else {
            (self.b.constant(DType::Bool, 0), x)
        };
        let zeros = self.unary_pair(UnaryOp::LeadingZeros, x).expect("an integer row").low;
        let normal = self.shl(x, zeros);
        let significand = self.by(BinaryOp::Shr, normal.high, 8);
        let rest = self.by(BinaryOp::And, normal.high, 0xff);
        let below = self.compare_by(CompareOp::Ne, normal.low, 0);
        let below = self.bit(below);
        let significand = match rounding {
            Rounding::Odd => {
                let lost = self.binary(BinaryOp::Or, rest, below);
                let lost = self.compare_by(CompareOp::Ne, lost, 0);
                let lost = self.bit(lost);
                self.binary(BinaryOp::Or, significand, lost)
            }
            Rounding::NearestEven => {
                // Doubled, so that what lies below counts: up past a half, or from a half where that is even.
                let twice = self.by(BinaryOp::Shl, rest, 1);
                let rest = self.binary(BinaryOp::Or, twice, below);
                let odd = self.by(BinaryOp::And, significand, 1);
                let rest = self.binary(BinaryOp::Add, rest, odd);
                let up = self.compare_by(CompareOp::Gt, rest, 0x100);
                let up = self.bit(up);
                self.binary(BinaryOp::Add, significand, up)
            }
        };
        // The leading one of the significand adds one to the exponent.
        let most = self.number(127 + 63 - 1);
        let exponent = self.binary(BinaryOp::Sub, most, zeros);
        let exponent = self.by(BinaryOp::Shl, exponent, 23);
        let bits = self.binary(BinaryOp::Add, exponent, significand);
        let [sign, zero] = [0x8000_0000, 0].map(|n| self.number(n));
        let sign = self.select(negative, sign, zero);
        let bits = self.binary(BinaryOp::Or, bits, sign);
        let is_zero = self.is_zero_pair(x);
        self.select(is_zero, zero, bits)
    }
}
