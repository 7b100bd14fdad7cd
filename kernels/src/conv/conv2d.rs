//! Direct convolution of images: `y[b,o,r,c] = f(bias[o] + sum_{d,i,j} w[o,d,i,j] x[b, g depth + d, r s - p +
//! i t, c s - p + j t])` with stride s, padding p, dilation t along each axis, and g the group of channel o.
//!
//! Layouts are [batch, channels, rows, columns] and [out channels, depth, rows, columns]; depth is the
//! channels of a group. The sum starts at -0.0 and runs over d, then i, then j by `fma(w, x, acc)`; places
//! outside the image are left out, so that an infinite or NaN weight does not meet a padded zero. A depthwise
//! convolution has as many groups as channels; one of signals has one row.

use crate::{
    pieces::epilogue::{Activation, activate},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry {
    name: "conv2d",
    family: "conv",
    summary: "y[b,o,r,c] = f(bias[o] + sum_{d,i,j} w[o,d,i,j] x[b,g depth+d,r s-p+i t,c s-p+j t])",
    signature: Signature {
        inputs: &[
            InputSpec::new("x", REALS, "[batch, groups * depth, rows, columns]").strided(),
            InputSpec::like("w", "x", "[out channels, depth, kernel rows, kernel columns]")
                .strided(),
            InputSpec::like("bias", "x", "[out channels]").optional(),
        ],
        outputs: &[OutputSpec::new("y", "[batch, out channels, rows, columns], dtype of x")],
        settings: &[
            SettingSpec::int("stride_rows", 1, "rows between two places of the kernel"),
            SettingSpec::int("stride_columns", 1, "columns between two places of the kernel"),
            SettingSpec::int("pad_rows", 0, "rows outside the image, above and below"),
            SettingSpec::int("pad_columns", 0, "columns outside the image, left and right"),
            SettingSpec::int("dilation_rows", 1, "rows between two weights"),
            SettingSpec::int("dilation_columns", 1, "columns between two weights"),
            SettingSpec::int("groups", 1, "groups of channels that do not meet"),
        ],
        words: &[WordSpec::new("activation", Activation::WORDS, "f")],
    },
    plan,
    reference,
    cases,
    bench,
};

/// Definition: a thread an element of `y`.
#[kernel(group = 256, grid = (batch * out_channels * out_rows * out_columns).div_ceil(256))]
pub fn conv2d<T: Real>(
    #[shape(batch, groups * depth, rows, columns)] x: &InView<T, 4>,
    #[shape(out_channels, depth, kernel_rows, kernel_columns)] w: &InView<T, 4>,
    #[len(out_channels * bias_rows)] bias: &In<T>,
    #[len(batch * out_channels * out_rows * out_columns)] y: &mut Out<T>,
    batch: u32,
    groups: u32,
    depth: u32,
    rows: u32,
    columns: u32,
    out_channels: u32,
    kernel_rows: u32,
    kernel_columns: u32,
    out_rows: u32,
    out_columns: u32,
    stride_rows: u32,
    stride_columns: u32,
    pad_rows: u32,
    pad_columns: u32,
    dilation_rows: u32,
    dilation_columns: u32,
    #[comptime] bias_rows: u32,
    #[comptime] activation: Activation,
) {
    let at = global_id();
    if at < batch * out_channels * out_rows * out_columns {
        let column = at % out_columns * stride_columns;
        let row = at / out_columns % out_rows * stride_rows;
        let channel = at / (out_columns * out_rows) % out_channels;
        let image = at / (out_columns * out_rows * out_channels);
        let first = channel / (out_channels / groups) * depth;
        let mut acc = -0.0f32;
        for d in 0..depth {
            for i in 0..kernel_rows {
                let r = row + i * dilation_rows;
                if r >= pad_rows && r < rows + pad_rows {
                    for j in 0..kernel_columns {
                        let c = column + j * dilation_columns;
                        if c >= pad_columns && c < columns + pad_columns {
                            let v = x[[image, first + d, r - pad_rows, c - pad_columns]] as f32;
                            acc = fma(w[[channel, d, i, j]] as f32, v, acc);
                        }
                    }
                }
            }
        }
        let sum = if bias_rows > 0 { acc + (bias[channel] as f32) } else { acc };
        y[at] = activate(sum, activation) as T;
    }
}

/// Places of a kernel of `taps` along an axis of `extent`; an error where it does not fit once.
fn places(call: &Call<'_>, axis: &str, extent: u32, taps: u32) -> Result<[u32; 4], PlanError> {
    let most = 1 << 24;
    let stride = call.int_in(&format!("stride_{axis}"), 1..=most)?;
    let pad = call.int_in(&format!("pad_{axis}"), 0..=most)?;
    let dilation = call.int_in(&format!("dilation_{axis}"), 1..=most)?;
    let reach = u64::from(dilation) * u64::from(taps.saturating_sub(1)) + 1;
    let room = u64::from(extent) + 2 * u64::from(pad);
    call.require(taps > 0 && reach <= room && room <= u64::from(u32::MAX), || {
        let want = format!("at least 1 and, with dilation {dilation}, reach at most {room} {axis}");
        (format!("the kernel's {axis}"), want, format!("{taps} (reach {reach})"))
    })?;
    Ok([((room - reach) / u64::from(stride)) as u32 + 1, stride, pad, dilation])
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [batch, channels, rows, columns] = call.shape::<4>("x")?;
    let [out_channels, depth, kernel_rows, kernel_columns] = call.shape::<4>("w")?;
    let groups = call.int_in("groups", 1..=i64::from(u32::MAX))?;
    call.require(u64::from(groups) * u64::from(depth) == u64::from(channels), || {
        ("the channels of `x`".into(), format!("{groups} groups of {depth}"), channels.to_string())
    })?;
    call.require(out_channels % groups == 0, || {
        (
            "the out channels of `w`".into(),
            format!("a multiple of {groups}"),
            out_channels.to_string(),
        )
    })?;
    let [out_rows, stride_rows, pad_rows, dilation_rows] = places(call, "rows", rows, kernel_rows)?;
    let [out_columns, stride_columns, pad_columns, dilation_columns] =
        places(call, "columns", columns, kernel_columns)?;
    let shape = [batch, out_channels, out_rows, out_columns];
    call.product("y", &shape)?;
    let (bias_rows, bias) = if call.has("bias") {
        call.expect_shape("bias", &[out_channels])?;
        (1, call.buffer("bias"))
    } else {
        (0, TensorRef::Input("x".into()).buffer())
    };
    let dtype = call.dtype("x");
    let activation = Activation::named(call.word("activation"));
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, &shape);
    let kernel = with_real!(call, dtype, T => conv2d::<T>(bias_rows, activation))?;
    #[rustfmt::skip]
    let scalars = [
        batch, groups, depth, rows, columns, out_channels, kernel_rows, kernel_columns, out_rows, out_columns,
        stride_rows, stride_columns, pad_rows, pad_columns, dilation_rows, dilation_columns,
    ];
    let tensors = [call.view("x"), call.view("w"), bias, y.buffer()];
    plan.step(kernel, tensors.into_iter().chain(scalars.map(Arg::from)));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, w) = (known.float("x"), known.float("w"));
    let [batch, channels, rows, columns] =
        known.shape::<4>("x").expect("checked by the plan").map(i64::from);
    let [outs, depth, high, wide] =
        known.shape::<4>("w").expect("checked by the plan").map(i64::from);
    let set = |name: &str| Call::int(known, name);
    let out = |extent: i64, taps: i64, axis: &str| {
        let reach = set(&format!("dilation_{axis}")) * (taps - 1) + 1;
        (extent + 2 * set(&format!("pad_{axis}")) - reach) / set(&format!("stride_{axis}")) + 1
    };
    let f = Activation::named(known.word("activation"));
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for image in 0..batch {
        for o in 0..outs {
            for row in 0..out(rows, high, "rows") {
                for column in 0..out(columns, wide, "columns") {
                    let (mut sum, mut terms) = (-0.0, 0.0);
                    for d in 0..depth {
                        for i in 0..high {
                            for j in 0..wide {
                                let r = row * set("stride_rows") - set("pad_rows")
                                    + i * set("dilation_rows");
                                let c = column * set("stride_columns") - set("pad_columns")
                                    + j * set("dilation_columns");
                                if r < 0 || r >= rows || c < 0 || c >= columns {
                                    continue;
                                }
                                let channel = o * set("groups") / outs * depth + d;
                                let left = w[(((o * depth + d) * high + i) * wide + j) as usize];
                                let at = ((image * channels + channel) * rows + r) * columns + c;
                                sum += left * x[at as usize];
                                terms += (left * x[at as usize]).abs();
                            }
                        }
                    }
                    if known.has("bias") {
                        sum += known.float("bias")[o as usize];
                        terms += known.float("bias")[o as usize].abs();
                    }
                    y.push(f.f64(sum));
                    magnitude.push(terms);
                }
            }
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

/// A term passes as many roundings as there are terms and one with the bias; none of the functions is
/// steeper than 1.13 or has more than 1.5 ULP in f32, and the store rounds.
fn bound(dtype: DType, terms: u32) -> Bound {
    let ulps = if dtype == DType::F32 { 2.5 } else { 0.51 };
    Bound::Sum { ulps, eps_of: DType::F32, factor: 1.13 * f64::from(terms + 2) }
}

/// Shape of x, shape of w, strides, pads, dilations, groups.
type Shape = ([u32; 4], [u32; 4], [u32; 2], [u32; 2], [u32; 2], u32);

#[rustfmt::skip]
const SHAPES: [(&str, Shape); 10] = [
    ("one",           ([1, 1, 1, 1],   [1, 1, 1, 1], [1, 1], [0, 0], [1, 1], 1)),
    ("3x3",           ([2, 3, 7, 9],   [4, 3, 3, 3], [1, 1], [1, 1], [1, 1], 1)),
    ("no padding",    ([1, 2, 6, 5],   [3, 2, 3, 2], [1, 1], [0, 0], [1, 1], 1)),
    ("strides",       ([1, 2, 11, 13], [2, 2, 3, 3], [2, 3], [1, 0], [1, 1], 1)),
    ("dilation",      ([1, 2, 12, 11], [2, 2, 3, 2], [1, 1], [2, 1], [2, 3], 1)),
    ("all of them",   ([2, 4, 13, 10], [6, 2, 3, 4], [2, 1], [3, 2], [2, 3], 2)),
    ("depthwise",     ([2, 5, 6, 7],   [5, 1, 3, 3], [1, 2], [1, 1], [1, 1], 5)),
    ("depth of two",  ([1, 3, 5, 6],   [6, 1, 2, 3], [1, 1], [0, 1], [1, 1], 3)),
    ("patches",       ([1, 3, 12, 8],  [5, 3, 4, 4], [4, 4], [0, 0], [1, 1], 1)),
    ("padding alone", ([1, 1, 1, 2],   [1, 1, 2, 2], [1, 1], [3, 2], [1, 1], 1)),
];

fn case(name: &str, dtype: DType, (x, w, s, p, d, groups): Shape) -> Case {
    Case::new(name, dtype)
        .input("x", &x, Pattern::Positions)
        .input("w", &w, Pattern::Positions)
        .set("stride_rows", s[0])
        .set("stride_columns", s[1])
        .set("pad_rows", p[0])
        .set("pad_columns", p[1])
        .set("dilation_rows", d[0])
        .set("dilation_columns", d[1])
        .set("groups", groups)
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for &dtype in REALS {
        // Small whole numbers, so that sums are exact.
        for (name, shape) in SHAPES {
            cases.push(case(name, dtype, shape));
        }
        for (i, &word) in Activation::WORDS.iter().enumerate() {
            let (_, shape @ (x, w, ..)) = SHAPES[1 + i];
            cases.push(
                case(&format!("bias {word}"), dtype, shape)
                    .input("x", &x, Pattern::normal(1 + i as u64))
                    .input("w", &w, Pattern::normal(8))
                    .input("bias", &[w[0]], Pattern::normal(9))
                    .word("activation", word)
                    .bound(bound(dtype, w[1] * w[2] * w[3])),
            );
        }
        for (name, x, w) in [
            ("no images", [0, 2, 4, 4], [3, 2, 3, 3]),
            ("no out channels", [1, 2, 4, 4], [0, 2, 3, 3]),
        ] {
            cases.push(case(name, dtype, (x, w, [1, 1], [1, 1], [1, 1], 1)).empty());
        }
        // The sum of nothing is -0.0.
        cases.push(case(
            "no channels",
            dtype,
            ([2, 0, 3, 3], [2, 0, 2, 2], [1, 1], [0, 0], [1, 1], 1),
        ));
        // An infinite weight does not meet the padding.
        let infinite = Pattern::Positions.with(&[(0, f64::INFINITY), (17, f64::NAN)]);
        let (_, shape) = SHAPES[1];
        cases.push(case("infinite weight", dtype, shape).input("w", &shape.1, infinite));
        // Images whose channels lie innermost, with a gap, and weights that one channel shares with all.
        let inner = TensorDesc::strided(dtype, &[2, 3, 5, 6], &[500, 1, 40, 4], 3);
        let again = TensorDesc::strided(dtype, &[4, 3, 3, 3], &[0, 9, 1, 3], 1);
        let weights = Pattern::Cycle((0..27).map(|i| f64::from(i % 11) - 5.0).collect());
        let shape = ([2, 3, 5, 6], [4, 3, 3, 3], [1, 2], [1, 0], [1, 1], 1);
        cases.push(
            case("views", dtype, shape)
                .view("x", inner, Pattern::Positions)
                .view("w", again, weights),
        );
    }
    cases
}

fn bench(_: &Entry) -> Vec<Bench> {
    let shape = ([1, 32, 56, 56], [32, 32, 3, 3], [1, 1], [1, 1], [1, 1], 1);
    let outs = 32 * 56 * 56u64;
    let case = case("32 channels of 56x56", DType::F32, shape)
        .input("x", &shape.0, Pattern::normal(1))
        .input("w", &shape.1, Pattern::normal(2))
        .bound(bound(DType::F32, 288));
    vec![Bench { case, bytes: 4 * (2 * outs + 9216), flops: 2 * 288 * outs, scale: Scale::Host }]
}
