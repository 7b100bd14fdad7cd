//! Cases of the products of 2:4 matrices.
//!
//! Operands are small whole numbers, so that sums are exact and one wrong, missing or doubled term shows in the bits,
//! but for a few of any size. Kept places are all sets of up to two of four, at each group of each row.

use super::{
    generators::{self, Given, Outcome},
    group::DTYPES,
    image::{compress, cycle, matrix, number, pattern, places},
};
use crate::prelude::*;

/// A 2:4 matrix of [m, k] and a dense one of [k, n].
#[derive(Clone)]
struct Product {
    name: String,
    a: DType,
    b: DType,
    size: [usize; 3],
    left: Vec<f64>,
    right: Pattern,
}

impl Product {
    fn case(self) -> Case {
        let [m, n, k] = self.size.map(|e| e as u32);
        let (values, index) = compress(&self.left, self.size[2]);
        Case::new(self.name, self.a)
            .input("values", &[m, k / 2], pattern(values))
            .input_as("index", DType::U16, &[m, k.div_ceil(16)], pattern(index))
            .input_as("b", self.b, &[k, n], self.right)
    }
}

/// Every set of kept places against numbers that differ along k and n.
fn cycled(name: &str, [a, b]: [DType; 2], size: [usize; 3]) -> Product {
    let [m, n, k] = size;
    let name = format!("{name} {b} {m}x{n}x{k}");
    Product { name, a, b, size, left: cycle(a, m, k), right: dense(b, n, k) }
}

/// `b[k][n] = (5 k + 3 n) mod 16`, less 8 where there is a sign.
fn dense(dtype: DType, n: usize, k: usize) -> Pattern {
    let least = if dtype == DType::U4 { 0.0 } else { 8.0 };
    let at = |i: usize| ((5 * (i / n) + 3 * (i % n)) % 16) as f64 - least;
    pattern((0..n * k).map(at).collect())
}

/// The dtypes of operands that go together.
fn pairs() -> Vec<[DType; 2]> {
    let mut all: Vec<_> = DTYPES.iter().map(|&dtype| [dtype; 2]).collect();
    let f8 = [DType::F8E4M3, DType::F8E5M2];
    all.extend([f8, [f8[1], f8[0]], [DType::I4, DType::U4], [DType::U4, DType::I4]]);
    all.extend([[DType::I4, DType::I8], [DType::U4, DType::I8]]);
    all
}

/// m, n, k: one, odd, around a subgroup, a tile and a word of the index, and several words.
#[rustfmt::skip]
const SIZES: [[usize; 3]; 9] = [
    [1, 1, 4], [11, 16, 44], [17, 33, 28], [16, 15, 64], [33, 17, 132],
    [5, 3, 100], [1, 129, 36], [130, 1, 68], [9, 20, 256],
];

/// Cases of `gemm_sparse24`.
pub(super) fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for pair in pairs() {
        all.extend(SIZES.map(|size| cycled("cycle", pair, size).case()));
        let [a, b] = pair;
        for case in 0..11 {
            let left = matrix(4, 32, |_, _| case, |r, g, p| number(a, r, g, p));
            let of = |n| Product {
                name: format!("set {case} {b} n {n}"),
                a,
                b,
                size: [4, n, 32],
                left: left.clone(),
                right: dense(b, n, 32),
            };
            all.extend([of(5).case(), of(18).case()]);
        }
        all.extend(halves(pair));
    }
    for &dtype in DTYPES {
        all.extend(generated([dtype; 2]));
        all.extend(one_hot(dtype));
        all.extend(layouts(dtype));
        all.extend(epilogues(dtype));
        if dtype.is_float() {
            all.extend(floats(dtype));
        } else {
            all.extend(extremes(dtype));
        }
    }
    all.extend(matrices());
    for shape in [[0, 3, 8], [3, 0, 8], [0, 0, 0]] {
        let none = cycled("empty", [DType::F16; 2], shape);
        all.push(none.case().empty());
    }
    for dtype in [DType::F32, DType::I8] {
        let y = if dtype == DType::I8 { DType::I32 } else { dtype };
        let nothing = cycled("k 0", [dtype; 2], [3, 18, 0]).case();
        all.push(nothing.input_as("c", y, &[3, 18], Pattern::Positions));
        let few = cycled("k 0", [dtype; 2], [3, 2, 0]).case();
        all.push(few);
    }
    all
}

