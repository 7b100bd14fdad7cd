//! What a kernel is legalised for.
//!
//! Invariants
//! - Whatever changes the output of `prepare` is a value of this module; nothing is read from the machine.

use std::fmt;

/// A kind of device, and what was measured of it where that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The CPU device: all rows marked `Native` on integers, `bool`, f32 and f64; 16-bit floats are stored,
    /// moved and converted only.
    Cpu,
}

impl Target {
    /// Every target.
    pub const ALL: &'static [Target] = &[Target::Cpu];

    /// The word used in errors and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Cpu => "cpu",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
