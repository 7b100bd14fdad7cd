//! Quantising: block by block, a scale, a bias where the format has biases, and the codes of the nearest numbers.
//!
//! All in f32, a rounding a step. Block-scaled: `scale = max |w| / largest number of the code`, and `code = w / scale` rounded to
//! the nearest number, halves to even. The scale (divided by the global scale where there is one) is rounded to its
//! dtype: a power of two to the nearest exponent, that is up from sqrt 2 on and no less than 2^-126; E4M3
//! saturates. It is 1 where that is 0. Codes are of `w / (scale * global)`. NaN in a block makes its scale NaN.
//! Affine: `bias = min`, `scale = (max - min) / (2^bits - 1)` rounded to the dtype of w (1 where that is 0), and
//! `code = floor((w - bias) / scale + 0.5)` limited to the range; NaN becomes 0.

use super::{
    cases::{format, with_block},
    format::{APART, APART_WORDS, Code, FORMATS, Format, Scheme},
    plans,
    reference::number_of,
};
use crate::{
    pieces::codes::{decode, encode},
    prelude::*,
};

/// Points are read, not searched for.
pub(super) const NO_POINTS: &str = "no format of the signature has points";

/// The operation.
pub const ENTRY: Entry = Entry::new("quantize", "quant", plan, reference, cases)
    .summary("scale = max |w| / most (/ global), code = encode(w / (scale (* global))); affine: code = (w - min) / scale")
    .inputs(&[
            InputSpec::new("w", REALS, "[n, k]"),
            InputSpec::new("global", &[DType::F32], "[parts], for nvfp4 only; as in dequantize")
                .optional(),
        ])
    .outputs(&[
            OutputSpec::new("codes", "[n, ceil(k / 32) * bits of a code], u32"),
            OutputSpec::new("scales", "[n, ceil(k / block)], dtype of the format, or of w"),
            OutputSpec::new("biases", "shape and dtype of scales, of affine formats"),
        ])
    .settings(&[plans::BLOCK])
    .words(&[WordSpec::new("format", APART_WORDS, "how a weight is stored")]);