/// The inputs that a wrong product does not survive, but for those that have none, against their exact sums.
fn generated([a, b]: [DType; 2]) -> Vec<Case> {
    let one = |given: Given| {
        let [m, n, k] = given.shape;
        if k % 4 != 0 || matches!(given.outcome, Outcome::Refused { .. }) {
            return None;
        }
        let (name, right) = (format!("given {} {b}", given.name), pattern(given.b));
        let case = Product { name, a, b, size: given.shape, left: given.a, right }.case();
        let y = if a.is_float() { DType::F32 } else { DType::I32 };
        let case = case.word("out", y.name());
        Some(match given.c.is_empty() {
            true => case,
            false => case.input_as("c", y, &[m as u32, n as u32], Pattern::Cycle(given.c)),
        })
    };
    let mut all: Vec<Case> = Vec::new();
    // A name that comes again gets its number.
    for (i, mut case) in
        generators::all([a, b], [17, 18, 64]).into_iter().filter_map(one).enumerate()
    {
        if all.iter().any(|before| before.name == case.name) {
            case.name = format!("{}.{i}", case.name);
        }
        all.push(case);
    }
    all
}

/// Only the first half of k has numbers, or only the second: halves of a matrix operation come from other lanes.
fn halves(pair: [DType; 2]) -> [Case; 2] {
    [0, 1].map(|half| {
        let mut of = cycled(["first half", "second half"][half], pair, [18, 19, 128]);
        for (at, x) in of.left.iter_mut().enumerate() {
            if at % 128 / 64 != half {
                *x = 0.0;
            }
        }
        of.case()
    })
}

/// A single number whose place `b` tells: the row is `k + 1`, its bits in the columns where a dtype has too few.
fn one_hot(dtype: DType) -> Vec<Case> {
    let (n, k) = (20, 64);
    let counts = !matches!(dtype, DType::I4 | DType::U4 | DType::F8E4M3 | DType::F8E5M2);
    let right: Vec<f64> = (0..n * k)
        .map(|i| (i / n + 1, i % n))
        .map(|(row, col)| if counts { row as f64 } else { (row >> (col % 7) & 1) as f64 })
        .collect();
    let of = |name: &str, left: Vec<f64>| {
        let (name, right) = (name.to_string(), Pattern::Cycle(right.clone()));
        Product { name, a: dtype, b: dtype, size: [64, n, k], left, right }.case()
    };
    let single = (0..64 * 64).map(|i| f64::from(u8::from(i / 64 == i % 64))).collect();
    // Two survivors of different weight: swapped ones show.
    let second = match dtype {
        DType::I4 => -8.0,
        DType::U4 => 15.0,
        _ => 16.0,
    };
    let set = |r: usize, g: usize| (r + g) % 6;
    let weight = |r, g, p| if places(set(r, g))[0] == p { 1.0 } else { second };
    let both = matrix(64, k, set, weight);
    vec![of("one hot", single), of("two hot", both)]
}

