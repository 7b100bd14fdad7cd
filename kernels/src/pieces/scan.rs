//! Scans of a row by one group, in the order of the index tree.
//!
//! For d = 0, 1, 2, ...: where bit d of index i is set, `p[i] = p[((i >> d) << d) - 1] . p[i]`, the lower block
//! first. A total is the adjacent-first tree of the elements. The order is on index, so the group's size
//! changes no bit: the levels inside a subgroup are the subgroup's scan, those inside the group are steps of a
//! butterfly over the subgroups' totals, and those above walk the totals of earlier chunks.
//!
//! Invariants
//! - `totals[d]` is the total of the last 2^d chunks wherever bit d of the number of chunks done is set.

use super::fold::{Fold, combine, identity};
use evenweave_lang::prelude::*;

/// The 32 lanes up to and with its own combined.
#[device]
fn scan_subgroup<A: Numeric>(fold: Fold, x: Val<A>) -> Val<A> {
    match fold {
        Fold::Sum => subgroup_inclusive_sum(x),
        Fold::Prod => subgroup_inclusive_prod(x),
        Fold::Max => subgroup_inclusive_max(x),
        Fold::Min => subgroup_inclusive_min(x),
    }
}

/// Calls `each(i, x[0] . x[1] . ... . x[i])` once for every element of the row, from some thread.
#[device]
pub fn scan_row<A: Numeric>(
    fold: Fold,
    threads: u32,
    row_elems: Val<u32>,
    element: impl Fn(Val<u32>) -> Val<A>,
    each: impl Fn(Val<u32>, Val<A>),
) {
    let subgroup_totals = shared::<A>(threads / 32);
    let totals = private::<A>(32);
    for start in (val(0)..row_elems).step_by(threads) {
        let i = start + thread_id();
        let mut prefix = identity::<A>(fold);
        if i < row_elems {
            prefix = element(i);
        }
        prefix = scan_subgroup(fold, prefix);
        if lane() == 31 {
            subgroup_totals[subgroup_id()] = prefix;
        }
        barrier();
        let mut total = identity::<A>(fold);
        if lane() < threads / 32 {
            total = subgroup_totals[lane()];
        }
        for level in 0..(threads / 32).ilog2() {
            // The block of 2^level subgroups below the one that this subgroup is in.
            let block = subgroup_id() >> level;
            let below = shuffle(total, (block - (block & 1)) << level);
            prefix = select(block & 1 == 1, combine(fold, below, prefix), prefix);
            total = combine(fold, total, shuffle_xor(total, 1 << level));
        }
        total = broadcast(total, 0);
        let chunk = start / threads;
        let mut level = 0u32;
        let mut carries = true;
        while chunk >> level != 0 {
            if (chunk >> level) & 1 == 1 {
                prefix = combine(fold, totals[level], prefix);
                if carries {
                    total = combine(fold, totals[level], total);
                }
            } else if carries {
                totals[level] = total;
                carries = false;
            }
            level += 1;
        }
        if carries {
            totals[level] = total;
        }
        if i < row_elems {
            each(i, prefix);
        }
        barrier();
    }
}
