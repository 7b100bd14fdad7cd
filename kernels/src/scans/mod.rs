//! Scans: every prefix of a row combined.

pub mod scan;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[scan::ENTRY];
