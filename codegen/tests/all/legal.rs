//! What `legalize` leaves, and what it makes of what it does not leave.

use crate::interpret;
use evenweave_codegen::{Cause, Facts, Optimise, PrepareError, Target, legalize, prepare};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    eval,
    generate::{Options, generate},
    ir::{Access, Kernel, Op, ParamKind, Place, Type, Value},
    launch::Len,
    ops::{BinaryOp, IdOp, Reach, ReduceOp, ShuffleOp, Spelling, UnaryOp},
};

fn fma_kernel(dtype: DType) -> Kernel {
    let mut b = Builder::new("fma");
    let [x, y, z] = ["x", "y", "z"].map(|name| {
        let param = b.param(name, ParamKind::Scalar(dtype));
        b.push(Op::Scalar(param), Type::Scalar(dtype))
    });
    let kind = ParamKind::Buffer { dtype, access: Access::Out, len: Len::Const(1) };
    let out = b.param("out", kind);
    let v = b.push(Op::Fma(x, y, z), Type::Scalar(dtype));
    let at = b.constant(DType::U32, 0);
    b.push_unit(Op::Store(Place::Param(out), at, v));
    prepare(&b.finish(), Target::Cpu, Optimise::No).unwrap()
}

/// Every product of two significands lies on, just above or just below a tie once some tiny `z` joins it;
/// a rounding to f64 first would lose `z`.
#[test]
fn fma_of_sixteen_bits_rounds_once() {
    for (dtype, one, tiny) in [(DType::BF16, 0x3f80, 0x0001), (DType::F16, 0x3c00, 0x0001)] {
        let kernel = fma_kernel(dtype);
        let mut ties = 0;
        for x in (one..one + 128).step_by(3) {
            for y in one..one + 128 {
                for z in [tiny, tiny | 0x8000] {
                    let memory = vec![vec![x], vec![y], vec![z], vec![0]];
                    let got = interpret::run(&kernel, memory).unwrap()[3][0];
                    let want = eval::fma(dtype, x, y, z).unwrap();
                    assert_eq!(got, want, "fma({x:#x}, {y:#x}, {z:#x}) of {dtype}");
                    let product = eval::binary(BinaryOp::Mul, dtype, x, y);
                    ties += u32::from(product != Some(want));
                }
            }
        }
        assert!(ties > 0, "{dtype}: no input tells one rounding from two");
    }
}

/// Writes a row over two operands.
type Row = Box<dyn Fn([Value; 2]) -> Op>;

/// Each table row of each dtype it takes, applied to scalar parameters and stored.
fn row_kernels() -> Vec<(String, DType, Kernel)> {
    let mut kernels = Vec::new();
    for &dtype in DType::ALL {
        let reduces = |op: &&ReduceOp| eval::identity(**op, dtype).is_some();
        let mut rows: Vec<(String, Row)> = Vec::new();
        for &op in UnaryOp::ALL.iter().filter(|op| op.accepts().holds(dtype)) {
            rows.push((op.name().into(), Box::new(move |[x, _]| Op::Unary(op, x))));
        }
        for &op in BinaryOp::ALL.iter().filter(|op| op.accepts().holds(dtype)) {
            rows.push((op.name().into(), Box::new(move |[x, y]| Op::Binary(op, x, y))));
        }
        for &op in ReduceOp::ALL.iter().filter(reduces).filter(|_| dtype.is_value()) {
            for &reach in Reach::ALL {
                let name = format!("{} {}", reach.name(), op.name());
                rows.push((name, Box::new(move |[x, _]| Op::Reduce(reach, op, x))));
            }
        }
        if dtype.is_value() && dtype.is_float() {
            rows.push(("fma".into(), Box::new(|[x, y]| Op::Fma(x, y, x))));
        }
        for (name, op) in rows {
            kernels.push((name, dtype, row_kernel(dtype, &*op)));
        }
    }
    kernels
}

