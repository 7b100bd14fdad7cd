//! Exact identities, a table of them a class of dtype.
//!
//! Invariants
//! - Each holds for every operand. What looks like one and is none: `x + 0.0` (-0), `x * 0` (NaN, infinity, -0),
//!   `x - x` and `x / x` (NaN, infinity), `x == x` (NaN).

use super::Found;
use crate::cse::commutes;
use evenweave_lang::{
    dtype::{Class, DType},
    eval,
    ir::{Kernel, Op, Value},
    ops::{BinaryOp, CompareOp, UnaryOp},
};

/// An operation of one value that is no constant.
pub(super) fn unary(kernel: &Kernel, op: UnaryOp, a: Value) -> Option<Found> {
    let rounds =
        |op| matches!(op, UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::RoundEven);
    match (op, &kernel[a].op) {
        (UnaryOp::Neg, &Op::Unary(UnaryOp::Neg, x)) => Some(Found::Value(x)),
        (UnaryOp::Not, &Op::Unary(UnaryOp::Not, x)) => Some(Found::Value(x)),
        (UnaryOp::Abs, &Op::Unary(UnaryOp::Abs, _)) => Some(Found::Value(a)),
        (UnaryOp::Abs, &Op::Unary(UnaryOp::Neg, x)) => Some(Found::Op(Op::Unary(op, x))),
        (outer, &Op::Unary(inner, _)) if rounds(outer) && rounds(inner) => Some(Found::Value(a)),
        (UnaryOp::Not, &Op::Compare(compare, x, y)) => {
            let whole = kernel[x].ty.scalar().is_some_and(|d| !d.is_float());
            let opposite = opposite(compare, whole)?;
            Some(Found::Op(Op::Compare(opposite, x, y)))
        }
        _ => None,
    }
}

/// The comparison that is true where `op` is false. With NaN only `Eq` and `Ne` have one.
fn opposite(op: CompareOp, whole: bool) -> Option<CompareOp> {
    match op {
        CompareOp::Eq => Some(CompareOp::Ne),
        CompareOp::Ne => Some(CompareOp::Eq),
        CompareOp::Lt => whole.then_some(CompareOp::Ge),
        CompareOp::Le => whole.then_some(CompareOp::Gt),
        CompareOp::Gt => whole.then_some(CompareOp::Le),
        CompareOp::Ge => whole.then_some(CompareOp::Lt),
    }
}

/// The comparison of the operands in the other order.
pub(super) fn swapped(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Eq => CompareOp::Eq,
        CompareOp::Ne => CompareOp::Ne,
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
    }
}

/// An operation of two values, at most one of them a constant (`known`).
pub(super) fn binary(
    kernel: &Kernel,
    op: BinaryOp,
    dtype: DType,
    [a, b]: [Value; 2],
    known: [Option<u64>; 2],
) -> Option<Found> {
    if known[0].is_some() && commutes(op) {
        return Some(Found::Op(Op::Binary(op, b, a)));
    }
    if a == b && matches!(op, BinaryOp::Min | BinaryOp::Max | BinaryOp::MinNum | BinaryOp::MaxNum) {
        return Some(Found::Value(a));
    }
    match dtype.class() {
        Class::Float => float(kernel, op, dtype, [a, b], known),
        Class::Bool => bits(op, 1, [a, b], known[1]).or_else(|| {
            let inverts = op == BinaryOp::Xor && known[1] == Some(1);
            inverts.then_some(Found::Op(Op::Unary(UnaryOp::Not, a)))
        }),
        Class::Signed | Class::Unsigned => {
            let ones = u64::MAX >> (64 - dtype.bits());
            bits(op, ones, [a, b], known[1])
                .or_else(|| int(op, dtype, [a, b], known[1]))
                .or_else(|| sum_of_sum(kernel, op, dtype, a, known[1]?))
        }
    }
}

