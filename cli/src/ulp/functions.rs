//! The functions that are measured: how a device computes each, what is true, over which inputs.
//!
//! Invariants
//! - Every row that is legalised has a function here, and every sequence that stands for a correct row.
//! - The reference shares nothing with the sequences.

use super::reference as truth;
use evenweave_lang::{
    math,
    ops::{BinaryOp, Spelling, UnaryOp},
    prelude::Val,
};

/// How a device computes a function.
#[derive(Clone, Copy)]
pub(crate) enum Body {
    /// A row of one operand.
    Unary(UnaryOp),
    /// A row of two.
    Binary(BinaryOp),
    /// Multiply and add, rounded once.
    Fma,
    /// The language's own sequence for a row that the CPU device has.
    Sequence(fn(Val<f32>) -> Val<f32>),
    /// The same for a row of two operands.
    SequenceOfTwo(fn(Val<f32>, Val<f32>) -> Val<f32>),
}

/// What is true.
#[derive(Clone, Copy)]
pub(crate) enum Truth {
    /// Of one number.
    One(fn(f64) -> f64),
    /// Of two.
    Two(fn(f64, f64) -> f64),
    /// Of three.
    Three(fn(f64, f64, f64) -> f64),
}

/// All inputs of a function, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inputs {
    /// The input with number i has the bits i.
    Bits(u64),
    /// The operands of input i are hashes of it.
    Hashed(u64),
}

impl Inputs {
    /// How many there are.
    pub(crate) fn count(self) -> u64 {
        match self {
            Inputs::Bits(count) | Inputs::Hashed(count) => count,
        }
    }
}

/// A function.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    /// The name on the command line and in the golden file.
    pub(crate) name: &'static str,
    /// How a device computes it.
    pub(crate) body: Body,
    /// What is true.
    pub(crate) truth: Truth,
    /// All its inputs in f32.
    pub(crate) inputs: Inputs,
    /// The operands of which a subnormal value counts as zero.
    pub(crate) flushed: [bool; 2],
}

const ALL: Inputs = Inputs::Bits(1 << 32);
/// Odd and even functions are measured without the sign.
const POSITIVE: Inputs = Inputs::Bits(1 << 31);
const HASHED: Inputs = Inputs::Hashed(1 << 26);

impl Function {
    const fn one(op: UnaryOp, inputs: Inputs, truth: fn(f64) -> f64) -> Function {
        let body = Body::Unary(op);
        Function { name: op.name(), body, truth: Truth::One(truth), inputs, flushed: [false; 2] }
    }

    const fn two(
        name: &'static str,
        op: BinaryOp,
        truth: fn(f64, f64) -> f64,
        flushed: [bool; 2],
    ) -> Function {
        let body = Body::Binary(op);
        Function { name, body, truth: Truth::Two(truth), inputs: HASHED, flushed }
    }

    /// The promise of its row: the largest error in ULP.
    pub(crate) fn promise(&self) -> f64 {
        match self.body {
            Body::Unary(op) => op.ulp(),
            Body::Binary(op) => op.ulp(),
            Body::Fma | Body::Sequence(_) | Body::SequenceOfTwo(_) => 0.5,
        }
    }

    /// How many operands it takes.
    pub(crate) fn operands(&self) -> usize {
        match self.body {
            Body::Unary(_) | Body::Sequence(_) => 1,
            Body::Binary(_) | Body::SequenceOfTwo(_) => 2,
            Body::Fma => 3,
        }
    }

    /// Whether it has forms in f16 and bf16: those of the legalised rows.
    pub(crate) fn has_halves(&self) -> bool {
        match self.body {
            Body::Unary(op) => op.cpu() == Spelling::Legalize,
            Body::Binary(op) => op.cpu() == Spelling::Legalize,
            Body::Fma | Body::Sequence(_) | Body::SequenceOfTwo(_) => false,
        }
    }
}

const fn sequence(
    name: &'static str,
    body: fn(Val<f32>) -> Val<f32>,
    truth: fn(f64) -> f64,
) -> Function {
    let (body, truth) = (Body::Sequence(body), Truth::One(truth));
    Function { name, body, truth, inputs: POSITIVE, flushed: [false; 2] }
}

const fn raw(name: &'static str, body: Body, truth: Truth) -> Function {
    Function { name, body, truth, inputs: HASHED, flushed: [false; 2] }
}

