//! Small branches become selections: an `If` whose bodies only compute and set registers runs both.
//!
//! Invariants
//! - Bodies hold pure operations, reads and sets of registers, nothing that can fail or be seen.
//! - A register that one body alone sets has been set before, so that its old value is one.

use crate::rewrite::{Visit, Walk, rewrite};
use evenweave_lang::ir::{Block, Inst, Kernel, Op, Type, Value, Var};
use std::collections::{BTreeMap, HashSet};

/// Operations that both bodies together may have: about what a divergent branch costs.
const MAX_OPS: usize = 16;

/// Replaces small branches.
pub(crate) fn branch(kernel: &Kernel) -> Kernel {
    rewrite(kernel, &mut Branch::default())
}

#[derive(Default)]
struct Branch {
    /// Registers surely set here, by open body.
    set: Vec<HashSet<Var>>,
}

impl Visit for Branch {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        if self.set.is_empty() {
            self.set.push(HashSet::new());
        }
        match walk.old[old].op {
            Op::If { cond, then, other } if self.converts(walk.old, then, other) => {
                let cond = walk.get(cond);
                self.select(walk, cond, then, other);
            }
            Op::Set(var, _) => {
                self.note(var);
                walk.copy(self, old);
            }
            _ => walk.copy(self, old),
        }
    }

    fn enter(&mut self, _: &mut Walk<'_>) {
        self.set.push(HashSet::new());
    }

    fn leave(&mut self, _: &mut Walk<'_>) {
        self.set.pop();
    }
}

impl Branch {
    fn note(&mut self, var: Var) {
        self.set.last_mut().expect("a body is open").insert(var);
    }

    fn converts(&self, kernel: &Kernel, then: Block, other: Block) -> bool {
        let (Some((ops, then)), Some((more, other))) = (sets(kernel, then), sets(kernel, other))
        else {
            return false;
        };
        let surely = |var: &Var| self.set.iter().any(|open| open.contains(var));
        ops + more <= MAX_OPS && then.symmetric_difference(&other).all(surely)
    }

    fn select(&mut self, walk: &mut Walk<'_>, cond: Value, then: Block, other: Block) {
        let loc = walk.new.loc();
        let taken = inline(walk, then);
        let untaken = inline(walk, other);
        walk.new.set_loc(loc);
        let vars: Vec<Var> = taken.keys().chain(untaken.keys()).copied().collect();
        let mut done = HashSet::new();
        for var in vars.into_iter().filter(|&var| done.insert(var)) {
            let dtype = walk.old.vars[var.index()].dtype;
            let ty = Type::Scalar(dtype);
            let mut side = |values: &BTreeMap<Var, Value>| match values.get(&var) {
                Some(&value) => value,
                None => walk.new.push(Op::Get(var), ty),
            };
            let (a, b) = (side(&taken), side(&untaken));
            let value = walk.new.push(Op::Select(cond, a, b), ty);
            walk.new.push_unit(Op::Set(var, value));
            self.note(var);
        }
    }
}

/// The pure operations of a body and the registers it sets; `None` where it does anything else.
fn sets(kernel: &Kernel, block: Block) -> Option<(usize, HashSet<Var>)> {
    let (mut ops, mut vars) = (0, HashSet::new());
    for &v in &kernel[block] {
        match &kernel[v].op {
            Op::Const(_) | Op::Get(_) => {}
            Op::Set(var, _) => {
                vars.insert(*var);
            }
            op if op.is_pure() => ops += 1,
            _ => return None,
        }
    }
    Some((ops, vars))
}

/// Writes a body without its sets; what it would have set is returned.
fn inline(walk: &mut Walk<'_>, block: Block) -> BTreeMap<Var, Value> {
    let mut values = BTreeMap::new();
    for &v in &walk.old[block] {
        let Inst { op, ty, loc } = walk.mapped(v);
        match op {
            Op::Set(var, value) => {
                values.insert(var, value);
            }
            Op::Get(var) if values.contains_key(&var) => walk.set(v, values[&var]),
            op => {
                walk.new.set_loc(loc);
                let new = walk.new.push(op, ty);
                walk.set(v, new);
            }
        }
    }
    values
}
