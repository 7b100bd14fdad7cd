//! Conversion: `y = x` in another dtype, element by element.
//!
//! Floats round to nearest even; floats to integers truncate and saturate, NaN becomes 0; integers wrap. A store to a
//! float of 8 or 4 bits saturates, and one to an integer of 4 bits too.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};

/// What a conversion takes: all dtypes.
const ALL: &[DType] = DType::ALL;

/// The operation.
pub const ENTRY: Entry = Entry::new("cast", "cast", plan, reference, cases)
    .summary("y = x in another dtype")
    .inputs(&[InputSpec::new("x", ALL, "any shape")])
    .outputs(&[OutputSpec::new("y", "shape of x, dtype as `to`")])
    .words(&[WordSpec::new(
        "to",
        &[
            "f32", "bool", "i4", "u4", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64",
            "f4e2m1", "f8e4m3", "f8e5m2", "f8e8m0", "f16", "bf16", "f64",
        ],
        "the dtype of y",
    )]);

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[A::DTYPE, B::DTYPE])))]
pub fn cast<A: Element, B: Element>(#[len(n)] x: &In<A>, #[len(n)] y: &mut Out<B>, n: u32) {
    each(per(&[A::DTYPE, B::DTYPE]), n, |i| {
        y[i] = convert::<A::Value, B::Value>(x[i]);
    });
}

#[device]
fn convert<A: Scalar, B: Scalar>(x: Val<A>) -> Val<B> {
    x as B
}

macro_rules! with_element {
    ($call:expr, $dtype:expr, $T:ident => $stage:expr) => {
        $crate::with_dtype! { $call, $dtype, $T => $stage; ALL;
        Bool bool, I4 I4, U4 U4, I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64,
        F4E2M1 F4E2M1, F8E4M3 F8E4M3, F8E5M2 F8E5M2, F8E8M0 F8E8M0, F16 f16, BF16 bf16, F32 f32, F64 f64, }
    };
}

fn stage_to<A: Element>(call: &Call<'_>, to: DType) -> Result<Kernel, PlanError> {
    with_element!(call, to, B => cast::<A, B>())
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let (n, to) = (call.elems("x")?, call.dtype_word("to"));
    let mut plan = Plan::new();
    let y = plan.output("y", to, call.dims("x"));
    let kernel = from_each(call, to)?;
    plan.step(kernel, [call.buffer("x"), y.buffer(), n.into()]);
    Ok(plan)
}

fn from_each(call: &Call<'_>, to: DType) -> Result<Kernel, PlanError> {
    macro_rules! each {
        ($($variant:ident $ty:ty,)*) => {
            match call.dtype("x") { $(DType::$variant => stage_to::<$ty>(call, to),)* }
        };
    }
    each! {
        Bool bool, I4 I4, U4 U4, I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64,
        F4E2M1 F4E2M1, F8E4M3 F8E4M3, F8E5M2 F8E5M2, F8E8M0 F8E8M0, F16 f16, BF16 bf16, F32 f32, F64 f64,
    }
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let (from, to) = (known.dtype("x"), known.dtype_word("to"));
    // What an operation between load and store has: the value dtypes.
    let (value, narrow) = (to.value(), |x: f64| number::round(to, number::round(to.value(), x)));
    let expected = match (from.is_float(), to.is_float()) {
        (true, true) => Expected::float("y", known.float("x").iter().map(|&x| narrow(x)).collect()),
        (true, false) => {
            let (low, high) = number::int_range(value);
            let whole = |x: f64| if x.is_nan() { 0 } else { (x.trunc() as i128).clamp(low, high) };
            let values = known.float("x").iter().map(|&x| match to {
                DType::Bool => i128::from(x != 0.0),
                _ => stored(to, whole(x)),
            });
            Expected::int("y", values.collect())
        }
        (false, true) => Expected::float(
            "y",
            known.int("x").iter().map(|&x| narrow(narrow_int(value, x))).collect(),
        ),
        (false, false) => {
            let values = known.int("x").iter().map(|&x| match to {
                DType::Bool => i128::from(x != 0),
                _ => stored(to, number::wrap(value, x)),
            });
            Expected::int("y", values.collect())
        }
    };
    vec![expected]
}

/// An integer of a float's value dtype, rounded once: through f64 for 64-bit integers would round twice.
fn narrow_int(value: DType, x: i128) -> f64 {
    match value {
        DType::F64 => x as f64,
        DType::F32 => f64::from(x as f32),
        _ => number::round(value, odd(x)),
    }
}

/// An integer in f64 with the lost bits kept as a last odd one, so that one more rounding is right.
fn odd(x: i128) -> f64 {
    let lost = 64 - (x.unsigned_abs().leading_zeros() as i32 - 64).min(64);
    if lost <= 53 {
        return x as f64;
    }
    let low = lost - 53;
    let cut = x.unsigned_abs() >> low;
    let sticky = u128::from(cut << low != x.unsigned_abs());
    let magnitude = ((cut | sticky) as f64) * 2f64.powi(low);
    if x < 0 { -magnitude } else { magnitude }
}

/// What a store of a value makes: integers of 4 bits saturate.
fn stored(to: DType, x: i128) -> i128 {
    match to {
        DType::I4 | DType::U4 => {
            let (low, high) = number::int_range(to);
            x.clamp(low, high)
        }
        _ => x,
    }
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &from in ALL {
        for &to in ALL {
            let n = match from.bits() {
                4 | 8 => 1 << from.bits(),
                _ => crate::pattern::specials(from).len() as u32,
            };
            let pattern = if from.bits() <= 8 { Pattern::Codes } else { Pattern::specials() };
            let case = Case::new(format!("to-{to}"), from).word("to", to.name());
            all.push(case.input("x", &[n], pattern));
        }
    }
    for &to in &[DType::F8E4M3, DType::F8E5M2, DType::F4E2M1, DType::BF16, DType::F16] {
        let case = Case::new(format!("any-bits-to-{to}"), DType::F32).word("to", to.name());
        all.push(case.input("x", &[40_001], Pattern::Bits { seed: 5 }));
        let near = Case::new(format!("near-one-to-{to}"), DType::F32).word("to", to.name());
        all.push(near.input("x", &[10_001], Pattern::ramp(-8.0, 0.0016)));
    }
    for &to in &[DType::F32, DType::BF16] {
        let case = Case::new(format!("all-codes-to-{to}"), DType::F16).word("to", to.name());
        all.push(case.input("x", &[1 << 16], Pattern::Codes));
    }
    let to_f16 = |name: &str| Case::new(name, DType::F32).word("to", "f16");
    all.push(to_f16("one").input("x", &[1], Pattern::Constant(-2.7)));
    let turned = TensorDesc::strided(DType::F32, &[3, 7], &[1, 4], 2);
    all.push(to_f16("view").view("x", turned, Pattern::normal(2)));
    all.push(Case::new("empty", DType::F32).input("x", &[0, 3], Pattern::normal(1)).empty());
    all
}
