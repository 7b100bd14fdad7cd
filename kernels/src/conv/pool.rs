//! Pools: the greatest element, or the mean, of each window of an image.
//!
//! `y[b,c,r,q]` is over the places `r s - p + i`, `q s - p + j` of `x[b,c]` that lie inside, i and j the rows and columns of the
//! window, with stride s and padding p; the mean divides by as many as there are. A pool of signals has one row. NaN in a
//! window is its greatest element. The mean is summed in f32 from -0.0, row by row.

use crate::{
    pieces::fold::{Fold, combine, identity},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("pool2d", "conv", plan, reference, cases)
    .summary("y[b,c,r,q] = greatest or mean of x[b,c,r s-p+i,q s-p+j] inside")
    .inputs(&[InputSpec::new("x", REALS, "[batch, channels, rows, columns]").strided()])
    .outputs(&[OutputSpec::new("y", "[batch, channels, rows, columns], dtype of x")])
    .settings(&[
        SettingSpec::required_int("window_rows", "rows of a window"),
        SettingSpec::required_int("window_columns", "columns of a window"),
        SettingSpec::int("stride_rows", 0, "rows between two windows; 0: those of a window"),
        SettingSpec::int("stride_columns", 0, "columns between two; 0: those of a window"),
        SettingSpec::int("pad_rows", 0, "rows outside at both ends, fewer than a window's"),
        SettingSpec::int("pad_columns", 0, "columns outside, fewer than a window's"),
    ])
    .words(&[WordSpec::new("op", &["max", "mean"], "what is taken of a window")]);

/// Definition: a thread an element of `y`.
#[kernel(group = 256, grid = (batch * channels * out_rows * out_columns).div_ceil(256))]
pub fn pool2d<T: Real>(
    #[shape(batch, channels, rows, columns)] x: &InView<T, 4>,
    #[len(batch * channels * out_rows * out_columns)] y: &mut Out<T>,
    batch: u32,
    channels: u32,
    rows: u32,
    window_rows: u32,
    out_rows: u32,
    stride_rows: u32,
    pad_rows: u32,
    columns: u32,
    window_columns: u32,
    out_columns: u32,
    stride_columns: u32,
    pad_columns: u32,
    #[comptime] fold: Fold,
) {
    let at = global_id();
    if at < batch * channels * out_rows * out_columns {
        let (left, top) =
            (at % out_columns * stride_columns, at / out_columns % out_rows * stride_rows);
        let plane = at / out_columns / out_rows;
        let (image, channel) = (plane / channels, plane % channels);
        // The places inside, from the first to the one behind the last, counted with the padding.
        let (first_row, first_column) = (max(top, pad_rows), max(left, pad_columns));
        let end_row = min(top + window_rows, rows + pad_rows);
        let end_column = min(left + window_columns, columns + pad_columns);
        let mut all = identity::<f32>(fold);
        for r in first_row..end_row {
            for c in first_column..end_column {
                let v = x[[image, channel, r - pad_rows, c - pad_columns]] as f32;
                all = combine(fold, all, v);
            }
        }
        if fold == Fold::Sum {
            all = all / (((end_row - first_row) * (end_column - first_column)) as f32);
        }
        y[at] = all as T;
    }
}

/// Extent, window, windows, stride and padding of an axis.
fn places(call: &Call<'_>, axis: &str, extent: u32) -> Result<[u32; 5], PlanError> {
    let window = call.int_in(&format!("window_{axis}"), 1..=1 << 24)?;
    let stride = match call.int_in(&format!("stride_{axis}"), 0..=1 << 24)? {
        0 => window,
        stride => stride,
    };
    let pad = call.int_in(&format!("pad_{axis}"), 0..=i64::from(window) - 1)?;
    let room = u64::from(extent) + 2 * u64::from(pad);
    call.require(room >= window.into() && extent > 0 && room < 1 << 31, || {
        (format!("the {axis} of `x` with padding"), format!("{window} to 2^31"), room.to_string())
    })?;
    Ok([extent, window, (room as u32 - window) / stride + 1, stride, pad])
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [batch, channels, rows, columns] = call.shape("x")?;
    let axes = [places(call, "rows", rows)?, places(call, "columns", columns)?];
    let shape = [batch, channels, axes[0][2], axes[1][2]];
    call.product("y", &shape)?;
    let fold = if call.word("op") == "mean" { Fold::Sum } else { Fold::Max };
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), &shape);
    let kernel = with_real!(call, call.dtype("x"), T => pool2d::<T>(fold))?;
    let sizes = [batch, channels].into_iter().chain(axes.into_iter().flatten());
    plan.step(kernel, [call.view("x"), y.buffer()].into_iter().chain(sizes.map(Arg::from)));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let x = known.float("x");
    let [batch, channels, rows, columns] = [0, 1, 2, 3].map(|axis| known.extent("x", axis) as i64);
    let [[high, down, above], [wide, right, before]] = ["rows", "columns"].map(|axis| {
        let [window, stride, pad] =
            ["window", "stride", "pad"].map(|what| Call::int(known, &format!("{what}_{axis}")));
        [window, if stride == 0 { window } else { stride }, pad]
    });
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for plane in 0..batch * channels {
        for top in (-above..=rows + above - high).step_by(down as usize) {
            for left in (-before..=columns + before - wide).step_by(right as usize) {
                let mut window = Vec::new();
                for r in (top..top + high).filter(|r| (0..rows).contains(r)) {
                    for c in (left..left + wide).filter(|c| (0..columns).contains(c)) {
                        window.push(x[((plane * rows + r) * columns + c) as usize]);
                    }
                }
                let n = window.len() as f64;
                y.push(match known.word("op") {
                    "mean" => window.iter().fold(-0.0, |a, x| a + x) / n,
                    _ => window
                        .iter()
                        .fold(f64::NEG_INFINITY, |a, &x| if a.is_nan() || a > x { a } else { x }),
                });
                magnitude.push(window.iter().map(|x| x.abs()).sum::<f64>() / n);
            }
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for op in ["max", "mean"] {
        let case = |name: &str, dtype, x: [u32; 4], window: [u32; 2]| {
            // A rounding a term, and the quotient's.
            let bound = Bound::sum(f64::from(window[0] * window[1]) + 1.0);
            Case::new(format!("{op} {name}"), dtype)
                .word("op", op)
                .input("x", &x, Pattern::normal(1))
                .set("window_rows", window[0])
                .set("window_columns", window[1])
                .bound(if op == "max" { Exact } else { bound })
        };
        for &dtype in REALS {
            all.push(case("halves", dtype, [2, 3, 7, 8], [2, 2]));
            let overlap = case("overlap", dtype, [1, 2, 9, 6], [3, 4]);
            let overlap = overlap.set("stride_rows", 2).set("stride_columns", 1);
            all.push(overlap.set("pad_rows", 1).set("pad_columns", 3));
        }
        let f32 = DType::F32;
        all.push(case("one", f32, [1, 1, 1, 1], [1, 1]));
        all.push(case("all", f32, [2, 2, 5, 7], [5, 7]));
        all.push(case("signals", f32, [2, 3, 1, 20], [1, 5]).set("stride_columns", 7));
        let inner = TensorDesc::strided(f32, &[2, 3, 4, 5], &[70, 1, 16, 3], 2);
        all.push(case("view", f32, [2, 3, 4, 5], [2, 3]).view("x", inner, Pattern::normal(2)));
        let edges = Pattern::Cycle(vec![
            f64::NEG_INFINITY,
            -3.0,
            f64::NEG_INFINITY,
            f64::NAN,
            1.0,
            f64::INFINITY,
        ]);
        all.push(case("edges", f32, [1, 1, 6, 2], [2, 1]).input("x", &[1, 1, 6, 2], edges));
        all.push(case("empty", f32, [0, 2, 4, 4], [2, 2]).empty());
    }
    all
}
