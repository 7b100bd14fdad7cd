//! Attention of many queries: `y[h, i] = sum over j of softmax_j(scale * q[h, i] . k[h', j] + mask[i, j]) v[h', j]`.
//!
//! `q` and `y` are [batch, heads, q_len, dim], `k` and `v` are [batch, kv_heads, kv_len, dim], and head h reads
//! h' = h / (heads / kv_heads). `causal` lets query i see the keys up to i + kv_len - q_len, a `window` only the last
//! so many of those. `mask` is [q_len, kv_len], added to the scores. A query that sees no key gives 0.

use super::reference::attend as attend_f64;
use crate::{pieces::attention::attend, prelude::*};

/// Queries of a group, one a subgroup.
const QUERIES: u32 = 8;

/// The operation.
pub const ENTRY: Entry = Entry {
    name: "attention",
    family: "attention",
    summary: "y = softmax(scale * q k^T + mask) v",
    signature: Signature {
        inputs: &[
            InputSpec::new("q", REALS, "[batch, heads, q_len, dim], dim 1 to 512"),
            InputSpec::like("k", "q", "[batch, kv_heads, kv_len, dim]"),
            InputSpec::like("v", "q", "shape of k"),
            InputSpec::new("mask", &[DType::F32], "[q_len, kv_len], added to the scores")
                .optional(),
        ],
        outputs: &[OutputSpec::new("y", "shape and dtype of q")],
        settings: &[
            SettingSpec::float("scale", 0.0, "factor of the scores; 0: 1 / sqrt(dim)"),
            SettingSpec::int("causal", 0, "1: a query sees no later key"),
            SettingSpec::int("window", 0, "keys that a causal query sees at most; 0: all"),
        ],
        words: &[],
    },
    plan,
    reference,
    cases,
    bench,
};

/// What a query sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// No later key.
    pub causal: bool,
    /// Only the last so many keys.
    pub windowed: bool,
    /// Whether a mask is added.
    pub masked: bool,
}

