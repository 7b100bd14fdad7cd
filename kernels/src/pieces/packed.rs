//! A packed matrix as kernels see it: numbers, scales, weights, and the product of a row with a vector.
//!
//! The sum of a product is defined on the index along K, never on threads. 32 neighbouring weights are a
//! chunk. Within a chunk, each run's share is `s = fma(code, x, s)` from -0.0, k ascending, and adds to its
//! accumulator by `acc = fma(s, scale, acc)`, then, where blocks have biases, `acc = fma(t, bias, acc)` with t
//! the sum of the same x in the same order. Accumulator v of 32 starts at -0.0 and takes chunks v, v + 32, ...
//! ascending; neighbouring accumulators are then added pairwise until one is left, and the global scale is
//! applied last. So an infinite x gives NaN where its codes' share and its biases' are infinities of opposite signs.
//!
//! Invariants
//! - Every format goes through `numbers` and `scaling`; nothing else knows how one is stored.
//! - A number times a scale is exact where the scale is small (`f8e8m0`, `f8e4m3`, f16, GGUF's), and so `weights` rounds once
//!   before the global scale.

use super::codes::{codes_at, decode};
use crate::quant::{
    format::{Blocks, Code, Plane, Scales, Scheme},
    points::POINTS,
};
use evenweave_lang::prelude::*;

/// A matrix of `rows` rows of `k` weights, in the buffers that a kernel has of it.
pub struct Packed<'a, C: Int, S: Element> {
    /// How a row is stored.
    pub scheme: Scheme,
    /// Rows, of which each of `parts` equal parts has a global scale.
    pub rows: Val<u32>,
    /// How many global scales.
    pub parts: Val<u32>,
    /// Weights of a row.
    pub k: Val<u32>,
    /// Words of codes; bytes where codes and scales lie together.
    pub codes: &'a In<C>,
    /// Scales, counted over all rows.
    pub scales: &'a In<S>,
    /// Biases, likewise.
    pub biases: &'a In<S>,
    /// Global scales.
    pub global: &'a In<f32>,
}

/// A word or byte of the codes.
#[device]
fn unit<C: Int, S: Element>(of: &Packed<'_, C, S>, at: Val<u64>) -> Val<u32> {
    of.codes[at] as u32
}

/// The global scale of a row; past the last row that of the last.
#[device]
fn global_of<C: Int, S: Element>(of: &Packed<'_, C, S>, row: Val<u32>) -> Val<f32> {
    of.global[min(row, of.rows - 1) / (of.rows / of.parts)]
}

/// The first unit of a row.
#[device]
fn first_unit<C: Int, S: Element>(of: &Packed<'_, C, S>, row: Val<u32>) -> Val<u64> {
    let elems = of.scheme.unit_elems();
    row as u64 * (((of.k + (elems - 1)) / elems * of.scheme.units()) as u64)
}

/// The byte at which the block of element `i` starts.
#[device]
fn block_at<C: Int, S: Element>(
    of: &Packed<'_, C, S>,
    blocks: Blocks,
    row: Val<u32>,
    i: Val<u32>,
) -> Val<u64> {
    first_unit(of, row) + ((i / blocks.elems * blocks.bytes) as u64)
}

/// Numbers `i` to `i + count - 1` of a row, as their codes stand for them; `count` is a power of two up to 32 that divides `i`.
#[device]
pub fn numbers<C: Int, S: Element>(
    of: &Packed<'_, C, S>,
    row: Val<u32>,
    i: Val<u32>,
    count: u32,
) -> Vec<Val<f32>> {
    let code = of.scheme.code;
    if let (Some(blocks), Code::Point) = (of.scheme.blocks, code) {
        let at = block_at(of, blocks, row, i) + (blocks.planes[0].at as u64);
        let all = point_codes(of, at, i % blocks.elems, count);
        all.into_iter().map(|bits| decode(bits, code)).collect()
    } else if let Some(blocks) = of.scheme.blocks {
        let at = block_at(of, blocks, row, i);
        let [low, high] =
            blocks.planes.map(|plane| plane_bits(of, plane, at, i % blocks.elems, count));
        let all =
            low.into_iter().zip(high).map(|(low, high)| low | (high << blocks.planes[0].bits));
        all.map(|bits| number(bits, code, blocks.zero)).collect()
    } else {
        let all = codes_at(&|at| unit(of, at), first_unit(of, row), i, count, code.bits());
        all.into_iter().map(|bits| decode(bits, code)).collect()
    }
}

