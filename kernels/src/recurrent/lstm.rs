//! The cell of a long short-term memory (Hochreiter and Schmidhuber, 1997; Gers et al., 2000), after its matrices.
//!
//! `new_c = sigmoid(f) c + sigmoid(i) tanh(g)`, `h = sigmoid(o) tanh(new_c)`. `gates` is [batch, 4 hidden], the parts i, f, g, o
//! of `W x + U h + b`; `c`, `h` and `new_c` are [batch, hidden].

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("lstm_cell", "recurrent", plan, reference, cases)
    .summary("new_c = sigmoid(f) c + sigmoid(i) tanh(g); h = sigmoid(o) tanh(new_c)")
    .inputs(&[
        InputSpec::new("gates", REALS, "[batch, 4 hidden], parts i, f, g, o"),
        InputSpec::new("c", REALS, "[batch, hidden]"),
    ])
    .outputs(&[
        OutputSpec::new("h", "shape of c, dtype of gates"),
        OutputSpec::new("new_c", "shape and dtype of c").over(&["c"]),
    ]);

/// Definition.
#[kernel(group = 128, grid = (batch * hidden).div_ceil(128))]
pub fn lstm_cell<T: Real, C: Real>(
    #[len(batch * 4 * hidden)] gates: &In<T>,
    #[len(batch * hidden)] c: &In<C>,
    #[len(batch * hidden)] h: &mut Out<T>,
    #[len(batch * hidden)] new_c: &mut Out<C>,
    batch: u32,
    hidden: u32,
) {
    let at = global_id();
    if at < batch * hidden {
        let first = at / hidden * 4 * hidden + at % hidden;
        let gate = |part: u32| gates[first + hidden * part] as f32;
        let kept = sigmoid(gate(1)) * (c[at] as f32);
        let next = fma(sigmoid(gate(0)), tanh(gate(2)), kept);
        new_c[at] = next as C;
        h[at] = (sigmoid(gate(3)) * tanh(next)) as T;
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [batch, hidden] = call.shape("c")?;
    call.product("gates", &[batch, 4, hidden])?;
    call.expect_shape("gates", &[batch, 4u32.saturating_mul(hidden)])?;
    let mut plan = Plan::new();
    let h = plan.output("h", call.dtype("gates"), &[batch, hidden]);
    let new_c = plan.output("new_c", call.dtype("c"), &[batch, hidden]);
    let kernel = with_real2!(call, ["gates", "c"], [T, C] => lstm_cell::<T, C>())?;
    let tensors = [call.buffer("gates"), call.buffer("c"), h.buffer(), new_c.buffer()];
    plan.step(kernel, tensors.into_iter().chain([batch, hidden].map(Arg::from)));
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (gates, c) = (known.float("gates"), known.float("c"));
    let hidden = known.extent("c", 1);
    let sigmoid = |x: f64| 1.0 / (1.0 + libm::exp(-x));
    let (mut h, mut h_off, mut new_c, mut c_off) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (at, c) in c.iter().enumerate() {
        let gate = |part: usize| gates[(at / hidden * 4 + part) * hidden + at % hidden];
        let terms = [sigmoid(gate(1)) * c, sigmoid(gate(0)) * libm::tanh(gate(2))];
        let next = terms[0] + terms[1];
        // sigmoid is up to 3 roundings off, tanh 2.8; a product and the sum.
        let off = 4.0 * terms[0].abs() + 5.8 * terms[1].abs() + next.abs();
        new_c.push(next);
        c_off.push(off);
        h.push(sigmoid(gate(3)) * libm::tanh(next));
        h_off.push(sigmoid(gate(3)) * (6.8 * libm::tanh(next).abs() + off));
    }
    vec![Expected::sum("h", h, h_off), Expected::sum("new_c", new_c, c_off)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let case = |name: &str, dtype, c: DType, [batch, hidden]: [u32; 2]| {
        Case::new(name, dtype)
            .input("gates", &[batch, 4 * hidden], Pattern::Normal { seed: 1, mean: 0.0, sd: 3.0 })
            .input_as("c", c, &[batch, hidden], Pattern::Normal { seed: 2, mean: 0.0, sd: 2.0 })
            .bound(Bound::sum(1.0))
    };
    let f32 = DType::F32;
    let mut all = Vec::new();
    for &dtype in REALS {
        all.push(case("ragged", dtype, dtype, [3, 45]));
        all.push(case("f32 memory", dtype, f32, [2, 33]));
    }
    all.push(case("one", f32, f32, [1, 1]));
    let edges =
        Pattern::Cycle(vec![f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 80.0, -80.0, f64::NAN]);
    all.push(case("edges", f32, f32, [1, 49]).input("gates", &[1, 196], edges));
    all.push(case("empty", f32, f32, [0, 5]).empty());
    all
}
