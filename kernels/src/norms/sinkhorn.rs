//! Sinkhorn's iteration (Sinkhorn and Knopp, 1967) on small square matrices: `y = exp(x)` with its rows and columns
//! divided by their sums in turn, which then all come near 1.
//!
//! `x` and `y` are [..., n, n], n up to 32, one dtype, computed in f32. A row's greatest element is subtracted first; a
//! sum is `eps` greater than its terms. An element of -inf stays 0.

use crate::{pieces::exp_sum::top_of, prelude::*};

/// The operation.
pub const ENTRY: Entry = Entry::new("sinkhorn", "norms", plan, reference, cases)
    .summary(
        "y = exp(x); iterations times: y[i, j] /= sum over j + eps; y[i, j] /= sum over i + eps",
    )
    .inputs(&[InputSpec::new("x", REALS, "[..., n, n], n 1 to 32")])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])])
    .settings(&[
        SettingSpec::int("iterations", 20, "how often rows, then columns are divided"),
        SettingSpec::float("eps", 1e-6, "added to each sum, above 0"),
    ]);

/// Matrices of a group, one a subgroup.
const MATRICES: u32 = 4;

/// Definition: lane j has column j.
#[kernel(group = MATRICES * 32, grid = matrices.div_ceil(MATRICES))]
pub fn sinkhorn<T: Real>(
    #[len(matrices * n * n)] x: &In<T>,
    #[len(matrices * n * n)] y: &mut Out<T>,
    matrices: u32,
    iterations: u32,
    eps: f32,
    #[comptime] n: u32,
) {
    let matrix = group_id() * MATRICES + subgroup_id();
    if matrix < matrices {
        let base = matrix as u64 * (n * n) as u64 + lane() as u64;
        let column = private::<f32>(n);
        for i in 0..n {
            let mut logit = f32::NEG_INFINITY;
            if lane() < n {
                logit = x[base + (i * n) as u64] as f32;
            }
            column[i] = exp(logit - top_of(subgroup_max(logit)));
        }
        for _ in val(0)..iterations {
            let mut sum = 0.0f32;
            for i in 0..n {
                column[i] = column[i] / (subgroup_sum(column[i]) + eps);
                sum += column[i];
            }
            for i in 0..n {
                column[i] = column[i] / (sum + eps);
            }
        }
        if lane() < n {
            for i in 0..n {
                y[base + (i * n) as u64] = column[i] as T;
            }
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let dims = call.dims("x");
    let n = dims.last().copied().unwrap_or(0);
    call.require(dims.ends_with(&[n, n]) && (1..=32).contains(&n), || {
        ("the last two extents of `x`".into(), "equal, 1 to 32".into(), format!("{dims:?}"))
    })?;
    let iterations = call.int_in("iterations", 0..=10_000)?;
    let eps = call.float("eps");
    call.expect(eps > 0.0, "`eps`", "above 0", eps)?;
    let matrices = call.elems("x")? / (n * n);
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), dims);
    let kernel = with_real!(call, call.dtype("x"), T => sinkhorn::<T>(n))?;
    let scalars = [matrices.into(), iterations.into(), Arg::float(DType::F32, eps)];
    plan.step(kernel, [call.buffer("x"), y.buffer()].into_iter().chain(scalars));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let n = known.extents("x").last().copied().unwrap_or(1);
    let eps = number::round(DType::F32, Call::float(known, "eps"));
    let iterations = Call::int(known, "iterations");
    let (mut y, mut errors) = (Vec::new(), Vec::new());
    for x in known.float("x").chunks(n * n) {
        let tops: Vec<f64> = x
            .chunks(n)
            .map(|row| row.iter().fold(f64::NEG_INFINITY, |a, &b| if a > b { a } else { b }))
            .collect();
        let distance =
            |at: usize| if x[at] == f64::NEG_INFINITY { 0.0 } else { tops[at / n] - x[at] };
        let power =
            |at: usize| if x[at] == f64::NEG_INFINITY { 0.0 } else { libm::exp(-distance(at)) };
        let mut p: Vec<f64> = (0..n * n).map(power).collect();
        for _ in 0..iterations {
            for row in p.chunks_mut(n) {
                let sum = row.iter().sum::<f64>() + eps;
                row.iter_mut().for_each(|p| *p /= sum);
            }
            for j in 0..n {
                let sum = (0..n).map(|i| p[i * n + j]).sum::<f64>() + eps;
                (0..n).for_each(|i| p[i * n + j] /= sum);
            }
        }
        // The distance's own rounding scales with it; an iteration has two sums of up to n terms and two quotients. A
        // factor of a whole row or column changes no ratio within it, so that what was there before does not grow.
        let far = (0..n * n).map(distance).fold(0.0, f64::max);
        let roundings = far + 3.0 + iterations as f64 * 2.0 * (n as f64 + 2.0);
        errors.extend(p.iter().map(|p| p * roundings));
        y.extend(p);
    }
    vec![Expected::sum("y", y, errors)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let normal = |seed| Pattern::Normal { seed, mean: 0.0, sd: 2.0 };
    for &dtype in REALS {
        let case = |name: &str| Case::new(name, dtype).bound(Bound::sum(1.0));
        all.push(case("4x4").input("x", &[9, 4, 4], normal(1)));
        all.push(case("once").input("x", &[2, 3, 7, 7], normal(2)).set("iterations", 1));
    }
    let case = |name: &str| Case::new(name, DType::F32).bound(Bound::sum(1.0));
    all.push(case("one").input("x", &[5, 1, 1], normal(3)));
    all.push(case("never").input("x", &[3, 4, 4], normal(4)).set("iterations", 0));
    all.push(case("all lanes").input("x", &[2, 32, 32], normal(5)).set("iterations", 3));
    all.push(case("large eps").input("x", &[2, 4, 4], normal(6)).set("eps", 0.5));
    let masked = Pattern::normal(7).with(&[(1, f64::NEG_INFINITY), (6, f64::NEG_INFINITY)]);
    all.push(case("some -inf").input("x", &[1, 4, 4], masked));
    // A NaN has its own matrix only.
    let nan = case("NaN").input("x", &[2, 4, 4], Pattern::normal(8).with(&[(5, f64::NAN)]));
    all.push(nan);
    all.push(case("peaked").input("x", &[4, 4, 4], Pattern::Peaked { row_elems: 4, peak: 30.0 }));
    let view = TensorDesc::strided(DType::F32, &[3, 4, 4], &[1, 12, 3], 2);
    all.push(case("view").view("x", view, normal(9)));
    all.push(case("empty").input("x", &[0, 4, 4], normal(1)).empty());
    all
}
