//! The best `top_k` of some experts for each token, in falling order, and their weights.
//!
//! An expert's score is `sigmoid(logit)`, `sqrt(softplus(logit))`, or the softmax of all logits. With a `bias`, experts are chosen by
//! `score + bias`, else by their logits; of equal ones the lowest is chosen first, and NaN is above all. Weights are the scores
//! without the bias; with `normalise` divided by their sum, so that a softmax becomes that of the chosen logits; times
//! `scale`. A sum of 0 gives weights of 0. All in f32; a sum over all experts has 32 accumulators by index and a tree.

use crate::{pieces::order::Ordered, prelude::*};

/// How a logit becomes a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Softmax over all experts.
    Softmax,
    /// Sigmoid.
    Sigmoid,
    /// Square root of softplus.
    SqrtSoftplus,
}

const SCORES: [Score; 3] = [Score::Softmax, Score::Sigmoid, Score::SqrtSoftplus];
const WORDS: &[&str] = &["softmax", "sigmoid", "sqrt_softplus"];

/// The operation.
pub const ENTRY: Entry = Entry::new("route_experts", "experts", plan, reference, cases)
    .summary("experts[t] = the top_k of score(logits[t]) + bias, weights[t] = their scores (/ sum) * scale")
    .inputs(&[
            InputSpec::new("logits", REALS, "[tokens, experts]"),
            InputSpec::new("bias", &[DType::F32], "[experts], added where experts are chosen")
                .optional(),
        ])
    .outputs(&[
            OutputSpec::new("experts", "[tokens, top_k], u32"),
            OutputSpec::new("weights", "[tokens, top_k], f32"),
        ])
    .settings(&[
            SettingSpec::required_int("top_k", "experts of a token, 1 to 32"),
            SettingSpec::int("normalise", 1, "1: the weights of a token are divided by their sum"),
            SettingSpec::float("scale", 1.0, "factor of the weights"),
        ])
    .words(&[WordSpec::new("score", WORDS, "how a logit becomes a score")]);

/// Tokens of a group, one a subgroup.
const TOKENS: u32 = 4;

/// A score before it is divided by a softmax's sum.
#[device]
fn score_of(x: Val<f32>, top: Val<f32>, score: Score) -> Val<f32> {
    match score {
        Score::Softmax => exp(x - top),
        Score::Sigmoid => sigmoid(x),
        Score::SqrtSoftplus => sqrt(softplus(x)),
    }
}

/// `x / sum`, or 0.
#[device]
fn share(x: Val<f32>, sum: Val<f32>) -> Val<f32> {
    select(sum == 0.0, 0.0, x / sum)
}

