//! Division and square roots, as compiled, against correctly rounded ones of the host.

use crate::machine::{Machine, Random, bytes_of, compile};
use evenweave_gfx12::co::CodeObject;

const COUNT: usize = 1 << 20;

const TEXT: &str = "
KERNEL void div_f32(const f32 *a, const f32 *b, f32 *c) { u32 i = INDEX; c[i] = a[i] / b[i]; }
KERNEL void div_f64(const f64 *a, const f64 *b, f64 *c) { u32 i = INDEX; c[i] = a[i] / b[i]; }
KERNEL void div_f16(const f16 *a, const f16 *b, f16 *c) { u32 i = INDEX; c[i] = a[i] / b[i]; }
KERNEL void sqrt_f32(const f32 *a, const f32 *b, f32 *c) { u32 i = INDEX; c[i] = __builtin_elementwise_sqrt(a[i]); }
KERNEL void sqrt_f64(const f64 *a, const f64 *b, f64 *c) { u32 i = INDEX; c[i] = __builtin_elementwise_sqrt(a[i]); }
KERNEL void sqrt_f16(const f16 *a, const f16 *b, f16 *c) { u32 i = INDEX; c[i] = __builtin_elementwise_sqrt(a[i]); }
KERNEL void div_u32(const u32 *a, const u32 *b, u32 *c) { u32 i = INDEX; c[i] = a[i] / b[i]; }
KERNEL void rem_u32(const u32 *a, const u32 *b, u32 *c) { u32 i = INDEX; c[i] = a[i] % b[i]; }
KERNEL void div_i32(const i32 *a, const i32 *b, i32 *c) { u32 i = INDEX; c[i] = a[i] / b[i]; }
KERNEL void rem_i32(const i32 *a, const i32 *b, i32 *c) { u32 i = INDEX; c[i] = a[i] % b[i]; }
KERNEL void div_u64(const u64 *a, const u64 *b, u64 *c) { u32 i = INDEX; c[i] = a[i] / b[i]; }
KERNEL void rem_u64(const u64 *a, const u64 *b, u64 *c) { u32 i = INDEX; c[i] = a[i] % b[i]; }
KERNEL void div_i64(const i64 *a, const i64 *b, i64 *c) { u32 i = INDEX; c[i] = a[i] / b[i]; }
KERNEL void rem_i64(const i64 *a, const i64 *b, i64 *c) { u32 i = INDEX; c[i] = a[i] % b[i]; }
";

/// Runs a kernel of two operands.
fn run<const N: usize>(
    code: &CodeObject,
    kernel: &str,
    perturb: Option<u64>,
    a: &[[u8; N]],
    b: &[[u8; N]],
) -> Vec<[u8; N]> {
    let mut machine = Machine { perturb, ..Machine::new() };
    let (at_a, at_b) = (
        machine.buffer(&bytes_of(a.iter().copied())),
        machine.buffer(&bytes_of(b.iter().copied())),
    );
    let at_c = machine.empty(N * a.len());
    machine.launch(code, kernel, (a.len() / 32) as u32, &[at_a, at_b, at_c]);
    machine
        .read(at_c, N * a.len())
        .chunks_exact(N)
        .map(|c| c.try_into().expect("N bytes"))
        .collect()
}

/// Random bits, of which a third are subnormal and a third near each other, so that quotients are ordinary.
fn patterns(seed: u64, fraction_bits: u32, exponent_bits: u32) -> Vec<u64> {
    let mut random = Random(seed);
    let sign = 1u64 << (fraction_bits + exponent_bits);
    let fraction = (1u64 << fraction_bits) - 1;
    (0..COUNT)
        .map(|i| match i % 3 {
            0 => random.next() & (sign | (sign - 1)),
            1 => random.next() & (sign | fraction),
            _ => {
                let bias = (1u64 << (exponent_bits - 1)) - 1;
                (random.next() & (sign | fraction))
                    | ((bias - 2 + random.below(5)) << fraction_bits)
            }
        })
        .collect()
}

