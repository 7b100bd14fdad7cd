//! Norms.
//!
//! Invariants
//! - `weight` and `bias` may be of another dtype than what is normalised, where the registry says so.

use super::{Op, one, results, several};
use crate::Tensor;

/// `y[r, i] = x[r, i] / sqrt(mean over j of x[r, j]^2 + eps) * weight[i]`.
///
/// `x` and `y` are [..., n] (f32, f16 or bf16), `weight` is [n] of any of the three. In place: over `x`. Tier `same`. Source
/// `norms/rms_norm.rs`.
pub fn rms_norm<'a>(x: &'a Tensor, weight: &Tensor, eps: f64) -> Op<'a, Tensor> {
    one(x.device().call("rms_norm").input("x", x).input("weight", weight).set("eps", eps), "y")
}

/// `y[r, i] = (x[r, i] - mean(x[r])) / sqrt(variance(x[r]) + eps) * weight[i] + bias[i]`, the variance divided by n.
///
/// `x` and `y` are [..., n] (f32, f16 or bf16), `weight` and `bias` are [n] of one of the three. In place: over `x`. Tier `same`.
/// Source `norms/layer_norm.rs`.
pub fn layer_norm<'a>(x: &'a Tensor, weight: &Tensor, bias: &Tensor, eps: f64) -> Op<'a, Tensor> {
    let call = x.device().call("layer_norm").input("x", x).input("weight", weight);
    one(call.input("bias", bias).set("eps", eps), "y")
}

results! {
    /// A sum and its norm.
    Added {
        /// `a + b`.
        sum,
        /// The norm of it.
        y,
    }
}

/// `sum = a + b`, `y = rms_norm(sum, weight, eps)`, in one pass; the sum is rounded to its dtype before it is normalised.
///
/// `a`, `b`, `sum` and `y` are [..., n] of one dtype (f32, f16 or bf16), `weight` is [n] of any of the three. In place: each result
/// over `a` or `b`. Tier `same`. Source `norms/add_rms_norm.rs`.
pub fn add_rms_norm<'a>(a: &'a Tensor, b: &Tensor, weight: &Tensor, eps: f64) -> Op<'a, Added> {
    let call = a.device().call("add_rms_norm").input("a", a).input("b", b);
    several(call.input("weight", weight).set("eps", eps))
}

/// `y = residual + rms_norm(x, weight, eps)`, rounded once.
///
/// `x`, `residual` and `y` are [..., n] of one dtype (f32, f16 or bf16), `weight` is [n] of any of the three. In place: over `x` or
/// `residual`. Tier `same`. Source `norms/rms_norm_residual.rs`.
pub fn rms_norm_residual<'a>(
    x: &'a Tensor,
    residual: &Tensor,
    weight: &Tensor,
    eps: f64,
) -> Op<'a, Tensor> {
    let call = x.device().call("rms_norm_residual").input("x", x).input("residual", residual);
    one(call.input("weight", weight).set("eps", eps), "y")
}

/// `y = rms_norm(x, weight, eps) * silu(gate)`, rounded once.
///
/// `x` is [..., n] (f32, f16 or bf16); `gate` and `y` have its shape and one dtype of the three, `weight` is [n] of that dtype. In
/// place: over `gate`, and over `x` where that has its dtype. Tier `same`. Source `norms/gated_rms_norm.rs`.
pub fn gated_rms_norm<'a>(
    x: &'a Tensor,
    gate: &Tensor,
    weight: &Tensor,
    eps: f64,
) -> Op<'a, Tensor> {
    let call = x.device().call("gated_rms_norm").input("x", x).input("gate", gate);
    one(call.input("weight", weight).set("eps", eps), "y")
}

/// `y[b, c, ..] = (x[b, c, ..] - mean) / sqrt(variance + eps) * weight[c] + bias[c]`, mean and variance over all places of the
/// group of channels that c is in.
///
/// `x` and `y` are [batch, channels, places..] (f32, f16 or bf16), `weight` and `bias` are [channels] or [batch, channels] of one of
/// the three; `groups` divides the channels. In place: over `x`. Tier `same`. Source `norms/group_norm.rs`.
pub fn group_norm<'a>(
    x: &'a Tensor,
    weight: &Tensor,
    bias: &Tensor,
    groups: u32,
    eps: f64,
) -> Op<'a, Tensor> {
    let call = x.device().call("group_norm").input("x", x).input("weight", weight);
    one(call.input("bias", bias).set("groups", groups).set("eps", eps), "y")
}

/// What attention does with queries and keys: `n = rms_norm` of each head, then each pair `(n[i], n[i + dim / 2])` turned by
/// `positions[s] * theta^(-2 i / dim)` (radians); nothing is rounded between.
///
/// `x` and `y` are [seq, heads, dim] (f32, f16 or bf16), `weight` is [dim] of any of the three, `positions` is [seq] in u32. In
/// place: over `x`. Tier `same`. Source `norms/rms_norm_rope.rs`.
pub fn rms_norm_rope<'a>(
    x: &'a Tensor,
    weight: &Tensor,
    positions: &Tensor,
    eps: f64,
    theta: f64,
) -> Op<'a, Tensor> {
    let call = x.device().call("rms_norm_rope").input("x", x).input("weight", weight);
    one(call.input("positions", positions).set("eps", eps).set("theta", theta), "y")
}
