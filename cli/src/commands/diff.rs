//! `evenweave diff`: of two attestations, and of two files of speeds.
//!
//! Invariants
//! - Files of two kinds are not compared, nor what is of no kind.

use super::{Failure, diff_speeds};
use crate::{
    args,
    attest::{Attestation, CaseRecord, DeviceRecord},
    speeds::Speeds,
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

/// What a file of `--json` holds.
enum Report {
    Attested(Attestation),
    Measured(Speeds),
}

impl Report {
    fn words(&self) -> &'static str {
        match self {
            Report::Attested(_) => "an attestation of `doctor`",
            Report::Measured(_) => "a file of `bench --json`",
        }
    }
}

pub(super) fn run(args: &args::Diff) -> Result<(), Failure> {
    let differs = match (read(&args.a)?, read(&args.b)?) {
        (Report::Attested(a), Report::Attested(b)) => attested(&a, &b)?,
        (Report::Measured(a), Report::Measured(b)) => {
            let mut out = anstream::stdout().lock();
            diff_speeds::compare(&mut out, (&args.a, &a), (&args.b, &b))?
                .ok_or_else(|| Failure::usage("the files have no bench in common"))?
        }
        (a @ Report::Attested(_), b @ Report::Measured(_))
        | (a @ Report::Measured(_), b @ Report::Attested(_)) => {
            let (first, second) = (args.a.display(), args.b.display());
            let (a, b) = (a.words(), b.words());
            return Err(Failure::usage(format!(
                "{first} is {a}, but {second} {b}: two of one kind are compared"
            )));
        }
    };
    if differs { Err(Failure::Check) } else { Ok(()) }
}

/// Says in what two attestations differ; whether results do.
fn attested(a: &Attestation, b: &Attestation) -> Result<bool, Failure> {
    let pairs = pair(a, b);
    if pairs.is_empty() {
        return Err(Failure::usage("the files have no device in common, and not one each"));
    }
    let mut out = anstream::stdout().lock();
    let mut differs = false;
    for (record, which) in alone(&pairs, a, b) {
        differs = true;
        writeln!(out, "{}: the {which} alone", record.device)?;
    }
    for (a, b) in pairs {
        differs |= compare(&mut out, a, b)?;
    }
    Ok(differs)
}

fn read(path: &Path) -> Result<Report, Failure> {
    let wrong = |what: String| Failure::usage(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let neither = |why: &str| {
        wrong(format!("neither an attestation of `doctor` nor a file of `bench --json`: {why}"))
    };
    let value: Value = serde_json::from_str(&text).map_err(|e| neither(&e.to_string()))?;
    if value.get("tool").is_some() {
        return Ok(Report::Attested(attestation(&text).map_err(wrong)?));
    }
    if value.get("benches").is_some() {
        return Ok(Report::Measured(Speeds::parse(&text).map_err(wrong)?));
    }
    Err(neither("it has neither `tool` nor `benches`"))
}

fn attestation(text: &str) -> Result<Attestation, String> {
    let read: Attestation =
        serde_json::from_str(text).map_err(|e| format!("no attestation of `doctor`: {e}"))?;
    if let Some(device) = read.devices.iter().find(|d| !d.is_whole()) {
        return Err(format!("the bits of {} are not those of its cases", device.device));
    }
    match read.tool == "evenweave" {
        true => Ok(read),
        false => Err(format!("no attestation of `doctor`: it is of `{}`", read.tool)),
    }
}

/// The devices that the other file has none for.
fn alone<'a>(
    pairs: &[(&DeviceRecord, &DeviceRecord)],
    a: &'a Attestation,
    b: &'a Attestation,
) -> Vec<(&'a DeviceRecord, &'static str)> {
    let is_paired =
        |x: &DeviceRecord| pairs.iter().any(|&(a, b)| std::ptr::eq(a, x) || std::ptr::eq(b, x));
    let of = |file: &'a Attestation, which| {
        file.devices.iter().filter(|x| !is_paired(x)).map(move |x| (x, which))
    };
    of(a, "first").chain(of(b, "second")).collect()
}

/// Devices of one name, or the only two.
fn pair<'a>(a: &'a Attestation, b: &'a Attestation) -> Vec<(&'a DeviceRecord, &'a DeviceRecord)> {
    if let ([a], [b]) = (&a.devices[..], &b.devices[..]) {
        return vec![(a, b)];
    }
    let twin =
        |x: &'a DeviceRecord| b.devices.iter().find(|y| y.device == x.device).map(|y| (x, y));
    a.devices.iter().filter_map(twin).collect()
}

/// Says what differs; whether results do.
pub(crate) fn compare(out: &mut dyn Write, a: &DeviceRecord, b: &DeviceRecord) -> io::Result<bool> {
    writeln!(out, "{} ({}) and {} ({})", a.device, a.description, b.device, b.description)?;
    let facts: BTreeMap<&str, bool> = b.facts.iter().map(|f| (&*f.fact, f.holds)).collect();
    for fact in &a.facts {
        if let Some(&other) = facts.get(&*fact.fact)
            && other != fact.holds
        {
            let which = if fact.holds { "first" } else { "second" };
            writeln!(out, "  {} holds for the {which} alone", fact.fact)?;
        }
    }
    let mut differs = a.refused.is_some() != b.refused.is_some();
    for record in [a, b] {
        if let Some(why) = &record.refused {
            writeln!(out, "  {} was not examined: {why}", record.device)?;
        }
    }
    if a.totals != b.totals {
        writeln!(out, "  totals: {:?} and {:?}", a.totals, b.totals)?;
    }
    let cases = |r: &'_ DeviceRecord| -> BTreeMap<String, CaseRecord> {
        r.cases.iter().map(|c| (c.id.clone(), c.clone())).collect()
    };
    let (left, right) = (cases(a), cases(b));
    for (id, x) in &left {
        match right.get(id) {
            Some(y) if x.bits == y.bits => {}
            Some(y) => {
                differs = true;
                writeln!(out, "  {id}: {} and {}", shown(x), shown(y))?;
            }
            None => {
                differs = true;
                writeln!(out, "  {id}: the first alone")?;
            }
        }
    }
    for id in right.keys().filter(|id| !left.contains_key(*id)) {
        differs = true;
        writeln!(out, "  {id}: the second alone")?;
    }
    let same = if differs { "results differ" } else { "results are the same" };
    writeln!(out, "{same}: {} and {} cases", left.len(), right.len())?;
    Ok(differs)
}

fn shown(case: &CaseRecord) -> String {
    format!("{} {}", case.verdict, case.bits.as_deref().unwrap_or("without bits"))
}
