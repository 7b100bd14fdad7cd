//! Products of small matrices as movements between lanes and sums of products, where a device lacks them.
//!
//! A loop goes over the groups of four columns, and adds the two terms of a group to every sum. Which word of which lane
//! has an element is asked of the layout itself: both are the exclusive or of a function of the own lane and one of the
//! group, each of which permutes bits, so they are found from the powers of two. A loop, since a kernel with four
//! products written out is a third of a million characters, which the makers' compilers take ten seconds for.
//!
//! Invariants
//! - The terms of a sum are added in the order of `eval`.

use super::{exact, tile};
use crate::{
    facts::Facts,
    rewrite::{Visit, Walk, rewrite},
    target::Target,
};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Inst, Kernel, Op, Type, Value, Var},
    matrix::{Atom, ByBits, LANES, wide::Wide},
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

/// Whether the target has the product of a matrix in registers and one in shared memory.
fn is_native_wide(target: Target, facts: &Facts, wide: Wide) -> bool {
    match target {
        Target::C(..) => facts.has_wide(wide),
        Target::Vulkan(_) => false,
        Target::Cpu => true,
    }
}

/// The kernel with a sequence for each product that the target lacks.
pub(super) fn expand(kernel: &Kernel, target: Target, facts: &Facts) -> Kernel {
    let lacks = |&v: &Value| {
        let op = &kernel[v].op;
        matches!(*op, Op::Matrix(atom, _) if !is_native(target, facts, atom))
            || matches!(*op, Op::Wide { wide, .. } if !is_native_wide(target, facts, wide))
    };
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
            let sums = product(&mut walk.new, *atom, all);
            let packed = walk.new.push(Op::Pack(sums.clone()), ty);
            self.parts.insert(packed, sums);
            return walk.set(old, packed);
        }
        if let Op::Wide { wide, sums, tile, words } = &op
            && !is_native_wide(self.target, &self.facts, *wide)
        {
            return tile::expand(&mut walk.new, *wide, [*sums, *tile], words);
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

/// The elements of the own lane's part of the result.
fn product(b: &mut Builder, atom: Atom, all: &[Value]) -> Vec<Value> {
    let first = (atom.a_words() + atom.b_words()) as usize;
    let sums: Vec<Var> = (first..first + atom.sums() as usize)
        .map(|operand| {
            let sum = b.var("sum", atom.sum());
            b.push_unit(Op::Set(sum, all[operand]));
            sum
        })
        .collect();
    let lane = b.id(IdOp::Lane);
    let [zero, end, one] = [0, groups(atom), 1].map(|n: u32| b.constant(DType::U32, u64::from(n)));
    let group = b.begin_for(zero, end, one);
    let known = HashMap::new();
    let mut step = Step { b, atom, all, lane, group, words: known, numbers: HashMap::new() };
    for (i, &sum) in (0..).zip(&sums) {
        step.add(i, sum);
    }
    b.close_block();
    sums.iter().map(|&sum| b.push(Op::Get(sum), Type::Scalar(atom.sum()))).collect()
}

/// Groups of four columns.
fn groups(atom: Atom) -> u32 {
    atom.k() / 4
}

/// Where lanes find a word: numbers of the lane, and of the group in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Held {
    /// The lane that has it: the exclusive or of a number of the own lane and one of the group.
    lane: ByBits,
    lane_of_group: ByBits,
    /// Which of that lane's words it is.
    word: ByBits,
    /// The bit where what is sought begins.
    bit: ByBits,
}

impl Held {
    /// What a function of the own lane and the group is that gives lane, word and bit.
    fn new(atom: Atom, at: impl Fn(u32, u32) -> (u32, u32, u32)) -> Held {
        let of_group = |f: &dyn Fn(u32) -> u32| ByBits::new(groups(atom).trailing_zeros(), f);
        Held {
            lane: ByBits::of_lane(|own| at(own, 0).0),
            lane_of_group: of_group(&|group| at(0, group).0 ^ at(0, 0).0),
            word: of_group(&|group| at(0, group).1),
            bit: of_group(&|group| at(0, group).2),
        }
    }

    /// The two kept values of the row of sum `i`.
    fn values(atom: Atom, i: u32) -> Held {
        let per = atom.per_word();
        Held::new(atom, |own, group| {
            let first = 2 * group;
            let at = (atom.d_at(own, i).0, first / per * per);
            let (lane, word) = find(atom.a_words(), |lane, word| atom.a_at(lane, word) == at);
            (lane, word, first % per * atom.bits())
        })
    }

    /// Where they stand.
    fn places(atom: Atom, i: u32) -> Held {
        Held::new(atom, |own, group| {
            let (lane, bit) = atom.places_at(atom.d_at(own, i).0, group);
            (lane, 0, bit)
        })
    }

