//! The product of a compressed matrix and a dense one, over functions that read the operands.
//!
//! A kept value meets the one row of the dense matrix that its place names, and no other: what no place names is not
//! read, whatever it holds.
//!
//! Invariants
//! - `tiled`: a sum starts at 0 and runs `sum = value * b + sum`, one rounding a term, in the order of the kept values.
//! - `by_rows`: 32 such sums, one of the words w, w + 32, ... of the index each; then neighbours are added, then pairs of
//!   neighbours, and so on: the tree of a subgroup's sum.
//! - No cut changes a bit, nor does a thread: only which of the two it is.

use crate::{matmul::gemm::Tile, prelude::*};
use evenweave_lang::matrix::{Atom, wide::Wide};

/// What sums are kept in.
pub trait Sum: Numeric {
    /// An element that adds nothing to any sum when it is multiplied by 0.
    const NOTHING: f64;
    /// `a * b + sum`, rounded once.
    fn mac(a: Val<Self>, b: Val<Self>, sum: Val<Self>) -> Val<Self>;
    /// A product of small matrices; of floats in the order of the device.
    fn matrix(
        atom: Atom,
        a: &[Val<u32>],
        b: &[Val<u32>],
        c: &[Val<Self>],
        places: Val<u32>,
    ) -> Vec<Val<Self>>;
    /// Adds a product with shared memory; of floats in the order of the device.
    fn wide_matrix(
        wide: Wide,
        sums: Private<Self>,
        a: &[Val<u32>],
        places: &[Val<u32>],
        tile: Shared<u32>,
    );
    /// Its bits.
    fn word(x: Val<Self>) -> Val<u32>;
    /// The one of these bits.
    fn of_word(x: Val<u32>) -> Val<Self>;
}

#[device]
fn mac_f32(a: Val<f32>, b: Val<f32>, sum: Val<f32>) -> Val<f32> {
    fma(a, b, sum)
}

#[device]
fn mac_i32(a: Val<i32>, b: Val<i32>, sum: Val<i32>) -> Val<i32> {
    a * b + sum
}

impl Sum for f32 {
    const NOTHING: f64 = -0.0;
    fn mac(a: Val<f32>, b: Val<f32>, sum: Val<f32>) -> Val<f32> {
        mac_f32(a, b, sum)
    }
    #[track_caller]
    fn matrix(
        atom: Atom,
        a: &[Val<u32>],
        b: &[Val<u32>],
        c: &[Val<f32>],
        places: Val<u32>,
    ) -> Vec<Val<f32>> {
        fast::matrix(atom, a, b, c, places)
    }
    #[track_caller]
    fn wide_matrix(
        wide: Wide,
        sums: Private<f32>,
        a: &[Val<u32>],
        places: &[Val<u32>],
        tile: Shared<u32>,
    ) {
        fast::wide_matrix(wide, sums, a, places, tile);
    }
    #[track_caller]
    fn word(x: Val<f32>) -> Val<u32> {
        bits(x)
    }
    #[track_caller]
    fn of_word(x: Val<u32>) -> Val<f32> {
        from_bits::<f32>(x)
    }
}

impl Sum for i32 {
    const NOTHING: f64 = 0.0;
    fn mac(a: Val<i32>, b: Val<i32>, sum: Val<i32>) -> Val<i32> {
        mac_i32(a, b, sum)
    }
    #[track_caller]
    fn matrix(
        atom: Atom,
        a: &[Val<u32>],
        b: &[Val<u32>],
        c: &[Val<i32>],
        places: Val<u32>,
    ) -> Vec<Val<i32>> {
        matrix(atom, a, b, c, places)
    }
    #[track_caller]
    fn wide_matrix(
        wide: Wide,
        sums: Private<i32>,
        a: &[Val<u32>],
        places: &[Val<u32>],
        tile: Shared<u32>,
    ) {
        wide_matrix(wide, sums, a, places, tile);
    }
    #[track_caller]
    fn word(x: Val<i32>) -> Val<u32> {
        bits(x)
    }
    #[track_caller]
    fn of_word(x: Val<u32>) -> Val<i32> {
        from_bits::<i32>(x)
    }
}

/// How a product is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// A group computes a tile from slabs in shared memory.
    /// Columns of a thread are neighbours.
    Tiled(Tile),
    /// A subgroup computes a row of up to so many columns, all of them.
    Rows(u32),
}

/// Rows of a group of `Path::Rows`, a subgroup each.
const ROWS: u32 = 4;
/// Columns up to which rows are computed by subgroups: the sizes that kernels are made for.
pub(super) const FEW_COLUMNS: [u32; 3] = [1, 4, 16];

/// The tiles that `tile` = 1, 2, ... name, from the smallest to the largest. A slab is whole words of the index.
#[rustfmt::skip]
pub(super) const TILES: [Tile; 3] = [
    Tile { across: 16, down: 4, cols: 1, rows: 2, slab: 16 },
    Tile { across: 32, down: 4, cols: 2, rows: 4, slab: 16 },
    Tile { across: 32, down: 8, cols: 4, rows: 8, slab: 32 },
];

impl Path {
    /// Threads along the columns.
    pub const fn across(&self) -> u32 {
        match self {
            Path::Tiled(tile) => tile.across,
            Path::Rows(_) => 32,
        }
    }

    /// Threads along the rows.
    pub const fn down(&self) -> u32 {
        match self {
            Path::Tiled(tile) => tile.down,
            Path::Rows(_) => ROWS,
        }
    }

    /// Columns of a group.
    pub const fn wide(&self) -> u32 {
        match self {
            Path::Tiled(tile) => tile.wide(),
            Path::Rows(columns) => *columns,
        }
    }

