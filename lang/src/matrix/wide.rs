//! Products of a 2:4 matrix in registers and a dense one in shared memory: their shapes, and where what is.
//!
//! `sums += a b`. Each subgroup has 16 rows of `a`, with their places, and of the sums in its lanes' registers; the dense
//! tile `b` is a whole shared array, read by all of the group's subgroups. Four subgroups at a time, one after another in
//! the group, are one unit of the hardware that has such products (`wgmma.mma_async.sp` of NVIDIA).
//!
//! Invariants
//! - A step is as deep as the products of `Atom` whose rows lie over quads of lanes, and `a`, its places and each eight
//!   columns of the sums lie as they do there.
//! - A column of the tile is 128 bytes: chunks of 16 bytes, of which chunk `c` stands at place `c ^ column % 8`.
//! - Sums are a private array of a lane; every element of the result is in exactly one lane.

use super::{Atom, LANES, Place};
use crate::{dtype::DType, ops::Tier};

/// Subgroups that multiply together.
pub const SUBGROUPS: u32 = 4;
/// Steps of a product along k.
pub const STEPS: u32 = 2;
/// Words of a column of the tile.
const COLUMN_WORDS: u32 = 32;
/// Words of a chunk.
const CHUNK_WORDS: u32 = 4;

macro_rules! wides {
    ($($(#[$doc:meta])* $wide:ident $name:literal [$a:ident $b:ident] $like:ident;)*) => {
        /// A product of a matrix in registers and one in shared memory.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Wide { $($(#[$doc])* $wide,)* }

        impl Wide {
            /// Every one.
            pub const ALL: &'static [Wide] = &[$(Wide::$wide,)*];

            /// The name in the text form.
            pub const fn name(self) -> &'static str {
                match self { $(Wide::$wide => $name,)* }
            }

            /// The dtypes of the elements of `a` and `b`, of one width.
            pub const fn elements(self) -> [DType; 2] {
                match self { $(Wide::$wide => [DType::$a, DType::$b],)* }
            }

            /// The product of small matrices as which a step of it lies in registers.
            const fn like(self) -> Atom {
                match self { $(Wide::$wide => Atom::$like,)* }
            }
        }
    };
}
wides! {
    /// 128 columns, 128 deep, of i8 into i32.
    I8n128k128 "wide24_i8_n128k128" [I8 I8] I8m16n8k64;
    /// 128 columns, 64 deep, of f16 into f32.
    F16n128k64 "wide24_f16_n128k64" [F16 F16] F16m16n8k32;
    /// 128 columns, 64 deep, of bf16 into f32.
    Bf16n128k64 "wide24_bf16_n128k64" [BF16 BF16] Bf16m16n8k32;
    /// 128 columns, 128 deep, of E4M3 into f32.
    E4E4n128k128 "wide24_e4m3_e4m3_n128k128" [F8E4M3 F8E4M3] I8m16n8k64;
    /// 128 columns, 128 deep, of E4M3 and E5M2 into f32.
    E4E5n128k128 "wide24_e4m3_e5m2_n128k128" [F8E4M3 F8E5M2] I8m16n8k64;
    /// 128 columns, 128 deep, of E5M2 and E4M3 into f32.
    E5E4n128k128 "wide24_e5m2_e4m3_n128k128" [F8E5M2 F8E4M3] I8m16n8k64;
    /// 128 columns, 128 deep, of E5M2 into f32.
    E5E5n128k128 "wide24_e5m2_e5m2_n128k128" [F8E5M2 F8E5M2] I8m16n8k64;
}

impl Wide {
    /// The one with this name.
    pub fn parse(name: &str) -> Option<Wide> {
        Wide::ALL.iter().copied().find(|wide| wide.name() == name)
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

    /// Rows of a subgroup.
    pub const fn m(self) -> u32 {
        self.like().m()
    }

    /// Columns.
    pub const fn n(self) -> u32 {
        128
    }

    /// Columns of `a`, as they are without compression, and rows of `b`.
    pub const fn k(self) -> u32 {
        STEPS * self.like().k()
    }

    /// Elements of a word.
    pub const fn per_word(self) -> u32 {
        32 / self.bits()
    }

    /// Words of `a` that a lane gives.
    pub const fn a_words(self) -> u32 {
        STEPS * self.like().a_words()
    }

    /// Operands: words of `a`, then a word of places for each step.
    pub const fn operands(self) -> usize {
        (self.a_words() + STEPS) as usize
    }

    /// Elements of the private array of sums.
    pub const fn sums(self) -> u32 {
        self.m() * self.n() / LANES
    }

    /// Words of the shared array that is the tile.
    pub const fn tile_words(self) -> u32 {
        self.n() * COLUMN_WORDS
    }

    /// Row and first kept column of a lane's word of `a`.
    pub const fn a_at(self, lane: u32, word: u32) -> Place {
        let like = self.like();
        let (row, col) = like.a_at(lane, word % like.a_words());
        (row, col + word / like.a_words() * (like.k() / 2))
    }

    /// The operand and the lane that have a group's places, and their lowest bit.
    pub const fn places_at(self, row: u32, group: u32) -> (u32, u32, u32) {
        let each = self.like().k() / 4;
        let (lane, bit) = self.like().places_at(row, group % each);
        (self.a_words() + group / each, lane, bit)
    }

    /// Row and column of an element of the sums.
    pub const fn d_at(self, lane: u32, sum: u32) -> Place {
        let like = self.like();
        let (row, col) = like.d_at(lane, sum % like.sums());
        (row, col + sum / like.sums() * like.n())
    }

    /// The word of the tile that has a column's word `word` along k.
    pub const fn tile_at(self, word: u32, col: u32) -> u32 {
        let chunk = (word / CHUNK_WORDS) ^ (col % 8);
        col * COLUMN_WORDS + chunk * CHUNK_WORDS + word % CHUNK_WORDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_element_is_in_one_place() {
        for &wide in Wide::ALL {
            let count = |x: u32, y: u32| (x * y) as usize;
            let (mut a, mut d) = (BTreeSet::new(), BTreeSet::new());
            for lane in 0..LANES {
                for word in 0..wide.a_words() {
                    let (row, col) = wide.a_at(lane, word);
                    (0..wide.per_word()).for_each(|e| assert!(a.insert((row, col + e))));
                }
                for sum in 0..wide.sums() {
                    assert!(d.insert(wide.d_at(lane, sum)), "{wide:?}");
                }
            }
            assert!(a.iter().all(|&(row, col)| row < wide.m() && col < wide.k() / 2));
            assert!(d.iter().all(|&(row, col)| row < wide.m() && col < wide.n()));
            assert_eq!(a.len(), count(wide.m(), wide.k() / 2));
            assert_eq!(d.len(), count(wide.m(), wide.n()));
            let words = wide.k() / wide.per_word();
            let all = (0..wide.n()).flat_map(|col| (0..words).map(move |word| (word, col)));
            let tile: BTreeSet<u32> = all.map(|(word, col)| wide.tile_at(word, col)).collect();
            assert_eq!(tile, (0..wide.tile_words()).collect(), "{wide:?}");
            let places: BTreeSet<_> = (0..wide.m())
                .flat_map(|row| (0..wide.k() / 4).map(move |group| wide.places_at(row, group)))
                .collect();
            assert_eq!(places.len(), count(wide.m(), wide.k() / 4));
            assert!(places.iter().all(|&(operand, lane, bit)| {
                (wide.a_words()..wide.operands() as u32).contains(&operand)
                    && lane < LANES
                    && bit <= 28
            }));
            assert_eq!(Wide::parse(wide.name()), Some(wide));
            assert_eq!(wide.like().bits(), wide.bits());
        }
    }
}
