//! The rules of the CPU device: it has what the tables mark `Native`, in all dtypes but the 16-bit floats.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{Rule, legalized};
use crate::legalize::half::is_half;
use evenweave_lang::{
    dtype::DType,
    ops::{BinaryOp, ReduceOp, Spelling, UnaryOp},
};

pub(super) fn unary(op: UnaryOp, dtype: DType) -> Rule {
    if is_half(dtype) {
        return Rule::Widen;
    }
    match op.cpu() {
        Spelling::Native => Rule::Native,
        Spelling::Legalize => legalized(op, dtype),
    }
}

pub(super) fn binary(op: BinaryOp, dtype: DType) -> Rule {
    if is_half(dtype) {
        return Rule::Widen;
    }
    match (op.cpu(), op) {
        (Spelling::Native, _) => Rule::Native,
        (Spelling::Legalize, BinaryOp::Pow | BinaryOp::Atan2 | BinaryOp::Div)
            if dtype == DType::F32 =>
        {
            Rule::Sequence
        }
        (
            Spelling::Legalize,
            BinaryOp::Pow
            | BinaryOp::Atan2
            | BinaryOp::Add
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
        ) => Rule::Undefined,
    }
}

pub(super) fn compare(dtype: DType) -> Rule {
    if is_half(dtype) { Rule::Widen } else { Rule::Native }
}

pub(super) fn fma(dtype: DType) -> Rule {
    if is_half(dtype) { Rule::Widen } else { Rule::Native }
}

/// Minimum and maximum have one result in f32 and in 16 bits; sums and products are rounded at each step.
pub(super) fn reduce(op: ReduceOp, dtype: DType) -> Rule {
    match op {
        _ if !is_half(dtype) => Rule::Native,
        ReduceOp::Min | ReduceOp::Max => Rule::Widen,
        ReduceOp::Sum | ReduceOp::Prod => Rule::Shuffles,
        ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => Rule::Undefined,
    }
}