    /// Rows of a group.
    pub const fn high(&self) -> u32 {
        match self {
            Path::Tiled(tile) => tile.high(),
            Path::Rows(_) => ROWS,
        }
    }
}

/// A place of a matrix and what is there.
type At<'a, W> = &'a dyn Fn(Val<u32>, Val<u32>) -> Val<W>;

/// The matrices of a product, seen from one of a batch.
pub(super) struct Operands<'a, W: Sum> {
    /// Kept value: row, number in the row.
    pub value: At<'a, W>,
    /// Word of the index: row, number in the row.
    pub places: At<'a, u32>,
    /// Element of the dense matrix: row, column.
    pub b: At<'a, W>,
    /// Takes a finished sum: row, column.
    pub store: &'a dyn Fn(Val<u32>, Val<u32>, Val<W>),
}

/// The product, a tile a group; see the module. `b_k`: whether neighbours of the dense matrix along k lie closer together
/// than those along n.
#[device]
pub(super) fn tiled<W: Sum>(size: [Val<u32>; 3], tile: Tile, b_k: Val<bool>, of: &Operands<'_, W>) {
    let (m, n, k) = (size[0], size[1], size[2]);
    let (high, wide, slab, threads) = (tile.high(), tile.wide(), tile.slab, tile.threads());
    let (cols, rows, pairs) = (tile.cols, tile.rows, tile.slab / 2);
    let (row0, col0) = (group_id_y() * high, group_id() * wide);
    let thread = thread_id();
    let values = shared::<W>(pairs * high);
    let meets = shared::<u32>(pairs * high);
    let b_slab = shared::<W>(slab * wide);
    let acc = private::<W>(rows * cols);
    for i in 0..rows * cols {
        acc[i] = lit::<W>(0.0);
    }
    for k0 in (val(0)..k).step_by(slab) {
        for i in 0..pairs * high / threads {
            let e = thread + i * threads;
            let (r, q) = (e / pairs, e % pairs);
            let kept = k0 / 2 + q;
            let inside = row0 + r < m && kept < k / 2;
            let zero = lit::<W>(0.0);
            values[q * high + r] = if inside { (of.value)(row0 + r, kept) } else { zero };
            let word = if inside { (of.places)(row0 + r, kept / 8) } else { val(0u32) };
            meets[q * high + r] = q / 2 * 4 + (word >> (q % 8 * 2) & 3);
        }
        for i in 0..slab * wide / threads {
            let e = thread + i * threads;
            let col = select(b_k, e / slab, e % wide);
            let s = select(b_k, e % slab, e / wide);
            let inside = col0 + col < n && k0 + s < k;
            let nothing = lit::<W>(W::NOTHING);
            b_slab[s * wide + col] = if inside { (of.b)(k0 + s, col0 + col) } else { nothing };
        }
        barrier();
        for q in val(0)..pairs {
            let at = q * high + local_id_y() * rows;
            for i in 0..rows {
                let x = values[at + i];
                let from = meets[at + i] * wide + local_id() * cols;
                for j in 0..cols {
                    acc[i * cols + j] = W::mac(x, b_slab[from + j], acc[i * cols + j]);
                }
            }
        }
        barrier();
    }
    for i in 0..rows {
        let row = row0 + local_id_y() * rows + i;
        for j in 0..cols {
            let col = col0 + local_id() * cols + j;
            if row < m && col < n {
                (of.store)(row, col, acc[i * cols + j]);
            }
        }
    }
}

/// The product with up to `columns` columns, a row a subgroup; see the module. What is past the last column is the last one again.
#[device]
pub(super) fn by_rows<W: Sum>(size: [Val<u32>; 3], columns: u32, of: &Operands<'_, W>) {
    let (m, n, k) = (size[0], size[1], size[2]);
    let col: Vec<Val<u32>> = (0..columns).map(|j| min(val(j), n - 1)).collect();
    let row = group_id_y() * ROWS + local_id_y();
    let lane = local_id();
    let words = k / 16;
    let sums = private::<W>(columns);
    for j in 0..columns {
        sums[j] = lit::<W>(0.0);
    }
    for word in (lane..select(row < m, words, 0)).step_by(32) {
        let places = (of.places)(row, word);
        let kept: Vec<Val<W>> = (0..8u32).map(|q| (of.value)(row, word * 8 + q)).collect();
        for q in 0..8u32 {
            let meets = word * 16 + q / 2 * 4 + (places >> (2 * q) & 3);
            for j in 0..columns {
                sums[j] = W::mac(kept[q as usize], (of.b)(meets, col[j as usize]), sums[j]);
            }
        }
    }
    // The last, short word belongs to the lane whose turn it would be.
    if row < m && lane == words % 32 && k % 16 != 0 {
        let places = (of.places)(row, words);
        for q in val(0)..k % 16 / 2 {
            let x = (of.value)(row, words * 8 + q);
            let meets = words * 16 + q / 2 * 4 + (places >> (2 * q) & 3);
            for j in 0..columns {
                sums[j] = W::mac(x, (of.b)(meets, col[j as usize]), sums[j]);
            }
        }
    }
    for j in 0..columns {
        let sum = subgroup_sum(sums[j]);
        if lane == 0 && row < m && val(j) < n {
            (of.store)(row, val(j), sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slabs_are_copied_whole() {
        for tile in TILES {
            assert_eq!(tile.slab / 2 * tile.high() % tile.threads(), 0, "{tile:?}");
            assert_eq!(tile.slab * tile.wide() % tile.threads(), 0, "{tile:?}");
            assert_eq!(tile.slab % 16, 0, "{tile:?}");
        }
    }
}
