//! What the cases of 2:4 matrices hold, and compressed matrices for references.
//!
//! Invariants
//! - The encoding is a list, one line for each set of kept places; nothing here shares a rule with a kernel.
//! - Data has groups of two, one and no kept elements at every place.

use super::group::DTYPES;
use crate::prelude::*;

/// Each set of places that a group may keep: which place each value is of, and the four bits of the index.
type Line = (&'static [usize], [Option<usize>; 2], i128);
#[rustfmt::skip]
const ENCODINGS: [Line; 11] = [
    (&[0, 1], [Some(0), Some(1)], 0x4),
    (&[0, 2], [Some(0), Some(2)], 0x8),
    (&[0, 3], [Some(0), Some(3)], 0xc),
    (&[1, 2], [Some(1), Some(2)], 0x9),
    (&[1, 3], [Some(1), Some(3)], 0xd),
    (&[2, 3], [Some(2), Some(3)], 0xe),
    (&[0],    [Some(0), None],    0xc),
    (&[1],    [Some(1), None],    0xd),
    (&[2],    [Some(2), None],    0xe),
    (&[3],    [None, Some(3)],    0xe),
    (&[],     [None, None],       0xe),
];

/// The places that a group keeps, of `ENCODINGS[case]`.
pub(super) fn places(case: usize) -> &'static [usize] {
    ENCODINGS[case % 11].0
}

/// Which place each value of a group is of, and its four bits of the index.
pub(super) fn encoding(kept: &[usize]) -> ([Option<usize>; 2], i128) {
    let line = ENCODINGS.iter().find(|line| line.0 == kept);
    line.map(|line| (line.1, line.2)).expect("the places of a group ascend, and are at most two")
}

/// An output of a dtype, from numbers that it has.
pub(super) fn like(dtype: DType, name: &'static str, values: Vec<f64>) -> Expected {
    match dtype.is_float() {
        true => Expected::float(name, values),
        false => Expected::int(name, values.into_iter().map(|x| x as i128).collect()),
    }
}

/// Rows of `k` from a compressed matrix, read as the format says.
pub(super) fn dense(values: &[f64], index: &[i128], k: usize) -> Vec<f64> {
    let rows = (values.len() * 2).checked_div(k).unwrap_or(0);
    let mut x = vec![0.0; rows * k];
    for row in 0..rows {
        for q in 0..k / 2 {
            let word = index[row * k.div_ceil(16) + q / 8];
            let place = (word >> (2 * (q % 8)) & 3) as usize;
            x[row * k + q / 2 * 4 + place] = values[row * k / 2 + q];
        }
    }
    x
}

/// Rows of `k`: which places each group keeps, and the number at each.
pub(super) fn matrix(
    rows: usize,
    k: usize,
    case: impl Fn(usize, usize) -> usize,
    number: impl Fn(usize, usize, usize) -> f64,
) -> Vec<f64> {
    let mut x = vec![0.0; rows * k];
    for row in 0..rows {
        for group in 0..k / 4 {
            for &p in places(case(row, group)) {
                x[row * k + 4 * group + p] = number(row, group, p);
            }
        }
    }
    x
}

/// Numbers that differ between neighbours of rows, groups and places; without a sign where there is none.
pub(super) fn number(dtype: DType, row: usize, group: usize, p: usize) -> f64 {
    let size = (1 + (5 * group + 3 * p + row) % 7) as f64;
    if (group + p + row) % 2 == 1 && dtype != DType::U4 { -size } else { size }
}

/// Every set of kept places in every position, row by row shifted.
pub(super) fn cycle(dtype: DType, rows: usize, k: usize) -> Vec<f64> {
    matrix(rows, k, |r, g| r + g, |r, g, p| number(dtype, r, g, p))
}

