//! What is read is what was written, and what is no kernel is an error with its place.

use super::*;
use crate::{
    dtype::DType,
    ir::*,
    launch::{Len, LenOp},
    matrix::{Atom, wide::Wide},
    ops::*,
};

/// Every operation, declaration and form of a name once.
const EVERYTHING: &str = r#"
; comments and spaces do not matter
kernel every thing<f16, 3>(
    x: in f16[n * m.div_ceil(2).max(3) + 1], s: in view f8e4m3[n, s.extent(0)], "odd name": out u8[x.len() % 7],
    h: inout u32[64], n: u32, m: i64
) group [32, 2] grid [n.min(4), (m - 1) / 2, 3]
    shared tile: f32[64]
    private t: u64[4]
    var t#8: f32
    var is_set: bool
    v0: u32 = const 3               @a.rs:1
    v1: f32 = const -1.5e-3         @a.rs:2
    v2: bool = const true           @"b c.rs":3
    v3: f32 = const bits 0x7fc00001 @?:4
    v90: i8 = const -128
    v91: f16 = const nan
    v92: f64 = const -inf
    v4: u32 = global_id.x
    v5: u32 = lane
    v6: u32 = scalar n
    v7: u64 = length "odd name"
    v8: u32 = extent s, 1
    v9: u64 = stride s, 1
    v10: u64 = offset s
    v11: f32 = exp v1
    v12: f32 = atan2 v1, v11
    v13: bool = le v1, v12
    v14: f32 = fma v1, v11, v12
    v15: f32 = select v13, v1, v14
    v16: f16 = cast v15
    v17: u32 = bitcast v15
    v18: f32x4 = load tile[v0]
    store t#7[v0], v7
    v19: f32x2 = pack v1, v11
    v20: f32 = extract v19, 1
    set t#8, v20
    v21: f32 = get t#8
    v22: u32 = atomic_add h[v0], v17
    v23: u32 = compare_exchange h[v0], v17, v22
    barrier
    v24: f32 = shuffle v1, v5
    v25: u32 = ballot v2
    v26: f32 = inclusive_scan sum v1
    v27: f32 = group_broadcast v1
    if v2 {
        return
    } else {
        assert v2, "tab \t quote \" \u{e9}"
    }
    if v2 {
    }
    v28: u32 = for v0 to v6 step v0 {
        continue v28
    }
    v29: loop { v30: scope { break v30 } break v29 }
    print "none"
    set is_set, v2
    print "{} {}", v1, v2
"#;

fn fails(text: &str, line: u32, column: u32, message: &str) {
    let error = parse(text).expect_err(text);
    assert_eq!(error.to_string(), format!("{line}:{column}: {message}"), "{text}");
}

#[test]
fn the_text_says_what_the_kernel_is() {
    let k = parse(EVERYTHING).unwrap();
    assert_eq!(k.name, "every thing<f16, 3>");
    assert_eq!(k.group, [32, 2, 1]);
    let (n, m) = (Len::Scalar(Param::at(4)), Len::Scalar(Param::at(5)));
    let op = |op, a: &Len, b: Len| Len::Op(op, Box::new(a.clone()), Box::new(b));
    let x_len = op(
        LenOp::Add,
        &op(LenOp::Mul, &n, op(LenOp::Max, &op(LenOp::DivCeil, &m, Len::Const(2)), Len::Const(3))),
        Len::Const(1),
    );
    let buffer = |dtype, access, len| ParamKind::Buffer { dtype, access, len };
    assert_eq!(k.params[0].kind, buffer(DType::F16, Access::In, x_len));
    let shape = vec![n.clone(), Len::Extent(Param::at(1), 0)];
    let view = ParamKind::View { dtype: DType::F8E4M3, access: Access::In, shape };
    assert_eq!(k.params[1], ParamDecl { name: "s".into(), kind: view });
    let odd_len = op(LenOp::Rem, &Len::Length(Param::at(0)), Len::Const(7));
    assert_eq!(k.params[2].name, "odd name");
    assert_eq!(k.params[2].kind, buffer(DType::U8, Access::Out, odd_len));
    assert_eq!(k.params[5].kind, ParamKind::Scalar(DType::I64));
    let middle = op(LenOp::Div, &op(LenOp::Sub, &m, Len::Const(1)), Len::Const(2));
    assert_eq!(k.grid, [op(LenOp::Min, &n, Len::Const(4)), middle, Len::Const(3)]);
    assert_eq!(k.arrays[1].space, Space::Private);
    assert_eq!(k.vars[0], VarDecl { name: "t".into(), dtype: DType::F32 });
    assert_eq!(k.files, ["a.rs", "b c.rs", "<text>"]);
    assert_eq!(k.insts[2].loc, Loc { file: 1, line: 3 });
    assert_eq!(k.insts[3].loc, Loc { file: u32::MAX, line: 4 });
    assert_eq!(k.insts[4].loc, Loc { file: 2, line: 15 });
    let bits = [3, 0xbac4_9ba6, 1, 0x7fc0_0001, 0x80, 0x7e00, 0xfff0_0000_0000_0000];
    for (inst, bits) in k.insts.iter().zip(bits) {
        assert_eq!(inst.op, Op::Const(Const { bits }));
    }
    let v = Value::at;
    assert_eq!(k.insts[21].ty, Type::Vector(DType::F32, 4));
    assert_eq!(k.insts[22].op, Op::Store(Place::Array(Array::at(1)), v(0), v(10)));
    assert_eq!(k.insts[25].op, Op::Set(Var::at(0), v(24)));
    assert_eq!(k.insts[32].op, Op::Reduce(Reach::Inclusive, ReduceOp::Sum, v(1)));
    let cond = v(2);
    assert_eq!(k.insts[34].op, Op::If { cond, then: Block::at(1), other: Block::at(2) });
    assert_eq!(k.insts[36].op, Op::Assert(cond, "tab \t quote \" é".into()));
    assert_eq!(k.blocks[2], [v(36)]);
    assert_eq!(k.blocks[4], []);
    assert_eq!(k.insts[38].op, Op::For { start: v(0), end: v(9), step: v(0), body: Block::at(5) });
    assert_eq!(k.insts[39].op, Op::Continue(v(38)));
    assert_eq!(k.insts.last().unwrap().op, Op::Print("{} {}".into(), vec![v(1), v(2)]));
}

