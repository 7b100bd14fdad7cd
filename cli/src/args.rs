//! The command line, as data.

use clap::{Args, Parser, Subcommand, ValueEnum};
use evenweave_lang::dtype::DType;
use std::path::PathBuf;

/// One GPU kernel, written once in Rust, on every device, with the same bits.
#[derive(Debug, Parser)]
#[command(name = "evenweave", version, max_term_width = 100, subcommand_required = true)]
#[command(after_help = "Exit code: 0 good, 1 a check failed, 2 wrong usage or input.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the devices of this machine
    Devices(Devices),
    /// Is a device right? Measure it, run a slice of the corpus, say what follows
    Doctor(Doctor),
    /// Compare two files of `doctor --json` by their bits, or two of `bench --json` by their times
    Diff(Diff),
    /// List the operations of the library
    List(List),
    /// Run the corpus: is a device right, and does it give the same bits?
    Test(Test),
    /// Run an operation on your own arrays
    Run(Run),
    /// Compile all kernels for targets that are not at hand, and look at the machine code
    Audit(Audit),
    /// Show what an operation's kernels become
    Show(Show),
    /// Compile an operation's kernels ahead of time, for a machine whose device has no compiler
    Build(Build),
    /// Show what is kept from run to run, or clear it
    Cache(Cache),
    /// Measure speed
    Bench(Bench),
    /// Measure the error of the elementary functions, and compare their bits
    Ulp(Ulp),
    /// Find the first value in which a device differs from the CPU device, and the smallest case
    Diverge(Diverge),
    /// Run random kernels: does a device give the same bits?
    Fuzz(Fuzz),
    /// Prune weights to 2:4 sparsity: of every four neighbours the two largest stay
    Prune24(Prune24),
    /// Is every group of four neighbours left with at most two nonzero elements?
    Check24(Check24),
}

#[derive(Debug, Args)]
pub(crate) struct Json {
    /// Also write the result to a file, as JSON
    #[arg(long = "json", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Devices {
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Device to examine; may be given several times [default: all]
    #[arg(long = "device", value_name = "DEVICE")]
    pub(crate) devices: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Of doctor: 0 the same bits, 1 other bits; facts may differ.\nOf bench: 0 the same benches, all \
    right, whatever their times; 1 a bench is wrong, or in one file alone. A ratio above 1: the second is faster.\n\
    2 bad input, or files of two kinds."
)]
pub(crate) struct Diff {
    /// A file of `evenweave doctor --json` or `evenweave bench --json`
    pub(crate) a: PathBuf,
    /// Another one of the same kind
    pub(crate) b: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Name of an operation or a family, or a part of one
    pub(crate) filter: Option<String>,
    /// The page of the whole library, `docs/library.md`
    #[arg(long, conflicts_with = "filter")]
    pub(crate) markdown: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Name of an operation or a family, or a part of one
    pub(crate) filter: Option<String>,
    /// Device to test; may be given several times [default: all that open; cpu to sanitize or mutate]
    #[arg(long = "device", value_name = "DEVICE")]
    pub(crate) devices: Vec<String>,
    /// Only cases of this dtype
    #[arg(long, value_parser = dtype)]
    pub(crate) dtype: Option<DType>,
    /// Only the case with this id, as printed: softmax/f16/4-1024
    #[arg(long, value_name = "ID", conflicts_with = "filter")]
    pub(crate) case: Option<String>,
    /// One case of each operation and dtype
    #[arg(long, conflicts_with = "mutate")]
    pub(crate) one_each: bool,
    /// Stop at the first failure
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Watch for races, uninitialised reads, divergent barriers and wrapped indices (cpu only, slow)
    #[arg(long)]
    pub(crate) sanitize: bool,
    /// Have the validation layer watch the device (vulkan only, slow)
    #[arg(long, conflicts_with = "sanitize")]
    pub(crate) validate: bool,
    /// Test the tests: break each kernel in every way; a case must notice
    #[arg(long, conflicts_with_all = ["sanitize", "fail_fast"])]
    pub(crate) mutate: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
#[command(after_help = "Arrays come from .npy, .npz and .safetensors files and go to .npy and \
    .safetensors files; shapes come with them.\nExample: evenweave run softmax --in x=scores.npy \
    --out y=probs.npy --check")]
pub(crate) struct Run {
    /// Operation, as `evenweave list` names it
    pub(crate) kernel: String,
    /// Input and where it is
    #[arg(long = "in", value_name = "NAME=FILE[:TENSOR]")]
    pub(crate) inputs: Vec<String>,
    /// Setting or word
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) settings: Vec<String>,
    /// Output and where it goes; several may share a .safetensors file
    #[arg(long = "out", value_name = "NAME=FILE")]
    pub(crate) outputs: Vec<String>,
    /// Convert float inputs to this dtype first
    #[arg(long, value_parser = dtype)]
    pub(crate) dtype: Option<DType>,
    /// Device to run on
    #[arg(long, default_value = "cpu")]
    pub(crate) device: String,
    /// Compare with the f64 reference and print the distribution of errors
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Compilers: NVRTC (with nvdisasm) for CUDA, clang (with llvm-objdump) for HIP; none needs a \
    device. EVENWEAVE_LIBRARIES names folders where NVRTC is looked for first.\nWrong is what a compiler does not take, \
    an instruction that nobody wrote, and spilled registers in kernels that only pass over memory."
)]
pub(crate) struct Audit {
    /// Name of an operation or a family, or a part of one
    pub(crate) filter: Option<String>,
    /// Target: cuda:sm_90a, hip:gfx1201; may be given several times
    #[arg(long = "target", value_name = "TARGET", required = true)]
    pub(crate) targets: Vec<String>,
    /// Also keep texts, machine code and disassemblies in this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) keep: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Operation, as `evenweave list` names it
    pub(crate) kernel: String,
    /// dtype of the case whose kernels are shown
    #[arg(long, value_parser = dtype)]
    pub(crate) dtype: Option<DType>,
    /// How far to go
    #[arg(long, value_enum, default_value_t = Stage::Ir)]
    pub(crate) stage: Stage,
    /// For which target: cpu, vulkan, vulkan:least, cuda, cuda:sm_90a, hip, hip:gfx1201, metal
    #[arg(long, default_value = "cpu")]
    pub(crate) target: String,
}

