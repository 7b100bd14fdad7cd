//! From a verified kernel to one that a device runs: passes that are the same for every target, and `legalize`,
//! where all differences between targets live.
//!
//! Invariants
//! - Pure: the same kernel and target give the same result; no device, file, clock or environment is read.
//! - No pass changes a bit of any result (exact identities and folding by `eval` only), and none hides an
//!   error of the launch or makes one.
//! - Every step keeps a verified kernel verified, and that is checked after each.
#![forbid(unsafe_code)]

mod align;
mod branch;
pub mod c;
mod cse;
mod dce;
mod error;
mod facts;
mod field;
mod fold;
mod forward;
mod known;
mod legalize;
mod licm;
mod passes;
mod rewrite;
mod scalar;
pub mod spirv;
mod sums;
mod target;
mod trace;
mod vectorise;

pub use error::{Cause, LegalizeError, PrepareError};
pub use facts::{Controls, Fact, FactSet, Facts, Features, Lanes, Matrices};
pub use field::Field;
pub use legalize::{legalize, split_wide, spread_lanes};
pub use passes::{PASSES, Pass, optimise};
pub use target::{Target, TargetError};
pub use trace::{Watch, Watched, event_type, value_words, watch};

use evenweave_lang::{ir::Kernel, verify::verify};

/// Whether `prepare` runs the passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Optimise {
    /// The kernel as written.
    No,
    /// All passes, before and after legalisation.
    #[default]
    Yes,
}

/// The whole way from the author's kernel to one for a target: verified, optimised if asked, legal, compact.
pub fn prepare(kernel: &Kernel, target: Target, how: Optimise) -> Result<Kernel, PrepareError> {
    verify(kernel).map_err(|error| PrepareError::Verify(Box::new(error)))?;
    match how {
        Optimise::No => legal(kernel, target),
        Optimise::Yes => passes::optimise_legal(&legal(&optimise(kernel)?, target)?),
    }
}

fn legal(kernel: &Kernel, target: Target) -> Result<Kernel, PrepareError> {
    let kernel = legalize(kernel, target)?.compact();
    match verify(&kernel) {
        Ok(()) => Ok(kernel),
        Err(error) => Err(PrepareError::Internal { step: "legalize", error: Box::new(error) }),
    }
}
