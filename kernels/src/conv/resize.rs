//! Images made larger or smaller: nearest, bilinear or bicubic, pixels as squares (half-pixel centres).
//!
//! Place r of n rows of `y` lies at `(r + 1/2) m / n - 1/2` of the m rows of `x`. `nearest` takes the pixel that holds the place,
//! `bilinear` its two neighbours, `bicubic` four, by Keys' (1981) kernel with a = -3/4; places outside are those at the edge.
//! `x` is [batch, channels, rows, columns]. Places and fractions are found in integers, exactly.

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("resize", "conv", plan, reference, cases)
    .summary("y[b,c,i,j] = x[b,c] at ((i + 1/2) rows/out_rows - 1/2, (j + 1/2) columns/out_columns - 1/2)")
    .inputs(&[InputSpec::new("x", REALS, "[batch, channels, rows, columns]").strided()])
    .outputs(&[OutputSpec::new("y", "[batch, channels, out_rows, out_columns], dtype of x")])
    .settings(&[
            SettingSpec::required_int("out_rows", "rows of y"),
            SettingSpec::required_int("out_columns", "columns of y"),
        ])
    .words(&[WordSpec::new("filter", &["nearest", "bilinear", "bicubic"], "how it is read")]);

/// How a place between pixels is read: from how many neighbours along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// One.
    Nearest,
    /// Two.
    Bilinear,
    /// Four.
    Bicubic,
}

impl Filter {
    fn named(word: &str) -> Filter {
        match word {
            "bilinear" => Filter::Bilinear,
            "bicubic" => Filter::Bicubic,
            _ => Filter::Nearest,
        }
    }
}

/// `|t| <= 1` of Keys' kernel.
#[device]
fn near(t: Val<f32>) -> Val<f32> {
    fma(fma(t, 1.25, -2.25) * t, t, lit::<f32>(1.0))
}

/// `1 < |t| < 2` of it.
#[device]
fn far(t: Val<f32>) -> Val<f32> {
    fma(fma(fma(t, -0.75, 3.75), t, -6.0), t, lit::<f32>(3.0))
}

/// The pixels along an axis of `extent` that place `i` of `out` reads, and their weights.
#[device]
fn taps(filter: Filter, i: Val<u32>, extent: Val<u32>, out: Val<u32>) -> Vec<(Val<u32>, Val<f32>)> {
    // Twice the place times `out`, with one pixel added so that it stays above 0.
    let place = (i * 2 + 1) * extent;
    if filter == Filter::Nearest {
        vec![(place / (out * 2), lit::<f32>(1.0))]
    } else {
        let shifted = place + out;
        let above = shifted / (out * 2);
        let t = (shifted % (out * 2)) as f32 / ((out * 2) as f32);
        // `above` is one more than the pixel at or before the place.
        let pixel = |k: u32| min(max(above + k, 2) - 2, extent - 1);
        match filter {
            Filter::Nearest => unreachable!("answered above"),
            Filter::Bilinear => vec![(pixel(1), 1.0 - t), (pixel(2), t)],
            Filter::Bicubic => vec![
                (pixel(0), far(t + 1.0)),
                (pixel(1), near(t)),
                (pixel(2), near(1.0 - t)),
                (pixel(3), far(2.0 - t)),
            ],
        }
    }
}

/// Definition: a thread an element of `y`.
#[kernel(group = 256, grid = (batch * channels * out_rows * out_columns).div_ceil(256))]
pub fn resize<T: Real>(
    #[shape(batch, channels, rows, columns)] x: &InView<T, 4>,
    #[len(batch * channels * out_rows * out_columns)] y: &mut Out<T>,
    batch: u32,
    channels: u32,
    rows: u32,
    columns: u32,
    out_rows: u32,
    out_columns: u32,
    #[comptime] filter: Filter,
) {
    let at = global_id();
    if at < batch * channels * out_rows * out_columns {
        let (row, plane) = (at / out_columns % out_rows, at / out_columns / out_rows);
        let (image, channel) = (plane / channels, plane % channels);
        let over_columns = taps(filter, at % out_columns, columns, out_columns);
        let mut sum = -0.0f32;
        for (r, by_row) in taps(filter, row, rows, out_rows) {
            let mut line = -0.0f32;
            for (c, by_column) in over_columns.iter().copied() {
                line = fma(by_column, x[[image, channel, r, c]] as f32, line);
            }
            sum = fma(by_row, line, sum);
        }
        y[at] = sum as T;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [batch, channels, rows, columns] = call.shape("x")?;
    let out_rows = call.int_in("out_rows", 0..=1 << 15)?;
    let out_columns = call.int_in("out_columns", 0..=1 << 15)?;
    for (what, extent) in [("the rows of `x`", rows), ("the columns of `x`", columns)] {
        call.expect((1..=1 << 15).contains(&extent), what, "1 to 32768", extent)?;
    }
    let shape = [batch, channels, out_rows, out_columns];
    call.product("y", &shape)?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), &shape);
    let filter = Filter::named(call.word("filter"));
    let kernel = with_real!(call, call.dtype("x"), T => resize::<T>(filter))?;
    let sizes = [batch, channels, rows, columns, out_rows, out_columns].map(Arg::from);
    plan.step(kernel, [call.view("x"), y.buffer()].into_iter().chain(sizes));
    Ok(plan)
}

