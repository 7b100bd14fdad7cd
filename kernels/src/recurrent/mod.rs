//! Recurrences over time with a state.
pub mod gated_delta;
pub mod gated_delta_gates;
pub mod lstm;
pub mod ssm;

use crate::entry::Entry;

/// The family.
pub const ENTRIES: &[Entry] = &[
    gated_delta::ENTRY,
    gated_delta::CHUNKED,
    gated_delta_gates::ENTRY,
    lstm::ENTRY,
    ssm::ENTRY,
    ssm::CHUNKED,
];
