//! The law of products of small matrices by a subgroup.
//!
//! Invariants
//! - A sum starts at the element of `c` and takes the kept values of its row in order: `sum = value * b + sum`, one
//!   rounding a term in f32, wrapping in i32. Each value meets the row of `b` that its place names, zeros too.

use super::{canonical, decode, storage};
use crate::{
    dtype::DType,
    matrix::{Atom, LANES},
};

/// What each lane of a subgroup takes of `d`: `words(operand, lane)` is what it gives.
pub fn product(atom: Atom, words: impl Fn(usize, usize) -> u32) -> Vec<[u32; LANES as usize]> {
    let [m, n, k] = [atom.m(), atom.n(), atom.k()].map(|e| e as usize);
    let (a_words, b_words) = (atom.a_words() as usize, atom.b_words() as usize);
    let per = atom.per_word();
    let bits = atom.bits();
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
    let [of_a, of_b] = atom.elements();
    if atom.is_float() {
        let add = |sum, (a, b)| float(of_a, a).mul_add(float(of_b, b), sum);
        return canonical(DType::F32, terms.fold(f32::from_bits(c), add).to_bits().into()) as u32;
    }
    let add = |sum: i32, (a, b)| sum.wrapping_add(int(of_a, a).wrapping_mul(int(of_b, b)));
    terms.fold(c as i32, add) as u32
}

/// The number of a code.
pub(super) fn float(dtype: DType, code: u32) -> f32 {
    let value = decode(dtype, code.into());
    match dtype {
        DType::F16 => storage::f16_to_f32(value as u16),
        DType::BF16 => storage::bf16_to_f32(value as u16),
        _ => f32::from_bits(value as u32),
    }
}

/// The number of a code of an integer.
pub(super) fn int(dtype: DType, code: u32) -> i32 {
    let unused = 32 - dtype.bits();
    let high = code << unused;
    if dtype.is_signed() { high as i32 >> unused } else { (high >> unused) as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One kept value and one element of `b`, each at every place: `d` has their product where they meet.
    #[test]
    fn a_value_meets_the_row_that_its_place_names() {
        let ints = Atom::ALL.iter().copied().filter(|atom| !atom.is_float());
        for atom in ints {
            let (k, n, per) = (atom.k(), atom.n(), atom.per_word());
            for col in (0..k / 2).step_by(3) {
                for place in 0..4 {
                    let (row, column) = (col % 16, (5 * col + place) % n);
                    let met = col / 2 * 4 + place;
                    let words = |operand: usize, lane: usize| {
                        let (operand, lane) = (operand as u32, lane as u32);
                        let (a, b) = (atom.a_words(), atom.b_words());
                        if operand < a {
                            let (r, c) = atom.a_at(lane, operand);
                            let here = r == row && (c..c + per).contains(&col);
                            return if here { 3 << (atom.bits() * (col - c)) } else { 0 };
                        }
                        if operand < a + b {
                            let (r, c) = atom.b_at(lane, operand - a);
                            let here = c == column && (r..r + per).contains(&met);
                            return if here { 5 << (atom.bits() * (met - r)) } else { 0 };
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

    /// One product of two codes, at the first place of the first group.
    fn of_codes(atom: Atom, a: u32, b: u32, c: u32) -> u32 {
        let (first, second) = (0, atom.a_words() as usize);
        let words = |operand: usize, lane: usize| match (operand, lane) {
            (o, 0) if o == first => a,
            (o, 0) if o == second => b,
            (o, 0) if o == second + atom.b_words() as usize => c,
            _ => 0,
        };
        product(atom, words)[0][0]
    }

    #[test]
    fn elements_are_read_in_their_own_dtypes() {
        let int = |atom, a, b| of_codes(atom, a, b, 0) as i32;
        // 9 is -7 with a sign, and 8 is -8.
        assert_eq!(int(Atom::I4I4m16n16k64, 9, 8), 56);
        assert_eq!(int(Atom::I4U4m16n16k64, 9, 8), -56);
        assert_eq!(int(Atom::U4I4m16n16k64, 9, 8), -72);
        assert_eq!(int(Atom::U4U4m16n16k64, 9, 8), 72);
        // 0x3a is 1.25 in E4M3 and 0.75 in E5M2; 0xc4 is -3 and -4.
        let float = |atom, a, b| f32::from_bits(of_codes(atom, a, b, 0.5f32.to_bits()));
        assert_eq!(float(Atom::E4E4m16n16k32, 0x3a, 0xc4), 0.5 - 1.25 * 3.0);
        assert_eq!(float(Atom::E4E5m16n16k32, 0x3a, 0xc4), 0.5 - 1.25 * 4.0);
        assert_eq!(float(Atom::E5E4m16n16k32, 0x3a, 0xc4), 0.5 - 0.75 * 3.0);
        assert_eq!(float(Atom::E5E5m16n16k32, 0x3a, 0xc4), 0.5 - 0.75 * 4.0);
        // Sums wrap.
        assert_eq!(of_codes(Atom::U4U4m16n16k64, 15, 15, i32::MAX as u32) as i32, i32::MIN + 224);
    }
}
