//! Which rule an operation takes on a target: one line a row of the operation tables.
//!
//! Invariants
//! - Every row has a rule on every target; a row without one is a build error, not a run-time surprise.

#![deny(clippy::wildcard_enum_match_arm)]

use super::half::is_half;
use crate::target::Target;
use evenweave_lang::{
    dtype::DType,
    ops::{BinaryOp, ReduceOp, Spelling, UnaryOp},
};

/// What becomes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The target has it.
    Native,
    /// Widen to f32, the operation there, round.
    Widen,
    /// The language's own sequence in f32.
    Sequence,
    /// A row of which this is another name.
    Portable(UnaryOp),
    /// Shuffles and single combinations, in the order of the index tree.
    Shuffles,
    /// The language defines no such thing.
    Undefined,
}

/// The rule for a row of `UnaryOp`.
pub(super) fn unary(target: Target, op: UnaryOp, dtype: DType) -> Rule {
    if is_half(dtype) {
        return Rule::Widen;
    }
    let spelling = match target {
        Target::Cpu | Target::Vulkan(_) => op.cpu(),
    };
    match spelling {
        Spelling::Native => Rule::Native,
        Spelling::Legalize => legalized(op, dtype),
    }
}

/// The rule for a row that the target lacks in f32.
fn legalized(op: UnaryOp, dtype: DType) -> Rule {
    if dtype != DType::F32 {
        return Rule::Undefined;
    }
    match op {
        UnaryOp::FastExp => Rule::Portable(UnaryOp::Exp),
        UnaryOp::FastLog => Rule::Portable(UnaryOp::Log),
        UnaryOp::FastRecip => Rule::Portable(UnaryOp::Recip),
        UnaryOp::FastRsqrt => Rule::Portable(UnaryOp::Rsqrt),
        UnaryOp::Sqrt
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
        | UnaryOp::Erfinv => Rule::Sequence,
        UnaryOp::Neg
        | UnaryOp::Abs
        | UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc
        | UnaryOp::RoundEven => Rule::Undefined,
    }
}

/// The rule for a row of `BinaryOp`.
pub(super) fn binary(target: Target, op: BinaryOp, dtype: DType) -> Rule {
    if is_half(dtype) {
        return Rule::Widen;
    }
    let spelling = match target {
        Target::Cpu | Target::Vulkan(_) => op.cpu(),
    };
    match (spelling, op) {
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

/// The rule for comparisons.
pub(super) fn compare(target: Target, dtype: DType) -> Rule {
    match target {
        Target::Cpu | Target::Vulkan(_) if is_half(dtype) => Rule::Widen,
        Target::Cpu | Target::Vulkan(_) => Rule::Native,
    }
}

/// The rule for a reduction or scan. Minimum and maximum have one result in f32 and in 16 bits; sums and
/// products are rounded at each step.
pub(super) fn reduce(target: Target, op: ReduceOp, dtype: DType) -> Rule {
    match (target, op) {
        (Target::Cpu | Target::Vulkan(_), _) if !is_half(dtype) => Rule::Native,
        (Target::Cpu | Target::Vulkan(_), ReduceOp::Min | ReduceOp::Max) => Rule::Widen,
        (Target::Cpu | Target::Vulkan(_), ReduceOp::Sum | ReduceOp::Prod) => Rule::Shuffles,
        (Target::Cpu | Target::Vulkan(_), ReduceOp::And | ReduceOp::Or | ReduceOp::Xor) => {
            Rule::Undefined
        }
    }
}
