//! A 2:4 matrix compressed: the two elements that each group of four keeps, and their places.
//!
//! Of a group with more than two numbers the first two are kept; `report` says that there is one, and what
//! else is written then is no compression of `x`.

use super::{
    check24::crowded,
    group::{DTYPES, Group, Kept, group_at, index_words, survivors, with_kept},
    image,
    report::{REPORT, Report, expected, grouped_rows, refuse},
};
use crate::{
    pieces::each::{THREADS, multiple},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("compress24", "sparse", plan, reference, cases)
    .summary("the two elements that each group of four along a row keeps, and their places")
    .inputs(&[InputSpec::new("x", DTYPES, "[..., k], k a multiple of 4")])
    .outputs(&[
        OutputSpec::new("values", "[..., k/2], dtype of x"),
        OutputSpec::new("index", "[..., k/16 rounded up], u16"),
        REPORT,
    ])
    .bench(bench);

/// What a group keeps: the two values, and their places as four bits.
#[device]
fn kept_of<T: Kept>(group: &Group<T>) -> (Vec<Val<T::Value>>, Val<u32>) {
    let (m, v) = (&group.magnitudes, &group.values);
    // The first place is that of the first number, at most 2; the second that of the next one after it, else 3.
    let first = select(m[0] != 0, 0, select(m[1] != 0, 1, 2u32));
    let second = select(first < 1 && m[1] != 0, 1, select(first < 2 && m[2] != 0, 2, 3u32));
    let low = select(first == 0, v[0], select(first == 1, v[1], v[2]));
    let high = select(second == 1, v[1], select(second == 2, v[2], v[3]));
    (vec![low, high], first | (second << 2))
}

/// Definition: a thread a word of the index.
#[kernel(group = THREADS, grid = (rows * k.div_ceil(16)).div_ceil(THREADS))]
pub fn compress24<T: Kept>(
    #[len(rows * k)] x: &In<T>,
    #[len(rows * (k / 2))] values: &mut Out<T>,
    #[len(rows * k.div_ceil(16))] index: &mut Out<u16>,
    #[len(2)] found: &mut InOut<u32>,
    rows: u32,
    k: u32,
) {
    let k = multiple(4, k);
    let (words, groups) = (index_words(k), k / 4);
    let i = global_id();
    if i < rows * words {
        let (row, word) = (i / words, i % words);
        let mut places = 0xeeeeu32;
        for g in 0..4 {
            let at = word * 4 + g;
            if at < groups {
                let first = row as u64 * k as u64 + at as u64 * 4;
                let group = group_at(x, first);
                let (kept, place) = kept_of(&group);
                values[first / 2] = kept[0];
                values[first / 2 + 1] = kept[1];
                places = places & !(15u32 << (4 * g)) | (place << (4 * g));
                refuse(survivors(&group) > 2, row * groups + at, found);
            }
        }
        index[i] = places as u16;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, k) = grouped_rows(call, "x")?;
    let outer = &call.dims("x")[..call.dims("x").len() - 1];
    let mut plan = Plan::new();
    let values = plan.output("values", call.dtype("x"), &[outer, &[k / 2]].concat());
    let index = plan.output("index", DType::U16, &[outer, &[k.div_ceil(16)]].concat());
    let report = Report::start(call, &mut plan)?;
    let kernel = with_kept!(call, call.dtype("x"), T => compress24::<T>())?;
    let args = [call.buffer("x"), values.buffer(), index.buffer(), report.arg()];
    plan.step(kernel, args.into_iter().chain([rows, k].map(Arg::from)));
    report.end(call, &mut plan, k / 4)?;
    Ok(plan)
}

/// Places by the list of what may be kept, not by a rule.
fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, k) = (known.values("x"), *known.extents("x").last().unwrap_or(&1));
    let (mut values, mut index) = (Vec::new(), Vec::new());
    for row in x.chunks(k.max(1)) {
        let mut word_of = vec![0xeeee; k.div_ceil(16)];
        for (g, group) in row.chunks(4).enumerate() {
            let all: Vec<usize> = (0..4).filter(|&p| group[p] != 0.0).take(2).collect();
            let (slots, places) = image::encoding(&all);
            values.extend(slots.map(|slot| slot.map_or(0.0, |p| group[p])));
            word_of[g / 4] &= !(0xf << (4 * (g % 4)));
            word_of[g / 4] |= places << (4 * (g % 4));
        }
        index.extend(word_of);
    }
    let report = expected(k / 4, &crowded(&x));
    let values = image::like(known.dtype("x"), "values", values);
    vec![values, Expected::int("index", index), report]
}

fn cases(_: &Entry) -> Vec<Case> {
    image::matrices()
}

fn bench(_: &Entry) -> Vec<Bench> {
    image::benches(|bytes| bytes + bytes / 2 + bytes / 16)
}
