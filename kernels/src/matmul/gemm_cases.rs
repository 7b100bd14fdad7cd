//! Cases of the matrix products.
//!
//! Position-coded operands are small whole numbers, so that sums are exact and one wrong, missing or
//! doubled term shows in the bits. With normal numbers a sum of k terms rounds k times, the bias once more.

use super::gemm::Tile;
use crate::{pieces::epilogue::Activation, prelude::*};

/// Extents that are one, odd, around a subgroup and around a tile: m, n, k.
const SHAPES: [[u32; 3]; 9] = [
    [1, 1, 1],
    [2, 3, 5],
    [5, 2, 3],
    [31, 33, 48],
    [33, 31, 1],
    [1, 129, 33],
    [127, 1, 20],
    [48, 5, 127],
    [65, 70, 17],
];

/// The bound of a sum of `k` products and a bias under an activation. None of the functions is steeper
/// than 1.13; their own error is 1.5 ULP in f32, and the store rounds.
fn bound(dtype: DType, k: u32, activation: Activation) -> Bound {
    let ulps = match (dtype, activation) {
        (DType::F32, Activation::None | Activation::Relu) => 0.5,
        (DType::F32, Activation::GeluTanh | Activation::GeluErf | Activation::Silu) => 2.5,
        _ => 0.51,
    };
    Bound::Sum { ulps, eps_of: DType::F32, factor: 1.13 * f64::from(k + 2) }
}

fn product(name: String, dtype: DType, [m, n, k]: [u32; 3], trans: u32, p: [Pattern; 2]) -> Case {
    let (trans_a, trans_b) = (trans & 1, trans >> 1);
    let [a, b] = p;
    Case::new(name, dtype)
        .input("a", &if trans_a == 1 { [k, m] } else { [m, k] }, a)
        .input("b", &if trans_b == 1 { [n, k] } else { [k, n] }, b)
        .set("trans_a", trans_a)
        .set("trans_b", trans_b)
}

fn normals(seed: u64) -> [Pattern; 2] {
    [Pattern::normal(seed), Pattern::normal(seed + 1)]
}

const POSITIONS: [Pattern; 2] = [Pattern::Positions, Pattern::Positions];
const LAYOUTS: [&str; 4] = ["nn", "tn", "nt", "tt"];

/// Cases of `gemm`.
pub(super) fn gemm(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for &dtype in REALS {
        for (i, shape) in SHAPES.into_iter().enumerate() {
            // Each transposition in f32; with the 16-bit dtypes one each.
            let all = if dtype == DType::F32 { 0..4 } else { i as u32 % 4..i as u32 % 4 + 1 };
            for trans in all {
                let [m, n, k] = shape;
                let name = format!("positions {m}x{n}x{k} {}", LAYOUTS[trans as usize]);
                cases.push(product(name, dtype, shape, trans, POSITIONS));
            }
        }
        for (i, f) in Activation::ALL.into_iter().enumerate() {
            let name = format!("bias {}", Activation::WORDS[i]);
            cases.push(
                product(name, dtype, [19, 23, 31], i as u32 % 4, normals(20))
                    .input("bias", &[23], Pattern::normal(22))
                    .word("activation", Activation::WORDS[i])
                    .bound(bound(dtype, 31, f)),
            );
        }
        let none = Activation::None;
        let shape = if dtype == DType::F32 { [70, 66, 150] } else { [40, 36, 90] };
        let large = product("normal".into(), dtype, shape, 2, normals(30));
        cases.push(large.bound(bound(dtype, shape[2], none)));
        cases.extend(edges(dtype));
    }
    // Every cut on shapes that it does not fit.
    for tile in 1..=Tile::ALL.len() as u32 {
        for [m, n, k] in [[3, 127, 9], [129, 5, 33], [33, 65, 48]] {
            let name = format!("tile {tile} {m}x{n}x{k}");
            let case = product(name.clone(), DType::F32, [m, n, k], 0, normals(u64::from(m)));
            cases.push(case.set("tile", tile).bound(bound(DType::F32, k, Activation::None)));
            let case = product(format!("{name} positions"), DType::F16, [m, n, k], 3, POSITIONS);
            cases.push(case.set("tile", tile));
        }
    }
    cases
}