    /// The elements of `b` in the column of sum `i`, from the group's row `from` on.
    fn column(atom: Atom, i: u32, from: u32) -> Held {
        let per = atom.per_word();
        Held::new(atom, |own, group| {
            let first = 4 * group + from;
            let at = (first / per * per, atom.d_at(own, i).1);
            let (lane, word) = find(atom.b_words(), |lane, word| atom.b_at(lane, word) == at);
            (lane, word, first % per * atom.bits())
        })
    }
}

/// The lane and the word for which something holds.
fn find(words: u32, holds: impl Fn(u32, u32) -> bool) -> (u32, u32) {
    let mut all = (0..words).flat_map(|word| (0..LANES).map(move |lane| (lane, word)));
    all.find(|&(lane, word)| holds(lane, word)).expect("each element is in a lane")
}

/// A number that depends on `x` by bits.
pub(super) fn by_bits(b: &mut Builder, number: ByBits, x: Value) -> Value {
    let word = |b: &mut Builder, n: u32| b.constant(DType::U32, n.into());
    let op = |b: &mut Builder, op, x, y| b.push(Op::Binary(op, x, y), Type::Scalar(DType::U32));
    let mut all = word(b, number.first());
    for (mask, by) in number.parts() {
        let mask = word(b, mask);
        let mut part = op(b, BinaryOp::And, x, mask);
        if by != 0 {
            let shift = if by > 0 { BinaryOp::Shl } else { BinaryOp::Shr };
            let by = word(b, by.unsigned_abs());
            part = op(b, shift, part, by);
        }
        all = op(b, BinaryOp::Xor, all, part);
    }
    all
}

/// The terms of a group being written.
struct Step<'a> {
    b: &'a mut Builder,
    atom: Atom,
    all: &'a [Value],
    lane: Value,
    group: Value,
    /// Words by their first operand, shifted so that what is sought is lowest.
    words: HashMap<(usize, Held), Value>,
    /// Their elements as numbers.
    numbers: HashMap<(usize, Held, u32), Value>,
}

impl Step<'_> {
    fn op(&mut self, op: BinaryOp, x: Value, y: Value) -> Value {
        let ty = self.b.kernel()[x].ty;
        self.b.push(Op::Binary(op, x, y), ty)
    }

    fn with(&mut self, op: BinaryOp, x: Value, n: u32) -> Value {
        let n = self.b.constant(DType::U32, n.into());
        self.op(op, x, n)
    }

    fn select(&mut self, test: Value, yes: Value, no: Value) -> Value {
        let ty = self.b.kernel()[yes].ty;
        self.b.push(Op::Select(test, yes, no), ty)
    }

    /// Whether a bit of a word is set.
    fn is_set(&mut self, word: Value, bit: u32) -> Value {
        let bit = self.with(BinaryOp::And, word, 1 << bit);
        let zero = self.b.constant(DType::U32, 0);
        self.b.push(Op::Compare(CompareOp::Ne, bit, zero), Type::Scalar(DType::Bool))
    }

    /// The one of some words that the group names.
    fn pick(&mut self, words: &[Value], number: ByBits) -> Value {
        let mut words = words.to_vec();
        let at = by_bits(self.b, number, self.group);
        for bit in 0..words.len().trailing_zeros() {
            let set = |group: u32| number.at(group) >> bit & 1;
            let never_changes = (0..groups(self.atom)).all(|group| set(group) == set(0));
            let test = (!never_changes).then(|| self.is_set(at, bit));
            words = words
                .chunks(2)
                .map(|pair| match test {
                    Some(test) => self.select(test, pair[1], pair[0]),
                    None => pair[set(0) as usize],
                })
                .collect();
        }
        words[0]
    }

    /// A word that begins with what is sought: one of `count` operands from `first` on, of some lane.
    fn word(&mut self, first: usize, count: u32, held: Held) -> Value {
        if let Some(&v) = self.words.get(&(first, held)) {
            return v;
        }
        let all = self.all;
        // The group is the same in all lanes, so every lane picks the same word.
        let word = self.pick(&all[first..first + count as usize], held.word);
        let own = by_bits(self.b, held.lane, self.lane);
        let change = by_bits(self.b, held.lane_of_group, self.group);
        let lane = self.op(BinaryOp::Xor, own, change);
        let ty = Type::Scalar(DType::U32);
        let word = self.b.push(Op::Shuffle(ShuffleOp::Any, word, lane), ty);
        let bit = by_bits(self.b, held.bit, self.group);
        let word = self.op(BinaryOp::Shr, word, bit);
        self.words.insert((first, held), word);
        word
    }

    /// Element `e` of such a word, of a dtype, as a number of the dtype of sums.
    fn element(&mut self, first: usize, count: u32, held: Held, e: u32, dtype: DType) -> Value {
        if let Some(&v) = self.numbers.get(&(first, held, e)) {
            return v;
        }
        let word = self.word(first, count, held);
        let word = self.with(BinaryOp::Shr, word, e * dtype.bits());
        let number = self.number(word, dtype);
        self.numbers.insert((first, held, e), number);
        number
    }

    /// The lowest element of a word, of a dtype, as a number of the dtype of sums.
    fn number(&mut self, word: Value, dtype: DType) -> Value {
        number(self.b, dtype, self.atom.sum(), word)
    }

    /// Adds the group's two terms to sum `i`.
    fn add(&mut self, i: u32, sum: Var) {
        let atom = self.atom;
        let [of_a, of_b] = atom.elements();
        let (a, b) = (atom.a_words(), atom.b_words());
        let per = atom.per_word().min(4);
        let places = self.word(atom.operands() - 1, 1, Held::places(atom, i));
        let rows: [Value; 4] = std::array::from_fn(|row| {
            let (from, e) = (row as u32 / per * per, row as u32 % per);
            self.element(a as usize, b, Held::column(atom, i, from), e, of_b)
        });
        let ty = Type::Scalar(atom.sum());
        let mut total = self.b.push(Op::Get(sum), ty);
        for e in 0..2 {
            let value = self.element(0, a, Held::values(atom, i), e, of_a);
            let [low, high] = [2 * e, 2 * e + 1].map(|bit| self.is_set(places, bit));
            let [even, odd] = [0, 2].map(|row| self.select(low, rows[row + 1], rows[row]));
            let met = self.select(high, odd, even);
            total = if atom.is_float() {
                self.b.push(Op::Fma(value, met, total), ty)
            } else {
                let term = self.op(BinaryOp::Mul, value, met);
                self.op(BinaryOp::Add, total, term)
            };
        }
        self.b.push_unit(Op::Set(sum, total));
    }
}

