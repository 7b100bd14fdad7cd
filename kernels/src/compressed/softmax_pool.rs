//! Tokens pooled by a softmax of their own gates: `y[r, d] = sum over j of softmax_j(gate[r, :, d] + bias[:, d])[j] x[r, j, d]`.
//!
//! `x` and `gate` are [rows, n, dim], `bias` is [n, dim] in f32, `y` is [rows, dim]. Each element has a softmax of its own, over
//! the n tokens; in f32, tokens ascending. Where no gate is above -inf `y` is 0.

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("softmax_pool", "compressed", plan, reference, cases)
    .summary("y[r,d] = sum_j softmax_j(gate[r,j,d] + bias[j,d]) x[r,j,d]")
    .inputs(&[
        InputSpec::new("x", REALS, "[rows, n, dim]"),
        InputSpec::like("gate", "x", "[rows, n, dim]"),
        InputSpec::new("bias", &[DType::F32], "[n, dim]").optional(),
    ])
    .outputs(&[OutputSpec::new("y", "[rows, dim], dtype of x")]);

/// Definition: a thread an element.
#[kernel(group = 128, grid = (dim.div_ceil(128), rows))]
pub fn softmax_pool<T: Real>(
    #[len(rows * n * dim)] x: &In<T>,
    #[len(rows * n * dim)] gate: &In<T>,
    #[len(n * dim * u32::from(biased))] bias: &In<f32>,
    #[len(rows * dim)] y: &mut Out<T>,
    rows: u32,
    n: u32,
    dim: u32,
    #[comptime] biased: bool,
) {
    let d = global_id();
    if d < dim {
        let first = group_id_y() as u64 * n as u64 * dim as u64 + d as u64;
        let at = |j: Val<u32>| first + j as u64 * dim as u64;
        let score = |j: Val<u32>| {
            let g = gate[at(j)] as f32;
            if biased { g + bias[j as u64 * dim as u64 + d as u64] } else { g }
        };
        let mut top = f32::NEG_INFINITY;
        for j in 0..n {
            top = max(top, score(j));
        }
        let finite = select(top == f32::NEG_INFINITY, 0.0, top);
        let mut sum = 0.0f32;
        let mut mean = 0.0f32;
        for j in 0..n {
            let w = exp(score(j) - finite);
            sum += w;
            mean = fma(w, x[at(j)] as f32, mean);
        }
        let none = top == f32::NEG_INFINITY;
        y[group_id_y() as u64 * dim as u64 + d as u64] = select(none, 0.0, mean / sum) as T;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [rows, n, dim] = call.shape("x")?;
    call.expect_shape("gate", &[rows, n, dim])?;
    call.elems("x")?;
    let mut plan = Plan::new();
    let bias = if call.has("bias") {
        call.expect_shape("bias", &[n, dim])?;
        call.buffer("bias")
    } else {
        plan.temp(DType::F32, &[0]).buffer()
    };
    let y = plan.output("y", call.dtype("x"), &[rows, dim]);
    let biased = call.has("bias");
    let kernel = with_real!(call, call.dtype("x"), T => softmax_pool::<T>(biased))?;
    let tensors = [call.buffer("x"), call.buffer("gate"), bias, y.buffer()];
    plan.step(kernel, tensors.into_iter().chain([rows, n, dim].map(Arg::from)));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, gate) = (known.float("x"), known.float("gate"));
    let [rows, n, dim] = [0, 1, 2].map(|axis| known.extent("x", axis));
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for (r, d) in (0..rows * dim).map(|i| (i / dim, i % dim)) {
        let at = |j: usize| (r * n + j) * dim + d;
        let bias =
            |j: usize| if known.has("bias") { known.float("bias")[j * dim + d] } else { 0.0 };
        let scores: Vec<f64> = (0..n).map(|j| gate[at(j)] + bias(j)).collect();
        let top =
            scores.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a || b.is_nan() { b } else { a });
        let (mut sum, mut mean, mut terms, mut off) = (0.0, 0.0, 0.0, 0.0);
        for (j, &s) in scores.iter().enumerate().filter(|(_, s)| **s != f64::NEG_INFINITY) {
            let w = libm::exp(s - top);
            // A score and its distance are rounded, as the top is; then the exponential, a product, n sums.
            let roundings = 3.0 * s.abs() + 3.0 * top.abs() + n as f64 + 6.0;
            sum += w;
            mean += w * x[at(j)];
            terms += w * x[at(j)].abs() * roundings;
            off += w * roundings;
        }
        let none = top == f64::NEG_INFINITY;
        y.push(if none { 0.0 } else { mean / sum });
        magnitude.push(if none { 0.0 } else { terms / sum + (mean / sum).abs() * off / sum });
    }
    vec![Expected::sum("y", y, magnitude)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let case = |name: &str, dtype, shape: &[u32; 3]| {
        let case = Case::new(name, dtype).input("x", shape, Pattern::normal(1));
        let gate = Pattern::Normal { seed: 2, mean: 0.0, sd: 3.0 };
        case.input("gate", shape, gate).bound(Bound::sum(1.0))
    };
    let biased = |case: Case, [_, n, dim]: [u32; 3]| {
        case.input_as("bias", DType::F32, &[n, dim], Pattern::normal(3))
    };
    let mut all = Vec::new();
    for &dtype in REALS {
        all.push(case("plain", dtype, &[3, 4, 130]));
        all.push(biased(case("biased", dtype, &[2, 8, 65]), [2, 8, 65]));
    }
    let f32 = DType::F32;
    all.push(case("one", f32, &[1, 1, 1]));
    all.push(case("many", f32, &[1, 300, 5]));
    let peak = Pattern::Peaked { row_elems: 12, peak: 60.0 };
    all.push(case("peaked", f32, &[2, 4, 3]).input("gate", &[2, 4, 3], peak));
    // A token that is not there, and an element without any.
    let away = [(0, f64::NEG_INFINITY), (1, f64::NEG_INFINITY), (4, f64::NEG_INFINITY)];
    let away = [&away[..], &[(7, f64::NEG_INFINITY)]].concat();
    all.push(case("masked", f32, &[1, 3, 3]).input(
        "gate",
        &[1, 3, 3],
        Pattern::normal(2).with(&away),
    ));
    let nan = Pattern::normal(1).with(&[(4, f64::NAN), (8, f64::INFINITY)]);
    all.push(case("nan and inf", f32, &[2, 3, 3]).input("x", &[2, 3, 3], nan));
    let nan = Pattern::normal(2).with(&[(4, f64::NAN)]);
    all.push(case("nan gate", f32, &[2, 3, 3]).input("gate", &[2, 3, 3], nan));
    let turned = TensorDesc::strided(f32, &[2, 3, 5], &[1, 2, 7], 3);
    all.push(case("views", f32, &[2, 3, 5]).view("x", turned, Pattern::normal(1)));
    all.push(case("no tokens", f32, &[2, 0, 3]));
    all.push(case("empty", f32, &[0, 4, 3]).empty());
    all
}
