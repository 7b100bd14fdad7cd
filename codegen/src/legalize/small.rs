//! 8- and 16-bit integers on a target that computes with 32 bits: "extend, one operation, wrap"; and conversions that
//! go through a wider type.
//!
//! Invariants
//! - A widened operand is extended by its sign, so that quotients, orders and right shifts are those of the number.

#![deny(clippy::wildcard_enum_match_arm)]

use super::half::cast;
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Op, Type, Value},
    ops::{BinaryOp, UnaryOp},
};

/// The 32-bit integer of the same sign.
fn wide(dtype: DType) -> DType {
    if dtype.is_signed() { DType::I32 } else { DType::U32 }
}

/// The unsigned integer of the same width.
fn unsigned(dtype: DType) -> DType {
    if dtype.bits() == 8 { DType::U8 } else { DType::U16 }
}

fn push(b: &mut Builder, op: BinaryOp, dtype: DType, x: Value, y: Value) -> Value {
    b.push(Op::Binary(op, x, y), Type::Scalar(dtype))
}

pub(super) fn unary(b: &mut Builder, op: UnaryOp, x: Value) -> Value {
    let dtype = b.kernel()[x].ty.dtype().expect("an operand has a value");
    let counts = matches!(op, UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros);
    if !counts {
        let x = cast(b, x, wide(dtype));
        let y = b.unary(op, x);
        return cast(b, y, dtype);
    }
    // Zeros above: ones are counted as they are, and there are 32 - bits more leading zeros.
    let bits = b.push(Op::Bitcast(x), Type::Scalar(unsigned(dtype)));
    let bits = cast(b, bits, DType::U32);
    let count = b.unary(op, bits);
    let width = b.constant(DType::U32, dtype.bits().into());
    let above = b.constant(DType::U32, u64::from(32 - dtype.bits()));
    let count = if op == UnaryOp::LeadingZeros {
        push(b, BinaryOp::Sub, DType::U32, count, above)
    } else if op == UnaryOp::TrailingZeros {
        push(b, BinaryOp::Min, DType::U32, count, width)
    } else {
        count
    };
    cast(b, count, dtype)
}

pub(super) fn binary(b: &mut Builder, op: BinaryOp, x: Value, y: Value) -> Value {
    let dtype = b.kernel()[x].ty.dtype().expect("an operand has a value");
    let wide = wide(dtype);
    let [x, mut y] = [x, y].map(|v| cast(b, v, wide));
    let z = match op {
        BinaryOp::Shl | BinaryOp::Shr => {
            let mask = b.constant(wide, u64::from(dtype.bits() - 1));
            y = push(b, BinaryOp::And, wide, y, mask);
            push(b, op, wide, x, y)
        }
        BinaryOp::MulHigh => {
            let product = push(b, BinaryOp::Mul, wide, x, y);
            let by = b.constant(wide, dtype.bits().into());
            push(b, BinaryOp::Shr, wide, product, by)
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Min
        | BinaryOp::Max
        | BinaryOp::MinNum
        | BinaryOp::MaxNum
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Pow
        | BinaryOp::Atan2 => push(b, op, wide, x, y),
    };
    cast(b, z, dtype)
}

/// A conversion by way of f32 (16-bit floats) or of a 32-bit integer (small integers).
pub(super) fn convert(b: &mut Builder, x: Value, from: DType, to: DType) -> Value {
    let half = |d: DType| d.is_float() && d.bits() == 16;
    if half(from) || half(to) {
        let middle = cast(b, x, DType::F32);
        return cast(b, middle, to);
    }
    if from.is_int() {
        let middle = cast(b, x, wide(from));
        return cast(b, middle, to);
    }
    // From a float: saturated at 32 bits first, then at the range of the small one.
    let middle_dtype = wide(to);
    let middle = cast(b, x, middle_dtype);
    let (least, most) = match (to.is_signed(), to.bits()) {
        (true, 8) => (i8::MIN as i32 as u32, i8::MAX as u32),
        (true, _) => (i16::MIN as i32 as u32, i16::MAX as u32),
        (false, 8) => (0, u8::MAX.into()),
        (false, _) => (0, u16::MAX.into()),
    };
    let [least, most] = [least, most].map(|n| b.constant(middle_dtype, n.into()));
    let low = push(b, BinaryOp::Max, middle_dtype, middle, least);
    let clamped = push(b, BinaryOp::Min, middle_dtype, low, most);
    cast(b, clamped, to)
}
