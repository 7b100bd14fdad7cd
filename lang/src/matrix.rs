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

pub mod wide;

use crate::{dtype::DType, ops::Tier};

/// Lanes that compute a product.
pub const LANES: u32 = 32;

/// Which lanes have a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    /// Two rows lie over a quad of lanes: `mma.sp` of NVIDIA.
    Quads,
    /// A row lies over two lanes, one in each half of the subgroup: `v_swmmac` of AMD.
    Halves,
}
use Over::{Halves, Quads};

macro_rules! atoms {
    ($($(#[$doc:meta])* $atom:ident $name:literal [$a:ident $b:ident] $over:ident $k:literal;)*) => {
        /// A product of small matrices.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Atom { $($(#[$doc])* $atom,)* }

        impl Atom {
            /// Every one.
            pub const ALL: &'static [Atom] = &[$(Atom::$atom,)*];

            /// The name in the text form.
            pub const fn name(self) -> &'static str {
                match self { $(Atom::$atom => $name,)* }
            }

            /// The dtypes of the elements of `a` and `b`, of one width.
            pub const fn elements(self) -> [DType; 2] {
                match self { $(Atom::$atom => [DType::$a, DType::$b],)* }
            }

            /// Columns of `a`, as they are without compression.
            pub const fn k(self) -> u32 {
                match self { $(Atom::$atom => $k,)* }
            }

            const fn over(self) -> Over {
                match self { $(Atom::$atom => $over,)* }
            }
        }
    };
}
atoms! {
    /// 16 x 8 x 64 of i8 into i32.
    I8m16n8k64 "sparse24_i8_m16n8k64" [I8 I8] Quads 64;
    /// 16 x 8 x 32 of f16 into f32.
    F16m16n8k32 "sparse24_f16_m16n8k32" [F16 F16] Quads 32;
    /// 16 x 8 x 32 of bf16 into f32.
    Bf16m16n8k32 "sparse24_bf16_m16n8k32" [BF16 BF16] Quads 32;
    /// 16 x 16 x 32 of i8 into i32.
    I8m16n16k32 "sparse24_i8_m16n16k32" [I8 I8] Halves 32;
    /// 16 x 16 x 32 of f16 into f32.
    F16m16n16k32 "sparse24_f16_m16n16k32" [F16 F16] Halves 32;
    /// 16 x 16 x 32 of bf16 into f32.
    Bf16m16n16k32 "sparse24_bf16_m16n16k32" [BF16 BF16] Halves 32;
    /// 16 x 16 x 32 of E4M3 into f32.
    E4E4m16n16k32 "sparse24_e4m3_e4m3_m16n16k32" [F8E4M3 F8E4M3] Halves 32;
    /// 16 x 16 x 32 of E4M3 and E5M2 into f32.
    E4E5m16n16k32 "sparse24_e4m3_e5m2_m16n16k32" [F8E4M3 F8E5M2] Halves 32;
    /// 16 x 16 x 32 of E5M2 and E4M3 into f32.
    E5E4m16n16k32 "sparse24_e5m2_e4m3_m16n16k32" [F8E5M2 F8E4M3] Halves 32;
    /// 16 x 16 x 32 of E5M2 into f32.
    E5E5m16n16k32 "sparse24_e5m2_e5m2_m16n16k32" [F8E5M2 F8E5M2] Halves 32;
    /// 16 x 16 x 64 of i4 into i32.
    I4I4m16n16k64 "sparse24_i4_i4_m16n16k64" [I4 I4] Halves 64;
    /// 16 x 16 x 64 of i4 and u4 into i32.
    I4U4m16n16k64 "sparse24_i4_u4_m16n16k64" [I4 U4] Halves 64;
    /// 16 x 16 x 64 of u4 and i4 into i32.
    U4I4m16n16k64 "sparse24_u4_i4_m16n16k64" [U4 I4] Halves 64;
    /// 16 x 16 x 64 of u4 into i32.
    U4U4m16n16k64 "sparse24_u4_u4_m16n16k64" [U4 U4] Halves 64;
}

/// A row and a column.
pub type Place = (u32, u32);

impl Atom {
    /// The one with this name.
    pub fn parse(name: &str) -> Option<Atom> {
        Atom::ALL.iter().copied().find(|atom| atom.name() == name)
    }

    /// Whether the elements are floats.
    pub const fn is_float(self) -> bool {
        self.elements()[0].is_float()
    }

    /// Bits of an element of `a` or `b`.
    pub const fn bits(self) -> u32 {
        self.elements()[0].bits()
    }

    /// The dtype of sums.
    pub const fn sum(self) -> DType {
        if self.is_float() { DType::F32 } else { DType::I32 }
    }

    /// How far devices agree: sums of integers wrap, whatever their order; hardware adds floats in an order of its own.
    pub const fn tier(self) -> Tier {
        if self.is_float() { Tier::Bounded } else { Tier::Exact }
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
        matches!(self.over(), Quads)
    }

    /// Elements of a word.
    pub const fn per_word(self) -> u32 {
        32 / self.bits()
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

    /// Bits of a lane's word of places that are read, from the lowest on.
    pub const fn places_bits(self) -> u32 {
        if self.quads() { 32 } else { self.k() / 2 }
    }

    /// The lane that has a group's places, and their lowest bit.
    pub const fn places_at(self, row: u32, group: u32) -> Place {
        if !self.quads() {
            let each = self.k() / 8;
            (group / each * 16 + row, 4 * (group % each))
        } else if self.bits() == 8 {
            (row % 8 * 4 + row / 8 + group / 8 * 2, 4 * (group % 8))
        } else {
            (row % 8 * 4 + group / 4, 4 * (group % 4) + row / 8 * 16)
        }
    }
}

/// Bits of a number that another one depends on, at most.
const MOST_BITS: usize = 16;

/// A number that depends on another one by bits, on a lane's for one: each bit that is set there changes the same bits here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ByBits {
    first: u32,
    changes: [u32; MOST_BITS],
}

impl ByBits {
    /// What a function of numbers of so many bits is, from its values at 0 and at the powers of two.
    pub fn new(bits: u32, f: impl Fn(u32) -> u32) -> ByBits {
        let first = f(0);
        let change = |bit: usize| if (bit as u32) < bits { f(1u32 << bit) ^ first } else { 0 };
        ByBits { first, changes: std::array::from_fn(change) }
    }

    /// What a function of the lane is.
    pub fn of_lane(f: impl Fn(u32) -> u32) -> ByBits {
        ByBits::new(LANES.trailing_zeros(), f)
    }

    /// What it is for a number.
    pub fn at(&self, x: u32) -> u32 {
        let set = self.changes.iter().enumerate().filter(|(bit, _)| x >> bit & 1 == 1);
        set.fold(self.first, |number, (_, change)| number ^ change)
    }

    /// What it is for 0.
    pub const fn first(&self) -> u32 {
        self.first
    }

    /// Bits of the other number, and by how many places to the left they move: this one is the exclusive or of these, and of
    /// what it is for 0.
    pub fn parts(&self) -> Vec<(u32, i32)> {
        let mut parts: Vec<(u32, i32)> = Vec::new();
        for (bit, change) in self.changes.into_iter().enumerate() {
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
        for &atom in Atom::ALL {
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
                let row = ByBits::of_lane(|lane| atom.a_at(lane, word).0);
                let col = ByBits::of_lane(|lane| atom.a_at(lane, word).1);
                assert!(lanes().all(|lane| (row.at(lane), col.at(lane)) == atom.a_at(lane, word)));
            }
            for word in 0..atom.b_words() {
                let row = ByBits::of_lane(|lane| atom.b_at(lane, word).0);
                let col = ByBits::of_lane(|lane| atom.b_at(lane, word).1);
                assert!(lanes().all(|lane| (row.at(lane), col.at(lane)) == atom.b_at(lane, word)));
            }
            for sum in 0..atom.sums() {
                let row = ByBits::of_lane(|lane| atom.d_at(lane, sum).0);
                let col = ByBits::of_lane(|lane| atom.d_at(lane, sum).1);
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
            assert!(places.iter().all(|&(lane, bit)| {
                lane < LANES && bit + 4 <= atom.places_bits() && bit % 4 == 0
            }));
            assert_eq!(Atom::parse(atom.name()), Some(atom));
        }
    }
}
