//! Norms of groups of channels, each over all places of its channels.
//!
//! `group_norm`: `y[b, c, ..] = (x[b, c, ..] - mean) / sqrt(variance + eps) * weight[b, c] + bias[b, c]`, mean and variance of the
//! group that c is in; `x` is [batch, channels, places..], `weight` and `bias` are [channels], or [batch, channels] where they
//! adapt to each image. A group a channel is an instance norm.
//!
//! `gated_group_rms_norm`: with `z = x silu(gate)`, `y[r, i] = z[r, i] / sqrt(mean(z^2) + eps) * weight[i]`, the mean of the part of
//! the row that i is in; `x`, `gate` and `y` are [..., n], `weight` is [n]. The product is gated before it is normalised.

use super::{eps, inverse_rms, known_eps, rms_roundings, rows_and_weight, ulps, usual};
use crate::{
    pieces::{
        fold::{Lanes, Row},
        norm::{row_inverse_rms, row_mean},
    },
    prelude::*,
};

const EPS: SettingSpec = SettingSpec::float("eps", 1e-5, "added to the variance or mean square");

/// Centred, with a weight and a bias for each channel.
pub const ENTRY: Entry = Entry::new("group_norm", "norms", plan, reference, cases)
    .summary("y[b,c,..] = (x[b,c,..] - mean) * rsqrt(variance + eps) * weight[c] + bias[c], over c's group")
    .inputs(&[
            InputSpec::new("x", REALS, "[batch, channels, places..]"),
            InputSpec::new("weight", REALS, "[channels] or [batch, channels]").strided(),
            InputSpec::like("bias", "weight", "shape of weight").strided(),
        ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])])
    .settings(&[SettingSpec::required_int("groups", "groups of channels"), EPS]);
/// Gated before it is normalised.
pub const GATED: Entry = Entry::new(
    "gated_group_rms_norm",
    "norms",
    plan_gated,
    reference_gated,
    cases_gated,
)
.summary(
    "z = x silu(gate); y[r, i] = z[r, i] * rsqrt(mean of i's part of z[r]^2 + eps) * weight[i]",
)
.inputs(&[
    InputSpec::new("x", REALS, "[..., n]"),
    InputSpec::like("gate", "x", "shape of x"),
    InputSpec::like("weight", "x", "[n]"),
])
.outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])])
.settings(&[SettingSpec::int("groups", 1, "parts of a row"), EPS]);

/// Definition: one group of threads a group of channels.
#[kernel(group = lanes.threads, grid = (groups, batch))]
pub fn group_norm<T: Real, W: Real>(
    #[len(batch * groups * part * places)] x: &In<T>,
    #[shape(batch, groups * part)] weight: &InView<W, 2>,
    #[shape(batch, groups * part)] bias: &InView<W, 2>,
    #[len(batch * groups * part * places)] y: &mut Out<T>,
    batch: u32,
    groups: u32,
    part: u32,
    places: u32,
    eps: f32,
    #[comptime] lanes: Lanes,
) {
    let row_elems = lanes.whole(part * places);
    let (group, image) = (group_id(), group_id_y());
    let base = (image as u64 * groups as u64 + group as u64) * row_elems as u64;
    let row = Row::new(lanes, row_elems, |i| x[base + i as u64] as f32);
    let mean = row_mean(&row);
    let distances = row.map(|x| x - mean);
    let inverse = row_inverse_rms(&distances, eps);
    distances.each(|i, distance| {
        let channel = group * part + i / places;
        let (w, b) = (weight[[image, channel]] as f32, bias[[image, channel]] as f32);
        y[base + i as u64] = fma(distance * inverse, w, b) as T;
    });
}

