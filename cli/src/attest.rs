//! An attestation: what a device is, what holds of it, and a hash of the bits that it computes.
//!
//! Invariants
//! - The slice of the corpus is chosen by rule and is the same everywhere. A kernel with every movement between lanes is
//!   run beside it.
//! - A hash is of what the device stored, element for element; a store has one NaN.
//! - A device is right when the judge finds no case wrong, and it computes at least one; what it refuses is not wrong.
//!
//! Absent: operations that some compiler may need hours for (`compiles_long`). The corpus has them.

use crate::{
    diverge::launch::{self, Comparison},
    judge::{self, trial::id},
    movements,
};
use evenweave::{Device, DeviceInfo};
use evenweave_codegen::Fact;
use evenweave_kernels::{self as kernels, case::Case, entry::Entry};
use evenweave_lang::dtype::DType;
use evenweave_runtime::{DeviceError, probe};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Cases of the slice, about.
const CASES: usize = 150;

/// What `doctor` writes and `diff` reads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Attestation {
    pub(crate) tool: String,
    pub(crate) version: String,
    pub(crate) devices: Vec<DeviceRecord>,
}

impl Attestation {
    pub(crate) fn of(devices: Vec<DeviceRecord>) -> Attestation {
        let (tool, version) = ("evenweave".into(), env!("CARGO_PKG_VERSION").into());
        Attestation { tool, version, devices }
    }
}

/// What is known of one device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DeviceRecord {
    pub(crate) device: String,
    pub(crate) description: String,
    pub(crate) api: String,
    pub(crate) driver: String,
    pub(crate) driver_version: String,
    pub(crate) limits: Vec<(String, String)>,
    pub(crate) facts: Vec<FactRecord>,
    /// Why it was not examined.
    pub(crate) refused: Option<String>,
    pub(crate) totals: BTreeMap<String, u64>,
    /// Over all cases, in order.
    pub(crate) bits: String,
    pub(crate) cases: Vec<CaseRecord>,
}

/// A fact, with what shows that it does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FactRecord {
    pub(crate) fact: String,
    pub(crate) holds: bool,
    pub(crate) witness: Option<String>,
}

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CaseRecord {
    pub(crate) id: String,
    pub(crate) verdict: String,
    pub(crate) same: bool,
    /// Of what it stored; nothing where it stored nothing.
    pub(crate) bits: Option<String>,
    pub(crate) detail: Option<String>,
}

impl DeviceRecord {
    fn new(info: &DeviceInfo) -> DeviceRecord {
        DeviceRecord {
            device: info.name.clone(),
            description: info.description.clone(),
            api: info.api.clone(),
            driver: info.driver.clone(),
            driver_version: info.driver_version.clone(),
            limits: info.limits.iter().map(|(k, v)| (k.to_string(), v.clone())).collect(),
            ..DeviceRecord::default()
        }
    }

    /// A device that does not open.
    pub(crate) fn unopened(
        name: &str,
        info: Option<&DeviceInfo>,
        error: &evenweave::Error,
    ) -> DeviceRecord {
        let record = info.map(DeviceRecord::new).unwrap_or_default();
        let why = match error {
            // The record and its verdict say the rest.
            evenweave::Error::Device(DeviceError::Refused { fact, witness, .. }) => {
                does_not_hold(*fact, witness)
            }
            error => {
                let text = error.to_string();
                text.strip_prefix(&format!("{name}: ")).map_or(text.clone(), str::to_string)
            }
        };
        DeviceRecord { device: name.into(), refused: Some(why), ..record }
    }

    fn wrong(&self) -> Vec<&CaseRecord> {
        let is_wrong =
            |c: &&CaseRecord| !["PASS", "KNOWN_HARD", "UNSUPPORTED"].contains(&c.verdict.as_str());
        self.cases.iter().filter(is_wrong).collect()
    }

    fn refusals(&self) -> usize {
        self.cases.iter().filter(|c| c.verdict == "UNSUPPORTED").count()
    }

    /// Whether nothing is wrong and something was computed.
    pub(crate) fn is_right(&self) -> bool {
        self.refused.is_none() && self.wrong().is_empty() && self.refusals() < self.cases.len()
    }

    /// One line.
    pub(crate) fn verdict(&self) -> String {
        let (device, all) = (&self.device, self.cases.len());
        if let Some(why) = &self.refused {
            return format!("{device} cannot be used: {why}");
        }
        let (wrong, refusals) = (self.wrong(), self.refusals());
        if let Some(first) = wrong.first() {
            let (n, case) = (wrong.len(), &first.id);
            return format!("{device} computes wrong: {n} of {all} cases, {case} the first");
        }
        if refusals == all {
            return format!("{device} computes nothing: it refuses all {all} cases");
        }
        let same = self.cases.iter().filter(|c| c.same).count();
        let others = all - refusals - same;
        let mut text =
            format!("{device} is right: {same} of {all} cases have the bits of the CPU device");
        if refusals > 0 {
            text += &format!("; it refuses {refusals}");
        }
        if others > 0 {
            text += &format!("; {others} have other bits, where none are promised");
        }
        text
    }
}

