//! The walk that writes replicas.
//!
//! Invariants
//! - `values[v]` holds one value a replica; all are the same where `v` is shared.
//! - The registers of jumps are false where their target's body begins.

#![deny(clippy::wildcard_enum_match_arm)]

use super::Share;
use crate::legalize::exits::Jump;
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{
        Array, Block, Control, Kernel, NewNames, Op, Place, SUBGROUP_LANES, Space, Type, Value, Var,
    },
    ops::{BinaryOp, IdOp},
    uniform::{Uniform, Uniformity},
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

pub(super) struct Spread<'k> {
    old: &'k Kernel,
    uniform: Uniformity,
    pub(super) b: Builder,
    pub(super) share: Share,
    values: Vec<Vec<Option<Value>>>,
    vars: Vec<Vec<Var>>,
    arrays: Vec<Vec<Array>>,
    /// The registers of jumps out of pieces, one a replica.
    flags: BTreeMap<Jump, Vec<Var>>,
    /// The jumps that may have been taken by now, and whose target has not been passed.
    armed: BTreeSet<Jump>,
}

/// A piece of one replica while it is written.
struct Piece {
    replica: usize,
    /// The scope around it, where jumps leave it.
    wrapper: Option<Value>,
    /// The loops and scopes inside.
    inside: HashSet<Value>,
}

impl<'k> Spread<'k> {
    /// The kernel spread over fewer invocations. It has no `Return`.
    pub(super) fn run(kernel: &'k Kernel, share: Share) -> Kernel {
        let replicas = share.replicas as usize;
        let mut b = Builder::like(kernel);
        let k = b.kernel_mut();
        k.group = [kernel.group_threads() / share.replicas, 1, 1];
        k.lanes = share.width.unwrap_or(kernel.lanes);
        (k.vars, k.arrays) = (Vec::new(), Vec::new());
        let mut spread = Spread {
            old: kernel,
            uniform: Uniformity::new(kernel),
            b,
            share,
            values: vec![vec![None; replicas]; kernel.insts.len()],
            vars: Vec::new(),
            arrays: Vec::new(),
            flags: BTreeMap::new(),
            armed: BTreeSet::new(),
        };
        spread.declare();
        spread.block(kernel.body);
        spread.b.finish()
    }

    pub(super) fn replicas(&self) -> usize {
        self.share.replicas as usize
    }

    /// The scope whose threads share an invocation.
    fn level(&self) -> Uniform {
        match self.share.width {
            Some(_) => Uniform::Subgroup,
            None => Uniform::Group,
        }
    }

    fn is_shared(&self, v: Value) -> bool {
        self.uniform.value(v) >= self.level()
    }

    fn declare(&mut self) {
        for i in 0..self.old.vars.len() {
            let decl = &self.old.vars[i];
            let shared = self.uniform.var(Var::at(i)) >= self.level();
            let count = if shared { 1 } else { self.replicas() };
            let name = |r: usize| {
                if count == 1 { decl.name.clone() } else { format!("{}.{r}", decl.name) }
            };
            let mut all: Vec<Var> = (0..count).map(|r| self.b.var(name(r), decl.dtype)).collect();
            all.resize(self.replicas(), all[0]);
            self.vars.push(all);
        }
        for decl in &self.old.arrays {
            let count = match decl.space {
                Space::Shared => 1,
                Space::Private => self.replicas(),
            };
            let name = |r: usize| {
                if count == 1 { decl.name.clone() } else { format!("{}.{r}", decl.name) }
            };
            let mut all: Vec<Array> = (0..count)
                .map(|r| self.b.array(name(r), decl.space, decl.dtype, decl.elems))
                .collect();
            all.resize(self.replicas(), all[0]);
            self.arrays.push(all);
        }
    }

    /// What an instruction has become in a replica.
    pub(super) fn get(&self, v: Value, replica: usize) -> Value {
        self.values[v.index()][replica].expect("an operand is defined above its user")
    }

