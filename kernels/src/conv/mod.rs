//! Convolutions.

pub mod causal_conv1d_step;
pub mod conv2d;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[conv2d::ENTRY, causal_conv1d_step::ENTRY];
