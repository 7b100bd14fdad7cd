//! clang as a program: text on its standard input, a code object on its standard output.

use super::Compiled;
use crate::error::DeviceError;
use std::{
    io::Write,
    process::{Command, Output, Stdio},
    thread,
};

/// Where a clang for AMD's devices usually is. One of AMD's own stands last: what the system names is the user's choice.
const NAMES: &[&str] = &[
    "clang-19",
    "clang-20",
    "clang-21",
    "clang-22",
    "clang",
    "/opt/rocm/lib/llvm/bin/clang",
    "/opt/rocm/llvm/bin/clang",
];

/// A clang that has the target amdgcn.
#[derive(Clone, Debug)]
pub struct Clang {
    program: &'static str,
    name_and_version: String,
}

impl Clang {
    pub(super) fn find() -> Result<Clang, DeviceError> {
        NAMES.iter().find_map(|program| Clang::of(program)).ok_or_else(|| DeviceError::Missing {
            device: "clang".into(),
            what: format!("clang with the target amdgcn (looked for {})", NAMES.join(", ")),
        })
    }

    fn of(program: &'static str) -> Option<Clang> {
        let words = |flag: &str| -> Option<String> {
            let out = Command::new(program).arg(flag).stdin(Stdio::null()).output().ok()?;
            out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
        };
        let targets = words("--print-targets")?;
        if !targets.split_whitespace().any(|word| word == "amdgcn") {
            return None;
        }
        let name_and_version = words("--version")?.lines().next()?.trim().to_string();
        Some(Clang { program, name_and_version })
    }

    /// Its name and version.
    pub fn name_and_version(&self) -> &str {
        &self.name_and_version
    }

    pub(super) fn compile(
        &self,
        text: &str,
        arch: &str,
        flags: &[&str],
    ) -> Result<Compiled, DeviceError> {
        let fail = |log: String| DeviceError::Compile {
            compiler: self.name_and_version.clone(),
            arch: arch.into(),
            log,
        };
        let out = self
            .run(text, arch, flags)
            .map_err(|e| fail(format!("error: it cannot be run: {e}")))?;
        let log = String::from_utf8_lossy(&out.stderr).trim().to_string();
        if !out.status.success() {
            return Err(fail(log));
        }
        if !out.stdout.starts_with(b"\x7fELF") {
            return Err(fail(format!("error: what it wrote is no code object\n{log}")));
        }
        Ok(Compiled { code: out.stdout, log })
    }

    fn run(&self, text: &str, arch: &str, flags: &[&str]) -> std::io::Result<Output> {
        let mut child = Command::new(self.program)
            .args(["-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib"])
            .arg(format!("--offload-arch={arch}"))
            .args(flags)
            .args(["--no-gpu-bundle-output", "-c", "-o", "-", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        thread::scope(|scope| {
            // A clang that stops before it has read all says why itself.
            scope.spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
            child.wait_with_output()
        })
    }
}
