//! Machine code against what was written: no instruction may do more, or less exactly, than the kernel says.
//!
//! Invariants
//! - A rule names instructions and the operations that may lead to them. Where none of those is in the kernel, the
//!   instruction is the compiler's own idea: a contraction, or an approximation.
//! - Where a quotient or a root is in the kernel, the estimate that machines begin it with must be refined to the right bits.
//!
//! Absent: which instruction came of which operation. A kernel that has an operation hides a wrong one of the same kind: one
//! with `fma` hides contractions, one with `fma` or a right quotient may hide an estimate.

use super::kernels::Written;
use std::collections::BTreeMap;

/// The machine of a disassembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    Nvidia,
    Amd,
}

/// Instructions that a kernel may have only where something was written.
struct Rule {
    machine: Machine,
    /// How the instruction's name begins.
    begins: &'static [&'static str],
    allowed: fn(Written) -> bool,
    what: &'static str,
}

const fn rule(
    machine: Machine,
    begins: &'static [&'static str],
    allowed: fn(Written) -> bool,
    what: &'static str,
) -> Rule {
    Rule { machine, begins, allowed, what }
}

#[rustfmt::skip]
const RULES: &[Rule] = &[
    rule(Machine::Nvidia, &["FFMA", "DFMA"], |w| w.fma || w.root_or_quotient || w.wide_conversion || w.fast,
         "a product and a sum in one rounding"),
    rule(Machine::Nvidia, &["HADD2.F16", "HMUL2", "HFMA2.BF16"], |_| false, "16-bit arithmetic"),
    // The makers' own quotients and roots flush in steps where nothing subnormal comes.
    rule(Machine::Nvidia, &["FMUL.FTZ", "FADD.FTZ", "FFMA.FTZ", "FSETP.FTZ"], |w| w.root_or_quotient || w.fast,
         "arithmetic that flushes subnormals"),
    rule(Machine::Nvidia, &["MUFU.EX2", "MUFU.LG2"], |w| w.fast, "an approximate exponential or logarithm"),
    rule(Machine::Nvidia, &["MUFU.SIN", "MUFU.COS", "MUFU.TANH"], |_| false, "an approximate function"),
    rule(Machine::Nvidia, &["MUFU.RCP", "MUFU.RSQ", "MUFU.SQRT"], |w| w.root_or_quotient || w.int_quotient || w.fast,
         "an approximate reciprocal or root"),
    rule(Machine::Nvidia, &["HMMA", "IMMA", "QMMA", "DMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA"], |w| w.matrices,
         "a product of matrices"),
    rule(Machine::Amd, &["v_wmma", "v_swmmac", "v_mfma", "v_smfmac"], |w| w.matrices, "a product of matrices"),
    // An estimate of a quotient of integers, made exact afterwards.
    rule(Machine::Amd, &["v_mad_f32", "v_mac_f32", "v_madmk_f32", "v_madak_f32"], |w| w.int_quotient, "a product and a sum"),
    rule(Machine::Amd, &["v_fma_mix", "v_mad_mix", "v_mad_f16", "v_mac_f16", "v_mad_legacy", "v_pk_fma_f16", "v_fma_f16", "v_fmac_f16", "v_dot2_f", "v_dot2_bf", "v_dot2c_f",
         "v_dot4_f", "v_dual_dot2acc"], |_| false,
         "a product and a sum of mixed widths"),
    rule(Machine::Amd, &["v_fma_f", "v_fmac_f", "v_fmaak_f", "v_fmamk_f", "v_pk_fma_f32", "v_dual_fmac", "v_dual_fmaak", "v_dual_fmamk"],
         |w| w.fma || w.root_or_quotient || w.int_quotient || w.wide_conversion || w.fast, "a product and a sum in one rounding"),
    rule(Machine::Amd, &["v_exp_f", "v_log_f"], |w| w.fast, "an approximate exponential or logarithm"),
    rule(Machine::Amd, &["v_sin_f", "v_cos_f"], |_| false, "an approximate function"),
    rule(Machine::Amd, &["v_rcp_f", "v_rcp_iflag", "v_rsq_f", "v_sqrt_f", "v_s_rcp", "v_s_rsq", "v_s_sqrt"],
         |w| w.root_or_quotient || w.int_quotient || w.fast, "an approximate reciprocal or root"),
];