    pub(super) fn each(&self, v: Value) -> Vec<Value> {
        (0..self.replicas()).map(|r| self.get(v, r)).collect()
    }

    fn share_value(&mut self, v: Value, new: Value) {
        self.values[v.index()].fill(Some(new));
    }

    /// Writes a block in which flow is uniform at the head.
    fn block(&mut self, block: Block) {
        let old = self.old;
        for (at, &v) in old[block].iter().enumerate() {
            let apart = self.uniform.flow(v) < self.level();
            if apart || self.parts(v) {
                // What leaves the construct parts the rest of the block; a uniform jump behind it does not.
                if apart || !self.jumps(&[v], &mut HashSet::new()).is_empty() {
                    let rest = &old[block][at..];
                    return self.pieces(rest, &self.jumps(rest, &mut HashSet::new()));
                }
                self.pieces(&[v], &BTreeSet::new());
            } else {
                self.b.set_loc(old[v].loc);
                self.together(v);
            }
        }
    }

    /// Whether a construct parts the threads of an invocation inside.
    fn parts(&self, v: Value) -> bool {
        let level = self.level();
        let op = &self.old[v].op;
        if let Op::If { cond, .. } = op {
            return self.uniform.value(*cond) < level;
        }
        if let Op::For { body, .. } | Op::Loop { body } = op {
            return self.uniform.block(*body) < level;
        }
        false
    }

    /// The jumps that leave a list of instructions.
    fn jumps(&self, list: &[Value], inside: &mut HashSet<Value>) -> BTreeSet<Jump> {
        let mut all = BTreeSet::new();
        for &v in list {
            let op = &self.old[v].op;
            inside.insert(v);
            all.extend(Jump::of(op).filter(|jump| !inside.contains(&jump.target())));
            for body in op.bodies() {
                all.extend(self.jumps(&self.old[body], inside));
            }
        }
        all
    }

    /// Writes instructions once a replica, one replica after the other.
    fn pieces(&mut self, list: &[Value], jumps: &BTreeSet<Jump>) {
        let armed: Vec<Jump> = self.armed.iter().copied().collect();
        for replica in 0..self.replicas() {
            self.b.set_loc(self.old[list[0]].loc);
            let wrapped = !jumps.is_empty() || !armed.is_empty();
            let wrapper = wrapped.then(|| self.b.begin_scope());
            for jump in &armed {
                let flag = self.flags[jump][replica];
                let jumped = self.b.push(Op::Get(flag), Type::Scalar(DType::Bool));
                let branch = self.b.begin_if(jumped);
                self.b.push_unit(Op::Break(wrapper.expect("armed pieces are wrapped")));
                self.b.begin_else(branch);
                self.b.end_if();
            }
            let mut piece = Piece { replica, wrapper, inside: HashSet::new() };
            for &v in list {
                self.copy(v, &mut piece);
            }
            if wrapped {
                self.b.close_block();
            }
        }
        self.armed.extend(jumps);
    }

    /// Writes one instruction for one replica.
    fn copy(&mut self, v: Value, piece: &mut Piece) {
        let old = self.old;
        let r = piece.replica;
        self.b.set_loc(old[v].loc);
        if old[v].op.meets() {
            unreachable!("verify: movements and barriers stand where the subgroup comes together");
        }
        match old[v].op.control() {
            Some(Control::If { cond, then, other }) => {
                let cond = self.get(cond, r);
                let new = self.b.begin_if(cond);
                self.copy_body(then, piece);
                self.b.begin_else(new);
                self.copy_body(other, piece);
                self.b.end_if();
            }
            Some(Control::For { start, end, step, body }) => {
                let [start, end, step] = [start, end, step].map(|x| self.get(x, r));
                let new = self.b.begin_for(start, end, step);
                self.copy_closed(v, new, body, piece);
            }
            Some(Control::Loop { body }) => {
                let new = self.b.begin_loop();
                self.copy_closed(v, new, body, piece);
            }
            Some(Control::Scope { body }) => {
                let new = self.b.begin_scope();
                self.copy_closed(v, new, body, piece);
            }
            Some(Control::Break(target)) => self.copy_jump(Jump::Past(target), piece),
            Some(Control::Continue(target)) => self.copy_jump(Jump::Next(target), piece),
            None => self.leaf(v, r),
            Some(Control::Return) => unreachable!("returns are breaks of a scope"),
        }
    }

