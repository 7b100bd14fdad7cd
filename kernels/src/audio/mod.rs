//! From sound to spectra and back.

pub mod istft;
pub mod mel;
pub mod mel_filters;

use crate::entry::Entry;

/// The family.
pub static ENTRIES: &[Entry] = &[mel::ENTRY, mel_filters::ENTRY, istft::ENTRY];
