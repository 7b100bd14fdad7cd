//! What we ship, as data: each operation's definition, reference, cases and bench.
//!
//! Invariants
//! - Nothing here knows a device or a code generator: a kernel is staged, a plan is a list of launches.
//! - A reference shares no arithmetic with the definition that it judges.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "references are plain loops over indices")]
#![allow(clippy::module_inception, reason = "a family may be named for its first operation")]

pub mod attention;
pub mod audio;
pub mod cache;
pub mod case;
pub mod census;
pub mod compressed;
pub mod conv;
mod dispatch;
pub mod elementwise;
pub mod entry;
pub mod experts;
pub mod gates;
pub mod indexing;
pub mod logits;
pub mod matmul;
pub mod norms;
pub mod number;
pub mod pack;
pub mod pattern;
pub mod pieces;
pub mod plan;
pub mod prelude;
pub mod quant;
pub mod random;
pub mod recurrent;
pub mod reduce;
pub mod rope;
pub mod scans;
mod signature;
pub mod softmax;
pub mod sorting;
pub mod sparse;
pub mod transform;

use entry::Entry;

/// Every operation, family by family. A family adds its slices here.
#[rustfmt::skip]
pub static FAMILIES: &[&[Entry]] = &[
    elementwise::UNARY,
    elementwise::BINARY,
    elementwise::INTEGER,
    elementwise::FUSED,
    elementwise::PLAIN,
    gates::ENTRIES,
    gates::GATES,
    gates::ACTIVATIONS,
    reduce::ENTRIES,
    softmax::ENTRIES,
    scans::ENTRIES,
    sorting::ENTRIES,
    norms::ENTRIES,
    matmul::ENTRIES,
    quant::ENTRIES,
    experts::ENTRIES,
    sparse::ENTRIES,
    conv::DIRECT,
    conv::ENTRIES,
    rope::ENTRIES,
    indexing::ENTRIES,
    transform::ENTRIES,
    audio::ENTRIES,
    attention::ENTRIES,
    compressed::ENTRIES,
    cache::ENTRIES,
    cache::CODEBOOK,
    recurrent::ENTRIES,
    logits::ENTRIES,
    logits::FILTERS,
    random::ENTRIES,
];

/// Why operations have kernels of tier `bounded`, whose bits may differ between devices; no others may have any.
pub static BOUNDED: &[(&str, &str)] =
    &[(sparse::gemm_sparse24::ENTRY.name, sparse::gemm_sparse24::WHY_BOUNDED)];

/// Every operation, in the order of the families.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The operation with this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests;
