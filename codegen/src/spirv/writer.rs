//! One kernel at a time: its registers, and the walk over its instructions.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    assembler::{Assembler, Id, Repr, Ty},
    flow::Frame,
    memory::{Fields, Storage},
    module::{Addressing, Module},
};
use crate::{
    facts::{Facts, Lanes},
    known::{Seen, foreseen},
};
use evenweave_lang::{
    dtype::DType,
    ir::{Kernel, Op, Type, Value},
};
use rspirv::spirv::{self, Capability, ExecutionMode};

/// What an instruction has become.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// It has no value, or has not been visited.
    None,
    /// A register.
    One(Id),
    /// A 64-bit number of the launch, as its two words: joined where it is used as one.
    Words(Id, Id),
    /// The elements of a vector.
    Many(Vec<Id>),
}

pub(super) struct Writer<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) facts: &'k Facts,
    pub(super) a: Assembler,
    /// Which floats show their bits as they are.
    pub(super) seen: Seen,
    /// Which values a driver may work out before the launch.
    pub(super) foreseen: Vec<bool>,
    pub(super) values: Vec<Val>,
    /// The variable of each register.
    pub(super) vars: Vec<Id>,
    pub(super) storage: Storage,
    pub(super) fields: Fields,
    /// The loops and scopes around the place of writing.
    pub(super) frames: Vec<Frame>,
    /// Whether the open block has ended.
    pub(super) ended: bool,
    /// Whether lanes move natively.
    pub(super) moves: bool,
    /// The memory through which values move between lanes, where they do not move natively.
    pub(super) mail: Option<Id>,
    /// Lanes of a subgroup of the kernel.
    pub(super) lanes: u32,
}

/// The module of a kernel that was legalised for the same facts.
pub fn write(kernel: &Kernel, facts: &Facts, addressing: Addressing) -> Module {
    let mut a = Assembler::new(addressing.by_address());
    let moves = uses_lanes(kernel);
    let storage = Storage::new(&mut a, kernel, facts, addressing);
    let fields = Fields::new(&mut a, kernel, &storage);
    let mut w = Writer {
        kernel,
        facts,
        a,
        seen: Seen::of(kernel),
        foreseen: foreseen(kernel),
        values: vec![Val::None; kernel.insts.len()],
        vars: Vec::new(),
        storage,
        fields,
        frames: Vec::new(),
        ended: false,
        moves,
        mail: None,
        lanes: kernel.lanes,
    };
    w.declare();
    w.find_buffers();
    w.block(kernel.body);
    let invocations = kernel.group_threads();
    w.modes(invocations);
    let (buffers, fields) = w.close();
    let dtypes = kernel.params.iter().map(|p| p.kind.dtype()).collect();
    let full_subgroups = w.moves_natively();
    Module { words: w.a.finish(), invocations, full_subgroups, buffers, addressing, fields, dtypes }
}

/// Whether the kernel moves values between lanes.
fn uses_lanes(kernel: &Kernel) -> bool {
    kernel
        .blocks
        .iter()
        .flatten()
        .any(|&v| matches!(kernel[v].op, Op::Shuffle(..) | Op::Vote(..) | Op::Reduce(..)))
}

/// The kind of register of a value dtype.
pub(super) fn repr(dtype: DType) -> Repr {
    match dtype {
        DType::Bool => Repr::Bool,
        DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::F16
        | DType::BF16
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0 => Repr::Word,
        DType::I64 | DType::U64 => Repr::Wide,
        DType::F32 => Repr::F32,
        DType::F64 => Repr::F64,
    }
}

