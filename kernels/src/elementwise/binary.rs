//! Functions of two numbers: `y = f(a, b)`, element by element.
//!
//! `a`, `b` and `y` have one shape and dtype. Arithmetic is that of the dtype: one rounding in floats, wrapping in
//! integers, `x / 0` all ones and `x % 0 = x`.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};
use evenweave_lang::ops::BinaryOp;

/// Arithmetic of any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a b`.
    Mul,
    /// `a / b`.
    Div,
    /// `a - b trunc(a / b)`.
    Rem,
    /// The smaller; NaN wins, -0 < +0.
    Min,
    /// The greater; NaN wins, -0 < +0.
    Max,
}

/// Functions of two floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elementary {
    /// a to the power b.
    Pow,
    /// The angle of the point (b, a).
    Atan2,
    /// `ln(e^a + e^b)`.
    LogAddExp,
}

impl Elementary {
    /// Elements of a thread: fewer where a function computes for longer than its elements take to move.
    const fn per(self, dtype: DType) -> u32 {
        let whole = per(&[dtype]);
        match self {
            Elementary::Pow | Elementary::Atan2 => 2,
            Elementary::LogAddExp => whole,
        }
    }
}

const fn entry(name: &'static str, summary: &'static str, inputs: &'static [InputSpec]) -> Entry {
    Entry {
        name,
        family: "binary",
        summary,
        signature: Signature { inputs, outputs: Y, settings: &[], words: &[] },
        plan,
        reference,
        cases,
        bench,
    }
}

const Y: &[OutputSpec] = &[OutputSpec::new("y", "shape and dtype of a").over(&["a", "b"])];
const NUMBERS: &[InputSpec] =
    &[InputSpec::new("a", NUMERICS, "any shape"), InputSpec::like("b", "a", "shape of a")];
const FLOATS_ONLY: &[InputSpec] =
    &[InputSpec::new("a", REALS, "any shape"), InputSpec::like("b", "a", "shape of a")];

/// The operations.
pub const ENTRIES: &[Entry] = &[
    entry("add", "y = a + b", NUMBERS),
    entry("sub", "y = a - b", NUMBERS),
    entry("mul", "y = a b", NUMBERS),
    entry("div", "y = a / b", NUMBERS),
    entry("remainder", "y = a - b trunc(a / b)", NUMBERS),
    entry("min", "y = the smaller of a and b; NaN wins", NUMBERS),
    entry("max", "y = the greater of a and b; NaN wins", NUMBERS),
    entry("pow", "y = a^b", FLOATS_ONLY),
    entry("atan2", "y = angle of the point (b, a)", FLOATS_ONLY),
    entry("logaddexp", "y = ln(e^a + e^b)", FLOATS_ONLY),
];

fn arithmetic(name: &str) -> Option<Arithmetic> {
    Some(match name {
        "add" => Arithmetic::Add,
        "sub" => Arithmetic::Sub,
        "mul" => Arithmetic::Mul,
        "div" => Arithmetic::Div,
        "remainder" => Arithmetic::Rem,
        "min" => Arithmetic::Min,
        "max" => Arithmetic::Max,
        _ => return None,
    })
}

fn elementary(name: &str) -> Elementary {
    match name {
        "pow" => Elementary::Pow,
        "atan2" => Elementary::Atan2,
        _ => Elementary::LogAddExp,
    }
}

/// Definition of arithmetic.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * per(&[T::DTYPE])))]
pub fn binary<T: Numeric>(
    #[len(n)] a: &In<T>,
    #[len(n)] b: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
    #[comptime] op: Arithmetic,
) {
    each(per(&[T::DTYPE]), n, |i| {
        let (a, b) = (a[i], b[i]);
        y[i] = match op {
            Arithmetic::Add => a + b,
            Arithmetic::Sub => a - b,
            Arithmetic::Mul => a * b,
            Arithmetic::Div => a / b,
            Arithmetic::Rem => rem(a, b),
            Arithmetic::Min => min(a, b),
            Arithmetic::Max => max(a, b),
        };
    });
}

