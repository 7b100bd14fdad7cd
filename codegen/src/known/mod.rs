//! What is known of numbers before a kernel runs: the interval of each, and whether a float can be NaN.
//!
//! It serves two ends. A comparison that its intervals decide is a constant (`decide`). And a NaN that is seen as bits is the
//! one (`Op::Bitcast`, `Op::Store`), which costs a device two operations for each float that it lets out: none where the float
//! is no NaN, where it is the one already, or where nobody looks at what a NaN becomes (`Seen`). An exponential looks at the
//! bits of its polynomial only where its argument is a number in range: the arguments of a `Select` are asked under its
//! condition.
//!
//! Invariants
//! - A number is in its interval on every device whose facts the kernel was legalised for; a bound that a subnormal sets is
//!   moved to zero, so that it holds where subnormals are flushed.
//! - What is not followed (memory, registers, movements between lanes, f64) may be anything.
//! - Work is linear in the kernel, but for a bounded number of values asked again under each condition.

mod decide;
mod foreseen;
mod interval;
mod seen;

pub(crate) use decide::decide;
pub(crate) use foreseen::foreseen;
pub(crate) use seen::Seen;

use crate::rewrite::constant;
use evenweave_lang::{
    dtype::DType,
    ir::{Kernel, Op, Value},
    ops::{BinaryOp, CompareOp, UnaryOp},
};
use interval::{Float, Word};
use std::collections::HashMap;

/// The bits of +infinity in f32.
const INF: u64 = 0x7f80_0000;
/// All bits of an f32 but the sign.
const MAGNITUDE: u64 = 0x7fff_ffff;
/// The values that one question under conditions follows at most.
const MAX_ASKED: usize = 96;

/// What is known of one value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    /// Of an f32, f16 or bf16.
    Float(Float),
    /// Of an unsigned integer of up to 32 bits.
    Word(Word),
    /// Nothing.
    Nothing,
}

impl Known {
    /// All that the type says.
    fn of_type(dtype: Option<DType>) -> Known {
        match dtype {
            Some(DType::F32 | DType::F16 | DType::BF16) => Known::Float(Float::ANY),
            Some(dtype @ (DType::U8 | DType::U16 | DType::U32)) => {
                Known::Word(Word::up_to((1 << dtype.bits()) - 1))
            }
            _ => Known::Nothing,
        }
    }
}

/// A truth that holds wherever a value is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Truth {
    condition: Value,
    is: bool,
}

/// What a truth says of one float.
#[derive(Clone, Copy, Debug)]
struct Limit {
    value: Value,
    low: f64,
    high: f64,
    number: bool,
}

/// The intervals of a kernel's values.
struct Ranges<'k> {
    kernel: &'k Kernel,
    /// Whatever holds.
    always: Vec<Known>,
    /// Bit casts of floats that leave a NaN as it is.
    as_is: Vec<bool>,
}

