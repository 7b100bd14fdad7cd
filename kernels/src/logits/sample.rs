//! A token drawn from each row of logits: the first whose probabilities, summed from the row's start, pass `u`.
//!
//! `x` is [rows, vocabulary], `u` is [rows] in [0, 1), `token` is [rows]. The weights are `exp(x - max)`, their prefixes
//! those of `scan`; a token's prefix must be above `u` times the sum. Only tokens with a weight are drawn; where rounding
//! leaves none, the last of them. A row without a number above -inf, or with NaN or +inf in it, gives 0.

use crate::{
    pieces::{
        exp_sum::{greatest_of, powers, top_of},
        fold::{Fold, Lanes, Row},
        scan::scan_row,
    },
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("categorical_sample", "logits", plan, reference, cases)
    .summary("token = the least i with sum over j <= i of softmax(x)[j] > u")
    .inputs(&[
        InputSpec::new("x", REALS, "[rows, vocabulary]"),
        InputSpec::new("u", &[DType::F32], "[rows], in [0, 1)"),
    ])
    .outputs(&[OutputSpec::new("token", "[rows], u32")]);

/// Definition: one group a row.
#[kernel(group = lanes.threads, grid = rows)]
pub fn categorical_sample<T: Real>(
    #[len(rows * vocabulary)] x: &In<T>,
    #[len(rows)] u: &In<f32>,
    #[len(rows)] token: &mut Out<u32>,
    rows: u32,
    vocabulary: u32,
    #[comptime] lanes: Lanes,
) {
    let base = group_id() as u64 * vocabulary as u64;
    let row = Row::new(lanes, vocabulary, |i| x[base + i as u64] as f32);
    let top = top_of(greatest_of(&row));
    let passed = powers(&row, top).fold(Fold::Sum) * u[group_id()];
    let weight = |i: Val<u32>| exp(x[base + i as u64] as f32 - top);
    // Where this thread's first token that passes is, and its last one that has a weight.
    let mut first = val(u32::MAX);
    let mut last = val(0u32);
    scan_row(Fold::Sum, lanes.threads, vocabulary, weight, |i, prefix| {
        if weight(i) > 0.0 {
            last = max(last, i);
            if prefix > passed {
                first = min(first, i);
            }
        }
    });
    let first_of_all = group_min(first);
    let last_of_all = group_max(last);
    if thread_id() == 0 {
        token[group_id()] = min(first_of_all, last_of_all);
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [rows, vocabulary] = call.shape("x")?;
    call.expect_shape("u", &[rows])?;
    call.elems("x")?;
    Lanes::for_rows_of(call, "x")?;
    let lanes = Lanes::for_any_row(vocabulary);
    let mut plan = Plan::new();
    let token = plan.output("token", DType::U32, &[rows]);
    let kernel = with_real!(call, call.dtype("x"), T => categorical_sample::<T>(lanes))?;
    let scalars = [rows, vocabulary].map(Arg::from);
    let tensors = [call.buffer("x"), call.buffer("u"), token.buffer()];
    plan.step(kernel, tensors.into_iter().chain(scalars));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let n = known.extent("x", 1);
    let mut tokens = Vec::new();
    for (r, u) in known.float("u").iter().enumerate() {
        let row = &known.float("x")[r * n..(r + 1) * n];
        let top = row.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        let weights: Vec<f64> = row.iter().map(|x| libm::exp(x - top)).collect();
        let all: f64 = weights.iter().sum();
        let mut sum = 0.0;
        let passes = weights.iter().position(|w| {
            sum += w;
            *w > 0.0 && sum > u * all
        });
        // Only an undefined sum is never passed in exact arithmetic.
        tokens.push(passes.unwrap_or(0) as i128);
    }
    vec![Expected::int("token", tokens)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let case = |name: String, dtype, [rows, n]: [u32; 2], x: Pattern, u: Pattern| {
        Case::new(name, dtype).input("x", &[rows, n], x).input_as("u", DType::F32, &[rows], u)
    };
    let any = || Pattern::uniform(7, 0.0, 1.0);
    let normal = |seed: u32| Pattern::Normal { seed: seed.into(), mean: 0.0, sd: 3.0 };
    for &dtype in REALS {
        for [rows, n] in [[3, 1], [9, 33], [5, 1_000], [3, 2_500]] {
            all.push(case(format!("{rows}x{n}"), dtype, [rows, n], normal(n), any()));
        }
        // Equal weights: prefixes are whole numbers, and each threshold is hit exactly or just missed.
        let eighths = Pattern::Cycle(
            (0..8).flat_map(|i| [f64::from(i) / 8.0, f64::from(i) / 8.0 + 0.124]).collect(),
        );
        all.push(case("thresholds".into(), dtype, [16, 8], Pattern::Constant(-3.0), eighths));
    }
    let f32 = DType::F32;
    all.push(case("vocabulary".into(), f32, [2, 152_064], normal(4), any()));
    let ends = Pattern::Cycle(vec![0.0, 1.0 - 2f64.powi(-24)]);
    let masked = Pattern::normal(5).with(&[
        (0, f64::NEG_INFINITY),
        (1, f64::NEG_INFINITY),
        (39, f64::NEG_INFINITY),
        (40, f64::NEG_INFINITY),
        (78, f64::NEG_INFINITY),
        (79, f64::NEG_INFINITY),
    ]);
    all.push(case("ends".into(), f32, [2, 40], masked, ends));
    let nothing = Pattern::Constant(f64::NEG_INFINITY);
    all.push(case("all masked".into(), f32, [2, 40], nothing, any()));
    let nan = Pattern::normal(6).with(&[(7, f64::NAN), (60, f64::INFINITY)]);
    all.push(case("NaN and inf".into(), f32, [2, 40], nan, Pattern::Constant(0.9)));
    all.push(case("no vocabulary".into(), f32, [2, 0], Pattern::normal(1), any()));
    all.push(case("empty".into(), f32, [0, 5], Pattern::normal(1), any()).empty());
    all
}
