//! Private arrays that are only indexed by constants become registers, one an element.
//!
//! Invariants
//! - One index that is not a constant within the array, a vector access, or a use of it as a whole leaves the array as it is.
//! - The array's declaration stays; nothing names it.

use crate::rewrite::{Visit, Walk, constant, each_inst, rewrite};
use evenweave_lang::ir::{Array, Kernel, Op, Place, Space, Type, Value, Var};
use std::collections::HashMap;

/// Replaces private arrays by registers where it can.
pub(crate) fn scalar(kernel: &Kernel) -> Kernel {
    let mut scalar = Scalar { splits: splits(kernel), elements: HashMap::new() };
    rewrite(kernel, &mut scalar)
}

struct Scalar {
    splits: Vec<bool>,
    elements: HashMap<(Array, u64), Var>,
}

impl Visit for Scalar {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        let inst = &walk.old[old];
        let op = match inst.op {
            Op::Load(Place::Array(a), index) if self.splits[a.index()] => {
                Op::Get(self.element(walk, a, index))
            }
            Op::Store(Place::Array(a), index, value) if self.splits[a.index()] => {
                Op::Set(self.element(walk, a, index), walk.get(value))
            }
            _ => return walk.copy(self, old),
        };
        walk.emit(self, old, op, inst.ty);
    }
}

impl Scalar {
    fn element(&mut self, walk: &mut Walk<'_>, array: Array, index: Value) -> Var {
        let at = constant(walk.old, index).expect("a split array has constant indices");
        let decl = &walk.old.arrays[array.index()];
        *self
            .elements
            .entry((array, at))
            .or_insert_with(|| walk.new.var(format!("{}_{at}", decl.name), decl.dtype))
    }
}

/// Which arrays become registers.
fn splits(kernel: &Kernel) -> Vec<bool> {
    let mut splits: Vec<bool> =
        kernel.arrays.iter().map(|array| array.space == Space::Private).collect();
    each_inst(kernel, kernel.body, &mut |v| {
        for array in kernel[v].op.whole_arrays().into_iter().flatten() {
            splits[array.index()] = false;
        }
        let (place, index, element) = match kernel[v].op {
            Op::Load(place, index) => (place, index, v),
            Op::Store(place, index, value) => (place, index, value),
            Op::Atomic(_, place, ..) | Op::CompareExchange { at: place, .. } => {
                if let Place::Array(a) = place {
                    splits[a.index()] = false;
                }
                return;
            }
            _ => return,
        };
        let Place::Array(a) = place else { return };
        let elems = u64::from(kernel.arrays[a.index()].elems);
        let within = constant(kernel, index).is_some_and(|at| at < elems);
        splits[a.index()] &= within && matches!(kernel[element].ty, Type::Scalar(_));
    });
    splits
}
