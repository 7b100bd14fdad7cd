//! Inverse of a short-time Fourier transform: real frames from half spectra, windowed, added where they overlap, and divided
//! by the window's energy there.
//!
//! `v[f, j] = 1/n sum over all n bins of spectrum[f, k] exp(2 pi i j k / n)`, those above n / 2 conjugate to those below;
//! `y[b, t] = (sum over f of window[t - f hop] v[f, t - f hop]) / (sum over f of window[t - f hop]^2)`, 0 where no window has
//! energy. `re` and `im` are [batch, frames, n / 2 + 1] with n even, `window` is [n], `y` is [batch, (frames - 1) hop + n].

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("istft", "audio", plan, reference, cases)
    .summary("y[b,t] = (sum_f window[t-f hop] v[b,f,t-f hop]) / (sum_f window[t-f hop]^2), v the inverse DFT")
    .inputs(&[
            InputSpec::new("re", REALS, "[batch, frames, n / 2 + 1]"),
            InputSpec::like("im", "re", "shape of re"),
            InputSpec::new("window", &[DType::F32], "[n], n even"),
        ])
    .outputs(&[OutputSpec::new("y", "[batch, (frames - 1) hop + n], dtype of re")])
    .settings(&[SettingSpec::required_int("hop", "samples between two frames")]);

/// Definition: a thread a sample.
#[kernel(group = 128, grid = (samples.div_ceil(128), batch))]
pub fn istft<T: Real>(
    #[len(batch * frames * (n / 2 + 1))] re: &In<T>,
    #[len(batch * frames * (n / 2 + 1))] im: &In<T>,
    #[len(n)] window: &In<f32>,
    #[len(batch * samples)] y: &mut Out<T>,
    batch: u32,
    frames: u32,
    samples: u32,
    hop: u32,
    n: u32,
) {
    let t = global_id();
    if t < samples {
        let (half, step) = (n / 2, lit::<f32>(std::f64::consts::TAU) / (n as f32));
        let (mut sum, mut energy) = (0.0f32, 0.0f32);
        // The first frame that reaches this sample, and the one behind the last that has begun.
        let first = select(t < n, 0, (t - n) / hop + 1);
        for f in first..min(t / hop + 1, frames) {
            let j = t - f * hop;
            let base = (group_id_y() as u64 * frames as u64 + f as u64) * (half + 1) as u64;
            let last = re[base + half as u64] as f32;
            let mut v = re[base] as f32 + select(j % 2 == 0, last, -last);
            for k in val(1u32)..half {
                let angle = (j * k % n) as f32 * step;
                let (a, b) = (re[base + k as u64] as f32, im[base + k as u64] as f32);
                v += 2.0 * (a * cos(angle) - b * sin(angle));
            }
            let w = window[j];
            sum = fma(w, v / (n as f32), sum);
            energy = fma(w, w, energy);
        }
        let at = group_id_y() as u64 * samples as u64 + t as u64;
        y[at] = select(energy == 0.0, 0.0, sum / energy) as T;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let ([batch, frames, _], [n]) = (call.shape("re")?, call.shape("window")?);
    call.require(n >= 2 && n % 2 == 0 && n <= 1 << 16, || {
        ("the window's length".into(), "even, 2 to 65536".into(), n.to_string())
    })?;
    call.expect_shape("re", &[batch, frames, n / 2 + 1])?;
    call.expect_shape("im", &[batch, frames, n / 2 + 1])?;
    let hop = call.int_in("hop", 1..=1 << 24)?;
    let samples =
        if frames == 0 { 0 } else { u64::from(frames - 1) * u64::from(hop) + u64::from(n) };
    let samples = u32::try_from(samples).ok().filter(|s| *s <= 1 << 31);
    let samples =
        samples.ok_or_else(|| call.wrong("the samples of `y`", "at most 2^31", "more"))?;
    call.product("y", &[batch, samples])?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("re"), &[batch, samples]);
    let kernel = with_real!(call, call.dtype("re"), T => istft::<T>())?;
    let inputs = ["re", "im", "window"].map(|name| call.buffer(name));
    let sizes = [batch, frames, samples, hop, n].map(Arg::from);
    plan.step(kernel, inputs.into_iter().chain([y.buffer()]).chain(sizes));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (re, im, window) = (known.float("re"), known.float("im"), known.float("window"));
    let [batch, frames, bins] = [0, 1, 2].map(|axis| known.extent("re", axis));
    let (n, hop) = (window.len(), Call::int(known, "hop") as usize);
    let samples = if frames == 0 { 0 } else { (frames - 1) * hop + n };
    let (mut y, mut errors) = (vec![0.0; batch * samples], vec![0.0; batch * samples]);
    for b in 0..batch {
        let mut energy = vec![0.0; samples];
        for f in 0..frames {
            for j in 0..n {
                let (mut v, mut size) = (0.0, 0.0);
                for k in 0..n {
                    // The upper half mirrors the lower one, conjugate.
                    let (bin, sign) = if k < bins { (k, 1.0) } else { (n - k, -1.0) };
                    let at = (b * frames + f) * bins + bin;
                    let angle = std::f64::consts::TAU * (j * k % n) as f64 / n as f64;
                    let edge = k == 0 || k == n / 2;
                    let imaginary = if edge { 0.0 } else { sign * im[at] };
                    v += re[at] * libm::cos(angle) - imaginary * libm::sin(angle);
                    size += re[at].abs() + imaginary.abs();
                }
                let at = b * samples + f * hop + j;
                y[at] += window[j] * v / n as f64;
                errors[at] += window[j].abs() * size / n as f64;
                energy[f * hop + j] += window[j] * window[j];
            }
        }
        for t in 0..samples {
            let energy = if energy[t] == 0.0 { f64::INFINITY } else { energy[t] };
            y[b * samples + t] /= energy;
            errors[b * samples + t] /= energy;
        }
    }
    vec![Expected::sum("y", y, errors)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let case = |name: &str, dtype, [batch, frames, n, hop]: [u32; 4]| {
        Case::new(name, dtype)
            .input("re", &[batch, frames, n / 2 + 1], Pattern::normal(1))
            .input("im", &[batch, frames, n / 2 + 1], Pattern::normal(2))
            .input_as("window", DType::F32, &[n], Pattern::uniform(3, 0.2, 1.0))
            .set("hop", hop)
            // Angles of up to 2 pi of 3 roundings, a root, products; the sums of a frame and of frames; the quotients.
            .bound(Bound::sum(27.0 + f64::from(n / 2) + 2.0 * f64::from(n.div_ceil(hop)) + 4.0))
    };
    let f32 = DType::F32;
    let mut all: Vec<Case> =
        REALS.iter().map(|&dtype| case("overlap", dtype, [2, 5, 16, 4])).collect();
    all.push(case("vocoder", f32, [1, 30, 20, 5]));
    all.push(case("one frame of two", f32, [1, 1, 2, 1]));
    all.push(case("ragged hop", f32, [1, 4, 12, 7]));
    // Samples between frames have no window.
    all.push(case("gaps", f32, [1, 3, 4, 9]));
    all.push(case("long", f32, [1, 3, 256, 64]));
    let zero = Pattern::uniform(3, 0.2, 1.0).with(&[(0, 0.0)]);
    all.push(case("window from 0", f32, [1, 2, 8, 8]).input_as("window", f32, &[8], zero));
    all.push(case("no frames", f32, [2, 0, 8, 4]).empty());
    all
}
