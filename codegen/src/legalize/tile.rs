//! Products of a matrix in registers and one in shared memory as loops over groups and columns, where a device lacks them.
//!
//! Where something lies is asked of the layout itself: each place is a function of the own lane and of the group that
//! permutes bits, so it is found from the powers of two.
//!
//! Invariants
//! - The terms of a sum are added in the order of `eval`.

use super::matrix::{by_bits, number};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Array, Op, Place, Space, Type, Value},
    matrix::{ByBits, LANES, wide::Wide},
    ops::{BinaryOp, IdOp, ShuffleOp},
};

/// Bits of a lane's number.
const LANE_BITS: u32 = LANES.trailing_zeros();
/// Sums of a lane in eight columns: two of each of two rows.
const SUMS: u32 = 4;

/// What the hardware would do, of operands that are mapped.
pub(super) fn expand(b: &mut Builder, wide: Wide, [sums, tile]: [Array; 2], words: &[Value]) {
    let given = b.array("given", Space::Private, DType::U32, words.len() as u32);
    let lane = b.id(IdOp::Lane);
    let mut w = Written { b, wide, lane };
    for (i, &word) in words.iter().enumerate() {
        let at = w.word(i as u32);
        w.b.push_unit(Op::Store(Place::Array(given), at, word));
    }
    let [zero, groups, one] = [0, wide.k() / 4, 1].map(|n| w.word(n));
    let group = w.b.begin_for(zero, groups, one);
    let terms: Vec<Term> = (0..SUMS / 2)
        .flat_map(|half| (0..2).map(move |p| (half, p)))
        .map(|(half, p)| w.term(given, group, half, p))
        .collect();
    let [zero, blocks, one] = [0, wide.sums() / SUMS, 1].map(|n| w.word(n));
    let block = w.b.begin_for(zero, blocks, one);
    let first = w.with(BinaryOp::Mul, block, SUMS);
    let further = w.with(BinaryOp::Mul, block, wide.tile_at(0, 8));
    for i in 0..SUMS {
        let at = w.with(BinaryOp::Add, first, i);
        let sum = Type::Scalar(wide.sum());
        let mut x = w.b.push(Op::Load(Place::Array(sums), at), sum);
        for term in &terms[i as usize / 2 * 2..][..2] {
            let word = w.op(BinaryOp::Add, term.words[i as usize % 2], further);
            let word = w.b.push(Op::Load(Place::Array(tile), word), Type::Scalar(DType::U32));
            let word = w.op(BinaryOp::Shr, word, term.shift);
            let met = number(w.b, wide.elements()[1], wide.sum(), word);
            x = if wide.is_float() {
                w.b.push(Op::Fma(term.value, met, x), sum)
            } else {
                let product = w.op(BinaryOp::Mul, term.value, met);
                w.op(BinaryOp::Add, x, product)
            };
        }
        w.b.push_unit(Op::Store(Place::Array(sums), at, x));
    }
    w.b.close_block();
    w.b.close_block();
}

/// A kept value, and what it meets in the first eight columns.
struct Term {
    value: Value,
    /// The words of the tile in the lane's two columns.
    words: [Value; 2],
    /// Where in them the element is.
    shift: Value,
}

struct Written<'a> {
    b: &'a mut Builder,
    wide: Wide,
    lane: Value,
}

impl Written<'_> {
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

    /// An operand, the same for all lanes, as another lane gives it.
    fn moved(&mut self, given: Array, operand: Value, from: Value) -> Value {
        let ty = Type::Scalar(DType::U32);
        let word = self.b.push(Op::Load(Place::Array(given), operand), ty);
        self.b.push(Op::Shuffle(ShuffleOp::Any, word, from), ty)
    }

    /// Kept value `p` of a group of the row of half `half`.
    fn term(&mut self, given: Array, group: Value, half: u32, p: u32) -> Term {
        let (wide, lane) = (self.wide, self.lane);
        let group = self.with(BinaryOp::Shl, group, LANE_BITS);
        let index = self.op(BinaryOp::Or, lane, group);
        let layout = Layout { wide, half, p };
        let bits = layout.bits();
        let mut found = |f: &dyn Fn(u32, u32) -> u32| by_bits(self.b, of_lane_and(bits, f), index);
        let operand = found(&|lane, group| layout.value(lane, group).0);
        let from = found(&|lane, group| layout.value(lane, group).1);
        let shift = found(&|lane, group| layout.value(lane, group).2);
        let of_places = found(&|lane, group| layout.places(lane, group).0);
        let from_places = found(&|lane, group| layout.places(lane, group).1);
        let bit = found(&|lane, group| layout.places(lane, group).2);
        let word = self.moved(given, operand, from);
        let word = self.op(BinaryOp::Shr, word, shift);
        let value = number(self.b, wide.elements()[0], wide.sum(), word);
        let places = self.moved(given, of_places, from_places);
        let places = self.op(BinaryOp::Shr, places, bit);
        let place = self.with(BinaryOp::And, places, 3);
        let per = wide.per_word();
        let which = self.with(BinaryOp::Shr, place, per.trailing_zeros());
        let which = self.with(BinaryOp::Shl, which, LANE_BITS + bits);
        let index = self.op(BinaryOp::Or, index, which);
        let words = [0, 1].map(|e| {
            let of =
                of_lane_and(bits + layout.more_bits(), &|lane, group| layout.met(lane, group, e));
            by_bits(self.b, of, index)
        });
        let within = self.with(BinaryOp::And, place, per - 1);
        let shift = self.with(BinaryOp::Mul, within, wide.bits());
        Term { value, words, shift }
    }
}

