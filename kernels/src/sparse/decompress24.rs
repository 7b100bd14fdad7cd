//! A compressed 2:4 matrix as it was: each kept value at its place, +0 elsewhere.

use super::{
    group::{DTYPES, Kept, index_words, with_kept},
    image,
};
use crate::{
    pieces::each::{THREADS, multiple},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("decompress24", "sparse", plan, reference, cases)
    .summary("each kept value at its place in a group of four, 0 elsewhere")
    .inputs(&[
        InputSpec::new("values", DTYPES, "[..., k/2]"),
        InputSpec::new("index", &[DType::U16], "[..., k/16 rounded up]"),
    ])
    .outputs(&[OutputSpec::new("x", "[..., k], dtype of values")])
    .bench(bench);

/// Definition: a thread a word of the index.
#[kernel(group = THREADS, grid = (rows * k.div_ceil(16)).div_ceil(THREADS))]
pub fn decompress24<T: Kept>(
    #[len(rows * (k / 2))] values: &In<T>,
    #[len(rows * k.div_ceil(16))] index: &In<u16>,
    #[len(rows * k)] x: &mut Out<T>,
    rows: u32,
    k: u32,
) {
    let k = multiple(4, k);
    let (words, groups) = (index_words(k), k / 4);
    let i = global_id();
    if i < rows * words {
        let (row, word) = (i / words, i % words);
        let places = index[i] as u32;
        let zero = lit::<T::Value>(0.0);
        for g in 0..4 {
            let at = word * 4 + g;
            if at < groups {
                let first = row as u64 * k as u64 + at as u64 * 4;
                let (low, high) = (values[first / 2], values[first / 2 + 1]);
                let (a, b) = ((places >> (4 * g)) & 3, (places >> (4 * g + 2)) & 3);
                for p in 0..4u32 {
                    x[first + p as u64] = select(a == p, low, select(b == p, high, zero));
                }
            }
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, half) = call.rows("values")?;
    let dims = call.dims("values");
    let fits = !dims.is_empty() && half.is_multiple_of(2) && half < 1 << 31;
    call.require(fits, || {
        let got = format!("{dims:?}");
        ("the last extent of `values`".into(), "a multiple of 2 below 2^31".into(), got)
    })?;
    let (outer, k) = (&dims[..dims.len() - 1], half * 2);
    let shape = [outer, &[k]].concat();
    call.product("x", &shape)?;
    call.expect_shape("index", &[outer, &[k.div_ceil(16)]].concat())?;
    let dtype = call.dtype("values");
    let mut plan = Plan::new();
    let x = plan.output("x", dtype, &shape);
    let kernel = with_kept!(call, dtype, T => decompress24::<T>())?;
    let args = [call.buffer("values"), call.buffer("index"), x.buffer()];
    plan.step(kernel, args.into_iter().chain([rows, k].map(Arg::from)));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let k = 2 * *known.extents("values").last().unwrap_or(&1);
    let x = image::dense(&known.values("values"), known.int("index"), k);
    vec![image::like(known.dtype("values"), "x", x)]
}

fn cases(_: &Entry) -> Vec<Case> {
    image::compressed()
}

fn bench(_: &Entry) -> Vec<Bench> {
    let of = |(n, scale): (u32, Scale)| {
        let (dtype, words) = (DType::F16, Pattern::Cycle(vec![f64::from(0xe9c8u32), 16452.0]));
        let case = Case::new(format!("{n}x{n}"), dtype)
            .input("values", &[n, n / 2], Pattern::normal(1))
            .input_as("index", DType::U16, &[n, n / 16], words);
        let bytes = dtype.bytes_for(u64::from(n) * u64::from(n)).unwrap_or(0);
        Bench { case, bytes: bytes + bytes / 2 + bytes / 16, flops: 0, scale }
    };
    [(2_048, Scale::Host), (8_192, Scale::Device)].map(of).into()
}
