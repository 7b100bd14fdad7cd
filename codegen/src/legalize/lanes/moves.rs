//! Movements between lanes, as movements between replicas and between the hardware's lanes.
//!
//! Invariants
//! - With one lane an invocation nothing is left for the hardware to move.

#![deny(clippy::wildcard_enum_match_arm)]

use super::spread::Spread;
use evenweave_lang::{
    dtype::DType,
    eval,
    ir::{Const, Op, SUBGROUP_LANES, Type, Value},
    ops::{BinaryOp, CompareOp, IdOp, Reach, ReduceOp, ShuffleOp, VoteOp},
};

const BOOL: Type = Type::Scalar(DType::Bool);

impl Spread<'_> {
    /// Lanes of the hardware's subgroup.
    fn width(&self) -> u32 {
        self.share.width.expect("a kernel that moves lanes is shared out by subgroup")
    }

    fn select(&mut self, cond: Value, x: Value, y: Value) -> Value {
        let ty = self.b.kernel()[x].ty;
        self.b.push(Op::Select(cond, x, y), ty)
    }

    /// A movement between the hardware's lanes.
    fn native(&mut self, op: ShuffleOp, x: Value, lane: Value) -> Value {
        if self.width() == 1 {
            return x;
        }
        let ty = self.b.kernel()[x].ty;
        self.b.push(Op::Shuffle(op, x, lane), ty)
    }

    /// The value of a hardware lane of known number, for all.
    fn of_lane(&mut self, x: Value, lane: u32) -> Value {
        let lane = self.word(lane);
        self.native(ShuffleOp::Broadcast, x, lane)
    }

    /// The number that a lane operand is, modulo 32, where it is known.
    fn known(&self, lane: Value) -> Option<u32> {
        if let Op::Const(Const { bits }) = self.b.kernel()[lane].op {
            return Some(bits as u32 % SUBGROUP_LANES);
        }
        None
    }

    pub(super) fn shuffle(&mut self, v: Value, op: ShuffleOp, x: Value, lane: Value) {
        let (x, lanes) = (self.each(x), self.each(lane));
        match (op, self.known(lanes[0])) {
            (ShuffleOp::Xor, Some(mask)) => {
                let new = self.xor(&x, mask);
                self.put(v, new);
            }
            (ShuffleOp::Xor, None) => {
                let new = self.xor_any(&x, lanes[0]);
                self.put(v, new);
            }
            (ShuffleOp::Broadcast, Some(lane)) => {
                let width = self.width();
                let new = self.of_lane(x[(lane / width) as usize], lane % width);
                self.put_shared(v, new);
            }
            (ShuffleOp::Broadcast, None) => {
                let new = self.pick(ShuffleOp::Broadcast, &x, lanes[0]);
                self.put_shared(v, new);
            }
            (ShuffleOp::Any, _) => {
                let same = lanes.iter().all(|&lane| lane == lanes[0]);
                let count = if same { 1 } else { self.replicas() };
                let mut new: Vec<Value> =
                    (0..count).map(|r| self.pick(ShuffleOp::Any, &x, lanes[r])).collect();
                new.resize(self.replicas(), new[0]);
                self.put(v, new);
            }
        }
    }

    fn xor(&mut self, x: &[Value], mask: u32) -> Vec<Value> {
        let (high, low) = ((mask / self.width()) as usize, mask % self.width());
        let low_mask = self.word(low);
        (0..x.len())
            .map(|r| match low {
                0 => x[r ^ high],
                _ => self.native(ShuffleOp::Xor, x[r ^ high], low_mask),
            })
            .collect()
    }

    /// The same where the mask is known to the launch only: each of its bits swaps replicas or not.
    fn xor_any(&mut self, x: &[Value], mask: Value) -> Vec<Value> {
        let width = self.width();
        let low = self.word(width - 1);
        let low = self.op(BinaryOp::And, mask, low);
        let mut all: Vec<Value> = x.iter().map(|&x| self.native(ShuffleOp::Xor, x, low)).collect();
        let mut step = 1;
        while step < all.len() {
            let swaps = self.bit(mask, step as u32 * width);
            all = (0..all.len()).map(|r| self.select(swaps, all[r ^ step], all[r])).collect();
            step *= 2;
        }
        all
    }

    fn bit(&mut self, x: Value, bit: u32) -> Value {
        let (bit, zero) = (self.word(bit), self.word(0));
        let masked = self.op(BinaryOp::And, x, bit);
        self.b.push(Op::Compare(CompareOp::Ne, masked, zero), BOOL)
    }

    /// The value of the lane that `lane` names: moved from every replica, then one chosen.
    fn pick(&mut self, op: ShuffleOp, x: &[Value], lane: Value) -> Value {
        let width = self.width();
        let low = self.word(width - 1);
        let low = self.op(BinaryOp::And, lane, low);
        let mut all: Vec<Value> = x.iter().map(|&x| self.native(op, x, low)).collect();
        let mut bit = width;
        while all.len() > 1 {
            let upper = self.bit(lane, bit);
            all = all.chunks_exact(2).map(|pair| self.select(upper, pair[1], pair[0])).collect();
            bit *= 2;
        }
        all[0]
    }

    pub(super) fn vote(&mut self, v: Value, op: VoteOp, x: Value) {
        let x = self.each(x);
        let width = self.width();
        let new = match op {
            VoteOp::Ballot => {
                let bits: Vec<Value> = (0..x.len()).map(|r| self.ballot(x[r], r)).collect();
                bits.into_iter().reduce(|a, b| self.op(BinaryOp::Or, a, b)).expect("replicas")
            }
            VoteOp::Any | VoteOp::All => {
                let join = if op == VoteOp::Any { BinaryOp::Or } else { BinaryOp::And };
                let all = x.into_iter().reduce(|a, b| self.op(join, a, b)).expect("replicas");
                if width == 1 { all } else { self.b.push(Op::Vote(op, all), BOOL) }
            }
        };
        self.put_shared(v, new);
    }

    fn ballot(&mut self, x: Value, r: usize) -> Value {
        let width = self.width();
        let bits = match width {
            1 => self.b.push(Op::Cast(x), Type::Scalar(DType::U32)),
            _ => self.b.push(Op::Vote(VoteOp::Ballot, x), Type::Scalar(DType::U32)),
        };
        let by = self.word(r as u32 * width);
        self.op(BinaryOp::Shl, bits, by)
    }

    pub(super) fn reduce(&mut self, v: Value, reach: Reach, op: ReduceOp, x: Value) {
        let x = self.each(x);
        let combine = eval::combine(op);
        match reach {
            Reach::All => {
                let mut all: Vec<Value> =
                    x.into_iter().map(|x| self.inside(Reach::All, op, x)).collect();
                while all.len() > 1 {
                    all = all.chunks_exact(2).map(|p| self.op(combine, p[0], p[1])).collect();
                }
                self.put_shared(v, all[0]);
            }
            Reach::Inclusive => {
                let scanned = self.inclusive(op, &x);
                self.put(v, scanned);
            }
            Reach::Exclusive => {
                let scanned = self.inclusive(op, &x);
                let shifted = self.shifted(op, &scanned);
                self.put(v, shifted);
            }
        }
    }

    /// The lower levels of the tree: those inside the hardware's subgroup.
    fn inside(&mut self, reach: Reach, op: ReduceOp, x: Value) -> Value {
        if self.width() == 1 {
            return x;
        }
        let ty = self.b.kernel()[x].ty;
        self.b.push(Op::Reduce(reach, op, x), ty)
    }

    /// Sklansky's scan: at each level above the hardware's lanes, a replica whose bit is set takes the last lane of
    /// the block before its own.
    fn inclusive(&mut self, op: ReduceOp, x: &[Value]) -> Vec<Value> {
        let (combine, last) = (eval::combine(op), self.width() - 1);
        let mut all: Vec<Value> = x.iter().map(|&x| self.inside(Reach::Inclusive, op, x)).collect();
        let mut level = 1;
        while level < all.len() {
            let below: Vec<Value> = (0..all.len() / level)
                .filter(|block| block % 2 == 0)
                .map(|block| self.of_lane(all[block * level + level - 1], last))
                .collect();
            for r in 0..all.len() {
                if r & level != 0 {
                    all[r] = self.op(combine, below[r / level / 2], all[r]);
                }
            }
            level *= 2;
        }
        all
    }

    /// Each lane's value from the lane before; the identity in lane 0.
    fn shifted(&mut self, op: ReduceOp, scanned: &[Value]) -> Vec<Value> {
        let width = self.width();
        let ty = self.b.kernel()[scanned[0]].ty;
        let dtype = ty.dtype().expect("a scan is of scalars");
        let identity = eval::identity(op, dtype).expect("verify: the row takes the dtype");
        let mut before = self.b.constant(dtype, identity);
        let mut all = Vec::new();
        for &x in scanned {
            if width == 1 {
                all.push(before);
                before = x;
                continue;
            }
            let (lane, one, zero) = (self.b.id(IdOp::Lane), self.word(1), self.word(0));
            let from = self.op(BinaryOp::Sub, lane, one);
            let moved = self.native(ShuffleOp::Any, x, from);
            let first = self.b.push(Op::Compare(CompareOp::Eq, lane, zero), BOOL);
            let value = self.select(first, before, moved);
            all.push(value);
            before = self.of_lane(x, width - 1);
        }
        all
    }
}
