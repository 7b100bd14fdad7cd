//! From logits to tokens, and random numbers.
//!
//! Invariants
//! - A random number is a function of seed, stream, call and index, the same on every device.

use super::{Op, arg_max, one};
use crate::{Device, Result, Tensor};

/// How a token is drawn. Each step is left out where it says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sampling {
    /// Logits are divided by it, above 0.
    pub temperature: Option<f64>,
    /// So many of the greatest logits stay, at least 1; ties with the last stay.
    pub top_k: Option<u32>,
    /// The most probable stay whose probabilities add up to it, above 0 to 1.
    pub top_p: Option<f64>,
    /// Those stay whose probability is at least this share of the greatest, above 0 to 1.
    pub min_p: Option<f64>,
}

/// A token of each row, drawn from the softmax of its logits after temperature, top-k, top-p and min-p in this order: the least i
/// with `sum over j <= i of softmax(x)[j] > u`.
///
/// `x`, the logits, is [rows, vocabulary] (f32, f16 or bf16), `u` is [rows] in f32, uniform in [0, 1) (`random_uniform`); the result is
/// [rows] in u32. A row without a number above -inf, or with NaN or +inf in it, gives 0. Tier `same`. Source `logits/sample.rs`,
/// `logits/filter.rs`, `logits/temperature.rs`.
pub fn sample<'a>(x: &'a Tensor, u: &'a Tensor, how: Sampling) -> Op<'a, Tensor> {
    Op::new(move |to| {
        let device = x.device();
        // The first step leaves the logits alone, the others work in place.
        let mut kept: Option<Tensor> = None;
        let mut step = |name: &str, setting: &str, value: evenweave_kernels::entry::Setting| {
            let logits = kept.as_ref().unwrap_or(x);
            let call = device.call(name).input("x", logits).set(setting, value);
            let call = match &kept {
                Some(own) => call.into("y", own),
                None => call,
            };
            kept = Some(call.run_one()?);
            Result::Ok(())
        };
        if let Some(t) = how.temperature {
            step("temperature", "t", t.into())?;
        }
        if let Some(k) = how.top_k {
            step("top_k_mask", "k", k.into())?;
        }
        if let Some(p) = how.top_p {
            step("top_p_mask", "p", p.into())?;
        }
        if let Some(p) = how.min_p {
            step("min_p_mask", "p", p.into())?;
        }
        let logits = kept.as_ref().unwrap_or(x);
        let call = device.call("categorical_sample").input("x", logits).input("u", u);
        (one(call, "token").work)(to)
    })
}

/// The most likely token of each row: `arg_max`.
///
/// `x`, the logits, is [..., vocabulary], the result [...] in u32. Tier `exact`. Source `reduce/arg.rs`.
pub fn greedy(x: &Tensor) -> Op<'_, Tensor> {
    arg_max(x)
}

/// `y = x`, but at listed tokens `x / p` where it is above 0 and `x p` elsewhere; a token is penalised once.
///
/// `x`, the logits, and `y` are [vocabulary] (f32, f16 or bf16), `tokens` is [n] in u32, `p` is above 0. In place, over `x`, nothing is
/// copied. Tier `same`. Source `logits/penalty.rs`.
pub fn repetition_penalty<'a>(x: &'a Tensor, tokens: &Tensor, p: f64) -> Op<'a, Tensor> {
    let call = x.device().call("repetition_penalty").input("x", x);
    one(call.input("tokens", tokens).set("p", p), "y")
}

/// Which random numbers: those of another seed, stream or call are others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Random {
    /// First word of the key.
    pub seed: u32,
    /// Second word of the key: one for each use.
    pub stream: u32,
    /// Third word of the counter: one for each time of a use.
    pub call: u32,
}

fn random<'a>(device: &'a Device, operation: &str, n: u32, of: Random) -> Op<'a, Tensor> {
    let call = device.call(operation).set("n", n).set("seed", of.seed);
    one(call.set("stream", of.stream).set("call", of.call), "y")
}

/// Words of Philox 4x32-10: `y` is [n] in u32. Tier `exact`. Source `random/philox.rs`.
pub fn random_bits(device: &Device, n: u32, of: Random) -> Op<'_, Tensor> {
    random(device, "random_bits", n, of)
}

/// Numbers uniform in [0, 1): `y` is [n] in f32. Tier `exact`. Source `random/philox.rs`.
pub fn random_uniform(device: &Device, n: u32, of: Random) -> Op<'_, Tensor> {
    random(device, "random_uniform", n, of)
}

/// Normal numbers of mean 0 and standard deviation 1: `y` is [n] in f32. Tier `same`. Source `random/philox.rs`.
pub fn random_normal(device: &Device, n: u32, of: Random) -> Op<'_, Tensor> {
    random(device, "random_normal", n, of)
}
