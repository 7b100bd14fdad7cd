//! Many cases on many devices, in parallel.
//!
//! Invariants
//! - The oracle is the CPU device without the optimiser: the kernels as written. SAME compares with its bits,
//!   on the CPU device too.
//! - A kernel of a tier that promises bits fails where they differ.

use super::{
    compare::Spread,
    mutate::{self, Mutant},
    trial::{Outcome, Trial, Verdict, id},
};
use evenweave::{Device, LoadOptions, OpenOptions};
use evenweave_kernels::{
    self as kernels,
    case::Case,
    entry::Entry,
    plan::{Plan, Step},
};
use evenweave_lang::{dtype::DType, ir::Kernel, ops::Tier};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// Which cases are meant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// An operation's or a family's name, or a part of one.
    pub(crate) filter: Option<String>,
    pub(crate) dtype: Option<DType>,
    /// One case's id.
    pub(crate) case: Option<String>,
}

impl Choice {
    /// The operations that the filter names: exactly, or else by a part of the name or the family's.
    pub(crate) fn entries(&self) -> Vec<&'static Entry> {
        let named = self.case.as_deref().and_then(|id| id.split('/').next());
        match (self.filter.as_deref(), named) {
            (None, None) => kernels::entries().collect(),
            (Some(filter), _) => {
                let exact: Vec<_> =
                    kernels::entries().filter(|e| e.name == filter || e.family == filter).collect();
                let part = |e: &&Entry| e.name.contains(filter) || e.family.contains(filter);
                // All names hold an empty word: nobody means that.
                let is_word = !filter.is_empty();
                if exact.is_empty() && is_word {
                    kernels::entries().filter(part).collect()
                } else {
                    exact
                }
            }
            (None, Some(name)) => kernels::entries().filter(|e| e.name == name).collect(),
        }
    }

    /// Their cases.
    pub(crate) fn cases(&self) -> Vec<(&'static Entry, Case)> {
        let mut all = Vec::new();
        for entry in self.entries() {
            for case in (entry.cases)(entry) {
                let dtype = self.dtype.is_none_or(|d| d == case.dtype);
                if dtype && self.case.as_ref().is_none_or(|want| *want == id(entry, &case)) {
                    all.push((entry, case));
                }
            }
        }
        all
    }
}

/// Names that an error shows, at most.
const MOST_NEAR: usize = 8;

impl Choice {
    /// Why there is no case, and what is near: where the names are known, what they have.
    pub(crate) fn nothing(&self) -> String {
        let entries = self.entries();
        let known = |what: &str, names: Vec<String>| {
            if names.is_empty() {
                String::new()
            } else {
                format!(" ({what}: {})", names.join(", "))
            }
        };
        let near = |name: &str| {
            let near = match evenweave::operation(&name.to_lowercase()) {
                Err(evenweave::Error::UnknownOperation { near, .. }) => near,
                Ok(found) => vec![found.name],
                Err(_) => Vec::new(),
            };
            match near.is_empty() {
                false => known("near it", near.into_iter().map(String::from).collect()),
                true => {
                    let families = kernels::entries().map(|e| e.family).collect::<BTreeSet<_>>();
                    known("families", families.into_iter().map(String::from).collect())
                }
            }
        };
        if let (Some(filter), true) = (&self.filter, entries.is_empty()) {
            let near = near(filter);
            return format!("no operation or family has `{filter}` in its name{near}");
        }
        if let (Some(case), true) = (&self.case, entries.is_empty()) {
            let name = case.split('/').next().unwrap_or(case);
            return format!("there is no case `{case}`: no operation is `{name}`{}", near(name));
        }
        if let Some(case) = &self.case {
            let ids = entries.iter().flat_map(|e| (e.cases)(e).into_iter().map(|c| id(e, &c)));
            let mut ids: Vec<String> = ids.collect();
            let alike = |id: &str| case.bytes().zip(id.bytes()).take_while(|(a, b)| a == b).count();
            ids.sort_by_key(|id| std::cmp::Reverse(alike(id)));
            ids.truncate(MOST_NEAR);
            let dtype = self.dtype.map_or(String::new(), |d| format!(" of {d}"));
            return format!("there is no case `{case}`{dtype}{}", known("near it", ids));
        }
        let has = entries.iter().flat_map(|e| (e.cases)(e)).map(|c| c.dtype.name());
        let has = has.collect::<BTreeSet<_>>().into_iter().map(String::from).collect();
        let of = self.filter.as_ref().map_or(String::new(), |f| format!(" of `{f}`"));
        let dtype = self.dtype.map_or(String::new(), |d| format!(" of {d}"));
        format!("there is no case{of}{dtype}{}", known("dtypes", has))
    }
}

