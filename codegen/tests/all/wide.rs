//! 64-bit integers as pairs of words: the same bits, with nothing of 64 bits left but what parameters give.

use crate::{interpret, random};
use evenweave_codegen::{Cause, Facts, Features, Optimise, Target, prepare, spirv, split_wide};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    eval,
    ir::{Access, Kernel, Op, Param, ParamKind, Place, Space, Type, Value},
    launch::{ArgShape, Len},
    ops::{AtomicOp, BinaryOp, CompareOp, UnaryOp},
    text,
    verify::verify,
};

const WIDE: [DType; 2] = [DType::I64, DType::U64];

fn is_wide(dtype: DType) -> bool {
    WIDE.contains(&dtype)
}

/// The kernel in words; verified, and with no 64-bit integer but as its invariant says.
#[track_caller]
fn split(kernel: &Kernel) -> Kernel {
    let words = split_wide(kernel, Target::Cpu).unwrap().compact();
    verify(&words).unwrap_or_else(|e| panic!("{e}\n{}", text::print(&words)));
    let wide = |v: Value| words[v].ty.dtype().is_some_and(is_wide);
    let is_param = |v: Value| {
        matches!(words[v].op, Op::Scalar(_) | Op::Length(_) | Op::Stride(..) | Op::Offset(_))
    };
    let is_32 = |v: Value| matches!(words[v].op, Op::Const(c) if c.bits == 32);
    for &v in words.blocks.iter().flatten() {
        let inst = &words[v];
        let mut operands = Vec::new();
        inst.op.for_each_operand(|v| operands.push(v));
        let is_allowed = match inst.op {
            Op::Binary(BinaryOp::Shr, x, y) if wide(v) => is_param(x) && is_32(y),
            Op::Cast(_) if !wide(v) => inst.ty == Type::Scalar(DType::U32) || !wide(operands[0]),
            _ if wide(v) => is_param(v) || is_32(v),
            _ => !operands.iter().any(|&v| wide(v)),
        };
        assert!(is_allowed, "v{} is of 64 bits\n{}", v.index(), text::print(&words));
    }
    assert!(words.vars.iter().all(|v| !is_wide(v.dtype)));
    assert!(words.arrays.iter().all(|a| !is_wide(a.dtype)));
    words
}

/// The memory of a kernel as that of its words.
fn words_of(kernel: &Kernel, memory: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let cut = |bits: &u64| [bits & 0xffff_ffff, bits >> 32];
    (kernel.params.iter().zip(memory))
        .map(|(param, elems)| match param.kind {
            ParamKind::Scalar(_) => elems.clone(),
            _ if is_wide(param.kind.dtype()) => elems.iter().flat_map(cut).collect(),
            _ => elems.clone(),
        })
        .collect()
}

#[track_caller]
fn same(what: &str, kernel: &Kernel, words: &Kernel, memory: &[Vec<u64>]) {
    let want = interpret::run(kernel, memory.to_vec()).map(|m| words_of(kernel, &m));
    let got = interpret::run(words, words_of(kernel, memory));
    assert!(got == want, "{what}\n{memory:x?}\n{want:x?}\n{got:x?}\n{}", text::print(words));
}

/// A kernel that stores an operation of scalar parameters.
fn row(from: &[DType], to: DType, op: &dyn Fn(&[Value]) -> Op) -> Kernel {
    let mut b = Builder::new("row");
    let operands: Vec<Value> = (from.iter().enumerate())
        .map(|(i, &dtype)| {
            let param = b.param(format!("x{i}"), ParamKind::Scalar(dtype));
            b.push(Op::Scalar(param), Type::Scalar(dtype))
        })
        .collect();
    let kind = ParamKind::Buffer { dtype: to, access: Access::Out, len: Len::Const(1) };
    let out = b.param("out", kind);
    let v = b.push(op(&operands), Type::Scalar(to));
    let at = b.constant(DType::U32, 0);
    b.push_unit(Op::Store(Place::Param(out), at, v));
    b.finish()
}

