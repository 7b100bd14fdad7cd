//! The hardware's approximations: reciprocal, square roots, exponential, logarithm, sine and cosine.
//!
//! Invariants:
//! - The f32 forms read a subnormal as zero of its sign and flush a subnormal result, whatever the mode is. The f16 and
//!   f64 forms keep subnormals.
//! - Without a perturbation a result is the nearest one. With it, it is off by what the contract of the operation leaves
//!   open, the same for the same operand and seed: less than one last place of the exact value, so that one of its two
//!   neighbours is taken, and for f64 the documented 2^29 places, of which half are used.
//! - What is exact stays exact: zeros, infinities, NaN, powers of two, and sine and cosine at quarter turns.

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

/// Which of the two neighbours of an exact value is taken: how far its nearest bits move, given on which side that one is.
fn other_side(near: f64, exact: f64, draw: u64) -> i32 {
    let (grew, shrank) = (near.abs() > exact.abs(), near.abs() < exact.abs());
    match draw & 1 {
        1 if grew => -1,
        1 if shrank => 1,
        _ => 0,
    }
}

/// The f32 form.
#[must_use]
pub fn approx_f32(which: Approx, x: f32, perturb: Option<Perturb>) -> f32 {
    let flush = |x: f32| if x.abs() < f32::MIN_POSITIVE { 0.0f32.copysign(x) } else { x };
    let exact = ideal(which, f64::from(flush(x)));
    let near = exact as f32;
    let y = flush(near);
    let Some(perturb) = perturb.filter(|_| y != 0.0 && y.is_finite()) else {
        return quiet(y);
    };
    let draw = perturb.draw(which as u64, u64::from(x.to_bits()));
    let moved = near.to_bits().wrapping_add_signed(other_side(f64::from(near), exact, draw));
    if f32::from_bits(moved).is_normal() { f32::from_bits(moved) } else { y }
}

/// NaN as the hardware makes it of a domain error: negative and quiet.
fn quiet(y: f32) -> f32 {
    if y.is_nan() { f32::from_bits(0xffc0_0000) } else { y }
}

/// The f16 form.
#[must_use]
pub fn approx_f16(which: Approx, x: u16, perturb: Option<Perturb>) -> u16 {
    let exact = ideal(which, f64::from(f16_to_f32(x)));
    let near = f64_to_f16(exact);
    let value = f64::from(f16_to_f32(near));
    let Some(perturb) = perturb.filter(|_| value != 0.0 && value.is_finite()) else {
        return near;
    };
    let draw = perturb.draw(8 + which as u64, u64::from(x));
    let moved = near.wrapping_add_signed(other_side(value, exact, draw) as i16);
    if f16_to_f32(moved).is_finite() { moved } else { near }
}

/// The f64 form; only reciprocals and square roots have one.
#[must_use]
pub fn approx_f64(which: Approx, x: f64, perturb: Option<Perturb>) -> f64 {
    let y = ideal(which, x);
    let Some(perturb) = perturb.filter(|_| y != 0.0 && y.is_finite()) else {
        return y;
    };
    let places = (perturb.draw(16 + which as u64, x.to_bits()) >> 35) as i64 - (1 << 28);
    let moved = f64::from_bits(y.to_bits().wrapping_add(places as u64));
    if moved.is_normal() { moved } else { y }
}
