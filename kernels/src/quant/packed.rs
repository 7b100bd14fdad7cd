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
    pieces::codes::{code_at, code_of_32, decode},
    prelude::*,
};
use evenweave_lang::ir::Kernel;

/// Rows of a group, a subgroup each.
const ROWS: u32 = 8;

/// `w[r, i] = fma(decode(codes[r, i]), scale, bias) * global`, one thread a weight. No scheme has both a bias
/// and a global scale, so f32 rounds once: a product of a code and a small scale is exact.
#[kernel(group = 256, grid = (k.div_ceil(256), n))]
pub fn unpack<T: Real, S: Element>(
    #[len(n * k.div_ceil(32) * scheme.code.bits())] codes: &In<u32>,
    #[len(n * k.div_ceil(scheme.block))] scales: &In<S>,
    #[len(n * k.div_ceil(scheme.block) * u32::from(scheme.bias))] biases: &In<S>,
    #[len(parts)] global: &In<f32>,
    #[len(n * k)] w: &mut Out<T>,
    n: u32,
    k: u32,
    parts: u32,
    #[comptime] scheme: Scheme,
) {
    let i = global_id();
    let row = group_id_y() as u64;
    if i < k {
        let bits = scheme.code.bits();
        let first = row * (((k + 31) / 32 * bits) as u64);
        let block =
            row * (((k + (scheme.block - 1)) / scheme.block) as u64) + ((i / scheme.block) as u64);
        let number = decode(code_at(codes, first, i, bits), scheme.code);
        let scale = scales[block] as f32;
        let value = if scheme.bias {
            fma(number, scale, biases[block] as f32)
        } else if scheme.global {
            number * scale * global[group_id_y() / (n / parts)]
        } else {
            number * scale
        };
        w[row * (k as u64) + (i as u64)] = value as T;
    }
}

/// `y[t, r] = sum_k w[r, k] x[t, k]`, a subgroup a row; see the module.
#[kernel(group = (32, ROWS), grid = (n.div_ceil(ROWS), m))]
pub fn gemv_packed<T: Real, S: Element>(
    #[len(n * k.div_ceil(32) * scheme.code.bits())] codes: &In<u32>,
    #[len(n * k.div_ceil(scheme.block))] scales: &In<S>,
    #[len(n * k.div_ceil(scheme.block) * u32::from(scheme.bias))] biases: &In<S>,
    #[len(parts)] global: &In<f32>,
    #[len(m * k)] x: &In<T>,
    #[len(m * n)] y: &mut Out<T>,
    m: u32,
    n: u32,
    k: u32,
    parts: u32,
    #[comptime] scheme: Scheme,
) {
    let (bits, size) = (scheme.code.bits(), scheme.block.min(32));
    let row = group_id() * ROWS + local_id_y();
    let lane = local_id();
    let span = select(row < n, k, 0);
    let first_word = (row as u64) * (((k + 31) / 32 * bits) as u64);
    let first_block = (row as u64) * (((k + (scheme.block - 1)) / scheme.block) as u64);
    let first_x = (group_id_y() as u64) * (k as u64);
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
        let value = if scheme.global { sum * global[row / (n / parts)] } else { sum };
        y[(group_id_y() as u64) * (n as u64) + (row as u64)] = value as T;
    }
}

/// Which kernel of this module.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// `unpack`.
    Unpack,
    /// `gemv_packed`.
    Gemv,
}

/// A kernel of this module for values of `dtype` and scales of `scale`.
pub fn staged(
    call: &Call<'_>,
    work: Work,
    scheme: Scheme,
    dtype: DType,
    scale: DType,
) -> Result<Kernel, PlanError> {
    fn with<T: Real>(
        call: &Call<'_>,
        work: Work,
        scheme: Scheme,
        scale: DType,
    ) -> Result<Kernel, PlanError> {
        fn both<T: Real, S: Element>(
            call: &Call<'_>,
            work: Work,
            scheme: Scheme,
        ) -> Result<Kernel, PlanError> {
            call.staged(match work {
                Work::Unpack => unpack::<T, S>(scheme),
                Work::Gemv => gemv_packed::<T, S>(scheme),
            })
        }
        match scale {
            DType::F8E8M0 => both::<T, F8E8M0>(call, work, scheme),
            DType::F8E4M3 => both::<T, F8E4M3>(call, work, scheme),
            DType::F32 => both::<T, f32>(call, work, scheme),
            DType::F16 => both::<T, f16>(call, work, scheme),
            DType::BF16 => both::<T, bf16>(call, work, scheme),
            other => Err(call.no_dtype(other, SCALES)),
        }
    }
    match dtype {
        DType::F32 => with::<f32>(call, work, scheme, scale),
        DType::F16 => with::<f16>(call, work, scheme, scale),
        DType::BF16 => with::<bf16>(call, work, scheme, scale),
        other => Err(call.no_dtype(other, REALS)),
    }
}

/// The dtypes that scales may have.
pub const SCALES: &[DType] = &[DType::F32, DType::F16, DType::BF16, DType::F8E4M3, DType::F8E8M0];
