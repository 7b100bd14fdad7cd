//! Arithmetic: how each operation that `legalize` leaves is spelled.
//!
//! Invariants
//! - Nothing that the specification leaves undefined is computed: shift counts are in range, divisors are not 0,
//!   division and remainder are of magnitudes, conversions from floats are of values in range.
//! - NaN and signed zeros are told apart by comparisons that are ordered, and by bits.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    assembler::{Id, Repr, Ty},
    writer::{Val, Writer, repr},
};
use crate::facts::Fact;
use evenweave_lang::{
    dtype::DType,
    ir::Value,
    ops::{BinaryOp, CompareOp, UnaryOp},
};
use rspirv::spirv::{self, GlslStd450Op as GLOp};

/// What `legalize` does not leave.
fn gone(op: &str, dtype: DType) -> ! {
    unreachable!("legalize: `{op}` of {dtype} is written in other operations")
}

impl Writer<'_> {
    fn zero(&mut self, kind: Repr) -> Id {
        self.a.constant(kind, 0)
    }

    fn is_float(kind: Repr) -> bool {
        matches!(kind, Repr::F32 | Repr::F64)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, x: Value) -> Id {
        let dtype = self.dtype(x);
        let (kind, x) = (repr(dtype), self.get(x));
        let float = Self::is_float(kind);
        match op {
            UnaryOp::Neg if float => self.a.float(spirv::Op::FNegate, kind, &[x]),
            UnaryOp::Neg => self.a.value(spirv::Op::SNegate, kind, &[x]),
            UnaryOp::Abs if float && self.facts.has(Fact::Magnitudes) => {
                self.a.extended_float(GLOp::FAbs, kind, &[x])
            }
            UnaryOp::Abs if float => self.unsigned(kind, x),
            UnaryOp::Abs => self.magnitude(kind, x).0,
            UnaryOp::Not if kind == Repr::Bool => self.a.value(spirv::Op::LogicalNot, kind, &[x]),
            UnaryOp::Not => self.a.value(spirv::Op::Not, kind, &[x]),
            UnaryOp::CountOnes => {
                let counts = self.words(kind, x).map(|w| self.bit_count(w));
                self.sum(kind, counts)
            }
            UnaryOp::LeadingZeros => {
                let counts = self.words(kind, x).map(|w| self.leading_zeros(w));
                self.first_count(kind, counts[1], counts[0])
            }
            UnaryOp::TrailingZeros => {
                let counts = self.words(kind, x).map(|w| self.trailing_zeros(w));
                self.first_count(kind, counts[0], counts[1])
            }
            UnaryOp::Floor => self.a.extended_float(GLOp::Floor, kind, &[x]),
            UnaryOp::Ceil => self.a.extended_float(GLOp::Ceil, kind, &[x]),
            UnaryOp::Trunc => self.a.extended_float(GLOp::Trunc, kind, &[x]),
            UnaryOp::RoundEven => self.a.extended_float(GLOp::RoundEven, kind, &[x]),
            UnaryOp::Sqrt => self.a.extended_float(GLOp::Sqrt, kind, &[x]),
            UnaryOp::Recip => {
                let one = if kind == Repr::F32 { 0x3f80_0000 } else { 0x3ff0 << 48 };
                let one = self.a.constant(kind, one);
                self.a.float(spirv::Op::FDiv, kind, &[one, x])
            }
            UnaryOp::Rsqrt
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
            | UnaryOp::FastRsqrt => gone(op.name(), dtype),
        }
    }

    /// The two words of a number; of a small one, itself twice.
    fn words(&mut self, kind: Repr, x: Id) -> [Id; 2] {
        if kind == Repr::Wide { self.part(x) } else { [x, x] }
    }

    fn bit_count(&mut self, x: Id) -> Id {
        self.a.value(spirv::Op::BitCount, Repr::Word, &[x])
    }

    fn leading_zeros(&mut self, x: Id) -> Id {
        // The highest one of 0 is -1.
        let ty = self.a.word();
        let highest = self.a.extended(GLOp::FindUMsb, ty, &[x]);
        let top = self.a.number(31);
        self.a.value(spirv::Op::ISub, Repr::Word, &[top, highest])
    }

    fn trailing_zeros(&mut self, x: Id) -> Id {
        // The lowest one of 0 is -1, the greatest unsigned number.
        let (ty, most) = (self.a.word(), self.a.number(32));
        let lowest = self.a.extended(GLOp::FindILsb, ty, &[x]);
        self.a.extended(GLOp::UMin, ty, &[lowest, most])
    }

    fn sum(&mut self, kind: Repr, counts: [Id; 2]) -> Id {
        match kind {
            Repr::Wide => {
                let sum = self.a.value(spirv::Op::IAdd, Repr::Word, &counts);
                self.a.value(spirv::Op::UConvert, Repr::Wide, &[sum])
            }
            Repr::Bool | Repr::Word | Repr::F32 | Repr::F64 => counts[0],
        }
    }

    /// The count of the first word, and where that is all 32, of the second too.
    fn first_count(&mut self, kind: Repr, first: Id, second: Id) -> Id {
        if kind != Repr::Wide {
            return first;
        }
        let (all, zero) = (self.a.number(32), self.a.number(0));
        let full = self.a.value(spirv::Op::IEqual, Repr::Bool, &[first, all]);
        let more = self.a.value(spirv::Op::Select, Repr::Word, &[full, second, zero]);
        self.sum(kind, [first, more])
    }

    /// `|x|` and the sign, spread over all bits.
    fn magnitude(&mut self, kind: Repr, x: Id) -> (Id, Id) {
        let top = self.a.number(if kind == Repr::Wide { 63 } else { 31 });
        let sign = self.a.value(spirv::Op::ShiftRightArithmetic, kind, &[x, top]);
        (self.apply_sign(kind, x, sign), sign)
    }

    fn apply_sign(&mut self, kind: Repr, x: Id, sign: Id) -> Id {
        let flipped = self.a.value(spirv::Op::BitwiseXor, kind, &[x, sign]);
        self.a.value(spirv::Op::ISub, kind, &[flipped, sign])
    }

    /// A binary operation, or the high word of a number of the launch.
    pub(super) fn binary_or_word(&mut self, op: BinaryOp, x: Value, y: Value) -> Val {
        if let (BinaryOp::Shr, &Val::Words(_, high), Some(32)) =
            (op, &self.values[x.index()], self.constant_of(y))
            && self.dtype(x).is_int()
        {
            let above = if self.dtype(x).is_signed() {
                let top = self.a.number(31);
                self.a.value(spirv::Op::ShiftRightArithmetic, Repr::Word, &[high, top])
            } else {
                self.a.number(0)
            };
            return Val::Words(high, above);
        }
        Val::One(self.binary(op, x, y))
    }

    fn binary(&mut self, op: BinaryOp, x: Value, y: Value) -> Id {
        let dtype = self.dtype(x);
        let (kind, signed) = (repr(dtype), dtype.is_signed());
        let divisor = self.constant_of(y);
        let term = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Div);
        let [x, y] = [x, y].map(|v| if term { self.term(v) } else { self.get(v) });
        let float = Self::is_float(kind);
        match op {
            BinaryOp::Add if float => self.a.float(spirv::Op::FAdd, kind, &[x, y]),
            BinaryOp::Add => self.a.value(spirv::Op::IAdd, kind, &[x, y]),
            BinaryOp::Sub if float => self.a.float(spirv::Op::FSub, kind, &[x, y]),
            BinaryOp::Sub => self.a.value(spirv::Op::ISub, kind, &[x, y]),
            BinaryOp::Mul if float => self.a.float(spirv::Op::FMul, kind, &[x, y]),
            BinaryOp::Mul => self.a.value(spirv::Op::IMul, kind, &[x, y]),
            BinaryOp::Div if float => self.a.float(spirv::Op::FDiv, kind, &[x, y]),
            BinaryOp::Div => self.divide(dtype, x, y, divisor),
            BinaryOp::Rem if float => gone(op.name(), dtype),
            BinaryOp::Rem => self.remainder(dtype, x, y, divisor),
            BinaryOp::Min if float => self.extreme(kind, spirv::Op::FOrdLessThan, x, y),
            BinaryOp::Max if float => self.extreme(kind, spirv::Op::FOrdGreaterThan, x, y),
            BinaryOp::Min | BinaryOp::Max => {
                let less = if signed { spirv::Op::SLessThan } else { spirv::Op::ULessThan };
                let operands = if op == BinaryOp::Min { [x, y] } else { [y, x] };
                let first = self.a.value(less, Repr::Bool, &operands);
                self.a.value(spirv::Op::Select, kind, &[first, x, y])
            }
            BinaryOp::MinNum => self.extreme_number(kind, spirv::Op::FOrdLessThan, x, y),
            BinaryOp::MaxNum => self.extreme_number(kind, spirv::Op::FOrdGreaterThan, x, y),
            BinaryOp::MulHigh if kind == Repr::Word => {
                let op = if signed { spirv::Op::SMulExtended } else { spirv::Op::UMulExtended };
                let pair = self.a.ty(Ty::Pair);
                let both = self.a.op(op, pair, &[x, y]);
                self.a.value(spirv::Op::CompositeExtract, Repr::Word, &[both, 1])
            }
            BinaryOp::MulHigh => gone(op.name(), dtype),
            BinaryOp::And if kind == Repr::Bool => {
                self.a.value(spirv::Op::LogicalAnd, kind, &[x, y])
            }
            BinaryOp::And => self.a.value(spirv::Op::BitwiseAnd, kind, &[x, y]),
            BinaryOp::Or if kind == Repr::Bool => self.a.value(spirv::Op::LogicalOr, kind, &[x, y]),
            BinaryOp::Or => self.a.value(spirv::Op::BitwiseOr, kind, &[x, y]),
            BinaryOp::Xor if kind == Repr::Bool => {
                self.a.value(spirv::Op::LogicalNotEqual, kind, &[x, y])
            }
            BinaryOp::Xor => self.a.value(spirv::Op::BitwiseXor, kind, &[x, y]),
            BinaryOp::Shl => self.shift(spirv::Op::ShiftLeftLogical, kind, x, y),
            BinaryOp::Shr if signed => self.shift(spirv::Op::ShiftRightArithmetic, kind, x, y),
            BinaryOp::Shr => self.shift(spirv::Op::ShiftRightLogical, kind, x, y),
            BinaryOp::Pow | BinaryOp::Atan2 => gone(op.name(), dtype),
        }
    }

    /// An operand of a sum or quotient. A zero of a float is one that the driver does not know, where it would drop its sign,
    /// or divide by it in its own way.
    fn term(&mut self, v: Value) -> Id {
        let kind = repr(self.dtype(v));
        let is_zero = |bits: u64| bits << (if kind == Repr::F32 { 33 } else { 1 }) == 0;
        let Some(bits) = self.constant_of(v).filter(|&bits| Self::is_float(kind) && is_zero(bits))
        else {
            return self.get(v);
        };
        if self.facts.has(Fact::ZeroTerm) {
            return self.get(v);
        }
        let zero = self.unknown_zero();
        let mut words = [zero, zero];
        let sign = self.a.number(if bits == 0 { 0 } else { 1 << 31 });
        words[1] = self.a.value(spirv::Op::BitwiseOr, Repr::Word, &[zero, sign]);
        if kind == Repr::F32 {
            return self.a.value(spirv::Op::Bitcast, kind, &[words[1]]);
        }
        let wide = self.join(words[0], words[1]);
        self.a.value(spirv::Op::Bitcast, kind, &[wide])
    }

    /// One of two values. Where the driver may make arithmetic of a choice between constants, it does not know one of them.
    pub(super) fn select(&mut self, c: Value, x: Value, y: Value) -> Id {
        let kind = repr(self.dtype(x));
        let known = self.foreseen[x.index()] && self.foreseen[y.index()] && kind != Repr::Bool;
        let [c, mut x, y] = [c, x, y].map(|v| self.get(v));
        if known && !self.facts.has(Fact::Selects) {
            x = self.unforeseen(kind, x);
        }
        self.a.value(spirv::Op::Select, kind, &[c, x, y])
    }

    /// The value, of which the driver knows nothing.
    fn unforeseen(&mut self, kind: Repr, x: Id) -> Id {
        let zero = self.unknown_zero();
        let (whole, zero) = match kind {
            Repr::Wide | Repr::F64 => (Repr::Wide, self.join(zero, zero)),
            Repr::Bool | Repr::Word | Repr::F32 => (Repr::Word, zero),
        };
        if !Self::is_float(kind) {
            return self.a.value(spirv::Op::BitwiseXor, whole, &[x, zero]);
        }
        let bits = self.a.value(spirv::Op::Bitcast, whole, &[x]);
        let bits = self.a.value(spirv::Op::BitwiseXor, whole, &[bits, zero]);
        self.a.value(spirv::Op::Bitcast, kind, &[bits])
    }

    /// A float without its sign, by its bits.
    fn unsigned(&mut self, kind: Repr, x: Id) -> Id {
        let (whole, mask) = match kind {
            Repr::Wide | Repr::F64 => (Repr::Wide, u64::MAX >> 1),
            Repr::Bool | Repr::Word | Repr::F32 => (Repr::Word, u64::from(u32::MAX >> 1)),
        };
        let mask = self.a.constant(whole, mask);
        let bits = self.a.value(spirv::Op::Bitcast, whole, &[x]);
        let bits = self.a.value(spirv::Op::BitwiseAnd, whole, &[bits, mask]);
        self.a.value(spirv::Op::Bitcast, kind, &[bits])
    }

    fn shift(&mut self, op: spirv::Op, kind: Repr, x: Id, count: Id) -> Id {
        let mask = if kind == Repr::Wide { 63 } else { 31 };
        let mask = self.a.constant(kind, mask);
        let count = self.a.value(spirv::Op::BitwiseAnd, kind, &[count, mask]);
        self.a.value(op, kind, &[x, count])
    }

    /// A divisor that is not 0, and whether it was; a constant is known not to be.
    fn divisor(&mut self, kind: Repr, y: Id, constant: Option<u64>) -> (Id, Option<Id>) {
        if constant.is_some_and(|y| y != 0) {
            return (y, None);
        }
        let [zero, one] = [0, 1].map(|n| self.a.constant(kind, n));
        let none = self.a.value(spirv::Op::IEqual, Repr::Bool, &[y, zero]);
        (self.a.value(spirv::Op::Select, kind, &[none, one, y]), Some(none))
    }

    fn divide(&mut self, dtype: DType, x: Id, y: Id, constant: Option<u64>) -> Id {
        let kind = repr(dtype);
        let quotient = |w: &mut Self, x, y| {
            let (y, none) = w.divisor(kind, y, constant);
            (w.a.value(spirv::Op::UDiv, kind, &[x, y]), none)
        };
        let (q, none) = if dtype.is_signed() {
            let (x, x_sign) = self.magnitude(kind, x);
            let (y, y_sign) = self.magnitude(kind, y);
            let (q, none) = quotient(self, x, y);
            let sign = self.a.value(spirv::Op::BitwiseXor, kind, &[x_sign, y_sign]);
            (self.apply_sign(kind, q, sign), none)
        } else {
            quotient(self, x, y)
        };
        match none {
            None => q,
            Some(none) => {
                let ones = if kind == Repr::Wide { u64::MAX } else { u32::MAX.into() };
                let ones = self.a.constant(kind, ones);
                self.a.value(spirv::Op::Select, kind, &[none, ones, q])
            }
        }
    }

    fn remainder(&mut self, dtype: DType, x: Id, y: Id, constant: Option<u64>) -> Id {
        let kind = repr(dtype);
        if !dtype.is_signed() {
            let (y, none) = self.divisor(kind, y, constant);
            let r = self.a.value(spirv::Op::UMod, kind, &[x, y]);
            return match none {
                None => r,
                Some(none) => self.a.value(spirv::Op::Select, kind, &[none, x, r]),
            };
        }
        let (magnitude, sign) = self.magnitude(kind, x);
        let (y, _) = self.magnitude(kind, y);
        let (y, none) = self.divisor(kind, y, constant);
        let r = self.a.value(spirv::Op::UMod, kind, &[magnitude, y]);
        let r = self.apply_sign(kind, r, sign);
        match none {
            None => r,
            Some(none) => self.a.value(spirv::Op::Select, kind, &[none, x, r]),
        }
    }

    fn is_nan(&mut self, x: Id) -> Id {
        self.a.value(spirv::Op::FUnordNotEqual, Repr::Bool, &[x, x])
    }

    /// Minimum or maximum: NaN wins, -0 is below +0. `before` says which of two numbers is chosen.
    fn extreme(&mut self, kind: Repr, before: spirv::Op, x: Id, y: Id) -> Id {
        let first = self.a.value(before, Repr::Bool, &[x, y]);
        // A NaN in `y` is chosen here, since the comparison is false.
        let chosen = self.a.value(spirv::Op::Select, kind, &[first, x, y]);
        let equal = self.a.value(spirv::Op::FOrdEqual, Repr::Bool, &[x, y]);
        let bits = if kind == Repr::F32 { Repr::Word } else { Repr::Wide };
        let [x_bits, y_bits] = [x, y].map(|v| self.a.value(spirv::Op::Bitcast, bits, &[v]));
        // Equal numbers are the same bits or two zeros: `or` keeps the sign of -0, `and` drops it.
        let least = before == spirv::Op::FOrdLessThan;
        let join = if least { spirv::Op::BitwiseOr } else { spirv::Op::BitwiseAnd };
        let zero = self.a.value(join, bits, &[x_bits, y_bits]);
        let zero = self.a.value(spirv::Op::Bitcast, kind, &[zero]);
        let chosen = self.a.value(spirv::Op::Select, kind, &[equal, zero, chosen]);
        let nan = self.is_nan(x);
        self.a.value(spirv::Op::Select, kind, &[nan, x, chosen])
    }

    /// The same where NaN loses.
    fn extreme_number(&mut self, kind: Repr, before: spirv::Op, x: Id, y: Id) -> Id {
        let number = self.extreme(kind, before, x, y);
        let x_nan = self.is_nan(x);
        let number = self.a.value(spirv::Op::Select, kind, &[x_nan, y, number]);
        let y_nan = self.is_nan(y);
        self.a.value(spirv::Op::Select, kind, &[y_nan, x, number])
    }

    pub(super) fn compare(&mut self, op: CompareOp, x: Value, y: Value) -> Id {
        let dtype = self.dtype(x);
        let mut operands = [x, y].map(|v| self.get(v));
        let op = match repr(dtype) {
            Repr::F32 | Repr::F64 => match op {
                CompareOp::Eq => spirv::Op::FOrdEqual,
                CompareOp::Ne => spirv::Op::FUnordNotEqual,
                CompareOp::Lt => spirv::Op::FOrdLessThan,
                CompareOp::Le => spirv::Op::FOrdLessThanEqual,
                CompareOp::Gt => spirv::Op::FOrdGreaterThan,
                CompareOp::Ge => spirv::Op::FOrdGreaterThanEqual,
            },
            Repr::Bool | Repr::Word | Repr::Wide => {
                if dtype == DType::Bool {
                    let [zero, one] = [0, 1].map(|n| self.a.number(n));
                    operands = operands
                        .map(|x| self.a.value(spirv::Op::Select, Repr::Word, &[x, one, zero]));
                }
                match (op, dtype.is_signed()) {
                    (CompareOp::Eq, _) => spirv::Op::IEqual,
                    (CompareOp::Ne, _) => spirv::Op::INotEqual,
                    (CompareOp::Lt, true) => spirv::Op::SLessThan,
                    (CompareOp::Lt, false) => spirv::Op::ULessThan,
                    (CompareOp::Le, true) => spirv::Op::SLessThanEqual,
                    (CompareOp::Le, false) => spirv::Op::ULessThanEqual,
                    (CompareOp::Gt, true) => spirv::Op::SGreaterThan,
                    (CompareOp::Gt, false) => spirv::Op::UGreaterThan,
                    (CompareOp::Ge, true) => spirv::Op::SGreaterThanEqual,
                    (CompareOp::Ge, false) => spirv::Op::UGreaterThanEqual,
                }
            }
        };
        self.a.value(op, Repr::Bool, &operands)
    }

    pub(super) fn fma(&mut self, x: Value, y: Value, z: Value) -> Id {
        let kind = repr(self.dtype(x));
        let operands = [x, y, z].map(|v| self.get(v));
        self.a.extended_float(GLOp::Fma, kind, &operands)
    }

    /// The same bits as another dtype; a NaN becomes the one first.
    pub(super) fn bitcast(&mut self, v: Value, x: Value) -> Id {
        let (from, to) = (self.dtype(x), self.dtype(v));
        let as_is = self.seen.casts_as_is(v);
        let x = self.get(x);
        if from == to {
            return match from.is_float() {
                true => {
                    let bits = self.float_bits(from, x, as_is);
                    self.float_of(to, bits)
                }
                false => x,
            };
        }
        let bits = if from.is_float() { self.float_bits(from, x, as_is) } else { x };
        match to {
            DType::I8 => self.sign_extend(bits, 8),
            DType::I16 => self.sign_extend(bits, 16),
            DType::U8 | DType::U16 | DType::F16 | DType::BF16 => self.low_bits(bits, to.bits()),
            DType::F32 | DType::F64 => self.float_of(to, bits),
            DType::Bool
            | DType::I4
            | DType::U4
            | DType::I32
            | DType::U32
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0 => bits,
        }
    }

    pub(super) fn float_bits(&mut self, dtype: DType, x: Id, as_is: bool) -> Id {
        let bits = match repr(dtype) {
            Repr::F32 => self.a.value(spirv::Op::Bitcast, Repr::Word, &[x]),
            Repr::F64 => self.a.value(spirv::Op::Bitcast, Repr::Wide, &[x]),
            Repr::Bool | Repr::Word | Repr::Wide => x,
        };
        if as_is { bits } else { self.canonical(dtype, bits) }
    }

    fn float_of(&mut self, dtype: DType, bits: Id) -> Id {
        match repr(dtype) {
            kind @ (Repr::F32 | Repr::F64) => self.a.value(spirv::Op::Bitcast, kind, &[bits]),
            Repr::Bool | Repr::Word | Repr::Wide => bits,
        }
    }

    fn low_bits(&mut self, x: Id, bits: u32) -> Id {
        let mask = self.a.number((1 << bits) - 1);
        self.a.value(spirv::Op::BitwiseAnd, Repr::Word, &[x, mask])
    }

    /// Conversion by value. 16-bit floats meet only f32, and floats only integers of 32 or 64 bits (`legalize`).
    pub(super) fn cast(&mut self, x: Value, to: DType) -> Id {
        let from = self.dtype(x);
        if let &Val::Words(low, _) = &self.values[x.index()]
            && repr(to) == Repr::Word
            && !to.is_float()
        {
            return self.narrow(low, DType::U32, to);
        }
        let x = self.get(x);
        match (repr(from), repr(to)) {
            _ if from == to => x,
            (Repr::Bool, _) => self.number_of(x, to),
            (_, Repr::Bool) => self.is_not_zero(from, x),
            (Repr::F32, Repr::F64) | (Repr::F64, Repr::F32) => {
                self.a.float(spirv::Op::FConvert, repr(to), &[x])
            }
            (Repr::F32 | Repr::F64, Repr::Word) if to == DType::F16 => self.pack_half(x),
            (Repr::F32 | Repr::F64, Repr::Word) if to == DType::BF16 => gone("cast", to),
            (Repr::F32 | Repr::F64, kind @ (Repr::Word | Repr::Wide)) => {
                self.float_to_int(repr(from), x, kind, to.is_signed())
            }
            (Repr::Word, Repr::F32) if from == DType::F16 => self.unpack_half(x),
            (Repr::Word, Repr::F32) if from == DType::BF16 => {
                let by = self.a.number(16);
                let bits = self.a.value(spirv::Op::ShiftLeftLogical, Repr::Word, &[x, by]);
                self.a.value(spirv::Op::Bitcast, Repr::F32, &[bits])
            }
            (Repr::Word | Repr::Wide, kind @ (Repr::F32 | Repr::F64)) => {
                let signed = from.is_signed();
                let op = if signed { spirv::Op::ConvertSToF } else { spirv::Op::ConvertUToF };
                self.a.float(op, kind, &[x])
            }
            (Repr::Word | Repr::Wide, Repr::Word) => self.narrow_from(x, from, to),
            (Repr::Word, Repr::Wide) if from.is_signed() => {
                self.a.value(spirv::Op::SConvert, Repr::Wide, &[x])
            }
            (Repr::Word, Repr::Wide) => self.a.value(spirv::Op::UConvert, Repr::Wide, &[x]),
            (Repr::Wide, Repr::Wide) | (Repr::F32, Repr::F32) | (Repr::F64, Repr::F64) => x,
        }
    }

    /// A float as an integer: truncated, saturated, NaN to 0. The conversion only sees what is in range.
    fn float_to_int(&mut self, from: Repr, x: Id, kind: Repr, signed: bool) -> Id {
        let bits: i32 = if kind == Repr::Wide { 64 } else { 32 };
        // The least power of two that is out of range, and the greatest number at or below the range.
        let above = 2f64.powi(if signed { bits - 1 } else { bits });
        let below = if signed { -above } else { 0.0 };
        let float = |w: &mut Self, n: f64| match from {
            Repr::F64 => w.a.constant(from, n.to_bits()),
            Repr::Bool | Repr::Word | Repr::Wide | Repr::F32 => {
                w.a.constant(from, (n as f32).to_bits().into())
            }
        };
        let [above, below, zero] = [above, below, 0.0].map(|n| float(self, n));
        let small = self.a.value(spirv::Op::FOrdLessThan, Repr::Bool, &[x, above]);
        let large = self.a.value(spirv::Op::FOrdGreaterThanEqual, Repr::Bool, &[x, below]);
        let inside = self.a.value(spirv::Op::LogicalAnd, Repr::Bool, &[small, large]);
        let safe = self.a.value(spirv::Op::Select, from, &[inside, x, zero]);
        let op = if signed { spirv::Op::ConvertFToS } else { spirv::Op::ConvertFToU };
        let inside = self.a.value(op, kind, &[safe]);
        let most = u64::MAX >> (64 - bits) >> u32::from(signed);
        let most = self.a.constant(kind, most);
        let over = self.a.value(spirv::Op::FOrdGreaterThanEqual, Repr::Bool, &[x, above]);
        let result = self.a.value(spirv::Op::Select, kind, &[over, most, inside]);
        if !signed {
            return result;
        }
        let least = self.a.constant(kind, 1 << (bits - 1));
        let under = self.a.value(spirv::Op::FOrdLessThan, Repr::Bool, &[x, below]);
        self.a.value(spirv::Op::Select, kind, &[under, least, result])
    }

    fn narrow_from(&mut self, x: Id, from: DType, to: DType) -> Id {
        let word = match repr(from) {
            Repr::Wide => self.a.value(spirv::Op::UConvert, Repr::Word, &[x]),
            Repr::Bool | Repr::Word | Repr::F32 | Repr::F64 => x,
        };
        self.narrow(word, from, to)
    }

    /// An integer of up to 32 bits from a word that holds one of `from`.
    fn narrow(&mut self, word: Id, from: DType, to: DType) -> Id {
        let holds = from.bits() < to.bits() && (to.is_signed() || !from.is_signed());
        if to.bits() >= 32 || holds {
            word
        } else if to.is_signed() {
            self.sign_extend(word, to.bits())
        } else {
            self.low_bits(word, to.bits())
        }
    }

    fn number_of(&mut self, x: Id, to: DType) -> Id {
        let one = match to {
            DType::F16 => 0x3c00,
            DType::BF16 => 0x3f80,
            DType::F32 => 0x3f80_0000,
            DType::F64 => 0x3ff0 << 48,
            DType::Bool
            | DType::I4
            | DType::U4
            | DType::I8
            | DType::U8
            | DType::I16
            | DType::U16
            | DType::I32
            | DType::U32
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0 => 1,
        };
        let kind = repr(to);
        let (one, zero) = (self.a.constant(kind, one), self.zero(kind));
        self.a.value(spirv::Op::Select, kind, &[x, one, zero])
    }

    fn is_not_zero(&mut self, from: DType, x: Id) -> Id {
        let kind = repr(from);
        match from {
            DType::F16 | DType::BF16 => {
                let magnitude = self.low_bits(x, 15);
                let zero = self.zero(Repr::Word);
                self.a.value(spirv::Op::INotEqual, Repr::Bool, &[magnitude, zero])
            }
            // On the bits: a comparison may take a subnormal for 0.
            DType::F32 | DType::F64 => {
                let bits = if kind == Repr::F32 { Repr::Word } else { Repr::Wide };
                let all = if kind == Repr::F32 { 0x7fff_ffff } else { u64::MAX >> 1 };
                let [magnitude, zero] = [all, 0].map(|n| self.a.constant(bits, n));
                let x = self.a.value(spirv::Op::Bitcast, bits, &[x]);
                let x = self.a.value(spirv::Op::BitwiseAnd, bits, &[x, magnitude]);
                self.a.value(spirv::Op::INotEqual, Repr::Bool, &[x, zero])
            }
            DType::Bool
            | DType::I4
            | DType::U4
            | DType::I8
            | DType::U8
            | DType::I16
            | DType::U16
            | DType::I32
            | DType::U32
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0 => {
                let zero = self.zero(kind);
                self.a.value(spirv::Op::INotEqual, Repr::Bool, &[x, zero])
            }
        }
    }

    fn pack_half(&mut self, x: Id) -> Id {
        let zero = self.zero(Repr::F32);
        let ty = self.a.ty(Ty::Vector(Repr::F32, 2));
        let pair = self.a.op(spirv::Op::CompositeConstruct, ty, &[x, zero]);
        let word = self.a.word();
        let mut packed = self.a.extended(GLOp::PackHalf2x16, word, &[pair]);
        if !self.facts.has(Fact::NarrowKept) {
            let zero = self.unknown_zero();
            packed = self.a.value(spirv::Op::BitwiseXor, Repr::Word, &[packed, zero]);
        }
        self.low_bits(packed, 16)
    }

    fn unpack_half(&mut self, x: Id) -> Id {
        let ty = self.a.ty(Ty::Vector(Repr::F32, 2));
        let pair = self.a.extended(GLOp::UnpackHalf2x16, ty, &[x]);
        self.a.value(spirv::Op::CompositeExtract, Repr::F32, &[pair, 0])
    }
}
