//! The sequences of exact operations (`lang::math::exact` in 32 bits, `lang::math::wide` in 64) that stand for what a
//! device lacks.
//!
//! Invariants
//! - Each gives the bits of `lang::eval` for every operand.
//! - The `flush_` forms hold the operations that they replace, on numbers that no flushing changes; they are written
//!   once, last.

#![deny(clippy::wildcard_enum_match_arm)]

use super::half;
use crate::{
    facts::{Fact, Facts},
    target::Target,
};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Op, Type, Value},
    math::{self, exact, wide},
    ops::{BinaryOp, CompareOp, UnaryOp},
    val::{Scalar, Val},
};

/// Appends a function of one value.
fn of_one<A: Scalar, R: Scalar>(b: &mut Builder, f: fn(Val<A>) -> Val<R>, x: Value) -> Value {
    math::write(b, || f(Val::from_ir(x)))
}

/// Appends a function of two values.
fn of_two<A: Scalar, R: Scalar>(
    b: &mut Builder,
    f: fn(Val<A>, Val<A>) -> Val<R>,
    [x, y]: [Value; 2],
) -> Value {
    math::write(b, || f(Val::from_ir(x), Val::from_ir(y)))
}

/// The row of an f32 or f64 that is neither native nor a sequence of its own.
pub(super) fn unary(b: &mut Builder, op: UnaryOp, dtype: DType, x: Value) -> Option<Value> {
    if dtype == DType::F64 {
        let f: fn(Val<f64>) -> Val<f64> = match op {
            UnaryOp::Floor => wide::floor,
            UnaryOp::Ceil => wide::ceil,
            UnaryOp::Trunc => wide::trunc,
            UnaryOp::RoundEven => wide::round_even,
            UnaryOp::Sqrt => wide::sqrt,
            UnaryOp::Rsqrt => wide::rsqrt,
            UnaryOp::Recip => wide::recip,
            UnaryOp::Neg
            | UnaryOp::Abs
            | UnaryOp::Not
            | UnaryOp::CountOnes
            | UnaryOp::LeadingZeros
            | UnaryOp::TrailingZeros
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
        };
        return Some(of_one(b, f, x));
    }
    let f: fn(Val<f32>) -> Val<f32> = match op {
        UnaryOp::Floor => exact::floor,
        UnaryOp::Ceil => exact::ceil,
        UnaryOp::Trunc => exact::trunc,
        UnaryOp::RoundEven => exact::round_even,
        UnaryOp::Neg
        | UnaryOp::Abs
        | UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
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
    };
    Some(of_one(b, f, x))
}

/// The same of two values.
pub(super) fn binary(
    b: &mut Builder,
    op: BinaryOp,
    dtype: DType,
    x: Value,
    y: Value,
) -> Option<Value> {
    Some(match (op, dtype) {
        (BinaryOp::Rem, DType::F32) => of_two(b, exact::rem, [x, y]),
        (BinaryOp::Rem, DType::F64) => of_two(b, wide::rem, [x, y]),
        (BinaryOp::Div, DType::F64) => of_two(b, wide::div, [x, y]),
        (BinaryOp::MulHigh, DType::U64) => of_two(b, wide::mul_high_u64, [x, y]),
        (BinaryOp::MulHigh, DType::I64) => of_two(b, wide::mul_high_i64, [x, y]),
        _ => return None,
    })
}

/// `a * b + c` with one rounding.
pub(super) fn fma(b: &mut Builder, target: &Target, dtype: DType, operands: [Value; 3]) -> Value {
    let [x, y, z] = operands;
    if dtype == DType::F64 {
        math::write(b, || wide::fma(Val::from_ir(x), Val::from_ir(y), Val::from_ir(z)))
    } else if has_double(target) {
        math::write(b, || exact::fma_wide(Val::from_ir(x), Val::from_ir(y), Val::from_ir(z)))
    } else {
        math::write(b, || exact::fma(Val::from_ir(x), Val::from_ir(y), Val::from_ir(z)))
    }
}

/// Whether f64 can form the sum of an f32 `fma`.
fn has_double(target: &Target) -> bool {
    let of = |facts: &Facts| {
        facts.features.float64
            && facts.features.int64
            && facts.has(Fact::Double)
            && facts.has(Fact::DoubleNarrow)
            && facts.has(Fact::Subnormals)
    };
    match target {
        Target::Cpu => true,
        Target::Vulkan(facts) | Target::C(_, facts) => of(facts),
    }
}

/// The 16-bit float of a code in a word.
fn half_of(b: &mut Builder, code: Value, to: DType) -> Value {
    let bits = half::cast(b, code, DType::U16);
    b.push(Op::Bitcast(bits), Type::Scalar(to))
}

