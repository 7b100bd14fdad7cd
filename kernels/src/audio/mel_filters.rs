//! A bank of triangular filters on the mel scale: `y[m, k] = max(0, min(rise, fall))` of bin k's frequency `f = k rate / n`, with
//! `rise = (f - p[m]) / (p[m+1] - p[m])`, `fall = (p[m+2] - f) / (p[m+2] - p[m+1])` and `mels + 2` points p evenly spaced in mel.
//!
//! Scales: `htk`, `mel = 2595 log10(1 + f / 700)`; `slaney`, 3 mel for 200 Hz up to 1 kHz, then 27 mel for each factor of 6.4.
//! `area` divides a filter by half its width in Hz, so that all have an area of 1. `y` is [mels, n / 2 + 1] in f32, what
//! `log_spectrogram` takes.

use crate::prelude::*;

/// Slaney's scale is linear up to here.
const CORNER_HZ: f64 = 1_000.0;
const CORNER_MEL: f64 = 15.0;
/// ln 6.4 / 27: of one mel above the corner.
const LOG_STEP: f64 = 0.068_751_777_420_949_12;

/// The operation.
pub const ENTRY: Entry = Entry::new("mel_filters", "audio", plan, reference, cases)
    .summary("y[m,k] = max(0, min((f - p[m]) / (p[m+1] - p[m]), (p[m+2] - f) / (p[m+2] - p[m+1]))), f = k rate / n")
    .outputs(&[OutputSpec::new("y", "[mels, n / 2 + 1], f32")])
    .settings(&[
            SettingSpec::required_int("mels", "filters"),
            SettingSpec::required_int("n", "samples of a frame"),
            SettingSpec::required_float("rate", "samples a second"),
            SettingSpec::float("low", 0.0, "Hz where the first filter starts"),
            SettingSpec::required_float("high", "Hz where the last one ends"),
        ])
    .words(&[
            WordSpec::new("scale", &["htk", "slaney"], "which mel scale"),
            WordSpec::new("norm", &["none", "area"], "area: divided by half of a filter's width"),
        ]);

/// The frequency of a mel.
#[device]
fn frequency(mel: Val<f32>, slaney: bool) -> Val<f32> {
    if slaney {
        let above = exp((mel - lit::<f32>(CORNER_MEL)) * lit::<f32>(LOG_STEP));
        let below = mel * lit::<f32>(200.0 / 3.0);
        select(mel < lit::<f32>(CORNER_MEL), below, above * lit::<f32>(CORNER_HZ))
    } else {
        expm1(mel * lit::<f32>(std::f64::consts::LN_10 / 2595.0)) * 700.0
    }
}

/// Definition: a thread an element. `mel_low` and `mel_step` are the first point and the points' distance.
#[kernel(group = 128, grid = ((n / 2 + 1).div_ceil(128), mels))]
pub fn mel_filters(
    #[len(mels * (n / 2 + 1))] y: &mut Out<f32>,
    mels: u32,
    n: u32,
    rate: f32,
    mel_low: f32,
    mel_step: f32,
    #[comptime] slaney: bool,
    #[comptime] area: bool,
) {
    let bins = n / 2 + 1;
    let k = global_id();
    if k < bins {
        let m = group_id_y();
        let point = |i: u32| frequency(fma((m + i) as f32, mel_step, mel_low), slaney);
        let (start, middle, end) = (point(0), point(1), point(2));
        let f = k as f32 * rate / n as f32;
        let rise = (f - start) / (middle - start);
        let fall = (end - f) / (end - middle);
        let height = max(min(rise, fall), 0.0);
        let height = if area { height * 2.0 / (end - start) } else { height };
        y[m as u64 * bins as u64 + k as u64] = height;
    }
}

