//! Patches of images as rows (im2col): `y[b, r.., e] = x[b, d, r s - p + i t..]`, or 0 where that is outside.
//!
//! Along each axis as in `conv`. Element e of a patch is channel d and tap i: `channels first` puts the taps of a channel
//! together, as weights of a convolution lie; `taps first` puts the channels of a tap together. A convolution is the product of
//! patches and weights; an image is cut into pieces by a stride of the taps' number.

use super::conv::{Axis, image, places};
use crate::prelude::*;

macro_rules! settings {
    ($($name:literal)*) => { [
        SettingSpec::int("groups", 1, "groups of channels that do not meet"),
        $(
        SettingSpec::int(concat!("taps_", $name), 1, "places of a patch"),
        SettingSpec::int(concat!("stride_", $name), 1, "places between two patches"),
        SettingSpec::int(concat!("pad_", $name), 0, "places outside at both ends"),
        SettingSpec::int(concat!("dilation_", $name), 1, "places between two taps"),
    )* ] };
}
/// Those of operations over patches; the first is for those with weights.
pub(super) const SETTINGS: [SettingSpec; 13] = settings!("columns" "rows" "planes");

/// The operation.
pub const ENTRY: Entry = Entry::new("patches", "conv", plan, reference, cases)
    .summary("y[b,r..,(d,i..)] = x[b,d,r s-p+i t..], 0 outside")
    .inputs(&[
        InputSpec::new("x", REALS, "[batch, channels, places..], 1 to 3 axes of places").strided()
    ])
    .outputs(&[OutputSpec::new("y", "[batch, places.., channels * taps], dtype of x")])
    .settings(SETTINGS.split_at(1).1)
    .words(&[WordSpec::new(
        "order",
        &["channels_first", "taps_first"],
        "what neighbours in a patch share: their channel, or their tap",
    )]);

/// Definition: a thread an element. A patch has `depth` channels of one of `groups`; groups come first, then images.
#[kernel(
    group = 256,
    grid = (groups * batch * out_planes * out_rows * out_columns * depth * tap_planes * tap_rows * tap_columns).div_ceil(256)
)]
pub fn patches<T: Real>(
    #[shape(batch, groups * depth, planes, rows, columns)] x: &InView<T, 5>,
    #[len(groups * batch * out_planes * out_rows * out_columns * depth * tap_planes * tap_rows * tap_columns)]
    y: &mut Out<T>,
    batch: u32,
    groups: u32,
    depth: u32,
    of_channel: u32,
    of_tap: u32,
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
) {
    let axis = |extent, taps, stride, pad, dilation| Axis { extent, taps, stride, pad, dilation };
    let over_planes = axis(planes, tap_planes, stride_planes, pad_planes, dilation_planes);
    let over_rows = axis(rows, tap_rows, stride_rows, pad_rows, dilation_rows);
    let over_columns = axis(columns, tap_columns, stride_columns, pad_columns, dilation_columns);
    let taps = tap_planes * tap_rows * tap_columns;
    let at = global_id();
    if at < groups * batch * out_planes * out_rows * out_columns * depth * taps {
        let (e, rest) = (at % (depth * taps), at / (depth * taps));
        let (column, rest) = (rest % out_columns, rest / out_columns);
        let (row, rest) = (rest % out_rows, rest / out_rows);
        let (plane, rest) = (rest % out_planes, rest / out_planes);
        let (b, group) = (rest % batch, rest / batch);
        // Of channels and taps one has neighbours as its own: the other's step is as many.
        let (d, tap) = (e / of_channel % depth, e / of_tap % taps);
        let (j, rest) = (tap % tap_columns, tap / tap_columns);
        let (i, h) = (rest % tap_rows, rest / tap_rows);
        let (p, r, c) =
            (over_planes.at(plane, h), over_rows.at(row, i), over_columns.at(column, j));
        let mut v = 0.0f32;
        if over_planes.holds(p) && over_rows.holds(r) && over_columns.holds(c) {
            let place = [b, group * depth + d, p - pad_planes, r - pad_rows, c - pad_columns];
            v = x[place] as f32;
        }
        y[at] = v as T;
    }
}

/// What a request asks for: the axes as `places` has them, those that are not there with one of everything.
pub(super) fn axes(call: &Call<'_>) -> Result<[[u32; 6]; 3], PlanError> {
    let dims = call.dims("x");
    call.require((3..=5).contains(&dims.len()), || {
        ("the rank of `x`".into(), "3 to 5".into(), format!("{dims:?}"))
    })?;
    let mut axes = [[1, 1, 1, 1, 0, 1]; 3];
    for (at, name) in ["planes", "rows", "columns"].into_iter().enumerate() {
        let taps = call.int_in(&format!("taps_{name}"), 1..=1 << 24)?;
        let given = (at + dims.len()).checked_sub(3).filter(|&axis| axis >= 2);
        let extent = given.map_or(1, |axis| dims[axis]);
        call.require(given.is_some() || taps == 1, || {
            (format!("`taps_{name}` without such an axis"), "1".into(), taps.to_string())
        })?;
        if given.is_some() {
            axes[at] = places(call, name, extent, taps)?;
        }
    }
    Ok(axes)
}