fn does_not_hold(fact: Fact, witness: &str) -> String {
    format!("{} does not hold: {witness}", fact.name())
}

/// Whether its kernels hold, in one loop, dozens of branches in a row on a device of narrow subgroups that flushes
/// subnormals: SwiftShader walks every path through such a loop while it compiles.
fn compiles_long(entry: &Entry, dtype: DType) -> bool {
    match entry.name {
        "attention"
        | "attention_decode"
        | "attention_quantized"
        | "gated_delta"
        | "gated_rms_norm"
        | "gemv_quantized"
        | "top_p_mask" => true,
        "scan" | "reduce_columns" => dtype.is_float(),
        _ => false,
    }
}

/// The slice: of each operation and dtype one case, then, evenly spread over what there are, as many as are wanted.
pub(crate) fn slice() -> Vec<(&'static Entry, Case)> {
    let mut seen = BTreeSet::new();
    let mut first = Vec::new();
    for entry in kernels::entries() {
        let fits = |case: &Case| !case.empty && !compiles_long(entry, case.dtype);
        for case in (entry.cases)(entry).into_iter().filter(fits) {
            if seen.insert((entry.name, case.dtype.name())) {
                first.push((entry, case));
            }
        }
    }
    // Each family and each dtype keeps one; of the rest every so many-th stays.
    let step = first.len().div_ceil(CASES).max(1);
    let mut kept = BTreeSet::new();
    let of = |entry: &Entry, dtype: DType| [entry.family.to_string(), dtype.name().to_string()];
    let mut at = 0;
    first.retain(|(entry, case)| {
        at += 1;
        let is_new =
            of(entry, case.dtype).into_iter().fold(false, |new, key| kept.insert(key) | new);
        is_new || at % step == 0
    });
    first
}

