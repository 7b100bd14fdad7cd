//! Rows compressed by a codebook: a row is its norm and, for each element of its rotated direction, the number of the
//! nearest of a few centroids.
//!
//! Encode: `r = R x / |x|`, `code[i]` the number of boundaries below `r[i]`, `norm = |x| / |codebook[code]|`, so that what
//! is decoded has the length of `x`. Decode: `norm * codebook[code]`, still rotated. Score and mix work on codes: `score[q,
//! t] = norms[t] (query[q] . codebook[code[t]])`, `y[q] = sum over t of weights[q, t] norms[t] codebook[code[t]]`.
//!
//! A row's codes are a stream of u32 words (`pieces::codes`), `ceil(dim bits / 32)` of them. The norm of a row of zeros is 0,
//! and so is that of a row whose centroids are all 0.

use crate::{
    pieces::{
        codes::{codes_at, word_of},
        fold::{Fold, Lanes, Row},
    },
    prelude::*,
};

const F32: &[DType] = &[DType::F32];
const CODES: InputSpec = InputSpec::new("codes", &[DType::U32], "[rows, words]");
const NORMS: InputSpec = InputSpec::new("norms", F32, "[rows]");
const CODEBOOK: InputSpec = InputSpec::new("codebook", F32, "[2^bits]");
const BITS: SettingSpec = SettingSpec::required_int("bits", "bits of a code, 1 to 8");
/// Elements of a row at most: their codes lie in shared memory.
const MAX_DIM: u32 = 2_048;

