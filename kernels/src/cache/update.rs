//! New tokens written into a cache: `y = cache`, then `y[h, positions[t], d] = new[t, h, d]` for t ascending.
//!
//! `cache` and `y` are [heads, steps, dim], `new` is [tokens, heads, dim], rounded to the cache's dtype, `positions` is
//! [tokens]. With a batch of caches, all three have its axis in front. Of equal positions the last token wins. In place nothing is
//! copied: only the new tokens are written.

use crate::{elementwise::copy::copy, prelude::*};

/// The operation.
pub const ENTRY: Entry = Entry::new("cache_update", "cache", plan, reference, cases)
    .summary("y = cache, then y[h, positions[t], d] = new[t, h, d]")
    .inputs(&[
        InputSpec::new("cache", REALS, "[heads, steps, dim], or [batch, heads, steps, dim]"),
        InputSpec::new("new", REALS, "[tokens, heads, dim], or [batch, tokens, heads, dim]"),
        InputSpec::new(
            "positions",
            &[DType::U32],
            "[tokens], or [batch, tokens], each below steps",
        ),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of cache").over(&["cache"])]);

/// Definition, after a copy: a thread an element of a token walks the tokens in order.
#[kernel(group = 128, grid = ((heads * dim).div_ceil(128), batch))]
pub fn cache_update<T: Real, N: Real>(
    #[len(batch * tokens * heads * dim)] new: &In<N>,
    #[len(batch * tokens)] positions: &In<u32>,
    #[len(batch * heads * steps * dim)] y: &mut InOut<T>,
    batch: u32,
    heads: u32,
    steps: u32,
    dim: u32,
    tokens: u32,
) {
    let i = global_id();
    if i < heads * dim {
        let head = group_id_y() as u64 * heads as u64 + (i / dim) as u64;
        let first = group_id_y() * tokens;
        for t in 0..tokens {
            let position = positions[first + t];
            assert!(position < steps, "the position is not below the steps of the cache");
            let at = (head * steps as u64 + position as u64) * dim as u64 + (i % dim) as u64;
            y[at] = new[(first + t) as u64 * (heads * dim) as u64 + i as u64] as f32 as T;
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (batch, lead, [heads, steps, dim]) = match *call.dims("cache") {
        [batch, heads, steps, dim] => (batch, &[batch][..], [heads, steps, dim]),
        _ => (1, &[][..], call.shape("cache")?),
    };
    let tokens = call.dims("positions").last().copied().unwrap_or(1);
    call.expect_shape("positions", &[lead, &[tokens]].concat())?;
    call.expect_shape("new", &[lead, &[tokens, heads, dim]].concat())?;
    call.elems("new")?;
    let (elems, dtype) = (call.elems("cache")?, call.dtype("cache"));
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("cache"));
    let kernel = with_real!(call, dtype, T => copy::<T>())?;
    plan.copy("cache", kernel, [call.buffer("cache"), y.buffer(), elems.into()]);
    let kernel = with_real2!(call, ["cache", "new"], [T, N] => cache_update::<T, N>())?;
    let tensors = [call.buffer("new"), call.buffer("positions"), y.buffer()];
    plan.step(kernel, tensors.into_iter().chain([batch, heads, steps, dim, tokens].map(Arg::from)));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let [dim, steps, heads] = [1, 2, 3].map(|back| {
        let extents = known.extents("cache");
        extents[extents.len() - back]
    });
    let tokens = known.extents("positions").pop().unwrap_or(0);
    let mut y = known.float("cache").to_vec();
    for (t, &position) in known.int("positions").iter().enumerate() {
        let batch = t / tokens;
        for h in 0..heads {
            for d in 0..dim {
                let new = known.float("new")[(t * heads + h) * dim + d];
                y[((batch * heads + h) * steps + position as usize) * dim + d] = new;
            }
        }
    }
    vec![Expected::float("y", y)]
}

fn case(name: &str, cache: DType, new: DType, [heads, steps, dim]: [u32; 3], at: &[i128]) -> Case {
    let tokens = at.len() as u32;
    Case::new(name, cache)
        .input("cache", &[heads, steps, dim], Pattern::normal(1))
        .input_as("new", new, &[tokens, heads, dim], Pattern::normal(2))
        .input_as("positions", DType::U32, &[tokens], Pattern::CycleInt(at.to_vec()))
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for &from in REALS {
            all.push(case(&format!("from {from}"), dtype, from, [3, 9, 20], &[8, 0, 5]));
        }
        let elems = crate::pattern::specials(dtype).len() as u32;
        let specials = case("specials", dtype, dtype, [1, 3, elems], &[1]);
        all.push(specials.input("new", &[1, 1, elems], Pattern::specials()));
    }
    let f32 = DType::F32;
    all.push(case("one", f32, f32, [1, 1, 1], &[0]));
    all.push(case("the last wins", f32, f32, [2, 4, 67], &[3, 1, 3, 3, 1]));
    let view = TensorDesc::strided(f32, &[2, 3, 5], &[5, 10, 1], 4);
    all.push(case("view", f32, f32, [3, 4, 5], &[2, 0]).view("new", view, Pattern::normal(3)));
    let batch = Case::new("batch", f32).input("cache", &[2, 3, 4, 5], Pattern::normal(4)).input(
        "new",
        &[2, 2, 3, 5],
        Pattern::normal(5),
    );
    let at = Pattern::CycleInt(vec![3, 0, 2, 2]);
    all.push(batch.input_as("positions", DType::U32, &[2, 2], at));
    all.push(case("no heads", f32, f32, [0, 4, 5], &[2]).empty());
    let none = case("no tokens", f32, f32, [2, 4, 5], &[0]);
    let none = none.input("new", &[0, 2, 5], Pattern::normal(1));
    all.push(none.input_as("positions", DType::U32, &[0], Pattern::Constant(0.0)));
    all
}
