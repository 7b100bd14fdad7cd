//! Element by element: functions of one number, of two, gates, choices, conversions.
//!
//! Invariants
//! - Of two tensors the second is repeated to the first one's shape; the result has that shape and the first one's dtype.

use super::{Op, one, results, several, unary};
use crate::{Device, Result, Tensor};
use evenweave_lang::dtype::DType;

macro_rules! of_one {
    ($($name:ident $tier:literal $formula:literal;)*) => { $(
        #[doc = concat!("`y = ", $formula, "`, element by element.\n\n`x` and `y` have any one shape and one dtype (f32, f16 or bf16). In place: over `x`. Tier `", $tier, "`. Source `elementwise/unary.rs`.")]
        pub fn $name(x: &Tensor) -> Op<'_, Tensor> {
            unary(stringify!($name), x)
        }
    )* };
}
of_one! {
    abs "exact" "|x|";
    neg "exact" "-x";
    relu "exact" "max(x, 0)";
    square "exact" "x x";
    sqrt "exact" "square root of x";
    rsqrt "exact" "1 / square root of x";
    recip "exact" "1 / x";
    exp "same" "e^x";
    log "same" "ln x";
    sin "same" "sin x";
    cos "same" "cos x";
    tanh "same" "sinh x / cosh x";
    sigmoid "same" "1 / (1 + e^-x)";
    silu "same" "x / (1 + e^-x)";
    softplus "same" "ln(1 + e^x)";
    gelu_tanh "same" "x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))";
    gelu_erf "same" "x/2 (1 + erf(x / sqrt 2))";
}

macro_rules! of_two {
    ($($name:ident $tier:literal $formula:literal;)*) => { $(
        #[doc = concat!("`y = ", $formula, "`, element by element, `b` repeated to the shape of `a`.\n\n`a`, `b` and `y` have one dtype; `y` has the shape of `a`. In place: over `a`, and over `b` where that has its shape. Tier `", $tier, "`. Source `elementwise/binary.rs`.")]
        pub fn $name<'a>(a: &'a Tensor, b: &'a Tensor) -> Op<'a, Tensor> {
            of_two(stringify!($name), a, b)
        }
    )* };
}
of_two! {
    add "exact" "a + b";
    sub "exact" "a - b";
    mul "exact" "a b";
    div "exact" "a / b";
    min "exact" "the smaller of a and b; NaN wins";
    max "exact" "the greater of a and b; NaN wins";
    pow "same" "a^b";
}

fn of_two<'a>(operation: &'static str, a: &'a Tensor, b: &'a Tensor) -> Op<'a, Tensor> {
    Op::new(move |to| {
        let b = repeated(b, a)?;
        let work = one(a.device().call(operation).input("a", a).input("b", &b), "y").work;
        work(to)
    })
}

/// `b` in the shape of `a`; what cannot be repeated to it is left as it is, for the operation to refuse by name.
pub(super) fn repeated(b: &Tensor, a: &Tensor) -> Result<Tensor> {
    Ok(b.broadcast(a.shape()).unwrap_or_else(|_| b.clone()))
}

/// How a gate opens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Gate {
    /// `silu(gate) up`.
    #[default]
    Swiglu,
    /// `gelu_tanh(gate) up`.
    GegluTanh,
    /// `gelu_erf(gate) up`.
    GegluErf,
    /// `g sigmoid(alpha g) (u + 1)`, `g` and `u` clamped to [-limit, limit].
    Clipped {
        /// The factor inside the sigmoid.
        alpha: f64,
        /// The bound, at least 0.
        limit: f64,
    },
    /// `silu(min(gate, limit)) clamp(up, -limit, limit)`.
    Limited {
        /// The bound, at least 0.
        limit: f64,
    },
    /// `min(silu(gate), limit) clamp(up, -limit, limit)`.
    Clamped {
        /// The bound, at least 0.
        limit: f64,
    },
}

/// A gated activation: `y = f(gate) up`, `f` and what else happens as `Gate` says.
///
/// `gate`, `up` and `y` have any one shape and one dtype (f32, f16 or bf16). In place: over `gate` or `up`. Tier `same`. Source
/// `gates/swiglu.rs`, `gates/gate.rs`.
pub fn gated<'a>(gate: &'a Tensor, up: &Tensor, how: Gate) -> Op<'a, Tensor> {
    let call = |name: &str| gate.device().call(name).input("gate", gate).input("up", up);
    let call = match how {
        Gate::Swiglu => call("swiglu"),
        Gate::GegluTanh => call("geglu_tanh"),
        Gate::GegluErf => call("geglu_erf"),
        Gate::Clipped { alpha, limit } => {
            call("clipped_swiglu").set("alpha", alpha).set("limit", limit)
        }
        Gate::Limited { limit } => call("limited_swiglu").set("limit", limit),
        Gate::Clamped { limit } => call("clamped_swiglu").set("limit", limit),
    };
    one(call, "y")
}

