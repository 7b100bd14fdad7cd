//! For every rule a kernel that breaks it and nothing else, beside one that keeps it.

use super::*;
use crate::{build::Builder, launch::Len, text::parse};

/// A kernel with something of each kind to name, and the given instructions.
fn kernel(body: &str) -> Kernel {
    kernel_of("group 64 grid n.div_ceil(64)", body)
}

fn kernel_of(geometry: &str, body: &str) -> Kernel {
    let head = "kernel k(x: in f32[n], y: out f32[n], z: inout f32[n], s: in view f16[n, n], \
        h: inout u32[n], h8: inout u8[n], q: in f8e4m3[n], w: out f4e2m1[n], n: u32, b: bool)";
    let declarations =
        "shared tile: f32[64] shared count: u64[1] private t: f32[4] private p: i32[4]
        var acc: f32 var flag: bool";
    let values = "v0: u32 = const 0  v1: f32 = const 1.0  v2: bool = scalar b  v3: u32 = lane
        v4: i32 = const -1  v5: u64 = length x  v6: f64 = const 0.5  v7: u8 = const 3  v8: f16 = const 1.5";
    parse(&format!("{head} {geometry}\n{declarations}\n{values}\n{body}")).unwrap()
}

#[track_caller]
fn cause_of(kernel: &Kernel) -> Cause {
    verify(kernel).expect_err("a rule is broken").cause
}

/// The kernel with `bad` breaks a rule, the kernel with `good` breaks none.
#[track_caller]
fn breaks(good: &str, bad: &str, want: Cause) {
    assert_eq!(verify(&kernel(good)), Ok(()), "{good}");
    assert_eq!(cause_of(&kernel(bad)), want, "{bad}");
}

#[track_caller]
fn breaks_operand(good: &str, bad: &str, number: usize, want: &str, got: Type) {
    breaks(good, bad, Cause::Operand { number, want: want.into(), got });
}

const F32: Type = Type::Scalar(DType::F32);
const F64: Type = Type::Scalar(DType::F64);
const U32: Type = Type::Scalar(DType::U32);
const I32: Type = Type::Scalar(DType::I32);
const BOOL: Type = Type::Scalar(DType::Bool);

#[test]
fn an_error_says_kernel_operation_line_and_rule() {
    let k = kernel("v9: f32 = add v1, v0 @add.rs:12");
    let want = "k (add.rs:12): `add`: operand 1 must be f32, but is u32";
    assert_eq!(verify(&k).unwrap_err().to_string(), want);
    let k = parse("kernel k() group 0 grid 1").unwrap();
    let want = "k: a group of [0, 1, 1] threads; it must have 1 to 1024 in all, and 1 at least along each axis";
    assert_eq!(verify(&k).unwrap_err().to_string(), want);
}

#[test]
fn groups_have_a_size() {
    for group in [[1, 1, 1], [1024, 1, 1], [8, 8, 16]] {
        let k = kernel_of(&format!("group {group:?} grid 1"), "");
        assert_eq!(verify(&k), Ok(()), "{group:?}");
    }
    for group in [[0, 1, 1], [1025, 1, 1], [8, 8, 17], [64, 0, 1], [u32::MAX, u32::MAX, u32::MAX]] {
        let k = kernel_of(&format!("group {group:?} grid 1"), "");
        assert_eq!(cause_of(&k), Cause::GroupSize { group });
    }
}

#[test]
fn subgroups_have_a_width() {
    for lanes in [1, 2, 16, 32] {
        let k = kernel_of(&format!("group 64 lanes {lanes} grid 1"), "");
        assert_eq!(verify(&k), Ok(()), "{lanes}");
    }
    for lanes in [0, 3, 33, 64, u32::MAX] {
        let k = kernel_of(&format!("group 64 lanes {lanes} grid 1"), "");
        assert_eq!(cause_of(&k), Cause::Lanes { lanes });
    }
}

#[test]
fn parameters_have_names_of_their_own() {
    let k = parse("kernel k(x: u32, x#1: f32) group 1 grid 1").unwrap();
    assert_eq!(cause_of(&k), Cause::DuplicateParam { name: "x".into() });
}

