//! A gate a head: `y[t, h, d] = x[t, h, d] sigmoid(gate[t, h])`.
//!
//! `x` and `y` are [..., d], `gate` is [...]. Computed in f32, rounded once.

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("head_gate", "gates", plan, reference, cases)
    .summary("y[h, d] = x[h, d] sigmoid(gate[h])")
    .inputs(&[InputSpec::new("x", REALS, "[..., d]"), InputSpec::like("gate", "x", "[...]")])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])]);

/// Definition.
#[kernel(group = 128, grid = (dim.div_ceil(128), heads))]
pub fn head_gate<T: Real>(
    #[len(heads * dim)] x: &In<T>,
    #[len(heads)] gate: &In<T>,
    #[len(heads * dim)] y: &mut Out<T>,
    heads: u32,
    dim: u32,
) {
    let d = global_id();
    if d < dim {
        let at = group_id_y() as u64 * dim as u64 + d as u64;
        y[at] = (x[at] as f32 * sigmoid(gate[group_id_y()] as f32)) as T;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (heads, dim) = call.rows("x")?;
    let outer = call.dims("x").split_last().map_or(&[][..], |(_, outer)| outer);
    call.expect_shape("gate", outer)?;
    call.elems("x")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let kernel = with_real!(call, call.dtype("x"), T => head_gate::<T>())?;
    plan.step(
        kernel,
        [call.buffer("x"), call.buffer("gate"), y.buffer(), heads.into(), dim.into()],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let dim = known.extents("x").last().copied().unwrap_or(1);
    let x = known.float("x").iter().enumerate();
    let y = x.map(|(i, x)| x / (1.0 + libm::exp(-known.float("gate")[i / dim])));
    vec![Expected::float("y", y.collect())]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        // The sigmoid is off by 1.5 units, the product and the store round once more.
        let bound = Ulp(if dtype == DType::F32 { 2.5 } else { 0.51 });
        for (name, shape) in [("one", [1, 1]), ("ragged", [7, 143]), ("128", [8, 128])] {
            all.push(
                Case::new(name, dtype)
                    .input("x", &shape, Pattern::normal(1))
                    .input("gate", &shape[..1], Pattern::Normal { seed: 2, mean: 0.0, sd: 3.0 })
                    .bound(bound),
            );
        }
    }
    let none = Case::new("empty", DType::F32).input("x", &[2, 0], Pattern::normal(1));
    all.push(none.input("gate", &[2], Pattern::normal(1)).empty());
    all
}
