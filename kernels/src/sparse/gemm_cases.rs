//! Cases of the products of 2:4 matrices.
//!
//! Operands are small whole numbers, so that sums are exact and one wrong, missing or doubled term shows in the bits,
//! but for a few of any size. Kept places are all sets of up to two of four, at each group of each row.
//!
//! Each path and dtype meets every generator. What a kernel is compiled for besides (`Form`, the cut, the dtype of the result)
//! comes in pairs, not in every product of choices: a kernel costs more than a case.

use super::{
    generators::{self, Generator, Given, Outcome},
    group::DTYPES,
    image::{compress, cycle, matrix, number, pattern},
    skinny::Skinny,
};
use crate::prelude::*;
use evenweave_lang::matrix::{Atom, wide::Wide};

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

/// Cases of `gemm_sparse24`.
pub(super) fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for pair in pairs() {
        let tiles = generated("tile", pair, [17, 18, 64]);
        all.extend(tiles.into_iter().map(|case| case.set("tile", 1)));
        all.extend(by_rows(pair));
    }
    for &dtype in DTYPES {
        all.extend(layouts(dtype));
        all.extend(epilogues(dtype));
        if dtype.is_float() {
            all.extend(floats(dtype));
        } else {
            all.extend(extremes(dtype));
        }
    }
    for atom in Atom::ALL {
        let path = if atom.quads() { "quads" } else { "halves" };
        let of_atom =
            [matrices(path, atom.elements()), few_columns(path, Skinny::all(*atom))].concat();
        all.extend(of_atom.into_iter().map(|case| case.word("path", path)));
    }
    let f8 = [DType::F8E4M3, DType::F8E5M2];
    for pair in [[f8[0]; 2], f8, [f8[1], f8[0]]] {
        let all_few = Skinny::of_dtypes(pair, true).map(|all| few_columns("quads", all));
        all.extend(all_few.into_iter().flatten().map(|case| case.word("path", "quads")));
    }
    for &wide in Wide::ALL {
        all.extend(grouped(wide).into_iter().map(|case| case.word("path", "group")));
    }
    for shape in [[0, 7, 16], [0, 0, 0], [3, 0, 8]] {
        let none = cycled("empty", [DType::F16; 2], shape).case().empty();
        all.push(if shape[1] == 0 { none.set("tile", 2) } else { none });
    }
    for dtype in [DType::F32, DType::I8] {
        let nothing = cycled("k 0", [dtype; 2], [3, 18, 0]).case();
        all.push(nothing.input_as("c", sums(dtype), &[3, 18], Pattern::Positions));
        all.push(cycled("k 0", [dtype; 2], [3, 7, 0]).case());
    }
    all
}

/// The dtype that sums of products have.
fn sums(dtype: DType) -> DType {
    if dtype.is_float() { DType::F32 } else { DType::I32 }
}

/// The inputs that a wrong product does not survive, and something to add to, against their exact sums. Operands of two
/// dtypes meet those that tell dtypes apart.
fn generated(path: &str, [a, b]: [DType; 2], shape: [usize; 3]) -> Vec<Case> {
    let takes = |generator, i: usize| match generator {
        Generator::Cycle | Generator::Uniform | Generator::HalfSplit | Generator::Extremes => true,
        _ if a != b => false,
        // A word of the index has four sets of the eleven, one after another.
        Generator::IndexKey => i.is_multiple_of(4),
        // Four groups that point to every place.
        Generator::Poison => i % 3 == 1,
        // Each place of a group.
        Generator::Nan => i < 4,
        _ => true,
    };
    let mut all: Vec<Case> = Vec::new();
    for generator in Generator::ALL {
        let given = generators::given(generator, [a, b], shape);
        let given = given.into_iter().enumerate().filter(|&(i, _)| takes(generator, i));
        for (i, given) in given {
            let Given { name, shape: [m, n, k], a: left, b: right, c, outcome, .. } = given;
            if k % 4 != 0 || matches!(outcome, Outcome::Refused { .. }) {
                continue;
            }
            let name = format!("{path} {b} {generator:?} {i} {name}");
            let case = Product { name, a, b, size: [m, n, k], left, right: pattern(right) }.case();
            let c = if c.is_empty() { vec![-2.0, 5.0, 0.0, 3.0, -1.0] } else { c };
            let shape = [m as u32, n as u32];
            let case = case.input_as("c", sums(a), &shape, Pattern::Cycle(c));
            all.push(case.word("out", sums(a).name()));
        }
    }
    all
}

