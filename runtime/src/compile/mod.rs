//! Compilers of kernels' text: NVRTC and hipRTC, which are libraries, and clang, which is a program.
//!
//! Invariants
//! - None needs a device. What comes out is machine code for the one architecture that was named, never an intermediate form.
//! - The flags that decide about floats are all given, whatever the compiler's defaults are, and are the same wherever the
//!   same text is compiled.
//! - Nothing is locked while compiling: many threads compile at once.
//! - No environment variable is read here; a program without a folder is found by the system's rules.

mod clang;
mod rtc;

use crate::error::DeviceError;
use std::path::PathBuf;

pub use clang::Clang;
pub use rtc::Rtc;

/// A compiler.
#[derive(Clone, Debug)]
pub enum Compiler {
    /// CUDA C++ to a cubin, in this process.
    Nvrtc(Rtc),
    /// HIP C++ to a code object, in this process.
    Hiprtc(Rtc),
    /// HIP C++ to a code object, by a program.
    Clang(Clang),
}

/// What a compiler made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// A cubin or a code object.
    pub code: Vec<u8>,
    /// What the compiler said meanwhile: warnings, if any.
    pub log: String,
}

impl Compiler {
    /// NVRTC, of version 11.2 or newer, from these folders or the usual ones.
    pub fn nvrtc(libraries: &[PathBuf]) -> Result<Compiler, DeviceError> {
        Rtc::nvrtc(libraries).map(Compiler::Nvrtc)
    }

    /// hipRTC, from these folders or the usual ones.
    pub fn hiprtc(libraries: &[PathBuf]) -> Result<Compiler, DeviceError> {
        Rtc::hiprtc(libraries).map(Compiler::Hiprtc)
    }

    /// A clang that writes code for AMD's devices.
    pub fn clang() -> Result<Compiler, DeviceError> {
        Clang::find().map(Compiler::Clang)
    }

    /// Its name and version, as they stand in errors and in the cache.
    pub fn name_and_version(&self) -> &str {
        match self {
            Compiler::Nvrtc(rtc) | Compiler::Hiprtc(rtc) => rtc.name_and_version(),
            Compiler::Clang(clang) => clang.name_and_version(),
        }
    }

    /// The flags that decide what a text means, the architecture's apart.
    pub fn flags(&self) -> &'static [&'static str] {
        match self {
            Compiler::Nvrtc(_) => CUDA_FLAGS,
            Compiler::Hiprtc(_) | Compiler::Clang(_) => HIP_FLAGS,
        }
    }

    /// The machine code of a translation unit for an architecture: `sm_90a`, `gfx1201`.
    pub fn compile(&self, text: &str, arch: &str) -> Result<Compiled, DeviceError> {
        self.compile_with(text, arch, &[])
    }

    /// The same code; the log also says of each kernel which registers it takes and what it keeps in memory for want of them.
    pub fn compile_and_tell(&self, text: &str, arch: &str) -> Result<Compiled, DeviceError> {
        let tell = match self {
            Compiler::Nvrtc(_) => "--ptxas-options=-v",
            Compiler::Hiprtc(_) | Compiler::Clang(_) => "-Rpass-analysis=kernel-resource-usage",
        };
        self.compile_with(text, arch, &[tell])
    }

    fn compile_with(&self, text: &str, arch: &str, more: &[&str]) -> Result<Compiled, DeviceError> {
        let flags = [self.flags(), more].concat();
        match self {
            Compiler::Nvrtc(rtc) => {
                rtc.compile(text, &format!("--gpu-architecture={arch}"), arch, &flags)
            }
            Compiler::Hiprtc(rtc) => {
                rtc.compile(text, &format!("--offload-arch={arch}"), arch, &flags)
            }
            Compiler::Clang(clang) => clang.compile(text, arch, &flags),
        }
    }
}

/// Every product and sum is rounded, subnormals are kept, quotients and roots are correctly rounded.
pub const CUDA_FLAGS: &[&str] =
    &["--std=c++17", "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"];

/// The same for HIP; and memory may be read as any type.
pub const HIP_FLAGS: &[&str] = &[
    "-std=c++17",
    "-O3",
    "-ffp-contract=off",
    "-fhip-fp32-correctly-rounded-divide-sqrt",
    "-fno-gpu-flush-denormals-to-zero",
    "-fno-strict-aliasing",
];

#[cfg(test)]
mod tests;