/// Integers of all lengths, around powers of two and around ties of f32.
fn integers() -> Vec<u64> {
    let mut rng = random::Rng(7);
    let mut all = random::specials(DType::U64);
    for bit in 0..64 {
        let power = 1u64 << bit;
        all.extend([power, power - 1, power + 1, power.wrapping_neg(), !power]);
        all.push(rng.next() >> bit);
    }
    for shift in 0..40 {
        for tie in [0x100_0001u64, 0x100_0003, 0x1ff_ffff, 0x2_0001, 0x1_0100, 0x1_0180] {
            all.extend([tie << shift, (tie << shift) + 1, (tie << shift) - 1]);
            all.push((tie << shift).wrapping_neg());
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn each_row_of_two_gives_the_bits_of_eval() {
    let mut few = random::specials(DType::U64);
    few.extend([
        5,
        31,
        32,
        33,
        63,
        64,
        65,
        0xffff_ffff,
        1 << 32,
        (1 << 32) + 1,
        0xffff_fffe_0000_0001,
    ]);
    let mut rng = random::Rng(1);
    few.extend((0..24).map(|i| rng.next() >> (i * 5 % 64)));
    for dtype in WIDE {
        for &op in BinaryOp::ALL.iter().filter(|op| op.accepts().holds(dtype)) {
            let words = split(&row(&[dtype, dtype], dtype, &|v| Op::Binary(op, v[0], v[1])));
            for &x in &few {
                for &y in &few {
                    let out = interpret::run(&words, vec![vec![x], vec![y], vec![0; 2]]).unwrap();
                    let got = out[2][0] | out[2][1] << 32;
                    let want = eval::binary(op, dtype, x, y).unwrap();
                    assert_eq!(got, want, "{} {dtype} {x:#x} {y:#x}", op.name());
                }
            }
        }
        for &op in CompareOp::ALL {
            let kernel = row(&[dtype, dtype], DType::Bool, &|v| Op::Compare(op, v[0], v[1]));
            let words = split(&kernel);
            for &x in &few {
                for &y in &few {
                    let out = interpret::run(&words, vec![vec![x], vec![y], vec![0]]).unwrap();
                    let want = eval::compare(op, dtype, x, y).unwrap();
                    assert_eq!(out[2][0] != 0, want, "{} {dtype} {x:#x} {y:#x}", op.name());
                }
            }
        }
    }
}

/// With constants much is folded.
#[test]
fn rows_of_constants_give_the_bits_of_eval() {
    let few = [0, 1, 2, 3, 10, 31, 32, 33, 63, 64, 1 << 31, 1 << 32, u64::MAX, 1 << 63, 7 << 40];
    let mut rng = random::Rng(2);
    let mut others = random::specials(DType::U64);
    others.extend((0..8).map(|_| rng.next()));
    for dtype in WIDE {
        for &op in BinaryOp::ALL.iter().filter(|op| op.accepts().holds(dtype)) {
            for constant in few {
                for first in [true, false] {
                    let mut b = Builder::new("constant");
                    let param = b.param("x", ParamKind::Scalar(dtype));
                    let len = Len::Const(1);
                    let out = b.param("out", ParamKind::Buffer { dtype, access: Access::Out, len });
                    let x = b.push(Op::Scalar(param), Type::Scalar(dtype));
                    let c = b.constant(dtype, constant);
                    let [l, r] = if first { [c, x] } else { [x, c] };
                    let v = b.push(Op::Binary(op, l, r), Type::Scalar(dtype));
                    let at = b.constant(DType::U32, 0);
                    b.push_unit(Op::Store(Place::Param(out), at, v));
                    let kernel = b.finish();
                    let words = split(&kernel);
                    for &x in &others {
                        same(op.name(), &kernel, &words, &[vec![x], vec![0]]);
                    }
                }
            }
        }
    }
}

#[test]
fn each_row_of_one_gives_the_bits_of_eval() {
    for dtype in WIDE {
        for &op in UnaryOp::ALL.iter().filter(|op| op.accepts().holds(dtype)) {
            let kernel = row(&[dtype], dtype, &|v| Op::Unary(op, v[0]));
            let words = split(&kernel);
            for x in integers() {
                same(op.name(), &kernel, &words, &[vec![x], vec![0]]);
            }
        }
    }
}

#[test]
fn conversions_give_the_bits_of_eval() {
    for wide in WIDE {
        for other in random::value_dtypes().into_iter().filter(|&d| d != DType::F64) {
            let narrow = row(&[wide], other, &|v| Op::Cast(v[0]));
            let words = split(&narrow);
            for x in integers() {
                same(&format!("{wide} to {other}"), &narrow, &words, &[vec![x], vec![0]]);
            }
            let widen = row(&[other], wide, &|v| Op::Cast(v[0]));
            let words = split(&widen);
            let mut values = random::specials(other);
            if other == DType::F32 {
                values.extend((0..=0x1ff).flat_map(|top: u64| {
                    [0, 1, 0x40_0000, 0x7f_ffff].map(|fraction| top << 23 | fraction)
                }));
            }
            values.iter_mut().for_each(|bits| *bits = eval::canonical(other, *bits));
            for x in values {
                same(&format!("{other} to {wide}"), &widen, &words, &[vec![x], vec![0]]);
            }
        }
    }
}

/// A loop that stores each index, skips one and may end early.
fn counted(dtype: DType) -> Kernel {
    let mut b = Builder::new("counted");
    let ty = Type::Scalar(dtype);
    let bounds = ["start", "end", "step"].map(|name| {
        let param = b.param(name, ParamKind::Scalar(dtype));
        b.push(Op::Scalar(param), ty)
    });
    let buffer = |access| ParamKind::Buffer { dtype, access, len: Len::Const(64) };
    let out = b.param("out", buffer(Access::InOut));
    let at = b.var("at", DType::U32);
    let u32s = Type::Scalar(DType::U32);
    let [zero, one] = [0, 1].map(|n| b.constant(DType::U32, n));
    b.push_unit(Op::Set(at, zero));
    let index = b.begin_for(bounds[0], bounds[1], bounds[2]);
    let place = b.push(Op::Get(at), u32s);
    let next = b.push(Op::Binary(BinaryOp::Add, place, one), u32s);
    b.push_unit(Op::Set(at, next));
    let [second, ninth] = [1, 9].map(|n| {
        let n = b.constant(DType::U32, n);
        b.push(Op::Compare(CompareOp::Eq, place, n), Type::Scalar(DType::Bool))
    });
    for (cond, jump) in [(second, Op::Continue(index)), (ninth, Op::Break(index))] {
        let branch = b.begin_if(cond);
        b.push_unit(jump);
        b.begin_else(branch);
        b.end_if();
    }
    b.push_unit(Op::Store(Place::Param(out), place, index));
    b.close_block();
    b.finish()
}

#[test]
fn loops_form_the_same_indices() {
    let kernel = counted(DType::U64);
    let words = split(&kernel);
    let big = 1u64 << 32;
    let cases = [
        [0, 5, 1],
        [0, 5, 0],
        [5, 5, 1],
        [6, 5, 1],
        [big - 2, big + 3, 2],
        [u64::MAX - 3, u64::MAX, 2],
        [u64::MAX - 3, u64::MAX, u64::MAX],
        [3, u64::MAX, big * 3],
        [0, u64::MAX, 1 << 63],
    ];
    for [start, end, step] in cases {
        let memory = [vec![start], vec![end], vec![step], vec![77; 64]];
        same(&format!("{start} {end} {step}"), &kernel, &words, &memory);
    }
}

#[test]
fn signed_loops_go_through_zero() {
    let words = split(&counted(DType::I64));
    let run = |start: i64, end: i64, step: i64| {
        let memory = vec![vec![start as u64], vec![end as u64], vec![step as u64], vec![77; 128]];
        let out = &interpret::run(&words, memory).unwrap()[3];
        [0, 2, 3].map(|i| (out[2 * i] | out[2 * i + 1] << 32) as i64)
    };
    assert_eq!(run(-4, 4, 2), [-4, 0, 2]);
    assert_eq!(run(i64::MIN, i64::MAX, i64::MAX / 2)[1..], [-2, i64::MAX / 2 - 2]);
    assert_eq!(run(i64::MAX - 1, i64::MAX, 5), [i64::MAX - 1, 77 | 77 << 32, 77 | 77 << 32]);
}

/// Vectors of two, shared and private arrays, registers, 64-bit indices, lengths.
#[test]
fn memory_is_the_same_in_words() {
    let mut b = Builder::new("memory");
    let (u64s, pair) = (Type::Scalar(DType::U64), Type::Vector(DType::U64, 2));
    let buffer = |access| ParamKind::Buffer { dtype: DType::U64, access, len: Len::Const(4) };
    let input = Place::Param(b.param("input", buffer(Access::In)));
    let output = Param::at(1);
    assert_eq!(b.param("output", buffer(Access::InOut)), output);
    let output = Place::Param(output);
    let scratch = Place::Array(b.array("scratch", Space::Private, DType::U64, 4));
    let register = b.var("register", DType::U64);
    let [zero, two, three] = [0, 2, 3].map(|n| b.constant(DType::U64, n));
    let both = b.push(Op::Load(input, two), pair);
    let [left, right] = [0, 1].map(|at| b.push(Op::Extract(both, at), u64s));
    let swapped = b.push(Op::Pack(vec![right, left]), pair);
    b.push_unit(Op::Store(output, zero, swapped));
    b.push_unit(Op::Store(scratch, three, left));
    let from = b.push(Op::Load(scratch, three), u64s);
    b.push_unit(Op::Set(register, from));
    let got = b.push(Op::Get(register), u64s);
    b.push_unit(Op::Store(output, two, got));
    let length = b.push(Op::Length(Param::at(0)), u64s);
    b.push_unit(Op::Store(output, three, length));
    let kernel = b.finish();
    let numbers = [3 << 40, 5, u64::MAX - 1, 0x0123_4567_89ab_cdef];
    let words = split(&kernel);
    same("memory", &kernel, &words, &[numbers.to_vec(), vec![0; 4]]);
    let ParamKind::Buffer { dtype, len, .. } = &words.params[0].kind else { panic!() };
    assert_eq!((*dtype, len), (DType::U32, &Len::Const(8)));
}

#[test]
fn an_index_past_words_does_not_wrap_into_memory() {
    for dtype in [DType::U64, DType::U32] {
        let mut b = Builder::new("past");
        let at = b.param("at", ParamKind::Scalar(DType::U64));
        let len = Len::Const(4);
        let out = b.param("out", ParamKind::Buffer { dtype, access: Access::Out, len });
        let at = b.push(Op::Scalar(at), Type::Scalar(DType::U64));
        let v = b.constant(dtype, 9);
        b.push_unit(Op::Store(Place::Param(out), at, v));
        let kernel = b.finish();
        let words = split(&kernel);
        for at in [0, 3, 4, 1 << 31, (1 << 31) + 1, 1 << 32, (1 << 32) + 1, 1 << 63, u64::MAX] {
            same("past", &kernel, &words, &[vec![at], vec![0; 4]]);
        }
    }
}

#[test]
fn random_kernels_keep_every_bit() {
    let dtypes: Vec<DType> =
        random::value_dtypes().into_iter().filter(|&d| d != DType::F64).collect();
    for seed in 0..400 {
        let (kernel, memory) = random::kernel_of(seed, dtypes.clone());
        let kernel = kernel.compact();
        let words = split(&kernel);
        same(&format!("seed {seed}"), &kernel, &words, &memory);
    }
}

/// A device that has everything but 64-bit numbers.
fn without_int64() -> Facts {
    let features = Features { int64: false, float64: false, ..Facts::IDEAL.features };
    Facts { features, ..Facts::IDEAL }
}

/// Whether the module of a legal kernel asks for 64-bit integers: `OpCapability Int64`.
fn asks_for_int64(legal: &Kernel, facts: &Facts) -> bool {
    let module = spirv::write(legal, facts, spirv::Addressing::Descriptors);
    module.words.windows(2).any(|w| w == [2 << 16 | 17, 11])
}

#[test]
fn modules_for_devices_without_int64_do_not_ask_for_it() {
    let counted = counted(DType::U64);
    for (facts, asks) in [(Facts::IDEAL, true), (without_int64(), false)] {
        let legal = prepare(&counted, Target::Vulkan(facts), Optimise::Yes).unwrap();
        assert_eq!(asks_for_int64(&legal, &facts), asks);
    }
    let dtypes: Vec<DType> = random::value_dtypes().into_iter().filter(|d| !d.is_float()).collect();
    let facts = without_int64();
    for seed in 0..60 {
        let (kernel, memory) = random::kernel_of(seed, dtypes.clone());
        for how in [Optimise::No, Optimise::Yes] {
            let legal = prepare(&kernel, Target::Vulkan(facts), how).unwrap();
            same(&format!("seed {seed}"), &kernel, &legal, &memory);
            assert!(!asks_for_int64(&legal, &facts), "seed {seed}\n{}", text::print(&legal));
        }
    }
}

/// A launch gives elements of 64 bits, the module counts words.
#[test]
fn a_length_is_given_in_words() {
    let facts = without_int64();
    let mut b = Builder::new("length");
    let kind = |dtype| ParamKind::Buffer { dtype, access: Access::Out, len: Len::Const(1) };
    let out = b.param("out", kind(DType::U64));
    let n = b.push(Op::Length(out), Type::Scalar(DType::U64));
    let at = b.constant(DType::U32, 0);
    b.push_unit(Op::Store(Place::Param(out), at, n));
    let legal = prepare(&b.finish(), Target::Vulkan(facts), Optimise::Yes).unwrap();
    let module = spirv::write(&legal, &facts, spirv::Addressing::Descriptors);
    let block = module.block([1; 3], &[ArgShape::Buffer(DType::U64, 3)], &|_| 0);
    assert_eq!(block[..2], [6, 0]);
}

#[test]
fn what_words_cannot_do_is_refused() {
    let mut b = Builder::new("atomic");
    let kind = ParamKind::Buffer { dtype: DType::U64, access: Access::InOut, len: Len::Const(1) };
    let p = b.param("p", kind);
    let [at, v] = [0, 1].map(|n| b.constant(DType::U64, n));
    b.push(Op::Atomic(AtomicOp::Add, Place::Param(p), at, v), Type::Scalar(DType::U64));
    let cause = split_wide(&b.finish(), Target::Cpu).unwrap_err().cause;
    assert!(matches!(cause, Cause::NoOperation { dtype: DType::U64, .. }), "{cause}");

    let double = row(&[DType::U64], DType::F64, &|v| Op::Cast(v[0]));
    let cause = split_wide(&double, Target::Cpu).unwrap_err().cause;
    assert!(matches!(cause, Cause::NoType { dtype: DType::F64, .. }), "{cause}");
}