fn row_kernel(dtype: DType, op: &dyn Fn([Value; 2]) -> Op) -> Kernel {
    let mut b = Builder::new("row");
    b.kernel_mut().group = [32, 1, 1];
    let operands = ["x", "y"].map(|name| {
        let param = b.param(name, ParamKind::Scalar(dtype));
        b.push(Op::Scalar(param), Type::Scalar(dtype))
    });
    let kind = ParamKind::Buffer { dtype, access: Access::Out, len: Len::Const(1) };
    let out = b.param("out", kind);
    let v = b.push(op(operands), Type::Scalar(dtype));
    let at = b.constant(DType::U32, 0);
    b.push_unit(Op::Store(Place::Param(out), at, v));
    b.finish()
}

#[test]
fn only_native_rows_remain_for_the_cpu() {
    let halves = [DType::F16, DType::BF16];
    let kernels = row_kernels();
    assert!(kernels.len() > 250, "{} rows", kernels.len());
    for (name, dtype, kernel) in kernels {
        for how in [Optimise::No, Optimise::Yes] {
            let legal = prepare(&kernel, Target::Cpu, how)
                .unwrap_or_else(|e| panic!("{name} of {dtype}: {e}"));
            for inst in &legal.insts {
                let operand = |v: Value| legal[v].ty.dtype().unwrap();
                let (native, dtypes) = match inst.op {
                    Op::Unary(op, a) => (op.cpu() == Spelling::Native, vec![operand(a)]),
                    Op::Binary(op, a, _) => (op.cpu() == Spelling::Native, vec![operand(a)]),
                    Op::Compare(_, a, _) | Op::Fma(a, ..) | Op::Reduce(_, _, a) => {
                        (true, vec![operand(a)])
                    }
                    _ => (true, vec![]),
                };
                let half = dtypes.iter().any(|d| halves.contains(d));
                assert!(native && !half, "{name} of {dtype} leaves {:?}", inst.op);
            }
        }
    }
}

/// The value of a row at `x`, through legalisation.
fn value(dtype: DType, op: UnaryOp, x: u64) -> u64 {
    let kernel = row_kernel(dtype, &|[x, _]| Op::Unary(op, x));
    let legal = prepare(&kernel, Target::Cpu, Optimise::Yes).unwrap();
    interpret::run(&legal, vec![vec![x], vec![0], vec![0]]).unwrap()[2][0]
}

#[test]
fn elementary_functions_have_their_values() {
    let cases: [(UnaryOp, f64); 8] = [
        (UnaryOp::Exp, 0.5f64.exp()),
        (UnaryOp::Log, 0.5f64.ln()),
        (UnaryOp::Sin, 0.5f64.sin()),
        (UnaryOp::Tanh, 0.5f64.tanh()),
        (UnaryOp::Sigmoid, 1.0 / (1.0 + (-0.5f64).exp())),
        (UnaryOp::FastExp, 0.5f64.exp()),
        (UnaryOp::FastRecip, 2.0),
        (UnaryOp::FastRsqrt, 2.0f64.sqrt()),
    ];
    for (op, want) in cases {
        let x = f64::from(f32::from_bits(value(DType::F32, op, 0.5f32.to_bits().into()) as u32));
        assert!((x - want).abs() <= 2.0 * f64::from(f32::EPSILON) * want.abs(), "{}", op.name());
        let half = value(DType::F16, op, 0x3800);
        let wide = f32::from_bits(eval::cast(DType::F16, DType::F32, half).unwrap() as u32);
        assert!((f64::from(wide) - want).abs() <= want.abs() / 1024.0, "{} of f16", op.name());
    }
}

/// A row that the language does not define for a dtype is refused with the author's line.
#[test]
fn a_refusal_names_kernel_line_row_and_dtype() {
    let kernel = row_kernel(DType::F64, &|[x, _]| Op::Unary(UnaryOp::Exp, x));
    let error = legalize(&kernel, Target::Cpu).unwrap_err();
    assert_eq!((error.kernel.as_str(), error.line > 0), ("row", true));
    assert!(error.file.ends_with("legal.rs"), "{error}");
    assert_eq!(
        error.cause,
        Cause::NoOperation { target: Target::Cpu, op: "exp", dtype: DType::F64 }
    );
    assert!(error.to_string().ends_with("cpu has no `exp` of f64"), "{error}");
}

