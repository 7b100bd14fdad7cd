//! The exact sequences of `math::wide` against the definition of the operations that they stand for: all specials
//! against each other, and random operands drawn near each other, near the ends of the range and at hard places.

use evenweave_lang::{
    dtype::DType,
    eval,
    math::wide,
    ops::{BinaryOp, UnaryOp},
    prelude::*,
};
use evenweave_runtime::{Device, LaunchArg, LoadOptions, Memory, OpenOptions, open};

const RANDOM: usize = 1 << 20;

#[kernel(group = 256, grid = n.div_ceil(256))]
fn one<A: Scalar, Y: Scalar, F: Fn(Val<A>) -> Val<Y>>(
    #[len(n)] a: &In<A>,
    #[len(n)] y: &mut Out<Y>,
    n: u32,
    #[comptime] f: F,
) {
    let i = global_id();
    if i < n {
        y[i] = f(a[i]);
    }
}

#[kernel(group = 256, grid = n.div_ceil(256))]
fn two<A: Scalar, F: Fn(Val<A>, Val<A>) -> Val<A>>(
    #[len(n)] a: &In<A>,
    #[len(n)] b: &In<A>,
    #[len(n)] y: &mut Out<A>,
    n: u32,
    #[comptime] f: F,
) {
    let i = global_id();
    if i < n {
        y[i] = f(a[i], b[i]);
    }
}

#[kernel(group = 256, grid = n.div_ceil(256))]
fn three<A: Scalar, F: Fn(Val<A>, Val<A>, Val<A>) -> Val<A>>(
    #[len(n)] a: &In<A>,
    #[len(n)] b: &In<A>,
    #[len(n)] c: &In<A>,
    #[len(n)] y: &mut Out<A>,
    n: u32,
    #[comptime] f: F,
) {
    let i = global_id();
    if i < n {
        y[i] = f(a[i], b[i], c[i]);
    }
}

fn put(cpu: &dyn Device, dtype: DType, words: &[u64]) -> Memory {
    let size = dtype.bits() as usize / 8;
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()[..size].to_vec()).collect();
    let memory = cpu.alloc(dtype, words.len() as u64).unwrap();
    cpu.write(&memory, &bytes).unwrap();
    memory
}

/// What the kernel computes from columns of operands of one dtype.
fn compute(kernel: &Kernel, from: DType, to: DType, columns: &[Vec<u64>]) -> Vec<u64> {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let n = columns[0].len();
    let inputs: Vec<Memory> = columns.iter().map(|c| put(&*cpu, from, c)).collect();
    let out = cpu.alloc(to, n as u64).unwrap();
    let mut args: Vec<LaunchArg> = inputs.iter().map(LaunchArg::Buffer).collect();
    args.push(LaunchArg::Buffer(&out));
    args.push(LaunchArg::Scalar(DType::U32, n as u64));
    let program = cpu.load(kernel, &LoadOptions::default()).unwrap();
    cpu.launch(&program, &args).unwrap();
    let size = to.bits() as usize / 8;
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
    cpu.read(&out).unwrap().chunks(size).map(word).collect()
}

fn hold(name: &str, got: &[u64], columns: &[Vec<u64>], want: impl Fn(&[u64]) -> u64) {
    let mut wrong = 0;
    for (i, &got) in got.iter().enumerate() {
        let x: Vec<u64> = columns.iter().map(|c| c[i]).collect();
        let want = want(&x);
        if got != want {
            wrong += 1;
            if wrong <= 4 {
                eprintln!("{name} of {x:x?}: {got:#x} for {want:#x}");
            }
        }
    }
    assert_eq!(wrong, 0, "{name}: {wrong} of {} differ", got.len());
}

