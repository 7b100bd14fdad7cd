//! The product of a compressed matrix and a dense one by products of small matrices.
//!
//! A group keeps slabs of 64 columns as words in shared memory, from which its subgroups take what the lanes of an `Atom`
//! give. Which lane gives what is asked of the atom.
//!
//! Invariants
//! - Past the edges elements are 0, and groups of nothing: no product of theirs adds anything.
//! - Rows of words in shared memory are four words apart from a multiple of 8, so that the lanes of an atom meet no bank twice.

use super::product::Sum;
use crate::prelude::*;
use evenweave_lang::matrix::{Atom, ByBits};

/// Columns of a slab.
const SLAB: u32 = 64;
/// Words of the index of a row of a slab.
const PLACES: u32 = SLAB / 16;

/// How a product is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What a subgroup computes at once.
    pub atom: Atom,
    /// Subgroups of a group along the rows.
    pub down: u32,
    /// Subgroups of a group along the columns.
    pub across: u32,
    /// Atoms of a subgroup along the rows.
    pub rows: u32,
    /// Atoms of a subgroup along the columns.
    pub cols: u32,
}

impl Cut {
    /// The cuts that `tile` = 1, 2, ... name, from the smallest to the largest.
    pub const fn all(atom: Atom) -> [Cut; 3] {
        let across = if atom.quads() { 2 } else { 1 };
        [
            Cut { atom, down: 4, across: 1, rows: 1, cols: 1 },
            Cut { atom, down: 4, across: 1, rows: 1, cols: 4 },
            Cut { atom, down: 4, across, rows: 2, cols: 4 },
        ]
    }

    /// Elements of a byte; 1 where an element takes more.
    pub const fn packed(&self) -> u32 {
        if self.atom.bits() == 4 { 2 } else { 1 }
    }

    /// The largest cut that a product of `m` x `n` fills to three quarters each way, else the smallest.
    pub fn fitting(atom: Atom, m: u32, n: u32) -> Cut {
        let all = Cut::all(atom);
        let fills = |c: &&Cut| m >= c.high() / 4 * 3 && n >= c.wide() / 4 * 3;
        *all.iter().rev().find(fills).unwrap_or(&all[0])
    }

    /// Rows of a group.
    pub const fn high(&self) -> u32 {
        self.down * self.rows * self.atom.m()
    }

    /// Columns of a group.
    pub const fn wide(&self) -> u32 {
        self.across * self.cols * self.atom.n()
    }

    /// Subgroups of a group.
    pub const fn subgroups(&self) -> u32 {
        self.down * self.across
    }
}

/// A place of a matrix and the word there.
type At<'a> = &'a dyn Fn(Val<u32>, Val<u32>) -> Val<u32>;

/// The matrices of a product, in words of neighbours along k, seen from one of a batch. None is asked for past an edge.
pub(super) struct Words<'a, W: Sum> {
    /// Kept values: row, number of the word in the row.
    pub a: At<'a>,
    /// Places of 16 columns: row, number of the word in the row.
    pub places: At<'a>,
    /// The dense matrix: number of the word along k, column.
    pub b: At<'a>,
    /// Takes a finished sum: row, column.
    pub store: &'a dyn Fn(Val<u32>, Val<u32>, Val<W>),
}

/// A number that depends on the lane by bits.
#[device]
fn of_lane(lane: Val<u32>, f: impl Fn(u32) -> u32) -> Val<u32> {
    let of = ByBits::of_lane(f);
    let one = |(mask, by): (u32, i32)| {
        let part = lane & mask;
        if by > 0 {
            part << by.unsigned_abs()
        } else if by < 0 {
            part >> by.unsigned_abs()
        } else {
            part
        }
    };
    let parts: Vec<Val<u32>> = of.parts().into_iter().map(one).collect();
    let first = val(of.first());
    parts.into_iter().fold(first, |all, part| all ^ part)
}

