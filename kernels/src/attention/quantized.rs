//! Attention over quantised keys and values: `attention` on what `dequantize` gives in f32 of rows of `dim` weights, one for each key of
//! each head.
//!
//! `q` and `y` are [batch, heads, q_len, dim]; codes and scales of keys and of values are [batch, kv_heads, capacity, ...], in one format. Of the
//! keys the first kv_len are filled, as in `attention`.

use super::{
    common::{
        Common, KV_LENS, MASK, SETTINGS, SINKS, Sight, answers, bias_of, filled, mask_row, seen,
        sink_of,
    },
    reference::rows_of,
};
use crate::{
    pieces::{
        attention::attend,
        packed::{Packed, weights},
    },
    prelude::*,
    quant::{
        cases::{format, packed, random},
        format::{Format, Scheme},
        plans::{self, Matrix, packed_inputs, with_packed},
        reference::weights as weights_f64,
    },
};

const K: [InputSpec; 4] = packed_inputs!("k_");
const V: [InputSpec; 4] = packed_inputs!("v_");
/// Queries of a group, one a subgroup.
const QUERIES: u32 = 4;

/// The operation.
pub const ENTRY: Entry = Entry::new("attention_quantized", "attention", plan, reference, cases)
    .summary("y = softmax(scale * q k^T + mask) v, k and v packed")
    .inputs(&[
        InputSpec::new("q", REALS, "[batch, heads, q_len, dim], dim 1 to 512"),
        K[0],
        K[1],
        K[2],
        K[3],
        V[0],
        V[1],
        V[2],
        V[3],
        MASK,
        SINKS,
        KV_LENS,
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of q")])
    .settings(&[SETTINGS[0], SETTINGS[1], SETTINGS[2], SETTINGS[3], plans::BLOCK])
    .words(&[plans::FORMAT]);

/// Definition: one subgroup a query.
#[kernel(group = QUERIES * 32, grid = (q_len.div_ceil(QUERIES), heads, batch))]
pub fn attention_quantized<T: Real, C: Int, S: Element>(
    #[len(batch * heads * q_len * dim)] q: &In<T>,
    #[len(batch * kv_heads * capacity * scheme.row_units(dim))] k_codes: &In<C>,
    #[len(batch * kv_heads * capacity * dim.div_ceil(scheme.block) * scheme.scale_rows())]
    k_scales: &In<S>,
    #[len(batch * kv_heads * capacity * dim.div_ceil(scheme.block) * scheme.bias_rows())]
    k_biases: &In<S>,
    #[len(k_parts)] k_global: &In<f32>,
    #[len(batch * kv_heads * capacity * scheme.row_units(dim))] v_codes: &In<C>,
    #[len(batch * kv_heads * capacity * dim.div_ceil(scheme.block) * scheme.scale_rows())]
    v_scales: &In<S>,
    #[len(batch * kv_heads * capacity * dim.div_ceil(scheme.block) * scheme.bias_rows())]
    v_biases: &In<S>,
    #[len(v_parts)] v_global: &In<f32>,
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
    k_parts: u32,
    v_parts: u32,
    #[comptime] dim: u32,
    #[comptime] scheme: Scheme,
    #[comptime] sight: Sight,
) {
    let i = group_id() * QUERIES + subgroup_id();
    let rows = batch * kv_heads * capacity;
    let first_row = (group_id_z() * kv_heads + group_id_y() / (heads / kv_heads)) * capacity;
    let q_base = ((group_id_z() as u64 * heads as u64 + group_id_y() as u64) * q_len as u64
        + i as u64)
        * dim as u64;
    let kv = |parts, codes, scales, biases, global| Packed {
        scheme,
        rows,
        parts,
        k: val(dim),
        codes,
        scales,
        biases,
        global,
    };
    let k = kv(k_parts, k_codes, k_scales, k_biases, k_global);
    let v = kv(v_parts, v_codes, v_scales, v_biases, v_global);
    if i < q_len {
        let kv_len = filled(lens, lens_elems, kv_len);
        let (first, keys) = seen(sight, i, q_len, kv_len, window);
        let mask_row = mask_row(sight, mask_elems, i, [heads, q_len, capacity]);
        // Neighbours of a run that divide a row are read together.
        let per = scheme.run().min(1 << dim.trailing_zeros().min(5));
        attend(
            dim,
            per,
            keys,
            scale,
            sink_of(sight, sinks, group_id_y()),
            |d| q[q_base + d as u64] as f32,
            |j, d, count| weights(&k, first_row + j, d, count),
            |j, d| weights(&v, first_row + j, d, 1)[0],
            |j| bias_of(sight, mask, mask_row + j as u64, j, first),
            |d, x| {
                y[q_base + d as u64] = x as T;
            },
        );
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    fn staged<T: Real>(of: &Matrix, dim: u32, sight: Sight) -> Result<Kernel, StageError> {
        with_packed!(of, [C, S] => attention_quantized::<T, C, S>(dim, of.scheme, sight))
    }
    let [_, kv_heads, capacity, _] = call.shape::<4>("k_codes")?;
    let mut plan = Plan::new();
    let of = Common::new(call, &mut plan, [0, kv_heads, capacity])?;
    let lead = [of.batch, kv_heads, capacity];
    let k = plans::matrix(call, &mut plan, "k_", &lead, of.dim)?;
    let v = plans::matrix(call, &mut plan, "v_", &lead, of.dim)?;
    call.require(k.scale == v.scale, || {
        let of = |m: &Matrix| m.scale.map_or("none".into(), |d| d.name().to_string());
        ("the dtype of `v_scales`".into(), format!("{} like `k_scales`", of(&k)), of(&v))
    })?;
    let kernel = with_real!(call, call.dtype("q"), T => staged::<T>(&k, of.dim, of.sight))?;
    let parts = [k.parts, v.parts].map(Arg::from);
    let tensors =
        [call.buffer("q")].into_iter().chain(k.tensors).chain(v.tensors).chain(of.tensors);
    plan.step(kernel, tensors.chain(of.scalars).chain(parts));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let ([kv_heads, capacity], dim) =
        ([1, 2].map(|axis| known.extent("k_codes", axis)), known.extent("q", 3));
    let all = |prefix: &str| -> Vec<f64> {
        weights_f64(known, prefix, dim).into_iter().map(|w| w.value()).collect()
    };
    let (k, v) = (all("k_"), all("v_"));
    // A weight is rounded by its scale or its bias, and by a global scale.
    answers(known, kv_heads, capacity, 2.0, |head| {
        [&k, &v].map(|x| rows_of(x, head, capacity, dim))
    })
}

/// Keys and values of standard size; queries whose best key is far ahead.
fn case(name: &str, dtype: DType, f: &Format, q: [u32; 4], [kv_heads, kv_len]: [u32; 2]) -> Case {
    let [batch, _, q_len, dim] = q;
    let (lead, rows) = ([batch, kv_heads, kv_len], batch * kv_heads * kv_len);
    let case = Case::new(format!("{} {name} {q:?} {kv_len}", f.name), dtype);
    let case = packed(case, f, "k_", &lead, dim, random(f, rows, dim, 1));
    let case = packed(case, f, "v_", &lead, dim, random(f, rows, dim, 2));
    let wide = Pattern::Normal { seed: u64::from(q_len + dim), mean: 0.0, sd: 0.6 };
    case.input("q", &q, wide).bound(Bound::sum(1.0))
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for (i, name) in
        ["affine4", "affine8", "mxfp8_e4m3", "fp8_e5m2", "nvfp4", "int8_f16", "int7_48", "q8_0"]
            .into_iter()
            .enumerate()
    {
        let f = format(name);
        let dtype = REALS[i % 3];
        // Without order, and, of one format, in order: a kernel of its own.
        for causal in if i == 0 { 0..2 } else { 0..1 } {
            let name = format!("causal {causal}");
            all.push(case(&name, dtype, &f, [1, 4, 5, 64], [2, 39]).set("causal", causal));
            all.push(case(&name, dtype, &f, [2, 2, 1, 64], [1, 70]).set("causal", causal));
        }
        let windowed = case("window and sinks", dtype, &f, [1, 4, 9, 64], [2, 40]);
        let sinks = Pattern::Cycle(vec![f64::NEG_INFINITY, 0.5, 3.0, 30.0]);
        let windowed = windowed.set("causal", 1).set("window", 7);
        all.push(windowed.input_as("sinks", DType::F32, &[4], sinks));
    }
    // Rows that are no whole words, whole blocks of 256, and groups of 32.
    let (f, dtype) = (format("affine4"), DType::F32);
    all.push(case("ragged", dtype, &f, [1, 2, 3, 80], [1, 33]));
    all.push(case("groups", dtype, &f, [1, 2, 3, 96], [1, 33]).set("block", 64));
    for (name, scale) in [("q6_k", 5e-6), ("iq2_xxs", 2e-3)] {
        let blocks = case("blocks", dtype, &format(name), [1, 2, 3, 256], [1, 33]);
        all.push(blocks.set("scale", scale));
    }
    all.push(case("one", dtype, &f, [1, 1, 1, 1], [1, 1]));
    let masked = case("mask", dtype, &f, [1, 2, 4, 64], [1, 33]);
    let places = (0..4).flat_map(|i| (0..33).map(move |j| (i, j)));
    let mask = places.map(|(i, j)| if i == 1 || j % 3 == i { f64::NEG_INFINITY } else { 0.25 });
    all.push(masked.input("mask", &[4, 33], Pattern::Cycle(mask.collect())));
    all.push(case("before all keys", dtype, &f, [1, 1, 9, 64], [1, 4]).set("causal", 1));
    all.push(case("no keys", dtype, &f, [1, 2, 3, 64], [1, 0]));
    for len in [0, 1, 17, 33] {
        let cache = case(&format!("kv_len {len}"), dtype, &f, [1, 4, 3, 64], [2, 33]);
        all.push(cache.set("kv_len", len).set("causal", 1));
    }
    let lens = Pattern::CycleInt(vec![17, 0]);
    let caches = case("kv_lens", dtype, &f, [2, 2, 1, 64], [1, 70]);
    all.push(caches.input_as("kv_lens", DType::U32, &[2], lens));
    all.push(case("no queries", dtype, &f, [1, 2, 0, 64], [1, 4]).empty());
    all
}
