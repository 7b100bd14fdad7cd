//! `evenweave audit`.

use super::{Failure, distinct, libraries, progress, write_json};
use crate::{
    args,
    audit::{Places, Report, audit, stage},
    colours::RED,
    judge::Choice,
};
use serde_json::{Value, json};
use std::io::Write;

pub(super) fn run(args: &args::Audit) -> Result<(), Failure> {
    distinct("--target", &args.targets)?;
    let choice = Choice { filter: args.filter.clone(), ..Choice::default() };
    let cases = choice.cases();
    if cases.is_empty() {
        return Err(Failure::Usage(choice.nothing()));
    }
    if let Some(folder) = args.keep.as_ref().filter(|f| !f.is_dir()) {
        return Err(Failure::usage(format!("{} is no folder", folder.display())));
    }
    let places = Places { libraries: libraries(), keep: args.keep.clone() };
    let mut out = anstream::stdout().lock();
    let mut reports = Vec::new();
    let kernels = stage(&cases);
    for target in &args.targets {
        let bar = progress(target, 0);
        let report = audit(target, &kernels, &places, &bar);
        bar.finish_and_clear();
        let report = report.map_err(Failure::usage)?;
        print(&mut out, &report)?;
        reports.push(report);
    }
    write_json(args.json.file.as_deref(), || {
        json!(reports.iter().map(to_json).collect::<Vec<_>>())
    })?;
    if reports.iter().any(|r| !r.wrong.is_empty()) { Err(Failure::Check) } else { Ok(()) }
}

fn print(out: &mut dyn Write, report: &Report) -> Result<(), Failure> {
    for (kernel, why) in &report.wrong {
        writeln!(out, "{RED}WRONG{RED:#} {}: {kernel} {why}", report.target)?;
    }
    for (kernel, why) in &report.refused {
        writeln!(out, "refused by {}: {kernel}: {why}", report.target)?;
    }
    writeln!(
        out,
        "{}: {} kernels by {}, {} refused, {} with spills, {} wrong, {:.1} s",
        report.target,
        report.kernels,
        report.compiler,
        report.refused.len(),
        report.spills.len(),
        report.wrong.len(),
        report.seconds,
    )?;
    Ok(())
}

fn to_json(report: &Report) -> Value {
    let wrong = |(kernel, why): &(String, String)| json!({ "kernel": kernel, "why": why });
    json!({
        "target": report.target, "compiler": report.compiler, "kernels": report.kernels,
        "refused": report.refused, "spill_bytes": report.spills,
        "wrong": report.wrong.iter().map(wrong).collect::<Vec<_>>(), "seconds": report.seconds,
    })
}
