//! 64-bit integers as two words: sums, products, shifts, comparisons.
//!
//! Invariants
//! - Each function yields the words of what `eval` yields for the 64-bit integers.

#![deny(clippy::wildcard_enum_match_arm)]

use super::words::Words;
use evenweave_lang::{
    ir::Value,
    ops::{BinaryOp, CompareOp, UnaryOp},
};

/// A 64-bit integer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Bits 0 to 31.
    pub(super) low: Value,
    /// Bits 32 to 63.
    pub(super) high: Value,
}

impl Words<'_> {
    pub(super) fn pair(&mut self, bits: u64) -> Pair {
        Pair { low: self.number(bits as u32), high: self.number((bits >> 32) as u32) }
    }

    /// A word with nothing above it.
    pub(super) fn widened(&mut self, low: Value) -> Pair {
        Pair { low, high: self.number(0) }
    }

    /// The integer, where both words are known.
    pub(super) fn known_pair(&self, x: Pair) -> Option<u64> {
        Some(u64::from(self.known(x.low)?) | u64::from(self.known(x.high)?) << 32)
    }

    /// Whether the high word is known to be 0.
    pub(super) fn is_short(&self, x: Pair) -> bool {
        self.known(x.high) == Some(0)
    }

    pub(super) fn select_pair(&mut self, cond: Value, x: Pair, y: Pair) -> Pair {
        let low = self.select(cond, x.low, y.low);
        Pair { low, high: self.select(cond, x.high, y.high) }
    }

    pub(super) fn unary_pair(&mut self, op: UnaryOp, x: Pair) -> Option<Pair> {
        Some(match op {
            UnaryOp::Neg => self.negated(x),
            UnaryOp::Abs => self.magnitude(x),
            UnaryOp::Not => Pair { low: self.unary(op, x.low), high: self.unary(op, x.high) },
            UnaryOp::CountOnes => {
                let [low, high] = [x.low, x.high].map(|w| self.unary(op, w));
                let sum = self.binary(BinaryOp::Add, low, high);
                self.widened(sum)
            }
            UnaryOp::LeadingZeros => self.first_count(op, x.high, x.low),
            UnaryOp::TrailingZeros => self.first_count(op, x.low, x.high),
            UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Trunc
            | UnaryOp::RoundEven
            | UnaryOp::Sqrt
            | UnaryOp::Rsqrt
            | UnaryOp::Recip
            | UnaryOp::Exp
            | UnaryOp::Exp2
            | UnaryOp::Expm1
            | UnaryOp::Log
            | UnaryOp::Log2
            | UnaryOp::Log10
            | UnaryOp::Log1p
            | UnaryOp::Sin
            | UnaryOp::Cos
            | UnaryOp::Tan
            | UnaryOp::Asin
            | UnaryOp::Acos
            | UnaryOp::Atan
            | UnaryOp::Sinh
            | UnaryOp::Cosh
            | UnaryOp::Tanh
            | UnaryOp::Asinh
            | UnaryOp::Acosh
            | UnaryOp::Atanh
            | UnaryOp::Sigmoid
            | UnaryOp::Silu
            | UnaryOp::GeluTanh
            | UnaryOp::GeluErf
            | UnaryOp::Softplus
            | UnaryOp::Erf
            | UnaryOp::Erfinv
            | UnaryOp::FastExp
            | UnaryOp::FastLog
            | UnaryOp::FastRecip
            | UnaryOp::FastRsqrt => return None,
        })
    }

    pub(super) fn binary_pair(
        &mut self,
        op: BinaryOp,
        is_signed: bool,
        x: Pair,
        y: Pair,
    ) -> Option<Pair> {
        Some(match op {
            BinaryOp::Add => self.add(x, y),
            BinaryOp::Sub => self.sub(x, y),
            BinaryOp::Mul => self.mul(x, y),
            BinaryOp::Div => self.div_rem(is_signed, x, y).0,
            BinaryOp::Rem => self.div_rem(is_signed, x, y).1,
            BinaryOp::Min => {
                let less = self.less(is_signed, x, y);
                self.select_pair(less, x, y)
            }
            BinaryOp::Max => {
                let less = self.less(is_signed, x, y);
                self.select_pair(less, y, x)
            }
            BinaryOp::MulHigh => self.mul_high(is_signed, x, y),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                let low = self.binary(op, x.low, y.low);
                Pair { low, high: self.binary(op, x.high, y.high) }
            }
            BinaryOp::Shl => self.shl(x, y.low),
            BinaryOp::Shr => self.shr(is_signed, x, y.low),
            BinaryOp::MinNum | BinaryOp::MaxNum | BinaryOp::Pow | BinaryOp::Atan2 => return None,
        })
    }

    pub(super) fn compare_pair(
        &mut self,
        op: CompareOp,
        is_signed: bool,
        x: Pair,
        y: Pair,
    ) -> Value {
        match op {
            CompareOp::Eq => self.equal(x, y),
            CompareOp::Ne => {
                let equal = self.equal(x, y);
                self.not(equal)
            }
            CompareOp::Lt => self.less(is_signed, x, y),
            CompareOp::Gt => self.less(is_signed, y, x),
            CompareOp::Le => {
                let greater = self.less(is_signed, y, x);
                self.not(greater)
            }
            CompareOp::Ge => {
                let less = self.less(is_signed, x, y);
                self.not(less)
            }
        }
    }

    fn equal(&mut self, x: Pair, y: Pair) -> Value {
        let low = self.compare(CompareOp::Eq, x.low, y.low);
        let high = self.compare(CompareOp::Eq, x.high, y.high);
        self.both(low, high)
    }

    pub(super) fn less(&mut self, is_signed: bool, x: Pair, y: Pair) -> Value {
        let high = if is_signed {
            self.signed_less(x.high, y.high)
        } else {
            self.compare(CompareOp::Lt, x.high, y.high)
        };
        let same = self.compare(CompareOp::Eq, x.high, y.high);
        let low = self.compare(CompareOp::Lt, x.low, y.low);
        let low = self.both(same, low);
        self.either(high, low)
    }

    pub(super) fn is_zero_pair(&mut self, x: Pair) -> Value {
        let any = self.binary(BinaryOp::Or, x.low, x.high);
        self.is_zero(any)
    }

    pub(super) fn add(&mut self, x: Pair, y: Pair) -> Pair {
        let low = self.binary(BinaryOp::Add, x.low, y.low);
        let carries = self.compare(CompareOp::Lt, low, x.low);
        let carry = self.bit(carries);
        let high = self.binary(BinaryOp::Add, x.high, y.high);
        Pair { low, high: self.binary(BinaryOp::Add, high, carry) }
    }

    pub(super) fn sub(&mut self, x: Pair, y: Pair) -> Pair {
        let low = self.binary(BinaryOp::Sub, x.low, y.low);
        let borrows = self.compare(CompareOp::Lt, x.low, y.low);
        let borrow = self.bit(borrows);
        let high = self.binary(BinaryOp::Sub, x.high, y.high);
        Pair { low, high: self.binary(BinaryOp::Sub, high, borrow) }
    }

    pub(super) fn negated(&mut self, x: Pair) -> Pair {
        let zero = self.pair(0);
        self.sub(zero, x)
    }

    pub(super) fn negated_where(&mut self, cond: Value, x: Pair) -> Pair {
        if self.known(cond) == Some(0) {
            return x;
        }
        let negated = self.negated(x);
        self.select_pair(cond, negated, x)
    }

    pub(super) fn magnitude(&mut self, x: Pair) -> Pair {
        let negative = self.is_negative(x.high);
        self.negated_where(negative, x)
    }

    fn product(&mut self, x: Value, y: Value) -> Pair {
        let low = self.binary(BinaryOp::Mul, x, y);
        Pair { low, high: self.binary(BinaryOp::MulHigh, x, y) }
    }

    fn mul(&mut self, x: Pair, y: Pair) -> Pair {
        let Pair { low, high } = self.product(x.low, y.low);
        let across = self.binary(BinaryOp::Mul, x.low, y.high);
        let high = self.binary(BinaryOp::Add, high, across);
        let across = self.binary(BinaryOp::Mul, x.high, y.low);
        Pair { low, high: self.binary(BinaryOp::Add, high, across) }
    }

    /// The upper half of the product by four partial ones; a negative factor counts 2^64 too much.
    fn mul_high(&mut self, is_signed: bool, x: Pair, y: Pair) -> Pair {
        let lowest = self.product(x.low, y.low);
        let across = [self.product(x.low, y.high), self.product(x.high, y.low)];
        let mut middle = self.widened(lowest.high);
        let mut upper = self.product(x.high, y.high);
        for part in across {
            let low = self.widened(part.low);
            middle = self.add(middle, low);
            let high = self.widened(part.high);
            upper = self.add(upper, high);
        }
        let carry = self.widened(middle.high);
        upper = self.add(upper, carry);
        if is_signed {
            let zero = self.pair(0);
            for (factor, other) in [(x, y), (y, x)] {
                let negative = self.is_negative(factor.high);
                let excess = self.select_pair(negative, other, zero);
                upper = self.sub(upper, excess);
            }
        }
        upper
    }

    /// Shift left; the count is taken modulo 64. What crosses the words moves by one, then by 31 - count, so that
    /// a count of 0 moves nothing across.
    pub(super) fn shl(&mut self, x: Pair, count: Value) -> Pair {
        let [low, high] = [x.low, x.high].map(|w| self.binary(BinaryOp::Shl, w, count));
        let rest = self.by(BinaryOp::Xor, count, 31);
        let across = self.by(BinaryOp::Shr, x.low, 1);
        let across = self.binary(BinaryOp::Shr, across, rest);
        let high = self.binary(BinaryOp::Or, high, across);
        let far = self.is_far(count);
        let zero = self.number(0);
        Pair { low: self.select(far, zero, low), high: self.select(far, low, high) }
    }

    /// Shift right; the count is taken modulo 64.
    pub(super) fn shr(&mut self, is_signed: bool, x: Pair, count: Value) -> Pair {
        let (high, above) = if is_signed {
            (self.signed_shr(x.high, count), self.sign(x.high))
        } else {
            (self.binary(BinaryOp::Shr, x.high, count), self.number(0))
        };
        let low = self.binary(BinaryOp::Shr, x.low, count);
        let rest = self.by(BinaryOp::Xor, count, 31);
        let across = self.by(BinaryOp::Shl, x.high, 1);
        let across = self.binary(BinaryOp::Shl, across, rest);
        let low = self.binary(BinaryOp::Or, low, across);
        let far = self.is_far(count);
        Pair { low: self.select(far, high, low), high: self.select(far, above, high) }
    }

    /// Whether a count moves bits a whole word or more.
    fn is_far(&mut self, count: Value) -> Value {
        let bit = self.by(BinaryOp::And, count, 32);
        self.compare_by(CompareOp::Ne, bit, 0)
    }

    /// Zeros before the first one: in the word that is looked at first, or all of it and those of the second.
    fn first_count(&mut self, op: UnaryOp, first: Value, second: Value) -> Pair {
        let empty = self.is_zero(first);
        let of_first = self.unary(op, first);
        let of_second = self.unary(op, second);
        let past = self.by(BinaryOp::Add, of_second, 32);
        let count = self.select(empty, past, of_first);
        self.widened(count)
    }
}
