//! Packed matrices times vectors: `y[t, r] = sum_k w[s, k] x[t, k]`, s row r of the matrix, or of `expert[t]` of several.
//!
//! The order of the sum is that of `pieces::packed`. With `norm` a vector is RMS-normalised first, in f32, by the steps of
//! `rms_norm`. With `rows_1` and on, the last rows make outputs of their own: keys and values beside queries.

use super::{
    cases::{exact, format, packed_case, product_bound, random, with_block},
    format::{Code, FORMATS, Scheme},
    plans::{self, Matrix, packed_inputs, with_packed},
    reference,
};
use crate::{
    pieces::{
        fold::{ACCUMULATORS, Lanes, ROW_ELEMS, Row},
        norm::row_inverse_rms,
        packed::{Packed, row_product},
    },
    prelude::*,
};

/// Rows of a group, a subgroup each.
const ROWS: u32 = 8;
const INPUTS: [InputSpec; 4] = packed_inputs!("");
const OUTPUTS: [&str; 4] = ["y", "y1", "y2", "y3"];

/// The operation.
pub const ENTRY: Entry = Entry::new("gemv_quantized", "quant", plan, reference, cases)
    .summary("y[t,r] = sum_k w[r,k] x[t,k], w packed, x RMS-normalised if there is `norm`")
    .inputs(&[
        INPUTS[0],
        INPUTS[1],
        INPUTS[2],
        INPUTS[3],
        InputSpec::new("x", REALS, "[k], or [m, k] for m vectors"),
        InputSpec::new(
            "expert",
            &[DType::U32],
            "[m]: which of the stacked matrices each row of x meets",
        )
        .optional(),
        InputSpec::like("norm", "x", "[k]: weight of the RMS norm of x").optional(),
    ])
    .outputs(&[
        OutputSpec::new("y", "[n], or [m, n]; dtype of x"),
        OutputSpec::new("y1", "the sums of rows_1 rows behind those"),
        OutputSpec::new("y2", "the sums of rows_2 rows behind those"),
        OutputSpec::new("y3", "the sums of rows_3 rows behind those"),
    ])
    .settings(&[
        plans::BLOCK,
        SettingSpec::int("experts", 1, "matrices of equal size, stacked along the rows"),
        SettingSpec::int("rows_1", 0, "rows whose sums are y1"),
        SettingSpec::int("rows_2", 0, "rows whose sums are y2"),
        SettingSpec::int("rows_3", 0, "rows whose sums are y3"),
        SettingSpec::float("eps", 1e-5, "of the norm: added to the mean square"),
    ])
    .words(&[plans::FORMAT])
    .bench(bench);

/// What a product does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Each vector meets the matrix of its expert.
    pub stacked: bool,
    /// Vectors are normalised.
    pub normed: bool,
    /// How many outputs there are.
    pub outputs: u32,
}

