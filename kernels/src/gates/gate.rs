//! Variants of a gate: `y = f(gate, up)`, element by element, computed in f32 and rounded once.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};

/// Which gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// `gelu(gate) up`, the tanh formula.
    GegluTanh,
    /// `gelu(gate) up`, the erf formula.
    GegluErf,
    /// Both clamped to [-limit, limit]; then `gate sigmoid(alpha gate) (up + 1)`.
    Clipped,
    /// `silu(min(gate, limit)) clamp(up, -limit, limit)`.
    Limited,
    /// `min(silu(gate), limit) clamp(up, -limit, limit)`.
    Clamped,
}

macro_rules! entries {
    ($($name:ident $gate:ident $formula:literal;)*) => {
        const GATES: &[(&str, Gate)] = &[$((stringify!($name), Gate::$gate),)*];
        /// The operations.
        pub const ENTRIES: &[Entry] = &[$(Entry {
            name: stringify!($name), family: "gates", summary: $formula,
            signature: Signature {
                inputs: &[InputSpec::new("gate", REALS, "any shape"), InputSpec::like("up", "gate", "shape of gate")],
                outputs: &[OutputSpec::new("y", "shape and dtype of gate").over(&["gate", "up"])],
                settings: &[
                    SettingSpec::float("limit", 7.0, "bound of the clamped ones, at least 0"),
                    SettingSpec::float("alpha", 1.702, "factor inside the clipped one's sigmoid"),
                ],
                words: &[],
            },
            plan, reference, cases, bench: no_bench,
        },)*];
    };
}
entries! {
    geglu_tanh     GegluTanh "y = gelu_tanh(gate) up";
    geglu_erf      GegluErf  "y = gelu_erf(gate) up";
    clipped_swiglu Clipped   "y = g sigmoid(alpha g) (u + 1), g and u clamped to [-limit, limit]";
    limited_swiglu Limited   "y = silu(min(gate, limit)) clamp(up, -limit, limit)";
    clamped_swiglu Clamped   "y = min(silu(gate), limit) clamp(up, -limit, limit)";
}

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn gated<T: Real>(
    #[len(n)] gate: &In<T>,
    #[len(n)] up: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
    limit: f32,
    alpha: f32,
    #[comptime] kind: Gate,
) {
    each(per(&[T::DTYPE]), n, |i| {
        let (g, u) = (gate[i] as f32, up[i] as f32);
        let result = match kind {
            Gate::GegluTanh => gelu_tanh(g) * u,
            Gate::GegluErf => gelu_erf(g) * u,
            Gate::Clipped => {
                let g = clamp(g, -limit, limit);
                g * sigmoid(alpha * g) * (clamp(u, -limit, limit) + 1.0)
            }
            Gate::Limited => silu(min(g, limit)) * clamp(u, -limit, limit),
            Gate::Clamped => min(silu(g), limit) * clamp(u, -limit, limit),
        };
        y[i] = result as T;
    });
}

#[device]
fn clamp(x: Val<f32>, low: Val<f32>, high: Val<f32>) -> Val<f32> {
    min(max(x, low), high)
}

fn kind(entry: &Entry) -> Gate {
    let found = GATES.iter().find(|(name, _)| *name == entry.name);
    found.expect("the entries are made of the table").1
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    call.expect_shape("up", call.dims("gate"))?;
    let limit = call.float("limit");
    call.expect(limit >= 0.0, "`limit`", "at least 0", limit)?;
    let n = call.elems("gate")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("gate"), call.dims("gate"));
    let kernel = with_real!(call, call.dtype("gate"), T => gated::<T>(kind(call.entry())))?;
    let number = |name| Arg::float(DType::F32, call.float(name));
    plan.step(
        kernel,
        [
            call.buffer("gate"),
            call.buffer("up"),
            y.buffer(),
            n.into(),
            number("limit"),
            number("alpha"),
        ],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let f32 = |name| number::round(DType::F32, call.float(name));
    let (limit, alpha) = (f32("limit"), f32("alpha"));
    let clip = |x: f64| if x.is_nan() { x } else { x.max(-limit).min(limit) };
    let low = |x: f64| if x.is_nan() { x } else { x.min(limit) };
    // Results of exponential type below the least normal f32 are zeros by definition.
    let flushed = |y: f64| if y.abs() < f64::from(f32::MIN_POSITIVE) { 0.0 * y } else { y };
    let silu = |x: f64| flushed(x / (1.0 + libm::exp(-x)));
    let f = |g: f64, u: f64| match kind(known.entry()) {
        Gate::GegluTanh => {
            let w = (2.0 / std::f64::consts::PI).sqrt() * (g + 0.044715 * g * g * g);
            flushed(g / (1.0 + libm::exp(-2.0 * w))) * u
        }
        Gate::GegluErf => flushed(g / 2.0 * libm::erfc(-g / std::f64::consts::SQRT_2)) * u,
        Gate::Clipped => {
            let g = clip(g);
            g / (1.0 + libm::exp(-alpha * g)) * (clip(u) + 1.0)
        }
        Gate::Limited => silu(low(g)) * clip(u),
        Gate::Clamped => low(silu(g)) * clip(u),
    };
    let pairs = known.float("gate").iter().zip(known.float("up"));
    let values: Vec<f64> = pairs.map(|(&g, &u)| f(g, u)).collect();
    let pairs = known.float("gate").iter().zip(known.float("up"));
    // The clipped gate's sum with 1 cancels near -1, and its sigmoid's argument is rounded.
    let magnitude = values.iter().zip(pairs).map(|(y, (g, u))| match kind(known.entry()) {
        Gate::Clipped => {
            clip(*g).abs() * (clip(*u).abs() + 1.0) * (1.0 + (alpha * clip(*g)).abs() / 8.0)
        }
        Gate::GegluTanh | Gate::GegluErf | Gate::Limited | Gate::Clamped => y.abs(),
    });
    vec![Expected::sum("y", values.clone(), magnitude.collect())]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for (name, shape, sd) in
            [("one", &[1][..], 2.0), ("ragged", &[7, 143], 2.0), ("far", &[512], 9.0)]
        {
            all.push(
                Case::new(name, dtype)
                    .input("gate", shape, Pattern::Normal { seed: 1, mean: 0.0, sd })
                    .input("up", shape, Pattern::Normal { seed: 2, mean: 0.0, sd })
                    .set("limit", 6.5)
                    .bound(Bound::sum(8.0)),
            );
        }
    }
    let case = |name: &str| Case::new(name, DType::F32).bound(Bound::sum(8.0));
    let nan = Pattern::normal(3).with(&[(3, f64::NAN), (40, f64::NAN)]);
    all.push(case("nan").input("gate", &[41], nan.clone()).input("up", &[41], Pattern::normal(4)));
    all.push(case("nan-up").input("gate", &[41], Pattern::normal(4)).input("up", &[41], nan));
    let none = Pattern::normal(1);
    all.push(case("empty").input("gate", &[0], none.clone()).input("up", &[0], none).empty());
    all
}
