//! Common subexpressions: what an enclosing block has computed is not computed again.
//!
//! Invariants
//! - Only pure operations and loads from `In` parameters, which do not change during a launch, are merged;
//!   the one that stays stands above and runs whenever the merged one would have.
//! - The operands of commutative operations are ordered first. NaN is one value, so order shows in no bit.

use crate::rewrite::{Visit, Walk, rewrite};
use evenweave_lang::{
    ir::{Access, Kernel, Op, Place, Type, Value},
    ops::{BinaryOp, CompareOp},
};
use std::collections::HashMap;

/// Merges equal computations.
pub(crate) fn cse(kernel: &Kernel) -> Kernel {
    rewrite(kernel, &mut Cse::default())
}

type Key = (Op, Type);

#[derive(Default)]
struct Cse {
    known: HashMap<Key, Value>,
    /// What each open body has added to `known`.
    added: Vec<Vec<Key>>,
}

impl Visit for Cse {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        let mut inst = walk.mapped(old);
        if !merges(walk.old, &inst.op) {
            return walk.emit(self, old, inst.op, inst.ty);
        }
        order(&mut inst.op);
        let key = (inst.op, inst.ty);
        if let Some(&same) = self.known.get(&key) {
            return walk.set(old, same);
        }
        walk.emit(self, old, key.0.clone(), key.1);
        self.known.insert(key.clone(), walk.get(old));
        if let Some(added) = self.added.last_mut() {
            added.push(key);
        }
    }

    fn enter(&mut self, _: &mut Walk<'_>) {
        self.added.push(Vec::new());
    }

    fn leave(&mut self, _: &mut Walk<'_>) {
        for key in self.added.pop().expect("`enter` comes before `leave`") {
            self.known.remove(&key);
        }
    }
}

fn merges(kernel: &Kernel, op: &Op) -> bool {
    match op {
        Op::Load(Place::Param(p), _) => kernel.params[p.index()].kind.access() == Some(Access::In),
        other => other.is_pure(),
    }
}

fn order(op: &mut Op) {
    let (a, b) = match op {
        Op::Binary(op, a, b) if commutes(*op) => (a, b),
        Op::Compare(CompareOp::Eq | CompareOp::Ne, a, b) | Op::Fma(a, b, _) => (a, b),
        _ => return,
    };
    if a > b {
        std::mem::swap(a, b);
    }
}

/// Whether the operands may change places.
pub(crate) fn commutes(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add
        | BinaryOp::Mul
        | BinaryOp::Min
        | BinaryOp::Max
        | BinaryOp::MinNum
        | BinaryOp::MaxNum
        | BinaryOp::MulHigh
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => true,
        BinaryOp::Sub
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Pow
        | BinaryOp::Atan2 => false,
    }
}
