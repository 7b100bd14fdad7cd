//! The transform of rows of any length as a convolution (Bluestein, 1970): since `j k = (j^2 + k^2 - (k - j)^2) / 2`,
//! `y[k] = w(k) sum over j of (x[j] w(j)) conj(w(k - j))` with the chirp `w(j) = exp(-i pi j^2 / n)`.
//!
//! The convolution is done by transforms of a power of two of at least 2 n - 1 elements: that of the chirp once for all
//! rows (`chirp_spectrum`), the row's own, and one back.

use super::fft::{reversed, stages};
use crate::prelude::*;

/// Elements of the transforms that convolve rows of `n`.
pub(super) const fn padded(n: u32) -> u32 {
    (2 * n - 1).next_power_of_two()
}

/// Threads for transforms of `m` elements.
const fn threads(m: u32) -> u32 {
    if m / 2 > 256 { 256 } else { m / 2 }
}

/// `exp(-i pi j^2 / n)`, or its conjugate; the square's whole turns are left out exactly.
#[device]
fn chirp(j: Val<u32>, n: u32, conjugate: bool) -> (Val<f32>, Val<f32>) {
    let angle = (j * j % (2 * n)) as f32 * lit::<f32>(std::f64::consts::PI / n as f64);
    (cos(angle), if conjugate { sin(angle) } else { -sin(angle) })
}

#[device]
fn times(a: (Val<f32>, Val<f32>), b: (Val<f32>, Val<f32>)) -> (Val<f32>, Val<f32>) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// The spectrum of the conjugate chirp at distances from -(n - 1) to n - 1, around a circle of `padded(n)`.
#[kernel(group = threads(padded(n)), grid = 1)]
pub fn chirp_spectrum(
    #[len(padded(n))] re: &mut Out<f32>,
    #[len(padded(n))] im: &mut Out<f32>,
    #[comptime] n: u32,
    #[comptime] inverse: bool,
) {
    let m = padded(n);
    let (a_re, a_im) = (shared::<f32>(m), shared::<f32>(m));
    for i in (thread_id()..m).step_by(threads(m)) {
        let distance = min(i, m - i);
        let (c, s) = chirp(distance, n, !inverse);
        let place = reversed(i, m.ilog2());
        a_re[place] = select(distance < n, c, 0.0);
        a_im[place] = select(distance < n, s, 0.0);
    }
    barrier();
    stages(m, threads(m), false, a_re, a_im);
    for i in (thread_id()..m).step_by(threads(m)) {
        re[i] = a_re[i];
        im[i] = a_im[i];
    }
}

/// Definition: one group a row.
#[kernel(group = threads(padded(n)), grid = rows)]
pub fn bluestein<T: Real>(
    #[len(rows * n)] re: &In<T>,
    #[len(rows * n)] im: &In<T>,
    #[len(padded(n))] chirp_re: &In<f32>,
    #[len(padded(n))] chirp_im: &In<f32>,
    #[len(rows * n)] y_re: &mut Out<T>,
    #[len(rows * n)] y_im: &mut Out<T>,
    rows: u32,
    #[comptime] n: u32,
    #[comptime] inverse: bool,
) {
    let m = padded(n);
    let base = group_id() as u64 * n as u64;
    let (a_re, a_im) = (shared::<f32>(m), shared::<f32>(m));
    for i in (thread_id()..m).step_by(threads(m)) {
        let place = reversed(i, m.ilog2());
        a_re[place] = 0.0;
        a_im[place] = 0.0;
        if i < n {
            let x = (re[base + i as u64] as f32, im[base + i as u64] as f32);
            (a_re[place], a_im[place]) = times(x, chirp(i, n, inverse));
        }
    }
    barrier();
    stages(m, threads(m), false, a_re, a_im);
    // The product of the spectra, at the places that the transform back starts from: pairs of places change hands.
    for i in (thread_id()..m).step_by(threads(m)) {
        let place = reversed(i, m.ilog2());
        if i <= place {
            let here = times((a_re[i], a_im[i]), (chirp_re[i], chirp_im[i]));
            let there = times((a_re[place], a_im[place]), (chirp_re[place], chirp_im[place]));
            (a_re[place], a_im[place]) = here;
            (a_re[i], a_im[i]) = there;
        }
    }
    barrier();
    stages(m, threads(m), true, a_re, a_im);
    let scale = if inverse { 1.0 / m as f32 / n as f32 } else { 1.0 / m as f32 };
    for i in (thread_id()..n).step_by(threads(m)) {
        let (out_re, out_im) = times((a_re[i], a_im[i]), chirp(i, n, inverse));
        y_re[base + i as u64] = (out_re * scale) as T;
        y_im[base + i as u64] = (out_im * scale) as T;
    }
}
