//! The product of a compressed matrix and a dense one of few columns by products of small matrices, where reading the matrix takes the time.
//!
//! A group has some rows, and its subgroups share their columns out among them. Each lane reads 16 bytes of kept values at
//! once, neighbours of one row, and gives them to several products one after another: whole groups of four may change places along a row, where
//! those of the dense matrix do as well. Nothing is kept in shared memory but the sums of the subgroups, which are added in the end.
//!
//! Invariants
//! - k is whole spans: what the lanes of a row read at once. Rows and columns past the edges are read as the last ones, and not stored.
//! - A subgroup takes the spans s, s + `split`, ...; sums of subgroups are added from the first to the last.
//! - Elements of 8-bit floats become those of f16 by their bits: E5M2 as they are, E4M3 smaller by 2^8, of which the sums are freed in the end. A
//!   NaN stays one.
//!
//! Absent: sums over several groups, for which there would have to be a second step.

use super::{
    definition::{After, Form, Outcome, finish},
    product::Sum,
};
use crate::prelude::*;
use evenweave_lang::matrix::Atom;

/// Words of a row that a lane reads at once.
const WORDS: u32 = 4;

/// How a product of few columns is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skinny {
    /// What a subgroup computes at once.
    pub atom: Atom,
    /// The dtypes of the matrices: the atom's, or 8-bit floats that become the atom's f16.
    pub elements: [DType; 2],
    /// Atoms of a group along the rows.
    pub rows: u32,
    /// Atoms of a group along the columns.
    pub cols: u32,
    /// Subgroups of a group.
    pub split: u32,
}

impl Skinny {
    /// The cuts, that for fewer columns first.
    pub const fn all(atom: Atom) -> [Skinny; 2] {
        Skinny::of(atom, atom.elements())
    }

    const fn of(atom: Atom, elements: [DType; 2]) -> [Skinny; 2] {
        let (cols, split) = if atom.quads() { (2, 16) } else { (1, 8) };
        let few = Skinny { atom, elements, rows: 2, cols, split };
        [few, Skinny { cols: 2 * cols, ..few }]
    }

    /// The cuts for two dtypes, by rows over quads of lanes or over halves of a subgroup.
    pub fn of_dtypes(elements: [DType; 2], quads: bool) -> Option<[Skinny; 2]> {
        let fits = |atom: &&Atom| atom.quads() == quads && atom.elements() == elements;
        let eight = |dtype: DType| dtype.is_float() && dtype.bits() == 8;
        match Atom::ALL.iter().find(fits) {
            Some(&atom) => Some(Skinny::all(atom)),
            None if quads && elements.into_iter().all(eight) => {
                Some(Skinny::of(Atom::F16m16n8k32, elements))
            }
            None => None,
        }
    }

    /// The cut for `n` columns, where there are few and k is whole spans.
    pub fn fitting([few, more]: [Skinny; 2], rows: u64, n: u32, k: u32) -> Option<Skinny> {
        let cut = if n > few.wide() { more } else { few };
        ((1..=2 * cut.wide()).contains(&n) && cut.fits(rows, k)).then_some(cut)
    }

    /// Whether k is whole spans, and a number of 32 bits counts the words of so many rows.
    pub const fn fits(&self, rows: u64, k: u32) -> bool {
        k.is_multiple_of(self.span()) && rows * (k / self.per_word()) as u64 <= u32::MAX as u64
    }

    /// Rows of a group.
    pub const fn high(&self) -> u32 {
        self.rows * self.atom.m()
    }

    /// Columns of a group.
    pub const fn wide(&self) -> u32 {
        self.cols * self.atom.n()
    }

    /// Columns of the matrix that are read at once.
    pub const fn span(&self) -> u32 {
        2 * self.per_word() * self.span_words()
    }

    /// Words of kept values of a row of a span; the dense matrix has twice as many.
    pub const fn span_words(&self) -> u32 {
        WORDS * self.lanes_of_row()
    }

    /// Words of the index of a row of a span.
    pub const fn span_places(&self) -> u32 {
        self.span() / 32
    }

