//! Attention of many queries: `y[h, i] = sum over j of softmax_j(scale * q[h, i] . k[h', j] + mask[i, j]) v[h', j]`.
//!
//! `q` and `y` are [batch, heads, q_len, dim], `k` and `v` are [batch, kv_heads, capacity, dim], and head h reads
//! h' = h / (heads / kv_heads). Of the keys the first kv_len are filled, all where nothing is said; what lies behind them is
//! not read, so that a cache is used where it stands. `causal` lets query i see the keys up to i + kv_len - q_len, a `window` only the last
//! so many of those. `mask` is [q_len, capacity], added to the scores,
//! with heads, or batch and heads, in front where they differ. `sinks` is one more score for each head, of a value of zeros. A query that
//! sees no key gives 0.

use super::{
    common::{Common, Sight, answers, bias_of, filled, mask_row, partly, peaked, seen, sink_of},
    reference::rows_of,
};
use crate::{pieces::attention::attend, prelude::*};

/// Queries of a group, one a subgroup.
const QUERIES: u32 = 8;

/// The operation.
pub const ENTRY: Entry = Entry::new("attention", "attention", plan, reference, cases)
    .summary("y = softmax(scale * q k^T + mask) v")
    .inputs(&[
        InputSpec::new("q", REALS, "[batch, heads, q_len, dim], dim 1 to 512"),
        InputSpec::like("k", "q", "[batch, kv_heads, capacity, dim]"),
        InputSpec::like("v", "q", "shape of k"),
        super::common::MASK,
        super::common::SINKS,
        super::common::KV_LENS,
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of q")])
    .settings(&super::common::SETTINGS)
    .bench(bench);

/// Definition: one subgroup a query.
#[kernel(group = QUERIES * 32, grid = (q_len.div_ceil(QUERIES), heads, batch))]
pub fn attention<T: Real>(
    #[len(batch * heads * q_len * dim)] q: &In<T>,
    #[len(batch * kv_heads * capacity * dim)] k: &In<T>,
    #[len(batch * kv_heads * capacity * dim)] v: &In<T>,
    #[len(mask_elems)] mask: &In<f32>,
    #[len(heads * u32::from(sight.sunk))] sinks: &In<f32>,
    #[len(lens_elems)] lens: &In<u32>,
    #[len(batch * heads * q_len * dim)] y: &mut Out<T>,
    batch: u32,
    heads: u32,
    kv_heads: u32,
    q_len: u32,
    capacity: u32,
    kv_len: u32,
    lens_elems: u32,
    mask_elems: u32,
    scale: f32,
    window: u32,
    #[comptime] dim: u32,
    #[comptime] sight: Sight,
) {
    let i = group_id() * QUERIES + subgroup_id();
    let kv_head = group_id_z() * kv_heads + group_id_y() / (heads / kv_heads);
    let kv_base = kv_head as u64 * capacity as u64 * dim as u64;
    let q_base = ((group_id_z() as u64 * heads as u64 + group_id_y() as u64) * q_len as u64
        + i as u64)
        * dim as u64;
    if i < q_len {
        let kv_len = filled(lens, lens_elems, kv_len);
        let (first, keys) = seen(sight, i, q_len, kv_len, window);
        let mask_row = mask_row(sight, mask_elems, i, [heads, q_len, capacity]);
        attend(
            dim,
            1,
            keys,
            scale,
            sink_of(sight, sinks, group_id_y()),
            |d| q[q_base + d as u64] as f32,
            |j, d, _| vec![k[kv_base + j as u64 * dim as u64 + d as u64] as f32],
            |j, d| v[kv_base + j as u64 * dim as u64 + d as u64] as f32,
            |j| bias_of(sight, mask, mask_row + j as u64, j, first),
            |d, x| {
                y[q_base + d as u64] = x as T;
            },
        );
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [batch, kv_heads, capacity, dim] = call.shape("k")?;
    let mut plan = Plan::new();
    let of = Common::new(call, &mut plan, [batch, kv_heads, capacity])?;
    call.expect_shape("k", &[of.batch, kv_heads, capacity, of.dim])?;
    call.expect_shape("v", &[of.batch, kv_heads, capacity, of.dim])?;
    let kernel = with_real!(call, call.dtype("q"), T => attention::<T>(dim, of.sight))?;
    let tensors = ["q", "k", "v"].map(|name| call.buffer(name));
    plan.step(kernel, tensors.into_iter().chain(of.tensors).chain(of.scalars));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let [kv_heads, capacity, dim] = [1, 2, 3].map(|axis| known.extent("k", axis));
    let (k, v) = (known.float("k"), known.float("v"));
    answers(known, kv_heads, capacity, 0.0, |head| [k, v].map(|x| rows_of(x, head, capacity, dim)))
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
    // A position mask of each head, and one of each batch's heads: every row hides other keys, so that a wrong row is far off.
    for axes in [3, 4] {
        let shape = [2, 3, 5, 41];
        let shape = &shape[4 - axes..];
        let rows = shape.iter().product::<u32>() / 41;
        let places = (0..rows).flat_map(|row| (0..41).map(move |j| (row, j)));
        let slope = |(row, j)| match (j + row * 7) % 11 < 4 {
            true => f64::NEG_INFINITY,
            false => -0.125 * f64::from((row / 5 + 1) * (40 - j)),
        };
        let case = peaked(Case::new(format!("mask of {axes} axes"), dtype), [2, 3, 5, 32], 1, 41);
        all.push(case.input("mask", shape, Pattern::Cycle(places.map(slope).collect())));
    }
    for (kv_len, window) in [(40, 1), (40, 7), (70, 33), (9, 100)] {
        let case =
            peaked(Case::new(format!("window-{window}-{kv_len}"), dtype), [1, 1, 9, 32], 1, kv_len);
        all.push(case.set("causal", 1).set("window", window));
    }
    for (causal, window) in [(0, 0), (1, 0), (1, 5)] {
        let case = Case::new(format!("sinks-{causal}-{window}"), dtype);
        let case = peaked(case, [1, 4, 9, 32], 2, 40).set("causal", causal).set("window", window);
        // Of no weight, of most of it, and of nearly all.
        let sinks = Pattern::Cycle(vec![f64::NEG_INFINITY, 0.5, 3.0, 30.0]);
        all.push(case.input("sinks", &[4], sinks));
    }
    all.extend(caches());
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

/// Caches with room for more keys than are filled: none, one, an odd number, all.
fn caches() -> Vec<Case> {
    let (dim, heads, capacity) = (32, 2, 40);
    let of = |case: Case, filled: &[u32]| {
        let batch = filled.len() as u32;
        let sizes = [heads, capacity, dim];
        let kv = [batch, heads, capacity, dim];
        peaked(case, [batch, 4, 3, dim], heads, capacity)
            .input("k", &kv, partly(11, sizes, filled))
            .input("v", &kv, partly(12, sizes, filled))
    };
    let mut all = Vec::new();
    for causal in [0, 1] {
        for len in [0, 1, 17, 40] {
            let case = of(Case::new(format!("kv_len-{len}-causal-{causal}"), DType::F32), &[len]);
            all.push(case.set("causal", causal).set("kv_len", len));
        }
        for &dtype in REALS {
            let (case, lens) =
                (Case::new(format!("kv_lens-causal-{causal}"), dtype), [33, 0, 1, 40]);
            let given = Pattern::CycleInt(lens.iter().map(|&n| n.into()).collect());
            let case = of(case, &lens).input_as("kv_lens", DType::U32, &[4], given);
            all.push(case.set("causal", causal));
        }
    }
    // Rows of the mask are as long as the cache.
    let mask = (0..3 * capacity).map(|i| if i % 5 == 1 { f64::NEG_INFINITY } else { 0.25 });
    let masked = of(Case::new("kv_len-mask", DType::F32), &[17]).set("kv_len", 17);
    all.push(masked.input("mask", &[3, capacity], Pattern::Cycle(mask.collect())));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let case = peaked(Case::new("256x64", DType::F32), [1, 8, 256, 64], 2, 256);
    vec![Bench { case, bytes: 0, flops: 4 * 8 * 256 * 256 * 64, scale: Scale::Host }]
}
