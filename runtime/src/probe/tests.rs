//! The probe against the CPU device, which is right, and against liars, each of which is wrong in one way.

use super::*;
use crate::{
    cpu::Cpu,
    device::{DeviceInfo, LaunchArg, Memory, Program},
};
use evenweave_lang::{
    dtype::DType,
    ir::{Const, Inst, Kernel, Op, Type, Value},
    ops::{BinaryOp, CompareOp, ShuffleOp, UnaryOp},
};

#[test]
fn the_cpu_device_is_right() {
    let probed = measure(&Cpu::new()).unwrap();
    assert_eq!(probed.witnesses, []);
    assert_eq!(probed.holds, FactSet::ALL);
}

#[test]
fn every_fact_is_shown_by_some_part() {
    let shown: Vec<Fact> = parts(Facts::IDEAL.features).into_iter().flat_map(|p| p.facts).collect();
    for fact in Fact::ALL {
        assert!(shown.contains(fact), "{}", fact.name());
    }
}

#[test]
fn a_device_is_refused_for_what_nothing_replaces() {
    for &fact in Fact::ALL {
        assert_eq!(is_needed(fact), fact.otherwise() == "the device is refused", "{}", fact.name());
    }
}

/// What a liar does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// `fma` of f32 rounds its product.
    FmaRoundsTwice,
    /// f32 + - * flush their results.
    Flushes,
    /// A product that is narrowed to f16 is rounded once.
    NarrowsFused,
    /// A sum of a product is rounded once.
    Contracts,
    /// f32 quotients are products with reciprocals.
    DivReciprocal,
    /// `a < b` of f32 that is negated is `a >= b`.
    NotLessIsGreaterEqual,
    /// `shuffle_xor` by 4 goes to lane xor 2.
    ShuffleXorMissesFour,
    /// The first two words of `a` change places in products of matrices.
    MatrixWordsSwap,
    /// The same in those with shared memory.
    WideWordsSwap,
    /// f64 to f32 goes by way of truncation to 32 bits of significand.
    DoubleNarrowTwice,
}

/// The CPU device, but for a lie.
struct Liar {
    cpu: Cpu,
    lie: Lie,
}

impl Device for Liar {
    fn info(&self) -> &DeviceInfo {
        self.cpu.info()
    }
    fn facts(&self) -> Option<Facts> {
        None
    }
    fn alloc(&self, dtype: DType, elems: u64) -> Result<Memory, DeviceError> {
        self.cpu.alloc(dtype, elems)
    }
    fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), DeviceError> {
        self.cpu.write(memory, bytes)
    }
    fn read(&self, memory: &Memory) -> Result<Vec<u8>, DeviceError> {
        self.cpu.read(memory)
    }
    fn fill(&self, memory: &Memory, byte: u8) -> Result<(), DeviceError> {
        self.cpu.fill(memory, byte)
    }
    fn load(&self, kernel: &Kernel, options: &LoadOptions) -> Result<Program, DeviceError> {
        self.cpu.load(&told(kernel, self.lie), options)
    }
    fn artifact(&self, program: &Program) -> Result<String, DeviceError> {
        self.cpu.artifact(program)
    }
    fn launch(&self, program: &Program, args: &[LaunchArg]) -> Result<(), DeviceError> {
        self.cpu.launch(program, args)
    }
}

const BOOL: Type = Type::Scalar(DType::Bool);
const U32: Type = Type::Scalar(DType::U32);
const U64: Type = Type::Scalar(DType::U64);
const F32: Type = Type::Scalar(DType::F32);
const F64: Type = Type::Scalar(DType::F64);

/// The kernel with the lie in it.
fn told(kernel: &Kernel, lie: Lie) -> Kernel {
    let mut new = kernel.clone();
    for block in 0..new.blocks.len() {
        for v in std::mem::take(&mut new.blocks[block]) {
            tell(&mut new, block, v, lie);
            new.blocks[block].push(v);
        }
    }
    new.compact()
}

