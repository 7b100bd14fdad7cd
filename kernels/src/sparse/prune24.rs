//! A matrix made 2:4: of each group of four neighbours along a row the two largest magnitudes stay, of equal ones
//! those at lower places; or those that a mask keeps. The rest becomes +0, and so does -0.
//!
//! NaN has no magnitude, and a mask that keeps more than two of a group is none: `report` says that there is such
//! a group, and what is written of it then is no pruning.

use super::{
    group::{DTYPES, Group, Kept, group_at, with_kept},
    image,
    report::{REPORT, Report, expected, grouped_rows, refuse},
};
use crate::{pieces::each::THREADS, prelude::*};

/// The operation.
pub const ENTRY: Entry = Entry::new("prune24", "sparse", plan, reference, cases)
    .summary("y = x where it is one of the two largest magnitudes of its group of four, else 0")
    .inputs(&[
        InputSpec::new("x", DTYPES, "[..., k], k a multiple of 4"),
        InputSpec::new("mask", &[DType::Bool], "shape of x: what is kept, whatever its size")
            .optional(),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x"), REPORT])
    .bench(bench);

/// The magnitude of an infinity, as bits: only NaN is above. No integer's magnitude is.
const INFINITE: u32 = 0x7f80_0000;

/// Whether fewer than two of the group come before place `j`.
#[device]
fn stays<T: Kept>(group: &Group<T>, j: usize) -> Val<bool> {
    let m = &group.magnitudes;
    let before = |i: usize| if i < j { m[i] >= m[j] } else { m[i] > m[j] };
    let others: Vec<Val<u32>> = (0..4).filter(|&i| i != j).map(|i| before(i) as u32).collect();
    others[0] + others[1] + others[2] < 2
}

/// Definition: a thread a group.
#[kernel(group = THREADS, grid = groups.div_ceil(THREADS))]
pub fn prune24<T: Kept>(
    #[len(groups * 4)] x: &In<T>,
    #[len(groups * (4 * masked))] mask: &In<bool>,
    #[len(groups * 4)] y: &mut Out<T>,
    #[len(2)] found: &mut InOut<u32>,
    groups: u32,
    #[comptime] masked: u32,
) {
    let i = global_id();
    if i < groups {
        let first = i as u64 * 4;
        let group = group_at(x, first);
        let keeps: Vec<Val<bool>> = (0..4usize)
            .map(|j| if masked == 1 { mask[first + j as u64] } else { stays(&group, j) })
            .collect();
        for j in 0..4usize {
            y[first + j as u64] = select(keeps[j], group.values[j], lit::<T::Value>(0.0));
        }
        let m = &group.magnitudes;
        let nan = max(max(m[0], m[1]), max(m[2], m[3])) > INFINITE;
        let kept = keeps[0] as u32 + keeps[1] as u32 + (keeps[2] as u32 + keeps[3] as u32);
        refuse(nan | (kept > 2), i, found);
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (rows, k) = grouped_rows(call, "x")?;
    let (masked, mask) = if call.has("mask") {
        call.expect_shape("mask", call.dims("x"))?;
        (1, Some(call.buffer("mask")))
    } else {
        (0, None)
    };
    let dtype = call.dtype("x");
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("x"));
    let report = Report::start(call, &mut plan)?;
    let mask = mask.unwrap_or_else(|| plan.temp(DType::Bool, &[0]).buffer());
    let kernel = with_kept!(call, dtype, T => prune24::<T>(masked))?;
    let groups = rows * (k / 4);
    plan.step(kernel, [call.buffer("x"), mask, y.buffer(), report.arg(), groups.into()]);
    report.end(call, &mut plan, k / 4)?;
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (mut y, mut bad) = (Vec::new(), Vec::new());
    for (at, group) in known.values("x").chunks(4).enumerate() {
        let keep: Vec<usize> = if known.has("mask") {
            (0..4).filter(|&p| known.int("mask")[4 * at + p] != 0).collect()
        } else {
            let mut order = [0, 1, 2, 3];
            let size = |p: usize| if group[p].is_nan() { f64::INFINITY } else { group[p].abs() };
            // A stable sort: of equal sizes the lower place comes first. NaN is above infinity.
            order.sort_by(|&p, &q| {
                let nan = group[q].is_nan().cmp(&group[p].is_nan());
                nan.then(size(q).total_cmp(&size(p)))
            });
            order[..2].into()
        };
        if keep.len() > 2 || group.iter().any(|v| v.is_nan()) {
            bad.push(at);
        }
        y.extend((0..4).map(|p| if keep.contains(&p) && group[p] != 0.0 { group[p] } else { 0.0 }));
    }
    let report = expected(known.extents("x").last().map_or(1, |k| k / 4), &bad);
    vec![image::like(known.dtype("x"), "y", y), report]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = image::matrices();
    for &dtype in DTYPES {
        // Each order of four magnitudes with ties, and each mask, three and four kept places too.
        let orders: Vec<f64> = (0..256u32)
            .flat_map(|i| (0..4).map(move |p| f64::from(1 + (i >> (2 * p) & 3))))
            .collect();
        let signs = |i: usize, x: f64| if dtype != DType::U4 && i % 3 == 1 { -x } else { x };
        let orders = orders.into_iter().enumerate().map(|(i, x)| signs(i, x)).collect();
        let orders = Pattern::Cycle(orders);
        all.push(Case::new("every order", dtype).input("x", &[8, 128], orders.clone()));
        let masks: Vec<i128> =
            (0..16).flat_map(|i: i128| (0..4).map(move |p| i >> p & 1)).collect();
        all.push(Case::new("every mask", dtype).input("x", &[2, 64], orders.clone()).input_as(
            "mask",
            DType::Bool,
            &[2, 64],
            Pattern::CycleInt(masks),
        ));
        let pairs: Vec<i128> = [3, 5, 9, 6, 10, 12, 1, 2, 4, 8, 0]
            .into_iter()
            .flat_map(|i: i128| (0..4).map(move |p| i >> p & 1))
            .collect();
        all.push(Case::new("mask", dtype).input("x", &[3, 44], orders).input_as(
            "mask",
            DType::Bool,
            &[3, 44],
            Pattern::CycleInt(pairs),
        ));
    }
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    image::benches(|bytes| 2 * bytes)
}