/// Few columns: each set of places, either half of k, ends of rows that do not fill a word.
fn by_rows(pair: [DType; 2]) -> Vec<Case> {
    let mut all = Vec::new();
    for size in [[11, 7, 176], [33, 16, 64], [2, 5, 1040]] {
        all.push(cycled("rows", pair, size).case());
    }
    for half in 0..2 {
        let mut of = cycled(["rows first half", "rows second half"][half], pair, [18, 9, 128]);
        for (at, x) in of.left.iter_mut().enumerate() {
            if at % 128 / 64 != half {
                *x = 0.0;
            }
        }
        all.push(of.case());
    }
    if pair[0] == pair[1] {
        for (m, k) in [(1, 4), (11, 44), (5, 100), (130, 68), (3, 536)] {
            all.push(cycled("a column", pair, [m, 1, k]).case());
        }
    }
    all
}

/// Transpositions, views, batches and cuts.
fn layouts(dtype: DType) -> Vec<Case> {
    let mut all = Vec::new();
    let pair = [dtype; 2];
    // The second size is one of rows.
    for [m, n, k] in [[21, 18, 48], [21, 6, 48]] {
        let of = |name: &str| {
            let case = cycled(name, pair, [m, n, k]).case();
            if n > 16 { case.set("tile", 2) } else { case }
        };
        let (rows, columns) = (n as u32, k as u32);
        let right = of("b transposed").input("b", &[rows, columns], dense(dtype, k, n));
        all.push(right.set("trans_b", 1));
        all.push(of("y transposed").set("trans_y", 1));
        let apart = TensorDesc::strided(dtype, &[columns, rows], &[3, 170], 2);
        all.push(of("b apart").view("b", apart, dense(dtype, n, k)));
        let again = TensorDesc::strided(dtype, &[columns, rows], &[1, 0], 1);
        let one = (0..n * k).map(|i| (i / n % 5) as f64).collect();
        all.push(of("b repeated").view("b", again, Pattern::Cycle(one)));
        for (name, batch) in batches(pair, [7, n, k]) {
            let batch = Case { name: Case::new(format!("{name} n {n}"), dtype).name, ..batch };
            all.push(if n > 16 { batch.set("tile", 2) } else { batch });
        }
    }
    for size in [[3, 127, 20], [129, 5, 64], [33, 65, 48]] {
        all.push(cycled("tile 2", pair, size).case().set("tile", 2));
        let with_c = cycled("tile 3", pair, size).case().set("tile", 3);
        let shape = [size[0] as u32, size[1] as u32];
        all.push(with_c.input_as("c", natural(dtype), &shape, Pattern::Cycle(vec![1.0, -2.0])));
    }
    all
}

/// A batch of three of both operands, of the sparse one, of the dense one.
fn batches([dtype, of_b]: [DType; 2], [m, n, k]: [usize; 3]) -> Vec<(String, Case)> {
    let (values, index) = compress(&cycle(dtype, 3 * m, k), k);
    let [rows, width, columns] = [m, n, k].map(|e| e as u32);
    let of = |(name, a_batch, b_batch): (&str, bool, bool)| {
        let shape = |batched: bool, shape: [u32; 2]| match batched {
            true => [&[3], &shape[..]].concat(),
            false => shape.into(),
        };
        let words = shape(a_batch, [rows, columns.div_ceil(16)]);
        let values = Pattern::Cycle(values.clone());
        let case = Case::new("", dtype)
            .input("values", &shape(a_batch, [rows, columns / 2]), values)
            .input_as("index", DType::U16, &words, Pattern::Cycle(index.clone()))
            .input_as("b", of_b, &shape(b_batch, [columns, width]), dense(of_b, n, 3 * k));
        (format!("batch of {name} {of_b}"), case)
    };
    [("both", true, true), ("a", true, false), ("b", false, true)].map(of).into()
}

