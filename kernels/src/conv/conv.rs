//! Direct convolutions and their transposes over one, two or three axes:
//! `y[b,o,..] = f(bias[o] + sum_{d,i,..} w[o,d,i,..] x[b,g depth + d,..])`.
//!
//! Along each axis tap i of the kernel at place r of `y` meets place `r s - p + i t` of `x`, with stride s, padding p, dilation
//! t; transposed, place q of `x` meets place `q s - p + i t` of `y`. g is the group of channel o, depth the channels of a group.
//! Layouts are [batch, channels, places..], and [out channels, depth, taps..] or, transposed, [channels, out channels of a
//! group, taps..]. The sum starts at -0.0 and runs over d, then the taps, the last axis innermost, by `fma(w, x, acc)`; places
//! outside are left out, so that an infinite or NaN weight does not meet a padded zero. A depthwise convolution has as many
//! groups as channels; patches are embedded by a stride of the kernel's size.

use crate::{
    pieces::epilogue::{Activation, activate},
    prelude::*,
};

/// The axes of places; an operation has the last ones.
const AXES: [&str; 3] = ["planes", "rows", "columns"];

macro_rules! axis {
    ($($name:literal)*) => { [
        SettingSpec::int("groups", 1, "groups of channels that do not meet"),
        $(
            SettingSpec::int(concat!("stride_", $name), 1, "places between two places of the kernel"),
            SettingSpec::int(concat!("pad_", $name), 0, "places outside at both ends"),
            SettingSpec::int(concat!("dilation_", $name), 1, "places between two taps"),
        )*
    ] };
}
const SETTINGS: &[SettingSpec] = &axis!("columns" "rows" "planes");

const OUTPUTS: &[OutputSpec] =
    &[OutputSpec::new("y", "[batch, out channels, places..], dtype of x")];
const WORDS: &[WordSpec] = &[WordSpec::new("activation", Activation::WORDS, "f")];

const fn inputs(x: &'static str, w: &'static str) -> [InputSpec; 3] {
    [
        InputSpec::new("x", REALS, x).strided(),
        InputSpec::like("w", "x", w).strided(),
        InputSpec::like("bias", "x", "[out channels]").optional(),
    ]
}

const fn entry(
    name: &'static str,
    summary: &'static str,
    rank: usize,
    inputs: &'static [InputSpec],
) -> Entry {
    let signature = Signature {
        inputs,
        outputs: OUTPUTS,
        settings: SETTINGS.split_at(1 + 3 * rank).0,
        words: WORDS,
    };
    Entry { name, family: "conv", summary, signature, plan, reference, cases, bench }
}

const SUM: &str = "y[b,o,r..] = f(bias[o] + sum_{d,i..} w[o,d,i..] x[b,g depth+d,r s-p+i t..])";
const TRANSPOSED: &str =
    "y[b,o,r..] = f(bias[o] + sum_{d,i..} w[g depth+d,o,i..] x[b,g depth+d,q..]), r = q s-p+i t";

/// The operations.
pub const ENTRIES: &[Entry] = &[
    entry("conv1d", SUM, 1, &inputs("[batch, groups * depth, columns]", "[outs, depth, taps]")),
    CONV2D,
    entry(
        "conv3d",
        SUM,
        3,
        &inputs(
            "[batch, groups * depth, planes, rows, columns]",
            "[outs, depth, taps, taps, taps]",
        ),
    ),
    entry(
        "conv_transpose1d",
        TRANSPOSED,
        1,
        &inputs("[batch, groups * depth, columns]", "[groups * depth, outs / groups, taps]"),
    ),
    entry(
        "conv_transpose2d",
        TRANSPOSED,
        2,
        &inputs(
            "[batch, groups * depth, rows, columns]",
            "[groups * depth, outs / groups, taps, taps]",
        ),
    ),
];
/// Of images.
pub const CONV2D: Entry = entry(
    "conv2d",
    SUM,
    2,
    &inputs("[batch, groups * depth, rows, columns]", "[outs, depth, taps, taps]"),
);

/// An axis of places at run time.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) extent: Val<u32>,
    pub(super) taps: Val<u32>,
    pub(super) stride: Val<u32>,
    pub(super) pad: Val<u32>,
    pub(super) dilation: Val<u32>,
}