/// A generator of words (splitmix64).
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// A significand: random, or few bits at either end, or all ones but the last few.
    fn significand(&mut self) -> u64 {
        let mask = (1 << 52) - 1;
        match self.below(5) {
            0 => self.next() & 7,
            1 => mask - (self.next() & 7),
            2 => (self.next() & mask) & (u64::MAX << self.below(53)) & mask,
            _ => self.next() & mask,
        }
    }

    /// A double with an exponent field near `near`, of either sign.
    fn double(&mut self, near: u64, spread: u64) -> u64 {
        let field = (near + self.below(2 * spread + 1)).saturating_sub(spread).min(2047);
        let significand = self.significand();
        let significand = if field == 2047 && self.below(2) == 0 { 0 } else { significand };
        (self.next() & 1 << 63) | field << 52 | significand
    }

    /// An exponent field: anywhere, or where doubles become integers, or near an end of a format.
    fn field(&mut self) -> u64 {
        let places =
            [0, 1, 500, 871, 896, 998, 1008, 1022, 1023, 1038, 1054, 1075, 1086, 1150, 1500];
        match self.below(4) {
            0 => self.below(2048),
            1 => 2046 - self.below(3),
            _ => places[self.below(places.len() as u64) as usize],
        }
    }

    /// A word with a random number of leading and trailing zeros or ones.
    fn ragged(&mut self) -> u64 {
        let x = self.next() >> self.below(64) & u64::MAX << self.below(64);
        let x = if self.below(4) == 0 { x.wrapping_sub(self.below(3)) } else { x };
        if self.below(2) == 0 { x } else { x.wrapping_neg() }
    }
}

/// Zeros, ends of the subnormals and normals, ones, ties of every rounding, limits of integers, NaNs.
fn specials() -> Vec<u64> {
    let numbers = [
        0.0,
        f64::from_bits(1),
        f64::from_bits(2),
        f64::from_bits(3),
        f64::from_bits((1 << 52) - 1),
        f64::MIN_POSITIVE,
        f64::from_bits((1 << 52) + 1),
        f64::from_bits((1 << 53) + 1),
        2f64.powi(-538),
        2f64.powi(-537) * (1.0 + f64::EPSILON),
        0.25,
        0.5 - f64::EPSILON / 4.0,
        0.5,
        0.5 + f64::EPSILON / 2.0,
        1.0 - f64::EPSILON / 2.0,
        1.0,
        1.0 + f64::EPSILON,
        1.5,
        2.0 - f64::EPSILON,
        2.5,
        3.0,
        255.5,
        65504.0,
        65519.999,
        65520.0,
        2f64.powi(24) + 1.0,
        2f64.powi(31) - 0.5,
        2f64.powi(31),
        2f64.powi(32) - 1.0,
        2f64.powi(32),
        2f64.powi(52) - 0.5,
        2f64.powi(52) + 1.0,
        2f64.powi(53) - 1.0,
        2f64.powi(63) - 1024.0,
        2f64.powi(63),
        2f64.powi(64) - 2048.0,
        2f64.powi(64),
        f64::from(f32::MIN_POSITIVE),
        f64::from(f32::from_bits(1)) * 0.5,
        f64::from(f32::from_bits(3)) * 0.5,
        f64::from(f32::from_bits(1)) * 0.5 * (1.0 + f64::EPSILON),
        f64::from(f32::MAX),
        f64::from(f32::MAX) + 2f64.powi(103),
        f64::from(f32::MAX) + 2f64.powi(103) * (1.0 - f64::EPSILON),
        2f64.powi(-24),
        2f64.powi(-25),
        2f64.powi(-25) * (1.0 + f64::EPSILON),
        2f64.powi(-14) - 2f64.powi(-26),
        2f64.powi(512),
        2f64.powi(1023),
        f64::MAX / 2.0,
        f64::MAX,
        f64::INFINITY,
    ];
    let mut bits: Vec<u64> = numbers.iter().flat_map(|x| [x.to_bits(), (-x).to_bits()]).collect();
    bits.extend([0x7ff0_0000_0000_0001, 0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0000, u64::MAX]);
    bits
}

/// Doubles one by one: the specials, random ones at hard places, and random bits.
fn singles() -> Vec<u64> {
    let mut words = Words(1);
    let mut all = specials();
    for _ in 0..RANDOM {
        let near = words.field();
        all.push(if words.below(8) == 0 { words.next() } else { words.double(near, 2) });
    }
    all
}

