//! Memory: parameters, arrays, and statements that load, store, update and exchange.
//!
//! Invariants
//! - An index is a value made smaller than the memory: a remainder, or a mask.
//! - Threads meet before they read what others wrote to a shared array, and before they write it again.

use super::{BOOL, Generator, Own, Register, Table, U32, U64};
use crate::{
    dtype::DType,
    ir::*,
    launch::Len,
    ops::{Accepts, AtomicOp, BinaryOp, Reach, ReduceOp, ShuffleOp, VoteOp},
    uniform::Uniform,
};

/// The dtypes of atomic updates.
const COUNTS: [DType; 4] = [DType::I32, DType::U32, DType::I64, DType::U64];

impl Generator<'_> {
    pub(super) fn declare(&mut self) {
        for i in 0..2 + self.rng.below(3) {
            let dtype = self.any_dtype();
            let p = self.b.param(format!("a{i}"), ParamKind::Scalar(dtype));
            self.scalars.push(p);
        }
        let n = Len::Scalar(self.scalars[0]);
        let rank = 1 + self.rng.below(4);
        let shape = (0..rank)
            .map(|_| match self.rng.below(3) {
                0 => n.clone().min(5u32).max(1u32),
                _ => Len::from(1 + self.rng.below(6)),
            })
            .collect();
        let dtype = self.rng.pick(&self.stored);
        let view = self.b.param("s", ParamKind::View { dtype, access: Access::In, shape });
        self.views.push((view, dtype, rank as u8));
        for i in 0..2 + self.rng.below(4) {
            let (dtype, elems) = (self.rng.pick(&self.stored), 16 << self.rng.below(4));
            // The second buffer has a length known at launch only.
            let len = match i {
                1 => Len::from(elems) * Len::Extent(view, 0),
                _ => Len::from(elems),
            };
            let kind = ParamKind::Buffer { dtype, access: Access::In, len };
            let place = Place::Param(self.b.param(format!("x{i}"), kind));
            self.inputs.push(Table { place, dtype, elems });
        }
        self.outputs = vec![self.own("y0", DType::U32, Access::Out, 1)];
        for i in 1..3 + self.rng.below(2) {
            let (dtype, elems) = (self.rng.pick(&self.stored), self.rng.pick(&[1, 2, 4, 8, 16]));
            let own = self.own(&format!("y{i}"), dtype, Access::Out, elems);
            self.outputs.push(own);
        }
        if self.rng.one_in(2) {
            // Rows of a view may start inside a byte, which threads must not share.
            let whole: Vec<DType> = self.stored.iter().copied().filter(|d| d.bits() >= 8).collect();
            let (dtype, elems) = (self.rng.pick(&whole), self.rng.pick(&[1, 2, 3]));
            let own = self.own("w", dtype, Access::Out, elems);
            self.outputs.push(own);
        }
        let (dtype, elems) = (self.rng.pick(&self.stored), self.rng.pick(&[2, 4]));
        self.in_place = self.own("z", dtype, Access::InOut, elems);
        let dtype = self.count_dtype();
        self.slots = self.own("slots", dtype, Access::InOut, 1);
        for i in 0..1 + self.rng.below(2) {
            let (dtype, elems) = (self.count_dtype(), 1 << self.rng.below(5));
            let len = Len::from(elems);
            let kind = ParamKind::Buffer { dtype, access: Access::InOut, len };
            let place = Place::Param(self.b.param(format!("counts{i}"), kind));
            let op = self.rng.pick(&ORDER_FREE);
            self.counters.push((Table { place, dtype, elems }, op));
        }
        self.declare_arrays();
    }

    fn declare_arrays(&mut self) {
        for i in 0..1 + self.rng.below(2) {
            let (dtype, elems) = (self.any_dtype(), self.rng.pick(&[1, 2, 4, 8]));
            let array = self.b.array(format!("t{i}"), Space::Private, dtype, elems);
            self.privates.push(Table { place: Place::Array(array), dtype, elems });
        }
        let (dtype, elems) = (self.any_dtype(), self.threads * self.rng.pick(&[1, 2]));
        let place = Place::Array(self.b.array("tile", Space::Shared, dtype, elems));
        self.tile = Table { place, dtype, elems };
        let (dtype, elems) = (self.count_dtype(), self.threads);
        let place = Place::Array(self.b.array("tally", Space::Shared, dtype, elems));
        self.tally = Table { place, dtype, elems };
        for i in 0..4 + self.rng.below(3) {
            let dtype = self.any_dtype();
            let level = if i < 2 { Uniform::Group } else { Uniform::Varying };
            let operands = if i < 3 { Uniform::Group } else { Uniform::Varying };
            let var = self.b.var(format!("r{i}"), dtype);
            self.registers.push(Register { var, dtype, level, operands });
        }
    }

    fn count_dtype(&mut self) -> DType {
        let all: Vec<DType> = COUNTS.into_iter().filter(|d| self.dtypes.contains(d)).collect();
        self.rng.pick(&all)
    }

    /// A buffer with elements of its own for each thread of the launch; whole bytes, so that no two threads
    /// share one. A buffer named `w` is a view.
    fn own(&mut self, name: &str, dtype: DType, access: Access, elems: u32) -> Own {
        let elems = if dtype.bits() < 8 { elems.next_multiple_of(2) } else { elems };
        let grid = &self.b.kernel().grid;
        let threads = grid[0].clone() * grid[1].clone() * grid[2].clone() * Len::from(self.threads);
        let is_view = name == "w";
        let kind = match is_view {
            true => ParamKind::View { dtype, access, shape: vec![threads, Len::from(elems)] },
            false => ParamKind::Buffer { dtype, access, len: threads * Len::from(elems) },
        };
        let param = self.b.param(name, kind);
        if is_view {
            self.views.push((param, dtype, 2));
        }
        Own { param, dtype, elems, is_view }
    }

    /// Everything that is read later is written: registers, private arrays, all elements of outputs.
    pub(super) fn begin_memory(&mut self) {
        let zero = self.number(DType::U32, 0);
        self.b.push_unit(Op::Set(self.hash, zero));
        for p in self.scalars.clone() {
            let dtype = self.b.kernel().params[p.index()].kind.dtype();
            self.push(Op::Scalar(p), Type::Scalar(dtype), Uniform::Group);
        }
        for register in self.registers.clone() {
            let v = self.operand_at(register.dtype, register.operands);
            self.b.push_unit(Op::Set(register.var, v));
        }
        for table in self.privates.clone() {
            for elem in 0..table.elems {
                let v = self.operand(table.dtype);
                let index = self.number(DType::U32, elem.into());
                self.b.push_unit(Op::Store(table.place, index, v));
            }
        }
        for own in self.outputs.clone() {
            for elem in 0..own.elems {
                self.store_own(own, elem);
            }
        }
    }

    /// What registers hold, and one value of each dtype in reach, is seen.
    pub(super) fn end_memory(&mut self) {
        self.next_line();
        for Register { var, dtype, level, .. } in self.registers.clone() {
            let v = self.push(Op::Get(var), Type::Scalar(dtype), level);
            self.absorb(v);
        }
        self.write_hash();
    }

    pub(super) fn write_hash(&mut self) {
        let hash = self.push(Op::Get(self.hash), U32, Uniform::Varying);
        let out = self.outputs[0];
        self.b.push_unit(Op::Store(Place::Param(out.param), self.thread, hash));
    }

    /// The index of one of the thread's own elements.
    fn own_index(&mut self, own: Own, elem: u32) -> Value {
        let elem = self.number(DType::U32, elem.into());
        if !own.is_view {
            let elems = self.number(DType::U32, own.elems.into());
            let first = self.u32(BinaryOp::Mul, self.thread, elems);
            let index = self.u32(BinaryOp::Add, first, elem);
            return if self.rng.one_in(4) { self.pure(Op::Cast(index), U64) } else { index };
        }
        let group = Uniform::Group;
        let mut index = self.push(Op::Offset(own.param), U64, group);
        for (axis, at) in [self.thread, elem].into_iter().enumerate() {
            let stride = self.push(Op::Stride(own.param, axis as u8), U64, group);
            let at = self.pure(Op::Cast(at), U64);
            let far = self.pure(Op::Binary(BinaryOp::Mul, at, stride), U64);
            index = self.pure(Op::Binary(BinaryOp::Add, index, far), U64);
        }
        index
    }

    fn store_own(&mut self, own: Own, elem: u32) {
        let index = self.own_index(own, elem);
        let v = self.operand(own.dtype.value());
        self.b.push_unit(Op::Store(Place::Param(own.param), index, v));
    }

    pub(super) fn store(&mut self) {
        let own = self.rng.pick(&self.outputs[1..]);
        let elem = self.rng.below(own.elems);
        self.store_own(own, elem);
    }

    pub(super) fn update_in_place(&mut self) {
        let own = self.in_place;
        let elem = self.rng.below(own.elems);
        let index = self.own_index(own, elem);
        let ty = Type::Scalar(own.dtype.value());
        let v = self.push(Op::Load(Place::Param(own.param), index), ty, Uniform::Varying);
        self.absorb(v);
        let elem = self.rng.below(own.elems);
        self.store_own(own, elem);
    }

    /// An index below `elems`, and the same over the group once in a while.
    fn index(&mut self, elems: u32) -> Value {
        let level = if self.rng.one_in(4) { Uniform::Group } else { Uniform::Varying };
        let (dtype, ty) = if self.rng.one_in(4) && self.dtypes.contains(&DType::U64) {
            (DType::U64, U64)
        } else {
            (DType::U32, U32)
        };
        let v = self.operand_at(dtype, level);
        let (op, by) = match elems.is_power_of_two() {
            true => (BinaryOp::And, elems - 1),
            false => (BinaryOp::Rem, elems),
        };
        let by = self.number(dtype, by.into());
        self.pure(Op::Binary(op, v, by), ty)
    }

    pub(super) fn load(&mut self) {
        let v = if self.rng.one_in(3) { self.load_view() } else { self.load_buffer() };
        self.absorb(v);
    }

    fn load_buffer(&mut self) -> Value {
        let table = self.rng.pick(&self.inputs);
        let index = match table.place {
            Place::Param(p) if self.rng.one_in(3) => {
                let length = self.push(Op::Length(p), U64, Uniform::Group);
                let wide = self.operand(DType::U32);
                let wide = self.pure(Op::Cast(wide), U64);
                self.pure(Op::Binary(BinaryOp::Rem, wide, length), U64)
            }
            Place::Param(_) | Place::Array(_) => self.index(table.elems),
        };
        // `In` buffers do not change: as uniform as the index.
        self.pure(Op::Load(table.place, index), Type::Scalar(table.dtype.value()))
    }

    fn load_view(&mut self) -> Value {
        let (p, dtype, rank) = self.views[0];
        let mut index = self.push(Op::Offset(p), U64, Uniform::Group);
        for axis in 0..rank {
            let extent = self.push(Op::Extent(p, axis), U32, Uniform::Group);
            let stride = self.push(Op::Stride(p, axis), U64, Uniform::Group);
            let at = self.operand(DType::U32);
            let at = self.u32(BinaryOp::Rem, at, extent);
            let at = self.pure(Op::Cast(at), U64);
            let far = self.pure(Op::Binary(BinaryOp::Mul, at, stride), U64);
            index = self.pure(Op::Binary(BinaryOp::Add, index, far), U64);
        }
        self.pure(Op::Load(Place::Param(p), index), Type::Scalar(dtype.value()))
    }

    pub(super) fn use_private(&mut self) {
        let table = self.rng.pick(&self.privates);
        let index = self.index(table.elems);
        let v = self.operand(table.dtype);
        self.b.push_unit(Op::Store(table.place, index, v));
        let index = self.index(table.elems);
        let v =
            self.push(Op::Load(table.place, index), Type::Scalar(table.dtype), Uniform::Varying);
        self.absorb(v);
    }

    /// Updates a counter of all threads. What was there before depends on the order and is not used.
    pub(super) fn count(&mut self) {
        let (table, op) = self.rng.pick(&self.counters);
        let index = self.index(table.elems);
        let v = self.operand(table.dtype);
        self.b.push(Op::Atomic(op, table.place, index, v), Type::Scalar(table.dtype));
    }

    /// Updates the thread's own slot, which nobody else touches.
    pub(super) fn use_slot(&mut self) {
        let own = self.slots;
        let (at, index, ty) = (Place::Param(own.param), self.thread, Type::Scalar(own.dtype));
        let value = self.operand(own.dtype);
        let before = if self.rng.one_in(4) {
            // What is there is found, or guessed wrong.
            let guess = self.operand(own.dtype);
            let known = self.push(Op::Load(at, index), ty, Uniform::Varying);
            let expected = if self.rng.one_in(2) { known } else { guess };
            let op = Op::CompareExchange { at, index, expected, value };
            self.push(op, ty, Uniform::Varying)
        } else {
            let op = self.rng.pick(AtomicOp::ALL);
            self.push(Op::Atomic(op, at, index, value), ty, Uniform::Varying)
        };
        self.absorb(before);
    }

    pub(super) fn talk_in_subgroup(&mut self) {
        let is_whole = self.threads.is_multiple_of(SUBGROUP_LANES);
        if !self.options.subgroups || !is_whole || self.flow < Uniform::Subgroup {
            return self.talk_in_group();
        }
        let (varying, subgroup) = (Uniform::Varying, Uniform::Subgroup);
        let v = match self.rng.below(6) {
            0 | 1 => {
                let (op, dtype) = (self.rng.pick(ShuffleOp::ALL), self.any_dtype());
                let (lane_level, level) = match op {
                    ShuffleOp::Any => (varying, varying),
                    ShuffleOp::Xor => (subgroup, varying),
                    ShuffleOp::Broadcast => (subgroup, subgroup),
                };
                let lane = self.operand_at(DType::U32, lane_level);
                let v = self.operand(dtype);
                self.push(Op::Shuffle(op, v, lane), Type::Scalar(dtype), level)
            }
            2 => {
                let op = self.rng.pick(VoteOp::ALL);
                let v = self.condition(varying);
                let ty = if op == VoteOp::Ballot { U32 } else { BOOL };
                self.push(Op::Vote(op, v), ty, subgroup)
            }
            _ => {
                let (reach, op) = (self.rng.pick(Reach::ALL), self.rng.pick(ReduceOp::ALL));
                let accepts = match op {
                    ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max => Accepts::Num,
                    ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => Accepts::Bits,
                };
                let dtype = self.dtype(accepts).unwrap_or(DType::U32);
                let v = self.operand(dtype);
                let level = if reach == Reach::All { subgroup } else { varying };
                self.push(Op::Reduce(reach, op, v), Type::Scalar(dtype), level)
            }
        };
        self.absorb(v);
    }

    pub(super) fn talk_in_group(&mut self) {
        if self.flow < Uniform::Group {
            return self.use_private();
        }
        match self.rng.below(4) {
            0 => {
                let dtype = self.any_dtype();
                let v = self.operand(dtype);
                let v = self.push(Op::GroupBroadcast(v), Type::Scalar(dtype), Uniform::Group);
                self.absorb(v);
            }
            1 | 2 => self.exchange(),
            _ => self.tally(),
        }
    }

    /// Each thread writes its part of the tile; all read anywhere.
    fn exchange(&mut self) {
        let tile = self.tile;
        for part in 0..tile.elems / self.threads {
            let place = self.push(Op::Id(crate::ops::IdOp::Thread), U32, Uniform::Varying);
            let first = self.number(DType::U32, u64::from(part * self.threads));
            let index = self.u32(BinaryOp::Add, place, first);
            let v = self.operand(tile.dtype);
            self.b.push_unit(Op::Store(tile.place, index, v));
        }
        self.b.push_unit(Op::Barrier);
        for _ in 0..1 + self.rng.below(2) {
            let index = self.index(tile.elems);
            let v =
                self.push(Op::Load(tile.place, index), Type::Scalar(tile.dtype), Uniform::Varying);
            self.absorb(v);
        }
        self.b.push_unit(Op::Barrier);
    }

    /// All threads update slots that each has set before; all read anywhere.
    fn tally(&mut self) {
        let tally = self.tally;
        let op = self.rng.pick(&ORDER_FREE);
        let place = self.push(Op::Id(crate::ops::IdOp::Thread), U32, Uniform::Varying);
        let v = self.operand(tally.dtype);
        self.b.push_unit(Op::Store(tally.place, place, v));
        self.b.push_unit(Op::Barrier);
        for _ in 0..1 + self.rng.below(2) {
            let index = self.index(tally.elems);
            let v = self.operand(tally.dtype);
            self.b.push(Op::Atomic(op, tally.place, index, v), Type::Scalar(tally.dtype));
        }
        self.b.push_unit(Op::Barrier);
        let index = self.index(tally.elems);
        let v =
            self.push(Op::Load(tally.place, index), Type::Scalar(tally.dtype), Uniform::Varying);
        self.absorb(v);
        self.b.push_unit(Op::Barrier);
    }

    /// Neighbours at once: loaded and taken apart, or put together and stored.
    pub(super) fn vectors(&mut self) {
        let own = self.rng.pick(&self.outputs);
        if !self.options.vectors {
            return self.load();
        }
        if !own.is_view
            && own.elems >= 2
            && own.elems * own.dtype.bits() <= 128
            && self.rng.one_in(2)
        {
            let dtype = own.dtype.value();
            let all = (0..own.elems).map(|_| self.operand(dtype)).collect();
            let vector = self.pure(Op::Pack(all), Type::Vector(dtype, own.elems as u8));
            let elems = self.number(DType::U32, own.elems.into());
            let index = self.u32(BinaryOp::Mul, self.thread, elems);
            self.b.push_unit(Op::Store(Place::Param(own.param), index, vector));
            return;
        }
        let table = self.rng.pick(&self.inputs);
        let fits: Vec<u32> =
            [2, 4, 8, 16].into_iter().filter(|n| n * table.dtype.bits() <= 128).collect();
        let lanes = self.rng.pick(&fits);
        let chunk = self.index(table.elems / lanes);
        let ty = self.b.kernel()[chunk].ty;
        let dtype = ty.scalar().expect("an index is a scalar");
        let by = self.number(dtype, lanes.into());
        let index = self.pure(Op::Binary(BinaryOp::Mul, chunk, by), ty);
        let dtype = table.dtype.value();
        let vector = self.pure(Op::Load(table.place, index), Type::Vector(dtype, lanes as u8));
        for _ in 0..2 {
            let lane = self.rng.below(lanes) as u8;
            let v = self.pure(Op::Extract(vector, lane), Type::Scalar(dtype));
            self.absorb(v);
        }
    }
}

/// Updates whose result does not depend on the order, as long as an element sees one of them only.
const ORDER_FREE: [AtomicOp; 6] =
    [AtomicOp::Add, AtomicOp::Min, AtomicOp::Max, AtomicOp::And, AtomicOp::Or, AtomicOp::Xor];
