//! Products of small matrices in machine code: the instruction that was meant is there, with the signs that were meant, and no other.
//!
//! A machine without a compiler says that the test was skipped; with `EVENWEAVE_REQUIRE_COMPILERS=1` that is a failure.

use super::{Disassembler, scan::Machine};
use crate::targets;
use evenweave_codegen::{
    Optimise, Target,
    c::{prelude, write},
    prepare,
};
use evenweave_kernels::{case::Case, sparse::gemm_sparse24::ENTRY};
use evenweave_lang::dtype::DType::{self, BF16, F8E4M3, F8E5M2, F16, I4, I8, U4};
use evenweave_runtime::compile::Compiler;
use std::collections::BTreeSet;

const SWMMAC: [([DType; 2], &str); 11] = [
    ([I8, I8], "v_swmmac_i32_16x16x32_iu8 neg_lo:[1,1,0]"),
    ([I4, I4], "v_swmmac_i32_16x16x64_iu4 neg_lo:[1,1,0]"),
    ([I4, U4], "v_swmmac_i32_16x16x64_iu4 neg_lo:[1,0,0]"),
    ([U4, I4], "v_swmmac_i32_16x16x64_iu4 neg_lo:[0,1,0]"),
    ([U4, U4], "v_swmmac_i32_16x16x64_iu4"),
    ([F16, F16], "v_swmmac_f32_16x16x32_f16"),
    ([BF16, BF16], "v_swmmac_f32_16x16x32_bf16"),
    ([F8E4M3, F8E4M3], "v_swmmac_f32_16x16x32_fp8_fp8"),
    ([F8E4M3, F8E5M2], "v_swmmac_f32_16x16x32_fp8_bf8"),
    ([F8E5M2, F8E4M3], "v_swmmac_f32_16x16x32_bf8_fp8"),
    ([F8E5M2, F8E5M2], "v_swmmac_f32_16x16x32_bf8_bf8"),
];

/// The first case of a path for these dtypes.
fn case_of([a, b]: [DType; 2], path: &str) -> Case {
    let is = |case: &Case| {
        let asked = case.request.words.get("path").map_or("auto", |word| word.as_str());
        let of = ["values", "b"].map(|name| case.request.inputs[name].dtype);
        asked == path && of == [a, b]
    };
    let found = (ENTRY.cases)(&ENTRY).into_iter().find(is);
    found.unwrap_or_else(|| panic!("no case of {a} and {b} by {path}"))
}

const WGMMA: [([DType; 2], &str); 7] = [
    ([I8, I8], "IGMMA.SP.64x128x64.S8.S8"),
    ([F16, F16], "HGMMA.SP.64x128x32.F32"),
    ([BF16, BF16], "HGMMA.SP.64x128x32.F32.BF16"),
    ([F8E4M3, F8E4M3], "QGMMA.SP.64x128x64.F32.E4M3.E4M3"),
    ([F8E4M3, F8E5M2], "QGMMA.SP.64x128x64.F32.E4M3.E5M2"),
    ([F8E5M2, F8E4M3], "QGMMA.SP.64x128x64.F32.E5M2.E4M3"),
    ([F8E5M2, F8E5M2], "QGMMA.SP.64x128x64.F32.E5M2.E5M2"),
];

/// The matrix instruction of NVIDIA of a line, without registers.
fn of_nvidia(line: &str) -> Option<String> {
    let words = line.split_whitespace();
    let mut words = words;
    words.find(|word| word.contains("MMA.")).map(Into::into)
}

/// The matrix instruction of AMD of a line, without registers.
fn of_amd(line: &str) -> Option<String> {
    let code = line.split("//").next()?.trim();
    let (name, operands) = code.split_once(' ')?;
    if !name.starts_with("v_swmmac") && !name.starts_with("v_wmma") {
        return None;
    }
    // Which half of the register of places is read changes with the step.
    let more = operands.split_whitespace().filter(|word| word.starts_with("neg_lo"));
    Some(std::iter::once(name).chain(more).collect::<Vec<_>>().join(" "))
}

/// A compiler and a disassembler. A machine without them says so; where they are required, that is a failure.
struct Bench {
    machine: targets::Machine<'static>,
    compiler: Compiler,
    tool: Disassembler,
    instruction: fn(&str) -> Option<String>,
}

impl Bench {
    fn new(target: &'static str) -> Option<Bench> {
        let machine = targets::Machine::parse(target).expect("the target is known");
        let found = if target.starts_with("cuda") {
            let libraries = super::planted::libraries();
            let compiler = Compiler::nvrtc(&libraries).map_err(|e| e.to_string());
            compiler.and_then(|c| Ok((c, Disassembler::find(Machine::Nvidia, &libraries)?)))
        } else {
            let compiler = Compiler::clang().map_err(|e| e.to_string());
            compiler.and_then(|c| Ok((c, Disassembler::find(Machine::Amd, &[])?)))
        };
        let instruction = if target.starts_with("cuda") { of_nvidia } else { of_amd };
        match found {
            Ok((compiler, tool)) => Some(Bench { machine, compiler, tool, instruction }),
            Err(error) => {
                let required =
                    std::env::var_os("EVENWEAVE_REQUIRE_COMPILERS").is_some_and(|v| v == "1");
                assert!(!required, "a compiler is required: {error}");
                eprintln!("skipped: {error}");
                None
            }
        }
    }

    fn instructions(&self, case: Case) -> BTreeSet<String> {
        let targets::Machine { dialect, facts, arch } = self.machine;
        let plan = ENTRY.plan(&case.request).unwrap();
        let kernel = &plan.steps.last().unwrap().kernel;
        let legal = prepare(kernel, Target::C(dialect, facts), Optimise::Yes).unwrap();
        let text = prelude(dialect).to_string() + &write(&legal, dialect, "k").text;
        let code = self.compiler.compile(&text, arch).unwrap().code;
        let text = self.tool.run(&code).unwrap();
        text.lines().filter_map(self.instruction).collect()
    }
}

#[test]
fn each_pair_of_dtypes_has_its_own_instruction_of_gfx1201() {
    let Some(bench) = Bench::new("hip:gfx1201") else { return };
    for (pair, want) in SWMMAC {
        let found = bench.instructions(case_of(pair, "halves"));
        assert_eq!(found, BTreeSet::from([want.to_string()]), "{pair:?}");
    }
    assert_eq!(bench.instructions(case_of([I8; 2], "auto")), BTreeSet::new());
    // Rows over quads, and products with shared memory, are another maker's: a sequence here.
    assert_eq!(bench.instructions(case_of([I8; 2], "quads")), BTreeSet::new());
    assert_eq!(bench.instructions(case_of([I8; 2], "group")), BTreeSet::new());
}

#[test]
fn each_pair_of_dtypes_has_its_own_instruction_of_sm_90a() {
    let Some(bench) = Bench::new("cuda:sm_90a") else { return };
    for (pair, want) in WGMMA {
        let found = bench.instructions(case_of(pair, "group"));
        assert_eq!(found, BTreeSet::from([want.to_string()]), "{pair:?}");
    }
    assert_eq!(bench.instructions(case_of([F8E4M3; 2], "auto")), BTreeSet::new());
}
