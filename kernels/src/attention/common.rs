//! What attention of many queries has in common, wherever keys and values come from: what a query sees, checks, the reference.

use super::{heads_fit, reference::attend, scale_of};
use crate::prelude::*;

pub(super) const MASK: InputSpec = InputSpec::new(
    "mask",
    &[DType::F32],
    "[q_len, capacity], added to the scores; or [heads, ...] or [batch, heads, ...] of those",
)
.optional();
pub(super) const SINKS: InputSpec =
    InputSpec::new("sinks", &[DType::F32], "[heads]: one more score for each, of zeros").optional();
pub(super) const KV_LENS: InputSpec =
    InputSpec::new("kv_lens", &[DType::U32], "[batch]: keys of each that are filled").optional();
pub(super) const SETTINGS: [SettingSpec; 4] = [
    SettingSpec::float("scale", 0.0, "factor of the scores; 0: 1 / sqrt(dim)"),
    SettingSpec::int("causal", 0, "1: a query sees no later key"),
    SettingSpec::int("window", 0, "keys that a causal query sees at most; 0: all"),
    SettingSpec::int("kv_len", -1, "keys that are filled; -1: all, or kv_lens"),
];

/// What a query sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// No later key.
    pub causal: bool,
    /// Only the last so many keys.
    pub windowed: bool,
    /// Whether a mask is added.
    pub masked: bool,
    /// Whether each head has a sink.
    pub sunk: bool,
}

/// Keys of the group's batch that are filled: those that its element of `lens` says, where there is one.
#[device]
pub(super) fn filled(lens: &In<u32>, lens_elems: Val<u32>, kv_len: Val<u32>) -> Val<u32> {
    let mut keys = kv_len;
    if lens_elems > 0 {
        let len = lens[group_id_z()];
        assert!(len <= kv_len, "more keys are filled than there is room for");
        keys = min(len, kv_len);
    }
    keys
}

/// The first key that query `i` sees, and the end of those.
#[device]
pub(super) fn seen(
    sight: Sight,
    i: Val<u32>,
    q_len: Val<u32>,
    kv_len: Val<u32>,
    window: Val<u32>,
) -> (Val<u32>, Val<u32>) {
    // Keys before those of the first query have all been seen by it.
    let last = if sight.causal { i + kv_len + 1 } else { kv_len + q_len };
    let keys = select(last > q_len, min(last - q_len, kv_len), 0);
    (select(keys > window, keys - window, 0), keys)
}

/// Where the row of the mask for query `i` of the group's head starts; heads and batches that it has no axis for share rows.
#[device]
pub(super) fn mask_row(
    sight: Sight,
    mask_elems: Val<u32>,
    i: Val<u32>,
    [heads, q_len, capacity]: [Val<u32>; 3],
) -> Val<u64> {
    if sight.masked {
        let row = (group_id_z() as u64 * heads as u64 + group_id_y() as u64) * q_len as u64;
        let rows = max(mask_elems / max(capacity, 1), 1);
        (row + i as u64) % rows as u64 * capacity as u64
    } else {
        val(0u64)
    }
}

/// What is added to the score of key `j`, whose place in the mask is `at`.
#[device]
pub(super) fn bias_of(
    sight: Sight,
    mask: &In<f32>,
    at: Val<u64>,
    j: Val<u32>,
    first: Val<u32>,
) -> Val<f32> {
    let mut bias = 0.0f32;
    if sight.masked {
        bias = mask[at];
    }
    if sight.windowed && j < first {
        bias = f32::NEG_INFINITY;
    }
    bias
}

/// The sink of a head.
#[device]
pub(super) fn sink_of(sight: Sight, sinks: &In<f32>, head: Val<u32>) -> Option<Val<f32>> {
    if sight.sunk { Some(sinks[head]) } else { None }
}

/// A request, checked.
pub(super) struct Common {
    pub(super) batch: u32,
    pub(super) dim: u32,
    pub(super) sight: Sight,
    /// Mask, sinks, lengths, y.
    pub(super) tensors: [Arg; 4],
    /// batch, heads, kv_heads, q_len, capacity, kv_len, elements of the lengths and of the mask, scale, window.
    pub(super) scalars: Vec<Arg>,
}

