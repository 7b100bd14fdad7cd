//! Packed weights by the definitions of their formats, in f64, bit by bit: nothing is shared with the kernels.

use super::{
    format::{Code, Format},
    plans,
};
use crate::prelude::*;

/// A weight: what its code and scales make, and what is added.
#[derive(Clone, Copy)]
pub(crate) struct Weight {
    scaled: f64,
    bias: f64,
}

impl Weight {
    /// A weight that is no sum: adding -0.0 changes nothing.
    pub(crate) fn plain(scaled: f64) -> Weight {
        Weight { scaled, bias: -0.0 }
    }

    /// Its value.
    pub(crate) fn value(self) -> f64 {
        self.scaled + self.bias
    }

    /// The magnitudes of its terms.
    pub(crate) fn terms(self) -> f64 {
        self.scaled.abs() + self.bias.abs()
    }
}

/// The weights of a packed matrix of rows of `k`.
pub(crate) fn weights(known: &Known<'_>, prefix: &str, k: usize) -> Vec<Weight> {
    let format = plans::format(known).expect("checked by the plan");
    let named = |what: &str| format!("{prefix}{what}");
    let units = known.int(&named("codes"));
    if format.scheme.blocks.is_some() {
        return units
            .iter()
            .map(|&b| b as u8)
            .collect::<Vec<_>>()
            .chunks(block_bytes(&format))
            .flat_map(|block| together(format.name, block))
            .collect();
    }
    let (scales, bits) = (known.float(&named("scales")), format.scheme.code.bits() as usize);
    let last = |name: &str| *known.extents(name).last().expect("checked by the plan");
    let (row_words, blocks) = (last(&named("codes")), last(&named("scales")));
    let rows = known.extents(&named("codes")).iter().rev().skip(1).product::<usize>();
    let mut all = Vec::new();
    for row in 0..rows {
        let global = if format.scheme.global {
            let global = known.float(&named("global"));
            global[row * global.len() / rows]
        } else {
            1.0
        };
        for i in 0..k {
            let mut code = 0u64;
            for bit in 0..bits {
                let at = i * bits + bit;
                let word = units[row * row_words + at / 32] as u64;
                code |= (word >> (at % 32) & 1) << bit;
            }
            let block = row * blocks + i / format.scheme.block as usize;
            let bias = if format.scheme.bias { known.float(&named("biases"))[block] } else { -0.0 };
            let scaled = number_of(format.scheme.code, code) * scales[block] * global;
            all.push(Weight { scaled, bias });
        }
    }
    all
}

/// The number that a code stands for.
pub(super) fn number_of(code: Code, bits: u64) -> f64 {
    match code {
        Code::E2M1 => number::decode(DType::F4E2M1, bits),
        Code::E4M3 => number::decode(DType::F8E4M3, bits),
        Code::E5M2 => number::decode(DType::F8E5M2, bits),
        Code::Int(width) if bits >> (width - 1) == 1 => bits as f64 - 2f64.powi(width as i32),
        Code::Int(_) | Code::Uint(_) => bits as f64,
    }
}

fn block_bytes(format: &Format) -> usize {
    format.scheme.blocks.expect("asked before").bytes as usize
}

fn half(bytes: &[u8]) -> f64 {
    number::decode(DType::F16, u64::from(bytes[0]) | u64::from(bytes[1]) << 8)
}

/// The weights of one block of GGUF's, format by format.
fn together(name: &str, b: &[u8]) -> Vec<Weight> {
    let of = |scaled: f64, bias: f64| Weight { scaled, bias };
    let nibble = |byte: u8, high: bool| f64::from(if high { byte >> 4 } else { byte & 15 });
    match name {
        "q8_0" => b[2..].iter().map(|&q| of(half(b) * f64::from(q as i8), -0.0)).collect(),
        "q4_0" => {
            (0..32).map(|i| of(half(b) * (nibble(b[2 + i % 16], i >= 16) - 8.0), -0.0)).collect()
        }
        "q2_k" => (0..256)
            .map(|i| {
                let (half_of, quarter) = (i / 128, i / 32 % 4);
                let q = b[16 + 32 * half_of + i % 32] >> (2 * quarter) & 3;
                let scale = b[i / 16];
                let (d, less) = (half(&b[80..]), half(&b[82..]));
                of(d * nibble(scale, false) * f64::from(q), -(less * nibble(scale, true)))
            })
            .collect(),
        "q4_k" | "q5_k" => (0..256)
            .map(|i| {
                let sub = i / 32;
                let s = &b[4..16];
                let (scale, less) = match sub {
                    0..4 => (s[sub] & 63, s[sub + 4] & 63),
                    _ => {
                        (s[sub + 4] & 15 | s[sub - 4] >> 6 << 4, s[sub + 4] >> 4 | s[sub] >> 6 << 4)
                    }
                };
                let codes = if name == "q4_k" { &b[16..] } else { &b[48..] };
                let fifth = if name == "q4_k" { 0 } else { b[16 + i % 32] >> sub & 1 };
                let q =
                    nibble(codes[32 * (sub / 2) + i % 32], sub % 2 == 1) + 16.0 * f64::from(fifth);
                of(half(b) * f64::from(scale) * q, -(half(&b[2..]) * f64::from(less)))
            })
            .collect(),
        "q6_k" => (0..256)
            .map(|i| {
                let (half_of, quarter) = (i / 128, i / 32 % 4);
                let low = nibble(b[64 * half_of + 32 * (quarter % 2) + i % 32], quarter >= 2);
                let high = b[128 + 32 * half_of + i % 32] >> (2 * quarter) & 3;
                let scale = f64::from(b[192 + i / 16] as i8);
                of(half(&b[208..]) * scale * (low + 16.0 * f64::from(high) - 32.0), -0.0)
            })
            .collect(),
        other => unreachable!("{other} has no blocks"),
    }
}

/// `y[t, r] = sum_k w[matrix(t) n + r, k] x[t, k]` with magnitudes.
pub(crate) fn products(
    weights: &[Weight],
    x: &[f64],
    [m, n, k]: [usize; 3],
    matrix: impl Fn(usize) -> usize,
) -> (Vec<f64>, Vec<f64>) {
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for t in 0..m {
        for r in 0..n {
            let (mut sum, mut terms) = (-0.0, 0.0);
            for i in 0..k {
                let w = weights[(matrix(t) * n + r) * k + i];
                sum += w.value() * x[t * k + i];
                terms += w.terms() * x[t * k + i].abs();
            }
            y.push(sum);
            magnitude.push(terms);
        }
    }
    (y, magnitude)
}
