//! Affine integer quantisation: `w = code * scale + bias`, a scale and a bias for each block along a row.
//!
//! Codes are unsigned, of 2, 3, 4, 5, 6 or 8 bits, packed as `format` says. Quantising takes, for each block,
//! `bias = min`, `scale = (max - min) / (2^bits - 1)` computed in f32 and rounded to the dtype (1 where that
//! is 0), and `code = floor((w - bias) / scale + 0.5)` in f32, limited to the range; NaN becomes 0. Every
//! step is correctly rounded, so the codes are the same everywhere.

use super::{
    format::{Code, Scheme, row_words},
    plans::{self, EXPERT, EXPERTS, INDEX},
    weights,
};
use crate::prelude::*;

const BITS: [u32; 6] = [2, 3, 4, 5, 6, 8];
const BLOCKS: [u32; 3] = [32, 64, 128];
const U32S: &[DType] = &[DType::U32];
const CODES: InputSpec = InputSpec::new("codes", U32S, "[rows, ceil(k / 32) * bits] words");
const SCALES: InputSpec = InputSpec::new("scales", REALS, "[rows, ceil(k / block)]");
const BIASES: InputSpec = InputSpec::like("biases", "scales", "shape of scales");
const BITS_SETTING: SettingSpec = SettingSpec::int("bits", 4, "bits of a code: 2, 3, 4, 5, 6 or 8");
const BLOCK: SettingSpec =
    SettingSpec::int("block", 64, "weights that share a scale: 32, 64 or 128");

/// From weights to codes, scales and biases.
pub const QUANTIZE: Entry = Entry {
    name: "quantize_affine",
    family: "quant",
    summary: "bias = min, scale = (max - min) / (2^bits - 1), code = floor((w - bias) / scale + 1/2)",
    signature: Signature {
        inputs: &[InputSpec::new("w", REALS, "[n, k]")],
        outputs: &[
            OutputSpec::new("codes", "[n, ceil(k / 32) * bits], u32"),
            OutputSpec::new("scales", "[n, ceil(k / block)], dtype of w"),
            OutputSpec::new("biases", "shape and dtype of scales"),
        ],
        settings: &[BITS_SETTING, BLOCK],
        words: &[],
    },
    plan: plan_quantize,
    reference: quantized,
    cases: super::affine_cases::quantize,
    bench: no_bench,
};

/// From codes to weights.
pub const DEQUANTIZE: Entry = Entry {
    name: "dequantize_affine",
    family: "quant",
    summary: "w = code * scale + bias",
    signature: Signature {
        inputs: &[CODES, SCALES, BIASES, INDEX],
        outputs: &[OutputSpec::new("w", "[rows of codes or of index, k], dtype of scales")],
        settings: &[SettingSpec::required_int("k", "weights of a row"), BITS_SETTING, BLOCK],
        words: &[],
    },
    plan: plan_dequantize,
    reference: dequantized,
    cases: super::affine_cases::dequantize,
    bench: no_bench,
};

/// A quantised matrix times vectors.
pub const GEMV: Entry = Entry {
    name: "gemv_affine",
    family: "quant",
    summary: "y[t,r] = sum_k (code[r,k] * scale + bias) x[t,k]",
    signature: Signature {
        inputs: &[
            CODES,
            SCALES,
            BIASES,
            InputSpec::like("x", "scales", "[k], or [m, k] for m vectors"),
            EXPERT,
        ],
        outputs: &[OutputSpec::new("y", "[n], or [m, n]; dtype of x")],
        settings: &[BITS_SETTING, BLOCK, EXPERTS],
        words: &[],
    },
    plan: |call| plans::products(call, scheme(call)?),
    reference: |known| weights::products(known, scheme(known).expect("checked by the plan")),
    cases: super::affine_cases::gemv,
    bench: super::affine_cases::gemv_bench,
};

/// Definition of quantising: a thread makes 32 codes, whole words, and looks through their block itself.
#[kernel(group = 64, grid = (n * k.div_ceil(32)).div_ceil(64))]
pub fn quantize_affine<T: Real>(
    #[len(n * k)] w: &In<T>,
    #[len(n * k.div_ceil(32) * bits)] codes: &mut Out<u32>,
    #[len(n * k.div_ceil(block))] scales: &mut Out<T>,
    #[len(n * k.div_ceil(block))] biases: &mut Out<T>,
    n: u32,
    k: u32,
    #[comptime] bits: u32,
    #[comptime] block: u32,
) {
    let levels = ((1u32 << bits) - 1) as f32;
    let chunks = (k + 31) / 32;
    let chunk = global_id();
    if chunk < n * chunks {
        let row = (chunk / chunks) as u64;
        let at = chunk % chunks * 32;
        let first = row * (k as u64);
        let from = at / block * block;
        let mut low = w[first + (from as u64)] as f32;
        let mut high = low;
        for i in from + 1..min(from + block, k) {
            let x = w[first + (i as u64)] as f32;
            low = min(low, x);
            high = max(high, x);
        }
        let step = ((high - low) / levels) as T;
        let scale = select((step as f32) == 0.0, 1.0, step as f32);
        let words = private::<u32>(bits);
        for i in 0..bits {
            words[i] = 0;
        }
        for i in 0..32 {
            if at + i < k {
                let x = w[first + ((at + i) as u64)] as f32;
                let code = min(max(floor((x - low) / scale + 0.5), 0.0), levels) as u32;
                let (word, shift) = (i * bits / 32, i * bits % 32);
                words[word] = words[word] | (code << shift);
                if shift + bits > 32 {
                    words[word + 1] = words[word + 1] | (code >> (32 - shift));
                }
            }
        }
        for i in 0..bits {
            codes[(chunk as u64) * (bits as u64) + (i as u64)] = words[i];
        }
        if at % block == 0 {
            let blocks = (k + (block - 1)) / block;
            let to = row * (blocks as u64) + ((at / block) as u64);
            scales[to] = scale as T;
            biases[to] = low as T;
        }
    }
}

