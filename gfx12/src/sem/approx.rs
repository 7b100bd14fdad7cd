//! The hardware's approximations: reciprocal, square roots, exponential, logarithm, sine and cosine.
//!
//! Invariants:
//! - The f32 forms read a subnormal as zero of its sign and flush a subnormal result, whatever the mode is. The f16 and
//!   f64 forms keep subnormals.
//! - Without a perturbation a result is the nearest one. With it, it is off by what the contract of the operation leaves
//!   open, the same for the same operand and seed: one last place, and for f64 the documented 2^29 of them, of which
//!   half are used.
//! - What the contract fixes is never perturbed: zeros, infinities, NaN, and sine and cosine at quarter turns.

use super::float::{f16_to_f32, f64_to_f16};

/// Moves approximations within what their contracts leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perturb {
    /// Another seed gives other errors.
    pub seed: u64,
}

impl Perturb {
    /// A number that depends on the seed, the operation and the operand alone.
    #[must_use]
    pub fn draw(self, operation: u64, operand: u64) -> u64 {
        let mut x =
            self.seed ^ operation.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ operand.rotate_left(17);
        for _ in 0..2 {
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^= x >> 31;
        }
        x
    }
}

/// The approximations there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approx {
    /// One over the operand.
    Rcp,
    /// One over the square root.
    Rsq,
    /// The square root.
    Sqrt,
    /// Two to the power of the operand.
    Exp,
    /// The binary logarithm.
    Log,
    /// The sine of a number of turns.
    Sin,
    /// The cosine of a number of turns.
    Cos,
}

/// The function in f64, of an exact operand.
fn ideal(which: Approx, x: f64) -> f64 {
    match which {
        Approx::Rcp => 1.0 / x,
        // The hardware gives -inf for -0.
        Approx::Rsq if x == 0.0 => 1.0 / x,
        Approx::Rsq => 1.0 / x.sqrt(),
        Approx::Sqrt => x.sqrt(),
        Approx::Exp => libm::exp2(x),
        Approx::Log => libm::log2(x),
        Approx::Sin => turn(x, libm::sin),
        // A quarter turn ahead, by symmetry around zero so that nothing is lost in a sum.
        Approx::Cos => turn(x, libm::cos),
    }
}

/// Sine or cosine of `x` turns, exact at quarter turns.
fn turn(x: f64, f: fn(f64) -> f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let part = x - x.trunc();
    let quarters = part * 4.0;
    if quarters == quarters.trunc() {
        let exact = f(quarters * std::f64::consts::FRAC_PI_2).round();
        return if exact == 0.0 { 0.0f64.copysign(x) } else { exact };
    }
    f(part * std::f64::consts::TAU)
}

/// The bits one or no place away, towards or away from zero, as the draw says.
fn step(draw: u64) -> i64 {
    (draw % 3) as i64 - 1
}

/// What may be perturbed: sine and cosine stay within one and keep their exact points.
fn fixed(which: Approx, y: f64) -> bool {
    let point = matches!(which, Approx::Sin | Approx::Cos) && y.abs() == 1.0;
    y == 0.0 || !y.is_finite() || point
}

/// The f32 form.
#[must_use]
pub fn approx_f32(which: Approx, x: f32, perturb: Option<Perturb>) -> f32 {
    let flush = |x: f32| if x.abs() < f32::MIN_POSITIVE { 0.0f32.copysign(x) } else { x };
    let operand = flush(x);
    let y = flush(ideal(which, f64::from(operand)) as f32);
    let Some(perturb) = perturb.filter(|_| !fixed(which, f64::from(y))) else {
        return quiet(y);
    };
    let moved =
        y.to_bits().wrapping_add(step(perturb.draw(which as u64, u64::from(x.to_bits()))) as u32);
    let moved = f32::from_bits(moved);
    let within =
        moved.is_normal() && (!matches!(which, Approx::Sin | Approx::Cos) || moved.abs() <= 1.0);
    if within { moved } else { y }
}

/// NaN as the hardware makes it of a domain error: negative and quiet.
fn quiet(y: f32) -> f32 {
    if y.is_nan() { f32::from_bits(0xffc0_0000) } else { y }
}

/// The f16 form.
#[must_use]
pub fn approx_f16(which: Approx, x: u16, perturb: Option<Perturb>) -> u16 {
    let y = ideal(which, f64::from(f16_to_f32(x)));
    let near = f64_to_f16(y);
    let rounded = f64::from(f16_to_f32(near));
    let Some(perturb) = perturb.filter(|_| !fixed(which, rounded)) else {
        return near;
    };
    let moved = near.wrapping_add(step(perturb.draw(8 + which as u64, u64::from(x))) as u16);
    let value = f16_to_f32(moved);
    let within =
        value.is_finite() && (!matches!(which, Approx::Sin | Approx::Cos) || value.abs() <= 1.0);
    if within { moved } else { near }
}

/// The f64 form; only reciprocals and square roots have one.
#[must_use]
pub fn approx_f64(which: Approx, x: f64, perturb: Option<Perturb>) -> f64 {
    let y = ideal(which, x);
    let Some(perturb) = perturb.filter(|_| !fixed(which, y)) else {
        return y;
    };
    let places = (perturb.draw(16 + which as u64, x.to_bits()) >> 35) as i64 - (1 << 28);
    let moved = f64::from_bits(y.to_bits().wrapping_add(places as u64));
    if moved.is_normal() { moved } else { y }
}
