//! Logarithmic spectrogram through a bank of filters (mel scale or any other).
//!
//! Frame t of a signal is its samples from `t hop` on, times the window. `power[k]` is the squared size of its discrete Fourier
//! transform at bin k, 0 to n / 2, and `y[b, t, m] = ln(eps + sum over k of filters[m, k] power[k])`. `x` is [batch, samples],
//! `window` is [n] with n from 1 to 2,048, `filters` is [mels, n / 2 + 1], `y` is [batch, frames, mels]; only whole frames count.
//! Of the n roots of unity each is computed once, from an exact multiple, so n need not be a power of two.

use crate::prelude::*;

/// The longest window: it, the roots and the power fill 28 KiB of shared memory.
const MAX_WINDOW: u32 = 2_048;
const THREADS: u32 = 128;

/// The operation.
pub const ENTRY: Entry = Entry::new("log_spectrogram", "audio", plan, reference, cases)
    .summary("y[b,t,m] = ln(eps + sum_k filters[m,k] |sum_j window[j] x[b,t hop+j] exp(-2 pi i j k/n)|^2)")
    .inputs(&[
            InputSpec::new("x", REALS, "[batch, samples]"),
            InputSpec::new("window", &[DType::F32], "[n], n 1 to 2048"),
            InputSpec::new("filters", &[DType::F32], "[mels, n / 2 + 1]"),
        ])
    .outputs(&[OutputSpec::new("y", "[batch, frames, mels], f32")])
    .settings(&[
            SettingSpec::required_int("hop", "samples between two frames"),
            SettingSpec::float("eps", 1e-10, "added before the logarithm, above 0"),
        ]);

