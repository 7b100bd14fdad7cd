//! Elements replaced where a mask is set: `y[i] = updates[offsets[i]]` where `mask[i]` is not 0, else `x[i]`.
//!
//! `x`, `mask`, `offsets` and `y` have one shape; `updates` is [n]. Offsets are read where the mask is set only. With an exclusive
//! `scan` of the mask as offsets the updates go to the set places in order.

use super::{DTYPES, moved, with_moved};
use crate::{
    pieces::each::{THREADS, each},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("masked_scatter", "indexing", plan, reference, cases)
    .summary("y[i] = updates[offsets[i]] where mask[i] is not 0, else x[i]")
    .inputs(&[
        InputSpec::new("x", DTYPES, "any shape"),
        InputSpec::new("mask", &[DType::U8], "shape of x"),
        InputSpec::new("offsets", &[DType::U32], "shape of x, each below n where mask is set"),
        InputSpec::like("updates", "x", "[n]"),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x")]);

/// Definition.
#[kernel(group = THREADS, grid = elems.div_ceil(THREADS))]
pub fn masked_scatter<T: Scalar>(
    #[len(elems)] x: &In<T>,
    #[len(elems)] mask: &In<u8>,
    #[len(elems)] offsets: &In<u32>,
    #[len(n)] updates: &In<T>,
    #[len(elems)] y: &mut Out<T>,
    elems: u32,
    n: u32,
) {
    each(1, elems, |i| {
        if mask[i] != 0 {
            let from = offsets[i];
            assert!(from < n, "the offset is not below the updates");
            y[i] = updates[from];
        } else {
            y[i] = x[i];
        }
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (elems, dims) = (call.elems("x")?, call.dims("x"));
    call.expect_shape("mask", dims)?;
    call.expect_shape("offsets", dims)?;
    let [n] = call.shape("updates")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), dims);
    let kernel = with_moved!(call, call.dtype("x"), T => masked_scatter::<T>())?;
    let tensors = ["x", "mask", "offsets", "updates"].map(|name| call.buffer(name)).into_iter();
    plan.step(kernel, tensors.chain([y.buffer(), elems.into(), n.into()]));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let elems = known.int("mask").len();
    let chosen = |i: usize| match known.int("mask")[i] {
        0 => i,
        _ => elems + known.int("offsets")[i] as usize,
    };
    let at: Vec<usize> = (0..elems).map(chosen).collect();
    vec![moved(known, "x").chain(moved(known, "updates")).take(&at)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let case = |name: &str, dtype, shape: &[u32], n: u32| {
        Case::new(name, dtype)
            .input("x", shape, Pattern::Bits { seed: 1 })
            .input_as("mask", DType::U8, shape, Pattern::CycleInt(vec![0, 1, 255, 0, 0, 2, 0]))
            .input_as("offsets", DType::U32, shape, Pattern::Indices { seed: 3, below: n })
            .input("updates", &[n], Pattern::Bits { seed: 2 })
    };
    let mut all: Vec<Case> =
        DTYPES.iter().map(|&dtype| case("ragged", dtype, &[5, 61], 40)).collect();
    let f32 = DType::F32;
    let one = case("one", f32, &[1], 1);
    all.push(one.input_as("mask", DType::U8, &[1], Pattern::Constant(1.0)));
    // Offsets where nothing is replaced may be anything.
    let none = case("nothing set", f32, &[9], 1);
    let wild = none.input_as("offsets", DType::U32, &[9], Pattern::Constant(7e8));
    all.push(wild.input_as("mask", DType::U8, &[9], Pattern::Constant(0.0)));
    let turned = TensorDesc::strided(f32, &[3, 4], &[1, 5], 2);
    all.push(case("views", f32, &[3, 4], 6).view("x", turned, Pattern::normal(4)));
    all.push(case("empty", f32, &[0, 3], 2).empty());
    all
}
