//! What attention over compressed tokens and networks of several residual streams need beside the other families.

pub mod index_scores;
pub mod mix_streams;
pub mod softmax_pool;

use crate::entry::Entry;

/// The family.
pub static ENTRIES: &[Entry] = &[softmax_pool::ENTRY, index_scores::ENTRY, mix_streams::ENTRY];
