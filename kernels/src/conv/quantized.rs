//! Convolutions with packed weights: `y[b,o,r..] = bias[o] + sum over (d, i..) of w[o,(d,i..)] x[b,g depth + d,r s - p + i t..]`.
//!
//! Along each axis as in `conv`; row o of the packed matrix has the `depth * taps` weights of an out channel, those of a channel
//! together. Patches are written first, then multiplied. The sum is `gemm_quantized`'s over a patch, whose places outside are 0;
//! those meet weights, so that one that is NaN or infinite makes NaN there.

use super::patches::{self, SETTINGS, axes, set};
use crate::{
    matmul::gemm::{Along, Operands, Tile, tiled},
    pieces::packed::{Packed, weights},
    prelude::*,
    quant::{
        cases::{exact, format, packed, random},
        format::{Format, Scheme},
        plans::{self, Matrix, packed_inputs, with_packed},
        reference::weights as weights_f64,
    },
};

const INPUTS: [InputSpec; 4] = packed_inputs!("");
const ALL_SETTINGS: [SettingSpec; 14] = {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m] = SETTINGS;
    [a, b, c, d, e, f, g, h, i, j, k, l, m, plans::BLOCK]
};

/// The operation.
pub const ENTRY: Entry = Entry::new("conv_quantized", "conv", plan, reference, cases)
    .summary("y[b,o,r..] = bias[o] + sum_{d,i..} w[o,(d,i..)] x[b,g depth+d,r s-p+i t..], w packed")
    .inputs(&[
        INPUTS[0],
        INPUTS[1],
        INPUTS[2],
        INPUTS[3],
        InputSpec::new("x", REALS, "[batch, groups * depth, places..], 1 to 3 axes of places")
            .strided(),
        InputSpec::like("bias", "x", "[outs]").optional(),
    ])
    .outputs(&[OutputSpec::new("y", "[batch, outs, places..], dtype of x")])
    .settings(&ALL_SETTINGS)
    .words(&[plans::FORMAT]);

/// Definition, of patches `x` of each group: a group of threads a tile of one group of channels.
#[kernel(
    group = (tile.across, tile.down),
    grid = ((outs / groups).div_ceil(tile.wide()), (batch * places).div_ceil(tile.high()), groups)
)]
pub fn conv_quantized<T: Real, C: Int, S: Element>(
    #[len(outs * k.div_ceil(scheme.unit_elems()) * scheme.units())] codes: &In<C>,
    #[len(outs * k.div_ceil(scheme.block) * scheme.scale_rows())] scales: &In<S>,
    #[len(outs * k.div_ceil(scheme.block) * scheme.bias_rows())] biases: &In<S>,
    #[len(parts)] global: &In<f32>,
    #[len(groups * batch * places * k)] x: &In<T>,
    #[len(outs * bias_rows)] bias: &In<T>,
    #[len(batch * outs * places)] y: &mut Out<T>,
    outs: u32,
    parts: u32,
    groups: u32,
    batch: u32,
    places: u32,
    k: u32,
    #[comptime] scheme: Scheme,
    #[comptime] bias_rows: u32,
    #[comptime] tile: Tile,
) {
    let (rows, of_group) = (batch * places, outs / groups);
    let first = group_id_z() * of_group;
    let packed = Packed { scheme, rows: outs, parts, k, codes, scales, biases, global };
    let of = Operands {
        a: &|row, i| x[(group_id_z() * rows + row) as u64 * k as u64 + i as u64] as f32,
        b: &|col, i, count| weights(&packed, first + col, i, count),
        store: &|row, col, sum| {
            let out = first + col;
            let sum = if bias_rows > 0 { sum + (bias[out] as f32) } else { sum };
            let at = (row / places * outs + out) as u64 * places as u64;
            y[at + (row % places) as u64] = sum as T;
        },
    };
    let per = (tile.slab * tile.wide() / tile.threads()).min(scheme.run());
    let start = [group_id_y() * tile.high(), group_id() * tile.wide()];
    tiled(tile, Along { a_k: true, b_k: true }, per, start, [rows, of_group, k], &of);
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    fn staged<T: Real>(of: &Matrix, bias: u32, tile: Tile) -> Result<Kernel, StageError> {
        with_packed!(of, [C, S] => conv_quantized::<T, C, S>(of.scheme, bias, tile))
    }
    let (axes, dims, dtype) = (axes(call)?, call.dims("x"), call.dtype("x"));
    let groups = call.int_in("groups", 1..=i64::from(u32::MAX))?;
    let [outs, _] = call.shape::<2>("codes")?;
    for (what, channels) in [("the channels of `x`", dims[1]), ("the rows of `codes`", outs)] {
        call.expect(
            channels.is_multiple_of(groups),
            what,
            format_args!("a multiple of {groups} groups"),
            channels,
        )?;
    }
    let (batch, depth) = (dims[0], dims[1] / groups);
    let field = |what: usize| axes.map(|a| a[what]);
    let k = call.product("a patch", &[&[depth], &field(1)[..]].concat())?;
    let places = call.product("the places of `y`", &field(2))?;
    let patch_dims = [groups, batch, places, k];
    call.product("all patches", &patch_dims)?;
    let shape = [&[batch, outs], &field(2)[5 - dims.len()..]].concat();
    call.product("y", &shape)?;
    let mut plan = Plan::new();
    let of = plans::matrix(call, &mut plan, "", &[outs], k)?;
    let x = plan.temp(dtype, &patch_dims);
    patches::step(call, &mut plan, &x, [groups, depth], &axes, false)?;
    let (bias_rows, bias) = super::conv::bias(call);
    if bias_rows > 0 {
        call.expect_shape("bias", &[outs])?;
    }
    let y = plan.output("y", dtype, &shape);
    let tile = Tile::fitting(batch * places, outs / groups);
    let kernel = with_real!(call, dtype, T => staged::<T>(&of, bias_rows, tile))?;
    let tensors = of.tensors.into_iter().chain([x.buffer(), bias, y.buffer()]);
    let scalars = [outs, of.parts, groups, batch, places, k].map(Arg::from);
    plan.step(kernel, tensors.chain(scalars));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let axes = axes(known).expect("checked by the plan").map(|a| a.map(|x| x as usize));
    let (batch, channels) = (known.extent("x", 0), known.extent("x", 1));
    let (outs, groups) = (known.extent("codes", 0), Call::int(known, "groups") as usize);
    let [taps, places] = [1, 2].map(|what| axes.iter().map(|a| a[what]).product::<usize>());
    let k = channels / groups * taps;
    let (w, x) = (weights_f64(known, "", k), patches::rows(known, false));
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for (b, o, p) in
        (0..batch * outs * places).map(|i| (i / places / outs, i / places % outs, i % places))
    {
        let from = (b * places + p) * channels * taps + o / (outs / groups) * k;
        let bias = if known.has("bias") { known.float("bias")[o] } else { -0.0 };
        let (mut sum, mut terms) = (-0.0, bias.abs());
        for (w, x) in w[o * k..][..k].iter().zip(&x[from..][..k]) {
            sum += w.value() * x;
            terms += w.terms() * x.abs();
        }
        y.push(sum + bias);
        magnitude.push(terms);
    }
    vec![Expected::sum("y", y, magnitude)]
}

