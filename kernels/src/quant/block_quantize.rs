//! Quantising to a block-scaled format: for each block, `scale = max |w| / largest number of the code`, and
//! `code = w / scale` rounded to the nearest number, halves to even.
//!
//! All in f32, a rounding a step. The scale (divided by the global scale where there is one) is rounded to its
//! dtype: a power of two to the nearest exponent, that is up from sqrt 2 on and no less than 2^-126; E4M3
//! saturates. It is 1 where that is 0. Codes are of `w / (scale * global)`. NaN in a block makes its scale NaN.

use super::format::{Code, FORMAT_WORDS, FORMATS, Format, Scheme, row_words};
use crate::{
    pieces::codes::{decode, encode},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry {
    name: "quantize_block_scaled",
    family: "quant",
    summary: "scale = max |w| / most (/ global), code = encode(w / (scale (* global)))",
    signature: Signature {
        inputs: &[
            InputSpec::new("w", REALS, "[n, k]"),
            InputSpec::new("global", &[DType::F32], "[parts], for nvfp4 only; as in dequantize")
                .optional(),
        ],
        outputs: &[
            OutputSpec::new("codes", "[n, ceil(k / 32) * bits of a code], u32"),
            OutputSpec::new("scales", "[n, ceil(k / block)], dtype of the format"),
        ],
        settings: &[],
        words: &[WordSpec::new("format", &FORMAT_WORDS, "how a weight is stored")],
    },
    plan,
    reference,
    cases,
    bench: no_bench,
};

/// Definition: a thread makes 32 codes, whole words, and looks through their blocks itself.
#[kernel(group = 64, grid = (n * k.div_ceil(32)).div_ceil(64))]
pub fn quantize_blocks<T: Real, S: Element>(
    #[len(n * k)] w: &In<T>,
    #[len(parts)] global: &In<f32>,
    #[len(n * k.div_ceil(32) * scheme.code.bits())] codes: &mut Out<u32>,
    #[len(n * k.div_ceil(scheme.block))] scales: &mut Out<S>,
    n: u32,
    k: u32,
    parts: u32,
    #[comptime] scheme: Scheme,
) {
    let (bits, block, size) = (scheme.code.bits(), scheme.block, scheme.block.min(32));
    let chunks = (k + 31) / 32;
    let chunk = global_id();
    if chunk < n * chunks {
        let row = chunk / chunks;
        let at = chunk % chunks * 32;
        let first = (row as u64) * (k as u64);
        let whole = if scheme.global { global[row / (n / parts)] } else { val(1.0f32) };
        let words = private::<u32>(bits);
        for i in 0..bits {
            words[i] = 0;
        }
        for part in 0..32 / size {
            let begin = at + part * size;
            if begin < k {
                let from = begin / block * block;
                let mut most = 0.0f32;
                for i in from..min(from + block, k) {
                    most = max(most, abs(w[first + (i as u64)] as f32));
                }
                let wanted = most / scheme.code.most();
                let wanted = if scheme.global { wanted / whole } else { wanted };
                let scale = scale_of(wanted, <S as Element>::DTYPE);
                let effective = if scheme.global { scale * whole } else { scale };
                for j in 0..size {
                    if begin + j < k {
                        let x = w[first + ((begin + j) as u64)] as f32;
                        let code = encode(x / effective, scheme.code);
                        let i = part * size + j;
                        let (word, shift) = (i * bits / 32, i * bits % 32);
                        words[word] |= code << shift;
                        if shift + bits > 32 {
                            words[word + 1] |= code >> (32 - shift);
                        }
                    }
                }
                if begin % block == 0 {
                    let blocks = ((k + (block - 1)) / block) as u64;
                    scales[(row as u64) * blocks + ((begin / block) as u64)] = scale as S::Value;
                }
            }
        }
        for i in 0..bits {
            codes[(chunk as u64) * (bits as u64) + (i as u64)] = words[i];
        }
    }
}

/// The number of a scale's dtype for a wanted scale.
#[device]
fn scale_of(wanted: Val<f32>, dtype: DType) -> Val<f32> {
    let rounded = match dtype {
        DType::F16 => (wanted as f16) as f32,
        DType::F8E4M3 => decode(encode(wanted, Code::E4M3), Code::E4M3),
        DType::F8E8M0 => {
            // Past the mantissa of sqrt 2 the exponent grows by one.
            let exponent = (bits(wanted) + (0x7f_ffff - 0x35_04f3)) >> 23;
            let power = from_bits::<f32>(min(max(exponent, 1), 254) << 23);
            select(wanted == wanted, select(wanted == 0.0, 0.0, power), f32::NAN)
        }
        _ => wanted,
    };
    select(rounded == 0.0, 1.0, rounded)
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    fn staged<T: Real>(format: &Format) -> Result<Kernel, StageError> {
        match format.scale {
            DType::F8E8M0 => quantize_blocks::<T, F8E8M0>(format.scheme),
            DType::F8E4M3 => quantize_blocks::<T, F8E4M3>(format.scheme),
            DType::F16 => quantize_blocks::<T, f16>(format.scheme),
            DType::F32 => quantize_blocks::<T, f32>(format.scheme),
            other => unreachable!("no format has scales of {other}"),
        }
    }
    let format = Format::named(call.word("format")).expect("the signature lists the formats");
    let Scheme { code, block, global, .. } = format.scheme;
    let [n, k] = call.shape::<2>("w")?;
    call.product("w", &[n, k.div_ceil(32) * 32])?;
    call.require(call.has("global") == global, || {
        let words = |given| if given { "given" } else { "left out" }.to_string();
        (format!("`global` for {}", format.name), words(global), words(!global))
    })?;
    let mut plan = Plan::new();
    let (whole, parts) = if global {
        let [parts] = call.shape::<1>("global")?;
        call.require(parts > 0 && n.is_multiple_of(parts), || {
            (
                "the rows of `w`".into(),
                format!("a multiple of the {parts} in `global`"),
                n.to_string(),
            )
        })?;
        (call.buffer("global"), parts)
    } else {
        (plan.temp(DType::F32, &[0]).buffer(), 0)
    };
    let codes = plan.output("codes", DType::U32, &[n, row_words(k, code.bits())]);
    let scales = plan.output("scales", format.scale, &[n, k.div_ceil(block)]);
    let kernel = with_real!(call, call.dtype("w"), T => staged::<T>(&format))?;
    let tensors = [call.buffer("w"), whole, codes.buffer(), scales.buffer()];
    plan.step(kernel, tensors.into_iter().chain([n, k, parts].map(Arg::from)));
    Ok(plan)
}

/// The definition's steps, block by block; codes by the definitions of the formats.
fn reference(known: &Known<'_>) -> Vec<Expected> {
    let format = Format::named(known.word("format")).expect("the signature lists the formats");
    let (bits, block) = (format.scheme.code.bits() as usize, format.scheme.block as usize);
    let (n, k, w) = (known.extent("w", 0), known.extent("w", 1), known.float("w"));
    let row_words = k.div_ceil(32) * bits;
    let (mut codes, mut scales) = (vec![0i128; n * row_words], Vec::new());
    let number = |x: f32| match format.scheme.code {
        Code::E2M1 => number::encode(DType::F4E2M1, x.into()) as i128,
        Code::E4M3 => number::encode(DType::F8E4M3, x.into()) as i128,
        Code::E5M2 => number::encode(DType::F8E5M2, x.into()) as i128,
        Code::Int(_) | Code::Uint(_) if x.is_nan() => 0,
        Code::Int(_) | Code::Uint(_) => {
            let most = f64::from(format.scheme.code.most());
            libm::rint(f64::from(x)).clamp(-most, most) as i128 & ((1 << bits) - 1)
        }
    };
    for row in 0..n {
        let global = if format.scheme.global {
            let all = known.float("global");
            all[row * all.len() / n] as f32
        } else {
            1.0
        };
        for (b, block_of) in w[row * k..][..k].chunks(block).enumerate() {
            let most = block_of
                .iter()
                .fold(0.0, |a, x| if x.is_nan() || x.abs() > a { x.abs() } else { a });
            let wanted = most as f32 / format.scheme.code.most() / global;
            let rounded = match format.scale {
                DType::F8E8M0 if wanted == 0.0 => 0.0,
                DType::F8E8M0 => 2f64.powf(libm::log2(wanted.into()).round().clamp(-126.0, 127.0)),
                scale => number::round(scale, wanted.into()),
            };
            let scale = if rounded == 0.0 { 1.0 } else { rounded };
            scales.push(scale);
            for (i, &x) in block_of.iter().enumerate() {
                let code = number(x as f32 / (scale as f32 * global));
                for bit in 0..bits {
                    let at = (b * block + i) * bits + bit;
                    codes[row * row_words + at / 32] |= (code >> bit & 1) << (at % 32);
                }
            }
        }
    }
    vec![Expected::int("codes", codes), Expected::float("scales", scales)]
}

/// Codes and scales are exact by definition.
fn cases(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    let case = |name: &str, dtype: DType, f: &Format, shape: &[u32; 2], p: Pattern| {
        let case = Case::new(format!("{} {name}", f.name), dtype).word("format", f.name);
        let case = case.input("w", shape, p);
        if !f.scheme.global {
            return case;
        }
        let parts = if shape[0] > 0 && shape[0].is_multiple_of(2) { 2 } else { 1 };
        case.input_as("global", DType::F32, &[parts], Pattern::Cycle(vec![0.75, 0.002]))
    };
    for (i, f) in FORMATS.iter().enumerate() {
        let most = f64::from(f.scheme.code.most());
        cases.push(case("normal", DType::F32, f, &[4, 256], Pattern::normal(i as u64)));
        let small = REALS[1 + i % 2];
        cases.push(case("ragged", small, f, &[3, 77], Pattern::normal(50 + i as u64)));
        // Halves between neighbours, subnormal ones as well, under a scale of 1.
        #[rustfmt::skip]
        let halves: &[f64] = match f.scheme.code {
            Code::E2M1 => &[0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0],
            Code::E4M3 => &[1.0625, 1.1875, 17.0, 19.0, 0.0009765625, 0.0029296875, 0.01611328125],
            Code::E5M2 => &[1.125, 1.375, 9.0, 11.0, 0.00000762939453125, 0.00002288818359375],
            Code::Int(_) | Code::Uint(_) => &[0.5, 1.5, 2.5, 6.5, 14.5, 30.5],
        };
        let halves = halves.iter().filter(|&&x| x < most).flat_map(|&x| [x, -x]);
        let all = [most].into_iter().chain(halves).collect();
        cases.push(case("halves", DType::F32, f, &[2, 150], Pattern::Cycle(all)));
        let holes = [(3, f64::NAN), (70, f64::INFINITY), (140, f64::NEG_INFINITY), (141, 0.0)];
        let p = Pattern::normal(9).with(&holes);
        cases.push(case("nan and inf", REALS[i % 3], f, &[3, 64], p));
        // Nothing but zeros, then numbers whose scale is the least that there is.
        let tiny = (0..64).map(|i| if i < 32 { 0.0 } else { 2f64.powi(-140) * f64::from(i) });
        cases.push(case("zeros and tiny", DType::F32, f, &[1, 64], Pattern::Cycle(tiny.collect())));
    }
    for shape in [[0, 64], [4, 0]] {
        let name = format!("empty {shape:?}");
        cases.push(case(&name, DType::F16, &FORMATS[1], &shape, Pattern::normal(1)).empty());
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_number_is_the_formats() {
        for (code, dtype) in
            [(Code::E2M1, DType::F4E2M1), (Code::E4M3, DType::F8E4M3), (Code::E5M2, DType::F8E5M2)]
        {
            assert_eq!(f64::from(code.most()), number::max_finite(dtype));
        }
        assert_eq!(
            [Code::Int(2).most(), Code::Int(8).most(), Code::Uint(3).most()],
            [1.0, 127.0, 7.0]
        );
    }
}
