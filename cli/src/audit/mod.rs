//! The audit: every kernel of the corpus through a maker's compiler, and its machine code looked at, without a device.
//!
//! Invariants
//! - Each kernel is compiled, or refused by the legaliser with a reason; none is left out.
//! - Kernels go in batches, many in one translation unit, and batches in parallel.
//! - The machine code for gfx1201 is also read by the decoder of `evenweave-gfx12`, instruction by instruction.

mod decoder;
mod kernels;
#[cfg(test)]
mod matrices;
#[cfg(test)]
mod planted;
mod scan;

use crate::targets;
use kernels::{Corpus, Piece, corpus};
pub(crate) use kernels::{Staged, stage};
use scan::{Finding, Machine};

use evenweave_codegen::{
    Target,
    c::{self, Dialect},
};
use evenweave_runtime::compile::Compiler;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::{
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// Kernels of a translation unit, at most, and bytes of their texts: so that no processor waits for another's last one.
const BATCH: usize = 48;
const BATCH_BYTES: usize = 256 << 10;

/// Families whose kernels must keep all they have in registers.
const WITHOUT_SPILLS: &[&str] =
    &["unary", "binary", "ternary", "cast", "gates", "fused", "reduce", "norms"];

/// What came of a target.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) target: String,
    pub(crate) compiler: String,
    pub(crate) kernels: usize,
    pub(crate) refused: BTreeMap<String, String>,
    /// Kernels that keep values in memory for want of registers, with the bytes.
    pub(crate) spills: BTreeMap<String, u64>,
    /// What is wrong: a kernel and why.
    pub(crate) wrong: Vec<(String, String)>,
    pub(crate) seconds: f64,
}

/// Where tools and libraries are looked for besides the usual places, and where to keep what was made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) libraries: Vec<PathBuf>,
    pub(crate) keep: Option<PathBuf>,
}

/// Compiles and scans kernels for a target, as `cuda:sm_90a`, `hip:gfx1201`.
pub(crate) fn audit(
    name: &str,
    kernels: &[Staged],
    places: &Places,
    bar: &ProgressBar,
) -> Result<Report, String> {
    let targets::Machine { dialect, facts, arch } = targets::Machine::parse(name)?;
    let (compiler, machine, nothing) = match dialect {
        Dialect::Cuda => {
            let nothing = "extern \"C\" __global__ void nothing() {}";
            (Compiler::nvrtc(&places.libraries), Machine::Nvidia, nothing)
        }
        Dialect::Hip => {
            let nothing = "extern \"C\" __attribute__((global)) void nothing() {}";
            (Compiler::clang(), Machine::Amd, nothing)
        }
        Dialect::Metal => return Err("there is no compiler for Metal here".into()),
    };
    let compiler = compiler.map_err(|e| e.to_string())?;
    let tool = Disassembler::find(machine, &places.libraries)?;
    // An architecture that this compiler lacks is no fault of the kernels.
    compiler.compile(nothing, arch).map_err(|e| e.to_string())?;
    let started = Instant::now();
    let Corpus { mut pieces, refused } = corpus(kernels, Target::C(dialect, facts), dialect);
    // The longest first: what is left when the first processor is done is short.
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.source.text.len()));
    bar.set_length(pieces.len() as u64);
    let batches: Vec<Result<Batch, String>> = batches(&pieces)
        .into_par_iter()
        .with_max_len(1)
        .enumerate()
        .map(|(i, pieces)| {
            let job = Job { compiler: &compiler, tool: &tool, arch, dialect, places };
            let done = job.run(i, pieces);
            bar.inc(pieces.len() as u64);
            done
        })
        .collect();
    let mut report = Report {
        target: name.into(),
        compiler: compiler.name_and_version().into(),
        kernels: pieces.len(),
        refused,
        spills: BTreeMap::new(),
        wrong: Vec::new(),
        seconds: 0.0,
    };
    let by_entry: BTreeMap<&str, &Piece> = pieces.iter().map(|p| (&*p.source.entry, p)).collect();
    for batch in batches {
        match batch {
            Err(error) => report.wrong.push(("a batch".into(), error)),
            Ok(batch) => {
                for (entry, bytes) in batch.spills {
                    let piece = by_entry[&*entry];
                    if let Some(family) = piece.families.iter().find(|f| WITHOUT_SPILLS.contains(f))
                    {
                        let why = format!("spills {bytes} bytes; kernels of `{family}` must not");
                        report.wrong.push((piece.name.clone(), why));
                    }
                    report.spills.insert(piece.name.clone(), bytes);
                }
                for Finding { kernel, instruction, what } in batch.findings {
                    let name = by_entry[&*kernel].name.clone();
                    report
                        .wrong
                        .push((name, format!("has `{instruction}`: {what} that nobody wrote")));
                }
            }
        }
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Neighbours that go into one translation unit.
fn batches(pieces: &[Piece]) -> Vec<&[Piece]> {
    let (mut all, mut rest) = (Vec::new(), pieces);
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = |piece: &&Piece| {
            bytes += piece.source.text.len();
            bytes <= BATCH_BYTES
        };
        let count = rest.iter().take(BATCH).take_while(fits).count().max(1);
        let (batch, more) = rest.split_at(count);
        all.push(batch);
        rest = more;
    }
    all
}

struct Batch {
    spills: Vec<(String, u64)>,
    findings: Vec<Finding>,
}

struct Job<'a> {
    compiler: &'a Compiler,
    tool: &'a Disassembler,
    arch: &'a str,
    dialect: Dialect,
    places: &'a Places,
}

