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

use crate::{
    cache::{Cache, Entry, Key},
    error::DeviceError,
};
use evenweave_codegen::c::{Dialect, Source, prelude};
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

/// Machine code of kernels for one architecture: from a cache where it is there, else from a compiler where there is one.
///
/// A compiler's own entries alone are taken where there is a compiler; those of others are replaced. Where there is none,
/// what was built ahead of time is taken, whoever compiled it.
#[derive(Debug)]
pub struct Programs {
    kind: &'static str,
    arch: String,
    flags: &'static [&'static str],
    /// Flags that change no code.
    more: &'static [&'static str],
    compiler: Result<Compiler, DeviceError>,
    cache: Option<Cache>,
}

impl Programs {
    /// For an architecture of `cuda` devices, `sm_90a`.
    pub fn cuda(
        arch: &str,
        compiler: Result<Compiler, DeviceError>,
        cache: Option<Cache>,
    ) -> Programs {
        Programs { kind: "cuda", arch: arch.into(), flags: CUDA_FLAGS, more: &[], compiler, cache }
    }

    /// For an architecture of `hip` devices, `gfx1201`.
    pub fn hip(
        arch: &str,
        compiler: Result<Compiler, DeviceError>,
        cache: Option<Cache>,
    ) -> Programs {
        Programs { kind: "hip", arch: arch.into(), flags: HIP_FLAGS, more: &[], compiler, cache }
    }

    /// The same with line tables, which say which line of the text an instruction comes from, and change no code.
    pub fn with_lines(self) -> Programs {
        Programs { more: &["-gline-tables-only"], ..self }
    }

    /// The architecture.
    pub fn arch(&self) -> &str {
        &self.arch
    }

    /// The compiler's name and version, or that there is none.
    pub fn compiler(&self) -> &str {
        match &self.compiler {
            Ok(compiler) => compiler.name_and_version(),
            Err(_) => "no compiler",
        }
    }

    /// The flags that name a program, and that it is compiled with.
    pub fn flags(&self) -> Vec<&'static str> {
        [self.flags, self.more].concat()
    }

    /// The machine code of a translation unit. Nothing is locked meanwhile.
    pub fn code(&self, text: &str) -> Result<Vec<u8>, DeviceError> {
        self.entry(text).map(|(entry, _)| entry.code)
    }

    /// The same, with its compiler, and whether it was there already.
    pub fn entry(&self, text: &str) -> Result<(Entry, bool), DeviceError> {
        let flags = self.flags();
        let key = Key::of(self.kind, &self.arch, &flags, text);
        let known = self.cache.as_ref().and_then(|cache| cache.get(&key));
        let compiler = match (&self.compiler, known) {
            (Ok(own), Some(entry)) if entry.compiler == own.name_and_version() => {
                return Ok((entry, true));
            }
            (Ok(own), _) => own,
            (Err(_), Some(entry)) => return Ok((entry, true)),
            (Err(none), None) => return Err(self.not_built(none)),
        };
        let code = compiler.compile_with(text, &self.arch, &flags)?.code;
        let entry = Entry { compiler: compiler.name_and_version().into(), code };
        if let Some(cache) = &self.cache {
            // A folder that cannot be written makes the next start slow and nothing wrong.
            let _ = cache.put(&key, &entry);
        }
        Ok((entry, false))
    }

    /// There is no compiler, and nobody has built the program either.
    fn not_built(&self, none: &DeviceError) -> DeviceError {
        let (kind, arch) = (self.kind, &self.arch);
        let folder = self
            .cache
            .as_ref()
            .map_or("no cache folder".into(), |cache| cache.folder().display().to_string());
        DeviceError::Missing {
            device: format!("{kind}:{arch}"),
            what: format!(
                "program of this kernel in {folder} (`evenweave build --target {kind}:{arch}` puts it there), nor a \
                 compiler ({none})"
            ),
        }
    }
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
        self.compile_with(text, arch, self.flags())
    }

    /// The same code; the log also says of each kernel which registers it takes and what it keeps in memory for want of them.
    pub fn compile_and_tell(&self, text: &str, arch: &str) -> Result<Compiled, DeviceError> {
        let tell = match self {
            Compiler::Nvrtc(_) => "--ptxas-options=-v",
            Compiler::Hiprtc(_) | Compiler::Clang(_) => "-Rpass-analysis=kernel-resource-usage",
        };
        self.compile_with(text, arch, &[self.flags(), &[tell]].concat())
    }

    /// What the compiler makes under these flags instead of ours, which keep the bits: a fault to test an audit with.
    pub fn compile_with(
        &self,
        text: &str,
        arch: &str,
        flags: &[&str],
    ) -> Result<Compiled, DeviceError> {
        match self {
            Compiler::Nvrtc(rtc) => {
                rtc.compile(text, &format!("--gpu-architecture={arch}"), arch, flags)
            }
            Compiler::Hiprtc(rtc) => {
                rtc.compile(text, &format!("--offload-arch={arch}"), arch, flags)
            }
            Compiler::Clang(clang) => clang.compile(text, arch, flags),
        }
    }
}

/// What a kernel's function is called. A program of the cache has one kernel.
pub const ENTRY: &str = "kernel_entry";

/// The architecture under which devices of CUDA ask for programs: `sm_90` is `sm_90a`, for a device has the instructions of its
/// own architecture alone too, and they are had by the letter.
pub fn cuda_arch(name: &str) -> String {
    let number = name.strip_prefix("sm_").and_then(|n| n.parse::<u32>().ok());
    match number {
        Some(90 | 100..) => format!("{name}a"),
        Some(_) | None => name.into(),
    }
}

/// The translation unit of one kernel, as devices ask the cache for it.
pub fn unit(dialect: Dialect, source: &Source) -> String {
    [prelude(dialect), &source.text].concat()
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
