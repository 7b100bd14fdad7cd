//! Rows through exponentials: softmax and the logarithm of a sum of exponentials.

pub mod log_sum_exp;
#[allow(clippy::module_inception, reason = "the family is named for its first operation")]
pub mod softmax;

use crate::{entry::Entry, prelude::*};

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[softmax::ENTRY, log_sum_exp::ENTRY];

/// What a row's exponentials come to, in f64: greatest element, sum of `exp(x - greatest)`, and how many
/// roundings of f32 the sum may be off by, relative to it.
///
/// An element at distance d below the greatest has a relative error of d from the difference `x - greatest`, 3 from its
/// exponential, 1 from each addition: one for each of the `n / 1024` elements of its accumulator, and one for each of the
/// ten levels of the tree. The distance is averaged with the elements' weights.
fn exp_sum(row: &[f64]) -> (f64, f64, f64) {
    let top =
        row.iter().fold(f64::NEG_INFINITY, |top, &x| if x > top || x.is_nan() { x } else { top });
    let sum: f64 = row.iter().map(|x| libm::exp(x - top)).sum();
    let distance: f64 = row
        .iter()
        .map(|x| top - x)
        .filter(|d| d.is_finite())
        .map(|d| d * libm::exp(-d) / sum)
        .sum();
    (top, sum, distance + row.len().div_ceil(1_024) as f64 + 13.0)
}

/// Rows of every sort that the operations of this family must do right: name, dtype, shape, numbers.
fn rows() -> Vec<(String, DType, TensorDesc, Pattern)> {
    let mut all = Vec::new();
    let mut add = |name: &str, dtype, shape: &[u32], pattern| {
        all.push((name.to_string(), dtype, TensorDesc::new(dtype, shape), pattern));
    };
    for &dtype in REALS {
        let spread = |seed| Pattern::Normal { seed, mean: 0.5, sd: 3.0 };
        for shape in [[1, 1], [4, 1_024], [3, 33], [5, 7], [2, 2_500]] {
            add(&format!("{shape:?}"), dtype, &shape, spread(3));
        }
        let masked = [2, 9, 17, 40, 41, 42, 43, 44, 45, 46, 47].map(|i| (i, f64::NEG_INFINITY));
        add("masked", dtype, &[6, 8], spread(4).with(&masked));
        add("special pairs", dtype, &special_pairs(dtype).0, special_pairs(dtype).1);
        add("rising", dtype, &[2, 3_000], Pattern::ramp(-3.0, 1.0 / 512.0));
        add("falling", dtype, &[2, 3_000], Pattern::ramp(3.0, -1.0 / 512.0));
        add("peaked", dtype, &[3, 100], Pattern::Peaked { row_elems: 100, peak: 9.0 });
    }
    for n in [2, 31, 32, 127, 255, 257, 1_023, 1_025] {
        add(&format!("length {n}"), DType::F32, &[2, n], Pattern::normal(u64::from(n)));
    }
    add("vocabulary", DType::F32, &[1, 152_064], Pattern::normal(5));
    add("large", DType::F32, &[3, 200], Pattern::Normal { seed: 6, mean: 1e4, sd: 5.0 });
    add("low", DType::F32, &[3, 200], Pattern::Normal { seed: 7, mean: -1e4, sd: 5.0 });
    add("wide", DType::F32, &[2, 40], Pattern::Cycle(vec![300.0, -300.0, 295.0, 301.5, 180.0]));
    add("NaN", DType::F32, &[3, 70], Pattern::normal(8).with(&[(100, f64::NAN)]));
    add("all masked", DType::F32, &[3, 70], Pattern::Constant(f64::NEG_INFINITY));
    add("+inf", DType::F32, &[3, 70], Pattern::normal(9).with(&[(75, f64::INFINITY)]));
    let turned = TensorDesc::strided(DType::F32, &[2, 30, 20], &[0, 1, 31], 3);
    all.push(("transposed".into(), DType::F32, turned, Pattern::normal(10)));
    all
}

/// Pairs of special numbers as rows of two. The language's `exp` gives 0 where the result is below 2^-126,
/// so pairs whose distance makes a subnormal are left out.
fn special_pairs(dtype: DType) -> ([u32; 2], Pattern) {
    let all: Vec<f64> = crate::pattern::specials(dtype)
        .into_iter()
        .map(|bits| number::decode(dtype, bits))
        .collect();
    let mut pairs = Vec::new();
    for &a in &all {
        for &b in &all {
            if !(87.3..104.0).contains(&(a - b).abs()) {
                pairs.extend([a, b]);
            }
        }
    }
    ([pairs.len() as u32 / 2, 2], Pattern::Cycle(pairs))
}
