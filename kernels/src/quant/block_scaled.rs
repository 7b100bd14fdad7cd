//! Block-scaled weights: `w = decode(code) * scale`, times a global f32 scale for `nvfp4`.
//! Matrices stacked along the rows have a global scale each.
//!
//! The 30 formats are the rows of `FORMATS`; the kernels are those of `packed`.

use super::{
    format::{Code, FORMAT_WORDS, FORMATS, Format, Scheme, row_words},
    packed,
    plans::{self, EXPERT, EXPERTS, INDEX},
    weights::{self, product_bound, random_codes},
};
use crate::prelude::*;

const FORMAT: WordSpec = WordSpec::new("format", &FORMAT_WORDS, "how a weight is stored");
const CODES: InputSpec =
    InputSpec::new("codes", &[DType::U32], "[rows, ceil(k / 32) * bits of a code] words");
const SCALES: InputSpec =
    InputSpec::new("scales", packed::SCALES, "[rows, ceil(k / block)], dtype of the format");
const GLOBAL: InputSpec = InputSpec::new(
    "global",
    &[DType::F32],
    "[parts], for nvfp4 only: one for each of equal parts of the rows",
)
.optional();

/// From codes to weights.
pub const DEQUANTIZE: Entry = Entry {
    name: "dequantize_block_scaled",
    family: "quant",
    summary: "w = decode(code) * scale (* global)",
    signature: Signature {
        inputs: &[CODES, SCALES, GLOBAL, INDEX],
        outputs: &[OutputSpec::new("w", "[rows of codes or of index, k]")],
        settings: &[SettingSpec::required_int("k", "weights of a row")],
        words: &[FORMAT, WordSpec::new("dtype", &["f32", "f16", "bf16"], "of w")],
    },
    plan: plan_dequantize,
    reference: dequantized,
    cases: dequantize_cases,
    bench: dequantize_bench,
};

/// A block-scaled matrix times vectors.
pub const GEMV: Entry = Entry {
    name: "gemv_block_scaled",
    family: "quant",
    summary: "y[t,r] = sum_k decode(code[r,k]) * scale (* global) * x[t,k]",
    signature: Signature {
        inputs: &[
            CODES,
            SCALES,
            GLOBAL,
            InputSpec::new("x", REALS, "[k], or [m, k] for m vectors"),
            EXPERT,
        ],
        outputs: &[OutputSpec::new("y", "[n], or [m, n]; dtype of x")],
        settings: &[EXPERTS],
        words: &[FORMAT],
    },
    plan: |call| plans::products(call, scheme(call)?),
    reference: |known| weights::products(known, format(known).scheme),
    cases: gemv_cases,
    bench: gemv_bench,
};

fn format(call: &Call<'_>) -> Format {
    Format::named(call.word("format")).expect("the signature lists the formats")
}

/// The scheme of the format, whose dtype of scales the request must have, and whose global scales if any.
fn scheme(call: &Call<'_>) -> Result<Scheme, PlanError> {
    let format = format(call);
    let got = call.dtype("scales");
    call.require(got == format.scale, || {
        let what = format!("the dtype of `scales` for {}", format.name);
        (what, format.scale.name().into(), got.name().into())
    })?;
    call.require(call.has("global") == format.scheme.global, || {
        let want = if format.scheme.global { "given" } else { "left out" };
        let got = if call.has("global") { "given" } else { "left out" };
        (format!("`global` for {}", format.name), want.into(), got.into())
    })?;
    Ok(format.scheme)
}

fn plan_dequantize(call: &Call<'_>) -> Result<Plan, PlanError> {
    let k = call.int_in("k", 0..=i64::from(u32::MAX / 32))?;
    plans::unpacked(call, scheme(call)?, call.dtype_word("dtype"), k)
}

fn dequantized(known: &Known<'_>) -> Vec<Expected> {
    let all = weights::gathered(known, format(known).scheme);
    vec![Expected::float("w", all.into_iter().map(|(scaled, _)| scaled).collect())]
}

