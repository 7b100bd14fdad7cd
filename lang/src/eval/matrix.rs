//! The law of products of small matrices by a subgroup.
//!
//! Invariants
//! - A sum starts at the element of `c` and takes the kept values of its row in order: `sum = value * b + sum`, one
//!   rounding a term in f32, wrapping in i32. Each value meets the row of `b` that its place names, zeros too.

use super::{canonical, storage};
use crate::{
    dtype::DType,
    matrix::{Atom, LANES},
};

/// What each lane of a subgroup takes of `d`: `words(operand, lane)` is what it gives.
pub fn product(atom: Atom, words: impl Fn(usize, usize) -> u32) -> Vec<[u32; LANES as usize]> {
    let [m, n, k] = [atom.m(), atom.n(), atom.k()].map(|e| e as usize);
    let (a_words, b_words) = (atom.a_words() as usize, atom.b_words() as usize);
    let per = atom.per_word();
    let bits = atom.element().bits();
    let code = |word: u32, e: u32| word >> (e * bits) & (u32::MAX >> (32 - bits));
    let (mut a, mut b) = (vec![0; m * k / 2], vec![0; k * n]);
    for lane in 0..LANES {
        for e in 0..per {
            for word in 0..a_words {
                let (row, col) = atom.a_at(lane, word as u32);
                a[row as usize * k / 2 + (col + e) as usize] = code(words(word, lane as usize), e);
            }
            for word in 0..b_words {
                let (row, col) = atom.b_at(lane, word as u32);
                let given = words(a_words + word, lane as usize);
                b[(row + e) as usize * n + col as usize] = code(given, e);
            }
        }
    }
    let place = |row: usize, q: usize| {
        let (lane, bit) = atom.places_at(row as u32, q as u32 / 2);
        let word = words(atom.operands() - 1, lane as usize);
        (word >> (bit + q as u32 % 2 * 2) & 3) as usize
    };
    let meets: Vec<usize> = (0..m * k / 2)
        .map(|at| (at % (k / 2)) / 2 * 4 + place(at / (k / 2), at % (k / 2)))
        .collect();
    let mut d = vec![[0; LANES as usize]; atom.sums() as usize];
    for lane in 0..LANES {
        for (i, d) in d.iter_mut().enumerate() {
            let (row, col) = atom.d_at(lane, i as u32);
            let first = row as usize * k / 2;
            let terms = (first..first + k / 2).map(|at| (a[at], b[meets[at] * n + col as usize]));
            d[lane as usize] = sum(atom, words(a_words + b_words + i, lane as usize), terms);
        }
    }
    d
}

fn sum(atom: Atom, c: u32, terms: impl Iterator<Item = (u32, u32)>) -> u32 {
    let float: fn(u32) -> f32 = match atom {
        Atom::F16m16n8k32 | Atom::F16m16n16k32 => |x| storage::f16_to_f32(x as u16),
        Atom::Bf16m16n8k32 | Atom::Bf16m16n16k32 => |x| storage::bf16_to_f32(x as u16),
        Atom::I8m16n8k64 | Atom::I8m16n16k32 => {
            let int = |x: u32| i32::from(x as u8 as i8);
            let add = |sum: i32, (a, b)| sum.wrapping_add(int(a).wrapping_mul(int(b)));
            return terms.fold(c as i32, add) as u32;
        }
    };
    let sum = terms.fold(f32::from_bits(c), |sum, (a, b)| float(a).mul_add(float(b), sum));
    canonical(DType::F32, sum.to_bits().into()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One kept value and one element of `b`, each at every place: `d` has their product where they meet.
    #[test]
    fn a_value_meets_the_row_that_its_place_names() {
        for atom in [Atom::I8m16n8k64, Atom::I8m16n16k32] {
            let (k, n) = (atom.k(), atom.n());
            for col in (0..k / 2).step_by(3) {
                for place in 0..4 {
                    let (row, column) = (col % 16, (5 * col + place) % n);
                    let met = col / 2 * 4 + place;
                    let words = |operand: usize, lane: usize| {
                        let (operand, lane) = (operand as u32, lane as u32);
                        let (a, b) = (atom.a_words(), atom.b_words());
                        if operand < a {
                            let (r, c) = atom.a_at(lane, operand);
                            let here = r == row && (c..c + 4).contains(&col);
                            return if here { 3 << (8 * (col - c)) } else { 0 };
                        }
                        if operand < a + b {
                            let (r, c) = atom.b_at(lane, operand - a);
                            let here = c == column && (r..r + 4).contains(&met);
                            return if here { 5 << (8 * (met - r)) } else { 0 };
                        }
                        if operand + 1 < atom.operands() as u32 {
                            return 100;
                        }
                        let (l, bit) = atom.places_at(row, col / 2);
                        if l == lane { place << (bit + col % 2 * 2) } else { 0 }
                    };
                    let d = product(atom, words);
                    for lane in 0..LANES {
                        for sum in 0..atom.sums() {
                            let here = atom.d_at(lane, sum) == (row, column);
                            let want = if here { 115 } else { 100 };
                            assert_eq!(
                                d[sum as usize][lane as usize], want,
                                "{atom:?} {col} {place}"
                            );
                        }
                    }
                }
            }
        }
    }
}