/// A matrix compressed by the list.
pub(super) fn compress(x: &[f64], k: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut values, mut index) = (Vec::new(), Vec::new());
    for row in x.chunks(k.max(1)) {
        let mut words = vec![0xeeee; k.div_ceil(16)];
        for (g, group) in row.chunks(4).enumerate() {
            let kept: Vec<usize> = (0..4).filter(|&p| group[p] != 0.0).collect();
            let (slots, places) = encoding(&kept);
            values.extend(slots.map(|slot| slot.map_or(0.0, |p| group[p])));
            words[g / 4] = words[g / 4] & !(0xf << (4 * (g % 4))) | places << (4 * (g % 4));
        }
        index.extend(words.into_iter().map(|w| w as f64));
    }
    (values, index)
}

/// Numbers as a pattern; of no numbers, any.
pub(super) fn pattern(x: Vec<f64>) -> Pattern {
    if x.is_empty() { Pattern::Constant(0.0) } else { Pattern::Cycle(x) }
}

/// Cases of an operation that takes a matrix `x`.
pub(super) fn matrices() -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in DTYPES {
        let case = |name: &str| Case::new(name, dtype);
        for (rows, k) in [(1, 4), (3, 12), (11, 44), (5, 64), (2, 132), (17, 28)] {
            let x = Pattern::Cycle(cycle(dtype, rows, k));
            let name = format!("cycle {rows}x{k}");
            all.push(case(&name).input("x", &[rows as u32, k as u32], x));
        }
        // Three and four numbers in the first, a middle and the last group.
        let three = (0..3).map(|i| [1.0, 2.0, [0.0, 3.0][i % 2], [4.0, 1.0][i / 2]]);
        let three: Vec<f64> = three.flatten().collect();
        all.push(case("crowded").input("x", &[2, 12], Pattern::Cycle(three.clone())));
        for at in [0, 20, 39] {
            let x = cycle(dtype, 4, 40);
            let full: Vec<_> = (0..4).map(|p| (at / 4 * 4 + p, three[p].max(1.0))).collect();
            let name = format!("crowded at {at}");
            all.push(case(&name).input("x", &[4, 40], Pattern::Cycle(x).with(&full)));
        }
        all.push(case("any bits").input("x", &[7, 100], finite(dtype, 7 * 100)));
        let specials = crate::pattern::specials(dtype).len() as u32;
        if dtype != DType::F8E5M2 {
            let all_four = specials.next_multiple_of(4);
            all.push(case("specials").input("x", &[3, all_four], Pattern::specials()));
        }
        if dtype.is_float() {
            let x = cycle(dtype, 6, 32).into_iter();
            let x = x.map(|v| if v == 0.0 { -0.0 } else { v }).collect();
            all.push(case("minus zero").input("x", &[6, 32], Pattern::Cycle(x)));
            for at in 0..4 {
                let x = Pattern::Cycle(cycle(dtype, 2, 24)).with(&[(28 + at, f64::NAN)]);
                all.push(case(&format!("nan at {at}")).input("x", &[2, 24], x));
            }
        }
    }
    let view = TensorDesc::strided(DType::F16, &[6, 20], &[1, 7], 3);
    // The first group has too many, and the last one no number at its last place.
    let ends: Vec<_> =
        (0..4).map(|p| (p, 3.0)).chain((116..120).zip([1.0, 2.0, 0.0, 0.0])).collect();
    let numbers = Pattern::Cycle(cycle(DType::F16, 6, 20)).with(&ends);
    all.push(Case::new("transposed", DType::F16).view("x", view, numbers.clone()));
    let gaps = TensorDesc::strided(DType::I8, &[3, 2, 20], &[80, 25, 1], 5);
    all.push(Case::new("gaps", DType::I8).view("x", gaps, numbers));
    for shape in [[0, 8], [3, 0]] {
        let none = Case::new(format!("empty {shape:?}"), DType::BF16);
        all.push(none.input("x", &shape, Pattern::Constant(1.0)));
    }
    all
}

/// Any finite bits: stores of 8-bit floats have no infinity to give back.
fn finite(dtype: DType, elems: usize) -> Pattern {
    let bits = Pattern::Bits { seed: 11 }.bits(dtype, elems);
    let number = |b| Some(number::decode(dtype, b)).filter(|x| x.is_finite()).unwrap_or(-0.0);
    Pattern::Cycle(bits.into_iter().map(number).collect())
}

