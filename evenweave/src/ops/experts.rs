//! Mixtures of experts: routing, rows in runs of one expert, and all of it at once.
//!
//! Invariants
//! - A token's result depends on that token alone: no expert has a capacity, and nothing is counted by atomics.

use super::{Gate, Op, Weight, gated, kind, linear, one, results, several, wrong};
use crate::{Result, Tensor};

/// How a logit becomes an expert's score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// The softmax of all logits.
    #[default]
    Softmax,
    /// `sigmoid(logit)`.
    Sigmoid,
    /// `sqrt(softplus(logit))`.
    SqrtSoftplus,
}

/// How tokens find experts.
#[derive(Clone, Copy, Debug)]
pub struct Route<'a> {
    /// Experts of a token, 1 to 32.
    pub top_k: u32,
    /// How a logit becomes a score.
    pub score: Score,
    /// [experts] in f32, added where experts are chosen, not where they are weighed.
    pub bias: Option<&'a Tensor>,
    /// The weights of a token are divided by their sum.
    pub normalise: bool,
    /// The factor of the weights.
    pub scale: f64,
}

impl Default for Route<'_> {
    fn default() -> Self {
        Route { top_k: 2, score: Score::Softmax, bias: None, normalise: true, scale: 1.0 }
    }
}

results! {
    /// Where tokens go.
    Routed {
        /// [tokens, top_k] in u32, in falling order.
        experts,
        /// [tokens, top_k] in f32.
        weights,
    }
}

/// The best `top_k` experts of each token, of equal ones the lowest first, and their weights.
///
/// `logits` is [tokens, experts] (f32, f16 or bf16). Tier `same`. Source `experts/route.rs`.
pub fn route_experts<'a>(logits: &'a Tensor, how: Route<'_>) -> Op<'a, Routed> {
    let score = match how.score {
        Score::Softmax => "softmax",
        Score::Sigmoid => "sigmoid",
        Score::SqrtSoftplus => "sqrt_softplus",
    };
    let call = logits.device().call("route_experts").input("logits", logits);
    let call = call.maybe("bias", how.bias).set("top_k", how.top_k).word("score", score);
    several(call.set("normalise", how.normalise).set("scale", how.scale))
}

results! {
    /// Rows in runs of one expert.
    Permuted {
        /// [tokens top_k, d]: rows of `x`.
        y,
        /// [experts + 1] in u32: where runs begin, and the last ends.
        offsets,
        /// [tokens top_k] in u32: the row of `x` that each row is.
        token,
        /// [tokens, top_k] in u32: the row that each slot is.
        place,
    }
}

/// Rows of `x` sorted by expert, ties by slot.
///
/// `expert` is [tokens, top_k] in u32, each below `experts`; `x` is [tokens, d] (f32, f16 or bf16). Tier `exact`. Source
/// `experts/permute.rs`.
pub fn permute_experts<'a>(x: &'a Tensor, expert: &Tensor, experts: u32) -> Op<'a, Permuted> {
    let call = x.device().call("permute_experts").input("expert", expert).input("x", x);
    several(call.set("experts", experts))
}

/// `y[t, d] = sum over j of weights[t, j] rows[place[t, j], d]`.
///
/// `rows` is [n, d] (f32, f16 or bf16), `place` is [tokens, top_k] in u32, `weights` has its shape in f32, `y` is [tokens, d]. Tier
/// `exact`. Source `experts/permute.rs`.
pub fn unpermute_experts<'a>(rows: &'a Tensor, place: &Tensor, weights: &Tensor) -> Op<'a, Tensor> {
    let call = rows.device().call("unpermute_experts").input("rows", rows);
    one(call.input("place", place).input("weights", weights), "y")
}

