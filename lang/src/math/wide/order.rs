//! Minima and maxima of f64 by comparing bits.
//!
//! Invariants
//! - -0 is below +0. `min` and `max` yield NaN for a NaN operand, `min_num` and `max_num` the other operand.

use super::{INF, MAGNITUDE, NAN};
use crate::prelude::*;

/// The bits as integers in the order of the floats, and whether each operand is a NaN.
#[device]
fn keys(a: Val<u64>, b: Val<u64>) -> (Val<bool>, Val<bool>, Val<bool>) {
    let (x, y) = (a as i64, b as i64);
    let x = x ^ (((x >> 63) as u64 >> 1) as i64);
    let y = y ^ (((y >> 63) as u64 >> 1) as i64);
    (x < y, INF < (a & MAGNITUDE), INF < (b & MAGNITUDE))
}

/// The operand `a` where `first`, else `b`; NaN where either is one.
#[device]
fn strict(first: Val<bool>, a: Val<u64>, b: Val<u64>, nan: Val<bool>) -> Val<f64> {
    from_bits::<f64>(select(nan, NAN, select(first, a, b)))
}

/// As `strict`, but a single NaN yields to the other operand.
#[device]
fn lenient(
    first: Val<bool>,
    a: Val<u64>,
    b: Val<u64>,
    a_nan: Val<bool>,
    b_nan: Val<bool>,
) -> Val<f64> {
    let chosen = select((first & !a_nan) | b_nan, a, b);
    from_bits::<f64>(select(a_nan & b_nan, NAN, chosen))
}

/// IEEE 754-2019 minimum.
#[device]
pub fn min(a: Val<f64>, b: Val<f64>) -> Val<f64> {
    let (a, b) = (bits(a), bits(b));
    let (less, a_nan, b_nan) = keys(a, b);
    strict(less, a, b, a_nan | b_nan)
}

/// IEEE 754-2019 maximum.
#[device]
pub fn max(a: Val<f64>, b: Val<f64>) -> Val<f64> {
    let (a, b) = (bits(a), bits(b));
    let (less, a_nan, b_nan) = keys(a, b);
    strict(less, b, a, a_nan | b_nan)
}

/// IEEE 754-2019 minimumNumber.
#[device]
pub fn min_num(a: Val<f64>, b: Val<f64>) -> Val<f64> {
    let (a, b) = (bits(a), bits(b));
    let (less, a_nan, b_nan) = keys(a, b);
    lenient(less, a, b, a_nan, b_nan)
}

/// IEEE 754-2019 maximumNumber.
#[device]
pub fn max_num(a: Val<f64>, b: Val<f64>) -> Val<f64> {
    let (a, b) = (bits(a), bits(b));
    let (less, a_nan, b_nan) = keys(a, b);
    lenient(!less, a, b, a_nan, b_nan)
}
