//! Filters: some logits of a row stay, the others become -inf.
//!
//! `x` and `y` are [rows, vocabulary].
//! - `top_k_mask` keeps those not below the k-th greatest; ties with it stay.
//! - `min_p_mask` keeps those whose probability is at least `p` times that of the most probable one, that is
//!   `x >= max + ln p`.
//! - `top_p_mask` keeps the most probable ones until their probabilities add up to `p`: those not below the greatest
//!   threshold, found by halving 24 times the range of weights `exp(x - max)` in (0, 1], for which the kept weights
//!   are at least `p` of all.

use crate::{
    pieces::fold::{Fold, Lanes, fold_row},
    pieces::order::Ordered,
    prelude::*,
};

/// Which filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The k greatest.
    TopK,
    /// Not much less probable than the most probable.
    MinP,
    /// The most probable, up to a sum of probabilities.
    TopP,
}

const X: &[InputSpec] = &[InputSpec::new("x", REALS, "[rows, vocabulary]")];
const Y: &[OutputSpec] = &[OutputSpec::new("y", "shape and dtype of x").over(&["x"])];

const fn entry(
    name: &'static str,
    summary: &'static str,
    settings: &'static [SettingSpec],
) -> Entry {
    let signature = Signature { inputs: X, outputs: Y, settings, words: &[] };
    Entry { name, family: "logits", summary, signature, plan, reference, cases, bench: no_bench }
}

/// The operations.
pub const ENTRIES: &[Entry] = &[
    entry(
        "top_k_mask",
        "y = x where x is not below the k-th greatest of its row, else -inf",
        &[SettingSpec::required_int("k", "how many stay, at least 1")],
    ),
    entry(
        "min_p_mask",
        "y = x where x >= max + ln p, else -inf",
        &[SettingSpec::required_float("p", "share of the greatest probability, above 0 to 1")],
    ),
    entry(
        "top_p_mask",
        "y = x for the most probable that add up to p, else -inf",
        &[SettingSpec::required_float("p", "the sum of probabilities, above 0 to 1")],
    ),
];

/// Definition: one group a row.
#[kernel(group = lanes.threads, grid = rows)]
pub fn filter<T: Real + Ordered>(
    #[len(rows * vocabulary)] x: &In<T>,
    #[len(rows * vocabulary)] y: &mut Out<T>,
    rows: u32,
    vocabulary: u32,
    k: u32,
    p: f32,
    #[comptime] what: Filter,
    #[comptime] lanes: Lanes,
) {
    let vocabulary = lanes.whole(vocabulary);
    let base = group_id() as u64 * vocabulary as u64;
    let greatest = fold_row(Fold::Max, lanes, vocabulary, |i| x[base + i as u64] as f32);
    // The kth greatest key is the greatest one that at least k keys reach, found bit by bit.
    let mut least_key = val(0u32);
    let mut least = lit::<f32>(0.0);
    match what {
        Filter::TopK => {
            for bit in val(0u32)..32 {
                let candidate = least_key | (1u32 << (31 - bit));
                let reached = fold_row(Fold::Sum, lanes, vocabulary, |i| {
                    (T::key(x[base + i as u64]) >= candidate) as u32
                });
                least_key = select(group_broadcast(reached) >= k, candidate, least_key);
                barrier();
            }
        }
        Filter::MinP => {
            least = greatest + log(p);
        }
        Filter::TopP => {
            let weight = |i: Val<u32>| exp(x[base + i as u64] as f32 - greatest);
            let all = fold_row(Fold::Sum, lanes, vocabulary, |i| weight(i));
            let mut step = lit::<f32>(0.5);
            for _ in val(0u32)..24 {
                let candidate = least + step;
                let kept = fold_row(Fold::Sum, lanes, vocabulary, |i| {
                    let w = weight(i);
                    select(w >= candidate, w, lit::<f32>(0.0))
                });
                least = select(kept >= p * all, candidate, least);
                step = step * 0.5;
                barrier();
            }
        }
    }
    lanes.each(vocabulary, |i| {
        let logit = x[base + i as u64];
        let stays = match what {
            Filter::TopK => T::key(logit) >= least_key,
            Filter::MinP => logit as f32 >= least,
            Filter::TopP => exp(logit as f32 - greatest) >= least,
        };
        y[base + i as u64] = select(stays, logit as f32, f32::NEG_INFINITY) as T;
    });
}