#[device]
fn number(bits: Val<u32>, code: Code, zero: u32) -> Val<f32> {
    if zero == 0 { decode(bits, code) } else { ((bits - zero) as i32) as f32 }
}

/// A point of the list: a tree of choices, a level a bit of its place.
#[device]
fn point(place: Val<u32>) -> Val<u32> {
    let pairs = POINTS.chunks(2).map(|p| val(u32::from(p[0]) | (u32::from(p[1]) << 16)));
    let found = (1..8u32).fold(pairs.collect(), |all: Vec<Val<u32>>, bit| {
        let second = (place >> bit) & 1 == 1;
        all.chunks(2).map(|two| select(second, two[1], two[0])).collect()
    });
    found[0] >> ((place & 1) * 16)
}

/// The codes of elements `e` to `e + count - 1` of a block whose points start at `at`.
#[device]
fn point_codes<C: Int, S: Element>(
    of: &Packed<'_, C, S>,
    at: Val<u64>,
    e: Val<u32>,
    count: u32,
) -> Vec<Val<u32>> {
    let byte = |place: Val<u32>| unit(of, at + (place as u64));
    let span = e / 32 * 8;
    let word = (0..4u32).map(|i| byte(span + (4 + i)) << (8 * i)).fold(val(0u32), |a, b| a | b);
    let groups = (0..count.div_ceil(8)).flat_map(|group| {
        let (own, skip) = (e / 8 % 4 + group, e % 8);
        let seven = (word >> (own * 7)) & 127;
        let signs = (seven | ((count_ones(seven) & 1) << 7)) >> skip;
        let places = point(byte(span + own)) >> (skip * 2);
        let one = move |j: u32| ((places >> (2 * j)) & 3) | (((signs >> j) & 1) << 2);
        (0..count.min(8)).map(one).collect::<Vec<_>>()
    });
    groups.collect()
}

/// The bits that a plane holds of elements `e` to `e + count - 1` of the block at `at`.
#[device]
fn plane_bits<C: Int, S: Element>(
    of: &Packed<'_, C, S>,
    plane: Plane,
    at: Val<u64>,
    e: Val<u32>,
    count: u32,
) -> Vec<Val<u32>> {
    let bytes = plane.span_bytes();
    let bits_of = |j: u32| {
        if bytes == 0 {
            val(0u32)
        } else {
            // Neighbours from a multiple of `step` on share a shift and follow each other.
            let step = count.min(bytes);
            let first = e + j / step * step;
            let byte = first / plane.span * bytes + first % bytes + (plane.at + j % step);
            let shift = first % plane.span / bytes * plane.bits;
            (unit(of, at + (byte as u64)) >> shift) & ((1u32 << plane.bits) - 1)
        }
    };
    (0..count).map(bits_of).collect()
}