impl<'k> Ranges<'k> {
    fn of(kernel: &'k Kernel) -> Ranges<'k> {
        let mut ranges = Ranges {
            kernel,
            always: vec![Known::Nothing; kernel.insts.len()],
            as_is: vec![false; kernel.insts.len()],
        };
        ranges.follow();
        ranges
    }

    /// Works out what always holds, in the order of the program.
    fn follow(&mut self) {
        let kernel = self.kernel;
        crate::rewrite::each_inst(kernel, kernel.body, &mut |v| {
            self.always[v.index()] = self.step(v, &mut |x| self.always[x.index()]);
        });
    }

    /// What is known of a value where the truths hold.
    fn under(&self, v: Value, truths: &[Truth]) -> Known {
        let limits: Vec<Limit> =
            truths.iter().flat_map(|t| limits(self.kernel, t.condition, t.is)).collect();
        if limits.is_empty() {
            return self.always[v.index()];
        }
        let mut asked = Asked { ranges: self, limits: &limits, truths, known: HashMap::new() };
        asked.ask(v)
    }

    /// What follows for a value from what is known of its operands.
    fn step(&self, v: Value, of: &mut dyn FnMut(Value) -> Known) -> Known {
        let kernel = self.kernel;
        let dtype = kernel[v].ty.scalar();
        let any = Known::of_type(dtype);
        let found = match (&kernel[v].op, any) {
            (&Op::Const(c), Known::Float(_)) => Known::Float(Float::constant(dtype, c.bits)),
            (&Op::Const(c), Known::Word(_)) => Known::Word(Word::exactly(c.bits)),
            (&Op::Select(_, a, b), _) => join(of(a), of(b)),
            (&Op::Unary(op, a), Known::Float(_)) => unary(op, of(a)),
            (&Op::Binary(op, a, b), Known::Float(_)) => float_binary(op, of(a), of(b)),
            (&Op::Binary(op, a, b), Known::Word(all)) => word_binary(op, of(a), of(b), all),
            (&Op::Fma(a, b, c), Known::Float(_)) => match (of(a), of(b), of(c)) {
                (Known::Float(a), Known::Float(b), Known::Float(c)) => Known::Float(a.fma(b, c)),
                _ => any,
            },
            (&Op::Cast(a), _) => self.cast(a, of(a), dtype, any),
            (&Op::Bitcast(a), Known::Float(_)) => match (of(a), dtype) {
                (Known::Word(bits), Some(dtype)) => Known::Float(Float::of_bits(bits, dtype)),
                _ => any,
            },
            (&Op::Bitcast(a), Known::Word(all)) => match (of(a), kernel[a].ty.scalar()) {
                (Known::Float(x), Some(dtype)) => {
                    Known::Word(x.bits(dtype, self.as_is[v.index()], all))
                }
                _ => any,
            },
            _ => any,
        };
        // 16-bit floats are rounded from what their operation gives.
        match (found, dtype) {
            (Known::Float(x), Some(DType::BF16)) if self.narrows(v) => Known::Float(x.narrowed()),
            (Known::Float(x), Some(DType::F16 | DType::BF16))
                if !matches!(kernel[v].op, Op::Const(_) | Op::Bitcast(_)) =>
            {
                Known::Float(x.rounded_to_half())
            }
            _ => found,
        }
    }

    /// Whether it is the conversion of an f32. Writers that have one to bf16 let no NaN but the one out of it.
    fn narrows(&self, v: Value) -> bool {
        matches!(self.kernel[v].op, Op::Cast(x) if self.kernel[x].ty.scalar() == Some(DType::F32))
    }

    fn cast(&self, from: Value, known: Known, to: Option<DType>, any: Known) -> Known {
        match (known, self.kernel[from].ty.scalar(), any) {
            (Known::Float(x), _, Known::Float(_)) => Known::Float(x.converted()),
            (Known::Word(x), _, Known::Float(_)) => Known::Float(x.as_number()),
            (Known::Word(x), _, Known::Word(all)) if x.high <= all.high => Known::Word(x),
            // Signed and 64-bit integers are finite in f32; f16 is not wide enough to say so.
            (_, Some(from), Known::Float(_)) if from.is_int() && to == Some(DType::F32) => {
                Known::Float(Float::number(-1.9e19, 1.9e19))
            }
            _ => any,
        }
    }
}

/// Questions under conditions.
struct Asked<'a> {
    ranges: &'a Ranges<'a>,
    limits: &'a [Limit],
    truths: &'a [Truth],
    known: HashMap<Value, Known>,
}

impl Asked<'_> {
    fn ask(&mut self, v: Value) -> Known {
        if let Some(&known) = self.known.get(&v) {
            return known;
        }
        if self.known.len() >= MAX_ASKED {
            return self.ranges.always[v.index()];
        }
        // A value is met again only through its users, so this is not read before it is overwritten.
        self.known.insert(v, self.ranges.always[v.index()]);
        let ranges = self.ranges;
        let found = match ranges.kernel[v].op {
            Op::Select(c, a, b) => match self.truths.iter().find(|t| t.condition == c) {
                Some(truth) => self.ask(if truth.is { a } else { b }),
                None => ranges.step(v, &mut |x| self.ask(x)),
            },
            _ => ranges.step(v, &mut |x| self.ask(x)),
        };
        let found = match found {
            Known::Float(x) => Known::Float(
                self.limits.iter().filter(|l| l.value == v).fold(x, |x, l| x.within(l)),
            ),
            Known::Word(_) | Known::Nothing => found,
        };
        self.known.insert(v, found);
        found
    }
}