/// What is special about sums, memory and numbers.
fn edges(dtype: DType) -> Vec<Case> {
    let mut cases = Vec::new();
    for shape in [[0, 3, 4], [3, 0, 4], [0, 0, 0]] {
        cases.push(product(format!("empty {shape:?}"), dtype, shape, 0, POSITIONS).empty());
    }
    // The sum of nothing is -0.0, and a bias alone stays what it is.
    cases.push(product("k = 0".into(), dtype, [3, 5, 0], 0, POSITIONS));
    cases.push(product("k = 0 with bias".into(), dtype, [3, 5, 0], 0, POSITIONS).input(
        "bias",
        &[5],
        Pattern::Cycle(vec![0.0, -0.0, 1.5, f64::INFINITY, f64::NAN]),
    ));
    // One NaN or infinity reaches its row or column, and no other element.
    let rows = Pattern::Positions.with(&[(7 * 9 + 8, f64::NAN), (0, f64::INFINITY)]);
    let columns = Pattern::Positions.with(&[(8 * 6 + 5, f64::NEG_INFINITY)]);
    cases.push(product("nan and inf".into(), dtype, [8, 6, 9], 0, [rows, columns]));
    // Partial sums leave the range of f16 and come back: the sum is kept in f32.
    let cancel = (0..4096).map(|i| if i < 2048 { 64.0 } else { -64.0 }).chain([3.0]).collect();
    let ones = Pattern::Constant(64.0);
    cases.push(product(
        "wide partial sums".into(),
        dtype,
        [1, 2, 4097],
        0,
        [Pattern::Cycle(cancel), ones],
    ));
    // Rows with gaps from an offset, columns that lie apart, and a row that is used again.
    let gaps = TensorDesc::strided(dtype, &[9, 20], &[23, 1], 5);
    let apart = TensorDesc::strided(dtype, &[20, 7], &[3, 64], 2);
    let again = TensorDesc::strided(dtype, &[9, 20], &[0, 2], 1);
    cases.push(Case::new("gaps", dtype).view("a", gaps.clone(), Pattern::Positions).view(
        "b",
        apart,
        Pattern::Positions,
    ));
    cases.push(
        Case::new("repeated row", dtype)
            .view("a", again, Pattern::Cycle((1..=20).map(f64::from).collect()))
            .view("b", gaps, Pattern::Positions)
            .set("trans_b", 1),
    );
    cases
}

/// Cases of `gemm_batched`.
pub(super) fn gemm_batched(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for &dtype in REALS {
        for trans in 0..4u32 {
            for [batch, m, n, k] in [[1, 1, 1, 1], [3, 5, 7, 9], [5, 17, 3, 33]] {
                let a = if trans & 1 == 1 { [batch, k, m] } else { [batch, m, k] };
                let b = if trans >> 1 == 1 { [batch, n, k] } else { [batch, k, n] };
                cases.push(
                    Case::new(format!("{batch}x{m}x{n}x{k} {}", LAYOUTS[trans as usize]), dtype)
                        .input("a", &a, Pattern::Positions)
                        .input("b", &b, Pattern::Positions)
                        .set("trans_a", trans & 1)
                        .set("trans_b", trans >> 1),
                );
            }
        }
        for shape in [[0, 2, 3], [2, 0, 3]] {
            let [batch, m, k] = shape;
            cases.push(
                Case::new(format!("empty {shape:?}"), dtype)
                    .input("a", &[batch, m, k], Pattern::Positions)
                    .input("b", &[batch, k, 4], Pattern::Positions)
                    .empty(),
            );
        }
        // One matrix for the whole batch, and a batch axis that lies innermost.
        let shared = TensorDesc::strided(dtype, &[4, 6, 5], &[0, 5, 1], 0);
        let inner = TensorDesc::strided(dtype, &[4, 6, 5], &[1, 20, 4], 3);
        let weights = Pattern::Cycle((0..30).map(|i| f64::from(i % 13) - 6.0).collect());
        cases.push(Case::new("shared a", dtype).view("a", shared.clone(), weights.clone()).input(
            "b",
            &[4, 5, 3],
            Pattern::Positions,
        ));
        cases.push(
            Case::new("shared b, batch innermost", dtype)
                .view("a", inner, Pattern::Positions)
                .view("b", shared, weights)
                .set("trans_b", 1)
                .input("bias", &[6], Pattern::Positions)
                .word("activation", "relu"),
        );
    }
    cases
}

/// The products whose speed is measured.
pub(super) fn gemm_bench(_: &Entry) -> Vec<Bench> {
    let n = 512u32;
    let mut all: Vec<Bench> = [DType::F32, DType::F16]
        .map(|dtype| {
            let case = product(format!("{n}x{n}x{n}"), dtype, [n; 3], 0, normals(1));
            Bench {
                case: case.bound(bound(dtype, n, Activation::None)),
                ..costs(dtype, n, Scale::Host)
            }
        })
        .into();
    for dtype in [DType::F16, DType::BF16] {
        all.extend([4096, 8192].map(|n| large(dtype, n)));
    }
    all
}

/// What a product of square matrices moves and computes.
fn costs(dtype: DType, n: u32, scale: Scale) -> Bench {
    let bytes = dtype.bytes_for(3 * u64::from(n).pow(2)).unwrap_or(0);
    let case = Case::new(format!("{n}x{n}x{n}"), dtype);
    Bench { case, bytes, flops: 2 * u64::from(n).pow(3), scale }
}

/// A large product of square matrices, with columns of `b` as rows. Numbers come over and over, and so do rows and columns of the
/// result, since these counts have no divisor in common with `n`.
fn large(dtype: DType, n: u32) -> Bench {
    const LEFT: [f64; 7] = [1.0, -2.0, 3.0, -1.0, 2.0, -3.0, 1.0];
    const RIGHT: [f64; 13] =
        [-6.0, 1.0, 4.0, -3.0, 0.0, 5.0, -1.0, 2.0, -5.0, 6.0, -2.0, 3.0, -4.0];
    let case = |rows: u32, columns: u32| {
        Case::new(format!("{n}x{n}x{n}"), dtype)
            .input("a", &[rows, n], Pattern::Cycle(LEFT.into()))
            .input("b", &[columns, n], Pattern::Cycle(RIGHT.into()))
            .set("trans_b", 1)
    };
    let part = case(LEFT.len() as u32, RIGHT.len() as u32);
    Bench { case: case(n, n).repeats(part), ..costs(dtype, n, Scale::Device) }
}