#[device]
impl Axis {
    /// The place of `x`, counted from the padding on, that a tap meets at place `at` of `y`.
    pub(super) fn at(self, at: Val<u32>, tap: Val<u32>) -> Val<u32> {
        at * self.stride + tap * self.dilation
    }

    /// Whether such a place is one of `x`.
    pub(super) fn holds(self, place: Val<u32>) -> Val<bool> {
        place >= self.pad && place < self.extent + self.pad
    }
}

/// Calls `body(tap, place)` for each tap along an axis that meets a place of `x` at place `at` of `y`. An axis that is not
/// there has one of each.
#[device]
fn meet(
    there: bool,
    transposed: bool,
    at: Val<u32>,
    axis: Axis,
    body: impl Fn(Val<u32>, Val<u32>),
) {
    if !there {
        body(val(0u32), val(0u32));
    } else {
        for i in val(0u32)..axis.taps {
            if transposed {
                let (from, back) = (at + axis.pad, i * axis.dilation);
                let place = (from - back) / axis.stride;
                if from >= back && (from - back) % axis.stride == 0 && place < axis.extent {
                    body(i, place);
                }
            } else {
                let place = axis.at(at, i);
                if axis.holds(place) {
                    body(i, place - axis.pad);
                }
            }
        }
    }
}

/// Definition: a thread an element of `y`.
#[kernel(
    group = 256,
    grid = (batch * out_channels * out_planes * out_rows * out_columns).div_ceil(256)
)]
pub fn conv<T: Real>(
    #[shape(batch, groups * depth, planes, rows, columns)] x: &InView<T, 5>,
    #[shape(w_outer, w_inner, tap_planes, tap_rows, tap_columns)] w: &InView<T, 5>,
    #[len(out_channels * bias_rows)] bias: &In<T>,
    #[len(batch * out_channels * out_planes * out_rows * out_columns)] y: &mut Out<T>,
    batch: u32,
    groups: u32,
    depth: u32,
    out_channels: u32,
    w_outer: u32,
    w_inner: u32,
    planes: u32,
    tap_planes: u32,
    out_planes: u32,
    stride_planes: u32,
    pad_planes: u32,
    dilation_planes: u32,
    rows: u32,
    tap_rows: u32,
    out_rows: u32,
    stride_rows: u32,
    pad_rows: u32,
    dilation_rows: u32,
    columns: u32,
    tap_columns: u32,
    out_columns: u32,
    stride_columns: u32,
    pad_columns: u32,
    dilation_columns: u32,
    #[comptime] rank: u32,
    #[comptime] transposed: bool,
    #[comptime] bias_rows: u32,
    #[comptime] activation: Activation,
) {
    let axis = |extent, taps, stride, pad, dilation| Axis { extent, taps, stride, pad, dilation };
    let over_planes = axis(planes, tap_planes, stride_planes, pad_planes, dilation_planes);
    let over_rows = axis(rows, tap_rows, stride_rows, pad_rows, dilation_rows);
    let over_columns = axis(columns, tap_columns, stride_columns, pad_columns, dilation_columns);
    let at = global_id();
    if at < batch * out_channels * out_planes * out_rows * out_columns {
        let (column, rest) = (at % out_columns, at / out_columns);
        let (row, rest) = (rest % out_rows, rest / out_rows);
        let (plane, rest) = (rest % out_planes, rest / out_planes);
        let (channel, image) = (rest % out_channels, rest / out_channels);
        let of_group = out_channels / groups;
        let first = channel / of_group * depth;
        let mut acc = -0.0f32;
        for d in 0..depth {
            let (outer, inner) =
                if transposed { (first + d, channel % of_group) } else { (channel, d) };
            meet(rank > 2, transposed, plane, over_planes, |h, p| {
                meet(rank > 1, transposed, row, over_rows, |i, r| {
                    meet(true, transposed, column, over_columns, |j, c| {
                        let v = x[[image, first + d, p, r, c]] as f32;
                        acc = fma(w[[outer, inner, h, i, j]] as f32, v, acc);
                    });
                });
            });
        }
        let sum = if bias_rows > 0 { acc + (bias[channel] as f32) } else { acc };
        y[at] = activate(sum, activation) as T;
    }
}

