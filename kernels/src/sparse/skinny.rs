//! The product of a compressed matrix and a dense one of few columns by products of small matrices, where reading the matrix takes the time.
//!
//! A group has some rows, and its subgroups share their columns out among them. Each lane reads 16 bytes of kept values at
//! once, neighbours of one row, and gives them to several products one after another: whole groups of four may change places along a row, where
//! those of the dense matrix do as well. While it multiplies, what comes next is on its way. Nothing is kept in shared memory but the
//! sums of the subgroups, which are added in the end.
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
    /// Whether the dense matrix is read a span ahead as well: not, where its words would fill the registers.
    pub ahead: bool,
}

/// Bytes of shared memory for sums, at most.
const SUMS_BYTES: u32 = 16 << 10;

impl Skinny {
    /// The cuts, that for fewer columns first.
    pub const fn all(atom: Atom) -> [Skinny; 2] {
        Skinny::of(atom, atom.elements())
    }

    const fn of(atom: Atom, elements: [DType; 2]) -> [Skinny; 2] {
        let cols = if atom.quads() { 2 } else { 1 };
        let few = Skinny { atom, elements, rows: 2, cols, split: 8, ahead: true };
        // A tile that is nearly a square reads each matrix least often.
        let rows = if atom.quads() { 4 } else { 2 };
        [few, Skinny { rows, cols: 2 * cols, ahead: false, ..few }]
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

    /// Whether k is whole spans, one at least, and a number of 32 bits counts the words of so many rows.
    pub const fn fits(&self, rows: u64, k: u32) -> bool {
        k > 0
            && k.is_multiple_of(self.span())
            && rows * (k / self.per_word()) as u64 <= u32::MAX as u64
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

    /// Words that a lane reads of the rows of an atom: of the kept values and of the index.
    const fn left_words(&self) -> u32 {
        let places = match (self.atom.quads(), self.per_word()) {
            (true, 4) if !self.widens() => 4,
            (true, _) => 2 * self.span_places(),
            (false, 8) => 2,
            (false, _) => 1,
        };
        WORDS * self.rows_of_lane() + places
    }

    /// Atoms along the columns whose sums are added at once.
    const fn together(&self) -> u32 {
        let most = SUMS_BYTES / (4 * self.split * self.high() * self.atom.n());
        if most < self.cols { most } else { self.cols }
    }

    /// Elements of shared memory.
    const fn parts(&self) -> u32 {
        self.split * self.high() * self.atom.n() * self.together()
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

/// A lane's words of the index of a span, of the rows from `first` on, from word `from` on.
#[device]
fn read_places(cut: Skinny, index: &Rows<'_>, first: Val<u32>, from: Val<u32>) -> Vec<Val<u32>> {
    let lane = local_id();
    let (half, row) = (lane / 16, first + lane % 16);
    match (cut.atom.quads(), cut.per_word()) {
        (false, 2) => index.at(row, from, 1),
        (false, 4) => index.at(row, from + half, 1),
        (false, _) => index.at(row, from + half * 2, 2),
        (true, 4) if !cut.widens() => index.at(first + lane / 4 + lane % 2 * 8, from, 4),
        (true, _) => {
            let words = cut.span_places();
            let row = |more: u32| index.at(first + lane / 4 + 8 * more, from, words);
            [row(0), row(1)].concat()
        }
    }
}

/// A lane's words of places for the products of a span, from those of the index. The lanes of a quad read neighbouring words of a
/// row, and a product takes one from each: so come its places.
#[device]
fn places(cut: Skinny, all: &[Val<u32>]) -> Vec<Val<u32>> {
    let lane = local_id();
    match (cut.atom.quads(), cut.per_word()) {
        (false, 2) => vec![all[0] >> (lane / 16 * 16)],
        (false, 4) => vec![all[0], all[0] >> 16],
        (false, _) => all.to_vec(),
        (true, 2) => {
            let upper = lane % 2 * 4;
            let of = |word: usize, step: u32| {
                let two = all[word] >> (upper + 8 * step) & 0x000f_000fu32;
                (two | two >> 12) & 0xff
            };
            let row = |row: usize, step: u32| of(2 * row, step) | of(2 * row + 1, step) << 8;
            (0..2u32).map(|step| row(0, step) | row(1, step) << 16).collect()
        }
        (true, _) if cut.widens() => {
            // A word has two groups, which two products take one after another.
            let by = lane % 2 * 8;
            let of_row = |row: u32, step: u32| {
                let at = by + (step / 2 * 16 + step % 2 * 4);
                let of = |i: u32| (all[(4 * row + i) as usize] >> at & 0xf) << (4 * i);
                of(0) | of(1) | (of(2) | of(3))
            };
            (0..4u32).map(|step| of_row(0, step) | of_row(1, step) << 16).collect()
        }
        (true, _) => {
            let by = lane % 4 / 2 * 8;
            let of = |i: u32, step: u32| (all[i as usize] >> (by + 16 * step) & 0xff) << (8 * i);
            (0..2u32).map(|step| of(0, step) | of(1, step) | (of(2, step) | of(3, step))).collect()
        }
    }
}

/// A lane's words of the dense matrix of a span, in its own column: from word `from` on.
#[device]
fn read_dense(cut: Skinny, b: &Rows<'_>, first: Val<u32>, from: Val<u32>) -> Vec<Val<u32>> {
    let lane = local_id();
    if cut.widens() {
        // Two neighbouring lanes read the same words, and each takes its half of every one.
        let chunk = |c: u32| b.at(first + lane / 4, from + lane % 4 / 2 * 8 + 16 * c, 8);
        [chunk(0), chunk(1)].concat()
    } else if cut.atom.quads() {
        let chunk = |c: u32| b.at(first + lane / 4, from + lane % 4 * 4 + 16 * c, 4);
        [chunk(0), chunk(1)].concat()
    } else {
        b.at(first + lane % 16, from + lane / 16 * 8, 8)
    }
}

/// A lane's words of the dense matrix for the products of a span, from those that it read.
#[device]
fn dense(cut: Skinny, all: &[Val<u32>]) -> Vec<Vec<Val<u32>>> {
    let lane = local_id();
    if cut.widens() {
        let half = lane % 2 * 16;
        let all: Vec<Val<u32>> =
            all.iter().map(|&word| widened(cut.elements[1], word >> half)).collect();
        let step = |s: usize| {
            let word = |w: usize| all[w % 2 * 8 + s / 2 * 4 + w / 2 * 2 + s % 2];
            (0..4usize).map(word).collect()
        };
        (0..4usize).map(step).collect()
    } else if cut.atom.quads() {
        // Two neighbouring lanes read eight words, of which a product takes every other one from each.
        let odd = lane % 2 == 1;
        let halves: Vec<Vec<Val<u32>>> = all
            .chunks(4)
            .map(|own| {
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
    } else {
        all.chunks(cut.atom.b_words() as usize).map(<[_]>::to_vec).collect()
    }
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

/// A lane's words of kept values of a span, of the rows from `first` on, from word `from` on.
#[device]
fn read_kept(cut: Skinny, values: &Rows<'_>, first: Val<u32>, from: Val<u32>) -> Vec<Val<u32>> {
    let lane = local_id();
    let (row, part) = if cut.atom.quads() { (lane / 4, lane % 4) } else { (lane % 16, lane / 16) };
    let row = |more: u32| values.at(first + row + 8 * more, from + part * WORDS, WORDS);
    (0..cut.rows_of_lane()).flat_map(row).collect()
}

/// A lane's words of kept values for the products of a span, from those that it read.
#[device]
fn kept(cut: Skinny, all: &[Val<u32>]) -> Vec<Vec<Val<u32>>> {
    let rows = cut.rows_of_lane();
    let word =
        |step: u32, word: u32| all[(word % rows * WORDS + step * cut.own() + word / rows) as usize];
    let step = |s: u32| -> Vec<Val<u32>> { (0..cut.atom.a_words()).map(|w| word(s, w)).collect() };
    if cut.widens() {
        let half = |s: u32| {
            let wide = |w: Val<u32>| widened(cut.elements[0], w >> (16 * (s % 2)));
            step(s / 2).into_iter().map(wide).collect()
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
    let read_left = |span: Val<u32>| -> Vec<Val<u32>> {
        let of_rows = |down: u32| {
            let first = row0 + down * atom.m();
            let words = read_kept(cut, &values, first, span * a_words);
            [words, read_places(cut, &index, first, span * a_places)].concat()
        };
        (0..cut.rows).flat_map(of_rows).collect()
    };
    let read_right = |span: Val<u32>| -> Vec<Val<u32>> {
        let from = span * (2 * a_words);
        let of_columns = |tile: u32| read_dense(cut, &right, col0 + tile * atom.n(), from);
        (0..cut.cols).flat_map(of_columns).collect()
    };
    let read = |span: Val<u32>| {
        let right = if cut.ahead { read_right(span) } else { vec![] };
        [read_left(span), right].concat()
    };
    let left_words = cut.left_words();
    // A span behind the last one is the last one again: it is read, and left.
    let begun = read(min(subgroup_id(), spans - 1));
    let count = begun.len() as u32;
    let held = private::<u32>(count);
    for i in 0..count {
        held[i] = begun[i as usize];
    }
    for span in (subgroup_id()..spans).step_by(cut.split) {
        let now: Vec<Val<u32>> = (0..count).map(|i| held[i]).collect();
        let next = read(min(span + cut.split, spans - 1));
        for i in 0..count {
            held[i] = next[i as usize];
        }
        let each = left_words as usize;
        let (left, behind) = now.split_at(each * cut.rows as usize);
        let all_right = if cut.ahead { behind.to_vec() } else { read_right(span) };
        let left: Vec<_> = left
            .chunks(each)
            .map(|all| {
                let (words, index) = all.split_at((WORDS * cut.rows_of_lane()) as usize);
                (kept(cut, words), places(cut, index))
            })
            .collect();
        let met: Vec<_> = all_right
            .chunks(all_right.len() / cut.cols as usize)
            .map(|all| dense(cut, all))
            .collect();
        for tile in 0..cut.cols {
            for down in 0..cut.rows {
                let (words, places) = &left[down as usize];
                let from = (down * cut.cols + tile) * sums;
                for step in 0..cut.steps() as usize {
                    let c: Vec<Val<W>> = (0..sums).map(|i| acc[from + i]).collect();
                    let b = &met[tile as usize][step];
                    let d = W::matrix(atom, &words[step], b, &c, places[step]);
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
    let (high, wide, threads) = (cut.high(), atom.n() * cut.together(), 32 * cut.split);
    for round in 0..cut.cols / cut.together() {
        if round > 0 {
            barrier();
        }
        let first = round * cut.together();
        for (down, tile) in (0..cut.rows).flat_map(|d| (0..cut.together()).map(move |t| (d, t))) {
            for i in 0..sums {
                let (row, col) = place_of(atom, i);
                let row = subgroup_id() * high + (row + down * atom.m());
                let from = (down * cut.cols + first + tile) * sums;
                parts[row * wide + (col + tile * atom.n())] = acc[from + i];
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
                let (row, col) = (row0 + e / wide, col0 + first * atom.n() + e % wide);
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
            assert!(cut.together() > 0 && cut.cols.is_multiple_of(cut.together()), "{cut:?}");
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