/// Transpositions, views, batches and cuts.
fn layouts(dtype: DType) -> Vec<Case> {
    let mut all = Vec::new();
    let pair = [dtype; 2];
    for (m, n, k) in [(21, 18, 48), (21, 6, 52)] {
        let right = |case: Case| {
            let p = dense(dtype, k, n);
            case.input("b", &[n as u32, k as u32], p).set("trans_b", 1)
        };
        all.push(right(cycled("b transposed", pair, [m, n, k]).case()));
        all.push(cycled("y transposed", pair, [m, n, k]).case().set("trans_y", 1));
        let apart = TensorDesc::strided(dtype, &[k as u32, n as u32], &[3, 170], 2);
        let case = cycled("b apart", pair, [m, n, k]).case();
        all.push(case.view("b", apart, dense(dtype, n, k)));
        let again = TensorDesc::strided(dtype, &[k as u32, n as u32], &[1, 0], 1);
        let one = (0..n * k).map(|i| (i / n % 5) as f64).collect();
        let case = cycled("b repeated", pair, [m, n, k]).case();
        all.push(case.view("b", again, Pattern::Cycle(one)));
    }
    for tile in 1..=super::product::TILES.len() {
        for size in [[3, 127, 20], [129, 5, 64], [33, 65, 48]] {
            all.push(cycled(&format!("tile {tile}"), pair, size).case().set("tile", tile as i64));
        }
    }
    let (m, n, k) = (7u32, 18u32, 36u32);
    let (values, index) = compress(&cycle(dtype, 3 * m as usize, k as usize), k as usize);
    for (name, a_batch, b_batch) in [("both", true, true), ("a", true, false), ("b", false, true)] {
        for n in [n, 3] {
            let shape = |batched: bool, shape: [u32; 2]| match batched {
                true => [&[3], &shape[..]].concat(),
                false => shape.into(),
            };
            let words = [m, k.div_ceil(16)];
            all.push(
                Case::new(format!("batch of {name} n {n}"), dtype)
                    .input("values", &shape(a_batch, [m, k / 2]), Pattern::Cycle(values.clone()))
                    .input_as(
                        "index",
                        DType::U16,
                        &shape(a_batch, words),
                        Pattern::Cycle(index.clone()),
                    )
                    .input("b", &shape(b_batch, [k, n]), dense(dtype, n as usize, 3 * k as usize)),
            );
        }
    }
    all
}

/// The dtype of results that a product of a dtype has without a wish.
fn natural(dtype: DType) -> DType {
    match dtype {
        DType::F32 | DType::F16 | DType::BF16 => dtype,
        _ if dtype.is_float() => DType::F32,
        _ => DType::I32,
    }
}

/// c, bias and scale, each dtype of the result.
fn epilogues(dtype: DType) -> Vec<Case> {
    let mut all = Vec::new();
    let of = |name: &str, n: usize| cycled(name, [dtype; 2], [19, n, 48]).case();
    for n in [21, 7] {
        let y = natural(dtype);
        let width = n as u32;
        all.push(of("c", n).input_as("c", y, &[19, width], Pattern::Positions));
        let flipped = TensorDesc::strided(y, &[width, 19], &[40, 2], 3);
        all.push(of("c flipped", n).view("c", flipped, Pattern::Positions).set("trans_y", 1));
        let wide = if y == DType::I32 { y } else { DType::F32 };
        all.push(of("bias", n).input_as("bias", wide, &[19], Pattern::Positions));
        for out in [DType::F32, DType::F16, DType::BF16] {
            // Powers of two keep sums exact.
            let each = Pattern::Cycle(vec![0.5, -2.0, 0.25, 1.0, 4.0]);
            let case = of(&format!("all in {out}"), n).word("out", out.name());
            all.push(
                case.input_as("c", out, &[19, width], Pattern::Positions)
                    .input_as("bias", DType::F32, &[19], Pattern::Positions)
                    .input_as("scale", DType::F32, &[19], each),
            );
            let case = of(&format!("one scale in {out}"), n).word("out", out.name());
            all.push(case.input_as("scale", DType::F32, &[1], Pattern::Constant(-0.25)));
        }
    }
    all
}