/// How many axes of places, and whether it is transposed.
fn kind(op: &str) -> (usize, bool) {
    let rank = if op.ends_with("1d") { 1 } else { 2 + usize::from(op.ends_with("3d")) };
    (rank, op.starts_with("conv_transpose"))
}

/// Extent, taps, places of `y`, stride, padding and dilation of an axis; an error where the kernel does not fit once.
pub(super) fn places(
    call: &Call<'_>,
    axis: &str,
    extent: u32,
    taps: u32,
) -> Result<[u32; 6], PlanError> {
    let most = 1 << 24;
    let stride = call.int_in(&format!("stride_{axis}"), 1..=most)?;
    let pad = call.int_in(&format!("pad_{axis}"), 0..=most)?;
    let dilation = call.int_in(&format!("dilation_{axis}"), 1..=most)?;
    let reach = u64::from(dilation) * u64::from(taps.saturating_sub(1)) + 1;
    let both = 2 * u64::from(pad);
    let out = if kind(call.op).1 {
        let room = u64::from(extent).saturating_sub(1) * u64::from(stride) + reach;
        call.require(taps > 0 && extent > 0 && room > both && room <= u32::MAX.into(), || {
            let want = format!("such that it makes more than the {both} {axis} of padding");
            (format!("the kernel's {axis}"), want, format!("{taps} (with `x` {room})"))
        })?;
        room - both
    } else {
        let room = u64::from(extent) + both;
        call.require(taps > 0 && reach <= room && room <= u32::MAX.into(), || {
            let want =
                format!("at least 1 and, with dilation {dilation}, reach at most {room} {axis}");
            (format!("the kernel's {axis}"), want, format!("{taps} (reach {reach})"))
        })?;
        (room - reach) / u64::from(stride) + 1
    };
    Ok([extent, taps, out as u32, stride, pad, dilation])
}

/// What a request asks for: groups, depth, out channels, and the axes as `places` has them, those that are not there
/// with one of everything.
pub(super) struct Shape {
    pub groups: u32,
    pub depth: u32,
    pub outs: u32,
    pub axes: [[u32; 6]; 3],
    pub y: Vec<u32>,
}

pub(super) fn shape(call: &Call<'_>) -> Result<Shape, PlanError> {
    let (rank, transposed) = kind(call.op);
    let (x, w) = (call.dims("x"), call.dims("w"));
    for (name, dims) in [("x", x), ("w", w)] {
        call.require(dims.len() == rank + 2, || {
            (format!("the rank of `{name}`"), (rank + 2).to_string(), format!("{dims:?}"))
        })?;
    }
    let groups = call.int_in("groups", 1..=i64::from(u32::MAX))?;
    let depth = if transposed { x[1] / groups } else { w[1] };
    let channels = if transposed { w[0] } else { x[1] };
    call.require(
        u64::from(groups) * u64::from(depth) == channels.into() && channels == x[1],
        || ("the channels of `x`".into(), format!("{groups} groups of {depth}"), x[1].to_string()),
    )?;
    let outs = if transposed { call.product("w", &[w[1], groups])? } else { w[0] };
    call.require(outs % groups == 0, || {
        ("the out channels of `w`".into(), format!("a multiple of {groups}"), outs.to_string())
    })?;
    let mut axes = [[1, 1, 1, 1, 0, 1]; 3];
    let mut y = vec![x[0], outs];
    for i in 0..rank {
        let axis = 3 - rank + i;
        axes[axis] = places(call, AXES[axis], x[2 + i], w[2 + i])?;
        y.push(axes[axis][2]);
    }
    call.product("y", &y)?;
    if call.has("bias") {
        call.expect_shape("bias", &[outs])?;
    }
    Ok(Shape { groups, depth, outs, axes, y })
}

/// An input with axes of one place in front of those that it has.
pub(super) fn image(call: &Call<'_>, name: &str) -> Arg {
    let mut layout = call.desc(name).layout.clone();
    while layout.shape.len() < 5 {
        layout.shape.insert(2, 1);
        layout.strides.insert(2, 0);
    }
    TensorRef::Input(name.into()).view(layout)
}