/// Measures a device and runs the slice.
pub(crate) fn examine(
    device: &Device,
    slice: &[(&'static Entry, Case)],
    bar: &ProgressBar,
) -> DeviceRecord {
    let mut record = DeviceRecord::new(device.info());
    let probed = match probe::measure(device.raw()) {
        Ok(probed) => probed,
        Err(error) => return DeviceRecord { refused: Some(error.to_string()), ..record },
    };
    let witness = |fact| probed.witnesses.iter().find(|(f, _)| *f == fact).map(|(_, w)| w.clone());
    let row = |&fact: &Fact| FactRecord {
        fact: fact.name().into(),
        holds: probed.holds.has(fact),
        witness: witness(fact),
    };
    record.facts = Fact::ALL.iter().map(row).collect();
    if let Some((fact, witness)) = probed.refusal() {
        return DeviceRecord { refused: Some(does_not_hold(*fact, witness)), ..record };
    }
    let oracle = judge::oracle();
    let mut all = Hash::default();
    let moved = std::iter::once_with(|| examine_movements(device, &oracle));
    let judged = slice.iter().map(|(entry, case)| examine_case(entry, case, device, &oracle));
    for case in moved.chain(judged) {
        *record.totals.entry(case.verdict.clone()).or_default() += 1;
        all.add(case.bits.as_deref().unwrap_or("none").as_bytes());
        record.cases.push(case);
        bar.inc(1);
    }
    record.bits = all.text();
    record
}

impl DeviceRecord {
    /// Whether the hash of all bits is that of the cases.
    pub(crate) fn is_whole(&self) -> bool {
        let mut all = Hash::default();
        for case in &self.cases {
            all.add(case.bits.as_deref().unwrap_or("none").as_bytes());
        }
        self.refused.is_some() || self.bits == all.text()
    }
}

fn examine_case(
    entry: &'static Entry,
    case: &Case,
    device: &Device,
    oracle: &Device,
) -> CaseRecord {
    let report = judge::run_case(entry, case.clone(), device, oracle);
    CaseRecord {
        id: id(entry, case),
        verdict: report.verdict.word().into(),
        same: report.same,
        bits: report.outputs.map(|outputs| {
            let mut hash = Hash::default();
            outputs.iter().for_each(|bytes| hash.add(bytes));
            hash.text()
        }),
        detail: report.verdict.detail(),
    }
}

/// What comes of the kernel with every movement between lanes.
fn examine_movements(device: &Device, oracle: &Device) -> CaseRecord {
    let kernel = movements::kernel().expect("the kernel can be staged");
    let args = movements::arguments();
    let comparison = launch::compare(&kernel, &args, oracle, device);
    let same = matches!(comparison, Comparison::Same);
    let bits = launch::outputs(device, &kernel, &args).ok().map(|outputs| {
        let mut hash = Hash::default();
        outputs.iter().flatten().for_each(|word| hash.add(&word.to_le_bytes()));
        hash.text()
    });
    let (verdict, detail) = match comparison {
        Comparison::Same => ("PASS", None),
        Comparison::Differs(at) => {
            let (index, got, want) = (at.index, at.got, at.want);
            let text = format!("element {index} is 0x{got:08x}, where 0x{want:08x} is right");
            ("MISMATCH", Some(text))
        }
        Comparison::Refused(error) => ("UNSUPPORTED", Some(error.to_string())),
        Comparison::Unfit(error) | Comparison::Failed(error) => ("ERROR", Some(error.to_string())),
        Comparison::Panicked(text) => ("ERROR", Some(text)),
    };
    CaseRecord { id: "movements/u32/lanes".into(), verdict: verdict.into(), same, bits, detail }
}

/// 128 bits of FNV-1a over byte strings with their lengths.
struct Hash(u128);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul((1 << 88) + 0x13b);
        }
    }

    fn text(&self) -> String {
        format!("{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        commands::{diff::compare, doctor::print},
        liars::{Lie, liar, sly},
    };

    /// Lies about operations that what is run has.
    const LIES: [(Lie, Fact); 3] = [
        (Lie::FmaRoundsTwice, Fact::Fma),
        (Lie::AddFlushes, Fact::Subnormals),
        (Lie::ShuffleXorMissesFour, Fact::Shuffles),
    ];

    fn examined(device: &Device) -> DeviceRecord {
        examine(device, &slice(), &ProgressBar::hidden())
    }

    fn differs(a: &DeviceRecord, b: &DeviceRecord) -> (bool, String) {
        let mut out = Vec::new();
        let differs = compare(&mut out, a, b).unwrap();
        (differs, String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_slice_has_every_dtype_and_every_family_that_compiles() {
        let (slice, all) = (slice(), judge::Choice::default().cases());
        let families = |cases: &[(&'static Entry, Case)]| -> BTreeSet<_> {
            cases.iter().map(|(e, _)| e.family).collect()
        };
        let dtypes = |cases: &[(&'static Entry, Case)]| -> BTreeSet<_> {
            cases.iter().map(|(_, c)| c.dtype.name()).collect()
        };
        let mut missing: Vec<_> = families(&all).difference(&families(&slice)).copied().collect();
        missing.retain(|family| {
            !all.iter().any(|(e, c)| e.family == *family && compiles_long(e, c.dtype))
        });
        assert!(missing.is_empty(), "{missing:?}");
        assert_eq!(dtypes(&slice), dtypes(&all));
        assert!((100..250).contains(&slice.len()), "{}", slice.len());
    }

    #[test]
    fn the_cpu_device_is_right_and_the_same_as_itself() {
        let record = examined(&Device::open("cpu").unwrap());
        assert!(record.is_right() && record.cases.iter().all(|c| c.bits.is_some()));
        assert!(record.facts.iter().all(|f| f.holds), "{:?}", record.facts);
        let text = serde_json::to_string(&Attestation::of(vec![record.clone()])).unwrap();
        let back: Attestation = serde_json::from_str(&text).unwrap();
        assert_eq!(back.devices, std::slice::from_ref(&record));
        assert!(!differs(&record, &back.devices[0]).0);
        let mut other = record.clone();
        other.facts[3].holds = false;
        assert!(!differs(&record, &other).0, "facts may differ");
        other.cases[5].bits = Some("0".into());
        let (is_different, text) = differs(&record, &other);
        assert!(is_different && text.contains(&record.cases[5].id), "{text}");
    }

    #[test]
    fn a_liar_is_known_by_its_fact_and_by_its_bits() {
        for (lie, fact) in LIES {
            let record = examined(&liar(lie));
            for row in &record.facts {
                assert_eq!(row.holds, row.fact != fact.name(), "{lie:?}: {row:?}");
                assert_eq!(row.witness.is_none(), row.holds);
            }
            assert!(!record.is_right(), "{lie:?}: {}", record.verdict());
            let mut out = Vec::new();
            print(&mut out, &record).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.contains("does not hold") && text.contains("computes wrong"), "{text}");
        }
    }

    #[test]
    fn a_device_that_is_not_opened_is_named_once() {
        let of = |error: DeviceError| {
            DeviceRecord::unopened("x:0", None, &evenweave::Error::Device(error)).verdict()
        };
        let device = "x:0".to_string();
        let (driver, witness) = ("a driver 1".into(), "a loop of 9 rounds".into());
        let refused = DeviceError::Refused { device, driver, fact: Fact::Loops, witness };
        let want = "x:0 cannot be used: loops does not hold: a loop of 9 rounds";
        assert_eq!(of(refused), want);
        let missing = DeviceError::Missing { device: "x:0".into(), what: "loader".into() };
        assert_eq!(of(missing), "x:0 cannot be used: there is no loader here");
    }

    #[test]
    fn a_sly_liar_is_known_by_its_bits() {
        let honest = examined(&Device::open("cpu").unwrap());
        for (lie, _) in LIES {
            let record = examined(&sly(lie));
            assert!(record.facts.iter().all(|f| f.holds), "{lie:?}");
            assert!(!record.is_right(), "{lie:?}: {}", record.verdict());
            assert!(differs(&honest, &record).0, "{lie:?}");
        }
    }
}
