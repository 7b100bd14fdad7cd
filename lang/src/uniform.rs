//! Uniformity: for each value and each place in a kernel, over how many threads it is surely the same.
//!
//! A value is uniform over a scope when all running threads of it hold the same bits; control flow is
//! uniform over a scope when either all its threads run here or none does.
//!
//! Invariants
//! - Sound: what is called uniform is so in every launch. Not complete: `x - x` counts as varying.
//! - Where flow parts, the instruction that parts it is known: the `if`, or the loop with the varying count.
//! - Threads that left a construct meet the others after it. A varying `Return` parts the rest of the kernel.
//!
//! The analysis runs to a fixpoint: registers and the bodies of loops only ever lose uniformity.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::{
    ir::*,
    ops::{IdOp, Reach, ShuffleOp},
};

/// The widest scope over which something is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Uniform {
    /// Threads may differ.
    Varying,
    /// The same for the 32 lanes of a subgroup.
    Subgroup,
    /// The same for all threads of the group.
    Group,
}

impl Uniform {
    /// The scope in words.
    pub const fn name(self) -> &'static str {
        match self {
            Uniform::Varying => "thread",
            Uniform::Subgroup => "subgroup",
            Uniform::Group => "group",
        }
    }
}

/// Control flow: for each scope, the instruction that parts its threads, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Flow {
    group: Option<Value>,
    subgroup: Option<Value>,
}

impl Flow {
    const TOGETHER: Flow = Flow { group: None, subgroup: None };

    /// Flow behind a decision at `at` on something that is `uniform`.
    fn parted(uniform: Uniform, at: Value) -> Flow {
        Flow {
            group: (uniform < Uniform::Group).then_some(at),
            subgroup: (uniform < Uniform::Subgroup).then_some(at),
        }
    }

    fn meet(self, other: Flow) -> Flow {
        Flow { group: self.group.or(other.group), subgroup: self.subgroup.or(other.subgroup) }
    }

    fn uniform(self) -> Uniform {
        match (self.group, self.subgroup) {
            (None, _) => Uniform::Group,
            (Some(_), None) => Uniform::Subgroup,
            (Some(_), Some(_)) => Uniform::Varying,
        }
    }
}

/// Where a jump goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Past the end of a loop or scope.
    Past(Value),
    /// To the next round of a loop.
    Next(Value),
    /// Out of the kernel.
    Out,
}

/// The jumps that leave a list of instructions: where to, and the flow in which they are taken.
type Jumps = Vec<(Target, Flow)>;

fn add_jump(jumps: &mut Jumps, target: Target, flow: Flow) {
    match jumps.iter_mut().find(|(to, _)| *to == target) {
        Some((_, known)) => *known = known.meet(flow),
        None => jumps.push((target, flow)),
    }
}

/// What is uniform in one kernel. The kernel must be well formed; values, blocks and registers are its own.
#[derive(Clone, Debug)]
pub struct Uniformity {
    values: Vec<Uniform>,
    vars: Vec<Uniform>,
    /// Flow at each instruction.
    at: Vec<Flow>,
    /// Flow at the head of each block; of a loop's body in any round.
    blocks: Vec<Flow>,
}

impl Uniformity {
    /// Analyses a kernel whose structure and types are right.
    pub fn new(kernel: &Kernel) -> Uniformity {
        let mut analysis = Analysis {
            kernel,
            known: Uniformity {
                values: vec![Uniform::Group; kernel.insts.len()],
                vars: vec![Uniform::Group; kernel.vars.len()],
                at: vec![Flow::TOGETHER; kernel.insts.len()],
                blocks: vec![Flow::TOGETHER; kernel.blocks.len()],
            },
            rounds: vec![Flow::TOGETHER; kernel.insts.len()],
            changed: true,
        };
        while std::mem::take(&mut analysis.changed) {
            analysis.block(kernel.body, Flow::TOGETHER);
        }
        analysis.known
    }

    /// Over how many threads a value is the same, among those that compute it together.
    pub fn value(&self, v: Value) -> Uniform {
        self.values[v.index()]
    }

