//! Packed weights by the definitions of their formats, in f64, bit by bit: nothing is shared with the kernels.

use super::{
    format::{Code, Format},
    plans,
    points::POINTS,
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
        Code::Point if bits > 3 => -number_of(code, bits - 4),
        Code::Point => [8.0, 25.0, 43.0][bits as usize],
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
pub(super) fn together(name: &str, b: &[u8]) -> Vec<Weight> {
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
        "iq2_xxs" => (0..256)
            .map(|i| {
                let span = &b[2 + i / 32 * 8..][..8];
                let word = u32::from_le_bytes([span[4], span[5], span[6], span[7]]);
                let group = i / 8 % 4;
                let minus = |j: usize| (word >> (7 * group + j) & 1) == 1;
                let negative = match i % 8 {
                    7 => (0..7).filter(|&j| minus(j)).count() % 2 == 1,
                    j => minus(j),
                };
                let place = u64::from(POINTS[usize::from(span[group])] >> (2 * (i % 8)) & 3);
                let size = number_of(Code::Point, place + 4 * u64::from(negative));
                of(half(b) * (f64::from(word >> 28) + 0.5) / 4.0 * size, -0.0)
            })
            .collect(),
        other => unreachable!("{other} has no blocks"),
    }
}

/// The bytes of one block of GGUF's, by the rule of `quantize_blocks`.
pub(super) fn block_of(name: &str, w: &[f32]) -> Vec<u8> {
    let nearest = |x: f32, by: f32, low: f32, high: f32| match by == 0.0 || x.is_nan() {
        true => 0.0,
        false => (x / by).round_ties_even().clamp(low, high),
    };
    let f16 = |x: f32| number::round(DType::F16, x.into()) as f32;
    let two = |x: f32| (number::encode(DType::F16, x.into()) as u16).to_le_bytes();
    let far = |w: &[f32]| w.iter().fold(0.0f32, |a, &x| if x.abs() > a.abs() { x } else { a });
    let least = |w: &[f32]| w.iter().fold(0.0f32, |a, &x| if x < a { x } else { a });
    let most = |w: &[f32]| w.iter().fold(0.0f32, |a, &x| if x > a { x } else { a });
    match name {
        "q8_0" => {
            let d = f16(far(w).abs() / 127.0);
            let codes = w.iter().map(|&x| nearest(x, d, -127.0, 127.0) as i8 as u8);
            two(d).into_iter().chain(codes).collect()
        }
        "q4_0" => {
            // Zeros have the scale 0.0, not -0.0.
            let d = f16(far(w) / -8.0 + 0.0);
            let q = |i: usize| (nearest(w[i], d, -8.0, 7.0) + 8.0) as u8;
            two(d).into_iter().chain((0..16).map(|i| q(i) | q(i + 16) << 4)).collect()
        }
        "q6_k" => {
            let own: Vec<f32> = w.chunks(16).map(|part| far(part) / -32.0).collect();
            let d = f16(far(&own) / -128.0);
            let scales: Vec<i8> = own.iter().map(|&s| nearest(s, d, -128.0, 127.0) as i8).collect();
            let q =
                |i: usize| (nearest(w[i], d * f32::from(scales[i / 16]), -32.0, 31.0) + 32.0) as u8;
            let mut b = vec![0; 210];
            for i in 0..256 {
                let (half_of, quarter) = (i / 128, i / 32 % 4);
                let low = 64 * half_of + 32 * (quarter % 2) + i % 32;
                b[low] |= (q(i) & 15) << (4 * (quarter / 2));
                b[128 + 32 * half_of + i % 32] |= q(i) >> 4 << (2 * quarter);
            }
            b[192..208].copy_from_slice(&scales.iter().map(|&s| s as u8).collect::<Vec<_>>());
            b[208..].copy_from_slice(&two(d));
            b
        }
        _ => {
            let (part, top, range) = match name {
                "q2_k" => (16, 3.0, 15.0),
                "q4_k" => (32, 15.0, 63.0),
                "q5_k" => (32, 31.0, 63.0),
                other => unreachable!("{other} has no blocks"),
            };
            let own: Vec<[f32; 2]> =
                w.chunks(part).map(|w| [(most(w) - least(w)) / top, -least(w)]).collect();
            let [d, less] =
                [0, 1].map(|i| f16(own.iter().map(|s| s[i]).fold(0.0, f32::max) / range));
            let number = |s: &[f32; 2]| {
                [nearest(s[0], d, 0.0, range), nearest(s[1], less, 0.0, range)].map(|x| x as u8)
            };
            let numbers: Vec<[u8; 2]> = own.iter().map(number).collect();
            let q = |i: usize| {
                let [scale, below] = numbers[i / part].map(f32::from);
                nearest(w[i] + less * below, d * scale, 0.0, top) as u8
            };
            let two = [two(d), two(less)].concat();
            if name == "q2_k" {
                let scales = numbers.iter().map(|n| n[0] | n[1] << 4);
                let codes = (0..64).map(|at| {
                    let first = at / 32 * 128 + at % 32;
                    (0..4).fold(0, |b, part| b | q(first + 32 * part) << (2 * part))
                });
                return scales.chain(codes).chain(two).collect();
            }
            let mut sixes = [0u8; 12];
            for (i, [scale, below]) in numbers.iter().enumerate().take(4) {
                let [high_scale, high_below] = numbers[i + 4];
                sixes[i] = scale | high_scale >> 4 << 6;
                sixes[i + 4] = below | high_below >> 4 << 6;
                sixes[i + 8] = high_scale & 15 | high_below << 4;
            }
            let mut b = [&two[..], &sixes].concat();
            if name == "q5_k" {
                b.extend(
                    (0..32).map(|j| (0..8).fold(0, |byte, sub| byte | q(32 * sub + j) >> 4 << sub)),
                );
            }
            b.extend((0..128).map(|at| {
                let first = at / 32 * 64 + at % 32;
                q(first) & 15 | (q(first + 32) & 15) << 4
            }));
            b
        }
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
