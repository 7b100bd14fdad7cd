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
        if let Op::Set(var, value) = self.kernel[v].op {
            let uniform = self.known.value(value).min(flow.uniform());
            let known = &mut self.known.vars[var.index()];
            self.changed |= uniform < *known;
            *known = uniform.min(*known);
            return Jumps::new();
        }
        match self.kernel[v].op.control() {
            Some(Control::If { cond, then, other }) => {
                let inside = flow.meet(Flow::parted(self.known.value(cond), v));
                let mut jumps = self.block(then, inside);
                for (target, taken) in self.block(other, inside) {
                    add_jump(&mut jumps, target, taken);
                }
                jumps
            }
            Some(Control::For { start, end, step, body }) => {
                let count = [start, end, step].map(|v| self.known.value(v));
                let count = count.into_iter().min().expect("three operands");
                self.rounds(v, body, flow.meet(Flow::parted(count, v)))
            }
            Some(Control::Loop { body }) => self.rounds(v, body, flow),
            Some(Control::Scope { body }) => {
                let mut jumps = self.block(body, flow);
                jumps.retain(|&(target, _)| target != Target::Past(v));
                jumps
            }
            Some(Control::Break(target)) => vec![(Target::Past(target), flow)],
            Some(Control::Continue(target)) => vec![(Target::Next(target), flow)],
            Some(Control::Return) => vec![(Target::Out, flow)],
            None => Jumps::new(),
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
            (0..=1, _) => Uniform::Group,
            (threads, Uniform::Subgroup) if threads <= self.kernel.lanes => Uniform::Group,
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
            Op::Reduce(Reach::Inclusive | Reach::Exclusive, ..) | Op::Matrix(..) => {
                Uniform::Varying
            }
            Op::For { start, step, .. } => of(start).min(of(step)),
            Op::Store(..)
            | Op::Set(..)
            | Op::Barrier
            | Op::Wide { .. }
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
            } else if faster.is_multiple_of(self.kernel.lanes) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;
    use Uniform::*;

    /// The flow at each `barrier` of a kernel, in order.
    #[track_caller]
    fn barriers(group: &str, body: &str) -> Vec<Uniform> {
        let (kernel, uniform) = analyse(group, body);
        let all = 0..kernel.insts.len();
        let barriers = all.map(Value::at).filter(|&v| kernel[v].op == Op::Barrier);
        barriers.map(|v| uniform.flow(v)).collect()
    }

    /// The uniformity of the values that the kernel stores, in order.
    #[track_caller]
    fn stored(group: &str, body: &str) -> Vec<Uniform> {
        let (kernel, uniform) = analyse(group, body);
        let value = |inst: &Inst| {
            let Op::Store(_, _, value) = inst.op else { return None };
            Some(uniform.value(value))
        };
        kernel.insts.iter().filter_map(value).collect()
    }

    /// `vary` differs by thread, `sub` by subgroup, `same` not at all.
    fn analyse(group: &str, body: &str) -> (Kernel, Uniformity) {
        let text = format!(
            "kernel k(x: in u32[n], z: inout u32[n], s: in view u32[n], n: u32, b: bool) group {group} grid n
            shared tile: u32[64] private t: u32[4] var acc: u32
            v0: u32 = scalar n v1: u32 = lane v2: u32 = subgroup_id v3: u32 = const 1
            v4: bool = lt v1, v0 v5: bool = lt v2, v0 v6: bool = scalar b {body}"
        );
        let text = text.replace("vary", "v4").replace("sub?", "v5").replace("same", "v6");
        let kernel = parse(&text).unwrap();
        let uniform = Uniformity::new(&kernel);
        (kernel, uniform)
    }

    #[test]
    fn a_condition_parts_its_bodies_only() {
        let body =
            "if same { barrier } else { barrier } if sub? { barrier } if vary { barrier } barrier";
        assert_eq!(barriers("64", body), [Group, Group, Subgroup, Varying, Group]);
        let nested =
            "if vary { if same { barrier } } if sub? { if same { barrier } if vary { barrier } }";
        assert_eq!(barriers("64", nested), [Varying, Subgroup, Varying]);
    }

    #[test]
    fn a_varying_return_parts_the_rest() {
        assert_eq!(barriers("64", "if same { return } barrier"), [Group]);
        assert_eq!(barriers("64", "if sub? { return } barrier"), [Subgroup]);
        assert_eq!(barriers("64", "if vary { if same { return } barrier } barrier"), [Varying; 2]);
        // Also in earlier lines of a loop, whose later rounds miss the threads.
        let in_loop =
            "barrier v9: loop { barrier if vary { return } if same { break v9 } } barrier";
        assert_eq!(barriers("64", in_loop), [Group, Varying, Varying]);
    }

    #[test]
    fn a_varying_break_parts_a_loop_and_ends_with_it() {
        let while_loop = "v9: loop { barrier if vary { break v9 } barrier } barrier";
        assert_eq!(barriers("64", while_loop), [Varying, Varying, Group]);
        let uniform = "v9: loop { barrier if same { break v9 } barrier } barrier";
        assert_eq!(barriers("64", uniform), [Group; 3]);
        let outer = "v9: loop { barrier v10: loop { barrier if vary { break v9 } if same { break v10 } } barrier } barrier";
        assert_eq!(barriers("64", outer), [Varying, Varying, Varying, Group]);
        let inner = "v9: loop { barrier v10: loop { barrier if sub? { break v10 } } barrier if same { break v9 } }";
        assert_eq!(barriers("64", inner), [Group, Subgroup, Group]);
    }

    #[test]
    fn a_varying_continue_parts_the_rest_of_a_round() {
        let body =
            "v9: u32 = for v3 to v0 step v3 { barrier if vary { continue v9 } barrier } barrier";
        assert_eq!(barriers("64", body), [Group, Varying, Group]);
        // Of an outer loop: the inner one loses threads for good, the outer one until its next round.
        let outer = "v9: u32 = for v3 to v0 step v3 { barrier v10: loop { barrier if vary { continue v9 } if same { break v10 } } barrier }";
        assert_eq!(barriers("64", outer), [Group, Varying, Varying]);
    }

    #[test]
    fn a_varying_break_of_a_scope_parts_its_rest() {
        let body = "v9: scope { barrier if vary { break v9 } barrier } barrier";
        assert_eq!(barriers("64", body), [Group, Varying, Group]);
    }

    #[test]
    fn a_varying_count_parts_a_loop() {
        for (start, end, step, want) in [
            ("v3", "v0", "v3", Group),
            ("v1", "v0", "v3", Varying),
            ("v3", "v1", "v3", Varying),
            ("v3", "v0", "v2", Subgroup),
        ] {
            let body = format!("v9: u32 = for {start} to {end} step {step} {{ barrier }}");
            assert_eq!(barriers("64", &body), [want], "{body}");
        }
        // The index is the same for those who run, whatever the end.
        let body = "v9: u32 = for v3 to v1 step v3 { store z[v9], v9 } v10: u32 = for v1 to v0 step v3 { store z[v10], v10 }";
        assert_eq!(stored("64", body), [Group, Varying]);
    }

    #[test]
    fn a_register_is_what_all_its_sets_are() {
        let read = "v20: u32 = get acc store z[v0], v20";
        assert_eq!(stored("64", &format!("set acc, v3 {read}")), [Group]);
        assert_eq!(stored("64", &format!("set acc, v3 if same {{ set acc, v0 }} {read}")), [Group]);
        assert_eq!(
            stored("64", &format!("set acc, v3 if sub? {{ set acc, v0 }} {read}")),
            [Subgroup]
        );
        assert_eq!(
            stored("64", &format!("set acc, v3 if vary {{ set acc, v0 }} {read}")),
            [Varying]
        );
        assert_eq!(stored("64", &format!("set acc, v2 {read}")), [Subgroup]);
        // A counter of a loop that threads leave at different times.
        let count = "v9: loop { v10: u32 = get acc v11: u32 = add v10, v3 set acc, v11 if COND { break v9 } }";
        assert_eq!(stored("64", &format!("{} {read}", count.replace("COND", "same"))), [Group]);
        assert_eq!(stored("64", &format!("{} {read}", count.replace("COND", "vary"))), [Varying]);
        // The condition depends on the register that the loop makes varying in a later line.
        let late = "v9: loop { v10: u32 = get acc v11: bool = lt v10, v0 if v11 { barrier } set acc, v1 if same { break v9 } }";
        assert_eq!(barriers("64", late), [Varying]);
    }

    #[test]
    fn values_are_what_they_come_from() {
        let cases = [
            ("load x[v0]", Group),
            ("load x[v2]", Subgroup),
            ("load x[v1]", Varying),
            ("load s[v0]", Group),
            ("load z[v0]", Varying),
            ("load tile[v0]", Varying),
            ("load t[v0]", Varying),
            ("atomic_add z[v0], v3", Varying),
            ("compare_exchange z[v0], v3, v3", Varying),
            ("add v0, v2", Subgroup),
            ("add v1, v2", Varying),
            ("select v6, v0, v0", Group),
            ("select v4, v0, v0", Varying),
            ("extent s, 0", Group),
            ("group_broadcast v1", Group),
            ("broadcast v1, v3", Subgroup),
            ("broadcast v0, v3", Group),
            ("shuffle v1, v1", Varying),
            ("shuffle v1, v0", Subgroup),
            ("shuffle v2, v1", Subgroup),
            ("shuffle_xor v1, v3", Varying),
            ("shuffle_xor v2, v3", Subgroup),
            ("ballot v4", Subgroup),
            ("ballot v6", Group),
            ("reduce sum v1", Subgroup),
            ("reduce sum v0", Group),
            ("inclusive_scan max v1", Varying),
            ("exclusive_scan sum v0", Varying),
        ];
        for (op, want) in cases {
            let body = format!("v9: u32 = {op} store z[v0], v9");
            assert_eq!(stored("64", &body), [want], "{op}");
        }
    }

    #[test]
    fn ids_depend_on_the_shape_of_the_group() {
        let id =
            |group: &str, id: &str| stored(group, &format!("v9: u32 = {id} store z[v0], v9"))[0];
        for name in ["group_id.x", "group_size.y", "grid_size.z", "subgroups"] {
            assert_eq!(id("64", name), Group, "{name}");
        }
        assert_eq!(id("64", "thread_id"), Varying);
        assert_eq!(id("64", "local_id.x"), Varying);
        assert_eq!(id("64", "global_id.y"), Group);
        assert_eq!(id("[32, 4]", "local_id.y"), Subgroup);
        assert_eq!(id("[16, 4]", "local_id.y"), Varying);
        assert_eq!(id("[16, 4, 2]", "global_id.z"), Subgroup);
        assert_eq!(id("[1, 64]", "local_id.x"), Group);
        assert_eq!(id("[1, 64]", "local_id.y"), Varying);
        // One subgroup is the group; one thread is everything.
        assert_eq!(id("32", "subgroup_id"), Group);
        assert_eq!(id("32", "lane"), Varying);
        assert_eq!(id("1", "lane"), Group);
    }

    #[test]
    fn what_parts_is_named() {
        let body = "if sub? { @k.rs:1 if vary { @k.rs:2 barrier @k.rs:3 } }";
        let (kernel, uniform) = analyse("64", body);
        let line = |v: Option<Value>| v.map(|v| kernel[v].loc.line);
        let barrier = Value::at(kernel.insts.len() - 1);
        assert_eq!(line(uniform.parts(barrier, Group)), Some(1));
        assert_eq!(line(uniform.parts(barrier, Subgroup)), Some(2));
        assert_eq!(uniform.parts(barrier, Varying), None);
        assert_eq!(uniform.block(kernel.body), Group);
    }
}
