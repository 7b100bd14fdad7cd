//! Products of matrices and vectors.

pub mod gemm;
mod gemm_cases;
pub mod gemv;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[gemv::ENTRY, gemm::GEMM, gemm::GEMM_BATCHED];
