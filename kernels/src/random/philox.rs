//! Philox 4x32-10 (Salmon et al., 2011): four 32-bit words from a 128-bit counter and a 64-bit key.
//!
//! Element i comes of word i mod 4 at counter (i / 4, 0, call, 0) under the key (seed, stream). Uniform numbers are
//! `(word >> 8) 2^-24`; normal ones are Box and Muller's (1958), two of each pair of words.

use crate::prelude::*;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// The words themselves.
    Bits,
    /// In [0, 1), 24 bits.
    Uniform,
    /// Mean 0, standard deviation 1.
    Normal,
}

const SETTINGS: &[SettingSpec] = &[
    SettingSpec::required_int("n", "how many"),
    SettingSpec::int("seed", 0, "first word of the key"),
    SettingSpec::int("stream", 0, "second word of the key"),
    SettingSpec::int("call", 0, "third word of the counter"),
];
const Y: &[OutputSpec] = &[OutputSpec::new("y", "[n]")];
const DTYPE: &[WordSpec] = &[WordSpec::new("dtype", &["f32", "f16", "bf16"], "the dtype of y")];

const fn entry(name: &'static str, summary: &'static str, words: &'static [WordSpec]) -> Entry {
    let signature = Signature { inputs: &[], outputs: Y, settings: SETTINGS, words };
    Entry { name, family: "random", summary, signature, plan, reference, cases, bench: no_bench }
}

/// The operations.
pub const ENTRIES: &[Entry] = &[
    entry("random_bits", "y = words of Philox 4x32-10", &[]),
    entry("random_uniform", "y uniform in [0, 1)", DTYPE),
    entry("random_normal", "y normal, mean 0, standard deviation 1", DTYPE),
];

/// The four words at a counter under a key. Plain Rust over run-time values: its variables change while staging.
pub fn philox(counter: [Val<u32>; 4], key: [Val<u32>; 2]) -> [Val<u32>; 4] {
    let ([mut a, mut b, mut c, mut d], [mut k, mut l]) = (counter, key);
    for _ in 0..10 {
        let (first, second) = (a, c);
        a = mul_high(second, 0xcd9e_8d57) ^ b ^ k;
        b = second * 0xcd9e_8d57;
        c = mul_high(first, 0xd251_1f53) ^ d ^ l;
        d = first * 0xd251_1f53;
        k = k + 0x9e37_79b9;
        l = l + 0xbb67_ae85;
    }
    [a, b, c, d]
}

/// Definition: one thread draws four numbers.
#[kernel(group = 64, grid = n.div_ceil(256))]
pub fn draw<T: Scalar>(
    #[len(n)] y: &mut Out<T>,
    n: u32,
    seed: u32,
    stream: u32,
    call: u32,
    #[comptime] what: Draw,
) {
    let quad = global_id();
    let words = philox([quad, val(0), call, val(0)], [seed, stream]);
    for k in 0..4u32 {
        let i = quad * 4 + k;
        if i < n {
            match what {
                Draw::Bits => {
                    y[i] = words[k as usize] as T;
                }
                Draw::Uniform => {
                    y[i] = ((words[k as usize] >> 8) as f32 * 5.9604644775390625e-8f32) as T;
                }
                Draw::Normal => {
                    let pair = (k / 2 * 2) as usize;
                    y[i] = normal(words[pair], words[pair + 1], k % 2 == 1) as T;
                }
            }
        }
    }
}

/// `sqrt(-2 ln u) cos(2 pi v)`, or the sine; u and v are in (0, 1) by 23 bits.
#[device]
fn normal(u: Val<u32>, v: Val<u32>, second: bool) -> Val<f32> {
    let unit = |word: Val<u32>| ((word >> 9) as f32 + 0.5) * lit::<f32>(1.1920928955078125e-7);
    let radius = sqrt(log(unit(u)) * -2.0);
    let angle = unit(v) * std::f32::consts::TAU;
    if second { radius * sin(angle) } else { radius * cos(angle) }
}

