//! Rotary position embedding.
pub mod rope;

use crate::entry::Entry;

/// The family.
pub const ENTRIES: &[Entry] = &[rope::ENTRY];
