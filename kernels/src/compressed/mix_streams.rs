//! Residual streams mixed: `y[t, i, d] = sum over j of mix[t, i, j] x[t, j, d] (+ post[t, i] branch[t, d])`.
//!
//! `x` is [tokens, streams, dim], `mix` is [tokens, outs, streams] in f32, `post` is [tokens, outs] in f32, `branch` is
//! [tokens, dim], `y` is [tokens, outs, dim]. One out collapses the streams to what a branch reads; as many outs as streams, with
//! `post` and `branch`, bring its result back. In f32: streams ascending by fma from -0.0, the branch last.

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("mix_streams", "compressed", plan, reference, cases)
    .summary("y[t,i,d] = sum_j mix[t,i,j] x[t,j,d] (+ post[t,i] branch[t,d])")
    .inputs(&[
        InputSpec::new("x", REALS, "[tokens, streams, dim]"),
        InputSpec::new("mix", &[DType::F32], "[tokens, outs, streams]"),
        InputSpec::new("post", &[DType::F32], "[tokens, outs], with branch").optional(),
        InputSpec::like("branch", "x", "[tokens, dim], with post").optional(),
    ])
    .outputs(&[OutputSpec::new("y", "[tokens, outs, dim], dtype of x")]);

/// Definition: a thread an element of all outs.
#[kernel(group = 128, grid = (dim.div_ceil(128), tokens))]
pub fn mix_streams<T: Real>(
    #[len(tokens * streams * dim)] x: &In<T>,
    #[len(tokens * outs * streams)] mix: &In<f32>,
    #[len(tokens * outs * u32::from(branched))] post: &In<f32>,
    #[len(tokens * dim * u32::from(branched))] branch: &In<T>,
    #[len(tokens * outs * dim)] y: &mut Out<T>,
    tokens: u32,
    outs: u32,
    streams: u32,
    dim: u32,
    #[comptime] branched: bool,
) {
    let d = global_id();
    if d < dim {
        let token = group_id_y() as u64;
        for i in 0..outs {
            let out = token * outs as u64 + i as u64;
            let mut sum = -0.0f32;
            for j in 0..streams {
                let v = x[(token * streams as u64 + j as u64) * dim as u64 + d as u64] as f32;
                sum = fma(mix[out * streams as u64 + j as u64], v, sum);
            }
            if branched {
                sum = fma(post[out], branch[token * dim as u64 + d as u64] as f32, sum);
            }
            y[out * dim as u64 + d as u64] = sum as T;
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let ([tokens, streams, dim], [_, outs, _]) = (call.shape("x")?, call.shape("mix")?);
    call.expect_shape("mix", &[tokens, outs, streams])?;
    let branched = call.has("branch");
    call.require(call.has("post") == branched, || {
        let [post, branch] =
            ["post", "branch"].map(|n| if call.has(n) { "given" } else { "left out" });
        ("`post`".into(), format!("{branch} as `branch` is"), post.into())
    })?;
    if branched {
        call.expect_shape("post", &[tokens, outs])?;
        call.expect_shape("branch", &[tokens, dim])?;
    }
    call.elems("x")?;
    call.product("y", &[tokens, outs, dim])?;
    let mut plan = Plan::new();
    let dtype = call.dtype("x");
    let [post, branch] =
        [("post", DType::F32), ("branch", dtype)].map(|(name, dtype)| match branched {
            true => call.buffer(name),
            false => plan.temp(dtype, &[0]).buffer(),
        });
    let y = plan.output("y", dtype, &[tokens, outs, dim]);
    let kernel = with_real!(call, dtype, T => mix_streams::<T>(branched))?;
    let tensors = [call.buffer("x"), call.buffer("mix"), post, branch, y.buffer()];
    plan.step(kernel, tensors.into_iter().chain([tokens, outs, streams, dim].map(Arg::from)));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, mix) = (known.float("x"), known.float("mix"));
    let [tokens, streams, dim] = [0, 1, 2].map(|axis| known.extent("x", axis));
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for out in 0..tokens * known.extent("mix", 1) {
        let t = out / known.extent("mix", 1);
        for d in 0..dim {
            let mut terms: Vec<f64> = (0..streams)
                .map(|j| mix[out * streams + j] * x[(t * streams + j) * dim + d])
                .collect();
            if known.has("branch") {
                terms.push(known.float("post")[out] * known.float("branch")[t * dim + d]);
            }
            y.push(terms.iter().fold(-0.0, |a, b| a + b));
            magnitude.push(terms.iter().map(|x| x.abs()).sum());
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let case = |name: &str,
                dtype,
                [tokens, outs, streams, dim]: [u32; 4],
                p: fn(u64) -> Pattern| {
        Case::new(name, dtype)
            .input("x", &[tokens, streams, dim], p(1))
            .input_as("mix", DType::F32, &[tokens, outs, streams], p(2))
            .bound(Bound::Sum { ulps: 0.51, eps_of: DType::F32, factor: f64::from(streams + 1) })
    };
    let branched = |case: Case, [tokens, outs, _, dim]: [u32; 4], p: fn(u64) -> Pattern| {
        case.input_as("post", DType::F32, &[tokens, outs], p(3)).input(
            "branch",
            &[tokens, dim],
            p(4),
        )
    };
    let exact: fn(u64) -> Pattern = |_| Pattern::Positions;
    let mut all = Vec::new();
    for &dtype in REALS {
        all.push(case("collapse", dtype, [3, 1, 4, 130], Pattern::normal));
        let sizes = [2, 4, 4, 65];
        all.push(branched(case("expand", dtype, sizes, Pattern::normal), sizes, Pattern::normal));
        // Small whole numbers: every sum is exact.
        all.push(branched(case("exact", dtype, sizes, exact), sizes, exact).bound(Exact));
    }
    let f32 = DType::F32;
    all.push(case("one", f32, [1, 1, 1, 1], exact));
    let nan = Pattern::Positions.with(&[(4, f64::NAN), (17, f64::INFINITY)]);
    all.push(case("nan and inf", f32, [2, 3, 2, 5], exact).input("x", &[2, 2, 5], nan));
    let turned = TensorDesc::strided(f32, &[2, 3, 5], &[1, 2, 7], 3);
    all.push(case("views", f32, [2, 2, 3, 5], exact).view("x", turned, Pattern::Positions));
    // The sum of nothing is -0.0.
    all.push(case("no streams", f32, [2, 3, 0, 4], exact).bound(Exact));
    all.push(case("empty", f32, [2, 3, 4, 0], exact).empty());
    all
}
