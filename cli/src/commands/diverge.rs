//! `evenweave diverge`.

use super::{Failure, opening, progress, write_json};
use crate::{
    args,
    diverge::{
        find::{Both, Found, Trail, find},
        launch::{show, ulps},
        plan::{Asked, Differing, Seen, smaller},
        shrink,
    },
    judge::{self, trial::id},
};
use evenweave::{Device, LoadOptions};
use evenweave_kernels::{
    case::Case,
    entry::{Entry, Request},
};
use evenweave_lang::{generate::Argument, ops::Tier};
use serde_json::{Value, json};
use std::io::Write;

pub(super) fn run(args: &args::Diverge) -> Result<(), Failure> {
    let entry = evenweave::operation(&args.kernel)?;
    let device = Device::open_with(&args.device, &opening(), LoadOptions::default())?;
    let oracle = judge::oracle();
    let mut cases = (entry.cases)(entry);
    if let Some(want) = &args.case {
        cases.retain(|case| id(entry, case) == *want);
        if cases.is_empty() {
            let name = entry.name;
            return Err(Failure::usage(format!("{name} has no case `{want}`")));
        }
    }
    let mut out = anstream::stdout().lock();
    let report = diverge(&mut out, entry, &cases, &oracle, &device)?;
    write_json(args.json.file.as_deref(), || report.to_json(entry.name, &args.device))?;
    match report {
        Report::Same { compared: 0, .. } => {
            Err(Failure::usage("no case ran: there is nothing to compare"))
        }
        Report::Same { .. } => Ok(()),
        Report::Differs { .. } => Err(Failure::Check),
    }
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Report {
    Same { compared: usize, refused: usize },
    Differs { case: String, first: Trail, shrunk: Trail, request: Box<Request> },
}

/// Compares cases until one differs, and says what is known of it.
pub(crate) fn diverge(
    out: &mut dyn Write,
    entry: &'static Entry,
    cases: &[Case],
    oracle: &Device,
    device: &Device,
) -> Result<Report, Failure> {
    let name = device.info().name.clone();
    let (mut compared, mut refused) = (0, 0);
    let bar = progress("cases", cases.len() as u64);
    for case in cases {
        bar.inc(1);
        let id = id(entry, case);
        let asked = Asked::of_case(entry, case)
            .ok_or_else(|| Failure::usage(format!("{id} has an input without numbers")))?;
        match asked.run(oracle, device)? {
            Seen::Same => compared += 1,
            Seen::Refused(error) => {
                refused += 1;
                if cases.len() == 1 {
                    writeln!(out, "{id}: {name} refuses it: {error}")?;
                }
            }
            Seen::Failed(error) => return Err(error.into()),
            Seen::Differs(differing) => {
                bar.finish_and_clear();
                return differs(out, &id, asked, *differing, oracle, device);
            }
        }
    }
    bar.finish_and_clear();
    writeln!(
        out,
        "{}: no difference between {name} and the CPU device: {compared} cases compared, {refused} refused",
        entry.name
    )?;
    Ok(Report::Same { compared, refused })
}

fn differs(
    out: &mut dyn Write,
    id: &str,
    asked: Asked,
    differing: Differing,
    oracle: &Device,
    device: &Device,
) -> Result<Report, Failure> {
    let name = device.info().name.clone();
    writeln!(out, "{id}: {name} differs from the CPU device")?;
    head(out, &differing)?;
    if differing.kernel.tier() == Tier::Bounded {
        writeln!(out, "  the kernel uses `fast::` functions, whose bits may differ")?;
    }
    let first = find(&differing.kernel, &differing.args, oracle, device)?;
    trail(out, &first)?;
    let (asked, mut differing) = smaller(asked, differing, oracle, device);
    differing.args = shrink::arguments(&differing.kernel, &differing.args, oracle, device);
    writeln!(out, "the smallest found that still differs")?;
    request(out, &asked.request)?;
    arguments(out, &differing)?;
    let shrunk = find(&differing.kernel, &differing.args, oracle, device)?;
    trail(out, &shrunk)?;
    Ok(Report::Differs { case: id.into(), first, shrunk, request: Box::new(asked.request) })
}

/// Which launch, and which element of memory.
fn head(out: &mut dyn Write, differing: &Differing) -> Result<(), Failure> {
    let Differing { step, steps, kernel, element, .. } = differing;
    writeln!(out, "  launch {} of {steps}: {}", step + 1, kernel.name)?;
    let param = &kernel.params[element.param].name;
    writeln!(
        out,
        "  `{param}`[{}] is {}, but {} on the CPU device",
        element.index,
        show(element.dtype, element.got),
        show(element.dtype, element.want)
    )?;
    Ok(())
}

/// What watching shows, in words.
pub(super) fn trail(out: &mut dyn Write, trail: &Trail) -> Result<(), Failure> {
    match trail {
        Trail::Value(found) => return value(out, found),
        Trail::Way { place, event, want, got } => writeln!(
            out,
            "  all values are the same, but then {place} goes another way: after {event} values it comes to \
             `{got}`, on the CPU device to `{want}`"
        )?,
        Trail::Shy { operation, site, place } => writeln!(
            out,
            "  first different value: `{operation}` at {site}, {place}; it is the same when its operands are \
             watched too, so its bits are not known"
        )?,
        Trail::Memory => writeln!(
            out,
            "  all values are the same: what differs is how they reach memory (a store, an atomic update, a \
             barrier)"
        )?,
        Trail::Hidden => writeln!(
            out,
            "  while the kernel's values are watched, nothing differs: the device's compiler makes another \
             program of the watched kernel"
        )?,
        Trail::TooLarge { threads } => {
            writeln!(out, "  the launch has {threads} threads, too many to watch")?;
        }
    }
    Ok(())
}

fn value(out: &mut dyn Write, found: &Found) -> Result<(), Failure> {
    writeln!(out, "  first different value: `{}` at {}", found.operation, found.site)?;
    let Found { place, lane, event, .. } = found;
    writeln!(out, "    {place}, lane {lane}, after {event} values of the thread")?;
    for (index, operand) in found.operands.iter().enumerate() {
        let name = format!("operand {}", index + 1);
        if operand.differs() {
            both(out, &name, operand)?;
        } else {
            writeln!(out, "    {name:<10} {} on both", bits(operand, &operand.want))?;
        }
    }
    both(out, "result", &found.result)
}

fn both(out: &mut dyn Write, name: &str, both: &Both) -> Result<(), Failure> {
    writeln!(out, "    {name:<10} {} on the CPU device", bits(both, &both.want))?;
    let far = both.want.iter().zip(&both.got).filter(|(a, b)| a != b);
    let far: Vec<String> =
        far.filter_map(|(&a, &b)| ulps(both.dtype, a, b).map(|n| format!("{n} ULP"))).collect();
    let far = if far.is_empty() { String::new() } else { format!(", {} off", far.join(", ")) };
    writeln!(out, "    {:<10} {} on the device{far}", "", bits(both, &both.got))?;
    Ok(())
}

fn bits(both: &Both, words: &[u64]) -> String {
    words.iter().map(|&w| show(both.dtype, w)).collect::<Vec<_>>().join(", ")
}

fn request(out: &mut dyn Write, request: &Request) -> Result<(), Failure> {
    for (name, desc) in &request.inputs {
        writeln!(out, "  {name}: {}{:?}", desc.dtype, desc.shape())?;
    }
    for (name, setting) in &request.settings {
        writeln!(out, "  {name} = {setting:?}")?;
    }
    for (name, word) in &request.words {
        writeln!(out, "  {name} = {word}")?;
    }
    Ok(())
}

/// Elements that are shown of a buffer, at most.
const MOST_SHOWN: usize = 8;

/// What the launch reads: elements that are not zero.
fn arguments(out: &mut dyn Write, differing: &Differing) -> Result<(), Failure> {
    use evenweave_lang::ir::Access;
    let Differing { kernel, args, step, steps, .. } = differing;
    writeln!(out, "  launch {} of {steps}: {}", step + 1, kernel.name)?;
    for (param, arg) in kernel.params.iter().zip(args) {
        let (name, is_read) = (&param.name, param.kind.access() != Some(Access::Out));
        match arg {
            Argument::Scalar(dtype, bits) => writeln!(out, "    {name} = {}", show(*dtype, *bits))?,
            Argument::Buffer(dtype, words) | Argument::View(dtype, words, _) if is_read => {
                let all: Vec<_> = words.iter().enumerate().filter(|(_, w)| **w != 0).collect();
                for (index, bits) in all.iter().take(MOST_SHOWN) {
                    writeln!(out, "    {name}[{index}] = {}", show(*dtype, **bits))?;
                }
                let (more, elems) = (all.len().saturating_sub(MOST_SHOWN), words.len());
                let more = if more > 0 { format!("{more} more, ") } else { String::new() };
                writeln!(out, "    {name}: {more}{} of {elems} elements are 0", elems - all.len())?;
            }
            Argument::Buffer(..) | Argument::View(..) => {}
        }
    }
    Ok(())
}

impl Report {
    fn to_json(&self, operation: &str, device: &str) -> Value {
        match self {
            Report::Same { compared, refused } => json!({
                "operation": operation, "device": device, "differs": false,
                "compared": compared, "refused": refused,
            }),
            Report::Differs { case, first, shrunk, request } => {
                let shape = |(name, desc): (&String, &evenweave_kernels::entry::TensorDesc)| json!({ "name": name, "dtype": desc.dtype.name(), "shape": desc.shape() });
                json!({
                    "operation": operation, "device": device, "differs": true, "case": case,
                    "first": trail_json(first), "shrunk": trail_json(shrunk),
                    "inputs": request.inputs.iter().map(shape).collect::<Vec<_>>(),
                })
            }
        }
    }
}

fn trail_json(trail: &Trail) -> Value {
    let hex = |words: &[u64]| words.iter().map(|w| format!("{w:#x}")).collect::<Vec<_>>();
    let both =
        |b: &Both| json!({ "dtype": b.dtype.name(), "cpu": hex(&b.want), "device": hex(&b.got) });
    match trail {
        Trail::Value(found) => json!({
            "kind": "value", "operation": found.operation, "site": found.site,
            "group": found.place.group, "thread": found.place.thread, "lane": found.lane,
            "event": found.event, "result": both(&found.result),
            "operands": found.operands.iter().map(both).collect::<Vec<_>>(),
        }),
        Trail::Way { place, event, want, got } => json!({
            "kind": "way", "group": place.group, "thread": place.thread, "event": event,
            "cpu": want, "device": got,
        }),
        Trail::Shy { operation, site, place } => json!({
            "kind": "shy", "operation": operation, "site": site,
            "group": place.group, "thread": place.thread,
        }),
        Trail::Memory => json!({ "kind": "memory" }),
        Trail::Hidden => json!({ "kind": "hidden" }),
        Trail::TooLarge { threads } => json!({ "kind": "too_large", "threads": threads }),
    }
}
