//! Several operations in one pass over the elements, in f32.
//!
//! Tensors have one shape; a `scale` or `gate` of one element serves all.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};

const fn entry(
    name: &'static str,
    summary: &'static str,
    inputs: &'static [InputSpec],
    outputs: &'static [OutputSpec],
    plan: fn(&Call<'_>) -> Result<Plan, PlanError>,
    reference: fn(&Known<'_>) -> Vec<Expected>,
) -> Entry {
    let signature = Signature { inputs, outputs, settings: &[], words: &[] };
    Entry { name, family: "fused", summary, signature, plan, reference, cases, bench: no_bench }
}

const Y: OutputSpec = OutputSpec::new("y", "shape and dtype of the first tensor");

/// The operations.
pub const ENTRIES: &[Entry] = &[
    entry(
        "sigmoid_mul",
        "y = a sigmoid(b)",
        &[InputSpec::new("a", REALS, "any shape"), InputSpec::like("b", "a", "shape of a")],
        &[Y.over(&["a", "b"])],
        |call| {
            elementwise(
                call,
                &["a", "b"],
                &[],
                |call| with_real!(call, call.dtype("a"), T => sigmoid_mul::<T>()),
            )
        },
        |known| terms(known, &["a", "b"], |x| vec![x[0] / (1.0 + libm::exp(-x[1]))]),
    ),
    entry(
        "scaled_add",
        "y = base + scale * v",
        &[
            InputSpec::new("base", REALS, "any shape"),
            InputSpec::like("v", "base", "shape of base"),
            InputSpec::new("scale", &[DType::F32], "[1]"),
        ],
        &[Y.over(&["base", "v"])],
        |call| {
            elementwise(
                call,
                &["base", "v"],
                &["scale"],
                |call| with_real!(call, call.dtype("base"), T => scaled_add::<T>()),
            )
        },
        |known| terms(known, &["base", "v", "scale"], |x| vec![x[0], x[2] * x[1]]),
    ),
    entry(
        "gated_add",
        "y = base + sigmoid(gate) * v",
        &[
            InputSpec::new("base", REALS, "any shape"),
            InputSpec::like("v", "base", "shape of base"),
            InputSpec::new("gate", &[DType::F32], "[1]"),
        ],
        &[Y.over(&["base", "v"])],
        |call| {
            elementwise(
                call,
                &["base", "v"],
                &["gate"],
                |call| with_real!(call, call.dtype("base"), T => gated_add::<T>()),
            )
        },
        |known| {
            terms(known, &["base", "v", "gate"], |x| vec![x[0], x[1] / (1.0 + libm::exp(-x[2]))])
        },
    ),
    entry(
        "gated_add_residual",
        "y = residual + base + sigmoid(gate) * v",
        &[
            InputSpec::new("residual", REALS, "any shape"),
            InputSpec::like("base", "residual", "shape of residual"),
            InputSpec::like("v", "residual", "shape of residual"),
            InputSpec::new("gate", &[DType::F32], "[1]"),
        ],
        &[Y.over(&["residual", "base", "v"])],
        |call| {
            elementwise(
                call,
                &["residual", "base", "v"],
                &["gate"],
                |call| with_real!(call, call.dtype("residual"), T => gated_add_residual::<T>()),
            )
        },
        |known| {
            terms(known, &["residual", "base", "v", "gate"], |x| {
                vec![x[0], x[1], x[2] / (1.0 + libm::exp(-x[3]))]
            })
        },
    ),
    entry(
        "scaled_sum_8",
        "y[i] = sum over k < 8 of scales[k] v[k, i], k ascending",
        &[InputSpec::new("v", REALS, "[8, ...]"), InputSpec::new("scales", &[DType::F32], "[8]")],
        &[OutputSpec::new("y", "[...], like v")],
        plan_sum,
        reference_sum,
    ),
    entry(
        "add_and_mul",
        "sum = a + b, product = a b",
        &[InputSpec::new("a", REALS, "any shape"), InputSpec::like("b", "a", "shape of a")],
        &[
            OutputSpec::new("sum", "like a").over(&["a", "b"]),
            OutputSpec::new("product", "like a").over(&["a", "b"]),
        ],
        plan_pair,
        reference_pair,
    ),
];

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn sigmoid_mul<T: Real>(
    #[len(n)] a: &In<T>,
    #[len(n)] b: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
) {
    each(per(&[T::DTYPE]), n, |i| {
        y[i] = (a[i] as f32 * sigmoid(b[i] as f32)) as T;
    });
}

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn scaled_add<T: Real>(
    #[len(n)] base: &In<T>,
    #[len(n)] v: &In<T>,
    #[len(1)] scale: &In<f32>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
) {
    each(per(&[T::DTYPE]), n, |i| {
        y[i] = fma(scale[0], v[i] as f32, base[i] as f32) as T;
    });
}

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn gated_add<T: Real>(
    #[len(n)] base: &In<T>,
    #[len(n)] v: &In<T>,
    #[len(1)] gate: &In<f32>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
) {
    each(per(&[T::DTYPE]), n, |i| {
        y[i] = fma(sigmoid(gate[0]), v[i] as f32, base[i] as f32) as T;
    });
}

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn gated_add_residual<T: Real>(
    #[len(n)] residual: &In<T>,
    #[len(n)] base: &In<T>,
    #[len(n)] v: &In<T>,
    #[len(1)] gate: &In<f32>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
) {
    each(per(&[T::DTYPE]), n, |i| {
        let mixed = fma(sigmoid(gate[0]), v[i] as f32, base[i] as f32);
        y[i] = (residual[i] as f32 + mixed) as T;
    });
}

/// Definition.
#[kernel(group = 256, grid = n.div_ceil(256))]
pub fn scaled_sum_8<T: Real>(
    #[len(n * 8)] v: &In<T>,
    #[len(8)] scales: &In<f32>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
) {
    let i = global_id();
    if i < n {
        let mut sum = -0.0f32;
        for k in 0..8u32 {
            sum = fma(scales[k], v[i as u64 + n as u64 * k as u64] as f32, sum);
        }
        y[i] = sum as T;
    }
}

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn add_and_mul<T: Real>(
    #[len(n)] a: &In<T>,
    #[len(n)] b: &In<T>,
    #[len(n)] sum: &mut Out<T>,
    #[len(n)] product: &mut Out<T>,
    n: u32,
) {
    each(per(&[T::DTYPE]), n, |i| {
        let (a, b) = (a[i] as f32, b[i] as f32);
        sum[i] = (a + b) as T;
        product[i] = (a * b) as T;
    });
}

/// The plan of one launch whose tensors have one shape; `ones` have one element.
fn elementwise(
    call: &Call<'_>,
    tensors: &[&'static str],
    ones: &[&'static str],
    stage: impl Fn(&Call<'_>) -> Result<Kernel, PlanError>,
) -> Result<Plan, PlanError> {
    let shape = call.dims(tensors[0]);
    for name in tensors {
        call.expect_shape(name, shape)?;
    }
    for name in ones {
        call.expect_shape(name, &[1])?;
    }
    let n = call.elems(tensors[0])?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype(tensors[0]), shape);
    let inputs = tensors.iter().chain(ones).map(|name| call.buffer(name));
    plan.step(stage(call)?, inputs.chain([y.buffer(), n.into()]));
    Ok(plan)
}

/// Each element as a sum of terms of the inputs' elements.
fn terms(known: &Known<'_>, names: &[&str], f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Expected> {
    let inputs: Vec<_> = names.iter().map(|name| known.float(name)).collect();
    let n = inputs[0].len();
    let at = |i: usize| -> Vec<f64> {
        inputs.iter().map(|x| if x.len() == n { x[i] } else { x[0] }).collect()
    };
    let all: Vec<_> = (0..n).map(|i| f(&at(i))).collect();
    let sum = all.iter().map(|terms| terms.iter().sum()).collect();
    let magnitude = all.iter().map(|terms| terms.iter().map(|t| t.abs()).sum()).collect();
    vec![Expected::sum("y", sum, magnitude)]
}

fn plan_sum(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (&first, inner) = (call.dims("v").split_first())
        .ok_or_else(|| call.wrong("the rank of `v`", "at least 1", "0"))?;
    call.expect(first == 8, "the first extent of `v`", "8", first)?;
    call.expect_shape("scales", &[8])?;
    call.elems("v")?;
    let n = call.product("v", inner)?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("v"), inner);
    let kernel = with_real!(call, call.dtype("v"), T => scaled_sum_8::<T>())?;
    plan.step(kernel, [call.buffer("v"), call.buffer("scales"), y.buffer(), n.into()]);
    Ok(plan)
}

fn reference_sum(known: &Known<'_>) -> Vec<Expected> {
    let (v, scales) = (known.float("v"), known.float("scales"));
    let n = v.len() / 8;
    let term = |i: usize, k: usize| scales[k] * v[k * n + i];
    let sum = (0..n).map(|i| (0..8).map(|k| term(i, k)).sum()).collect();
    let magnitude = (0..n).map(|i| (0..8).map(|k| term(i, k).abs()).sum()).collect();
    vec![Expected::sum("y", sum, magnitude)]
}

fn plan_pair(call: &Call<'_>) -> Result<Plan, PlanError> {
    call.expect_shape("b", call.dims("a"))?;
    let n = call.elems("a")?;
    let mut plan = Plan::new();
    let sum = plan.output("sum", call.dtype("a"), call.dims("a"));
    let product = plan.output("product", call.dtype("a"), call.dims("a"));
    let kernel = with_real!(call, call.dtype("a"), T => add_and_mul::<T>())?;
    plan.step(
        kernel,
        [call.buffer("a"), call.buffer("b"), sum.buffer(), product.buffer(), n.into()],
    );
    Ok(plan)
}

fn reference_pair(known: &Known<'_>) -> Vec<Expected> {
    let pairs = || known.float("a").iter().zip(known.float("b"));
    vec![
        Expected::float("sum", pairs().map(|(a, b)| a + b).collect()),
        Expected::float("product", pairs().map(|(a, b)| a * b).collect()),
    ]
}

/// A case in which every tensor holds `n` elements of a pattern, in a row or in every other place of one.
fn case(entry: &Entry, name: &str, dtype: DType, n: u32, holds: impl Fn(u64) -> Pattern) -> Case {
    let mut case = Case::new(name, dtype);
    for (seed, spec) in entry.signature.inputs.iter().enumerate() {
        let pattern = holds(seed as u64 + 1);
        let shape: &[u32] = if entry.name == "scaled_sum_8" { &[8, n] } else { &[n] };
        case = match spec.name {
            "scale" | "gate" => case.input_as(spec.name, DType::F32, &[1], Pattern::Constant(0.7)),
            "scales" => case.input_as(spec.name, DType::F32, &[8], Pattern::ramp(-1.5, 0.4)),
            _ if name == "view" => {
                let strides: &[u64] = if shape.len() == 2 { &[1, 9] } else { &[2] };
                case.view(spec.name, TensorDesc::strided(dtype, shape, strides, 1), pattern)
            }
            _ => case.input(spec.name, shape, pattern),
        };
    }
    // A sigmoid is off by two units, a sum of eight rounds eight times.
    case.bound(if entry.name == "add_and_mul" { Exact } else { Bound::sum(8.0) })
}

fn cases(entry: &Entry) -> Vec<Case> {
    let normal = |seed| Pattern::Normal { seed, mean: 0.3, sd: 2.0 };
    let mut all = Vec::new();
    for &dtype in REALS {
        for (name, n) in [("one", 1), ("ragged", 1_001), ("group", 512)] {
            all.push(case(entry, name, dtype, n, normal));
        }
    }
    all.push(case(entry, "empty", DType::F32, 0, normal).empty());
    all.push(case(entry, "view", DType::F32, 20, normal));
    // What is no number reaches its own element.
    let special = |seed| normal(seed).with(&[(3, f64::NAN), (7, f64::INFINITY)]);
    all.push(case(entry, "nan and inf", DType::F32, 20, special));
    all
}
