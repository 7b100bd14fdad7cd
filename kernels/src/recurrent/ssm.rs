//! State space model with a choosing scan (Gu and Dao, 2023; Dao and Gu, 2024): for each step
//! `S = exp(dt a) S + (dt x) b^T`, `y = S c + skip x`.
//!
//! `x` and `y` are [batch, steps, heads, p], `dt` is [batch, steps, heads] in f32, `b` and `c` are [batch, steps, groups, n],
//! `skip` is [heads] in f32, `state` and `y_state` are [batch, heads, p, n] in f32. Head h reads group h / (heads / groups).
//! `ssm_scan` takes a step after the other; its `a` is [heads, n], a view of stride 0 where a head has one number. `ssd` has
//! `a` [heads] and takes 32 steps at once, by products of their `c` and `b`.

use crate::{
    pieces::state::{StateRow, by_chunks},
    prelude::*,
};

/// Rows of the state of a group, one a subgroup.
const ROWS: u32 = 8;
const F32: &[DType] = &[DType::F32];
const fn signature(a: InputSpec) -> [InputSpec; 7] {
    [
        InputSpec::new("x", REALS, "[batch, steps, heads, p]"),
        InputSpec::new("dt", F32, "[batch, steps, heads]"),
        a,
        InputSpec::like("b", "x", "[batch, steps, groups, n], n 1 to 512"),
        InputSpec::like("c", "x", "shape of b"),
        InputSpec::new("skip", F32, "[heads]").optional(),
        InputSpec::new("state", F32, "[batch, heads, p, n]"),
    ]
}
const OUTPUTS: &[OutputSpec] = &[
    OutputSpec::new("y", "shape and dtype of x"),
    OutputSpec::new("y_state", "shape of state, f32").over(&["state"]),
];
const fn entry(name: &'static str, summary: &'static str, inputs: &'static [InputSpec]) -> Entry {
    let signature = Signature { inputs, outputs: OUTPUTS, settings: &[], words: &[] };
    Entry { name, family: "recurrent", summary, signature, plan, reference, cases, bench }
}

/// Step by step.
pub const ENTRY: Entry = entry(
    "ssm_scan",
    "for each step: S = exp(dt a) S + (dt x) b^T; y = S c + skip x",
    &signature(InputSpec::new("a", F32, "[heads, n]").strided()),
);
/// 32 steps at once.
pub const CHUNKED: Entry = entry(
    "ssd",
    "ssm_scan with one a for each head, 32 steps at once",
    &signature(InputSpec::new("a", F32, "[heads]").strided()),
);

