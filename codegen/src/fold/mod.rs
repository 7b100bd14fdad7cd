//! Folding: constants are computed by `eval`, exact identities are applied, decided branches disappear.
//!
//! Invariants
//! - A constant is what the device would have computed, by the same code.
//! - Only identities that hold for every operand, NaN, infinities, both zeros and subnormals included (see
//!   `algebra`). NaN is one value to every observer, so its payload decides nothing.
//!
//! Absent: reassociation of floats, `x * 0`, `x + 0.0`, `x - x`, `x == x`, division by a product with a
//! reciprocal, forming or splitting `fma`.

mod algebra;
mod cast;

use crate::rewrite::{Visit, Walk, constant, each_inst, rewrite};
use evenweave_lang::{
    dtype::DType,
    eval,
    ir::{Block, Inst, Kernel, Op, Type, Value},
    launch::Len,
    ops::{BinaryOp, CompareOp, IdOp},
};

/// What an operation is found to be.
#[derive(Debug, PartialEq)]
enum Found {
    /// A value above it.
    Value(Value),
    /// A constant of its type.
    Bits(u64),
    /// Another operation, of the same type.
    Op(Op),
    /// An operation of a value and a constant of its dtype.
    With(BinaryOp, Value, u64),
}

/// Whether a kernel has been legalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Any operation of the language may come to be.
    Authored,
    /// No conversion may come to be that was not there: the target may lack it.
    Legal,
}

/// Folds constants, identities and decided control flow.
pub(crate) fn fold(kernel: &Kernel) -> Kernel {
    rewrite(kernel, &mut Fold { form: Form::Authored })
}

/// The same on a legalised kernel.
pub(crate) fn fold_legal(kernel: &Kernel) -> Kernel {
    rewrite(kernel, &mut Fold { form: Form::Legal })
}

struct Fold {
    form: Form,
}

impl Visit for Fold {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        match walk.old[old].op {
            Op::If { cond, then, other } => self.branch(walk, old, cond, then, other),
            Op::For { body, .. } => self.counted(walk, old, body),
            Op::Scope { body } => self.scope(walk, old, body),
            // A `Break` that ends an inlined scope: the scope has not been written.
            Op::Break(target) if walk.found(target).is_none() => {}
            Op::Assert(cond, _) if constant(walk.new.kernel(), walk.get(cond)) == Some(1) => {}
            _ => self.leaf(walk, old),
        }
    }
}

impl Fold {
    fn leaf(&mut self, walk: &mut Walk<'_>, old: Value) {
        let Inst { mut op, ty, .. } = walk.mapped(old);
        loop {
            match simplify(walk.new.kernel(), self.form, &op, ty) {
                None => return walk.emit(self, old, op, ty),
                Some(Found::Op(better)) => op = better,
                Some(Found::With(row, a, bits)) => {
                    let dtype = ty.scalar().expect("only scalars have identities");
                    op = Op::Binary(row, a, walk.new.constant(dtype, bits));
                }
                Some(Found::Value(same)) => return walk.set(old, same),
                Some(Found::Bits(bits)) => {
                    let dtype = ty.scalar().expect("only scalars fold to constants");
                    // The bits of an integer may be those of any NaN; a constant has the one.
                    let new = walk.new.constant(dtype, eval::canonical(dtype, bits));
                    return walk.set(old, new);
                }
            }
        }
    }

    fn branch(&mut self, walk: &mut Walk<'_>, old: Value, cond: Value, then: Block, other: Block) {
        match constant(walk.new.kernel(), walk.get(cond)) {
            Some(bits) => walk.body(self, if bits != 0 { then } else { other }),
            None => walk.copy(self, old),
        }
    }

    /// A `For` of no round goes; of one round, left by no jump, it becomes its body.
    fn counted(&mut self, walk: &mut Walk<'_>, old: Value, body: Block) {
        match rounds(walk, old) {
            Some(Rounds::None) => {}
            Some(Rounds::One(start)) if !jumps_to(walk.old, body, old) => {
                walk.set(old, start);
                walk.body(self, body);
            }
            Some(Rounds::One(_)) | None => walk.copy(self, old),
        }
    }

    /// A scope that nothing leaves before its end becomes its body.
    fn scope(&mut self, walk: &mut Walk<'_>, old: Value, body: Block) {
        let kernel = walk.old;
        let block = &kernel[body];
        let ends_with_break = block.last().is_some_and(|&last| kernel[last].op == Op::Break(old));
        let mut breaks = 0;
        each_inst(kernel, body, &mut |v| breaks += usize::from(kernel[v].op == Op::Break(old)));
        if breaks == usize::from(ends_with_break) {
            walk.body(self, body);
        } else {
            walk.copy(self, old);
        }
    }
}

enum Rounds {
    None,
    One(Value),
}

/// How often a `For` of constants runs, where that is at most once.
fn rounds(walk: &Walk<'_>, old: Value) -> Option<Rounds> {
    let Op::For { start, end, step, .. } = walk.old[old].op else { return None };
    let dtype = walk.old[old].ty.scalar()?;
    let first = walk.get(start);
    let new = walk.new.kernel();
    let bits = |v: Value| constant(new, walk.get(v));
    let number = |bits: u64| {
        let unused = 64 - dtype.bits();
        match dtype.is_signed() {
            true => i128::from((bits << unused) as i64 >> unused),
            false => i128::from(bits),
        }
    };
    let (start, end) = (number(bits(start)?), number(bits(end)?));
    if start >= end {
        return Some(Rounds::None);
    }
    (end - start <= number(bits(step)?).max(1)).then_some(Rounds::One(first))
}

