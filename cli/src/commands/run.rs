//! `evenweave run`: an operation on arrays from files.
//!
//! Invariants
//! - All that can be wrong with the command and its files is found before anything is computed.
//! - Files appear only when everything went well.

use super::{Failure, opening, write_json};
use crate::{
    args,
    files::{self, Array, Source},
    judge::{
        compare::{BINS, Spread},
        trial::{Trial, TrialError, Verdict, guarded},
    },
};
use evenweave::{Device, LoadOptions};
use evenweave_kernels::{
    case::{Bound, Case},
    entry::{Entry, Setting, Takes, TensorDesc},
    number,
    plan::Plan,
};
use evenweave_lang::dtype::DType;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::{Path, PathBuf},
};

/// Elements of all outputs that `--check` computes in f64 beside them.
const MOST_CHECKED_ELEMS: u64 = 1 << 28;

pub(super) fn run(args: &args::Run) -> Result<(), Failure> {
    let entry = evenweave::operation(&args.kernel)?;
    let mut case = Case::new("run", args.dtype.unwrap_or(DType::F32));
    let mut inputs = BTreeMap::new();
    for text in &args.inputs {
        let (name, source) = named(text, "--in", "NAME=FILE[:TENSOR]")?;
        let array = convert(entry, name, files::read(&Source::parse(source))?, args.dtype);
        let desc = TensorDesc::new(array.dtype, &array.shape);
        case.request = case.request.input(name, desc.clone());
        if inputs.insert(name.to_string(), (desc, array.bytes)).is_some() {
            return Err(Failure::usage(format!("--in {name} is given twice")));
        }
    }
    let mut set = BTreeSet::new();
    for text in &args.settings {
        let (name, value) = named(text, "--set", "NAME=VALUE")?;
        if !set.insert(name) {
            return Err(Failure::usage(format!("--set {name} is given twice")));
        }
        case.request = match value.parse() {
            _ if entry.signature.words.iter().any(|w| w.name == name) => {
                case.request.word(name, value)
            }
            Ok(whole) => case.request.set(name, Setting::Int(whole)),
            Err(_) => case.request.set(name, float(name, value)?),
        };
    }
    let mut targets: Vec<(&str, PathBuf)> = Vec::new();
    for text in &args.outputs {
        let (name, file) = named(text, "--out", "NAME=FILE")?;
        targets.push((name, file.into()));
    }
    let device = Device::open_with(&args.device, &opening(), LoadOptions::default())?;
    let plan = guarded("plan", || entry.plan(&case.request)).map_err(refused)?;
    let plan = plan.map_err(evenweave::Error::from)?;
    check_targets(entry, &plan.outputs, &mut targets)?;
    let json = args.json.file.as_deref().map(files::place).transpose()?;
    if targets.iter().any(|(_, path)| Some(path) == json.as_ref()) {
        return Err(Failure::usage("--json and --out name the same file"));
    }

    let (outputs, report) = match args.check {
        true => checked(entry, &plan, case, inputs, &device, args)?,
        false => (computed(entry, &case, &inputs, &device)?, Value::Null),
    };
    let mut out = anstream::stdout().lock();
    for (name, array) in &outputs {
        writeln!(out, "{name}: {} {:?}  {}", array.dtype, array.shape, head(array))?;
    }
    write_all(&outputs, &targets)?;
    write_json(args.json.file.as_deref(), || {
        let shapes = outputs
            .iter()
            .map(|(name, a)| json!({ "name": name, "dtype": a.dtype.name(), "shape": a.shape }));
        json!({
            "kernel": entry.name, "device": args.device,
            "outputs": shapes.collect::<Vec<_>>(), "check": report,
        })
    })
}

fn refused(error: TrialError) -> Failure {
    match error {
        TrialError::Plan(e) => evenweave::Error::from(e).into(),
        TrialError::Panic { .. } => Failure::usage(error.to_string()),
    }
}

fn named<'a>(text: &'a str, flag: &str, form: &str) -> Result<(&'a str, &'a str), Failure> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name, value)),
        _ => Err(Failure::usage(format!("{flag} takes {form}, not `{text}`"))),
    }
}