/// Two lists of patterns, the second shuffled so that every kind meets every other.
fn operands(fraction_bits: u32, exponent_bits: u32) -> (Vec<u64>, Vec<u64>) {
    let a = patterns(1, fraction_bits, exponent_bits);
    let mut b = patterns(2, fraction_bits, exponent_bits);
    let mut random = Random(9);
    for i in 0..COUNT {
        b.swap(i, random.below(COUNT as u64) as usize);
    }
    (a, b)
}

#[test]
fn f32_division_and_square_root_are_exact() {
    let code = compile(TEXT);
    let (a, b) = operands(23, 8);
    let value = |x: &u64| f32::from_bits(*x as u32);
    let (wa, wb): (Vec<_>, Vec<_>) = (
        a.iter().map(|x| (*x as u32).to_le_bytes()).collect(),
        b.iter().map(|x| (*x as u32).to_le_bytes()).collect(),
    );
    for perturb in [None, Some(7)] {
        let (div, sqrt) =
            (run(&code, "div_f32", perturb, &wa, &wb), run(&code, "sqrt_f32", perturb, &wa, &wb));
        for i in 0..COUNT {
            same_f32(value(&a[i]) / value(&b[i]), div[i], || {
                format!("{:e} / {:e}, perturb {perturb:?}", value(&a[i]), value(&b[i]))
            });
            same_f32(value(&a[i]).sqrt(), sqrt[i], || {
                format!("sqrt {:e}, perturb {perturb:?}", value(&a[i]))
            });
        }
    }
}

fn same_f32(expected: f32, got: [u8; 4], what: impl Fn() -> String) {
    let got = f32::from_le_bytes(got);
    let same = got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan());
    assert!(
        same,
        "{}: {got:e} ({:#x}), expected {expected:e} ({:#x})",
        what(),
        got.to_bits(),
        expected.to_bits()
    );
}

#[test]
fn f64_division_and_square_root_are_exact() {
    let code = compile(TEXT);
    let (a, b) = operands(52, 11);
    let (wa, wb): (Vec<_>, Vec<_>) =
        (a.iter().map(|x| x.to_le_bytes()).collect(), b.iter().map(|x| x.to_le_bytes()).collect());
    for perturb in [None, Some(7)] {
        let (div, sqrt) =
            (run(&code, "div_f64", perturb, &wa, &wb), run(&code, "sqrt_f64", perturb, &wa, &wb));
        for i in 0..COUNT {
            let (x, y) = (f64::from_bits(a[i]), f64::from_bits(b[i]));
            for (name, expected, got) in [("/", x / y, div[i]), ("sqrt", x.sqrt(), sqrt[i])] {
                let got = f64::from_le_bytes(got);
                let same =
                    got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan());
                assert!(
                    same,
                    "{x:e} {name} {y:e}, perturb {perturb:?}: {got:e}, expected {expected:e}"
                );
            }
        }
    }
}

/// The value of an f16, from its definition.
fn f16_value(h: u16) -> f64 {
    let (exponent, fraction) = (i32::from(h >> 10 & 31), f64::from(h & 1023));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1024.0 + fraction) * 2f64.powi(e - 25),
    };
    if h >> 15 == 1 { -magnitude } else { magnitude }
}

#[test]
fn f16_division_and_square_root_are_exact() {
    let code = compile(TEXT);
    let (a, b) = operands(10, 5);
    let narrow = |x: &[u64]| x.iter().map(|x| (*x as u16).to_le_bytes()).collect::<Vec<_>>();
    let (wa, wb) = (narrow(&a), narrow(&b));
    // A perturbed reciprocal is another matter: clang 19 divides f16 by multiplying with v_rcp_f32 and rounding, which
    // meets ties exactly only where that reciprocal is the nearest one.
    let (div, sqrt) =
        (run(&code, "div_f16", None, &wa, &wb), run(&code, "sqrt_f16", None, &wa, &wb));
    for i in 0..COUNT {
        let (x, y) = (f16_value(a[i] as u16), f16_value(b[i] as u16));
        nearest_f16(x / y, u16::from_le_bytes(div[i]), || format!("{x} / {y}"));
        nearest_f16(x.sqrt(), u16::from_le_bytes(sqrt[i]), || format!("sqrt {x}"));
    }
}