#[test]
fn print_and_parse_are_inverse() {
    let k = parse(EVERYTHING).unwrap();
    assert!(k == k.compact(), "the text numbers as compact does");
    let text = print(&k);
    assert_eq!(parse(&text), Ok(k), "{text}");
}

#[test]
fn every_row_of_every_table_reads_back() {
    let mut text = String::from(
        "kernel k(h: inout u32[1]) group 32 grid 1\n\
         private s: f32[4]\n shared t: u32[4]\n v0: u32 = const 1\n",
    );
    let mut ops = Vec::new();
    let mut add = |line: String, op: Op| {
        text += &line;
        text.push('\n');
        ops.push(op);
    };
    let (a, h) = (Value::at(0), Place::Param(Param::at(0)));
    for &op in IdOp::ALL {
        add(op.name().into(), Op::Id(op));
    }
    for &op in UnaryOp::ALL {
        add(format!("{} v0", op.name()), Op::Unary(op, a));
    }
    for &op in BinaryOp::ALL {
        add(format!("{} v0, v0", op.name()), Op::Binary(op, a, a));
    }
    for &op in CompareOp::ALL {
        add(format!("{} v0, v0", op.name()), Op::Compare(op, a, a));
    }
    for &op in AtomicOp::ALL {
        add(format!("{} h[v0], v0", op.name()), Op::Atomic(op, h, a, a));
    }
    for &op in ShuffleOp::ALL {
        add(format!("{} v0, v0", op.name()), Op::Shuffle(op, a, a));
    }
    for &op in VoteOp::ALL {
        add(format!("{} v0", op.name()), Op::Vote(op, a));
    }
    for &atom in Atom::ALL {
        add(format!("{} v0, v0", atom.name()), Op::Matrix(atom, vec![a, a]));
    }
    for &wide in Wide::ALL {
        let (sums, tile) = (Array::at(0), Array::at(1));
        let op = Op::Wide { wide, sums, tile, words: vec![a, a] };
        add(format!("{} s, t, v0, v0", wide.name()), op);
    }
    for &reach in Reach::ALL {
        for &op in ReduceOp::ALL {
            add(format!("{} {} v0", reach.name(), op.name()), Op::Reduce(reach, op, a));
        }
    }
    let k = parse(&text).unwrap();
    let got: Vec<Op> = k.insts[1..].iter().map(|inst| inst.op.clone()).collect();
    assert_eq!(got, ops);
    assert_eq!(parse(&print(&k)), Ok(k));
}

#[test]
fn every_constant_of_16_bits_reads_back() {
    for dtype in [DType::F16, DType::BF16, DType::I16, DType::U16] {
        for chunk in 0..16u64 {
            let mut k = parse("kernel k() group 1 grid 1").unwrap();
            k.files.push("a.rs".into());
            for bits in chunk << 12..(chunk + 1) << 12 {
                let loc = Loc { file: 0, line: 1 };
                let ty = Type::Scalar(dtype);
                k.blocks[0].push(Value::at(k.insts.len()));
                k.insts.push(Inst { op: Op::Const(Const { bits }), ty, loc });
            }
            assert!(parse(&print(&k)).as_ref() == Ok(&k), "{dtype}");
        }
    }
}