/// The dtype of results that a product of a dtype has without a wish.
fn natural(dtype: DType) -> DType {
    match dtype {
        DType::F32 | DType::F16 | DType::BF16 => dtype,
        _ => sums(dtype),
    }
}

/// Factors of rows; powers of two keep sums exact.
fn factors() -> Pattern {
    Pattern::Cycle(vec![0.5, -2.0, 0.25, 1.0, 4.0])
}

/// c, bias and scale, and dtypes of the result other than the natural one.
fn epilogues(dtype: DType) -> Vec<Case> {
    let mut all = Vec::new();
    let of = |name: &str, n: usize| cycled(name, [dtype; 2], [19, n, 44]).case();
    let y = natural(dtype);
    let flipped = TensorDesc::strided(y, &[3, 19], &[40, 2], 3);
    all.push(of("c", 3).input_as("c", y, &[19, 3], Pattern::Positions));
    all.push(of("c flipped", 3).view("c", flipped, Pattern::Positions).set("trans_y", 1));
    let bias = |case: Case, y| {
        let wide = if y == DType::I32 { y } else { DType::F32 };
        case.input_as("bias", wide, &[19], Pattern::Positions)
    };
    all.push(bias(of("bias", 4), y));
    let (name, batch) = batches([dtype; 2], [19, 3, 44]).remove(0);
    let batch = Case { name: Case::new(format!("{name} with c"), dtype).name, ..batch };
    all.push(bias(batch.input_as("c", y, &[3, 19, 3], Pattern::Positions), y));
    let scaled = |out: DType, n: usize| {
        let case = of(&format!("all in {out}"), n).word("out", out.name());
        let case = case.input_as("c", out, &[19, n as u32], Pattern::Positions);
        let each = bias(case, out).input_as("scale", DType::F32, &[19], factors());
        let one = of(&format!("one scale in {out}"), n).word("out", out.name());
        [each, one.input_as("scale", DType::F32, &[1], Pattern::Constant(-0.25))]
    };
    if y != DType::I32 {
        all.extend(scaled(y, 3));
    }
    let others: &[DType] = match dtype {
        DType::F32 | DType::BF16 | DType::F8E4M3 => &[DType::F16],
        DType::I8 => &[DType::F32, DType::F16, DType::BF16],
        DType::I4 => &[DType::BF16, DType::F32],
        DType::U4 => &[DType::F32, DType::F16],
        _ => &[DType::BF16],
    };
    for (i, &out) in others.iter().enumerate() {
        all.extend(scaled(out, [21, 3][i % 2]));
    }
    all
}

