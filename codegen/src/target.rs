//! What a kernel is legalised for.
//!
//! Invariants
//! - Whatever changes the output of `prepare` is a value of this module; nothing is read from the machine.

use crate::facts::Facts;
use std::fmt;

/// A kind of device, and what was measured of it where that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The CPU device: all rows marked `Native` on integers, `bool`, f32 and f64; 16-bit floats are stored,
    /// moved and converted only.
    Cpu,
    /// A Vulkan device: 32- and 64-bit values as far as the facts go; smaller ones are stored, moved and
    /// converted only.
    Vulkan(Facts),
}

impl Target {
    /// The targets that exist without a device at hand, by name.
    pub const NAMED: &'static [(&'static str, Target)] = &[
        ("cpu", Target::Cpu),
        ("vulkan", Target::Vulkan(Facts::IDEAL)),
        ("vulkan:least", Target::Vulkan(Facts::LEAST)),
    ];

    /// The target of this name.
    pub fn parse(name: &str) -> Option<Target> {
        Target::NAMED.iter().find(|(n, _)| *n == name).map(|&(_, target)| target)
    }

    /// The word used in errors and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Cpu => "cpu",
            Target::Vulkan(_) => "vulkan",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