/// Definition: one subgroup a query.
#[kernel(group = QUERIES * 32, grid = (q_len.div_ceil(QUERIES), heads, batch))]
pub fn attention<T: Real>(
    #[len(batch * heads * q_len * dim)] q: &In<T>,
    #[len(batch * kv_heads * kv_len * dim)] k: &In<T>,
    #[len(batch * kv_heads * kv_len * dim)] v: &In<T>,
    #[len(mask_elems)] mask: &In<f32>,
    #[len(batch * heads * q_len * dim)] y: &mut Out<T>,
    batch: u32,
    heads: u32,
    kv_heads: u32,
    q_len: u32,
    kv_len: u32,
    mask_elems: u32,
    scale: f32,
    window: u32,
    #[comptime] dim: u32,
    #[comptime] sight: Sight,
) {
    let i = group_id() * QUERIES + subgroup_id();
    let kv_head = group_id_z() * kv_heads + group_id_y() / (heads / kv_heads);
    let kv_base = kv_head as u64 * kv_len as u64 * dim as u64;
    let q_base = ((group_id_z() as u64 * heads as u64 + group_id_y() as u64) * q_len as u64
        + i as u64)
        * dim as u64;
    if i < q_len {
        // Keys before those of the first query have all been seen by it.
        let last = if sight.causal { i + kv_len + 1 } else { kv_len + q_len };
        let keys = select(last > q_len, min(last - q_len, kv_len), 0);
        let first = select(keys > window, keys - window, 0);
        attend(
            dim,
            keys,
            scale,
            |d| q[q_base + d as u64] as f32,
            |j, d| k[kv_base + j as u64 * dim as u64 + d as u64] as f32,
            |j, d| v[kv_base + j as u64 * dim as u64 + d as u64] as f32,
            |j| {
                let mut bias = 0.0f32;
                if sight.masked {
                    bias = mask[i as u64 * kv_len as u64 + j as u64];
                }
                if sight.windowed && j < first {
                    bias = f32::NEG_INFINITY;
                }
                bias
            },
            |d, x| {
                y[q_base + d as u64] = x as T;
            },
        );
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [batch, heads, q_len, dim] = call.shape("q")?;
    let [_, kv_heads, kv_len, _] = call.shape("k")?;
    call.expect_shape("k", &[batch, kv_heads, kv_len, dim])?;
    call.expect_shape("v", &[batch, kv_heads, kv_len, dim])?;
    call.require((1..=512).contains(&dim), || {
        ("`dim`".into(), "1 to 512".into(), dim.to_string())
    })?;
    call.require(kv_heads > 0 && heads % kv_heads == 0, || {
        (
            "the heads of `q`".into(),
            format!("a multiple of {kv_heads}, those of `k`"),
            heads.to_string(),
        )
    })?;
    // Sums of lengths stay below 2^32.
    call.require(q_len < 1 << 30 && kv_len < 1 << 30, || {
        ("the lengths".into(), "below 2^30".into(), format!("{q_len} and {kv_len}"))
    })?;
    let masked = call.has("mask");
    if masked {
        call.expect_shape("mask", &[q_len, kv_len])?;
    }
    let window = call.int_in("window", 0..=i64::from(u32::MAX))?;
    let sight = Sight { causal: call.flag("causal"), windowed: window > 0, masked };
    let scale = match call.float("scale") {
        0.0 => 1.0 / f64::from(dim).sqrt(),
        scale => scale,
    };
    let dtype = call.dtype("q");
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("q"));
    let mask_elems = if masked { call.elems("mask")? } else { 0 };
    let mask = match masked {
        true => call.buffer("mask"),
        false => plan.temp(DType::F32, &[0]).buffer(),
    };
    let kernel = with_real!(call, dtype, T => attention::<T>(dim, sight))?;
    plan.step(
        kernel,
        [
            call.buffer("q"),
            call.buffer("k"),
            call.buffer("v"),
            mask,
            y.buffer(),
            batch.into(),
            heads.into(),
            kv_heads.into(),
            q_len.into(),
            kv_len.into(),
            mask_elems.into(),
            Arg::float(DType::F32, scale),
            window.into(),
        ],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let (q, k, v) = (known.float("q"), known.float("k"), known.float("v"));
    let [heads, q_len, dim] = [1, 2, 3].map(|axis| known.extent("q", axis));
    let [kv_heads, kv_len] = [1, 2].map(|axis| known.extent("k", axis));
    let window = call.int("window") as usize;
    let scale = match call.float("scale") {
        0.0 => 1.0 / (dim as f64).sqrt(),
        scale => scale,
    };
    let scale = number::round(DType::F32, scale);
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for (at, query) in q.chunks(dim).enumerate() {
        let (head, i) = (at / q_len, at % q_len);
        let kv_head = head / heads * kv_heads + head % heads / (heads / kv_heads);
        let own = kv_head * kv_len * dim..(kv_head + 1) * kv_len * dim;
        let keys: Vec<_> = k[own.clone()].chunks(dim).collect();
        let rows: Vec<_> = v[own].chunks(dim).collect();
        let end = if call.flag("causal") { (i + 1 + kv_len).saturating_sub(q_len) } else { kv_len };
        let bias: Vec<f64> = (0..kv_len)
            .map(|j| match call.has("mask") {
                _ if j >= end || window > 0 && j + window < end => f64::NEG_INFINITY,
                true => known.float("mask")[i * kv_len + j],
                false => 0.0,
            })
            .collect();
        let answer = attend_f64(query, scale, &keys, &rows, &bias);
        values.extend(answer.values);
        errors.extend(answer.errors);
    }
    vec![Expected::sum("y", values, errors)]
}

/// Queries that are near one key, so that a uniform softmax is far off.
fn peaked(case: Case, q: [u32; 4], kv_heads: u32, kv_len: u32) -> Case {
    let [batch, heads, q_len, dim] = q;
    let kv = [batch, kv_heads, kv_len, dim];
    let wide = Pattern::Normal { seed: u64::from(q_len + dim), mean: 0.0, sd: 2.5 };
    case.input("q", &[batch, heads, q_len, dim], wide)
        .input("k", &kv, Pattern::normal(u64::from(kv_len)))
        .input("v", &kv, Pattern::normal(u64::from(kv_len) + 1))
        .bound(Bound::sum(1.0))
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for (q, kv_heads, kv_len) in [
            ([1, 1, 1, 1], 1, 1),
            ([1, 2, 5, 32], 1, 5),
            ([2, 4, 9, 64], 2, 33),
            ([1, 2, 3, 80], 2, 70),
            ([1, 1, 33, 16], 1, 33),
        ] {
            for causal in [0, 1] {
                let name = format!("{q:?}-{kv_heads}-{kv_len}-causal-{causal}");
                all.push(peaked(Case::new(name, dtype), q, kv_heads, kv_len).set("causal", causal));
            }
        }
    }
    let dtype = DType::F32;
    for kv_len in (1..=300).step_by(23) {
        // Every other query sees nothing; the rest see what the mask leaves.
        let rows = (0..4).flat_map(|i| (0..kv_len).map(move |j| (i, j)));
        let mask = rows.map(|(i, j)| {
            if i % 2 == 1 || j % 3 == i { f64::NEG_INFINITY } else { 0.25 * j as f64 % 2.0 }
        });
        let case = peaked(Case::new(format!("mask-{kv_len}"), dtype), [1, 2, 4, 32], 1, kv_len);
        all.push(case.input("mask", &[4, kv_len], Pattern::Cycle(mask.collect())));
    }
    for (kv_len, window) in [(40, 1), (40, 7), (70, 33), (9, 100)] {
        let case =
            peaked(Case::new(format!("window-{window}-{kv_len}"), dtype), [1, 1, 9, 32], 1, kv_len);
        all.push(case.set("causal", 1).set("window", window));
    }
    // The first queries are before every key.
    all.push(peaked(Case::new("before-all-keys", dtype), [1, 1, 9, 32], 1, 4).set("causal", 1));
    all.push(peaked(Case::new("no-keys", dtype), [1, 2, 3, 8], 1, 0));
    all.push(peaked(Case::new("no-queries", dtype), [1, 2, 0, 8], 1, 4).empty());
    let big = Pattern::Normal { seed: 5, mean: 0.0, sd: 30.0 };
    all.push(peaked(Case::new("one-key-wins", dtype), [1, 1, 8, 32], 1, 64).input(
        "q",
        &[1, 1, 8, 32],
        big,
    ));
    let nan = Pattern::normal(3).with(&[(40, f64::NAN)]);
    all.push(peaked(Case::new("nan-key", dtype), [1, 1, 2, 32], 1, 40).input(
        "k",
        &[1, 1, 40, 32],
        nan,
    ));
    let view = TensorDesc::strided(dtype, &[1, 2, 5, 16], &[0, 16, 32, 1], 3);
    all.push(peaked(Case::new("heads-inside", dtype), [1, 2, 5, 16], 2, 7).view(
        "q",
        view,
        Pattern::normal(4),
    ));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let case = peaked(Case::new("256x64", DType::F32), [1, 8, 256, 64], 2, 256);
    vec![Bench { case, bytes: 0, flops: 4 * 8 * 256 * 256 * 64, scale: Scale::Host }]
}
