//! Functions of one number: `y = f(x)`, element by element.
//!
//! `x` and `y` have one shape and dtype. The table gives each function's formula, device form, f64 form and error.

use crate::{
    pieces::each::{THREADS, each, per},
    prelude::*,
};
use evenweave_lang::ops::UnaryOp;
use std::fmt;

/// A function and what is known of it.
#[derive(Clone, Copy)]
pub struct Function {
    name: &'static str,
    device: fn(Val<f32>) -> Val<f32>,
    exact: fn(f64) -> f64,
    error: Error,
    inputs: Inputs,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Function {
    /// Elements of a thread: fewer where a function computes for longer than its elements take to move.
    fn per(self, dtype: DType) -> u32 {
        let whole = per(&[dtype]);
        match self.error {
            Error::Row(
                UnaryOp::Sin
                | UnaryOp::Cos
                | UnaryOp::Tan
                | UnaryOp::Sinh
                | UnaryOp::Asinh
                | UnaryOp::Acosh
                | UnaryOp::Atanh
                | UnaryOp::Erfinv,
            ) => 2,
            // Half an access of 16 bits an element keeps enough of them on their way.
            Error::Row(_) => whole.min(4),
            Error::Exact | Error::Twice => whole,
        }
    }
}

/// How far the f32 result is from the true one.
#[derive(Clone, Copy)]
enum Error {
    /// Rounded correctly, the sign of zero too.
    Exact,
    /// Rounded correctly in f32, and once more to 16 bits.
    Twice,
    /// The promise of the row in the table of operations.
    Row(UnaryOp),
}

/// Where ordinary arguments lie.
#[derive(Clone, Copy)]
enum Inputs {
    /// Around 0.
    Signed,
    /// Above 0.
    Positive,
    /// From -1 to 1.
    Unit,
    /// From 1.
    FromOne,
    /// Around 0, far out.
    Wide,
}

macro_rules! functions {
    ($($name:ident $formula:literal $device:expr, $exact:expr, $error:expr, $inputs:ident;)*) => {
        const FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name), device: $device, exact: $exact, error: $error, inputs: Inputs::$inputs,
        },)*];
        /// The operations.
        pub const ENTRIES: &[Entry] = &[$(Entry {
            name: stringify!($name), family: "unary", summary: $formula,
            signature: Signature {
                inputs: &[InputSpec::new("x", REALS, "any shape")],
                outputs: &[OutputSpec::new("y", "shape and dtype of x").over(&["x"])],
                settings: &[],
                words: &[],
            },
            plan, reference, cases, bench,
        },)*];
    };
}

