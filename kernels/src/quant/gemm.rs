//! Rows times packed matrices: `y[i, j] = sum_k x[i, k] w[j, k]`, and with `offsets` rows in runs, each of which meets a matrix of its
//! own: rows `offsets[e]` to `offsets[e + 1] - 1` meet matrix e of those stacked.
//!
//! A weight is rounded once in f32 (and once more by a global scale), and the sum is `gemm`'s: the bits are those of `gemm` on
//! what `dequantize` gives in f32, whatever the tile and wherever runs end.

use super::{
    cases::{exact, format, packed, random, with_block},
    format::{Code, Format, Scheme},
    plans::{self, Matrix, packed_inputs, with_packed},
    reference,
};
use crate::{
    matmul::gemm::{Along, Operands, Tile, tiled},
    pieces::{
        packed::{Packed, weights},
        runs::run_tile,
    },
    prelude::*,
};

const INPUTS: [InputSpec; 4] = packed_inputs!("");

/// The operation.
pub const ENTRY: Entry = Entry::new("gemm_quantized", "quant", plan, reference, cases)
    .summary(
        "y[i,j] = sum_k x[i,k] w[j,k], w packed; of one matrix, or of one for each run of rows",
    )
    .inputs(&[
        INPUTS[0],
        INPUTS[1],
        INPUTS[2],
        INPUTS[3],
        InputSpec::new("x", REALS, "[m, k]"),
        InputSpec::new("offsets", &[DType::U32], OFFSETS).optional(),
    ])
    .outputs(&[OutputSpec::new("y", "[m, n], dtype of x")])
    .settings(&[plans::BLOCK])
    .words(&[plans::FORMAT])
    .bench(bench);

pub(crate) const OFFSETS: &str =
    "[matrices + 1]: where the run of each starts and the last ends, from 0 to m";

/// Definition: a group a tile of one run.
#[kernel(
    group = (tile.across, tile.down),
    grid = (n.div_ceil(tile.wide()), m.div_ceil(tile.high()) + runs)
)]
pub fn gemm_quantized<T: Real, C: Int, S: Element>(
    #[len(rows * k.div_ceil(scheme.unit_elems()) * scheme.units())] codes: &In<C>,
    #[len(rows * k.div_ceil(scheme.block) * scheme.scale_rows())] scales: &In<S>,
    #[len(rows * k.div_ceil(scheme.block) * scheme.bias_rows())] biases: &In<S>,
    #[len(parts)] global: &In<f32>,
    #[len((runs + 1) * u32::from(ragged))] offsets: &In<u32>,
    #[len(m * k)] x: &In<T>,
    #[len(m * n)] y: &mut Out<T>,
    rows: u32,
    parts: u32,
    m: u32,
    n: u32,
    k: u32,
    runs: u32,
    #[comptime] scheme: Scheme,
    #[comptime] tile: Tile,
    #[comptime] ragged: bool,
) {
    let (run, first, end) = if ragged {
        run_tile(offsets, runs, tile.high(), group_id_y())
    } else {
        (val(0u32), group_id_y() * tile.high(), m)
    };
    let packed = Packed { scheme, rows, parts, k, codes, scales, biases, global };
    let of = Operands {
        a: &|row, i| x[row as u64 * k as u64 + i as u64] as f32,
        b: &|col, i, count| weights(&packed, run * n + col, i, count),
        store: &|row, col, sum| {
            y[row as u64 * n as u64 + col as u64] = sum as T;
        },
    };
    let whole = tile.slab * tile.wide() / tile.threads();
    let per = whole.min(scheme.run());
    // Groups without rows have no terms either.
    let terms = if ragged { select(run < runs, k, 0) } else { k };
    let along = Along { a_k: true, b_k: true };
    tiled(tile, along, per, [first, group_id() * tile.wide()], [end, n, terms], &of);
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    fn staged<T: Real>(of: &Matrix, tile: Tile, ragged: bool) -> Result<Kernel, StageError> {
        with_packed!(of, [C, S] => gemm_quantized::<T, C, S>(of.scheme, tile, ragged))
    }
    let [m, k] = call.shape::<2>("x")?;
    let [rows, _] = call.shape::<2>("codes")?;
    let mut plan = Plan::new();
    let of = plans::matrix(call, &mut plan, "", &[rows], k)?;
    let (runs, offsets) = runs(call, &mut plan, rows)?;
    let n = rows / runs.max(1);
    let (dtype, ragged) = (call.dtype("x"), call.has("offsets"));
    let y = plan.output("y", dtype, &[m, n]);
    let tile = Tile::fitting(m / runs.max(1), n);
    let kernel = with_real!(call, dtype, T => staged::<T>(&of, tile, ragged))?;
    let scalars = [rows, of.parts, m, n, k, runs].map(Arg::from);
    let tensors = of.tensors.into_iter().chain([offsets, call.buffer("x"), y.buffer()]);
    plan.step(kernel, tensors.chain(scalars));
    Ok(plan)
}

