//! Movement, votes, reductions and scans of lanes.
//!
//! Invariants
//! - Sums and products follow the index tree of `eval::reduce`: it combines neighbours first, with an operation
//!   that commutes bit for bit, so that one tree gives what the butterfly gives to every lane.

use super::{
    Array, Machine,
    lanes::{CHUNK, Mask, Word, bits_of},
    program::Slot,
    run::{File, give, source, take},
};
use evenweave_lang::{
    dtype::DType,
    eval::{self, number::Number},
    matrix::{Atom, wide::Wide},
    ops::{Reach, ReduceOp, ShuffleOp, VoteOp},
};

/// Lanes of a logical subgroup.
const SUBGROUP: usize = evenweave_lang::ir::SUBGROUP_LANES as usize;
/// Its chunks.
const PART: usize = SUBGROUP / CHUNK;

/// Reach, operation and dtype of a reduction.
pub(super) type What = (Reach, ReduceOp, DType);

/// Thread 0's value for the whole group.
pub(super) fn broadcast(m: &mut Machine, dst: Slot, a: Slot) {
    let first = m.lane(a, 0);
    match dst {
        Slot::Scalar(word) => m.scalars[word as usize] = first,
        Slot::Narrow(slot) => m.narrow[slot as usize].fill([first as u32; CHUNK]),
        Slot::Wide(slot) => m.wide[slot as usize].fill([first; CHUNK]),
    }
}

/// A product of small matrices by each subgroup.
pub(super) fn matrix(m: &mut Machine, atom: Atom, dst: &[Slot], src: &[Slot]) {
    let mut all: Vec<_> = dst.iter().map(|&slot| take::<u32>(m, slot)).collect();
    let parts = all.first().map_or(0, |d| d.len() / PART);
    for part in 0..parts {
        let word =
            |operand: usize, lane: usize| m.lane(src[operand], part * SUBGROUP + lane) as u32;
        for (d, lanes) in all.iter_mut().zip(eval::matrix::product(atom, word)) {
            for (lane, bits) in lanes.into_iter().enumerate() {
                d[part * PART + lane / CHUNK][lane % CHUNK] = bits;
            }
        }
    }
    for (&slot, d) in dst.iter().zip(all) {
        give(m, slot, d);
    }
}

/// A product with shared memory by each subgroup: the arrays of the sums and of the tile.
pub(super) fn wide(m: &mut Machine, wide: Wide, [sums, tile]: [u32; 2], src: &[Slot]) {
    let chunks = m.chunks;
    for part in 0..chunks / PART {
        let Array::Shared32(words) = &m.arrays[tile as usize] else {
            unreachable!("verify: a tile is shared words")
        };
        let Array::Private32(cells) = &m.arrays[sums as usize] else {
            unreachable!("verify: sums are private words")
        };
        let at = |sum: usize, lane: usize| sum * chunks + part * PART + lane / CHUNK;
        let d = eval::wide::product(
            wide,
            |operand, lane| m.lane(src[operand], part * SUBGROUP + lane) as u32,
            |word| words[word],
            |sum, lane| cells[at(sum, lane)][lane % CHUNK],
        );
        let Array::Private32(cells) = &mut m.arrays[sums as usize] else {
            unreachable!("verify: sums are private words")
        };
        for (sum, lanes) in d.into_iter().enumerate() {
            for (lane, bits) in lanes.into_iter().enumerate() {
                cells[at(sum, lane)][lane % CHUNK] = bits;
            }
        }
    }
}

/// A movement between the lanes of each subgroup.
pub(super) fn shuffle(m: &mut Machine, op: ShuffleOp, dst: Slot, a: Slot, lane: Slot) {
    match dst {
        Slot::Wide(_) => shuffle_of::<u64>(m, op, dst, a, lane),
        Slot::Narrow(_) | Slot::Scalar(_) => shuffle_of::<u32>(m, op, dst, a, lane),
    }
}

/// The lanes of a subgroup.
#[inline(always)]
fn subgroup<W: Word>(source: &super::lanes::Source<'_, W>, part: usize) -> [W; SUBGROUP] {
    let (low, high) = (source.chunk(PART * part), source.chunk(PART * part + 1));
    std::array::from_fn(|i| if i < CHUNK { low[i] } else { high[i - CHUNK] })
}

fn shuffle_of<W: File>(m: &mut Machine, op: ShuffleOp, dst: Slot, a: Slot, lane: Slot) {
    let mut d = take::<W>(m, dst);
    let (x, y) = (&mut [[W::default(); CHUNK]], &mut [[0u32; CHUNK]]);
    let (from, which) = (source(m, a, x), source(m, lane, y));
    for (part, d) in d.chunks_exact_mut(PART).enumerate() {
        let (from, which) = (subgroup(&from, part), subgroup(&which, part));
        for i in 0..SUBGROUP {
            let lane = match op {
                ShuffleOp::Any | ShuffleOp::Broadcast => which[i] as usize % SUBGROUP,
                ShuffleOp::Xor => i ^ (which[i] as usize % SUBGROUP),
            };
            d[i / CHUNK][i % CHUNK] = from[lane];
        }
    }
    give(m, dst, d);
}

