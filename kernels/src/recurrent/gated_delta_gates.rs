//! What the gated delta rule takes of its projections: `gate = exp(-exp(a_log[h]) softplus(a + dt_bias[h]))` and
//! `beta = sigmoid(b)`.
//!
//! `a` and `b` are [..., heads], one dtype; `a_log` and `dt_bias` are [heads] in f32; so are `gate` and `beta`, [..., heads].

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("gated_delta_gates", "recurrent", plan, reference, cases)
    .summary("gate = exp(-exp(a_log) softplus(a + dt_bias)); beta = sigmoid(b)")
    .inputs(&[
        InputSpec::new("a", REALS, "[..., heads]"),
        InputSpec::like("b", "a", "shape of a"),
        InputSpec::new("a_log", &[DType::F32], "[heads]"),
        InputSpec::new("dt_bias", &[DType::F32], "[heads]"),
    ])
    .outputs(&[
        OutputSpec::new("gate", "shape of a, f32"),
        OutputSpec::new("beta", "shape of a, f32"),
    ]);

/// Definition.
#[kernel(group = 256, grid = n.div_ceil(256))]
pub fn gated_delta_gates<T: Real>(
    #[len(n)] a: &In<T>,
    #[len(n)] b: &In<T>,
    #[len(heads)] a_log: &In<f32>,
    #[len(heads)] dt_bias: &In<f32>,
    #[len(n)] gate: &mut Out<f32>,
    #[len(n)] beta: &mut Out<f32>,
    n: u32,
    heads: u32,
) {
    let i = global_id();
    if i < n {
        let h = i % heads;
        gate[i] = exp(-exp(a_log[h]) * softplus(a[i] as f32 + dt_bias[h]));
        beta[i] = sigmoid(b[i] as f32);
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (_, heads) = call.rows("a")?;
    call.expect_shape("b", call.dims("a"))?;
    call.expect_shape("a_log", &[heads])?;
    call.expect_shape("dt_bias", &[heads])?;
    let n = call.elems("a")?;
    let mut plan = Plan::new();
    let outputs = ["gate", "beta"].map(|name| plan.output(name, DType::F32, call.dims("a")));
    let kernel = with_real!(call, call.dtype("a"), T => gated_delta_gates::<T>())?;
    let inputs = ["a", "b", "a_log", "dt_bias"].map(|name| call.buffer(name));
    let outputs = outputs.iter().map(TensorRef::buffer);
    plan.step(kernel, inputs.into_iter().chain(outputs).chain([n, heads].map(Arg::from)));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let heads = known.extents("a_log")[0];
    let (mut gate, mut errors) = (Vec::new(), Vec::new());
    for (i, a) in known.float("a").iter().enumerate() {
        let z = a + known.float("dt_bias")[i % heads];
        let soft = if z > 0.0 { z + libm::log1p(libm::exp(-z)) } else { libm::log1p(libm::exp(z)) };
        let exponent = libm::exp(known.float("a_log")[i % heads]) * soft;
        gate.push(libm::exp(-exponent));
        // Far below 0 the softplus of a rounded sum is off by the sum's own size. A function is off by up to 3.4 roundings.
        let off = if exponent == 0.0 { 0.0 } else { exponent * (6.2 + z.abs()) };
        errors.push(libm::exp(-exponent) * (2.0 + off));
    }
    let beta = known.float("b").iter().map(|b| 1.0 / (1.0 + libm::exp(-b))).collect();
    vec![Expected::sum("gate", gate, errors), Expected::float("beta", beta)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let f32 = DType::F32;
    let case = |name: &str, dtype, shape: &[u32], a: Pattern, b: Pattern| {
        let heads = [shape[shape.len() - 1]];
        Case::new(name, dtype)
            .input("a", shape, a)
            .input("b", shape, b)
            .input_as("a_log", f32, &heads, Pattern::uniform(3, -3.0, 2.5))
            .input_as("dt_bias", f32, &heads, Pattern::uniform(4, -6.0, 1.0))
            .bound_for("gate", Bound::sum(1.0))
            .bound_for("beta", Ulp(1.7))
    };
    let normal = |seed| Pattern::Normal { seed, mean: 0.0, sd: 4.0 };
    for &dtype in REALS {
        all.push(case("ragged", dtype, &[2, 9, 33], normal(1), normal(2)));
        let edges = Pattern::Cycle(vec![0.0, -0.0, f64::NEG_INFINITY, f64::NAN, -50.0, 60.0, 1e-6]);
        all.push(case("edges", dtype, &[7, 1], edges.clone(), edges));
    }
    all.push(case("one", f32, &[1], normal(5), normal(6)));
    all.push(case("empty", f32, &[0, 4], normal(1), normal(2)).empty());
    all
}
