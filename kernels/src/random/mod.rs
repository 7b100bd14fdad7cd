//! Random numbers from counters: element i of a stream is a function of seed, stream and i alone.
//!
//! Invariants
//! - No launch shape changes a number: the counter is the element's index, the key is (seed, stream).

pub mod philox;

use crate::entry::Entry;

/// The family.
pub static ENTRIES: &[Entry] = philox::ENTRIES;
