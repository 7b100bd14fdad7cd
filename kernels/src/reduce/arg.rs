//! Where the greatest or the least element of each row stands: `y[r] = argmax over i of x[r, i]`, as u32.
//!
//! `x` is [..., n] with n at least 1, `y` is [...]. Of equal elements the first wins; the zeros are equal; NaN
//! wins over everything, for the least element as well, and the first NaN counts. Exact, so order-free.

use super::rows::{DTYPES, with_foldable};
use crate::{
    pieces::{
        fold::{Fold, Lanes, Row, fold_lanes},
        order::Ordered,
    },
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("arg_reduce", "reduce", plan, reference, cases)
    .summary("y[r] = argmax or argmin over i of x[r, i]")
    .inputs(&[InputSpec::new("x", DTYPES, "[..., n], n at least 1")])
    .outputs(&[OutputSpec::new("y", "[...], u32")])
    .words(&[WordSpec::new("op", &["max", "min"], "which element is sought")])
    .bench(bench);

/// Definition.
#[kernel(group = lanes.threads, grid = rows)]
pub fn arg_rows<T: Ordered>(
    #[len(rows * row_elems)] x: &In<T>,
    #[len(rows)] y: &mut Out<u32>,
    rows: u32,
    row_elems: u32,
    #[comptime] least: bool,
    #[comptime] lanes: Lanes,
) {
    let row_elems = lanes.whole(row_elems);
    let base = group_id() as u64 * row_elems as u64;
    let mut best = 0u32;
    let mut place = u32::MAX;
    Row::new(lanes, row_elems, |i| T::rank(x[base + i as u64], least)).each(|i, rank| {
        if place == u32::MAX || rank > best {
            best = rank;
            place = i;
        }
    });
    let one_each = Lanes { accumulators: lanes.threads, width: 1, ..lanes };
    let (mine, at) = (best, place);
    let winner = fold_lanes(Fold::Max, one_each, |_| mine);
    let candidate = select(mine == winner, at, lit::<u32>(4294967295.0));
    let first = fold_lanes(Fold::Min, one_each, |_| candidate);
    if thread_id() == 0 {
        y[group_id()] = first;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, row_elems) = call.rows("x")?;
    let outer = call.dims("x").split_last().map_or(&[][..], |(_, outer)| outer);
    call.expect(row_elems > 0, "the last extent of `x`", "at least 1", row_elems)?;
    let least = call.word("op") == "min";
    let lanes = Lanes::for_rows_of(call, "x")?;
    // What is sought has no order to keep, and so every accumulator may have a thread of its own.
    let lanes = Lanes { threads: lanes.accumulators / lanes.width, ..lanes };
    let mut plan = Plan::new();
    let y = plan.output("y", DType::U32, outer);
    plan.step(
        with_foldable!(call, call.dtype("x"), T => arg_rows::<T>(least, lanes))?,
        [call.buffer("x"), y.buffer(), rows.into(), row_elems.into()],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let x = known.values("x");
    let n = known.extents("x").last().copied().unwrap_or(1);
    let sign = if known.word("op") == "min" { -1.0 } else { 1.0 };
    let place = |row: &[f64]| {
        if let Some(at) = row.iter().position(|x| x.is_nan()) {
            return at as i128;
        }
        let best = row.iter().fold(f64::NEG_INFINITY, |best, x| f64::max(best, sign * x));
        row.iter().position(|x| sign * x == best).unwrap_or(0) as i128
    };
    vec![Expected::int("y", x.chunks(n).map(place).collect())]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for op in ["max", "min"] {
        let case = |name: String, dtype| Case::new(format!("{op} {name}"), dtype).word("op", op);
        for &dtype in DTYPES {
            // Few values, so that the greatest and least come often.
            all.push(case("ties".into(), dtype).input("x", &[6, 300], Pattern::Positions));
            let any = Pattern::Bits { seed: 21 };
            all.push(case("any bits".into(), dtype).input("x", &[4, 1_000], any));
            let (rows, pairs) = super::reference::special_pairs(dtype);
            all.push(case("specials".into(), dtype).input("x", &[rows, 2], pairs));
        }
        for n in [1, 31, 32, 33, 255, 1_024, 1_025, 5_000] {
            // The one that counts stands last, where a dropped element shows.
            let sign = if op == "max" { 100.0 } else { -100.0 };
            let last = Pattern::normal(4).with(&[(n as usize - 1, sign)]);
            all.push(case(format!("last of {n}"), DType::F32).input("x", &[2, n], last));
        }
        let vocabulary = Pattern::normal(5);
        all.push(case("vocabulary".into(), DType::BF16).input("x", &[1, 152_064], vocabulary));
        let nan = Pattern::normal(6).with(&[(700, f64::NAN), (900, f64::NAN)]);
        all.push(case("NaN".into(), DType::F32).input("x", &[1, 1_100], nan));
        let zeros = Pattern::Cycle(vec![-0.0, 0.0, 0.0, -0.0]);
        all.push(case("zeros".into(), DType::F32).input("x", &[3, 3], zeros));
        all.push(case("none".into(), DType::F32).input("x", &[0, 3], Pattern::normal(1)).empty());
        let every_third = TensorDesc::strided(DType::F32, &[4, 50], &[1, 12], 7);
        all.push(case("view".into(), DType::F32).view("x", every_third, Pattern::normal(7)));
        for dtype in [DType::U32, DType::I32] {
            let close = Pattern::CycleInt(vec![16_777_217, 16_777_216, 16_777_218, 16_777_219]);
            all.push(case("past 2^24".into(), dtype).input("x", &[2, 4], close));
        }
    }
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let of = |(name, rows, n, scale)| {
        let case = Case::new(name, DType::F32).input("x", &[rows, n], Pattern::normal(1));
        Bench { case, bytes: 4 * u64::from(rows) * u64::from(n), flops: 0, scale }
    };
    let sizes = [("max", 16, 152_064, Scale::Host), ("max-4096x4096", 4_096, 4_096, Scale::Device)];
    sizes.map(of).into()
}