    fn copy_body(&mut self, block: Block, piece: &mut Piece) {
        for &v in &self.old[block] {
            self.copy(v, piece);
        }
    }

    fn copy_closed(&mut self, v: Value, new: Value, body: Block, piece: &mut Piece) {
        self.values[v.index()][piece.replica] = Some(new);
        piece.inside.insert(v);
        self.copy_body(body, piece);
        self.b.close_block();
    }

    fn copy_jump(&mut self, jump: Jump, piece: &Piece) {
        if piece.inside.contains(&jump.target()) {
            let to = self.get(jump.target(), piece.replica);
            self.b.push_unit(match jump {
                Jump::Past(_) => Op::Break(to),
                Jump::Next(_) => Op::Continue(to),
            });
            return;
        }
        let flag = self.flags[&jump][piece.replica];
        let yes = self.b.constant(DType::Bool, 1);
        self.b.push_unit(Op::Set(flag, yes));
        self.b.push_unit(Op::Break(piece.wrapper.expect("a piece that jumps leave is wrapped")));
    }

    /// Writes an instruction where all threads of the invocation come.
    fn together(&mut self, v: Value) {
        match &self.old[v].op {
            &Op::If { cond, then, other } => {
                let cond = self.get(cond, 0);
                let new = self.b.begin_if(cond);
                let before = self.armed.clone();
                self.block(then);
                let after_then = std::mem::replace(&mut self.armed, before);
                self.b.begin_else(new);
                self.block(other);
                self.b.end_if();
                self.armed.extend(after_then);
            }
            &Op::For { start, end, step, body } => {
                let [start, end, step] = [start, end, step].map(|x| self.get(x, 0));
                let new = self.b.begin_for(start, end, step);
                self.share_value(v, new);
                self.reset(Jump::Next(v), body);
                self.block(body);
                self.close(v);
            }
            &Op::Loop { body } => {
                let new = self.b.begin_loop();
                self.share_value(v, new);
                self.reset(Jump::Next(v), body);
                self.block(body);
                self.close(v);
            }
            &Op::Scope { body } => {
                self.reset(Jump::Past(v), body);
                let new = self.b.begin_scope();
                self.share_value(v, new);
                self.block(body);
                self.close(v);
            }
            &Op::Break(target) => {
                let to = self.get(target, 0);
                self.b.push_unit(Op::Break(to));
            }
            &Op::Continue(target) => {
                let to = self.get(target, 0);
                self.b.push_unit(Op::Continue(to));
            }
            Op::Barrier => {
                self.b.push_unit(Op::Barrier);
            }
            &Op::Shuffle(op, x, lane) => self.shuffle(v, op, x, lane),
            &Op::Vote(op, x) => self.vote(v, op, x),
            &Op::Reduce(reach, op, x) => self.reduce(v, reach, op, x),
            Op::Matrix(..) | Op::Wide { .. } => {
                unreachable!("products stay where subgroups have 32 lanes")
            }
            &Op::GroupBroadcast(x) => {
                // Thread 0 is replica 0 of invocation 0.
                let new = self.b.push(Op::GroupBroadcast(self.get(x, 0)), self.old[v].ty);
                self.share_value(v, new);
            }
            op @ (Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Fma(..)
            | Op::Select(..)
            | Op::Cast(_)
            | Op::Bitcast(_)
            | Op::Load(..)
            | Op::Pack(_)
            | Op::Extract(..)
            | Op::Store(..)
            | Op::Get(_)
            | Op::Set(..)
            | Op::Atomic(..)
            | Op::CompareExchange { .. }
            | Op::Assert(..)
            | Op::Print(..)) => {
                if self.once(v, op) {
                    self.leaf(v, 0);
                    let new = self.get(v, 0);
                    return self.share_value(v, new);
                }
                for r in 0..self.replicas() {
                    self.leaf(v, r);
                }
            }
            Op::Return => unreachable!("returns are breaks of a scope"),
        }
    }