fn float(
    kernel: &Kernel,
    op: BinaryOp,
    dtype: DType,
    [a, b]: [Value; 2],
    [x, y]: [Option<u64>; 2],
) -> Option<Found> {
    let sign = 1u64 << (dtype.bits() - 1);
    let is_one = |bits: Option<u64>| bits.is_some() && bits == one(dtype);
    let is_minus_one = |bits: Option<u64>| is_one(bits.map(|bits| bits ^ sign));
    let negated = |v: Value| match kernel[v].op {
        Op::Unary(UnaryOp::Neg, inner) => Some(inner),
        _ => None,
    };
    let negate = |v: Value| Some(Found::Op(Op::Unary(UnaryOp::Neg, v)));
    let other = |op, a, b| Some(Found::Op(Op::Binary(op, a, b)));
    match op {
        BinaryOp::Mul | BinaryOp::Div if is_one(y) => Some(Found::Value(a)),
        BinaryOp::Mul | BinaryOp::Div if is_minus_one(y) => negate(a),
        BinaryOp::Div if y.and_then(|y| reciprocal(dtype, y)).is_some() => {
            Some(Found::With(BinaryOp::Mul, a, reciprocal(dtype, y?)?))
        }
        BinaryOp::Mul | BinaryOp::Div => match (negated(a), negated(b)) {
            (Some(a), Some(b)) => other(op, a, b),
            _ => None,
        },
        BinaryOp::Add if y == Some(sign) => Some(Found::Value(a)),
        BinaryOp::Sub if y == Some(0) => Some(Found::Value(a)),
        BinaryOp::Sub if x == Some(sign) => negate(b),
        BinaryOp::Add => match (negated(a), negated(b)) {
            (_, Some(b)) => other(BinaryOp::Sub, a, b),
            (Some(a), None) => other(BinaryOp::Sub, b, a),
            (None, None) => None,
        },
        BinaryOp::Sub => negated(b).and_then(|b| other(BinaryOp::Add, a, b)),
        _ => None,
    }
}

/// The reciprocal of a power of two, where both are normal numbers: to divide by the one and to multiply by the other rounds
/// the same number.
fn reciprocal(dtype: DType, bits: u64) -> Option<u64> {
    let significand = match dtype {
        DType::F32 => 23,
        DType::F64 => 52,
        _ => return None,
    };
    let sign = 1 << (dtype.bits() - 1);
    let most = (sign >> significand) - 1;
    let exponent = (bits & !sign) >> significand;
    let is_power = bits & ((1 << significand) - 1) == 0;
    (is_power && (1..most - 1).contains(&exponent))
        .then(|| (bits & sign) | (most - 1 - exponent) << significand)
}

/// Bitwise identities; `ones` is the value of all bits.
fn bits(op: BinaryOp, ones: u64, [a, b]: [Value; 2], y: Option<u64>) -> Option<Found> {
    let zero = y == Some(0);
    let full = y == Some(ones);
    match op {
        BinaryOp::And | BinaryOp::Or if a == b => Some(Found::Value(a)),
        BinaryOp::Xor if a == b => Some(Found::Bits(0)),
        BinaryOp::And if zero => Some(Found::Bits(0)),
        BinaryOp::Or if full => Some(Found::Bits(ones)),
        BinaryOp::And if full => Some(Found::Value(a)),
        BinaryOp::Or | BinaryOp::Xor if zero => Some(Found::Value(a)),
        _ => None,
    }
}

