//! The k greatest (or least) elements of each row in order, and where they stood:
//! `values[r, i] = x[r, indices[r, i]]`.
//!
//! `x` is [..., n]; `values` and `indices` (u32) are [..., min(k, n)]. The order is that of `argsort`: total, NaN above
//! all, of equal elements the lower index first. A group sorts a tile of keys and keeps the first k; what is kept is
//! cut in the same way until one tile has it all. For a k above half a tile the row is sorted.

use super::{
    DTYPES,
    keys::{Key, TILE_ELEMS, sorted_keys, sorted_tile, turn},
    like_x, order,
};
use crate::{pieces::order::Ordered, prelude::*, reduce::rows::with_foldable};

/// The operation.
pub const ENTRY: Entry = Entry::new("top_k", "sorting", plan, reference, cases)
    .summary("values[r, i] = x[r, indices[r, i]], the k greatest in order")
    .inputs(&[InputSpec::new("x", DTYPES, "[..., n]")])
    .outputs(&[
        OutputSpec::new("values", "[..., min(k, n)], dtype of x"),
        OutputSpec::new("indices", "[..., min(k, n)], u32"),
    ])
    .settings(&[SettingSpec::required_int("k", "how many, at least 1")])
    .words(&[WordSpec::new("order", &["descending", "ascending"], "which comes first")])
    .bench(bench);

/// What a key is made from: an element, or a key of a tile before.
pub trait Source: Scalar {
    /// The key of the element at an index.
    fn key_at(x: Val<Self>, index: Val<u32>, descending: bool) -> Val<u64>;
}

impl<T: Ordered> Source for T {
    fn key_at(x: Val<T>, index: Val<u32>, descending: bool) -> Val<u64> {
        u64::pack(turn(T::key(x), descending), index)
    }
}

impl Source for u64 {
    fn key_at(x: Val<u64>, _: Val<u32>, _: bool) -> Val<u64> {
        x
    }
}

/// The first `k` keys of each run of `tile_elems` elements of each row, in order.
#[kernel(group = threads, grid = (rows, row_elems.div_ceil(tile_elems)))]
pub fn top_of_runs<S: Source>(
    #[len(rows * row_elems)] x: &In<S>,
    #[len(rows * row_elems.div_ceil(tile_elems) * k)] keys: &mut Out<u64>,
    rows: u32,
    row_elems: u32,
    k: u32,
    #[comptime] descending: bool,
    #[comptime] tile_elems: u32,
    #[comptime] threads: u32,
) {
    let base = group_id() as u64 * row_elems as u64;
    let start = group_id_y() * tile_elems;
    let tile = sorted_tile::<u64>(tile_elems, threads, |slot| {
        let i = start + slot;
        if i < row_elems { S::key_at(x[base + i as u64], i, descending) } else { u64::greatest() }
    });
    let run = group_id() as u64 * grid_size_y() as u64 + group_id_y() as u64;
    for slot in (thread_id()..k).step_by(threads) {
        keys[run * k as u64 + slot as u64] = tile[slot];
    }
}

/// Elements and indices from the first `k` of `row_keys` keys of each row.
#[kernel(group = 256, grid = (rows * k).div_ceil(256))]
pub fn unpack_top<T: Ordered>(
    #[len(rows * row_keys)] keys: &In<u64>,
    #[len(rows * k)] values: &mut Out<T>,
    #[len(rows * k)] indices: &mut Out<u32>,
    rows: u32,
    row_keys: u32,
    k: u32,
    #[comptime] descending: bool,
) {
    let i = global_id();
    if i < rows * k {
        let key = keys[(i / k) as u64 * row_keys as u64 + (i % k) as u64];
        values[i] = T::value(turn(u64::place(key), descending));
        indices[i] = key as u32;
    }
}