/// Definition: one subgroup a row of the state.
#[kernel(group = ROWS * 32, grid = (p.div_ceil(ROWS), heads, batch))]
pub fn ssm<T: Real>(
    #[len(batch * steps * heads * p)] x: &In<T>,
    #[len(batch * steps * heads)] dt: &In<f32>,
    #[shape(heads, n)] a: &InView<f32, 2>,
    #[len(batch * steps * groups * n)] b: &In<T>,
    #[len(batch * steps * groups * n)] c: &In<T>,
    #[len(heads * skips)] skip: &In<f32>,
    #[len(batch * heads * p * n)] state: &In<f32>,
    #[len(batch * steps * heads * p)] y: &mut Out<T>,
    #[len(batch * heads * p * n)] y_state: &mut Out<f32>,
    batch: u32,
    steps: u32,
    groups: u32,
    heads: u32,
    p: u32,
    #[comptime] n: u32,
    #[comptime] skips: u32,
    #[comptime] chunked: bool,
) {
    let row = group_id() * ROWS + subgroup_id();
    let active = row < p;
    // A subgroup without a row shares the last one's values, and neither reads nor writes a state.
    let row = min(row, p - 1);
    let head = group_id_y();
    let place = (group_id_z() as u64 * heads as u64 + head as u64) * p as u64 + row as u64;
    let first = group_id_z() as u64 * steps as u64;
    let group = (head / (heads / groups)) as u64;
    let at = |t: Val<u32>| (first + t as u64) * heads as u64 + head as u64;
    let vector = |t: Val<u32>| ((first + t as u64) * groups as u64 + group) * n as u64;
    let key = |t: Val<u32>, d: Val<u32>| b[vector(t) + d as u64] as f32;
    let query = |t: Val<u32>, d: Val<u32>| c[vector(t) + d as u64] as f32;
    let input = |t: Val<u32>| x[at(t) * p as u64 + row as u64] as f32;
    let value = |t: Val<u32>| dt[at(t)] * input(t);
    let store = |t: Val<u32>, out: Val<f32>| {
        let all = if skips > 0 { fma(skip[head], input(t), out) } else { out };
        y[at(t) * p as u64 + row as u64] = all as T;
    };
    let s =
        StateRow::load(n, |d| if active { state[place * n as u64 + d as u64] } else { val(0.0) });
    if chunked {
        let gate = |t: Val<u32>| exp(dt[at(t)] * a[[head, val(0u32)]]);
        by_chunks(s, active, steps, gate, query, key, value, None, store);
    } else if active {
        for t in val(0)..steps {
            let (step, u) = (dt[at(t)], value(t));
            s.update(|d, s| fma(u, key(t, d), exp(step * a[[head, d]]) * s));
            let out = s.dot(|d| query(t, d));
            if lane() == 0 {
                store(t, out);
            }
        }
    }
    if active {
        s.each(|d, s| {
            y_state[place * n as u64 + d as u64] = s;
        });
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [batch, steps, heads, p] = call.shape("x")?;
    let [_, _, groups, n] = call.shape("b")?;
    call.expect((1..=512).contains(&n), "`n`", "1 to 512", n)?;
    call.require(groups > 0 && heads % groups == 0, || {
        ("the heads of `x`".into(), format!("a multiple of {groups}"), heads.to_string())
    })?;
    call.expect_shape("dt", &[batch, steps, heads])?;
    call.expect_shape("b", &[batch, steps, groups, n])?;
    call.expect_shape("c", call.dims("b"))?;
    call.expect_shape("state", &[batch, heads, p, n])?;
    let chunked = call.op == CHUNKED.name;
    call.expect_shape("a", &[heads, n][..if chunked { 1 } else { 2 }])?;
    let skips = u32::from(call.has("skip"));
    let skip = if call.has("skip") { "skip" } else { "dt" };
    if call.has("skip") {
        call.expect_shape("skip", &[heads])?;
    }
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let y_state = plan.output("y_state", DType::F32, call.dims("state"));
    let kernel = with_real!(call, call.dtype("x"), T => ssm::<T>(n, skips, chunked))?;
    let mut layout = call.desc("a").layout.clone();
    if chunked {
        layout.shape.push(n);
        layout.strides.push(0);
    }
    let a = TensorRef::Input("a".into()).view(layout);
    let inputs = [call.buffer("x"), call.buffer("dt"), a];
    let inputs = inputs.into_iter().chain(["b", "c", skip, "state"].map(|name| call.buffer(name)));
    let sizes = [batch, steps, groups, heads, p].map(Arg::from);
    plan.step(kernel, inputs.chain([y.buffer(), y_state.buffer()]).chain(sizes));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, dt, a) = (known.float("x"), known.float("dt"), known.float("a"));
    let (b, c) = (known.float("b"), known.float("c"));
    let [batch, steps, heads, p] = [0, 1, 2, 3].map(|axis| known.extent("x", axis));
    let [groups, n] = [2, 3].map(|axis| known.extent("b", axis));
    let mut state = known.float("state").to_vec();
    // Beside each number of the state, its terms' magnitudes, and the roundings of f32 that it may be off by.
    let mut size: Vec<f64> = state.iter().map(|s| s.abs()).collect();
    let mut error = vec![0.0; state.len()];
    let (mut y, mut y_error) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    for t in 0..batch * steps * heads {
        let (image, h) = (t / heads / steps, t % heads);
        let from = (t / heads * groups + h / (heads / groups)) * n;
        for r in 0..p {
            let input = x[t * p + r];
            for d in 0..n {
                let s = ((image * heads + h) * p + r) * n + d;
                let exponent = dt[t] * if a.len() == heads { a[h] } else { a[h * n + d] };
                let (gate, term) = (libm::exp(exponent), dt[t] * input * b[from + d]);
                // The exponent's product scales; exp, the product with it, and the sum with a term that is rounded once.
                error[s] = gate * (error[s] + (4.0 + exponent.abs()) * size[s]) + 3.0 * term.abs();
                size[s] = gate * size[s] + term.abs();
                state[s] = gate * state[s] + term;
                y[t * p + r] += state[s] * c[from + d];
                // The sums of a step have a term an element; those of a chunk one a step of it as well.
                y_error[t * p + r] += c[from + d].abs() * (error[s] + (n + 40) as f64 * size[s]);
            }
            if known.has("skip") {
                y[t * p + r] += known.float("skip")[h] * input;
                y_error[t * p + r] += (known.float("skip")[h] * input).abs();
            }
        }
    }
    let error = error.iter().zip(&size).map(|(e, s)| e + 32.0 * s).collect();
    vec![Expected::sum("y", y, y_error), Expected::sum("y_state", state, error)]
}

