//! What every operation must hold, whatever it computes.

use crate::{
    case::{Column, Known},
    entries,
    entry::{Entry, Request, Takes, TensorDesc},
    plan::TensorRef,
};
use evenweave_lang::{dtype::DType, eval, launch::Layout, verify::verify};
use std::collections::{BTreeMap, BTreeSet};

fn words(all: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    all.collect()
}

#[test]
fn names_are_unique_and_signatures_are_whole() {
    let mut seen = BTreeSet::new();
    for entry in entries() {
        assert!(seen.insert(entry.name), "{} is there twice", entry.name);
        let s = &entry.signature;
        let inputs = words(s.inputs.iter().map(|i| i.name));
        for input in s.inputs {
            if let Takes::Like(other) = input.takes {
                assert!(
                    inputs.contains(&other),
                    "{}: `{}` is like nothing",
                    entry.name,
                    input.name
                );
            }
        }
        let given = inputs.iter().copied().chain(s.settings.iter().map(|x| x.name));
        let given = words(given.chain(s.words.iter().map(|w| w.name)));
        let unique: BTreeSet<_> = given.iter().collect();
        assert_eq!(unique.len(), given.len(), "{}: a name stands for two things", entry.name);
        assert!(s.words.iter().all(|w| !w.choices.is_empty()), "{}: no choice", entry.name);
        assert!(!entry.summary.is_empty() && !s.outputs.is_empty(), "{}", entry.name);
    }
}

#[test]
fn every_case_has_its_own_name_and_all_of_its_inputs() {
    for entry in entries() {
        let cases = (entry.cases)(entry);
        assert!(!cases.is_empty(), "{} is not tested", entry.name);
        let mut seen = BTreeSet::new();
        for case in &cases {
            assert!(seen.insert((case.dtype, &case.name)), "{}: `{}` twice", entry.name, case.name);
            assert!(case.request.inputs.keys().eq(case.inputs.keys()), "{}", case.name);
        }
    }
}

/// Plans of all cases: outputs as the signature says, kernels well formed, memory written before it is read.
#[test]
fn every_case_has_a_sound_plan() {
    for entry in entries() {
        for case in (entry.cases)(entry) {
            let at = format!("{}/{}/{}", entry.name, case.dtype, case.name);
            let plan = entry.plan(&case.request).unwrap_or_else(|e| panic!("{at}: {e}"));
            let mut names = entry.signature.outputs.iter().map(|o| o.name);
            for (name, _) in &plan.outputs {
                assert!(names.any(|n| n == name), "{at}: output `{name}` is not in its place");
            }
            let mut used: Vec<&TensorRef> = Vec::new();
            for step in &plan.steps {
                verify(&step.kernel).unwrap_or_else(|e| panic!("{at}: {e}"));
                assert_eq!(step.kernel.params.len(), step.args.len(), "{at}: {}", step.kernel.name);
                used.extend(step.args.iter().filter_map(|a| a.tensor()));
            }
            for (name, _) in &plan.outputs {
                let output = TensorRef::Output(name.clone());
                assert!(used.contains(&&output), "{at}: nothing writes `{name}`");
            }
            assert!((0..plan.temps.len()).all(|t| used.contains(&&TensorRef::Temp(t))), "{at}");
        }
    }
}

/// The same request gives the same plan, and the reference gives what the plan's outputs hold.
#[test]
fn plans_are_pure_and_references_fit() {
    for entry in entries() {
        let case = smallest(entry);
        let plans = [entry.plan(&case.request).unwrap(), entry.plan(&case.request).unwrap()];
        let steps = plans
            .each_ref()
            .map(|p| p.steps.iter().map(|s| (&s.kernel, &s.args)).collect::<Vec<_>>());
        assert!(steps[0] == steps[1], "{}", entry.name);
        let read = |name: &String| {
            let desc = &case.request.inputs[name];
            (name.clone(), Column::read(desc, &case.inputs[name].memory(desc)))
        };
        let columns: BTreeMap<_, _> = case.inputs.keys().map(read).collect();
        let known = Known::new(entry.call(&case.request).unwrap(), columns);
        for (want, (name, desc)) in (entry.reference)(&known).iter().zip(&plans[0].outputs) {
            assert_eq!((want.name, want.values.elems() as u64), (name.as_str(), desc.elems()));
        }
    }
}

