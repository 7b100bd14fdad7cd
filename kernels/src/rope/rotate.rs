//! Rotary position embedding (Su et al., 2021): pairs of elements of a head are rotated by an angle that grows
//! with the position.
//!
//! `x` and `y` are [seq, heads, dim], `positions` is [seq]. Pair `i` of the first `rotary` elements turns by
//! `positions[s] * theta^(-2 i / rotary)`; the rest is copied. Pairs are `(i, i + rotary / 2)` (`half`) or
//! `(2 i, 2 i + 1)` (`adjacent`). The inverse turns back.

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry {
    name: "rope",
    family: "rope",
    summary: "(a, b) -> (a cos t - b sin t, b cos t + a sin t), t = position * theta^(-2 i / rotary)",
    signature: Signature {
        inputs: &[
            InputSpec::new("x", REALS, "[seq, heads, dim]"),
            InputSpec::new("positions", &[DType::U32], "[seq]"),
        ],
        outputs: &[OutputSpec::new("y", "shape and dtype of x")],
        settings: &[
            SettingSpec::float("theta", 10_000.0, "base of the frequencies, above 0"),
            SettingSpec::int("rotary", 0, "elements of a head that turn, even; 0: all"),
            SettingSpec::int("inverse", 0, "1 turns back"),
        ],
        words: &[WordSpec::new("pairs", &["half", "adjacent"], "which elements make a pair")],
    },
    plan,
    reference,
    cases,
    bench,
};

/// Which elements of a head make pair `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// `i` and `i + rotary / 2`.
    Half,
    /// `2 i` and `2 i + 1`.
    Adjacent,
}

/// Heads of a thread. They share a pair's angle, whose functions take longer than the pair takes to move.
const HEADS: u32 = 8;