/// Pixels and weights of a place, in f64.
fn weights(filter: &str, i: usize, extent: usize, out: usize) -> Vec<(usize, f64)> {
    let place = (i as f64 + 0.5) * extent as f64 / out as f64 - 0.5;
    let keys = |t: f64| match t.abs() {
        t if t <= 1.0 => 1.25 * t * t * t - 2.25 * t * t + 1.0,
        t => -0.75 * (t * t * t - 5.0 * t * t + 8.0 * t - 4.0),
    };
    let (reach, weight): (i64, &dyn Fn(f64) -> f64) = match filter {
        "bilinear" => (1, &|t: f64| 1.0 - t.abs()),
        "bicubic" => (2, &keys),
        _ => return vec![((2 * i + 1) * extent / (2 * out), 1.0)],
    };
    let base = place.floor() as i64;
    let tap = |k: i64| {
        ((base + k).clamp(0, extent as i64 - 1) as usize, weight(place - (base + k) as f64))
    };
    (1 - reach..=reach).map(tap).collect()
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let x = known.float("x");
    let [planes, channels, rows, columns] = [0, 1, 2, 3].map(|axis| known.extent("x", axis));
    let [out_rows, out_columns] = ["out_rows", "out_columns"].map(|s| Call::int(known, s) as usize);
    let filter = known.word("filter");
    let (mut y, mut errors) = (Vec::new(), Vec::new());
    for plane in 0..planes * channels {
        for row in 0..out_rows {
            for column in 0..out_columns {
                let (mut sum, mut size) = (-0.0, 0.0);
                for (r, by_row) in weights(filter, row, rows, out_rows) {
                    for (c, by_column) in weights(filter, column, columns, out_columns) {
                        let value = x[(plane * rows + r) * columns + c];
                        sum += by_row * by_column * value;
                        // Weights are up to 1, and off by roundings of 1 rather than of themselves.
                        size += value.abs();
                    }
                }
                y.push(sum);
                errors.push(if filter == "nearest" { 0.0 } else { size });
            }
        }
    }
    vec![Expected::sum("y", y, errors)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for filter in ["nearest", "bilinear", "bicubic"] {
        let case = |name: &str, dtype, x: [u32; 4], [rows, columns]: [u32; 2]| {
            // A quotient, a polynomial of degree 3 whose steps reach 6, for two axes; four sums each.
            let bound = if filter == "nearest" { Exact } else { Bound::sum(40.0) };
            Case::new(format!("{filter} {name}"), dtype)
                .word("filter", filter)
                .input("x", &x, Pattern::normal(1))
                .set("out_rows", rows)
                .set("out_columns", columns)
                .bound(bound)
        };
        for &dtype in REALS {
            all.push(case("larger", dtype, [2, 3, 5, 7], [12, 9]));
            all.push(case("smaller", dtype, [1, 2, 13, 9], [4, 9]));
        }
        let f32 = DType::F32;
        all.push(case("one pixel", f32, [1, 2, 1, 1], [3, 5]));
        all.push(case("twice", f32, [1, 1, 4, 6], [8, 12]));
        // The same size gives the same pixels, bit for bit.
        all.push(case("same", f32, [1, 2, 6, 5], [6, 5]).bound(Exact));
        let view = TensorDesc::strided(f32, &[1, 3, 4, 5], &[0, 1, 16, 3], 2);
        all.push(case("view", f32, [1, 3, 4, 5], [7, 3]).view("x", view, Pattern::normal(2)));
        all.push(case("no images", f32, [0, 2, 4, 4], [3, 3]).empty());
        all.push(case("no rows", f32, [1, 2, 4, 4], [0, 3]).empty());
    }
    all
}