fn what(op: &str) -> Filter {
    match op {
        "top_k_mask" => Filter::TopK,
        "min_p_mask" => Filter::MinP,
        _ => Filter::TopP,
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, vocabulary) = call.rows("x")?;
    call.elems("x")?;
    let what = what(call.op);
    let (k, p) = match what {
        Filter::TopK => (call.int_in("k", 1..=i64::from(u32::MAX))?.min(vocabulary), 1.0),
        Filter::MinP | Filter::TopP => (1, call.float("p")),
    };
    call.expect(p > 0.0 && p <= 1.0, "`p`", "above 0 to 1", p)?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let lanes = Lanes::for_row(vocabulary);
    let kernel = with_real!(call, call.dtype("x"), T => filter::<T>(what, lanes))?;
    plan.step(
        kernel,
        [
            call.buffer("x"),
            y.buffer(),
            rows.into(),
            vocabulary.into(),
            k.into(),
            Arg::float(DType::F32, p),
        ],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let vocabulary = known.extents("x").last().copied().unwrap_or(1);
    let mut y = Vec::new();
    for row in known.float("x").chunks(vocabulary.max(1)) {
        let mut sorted = row.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let least = match what(known.op) {
            Filter::TopK => sorted[(call.int("k") as usize).min(vocabulary) - 1],
            Filter::MinP => sorted[0] + libm::log(number::round(DType::F32, call.float("p"))),
            Filter::TopP => {
                let weights = sorted.iter().map(|x| libm::exp(x - sorted[0]));
                let all: f64 = weights.clone().sum();
                let mut kept = 0.0;
                let reached = weights.into_iter().position(|w| {
                    kept += w;
                    kept >= call.float("p") * all
                });
                sorted[reached.unwrap_or(vocabulary - 1)]
            }
        };
        y.extend(row.iter().map(|&x| if x >= least { x } else { f64::NEG_INFINITY }));
    }
    vec![Expected::float("y", y)]
}

fn cases(entry: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for (name, shape) in [("one", [1, 1]), ("ragged", [3, 301]), ("wide", [1, 5_000])] {
            // Distinct logits well apart of the thresholds: a permutation of a ramp in steps of 1/32.
            let values = Pattern::Permutation { seed: 4 }.bits(DType::U32, shape[1] as usize);
            let steps = values.iter().map(|&v| (v % 199) as f64 / 16.0 - 6.0).collect();
            let case = Case::new(name, dtype).input("x", &shape, Pattern::Cycle(steps));
            match entry.name {
                "top_k_mask" => {
                    for k in [1, 7, 40, 10_000] {
                        let mut case = case.clone().set("k", k);
                        case.name = format!("{name}-{k}");
                        all.push(case);
                    }
                }
                _ => {
                    for p in [0.05, 0.51, 0.9] {
                        let mut case = case.clone().set("p", p);
                        case.name = format!("{name}-{p}");
                        all.push(case);
                    }
                }
            }
        }
    }
    let set = |case: Case| match entry.name {
        "top_k_mask" => case.set("k", 2),
        _ => case.set("p", 0.5),
    };
    // Steps of 1/8: thresholds fall between them.
    let steps = (0..152_064u64).map(|i| (i * 7_919 % 152_064 / 1_901) as f64 / 8.0 - 9.0);
    let steps = Pattern::Cycle(steps.collect());
    all.push(set(Case::new("vocabulary", DType::F32).input("x", &[1, 152_064], steps)));
    let infinite = Pattern::Cycle(vec![f64::NEG_INFINITY, 1.0, 3.0, f64::NEG_INFINITY, 2.5]);
    all.push(set(Case::new("some-masked", DType::F32).input("x", &[2, 5], infinite)));
    all.push(set(Case::new("empty", DType::F32).input("x", &[0, 5], Pattern::normal(1))).empty());
    all
}
