//! 16-bit floats on a target that only stores, moves and converts them: "widen to f32, one operation, round".
//!
//! Invariants
//! - For + - * / sqrt one f32 operation and one rounding to f16 or bf16 give the correctly rounded result,
//!   since 24 >= 2 * 11 + 2 (Figueroa, "When is double rounding innocuous?").
//! - That does not hold for `fma`; there the sum is formed in a wider float, rounded to odd, and rounded once.

use crate::target::Target;
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Op, Type, Value},
    ops::{BinaryOp, CompareOp, UnaryOp},
};

/// Whether the dtype is one that only f32 computes for.
pub(super) fn is_half(dtype: DType) -> bool {
    matches!(dtype, DType::F16 | DType::BF16)
}

/// The value as `dtype`.
pub(super) fn cast(b: &mut Builder, v: Value, dtype: DType) -> Value {
    b.push(Op::Cast(v), Type::Scalar(dtype))
}

/// The float in which `fma` forms its sum. The product of two f16 and its sum with a third lie well inside f32,
/// which every target has; that of two bf16 needs the range of f64.
pub(super) fn sum_of(target: &Target, dtype: DType) -> DType {
    match (target, dtype) {
        (Target::Vulkan(_) | Target::C(..), DType::F16) => DType::F32,
        _ => DType::F64,
    }
}

/// `a * b + c` with one rounding to `dtype`, by way of the float `wide`.
///
/// The product of two 16-bit floats is exact there. Knuth's two-sum gives the rounded sum and its error;
/// where the sum is inexact and even, it takes the neighbour that the error points at (Boldo and Melquiond,
/// rounding to odd), so that no later tie is made by this rounding.
pub(super) fn fma(b: &mut Builder, dtype: DType, wide: DType, operands: [Value; 3]) -> Value {
    let bits_dtype = if wide == DType::F64 { DType::U64 } else { DType::U32 };
    let [x, y, c] = operands.map(|v| cast(b, v, wide));
    let product = binary(b, BinaryOp::Mul, x, y);
    let sum = binary(b, BinaryOp::Add, product, c);
    let c_part = binary(b, BinaryOp::Sub, sum, product);
    let product_part = binary(b, BinaryOp::Sub, sum, c_part);
    let product_error = binary(b, BinaryOp::Sub, product, product_part);
    let c_error = binary(b, BinaryOp::Sub, c, c_part);
    let error = binary(b, BinaryOp::Add, product_error, c_error);

    let zero = b.constant(wide, 0);
    let error_above = compare(b, CompareOp::Gt, error, zero);
    let error_below = compare(b, CompareOp::Lt, error, zero);
    let sum_above = compare(b, CompareOp::Gt, sum, zero);
    let bits = b.push(Op::Bitcast(sum), Type::Scalar(bits_dtype));
    let one = b.constant(bits_dtype, 1);
    let no_bits = b.constant(bits_dtype, 0);
    let low = binary(b, BinaryOp::And, bits, one);
    let even = compare(b, CompareOp::Eq, low, no_bits);
    let inexact = binary(b, BinaryOp::Or, error_above, error_below);
    let adjust = binary(b, BinaryOp::And, inexact, even);
    // Away from zero where the error has the sum's sign: one more in the bits of either sign.
    let outwards = compare_bools(b, error_above, sum_above);
    let more = binary(b, BinaryOp::Add, bits, one);
    let less = binary(b, BinaryOp::Sub, bits, one);
    let moved = select(b, outwards, more, less);
    let odd = select(b, adjust, moved, bits);
    let odd = b.push(Op::Bitcast(odd), Type::Scalar(wide));
    cast(b, odd, dtype)
}

fn compare_bools(b: &mut Builder, x: Value, y: Value) -> Value {
    let differ = binary(b, BinaryOp::Xor, x, y);
    b.unary(UnaryOp::Not, differ)
}

fn binary(b: &mut Builder, op: BinaryOp, x: Value, y: Value) -> Value {
    let ty = b.kernel()[x].ty;
    b.push(Op::Binary(op, x, y), ty)
}

fn compare(b: &mut Builder, op: CompareOp, x: Value, y: Value) -> Value {
    b.push(Op::Compare(op, x, y), Type::Scalar(DType::Bool))
}

fn select(b: &mut Builder, c: Value, x: Value, y: Value) -> Value {
    let ty = b.kernel()[x].ty;
    b.push(Op::Select(c, x, y), ty)
}
