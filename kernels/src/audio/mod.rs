//! From sound to spectra and back.

pub mod istft;
pub mod mel;

use crate::entry::Entry;

/// The family.
pub static ENTRIES: &[Entry] = &[mel::ENTRY, istft::ENTRY];
