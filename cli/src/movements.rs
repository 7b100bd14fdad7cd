//! A kernel with every movement between lanes, on values that show a wrong lane.
//!
//! Invariants
//! - No two values are equal, and products stay odd: taking from another lane changes what is stored.
//! - There are two subgroups, and what is asked of one is not true of the other.

use evenweave_lang::{StageError, dtype::DType, generate::Argument, ir::Kernel, prelude::*};

/// Threads of its one group.
const THREADS: u32 = 64;
/// Results of a thread.
const RESULTS: u32 = 37;
/// The lane that all are told of, and the one that has the mark.
const TOLD: [u32; 2] = [11, 37];

#[kernel(group = 64, grid = 1)]
fn movements(#[len(64)] x: &In<u32>, #[len(64 * 37)] y: &mut Out<u32>, n: u32, mark: u32) {
    let i = thread_id();
    let v = x[i];
    y[i] = shuffle(v, v);
    y[i + 64] = shuffle(v, lane() + 1);
    y[i + 128] = shuffle(v, n);
    y[i + 192] = shuffle_xor(v, 1);
    y[i + 256] = shuffle_xor(v, 2);
    y[i + 320] = shuffle_xor(v, 4);
    y[i + 384] = shuffle_xor(v, 8);
    y[i + 448] = shuffle_xor(v, 16);
    y[i + 512] = shuffle_xor(v, 21);
    y[i + 576] = shuffle_xor(v, n);
    y[i + 640] = broadcast(v, 0);
    y[i + 704] = broadcast(v, 13);
    y[i + 768] = broadcast(v, n);
    y[i + 832] = ballot(v % 3 == 1);
    y[i + 896] = subgroup_sum(v);
    y[i + 960] = subgroup_inclusive_sum(v);
    y[i + 1024] = subgroup_exclusive_sum(v);
    y[i + 1088] = subgroup_prod(v);
    y[i + 1152] = subgroup_inclusive_prod(v);
    y[i + 1216] = subgroup_exclusive_prod(v);
    y[i + 1280] = subgroup_min(v);
    y[i + 1344] = subgroup_inclusive_min(v);
    y[i + 1408] = subgroup_exclusive_min(v);
    y[i + 1472] = subgroup_max(v);
    y[i + 1536] = subgroup_inclusive_max(v);
    y[i + 1600] = subgroup_exclusive_max(v);
    y[i + 1664] = subgroup_and(v);
    y[i + 1728] = subgroup_inclusive_and(v);
    y[i + 1792] = subgroup_exclusive_and(v);
    y[i + 1856] = subgroup_or(v);
    y[i + 1920] = subgroup_inclusive_or(v);
    y[i + 1984] = subgroup_exclusive_or(v);
    y[i + 2048] = subgroup_xor(v);
    y[i + 2112] = subgroup_inclusive_xor(v);
    y[i + 2176] = subgroup_exclusive_xor(v);
    y[i + 2240] = any(v == mark) as u32;
    y[i + 2304] = all(v != mark) as u32;
}

fn word(i: u32) -> u64 {
    // Odd multiples of an odd number: distinct modulo 2^32, and none is even.
    u64::from((2 * i + 1).wrapping_mul(0x9e37_79b9))
}

/// The kernel.
pub(crate) fn kernel() -> Result<Kernel, StageError> {
    movements()
}

/// Its arguments.
pub(crate) fn arguments() -> Vec<Argument> {
    let [n, mark] = TOLD;
    vec![
        Argument::Buffer(DType::U32, (0..THREADS).map(word).collect()),
        Argument::Buffer(DType::U32, vec![0; (THREADS * RESULTS) as usize]),
        Argument::Scalar(DType::U32, n.into()),
        Argument::Scalar(DType::U32, word(mark)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenweave_lang::{
        ir::Op,
        ops::{Reach, ReduceOp, ShuffleOp, VoteOp},
    };
    use std::collections::BTreeSet;

    #[test]
    fn every_movement_is_there() {
        let kernel = kernel().unwrap();
        let (mut moves, mut reductions) = (BTreeSet::new(), BTreeSet::new());
        for &v in kernel.blocks.iter().flatten() {
            if let Op::Shuffle(..) | Op::Vote(..) = kernel[v].op {
                moves.insert(kernel[v].op.name());
            }
            if let Op::Reduce(reach, op, _) = kernel[v].op {
                reductions.insert((reach, op));
            }
        }
        let named = ShuffleOp::ALL.iter().map(|op| op.name());
        let all: BTreeSet<_> = named.chain(VoteOp::ALL.iter().map(|op| op.name())).collect();
        assert_eq!(moves, all);
        assert_eq!(reductions.len(), Reach::ALL.len() * ReduceOp::ALL.len());
    }
}
