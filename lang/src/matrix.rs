//! Products of small matrices by the 32 lanes of a subgroup: their shapes, and which lane holds what.
//!
//! `d = a b + c`, where `a` is 2:4 along k: each lane gives words of kept values of `a`, words of `b`, elements of `c`
//! and one word of places, and takes elements of `d`. Narrow elements lie in words, the first in the lowest bits. A
//! group of four columns of `a` has two kept values, and four bits of places: two bits a value, those of the first lower.
//!
//! Invariants
//! - A layout is one formula a row, read by the law (`eval`), by the sequence for devices that lack it, and by kernels.
//! - Every element of `a`, `b` and `d` is in exactly one lane, and each group's places are in exactly one.
//! - Places of a group ascend. What lanes hold beside their part of the places is not read.

use crate::{dtype::DType, ops::Tier};

/// Lanes that compute a product.
pub const LANES: u32 = 32;

/// A product of small matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// 16 x 8 x 64 of i8 into i32, a row of `a` over the four lanes of a quad.
    I8m16n8k64,
    /// 16 x 8 x 32 of f16 into f32, in the same order of lanes.
    F16m16n8k32,
    /// 16 x 8 x 32 of bf16 into f32, in the same order of lanes.
    Bf16m16n8k32,
    /// 16 x 16 x 32 of i8 into i32, a row of `a` over two lanes.
    I8m16n16k32,
    /// 16 x 16 x 32 of f16 into f32, in the same order of lanes.
    F16m16n16k32,
    /// 16 x 16 x 32 of bf16 into f32, in the same order of lanes.
    Bf16m16n16k32,
}

/// A row and a column.
pub type Place = (u32, u32);

impl Atom {
    /// Every one.
    pub const ALL: [Atom; 6] = [
        Atom::I8m16n8k64,
        Atom::F16m16n8k32,
        Atom::Bf16m16n8k32,
        Atom::I8m16n16k32,
        Atom::F16m16n16k32,
        Atom::Bf16m16n16k32,
    ];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Atom::I8m16n8k64 => "sparse24_i8_m16n8k64",
            Atom::F16m16n8k32 => "sparse24_f16_m16n8k32",
            Atom::Bf16m16n8k32 => "sparse24_bf16_m16n8k32",
            Atom::I8m16n16k32 => "sparse24_i8_m16n16k32",
            Atom::F16m16n16k32 => "sparse24_f16_m16n16k32",
            Atom::Bf16m16n16k32 => "sparse24_bf16_m16n16k32",
        }
    }

    /// The one with this name.
    pub fn parse(name: &str) -> Option<Atom> {
        Atom::ALL.into_iter().find(|atom| atom.name() == name)
    }

    /// The dtype of the elements of `a` and `b`.
    pub const fn element(self) -> DType {
        match self {
            Atom::I8m16n8k64 | Atom::I8m16n16k32 => DType::I8,
            Atom::F16m16n8k32 | Atom::F16m16n16k32 => DType::F16,
            Atom::Bf16m16n8k32 | Atom::Bf16m16n16k32 => DType::BF16,
        }
    }

    /// The dtype of sums.
    pub const fn sum(self) -> DType {
        if self.element().is_float() { DType::F32 } else { DType::I32 }
    }

    /// How far devices agree: sums of integers wrap, whatever their order; hardware adds floats in an order of its own.
    pub const fn tier(self) -> Tier {
        if self.element().is_float() { Tier::Bounded } else { Tier::Exact }
    }

    /// Columns of `a`, as they are without compression.
    pub const fn k(self) -> u32 {
        match self {
            Atom::I8m16n8k64 => 64,
            Atom::F16m16n8k32
            | Atom::Bf16m16n8k32
            | Atom::I8m16n16k32
            | Atom::F16m16n16k32
            | Atom::Bf16m16n16k32 => 32,
        }
    }

    /// Columns of `b`.
    pub const fn n(self) -> u32 {
        if self.quads() { 8 } else { 16 }
    }

    /// Rows of `a`.
    pub const fn m(self) -> u32 {
        16
    }

    /// Whether rows lie over quads of lanes, two to a quad; else over the two halves of the subgroup.
    pub const fn quads(self) -> bool {
        matches!(self, Atom::I8m16n8k64 | Atom::F16m16n8k32 | Atom::Bf16m16n8k32)
    }

    /// Elements of a word.
    pub const fn per_word(self) -> u32 {
        32 / self.element().bits()
    }

    /// Words of `a` that a lane gives.
    pub const fn a_words(self) -> u32 {
        self.m() * self.k() / 2 / self.per_word() / LANES
    }

    /// Words of `b` that a lane gives.
    pub const fn b_words(self) -> u32 {
        self.n() * self.k() / self.per_word() / LANES
    }

    /// Elements of `c` that a lane gives, and of `d` that it takes.
    pub const fn sums(self) -> u32 {
        self.m() * self.n() / LANES
    }

    /// Operands: words of `a`, words of `b`, elements of `c`, the word of places.
    pub const fn operands(self) -> usize {
        (self.a_words() + self.b_words() + self.sums() + 1) as usize
    }

    /// Row and first kept column of a lane's word of `a`.
    pub const fn a_at(self, lane: u32, word: u32) -> Place {
        let per = self.per_word();
        if self.quads() {
            (lane / 4 + 8 * (word % 2), (word / 2 * 4 + lane % 4) * per)
        } else {
            (lane % 16, lane / 16 * (self.k() / 4) + word * per)
        }
    }

    /// First row and column of a lane's word of `b`.
    pub const fn b_at(self, lane: u32, word: u32) -> Place {
        let per = self.per_word();
        if self.quads() {
            ((word * 4 + lane % 4) * per, lane / 4)
        } else {
            (lane / 16 * (self.k() / 2) + word * per, lane % 16)
        }
    }

    /// Row and column of an element of `c` and `d`.
    pub const fn d_at(self, lane: u32, sum: u32) -> Place {
        if self.quads() {
            (lane / 4 + 8 * (sum / 2), lane % 4 * 2 + sum % 2)
        } else {
            (lane / 16 * 8 + sum, lane % 16)
        }
    }

    /// The lane that has a group's places, and their lowest bit.
    pub const fn places_at(self, row: u32, group: u32) -> Place {
        if !self.quads() {
            (group / 4 * 16 + row, 4 * (group % 4))
        } else if self.element().bits() == 8 {
            (row % 8 * 4 + row / 8 + group / 8 * 2, 4 * (group % 8))
        } else {
            (row % 8 * 4 + group / 4, 4 * (group % 4) + row / 8 * 16)
        }
    }
}

