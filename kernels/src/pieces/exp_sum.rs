//! The sum of exponentials of a row, in one pass over it.
//!
//! Each accumulator of the canonical order keeps the greatest element so far and the sum of `exp(x - greatest)`;
//! a new greatest element rescales the sum: `sum = fma(sum, exp(old - x), 1)`. In the end every sum is rescaled
//! to the greatest element of the row and the sums are folded. One exponential an element, and none overflows.
//!
//! Invariants
//! - A row without a number above -inf has `top` 0 and `sum` 0.
//! - NaN and +inf in a row make `sum` NaN; `greatest` is exact always.

use super::fold::{Fold, Lanes, fold_lanes, walk_row};
use evenweave_lang::prelude::*;

/// What a row's exponentials come to.
#[derive(Clone, Copy, Debug)]
pub struct ExpSum {
    /// The greatest element; -inf where there is none.
    pub greatest: Val<f32>,
    /// What exponents are taken from: `greatest`, or 0 where that is -inf.
    pub top: Val<f32>,
    /// The sum of `exp(x - top)`.
    pub sum: Val<f32>,
}

/// Sums the exponentials of `element(0)`, ..., `element(row_elems - 1)`.
#[device]
pub fn exp_sum(
    lanes: Lanes,
    row_elems: Val<u32>,
    element: impl Fn(Val<u32>) -> Val<f32>,
) -> ExpSum {
    let tops = private::<f32>(lanes.own());
    let sums = private::<f32>(lanes.own());
    for k in 0..lanes.own() {
        tops[k] = f32::NEG_INFINITY;
        sums[k] = 0.0;
    }
    walk_row(lanes, row_elems, |k, i| {
        let x = element(i);
        let old = tops[k];
        // Equal infinities have no difference; their distance is 0.
        let e = exp(select(x == old, lit::<f32>(0.0), -abs(x - old)));
        sums[k] = select(x > old, fma(sums[k], e, 1.0), sums[k] + e);
        tops[k] = max(old, x);
    });
    let greatest = fold_lanes(Fold::Max, lanes, |k| tops[k]);
    let top = select(greatest == f32::NEG_INFINITY, lit::<f32>(0.0), greatest);
    let sum = fold_lanes(Fold::Sum, lanes, |k| sums[k] * exp(tops[k] - top));
    ExpSum { greatest, top, sum }
}