    /// Elements of a word, as they lie in memory.
    const fn per_word(&self) -> u32 {
        32 / self.elements[0].bits()
    }

    /// Whether elements are made those of the atom.
    const fn widens(&self) -> bool {
        self.per_word() > self.atom.per_word()
    }

    /// How much smaller sums are than they should be, as a power of two.
    fn smaller(&self) -> u32 {
        let of = |dtype: DType| if self.widens() && dtype == DType::F8E4M3 { 8 } else { 0 };
        self.elements.into_iter().map(of).sum()
    }

    /// Lanes that have words of a row.
    const fn lanes_of_row(&self) -> u32 {
        if self.atom.quads() { 4 } else { 2 }
    }

    /// Rows that a lane has words of.
    const fn rows_of_lane(&self) -> u32 {
        if self.atom.quads() { 2 } else { 1 }
    }

    /// Words of a row that a lane gives to one product.
    const fn own(&self) -> u32 {
        self.atom.a_words() / self.rows_of_lane()
    }

    /// Products of a span.
    const fn steps(&self) -> u32 {
        WORDS / self.own() * (self.per_word() / self.atom.per_word())
    }

    /// Elements of shared memory: the sums of one tile of columns.
    const fn parts(&self) -> u32 {
        self.split * self.high() * self.atom.n()
    }
}

/// Rows of words.
struct Rows<'a> {
    words: &'a In<u32>,
    /// The first row of the matrix, and its last one.
    first: Val<u32>,
    last: Val<u32>,
    /// Words of a row.
    pitch: Val<u32>,
}

#[device]
impl Rows<'_> {
    /// Neighbouring words of a row, from a word that is a multiple of their number.
    fn at(&self, row: Val<u32>, word: Val<u32>, count: u32) -> Vec<Val<u32>> {
        let from = min(self.first + row, self.last) * self.pitch + word;
        (0..count).map(|i| self.words[from + i]).collect()
    }
}

/// A lane's words of places for the products of a span: of the rows from `first` on, from word `from` of the index on. A
/// lane's words are neighbours, and so are their places.
#[device]
fn places_of_halves(
    cut: Skinny,
    index: &Rows<'_>,
    first: Val<u32>,
    from: Val<u32>,
) -> Vec<Val<u32>> {
    let (half, row) = (local_id() / 16, first + local_id() % 16);
    match cut.atom.per_word() {
        2 => vec![index.at(row, from, 1)[0] >> (half * 16)],
        4 => {
            let both = index.at(row, from + half, 1)[0];
            vec![both, both >> 16]
        }
        _ => index.at(row, from + half * 2, 2),
    }
}

/// The same where the lanes of a quad read neighbouring words: a product takes one from each, and so come its places.
#[device]
fn places_of_quads(
    cut: Skinny,
    index: &Rows<'_>,
    first: Val<u32>,
    from: Val<u32>,
) -> Vec<Val<u32>> {
    let lane = local_id();
    if cut.widens() {
        // A word has two groups, which two products take one after another.
        let rows: Vec<Vec<Val<u32>>> =
            (0..2u32).map(|more| index.at(first + lane / 4 + 8 * more, from, 4)).collect();
        let by = lane % 2 * 8;
        let of_row = |row: usize, step: u32| {
            let at = by + (step / 2 * 16 + step % 2 * 4);
            let of = |i: u32| (rows[row][i as usize] >> at & 0xf) << (4 * i);
            of(0) | of(1) | (of(2) | of(3))
        };
        (0..4u32).map(|step| of_row(0, step) | of_row(1, step) << 16).collect()
    } else if cut.atom.per_word() == 2 {
        let upper = lane % 2 * 4;
        let of = |word: Val<u32>, step: u32| {
            let two = word >> (upper + 8 * step) & 0x000f_000fu32;
            (two | two >> 12) & 0xff
        };
        let rows: Vec<Vec<Val<u32>>> =
            (0..2u32).map(|more| index.at(first + lane / 4 + 8 * more, from, 2)).collect();
        let of_row = |row: usize, step: u32| of(rows[row][0], step) | of(rows[row][1], step) << 8;
        (0..2u32).map(|step| of_row(0, step) | of_row(1, step) << 16).collect()
    } else {
        let all = index.at(first + lane / 4 + lane % 2 * 8, from, 4);
        let by = lane % 4 / 2 * 8;
        let of = |i: u32, step: u32| (all[i as usize] >> (by + 16 * step) & 0xff) << (8 * i);
        (0..2u32).map(|step| of(0, step) | of(1, step) | (of(2, step) | of(3, step))).collect()
    }
}