/// Products of small matrices, which take other paths through the same numbers.
fn matrices() -> Vec<Case> {
    let mut all = Vec::new();
    for dtype in [DType::I8, DType::F16, DType::BF16] {
        for path in ["quads", "halves"] {
            let on = |case: Case| {
                let name = format!("{path} {}", case.name);
                Case { name: Case::new(name, dtype).name, ..case }.word("path", path)
            };
            all.extend(SIZES.map(|size| on(cycled("cycle", [dtype; 2], size).case())));
            all.extend(halves([dtype; 2]).map(on));
            all.extend(generated([dtype; 2]).into_iter().map(on));
            all.extend(one_hot(dtype).into_iter().map(on));
            for case in 0..11 {
                let left = matrix(16, 64, |_, _| case, |r, g, p| number(dtype, r, g, p));
                let (name, right) = (format!("set {case}"), dense(dtype, 8, 64));
                let of = Product { name, a: dtype, b: dtype, size: [16, 8, 64], left, right };
                all.push(on(of.case()));
            }
            // Where a device lacks the products, the largest cut is a long sequence: of halves one dtype has to do.
            let most = if dtype == DType::I8 || path == "quads" { 3 } else { 2 };
            for tile in 1..=most {
                let of = cycled(&format!("tile {tile}"), [dtype; 2], [70, 140, 84]);
                all.push(on(of.case().set("tile", tile)));
            }
            // Columns as rows: without gaps, with gaps, and one of a batch for all.
            for (name, k, stride) in [("rows", 96, 96), ("gaps", 72, 80)] {
                let of = cycled(name, [dtype; 2], [18, 11, k]);
                let (n, k) = (11, k as u32);
                let view = TensorDesc::strided(dtype, &[n, k], &[stride, 1], 0);
                let right = dense(dtype, k as usize, n as usize);
                all.push(on(of.case().view("b", view, right).set("trans_b", 1)));
            }
            let (values, index) = compress(&cycle(dtype, 3 * 18, 40), 40);
            let batch = Case::new("batch", dtype)
                .input("values", &[3, 18, 20], Pattern::Cycle(values))
                .input_as("index", DType::U16, &[3, 18, 3], Pattern::Cycle(index));
            let each = dense(dtype, 40, 3 * 9);
            let each = batch.clone().input("b", &[3, 9, 40], each).set("trans_b", 1);
            let shared = batch.input("b", &[40, 9], dense(dtype, 9, 40));
            all.push(on(Case { name: "batch-of-both".into(), ..each }));
            all.push(on(Case { name: "batch-of-a".into(), ..shared }));
            let (y, wide) = (natural(dtype), natural(dtype));
            let wide = if wide == DType::I32 { wide } else { DType::F32 };
            let more = cycled("c and bias", [dtype; 2], [19, 21, 48]).case();
            let more = more.input_as("c", y, &[21, 19], Pattern::Positions).set("trans_y", 1);
            all.push(on(more.input_as("bias", wide, &[19], Pattern::Positions)));
            let each = Pattern::Cycle(vec![0.5, -2.0, 0.25, 1.0, 4.0]);
            let scaled = cycled("scaled", [dtype; 2], [19, 21, 48]).case().word("out", "f32");
            all.push(on(scaled.input_as("scale", DType::F32, &[19], each)));
        }
    }
    all
}

/// The bound of a sum of `terms` roundings in f32, rounded to `y`.
fn bound(y: DType, terms: usize) -> Bound {
    let ulps = if y == DType::F32 { 0.5 } else { 0.51 };
    Bound::Sum { ulps, eps_of: DType::F32, factor: terms as f64 }
}

