//! Dead code: drops what changes nothing that anyone can see.
//!
//! Invariants
//! - Everything that writes memory, meets other threads, reports, or ends the thread stays, with all it needs.
//! - A load stays even unused, because its index may be an error of the launch; only a load of an array at a
//!   constant index within it is dropped.
//! - A `Loop` stays: nothing here proves that it ends. A `For` ends on its own and is dropped when nothing
//!   in it stays.

use crate::rewrite::{Visit, Walk, constant, each_inst, rewrite};
use evenweave_lang::ir::{Block, Kernel, Op, Place, Value};
use std::collections::HashSet;

/// Drops dead instructions.
pub(crate) fn dce(kernel: &Kernel) -> Kernel {
    let mut live = Live::new(kernel);
    each_inst(kernel, kernel.body, &mut |v| {
        if is_root(kernel, v) {
            live.work.push(v);
        }
    });
    live.spread();
    rewrite(kernel, &mut Dce { live: live.live })
}

struct Dce {
    live: Vec<bool>,
}

impl Visit for Dce {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        if self.live[old.index()] {
            walk.copy(self, old);
        }
    }
}

fn is_root(kernel: &Kernel, v: Value) -> bool {
    match kernel[v].op {
        Op::Load(Place::Array(a), index) => {
            constant(kernel, index).is_none_or(|at| at >= u64::from(kernel.arrays[a.index()].elems))
        }
        Op::Load(..)
        | Op::Store(..)
        | Op::Atomic(..)
        | Op::CompareExchange { .. }
        | Op::Barrier
        | Op::Wide { .. }
        | Op::GroupBroadcast(_)
        | Op::Loop { .. }
        | Op::Return
        | Op::Assert(..)
        | Op::Print(..) => true,
        _ => false,
    }
}

struct Live<'k> {
    kernel: &'k Kernel,
    live: Vec<bool>,
    work: Vec<Value>,
    /// The instruction in whose body another one stands.
    owner: Vec<Option<Value>>,
    /// The sets of each register that something may read.
    sets: Vec<Vec<Value>>,
    /// The `Break`s and `Continue`s of each loop.
    leaves: Vec<Vec<Value>>,
}

impl<'k> Live<'k> {
    fn new(kernel: &'k Kernel) -> Live<'k> {
        let insts = kernel.insts.len();
        let mut live = Live {
            kernel,
            live: vec![false; insts],
            work: Vec::new(),
            owner: vec![None; insts],
            sets: vec![Vec::new(); kernel.vars.len()],
            leaves: vec![Vec::new(); insts],
        };
        live.block(kernel.body, None);
        live
    }

    fn block(&mut self, block: Block, owner: Option<Value>) {
        let overwritten = overwritten(self.kernel, block);
        for &v in &self.kernel[block] {
            self.owner[v.index()] = owner;
            match self.kernel[v].op {
                Op::Set(var, _) if !overwritten.contains(&v) => self.sets[var.index()].push(v),
                Op::Break(target) | Op::Continue(target) => self.leaves[target.index()].push(v),
                _ => {}
            }
            for body in self.kernel[v].op.bodies() {
                self.block(body, Some(v));
            }
        }
    }

    fn spread(&mut self) {
        while let Some(v) = self.work.pop() {
            if std::mem::replace(&mut self.live[v.index()], true) {
                continue;
            }
            let op = &self.kernel[v].op;
            op.for_each_operand(|operand| self.work.push(operand));
            self.work.extend(self.owner[v.index()]);
            self.work.extend(&self.leaves[v.index()]);
            if let Op::Get(var) = op {
                self.work.extend(&self.sets[var.index()]);
            }
        }
    }
}

/// The sets of a block after which the same register is set again before anything can read it.
fn overwritten(kernel: &Kernel, block: Block) -> HashSet<Value> {
    let mut dead = HashSet::new();
    let mut set_below = HashSet::new();
    for &v in kernel[block].iter().rev() {
        let op = &kernel[v].op;
        match op {
            Op::Set(var, _) => {
                let is_last = set_below.insert(*var);
                dead.extend((!is_last).then_some(v));
            }
            Op::Get(var) => {
                set_below.remove(var);
            }
            _ if op.is_terminator() || !op.bodies().is_empty() => set_below.clear(),
            _ => {}
        }
    }
    dead
}