/// What came of one case.
#[derive(Debug)]
pub(crate) struct CaseReport {
    pub(crate) id: String,
    pub(crate) kernel: &'static str,
    pub(crate) family: &'static str,
    pub(crate) dtype: DType,
    pub(crate) verdict: Verdict,
    pub(crate) spread: Spread,
    /// Whether the oracle's bits came.
    pub(crate) same: bool,
    /// The bytes of each output, where the device gave them.
    pub(crate) outputs: Option<Vec<Vec<u8>>>,
}

/// What came of all cases on one device.
#[derive(Debug)]
pub(crate) struct DeviceReport {
    pub(crate) device: String,
    pub(crate) seconds: f64,
    pub(crate) cases: Vec<CaseReport>,
}

impl DeviceReport {
    pub(crate) fn failed(&self) -> bool {
        self.cases.iter().any(|c| c.verdict.is_failure())
    }
}

/// The CPU device without the optimiser, which runs kernels as written: the law.
pub(crate) fn oracle() -> Device {
    let options = LoadOptions { optimise: false, ..LoadOptions::default() };
    Device::open_with("cpu", &OpenOptions::default(), options)
        .expect("the CPU device is always there")
}

/// The device, once for each thread where the host's processor runs it and its driver compiles on its queue's one thread.
pub(crate) fn copies(
    name: &str,
    open: &OpenOptions,
    options: LoadOptions,
) -> Result<Vec<Device>, evenweave::Error> {
    let first = Device::open_with(name, open, options)?;
    let info = first.info();
    let more =
        if info.software && info.threads == 0 { rayon::current_num_threads() - 1 } else { 0 };
    let more = (0..more).map(|_| Device::open_with(name, open, options));
    std::iter::once(Ok(first)).chain(more).collect()
}

/// The copy that is this thread's.
pub(crate) fn copy(copies: &[Device]) -> &Device {
    &copies[rayon::current_thread_index().unwrap_or(0) % copies.len()]
}

