//! What a kernel is legalised for.
//!
//! Invariants
//! - Whatever changes the output of `prepare` is a value of this module; nothing is read from the machine.

use crate::{
    c::Dialect,
    facts::{Facts, Features, Lanes, Matrices},
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

    /// The target of this name; `cuda` and `hip` also take an architecture that a compiler knows: `cuda:sm_90a`, `hip:gfx1201`.
    pub fn parse(name: &str) -> Result<Target, TargetError> {
        if let Some(&(_, target)) = Target::NAMED.iter().find(|(n, _)| *n == name) {
            return Ok(target);
        }
        let unknown = || TargetError::Unknown { name: name.into() };
        let (kind, arch) = name.split_once(':').ok_or_else(unknown)?;
        let (dialect, known) = match kind {
            "cuda" => (Dialect::Cuda, CUDA_ARCHS),
            "hip" => (Dialect::Hip, HIP_ARCHS),
            _ => return Err(unknown()),
        };
        let target = Target::of_arch(dialect, arch).filter(|_| known.contains(&arch));
        target.ok_or_else(|| TargetError::Arch { dialect, arch: arch.into(), known })
    }

    /// The target of a device that is at hand: its architecture may be newer than the ones known here.
    pub fn of_arch(dialect: Dialect, arch: &str) -> Option<Target> {
        let is = |prefix: &str, digits: fn(char) -> bool| {
            arch.strip_prefix(prefix).is_some_and(|n| n.len() >= 2 && n.chars().all(digits))
        };
        match dialect {
            Dialect::Cuda if is("sm_", |c| c.is_ascii_digit() || c == 'a') => {
                let number = arch.trim_start_matches("sm_").trim_end_matches('a').parse::<u32>();
                let has = number.is_ok_and(|n| n >= 80);
                let matrices = if has { Matrices::Quads } else { Matrices::None };
                let wide_matrices = arch == "sm_90a";
                let features = Features { matrices, wide_matrices, ..Facts::CUDA.features };
                Some(Target::C(dialect, Facts { features, ..Facts::CUDA }))
            }
            Dialect::Hip if is("gfx", |c| c.is_ascii_hexdigit()) => {
                let lanes = Lanes::Fixed(if arch.starts_with("gfx9") { 64 } else { 32 });
                let has = ["gfx1200", "gfx1201"].contains(&arch);
                let matrices = if has { Matrices::Halves } else { Matrices::None };
                let features = Features { matrices, ..Facts::HIP.features };
                Some(Target::C(dialect, Facts { lanes, features, ..Facts::HIP }))
            }
            Dialect::Cuda | Dialect::Hip | Dialect::Metal => None,
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

/// Architectures that NVRTC of some version from 11.2 on makes machine code for.
const CUDA_ARCHS: &[&str] = &[
    "sm_50", "sm_52", "sm_53", "sm_60", "sm_61", "sm_62", "sm_70", "sm_72", "sm_75", "sm_80",
    "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_101",
    "sm_101a", "sm_103", "sm_103a", "sm_110", "sm_110a", "sm_120", "sm_120a", "sm_121", "sm_121a",
];

/// Architectures that clang and hipRTC make machine code for and ROCm runs.
const HIP_ARCHS: &[&str] = &[
    "gfx900", "gfx902", "gfx904", "gfx906", "gfx908", "gfx909", "gfx90a", "gfx90c", "gfx940",
    "gfx941", "gfx942", "gfx950", "gfx1010", "gfx1011", "gfx1012", "gfx1013", "gfx1030", "gfx1031",
    "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036", "gfx1100", "gfx1101", "gfx1102",
    "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153", "gfx1200", "gfx1201",
];

/// Why a name is no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// There is none of that name.
    #[error(
        "there is no target `{name}` (targets: {}, and for one architecture cuda:sm_90a, hip:gfx1201)",
        named()
    )]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// No compiler has the architecture.
    #[error("no compiler of {} knows the architecture `{arch}` (known: {})", .dialect.name(), .known.join(", "))]
    Arch {
        /// The language.
        dialect: Dialect,
        /// What was asked for.
        arch: String,
        /// What compilers have.
        known: &'static [&'static str],
    },
}

fn named() -> String {
    Target::NAMED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_targets_and_what_is_none_is_said() {
        for (name, target) in Target::NAMED {
            assert_eq!(Target::parse(name), Ok(*target));
        }
        let lanes = |name: &str| match Target::parse(name) {
            Ok(Target::C(Dialect::Hip, facts)) => facts.lanes,
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(lanes("hip:gfx90a"), Lanes::Fixed(64));
        assert_eq!(lanes("hip:gfx1201"), Lanes::Fixed(32));
        for (name, words) in [
            ("abacus", &["`abacus`", "vulkan:least", "metal", "cuda:sm_90a", "hip:gfx1201"][..]),
            ("metal:m1", &["`metal:m1`", "metal"]),
            ("cuda:sm_1", &["`sm_1`", "sm_75", "sm_90a"]),
            ("cuda:gfx1201", &["`gfx1201`", "sm_90a"]),
            ("hip:gfx9999", &["`gfx9999`", "gfx90a", "gfx1201"]),
            ("hip:", &["``", "gfx1201"]),
        ] {
            let error = Target::parse(name).unwrap_err().to_string();
            for word in words {
                assert!(error.contains(word), "{name}: {word} is not in: {error}");
            }
        }
    }

    #[test]
    fn every_known_architecture_is_a_target_and_so_is_a_newer_one() {
        for (dialect, known) in [(Dialect::Cuda, CUDA_ARCHS), (Dialect::Hip, HIP_ARCHS)] {
            for arch in known {
                let name = format!("{}:{arch}", dialect.name());
                assert_eq!(Target::parse(&name).ok(), Target::of_arch(dialect, arch), "{name}");
            }
        }
        assert!(Target::of_arch(Dialect::Hip, "gfx1399").is_some());
        assert!(Target::parse("hip:gfx1399").is_err());
    }
}
