//! Kernels spread over narrower subgroups give the bits of the kernels as written.
//!
//! A spread kernel names its width itself, and the CPU device runs it so. Under the sanitizer that also shows that
//! movements between lanes still stand where whole subgroups come, and that no register is read before it is set.

use crate::random::outputs;
use evenweave_codegen::{Facts, Lanes, Optimise, Target, prepare, spread_lanes};
use evenweave_kernels::{
    case::Case,
    entries,
    plan::{Arg, Plan, TensorRef},
};
use evenweave_lang::{
    dtype::DType,
    generate::{Argument, Options, arguments, generate},
    ir::{Kernel, Op},
    text,
    verify::verify,
};
use evenweave_runtime::{Device, LaunchArg, LoadOptions, Memory, OpenOptions, open};
use std::collections::{BTreeMap, HashSet};

/// Widths of the hardware, and invocations of its groups at most: each width alone, and too few invocations for it.
const HARDWARE: [(Lanes, u32); 8] = [
    (Lanes::Fixed(1), 1024),
    (Lanes::Fixed(2), 1024),
    (Lanes::Fixed(4), 1024),
    (Lanes::Fixed(8), 1024),
    (Lanes::Fixed(16), 1024),
    (Lanes::Fixed(32), 1024),
    (Lanes::Fixed(64), 32),
    (Lanes::Unknown, 64),
];

pub(crate) fn facts((lanes, max_invocations): (Lanes, u32)) -> Facts {
    Facts { lanes, max_invocations, ..Facts::IDEAL }
}

pub(crate) fn cpu() -> Box<dyn Device> {
    open("cpu", &OpenOptions::default()).unwrap()
}

fn moves(kernel: &Kernel) -> bool {
    let is_move = |op: &Op| matches!(op, Op::Shuffle(..) | Op::Vote(..) | Op::Reduce(..));
    kernel.blocks.iter().flatten().any(|&v| is_move(&kernel[v].op))
}

/// The kernel for the hardware, with the lanes that it must have.
fn spread(kernel: &Kernel, facts: &Facts) -> Kernel {
    let new = spread_lanes(kernel, Target::Vulkan(*facts), facts).unwrap().compact();
    verify(&new).unwrap_or_else(|e| panic!("{e}\n{}\n{}", text::print(kernel), text::print(&new)));
    assert!(new.group_threads() <= facts.max_invocations);
    let threads = |k: &Kernel| k.group_threads() / k.lanes;
    if moves(kernel) {
        assert_eq!(threads(&new), threads(kernel), "{}: subgroups", kernel.name);
        if let (Lanes::Fixed(lanes), 1024) = (facts.lanes, facts.max_invocations) {
            assert_eq!(new.lanes, lanes, "{}", kernel.name);
        }
    }
    new
}

/// Runs the kernel as written and on all hardware; `watched` says whether the sanitizer can look on.
#[track_caller]
pub(crate) fn same(kernel: &Kernel, args: &[Argument], watched: bool, what: &str) {
    same_on(&HARDWARE, kernel, args, watched, what);
}

#[track_caller]
fn same_on(
    hardware: &[(Lanes, u32)],
    kernel: &Kernel,
    args: &[Argument],
    watched: bool,
    what: &str,
) {
    let cpu = cpu();
    let plain = LoadOptions { optimise: false, sanitize: watched, ..Default::default() };
    let want = outputs(&*cpu, kernel, args, &plain).unwrap_or_else(|e| panic!("{what}: {e}"));
    for &hardware in hardware {
        let new = spread(kernel, &facts(hardware));
        for options in [plain, LoadOptions::default()] {
            let got = outputs(&*cpu, &new, args, &options);
            let way = if options.optimise { "optimised" } else { "plain" };
            assert!(
                got.as_ref() == Ok(&want),
                "{what}: {way} on {hardware:?}: {:?}\n{}\n{}",
                got.map(|_| "other bits"),
                text::print(kernel),
                text::print(&new),
            );
        }
    }
}

#[test]
fn random_kernels_keep_their_bits_at_every_width() {
    let mut moving = 0;
    for seed in 5000..5500 {
        let kernel = generate(seed, &Options::default());
        moving += u32::from(moves(&kernel));
        // Each kernel on two, each of them with every fourth kernel.
        let hardware = [HARDWARE[seed as usize % 4], HARDWARE[4 + seed as usize % 4]];
        same_on(&hardware, &kernel, &arguments(&kernel, seed), true, &format!("seed {seed}"));
    }
    assert!(moving > 200, "{moving} kernels move anything");
}