/// Runs cases on a device. `stop` ends the run after the first failure.
pub(crate) fn run(
    name: &str,
    open: &OpenOptions,
    options: LoadOptions,
    cases: &[(&'static Entry, Case)],
    stop: Stop,
    bar: &ProgressBar,
) -> Result<DeviceReport, evenweave::Error> {
    let devices = copies(name, open, options)?;
    let oracle = oracle();
    let started = Instant::now();
    let stopped = AtomicBool::new(false);
    let judge = |device: &Device, (entry, case): &(&'static Entry, Case)| {
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        let report = run_case(entry, case.clone(), device, &oracle);
        if stop == Stop::AtFailure && report.verdict.is_failure() {
            stopped.store(true, Ordering::Relaxed);
        }
        bar.inc(1);
        // Thousands of cases run: their bytes are not kept.
        Some(CaseReport { outputs: None, ..report })
    };
    // An operation's cases share kernels, so where there are several copies one of them has all of these.
    let several = devices.len() > 1;
    let units: Vec<_> = cases.chunk_by(|(a, _), (b, _)| several && a.name == b.name).collect();
    let cases = units
        .into_par_iter()
        .with_max_len(1)
        .flat_map_iter(|unit| {
            let device = copy(&devices);
            unit.iter().filter_map(|case| judge(device, case))
        })
        .collect();
    Ok(DeviceReport { device: name.into(), seconds: started.elapsed().as_secs_f64(), cases })
}

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    AtEnd,
    AtFailure,
}

/// Runs a case on a device and on the oracle.
pub(crate) fn run_case(
    entry: &'static Entry,
    case: Case,
    device: &Device,
    oracle: &Device,
) -> CaseReport {
    let (id, dtype) = (id(entry, &case), case.dtype);
    let report = |verdict, spread, same| CaseReport {
        id: id.clone(),
        kernel: entry.name,
        family: entry.family,
        dtype,
        verdict,
        spread,
        same,
        outputs: None,
    };
    let trial = match Trial::of_case(entry, case) {
        Ok(trial) => trial,
        Err(text) => return report(Verdict::Error(text), Spread::default(), false),
    };
    let Outcome { mut verdict, spread, outputs } = trial.run(device);
    let mut same = false;
    if let Some(outputs) = &outputs
        && let Some(law) = trial.run(oracle).outputs
    {
        same = *outputs == law;
        let promised = trial.tier() != Tier::Bounded;
        if let (Verdict::Pass, true) = (&verdict, promised)
            && let Some(difference) = trial.first_difference(outputs, &law)
        {
            verdict = trial.mismatch(difference);
        }
    }
    CaseReport { outputs, ..report(verdict, spread, same) }
}

/// A broken kernel of an operation, and the case that noticed.
#[derive(Debug)]
pub(crate) struct MutantReport {
    pub(crate) entry: &'static str,
    pub(crate) kernel: String,
    pub(crate) place: String,
    pub(crate) mutant: Mutant,
    pub(crate) caught_by: Option<String>,
}

/// Breaks every kernel of the chosen operations in every way; each must be noticed by a case.
pub(crate) fn run_mutants(
    name: &str,
    open: &OpenOptions,
    options: LoadOptions,
    choice: &Choice,
    bar: &ProgressBar,
) -> Result<Vec<MutantReport>, evenweave::Error> {
    let device = Device::open_with(name, open, options)?;
    let mut by_entry: BTreeMap<&str, Vec<(&'static Entry, Case)>> = BTreeMap::new();
    for (entry, case) in choice.cases() {
        by_entry.entry(entry.name).or_default().push((entry, case));
    }
    bar.set_length(by_entry.len() as u64);
    let reports: Vec<Vec<MutantReport>> = by_entry
        .into_par_iter()
        .map(|(_, cases)| {
            let reports = mutants_of(&device, cases);
            bar.inc(1);
            reports
        })
        .collect();
    Ok(reports.into_iter().flatten().collect())
}

/// The kernel's name without what it was staged with: a mutant is one for all of these.
fn base(kernel: &Kernel) -> &str {
    kernel.name.split('<').next().unwrap_or(&kernel.name)
}

fn mutants_of(device: &Device, cases: Vec<(&'static Entry, Case)>) -> Vec<MutantReport> {
    let mut open: BTreeMap<(String, Mutant), MutantReport> = BTreeMap::new();
    let mut done = Vec::new();
    // A case that fails as it is proves nothing about a mutant.
    let trials: Vec<Trial> = cases
        .into_iter()
        .filter_map(|(entry, case)| Trial::of_case(entry, case).ok())
        .filter(|t| matches!(t.run(device).verdict, Verdict::Pass))
        .collect();
    for trial in &trials {
        for step in &trial.plan.steps {
            for mutant in mutate::mutants(&step.kernel) {
                let key = (base(&step.kernel).to_string(), mutant);
                open.entry(key).or_insert_with(|| MutantReport {
                    entry: trial.entry.name,
                    kernel: base(&step.kernel).to_string(),
                    place: mutant.place(&step.kernel),
                    mutant,
                    caught_by: None,
                });
            }
        }
    }
    for ((kernel, mutant), mut report) in open {
        report.caught_by = trials
            .iter()
            .find(|trial| {
                broken(&trial.plan, &kernel, mutant).is_some_and(|plan| {
                    !matches!(trial.run_plan(device, &plan).verdict, Verdict::Pass)
                })
            })
            .map(|trial| trial.id.clone());
        done.push(report);
    }
    done
}

/// The plan with each kernel of this name broken; `None` where none is.
fn broken(plan: &Plan, kernel: &str, mutant: Mutant) -> Option<Plan> {
    let mut changed = false;
    let steps = plan.steps.iter().map(|step| {
        if base(&step.kernel) != kernel || !mutate::mutants(&step.kernel).contains(&mutant) {
            return step.clone();
        }
        changed = true;
        Step {
            kernel: mutate::apply(&step.kernel, mutant),
            args: step.args.clone(),
            copies: step.copies,
        }
    });
    let plan = Plan { steps: steps.collect(), ..plan.clone() };
    changed.then_some(plan)
}
