//! Kernels of the product of a 2:4 matrix and a dense one: how they read their operands, and what they do with a sum.
//!
//! Invariants
//! - Of a batch, `a` is one matrix for all, or one each.
//! - A finished sum is scaled, then c and bias are added, in f32, or in i32 where the result is.

use super::{
    group::Kept,
    matrix::{Cut, Words, by_matrices, word_at},
    product::{Operands, Path, Sum, by_rows, tiled},
    wide::{GROUP, HIGH, Slabs, by_groups, words_at},
};
use crate::{pieces::each::multiple, prelude::*};
use evenweave_lang::matrix::wide::Wide;

/// A dtype of results, and the one in which scale, c and bias are applied.
pub trait Outcome: Scalar {
    /// f32, or i32 for i32.
    type Wide: Numeric;
}
macro_rules! outcomes {
    ($($ty:ty => $wide:ty,)*) => { $( impl Outcome for $ty { type Wide = $wide; } )* };
}
outcomes! { f32 => f32, f16 => f32, bf16 => f32, i32 => i32, }

/// What a product is compiled for. All else that a launch may ask is a number of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// 1: blocks of columns of `a` have scales.
    pub scaled: u32,
    /// Whether something may be done to a sum besides storing it: a factor, `c`, a bias.
    pub more: bool,
    /// Whether rows of `a` are whole words of the index.
    pub whole: bool,
}

/// What becomes of a finished sum.
pub(super) struct After<'a, Y: Outcome> {
    pub scale: &'a In<f32>,
    pub bias: &'a In<Y::Wide>,
    pub c: &'a InView<Y, 3>,
    pub y: &'a Out<Y>,
    /// Which of the batch, rows, columns.
    pub size: [Val<u32>; 3],
    /// How many factors, biases and matrices `c` there are.
    pub given: [Val<u32>; 3],
    /// How far apart rows and columns of `y` are.
    pub steps: [Val<u32>; 2],
    pub form: Form,
}

/// Scale, c and bias, those that there are.
#[device]
fn extended<Y: Outcome>(
    of: &After<'_, Y>,
    row: Val<u32>,
    col: Val<u32>,
    sum: Val<Y::Wide>,
) -> Val<Y::Wide> {
    let ([z, ..], [factors, biases, addends]) = (of.size, of.given);
    let sum = if Y::DTYPE == DType::I32 {
        sum
    } else if factors > 0 {
        sum * (of.scale[select(factors > 1, row, 0)] as Y::Wide)
    } else {
        sum
    };
    let sum = if addends > 0 { sum + (of.c[[z, row, col]] as Y::Wide) } else { sum };
    if biases > 0 { sum + of.bias[row] } else { sum }
}

/// What is asked besides the sum, and the store.
#[device]
pub(super) fn finish<Y: Outcome, W: Sum>(
    of: &After<'_, Y>,
    row: Val<u32>,
    col: Val<u32>,
    sum: Val<W>,
) {
    let ([z, m, n], [rows, cols]) = (of.size, of.steps);
    let sum = sum as Y::Wide;
    let sum = if of.form.more { extended(of, row, col, sum) } else { sum };
    let at = (z as u64 * ((m as u64) * (n as u64))) + row as u64 * (rows as u64);
    of.y[at + col as u64 * (cols as u64)] = sum as Y;
}

/// Definition. There are 0, 1 or m `factors`, 0 or m `biases`, 0 or batch `addends`; `y_rows` and `y_cols` are how far apart rows
/// and columns of `y` are, `b_k` is 1 where neighbours of `b` along k lie closer together than along n, and a row of `a` has `blocks` scales, one for
/// `1 << block_bits` columns.
#[kernel(
    group = (path.across(), path.down()),
    grid = (n.div_ceil(path.wide()), m.div_ceil(path.high()), batch)
)]
pub fn gemm_sparse24<A: Kept, S: Element, B: Element, Y: Outcome, W: Sum>(
    #[len(a_batch * m * (k / 2))] values: &In<A>,
    #[len(a_batch * m * k.div_ceil(16))] index: &In<u16>,
    #[len(a_batch * m * blocks * form.scaled)] scales: &In<S>,
    #[shape(batch, k, n)] b: &InView<B, 3>,
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
    b_k: u32,
    blocks: u32,
    block_bits: u32,
    #[comptime] form: Form,
    #[comptime] path: Path,
) {
    let z = group_id_z();
    let k = multiple(if form.whole { 16 } else { 4 }, k);
    // One matrix for the whole batch, or one each.
    let matrix = min(z, a_batch - 1) as u64 * (m as u64);
    let value = |row: Val<u32>, q: Val<u32>| {
        let of = matrix + row as u64;
        let x = values[of * ((k / 2) as u64) + q as u64] as W;
        if form.scaled > 0 {
            // A block is whole words of the index.
            let block = (q / 8 * 16) >> block_bits;
            x * (scales[of * (blocks as u64) + block as u64] as W)
        } else {
            x
        }
    };
    let places = |row: Val<u32>, word: Val<u32>| {
        let words = k / 16 + min(k % 16, 1);
        index[(matrix + row as u64) * (words as u64) + word as u64] as u32
    };
    let dense = |row: Val<u32>, col: Val<u32>| b[[z, row, col]] as W;
    let (given, steps) = ([factors, biases, addends], [y_rows, y_cols]);
    let after = After { scale, bias, c, y, size: [z, m, n], given, steps, form };
    let store = |row: Val<u32>, col: Val<u32>, sum: Val<W>| finish(&after, row, col, sum);
    let of = Operands { value: &value, places: &places, b: &dense, store: &store };
    match path {
        Path::Tiled(tile) => tiled([m, n, k], tile, b_k > 0, &of),
        Path::Rows(columns) => by_rows([m, n, k], columns, &of),
    }
}

