//! Faults that are really there: texts of the corpus with their strictness taken away, through the makers' compilers.
//!
//! A machine without a compiler says that the test was skipped; with `EVENWEAVE_REQUIRE_COMPILERS=1` that is a failure.

use super::{
    Disassembler,
    kernels::{Piece, corpus, stage},
    scan::{self, Machine},
};
use crate::judge::Choice;
use evenweave_codegen::{
    Target,
    c::{Dialect, prelude},
};
use evenweave_lang::dtype::DType;
use evenweave_runtime::compile::Compiler;
use std::{collections::BTreeMap, path::PathBuf};

/// A compiler and what shows its machine code.
struct Bench {
    dialect: Dialect,
    compiler: Compiler,
    tool: Disassembler,
    archs: &'static [&'static str],
}

/// Text for text: what stands there, and what is planted in its place.
type Plant<'a> = &'a [(&'a str, &'a str)];

/// Where NVRTC may be: where `scripts/fetch-nvrtc` puts it, and where the user says.
pub(super) fn libraries() -> Vec<PathBuf> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut libraries: Vec<PathBuf> = vec![format!("{root}/target/cuda/nvidia/cu13/lib").into()];
    let more = std::env::var_os("EVENWEAVE_LIBRARIES").unwrap_or_default();
    libraries.extend(std::env::split_paths(&more));
    libraries
}

impl Bench {
    fn of(dialect: Dialect) -> Option<Bench> {
        let libraries = libraries();
        let (compiler, machine, archs): (_, _, &[&str]) = match dialect {
            Dialect::Cuda => (Compiler::nvrtc(&libraries), Machine::Nvidia, &["sm_90a", "sm_75"]),
            Dialect::Hip => (Compiler::clang(), Machine::Amd, &["gfx1201", "gfx90a"]),
            Dialect::Metal => panic!("there is no compiler for Metal"),
        };
        let found = compiler.map_err(|e| e.to_string()).and_then(|compiler| {
            let tool = Disassembler::find(machine, &libraries)?;
            Ok(Bench { dialect, compiler, tool, archs })
        });
        match found {
            Ok(bench) => Some(bench),
            Err(error) => {
                let required =
                    std::env::var_os("EVENWEAVE_REQUIRE_COMPILERS").is_some_and(|v| v == "1");
                assert!(!required, "a compiler is required: {error}");
                eprintln!("skipped: {error}");
                None
            }
        }
    }

    /// The kernels of an operation with a dtype.
    fn pieces(&self, operation: &str, dtype: DType) -> Vec<Piece> {
        let choice =
            Choice { filter: Some(operation.into()), dtype: Some(dtype), ..Choice::default() };
        let target = Target::C(self.dialect, self.dialect.facts());
        let pieces = corpus(&stage(&choice.cases()), target, self.dialect).pieces;
        assert!(!pieces.is_empty(), "{operation}");
        pieces
    }

    /// What the scan finds, for each architecture.
    fn found(&self, pieces: &[Piece], plant: Plant, flags: &[&str]) -> Vec<Vec<String>> {
        let mut text = prelude(self.dialect).to_string();
        for piece in pieces {
            text += &piece.source.text;
        }
        for (honest, fault) in plant {
            assert!(text.contains(honest), "{honest} is not in the text");
            text = text.replace(honest, fault);
        }
        let entries =
            pieces.iter().map(|p| (&*p.source.entry, p.written)).collect::<BTreeMap<_, _>>();
        let each = self.archs.iter().map(|arch| {
            let code = self.compiler.compile_with(&text, arch, flags).unwrap().code;
            let disassembly = self.tool.run(&code).unwrap();
            let findings = scan::scan(self.tool.machine, &disassembly, &entries).unwrap();
            findings.into_iter().map(|f| format!("{}: {}", f.instruction, f.what)).collect()
        });
        each.collect()
    }

    fn flags<'a>(&self, plant: Plant<'a>) -> Vec<&'a str> {
        let mut flags = self.compiler.flags().to_vec();
        for (honest, fault) in plant {
            let at = flags.iter().position(|flag| flag == honest);
            flags[at.expect("the flag is one of ours")] = fault;
        }
        flags
    }

    /// As it is written nothing is found; with the fault, on each architecture, an instruction that begins so.
    #[track_caller]
    fn finds(&self, pieces: &[Piece], plant: Plant, flags: Plant, begins: &[&str]) {
        let honest = self.found(pieces, &[], self.compiler.flags());
        assert!(honest.iter().all(Vec::is_empty), "without a fault: {honest:?}");
        let found = self.found(pieces, plant, &self.flags(flags));
        for (arch, found) in self.archs.iter().zip(&found) {
            let is = |line: &String| begins.iter().any(|b| line.starts_with(b));
            assert!(found.iter().any(is), "{arch}: none of {begins:?} in {found:?}");
        }
    }
}

