//! Kernels over packed weights, one body for every scheme: unpacking, and matrix times vectors.
//!
//! The sum of a product is defined on the index along K, never on threads. 32 neighbouring weights are a
//! chunk. Within a chunk, each block's share is `s = fma(code, x, s)` from -0.0, k ascending, and adds to its
//! accumulator by `acc = fma(s, scale, acc)`, then, where blocks have biases, `acc = fma(t, bias, acc)` with t
//! the sum of the same x in the same order. Accumulator v of 32 starts at -0.0 and takes chunks v, v + 32, ...
//! ascending; neighbouring accumulators are then added pairwise until one is left, and the global scale is
//! applied last. There is one for each of `parts` equal parts of the rows, none where the scheme has none.

use super::format::Scheme;
use crate::{
    pieces::{
        codes::{code_at, code_of_32, codes_at, decode},
        each::{THREADS, multiple},
    },
    prelude::*,
};

/// Rows of a group, a subgroup each.
const ROWS: u32 = 8;

/// `w[r, i] = fma(decode(codes[s, i]), scale, bias) * global` with s = r, or `index[r]` where rows are gathered;
/// one thread `per` neighbours, a power of two that divides `k` and is not above a block. No scheme has both a bias and a global scale, so f32 rounds once: a product of a code
/// and a small scale is exact.
#[kernel(group = THREADS, grid = (k.div_ceil(THREADS * per), n))]
pub fn unpack<T: Real, S: Element>(
    #[len(rows * k.div_ceil(32) * scheme.code.bits())] codes: &In<u32>,
    #[len(rows * k.div_ceil(scheme.block))] scales: &In<S>,
    #[len(rows * k.div_ceil(scheme.block) * u32::from(scheme.bias))] biases: &In<S>,
    #[len(parts)] global: &In<f32>,
    #[len(n * u32::from(gathered))] index: &In<u32>,
    #[len(n * k)] w: &mut Out<T>,
    rows: u32,
    parts: u32,
    n: u32,
    k: u32,
    #[comptime] scheme: Scheme,
    #[comptime] gathered: bool,
    #[comptime] per: u32,
) {
    let k = multiple(per, k);
    let i = global_id() * per;
    let row = if gathered { index[group_id_y()] } else { group_id_y() };
    if gathered {
        assert!(row < rows, "an index names a row that there is");
    }
    if i < k {
        let bits = scheme.code.bits();
        let first = (row as u64) * (((k + 31) / 32 * bits) as u64);
        let blocks = ((k + (scheme.block - 1)) / scheme.block) as u64;
        let block = (row as u64) * blocks + ((i / scheme.block) as u64);
        let to = (group_id_y() as u64) * (k as u64) + (i as u64);
        let scale = scales[block] as f32;
        let all = codes_at(codes, first, i, per, bits);
        for j in 0..per {
            let number = decode(all[j as usize], scheme.code);
            let value = if scheme.bias {
                fma(number, scale, biases[block] as f32)
            } else if scheme.global {
                number * scale * global[row / (rows / parts)]
            } else {
                number * scale
            };
            w[to + j as u64] = value as T;
        }
    }
}

/// `y[t, r] = sum_k w[s, k] x[t, k]`, a subgroup a row; see the module. s is r, or row r of the matrix
/// `expert[t]` where several of `n` rows are stacked.
#[kernel(group = (32, ROWS), grid = (n.div_ceil(ROWS), m))]
pub fn gemv_packed<T: Real, S: Element>(
    #[len(rows * k.div_ceil(32) * scheme.code.bits())] codes: &In<u32>,
    #[len(rows * k.div_ceil(scheme.block))] scales: &In<S>,
    #[len(rows * k.div_ceil(scheme.block) * u32::from(scheme.bias))] biases: &In<S>,
    #[len(parts)] global: &In<f32>,
    #[len(m * u32::from(stacked))] expert: &In<u32>,
    #[len(m * k)] x: &In<T>,
    #[len(m * n)] y: &mut Out<T>,
    rows: u32,
    parts: u32,
    m: u32,
    n: u32,
    k: u32,
    #[comptime] scheme: Scheme,
    #[comptime] stacked: bool,
) {
    let (bits, size) = (scheme.code.bits(), scheme.block.min(32));
    let token = group_id_y();
    let row = group_id() * ROWS + local_id_y();
    let matrix = if stacked { expert[token] } else { val(0u32) };
    if stacked {
        assert!(matrix < rows / n, "an expert is one that there is");
    }
    let stored = matrix * n + row;
    let lane = local_id();
    let span = select(row < n, k, 0);
    let first_word = (stored as u64) * (((k + 31) / 32 * bits) as u64);
    let first_block = (stored as u64) * (((k + (scheme.block - 1)) / scheme.block) as u64);
    let first_x = (token as u64) * (k as u64);
    let mut acc = -0.0f32;
    for chunk in (lane..span / 32).step_by(32) {
        let at = first_word + ((chunk * bits) as u64);
        let words: Vec<Val<u32>> = (0..bits).map(|i| codes[at + i as u64]).collect();
        for part in 0..32 / size {
            let from = chunk * 32 + part * size;
            let mut s = -0.0f32;
            let mut t = -0.0f32;
            for j in 0..size {
                let v = x[first_x + ((from + j) as u64)] as f32;
                s = fma(decode(code_of_32(&words, part * size + j, bits), scheme.code), v, s);
                if scheme.bias {
                    t = t + v;
                }
            }
            let block = first_block + ((from / scheme.block) as u64);
            acc = fma(s, scales[block] as f32, acc);
            if scheme.bias {
                acc = fma(t, biases[block] as f32, acc);
            }
        }
    }
    // The last, short chunk belongs to the lane whose turn it would be.
    let whole = span / 32 * 32;
    if lane == span / 32 % 32 {
        for part in 0..32 / size {
            let from = whole + part * size;
            if from < span {
                let mut s = -0.0f32;
                let mut t = -0.0f32;
                for i in from..min(from + size, span) {
                    let v = x[first_x + (i as u64)] as f32;
                    s = fma(decode(code_at(codes, first_word, i, bits), scheme.code), v, s);
                    if scheme.bias {
                        t = t + v;
                    }
                }
                let block = first_block + ((from / scheme.block) as u64);
                acc = fma(s, scales[block] as f32, acc);
                if scheme.bias {
                    acc = fma(t, biases[block] as f32, acc);
                }
            }
        }
    }
    let sum = subgroup_sum(acc);
    if lane == 0 && row < n {
        let value = if scheme.global { sum * global[stored / (rows / parts)] } else { sum };
        y[(token as u64) * (n as u64) + (row as u64)] = value as T;
    }
}

/// The dtypes that scales may have.
pub const SCALES: &[DType] = &[DType::F32, DType::F16, DType::BF16, DType::F8E4M3, DType::F8E8M0];