#[rustfmt::skip]
functions! {
    abs        "y = |x|"                      |x| abs(x),           |x| x.abs(),              Error::Exact, Signed;
    neg        "y = -x"                       |x| -x,               |x| -x,                   Error::Exact, Signed;
    ceil       "y = least whole number not below x" |x| ceil(x),    |x| x.ceil(),             Error::Exact, Signed;
    floor      "y = greatest whole number not above x" |x| floor(x), |x| x.floor(),           Error::Exact, Signed;
    trunc      "y = x without its fraction"   |x| trunc(x),         |x| x.trunc(),            Error::Exact, Signed;
    round_even "y = nearest whole number, halves to even" |x| round_even(x), |x| x.round_ties_even(), Error::Exact, Signed;
    sign       "y = -1, 0 or 1 as x; zeros and NaN as they are" sign, sign_f64,               Error::Exact, Signed;
    relu       "y = max(x, 0)"                |x| max(x, 0.0),      relu_f64,                 Error::Exact, Signed;
    square     "y = x x"                      |x| x * x,            |x| x * x,                Error::Exact, Signed;
    sqrt       "y = square root of x"         |x| sqrt(x),          |x| x.sqrt(),             Error::Exact, Positive;
    recip      "y = 1 / x"                    |x| recip(x),         |x| 1.0 / x,              Error::Exact, Signed;
    rsqrt      "y = 1 / square root of x"     |x| rsqrt(x),         |x| 1.0 / x.sqrt(),       Error::Twice, Positive;
    exp        "y = e^x"                      |x| exp(x),           |x| flushed(libm::exp(x)), Error::Row(UnaryOp::Exp), Signed;
    exp2       "y = 2^x"                      |x| exp2(x),          |x| flushed(libm::exp2(x)), Error::Row(UnaryOp::Exp2), Signed;
    expm1      "y = e^x - 1"                  |x| expm1(x),         libm::expm1,              Error::Row(UnaryOp::Expm1), Signed;
    log        "y = ln x"                     |x| log(x),           libm::log,                Error::Row(UnaryOp::Log), Positive;
    log2       "y = ln x / ln 2"              |x| log2(x),          libm::log2,               Error::Row(UnaryOp::Log2), Positive;
    log10      "y = ln x / ln 10"             |x| log10(x),         libm::log10,              Error::Row(UnaryOp::Log10), Positive;
    log1p      "y = ln (1 + x)"               |x| log1p(x),         libm::log1p,              Error::Row(UnaryOp::Log1p), Positive;
    sin        "y = sin x"                    |x| sin(x),           libm::sin,                Error::Row(UnaryOp::Sin), Wide;
    cos        "y = cos x"                    |x| cos(x),           libm::cos,                Error::Row(UnaryOp::Cos), Wide;
    tan        "y = tan x"                    |x| tan(x),           libm::tan,                Error::Row(UnaryOp::Tan), Wide;
    asin       "y = arc sine of x"            |x| asin(x),          libm::asin,               Error::Row(UnaryOp::Asin), Unit;
    acos       "y = arc cosine of x"          |x| acos(x),          libm::acos,               Error::Row(UnaryOp::Acos), Unit;
    atan       "y = arc tangent of x"         |x| atan(x),          libm::atan,               Error::Row(UnaryOp::Atan), Signed;
    sinh       "y = (e^x - e^-x) / 2"         |x| sinh(x),          libm::sinh,               Error::Row(UnaryOp::Sinh), Signed;
    cosh       "y = (e^x + e^-x) / 2"         |x| cosh(x),          libm::cosh,               Error::Row(UnaryOp::Cosh), Signed;
    tanh       "y = sinh x / cosh x"          |x| tanh(x),          libm::tanh,               Error::Row(UnaryOp::Tanh), Signed;
    asinh      "y = ln (x + sqrt(x x + 1))"   |x| asinh(x),         libm::asinh,              Error::Row(UnaryOp::Asinh), Signed;
    acosh      "y = ln (x + sqrt(x x - 1))"   |x| acosh(x),         acosh_f64,                Error::Row(UnaryOp::Acosh), FromOne;
    atanh      "y = ln ((1 + x) / (1 - x)) / 2" |x| atanh(x),       libm::atanh,              Error::Row(UnaryOp::Atanh), Unit;
    sigmoid    "y = 1 / (1 + e^-x)"           |x| sigmoid(x),       |x| flushed(logistic(x)), Error::Row(UnaryOp::Sigmoid), Signed;
    silu       "y = x / (1 + e^-x)"           |x| silu(x),          silu_f64,                 Error::Row(UnaryOp::Silu), Signed;
    softplus   "y = ln (1 + e^x)"             |x| softplus(x),      softplus_f64,             Error::Row(UnaryOp::Softplus), Signed;
    gelu_tanh  "y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))" |x| gelu_tanh(x), gelu_tanh_f64, Error::Row(UnaryOp::GeluTanh), Signed;
    gelu_erf   "y = x/2 (1 + erf(x / sqrt 2))" |x| gelu_erf(x),     gelu_erf_f64,             Error::Row(UnaryOp::GeluErf), Signed;
    erf        "y = error function of x"      |x| erf(x),           |x| libm::erf(counted(x)), Error::Row(UnaryOp::Erf), Signed;
    erfinv     "y = inverse of the error function" |x| erfinv(x),   erfinv_f64,               Error::Row(UnaryOp::Erfinv), Unit;
}

#[device]
fn sign(x: Val<f32>) -> Val<f32> {
    select(x > 0.0, 1.0f32, select(x < 0.0, -1.0f32, x))
}

/// Definition.
#[kernel(group = THREADS, grid = n.div_ceil(THREADS * function.per(T::DTYPE)))]
pub fn unary<T: Real>(
    #[len(n)] x: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
    #[comptime] function: Function,
) {
    each(function.per(T::DTYPE), n, |i| {
        y[i] = (function.device)(x[i] as f32) as T;
    });
}

fn function(entry: &Entry) -> Function {
    let found = FUNCTIONS.iter().find(|f| f.name == entry.name);
    *found.expect("the entries are made of the table")
}

fn plan(call: &Call<'_>) -> Result<Plan, PlanError> {
    let n = call.elems("x")?;
    let mut plan = Plan::new();
    let y = plan.output("y", call.dtype("x"), call.dims("x"));
    let kernel = with_real!(call, call.dtype("x"), T => unary::<T>(function(call.entry())))?;
    plan.step(kernel, [call.buffer("x"), y.buffer(), n.into()]);
    Ok(plan)
}

fn reference(known: &Known<'_>) -> Vec<Expected> {
    let f = function(known.entry()).exact;
    vec![Expected::float("y", known.float("x").iter().map(|&x| f(x)).collect())]
}

const MIN_NORMAL: f64 = f32::MIN_POSITIVE as f64;

/// Results of exponential type below the least normal f32 are zeros by definition.
fn flushed(y: f64) -> f64 {
    if y.abs() < MIN_NORMAL { 0.0 * y } else { y }
}

/// Where a function's slope at 0 is not 1, a subnormal argument counts as zero by definition.
fn counted(x: f64) -> f64 {
    if x.abs() < MIN_NORMAL { 0.0 * x } else { x }
}

/// Without the values that the formula gives outside its domain.
fn acosh_f64(x: f64) -> f64 {
    if x < 1.0 { f64::NAN } else { libm::acosh(x) }
}

