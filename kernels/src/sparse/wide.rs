//! The product of a compressed matrix and a dense one by products that take the dense one from shared memory.
//!
//! A group keeps slabs of columns of `b`, two at a time: while products read one, the other is filled with what was read from
//! memory a slab earlier. The matrix in registers comes from memory directly, two slabs ahead. Groups follow each other down
//! bands of rows, so that those that run at the same time meet the same rows and columns.
//!
//! A lane takes 16 bytes of a row at once, which are not neighbours as products take them. So groups of four columns are met
//! in another order: of each slab, bytes `8 u` to `8 u + 7` of `b`, and what meets them, stand where `slot` of `u` says.
//!
//! Invariants
//! - Rows and columns past the edges are the last ones again, and nobody stores their sums.
//! - A row of `a` is whole slabs.

use super::product::Sum;
use crate::prelude::*;
use evenweave_lang::matrix::wide::{SUBGROUPS, Wide};

/// Rows of a unit of four subgroups in one product.
const UNIT_ROWS: u32 = 64;
/// Units of four subgroups of a group.
const UNITS: u32 = 2;
/// Products of a subgroup, one below the other.
const DOWN: u32 = 2;
/// Subgroups of a group.
pub(super) const GROUP: u32 = UNITS * SUBGROUPS;
/// Threads of a group.
const THREADS: u32 = 32 * GROUP;
/// Rows of a group.
pub(super) const HIGH: u32 = UNITS * DOWN * UNIT_ROWS;
/// Tiles of a band, one below the other.
const BAND: u32 = 8;
/// Bytes that a thread reads at once.
const PIECE: u32 = 16;
/// Pieces of a column of a slab, and of a row of it.
const PIECES: [u32; 2] = [8, 4];
/// Columns of finished sums that a subgroup exchanges at once.
const PART: u32 = 64;

/// Where a unit of 8 bytes of a slab of `b`, and the word of `a` that meets it, stands among those of a product.
const fn slot(unit: u32) -> u32 {
    let (quarter, i) = (unit / 4, unit % 4);
    i / 2 * 8 + i % 2 * 4 + quarter
}

/// A row or column, and the number of a piece in it.
type At<'a> = &'a dyn Fn(Val<u32>, Val<u32>) -> Vec<Val<u32>>;

/// The matrices of a product, seen from one of a batch. None is asked for past an edge.
pub(super) struct Slabs<'a, W: Sum> {
    /// The four words of a piece of kept values.
    pub a: At<'a>,
    /// The four words of a piece of a column of the dense matrix.
    pub b: At<'a>,
    /// The words of the index of a row of a slab.
    pub places: At<'a>,
    /// Takes a finished sum: row, column.
    pub store: &'a dyn Fn(Val<u32>, Val<u32>, Val<W>),
}

/// What a thread needs to know of where it is.
struct Here {
    wide: Wide,
    /// For each product, the lane's two rows.
    rows: Vec<[Val<u32>; 2]>,
    /// For each piece of `b` that the thread fills in, its column, and the place of that in the tile.
    columns: Vec<[Val<u32>; 2]>,
    piece: Val<u32>,
    lane: Val<u32>,
    slabs: Val<u32>,
}

/// The tile of a group: its first row and column. Tiles of a band follow each other down, then across.
#[device]
fn tile_of_group(m: Val<u32>, n: Val<u32>, wide: Wide) -> [Val<u32>; 2] {
    let (down, across) = ((m + (HIGH - 1)) / HIGH, (n + (wide.n() - 1)) / wide.n());
    let number = group_id_y() * across + group_id();
    let band = number / (across * BAND);
    let within = number % (across * BAND);
    let high = min(down - band * BAND, BAND);
    [(band * BAND + within % high) * HIGH, within / high * wide.n()]
}

#[device]
fn here([m, n, slabs]: [Val<u32>; 3], [row0, col0]: [Val<u32>; 2], wide: Wide) -> Here {
    let (thread, lane, subgroup) = (thread_id(), local_id(), local_id_y());
    let rows = (0..DOWN).map(|down| {
        let unit = subgroup / SUBGROUPS * DOWN + down;
        let row = row0 + unit * UNIT_ROWS + subgroup % SUBGROUPS * wide.m() + lane / 4;
        [min(row, m - 1), min(row + 8, m - 1)]
    });
    let columns = (0..wide.n() * PIECES[0] / THREADS).map(|i| {
        let number = (thread + i * THREADS) / PIECES[0];
        // Columns that two halves of a subgroup fill in together differ in their second bit: they meet no bank twice.
        let col = (number & !3) | ((number & 1) << 1) | ((number >> 1) & 1);
        [min(col0 + col, n - 1), col]
    });
    let (rows, columns) = (rows.collect(), columns.collect());
    Here { wide, rows, columns, piece: thread % PIECES[0], lane, slabs }
}

/// A slab of `b`, as this thread reads it.
#[device]
fn read_b<W: Sum>(of: &Slabs<'_, W>, here: &Here, slab: Val<u32>) -> Vec<Val<u32>> {
    let piece = slab * PIECES[0] + here.piece;
    here.columns.iter().flat_map(|&[col, _]| (of.b)(col, piece)).collect()
}

