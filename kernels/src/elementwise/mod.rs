//! Element by element: functions of one, two and more numbers.
//!
//! Floats of 16 bits are computed in f32 and rounded once.

pub mod arange;
pub mod binary;
pub mod cast;
pub mod copy;
pub mod fused;
pub mod integer;
pub mod select;
pub mod unary;

use crate::entry::Entry;

/// The operations of one number.
pub static UNARY: &[Entry] = unary::ENTRIES;
/// The operations of two numbers.
pub static BINARY: &[Entry] = binary::ENTRIES;
/// The operations of two integers.
pub static INTEGER: &[Entry] = integer::ENTRIES;
/// Several operations in one pass.
pub static FUSED: &[Entry] = fused::ENTRIES;
/// Conversion, choice and movement.
pub static PLAIN: &[Entry] = &[cast::ENTRY, select::ENTRY, arange::ENTRY, copy::ENTRY];
