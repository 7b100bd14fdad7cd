//! From codes to weights: `w[r, i] = decode(code[s, i]) * scale (+ bias) (* global)` with s = r, or `index[r]` where rows are
//! gathered, as embeddings are.

use super::{
    cases::{exact, format, packed_case, random, scales, with_block},
    format::{FORMATS, Scheme},
    plans::{self, Matrix, packed_inputs, with_packed},
    reference,
};
use crate::{
    pieces::{
        each::{THREADS, multiple, per},
        packed::{Packed, weights},
    },
    prelude::*,
};

const INPUTS: [InputSpec; 4] = packed_inputs!("");

/// The operation.
pub const ENTRY: Entry = Entry::new("dequantize", "quant", plan, reference, cases)
    .summary("w = decode(code) * scale (+ bias) (* global)")
    .inputs(&[
        INPUTS[0],
        INPUTS[1],
        INPUTS[2],
        INPUTS[3],
        InputSpec::new("index", &[DType::U32], "[n]: which rows; all of them without it")
            .optional(),
    ])
    .outputs(&[OutputSpec::new("w", "[rows of codes or of index, k]")])
    .settings(&[SettingSpec::required_int("k", "weights of a row"), plans::BLOCK])
    .words(&[plans::FORMAT, WordSpec::new("dtype", &["f32", "f16", "bf16"], "of w")])
    .bench(bench);

