//! 2:4 structured sparsity: of every four neighbours along a row, at most two are not zero.
//!
//! The format is in `docs/sparse24.md`.

pub mod generators;
pub mod host;
pub mod registers;