/// A term passes the sum's k roundings; the weight has one, one by its bias or global scale, one of a product, and the bias one.
fn case(name: &str, dtype: DType, f: &Format, x: &[u32], [outs, k]: [u32; 2]) -> Case {
    let case = Case::new(format!("{} {name}", f.name), dtype);
    let bound = Bound::Sum { ulps: 0.51, eps_of: DType::F32, factor: f64::from(k + 4) };
    let case = packed(case, f, "", &[outs], k, random(f, outs, k, u64::from(outs)));
    case.input("x", x, Pattern::normal(5)).input("bias", &[outs], Pattern::normal(6)).bound(bound)
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let names = ["mxfp4", "nvfp4", "mxfp8_e4m3", "affine4", "int7_48", "q6_k", "iq2_xxs"];
    for (i, name) in names.into_iter().enumerate() {
        let (f, dtype) = (format(name), REALS[i % 3]);
        // Whole blocks of a patch, where a format has no others: 16 channels of 4 x 4 taps.
        let (depth, taps) = if f.scheme.blocks.is_some() { (16, 4) } else { (5, 3) };
        let case =
            |name: &str, x: &[u32], outs| case(name, dtype, &f, x, [outs, depth * taps * taps]);
        let square = |case: Case, axis: [u32; 3]| {
            let axis = [&[taps], &axis[..]].concat().try_into().expect("four numbers");
            set(set(case, "rows", axis), "columns", axis)
        };
        all.push(square(case("padded", &[2, depth, 7, 9], 6), [1, 1, 1]));
        all.push(square(case("pieces", &[1, depth, 2 * taps, 3 * taps], 19), [taps, 0, 1]));
        all.push(square(case("grouped", &[1, 2 * depth, 9, 10], 6), [2, 2, 1]).set("groups", 2));
    }
    let f = format("mxint4");
    let depthwise = case("depthwise", DType::F32, &f, &[1, 5, 30], [5, 4]).set("groups", 5);
    all.push(set(depthwise, "columns", [4, 1, 3, 2]));
    let volume = case("volume", DType::F16, &f, &[1, 3, 4, 6, 8], [5, 72]);
    all.push(set(
        set(set(volume, "planes", [2, 2, 0, 1]), "rows", [3, 3, 0, 1]),
        "columns",
        [4, 4, 0, 1],
    ));
    all.push(case("one", DType::F32, &f, &[1, 1, 1], [1, 1]));
    // Small whole numbers: exact sums, and NaN and infinity in their own patches alone.
    let codes = exact(&f, 3, 6, 1);
    let whole = packed(Case::new("nan and inf", DType::F32), &f, "", &[3], 6, codes);
    let x = Pattern::Positions.with(&[(4, f64::NAN), (33, f64::INFINITY)]);
    all.push(set(whole.input("x", &[1, 2, 20], x), "columns", [3, 3, 0, 1]));
    let none = case("no images", DType::F32, &f, &[0, 2, 9], [3, 6]);
    all.push(set(none, "columns", [3, 1, 0, 1]).empty());
    let none = case("no outs", DType::F32, &f, &[1, 2, 9], [0, 6]);
    all.push(set(none, "columns", [3, 1, 0, 1]).empty());
    all
}