/// Definition: a subgroup a row.
#[kernel(group = (32, ROWS), grid = (n.div_ceil(ROWS), m))]
pub fn gemv_quantized<T: Real, C: Int, S: Element>(
    #[len(rows * k.div_ceil(scheme.unit_elems()) * scheme.units())] codes: &In<C>,
    #[len(rows * k.div_ceil(scheme.block) * scheme.scale_rows())] scales: &In<S>,
    #[len(rows * k.div_ceil(scheme.block) * scheme.bias_rows())] biases: &In<S>,
    #[len(parts)] global: &In<f32>,
    #[len(m * u32::from(form.stacked))] expert: &In<u32>,
    #[len(m * k)] x: &In<T>,
    #[len(k * u32::from(form.normed))] norm: &In<T>,
    #[len(m * ends_0)] y: &mut Out<T>,
    #[len(m * (ends_1 - ends_0))] y1: &mut Out<T>,
    #[len(m * (ends_2 - ends_1))] y2: &mut Out<T>,
    #[len(m * (n - ends_2))] y3: &mut Out<T>,
    rows: u32,
    parts: u32,
    m: u32,
    n: u32,
    k: u32,
    ends_0: u32,
    ends_1: u32,
    ends_2: u32,
    eps: f32,
    #[comptime] scheme: Scheme,
    #[comptime] form: Form,
) {
    let token = group_id_y();
    let row = group_id() * ROWS + local_id_y();
    let matrix = if form.stacked { expert[token] } else { val(0u32) };
    if form.stacked {
        assert!(matrix < rows / n, "an expert is one that there is");
    }
    let first_x = (token as u64) * (k as u64);
    let inverse = if form.normed {
        let lanes = Lanes { accumulators: ACCUMULATORS, threads: 32 * ROWS, width: 1, rounds: 0 };
        row_inverse_rms(&Row::new(lanes, k, |i| x[first_x + i as u64] as f32), eps)
    } else {
        val(1.0f32)
    };
    let of = Packed { scheme, rows, parts, k, codes, scales, biases, global };
    let vector = |i: Val<u32>| {
        let v = x[first_x + i as u64] as f32;
        if form.normed { v * inverse * (norm[i] as f32) } else { v }
    };
    let sum = row_product(&of, matrix * n + row, select(row < n, k, 0), &vector);
    if local_id() == 0 && row < n {
        let t = token as u64;
        if row < ends_0 {
            y[t * ends_0 as u64 + row as u64] = sum as T;
        }
        if form.outputs > 1 {
            if row >= ends_0 && row < ends_1 {
                y1[t * (ends_1 - ends_0) as u64 + (row - ends_0) as u64] = sum as T;
            }
        }
        if form.outputs > 2 {
            if row >= ends_1 && row < ends_2 {
                y2[t * (ends_2 - ends_1) as u64 + (row - ends_1) as u64] = sum as T;
            }
        }
        if form.outputs > 3 {
            if row >= ends_2 {
                y3[t * (n - ends_2) as u64 + (row - ends_2) as u64] = sum as T;
            }
        }
    }
}