fn sign_f64(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x
    }
}

fn relu_f64(x: f64) -> f64 {
    if x > 0.0 || x.is_nan() { x } else { 0.0 }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

fn silu_f64(x: f64) -> f64 {
    if x == f64::NEG_INFINITY { -0.0 } else { flushed(x * logistic(x)) }
}

fn softplus_f64(x: f64) -> f64 {
    flushed(if x > 0.0 { x + libm::log1p(libm::exp(-x)) } else { libm::log1p(libm::exp(x)) })
}

/// `x/2 (1 + tanh w)` is `x / (1 + e^-2w)`, which does not cancel.
fn gelu_tanh_f64(x: f64) -> f64 {
    let w = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
    if x == f64::NEG_INFINITY { -0.0 } else { flushed(x * logistic(2.0 * w)) }
}

/// `1 + erf(z)` is `erfc(-z)`, which does not cancel.
fn gelu_erf_f64(x: f64) -> f64 {
    let half = x / 2.0 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2);
    if x == f64::NEG_INFINITY { -0.0 } else { flushed(half) }
}

/// Newton's method on erf, or on ln erfc near the ends, from a series start; the domain's ends are infinite.
fn erfinv_f64(x: f64) -> f64 {
    let a = counted(x).abs();
    if a.is_nan() || a > 1.0 {
        return f64::NAN;
    }
    if a == 0.0 || a == 1.0 {
        return if a == 0.0 { counted(x) } else { f64::INFINITY.copysign(x) };
    }
    let slope = 2.0 / std::f64::consts::PI.sqrt();
    let mut y = if a < 0.9 { a / slope } else { (-libm::log(1.0 - a)).sqrt() };
    for _ in 0..60 {
        let density = slope * libm::exp(-y * y);
        if a < 0.5 {
            y -= (libm::erf(y) - a) / density;
        } else {
            let tail = libm::erfc(y);
            y += libm::log(tail / (1.0 - a)) * tail / density;
        }
    }
    flushed(y.copysign(x))
}

fn ordinary(inputs: Inputs, seed: u64) -> Pattern {
    match inputs {
        Inputs::Signed => Pattern::Normal { seed, mean: 0.0, sd: 4.0 },
        Inputs::Positive => Pattern::uniform(seed, 1e-3, 20.0),
        Inputs::Unit => Pattern::uniform(seed, -1.0, 1.0),
        Inputs::FromOne => Pattern::uniform(seed, 1.0, 50.0),
        Inputs::Wide => Pattern::Normal { seed, mean: 0.0, sd: 1_000.0 },
    }
}

fn bound(error: Error, dtype: DType) -> Bound {
    match (error, dtype) {
        (Error::Exact, _) | (Error::Twice, DType::F32) => Exact,
        (Error::Row(op), DType::F32) => Ulp(op.ulp()),
        // The f32 result is off by less than two of its units, 2^-12 of those of an f16; then it is rounded.
        (Error::Twice | Error::Row(_), _) => Ulp(0.501),
    }
}

fn cases(entry: &Entry) -> Vec<Case> {
    let f = function(entry);
    let mut all = Vec::new();
    for &dtype in REALS {
        let case = |name: &str| Case::new(name, dtype).bound(bound(f.error, dtype));
        all.push(case("ragged").input("x", &[7, 143], ordinary(f.inputs, 1)));
        if dtype == DType::F32 {
            all.push(case("one").input("x", &[1], ordinary(f.inputs, 2)));
            let specials = special_elems(dtype);
            all.push(case("specials").input("x", &[specials], Pattern::specials()));
            all.push(case("any-bits").input("x", &[4_099], Pattern::Bits { seed: 3 }));
            let view = TensorDesc::strided(dtype, &[5, 9], &[1, 7], 3);
            all.push(case("transposed").view("x", view, ordinary(f.inputs, 4)));
            all.push(case("empty").input("x", &[3, 0], Pattern::normal(1)).empty());
        } else {
            all.push(case("all-codes").input("x", &[1 << 16], Pattern::Codes));
        }
    }
    all
}

fn special_elems(dtype: DType) -> u32 {
    crate::pattern::specials(dtype).len() as u32
}

fn bench(entry: &Entry) -> Vec<Bench> {
    let f = function(entry);
    let of = |(name, n, dtype, scale): (&str, u32, DType, Scale)| {
        let case = Case::new(name, dtype).input("x", &[n], ordinary(f.inputs, 1));
        let bytes = 2 * u64::from(dtype.bits() / 8) * u64::from(n);
        Bench { case: case.bound(bound(f.error, dtype)), bytes, flops: 0, scale }
    };
    let sizes = [
        ("1M", 1 << 20, DType::F32, Scale::Host),
        ("64M", 1 << 26, DType::F32, Scale::Device),
        ("64M", 1 << 26, DType::BF16, Scale::Device),
    ];
    // One function stands for all on a device, where memory is what limits them.
    let kept = if entry.name == "exp" { 3 } else { 1 };
    sizes.into_iter().take(kept).map(of).collect()
}