#[test]
fn storage_dtypes_are_for_buffers() {
    let dtype = DType::F8E4M3;
    let breaks = |text: &str, what: &str| {
        let what = what.into();
        assert_eq!(cause_of(&parse(text).unwrap()), Cause::StorageDtype { what, dtype }, "{text}");
    };
    breaks("kernel k(x: f8e4m3) group 1 grid 1", "scalar `x`");
    breaks("kernel k() group 1 grid 1 shared x: f8e4m3[1]", "array `x`");
    breaks("kernel k() group 1 grid 1 var x: f8e4m3", "register `x`");
    breaks("kernel k() group 1 grid 1 v0: f8e4m3 = const bits 0x0", "the value");
    breaks("kernel k() group 1 grid 1 v0: u32 = const 0 v1: f8e4m3 = cast v0", "the value");
    breaks("kernel k() group 1 grid 1 v0: u8 = const 0 v1: f8e4m3 = bitcast v0", "the value");
    verify(&parse("kernel k(x: inout f8e4m3[1]) group 1 grid 1").unwrap()).unwrap();
}

#[test]
fn arrays_have_elements_and_fit() {
    let k = parse("kernel k() group 1 grid 1 private x: f32[0]").unwrap();
    assert_eq!(cause_of(&k), Cause::EmptyArray { array: "x".into() });
    let text =
        |elems| format!("kernel k() group 1 grid 1 shared a: f64[4095] shared b: u8[{elems}]");
    assert_eq!(verify(&parse(&text(8)).unwrap()), Ok(()));
    let need_bytes = MAX_SHARED_BYTES + 1;
    assert_eq!(cause_of(&parse(&text(9)).unwrap()), Cause::SharedBytes { need_bytes });
    let text =
        |elems| format!("kernel k() group 1 grid 1 private a: f64[8191] private b: u8[{elems}]");
    assert_eq!(verify(&parse(&text(8)).unwrap()), Ok(()));
    let need_bytes = MAX_PRIVATE_BYTES + 1;
    assert_eq!(cause_of(&parse(&text(9)).unwrap()), Cause::PrivateBytes { need_bytes });
}

#[test]
fn views_have_1_to_8_axes() {
    let text =
        |rank| format!("kernel k(x: in view f32[{}]) group 1 grid 1", vec!["1"; rank].join(","));
    assert_eq!(verify(&parse(&text(8)).unwrap()), Ok(()));
    let param = || "x".to_string();
    assert_eq!(cause_of(&parse(&text(9)).unwrap()), Cause::Rank { param: param(), rank: 9 });
    let mut k = parse(&text(1)).unwrap();
    k.params[0].kind = ParamKind::View { dtype: DType::F32, access: Access::In, shape: Vec::new() };
    assert_eq!(cause_of(&k), Cause::Rank { param: param(), rank: 0 });
}

#[test]
fn lengths_name_what_has_a_number() {
    let params = "x: in f32[1], s: in view f32[1, 2], n: i64, f: f32";
    let good =
        format!("kernel k({params}, y: out f32[n + x.len() * s.extent(1)]) group 1 grid s.len()");
    assert_eq!(verify(&parse(&good).unwrap()), Ok(()));
    let breaks = |len: &str, on: &str, not: &'static str| {
        let cause = |what: &str| Cause::Length { what: what.into(), on: on.into(), not };
        let text = format!("kernel k({params}, y: out f32[1 + {len}]) group 1 grid 1");
        assert_eq!(cause_of(&parse(&text).unwrap()), cause("the length of `y`"));
        let text = format!("kernel k({params}, y: out view f32[1, {len}]) group 1 grid 1");
        assert_eq!(cause_of(&parse(&text).unwrap()), cause("extent 1 of `y`"));
        let text = format!("kernel k({params}) group 1 grid [1, 1, {len}]");
        assert_eq!(cause_of(&parse(&text).unwrap()), cause("the grid along z"));
    };
    breaks("x", "`x`", "no integer scalar");
    breaks("f", "`f`", "no integer scalar");
    breaks("x.extent(0)", "`x`", "no view");
    breaks("s.extent(2)", "axis 2 of `s`", "beyond the view's rank");
    breaks("n.len()", "`n`", "no buffer");
    let mut k = parse(&good).unwrap();
    k.grid[0] = Len::Scalar(Param::at(9));
    let (what, on) = ("the grid along x".into(), "parameter 9".into());
    assert_eq!(cause_of(&k), Cause::Length { what, on, not: "not in the kernel" });
}

