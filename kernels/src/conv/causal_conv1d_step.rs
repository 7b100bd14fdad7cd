//! One step of a causal convolution of each channel over time, with its state.
//!
//! The state holds the last `width - 1` inputs, the oldest first: `y[b,c] = f(bias[c] + sum_j w[c,j] h[j])`
//! with `h = state[b,c,..] ++ [x[b,c]]`, and `new_state = h[1..]`. The sum starts at -0.0 and runs over j by
//! `fma(w, h, acc)` in f32.

use crate::{
    pieces::epilogue::{Activation, activate},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry {
    name: "causal_conv1d_step",
    family: "conv",
    summary: "h = state ++ [x]; y[b,c] = f(bias[c] + sum_j w[c,j] h[b,c,j]); new_state = h[1..]",
    signature: Signature {
        inputs: &[
            InputSpec::new("x", REALS, "[batch, channels]"),
            InputSpec::like("state", "x", "[batch, channels, width - 1], the oldest first"),
            InputSpec::like("w", "x", "[channels, width]"),
            InputSpec::like("bias", "x", "[channels]").optional(),
        ],
        outputs: &[
            OutputSpec::new("y", "[batch, channels], dtype of x"),
            OutputSpec::new("new_state", "shape and dtype of state"),
        ],
        settings: &[],
        words: &[WordSpec::new("activation", Activation::WORDS, "f")],
    },
    plan,
    reference,
    cases,
    bench,
};

/// Definition: a thread a channel.
#[kernel(group = 256, grid = (batch * channels).div_ceil(256))]
pub fn causal_conv1d_step<T: Real>(
    #[len(batch * channels)] x: &In<T>,
    #[len(batch * channels * (width - 1))] state: &In<T>,
    #[len(channels * width)] w: &In<T>,
    #[len(channels * bias_rows)] bias: &In<T>,
    #[len(batch * channels)] y: &mut Out<T>,
    #[len(batch * channels * (width - 1))] new_state: &mut Out<T>,
    batch: u32,
    channels: u32,
    width: u32,
    #[comptime] bias_rows: u32,
    #[comptime] activation: Activation,
) {
    let at = global_id();
    if at < batch * channels {
        let channel = at % channels;
        let last = width - 1;
        let mut acc = -0.0f32;
        for j in 0..last {
            let h = state[at * last + j];
            acc = fma(w[channel * width + j] as f32, h as f32, acc);
            if j > 0 {
                new_state[at * last + j - 1] = h;
            }
        }
        acc = fma(w[channel * width + last] as f32, x[at] as f32, acc);
        if last > 0 {
            new_state[at * last + last - 1] = x[at];
        }
        let sum = if bias_rows > 0 { acc + (bias[channel] as f32) } else { acc };
        y[at] = activate(sum, activation) as T;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [batch, channels] = call.shape::<2>("x")?;
    let [_, width] = call.shape::<2>("w")?;
    call.require(width > 0, || ("the width of `w`".into(), "at least 1".into(), "0".into()))?;
    call.expect_shape("w", &[channels, width])?;
    call.expect_shape("state", &[batch, channels, width - 1])?;
    call.product("w", &[channels, width])?;
    call.product("state", &[batch, channels, width - 1])?;
    call.product("x", &[batch, channels])?;
    let (bias_rows, bias) = if call.has("bias") {
        call.expect_shape("bias", &[channels])?;
        (1, call.buffer("bias"))
    } else {
        (0, call.buffer("x"))
    };
    let dtype = call.dtype("x");
    let activation = Activation::named(call.word("activation"));
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, &[batch, channels]);
    let new_state = plan.output("new_state", dtype, &[batch, channels, width - 1]);
    let kernel = with_real!(call, dtype, T => causal_conv1d_step::<T>(bias_rows, activation))?;
    let inputs = [call.buffer("x"), call.buffer("state"), call.buffer("w"), bias];
    let outputs = [y.buffer(), new_state.buffer()];
    let scalars = [batch, channels, width].map(Arg::from);
    plan.step(kernel, inputs.into_iter().chain(outputs).chain(scalars));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, state, w) = (known.float("x"), known.float("state"), known.float("w"));
    let (channels, width) = (known.extent("x", 1), known.extent("w", 1));
    let f = Activation::named(known.word("activation"));
    let (mut y, mut magnitude, mut new_state) = (Vec::new(), Vec::new(), Vec::new());
    for (at, &newest) in x.iter().enumerate() {
        let mut history = state[at * (width - 1)..(at + 1) * (width - 1)].to_vec();
        history.push(newest);
        let channel = at % channels;
        let (mut sum, mut terms) = (-0.0, 0.0);
        for (h, w) in history.iter().zip(&w[channel * width..]) {
            sum += h * w;
            terms += (h * w).abs();
        }
        if known.has("bias") {
            sum += known.float("bias")[channel];
            terms += known.float("bias")[channel].abs();
        }
        y.push(f.f64(sum));
        magnitude.push(terms);
        new_state.extend_from_slice(&history[1..]);
    }
    vec![Expected::sum("y", y, magnitude), Expected::float("new_state", new_state)]
}

/// As for `conv2d`: a rounding a term, one with the bias, and the function's.
fn bound(dtype: DType, width: u32) -> Bound {
    let ulps = if dtype == DType::F32 { 2.5 } else { 0.51 };
    Bound::Sum { ulps, eps_of: DType::F32, factor: 1.13 * f64::from(width + 2) }
}

fn case(name: &str, dtype: DType, [batch, channels, width]: [u32; 3], p: Pattern) -> Case {
    Case::new(name, dtype)
        .input("x", &[batch, channels], p.clone())
        .input("state", &[batch, channels, width - 1], p.clone())
        .input("w", &[channels, width], p)
}

fn cases(_: &Entry) -> Vec<Case> {
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

fn bench(_: &Entry) -> Vec<Bench> {
    let (batch, channels, width) = (16u32, 8192u32, 4u32);
    let case = case("16x8192, width 4", DType::F16, [batch, channels, width], Pattern::normal(1))
        .word("activation", "silu")
        .bound_for("y", bound(DType::F16, width));
    let all = u64::from(batch) * u64::from(channels);
    let elems = all * u64::from(2 * width) + u64::from(channels * width);
    vec![Bench { case, bytes: 2 * elems, flops: 2 * u64::from(width) * all, scale: Scale::Host }]
}
