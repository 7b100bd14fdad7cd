//! From a legal kernel to register code.
//!
//! Invariants
//! - The kernel holds what `legalize` leaves for the CPU; anything else is an error of this program.
//! - A register's slot is its own for the whole group; a `Get` names it directly where no `Set` comes before the
//!   value's last use, and copies it otherwise.
#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    lifetime::{Lifetimes, parts},
    program::{Code, Compiled, Inst, LaunchValue, Node, ScalarOp, Slot, Target, Update},
};
use evenweave_lang::{
    dtype::DType,
    ir::{Block, Control, Kernel, Op, Param, Place, Space, Type, Value},
    ops::IdOp,
    uniform::{Uniform, Uniformity},
};

/// Compiles a legal kernel.
pub(super) fn compile(kernel: &Kernel) -> Compiled {
    let mut c = Compiler {
        kernel,
        uniform: Uniformity::new(kernel),
        lives: Lifetimes::new(kernel),
        slots: vec![Vec::new(); kernel.insts.len()],
        vars: Vec::new(),
        invariant: vec![false; kernel.insts.len()],
        once: Vec::new(),
        run: Vec::new(),
        scalars: 0,
        narrow: Lanes::default(),
        wide: Lanes::default(),
        exits: vec![usize::MAX; kernel.insts.len()],
        exit_count: 0,
    };
    c.vars = (0..kernel.vars.len())
        .map(|i| {
            let var = evenweave_lang::ir::Var::at(i);
            let group = c.uniform.var(var) == Uniform::Group;
            if group { c.scalar() } else { c.lanes(kernel.vars[i].dtype) }
        })
        .collect();
    (c.narrow.reserved, c.wide.reserved) = (c.narrow.count, c.wide.count);
    let body = c.block(kernel.body);
    Compiled {
        once: c.once,
        body,
        scalars: c.scalars as usize,
        narrow: c.narrow.count as usize,
        wide: c.wide.count as usize,
        vars: c.vars,
        exits: c.exit_count,
        kernel: kernel.clone(),
    }
}

/// Slots of lanes of one width.
#[derive(Default)]
struct Lanes {
    count: u32,
    /// Registers have the slots below this number.
    reserved: u32,
    free: Vec<u32>,
}

impl Lanes {
    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }

    fn give(&mut self, slot: u32) {
        if slot >= self.reserved {
            self.free.push(slot);
        }
    }
}

struct Compiler<'a> {
    kernel: &'a Kernel,
    uniform: Uniformity,
    lives: Lifetimes,
    /// By value: the slot of each element.
    slots: Vec<Vec<Slot>>,
    vars: Vec<Slot>,
    /// By value: whether it depends on the launch alone.
    invariant: Vec<bool>,
    once: Vec<Inst>,
    run: Vec<Inst>,
    scalars: u32,
    narrow: Lanes,
    wide: Lanes,
    exits: Vec<usize>,
    exit_count: usize,
}