#[test]
fn every_instruction_has_a_place() {
    let mut k = kernel("barrier @a.rs:1");
    assert_eq!(verify(&k), Ok(()));
    let last = k.insts.len() - 1;
    k.insts[last].loc.line = 0;
    assert_eq!(cause_of(&k), Cause::NoPlace);
    k.insts[last].loc = Loc { file: 9, line: 1 };
    assert_eq!(cause_of(&k), Cause::NoPlace);
}

#[test]
fn names_are_in_the_kernel() {
    let missing = |body: &str, op: Op, what, number| {
        let mut k = kernel(body);
        assert_eq!(verify(&k), Ok(()));
        k.insts.last_mut().unwrap().op = op;
        assert_eq!(cause_of(&k), Cause::Missing { what, number });
    };
    let v = Value::at(0);
    missing("set acc, v1", Op::Set(Var::at(9), v), "register", 9);
    missing("v9: f32 = get acc", Op::Get(Var::at(9)), "register", 9);
    let (array, param) = (Place::Array(Array::at(9)), Place::Param(Param::at(99)));
    missing("v9: f32 = load t[v0]", Op::Load(array, v), "array", 9);
    missing("store t[v0], v1", Op::Store(param, v, v), "parameter", 99);
    missing("v9: u32 = scalar n", Op::Scalar(Param::at(99)), "parameter", 99);
    missing("v9: u64 = length x", Op::Length(Param::at(99)), "parameter", 99);
    missing("v9: u32 = extent s, 0", Op::Extent(Param::at(99), 0), "parameter", 99);
    missing("v9: u64 = stride s, 0", Op::Stride(Param::at(99), 0), "parameter", 99);
    missing("v9: u64 = offset s", Op::Offset(Param::at(99)), "parameter", 99);
    missing("loop { return }", Op::Loop { body: Block::at(9) }, "block", 9);
    let mut k = kernel("");
    k.blocks[0].push(Value::at(99));
    assert_eq!(cause_of(&k), Cause::Missing { what: "instruction", number: 99 });
}

#[test]
fn a_missing_body_is_found() {
    let mut k = kernel("scope { }");
    k.insts.last_mut().unwrap().op = Op::Scope { body: Block::at(9) };
    assert_eq!(cause_of(&k), Cause::Missing { what: "block", number: 9 });
}

#[test]
fn values_are_defined_above() {
    let undefined = |value: usize| Cause::Undefined { value: Value::at(value) };
    // A value of a body that has ended.
    breaks(
        "if v2 { v9: f32 = neg v1 v10: f32 = neg v9 }",
        "if v2 { v9: f32 = neg v1 } v10: f32 = neg v9",
        undefined(10),
    );
    breaks(
        "if v2 { v9: f32 = neg v1 }",
        "if v2 { v9: f32 = neg v1 } else { v10: f32 = neg v9 }",
        undefined(10),
    );
    // The index of a loop outside it is a value as any other is.
    breaks(
        "v9: u32 = for v0 to v3 step v3 { v10: u32 = not v9 }",
        "if v2 { v9: u32 = for v0 to v3 step v3 { } } v10: u32 = not v9",
        undefined(10),
    );
    // Itself, a later one, one that is nowhere.
    let mut k = kernel("v9: f32 = neg v1 v10: f32 = neg v9");
    assert_eq!(verify(&k), Ok(()));
    for value in [9, 10, 99] {
        k.insts[9].op = Op::Unary(crate::ops::UnaryOp::Neg, Value::at(value));
        assert_eq!(cause_of(&k), undefined(value));
    }
}

#[test]
fn an_instruction_stands_once() {
    let mut k = kernel("barrier");
    k.blocks[0].push(Value::at(9));
    assert_eq!(cause_of(&k), Cause::Repeated { value: Value::at(9) });
}

#[test]
fn a_block_has_one_owner() {
    let mut k = kernel("if v2 { barrier } else { barrier }");
    let (cond, then) = (Value::at(2), Block::at(1));
    k.insts[9].op = Op::If { cond, then, other: then };
    assert_eq!(cause_of(&k), Cause::TwoOwners { block: then });
    k.insts[9].op = Op::If { cond, then: Block::at(0), other: then };
    assert_eq!(cause_of(&k), Cause::TwoOwners { block: Block::at(0) });
}

