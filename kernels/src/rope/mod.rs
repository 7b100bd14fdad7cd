//! Rotary position embedding.
pub mod frequencies;
pub mod rotate;

use crate::entry::Entry;

/// The family.
pub const ENTRIES: &[Entry] = &[rotate::ENTRY, frequencies::ENTRY];
