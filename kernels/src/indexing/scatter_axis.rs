//! Elements replaced along an axis: `y = x`, then `y[o, indices[o, j, i], i] = updates[o, j, i]` for j ascending.
//!
//! `x` and `y` are [outer, axis, inner], `indices` and `updates` are [outer, n, inner]. Of equal indices the last
//! wins.

use super::{DTYPES, moved, with_moved};
use crate::{elementwise::copy::copy, prelude::*};

/// The operation.
pub const ENTRY: Entry = Entry::new("scatter_axis", "indexing", plan, reference, cases)
    .summary("y = x, then y[o, indices[o, j, i], i] = updates[o, j, i]")
    .inputs(&[
        InputSpec::new("x", DTYPES, "[outer, axis, inner]"),
        InputSpec::new("indices", &[DType::U32], "[outer, n, inner], each below axis"),
        InputSpec::like("updates", "x", "[outer, n, inner]"),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])]);

/// Definition: a thread a place of [outer, inner] walks its indices in order.
#[kernel(group = 128, grid = (inner.div_ceil(128), outer))]
pub fn scatter_axis<T: Scalar>(
    #[len(outer * n * inner)] indices: &In<u32>,
    #[len(outer * n * inner)] updates: &In<T>,
    #[len(outer * axis * inner)] y: &mut InOut<T>,
    outer: u32,
    axis: u32,
    inner: u32,
    n: u32,
) {
    let i = global_id();
    if i < inner {
        for j in 0..n {
            let at = (group_id_y() as u64 * n as u64 + j as u64) * inner as u64 + i as u64;
            let to = indices[at];
            assert!(to < axis, "the index is not below the extent of the axis");
            y[(group_id_y() as u64 * axis as u64 + to as u64) * inner as u64 + i as u64] =
                updates[at];
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [outer, axis, inner] = call.shape("x")?;
    let [_, n, _] = call.shape("indices")?;
    call.expect_shape("indices", &[outer, n, inner])?;
    call.expect_shape("updates", &[outer, n, inner])?;
    call.elems("indices")?;
    let (elems, dtype) = (call.elems("x")?, call.dtype("x"));
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("x"));
    let kernel = with_moved!(call, dtype, T => copy::<T>())?;
    plan.copy("x", kernel, [call.buffer("x"), y.buffer(), elems.into()]);
    let kernel = with_moved!(call, dtype, T => scatter_axis::<T>())?;
    plan.step(
        kernel,
        [
            call.buffer("indices"),
            call.buffer("updates"),
            y.buffer(),
            outer.into(),
            axis.into(),
            inner.into(),
            n.into(),
        ],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let [outer, axis, inner] = [0, 1, 2].map(|k| known.extent("x", k));
    let n = known.extent("indices", 1);
    let elems = outer * axis * inner;
    let mut at: Vec<usize> = (0..elems).collect();
    for (place, &to) in known.int("indices").iter().enumerate() {
        let o = place / (n * inner);
        at[(o * axis + to as usize) * inner + place % inner] = elems + place;
    }
    vec![moved(known, "x").chain(moved(known, "updates")).take(&at)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in DTYPES {
        for (name, x, n) in
            [("one", [1, 1, 1], 1), ("last-axis", [6, 13, 1], 4), ("repeated", [2, 3, 140], 5)]
        {
            let shape = [x[0], n, x[2]];
            all.push(
                Case::new(name, dtype)
                    .input("x", &x, Pattern::Bits { seed: 8 })
                    .input_as(
                        "indices",
                        DType::U32,
                        &shape,
                        Pattern::Indices { seed: 4, below: x[1] },
                    )
                    .input("updates", &shape, Pattern::Bits { seed: 9 }),
            );
        }
    }
    let empty = Case::new("empty", DType::F32)
        .input("x", &[2, 3, 0], Pattern::normal(1))
        .input_as("indices", DType::U32, &[2, 2, 0], Pattern::Constant(0.0))
        .input("updates", &[2, 2, 0], Pattern::normal(1));
    all.push(empty.empty());
    all
}