/// Products of small matrices, which take other paths through the same numbers.
fn matrices(path: &str, pair: [DType; 2]) -> Vec<Case> {
    let ([dtype, of_b], y) = (pair, natural(pair[0]));
    let mut all: Vec<Case> = generated(path, pair, [17, 18, 64]);
    // A small k is one of few columns else.
    all = all.into_iter().map(|case| case.set("tile", 1)).collect();
    let named = |name: &str| format!("{path} {name}");
    let with_c = |case: Case, shape: &[u32], y: DType| {
        case.input_as("c", y, shape, Pattern::Cycle(vec![1.0, -2.0, 0.0])).word("out", y.name())
    };
    // Columns one after another with gaps.
    if dtype == DType::I8 {
        let gaps = TensorDesc::strided(dtype, &[11, 72], &[80, 1], 0);
        let of = cycled(&named("gaps"), pair, [18, 11, 72]).case().set("trans_b", 1);
        all.push(with_c(of.view("b", gaps, dense(dtype, 72, 11)), &[18, 11], sums(dtype)));
    }
    for (name, batch) in batches(pair, [18, 9, 40]) {
        let batch = Case { name: Case::new(named(&name), dtype).name, ..batch };
        all.push(with_c(batch, &[3, 18, 9], sums(dtype)));
    }
    // Columns as rows without gaps.
    let rows = |case: Case, [_, n, k]: [usize; 3]| {
        let right = dense(of_b, k, n);
        case.input_as("b", of_b, &[n as u32, k as u32], right).set("trans_b", 1)
    };
    // Where a device lacks the products, each is a sequence, and a large cut a long one: few dtypes have to do.
    let whole = matches!(dtype, DType::I8 | DType::F16 | DType::BF16);
    let few = if whole { 2 } else { 1 };
    for size in [[70, 140, 96], [18, 11, 16], [1, 1, 208]] {
        let of = cycled(&named(&format!("rows tile {few}")), pair, size).case();
        all.push(rows(of, size).set("tile", few));
    }
    let (_, batch) = batches(pair, [18, 9, 48]).remove(0);
    let batch =
        Case { name: Case::new(named(&format!("batch of rows {of_b}")), dtype).name, ..batch };
    let each = batch.input_as("b", of_b, &[3, 9, 48], dense(of_b, 48, 27)).set("trans_b", 1);
    all.push(each.set("tile", few));
    let most = if dtype == DType::I8 || path == "quads" { 3 } else { 1 };
    for size in [[70, 140, 80], [19, 21, 48]] {
        let of = rows(cycled(&named(&format!("tile {most}")), pair, size).case(), size);
        let (m, n) = (size[0] as u32, size[1] as u32);
        let of = of.set("tile", most).set("trans_y", 1).word("out", y.name());
        let of = with_c(of, &[n, m], y);
        let wide = if y == DType::I32 { y } else { DType::F32 };
        all.push(of.input_as("bias", wide, &[m], Pattern::Positions));
    }
    if dtype == DType::I8 {
        let size = [19, 21, 48];
        let scaled = rows(cycled(&named("scaled"), pair, size).case(), size).word("out", "f32");
        all.push(scaled.input_as("scale", DType::F32, &[19], factors()));
    }
    all
}

/// Products of small matrices for few columns, of k in whole spans: one span, one each of the subgroups and some more, and
/// fewer than subgroups.
fn few_columns(path: &str, [few, more]: [Skinny; 2]) -> Vec<Case> {
    let (atom, pair) = (few.atom, few.elements);
    let [span, split] = [few.span(), few.split].map(|e| e as usize);
    let (wide, [dtype, of_b], y) = (few.wide() as usize, pair, natural(pair[0]));
    // Each width of elements, and two dtypes where there are two: what else differs is the atom's own.
    if atom.bits() < 8 && pair != [DType::I4, DType::U4]
        || atom.is_float() && atom.bits() == 8 && pair != [DType::F8E4M3, DType::F8E5M2]
    {
        return Vec::new();
    }
    let case = |name: &str, size: [usize; 3], tile: i64| {
        let (n, k) = (size[1] as u32, size[2] as u32);
        let of = cycled(&format!("{path} {name}"), pair, size).case();
        of.input_as("b", of_b, &[n, k], dense(of_b, size[2], size[1]))
            .set("trans_b", 1)
            .set("tile", tile)
    };
    let mut all = vec![
        case("few", [37, 5, 3 * span], 4),
        case("few", [70, wide, (split + 3) * span], 4),
        case("few", [1, 1, span], 4),
    ];
    let is_first = matches!(dtype, DType::I8 | DType::F16) || atom.elements() != pair;
    if !is_first {
        return all;
    }
    let given = generated(&format!("{path} few"), pair, [17, wide - 3, 2 * span]);
    // Some have a k of their own.
    let whole = |case: &Case| case.request.inputs["b"].shape()[0].is_multiple_of(span as u32);
    all.extend(given.into_iter().filter(whole).map(|case| case.set("tile", 4)));
    if !atom.quads() || atom.elements() != pair {
        return all;
    }
    for (name, batch) in batches(pair, [18, 9, span]) {
        let name = Case::new(format!("{path} few {name}"), dtype).name;
        let batch = Case { name, ..batch }.set("tile", 4);
        let c = Pattern::Cycle(vec![1.0, -2.0, 0.0]);
        all.push(batch.input_as("c", sums(dtype), &[3, 18, 9], c).word("out", sums(dtype).name()));
    }
    let out = sums(dtype);
    let after = case("few after", [37, 6, 2 * span], 4)
        .input_as("c", out, &[37, 6], Pattern::Positions)
        .input_as("bias", out, &[37], Pattern::Positions)
        .word("out", out.name());
    let scaled = atom.is_float();
    all.push(if scaled { after.input_as("scale", DType::F32, &[37], factors()) } else { after });
    let (m, n) = (45, more.wide() as usize + 5);
    all.push(case("more", [m, n, 5 * span], 5));
    let turned = case("more turned", [m, n, 2 * span], 5).set("trans_y", 1);
    all.push(turned.word("out", y.name()));
    all
}