/// Pairs of doubles: the specials with each other, random ones with exponents near each other, and far apart.
fn pairs() -> [Vec<u64>; 2] {
    let mut words = Words(2);
    let mut all: [Vec<u64>; 2] = Default::default();
    let mut push = |a, b| {
        all[0].push(a);
        all[1].push(b);
    };
    for a in specials() {
        for b in specials() {
            push(a, b);
        }
    }
    for _ in 0..RANDOM {
        let (near, other) = (words.field(), words.field());
        let a = words.double(near, 2);
        let b = match words.below(4) {
            0 => words.double(other, 4),
            1 => a ^ (words.next() & 0x8000_0000_0000_0007),
            // Quotients near the ends of the range.
            2 => words.double((near + 2045).saturating_sub(1022).min(2046), 60),
            _ => words.double(near, 60),
        };
        push(a, b);
    }
    all
}

/// Triples for `a * b + c`: the specials with each other; random ones with `c` at any distance from the product,
/// and within a few units of its rounding; products at both ends of the range.
fn triples() -> [Vec<u64>; 3] {
    let mut words = Words(3);
    let mut all: [Vec<u64>; 3] = Default::default();
    let mut push = |a, b, c| {
        all[0].push(a);
        all[1].push(b);
        all[2].push(c);
    };
    for a in specials() {
        for b in specials() {
            for c in specials() {
                push(a, b, c);
            }
        }
    }
    for _ in 0..2 * RANDOM {
        let near = words.field();
        let a = words.double(near, 2);
        let target = words.field();
        let b = words.double((target + 1023).saturating_sub(near).min(2046), 2);
        let product = f64::from_bits(a) * f64::from_bits(b);
        let field = product.to_bits() >> 52 & 0x7ff;
        let c = match words.below(5) {
            // Cancellation to the last bits of the product.
            0 => (-product).to_bits().wrapping_add(words.below(5)).wrapping_sub(2),
            // Ties and what is just beside them.
            1 => words.double(field.saturating_sub(53), 2),
            2 => words.double(field + 53, 2),
            3 => words.double(field, 130),
            _ => words.double(target, 4),
        };
        push(a, b, c);
    }
    all
}

fn integers() -> Vec<u64> {
    let mut words = Words(4);
    let mut all: Vec<u64> = (0..64).flat_map(|k| [1u64 << k, (1 << k) - 1, !(1 << k)]).collect();
    all.extend((0..64).map(|k| (3u64 << k).wrapping_add(1)));
    for _ in 0..RANDOM {
        let x = words.ragged();
        all.push(if words.below(4) == 0 { words.next() } else { x });
    }
    all
}

/// Integers around every tie of a float with so many bits.
fn ties(bits: u32) -> Vec<u64> {
    let mut words = Words(u64::from(bits));
    let mut all = integers();
    for _ in 0..RANDOM / 4 {
        let code = (words.next() >> (64 - bits)) | 1 << (bits - 1);
        let up = words.below(u64::from(65 - bits)) as u32;
        let x = code << up;
        let half = if up == 0 { 0 } else { 1 << (up - 1) };
        let near = (x + half).wrapping_add(words.below(3)).wrapping_sub(1);
        all.push(if words.below(2) == 0 { near } else { near.wrapping_neg() });
    }
    all
}

fn doubles(name: &str, kernel: Kernel, op: UnaryOp) {
    let columns = [singles()];
    let got = compute(&kernel, DType::F64, DType::F64, &columns);
    hold(name, &got, &columns, |x| eval::unary(op, DType::F64, x[0]).unwrap());
}

fn of_two(name: &str, kernel: Kernel, op: BinaryOp) {
    let columns = pairs();
    let got = compute(&kernel, DType::F64, DType::F64, &columns);
    hold(name, &got, &columns, |x| eval::binary(op, DType::F64, x[0], x[1]).unwrap());
}

#[test]
fn fused_multiply_and_add_rounds_once() {
    let columns = triples();
    let got = compute(&three(wide::fma).unwrap(), DType::F64, DType::F64, &columns);
    hold("fma", &got, &columns, |x| {
        let [a, b, c] = [x[0], x[1], x[2]].map(f64::from_bits);
        eval::canonical(DType::F64, a.mul_add(b, c).to_bits())
    });
}