fn case(
    entry: &Entry,
    name: &str,
    dtype: DType,
    [batch, steps, heads, p]: [u32; 4],
    [groups, n]: [u32; 2],
) -> Case {
    let bc = [batch, steps, groups, n];
    let a = if entry.name == CHUNKED.name { vec![heads] } else { vec![heads, n] };
    Case::new(name, dtype)
        .input("x", &[batch, steps, heads, p], Pattern::normal(1))
        .input_as("dt", DType::F32, &[batch, steps, heads], Pattern::uniform(2, 0.01, 0.6))
        .input_as("a", DType::F32, &a, Pattern::uniform(3, -2.0, -0.05))
        .input("b", &bc, Pattern::normal(4))
        .input("c", &bc, Pattern::normal(5))
        .input_as("state", DType::F32, &[batch, heads, p, n], Pattern::normal(6))
        .bound(Bound::sum(1.0))
}

fn cases(entry: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let f32 = DType::F32;
    let skip = |case: Case, heads: u32| case.input_as("skip", f32, &[heads], Pattern::normal(7));
    for &dtype in REALS {
        all.push(skip(case(entry, "step", dtype, [2, 1, 6, 1], [1, 16]), 6));
        all.push(skip(case(entry, "groups", dtype, [2, 5, 4, 9], [2, 16]), 4));
        all.push(case(entry, "ragged", dtype, [1, 40, 3, 17], [1, 45]));
    }
    all.push(case(entry, "one", f32, [1, 1, 1, 1], [1, 1]));
    all.push(case(entry, "no steps", f32, [1, 0, 2, 8], [1, 16]));
    all.push(case(entry, "no batch", f32, [0, 3, 2, 8], [1, 16]).empty());
    if entry.name == CHUNKED.name {
        for steps in [31, 32, 33, 75] {
            all.push(case(entry, &format!("{steps} steps"), f32, [1, steps, 2, 9], [1, 16]));
        }
        let view = TensorDesc::strided(f32, &[3], &[2], 1);
        let strided = case(entry, "view", f32, [1, 4, 3, 2], [1, 16]);
        all.push(strided.view("a", view, Pattern::uniform(9, -1.0, 0.0)));
    } else {
        let shared = TensorDesc::strided(f32, &[3, 16], &[1, 0], 0);
        let view = case(entry, "one a for each head", f32, [2, 3, 3, 5], [1, 16]);
        all.push(view.view(
            "a",
            shared,
            Pattern::Cycle((0..48).map(|i| -0.3 - f64::from(i / 16)).collect()),
        ));
        all.push(case(entry, "128 states", f32, [1, 6, 2, 10], [1, 128]));
    }
    all
}

fn bench(entry: &Entry) -> Vec<Bench> {
    let case = case(entry, "128", DType::F32, [1, 64, 8, 64], [1, 128]);
    vec![Bench { case, bytes: 0, flops: 64 * 8 * 64 * 128 * 5, scale: Scale::Host }]
}