/// A lane's words of the dense matrix for the products of a span, in its own column: from word `from` on.
#[device]
fn dense_of_halves(
    cut: Skinny,
    b: &Rows<'_>,
    first: Val<u32>,
    from: Val<u32>,
) -> Vec<Vec<Val<u32>>> {
    let (half, column) = (local_id() / 16, first + local_id() % 16);
    let all = b.at(column, from + half * 8, 8);
    all.chunks(cut.atom.b_words() as usize).map(<[_]>::to_vec).collect()
}

/// The same where two neighbouring lanes read eight words, of which a product takes every other one from each.
#[device]
fn dense_of_quads(b: &Rows<'_>, first: Val<u32>, from: Val<u32>) -> Vec<Vec<Val<u32>>> {
    let lane = local_id();
    let odd = lane % 2 == 1;
    let halves: Vec<Vec<Val<u32>>> = (0..2u32)
        .map(|chunk| {
            let own = b.at(first + lane / 4, from + lane % 4 * 4 + 16 * chunk, 4);
            let x = shuffle_xor(select(odd, own[0], own[1]), 1);
            let y = shuffle_xor(select(odd, own[2], own[3]), 1);
            vec![
                select(odd, x, own[0]),
                select(odd, y, own[2]),
                select(odd, own[1], x),
                select(odd, own[3], y),
            ]
        })
        .collect();
    let step = |s: usize| (0..4usize).map(|word| halves[word % 2][2 * s + word / 2]).collect();
    vec![step(0), step(1)]
}

/// Two 8-bit floats, the lower bytes of a word, as two of f16: E4M3 smaller by 2^8.
#[device]
fn widened(dtype: DType, two: Val<u32>) -> Val<u32> {
    let high = (two & 0xff) << 8 | (two & 0xff00) << 16;
    if dtype == DType::F8E5M2 {
        high
    } else {
        // The code of a NaN, and no other, carries into the sign; so its exponent becomes that of a NaN.
        let magnitude = high & 0x7f00_7f00u32;
        let nan = (magnitude + 0x0100_0100) & 0x8000_8000u32;
        (high & 0x8000_8000u32) | magnitude >> 1 | nan >> 1
    }
}

/// A lane's words of a dense matrix of 8-bit floats for the products of a span. Two neighbouring lanes read the same eight words, and each takes its
/// half of every one.
#[device]
fn dense_of_bytes(
    dtype: DType,
    b: &Rows<'_>,
    first: Val<u32>,
    from: Val<u32>,
) -> Vec<Vec<Val<u32>>> {
    let lane = local_id();
    let half = lane % 2 * 16;
    let chunks: Vec<Vec<Val<u32>>> = (0..2u32)
        .map(|chunk| {
            let all = b.at(first + lane / 4, from + lane % 4 / 2 * 8 + 16 * chunk, 8);
            all.into_iter().map(|word| widened(dtype, word >> half)).collect()
        })
        .collect();
    let step = |s: usize| {
        let word = |w: usize| chunks[w % 2][s / 2 * 4 + w / 2 * 2 + s % 2];
        (0..4usize).map(word).collect()
    };
    (0..4usize).map(step).collect()
}