/// Definition: one thread a pair of some heads, and one an element of them that is copied.
#[kernel(
    group = 64,
    grid = ((rotary / 2 + (dim - rotary)).div_ceil(64), heads.div_ceil(HEADS), seq)
)]
pub fn rope<T: Real>(
    #[len(seq * heads * dim)] x: &In<T>,
    #[len(seq)] positions: &In<u32>,
    #[len(seq * heads * dim)] y: &mut Out<T>,
    seq: u32,
    heads: u32,
    dim: u32,
    rotary: u32,
    log2_theta: f32,
    #[comptime] pairs: Pairs,
    #[comptime] inverse: bool,
) {
    let i = global_id();
    let half = rotary / 2;
    let first_head = group_id_y() * HEADS;
    let some = min(heads - first_head, HEADS);
    let token = (group_id_z() as u64 * heads as u64 + first_head as u64) * dim as u64;
    if i < half {
        let (first, second) = match pairs {
            Pairs::Half => (i, i + half),
            Pairs::Adjacent => (i * 2, i * 2 + 1),
        };
        let frequency = exp2(-log2_theta * (i as f32 * 2.0 / (rotary as f32)));
        let angle = positions[group_id_z()] as f32 * frequency;
        let c = cos(angle);
        let s = if inverse { -sin(angle) } else { sin(angle) };
        for head in val(0u32)..some {
            let base = token + head as u64 * dim as u64;
            let a = x[base + first as u64] as f32;
            let b = x[base + second as u64] as f32;
            y[base + first as u64] = (a * c - b * s) as T;
            y[base + second as u64] = (b * c + a * s) as T;
        }
    } else if i < half + (dim - rotary) {
        for head in val(0u32)..some {
            let at = token + head as u64 * dim as u64 + (i + half) as u64;
            y[at] = x[at];
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [seq, heads, dim] = call.shape("x")?;
    call.expect_shape("positions", &[seq])?;
    call.elems("x")?;
    let rotary = match call.int_in("rotary", 0..=i64::from(dim))? {
        0 => dim,
        n => n,
    };
    call.require(rotary % 2 == 0, || {
        ("the elements that turn".into(), "even".into(), rotary.to_string())
    })?;
    let theta = call.float("theta");
    call.require(theta > 0.0 && theta.is_finite(), || {
        ("`theta`".into(), "above 0".into(), theta.to_string())
    })?;
    let pairs = if call.word("pairs") == "half" { Pairs::Half } else { Pairs::Adjacent };
    let inverse = call.flag("inverse");
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let kernel = with_real!(call, call.dtype("x"), T => rope::<T>(pairs, inverse))?;
    let log2_theta = Arg::float(DType::F32, libm::log2(theta));
    plan.step(
        kernel,
        [
            call.buffer("x"),
            call.buffer("positions"),
            y.buffer(),
            seq.into(),
            heads.into(),
            dim.into(),
            rotary.into(),
            log2_theta,
        ],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let (x, positions) = (known.float("x"), known.int("positions"));
    let (heads, dim) = (known.extent("x", 1), known.extent("x", 2));
    let rotary = if call.int("rotary") == 0 { dim } else { call.int("rotary") as usize };
    let sign = if known.flag("inverse") { -1.0 } else { 1.0 };
    let theta = call.float("theta");
    let (mut y, mut errors) = (x.to_vec(), vec![0.0; x.len()]);
    for head in 0..x.len() / dim.max(1) {
        let position = positions[head / heads] as f64;
        for i in 0..rotary / 2 {
            let (first, second) = match known.word("pairs") {
                "half" => (i, i + rotary / 2),
                _ => (2 * i, 2 * i + 1),
            };
            let (first, second) = (head * dim + first, head * dim + second);
            let exponent = 2.0 * i as f64 / rotary as f64 * libm::log2(theta);
            let angle = position * libm::exp2(-exponent);
            let (a, b) = (x[first], x[second]);
            y[first] = a * libm::cos(angle) - b * sign * libm::sin(angle);
            y[second] = b * libm::cos(angle) + a * sign * libm::sin(angle);
            // The exponent has a few roundings, exp2 and the product one each: relative errors of the angle, which
            // turn the pair. Cosine, sine, two products and their sum add about four more.
            let turn = angle * (3.0 * exponent.abs() + 4.0) + 4.0;
            errors[first] = (a.abs() + b.abs()) * turn;
            errors[second] = errors[first];
        }
    }
    vec![Expected::sum("y", y, errors)]
}

fn case(name: String, dtype: DType, shape: [u32; 3]) -> Case {
    let far = Pattern::CycleInt(vec![0, 1, 2, 100, 8_191, 4_096, 77]);
    Case::new(name, dtype)
        .input("x", &shape, Pattern::normal(u64::from(shape[2])))
        .input_as("positions", DType::U32, &[shape[0]], far)
        .bound(Bound::sum(1.0))
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        for pairs in ["half", "adjacent"] {
            for (shape, rotary) in [
                ([1, 1, 2], 0),
                ([8, 4, 16], 0),
                ([7, 2, 128], 0),
                ([3, 3, 80], 32),
                ([2, 1, 130], 130),
            ] {
                for inverse in [0, 1] {
                    let name = format!("{pairs}-{shape:?}-{rotary}-{inverse}");
                    let case = case(name, dtype, shape).word("pairs", pairs).set("rotary", rotary);
                    all.push(case.set("inverse", inverse));
                }
            }
        }
    }
    let far = case("theta".into(), DType::F32, [7, 2, 64]);
    all.push(far.set("theta", 500_000.0));
    let many = case("heads".into(), DType::F32, [2, 19, 10]);
    all.push(many.set("rotary", 6));
    let view = TensorDesc::strided(DType::F32, &[3, 2, 10], &[10, 30, 1], 4);
    all.push(case("view".into(), DType::F32, [3, 2, 10]).view("x", view, Pattern::normal(2)));
    all.push(case("empty".into(), DType::F32, [0, 2, 10]).empty());
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let of = |(name, tokens, scale): (&str, u32, Scale)| {
        let shape = [tokens, 32, 128];
        let bytes = 8 * shape.iter().map(|&e| u64::from(e)).product::<u64>();
        Bench { case: case(name.into(), DType::F32, shape), bytes, flops: 0, scale }
    };
    [("128", 256, Scale::Host), ("16384x32x128", 16_384, Scale::Device)].map(of).into()
}