/// Row and first group of the places from bit `bit` on in a lane's word; of lanes that have none, those of another lane.
fn places_of(atom: Atom, lane: u32, bit: u32) -> (u32, u32) {
    let groups = atom.k() / 4;
    let mut all = (0..atom.m()).flat_map(|row| (0..groups).map(move |group| (row, group)));
    let found = all.find(|&(row, group)| atom.places_at(row, group) == (lane, bit));
    found.unwrap_or_else(|| places_of(atom, lane & (lane - 1), bit))
}

/// How far apart rows of so many words are in shared memory.
const fn pitch(words: u32) -> u32 {
    words.next_multiple_of(8) + 4
}

/// The product, a tile a group; see the module.
#[device]
pub(super) fn by_matrices<W: Sum>(size: [Val<u32>; 3], cut: Cut, of: &Words<'_, W>) {
    let (m, n, k) = (size[0], size[1], size[2]);
    let (atom, per) = (cut.atom, cut.atom.per_word());
    let (high, wide, threads) = (cut.high(), cut.wide(), 32 * cut.subgroups());
    let (a_row, b_row) = (SLAB / 2 / per, SLAB / per);
    let (a_pitch, b_pitch) = (pitch(a_row), pitch(b_row));
    let (row0, col0) = (group_id_y() * high, group_id() * wide);
    let (thread, lane, subgroup) = (thread_id(), local_id(), local_id_y());
    let a_slab = shared::<u32>(high * a_pitch);
    let b_slab = shared::<u32>(wide * b_pitch);
    let places = shared::<u32>(high * PLACES);
    let (tiles, sums) = (cut.rows * cut.cols, atom.sums());
    let acc = private::<W>(tiles * sums);
    for i in 0..tiles * sums {
        acc[i] = lit::<W>(0.0);
    }
    let row_of = subgroup / cut.across * (cut.rows * atom.m());
    let col_of = subgroup % cut.across * (cut.cols * atom.n());
    for k0 in (val(0)..k).step_by(SLAB) {
        for i in 0..(high * a_row).div_ceil(threads) {
            let e = thread + i * threads;
            let (row, word) = (e / a_row, e % a_row);
            let at = k0 / 2 / per + word;
            if e < high * a_row {
                let inside = row0 + row < m && at * per < k / 2;
                let x = if inside { (of.a)(row0 + row, at) } else { val(0u32) };
                a_slab[row * a_pitch + word] = x;
            }
        }
        for i in 0..(high * PLACES).div_ceil(threads) {
            let e = thread + i * threads;
            let (row, word) = (e / PLACES, e % PLACES);
            let at = k0 / 16 + word;
            if e < high * PLACES {
                let inside = row0 + row < m && at * 16 < k;
                let x = if inside { (of.places)(row0 + row, at) } else { val(0xeeeeu32) };
                places[e] = x;
            }
        }
        for i in 0..(wide * b_row).div_ceil(threads) {
            let e = thread + i * threads;
            let (col, word) = (e / b_row, e % b_row);
            let at = k0 / per + word;
            if e < wide * b_row {
                let inside = col0 + col < n && at * per < k;
                let x = if inside { (of.b)(at, col0 + col) } else { val(0u32) };
                b_slab[col * b_pitch + word] = x;
            }
        }
        barrier();
        for step in 0..SLAB / atom.k() {
            let b_word = |tile: u32, word: u32| {
                let col = of_lane(lane, |lane| atom.b_at(lane, word).1);
                let at = of_lane(lane, |lane| atom.b_at(lane, word).0 / per);
                let from = (col_of + tile * atom.n() + col) * b_pitch;
                b_slab[from + at + step * (atom.k() / per)]
            };
            let b: Vec<Vec<Val<u32>>> = (0..cut.cols)
                .map(|tile| (0..atom.b_words()).map(|word| b_word(tile, word)).collect())
                .collect();
            for down in 0..cut.rows {
                let first = row_of + down * atom.m();
                let a_word = |word: u32| {
                    let row = of_lane(lane, |lane| atom.a_at(lane, word).0);
                    let at = of_lane(lane, |lane| atom.a_at(lane, word).1 / per);
                    a_slab[(first + row) * a_pitch + at + step * (atom.k() / 2 / per)]
                };
                let half = |bit: u32| {
                    let row = of_lane(lane, |lane| places_of(atom, lane, bit).0);
                    let at = of_lane(lane, |lane| places_of(atom, lane, bit).1 / 4);
                    places[(first + row) * PLACES + at + step * (atom.k() / 16)]
                };
                let a: Vec<Val<u32>> = (0..atom.a_words()).map(a_word).collect();
                let word =
                    if atom.places_bits() == 32 { half(0) | (half(16) << 16) } else { half(0) };
                for tile in 0..cut.cols {
                    let from = (down * cut.cols + tile) * sums;
                    let c: Vec<Val<W>> = (0..sums).map(|i| acc[from + i]).collect();
                    let d = W::matrix(atom, &a, &b[tile as usize], &c, word);
                    for i in 0..sums {
                        acc[from + i] = d[i as usize];
                    }
                }
            }
        }
        barrier();
    }
    for down in 0..cut.rows {
        for tile in 0..cut.cols {
            for i in 0..sums {
                let row = of_lane(lane, |lane| atom.d_at(lane, i).0);
                let col = of_lane(lane, |lane| atom.d_at(lane, i).1);
                let row = row0 + row_of + down * atom.m() + row;
                let col = col0 + col_of + tile * atom.n() + col;
                if row < m && col < n {
                    (of.store)(row, col, acc[(down * cut.cols + tile) * sums + i]);
                }
            }
        }
    }
}

