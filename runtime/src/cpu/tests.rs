//! What only the inside can show: the portable form, and faults that `verify` keeps from the sanitizer.

use super::{Cpu, fast, grid::Outcome, memory::with_bound, reference};
use crate::{Device, FaultCause, LaunchArg, LoadOptions, Memory};
use evenweave_codegen::{Optimise, Target, prepare};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    generate::{Argument, Options, arguments, generate, pack},
    ir::{Kernel, Op, Type},
    launch,
    ops::{CompareOp, IdOp, VoteOp},
};

/// The bytes of all memory after a launch with the plain interpreter, or with a form of the fast one.
fn bytes(
    cpu: &Cpu,
    kernel: &Kernel,
    args: &[Argument],
    level: Option<fast::Level>,
) -> Vec<Vec<u8>> {
    let legal = prepare(kernel, Target::Cpu, Optimise::No).unwrap();
    let shapes: Vec<_> = args.iter().map(Argument::shape).collect();
    let grid = launch::check(kernel, &shapes).unwrap();
    let memory: Vec<Memory> = args
        .iter()
        .filter_map(|arg| match arg {
            Argument::Scalar(..) => None,
            Argument::Buffer(dtype, words) | Argument::View(dtype, words, _) => {
                let memory = cpu.alloc(*dtype, words.len() as u64).unwrap();
                cpu.write(&memory, &pack(*dtype, words)).unwrap();
                Some(memory)
            }
        })
        .collect();
    let mut next = memory.iter();
    let mut take = || next.next().expect("one a buffer");
    let launch: Vec<LaunchArg> = args
        .iter()
        .map(|arg| match arg {
            Argument::Scalar(dtype, bits) => LaunchArg::Scalar(*dtype, *bits),
            Argument::Buffer(..) => LaunchArg::Buffer(take()),
            Argument::View(_, _, layout) => LaunchArg::View(take(), layout.clone()),
        })
        .collect();
    let options = LoadOptions::default();
    let outcome = with_bound(&legal, &launch, |bound| match level {
        None => reference::run(&legal, &options, bound, grid),
        Some(level) => fast::run(&fast::compile(&legal), &options, level, bound, grid),
    });
    assert_eq!(outcome.faults, []);
    memory.iter().map(|m| cpu.read(m).unwrap()).collect()
}

#[test]
fn both_forms_give_the_same_bits() {
    let cpu = Cpu::new();
    let ways = [None, Some(fast::Level::Portable), Some(fast::Level::detect())];
    for seed in 1000..1100 {
        let kernel = generate(seed, &Options::default());
        let args = arguments(&kernel, seed);
        let [plain, portable, best] = ways.map(|way| bytes(&cpu, &kernel, &args, way));
        assert_eq!(plain, portable, "seed {seed}");
        assert_eq!(plain, best, "seed {seed}");
    }
}

/// A kernel of 64 threads whose body is written by `f`, run under the sanitizer without `verify`.
fn sanitized(f: impl FnOnce(&mut Builder)) -> Outcome {
    let mut b = Builder::new("unverified");
    b.kernel_mut().group = [64, 1, 1];
    let loc = b.locate("unverified.rs", 7);
    b.set_loc(loc);
    f(&mut b);
    let kernel = b.finish();
    let options = LoadOptions { sanitize: true, ..LoadOptions::default() };
    reference::run(&kernel, &options, &[], [1, 1, 1])
}

/// Opens an `if` that threads below `limit` take.
fn below(b: &mut Builder, limit: u64) {
    let (thread, limit) = (b.id(IdOp::Thread), b.constant(DType::U32, limit));
    let cond = b.push(Op::Compare(CompareOp::Lt, thread, limit), Type::Scalar(DType::Bool));
    b.begin_if(cond);
}

fn close(b: &mut Builder) {
    b.close_block();
}

#[test]
fn a_barrier_in_parted_flow_is_found_while_running() {
    let at = |limit: u64| {
        sanitized(|b| {
            below(b, limit);
            b.push_unit(Op::Barrier);
            close(b);
        })
    };
    assert_eq!(at(64).faults, []);
    assert_eq!(at(0).faults, []);
    let faults = at(48).faults;
    let cause = FaultCause::Divergent { op: "barrier", scope: "group", present: 48, expected: 64 };
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].cause, cause);
    assert_eq!(
        faults[0].to_string(),
        "unverified (unverified.rs:7): `barrier` is reached by 48 of the 64 threads of its group, \
         thread (0, 0, 0) of group (0, 0, 0)"
    );
}

#[test]
fn a_vote_needs_whole_subgroups() {
    let at = |limit: u64| {
        sanitized(|b| {
            below(b, limit);
            let yes = b.constant(DType::Bool, 1);
            b.push(Op::Vote(VoteOp::All, yes), Type::Scalar(DType::Bool));
            close(b);
        })
    };
    // A whole subgroup may be elsewhere.
    assert_eq!(at(32).faults, []);
    let faults = at(40).faults;
    let cause = FaultCause::Divergent { op: "all", scope: "subgroup", present: 8, expected: 32 };
    assert_eq!((faults.len(), &faults[0].cause), (1, &cause));
    assert_eq!(faults[0].place.thread, [32, 0, 0]);
}

#[test]
fn a_register_is_read_after_it_is_set() {
    let at = |limit: u64| {
        sanitized(|b| {
            let var = b.var("sum", DType::U32);
            let zero = b.constant(DType::U32, 0);
            below(b, limit);
            b.push_unit(Op::Set(var, zero));
            close(b);
            b.push(Op::Get(var), Type::Scalar(DType::U32));
        })
    };
    assert_eq!(at(64).faults, []);
    let faults = at(10).faults;
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].cause, FaultCause::Uninitialised { what: "register `sum`".into() });
    assert_eq!(faults[0].place.thread, [10, 0, 0]);
}

#[test]
fn prints_come_in_the_order_of_groups_and_threads() {
    let mut b = Builder::new("prints");
    b.kernel_mut().group = [2, 1, 1];
    b.kernel_mut().grid[0] = 300u32.into();
    let group = b.id(IdOp::GroupX);
    b.push_unit(Op::Print("group {} of {}".into(), vec![group]));
    let kernel = b.finish();
    let options = LoadOptions::default();
    let fast =
        fast::run(&fast::compile(&kernel), &options, fast::Level::detect(), &[], [300, 1, 1]);
    let plain = reference::run(&kernel, &options, &[], [300, 1, 1]);
    assert_eq!(fast.prints, plain.prints);
    assert_eq!(fast.prints.len(), 600);
    assert_eq!(fast.prints[401], "thread (1, 0, 0) of group (200, 0, 0): group 200 of {}");
}

#[test]
fn an_endless_loop_is_a_fault() {
    let mut b = Builder::new("endless");
    b.kernel_mut().group = [32, 1, 1];
    let loc = b.locate("endless.rs", 3);
    b.set_loc(loc);
    b.begin_loop();
    b.close_block();
    let kernel = b.finish();
    let options = LoadOptions { budget_rounds: 1000, ..LoadOptions::default() };
    let fast = fast::run(&fast::compile(&kernel), &options, fast::Level::detect(), &[], [2, 1, 1]);
    let plain = reference::run(&kernel, &options, &[], [2, 1, 1]);
    assert_eq!(fast.faults, plain.faults);
    assert_eq!(
        fast.faults[0].to_string(),
        "endless (endless.rs:3): the loops of a group went round more than 1000 times, \
         thread (0, 0, 0) of group (0, 0, 0)"
    );
}