/// Definition of the rest, computed in f32.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * op.per(T::DTYPE)))]
pub fn binary_elementary<T: Real>(
    #[len(n)] a: &In<T>,
    #[len(n)] b: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
    #[comptime] op: Elementary,
) {
    each(op.per(T::DTYPE), n, |i| {
        let (a, b) = (a[i] as f32, b[i] as f32);
        let result = match op {
            Elementary::Pow => pow(a, b),
            Elementary::Atan2 => atan2(a, b),
            Elementary::LogAddExp => log_add_exp(a, b),
        };
        y[i] = result as T;
    });
}

/// The greater plus what the smaller adds to it; equal infinities have no distance.
#[device]
fn log_add_exp(a: Val<f32>, b: Val<f32>) -> Val<f32> {
    let distance = select(a == b, lit::<f32>(0.0), abs(a - b));
    max(a, b) + log1p(exp(-distance))
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    call.expect_shape("b", call.dims("a"))?;
    let (n, dtype) = (call.elems("a")?, call.dtype("a"));
    let mut plan = Plan::new();
    let y = plan.output("y", dtype, call.dims("a"));
    let kernel = match arithmetic(call.op) {
        Some(op) => with_numeric!(call, dtype, T => binary::<T>(op))?,
        None => with_real!(call, dtype, T => binary_elementary::<T>(elementary(call.op)))?,
    };
    plan.step(kernel, [call.buffer("a"), call.buffer("b"), y.buffer(), n.into()]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let dtype = known.dtype("a");
    if dtype.is_int() {
        let pairs = known.int("a").iter().zip(known.int("b"));
        let f = |(&a, &b)| number::wrap(dtype, int_f(known.op, dtype, a, b));
        return vec![Expected::int("y", pairs.map(f).collect())];
    }
    let pairs = || known.float("a").iter().zip(known.float("b"));
    let values = pairs().map(|(&a, &b)| float_f(known.op, a, b)).collect();
    if known.op == "logaddexp" {
        // The sum and its greater term cancel where e^a + e^b is near 1.
        let magnitude = pairs().map(|(a, b)| {
            if a.is_finite() && b.is_finite() { a.abs().max(b.abs()) + 1.0 } else { 0.0 }
        });
        return vec![Expected::sum("y", values, magnitude.collect())];
    }
    vec![Expected::float("y", values)]
}

fn int_f(op: &str, dtype: DType, a: i128, b: i128) -> i128 {
    match op {
        "add" => a + b,
        "sub" => a - b,
        "mul" => a * b,
        "div" if b == 0 => -1,
        "div" => a / b,
        "remainder" if b == 0 => a,
        "remainder" => a % b,
        "min" => a.min(b),
        "max" => a.max(b),
        _ => unreachable!("{op} of {dtype}"),
    }
}

fn float_f(op: &str, a: f64, b: f64) -> f64 {
    let nan = a.is_nan() || b.is_nan();
    match op {
        "add" => a + b,
        "sub" => a - b,
        "mul" => a * b,
        "div" => a / b,
        "remainder" => libm::fmod(a, b),
        "min" | "max" if nan => f64::NAN,
        "min" | "max" if a == b => {
            if (op == "min") == a.is_sign_negative() {
                a
            } else {
                b
            }
        }
        "min" => {
            if a < b {
                a
            } else {
                b
            }
        }
        "max" => {
            if a > b {
                a
            } else {
                b
            }
        }
        "pow" => pow_f64(a, b),
        "atan2" => atan2_f64(a, b),
        _ if nan => f64::NAN,
        _ if a == b => a + std::f64::consts::LN_2,
        _ => a.max(b) + libm::log1p(libm::exp(-(a - b).abs())),
    }
}

const MIN_NORMAL: f64 = f32::MIN_POSITIVE as f64;

/// A subnormal exponent counts as 0, and a result below the least normal f32 is 0, by definition.
fn pow_f64(a: f64, b: f64) -> f64 {
    let y = libm::pow(a, if b.abs() < MIN_NORMAL { 0.0 } else { b });
    if y.abs() < MIN_NORMAL { 0.0 * y } else { y }
}

/// Subnormal coordinates count as zero, and so does an angle below the least normal f32, by definition.
fn atan2_f64(a: f64, b: f64) -> f64 {
    let counted = |x: f64| if x.abs() < MIN_NORMAL { 0.0 * x } else { x };
    counted(libm::atan2(counted(a), counted(b)))
}

fn bound(op: &str, dtype: DType) -> Bound {
    match (op, dtype) {
        ("logaddexp", _) => Bound::sum(3.0),
        ("pow", DType::F32) => Ulp(BinaryOp::Pow.ulp()),
        ("atan2", DType::F32) => Ulp(BinaryOp::Atan2.ulp()),
        // The f32 result is off by less than two of its units; then it is rounded.
        ("pow" | "atan2", _) => Ulp(0.501),
        _ => Exact,
    }
}

fn cases(entry: &Entry) -> Vec<Case> {
    let real = arithmetic(entry.name).is_none();
    let mut all = Vec::new();
    for &dtype in if real { REALS } else { NUMERICS } {
        let case = |name: &str| Case::new(name, dtype).bound(bound(entry.name, dtype));
        let special = crate::pattern::specials(dtype).len() as u32;
        all.push(
            case("special-pairs")
                .input("a", &[special * special], Pattern::specials_of(0, 2))
                .input("b", &[special * special], Pattern::specials_of(1, 2)),
        );
        all.push(case("any-bits").input("a", &[4_099], Pattern::Bits { seed: 1 }).input(
            "b",
            &[4_099],
            Pattern::Bits { seed: 2 },
        ));
        if dtype.is_float() {
            let far = if entry.name == "pow" { 4.0 } else { 100.0 };
            all.push(case("ragged").input("a", &[7, 143], Pattern::uniform(3, -far, far)).input(
                "b",
                &[7, 143],
                Pattern::uniform(4, -far, far),
            ));
        }
    }
    let case = |name: &str| Case::new(name, DType::F32).bound(bound(entry.name, DType::F32));
    let row = TensorDesc::strided(DType::F32, &[6, 5], &[0, 2], 1);
    all.push(case("row-for-all").input("a", &[6, 5], Pattern::uniform(5, 0.5, 9.0)).view(
        "b",
        row,
        Pattern::Cycle(vec![1.0, 2.0, 3.0, 0.5, -1.5]),
    ));
    let column = TensorDesc::strided(DType::F32, &[6, 5], &[1, 6], 2);
    all.push(case("transposed").view("a", column, Pattern::uniform(6, 0.5, 9.0)).input(
        "b",
        &[6, 5],
        Pattern::uniform(7, 0.5, 3.0),
    ));
    all.push(case("one").input("a", &[1], Pattern::Constant(2.5)).input(
        "b",
        &[1],
        Pattern::Constant(1.5),
    ));
    let nothing = Pattern::normal(1);
    all.push(case("empty").input("a", &[0], nothing.clone()).input("b", &[0], nothing).empty());
    all
}

fn bench(entry: &Entry) -> Vec<Bench> {
    let of = |(name, n, dtype, scale): (&str, u32, DType, Scale)| {
        let case = Case::new(name, dtype)
            .input("a", &[n], Pattern::uniform(1, 0.5, 9.0))
            .input("b", &[n], Pattern::uniform(2, 0.5, 3.0))
            .bound(bound(entry.name, dtype));
        let bytes = 3 * u64::from(dtype.bits() / 8) * u64::from(n);
        Bench { case, bytes, flops: u64::from(n), scale }
    };
    let sizes = [
        ("4M", 1 << 22, DType::F32, Scale::Host),
        ("64M", 1 << 26, DType::F32, Scale::Device),
        ("64M", 1 << 26, DType::BF16, Scale::Device),
    ];
    // One operation stands for all on a device, where memory is what limits them.
    let kept = if entry.name == "add" { 3 } else { 1 };
    sizes.into_iter().take(kept).map(of).collect()
}
