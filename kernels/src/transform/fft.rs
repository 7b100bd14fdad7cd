//! Discrete Fourier transform of rows: `y[k] = sum over j of x[j] exp(-2 pi i j k / n)`.
//!
//! `re`, `im` are [..., n]; so are `y_re`, `y_im`. The inverse turns the other way and divides by n. For n a power of two up
//! to 2,048: Cooley and Tukey's radix-2 decimation in time, bit-reversed load, then log2 n stages in shared memory. For
//! any other n up to 1,024: Bluestein's convolution with a chirp (`bluestein`).

use super::bluestein::{bluestein, chirp_spectrum, padded};
use crate::prelude::*;

/// The longest row: its two planes fill 16 KiB of shared memory.
pub(super) const MAX_ROW_ELEMS: u32 = 2_048;

/// The operation.
pub const ENTRY: Entry = Entry::new("fft", "transform", plan, reference, cases)
    .summary("y[k] = sum over j of x[j] exp(-2 pi i j k / n)")
    .inputs(&[
        InputSpec::new("re", REALS, "[..., n], n a power of two up to 2048 or 1 to 1024"),
        InputSpec::like("im", "re", "shape of re"),
    ])
    .outputs(&[
        OutputSpec::new("y_re", "shape and dtype of re").over(&["re"]),
        OutputSpec::new("y_im", "shape and dtype of re").over(&["im"]),
    ])
    .settings(&[SettingSpec::int("inverse", 0, "1 turns back and divides by n")])
    .bench(bench);

/// Definition: one group a row; a thread does some of the n / 2 butterflies of each stage.
#[kernel(group = threads, grid = rows)]
pub fn fft<T: Real>(
    #[len(rows * n)] re: &In<T>,
    #[len(rows * n)] im: &In<T>,
    #[len(rows * n)] y_re: &mut Out<T>,
    #[len(rows * n)] y_im: &mut Out<T>,
    rows: u32,
    #[comptime] n: u32,
    #[comptime] threads: u32,
    #[comptime] inverse: bool,
) {
    let base = group_id() as u64 * n as u64;
    let (a_re, a_im) = (shared::<f32>(n), shared::<f32>(n));
    for i in (thread_id()..n).step_by(threads) {
        let from = base + reversed(i, n.ilog2()) as u64;
        a_re[i] = re[from] as f32;
        a_im[i] = im[from] as f32;
    }
    barrier();
    stages(n, threads, inverse, a_re, a_im);
    let scale = if inverse { 1.0 / n as f32 } else { 1.0 };
    for i in (thread_id()..n).step_by(threads) {
        y_re[base + i as u64] = (a_re[i] * scale) as T;
        y_im[base + i as u64] = (a_im[i] * scale) as T;
    }
}

/// The stages of a transform of `n` numbers in shared memory, whose places are bit-reversed. They are rounds of a loop: written
/// out, each would have its own sines and cosines, and most of a compiler's time would go to them.
#[device]
pub(super) fn stages(n: u32, threads: u32, inverse: bool, a_re: Shared<f32>, a_im: Shared<f32>) {
    for stage in val(0u32)..n.ilog2() {
        let half = val(1u32) << stage;
        // 2^-stage: j / half is exact, so that the angle is rounded once.
        let step = from_bits::<f32>((val(127u32) - stage) << 23);
        for butterfly in (thread_id()..n / 2).step_by(threads) {
            let j = butterfly & (half - 1);
            let top = (butterfly - j) * 2 + j;
            let angle = j as f32 * step * std::f32::consts::PI;
            let w_re = cos(angle);
            let w_im = if inverse { sin(angle) } else { -sin(angle) };
            let (b_re, b_im) = (a_re[top + half], a_im[top + half]);
            let t_re = b_re * w_re - b_im * w_im;
            let t_im = b_re * w_im + b_im * w_re;
            let (c_re, c_im) = (a_re[top], a_im[top]);
            a_re[top] = c_re + t_re;
            a_im[top] = c_im + t_im;
            a_re[top + half] = c_re - t_re;
            a_im[top + half] = c_im - t_im;
        }
        barrier();
    }
}