/// A lane's words of kept values for the products of a span: of the rows from `first` on, from word `from` on.
#[device]
fn kept(cut: Skinny, values: &Rows<'_>, first: Val<u32>, from: Val<u32>) -> Vec<Vec<Val<u32>>> {
    let lane = local_id();
    let (row, part) = if cut.atom.quads() { (lane / 4, lane % 4) } else { (lane % 16, lane / 16) };
    let rows: Vec<Vec<Val<u32>>> = (0..cut.rows_of_lane())
        .map(|more| values.at(first + row + 8 * more, from + part * WORDS, WORDS))
        .collect();
    let word = |step: u32, word: u32| {
        let at = step * cut.own() + word / cut.rows_of_lane();
        rows[(word % cut.rows_of_lane()) as usize][at as usize]
    };
    let step = |s: u32| (0..cut.atom.a_words()).map(|w| word(s, w)).collect();
    if cut.widens() {
        let half = |s: u32| {
            let words: Vec<Val<u32>> = step(s / 2);
            words.into_iter().map(|w| widened(cut.elements[0], w >> (16 * (s % 2)))).collect()
        };
        (0..cut.steps()).map(half).collect()
    } else {
        (0..cut.steps()).map(step).collect()
    }
}

/// Row and column of a lane's sum.
#[device]
fn place_of(atom: Atom, sum: u32) -> (Val<u32>, Val<u32>) {
    let lane = local_id();
    if atom.quads() {
        (lane / 4 + 8 * (sum / 2), lane % 4 * 2 + sum % 2)
    } else {
        (lane / 16 * 8 + sum, lane % 16)
    }
}

