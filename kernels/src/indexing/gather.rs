//! Rows of a table: `y[n, d] = table[indices[n], d]`.
//!
//! `table` is [rows, ...], `indices` has any shape, `y` is [indices' shape ..., ...].

use super::{DTYPES, moved, with_moved};
use crate::{
    pieces::each::{multiple, per},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("gather", "indexing", plan, reference, cases)
    .summary("y[n, d] = table[indices[n], d]")
    .inputs(&[
        InputSpec::new("table", DTYPES, "[rows, ...]"),
        InputSpec::new("indices", &[DType::U32], "any shape, each below rows"),
    ])
    .outputs(&[OutputSpec::new("y", "[indices' shape ..., ...], like table")])
    .bench(bench);

/// Definition: a thread takes `per` neighbours of a row, a power of two that divides its length.
#[kernel(group = 128, grid = (row_elems.div_ceil(128 * per), n))]
pub fn gather<T: Scalar>(
    #[len(rows * row_elems)] table: &In<T>,
    #[len(n)] indices: &In<u32>,
    #[len(n * row_elems)] y: &mut Out<T>,
    rows: u32,
    row_elems: u32,
    n: u32,
    #[comptime] per: u32,
) {
    let row_elems = multiple(per, row_elems);
    let d = global_id() * per;
    let row = indices[group_id_y()];
    assert!(row < rows, "the index is not below the rows of the table");
    if d < row_elems {
        let from = row as u64 * row_elems as u64 + d as u64;
        let to = group_id_y() as u64 * row_elems as u64 + d as u64;
        for k in 0..per {
            y[to + k as u64] = table[from + k as u64];
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (&rows, inner) = call
        .dims("table")
        .split_first()
        .ok_or_else(|| call.wrong("the rank of `table`", "at least 1", "0"))?;
    let row_elems = call.product("table", inner)?;
    let n = call.elems("indices")?;
    let shape = [call.dims("indices"), inner].concat();
    call.expect(shape.len() <= 8, "the rank of `y`", "at most 8", shape.len())?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("table"), &shape);
    let whole = per(&[call.dtype("table")]);
    // Rows whose length has no such divisor do not start aligned.
    let per = if row_elems.is_multiple_of(whole) { whole } else { 1 };
    let kernel = with_moved!(call, call.dtype("table"), T => gather::<T>(per))?;
    plan.step(
        kernel,
        [
            call.buffer("table"),
            call.buffer("indices"),
            y.buffer(),
            rows.into(),
            row_elems.into(),
            n.into(),
        ],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let row_elems: usize = known.extents("table")[1..].iter().product();
    let rows = known.int("indices").iter().map(|&i| i as usize * row_elems);
    let at: Vec<_> = rows.flat_map(|first| first..first + row_elems).collect();
    vec![moved(known, "table").take(&at)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in DTYPES {
        let random = Pattern::Bits { seed: 3 };
        for (name, table, n) in [("one", [1, 1], 1), ("rows", [17, 8], 23), ("wide", [5, 300], 4)] {
            let case = Case::new(name, dtype).input("table", &table, random.clone());
            let below = Pattern::Indices { seed: 4, below: table[0] };
            all.push(case.input_as("indices", DType::U32, &[n], below));
        }
        let backwards = Pattern::CycleInt(vec![6, 5, 4, 3, 2, 1, 0]);
        all.push(
            Case::new("backwards", dtype).input("table", &[7, 33], Pattern::Positions).input_as(
                "indices",
                DType::U32,
                &[7],
                backwards,
            ),
        );
    }
    let view = TensorDesc::strided(DType::F32, &[9, 5], &[1, 11], 2);
    let every = TensorDesc::strided(DType::U32, &[2, 4], &[0, 2], 1);
    all.push(Case::new("views", DType::F32).view("table", view, Pattern::ramp(1.0, 1.0)).view(
        "indices",
        every,
        Pattern::CycleInt(vec![8, 0, 3, 8, 8, 0, 3, 8]),
    ));
    let special = Case::new("specials", DType::F32).input("table", &[6, 9], Pattern::specials());
    let any = Pattern::CycleInt(vec![5, 0, 3, 1, 4, 2]);
    all.push(special.input_as("indices", DType::U32, &[6], any));
    for (table, n) in [([4, 6], 0), ([4, 0], 3)] {
        let case = Case::new(format!("{table:?} {n}"), DType::F32);
        let case = case.input("table", &table, Pattern::normal(1));
        all.push(case.input_as("indices", DType::U32, &[n], Pattern::Constant(1.0)).empty());
    }
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let of = |(name, rows, row_elems, n, scale): (&str, u32, u32, u32, Scale)| {
        let case = Case::new(name, DType::F32)
            .input("table", &[rows, row_elems], Pattern::normal(1))
            .input_as("indices", DType::U32, &[n], Pattern::Indices { seed: 2, below: rows });
        Bench { case, bytes: 8 * u64::from(n) * u64::from(row_elems), flops: 0, scale }
    };
    let sizes = [
        ("384", 30_000, 384, 4_096, Scale::Host),
        ("16384x4096", 16_384, 4_096, 16_384, Scale::Device),
    ];
    sizes.map(of).into()
}
