//! Transforms of rows.
mod fft;
mod hadamard;

use crate::entry::Entry;

/// The family.
pub const ENTRIES: &[Entry] = &[fft::ENTRY, hadamard::ENTRY];