const fn entry(
    name: &'static str,
    summary: &'static str,
    signature: Signature,
    plan: fn(&Call<'_>) -> Result<Plan, PlanError>,
    reference: fn(&Known<'_>) -> Vec<Expected>,
) -> Entry {
    Entry { name, family: "cache", summary, signature, plan, reference, cases, bench: no_bench }
}

/// The operations.
pub const ENTRIES: &[Entry] = &[
    entry(
        "codebook_encode",
        "code[r, i] = boundaries below (R x[r])[i] / |x[r]|; norm[r] = |x[r]| / |codebook[code[r]]|",
        Signature {
            inputs: &[
                InputSpec::new("x", REALS, "[rows, dim], dim 1 to 2048"),
                InputSpec::new("rotation", F32, "[dim, dim]"),
                InputSpec::new("boundaries", F32, "[2^bits - 1], ascending"),
                CODEBOOK,
            ],
            outputs: &[
                OutputSpec::new("codes", "[rows, ceil(dim bits / 32)], u32"),
                OutputSpec::new("norms", "[rows], f32"),
            ],
            settings: &[BITS],
            words: &[],
        },
        plan_encode,
        reference_encode,
    ),
    entry(
        "codebook_decode",
        "y[r, i] = norms[r] codebook[code[r, i]]",
        Signature {
            inputs: &[CODES, NORMS, CODEBOOK],
            outputs: &[OutputSpec::new("y", "[rows, dim]")],
            settings: &[BITS, SettingSpec::required_int("dim", "elements of a row")],
            words: &[WordSpec::new("dtype", &["f32", "f16", "bf16"], "the dtype of y")],
        },
        plan_decode,
        reference_read,
    ),
    entry(
        "codebook_score",
        "y[q, t] = norms[t] sum over i of query[q, i] codebook[code[t, i]]",
        Signature {
            inputs: &[InputSpec::new("query", F32, "[queries, dim]"), CODES, NORMS, CODEBOOK],
            outputs: &[OutputSpec::new("y", "[queries, rows], f32")],
            settings: &[BITS],
            words: &[],
        },
        plan_score,
        reference_read,
    ),
    entry(
        "codebook_mix",
        "y[q, i] = sum over t of weights[q, t] norms[t] codebook[code[t, i]]",
        Signature {
            inputs: &[InputSpec::new("weights", F32, "[queries, rows]"), CODES, NORMS, CODEBOOK],
            outputs: &[OutputSpec::new("y", "[queries, dim], f32")],
            settings: &[BITS, SettingSpec::required_int("dim", "elements of a row")],
            words: &[],
        },
        plan_mix,
        reference_read,
    ),
];

/// Definition of the encoder: one group a row.
#[kernel(group = lanes.threads, grid = rows)]
pub fn codebook_encode<T: Real>(
    #[len(rows * dim)] x: &In<T>,
    #[len(dim * dim)] rotation: &In<f32>,
    #[len((1u32 << bits) - 1)] boundaries: &In<f32>,
    #[len(1u32 << bits)] codebook: &In<f32>,
    #[len(rows * words)] codes: &mut Out<u32>,
    #[len(rows)] norms: &mut Out<f32>,
    rows: u32,
    dim: u32,
    words: u32,
    #[comptime] bits: u32,
    #[comptime] lanes: Lanes,
) {
    let base = group_id() as u64 * dim as u64;
    let row = Row::new(lanes, dim, |i| x[base + i as u64] as f32);
    let norm = sqrt(row.fold_with(Fold::Sum, |acc, x| fma(x, x, acc)));
    let inverse = select(norm == 0.0, lit::<f32>(0.0), recip(norm));
    let of_row = shared::<u32>(MAX_DIM);
    lanes.each(dim, |i| {
        let mut turned = -0.0f32;
        for j in val(0)..dim {
            turned = fma(rotation[i * dim + j], x[base + j as u64] as f32 * inverse, turned);
        }
        let mut code = val(0u32);
        for b in val(0)..(1u32 << bits) - 1 {
            code += (turned > boundaries[b]) as u32;
        }
        of_row[i] = code;
    });
    barrier();
    let centroids = Row::new(lanes, dim, |i| codebook[of_row[i]]);
    let length = sqrt(centroids.fold_with(Fold::Sum, |acc, c| fma(c, c, acc)));
    if thread_id() == 0 {
        norms[group_id()] = select(length == 0.0, lit::<f32>(0.0), norm / length);
    }
    for w in (thread_id()..words).step_by(lanes.threads) {
        let word = word_of(&|i| of_row[i], dim, w, bits);
        codes[group_id() as u64 * words as u64 + w as u64] = word;
    }
}

/// Code `i` of a row.
#[device]
fn code_of(codes: &In<u32>, row: Val<u32>, words: Val<u32>, i: Val<u32>, bits: u32) -> Val<u32> {
    codes_at(&|at| codes[at], row as u64 * words as u64, i, 1, bits)[0usize]
}

/// Definition of the decoder: a thread an element.
#[kernel(group = 256, grid = (dim.div_ceil(256), rows))]
pub fn codebook_decode<T: Real>(
    #[len(rows * words)] codes: &In<u32>,
    #[len(rows)] norms: &In<f32>,
    #[len(1u32 << bits)] codebook: &In<f32>,
    #[len(rows * dim)] y: &mut Out<T>,
    rows: u32,
    dim: u32,
    words: u32,
    #[comptime] bits: u32,
) {
    let (i, row) = (global_id(), group_id_y());
    if i < dim {
        let code = code_of(codes, row, words, i, bits);
        y[row as u64 * dim as u64 + i as u64] = (norms[row] * codebook[code]) as T;
    }
}

/// Definition of the score: one subgroup a query and a row.
#[kernel(group = 128, grid = (rows.div_ceil(4), queries))]
pub fn codebook_score(
    #[len(queries * dim)] query: &In<f32>,
    #[len(rows * words)] codes: &In<u32>,
    #[len(rows)] norms: &In<f32>,
    #[len(1u32 << bits)] codebook: &In<f32>,
    #[len(queries * rows)] y: &mut Out<f32>,
    rows: u32,
    dim: u32,
    words: u32,
    queries: u32,
    #[comptime] bits: u32,
) {
    let row = group_id() * 4 + subgroup_id();
    if row < rows {
        let mut dot = -0.0f32;
        for i in (lane()..dim).step_by(32) {
            let code = code_of(codes, row, words, i, bits);
            let at = group_id_y() as u64 * dim as u64 + i as u64;
            dot = fma(query[at], codebook[code], dot);
        }
        let sum = subgroup_sum(dot);
        if lane() == 0 {
            y[group_id_y() as u64 * rows as u64 + row as u64] = norms[row] * sum;
        }
    }
}

/// Definition of the mix: a thread an element walks the rows in order.
#[kernel(group = 64, grid = (dim.div_ceil(64), queries))]
pub fn codebook_mix(
    #[len(queries * rows)] weights: &In<f32>,
    #[len(rows * words)] codes: &In<u32>,
    #[len(rows)] norms: &In<f32>,
    #[len(1u32 << bits)] codebook: &In<f32>,
    #[len(queries * dim)] y: &mut Out<f32>,
    rows: u32,
    dim: u32,
    words: u32,
    queries: u32,
    #[comptime] bits: u32,
) {
    let i = global_id();
    if i < dim {
        let mut sum = -0.0f32;
        for row in 0..rows {
            let weight = weights[group_id_y() as u64 * rows as u64 + row as u64] * norms[row];
            let code = code_of(codes, row, words, i, bits);
            sum = fma(weight, codebook[code], sum);
        }
        y[group_id_y() as u64 * dim as u64 + i as u64] = sum;
    }
}

/// bits, and words of a row of `dim` codes.
fn format(call: &Call<'_>, dim: u32) -> Result<(u32, u32), PlanError> {
    let bits = call.int_in("bits", 1..=8)?;
    call.expect_shape("codebook", &[1 << bits])?;
    call.product("codes", &[dim, bits])?;
    Ok((bits, (dim * bits).div_ceil(32)))
}

/// rows, bits and words of coded rows of `dim`.
fn coded(call: &Call<'_>, dim: u32) -> Result<(u32, u32, u32), PlanError> {
    let (bits, words) = format(call, dim)?;
    let [rows] = call.shape("norms")?;
    call.expect_shape("codes", &[rows, words])?;
    call.product("y", &[rows, dim])?;
    Ok((rows, bits, words))
}

fn plan_encode(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [rows, dim] = call.shape("x")?;
    call.require((1..=MAX_DIM).contains(&dim), || {
        ("the row's length".into(), format!("1 to {MAX_DIM}"), dim.to_string())
    })?;
    let (bits, words) = format(call, dim)?;
    call.expect_shape("rotation", &[dim, dim])?;
    call.expect_shape("boundaries", &[(1 << bits) - 1])?;
    call.elems("x")?;
    let mut plan = Plan::new();
    let codes = plan.output("codes", DType::U32, &[rows, words]);
    let norms = plan.output("norms", DType::F32, &[rows]);
    let lanes = Lanes::for_any_row(dim);
    let kernel = with_real!(call, call.dtype("x"), T => codebook_encode::<T>(bits, lanes))?;
    let inputs = ["x", "rotation", "boundaries", "codebook"].map(|name| call.buffer(name));
    let rest = [codes.buffer(), norms.buffer(), rows.into(), dim.into(), words.into()];
    plan.step(kernel, inputs.into_iter().chain(rest));
    Ok(plan)
}

fn plan_decode(call: &Call<'_>) -> Result<Plan, PlanError> {
    let dim = call.int_in("dim", 0..=i64::from(u32::MAX))?;
    let (rows, bits, words) = coded(call, dim)?;
    let dtype = call.dtype_word("dtype");
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, &[rows, dim]);
    let kernel = with_real!(call, dtype, T => codebook_decode::<T>(bits))?;
    let inputs = ["codes", "norms", "codebook"].map(|name| call.buffer(name));
    let rest = [y.buffer(), rows.into(), dim.into(), words.into()];
    plan.step(kernel, inputs.into_iter().chain(rest));
    Ok(plan)
}

fn plan_score(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [queries, dim] = call.shape("query")?;
    let (rows, bits, words) = coded(call, dim)?;
    call.product("y", &[queries, rows])?;
    let mut plan = Plan::new();
    let y = plan.output("y", DType::F32, &[queries, rows]);
    let kernel = call.staged(codebook_score(bits))?;
    let inputs = ["query", "codes", "norms", "codebook"].map(|name| call.buffer(name));
    let rest = [y.buffer(), rows.into(), dim.into(), words.into(), queries.into()];
    plan.step(kernel, inputs.into_iter().chain(rest));
    Ok(plan)
}

fn plan_mix(call: &Call<'_>) -> Result<Plan, PlanError> {
    let dim = call.int_in("dim", 0..=i64::from(u32::MAX))?;
    let (rows, bits, words) = coded(call, dim)?;
    let [queries, _] = call.shape("weights")?;
    call.expect_shape("weights", &[queries, rows])?;
    call.product("y", &[queries, dim])?;
    let mut plan = Plan::new();
    let y = plan.output("y", DType::F32, &[queries, dim]);
    let kernel = call.staged(codebook_mix(bits))?;
    let inputs = ["weights", "codes", "norms", "codebook"].map(|name| call.buffer(name));
    let rest = [y.buffer(), rows.into(), dim.into(), words.into(), queries.into()];
    plan.step(kernel, inputs.into_iter().chain(rest));
    Ok(plan)
}

fn reference_encode(known: &Known<'_>) -> Vec<Expected> {
    let (dim, bits) = (known.extent("x", 1), Call::int(known, "bits") as usize);
    let (rotation, codebook) = (known.float("rotation"), known.float("codebook"));
    let (mut codes, mut norms) = (Vec::new(), Vec::new());
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    for x in known.float("x").chunks(dim) {
        let norm = length(x);
        let code = |i: usize| {
            let dot: f64 = rotation[i * dim..].iter().zip(x).map(|(r, x)| r * x).sum();
            let turned = if norm == 0.0 { 0.0 } else { dot / norm };
            known.float("boundaries").iter().filter(|b| turned > **b).count()
        };
        let of_row: Vec<usize> = (0..dim).map(code).collect();
        let centroids = length(&of_row.iter().map(|c| codebook[*c]).collect::<Vec<_>>());
        norms.push(if centroids == 0.0 { 0.0 } else { norm / centroids });
        let bit = |at: usize| at < dim * bits && of_row[at / bits] >> (at % bits) & 1 == 1;
        codes.extend(
            (0..(dim * bits).div_ceil(32))
                .map(|w| (0..32).map(|b| i128::from(bit(w * 32 + b)) << b).sum::<i128>()),
        );
    }
    vec![Expected::int("codes", codes), Expected::float("norms", norms)]
}

fn reference_read(known: &Known<'_>) -> Vec<Expected> {
    let bits = Call::int(known, "bits") as usize;
    let dim = match known.op {
        "codebook_score" => known.extent("query", 1),
        _ => Call::int(known, "dim") as usize,
    };
    let (words, norms) = (known.extent("codes", 1), known.float("norms"));
    let rows = norms.len();
    // Element i of row t, without the norm.
    let centroid = |t: usize, i: usize| {
        let bit = |at: usize| known.int("codes")[t * words + at / 32] >> (at % 32) & 1;
        known.float("codebook")[(0..bits).map(|b| (bit(i * bits + b) as usize) << b).sum::<usize>()]
    };
    let (mut y, mut sizes) = (Vec::new(), Vec::new());
    let mut push = |terms: &mut dyn Iterator<Item = f64>| {
        let terms: Vec<f64> = terms.collect();
        y.push(terms.iter().fold(-0.0, |sum, term| sum + term));
        sizes.push(terms.iter().map(|t| t.abs()).sum());
    };
    match known.op {
        "codebook_decode" => (0..rows * dim)
            .for_each(|at| push(&mut [norms[at / dim] * centroid(at / dim, at % dim)].into_iter())),
        "codebook_score" => (0..known.extent("query", 0) * rows).for_each(|at| {
            let (q, t) = (&known.float("query")[at / rows * dim..], at % rows);
            push(&mut (0..dim).map(|i| norms[t] * q[i] * centroid(t, i)));
        }),
        _ => (0..known.extent("weights", 0) * dim).for_each(|at| {
            let (w, i) = (&known.float("weights")[at / dim * rows..], at % dim);
            push(&mut (0..rows).map(|t| w[t] * norms[t] * centroid(t, i)));
        }),
    }
    vec![Expected::sum("y", y, sizes)]
}

fn cases(entry: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let f32 = DType::F32;
    let shapes: [[u32; 3]; 8] = [
        [1, 1, 1],
        [5, 64, 3],
        [3, 33, 2],
        [4, 70, 6],
        [2, 128, 4],
        [3, 45, 8],
        [3, 100, 5],
        [2, 19, 7],
    ];
    for (at, [rows, dim, bits]) in shapes.into_iter().enumerate() {
        let levels = 1u32 << bits;
        let words = (dim * bits).div_ceil(32);
        // Directions of `dim` elements have a standard deviation of 1 / sqrt(dim); the centroids cover two of them.
        let span = 2.0 / f64::from(dim).sqrt();
        let step = 2.0 * span / f64::from(levels);
        let centroids = Pattern::ramp(-span + 0.45 * step, step);
        for &dtype in if at % 4 == 1 { REALS } else { F32 } {
            let case = Case::new(format!("{rows}x{dim} of {bits}"), dtype).set("bits", bits);
            let case = case.input_as("codebook", f32, &[levels], centroids.clone());
            if entry.name == "codebook_encode" {
                let scale = 1.0 / f64::from(dim).sqrt();
                let rotation = Pattern::Normal { seed: 8, mean: 0.0, sd: scale };
                let case = case
                    .input("x", &[rows, dim], Pattern::Normal { seed: 3, mean: 0.0, sd: 4.0 })
                    .input_as("rotation", f32, &[dim, dim], rotation)
                    .input_as("boundaries", f32, &[levels - 1], Pattern::ramp(step - span, step));
                // Half the roundings of two sums of squares, two roots and a quotient.
                all.push(case.bound(Ulp(f64::from(dim.div_ceil(1_024)) + 16.0)));
                continue;
            }
            let case = case
                .input_as("codes", DType::U32, &[rows, words], Pattern::Bits { seed: 5 })
                .input_as("norms", f32, &[rows], Pattern::uniform(6, 0.5, 9.0));
            let terms = Bound::sum(f64::from(rows.max(dim)) + 8.0);
            let queries = |of| Pattern::normal(of);
            match entry.name {
                "codebook_decode" => all.push(
                    case.set("dim", dim).word("dtype", dtype.name()).bound(if dtype == f32 {
                        Exact
                    } else {
                        Ulp(0.501)
                    }),
                ),
                _ if dtype != f32 => {}
                "codebook_score" => {
                    all.push(case.input("query", &[3, dim], queries(7)).bound(terms));
                }
                _ => all.push(
                    case.set("dim", dim).input("weights", &[3, rows], queries(7)).bound(terms),
                ),
            }
        }
    }
    let none = |case: &Case, name: &str| Case { name: name.into(), ..case.clone() };
    let first = all[1].clone();
    if entry.name == "codebook_encode" {
        let zeros = Pattern::normal(3).with(&[(64, 0.0)]);
        let mut some = none(&first, "zeros").input("x", &[2, 64], zeros);
        some.inputs.insert("x".into(), Pattern::Cycle([vec![0.0; 64], vec![-1.0; 64]].concat()));
        all.push(some);
        all.push(none(&first, "empty").input("x", &[0, 64], Pattern::normal(1)).empty());
    } else {
        let empty = none(&first, "empty")
            .input_as("codes", DType::U32, &[0, 6], Pattern::Constant(0.0))
            .input_as("norms", f32, &[0], Pattern::Constant(0.0));
        // The mix of no rows is -0.0.
        let weights = Pattern::Constant(1.0);
        all.push(match entry.name {
            "codebook_mix" => empty.input("weights", &[3, 0], weights).bound(Exact),
            _ => empty.empty(),
        });
    }
    all
}