/// Fails unless `got` is the f16 nearest to `exact`, which is a quotient or root in f64: ties cannot hide in its rounding.
pub(crate) fn nearest_f16(exact: f64, got: u16, what: impl Fn() -> String) {
    let value = f16_value(got);
    if exact.is_nan() || value.is_nan() {
        assert!(exact.is_nan() && value.is_nan(), "{}: {value}, expected {exact}", what());
        return;
    }
    assert_eq!(
        exact.is_sign_negative(),
        got >> 15 == 1,
        "{}: the sign of {value}, expected {exact}",
        what()
    );
    // From half a place past the largest value on, all is infinite.
    let overflow = 65520.0;
    if exact.abs() >= overflow || value.is_infinite() {
        assert!(
            value.is_infinite() && exact.abs() >= overflow,
            "{}: {value}, expected {exact}",
            what()
        );
        return;
    }
    let magnitude = got & 0x7fff;
    let (below, above) = (f16_value(magnitude.saturating_sub(1)), f16_value(magnitude + 1));
    let (exact, value) = (exact.abs(), value.abs());
    let above = if above.is_infinite() { 65536.0 } else { above };
    let even = magnitude & 1 == 0;
    let low =
        exact > (below + value) / 2.0 || (even && exact == (below + value) / 2.0) || magnitude == 0;
    let high = exact < (value + above) / 2.0 || (even && exact == (value + above) / 2.0);
    assert!(low && high, "{}: {value}, expected {exact}", what());
}

#[test]
fn integer_division_is_exact() {
    let code = compile(TEXT);
    let mut random = Random(3);
    // Numbers of all lengths.
    let mut number = || random.next() >> random.below(64);
    let a: Vec<u64> = (0..COUNT / 4).map(|_| number()).collect();
    let b: Vec<u64> = (0..COUNT / 4).map(|_| number().max(1)).collect();
    let long = |x: &[u64]| x.iter().map(|x| x.to_le_bytes()).collect::<Vec<_>>();
    let word = |x: &[u64]| x.iter().map(|x| (*x as u32).to_le_bytes()).collect::<Vec<_>>();
    let b32: Vec<u64> = b.iter().map(|&x| if x as u32 == 0 { 3 } else { x }).collect();
    let check = |name: &str, expected: Vec<u64>, got: Vec<u64>| {
        for i in 0..a.len() {
            assert_eq!(expected[i], got[i], "{name} of {:#x} and {:#x}, place {i}", a[i], b[i]);
        }
    };
    for perturb in [None, Some(5)] {
        let long_of = |name: &str, f: fn(u64, u64) -> u64| {
            let got = run(&code, name, perturb, &long(&a), &long(&b))
                .into_iter()
                .map(u64::from_le_bytes)
                .collect();
            check(name, a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect(), got);
        };
        let word_of = |name: &str, f: fn(u32, u32) -> u32| {
            let got = run(&code, name, perturb, &word(&a), &word(&b32));
            let got = got.into_iter().map(|w| u64::from(u32::from_le_bytes(w))).collect();
            check(
                name,
                a.iter().zip(&b32).map(|(&a, &b)| u64::from(f(a as u32, b as u32))).collect(),
                got,
            );
        };
        word_of("div_u32", |a, b| a / b);
        word_of("rem_u32", |a, b| a % b);
        word_of("div_i32", |a, b| (a as i32).wrapping_div(b as i32) as u32);
        word_of("rem_i32", |a, b| (a as i32).wrapping_rem(b as i32) as u32);
        long_of("div_u64", |a, b| a / b);
        long_of("rem_u64", |a, b| a % b);
        long_of("div_i64", |a, b| (a as i64).wrapping_div(b as i64) as u64);
        long_of("rem_i64", |a, b| (a as i64).wrapping_rem(b as i64) as u64);
    }
}
