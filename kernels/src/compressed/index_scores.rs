//! Which tokens attention should look at: `y[t, s] = sum over h of weights[t, h] max(q[t, h] . k[s], 0)`.
//!
//! `q` is [tokens, heads, dim], `k` is [keys, dim], `weights` is [tokens, heads] in f32, `y` is [tokens, keys] in f32. Products
//! are summed along dim by fma from 0, then heads ascending. The keys themselves are chosen by `top_k`.

use crate::prelude::*;

/// Keys of a group, one a thread.
const KEYS: u32 = 64;

/// The operation.
pub const ENTRY: Entry = Entry::new("index_scores", "compressed", plan, reference, cases)
    .summary("y[t,s] = sum_h weights[t,h] max(q[t,h] . k[s], 0)")
    .inputs(&[
        InputSpec::new("q", REALS, "[tokens, heads, dim]"),
        InputSpec::like("k", "q", "[keys, dim]"),
        InputSpec::new("weights", &[DType::F32], "[tokens, heads]"),
    ])
    .outputs(&[OutputSpec::new("y", "[tokens, keys], f32")]);

/// Definition.
#[kernel(group = KEYS, grid = (keys.div_ceil(KEYS), tokens))]
pub fn index_scores<T: Real>(
    #[len(tokens * heads * dim)] q: &In<T>,
    #[len(keys * dim)] k: &In<T>,
    #[len(tokens * heads)] weights: &In<f32>,
    #[len(tokens * keys)] y: &mut Out<f32>,
    tokens: u32,
    heads: u32,
    keys: u32,
    dim: u32,
) {
    let s = global_id();
    if s < keys {
        let token = group_id_y() as u64;
        let mut score = 0.0f32;
        for h in 0..heads {
            let head = token * heads as u64 + h as u64;
            let mut dot = 0.0f32;
            for d in 0..dim {
                let of_query = q[head * dim as u64 + d as u64] as f32;
                dot = fma(of_query, k[s as u64 * dim as u64 + d as u64] as f32, dot);
            }
            score = fma(weights[head], max(dot, 0.0), score);
        }
        y[token * keys as u64 + s as u64] = score;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [tokens, heads, dim] = call.shape("q")?;
    let [keys, _] = call.shape("k")?;
    call.expect_shape("k", &[keys, dim])?;
    call.expect_shape("weights", &[tokens, heads])?;
    call.product("y", &[tokens, keys])?;
    let mut plan = Plan::new();
    let y = plan.output("y", DType::F32, &[tokens, keys]);
    let kernel = with_real!(call, call.dtype("q"), T => index_scores::<T>())?;
    let tensors = ["q", "k", "weights"].map(|name| call.buffer(name)).into_iter();
    let sizes = [tokens, heads, keys, dim].map(Arg::from);
    plan.step(kernel, tensors.chain([y.buffer()]).chain(sizes));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (q, k, weights) = (known.float("q"), known.float("k"), known.float("weights"));
    let [tokens, heads, dim] = [0, 1, 2].map(|axis| known.extent("q", axis));
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for (t, s) in (0..tokens).flat_map(|t| (0..known.extent("k", 0)).map(move |s| (t, s))) {
        let (mut sum, mut terms) = (0.0, 0.0);
        for h in t * heads..(t + 1) * heads {
            let pairs = || q[h * dim..][..dim].iter().zip(&k[s * dim..][..dim]);
            let dot: f64 = pairs().map(|(a, b)| a * b).sum();
            sum += weights[h] * if dot > 0.0 || dot.is_nan() { dot } else { 0.0 };
            // A product passes the sum along dim and that over heads.
            let size: f64 = pairs().map(|(a, b)| (a * b).abs()).sum();
            terms += weights[h].abs() * size * (dim + heads) as f64;
        }
        y.push(sum);
        magnitude.push(terms);
    }
    vec![Expected::sum("y", y, magnitude)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let case = |name: &str, dtype, [tokens, heads, keys, dim]: [u32; 4], p: fn(u64) -> Pattern| {
        Case::new(name, dtype)
            .input("q", &[tokens, heads, dim], p(1))
            .input("k", &[keys, dim], p(2))
            .input_as("weights", DType::F32, &[tokens, heads], p(3))
            .bound(Bound::sum(1.0))
    };
    let exact: fn(u64) -> Pattern = |_| Pattern::Positions;
    let mut all = Vec::new();
    for &dtype in REALS {
        all.push(case("normal", dtype, [3, 5, 70, 33], Pattern::normal));
        // Small whole numbers: every sum is exact.
        all.push(case("exact", dtype, [2, 4, 65, 16], exact).bound(Ulp(0.0)));
    }
    let f32 = DType::F32;
    all.push(case("one", f32, [1, 1, 1, 1], exact));
    all.push(case("128", f32, [2, 16, 40, 128], Pattern::normal));
    let nan = Pattern::Positions.with(&[(9, f64::NAN), (35, f64::INFINITY)]);
    all.push(case("nan and inf", f32, [1, 2, 9, 8], exact).input("k", &[9, 8], nan));
    let turned = TensorDesc::strided(f32, &[7, 6], &[1, 9], 2);
    all.push(case("views", f32, [1, 2, 7, 6], exact).view("k", turned, Pattern::Positions));
    all.push(case("no heads", f32, [2, 0, 3, 8], exact));
    all.push(case("no keys", f32, [2, 3, 0, 8], exact).empty());
    all
}