/// The threads leave together in the loop, or alone behind the reduction: what lies between is reached by all or none.
#[test]
fn ways_out_that_threads_take_together_stay_so() {
    let kernel = r#"
kernel exits(n: u32, x: in u32[1], y: out u32[32]) group 32 grid 1
    v0: u32 = const 0                            @exits:1
    v1: u32 = load x[v0]                         @exits:1
    v2: u32 = scalar n                           @exits:1
    v3: u32 = const 1                            @exits:1
    v4: bool = eq v1, v3                         @exits:1
    v5: u32 = for v0 to v2 step v3 {             @exits:2
        if v4 {                                  @exits:2
            return                               @exits:2
        }
    }
    v8: u32 = lane                               @exits:3
    v9: u32 = reduce sum v8                      @exits:3
    store y[v8], v9                              @exits:3
    v11: bool = lt v8, v2                        @exits:4
    v12: u32 = for v0 to v2 step v3 {            @exits:4
        if v11 {                                 @exits:4
            return                               @exits:4
        }
    }
    store y[v8], v0                              @exits:5
"#;
    let kernel = evenweave_lang::text::parse(kernel).unwrap();
    for &(name, target) in Target::NAMED {
        if let Err(error) = prepare(&kernel, target, Optimise::Yes) {
            panic!("{name}: {error}");
        }
    }
}

/// Every target, those of Vulkan with all that a device may have and with the least.
fn targets() -> Vec<Target> {
    let named = ["cpu", "cuda", "hip:gfx90a", "metal", "vulkan"].map(|n| Target::parse(n).unwrap());
    named.into_iter().chain([Target::Vulkan(Facts::LEAST)]).collect()
}

#[test]
fn random_kernels_are_well_formed_for_every_target() {
    for seed in 0..800 {
        let kernel = generate(seed, &Options { statements: 40, ..Options::default() });
        for target in targets() {
            match prepare(&kernel, target, Optimise::No) {
                Ok(_) | Err(PrepareError::Legalize(_)) => {}
                Err(error) => panic!("seed {seed}, {target}: {error}"),
            }
        }
    }
}

/// What a reduction gives is the same in all lanes, and must be known to be so in whatever stands for it: `shuffle_xor` asks.
#[test]
fn reductions_stay_uniform_on_every_target() {
    let reduces = |op: ReduceOp, dtype: DType| {
        let words = [DType::U8, DType::U16, DType::U32, DType::U64];
        let same = |word: &&DType| dtype != DType::Bool && word.bits() == dtype.bits();
        let bits = words.iter().find(same);
        let mut b = Builder::new("mask");
        b.kernel_mut().group = [32, 1, 1];
        let kind = |dtype, access| ParamKind::Buffer { dtype, access, len: Len::Const(32) };
        let (x, y) =
            (b.param("x", kind(dtype, Access::In)), b.param("y", kind(DType::U32, Access::Out)));
        let lane = b.id(IdOp::Lane);
        let own = b.push(Op::Load(Place::Param(x), lane), Type::Scalar(dtype));
        let all = b.push(Op::Reduce(Reach::All, op, own), Type::Scalar(dtype));
        let word = match bits {
            Some(&bits) if dtype != bits => b.push(Op::Bitcast(all), Type::Scalar(bits)),
            Some(_) | None => all,
        };
        let mask = match bits {
            Some(DType::U32) => word,
            Some(_) | None => b.push(Op::Cast(word), Type::Scalar(DType::U32)),
        };
        let moved = b.push(Op::Shuffle(ShuffleOp::Xor, lane, mask), Type::Scalar(DType::U32));
        b.push_unit(Op::Store(Place::Param(y), lane, moved));
        b.finish()
    };
    let (mut kernels, mut legal) = (0, 0);
    for &dtype in DType::ALL.iter().filter(|d| d.is_value()) {
        for &op in ReduceOp::ALL.iter().filter(|&&op| eval::identity(op, dtype).is_some()) {
            let kernel = reduces(op, dtype);
            kernels += 1;
            for target in targets() {
                match prepare(&kernel, target, Optimise::No) {
                    Ok(_) => legal += 1,
                    // What has no 64-bit floats refuses them.
                    Err(PrepareError::Legalize(_)) if dtype == DType::F64 => {}
                    Err(error) => panic!("{} of {dtype}, {target}: {error}", op.name()),
                }
            }
        }
    }
    assert!(kernels > 50 && legal > 4 * kernels, "{legal} of {kernels} kernels on each target");
}
