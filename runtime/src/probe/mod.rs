//! The probe: what a device's arithmetic, memory and control flow really do.
//!
//! A few small kernels are loaded for a device that is believed (every `Fact` holds, so that each operation is native), run
//! on chosen inputs, and compared with the law. Each disagreement clears a fact; what follows from that is `legalize`'s.
//!
//! Invariants
//! - Expected values come from `lang::eval`, or from the same integer loop on the host.
//! - A kernel that the driver fails at, or that the device lacks something for, clears what it would have shown; other
//!   errors, a device that is lost or hangs, and memory that cannot be had are errors.
//! - The inputs are fixed: equal devices give equal answers.

mod cache;
mod cases;
mod flow;
mod formulas;
mod matrices;
mod sheet;

pub use cache::{Key, recall, remember};

use crate::{
    device::{Device, LoadOptions},
    error::DeviceError,
};
use evenweave_codegen::{Fact, FactSet, Facts, Features, Matrices, PrepareError};
use evenweave_lang::ir::Kernel;
use std::collections::BTreeMap;

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probed {
    /// What holds.
    pub holds: FactSet,
    /// For what does not: the first input that shows it, with bits.
    pub witnesses: Vec<(Fact, String)>,
    /// Whether every kernel ran. What failed to run may run another time, so such an answer is not kept.
    pub ran: bool,
}

impl Probed {
    /// Why the device cannot be used: the first fact that does not hold and that nothing replaces.
    pub fn refusal(&self) -> Option<&(Fact, String)> {
        self.witnesses.iter().find(|(fact, _)| is_needed(*fact))
    }
}

/// Whether a device without the fact is refused.
pub fn is_needed(fact: Fact) -> bool {
    match fact {
        Fact::Rounding
        | Fact::Uncontracted
        | Fact::AsWritten
        | Fact::Loops
        | Fact::Integers
        | Fact::Compares
        | Fact::Barrier
        | Fact::Atomics => true,
        Fact::ZeroTerm
        | Fact::Selects
        | Fact::Magnitudes
        | Fact::Unrolled
        | Fact::Shuffles
        | Fact::Subnormals
        | Fact::Fma
        | Fact::Div
        | Fact::Sqrt
        | Fact::Round
        | Fact::FromInt
        | Fact::ToInt
        | Fact::WidenHalf
        | Fact::NarrowHalf
        | Fact::NarrowAlone
        | Fact::NarrowKept
        | Fact::Integers64
        | Fact::Double
        | Fact::DoubleDiv
        | Fact::DoubleSqrt
        | Fact::DoubleFma
        | Fact::DoubleRound
        | Fact::DoubleNarrow
        | Fact::DoubleInt
        | Fact::Matrices
        | Fact::WideMatrices => false,
    }
}

/// The facts that do not hold so far, each with its first witness.
#[derive(Default)]
struct Disagreements {
    found: BTreeMap<Fact, String>,
    small: BTreeMap<Fact, String>,
    doubts: BTreeMap<Fact, String>,
}

impl Disagreements {
    fn add(&mut self, fact: Fact, witness: impl FnOnce() -> String) {
        self.found.entry(fact).or_insert_with(witness);
    }

    /// Subnormals are not kept, unless the fact does not hold anyway.
    fn small(&mut self, fact: Fact, witness: impl FnOnce() -> String) {
        self.small.entry(fact).or_insert_with(witness);
    }

    /// It is the fact or the subnormals that do not hold.
    fn doubt(&mut self, fact: Fact, witness: impl FnOnce() -> String) {
        self.doubts.entry(fact).or_insert_with(witness);
    }

    /// What does not hold. A doubt is of the fact where nothing else explains it.
    fn settled(mut self) -> BTreeMap<Fact, String> {
        for (fact, witness) in self.small {
            if !self.found.contains_key(&fact) {
                self.found.entry(Fact::Subnormals).or_insert(witness);
            }
        }
        if !self.found.contains_key(&Fact::Subnormals) {
            for (fact, witness) in self.doubts {
                self.found.entry(fact).or_insert(witness);
            }
        }
        self.found
    }
}

/// The facts of 64-bit floats.
const DOUBLES: [Fact; 7] = [
    Fact::Double,
    Fact::DoubleDiv,
    Fact::DoubleSqrt,
    Fact::DoubleFma,
    Fact::DoubleRound,
    Fact::DoubleNarrow,
    Fact::DoubleInt,
];

