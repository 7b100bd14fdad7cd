//! Runs a function on a device over its inputs and compares with the true values.
//!
//! Invariants
//! - A result is compared with the f64 truth, never with another result.
//! - The hash is a sum over inputs, so it depends neither on their order nor on the number of threads.
//! - Which inputs a sample takes is fixed.

use super::{
    functions::{Function, Inputs, Truth},
    kernels,
};
use evenweave_codegen::{Optimise, PrepareError, Target, prepare};
use evenweave_lang::{
    StageError,
    dtype::DType,
    ir::{Kernel, Op},
};
use evenweave_runtime::{Device, DeviceError, LaunchArg, LoadOptions};
use half::{bf16, f16};
use rayon::prelude::*;
use std::ops::Range;

/// Inputs of a sample.
pub(crate) const SAMPLE: u64 = 1 << 20;
/// Inputs of one launch.
const CHUNK: u64 = 1 << 20;
/// Inputs that one task compares.
const TASK: usize = 1 << 14;

/// Which inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    /// One of each stratum of the bits, or the first ones of a hashed range.
    Sample,
    /// All.
    All,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MeasureError {
    #[error(transparent)]
    Stage(#[from] StageError),
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// What the comparison of a function came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// Inputs compared.
    pub(crate) inputs: u64,
    /// Largest error in units in the last place.
    pub(crate) max_ulp: f64,
    /// The bits of the operands where it is.
    pub(crate) at: [u32; 3],
    /// Results that are not the correctly rounded ones.
    pub(crate) not_rounded: u64,
    /// Wrong NaN, infinities, zeros and signs.
    pub(crate) faults: u64,
    /// The bits of the operands of one of them.
    pub(crate) fault_at: [u32; 3],
    /// The sum over the inputs of `mix(number, result)`, NaN as one value.
    pub(crate) hash: u64,
}

impl Outcome {
    fn merge(self, other: Outcome) -> Outcome {
        let worse = if other.max_ulp > self.max_ulp { other } else { self };
        let faulty = if self.faults == 0 { other } else { self };
        Outcome {
            inputs: self.inputs + other.inputs,
            max_ulp: worse.max_ulp,
            at: worse.at,
            not_rounded: self.not_rounded + other.not_rounded,
            faults: self.faults + other.faults,
            fault_at: faulty.fault_at,
            hash: self.hash.wrapping_add(other.hash),
        }
    }

    /// Share of results that are not the correctly rounded ones.
    pub(crate) fn not_rounded_share(&self) -> f64 {
        self.not_rounded as f64 / self.inputs.max(1) as f64
    }
}

/// A mixing of an input's number and a result's bits.
fn mix(number: u64, bits: u32) -> u64 {
    let z = ((number << 32) | u64::from(bits)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 32)
}

/// A hash of 32 bits onto 32 bits.
fn scatter(i: u32) -> u32 {
    let i = (i ^ (i >> 16)).wrapping_mul(0x7feb_352d);
    let i = (i ^ (i >> 15)).wrapping_mul(0x846c_a68b);
    i ^ (i >> 16)
}

/// One input: its number and the bits of its operands, of which a function takes the first ones.
#[derive(Clone, Copy)]
struct Input {
    number: u64,
    operands: [u32; 3],
}

fn input(inputs: Inputs, set: Set, index: u64) -> Input {
    match inputs {
        Inputs::Bits(count) => {
            let number = match set {
                Set::All => index,
                Set::Sample => {
                    let stratum = count / SAMPLE.min(count);
                    index * stratum + u64::from(scatter(index as u32)) % stratum
                }
            };
            Input { number, operands: [number as u32, 0, 0] }
        }
        Inputs::Hashed(_) => {
            let i = index as u32;
            let x = scatter(i);
            let y = scatter(i.wrapping_mul(0x9e37_79b1).wrapping_add(1));
            Input { number: index, operands: [x, y, scatter(y ^ 0x5bd1_e995)] }
        }
    }
}

/// A float format as the comparison needs it.
#[derive(Clone, Copy)]
struct Format {
    dtype: DType,
    /// Stored bits of a significand.
    significand_bits: i32,
    /// Exponent of the least normal number.
    least_exponent: i32,
    /// Results below the least normal f32 may be zero.
    flushes: bool,
}

impl Format {
    fn of(dtype: DType) -> Format {
        match dtype {
            DType::F16 => {
                Format { dtype, significand_bits: 10, least_exponent: -14, flushes: false }
            }
            DType::BF16 => {
                Format { dtype, significand_bits: 7, least_exponent: -126, flushes: true }
            }
            _ => Format { dtype, significand_bits: 23, least_exponent: -126, flushes: true },
        }
    }

    /// From the low bits of a word: the number, whatever NaN it is.
    fn decode(self, bits: u32) -> f64 {
        match self.dtype {
            DType::F16 => f16::from_bits(bits as u16).to_f64(),
            DType::BF16 => bf16::from_bits(bits as u16).to_f64(),
            _ => f64::from(f32::from_bits(bits)),
        }
    }

    /// The nearest number of the format, ties to even; infinite from half a unit above the largest.
    fn round(self, x: f64) -> f64 {
        if x == 0.0 || !x.is_finite() {
            return x;
        }
        let unit = self.unit(x);
        let rounded = (x / unit).round_ties_even() * unit;
        if rounded.abs() >= self.beyond() { f64::INFINITY.copysign(x) } else { rounded.copysign(x) }
    }

    /// The power of two above the largest number.
    fn beyond(self) -> f64 {
        libm::scalbn(1.0, if self.dtype == DType::F16 { 16 } else { 128 })
    }

    /// The unit in the last place at `x`.
    fn unit(self, x: f64) -> f64 {
        let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        libm::scalbn(1.0, exponent.max(self.least_exponent) - self.significand_bits)
    }

    /// The bits that are hashed: NaN is one value.
    fn canonical(self, bits: u32) -> u32 {
        if self.decode(bits).is_nan() { 0x7fc0_0000 } else { bits }
    }
}

/// How a result stands to the truth.
enum Verdict {
    /// The correctly rounded one.
    Rounded,
    /// Off by so many units in the last place.
    Off(f64),
    /// Wrong NaN, infinity, zero or sign.
    Fault,
}

fn judge(format: Format, got: f64, truth: f64) -> Verdict {
    if truth.is_nan() || got.is_nan() {
        return if truth.is_nan() && got.is_nan() { Verdict::Rounded } else { Verdict::Fault };
    }
    let want = format.round(truth);
    if got == want && got.is_sign_negative() == want.is_sign_negative() {
        return Verdict::Rounded;
    }
    if got.is_sign_negative() != truth.is_sign_negative() {
        return Verdict::Fault;
    }
    // An infinite result stands for the first number beyond the range.
    let beyond = format.beyond();
    let (got, truth) = (got.abs(), truth.abs());
    let tiny = truth < libm::scalbn(1.0, format.least_exponent);
    if truth.is_infinite() || truth == 0.0 || (got == 0.0 && !tiny) {
        return Verdict::Fault;
    }
    if got == 0.0 && format.flushes {
        return Verdict::Rounded;
    }
    let unit = format.unit(truth.min(0.75 * beyond));
    Verdict::Off((got.min(beyond) - truth).abs() / unit)
}

/// A function made runnable.
pub(crate) struct Measure<'a> {
    device: &'a dyn Device,
    function: &'a Function,
    format: Format,
    kernel: Kernel,
}

