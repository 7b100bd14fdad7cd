//! Transforms of rows.
pub mod bluestein;
pub mod fft;
pub mod hadamard;

use crate::entry::Entry;

/// The family.
pub const ENTRIES: &[Entry] = &[fft::ENTRY, hadamard::ENTRY];
