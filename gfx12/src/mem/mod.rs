//! What a wave can address: global memory, a group's shared memory, and the scratch of each lane.
//!
//! All three are bytes with a shadow that knows which of them were written (`bytes`). An access is of a whole row: 32 lanes, of
//! which a mask says those that take part. The widest that the instructions have is 16 bytes a lane, four rows of registers.
//!
//! Invariants
//! - Bounds are exact: a byte outside of an allocation is never read or written, whatever lies near it.
//! - An access that fails has changed nothing in the space that refuses it, and names its lane, its address and why.
//! - Nothing here depends on the host's memory, clock or threads: equal launches read equal bytes.
//!
//! Caches, their scopes and the order in which other processors see stores are deliberately absent: each access is done when the
//! next begins.

mod bytes;
mod flat;
mod global;
mod runs;
mod scratch;
mod shared;
#[cfg(test)]
mod tests;

pub use bytes::{Lanes, Rows};
pub use flat::{PRIVATE_APERTURE, SHARED_APERTURE, Spaces};
pub use global::{Memory, MemoryError};
pub use scratch::Scratch;
pub use shared::{Grain, Shared, Who};

use std::fmt;

/// Lanes of a wave.
pub const LANES: usize = 32;
/// Bytes that nobody has written.
pub const POISON: u8 = 0xD9;

/// What an instruction does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads.
    Load,
    /// It writes.
    Store,
    /// It reads and writes as one, and what it read is dropped.
    Atomic,
    /// It reads and writes as one, and gives what it read.
    AtomicReturn,
}

impl Access {
    /// Whether it is one of the two atomic ones.
    #[must_use]
    pub const fn is_atomic(self) -> bool {
        match self {
            Access::Load | Access::Store => false,
            Access::Atomic | Access::AtomicReturn => true,
        }
    }

    /// Whether a register gets what it reads. An atomic that only writes may change a part of what was written.
    const fn gives(self) -> bool {
        match self {
            Access::Load | Access::AtomicReturn => true,
            Access::Store | Access::Atomic => false,
        }
    }

    /// The atomic access that gives the old values, or not.
    const fn atomic(returns: Returns) -> Access {
        match returns {
            Returns::Old => Access::AtomicReturn,
            Returns::Nothing => Access::Atomic,
        }
    }
}

/// What an atomic operation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// The old values.
    Old,
    /// Nothing.
    Nothing,
}

/// Which memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The device's.
    Global,
    /// The group's.
    Shared,
    /// The lane's own.
    Scratch,
}

/// An access that must not be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{access} of {bytes} bytes of {space} memory at {address:#x} by lane {lane}: {cause}")]
pub struct AccessError {
    /// The first lane that did it.
    pub lane: u8,
    /// Where, as the lane has it.
    pub address: u64,
    /// How many bytes.
    pub bytes: u32,
    /// Reading or writing.
    pub access: Access,
    /// Which memory.
    pub space: Space,
    /// Why it must not be.
    pub cause: AccessCause,
}

/// Why an access must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessCause {
    /// There is nothing at all near the address.
    Unmapped,
    /// It is not wholly inside the allocation that is nearest.
    OutOfBounds {
        /// The allocation.
        label: String,
        /// Its first byte.
        base: u64,
        /// Its length.
        bytes: u64,
        /// How far from its first byte the access begins.
        offset: i64,
    },
    /// The memory was given back.
    Freed {
        /// The allocation.
        label: String,
        /// Its first byte.
        base: u64,
        /// Its length.
        bytes: u64,
    },
    /// The memory is code or arguments.
    ReadOnly {
        /// The allocation.
        label: String,
    },
    /// Nobody has written the byte.
    Unwritten {
        /// Where the first such byte is.
        at: u64,
    },
    /// Another wave has accessed the same bytes, and no barrier stands between the two.
    Race {
        /// The other wave of the group.
        wave: u8,
        /// Where its instruction is, in bytes of the code.
        pc: u32,
        /// What it did.
        access: Access,
    },
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Access::Load => "load",
            Access::Store => "store",
            Access::Atomic | Access::AtomicReturn => "atomic",
        })
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Scratch => "scratch",
        })
    }
}

impl fmt::Display for AccessCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessCause::Unmapped => write!(f, "there is no memory"),
            AccessCause::OutOfBounds { label, base, bytes, offset } => {
                write!(
                    f,
                    "out of bounds; nearest is {label} at {base:#x} of {bytes} bytes, offset {offset}"
                )
            }
            AccessCause::Freed { label, base, bytes } => {
                write!(f, "{label} at {base:#x} of {bytes} bytes was freed")
            }
            AccessCause::ReadOnly { label } => write!(f, "{label} is read-only"),
            AccessCause::Unwritten { at } => write!(f, "the byte at {at:#x} was never written"),
            AccessCause::Race { wave, pc, access } => {
                write!(
                    f,
                    "races with the {access} of wave {wave} at pc {pc:#x}, no barrier between"
                )
            }
        }
    }
}
