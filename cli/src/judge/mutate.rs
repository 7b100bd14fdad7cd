//! Broken copies of a kernel, which the cases of its operation must notice.
//!
//! A mutant changes all accesses of one parameter in one way, or the loop that stands at one line. It is made from the IR as
//! staged, so that it is as good a kernel as the author's for everyone but the judge.

use evenweave_lang::{
    dtype::{Class, DType},
    eval,
    ir::{Const, Inst, Kernel, Loc, Op, Param, ParamKind, Place, Type, Value},
    launch::{Len, LenOp},
    ops::{BinaryOp, CompareOp},
};
use std::collections::BTreeSet;

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
    /// Loads take the other element of a pair of neighbours: along the innermost axis the order is wrong.
    Swapped,
    /// A loop over tiles leaves out the last one where that is not whole.
    NoTail,
}

impl Damage {
    pub(crate) const ALL: [Damage; 8] = [
        Damage::NoStore,
        Damage::Zeros,
        Damage::Nan,
        Damage::LoadNext,
        Damage::StoreNext,
        Damage::NoLast,
        Damage::Swapped,
        Damage::NoTail,
    ];

    pub(crate) fn words(self) -> &'static str {
        match self {
            Damage::NoStore => "writes nothing to",
            Damage::Zeros => "writes zeros to",
            Damage::Nan => "writes NaN to",
            Damage::LoadNext => "reads the next element of",
            Damage::StoreNext => "writes the next element of",
            Damage::NoLast => "leaves out the last element of",
            Damage::Swapped => "reads neighbours for each other of",
            Damage::NoTail => "leaves out the last, partial round of",
        }
    }
}

/// A way to break a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Mutant {
    pub(crate) at: At,
    pub(crate) damage: Damage,
}

/// What of a kernel is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum At {
    /// All accesses of a parameter, by its number.
    Param(usize),
    /// The loops that stand at a line.
    Line(u32),
}

impl Mutant {
    /// The parameter's name, or where the loop stands.
    pub(crate) fn place(self, kernel: &Kernel) -> String {
        match self.at {
            At::Param(param) => kernel.params[param].name.clone(),
            At::Line(line) => format!("the loop at line {line}"),
        }
    }
}

/// Every mutant that changes something.
pub(crate) fn mutants(kernel: &Kernel) -> Vec<Mutant> {
    let ops = || kernel.blocks.iter().flatten().map(|&v| &kernel[v].op);
    let loaded = |at: Place| ops().any(|op| matches!(op, Op::Load(p, _) if *p == at));
    let params = || (0..kernel.params.len()).map(|param| Place::Param(Param::at(param)));
    // The order within the only thing that is read may not matter: that of a sum's terms does not.
    let several = params().filter(|&at| loaded(at)).count() > 1;
    let mut all = Vec::new();
    for (param, at) in params().enumerate() {
        let loads = loaded(at);
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
                Damage::Swapped => loads && !single && several,
                Damage::NoTail => false,
            };
            if applies {
                all.push(Mutant { at: At::Param(param), damage });
            }
        }
    }
    let lines: BTreeSet<u32> = kernel
        .blocks
        .iter()
        .flatten()
        .filter(|&&v| has_tail(kernel, v))
        .map(|&v| kernel[v].loc.line)
        .collect();
    all.extend(lines.into_iter().map(|line| Mutant { at: At::Line(line), damage: Damage::NoTail }));
    all
}

/// Whether this is a loop in steps of more than one whose last may not be whole.
fn has_tail(kernel: &Kernel, v: Value) -> bool {
    let Op::For { end, step, .. } = kernel[v].op else { return false };
    let known = |v: Value| match kernel[v].op {
        Op::Const(Const { bits }) => Some(bits),
        _ => None,
    };
    known(step).is_some_and(|step| step > 1 && known(end).is_none_or(|end| end % step != 0))
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
        let damage = self.mutant.damage;
        let target = match self.mutant.at {
            At::Param(param) => Place::Param(Param::at(param)),
            At::Line(line) => {
                if self.loc.line == line && has_tail(self.kernel, v) {
                    self.cut(v);
                }
                self.kernel.blocks[self.block].push(v);
                return;
            }
        };
        let op = match self.kernel[v].op.clone() {
            Op::Store(place, index, value) if place == target => match damage {
                Damage::NoStore => return,
                Damage::Zeros => Op::Store(place, index, self.fixed(value, |_| 0)),
                Damage::Nan => Op::Store(place, index, self.fixed(value, not_a_number)),
                Damage::StoreNext => Op::Store(place, self.next(index), value),
                Damage::NoLast => return self.unless_last(v, index),
                Damage::LoadNext | Damage::Swapped | Damage::NoTail => {
                    Op::Store(place, index, value)
                }
            },
            Op::Load(place, index) if place == target && damage == Damage::LoadNext => {
                Op::Load(place, self.next(index))
            }
            Op::Load(place, index) if place == target && damage == Damage::Swapped => {
                Op::Load(place, self.neighbour(index))
            }
            Op::Atomic(op, place, index, value) if place == target => match damage {
                Damage::NoStore => Op::Load(place, index),
                Damage::StoreNext => Op::Atomic(op, place, self.next(index), value),
                Damage::Zeros
                | Damage::Nan
                | Damage::LoadNext
                | Damage::NoLast
                | Damage::Swapped
                | Damage::NoTail => Op::Atomic(op, place, index, value),
            },
            Op::CompareExchange { at, index, expected, value } if at == target => match damage {
                Damage::NoStore => Op::Load(at, index),
                Damage::StoreNext => {
                    Op::CompareExchange { at, index: self.next(index), expected, value }
                }
                Damage::Zeros
                | Damage::Nan
                | Damage::LoadNext
                | Damage::NoLast
                | Damage::Swapped
                | Damage::NoTail => Op::CompareExchange { at, index, expected, value },
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

    /// A loop ends where its last whole step does.
    fn cut(&mut self, v: Value) {
        let Op::For { start, end, step, body } = self.kernel[v].op else {
            unreachable!("only loops have tails")
        };
        let ty = self.kernel[end].ty;
        let rest = self.push(Op::Binary(BinaryOp::Rem, end, step), ty);
        let end = self.push(Op::Binary(BinaryOp::Sub, end, rest), ty);
        self.kernel.insts[v.index()].op = Op::For { start, end, step, body };
    }

    /// The other element of the pair that `index` is in. A last one without a partner takes the one before, so that an operation to
    /// which the order means nothing lacks one.
    fn neighbour(&mut self, index: Value) -> Value {
        let (index, last) = (self.wide(index), self.last());
        let one = self.word(1);
        let other = self.binary(BinaryOp::Xor, index, one);
        let some = self.binary(BinaryOp::Max, last, one);
        let before = self.binary(BinaryOp::Sub, some, one);
        let there = self.push(Op::Compare(CompareOp::Le, other, last), Type::Scalar(DType::Bool));
        self.push(Op::Select(there, other, before), Type::Scalar(DType::U64))
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
        let At::Param(param) = self.mutant.at else { unreachable!("a loop has no elements") };
        let (kind, param) = (self.kernel.params[param].kind.clone(), Param::at(param));
        match kind {
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
