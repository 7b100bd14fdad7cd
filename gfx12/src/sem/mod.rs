//! What each operation gives for its operands, as functions of numbers.
//!
//! Invariants:
//! - A function here depends on its arguments alone: no wave, no memory, no host rounding mode.
//! - Arithmetic rounds to nearest, ties to even, and keeps subnormals, except where the hardware contract says that an
//!   operation flushes whatever the mode is (the f32 approximations).
//! - The bits of a NaN are quiet, and otherwise not part of the contract.
//!
//! Deliberately absent: other rounding modes, and the exact bits of approximations and of matrix sums, which no public
//! document gives.

pub mod approx;
pub mod bits;
pub mod cvt;
pub mod div;
pub mod dot;
pub mod float;
pub mod fp8;
pub mod matrix;
pub mod num;
pub mod soft;
pub mod trig;
