//! Causal convolution of each channel over time, with its state: a step, or many.
//!
//! The state holds the last `width - 1` inputs, the oldest first. With `h[b,c] = state[b,c,..] ++ x[b,..,c]`:
//! `y[b,t,c] = f(bias[c] + sum_j w[c,j] h[b,c,t + j])`, and `new_state` is the last `width - 1` of `h`. The sum starts at -0.0
//! and runs over j by `fma(w, h, acc)` in f32: the bits are the same however a sequence is cut.

use super::conv::bound;
use crate::{
    pieces::epilogue::{Activation, activate},
    prelude::*,
};

const fn inputs(x: &'static str) -> [InputSpec; 4] {
    [
        InputSpec::new("x", REALS, x),
        InputSpec::like("state", "x", "[batch, channels, width - 1], the oldest first"),
        InputSpec::like("w", "x", "[channels, width]"),
        InputSpec::like("bias", "x", "[channels]").optional(),
    ]
}

const Y: OutputSpec = OutputSpec::new("y", "shape and dtype of x");
const NEW_STATE: OutputSpec = OutputSpec::new("new_state", "shape and dtype of state");
const WORDS: &[WordSpec] = &[WordSpec::new("activation", Activation::WORDS, "f")];

const fn entry(
    name: &'static str,
    summary: &'static str,
    inputs: &'static [InputSpec],
    outputs: &'static [OutputSpec],
) -> Entry {
    let signature = Signature { inputs, outputs, settings: &[], words: WORDS };
    Entry { name, family: "conv", summary, signature, plan, reference, cases, bench }
}

/// One step.
pub const STEP: Entry = entry(
    "causal_conv1d_step",
    "h = state ++ [x]; y[b,c] = f(bias[c] + sum_j w[c,j] h[b,c,j]); new_state = h[1..]",
    &inputs("[batch, channels]"),
    // One thread has all of a channel's state; of several steps each has a thread that reads it.
    &[Y, NEW_STATE.over(&["state"])],
);
/// Any number of steps.
pub const ENTRY: Entry = entry(
    "causal_conv1d",
    "h = state ++ x; y[b,t,c] = f(bias[c] + sum_j w[c,j] h[b,c,t+j]); new_state = the last of h",
    &inputs("[batch, steps, channels]"),
    &[Y, NEW_STATE],
);

/// Definition: a thread a step of a channel; those of the first step move the state.
#[kernel(group = 256, grid = (batch * steps.max(1) * channels).div_ceil(256))]
pub fn causal_conv1d<T: Real>(
    #[len(batch * steps * channels)] x: &In<T>,
    #[len(batch * channels * (width - 1))] state: &In<T>,
    #[len(channels * width)] w: &In<T>,
    #[len(channels * bias_rows)] bias: &In<T>,
    #[len(batch * steps * channels)] y: &mut Out<T>,
    #[len(batch * channels * (width - 1))] new_state: &mut Out<T>,
    batch: u32,
    steps: u32,
    channels: u32,
    width: u32,
    #[comptime] bias_rows: u32,
    #[comptime] activation: Activation,
) {
    let at = global_id();
    if at < batch * max(steps, 1) * channels {
        let channel = at % channels;
        let step = at / channels % max(steps, 1);
        let row = at / channels / max(steps, 1);
        let last = width - 1;
        let kept = (row * channels + channel) * last;
        let history = |j: Val<u32>| {
            if j < last {
                state[kept + j]
            } else {
                x[(row * steps + (j - last)) * channels + channel]
            }
        };
        if step < steps {
            let mut acc = -0.0f32;
            for j in 0..width {
                acc = fma(w[channel * width + j] as f32, history(step + j) as f32, acc);
            }
            let sum = if bias_rows > 0 { acc + (bias[channel] as f32) } else { acc };
            y[at] = activate(sum, activation) as T;
        }
        if step == 0 {
            for j in 0..last {
                new_state[kept + j] = history(steps + j);
            }
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (batch, steps, channels) = if call.op == STEP.name {
        let [batch, channels] = call.shape("x")?;
        (batch, 1, channels)
    } else {
        let [batch, steps, channels] = call.shape("x")?;
        (batch, steps, channels)
    };
    let [_, width] = call.shape("w")?;
    call.expect(width > 0, "the width of `w`", "at least 1", "0")?;
    call.expect_shape("w", &[channels, width])?;
    call.expect_shape("state", &[batch, channels, width - 1])?;
    call.product("w", &[channels, width])?;
    call.product("state", &[batch, channels, width])?;
    call.product("x", &[batch, steps.max(1), channels])?;
    if call.has("bias") {
        call.expect_shape("bias", &[channels])?;
    }
    let (bias_rows, bias) = super::conv::bias(call);
    let dtype = call.dtype("x");
    let activation = Activation::named(call.word("activation"));
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("x"));
    let new_state = plan.output("new_state", dtype, &[batch, channels, width - 1]);
    let kernel = with_real!(call, dtype, T => causal_conv1d::<T>(bias_rows, activation))?;
    let inputs = [call.buffer("x"), call.buffer("state"), call.buffer("w"), bias];
    let outputs = [y.buffer(), new_state.buffer()];
    let scalars = [batch, steps, channels, width].map(Arg::from);
    plan.step(kernel, inputs.into_iter().chain(outputs).chain(scalars));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, state, w) = (known.float("x"), known.float("state"), known.float("w"));
    let (batch, [channels, width]) = (known.extent("x", 0), [0, 1].map(|i| known.extent("w", i)));
    let steps = if known.op == STEP.name { 1 } else { known.extent("x", 1) };
    let f = Activation::named(known.word("activation"));
    let (mut y, mut magnitude) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    let mut new_state = Vec::new();
    for (b, c) in (0..batch).flat_map(|b| (0..channels).map(move |c| (b, c))) {
        let mut history = state[(b * channels + c) * (width - 1)..][..width - 1].to_vec();
        history.extend((0..steps).map(|t| x[(b * steps + t) * channels + c]));
        for t in 0..steps {
            let at = (b * steps + t) * channels + c;
            let mut terms: Vec<f64> =
                history[t..].iter().zip(&w[c * width..][..width]).map(|(h, w)| h * w).collect();
            if known.has("bias") {
                terms.push(known.float("bias")[c]);
            }
            y[at] = f.f64(terms.iter().fold(-0.0, |sum, term| sum + term));
            magnitude[at] = terms.iter().map(|term| term.abs()).sum();
        }
        new_state.extend_from_slice(&history[steps..]);
    }
    vec![Expected::sum("y", y, magnitude), Expected::float("new_state", new_state)]
}

