//! RMS norm of each head, then rotary position embedding: what attention does with its queries and keys.
//!
//! `n[s, h, i] = x[s, h, i] / sqrt(mean(x[s, h]^2) + eps) * weight[i]`; pair `(i, i + dim / 2)` of it turns by
//! `positions[s] * theta^(-2 i / dim)`. `x` and `y` are [seq, heads, dim], `weight` is [dim], `positions` is [seq]. Nothing is
//! rounded between the two.

use super::{eps, inverse_rms, known_eps, rms_roundings};
use crate::{
    pieces::{
        fold::{Lanes, Row},
        norm::row_inverse_rms,
    },
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("rms_norm_rope", "norms", plan, reference, cases)
    .summary(
        "n = rms_norm of each head; (n[i], n[i + dim/2]) turned by positions[s] theta^(-2 i / dim)",
    )
    .inputs(&[
        InputSpec::new("x", REALS, "[seq, heads, dim], dim even"),
        InputSpec::new("weight", REALS, "[dim]"),
        InputSpec::new("positions", &[DType::U32], "[seq]"),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])])
    .settings(&[
        SettingSpec::float("eps", 1e-6, "added to the mean square"),
        SettingSpec::float("theta", 10_000.0, "base of the frequencies, above 0"),
    ]);

/// Definition: one group a head.
#[kernel(group = lanes.threads, grid = (heads, seq))]
pub fn rms_norm_rope<T: Real, W: Real>(
    #[len(seq * heads * dim)] x: &In<T>,
    #[len(dim)] weight: &In<W>,
    #[len(seq)] positions: &In<u32>,
    #[len(seq * heads * dim)] y: &mut Out<T>,
    seq: u32,
    heads: u32,
    dim: u32,
    eps: f32,
    log2_theta: f32,
    #[comptime] lanes: Lanes,
) {
    let base = (group_id_y() as u64 * heads as u64 + group_id() as u64) * dim as u64;
    let element = |i: Val<u32>| x[base + i as u64] as f32;
    let inverse = row_inverse_rms(&Row::new(lanes, dim, element), eps);
    let half = dim / 2;
    let position = positions[group_id_y()] as f32;
    for i in (thread_id()..half).step_by(lanes.threads) {
        let angle = position * exp2(-log2_theta * (i as f32 * 2.0 / (dim as f32)));
        let (c, s) = (cos(angle), sin(angle));
        let a = element(i) * inverse * (weight[i] as f32);
        let b = element(i + half) * inverse * (weight[i + half] as f32);
        y[base + i as u64] = (a * c - b * s) as T;
        y[base + (i + half) as u64] = (b * c + a * s) as T;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [seq, heads, dim] = call.shape("x")?;
    call.expect_shape("weight", &[dim])?;
    call.expect_shape("positions", &[seq])?;
    call.elems("x")?;
    call.expect(dim % 2 == 0, "`dim`", "even", dim)?;
    Lanes::for_rows_of(call, "x")?;
    let theta = call.float("theta");
    call.expect(theta > 0.0 && theta.is_finite(), "`theta`", "above 0", theta)?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let lanes = Lanes::for_any_row(dim);
    let kernel = with_real2!(call, ["x", "weight"], [T, W] => rms_norm_rope::<T, W>(lanes))?;
    let inputs = ["x", "weight", "positions"].map(|name| call.buffer(name));
    let sizes = [seq, heads, dim].map(Arg::from);
    let floats = [eps(call)?, Arg::float(DType::F32, libm::log2(theta))];
    plan.step(kernel, inputs.into_iter().chain([y.buffer()]).chain(sizes).chain(floats));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (x, weight, positions) = (known.float("x"), known.float("weight"), known.int("positions"));
    let (heads, dim) = (known.extent("x", 1), weight.len());
    let log2_theta = libm::log2(Call::float(known, "theta"));
    let (mut y, mut errors) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    for (r, row) in x.chunks(dim.max(1)).enumerate() {
        let inverse = inverse_rms(row, known_eps(known));
        for i in 0..dim / 2 {
            let (j, exponent) = (i + dim / 2, 2.0 * i as f64 / dim as f64 * log2_theta);
            let angle = positions[r / heads] as f64 * libm::exp2(-exponent);
            let (a, b) = (row[i] * inverse * weight[i], row[j] * inverse * weight[j]);
            y[r * dim + i] = a * libm::cos(angle) - b * libm::sin(angle);
            y[r * dim + j] = b * libm::cos(angle) + a * libm::sin(angle);
            // The norm's roundings, two products, and what `rope` adds.
            let turn = angle * (3.0 * exponent.abs() + 4.0) + 4.0;
            errors[r * dim + i] =
                (a.abs() + b.abs()) * (turn + 2.0 + 2.0 * rms_roundings(dim as u32));
            errors[r * dim + j] = errors[r * dim + i];
        }
    }
    vec![Expected::sum("y", y, errors)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    let case = |name: &str, dtype, shape: [u32; 3], x: Pattern| {
        Case::new(name, dtype)
            .input("x", &shape, x)
            .input("weight", &[shape[2]], Pattern::uniform(2, 0.5, 1.5))
            .input_as(
                "positions",
                DType::U32,
                &[shape[0]],
                Pattern::CycleInt(vec![0, 1, 100, 8_191, 77]),
            )
            .bound(Bound::sum(1.0))
    };
    for &dtype in REALS {
        all.push(case("128", dtype, [3, 4, 128], Pattern::normal(1)));
        all.push(case("ragged", dtype, [5, 2, 70], Pattern::normal(2)));
    }
    let f32 = DType::F32;
    all.push(case("one pair", f32, [1, 1, 2], Pattern::normal(3)));
    all.push(case("theta", f32, [4, 1, 64], Pattern::normal(4)).set("theta", 500_000.0));
    let small = Pattern::Normal { seed: 3, mean: 0.0, sd: 2e-3 };
    all.push(case("eps counts", f32, [2, 2, 32], small).set("eps", 1e-5));
    all.push(case("zeros", f32, [2, 2, 32], Pattern::Constant(0.0)));
    all.push(case("NaN", f32, [2, 2, 32], Pattern::normal(5).with(&[(40, f64::NAN)])));
    let mixed = case("f32 weight", DType::BF16, [2, 2, 32], Pattern::normal(6));
    all.push(mixed.input_as("weight", f32, &[32], Pattern::normal(7)));
    all.push(case("empty", f32, [0, 2, 32], Pattern::normal(1)).empty());
    all
}