/// A conversion that the device lacks.
pub(super) fn cast(b: &mut Builder, x: Value, from: DType, to: DType) -> Option<Value> {
    use DType::{BF16, F16, F32, F64, I32, I64, U32, U64};
    Some(match (from, to) {
        (F16, F32) => {
            let bits = b.push(Op::Bitcast(x), Type::Scalar(DType::U16));
            let code = half::cast(b, bits, U32);
            of_one(b, exact::widen_f16, code)
        }
        (F32 | I32 | U32, F16 | BF16) => {
            let code = match (from, to) {
                (F32, F16) => of_one(b, exact::narrow_f16, x),
                (F32, _) => of_one(b, exact::narrow_bf16, x),
                (I32, F16) => of_one(b, exact::i32_to_f16, x),
                (I32, _) => of_one(b, exact::i32_to_bf16, x),
                (_, F16) => of_one(b, exact::u32_to_f16, x),
                (_, _) => of_one(b, exact::u32_to_bf16, x),
            };
            half_of(b, code, to)
        }
        (I32, F32) => of_one(b, exact::from_i32, x),
        (U32, F32) => of_one(b, exact::from_u32, x),
        (F32, I32) => of_one(b, exact::to_i32, x),
        (F32, U32) => of_one(b, exact::to_u32, x),
        (F32, I64) => of_one(b, wide::f32_to_i64, x),
        (F32, U64) => of_one(b, wide::f32_to_u64, x),
        (I64, F32) => of_one(b, wide::i64_to_f32, x),
        (U64, F32) => of_one(b, wide::u64_to_f32, x),
        (I64, F16) => of_one(b, wide::i64_to_f16, x),
        (U64, F16) => of_one(b, wide::u64_to_f16, x),
        (I64, BF16) => of_one(b, wide::i64_to_bf16, x),
        (U64, BF16) => of_one(b, wide::u64_to_bf16, x),
        (F64, F32) => of_one(b, wide::f64_to_f32, x),
        (F64, F16) => of_one(b, wide::f64_to_f16, x),
        (F64, BF16) => of_one(b, wide::f64_to_bf16, x),
        (F64, I32) => of_one(b, wide::f64_to_i32, x),
        (F64, U32) => of_one(b, wide::f64_to_u32, x),
        (F64, I64) => of_one(b, wide::f64_to_i64, x),
        (F64, U64) => of_one(b, wide::f64_to_u64, x),
        (I32, F64) => of_one(b, wide::i32_to_f64, x),
        (U32, F64) => of_one(b, wide::u32_to_f64, x),
        (I64, F64) => of_one(b, wide::i64_to_f64, x),
        (U64, F64) => of_one(b, wide::u64_to_f64, x),
        _ => return None,
    })
}

/// A row of f32 that a flushing device gets wrong; `None` for what it gets right.
pub(super) fn flush_unary(b: &mut Builder, op: UnaryOp, dtype: DType, x: Value) -> Option<Value> {
    if dtype != DType::F32 {
        return None;
    }
    match op {
        UnaryOp::Neg => Some(of_one(b, exact::neg, x)),
        UnaryOp::Abs => Some(of_one(b, exact::abs, x)),
        UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
        | UnaryOp::Floor
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
        | UnaryOp::FastRsqrt => None,
    }
}

/// The same of two values.
pub(super) fn flush_binary(
    b: &mut Builder,
    op: BinaryOp,
    dtype: DType,
    x: Value,
    y: Value,
) -> Option<Value> {
    if dtype != DType::F32 {
        return None;
    }
    let f: fn(Val<f32>, Val<f32>) -> Val<f32> = match op {
        BinaryOp::Add => exact::add,
        BinaryOp::Sub => exact::sub,
        BinaryOp::Mul => exact::mul,
        BinaryOp::Min => exact::min,
        BinaryOp::Max => exact::max,
        BinaryOp::MinNum => exact::min_num,
        BinaryOp::MaxNum => exact::max_num,
        BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::MulHigh
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Pow
        | BinaryOp::Atan2 => return None,
    };
    Some(of_two(b, f, [x, y]))
}

/// The same of comparisons.
pub(super) fn flush_compare(
    b: &mut Builder,
    op: CompareOp,
    dtype: DType,
    x: Value,
    y: Value,
) -> Option<Value> {
    if dtype != DType::F32 {
        return None;
    }
    let f: fn(Val<f32>, Val<f32>) -> Val<bool> = match op {
        CompareOp::Eq => exact::eq,
        CompareOp::Ne => exact::ne,
        CompareOp::Lt => exact::lt,
        CompareOp::Le => exact::le,
        CompareOp::Gt => exact::gt,
        CompareOp::Ge => exact::ge,
    };
    Some(of_two(b, f, [x, y]))
}

/// The number of a storage float's code.
pub(super) fn decode(b: &mut Builder, stored: DType, code: Value) -> Value {
    math::write(b, || exact::decode(stored, Val::from_ir(code)).expect("a storage float has codes"))
}

/// The code of the nearest number of a storage float.
pub(super) fn encode(b: &mut Builder, stored: DType, x: Value) -> Value {
    math::write(b, || exact::encode(stored, Val::from_ir(x)).expect("a storage float has codes"))
}
