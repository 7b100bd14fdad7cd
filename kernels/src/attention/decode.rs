//! Attention of one query a head over a cache: `y[h] = sum over j < n of softmax_j(scale * q[h] . k[h', j]) v[h', j]`.
//!
//! `q` and `y` are [heads, dim], `k` and `v` are [kv_heads, capacity, dim], of which the first `kv_len` keys are
//! filled; head h reads h' = h / (heads / kv_heads). Without keys the result is 0.

use super::{heads_fit, reference::attend as attend_f64, scale_of};
use crate::{pieces::attention::attend, prelude::*};

/// Heads of a group, one a subgroup.
const HEADS: u32 = 8;

/// The operation.
pub const ENTRY: Entry = Entry::new("attention_decode", "attention", plan, reference, cases)
    .summary("y[h] = softmax(scale * q[h] k[h']^T) v[h'] over the first kv_len keys")
    .inputs(&[
        InputSpec::new("q", REALS, "[heads, dim], dim 1 to 512"),
        InputSpec::like("k", "q", "[kv_heads, capacity, dim]"),
        InputSpec::like("v", "q", "shape of k"),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of q")])
    .settings(&[
        SettingSpec::required_int("kv_len", "keys that are filled"),
        SettingSpec::float("scale", 0.0, "factor of the scores; 0: 1 / sqrt(dim)"),
    ])
    .bench(bench);

/// Definition: one subgroup a head.
#[kernel(group = HEADS * 32, grid = heads.div_ceil(HEADS))]
pub fn attention_decode<T: Real>(
    #[len(heads * dim)] q: &In<T>,
    #[len(kv_heads * capacity * dim)] k: &In<T>,
    #[len(kv_heads * capacity * dim)] v: &In<T>,
    #[len(heads * dim)] y: &mut Out<T>,
    heads: u32,
    kv_heads: u32,
    capacity: u32,
    kv_len: u32,
    scale: f32,
    #[comptime] dim: u32,
) {
    let head = group_id() * HEADS + subgroup_id();
    if head < heads {
        let kv_head = head / (heads / kv_heads);
        let kv_base = kv_head as u64 * capacity as u64 * dim as u64;
        let q_base = head as u64 * dim as u64;
        attend(
            dim,
            1,
            kv_len,
            scale,
            None,
            |d| q[q_base + d as u64] as f32,
            |j, d, _| vec![k[kv_base + j as u64 * dim as u64 + d as u64] as f32],
            |j, d| v[kv_base + j as u64 * dim as u64 + d as u64] as f32,
            |_| val(0.0f32),
            |d, x| {
                y[q_base + d as u64] = x as T;
            },
        );
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [heads, dim] = call.shape("q")?;
    let [kv_heads, capacity, _] = call.shape("k")?;
    call.expect_shape("k", &[kv_heads, capacity, dim])?;
    call.expect_shape("v", &[kv_heads, capacity, dim])?;
    heads_fit(call, heads, kv_heads, dim)?;
    let kv_len = call.int_in("kv_len", 0..=i64::from(capacity))?;
    let scale = scale_of(call, dim);
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("q"), call.dims("q"));
    let kernel = with_real!(call, call.dtype("q"), T => attention_decode::<T>(dim))?;
    plan.step(
        kernel,
        [
            call.buffer("q"),
            call.buffer("k"),
            call.buffer("v"),
            y.buffer(),
            heads.into(),
            kv_heads.into(),
            capacity.into(),
            kv_len.into(),
            Arg::float(DType::F32, scale),
        ],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let (q, k, v) = (known.float("q"), known.float("k"), known.float("v"));
    let [heads, dim] = [0, 1].map(|axis| known.extent("q", axis));
    let [kv_heads, capacity] = [0, 1].map(|axis| known.extent("k", axis));
    let kv_len = call.int("kv_len") as usize;
    let scale = number::round(DType::F32, scale_of(call, dim as u32));
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for (head, query) in q.chunks(dim).enumerate() {
        let first = head / (heads / kv_heads) * capacity * dim;
        let rows = |x: &'_ [f64]| x[first..first + kv_len * dim].to_vec();
        let (k, v) = (rows(k), rows(v));
        let (k, v): (Vec<_>, Vec<_>) = (k.chunks(dim).collect(), v.chunks(dim).collect());
        let answer = attend_f64(query, scale, [&k, &v], &vec![0.0; kv_len], f64::NEG_INFINITY, 0.0);
        values.extend(answer.values);
        errors.extend(answer.errors);
    }
    vec![Expected::sum("y", values, errors)]
}

fn case(dtype: DType, heads: u32, kv_heads: u32, dim: u32, kv_len: u32, capacity: u32) -> Case {
    let kv = [kv_heads, capacity, dim];
    // What lies behind the filled keys must not be read into the result.
    let filled = |x: Pattern| {
        let rest = (kv_len * dim..capacity * dim).map(|i| (i as usize, f64::NAN));
        if kv_heads == 1 { x.with(&rest.collect::<Vec<_>>()) } else { x }
    };
    Case::new(format!("{heads}-{kv_heads}-{dim}-{kv_len}"), dtype)
        .input("q", &[heads, dim], Pattern::Normal { seed: 9, mean: 0.0, sd: 2.5 })
        .input("k", &kv, filled(Pattern::normal(10)))
        .input("v", &kv, filled(Pattern::normal(11)))
        .set("kv_len", i64::from(kv_len))
        .bound(Bound::sum(1.0))
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for dim in [32, 64, 96, 128, 192, 256] {
            all.push(case(dtype, 8, 4, dim, 40, 48));
        }
        all.push(case(dtype, 1, 1, 1, 1, 1));
        all.push(case(dtype, 9, 3, 80, 33, 33));
    }
    for kv_len in (1..=300).step_by(13) {
        all.push(case(DType::F32, 2, 1, 32, kv_len, kv_len + 5));
    }
    all.push(case(DType::F32, 4, 2, 512, 17, 20));
    // A long context on a small head.
    all.push(case(DType::F32, 2, 1, 32, 32_768, 32_768));
    all.push(case(DType::F32, 2, 1, 8, 0, 4));
    all.push(case(DType::F32, 0, 1, 8, 3, 4).empty());
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let case = case(DType::F32, 32, 8, 128, 1_024, 1_024);
    vec![Bench {
        case,
        bytes: 2 * 4 * 8 * 1_024 * 128,
        flops: 4 * 32 * 1_024 * 128,
        scale: Scale::Host,
    }]
}
