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

/// The matrix instructions of a line, without registers.
fn instruction(line: &str) -> Option<String> {
    let code = line.split("//").next()?.trim();
    let (name, operands) = code.split_once(' ')?;
    if !name.starts_with("v_swmmac") && !name.starts_with("v_wmma") {
        return None;
    }
    // Which half of the register of places is read changes with the step.
    let more = operands.split_whitespace().filter(|word| word.starts_with("neg_lo"));
    Some(std::iter::once(name).chain(more).collect::<Vec<_>>().join(" "))
}

#[test]
fn each_pair_of_dtypes_has_its_own_instruction_of_gfx1201() {
    let compiler = Compiler::clang().map_err(|e| e.to_string());
    let tools = compiler.and_then(|c| Ok((c, Disassembler::find(Machine::Amd, &[])?)));
    let (compiler, tool) = match tools {
        Ok(tools) => tools,
        Err(error) => {
            let required =
                std::env::var_os("EVENWEAVE_REQUIRE_COMPILERS").is_some_and(|v| v == "1");
            assert!(!required, "a compiler is required: {error}");
            eprintln!("skipped: {error}");
            return;
        }
    };
    let targets::Machine { dialect, facts, arch } = targets::Machine::parse("hip:gfx1201").unwrap();
    let instructions = |case: Case| -> BTreeSet<String> {
        let plan = ENTRY.plan(&case.request).unwrap();
        let kernel = &plan.steps.last().unwrap().kernel;
        let legal = prepare(kernel, Target::C(dialect, facts), Optimise::Yes).unwrap();
        let text = prelude(dialect).to_string() + &write(&legal, dialect, "k").text;
        let code = compiler.compile(&text, arch).unwrap().code;
        tool.run(&code).unwrap().lines().filter_map(instruction).collect()
    };
    for (pair, want) in SWMMAC {
        let found = instructions(case_of(pair, "halves"));
        assert_eq!(found, BTreeSet::from([want.to_string()]), "{pair:?}");
    }
    assert_eq!(instructions(case_of([I8; 2], "auto")), BTreeSet::new());
    // Rows over quads are another maker's: a sequence here.
    assert_eq!(instructions(case_of([I8; 2], "quads")), BTreeSet::new());
}
