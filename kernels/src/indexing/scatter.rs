//! Rows replaced: `y = x`, then `y[indices[n], d] = updates[n, d]` for n ascending.
//!
//! `x` and `y` are [rows, ...], `indices` is [n], `updates` is [n, ...]. Of equal indices the last wins.

use super::{DTYPES, moved, with_moved};
use crate::{elementwise::copy::copy, prelude::*};

/// The operation.
pub const ENTRY: Entry = Entry::new("scatter", "indexing", plan, reference, cases)
    .summary("y = x, then y[indices[n], d] = updates[n, d]")
    .inputs(&[
        InputSpec::new("x", DTYPES, "[rows, ...]"),
        InputSpec::new("indices", &[DType::U32], "[n], each below rows"),
        InputSpec::like("updates", "x", "[n, ...]"),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])]);

/// Definition: a thread a column walks the rows in order.
#[kernel(group = 128, grid = row_elems.div_ceil(128))]
pub fn scatter<T: Scalar>(
    #[len(n)] indices: &In<u32>,
    #[len(n * row_elems)] updates: &In<T>,
    #[len(rows * row_elems)] y: &mut InOut<T>,
    rows: u32,
    row_elems: u32,
    n: u32,
) {
    let d = global_id();
    for k in 0..n {
        let row = indices[k];
        assert!(row < rows, "the index is not below the rows");
        if d < row_elems {
            y[row as u64 * row_elems as u64 + d as u64] =
                updates[k as u64 * row_elems as u64 + d as u64];
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (&rows, inner) = (call.dims("x").split_first())
        .ok_or_else(|| call.wrong("the rank of `x`", "at least 1", "0"))?;
    let [n] = call.shape("indices")?;
    call.expect_shape("updates", &[&[n], inner].concat())?;
    let (elems, row_elems) = (call.elems("x")?, call.product("x", inner)?);
    let dtype = call.dtype("x");
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("x"));
    let kernel = with_moved!(call, dtype, T => copy::<T>())?;
    plan.copy("x", kernel, [call.buffer("x"), y.buffer(), elems.into()]);
    let kernel = with_moved!(call, dtype, T => scatter::<T>())?;
    plan.step(
        kernel,
        [
            call.buffer("indices"),
            call.buffer("updates"),
            y.buffer(),
            rows.into(),
            row_elems.into(),
            n.into(),
        ],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let row_elems: usize = known.extents("x")[1..].iter().product();
    let elems = known.extents("x").iter().product();
    let mut at: Vec<usize> = (0..elems).collect();
    for (n, &row) in known.int("indices").iter().enumerate() {
        for d in 0..row_elems {
            at[row as usize * row_elems + d] = elems + n * row_elems + d;
        }
    }
    vec![moved(known, "x").chain(moved(known, "updates")).take(&at)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in DTYPES {
        let (x, updates) = (Pattern::Bits { seed: 5 }, Pattern::Bits { seed: 6 });
        for (name, shape, n, indices) in [
            ("one", [1, 1], 1, Pattern::Constant(0.0)),
            ("repeated", [9, 40], 13, Pattern::Indices { seed: 4, below: 9 }),
            ("permuted", [6, 130], 6, Pattern::Permutation { seed: 2 }),
        ] {
            all.push(
                Case::new(name, dtype)
                    .input("x", &shape, x.clone())
                    .input_as("indices", DType::U32, &[n], indices)
                    .input("updates", &[n, shape[1]], updates.clone()),
            );
        }
    }
    let none = Case::new("nothing-to-do", DType::F32)
        .input("x", &[3, 4], Pattern::normal(1))
        .input_as("indices", DType::U32, &[0], Pattern::Constant(0.0))
        .input("updates", &[0, 4], Pattern::normal(2));
    let empty = Case::new("empty", DType::F32)
        .input("x", &[3, 0], Pattern::normal(1))
        .input_as("indices", DType::U32, &[2], Pattern::Constant(0.0))
        .input("updates", &[2, 0], Pattern::normal(2));
    all.extend([none, empty.empty()]);
    all
}
