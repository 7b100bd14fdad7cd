//! SwiGLU: `y = silu(gate) * up`, element by element, with `silu(x) = x / (1 + exp(-x))`.
//!
//! `gate`, `up` and `y` have one shape and dtype. Computed in f32, rounded once.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};

/// The operation.
pub const ENTRY: Entry = Entry::new("swiglu", "gates", plan, reference, cases)
    .summary("y = silu(gate) * up")
    .inputs(&[
        InputSpec::new("gate", REALS, "any shape"),
        InputSpec::like("up", "gate", "shape of gate"),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of gate").over(&["gate", "up"])])
    .bench(bench);

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn swiglu<T: Real>(
    #[len(n)] gate: &In<T>,
    #[len(n)] up: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
) {
    each(per(&[T::DTYPE]), n, |i| {
        let g = gate[i] as f32;
        y[i] = (silu(g) * (up[i] as f32)) as T;
    });
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    call.expect_shape("up", call.dims("gate"))?;
    let n = call.elems("gate")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("gate"), call.dims("gate"));
    let kernel = with_real!(call, call.dtype("gate"), T => swiglu::<T>())?;
    plan.step(kernel, [call.buffer("gate"), call.buffer("up"), y.buffer(), n.into()]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (gate, up) = (known.float("gate"), known.float("up"));
    let y = gate.iter().zip(up).map(|(g, u)| g / (1.0 + libm::exp(-g)) * u).collect();
    vec![Expected::float("y", y)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for &dtype in REALS {
        // silu has 1.5 ULP in f32, the product and the store round once more.
        let bound = Ulp(if dtype == DType::F32 { 2.5 } else { 0.51 });
        for (name, shape) in [("one", &[1][..]), ("ragged", &[7, 143]), ("group", &[256])] {
            cases.push(
                Case::new(name, dtype)
                    .input("gate", shape, Pattern::Normal { seed: 1, mean: 0.0, sd: 4.0 })
                    .input("up", shape, Pattern::normal(2))
                    .bound(bound),
            );
        }
        cases.push(
            Case::new("empty", dtype)
                .input("gate", &[3, 0], Pattern::normal(1))
                .input("up", &[3, 0], Pattern::normal(2))
                .empty(),
        );
        let far = TensorDesc::strided(dtype, &[5, 9], &[1, 7], 3);
        cases.push(
            Case::new("transposed", dtype)
                .view("gate", far, Pattern::normal(3))
                .input("up", &[5, 9], Pattern::normal(4))
                .bound(bound),
        );
    }
    cases
}

fn bench(_: &Entry) -> Vec<Bench> {
    let of = |(name, n, dtype, scale): (&str, u32, DType, Scale)| {
        let case = Case::new(name, dtype)
            .input("gate", &[n], Pattern::normal(1))
            .input("up", &[n], Pattern::normal(2))
            .bound(Ulp(2.5));
        let bytes = 3 * u64::from(dtype.bits() / 8) * u64::from(n);
        Bench { case, bytes, flops: 0, scale }
    };
    let sizes = [
        ("4M", 1 << 22, DType::F32, Scale::Host),
        ("64M", 1 << 26, DType::F32, Scale::Device),
        ("64M", 1 << 26, DType::BF16, Scale::Device),
    ];
    sizes.map(of).into()
}
