//! A run's results as a table for people and as JSON for programs.

use super::suite::{CaseReport, DeviceReport};
use super::trial::Verdict;
use crate::colours::{BOLD, GREEN, RED, YELLOW};
use anstyle::Style;
use serde_json::{Value, json};
use std::{collections::BTreeMap, io, io::Write};

/// How many cases came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    pass: u64,
    known_hard: u64,
    mismatch: u64,
    unsupported: u64,
    error: u64,
    same: u64,
    cases: u64,
}

impl Totals {
    fn of<'a>(cases: impl IntoIterator<Item = &'a CaseReport>) -> Totals {
        let mut totals = Totals::default();
        for case in cases {
            *match case.verdict {
                Verdict::Pass => &mut totals.pass,
                Verdict::KnownHard { .. } => &mut totals.known_hard,
                Verdict::Mismatch(_) => &mut totals.mismatch,
                Verdict::Unsupported(_) => &mut totals.unsupported,
                Verdict::Error(_) => &mut totals.error,
            } += 1;
            totals.same += u64::from(case.same);
            totals.cases += 1;
        }
        totals
    }
}

const HEADS: [&str; 7] =
    ["CASES", "PASS", "KNOWN_HARD", "MISMATCH", "UNSUPPORTED", "ERROR", "SAME"];
const MOST_FAILURES: usize = 40;

/// Prints the table by family, the totals, and what failed.
pub(crate) fn print(out: &mut impl Write, report: &DeviceReport) -> io::Result<()> {
    let mut families: BTreeMap<&str, Vec<&CaseReport>> = BTreeMap::new();
    for case in &report.cases {
        families.entry(case.family).or_default().push(case);
    }
    let wide = families.keys().map(|f| f.len()).max().unwrap_or(0).max("family".len());
    write!(out, "{BOLD}{:<wide$}", report.device)?;
    for head in HEADS {
        write!(out, "  {head:>w$}", w = head.len().max(5))?;
    }
    writeln!(out, "   MAX ULP{BOLD:#}")?;
    for (family, cases) in &families {
        write!(out, "{family:<wide$}")?;
        print_row(out, Totals::of(cases.iter().copied()))?;
        let ulp = cases.iter().map(|c| c.spread.max_ulp).fold(0.0, f64::max);
        writeln!(out, "  {:>8}", format_ulp(ulp))?;
    }
    write!(out, "{BOLD}{:<wide$}{BOLD:#}", "total")?;
    print_row(out, Totals::of(&report.cases))?;
    writeln!(out, "  {:>7.1} s", report.seconds)?;
    print_failures(out, report)
}

fn print_row(out: &mut impl Write, t: Totals) -> io::Result<()> {
    let plain = Style::new();
    let cells = [
        (t.cases, plain),
        (t.pass, GREEN),
        (t.known_hard, YELLOW),
        (t.mismatch, RED),
        (t.unsupported, YELLOW),
        (t.error, RED),
        (t.same, plain),
    ];
    for (head, (count, style)) in HEADS.into_iter().zip(cells) {
        let style = if count == 0 { plain } else { style };
        write!(out, "  {style}{count:>w$}{style:#}", w = head.len().max(5))?;
    }
    Ok(())
}

fn format_ulp(ulp: f64) -> String {
    if ulp < 1e4 { format!("{ulp:.3}") } else { format!("{ulp:.1e}") }
}

fn print_failures(out: &mut impl Write, report: &DeviceReport) -> io::Result<()> {
    let bad: Vec<_> = report.cases.iter().filter(|c| c.verdict.is_failure()).collect();
    for case in bad.iter().take(MOST_FAILURES) {
        let detail = case.verdict.detail().unwrap_or_default();
        writeln!(out, "{RED}{}{RED:#} {}: {detail}", case.verdict.word(), case.id)?;
    }
    if bad.len() > MOST_FAILURES {
        writeln!(out, "... and {} more", bad.len() - MOST_FAILURES)?;
    }
    if let Some(first) = bad.first() {
        writeln!(out, "again: evenweave test --device {} --case {}", report.device, first.id)?;
    }
    Ok(())
}

/// The run as JSON.
pub(crate) fn to_json(reports: &[DeviceReport]) -> Value {
    let devices: Vec<Value> = reports
        .iter()
        .map(|report| {
            let t = Totals::of(&report.cases);
            let cases: Vec<Value> = report.cases.iter().map(case_json).collect();
            json!({
                "device": report.device,
                "totals": {
                    "pass": t.pass, "known_hard": t.known_hard, "mismatch": t.mismatch,
                    "unsupported": t.unsupported, "error": t.error, "same": t.same, "cases": t.cases,
                },
                "seconds": report.seconds,
                "cases": cases,
            })
        })
        .collect();
    json!({ "devices": devices })
}

fn case_json(case: &CaseReport) -> Value {
    let ulp = case.spread.max_ulp;
    let mut value = json!({
        "id": case.id,
        "kernel": case.kernel,
        "family": case.family,
        "dtype": case.dtype.name(),
        "verdict": case.verdict.word(),
        "max_ulp": if ulp.is_finite() { json!(ulp) } else { Value::Null },
        "same_bits": case.same,
    });
    if let Some(detail) = case.verdict.detail() {
        value["detail"] = detail.into();
    }
    value
}