impl Writer<'_> {
    fn declare(&mut self) {
        for var in &self.kernel.vars {
            let ty = self.a.value_ty(repr(var.dtype));
            let id = self.a.local(ty);
            self.a.name(id, &var.name);
            self.vars.push(id);
        }
    }

    fn modes(&mut self, invocations: u32) {
        let controls = self.facts.controls;
        self.a.mode(ExecutionMode::LocalSize, &[invocations, 1, 1]);
        let doubles = self.kernel.insts.iter().any(|i| i.ty.dtype() == Some(DType::F64));
        let wanted = [
            (controls.rte32, Capability::RoundingModeRTE, ExecutionMode::RoundingModeRTE, 32),
            (
                controls.rte64 && doubles,
                Capability::RoundingModeRTE,
                ExecutionMode::RoundingModeRTE,
                64,
            ),
            (
                controls.nan32,
                Capability::SignedZeroInfNanPreserve,
                ExecutionMode::SignedZeroInfNanPreserve,
                32,
            ),
            (
                controls.nan64 && doubles,
                Capability::SignedZeroInfNanPreserve,
                ExecutionMode::SignedZeroInfNanPreserve,
                64,
            ),
            (controls.denorm32, Capability::DenormPreserve, ExecutionMode::DenormPreserve, 32),
            (
                controls.denorm64 && doubles,
                Capability::DenormPreserve,
                ExecutionMode::DenormPreserve,
                64,
            ),
        ];
        for (on, capability, mode, width) in wanted {
            if on {
                self.a.capability(capability);
                self.a.mode(mode, &[width]);
            }
        }
        if controls.uniform_flow && self.moves_natively() {
            self.a.extension("SPV_KHR_subgroup_uniform_control_flow");
            self.a.mode(ExecutionMode::SubgroupUniformControlFlowKHR, &[]);
        }
    }

    /// Lanes of the hardware's subgroup, where it is known.
    pub(super) fn native_lanes(&self) -> u32 {
        match self.facts.lanes {
            Lanes::Fixed(lanes) => lanes.max(self.lanes),
            Lanes::Unknown => self.lanes,
        }
    }

    pub(super) fn dtype(&self, v: Value) -> DType {
        self.kernel[v].ty.dtype().expect("an operand has a value")
    }

    /// The register of a scalar.
    pub(super) fn get(&mut self, v: Value) -> Id {
        match self.values[v.index()] {
            Val::One(id) => id,
            Val::Words(low, high) => self.join(low, high),
            Val::None | Val::Many(_) => unreachable!("verify: operands are scalars defined above"),
        }
    }

    /// The elements of a vector, or a scalar as its only one.
    pub(super) fn elements(&mut self, v: Value) -> Vec<Id> {
        match &self.values[v.index()] {
            Val::Many(ids) => ids.clone(),
            Val::None | Val::One(_) | Val::Words(..) => vec![self.get(v)],
        }
    }

    /// 64 bits of two words.
    pub(super) fn join(&mut self, low: Id, high: Id) -> Id {
        let pair_ty = self.a.ty(Ty::Vector(Repr::Word, 2));
        let pair = self.a.op(spirv::Op::CompositeConstruct, pair_ty, &[low, high]);
        self.a.value(spirv::Op::Bitcast, Repr::Wide, &[pair])
    }

    /// The two words of 64 bits.
    pub(super) fn part(&mut self, x: Id) -> [Id; 2] {
        let pair_ty = self.a.ty(Ty::Vector(Repr::Word, 2));
        let pair = self.a.op(spirv::Op::Bitcast, pair_ty, &[x]);
        [0, 1].map(|i| self.a.value(spirv::Op::CompositeExtract, Repr::Word, &[pair, i]))
    }

    /// Writes one instruction that is no control flow.
    pub(super) fn leaf(&mut self, v: Value) {
        let inst = &self.kernel[v];
        let value = match &inst.op {
            Op::Const(c) => {
                let dtype = inst.ty.dtype().expect("a constant has a value");
                if repr(dtype) == Repr::Wide && !self.facts.features.int64 {
                    let [low, high] = [c.bits, c.bits >> 32].map(|w| self.a.number(w as u32));
                    Val::Words(low, high)
                } else {
                    Val::One(self.constant(dtype, c.bits))
                }
            }
            &Op::Id(id) => Val::One(self.place(id)),
            &Op::Scalar(p) => self.scalar(p),
            &Op::Length(p) => self.length(p),
            &Op::Extent(p, axis) => self.extent(p, axis),
            &Op::Stride(p, axis) => self.stride(p, axis),
            &Op::Offset(p) => self.offset(p),
            &Op::Unary(op, x) => Val::One(self.unary(op, x)),
            &Op::Binary(op, x, y) => self.binary_or_word(op, x, y),
            &Op::Compare(op, x, y) => Val::One(self.compare(op, x, y)),
            &Op::Fma(x, y, z) => Val::One(self.fma(x, y, z)),
            &Op::Select(c, x, y) => Val::One(self.select(c, x, y)),
            &Op::Cast(x) => Val::One(self.cast(x, self.dtype(v))),
            &Op::Bitcast(x) => Val::One(self.bitcast(v, x)),
            &Op::Load(place, index) => self.load(place, index, inst.ty),
            &Op::Store(place, index, value) => {
                self.store(place, index, value);
                Val::None
            }
            Op::Pack(all) => Val::Many(all.iter().map(|&x| self.get(x)).collect()),
            &Op::Extract(x, at) => match &self.values[x.index()] {
                Val::Many(ids) => Val::One(ids[usize::from(at)]),
                Val::None | Val::One(_) | Val::Words(..) => {
                    unreachable!("verify: elements are of vectors")
                }
            },
            &Op::Get(var) => {
                let repr = repr(self.kernel.vars[var.index()].dtype);
                let var = self.vars[var.index()];
                Val::One(self.a.value(spirv::Op::Load, repr, &[var]))
            }
            &Op::Set(var, x) => {
                let operands = [self.vars[var.index()], self.get(x)];
                self.a.effect(spirv::Op::Store, &operands);
                Val::None
            }
            &Op::Atomic(op, place, index, x) => Val::One(self.atomic(op, place, index, x)),
            &Op::CompareExchange { at, index, expected, value } => {
                Val::One(self.compare_exchange(at, index, expected, value))
            }
            Op::Barrier => {
                self.barrier();
                Val::None
            }
            &Op::Shuffle(op, x, lane) => Val::One(self.shuffle(op, x, lane)),
            &Op::Vote(op, x) => Val::One(self.vote(op, x)),
            Op::Reduce(..) => unreachable!("legalize: reductions are shuffles"),
            Op::Matrix(..) | Op::Wide { .. } => {
                unreachable!("legalize: products of matrices are shuffles and sums")
            }
            &Op::GroupBroadcast(x) => Val::One(self.group_broadcast(x)),
            // The CPU device is the one that can.
            Op::Assert(..) | Op::Print(..) => Val::None,
            Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return => unreachable!("`block` writes control flow"),
        };
        self.values[v.index()] = value;
    }

    /// A constant of a value dtype from its bits, in the form of its register.
    pub(super) fn constant(&mut self, dtype: DType, bits: u64) -> Id {
        let bits = match dtype {
            DType::I8 => u64::from(bits as u8 as i8 as i32 as u32),
            DType::I16 => u64::from(bits as u16 as i16 as i32 as u32),
            DType::Bool
            | DType::I4
            | DType::U4
            | DType::U8
            | DType::U16
            | DType::I32
            | DType::U32
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0
            | DType::F16
            | DType::BF16
            | DType::F32
            | DType::F64 => bits,
        };
        self.a.constant(repr(dtype), bits)
    }

    /// The type of a value's elements and how many there are.
    pub(super) fn shape(ty: Type) -> (DType, u32) {
        match ty {
            Type::Scalar(dtype) => (dtype, 1),
            Type::Vector(dtype, elems) => (dtype, elems.into()),
            Type::Unit => unreachable!("verify: loads and stores are of values"),
        }
    }
}
