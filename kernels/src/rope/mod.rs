//! Rotary position embedding.
pub mod rotate;

use crate::entry::Entry;

/// The family.
pub const ENTRIES: &[Entry] = &[rotate::ENTRY];