fn int(op: BinaryOp, dtype: DType, [a, b]: [Value; 2], y: Option<u64>) -> Option<Found> {
    let power_of_two = !dtype.is_signed() && y.is_some_and(u64::is_power_of_two);
    match op {
        BinaryOp::Sub if a == b => Some(Found::Bits(0)),
        BinaryOp::Add | BinaryOp::Sub if y == Some(0) => Some(Found::Value(a)),
        BinaryOp::Shl | BinaryOp::Shr if y == Some(0) => Some(Found::Value(a)),
        BinaryOp::Mul | BinaryOp::MulHigh if y == Some(0) => Some(Found::Bits(0)),
        BinaryOp::Mul | BinaryOp::Div if y == Some(1) => Some(Found::Value(a)),
        BinaryOp::Rem if y == Some(1) => Some(Found::Bits(0)),
        BinaryOp::Rem if y == Some(0) => Some(Found::Value(a)),
        BinaryOp::MulHigh if y == Some(1) && !dtype.is_signed() => Some(Found::Bits(0)),
        BinaryOp::Div if power_of_two => {
            Some(Found::With(BinaryOp::Shr, a, y?.trailing_zeros().into()))
        }
        BinaryOp::Rem if power_of_two => Some(Found::With(BinaryOp::And, a, y? - 1)),
        _ => None,
    }
}

/// `(x + c) + d` is `x + (c + d)` where `c + d` does not wrap: then the one sum wraps where one of the two did.
fn sum_of_sum(kernel: &Kernel, op: BinaryOp, dtype: DType, a: Value, d: u64) -> Option<Found> {
    let (BinaryOp::Add, &Op::Binary(BinaryOp::Add, x, inner)) = (op, &kernel[a].op) else {
        return None;
    };
    let &Op::Const(c) = &kernel[inner].op else { return None };
    let sum = c.bits.checked_add(d)?;
    let fits = !dtype.is_signed() && sum <= u64::MAX >> (64 - dtype.bits());
    fits.then_some(Found::With(BinaryOp::Add, x, sum))
}

/// `a * b + c`, at most two of them constants.
pub(super) fn fma(
    dtype: DType,
    [a, b, c]: [Value; 3],
    [x, y, z]: [Option<u64>; 3],
) -> Option<Found> {
    let sign = 1u64 << (dtype.bits() - 1);
    let is_one = |bits: Option<u64>| bits.is_some() && bits == one(dtype);
    let is_minus_one = |bits: Option<u64>| is_one(bits.map(|bits| bits ^ sign));
    let found = |op, a, b| Some(Found::Op(Op::Binary(op, a, b)));
    match () {
        () if is_one(x) => found(BinaryOp::Add, b, c),
        () if is_one(y) => found(BinaryOp::Add, a, c),
        () if is_minus_one(x) => found(BinaryOp::Sub, c, b),
        () if is_minus_one(y) => found(BinaryOp::Sub, c, a),
        () if z == Some(sign) => found(BinaryOp::Mul, a, b),
        () => None,
    }
}

/// A selection.
pub(super) fn select(kernel: &Kernel, dtype: DType, c: Value, a: Value, b: Value) -> Option<Found> {
    let known = |v: Value| match kernel[v].op {
        Op::Const(c) => Some(c.bits),
        _ => None,
    };
    if a == b {
        return Some(Found::Value(a));
    }
    if let Some(c) = known(c) {
        return Some(Found::Value(if c != 0 { a } else { b }));
    }
    if let (Some(x), Some(y)) = (known(a), known(b))
        && x == y
    {
        return Some(Found::Bits(x));
    }
    if let Op::Unary(UnaryOp::Not, c) = kernel[c].op {
        return Some(Found::Op(Op::Select(c, b, a)));
    }
    if dtype != DType::Bool {
        return None;
    }
    match (known(a), known(b)) {
        (Some(1), Some(0)) => Some(Found::Value(c)),
        (Some(0), Some(1)) => Some(Found::Op(Op::Unary(UnaryOp::Not, c))),
        (None, Some(0)) => Some(Found::Op(Op::Binary(BinaryOp::And, c, a))),
        (Some(1), None) => Some(Found::Op(Op::Binary(BinaryOp::Or, c, b))),
        _ => None,
    }
}

/// The bits of 1.0.
fn one(dtype: DType) -> Option<u64> {
    eval::cast(DType::U8, dtype, 1)
}
