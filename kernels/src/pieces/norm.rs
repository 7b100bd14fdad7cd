//! What norms need of a row.

use super::fold::{Fold, Row};
use evenweave_lang::prelude::*;

/// `1 / sqrt(mean(x^2) + eps)` of a row, each square added by one `fma`.
#[device]
pub fn row_inverse_rms<F: Fn(Val<u32>) -> Val<f32>>(row: &Row<f32, F>, eps: Val<f32>) -> Val<f32> {
    let squares = row.fold_with(Fold::Sum, |acc, x| fma(x, x, acc));
    rsqrt(squares / (row.elems() as f32) + eps)
}

/// The mean of a row.
#[device]
pub fn row_mean<F: Fn(Val<u32>) -> Val<f32>>(row: &Row<f32, F>) -> Val<f32> {
    row.fold(Fold::Sum) / (row.elems() as f32)
}
