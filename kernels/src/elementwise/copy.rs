//! A strided view made contiguous: `y[i, j, ...] = x[i, j, ...]`, of any rank up to 8 and any dtype.
//!
//! Transposition, slicing, repetition (stride 0) and packing are one operation: the layout of `x` says which. A
//! contiguous tensor is copied, any other one is packed: one launch in either case.

use crate::{
    pack,
    pieces::each::{THREADS, each, per},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("copy", "ternary", plan, reference, cases)
    .summary("y = x, whatever the strides of x")
    .inputs(&[InputSpec::new("x", SCALARS, "any shape and strides").strided()])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x")])
    .bench(bench);

/// Definition of the contiguous part.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn copy<T: Scalar>(#[len(n)] x: &In<T>, #[len(n)] y: &mut Out<T>, n: u32) {
    each(per(&[T::DTYPE]), n, |i| {
        y[i] = x[i];
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let n = call.elems("x")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let desc = call.desc("x");
    if !desc.is_contiguous() {
        plan.steps.push(pack::step(call.op, "x", desc, &y)?);
        return Ok(plan);
    }
    let kernel = with_scalar!(call, call.dtype("x"), T => copy::<T>())?;
    plan.step(kernel, [call.buffer("x"), y.buffer(), n.into()]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    vec![match known.dtype("x").is_float() {
        true => Expected::float("y", known.float("x").to_vec()),
        false => Expected::int("y", known.int("x").to_vec()),
    }]
}

/// Layouts by name: shape, strides, offset.
#[rustfmt::skip]
const LAYOUTS: &[(&str, &[u32], &[u64], u64)] = &[
    ("one",          &[1],                      &[1],                            0),
    ("contiguous",   &[5, 7],                   &[7, 1],                         0),
    ("offset",       &[300],                    &[1],                            13),
    ("padded-rows",  &[9, 11],                  &[16, 1],                        2),
    ("transposed",   &[4, 3],                   &[1, 4],                         0),
    ("transposed-tiles", &[70, 45],             &[1, 77],                        5),
    ("transposed-each", &[3, 33, 40],           &[1_400, 1, 34],                 0),
    ("permuted",     &[2, 3, 4],                &[4, 8, 1],                      0),
    ("repeated",     &[3, 5],                   &[0, 1],                         1),
    ("all-the-same", &[4, 4],                   &[0, 0],                         5),
    ("every-third",  &[100],                    &[3],                            1),
    ("rank-5",       &[2, 3, 2, 2, 3],          &[1, 2, 36, 18, 6],              0),
    ("rank-8",       &[2, 1, 3, 2, 1, 2, 2, 2], &[96, 1, 2, 48, 7, 24, 6, 1],    3),
];

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in SCALARS {
        for &(name, shape, strides, offset) in LAYOUTS {
            let view = TensorDesc::strided(dtype, shape, strides, offset);
            // Where elements share memory, all of them hold one number.
            let pattern = match strides.contains(&0) {
                true => Pattern::Cycle((1..=shape[shape.len() - 1]).map(f64::from).collect()),
                false => Pattern::Bits { seed: 3 },
            };
            let same = strides.iter().all(|&s| s == 0);
            let pattern = if same { Pattern::Constant(1.0) } else { pattern };
            all.push(Case::new(name, dtype).view("x", view, pattern));
        }
    }
    for shape in [&[0][..], &[3, 0, 2]] {
        let case = Case::new(format!("empty-{}", shape.len()), DType::F32);
        all.push(case.input("x", shape, Pattern::normal(1)).empty());
    }
    all.push(Case::new("rank-0", DType::F32).input("x", &[], Pattern::Constant(7.0)));
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let of = |(n, suffix, scale): (u32, &str, Scale)| {
        let view = TensorDesc::strided(DType::F32, &[n, n], &[1, n.into()], 0);
        let plain = Case::new(format!("contiguous{suffix}"), DType::F32).input(
            "x",
            &[n, n],
            Pattern::normal(1),
        );
        let across = Case::new(format!("transposed{suffix}"), DType::F32).view(
            "x",
            view,
            Pattern::normal(1),
        );
        let bytes = 8 * u64::from(n) * u64::from(n);
        [plain, across].map(|case| Bench { case, bytes, flops: 0, scale })
    };
    [(2_048, "", Scale::Host), (8_192, "-8192x8192", Scale::Device)]
        .into_iter()
        .flat_map(of)
        .collect()
}