/// How many rows each output has, of `n`.
fn split(call: &Call<'_>, n: u32) -> Result<[u32; 4], PlanError> {
    let [a, b, c] = ["rows_1", "rows_2", "rows_3"].map(|name| call.int_in(name, 0..=i64::from(n)));
    let (a, b, c) = (a?, b?, c?);
    let rest = n.checked_sub(a).and_then(|n| n.checked_sub(b)).and_then(|n| n.checked_sub(c));
    let rest = rest.ok_or_else(|| call.wrong("the sum of `rows_1` and on", n, "more"))?;
    let holes = a == 0 && b + c > 0 || b == 0 && c > 0;
    call.require(!holes, || {
        let all = format!("{a}, {b}, {c}");
        ("`rows_1` and on".into(), "0 only behind the last output".into(), all)
    })?;
    Ok([rest, a, b, c])
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    fn staged<T: Real>(of: &Matrix, form: Form) -> Result<Kernel, StageError> {
        with_packed!(of, [C, S] => gemv_quantized::<T, C, S>(of.scheme, form))
    }
    let (m, k) = call.rows("x")?;
    call.expect(k <= ROW_ELEMS, "`k`", "at most 2^31", k)?;
    let [rows, _] = call.shape::<2>("codes")?;
    let mut plan = Plan::new();
    let of = plans::matrix(call, &mut plan, "", &[rows], k)?;
    let experts = call.int_in("experts", 1..=i64::from(u32::MAX))?;
    call.require(rows.is_multiple_of(experts), || {
        let want = format!("a multiple of {experts} experts");
        ("the rows of `codes`".into(), want, rows.to_string())
    })?;
    let n = rows / experts;
    let (stacked, expert) = if call.has("expert") {
        call.expect_shape("expert", &[m])?;
        (true, call.buffer("expert"))
    } else {
        call.expect(experts == 1, "`experts` without `expert`", "1", experts)?;
        (false, plan.temp(DType::U32, &[0]).buffer())
    };
    let (dtype, normed) = (call.dtype("x"), call.has("norm"));
    let norm = if normed {
        call.expect_shape("norm", &[k])?;
        call.buffer("norm")
    } else {
        call.buffer("x")
    };
    let sizes = split(call, n)?;
    let lead = match *call.dims("x") {
        [_] => vec![],
        [m, _] => vec![m],
        ref other => return Err(call.wrong("the rank of `x`", "1 or 2", other.len())),
    };
    let mut ys = Vec::new();
    for (name, size) in OUTPUTS.into_iter().zip(sizes) {
        ys.push(if size > 0 || name == "y" {
            plan.output(name, dtype, &[&lead[..], &[size]].concat()).buffer()
        } else {
            plan.temp(dtype, &[0]).buffer()
        });
    }
    let outputs = 1 + sizes[1..].iter().filter(|&&size| size > 0).count() as u32;
    let form = Form { stacked, normed, outputs };
    let kernel = with_real!(call, dtype, T => staged::<T>(&of, form))?;
    let [a, b, c, _] = sizes;
    let scalars = [rows, of.parts, m, n, k, a, a + b, a + b + c].map(Arg::from);
    let eps = Arg::float(DType::F32, call.float("eps"));
    let tensors = of.tensors.into_iter().chain([expert, call.buffer("x"), norm]).chain(ys);
    plan.step(kernel, tensors.chain(scalars).chain([eps]));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let shape = known.extents("x");
    let (k, m) =
        (*shape.last().expect("checked by the plan"), shape[..shape.len() - 1].iter().product());
    let mut x = known.float("x").to_vec();
    if known.has("norm") {
        let eps = number::round(DType::F32, Call::float(known, "eps"));
        for row in x.chunks_mut(k.max(1)) {
            let mean = row.iter().map(|x| x * x).sum::<f64>() / k as f64;
            let weighted = |(x, w): (&f64, &f64)| x / (mean + eps).sqrt() * w;
            let all: Vec<f64> = row.iter().zip(known.float("norm")).map(weighted).collect();
            row.copy_from_slice(&all);
        }
    }
    let w = reference::weights(known, "", k);
    let n = known.extent("codes", 0) / Call::int(known, "experts") as usize;
    let expert = |t: usize| if known.has("expert") { known.int("expert")[t] as usize } else { 0 };
    let (y, magnitude) = reference::products(&w, &x, [m, n, k], expert);
    let sizes = split(known, n as u32).expect("checked by the plan").map(|size| size as usize);
    let mut first = 0;
    let mut all = Vec::new();
    for (name, size) in OUTPUTS.into_iter().zip(sizes) {
        let part = |of: &[f64]| {
            (0..m).flat_map(|t| of[t * n + first..][..size].to_vec()).collect::<Vec<_>>()
        };
        if size > 0 || name == "y" {
            all.push(Expected::sum(name, part(&y), part(&magnitude)));
        }
        first += size;
    }
    all
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for (i, f) in FORMATS.iter().enumerate() {
        let whole = f.scheme.blocks.is_some();
        // What x is read as and the format meet in one place of the kernel: each format has one dtype, in turn.
        let dtype = REALS[i % 3];
        for turn in 0..3 {
            let (n, k) = (9 + turn, if whole { 512 } else { 192 + 7 * i as u32 + 32 * turn });
            let case = packed_case("normal", dtype, f, [n, k], random(f, n, k, i as u64));
            let case = case.input("x", &[2, k], Pattern::normal(i as u64));
            cases.push(case.bound(product_bound(&f.scheme, k, 0.0)));
            if matches!(f.scheme.code, Code::E4M3 | Code::E5M2 | Code::Point) {
                continue;
            }
            // Halves at least and small, so that sums are exact.
            let (n, k) = (3 + turn, if whole { 1024 } else { 1061 + turn });
            let case = packed_case("exact", dtype, f, [n, k], exact(f, n, k, 9));
            cases.push(case.input("x", &[k], Pattern::Positions));
        }
        if !whole {
            // A single code, and x that one place of the row alone sees.
            let one = packed_case("one", DType::F32, f, [1, 1], random(f, 1, 1, 4));
            let one = one.input("x", &[1, 1], Pattern::Positions);
            cases.push(one.bound(product_bound(&f.scheme, 1, 0.0)));
            let codes = random(f, 2, 100, 6);
            let single = packed_case("single", DType::F32, f, [2, 100], codes);
            let x = Pattern::Constant(0.0).with(&[(67, 1.0)]);
            cases.push(single.input("x", &[100], x).bound(product_bound(&f.scheme, 100, 0.0)));
        }
    }
    // Groups of other lengths than the format's.
    for (i, block) in [16, 20, 32, 48, 128].into_iter().enumerate() {
        let f = with_block(&format(["affine4", "affine5"][i % 2]), block);
        let case =
            packed_case(&format!("block {block}"), DType::F32, &f, [3, 299], exact(&f, 3, 299, 7));
        cases.push(case.set("block", block).input("x", &[299], Pattern::Positions));
    }
    for name in ["mxfp4", "nvfp4", "affine4", "q6_k", "int7_48", "iq2_xxs"] {
        let f = format(name);
        let k = if f.scheme.blocks.is_some() { 256 } else { 100 };
        // Three stacked matrices of three rows.
        let case = packed_case("stacked", DType::F32, &f, [9, k], random(&f, 9, k, 12));
        let expert = Pattern::CycleInt(vec![2, 0, 1, 1, 2]);
        let case = case.set("experts", 3).input_as("expert", DType::U32, &[5], expert);
        let case = case.input("x", &[5, k], Pattern::normal(3));
        cases.push(case.bound(product_bound(&f.scheme, k, 0.0)));
        // Queries, keys and values of a normalised vector; then four outputs of plain ones.
        let case = packed_case("split", DType::F32, &f, [22, k], random(&f, 22, k, 13));
        let case = case.set("rows_1", 3).set("rows_2", 5);
        let normed = case
            .clone()
            .input("x", &[2, k], Pattern::normal(5))
            .input("norm", &[k], Pattern::uniform(6, 0.5, 1.5))
            .bound(product_bound(&f.scheme, k, 0.5 * (f64::from(k) / 1024.0 + 13.0) + 4.0));
        cases.push(normed);
        let four = packed_case("four", DType::F16, &f, [22, k], random(&f, 22, k, 14));
        let four = four.set("rows_1", 3).set("rows_2", 5).set("rows_3", 1);
        let four = four.input("x", &[3, k], Pattern::normal(5));
        cases.push(four.bound(product_bound(&f.scheme, k, 0.0)));
    }
    let f = format("mxfp4");
    for (n, m, k) in [(0, 2, 64), (3, 0, 64)] {
        let case = packed_case(&format!("empty {m}"), DType::F32, &f, [n, k], exact(&f, n, k, 0));
        cases.push(case.input("x", &[m, k], Pattern::Positions).empty());
    }
    // The sum of nothing is -0.0.
    let case = packed_case("k = 0", DType::F32, &f, [3, 0], exact(&f, 3, 0, 0));
    cases.push(case.input("x", &[0], Pattern::Positions));
    // One NaN and one infinity reach the sums of their vectors, and no other.
    for (name, other) in [("mxint4", f64::INFINITY), ("affine4", 3.0)] {
        let f = format(name);
        let x = Pattern::Positions.with(&[(40, f64::NAN), (65, other)]);
        let case = packed_case("nan", DType::F32, &f, [2, 50], exact(&f, 2, 50, 1));
        cases.push(case.input("x", &[3, 50], x));
    }
    cases
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (n, k) = (2048, 2048);
    let elems = u64::from(n) * u64::from(k);
    let of = |name| {
        let f = format(name);
        let case = packed_case("bench", DType::F16, &f, [n, k], random(&f, n, k, 1))
            .input("x", &[k], Pattern::normal(2))
            .bound(product_bound(&f.scheme, k, 0.0));
        let scale_bits = f.scales.first().map_or(0, |s| s.bits() / f.scheme.block);
        let bits = u64::from(
            f.scheme.units() * if scale_bits > 0 || f.scheme.blocks.is_none() { 1 } else { 8 },
        );
        let bytes = elems * bits / u64::from(f.scheme.unit_elems()) / 8;
        Bench { case, bytes, flops: 2 * elems, scale: Scale::Host }
    };
    ["mxfp4", "nvfp4", "mxfp8_e4m3", "int5_f16", "affine4", "q4_k"].map(of).into()
}