/// Cases of an operation that takes a compressed matrix alone.
pub(super) fn compressed() -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in DTYPES {
        for (rows, k) in [(1, 4), (3, 12), (11, 44), (5, 64), (2, 132), (17, 28)] {
            let (values, index) = compress(&cycle(dtype, rows, k), k);
            let case = Case::new(format!("cycle {rows}x{k}"), dtype);
            let shape = [rows as u32, k as u32 / 2];
            let words = [rows as u32, k.div_ceil(16) as u32];
            all.push(case.input("values", &shape, pattern(values)).input_as(
                "index",
                DType::U16,
                &words,
                pattern(index),
            ));
        }
        // All pairs of ascending places with numbers of any size.
        let words = [0xe9c8, 0xd4e9, 0x8cd9].map(f64::from).to_vec();
        all.push(
            Case::new("any bits", dtype).input("values", &[9, 24], finite(dtype, 9 * 24)).input_as(
                "index",
                DType::U16,
                &[9, 3],
                Pattern::Cycle(words),
            ),
        );
    }
    let view = TensorDesc::strided(DType::F16, &[6, 8], &[1, 7], 3);
    let words = TensorDesc::strided(DType::U16, &[6, 1], &[2, 1], 1);
    all.push(Case::new("views", DType::F16).view("values", view, Pattern::Positions).view(
        "index",
        words,
        Pattern::Cycle(vec![f64::from(0xe9c8), f64::from(0x8cd4)]),
    ));
    for shape in [[0u32, 4], [3, 0]] {
        let none = Case::new(format!("empty {shape:?}"), DType::BF16);
        let words = [shape[0], shape[1].div_ceil(8)];
        all.push(
            none.input("values", &shape, Pattern::Constant(1.0))
                .input_as("index", DType::U16, &words, Pattern::Constant(0.0))
                .empty(),
        );
    }
    all
}

/// Benches of an operation that takes a matrix `x`; `bytes` of its own bytes are moved.
pub(super) fn benches(bytes: fn(u64) -> u64) -> Vec<Bench> {
    let of = |(n, dtype, scale): (u32, DType, Scale)| {
        let x = Pattern::Cycle(cycle(dtype, 44, 64));
        let case = Case::new(format!("{n}x{n}"), dtype).input("x", &[n, n], x);
        let own = dtype.bytes_for(u64::from(n) * u64::from(n)).unwrap_or(0);
        Bench { case, bytes: bytes(own), flops: 0, scale }
    };
    let sizes = [
        (2_048, DType::F16, Scale::Host),
        (2_048, DType::I8, Scale::Host),
        (8_192, DType::F16, Scale::Device),
        (8_192, DType::I8, Scale::Device),
    ];
    sizes.map(of).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::host;

    #[test]
    fn an_encoding_reads_back_as_what_it_kept() {
        for (kept, slots, places) in ENCODINGS {
            let group: Vec<f64> =
                (0..4).map(|p| if kept.contains(&p) { p as f64 + 1.0 } else { 0.0 }).collect();
            let values = slots.map(|slot| slot.map_or(0.0, |p| group[p]));
            assert_eq!(dense(&values, &[places | 0xeee0], 4), group, "{kept:?}");
            assert!((places & 3) < (places >> 2), "{kept:?} ascends");
        }
    }

    #[test]
    fn the_host_encodes_so_too() {
        for (kept, slots, places) in ENCODINGS {
            let number = |p: usize| if kept.contains(&p) { p as f64 + 1.0 } else { 0.0 };
            let (values, nibble) = host::encode_group([0, 1, 2, 3].map(number)).unwrap();
            assert_eq!(values, slots.map(|slot| slot.map_or(0.0, number)), "{kept:?}");
            assert_eq!(i128::from(nibble), places, "{kept:?}");
        }
    }

    #[test]
    fn the_cycle_has_each_set_at_each_group() {
        let x = cycle(DType::I8, 11, 44);
        for group in 0..11 {
            let mut seen: Vec<Vec<usize>> = (0..11)
                .map(|row| (0..4).filter(|p| x[row * 44 + 4 * group + p] != 0.0).collect())
                .collect();
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), 11, "group {group}");
        }
    }
}