/// Definition: one thread `per` neighbours, a power of two that divides `k` and a run.
#[kernel(group = THREADS, grid = (k.div_ceil(THREADS * per), n))]
pub fn dequantize<T: Real, C: Int, S: Element>(
    #[len(rows * k.div_ceil(scheme.unit_elems()) * scheme.units())] codes: &In<C>,
    #[len(rows * k.div_ceil(scheme.block) * scheme.scale_rows())] scales: &In<S>,
    #[len(rows * k.div_ceil(scheme.block) * scheme.bias_rows())] biases: &In<S>,
    #[len(parts)] global: &In<f32>,
    #[len(n * u32::from(gathered))] index: &In<u32>,
    #[len(n * k)] w: &mut Out<T>,
    rows: u32,
    parts: u32,
    n: u32,
    k: u32,
    #[comptime] scheme: Scheme,
    #[comptime] gathered: bool,
    #[comptime] per: u32,
) {
    let k = multiple(per, k);
    let i = global_id() * per;
    let row = if gathered { index[group_id_y()] } else { group_id_y() };
    if gathered {
        assert!(row < rows, "an index names a row that there is");
    }
    if i < k {
        let of = Packed { scheme, rows, parts, k, codes, scales, biases, global };
        let to = (group_id_y() as u64) * (k as u64) + (i as u64);
        let all = weights(&of, row, i, per);
        for j in 0..per {
            w[to + j as u64] = all[j as usize] as T;
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    fn staged<T: Real>(of: &Matrix, gathered: bool, k: u32) -> Result<Kernel, StageError> {
        // Rows whose length has no such divisor do not start aligned.
        let whole = per(&[T::DTYPE]).min(of.scheme.run());
        let per = if k.is_multiple_of(whole) { whole } else { 1 };
        with_packed!(of, [C, S] => dequantize::<T, C, S>(of.scheme, gathered, per))
    }
    let k = call.int_in("k", 0..=i64::from(u32::MAX / 32))?;
    let [rows, _] = call.shape::<2>("codes")?;
    let mut plan = Plan::new();
    let of = plans::matrix(call, &mut plan, "", &[rows], k)?;
    let (gathered, index, n) = if call.has("index") {
        let [n] = call.shape::<1>("index")?;
        (true, call.buffer("index"), n)
    } else {
        (false, plan.temp(DType::U32, &[0]).buffer(), rows)
    };
    let dtype = call.dtype_word("dtype");
    let w = plan.output("w", dtype, &[n, k]);
    let kernel = with_real!(call, dtype, T => staged::<T>(&of, gathered, k))?;
    let scalars = [rows, of.parts, n, k].map(Arg::from);
    plan.step(kernel, of.tensors.into_iter().chain([index, w.buffer()]).chain(scalars));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let k = Call::int(known, "k") as usize;
    let all: Vec<f64> = reference::weights(known, "", k).into_iter().map(|w| w.value()).collect();
    let w = match known.has("index") {
        true => {
            let rows = known.int("index").iter().map(|&row| row as usize);
            rows.flat_map(|row| all[row * k..(row + 1) * k].to_vec()).collect()
        }
        false => all,
    };
    vec![Expected::float("w", w)]
}

/// The product of a code and a scale is rounded once in f32, and so is what a bias makes of it (a code and an 8-bit scale are exact
/// before the matrix's own): f32 has the bits of the reference; a 16-bit dtype rounds a second time.
fn cases(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for f in FORMATS {
        let twice = f.scales.contains(&DType::F32) || f.scheme.global || f.scheme.bias;
        let whole = f.scheme.blocks.is_some();
        let mut add = |name: &str, dtype: DType, [n, k]: [u32; 2], content: [Pattern; 2]| {
            let bound = if dtype != DType::F32 && twice { Ulp(0.51) } else { Exact };
            let case = packed_case(name, dtype, f, [n, k], content);
            cases.push(case.set("k", k).word("dtype", dtype.name()).bound(bound));
        };
        for &dtype in REALS {
            // Every code, NaN and infinities included, at every place of a word.
            let bytes = Pattern::CycleInt((0..256).map(|i| i * 0x0105_0b1d % (1 << 32)).collect());
            let every = if whole { exact(f, 3, 256, 4) } else { [bytes, scales(f)] };
            add("every code", dtype, [3, 256], every);
            let [n, k] = if whole { [5, 512] } else { [5, 77] };
            add("ragged", dtype, [n, k], random(f, n, k, 3));
        }
        if f.scales.iter().all(|s| s.bits() == 8) && !whole {
            // All scales, from the least to NaN.
            let [n, k] = [8, 32 * f.scheme.block];
            let [codes, _] = random(f, n, k, 5);
            add("every scale", DType::F32, [n, k], [codes, Pattern::Codes]);
        }
    }
    // Every point, under signs and scales of many kinds, and d that is no number.
    let f = format("iq2_xxs");
    let mut blocks: Vec<i128> = (0..8 * 66)
        .map(|i| match i % 66 {
            0 => 0,
            1 => 0x3c,
            at if (at + 6) % 8 < 4 => i / 66 * 32 + (at - 2) / 8 * 4 + (at - 2) % 8,
            _ => i * 151 % 256,
        })
        .collect();
    let case = packed_case(
        "every point",
        DType::F32,
        &f,
        [8, 256],
        [Pattern::CycleInt(blocks.clone()), scales(&f)],
    );
    cases.push(case.set("k", 256));
    blocks[1] = 0x7e;
    blocks[67] = 0xfc;
    let case = packed_case(
        "nan and inf",
        DType::F32,
        &f,
        [2, 256],
        [Pattern::CycleInt(blocks), scales(&f)],
    );
    cases.push(case.set("k", 256));
    // Rows of a table, one of them twice.
    for f in ["nvfp4", "mxfp8_e5m2", "int6", "int3_f16", "int7_48", "affine3", "q4_k", "iq2_xxs"]
        .map(format)
    {
        let k = if f.scheme.blocks.is_some() { 256 } else { 70 };
        let case = packed_case("gathered", DType::F32, &f, [9, k], random(&f, 9, k, 8));
        let index = Pattern::CycleInt(vec![8, 0, 4, 4]);
        cases.push(case.set("k", k).input_as("index", DType::U32, &[4], index));
    }
    // Groups of other lengths than the format's, and what is no number.
    for (i, block) in [16, 20, 32, 96, 128].into_iter().enumerate() {
        let f = with_block(&format(["affine3", "affine4"][i % 2]), block);
        let name = format!("block {block}");
        let case = packed_case(&name, DType::F32, &f, [4, 200], random(&f, 4, 200, 2));
        cases.push(case.set("k", 200).set("block", block));
    }
    let f = format("affine4");
    let [codes, _] = random(&f, 2, 100, 1);
    let special = Pattern::Cycle(vec![f64::NAN, 1.0, f64::INFINITY, 0.0]);
    let case = packed_case("nan and inf", DType::F32, &f, [2, 100], [codes, special]);
    let biases = Pattern::Cycle(vec![1.0, f64::INFINITY, 2.0, f64::NAN]);
    cases.push(case.set("k", 100).input("biases", &[2, 2], biases));
    for [n, k] in [[0, 64], [3, 0]] {
        let f = format("nvfp4");
        let case = packed_case("empty", DType::F32, &f, [n, k], exact(&f, n, k, 0));
        cases.push(case.set("k", k).empty());
    }
    cases
}

fn bench(_: &Entry) -> Vec<Bench> {
    let of = |(name, n, scale): (&str, u32, Scale)| {
        let (f, k) = (format("mxfp4"), 4_096);
        let case = packed_case(name, DType::F16, &f, [n, k], random(&f, n, k, 1))
            .set("k", k)
            .word("dtype", "f16");
        // A weight is 4 bits and a quarter of a bit of scale, and becomes 16.
        let bytes = u64::from(n) * u64::from(k) * (32 + 2 + 128) / 64;
        Bench { case, bytes, flops: 0, scale }
    };
    [("bench", 256, Scale::Host), ("16384x4096", 16_384, Scale::Device)].map(of).into()
}