/// Definition with products of small matrices. Columns of `b` are rows without gaps, one matrix for the whole batch or one each.
/// 8-bit floats and elements of 4 bits come as bytes; the rest is as above.
#[kernel(
    group = (32, cut.subgroups()),
    grid = (n.div_ceil(cut.wide()), m.div_ceil(cut.high()), batch)
)]
pub fn gemm_sparse24_matrix<T: Reinterpret, Y: Outcome, W: Sum>(
    #[len(a_batch * m * (k / (2 * cut.packed())))] values: &In<T>,
    #[len(a_batch * m * k.div_ceil(16))] index: &In<u16>,
    #[len(b_batch * n * (k / cut.packed()))] b: &In<T>,
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
    #[comptime] cut: Cut,
) {
    let z = group_id_z();
    let k = multiple(if form.whole { 16 } else { 4 }, k);
    let (packed, per_word) = (cut.packed(), 32 / T::DTYPE.bits());
    let matrix = min(z, a_batch - 1) as u64 * (m as u64);
    let columns = min(z, b_batch - 1) as u64 * (n as u64);
    // Of a row that is no whole words, two kept values are always there, and four elements of `b`.
    let at_least = |elems: u32| if form.whole { per_word } else { per_word.min(elems / packed) };
    let a_word = |row: Val<u32>, word: Val<u32>| {
        word_at(values, matrix + row as u64, k / (2 * packed), word, at_least(2))
    };
    let places = |row: Val<u32>, word: Val<u32>| {
        let words = k / 16 + min(k % 16, 1);
        index[(matrix + row as u64) * (words as u64) + word as u64] as u32
    };
    let dense = |word: Val<u32>, col: Val<u32>| {
        word_at(b, columns + col as u64, k / packed, word, at_least(4))
    };
    let (given, steps) = ([factors, biases, addends], [y_rows, y_cols]);
    let after = After { scale, bias, c, y, size: [z, m, n], given, steps, form };
    let store = |row: Val<u32>, col: Val<u32>, sum: Val<W>| finish(&after, row, col, sum);
    let of = Words { a: &a_word, places: &places, b: &dense, store: &store };
    by_matrices([m, n, k], cut, &of);
}

/// Definition with products that take `b` from shared memory. Rows of `a` are whole slabs, columns of `b` rows without gaps;
/// both come as bytes, the rest is as above.
#[kernel(
    group = (32, GROUP),
    grid = (n.div_ceil(wide.n()), m.div_ceil(HIGH), batch)
)]
pub fn gemm_sparse24_wide<Y: Outcome, W: Sum>(
    #[len(a_batch * m * (k / wide.k() * 64))] values: &In<u8>,
    #[len(a_batch * m * (k / 16))] index: &In<u16>,
    #[len(b_batch * n * (k / wide.k() * 128))] b: &In<u8>,
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
    #[comptime] wide: Wide,
) {
    let z = group_id_z();
    let slabs = (k / wide.k()) as u64;
    let matrix = min(z, a_batch - 1) as u64 * (m as u64);
    let columns = min(z, b_batch - 1) as u64 * (n as u64);
    let a_piece = |row: Val<u32>, piece: Val<u32>| {
        words_at(values, ((matrix + row as u64) * (slabs * 4) + piece as u64) * 16)
    };
    let b_piece = |col: Val<u32>, piece: Val<u32>| {
        words_at(b, ((columns + col as u64) * (slabs * 8) + piece as u64) * 16)
    };
    let places = |row: Val<u32>, slab: Val<u32>| {
        let each = wide.k() / 16;
        let first = ((matrix + row as u64) * slabs + slab as u64) * (each as u64);
        let word = |i: u32| {
            let [low, high] = [i, i + 1].map(|i| index[first + i as u64] as u32);
            low | (high << 16)
        };
        let words: Vec<Val<u32>> = (0..each).step_by(2).map(word).collect();
        words
    };
    let (given, steps) = ([factors, biases, addends], [y_rows, y_cols]);
    let after = After { scale, bias, c, y, size: [z, m, n], given, steps, form };
    let store = |row: Val<u32>, col: Val<u32>, sum: Val<W>| finish(&after, row, col, sum);
    let of = Slabs { a: &a_piece, b: &b_piece, places: &places, store: &store };
    by_groups([m, n, k], wide, &of);
}