/// Adds the launches that leave the first `k` keys of each row. Returns them and how many a row has.
fn kept_keys(call: &Call<'_>, plan: &mut Plan, k: u32) -> Result<(TensorRef, u32), PlanError> {
    let (rows, row_elems) = call.rows("x")?;
    if k > TILE_ELEMS / 2 {
        return Ok((sorted_keys::<u64>(call, plan)?, row_elems));
    }
    let descending = call.word("order") == "descending";
    let (mut from, mut elems) = (call.buffer("x"), row_elems);
    let kernel = |from: &Arg, tile: u32, threads: u32| match from.tensor() {
        Some(TensorRef::Input(_)) => {
            with_foldable!(call, call.dtype("x"), T => top_of_runs::<T>(descending, tile, threads))
        }
        _ => call.staged(top_of_runs::<u64>(descending, tile, threads)),
    };
    loop {
        let tile = elems.clamp(64, TILE_ELEMS).next_power_of_two();
        let runs = elems.div_ceil(tile);
        let keys = plan.temp(DType::U64, &[rows, runs * k]);
        let staged = kernel(&from, tile, (tile / 2).min(256))?;
        plan.step(staged, [from, keys.buffer(), rows.into(), elems.into(), k.into()]);
        if runs <= 1 {
            return Ok((keys, runs * k));
        }
        (from, elems) = (keys.buffer(), runs * k);
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = call.rows("x")?;
    call.elems("x")?;
    let k = call.int_in("k", 1..=i64::from(u32::MAX))?.min(row_elems);
    let (_, outer) = (call.dims("x").split_last())
        .ok_or_else(|| call.wrong("the rank of `x`", "at least 1", "0"))?;
    let shape = [outer, &[k]].concat();
    let (dtype, descending) = (call.dtype("x"), call.word("order") == "descending");
    let mut plan = Plan::new();
    let values = plan.output("values", dtype, &shape);
    let indices = plan.output("indices", DType::U32, &shape);
    let (keys, row_keys) = kept_keys(call, &mut plan, k)?;
    let unpack = with_foldable!(call, dtype, T => unpack_top::<T>(descending))?;
    let scalars = [rows, row_keys, k].map(Arg::from);
    plan.step(
        unpack,
        [keys.buffer(), values.buffer(), indices.buffer()].into_iter().chain(scalars),
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let x = known.values("x");
    let n = known.extents("x").last().copied().unwrap_or(1).max(1);
    let (mut values, mut indices) = (Vec::new(), Vec::new());
    for row in x.chunks(n) {
        let first = order(row, known.word("order") == "descending");
        for i in first.into_iter().take(Call::int(known, "k") as usize) {
            values.push(row[i]);
            indices.push(i as i128);
        }
    }
    vec![like_x(known, "values", values), Expected::int("indices", indices)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for order in ["descending", "ascending"] {
        let case = |name: &str, dtype, k: u32| {
            Case::new(format!("{order} {name}"), dtype).word("order", order).set("k", k)
        };
        for &dtype in DTYPES {
            let specials = crate::pattern::specials(dtype).len() as u32;
            all.push(case("specials", dtype, 20).input("x", &[2, specials], Pattern::specials()));
            all.push(case("ties", dtype, 9).input("x", &[3, 60], Pattern::Positions));
        }
    }
    let case = |name: String, k: u32| Case::new(name, DType::F32).set("k", k);
    // One element, all of a row, more than a row has; a tile, two tiles, what two tiles keep; above half a tile.
    for [n, k] in [
        [1, 1],
        [2, 5],
        [64, 8],
        [65, 65],
        [2_048, 1_024],
        [2_049, 1_024],
        [4_500, 3],
        [1_100, 1_100],
        [2_500, 2_500],
    ] {
        all.push(case(format!("{k} of {n}"), k).input("x", &[2, n], Pattern::normal(n.into())));
    }
    all.push(case("vocabulary".into(), 50).input("x", &[1, 152_064], Pattern::normal(3)));
    // Equal elements in many tiles: those of the first come first.
    all.push(case("equal".into(), 40).input("x", &[1, 5_000], Pattern::Constant(2.0)));
    let view = TensorDesc::strided(DType::F32, &[3, 40], &[1, 4], 2);
    all.push(case("view".into(), 4).view("x", view, Pattern::normal(2)));
    for shape in [[0, 5], [5, 0]] {
        all.push(case(format!("{shape:?}"), 2).input("x", &shape, Pattern::normal(1)).empty());
    }
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (rows, n) = (16, 152_064);
    let case = Case::new("50 of 152064", DType::F32).set("k", 50);
    let case = case.input("x", &[rows, n], Pattern::normal(1));
    vec![Bench { case, bytes: 4 * u64::from(rows * n), flops: 0, scale: Scale::Host }]
}
