//! The judge against kernels that are broken in known ways: each fails, and for the right reason.

use super::{
    compare::Difference,
    mutate::{At, Damage, Mutant, apply, mutants},
    trial::{Trial, Verdict},
};
use evenweave::Device;
use evenweave_kernels::{case::Case, entry::TensorDesc, find, pattern::Pattern, plan::Plan};
use evenweave_lang::{dtype::DType, verify::verify};

const ELEMS: u32 = 300;

fn case() -> Case {
    Case::new("test", DType::F32)
        .input("gate", &[ELEMS], Pattern::normal(1))
        .input("up", &[ELEMS], Pattern::normal(2))
        .bound(evenweave_kernels::case::Bound::Ulp(4.0))
}

fn trial(case: Case) -> Trial {
    Trial::of_case(find("swiglu").unwrap(), case).unwrap()
}

fn cpu() -> Device {
    Device::open("cpu").unwrap()
}

/// The plan with the damage done to the parameter of this name.
fn damaged(trial: &Trial, param: &str, damage: Damage) -> Plan {
    let mut plan = trial.plan.clone();
    let kernel = &mut plan.steps.last_mut().unwrap().kernel;
    let param = kernel.params.iter().position(|p| p.name == param).unwrap();
    let mutant = Mutant { at: At::Param(param), damage };
    assert!(mutants(kernel).contains(&mutant));
    *kernel = apply(kernel, mutant);
    verify(kernel).unwrap();
    plan
}

#[test]
fn each_damage_is_seen_for_what_it_is() {
    let trial = trial(case());
    let device = cpu();
    assert!(matches!(trial.run(&device).verdict, Verdict::Pass));
    let last = ELEMS as usize - 1;
    let judge =
        |param, damage| match trial.run_plan(&device, &damaged(&trial, param, damage)).verdict {
            Verdict::Mismatch(difference) => difference,
            other => panic!("{param} {damage:?}: {other:?}"),
        };
    let unwritten = |at| Difference::Unwritten { output: "y".into(), at };
    assert_eq!(judge("y", Damage::NoStore), unwritten(0));
    assert_eq!(judge("y", Damage::StoreNext), unwritten(0));
    assert_eq!(judge("y", Damage::NoLast), unwritten(last));
    for (param, damage) in [
        ("y", Damage::Zeros),
        ("y", Damage::Nan),
        ("gate", Damage::LoadNext),
        ("up", Damage::LoadNext),
        ("gate", Damage::Swapped),
        ("up", Damage::Swapped),
    ] {
        let difference = judge(param, damage);
        assert!(matches!(difference, Difference::Value { at: 0, .. }), "{damage:?} {difference}");
    }
}

/// A row of 320 columns is two whole rounds of the 128 that a subgroup takes, and a half: without that the sum lacks 64 terms.
#[test]
fn a_loop_without_its_last_round_is_seen() {
    let rows = |columns: u32| {
        let case = Case::new("test", DType::F32);
        let case = case.input("a", &[1, columns], Pattern::Constant(1.0));
        case.input("x", &[columns], Pattern::Constant(1.0))
    };
    let device = cpu();
    let judge = |columns: u32| {
        let trial = Trial::of_case(find("gemv").unwrap(), rows(columns)).unwrap();
        let mut plan = trial.plan.clone();
        let kernel = &mut plan.steps[0].kernel;
        let tails = mutants(kernel).into_iter().filter(|m| m.damage == Damage::NoTail);
        let tails: Vec<Mutant> = tails.collect();
        assert_eq!(tails.len(), 1);
        *kernel = apply(kernel, tails[0]);
        verify(kernel).unwrap();
        trial.run_plan(&device, &plan).verdict
    };
    assert!(matches!(judge(256), Verdict::Pass));
    let verdict = judge(256 + 64);
    assert!(matches!(verdict, Verdict::Mismatch(Difference::Value { at: 0, .. })), "{verdict:?}");
}

#[test]
fn a_reason_makes_a_difference_known_and_nothing_else() {
    let device = cpu();
    let trial = trial(case().hard("zeros are hard"));
    assert!(matches!(trial.run(&device).verdict, Verdict::Pass));
    let broken = trial.run_plan(&device, &damaged(&trial, "y", Damage::Zeros)).verdict;
    assert!(matches!(broken, Verdict::KnownHard { reason: "zeros are hard", .. }), "{broken:?}");
    assert!(!broken.is_failure() && broken.word() == "KNOWN_HARD");
}

#[test]
fn nothing_to_compare_fails_unless_the_case_says_so() {
    let device = cpu();
    let empty = || {
        Case::new("empty", DType::F32).input("gate", &[0], Pattern::normal(1)).input(
            "up",
            &[0],
            Pattern::normal(2),
        )
    };
    let verdict = trial(empty()).run(&device).verdict;
    assert!(matches!(verdict, Verdict::Mismatch(Difference::Nothing)), "{verdict:?}");
    assert!(matches!(trial(empty().empty()).run(&device).verdict, Verdict::Pass));
    let verdict = trial(case().empty()).run(&device).verdict;
    assert!(matches!(verdict, Verdict::Mismatch(Difference::NotEmpty { .. })), "{verdict:?}");
}

#[test]
fn a_wrong_launch_and_a_fault_are_errors() {
    let device = cpu();
    let trial = trial(case());
    let mut short = trial.plan.clone();
    short.outputs[0].1 = TensorDesc::new(DType::F32, &[ELEMS - 1]);
    let verdict = trial.run_plan(&device, &short).verdict;
    assert!(matches!(verdict, Verdict::Error(_)), "{verdict:?}");
    let bad = Case::new("bad", DType::F32).input("gate", &[3], Pattern::normal(1));
    let error = Trial::of_case(find("swiglu").unwrap(), bad).err().unwrap();
    assert!(error.contains("`up` is missing"), "{error}");
}

#[test]
fn bits_that_differ_are_shown() {
    let trial = trial(case());
    let a = trial.run(&cpu()).outputs.unwrap();
    assert_eq!(trial.first_difference(&a, &a), None);
    let mut b = a.clone();
    b[0][4 * 7] ^= 1;
    let difference = trial.first_difference(&a, &b).unwrap();
    assert!(matches!(&difference, Difference::Bits { at: 7, .. }), "{difference}");
}
