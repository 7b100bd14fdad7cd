//! `evenweave fuzz`.
//!
//! Invariants
//! - A seed gives one kernel and one set of arguments, so what is found is found again by its seed.
//! - A kernel that the device refuses in its own type is counted apart; every other error is a failure.

use super::{Failure, diverge::trail, progress, write_json};
use crate::{
    args,
    colours::RED,
    diverge::{
        find::find,
        kernel::{self, Judges},
        launch::{Comparison, compare, show},
    },
    judge::{copies, copy, trial::guarded},
};
use evenweave::{Device, LoadOptions, OpenOptions};
use evenweave_lang::{
    dtype::DType,
    generate::{Argument, Options, arguments, generate},
    ir::Kernel,
    ops::Tier,
    text,
};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::Write,
    time::{Duration, Instant, SystemTime},
};

/// Failures after which there is enough to look at.
const MOST_FAILURES: usize = 5;
/// Seconds to make one failing kernel smaller.
const SHRINK_SECONDS: u64 = 60;
/// Rounds of the loops of a group: generated kernels need far fewer, shrunk ones might never end.
const BUDGET_ROUNDS: u64 = 1 << 20;

#[derive(Default)]
struct Tally {
    same: u64,
    /// By the device's reason, with the first seed.
    refused: BTreeMap<String, (u64, u64)>,
    failures: Vec<Wrong>,
}

struct Wrong {
    seed: u64,
    what: String,
}

pub(super) fn run(args: &args::Fuzz) -> Result<(), Failure> {
    // Kernels that never come again are not worth the user's cache.
    let devices = copies(&args.device, &OpenOptions::default(), LoadOptions::default())?;
    let unoptimised =
        LoadOptions { optimise: false, budget_rounds: BUDGET_ROUNDS, ..LoadOptions::default() };
    let oracle = Device::open_with("cpu", &OpenOptions::default(), unoptimised)?;
    let clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_secs());
    let first = args.seed.unwrap_or_else(|| clock() << 20);
    let seconds = args.seconds.or(args.count.is_none().then_some(10.0));
    let started = Instant::now();
    let is_over = || seconds.is_some_and(|s| started.elapsed().as_secs_f64() >= s);
    let bar = progress("kernels", args.count.unwrap_or(0));
    let mut tally = Tally::default();
    let mut next = 0;
    let end = args.count.unwrap_or(u64::MAX);
    while next < end && !is_over() && tally.failures.len() < MOST_FAILURES {
        let stop = end.min(next.saturating_add(64));
        let all: Vec<(u64, Comparison)> = (next..stop)
            .into_par_iter()
            .filter(|_| !is_over())
            .map(|i| {
                let seed = first.wrapping_add(i);
                bar.inc(1);
                let (kernel, arguments) = made(seed, args.statements);
                (seed, compare(&kernel, &arguments, &oracle, copy(&devices)))
            })
            .collect();
        for (seed, comparison) in all {
            tally.add(seed, comparison);
        }
        next = stop;
    }
    bar.finish_and_clear();
    let mut out = anstream::stdout().lock();
    let sanitize = LoadOptions { sanitize: true, ..unoptimised };
    let watched = Device::open_with("cpu", &OpenOptions::default(), sanitize)?;
    let judges = Judges { watched: &watched, oracle: &oracle, device: &devices[0] };
    for wrong in &tally.failures {
        report(&mut out, wrong, args, &judges)?;
    }
    let refused: u64 = tally.refused.values().map(|(n, _)| n).sum();
    for (reason, (times, seed)) in &tally.refused {
        writeln!(out, "refused {times} times, first with seed {seed}: {reason}")?;
    }
    writeln!(
        out,
        "{}: {} kernels from seed {first}: {} same, {} wrong, {refused} refused, {:.1} s",
        args.device,
        tally.same + refused + tally.failures.len() as u64,
        tally.same,
        tally.failures.len(),
        started.elapsed().as_secs_f64(),
    )?;
    write_json(args.json.file.as_deref(), || to_json(args, first, &tally))?;
    match (tally.failures.is_empty(), tally.same) {
        (false, _) => Err(Failure::Check),
        (true, 0) => Err(Failure::usage("no kernel ran: there is nothing to compare")),
        (true, _) => Ok(()),
    }
}