#[test]
fn constants_of_other_widths_read_back() {
    let reads = |text: &str, want: u64| {
        let k = parse(&format!("kernel k() group 1 grid 1 v0: {text}")).unwrap();
        assert_eq!(k.insts[0].op, Op::Const(Const { bits: want }), "{text}");
        assert_eq!(parse(&print(&k)), Ok(k), "{text}");
    };
    reads("f32 = const 0.1", 0x3dcc_cccd);
    reads("f32 = const 1e-45", 1);
    reads("f32 = const 3.4028235e38", 0x7f7f_ffff);
    reads("f32 = const -0.0", 0x8000_0000);
    reads("f32 = const 2", 0x4000_0000);
    reads("f64 = const 5e-324", 1);
    reads("f64 = const 0.1", 0x3fb9_9999_9999_999a);
    reads("i64 = const -9223372036854775808", 1 << 63);
    reads("u64 = const 18446744073709551615", u64::MAX);
    reads("i32 = const -1", 0xffff_ffff);
    reads("bool = const false", 0);
}

#[test]
fn an_error_says_where_and_what() {
    let head = "kernel k(x: in f32[n], n: u32) group 1 grid 1\n";
    let body = |text: &str| format!("{head}{text}");
    fails("", 1, 1, "expected `kernel`, found the end");
    fails("kernel (", 1, 8, "there is no kernel name (quote it) ``");
    fails("kernel k(x: f33) group 1 grid 1", 1, 13, "there is no dtype `f33`");
    fails("kernel k(x: in f32[m]) group 1 grid 1", 1, 20, "there is no name `m`");
    fails("kernel k() group 1 grid 1.5", 1, 25, "`1.5` is not a length");
    fails("kernel k(n: u32) group 1 grid n.ceil(2)", 1, 33, "there is no method `ceil`");
    fails(
        "kernel k() group 1 grid 1 shared x: f32[4294967296]",
        1,
        41,
        "`4294967296` is not a number of elements",
    );
    fails(
        "kernel k() group 1 grid 1 var x: f32 shared y: f32[1]",
        1,
        38,
        "expected arrays above registers, found `shared`",
    );
    fails(&body("v0: u32 = nop"), 2, 11, "there is no operation `nop`");
    fails(&body("v0: u32 = neg v1"), 2, 15, "there is no value `v1`");
    fails(&body("\n  v0: u32 = global_id.w"), 3, 23, "there is no axis `w`");
    fails(&body("v0: u32 = const -1"), 2, 17, "`-1` is not a u32");
    fails(&body("v0: i8 = const 128"), 2, 16, "`128` is not an i8");
    fails(&body("v0: f32 = const infinity"), 2, 17, "`infinity` is not a f32");
    fails(
        &body("v0: f32x4 = const 1"),
        2,
        13,
        "a number has a scalar type in front of it; other constants are `bits 0x..`",
    );
    fails(&body("v0: u32 = lane v0: u32 = lane"), 2, 16, "value `v0` is defined twice");
    fails(&body("v0: u32 = scalar n } return"), 2, 20, "expected an instruction, found `}`");
    fails(&body("v0: bool = const true if v0 { return"), 2, 37, "expected `}`, found the end");
    fails(&body("v0: u32 = lane store x[v0]"), 2, 27, "expected `,`, found the end");
    fails(&body("print \"abc"), 2, 7, "the text in quotes does not end");
    fails(&body("print \"a\\qb\""), 2, 9, "no such escape in a text");
    fails(&body("barrier @:3"), 2, 10, "expected a file, found `:`");
    let two = "kernel k() group 1 grid 1 var t: u32 var t: u32 v0: u32 = get t";
    fails(two, 1, 63, "`t` has several meanings; add `#` and its number");
}

#[test]
fn nesting_has_an_end() {
    let loops = "v0: scope {".replace("v0: ", "").repeat(100_000);
    let error = parse(&format!("kernel k() group 1 grid 1 {loops}")).unwrap_err();
    assert_eq!(error.cause, ParseCause::Nesting);
    for (text, times) in [("(", 100_000), ("1 + ", 100_000), ("1.min(", 100_000)] {
        let error = parse(&format!("kernel k() group 1 grid {}", text.repeat(times))).unwrap_err();
        assert_eq!(error.cause, ParseCause::Nesting, "{text}");
    }
}

#[test]
fn lengths_have_the_parentheses_they_need() {
    for len in [
        "n + m - 1 + n",
        "n - (m - 1)",
        "n * m / 2 % 3",
        "n * (m / 2)",
        "(n + 1) * (m - 1)",
        "(n + 1).div_ceil(2 * m).min(n.max(m))",
        "n + m * 2",
        "x.len() * 2",
        "18446744073709551615 + 1",
    ] {
        let head = format!("kernel k(x: in f32[1], n: u32, m: u32) group 1 grid {len}\n");
        assert_eq!(print(&parse(&head).unwrap()), head);
    }
}