/// Definition: one group a frame.
#[kernel(group = THREADS, grid = (frames, batch))]
pub fn log_spectrogram<T: Real>(
    #[len(batch * samples)] x: &In<T>,
    #[len(n)] window: &In<f32>,
    #[len(mels * (n / 2 + 1))] filters: &In<f32>,
    #[len(batch * frames * mels)] y: &mut Out<f32>,
    batch: u32,
    samples: u32,
    frames: u32,
    mels: u32,
    hop: u32,
    n: u32,
    eps: f32,
) {
    let bins = n / 2 + 1;
    let (frame, power) = (shared::<f32>(MAX_WINDOW), shared::<f32>(MAX_WINDOW / 2 + 1));
    let (cosine, sine) = (shared::<f32>(MAX_WINDOW), shared::<f32>(MAX_WINDOW));
    let from = group_id_y() as u64 * samples as u64 + group_id() as u64 * hop as u64;
    for j in (thread_id()..n).step_by(THREADS) {
        frame[j] = window[j] * (x[from + j as u64] as f32);
        let angle = j as f32 / (n as f32) * std::f32::consts::TAU;
        cosine[j] = cos(angle);
        sine[j] = sin(angle);
    }
    barrier();
    for k in (thread_id()..bins).step_by(THREADS) {
        let (mut re, mut im) = (0.0f32, 0.0f32);
        // j k modulo n.
        let mut turn = val(0u32);
        for j in 0..n {
            re = fma(frame[j], cosine[turn], re);
            im = fma(frame[j], sine[turn], im);
            turn = turn + k;
            turn = select(turn >= n, turn - n, turn);
        }
        power[k] = fma(im, im, re * re);
    }
    barrier();
    for m in (thread_id()..mels).step_by(THREADS) {
        let mut sum = 0.0f32;
        for k in 0..bins {
            sum = fma(filters[m * bins + k], power[k], sum);
        }
        let at = (group_id_y() as u64 * frames as u64 + group_id() as u64) * mels as u64;
        y[at + m as u64] = log(sum + eps);
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let ([batch, samples], [n], [mels, _]) =
        (call.shape("x")?, call.shape("window")?, call.shape("filters")?);
    call.require((1..=MAX_WINDOW).contains(&n), || {
        ("the window's length".into(), format!("1 to {MAX_WINDOW}"), n.to_string())
    })?;
    call.expect_shape("filters", &[mels, n / 2 + 1])?;
    call.elems("filters")?;
    let hop = call.int_in("hop", 1..=i64::from(u32::MAX))?;
    let eps = call.float("eps");
    call.expect(eps > 0.0, "`eps`", "above 0", eps)?;
    let frames = if samples < n { 0 } else { (samples - n) / hop + 1 };
    call.product("y", &[batch, frames, mels])?;
    let mut plan = Plan::new();
    let y = plan.output("y", DType::F32, &[batch, frames, mels]);
    let kernel = with_real!(call, call.dtype("x"), T => log_spectrogram::<T>())?;
    let inputs = ["x", "window", "filters"].map(|name| call.buffer(name));
    let sizes = [batch, samples, frames, mels, hop, n].map(Arg::from);
    let rest = sizes.into_iter().chain([Arg::float(DType::F32, eps)]);
    plan.step(kernel, inputs.into_iter().chain([y.buffer()]).chain(rest));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, window, filters) = (known.float("x"), known.float("window"), known.float("filters"));
    let (n, samples) = (window.len(), known.extent("x", 1));
    let (bins, hop) = (n / 2 + 1, Call::int(known, "hop") as usize);
    let eps = number::round(DType::F32, Call::float(known, "eps"));
    let (mut y, mut errors) = (Vec::new(), Vec::new());
    for signal in x.chunks(samples.max(1)) {
        for frame in signal.windows(n).step_by(hop) {
            let frame: Vec<f64> = frame.iter().zip(window).map(|(x, w)| x * w).collect();
            // A root is 8 roundings off, and each of n terms passes n sums.
            let off = (n as f64 + 9.0) * frame.iter().map(|x| x.abs()).sum::<f64>();
            let power: Vec<(f64, f64)> = (0..bins)
                .map(|k| {
                    let turn = |j: usize| std::f64::consts::TAU * (j * k % n) as f64 / n as f64;
                    let re: f64 = (0..n).map(|j| frame[j] * libm::cos(turn(j))).sum();
                    let im: f64 = (0..n).map(|j| frame[j] * libm::sin(turn(j))).sum();
                    let power = re * re + im * im;
                    (power, 2.0 * (re.abs() + im.abs()) * off + 2.0 * power + off * off * 1.2e-7)
                })
                .collect();
            for filter in filters.chunks(bins) {
                let (mut sum, mut error) = (eps, eps);
                for (f, (power, off)) in filter.iter().zip(&power) {
                    sum += f * power;
                    error += f.abs() * (off + bins as f64 * power);
                }
                y.push(libm::log(sum));
                errors.push(error / sum + 2.0 * libm::log(sum).abs());
            }
        }
    }
    vec![Expected::sum("y", y, errors)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let case = |name: &str, dtype, [batch, samples, n, mels, hop]: [u32; 5]| {
        Case::new(name, dtype)
            .input("x", &[batch, samples], Pattern::normal(1))
            .input_as("window", DType::F32, &[n], Pattern::uniform(2, 0.1, 1.0))
            .input_as("filters", DType::F32, &[mels, n / 2 + 1], Pattern::uniform(3, 0.0, 0.2))
            .set("hop", hop)
            .bound(Bound::sum(1.0))
    };
    let f32 = DType::F32;
    let mut all: Vec<Case> =
        REALS.iter().map(|&dtype| case("ragged", dtype, [2, 150, 40, 9, 17])).collect();
    all.push(case("speech", f32, [1, 720, 400, 80, 160]));
    all.push(case("one", f32, [1, 1, 1, 1, 1]));
    all.push(case("odd", f32, [1, 30, 7, 3, 7]));
    all.push(case("many bins", f32, [1, 512, 512, 150, 100]));
    // Silence is ln eps.
    all.push(case("silence", f32, [1, 64, 16, 4, 8]).input("x", &[1, 64], Pattern::Constant(0.0)));
    let nan = Pattern::normal(4).with(&[(20, f64::NAN)]);
    all.push(case("NaN", f32, [1, 64, 16, 4, 16]).input("x", &[1, 64], nan));
    let bank = Pattern::uniform(3, 0.0, 0.2).with(&[(10, f64::INFINITY)]);
    all.push(case("infinite filter", f32, [1, 64, 16, 4, 16]).input("filters", &[4, 9], bank));
    let turned = TensorDesc::strided(f32, &[2, 40], &[1, 3], 2);
    all.push(case("view", f32, [2, 40, 16, 4, 8]).view("x", turned, Pattern::normal(1)));
    all.push(case("too short", f32, [2, 15, 16, 4, 8]).empty());
    all
}
