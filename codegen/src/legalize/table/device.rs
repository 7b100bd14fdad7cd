//! The rules of devices that are not the CPU, by what was measured of them.
//!
//! Invariants
//! - Values of less than 32 bits are only stored, moved, compared (integers) and converted.
//! - Nothing that the specification bounds loosely (division, roots, `fma`) is native unless its fact holds.
//! - Where subnormals are flushed, the rules here are as if they were kept; `flush` comes after.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{Rule, legalized};
use crate::{
    facts::{Fact, Facts},
    legalize::half::is_half,
};
use evenweave_lang::{
    dtype::{Class, DType},
    ops::{BinaryOp, UnaryOp},
};

/// Native where the facts hold, else a sequence of exact operations.
fn exact_unless(facts: &Facts, all: &[Fact]) -> Rule {
    if all.iter().all(|&fact| facts.has(fact)) { Rule::Native } else { Rule::Exact }
}

/// Whether an integer is smaller than a register.
fn is_small(dtype: DType) -> bool {
    dtype.is_int() && dtype.bits() < 32
}

pub(super) fn unary(facts: &Facts, op: UnaryOp, dtype: DType) -> Rule {
    if is_half(dtype) || is_small(dtype) {
        return Rule::Widen;
    }
    let double = dtype == DType::F64;
    match op {
        UnaryOp::Neg
        | UnaryOp::Abs
        | UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros => Rule::Native,
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::RoundEven if double => {
            exact_unless(facts, &[Fact::DoubleRound])
        }
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::RoundEven => {
            exact_unless(facts, &[Fact::Round, Fact::Subnormals])
        }
        UnaryOp::Sqrt if double => exact_unless(facts, &[Fact::DoubleSqrt]),
        UnaryOp::Sqrt if facts.has(Fact::Sqrt) && facts.has(Fact::Subnormals) => Rule::Native,
        UnaryOp::Recip if double => exact_unless(facts, &[Fact::DoubleDiv]),
        UnaryOp::Recip if facts.has(Fact::Div) && facts.has(Fact::Subnormals) => Rule::Native,
        UnaryOp::Rsqrt if double => Rule::Exact,
        UnaryOp::Sqrt
        | UnaryOp::Recip
        | UnaryOp::Rsqrt
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
        | UnaryOp::FastRsqrt => legalized(op, dtype),
    }
}

pub(super) fn binary(facts: &Facts, op: BinaryOp, dtype: DType) -> Rule {
    if is_half(dtype) || is_small(dtype) {
        return Rule::Widen;
    }
    match (op, dtype) {
        (BinaryOp::Div, DType::F64) => exact_unless(facts, &[Fact::DoubleDiv]),
        (BinaryOp::Div, DType::F32) => {
            let native = facts.has(Fact::Div) && facts.has(Fact::Subnormals);
            if native { Rule::Native } else { Rule::Sequence }
        }
        (BinaryOp::Rem, DType::F32 | DType::F64) => Rule::Exact,
        (BinaryOp::MulHigh, DType::I64 | DType::U64) if facts.splits_integers() => Rule::Native,
        (BinaryOp::MulHigh, DType::I64 | DType::U64) => Rule::Exact,
        (BinaryOp::Pow | BinaryOp::Atan2, DType::F32) => Rule::Sequence,
        (BinaryOp::Pow | BinaryOp::Atan2, _) => Rule::Undefined,
        (
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Min
            | BinaryOp::Max
            | BinaryOp::MinNum
            | BinaryOp::MaxNum
            | BinaryOp::MulHigh
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::Shr,
            _,
        ) => Rule::Native,
    }
}

pub(super) fn compare(_: &Facts, dtype: DType) -> Rule {
    // Small integers are extended by their sign, which keeps their order.
    if is_half(dtype) { Rule::Widen } else { Rule::Native }
}

pub(super) fn fma(facts: &Facts, dtype: DType) -> Rule {
    match dtype {
        DType::F16 => Rule::Widen,
        DType::BF16 if facts.features.float64 && facts.has(Fact::Double) => Rule::Widen,
        DType::BF16 => Rule::Undefined,
        DType::F64 => exact_unless(facts, &[Fact::DoubleFma]),
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
        | DType::F8E8M0
        | DType::F32 => exact_unless(facts, &[Fact::Fma, Fact::Subnormals]),
    }
}

/// `Widen` goes through f32, or through a 32-bit integer where one side is a small one.
pub(super) fn cast(facts: &Facts, from: DType, to: DType) -> Rule {
    if from == to || from.class() == Class::Bool || to.class() == Class::Bool {
        return Rule::Native;
    }
    let wide = |d: DType| d.is_int() && d.bits() == 64;
    match (from, to) {
        _ if from.is_int() && to.is_int() => Rule::Native,
        // `wide` converts pairs by itself.
        _ if facts.splits_integers() && (wide(from) || wide(to)) => Rule::Native,
        (DType::F32, DType::F16) => exact_unless(facts, &[Fact::NarrowHalf, Fact::NarrowAlone]),
        (DType::F16, DType::F32) => exact_unless(facts, &[Fact::WidenHalf]),
        (DType::F32, DType::BF16) if facts.features.narrow_bf16 => Rule::Native,
        (DType::F32, DType::BF16) => Rule::Exact,
        (DType::BF16, DType::F32) => Rule::Native,
        // A 16-bit float is an f32; an integer past 2^24, where f32 rounds, is past the range of f16.
        (DType::F16 | DType::BF16, _) | (_, DType::F16) if from != DType::F64 => Rule::Widen,
        (DType::F64, DType::F16 | DType::BF16) => Rule::Exact,
        (_, DType::BF16) if is_small(from) => Rule::Widen,
        (_, DType::BF16) => Rule::Exact,
        (DType::F32, DType::F64) => Rule::Native,
        (DType::F64, DType::F32) => exact_unless(facts, &[Fact::DoubleNarrow]),
        _ if is_small(from) || is_small(to) => Rule::Widen,
        _ if (from == DType::F64 || to == DType::F64) && (wide(from) || wide(to)) => {
            exact_unless(facts, &[Fact::DoubleInt, Fact::Integers64])
        }
        _ if from == DType::F64 || to == DType::F64 => exact_unless(facts, &[Fact::DoubleInt]),
        _ if wide(from) || wide(to) => Rule::Exact,
        (DType::F32, _) => exact_unless(facts, &[Fact::ToInt]),
        (_, _) => exact_unless(facts, &[Fact::FromInt]),
    }
}