/// Numbers of any size, NaN, infinities and zeros.
fn floats(dtype: DType) -> Vec<Case> {
    let mut all = Vec::new();
    for n in [19usize, 4] {
        let case = |name: &str| cycled(name, [dtype; 2], [13, n, 64]);
        let (width, half) = (n as u32, 32);
        all.push(
            case("normal")
                .case()
                .input("values", &[13, half], Pattern::normal(3))
                .input("b", &[64, width], Pattern::normal(4))
                .bound(bound(natural(dtype), 40)),
        );
        // Each group keeps places 0 and 2: nothing else of b is met, and it is NaN.
        let full = Product {
            left: matrix(13, 64, |_, _| 1, |r, g, p| number(dtype, r, g, p)),
            ..case("unmet rows")
        };
        let poison: Vec<_> =
            (0..64 * n).filter(|i| i / n % 2 == 1).map(|i| (i, f64::NAN)).collect();
        let right = full.right.clone().with(&poison);
        all.push(Product { right, ..full }.case());
        // A NaN of `a` reaches its row, of `b` the rows that meet it.
        for at in [0, 5, 31] {
            let nan = case(&format!("nan at {at}")).case();
            let (values, _) = compress(&cycle(dtype, 13, 64), 64);
            let p = Pattern::Cycle(values).with(&[(2 * 32 + at, f64::NAN)]);
            all.push(nan.input("values", &[13, half], p));
        }
        let met = case("nan of b");
        let right = met.right.clone().with(&[(6 * n + 1, f64::NAN)]);
        all.push(Product { right, ..met }.case());
        if dtype.bits() > 8 {
            let infinite = case("infinity of b");
            let right = infinite
                .right
                .clone()
                .with(&[(9 * n, f64::INFINITY), (50 * n + 2, f64::NEG_INFINITY)]);
            all.push(Product { right, ..infinite }.case());
        }
        let zero = Product { left: vec![0.0; 13 * 64], ..case("zeros") };
        let c = Pattern::Cycle(vec![1.5, -2.0, -0.25, 3.0]);
        all.push(zero.case().input_as("c", natural(dtype), &[13, width], c));
    }
    // Partial sums leave the range of f16 and come back: sums are kept in f32.
    if dtype == DType::F16 {
        for n in [2, 17] {
            let left: Vec<f64> = (0..4096)
                .map(|k| {
                    if k % 4 > 1 {
                        0.0
                    } else if k < 2048 {
                        64.0
                    } else {
                        -64.0
                    }
                })
                .collect();
            let (name, right) = (format!("wide partial sums {n}"), Pattern::Constant(64.0));
            let size = [1, n, 4096];
            all.push(Product { name, a: dtype, b: dtype, size, left, right }.case());
        }
    }
    all
}

/// The greatest products, and sums that wrap.
fn extremes(dtype: DType) -> Vec<Case> {
    let mut all = Vec::new();
    let (low, high) = number::int_range(dtype);
    for n in [5usize, 17] {
        for (name, a, b) in
            [("low low", low, low), ("low high", low, high), ("high high", high, high)]
        {
            let left = matrix(6, 132, |r, g| (r + g) % 6, |_, _, _| a as f64);
            let (name, right) = (format!("{name} {n}"), Pattern::Constant(b as f64));
            let size = [6, n, 132];
            all.push(Product { name, a: dtype, b: dtype, size, left, right }.case());
        }
        let c = Pattern::CycleInt(vec![i128::from(i32::MAX) - 4, i128::from(i32::MIN) + 4]);
        let case = cycled("wraps", [dtype; 2], [6, n, 32]).case();
        all.push(case.input_as("c", DType::I32, &[6, n as u32], c));
    }
    all
}

