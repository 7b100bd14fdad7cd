//! `evenweave bench`.
//!
//! Invariants
//! - A result is checked against the reference before it is timed, and what the timed launches leave in poisoned outputs is
//!   compared with it afterwards: a launch that does nothing is not fast, it is wrong.
//! - On a device a bench is timed by the device's clock, over a recording of several launches on memory of their own, so that no
//!   input is still in a cache; the median of the rounds counts. On the CPU device the least counts: what disturbs only adds.
//! - The device's own copy is timed in the same run; memory-bound results stand beside it.

use super::{Failure, opening, progress, write_json};
use crate::{
    args,
    colours::BOLD,
    judge::{
        Choice,
        trial::{Trial, id},
    },
    speeds::{Speed, Speeds},
};
use evenweave::{Device, LoadOptions, OpenOptions, Prepared, Workspace};
use evenweave_kernels::{
    case::{Bench, Case, Scale},
    entry::{Entry, Request, TensorDesc},
    plan::Plan,
    sparse::gemm_sparse24::for_device,
};
use evenweave_lang::{dtype::DType, prelude::*};
use evenweave_runtime::{DeviceError, Launch, LaunchArg, Memory};
use rayon::prelude::*;
use serde_json::json;
use std::{
    collections::BTreeMap,
    io::Write,
    time::{Duration, Instant},
};

/// More than any device keeps of its memory in a cache.
const PAST_CACHES_BYTES: u64 = 256 << 20;
/// Sets of memory of a bench, at most.
const MOST_SETS: u64 = 16;
/// Elements of the copy that others are compared with.
const COPY_ELEMS: u32 = 1 << 28;
/// Benches whose references are computed at once.
const AT_ONCE: usize = 8;
/// Byte that outputs hold before they are timed.
const POISON: u8 = 0xa5;

/// What one bench came to.
struct Line {
    id: String,
    verdict: &'static str,
    detail: Option<String>,
    seconds: f64,
    gb_per_s: f64,
    gflop_per_s: f64,
    /// Whether it is large enough to be held against the copy.
    is_large: bool,
}

