//! What a kernel is legalised for.
//!
//! Invariants
//! - Whatever changes the output of `prepare` is a value of this module; nothing is read from the machine.

use crate::{
    c::Dialect,
    facts::{Facts, Lanes},
};
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
    /// A device whose compiler takes a language of the C family; its values are those of Vulkan's.
    C(Dialect, Facts),
}

impl Target {
    /// The targets that exist without a device at hand, by name.
    pub const NAMED: &'static [(&'static str, Target)] = &[
        ("cpu", Target::Cpu),
        ("vulkan", Target::Vulkan(Facts::IDEAL)),
        ("vulkan:least", Target::Vulkan(Facts::LEAST)),
        ("cuda", Target::C(Dialect::Cuda, Facts::CUDA)),
        ("hip", Target::C(Dialect::Hip, Facts::HIP)),
        ("metal", Target::C(Dialect::Metal, Facts::METAL)),
    ];

    /// The target of this name; `cuda` and `hip` also take an architecture: `cuda:sm_90`, `hip:gfx1201`.
    pub fn parse(name: &str) -> Option<Target> {
        if let Some(&(_, target)) = Target::NAMED.iter().find(|(n, _)| *n == name) {
            return Some(target);
        }
        let (kind, arch) = name.split_once(':')?;
        let is = |prefix: &str, digits: fn(char) -> bool| {
            arch.strip_prefix(prefix).is_some_and(|n| n.len() >= 2 && n.chars().all(digits))
        };
        match kind {
            "cuda" if is("sm_", |c| c.is_ascii_digit() || c == 'a') => {
                Some(Target::C(Dialect::Cuda, Facts::CUDA))
            }
            "hip" if is("gfx", |c| c.is_ascii_hexdigit()) => {
                let lanes = Lanes::Fixed(if arch.starts_with("gfx9") { 64 } else { 32 });
                Some(Target::C(Dialect::Hip, Facts { lanes, ..Facts::HIP }))
            }
            _ => None,
        }
    }

    /// The word used in errors and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Cpu => "cpu",
            Target::Vulkan(_) => "vulkan",
            Target::C(dialect, _) => dialect.name(),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