/// The functions in the order of the report.
#[rustfmt::skip]
pub(crate) const FUNCTIONS: &[Function] = &[
    Function::one(UnaryOp::Exp,      ALL,      libm::exp),
    Function::one(UnaryOp::Exp2,     ALL,      libm::exp2),
    Function::one(UnaryOp::Expm1,    ALL,      libm::expm1),
    Function::one(UnaryOp::Log,      ALL,      libm::log),
    Function::one(UnaryOp::Log2,     ALL,      libm::log2),
    Function::one(UnaryOp::Log10,    ALL,      libm::log10),
    Function::one(UnaryOp::Log1p,    ALL,      libm::log1p),
    Function::one(UnaryOp::Sin,      POSITIVE, libm::sin),
    Function::one(UnaryOp::Cos,      POSITIVE, libm::cos),
    Function::one(UnaryOp::Tan,      POSITIVE, libm::tan),
    Function::one(UnaryOp::Asin,     POSITIVE, libm::asin),
    Function::one(UnaryOp::Acos,     ALL,      libm::acos),
    Function::one(UnaryOp::Atan,     POSITIVE, libm::atan),
    Function::one(UnaryOp::Sinh,     POSITIVE, libm::sinh),
    Function::one(UnaryOp::Cosh,     POSITIVE, libm::cosh),
    Function::one(UnaryOp::Tanh,     POSITIVE, libm::tanh),
    Function::one(UnaryOp::Asinh,    POSITIVE, libm::asinh),
    Function::one(UnaryOp::Acosh,    ALL,      truth::acosh),
    Function::one(UnaryOp::Atanh,    POSITIVE, libm::atanh),
    Function::one(UnaryOp::Sigmoid,  ALL,      truth::sigmoid),
    Function::one(UnaryOp::Silu,     ALL,      truth::silu),
    Function::one(UnaryOp::GeluTanh, ALL,      truth::gelu_tanh),
    Function::one(UnaryOp::GeluErf,  ALL,      truth::gelu_erf),
    Function::one(UnaryOp::Softplus, ALL,      truth::softplus),
    Function { flushed: [true, false], ..Function::one(UnaryOp::Erf, POSITIVE, libm::erf) },
    Function::one(UnaryOp::Erfinv,   POSITIVE, truth::erfinv),
    Function::two("pow",   BinaryOp::Pow,   libm::pow,   [false, true]),
    Function::two("atan2", BinaryOp::Atan2, libm::atan2, [true, true]),
    Function::one(UnaryOp::Sqrt,     POSITIVE, libm::sqrt),
    Function::one(UnaryOp::Rsqrt,    POSITIVE, truth::rsqrt),
    Function::one(UnaryOp::Recip,    POSITIVE, truth::recip),
    Function::two("div",   BinaryOp::Div,   truth::div,  [false, false]),
    sequence("sequence_sqrt",  math::sqrt,  libm::sqrt),
    sequence("sequence_rsqrt", math::rsqrt, truth::rsqrt),
    sequence("sequence_recip", math::recip, truth::recip),
    raw("sequence_div", Body::SequenceOfTwo(math::div), Truth::Two(truth::div)),
    raw("raw_add",   Body::Binary(BinaryOp::Add),  Truth::Two(|x, y| x + y)),
    raw("raw_mul",   Body::Binary(BinaryOp::Mul),  Truth::Two(|x, y| x * y)),
    raw("raw_fma",   Body::Fma,                    Truth::Three(truth::fma)),
    raw("raw_sqrt",  Body::Unary(UnaryOp::Sqrt),   Truth::One(libm::sqrt)),
    raw("raw_rsqrt", Body::Unary(UnaryOp::Rsqrt),  Truth::One(truth::rsqrt)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legalised_row_is_measured() {
        let unary = UnaryOp::ALL.iter().filter(|op| op.cpu() == Spelling::Legalize);
        // The fast rows are other names of portable ones on the CPU device.
        for op in unary.filter(|op| !op.name().starts_with("fast_")) {
            let found = FUNCTIONS.iter().any(|f| matches!(f.body, Body::Unary(o) if o == *op));
            assert!(found, "{}", op.name());
        }
        for op in BinaryOp::ALL.iter().filter(|op| op.cpu() == Spelling::Legalize) {
            let found = FUNCTIONS.iter().any(|f| matches!(f.body, Body::Binary(o) if o == *op));
            assert!(found, "{}", op.name());
        }
    }
}