/// Definition: one group a part of a row.
#[kernel(group = lanes.threads, grid = (groups, rows))]
pub fn gated_group_rms_norm<T: Real>(
    #[len(rows * groups * part)] x: &In<T>,
    #[len(rows * groups * part)] gate: &In<T>,
    #[len(groups * part)] weight: &In<T>,
    #[len(rows * groups * part)] y: &mut Out<T>,
    rows: u32,
    groups: u32,
    part: u32,
    eps: f32,
    #[comptime] lanes: Lanes,
) {
    let part = lanes.whole(part);
    let base = (group_id_y() as u64 * groups as u64 + group_id() as u64) * part as u64;
    let row =
        Row::new(lanes, part, |i| x[base + i as u64] as f32 * silu(gate[base + i as u64] as f32));
    let inverse = row_inverse_rms(&row, eps);
    row.each(|i, z| {
        let w = weight[group_id() * part + i] as f32;
        y[base + i as u64] = (z * inverse * w) as T;
    });
}

/// The setting `groups`, which cuts `channels` in equal parts.
fn groups(call: &Call<'_>, channels: u32) -> Result<u32, PlanError> {
    let groups = call.int_in("groups", 1..=i64::from(u32::MAX))?;
    call.require(channels.is_multiple_of(groups), || {
        ("the channels of `x`".into(), format!("a multiple of {groups}"), channels.to_string())
    })?;
    Ok(groups)
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let dims = call.dims("x");
    call.expect(dims.len() >= 2, "the rank of `x`", "at least 2", format_args!("{dims:?}"))?;
    let (batch, channels) = (dims[0], dims[1]);
    let places = call.product("x", &dims[2..])?;
    call.elems("x")?;
    let groups = groups(call, channels)?;
    let part = channels / groups;
    let row_elems = call.product("x", &[part, places])?;
    let adapted = call.dims("weight").len() == 2;
    let views = ["weight", "bias"].map(|name| {
        call.expect_shape(name, &[batch, channels][usize::from(!adapted)..])?;
        let mut layout = call.desc(name).layout.clone();
        if !adapted {
            layout.shape.insert(0, batch);
            layout.strides.insert(0, 0);
        }
        Ok(TensorRef::Input(name.into()).view(layout))
    });
    let [weight, bias] = views;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), dims);
    let lanes = Lanes::for_row(row_elems.min(crate::pieces::fold::ROW_ELEMS));
    let kernel = with_real2!(call, ["x", "weight"], [T, W] => group_norm::<T, W>(lanes))?;
    let scalars = [batch, groups, part, places].map(Arg::from).into_iter().chain([eps(call)?]);
    plan.step(kernel, [call.buffer("x"), weight?, bias?, y.buffer()].into_iter().chain(scalars));
    Ok(plan)
}

fn plan_gated(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, n) = rows_and_weight(call)?;
    call.expect_shape("gate", call.dims("x"))?;
    call.elems("x")?;
    let groups = groups(call, n)?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let lanes = Lanes::for_row((n / groups).min(crate::pieces::fold::ROW_ELEMS));
    let kernel = with_real!(call, call.dtype("x"), T => gated_group_rms_norm::<T>(lanes))?;
    let inputs = ["x", "gate", "weight"].map(|name| call.buffer(name));
    let rest = [y.buffer(), rows.into(), groups.into(), (n / groups).into(), eps(call)?];
    plan.step(kernel, inputs.into_iter().chain(rest));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, weight, bias) = (known.float("x"), known.float("weight"), known.float("bias"));
    let (channels, places) =
        (known.extent("x", 1), known.extents("x")[2..].iter().product::<usize>());
    let n = channels / Call::int(known, "groups") as usize * places;
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for (r, row) in x.chunks(n.max(1)).enumerate() {
        let mean = row.iter().sum::<f64>() / n as f64;
        let size = row.iter().map(|x| x.abs()).sum::<f64>() / n as f64;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        let inverse = 1.0 / (variance + known_eps(known)).sqrt();
        for i in 0..n {
            let channel = (r * n + i) / places % weight.len();
            let distance = row[i] - mean;
            y.push(distance * inverse * weight[channel] + bias[channel]);
            // The mean is off by roundings of the mean magnitude; the rest by roundings of itself.
            let terms = weight[channel].abs() * inverse * (size + distance.abs());
            magnitude.push(terms + bias[channel].abs());
        }
    }
    vec![Expected::sum("y", y, magnitude)]
}

