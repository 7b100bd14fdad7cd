//! Activations with parameters, element by element, computed in f32 and rounded once.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};

const X: &[InputSpec] = &[InputSpec::new("x", REALS, "any shape")];
const Y: &[OutputSpec] = &[OutputSpec::new("y", "shape and dtype of x").over(&["x"])];

/// The operations.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "leaky_relu",
        family: "gates",
        summary: "y = x where x > 0, else slope x",
        signature: Signature {
            inputs: X,
            outputs: Y,
            settings: &[SettingSpec::float("slope", 0.01, "factor below 0")],
            words: &[],
        },
        plan: |call| {
            plain(
                call,
                &["slope"],
                |call| with_real!(call, call.dtype("x"), T => leaky_relu::<T>()),
            )
        },
        reference: |known| {
            let slope = setting(known, "slope");
            every(known, |x| if x > 0.0 { x } else { slope * x })
        },
        cases: |_| cases(|case| case.set("slope", 0.2), Exact),
        bench: no_bench,
    },
    Entry {
        name: "clamp",
        family: "gates",
        summary: "y = min(max(x, low), high)",
        signature: Signature {
            inputs: X,
            outputs: Y,
            settings: &[
                SettingSpec::required_float("low", "the least result"),
                SettingSpec::required_float("high", "the greatest result"),
            ],
            words: &[],
        },
        plan: |call| {
            plain(
                call,
                &["low", "high"],
                |call| with_real!(call, call.dtype("x"), T => clamp::<T>()),
            )
        },
        reference: |known| {
            let (low, high) = (setting(known, "low"), setting(known, "high"));
            every(known, |x| {
                if x.is_nan() {
                    x
                } else if x < low {
                    low
                } else if x > high {
                    high
                } else {
                    x
                }
            })
        },
        cases: |_| cases(|case| case.set("low", -1.5).set("high", 2.25), Exact),
        bench: no_bench,
    },
    Entry {
        name: "snake",
        family: "gates",
        summary: "y[c, i] = x + sin(alpha[c] x)^2 / (alpha[c] + 1e-9)",
        signature: Signature {
            inputs: &[
                InputSpec::new("x", REALS, "[channels, length]"),
                InputSpec::new("alpha", &[DType::F32], "[channels]"),
            ],
            outputs: Y,
            settings: &[],
            words: &[],
        },
        plan: plan_snake,
        reference: reference_snake,
        cases: cases_snake,
        bench: no_bench,
    },
];

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn leaky_relu<T: Real>(#[len(n)] x: &In<T>, #[len(n)] y: &mut Out<T>, n: u32, slope: f32) {
    each(per(&[T::DTYPE]), n, |i| {
        let x = x[i] as f32;
        y[i] = select(x > 0.0, x, slope * x) as T;
    });
}

/// Definition. NaN stays.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn clamp<T: Real>(#[len(n)] x: &In<T>, #[len(n)] y: &mut Out<T>, n: u32, low: f32, high: f32) {
    each(per(&[T::DTYPE]), n, |i| {
        y[i] = min(max(x[i] as f32, low), high) as T;
    });
}

/// Definition.
#[kernel(group = 128, grid = (length.div_ceil(128), channels))]
pub fn snake<T: Real>(
    #[len(channels * length)] x: &In<T>,
    #[len(channels)] alpha: &In<f32>,
    #[len(channels * length)] y: &mut Out<T>,
    channels: u32,
    length: u32,
) {
    let i = global_id();
    if i < length {
        let at = group_id_y() as u64 * length as u64 + i as u64;
        let a = alpha[group_id_y()];
        let s = sin(a * (x[at] as f32));
        y[at] = (x[at] as f32 + recip(a + 1e-9) * (s * s)) as T;
    }
}

fn plain(
    call: &Call<'_>,
    settings: &[&str],
    stage: impl Fn(&Call<'_>) -> Result<Kernel, PlanError>,
) -> Result<Plan, PlanError> {
    let n = call.elems("x")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let settings = settings.iter().map(|name| Arg::float(DType::F32, call.float(name)));
    plan.step(stage(call)?, [call.buffer("x"), y.buffer(), n.into()].into_iter().chain(settings));
    Ok(plan)
}

fn setting(known: &Known<'_>, name: &str) -> f64 {
    let call: &Call<'_> = known;
    number::round(DType::F32, call.float(name))
}

fn every(known: &Known<'_>, f: impl Fn(f64) -> f64) -> Vec<Expected> {
    vec![Expected::float("y", known.float("x").iter().map(|&x| f(x)).collect())]
}

fn cases(with: impl Fn(Case) -> Case, bound: Bound) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        // The product is rounded in f32 and again to 16 bits.
        let bound = if dtype == DType::F32 { bound } else { Ulp(0.501) };
        let case = |name: &str| with(Case::new(name, dtype)).bound(bound);
        let special = crate::pattern::specials(dtype).len() as u32;
        all.push(case("one").input("x", &[1], Pattern::Constant(-3.0)));
        all.push(case("ragged").input(
            "x",
            &[7, 143],
            Pattern::Normal { seed: 1, mean: 0.0, sd: 2.0 },
        ));
        all.push(case("specials").input("x", &[special], Pattern::specials()));
        if dtype != DType::F32 {
            // A product in f32 and its narrowing are two roundings; a device that fuses them gives other bits.
            all.push(case("all-codes").input("x", &[1 << 16], Pattern::Codes));
        }
    }
    all.push(with(Case::new("empty", DType::F32)).input("x", &[0], Pattern::normal(1)).empty());
    all
}

fn plan_snake(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [channels, length] = call.shape("x")?;
    call.expect_shape("alpha", &[channels])?;
    call.elems("x")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let kernel = with_real!(call, call.dtype("x"), T => snake::<T>())?;
    plan.step(
        kernel,
        [call.buffer("x"), call.buffer("alpha"), y.buffer(), channels.into(), length.into()],
    );
    Ok(plan)
}

fn reference_snake(known: &Known<'_>) -> Vec<Expected> {
    let (x, alpha) = (known.float("x"), known.float("alpha"));
    let length = known.extent("x", 1).max(1);
    let eps = number::round(DType::F32, 1e-9);
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for (i, &x) in x.iter().enumerate() {
        let a = alpha[i / length];
        let s = libm::sin(a * x);
        y.push(x + s * s / (a + eps));
        // The sine's argument is rounded, and so its angle is off.
        magnitude.push(x.abs() + (s * s + 2.0 * s.abs() * (a * x).abs()) / (a + eps).abs());
    }
    vec![Expected::sum("y", y, magnitude)]
}

fn cases_snake(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for (name, shape) in [("one", [1, 1]), ("ragged", [5, 143])] {
            all.push(
                Case::new(name, dtype)
                    .input("x", &shape, Pattern::Normal { seed: 1, mean: 0.0, sd: 2.0 })
                    .input_as("alpha", DType::F32, &shape[..1], Pattern::uniform(2, 0.2, 3.0))
                    .bound(Bound::sum(8.0)),
            );
        }
    }
    let none = Case::new("empty", DType::F32).input("x", &[2, 0], Pattern::normal(1));
    all.push(none.input_as("alpha", DType::F32, &[2], Pattern::normal(1)).empty());
    all
}
