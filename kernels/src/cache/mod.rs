//! Caches of keys and values: written token by token, and compressed by a codebook.

pub mod codebook;
pub mod update;

use crate::entry::Entry;

/// Operations of a file each.
pub static ENTRIES: &[Entry] = &[update::ENTRY];
/// Those of the codebook.
pub static CODEBOOK: &[Entry] = codebook::ENTRIES;
