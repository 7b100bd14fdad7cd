//! Planted faults are found, at the operation that has them.

use super::{
    find::{Trail, find},
    kernel::{Judges, smaller},
    launch::{Comparison, compare, first_element, outputs, ulps},
};
use crate::{
    commands::diverge::{Report, diverge},
    liars::{Lie, liar},
};
use evenweave::{Device, LoadOptions, OpenOptions};
use evenweave_codegen::{Watch, watch};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    eval,
    generate::{Argument, Options, arguments, generate},
    ir::{Access, Kernel, Op, ParamKind, Place, Type},
    launch::Len,
    ops::{BinaryOp, IdOp, ShuffleOp, Tier},
    verify::verify,
};
use std::time::Duration;

fn cpu(options: LoadOptions) -> Device {
    Device::open_with("cpu", &OpenOptions::default(), options).unwrap()
}

fn oracle() -> Device {
    cpu(LoadOptions { optimise: false, budget_rounds: 1 << 20, ..LoadOptions::default() })
}

fn watched() -> Device {
    cpu(LoadOptions {
        sanitize: true,
        optimise: false,
        budget_rounds: 1 << 20,
        ..LoadOptions::default()
    })
}

/// What `diverge` says of an operation on a device.
fn ask(operation: &str, device: &Device) -> (Report, String) {
    let entry = evenweave::operation(operation).unwrap();
    let cases = (entry.cases)(entry);
    let mut text = Vec::new();
    let report = diverge(&mut text, entry, &cases, &oracle(), device).unwrap();
    (report, String::from_utf8(text).unwrap())
}

#[test]
fn an_honest_device_does_not_differ() {
    let (report, text) = ask("softmax", &cpu(LoadOptions::default()));
    assert!(matches!(report, Report::Same { compared, refused: 0 } if compared > 3), "{text}");
}

#[test]
fn an_fma_that_rounds_twice_is_found() {
    let (report, text) = ask("layer_norm", &liar(Lie::FmaRoundsTwice));
    let Report::Differs { first, shrunk, request, .. } = report else { panic!("{text}") };
    for trail in [first, shrunk] {
        let Trail::Value(found) = trail else { panic!("{text}") };
        assert_eq!(found.operation, "fma f32", "{text}");
        assert!(found.site.contains("kernels/src/"), "{text}");
        let [a, b, c] = [0, 1, 2].map(|i| {
            assert!(!found.operands[i].differs(), "{text}");
            found.operands[i].want[0]
        });
        let product = eval::binary(BinaryOp::Mul, DType::F32, a, b).unwrap();
        assert_eq!(found.result.want, [eval::fma(DType::F32, a, b, c).unwrap()], "{text}");
        let twice = eval::binary(BinaryOp::Add, DType::F32, product, c).unwrap();
        assert_eq!(found.result.got, [twice], "{text}");
    }
    assert!(request.inputs.values().all(|d| d.elems() <= 2), "{text}");
    assert!(text.contains("ULP off"), "{text}");
}

#[test]
fn an_addition_that_flushes_is_found() {
    let (report, text) = ask("add", &liar(Lie::AddFlushes));
    let Report::Differs { shrunk: Trail::Value(found), request, .. } = report else {
        panic!("{text}")
    };
    assert_eq!(found.operation, "add f32", "{text}");
    let [a, b] = [0, 1].map(|i| found.operands[i].want[0]);
    assert_eq!(found.result.want, [eval::binary(BinaryOp::Add, DType::F32, a, b).unwrap()]);
    let magnitude = found.result.want[0] & 0x7fff_ffff;
    assert!(magnitude > 0 && magnitude < 0x80_0000, "{text}");
    assert_eq!(found.result.got[0] & 0x7fff_ffff, 0, "{text}");
    assert!(request.inputs.values().all(|d| d.elems() == 1), "{text}");
}

/// A sum over the lanes, three rounds of it, whose second exchange is by 4.
fn lane_sums() -> (Kernel, Vec<Argument>) {
    let mut b = Builder::new("lane_sums");
    let n = Len::from(64u32);
    let buffer = |access| ParamKind::Buffer { dtype: DType::U32, access, len: n.clone() };
    let x = b.param("x", buffer(Access::In));
    let y = b.param("y", buffer(Access::Out));
    b.kernel_mut().group = [64, 1, 1];
    let u32 = Type::Scalar(DType::U32);
    let thread = b.id(IdOp::Thread);
    let sum = b.var("sum", DType::U32);
    let first = b.push(Op::Load(Place::Param(x), thread), u32);
    b.push_unit(Op::Set(sum, first));
    let [start, end, step] = [0, 3, 1].map(|bits| b.constant(DType::U32, bits));
    let round = b.begin_for(start, end, step);
    // 2, 4, 8
    let two = b.constant(DType::U32, 2);
    let mask = b.push(Op::Binary(BinaryOp::Shl, two, round), u32);
    let old = b.push(Op::Get(sum), u32);
    let line = b.locate("lane_sums.rs", 42);
    b.set_loc(line);
    let other = b.push(Op::Shuffle(ShuffleOp::Xor, old, mask), u32);
    let new = b.push(Op::Binary(BinaryOp::Add, old, other), u32);
    b.push_unit(Op::Set(sum, new));
    b.close_block();
    let last = b.push(Op::Get(sum), u32);
    b.push_unit(Op::Store(Place::Param(y), thread, last));
    let words = (0..64).map(|i| i * i).collect();
    let args = vec![Argument::Buffer(DType::U32, words), Argument::Buffer(DType::U32, vec![0; 64])];
    (b.finish().compact(), args)
}

