//! The law of products of a matrix in registers and one in shared memory.
//!
//! Invariants
//! - A sum starts at its element and takes the kept values of its row in order, as in `matrix`: `sum = value * b + sum`,
//!   one rounding a term in f32, wrapping in i32. Each value meets the row of `b` that its place names, zeros too.

use super::{
    canonical,
    matrix::{float, int},
};
use crate::{
    dtype::DType,
    matrix::{LANES, wide::Wide},
};

/// The numbers of one of the two kinds of sums.
enum Numbers {
    Floats { a: Vec<f32>, b: Vec<f32> },
    Ints { a: Vec<i32>, b: Vec<i32> },
}

/// What the sums of each lane of a subgroup become: `words(operand, lane)` is what it gives, `tile(word)` what the shared array
/// has, `sums(sum, lane)` what the sums are.
pub fn product(
    wide: Wide,
    words: impl Fn(usize, usize) -> u32,
    tile: impl Fn(usize) -> u32,
    sums: impl Fn(usize, usize) -> u32,
) -> Vec<[u32; LANES as usize]> {
    let [n, k] = [wide.n(), wide.k()].map(|e| e as usize);
    let a = codes_of_a(wide, &words);
    let b = codes_of_b(wide, tile);
    let [of_a, of_b] = wide.elements();
    let numbers = if wide.is_float() {
        let [a, b] = [(a, of_a), (b, of_b)]
            .map(|(codes, dtype)| codes.into_iter().map(|code| float(dtype, code)).collect());
        Numbers::Floats { a, b }
    } else {
        let [a, b] = [(a, of_a), (b, of_b)]
            .map(|(codes, dtype)| codes.into_iter().map(|code| int(dtype, code)).collect());
        Numbers::Ints { a, b }
    };
    let meets: Vec<usize> = (0..wide.m() as usize * k / 2)
        .map(|at| {
            let (row, q) = (at / (k / 2), at % (k / 2));
            let (operand, lane, bit) = wide.places_at(row as u32, q as u32 / 2);
            let word = words(operand as usize, lane as usize);
            q / 2 * 4 + (word >> (bit + q as u32 % 2 * 2) & 3) as usize
        })
        .collect();
    let mut d = vec![[0; LANES as usize]; wide.sums() as usize];
    for lane in 0..LANES {
        for (i, d) in d.iter_mut().enumerate() {
            let (row, col) = wide.d_at(lane, i as u32);
            let first = row as usize * k / 2;
            let terms = (first..first + k / 2).map(|at| (at, meets[at] * n + col as usize));
            let c = sums(i, lane as usize);
            d[lane as usize] = match &numbers {
                Numbers::Floats { a, b } => {
                    let sum = f32::from_bits(c);
                    let sum = terms.fold(sum, |sum, (x, y)| a[x].mul_add(b[y], sum));
                    canonical(DType::F32, sum.to_bits().into()) as u32
                }
                Numbers::Ints { a, b } => terms
                    .fold(c as i32, |sum, (x, y)| sum.wrapping_add(a[x].wrapping_mul(b[y])))
                    as u32,
            };
        }
    }
    d
}

fn code(wide: Wide, word: u32, e: u32) -> u32 {
    word >> (e * wide.bits()) & (u32::MAX >> (32 - wide.bits()))
}

/// Kept values, a row after another.
fn codes_of_a(wide: Wide, words: impl Fn(usize, usize) -> u32) -> Vec<u32> {
    let kept = (wide.k() / 2) as usize;
    let mut a = vec![0; wide.m() as usize * kept];
    for lane in 0..LANES {
        for word in 0..wide.a_words() {
            let (row, col) = wide.a_at(lane, word);
            let given = words(word as usize, lane as usize);
            for e in 0..wide.per_word() {
                a[row as usize * kept + (col + e) as usize] = code(wide, given, e);
            }
        }
    }
    a
}

/// The tile, a row after another.
fn codes_of_b(wide: Wide, tile: impl Fn(usize) -> u32) -> Vec<u32> {
    let (n, per) = (wide.n(), wide.per_word());
    let mut b = vec![0; (wide.k() * n) as usize];
    for (word, col) in (0..wide.k() / per).flat_map(|word| (0..n).map(move |col| (word, col))) {
        let given = tile(wide.tile_at(word, col) as usize);
        for e in 0..per {
            b[((word * per + e) * n + col) as usize] = code(wide, given, e);
        }
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One kept value and one element of `b`, each at many places: the sums have their product where they meet.
    #[test]
    fn a_value_meets_the_row_that_its_place_names() {
        let (wide, per) = (Wide::I8n128k128, 4);
        for col in (0..wide.k() / 2).step_by(3) {
            for place in 0..4 {
                let (row, column) = (col % 16, (37 * col + 5 * place) % wide.n());
                let met = col / 2 * 4 + place;
                let words = |operand: usize, lane: usize| {
                    let (operand, lane) = (operand as u32, lane as u32);
                    if operand < wide.a_words() {
                        let (r, c) = wide.a_at(lane, operand);
                        let here = r == row && (c..c + per).contains(&col);
                        return if here { 3 << (8 * (col - c)) } else { 0 };
                    }
                    let at = wide.places_at(row, col / 2);
                    if (at.0, at.1) == (operand, lane) { place << (at.2 + col % 2 * 2) } else { 0 }
                };
                let tile = |word: usize| {
                    let here = word == wide.tile_at(met / per, column) as usize;
                    if here { 0xfb << (8 * (met % per)) } else { 0 }
                };
                let d = product(wide, words, tile, |_, _| 100);
                for (lane, sum) in (0..LANES).flat_map(|l| (0..wide.sums()).map(move |s| (l, s))) {
                    let here = wide.d_at(lane, sum) == (row, column);
                    let want = if here { 100 - 15 } else { 100 };
                    assert_eq!(d[sum as usize][lane as usize], want, "{col} {place}");
                }
            }
        }
    }

    #[test]
    fn floats_are_read_in_their_own_dtypes_and_integers_wrap() {
        // The first value of the first row, at the first place of the first group.
        let of = |wide: Wide, a: u32, b: u32, c: u32| {
            let words = |operand: usize, lane: usize| if (operand, lane) == (0, 0) { a } else { 0 };
            product(wide, words, |word| if word == 0 { b } else { 0 }, |_, _| c)[0][0]
        };
        let float = |wide, a, b| f32::from_bits(of(wide, a, b, 0.5f32.to_bits()));
        // 0x3a is 1.25 in E4M3 and 0.75 in E5M2; 0xc4 is -3 and -4.
        assert_eq!(float(Wide::E4E4n128k128, 0x3a, 0xc4), 0.5 - 1.25 * 3.0);
        assert_eq!(float(Wide::E4E5n128k128, 0x3a, 0xc4), 0.5 - 1.25 * 4.0);
        assert_eq!(float(Wide::E5E4n128k128, 0x3a, 0xc4), 0.5 - 0.75 * 3.0);
        assert_eq!(float(Wide::E5E5n128k128, 0x3a, 0xc4), 0.5 - 0.75 * 4.0);
        // 1.5 and -2 in f16, 1.5 and 4 in bf16.
        assert_eq!(float(Wide::F16n128k64, 0x3e00, 0xc000), -2.5);
        assert_eq!(float(Wide::Bf16n128k64, 0x3fc0, 0x4080), 6.5);
        assert_eq!(of(Wide::I8n128k128, 0x80, 0x80, i32::MAX as u32) as i32, i32::MIN + 16383);
    }
}