pub(super) fn run(args: &args::Bench) -> Result<(), Failure> {
    if args.enqueue {
        return super::enqueue::run(args);
    }
    let baseline = args.baseline.as_deref().map(|path| {
        Speeds::read(path).map_err(|why| Failure::usage(format!("{}: {why}", path.display())))
    });
    let baseline = baseline.transpose()?;
    let device = Device::open_with(&args.device, &opening(), LoadOptions::default())?;
    let is_large = args.large || !device.info().software;
    let wanted = if is_large { Scale::Device } else { Scale::Host };
    let choice = Choice { filter: args.filter.clone(), ..Choice::default() };
    let mut benches: Vec<(&'static Entry, Bench)> = Vec::new();
    for entry in choice.entries() {
        let all = (entry.bench)(entry);
        let has = all.iter().any(|b| b.scale == wanted);
        let fits = |b: &Bench| !has || b.scale == wanted;
        benches.extend(all.into_iter().filter(fits).map(|b| (entry, b)));
    }
    if args.large {
        benches.retain(|(_, b)| b.scale == Scale::Device);
    }
    if benches.is_empty() {
        let size = if args.large { "large " } else { "" };
        return Err(Failure::Usage(match &choice.entries()[..] {
            [] => choice.nothing(),
            [entry] => format!("{} has no {size}bench", entry.name),
            [_, ..] => format!("these operations have no {size}bench"),
        }));
    }
    let law = Device::open_with("cpu", &OpenOptions::default(), LoadOptions::default())?;
    let copy = match device.info().software {
        true => None,
        false => Some(copy_gb_per_s(&device, args.seconds).map_err(evenweave::Error::from)?),
    };
    let bar = progress("bench", benches.len() as u64);
    let mut lines = Vec::new();
    // References of large benches take long: several at a time are computed and checked, and then timed one by one.
    for some in benches.chunks(AT_ONCE) {
        let checked: Vec<Checked> = some
            .par_iter()
            .map(|(entry, bench)| Checked::of(&device, &law, entry, bench.clone()))
            .collect::<Result<_, _>>()?;
        for one in checked {
            lines.push(measure(&device, one, args.seconds)?);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    print(&lines, copy, baseline.as_ref())?;
    write_json(args.json.file.as_deref(), || json!(speeds(args, &lines, copy)))?;
    if lines.iter().all(|l| l.verdict == "PASS") { Ok(()) } else { Err(Failure::Check) }
}

/// One copy, whole vectors where the launch is a multiple of them.
#[kernel(group = 256, grid = n.div_ceil(1024))]
fn copy(#[len(n)] x: &In<u32>, #[len(n)] y: &mut Out<u32>, n: u32) {
    let first = global_id() * 4;
    if first < n {
        for i in 0..4 {
            y[first + i] = x[first + i];
        }
    }
}

/// The device's copy bandwidth: bytes read and written.
fn copy_gb_per_s(device: &Device, seconds: f64) -> Result<f64, DeviceError> {
    let raw = device.raw();
    let program = raw.load(&copy().expect("the kernel stages"), device.options())?;
    let (x, y) =
        (raw.alloc(DType::U32, COPY_ELEMS.into())?, raw.alloc(DType::U32, COPY_ELEMS.into())?);
    raw.fill(&x, POISON)?;
    raw.fill(&y, 0)?;
    let args = vec![
        LaunchArg::Buffer(&x),
        LaunchArg::Buffer(&y),
        LaunchArg::Scalar(DType::U32, COPY_ELEMS.into()),
    ];
    let recording = raw.record(&[Launch { program: &program, args }])?;
    let taken = rounds(seconds, || raw.time(&mut || raw.replay(&recording)))?;
    if raw.read(&y)?.iter().any(|&byte| byte != POISON) {
        let (device, what) = (device.info().name.clone(), "copy that copies".into());
        return Err(DeviceError::Missing { device, what });
    }
    Ok(8.0 * f64::from(COPY_ELEMS) / median(taken))
}

/// Nanoseconds of several rounds.
fn rounds(
    seconds: f64,
    mut round: impl FnMut() -> Result<u64, DeviceError>,
) -> Result<Vec<u64>, DeviceError> {
    round()?;
    let begun = Instant::now();
    let mut all = Vec::new();
    while all.len() < 5 || begun.elapsed() < Duration::from_secs_f64(seconds) {
        all.push(round()?);
    }
    Ok(all)
}

fn median(mut all: Vec<u64>) -> f64 {
    all.sort_unstable();
    all[all.len() / 2] as f64
}

/// A bench whose result was checked.
struct Checked {
    id: String,
    plan: Plan,
    /// The bytes of each input.
    contents: Contents,
    verdict: &'static str,
    detail: Option<String>,
    /// The bytes of each output.
    outputs: Option<Vec<Vec<u8>>>,
    bytes: u64,
    flops: u64,
    scale: Scale,
}

type Contents = BTreeMap<String, (TensorDesc, Vec<u8>)>;

impl Checked {
    /// Against the reference; of a large bench against the bits of the CPU device, which a device must have.
    fn of(
        device: &Device,
        law: &Device,
        entry: &'static Entry,
        bench: Bench,
    ) -> Result<Checked, Failure> {
        let Bench { case, bytes, flops, scale } = bench;
        let id = id(entry, &case);
        let contents = contents(&case);
        let plan = plan_for(device, entry, &case.request)?;
        let (verdict, detail, outputs) = match scale {
            Scale::Host => {
                let outcome = Trial::of_case(entry, case).map_err(Failure::Usage)?.run(device);
                (outcome.verdict.word(), outcome.verdict.detail(), outcome.outputs)
            }
            Scale::Device => {
                let outputs = run_once(device, &plan, &contents)?;
                let want = match &case.part {
                    Some(part) => repeated(law, entry, part, &plan)?,
                    None => run_once(law, &plan, &contents)?,
                };
                match outputs == want {
                    true => ("PASS", None, Some(outputs)),
                    false => {
                        ("MISMATCH", Some("not the bits of the CPU device".into()), Some(outputs))
                    }
                }
            }
        };
        Ok(Checked { id, plan, contents, verdict, detail, outputs, bytes, flops, scale })
    }
}

/// The plan that the library makes for a device.
fn plan_for(device: &Device, entry: &'static Entry, request: &Request) -> Result<Plan, Failure> {
    let facts = device.raw().facts();
    let has = |atom| facts.is_some_and(|facts| facts.has_matrix(atom));
    let has_wide = |wide| facts.is_some_and(|facts| facts.has_wide(wide));
    let request = for_device(entry, request.clone(), has, has_wide);
    Ok(entry.plan(&request).map_err(evenweave::Error::from)?)
}

/// The bytes of the inputs of a case.
fn contents(case: &Case) -> Contents {
    let content = |(name, desc): (&String, &TensorDesc)| {
        (name.clone(), (desc.clone(), case.inputs[name].memory(desc)))
    };
    case.request.inputs.iter().map(content).collect()
}

/// What a smaller case gives on the CPU device, over and over along each axis of the outputs of a plan.
fn repeated(
    law: &Device,
    entry: &'static Entry,
    part: &Case,
    whole: &Plan,
) -> Result<Vec<Vec<u8>>, Failure> {
    let plan = plan_for(law, entry, &part.request)?;
    let small = run_once(law, &plan, &contents(part))?;
    let shapes = plan.outputs.iter().zip(&whole.outputs);
    let all = shapes.zip(&small).map(|(((_, from), (_, to)), bytes)| {
        let each = from.dtype.bits() as usize / 8;
        tiled(bytes, each, &from.layout.shape, &to.layout.shape)
    });
    Ok(all.collect())
}

/// The elements of `small`, each of so many bytes, over and over along each axis.
fn tiled(small: &[u8], each: usize, from: &[u32], to: &[u32]) -> Vec<u8> {
    let (Some((&part, inner)), Some((&whole, outer))) = (from.split_first(), to.split_first())
    else {
        return small.to_vec();
    };
    let size = inner.iter().map(|&e| e as usize).product::<usize>() * each;
    let rows: Vec<Vec<u8>> =
        (0..part as usize).map(|i| tiled(&small[i * size..][..size], each, inner, outer)).collect();
    (0..whole as usize).flat_map(|i| rows[i % rows.len()].iter().copied()).collect()
}

/// The outputs of a plan on a device, from poisoned memory.
fn run_once(device: &Device, plan: &Plan, contents: &Contents) -> Result<Vec<Vec<u8>>, Failure> {
    let prepared = device.prepare(plan.clone())?;
    let (inputs, workspace) = set(device, contents, &prepared)?;
    device.execute(&prepared, &inputs, &workspace)?;
    read_all(device, &workspace)
}

fn read_all(device: &Device, workspace: &Workspace) -> Result<Vec<Vec<u8>>, Failure> {
    let read = |memory: &Memory| device.raw().read(memory).map_err(evenweave::Error::from);
    Ok(workspace.outputs.iter().map(read).collect::<Result<_, _>>()?)
}

/// Times a bench, and compares what the timed launches left.
fn measure(device: &Device, checked: Checked, seconds: f64) -> Result<Line, Failure> {
    let Checked { id, plan, contents, mut verdict, mut detail, .. } = checked;
    let mut taken_ns = f64::NAN;
    if let Some(want) = checked.outputs {
        let prepared = device.prepare(plan)?;
        let sets = sets(device, &contents, &prepared)?;
        let ns = time(device, &prepared, &sets, seconds)?;
        taken_ns = match device.info().software {
            true => ns.into_iter().min().unwrap_or(0) as f64,
            false => median(ns),
        } / sets.len() as f64;
        for (_, workspace) in &sets {
            if verdict == "PASS" && read_all(device, workspace)? != want {
                verdict = "MISMATCH";
                detail = Some("the timed launches leave other bits than the checked one".into());
            }
        }
    }
    Ok(Line {
        id,
        verdict,
        detail,
        seconds: taken_ns / 1e9,
        gb_per_s: checked.bytes as f64 / taken_ns,
        gflop_per_s: checked.flops as f64 / taken_ns,
        is_large: checked.scale == Scale::Device,
    })
}

type Set = (BTreeMap<String, Memory>, Workspace);

/// Inputs, and outputs that hold poison.
fn set(device: &Device, contents: &Contents, prepared: &Prepared) -> Result<Set, Failure> {
    let raw = device.raw();
    let mut inputs = BTreeMap::new();
    for (name, (desc, content)) in contents {
        let elems =
            TensorDesc::new(desc.dtype, &[]).elems().max(desc.layout.span_elems().unwrap_or(0));
        let memory = raw.alloc(desc.dtype, elems).map_err(evenweave::Error::from)?;
        raw.write(&memory, content).map_err(evenweave::Error::from)?;
        inputs.insert(name.clone(), memory);
    }
    let workspace = device.workspace(prepared.plan())?;
    for memory in &workspace.outputs {
        raw.fill(memory, POISON).map_err(evenweave::Error::from)?;
    }
    Ok((inputs, workspace))
}

/// Sets of memory, as many as it takes to be past the caches.
fn sets(device: &Device, contents: &Contents, prepared: &Prepared) -> Result<Vec<Set>, Failure> {
    let first = set(device, contents, prepared)?;
    let bytes: u64 = first.0.values().chain(&first.1.outputs).map(Memory::bytes).sum();
    let wanted = match device.info().software {
        true => 1,
        false => PAST_CACHES_BYTES.div_ceil(bytes.max(1)).clamp(1, MOST_SETS),
    };
    let mut sets = vec![first];
    while (sets.len() as u64) < wanted {
        sets.push(set(device, contents, prepared)?);
    }
    Ok(sets)
}

/// Nanoseconds of rounds over all sets.
fn time(
    device: &Device,
    prepared: &Prepared,
    sets: &[Set],
    seconds: f64,
) -> Result<Vec<u64>, Failure> {
    let raw = device.raw();
    let recording = device.record(prepared, sets)?;
    let round = || raw.time(&mut || raw.replay(&recording));
    Ok(rounds(seconds, round).map_err(evenweave::Error::from)?)
}

fn speeds(args: &args::Bench, lines: &[Line], copy: Option<f64>) -> Speeds {
    let measured = |x: f64| Some(x).filter(|x| x.is_finite());
    let one = |l: &Line| Speed {
        id: l.id.clone(),
        verdict: l.verdict.into(),
        detail: l.detail.clone(),
        seconds: measured(l.seconds),
        gb_per_s: measured(l.gb_per_s),
        gflop_per_s: measured(l.gflop_per_s),
        of_copy: copy.filter(|_| l.is_large).and_then(|copy| measured(l.gb_per_s / copy)),
    };
    let benches = lines.iter().map(one).collect();
    Speeds { device: args.device.clone(), copy_gb_per_s: copy, benches }
}

fn print(lines: &[Line], copy: Option<f64>, baseline: Option<&Speeds>) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    let wide = lines.iter().map(|l| l.id.len()).max().unwrap_or(0).max("bench".len());
    if let Some(copy) = copy {
        writeln!(out, "the device copies {copy:.0} GB/s, read and written")?;
    }
    let (baseline, before) = match baseline {
        Some(speeds) => (Some(speeds.by_id()), "  before"),
        None => (None, ""),
    };
    writeln!(
        out,
        "{BOLD}{:<wide$}  {:>10}  {:>8}  {:>7}  {:>8}{before}  check{BOLD:#}",
        "bench", "ms", "GB/s", "of copy", "GFLOP/s"
    )?;
    for l in lines {
        let flops = if l.gflop_per_s > 0.0 { format!("{:.3}", l.gflop_per_s) } else { "-".into() };
        let detail = l.detail.as_ref().map_or(String::new(), |d| format!(" {d}"));
        let of_copy = match copy {
            Some(copy) if l.is_large => format!("{:.2}", l.gb_per_s / copy),
            Some(_) | None => "-".into(),
        };
        let before = match baseline.as_ref().map(|b| b.get(&*l.id).and_then(|b| b.seconds)) {
            None => String::new(),
            Some(None) => format!("  {:>6}", "-"),
            Some(Some(seconds)) => format!("  {:>5.2}x", seconds / l.seconds),
        };
        writeln!(
            out,
            "{:<wide$}  {:>10.4}  {:>8.1}  {of_copy:>7}  {flops:>8}{before}  {}{detail}",
            l.id,
            l.seconds * 1e3,
            l.gb_per_s,
            l.verdict
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::tiled;

    #[test]
    fn a_part_is_repeated_along_each_axis() {
        let small = [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0];
        let want = [[1, 0, 2, 0, 3, 0, 1, 0], [4, 0, 5, 0, 6, 0, 4, 0], [1, 0, 2, 0, 3, 0, 1, 0]];
        assert_eq!(tiled(&small, 2, &[2, 3], &[3, 4]), want.concat());
    }
}