fn case(name: &str, dtype: DType, [batch, channels, width]: [u32; 3], p: Pattern) -> Case {
    Case::new(name, dtype)
        .input("x", &[batch, channels], p.clone())
        .input("state", &[batch, channels, width - 1], p.clone())
        .input("w", &[channels, width], p)
}

/// Several steps, of dtypes and numbers that a step has as well.
fn prefill_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let case = |name: &str, dtype, [batch, steps, channels, width]: [u32; 4], p: Pattern| {
        case(name, dtype, [batch, channels, width], p.clone()).input(
            "x",
            &[batch, steps, channels],
            p,
        )
    };
    for &dtype in REALS {
        cases.push(case("positions", dtype, [2, 9, 5, 4], Pattern::Positions));
        let bias = case("bias silu", dtype, [2, 5, 33, 4], Pattern::normal(3));
        let bias = bias.input("bias", &[33], Pattern::normal(9)).word("activation", "silu");
        cases.push(bias.bound_for("y", bound(dtype, 4)));
    }
    let of = |name: &str, shape| case(name, DType::F32, shape, Pattern::Positions);
    // As many steps as the state has, fewer, one; a kernel of one tap; more groups than one.
    for shape in [[1, 3, 7, 4], [3, 2, 7, 6], [1, 1, 3, 4], [2, 4, 3, 1], [2, 40, 17, 3]] {
        cases.push(of(&format!("{shape:?}"), shape));
    }
    cases.push(of("no steps", [2, 0, 5, 4]));
    cases.push(of("no batch", [0, 3, 5, 4]).empty());
    let view = TensorDesc::strided(DType::F32, &[2, 4, 3], &[20, 1, 6], 2);
    cases.push(of("channels first", [2, 4, 3, 3]).view("x", view, Pattern::Positions));
    cases
}

fn cases(entry: &Entry) -> Vec<Case> {
    if entry.name == ENTRY.name {
        return prefill_cases();
    }
    let mut cases = Vec::new();
    for &dtype in REALS {
        for shape in [[1, 1, 1], [1, 1, 4], [2, 5, 4], [3, 100, 2], [1, 257, 3], [4, 7, 9]] {
            let name = format!("positions {shape:?}");
            cases.push(case(&name, dtype, shape, Pattern::Positions));
        }
        for (i, &word) in Activation::WORDS.iter().enumerate() {
            cases.push(
                case(&format!("bias {word}"), dtype, [2, 33, 4], Pattern::normal(i as u64))
                    .input("bias", &[33], Pattern::normal(9))
                    .word("activation", word)
                    .bound_for("y", bound(dtype, 4)),
            );
        }
        cases.push(case("no batch", dtype, [0, 5, 4], Pattern::Positions).empty());
        cases.push(case("no channels", dtype, [2, 0, 4], Pattern::Positions).empty());
        let nan = Pattern::Positions.with(&[(4, f64::NAN), (9, f64::INFINITY)]);
        cases.push(case("nan and inf", dtype, [2, 6, 4], Pattern::Positions).input(
            "state",
            &[2, 6, 3],
            nan,
        ));
        // The state moves bit for bit: zeros keep their sign, subnormals their value.
        let special = case("specials move", dtype, [1, 24, 3], Pattern::Constant(1.0));
        let specials = special
            .input("state", &[1, 24, 2], Pattern::specials())
            .bound_for("y", bound(dtype, 3));
        if dtype == DType::F32 {
            // Sums of the largest numbers leave f32 but not f64.
            continue;
        }
        cases.push(specials);
    }
    cases
}

fn bench(entry: &Entry) -> Vec<Bench> {
    if entry.name == ENTRY.name {
        return Vec::new();
    }
    let (batch, channels, width) = (16u32, 8192u32, 4u32);
    let case = case("16x8192, width 4", DType::F16, [batch, channels, width], Pattern::normal(1))
        .word("activation", "silu")
        .bound_for("y", bound(DType::F16, width));
    let all = u64::from(batch) * u64::from(channels);
    let elems = all * u64::from(2 * width) + u64::from(channels * width);
    vec![Bench { case, bytes: 2 * elems, flops: 2 * u64::from(width) * all, scale: Scale::Host }]
}