fn what(op: &str) -> Draw {
    match op {
        "random_bits" => Draw::Bits,
        "random_uniform" => Draw::Uniform,
        _ => Draw::Normal,
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    // The last thread's elements stay below 2^32.
    let n = call.int_in("n", 0..=i64::from(u32::MAX) - 1_024)?;
    let word = |name| call.int_in(name, 0..=i64::from(u32::MAX));
    let (seed, stream, number) = (word("seed")?, word("stream")?, word("call")?);
    let what = what(call.op);
    let dtype = if what == Draw::Bits { DType::U32 } else { call.dtype_word("dtype") };
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, &[n]);
    let kernel = match dtype {
        DType::U32 => call.staged(draw::<u32>(what))?,
        _ => with_real!(call, dtype, T => draw::<T>(what))?,
    };
    plan.step(kernel, [y.buffer(), n.into(), seed.into(), stream.into(), number.into()]);
    Ok(plan)
}

/// The words by 64-bit products.
fn words(i: u64, seed: u32, stream: u32, call: u32) -> [u32; 4] {
    let (mut x, mut key) = ([i as u32, (i >> 32) as u32, call, 0], [seed, stream]);
    for _ in 0..10 {
        let p = u64::from(x[0]) * 0xd251_1f53;
        let q = u64::from(x[2]) * 0xcd9e_8d57;
        x = [
            (q >> 32) as u32 ^ x[1] ^ key[0],
            q as u32,
            (p >> 32) as u32 ^ x[3] ^ key[1],
            p as u32,
        ];
        key = [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)];
    }
    x
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let word = |name| call.int(name) as u32;
    let n = call.int("n") as u64;
    let all: Vec<u32> = (0..n.div_ceil(4))
        .flat_map(|i| words(i, word("seed"), word("stream"), word("call")))
        .take(n as usize)
        .collect();
    let padded = |i: usize| words(i as u64 / 4, word("seed"), word("stream"), word("call"))[i % 4];
    match what(known.op) {
        Draw::Bits => vec![Expected::int("y", all.iter().map(|&w| w.into()).collect())],
        Draw::Uniform => {
            let y = all.iter().map(|&w| f64::from(w >> 8) / f64::from(1 << 24));
            vec![Expected::float("y", y.collect())]
        }
        Draw::Normal => {
            let unit = |w: u32| (f64::from(w >> 9) + 0.5) / f64::from(1 << 23);
            let (mut y, mut magnitude) = (Vec::new(), Vec::new());
            for i in 0..all.len() {
                let (u, v) = (unit(padded(i & !1)), unit(padded(i | 1)));
                let (radius, angle) = (libm::sqrt(-2.0 * libm::log(u)), std::f64::consts::TAU * v);
                y.push(radius * if i % 2 == 0 { libm::cos(angle) } else { libm::sin(angle) });
                // The angle is rounded twice, so its sine is off by as much.
                magnitude.push(radius * (1.0 + angle));
            }
            vec![Expected::sum("y", y, magnitude)]
        }
    }
}

fn cases(entry: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let dtypes = if entry.signature.words.is_empty() { &[DType::U32][..] } else { REALS };
    for &dtype in dtypes {
        let case = |name: &str, n: i64| {
            let case = Case::new(name, dtype).set("n", n);
            let case = if dtype == DType::U32 { case } else { case.word("dtype", dtype.name()) };
            case.bound(if entry.name == "random_normal" { Bound::sum(4.0) } else { Exact })
        };
        all.push(case("one", 1));
        all.push(case("ragged", 1_003).set("seed", 42).set("stream", 7));
        all.push(
            case("last-key", 300)
                .set("seed", 0xffff_ffffu32)
                .set("stream", 0xffff_ffffu32)
                .set("call", 3),
        );
        all.push(case("empty", 0).empty());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers published with the generator.
    #[test]
    fn the_reference_gives_the_known_answers() {
        assert_eq!(words(0, 0, 0, 0), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    }
}
