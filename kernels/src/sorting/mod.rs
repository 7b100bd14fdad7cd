//! Sorting and merging of rows.
//!
//! The order is total: -inf < ... < -0 < +0 < ... < +inf < NaN, and equal elements keep theirs.

pub mod argsort;
pub mod keys;
pub mod merge;
pub mod sort;
pub mod top_k;

use crate::{entry::Entry, prelude::*};

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[sort::ENTRY, argsort::ENTRY, merge::ENTRY, top_k::ENTRY];

/// The dtypes that are sorted.
const DTYPES: &[DType] = crate::reduce::rows::DTYPES;

/// The total order, for references.
fn compare(a: f64, b: f64) -> std::cmp::Ordering {
    let nan_last = a.is_nan().cmp(&b.is_nan());
    nan_last.then_with(|| if a.is_nan() { std::cmp::Ordering::Equal } else { a.total_cmp(&b) })
}

/// An output of the dtype of `x`.
fn like_x(known: &Known<'_>, name: &'static str, values: Vec<f64>) -> Expected {
    match known.dtype("x").is_float() {
        true => Expected::float(name, values),
        false => Expected::int(name, values.into_iter().map(|x| x as i128).collect()),
    }
}

/// Stable order of a row: the indices of its elements, least (or greatest) first.
fn order(row: &[f64], descending: bool) -> Vec<usize> {
    let mut at: Vec<usize> = (0..row.len()).collect();
    at.sort_by(|&i, &j| match descending {
        false => compare(row[i], row[j]),
        true => compare(row[j], row[i]),
    });
    at
}

/// Cases of sorting rows, for an operation with the word `order`.
fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for order in ["ascending", "descending"] {
        let case =
            |name: String, dtype| Case::new(format!("{order} {name}"), dtype).word("order", order);
        for &dtype in DTYPES {
            let specials = crate::pattern::specials(dtype).len() as u32;
            all.push(case("specials".into(), dtype).input(
                "x",
                &[1, specials],
                Pattern::specials(),
            ));
            all.push(case("ties".into(), dtype).input("x", &[3, 100], Pattern::Positions));
            let any = Pattern::Bits { seed: 9 };
            all.push(case("any bits".into(), dtype).input("x", &[2, 777], any));
        }
        let pattern = || Pattern::normal(4).with(&[(0, f64::NAN), (5, -0.0), (6, 0.0), (7, -0.0)]);
        // A run that a group sorts has up to 2,048 elements; longer rows are merged, once or twice.
        let long = if order == "ascending" { [1_024, 2_048, 2_049] } else { [1_023, 1_025, 4_500] };
        for n in [1, 2, 31, 32, 33, 64, 65].into_iter().chain(long) {
            all.push(case(format!("length {n}"), DType::F32).input("x", &[2, n], pattern()));
        }
        let falling = Pattern::ramp(100.0, -1.0);
        all.push(case("falling".into(), DType::I32).input("x", &[1, 300], falling));
        all.push(case("equal".into(), DType::F16).input("x", &[2, 40], Pattern::Constant(-1.5)));
        for shape in [[0, 5], [5, 0]] {
            let none = case(format!("{shape:?}"), DType::F32);
            all.push(none.input("x", &shape, Pattern::normal(1)).empty());
        }
        let view = TensorDesc::strided(DType::F32, &[3, 40], &[1, 4], 2);
        all.push(case("view".into(), DType::F32).view("x", view, Pattern::normal(2)));
    }
    all
}
