//! Attention over keys and values of fewer heads than the queries' (GQA).
pub mod decode;
pub mod prefill;
mod reference;

use crate::entry::Entry;

/// The family.
pub const ENTRIES: &[Entry] = &[prefill::ENTRY, decode::ENTRY];