/// Adds the launch that writes patches to `y`.
pub(super) fn step(
    call: &Call<'_>,
    plan: &mut Plan,
    y: &TensorRef,
    [groups, depth]: [u32; 2],
    axes: &[[u32; 6]; 3],
    taps_first: bool,
) -> Result<(), PlanError> {
    let taps = axes.iter().map(|a| a[1]).product();
    let (of_channel, of_tap) = if taps_first { (1, depth.max(1)) } else { (taps, 1) };
    let kernel = with_real!(call, call.dtype("x"), T => patches::<T>())?;
    let sizes = [call.dims("x")[0], groups, depth, of_channel, of_tap];
    let scalars = sizes.into_iter().chain(axes.iter().copied().flatten()).map(Arg::from);
    plan.step(kernel, [image(call, "x"), y.buffer()].into_iter().chain(scalars));
    Ok(())
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let axes = axes(call)?;
    let dims = call.dims("x");
    let taps: Vec<u32> = axes.iter().map(|a| a[1]).collect();
    let length = call.product("a patch", &[&[dims[1]], &taps[..]].concat())?;
    let outs = axes[5 - dims.len()..].iter().map(|a| a[2]);
    let shape: Vec<u32> = [dims[0]].into_iter().chain(outs).chain([length]).collect();
    call.product("y", &shape)?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), &shape);
    step(call, &mut plan, &y, [1, dims[1]], &axes, call.word("order") == "taps_first")?;
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    vec![Expected::float("y", rows(known, known.word("order") == "taps_first"))]
}

/// The patches, by their definition.
pub(super) fn rows(known: &Known<'_>, taps_first: bool) -> Vec<f64> {
    let axes = axes(known).expect("checked by the plan").map(|a| a.map(|x| x as usize));
    let (x, batch, channels) = (known.float("x"), known.extent("x", 0), known.extent("x", 1));
    let [extents, taps, outs] = [0, 1, 2].map(|what| axes.map(|a| a[what]));
    // All triples below three ends, the last one fastest.
    let all = |ends: [usize; 3]| {
        (0..ends.iter().product())
            .map(move |at: usize| [at / (ends[1] * ends[2]), at / ends[2] % ends[1], at % ends[2]])
    };
    let mut y = Vec::new();
    for b in 0..batch {
        for out in all(outs) {
            let element = |d: usize, tap: [usize; 3]| {
                let mut at = b * channels + d;
                for i in 0..3 {
                    let [_, _, _, stride, pad, dilation] = axes[i];
                    let place = (out[i] * stride + tap[i] * dilation).checked_sub(pad);
                    match place.filter(|&p| p < extents[i]) {
                        Some(place) => at = at * extents[i] + place,
                        None => return 0.0,
                    }
                }
                x[at]
            };
            if taps_first {
                all(taps).for_each(|tap| y.extend((0..channels).map(|d| element(d, tap))));
            } else {
                (0..channels).for_each(|d| y.extend(all(taps).map(|tap| element(d, tap))));
            }
        }
    }
    y
}

/// Gives taps, stride, padding and dilation of an axis.
pub(super) fn set(case: Case, name: &str, [taps, stride, pad, dilation]: [u32; 4]) -> Case {
    let all = [("taps", taps), ("stride", stride), ("pad", pad), ("dilation", dilation)];
    all.into_iter().fold(case, |case, (what, x)| case.set(&format!("{what}_{name}"), x))
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for order in ["channels_first", "taps_first"] {
            let case = |name: &str, shape: &[u32]| {
                let case = Case::new(format!("{name} {order}"), dtype).word("order", order);
                case.input("x", shape, Pattern::Positions)
            };
            let pieces = set(case("pieces", &[2, 3, 8, 12]), "rows", [4, 4, 0, 1]);
            all.push(set(pieces, "columns", [4, 4, 0, 1]));
            let padded = set(case("padded", &[1, 2, 5, 7]), "rows", [3, 2, 1, 1]);
            all.push(set(padded, "columns", [3, 1, 2, 2]));
            all.push(set(case("signal", &[3, 5, 31]), "columns", [5, 3, 2, 2]));
            let volume = set(case("volume", &[1, 2, 4, 5, 6]), "planes", [2, 2, 0, 1]);
            all.push(set(set(volume, "rows", [3, 1, 1, 1]), "columns", [2, 2, 0, 3]));
        }
    }
    let case = |name: &str, shape: &[u32]| {
        Case::new(name, DType::F32).input("x", shape, Pattern::Positions)
    };
    all.push(case("one", &[1, 1, 1]));
    let special = set(case("specials", &[1, 1, 40]), "columns", [3, 1, 1, 1]);
    all.push(special.input("x", &[1, 1, 40], Pattern::specials()));
    let inner = TensorDesc::strided(DType::F32, &[2, 3, 5, 6], &[500, 1, 40, 4], 3);
    let views = set(case("channels innermost", &[1, 1, 1, 1]), "rows", [2, 1, 0, 1]);
    all.push(views.view("x", inner, Pattern::Positions));
    all.push(set(case("no images", &[0, 2, 9]), "columns", [3, 1, 0, 1]).empty());
    all.push(set(case("no channels", &[2, 0, 9]), "columns", [3, 1, 0, 1]).empty());
    all
}
