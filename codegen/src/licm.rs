//! Loop-invariant code: pure operations whose operands come from outside a loop move in front of it.
//!
//! Invariants
//! - Only pure operations move: they cannot fail, so running one that the loop would have skipped is harmless.
//! - Loads never move: an index that a guard keeps in bounds may be out of bounds in front of the guard.

use crate::rewrite::{Visit, Walk, each_inst, rewrite};
use evenweave_lang::ir::{Inst, Kernel, Op, Value};

/// Moves invariant operations out of loops.
pub(crate) fn licm(kernel: &Kernel) -> Kernel {
    rewrite(kernel, &mut Licm)
}

struct Licm;

impl Visit for Licm {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        if walk.found(old).is_some() {
            return;
        }
        if let Op::For { body, .. } | Op::Loop { body } = walk.old[old].op {
            let kernel = walk.old;
            each_inst(kernel, body, &mut |v| hoist(walk, v));
            walk.new.set_loc(kernel[old].loc);
        }
        walk.copy(self, old);
    }
}

fn hoist(walk: &mut Walk<'_>, v: Value) {
    let op = &walk.old[v].op;
    let mut outside = op.is_pure() && walk.found(v).is_none();
    op.for_each_operand(|operand| outside &= walk.found(operand).is_some());
    if outside {
        let Inst { op, ty, loc } = walk.mapped(v);
        walk.new.set_loc(loc);
        let new = walk.new.push(op, ty);
        walk.set(v, new);
    }
}
