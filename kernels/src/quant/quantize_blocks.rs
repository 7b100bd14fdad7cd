//! Quantising to the formats of GGUF, where codes and scales of a block lie together.
//!
//! All in f32, a rounding a step; every number is the nearest to what is left, halves to even, and limited to its range. The
//! rule of each kind of scales, with `most` the largest code and `zero` what is subtracted from codes:
//! - `Half`: the scale is the number of the largest magnitude over the code at the far end of the range, -zero, or over `most`
//!   where zero is 0 (by magnitude). It is rounded to f16.
//! - `Signed`: each sub-block has such a scale; the block's is the one of the largest magnitude over -128, rounded to f16, and
//!   each sub-block's number is its scale over that.
//! - `Nibbles`, `Sixes`: each sub-block has `less = max(0, -least)` and `scale = (max(greatest, 0) + less) / most`; the block's two
//!   scales are the largest of each over 15 or 63, rounded to f16, and a sub-block's numbers are its own two over those.
//!
//! A code is `(w + less) / scale + zero` with scales as they are read again. Where a scale is 0 every code is `zero`. A NaN is
//! code 0 of its block, and counts for no scale.

use super::{
    cases::format,
    format::{Blocks, Format, Scales, Scheme, TOGETHER_WORDS},
    quantize::NO_POINTS,
    reference,
};
use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("quantize_blocks", "quant", plan, reference, cases)
    .summary("codes of the nearest numbers, and scales, in blocks as files of GGUF have them")
    .inputs(&[InputSpec::new("w", REALS, "[n, k], k whole blocks")])
    .outputs(&[OutputSpec::new("codes", "[n, bytes of a row], u8")])
    .words(&[WordSpec::new("format", TOGETHER_WORDS, "how a weight is stored")]);

/// The scales of a block: the two of the block, and the numbers of its sub-blocks.
struct Scaled {
    d: Val<f32>,
    less: Val<f32>,
    scales: Private<u32>,
    lesses: Private<u32>,
}

/// `x / by` to the nearest whole number between `low` and `high`; 0 where `by` is 0 or nothing is known.
#[device]
fn nearest(x: Val<f32>, by: Val<f32>, low: f32, high: f32) -> Val<f32> {
    let whole = min(max(round_even(x / by), low), high);
    select(by == 0.0 || x != x, 0.0, whole)
}

/// Least and greatest of some elements and 0, and the one of the largest magnitude. NaN counts for nothing.
#[device]
fn extremes(count: u32, element: impl Fn(Val<u32>) -> Val<f32>) -> (Val<f32>, Val<f32>, Val<f32>) {
    let mut low = 0.0f32;
    let mut high = 0.0f32;
    let mut far = 0.0f32;
    for i in val(0u32)..count {
        let x = element(i);
        if x == x {
            low = min(low, x);
            high = max(high, x);
            far = select(abs(x) > abs(far), x, far);
        }
    }
    (low, high, far)
}

/// The scales of a block by the rule of the module.
#[device]
fn scaled(scheme: Scheme, blocks: Blocks, element: impl Fn(Val<u32>) -> Val<f32>) -> Scaled {
    let runs = blocks.elems / scheme.block;
    let (scales, lesses) = (private::<u32>(runs), private::<u32>(runs));
    let (own, below) = (private::<f32>(runs), private::<f32>(runs));
    let most = scheme.code.most();
    let mut top = 0.0f32;
    let mut top_less = 0.0f32;
    for run in val(0u32)..runs {
        let (low, high, far) = extremes(scheme.block, |i| element(run * scheme.block + i));
        let (scale, less) = match blocks.scales {
            Scales::Half(_) | Scales::Signed(..) if blocks.zero > 0 => {
                (far / -(blocks.zero as f32), val(0.0f32))
            }
            Scales::Half(_) | Scales::Signed(..) => (abs(far) / most, val(0.0f32)),
            Scales::Nibbles(..) | Scales::Sixes(..) => ((high - low) / most, -low),
            Scales::Points(_) => unreachable!("{NO_POINTS}"),
        };
        own[run] = scale;
        below[run] = less;
        top = select(abs(scale) > abs(top), scale, top);
        top_less = max(top_less, less);
    }
    let (range, low) = match blocks.scales {
        Scales::Half(_) => (1.0f32, 1.0f32),
        Scales::Signed(..) => (-128.0, -128.0),
        Scales::Nibbles(..) => (15.0, 0.0),
        Scales::Sixes(..) => (63.0, 0.0),
        Scales::Points(_) => unreachable!("{NO_POINTS}"),
    };
    let half = |x: Val<f32>| (x as f16) as f32;
    let (d, less) = (half(top / range), half(top_less / range));
    let high = if low < 0.0 { 127.0 } else { range };
    for run in val(0u32)..runs {
        scales[run] = (nearest(own[run], d, low, high) as i32) as u32;
        lesses[run] = (nearest(below[run], less, low, high) as i32) as u32;
    }
    Scaled { d, less, scales, lesses }
}

