//! Layers with a state: the gated delta rule, state space models, LSTM cells, convolutions over time.
//!
//! Invariants
//! - A state goes in and comes out; how a sequence is cut into calls changes no bit, but where it is said.

use super::{Activation, Op, one, results, several};
use crate::Tensor;

/// How steps are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Steps {
    /// One after the other: the bits are the same however a sequence is cut.
    #[default]
    OneByOne,
    /// 32 at once, by products of their vectors: the bits are the same where a sequence is cut at multiples of 32.
    Chunks,
}

results! {
    /// What steps gave, and the state after them.
    Stepped {
        /// A row a step.
        y,
        /// The state after the last.
        y_state,
    }
}

/// The gated delta rule: for each step `S = g S; S = S + beta (v - S k) k^T; y = S q`.
///
/// `q` and `k` are [batch, steps, k_heads, dk], `v` and `y` are [batch, steps, heads, dv] (f32, f16 or bf16), `gate` and `beta` are
/// [batch, steps, heads] in f32, the state is [batch, heads, dv, dk] in f32; heads is a multiple of k_heads. In place: the state over
/// `state`. Tier `same`. Source `recurrent/gated_delta.rs`.
pub fn gated_delta<'a>(
    [q, k, v]: [&'a Tensor; 3],
    gate: &Tensor,
    beta: &Tensor,
    state: &Tensor,
    steps: Steps,
) -> Op<'a, Stepped> {
    let operation = match steps {
        Steps::OneByOne => "gated_delta",
        Steps::Chunks => "gated_delta_chunk",
    };
    let call = q.device().call(operation).input("q", q).input("k", k).input("v", v);
    several(call.input("gate", gate).input("beta", beta).input("state", state))
}

results! {
    /// What the gated delta rule takes of its projections.
    DeltaGates {
        /// How much of a state stays, f32.
        gate,
        /// How strongly it is corrected, f32.
        beta,
    }
}

/// `gate = exp(-exp(a_log[h]) softplus(a + dt_bias[h]))`, `beta = sigmoid(b)`.
///
/// `a` and `b` are [.., heads] of one dtype (f32, f16 or bf16), `a_log` and `dt_bias` are [heads] in f32, the results [.., heads] in
/// f32. Tier `same`. Source `recurrent/gated_delta_gates.rs`.
pub fn gated_delta_gates<'a>(
    a: &'a Tensor,
    b: &Tensor,
    a_log: &Tensor,
    dt_bias: &Tensor,
) -> Op<'a, DeltaGates> {
    let call = a.device().call("gated_delta_gates").input("a", a).input("b", b);
    several(call.input("a_log", a_log).input("dt_bias", dt_bias))
}

/// The tensors of a state space model's steps.
#[derive(Clone, Copy, Debug)]
pub struct Ssm<'a> {
    /// [batch, steps, heads] in f32: how long a step is.
    pub dt: &'a Tensor,
    /// [heads, n] in f32, or with `Steps::Chunks` [heads]: how a state decays.
    pub a: &'a Tensor,
    /// [batch, steps, groups, n]: what an input does to the state.
    pub b: &'a Tensor,
    /// [batch, steps, groups, n]: what of the state is seen.
    pub c: &'a Tensor,
    /// [heads] in f32: how much of an input goes by.
    pub skip: Option<&'a Tensor>,
}

/// A state space model: for each step `S = exp(dt a) S + (dt x) b^T`, `y = S c + skip x`.
///
/// `x` and `y` are [batch, steps, heads, p] (f32, f16 or bf16), `b` and `c` of their dtype, the state is [batch, heads, p, n] in f32, n 1
/// to 512; heads is a multiple of groups. In place: the state over `state`. Tier `same`. Source `recurrent/ssm.rs`.
pub fn ssm<'a>(x: &'a Tensor, by: Ssm<'_>, state: &Tensor, steps: Steps) -> Op<'a, Stepped> {
    let operation = match steps {
        Steps::OneByOne => "ssm_scan",
        Steps::Chunks => "ssd",
    };
    let call = x.device().call(operation).input("x", x).input("dt", by.dt).input("a", by.a);
    let call = call.input("b", by.b).input("c", by.c).maybe("skip", by.skip);
    several(call.input("state", state))
}

