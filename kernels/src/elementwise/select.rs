//! Choice: `y = a` where `condition` is not 0, else `b`, element by element.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("select", "ternary", plan, reference, cases)
    .summary("y = a where condition is not 0, else b")
    .inputs(&[
        InputSpec::new("condition", &[DType::U8, DType::Bool], "any shape"),
        InputSpec::new("a", SCALARS, "shape of condition"),
        InputSpec::like("b", "a", "shape of condition"),
    ])
    .outputs(&[OutputSpec::new("y", "shape of condition, dtype of a").over(&["a", "b"])]);

/// Definition. Both are read, so that the accesses of neighbours join.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[C::DTYPE, T::DTYPE])))]
pub fn choose<C: Scalar, T: Scalar>(
    #[len(n)] condition: &In<C>,
    #[len(n)] a: &In<T>,
    #[len(n)] b: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
) {
    each(per(&[C::DTYPE, T::DTYPE]), n, |i| {
        y[i] = select(condition[i] as bool, a[i], b[i]);
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    call.expect_shape("a", call.dims("condition"))?;
    call.expect_shape("b", call.dims("condition"))?;
    let (n, dtype) = (call.elems("a")?, call.dtype("a"));
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("a"));
    let kernel = match call.dtype("condition") {
        DType::Bool => with_scalar!(call, dtype, T => choose::<bool, T>())?,
        _ => with_scalar!(call, dtype, T => choose::<u8, T>())?,
    };
    let inputs = ["condition", "a", "b"].map(|name| call.buffer(name));
    plan.step(kernel, inputs.into_iter().chain([y.buffer(), n.into()]));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let first: Vec<_> = known.int("condition").iter().map(|&c| c != 0).collect();
    if known.dtype("a").is_float() {
        let (a, b) = (known.float("a"), known.float("b"));
        let y = (0..a.len()).map(|i| if first[i] { a[i] } else { b[i] });
        return vec![Expected::float("y", y.collect())];
    }
    let (a, b) = (known.int("a"), known.int("b"));
    vec![Expected::int("y", (0..a.len()).map(|i| if first[i] { a[i] } else { b[i] }).collect())]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in SCALARS {
        for (name, shape) in [("one", &[1][..]), ("ragged", &[3, 131])] {
            all.push(
                Case::new(name, dtype)
                    .input_as(
                        "condition",
                        DType::U8,
                        shape,
                        Pattern::Cycle(vec![0.0, 1.0, 255.0, 0.0, 2.0]),
                    )
                    .input("a", shape, Pattern::Bits { seed: 1 })
                    .input("b", shape, Pattern::Bits { seed: 2 }),
            );
        }
    }
    // Nothing of what is not chosen is seen.
    let special = Case::new("specials", DType::F32);
    let other =
        special.input_as("condition", DType::U8, &[60], Pattern::Cycle(vec![0.0, 1.0, 3.0]));
    let other = other.input("a", &[60], Pattern::specials());
    all.push(other.input("b", &[60], Pattern::Constant(f64::NEG_INFINITY)));
    let truth = TensorDesc::strided(DType::Bool, &[4, 7], &[1, 0], 0);
    all.push(
        Case::new("rows", DType::F32)
            .view(
                "condition",
                truth,
                Pattern::Cycle([0.0, 1.0, 1.0, 0.0].iter().flat_map(|&c| [c; 7]).collect()),
            )
            .input("a", &[4, 7], Pattern::ramp(1.0, 1.0))
            .input("b", &[4, 7], Pattern::ramp(-1.0, -1.0)),
    );
    let empty = Case::new("empty", DType::F32).input_as(
        "condition",
        DType::U8,
        &[0],
        Pattern::Constant(1.0),
    );
    all.push(
        empty.input("a", &[0], Pattern::normal(1)).input("b", &[0], Pattern::normal(2)).empty(),
    );
    all
}
