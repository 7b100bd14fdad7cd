//! From a verified kernel to one that a device runs: passes that are the same for every target, and `legalize`,
//! where all differences between targets live.
//!
//! Invariants
//! - Pure: the same kernel and target give the same result; no device, file, clock or environment is read.
//! - No pass changes a bit of any result (numerics rule: exact identities and folding by `eval` only), and none
//!   drops an error of the launch.
//! - Every pass keeps a verified kernel verified.
#![forbid(unsafe_code)]

mod error;
mod legalize;
mod rewrite;
mod target;

pub use error::{Cause, LegalizeError, PrepareError};
pub use legalize::legalize;
pub use target::Target;

use evenweave_lang::ir::Kernel;

/// A rewriting that keeps what a kernel computes.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The word in errors and dumps.
    pub name: &'static str,
    /// What it does.
    pub run: fn(&Kernel) -> Kernel,
}

/// The passes in the order in which `optimise` runs them.
pub const PASSES: &[Pass] = &[];

/// Whether `prepare` runs the passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Optimise {
    /// The kernel as written.
    No,
    /// All passes, before and after legalisation.
    #[default]
    Yes,
}

/// The kernel after all passes.
pub fn optimise(kernel: &Kernel) -> Result<Kernel, PrepareError> {
    let mut kernel = kernel.clone();
    for pass in PASSES {
        kernel = (pass.run)(&kernel);
    }
    Ok(kernel)
}

/// The whole way from the author's kernel to one for a target: verified, optimised if asked, legal, compact.
pub fn prepare(kernel: &Kernel, target: Target, how: Optimise) -> Result<Kernel, PrepareError> {
    let legal = match how {
        Optimise::No => legalize(kernel, target)?,
        Optimise::Yes => optimise(&legalize(&optimise(kernel)?, target)?)?,
    };
    Ok(legal)
}
