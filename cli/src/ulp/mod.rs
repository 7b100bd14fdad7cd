//! The accuracy of the language's elementary functions on a device: largest error, share not correctly rounded,
//! and a hash over all inputs that says whether the bits are the same.
//!
//! Invariants
//! - Every promise of the operation tables is measured here, and every hash of `docs/golden.txt` met.

pub(crate) mod functions;
pub(crate) mod golden;
mod kernels;
pub(crate) mod measure;
mod reference;
pub(crate) mod report;
