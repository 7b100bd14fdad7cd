//! Kernels of the product of a 2:4 matrix and a dense one: how they read their operands, and what they do with a sum.
//!
//! Invariants
//! - Of a batch, `a` is one matrix for all, or one each.
//! - A finished sum is scaled, then c and bias are added, in f32, or in i32 where the result is.

use super::{
    group::Kept,
    matrix::{Cut, Words, by_matrices, word_of},
    product::{Operands, Path, Sum, by_rows, tiled},
};
use crate::{pieces::each::multiple, prelude::*};

/// A dtype of results, and the one in which scale, c and bias are applied.
pub trait Outcome: Scalar {
    /// f32, or i32 for i32.
    type Wide: Numeric;
}
macro_rules! outcomes {
    ($($ty:ty => $wide:ty,)*) => { $( impl Outcome for $ty { type Wide = $wide; } )* };
}
outcomes! { f32 => f32, f16 => f32, bf16 => f32, i32 => i32, }

/// What a product does besides multiplying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Columns of `a` that share a scale; 0 where there are no such scales.
    pub block: u32,
    /// 1: one scale for the result.
    pub one: u32,
    /// 1: a scale for each row of it.
    pub each: u32,
    /// 1: `c` is added.
    pub c: u32,
    /// 1: a bias for each row is added.
    pub bias: u32,
    /// Whether the result lies with columns before rows.
    pub flip: bool,
    /// Whether rows of `a` are whole words of the index.
    pub whole: bool,
    /// 1: columns of `b` are given as rows without gaps.
    pub rows: u32,
}

impl Form {
    /// Columns of a block, or 1.
    const fn block(&self) -> u32 {
        if self.block == 0 { 1 } else { self.block }
    }

    /// 1 where blocks have scales.
    const fn scaled(&self) -> u32 {
        if self.block == 0 { 0 } else { 1 }
    }
}

/// What becomes of a finished sum.
struct After<'a, Y: Outcome> {
    scale: &'a In<f32>,
    bias: &'a In<Y::Wide>,
    c: &'a InView<Y, 3>,
    y: &'a Out<Y>,
    /// Batch, rows, columns: which of the batch, and how many.
    size: [Val<u32>; 3],
    form: Form,
}

/// Scale, c, bias, and the store.
#[device]
fn finish<Y: Outcome, W: Sum>(of: &After<'_, Y>, row: Val<u32>, col: Val<u32>, sum: Val<W>) {
    let (form, [z, m, n]) = (of.form, of.size);
    let sum = sum as Y::Wide;
    let sum =
        if form.one + form.each > 0 { sum * (of.scale[row * form.each] as Y::Wide) } else { sum };
    let sum = if form.c > 0 { sum + (of.c[[z, row, col]] as Y::Wide) } else { sum };
    let sum = if form.bias > 0 { sum + of.bias[row] } else { sum };
    let (outer, inner, width) = if form.flip { (col, row, m) } else { (row, col, n) };
    let at = (z as u64 * ((m as u64) * (n as u64))) + outer as u64 * (width as u64);
    of.y[at + inner as u64] = sum as Y;
}

/// Definition.
#[kernel(
    group = (path.across(), path.down()),
    grid = (n.div_ceil(path.wide()), m.div_ceil(path.high()), batch)
)]
pub fn gemm_sparse24<A: Kept, S: Element, B: Element, Y: Outcome, W: Sum>(
    #[len(a_batch * m * (k / 2))] values: &In<A>,
    #[len(a_batch * m * k.div_ceil(16))] index: &In<u16>,
    #[len(a_batch * m * k.div_ceil(form.block()) * form.scaled())] scales: &In<S>,
    #[shape(batch, k, n)] b: &InView<B, 3>,
    #[shape(batch * form.c, m, n)] c: &InView<Y, 3>,
    #[len(m * form.each + form.one)] scale: &In<f32>,
    #[len(m * form.bias)] bias: &In<Y::Wide>,
    #[len(batch * m * n)] y: &mut Out<Y>,
    batch: u32,
    a_batch: u32,
    m: u32,
    n: u32,
    k: u32,
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
        if form.block > 0 {
            let blocks = k / form.block() + min(k % form.block(), 1);
            let block = q / 2 * 4 / form.block();
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
    let after = After { scale, bias, c, y, size: [z, m, n], form };
    let store = |row: Val<u32>, col: Val<u32>, sum: Val<W>| finish(&after, row, col, sum);
    let of = Operands { value: &value, places: &places, b: &dense, store: &store };
    match path {
        Path::Tiled { tile, b_k } => tiled([m, n, k], tile, b_k, &of),
        Path::Rows(columns) => by_rows(m, k, columns, &of),
    }
}

/// Definition with products of small matrices. `b` is a view, or `b_rows` has its columns as rows.
#[kernel(
    group = (32, cut.subgroups()),
    grid = (n.div_ceil(cut.wide()), m.div_ceil(cut.high()), batch)
)]
pub fn gemm_sparse24_matrix<T: Kept + Reinterpret, Y: Outcome, W: Sum>(
    #[len(a_batch * m * (k / 2))] values: &In<T>,
    #[len(a_batch * m * k.div_ceil(16))] index: &In<u16>,
    #[shape(batch * (1 - form.rows), k, n)] b: &InView<T, 3>,
    #[len(batch * n * k * form.rows)] b_rows: &In<T>,
    #[shape(batch * form.c, m, n)] c: &InView<Y, 3>,
    #[len(m * form.each + form.one)] scale: &In<f32>,
    #[len(m * form.bias)] bias: &In<Y::Wide>,
    #[len(batch * m * n)] y: &mut Out<Y>,
    batch: u32,
    a_batch: u32,
    m: u32,
    n: u32,
    k: u32,
    #[comptime] form: Form,
    #[comptime] cut: Cut,
    #[comptime] b_k: bool,
) {
    let z = group_id_z();
    let k = multiple(if form.whole { 16 } else { 4 }, k);
    let per = cut.atom.per_word();
    let matrix = min(z, a_batch - 1) as u64 * (m as u64);
    let a_word = |row: Val<u32>, word: Val<u32>| {
        let first = (matrix + row as u64) * ((k / 2) as u64) + (word * per) as u64;
        let pair = |at: u64| word_of(&[values[first + at], values[first + (at + 1)]]);
        if per == 2 {
            pair(0)
        } else if form.whole {
            let all: Vec<Val<T>> = (0..4u64).map(|j| values[first + j]).collect();
            word_of(&all)
        } else {
            // Two kept values of a row may be left for its last word.
            let high = if word * 4 + 2 < k / 2 { pair(2) } else { val(0u32) };
            pair(0) | (high << 16)
        }
    };
    let places = |row: Val<u32>, word: Val<u32>| {
        let words = k / 16 + min(k % 16, 1);
        index[(matrix + row as u64) * (words as u64) + word as u64] as u32
    };
    let dense = |word: Val<u32>, col: Val<u32>| {
        let column = (z as u64 * (n as u64) + col as u64) * (k as u64) + (word * per) as u64;
        let all: Vec<Val<T>> = (0..per)
            .map(|j| {
                if form.rows > 0 { b_rows[column + j as u64] } else { b[[z, word * per + j, col]] }
            })
            .collect();
        word_of(&all)
    };
    let after = After { scale, bias, c, y, size: [z, m, n], form };
    let store = |row: Val<u32>, col: Val<u32>, sum: Val<W>| finish(&after, row, col, sum);
    let of = Words { a: &a_word, places: &places, b: &dense, b_k, store: &store };
    by_matrices([m, n, k], cut, &of);
}
