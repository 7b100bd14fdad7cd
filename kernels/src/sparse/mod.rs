//! 2:4 structured sparsity: of every four neighbours along a row, at most two are not zero.
//!
//! The format is in `docs/sparse24.md`.
//!
//! Invariants
//! - Kernels and `host` mean the same by a compressed matrix; neither uses the other's rules.
//! - What a kernel cannot take it counts, with the first row and group; the caller refuses.
//!
//! Absent: dropping a third number of a group. `prune24` alone chooses.

pub mod check24;
pub mod compress24;
pub mod decompress24;
pub mod definition;
mod gemm_cases;
pub mod gemm_sparse24;
pub mod generators;
pub mod group;
pub mod host;
mod image;
pub mod matrix;
mod plans;
mod product;
pub mod prune24;
pub mod registers;
mod report;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[
    prune24::ENTRY,
    check24::ENTRY,
    compress24::ENTRY,
    decompress24::ENTRY,
    gemm_sparse24::ENTRY,
    gemm_sparse24::BLOCK_SCALED,
];