#[test]
fn nothing_follows_a_terminator() {
    breaks("return", "return barrier", Cause::Unreachable { terminator: "return" });
    breaks(
        "v9: loop { break v9 }",
        "v9: loop { break v9 return }",
        Cause::Unreachable { terminator: "break" },
    );
    breaks(
        "v9: loop { if v2 { continue v9 } }",
        "v9: loop { if v2 { continue v9 set acc, v1 } }",
        Cause::Unreachable { terminator: "continue" },
    );
}

#[test]
fn jumps_name_what_is_around_them() {
    let target = |want| Cause::Target { target: Value::at(9), want };
    breaks("v9: scope { break v9 }", "v9: scope { } break v9", target("loop or scope"));
    breaks(
        "v9: u32 = for v0 to v3 step v3 { continue v9 }",
        "v9: scope { continue v9 }",
        target("loop"),
    );
    breaks(
        "v9: loop { scope { break v9 } }",
        "v9: f32 = neg v1 loop { break v9 }",
        target("loop or scope"),
    );
    breaks(
        "v9: loop { scope { continue v9 } }",
        "v9: loop { return } loop { continue v9 }",
        target("loop"),
    );
}

#[test]
fn nesting_has_an_end() {
    let nested = |depth| {
        let mut b = Builder::new("k");
        for _ in 0..depth {
            b.begin_scope();
        }
        for _ in 0..depth {
            b.close_block();
        }
        b.finish()
    };
    assert_eq!(verify(&nested(MAX_NESTING)), Ok(()));
    assert_eq!(cause_of(&nested(MAX_NESTING + 1)), Cause::Nesting);
}

#[test]
fn a_result_has_its_exact_type() {
    let result = |want, got| Cause::Result { want, got };
    breaks("v9: f32 = neg v1", "v9: f64 = neg v1", result(F32, F64));
    breaks("v9: bool = lt v0, v3", "v9: u32 = lt v0, v3", result(BOOL, U32));
    breaks("v9: u32 = lane", "v9: i32 = lane", result(U32, I32));
    breaks("v9: f32 = load x[v0]", "v9: f64 = load x[v0]", result(F32, F64));
    breaks(
        "v9: f32 = load q[v0]",
        "v9: f8e4m3 = load q[v0]",
        result(F32, Type::Scalar(DType::F8E4M3)),
    );
    breaks("v9: f16 = load s[v0]", "v9: f32 = load s[v0]", result(Type::Scalar(DType::F16), F32));
    breaks("store y[v0], v1", "v9: f32 = store y[v0], v1", result(Type::Unit, F32));
    breaks(
        "v9: u32 = for v0 to v3 step v3 { }",
        "for v0 to v3 step v3 { }",
        result(U32, Type::Unit),
    );
    breaks("v9: u64 = stride s, 1", "v9: u32 = stride s, 1", result(Type::Scalar(DType::U64), U32));
    breaks("v9: u32 = ballot v2", "v9: bool = ballot v2", result(U32, BOOL));
    breaks("v9: bool = any v2", "v9: u32 = any v2", result(BOOL, U32));
    breaks("v9: f32 = get acc", "v9: u32 = get acc", result(F32, U32));
    breaks("v9: u32 = atomic_add h[v0], v3", "v9: i32 = atomic_add h[v0], v3", result(U32, I32));
    let not = Cause::NotScalar { got: Type::Vector(DType::F32, 2) };
    breaks("v9: f32 = cast v0", "v9: f32x2 = cast v0", not);
    breaks("v9: f32 = cast v0", "cast v0", Cause::NotScalar { got: Type::Unit });
}