/// `y[i, j] = sum over k of x[i, k] w[e, j, k]` where row i is in run e; sums ascend from -0.0.
///
/// `x` is [m, k] (f32, f16 or bf16), `w` is [experts, n, k], dense of its dtype or packed, `offsets` is [experts + 1] in u32; `y` is
/// [m, n]. Runs may be empty. Tier `exact`. Source `experts/gemm_grouped.rs`, `quant/gemm.rs`.
pub fn linear_grouped<'a>(x: &'a Tensor, w: &'a Weight, offsets: &'a Tensor) -> Op<'a, Tensor> {
    Op::new(move |to| {
        let [experts, n, k] = stacked("linear_grouped", "w", w)?;
        if x.shape().len() != 2 || x.shape()[1] != k {
            let want = format!("[m, {k}], as `w` is [{experts}, {n}, {k}]");
            return Err(wrong("linear_grouped", "x", want, kind(x)));
        }
        if offsets.shape() != [experts + 1] {
            let want = format!("[{}], one more than the experts of `w`", experts + 1);
            return Err(wrong("linear_grouped", "offsets", want, kind(offsets)));
        }
        let device = x.device();
        let call = match w {
            Weight::Dense(w) => device.call("gemm_grouped").input("w", w),
            Weight::Packed(packed) => packed.flat()?.give(device.call("gemm_quantized"), ""),
            Weight::Sparse(_) => unreachable!("`stacked` refuses it"),
        };
        (one(call.input("x", x).input("offsets", offsets), "y").work)(to)
    })
}

fn stacked(op: &'static str, argument: &'static str, w: &Weight) -> Result<[u32; 3]> {
    let shape = w.shape();
    match (w, shape[..].try_into()) {
        (Weight::Dense(_) | Weight::Packed(_), Ok(shape)) => Ok(shape),
        (Weight::Dense(_) | Weight::Packed(_), Err(_)) => {
            Err(wrong(op, argument, "[experts, n, k]", format!("{shape:?}")))
        }
        (Weight::Sparse(_), _) => Err(wrong(op, argument, "dense or packed", "2:4 sparse")),
    }
}

/// A dense weight must have the dtype of what it meets.
fn check_dtype(x: &Tensor, argument: &'static str, weight: &Weight) -> Result<()> {
    match weight {
        Weight::Dense(w) if w.dtype() != x.dtype() => {
            Err(wrong("moe", argument, format!("of {}, as `x` is", x.dtype()), w.dtype()))
        }
        Weight::Dense(_) | Weight::Packed(_) | Weight::Sparse(_) => Ok(()),
    }
}

/// The weights of a mixture of experts.
#[derive(Clone, Copy, Debug)]
pub struct Experts<'a> {
    /// [experts, d]: a token's logits.
    pub router: &'a Weight,
    /// [experts, inner, d].
    pub gate: &'a Weight,
    /// [experts, inner, d].
    pub up: &'a Weight,
    /// [experts, d, inner].
    pub down: &'a Weight,
}

/// A mixture of experts: `y[t] = sum over the chosen e of weight[t, e] down[e] f(gate[e] x[t], up[e] x[t])`.
///
/// `x` and `y` are [tokens, d] (f32, f16 or bf16); weights are dense of that dtype, or packed. It is `linear` by the router,
/// `route_experts`, `permute_experts`, three times `linear_grouped` with `gated` between, and `unpermute_experts`; nothing of it
/// waits for the device. Tier `same`. Source `experts/route.rs`, `experts/permute.rs`, `experts/gemm_grouped.rs`, `quant/gemm.rs`.
pub fn moe<'a>(x: &'a Tensor, w: Experts<'a>, route: Route<'a>, gate: Gate) -> Op<'a, Tensor> {
    Op::new(move |to| {
        let [experts, inner, d] = stacked("moe", "gate", w.gate)?;
        if x.shape().len() != 2 || x.shape()[1] != d {
            return Err(wrong("moe", "x", format!("[tokens, {d}], as `gate` is"), kind(x)));
        }
        check_dtype(x, "gate", w.gate)?;
        for (name, weight, want) in [
            ("router", w.router, &[experts, d][..]),
            ("up", w.up, &[experts, inner, d]),
            ("down", w.down, &[experts, d, inner]),
        ] {
            check_dtype(x, name, weight)?;
            if weight.shape() != want {
                let want = format!("{want:?}, as `gate` is [{experts}, {inner}, {d}]");
                return Err(wrong("moe", name, want, format!("{:?}", weight.shape())));
            }
        }
        let routed = route_experts(&linear(x, w.router).run()?, route).run()?;
        let sorted = permute_experts(x, &routed.experts, experts).run()?;
        let product = |w, rows| linear_grouped(rows, w, &sorted.offsets).run();
        let (open, up) = (product(w.gate, &sorted.y)?, product(w.up, &sorted.y)?);
        gated(&open, &up, gate).into(&open)?;
        let rows = product(w.down, &open)?;
        (unpermute_experts(&rows, &sorted.place, &routed.weights).work)(to)
    })
}