/// The low `bits` bits of `i` in the other order.
#[device]
pub(super) fn reversed(i: Val<u32>, bits: u32) -> Val<u32> {
    let mut out = val(0u32);
    for bit in 0..bits {
        out = out | (((i >> bit) & 1) << (bits - 1 - bit));
    }
    out
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    call.expect_shape("im", call.dims("re"))?;
    let (rows, n) = call.rows("re")?;
    call.require((1..=MAX_ROW_ELEMS / 2).contains(&n) || n == MAX_ROW_ELEMS, || {
        let want = format!("{MAX_ROW_ELEMS}, or 1 to {}", MAX_ROW_ELEMS / 2);
        ("the row's length".into(), want, n.to_string())
    })?;
    call.elems("re")?;
    let (dtype, inverse) = (call.dtype("re"), call.flag("inverse"));
    let mut plan = Plan::new();
    let outputs = ["y_re", "y_im"].map(|name| plan.output(name, dtype, call.dims("re")));
    let mut args: Vec<_> = ["re", "im"].map(|name| call.buffer(name)).into();
    let kernel = if n.is_power_of_two() {
        with_real!(call, dtype, T => fft::<T>(n, (n / 2).clamp(1, 256), inverse))?
    } else {
        let spectrum = [0, 1].map(|_| plan.temp(DType::F32, &[padded(n)]).buffer());
        plan.step(call.staged(chirp_spectrum(n, inverse))?, spectrum.clone());
        args.extend(spectrum);
        with_real!(call, dtype, T => bluestein::<T>(n, inverse))?
    };
    args.extend(outputs.iter().map(TensorRef::buffer).chain([rows.into()]));
    plan.step(kernel, args);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (re, im) = (known.float("re"), known.float("im"));
    let n = known.extents("re").last().copied().unwrap_or(1);
    let sign = if known.flag("inverse") { 1.0 } else { -1.0 };
    let scale = if known.flag("inverse") { 1.0 / n as f64 } else { 1.0 };
    let roots: Vec<_> = (0..n)
        .map(|k| sign * 2.0 * std::f64::consts::PI * k as f64 / n as f64)
        .map(|angle| (libm::cos(angle), libm::sin(angle)))
        .collect();
    let (mut y_re, mut y_im, mut magnitude) = (Vec::new(), Vec::new(), Vec::new());
    for (re, im) in re.chunks(n).zip(im.chunks(n)) {
        let terms: f64 = re.iter().chain(im).map(|x| x.abs()).sum();
        // The root mean square of the chirp's spectrum stretches what a convolution with it makes of an error.
        let terms = terms * if n.is_power_of_two() { 1.0 } else { libm::sqrt(2.0 * n as f64) };
        for k in 0..n {
            let (mut sum_re, mut sum_im) = (0.0, 0.0);
            for j in 0..n {
                let (c, s) = roots[j * k % n];
                sum_re += re[j] * c - im[j] * s;
                sum_im += re[j] * s + im[j] * c;
            }
            y_re.push(sum_re * scale);
            y_im.push(sum_im * scale);
            magnitude.push(terms * scale);
        }
    }
    vec![Expected::sum("y_re", y_re, magnitude.clone()), Expected::sum("y_im", y_im, magnitude)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for n in [1u32, 2, 4, 8, 32, 64, 256, 512, 1_024, 2_048, 3, 12, 100, 1_023] {
            for inverse in [0, 1] {
                if dtype != DType::F32 && n != 8 && n != 256 && n != 12 {
                    continue;
                }
                // Each is a kernel with all its stages written out: one length turns both ways.
                if !n.is_power_of_two() && n != 12 && inverse == 1 {
                    continue;
                }
                let rows = if n < 64 { 5 } else { 2 };
                // A stage rounds its angle, cosine and sine (1.5 each), two products, their sum and the sum with the
                // other half: at most 8 roundings of terms that together are the row's magnitudes.
                let stages = match n.is_power_of_two() {
                    true => n.ilog2(),
                    // Three transforms, and chirps of up to 18 roundings before, between and after.
                    false => 3 * padded(n).ilog2() + 7,
                };
                let bound = Bound::sum(8.0 * f64::from(stages) + 1.0);
                let name = format!("{n}{}", if inverse == 1 { "-inverse" } else { "" });
                all.push(
                    Case::new(name, dtype)
                        .input("re", &[rows, n], Pattern::normal(u64::from(n)))
                        .input("im", &[rows, n], Pattern::normal(u64::from(n) + 1))
                        .set("inverse", inverse)
                        .bound(bound),
                );
            }
        }
        let impulse = Pattern::Constant(0.0).with(&[(1, 1.0)]);
        all.push(
            Case::new("impulse", dtype)
                .input("re", &[1, 64], impulse)
                .input("im", &[1, 64], Pattern::Constant(0.0))
                .bound(Bound::sum(49.0)),
        );
    }
    let case = |name: &str| Case::new(name, DType::F32).bound(Bound::sum(25.0));
    let turned = TensorDesc::strided(DType::F32, &[3, 8], &[1, 4], 1);
    let view = case("view").view("re", turned.clone(), Pattern::normal(3));
    all.push(view.view("im", turned, Pattern::normal(4)));
    let one = case("one of one").input("re", &[1, 1], Pattern::normal(1));
    all.push(one.input("im", &[1, 1], Pattern::normal(2)));
    // NaN fills its own row.
    let nan = case("nan").input("re", &[2, 8], Pattern::normal(3).with(&[(9, f64::NAN)]));
    all.push(nan.input("im", &[2, 8], Pattern::normal(4)));
    let empty = Case::new("empty", DType::F32);
    let (re, im) = (Pattern::normal(1), Pattern::normal(2));
    all.push(empty.input("re", &[0, 8], re).input("im", &[0, 8], im).empty());
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (rows, n) = (512, 1_024u32);
    let case = Case::new("1024", DType::F32)
        .input("re", &[rows, n], Pattern::normal(1))
        .input("im", &[rows, n], Pattern::normal(2))
        .bound(Bound::sum(81.0));
    let elems = u64::from(rows * n);
    vec![Bench {
        case,
        bytes: 16 * elems,
        flops: 5 * elems * u64::from(n.ilog2()),
        scale: Scale::Host,
    }]
}
