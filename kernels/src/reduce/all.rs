//! Reduction of all elements to one: `y = x[0] . x[1] . ... `.
//!
//! The order is that of one row that holds the elements in logical order: segments of 65,536, each in the
//! canonical order, and their results by the same rule. Of nothing: -0.0, 1, -inf, +inf.

use super::{
    reference::{WORDS, bound, fold, pattern},
    rows::{DTYPES, fold_steps},
};
use crate::{pieces::fold::FOLDS, prelude::*};

/// The operation.
pub const ENTRY: Entry = Entry::new("reduce_all", "reduce", plan, reference, cases)
    .summary("y = x[0] . x[1] . ... . x[n - 1]")
    .inputs(&[InputSpec::new("x", DTYPES, "any shape")])
    .outputs(&[OutputSpec::new("y", "[], like x")])
    .words(&[WordSpec::new("op", FOLDS, "what combines")])
    .bench(bench);

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let dtype = call.dtype("x");
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, &[]);
    fold_steps(call, &mut plan, dtype, [1, call.elems("x")?], call.buffer("x"), y.buffer())?;
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let elems: usize = known.extents("x").iter().product();
    fold(known, known.word("op"), &[(0..elems).collect()])
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &op in WORDS {
        for &dtype in DTYPES {
            let case = |shape: &[u32]| {
                let elems = shape.iter().product::<u32>();
                let case = Case::new(format!("{op} {shape:?}"), dtype).word("op", op);
                case.input("x", shape, pattern(op, dtype, 7)).bound(bound(op, elems))
            };
            all.push(case(&[2, 3, 50]));
            if dtype == DType::F32 {
                all.push(case(&[]));
                all.push(case(&[0, 4]));
            }
            if dtype == DType::F32 && op != "prod" {
                all.push(case(&[65_536]));
                all.push(case(&[2, 66_000]));
            }
        }
        let turned = TensorDesc::strided(DType::F32, &[40, 30], &[1, 41], 2);
        let case = Case::new(format!("{op} transposed"), DType::F32).word("op", op);
        let case = case.view("x", turned, pattern(op, DType::F32, 9));
        all.push(case.bound(bound(op, 1_200)));
    }
    all
}

fn bench(_: &Entry) -> Vec<Bench> {
    let n = 1 << 22;
    let case = Case::new("sum", DType::F32).input("x", &[n], Pattern::normal(1));
    vec![Bench {
        case: case.bound(bound("sum", n)),
        bytes: 4 * u64::from(n),
        flops: u64::from(n),
        scale: Scale::Host,
    }]
}
