//! Where a thread is, and how values move between lanes.
//!
//! Invariants
//! - A group is one row of invocations. Where lanes move natively its threads are counted by subgroup and lane, which
//!   is right whatever order the driver gives local ids.
//! - Hardware wider than the language's subgroup holds several of them side by side.
//! - Where the hardware's width is not known, values move through shared memory: one word a thread, written and read
//!   between barriers. `legalize` left such movements only where the whole group comes.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    assembler::{Elem, Id, Repr, Ty},
    writer::{Writer, repr},
};
use crate::facts::Lanes;
use evenweave_lang::{
    ir::Value,
    ops::{IdOp, ShuffleOp, VoteOp},
};
use rspirv::spirv::{self, BuiltIn, Capability, StorageClass};

impl Writer<'_> {
    fn word_op(&mut self, op: spirv::Op, x: Id, n: u32) -> Id {
        let n = self.a.number(n);
        self.a.value(op, Repr::Word, &[x, n])
    }

    fn builtin_word(&mut self, builtin: BuiltIn) -> Id {
        let id = self.a.builtin(builtin, Ty::Value(Repr::Word));
        self.a.value(spirv::Op::Load, Repr::Word, &[id])
    }

    /// Whether values move by the hardware's own subgroup operations.
    pub(super) fn moves_natively(&self) -> bool {
        self.moves && self.facts.lanes != Lanes::Unknown
    }

    fn native_lane(&mut self) -> Id {
        self.a.capability(Capability::GroupNonUniform);
        self.builtin_word(BuiltIn::SubgroupLocalInvocationId)
    }

    fn thread(&mut self) -> Id {
        if !self.moves_natively() {
            return self.builtin_word(BuiltIn::LocalInvocationIndex);
        }
        let lane = self.native_lane();
        let subgroup = self.builtin_word(BuiltIn::SubgroupId);
        let first = self.word_op(spirv::Op::IMul, subgroup, self.native_lanes());
        self.a.value(spirv::Op::IAdd, Repr::Word, &[first, lane])
    }

    fn local(&mut self, axis: usize) -> Id {
        let group = self.kernel.group;
        let below: u32 = group[..axis].iter().product();
        if group[axis] == 1 {
            return self.a.number(0);
        }
        let mut at = self.thread();
        if below > 1 {
            at = self.word_op(spirv::Op::UDiv, at, below);
        }
        if group[axis + 1..].iter().any(|&n| n > 1) {
            at = self.word_op(spirv::Op::UMod, at, group[axis]);
        }
        at
    }

    fn group(&mut self, axis: usize) -> Id {
        let word = self.a.word();
        let at = self.a.number(axis as u32);
        let ids = self.a.builtin(BuiltIn::WorkgroupId, Ty::Vector(Repr::Word, 3));
        let input = self.a.ty(Ty::Pointer(StorageClass::Input, word));
        let ptr = self.a.op(spirv::Op::AccessChain, input, &[ids, at]);
        let id = self.a.op(spirv::Op::Load, word, &[ptr]);
        let first = self.pushed(axis as u32);
        self.a.value(spirv::Op::IAdd, Repr::Word, &[id, first])
    }

    /// A word of the push constant.
    pub(super) fn pushed(&mut self, at: u32) -> Id {
        let (word, at) = (self.a.word(), self.a.number(at));
        let push = self.a.ty(Ty::Pointer(StorageClass::PushConstant, word));
        let ptr = self.a.op(spirv::Op::AccessChain, push, &[self.fields.base, at]);
        self.a.op(spirv::Op::Load, word, &[ptr])
    }

    fn global(&mut self, axis: usize) -> Id {
        let (group, local) = (self.group(axis), self.local(axis));
        let first = self.word_op(spirv::Op::IMul, group, self.kernel.group[axis]);
        self.a.value(spirv::Op::IAdd, Repr::Word, &[first, local])
    }

    pub(super) fn place(&mut self, id: IdOp) -> Id {
        let lanes = self.lanes;
        match id {
            IdOp::GlobalX => self.global(0),
            IdOp::GlobalY => self.global(1),
            IdOp::GlobalZ => self.global(2),
            IdOp::GroupX => self.group(0),
            IdOp::GroupY => self.group(1),
            IdOp::GroupZ => self.group(2),
            IdOp::LocalX => self.local(0),
            IdOp::LocalY => self.local(1),
            IdOp::LocalZ => self.local(2),
            IdOp::GroupSizeX => self.a.number(self.kernel.group[0]),
            IdOp::GroupSizeY => self.a.number(self.kernel.group[1]),
            IdOp::GroupSizeZ => self.a.number(self.kernel.group[2]),
            IdOp::GridX => self.grid(0),
            IdOp::GridY => self.grid(1),
            IdOp::GridZ => self.grid(2),
            IdOp::Thread => self.thread(),
            IdOp::Lane => {
                let thread = self.thread();
                self.word_op(spirv::Op::BitwiseAnd, thread, lanes - 1)
            }
            IdOp::SubgroupId => {
                let thread = self.thread();
                self.word_op(spirv::Op::ShiftRightLogical, thread, lanes.trailing_zeros())
            }
            IdOp::Subgroups => self.a.number(self.kernel.group_threads().div_ceil(lanes)),
        }
    }

    /// The first hardware lane of this logical subgroup; `None` where they are the same.
    fn first_lane(&mut self) -> Option<Id> {
        if self.native_lanes() == self.lanes {
            return None;
        }
        let lane = self.native_lane();
        Some(self.word_op(spirv::Op::BitwiseAnd, lane, !(self.lanes - 1)))
    }

    pub(super) fn shuffle(&mut self, op: ShuffleOp, x: Value, lane: Value) -> Id {
        let kind = repr(self.dtype(x));
        let (x, constant) = (self.get(x), self.constant_of(lane));
        let mut lane = self.get(lane);
        if constant.is_none_or(|n| n >= u64::from(self.lanes)) {
            lane = self.word_op(spirv::Op::BitwiseAnd, lane, self.lanes - 1);
        }
        if !self.moves_natively() {
            let from = self.source(op, lane);
            return self.by_words(kind, x, |w, x| w.exchange(x, from));
        }
        let from = match op {
            ShuffleOp::Any | ShuffleOp::Broadcast => match self.first_lane() {
                Some(first) => self.a.value(spirv::Op::BitwiseOr, Repr::Word, &[first, lane]),
                None => lane,
            },
            ShuffleOp::Xor => lane,
        };
        let native = match op {
            ShuffleOp::Xor => spirv::Op::GroupNonUniformShuffleXor,
            // A broadcast from a lane that is no constant is a shuffle for older modules too.
            ShuffleOp::Any | ShuffleOp::Broadcast => spirv::Op::GroupNonUniformShuffle,
        };
        self.a.capability(Capability::GroupNonUniformShuffle);
        self.by_words(kind, x, |w, x| {
            let scope = w.a.number(3);
            w.a.value(native, Repr::Word, &[scope, x, from])
        })
    }

    /// Moves a value as one or two words.
    fn by_words(&mut self, kind: Repr, x: Id, word: impl Fn(&mut Self, Id) -> Id) -> Id {
        match kind {
            Repr::Word => word(self, x),
            Repr::Bool => {
                let [zero, one] = [0, 1].map(|n| self.a.number(n));
                let x = self.a.value(spirv::Op::Select, Repr::Word, &[x, one, zero]);
                let y = word(self, x);
                self.a.value(spirv::Op::INotEqual, Repr::Bool, &[y, zero])
            }
            Repr::F32 => {
                let x = self.a.value(spirv::Op::Bitcast, Repr::Word, &[x]);
                let y = word(self, x);
                self.a.value(spirv::Op::Bitcast, Repr::F32, &[y])
            }
            Repr::Wide | Repr::F64 => {
                let parts = self.part(x);
                let [low, high] = parts.map(|p| word(self, p));
                let ty = self.a.ty(Ty::Vector(Repr::Word, 2));
                let pair = self.a.op(spirv::Op::CompositeConstruct, ty, &[low, high]);
                self.a.value(spirv::Op::Bitcast, kind, &[pair])
            }
        }
    }

    /// The thread that a movement takes a value from.
    fn source(&mut self, op: ShuffleOp, lane: Id) -> Id {
        let thread = self.thread();
        match op {
            ShuffleOp::Xor => self.a.value(spirv::Op::BitwiseXor, Repr::Word, &[thread, lane]),
            ShuffleOp::Any | ShuffleOp::Broadcast => {
                let first = self.word_op(spirv::Op::BitwiseAnd, thread, !(self.lanes - 1));
                self.a.value(spirv::Op::BitwiseOr, Repr::Word, &[first, lane])
            }
        }
    }

    /// A pointer to a word of the memory through which values move.
    fn exchange_word(&mut self, at: Id) -> Id {
        let array = match self.mail {
            Some(array) => array,
            None => {
                let threads = self.kernel.group_threads();
                let ty = self.a.ty(Ty::Array(Elem::Value(Repr::Word), threads));
                *self.mail.insert(self.a.global(StorageClass::Workgroup, ty))
            }
        };
        let word = self.a.word();
        let ty = self.a.ty(Ty::Pointer(StorageClass::Workgroup, word));
        self.a.op(spirv::Op::AccessChain, ty, &[array, at])
    }

    /// Writes each thread's word where the others find it; the group has met.
    fn offer(&mut self, x: Id) {
        let thread = self.thread();
        let own = self.exchange_word(thread);
        self.a.effect(spirv::Op::Store, &[own, x]);
        self.barrier();
    }

    /// The word of another thread.
    fn exchange(&mut self, x: Id, from: Id) -> Id {
        self.offer(x);
        let ptr = self.exchange_word(from);
        let y = self.a.value(spirv::Op::Load, Repr::Word, &[ptr]);
        self.barrier();
        y
    }

    /// The bits of a subgroup's lanes, by way of shared memory.
    fn exchanged_ballot(&mut self, x: Id) -> Id {
        let [zero, one] = [0, 1].map(|n| self.a.number(n));
        let bit = self.a.value(spirv::Op::Select, Repr::Word, &[x, one, zero]);
        self.offer(bit);
        let thread = self.thread();
        let first = self.word_op(spirv::Op::BitwiseAnd, thread, !(self.lanes - 1));
        let mut all = zero;
        for lane in 0..self.lanes {
            let at = self.word_op(spirv::Op::BitwiseOr, first, lane);
            let ptr = self.exchange_word(at);
            let bit = self.a.value(spirv::Op::Load, Repr::Word, &[ptr]);
            let bit = self.word_op(spirv::Op::ShiftLeftLogical, bit, lane);
            all = self.a.value(spirv::Op::BitwiseOr, Repr::Word, &[all, bit]);
        }
        self.barrier();
        all
    }

    /// The value of thread 0, for the whole group.
    pub(super) fn group_broadcast(&mut self, x: Value) -> Id {
        let kind = repr(self.dtype(x));
        let x = self.get(x);
        self.by_words(kind, x, |w, x| {
            let word = w.a.word();
            let shared = w.a.global(StorageClass::Workgroup, word);
            let (thread, zero) = (w.thread(), w.a.number(0));
            let first = w.a.value(spirv::Op::IEqual, Repr::Bool, &[thread, zero]);
            w.when(first, |w| w.a.effect(spirv::Op::Store, &[shared, x]));
            w.barrier();
            let y = w.a.op(spirv::Op::Load, word, &[shared]);
            w.barrier();
            y
        })
    }

    /// The bits of this logical subgroup's lanes.
    fn ballot(&mut self, x: Id) -> Id {
        if !self.moves_natively() {
            return self.exchanged_ballot(x);
        }
        self.a.capability(Capability::GroupNonUniformBallot);
        let (ty, scope) = (self.a.ty(Ty::Vector(Repr::Word, 4)), self.a.number(3));
        let all = self.a.op(spirv::Op::GroupNonUniformBallot, ty, &[scope, x]);
        let Some(first) = self.first_lane() else {
            return self.a.value(spirv::Op::CompositeExtract, Repr::Word, &[all, 0]);
        };
        let at = self.word_op(spirv::Op::ShiftRightLogical, first, 5);
        let word = self.a.value(spirv::Op::VectorExtractDynamic, Repr::Word, &[all, at]);
        if self.lanes == 32 {
            return word;
        }
        let shift = self.word_op(spirv::Op::BitwiseAnd, first, 31);
        let word = self.a.value(spirv::Op::ShiftRightLogical, Repr::Word, &[word, shift]);
        self.word_op(spirv::Op::BitwiseAnd, word, (1 << self.lanes) - 1)
    }

    pub(super) fn vote(&mut self, op: VoteOp, x: Value) -> Id {
        let x = self.get(x);
        let zero = self.a.number(0);
        match op {
            VoteOp::Ballot => self.ballot(x),
            VoteOp::Any => {
                let bits = self.ballot(x);
                self.a.value(spirv::Op::INotEqual, Repr::Bool, &[bits, zero])
            }
            VoteOp::All => {
                let not = self.a.value(spirv::Op::LogicalNot, Repr::Bool, &[x]);
                let bits = self.ballot(not);
                self.a.value(spirv::Op::IEqual, Repr::Bool, &[bits, zero])
            }
        }
    }
}
