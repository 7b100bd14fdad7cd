//! Products of small matrices as movements between lanes and sums of products, where a device lacks them.
//!
//! Which lane has an element is asked of the layout itself: for one element of the result and one kept value, the lane
//! that holds a word is a function of the own lane that permutes its bits, so it is found from the powers of two.
//!
//! Invariants
//! - The terms of a sum are added in the order of `eval`.

use super::exact;
use crate::{
    facts::Facts,
    rewrite::{Visit, Walk, rewrite},
    target::Target,
};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Inst, Kernel, Op, Type, Value},
    matrix::{Atom, LANES, OfLane},
    ops::{BinaryOp, CompareOp, IdOp, ShuffleOp},
};
use std::collections::HashMap;

/// Whether the target has the product.
pub(super) fn is_native(target: Target, facts: &Facts, atom: Atom) -> bool {
    match target {
        Target::C(..) => facts.has_matrix(atom),
        Target::Vulkan(_) => false,
        Target::Cpu => true,
    }
}

/// The kernel with a sequence for each product that the target lacks.
pub(super) fn expand(kernel: &Kernel, target: Target, facts: &Facts) -> Kernel {
    let lacks =
        |&v: &Value| matches!(kernel[v].op, Op::Matrix(atom, _) if !is_native(target, facts, atom));
    if !kernel.blocks.iter().flatten().any(lacks) {
        return kernel.clone();
    }
    rewrite(kernel, &mut Expand { target, facts: *facts, parts: HashMap::new() })
}

struct Expand {
    target: Target,
    facts: Facts,
    /// The elements of each product.
    parts: HashMap<Value, Vec<Value>>,
}

impl Visit for Expand {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        let Inst { op, ty, .. } = walk.mapped(old);
        if let Op::Matrix(atom, all) = &op
            && !is_native(self.target, &self.facts, *atom)
        {
            let mut product = Product::new(&mut walk.new, *atom, all);
            let sums: Vec<Value> = (0..atom.sums()).map(|i| product.sum(i)).collect();
            let packed = walk.new.push(Op::Pack(sums.clone()), ty);
            self.parts.insert(packed, sums);
            return walk.set(old, packed);
        }
        if let Op::Extract(vector, element) = op
            && let Some(sums) = self.parts.get(&vector)
        {
            let sum = sums[usize::from(element)];
            return walk.set(old, sum);
        }
        walk.copy(self, old);
    }
}

/// A product being written.
struct Product<'a> {
    b: &'a mut Builder,
    atom: Atom,
    all: &'a [Value],
    lane: Value,
    /// Operands as other lanes have them.
    moved: HashMap<(usize, OfLane), Value>,
    /// Their elements as numbers: operand, lane, element.
    numbers: HashMap<(usize, OfLane, u32), Value>,
}