fn float(name: &str, value: &str) -> Result<f64, Failure> {
    let known =
        || Failure::usage(format!("--set {name} takes a number or a known word, not `{value}`"));
    value.parse().map_err(|_| known())
}

/// A float array in the dtype asked for, where the operation takes that dtype.
fn convert(entry: &Entry, name: &str, array: Array, dtype: Option<DType>) -> Array {
    let spec = |name: &str| entry.signature.inputs.iter().find(|i| i.name == name);
    let takes = match spec(name).map(|i| i.takes) {
        Some(Takes::Like(other)) => spec(other).map(|i| i.takes),
        takes => takes,
    };
    let Some(dtype) = dtype else { return array };
    let fits = matches!(takes, Some(Takes::OneOf(all)) if all.contains(&dtype));
    if !fits || !array.dtype.is_float() || !dtype.is_float() || array.dtype == dtype {
        return array;
    }
    let elems: u64 = array.shape.iter().map(|&e| u64::from(e)).product();
    let bytes = dtype.bytes_for(elems).expect("the array is in memory");
    let mut converted = vec![0; bytes as usize];
    for at in 0..elems as usize {
        let x = number::decode(array.dtype, number::element(array.dtype, &array.bytes, at));
        number::set_element(dtype, &mut converted, at, number::encode(dtype, x));
    }
    Array { dtype, shape: array.shape, bytes: converted }
}

/// Checks where results go, and makes all spellings of a file one path.
fn check_targets(
    entry: &Entry,
    outputs: &[(String, TensorDesc)],
    targets: &mut [(&str, PathBuf)],
) -> Result<(), Failure> {
    for at in 0..targets.len() {
        let (before, rest) = targets.split_at_mut(at);
        let (name, path) = &mut rest[0];
        let Some((_, desc)) = outputs.iter().find(|(n, _)| n == name) else {
            let known: Vec<_> = outputs.iter().map(|(n, _)| n.as_str()).collect();
            let (op, known) = (entry.name, known.join(", "));
            return Err(Failure::usage(format!("{op} has no output `{name}` (outputs: {known})")));
        };
        if before.iter().any(|(n, _)| n == name) {
            return Err(Failure::usage(format!("--out {name} is given twice")));
        }
        files::check_kind(path, desc.dtype)?;
        files::check_place(path)?;
        let shown = path.display().to_string();
        *path = files::place(path)?;
        let holds_many = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("safetensors"));
        if !holds_many && before.iter().any(|(_, p)| p == path) {
            return Err(Failure::usage(format!("{shown} holds one array, but is to hold two")));
        }
    }
    Ok(())
}

type Named = Vec<(String, Array)>;

fn computed(
    entry: &'static Entry,
    case: &Case,
    inputs: &BTreeMap<String, (TensorDesc, Vec<u8>)>,
    device: &Device,
) -> Result<Named, Failure> {
    let mut call = device.call(entry.name);
    for (name, (desc, bytes)) in inputs {
        call = call.input(name, &device.tensor_of_bytes(desc.dtype, desc.shape(), bytes)?);
    }
    for (name, &value) in &case.request.settings {
        call = call.set(name, value);
    }
    for (name, value) in &case.request.words {
        call = call.word(name, value);
    }
    let outputs = call.run()?;
    let mut arrays = Vec::new();
    for (name, tensor) in outputs.iter() {
        let (dtype, shape) = (tensor.dtype(), tensor.shape().to_vec());
        arrays.push((name.to_string(), Array { dtype, shape, bytes: tensor.to_bytes()? }));
    }
    Ok(arrays)
}

