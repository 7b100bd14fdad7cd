//! Matrix times vector: `y[r] = f(sum_k a[r,k] x[k] + bias[r])`.
//!
//! The sum is canonical with 128 accumulators: accumulator v takes k = v, v + 128, ... ascending by
//! `acc = fma(a, x, acc)` from -0.0, then neighbours are added pairwise until one is left. Lane t of the
//! row's subgroup owns accumulators 4t to 4t + 3, so the upper levels are the subgroup's own sum.

use crate::{
    pieces::epilogue::{Activation, activate},
    prelude::*,
};

/// Rows of a group, a subgroup each.
const ROWS: u32 = 8;

/// The product over views `a` and `x`; see the module.
#[kernel(group = (32, ROWS), grid = m.div_ceil(ROWS))]
pub fn gemv<T: Real>(
    #[shape(m, k)] a: &InView<T, 2>,
    #[shape(k)] x: &InView<T, 1>,
    #[len(m * bias_rows)] bias: &In<T>,
    #[len(m)] y: &mut Out<T>,
    m: u32,
    k: u32,
    #[comptime] bias_rows: u32,
    #[comptime] activation: Activation,
) {
    let row = group_id() * ROWS + local_id_y();
    let lane = local_id();
    let span = select(row < m, k, 0);
    let acc = private::<f32>(4);
    for j in 0..4 {
        acc[j] = -0.0;
    }
    let whole = span - span % 4;
    for c in (lane * 4..whole).step_by(128) {
        for j in 0..4 {
            acc[j] = fma(a[[row, c + j]] as f32, x[[c + j]] as f32, acc[j]);
        }
    }
    if lane == whole / 4 % 32 {
        for j in 0..3 {
            if whole + j < span {
                acc[j] = fma(a[[row, whole + j]] as f32, x[[whole + j]] as f32, acc[j]);
            }
        }
    }
    let sum = subgroup_sum((acc[0] + acc[1]) + (acc[2] + acc[3]));
    if lane == 0 && row < m {
        let sum = if bias_rows > 0 { sum + (bias[row] as f32) } else { sum };
        y[row] = activate(sum, activation) as T;
    }
}

/// The operation.
pub const ENTRY: Entry = Entry::new("gemv", "matmul", plan, reference, cases)
    .summary("y[r] = f(sum_k a[r,k] x[k] + bias[r])")
    .inputs(&[
        InputSpec::new("a", REALS, "[m, k]; [k, m] with trans_a").strided(),
        InputSpec::like("x", "a", "[k]").strided(),
        InputSpec::like("bias", "a", "[m]").optional(),
    ])
    .outputs(&[OutputSpec::new("y", "[m], dtype of a")])
    .settings(&[SettingSpec::int("trans_a", 0, "1: a is stored with k before m")])
    .words(&[WordSpec::new("activation", Activation::WORDS, "f")])
    .bench(bench);

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    call.shape::<2>("a")?;
    let mut a = call.desc("a").layout.clone();
    if call.flag("trans_a") {
        a.shape.swap(0, 1);
        a.strides.swap(0, 1);
    }
    let (m, k) = (a.shape[0], a.shape[1]);
    call.expect_shape("x", &[k])?;
    let (bias_rows, bias) = if call.has("bias") {
        call.expect_shape("bias", &[m])?;
        (1, call.buffer("bias"))
    } else {
        (0, TensorRef::Input("a".into()).buffer())
    };
    let dtype = call.dtype("a");
    let activation = Activation::named(call.word("activation"));
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, &[m]);
    let kernel = with_real!(call, dtype, T => gemv::<T>(bias_rows, activation))?;
    let a = TensorRef::Input("a".into()).view(a);
    plan.step(kernel, [a, call.view("x"), bias, y.buffer(), m.into(), k.into()]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (a, x) = (known.float("a"), known.float("x"));
    let (rows, columns) = (known.extent("a", 0), known.extent("a", 1));
    let trans = known.flag("trans_a");
    let (m, k) = if trans { (columns, rows) } else { (rows, columns) };
    let f = Activation::named(known.word("activation"));
    let (mut y, mut magnitude) = (Vec::new(), Vec::new());
    for r in 0..m {
        let (mut sum, mut terms) = (-0.0, 0.0);
        for c in 0..k {
            let term = x[c] * if trans { a[c * m + r] } else { a[r * k + c] };
            sum += term;
            terms += term.abs();
        }
        if known.has("bias") {
            sum += known.float("bias")[r];
            terms += known.float("bias")[r].abs();
        }
        y.push(f.f64(sum));
        magnitude.push(terms);
    }
    vec![Expected::sum("y", y, magnitude)]
}