/// `y = silu(gate) up`: `gated` by `Gate::Swiglu`.
///
/// `gate`, `up` and `y` have any one shape and one dtype (f32, f16 or bf16). In place: over `gate` or `up`. Tier `same`. Source
/// `gates/swiglu.rs`.
pub fn swiglu<'a>(gate: &'a Tensor, up: &Tensor) -> Op<'a, Tensor> {
    gated(gate, up, Gate::Swiglu)
}

/// `y[h, d] = x[h, d] sigmoid(gate[h])`.
///
/// `x` and `y` are [..., d], `gate` is [...], of one dtype (f32, f16 or bf16). In place: over `x`. Tier `same`. Source
/// `gates/head_gate.rs`.
pub fn head_gate<'a>(x: &'a Tensor, gate: &Tensor) -> Op<'a, Tensor> {
    one(x.device().call("head_gate").input("x", x).input("gate", gate), "y")
}

/// `y = min(max(x, low), high)`.
///
/// `x` and `y` have any one shape and one dtype (f32, f16 or bf16). In place: over `x`. Tier `exact`. Source `gates/activation.rs`.
pub fn clamp(x: &Tensor, low: f64, high: f64) -> Op<'_, Tensor> {
    one(x.device().call("clamp").input("x", x).set("low", low).set("high", high), "y")
}

/// `y = base + scale[0] v`.
///
/// `base`, `v` and `y` have any one shape and one dtype (f32, f16 or bf16); `scale` is [1] in f32, on the device. In place: over
/// `base` or `v`. Tier `exact`. Source `elementwise/fused.rs`.
pub fn scaled_add<'a>(base: &'a Tensor, v: &Tensor, scale: &Tensor) -> Op<'a, Tensor> {
    let call = base.device().call("scaled_add").input("base", base).input("v", v);
    one(call.input("scale", scale), "y")
}

/// `y = base + sigmoid(gate[0]) v`: a shared expert joins.
///
/// `base`, `v` and `y` have any one shape and one dtype (f32, f16 or bf16); `gate` is [1] in f32. In place: over `base` or `v`. Tier
/// `same`. Source `elementwise/fused.rs`.
pub fn gated_add<'a>(base: &'a Tensor, v: &Tensor, gate: &Tensor) -> Op<'a, Tensor> {
    let call = base.device().call("gated_add").input("base", base).input("v", v);
    one(call.input("gate", gate), "y")
}

results! {
    /// A sum and a product.
    Pair {
        /// `a + b`.
        sum,
        /// `a b`.
        product,
    }
}

/// `sum = a + b` and `product = a b` in one pass.
///
/// `a` and `b` have any one shape and one dtype (f32, f16 or bf16). In place: each result over `a` or `b`. Tier `exact`. Source
/// `elementwise/fused.rs`.
pub fn add_and_mul<'a>(a: &'a Tensor, b: &Tensor) -> Op<'a, Pair> {
    several(a.device().call("add_and_mul").input("a", a).input("b", b))
}

/// `y = a` where `condition` is not 0, else `b`.
///
/// `condition` (u8 or bool), `a`, `b` and `y` have any one shape, the last three one dtype. In place: over `a` or `b`. Tier `exact`.
/// Source `elementwise/select.rs`.
pub fn select<'a>(condition: &'a Tensor, a: &Tensor, b: &Tensor) -> Op<'a, Tensor> {
    let call = condition.device().call("select").input("condition", condition);
    one(call.input("a", a).input("b", b), "y")
}

/// `y = x` in another dtype: to floats rounded to nearest, even; to integers truncated and saturated, NaN to 0. Floats of 8 and 4
/// bits saturate.
///
/// `x` and `y` have any one shape. Tier `exact`. Source `elementwise/cast.rs`.
pub fn cast(x: &Tensor, to: DType) -> Op<'_, Tensor> {
    one(x.device().call("cast").input("x", x).word("to", to.name()), "y")
}

/// `y = x`, whatever the strides of `x`.
///
/// Of any shape and value dtype. Tier `exact`. Source `elementwise/copy.rs`.
pub fn copy(x: &Tensor) -> Op<'_, Tensor> {
    unary("copy", x)
}

/// `y[i] = start + i step`, the product and the sum rounded in f32.
///
/// `y` is [n] of `dtype`: f32, f16 or bf16. Tier `exact`. Source `elementwise/arange.rs`.
pub fn arange(device: &Device, n: u32, start: f64, step: f64, dtype: DType) -> Op<'_, Tensor> {
    let call = device.call("arange").set("n", n).set("start", start).set("step", step);
    one(call.word("dtype", dtype.name()), "y")
}