const FMAD: (&str, &str) = ("--fmad=false", "--fmad=true");
const CONTRACT: (&str, &str) = ("-ffp-contract=off", "-ffp-contract=fast");
const ROUNDED: (&str, &str) =
    ("-fhip-fp32-correctly-rounded-divide-sqrt", "-fno-hip-fp32-correctly-rounded-divide-sqrt");

/// `start + i * step` has two roundings.
const TWO_ROUNDINGS: &str = "arange";

#[test]
fn a_contraction_by_nvrtc_is_found() {
    let Some(bench) = Bench::of(Dialect::Cuda) else { return };
    let pieces = bench.pieces(TWO_ROUNDINGS, DType::F32);
    let infix = [(
        "#define FN ",
        "#define __fmul_rn(a, b) ((a) * (b))\n#define __fadd_rn(a, b) ((a) + (b))\n#define FN ",
    )];
    bench.finds(&pieces, &infix, &[FMAD], &["FFMA: a product and a sum in one rounding"]);
    // Each of the two keeps the roundings apart by itself.
    for (plant, flags) in [(&infix[..], &[][..]), (&[], &[FMAD])] {
        let found = bench.found(&pieces, plant, &bench.flags(flags));
        assert!(found.iter().all(Vec::is_empty), "{flags:?}: {found:?}");
    }
}

#[test]
fn a_contraction_by_clang_is_found() {
    let Some(bench) = Bench::of(Dialect::Hip) else { return };
    let pieces = bench.pieces(TWO_ROUNDINGS, DType::F32);
    let pragma = [("#pragma clang fp contract(off)", "")];
    bench.finds(&pieces, &pragma, &[CONTRACT], &["v_fma", "v_pk_fma", "v_dual_fma"]);
    let found = bench.found(&pieces, &pragma, bench.compiler.flags());
    assert!(found.iter().all(Vec::is_empty), "the flag alone: {found:?}");
}

#[test]
fn a_product_that_a_conversion_absorbs_is_found() {
    let Some(bench) = Bench::of(Dialect::Hip) else { return };
    let pieces = bench.pieces(TWO_ROUNDINGS, DType::F16);
    let seen_through = [
        ("asm volatile(\"\" : \"+v\"(x));", ""),
        ("#pragma clang fp contract(off)", "#pragma clang fp contract(fast)"),
    ];
    bench.finds(&pieces, &seen_through, &[CONTRACT], &["v_fma_mix"]);
}

#[test]
fn an_estimate_for_a_quotient_is_found_on_nvidia() {
    let Some(bench) = Bench::of(Dialect::Cuda) else { return };
    let (div, recip) = (bench.pieces("div", DType::F32), bench.pieces("recip", DType::F32));
    let rcp = ["MUFU.RCP: an approximate quotient"];
    bench.finds(&div, &[("__fdiv_rn(", "__fdividef(")], &[], &rcp);
    bench.finds(&recip, &[("__frcp_rn(x)", "__fdividef(1.0f, x)")], &[], &rcp);
    // Where there is no quotient at all.
    let mul = bench.pieces("mul", DType::F32);
    let begins = ["MUFU.RCP: an approximate reciprocal"];
    bench.finds(&mul, &[("__fmul_rn(", "__fdividef(")], &[], &begins);
}

#[test]
fn an_estimate_for_a_root_is_found_on_nvidia() {
    let Some(bench) = Bench::of(Dialect::Cuda) else { return };
    let pieces = bench.pieces("sqrt", DType::F32);
    let estimate = [
        ("__fsqrt_rn(", "root("),
        (
            "FN void barrier()",
            "FN f32 root(f32 x) { f32 y; asm(\"sqrt.approx.f32 %0, %1;\" : \"=f\"(y) : \"f\"(x)); return y; }\nFN void barrier()",
        ),
    ];
    bench.finds(&pieces, &estimate, &[], &["MUFU.RSQ: an approx", "MUFU.SQRT: an approx"]);
}

#[test]
fn estimates_for_quotients_and_roots_are_found_on_amd() {
    let Some(bench) = Bench::of(Dialect::Hip) else { return };
    let (recip, sqrt) = (bench.pieces("recip", DType::F32), bench.pieces("sqrt", DType::F32));
    let rcp = ["v_rcp_f32_e32: an approximate quotient", "v_s_rcp_f32: an approximate quotient"];
    let builtin = [("{ return 1.0f / x; }", "{ return __builtin_amdgcn_rcpf(x); }")];
    bench.finds(&recip, &builtin, &[], &rcp);
    // The flag alone makes estimates of what the text calls a quotient and a root.
    bench.finds(&bench.pieces("div", DType::F32), &[], &[ROUNDED], &rcp);
    bench.finds(
        &sqrt,
        &[],
        &[ROUNDED],
        &["v_sqrt_f32_e32: an approximate root", "v_s_sqrt_f32: an"],
    );
}