/// Products with shared memory: of one slab and of several, even and odd, of more than a group, and of batches.
fn grouped(wide: Wide) -> Vec<Case> {
    let (pair, k) = (wide.elements(), wide.k() as usize);
    // Some have a k of their own.
    let whole = |case: &Case| case.request.inputs["b"].shape()[0].is_multiple_of(k as u32);
    let mut all = generated("group", pair, [17, 18, k]);
    all.retain(whole);
    let named = |name: &str| format!("group {name}");
    let rows = |name: &str, [m, n, k]: [usize; 3]| {
        let case = cycled(&named(name), pair, [m, n, k]).case();
        case.input("b", &[n as u32, k as u32], dense(pair[1], k, n)).set("trans_b", 1)
    };
    // Of 8-bit floats one pair has to do for what a kernel is compiled for besides.
    let alone = pair == [pair[0]; 2] && pair[0] != DType::F8E5M2;
    let as_generated = |case: Case, shape: &[u32]| {
        if alone {
            return case;
        }
        let c = Pattern::Cycle(vec![1.0, -2.0, 0.0]);
        case.input_as("c", DType::F32, shape, c).word("out", "f32")
    };
    for [m, n, k] in [[1, 1, k], [261, 131, 3 * k], [65, 9, 2 * k]] {
        all.push(as_generated(rows("rows", [m, n, k]), &[m as u32, n as u32]));
    }
    for (name, batch) in batches(pair, [18, 9, k]) {
        let batch = Case { name: Case::new(named(&name), pair[0]).name, ..batch };
        all.push(as_generated(batch, &[3, 18, 9]));
    }
    if pair == [DType::I8; 2] {
        let of = rows("y transposed", [130, 21, 5 * k]).set("trans_y", 1).word("out", "f16");
        let of = of.input_as("scale", DType::F32, &[130], factors());
        all.push(of.input_as("bias", DType::F32, &[130], Pattern::Positions));
        // Nine tiles of rows: more than a band.
        all.push(rows("bands", [2065, 140, k]));
        all.push(cycled(&named("k 0"), pair, [3, 18, 0]).case());
    }
    all
}

/// The bound of a sum of `terms` roundings in f32, rounded to `y`.
fn bound(y: DType, terms: usize) -> Bound {
    let ulps = if y == DType::F32 { 0.5 } else { 0.51 };
    Bound::Sum { ulps, eps_of: DType::F32, factor: terms as f64 }
}

