//! Gated delta rule (Yang et al., 2024), one or more steps of a linear attention with a state matrix a head.
//!
//! For each step t: `S = g S; r = beta (v - S k); S = S + r k^T; y = S q`. `q`, `k` are [batch, steps, k_heads, dk], `v` and
//! `y` are [batch, steps, heads, dv], `gate` and `beta` are [batch, steps, heads] in f32, `state` and `y_state` are
//! [batch, heads, dv, dk] in f32. Head h reads `q` and `k` of head h / (heads / k_heads).
//!
//! `gated_delta` takes a step after the other: the bits are the same however a sequence is cut. `gated_delta_chunk` takes 32
//! at once (Yang et al.'s form for hardware: a triangular system in the chunk's keys); the bits are the same where it is cut
//! at multiples of 32.

use crate::{
    pieces::state::{StateRow, by_chunks},
    prelude::*,
};

/// Rows of the state of a group, one a subgroup.
const ROWS: u32 = 8;

const SIGNATURE: Signature = Signature {
    inputs: &[
        InputSpec::new("q", REALS, "[batch, steps, k_heads, dk], dk 1 to 512"),
        InputSpec::like("k", "q", "shape of q"),
        InputSpec::like("v", "q", "[batch, steps, heads, dv]"),
        InputSpec::new("gate", &[DType::F32], "[batch, steps, heads]"),
        InputSpec::new("beta", &[DType::F32], "[batch, steps, heads]"),
        InputSpec::new("state", &[DType::F32], "[batch, heads, dv, dk]"),
    ],
    outputs: &[
        OutputSpec::new("y", "shape and dtype of v"),
        OutputSpec::new("y_state", "shape of state, f32").over(&["state"]),
    ],
    settings: &[],
    words: &[],
};

/// Step by step.
pub const ENTRY: Entry = Entry {
    name: "gated_delta",
    family: "recurrent",
    summary: "for each step: S = g S; S = S + beta (v - S k) k^T; y = S q",
    signature: SIGNATURE,
    plan,
    reference,
    cases,
    bench,
};
/// 32 steps at once.
pub const CHUNKED: Entry =
    Entry { name: "gated_delta_chunk", summary: "gated_delta, 32 steps at once", ..ENTRY };

