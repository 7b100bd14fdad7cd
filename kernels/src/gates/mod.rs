//! Gated and bounded activations.

pub mod activation;
pub mod gate;
pub mod head_gate;
pub mod swiglu;

use crate::entry::Entry;

/// The plain gate, one operation a file.
pub static ENTRIES: &[Entry] = &[swiglu::ENTRY, head_gate::ENTRY];
/// Its variants.
pub static GATES: &[Entry] = gate::ENTRIES;
/// Activations with parameters.
pub static ACTIVATIONS: &[Entry] = activation::ENTRIES;
