//! The passes and the order in which they run.
//!
//! Invariants
//! - The order is fixed: no setting, no target, no kernel changes it.
//! - Each pass takes a verified, compact kernel and leaves one; what is not is an internal error that names the pass.

use crate::{
    branch::branch,
    cse::cse,
    dce::dce,
    error::PrepareError,
    fold::{fold, fold_legal},
    forward::forward,
    known::decide,
    licm::licm,
    scalar::scalar,
    sums::sums,
    vectorise::vectorise,
};
use evenweave_lang::{ir::Kernel, verify::verify};

/// A rewriting that keeps what a kernel computes.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The word in errors and dumps.
    pub name: &'static str,
    /// What it does to a verified, compact kernel.
    pub run: fn(&Kernel) -> Kernel,
}

/// The passes in the order in which `optimise` runs them.
#[rustfmt::skip]
pub const PASSES: &[Pass] = &[
    Pass { name: "fold",      run: fold },
    Pass { name: "scalar",    run: scalar },
    Pass { name: "forward",   run: forward },
    Pass { name: "branch",    run: branch },
    Pass { name: "forward",   run: forward },
    Pass { name: "sums",      run: sums },
    Pass { name: "decide",    run: decide },
    Pass { name: "fold",      run: fold },
    Pass { name: "cse",       run: cse },
    Pass { name: "licm",      run: licm },
    Pass { name: "forward",   run: forward },
    Pass { name: "dce",       run: dce },
    Pass { name: "vectorise", run: vectorise },
];

impl Pass {
    /// The compact kernel that the pass makes, verified.
    pub fn apply(&self, kernel: &Kernel) -> Result<Kernel, PrepareError> {
        let kernel = (self.run)(kernel).compact();
        match verify(&kernel) {
            Ok(()) => Ok(kernel),
            Err(error) => Err(PrepareError::Internal { step: self.name, error: Box::new(error) }),
        }
    }
}

/// The kernel after all passes, for one that was legalised: what its target lacks does not come back.
pub(crate) fn optimise_legal(kernel: &Kernel) -> Result<Kernel, PrepareError> {
    PASSES.iter().try_fold(kernel.compact(), |kernel, pass| match pass.name {
        "fold" => Pass { name: pass.name, run: fold_legal }.apply(&kernel),
        _ => pass.apply(&kernel),
    })
}

/// The kernel after all passes.
pub fn optimise(kernel: &Kernel) -> Result<Kernel, PrepareError> {
    PASSES.iter().try_fold(kernel.compact(), |kernel, pass| pass.apply(&kernel))
}
