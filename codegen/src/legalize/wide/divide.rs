//! Quotients and remainders of 64-bit integers.
//!
//! Invariants
//! - What `eval` says of a divisor of 0, and of the least integer by -1, comes out.
//! - Flow parts by the operands alone, so a result is as uniform as they are.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{pair::Pair, words::Words};
use evenweave_lang::{
    dtype::DType,
    ir::{Op, Type, Value, Var},
    ops::{BinaryOp, UnaryOp},
};

/// A quotient and a remainder in registers.
#[derive(Clone, Copy)]
struct Registers([Var; 4]);

impl Words<'_> {
    /// Quotient and remainder.
    pub(super) fn div_rem(&mut self, is_signed: bool, x: Pair, y: Pair) -> (Pair, Pair) {
        if !is_signed || (self.is_short(x) && self.is_short(y)) {
            return self.unsigned(x, y);
        }
        let [x_negative, y_negative] = [x.high, y.high].map(|w| self.is_negative(w));
        let [dividend, divisor] = [x, y].map(|p| self.magnitude(p));
        let (quotient, remainder) = self.unsigned(dividend, divisor);
        let signs = self
            .b
            .push(Op::Binary(BinaryOp::Xor, x_negative, y_negative), Type::Scalar(DType::Bool));
        let quotient = self.negated_where(signs, quotient);
        let by_zero = self.is_zero_pair(y);
        let ones = self.pair(u64::MAX);
        let quotient = self.select_pair(by_zero, ones, quotient);
        (quotient, self.negated_where(x_negative, remainder))
    }

    fn unsigned(&mut self, x: Pair, y: Pair) -> (Pair, Pair) {
        if self.is_short(x) && self.is_short(y) {
            return self.short(x.low, y.low);
        }
        if let Some(divisor) = self.known_pair(y).filter(|d| d.is_power_of_two()) {
            let count = self.number(divisor.trailing_zeros());
            let below = self.pair(divisor - 1);
            let quotient = self.shr(false, x, count);
            let low = self.binary(BinaryOp::And, x.low, below.low);
            let high = self.binary(BinaryOp::And, x.high, below.high);
            return (quotient, Pair { low, high });
        }
        let names = ["quotient_low", "quotient_high", "remainder_low", "remainder_high"];
        let registers = Registers(names.map(|name| self.b.var(name, DType::U32)));
        let highs = self.binary(BinaryOp::Or, x.high, y.high);
        let are_short = self.is_zero(highs);
        let branch = self.b.begin_if(are_short);
        let (quotient, remainder) = self.short(x.low, y.low);
        self.set(registers, quotient, remainder);
        self.b.begin_else(branch);
        self.long(registers, x, y);
        self.b.end_if();
        self.get(registers)
    }

    /// Of words.
    fn short(&mut self, x: Value, y: Value) -> (Pair, Pair) {
        let quotient = self.binary(BinaryOp::Div, x, y);
        let remainder = self.binary(BinaryOp::Rem, x, y);
        let by_zero = self.is_zero(y);
        let [ones, zero] = [u32::MAX, 0].map(|n| self.number(n));
        let high = self.select(by_zero, ones, zero);
        (Pair { low: quotient, high }, self.widened(remainder))
    }

    /// Long division by bits, from the highest one of the dividend: the quotient comes in where the dividend
    /// goes out.
    fn long(&mut self, registers: Registers, x: Pair, y: Pair) {
        let first = self.unary_pair(UnaryOp::LeadingZeros, x).expect("an integer row").low;
        let [zero, one, width] = [0, 1, 64].map(|n| self.number(n));
        let dividend = self.shl(x, first);
        let nothing = Pair { low: zero, high: zero };
        self.set(registers, dividend, nothing);
        self.b.begin_for(first, width, one);
        let (rest, partial) = self.get(registers);
        // A bit that leaves the remainder makes it greater than any divisor.
        let overflows = self.is_negative(partial.high);
        let partial = self.shl(partial, one);
        let next = self.by(BinaryOp::Shr, rest.high, 31);
        let low = self.binary(BinaryOp::Or, partial.low, next);
        let partial = Pair { low, high: partial.high };
        let rest = self.shl(rest, one);
        let less = self.less(false, partial, y);
        let fits = self.not(less);
        let fits = self.either(overflows, fits);
        let lessened = self.sub(partial, y);
        let partial = self.select_pair(fits, lessened, partial);
        let bit = self.bit(fits);
        let low = self.binary(BinaryOp::Or, rest.low, bit);
        self.set(registers, Pair { low, high: rest.high }, partial);
        self.b.close_block();
        let (quotient, remainder) = self.get(registers);
        let by_zero = self.is_zero_pair(y);
        let ones = self.pair(u64::MAX);
        let quotient = self.select_pair(by_zero, ones, quotient);
        self.set(registers, quotient, remainder);
    }

    fn set(&mut self, Registers(vars): Registers, quotient: Pair, remainder: Pair) {
        let words = [quotient.low, quotient.high, remainder.low, remainder.high];
        for (var, word) in vars.into_iter().zip(words) {
            self.b.push_unit(Op::Set(var, word));
        }
    }

    fn get(&mut self, Registers(vars): Registers) -> (Pair, Pair) {
        let [a, b, c, d] = vars.map(|var| self.b.push(Op::Get(var), Type::Scalar(DType::U32)));
        (Pair { low: a, high: b }, Pair { low: c, high: d })
    }
}
