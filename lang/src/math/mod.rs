//! The elementary functions, written in the kernel language itself.
//!
//! Every function is one sequence of operations that each device rounds the same way: `+ - * fma`, integer
//! operations, comparisons, selects, conversions between `i32` and `f32`, bit casts. So its result has the
//! same bits wherever it runs, and its error, measured over all inputs (`docs/numerics.md`), holds everywhere.
//!
//! Invariants
//! - No function calls a row of the tables that is itself legalised; the exact operations are the only leaves.
//! - NaN, infinities, zeros and subnormal inputs are told apart on the bits, never by a float comparison.
//! - A result is never an intermediate NaN that went through exponent arithmetic: each function ends with the
//!   selects of its special cases, and its NaN is 0x7fc00000.
//! - Results of exponential type below 2^-126 are zeros; odd functions return a subnormal input itself, or
//!   count it as zero where their slope at 0 is not 1. So no step depends on how a device treats subnormals.
//!
//! Absent: f16 and bf16 forms. Their functions are the f32 ones between a widening and a rounding.
#![deny(clippy::wildcard_enum_match_arm)]

mod erf;
pub mod exact;
mod exp;
mod gates;
mod gelu;
mod hyper;
mod inverse;
mod log;
mod pow;
mod recip;
mod reduce;
mod trig;
pub mod wide;

pub use erf::{erf, erfinv};
pub use exp::{exp, exp2, expm1};
pub use gates::{sigmoid, silu, softplus};
pub use gelu::{gelu_erf, gelu_tanh};
pub use hyper::{acosh, asinh, atanh, cosh, sinh, tanh};
pub use inverse::{acos, asin, atan, atan2};
pub use log::{log, log1p, log2, log10};
pub use pow::pow;
pub use recip::{div, recip, rsqrt, sqrt};
pub use trig::{cos, sin, tan};

use crate::{
    build::Builder,
    func,
    ir::Value,
    ops::{BinaryOp, UnaryOp},
    stage,
    val::{Scalar, Val, val},
};

/// The sequence that stands for the row `op` where a device does not have it; `None` for rows that every device
/// has. The `fast_` rows are the portable functions there.
#[track_caller]
pub fn unary(op: UnaryOp, x: Val<f32>) -> Option<Val<f32>> {
    let function: fn(Val<f32>) -> Val<f32> = match op {
        UnaryOp::Neg
        | UnaryOp::Abs
        | UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc
        | UnaryOp::RoundEven => return None,
        UnaryOp::Sqrt => sqrt,
        UnaryOp::Rsqrt | UnaryOp::FastRsqrt => rsqrt,
        UnaryOp::Recip | UnaryOp::FastRecip => recip,
        UnaryOp::Exp | UnaryOp::FastExp => exp,
        UnaryOp::Exp2 => exp2,
        UnaryOp::Expm1 => expm1,
        UnaryOp::Log | UnaryOp::FastLog => log,
        UnaryOp::Log2 => log2,
        UnaryOp::Log10 => log10,
        UnaryOp::Log1p => log1p,
        UnaryOp::Sin => sin,
        UnaryOp::Cos => cos,
        UnaryOp::Tan => tan,
        UnaryOp::Asin => asin,
        UnaryOp::Acos => acos,
        UnaryOp::Atan => atan,
        UnaryOp::Sinh => sinh,
        UnaryOp::Cosh => cosh,
        UnaryOp::Tanh => tanh,
        UnaryOp::Asinh => asinh,
        UnaryOp::Acosh => acosh,
        UnaryOp::Atanh => atanh,
        UnaryOp::Sigmoid => sigmoid,
        UnaryOp::Silu => silu,
        UnaryOp::GeluTanh => gelu_tanh,
        UnaryOp::GeluErf => gelu_erf,
        UnaryOp::Softplus => softplus,
        UnaryOp::Erf => erf,
        UnaryOp::Erfinv => erfinv,
    };
    Some(function(x))
}

/// As `unary`, for the rows of two values.
#[track_caller]
pub fn binary(op: BinaryOp, a: Val<f32>, b: Val<f32>) -> Option<Val<f32>> {
    match op {
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
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
        | BinaryOp::Shr => None,
        BinaryOp::Div => Some(div(a, b)),
        BinaryOp::Pow => Some(pow(a, b)),
        BinaryOp::Atan2 => Some(atan2(a, b)),
    }
}

/// Bits of +inf; a magnitude above it is a NaN.
const INF: u32 = 0x7f800000;
/// Bits of -inf.
const NEG_INF: u32 = 0xff800000;
/// The one NaN.
const NAN: u32 = 0x7fc00000;
/// Bits of 1.0.
const ONE: u32 = 0x3f800000;
/// The sign bit.
const SIGN: u32 = 0x80000000;
/// All bits but the sign.
const MAGNITUDE: u32 = 0x7fffffff;
/// Bits of the least normal number, 2^-126; the hidden bit of a significand.
const MIN_NORMAL: u32 = 0x00800000;
/// The stored bits of a significand.
const SIGNIFICAND: u32 = 0x007fffff;
/// Sign and exponent.
const EXPONENT: u32 = 0xff800000;
/// 1.5 * 2^23: adding it rounds to an integer, which the low bits of the sum then hold (Cody and Waite).
const MAGIC: f32 = 12_582_912.0;

/// Appends to `builder` what `unary` stages for the f32 `x`, at the builder's place.
pub fn write_unary(builder: &mut Builder, op: UnaryOp, x: Value) -> Option<Value> {
    extend(builder, || unary(op, Val::of(x))).map(Val::ir)
}

/// Appends to `builder` what `binary` stages for the f32 `x` and `y`, at the builder's place.
pub fn write_binary(builder: &mut Builder, op: BinaryOp, x: Value, y: Value) -> Option<Value> {
    extend(builder, || binary(op, Val::of(x), Val::of(y))).map(Val::ir)
}

/// Appends to `builder` what `body` stages, at the builder's place. `Val::from_ir` makes operands of the values
/// that are there already.
pub fn write<T: Scalar>(builder: &mut Builder, body: impl FnOnce() -> Val<T>) -> Value {
    extend(builder, body).ir()
}

fn extend<R>(builder: &mut Builder, body: impl FnOnce() -> R) -> R {
    let (extended, result) = stage::extend(std::mem::replace(builder, Builder::new("")), body);
    *builder = extended;
    result
}

/// Polynomials are given by the bits of their coefficients, constant term first.
const fn coefficients<const N: usize>(bits: [u32; N]) -> [f32; N] {
    let mut out = [0.0; N];
    let mut i = 0;
    while i < N {
        out[i] = f32::from_bits(bits[i]);
        i += 1;
    }
    out
}

/// `c[0] + x (c[1] + x (...))` by Horner's rule, one `fma` a step.
#[track_caller]
fn poly(x: Val<f32>, c: &[f32]) -> Val<f32> {
    let (last, rest) = c.split_last().expect("a polynomial has a coefficient");
    let mut p = val(*last);
    for &c in rest.iter().rev() {
        p = func::fma(p, x, c);
    }
    p
}
