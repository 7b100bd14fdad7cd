//! `evenweave test`.

use super::{Failure, opening, progress, write_json};
use crate::{
    args,
    judge::{self, Choice, MutantReport, Stop},
};
use evenweave::{LoadOptions, OpenOptions};
use serde_json::{Value, json};
use std::io::Write;

pub(super) fn run(args: &args::Test) -> Result<(), Failure> {
    let choice = Choice { filter: args.filter.clone(), dtype: args.dtype, case: args.case.clone() };
    let options = LoadOptions { sanitize: args.sanitize, ..LoadOptions::default() };
    let open = OpenOptions { validate: args.validate, ..opening() };
    let devices = match args.devices.is_empty() {
        // Only the CPU device can watch, and what the cases notice does not depend on the device.
        true if args.sanitize || args.mutate => vec!["cpu".to_string()],
        true => evenweave::devices().into_iter().map(|d| d.name).collect(),
        false => args.devices.clone(),
    };
    let cases = choice.cases();
    if cases.is_empty() {
        return Err(Failure::usage("no case matches"));
    }
    if args.mutate {
        return mutants(args, &choice, &devices, &open, options);
    }
    let stop = if args.fail_fast { Stop::AtFailure } else { Stop::AtEnd };
    let mut reports = Vec::new();
    for device in &devices {
        let bar = progress(device, cases.len() as u64);
        let report = judge::run(device, &open, options, &cases, stop, &bar);
        bar.finish_and_clear();
        let report = match report {
            Err(error) if args.devices.is_empty() && device != "cpu" => {
                // Nobody asked for it: a driver that is no good is not a fault of what is tested.
                eprintln!("{device} is not tested: {error}");
                continue;
            }
            report => report?,
        };
        judge::print(&mut anstream::stdout().lock(), &report)?;
        reports.push(report);
        if args.fail_fast && reports.iter().any(|r| r.failed()) {
            break;
        }
    }
    write_json(args.json.file.as_deref(), || judge::to_json(&reports))?;
    if reports.iter().any(|r| r.failed()) { Err(Failure::Check) } else { Ok(()) }
}

fn mutants(
    args: &args::Test,
    choice: &Choice,
    devices: &[String],
    open: &OpenOptions,
    options: LoadOptions,
) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    let (mut survived, mut all) = (false, Vec::new());
    for device in devices {
        let bar = progress("mutants", 0);
        let reports = judge::run_mutants(device, open, options, choice, &bar)?;
        bar.finish_and_clear();
        let alive: Vec<_> = reports.iter().filter(|r| r.caught_by.is_none()).collect();
        for r in &alive {
            let red = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
            let (kernel, damage) = (&r.kernel, r.mutant.damage.words());
            writeln!(
                out,
                "{red}SURVIVED{red:#} {}: no case notices that {kernel} {damage} `{}`",
                r.entry, r.param
            )?;
        }
        let caught = reports.len() - alive.len();
        writeln!(
            out,
            "{device}: {} mutants, {caught} caught, {} survived",
            reports.len(),
            alive.len()
        )?;
        survived |= !alive.is_empty() || reports.is_empty();
        all.push(json!({ "device": device, "mutants": mutants_json(&reports) }));
    }
    write_json(args.json.file.as_deref(), || json!({ "devices": all }))?;
    if survived { Err(Failure::Check) } else { Ok(()) }
}

fn mutants_json(reports: &[MutantReport]) -> Vec<Value> {
    let one = |r: &MutantReport| {
        json!({
            "operation": r.entry, "kernel": r.kernel, "param": r.param,
            "damage": r.mutant.damage.words(), "caught_by": r.caught_by,
        })
    };
    reports.iter().map(one).collect()
}
