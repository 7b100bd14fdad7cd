//! Where an image lies in the registers of the makers' sparse instructions, and what those compute, as plain loops.
//!
//! One image serves all: gfx12's SWMMAC, NVIDIA's `mma.sp` and `wgmma.mma_async.sp`. `docs/sparse24.md` has the layouts as
//! text. A model here reads nothing but register words, so that it can judge how they were made.
//!
//! Invariants
//! - An element stream fills registers from the least significant bit, the lowest element first. 4 bits are no exception.
//! - A nibble of the index goes into the registers as it is stored; no maker and no dtype needs it changed.
//!
//! Absent: tf32, whose sparsity is 1:2, and NVIDIA's 4 bits, whose sparsity is of pairs; `pairs_legal` says what it takes.

use super::host::{Coded, GROUP_ELEMS, Image, KEPT_ELEMS, nibble_of};
use evenweave_lang::dtype::DType;

/// The 11 sparse instructions of gfx12: name, bits of an element, K.
pub const SWMMAC: [(&str, u32, usize); 11] = [
    ("v_swmmac_f32_16x16x32_f16", 16, 32),
    ("v_swmmac_f32_16x16x32_bf16", 16, 32),
    ("v_swmmac_f16_16x16x32_f16", 16, 32),
    ("v_swmmac_bf16_16x16x32_bf16", 16, 32),
    ("v_swmmac_i32_16x16x32_iu8", 8, 32),
    ("v_swmmac_i32_16x16x32_iu4", 4, 32),
    ("v_swmmac_i32_16x16x64_iu4", 4, 64),
    ("v_swmmac_f32_16x16x32_fp8_fp8", 8, 32),
    ("v_swmmac_f32_16x16x32_fp8_bf8", 8, 32),
    ("v_swmmac_f32_16x16x32_bf8_fp8", 8, 32),
    ("v_swmmac_f32_16x16x32_bf8_bf8", 8, 32),
];

/// The registers of one sparse instruction: words of each lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The values of `a`.
    pub a: Vec<Vec<u32>>,
    /// The index.
    pub index: Vec<u32>,
    /// `b`.
    pub b: Vec<Vec<u32>>,
}

/// A product tile: elements of `b` are `[k][n]`.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a> {
    /// The sparse factor.
    pub a: &'a Image<Coded>,
    /// The dense factor, row-major.
    pub b: &'a [Coded],
    /// K of the instruction; `a` has as many columns.
    pub k: usize,
}

fn bits_of(tile: Tile<'_>) -> usize {
    tile.a.values[0].dtype.bits() as usize
}

/// The dense column that stream element `e` of a lane's half `h` is, for elements of `bits`.
fn swmmac_column(bits: usize, k: usize, h: usize, e: usize) -> usize {
    if bits == 16 { 16 * (e / 8) + 8 * h + e % 8 } else { h * (k / 2) + e }
}

/// The registers of a 16 x K by K x 16 tile for SWMMAC, 32 lanes.
pub fn swmmac(tile: Tile<'_>) -> Registers {
    let (bits, half) = (bits_of(tile), tile.k / 2);
    let mut out = Registers { a: Vec::new(), index: Vec::new(), b: Vec::new() };
    for lane in 0..32 {
        let (h, r) = (lane / 16, lane % 16);
        let column = |e| swmmac_column(bits, tile.k, h, e);
        let groups = (0..half / GROUP_ELEMS).map(|s| column(GROUP_ELEMS * s) / GROUP_ELEMS);
        let kept = groups
            .clone()
            .flat_map(|g| [values_at(tile.a, r, 2 * g), values_at(tile.a, r, 2 * g + 1)]);
        out.a.push(pack(bits, kept));
        let nibbles = groups.map(|g| u64::from(nibble(tile.a, r, g)));
        out.index.push(pack(4, nibbles)[0]);
        out.b.push(pack(bits, (0..half).map(|e| tile.b[column(e) * 16 + r].bits)));
    }
    out
}

/// What SWMMAC computes of register words: `[16][16]`, in f64.
pub fn swmmac_product(words: &Registers, dtypes: [DType; 2], k: usize) -> Vec<f64> {
    let bits = dtypes[0].bits() as usize;
    let mut out = vec![0.0; 256];
    for i in 0..16 {
        for j in 0..16 {
            for h in 0..2 {
                let (a, b) = (&words.a[16 * h + i], &words.b[16 * h + j]);
                for q in 0..k / 4 {
                    let field = words.index[16 * h + i] >> (2 * q) & 3;
                    let e = GROUP_ELEMS * (q / 2) + field as usize;
                    out[16 * i + j] += value(dtypes[0], a, bits, q) * value(dtypes[1], b, bits, e);
                }
            }
        }
    }
    out
}