/// Word `word` of a row of `length` elements, which come `together` at least. What the row lacks of its last word is 0.
#[device]
pub(super) fn word_at<T: Reinterpret>(
    x: &In<T>,
    row: Val<u64>,
    length: Val<u32>,
    word: Val<u32>,
    together: u32,
) -> Val<u32> {
    let (bits_each, elems) = (T::DTYPE.bits(), 32 / T::DTYPE.bits());
    let first = row * (length as u64) + (word * elems) as u64;
    let part = |from: u32| {
        let all: Vec<Val<T>> = (from..from + together).map(|j| x[first + j as u64]).collect();
        word_of(&all)
    };
    let rest: Vec<u32> = (1..elems / together).map(|i| i * together).collect();
    rest.into_iter().fold(part(0), |all, from| {
        let more = if word * elems + from < length { part(from) } else { val(0u32) };
        all | (more << (from * bits_each))
    })
}

/// Neighbours as a word, the first in the lowest bits.
#[device]
fn word_of<T: Reinterpret>(all: &[Val<T>]) -> Val<u32> {
    let bits_each = T::DTYPE.bits();
    let codes: Vec<Val<u32>> = all.iter().map(|&x| bits(x) as u32).collect();
    let first = codes[0];
    let rest = codes.into_iter().enumerate().skip(1);
    rest.fold(first, |word, (i, code)| word | (code << (i as u32 * bits_each)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::{
        generators::{self, Generator, Given},
        host, registers,
    };
    use evenweave_lang::eval::matrix::product;

    #[test]
    fn places_are_found_by_the_bits_of_the_lane() {
        for &atom in Atom::ALL {
            for bit in if atom.places_bits() == 32 { vec![0, 16] } else { vec![0] } {
                let row = ByBits::of_lane(|lane| places_of(atom, lane, bit).0);
                let group = ByBits::of_lane(|lane| places_of(atom, lane, bit).1);
                for (r, g) in (0..16).flat_map(|r| (0..atom.k() / 4).map(move |g| (r, g))) {
                    let (lane, at) = atom.places_at(r, g);
                    if at == bit {
                        assert_eq!((row.at(lane), group.at(lane)), (r, g), "{atom:?}");
                    }
                }
            }
        }
    }

    /// What the law makes of words that are laid out as a model of the hardware's registers has them, and changed.
    fn by_the_law(atom: Atom, given: &Given, change: impl Fn(usize, u32) -> u32) -> Vec<f64> {
        let [m, n, k] = given.shape;
        let image = host::compress(&given.coded_a(), [m, k]).unwrap();
        let b = given.coded_b();
        let tile = registers::Tile { a: &image, b: &b, k };
        let words = match atom.quads() {
            true => registers::mma_sp(tile, 0, 0),
            false => registers::swmmac(tile),
        };
        let (a_words, b_words) = (atom.a_words() as usize, atom.b_words() as usize);
        let d = product(atom, |operand, lane| {
            if operand < a_words {
                change(0, words.a[lane][operand])
            } else if operand < a_words + b_words {
                change(1, words.b[lane][operand - a_words])
            } else if operand + 1 < atom.operands() {
                0
            } else {
                change(2, words.index[lane])
            }
        });
        let mut all = vec![0.0; m * n];
        for (lane, sum) in (0..32).flat_map(|l| (0..atom.sums()).map(move |s| (l, s))) {
            let (row, col) = atom.d_at(lane, sum);
            let got = d[sum as usize][lane as usize];
            all[row as usize * n + col as usize] = match atom.sum() {
                DType::F32 => f64::from(f32::from_bits(got)),
                _ => f64::from(got as i32),
            };
        }
        all
    }

    fn cycle(atom: Atom) -> Given {
        let shape = [atom.m(), atom.n(), atom.k()].map(|e| e as usize);
        generators::given(Generator::Cycle, atom.elements(), shape).remove(0)
    }

    #[test]
    fn lanes_hold_what_the_hardware_takes() {
        for &atom in Atom::ALL {
            let given = cycle(atom);
            let got = by_the_law(atom, &given, |_, word| word);
            assert_eq!(got, given.expected().unwrap(), "{atom:?}");
        }
    }

    /// Neighbouring nibbles, or neighbouring fields of places, exchanged.
    fn exchanged(word: u32, bits: u32) -> u32 {
        let low = if bits == 4 { 0x0f0f_0f0f } else { 0x3333_3333 };
        word >> bits & low | (word & low) << bits
    }

    #[test]
    fn faults_of_words_show() {
        for &atom in Atom::ALL {
            let given = cycle(atom);
            let want = given.expected().unwrap();
            let with = |change: fn(usize, u32) -> u32| by_the_law(atom, &given, change) == want;
            assert!(!with(|of, x| if of == 2 { exchanged(x, 2) } else { x }), "{atom:?}: fields");
            assert!(!with(|of, x| if of == 2 { x << 4 } else { x }), "{atom:?}: a group further");
            if atom.bits() == 4 {
                let turned = |x| exchanged(x, 2) ^ 0x5555_5555;
                assert!(
                    !with(|of, x| if of < 2 { exchanged(x, 4) } else { x }),
                    "{atom:?}: high first"
                );
                assert!(!with(|of, x| if of == 2 { exchanged(x, 2) ^ 0x5555_5555 } else { x }));
                let both =
                    by_the_law(
                        atom,
                        &given,
                        |of, x| if of < 2 { exchanged(x, 4) } else { turned(x) },
                    );
                assert_eq!(both, want, "{atom:?}: the same in the other numbering");
            }
        }
    }

    #[test]
    fn a_slab_fits_in_shared_memory() {
        for cut in Atom::ALL.iter().copied().flat_map(Cut::all) {
            let per = cut.atom.per_word();
            let a = cut.high() * (pitch(SLAB / 2 / per) + PLACES);
            let b = cut.wide() * pitch(SLAB / per);
            assert!(4 * (a + b) <= 32 << 10, "{cut:?}");
            assert!(32 * cut.subgroups() <= 256);
        }
    }
}