/// A number that depends on the lane by bits: each bit of the lane that is set changes the same bits of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OfLane {
    first: u32,
    bits: [u32; LANES.trailing_zeros() as usize],
}

impl OfLane {
    /// What a function of the lane is, from its values at 0 and at the powers of two.
    pub fn new(f: impl Fn(u32) -> u32) -> OfLane {
        let first = f(0);
        OfLane { first, bits: std::array::from_fn(|bit| f(1 << bit) ^ first) }
    }

    /// The number of a lane.
    pub fn at(&self, lane: u32) -> u32 {
        let set = self.bits.iter().enumerate().filter(|(bit, _)| lane >> bit & 1 == 1);
        set.fold(self.first, |number, (_, change)| number ^ change)
    }

    /// The number of lane 0.
    pub const fn first(&self) -> u32 {
        self.first
    }

    /// Bits of the lane, and by how many places to the left they move: the number is the exclusive or of these, and of
    /// the number of lane 0.
    pub fn parts(&self) -> Vec<(u32, i32)> {
        let mut parts: Vec<(u32, i32)> = Vec::new();
        for (bit, change) in self.bits.into_iter().enumerate() {
            for to in (0..32).filter(|to| change >> to & 1 == 1) {
                let by = to - bit as i32;
                match parts.iter_mut().find(|part| part.1 == by) {
                    Some(part) => part.0 |= 1 << bit,
                    None => parts.push((1 << bit, by)),
                }
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_element_is_in_one_lane() {
        for atom in Atom::ALL {
            let lanes = || 0..LANES;
            let (mut a, mut b, mut d) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
            for lane in lanes() {
                for e in 0..atom.per_word() {
                    for word in 0..atom.a_words() {
                        let (row, col) = atom.a_at(lane, word);
                        assert!(row < atom.m() && a.insert((row, col + e)), "{atom:?}");
                    }
                    for word in 0..atom.b_words() {
                        let (row, col) = atom.b_at(lane, word);
                        assert!(col < atom.n() && b.insert((row + e, col)), "{atom:?}");
                    }
                }
                for sum in 0..atom.sums() {
                    let (row, col) = atom.d_at(lane, sum);
                    assert!(row < atom.m() && col < atom.n() && d.insert((row, col)), "{atom:?}");
                }
            }
            assert!(a.iter().all(|&(_, col)| col < atom.k() / 2), "{atom:?}");
            assert!(b.iter().all(|&(row, _)| row < atom.k()), "{atom:?}");
            for word in 0..atom.a_words() {
                let row = OfLane::new(|lane| atom.a_at(lane, word).0);
                let col = OfLane::new(|lane| atom.a_at(lane, word).1);
                assert!(lanes().all(|lane| (row.at(lane), col.at(lane)) == atom.a_at(lane, word)));
            }
            for word in 0..atom.b_words() {
                let row = OfLane::new(|lane| atom.b_at(lane, word).0);
                let col = OfLane::new(|lane| atom.b_at(lane, word).1);
                assert!(lanes().all(|lane| (row.at(lane), col.at(lane)) == atom.b_at(lane, word)));
            }
            for sum in 0..atom.sums() {
                let row = OfLane::new(|lane| atom.d_at(lane, sum).0);
                let col = OfLane::new(|lane| atom.d_at(lane, sum).1);
                assert!(lanes().all(|lane| (row.at(lane), col.at(lane)) == atom.d_at(lane, sum)));
            }
            let count = |x: u32, y: u32| (x * y) as usize;
            assert_eq!(a.len(), count(atom.m(), atom.k() / 2));
            assert_eq!(b.len(), count(atom.k(), atom.n()));
            assert_eq!(d.len(), count(atom.m(), atom.n()));
            let places: BTreeSet<Place> = (0..atom.m())
                .flat_map(|row| (0..atom.k() / 4).map(move |group| atom.places_at(row, group)))
                .collect();
            assert_eq!(places.len(), count(atom.m(), atom.k() / 4));
            assert!(places.iter().all(|&(lane, bit)| lane < LANES && bit <= 28 && bit % 4 == 0));
            assert_eq!(Atom::parse(atom.name()), Some(atom));
        }
    }
}