/// The registers of a 16 x K by K x 8 tile for `mma.sp`, 32 lanes, with `selector` naming the threads whose index counts.
/// `others` is in the index of all threads that do not.
///
/// K is 16 or 32 for 16 bits and 32 or 64 for 8. The selector is below 4, 2, 2 and 1.
pub fn mma_sp(tile: Tile<'_>, selector: usize, others: u32) -> Registers {
    let bits = bits_of(tile);
    let per = 32 / bits;
    let registers = tile.k / 2 / (4 * per) * 2;
    let mut out = Registers { a: Vec::new(), index: Vec::new(), b: Vec::new() };
    for lane in 0..32 {
        let (g, t) = (lane / 4, lane % 4);
        let a_stream = (0..registers).flat_map(|r| (0..per).map(move |e| (r, e)));
        let a = a_stream
            .map(|(r, e)| values_at(tile.a, g + 8 * (r % 2), (r / 2) * 4 * per + t * per + e));
        out.a.push(pack(bits, a));
        let b = (0..registers).flat_map(|r| (0..per).map(move |e| r * 4 * per + t * per + e));
        out.b.push(pack(bits, b.map(|k| tile.b[k * 8 + g].bits)));
        let word = index_place(bits, tile.k, selector, t).map(|(row, word)| match bits {
            16 => word_of(tile.a, g, word) | word_of(tile.a, g + 8, word) << 16,
            _ => {
                word_of(tile.a, g + 8 * row, 2 * word)
                    | word_of(tile.a, g + 8 * row, 2 * word + 1) << 16
            }
        });
        out.index.push(word.unwrap_or(others));
    }
    out
}

/// What the index register of thread `t` of a quad describes: for 16 bits of an element (0, the word of 16 columns) of both
/// rows; for 8 (which row, the pair of words). `None` where it does not count.
fn index_place(bits: usize, k: usize, selector: usize, t: usize) -> Option<(usize, usize)> {
    let long = k > 256 / bits;
    match (bits, long) {
        (16, false) => (t == selector).then_some((0, 0)),
        (16, true) => (t / 2 == selector).then_some((0, t % 2)),
        (_, false) => (t / 2 == selector).then_some((t % 2, 0)),
        (_, true) => Some((t % 2, t / 2)),
    }
}

/// What `mma.sp` computes of register words: `[16][8]`, in f64.
pub fn mma_sp_product(
    words: &Registers,
    dtypes: [DType; 2],
    k: usize,
    selector: usize,
) -> Vec<f64> {
    let bits = dtypes[0].bits() as usize;
    let per = 32 / bits;
    // The fragments' formulas solved for the place of an element.
    let a_at = |row: usize, c: usize| {
        let (block, t, e) = (c / (4 * per), c / per % 4, c % per);
        value(dtypes[0], &words.a[4 * (row % 8) + t], bits, (2 * block + row / 8) * per + e)
    };
    let b_at = |k: usize, n: usize| {
        let (r, t, e) = (k / (4 * per), k / per % 4, k % per);
        value(dtypes[1], &words.b[4 * n + t], bits, r * per + e)
    };
    let nibble = |row: usize, group: usize| {
        let thread = |t: usize| words.index[4 * (row % 8) + t];
        let (word, shift) = match (bits, k > 256 / bits) {
            (16, false) => (thread(selector), 16 * (row / 8) + 4 * group),
            (16, true) => (thread(2 * selector + group / 4), 16 * (row / 8) + 4 * (group % 4)),
            (_, false) => (thread(2 * selector + row / 8), 4 * group),
            (_, true) => (thread(2 * (group / 8) + row / 8), 4 * (group % 8)),
        };
        word >> shift & 0xf
    };
    let mut out = vec![0.0; 128];
    for i in 0..16 {
        for j in 0..8 {
            for c in 0..k / 2 {
                let (group, slot) = (c / KEPT_ELEMS, c % KEPT_ELEMS);
                let p = nibble(i, group) >> (2 * slot) & 3;
                out[8 * i + j] += a_at(i, c) * b_at(GROUP_ELEMS * group + p as usize, j);
            }
        }
    }
    out
}

/// Whether a chunk of 8 elements of 4 bits is legal for NVIDIA's own 4-bit sparsity: of its four pairs, at most two are
/// not zero.
pub fn pairs_legal(chunk: &[Coded]) -> bool {
    let used = |pair: &[Coded]| pair.iter().any(|c| c.bits & 0xf != 0);
    chunk.chunks(2).filter(|pair| used(pair)).count() <= 2
}

fn values_at(image: &Image<Coded>, row: usize, slot: usize) -> u64 {
    image.values[row * (image.values.len() / image.rows) + slot].bits
}

fn nibble(image: &Image<Coded>, row: usize, group: usize) -> u8 {
    let words = image.index.len() / image.rows;
    nibble_of(&image.index[row * words..][..words], group)
}

fn word_of(image: &Image<Coded>, row: usize, word: usize) -> u32 {
    image.index[row * (image.index.len() / image.rows) + word].into()
}

/// A stream of elements in 32-bit words, the lowest first; at least one word.
fn pack(bits: usize, elements: impl Iterator<Item = u64>) -> Vec<u32> {
    let mut words = vec![0];
    for (i, element) in elements.enumerate() {
        let at = i * bits;
        words.resize(at / 32 + 1, 0);
        words[at / 32] |= (element as u32) << (at % 32);
    }
    words
}

/// The value of element `q` of a stream.
fn value(dtype: DType, words: &[u32], bits: usize, q: usize) -> f64 {
    let code = words[q * bits / 32] >> (q * bits % 32) & (u32::MAX >> (32 - bits));
    crate::number::decode(dtype, code.into())
}

#[cfg(test)]
#[path = "registers_tests.rs"]
mod tests;