impl Common {
    /// For keys and values of [batch, kv_heads, capacity].
    pub(super) fn new(
        call: &Call<'_>,
        plan: &mut Plan,
        [_, kv_heads, capacity]: [u32; 3],
    ) -> Result<Common, PlanError> {
        let [batch, heads, q_len, dim] = call.shape("q")?;
        heads_fit(call, heads, kv_heads, dim)?;
        // Sums of lengths stay below 2^32.
        call.require(q_len < 1 << 30 && capacity < 1 << 30, || {
            ("the lengths".into(), "below 2^30".into(), format!("{q_len} and {capacity}"))
        })?;
        let kv_len = filled_at_most(call, batch, capacity)?;
        let (masked, sunk) = (call.has("mask"), call.has("sinks"));
        if masked {
            // As many axes of these as it has, the last ones.
            let all = [batch, heads, q_len, capacity];
            let axes = call.dims("mask").len().clamp(2, 4);
            call.expect_shape("mask", &all[4 - axes..])?;
        }
        if sunk {
            call.expect_shape("sinks", &[heads])?;
        }
        let window = call.int_in("window", 0..=i64::from(u32::MAX))?;
        let sight = Sight { causal: call.flag("causal"), windowed: window > 0, masked, sunk };
        let y = plan.output("y", call.dtype("q"), call.dims("q")).buffer();
        let mut given = |name: &str, dtype: DType| match call.has(name) {
            true => call.buffer(name),
            false => plan.temp(dtype, &[0]).buffer(),
        };
        let [mask, sinks] = ["mask", "sinks"].map(|name| given(name, DType::F32));
        let tensors = [mask, sinks, given("kv_lens", DType::U32), y];
        let mask_elems = if masked { call.elems("mask")? } else { 0 };
        let lens_elems = if call.has("kv_lens") { batch } else { 0 };
        let lengths = [batch, heads, kv_heads, q_len, capacity, kv_len, lens_elems, mask_elems];
        let lengths = lengths.map(Arg::from);
        let scale = Arg::float(DType::F32, scale_of(call, dim));
        let scalars = lengths.into_iter().chain([scale, window.into()]).collect();
        Ok(Common { batch, dim, sight, tensors, scalars })
    }
}

/// Keys of each batch that are filled, at most; those of which there are fewer say so themselves.
fn filled_at_most(call: &Call<'_>, batch: u32, capacity: u32) -> Result<u32, PlanError> {
    if call.has("kv_lens") {
        call.expect_shape("kv_lens", &[batch])?;
        call.require(call.int("kv_len") == -1, || {
            let given = call.int("kv_len").to_string();
            ("`kv_len` beside `kv_lens`".into(), "left out".into(), given)
        })?;
    }
    match call.int("kv_len") {
        -1 => Ok(capacity),
        _ => call.int_in("kv_len", 0..=i64::from(capacity)),
    }
}

/// The answers to all queries; `kv(head)` are keys and values of one of the batch's heads, of which there may be fewer
/// than `capacity`.
pub(super) fn answers<'a>(
    known: &Known<'_>,
    kv_heads: usize,
    capacity: usize,
    rounded: f64,
    kv: impl Fn(usize) -> [Vec<&'a [f64]>; 2],
) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let [heads, q_len, dim] = [1, 2, 3].map(|axis| known.extent("q", axis));
    let window = call.int("window") as usize;
    let mask = if call.has("mask") { known.float("mask") } else { &[] };
    let scale = number::round(DType::F32, scale_of(call, dim as u32));
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for (at, query) in known.float("q").chunks(dim).enumerate() {
        let (head, i) = (at / q_len, at % q_len);
        let kv_len = match call.int("kv_len") {
            -1 if call.has("kv_lens") => known.int("kv_lens")[head / heads] as usize,
            -1 => capacity,
            len => len as usize,
        };
        let [keys, rows] = kv(head / heads * kv_heads + head % heads / (heads / kv_heads));
        let end = if call.flag("causal") { (i + 1 + kv_len).saturating_sub(q_len) } else { kv_len };
        let bias: Vec<f64> = (0..kv_len)
            .map(|j| match call.has("mask") {
                _ if j >= end || window > 0 && j + window < end => f64::NEG_INFINITY,
                true => mask[(at * capacity + j) % mask.len()],
                false => 0.0,
            })
            .collect();
        let sunk = call.has("sinks");
        let sink = if sunk { known.float("sinks")[head % heads] } else { f64::NEG_INFINITY };
        let kv = [&keys[..kv_len], &rows[..kv_len]];
        let answer = attend(query, scale, kv, &bias, sink, rounded);
        values.extend(answer.values);
        errors.extend(answer.errors);
    }
    vec![Expected::sum("y", values, errors)]
}

/// Keys or values of [batches, heads, capacity, dim] of which the first `filled[batch]` are numbers: what lies behind them
/// must not be read into a result.
pub(super) fn partly(seed: u64, [heads, capacity, dim]: [u32; 3], filled: &[u32]) -> Pattern {
    let mut rest = Vec::new();
    for (batch, &len) in filled.iter().enumerate() {
        for head in 0..heads as usize {
            let first = (batch * heads as usize + head) * (capacity * dim) as usize;
            let unseen = first + (len * dim) as usize..first + (capacity * dim) as usize;
            rest.extend(unseen.map(|i| (i, f64::NAN)));
        }
    }
    Pattern::normal(seed).with(&rest)
}

/// Queries that are near one key, so that a uniform softmax is far off.
pub(super) fn peaked(case: Case, q: [u32; 4], kv_heads: u32, kv_len: u32) -> Case {
    let [batch, _, q_len, dim] = q;
    let kv = [batch, kv_heads, kv_len, dim];
    let wide = Pattern::Normal { seed: u64::from(q_len + dim), mean: 0.0, sd: 2.5 };
    case.input("q", &q, wide)
        .input("k", &kv, Pattern::normal(u64::from(kv_len)))
        .input("v", &kv, Pattern::normal(u64::from(kv_len) + 1))
        .bound(Bound::sum(1.0))
}