results! {
    /// What an LSTM's cell gave.
    Cell {
        /// The output.
        h,
        /// The state.
        new_c,
    }
}

/// `new_c = sigmoid(f) c + sigmoid(i) tanh(g)`, `h = sigmoid(o) tanh(new_c)`.
///
/// `gates` is [batch, 4 hidden], parts i, f, g, o, `c`, `h` and `new_c` are [batch, hidden] (f32, f16 or bf16). In place: `new_c` over
/// `c`. Tier `same`. Source `recurrent/lstm.rs`.
pub fn lstm_cell<'a>(gates: &'a Tensor, c: &Tensor) -> Op<'a, Cell> {
    several(gates.device().call("lstm_cell").input("gates", gates).input("c", c))
}

results! {
    /// What a convolution over time gave, and the inputs that the next step needs.
    Convolved {
        /// Shape of `x`.
        y,
        /// Shape of `state`.
        new_state,
    }
}

/// A causal convolution of each channel: with `h = state ++ x`, `y[b, t, c] = f(bias[c] + sum over j of w[c, j] h[b, c, t + j])`.
///
/// `x` and `y` are [batch, steps, channels], or for one step [batch, channels]; `state` is [batch, channels, width - 1], the oldest
/// first; `w` is [channels, width], `bias` is [channels]; all of one dtype (f32, f16 or bf16). In place, of the form for one step: the
/// new state over `state`. Tier `same`, and `exact` without an activation. Source `conv/causal_conv1d.rs`.
pub fn causal_conv1d<'a>(
    x: &'a Tensor,
    state: &Tensor,
    w: &Tensor,
    bias: Option<&Tensor>,
    activation: Activation,
) -> Op<'a, Convolved> {
    let one_step = x.shape().len() == 2;
    let operation = if one_step { "causal_conv1d_step" } else { "causal_conv1d" };
    let call = x.device().call(operation).input("x", x).input("state", state).input("w", w);
    several(call.maybe("bias", bias).word("activation", activation.word()))
}

/// What a convolution along one axis does.
#[derive(Clone, Copy, Debug)]
pub struct Conv1d<'a> {
    /// [out channels], of the dtype of `x`.
    pub bias: Option<&'a Tensor>,
    /// Places between two places of the kernel.
    pub stride: u32,
    /// Places of zeros at both ends.
    pub pad: u32,
    /// Places between two taps.
    pub dilation: u32,
    /// Groups of channels that do not meet.
    pub groups: u32,
    /// What follows.
    pub activation: Activation,
}

impl Default for Conv1d<'_> {
    fn default() -> Self {
        let activation = Activation::None;
        Conv1d { bias: None, stride: 1, pad: 0, dilation: 1, groups: 1, activation }
    }
}

/// `y[b, o, r] = f(bias[o] + sum over d, i of w[o, d, i] x[b, g depth + d, r stride - pad + i dilation])`, g the group of o.
///
/// `x` is [batch, channels, places], `w` is [out channels, depth, taps] with depth = channels / groups, `y` is [batch, out channels,
/// places]; of one dtype (f32, f16 or bf16). Tier `same`, and `exact` without an activation. Source `conv/conv.rs`.
pub fn conv1d<'a>(x: &'a Tensor, w: &Tensor, how: Conv1d<'_>) -> Op<'a, Tensor> {
    let call = x.device().call("conv1d").input("x", x).input("w", w).maybe("bias", how.bias);
    let call = call.set("stride_columns", how.stride).set("pad_columns", how.pad);
    let call = call.set("dilation_columns", how.dilation).set("groups", how.groups);
    one(call.word("activation", how.activation.word()), "y")
}