/// The code of a number of a sub-block.
#[device]
fn code_of(scheme: Scheme, blocks: Blocks, of: &Scaled, run: Val<u32>, x: Val<f32>) -> Val<u32> {
    let zero = blocks.zero as f32;
    let most = scheme.code.most();
    let (scale, less) = match blocks.scales {
        Scales::Half(_) => (of.d, val(0.0f32)),
        Scales::Points(_) => unreachable!("{NO_POINTS}"),
        Scales::Signed(..) | Scales::Nibbles(..) | Scales::Sixes(..) => {
            (of.d * ((of.scales[run] as i32) as f32), of.less * ((of.lesses[run] as i32) as f32))
        }
    };
    let low = if blocks.zero == 0 && !scheme.bias { -most } else { -zero };
    let whole = nearest(x + less, scale, low, most - zero) + zero;
    ((whole as i32) as u32) & (u32::MAX >> (32 - scheme.code.bits()))
}

/// Definition: a thread a block.
#[kernel(group = 32, grid = (n * k.div_ceil(scheme.unit_elems())).div_ceil(32))]
pub fn quantize_blocks<T: Real>(
    #[len(n * k)] w: &In<T>,
    #[len(n * k.div_ceil(scheme.unit_elems()) * scheme.units())] codes: &mut Out<u8>,
    n: u32,
    k: u32,
    #[comptime] scheme: Scheme,
    #[comptime] blocks: Blocks,
) {
    let at = global_id();
    if at < n * (k / blocks.elems) {
        let first = at as u64 * blocks.elems as u64;
        let to = at as u64 * blocks.bytes as u64;
        let put = |place: Val<u32>, byte: Val<u32>| {
            codes[to + place as u64] = (byte & 0xff) as u8;
        };
        let element = |e: Val<u32>| w[first + e as u64] as f32;
        let of = scaled(scheme, blocks, element);
        for plane in 0..2u32 {
            let [low, high] = blocks.planes;
            let (this, above) = if plane == 0 { (low, 0) } else { (high, low.bits) };
            for byte in val(0u32)..this.bits * blocks.elems / 8 {
                let bytes = this.span_bytes();
                let start = byte / bytes.max(1) * this.span + byte % bytes.max(1);
                let mut all = 0u32;
                for part in val(0u32)..8 / this.bits.max(1) {
                    let e = start + part * bytes;
                    let code = code_of(scheme, blocks, &of, e / scheme.block, element(e));
                    all =
                        all | (((code >> above) & ((1u32 << this.bits) - 1)) << (part * this.bits));
                }
                put(byte + this.at, all);
            }
        }
        let half = |place: u32, x: Val<f32>| {
            let pattern = bits(x as f16) as u32;
            put(val(place), pattern);
            put(val(place + 1), pattern >> 8);
        };
        let (scales, lesses) = (of.scales, of.lesses);
        match blocks.scales {
            Scales::Half(d) => half(d, of.d),
            Scales::Points(_) => unreachable!("{NO_POINTS}"),
            Scales::Signed(d, place) => {
                half(d, of.d);
                for run in val(0u32)..blocks.elems / scheme.block {
                    put(run + place, scales[run]);
                }
            }
            Scales::Nibbles(d, place) => {
                half(d, of.d);
                half(d + 2, of.less);
                for run in val(0u32)..blocks.elems / scheme.block {
                    put(run + place, scales[run] | (lesses[run] << 4));
                }
            }
            Scales::Sixes(d, place) => {
                half(d, of.d);
                half(d + 2, of.less);
                for run in val(0u32)..4 {
                    let (a, b) = (scales[run + 4], lesses[run + 4]);
                    put(run + place, scales[run] | (a >> 4 << 6));
                    put(run + (place + 4), lesses[run] | (b >> 4 << 6));
                    put(run + (place + 8), (a & 15) | ((b & 15) << 4));
                }
            }
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    fn staged<T: Real>(scheme: Scheme, blocks: Blocks) -> Result<Kernel, StageError> {
        quantize_blocks::<T>(scheme, blocks)
    }
    let Format { name, scheme, .. } = found(call);
    let blocks = scheme.blocks.expect("the signature lists those that have them");
    let [n, k] = call.shape("w")?;
    call.require(k.is_multiple_of(blocks.elems), || {
        (format!("`k` for {name}"), format!("a multiple of {}", blocks.elems), k.to_string())
    })?;
    let units = (k / blocks.elems).checked_mul(blocks.bytes);
    let units = units.ok_or_else(|| call.wrong("`k`", "less, so that a row has 2^32 bytes", k))?;
    call.elems("w")?;
    call.product("codes", &[n, units])?;
    let mut plan = Plan::new();
    let codes = plan.output("codes", DType::U8, &[n, units]);
    let kernel = with_real!(call, call.dtype("w"), T => staged::<T>(scheme, blocks))?;
    plan.step(kernel, [call.buffer("w"), codes.buffer(), n.into(), k.into()]);
    Ok(plan)
}

fn found(call: &Call<'_>) -> Format {
    Format::named(call.word("format")).expect("the signature lists the formats")
}

/// The rule of the module, in f32, block by block; bytes by the layouts of the formats.
fn reference(known: &Known<'_>) -> Vec<Expected> {
    let name = found(known).name;
    let size = if name.ends_with("_k") { 256 } else { 32 };
    let w: Vec<f32> = known.float("w").iter().map(|&x| x as f32).collect();
    let bytes = w.chunks(size).flat_map(|block| reference::block_of(name, block));
    vec![Expected::int("codes", bytes.map(i128::from).collect())]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for (i, f) in TOGETHER_WORDS.iter().map(|name| format(name)).enumerate() {
        let k = 2 * f.scheme.unit_elems();
        let case = |name: &str, dtype, [n, k]: [u32; 2], p: Pattern| {
            let case = Case::new(format!("{} {name}", f.name), dtype).word("format", f.name);
            case.input("w", &[n, k], p)
        };
        let f32 = DType::F32;
        all.push(case("normal", f32, [3, k], Pattern::normal(i as u64)));
        all.push(case("far from 0", f32, [1, k], Pattern::uniform(3, 2.0, 3.0)));
        all.push(case("below 0", REALS[1 + i % 2], [2, k], Pattern::uniform(4, -3.0, -0.1)));
        // Sub-blocks of very different sizes, and whole ones of zeros.
        let sizes = (0..1024).map(|i| {
            let size = [1.0, 0.0, 1e-3, 40.0, 1e-7][i / 16 % 5];
            size * f64::from((i as u32 * 37 + 11) % 101) - size * 50.0
        });
        all.push(case("uneven", f32, [1, 4 * k], Pattern::Cycle(sizes.collect())));
        // What the format has comes back as it was: whole codes under a scale of 1.
        let codes = (0..256).map(|i| f64::from(i * 7 % 31 - 15)).collect();
        all.push(case("whole", f32, [1, k], Pattern::Cycle(codes)));
        all.push(case("zeros", f32, [1, k], Pattern::Cycle(vec![0.0, -0.0])));
        all.push(case(
            "nan",
            f32,
            [1, k],
            Pattern::normal(7).with(&[(3, f64::NAN), (20, f64::NAN)]),
        ));
        all.push(case("one row", f32, [1, f.scheme.unit_elems()], Pattern::normal(9)));
    }
    let f = format("q4_0");
    let case = |name: &str, shape: &[u32]| {
        let case = Case::new(format!("{} {name}", f.name), DType::F32).word("format", f.name);
        case.input("w", shape, Pattern::normal(3))
    };
    all.push(case("empty", &[0, 64]).empty());
    all.push(case("no columns", &[4, 0]).empty());
    let turned = TensorDesc::strided(DType::F32, &[3, 64], &[1, 5], 2);
    all.push(case("views", &[3, 64]).view("w", turned, Pattern::normal(8)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing is off by more than a step of the format's codes over the range of the block.
    #[test]
    fn what_is_read_is_close_to_what_was_written() {
        for f in TOGETHER_WORDS.iter().map(|name| format(name)) {
            let k = f.scheme.unit_elems();
            let mut random_numbers = crate::pattern::Random::new(5);
            let w: Vec<f32> = (0..k).map(|_| random_numbers.normal() as f32).collect();
            let bytes = reference::block_of(f.name, &w);
            let back = reference::together(f.name, &bytes);
            // Normal numbers lie within 3.5; a step of the coarsest format, 2 bits, is 7 / 3, and half of that is lost.
            let step = 7.5 / f64::from(f.scheme.code.most()).min(127.0);
            for (x, y) in w.iter().zip(back) {
                let off = (f64::from(*x) - y.value()).abs();
                assert!(off < step, "{}: {x} became {}", f.name, y.value());
            }
        }
    }
}