/// A question to the lanes of each subgroup.
pub(super) fn vote(m: &mut Machine, op: VoteOp, dst: Slot, a: Slot, mask: &Mask) {
    let mut d = take::<u32>(m, dst);
    let mut splat = [[0; CHUNK]];
    let from = source::<u32>(m, a, &mut splat);
    for (part, d) in d.chunks_exact_mut(PART).enumerate() {
        let (i, j) = (PART * part, PART * part + 1);
        let join = |low: u16, high: u16| u32::from(low) | u32::from(high) << CHUNK;
        let asked = join(mask.chunk(i), mask.chunk(j));
        let ones = join(bits_of(from.chunk(i)), bits_of(from.chunk(j))) & asked;
        let answer = match op {
            VoteOp::Ballot => ones,
            VoteOp::Any => u32::from(ones != 0),
            VoteOp::All => u32::from(ones == asked),
        };
        d.fill([answer; CHUNK]);
    }
    give(m, dst, d);
}

/// A reduction or scan of each subgroup.
#[inline(always)]
pub(super) fn reduce(m: &mut Machine, what: What, dst: Slot, a: Slot) {
    let (reach, op, dtype) = what;
    macro_rules! typed {
        ($t:ident, $file:ident, $f:expr) => {
            reduce_of::<$file>(m, dst, a, what, |lanes| {
                let mut lanes = lanes.map(|x| $t::from_word(x.up()));
                tree(reach, &mut lanes, $f);
                lanes.map(|x| <$file as Word>::down(x.to_word()))
            })
        };
    }
    match (dtype, op) {
        (DType::F32, ReduceOp::Sum) => typed!(f32, u32, f32::add),
        (DType::F32, ReduceOp::Max) => typed!(f32, u32, Number::maximum),
        (DType::F32, ReduceOp::Min) => typed!(f32, u32, Number::minimum),
        (DType::U32 | DType::I32, ReduceOp::Sum) => typed!(u32, u32, Number::add),
        (DType::F64, ReduceOp::Sum) => typed!(f64, u64, f64::add),
        (_, _) if dtype.bits() == 64 => reduce_of::<u64>(m, dst, a, what, |mut lanes| {
            eval::reduce(reach, op, dtype, &mut lanes).expect("verify checks the dtype");
            lanes
        }),
        (_, _) => reduce_of::<u32>(m, dst, a, what, |lanes| {
            let mut lanes = lanes.map(u64::from);
            eval::reduce(reach, op, dtype, &mut lanes).expect("verify checks the dtype");
            lanes.map(|x| x as u32)
        }),
    }
}

#[inline(always)]
fn reduce_of<W: File>(
    m: &mut Machine,
    dst: Slot,
    a: Slot,
    (reach, op, dtype): What,
    f: impl Fn([W; SUBGROUP]) -> [W; SUBGROUP],
) {
    let mut d = take::<W>(m, dst);
    let mut splat = [[W::default(); CHUNK]];
    let from = source::<W>(m, a, &mut splat);
    let identity = W::down(eval::identity(op, dtype).expect("verify checks the dtype"));
    for (part, d) in d.chunks_exact_mut(PART).enumerate() {
        let mut out = f(subgroup(&from, part));
        // `tree` leaves the exclusive scan to this place, `eval::reduce` has done it.
        if reach == Reach::Exclusive {
            out[0] = identity;
        }
        for i in 0..SUBGROUP {
            d[i / CHUNK][i % CHUNK] = out[i];
        }
    }
    give(m, dst, d);
}

/// The index tree; of an exclusive scan lane 0 is left to the caller.
#[inline(always)]
fn tree<T: Copy>(reach: Reach, lanes: &mut [T; SUBGROUP], f: impl Fn(T, T) -> T) {
    match reach {
        Reach::All => {
            let mut count = SUBGROUP;
            while count > 1 {
                count /= 2;
                for i in 0..count {
                    lanes[i] = f(lanes[2 * i], lanes[2 * i + 1]);
                }
            }
            *lanes = [lanes[0]; SUBGROUP];
        }
        Reach::Inclusive | Reach::Exclusive => {
            for level in 0..SUBGROUP.ilog2() {
                for i in (0..SUBGROUP).filter(|i| i >> level & 1 == 1) {
                    lanes[i] = f(lanes[((i >> level) << level) - 1], lanes[i]);
                }
            }
            if reach == Reach::Exclusive {
                lanes.rotate_right(1);
            }
        }
    }
}
