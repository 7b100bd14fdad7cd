//! Cases of affine quantisation.

use super::{
    format::{Code, Scheme, row_words},
    weights::{product_bound, random_codes},
};
use crate::prelude::*;

const BITS: [u32; 6] = [2, 3, 4, 5, 6, 8];

/// Cases of `quantize_affine`: codes, scales and biases are exact by definition.
pub(super) fn quantize(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for &dtype in REALS {
        for (i, bits) in BITS.into_iter().enumerate() {
            let case = |name: &str, shape: &[u32], p: Pattern| {
                Case::new(format!("{name}, {bits} bits"), dtype)
                    .input("w", shape, p)
                    .set("bits", bits)
            };
            let block = [32, 64, 128][i % 3];
            cases.push(case("normal", &[5, 256], Pattern::normal(i as u64)).set("block", block));
            cases
                .push(case("ragged", &[3, 77], Pattern::normal(40 + i as u64)).set("block", block));
            // Codes from the least to the greatest, and back: each is its own number.
            let top = (1 << bits) - 1;
            let all = (0..=top).chain((0..top).rev()).map(f64::from).collect();
            let wide = if bits == 8 { 1024 } else { 64 };
            cases.push(case("every code", &[2, wide], Pattern::Cycle(all)).set("block", 128));
        }
        let case =
            |name: &str, shape: &[u32], p: Pattern| Case::new(name, dtype).input("w", shape, p);
        cases.push(case("one", &[1, 1], Pattern::Constant(-2.5)));
        // No spread: the scale is 1 and every code 0.
        cases.push(case("constant", &[2, 70], Pattern::Constant(0.375)).set("block", 32));
        let holes = Pattern::normal(7).with(&[
            (3, f64::NAN),
            (40, f64::INFINITY),
            (110, f64::NEG_INFINITY),
        ]);
        cases.push(case("nan and inf", &[2, 96], holes).set("block", 32));
        let zeros = Pattern::Cycle(vec![0.0, -0.0, 0.0, 1.0]);
        cases.push(case("zeros", &[1, 64], zeros).set("bits", 3));
        cases.push(case("no rows", &[0, 64], Pattern::normal(1)).empty());
        cases.push(case("no columns", &[4, 0], Pattern::normal(1)).empty());
        let gaps = TensorDesc::strided(dtype, &[4, 40], &[1, 5], 2);
        cases.push(
            Case::new("transposed", dtype).view("w", gaps, Pattern::normal(8)).set("bits", 5),
        );
    }
    cases
}

fn packed(name: String, dtype: DType, bits: u32, block: u32, n: u32, k: u32) -> Case {
    let codes = random_codes(Code::Uint(bits), n, k, u64::from(bits + k));
    Case::new(name, dtype)
        .input_as("codes", DType::U32, &[n, row_words(k, bits)], codes)
        .set("bits", bits)
        .set("block", block)
}

/// Cases of `dequantize_affine`. One rounding in f32 and one in the store: correct rounding in f32.
pub(super) fn dequantize(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for &dtype in REALS {
        for (i, bits) in BITS.into_iter().enumerate() {
            for (n, k, block) in [(3, 256, 64), (5, 77, [32, 64, 128][i % 3])] {
                let blocks = [n, u32::div_ceil(k, block)];
                cases.push(
                    packed(format!("{bits} bits, {n}x{k}"), dtype, bits, block, n, k)
                        .input("scales", &blocks, Pattern::uniform(1, 0.01, 0.3))
                        .input("biases", &blocks, Pattern::normal(2))
                        .set("k", k)
                        .bound(Ulp(0.51)),
                );
            }
        }
        let blocks = [2, 2];
        let case = |name: &str| packed(name.into(), dtype, 4, 32, 2, 33).set("k", 33);
        // Small whole numbers: every step is exact.
        cases.push(case("positions").input("scales", &blocks, Pattern::Positions).input(
            "biases",
            &blocks,
            Pattern::Positions,
        ));
        cases.push(
            case("nan and inf")
                .input("scales", &blocks, Pattern::Cycle(vec![f64::NAN, 1.0, f64::INFINITY, 0.0]))
                .input("biases", &blocks, Pattern::Cycle(vec![1.0, f64::INFINITY, 2.0, f64::NAN])),
        );
        // Rows of a table, one of them twice.
        cases.push(
            packed("gathered".into(), dtype, 3, 32, 6, 45)
                .input("scales", &[6, 2], Pattern::Cycle(vec![1.0, 2.0, 4.0]))
                .input("biases", &[6, 2], Pattern::Positions)
                .input_as("index", DType::U32, &[4], Pattern::CycleInt(vec![5, 0, 3, 3]))
                .set("k", 45),
        );
        for (n, k) in [(0, 64), (3, 0)] {
            let blocks = [n, u32::div_ceil(k, 64)];
            cases.push(
                packed(format!("empty {n}x{k}"), dtype, 3, 64, n, k)
                    .input("scales", &blocks, Pattern::normal(1))
                    .input("biases", &blocks, Pattern::normal(1))
                    .set("k", k)
                    .empty(),
            );
        }
    }
    cases
}

