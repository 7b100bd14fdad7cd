//! Inputs that tell devices apart: special values, and hard cases that are constructed.
//!
//! Invariants
//! - The same inputs every time.
//! - Quotients and roots lie next to the midpoint of two floats by construction: solved in 2-adic integers, not searched.

use evenweave_lang::{dtype::DType, eval, ops::BinaryOp};

/// splitmix64.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// From `low` up to `high`, without it.
    pub(super) fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low) as u64) as i64
    }
}

/// A binary format.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) dtype: DType,
    /// Bits of the significand, the leading one with them.
    p: u32,
    bias: i64,
}

pub(super) const SINGLE: Format = Format { dtype: DType::F32, p: 24, bias: 127 };
pub(super) const DOUBLE: Format = Format { dtype: DType::F64, p: 53, bias: 1023 };

impl Format {
    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.dtype.bits())
    }

    fn sign(self) -> u64 {
        1 << (self.dtype.bits() - 1)
    }

    /// `significand * 2^exponent` for a significand of exactly `p` bits, in the range of normal numbers.
    fn pack(self, significand: u64, exponent: i64) -> u64 {
        let biased = exponent + i64::from(self.p) - 1 + self.bias;
        assert!(significand >> (self.p - 1) == 1 && (1..=2 * self.bias).contains(&biased));
        (biased as u64) << (self.p - 1) | significand & ((1 << (self.p - 1)) - 1)
    }

    fn significand(self, random: &mut Random) -> u64 {
        random.next() >> (64 - self.p) | 1 << (self.p - 1)
    }

    /// A number with a random significand and sign, whose exponent is one of the range.
    fn number(self, random: &mut Random, low: i64, high: i64) -> u64 {
        let (significand, exponent) = (self.significand(random), random.within(low, high));
        let sign = random.next() & self.sign();
        self.pack(significand, exponent - i64::from(self.p) + 1) | sign
    }

    fn integer(self, value: u64) -> u64 {
        eval::cast(DType::U64, self.dtype, value).expect("both are value dtypes")
    }

    fn power(self, exponent: i64) -> u64 {
        self.pack(1 << (self.p - 1), exponent - i64::from(self.p) + 1)
    }

    /// Values where something begins, ends or ties, with both signs.
    pub(super) fn specials(self) -> Vec<u64> {
        let (one, normal, infinity) =
            (self.power(0), self.power(1 - self.bias), self.power(self.bias) + (1 << (self.p - 1)));
        let all = [
            vec![0, 1, 2, normal - 1, normal, normal + 1],
            vec![self.power(-1) - 1, self.power(-1), self.power(-1) + 1, one - 1, one, one + 1],
            [3, 5, 7, 10].map(|i| eval_mul(self, self.integer(i), self.power(-1))).to_vec(),
            [24, 31, 32, 52, 53, 63, 64]
                .iter()
                .flat_map(|&e| [self.power(e) - 1, self.power(e)])
                .collect(),
            vec![infinity - 1, infinity],
        ];
        let mut all: Vec<u64> = all.concat();
        all.extend(all.clone().iter().map(|x| x | self.sign()));
        all.push(infinity | 1 << (self.p - 2));
        all
    }

    /// Triples for sums, products and `fma`: specials, random bits, near exponents, products that all but cancel,
    /// products that are ties but for what is added, results about the least normal number.
    pub(super) fn triples(self, count: usize) -> Vec<[u64; 3]> {
        let mut random = Random(1);
        let specials = self.specials();
        let mut all = Vec::new();
        for (i, &a) in specials.iter().enumerate() {
            for (j, &b) in specials.iter().enumerate() {
                all.push([a, b, specials[(7 * i + 5 * j) % specials.len()]]);
            }
        }
        for _ in 0..count {
            let bits = [0; 3].map(|_| random.next() & self.mask());
            all.push(bits.map(|x| canonical(self, x)));
            all.push([0; 3].map(|_| self.number(&mut random, -20, 20)));
            let [a, b] = [0; 2].map(|_| self.number(&mut random, -2, 2));
            let product = eval_mul(self, a, b) ^ self.sign();
            let near = random.within(-1, 2);
            all.push([a, b, product.wrapping_add_signed(near)]);
            all.push(self.tie(&mut random));
            let low = 1 - self.bias;
            let [a, b] = [0; 2].map(|_| self.number(&mut random, low, low + 12));
            let c = self.number(&mut random, -30, 10);
            all.push([a, b, c]);
            all.push([a, c, b]);
        }
        all
    }

    /// A product of `p + 1` bits, which lies between two floats, and something tiny to add.
    fn tie(self, random: &mut Random) -> [u64; 3] {
        let p = i64::from(self.p);
        loop {
            let few = random.within(2, p - 1) as u32;
            let odd =
                |random: &mut Random, bits: u32| random.next() >> (64 - bits) | 1 << (bits - 1) | 1;
            let (x, y) = (odd(random, few), odd(random, self.p + 1 - few));
            if 128 - (u128::from(x) * u128::from(y)).leading_zeros() == self.p + 1 {
                let [a, b] = [x, y].map(|x| self.integer(x));
                let tiny = self.power(-random.within(4, 30)) | random.next() & self.sign();
                return [a, b, tiny];
            }
        }
    }

    /// Pairs whose quotient lies next to the midpoint of two floats: `a * 2^(p+1) = m b + r` with `m` odd, `r` small.
    pub(super) fn quotients(self, count: usize) -> Vec<[u64; 2]> {
        let (mut random, mut all) = (Random(2), Vec::new());
        let bits = self.p + 1;
        let mask = (1u64 << bits) - 1;
        while all.len() < count {
            let b = self.significand(&mut random) | 1;
            let r = 2 * random.within(-4, 4) + 1;
            let m = inverse(b).wrapping_mul((-r) as u64) & mask;
            let numerator = i128::from(m) * i128::from(b) + i128::from(r);
            let a = (numerator >> bits) as u64;
            let fits = |x: u64, bits: u32| x >> (bits - 1) == 1;
            if m & 1 == 1 && fits(m, bits) && fits(a, self.p) {
                let (e, f) = (random.within(-30, 30), random.within(-30, 30));
                let sign = random.next() & self.sign();
                all.push([self.pack(a, e) | sign, self.pack(b, f)]);
            }
        }
        all
    }

    /// Dividends just above a power of two, by a divisor whose significand is all ones. Of all divisors it is the one where a
    /// reciprocal that is off from below makes Markstein's last step round to the wrong side.
    pub(super) fn by_all_ones(self) -> Vec<[u64; 2]> {
        let ones = (1u64 << self.p) - 1;
        let of = |e: i64| {
            (0..8).map(move |k| [self.pack((1 << (self.p - 1)) + k, e), self.pack(ones, -e)])
        };
        [-30, 0, 30].into_iter().flat_map(of).collect()
    }

    /// Numbers whose square root lies next to the midpoint of two floats: `m^2 = x 2^k + r` with `r` small.
    pub(super) fn squares(self, count: usize) -> Vec<u64> {
        let (mut random, mut all, mut r) = (Random(3), Vec::new(), -7);
        while all.len() < count {
            for root in roots(r) {
                for k in [self.p + 1, self.p + 2] {
                    for flip in [0, 1u64 << (k - 1)] {
                        let m =
                            root.wrapping_add(flip) & ((1 << k) - 1) & ((1 << (self.p + 1)) - 1);
                        let exact = i128::from(m) * i128::from(m) - i128::from(r);
                        if m >> self.p != 1 || exact & ((1 << k) - 1) != 0 {
                            continue;
                        }
                        let x = (exact >> k) as u64;
                        if x >> (self.p - 1) == 1 {
                            let e = 2 * random.within(-20, 20) + i64::from(k % 2);
                            all.push(self.pack(x, e));
                        }
                    }
                }
            }
            // Only a number that is 1 modulo 8 has roots, and small ones of both signs are hardest.
            r = if r < 0 { -r + 2 } else { -r - 6 };
            r -= (r - 1).rem_euclid(8);
        }
        all.truncate(count);
        all
    }
}