/// The kernel of a seed, and what it runs on.
fn made(seed: u64, statements: u32) -> (Kernel, Vec<Argument>) {
    let kernel = generate(seed, &Options { statements, ..options(seed) });
    let args = arguments(&kernel, seed);
    (kernel, args)
}

/// What kernels of a seed may contain: every other one a part of it, since a device may lack what the whole needs.
fn options(seed: u64) -> Options {
    let bits = |keep: fn(u32) -> bool| DType::ALL.iter().copied().filter(move |d| keep(d.bits()));
    match seed % 4 {
        0 => Options { dtypes: bits(|b| b < 64).collect(), ..Options::default() },
        1 => Options { dtypes: bits(|b| b == 32).collect(), ..Options::default() },
        2 => Options { tier: Tier::Exact, ..Options::default() },
        _ => Options::default(),
    }
}

impl Tally {
    fn add(&mut self, seed: u64, comparison: Comparison) {
        let what = match comparison {
            Comparison::Same => {
                self.same += 1;
                return;
            }
            Comparison::Refused(error) => {
                // The kernel's own name and line are no part of the reason.
                let text = error.to_string();
                let reason = text.split_once(": ").map_or(text.as_str(), |(_, reason)| reason);
                self.refused.entry(reason.into()).or_insert((0, seed)).0 += 1;
                return;
            }
            Comparison::Differs(element) => {
                let param = element.param;
                let (want, got) =
                    (show(element.dtype, element.want), show(element.dtype, element.got));
                format!("parameter {param}, element {}: {got}, not {want}", element.index)
            }
            Comparison::Unfit(error) => format!("the CPU device fails: {error}"),
            Comparison::Failed(error) => format!("the device fails: {error}"),
            Comparison::Panicked(text) => text,
        };
        self.failures.push(Wrong { seed, what });
    }
}

fn report(
    out: &mut dyn Write,
    wrong: &Wrong,
    asked: &args::Fuzz,
    judges: &Judges<'_>,
) -> Result<(), Failure> {
    let Wrong { seed, what } = wrong;
    writeln!(out, "{RED}WRONG{RED:#} seed {seed}: {what}")?;
    let args::Fuzz { device, statements, .. } = asked;
    write!(out, "  again: evenweave fuzz --device {device} --seed {seed} --count 1")?;
    writeln!(out, " --statements {statements}")?;
    let (kernel, args) = made(*seed, *statements);
    let small = kernel::smaller(&kernel, &args, judges, Duration::from_secs(SHRINK_SECONDS));
    match compare(&small, &args, judges.oracle, judges.device) {
        Comparison::Differs(element) => {
            let (want, got) = (show(element.dtype, element.want), show(element.dtype, element.got));
            let name = &small.params[element.param].name;
            writeln!(out, "  smaller: `{name}`[{}] is {got}, not {want}, by", element.index)?;
        }
        Comparison::Failed(error) => writeln!(out, "  smaller: {error}, by")?,
        Comparison::Panicked(text) => writeln!(out, "  smaller: {text}, by")?,
        Comparison::Same | Comparison::Unfit(_) | Comparison::Refused(_) => {
            writeln!(out, "  not seen again: the device does not repeat itself; the kernel is")?;
        }
    }
    if let Ok(shown) =
        guarded("watched kernel", || find(&small, &args, judges.oracle, judges.device))
    {
        match shown {
            Ok(shown) => trail(out, &shown)?,
            Err(error) => writeln!(out, "  its values cannot be watched: {error}")?,
        }
    }
    for (param, arg) in small.params.iter().zip(&args) {
        if let Argument::Scalar(dtype, bits) = arg {
            writeln!(out, "  {} = {}", param.name, show(*dtype, *bits))?;
        }
    }
    writeln!(out, "{}", text::print(&small).trim_end())?;
    Ok(())
}

fn to_json(args: &args::Fuzz, first: u64, tally: &Tally) -> Value {
    let wrong = |w: &Wrong| json!({ "seed": w.seed, "what": w.what });
    let refused = |(reason, (times, seed)): (&String, &(u64, u64))| json!({ "reason": reason, "times": times, "seed": seed });
    json!({
        "device": args.device,
        "statements": args.statements,
        "seed": first,
        "same": tally.same,
        "refused": tally.refused.iter().map(refused).collect::<Vec<_>>(),
        "wrong": tally.failures.iter().map(wrong).collect::<Vec<_>>(),
    })
}