/// Puts what `v` needs before it, and makes `v` the lie.
fn tell(kernel: &mut Kernel, block: usize, v: Value, lie: Lie) {
    let Inst { op, ty, loc } = kernel[v].clone();
    let old = kernel.clone();
    let mut push = |op, ty| {
        kernel.insts.push(Inst { op, ty, loc });
        let v = Value::at(kernel.insts.len() - 1);
        kernel.blocks[block].push(v);
        v
    };
    let product = |v: Value| match old[v].op {
        Op::Binary(BinaryOp::Mul, a, b) if old[v].ty == F32 => Some((a, b)),
        _ => None,
    };
    let new = match (lie, op.clone()) {
        (Lie::FmaRoundsTwice, Op::Fma(a, b, c)) if ty == F32 => {
            Op::Binary(BinaryOp::Add, push(Op::Binary(BinaryOp::Mul, a, b), F32), c)
        }
        (Lie::Flushes, Op::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b))
            if ty == F32 =>
        {
            let mut number = |bits| push(Op::Const(Const { bits }), U32);
            let (exponent, sign, zero) = (number(0x7f80_0000), number(0x8000_0000), number(0));
            let bits = push(Op::Binary(op, a, b), F32);
            let bits = push(Op::Bitcast(bits), U32);
            let exponent = push(Op::Binary(BinaryOp::And, bits, exponent), U32);
            let sign = push(Op::Binary(BinaryOp::And, bits, sign), U32);
            let is_small = push(Op::Compare(CompareOp::Eq, exponent, zero), BOOL);
            Op::Bitcast(push(Op::Select(is_small, sign, bits), U32))
        }
        (Lie::NarrowsFused, Op::Cast(x)) if ty == Type::Scalar(DType::F16) => match product(x) {
            // The product of two f32 is exact in f64.
            Some((a, b)) => {
                let [a, b] = [a, b].map(|v| push(Op::Cast(v), F64));
                Op::Cast(push(Op::Binary(BinaryOp::Mul, a, b), F64))
            }
            None => op,
        },
        (Lie::Contracts, Op::Binary(BinaryOp::Add, x, c)) if ty == F32 => match product(x) {
            Some((a, b)) => Op::Fma(a, b, c),
            None => op,
        },
        (Lie::DivReciprocal, Op::Binary(BinaryOp::Div, a, b)) if ty == F32 => {
            Op::Binary(BinaryOp::Mul, a, push(Op::Unary(UnaryOp::Recip, b), F32))
        }
        (Lie::NotLessIsGreaterEqual, Op::Unary(UnaryOp::Not, x)) => match old[x].op {
            Op::Compare(CompareOp::Lt, a, b) if old[a].ty == F32 => {
                Op::Compare(CompareOp::Ge, a, b)
            }
            _ => op,
        },
        (Lie::ShuffleXorMissesFour, Op::Shuffle(ShuffleOp::Xor, a, mask)) => {
            let [four, two] = [4, 2].map(|bits| push(Op::Const(Const { bits }), U32));
            let is_four = push(Op::Compare(CompareOp::Eq, mask, four), BOOL);
            Op::Shuffle(ShuffleOp::Xor, a, push(Op::Select(is_four, two, mask), U32))
        }
        (Lie::MatrixWordsSwap, Op::Matrix(atom, mut all)) => {
            all.swap(0, 1);
            Op::Matrix(atom, all)
        }
        (Lie::WideWordsSwap, Op::Wide { wide, sums, tile, mut words }) => {
            words.swap(0, 1);
            Op::Wide { wide, sums, tile, words }
        }
        (Lie::DoubleNarrowTwice, Op::Cast(x)) if ty == F32 && old[x].ty == F64 => {
            let bits = push(Op::Bitcast(x), U64);
            let mask = push(Op::Const(Const { bits: !0xfff }), U64);
            let few = push(Op::Binary(BinaryOp::And, bits, mask), U64);
            Op::Cast(push(Op::Bitcast(few), F64))
        }
        (_, op) => op,
    };
    kernel.insts[v.index()].op = new;
}

#[test]
fn each_lie_clears_its_own_fact() {
    for (lie, fact) in [
        (Lie::FmaRoundsTwice, Fact::Fma),
        (Lie::Flushes, Fact::Subnormals),
        (Lie::NarrowsFused, Fact::NarrowAlone),
        (Lie::Contracts, Fact::Uncontracted),
        (Lie::DivReciprocal, Fact::Div),
        (Lie::NotLessIsGreaterEqual, Fact::Compares),
        (Lie::ShuffleXorMissesFour, Fact::Shuffles),
        (Lie::MatrixWordsSwap, Fact::Matrices),
        (Lie::WideWordsSwap, Fact::WideMatrices),
        (Lie::DoubleNarrowTwice, Fact::DoubleNarrow),
    ] {
        let probed = measure(&Liar { cpu: Cpu::new(), lie }).unwrap();
        assert_eq!(probed.holds, FactSet::ALL.with(fact, false), "{lie:?}: {:?}", probed.witnesses);
        let [(cleared, witness)] = &probed.witnesses[..] else { panic!("one fact, one witness") };
        assert!(*cleared == fact && witness.contains("gave 0x"), "{witness}");
        assert_eq!(probed.refusal().is_some(), is_needed(fact), "{lie:?}");
    }
}