/// Rows of the bias: 1 or 0, and its buffer, or what stands for it.
pub(super) fn bias(call: &Call<'_>) -> (u32, Arg) {
    let given = if call.has("bias") { "bias" } else { "x" };
    (call.has("bias").into(), TensorRef::Input(given.into()).buffer())
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let Shape { groups, depth, outs, axes, y: dims } = shape(call)?;
    let (rank, transposed) = kind(call.op);
    let (bias_rows, bias) = bias(call);
    let dtype = call.dtype("x");
    let activation = Activation::named(call.word("activation"));
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, &dims);
    let kernel = with_real!(
        call, dtype, T => conv::<T>(rank as u32, transposed, bias_rows, activation)
    )?;
    let w = call.dims("w");
    let sizes =
        [dims[0], groups, depth, outs, w[0], w[1]].into_iter().chain(axes.into_iter().flatten());
    let tensors = [image(call, "x"), image(call, "w"), bias, y.buffer()];
    plan.step(kernel, tensors.into_iter().chain(sizes.map(Arg::from)));
    Ok(plan)
}

/// The coordinates of element `at` of a box.
fn coordinates(mut at: usize, extents: [usize; 3]) -> [i64; 3] {
    let mut out = [0; 3];
    for axis in (0..3).rev() {
        out[axis] = (at % extents[axis]) as i64;
        at /= extents[axis];
    }
    out
}

pub(super) fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, w) = (known.float("x"), known.float("w"));
    let Shape { groups, depth, outs, axes, y: dims } = shape(known).expect("checked by the plan");
    let transposed = kind(known.op).1;
    let [groups, depth, outs] = [groups, depth, outs].map(|n| n as usize);
    let of = |field: usize| axes.map(|axis| axis[field] as usize);
    let (places, taps, out_places) = (of(0), of(1), of(2));
    let size = |extents: [usize; 3]| extents.iter().product::<usize>();
    // The side whose places are walked, and the one where a tap then lands.
    let (walked, landed) = if transposed { (places, out_places) } else { (out_places, places) };
    let elems = dims.iter().map(|&e| e as usize).product();
    let (mut y, mut magnitude) = (vec![-0.0; elems], vec![0.0; elems]);
    for pair in 0..dims[0] as usize * outs * depth {
        let (d, o, image) = (pair % depth, pair / depth % outs, pair / depth / outs);
        let (of_group, channel) = (outs / groups, o / (outs / groups) * depth + d);
        let weights = if transposed { channel * of_group + o % of_group } else { o * depth + d };
        for from in 0..size(walked) {
            let here = coordinates(from, walked);
            for tap in 0..size(taps) {
                let step = coordinates(tap, taps);
                let mut there = 0;
                let mut inside = true;
                for axis in 0..3 {
                    let [.., stride, pad, dilation] = axes[axis].map(i64::from);
                    let place = here[axis] * stride - pad + step[axis] * dilation;
                    inside &= (0..landed[axis] as i64).contains(&place);
                    there = there * landed[axis] as i64 + place;
                }
                if inside {
                    let (p, q) =
                        if transposed { (from, there as usize) } else { (there as usize, from) };
                    let x_at = (image * groups * depth + channel) * size(places) + p;
                    let y_at = (image * outs + o) * size(out_places) + q;
                    let term = w[weights * size(taps) + tap] * x[x_at];
                    y[y_at] += term;
                    magnitude[y_at] += term.abs();
                }
            }
        }
    }
    let f = Activation::named(known.word("activation"));
    for at in 0..elems {
        if known.has("bias") {
            let bias = known.float("bias")[at / size(out_places) % outs];
            y[at] += bias;
            magnitude[at] += bias.abs();
        }
        y[at] = f.f64(y[at]);
    }
    vec![Expected::sum("y", y, magnitude)]
}

/// A term passes as many roundings as there are terms and one with the bias; none of the functions is
/// steeper than 1.13 or has more than 1.5 ULP in f32, and the store rounds.
pub(super) fn bound(dtype: DType, terms: u32) -> Bound {
    let ulps = if dtype == DType::F32 { 2.5 } else { 0.51 };
    Bound::Sum { ulps, eps_of: DType::F32, factor: 1.13 * f64::from(terms + 2) }
}

