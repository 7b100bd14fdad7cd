//! Gated activations: two tensors of one shape, one of which gates the other.

pub mod swiglu;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[swiglu::ENTRY];
