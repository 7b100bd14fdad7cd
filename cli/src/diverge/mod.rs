//! Where a device first differs from the CPU device, and the smallest kernel or data that shows it.
//!
//! Invariants
//! - The CPU device without the optimiser is right; it runs first, and what it refuses is no difference.
//! - Nothing is said to differ that was not seen to differ: what a watched kernel hides is called hidden.

pub(crate) mod find;
pub(crate) mod kernel;
pub(crate) mod launch;
pub(crate) mod plan;
pub(crate) mod shrink;

#[cfg(test)]
mod tests;