/// A term passes k / 128 roundings in its accumulator, 7 in the tree and one with the bias; none of the
/// functions is steeper than 1.13 or has more than 1.5 ULP in f32, and the store rounds.
fn bound(dtype: DType, k: u32) -> Bound {
    let ulps = if dtype == DType::F32 { 2.5 } else { 0.51 };
    Bound::Sum { ulps, eps_of: DType::F32, factor: 1.13 * f64::from(k.div_ceil(128) + 8) }
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut cases = Vec::new();
    for &dtype in REALS {
        let case = |name: &str, m: u32, k: u32, p: Pattern| {
            Case::new(name, dtype).input("a", &[m, k], p.clone()).input("x", &[k], p)
        };
        // Small whole numbers, so that sums are exact: lengths around a lane's four, a subgroup's 128.
        for (m, k) in
            [(1, 1), (2, 3), (7, 4), (8, 5), (9, 31), (5, 127), (3, 128), (17, 129), (4, 515)]
        {
            cases.push(case(&format!("positions {m}x{k}"), m, k, Pattern::Positions));
        }
        cases.push(
            Case::new("positions transposed", dtype)
                .input("a", &[131, 10], Pattern::Positions)
                .input("x", &[131], Pattern::Positions)
                .set("trans_a", 1),
        );
        cases.push(case("normal", 33, 1000, Pattern::normal(1)).bound(bound(dtype, 1000)));
        for (i, &word) in Activation::WORDS.iter().enumerate() {
            cases.push(
                case(&format!("bias {word}"), 21, 77, Pattern::normal(2 + i as u64))
                    .input("bias", &[21], Pattern::normal(9))
                    .word("activation", word)
                    .bound(bound(dtype, 77)),
            );
        }
        cases.push(case("empty", 0, 5, Pattern::Positions).empty());
        // The sum of nothing is -0.0.
        cases.push(case("k = 0", 5, 0, Pattern::Positions));
        let nan = Pattern::Positions.with(&[(2 * 9 + 8, f64::NAN), (0, f64::INFINITY)]);
        cases.push(Case::new("nan and inf", dtype).input("a", &[4, 9], nan).input(
            "x",
            &[9],
            Pattern::Positions,
        ));
        let cancel = (0..4096).map(|i| [64.0, -64.0, -61.0][i / 2048 + i / 4095]).collect();
        cases.push(
            Case::new("wide partial sums", dtype)
                .input("a", &[2, 4096], Pattern::Cycle(cancel))
                .input("x", &[4096], Pattern::Constant(64.0)),
        );
        let gaps = TensorDesc::strided(dtype, &[6, 150], &[1, 7], 3);
        let every_third = TensorDesc::strided(dtype, &[150], &[3], 2);
        cases.push(Case::new("gaps", dtype).view("a", gaps, Pattern::Positions).view(
            "x",
            every_third,
            Pattern::Positions,
        ));
        let again = TensorDesc::strided(dtype, &[6, 20], &[0, 1], 1);
        cases.push(
            Case::new("repeated row", dtype)
                .view("a", again, Pattern::Cycle((1..=20).map(f64::from).collect()))
                .input("x", &[20], Pattern::Positions),
        );
    }
    cases
}

fn bench(_: &Entry) -> Vec<Bench> {
    let (m, k) = (4096u32, 2048u32);
    let elems = u64::from(m) * u64::from(k);
    let case = Case::new("4096x2048", DType::F32)
        .input("a", &[m, k], Pattern::normal(1))
        .input("x", &[k], Pattern::normal(2))
        .bound(bound(DType::F32, k));
    vec![Bench { case, bytes: 4 * elems, flops: 2 * elems, scale: Scale::Host }]
}
