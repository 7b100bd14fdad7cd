//! One case, made ready once and run on devices.
//!
//! Invariants
//! - Outputs are poisoned element by element with what the reference does not say; temporaries hold poison too.
//! - UNSUPPORTED comes from a typed refusal of the device, never from a message.
//! - KNOWN_HARD needs the case's written reason.

use super::compare::{Difference, Output, Spread, compare, poison};
use evenweave::{Device, Error};
use evenweave_codegen::PrepareError;
use evenweave_kernels::{
    case::{Case, Column, Expected, Known},
    entry::{Entry, PlanError, TensorDesc},
    number, pattern,
    plan::Plan,
};
use evenweave_lang::{dtype::DType, ops::Tier};
use evenweave_runtime::{DeviceError, Memory};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What came of a case on a device.
#[derive(Debug)]
pub(crate) enum Verdict {
    Pass,
    /// It differs, for a reason that stands beside the case.
    KnownHard {
        reason: &'static str,
        difference: Difference,
    },
    Mismatch(Difference),
    /// The device says that it cannot.
    Unsupported(String),
    Error(String),
}

impl Verdict {
    /// The word of reports.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::KnownHard { .. } => "KNOWN_HARD",
            Verdict::Mismatch(_) => "MISMATCH",
            Verdict::Unsupported(_) => "UNSUPPORTED",
            Verdict::Error(_) => "ERROR",
        }
    }

    /// Whether the corpus fails with it.
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            Verdict::Pass | Verdict::KnownHard { .. } | Verdict::Unsupported(_) => false,
            Verdict::Mismatch(_) | Verdict::Error(_) => true,
        }
    }

    /// What there is to say beside the word.
    pub(crate) fn detail(&self) -> Option<String> {
        match self {
            Verdict::Pass => None,
            Verdict::KnownHard { reason, difference } => Some(format!("{reason}: {difference}")),
            Verdict::Mismatch(difference) => Some(difference.to_string()),
            Verdict::Unsupported(text) | Verdict::Error(text) => Some(text.clone()),
        }
    }
}

/// A verdict with what was measured.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) spread: Spread,
    /// The bytes of each output, where the device gave them.
    pub(crate) outputs: Option<Vec<Vec<u8>>>,
}

/// A case with all that does not depend on a device.
pub(crate) struct Trial {
    pub(crate) id: String,
    pub(crate) entry: &'static Entry,
    pub(crate) case: Case,
    pub(crate) plan: Plan,
    inputs: BTreeMap<String, (TensorDesc, Vec<u8>)>,
    expected: Vec<Expected>,
}

/// The id of a case: `softmax/f16/ragged`.
pub(crate) fn id(entry: &Entry, case: &Case) -> String {
    format!("{}/{}/{}", entry.name, case.dtype, case.name)
}

impl Trial {
    /// Plans a case and computes its reference.
    pub(crate) fn of_case(entry: &'static Entry, case: Case) -> Result<Trial, String> {
        let mut inputs = BTreeMap::new();
        for (name, desc) in &case.request.inputs {
            let pattern = case.inputs.get(name);
            let pattern = pattern.ok_or_else(|| format!("input `{name}` has no pattern"))?;
            inputs.insert(name.clone(), (desc.clone(), pattern.memory(desc)));
        }
        Trial::of_data(entry, case, inputs).map_err(|e| e.to_string())
    }

    /// Plans a request on given data and computes its reference.
    pub(crate) fn of_data(
        entry: &'static Entry,
        case: Case,
        inputs: BTreeMap<String, (TensorDesc, Vec<u8>)>,
    ) -> Result<Trial, TrialError> {
        let plan = guarded("plan", || entry.plan(&case.request))??;
        let call = entry.call(&case.request)?;
        let read = |(name, (desc, memory)): (&String, &(TensorDesc, Vec<u8>))| {
            (name.clone(), Column::read(desc, memory))
        };
        let known = Known::new(call, inputs.iter().map(read).collect());
        let expected = guarded("reference", || (entry.reference)(&known))?;
        Ok(Trial { id: id(entry, &case), entry, case, plan, inputs, expected })
    }

    /// The weakest tier of the plan's kernels.
    pub(crate) fn tier(&self) -> Tier {
        self.plan.steps.iter().map(|s| s.kernel.tier()).max().unwrap_or(Tier::Exact)
    }

    /// Runs the case as planned.
    pub(crate) fn run(&self, device: &Device) -> Outcome {
        self.run_plan(device, &self.plan)
    }

    /// Runs another plan with the same outputs: a mutant's.
    pub(crate) fn run_plan(&self, device: &Device, plan: &Plan) -> Outcome {
        let (mut spread, mut outputs) = (Spread::default(), None);
        let verdict = match self.execute(device, plan) {
            Err(Failure::Device(error)) => self.refusal(error),
            Err(Failure::Difference(difference)) => self.mismatch(difference),
            Ok(run) => {
                let compared = self.compare(plan, &run, &mut spread);
                outputs = Some(run.outputs);
                compared.map_or_else(|d| self.mismatch(d), |()| Verdict::Pass)
            }
        };
        Outcome { verdict, spread, outputs }
    }

