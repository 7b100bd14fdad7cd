//! Mixtures of experts: which experts a token meets, rows in runs of one expert and back, products run by run.

pub mod gemm_grouped;
pub mod permute;
pub mod route;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] =
    &[route::ENTRY, permute::PERMUTE, permute::UNPERMUTE, gemm_grouped::ENTRY];
