//! Repetition penalty (Keskar et al., 2019): the logits of listed tokens move away from being chosen.
//!
//! `y = x`, but at a listed token `y = x / p` where x > 0 and `x p` elsewhere. `x` and `y` are [vocabulary], `tokens` is
//! [n] and may repeat: a token is penalised once.

use crate::prelude::*;

/// The operation.
pub const ENTRY: Entry = Entry::new("repetition_penalty", "logits", plan, reference, cases)
    .summary("y = x; at listed tokens x / p where x > 0, else x p")
    .inputs(&[
        InputSpec::new("x", REALS, "[vocabulary]"),
        InputSpec::new("tokens", &[DType::U32], "[n], each below vocabulary"),
    ])
    .outputs(&[OutputSpec::new("y", "shape and dtype of x").over(&["x"])])
    .settings(&[SettingSpec::required_float("p", "the penalty, above 0")]);

/// Definition of the listed tokens, after a copy. Threads with the same token write the same number.
#[kernel(group = 128, grid = n.div_ceil(128))]
pub fn penalise<T: Real>(
    #[len(vocabulary)] x: &In<T>,
    #[len(n)] tokens: &In<u32>,
    #[len(vocabulary)] y: &mut Out<T>,
    vocabulary: u32,
    n: u32,
    p: f32,
) {
    let i = global_id();
    if i < n {
        let token = tokens[i];
        assert!(token < vocabulary, "the token is not below the vocabulary");
        // Only the first of equal tokens writes, so that no two threads write to one place.
        let mut first = val(true);
        for k in 0..i {
            if tokens[k] == token {
                first = val(false);
            }
        }
        if first {
            let logit = x[token] as f32;
            y[token] = select(logit > 0.0, logit / p, logit * p) as T;
        }
    }
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let [vocabulary] = call.shape("x")?;
    let [n] = call.shape("tokens")?;
    let p = call.float("p");
    call.expect(p > 0.0 && p.is_finite(), "`p`", "above 0", p)?;
    let dtype = call.dtype("x");
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("x"));
    let kernel = with_real!(call, dtype, T => crate::elementwise::copy::copy::<T>())?;
    plan.copy("x", kernel, [call.buffer("x"), y.buffer(), vocabulary.into()]);
    let kernel = with_real!(call, dtype, T => penalise::<T>())?;
    plan.step(
        kernel,
        [
            call.buffer("x"),
            call.buffer("tokens"),
            y.buffer(),
            vocabulary.into(),
            n.into(),
            Arg::float(DType::F32, p),
        ],
    );
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let call: &Call<'_> = known;
    let p = number::round(DType::F32, call.float("p"));
    let mut y = known.float("x").to_vec();
    for &token in known.int("tokens") {
        let x = known.float("x")[token as usize];
        y[token as usize] = if x > 0.0 { x / p } else { x * p };
    }
    vec![Expected::float("y", y)]
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in REALS {
        let bound = if dtype == DType::F32 { Exact } else { Ulp(0.501) };
        for (name, vocabulary, n) in [("one", 1, 1), ("ragged", 301, 41), ("repeated", 7, 60)] {
            all.push(
                Case::new(name, dtype)
                    .input("x", &[vocabulary], Pattern::Normal { seed: 1, mean: 0.0, sd: 4.0 })
                    .input_as(
                        "tokens",
                        DType::U32,
                        &[n],
                        Pattern::Indices { seed: 2, below: vocabulary },
                    )
                    .set("p", 1.3)
                    .bound(bound),
            );
        }
        let specials = crate::pattern::specials(dtype).len() as u32;
        all.push(
            Case::new("specials", dtype)
                .input("x", &[specials], Pattern::specials())
                .input_as("tokens", DType::U32, &[specials], Pattern::Permutation { seed: 3 })
                .set("p", 1.25)
                .bound(bound),
        );
    }
    let case = |name: &str| Case::new(name, DType::F32).set("p", 2.0);
    let tokens = Pattern::Constant(0.0);
    all.push(case("no-tokens").input("x", &[9], Pattern::normal(1)).input_as(
        "tokens",
        DType::U32,
        &[0],
        tokens.clone(),
    ));
    all.push(
        case("empty")
            .input("x", &[0], Pattern::normal(1))
            .input_as("tokens", DType::U32, &[0], tokens)
            .empty(),
    );
    all
}
