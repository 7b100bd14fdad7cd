//! Expressions: every pure operation, on values within reach.

use super::{BOOL, Generator, U32, U64, data};
use crate::{
    dtype::{Class, DType},
    ir::*,
    ops::{Accepts, BinaryOp, CompareOp, IdOp, UnaryOp},
    uniform::Uniform,
};

impl Generator<'_> {
    /// A dtype in use that the set holds.
    pub(super) fn dtype(&mut self, accepts: Accepts) -> Option<DType> {
        let all: Vec<DType> = self.dtypes.iter().copied().filter(|&d| accepts.holds(d)).collect();
        (!all.is_empty()).then(|| self.rng.pick(&all))
    }

    pub(super) fn any_dtype(&mut self) -> DType {
        self.rng.pick(&self.dtypes)
    }

    /// A value of a dtype, the same over `level` at least: mostly one within reach, else a constant.
    pub(super) fn operand_at(&mut self, dtype: DType, level: Uniform) -> Value {
        let fits =
            |&v: &Value| self.b.kernel()[v].ty == Type::Scalar(dtype) && self.levels[&v] >= level;
        let all: Vec<Value> = self.pool.iter().copied().filter(fits).collect();
        // Fresh floats more often: chains of them end in NaN or infinity soon.
        let fresh = if dtype.is_float() { 3 } else { 8 };
        if all.is_empty() || self.rng.one_in(fresh) {
            let bits = data::sample(&mut self.rng, dtype);
            return self.number(dtype, bits);
        }
        // Younger values first: long chains show more than many short ones.
        let last = all.len() as u32 - 1;
        let back = self.rng.below(last + 1).min(self.rng.below(last + 1));
        all[(last - back) as usize]
    }

    pub(super) fn operand(&mut self, dtype: DType) -> Value {
        self.operand_at(dtype, Uniform::Varying)
    }

    /// A condition that is the same over `level` at least, and not always a constant.
    pub(super) fn condition(&mut self, level: Uniform) -> Value {
        if self.rng.one_in(2) {
            return self.operand_at(DType::Bool, level);
        }
        let dtype = self.dtype(Accepts::Num).unwrap_or(DType::U32);
        let (a, b) = (self.operand_at(dtype, level), self.operand_at(dtype, level));
        let op = self.rng.pick(CompareOp::ALL);
        self.pure(Op::Compare(op, a, b), BOOL)
    }

    /// A new value, of any operation that has one.
    pub(super) fn expression(&mut self) -> Value {
        match self.rng.below(16) {
            0..5 => self.unary(),
            5..9 => self.binary(),
            9 => self.compare(),
            10 => self.fma(),
            11 => self.select(),
            12 | 13 => self.cast(),
            14 => self.bitcast(),
            _ => self.place_or_size(),
        }
    }

    fn unary(&mut self) -> Value {
        let op = self.rng.pick(UnaryOp::ALL);
        match self.dtype(op.accepts()) {
            Some(dtype) if op.tier() <= self.options.tier => {
                let a = self.operand(dtype);
                self.pure(Op::Unary(op, a), Type::Scalar(dtype))
            }
            _ => self.select(),
        }
    }

    fn binary(&mut self) -> Value {
        let op = self.rng.pick(BinaryOp::ALL);
        match self.dtype(op.accepts()) {
            Some(dtype) if op.tier() <= self.options.tier => {
                let (a, b) = (self.operand(dtype), self.operand(dtype));
                self.pure(Op::Binary(op, a, b), Type::Scalar(dtype))
            }
            _ => self.select(),
        }
    }

    fn compare(&mut self) -> Value {
        let op = self.rng.pick(CompareOp::ALL);
        let dtype = match op {
            CompareOp::Eq | CompareOp::Ne => self.any_dtype(),
            CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => {
                self.dtype(Accepts::Num).unwrap_or(DType::U32)
            }
        };
        let (a, b) = (self.operand(dtype), self.operand(dtype));
        self.pure(Op::Compare(op, a, b), BOOL)
    }

    fn fma(&mut self) -> Value {
        match self.dtype(Accepts::Float) {
            Some(dtype) => {
                let [a, b, c] = [0; 3].map(|_| self.operand(dtype));
                self.pure(Op::Fma(a, b, c), Type::Scalar(dtype))
            }
            None => self.select(),
        }
    }

    fn select(&mut self) -> Value {
        let dtype = self.any_dtype();
        let cond = self.operand(DType::Bool);
        let (a, b) = (self.operand(dtype), self.operand(dtype));
        self.pure(Op::Select(cond, a, b), Type::Scalar(dtype))
    }

    fn cast(&mut self) -> Value {
        let (from, to) = (self.any_dtype(), self.any_dtype());
        let a = self.operand(from);
        self.pure(Op::Cast(a), Type::Scalar(to))
    }

    fn bitcast(&mut self) -> Value {
        let from = self.dtype(Accepts::Num).unwrap_or(DType::U32);
        let same = |&to: &DType| to.bits() == from.bits() && to.class() != Class::Bool;
        let all: Vec<DType> = self.dtypes.iter().copied().filter(same).collect();
        let (to, a) = (self.rng.pick(&all), self.operand(from));
        self.pure(Op::Bitcast(a), Type::Scalar(to))
    }

    /// Where the thread is, or how large something is.
    fn place_or_size(&mut self) -> Value {
        let group = Uniform::Group;
        match self.rng.below(8) {
            0..4 => {
                let id = self.rng.pick(IdOp::ALL);
                let level = match id {
                    IdOp::SubgroupId => Uniform::Subgroup,
                    IdOp::GroupX
                    | IdOp::GroupY
                    | IdOp::GroupZ
                    | IdOp::GroupSizeX
                    | IdOp::GroupSizeY
                    | IdOp::GroupSizeZ
                    | IdOp::GridX
                    | IdOp::GridY
                    | IdOp::GridZ
                    | IdOp::Subgroups => group,
                    IdOp::GlobalX
                    | IdOp::GlobalY
                    | IdOp::GlobalZ
                    | IdOp::LocalX
                    | IdOp::LocalY
                    | IdOp::LocalZ
                    | IdOp::Thread
                    | IdOp::Lane => Uniform::Varying,
                };
                self.push(Op::Id(id), U32, level)
            }
            4 => {
                let p = self.rng.pick(&self.scalars);
                let dtype = self.b.kernel().params[p.index()].kind.dtype();
                self.push(Op::Scalar(p), Type::Scalar(dtype), group)
            }
            5 => {
                let p = self.rng.pick(&self.outputs).param;
                self.push(Op::Length(p), U64, group)
            }
            kind => {
                let (p, _, rank) = self.rng.pick(&self.views);
                let axis = self.rng.below(rank.into()) as u8;
                match self.rng.below(3) {
                    _ if kind == 6 => self.push(Op::Extent(p, axis), U32, group),
                    0 => self.push(Op::Offset(p), U64, group),
                    _ => self.push(Op::Stride(p, axis), U64, group),
                }
            }
        }
    }

    /// Lets a value change what the thread writes to `hash` in the end.
    pub(super) fn absorb(&mut self, v: Value) {
        let dtype = self.b.kernel()[v].ty.scalar().expect("only scalars are in reach");
        let bits = match (dtype.class(), dtype.bits()) {
            (Class::Float, 16) => self.pure(Op::Bitcast(v), Type::Scalar(DType::U16)),
            (Class::Float, 32) => self.pure(Op::Bitcast(v), U32),
            (Class::Float, _) => self.pure(Op::Bitcast(v), U64),
            (Class::Bool | Class::Signed | Class::Unsigned, _) => v,
        };
        let mut words = vec![self.pure(Op::Cast(bits), U32)];
        if dtype.bits() == 64 {
            let wide = match dtype {
                DType::I64 => self.pure(Op::Bitcast(v), U64),
                _ => bits,
            };
            let by = self.number(DType::U64, 32);
            let high = self.pure(Op::Binary(BinaryOp::Shr, wide, by), U64);
            words.push(self.pure(Op::Cast(high), U32));
        }
        for word in words {
            let hash = self.push(Op::Get(self.hash), U32, Uniform::Varying);
            let by = self.number(DType::U32, 0x9e37_79b1);
            let mixed = self.u32(BinaryOp::Mul, hash, by);
            let mixed = self.u32(BinaryOp::Xor, mixed, word);
            self.b.push_unit(Op::Set(self.hash, mixed));
        }
    }
}