/// Estimates, each of which takes so many instructions of refinement at the least.
struct Refinement {
    machine: Machine,
    estimates: &'static [&'static str],
    by: &'static [&'static str],
    times: usize,
    what: &'static str,
}

#[rustfmt::skip]
const REFINEMENTS: &[Refinement] = &[
    Refinement { machine: Machine::Nvidia, estimates: &["MUFU.RCP", "MUFU.RSQ", "MUFU.SQRT"], by: &["FFMA", "DFMA"],
        times: 1, what: "an approximate quotient or root" },
    Refinement { machine: Machine::Amd, estimates: &["v_rcp_f32", "v_s_rcp_f32"], by: &["v_div_fixup_f32"],
        times: 1, what: "an approximate quotient" },
    Refinement { machine: Machine::Amd, estimates: &["v_rcp_f64"], by: &["v_div_fixup_f64"],
        times: 1, what: "an approximate quotient" },
    Refinement { machine: Machine::Amd, estimates: &["v_sqrt_f32", "v_s_sqrt_f32", "v_rsq_f32", "v_s_rsq_f32"],
        by: &["v_fma_f32", "v_fmac_f32", "v_fmaak_f32", "v_fmamk_f32", "v_dual_fma", "v_pk_fma_f32"],
        times: 2, what: "an approximate root" },
    Refinement { machine: Machine::Amd, estimates: &["v_sqrt_f64", "v_rsq_f64"], by: &["v_fma_f64", "v_fmac_f64"],
        times: 2, what: "an approximate root" },
];

/// An instruction that nothing in the kernel asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) kernel: String,
    pub(crate) instruction: String,
    pub(crate) what: &'static str,
}

/// The findings in a disassembly, by the entries' names; each instruction once a kernel. An entry that the disassembly
/// lacks is an error: what is not there cannot be judged.
pub(crate) fn scan(
    machine: Machine,
    disassembly: &str,
    entries: &BTreeMap<&str, Written>,
) -> Result<Vec<Finding>, String> {
    let functions = functions(machine, disassembly);
    let mut findings = Vec::new();
    for (&entry, &written) in entries {
        let Some(body) = functions.get(entry).filter(|body| !body.is_empty()) else {
            return Err(format!("the disassembly has no instructions of `{entry}`"));
        };
        let mut seen: Vec<&str> = Vec::new();
        for &name in body {
            let broken = RULES.iter().find(|rule| {
                rule.machine == machine
                    && rule.begins.iter().any(|b| name.starts_with(b))
                    && !(rule.allowed)(written)
            });
            if let Some(rule) = broken.filter(|_| !seen.contains(&name)) {
                seen.push(name);
                let (kernel, instruction) = (entry.into(), name.into());
                findings.push(Finding { kernel, instruction, what: rule.what });
            }
        }
        findings.extend(unrefined(machine, entry, body, written));
    }
    Ok(findings)
}

/// Estimates that are left as they are. Quotients of integers are refined by other means.
fn unrefined(machine: Machine, entry: &str, body: &[&str], written: Written) -> Vec<Finding> {
    if !written.root_or_quotient || written.int_quotient || written.fast {
        return Vec::new();
    }
    let is = |name: &str, begins: &[&str]| begins.iter().any(|b| name.starts_with(b));
    let mut findings = Vec::new();
    for rule in REFINEMENTS.iter().filter(|rule| rule.machine == machine) {
        let estimates: Vec<&str> =
            body.iter().copied().filter(|name| is(name, rule.estimates)).collect();
        // A packed one is two.
        let refines = |name: &&str| match is(name, rule.by) {
            true => 1 + usize::from(name.starts_with("v_pk_")),
            false => 0,
        };
        let refined: usize = body.iter().map(refines).sum();
        if let Some(first) = estimates.first().filter(|_| refined < rule.times * estimates.len()) {
            let (kernel, instruction) = (entry.into(), (*first).into());
            findings.push(Finding { kernel, instruction, what: rule.what });
        }
    }
    findings
}

