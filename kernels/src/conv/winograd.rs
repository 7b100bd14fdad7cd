//! Convolution of images by kernels of 3x3 with fewer products (Winograd, 1980; Lavin and Gray, 2016): `conv2d` in tiles of
//! 2x2 outputs, `Y = A^T [sum over d of (G w G^T) . (B^T x B)] A`.
//!
//! Stride and dilation are 1, there is one group. A place outside the image is 0, and meets the weights: an infinite one
//! makes NaN there. The sum over d is by `fma`, in f32, as are the transforms.

use super::conv::{CONV2D, Shape, bias, case, reference as direct, shape, with_bias};
use crate::{
    pieces::epilogue::{Activation, activate},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry {
    name: "conv2d_winograd",
    summary: "conv2d for kernels of 3x3, stride and dilation 1, one group, by Winograd's F(2x2, 3x3)",
    plan,
    reference,
    cases,
    bench: no_bench,
    ..CONV2D
};

type Numbers<const N: usize> = [Val<f32>; N];

/// `of` applied to the columns of a matrix, then to the rows of what that gives.
fn both_ways<const N: usize, const M: usize>(
    m: [Numbers<N>; N],
    of: impl Fn(Numbers<N>) -> Numbers<M>,
) -> [Numbers<M>; M] {
    let columns: [Numbers<M>; N] = std::array::from_fn(|j| of(std::array::from_fn(|i| m[i][j])));
    std::array::from_fn(|i| of(std::array::from_fn(|j| columns[j][i])))
}

/// `G g`.
#[device]
fn of_weights(g: Numbers<3>) -> Numbers<4> {
    let (ends, middle) = (g[0] + g[2], g[1]);
    [g[0], (ends + middle) * 0.5, (ends - middle) * 0.5, g[2]]
}

/// `B^T d`.
#[device]
fn of_image(d: Numbers<4>) -> Numbers<4> {
    [d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]]
}

/// `A^T m`.
#[device]
fn of_products(m: Numbers<4>) -> Numbers<2> {
    [m[0] + m[1] + m[2], m[1] - m[2] - m[3]]
}

/// `G w G^T` of each kernel.
#[kernel(group = 128, grid = kernels.div_ceil(128))]
pub fn winograd_weights<T: Real>(
    #[len(kernels * 9)] w: &In<T>,
    #[len(kernels * 16)] u: &mut Out<f32>,
    kernels: u32,
) {
    let kernel = global_id();
    if kernel < kernels {
        let weight = |i: usize, j: usize| w[kernel as u64 * 9u64 + (i * 3 + j) as u64] as f32;
        let small = std::array::from_fn(|i| std::array::from_fn(|j| weight(i, j)));
        for (i, row) in both_ways(small, of_weights).into_iter().enumerate() {
            for (j, x) in row.into_iter().enumerate() {
                u[kernel as u64 * 16u64 + (i * 4 + j) as u64] = x;
            }
        }
    }
}