/// All of legalisation, where values are stored as they are.
#[test]
fn legal_kernels_keep_their_bits_at_every_width() {
    let dtypes = DType::ALL.iter().copied().filter(|d| d.is_value()).collect();
    let options = Options { dtypes, ..Options::default() };
    let cpu = cpu();
    for seed in 6000..6060 {
        let kernel = generate(seed, &options);
        let args = arguments(&kernel, seed);
        let want = outputs(&*cpu, &kernel, &args, &LoadOptions::default()).unwrap();
        for hardware in HARDWARE {
            for how in [Optimise::No, Optimise::Yes] {
                let legal = prepare(&kernel, Target::Vulkan(facts(hardware)), how).unwrap();
                let plain = LoadOptions { optimise: false, ..Default::default() };
                let got = outputs(&*cpu, &legal, &args, &plain);
                assert_eq!(got.as_ref(), Ok(&want), "seed {seed} on {hardware:?}, {how:?}");
            }
        }
    }
}

/// The bytes of outputs and temporaries after a plan whose kernels are first changed by `f`.
fn run_plan(
    cpu: &dyn Device,
    case: &Case,
    plan: &Plan,
    f: &dyn Fn(&Kernel) -> Kernel,
) -> Vec<Vec<u8>> {
    let zeros = |dtype, elems| {
        let memory = cpu.alloc(dtype, elems).unwrap();
        cpu.fill(&memory, 0).unwrap();
        memory
    };
    let mut memory: BTreeMap<TensorRef, Memory> = BTreeMap::new();
    for (name, desc) in &case.request.inputs {
        let input = cpu.alloc(desc.dtype, desc.layout.span_elems().unwrap()).unwrap();
        cpu.write(&input, &case.inputs[name].memory(desc)).unwrap();
        memory.insert(TensorRef::Input(name.clone()), input);
    }
    for (name, desc) in &plan.outputs {
        memory.insert(TensorRef::Output(name.clone()), zeros(desc.dtype, desc.elems()));
    }
    for (i, desc) in plan.temps.iter().enumerate() {
        memory.insert(TensorRef::Temp(i), zeros(desc.dtype, desc.elems()));
    }
    for step in &plan.steps {
        let args: Vec<LaunchArg> = step
            .args
            .iter()
            .map(|arg| match arg {
                Arg::Buffer(t) => LaunchArg::Buffer(&memory[t]),
                Arg::Bytes(t) => LaunchArg::Bytes(&memory[t]),
                Arg::Words(t) => LaunchArg::Words(&memory[t]),
                Arg::View(t, layout) => LaunchArg::View(&memory[t], layout.clone()),
                Arg::Scalar(dtype, bits) => LaunchArg::Scalar(*dtype, *bits),
            })
            .collect();
        let program = cpu.load(&f(&step.kernel), &LoadOptions::default()).unwrap();
        cpu.launch(&program, &args).unwrap_or_else(|e| panic!("{}: {e}", step.kernel.name));
    }
    memory.values().map(|m| cpu.read(m).unwrap()).collect()
}

/// Every kernel of the corpus that moves values between lanes, in the smallest case that has it.
#[test]
fn the_corpus_keeps_its_bits_at_every_width() {
    let cpu = cpu();
    let (mut seen, mut plans) = (HashSet::new(), 0usize);
    for entry in entries() {
        let mut cases = (entry.cases)(entry);
        let elems = |c: &Case| c.request.inputs.values().map(|d| d.elems()).sum::<u64>();
        cases.sort_by_key(elems);
        for case in cases.iter().filter(|c| (1..=2_000).contains(&elems(c))) {
            let plan = entry.plan(&case.request).unwrap();
            let mut moving = plan.steps.iter().map(|s| &s.kernel).filter(|k| moves(k)).peekable();
            if moving.peek().is_none()
                || moving.filter(|k| seen.insert(k.name.clone())).count() == 0
            {
                continue;
            }
            plans += 1;
            let want = run_plan(&*cpu, case, &plan, &Kernel::clone);
            // Each plan on two of the hardware.
            for hardware in [HARDWARE[plans % 4], HARDWARE[4 + plans % 4]] {
                let got = run_plan(&*cpu, case, &plan, &|k| spread(k, &facts(hardware)));
                assert!(got == want, "{}/{} on {hardware:?}", entry.name, case.name);
            }
        }
    }
    assert!(plans > 50 && seen.len() > 50, "{plans} plans with {} kernels", seen.len());
}
