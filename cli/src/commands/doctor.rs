//! `evenweave doctor`.

use super::{Failure, distinct, opening, progress, write_json};
use crate::{
    args,
    attest::{self, Attestation, DeviceRecord},
    colours::{BOLD, GREEN, RED, YELLOW},
};
use evenweave::{Device, LoadOptions};
use evenweave_codegen::Fact;
use serde_json::json;
use std::io::{self, Write};

pub(super) fn run(args: &args::Doctor) -> Result<(), Failure> {
    distinct("--device", &args.devices)?;
    let known = evenweave::devices();
    let names = match args.devices.is_empty() {
        true => known.iter().map(|d| d.name.clone()).collect(),
        false => args.devices.clone(),
    };
    let slice = attest::slice();
    let mut out = anstream::stdout().lock();
    let mut records = Vec::new();
    for name in &names {
        let record = match Device::open_with(name, &opening(), LoadOptions::default()) {
            Ok(device) => {
                let bar = progress(name, 1 + slice.len() as u64);
                let record = attest::examine(&device, &slice, &bar);
                bar.finish_and_clear();
                record
            }
            Err(error) => {
                if !args.devices.is_empty() && !known.iter().any(|d| d.name == *name) {
                    return Err(error.into());
                }
                DeviceRecord::unopened(name, known.iter().find(|d| d.name == *name), &error)
            }
        };
        print(&mut out, &record)?;
        records.push(record);
    }
    let bad = records.iter().any(|r| !r.is_right());
    let attestation = Attestation::of(records);
    write_json(args.json.file.as_deref(), || json!(attestation))?;
    if bad { Err(Failure::Check) } else { Ok(()) }
}

/// Prints what is known of a device, and ends with the verdict.
pub(crate) fn print(out: &mut dyn Write, record: &DeviceRecord) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}  {}", record.device, record.description)?;
    writeln!(out, "  {}, {} {}", record.api, record.driver, record.driver_version)?;
    for (what, is) in &record.limits {
        writeln!(out, "  {what}: {is}")?;
    }
    for row in &record.facts {
        let Some(fact) = Fact::parse(&row.fact) else { continue };
        match &row.witness {
            None => writeln!(out, "  {:<15} {}", fact.name(), fact.holds())?,
            Some(witness) => {
                let name = fact.name();
                writeln!(
                    out,
                    "  {YELLOW}{name:<15}{YELLOW:#} does not hold: {}",
                    fact.otherwise()
                )?;
                writeln!(out, "  {:<15} {witness}", "")?;
            }
        }
    }
    for case in record.cases.iter().filter(|c| c.detail.is_some()).take(10) {
        let detail = case.detail.as_deref().unwrap_or_default();
        writeln!(out, "  {} {}: {detail}", case.verdict, case.id)?;
    }
    let style = if record.is_right() { GREEN.bold() } else { RED };
    writeln!(out, "{style}{}{style:#}", record.verdict())
}
