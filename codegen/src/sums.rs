//! Integer sums in one shape: what differs by thread or round first, what is the same for the group last.
//!
//! `(x + u) * s` becomes `x * s + u * s` and `x + (y + u)` becomes `(x + y) + u` for `u` and `s` that are the
//! same for the whole group: constants, scalars, strides, group ids. Neighbours then share all but one
//! addition, and what is left over leaves the loop or is computed once a group.
//!
//! Invariants
//! - Integers only: their sums and products are exact modulo the width, so that any grouping has the same bits.
//! - A widening is moved over a constant only where `align` proves that the narrow sum does not wrap.

use crate::{
    align::{most, zeros},
    rewrite::{Visit, Walk, constant, rewrite},
};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Inst, Kernel, Op, Type, Value},
    ops::{BinaryOp, IdOp},
};

/// Regroups integer sums.
pub(crate) fn sums(kernel: &Kernel) -> Kernel {
    rewrite(kernel, &mut Sums { flat: Vec::new() })
}

struct Sums {
    /// Whether each new value is made of constants, parameters and group ids alone.
    flat: Vec<bool>,
}

impl Visit for Sums {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        let Inst { op, ty, .. } = walk.mapped(old);
        let is_int = ty.scalar().is_some_and(DType::is_int);
        let better = match op {
            Op::Binary(op, a, b) if is_int => self.binary(&mut walk.new, op, a, b),
            Op::Cast(a) if ty == Type::Scalar(DType::U64) => self.widened(&mut walk.new, a),
            _ => None,
        };
        match better {
            Some(new) => walk.set(old, new),
            None => walk.emit(self, old, op, ty),
        }
    }
}

/// A sum's part that differs within the group, and the part that does not.
type Parts = (Option<Value>, Option<Value>);

impl Sums {
    fn binary(&mut self, b: &mut Builder, op: BinaryOp, x: Value, y: Value) -> Option<Value> {
        match op {
            BinaryOp::Add => self.sum(b, x, y),
            BinaryOp::Mul if self.is_flat(b, y) => self.product(b, op, x, y),
            BinaryOp::Mul if self.is_flat(b, x) => self.product(b, op, y, x),
            BinaryOp::Shl if self.is_flat(b, y) => self.product(b, op, x, y),
            _ => None,
        }
    }

    fn sum(&mut self, b: &mut Builder, x: Value, y: Value) -> Option<Value> {
        let ((x, u), (y, w)) = (self.parts(b, x), self.parts(b, y));
        // Without a sum inside, or with nothing to move, the sum is in shape.
        let inside = [(x, u), (y, w)].iter().any(|(v, flat)| v.is_some() && flat.is_some());
        if !inside {
            return None;
        }
        let varying = add(b, x, y);
        let flat = add(b, u, w);
        add(b, varying, flat)
    }

    /// `(v + u) op s` as `v op s + u op s`, for a product or a shift by `s`.
    fn product(&mut self, b: &mut Builder, op: BinaryOp, x: Value, s: Value) -> Option<Value> {
        let (Some(v), Some(u)) = self.parts(b, x) else { return None };
        let ty = b.kernel()[x].ty;
        let v = b.push(Op::Binary(op, v, s), ty);
        let u = b.push(Op::Binary(op, u, s), ty);
        Some(b.push(Op::Binary(BinaryOp::Add, v, u), ty))
    }

    /// A `u32` sum with a constant as a `u64`, where the sum does not wrap.
    fn widened(&mut self, b: &mut Builder, a: Value) -> Option<Value> {
        if b.kernel()[a].ty != Type::Scalar(DType::U32) {
            return None;
        }
        let (Some(v), Some(u)) = self.parts(b, a) else { return None };
        let by = constant(b.kernel(), u)?;
        let fits = by < 1 << zeros(b.kernel(), v).min(32)
            || most(b.kernel(), v) + by <= u64::from(u32::MAX);
        if !fits {
            return None;
        }
        let ty = Type::Scalar(DType::U64);
        let v = b.push(Op::Cast(v), ty);
        let by = b.constant(DType::U64, by);
        Some(b.push(Op::Binary(BinaryOp::Add, v, by), ty))
    }

    fn parts(&mut self, b: &Builder, v: Value) -> Parts {
        if self.is_flat(b, v) {
            return (None, Some(v));
        }
        match b.kernel()[v].op {
            Op::Binary(BinaryOp::Add, x, y) if self.is_flat(b, y) => (Some(x), Some(y)),
            Op::Binary(BinaryOp::Add, x, y) if self.is_flat(b, x) => (Some(y), Some(x)),
            _ => (Some(v), None),
        }
    }

    fn is_flat(&mut self, b: &Builder, v: Value) -> bool {
        let kernel = b.kernel();
        for at in self.flat.len()..=v.index() {
            let op = &kernel.insts[at].op;
            let mut flat = is_flat_leaf(op);
            op.for_each_operand(|operand| flat &= self.flat[operand.index()]);
            self.flat.push(flat);
        }
        self.flat[v.index()]
    }
}

/// Whether an operation has one result for the group where its operands have.
fn is_flat_leaf(op: &Op) -> bool {
    match op {
        Op::Id(id) => matches!(
            id,
            IdOp::GroupX
                | IdOp::GroupY
                | IdOp::GroupZ
                | IdOp::GroupSizeX
                | IdOp::GroupSizeY
                | IdOp::GroupSizeZ
                | IdOp::GridX
                | IdOp::GridY
                | IdOp::GridZ
                | IdOp::Subgroups
        ),
        Op::Pack(_) | Op::Extract(..) => false,
        other => other.is_pure(),
    }
}

fn add(b: &mut Builder, x: Option<Value>, y: Option<Value>) -> Option<Value> {
    let (Some(x), Some(y)) = (x, y) else { return x.or(y) };
    let ty = b.kernel()[x].ty;
    Some(b.push(Op::Binary(BinaryOp::Add, x, y), ty))
}