fn scheme(call: &Call<'_>) -> Result<Scheme, PlanError> {
    let bits = call.int_in("bits", 2..=8)?;
    call.require(BITS.contains(&bits), || {
        ("`bits`".into(), "2, 3, 4, 5, 6 or 8".into(), bits.to_string())
    })?;
    let block = call.int_in("block", 32..=128)?;
    call.require(BLOCKS.contains(&block), || {
        ("`block`".into(), "32, 64 or 128".into(), block.to_string())
    })?;
    Ok(Scheme { code: Code::Uint(bits), block, bias: true, global: false })
}

fn plan_quantize(call: &Call<'_>) -> Result<Plan, PlanError> {
    let Scheme { code, block, .. } = scheme(call)?;
    let [n, k] = call.shape::<2>("w")?;
    call.product("w", &[n, k.div_ceil(32) * 32])?;
    let dtype = call.dtype("w");
    let mut plan = Plan::new();
    let codes = plan.output("codes", DType::U32, &[n, row_words(k, code.bits())]);
    let scales = plan.output("scales", dtype, &[n, k.div_ceil(block)]);
    let biases = plan.output("biases", dtype, &[n, k.div_ceil(block)]);
    let kernel = with_real!(call, dtype, T => quantize_affine::<T>(code.bits(), block))?;
    let outputs = [codes.buffer(), scales.buffer(), biases.buffer()];
    plan.step(kernel, [call.buffer("w")].into_iter().chain(outputs).chain([n.into(), k.into()]));
    Ok(plan)
}

fn plan_dequantize(call: &Call<'_>) -> Result<Plan, PlanError> {
    let k = call.int_in("k", 0..=i64::from(u32::MAX / 32))?;
    plans::unpacked(call, scheme(call)?, call.dtype("scales"), k)
}

fn setting(known: &Known<'_>, name: &str) -> usize {
    Call::int(known, name) as usize
}

/// The definition's steps in f32, block by block.
fn quantized(known: &Known<'_>) -> Vec<Expected> {
    let (bits, block) = (setting(known, "bits"), setting(known, "block"));
    let (n, k, w) = (known.extent("w", 0), known.extent("w", 1), known.float("w"));
    let levels = (1u32 << bits) as f32 - 1.0;
    let row_bits = k.div_ceil(32) * 32 * bits;
    let (mut codes, mut scales, mut biases) = (vec![0i128; n * row_bits / 32], vec![], vec![]);
    for row in 0..n {
        for (b, block) in w[row * k..][..k].chunks(block).enumerate() {
            let extreme = |pick: fn(f64, f64) -> bool| {
                block
                    .iter()
                    .fold(block[0], |best, &x| if x.is_nan() || pick(x, best) { x } else { best })
            };
            let low = extreme(|x, best| x < best || (x == best && x.is_sign_negative())) as f32;
            let high = extreme(|x, best| x > best || (x == best && x.is_sign_positive())) as f32;
            let step = number::round(known.dtype("w"), f64::from((high - low) / levels));
            let scale = if step == 0.0 { 1.0 } else { step as f32 };
            scales.push(f64::from(scale));
            biases.push(f64::from(low));
            for (i, &x) in block.iter().enumerate() {
                let code = ((x as f32 - low) / scale + 0.5).floor();
                let code = if code.is_nan() { 0 } else { code.clamp(0.0, levels) as i128 };
                for bit in 0..bits {
                    let at = (b * setting(known, "block") + i) * bits + bit;
                    codes[row * row_bits / 32 + at / 32] |= (code >> bit & 1) << (at % 32);
                }
            }
        }
    }
    vec![
        Expected::int("codes", codes),
        Expected::float("scales", scales),
        Expected::float("biases", biases),
    ]
}

fn dequantized(known: &Known<'_>) -> Vec<Expected> {
    let scheme = scheme(known).expect("checked by the plan");
    let all = weights::gathered(known, scheme);
    vec![Expected::float("w", all.into_iter().map(|(scaled, bias)| scaled + bias).collect())]
}
