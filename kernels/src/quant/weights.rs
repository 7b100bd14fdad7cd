//! What operations on packed weights share besides kernels and plans: the reference, bounds, codes.
//!
//! Invariants
//! - The reference reads the bit stream a bit at a time and decodes by the definitions of the formats; it
//!   shares nothing with the kernels.

use super::format::{Code, Scheme, row_words};
use crate::{pattern::Random, prelude::*};

/// The weights of a packed matrix of rows of `k`: `code * scale` and the bias, from the definition of the
/// bit stream, a bit at a time.
pub(super) fn weights(known: &Known<'_>, scheme: Scheme, k: usize) -> Vec<(f64, f64)> {
    let (words, scales) = (known.int("codes"), known.float("scales"));
    let bits = scheme.code.bits() as usize;
    let (row_words, blocks) = (known.extent("codes", 1), known.extent("scales", 1));
    let rows = known.extent("codes", 0);
    let mut all = Vec::new();
    for row in 0..rows {
        let global = if scheme.global {
            let global = known.float("global");
            global[row * global.len() / rows]
        } else {
            1.0
        };
        for i in 0..k {
            let mut code = 0u64;
            for bit in 0..bits {
                let at = i * bits + bit;
                let word = words[row * row_words + at / 32] as u64;
                code |= (word >> (at % 32) & 1) << bit;
            }
            let number = match scheme.code {
                Code::E2M1 => number::decode(DType::F4E2M1, code),
                Code::E4M3 => number::decode(DType::F8E4M3, code),
                Code::E5M2 => number::decode(DType::F8E5M2, code),
                Code::Uint(_) => code as f64,
                Code::Int(_) if code >> (bits - 1) == 1 => code as f64 - 2f64.powi(bits as i32),
                Code::Int(_) => code as f64,
            };
            let block = row * blocks + i / scheme.block as usize;
            let bias = if scheme.bias { known.float("biases")[block] } else { 0.0 };
            all.push((number * scales[block] * global, bias));
        }
    }
    all
}

/// The weights of the rows that `index` names, or of all.
pub(super) fn gathered(known: &Known<'_>, scheme: Scheme) -> Vec<(f64, f64)> {
    let k = Call::int(known, "k") as usize;
    let all = weights(known, scheme, k);
    if !known.has("index") {
        return all;
    }
    let rows = known.int("index").iter().map(|&row| row as usize);
    rows.flat_map(|row| all[row * k..(row + 1) * k].to_vec()).collect()
}

/// The products of a packed matrix with the rows of `x`, with magnitudes.
pub(super) fn products(known: &Known<'_>, scheme: Scheme) -> Vec<Expected> {
    let x = known.float("x");
    let k = *known.extents("x").last().expect("checked by the plan");
    let w = weights(known, scheme, k);
    let n = known.extent("codes", 0) / Call::int(known, "experts") as usize;
    let m = if known.extents("x").len() == 2 { known.extent("x", 0) } else { 1 };
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for t in 0..m {
        let expert = if known.has("expert") { known.int("expert")[t] as usize } else { 0 };
        for r in 0..n {
            let (mut sum, mut terms) = (-0.0, 0.0);
            for i in 0..k {
                let (scaled, bias) = w[(expert * n + r) * k + i];
                sum += (scaled + bias) * x[t * k + i];
                terms += (scaled.abs() + bias.abs()) * x[t * k + i].abs();
            }
            y.push(sum);
            magnitude.push(terms);
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

/// The bound of a product over `k` packed weights: a term passes a chunk's chain, the accumulator's steps
/// (one a block's share and one a bias), 5 levels of the tree and the global scale.
pub(super) fn product_bound(scheme: Scheme, k: u32) -> Bound {
    let shares = 32u32.div_ceil(scheme.block) * (1 + u32::from(scheme.bias));
    let rounds = k.div_ceil(32).div_ceil(32);
    Bound::Sum { ulps: 0.51, eps_of: DType::F32, factor: f64::from(33 + shares * rounds + 5 + 1) }
}

/// Words of `n` rows of `k` random codes, none of which is NaN or infinite.
pub(super) fn random_codes(code: Code, n: u32, k: u32, seed: u64) -> Pattern {
    let mut random = Random::new(seed);
    let word = |random: &mut Random| {
        let word = random.next() as u32;
        let finite = |byte: u8| match code {
            Code::E4M3 if byte & 0x7f == 0x7f => byte ^ 1,
            Code::E5M2 if byte & 0x7c == 0x7c => byte ^ 0x40,
            _ => byte,
        };
        i128::from(u32::from_le_bytes(word.to_le_bytes().map(finite)))
    };
    let words = n * row_words(k, code.bits());
    Pattern::CycleInt((0..words.max(1)).map(|_| word(&mut random)).collect())
}
