//! Targets that a compiler makes machine code for.

use evenweave_codegen::{Facts, Target, c::Dialect};

/// A target with its architecture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine<'a> {
    pub(crate) dialect: Dialect,
    pub(crate) facts: Facts,
    /// As its compilers call it: `sm_90a`, `gfx1201`.
    pub(crate) arch: &'a str,
}

impl Machine<'_> {
    /// The target of this name, `cuda:sm_90a` or `hip:gfx1201`; the error is one line.
    pub(crate) fn parse(name: &str) -> Result<Machine<'_>, String> {
        match (Target::parse(name).map_err(|e| e.to_string())?, name.split_once(':')) {
            (Target::C(dialect, facts), Some((_, arch))) => Ok(Machine { dialect, facts, arch }),
            (Target::Cpu | Target::Vulkan(_) | Target::C(..), _) => Err(format!(
                "`{name}` names no architecture to compile for: give cuda:sm_90a or hip:gfx1201"
            )),
        }
    }
}