    /// Over how many threads a register is the same wherever it is read.
    pub fn var(&self, v: Var) -> Uniform {
        self.vars[v.index()]
    }

    /// Over how many threads control flow is the same at an instruction.
    pub fn flow(&self, v: Value) -> Uniform {
        self.at[v.index()].uniform()
    }

    /// Over how many threads control flow is the same at the head of a block, in every round of a loop.
    pub fn block(&self, block: Block) -> Uniform {
        self.blocks[block.index()].uniform()
    }

    /// The `if` or loop that parts the threads of `scope` at an instruction; `None` where they are together.
    pub fn parts(&self, v: Value, scope: Uniform) -> Option<Value> {
        let flow = self.at[v.index()];
        match scope {
            Uniform::Varying => None,
            Uniform::Subgroup => flow.subgroup,
            Uniform::Group => flow.group,
        }
    }
}

struct Analysis<'a> {
    kernel: &'a Kernel,
    known: Uniformity,
    /// What the rounds of each loop do to the flow at the head of its body.
    rounds: Vec<Flow>,
    changed: bool,
}

impl Analysis<'_> {
    /// Walks a block that is entered with `flow`; the jumps that leave it.
    fn block(&mut self, block: Block, mut flow: Flow) -> Jumps {
        self.known.blocks[block.index()] = flow;
        let mut jumps = Jumps::new();
        let kernel = self.kernel;
        for &v in &kernel[block] {
            self.known.at[v.index()] = flow;
            let uniform = self.clamp(self.value(&kernel[v].op));
            let known = &mut self.known.values[v.index()];
            self.changed |= uniform < *known;
            *known = uniform.min(*known);
            for (target, taken) in self.jumps(v, flow) {
                flow = flow.meet(taken);
                add_jump(&mut jumps, target, taken);
            }
        }
        jumps
    }

    /// The effect of an instruction on registers and flow: the jumps that leave it.
    fn jumps(&mut self, v: Value, flow: Flow) -> Jumps {
        match self.kernel[v].op {
            Op::Set(var, value) => {
                let uniform = self.known.value(value).min(flow.uniform());
                let known = &mut self.known.vars[var.index()];
                self.changed |= uniform < *known;
                *known = uniform.min(*known);
                Jumps::new()
            }
            Op::If { cond, then, other } => {
                let inside = flow.meet(Flow::parted(self.known.value(cond), v));
                let mut jumps = self.block(then, inside);
                for (target, taken) in self.block(other, inside) {
                    add_jump(&mut jumps, target, taken);
                }
                jumps
            }
            Op::For { start, end, step, body } => {
                let count = [start, end, step].map(|v| self.known.value(v));
                let count = count.into_iter().min().expect("three operands");
                self.rounds(v, body, flow.meet(Flow::parted(count, v)))
            }
            Op::Loop { body } => self.rounds(v, body, flow),
            Op::Scope { body } => {
                let mut jumps = self.block(body, flow);
                jumps.retain(|&(target, _)| target != Target::Past(v));
                jumps
            }
            Op::Break(target) => vec![(Target::Past(target), flow)],
            Op::Continue(target) => vec![(Target::Next(target), flow)],
            Op::Return => vec![(Target::Out, flow)],
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
            | Op::Load(..)
            | Op::Store(..)
            | Op::Pack(_)
            | Op::Extract(..)
            | Op::Get(_)
            | Op::Atomic(..)
            | Op::CompareExchange { .. }
            | Op::Barrier
            | Op::Shuffle(..)
            | Op::Vote(..)
            | Op::Reduce(..)
            | Op::GroupBroadcast(_)
            | Op::Assert(..)
            | Op::Print(..) => Jumps::new(),
        }
    }

    /// Walks the body of a loop. Whoever leaves in one round is missing in the next.
    fn rounds(&mut self, v: Value, body: Block, flow: Flow) -> Jumps {
        let mut jumps = self.block(body, flow.meet(self.rounds[v.index()]));
        jumps.retain(|&(target, _)| target != Target::Next(v));
        let before = self.rounds[v.index()];
        let after = jumps.iter().fold(before, |rounds, &(_, taken)| rounds.meet(taken));
        self.changed |= after.uniform() < before.uniform();
        self.rounds[v.index()] = after;
        jumps.retain(|&(target, _)| target != Target::Past(v));
        jumps
    }

    /// A group of one subgroup, or of one thread, has no difference to see.
    fn clamp(&self, uniform: Uniform) -> Uniform {
        match (self.kernel.group_threads(), uniform) {
            (0..=1, _) | (2..=SUBGROUP_LANES, Uniform::Subgroup) => Uniform::Group,
            (_, uniform) => uniform,
        }
    }

    fn value(&self, op: &Op) -> Uniform {
        let of = |v: &Value| self.known.value(*v);
        match op {
            Op::Const(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::GroupBroadcast(_) => Uniform::Group,
            Op::Id(id) => self.id(*id),
            Op::Unary(_, a) | Op::Cast(a) | Op::Bitcast(a) | Op::Extract(a, _) => of(a),
            Op::Binary(_, a, b) | Op::Compare(_, a, b) => of(a).min(of(b)),
            Op::Fma(a, b, c) | Op::Select(a, b, c) => of(a).min(of(b)).min(of(c)),
            Op::Pack(all) => all.iter().map(of).min().unwrap_or(Uniform::Group),
            Op::Load(Place::Param(p), index) => match self.kernel.params[p.index()].kind.access() {
                Some(Access::In) => of(index),
                Some(Access::Out | Access::InOut) | None => Uniform::Varying,
            },
            Op::Load(Place::Array(_), _) | Op::Atomic(..) | Op::CompareExchange { .. } => {
                Uniform::Varying
            }
            Op::Get(var) => self.known.var(*var),
            // Lanes that hold the same give and get the same, whoever takes from whom.
            Op::Shuffle(ShuffleOp::Any | ShuffleOp::Broadcast, a, lane) => {
                of(a).max(of(lane).min(Uniform::Subgroup))
            }
            Op::Shuffle(ShuffleOp::Xor, a, _) => of(a),
            Op::Vote(_, a) | Op::Reduce(Reach::All, _, a) => of(a).max(Uniform::Subgroup),
            Op::Reduce(Reach::Inclusive | Reach::Exclusive, ..) => Uniform::Varying,
            Op::For { start, step, .. } => of(start).min(of(step)),
            Op::Store(..)
            | Op::Set(..)
            | Op::Barrier
            | Op::If { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return
            | Op::Assert(..)
            | Op::Print(..) => Uniform::Group,
        }
    }

    /// A coordinate is one for the group where the group has one thread along its axis, and one for the
    /// subgroup where whole subgroups lie along the axes that run faster.
    fn id(&self, id: IdOp) -> Uniform {
        let [x, y, z] = self.kernel.group;
        let coordinate = |extent: u32, faster: u32| {
            if extent == 1 {
                Uniform::Group
            } else if faster.is_multiple_of(SUBGROUP_LANES) {
                Uniform::Subgroup
            } else {
                Uniform::Varying
            }
        };
        match id {
            IdOp::GlobalX | IdOp::LocalX => coordinate(x, 1),
            IdOp::GlobalY | IdOp::LocalY => coordinate(y, x),
            IdOp::GlobalZ | IdOp::LocalZ => coordinate(z, x * y),
            IdOp::Thread | IdOp::Lane => Uniform::Varying,
            IdOp::SubgroupId => Uniform::Subgroup,
            IdOp::GroupX
            | IdOp::GroupY
            | IdOp::GroupZ
            | IdOp::GroupSizeX
            | IdOp::GroupSizeY
            | IdOp::GroupSizeZ
            | IdOp::GridX
            | IdOp::GridY
            | IdOp::GridZ
            | IdOp::Subgroups => Uniform::Group,
        }
    }
}