#[test]
fn a_shuffle_with_the_wrong_mask_is_found_in_its_round() {
    let (kernel, args) = lane_sums();
    verify(&kernel).unwrap();
    let device = liar(Lie::ShuffleXorMissesFour);
    let Trail::Value(found) = find(&kernel, &args, &oracle(), &device).unwrap() else {
        panic!("not found")
    };
    assert_eq!(
        (found.operation.as_str(), found.site.as_str()),
        ("shuffle_xor u32", "lane_sums.rs:42")
    );
    assert_eq!((found.place.thread, found.lane), ([0, 0, 0], 0));
    let [value, mask] = [0, 1].map(|i| found.operands[i].want.clone());
    // Lane 0 holds 0² + 2² after the first round; lane 4 has 4² + 6², lane 2 has 2² + 0².
    assert_eq!((value, mask), (vec![4], vec![4]));
    assert_eq!((found.result.want, found.result.got), (vec![16 + 36], vec![4]));
}

/// Watching changes nothing, and what optimisation does to a kernel is not taken for a difference.
#[test]
fn watched_kernels_are_well_formed_and_do_the_same() {
    let (plain, optimised) = (oracle(), cpu(LoadOptions::default()));
    let mut eventful = 0;
    for seed in 0..60 {
        let kernel = generate(seed, &Options::default());
        let args = arguments(&kernel, seed);
        let watched = watch(&kernel, Watch::Digest).kernel.compact();
        verify(&watched).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let want = outputs(&plain, &kernel, &args).unwrap();
        let shown = find(&kernel, &args, &plain, &optimised).unwrap();
        assert_eq!(shown, Trail::Hidden, "seed {seed}");
        let shapes: Vec<_> = args.iter().map(Argument::shape).collect();
        let grid = evenweave_lang::launch::check(&kernel, &shapes).unwrap();
        let threads = grid.iter().product::<u32>() * kernel.group_threads();
        let mut more = args.clone();
        more.push(Argument::Scalar(DType::U32, 1 << 20));
        more.push(Argument::Buffer(DType::U32, vec![0; 3 * threads as usize]));
        let got = outputs(&plain, &watched, &more).unwrap();
        assert_eq!(first_element(&kernel, &want, &got), None, "seed {seed}");
        let events = got.last().unwrap().chunks(3).map(|w| w[1]).max();
        eventful += u32::from(events > Some(20));
    }
    // In the others, threads go by what atomic updates gave them.
    assert!(eventful >= 45, "{eventful}");
}

#[test]
fn random_kernels_that_a_liar_gets_wrong_become_small() {
    let (plain, watched) = (oracle(), watched());
    for lie in [Lie::FmaRoundsTwice, Lie::ShuffleXorMissesFour] {
        let device = liar(lie);
        let dtypes = vec![DType::F32];
        let options = Options { tier: Tier::Exact, dtypes, ..Options::default() };
        let wrong = (0..400).find_map(|seed| {
            let kernel = generate(seed, &options);
            let args = arguments(&kernel, seed);
            let found = compare(&kernel, &args, &plain, &device);
            matches!(found, Comparison::Differs(_)).then_some((kernel, args))
        });
        let (kernel, args) = wrong.unwrap_or_else(|| panic!("{lie:?}: no kernel shows it"));
        let judges = Judges { watched: &watched, oracle: &plain, device: &device };
        let small = smaller(&kernel, &args, &judges, Duration::from_secs(60));
        let ops: Vec<_> = small.insts.iter().map(|inst| inst.op.name()).collect();
        let word = if lie == Lie::FmaRoundsTwice { "fma" } else { "shuffle_xor" };
        assert!(small.insts.len() * 6 < kernel.insts.len(), "{lie:?}: {ops:?}");
        assert!(ops.contains(&word), "{lie:?}: {ops:?}");
        let still = compare(&small, &args, &plain, &device);
        assert!(matches!(still, Comparison::Differs(_)), "{still:?}");
    }
}

#[test]
fn distances_count_the_numbers_between() {
    let f = |a: f32, b: f32| ulps(DType::F32, a.to_bits().into(), b.to_bits().into());
    assert_eq!(f(1.0, 1.0 + f32::EPSILON), Some(1));
    assert_eq!(f(0.0, -0.0), Some(0));
    assert_eq!(f(f32::from_bits(1), -f32::from_bits(1)), Some(2));
    assert_eq!((f(f32::NAN, 1.0), ulps(DType::U32, 1, 2)), (None, None));
}
