//! `evenweave bench`.

use super::{Failure, opening, progress, write_json};
use crate::{
    args,
    judge::{
        Choice,
        trial::{Trial, id},
    },
};
use evenweave::{Device, LoadOptions};
use evenweave_kernels::{
    case::Bench,
    entry::{Entry, TensorDesc},
};
use serde_json::json;
use std::{collections::BTreeMap, io::Write, time::Instant};

/// What one bench came to.
struct Line {
    id: String,
    verdict: &'static str,
    detail: Option<String>,
    seconds: f64,
    gb_per_s: f64,
    gflop_per_s: f64,
}

pub(super) fn run(args: &args::Bench) -> Result<(), Failure> {
    if args.enqueue {
        return super::enqueue::run(args);
    }
    let choice = Choice { filter: args.filter.clone(), ..Choice::default() };
    let benches: Vec<(&Entry, Bench)> = choice
        .entries()
        .into_iter()
        .flat_map(|entry| (entry.bench)(entry).into_iter().map(move |b| (entry, b)))
        .collect();
    if benches.is_empty() {
        return Err(Failure::usage("no bench has that name"));
    }
    let device = Device::open_with(&args.device, &opening(), LoadOptions::default())?;
    let bar = progress("bench", benches.len() as u64);
    let mut lines = Vec::new();
    for (entry, bench) in benches {
        lines.push(measure(&device, entry, bench, args.seconds)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    print(&lines)?;
    write_json(args.json.file.as_deref(), || {
        let all = lines.iter().map(|l| {
            json!({
                "id": l.id, "verdict": l.verdict, "detail": l.detail, "seconds": l.seconds,
                "gb_per_s": l.gb_per_s, "gflop_per_s": l.gflop_per_s,
            })
        });
        json!({ "device": args.device, "benches": all.collect::<Vec<_>>() })
    })?;
    if lines.iter().all(|l| l.verdict == "PASS") { Ok(()) } else { Err(Failure::Check) }
}

/// Checks the result once, then takes the least time of several runs: what disturbs only adds.
fn measure(
    device: &Device,
    entry: &'static Entry,
    bench: Bench,
    seconds: f64,
) -> Result<Line, Failure> {
    let (bytes, flops, id) = (bench.bytes, bench.flops, id(entry, &bench.case));
    let trial = Trial::of_case(entry, bench.case).map_err(Failure::Usage)?;
    let verdict = trial.run(device).verdict;
    let mut inputs = BTreeMap::new();
    for (name, desc) in &trial.case.request.inputs {
        let elems =
            TensorDesc::new(desc.dtype, &[]).elems().max(desc.layout.span_elems().unwrap_or(0));
        let memory = device.raw().alloc(desc.dtype, elems).map_err(evenweave::Error::from)?;
        let bytes = trial.case.inputs[name].memory(desc);
        device.raw().write(&memory, &bytes).map_err(evenweave::Error::from)?;
        inputs.insert(name.clone(), memory);
    }
    let prepared = device.prepare(trial.plan)?;
    let workspace = device.workspace(prepared.plan())?;
    let begun = Instant::now();
    let mut best = f64::INFINITY;
    let mut runs = 0;
    while runs < 3 || begun.elapsed().as_secs_f64() < seconds {
        let mut outcome = Ok(());
        let mut work = || {
            outcome = device.execute(&prepared, &inputs, &workspace);
            Ok(())
        };
        let taken_ns = device.raw().time(&mut work).map_err(evenweave::Error::from)?;
        outcome?;
        best = best.min(taken_ns as f64 / 1e9);
        runs += 1;
    }
    Ok(Line {
        id,
        verdict: verdict.word(),
        detail: verdict.detail(),
        seconds: best,
        gb_per_s: bytes as f64 / best / 1e9,
        gflop_per_s: flops as f64 / best / 1e9,
    })
}

fn print(lines: &[Line]) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    let bold = anstyle::Style::new().bold();
    let wide = lines.iter().map(|l| l.id.len()).max().unwrap_or(0).max("bench".len());
    writeln!(
        out,
        "{bold}{:<wide$}  {:>10}  {:>8}  {:>8}  check{bold:#}",
        "bench", "ms", "GB/s", "GFLOP/s"
    )?;
    for l in lines {
        let flops = if l.gflop_per_s > 0.0 { format!("{:.3}", l.gflop_per_s) } else { "-".into() };
        let detail = l.detail.as_ref().map_or(String::new(), |d| format!(" {d}"));
        writeln!(
            out,
            "{:<wide$}  {:>10.3}  {:>8.3}  {flops:>8}  {}{detail}",
            l.id,
            l.seconds * 1e3,
            l.gb_per_s,
            l.verdict
        )?;
    }
    Ok(())
}
