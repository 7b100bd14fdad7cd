//! Quantised weights: packing, unpacking, and products with vectors.

pub mod affine;
mod affine_cases;
pub mod block_scaled;
pub mod format;
pub mod packed;
mod weights;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[
    affine::QUANTIZE,
    affine::DEQUANTIZE,
    affine::GEMV,
    block_scaled::DEQUANTIZE,
    block_scaled::GEMV,
];