impl Compiler<'_> {
    fn scalar(&mut self) -> Slot {
        self.scalars += 1;
        Slot::Scalar(self.scalars - 1)
    }

    fn lanes(&mut self, dtype: DType) -> Slot {
        match dtype.bits() {
            64 => Slot::Wide(self.wide.take()),
            _ => Slot::Narrow(self.narrow.take()),
        }
    }

    fn free(&mut self, slot: Slot) {
        match slot {
            Slot::Scalar(_) => {}
            Slot::Narrow(slot) => self.narrow.give(slot),
            Slot::Wide(slot) => self.wide.give(slot),
        }
    }

    fn free_ending(&mut self, position: u32) {
        for part in self.lives.ending_at(position).to_vec() {
            if let Some(&slot) = self.slots[part.0.index()].get(usize::from(part.1)) {
                self.free(slot);
            }
        }
    }

    /// The slot of a scalar value.
    fn at(&self, v: Value) -> Slot {
        self.places(v)[0]
    }

    /// The slots of a value's elements.
    fn places(&self, v: Value) -> Box<[Slot]> {
        parts(self.kernel, v).iter().map(|&(v, i)| self.slots[v.index()][usize::from(i)]).collect()
    }

    fn dtype(&self, v: Value) -> DType {
        self.kernel[v].ty.dtype().expect("operands have a dtype")
    }

    /// Slots for the elements of an instruction's value.
    fn define(&mut self, v: Value) -> Box<[Slot]> {
        let (dtype, width) = match self.kernel[v].ty {
            Type::Unit => return Box::default(),
            Type::Scalar(dtype) => (dtype, 1),
            Type::Vector(dtype, width) => (dtype, width),
        };
        let group = self.uniform.value(v) == Uniform::Group;
        let slots: Vec<Slot> =
            (0..width).map(|_| if group { self.scalar() } else { self.lanes(dtype) }).collect();
        self.slots[v.index()] = slots.clone();
        slots.into()
    }

    fn emit(&mut self, at: Value, code: Code) {
        self.run.push(Inst { at, code });
    }

    /// Emits code for a value that may be one word of the group though the operation works on lanes: it then
    /// goes through a slot of lanes.
    fn emit_lanes(&mut self, at: Value, code: impl FnOnce(Slot) -> Code) {
        let dst = self.define(at)[0];
        match dst {
            Slot::Scalar(_) => {
                let lanes = self.lanes(self.dtype(at));
                self.emit(at, code(lanes));
                self.emit(at, Code::Copy { dst, src: lanes });
                self.free(lanes);
            }
            Slot::Narrow(_) | Slot::Wide(_) => self.emit(at, code(dst)),
        }
    }

    /// Emits a pure operation: on words where all operands and the result are, else on lanes.
    fn emit_pure(
        &mut self,
        at: Value,
        operands: &[Value],
        scalar: impl FnOnce(&[u32]) -> ScalarOp,
        lanes: impl FnOnce(Slot, &[Slot]) -> Code,
    ) {
        let slots: Vec<Slot> = operands.iter().map(|&v| self.at(v)).collect();
        let words: Option<Vec<u32>> = slots
            .iter()
            .map(|slot| match slot {
                Slot::Scalar(word) => Some(*word),
                Slot::Narrow(_) | Slot::Wide(_) => None,
            })
            .collect();
        match words {
            Some(words) if self.uniform.value(at) == Uniform::Group => {
                let Slot::Scalar(dst) = self.define(at)[0] else {
                    unreachable!("a value of the group is a word")
                };
                let code = Code::Scalar(scalar(&words), dst);
                let pure = self.kernel[at].op.is_pure();
                if pure && operands.iter().all(|v| self.invariant[v.index()]) {
                    self.invariant[at.index()] = true;
                    self.once.push(Inst { at, code });
                } else {
                    self.emit(at, code);
                }
            }
            Some(_) | None => self.emit_lanes(at, |dst| lanes(dst, &slots)),
        }
    }

    fn emit_launch(&mut self, at: Value, value: LaunchValue) {
        let Slot::Scalar(dst) = self.define(at)[0] else {
            unreachable!("what the launch gives is one word")
        };
        self.invariant[at.index()] = true;
        self.once.push(Inst { at, code: Code::Launch(value, dst) });
    }

    fn target(&self, place: Place) -> Target {
        match place {
            Place::Param(p) => Target::Buffer(p.index() as u32),
            Place::Array(a) => match self.kernel.arrays[a.index()].space {
                Space::Shared => Target::Shared(a.index() as u32),
                Space::Private => Target::Private(a.index() as u32),
            },
        }
    }

    fn block(&mut self, block: Block) -> Vec<Node> {
        let kernel = self.kernel;
        let mut nodes = Vec::new();
        let outer = std::mem::take(&mut self.run);
        for &v in &kernel[block] {
            let Some(control) = kernel[v].op.control() else {
                self.leaf(v);
                self.free_ending(self.lives.position(v));
                continue;
            };
            if !self.run.is_empty() {
                nodes.push(Node::Run(std::mem::take(&mut self.run)));
            }
            let node = self.control(v, control);
            nodes.push(node);
        }
        let run = std::mem::replace(&mut self.run, outer);
        if !run.is_empty() {
            nodes.push(Node::Run(run));
        }
        nodes
    }

    fn new_exit(&mut self, v: Value) -> usize {
        self.exits[v.index()] = self.exit_count;
        self.exit_count += 1;
        self.exit_count - 1
    }

    fn control(&mut self, v: Value, control: Control) -> Node {
        let header = self.lives.position(v);
        match control {
            Control::If { cond, then, other } => {
                let cond = self.at(cond);
                self.free_ending(header);
                Node::If { cond, then: self.block(then), other: self.block(other) }
            }
            Control::For { start, end, step, body } => {
                let range = [start, end, step].map(|v| self.at(v));
                let index = self.define(v)[0];
                self.free_ending(header);
                let exit = self.new_exit(v);
                let dtype = self.dtype(start);
                let body = self.block(body);
                self.free_ending(self.lives.end(v));
                Node::For { at: v, exit, dtype, index, range, body }
            }
            Control::Loop { body } => {
                let exit = self.new_exit(v);
                let body = self.block(body);
                self.free_ending(self.lives.end(v));
                Node::Loop { at: v, exit, body }
            }
            Control::Scope { body } => {
                let exit = self.new_exit(v);
                Node::Scope { exit, body: self.block(body) }
            }
            Control::Break(target) => Node::Break(self.exits[target.index()]),
            Control::Continue(target) => Node::Continue(self.exits[target.index()]),
            Control::Return => Node::Return,
        }
    }

    fn leaf(&mut self, v: Value) {
        let kernel = self.kernel;
        let param = |p: &Param| p.index() as u32;
        match &kernel[v].op {
            Op::Const(c) => self.emit_launch(v, LaunchValue::Const(c.bits)),
            Op::Scalar(p) => self.emit_launch(v, LaunchValue::Scalar(param(p))),
            Op::Length(p) => self.emit_launch(v, LaunchValue::Length(param(p))),
            Op::Extent(p, axis) => self.emit_launch(v, LaunchValue::Extent(param(p), *axis)),
            Op::Stride(p, axis) => self.emit_launch(v, LaunchValue::Stride(param(p), *axis)),
            Op::Offset(p) => self.emit_launch(v, LaunchValue::Offset(param(p))),
            Op::Id(id) => self.id(v, *id),
            Op::Unary(op, a) => {
                let (op, dtype) = (*op, self.dtype(*a));
                let scalar = |w: &[u32]| ScalarOp::Unary(op, dtype, w[0]);
                self.emit_pure(v, &[*a], scalar, |dst, s| Code::Unary { op, dtype, dst, a: s[0] });
            }
            Op::Binary(op, a, b) => {
                let (op, dtype) = (*op, self.dtype(*a));
                let scalar = |w: &[u32]| ScalarOp::Binary(op, dtype, w[0], w[1]);
                self.emit_pure(v, &[*a, *b], scalar, |dst, s| Code::Binary {
                    op,
                    dtype,
                    dst,
                    a: s[0],
                    b: s[1],
                });
            }
            Op::Compare(op, a, b) => {
                let (op, dtype) = (*op, self.dtype(*a));
                let scalar = |w: &[u32]| ScalarOp::Compare(op, dtype, w[0], w[1]);
                self.emit_pure(v, &[*a, *b], scalar, |dst, s| Code::Compare {
                    op,
                    dtype,
                    dst,
                    a: s[0],
                    b: s[1],
                });
            }
            Op::Fma(a, b, c) => {
                let dtype = self.dtype(*a);
                let scalar = |w: &[u32]| ScalarOp::Fma(dtype, w[0], w[1], w[2]);
                self.emit_pure(v, &[*a, *b, *c], scalar, |dst, s| Code::Fma {
                    dst,
                    a: s[0],
                    b: s[1],
                    c: s[2],
                });
            }
            Op::Select(c, a, b) => {
                let scalar = |w: &[u32]| ScalarOp::Select(w[0], w[1], w[2]);
                self.emit_pure(v, &[*c, *a, *b], scalar, |dst, s| Code::Select {
                    dst,
                    cond: s[0],
                    a: s[1],
                    b: s[2],
                });
            }
            Op::Cast(a) => {
                let (from, to) = (self.dtype(*a), self.dtype(v));
                let scalar = |w: &[u32]| ScalarOp::Cast(from, to, w[0]);
                self.emit_pure(v, &[*a], scalar, |dst, s| Code::Cast { from, to, dst, a: s[0] });
            }
            Op::Bitcast(a) => {
                let (from, to) = (self.dtype(*a), self.dtype(v));
                let scalar = |w: &[u32]| ScalarOp::Bitcast(from, to, w[0]);
                self.emit_pure(v, &[*a], scalar, |dst, s| Code::Bitcast { from, dst, a: s[0] });
            }
            Op::Get(var) => self.get(v, *var),
            Op::Set(var, a) => {
                let (dst, part) = (self.vars[var.index()], parts(kernel, *a)[0]);
                let src = self.at(*a);
                let own = match src {
                    Slot::Scalar(_) => false,
                    Slot::Narrow(slot) => slot >= self.narrow.reserved,
                    Slot::Wide(slot) => slot >= self.wide.reserved,
                };
                let ends = own && self.lives.ends_by(part, self.lives.position(v));
                if src != dst {
                    self.emit(v, Code::Set { dst, src, ends });
                }
            }
            Op::Pack(_) | Op::Extract(..) => {}
            Op::Barrier => {}
            Op::Load(..)
            | Op::Store(..)
            | Op::Atomic(..)
            | Op::CompareExchange { .. }
            | Op::Shuffle(..)
            | Op::Vote(..)
            | Op::Reduce(..)
            | Op::Matrix(..)
            | Op::Wide { .. }
            | Op::GroupBroadcast(_)
            | Op::Assert(..)
            | Op::Print(..) => self.effect(v),
            Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return => unreachable!("`block` sends control flow elsewhere"),
        }
    }

    fn get(&mut self, v: Value, var: evenweave_lang::ir::Var) {
        let src = self.vars[var.index()];
        match src {
            Slot::Narrow(_) | Slot::Wide(_) if self.lives.is_stable(v, var) => {
                self.slots[v.index()] = vec![src];
            }
            Slot::Narrow(_) | Slot::Wide(_) | Slot::Scalar(_) => {
                let dst = self.define(v)[0];
                self.emit(v, Code::Copy { dst, src });
            }
        }
    }

    fn id(&mut self, v: Value, id: IdOp) {
        let launch = match id {
            IdOp::GroupSizeX => LaunchValue::GroupSize(0),
            IdOp::GroupSizeY => LaunchValue::GroupSize(1),
            IdOp::GroupSizeZ => LaunchValue::GroupSize(2),
            IdOp::GridX => LaunchValue::Grid(0),
            IdOp::GridY => LaunchValue::Grid(1),
            IdOp::GridZ => LaunchValue::Grid(2),
            IdOp::Subgroups => LaunchValue::Subgroups,
            IdOp::GroupX => return self.group_id(v, ScalarOp::Group(0)),
            IdOp::GroupY => return self.group_id(v, ScalarOp::Group(1)),
            IdOp::GroupZ => return self.group_id(v, ScalarOp::Group(2)),
            IdOp::GlobalX
            | IdOp::GlobalY
            | IdOp::GlobalZ
            | IdOp::LocalX
            | IdOp::LocalY
            | IdOp::LocalZ
            | IdOp::Thread
            | IdOp::Lane
            | IdOp::SubgroupId => return self.emit_lanes(v, |dst| Code::Id { id, dst }),
        };
        self.emit_launch(v, launch);
    }

    fn group_id(&mut self, v: Value, op: ScalarOp) {
        let Slot::Scalar(dst) = self.define(v)[0] else {
            unreachable!("what the group has is one word")
        };
        self.emit(v, Code::Scalar(op, dst));
    }

    fn effect(&mut self, v: Value) {
        let kernel = self.kernel;
        match &kernel[v].op {
            Op::Load(place, index) => {
                let (target, index) = (self.target(*place), self.at(*index));
                let dst = self.define(v);
                self.emit(v, Code::Load { target, dtype: kernel.place_dtype(*place), index, dst });
            }
            Op::Store(place, index, value) => {
                let (target, index) = (self.target(*place), self.at(*index));
                let src = self.places(*value);
                self.emit(v, Code::Store { target, dtype: kernel.place_dtype(*place), index, src });
            }
            Op::Atomic(op, place, index, value) => {
                let (target, index) = (self.target(*place), self.at(*index));
                let what =
                    Update::Combine { op: *op, dtype: self.dtype(*value), src: self.at(*value) };
                self.emit_lanes(v, |dst| Code::Update { what, target, index, dst });
            }
            Op::CompareExchange { at, index, expected, value } => {
                let (target, index) = (self.target(*at), self.at(*index));
                let what = Update::Exchange { expected: self.at(*expected), src: self.at(*value) };
                self.emit_lanes(v, |dst| Code::Update { what, target, index, dst });
            }
            Op::Shuffle(op, a, lane) => {
                let (op, a, lane) = (*op, self.at(*a), self.at(*lane));
                self.emit_lanes(v, |dst| Code::Shuffle { op, dst, a, lane });
            }
            Op::Vote(op, a) => {
                let (op, a) = (*op, self.at(*a));
                self.emit_lanes(v, |dst| Code::Vote { op, dst, a });
            }
            Op::Reduce(reach, op, a) => {
                let (reach, op, dtype, a) = (*reach, *op, self.dtype(*a), self.at(*a));
                self.emit_lanes(v, |dst| Code::Reduce { reach, op, dtype, dst, a });
            }
            Op::Matrix(atom, all) => {
                let src = all.iter().map(|&x| self.at(x)).collect();
                let dst = self.define(v);
                self.emit(v, Code::Matrix { atom: *atom, dst, src });
            }
            Op::Wide { wide, sums, tile, words } => {
                let src = words.iter().map(|&x| self.at(x)).collect();
                let [sums, tile] = [sums, tile].map(|a| a.index() as u32);
                self.emit(v, Code::Wide { wide: *wide, sums, tile, src });
            }
            Op::GroupBroadcast(a) => {
                let a = self.at(*a);
                let dst = self.define(v)[0];
                self.emit(v, Code::GroupBroadcast { dst, a });
            }
            Op::Assert(cond, text) => {
                let cond = self.at(*cond);
                self.emit(v, Code::Assert { cond, text: text.as_str().into() });
            }
            Op::Print(text, values) => {
                let values = values.iter().map(|&x| (self.dtype(x), self.at(x))).collect();
                self.emit(v, Code::Print { text: text.as_str().into(), values });
            }
            Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Fma(..)
            | Op::Select(..)
            | Op::Cast(_)
            | Op::Bitcast(_)
            | Op::Pack(_)
            | Op::Extract(..)
            | Op::Get(_)
            | Op::Set(..)
            | Op::Barrier
            | Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return => unreachable!("`leaf` sends effects here"),
        }
    }
}
