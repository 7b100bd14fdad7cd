//! Rows in runs times matrices, one matrix a run: `y[i, j] = sum_k x[i, k] w[e, j, k]` where row i is in run e.
//!
//! The sum is `gemm`'s, from -0.0 with k ascending, wherever runs end and whatever the tile.

use crate::{
    matmul::gemm::{Along, Operands, Tile, tiled},
    pieces::runs::run_tile,
    prelude::*,
    quant::{
        gemm::{OFFSETS, run_of, runs},
        reference::{Weight, products},
    },
};

/// The operation.
pub const ENTRY: Entry = Entry::new("gemm_grouped", "experts", plan, reference, cases)
    .summary("y[i,j] = sum_k x[i,k] w[e,j,k], row i in run e")
    .inputs(&[
        InputSpec::new("x", REALS, "[m, k]"),
        InputSpec::like("w", "x", "[matrices, n, k]"),
        InputSpec::new("offsets", &[DType::U32], OFFSETS),
    ])
    .outputs(&[OutputSpec::new("y", "[m, n], dtype of x")])
    .bench(bench);

/// Definition: a group a tile of one run.
#[kernel(
    group = (tile.across, tile.down),
    grid = (n.div_ceil(tile.wide()), m.div_ceil(tile.high()) + runs)
)]
pub fn gemm_grouped<T: Real>(
    #[len(m * k)] x: &In<T>,
    #[len(runs * n * k)] w: &In<T>,
    #[len(runs + 1)] offsets: &In<u32>,
    #[len(m * n)] y: &mut Out<T>,
    m: u32,
    n: u32,
    k: u32,
    runs: u32,
    #[comptime] tile: Tile,
) {
    let (run, first, end) = run_tile(offsets, runs, tile.high(), group_id_y());
    assert!(end <= m, "the last run ends with the rows");
    let of = Operands {
        a: &|row, i| x[row as u64 * k as u64 + i as u64] as f32,
        b: &|col, i, _| {
            let row = run as u64 * n as u64 + col as u64;
            vec![w[row * k as u64 + i as u64] as f32]
        },
        store: &|row, col, sum| {
            y[row as u64 * n as u64 + col as u64] = sum as T;
        },
    };
    // Groups without rows have no terms either.
    let terms = select(run < runs, k, 0);
    let along = Along { a_k: true, b_k: true };
    tiled(tile, along, 1, [first, group_id() * tile.wide()], [end, n, terms], &of);
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [m, k] = call.shape::<2>("x")?;
    let [matrices, n, _] = call.shape::<3>("w")?;
    call.expect_shape("w", &[matrices, n, k])?;
    let mut plan = Plan::new();
    let (runs, offsets) = runs(call, &mut plan, call.product("w", &[matrices, n])?)?;
    call.require(runs == matrices, || {
        let want = format!("{matrices} + 1, one run for each of `w`");
        ("the length of `offsets`".into(), want, (runs + 1).to_string())
    })?;
    let y = plan.output("y", call.dtype("x"), &[m, n]);
    let tile = Tile::fitting(m / runs, n);
    let kernel = with_real!(call, call.dtype("x"), T => gemm_grouped::<T>(tile))?;
    let tensors = [call.buffer("x"), call.buffer("w"), offsets, y.buffer()];
    plan.step(kernel, tensors.into_iter().chain([m, n, k, runs].map(Arg::from)));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let w: Vec<Weight> = known.float("w").iter().copied().map(Weight::plain).collect();
    let shape = [known.extent("x", 0), known.extent("w", 1), known.extent("w", 2)];
    let (y, magnitude) = products(&w, known.float("x"), shape, |row| run_of(known, row));
    vec![Expected::sum("y", y, magnitude)]
}

fn case(name: &str, dtype: DType, ends: &[u32], [n, k]: [u32; 2], p: Pattern) -> Case {
    let (runs, m) = (ends.len() as u32 - 1, *ends.last().expect("runs have an end"));
    let offsets = Pattern::CycleInt(ends.iter().map(|&end| i128::from(end)).collect());
    Case::new(format!("{name} {m}x{n}x{k} of {runs}"), dtype)
        .input("x", &[m, k], p.clone())
        .input("w", &[runs, n, k], p)
        .input_as("offsets", DType::U32, &[runs + 1], offsets)
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        let bound = Bound::Sum { ulps: 0.51, eps_of: DType::F32, factor: 65.0 };
        // Runs of no row, of one, of a tile and of a tile and one; every tile.
        for ends in [&[0, 1][..], &[0, 0, 8, 17, 18, 18], &[0, 30, 30, 95, 96], &[0, 0, 0]] {
            for [n, k] in [[1, 1], [17, 33], [130, 64]] {
                if *ends == [0, 0, 0] {
                    continue;
                }
                all.push(case("exact", dtype, ends, [n, k], Pattern::Positions));
            }
            let normal = case("normal", dtype, ends, [19, 64], Pattern::normal(5)).bound(bound);
            all.push(if *ends == [0, 0, 0] { normal.empty() } else { normal });
        }
        let nan = case("nan", dtype, &[0, 3, 3, 5], [4, 9], Pattern::Positions);
        all.push(nan.input(
            "x",
            &[5, 9],
            Pattern::Positions.with(&[(30, f64::NAN), (2, f64::INFINITY)]),
        ));
        all.push(case("k = 0", dtype, &[0, 2, 3], [4, 0], Pattern::Positions));
    }
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let [n, k] = [256, 256];
    let ends: Vec<u32> = (0..=8).map(|e| e * e * 8).collect();
    let bound = Bound::Sum { ulps: 0.51, eps_of: DType::F32, factor: 257.0 };
    let case = case("bench", DType::F16, &ends, [n, k], Pattern::normal(1)).bound(bound);
    vec![Bench { case, bytes: 0, flops: 2 * 512 * u64::from(n * k), scale: Scale::Host }]
}