/// Name, shapes of x and w, stride, padding and dilation of each axis, groups.
type Sized = (&'static str, &'static [u32], &'static [u32], &'static [[u32; 3]], u32);

#[rustfmt::skip]
const ONE: &[Sized] = &[
    ("one",           &[1, 1, 1],   &[1, 1, 1], &[[1, 0, 1]], 1),
    ("dilated",       &[2, 3, 40],  &[4, 3, 7], &[[2, 6, 3]], 1),
    ("grouped",       &[2, 4, 17],  &[6, 2, 3], &[[1, 1, 1]], 2),
    ("depthwise",     &[1, 5, 30],  &[5, 1, 4], &[[1, 3, 1]], 5),
];
#[rustfmt::skip]
const TWO: &[Sized] = &[
    ("one",           &[1, 1, 1, 1],   &[1, 1, 1, 1], &[[1, 0, 1], [1, 0, 1]], 1),
    ("3x3",           &[2, 3, 7, 9],   &[4, 3, 3, 3], &[[1, 1, 1], [1, 1, 1]], 1),
    ("no padding",    &[1, 2, 6, 5],   &[3, 2, 3, 2], &[[1, 0, 1], [1, 0, 1]], 1),
    ("strides",       &[1, 2, 11, 13], &[2, 2, 3, 3], &[[2, 1, 1], [3, 0, 1]], 1),
    ("dilation",      &[1, 2, 12, 11], &[2, 2, 3, 2], &[[1, 2, 2], [1, 1, 3]], 1),
    ("all of them",   &[2, 4, 13, 10], &[6, 2, 3, 4], &[[2, 3, 2], [1, 2, 3]], 2),
    ("depthwise",     &[2, 5, 6, 7],   &[5, 1, 3, 3], &[[1, 1, 1], [2, 1, 1]], 5),
    ("depth of two",  &[1, 3, 5, 6],   &[6, 1, 2, 3], &[[1, 0, 1], [1, 1, 1]], 3),
    ("patches",       &[1, 3, 12, 8],  &[5, 3, 4, 4], &[[4, 0, 1], [4, 0, 1]], 1),
    ("padding alone", &[1, 1, 1, 2],   &[1, 1, 2, 2], &[[1, 3, 1], [1, 2, 1]], 1),
];
#[rustfmt::skip]
const THREE: &[Sized] = &[
    ("one",           &[1, 1, 1, 1, 1], &[1, 1, 1, 1, 1], &[[1, 0, 1], [1, 0, 1], [1, 0, 1]], 1),
    ("all of them",   &[2, 4, 5, 6, 7], &[6, 2, 2, 3, 2], &[[2, 1, 2], [1, 2, 1], [3, 0, 2]], 2),
    ("patches",       &[1, 3, 4, 6, 8], &[5, 3, 2, 3, 4], &[[2, 0, 1], [3, 0, 1], [4, 0, 1]], 1),
];
#[rustfmt::skip]
const BACK_ONE: &[Sized] = &[
    ("one",           &[1, 1, 1],   &[1, 1, 1], &[[1, 0, 1]], 1),
    ("upsampled",     &[2, 3, 9],   &[3, 4, 8], &[[4, 2, 1]], 1),
    ("gaps",          &[1, 2, 7],   &[2, 3, 2], &[[5, 0, 2]], 1),
    ("grouped",       &[2, 4, 6],   &[4, 3, 3], &[[2, 1, 3]], 2),
];
#[rustfmt::skip]
const BACK_TWO: &[Sized] = &[
    ("upsampled",     &[2, 3, 5, 4], &[3, 2, 4, 3], &[[2, 1, 1], [3, 1, 1]], 1),
    ("depthwise",     &[1, 4, 3, 5], &[4, 1, 3, 3], &[[2, 1, 1], [1, 0, 2]], 4),
];