/// Numbers of any size, NaN, infinities and rows that nothing meets, by tiles and by rows.
fn floats(dtype: DType) -> Vec<Case> {
    let mut all = Vec::new();
    for n in [19usize, 7] {
        let cut = |case: Case| if n > 16 { case.set("tile", 2) } else { case };
        let of = |name: &str| cycled(name, [dtype; 2], [13, n, 64]);
        let normal = of("normal").case().input("values", &[13, 32], Pattern::normal(3));
        let normal = normal.input("b", &[64, n as u32], Pattern::normal(4));
        all.push(cut(normal.bound(bound(natural(dtype), 40))));
        // Each group keeps places 0 and 2: nothing else of b is met, and it is NaN.
        let left = matrix(13, 64, |_, _| 1, |r, g, p| number(dtype, r, g, p));
        let poison: Vec<_> =
            (0..64 * n).filter(|i| i / n % 2 == 1).map(|i| (i, f64::NAN)).collect();
        let full = of("unmet rows");
        let right = full.right.clone().with(&poison);
        all.push(cut(Product { left, right, ..full }.case()));
        // A NaN of `a` reaches its row, of `b` the rows that meet it.
        for at in [0, 5, 31] {
            let (values, _) = compress(&cycle(dtype, 13, 64), 64);
            let p = Pattern::Cycle(values).with(&[(2 * 32 + at, f64::NAN)]);
            all.push(cut(of(&format!("nan at {at}")).case().input("values", &[13, 32], p)));
        }
        let mut met = vec![("nan of b", vec![(6 * n + 1, f64::NAN)])];
        if dtype.bits() > 8 {
            let ends = vec![(9 * n, f64::INFINITY), (50 * n + 2, f64::NEG_INFINITY)];
            met.push(("infinity of b", ends));
        }
        for (name, there) in met {
            let of = of(name);
            let right = of.right.clone().with(&there);
            all.push(cut(Product { right, ..of }.case()));
        }
        // Partial sums leave the range of f16 and come back: sums are kept in f32.
        if dtype == DType::F16 {
            let half = |k: usize| if k < 2048 { 64.0 } else { -64.0 };
            let left = (0..4096).map(|k| if k % 4 > 1 { 0.0 } else { half(k) }).collect();
            let (name, right) = (format!("wide partial sums {n}"), Pattern::Constant(64.0));
            let size = [1, n, 4096];
            all.push(cut(Product { name, a: dtype, b: dtype, size, left, right }.case()));
        }
    }
    all
}

/// The greatest products, and sums that wrap.
fn extremes(dtype: DType) -> Vec<Case> {
    let mut all = Vec::new();
    let (low, high) = number::int_range(dtype);
    for n in [7usize, 19] {
        let cut = |case: Case| if n > 16 { case.set("tile", 2) } else { case };
        for (name, a, b) in
            [("low low", low, low), ("low high", low, high), ("high high", high, high)]
        {
            let left = matrix(6, 144, |r, g| (r + g) % 6, |_, _, _| a as f64);
            let (name, right) = (format!("{name} {n}"), Pattern::Constant(b as f64));
            let size = [6, n, 144];
            all.push(cut(Product { name, a: dtype, b: dtype, size, left, right }.case()));
        }
    }
    for n in [3, 18] {
        let c = Pattern::CycleInt(vec![i128::from(i32::MAX) - 4, i128::from(i32::MIN) + 4]);
        let case = cycled("wraps", [dtype; 2], [6, n, 36]).case().set("tile", i64::from(n > 16));
        all.push(case.input_as("c", DType::I32, &[6, n as u32], c));
    }
    all
}

