//! The generator keeps its promises, and reaches everything.

use super::*;
use crate::{
    launch,
    ops::*,
    text::{parse, print},
};
use std::collections::BTreeSet;

fn loud() -> Options {
    Options { tier: Tier::Bounded, prints: true, ..Options::default() }
}

#[test]
fn a_seed_gives_one_kernel() {
    for seed in 0..20 {
        assert_eq!(generate(seed, &loud()), generate(seed, &loud()));
    }
    assert_ne!(generate(1, &loud()), generate(2, &loud()));
}

/// `generate` verifies each kernel.
#[test]
fn a_thousand_kernels_print_and_parse_and_are_compact() {
    for seed in 0..1000 {
        let kernel = generate(seed, &loud());
        assert!(kernel.compact() == kernel, "seed {seed}");
        let text = print(&kernel);
        match parse(&text) {
            Ok(read) => assert!(read == kernel, "seed {seed}"),
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
}

/// The word of an operation, with what it combines.
fn word(op: &Op) -> String {
    match op {
        Op::Reduce(reach, op, _) => format!("{} {}", reach.name(), op.name()),
        op => op.name().to_string(),
    }
}

fn every_word() -> BTreeSet<String> {
    let mut all: BTreeSet<String> = [
        "const",
        "scalar",
        "length",
        "extent",
        "stride",
        "offset",
        "fma",
        "select",
        "cast",
        "bitcast",
        "load",
        "store",
        "pack",
        "extract",
        "get",
        "set",
        "compare_exchange",
        "barrier",
        "group_broadcast",
        "if",
        "for",
        "loop",
        "scope",
        "break",
        "continue",
        "return",
        "assert",
        "print",
    ]
    .map(String::from)
    .into();
    all.extend(IdOp::ALL.iter().map(|op| op.name().to_string()));
    all.extend(UnaryOp::ALL.iter().map(|op| op.name().to_string()));
    all.extend(BinaryOp::ALL.iter().map(|op| op.name().to_string()));
    all.extend(CompareOp::ALL.iter().map(|op| op.name().to_string()));
    all.extend(ShuffleOp::ALL.iter().map(|op| op.name().to_string()));
    all.extend(VoteOp::ALL.iter().map(|op| op.name().to_string()));
    all.extend(AtomicOp::ALL.iter().map(|op| op.name().to_string()));
    for reach in Reach::ALL {
        all.extend(ReduceOp::ALL.iter().map(|op| format!("{} {}", reach.name(), op.name())));
    }
    all
}

#[test]
fn every_operation_occurs_within_200_seeds() {
    let mut seen = BTreeSet::new();
    for seed in 0..200 {
        seen.extend(generate(seed, &loud()).insts.iter().map(|inst| word(&inst.op)));
    }
    let all = every_word();
    let missing: Vec<&String> = all.difference(&seen).collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
    let unknown: Vec<&String> = seen.difference(&all).collect();
    assert!(unknown.is_empty(), "not in the list of this test: {unknown:?}");
}

/// Which dtypes meet which operations matters as much as that they occur.
#[test]
fn every_operation_meets_every_dtype_within_1000_seeds() {
    let (mut seen, mut want) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..1000 {
        let kernel = generate(seed, &loud());
        for inst in &kernel.insts {
            let of = |v: Value| kernel[v].ty.dtype().expect("operands have values");
            match inst.op {
                Op::Unary(op, a) => seen.insert(format!("{} {}", op.name(), of(a))),
                Op::Binary(op, a, _) => seen.insert(format!("{} {}", op.name(), of(a))),
                Op::Cast(a) => seen.insert(format!("cast {} {}", of(a), inst.ty.dtype().unwrap())),
                Op::Load(at @ Place::Param(_), _) => {
                    seen.insert(format!("load {}", kernel.place_dtype(at)))
                }
                Op::Store(at @ Place::Param(_), ..) => {
                    seen.insert(format!("store {}", kernel.place_dtype(at)))
                }
                Op::For { start, .. } => seen.insert(format!("for {}", of(start))),
                _ => false,
            };
        }
    }
    for &dtype in DType::ALL {
        want.insert(format!("load {dtype}"));
        want.insert(format!("store {dtype}"));
        if dtype.is_value() && dtype.is_int() {
            want.insert(format!("for {dtype}"));
        }
        for op in UnaryOp::ALL.iter().filter(|op| op.accepts().holds(dtype)) {
            want.insert(format!("{} {dtype}", op.name()));
        }
        for op in BinaryOp::ALL.iter().filter(|op| op.accepts().holds(dtype)) {
            want.insert(format!("{} {dtype}", op.name()));
        }
        for to in DType::ALL.iter().filter(|to| to.is_value() && dtype.is_value()) {
            want.insert(format!("cast {dtype} {to}"));
        }
    }
    let missing: Vec<&String> = want.difference(&seen).collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
}

/// Group operations are not only there, they are also inside loops and branches.
#[test]
fn group_operations_occur_inside_other_constructs() {
    let mut inside = BTreeSet::new();
    for seed in 0..200 {
        let kernel = generate(seed, &loud());
        for v in kernel.insts.iter().flat_map(|inst| inst.op.bodies()) {
            inside.extend(kernel[v].iter().map(|&v| kernel[v].op.name()));
        }
    }
    for op in ["barrier", "group_broadcast", "reduce", "shuffle_xor", "atomic_add", "for", "return"]
    {
        assert!(inside.contains(op), "{op}");
    }
}

#[test]
fn options_are_kept() {
    let dtypes = vec![DType::F32, DType::I32, DType::F4E2M1];
    let options = Options {
        dtypes,
        subgroups: false,
        vectors: false,
        tier: Tier::Exact,
        ..Options::default()
    };
    // Indices of views and lengths are u64 by definition.
    let allowed = [DType::F32, DType::I32, DType::Bool, DType::U32, DType::U64];
    for seed in 0..100 {
        let kernel = generate(seed, &options);
        assert_eq!(kernel.tier(), Tier::Exact, "seed {seed}");
        for inst in &kernel.insts {
            let dtype = inst.ty.dtype();
            assert!(dtype.is_none_or(|d| allowed.contains(&d)), "seed {seed}: {inst:?}");
            let is_vector = matches!(inst.ty, Type::Vector(..));
            let is_subgroup = matches!(inst.op, Op::Shuffle(..) | Op::Vote(..) | Op::Reduce(..));
            assert!(!is_vector && !is_subgroup, "seed {seed}: {inst:?}");
            assert!(!matches!(inst.op, Op::Print(..)), "seed {seed}");
        }
    }
}

#[test]
fn arguments_fit_the_kernel() {
    for seed in 0..200 {
        let kernel = generate(seed, &loud());
        let arguments = arguments(&kernel, seed);
        let shapes: Vec<_> = arguments.iter().map(Argument::shape).collect();
        let grid = launch::check(&kernel, &shapes).unwrap_or_else(|error| panic!("{error}"));
        assert!(grid.iter().all(|&groups| groups > 0), "seed {seed}");
        for argument in &arguments {
            let (dtype, elems) = match argument {
                Argument::Scalar(dtype, bits) => (*dtype, std::slice::from_ref(bits)),
                Argument::Buffer(dtype, elems) | Argument::View(dtype, elems, _) => {
                    (*dtype, &elems[..])
                }
            };
            let most = u64::MAX >> (64 - dtype.bits());
            assert!(elems.iter().all(|&bits| bits <= most), "seed {seed}");
            let bytes = dtype.bytes_for(elems.len() as u64).unwrap();
            assert_eq!(pack(dtype, elems).len() as u64, bytes);
        }
    }
}

#[test]
fn bytes_are_little_endian_and_nibbles_low_first() {
    assert_eq!(pack(DType::U4, &[1, 2, 3]), [0x21, 0x03]);
    assert_eq!(pack(DType::U16, &[0x0102, 0x0304]), [2, 1, 4, 3]);
    assert_eq!(pack(DType::Bool, &[1, 0]), [1, 0]);
}

/// Changed text is read, or refused with a place; what is read is judged. Nothing panics.
#[test]
fn damaged_text_is_an_error_or_a_kernel() {
    let options = Options { statements: 12, ..loud() };
    let mut rng = Rng(7);
    let (mut refused, mut malformed) = (0, 0);
    for seed in 0..1000 {
        let text = print(&generate(seed % 10, &options));
        let words = [
            "v1",
            "v9",
            "f32",
            "u64x3",
            "{",
            "}",
            "@",
            "\"",
            ";",
            "-",
            "999999999999",
            "loop {",
            "\u{e9}",
            "barrier",
            "nan",
        ];
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(chars.len() as u32) as usize;
            let digit = (at..chars.len()).find(|&i| chars[i].is_ascii_digit());
            match (rng.below(8), digit) {
                (0, _) => drop(chars.remove(at)),
                (1, _) => chars[at] = rng.pick(&['0', 'v', 'f', ' ', '[', ',', '#', '.']),
                (2, _) => drop(chars.splice(at..at, rng.pick(&words).chars())),
                (3, _) => {
                    let end = (at + rng.below(40) as usize).min(chars.len());
                    drop(chars.drain(at..end));
                }
                (_, Some(digit)) => chars[digit] = rng.pick(&['0', '1', '2', '3', '4', '6']),
                (_, None) => {}
            }
        }
        let text: String = chars.into_iter().collect();
        match parse(&text) {
            Ok(kernel) => {
                malformed += u32::from(verify(&kernel).is_err());
                print(&kernel.compact());
            }
            Err(error) => {
                let line = text.lines().nth(error.line as usize - 1).unwrap_or("");
                assert!(error.column as usize <= line.chars().count() + 1, "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 50 && malformed > 20, "{refused} refused, {malformed} malformed");
}