/// A station of a kernel's walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// As the author's function was staged
    Ir,
    /// Optimised, and rewritten into what the target has
    Legal,
    /// What the target runs
    Artifact,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The programs go into the cache folder, where the device finds them. Copy its folder \
    `programs` to take them to another machine."
)]
pub(crate) struct Build {
    /// Operation, as `evenweave list` names it, or `all`
    pub(crate) kernel: String,
    /// For which device: cuda:sm_90a, hip:gfx1201
    #[arg(long)]
    pub(crate) target: String,
    /// Only the case with this id, as `evenweave test` prints it
    #[arg(long, value_name = "ID")]
    pub(crate) case: Option<String>,
    /// Only cases of this dtype
    #[arg(long, value_parser = dtype)]
    pub(crate) dtype: Option<DType>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Cache {
    /// Remove all of it
    #[arg(long)]
    pub(crate) clear: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Name of an operation or a family, or a part of one
    pub(crate) filter: Option<String>,
    /// Device to measure
    #[arg(long, default_value = "cpu")]
    pub(crate) device: String,
    /// Seconds to spend on each
    #[arg(long, default_value_t = 0.5, value_parser = seconds)]
    pub(crate) seconds: f64,
    /// Only what is past a device's caches
    #[arg(long)]
    pub(crate) large: bool,
    /// Stand the ratio to an earlier file of `--json` beside each
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Measure instead what it costs the host to ask for a launch, and what it costs with the driver's function alone
    #[arg(long, conflicts_with = "filter")]
    pub(crate) enqueue: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A hash is the sum over all inputs of a mixing of the input and the result's bits: equal \
    hashes mean equal bits. The expected ones are in docs/golden.txt."
)]
pub(crate) struct Ulp {
    /// Functions of f32, or `all`
    #[arg(required = true, value_name = "FUNCTION")]
    pub(crate) functions: Vec<String>,
    /// All inputs (2^31 or 2^32 a function, 2^26 pairs) instead of a sample of 2^20
    #[arg(long)]
    pub(crate) exhaustive: bool,
    /// Device to measure
    #[arg(long, default_value = "cpu")]
    pub(crate) device: String,
    /// Also write the table to a file, as Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// Also write the hashes to a file, in the form of docs/golden.txt
    #[arg(long, value_name = "FILE")]
    pub(crate) hashes: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Diverge {
    /// Operation, as `evenweave list` names it
    pub(crate) kernel: String,
    /// Device to compare with the CPU device, unoptimised
    #[arg(long, value_name = "DEVICE")]
    pub(crate) device: String,
    /// The case with this id, as `evenweave test` prints it [default: the first that differs]
    #[arg(long, value_name = "ID")]
    pub(crate) case: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
#[command(after_help = "What differs is reproduced by its seed: evenweave fuzz --seed S --count 1")]
pub(crate) struct Fuzz {
    /// Device to compare with the CPU device, unoptimised
    #[arg(long, default_value = "cpu")]
    pub(crate) device: String,
    /// Seconds after which no kernel is begun [default: 10, or no end with --count]
    #[arg(long, value_parser = seconds)]
    pub(crate) seconds: Option<f64>,
    /// Seed of the first kernel; the next ones follow [default: from the clock]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Kernels, at most
    #[arg(long)]
    pub(crate) count: Option<u64>,
    /// About how many statements a kernel has: some drivers compile large ones for minutes
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) statements: u32,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A pattern is a tensor's name, in which * stands for any text and ? for a character. Ties keep the \
    lower position; NaN is refused. Tensors that are not pruned are copied.\nExample: evenweave prune24 in.safetensors \
    out.safetensors --tensors 'encoder.*.dense.weight'"
)]
pub(crate) struct Prune24 {
    /// A .safetensors file
    pub(crate) input: PathBuf,
    /// Where the result goes, a .safetensors file
    pub(crate) output: PathBuf,
    /// Tensors to prune; may be given several times [default: every matrix]
    #[arg(long, value_name = "PATTERN")]
    pub(crate) tensors: Vec<String>,
    /// Store kept values and index, NAME.values and NAME.index, instead of the matrix with its zeros
    #[arg(long)]
    pub(crate) compress: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Rows and columns count from 0. Exit code: 0 all are sparse, 1 some are not, 2 bad input."
)]
pub(crate) struct Check24 {
    /// A .safetensors file
    pub(crate) file: PathBuf,
    /// Tensors to check, as in prune24; may be given several times [default: those that prune24 made]
    #[arg(long, value_name = "PATTERN")]
    pub(crate) tensors: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        Ok(_) | Err(_) => Err("seconds are a number from 0 to 1000000".into()),
    }
}

fn dtype(text: &str) -> Result<DType, String> {
    DType::parse(text).ok_or_else(|| {
        let known: Vec<_> = DType::ALL.iter().map(|d| d.name()).collect();
        format!("dtypes are {}", known.join(", "))
    })
}