/// Definition: one subgroup a row of the state.
#[kernel(group = ROWS * 32, grid = (dv.div_ceil(ROWS), heads, batch))]
pub fn gated_delta<T: Real>(
    #[len(batch * steps * k_heads * dk)] q: &In<T>,
    #[len(batch * steps * k_heads * dk)] k: &In<T>,
    #[len(batch * steps * heads * dv)] v: &In<T>,
    #[len(batch * steps * heads)] gate: &In<f32>,
    #[len(batch * steps * heads)] beta: &In<f32>,
    #[len(batch * heads * dv * dk)] state: &In<f32>,
    #[len(batch * steps * heads * dv)] y: &mut Out<T>,
    #[len(batch * heads * dv * dk)] y_state: &mut Out<f32>,
    batch: u32,
    steps: u32,
    k_heads: u32,
    heads: u32,
    dv: u32,
    #[comptime] dk: u32,
    #[comptime] chunked: bool,
) {
    let row = group_id() * ROWS + subgroup_id();
    let active = row < dv;
    // A subgroup without a row shares the last one's values, and neither reads nor writes a state.
    let row = min(row, dv - 1);
    let head = group_id_z() as u64 * heads as u64 + group_id_y() as u64;
    let place = (head * dv as u64 + row as u64) * dk as u64;
    let first = group_id_z() as u64 * steps as u64;
    // Where step t has its number of this head, and its vectors of the head's queries and keys.
    let at = |t: Val<u32>| (first + t as u64) * heads as u64 + group_id_y() as u64;
    let k_head = (group_id_y() / (heads / k_heads)) as u64;
    let vector = |t: Val<u32>| ((first + t as u64) * k_heads as u64 + k_head) * dk as u64;
    let key = |t: Val<u32>, d: Val<u32>| k[vector(t) + d as u64] as f32;
    let query = |t: Val<u32>, d: Val<u32>| q[vector(t) + d as u64] as f32;
    let value = |t: Val<u32>| v[at(t) * dv as u64 + row as u64] as f32;
    let s = StateRow::load(dk, |d| if active { state[place + d as u64] } else { val(0.0) });
    if chunked {
        let strength = |t: Val<u32>| beta[at(t)];
        by_chunks(
            s,
            active,
            steps,
            |t| gate[at(t)],
            query,
            key,
            value,
            Some(&strength),
            |t, out| {
                y[at(t) * dv as u64 + row as u64] = out as T;
            },
        );
    } else if active {
        for t in val(0)..steps {
            let g = gate[at(t)];
            s.update(|_, s| s * g);
            let delta = (value(t) - s.dot(|d| key(t, d))) * beta[at(t)];
            s.update(|d, s| fma(delta, key(t, d), s));
            let out = s.dot(|d| query(t, d));
            if lane() == 0 {
                y[at(t) * dv as u64 + row as u64] = out as T;
            }
        }
    }
    if active {
        s.each(|d, s| {
            y_state[place + d as u64] = s;
        });
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [batch, steps, k_heads, dk] = call.shape("q")?;
    let [_, _, heads, dv] = call.shape("v")?;
    call.expect_shape("k", &[batch, steps, k_heads, dk])?;
    call.expect_shape("v", &[batch, steps, heads, dv])?;
    call.expect_shape("gate", &[batch, steps, heads])?;
    call.expect_shape("beta", &[batch, steps, heads])?;
    call.expect_shape("state", &[batch, heads, dv, dk])?;
    call.expect((1..=512).contains(&dk), "`dk`", "1 to 512", dk)?;
    call.require(k_heads > 0 && heads % k_heads == 0, || {
        (
            "the heads of `v`".into(),
            format!("a multiple of {k_heads}, those of `k`"),
            heads.to_string(),
        )
    })?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("v"), call.dims("v"));
    let y_state = plan.output("y_state", DType::F32, call.dims("state"));
    let chunked = call.op == CHUNKED.name;
    let kernel = with_real!(call, call.dtype("q"), T => gated_delta::<T>(dk, chunked))?;
    let inputs = ["q", "k", "v", "gate", "beta", "state"].map(|name| call.buffer(name));
    let sizes = [batch, steps, k_heads, heads, dv].map(Arg::from);
    plan.step(kernel, inputs.into_iter().chain([y.buffer(), y_state.buffer()]).chain(sizes));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (q, k, v) = (known.float("q"), known.float("k"), known.float("v"));
    let (gate, beta) = (known.float("gate"), known.float("beta"));
    let [batch, steps, k_heads, dk] = [0, 1, 2, 3].map(|axis| known.extent("q", axis));
    let [heads, dv] = [2, 3].map(|axis| known.extent("v", axis));
    let mut state = known.float("state").to_vec();
    // Beside each number, the roundings of f32 that it may be off by, as a sum of magnitudes.
    let mut state_error = vec![0.0; state.len()];
    let (mut y, mut y_error) = (vec![0.0; v.len()], vec![0.0; v.len()]);
    // A chunk's sums have a term a step of it, each a product of whole vectors; nothing cancels before it is rounded.
    let chunked = known.op == CHUNKED.name;
    let mut state_size: Vec<f64> = state.iter().map(|s| s.abs()).collect();
    let terms = if chunked { dk as f64 + 100.0 } else { dk as f64 / 32.0 + 8.0 };
    for b in 0..batch {
        for t in 0..steps {
            for h in 0..heads {
                let at = (b * steps + t) * heads + h;
                let first = ((b * steps + t) * k_heads + h / (heads / k_heads)) * dk;
                let (q, k) = (&q[first..first + dk], &k[first..first + dk]);
                for r in 0..dv {
                    let from = ((b * heads + h) * dv + r) * dk;
                    let (s, e) = (&mut state[from..from + dk], &mut state_error[from..from + dk]);
                    let m = &mut state_size[from..from + dk];
                    let (mut dot, mut dot_error) = (0.0, 0.0);
                    for d in 0..dk {
                        s[d] *= gate[at];
                        m[d] = if chunked { m[d] * gate[at].abs() } else { s[d].abs() };
                        e[d] = e[d] * gate[at].abs() + m[d];
                        dot += s[d] * k[d];
                        dot_error += k[d].abs() * (e[d] + terms * m[d]);
                    }
                    let delta = (v[at * dv + r] - dot) * beta[at];
                    let delta_error = dot_error * beta[at].abs() + 2.0 * delta.abs();
                    for d in 0..dk {
                        s[d] += delta * k[d];
                        m[d] = if chunked { m[d] + (delta * k[d]).abs() } else { s[d].abs() };
                        e[d] += delta_error * k[d].abs() + m[d];
                        y[at * dv + r] += s[d] * q[d];
                        y_error[at * dv + r] += q[d].abs() * (e[d] + terms * m[d]);
                    }
                }
            }
        }
    }
    vec![Expected::sum("y", y, y_error), Expected::sum("y_state", state, state_error)]
}