pub(super) fn case(dtype: DType, (name, x, w, axes, groups): Sized) -> Case {
    let mut case = Case::new(name, dtype)
        .input("x", x, Pattern::Positions)
        .input("w", w, Pattern::Positions)
        .set("groups", groups);
    for (name, axis) in AXES[3 - axes.len()..].iter().zip(axes) {
        for (what, value) in ["stride", "pad", "dilation"].iter().zip(axis) {
            case = case.set(&format!("{what}_{name}"), *value);
        }
    }
    case
}

/// Numbers that do not sum exactly, with a bias and a function.
pub(super) fn with_bias(case: Case, outs: u32, terms: u32, word: &str) -> Case {
    let [x, w] = ["x", "w"].map(|name| case.request.inputs[name].shape().to_vec());
    let dtype = case.dtype;
    let case = case.input("x", &x, Pattern::normal(1)).input("w", &w, Pattern::normal(8));
    let mut case = case.input("bias", &[outs], Pattern::normal(9)).word("activation", word);
    case.name = format!("bias-{word}");
    case.bound(bound(dtype, terms))
}

fn cases(entry: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    let sized = match entry.name {
        "conv1d" => ONE,
        "conv3d" => THREE,
        "conv_transpose1d" => BACK_ONE,
        "conv_transpose2d" => BACK_TWO,
        _ => TWO,
    };
    let transposed = kind(entry.name).1;
    for &dtype in REALS {
        // Small whole numbers, so that sums are exact.
        cases.extend(sized.iter().map(|&shape| case(dtype, shape)));
        let words = if entry.name == "conv2d" { Activation::WORDS } else { &["gelu_tanh"][..] };
        for (i, &word) in words.iter().enumerate() {
            let shape @ (_, _, w, _, groups) = sized[1 + i];
            let (outs, depth) = if transposed { (w[1] * groups, w[0]) } else { (w[0], w[1]) };
            let terms = depth * w[2..].iter().product::<u32>();
            cases.push(with_bias(case(dtype, shape), outs, terms, word));
        }
    }
    let (_, x, w, axes, groups) = sized[1];
    let f32 = DType::F32;
    let named = |name: &'static str, dtype| case(dtype, (name, x, w, axes, groups));
    let none = [&[0], &x[1..]].concat();
    cases.push(named("no images", f32).input("x", &none, Pattern::Positions).empty());
    // An infinite weight does not meet the padding.
    let infinite = Pattern::Positions.with(&[(0, f64::INFINITY), (17, f64::NAN)]);
    cases.push(named("infinite weight", f32).input("w", w, infinite));
    if entry.name == "conv2d" {
        cases.push(
            named("no out channels", f32).input("w", &[0, 3, 3, 3], Pattern::Positions).empty(),
        );
        // The sum of nothing is -0.0.
        let none = named("no channels", f32).input("x", &[2, 0, 3, 3], Pattern::Positions);
        cases.push(none.input("w", &[2, 0, 2, 2], Pattern::Positions));
        for &dtype in REALS {
            // Images whose channels lie innermost, with a gap, and weights that one channel shares with all.
            let inner = TensorDesc::strided(dtype, &[2, 3, 5, 6], &[500, 1, 40, 4], 3);
            let again = TensorDesc::strided(dtype, &[4, 3, 3, 3], &[0, 9, 1, 3], 1);
            let weights = Pattern::Cycle((0..27).map(|i| f64::from(i % 11) - 5.0).collect());
            let views = named("views", dtype).view("x", inner, Pattern::Positions);
            cases.push(views.view("w", again, weights));
        }
    }
    cases
}

fn bench(entry: &Entry) -> Vec<Bench> {
    if entry.name != "conv2d" {
        return Vec::new();
    }
    let shape: Sized =
        ("32 channels of 56x56", &[1, 32, 56, 56], &[32, 32, 3, 3], &[[1, 1, 1], [1, 1, 1]], 1);
    let outs = 32 * 56 * 56u64;
    let case = case(DType::F32, shape)
        .input("x", shape.1, Pattern::normal(1))
        .input("w", shape.2, Pattern::normal(2))
        .bound(bound(DType::F32, 288));
    vec![Bench { case, bytes: 4 * (2 * outs + 9216), flops: 2 * 288 * outs, scale: Scale::Host }]
}