/// How many runs there are, 0 without `offsets`, and those; `rows` of all matrices are as many for each.
pub(crate) fn runs(call: &Call<'_>, plan: &mut Plan, rows: u32) -> Result<(u32, Arg), PlanError> {
    if !call.has("offsets") {
        return Ok((0, plan.temp(DType::U32, &[0]).buffer()));
    }
    let [ends] = call.shape::<1>("offsets")?;
    call.require((2..1 << 16).contains(&ends) && rows.is_multiple_of(ends - 1), || {
        let want = "2 to 65535, one less of which divides the rows of all matrices".into();
        ("the length of `offsets`".into(), want, ends.to_string())
    })?;
    Ok((ends - 1, call.buffer("offsets")))
}

/// Which run a row is in.
pub(crate) fn run_of(known: &Known<'_>, row: usize) -> usize {
    if !known.has("offsets") {
        return 0;
    }
    known.int("offsets")[1..].iter().take_while(|&&end| end <= row as i128).count()
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let [m, k] = [0, 1].map(|axis| known.extent("x", axis));
    let w = reference::weights(known, "", k);
    let runs = if known.has("offsets") { known.extent("offsets", 0) - 1 } else { 1 };
    let n = known.extent("codes", 0) / runs;
    let run = |row: usize| run_of(known, row);
    let (y, magnitude) = reference::products(&w, known.float("x"), [m, n, k], run);
    vec![Expected::sum("y", y, magnitude)]
}

/// A term passes the sum's k roundings; the weight has one, one by its bias or global scale, and one of a product.
fn bound(k: u32) -> Bound {
    Bound::Sum { ulps: 0.51, eps_of: DType::F32, factor: f64::from(k + 3) }
}

fn case(name: &str, dtype: DType, f: &Format, shape: [u32; 3], content: [Pattern; 2]) -> Case {
    let [m, n, k] = shape;
    let case = Case::new(format!("{} {name} {m}x{n}x{k}", f.name), dtype);
    let case = packed(case, f, "", &[n], k, content);
    case.input("x", &[m, k], Pattern::normal(u64::from(m + k))).bound(bound(k))
}

/// Runs of no row, of one, and of more than a tile: their ends.
const ENDS: [u32; 6] = [0, 0, 11, 12, 12, 37];

fn cases(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for (i, name) in [
        "mxfp4",
        "nvfp4",
        "mxfp8_e4m3",
        "int5_f16",
        "int3",
        "affine4",
        "affine6",
        "int7_48",
        "q8_0",
        "q4_k",
        "q6_k",
        "iq2_xxs",
    ]
    .into_iter()
    .enumerate()
    {
        let f = format(name);
        let whole = f.scheme.blocks.is_some();
        let dtype = REALS[i % 3];
        let [n, k] = [18, if whole { 256 } else { 77 }];
        cases.push(case("normal", dtype, &f, [3, n, k], random(&f, n, k, i as u64)));
        // Whole numbers and halves, so that sums are exact, of every dtype.
        if !matches!(f.scheme.code, Code::E4M3 | Code::Point) {
            for m in [1, 9] {
                let all = case("exact", dtype, &f, [m, n, k], exact(&f, n, k, 7));
                cases.push(all.input("x", &[m, k], Pattern::Positions).bound(Exact));
            }
        }
        let runs = ENDS.len() as u32 - 1;
        let rows = 6 * runs;
        let ragged = case("runs", dtype, &f, [37, rows, k], random(&f, rows, k, 3));
        let ends = Pattern::CycleInt(ENDS.map(i128::from).to_vec());
        cases.push(ragged.input_as("offsets", DType::U32, &[runs + 1], ends));
    }
    // The larger tiles, with edges.
    for (name, shape) in
        [("mxfp4", [29, 65, 96]), ("affine4", [70, 130, 50]), ("q6_k", [70, 130, 256])]
    {
        let (f, [_, n, k]) = (format(name), shape);
        cases.push(case("tile", DType::F32, &f, shape, random(&f, n, k, 5)));
    }
    let f = with_block(&format("affine3"), 20);
    cases.push(case("block 20", DType::F32, &f, [5, 7, 90], random(&f, 7, 90, 5)).set("block", 20));
    let f = format("mxfp4");
    for shape in [[0, 4, 32], [4, 0, 32]] {
        let [_, n, k] = shape;
        cases.push(case("empty", DType::F32, &f, shape, random(&f, n, k, 5)).empty());
    }
    cases.push(case("k = 0", DType::F32, &f, [2, 3, 0], random(&f, 3, 0, 5)));
    // One NaN and one infinity reach their rows, and no other.
    let x = Pattern::Positions.with(&[(40, f64::NAN), (65, f64::INFINITY)]);
    let nan = case("nan", DType::F32, &f, [3, 5, 40], exact(&f, 5, 40, 1));
    cases.push(nan.input("x", &[3, 40], x).bound(Exact));
    cases
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (f, [m, n, k]) = (format("affine4"), [128, 1024, 1024]);
    let case = case("bench", DType::F16, &f, [m, n, k], random(&f, n, k, 1));
    let flops = 2 * u64::from(m) * u64::from(n) * u64::from(k);
    vec![Bench { case, bytes: u64::from(n * k) * 5 / 8, flops, scale: Scale::Host }]
}
