//! Matrix multiplication of a whole subgroup: the dense forms (WMMA) and the 2:4 sparse forms (SWMMAC), for 32 lanes.
//!
//! Invariants:
//! - A lane `16h + r` holds a row of A or a column of B as a little-endian stream of elements over its registers. Element
//!   `q` of A meets element `q` of B in the same half `h` (dense), or the element of B that the index's field `q` picks in
//!   its group of four (sparse). Where the halves lie along k does not matter, since A and B agree.
//! - Integer sums are exact, and wrapped or saturated once.
//! - Float products and sums are in f32, fused one after another; a 16-bit result is rounded once, at the end. The
//!   hardware's order and rounding are not documented, so another order is the perturbation.

use super::approx::Perturb;
use super::dot::{element, narrow_i32};
use super::float::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use super::fp8::{Fp8, decode};

/// What a register of 32 lanes holds.
pub type Row = [u32; 32];

/// How elements of A and B are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Halves.
    F16,
    /// Upper halves of f32.
    Bf16,
    /// Bytes, whose signs are flags of the instruction.
    Iu8,
    /// Nibbles, the low one first, whose signs are flags of the instruction.
    Iu4,
    /// Bytes: the format of A's, and of B's.
    Float8(Fp8, Fp8),
}

impl Element {
    /// The width in bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::F16 | Self::Bf16 => 16,
            Self::Iu8 | Self::Float8(..) => 8,
            Self::Iu4 => 4,
        }
    }
}

/// How C and D are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accumulator {
    /// A register an element.
    F32,
    /// Two elements a register.
    F16,
    /// Two elements a register.
    Bf16,
    /// A register an element.
    I32,
}

impl Accumulator {
    /// How many registers hold the matrix.
    #[must_use]
    pub const fn registers(self) -> usize {
        match self {
            Self::F32 | Self::I32 => 8,
            Self::F16 | Self::Bf16 => 4,
        }
    }
}

/// A form of the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What A and B hold.
    pub element: Element,
    /// What C and D hold.
    pub accumulator: Accumulator,
    /// How long the dense dimension is: 16, 32 or 64.
    pub k: u32,
    /// Whether A is 2:4 sparse.
    pub sparse: bool,
}

impl Shape {
    /// Registers of B.
    #[must_use]
    pub const fn b_registers(self) -> usize {
        (self.k / 2 * self.element.bits() / 32) as usize
    }

    /// Registers of A: half of B's where it is sparse.
    #[must_use]
    pub const fn a_registers(self) -> usize {
        if self.sparse { self.b_registers() / 2 } else { self.b_registers() }
    }
}

/// Flags of one instruction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// Whether the elements of A and of B are signed integers.
    pub signed: [bool; 2],
    /// Whether an integer result saturates.
    pub clamp: bool,
    /// Signs of A, B and C that are flipped (floats); of A and B those of the even elements.
    pub neg: [bool; 3],
    /// Signs of the odd elements of A and B that are flipped (floats).
    pub neg_high: [bool; 2],
    /// Whether the sign of C is cleared first (floats).
    pub abs_c: bool,
    /// Another order of float sums.
    pub perturb: Option<Perturb>,
}

/// Elements of a lane at most.
const STREAM: usize = 32;

/// D of `A * B + C`; `index` is what the sparse forms pick with, its half already chosen.
#[must_use]
#[inline(always)]
pub fn multiply(
    shape: Shape,
    a: &[Row; 8],
    b: &[Row; 8],
    c: &[Row; 8],
    index: Option<&Row>,
    flags: Flags,
) -> [Row; 8] {
    match shape.element {
        Element::Iu8 | Element::Iu4 => integers(shape, a, b, c, index, flags),
        Element::F16 | Element::Bf16 | Element::Float8(..) => floats(shape, a, b, c, index, flags),
    }
}

/// Which element of B's lane goes with element `q` of A's.
#[inline(always)]
fn partner(index: Option<&Row>, lane: usize, q: usize) -> usize {
    match index {
        None => q,
        Some(index) => 4 * (q >> 1) + ((index[lane] >> (2 * q)) & 3) as usize,
    }
}

/// The float at `q` of a lane's stream.
#[inline(always)]
fn float_at(element: Element, rows: &[Row; 8], lane: usize, q: usize, is_b: bool) -> f32 {
    let bits = element.bits() as usize;
    let word = rows[q * bits / 32][lane] >> (q * bits % 32);
    match element {
        Element::F16 => f16_to_f32(word as u16),
        Element::Bf16 => bf16_to_f32(word as u16),
        Element::Float8(a, b) => decode(if is_b { b } else { a }, word as u8),
        Element::Iu8 | Element::Iu4 => unreachable!("integers have their own sums"),
    }
}

/// The order in which a float sum takes the elements of one half.
fn order(perturb: Option<Perturb>, count: usize) -> [u8; 2 * STREAM] {
    let mut order = [0; 2 * STREAM];
    for (place, entry) in order.iter_mut().enumerate() {
        *entry = place as u8;
    }
    if let Some(perturb) = perturb {
        for place in (1..count).rev() {
            let other = perturb.draw(100, place as u64) as usize % (place + 1);
            order.swap(place, other);
        }
    }
    order
}

