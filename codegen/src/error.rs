//! What goes wrong between a verified kernel and one that a device runs.

use crate::target::Target;
use evenweave_lang::{
    dtype::DType,
    ir::{Kernel, Loc},
    verify::VerifyError,
};

/// Why a target cannot run a kernel. `Display` gives one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kernel} ({file}:{line}): {cause}")]
pub struct LegalizeError {
    /// The kernel's name.
    pub kernel: String,
    /// The author's file.
    pub file: String,
    /// The author's line.
    pub line: u32,
    /// What cannot be run.
    pub cause: Cause,
}

/// What a target cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// The target has no such operation, and the language has no sequence for it.
    #[error("{target} has no `{op}` of {dtype}")]
    NoOperation {
        /// The device.
        target: Target,
        /// The row.
        op: &'static str,
        /// What it was asked of.
        dtype: DType,
    },
    /// The target has no such type, and nothing replaces it.
    #[error("{target} has no {dtype} that can be relied on")]
    NoType {
        /// The device.
        target: Target,
        /// The type.
        dtype: DType,
    },
    /// A group has more threads than the target can run.
    #[error("a group has {threads} threads; {target} runs {most} invocations")]
    GroupThreads {
        /// The device.
        target: Target,
        /// Threads of the group.
        threads: u32,
        /// Invocations, at most.
        most: u32,
    },
    /// The shared memory of a group is more than the target has.
    #[error("needs {need_bytes} bytes of shared memory; {target} has {most_bytes}")]
    SharedMemory {
        /// The device.
        target: Target,
        /// What the kernel needs.
        need_bytes: u64,
        /// What there is.
        most_bytes: u64,
    },
    /// In the target's operations the kernel is too long for anyone to compile.
    #[error(
        "in operations that {target} has it is past {most} instructions: let loops run at run time"
    )]
    Instructions {
        /// The device.
        target: Target,
        /// Instructions, at most.
        most: usize,
    },
}

impl LegalizeError {
    pub(crate) fn new(kernel: &Kernel, loc: Loc, cause: Cause) -> LegalizeError {
        let file = kernel.files.get(loc.file as usize).map_or("?", |file| file.as_str());
        LegalizeError { kernel: kernel.name.clone(), file: file.into(), line: loc.line, cause }
    }
}

/// Why `prepare` gives no kernel. `Display` gives one line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PrepareError {
    /// The kernel was malformed when it came.
    #[error(transparent)]
    Verify(Box<VerifyError>),
    /// A pass made a malformed kernel: a fault of this crate, not of the kernel.
    #[error("internal error: `{step}` left a malformed kernel: {error}")]
    Internal {
        /// The pass, or `legalize`.
        step: &'static str,
        /// What is wrong with its result.
        error: Box<VerifyError>,
    },
    /// The target cannot run it.
    #[error(transparent)]
    Legalize(#[from] LegalizeError),
}
