//! How rows are sorted: as unsigned keys, in runs within a group, then by merging.
//!
//! A key is the place of an element in the total order, complemented where the order descends; with its index
//! in the low half where indices are wanted, so that no two keys are equal and the result is that of a stable
//! sort. Runs of up to 2,048 keys are sorted in shared memory by a bitonic network, padded with the greatest
//! key. Then neighbouring runs are merged, doubling their length, until one is left.

use super::merge::merge_runs;
use crate::{
    pieces::{
        each::{THREADS, each, per},
        fold::ROW_ELEMS,
        order::{Compare, Ordered},
    },
    prelude::*,
    reduce::rows::with_foldable,
};

/// Keys that a group sorts, at most.
pub(super) const TILE_ELEMS: u32 = 2_048;

/// An unsigned integer that orders like the elements.
pub trait Key: Int + Compare {
    /// From a place in the total order and an index.
    fn pack(place: Val<u32>, index: Val<u32>) -> Val<Self>;
    /// The place in the total order.
    fn place(key: Val<Self>) -> Val<u32>;
    /// The greatest key.
    fn greatest() -> Val<Self>;
}

/// The place alone: equal elements have the same bits.
impl Key for u32 {
    fn pack(place: Val<u32>, _: Val<u32>) -> Val<u32> {
        place
    }
    fn place(key: Val<u32>) -> Val<u32> {
        key
    }
    fn greatest() -> Val<u32> {
        val(u32::MAX)
    }
}

/// The place above the index.
impl Key for u64 {
    fn pack(place: Val<u32>, index: Val<u32>) -> Val<u64> {
        high_low(place, index)
    }
    fn place(key: Val<u64>) -> Val<u32> {
        high(key)
    }
    fn greatest() -> Val<u64> {
        val(u64::MAX)
    }
}

#[device]
fn high_low(high: Val<u32>, low: Val<u32>) -> Val<u64> {
    ((high as u64) << 32) | (low as u64)
}

#[device]
fn high(x: Val<u64>) -> Val<u32> {
    (x >> 32) as u32
}

#[device]
pub(super) fn turn(place: Val<u32>, descending: bool) -> Val<u32> {
    if descending { !place } else { place }
}

/// `key(0)` to `key(tile_elems - 1)`, in order.
#[device]
pub(super) fn sorted_tile<K: Key>(
    tile_elems: u32,
    threads: u32,
    key: impl Fn(Val<u32>) -> Val<K>,
) -> Shared<K> {
    let tile = shared::<K>(tile_elems);
    for k in 0..tile_elems / threads {
        let slot = thread_id() + k * threads;
        tile[slot] = key(slot);
    }
    barrier();
    // Stage s makes sorted blocks of 2^s, each step of it compares at half the distance of the one before.
    for stage in val(1)..=tile_elems.ilog2() {
        for step in val(0)..stage {
            let distance = val(1u32) << (stage - 1 - step);
            for k in 0..tile_elems / 2 / threads {
                let pair = thread_id() + k * threads;
                let below = pair & (distance - 1);
                let low = ((pair - below) << 1) + below;
                let (a, b) = (tile[low], tile[low + distance]);
                let rises = (low >> stage) & 1 == 0;
                tile[low] = select(rises, min(a, b), max(a, b));
                tile[low + distance] = select(rises, max(a, b), min(a, b));
            }
            barrier();
        }
    }
    tile
}

/// Sorts each run of `tile_elems` elements of each row into keys.
#[kernel(group = threads, grid = (rows, row_elems.div_ceil(tile_elems)))]
pub fn sort_runs<T: Ordered, K: Key>(
    #[len(rows * row_elems)] x: &In<T>,
    #[len(rows * row_elems)] keys: &mut Out<K>,
    rows: u32,
    row_elems: u32,
    #[comptime] descending: bool,
    #[comptime] tile_elems: u32,
    #[comptime] threads: u32,
) {
    let base = group_id() as u64 * row_elems as u64;
    let start = group_id_y() * tile_elems;
    let tile = sorted_tile::<K>(tile_elems, threads, |slot| {
        let i = start + slot;
        let mut key = K::greatest();
        if i < row_elems {
            key = K::pack(turn(T::key(x[base + i as u64]), descending), i);
        }
        key
    });
    for k in 0..tile_elems / threads {
        let slot = thread_id() + k * threads;
        let i = start + slot;
        if i < row_elems {
            keys[base + i as u64] = tile[slot];
        }
    }
}

/// Elements from keys.
#[kernel(group = THREADS, grid = elems.div_ceil(THREADS * per(&[K::DTYPE, T::DTYPE])))]
pub fn unpack_values<T: Ordered, K: Key>(
    #[len(elems)] keys: &In<K>,
    #[len(elems)] values: &mut Out<T>,
    elems: u32,
    #[comptime] descending: bool,
) {
    each(per(&[K::DTYPE, T::DTYPE]), elems, |i| {
        values[i] = T::value(turn(K::place(keys[i]), descending));
    });
}

/// Indices from keys.
#[kernel(group = THREADS, grid = elems.div_ceil(THREADS * per(&[DType::U64, DType::U32])))]
pub fn unpack_indices(
    #[len(elems)] keys: &In<u64>,
    #[len(elems)] indices: &mut Out<u32>,
    elems: u32,
) {
    each(per(&[DType::U64, DType::U32]), elems, |i| {
        indices[i] = keys[i] as u32;
    });
}

/// Adds the launches that sort the rows of `x`, and the one that writes the elements in order. Returns the
/// sorted keys.
pub(super) fn sort_steps<K: Key>(call: &Call<'_>, plan: &mut Plan) -> Result<TensorRef, PlanError> {
    let (dtype, descending) = (call.dtype("x"), call.word("order") == "descending");
    let values = plan.output("values", dtype, call.dims("x"));
    let keys = sorted_keys::<K>(call, plan)?;
    let unpack = with_foldable!(call, dtype, T => unpack_values::<T, K>(descending))?;
    plan.step(unpack, [keys.buffer(), values.buffer(), call.elems("x")?.into()]);
    Ok(keys)
}

/// Adds the launches that sort the keys of the rows of `x`.
pub(super) fn sorted_keys<K: Key>(
    call: &Call<'_>,
    plan: &mut Plan,
) -> Result<TensorRef, PlanError> {
    let (rows, row_elems) = call.rows("x")?;
    call.elems("x")?;
    call.expect(row_elems <= ROW_ELEMS, "the last extent of `x`", "at most 2^31", row_elems)?;
    let dtype = call.dtype("x");
    let descending = call.word("order") == "descending";
    let mut keys = plan.temp(K::DTYPE, &[rows, row_elems]);
    let tile_elems = row_elems.clamp(64, TILE_ELEMS).next_power_of_two();
    let threads = (tile_elems / 2).min(256);
    let sort = with_foldable!(
        call, dtype, T => sort_runs::<T, K>(descending, tile_elems, threads)
    )?;
    plan.step(sort, [call.buffer("x"), keys.buffer(), rows.into(), row_elems.into()]);
    let mut other = None;
    let mut run = tile_elems;
    while run < row_elems {
        let target = other.take().unwrap_or_else(|| plan.temp(K::DTYPE, &[rows, row_elems]));
        let merge = call.staged(merge_runs::<K>())?;
        plan.step(
            merge,
            [keys.buffer(), target.buffer(), rows.into(), row_elems.into(), run.into()],
        );
        other = Some(std::mem::replace(&mut keys, target));
        run = run.saturating_mul(2);
    }
    Ok(keys)
}