/// The inverse of an odd number modulo 2^64.
fn inverse(x: u64) -> u64 {
    (0..6).fold(x, |y, _| y.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(y))))
}

/// Square roots modulo 2^62 of a number that is 1 modulo 8, bit by bit; the others differ in high bits alone.
fn roots(r: i64) -> [u64; 2] {
    let mut root = 1u64;
    for bit in 3..62 {
        let rest = root.wrapping_mul(root).wrapping_sub(r as u64);
        if rest >> bit & 1 == 1 {
            root = root.wrapping_add(1 << (bit - 1));
        }
    }
    [root, root.wrapping_neg()]
}

fn eval_mul(format: Format, a: u64, b: u64) -> u64 {
    eval::binary(BinaryOp::Mul, format.dtype, a, b).expect("a product of floats")
}

/// A NaN has one value.
pub(super) fn canonical(format: Format, bits: u64) -> u64 {
    eval::encode(format.dtype, bits)
}

/// Pairs of integers of so many bits.
pub(super) fn integers(bits: u32, count: usize) -> Vec<[u64; 2]> {
    let mask = u64::MAX >> (64 - bits);
    let top = 1u64 << (bits - 1);
    let mut few =
        vec![0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7fff, 0x8000];
    few.extend([0xffff, 0x1_0000, (1 << 24) - 1, (1 << 24) + 1, (1 << 24) + 3, 0x1ff_ffff]);
    few.extend([top - 1, top, top + 1, mask - 1, mask, 0xaaaa_aaaa_aaaa_aaaa & mask]);
    let mut all: Vec<[u64; 2]> =
        few.iter().flat_map(|&a| few.iter().map(move |&b| [a, b])).collect();
    let mut random = Random(4);
    for _ in 0..count {
        all.push([0; 2].map(|_| random.next() & mask));
        all.push([0; 2].map(|_| {
            let word = (random.next() & mask) >> random.within(0, i64::from(bits));
            if random.next() & 1 == 1 { word.wrapping_neg() & mask } else { word }
        }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By their definition: twice the exact quotient is an odd integer in the last place of the result, but for a bit.
    #[test]
    fn hard_quotients_and_roots_are_next_to_midpoints() {
        let value = |bits: u64| f64::from(f32::from_bits(bits as u32));
        for [a, b] in SINGLE.quotients(500) {
            let (a, b) = (value(a), value(b));
            let ulps = (a / b).abs() * 2f64.powi(23 - (a / b).abs().log2().floor() as i32);
            let off = (ulps.fract() - 0.5).abs();
            assert!(off > 0.0 && off < 1e-5, "{a} / {b}: {off}");
        }
        let squares = SINGLE.squares(500);
        for &x in &squares {
            let root = value(x).sqrt();
            let ulps = root * 2f64.powi(23 - root.log2().floor() as i32);
            let off = (ulps.fract() - 0.5).abs();
            assert!(off < 1e-3, "sqrt {}: {off}", value(x));
        }
        assert_eq!(DOUBLE.squares(100).len(), 100);
        assert_eq!(DOUBLE.quotients(100).len(), 100);
        let [a, b] = SINGLE.by_all_ones()[8].map(|bits| f32::from_bits(bits as u32));
        assert_eq!(b.to_bits() & 0x7f_ffff, 0x7f_ffff);
        assert_eq!(a.to_bits() & 0x7f_ffff, 0);
    }
}