#[inline(always)]
fn floats(
    shape: Shape,
    a: &[Row; 8],
    b: &[Row; 8],
    c: &[Row; 8],
    index: Option<&Row>,
    flags: Flags,
) -> [Row; 8] {
    let a_count = (shape.a_registers() as u32 * 32 / shape.element.bits()) as usize;
    let b_count = (shape.b_registers() as u32 * 32 / shape.element.bits()) as usize;
    let sign = |flip: bool| if flip { 0x8000_0000u32 } else { 0 };
    // B by element, then column, so that one element of A meets sixteen neighbours.
    let mut columns = [[0f32; 16]; 2 * STREAM];
    for (e, row) in columns.iter_mut().enumerate().take(2 * b_count) {
        let (half, q) = (e / b_count, e % b_count);
        for (j, value) in row.iter_mut().enumerate() {
            let x = float_at(shape.element, b, 16 * half + j, q, true);
            let flip = if q % 2 == 0 { flags.neg[1] } else { flags.neg_high[1] };
            *value = f32::from_bits(x.to_bits() ^ sign(flip));
        }
    }
    let order = order(flags.perturb, 2 * a_count);
    let mut d = [[0u32; 32]; 8];
    for i in 0..16 {
        let mut sums = [0f32; 16];
        for (j, sum) in sums.iter_mut().enumerate() {
            let bits = load_float(shape.accumulator, c, i, j).to_bits();
            let bits = if flags.abs_c { bits & 0x7fff_ffff } else { bits };
            *sum = f32::from_bits(bits ^ sign(flags.neg[2]));
        }
        for &place in &order[..2 * a_count] {
            let (half, q) = (usize::from(place) / a_count, usize::from(place) % a_count);
            let lane = 16 * half + i;
            let x = float_at(shape.element, a, lane, q, false);
            let flip = if q % 2 == 0 { flags.neg[0] } else { flags.neg_high[0] };
            let x = f32::from_bits(x.to_bits() ^ sign(flip));
            let column = &columns[half * b_count + partner(index, lane, q)];
            for j in 0..16 {
                sums[j] = x.mul_add(column[j], sums[j]);
            }
        }
        for (j, &sum) in sums.iter().enumerate() {
            store_float(shape.accumulator, &mut d, i, j, sum);
        }
    }
    d
}

#[inline(always)]
fn load_float(accumulator: Accumulator, c: &[Row; 8], i: usize, j: usize) -> f32 {
    let lane = 16 * (i >> 3) + j;
    let half = |word: u32| (word >> (16 * (i & 1))) as u16;
    match accumulator {
        Accumulator::F32 => f32::from_bits(c[i % 8][lane]),
        Accumulator::F16 => f16_to_f32(half(c[(i % 8) >> 1][lane])),
        Accumulator::Bf16 => bf16_to_f32(half(c[(i % 8) >> 1][lane])),
        Accumulator::I32 => unreachable!("no form sums floats in integers"),
    }
}

#[inline(always)]
fn store_float(accumulator: Accumulator, d: &mut [Row; 8], i: usize, j: usize, value: f32) {
    let lane = 16 * (i >> 3) + j;
    let half = match accumulator {
        Accumulator::F32 => {
            d[i % 8][lane] = value.to_bits();
            return;
        }
        Accumulator::F16 => f32_to_f16(value),
        Accumulator::Bf16 => f32_to_bf16(value),
        Accumulator::I32 => unreachable!("no form sums floats in integers"),
    };
    d[(i % 8) >> 1][lane] |= u32::from(half) << (16 * (i & 1));
}

#[inline(always)]
fn integers(
    shape: Shape,
    a: &[Row; 8],
    b: &[Row; 8],
    c: &[Row; 8],
    index: Option<&Row>,
    flags: Flags,
) -> [Row; 8] {
    let bits = shape.element.bits();
    let per = (32 / bits) as usize;
    let (a_count, b_count) = (shape.a_registers() * per, shape.b_registers() * per);
    let at = |rows: &[Row; 8], lane: usize, q: usize, signed: bool| {
        element(rows[q / per][lane], (q % per) as u32, bits, signed)
    };
    let mut columns = [[0i32; 16]; 2 * STREAM];
    for (e, row) in columns.iter_mut().enumerate().take(2 * b_count) {
        for (j, value) in row.iter_mut().enumerate() {
            *value = at(b, 16 * (e / b_count) + j, e % b_count, flags.signed[1]);
        }
    }
    let mut d = [[0u32; 32]; 8];
    for i in 0..16 {
        // At most 64 products of two bytes: no overflow before C is added.
        let mut sums = [0i32; 16];
        for place in 0..2 * a_count {
            let (half, q) = (place / a_count, place % a_count);
            let lane = 16 * half + i;
            let x = at(a, lane, q, flags.signed[0]);
            let column = &columns[half * b_count + partner(index, lane, q)];
            for j in 0..16 {
                sums[j] += x * column[j];
            }
        }
        for (j, &sum) in sums.iter().enumerate() {
            let lane = 16 * (i >> 3) + j;
            let start = i64::from(c[i % 8][lane] as i32);
            d[i % 8][lane] = narrow_i32(start + i64::from(sum), flags.clamp);
        }
    }
    d
}