/// Cases of `gemm_sparse24_block_scaled`: each two of dtypes and paths, not every three.
pub(super) fn block_scaled(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let values = [DType::I4, DType::U4, DType::F8E4M3, DType::F8E5M2, DType::I8];
    for (i, a) in values.into_iter().enumerate() {
        for (j, &b) in REALS.iter().enumerate() {
            let scale = [DType::F32, DType::F16, DType::F8E8M0][(i + j) % 3];
            let sizes: [[[usize; 3]; 3]; 2] = [
                [[5, 3, 132], [11, 4, 68], [7, 2, 516]],
                [[33, 17, 64], [9, 40, 36], [5, 18, 272]],
            ];
            for (at, [m, n, k]) in sizes[(i + j) % 2].into_iter().enumerate() {
                let block = [16, 32, 64, 128][(i + j + at) % 4];
                let shape = [m as u32, k.div_ceil(block) as u32];
                // Each row and block has its own.
                let case = cycled(&format!("{scale} block {block}"), [a, b], [m, n, k]).case();
                let case = case.input_as("scales", scale, &shape, factors());
                all.push(case.set("block", block as i64));
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
    let none = cycled("empty", [DType::I4, DType::F32], [0, 3, 36]).case();
    all.push(none.input_as("scales", DType::F32, &[0, 2], Pattern::Constant(1.0)).empty());
    all
}

/// A product whose speed is measured.
fn measured([a, b]: [DType; 2], size: [usize; 3], scale: Scale) -> Bench {
    let case = cycled("", [a, b], size).case();
    Bench { case, ..costs([a, b], size, scale) }
}

/// What a product moves and computes, counted as of the dense one.
fn costs([a, b]: [DType; 2], [m, n, k]: [usize; 3], scale: Scale) -> Bench {
    let elems = |dtype: DType, elems: usize| dtype.bytes_for(elems as u64).unwrap_or(0);
    let y = natural(b);
    let bytes =
        elems(a, m * k / 2) + elems(DType::U16, m * k / 16) + elems(b, k * n) + elems(y, m * n);
    let case = Case::new(format!("{m}x{n}x{k}"), a);
    Bench { case, bytes, flops: 2 * (m * n * k) as u64, scale }
}

/// Kept values, words of places and elements of `b` that come over and over, so that rows and columns of a large product do:
/// after as many of them as there are values, words or elements, where these numbers have no divisor in common with k.
const VALUES: [f64; 7] = [1.0, -2.0, 3.0, -1.0, 2.0, -3.0, 1.0];
const PLACES: [u16; 11] =
    [0x4c8e, 0x9de4, 0xe8d9, 0xc4e8, 0x8d9c, 0xd9ee, 0xe4cd, 0x48c9, 0x9e8d, 0xdce4, 0xecd8];
const RIGHT: [f64; 13] = [-6.0, 1.0, 4.0, -3.0, 0.0, 5.0, -1.0, 2.0, -5.0, 6.0, -2.0, 3.0, -4.0];

/// A large product with columns of `b` as rows, by the path of the device.
fn large(dtype: DType, [m, n, k]: [usize; 3]) -> Bench {
    let case = |m: usize, n: usize| {
        let [m, n, k] = [m, n, k].map(|e| e as u32);
        let places = Pattern::Cycle(PLACES.map(f64::from).into());
        Case::new(format!("fast {m}x{n}x{k}"), dtype)
            .input("values", &[m, k / 2], Pattern::Cycle(VALUES.into()))
            .input_as("index", DType::U16, &[m, k / 16], places)
            .input("b", &[n, k], Pattern::Cycle(RIGHT.into()))
            .set("trans_b", 1)
            .word("sums", "fast")
    };
    let part = case(VALUES.len() * PLACES.len(), RIGHT.len());
    Bench { case: case(m, n).repeats(part), ..costs([dtype; 2], [m, n, k], Scale::Device) }
}

/// Benches of `gemm_sparse24`.
pub(super) fn bench(_: &Entry) -> Vec<Bench> {
    let mut all = Vec::new();
    for dtype in [DType::F16, DType::I8, DType::F8E4M3] {
        all.push(measured([dtype; 2], [512, 512, 512], Scale::Host));
        all.push(measured([dtype; 2], [4096, 16, 4096], Scale::Device));
    }
    for dtype in [DType::F16, DType::BF16, DType::I8, DType::F8E4M3] {
        for size in [
            [4096, 4096, 4096],
            [8192, 8192, 8192],
            [4096, 16, 4096],
            [4096, 64, 4096],
            [14336, 16, 4096],
            [14336, 64, 4096],
        ] {
            all.push(large(dtype, size));
        }
    }
    all
}

/// Benches of `gemm_sparse24_block_scaled`.
pub(super) fn block_scaled_bench(_: &Entry) -> Vec<Bench> {
    let of = |size: [usize; 3], scale| {
        let mut bench = measured([DType::I4, DType::F16], size, scale);
        let shape = [size[0] as u32, size[2] as u32 / 32];
        bench.case = bench.case.input_as("scales", DType::F16, &shape, factors());
        bench.bytes += u64::from(shape[0] * shape[1] * 2);
        bench
    };
    vec![of([512, 512, 512], Scale::Host), of([4096, 1, 4096], Scale::Device)]
}
