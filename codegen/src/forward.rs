//! Forwarding: a register whose value is known where it is read is not read.
//!
//! Invariants
//! - What is known at the start of a body was known in front of it and is not changed by an earlier round.
//! - After a body nothing is known of the registers that it sets, whichever way it was left.
//!
//! Absent: removal of the sets that nothing reads (`dce`).

use crate::rewrite::{Visit, Walk, each_inst, rewrite};
use evenweave_lang::ir::{Block, Kernel, Op, Value, Var};
use std::collections::{HashMap, HashSet};

/// Replaces reads of registers by the values that they have.
pub(crate) fn forward(kernel: &Kernel) -> Kernel {
    rewrite(kernel, &mut Forward::default())
}

#[derive(Default)]
struct Forward {
    known: HashMap<Var, Value>,
    /// What is known where each open instruction's bodies begin.
    entries: Vec<HashMap<Var, Value>>,
}

impl Visit for Forward {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        let op = &walk.old[old].op;
        match *op {
            Op::Get(var) => {
                if let Some(&value) = self.known.get(&var) {
                    return walk.set(old, value);
                }
                walk.copy(self, old);
                self.known.insert(var, walk.get(old));
            }
            Op::Set(var, value) => {
                let value = walk.get(value);
                if self.known.insert(var, value) != Some(value) {
                    walk.copy(self, old);
                }
            }
            Op::If { .. } | Op::For { .. } | Op::Loop { .. } | Op::Scope { .. } => {
                let repeats = matches!(op, Op::For { .. } | Op::Loop { .. });
                let changed = set_in(walk.old, &op.bodies());
                let before = self.known.clone();
                let mut after = before.clone();
                after.retain(|var, _| !changed.contains(var));
                self.entries.push(if repeats { after.clone() } else { before });
                walk.copy(self, old);
                self.entries.pop();
                self.known = after;
            }
            _ => walk.copy(self, old),
        }
    }

    fn enter(&mut self, _: &mut Walk<'_>) {
        self.known = self.entries.last().expect("a body has an owner").clone();
    }
}

/// The registers that bodies set.
fn set_in(kernel: &Kernel, bodies: &[Block]) -> HashSet<Var> {
    let mut vars = HashSet::new();
    for &body in bodies {
        each_inst(kernel, body, &mut |v| {
            if let Op::Set(var, _) = kernel[v].op {
                vars.insert(var);
            }
        });
    }
    vars
}
