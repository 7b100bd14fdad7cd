//! 32-bit words as they are written: what is known is folded at once, so that the high word of an index, which is
//! nearly always a constant zero, costs nothing.
//!
//! Invariants
//! - All words are u32; only what `eval` says of constants, and identities that are exact, is folded.
//!
//! Absent: folding through registers and memory, which the passes do.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::rewrite::constant;
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    eval,
    ir::{Op, Type, Value},
    ops::{BinaryOp, CompareOp, UnaryOp},
};

const U32: Type = Type::Scalar(DType::U32);
const I32: Type = Type::Scalar(DType::I32);
const BOOL: Type = Type::Scalar(DType::Bool);

/// A writer of words.
pub(super) struct Words<'b> {
    pub(super) b: &'b mut Builder,
}

impl Words<'_> {
    /// The bits of a word or `bool` that is known.
    pub(super) fn known(&self, v: Value) -> Option<u32> {
        constant(self.b.kernel(), v).map(|bits| bits as u32)
    }

    pub(super) fn number(&mut self, n: u32) -> Value {
        self.b.constant(DType::U32, n.into())
    }

    fn truth(&mut self, t: bool) -> Value {
        self.b.constant(DType::Bool, t.into())
    }

    pub(super) fn unary(&mut self, op: UnaryOp, x: Value) -> Value {
        match self.known(x).and_then(|x| eval::unary(op, DType::U32, x.into())) {
            Some(bits) => self.number(bits as u32),
            None => self.b.unary(op, x),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, x: Value, y: Value) -> Value {
        use BinaryOp::{Add, And, Mul, MulHigh, Or, Shl, Shr, Sub, Xor};
        let commutes = matches!(op, Add | Mul | MulHigh | And | Or | Xor);
        let (x, y) = if commutes && self.known(x).is_some() { (y, x) } else { (x, y) };
        let (of_x, of_y) = (self.known(x), self.known(y));
        if let (Some(a), Some(b)) = (of_x, of_y)
            && let Some(bits) = eval::binary(op, DType::U32, a.into(), b.into())
        {
            return self.number(bits as u32);
        }
        match (op, of_x, of_y) {
            (Add | Sub | Or | Xor, _, Some(0)) | (Mul, _, Some(1)) | (And, _, Some(u32::MAX)) => x,
            (Shl | Shr, _, Some(count)) if count % 32 == 0 => x,
            (Shl | Shr, Some(0), _) => x,
            (Mul | And | MulHigh, _, Some(0)) | (Or, _, Some(u32::MAX)) => y,
            (MulHigh, _, Some(1)) => self.number(0),
            (_, _, _) => self.b.push(Op::Binary(op, x, y), U32),
        }
    }

    /// `binary` with a number.
    pub(super) fn by(&mut self, op: BinaryOp, x: Value, n: u32) -> Value {
        let n = self.number(n);
        self.binary(op, x, n)
    }

    pub(super) fn compare(&mut self, op: CompareOp, x: Value, y: Value) -> Value {
        let (of_x, of_y) = (self.known(x), self.known(y));
        let folded = match (op, of_x, of_y) {
            (_, Some(a), Some(b)) => eval::compare(op, DType::U32, a.into(), b.into()),
            (CompareOp::Eq | CompareOp::Le | CompareOp::Ge, ..) if x == y => Some(true),
            (CompareOp::Ne | CompareOp::Lt | CompareOp::Gt, ..) if x == y => Some(false),
            (CompareOp::Lt, _, Some(0)) | (CompareOp::Gt, Some(0), _) => Some(false),
            (CompareOp::Ge, _, Some(0)) | (CompareOp::Le, Some(0), _) => Some(true),
            (_, _, _) => None,
        };
        match folded {
            Some(t) => self.truth(t),
            None => self.b.push(Op::Compare(op, x, y), BOOL),
        }
    }

    /// `compare` with a number.
    pub(super) fn compare_by(&mut self, op: CompareOp, x: Value, n: u32) -> Value {
        let n = self.number(n);
        self.compare(op, x, n)
    }

    pub(super) fn is_zero(&mut self, x: Value) -> Value {
        self.compare_by(CompareOp::Eq, x, 0)
    }

    /// Whether one word is less than another, both taken as signed.
    pub(super) fn signed_less(&mut self, x: Value, y: Value) -> Value {
        if let (Some(a), Some(b)) = (self.known(x), self.known(y)) {
            return self.truth((a as i32) < b as i32);
        }
        let [x, y] = [x, y].map(|v| self.b.push(Op::Bitcast(v), I32));
        self.b.push(Op::Compare(CompareOp::Lt, x, y), BOOL)
    }

    /// Whether the highest bit is set.
    pub(super) fn is_negative(&mut self, x: Value) -> Value {
        let zero = self.number(0);
        self.signed_less(x, zero)
    }

    /// Arithmetic shift right; the count is taken modulo 32.
    pub(super) fn signed_shr(&mut self, x: Value, count: Value) -> Value {
        match (self.known(x), self.known(count)) {
            (Some(x), Some(count)) => return self.number(((x as i32) >> (count % 32)) as u32),
            (Some(0), _) => return x,
            (_, Some(count)) if count % 32 == 0 => return x,
            (_, _) => {}
        }
        let [x, count] = [x, count].map(|v| self.b.push(Op::Bitcast(v), I32));
        let y = self.b.push(Op::Binary(BinaryOp::Shr, x, count), I32);
        self.b.push(Op::Bitcast(y), U32)
    }

    /// All bits as the highest one.
    pub(super) fn sign(&mut self, x: Value) -> Value {
        let count = self.number(31);
        self.signed_shr(x, count)
    }

    pub(super) fn not(&mut self, t: Value) -> Value {
        match self.known(t) {
            Some(t) => self.truth(t == 0),
            None => self.b.unary(UnaryOp::Not, t),
        }
    }

    pub(super) fn both(&mut self, x: Value, y: Value) -> Value {
        match (self.known(x), self.known(y)) {
            (Some(0), _) | (_, Some(1)) => x,
            (_, Some(0)) | (Some(1), _) => y,
            (_, _) => self.b.push(Op::Binary(BinaryOp::And, x, y), BOOL),
        }
    }

    pub(super) fn either(&mut self, x: Value, y: Value) -> Value {
        match (self.known(x), self.known(y)) {
            (Some(1), _) | (_, Some(0)) => x,
            (_, Some(1)) | (Some(0), _) => y,
            (_, _) => self.b.push(Op::Binary(BinaryOp::Or, x, y), BOOL),
        }
    }

    pub(super) fn select(&mut self, cond: Value, x: Value, y: Value) -> Value {
        let same = x == y || (self.known(x).is_some() && self.known(x) == self.known(y));
        match self.known(cond) {
            Some(0) => y,
            Some(_) => x,
            None if same => x,
            None => self.b.push(Op::Select(cond, x, y), U32),
        }
    }

    /// 1 where it is true, else 0.
    pub(super) fn bit(&mut self, t: Value) -> Value {
        let [one, zero] = [1, 0].map(|n| self.number(n));
        self.select(t, one, zero)
    }

    /// The value as another dtype.
    pub(super) fn cast(&mut self, x: Value, to: DType) -> Value {
        let from = self.b.kernel()[x].ty.scalar().expect("a cast is of a scalar");
        let folded = constant(self.b.kernel(), x).and_then(|bits| eval::cast(from, to, bits));
        match folded {
            Some(bits) => self.b.constant(to, bits),
            None if from == to => x,
            None => self.b.push(Op::Cast(x), Type::Scalar(to)),
        }
    }
}
