//! `evenweave test`.

use super::{Failure, distinct, opening, progress, write_json};
use crate::{
    args,
    colours::RED,
    judge::{self, Choice, MutantReport, Stop},
};
use evenweave::{EMULATED, LoadOptions, OpenOptions};
use serde_json::{Value, json};
use std::{collections::BTreeSet, io::Write};

pub(super) fn run(args: &args::Test) -> Result<(), Failure> {
    distinct("--device", &args.devices)?;
    let choice = Choice { filter: args.filter.clone(), dtype: args.dtype, case: args.case.clone() };
    let options = LoadOptions { sanitize: args.sanitize, ..LoadOptions::default() };
    let open = OpenOptions { validate: args.validate, ..opening() };
    let mut cases = choice.cases();
    if args.one_each {
        let mut seen = BTreeSet::new();
        cases.retain(|(entry, case)| !case.empty && seen.insert((entry.name, case.dtype.name())));
    }
    if cases.is_empty() {
        return Err(Failure::Usage(choice.nothing()));
    }
    let devices = devices(args)?;
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

/// The devices that are asked for, or all that can do what is asked.
fn devices(args: &args::Test) -> Result<Vec<String>, Failure> {
    let has_layer = |name: &str| name.split(':').next() == Some("vulkan");
    for name in &args.devices {
        if args.sanitize && name != "cpu" {
            let text = format!("--sanitize watches on the CPU device alone, not on {name}");
            return Err(Failure::Usage(text));
        }
        if args.validate && !has_layer(name) {
            let text =
                format!("--validate is for devices of Vulkan: {name} has no validation layer");
            return Err(Failure::Usage(text));
        }
    }
    let all = || evenweave::devices().into_iter().map(|d| d.name);
    let devices: Vec<String> = match args.devices.is_empty() {
        false => args.devices.clone(),
        true if args.validate => all().filter(|name| has_layer(name)).collect(),
        // Only the CPU device can watch, and what the cases notice does not depend on the device.
        true if args.sanitize || args.mutate => vec!["cpu".to_string()],
        true => usual(),
    };
    match devices.is_empty() {
        true => Err(Failure::usage("--validate is for devices of Vulkan, and there is none here")),
        false => Ok(devices),
    }
}

/// The devices that are tested where none is named: all but the emulated one, which takes its time.
fn usual() -> Vec<String> {
    let (emulated, usual): (Vec<_>, Vec<_>) =
        evenweave::devices().into_iter().map(|d| d.name).partition(|name| name == EMULATED);
    for name in emulated {
        eprintln!("{name} is not tested unless it is named: --device {name}");
    }
    usual
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
            let (kernel, damage) = (&r.kernel, r.mutant.damage.words());
            writeln!(
                out,
                "{RED}SURVIVED{RED:#} {}: no case notices that {kernel} {damage} {}",
                r.entry, r.place
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
            "operation": r.entry, "kernel": r.kernel, "place": r.place,
            "damage": r.mutant.damage.words(), "caught_by": r.caught_by,
        })
    };
    reports.iter().map(one).collect()
}
