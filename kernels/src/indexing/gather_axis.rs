//! Elements along an axis: `y[o, j, i] = x[o, indices[o, j, i], i]`.
//!
//! `x` is [outer, axis, inner], `indices` is [outer, n, inner], `y` has the shape of `indices`.

use super::{DTYPES, moved, with_moved};
use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("gather_axis", "indexing", plan, reference, cases)
    .summary("y[o, j, i] = x[o, indices[o, j, i], i]")
    .inputs(&[
        InputSpec::new("x", DTYPES, "[outer, axis, inner]"),
        InputSpec::new("indices", &[DType::U32], "[outer, n, inner], each below axis"),
    ])
    .outputs(&[OutputSpec::new("y", "[outer, n, inner], like x")]);

/// Definition.
#[kernel(group = 128, grid = (inner.div_ceil(128), n, outer))]
pub fn gather_axis<T: Scalar>(
    #[len(outer * axis * inner)] x: &In<T>,
    #[len(outer * n * inner)] indices: &In<u32>,
    #[len(outer * n * inner)] y: &mut Out<T>,
    outer: u32,
    axis: u32,
    inner: u32,
    n: u32,
) {
    let i = global_id();
    if i < inner {
        let at = (group_id_z() as u64 * n as u64 + group_id_y() as u64) * inner as u64 + i as u64;
        let j = indices[at];
        assert!(j < axis, "the index is not below the extent of the axis");
        y[at] = x[(group_id_z() as u64 * axis as u64 + j as u64) * inner as u64 + i as u64];
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [outer, axis, inner] = call.shape("x")?;
    let [_, n, _] = call.shape("indices")?;
    call.expect_shape("indices", &[outer, n, inner])?;
    call.elems("x")?;
    call.elems("indices")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("indices"));
    let kernel = with_moved!(call, call.dtype("x"), T => gather_axis::<T>())?;
    plan.step(
        kernel,
        [
            call.buffer("x"),
            call.buffer("indices"),
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
    let (axis, n, inner) = (known.extent("x", 1), known.extent("indices", 1), known.extent("x", 2));
    let indices = known.int("indices").iter().enumerate();
    let at: Vec<_> = indices
        .map(|(place, &j)| (place / (n * inner) * axis + j as usize) * inner + place % inner)
        .collect();
    vec![moved(known, "x").take(&at)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in DTYPES {
        for (name, x, n) in
            [("one", [1, 1, 1], 1), ("last-axis", [6, 13, 1], 4), ("middle", [3, 5, 130], 7)]
        {
            let shape = [x[0], n, x[2]];
            let below = Pattern::Indices { seed: 4, below: x[1] };
            all.push(Case::new(name, dtype).input("x", &x, Pattern::Bits { seed: 7 }).input_as(
                "indices",
                DType::U32,
                &shape,
                below,
            ));
        }
    }
    let view = TensorDesc::strided(DType::F32, &[2, 4, 3], &[12, 1, 4], 5);
    all.push(Case::new("view", DType::F32).view("x", view, Pattern::ramp(1.0, 1.0)).input_as(
        "indices",
        DType::U32,
        &[2, 5, 3],
        Pattern::Indices { seed: 2, below: 4 },
    ));
    for (x, n) in [([0, 4, 2], 3), ([2, 4, 0], 3), ([2, 0, 2], 0)] {
        let case = Case::new(format!("{x:?} {n}"), DType::F32).input("x", &x, Pattern::normal(1));
        let shape = [x[0], n, x[2]];
        all.push(case.input_as("indices", DType::U32, &shape, Pattern::Constant(0.0)).empty());
    }
    all
}