fn smallest(entry: &Entry) -> crate::case::Case {
    let elems = |c: &crate::case::Case| c.request.inputs.values().map(|d| d.elems()).sum::<u64>();
    (entry.cases)(entry).into_iter().min_by_key(elems).expect("it is tested")
}

/// The judge's conversions and the language's are written apart; they agree.
#[test]
fn conversions_agree_with_the_language() {
    for &dtype in DType::ALL.iter().filter(|d| d.is_float() && d.bits() <= 8) {
        for code in 0..1u64 << dtype.bits() {
            let ours = crate::number::decode(dtype, code);
            let theirs = f32::from_bits(eval::decode(dtype, code) as u32);
            assert!(
                ours == f64::from(theirs) || ours.is_nan() && theirs.is_nan(),
                "{dtype} {code:#x}"
            );
        }
        for bits in (0..=u32::MAX).step_by(9_973) {
            let x = f32::from_bits(bits);
            let (ours, theirs) =
                (crate::number::encode(dtype, x.into()), eval::encode(dtype, bits.into()));
            assert_eq!(ours, theirs, "{dtype} {x:?}");
        }
    }
    for dtype in [DType::F16, DType::BF16, DType::F64] {
        for bits in (0..=u32::MAX).step_by(9_973) {
            let x = f32::from_bits(bits);
            let ours = crate::number::encode(dtype, x.into());
            assert_eq!(Some(ours), eval::cast(DType::F32, dtype, bits.into()), "{dtype} {x:?}");
        }
    }
}

/// Requests near those of the cases, with ranks, extents, dtypes, settings and layouts that nobody thought of:
/// each gets a plan or an error.
#[test]
fn no_request_makes_a_plan_panic() {
    let mut failures = Vec::new();
    for entry in entries() {
        let cases = (entry.cases)(entry);
        let step = (cases.len() / 6).max(1);
        for case in cases.iter().step_by(step) {
            for (what, request) in strange(&case.request) {
                let plan = std::panic::catch_unwind(|| entry.plan(&request).map(drop));
                if plan.is_err() {
                    failures.push(format!("{}/{}/{}: {what}", entry.name, case.dtype, case.name));
                }
            }
        }
    }
    failures.sort();
    assert!(failures.is_empty(), "{} panics:\n{}", failures.len(), failures.join("\n"));
}

fn strange(request: &Request) -> Vec<(String, Request)> {
    let mut all = Vec::new();
    for (name, desc) in &request.inputs {
        let mut with = |what: &str, desc: TensorDesc| {
            all.push((format!("{name} {what}"), request.clone().input(name, desc)));
        };
        let shape = desc.shape();
        for axis in 0..shape.len() {
            for extent in [0, 1, 3, u32::MAX] {
                let mut shape = shape.to_vec();
                shape[axis] = extent;
                with(&format!("{shape:?}"), TensorDesc::new(desc.dtype, &shape));
            }
            let less: Vec<u32> =
                shape.iter().copied().enumerate().filter(|x| x.0 != axis).map(|x| x.1).collect();
            with(&format!("{less:?}"), TensorDesc::new(desc.dtype, &less));
        }
        let more = [&[2], shape].concat();
        with(&format!("{more:?}"), TensorDesc::new(desc.dtype, &more));
        with("[]", TensorDesc::new(desc.dtype, &[]));
        with("rank 9", TensorDesc::new(desc.dtype, &[1; 9]));
        for &dtype in DType::ALL {
            with(dtype.name(), TensorDesc::new(dtype, shape));
        }
        let far = Layout { offset: u64::MAX, ..desc.layout.clone() };
        with("far away", TensorDesc { dtype: desc.dtype, layout: far });
        let mut without = request.clone();
        without.inputs.remove(name);
        all.push((format!("no {name}"), without));
    }
    for name in request.settings.keys() {
        for x in [-1, 0, 1, 7, 1 << 20, i64::from(u32::MAX), i64::MAX, i64::MIN] {
            all.push((format!("{name} = {x}"), request.clone().set(name, x)));
        }
        for x in [0.5, -1.0, f64::NAN, f64::INFINITY] {
            all.push((format!("{name} = {x}"), request.clone().set(name, x)));
        }
    }
    all
}