/// The instructions' names of each function.
fn functions(machine: Machine, disassembly: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut current = None;
    for line in disassembly.lines() {
        let line = line.trim();
        match machine {
            Machine::Nvidia => {
                if let Some(name) = line.strip_prefix(".text.").and_then(|l| l.strip_suffix(':')) {
                    current = Some(name);
                } else if let (Some(function), Some((_, rest))) = (current, line.split_once("*/"))
                    && line.starts_with("/*")
                    && let Some(name) = rest.split_whitespace().find(|w| !w.starts_with('@'))
                {
                    all.entry(function).or_default().push(name.trim_end_matches(';'));
                }
            }
            Machine::Amd => {
                if let Some((_, name)) = line.split_once('<').filter(|_| line.ends_with(">:")) {
                    current = Some(name.trim_end_matches(">:"));
                } else if let (Some(function), Some(name)) =
                    (current, line.split_whitespace().next())
                {
                    // Two operations that go together stand on one line.
                    for name in std::iter::once(name)
                        .chain(line.split("::").skip(1).filter_map(|l| l.split_whitespace().next()))
                    {
                        all.entry(function).or_default().push(name);
                    }
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Written = Written {
        fma: false,
        root_or_quotient: false,
        int_quotient: false,
        wide_conversion: false,
        fast: false,
        matrices: false,
    };

    #[test]
    fn what_nobody_wrote_is_found_on_nvidia() {
        let text = "\t.section\t.text.k0,\"ax\"\n.text.k0:\n        /*0000*/                   LDC R1, c[0x0][0x28] ;\n\
                    \x20       /*0010*/              @!P0 FFMA R2, R2, R3, R4 ;\n        /*0020*/  FADD R2, R2, R3 ;\n\
                    .text.k1:\n        /*0000*/  MUFU.RCP R2, R3 ;\n";
        let entries = BTreeMap::from([("k0", NONE), ("k1", NONE)]);
        let found = scan(Machine::Nvidia, text, &entries).unwrap();
        let names: Vec<_> = found.iter().map(|f| (&*f.kernel, &*f.instruction)).collect();
        assert_eq!(names, [("k0", "FFMA"), ("k1", "MUFU.RCP")]);
        let with = Written { fma: true, int_quotient: true, ..NONE };
        let entries = BTreeMap::from([("k0", with), ("k1", with)]);
        assert!(scan(Machine::Nvidia, text, &entries).unwrap().is_empty());
    }

    #[test]
    fn what_nobody_wrote_is_found_on_amd() {
        let text = "0000000000001900 <k0>:\n\tv_fma_mixlo_f16 v0, v1, v2, 0  // 000000001900: CC210000\n\
                    \ts_endpgm\n0000000000001a00 <k1>:\n\tv_dual_mul_f32 v0, v1, v2 :: v_dual_fmac_f32 v3, v4, v5 // 00\n";
        let entries = BTreeMap::from([("k0", Written { fma: true, ..NONE }), ("k1", NONE)]);
        let found = scan(Machine::Amd, text, &entries).unwrap();
        let names: Vec<_> = found.iter().map(|f| (&*f.kernel, &*f.instruction)).collect();
        assert_eq!(names, [("k0", "v_fma_mixlo_f16"), ("k1", "v_dual_fmac_f32")]);
    }

    #[test]
    fn a_kernel_without_instructions_is_no_success() {
        let entries = BTreeMap::from([("k7", NONE)]);
        assert!(scan(Machine::Amd, "<k0>:\n\ts_endpgm\n", &entries).unwrap_err().contains("k7"));
    }
}
