//! `evenweave diff`.

use super::Failure;
use crate::{
    args,
    attest::{Attestation, CaseRecord, DeviceRecord},
};
use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

pub(super) fn run(args: &args::Diff) -> Result<(), Failure> {
    let (a, b) = (read(&args.a)?, read(&args.b)?);
    let pairs = pair(&a, &b);
    if pairs.is_empty() {
        return Err(Failure::usage("the files have no device in common, and not one each"));
    }
    let mut out = anstream::stdout().lock();
    let mut differs = false;
    for (record, which) in alone(&pairs, &a, &b) {
        differs = true;
        writeln!(out, "{}: the {which} alone", record.device)?;
    }
    for (a, b) in pairs {
        differs |= compare(&mut out, a, b)?;
    }
    if differs { Err(Failure::Check) } else { Ok(()) }
}

fn read(path: &Path) -> Result<Attestation, Failure> {
    let wrong = |what: String| Failure::usage(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let read: Attestation = serde_json::from_str(&text)
        .map_err(|e| wrong(format!("no attestation of `doctor`: {e}")))?;
    if let Some(device) = read.devices.iter().find(|d| !d.is_whole()) {
        return Err(wrong(format!("the bits of {} are not those of its cases", device.device)));
    }
    match read.tool == "evenweave" {
        true => Ok(read),
        false => Err(wrong(format!("no attestation of `doctor`: it is of `{}`", read.tool))),
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