/// Fills a tile with what this thread has read: each half of a piece is a unit.
#[device]
fn fill(tile: Shared<u32>, here: &Here, words: &[Val<u32>]) {
    for (n, &[_, col]) in here.columns.iter().enumerate() {
        for half in 0..2u32 {
            let unit = here.piece * 2 + half;
            let bits: Vec<Val<u32>> =
                (0..4).map(|bit| ((unit >> bit) & 1) * slot(1 << bit)).collect();
            let slot = bits[0] | bits[1] | bits[2] | bits[3];
            let chunk = (slot / 2) ^ (col % 8);
            let at = col * 32 + chunk * 4 + slot % 2 * 2;
            for word in 0..2u32 {
                tile[at + word] = words[n * 4 + (half * 2 + word) as usize];
            }
        }
    }
}

/// Words of `a` and of its places for the products of a slab, one product after another.
#[device]
fn read_a<W: Sum>(of: &Slabs<'_, W>, here: &Here, slab: Val<u32>) -> Vec<Val<u32>> {
    let wide = here.wide;
    let piece = slab * PIECES[1] + here.lane % 4;
    here.rows
        .iter()
        .flat_map(|rows| {
            let words = rows.map(|row| (of.a)(row, piece));
            // Word `i` of the piece of lane 0 meets unit `i`.
            let word = |operand: u32| {
                let (row, col) = wide.a_at(0, operand);
                let i = (0..4).find(|&i| slot(i) == col / wide.per_word());
                words[row as usize / 8][i.expect("lane 0 has its piece") as usize]
            };
            let values: Vec<Val<u32>> = (0..wide.a_words()).map(word).collect();
            values.into_iter().chain(places_of(of, here, *rows, slab)).collect::<Vec<_>>()
        })
        .collect()
}

/// Places of the two steps of a product.
#[device]
fn places_of<W: Sum>(
    of: &Slabs<'_, W>,
    here: &Here,
    rows: [Val<u32>; 2],
    slab: Val<u32>,
) -> Vec<Val<u32>> {
    let lane = here.lane;
    if here.wide.bits() == 16 {
        // Of lane t the word is half t of a step, of both rows: a nibble of each quarter of the slab.
        let index = rows.map(|row| (of.places)(row, slab));
        let step = |step: u32| {
            let by = (lane % 2 + 2 * step) * 4;
            let of_row = |words: &[Val<u32>]| {
                let [low, high] = [words[0], words[1]].map(|word| (word >> by) & 0x000f_000f);
                let both = low | (high << 8);
                (both | (both >> 12)) & 0xffff
            };
            of_row(&index[0]) | (of_row(&index[1]) << 16)
        };
        vec![step(0), step(1)]
    } else {
        // Of an even lane the word is of the first row; half t / 2 of a step, a byte of each quarter.
        let words = (of.places)(select(lane % 2 == 0, rows[0], rows[1]), slab);
        let step = |step: u32| {
            let by = (lane / 2 % 2 + 2 * step) * 8;
            let bytes = words.iter().enumerate();
            let bytes = bytes.map(|(i, &word)| ((word >> by) & 0xff) << (8 * i as u32));
            bytes.reduce(|all, byte| all | byte).expect("there are four quarters")
        };
        vec![step(0), step(1)]
    }
}

/// What a thread holds from one slab to the next.
struct Held<W: Sum> {
    /// Operands of the products of this slab and of the next one, by which half of a round they belong to.
    a: [Private<u32>; 2],
    /// What it has read of the next slab of `b`.
    b: Private<u32>,
    sums: Vec<Private<W>>,
}

#[device]
fn keep(to: Private<u32>, words: &[Val<u32>]) {
    for (i, &word) in words.iter().enumerate() {
        to[i as u32] = word;
    }
}

/// The products of a slab, while the next one is filled in and those after it are read.
#[device]
fn products<W: Sum>(
    of: &Slabs<'_, W>,
    here: &Here,
    held: &Held<W>,
    tiles: [Shared<u32>; 2],
    half: usize,
    slab: Val<u32>,
) {
    let (wide, last) = (here.wide, here.slabs - 1);
    let (mine, [tile, next]) = (held.a[half], [tiles[half], tiles[1 - half]]);
    let operands = wide.operands() as u32;
    // Products begin one after another, with nothing in between.
    let a: Vec<Val<u32>> = (0..DOWN * operands).map(|i| mine[i]).collect();
    for (&sums, a) in held.sums.iter().zip(a.chunks(operands as usize)) {
        let (values, places) = a.split_at(wide.a_words() as usize);
        W::wide_matrix(wide, sums, values, places, tile);
    }
    let words: Vec<Val<u32>> = (0..here.columns.len() as u32 * 4).map(|i| held.b[i]).collect();
    fill(next, here, &words);
    keep(held.b, &read_b(of, here, min(slab + 2, last)));
    keep(mine, &read_a(of, here, min(slab + 2, last)));
    barrier();
}

