//! Which rule an operation takes on a target: one line a row of the operation tables.
//!
//! Invariants
//! - Every row has a rule on every target; a row without one is a build error, not a run-time surprise.

#![deny(clippy::wildcard_enum_match_arm)]

mod cpu;
mod device;

use crate::target::Target;
use evenweave_lang::{
    dtype::DType,
    ops::{BinaryOp, ReduceOp, Tier, UnaryOp},
};

/// What becomes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The target has it.
    Native,
    /// Widen to f32, the operation there, round; of small integers: widen to 32 bits, the operation there, wrap.
    Widen,
    /// The language's own sequence in f32.
    Sequence,
    /// A sequence of exact operations for what the target lacks (`exact`).
    Exact,
    /// A row of which this is another name.
    Portable(UnaryOp),
    /// Shuffles and single combinations, in the order of the index tree.
    Shuffles,
    /// The language defines no such thing, or the target can do nothing for it.
    Undefined,
}

/// The rule for a row of `UnaryOp`.
pub(super) fn unary(target: &Target, op: UnaryOp, dtype: DType) -> Rule {
    match target {
        Target::Cpu => cpu::unary(op, dtype),
        Target::Vulkan(facts) => device::unary(facts, op, dtype),
        // The makers' own quick functions, where the author wrote those.
        Target::C(..) if op.tier() == Tier::Bounded && dtype == DType::F32 => Rule::Native,
        Target::C(_, facts) => device::unary(facts, op, dtype),
    }
}

/// The rule for a row of `BinaryOp`.
pub(super) fn binary(target: &Target, op: BinaryOp, dtype: DType) -> Rule {
    match target {
        Target::Cpu => cpu::binary(op, dtype),
        Target::Vulkan(facts) | Target::C(_, facts) => device::binary(facts, op, dtype),
    }
}

/// The rule for comparisons.
pub(super) fn compare(target: &Target, dtype: DType) -> Rule {
    match target {
        Target::Cpu => cpu::compare(dtype),
        Target::Vulkan(facts) | Target::C(_, facts) => device::compare(facts, dtype),
    }
}

/// The rule for `fma`.
pub(super) fn fma(target: &Target, dtype: DType) -> Rule {
    match target {
        Target::Cpu => cpu::fma(dtype),
        Target::Vulkan(facts) | Target::C(_, facts) => device::fma(facts, dtype),
    }
}

/// The rule for conversions by value.
pub(super) fn cast(target: &Target, from: DType, to: DType) -> Rule {
    match target {
        Target::Cpu => Rule::Native,
        Target::Vulkan(facts) | Target::C(_, facts) => device::cast(facts, from, to),
    }
}

/// The rule for a reduction or scan.
pub(super) fn reduce(target: &Target, op: ReduceOp, dtype: DType) -> Rule {
    match target {
        Target::Cpu => cpu::reduce(op, dtype),
        Target::Vulkan(_) | Target::C(..) => Rule::Shuffles,
    }
}

/// What becomes of a row that a target lacks in f32.
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