/// Cases of `gemm_sparse24_block_scaled`.
pub(super) fn block_scaled(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let values = [DType::I4, DType::U4, DType::F8E4M3, DType::F8E5M2, DType::I8];
    for (i, a) in values.into_iter().enumerate() {
        for (j, &b) in REALS.iter().enumerate() {
            for scale in [DType::F32, DType::F16, DType::F8E8M0] {
                for [m, n, k] in [[5, 3, 132], [33, 17, 64], [9, 40, 36]] {
                    let block = [16, 32, 64, 128][(i + j + n) % 4];
                    let shape = [m as u32, k.div_ceil(block) as u32];
                    // Powers of two keep sums exact; each row and block has its own.
                    let scales = Pattern::Cycle(vec![0.5, 2.0, 1.0, 0.25, 4.0]);
                    all.push(
                        cycled(&format!("{scale} block {block}"), [a, b], [m, n, k])
                            .case()
                            .input_as("scales", scale, &shape, scales)
                            .set("block", block as i64),
                    );
                }
            }
        }
        let b = REALS[i % 3];
        for n in [6, 24] {
            let case = cycled("normal", [a, b], [12, n, 160]).case();
            all.push(
                case.input_as("scales", DType::F32, &[12, 5], Pattern::uniform(8, 0.1, 2.0))
                    .input_as("b", b, &[160, n as u32], Pattern::normal(5))
                    .input_as("c", b, &[12, n as u32], Pattern::normal(6))
                    .input_as("bias", DType::F32, &[12], Pattern::normal(7))
                    .input_as("scale", DType::F32, &[12], Pattern::normal(9))
                    .bound(bound(b, 200)),
            );
        }
    }
    let none = cycled("empty", [DType::I4, DType::F16], [0, 3, 32]).case();
    all.push(none.input_as("scales", DType::F32, &[0, 1], Pattern::Constant(1.0)).empty());
    all
}

/// A product whose speed is measured.
fn measured([a, b]: [DType; 2], [m, n, k]: [usize; 3], scale: Scale) -> Bench {
    let of = cycled("", [a, b], [m, n, k]);
    let elems = |dtype: DType, elems: usize| dtype.bytes_for(elems as u64).unwrap_or(0);
    let y = natural(b);
    let bytes =
        elems(a, m * k / 2) + elems(DType::U16, m * k / 16) + elems(b, k * n) + elems(y, m * n);
    Bench { case: of.case(), bytes, flops: 2 * (m * n * k) as u64, scale }
}

/// The bench with products of small matrices, and columns of `b` as rows.
fn with_rows(bench: Bench, path: &str, [_, n, k]: [usize; 3]) -> Bench {
    let (dtype, name) = (bench.case.dtype, format!("{path} {}", bench.case.name));
    let case = Case { name: Case::new(name, dtype).name, ..bench.case };
    let case = case.input("b", &[n as u32, k as u32], dense(dtype, k, n)).set("trans_b", 1);
    Bench { case: case.word("path", path), ..bench }
}

/// Benches of `gemm_sparse24`. Operations are counted as of the dense product.
pub(super) fn bench(_: &Entry) -> Vec<Bench> {
    let mut all = Vec::new();
    for dtype in [DType::F16, DType::I8, DType::F8E4M3] {
        all.push(measured([dtype; 2], [512, 512, 512], Scale::Host));
        all.push(measured([dtype; 2], [4096, 16, 4096], Scale::Device));
        all.push(measured([dtype; 2], [2048, 2048, 2048], Scale::Device));
        if dtype.bits() == 8 && dtype.is_float() {
            continue;
        }
        for (path, size) in [
            ("quads", [4096, 16, 4096]),
            ("quads", [2048, 2048, 2048]),
            ("halves", [4096, 16, 4096]),
        ] {
            all.push(with_rows(measured([dtype; 2], size, Scale::Device), path, size));
        }
    }
    all
}

/// Benches of `gemm_sparse24_block_scaled`.
pub(super) fn block_scaled_bench(_: &Entry) -> Vec<Bench> {
    let of = |size: [usize; 3], scale| {
        let mut bench = measured([DType::I4, DType::F16], size, scale);
        let shape = [size[0] as u32, size[2] as u32 / 32];
        let scales = Pattern::Cycle(vec![0.5, 2.0, 1.0, 0.25, 4.0]);
        bench.case = bench.case.input_as("scales", DType::F16, &shape, scales);
        bench.bytes += u64::from(shape[0] * shape[1] * 2);
        bench
    };
    vec![of([512, 512, 512], Scale::Host), of([4096, 1, 4096], Scale::Device)]
}
