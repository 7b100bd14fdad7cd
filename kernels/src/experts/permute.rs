//! Tokens in runs of one expert, and back.
//!
//! Slot s is choice `s % top_k` of token `s / top_k`. Runs follow each other by expert; within one, slots ascend. Nothing is counted by
//! atomics: each expert's group looks through all slots in order, so the places are the same everywhere.

use crate::{
    indexing::gather::gather,
    pieces::each::{THREADS, per},
    prelude::*,
};

/// Into runs.
pub const PERMUTE: Entry = Entry::new(
    "permute_experts",
    "experts",
    plan_permute,
    permuted,
    permute_cases,
)
.summary(
    "y = rows of x, sorted by expert, ties by slot; where runs start, and where each slot went",
)
.inputs(&[
    InputSpec::new("expert", &[DType::U32], "[tokens, top_k], each below experts"),
    InputSpec::new("x", REALS, "[tokens, d]"),
])
.outputs(&[
    OutputSpec::new("y", "[tokens * top_k, d], dtype of x"),
    OutputSpec::new("offsets", "[experts + 1], u32"),
    OutputSpec::new("token", "[tokens * top_k], u32: the row of x that each row of y is"),
    OutputSpec::new("place", "[tokens, top_k], u32: the row of y that each slot is"),
])
.settings(&[SettingSpec::required_int("experts", "how many experts there are")]);

/// And back.
pub const UNPERMUTE: Entry =
    Entry::new("unpermute_experts", "experts", plan_unpermute, unpermuted, unpermute_cases)
        .summary("y[t, d] = sum_j weights[t, j] * rows[place[t, j], d]")
        .inputs(&[
            InputSpec::new("rows", REALS, "[n, d]"),
            InputSpec::new("place", &[DType::U32], "[tokens, top_k], each below n"),
            InputSpec::new("weights", &[DType::F32], "shape of place"),
        ])
        .outputs(&[OutputSpec::new("y", "[tokens, d], dtype of rows")]);

/// Where the slots of each expert go; a group an expert.
#[kernel(group = THREADS, grid = experts)]
pub fn place_experts(
    #[len(slots)] of: &In<u32>,
    #[len(experts + 1)] offsets: &mut Out<u32>,
    #[len(slots)] token: &mut Out<u32>,
    #[len(slots)] place: &mut Out<u32>,
    slots: u32,
    experts: u32,
    top_k: u32,
) {
    let expert = group_id();
    let mut below = 0u32;
    for slot in (local_id()..slots).step_by(THREADS) {
        assert!(of[slot] < experts, "an expert is one that there is");
        below = below + select(of[slot] < expert, 1u32, 0u32);
    }
    let first = group_sum(below);
    let mut next = first;
    for start in (val(0)..slots).step_by(THREADS) {
        let slot = start + local_id();
        let mut here = 0u32;
        if slot < slots {
            here = select(of[slot] == expert, 1u32, 0u32);
        }
        let to = next + group_exclusive_sum(here);
        if here == 1 {
            token[to] = slot / top_k;
            place[slot] = to;
        }
        next = next + group_sum(here);
        barrier();
    }
    if local_id() == 0 {
        offsets[expert] = first;
        if expert == experts - 1 {
            offsets[experts] = next;
        }
    }
}

/// The weighted sum of a token's rows, `sum = fma(weight, row, sum)` from -0.0, choice by choice.
#[kernel(group = THREADS, grid = (d.div_ceil(THREADS), tokens))]
pub fn unpermute_experts<T: Real>(
    #[len(n * d)] rows: &In<T>,
    #[len(tokens * top_k)] place: &In<u32>,
    #[len(tokens * top_k)] weights: &In<f32>,
    #[len(tokens * d)] y: &mut Out<T>,
    n: u32,
    d: u32,
    tokens: u32,
    top_k: u32,
) {
    let (i, token) = (global_id(), group_id_y());
    if i < d {
        let mut sum = -0.0f32;
        for j in val(0)..top_k {
            let slot = token as u64 * top_k as u64 + j as u64;
            let row = place[slot];
            assert!(row < n, "a place is a row that there is");
            sum = fma(weights[slot], rows[row as u64 * d as u64 + i as u64] as f32, sum);
        }
        y[token as u64 * d as u64 + i as u64] = sum as T;
    }
}

fn plan_permute(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [tokens, top_k] = call.shape("expert")?;
    let [_, d] = call.shape("x")?;
    call.expect_shape("x", &[tokens, d])?;
    let experts = call.int_in("experts", 1..=1 << 16)?;
    let slots = call.elems("expert")?;
    call.expect(slots < 1 << 31, "the slots", "below 2^31", slots)?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), &[slots, d]);
    let offsets = plan.output("offsets", DType::U32, &[experts + 1]);
    let token = plan.output("token", DType::U32, &[slots]);
    let place = plan.output("place", DType::U32, &[tokens, top_k]);
    let outputs = [offsets.buffer(), token.buffer(), place.buffer()];
    let scalars = [slots, experts, top_k].map(Arg::from);
    let kernel = call.staged(place_experts())?;
    plan.step(kernel, [call.buffer("expert")].into_iter().chain(outputs).chain(scalars));
    let whole = per(&[call.dtype("x")]);
    let per = if d.is_multiple_of(whole) { whole } else { 1 };
    let kernel = with_real!(call, call.dtype("x"), T => gather::<T>(per))?;
    let scalars = [tokens, d, slots].map(Arg::from);
    plan.step(kernel, [call.buffer("x"), token.buffer(), y.buffer()].into_iter().chain(scalars));
    Ok(plan)
}