/// The product, a tile a group; see the module.
#[device]
pub(super) fn by_groups<W: Sum>(size: [Val<u32>; 3], wide: Wide, of: &Slabs<'_, W>) {
    let (m, n, slabs) = (size[0], size[1], size[2] / wide.k());
    let at = tile_of_group(m, n, wide);
    let here = here([m, n, slabs], at, wide);
    let tiles = [shared::<u32>(wide.tile_words()), shared::<u32>(wide.tile_words())];
    let sums: Vec<Private<W>> = (0..DOWN).map(|_| private::<W>(wide.sums())).collect();
    for down in 0..DOWN {
        for i in 0..wide.sums() {
            sums[down as usize][i] = lit::<W>(0.0);
        }
    }
    let a = [0; 2].map(|_| private::<u32>(DOWN * wide.operands() as u32));
    let held = Held { a, b: private::<u32>(here.columns.len() as u32 * 4), sums };
    if slabs > 0 {
        fill(tiles[0], &here, &read_b(of, &here, val(0)));
        keep(held.b, &read_b(of, &here, min(val(1), slabs - 1)));
        keep(held.a[0], &read_a(of, &here, val(0)));
        keep(held.a[1], &read_a(of, &here, min(val(1), slabs - 1)));
        barrier();
        for slab in (val(0)..slabs).step_by(2) {
            products(of, &here, &held, tiles, 0, slab);
            if slab + 1 < slabs {
                products(of, &here, &held, tiles, 1, slab + 1);
            }
        }
    }
    finish([m, n], at, &here, &held.sums, tiles, of);
}

/// Stores the sums: each subgroup exchanges them within its part of the tiles, so that lanes store neighbours.
#[device]
fn finish<W: Sum>(
    [m, n]: [Val<u32>; 2],
    [row0, col0]: [Val<u32>; 2],
    here: &Here,
    sums: &[Private<W>],
    tiles: [Shared<u32>; 2],
    of: &Slabs<'_, W>,
) {
    let (wide, lane, subgroup) = (here.wide, here.lane, local_id_y());
    let words = wide.m() * PART;
    let per_tile = GROUP / 2;
    let base = subgroup % per_tile * words;
    // Rows of a part begin at different banks.
    let place = |row: Val<u32>, col: Val<u32>| base + row * PART + (col ^ (row % 8 * 8));
    for down in 0..DOWN {
        let unit = subgroup / SUBGROUPS * DOWN + down;
        let first = row0 + unit * UNIT_ROWS + subgroup % SUBGROUPS * wide.m();
        for part in 0..wide.n() / PART {
            let each = wide.sums() / (wide.n() / PART);
            let own: Vec<Val<u32>> =
                (0..each).map(|i| W::word(sums[down as usize][part * each + i])).collect();
            let put = |tile: Shared<u32>| {
                for (i, &word) in own.iter().enumerate() {
                    let (row, col) = wide.d_at(0, i as u32);
                    tile[place(lane / 4 + row, lane % 4 * 2 + col)] = word;
                }
            };
            if subgroup < per_tile {
                put(tiles[0]);
            } else {
                put(tiles[1]);
            }
            barrier();
            for row in val(0)..wide.m() {
                for half in 0..PART / 32 {
                    let col = lane + half * 32;
                    let at = place(row, col);
                    let word = if subgroup < per_tile { tiles[0][at] } else { tiles[1][at] };
                    let (row, col) = (first + row, col0 + part * PART + col);
                    if row < m && col < n {
                        (of.store)(row, col, W::of_word(word));
                    }
                }
            }
            barrier();
        }
    }
}

/// The words of neighbouring bytes, `first` a multiple of what is read at once.
#[device]
pub(super) fn words_at(x: &In<u8>, first: Val<u64>) -> Vec<Val<u32>> {
    (0..PIECE / 4)
        .map(|word| {
            let byte = |i: u32| (x[first + (word * 4 + i) as u64] as u32) << (8 * i);
            byte(0) | byte(1) | byte(2) | byte(3)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn units_stand_in_slots_of_their_own() {
        let slots: BTreeSet<u32> = (0..16).map(slot).collect();
        assert_eq!(slots, (0..16).collect());
        // The words of `a` that a lane reads at once are those that it gives.
        for &wide in Wide::ALL {
            for lane in 0..32 {
                let given: BTreeSet<u32> = (0..wide.a_words())
                    .filter(|word| word % 2 == 0)
                    .map(|word| wide.a_at(lane, word).1 / wide.per_word())
                    .collect();
                let read: BTreeSet<u32> = (0..4).map(|i| slot(lane % 4 * 4 + i)).collect();
                assert_eq!(given, read, "{wide:?}");
            }
        }
    }

    #[test]
    fn a_group_fits() {
        const { assert!(THREADS <= 256) };
        for &wide in Wide::ALL {
            assert_eq!(wide.n() * PIECES[0] % THREADS, 0);
            assert_eq!(GROUP / 2 * wide.m() * PART, wide.tile_words());
        }
    }
}
