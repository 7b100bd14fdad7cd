//! Recurrences over time with a state.
pub mod gated_delta;

use crate::entry::Entry;

/// The family.
pub const ENTRIES: &[Entry] = &[gated_delta::ENTRY];