/// Scale and bias of element `i` of a row; a bias of 0 where the format has none.
#[device]
pub fn scaling<C: Int, S: Element>(
    of: &Packed<'_, C, S>,
    row: Val<u32>,
    i: Val<u32>,
) -> (Val<f32>, Val<f32>) {
    let block = of.scheme.block;
    if let Some(blocks) = of.scheme.blocks {
        let at = block_at(of, blocks, row, i);
        let run = i % blocks.elems / block;
        let byte = |place: Val<u32>| unit(of, at + (place as u64));
        let half = |place: u32| {
            let bits = byte(val(place)) | (byte(val(place + 1)) << 8);
            from_bits::<f16>(bits as u16) as f32
        };
        match blocks.scales {
            Scales::Half(d) => (half(d), val(0.0f32)),
            Scales::Points(d) => {
                let s = byte(run * 8 + (blocks.planes[0].at + 7)) >> 4;
                (half(d) * (((s as f32) + 0.5) * 0.25), val(0.0f32))
            }
            Scales::Signed(d, scales) => {
                (half(d) * decode(byte(run + scales), Code::Int(8)), val(0.0f32))
            }
            Scales::Nibbles(d, scales) => {
                let both = byte(run + scales);
                (half(d) * ((both & 15) as f32), -(half(d + 2) * ((both >> 4) as f32)))
            }
            Scales::Sixes(d, scales) => {
                let [a, b, c] = [0u32, 4, 8].map(|row| byte(run % 4 + (scales + row)));
                let scale = select(run < 4, a & 63, (c & 15) | (a >> 6 << 4));
                let less = select(run < 4, b & 63, (c >> 4) | (b >> 6 << 4));
                (half(d) * (scale as f32), -(half(d + 2) * (less as f32)))
            }
        }
    } else {
        let blocks = ((of.k + (block - 1)) / block) as u64;
        let at = row as u64 * blocks + ((i / block) as u64);
        (of.scales[at] as f32, if of.scheme.bias { of.biases[at] as f32 } else { val(0.0f32) })
    }
}

/// Weights `i` to `i + count - 1` of a row, rounded once before the global scale; `count` is a power of two up to a run that divides `i`.
#[device]
pub fn weights<C: Int, S: Element>(
    of: &Packed<'_, C, S>,
    row: Val<u32>,
    i: Val<u32>,
    count: u32,
) -> Vec<Val<f32>> {
    let (scale, bias) = scaling(of, row, i);
    let global = if of.scheme.global { global_of(of, row) } else { val(1.0f32) };
    let weight = |number: Val<f32>| {
        if of.scheme.bias {
            fma(number, scale, bias)
        } else if of.scheme.global {
            number * scale * global
        } else {
            number * scale
        }
    };
    numbers(of, row, i, count).into_iter().map(weight).collect()
}

/// `sum over i < span of row[i] x(i)` by a subgroup, of which every lane receives it; `span` is `k`, or 0 for a row that is not
/// there.
#[device]
pub fn row_product<C: Int, S: Element>(
    of: &Packed<'_, C, S>,
    row: Val<u32>,
    span: Val<u32>,
    x: &dyn Fn(Val<u32>) -> Val<f32>,
) -> Val<f32> {
    let size = of.scheme.run();
    let mut acc = -0.0f32;
    for chunk in (lane()..span / 32).step_by(32) {
        let all = numbers(of, row, chunk * 32, 32);
        for part in 0..32 / size {
            let from = chunk * 32 + part * size;
            let mut s = -0.0f32;
            let mut t = -0.0f32;
            for j in 0..size {
                let v = x(from + j);
                s = fma(all[(part * size + j) as usize], v, s);
                if of.scheme.bias {
                    t = t + v;
                }
            }
            let (scale, bias) = scaling(of, row, from);
            acc = fma(s, scale, acc);
            if of.scheme.bias {
                acc = fma(t, bias, acc);
            }
        }
    }
    // The last, short chunk belongs to the lane whose turn it would be; where rows are whole blocks there is none.
    let whole = span / 32 * 32;
    if of.scheme.blocks.is_none() {
        if lane() == span / 32 % 32 {
            for from in (whole..span).step_by(size) {
                let mut s = -0.0f32;
                let mut t = -0.0f32;
                for i in from..min(from + size, span) {
                    let v = x(i);
                    s = fma(numbers(of, row, i, 1)[0], v, s);
                    if of.scheme.bias {
                        t = t + v;
                    }
                }
                let (scale, bias) = scaling(of, row, from);
                acc = fma(s, scale, acc);
                if of.scheme.bias {
                    acc = fma(t, bias, acc);
                }
            }
        }
    }
    let sum = subgroup_sum(acc);
    if of.scheme.global { sum * global_of(of, row) } else { sum }
}