fn jumps_to(kernel: &Kernel, body: Block, target: Value) -> bool {
    let mut jumps = false;
    each_inst(kernel, body, &mut |v| {
        jumps |= matches!(kernel[v].op, Op::Break(to) | Op::Continue(to) if to == target);
    });
    jumps
}

/// What `op` of type `ty` is found to be.
fn simplify(kernel: &Kernel, form: Form, op: &Op, ty: Type) -> Option<Found> {
    let dtype = ty.scalar()?;
    let known = |v: Value| constant(kernel, v);
    let of = |v: Value| kernel[v].ty.scalar();
    match *op {
        Op::Id(id) => of_id(kernel, id),
        Op::Unary(op, a) => match known(a).and_then(|a| eval::unary(op, dtype, a)) {
            Some(bits) => Some(Found::Bits(bits)),
            None => algebra::unary(kernel, op, a),
        },
        Op::Binary(op, a, b) => match (known(a), known(b)) {
            (Some(x), Some(y)) => eval::binary(op, dtype, x, y).map(Found::Bits),
            (x, y) => algebra::binary(kernel, op, dtype, [a, b], [x, y]),
        },
        Op::Compare(op, a, b) => match (known(a), known(b)) {
            (Some(x), Some(y)) => eval::compare(op, of(a)?, x, y).map(|c| Found::Bits(c.into())),
            (x, y) => compare(kernel, op, of(a)?, [a, b], [x, y]),
        },
        Op::Fma(a, b, c) => match (known(a), known(b), known(c)) {
            (Some(x), Some(y), Some(z)) => eval::fma(dtype, x, y, z).map(Found::Bits),
            (x, y, z) => algebra::fma(dtype, [a, b, c], [x, y, z]),
        },
        Op::Select(c, a, b) => algebra::select(kernel, dtype, c, a, b),
        Op::Cast(a) => match known(a) {
            Some(bits) => eval::cast(of(a)?, dtype, bits).map(Found::Bits),
            None => cast::cast(kernel, form, a, dtype),
        },
        Op::Bitcast(a) => match known(a) {
            Some(bits) => eval::bitcast(of(a)?, dtype, bits).map(Found::Bits),
            None => cast::bitcast(kernel, a, dtype),
        },
        Op::Extract(vector, at) => match &kernel[vector].op {
            Op::Pack(values) => Some(Found::Value(values[usize::from(at)])),
            _ => None,
        },
        _ => None,
    }
}

fn compare(
    kernel: &Kernel,
    op: CompareOp,
    dtype: DType,
    [a, b]: [Value; 2],
    [x, y]: [Option<u64>; 2],
) -> Option<Found> {
    if x.is_some() {
        return Some(Found::Op(Op::Compare(algebra::swapped(op), b, a)));
    }
    let whole = !dtype.is_float();
    if a == b {
        return match op {
            CompareOp::Lt | CompareOp::Gt => Some(Found::Bits(0)),
            CompareOp::Le | CompareOp::Ge | CompareOp::Eq if whole => Some(Found::Bits(1)),
            CompareOp::Ne if whole => Some(Found::Bits(0)),
            CompareOp::Le | CompareOp::Ge | CompareOp::Eq | CompareOp::Ne => None,
        };
    }
    let zero = y == Some(0) && whole;
    match (op, &kernel[a].op) {
        (CompareOp::Lt, _) if zero && !dtype.is_signed() => Some(Found::Bits(0)),
        (CompareOp::Ge, _) if zero && !dtype.is_signed() => Some(Found::Bits(1)),
        (CompareOp::Ne, &Op::Cast(c)) if zero && kernel[c].ty == Type::Scalar(DType::Bool) => {
            Some(Found::Value(c))
        }
        _ => None,
    }
}

/// Places that the kernel's geometry fixes.
fn of_id(kernel: &Kernel, id: IdOp) -> Option<Found> {
    let bits = |n: u32| Some(Found::Bits(n.into()));
    let other = |id: IdOp| Some(Found::Op(Op::Id(id)));
    let [x, y, z] = kernel.group;
    let local = |size: u32| if size == 1 { bits(0) } else { None };
    let global = |size: u32, group: IdOp| if size == 1 { other(group) } else { None };
    let grid = |axis: usize| match kernel.grid[axis] {
        Len::Const(n) => u32::try_from(n).ok(),
        _ => None,
    };
    let group = |axis: usize| if grid(axis) == Some(1) { bits(0) } else { None };
    let threads = kernel.group_threads();
    match id {
        IdOp::GroupSizeX => bits(x),
        IdOp::GroupSizeY => bits(y),
        IdOp::GroupSizeZ => bits(z),
        IdOp::LocalX => local(x),
        IdOp::LocalY => local(y),
        IdOp::LocalZ => local(z),
        IdOp::GlobalX => global(x, IdOp::GroupX),
        IdOp::GlobalY => global(y, IdOp::GroupY),
        IdOp::GlobalZ => global(z, IdOp::GroupZ),
        IdOp::GridX => grid(0).and_then(bits),
        IdOp::GridY => grid(1).and_then(bits),
        IdOp::GridZ => grid(2).and_then(bits),
        IdOp::GroupX => group(0),
        IdOp::GroupY => group(1),
        IdOp::GroupZ => group(2),
        IdOp::Thread => {
            if x == threads {
                other(IdOp::LocalX)
            } else {
                None
            }
        }
        IdOp::Lane => {
            if threads <= kernel.lanes {
                other(IdOp::Thread)
            } else {
                None
            }
        }
        IdOp::SubgroupId => {
            if threads <= kernel.lanes {
                bits(0)
            } else {
                None
            }
        }
        IdOp::Subgroups => bits(threads.div_ceil(kernel.lanes)),
    }
}
