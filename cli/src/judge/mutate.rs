//! Broken copies of a kernel, which the cases of its operation must notice.
//!
//! A mutant changes all accesses of one parameter in one way. It is made from the IR as staged, so that it is as
//! good a kernel as the author's for everyone but the judge.

use evenweave_lang::{
    dtype::{Class, DType},
    eval,
    ir::{Const, Inst, Kernel, Loc, Op, Param, ParamKind, Place, Type, Value},
    launch::{Len, LenOp},
    ops::{BinaryOp, CompareOp},
};

/// In which way a kernel is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Damage {
    /// Stores are left out.
    NoStore,
    /// Stores write 0.
    Zeros,
    /// Stores write NaN, or all ones.
    Nan,
    /// Loads take the next element; the last stays.
    LoadNext,
    /// Stores go to the next element; the last stays.
    StoreNext,
    /// Stores to the last element are left out.
    NoLast,
}

impl Damage {
    pub(crate) const ALL: [Damage; 6] = [
        Damage::NoStore,
        Damage::Zeros,
        Damage::Nan,
        Damage::LoadNext,
        Damage::StoreNext,
        Damage::NoLast,
    ];

    pub(crate) fn words(self) -> &'static str {
        match self {
            Damage::NoStore => "writes nothing to",
            Damage::Zeros => "writes zeros to",
            Damage::Nan => "writes NaN to",
            Damage::LoadNext => "reads the next element of",
            Damage::StoreNext => "writes the next element of",
            Damage::NoLast => "leaves out the last element of",
        }
    }
}

/// A way to break a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Mutant {
    pub(crate) param: usize,
    pub(crate) damage: Damage,
}

/// Every mutant that changes something.
pub(crate) fn mutants(kernel: &Kernel) -> Vec<Mutant> {
    let mut all = Vec::new();
    for param in 0..kernel.params.len() {
        let at = Place::Param(Param::at(param));
        let ops = || kernel.blocks.iter().flatten().map(|&v| &kernel[v].op);
        let loads = ops().any(|op| matches!(op, Op::Load(p, _) if *p == at));
        let stores = ops().any(|op| matches!(op, Op::Store(p, ..) if *p == at));
        let atomics = ops().any(|op| match op {
            Op::Atomic(_, p, ..) | Op::CompareExchange { at: p, .. } => *p == at,
            _ => false,
        });
        // A buffer of one element has no next one: the mutant would be the kernel itself.
        let kind = &kernel.params[param].kind;
        let single = matches!(kind, ParamKind::Buffer { len: Len::Const(1), .. });
        for damage in Damage::ALL {
            let applies = match damage {
                Damage::NoStore | Damage::StoreNext => stores || atomics,
                Damage::Zeros | Damage::Nan | Damage::NoLast => stores,
                Damage::LoadNext => loads && !single,
            };
            if applies {
                all.push(Mutant { param, damage });
            }
        }
    }
    all
}

/// The broken kernel.
pub(crate) fn apply(kernel: &Kernel, mutant: Mutant) -> Kernel {
    let mut new = kernel.clone();
    for block in 0..new.blocks.len() {
        let old = std::mem::take(&mut new.blocks[block]);
        let mut hand = Hand { kernel: &mut new, block, loc: Loc::default(), mutant };
        for v in old {
            hand.visit(v);
        }
    }
    new.compact()
}

/// Rebuilds one block.
struct Hand<'k> {
    kernel: &'k mut Kernel,
    block: usize,
    loc: Loc,
    mutant: Mutant,
}