/// Either of two.
fn join(a: Known, b: Known) -> Known {
    match (a, b) {
        (Known::Float(a), Known::Float(b)) => Known::Float(a.join(b)),
        (Known::Word(a), Known::Word(b)) => Known::Word(a.join(b)),
        _ => Known::Nothing,
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
fn unary(op: UnaryOp, x: Known) -> Known {
    let Known::Float(x) = x else { return Known::Float(Float::ANY) };
    Known::Float(match op {
        UnaryOp::Neg => x.neg(),
        UnaryOp::Abs => x.abs(),
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::RoundEven => x.whole(),
        UnaryOp::Sqrt => x.sqrt(),
        UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
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
        | UnaryOp::FastRsqrt => Float::ANY,
    })
}

#[deny(clippy::wildcard_enum_match_arm)]
fn float_binary(op: BinaryOp, a: Known, b: Known) -> Known {
    let (Known::Float(a), Known::Float(b)) = (a, b) else { return Known::Float(Float::ANY) };
    Known::Float(match op {
        BinaryOp::Add => a.fma(Float::number(1.0, 1.0), b),
        BinaryOp::Sub => a.fma(Float::number(1.0, 1.0), b.neg()),
        BinaryOp::Mul => a.times(b),
        BinaryOp::Min => a.least(b),
        BinaryOp::Max => a.neg().least(b.neg()).neg(),
        BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::MinNum
        | BinaryOp::MaxNum
        | BinaryOp::MulHigh
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Pow
        | BinaryOp::Atan2 => Float::ANY,
    })
}

#[deny(clippy::wildcard_enum_match_arm)]
fn word_binary(op: BinaryOp, a: Known, b: Known, all: Word) -> Known {
    let (Known::Word(a), Known::Word(b)) = (a, b) else { return Known::Word(all) };
    let found = match op {
        BinaryOp::Add => a.plus(b, all),
        BinaryOp::Sub => a.minus(b),
        BinaryOp::Min => Some(a.least(b)),
        BinaryOp::And => Some(Word::up_to(a.high.min(b.high))),
        BinaryOp::Shr => b.single().and_then(|n| a.shifted_down(n, all)),
        BinaryOp::Shl => b.single().and_then(|n| a.shifted_up(n, all)),
        BinaryOp::Max
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::MinNum
        | BinaryOp::MaxNum
        | BinaryOp::MulHigh
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Pow
        | BinaryOp::Atan2 => None,
    };
    Known::Word(found.unwrap_or(all))
}

/// What it says of floats that `condition` is true, or that it is false.
fn limits(kernel: &Kernel, condition: Value, is: bool) -> Vec<Limit> {
    let both = |a, b| [limits(kernel, a, is), limits(kernel, b, is)].concat();
    match kernel[condition].op {
        Op::Unary(UnaryOp::Not, a) => limits(kernel, a, !is),
        Op::Binary(BinaryOp::And, a, b) if is => both(a, b),
        Op::Binary(BinaryOp::Or, a, b) if !is => both(a, b),
        Op::Compare(op, a, b) => match (kernel[a].ty.scalar(), constant(kernel, b)) {
            (Some(DType::F32), Some(bits)) => {
                let c = f64::from(f32::from_bits(bits as u32));
                of_comparison(op, a, c, is).into_iter().collect()
            }
            (Some(DType::F32), None) if a == b => {
                let number = (op == CompareOp::Eq) == is;
                let all = Limit { value: a, low: -f64::INFINITY, high: f64::INFINITY, number };
                if matches!(op, CompareOp::Eq | CompareOp::Ne) { vec![all] } else { Vec::new() }
            }
            (Some(DType::U32), Some(INF)) => magnitude_of(kernel, a)
                .filter(|_| (op == CompareOp::Gt) != is)
                .filter(|_| matches!(op, CompareOp::Gt | CompareOp::Le))
                .map(|value| Limit {
                    value,
                    low: -f64::INFINITY,
                    high: f64::INFINITY,
                    number: true,
                })
                .into_iter()
                .collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The f32 that `a op b` asks for being NaN, by its bits. Where comparisons are strict, `x != x` asks the same.
pub(crate) fn nan_test(kernel: &Kernel, op: CompareOp, a: Value, b: Value) -> Option<Value> {
    let is_infinity = |v: Value| constant(kernel, v) == Some(INF);
    match op {
        CompareOp::Gt if is_infinity(b) => magnitude_of(kernel, a),
        CompareOp::Lt if is_infinity(a) => magnitude_of(kernel, b),
        CompareOp::Eq
        | CompareOp::Ne
        | CompareOp::Lt
        | CompareOp::Le
        | CompareOp::Gt
        | CompareOp::Ge => None,
    }
}

/// The float whose bits without the sign the value is.
fn magnitude_of(kernel: &Kernel, v: Value) -> Option<Value> {
    let Op::Binary(BinaryOp::And, a, b) = kernel[v].op else { return None };
    let bits = match (constant(kernel, a), constant(kernel, b)) {
        (_, Some(MAGNITUDE)) => a,
        (Some(MAGNITUDE), _) => b,
        _ => return None,
    };
    match kernel[bits].op {
        Op::Bitcast(x) if kernel[x].ty.scalar() == Some(DType::F32) => Some(x),
        _ => None,
    }
}

/// What `(value op c) == is` says of `value`. A comparison with NaN is false, but for `Ne`.
fn of_comparison(op: CompareOp, value: Value, c: f64, is: bool) -> Option<Limit> {
    // A device that flushes subnormals compares them as zeros.
    let near =
        if c.abs() < f64::from(f32::MIN_POSITIVE) { f64::from(f32::MIN_POSITIVE) } else { 0.0 };
    let limit = |low: f64, high: f64, number| {
        Some(Limit { value, low: low - near, high: high + near, number })
    };
    let (least, most) = (-f64::INFINITY, f64::INFINITY);
    match (op, is) {
        (CompareOp::Lt | CompareOp::Le, true) => limit(least, c, true),
        (CompareOp::Gt | CompareOp::Ge, true) => limit(c, most, true),
        (CompareOp::Lt | CompareOp::Le, false) => limit(c, most, false),
        (CompareOp::Gt | CompareOp::Ge, false) => limit(least, c, false),
        (CompareOp::Eq, true) | (CompareOp::Ne, false) => limit(c, c, true),
        (CompareOp::Eq, false) | (CompareOp::Ne, true) => None,
    }
}

#[cfg(test)]
mod tests;
