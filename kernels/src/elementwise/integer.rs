//! Functions of two integers' bits: `y = f(a, b)`, element by element.
//!
//! `a`, `b` and `y` have one shape and dtype. Shift counts are taken modulo the width.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};

/// What is done with the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bitwise {
    /// Bits in both.
    And,
    /// Bits in either.
    Or,
    /// Bits in one of them.
    Xor,
    /// Towards the high end.
    ShiftLeft,
    /// Towards the low end, keeping the sign.
    ShiftRight,
    /// The upper half of the product.
    MulHigh,
}

macro_rules! entries {
    ($($name:ident $formula:literal $op:ident;)*) => {
        const OPS: &[(&str, Bitwise)] = &[$((stringify!($name), Bitwise::$op),)*];
        /// The operations.
        pub const ENTRIES: &[Entry] = &[$(Entry {
            name: stringify!($name), family: "binary", summary: $formula,
            signature: Signature {
                inputs: &[InputSpec::new("a", INTS, "any shape"), InputSpec::like("b", "a", "shape of a")],
                outputs: &[OutputSpec::new("y", "shape and dtype of a").over(&["a", "b"])],
                settings: &[],
                words: &[],
            },
            plan, reference, cases, bench: no_bench,
        },)*];
    };
}
entries! {
    bit_and     "y = a & b" And;
    bit_or      "y = a | b" Or;
    bit_xor     "y = a ^ b" Xor;
    shift_left  "y = a << (b mod width)" ShiftLeft;
    shift_right "y = a >> (b mod width)" ShiftRight;
    mul_high    "y = upper half of a b" MulHigh;
}

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn bitwise<T: Int>(
    #[len(n)] a: &In<T>,
    #[len(n)] b: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
    #[comptime] op: Bitwise,
) {
    each(per(&[T::DTYPE]), n, |i| {
        y[i] = match op {
            Bitwise::And => and(a[i], b[i]),
            Bitwise::Or => or(a[i], b[i]),
            Bitwise::Xor => xor(a[i], b[i]),
            Bitwise::ShiftLeft => shl(a[i], b[i]),
            Bitwise::ShiftRight => shr(a[i], b[i]),
            Bitwise::MulHigh => func::mul_high(a[i], b[i]),
        };
    });
}

fn op(entry: &Entry) -> Bitwise {
    let found = OPS.iter().find(|(name, _)| *name == entry.name);
    found.expect("the entries are made of the table").1
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    call.expect_shape("b", call.dims("a"))?;
    let n = call.elems("a")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("a"), call.dims("a"));
    let kernel = with_int!(call, call.dtype("a"), T => bitwise::<T>(op(call.entry())))?;
    plan.step(kernel, [call.buffer("a"), call.buffer("b"), y.buffer(), n.into()]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let dtype = known.dtype("a");
    let width = i128::from(dtype.bits());
    let f = |(&a, &b): (&i128, &i128)| match op(known.entry()) {
        Bitwise::And => a & b,
        Bitwise::Or => a | b,
        Bitwise::Xor => a ^ b,
        Bitwise::ShiftLeft => a << b.rem_euclid(width),
        Bitwise::ShiftRight => a >> b.rem_euclid(width),
        Bitwise::MulHigh => high(a, b, dtype),
    };
    let pairs = known.int("a").iter().zip(known.int("b"));
    vec![Expected::int("y", pairs.map(f).map(|y| number::wrap(dtype, y)).collect())]
}

/// By halves, since a product of two 64-bit numbers may not fit in an i128.
fn high(a: i128, b: i128, dtype: DType) -> i128 {
    let half = dtype.bits() / 2;
    let (a_low, a_high) = (a & ((1 << half) - 1), a >> half);
    let carry = (a_low * b) >> half;
    (a_high * b + carry) >> half
}

fn cases(_: &Entry) -> Vec<Case> {
    let mut all = Vec::new();
    for &dtype in INTS {
        let special = crate::pattern::specials(dtype).len() as u32;
        all.push(
            Case::new("special-pairs", dtype)
                .input("a", &[special * special], Pattern::specials_of(0, 2))
                .input("b", &[special * special], Pattern::specials_of(1, 2)),
        );
        all.push(
            Case::new("any-bits", dtype).input("a", &[1_027], Pattern::Bits { seed: 1 }).input(
                "b",
                &[1_027],
                Pattern::Bits { seed: 2 },
            ),
        );
    }
    let empty = Case::new("empty", DType::U32).input("a", &[0], Pattern::Constant(1.0));
    all.push(empty.input("b", &[0], Pattern::Constant(1.0)).empty());
    // A detour through floats would lose the low bits.
    let large = Case::new("past-2^24", DType::U32).input(
        "a",
        &[999],
        Pattern::ramp(f64::from(1 << 24), 4_294_967.0),
    );
    all.push(large.input("b", &[999], Pattern::ramp(1.0, 3.0)));
    all
}