impl Job<'_> {
    fn run(&self, number: usize, pieces: &[Piece]) -> Result<Batch, String> {
        let mut text = c::prelude(self.dialect).to_string();
        for piece in pieces {
            text.push_str(&format!("// {}\n{}\n", piece.name, piece.source.text));
        }
        let keep = |kind: &str, bytes: &[u8]| match &self.places.keep {
            Some(folder) => {
                let file = folder.join(format!("{}-{number}.{kind}", self.arch));
                std::fs::write(&file, bytes).map_err(|e| format!("{}: {e}", file.display()))
            }
            None => Ok(()),
        };
        keep("txt", text.as_bytes())?;
        let compiled =
            self.compiler.compile_and_tell(&text, self.arch).map_err(|e| e.to_string())?;
        keep("bin", &compiled.code)?;
        let disassembly = self.tool.run(&compiled.code)?;
        keep("asm", disassembly.as_bytes())?;
        if self.arch == decoder::ARCH {
            decoder::compare(&compiled.code, &disassembly)?;
        }
        let entries = pieces.iter().map(|p| (&*p.source.entry, p.written)).collect();
        let findings = scan::scan(self.tool.machine, &disassembly, &entries)?;
        let spills = spills(self.tool.machine, &compiled.log);
        if spills.len() != pieces.len() {
            let (got, want) = (spills.len(), pieces.len());
            return Err(format!("the compiler tells of {got} kernels' registers, not of {want}"));
        }
        let spills = spills.into_iter().filter(|(_, bytes)| *bytes > 0).collect();
        Ok(Batch { spills, findings })
    }
}

/// What the compiler says of each kernel's registers: bytes kept in memory for want of them.
fn spills(machine: Machine, log: &str) -> Vec<(String, u64)> {
    let mut all: Vec<(String, u64)> = Vec::new();
    let number = |text: &str| text.trim().split(' ').next().and_then(|n| n.parse::<u64>().ok());
    for line in log.lines() {
        match machine {
            Machine::Nvidia => {
                if let Some((_, name)) = line.split_once("Function properties for ") {
                    all.push((name.trim().into(), 0));
                } else if let Some((rest, _)) = line.split_once(" bytes spill stores") {
                    let bytes = rest.rsplit(' ').next().and_then(|n| n.parse().ok());
                    if let (Some(bytes), Some(last)) = (bytes, all.last_mut()) {
                        last.1 = bytes;
                    }
                }
            }
            Machine::Amd => {
                if let Some((_, name)) = line.split_once("Function Name: ") {
                    let name = name.split_whitespace().next().unwrap_or("");
                    all.push((name.into(), 0));
                } else if let Some((_, rest)) = line.split_once("VGPRs Spill: ")
                    && let (Some(registers), Some(last)) = (number(rest), all.last_mut())
                {
                    last.1 = 4 * registers;
                }
            }
        }
    }
    all
}

/// A tool that shows machine code.
struct Disassembler {
    machine: Machine,
    path: PathBuf,
}

impl Disassembler {
    fn find(machine: Machine, libraries: &[PathBuf]) -> Result<Disassembler, String> {
        let names: &[&str] = match machine {
            Machine::Nvidia => &["nvdisasm"],
            Machine::Amd => &["llvm-objdump-19", "llvm-objdump"],
        };
        let mut folders: Vec<PathBuf> = libraries.iter().map(|l| l.join("../bin")).collect();
        folders.extend(std::env::var_os("PATH").iter().flat_map(std::env::split_paths));
        folders.extend(["/usr/local/cuda/bin", "/opt/rocm/llvm/bin"].map(PathBuf::from));
        let found = folders
            .iter()
            .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
            .find(|path| path.is_file());
        match found {
            Some(path) => Ok(Disassembler { machine, path }),
            None => Err(format!("there is no {} to look at machine code with", names.join(" or "))),
        }
    }

    fn run(&self, code: &[u8]) -> Result<String, String> {
        let file = tempfile::NamedTempFile::new().map_err(|e| format!("a temporary file: {e}"))?;
        file.as_file().write_all(code).map_err(|e| format!("a temporary file: {e}"))?;
        let arguments: &[&str] = match self.machine {
            // Where jumps lead is not asked, and takes a quarter of the time.
            Machine::Nvidia => &["-c", "-ndf"],
            Machine::Amd => &["-d"],
        };
        let path: &Path = file.path();
        let output = Command::new(&self.path)
            .args(arguments)
            .arg(path)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("{}: {e}", self.path.display()))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {}", self.path.display(), said.trim()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spills_are_read_from_both_compilers() {
        let nvidia = "ptxas info    : Compiling entry function 'k0' for 'sm_90a'\n\
                      ptxas info    : Function properties for k0\n\
                      ptxas         .     16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n\
                      ptxas info    : Function properties for k1\n\
                      ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n";
        let want = [("k0".to_string(), 8), ("k1".to_string(), 0)];
        assert_eq!(spills(Machine::Nvidia, nvidia), want);
        let amd = "k.hip:1:0: remark: Function Name: k0 [-Rpass-analysis=kernel-resource-usage]\n\
                   k.hip:1:0: remark:     VGPRs: 12 [-Rpass]\n\
                   k.hip:1:0: remark:     VGPRs Spill: 2 [-Rpass-analysis=kernel-resource-usage]\n\
                   k.hip:1:0: remark: Function Name: k1 [-Rpass-analysis=kernel-resource-usage]\n\
                   k.hip:1:0: remark:     VGPRs Spill: 0 [-Rpass-analysis=kernel-resource-usage]\n";
        assert_eq!(spills(Machine::Amd, amd), want);
    }
}