/// Definition, for few columns. All matrices come as words; of a row of `b` these are neighbours along k. The rest is as of
/// `gemm_sparse24_matrix`.
#[kernel(
    group = (32, cut.split),
    grid = (n.div_ceil(cut.wide()), m.div_ceil(cut.high()), batch)
)]
pub fn gemm_sparse24_skinny<Y: Outcome, W: Sum>(
    #[len(a_batch * m * (k / cut.span() * cut.span_words()))] values: &In<u32>,
    #[len(a_batch * m * (k / cut.span() * cut.span_places()))] index: &In<u32>,
    #[len(b_batch * n * (k / cut.span() * (2 * cut.span_words())))] b: &In<u32>,
    #[shape(addends, m, n)] c: &InView<Y, 3>,
    #[len(factors)] scale: &In<f32>,
    #[len(biases)] bias: &In<Y::Wide>,
    #[len(batch * m * n)] y: &mut Out<Y>,
    batch: u32,
    a_batch: u32,
    m: u32,
    n: u32,
    k: u32,
    factors: u32,
    biases: u32,
    addends: u32,
    y_rows: u32,
    y_cols: u32,
    b_batch: u32,
    #[comptime] form: Form,
    #[comptime] cut: Skinny,
) {
    let z = group_id_z();
    let atom = cut.atom;
    let (spans, sums) = (k / cut.span(), atom.sums());
    let (a_words, a_places) = (cut.span_words(), cut.span_places());
    let (matrix, columns) = (min(z, a_batch - 1) * m, min(z, b_batch - 1) * n);
    let last = matrix + (m - 1);
    let values = Rows { words: values, first: matrix, last, pitch: spans * a_words };
    let index = Rows { words: index, first: matrix, last, pitch: spans * a_places };
    let last = columns + (n - 1);
    let right = Rows { words: b, first: columns, last, pitch: spans * (2 * a_words) };
    let (row0, col0) = (group_id_y() * cut.high(), group_id() * cut.wide());
    let acc = private::<W>(cut.rows * cut.cols * sums);
    for i in 0..cut.rows * cut.cols * sums {
        acc[i] = lit::<W>(0.0);
    }
    for span in (subgroup_id()..spans).step_by(cut.split) {
        let of_rows = |down: u32| {
            let first = row0 + down * atom.m();
            let words = kept(cut, &values, first, span * a_words);
            let from = span * a_places;
            let places = if atom.quads() {
                places_of_quads(cut, &index, first, from)
            } else {
                places_of_halves(cut, &index, first, from)
            };
            (words, places)
        };
        let left: Vec<_> = (0..cut.rows).map(of_rows).collect();
        let of_columns = |tile: u32| {
            let (first, from) = (col0 + tile * atom.n(), span * (2 * a_words));
            if cut.widens() {
                dense_of_bytes(cut.elements[1], &right, first, from)
            } else if atom.quads() {
                dense_of_quads(&right, first, from)
            } else {
                dense_of_halves(cut, &right, first, from)
            }
        };
        // All is read before the first product.
        let right: Vec<_> = (0..cut.cols).map(of_columns).collect();
        for tile in 0..cut.cols {
            let met = &right[tile as usize];
            for down in 0..cut.rows {
                let (words, places) = &left[down as usize];
                let from = (down * cut.cols + tile) * sums;
                for step in 0..cut.steps() as usize {
                    let c: Vec<Val<W>> = (0..sums).map(|i| acc[from + i]).collect();
                    let d = W::matrix(atom, &words[step], &met[step], &c, places[step]);
                    for i in 0..sums {
                        acc[from + i] = d[i as usize];
                    }
                }
            }
        }
    }
    let (given, steps) = ([factors, biases, addends], [y_rows, y_cols]);
    let after = After { scale, bias, c, y, size: [z, m, n], given, steps, form };
    let parts = shared::<W>(cut.parts());
    let (high, wide, threads) = (cut.high(), atom.n(), 32 * cut.split);
    for tile in 0..cut.cols {
        if tile > 0 {
            barrier();
        }
        for down in 0..cut.rows {
            for i in 0..sums {
                let (row, col) = place_of(atom, i);
                let at = (subgroup_id() * high + (row + down * atom.m())) * wide + col;
                parts[at] = acc[(down * cut.cols + tile) * sums + i];
            }
        }
        barrier();
        for i in 0..(high * wide).div_ceil(threads) {
            let e = thread_id() + i * threads;
            if e < high * wide {
                let all: Vec<Val<W>> =
                    (0..cut.split).map(|s| parts[e + s * (high * wide)]).collect();
                let sum = all.iter().skip(1).fold(all[0], |sum, &part| sum + part);
                let smaller = cut.smaller();
                let sum =
                    if smaller > 0 { sum * lit::<W>(f64::from(1u32 << smaller)) } else { sum };
                let (row, col) = (row0 + e / wide, col0 + tile * wide + e % wide);
                if row < m && col < n {
                    finish(&after, row, col, sum);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a span is, in the terms of the atom.
    #[test]
    fn a_span_is_whole_products() {
        let f8 = Skinny::of_dtypes([DType::F8E4M3, DType::F8E5M2], true).unwrap();
        for cut in Atom::ALL.iter().copied().flat_map(Skinny::all).chain(f8) {
            let atom = cut.atom;
            assert_eq!(cut.span(), cut.steps() * atom.k(), "{cut:?}");
            assert_eq!(cut.span() % 32, 0, "{atom:?}");
            assert!(4 * cut.parts() <= 32 << 10 && 32 * cut.split <= 1024, "{cut:?}");
            for (lane, sum) in (0..32).flat_map(|l| (0..atom.sums()).map(move |s| (l, s))) {
                let (row, col) = atom.d_at(lane, sum);
                let at = match atom.quads() {
                    true => (lane / 4 + 8 * (sum / 2), lane % 4 * 2 + sum % 2),
                    false => (lane / 16 * 8 + sum, lane % 16),
                };
                assert_eq!((row, col), at);
            }
        }
    }

    #[test]
    fn few_columns_and_whole_spans_are_taken() {
        let atom = Atom::F16m16n8k32;
        let all = Skinny::all(atom);
        let [few, more] = all;
        assert_eq!(Skinny::fitting(all, 1, 16, 64), Some(few));
        assert_eq!(Skinny::fitting(all, 1, 17, 64), Some(more));
        assert_eq!(Skinny::fitting(all, 1, 64, 640), Some(more));
        for (n, k) in [(65, 64), (0, 64), (16, 96), (16, 32)] {
            assert_eq!(Skinny::fitting(all, 1, n, k), None, "{n} {k}");
        }
        assert_eq!(Skinny::fitting(all, (1 << 27) - 1, 16, 64), Some(few));
        assert_eq!(Skinny::fitting(all, 1 << 27, 16, 64), None);
    }
}