    /// Whether one execution stands for all threads of the invocation.
    fn once(&self, v: Value, op: &Op) -> bool {
        match op {
            Op::Atomic(..) | Op::CompareExchange { .. } => false,
            Op::Set(var, _) => self.uniform.var(*var) >= self.level(),
            Op::Get(var) => self.uniform.var(*var) >= self.level(),
            Op::Store(place, index, x) => {
                let private = match place {
                    Place::Array(a) => self.old.arrays[a.index()].space == Space::Private,
                    Place::Param(_) => false,
                };
                !private && self.is_shared(*index) && self.is_shared(*x)
            }
            Op::Assert(cond, _) => self.is_shared(*cond),
            Op::Print(..) => false,
            Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Fma(..)
            | Op::Select(..)
            | Op::Cast(_)
            | Op::Bitcast(_)
            | Op::Load(..)
            | Op::Pack(_)
            | Op::Extract(..) => self.is_shared(v),
            Op::Barrier
            | Op::Shuffle(..)
            | Op::Vote(..)
            | Op::Reduce(..)
            | Op::Matrix(..)
            | Op::Wide { .. }
            | Op::GroupBroadcast(_)
            | Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return => {
                unreachable!("`together` writes these")
            }
        }
    }

    fn close(&mut self, v: Value) {
        self.b.close_block();
        self.armed.retain(|jump| jump.target() != v);
    }

    /// Makes the registers of a jump, where pieces in the body take it, and sets them to false.
    fn reset(&mut self, jump: Jump, body: Block) {
        if !self.leaves_piece(jump, body) {
            return;
        }
        let at = self.flags.len();
        let flags: Vec<Var> = (0..self.replicas())
            .map(|r| self.b.var(format!("left.{at}.{r}"), DType::Bool))
            .collect();
        let no = self.b.constant(DType::Bool, 0);
        for &flag in &flags {
            self.b.push_unit(Op::Set(flag, no));
        }
        self.flags.insert(jump, flags);
    }

    /// Whether a jump is taken in the body where not all threads of an invocation come.
    fn leaves_piece(&self, jump: Jump, body: Block) -> bool {
        self.old[body].iter().any(|&v| {
            let op = &self.old[v].op;
            (Jump::of(op) == Some(jump) && self.uniform.flow(v) < self.level())
                || op.bodies().into_iter().any(|b| self.leaves_piece(jump, b))
        })
    }

    /// Writes an instruction without bodies for a replica.
    fn leaf(&mut self, v: Value, r: usize) {
        let inst = &self.old[v];
        if let Op::Id(id) = inst.op {
            let new = self.id(id, r);
            self.values[v.index()][r] = Some(new);
            return;
        }
        let mut op = inst.op.clone();
        op.map_operands(|x| self.get(x, r));
        let (vars, arrays) = (&self.vars, &self.arrays);
        op.map_names(&NewNames {
            block: &|b| b,
            var: &|var| vars[var.index()][r],
            array: &|a| arrays[a.index()][r],
            target: &|t| t,
        });
        let new = self.b.push(op, inst.ty);
        self.values[v.index()][r] = Some(new);
    }

    pub(super) fn word(&mut self, n: u32) -> Value {
        self.b.constant(DType::U32, n.into())
    }

    pub(super) fn op(&mut self, op: BinaryOp, x: Value, y: Value) -> Value {
        let ty = self.b.kernel()[x].ty;
        self.b.push(Op::Binary(op, x, y), ty)
    }