fn packed_case(
    name: &str,
    dtype: DType,
    f: &Format,
    [n, k]: [u32; 2],
    codes: Pattern,
    scales: Pattern,
) -> Case {
    let code = f.scheme.code;
    let case = Case::new(format!("{} {name} {n}x{k}", f.name), dtype)
        .word("format", f.name)
        .input_as("codes", DType::U32, &[n, row_words(k, code.bits())], codes)
        .input_as("scales", f.scale, &[n, k.div_ceil(f.scheme.block)], scales);
    if f.scheme.global {
        let parts = if n % 3 == 0 && n > 0 { 3 } else { 1 };
        return case.input_as(
            "global",
            DType::F32,
            &[parts],
            Pattern::Cycle(vec![0.75, -3.0, 1.5]),
        );
    }
    case
}

/// Scales of any size that the format has; none is NaN.
fn scales(f: &Format) -> Pattern {
    match f.scale {
        DType::F8E8M0 => Pattern::Cycle((-9..9).map(|e| 2f64.powi(e)).collect()),
        _ => Pattern::uniform(11, 0.02, 1.7),
    }
}

/// Cases of `dequantize_block_scaled`. The product of a code and a scale is rounded once in f32 (a code
/// and an 8-bit scale are exact before the matrix's own): f32 has the bits of the reference; a 16-bit dtype
/// rounds a second time.
fn dequantize_cases(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for f in &FORMATS {
        let twice = f.scale == DType::F32 || f.scheme.global;
        for &dtype in REALS {
            let bound = if dtype != DType::F32 && twice { Ulp(0.51) } else { Exact };
            // Every code, NaN and infinities included, at every place of a word.
            let bytes = Pattern::CycleInt((0..256).map(|i| i * 0x0105_0b1d % (1 << 32)).collect());
            let (n, k) = (3, 256);
            let case = packed_case("every code", dtype, f, [n, k], bytes, scales(f));
            cases.push(case.set("k", k).word("dtype", dtype.name()).bound(bound));
            let (n, k) = (5, 77);
            let codes = random_codes(f.scheme.code, n, k, 3);
            let case = packed_case("ragged", dtype, f, [n, k], codes, scales(f));
            cases.push(case.set("k", k).word("dtype", dtype.name()).bound(bound));
        }
        if f.scale.bits() == 8 {
            // All scales, from the least to NaN.
            let (n, k) = (8, 32 * f.scheme.block);
            let codes = random_codes(f.scheme.code, n, k, 5);
            let case = packed_case("every scale", DType::F32, f, [n, k], codes, Pattern::Codes);
            cases.push(case.set("k", k).word("dtype", "f32"));
        }
    }
    // Rows of a table, one of them twice.
    for f in ["nvfp4", "mxfp8_e5m2", "int6", "int3_f16"].into_iter().filter_map(Format::named) {
        let codes = random_codes(f.scheme.code, 9, 70, 8);
        let case = packed_case("gathered", DType::F32, &f, [9, 70], codes, scales(&f));
        let index = Pattern::CycleInt(vec![8, 0, 4, 4]);
        cases.push(case.set("k", 70).input_as("index", DType::U32, &[4], index));
    }
    for [n, k] in [[0, 64], [3, 0]] {
        let f = &FORMATS[0];
        let case =
            packed_case("empty", DType::F32, f, [n, k], Pattern::Codes, Pattern::Constant(1.0));
        cases.push(case.set("k", k).empty());
    }
    cases
}