/// The mel of a frequency.
fn mel(hz: f64, slaney: bool) -> f64 {
    match slaney {
        false => 2595.0 * libm::log10(1.0 + hz / 700.0),
        true if hz < CORNER_HZ => hz * 3.0 / 200.0,
        true => CORNER_MEL + libm::log(hz / CORNER_HZ) / LOG_STEP,
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let mels = call.int_in("mels", 0..=1 << 20)?;
    let n = call.int_in("n", 1..=1 << 24)?;
    let bins = n / 2 + 1;
    call.product("y", &[mels, bins])?;
    let [rate, low, high] = ["rate", "low", "high"].map(|name| call.float(name));
    call.expect(rate > 0.0, "`rate`", "above 0", rate)?;
    call.require(0.0 <= low && low < high && high.is_finite(), || {
        ("`high`".into(), format!("above `low`, which is {low} and not below 0"), high.to_string())
    })?;
    let (slaney, area) = (call.word("scale") == "slaney", call.word("norm") == "area");
    let (first, last) = (mel(low, slaney), mel(high, slaney));
    let mut plan = Plan::new();
    let y = plan.output("y", DType::F32, &[mels, bins]);
    let kernel = call.staged(mel_filters(slaney, area))?;
    let step = (last - first) / (f64::from(mels) + 1.0);
    let numbers = [rate, first, step].map(|x| Arg::float(DType::F32, x));
    let sizes = [mels, n].map(Arg::from);
    plan.step(kernel, [y.buffer()].into_iter().chain(sizes).chain(numbers));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let [mels, n] = ["mels", "n"].map(|name| Call::int(known, name) as usize);
    let [rate, low, high] = ["rate", "low", "high"].map(|name| Call::float(known, name));
    let slaney = known.word("scale") == "slaney";
    let back = |mel: f64| match slaney {
        false => 700.0 * (libm::pow(10.0, mel / 2595.0) - 1.0),
        true if mel < 15.0 => mel * 200.0 / 3.0,
        true => 1000.0 * libm::pow(6.4, (mel - 15.0) / 27.0),
    };
    let there = |hz: f64| match slaney {
        false => libm::log10(1.0 + hz / 700.0) * 2595.0,
        true if hz < 1000.0 => 0.015 * hz,
        true => 15.0 + 27.0 * libm::log(hz / 1000.0) / libm::log(6.4),
    };
    let (first, last) = (there(low), there(high));
    let points: Vec<f64> = (0..mels + 2)
        .map(|i| back(first + (last - first) * i as f64 / (mels + 1) as f64))
        .collect();
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for m in 0..mels {
        let [start, middle, end] = [points[m], points[m + 1], points[m + 2]];
        for k in 0..n / 2 + 1 {
            let f = k as f64 * rate / n as f64;
            let (rise, fall) = ((f - start) / (middle - start), (end - f) / (end - middle));
            let height = f64::max(0.0, rise.min(fall));
            let scale = if known.word("norm") == "area" { 2.0 / (end - start) } else { 1.0 };
            // A point's mel has 5 roundings, each of which moves the exponent; the exponential and its factor have 6 more. The
            // narrower flank magnifies that, in numerator and denominator.
            let of_mel = if slaney { LOG_STEP } else { 0.000_888 };
            let off = (end + 700.0) * (5.0 * of_mel * last + 6.0) + 2.0 * f;
            let width = (middle - start).min(end - middle);
            y.push(height * scale);
            magnitude.push((off / width * (2.0 + 4.0 * height) + 4.0 * height) * scale);
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for scale in ["htk", "slaney"] {
        for norm in ["none", "area"] {
            let case = |name: &str, mels: u32, n: u32, high: f64| {
                Case::new(format!("{name} {scale} {norm}"), DType::F32)
                    .set("mels", mels)
                    .set("n", n)
                    .set("rate", 16_000.0)
                    .set("high", high)
                    .word("scale", scale)
                    .word("norm", norm)
                    .bound(Bound::sum(1.0))
            };
            all.push(case("speech", 80, 400, 8_000.0));
            all.push(case("band", 13, 257, 3_400.0).set("low", 300.0));
            all.push(case("one", 1, 1, 8_000.0));
            all.push(case("narrow", 40, 512, 900.0));
        }
    }
    let none = Case::new("no filters", DType::F32).set("mels", 0).set("n", 16).set("rate", 8_000.0);
    all.push(none.set("high", 4_000.0).empty());
    all
}