/// The lowest element of a word, of a dtype, as a number of a dtype of sums.
pub(super) fn number(b: &mut Builder, dtype: DType, sum: DType, word: Value) -> Value {
    let word_ty = Type::Scalar(DType::U32);
    let by = |b: &mut Builder, op, x: Value, n: u32| {
        let n = b.constant(DType::U32, n.into());
        b.push(Op::Binary(op, x, n), word_ty)
    };
    if dtype.is_int() {
        // Its sign goes to the top, and comes back with what is above it.
        let unused = 32 - dtype.bits();
        let high = by(b, BinaryOp::Shl, word, unused);
        if !dtype.is_signed() {
            let low = by(b, BinaryOp::Shr, high, unused);
            return b.push(Op::Bitcast(low), Type::Scalar(sum));
        }
        let high = b.push(Op::Bitcast(high), Type::Scalar(sum));
        let unused = b.constant(sum, unused.into());
        return b.push(Op::Binary(BinaryOp::Shr, high, unused), Type::Scalar(sum));
    }
    if dtype.bits() == 8 {
        let code = by(b, BinaryOp::And, word, 0xff);
        return exact::decode(b, dtype, code);
    }
    let code = b.push(Op::Cast(word), Type::Scalar(DType::U16));
    let element = b.push(Op::Bitcast(code), Type::Scalar(dtype));
    b.push(Op::Cast(element), Type::Scalar(sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read off the powers of two holds for every lane and group.
    #[test]
    fn words_are_found_by_bits() {
        for &atom in Atom::ALL {
            let per = atom.per_word();
            let at = |held: Held, own, group| {
                let lane = held.lane.at(own) ^ held.lane_of_group.at(group);
                (lane, held.word.at(group), held.bit.at(group) / atom.bits())
            };
            for (i, group, own) in (0..atom.sums()).flat_map(|i| {
                (0..groups(atom)).flat_map(move |group| (0..LANES).map(move |own| (i, group, own)))
            }) {
                let (row, column) = atom.d_at(own, i);
                let (lane, word, e) = at(Held::values(atom, i), own, group);
                let (r, first) = atom.a_at(lane, word);
                assert_eq!((r, first + e), (row, 2 * group), "{atom:?}");
                let places = Held::places(atom, i);
                let lane = places.lane.at(own) ^ places.lane_of_group.at(group);
                assert_eq!((lane, places.bit.at(group)), atom.places_at(row, group), "{atom:?}");
                for from in (0..4).step_by(per.min(4) as usize) {
                    let (lane, word, e) = at(Held::column(atom, i, from), own, group);
                    let (first, c) = atom.b_at(lane, word);
                    assert_eq!((first + e, c), (4 * group + from, column), "{atom:?}");
                }
            }
        }
    }
}
