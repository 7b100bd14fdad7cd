//! Statements: which one comes next, and those that steer control flow.
//!
//! Invariants
//! - The body of a construct is kept at a flow chosen when it opens. A jump out of it is made only where it
//!   leaves that flow as it is, so operations of a scope may stand anywhere that their flow allows.
//! - A loop runs at most seven rounds; loops are three deep at most.

use super::{Around, Generator, Register, U32, data};
use crate::{
    dtype::DType,
    ir::*,
    ops::{Accepts, BinaryOp, CompareOp},
    uniform::Uniform,
};

/// Constructs inside constructs, at most.
const MAX_DEPTH: usize = 5;
/// Loops inside loops, at most.
const MAX_LOOPS: usize = 3;

impl Generator<'_> {
    pub(super) fn statement(&mut self) {
        self.left = self.left.saturating_sub(1);
        self.next_line();
        let may_open = self.around.len() < MAX_DEPTH && self.left > 2;
        let loops = self.around.iter().filter(|around| around.is_loop).count();
        match self.rng.below(40) {
            0..12 => {
                let v = self.expression();
                if !self.rng.one_in(4) {
                    self.absorb(v);
                }
            }
            12..14 => self.set(),
            14 => self.get(),
            15..18 => self.load(),
            18..20 => self.store(),
            20 => self.update_in_place(),
            21 => self.use_private(),
            22 => self.count(),
            23 => self.use_slot(),
            24..27 => self.talk_in_subgroup(),
            27 => self.talk_in_group(),
            28 => self.vectors(),
            29 => self.say(),
            30..33 if may_open => self.branch(),
            33 | 34 if may_open && loops < MAX_LOOPS => self.count_up(),
            35 if may_open && loops < MAX_LOOPS => self.repeat(),
            36 if may_open => self.scope(),
            37..40 => self.jump(),
            _ => {
                let v = self.expression();
                self.absorb(v);
            }
        }
    }

    /// A few statements in an open block.
    fn statements(&mut self) {
        for _ in 0..1 + self.rng.below(5) {
            self.statement();
            // Where threads may part, they should.
            let may_part = self.around.last().is_some_and(|a| a.flow == Uniform::Varying);
            if may_part && self.rng.one_in(6) {
                self.jump();
            }
        }
    }

    /// The flow at which to keep a body that could be kept at `most`: mostly that.
    fn body_flow(&mut self, most: Uniform) -> Uniform {
        if self.rng.one_in(4) { Uniform::Varying } else { most }
    }

    fn level(&mut self) -> Uniform {
        self.rng.pick(&[Uniform::Varying, Uniform::Varying, Uniform::Subgroup, Uniform::Group])
    }

    fn set(&mut self) {
        let register = self.rng.pick(&self.registers);
        if register.level > self.flow {
            return self.get();
        }
        let v = self.operand_at(register.dtype, register.operands);
        self.b.push_unit(Op::Set(register.var, v));
    }

    fn get(&mut self) {
        let Register { var, dtype, level, .. } = self.rng.pick(&self.registers);
        let v = self.push(Op::Get(var), Type::Scalar(dtype), level);
        self.absorb(v);
    }

    fn branch(&mut self) {
        let level = self.level();
        let cond = self.condition(level);
        let flow = self.flow.min(self.levels[&cond]);
        let branch = self.b.begin_if(cond);
        self.inside(flow, Self::statements);
        self.b.begin_else(branch);
        if self.rng.one_in(2) {
            self.inside(flow, Self::statements);
        }
        self.b.end_if();
    }

    /// Runs statements as the body of the construct that was just opened.
    fn body(&mut self, value: Value, is_loop: bool, flow: Uniform) {
        self.around.push(Around { value, is_loop, flow });
        self.inside(flow, |g| {
            g.statements();
            g.end_of_body();
        });
        self.around.pop();
        self.b.close_block();
    }

    /// Sometimes a body ends with a jump of its own.
    fn end_of_body(&mut self) {
        let Some(&around) = self.around.last() else { return };
        if around.flow > self.flow || !self.rng.one_in(6) {
            return;
        }
        let op = match around.is_loop && self.rng.one_in(2) {
            true => Op::Continue(around.value),
            false => Op::Break(around.value),
        };
        self.b.push_unit(op);
    }

    /// A `For`, at an end of its type's range or with bounds known at run time.
    fn count_up(&mut self) {
        let at_edge = self.rng.one_in(2);
        let [start, end, step] = if at_edge { self.edge() } else { self.bounds() };
        let count = [start, end, step].map(|v| self.levels[&v]);
        let count = count.into_iter().min().expect("three bounds");
        let flow = self.body_flow(self.flow.min(count));
        let each = self.b.begin_for(start, end, step);
        let reach = self.pool.len();
        self.levels.insert(each, self.levels[&start].min(self.levels[&step]));
        self.pool.push(each);
        self.body(each, true, flow);
        self.pool.truncate(reach);
    }

    /// Constant bounds of any integer dtype: up to five rounds, whose last step may pass the range.
    fn edge(&mut self) -> [Value; 3] {
        let dtype = self.dtype(Accepts::Int).unwrap_or(DType::U32);
        let (least, most) = match dtype.is_signed() {
            true => (-1i128 << (dtype.bits() - 1), (1i128 << (dtype.bits() - 1)) - 1),
            false => (0, (1i128 << dtype.bits()) - 1),
        };
        let step = 1 + i128::from(self.rng.below(3));
        let start = self.rng.pick(&[0, least, most - 4, most - 9, 1]);
        let rounds = i128::from(self.rng.below(6));
        let end = (start + rounds * step - i128::from(self.rng.below(2))).clamp(least, most);
        let mask = u64::MAX >> (64 - dtype.bits());
        [start, end, step].map(|bound| self.number(dtype, bound as u64 & mask))
    }

    /// Bounds of u32 below eight.
    fn bounds(&mut self) -> [Value; 3] {
        let level = self.level();
        let start = self.small(level, 3);
        let end = self.small(level, 7);
        let step = 1 + u64::from(self.rng.below(2));
        [start, end, self.number(DType::U32, step)]
    }

    /// A u32 up to `most`, one less than a power of two.
    fn small(&mut self, level: Uniform, most: u64) -> Value {
        let v = self.operand_at(DType::U32, level);
        let mask = self.number(DType::U32, most);
        self.u32(BinaryOp::And, v, mask)
    }

    /// A `Loop` with a counter of its own.
    fn repeat(&mut self) {
        let flow =
            if self.flow == Uniform::Group { self.body_flow(self.flow) } else { Uniform::Varying };
        let counter = self.b.var("rounds", DType::U32);
        let zero = self.number(DType::U32, 0);
        self.b.push_unit(Op::Set(counter, zero));
        let bound = self.small(flow, 3);
        let value = self.b.begin_loop();
        let reach = self.pool.len();
        let count = self.push(Op::Get(counter), U32, flow);
        let one = self.number(DType::U32, 1);
        let next = self.u32(BinaryOp::Add, count, one);
        self.b.push_unit(Op::Set(counter, next));
        if self.rng.one_in(2) {
            // Above the test a `Continue` could go on for ever: for jumps, no loop is around.
            self.around.push(Around { value, is_loop: false, flow });
            self.inside(flow, Self::statements);
            self.around.pop();
        }
        let is_over = self.pure(Op::Compare(CompareOp::Ge, count, bound), super::BOOL);
        let branch = self.b.begin_if(is_over);
        self.b.push_unit(Op::Break(value));
        self.b.begin_else(branch);
        self.b.end_if();
        self.body(value, true, flow);
        self.pool.truncate(reach);
    }

    fn scope(&mut self) {
        let flow = self.body_flow(self.flow);
        let value = self.b.begin_scope();
        self.body(value, false, flow);
    }

    /// A guarded `Break`, `Continue` or `Return` that no open body minds.
    fn jump(&mut self) {
        let open: Vec<Around> =
            self.around.iter().copied().filter(|around| around.flow <= self.flow).collect();
        let may_return = self.top_flow <= self.flow && self.rng.one_in(8);
        if open.is_empty() && !may_return {
            return self.get();
        }
        let (op, level) = if open.is_empty() || may_return {
            (Op::Return, self.top_flow)
        } else {
            let around = self.rng.pick(&open);
            match around.is_loop && self.rng.one_in(2) {
                true => (Op::Continue(around.value), around.flow),
                false => (Op::Break(around.value), around.flow),
            }
        };
        let cond = self.condition(level);
        let branch = self.b.begin_if(cond);
        let flow = self.flow.min(self.levels[&cond]);
        self.inside(flow, |g| {
            if g.rng.one_in(2) {
                g.set();
            }
            if op == Op::Return {
                g.write_hash();
            }
        });
        self.b.push_unit(op);
        self.b.begin_else(branch);
        self.b.end_if();
    }

    /// Some threads end here; what follows is for the rest.
    pub(super) fn leave_early(&mut self) {
        self.next_line();
        let level = self.rng.pick(&[Uniform::Varying, Uniform::Subgroup]);
        let cond = self.condition(level);
        let branch = self.b.begin_if(cond);
        let flow = self.flow.min(self.levels[&cond]);
        self.inside(flow, Self::write_hash);
        self.b.push_unit(Op::Return);
        self.b.begin_else(branch);
        self.b.end_if();
        self.flow = flow;
        self.top_flow = flow;
    }

    /// Statements that only devices which can say something carry out.
    fn say(&mut self) {
        let dtype = self.any_dtype();
        let v = self.operand(dtype);
        if self.options.prints && self.rng.one_in(2) {
            let other = self.operand(DType::U32);
            self.b.push_unit(Op::Print("{} of {}\n".into(), vec![v, other]));
            return;
        }
        let seven = self.number(DType::U32, 7);
        let x = self.small(Uniform::Varying, 7);
        let holds = self.pure(Op::Compare(CompareOp::Le, x, seven), super::BOOL);
        self.b.push_unit(Op::Assert(holds, "three bits are at most seven".into()));
        let bits = data::sample(&mut self.rng, dtype);
        let other = self.number(dtype, bits);
        let same = self.pure(Op::Compare(CompareOp::Eq, v, other), super::BOOL);
        self.absorb(same);
    }
}