impl<'a> Product<'a> {
    fn new(b: &'a mut Builder, atom: Atom, all: &'a [Value]) -> Product<'a> {
        let lane = b.id(IdOp::Lane);
        Product { b, atom, all, lane, moved: HashMap::new(), numbers: HashMap::new() }
    }

    fn word(&mut self, n: u32) -> Value {
        self.b.constant(DType::U32, n.into())
    }

    fn op(&mut self, op: BinaryOp, x: Value, y: Value) -> Value {
        let ty = self.b.kernel()[x].ty;
        self.b.push(Op::Binary(op, x, y), ty)
    }

    fn with(&mut self, op: BinaryOp, x: Value, n: u32) -> Value {
        let n = self.word(n);
        self.op(op, x, n)
    }

    /// An operand as the lane has it that a function of the own lane names.
    fn moved(&mut self, operand: usize, from: OfLane) -> Value {
        if let Some(&v) = self.moved.get(&(operand, from)) {
            return v;
        }
        let mut lane = self.word(from.first());
        for (mask, by) in from.parts() {
            let own = self.lane;
            let mut part = self.with(BinaryOp::And, own, mask);
            if by > 0 {
                part = self.with(BinaryOp::Shl, part, by.unsigned_abs());
            } else if by < 0 {
                part = self.with(BinaryOp::Shr, part, by.unsigned_abs());
            }
            lane = self.op(BinaryOp::Xor, lane, part);
        }
        let x = self.all[operand];
        let ty = self.b.kernel()[x].ty;
        let v = self.b.push(Op::Shuffle(ShuffleOp::Any, x, lane), ty);
        self.moved.insert((operand, from), v);
        v
    }

    /// The lowest element of a word, of a dtype, as a number of the dtype of sums.
    fn number(&mut self, word: Value, dtype: DType) -> Value {
        let sum = Type::Scalar(self.atom.sum());
        if dtype.is_int() {
            // Its sign goes to the top, and comes back with what is above it.
            let unused = 32 - dtype.bits();
            let high = self.with(BinaryOp::Shl, word, unused);
            if !dtype.is_signed() {
                let low = self.with(BinaryOp::Shr, high, unused);
                return self.b.push(Op::Bitcast(low), sum);
            }
            let high = self.b.push(Op::Bitcast(high), sum);
            let by = self.b.constant(self.atom.sum(), unused.into());
            return self.b.push(Op::Binary(BinaryOp::Shr, high, by), sum);
        }
        if dtype.bits() == 8 {
            let code = self.with(BinaryOp::And, word, 0xff);
            return exact::decode(self.b, dtype, code);
        }
        let code = self.b.push(Op::Cast(word), Type::Scalar(DType::U16));
        let element = self.b.push(Op::Bitcast(code), Type::Scalar(dtype));
        self.b.push(Op::Cast(element), sum)
    }

    /// Kept value `q` of the row of sum `i`.
    fn value(&mut self, i: u32, q: u32) -> Value {
        let atom = self.atom;
        let per = atom.per_word();
        let row = |lane| atom.d_at(lane, i).0;
        let holds = |lane: u32, word, row| {
            let (r, col) = atom.a_at(lane, word);
            r == row && col == q / per * per
        };
        let (operand, from) = find(atom.a_words(), row, holds);
        let key = (operand as usize, from, q % per);
        if let Some(&v) = self.numbers.get(&key) {
            return v;
        }
        let word = self.moved(operand as usize, from);
        let word = self.with(BinaryOp::Shr, word, q % per * atom.bits());
        let v = self.number(word, atom.elements()[0]);
        self.numbers.insert(key, v);
        v
    }

    /// Where in its group kept value `q` of the row of sum `i` stands.
    fn place(&mut self, i: u32, q: u32) -> Value {
        let atom = self.atom;
        let at = |lane| atom.places_at(atom.d_at(lane, i).0, q / 2);
        let operand = atom.operands() - 1;
        let word = self.moved(operand, OfLane::new(|lane| at(lane).0));
        let word = self.with(BinaryOp::Shr, word, at(0).1 + q % 2 * 2);
        self.with(BinaryOp::And, word, 3)
    }

    /// The element of `b` in the column of sum `i` that stands at a place of group `group`.
    fn met(&mut self, i: u32, group: u32, place: Value) -> Value {
        let atom = self.atom;
        let per = atom.per_word();
        // A word may have more than the group.
        let first = 4 * group / per * per;
        let words: Vec<Value> = (0..(4 / per).max(1))
            .map(|part| {
                let col = |lane| atom.d_at(lane, i).1;
                let holds =
                    |lane: u32, word, col| atom.b_at(lane, word) == (first + part * per, col);
                let (word, from) = find(atom.b_words(), col, holds);
                self.moved((atom.a_words() + word) as usize, from)
            })
            .collect();
        let word = match words[..] {
            [low, high] => {
                let two = self.word(2);
                let upper = Op::Compare(CompareOp::Ge, place, two);
                let upper = self.b.push(upper, Type::Scalar(DType::Bool));
                self.b.push(Op::Select(upper, high, low), Type::Scalar(DType::U32))
            }
            _ => words[0],
        };
        let within = self.with(BinaryOp::And, place, per.min(4) - 1);
        let bit = self.with(BinaryOp::Mul, within, atom.bits());
        let first = (4 * group - first) * atom.bits();
        let bit = if first > 0 { self.with(BinaryOp::Add, bit, first) } else { bit };
        let word = self.op(BinaryOp::Shr, word, bit);
        self.number(word, atom.elements()[1])
    }

    /// Element `i` of the own lane's part of the result.
    fn sum(&mut self, i: u32) -> Value {
        let atom = self.atom;
        let mut sum = self.all[(atom.a_words() + atom.b_words() + i) as usize];
        for q in 0..atom.k() / 2 {
            let value = self.value(i, q);
            let place = self.place(i, q);
            let met = self.met(i, q / 2, place);
            sum = if atom.sum() == DType::F32 {
                self.b.push(Op::Fma(value, met, sum), Type::Scalar(DType::F32))
            } else {
                let term = self.op(BinaryOp::Mul, value, met);
                self.op(BinaryOp::Add, sum, term)
            };
        }
        sum
    }
}

/// The word, and the lane as a function of the own one, that hold what a lane seeks: `what` of the own lane.
fn find(
    words: u32,
    what: impl Fn(u32) -> u32,
    holds: impl Fn(u32, u32, u32) -> bool,
) -> (u32, OfLane) {
    let place = |own: u32| {
        let mut all = (0..words).flat_map(|word| (0..LANES).map(move |lane| (word, lane)));
        let sought = what(own);
        all.find(|&(word, lane)| holds(lane, word, sought)).expect("each element is in a lane")
    };
    (place(0).0, OfLane::new(|own| place(own).1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read off the powers of two holds for every lane, and one word serves all.
    #[test]
    fn lanes_are_found_by_their_bits() {
        for &atom in Atom::ALL {
            let per = atom.per_word();
            for i in 0..atom.sums() {
                for q in 0..atom.k() / 2 {
                    let row = |lane| atom.d_at(lane, i).0;
                    let (word, from_a) = find(atom.a_words(), row, |lane, word, row| {
                        atom.a_at(lane, word) == (row, q / per * per)
                    });
                    let places = OfLane::new(|lane| atom.places_at(row(lane), q / 2).0);
                    for lane in 0..LANES {
                        let at = atom.a_at(from_a.at(lane), word);
                        assert_eq!(at, (row(lane), q / per * per), "{atom:?}");
                        let (holder, bit) = atom.places_at(row(lane), q / 2);
                        assert_eq!(places.at(lane), holder);
                        assert_eq!(bit, atom.places_at(row(0), q / 2).1);
                    }
                }
                for first in (0..atom.k()).step_by(per as usize) {
                    let col = |lane| atom.d_at(lane, i).1;
                    let (word, from_b) = find(atom.b_words(), col, |lane, word, col| {
                        atom.b_at(lane, word) == (first, col)
                    });
                    for lane in 0..LANES {
                        assert_eq!(atom.b_at(from_b.at(lane), word), (first, col(lane)));
                    }
                }
            }
        }
    }
}