    fn refusal(&self, error: Error) -> Verdict {
        match error {
            Error::Device(DeviceError::Prepare(PrepareError::Legalize(refusal))) => {
                Verdict::Unsupported(refusal.to_string())
            }
            Error::Device(refusal @ (DeviceError::TooLarge { .. } | DeviceError::Limit { .. })) => {
                Verdict::Unsupported(refusal.to_string())
            }
            other => Verdict::Error(other.to_string()),
        }
    }

    /// The verdict of a difference: the case may give a reason for it.
    pub(crate) fn mismatch(&self, difference: Difference) -> Verdict {
        match self.case.hard {
            Some(reason) => Verdict::KnownHard { reason, difference },
            None => Verdict::Mismatch(difference),
        }
    }

    fn execute(&self, device: &Device, plan: &Plan) -> Result<Run, Failure> {
        let planned = names(plan.outputs.iter().map(|(n, _)| n.as_str()));
        let known = names(self.expected.iter().map(|e| e.name));
        if planned != known {
            return Err(Failure::Difference(Difference::Outputs { want: planned, got: known }));
        }
        let prepared = device.prepare(plan.clone())?;
        let raw = device.raw();
        let mut inputs = BTreeMap::new();
        for (name, (desc, bytes)) in &self.inputs {
            let elems = desc.layout.span_elems().unwrap_or(u64::MAX);
            let memory = raw.alloc(desc.dtype, elems)?;
            raw.write(&memory, bytes)?;
            inputs.insert(name.clone(), memory);
        }
        let workspace = device.workspace(plan)?;
        for memory in &workspace.temps {
            let bits = pattern::poison(memory.dtype());
            raw.write(memory, &packed(memory, (0..memory.elems()).map(|_| bits)))?;
        }
        let mut poisons = Vec::new();
        for ((_, desc), (want, memory)) in
            plan.outputs.iter().zip(self.expected.iter().zip(&workspace.outputs))
        {
            let mut poison = poison(desc.dtype, want);
            let rest = pattern::poison(desc.dtype);
            let all = poison.iter().copied().chain(std::iter::repeat(rest));
            raw.write(memory, &packed(memory, all))?;
            poison.truncate(memory.elems() as usize);
            poisons.push(poison);
        }
        device.execute(&prepared, &inputs, &workspace)?;
        let outputs: Result<_, DeviceError> =
            workspace.outputs.iter().map(|memory| raw.read(memory)).collect();
        Ok(Run { outputs: outputs?, poisons })
    }

    fn compare(&self, plan: &Plan, run: &Run, spread: &mut Spread) -> Result<(), Difference> {
        let mut compared_elems = 0;
        for (at, want) in self.expected.iter().enumerate() {
            let (name, desc) = &plan.outputs[at];
            let output = Output {
                name,
                dtype: desc.dtype,
                elems: desc.elems(),
                bytes: &run.outputs[at],
                poison: &run.poisons[at],
            };
            spread.merge(&compare(&output, want, self.case.bound_of(name))?);
            compared_elems += desc.elems();
            if self.case.empty && desc.elems() > 0 {
                return Err(Difference::NotEmpty { output: name.clone() });
            }
        }
        if compared_elems == 0 && !self.case.empty {
            return Err(Difference::Nothing);
        }
        Ok(())
    }

    /// The first element in which two runs' bits differ, in words.
    pub(crate) fn first_difference(&self, a: &[Vec<u8>], b: &[Vec<u8>]) -> Option<Difference> {
        let at = a.iter().zip(b).position(|(a, b)| a != b)?;
        let (name, desc) = &self.plan.outputs[at];
        let bits = |bytes: &[u8], i| number::element(desc.dtype, bytes, i);
        let index = (0..desc.elems() as usize).find(|&i| bits(&a[at], i) != bits(&b[at], i))?;
        let show = |bytes| show(desc.dtype, bits(bytes, index));
        let (output, got, want) = (name.clone(), show(&a[at]), show(&b[at]));
        Some(Difference::Bits { output, at: index, got, want })
    }
}

fn show(dtype: DType, bits: u64) -> String {
    match dtype.is_float() {
        true => format!("{:?} ({bits:#x})", number::decode(dtype, bits)),
        false => number::decode_int(dtype, bits).to_string(),
    }
}

fn names<'a>(all: impl Iterator<Item = &'a str>) -> String {
    all.collect::<Vec<_>>().join(", ")
}

fn packed(memory: &Memory, bits: impl Iterator<Item = u64>) -> Vec<u8> {
    let mut bytes = vec![0; memory.bytes() as usize];
    for (at, bits) in bits.take(memory.elems() as usize).enumerate() {
        number::set_element(memory.dtype(), &mut bytes, at, bits);
    }
    bytes
}

struct Run {
    outputs: Vec<Vec<u8>>,
    poisons: Vec<Vec<u64>>,
}

enum Failure {
    Device(Error),
    Difference(Difference),
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Device(error.into())
    }
}

/// Why a case cannot even begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrialError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("the {what} panics: {text}")]
    Panic { what: &'static str, text: String },
}

/// A panic of an operation's own code is that operation's fault, not the end of all others.
pub(crate) fn guarded<T>(what: &'static str, f: impl FnOnce() -> T) -> Result<T, TrialError> {
    let outcome = catch_unwind(AssertUnwindSafe(f));
    outcome.map_err(|cause| {
        let text = cause
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| cause.downcast_ref::<&str>().map(|s| s.to_string()))
            .unwrap_or_default();
        TrialError::Panic { what, text }
    })
}