#[test]
fn operands_have_their_exact_types() {
    let unit = Type::Unit;
    let vector = Type::Vector(DType::F32, 2);
    breaks_operand("v9: f32 = mul v1, v1", "v9: f32 = mul v1, v6", 1, "f32", F64);
    breaks_operand("v9: f32 = fma v1, v1, v1", "v9: f32 = fma v1, v1, v6", 2, "f32", F64);
    breaks_operand("v9: f32 = select v2, v1, v1", "v9: f32 = select v0, v1, v1", 0, "bool", U32);
    breaks_operand("v9: f32 = select v2, v1, v1", "v9: f32 = select v2, v1, v6", 2, "f32", F64);
    breaks_operand("v9: bool = eq v2, v2", "v9: bool = eq v2, v0", 1, "bool", U32);
    breaks_operand("v9: f32 = load x[v5]", "v9: f32 = load x[v4]", 0, "u32 or u64", I32);
    breaks_operand("store y[v5], v1", "store y[v5], v6", 1, "f32", F64);
    breaks_operand("store w[v0], v1", "store w[v0], v6", 1, "f32", F64);
    breaks_operand("set acc, v1", "set acc, v0", 0, "f32", U32);
    breaks_operand(
        "v9: u32 = atomic_max h[v0], v3",
        "v9: u32 = atomic_max h[v0], v4",
        1,
        "u32",
        I32,
    );
    breaks_operand(
        "v9: u32 = compare_exchange h[v0], v3, v0",
        "v9: u32 = compare_exchange h[v0], v4, v0",
        1,
        "u32",
        I32,
    );
    breaks_operand(
        "v9: u32 = compare_exchange h[v0], v3, v0",
        "v9: u32 = compare_exchange h[v0], v3, v4",
        2,
        "u32",
        I32,
    );
    breaks_operand("v9: f32 = shuffle v1, v3", "v9: f32 = shuffle v1, v4", 1, "u32", I32);
    breaks_operand("v9: bool = all v2", "v9: bool = all v0", 0, "bool", U32);
    breaks_operand("if v2 { }", "if v0 { }", 0, "bool", U32);
    breaks_operand(
        "v9: u32 = for v0 to v3 step v3 { }",
        "v9: u32 = for v0 to v3 step v4 { }",
        2,
        "u32",
        I32,
    );
    breaks_operand("assert v2, \"\"", "assert v0, \"\"", 0, "bool", U32);
    breaks_operand(
        "v9: f32x2 = pack v1, v1 v10: f32 = extract v9, 0",
        "v9: f32x2 = pack v1, v1 v10: f32 = neg v9",
        0,
        "a scalar",
        vector,
    );
    breaks_operand("v9: f32x2 = pack v1, v1", "v9: f32x2 = pack v1, v6", 1, "f32", F64);
    breaks_operand(
        "v9: f32x2 = pack v1, v1 v10: f32 = extract v9, 0",
        "v10: f32 = extract v1, 0",
        0,
        "a vector",
        F32,
    );
    breaks_operand(
        "v9: loop { return }",
        "v9: loop { break v9 } v10: f32 = cast v9",
        0,
        "a scalar",
        unit,
    );
    breaks_operand(
        "v9: f32 = group_broadcast v1",
        "v9: f32x2 = pack v1, v1 v10: f32 = group_broadcast v9",
        0,
        "a scalar",
        vector,
    );
    breaks_operand(
        "print \"{}\", v1",
        "v9: f32x2 = pack v1, v1 print \"{}\", v9",
        0,
        "a scalar",
        vector,
    );
}

#[test]
fn operations_take_their_dtypes() {
    let accepts = |takes, got| Cause::Accepts { takes, got };
    breaks("v9: f32 = exp v1", "v9: f64 = exp v6", accepts("f16, bf16 or f32", DType::F64));
    breaks("v9: f64 = sqrt v6", "v9: u32 = sqrt v0", accepts("a float", DType::U32));
    breaks(
        "v9: i32 = neg v4",
        "v9: u32 = neg v0",
        accepts("a signed integer or a float", DType::U32),
    );
    breaks("v9: bool = not v2", "v9: f32 = not v1", accepts("an integer or bool", DType::F32));
    breaks("v9: u8 = shl v7, v7", "v9: f32 = shl v1, v1", accepts("an integer", DType::F32));
    breaks(
        "v9: u8 = add v7, v7",
        "v9: bool = add v2, v2",
        accepts("an integer or a float", DType::Bool),
    );
    breaks("v9: f16 = fma v8, v8, v8", "v9: u32 = fma v0, v0, v0", accepts("a float", DType::U32));
    breaks(
        "v9: bool = ne v2, v2",
        "v9: bool = gt v2, v2",
        accepts("an integer or a float", DType::Bool),
    );
    breaks(
        "v9: u32 = reduce sum v3",
        "v9: bool = reduce sum v2",
        accepts("an integer or a float", DType::Bool),
    );
    breaks(
        "v9: bool = reduce xor v2",
        "v9: f32 = reduce xor v1",
        accepts("an integer or bool", DType::F32),
    );
    breaks(
        "v9: u8 = for v7 to v7 step v7 { }",
        "v9: f32 = for v1 to v1 step v1 { }",
        accepts("an integer", DType::F32),
    );
}