fn product(dtype: DType, bits: u32, block: u32, [n, k]: [u32; 2], p: [Pattern; 2]) -> Case {
    let blocks = [n, k.div_ceil(block)];
    let [scales, biases] = p;
    packed(format!("{bits} bits, {n}x{k}, block {block}"), dtype, bits, block, n, k)
        .input("scales", &blocks, scales)
        .input("biases", &blocks, biases)
}

/// Cases of `gemv_affine`.
pub(super) fn gemv(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for &dtype in REALS {
        for bits in BITS {
            for (block, n, k) in [(64, 9, 256), (32, 3, 77), (128, 2, 1100)] {
                // Small whole numbers, so that sums are exact.
                let p = [Pattern::Cycle(vec![1.0, 2.0, 4.0]), Pattern::Positions];
                let case = product(dtype, bits, block, [n, k], p);
                cases.push(case.input("x", &[k], Pattern::Positions));
            }
            let scheme = Scheme { code: Code::Uint(bits), block: 64, bias: true, global: false };
            let p = [Pattern::uniform(3, 0.01, 0.3), Pattern::normal(4)];
            cases.push(
                product(dtype, bits, 64, [5, 320], p)
                    .input("x", &[3, 320], Pattern::normal(5))
                    .bound(product_bound(scheme, 320)),
            );
        }
        let p = || [Pattern::Positions, Pattern::Positions];
        let one = product(dtype, 4, 64, [1, 1], p());
        cases.push(one.input("x", &[1, 1], Pattern::Positions));
        // Three stacked matrices of three rows.
        let stacked = product(dtype, 4, 32, [9, 100], p()).set("experts", 3);
        cases.push(
            stacked
                .input_as("expert", DType::U32, &[5], Pattern::CycleInt(vec![2, 0, 1, 1, 2]))
                .input("x", &[5, 100], Pattern::Positions),
        );
        // The sum of nothing is -0.0.
        cases.push(product(dtype, 4, 64, [3, 0], p()).input("x", &[2, 0], Pattern::Positions));
        for (n, m) in [(0, 2), (3, 0)] {
            let case = product(dtype, 4, 64, [n, 64], p());
            cases.push(case.input("x", &[m, 64], Pattern::Positions).empty());
        }
        let x = Pattern::Positions.with(&[(40, f64::NAN), (65, f64::INFINITY)]);
        let nan = product(dtype, 4, 64, [2, 50], p());
        cases.push(nan.input("x", &[3, 50], x));
    }
    cases
}

/// The product whose speed is measured.
pub(super) fn gemv_bench(_: &Entry) -> Vec<Bench> {
    let (n, k) = (2048, 2048);
    let scheme = Scheme { code: Code::Uint(4), block: 64, bias: true, global: false };
    let p = [Pattern::uniform(3, 0.01, 0.3), Pattern::normal(4)];
    let case = product(DType::F16, 4, 64, [n, k], p)
        .input("x", &[k], Pattern::normal(5))
        .bound(product_bound(scheme, k));
    let weights = u64::from(n) * u64::from(k);
    vec![Bench { case, bytes: weights / 2 + weights / 16, flops: 2 * weights, scale: Scale::Host }]
}
