//! Rotary position embedding (Su et al., 2021): pairs of elements of a head are rotated by an angle that grows
//! with the position.
//!
//! `x` and `y` are [seq, heads, dim], `positions` is [seq]. Pair `i` of `rotary` elements, those from `skip` on, turns by
//! `positions[s] * theta^(-2 i / rotary)`; the rest is copied. Pairs are `(i, i + rotary / 2)` (`half`) or
//! `(2 i, 2 i + 1)` (`adjacent`). The inverse turns back. With `frequencies` (`rope_frequencies` makes them) pair `i` turns by
//! `positions[s] * frequencies[i]`; what turns is multiplied by `scale`. Where positions have more than one axis, [seq, axes],
//! the elements that turn are cut in as many parts, and each is turned by its axis as if it were all.

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("rope", "rope", plan, reference, cases)
    .summary(
        "(a, b) -> (a cos t - b sin t, b cos t + a sin t), t = position * theta^(-2 i / rotary)",
    )
    .inputs(&[
        InputSpec::new("x", REALS, "[seq, heads, dim]"),
        InputSpec::new("positions", &[DType::U32], "[seq] or [seq, axes]"),
        InputSpec::new("frequencies", &[DType::F32], "[rotary / 2 / axes]").optional(),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])])
    .settings(&[
        SettingSpec::float("theta", 10_000.0, "base of the frequencies, above 0"),
        SettingSpec::int("rotary", 0, "elements of a head that turn, even; 0: all"),
        SettingSpec::int("skip", 0, "elements of a head before those that turn"),
        SettingSpec::float("scale", 1.0, "factor of what turns"),
        SettingSpec::int("inverse", 0, "1 turns back"),
    ])
    .words(&[WordSpec::new("pairs", &["half", "adjacent"], "which elements make a pair")])
    .bench(bench);

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
    #[len(seq * axes)] positions: &In<u32>,
    #[len(rotary / 2 / axes * tables)] frequencies: &In<f32>,
    #[len(seq * heads * dim)] y: &mut Out<T>,
    seq: u32,
    heads: u32,
    dim: u32,
    rotary: u32,
    skip: u32,
    axes: u32,
    log2_theta: f32,
    scale: f32,
    #[comptime] tables: u32,
    #[comptime] pairs: Pairs,
    #[comptime] inverse: bool,
) {
    let i = global_id();
    let half = rotary / 2;
    let first_head = group_id_y() * HEADS;
    let some = min(heads - first_head, HEADS);
    let token = (group_id_z() as u64 * heads as u64 + first_head as u64) * dim as u64;
    if i < half {
        let part = rotary / axes;
        let (axis, j) = (i / (part / 2), i % (part / 2));
        let start = skip + axis * part;
        let (first, second) = match pairs {
            Pairs::Half => (start + j, start + j + part / 2),
            Pairs::Adjacent => (start + j * 2, start + j * 2 + 1),
        };
        let frequency = if tables > 0 {
            frequencies[j]
        } else {
            exp2(-log2_theta * (j as f32 * 2.0 / (part as f32)))
        };
        let angle = positions[group_id_z() * axes + axis] as f32 * frequency;
        let c = cos(angle) * scale;
        let s = if inverse { -sin(angle) * scale } else { sin(angle) * scale };
        for head in val(0u32)..some {
            let base = token + head as u64 * dim as u64;
            let a = x[base + first as u64] as f32;
            let b = x[base + second as u64] as f32;
            y[base + first as u64] = (a * c - b * s) as T;
            y[base + second as u64] = (b * c + a * s) as T;
        }
    } else if i < half + (dim - rotary) {
        // What is copied lies before the elements that turn, and behind them.
        let k = i - half;
        let place = select(k < skip, k, k + rotary);
        for head in val(0u32)..some {
            let at = token + head as u64 * dim as u64 + place as u64;
            y[at] = x[at];
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [seq, heads, dim] = call.shape("x")?;
    let axes = call.dims("positions").get(1).copied().unwrap_or(1);
    call.expect_shape("positions", &[seq, axes][..call.dims("positions").len().clamp(1, 2)])?;
    call.elems("x")?;
    let skip = call.int_in("skip", 0..=i64::from(dim))?;
    let rotary = match call.int_in("rotary", 0..=i64::from(dim - skip))? {
        0 => dim - skip,
        n => n,
    };
    call.require(axes > 0 && axes <= 1 << 16 && rotary % (2 * axes) == 0, || {
        (
            "the elements of a head of `x` that turn".into(),
            format!("pairs for each of {axes} axes"),
            rotary.to_string(),
        )
    })?;
    if call.has("frequencies") {
        call.expect_shape("frequencies", &[rotary / 2 / axes])?;
    }
    let scale = call.float("scale");
    call.expect(scale.is_finite(), "`scale`", "finite", scale)?;
    let theta = call.float("theta");
    call.expect(theta > 0.0 && theta.is_finite(), "`theta`", "above 0", theta)?;
    let pairs = if call.word("pairs") == "half" { Pairs::Half } else { Pairs::Adjacent };
    let inverse = call.flag("inverse");
    let mut plan = Plan::new();
    // Where there is no table, an empty one stands for it.
    let (tables, table) = match call.has("frequencies") {
        true => (1, call.buffer("frequencies")),
        false => (0, plan.temp(DType::F32, &[0]).buffer()),
    };
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let kernel = with_real!(call, call.dtype("x"), T => rope::<T>(tables, pairs, inverse))?;
    let log2_theta = Arg::float(DType::F32, libm::log2(theta));
    plan.step(
        kernel,
        [
            call.buffer("x"),
            call.buffer("positions"),
            table,
            y.buffer(),
            seq.into(),
            heads.into(),
            dim.into(),
            rotary.into(),
            skip.into(),
            axes.into(),
            log2_theta,
            Arg::float(DType::F32, scale),
        ],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let (x, positions) = (known.float("x"), known.int("positions"));
    let (heads, dim) = (known.extent("x", 1), known.extent("x", 2));
    let skip = call.int("skip") as usize;
    let rotary = if call.int("rotary") == 0 { dim - skip } else { call.int("rotary") as usize };
    let axes = positions.len() / known.extent("x", 0).max(1);
    let part = rotary / axes.max(1);
    let scale = number::round(DType::F32, call.float("scale"));
    let sign = if known.flag("inverse") { -scale } else { scale };
    let theta = call.float("theta");
    let (mut y, mut errors) = (x.to_vec(), vec![0.0; x.len()]);
    for (head, pair) in (0..x.len() / dim.max(1)).flat_map(|h| (0..rotary / 2).map(move |p| (h, p)))
    {
        let (axis, i) = (pair / (part / 2), pair % (part / 2));
        let position = positions[head / heads * axes + axis] as f64;
        let (first, second) = match known.word("pairs") {
            "half" => (i, i + part / 2),
            _ => (2 * i, 2 * i + 1),
        };
        let start = head * dim + skip + axis * part;
        let (first, second) = (start + first, start + second);
        let exponent = 2.0 * i as f64 / part as f64 * libm::log2(theta);
        let (frequency, rounded) = match known.has("frequencies") {
            true => (known.float("frequencies")[i], 1.0),
            // The exponent has a few roundings, exp2 and the product one each: relative errors of the angle.
            false => (libm::exp2(-exponent), 3.0 * exponent.abs() + 4.0),
        };
        let angle = position * frequency;
        let (a, b) = (x[first], x[second]);
        y[first] = a * scale * libm::cos(angle) - b * sign * libm::sin(angle);
        y[second] = b * scale * libm::cos(angle) + a * sign * libm::sin(angle);
        // An error of the angle turns the pair. Cosine, sine, their scale, two products and their sum add five more.
        errors[first] = (a.abs() + b.abs()) * scale.abs() * (angle.abs() * rounded + 5.0);
        errors[second] = errors[first];
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
    for pairs in ["half", "adjacent"] {
        let case = |name: &str, shape| {
            case(format!("{name}-{pairs}"), DType::F32, shape).word("pairs", pairs)
        };
        // The last elements of a head, as where keys have a part without positions.
        all.push(case("last", [3, 2, 20]).set("skip", 12).set("scale", 1.25));
        all.push(case("middle", [3, 2, 20]).set("skip", 3).set("rotary", 8));
        let table = Pattern::uniform(5, 0.01, 1.5);
        let given = case("frequencies", [7, 2, 12]).set("scale", 0.75).set("inverse", 1);
        all.push(given.input("frequencies", &[6], table.clone()));
        // Rows and columns of an image.
        let places = Pattern::CycleInt(vec![0, 1, 3, 2, 9, 0, 31, 5]);
        let image = case("rows and columns", [4, 2, 24]);
        all.push(image.input_as("positions", DType::U32, &[4, 2], places.clone()));
        let axes = case("three axes", [4, 1, 20]).set("rotary", 18).set("skip", 1);
        let axes = axes.input_as("positions", DType::U32, &[4, 3], places);
        all.push(axes.input("frequencies", &[3], table));
    }
    let view = TensorDesc::strided(DType::F32, &[3, 2, 10], &[10, 30, 1], 4);
    all.push(case("view".into(), DType::F32, [3, 2, 10]).view("x", view, Pattern::normal(2)));
    // Each reaches its pair alone, at a place where neither sine nor cosine is 0.
    let special = Pattern::normal(3).with(&[(21, f64::NAN), (44, f64::INFINITY)]);
    let case_of = case("nan and inf".into(), DType::F32, [3, 2, 10]);
    let places = Pattern::CycleInt(vec![5, 1, 2]);
    let case_of = case_of.input_as("positions", DType::U32, &[3], places);
    all.push(case_of.input("x", &[3, 2, 10], special));
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