/// Definition: one subgroup a token; lane p keeps what is chosen in round p.
#[kernel(group = TOKENS * 32, grid = tokens.div_ceil(TOKENS))]
pub fn route_experts<T: Real>(
    #[len(tokens * experts)] logits: &In<T>,
    #[len(experts * u32::from(biased))] bias: &In<f32>,
    #[len(tokens * top_k)] chosen: &mut Out<u32>,
    #[len(tokens * top_k)] weights: &mut Out<f32>,
    tokens: u32,
    experts: u32,
    top_k: u32,
    scale: f32,
    #[comptime] score: Score,
    #[comptime] biased: bool,
    #[comptime] normalise: bool,
) {
    let token = group_id() * TOKENS + subgroup_id();
    if token < tokens {
        let first = token as u64 * experts as u64;
        let logit = |i: Val<u32>| logits[first + i as u64] as f32;
        let mut top = f32::NEG_INFINITY;
        let mut all = -0.0f32;
        if score == Score::Softmax {
            for i in (lane()..experts).step_by(32) {
                top = max(top, logit(i));
            }
            top = subgroup_max(top);
            top = select(top == f32::NEG_INFINITY, 0.0, top);
            if biased || !normalise {
                for i in (lane()..experts).step_by(32) {
                    all = all + score_of(logit(i), top, score);
                }
                all = subgroup_sum(all);
            }
        }
        let merit = |i: Val<u32>| {
            if biased {
                let score_i = score_of(logit(i), top, score);
                let score_i = if score == Score::Softmax { share(score_i, all) } else { score_i };
                score_i + bias[i]
            } else {
                logit(i)
            }
        };
        let mut last_rank = u32::MAX;
        let mut last = u32::MAX;
        let mut own = 0u32;
        for p in val(0)..top_k {
            let mut best_rank = 0u32;
            let mut best = u32::MAX;
            for i in (lane()..experts).step_by(32) {
                let rank = <f32 as Ordered>::rank(merit(i), false);
                // What is behind the last choice in the order of rank and index is left.
                let left = rank < last_rank || (rank == last_rank && i > last);
                if left && (rank > best_rank || best == u32::MAX) {
                    best_rank = rank;
                    best = i;
                }
            }
            let found = select(best == u32::MAX, 0, best_rank);
            last_rank = subgroup_max(found);
            last = subgroup_min(select(found == last_rank, best, u32::MAX));
            own = select(lane() == p, last, own);
        }
        let mine = lane() < top_k;
        let mut weight = 0.0f32;
        if mine {
            weight = score_of(logit(own), top, score);
        }
        let value = if normalise {
            share(weight, subgroup_sum(weight))
        } else if score == Score::Softmax {
            share(weight, all)
        } else {
            weight
        };
        if mine {
            let to = token as u64 * top_k as u64 + lane() as u64;
            chosen[to] = own;
            weights[to] = value * scale;
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [tokens, experts] = call.shape("logits")?;
    call.elems("logits")?;
    let top_k = call.int_in("top_k", 1..=32)?;
    call.expect(top_k <= experts, "`top_k`", format_args!("at most the {experts} experts"), top_k)?;
    let biased = call.has("bias");
    let mut plan = Plan::new();
    let bias = if biased {
        call.expect_shape("bias", &[experts])?;
        call.buffer("bias")
    } else {
        plan.temp(DType::F32, &[0]).buffer()
    };
    let chosen = plan.output("experts", DType::U32, &[tokens, top_k]);
    let weights = plan.output("weights", DType::F32, &[tokens, top_k]);
    let (score, normalise) = (score_word(call), call.flag("normalise"));
    let kernel =
        with_real!(call, call.dtype("logits"), T => route_experts::<T>(score, biased, normalise))?;
    let scale = Arg::float(DType::F32, call.float("scale"));
    let tensors = [call.buffer("logits"), bias, chosen.buffer(), weights.buffer()];
    let scalars = [tokens, experts, top_k].map(Arg::from);
    plan.step(kernel, tensors.into_iter().chain(scalars).chain([scale]));
    Ok(plan)
}

fn score_word(call: &Call<'_>) -> Score {
    let at = WORDS.iter().position(|&w| w == call.word("score"));
    SCORES[at.expect("the signature lists the words")]
}

/// With each weight, by how many roundings of f32 it may be off, times it.
fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (logits, experts) = (known.float("logits"), known.extent("logits", 1));
    let (top_k, score) = (Call::int(known, "top_k") as usize, score_word(known));
    let scale = number::round(DType::F32, Call::float(known, "scale"));
    let (mut chosen, mut weights, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for row in logits.chunks(experts) {
        let top = row
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, |a, x| if x > a || x.is_nan() { x } else { a });
        let top = if top == f64::NEG_INFINITY { 0.0 } else { top };
        let raw: Vec<f64> = row
            .iter()
            .map(|&x| match score {
                Score::Softmax => libm::exp(x - top),
                Score::Sigmoid => 1.0 / (1.0 + libm::exp(-x)),
                Score::SqrtSoftplus => (x.max(0.0) + libm::log1p(libm::exp(-x.abs()))).sqrt(),
            })
            .collect();
        let share = |x: f64, sum: f64| if sum == 0.0 { 0.0 } else { x / sum };
        let total: f64 = raw.iter().sum();
        let by: Vec<f64> = (0..experts)
            .map(|i| match (known.has("bias"), score) {
                (false, _) => row[i],
                (true, Score::Softmax) => share(raw[i], total) + known.float("bias")[i],
                (true, _) => raw[i] + known.float("bias")[i],
            })
            .collect();
        let mut order: Vec<usize> = (0..experts).collect();
        let above = |i: usize| (by[i].is_nan(), if by[i].is_nan() { 0.0 } else { by[i] });
        order.sort_by(|&i, &j| {
            above(j).partial_cmp(&above(i)).expect("no NaN is compared").then(i.cmp(&j))
        });
        order.truncate(top_k);
        let own: f64 = order.iter().map(|&i| raw[i]).sum();
        for &i in &order {
            chosen.push(i as i128);
            let weight = match (known.flag("normalise"), score) {
                (true, _) => share(raw[i], own),
                (false, Score::Softmax) => share(raw[i], total),
                (false, _) => raw[i],
            } * scale;
            // Of the difference to the top, the score (exp has 0.9 of its last place, the rest less than 2), the same of the
            // sum's terms, its additions, the quotient, the factor.
            let distance =
                if score == Score::Softmax && weight != 0.0 { top - row[i] } else { 0.0 };
            let widest =
                order.iter().map(|&j| top - row[j]).filter(|d| d.is_finite()).fold(0.0, f64::max);
            let widest = if score == Score::Softmax { widest } else { 0.0 };
            weights.push(weight);
            errors.push(
                weight.abs() * (distance + widest + 4.0 + 4.0 + 6.0 + experts as f64 / 32.0 + 2.0),
            );
        }
    }
    vec![Expected::int("experts", chosen), Expected::sum("weights", weights, errors)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let case = |name: String, dtype: DType, [tokens, experts, top_k]: [u32; 3], logits: Pattern| {
        Case::new(format!("{name} {tokens}x{experts} {top_k}"), dtype)
            .input("logits", &[tokens, experts], logits)
            .set("top_k", top_k)
            .bound(Bound::sum(1.0))
    };
    let shapes = [[1, 1, 1], [5, 8, 2], [9, 64, 6], [3, 257, 8], [2, 32, 32], [3, 40, 31]];
    for (i, score) in WORDS.iter().enumerate() {
        for (normalise, biased) in [(1, false), (0, false), (1, true), (0, true)] {
            for (j, shape) in shapes.into_iter().enumerate() {
                let wide = Pattern::Normal { seed: j as u64, mean: 0.3, sd: 2.0 };
                let name = format!("{score} {normalise} {biased}");
                let dtype = if biased || j > 2 { DType::F32 } else { REALS[(i + j) % 3] };
                let case = case(name, dtype, shape, wide).word("score", score);
                let case = case.set("normalise", normalise).set("scale", [1.0, 2.5][j % 2]);
                all.push(match biased {
                    true => case.input_as("bias", DType::F32, &[shape[1]], Pattern::normal(77)),
                    false => case,
                });
            }
        }
    }
    for &dtype in REALS {
        // Equal logits: the lowest come first. Both zeros are equal; NaN is above infinity.
        let ties = Pattern::Cycle(vec![1.0, 2.0, 0.5, 2.0, 2.0, 1.0, 0.5]);
        all.push(case("ties".into(), dtype, [4, 70, 8], ties));
        all.push(case("equal".into(), dtype, [2, 50, 32], Pattern::Constant(0.25)));
        all.push(case(
            "zeros".into(),
            dtype,
            [3, 9, 4],
            Pattern::Cycle(vec![0.0, -0.0, -1.0, -0.0]),
        ));
        let special = vec![1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -2.0];
        all.push(
            case("special".into(), dtype, [4, 11, 5], Pattern::Cycle(special))
                .word("score", "sigmoid"),
        );
    }
    let turned = TensorDesc::strided(DType::F32, &[5, 8], &[1, 6], 3);
    let view = case("view".into(), DType::F32, [5, 8, 2], Pattern::normal(1));
    all.push(view.view("logits", turned, Pattern::normal(4)));
    let none = Pattern::Constant(f64::NEG_INFINITY);
    all.push(case("no score".into(), DType::F32, [2, 20, 3], none));
    all.push(case(
        "one wins".into(),
        DType::F32,
        [2, 20, 3],
        Pattern::Peaked { row_elems: 20, peak: 60.0 },
    ));
    // Far above all others, and behind the last whole round of the lanes.
    let last = Pattern::Constant(0.0).with(&[(38, 200.0), (77, 300.0)]);
    all.push(case("last wins".into(), DType::F32, [2, 39, 3], last));
    all.push(case("empty".into(), DType::F32, [0, 20, 3], Pattern::normal(1)).empty());
    all
}
