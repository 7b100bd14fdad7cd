//! The exponentials of a row, and their sum: `exp(x - greatest)`, so that none overflows.
//!
//! The greatest element is folded first, then the exponentials of the distances to it, both in the canonical order.
//!
//! Invariants
//! - A row without a number above -inf has `top` 0 and `sum` 0.
//! - NaN and +inf in a row make `sum` NaN; `greatest` is exact always.

use super::fold::{Fold, Row};
use evenweave_lang::prelude::*;

/// What exponents are taken from: the greatest element, or 0 where that is -inf.
#[device]
pub fn top_of(greatest: Val<f32>) -> Val<f32> {
    select(greatest == f32::NEG_INFINITY, lit::<f32>(0.0), greatest)
}

/// The exponential of an element's distance below the top. That is never above 0; said so to the compiler, the cases of
/// overflow fall away.
#[device]
fn exp_below(distance: Val<f32>) -> Val<f32> {
    exp(-abs(distance))
}

/// The row of `exp(x - top)`.
#[device]
pub fn powers<'a, F: Fn(Val<u32>) -> Val<f32>>(
    row: &'a Row<f32, F>,
    top: Val<f32>,
) -> Row<f32, impl Fn(Val<u32>) -> Val<f32> + 'a> {
    row.map(move |x| exp_below(x - top))
}

/// The greatest element.
#[device]
pub fn greatest_of<F: Fn(Val<u32>) -> Val<f32>>(row: &Row<f32, F>) -> Val<f32> {
    row.fold(Fold::Max)
}
