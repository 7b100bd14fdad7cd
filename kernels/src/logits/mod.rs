//! What samplers do to rows of logits before they draw.

pub mod filter;
pub mod penalty;
pub mod sample;
pub mod temperature;

use crate::entry::Entry;

/// Operations of a file each.
pub static ENTRIES: &[Entry] = &[temperature::ENTRY, penalty::ENTRY, sample::ENTRY];
/// Those that keep some logits and make the others -inf.
pub static FILTERS: &[Entry] = filter::ENTRIES;