#[test]
fn quotients_and_roots_are_correctly_rounded() {
    of_two("div", two(wide::div).unwrap(), BinaryOp::Div);
    doubles("recip", one(wide::recip).unwrap(), UnaryOp::Recip);
    doubles("sqrt", one(wide::sqrt).unwrap(), UnaryOp::Sqrt);
    doubles("rsqrt", one(wide::rsqrt).unwrap(), UnaryOp::Rsqrt);
    let native = |x: Val<f64>| wide::rsqrt_from(x, val(1.0f64) / sqrt(x));
    doubles("rsqrt_from", one(native).unwrap(), UnaryOp::Rsqrt);
}

#[test]
fn a_reciprocal_root_is_found_from_two_units_away() {
    for by in [-2i64, -1, 0, 1, 2] {
        // The correct result moved: positive normal numbers only.
        let near = |x: Val<f64>| wide::rsqrt_from(x, from_bits::<f64>(bits(rsqrt(x)) + by as u64));
        doubles("rsqrt_from", one(near).unwrap(), UnaryOp::Rsqrt);
    }
}

#[test]
fn remainders_are_exact() {
    of_two("rem", two(wide::rem).unwrap(), BinaryOp::Rem);
}

#[test]
fn roundings_to_integral_values_are_exact() {
    doubles("floor", one(wide::floor).unwrap(), UnaryOp::Floor);
    doubles("ceil", one(wide::ceil).unwrap(), UnaryOp::Ceil);
    doubles("trunc", one(wide::trunc).unwrap(), UnaryOp::Trunc);
    doubles("round_even", one(wide::round_even).unwrap(), UnaryOp::RoundEven);
}

fn cast<A: Scalar, Y: Scalar>(f: fn(Val<A>) -> Val<Y>, inputs: Vec<u64>) {
    let (from, to) = (A::DTYPE, Y::DTYPE);
    let mask = u64::MAX >> (64 - from.bits());
    let columns = [inputs.into_iter().map(|x| x & mask).collect::<Vec<u64>>()];
    let got = compute(&one(f).unwrap(), from, to, &columns);
    hold(&format!("{from} as {to}"), &got, &columns, |x| eval::cast(from, to, x[0]).unwrap());
}

#[test]
fn doubles_narrow_with_one_rounding() {
    cast(wide::f64_to_f32, singles());
    cast(wide::f64_to_f16, singles());
    cast(wide::f64_to_bf16, singles());
}

#[test]
fn floats_become_integers_as_eval_says() {
    cast(wide::f64_to_i32, singles());
    cast(wide::f64_to_u32, singles());
    cast(wide::f64_to_i64, singles());
    cast(wide::f64_to_u64, singles());
    let floats: Vec<u64> = singles()
        .into_iter()
        .map(|x| u64::from((f64::from_bits(x) as f32).to_bits()))
        .chain((0..RANDOM as u64).map(|i| i.wrapping_mul(0x9e37_79b9) & 0xffff_ffff))
        .collect();
    cast(wide::f32_to_i64, floats.clone());
    cast(wide::f32_to_u64, floats);
}

#[test]
fn integers_become_floats_with_one_rounding() {
    cast(wide::i32_to_f64, integers());
    cast(wide::u32_to_f64, integers());
    cast(wide::i64_to_f64, ties(53));
    cast(wide::u64_to_f64, ties(53));
    cast(wide::i64_to_f32, ties(24));
    cast(wide::u64_to_f32, ties(24));
    cast(wide::i64_to_f16, ties(11));
    cast(wide::u64_to_f16, ties(11));
    cast(wide::i64_to_bf16, ties(8));
    cast(wide::u64_to_bf16, ties(8));
}

#[test]
fn integer_rows_hold_in_halves() {
    let mut words = Words(5);
    let a = integers();
    let b: Vec<u64> = a.iter().map(|_| words.ragged()).collect();
    let columns = [a.clone(), b];
    let got = compute(&two(wide::mul_high_u64).unwrap(), DType::U64, DType::U64, &columns);
    hold("mul_high", &got, &columns, |x| ((u128::from(x[0]) * u128::from(x[1])) >> 64) as u64);
    let got = compute(&two(wide::mul_high_i64).unwrap(), DType::I64, DType::I64, &columns);
    hold("mul_high", &got, &columns, |x| {
        ((i128::from(x[0] as i64) * i128::from(x[1] as i64)) >> 64) as u64
    });
}