fn reference_gated(known: &Known<'_>) -> Vec<Expected> {
    let (x, gate, weight) = (known.float("x"), known.float("gate"), known.float("weight"));
    let n = weight.len() / Call::int(known, "groups") as usize;
    let z: Vec<f64> = x.iter().zip(gate).map(|(x, g)| x * g / (1.0 + libm::exp(-g))).collect();
    let mut y = Vec::new();
    for (r, row) in z.chunks(n.max(1)).enumerate() {
        let inverse = inverse_rms(row, known_eps(known));
        y.extend((0..n).map(|i| row[i] * inverse * weight[(r * n + i) % weight.len()]));
    }
    vec![Expected::float("y", y)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let case = |name: &str, dtype, x: &[u32], groups: u32, adapted: bool| {
        let n = x[1] / groups * x[2..].iter().product::<u32>();
        let of_weight = if adapted { &x[..2] } else { &x[1..2] };
        // As for `layer_norm`.
        let roundings = f64::from(n.div_ceil(1_024)) + 16.0 + rms_roundings(n);
        Case::new(name, dtype)
            .input("x", x, Pattern::Normal { seed: 1, mean: 0.3, sd: 2.0 })
            .input("weight", of_weight, Pattern::uniform(2, 0.5, 1.5))
            .input("bias", of_weight, Pattern::normal(3))
            .set("groups", groups)
            .bound(Bound::sum(roundings))
    };
    let mut all = Vec::new();
    let f32 = DType::F32;
    for &dtype in REALS {
        all.push(case("images", dtype, &[2, 6, 5, 7], 3, false));
        all.push(case("adapted instances", dtype, &[2, 4, 300], 4, true));
    }
    all.push(case("one", f32, &[1, 1], 1, false));
    all.push(case("long", f32, &[1, 4, 64, 33], 2, false));
    all.push(case("kept rows", f32, &[2, 4, 16, 16], 1, false));
    all.push(case("empty", f32, &[0, 4, 3], 2, false).empty());
    all.push(case("no places", f32, &[2, 4, 0], 2, false).empty());
    let nan = Pattern::normal(4).with(&[(50, f64::NAN), (200, f64::INFINITY)]);
    all.push(case("NaN and inf", f32, &[3, 4, 20], 4, false).input("x", &[3, 4, 20], nan));
    let views = case("views", f32, &[2, 4, 3], 2, true);
    let views =
        views.view("weight", TensorDesc::strided(f32, &[2, 4], &[1, 3], 2), Pattern::normal(5));
    all.push(views.view(
        "bias",
        TensorDesc::strided(f32, &[2, 4], &[0, 1], 1),
        Pattern::Constant(0.5),
    ));
    all
}

fn cases_gated(_: &Entry) -> Vec<Case> {
    let with = |case: Case, shape: &[u32], x: Pattern| {
        let (n, dtype) = (shape[shape.len() - 1], case.dtype);
        // silu is up to 3.4 roundings off, and a product; the mean square has them as well.
        case.input("x", shape, x)
            .input("gate", shape, Pattern::Normal { seed: 5, mean: 0.0, sd: 3.0 })
            .input("weight", &[n], Pattern::uniform(2, 0.5, 1.5))
            .bound(ulps(dtype, rms_roundings(n) + 2.0 * 4.4 + 2.0))
    };
    let mut all = usual(with);
    for &dtype in REALS {
        let parts = with(Case::new("parts", dtype), &[3, 96], Pattern::normal(6));
        all.push(parts.set("groups", 3));
    }
    let long = with(Case::new("8 of 512", DType::F32), &[2, 4_096], Pattern::normal(7));
    all.push(long.set("groups", 8));
    all
}