fn case(
    name: &str,
    dtype: DType,
    [batch, steps, k_heads, dk]: [u32; 4],
    [heads, dv]: [u32; 2],
) -> Case {
    let qk = [batch, steps, k_heads, dk];
    let scale = 1.0 / f64::from(dk).sqrt();
    let normal = |seed| Pattern::Normal { seed, mean: 0.0, sd: scale };
    let gates = [batch, steps, heads];
    Case::new(name, dtype)
        .input("q", &qk, normal(1))
        .input("k", &qk, normal(2))
        .input("v", &[batch, steps, heads, dv], Pattern::normal(3))
        .input_as("gate", DType::F32, &gates, Pattern::uniform(4, 0.5, 1.0))
        .input_as("beta", DType::F32, &gates, Pattern::uniform(5, 0.1, 0.9))
        .input_as("state", DType::F32, &[batch, heads, dv, dk], Pattern::normal(6))
        .bound(Bound::sum(1.0))
}

fn cases(entry: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    if entry.name == CHUNKED.name {
        // One step of a chunk, all of it, one more, and chunks of which the last is ragged.
        for steps in [1, 31, 32, 33, 75] {
            all.push(case(&format!("{steps} steps"), DType::F32, [1, steps, 1, 16], [2, 9]));
        }
        let closed = Pattern::uniform(4, 0.5, 1.0).with(&[(20, 0.0), (21, 0.0), (80, 0.0)]);
        let gates = case("closed gates", DType::F32, [1, 45, 1, 16], [2, 3]);
        all.push(gates.input_as("gate", DType::F32, &[1, 45, 2], closed));
    }
    for &dtype in REALS {
        all.push(case("one", dtype, [1, 1, 1, 1], [1, 1]));
        all.push(case("step", dtype, [2, 1, 2, 64], [4, 20]));
        all.push(case("step-128", dtype, [1, 1, 1, 128], [2, 128]));
        all.push(case("chunk", dtype, [1, 12, 2, 32], [4, 9]));
        all.push(case("ragged", dtype, [2, 5, 1, 45], [3, 17]));
    }
    all.push(case("no-steps", DType::F32, [1, 0, 1, 32], [2, 8]));
    all.push(case("no-batch", DType::F32, [0, 3, 1, 32], [2, 8]).empty());
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let case = case("128", DType::F32, [1, 16, 4, 128], [8, 128]);
    vec![Bench { case, bytes: 0, flops: 16 * 8 * 128 * 128 * 7, scale: Scale::Host }]
}