impl<'a> Measure<'a> {
    /// The function in `dtype` on the device.
    pub(crate) fn new(
        device: &'a dyn Device,
        function: &'a Function,
        dtype: DType,
    ) -> Result<Measure<'a>, MeasureError> {
        let kernel = kernels::stage(function.body, dtype)?;
        Ok(Measure { device, function, format: Format::of(dtype), kernel })
    }

    /// Inputs in the set.
    pub(crate) fn count(&self, set: Set) -> u64 {
        match set {
            Set::All => self.inputs().count(),
            Set::Sample => self.inputs().count().min(SAMPLE),
        }
    }

    /// All inputs: in 16 bits every number, or hashed pairs.
    fn inputs(&self) -> Inputs {
        match (self.format.dtype, self.function.inputs) {
            (DType::F32, inputs) => inputs,
            (_, Inputs::Bits(_)) => Inputs::Bits(1 << 16),
            (_, Inputs::Hashed(_)) => Inputs::Hashed(SAMPLE),
        }
    }

    /// Operations of the function once legal and optimised, bit casts and constants aside.
    pub(crate) fn operations(&self) -> Result<usize, MeasureError> {
        let legal = prepare(&self.kernel, Target::Cpu, Optimise::Yes)?;
        let counts = |op: &Op| {
            matches!(
                op,
                Op::Unary(..)
                    | Op::Binary(..)
                    | Op::Compare(..)
                    | Op::Fma(..)
                    | Op::Select(..)
                    | Op::Cast(_)
            )
        };
        let count = legal.blocks.iter().flatten().filter(|&&v| counts(&legal[v].op)).count();
        // Not the comparison of the index with the number of elements.
        Ok(count - 1)
    }

    /// Runs and compares; `progress` hears of each chunk's inputs.
    pub(crate) fn run(&self, set: Set, progress: &dyn Fn(u64)) -> Result<Outcome, MeasureError> {
        let count = self.count(set);
        let chunk = CHUNK.min(count);
        let dtype = self.format.dtype;
        let program = self.device.load(&self.kernel, &LoadOptions::default())?;
        let result = self.device.alloc(dtype, chunk)?;
        let operands = (0..self.function.operands())
            .map(|_| self.device.alloc(dtype, chunk))
            .collect::<Result<Vec<_>, _>>()?;
        let mut args: Vec<LaunchArg> = operands.iter().map(LaunchArg::Buffer).collect();
        args.push(LaunchArg::Buffer(&result));
        args.push(LaunchArg::Scalar(DType::U32, chunk));
        self.device.fill(&result, 0xa5)?;
        let evaluate = |start: u64| -> Result<Vec<u8>, MeasureError> {
            for (j, memory) in operands.iter().enumerate() {
                self.device.write(memory, &self.bytes(set, start..start + chunk, j))?;
            }
            self.device.launch(&program, &args)?;
            Ok(self.device.read(&result)?)
        };
        let mut outcome = Outcome::default();
        let mut bytes = evaluate(0)?;
        // Every count is a power of two, so chunks are whole. One is compared while the next is evaluated.
        for start in (0..count).step_by(chunk as usize) {
            let next = start + chunk;
            let (part, ahead) = rayon::join(
                || self.compare(set, start, &bytes),
                || if next < count { evaluate(next) } else { Ok(Vec::new()) },
            );
            outcome = outcome.merge(part);
            bytes = ahead?;
            progress(chunk);
        }
        Ok(outcome)
    }

    /// Bits of a 16-bit operand lie in the upper half of a hashed word.
    fn operand(&self, input: Input, j: usize) -> u32 {
        match (self.format.dtype, self.inputs()) {
            (DType::F32, _) | (_, Inputs::Bits(_)) => input.operands[j],
            (_, Inputs::Hashed(_)) => input.operands[j] >> 16,
        }
    }

    /// Bytes of one number.
    fn width(&self) -> usize {
        if self.format.dtype == DType::F32 { 4 } else { 2 }
    }

    /// Operand `j` of the inputs in the range.
    fn bytes(&self, set: Set, range: Range<u64>, j: usize) -> Vec<u8> {
        let width = self.width();
        let mut bytes = vec![0; (range.end - range.start) as usize * width];
        let tasks = bytes.par_chunks_mut(TASK * width).enumerate();
        tasks.for_each(|(task, bytes)| {
            let first = range.start + (task * TASK) as u64;
            for (index, bytes) in (first..).zip(bytes.chunks_exact_mut(width)) {
                let bits = self.operand(input(self.inputs(), set, index), j).to_le_bytes();
                bytes.copy_from_slice(&bits[..width]);
            }
        });
        bytes
    }

    /// Compares the results of the inputs from `start` on.
    fn compare(&self, set: Set, start: u64, bytes: &[u8]) -> Outcome {
        let width = self.width();
        let one = |(task, bytes): (usize, &[u8])| {
            let first = start + (task * TASK) as u64;
            let mut outcome = Outcome::default();
            for (index, result) in (first..).zip(bytes.chunks_exact(width)) {
                let mut word = [0; 4];
                word[..width].copy_from_slice(result);
                let input = input(self.inputs(), set, index);
                self.add(&mut outcome, input, u32::from_le_bytes(word));
            }
            outcome
        };
        let tasks = bytes.par_chunks(TASK * width).enumerate();
        tasks.map(one).reduce(Outcome::default, Outcome::merge)
    }

    fn add(&self, outcome: &mut Outcome, input: Input, bits: u32) {
        let operands = [0, 1, 2].map(|j| self.operand(input, j));
        let verdict = judge(self.format, self.format.decode(bits), self.truth(operands));
        outcome.inputs += 1;
        outcome.hash = outcome.hash.wrapping_add(mix(input.number, self.format.canonical(bits)));
        match verdict {
            Verdict::Rounded => {}
            Verdict::Off(ulp) => {
                outcome.not_rounded += 1;
                if ulp > outcome.max_ulp {
                    (outcome.max_ulp, outcome.at) = (ulp, operands);
                }
            }
            Verdict::Fault => {
                outcome.faults += 1;
                outcome.fault_at = operands;
            }
        }
    }

    fn truth(&self, operands: [u32; 3]) -> f64 {
        let number = |j: usize| {
            let x = self.format.decode(operands[j]);
            let subnormal = x.abs() < libm::scalbn(1.0, -126);
            let flushed = self.function.flushed.get(j).copied().unwrap_or(false);
            if flushed && subnormal { 0f64.copysign(x) } else { x }
        };
        match self.function.truth {
            Truth::One(f) => f(number(0)),
            Truth::Two(f) => f(number(0), number(1)),
            Truth::Three(f) => f(number(0), number(1), number(2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(format: Format, got: f64, truth: f64) -> f64 {
        match judge(format, got, truth) {
            Verdict::Rounded => 0.0,
            Verdict::Off(ulp) => ulp,
            Verdict::Fault => f64::INFINITY,
        }
    }

    #[test]
    fn units_and_faults() {
        let f = Format::of(DType::F32);
        let eps = f64::from(f32::EPSILON);
        assert_eq!(off(f, 1.0 + eps, 1.0), 1.0);
        assert_eq!(off(f, 1.0 - eps, 1.0 - 0.5 * eps), 1.0);
        assert_eq!(off(f, f64::NAN, 1.0), f64::INFINITY);
        assert_eq!(off(f, 0.0, f64::NAN), f64::INFINITY);
        assert_eq!(off(f, -0.0, 0.0), f64::INFINITY);
        assert_eq!(off(f, 0.0, 2e-38), f64::INFINITY);
        assert_eq!(off(f, 0.0, 1e-38), 0.0);
        assert_eq!(off(f, -0.0, 1e-38), f64::INFINITY);
        assert_eq!(off(f, 1.0, f64::INFINITY), f64::INFINITY);
        // 2^128 - 2^104 is the largest f32; half a unit above it the infinities begin.
        let huge = 2f64.powi(128);
        assert_eq!(off(f, f64::INFINITY, huge - 0.75 * 2f64.powi(104)), 0.75);
        assert_eq!(off(f, f64::from(f32::MAX), huge), 1.0);
        // f16 keeps its subnormals.
        let h = Format::of(DType::F16);
        assert_eq!(off(h, 0.0, 2f64.powi(-24)), 1.0);
        assert_eq!(off(h, 0.0, 2f64.powi(-14)), f64::INFINITY);
    }

    /// f64 to f16 by way of f32 would round twice.
    #[test]
    fn rounding_is_to_nearest_even_at_once() {
        let h = Format::of(DType::F16);
        let tie = 1.0 + 2f64.powi(-11);
        assert_eq!(h.round(tie), 1.0);
        assert_eq!(h.round(tie + 2f64.powi(-40)), 1.0 + 2f64.powi(-10));
        assert_eq!(h.round(65519.0), 65504.0);
        assert_eq!(h.round(-65520.0), f64::NEG_INFINITY);
        assert_eq!(h.round(2f64.powi(-25)), 0.0);
        assert_eq!(h.round(1.5 * 2f64.powi(-25)), 2f64.powi(-24));
        let f = Format::of(DType::F32);
        for x in [1.1, -3e-45, 1e-39, 3.402_823_5e38, 3.5e38, 0.1 + 0.2] {
            assert_eq!(f.round(x), f64::from(x as f32), "{x}");
        }
    }

    #[test]
    fn a_sample_takes_one_input_of_each_stratum() {
        for k in [0, 1, 77, SAMPLE - 1] {
            let number = input(Inputs::Bits(1 << 32), Set::Sample, k).number;
            assert_eq!(number >> 12, k);
        }
    }
}
