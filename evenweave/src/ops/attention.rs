//! Attention, its caches, and positions.
//!
//! Invariants
//! - How many keys of a cache are filled is a number on the host or on the device; those behind it are not read.

use super::{Op, Packed, one};
use crate::{Call, Device, Tensor};

/// How many keys of each batch are filled.
#[derive(Clone, Copy, Debug, Default)]
pub enum Filled<'a> {
    /// All that there is room for.
    #[default]
    All,
    /// So many of each.
    Keys(u32),
    /// [batch] in u32 on the device, so that one plan, and one recording, serves every length.
    Of(&'a Tensor),
}

/// What attention sees, and how it weighs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attention<'a> {
    /// Query i sees the keys up to `i + filled - q_len`.
    pub causal: bool,
    /// A causal query sees only the last so many of those.
    pub window: Option<u32>,
    /// The factor of the scores; without it `1 / sqrt(dim)`.
    pub scale: Option<f64>,
    /// [q_len, capacity] in f32, added to the scores; with heads, or batch and heads, in front where they differ.
    pub mask: Option<&'a Tensor>,
    /// [heads] in f32: one more score for each head, of a value of zeros.
    pub sinks: Option<&'a Tensor>,
    /// How many keys are filled.
    pub filled: Filled<'a>,
}

impl Attention<'_> {
    fn give<'a>(&self, call: Call<'a>) -> Call<'a> {
        let call = call.set("causal", self.causal).set("window", self.window.unwrap_or(0));
        let call = call.set("scale", self.scale.unwrap_or(0.0));
        let call = call.maybe("mask", self.mask).maybe("sinks", self.sinks);
        match self.filled {
            Filled::All => call,
            Filled::Keys(keys) => call.set("kv_len", keys),
            Filled::Of(lens) => call.input("kv_lens", lens),
        }
    }
}

/// `y[h, i] = sum over j of softmax_j(scale q[h, i] . k[h', j] + mask[i, j]) v[h', j]`, h' = h / (heads / kv_heads).
///
/// `q` and `y` are [batch, heads, q_len, dim], `k` and `v` are [batch, kv_heads, capacity, dim], of one dtype (f32, f16 or bf16), dim 1
/// to 512, heads a multiple of kv_heads. A query that sees no key gives 0. Keys are taken in blocks of 32, ascending, whatever the
/// device: a query's bits depend neither on the other queries nor on how large a cache is. Tier `same`. Source
/// `attention/prefill.rs`.
pub fn attention<'a>(q: &'a Tensor, k: &Tensor, v: &Tensor, how: Attention<'_>) -> Op<'a, Tensor> {
    let call = q.device().call("attention").input("q", q).input("k", k).input("v", v);
    one(how.give(call), "y")
}

/// `attention` on what `dequantize` gives in f32 of packed keys and values.
///
/// `k` and `v` are [batch, kv_heads, capacity, dim] in one format, the rest as in `attention`. Tier `same`. Source
/// `attention/quantized.rs`.
pub fn attention_quantized<'a>(
    q: &'a Tensor,
    k: &Packed,
    v: &Packed,
    how: Attention<'_>,
) -> Op<'a, Tensor> {
    let call = q.device().call("attention_quantized").input("q", q);
    one(how.give(v.give(k.give(call, "k_"), "v_")), "y")
}

/// New tokens in a cache: `y = cache`, then `y[b, h, positions[b, t], d] = new[b, t, h, d]` for t ascending.
///
/// `cache` and `y` are [batch, heads, capacity, dim], `new` is [batch, tokens, heads, dim], rounded to the cache's dtype, `positions`
/// is [batch, tokens] in u32, each below capacity; or all three without their first axis. In place, over `cache`, only the new tokens
/// are written. Tier `exact`. Source `cache/update.rs`.
pub fn cache_update<'a>(cache: &'a Tensor, new: &Tensor, positions: &Tensor) -> Op<'a, Tensor> {
    let call = cache.device().call("cache_update").input("cache", cache).input("new", new);
    one(call.input("positions", positions), "y")
}

/// Which elements of a head make a pair that turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairs {
    /// `i` and `i + rotary / 2`.
    #[default]
    Halves,
    /// `2 i` and `2 i + 1`.
    Neighbours,
}

/// How `rope` turns.
#[derive(Clone, Copy, Debug)]
pub struct Rope<'a> {
    /// The base of the frequencies, above 0.
    pub theta: f64,
    /// Elements of a head that turn, even; without it all behind `skip`.
    pub rotary: Option<u32>,
    /// Elements of a head before those.
    pub skip: u32,
    /// The factor of what turns.
    pub scale: f64,
    /// Turns back.
    pub inverse: bool,
    /// Which elements make a pair.
    pub pairs: Pairs,
    /// [rotary / 2 / axes] in f32, radians a position, in place of `theta`'s.
    pub frequencies: Option<&'a Tensor>,
}

impl Default for Rope<'_> {
    fn default() -> Self {
        Rope {
            theta: 10_000.0,
            rotary: None,
            skip: 0,
            scale: 1.0,
            inverse: false,
            pairs: Pairs::Halves,
            frequencies: None,
        }
    }
}

/// Rotary position embedding: pair i of each head turns by `positions[s] theta^(-2 i / rotary)` radians; the rest is copied.
///
/// `x` and `y` are [seq, heads, dim] (f32, f16 or bf16), `positions` is [seq] in u32, or [seq, axes]. In place: over `x`. Tier `same`.
/// Source `rope/rotate.rs`.
pub fn rope<'a>(x: &'a Tensor, positions: &Tensor, how: Rope<'_>) -> Op<'a, Tensor> {
    let pairs = match how.pairs {
        Pairs::Halves => "half",
        Pairs::Neighbours => "adjacent",
    };
    let call = x.device().call("rope").input("x", x).input("positions", positions);
    let call = call.maybe("frequencies", how.frequencies).set("theta", how.theta);
    let call = call.set("rotary", how.rotary.unwrap_or(0)).set("skip", how.skip);
    one(call.set("scale", how.scale).set("inverse", how.inverse).word("pairs", pairs), "y")
}

/// How frequencies reach farther than a model was trained for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stretch {
    /// Not at all.
    #[default]
    None,
    /// Wavelengths above `low` by `factor`, those below `high` not, and between them blended.
    Llama3 {
        /// How much farther.
        factor: f64,
        /// The wavelength where the blend begins, in positions.
        low: f64,
        /// The wavelength where it ends.
        high: f64,
    },
    /// Pairs above `high` by `factor`, those below `low` not, and between them blended.
    Yarn {
        /// How much farther.
        factor: f64,
        /// The pair where the blend begins.
        low: f64,
        /// The pair where it ends.
        high: f64,
    },
}

/// The frequencies of n pairs for `Rope::frequencies`: `theta^(-i / n)`, stretched.
///
/// The result is [n] in f32, radians a position. Tier `same`. Source `rope/frequencies.rs`.
pub fn rope_frequencies(device: &Device, n: u32, theta: f64, how: Stretch) -> Op<'_, Tensor> {
    let call = device.call("rope_frequencies").set("n", n).set("theta", theta);
    let call = match how {
        Stretch::None => call,
        Stretch::Llama3 { factor, low, high } => {
            call.word("scaling", "llama3").set("factor", factor).set("low", low).set("high", high)
        }
        Stretch::Yarn { factor, low, high } => {
            call.word("scaling", "yarn").set("factor", factor).set("low", low).set("high", high)
        }
    };
    one(call, "y")
}