#[test]
fn constants_fit_their_dtypes() {
    let bits = |dtype, bits| Cause::ConstantBits { dtype, bits };
    breaks("v9: i8 = const -1", "v9: i8 = const bits 0x1ff", bits(DType::I8, 0x1ff));
    breaks("v9: bool = const true", "v9: bool = const bits 0x2", bits(DType::Bool, 2));
    breaks("v9: f16 = const inf", "v9: f16 = const bits 0x10000", bits(DType::F16, 0x1_0000));
    breaks(
        "v9: u64 = const bits 0xffffffffffffffff",
        "v9: u32 = const bits 0x100000000",
        bits(DType::U32, 1 << 32),
    );
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        let canonical = dtype.canonical_nan().unwrap();
        let good = format!("v9: {dtype} = const nan v10: {dtype} = const -inf");
        for bits in [canonical + 1, canonical | 1 << (dtype.bits() - 1)] {
            let bad = format!("v9: {dtype} = const bits {bits:#x}");
            breaks(&good, &bad, Cause::ConstantNan { dtype, bits });
        }
    }
}

#[test]
fn bits_are_taken_in_their_width() {
    let width = |from, to| Cause::BitcastWidth { from, to };
    breaks("v9: f32 = bitcast v0", "v9: f64 = bitcast v0", width(DType::U32, DType::F64));
    breaks("v9: bool = bitcast v2", "v9: u8 = bitcast v2", width(DType::Bool, DType::U8));
    breaks("v9: f16 = bitcast v8", "v9: bool = bitcast v7", width(DType::U8, DType::Bool));
    breaks("v9: i8 = bitcast v7", "v9: u8 = bitcast v2", width(DType::Bool, DType::U8));
}

#[test]
fn vectors_have_their_sizes() {
    let lanes = |lanes| Cause::VectorLanes { lanes };
    breaks("v9: f32x2 = pack v1, v1", "v9: f32x3 = pack v1, v1, v1", lanes(3));
    breaks("v9: f32x4 = load x[v0]", "v9: f32x3 = load x[v0]", lanes(3));
    let bytes = |bytes| Cause::VectorBytes { bytes };
    breaks("v9: f32x4 = load tile[v0]", "v9: f32x8 = load tile[v0]", bytes(32));
    // What counts is what lies in memory: 16 of f8e4m3 are 16 bytes although their values are f32.
    breaks("v9: f32x16 = load q[v0]", "v9: f16x16 = load s[v0]", bytes(32));
    breaks(
        "v9: f32x4 = load x[v0] store y[v0], v9",
        "v9: f32x8 = pack v1,v1,v1,v1,v1,v1,v1,v1 store y[v0], v9",
        bytes(32),
    );
    let element = Cause::VectorElement { element: 2, lanes: 2 };
    breaks(
        "v9: f32x2 = load x[v0] v10: f32 = extract v9, 1",
        "v9: f32x2 = load x[v0] v10: f32 = extract v9, 2",
        element,
    );
}

#[test]
fn a_step_goes_up() {
    let good = "v9: i8 = const 1 v10: i8 = for v9 to v9 step v9 { }";
    let bad = "v9: i8 = const -2 v10: i8 = for v9 to v9 step v9 { }";
    breaks(good, bad, Cause::NegativeStep { step: -2 });
}

#[test]
fn a_print_has_a_place_for_each_value() {
    breaks(
        "print \"{} {}\", v1, v2",
        "print \"{}\", v1, v2",
        Cause::PrintPlaces { places: 1, values: 2 },
    );
    breaks("print \"\"", "print \"{}\"", Cause::PrintPlaces { places: 1, values: 0 });
}

#[test]
fn parameters_are_used_as_what_they_are() {
    let kind = |param: &str, is, want| Cause::ParamKind { param: param.into(), is, want };
    breaks("v9: u32 = scalar n", "v9: f32 = scalar x", kind("x", "a buffer", "a scalar"));
    breaks("v9: u64 = length s", "v9: u64 = length n", kind("n", "a scalar", "a buffer or a view"));
    breaks("v9: u32 = extent s, 1", "v9: u32 = extent x, 0", kind("x", "a buffer", "a view"));
    breaks("v9: u64 = offset s", "v9: u64 = offset n", kind("n", "a scalar", "a view"));
    breaks(
        "v9: f32 = load x[v0]",
        "v9: u32 = load n[v0]",
        kind("n", "a scalar", "a buffer or a view"),
    );
    let axis = Cause::Axis { param: "s".into(), axis: 2, rank: 2 };
    breaks("v9: u64 = stride s, 1", "v9: u64 = stride s, 2", axis.clone());
    breaks("v9: u32 = extent s, 1", "v9: u32 = extent s, 2", axis);
}