fn plan_unpermute(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [n, d] = call.shape("rows")?;
    let [tokens, top_k] = call.shape("place")?;
    call.expect_shape("weights", &[tokens, top_k])?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("rows"), &[tokens, d]);
    let kernel = with_real!(call, call.dtype("rows"), T => unpermute_experts::<T>())?;
    let tensors = ["rows", "place", "weights"].map(|name| call.buffer(name));
    let scalars = [n, d, tokens, top_k].map(Arg::from);
    plan.step(kernel, tensors.into_iter().chain([y.buffer()]).chain(scalars));
    Ok(plan)
}

fn permuted(known: &Known<'_>) -> Vec<Expected> {
    let (of, x) = (known.int("expert"), known.float("x"));
    let (top_k, d) = (known.extent("expert", 1), known.extent("x", 1));
    let experts = Call::int(known, "experts") as usize;
    let mut slots: Vec<usize> = (0..of.len()).collect();
    slots.sort_by_key(|&slot| of[slot]);
    let mut place = vec![0; of.len()];
    for (to, &slot) in slots.iter().enumerate() {
        place[slot] = to as i128;
    }
    let offset = |e: usize| of.iter().filter(|&&other| other < e as i128).count() as i128;
    let tokens: Vec<usize> = slots.iter().map(|slot| slot / top_k).collect();
    let y = tokens.iter().flat_map(|t| x[t * d..][..d].to_vec()).collect();
    vec![
        Expected::float("y", y),
        Expected::int("offsets", (0..=experts).map(offset).collect()),
        Expected::int("token", tokens.iter().map(|&t| t as i128).collect()),
        Expected::int("place", place),
    ]
}

fn unpermuted(known: &Known<'_>) -> Vec<Expected> {
    let (rows, place, weights) = (known.float("rows"), known.int("place"), known.float("weights"));
    let (d, top_k) = (known.extent("rows", 1), known.extent("place", 1));
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for token in 0..known.extent("place", 0) {
        for i in 0..d {
            let of = token * top_k..(token + 1) * top_k;
            let terms: Vec<f64> =
                of.map(|slot| weights[slot] * rows[place[slot] as usize * d + i]).collect();
            y.push(terms.iter().fold(-0.0, |sum, term| sum + term));
            magnitude.push(terms.iter().map(|term| term.abs()).sum());
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

/// What is moved keeps its bits, and counts are exact.
fn permute_cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for ([tokens, top_k, d], experts) in
            [([1, 1, 1], 1), ([5, 2, 8], 3), ([70, 8, 33], 64), ([300, 2, 4], 5)]
        {
            let of = Pattern::Indices { seed: u64::from(tokens), below: experts };
            all.push(
                Case::new(format!("{tokens}x{top_k}x{d} of {experts}"), dtype)
                    .input_as("expert", DType::U32, &[tokens, top_k], of)
                    .input("x", &[tokens, d], Pattern::Positions)
                    .set("experts", experts),
            );
        }
    }
    let case = |name: &str, of: Pattern, tokens: u32| {
        Case::new(name, DType::F32)
            .input_as("expert", DType::U32, &[tokens, 2], of)
            .input("x", &[tokens, 4], Pattern::Positions)
            .set("experts", 7)
    };
    // All slots at the last expert: runs of no row, and one of all.
    all.push(case("one expert", Pattern::Constant(6.0), 150));
    all.push(case("holes", Pattern::CycleInt(vec![5, 1, 1, 3]), 40));
    all.push(case("no tokens", Pattern::Constant(0.0), 0));
    all
}

fn unpermute_cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for [tokens, top_k, d] in [[1, 1, 1], [5, 2, 8], [70, 8, 33], [3, 1, 300]] {
            let n = tokens * top_k;
            let case = |name: &str, rows: Pattern, weights: Pattern| {
                Case::new(format!("{name} {tokens}x{top_k}x{d}"), dtype)
                    .input("rows", &[n, d], rows)
                    .input_as(
                        "place",
                        DType::U32,
                        &[tokens, top_k],
                        Pattern::Permutation { seed: 4 },
                    )
                    .input_as("weights", DType::F32, &[tokens, top_k], weights)
            };
            all.push(case("exact", Pattern::Positions, Pattern::Cycle(vec![0.5, 2.0, -1.0, 0.25])));
            let bound = Bound::Sum { ulps: 0.51, eps_of: DType::F32, factor: f64::from(top_k) };
            let normal = case("normal", Pattern::normal(1), Pattern::uniform(2, 0.0, 1.0));
            all.push(normal.bound(bound));
        }
    }
    let case = |tokens: u32, top_k: u32| {
        Case::new(format!("{tokens} of {top_k}"), DType::F32)
            .input("rows", &[4, 5], Pattern::Positions)
            .input_as("place", DType::U32, &[tokens, top_k], Pattern::Constant(3.0))
            .input_as("weights", DType::F32, &[tokens, top_k], Pattern::Constant(1.0))
    };
    all.push(case(0, 2).empty());
    // The sum of nothing is -0.0.
    all.push(case(2, 0));
    all.push(case(3, 2).input(
        "rows",
        &[4, 5],
        Pattern::Positions.with(&[(16, f64::NAN), (18, f64::INFINITY)]),
    ));
    all
}
