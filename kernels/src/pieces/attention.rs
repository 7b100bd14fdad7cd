//! Attention of one query by one subgroup, with an online softmax.
//!
//! Keys are taken in blocks of 32, ascending. Lane `j` scores key `j` of the block; then the lanes share out the
//! elements of the values, and walk the block's keys in order. The running maximum, sum and output are rescaled
//! once a block (Milakov and Gimelshein, 2018; Dao et al., 2022). The block is part of the definition: no group
//! size changes a bit.
//!
//! Invariants
//! - Keys that are not seen, by `keys` or by a bias of -inf, count for nothing; a query that sees none gets 0, with a sink or without.
//! - The flow is uniform in the subgroup: `keys` must be.

use evenweave_lang::prelude::*;

/// Elements that a lane keeps of `dim`.
pub const fn own_elems(dim: u32) -> u32 {
    dim.div_ceil(SUBGROUP)
}

/// Lanes of a subgroup, and keys of a block.
pub const SUBGROUP: u32 = 32;

/// Calls `store(d, y[d])` for each element of `y = sum over j of softmax_j(score) value(j)`, from some lane, where
/// `score(j) = scale * (query . key(j)) + bias(j)` and j runs over the first `keys` keys. `key(j, d, per)` gives `per` elements at
/// once; `per` divides `dim`. A `sink` is one more score, of a value of zeros.
#[device]
pub fn attend(
    dim: u32,
    per: u32,
    keys: Val<u32>,
    scale: Val<f32>,
    sink: Option<Val<f32>>,
    query: impl Fn(Val<u32>) -> Val<f32>,
    key: impl Fn(Val<u32>, Val<u32>, u32) -> Vec<Val<f32>>,
    value: impl Fn(Val<u32>, Val<u32>) -> Val<f32>,
    bias: impl Fn(Val<u32>) -> Val<f32>,
    store: impl Fn(Val<u32>, Val<f32>),
) {
    let y = private::<f32>(own_elems(dim));
    for c in 0..own_elems(dim) {
        y[c] = 0.0;
    }
    let none = val(f32::NEG_INFINITY);
    let sink = sink.unwrap_or(none);
    let mut top = sink;
    let mut sum = select(sink == f32::NEG_INFINITY, lit::<f32>(0.0), lit::<f32>(1.0));
    for start in (val(0)..keys).step_by(SUBGROUP) {
        let j = start + lane();
        let mut score = f32::NEG_INFINITY;
        if j < keys {
            let mut dot = 0.0f32;
            for d in (val(0)..dim).step_by(per) {
                let all = key(j, d, per);
                for e in 0..per {
                    dot = fma(query(d + e), all[e as usize], dot);
                }
            }
            score = dot * scale + bias(j);
        }
        let next = max(top, subgroup_max(score));
        // While no key is seen the greatest score is -inf; any finite number keeps the differences at -inf.
        let finite = select(next == f32::NEG_INFINITY, 0.0, next);
        let keep = exp(top - finite);
        let weight = exp(score - finite);
        sum = sum * keep + subgroup_sum(weight);
        for c in 0..own_elems(dim) {
            y[c] = y[c] * keep;
        }
        for k in val(0)..min(keys - start, SUBGROUP) {
            let w = broadcast(weight, k);
            for c in 0..own_elems(dim) {
                let d = lane() + c * SUBGROUP;
                if d < dim {
                    y[c] = fma(w, value(start + k, d), y[c]);
                }
            }
        }
        top = next;
    }
    let inverse = select(sum == 0.0, 0.0, recip(sum));
    for c in 0..own_elems(dim) {
        let d = lane() + c * SUBGROUP;
        if d < dim {
            store(d, y[c] * inverse);
        }
    }
}