/// Where what a lane multiplies lies: value `p` of a group of its row of half `half`.
#[derive(Clone, Copy)]
struct Layout {
    wide: Wide,
    half: u32,
    p: u32,
}

impl Layout {
    /// Bits of a group's number.
    fn bits(&self) -> u32 {
        (self.wide.k() / 4).trailing_zeros()
    }

    /// Bits that say which word of a group's it is.
    fn more_bits(&self) -> u32 {
        (4 / self.wide.per_word()).trailing_zeros()
    }

    /// The operand and the lane that have the value, and its lowest bit; the operand is of the group alone.
    fn value(&self, lane: u32, group: u32) -> (u32, u32, u32) {
        let (wide, per) = (self.wide, self.wide.per_word());
        let (row, col) = (wide.d_at(lane, 2 * self.half).0, 2 * group + self.p);
        let mut all = (0..wide.a_words()).flat_map(|word| (0..LANES).map(move |l| (word, l)));
        let holds = |&(word, l): &(u32, u32)| wide.a_at(l, word) == (row, col / per * per);
        let (word, l) = all.find(holds).expect("each value is in a lane");
        (word, l, col % per * wide.bits())
    }

    /// The operand and the lane that have its place, and the lowest bit; the operand is of the group alone.
    fn places(&self, lane: u32, group: u32) -> (u32, u32, u32) {
        let row = self.wide.d_at(lane, 2 * self.half).0;
        let (operand, l, bit) = self.wide.places_at(row, group);
        (operand, l, bit + 2 * self.p)
    }

    /// The tile's word of a group in the lane's column `e`; groups past the last one are the second words of those before.
    fn met(&self, lane: u32, group: u32, e: u32) -> u32 {
        let (wide, groups) = (self.wide, self.wide.k() / 4);
        let first = group % groups * 4 / wide.per_word();
        wide.tile_at(first + group / groups, wide.d_at(lane, e).1)
    }
}

/// A function of a lane and of another number of so many bits, as one of a number that has the lane's bits lowest.
fn of_lane_and(bits: u32, f: &dyn Fn(u32, u32) -> u32) -> ByBits {
    ByBits::new(LANE_BITS + bits, |x| f(x % LANES, x / LANES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(bits: u32, f: &dyn Fn(u32, u32) -> u32) -> bool {
        let of = of_lane_and(bits, f);
        (0..LANES << bits).all(|x| of.at(x) == f(x % LANES, x / LANES))
    }

    /// What is read off the powers of two holds for every lane and group, and columns eight further lie as the first ones.
    #[test]
    fn places_are_found_by_their_bits() {
        for &wide in Wide::ALL {
            for (half, p) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let l = Layout { wide, half, p };
                let bits = l.bits();
                assert!(holds(bits, &|lane, group| l.value(lane, group).0), "{wide:?}");
                assert!(holds(bits, &|lane, group| l.value(lane, group).1), "{wide:?}");
                assert!(holds(bits, &|lane, group| l.value(lane, group).2), "{wide:?}");
                assert!(holds(bits, &|lane, group| l.places(lane, group).0), "{wide:?}");
                assert!(holds(bits, &|lane, group| l.places(lane, group).1), "{wide:?}");
                assert!(holds(bits, &|lane, group| l.places(lane, group).2), "{wide:?}");
                let mut all = (0..LANES << bits).map(|x| (x % LANES, x / LANES));
                assert!(all.all(|(lane, group)| {
                    l.value(lane, group).0 == l.value(0, group).0
                        && l.places(lane, group).0 == l.places(0, group).0
                }));
                for e in [0, 1] {
                    assert!(
                        holds(bits + l.more_bits(), &|lane, group| l.met(lane, group, e)),
                        "{wide:?}"
                    );
                }
            }
            for sum in 0..wide.sums() {
                let (row, col) = wide.d_at(5, sum % SUMS);
                assert_eq!(wide.d_at(5, sum), (row, col + sum / SUMS * 8), "{wide:?}");
                assert_eq!(wide.d_at(5, sum).0, wide.d_at(5, sum / 2 * 2).0, "{wide:?}");
            }
            let words = wide.k() / wide.per_word();
            for (word, col) in (0..words).flat_map(|word| (0..wide.n() - 8).map(move |c| (word, c)))
            {
                let further = wide.tile_at(word, col) + wide.tile_at(0, 8);
                assert_eq!(wide.tile_at(word, col + 8), further, "{wide:?}");
            }
        }
    }
}