#[test]
fn buffers_are_used_as_declared() {
    breaks("v9: f32 = load z[v0]", "v9: f32 = load y[v0]", Cause::ReadOfOut { param: "y".into() });
    breaks("store z[v0], v1", "store x[v0], v1", Cause::WriteToIn { param: "x".into() });
}

#[test]
fn atomics_have_their_memory() {
    let place = |place: &str, is| Cause::AtomicPlace { place: place.into(), is };
    let dtype = |place: &str, dtype| Cause::AtomicDtype { place: place.into(), dtype };
    let good = "v9: u32 = atomic_add h[v0], v3 v10: u64 = atomic_max count[v0], v5";
    breaks(good, "v9: f32 = atomic_add z[v0], v1", dtype("z", DType::F32));
    breaks(good, "v9: u8 = atomic_add h8[v0], v7", dtype("h8", DType::U8));
    breaks(good, "v9: f32 = atomic_exchange x[v0], v1", place("x", "`In`"));
    breaks(good, "v9: f32 = compare_exchange y[v0], v1, v1", place("y", "`Out`"));
    breaks(good, "v9: i32 = atomic_add p[v0], v4", place("p", "private"));
}

#[test]
fn subgroup_operations_need_whole_subgroups() {
    let ops = ["v9: f32 = shuffle v1, v3", "v9: u32 = ballot v2", "v9: f32 = reduce sum v1"];
    for op in ops {
        assert_eq!(verify(&kernel_of("group [16, 2] grid 1", op)), Ok(()));
        let cause = cause_of(&kernel_of("group [16, 3] grid 1", op));
        assert_eq!(cause, Cause::PartialSubgroup { threads: 48, lanes: 32 }, "{op}");
    }
    let k =
        kernel_of("group 48 grid 1", "barrier v9: f32 = group_broadcast v1 v10: u32 = subgroup_id");
    assert_eq!(verify(&k), Ok(()));
}

#[test]
fn group_operations_need_uniform_flow() {
    let at =
        |scope, line| Cause::Divergent { scope, parts: SourceLine { file: "k.rs".into(), line } };
    let varying = "v9: bool = lt v3, v0 @k.rs:1";
    let by_subgroup = "v9: u32 = subgroup_id v10: bool = lt v9, v0 @k.rs:1";
    for op in ["barrier @k.rs:3", "v11: f32 = group_broadcast v1 @k.rs:3"] {
        let cause = at(Uniform::Group, 2);
        breaks(
            &format!("if v2 {{ {op} }}"),
            &format!("{varying} if v9 {{ @k.rs:2 {op} }}"),
            cause.clone(),
        );
        breaks(
            &format!("if v2 {{ {op} }}"),
            &format!("{by_subgroup} if v10 {{ @k.rs:2 {op} }}"),
            cause,
        );
    }
    for op in ["v11: f32 = shuffle v1, v3", "v11: bool = any v2", "v11: f32 = reduce max v1"] {
        let cause = at(Uniform::Subgroup, 2);
        breaks(
            &format!("{by_subgroup} if v10 {{ {op} }}"),
            &format!("{varying} if v9 {{ @k.rs:2 {op} }}"),
            cause,
        );
    }
    let error =
        verify(&kernel(&format!("{varying} if v9 {{ @k.rs:2 barrier @k.rs:3 }}"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "k (k.rs:3): `barrier`: stands where the threads of a group part at k.rs:2; all or none must come here"
    );
}

#[test]
fn a_mask_and_a_broadcast_lane_are_uniform() {
    breaks("v9: f32 = shuffle_xor v1, v0", "v9: f32 = shuffle_xor v1, v3", Cause::VaryingLane);
    let by_subgroup = "v9: u32 = subgroup_id v10: f32 = broadcast v1, v9";
    breaks(by_subgroup, "v10: f32 = broadcast v1, v3", Cause::VaryingLane);
}

#[test]
fn what_is_not_reached_is_not_checked() {
    let mut b = Builder::new("k");
    b.push_unit(Op::Return);
    b.push_unit(Op::Set(Var::at(9), Value::at(9)));
    assert_eq!(verify(&b.finish()), Ok(()));
}
