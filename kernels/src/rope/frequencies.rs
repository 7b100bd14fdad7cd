//! Frequencies of a rotary position embedding that reaches farther than its model was trained for.
//!
//! `f[i] = theta^(-i / n)` for the n pairs. `llama3`: a frequency whose wavelength `w = 2 pi / f` is above `low` is divided by
//! `factor`, below `high` it stays, and between them it is blended: `f (1 - s) / factor + f s` with
//! `s = (low / w - 1) / (low / high - 1)`. `yarn` (Peng et al., 2023): the blend goes over the pairs from `low` to `high`,
//! `s = 1 - clamp((i - low) / (high - low), 0, 1)`.

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("rope_frequencies", "rope", plan, reference, cases)
    .summary("y[i] = f (1 - s) / factor + f s, f = theta^(-i / n), s from 0 (long waves) to 1")
    .outputs(&[OutputSpec::new("y", "[n], f32")])
    .settings(&[
        SettingSpec::required_int("n", "how many pairs"),
        SettingSpec::float("theta", 10_000.0, "base of the frequencies, above 0"),
        SettingSpec::float("factor", 1.0, "how much farther long waves reach, above 0"),
        SettingSpec::float("low", 0.0, "wavelength or pair where the blend begins"),
        SettingSpec::float("high", 0.0, "wavelength or pair where it ends"),
    ])
    .words(&[WordSpec::new("scaling", &["none", "llama3", "yarn"], "what is blended")]);

/// What the blend of a pair depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// There is none.
    None,
    /// The wavelength.
    Llama3,
    /// The pair's number.
    Yarn,
}

impl Scaling {
    fn named(word: &str) -> Scaling {
        match word {
            "llama3" => Scaling::Llama3,
            "yarn" => Scaling::Yarn,
            _ => Scaling::None,
        }
    }
}

/// Definition.
#[kernel(group = 64, grid = n.div_ceil(64))]
pub fn rope_frequencies(
    #[len(n)] y: &mut Out<f32>,
    n: u32,
    log2_theta: f32,
    factor: f32,
    low: f32,
    high: f32,
    #[comptime] scaling: Scaling,
) {
    let i = global_id();
    if i < n {
        let f = exp2(-log2_theta * (i as f32 / (n as f32)));
        let clamped = |s: Val<f32>| min(max(s, 0.0), 1.0);
        let kept = match scaling {
            Scaling::None => lit::<f32>(1.0),
            // low / w, in frequencies.
            Scaling::Llama3 => {
                clamped((low * f * std::f32::consts::FRAC_1_PI * 0.5 - 1.0) / (low / high - 1.0))
            }
            Scaling::Yarn => 1.0 - clamped((i as f32 - low) / (high - low)),
        };
        y[i] = f * (1.0 - kept) / factor + f * kept;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let n = call.int_in("n", 0..=1 << 24)?;
    let [theta, factor, low, high] =
        ["theta", "factor", "low", "high"].map(|name| call.float(name));
    for (name, x) in [("`theta`", theta), ("`factor`", factor)] {
        call.expect(x > 0.0 && x.is_finite(), name, "above 0", x)?;
    }
    let scaling = Scaling::named(call.word("scaling"));
    let fits = match scaling {
        Scaling::None => true,
        Scaling::Llama3 => low > high && high > 0.0 && low.is_finite(),
        Scaling::Yarn => high > low && (high - low).is_finite(),
    };
    call.require(fits, || {
        let want = "wavelengths falling above 0 (llama3), or pairs rising (yarn)";
        ("`low` and `high`".into(), want.into(), format!("{low} and {high}"))
    })?;
    let mut plan = Plan::new();
    let y = plan.output("y", DType::F32, &[n]);
    let numbers = [libm::log2(theta), factor, low, high].map(|x| Arg::float(DType::F32, x));
    let kernel = call.staged(rope_frequencies(scaling))?;
    plan.step(kernel, [y.buffer(), n.into()].into_iter().chain(numbers));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let n = Call::int(known, "n");
    let [theta, factor, low, high] =
        ["theta", "factor", "low", "high"].map(|name| Call::float(known, name));
    let (mut y, mut errors) = (Vec::new(), Vec::new());
    for i in 0..n {
        let exponent = i as f64 / n as f64 * libm::log2(theta);
        let f = libm::exp2(-exponent);
        let wave = std::f64::consts::TAU / f;
        // The share that keeps its frequency, and how far a rounding moves it.
        let (kept, slope) = match known.word("scaling") {
            "llama3" if wave > low => (0.0, 0.0),
            "llama3" if wave < high => (1.0, 0.0),
            "llama3" => {
                ((low / wave - 1.0) / (low / high - 1.0), (low / wave) / (low / high - 1.0))
            }
            "yarn" => (
                1.0 - ((i as f64 - low) / (high - low)).clamp(0.0, 1.0),
                (high.abs() + low.abs()) / (high - low),
            ),
            _ => (1.0, 0.0),
        };
        let off = 3.0 * exponent.abs() + 6.0;
        y.push(f * (1.0 - kept) / factor + f * kept);
        errors.push(f * (off + 3.0 + slope * (off + 4.0)) * f64::max(1.0, 1.0 / factor));
    }
    vec![Expected::sum("y", y, errors)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let case = |name: &str, n: u32| Case::new(name, DType::F32).set("n", n).bound(Bound::sum(1.0));
    let blend = |case: Case, word: &str, numbers: [f64; 3]| {
        let case = case.word("scaling", word).set("factor", numbers[0]);
        case.set("low", numbers[1]).set("high", numbers[2])
    };
    vec![
        case("none", 64),
        case("one", 1).set("theta", 500_000.0),
        case("no pairs", 0).empty(),
        // An original length of 8,192, bands from a wave in it to four.
        blend(case("llama3", 64).set("theta", 500_000.0), "llama3", [8.0, 8_192.0, 2_048.0]),
        blend(case("llama3 narrow", 33), "llama3", [32.0, 40.0, 39.0]),
        blend(case("yarn", 64), "yarn", [40.0, 20.0, 46.0]),
        blend(case("yarn from the start", 7), "yarn", [4.0, -3.0, 4.5]),
    ]
}