    /// The lane of the language's subgroup.
    pub(super) fn lane(&mut self, r: usize) -> Value {
        let Some(width) = self.share.width else {
            let thread = self.thread(r);
            let mask = self.word(SUBGROUP_LANES - 1);
            return self.op(BinaryOp::And, thread, mask);
        };
        let first = self.word(r as u32 * width);
        if width == 1 {
            return first;
        }
        let lane = self.b.id(IdOp::Lane);
        self.op(BinaryOp::Add, lane, first)
    }

    fn subgroup(&mut self, r: usize) -> Value {
        if self.share.width.is_some() {
            return self.b.id(IdOp::SubgroupId);
        }
        let thread = self.thread(r);
        let by = self.word(SUBGROUP_LANES.trailing_zeros());
        self.op(BinaryOp::Shr, thread, by)
    }

    fn thread(&mut self, r: usize) -> Value {
        if self.share.width.is_none() {
            // Neighbours stay neighbours of one replica.
            let invocation = self.b.id(IdOp::Thread);
            let first = self.word(r as u32 * self.b.kernel().group_threads());
            return self.op(BinaryOp::Add, invocation, first);
        }
        let (subgroup, lane) = (self.subgroup(r), self.lane(r));
        let lanes = self.word(SUBGROUP_LANES);
        let first = self.op(BinaryOp::Mul, subgroup, lanes);
        self.op(BinaryOp::Add, first, lane)
    }

    fn local(&mut self, axis: usize, r: usize) -> Value {
        let group = self.old.group;
        if group[axis] == 1 {
            return self.word(0);
        }
        let mut at = self.thread(r);
        let below: u32 = group[..axis].iter().product();
        if below > 1 {
            let below = self.word(below);
            at = self.op(BinaryOp::Div, at, below);
        }
        if group[axis + 1..].iter().any(|&n| n > 1) {
            let size = self.word(group[axis]);
            at = self.op(BinaryOp::Rem, at, size);
        }
        at
    }

    fn global(&mut self, axis: usize, group: IdOp, r: usize) -> Value {
        let (group, local) = (self.b.id(group), self.local(axis, r));
        let size = self.word(self.old.group[axis]);
        let first = self.op(BinaryOp::Mul, group, size);
        self.op(BinaryOp::Add, first, local)
    }

    fn id(&mut self, id: IdOp, r: usize) -> Value {
        match id {
            IdOp::GlobalX => self.global(0, IdOp::GroupX, r),
            IdOp::GlobalY => self.global(1, IdOp::GroupY, r),
            IdOp::GlobalZ => self.global(2, IdOp::GroupZ, r),
            IdOp::GroupX | IdOp::GroupY | IdOp::GroupZ => self.b.id(id),
            IdOp::GridX | IdOp::GridY | IdOp::GridZ => self.b.id(id),
            IdOp::LocalX => self.local(0, r),
            IdOp::LocalY => self.local(1, r),
            IdOp::LocalZ => self.local(2, r),
            IdOp::GroupSizeX => self.word(self.old.group[0]),
            IdOp::GroupSizeY => self.word(self.old.group[1]),
            IdOp::GroupSizeZ => self.word(self.old.group[2]),
            IdOp::Thread => self.thread(r),
            IdOp::Lane => self.lane(r),
            IdOp::SubgroupId => self.subgroup(r),
            IdOp::Subgroups => self.word(self.old.group_threads().div_ceil(SUBGROUP_LANES)),
        }
    }

    /// Records what an instruction has become in each replica.
    pub(super) fn put(&mut self, v: Value, new: Vec<Value>) {
        self.values[v.index()] = new.into_iter().map(Some).collect();
    }

    /// Records what an instruction has become in all replicas.
    pub(super) fn put_shared(&mut self, v: Value, new: Value) {
        self.share_value(v, new);
    }
}
