//! Devices that do one thing wrong, each as a driver is known to: what `diverge`, `fuzz` and `doctor` must find.
//!
//! Invariants
//! - A liar is the CPU device but for one operation, wherever that stands in the program it runs: sequences that
//!   legalisation makes are lied about too.

use evenweave::{Device, LoadOptions};
use evenweave_codegen::{Facts, Optimise, Target, prepare};
use evenweave_lang::{
    dtype::DType,
    ir::{Inst, Kernel, Op, Type, Value},
    ops::{BinaryOp, CompareOp, ShuffleOp},
};
use evenweave_runtime::{
    self as runtime, DeviceError, DeviceInfo, LaunchArg, Memory, OpenOptions, Program,
};

/// What is done wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// `fma` of f32 rounds its product.
    FmaRoundsTwice,
    /// A sum of f32 that is subnormal is zero.
    AddFlushes,
    /// `shuffle_xor` by 4 goes to lane xor 2.
    ShuffleXorMissesFour,
}

/// A device that does one thing wrong.
pub(crate) fn liar(lie: Lie) -> Device {
    liar_but(lie, |_| false)
}

/// A device that does one thing wrong, and not while it is probed.
pub(crate) fn sly(lie: Lie) -> Device {
    liar_but(lie, |kernel| kernel.name.starts_with("probe_"))
}

fn liar_but(lie: Lie, honest: fn(&Kernel) -> bool) -> Device {
    let raw =
        runtime::open("cpu", &OpenOptions::default()).expect("the CPU device is always there");
    let info = DeviceInfo { name: "liar".into(), ..raw.info().clone() };
    Device::of_raw(Box::new(Liar { raw, info, lie, honest }), LoadOptions::default())
}

struct Liar {
    raw: Box<dyn runtime::Device>,
    info: DeviceInfo,
    lie: Lie,
    /// The kernels that it runs as they are.
    honest: fn(&Kernel) -> bool,
}

impl runtime::Device for Liar {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn facts(&self) -> Option<Facts> {
        self.raw.facts()
    }

    fn alloc(&self, dtype: DType, elems: u64) -> Result<Memory, DeviceError> {
        self.raw.alloc(dtype, elems)
    }

    fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), DeviceError> {
        self.raw.write(memory, bytes)
    }

    fn read(&self, memory: &Memory) -> Result<Vec<u8>, DeviceError> {
        self.raw.read(memory)
    }

    fn fill(&self, memory: &Memory, byte: u8) -> Result<(), DeviceError> {
        self.raw.fill(memory, byte)
    }

    fn load(&self, kernel: &Kernel, options: &LoadOptions) -> Result<Program, DeviceError> {
        if (self.honest)(kernel) {
            return self.raw.load(kernel, options);
        }
        let legal = prepare(kernel, Target::Cpu, Optimise::No)?;
        self.raw.load(&told(&legal, self.lie), &LoadOptions { optimise: false, ..*options })
    }

    fn artifact(&self, program: &Program) -> Result<String, DeviceError> {
        self.raw.artifact(program)
    }

    fn launch(&self, program: &Program, args: &[LaunchArg<'_>]) -> Result<(), DeviceError> {
        self.raw.launch(program, args)
    }
}

const F32: Type = Type::Scalar(DType::F32);
const U32: Type = Type::Scalar(DType::U32);

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
    let mut push = |op, ty| {
        kernel.insts.push(Inst { op, ty, loc });
        let v = Value::at(kernel.insts.len() - 1);
        kernel.blocks[block].push(v);
        v
    };
    let mut number = |bits| push(Op::Const(evenweave_lang::ir::Const { bits }), U32);
    let new = match (lie, op) {
        (Lie::FmaRoundsTwice, Op::Fma(a, b, c)) if ty == F32 => {
            let product = push(Op::Binary(BinaryOp::Mul, a, b), F32);
            Op::Binary(BinaryOp::Add, product, c)
        }
        (Lie::AddFlushes, Op::Binary(BinaryOp::Add, a, b)) if ty == F32 => {
            let (exponent, sign, zero) = (number(0x7f80_0000), number(0x8000_0000), number(0));
            let sum = push(Op::Binary(BinaryOp::Add, a, b), F32);
            let bits = push(Op::Bitcast(sum), U32);
            let exponent = push(Op::Binary(BinaryOp::And, bits, exponent), U32);
            let sign = push(Op::Binary(BinaryOp::And, bits, sign), U32);
            let is_small =
                push(Op::Compare(CompareOp::Eq, exponent, zero), Type::Scalar(DType::Bool));
            Op::Bitcast(push(Op::Select(is_small, sign, bits), U32))
        }
        (Lie::ShuffleXorMissesFour, Op::Shuffle(ShuffleOp::Xor, a, mask)) => {
            let (four, two) = (number(4), number(2));
            let is_four = push(Op::Compare(CompareOp::Eq, mask, four), Type::Scalar(DType::Bool));
            Op::Shuffle(ShuffleOp::Xor, a, push(Op::Select(is_four, two, mask), U32))
        }
        (Lie::FmaRoundsTwice | Lie::AddFlushes | Lie::ShuffleXorMissesFour, op) => op,
    };
    kernel.insts[v.index()].op = new;
}