/// Measures a device. The CPU device, which has no facts, is run as it is.
pub fn measure(device: &dyn Device) -> Result<Probed, DeviceError> {
    let own = device.facts();
    // The CPU device computes every product as the law says.
    let every =
        Features { matrices: Matrices::Quads, wide_matrices: true, ..Facts::IDEAL.features };
    let features = own.map_or(every, |facts| facts.features);
    let facts = own.map(|facts| Facts { holds: FactSet::ALL, ..facts });
    let options = LoadOptions { optimise: false, facts, ..LoadOptions::default() };
    let (mut found, mut ran) = (BTreeMap::new(), true);
    let mut add = |fact: Fact, witness: String| {
        found.entry(fact).or_insert(witness);
    };
    for part in parts(features) {
        let mut here = Disagreements::default();
        match (part.run)(device, &options, &mut here) {
            Ok(()) => here.settled().into_iter().for_each(|(fact, witness)| add(fact, witness)),
            Err(error) if is_of_the_kernel(&error) => {
                // What is refused before the driver sees it is refused every time.
                ran &= matches!(error, DeviceError::Prepare(_));
                part.facts.iter().for_each(|&fact| add(fact, error.to_string()));
            }
            Err(error) => return Err(error),
        }
    }
    let lacking: [(bool, &str, &[Fact]); 2] = [
        (features.int64, "the device has no 64-bit integers", &[Fact::Integers64]),
        (features.float64, "the device has no 64-bit floats", &DOUBLES),
    ];
    for (_, text, facts) in lacking.into_iter().filter(|(has, ..)| !has) {
        facts.iter().for_each(|&fact| add(fact, text.into()));
    }
    let holds = found.keys().fold(FactSet::ALL, |set, &fact| set.with(fact, false));
    Ok(Probed { holds, witnesses: found.into_iter().collect(), ran })
}

/// Whether this kernel alone cannot be run: the driver fails at it, or the device lacks something for it.
fn is_of_the_kernel(error: &DeviceError) -> bool {
    match error {
        DeviceError::Driver { .. }
        | DeviceError::Call { .. }
        | DeviceError::Compile { .. }
        | DeviceError::Prepare(PrepareError::Legalize(_)) => true,
        DeviceError::Unknown { .. }
        | DeviceError::Ambiguous { .. }
        | DeviceError::Missing { .. }
        | DeviceError::TooLarge { .. }
        | DeviceError::Limit { .. }
        | DeviceError::Validation { .. }
        | DeviceError::Hung { .. }
        | DeviceError::Lost { .. }
        | DeviceError::OutOfMemory { .. }
        | DeviceError::Size { .. }
        | DeviceError::Foreign { .. }
        | DeviceError::Prepare(_)
        | DeviceError::Launch(_)
        | DeviceError::Faults(_)
        | DeviceError::Refused { .. } => false,
    }
}

type Run = Box<dyn Fn(&dyn Device, &LoadOptions, &mut Disagreements) -> Result<(), DeviceError>>;

/// A part of the probe: a kernel or two, and the facts that they show.
struct Part {
    facts: Vec<Fact>,
    run: Run,
}

/// The parts that a device with these features runs. Control flow comes first: all else has a branch in it.
fn parts(features: Features) -> Vec<Part> {
    let mut parts = flow::parts();
    parts.push(matrices::part(features.matrices));
    parts.push(matrices::wide_part(features.wide_matrices));
    parts.extend(sheets(features).into_iter().map(|sheet| Part {
        facts: sheet.facts(),
        run: Box::new(move |device, options, found| sheet.run(device, options, found)),
    }));
    parts
}

/// The kernels that a device with these features is measured by, each loaded unoptimised for a device that is believed.
pub fn kernels(features: Features) -> Vec<Kernel> {
    let mut all = flow::kernels();
    all.extend(matrices::kernels(features.matrices));
    all.extend(matrices::wide_kernels(features.wide_matrices));
    all.extend(sheets(features).iter().map(sheet::Sheet::kernel));
    all
}

fn sheets(features: Features) -> Vec<sheet::Sheet> {
    let mut sheets =
        vec![formulas::integers(), formulas::singles(), formulas::roots(), formulas::halves()];
    if features.int64 {
        sheets.push(formulas::longs());
    }
    if features.float64 {
        sheets.push(formulas::doubles());
        sheets.push(formulas::double_roots());
        sheets.push(formulas::double_conversions(features.int64));
    }
    sheets
}

#[cfg(test)]
mod tests;
