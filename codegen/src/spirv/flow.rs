//! Control flow, in the structured form that SPIR-V asks for.
//!
//! Invariants
//! - `legalize` left only exits from the innermost loop or scope, and no early return.
//! - A scope is a loop of one round: its end is a break.
//! - Every merge block exists; where nothing reaches it, it says so.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    assembler::{Id, Repr},
    writer::{Val, Writer, repr},
};
use crate::facts::Fact;
use evenweave_lang::{
    dtype::DType,
    ir::{Block, Const, Control, Op, Value},
};
use rspirv::spirv::{self, LoopControl, SelectionControl};

/// A loop or scope that is open.
pub(super) struct Frame {
    of: Value,
    merge: Id,
    next: Id,
}

impl Writer<'_> {
    /// Writes the instructions of a block.
    pub(super) fn block(&mut self, block: Block) {
        let kernel = self.kernel;
        for &v in &kernel[block] {
            // Both bodies of an `If` may leave; what follows it is never reached, and has no place in a module.
            if self.ended {
                return;
            }
            match kernel[v].op.control() {
                Some(Control::If { cond, then, other }) => self.branch_if(cond, then, other),
                Some(Control::For { start, end, step, body }) => {
                    self.count(v, [start, end, step], body)
                }
                Some(Control::Loop { body }) => self.repeat(v, body),
                Some(Control::Scope { body }) => self.once(v, body),
                Some(Control::Break(target)) => {
                    let to = self.frame(target).merge;
                    self.leave(to);
                }
                Some(Control::Continue(target)) => {
                    let to = self.frame(target).next;
                    self.leave(to);
                }
                Some(Control::Return) => {
                    unreachable!("legalize: a return leaves a scope of the whole kernel")
                }
                None => self.leaf(v),
            }
        }
    }

    fn frame(&self, target: Value) -> &Frame {
        match self.frames.last() {
            Some(frame) if frame.of == target => frame,
            Some(_) | None => unreachable!("legalize: exits are of the innermost loop or scope"),
        }
    }

    fn leave(&mut self, to: Id) {
        self.a.branch(to);
        self.ended = true;
    }

    /// Ends the open block with a branch, unless it has ended.
    fn go(&mut self, to: Id) {
        if !std::mem::replace(&mut self.ended, false) {
            self.a.branch(to);
        }
    }

    fn branch_if(&mut self, cond: Value, then: Block, other: Block) {
        let cond = self.get(cond);
        let [yes, no, merge] = [(); 3].map(|()| self.a.id());
        self.a.effect(spirv::Op::SelectionMerge, &[merge, SelectionControl::NONE.bits()]);
        let has_else = !self.kernel[other].is_empty();
        let no_target = if has_else { no } else { merge };
        self.a.effect(spirv::Op::BranchConditional, &[cond, yes, no_target]);
        self.a.label(yes);
        self.block(then);
        let mut dead = self.ended;
        self.go(merge);
        if has_else {
            self.a.label(no);
            self.block(other);
            dead &= self.ended;
            self.go(merge);
        } else {
            dead = false;
        }
        self.a.label(merge);
        if dead {
            self.a.effect(spirv::Op::Unreachable, &[]);
        }
        self.ended = dead;
    }

    /// A conditional piece of straight code.
    pub(super) fn when(&mut self, cond: Id, body: impl FnOnce(&mut Self)) {
        let [yes, merge] = [(); 2].map(|()| self.a.id());
        self.a.effect(spirv::Op::SelectionMerge, &[merge, SelectionControl::NONE.bits()]);
        self.a.effect(spirv::Op::BranchConditional, &[cond, yes, merge]);
        self.a.label(yes);
        body(self);
        self.a.branch(merge);
        self.a.label(merge);
    }

    /// Writes the head of a loop and opens its body; the ids of the head, the next round and the end.
    fn open(&mut self, of: Value) -> [Id; 3] {
        let [head, body, next, merge] = [(); 4].map(|()| self.a.id());
        self.a.branch(head);
        self.a.label(head);
        let unrolls = self.facts.has(Fact::Unrolled);
        let control = if unrolls { LoopControl::NONE } else { LoopControl::DONT_UNROLL };
        self.a.effect(spirv::Op::LoopMerge, &[merge, next, control.bits()]);
        self.a.branch(body);
        self.a.label(body);
        self.frames.push(Frame { of, merge, next });
        [head, next, merge]
    }

    fn repeat(&mut self, v: Value, body: Block) {
        let [head, next, merge] = self.open(v);
        self.block(body);
        self.go(next);
        self.frames.pop();
        self.a.label(next);
        self.a.branch(head);
        self.a.label(merge);
        if !self.breaks(v, body) {
            self.a.effect(spirv::Op::Unreachable, &[]);
            self.ended = true;
        }
    }

    fn once(&mut self, v: Value, body: Block) {
        let [head, next, merge] = self.open(v);
        self.block(body);
        let reached = !self.ended || self.breaks(v, body);
        self.go(merge);
        self.frames.pop();
        self.a.label(next);
        self.a.branch(head);
        self.a.label(merge);
        if !reached {
            self.a.effect(spirv::Op::Unreachable, &[]);
            self.ended = true;
        }
    }

    /// Whether the body leaves the loop or scope `v`.
    fn breaks(&self, v: Value, body: Block) -> bool {
        self.kernel[body].iter().any(|&inner| {
            self.kernel[inner].op == Op::Break(v)
                || self.kernel[inner].op.bodies().into_iter().any(|b| self.breaks(v, b))
        })
    }

    /// `for i in start..end step step`: no index past the range of its dtype is formed.
    fn count(&mut self, v: Value, [start, end, step]: [Value; 3], body: Block) {
        let dtype = self.dtype(v);
        let kind = repr(dtype);
        let step_bits = self.constant_of(step);
        let fits = step_bits == Some(1) || self.never_wraps(dtype, end, step_bits);
        let ids = [start, end, step].map(|x| self.get(x));
        let [start, end, mut step] = ids;
        if step_bits.is_none() {
            let (zero, one) = (self.constant(dtype, 0), self.constant(dtype, 1));
            let none = self.a.value(spirv::Op::IEqual, Repr::Bool, &[step, zero]);
            step = self.a.value(spirv::Op::Select, kind, &[none, one, step]);
        } else if step_bits == Some(0) {
            step = self.constant(dtype, 1);
        }
        let ty = self.a.value_ty(kind);
        let index = self.a.local(ty);
        self.a.effect(spirv::Op::Store, &[index, start]);
        let less = if dtype.is_signed() { spirv::Op::SLessThan } else { spirv::Op::ULessThan };

        if fits {
            // Every index is below `end`, and one step above it is still in range.
            let [head, next, merge] = self.open(v);
            let i = self.a.value(spirv::Op::Load, kind, &[index]);
            let goes = self.a.value(less, Repr::Bool, &[i, end]);
            self.test(goes, merge);
            self.values[v.index()] = Val::One(i);
            self.block(body);
            self.go(next);
            self.frames.pop();
            self.a.label(next);
            let after = self.a.value(spirv::Op::IAdd, kind, &[i, step]);
            self.a.effect(spirv::Op::Store, &[index, after]);
            self.a.branch(head);
            self.a.label(merge);
            return;
        }
        let some = self.a.value(less, Repr::Bool, &[start, end]);
        let (begin, done) = (self.a.id(), self.a.id());
        self.a.effect(spirv::Op::SelectionMerge, &[done, SelectionControl::NONE.bits()]);
        self.a.effect(spirv::Op::BranchConditional, &[some, begin, done]);
        self.a.label(begin);
        let [head, next, merge] = self.open(v);
        let i = self.a.value(spirv::Op::Load, kind, &[index]);
        self.values[v.index()] = Val::One(i);
        self.block(body);
        self.go(next);
        self.frames.pop();
        self.a.label(next);
        // What is left is a distance, unsigned whatever the index is.
        let left = self.a.value(spirv::Op::ISub, kind, &[end, i]);
        let after = self.a.value(spirv::Op::IAdd, kind, &[i, step]);
        self.a.effect(spirv::Op::Store, &[index, after]);
        let goes = self.a.value(spirv::Op::UGreaterThan, Repr::Bool, &[left, step]);
        self.a.effect(spirv::Op::BranchConditional, &[goes, head, merge]);
        self.a.label(merge);
        self.a.branch(done);
        self.a.label(done);
    }

    fn test(&mut self, goes: Id, merge: Id) {
        let inside = self.a.id();
        self.a.effect(spirv::Op::BranchConditional, &[goes, inside, merge]);
        self.a.label(inside);
    }

    pub(super) fn constant_of(&self, v: Value) -> Option<u64> {
        let Op::Const(Const { bits }) = self.kernel[v].op else { return None };
        Some(bits)
    }

    /// Whether a constant end leaves room for one more step.
    fn never_wraps(&self, dtype: DType, end: Value, step: Option<u64>) -> bool {
        let most = u64::MAX >> (64 - dtype.bits()) >> u32::from(dtype.is_signed());
        match (self.constant_of(end), step) {
            (Some(end), Some(step)) if step > 0 => {
                end <= most && step <= most && end <= most - (step - 1)
            }
            _ => false,
        }
    }
}
