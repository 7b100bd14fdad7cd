//! Scan of each row: `y[r, i] = x[r, 0] . ... . x[r, i]`, or without `x[r, i]` itself where exclusive.
//!
//! `x` and `y` are [..., n], one dtype; floats are kept in f32 and rounded once, at the store. The order is the
//! index tree (`pieces::scan`). An exclusive scan begins with the identity: -0.0, 1, -inf, +inf; integers wrap.

use crate::{
    pieces::{
        fold::{FOLDS, Fold, Foldable, Lanes, identity},
        scan::scan_row,
    },
    prelude::*,
    reduce::rows::{DTYPES, with_foldable},
};

/// The operation.
pub const ENTRY: Entry = Entry::new("scan", "scans", plan, reference, cases)
    .summary("y[r, i] = x[r, 0] . x[r, 1] . ... . x[r, i]")
    .inputs(&[InputSpec::new("x", DTYPES, "[..., n]")])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x")])
    .words(&[
        WordSpec::new("op", FOLDS, "what combines"),
        WordSpec::new("kind", &["inclusive", "exclusive"], "whether x[r, i] takes part in y[r, i]"),
    ])
    .bench(bench);

/// Definition.
#[kernel(group = threads, grid = rows)]
pub fn scan_rows<T: Numeric, A: Numeric>(
    #[len(rows * row_elems)] x: &In<T>,
    #[len(rows * row_elems)] y: &mut Out<T>,
    rows: u32,
    row_elems: u32,
    #[comptime] fold: Fold,
    #[comptime] exclusive: bool,
    #[comptime] threads: u32,
) {
    let base = group_id() as u64 * row_elems as u64;
    if exclusive {
        if thread_id() == 0 && row_elems != 0 {
            y[base] = identity::<A>(fold) as T;
        }
    }
    scan_row(
        fold,
        threads,
        row_elems,
        |i| x[base + i as u64] as A,
        |i, prefix| {
            if exclusive {
                if i + 1 < row_elems {
                    y[base + i as u64 + 1] = prefix as T;
                }
            } else {
                y[base + i as u64] = prefix as T;
            }
        },
    );
}

fn stage<T: Foldable>(
    fold: Fold,
    exclusive: bool,
    threads: u32,
) -> Result<evenweave_lang::ir::Kernel, evenweave_lang::StageError> {
    scan_rows::<T, T::Acc>(fold, exclusive, threads)
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = call.rows("x")?;
    let dtype = call.dtype("x");
    let fold = Fold::named(call.word("op"));
    let exclusive = call.word("kind") == "exclusive";
    let accumulators = Lanes::for_rows_of(call, "x")?.accumulators;
    let threads = accumulators.min(256);
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("x"));
    plan.step(
        with_foldable!(call, dtype, T => stage::<T>(fold, exclusive, threads))?,
        [call.buffer("x"), y.buffer(), rows.into(), row_elems.into()],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (dtype, op) = (known.dtype("x"), known.word("op"));
    let n = known.extents("x").last().copied().unwrap_or(1).max(1);
    let exclusive = known.word("kind") == "exclusive";
    if !dtype.is_float() {
        let (low, high) = number::int_range(dtype);
        let (start, step): (i128, fn(i128, i128) -> i128) = match op {
            "sum" => (0, |a, b| a + b),
            "prod" => (1, |a, b| a * b),
            "max" => (low, i128::max),
            _ => (high, i128::min),
        };
        let step = |a, b| number::wrap(dtype, step(a, b));
        return vec![Expected::int("y", prefixes(known.int("x"), n, exclusive, start, step))];
    }
    let (start, step): (f64, fn(f64, f64) -> f64) = match op {
        "sum" => (-0.0, |a, b| a + b),
        "prod" => (1.0, |a, b| a * b),
        "max" => (f64::NEG_INFINITY, |a, b| if a.is_nan() || a >= b { a } else { b }),
        _ => (f64::INFINITY, |a, b| if a.is_nan() || a <= b { a } else { b }),
    };
    let values = prefixes(known.float("x"), n, exclusive, start, step);
    let sizes: Vec<f64> = known.float("x").iter().map(|x| x.abs()).collect();
    // A sum's error is relative to the magnitudes summed, a product's to itself.
    let magnitude = match op {
        "sum" => prefixes(&sizes, n, exclusive, 0.0, step),
        _ => values.iter().map(|v| v.abs()).collect(),
    };
    vec![Expected::sum("y", values, magnitude)]
}