/// Runs beside the reference. Finite numbers may be off by anything: the distribution is what is asked for.
fn checked(
    entry: &'static Entry,
    plan: &Plan,
    case: Case,
    inputs: BTreeMap<String, (TensorDesc, Vec<u8>)>,
    device: &Device,
    args: &args::Run,
) -> Result<(Named, Value), Failure> {
    let mut case = case.bound(Bound::Ulp(f64::MAX));
    // Arrays without elements are no mistake of the user's.
    case.empty = plan.outputs.iter().all(|(_, desc)| desc.elems() == 0);
    let elems: u64 = plan.outputs.iter().map(|(_, d)| d.elems()).fold(0, u64::saturating_add);
    if elems > MOST_CHECKED_ELEMS {
        let most = MOST_CHECKED_ELEMS;
        return Err(Failure::usage(format!("--check takes {most} elements at most, not {elems}")));
    }
    let trial = Trial::of_data(entry, case, inputs).map_err(refused)?;
    let outcome = trial.run(device);
    let mut out = anstream::stdout().lock();
    print_spread(&mut out, &outcome.spread)?;
    let report = json!({
        "verdict": outcome.verdict.word(),
        "detail": outcome.verdict.detail(),
        "max_ulp": outcome.spread.max_ulp,
        "bins": BINS.iter().zip(outcome.spread.bins).map(|(&end, n)| json!({
            "at_most_ulp": end, "elems": n,
        })).collect::<Vec<_>>(),
    });
    let outputs = match (outcome.verdict, outcome.outputs) {
        (Verdict::Pass, Some(outputs)) => outputs,
        (Verdict::Mismatch(_) | Verdict::KnownHard { .. }, _) | (Verdict::Pass, None) => {
            let detail = report["detail"].as_str().unwrap_or_default();
            writeln!(out, "MISMATCH {}: {detail}", entry.name)?;
            write_json(
                args.json.file.as_deref(),
                || json!({ "kernel": entry.name, "check": report }),
            )?;
            return Err(Failure::Check);
        }
        (Verdict::Unsupported(text) | Verdict::Error(text), _) => return Err(Failure::Usage(text)),
    };
    let named = trial.plan.outputs.iter().zip(outputs).map(|((name, desc), bytes)| {
        (name.clone(), Array { dtype: desc.dtype, shape: desc.shape().to_vec(), bytes })
    });
    Ok((named.collect(), report))
}

fn print_spread(out: &mut impl Write, spread: &Spread) -> Result<(), Failure> {
    let all: u64 = spread.bins.iter().sum();
    writeln!(out, "{all} elements, at most {:.3} ULP from the f64 reference", spread.max_ulp)?;
    for (&end, &elems) in BINS.iter().zip(&spread.bins) {
        if elems > 0 {
            let label = match end {
                0.0 => "exactly".into(),
                f64::MAX => "more".into(),
                end => format!("at most {end}"),
            };
            writeln!(
                out,
                "  {label:<14} {elems:>12}  {:>8.4} %",
                100.0 * elems as f64 / all as f64
            )?;
        }
    }
    Ok(())
}

fn head(array: &Array) -> String {
    let elems: u64 = array.shape.iter().map(|&e| u64::from(e)).product();
    let shown: Vec<String> = (0..elems.min(6) as usize)
        .map(|at| {
            let bits = number::element(array.dtype, &array.bytes, at);
            match array.dtype.is_float() {
                true => format!("{:.6e}", number::decode(array.dtype, bits)),
                false => number::decode_int(array.dtype, bits).to_string(),
            }
        })
        .collect();
    let more = if elems > 6 { " ..." } else { "" };
    format!("{}{more}", shown.join(" "))
}

/// Encodes every file, then writes them all.
fn write_all(outputs: &Named, targets: &[(&str, PathBuf)]) -> Result<(), Failure> {
    let mut by_file: BTreeMap<&Path, Vec<(&str, &Array)>> = BTreeMap::new();
    for (name, path) in targets {
        let array = outputs.iter().find(|(n, _)| n == name).map(|(_, a)| a);
        by_file.entry(path).or_default().push((name, array.expect("checked before the run")));
    }
    let mut encoded = Vec::new();
    for (path, arrays) in &by_file {
        encoded.push((*path, files::encode(path, arrays)?));
    }
    Ok(files::write_together(&encoded)?)
}
