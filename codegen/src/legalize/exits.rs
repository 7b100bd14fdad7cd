//! Exits, so that each leaves the innermost loop or scope: what structured targets can say.
//!
//! A jump past the innermost construct sets a register, leaves that construct, and goes on from there. A `return`
//! is such a jump out of a scope around the whole kernel.
//!
//! Invariants
//! - Afterwards `Break` and `Continue` name the innermost loop or scope around them, and there is no `Return`.
//! - The register of a jump is false when a construct that it leaves begins, so a true one means a jump just now.
//! - Flow parts where it parted before: the test after a construct depends on what the jump depended on. So each jump has
//!   a register of its own; one that threads take together shares none with one that they take alone.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::rewrite::{Visit, Walk, rewrite};
use evenweave_lang::{
    dtype::DType,
    ir::{Block, Inst, Kernel, Loc, Op, Type, Value, Var},
};
use std::collections::HashMap;

/// Where a jump goes: past a loop or scope, or to the next round of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Jump {
    Past(Value),
    Next(Value),
}

impl Jump {
    /// Where an exit goes.
    pub(super) fn of(op: &Op) -> Option<Jump> {
        if let Op::Break(target) = op {
            return Some(Jump::Past(*target));
        }
        if let Op::Continue(target) = op {
            return Some(Jump::Next(*target));
        }
        None
    }

    /// The loop or scope that it names.
    pub(super) fn target(self) -> Value {
        match self {
            Jump::Past(target) | Jump::Next(target) => target,
        }
    }
}

/// The kernel with exits of the innermost loop or scope alone.
pub(super) fn exits(kernel: &Kernel) -> Kernel {
    let kernel = without_returns(kernel);
    let mut crossing = HashMap::new();
    jumps(&kernel, kernel.body, &mut crossing);
    let mut pass = Exits { crossing, flags: HashMap::new(), around: Vec::new() };
    rewrite(&kernel, &mut pass)
}

/// A `return` as the break of a scope around everything.
pub(super) fn without_returns(kernel: &Kernel) -> Kernel {
    let mut kernel = kernel.clone();
    if !kernel.blocks.iter().flatten().any(|&v| kernel[v].op == Op::Return) {
        return kernel;
    }
    let scope = Value::at(kernel.insts.len());
    for inst in &mut kernel.insts {
        if inst.op == Op::Return {
            inst.op = Op::Break(scope);
        }
    }
    let loc = kernel[kernel.body].first().map_or(Loc::default(), |&v| kernel[v].loc);
    kernel.insts.push(Inst { op: Op::Scope { body: kernel.body }, ty: Type::Unit, loc });
    kernel.blocks.push(vec![scope]);
    kernel.body = Block::at(kernel.blocks.len() - 1);
    kernel
}

/// The instruction of a jump, and where it goes.
type Exit = (Value, Jump);

/// The jumps that leave a block; those that leave each loop and scope in it are put into `crossing`.
fn jumps(kernel: &Kernel, block: Block, crossing: &mut HashMap<Value, Vec<Exit>>) -> Vec<Exit> {
    let mut all = Vec::new();
    for &v in &kernel[block] {
        let op = &kernel[v].op;
        all.extend(Jump::of(op).map(|jump| (v, jump)));
        let bodies = op.bodies();
        let mut inner: Vec<Exit> =
            bodies.iter().flat_map(|&body| jumps(kernel, body, crossing)).collect();
        inner.retain(|(_, jump)| jump.target() != v);
        if !bodies.is_empty() && !matches!(op, Op::If { .. }) {
            crossing.insert(v, inner.clone());
        }
        all.extend(inner);
    }
    all
}

struct Exits {
    /// The jumps that leave each loop and scope for one further out.
    crossing: HashMap<Value, Vec<Exit>>,
    /// The register of each jump.
    flags: HashMap<Value, Var>,
    /// The loops and scopes around the place of writing.
    around: Vec<Value>,
}

impl Visit for Exits {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        let op = &walk.old[old].op;
        if let Some(jump) = Jump::of(op) {
            if self.around.last() != Some(&jump.target()) {
                let flag = self.flag(walk, old);
                set(walk, flag, true);
            }
            self.jump(walk, jump);
        } else if let Some(crossing) = self.crossing.get(&old).cloned() {
            for &(from, _) in &crossing {
                let flag = self.flag(walk, from);
                set(walk, flag, false);
            }
            self.around.push(old);
            walk.copy(self, old);
            self.around.pop();
            walk.new.set_loc(walk.old[old].loc);
            for &(from, jump) in &crossing {
                let flag = self.flags[&from];
                let jumped = walk.new.push(Op::Get(flag), Type::Scalar(DType::Bool));
                let branch = walk.new.begin_if(jumped);
                self.jump(walk, jump);
                walk.new.begin_else(branch);
                walk.new.end_if();
            }
        } else {
            walk.copy(self, old);
        }
    }
}

impl Exits {
    /// Leaves the innermost loop or scope on the way of a jump.
    fn jump(&self, walk: &mut Walk<'_>, jump: Jump) {
        let innermost = *self.around.last().expect("verify: a jump leaves something around it");
        let to = walk.get(innermost);
        let op = if jump == Jump::Next(innermost) { Op::Continue(to) } else { Op::Break(to) };
        walk.new.push_unit(op);
    }

    fn flag(&mut self, walk: &mut Walk<'_>, jump: Value) -> Var {
        let count = self.flags.len();
        *self
            .flags
            .entry(jump)
            .or_insert_with(|| walk.new.var(format!("exit.{count}"), DType::Bool))
    }
}

fn set(walk: &mut Walk<'_>, flag: Var, to: bool) {
    let to = walk.new.constant(DType::Bool, to.into());
    walk.new.push_unit(Op::Set(flag, to));
}
