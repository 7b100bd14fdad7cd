//! Rewrites what a target lacks into what it has, or refuses with kernel, file and line.
//!
//! Invariants
//! - After it a kernel holds only operations that its target has: whoever writes or runs it has no error path.
//! - Every rewriting keeps the bits that `eval` and the language's own sequences define.
//! - The choice is made by `table`, one line a row; this module only carries it out.

#![deny(clippy::wildcard_enum_match_arm)]

mod half;
mod reduce;
mod table;

use crate::{
    error::{Cause, LegalizeError},
    rewrite::{Visit, Walk, rewrite},
    target::Target,
};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    eval,
    ir::{Inst, Kernel, Op, Type, Value},
    math,
    ops::{BinaryOp, Reach, ReduceOp, UnaryOp},
};
use std::cell::OnceCell;
use table::Rule;

/// The kernel in operations that `target` has.
pub fn legalize(kernel: &Kernel, target: Target) -> Result<Kernel, LegalizeError> {
    let mut legalizer = Legalizer { target, refused: OnceCell::new() };
    let legal = rewrite(kernel, &mut legalizer);
    match legalizer.refused.into_inner() {
        Some(refused) => Err(refused),
        None => Ok(legal),
    }
}

struct Legalizer {
    target: Target,
    refused: OnceCell<LegalizeError>,
}

impl Visit for Legalizer {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        let Inst { op, ty, .. } = walk.mapped(old);
        let b = &mut walk.new;
        let new = match op {
            Op::Unary(op, x) => self.unary(b, op, x),
            Op::Binary(op, x, y) => self.binary(b, op, x, y),
            Op::Compare(op, x, y) => match table::compare(self.target, dtype_of(b, x)) {
                Rule::Widen => {
                    let [x, y] = [x, y].map(|v| half::cast(b, v, DType::F32));
                    b.push(Op::Compare(op, x, y), ty)
                }
                Rule::Native
                | Rule::Sequence
                | Rule::Portable(_)
                | Rule::Shuffles
                | Rule::Undefined => b.push(Op::Compare(op, x, y), ty),
            },
            Op::Fma(x, y, z) => {
                let dtype = dtype_of(b, x);
                if half::is_half(dtype) {
                    half::fma(b, dtype, [x, y, z])
                } else {
                    b.push(Op::Fma(x, y, z), ty)
                }
            }
            Op::Reduce(reach, op, x) => self.reduce(b, reach, op, x),
            Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Select(..)
            | Op::Cast(_)
            | Op::Bitcast(_)
            | Op::Load(..)
            | Op::Store(..)
            | Op::Pack(_)
            | Op::Extract(..)
            | Op::Get(_)
            | Op::Set(..)
            | Op::Atomic(..)
            | Op::CompareExchange { .. }
            | Op::Barrier
            | Op::Shuffle(..)
            | Op::Vote(..)
            | Op::GroupBroadcast(_)
            | Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return
            | Op::Assert(..)
            | Op::Print(..) => return walk.emit(self, old, op, ty),
        };
        walk.set(old, new);
    }
}

impl Legalizer {
    fn unary(&self, b: &mut Builder, op: UnaryOp, x: Value) -> Value {
        let dtype = dtype_of(b, x);
        match table::unary(self.target, op, dtype) {
            Rule::Native => b.unary(op, x),
            Rule::Widen => {
                let wide = half::cast(b, x, DType::F32);
                let wide = self.unary(b, op, wide);
                half::cast(b, wide, dtype)
            }
            Rule::Portable(portable) => self.unary(b, portable, x),
            Rule::Sequence => match math::write_unary(b, op, x) {
                Some(y) => y,
                None => self.refuse(b, op.name(), dtype, x),
            },
            Rule::Shuffles | Rule::Undefined => self.refuse(b, op.name(), dtype, x),
        }
    }

    fn binary(&self, b: &mut Builder, op: BinaryOp, x: Value, y: Value) -> Value {
        let dtype = dtype_of(b, x);
        match table::binary(self.target, op, dtype) {
            Rule::Native => b.push(Op::Binary(op, x, y), Type::Scalar(dtype)),
            Rule::Widen => {
                let [x, y] = [x, y].map(|v| half::cast(b, v, DType::F32));
                let wide = self.binary(b, op, x, y);
                half::cast(b, wide, dtype)
            }
            Rule::Sequence => match math::write_binary(b, op, x, y) {
                Some(z) => z,
                None => self.refuse(b, op.name(), dtype, x),
            },
            Rule::Portable(_) | Rule::Shuffles | Rule::Undefined => {
                self.refuse(b, op.name(), dtype, x)
            }
        }
    }

    fn reduce(&self, b: &mut Builder, reach: Reach, op: ReduceOp, x: Value) -> Value {
        let dtype = dtype_of(b, x);
        match table::reduce(self.target, op, dtype) {
            Rule::Native => b.push(Op::Reduce(reach, op, x), Type::Scalar(dtype)),
            Rule::Widen => {
                let wide = half::cast(b, x, DType::F32);
                let wide = b.push(Op::Reduce(reach, op, wide), Type::Scalar(DType::F32));
                half::cast(b, wide, dtype)
            }
            Rule::Shuffles => {
                let step = eval::combine(op);
                let identity = eval::identity(op, dtype).expect("the row takes the dtype");
                reduce::shuffled(b, reach, x, identity, &|b, x, y| self.binary(b, step, x, y))
            }
            Rule::Sequence | Rule::Portable(_) | Rule::Undefined => {
                self.refuse(b, op.name(), dtype, x)
            }
        }
    }

    /// Records the first refusal; the value only keeps the walk going.
    fn refuse(&self, b: &Builder, op: &'static str, dtype: DType, x: Value) -> Value {
        let cause = Cause::NoOperation { target: self.target, op, dtype };
        self.refused.get_or_init(|| LegalizeError::new(b.kernel(), b.loc(), cause));
        x
    }
}

fn dtype_of(b: &Builder, v: Value) -> DType {
    b.kernel()[v].ty.dtype().expect("an operand has a value")
}