/// Definition, of transformed weights: a thread a tile of a channel of `y`.
#[kernel(
    group = 64,
    grid = (batch * outs * out_rows.div_ceil(2) * out_columns.div_ceil(2)).div_ceil(64)
)]
pub fn winograd<T: Real>(
    #[len(batch * depth * rows * columns)] x: &In<T>,
    #[len(outs * depth * 16)] u: &In<f32>,
    #[len(outs * bias_rows)] bias: &In<T>,
    #[len(batch * outs * out_rows * out_columns)] y: &mut Out<T>,
    batch: u32,
    depth: u32,
    outs: u32,
    rows: u32,
    columns: u32,
    out_rows: u32,
    out_columns: u32,
    pad_rows: u32,
    pad_columns: u32,
    #[comptime] bias_rows: u32,
    #[comptime] activation: Activation,
) {
    let (high, wide) = ((out_rows + 1) / 2, (out_columns + 1) / 2);
    let at = global_id();
    if at < batch * outs * high * wide {
        let (left, top) = (at % wide * 2, at / wide % high * 2);
        let channel = at / (wide * high) % outs;
        let image = at / (wide * high * outs);
        let acc = private::<f32>(16);
        for k in 0..16u32 {
            acc[k] = -0.0;
        }
        for d in 0..depth {
            let plane = (image * depth + d) as u64 * rows as u64;
            let place = |i: u32, j: u32| {
                let (r, c) = (top + i, left + j);
                let mut value = 0.0f32;
                if r >= pad_rows && r < rows + pad_rows {
                    if c >= pad_columns && c < columns + pad_columns {
                        let row = (plane + (r - pad_rows) as u64) * columns as u64;
                        value = x[row + (c - pad_columns) as u64] as f32;
                    }
                }
                value + 0.0
            };
            let patch = std::array::from_fn(|i| std::array::from_fn(|j| place(i as u32, j as u32)));
            let patch = both_ways(patch, of_image);
            for k in 0..16u32 {
                let weight = u[(channel * depth + d) as u64 * 16u64 + k as u64];
                acc[k] = fma(weight, patch[(k / 4) as usize][(k % 4) as usize], acc[k]);
            }
        }
        let products = std::array::from_fn(|i| std::array::from_fn(|j| acc[(i * 4 + j) as u32]));
        for (i, row) in both_ways(products, of_products).into_iter().enumerate() {
            for (j, sum) in row.into_iter().enumerate() {
                let (r, c) = (top + i as u32, left + j as u32);
                if r < out_rows && c < out_columns {
                    let all = if bias_rows > 0 { sum + (bias[channel] as f32) } else { sum };
                    let plane = (image * outs + channel) as u64 * out_rows as u64;
                    let place = (plane + r as u64) * out_columns as u64 + c as u64;
                    y[place] = activate(all, activation) as T;
                }
            }
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let Shape { groups, depth, outs, axes, y: dims } = shape(call)?;
    let [
        _,
        [rows, high, out_rows, s, pad_rows, t],
        [columns, wide, out_columns, s2, pad_columns, t2],
    ] = axes;
    call.require([high, wide, s, t, s2, t2, groups] == [3, 3, 1, 1, 1, 1, 1], || {
        let want = "a kernel of 3x3, strides, dilations and groups of 1".into();
        let got = format!("{high}x{wide}, strides {s}, {s2}, dilations {t}, {t2}, groups {groups}");
        ("what is asked".into(), want, got)
    })?;
    for name in ["x", "w"] {
        call.elems(name)?;
    }
    let (bias_rows, bias) = bias(call);
    let activation = Activation::named(call.word("activation"));
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), &dims);
    let kernels = call.product("w", &[outs, depth, 16])? / 16;
    let u = plan.temp(DType::F32, &[kernels, 16]);
    let x = call.buffer("x");
    let kernel = with_real!(call, call.dtype("x"), T => winograd_weights::<T>())?;
    plan.step(kernel, [call.buffer("w"), u.buffer(), kernels.into()]);
    let kernel = with_real!(call, call.dtype("x"), T => winograd::<T>(bias_rows, activation))?;
    let sizes = [dims[0], depth, outs, rows, columns, out_rows, out_columns, pad_rows, pad_columns];
    plan.step(kernel, [x, u.buffer(), bias, y.buffer()].into_iter().chain(sizes.map(Arg::from)));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let Shape { depth, outs, axes, y: dims, .. } = shape(known).expect("checked by the plan");
    let [rows, out_rows, pad_rows] = [0, 2, 4].map(|i| axes[1][i] as usize);
    let [columns, out_columns, pad_columns] = [0, 2, 4].map(|i| axes[2][i] as usize);
    let (x, w) = (known.float("x"), known.float("w"));
    let mut all = direct(known);
    // A tile mixes the 4x4 places under it: each stands in up to 3x3 sums, which meet up to the kernel's magnitudes.
    let mut magnitude = Vec::new();
    for at in 0..dims.iter().map(|&e| e as usize).product() {
        let (column, row) = (at % out_columns / 2 * 2, at / out_columns % out_rows / 2 * 2);
        let (o, image) = (
            at / out_columns / out_rows % outs as usize,
            at / out_columns / out_rows / outs as usize,
        );
        let mut sum = if known.has("bias") { known.float("bias")[o].abs() } else { 0.0 };
        for d in 0..depth as usize {
            let kernel = &w[(o * depth as usize + d) * 9..][..9];
            let mut patch = 0.0;
            for (r, c) in (row..row + 4).flat_map(|r| (column..column + 4).map(move |c| (r, c))) {
                if r >= pad_rows
                    && r < rows + pad_rows
                    && c >= pad_columns
                    && c < columns + pad_columns
                {
                    let line = (image * depth as usize + d) * rows + r - pad_rows;
                    patch += x[line * columns + c - pad_columns].abs();
                }
            }
            sum += 9.0 * patch * kernel.iter().map(|w| w.abs()).sum::<f64>();
        }
        magnitude.push(sum);
    }
    all[0].magnitude = Some(magnitude);
    all
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        let of = |name, x, w, pads: &'static [[u32; 3]]| case(dtype, (name, x, w, pads, 1));
        // Small whole numbers: the transforms halve twice, and every step is exact.
        let same = of("same", &[2, 3, 7, 9], &[4, 3, 3, 3], &[[1, 1, 1], [1, 1, 1]]);
        all.push(same.clone());
        all.push(of("one place", &[1, 1, 3, 3], &[1, 1, 3, 3], &[[1, 0, 1], [1, 0, 1]]));
        all.push(of("padding", &[1, 2, 1, 6], &[3, 2, 3, 3], &[[1, 2, 1], [1, 0, 1]]));
        all.push(of("no images", &[0, 2, 4, 4], &[3, 2, 3, 3], &[[1, 0, 1], [1, 0, 1]]).empty());
        // Filters and patches pass 4 roundings each, the result 4 and the bias's.
        all.push(with_bias(same, 4, 3 + 13, "silu"));
    }
    all
}
