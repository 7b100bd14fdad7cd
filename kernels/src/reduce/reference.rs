//! What a reduction means, in f64 and integers, and how close a device must come.

use crate::prelude::*;

/// The reductions, by the words of their signatures.
pub(super) const WORDS: &[&str] = &["sum", "prod", "max", "min"];

/// Folds the elements that each row of indices into `x` names.
pub(super) fn fold(known: &Known<'_>, op: &str, rows: &[Vec<usize>]) -> Vec<Expected> {
    let dtype = known.dtype("x");
    if !dtype.is_float() {
        let x = known.int("x");
        let fold = |row: &Vec<usize>| whole(op, dtype, row.iter().map(|&i| x[i]));
        return vec![Expected::int("y", rows.iter().map(fold).collect())];
    }
    let x = known.float("x");
    let values: Vec<f64> = rows.iter().map(|row| real(op, row.iter().map(|&i| x[i]))).collect();
    // A product's relative error is at most the number of its roundings.
    let magnitude = match op {
        "sum" => rows.iter().map(|row| row.iter().map(|&i| x[i].abs()).sum()).collect(),
        _ => values.iter().map(|v| v.abs()).collect(),
    };
    vec![Expected::sum("y", values, magnitude)]
}

fn real(op: &str, x: impl Iterator<Item = f64>) -> f64 {
    match op {
        "sum" => x.fold(-0.0, |sum, x| sum + x),
        "prod" => x.fold(1.0, |product, x| product * x),
        "max" => x.fold(f64::NEG_INFINITY, |best, x| if wins(x, best) { x } else { best }),
        _ => x.fold(f64::INFINITY, |best, x| if wins(-x, -best) { x } else { best }),
    }
}

/// Whether `x` is the maximum of the two: NaN above all, +0 above -0.
fn wins(x: f64, best: f64) -> bool {
    !best.is_nan() && (x.is_nan() || x > best || (x == best && best.is_sign_negative()))
}

fn whole(op: &str, dtype: DType, x: impl Iterator<Item = i128>) -> i128 {
    let (low, high) = number::int_range(dtype);
    match op {
        "sum" => x.fold(0, |sum, x| number::wrap(dtype, sum + x)),
        "prod" => x.fold(1, |product, x| number::wrap(dtype, product * x)),
        "max" => x.fold(low, i128::max),
        _ => x.fold(high, i128::min),
    }
}

/// How often a term of a row's sum, or a row's product, is rounded at most. A term of a sum enters one of
/// 1,024 accumulators that take `elems / 1024` terms each, and then passes ten levels of the tree; a long
/// axis passes twice. Every product of a row is rounded once.
pub(super) fn bound(op: &str, row_elems: u32) -> Bound {
    let once = |elems: u32| f64::from(elems.div_ceil(1024)) + 10.0;
    match op {
        "sum" if row_elems > 65_536 => Bound::sum(once(65_536) + once(row_elems.div_ceil(65_536))),
        "sum" => Bound::sum(once(row_elems)),
        "prod" => Bound::sum(f64::from(row_elems)),
        _ => Exact,
    }
}

/// Numbers on which a reduction's faults show: sums that do not cancel, products that stay in range.
pub(super) fn pattern(op: &str, dtype: DType, seed: u64) -> Pattern {
    match (op, dtype.is_float()) {
        ("prod", true) => Pattern::Cycle(vec![1.25, -0.875, 1.0625, 0.75, -1.125, 1.0, 1.03125]),
        (_, true) => Pattern::normal(seed),
        (_, false) => Pattern::Bits { seed },
    }
}

/// Every pair of the dtype's special numbers, as rows of two.
pub(super) fn special_pairs(dtype: DType) -> (u32, Pattern) {
    let value = |bits| match dtype.is_float() {
        true => number::decode(dtype, bits),
        false => number::decode_int(dtype, bits) as f64,
    };
    let all: Vec<f64> = crate::pattern::specials(dtype).into_iter().map(value).collect();
    let pairs = all.iter().flat_map(|&a| all.iter().flat_map(move |&b| [a, b])).collect();
    ((all.len() * all.len()) as u32, Pattern::Cycle(pairs))
}