/// Definition: a thread makes 32 codes, whole words, and looks through their blocks itself.
#[kernel(group = 64, grid = (n * k.div_ceil(32)).div_ceil(64))]
pub fn quantize<T: Real, S: Element>(
    #[len(n * k)] w: &In<T>,
    #[len(parts)] global: &In<f32>,
    #[len(n * k.div_ceil(32) * scheme.code.bits())] codes: &mut Out<u32>,
    #[len(n * k.div_ceil(scheme.block))] scales: &mut Out<S>,
    #[len(n * k.div_ceil(scheme.block) * u32::from(scheme.bias))] biases: &mut Out<S>,
    n: u32,
    k: u32,
    parts: u32,
    #[comptime] scheme: Scheme,
) {
    let (bits, block, size) = (scheme.code.bits(), scheme.block, scheme.run());
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
                let start = if scheme.bias { w[first + (from as u64)] as f32 } else { val(0.0f32) };
                let mut low = start;
                let mut high = start;
                for i in from..min(from + block, k) {
                    let x = w[first + (i as u64)] as f32;
                    if scheme.bias {
                        low = min(low, x);
                        high = max(high, x);
                    } else {
                        high = max(high, abs(x));
                    }
                }
                let wanted = (high - low) / scheme.code.most();
                let wanted = if scheme.global { wanted / whole } else { wanted };
                let scale = if scheme.bias {
                    let step = (wanted as S::Value) as f32;
                    select(step == 0.0, 1.0, step)
                } else {
                    scale_of(wanted, <S as Element>::DTYPE)
                };
                let effective = if scheme.global { scale * whole } else { scale };
                for j in 0..size {
                    if begin + j < k {
                        let x = w[first + ((begin + j) as u64)] as f32;
                        let code = if scheme.bias {
                            let most = scheme.code.most();
                            min(max(floor((x - low) / scale + 0.5), 0.0), most) as u32
                        } else {
                            encode(x / effective, scheme.code)
                        };
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
                    let to = (row as u64) * blocks + ((begin / block) as u64);
                    scales[to] = scale as S::Value;
                    if scheme.bias {
                        biases[to] = low as S::Value;
                    }
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
    fn staged<T: Real>(scale: DType, scheme: Scheme) -> Result<Kernel, StageError> {
        match scale {
            DType::F8E8M0 => quantize::<T, F8E8M0>(scheme),
            DType::F8E4M3 => quantize::<T, F8E4M3>(scheme),
            DType::F16 => quantize::<T, f16>(scheme),
            DType::BF16 => quantize::<T, bf16>(scheme),
            DType::F32 => quantize::<T, f32>(scheme),
            other => unreachable!("no format has scales of {other}"),
        }
    }
    let format = plans::format(call)?;
    let scale = scale_dtype(&format, call.dtype("w"));
    let Scheme { block, global, bias, .. } = format.scheme;
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
    let codes = plan.output("codes", DType::U32, &[n, format.scheme.row_units(k)]);
    let scales = plan.output("scales", scale, &[n, k.div_ceil(block)]);
    let biases = match bias {
        true => plan.output("biases", scale, &[n, k.div_ceil(block)]),
        false => plan.temp(scale, &[0]),
    };
    let kernel = with_real!(call, call.dtype("w"), T => staged::<T>(scale, format.scheme))?;
    let tensors = [call.buffer("w"), whole, codes.buffer(), scales.buffer(), biases.buffer()];
    plan.step(kernel, tensors.into_iter().chain([n, k, parts].map(Arg::from)));
    Ok(plan)
}

/// The dtype of the scales that are made for weights of `w`.
fn scale_dtype(format: &Format, w: DType) -> DType {
    if format.scales.contains(&w) && format.scheme.bias { w } else { format.scales[0] }
}

/// The definition's steps, block by block; codes by the definitions of the formats.
fn reference(known: &Known<'_>) -> Vec<Expected> {
    let format = plans::format(known).expect("checked by the plan");
    if format.scheme.bias {
        return affine(known, &format);
    }
    let (bits, block) = (format.scheme.code.bits() as usize, format.scheme.block as usize);
    let (n, k, w) = (known.extent("w", 0), known.extent("w", 1), known.float("w"));
    let row_words = k.div_ceil(32) * bits;
    let (mut codes, mut scales) = (vec![0i128; n * row_words], Vec::new());
    let number = |x: f32| match format.scheme.code {
        Code::Point => unreachable!("{NO_POINTS}"),
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
            let rounded = match format.scales[0] {
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

/// The definition's steps of an affine format, block by block.
fn affine(known: &Known<'_>, format: &Format) -> Vec<Expected> {
    let (bits, size) = (format.scheme.code.bits() as usize, format.scheme.block as usize);
    let (n, k, w) = (known.extent("w", 0), known.extent("w", 1), known.float("w"));
    let levels = (1u32 << bits) as f32 - 1.0;
    let row_bits = k.div_ceil(32) * 32 * bits;
    let (mut codes, mut scales, mut biases) = (vec![0i128; n * row_bits / 32], vec![], vec![]);
    for row in 0..n {
        for (b, block) in w[row * k..][..k].chunks(size).enumerate() {
            let extreme = |pick: fn(f64, f64) -> bool| {
                let better = |best, &x: &f64| if x.is_nan() || pick(x, best) { x } else { best };
                block.iter().fold(block[0], better)
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
                    let at = (b * size + i) * bits + bit;
                    codes[row * row_bits / 32 + at / 32] |= (code >> bit & 1) << (at % 32);
                }
            }
        }
    }
    let (scales, biases) = (Expected::float("scales", scales), Expected::float("biases", biases));
    vec![Expected::int("codes", codes), scales, biases]
}

/// Cases of affine formats: blocks of any length, and each code as its own number.
fn affine_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (i, f) in FORMATS[..APART].iter().filter(|f| f.scheme.bias).enumerate() {
        for turn in 0..3 {
            let (dtype, block) = (REALS[i % 3], [32, 48, 128, 20, 64, 33][i]);
            let case = |name: &str, shape: &[u32], p: Pattern| {
                let case = Case::new(format!("{} {name} {turn}", f.name), dtype);
                let case = case.word("format", f.name);
                case.input("w", shape, p).set("block", with_block(f, block).scheme.block)
            };
            cases.push(case("normal", &[5 + turn, 256], Pattern::normal(i as u64)));
            cases.push(case("ragged", &[3 + turn, 77], Pattern::normal(40 + i as u64)));
            // Codes from the least to the greatest, and back: each is its own number.
            let top = (1 << f.scheme.code.bits()) - 1;
            let all = (0..=top).chain((0..top).rev()).map(f64::from).collect();
            let wide = if top == 255 { 1024 } else { 64 };
            let case = case("every code", &[2 + turn, wide], Pattern::Cycle(all));
            cases.push(case.set("block", 1024));
        }
    }
    let word = format("affine4").name;
    let case = |name: &str, shape: &[u32], p: Pattern| {
        Case::new(format!("{word} {name}"), DType::F32).word("format", word).input("w", shape, p)
    };
    cases.push(case("one", &[1, 1], Pattern::Constant(-2.5)));
    // No spread: the scale is 1 and every code 0.
    cases.push(case("constant", &[2, 70], Pattern::Constant(0.375)).set("block", 32));
    let holes = [(3, f64::NAN), (40, f64::INFINITY), (110, f64::NEG_INFINITY)];
    cases.push(case("nan and inf", &[2, 96], Pattern::normal(7).with(&holes)).set("block", 32));
    cases.push(case("zeros", &[1, 64], Pattern::Cycle(vec![0.0, -0.0, 0.0, 1.0])));
    cases.push(case("no columns", &[4, 0], Pattern::normal(1)).empty());
    let gaps = TensorDesc::strided(DType::F32, &[4, 40], &[1, 5], 2);
    let turned = case("transposed", &[1, 1], Pattern::Positions);
    cases.push(turned.view("w", gaps, Pattern::normal(8)));
    cases
}

/// Codes and scales are exact by definition.
fn cases(_: &Entry) -> Vec<Case> {
    let mut cases = affine_cases();
    let case = |name: &str, dtype: DType, f: &Format, shape: &[u32; 2], p: Pattern| {
        let case = Case::new(format!("{} {name}", f.name), dtype).word("format", f.name);
        let case = case.input("w", shape, p);
        if !f.scheme.global {
            return case;
        }
        let parts = if shape[0] > 0 && shape[0].is_multiple_of(2) { 2 } else { 1 };
        case.input_as("global", DType::F32, &[parts], Pattern::Cycle(vec![0.75, 0.002]))
    };
    for (i, f) in FORMATS[..APART].iter().filter(|f| !f.scheme.bias).enumerate() {
        let most = f64::from(f.scheme.code.most());
        cases.push(case("normal", DType::F32, f, &[4, 256], Pattern::normal(i as u64)));
        let small = REALS[1 + i % 2];
        cases.push(case("ragged", small, f, &[3, 77], Pattern::normal(50 + i as u64)));
        // Every number of the code, next to the largest in each block.
        let (code, block) = (f.scheme.code, f.scheme.block as usize);
        let numbers: Vec<f64> = (0..1u64 << code.bits())
            .map(|bits| number_of(code, bits))
            .filter(|x| x.abs() <= most)
            .collect();
        let blocks = numbers.chunks(block - 1);
        let shape = [blocks.len() as u32, f.scheme.block];
        let all = blocks.flat_map(|part| {
            let rest = block - 1 - part.len();
            [&[most], part, &vec![0.0; rest]].concat()
        });
        let every = Pattern::Cycle(all.collect());
        cases.push(case("every number", DType::F32, f, &shape, every));
        // Halves between neighbours, subnormal ones as well, under a scale of 1.
        #[rustfmt::skip]
        let halves: &[f64] = match f.scheme.code {
            Code::Point => unreachable!("{NO_POINTS}"),
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
        cases.push(case("nan and inf", [DType::F32, small][i % 2], f, &[3, 64], p));
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
