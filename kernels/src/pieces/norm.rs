//! What norms need of a row.

use super::fold::{Fold, Lanes, fold_row, sum_squares};
use evenweave_lang::prelude::*;

/// `1 / sqrt(mean(x^2) + eps)` of `element(0)`, ..., `element(row_elems - 1)`.
#[device]
pub fn row_inverse_rms(
    lanes: Lanes,
    row_elems: Val<u32>,
    eps: Val<f32>,
    element: impl Fn(Val<u32>) -> Val<f32>,
) -> Val<f32> {
    let squares = sum_squares(lanes, row_elems, element);
    rsqrt(squares / (row_elems as f32) + eps)
}

/// The mean of a row, and `1 / sqrt(variance + eps)` of its distances from that mean.
#[device]
pub fn row_moments(
    lanes: Lanes,
    row_elems: Val<u32>,
    eps: Val<f32>,
    element: impl Fn(Val<u32>) -> Val<f32>,
) -> (Val<f32>, Val<f32>) {
    let mean = fold_row(Fold::Sum, lanes, row_elems, |i| element(i)) / (row_elems as f32);
    let inverse = row_inverse_rms(lanes, row_elems, eps, |i| element(i) - mean);
    (mean, inverse)
}