/// Cases of `gemv_block_scaled`.
fn gemv_cases(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for (i, f) in FORMATS.iter().enumerate() {
        let code = f.scheme.code;
        for &dtype in REALS {
            let (n, k) = (9, 192 + 7 * i as u32);
            let codes = random_codes(code, n, k, i as u64);
            let case = packed_case("normal", dtype, f, [n, k], codes, scales(f));
            let x = Pattern::normal(i as u64);
            cases.push(case.input("x", &[2, k], x).bound(product_bound(f.scheme, k)));
            if matches!(code, Code::E4M3 | Code::E5M2) {
                continue;
            }
            // Halves at least and small, so that sums are exact.
            let (n, k) = (3, 1061);
            let powers = Pattern::Cycle(vec![1.0, 2.0, 4.0]);
            let case = packed_case("exact", dtype, f, [n, k], random_codes(code, n, k, 9), powers);
            cases.push(case.input("x", &[k], Pattern::Positions));
        }
        // A single code, and x that one place of the row alone sees.
        let one = packed_case(
            "one",
            DType::F32,
            f,
            [1, 1],
            random_codes(code, 1, 1, 4),
            Pattern::Constant(2.0),
        );
        cases.push(one.input("x", &[1], Pattern::Constant(3.0)));
        let k = 70;
        let peaked =
            packed_case("peaked", DType::F16, f, [4, k], random_codes(code, 4, k, 6), scales(f));
        let x = Pattern::Peaked { row_elems: k, peak: 1.0 };
        cases.push(peaked.input("x", &[k], x).bound(product_bound(f.scheme, k)));
    }
    // Three stacked matrices of three rows.
    for f in ["nvfp4", "mxfp4", "int5", "fp8_e4m3_f16"].into_iter().filter_map(Format::named) {
        for &dtype in REALS {
            let codes = random_codes(f.scheme.code, 9, 100, 8);
            let case = packed_case("stacked", dtype, &f, [9, 100], codes, scales(&f));
            let expert = Pattern::CycleInt(vec![2, 0, 1, 1, 2]);
            cases.push(
                case.set("experts", 3)
                    .input_as("expert", DType::U32, &[5], expert)
                    .input("x", &[5, 100], Pattern::normal(4))
                    .bound(product_bound(f.scheme, 100)),
            );
        }
    }
    for (m, n, k) in [(0, 3, 64), (2, 0, 64)] {
        let f = &FORMATS[1];
        let case = packed_case(
            &format!("empty {m}"),
            DType::F32,
            f,
            [n, k],
            Pattern::Codes,
            Pattern::Constant(1.0),
        );
        cases.push(case.input("x", &[m, k], Pattern::Positions).empty());
    }
    // The sum of nothing is -0.0.
    let case = packed_case(
        "k = 0",
        DType::F32,
        &FORMATS[1],
        [3, 0],
        Pattern::Codes,
        Pattern::Constant(1.0),
    );
    cases.push(case.input("x", &[0], Pattern::Positions));
    cases
}

fn dequantize_bench(_: &Entry) -> Vec<Bench> {
    let of = |(name, n, scale): (&str, u32, Scale)| {
        let (format, k) = (Format::named("mxfp4").expect("the table has it"), 4_096);
        let codes = random_codes(format.scheme.code, n, k, 1);
        let case = packed_case(name, DType::F16, &format, [n, k], codes, scales(&format))
            .set("k", k)
            .word("dtype", "f16");
        // A weight is 4 bits and a quarter of a bit of scale, and becomes 16.
        let bytes = u64::from(n) * u64::from(k) * (32 + 2 + 128) / 64;
        Bench { case, bytes, flops: 0, scale }
    };
    [("bench", 256, Scale::Host), ("16384x4096", 16_384, Scale::Device)].map(of).into()
}

fn gemv_bench(_: &Entry) -> Vec<Bench> {
    let (n, k) = (2048, 2048);
    let elems = u64::from(n) * u64::from(k);
    ["mxfp4", "nvfp4", "mxfp8_e4m3", "int5_f16"]
        .into_iter()
        .filter_map(Format::named)
        .map(|f| {
            let codes = random_codes(f.scheme.code, n, k, 1);
            let case = packed_case("bench", DType::F16, &f, [n, k], codes, scales(&f))
                .input("x", &[k], Pattern::normal(2))
                .bound(product_bound(f.scheme, k));
            let bits = u64::from(f.scheme.code.bits());
            let scale_bits = u64::from(f.scale.bits()) / u64::from(f.scheme.block);
            Bench {
                case,
                bytes: elems * (bits + scale_bits) / 8,
                flops: 2 * elems,
                scale: Scale::Host,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_thirty_formats_of_their_own() {
        for (i, f) in FORMATS.iter().enumerate() {
            assert!(FORMATS[..i].iter().all(|g| g.name != f.name), "{} twice", f.name);
            assert!([16, 32, 64].contains(&f.scheme.block), "{}", f.name);
            assert_eq!(f.scheme.global, f.name == "nvfp4");
            assert_eq!(Format::named(f.name), Some(*f));
        }
        // 32 codes are whole words, the last chunk of a row included.
        assert_eq!(row_words(64, 5), 10);
        assert_eq!(row_words(65, 3), 9);
        assert_eq!(row_words(0, 8), 0);
    }
}