impl Hand<'_> {
    fn visit(&mut self, v: Value) {
        self.loc = self.kernel[v].loc;
        let target = Place::Param(Param::at(self.mutant.param));
        let damage = self.mutant.damage;
        let op = match self.kernel[v].op.clone() {
            Op::Store(place, index, value) if place == target => match damage {
                Damage::NoStore => return,
                Damage::Zeros => Op::Store(place, index, self.fixed(value, |_| 0)),
                Damage::Nan => Op::Store(place, index, self.fixed(value, not_a_number)),
                Damage::StoreNext => Op::Store(place, self.next(index), value),
                Damage::NoLast => return self.unless_last(v, index),
                Damage::LoadNext => Op::Store(place, index, value),
            },
            Op::Load(place, index) if place == target && damage == Damage::LoadNext => {
                Op::Load(place, self.next(index))
            }
            Op::Atomic(op, place, index, value) if place == target => match damage {
                Damage::NoStore => Op::Load(place, index),
                Damage::StoreNext => Op::Atomic(op, place, self.next(index), value),
                Damage::Zeros | Damage::Nan | Damage::LoadNext | Damage::NoLast => {
                    Op::Atomic(op, place, index, value)
                }
            },
            Op::CompareExchange { at, index, expected, value } if at == target => match damage {
                Damage::NoStore => Op::Load(at, index),
                Damage::StoreNext => {
                    Op::CompareExchange { at, index: self.next(index), expected, value }
                }
                Damage::Zeros | Damage::Nan | Damage::LoadNext | Damage::NoLast => {
                    Op::CompareExchange { at, index, expected, value }
                }
            },
            other => other,
        };
        self.kernel.insts[v.index()].op = op;
        self.kernel.blocks[self.block].push(v);
    }

    fn push(&mut self, op: Op, ty: Type) -> Value {
        self.kernel.insts.push(Inst { op, ty, loc: self.loc });
        let v = Value::at(self.kernel.insts.len() - 1);
        self.kernel.blocks[self.block].push(v);
        v
    }

    fn word(&mut self, bits: u64) -> Value {
        self.push(Op::Const(Const { bits }), Type::Scalar(DType::U64))
    }

    fn wide(&mut self, v: Value) -> Value {
        match self.kernel[v].ty {
            Type::Scalar(DType::U64) => v,
            _ => self.push(Op::Cast(v), Type::Scalar(DType::U64)),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        self.push(Op::Binary(op, a, b), Type::Scalar(DType::U64))
    }

    fn fixed(&mut self, like: Value, bits: fn(DType) -> u64) -> Value {
        let ty = self.kernel[like].ty;
        let dtype = ty.scalar().expect("staging makes no vectors");
        self.push(Op::Const(Const { bits: bits(dtype) }), ty)
    }

    /// The element after `index`, or `index` where it is the last.
    fn next(&mut self, index: Value) -> Value {
        let (index, last) = (self.wide(index), self.last());
        let one = self.word(1);
        let next = self.binary(BinaryOp::Add, index, one);
        self.binary(BinaryOp::Min, next, last)
    }

    fn unless_last(&mut self, store: Value, index: Value) {
        let (index, last) = (self.wide(index), self.last());
        let cond = self.push(Op::Compare(CompareOp::Ne, index, last), Type::Scalar(DType::Bool));
        let (then, other) = (self.kernel.blocks.len(), self.kernel.blocks.len() + 1);
        self.kernel.blocks.extend([vec![store], Vec::new()]);
        let at = evenweave_lang::ir::Block::at;
        self.push(Op::If { cond, then: at(then), other: at(other) }, Type::Unit);
    }

    /// The last element that the parameter must have, as `u64`.
    fn last(&mut self) -> Value {
        let param = Param::at(self.mutant.param);
        match self.kernel.params[self.mutant.param].kind.clone() {
            ParamKind::Buffer { len, .. } => {
                let (len, one) = (self.len(&len), self.word(1));
                self.binary(BinaryOp::Sub, len, one)
            }
            ParamKind::View { shape, .. } => {
                let mut last = self.push(Op::Offset(param), Type::Scalar(DType::U64));
                for axis in 0..shape.len() as u8 {
                    let extent = self.push(Op::Extent(param, axis), Type::Scalar(DType::U32));
                    let stride = self.push(Op::Stride(param, axis), Type::Scalar(DType::U64));
                    let (extent, one) = (self.wide(extent), self.word(1));
                    let steps = self.binary(BinaryOp::Sub, extent, one);
                    let far = self.binary(BinaryOp::Mul, steps, stride);
                    last = self.binary(BinaryOp::Add, last, far);
                }
                last
            }
            ParamKind::Scalar(_) => unreachable!("a scalar is neither loaded nor stored"),
        }
    }

    fn len(&mut self, len: &Len) -> Value {
        match len {
            Len::Const(n) => self.word(*n),
            Len::Scalar(p) => {
                let dtype = self.kernel.params[p.index()].kind.dtype();
                let v = self.push(Op::Scalar(*p), Type::Scalar(dtype));
                self.wide(v)
            }
            Len::Extent(p, axis) => {
                let v = self.push(Op::Extent(*p, *axis), Type::Scalar(DType::U32));
                self.wide(v)
            }
            Len::Length(p) => self.push(Op::Length(*p), Type::Scalar(DType::U64)),
            Len::Op(op, a, b) => {
                let (a, b) = (self.len(a), self.len(b));
                let binary = match op {
                    LenOp::Add => BinaryOp::Add,
                    LenOp::Sub => BinaryOp::Sub,
                    LenOp::Mul => BinaryOp::Mul,
                    LenOp::Div => BinaryOp::Div,
                    LenOp::Rem => BinaryOp::Rem,
                    LenOp::Min => BinaryOp::Min,
                    LenOp::Max => BinaryOp::Max,
                    LenOp::DivCeil => {
                        let one = self.word(1);
                        let most = self.binary(BinaryOp::Sub, b, one);
                        let sum = self.binary(BinaryOp::Add, a, most);
                        return self.binary(BinaryOp::Div, sum, b);
                    }
                };
                self.binary(binary, a, b)
            }
        }
    }
}

fn not_a_number(dtype: DType) -> u64 {
    match dtype.class() {
        Class::Float => eval::nan(dtype).expect("a float has one"),
        Class::Bool => 1,
        Class::Signed | Class::Unsigned => u64::MAX >> (64 - dtype.bits()),
    }
}
