//! Why a launch stopped: the instruction, who executed it, and what was wrong with it.
//!
//! Invariants
//! - A fault is facts; words are in `Display` alone, one line.
//! - The lane, the address and the nearest allocation are in the cause, where the cause has them.

use crate::{env::SignalledTwice, mem::AccessError};
use std::fmt;

/// Where an instruction comes from, by the line table of the code object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line in it.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// What is wrong with an instruction, or with the wave that would execute it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Cause {
    /// An access to memory that must not be.
    #[error(transparent)]
    Access(#[from] Box<AccessError>),
    /// A barrier used in a way that has no meaning.
    #[error(transparent)]
    Barrier(#[from] SignalledTwice),
    /// A vector register is read in a lane that never wrote it.
    #[error("v{register} is read in lane {lane}, and was never written there")]
    UnwrittenVgpr {
        /// The register.
        register: u16,
        /// The first such lane.
        lane: u8,
    },
    /// A scalar register is read that was never written.
    #[error("scalar register {register} is read, and was never written")]
    UnwrittenSgpr {
        /// Its number in encodings.
        register: u8,
    },
    /// A register that the kernel's descriptor does not allocate.
    #[error("v{register} is used, but the kernel has {count} vector registers")]
    OutsideVgprs {
        /// The register.
        register: u16,
        /// How many there are.
        count: u16,
    },
    /// Something that is not done here: named, never skipped.
    #[error("{what} is not supported")]
    Unsupported {
        /// The operation, with what about it.
        what: String,
    },
    /// A jump to where no instruction begins.
    #[error("a jump to {address:#x}, where no instruction of the code begins")]
    OutsideCode {
        /// The address in the code object.
        address: u64,
    },
    /// An instruction that needs all lanes.
    #[error("all lanes must be active, but EXEC is {exec:#010x}")]
    NotAllLanes {
        /// The active lanes.
        exec: u32,
    },
    /// `s_trap`, or code that must not be reached.
    #[error("trap {number}")]
    Trap {
        /// Its number.
        number: u32,
    },
    /// Every wave that is alive waits at a barrier.
    #[error("deadlock: {waiting} of {waves} waves wait at a barrier that the others do not signal")]
    Deadlock {
        /// Waves that wait.
        waiting: u32,
        /// Waves of the group.
        waves: u32,
    },
    /// A launch has executed too much.
    #[error("more than {instructions} instructions in a launch")]
    Budget {
        /// How many are allowed.
        instructions: u64,
    },
}

/// Why a launch stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The kernel.
    pub kernel: String,
    /// The group along x, y and z.
    pub group: [u32; 3],
    /// The wave of the group.
    pub wave: u8,
    /// Address of the instruction in the code object.
    pub pc: u64,
    /// The instruction as text.
    pub instruction: String,
    /// Where it comes from, where the code object says so.
    pub place: Option<Place>,
    /// Where the other access of a race comes from.
    pub other_place: Option<Place>,
    /// What is wrong.
    pub cause: Cause,
}

impl std::error::Error for Fault {}

impl Fault {
    /// Whether memory was accessed that must not be.
    #[must_use]
    pub fn is_access(&self) -> bool {
        matches!(self.cause, Cause::Access(_))
    }

    /// Whether the launch would not have ended.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        matches!(self.cause, Cause::Budget { .. } | Cause::Deadlock { .. })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { kernel, group: [x, y, z], wave, pc, instruction, .. } = self;
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{kernel}: {}", self.cause)?;
        if let Some(other) = &self.other_place {
            write!(f, " ({other})")?;
        }
        write!(f, "; `{instruction}` at pc {pc:#x}, group ({x}, {y}, {z}), wave {wave}")
    }
}