fn prefixes<T: Copy>(
    x: &[T],
    n: usize,
    exclusive: bool,
    start: T,
    step: impl Fn(T, T) -> T,
) -> Vec<T> {
    let mut y = Vec::new();
    for row in x.chunks(n) {
        let mut so_far = start;
        for &x in row {
            let before = so_far;
            so_far = step(so_far, x);
            y.push(if exclusive { before } else { so_far });
        }
    }
    y
}

/// A term of a sum passes one addition a level of the tree; a product is rounded once a factor.
fn bound(op: &str, row_elems: u32) -> Bound {
    match op {
        "sum" => Bound::sum(f64::from(u32::BITS - row_elems.leading_zeros())),
        "prod" => Bound::sum(f64::from(row_elems)),
        _ => Exact,
    }
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for op in FOLDS {
        for kind in ["inclusive", "exclusive"] {
            let case = |name: String, dtype| {
                Case::new(format!("{kind} {op} {name}"), dtype).word("op", op).word("kind", kind)
            };
            for &dtype in DTYPES {
                let pattern = |seed| match (*op, dtype.is_float()) {
                    ("prod", true) => {
                        Pattern::Cycle(vec![1.25, -0.875, 1.0625, 0.75, -1.125, 1.03125])
                    }
                    (_, true) => Pattern::normal(seed),
                    (_, false) => Pattern::Bits { seed },
                };
                let few = [[3, 33], [2, 300]];
                let more = [[1, 1], [2, 256], [2, 257], [1, 1_500]];
                let more = if dtype == DType::F32 { &more[..] } else { &[] };
                for &[rows, n] in few.iter().chain(more) {
                    let case = case(format!("{rows}x{n}"), dtype);
                    let case = case.input("x", &[rows, n], pattern(u64::from(n)));
                    all.push(case.bound(bound(op, n)));
                }
            }
            let nan = Pattern::Cycle(vec![1.0, -0.5, 2.0]).with(&[(3, f64::NAN), (9, -0.0)]);
            all.push(case("NaN".into(), DType::F32).input("x", &[2, 6], nan));
            let far = Pattern::Cycle(vec![1.0, -0.5, f64::INFINITY, 2.0, 0.5, -1.0]);
            all.push(case("inf".into(), DType::F32).input("x", &[2, 6], far));
            let none = case("no rows".into(), DType::F32);
            all.push(none.input("x", &[0, 6], Pattern::normal(1)).empty());
            let none = case("no columns".into(), DType::F32);
            all.push(none.input("x", &[6, 0], Pattern::normal(1)).empty());
        }
        let long = Case::new(format!("{op} long"), DType::I32).word("op", op);
        all.push(long.input("x", &[1, 40_000], Pattern::Bits { seed: 3 }));
        let view = TensorDesc::strided(DType::F32, &[3, 40], &[1, 5], 2);
        let pattern = Pattern::Cycle(vec![1.25, -0.875, 1.0625, 0.75, -1.125]);
        let view =
            Case::new(format!("{op} view"), DType::F32).word("op", op).view("x", view, pattern);
        all.push(view.bound(bound(op, 40)));
    }
    let long = Case::new("sum long", DType::F32).input("x", &[1, 70_001], Pattern::normal(3));
    all.push(long.bound(bound("sum", 70_001)));
    let zeros = Case::new("negative zeros", DType::F32);
    all.push(zeros.input("x", &[1, 5], Pattern::Cycle(vec![-0.0, -0.0, 0.0, -0.0])));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (rows, n) = (256, 16_384);
    let case = Case::new("sum", DType::F32).input("x", &[rows, n], Pattern::normal(1));
    let elems = u64::from(rows * n);
    vec![Bench {
        case: case.bound(bound("sum", n)),
        bytes: 8 * elems,
        flops: elems,
        scale: Scale::Host,
    }]
}
