//! Writes the text form.
//!
//! Invariants
//! - Total: a malformed kernel prints too, with `<missing>` where it names nothing, so that it can be read.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{Names, is_plain_file, is_plain_kernel_name};
use crate::{
    dtype::{Class, DType},
    ir::*,
    launch::{self, Len},
};
use half::{bf16, f16};
use std::fmt::Write;

/// Column where places start, where the instruction leaves room.
const LOC_COLUMN: usize = 48;
/// Columns of the first line, at most, before parameters stand one a line.
const HEAD_COLUMNS: usize = 110;

/// The kernel's text form.
pub fn print(kernel: &Kernel) -> String {
    let mut printer = Printer {
        kernel,
        names: Names::new(kernel),
        text: String::new(),
        printed: vec![false; kernel.blocks.len()],
    };
    printer.head();
    printer.declarations();
    printer.block(kernel.body, 1);
    printer.text
}

struct Printer<'a> {
    kernel: &'a Kernel,
    names: Names,
    text: String,
    printed: Vec<bool>,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let indent = 4 * depth;
        writeln!(self.text, "{:indent$}{text}", "").expect("strings grow");
    }

    fn head(&mut self) {
        let k = self.kernel;
        let name =
            if is_plain_kernel_name(&k.name) { k.name.clone() } else { format!("{:?}", k.name) };
        let params: Vec<String> = (0..k.params.len()).map(|p| self.param(p)).collect();
        let group = axes(k.group.map(|n| n.to_string()));
        let grid = axes([0, 1, 2].map(|axis| self.len(&k.grid[axis])));
        let lanes = match k.lanes {
            SUBGROUP_LANES => String::new(),
            lanes => format!(" lanes {lanes}"),
        };
        let geometry = format!("group {group}{lanes} grid {grid}");
        let head = format!("kernel {name}({}) {geometry}", params.join(", "));
        if head.len() <= HEAD_COLUMNS {
            return self.line(0, &head);
        }
        self.line(0, &format!("kernel {name}("));
        for param in params {
            self.line(1, &format!("{param},"));
        }
        self.line(0, &format!(") {geometry}"));
    }

    fn param(&self, number: usize) -> String {
        let name = self.names.get(number);
        match &self.kernel.params[number].kind {
            ParamKind::Scalar(dtype) => format!("{name}: {dtype}"),
            ParamKind::Buffer { dtype, access, len } => {
                format!("{name}: {} {dtype}[{}]", access_word(*access), self.len(len))
            }
            ParamKind::View { dtype, access, shape } => {
                let shape: Vec<String> = shape.iter().map(|len| self.len(len)).collect();
                format!("{name}: {} view {dtype}[{}]", access_word(*access), shape.join(", "))
            }
        }
    }

    fn declarations(&mut self) {
        let k = self.kernel;
        for (a, array) in k.arrays.iter().enumerate() {
            let space = match array.space {
                Space::Shared => "shared",
                Space::Private => "private",
            };
            let name = self.array(Array::at(a));
            let line = format!("{space} {name}: {}[{}]", array.dtype, array.elems);
            self.line(1, &line);
        }
        for (v, var) in k.vars.iter().enumerate() {
            let line = format!("var {}: {}", self.var(Var::at(v)), var.dtype);
            self.line(1, &line);
        }
    }

    fn block(&mut self, block: Block, depth: usize) {
        let kernel = self.kernel;
        let Some(printed) = self.printed.get_mut(block.index()) else {
            return self.line(depth, "<missing>");
        };
        if std::mem::replace(printed, true) {
            return self.line(depth, "<printed above>");
        }
        for &v in &kernel[block] {
            match kernel.insts.get(v.index()) {
                Some(inst) => self.inst(v, inst, depth),
                None => self.line(depth, "<missing>"),
            }
        }
    }

    fn inst(&mut self, v: Value, inst: &Inst, depth: usize) {
        let label = match (inst.ty, is_target(&inst.op)) {
            (Type::Unit, false) => String::new(),
            (Type::Unit, true) => format!("{}: ", value(v)),
            (ty, _) => format!("{}: {} = ", value(v), type_name(ty)),
        };
        let text = format!("{label}{}", self.op(inst));
        let width = LOC_COLUMN.saturating_sub(4 * depth);
        let place = self.loc(inst.loc);
        self.line(depth, &format!("{text:width$} {place}"));
        self.bodies(&inst.op, depth);
    }

    fn bodies(&mut self, op: &Op, depth: usize) {
        let bodies = op.bodies();
        for (i, &body) in bodies.iter().enumerate() {
            let is_empty = self.kernel.blocks.get(body.index()).is_some_and(Vec::is_empty);
            if i == 1 {
                if is_empty {
                    continue;
                }
                self.line(depth, "} else {");
            }
            self.block(body, depth + 1);
        }
        if !bodies.is_empty() {
            self.line(depth, "}");
        }
    }

    fn loc(&self, loc: Loc) -> String {
        match self.kernel.files.get(loc.file as usize) {
            Some(file) if is_plain_file(file) => format!("@{file}:{}", loc.line),
            Some(file) => format!("@{file:?}:{}", loc.line),
            None => format!("@?:{}", loc.line),
        }
    }

    fn op(&self, inst: &Inst) -> String {
        match &inst.op {
            Op::Const(c) => format!("const {}", constant(inst.ty, *c)),
            Op::Id(id) => id.name().into(),
            Op::Scalar(p) => format!("scalar {}", self.param_name(*p)),
            Op::Length(p) => format!("length {}", self.param_name(*p)),
            Op::Extent(p, axis) => format!("extent {}, {axis}", self.param_name(*p)),
            Op::Stride(p, axis) => format!("stride {}, {axis}", self.param_name(*p)),
            Op::Offset(p) => format!("offset {}", self.param_name(*p)),
            Op::Unary(op, a) => format!("{} {}", op.name(), value(*a)),
            Op::Binary(op, a, b) => format!("{} {}", op.name(), list(&[*a, *b])),
            Op::Compare(op, a, b) => format!("{} {}", op.name(), list(&[*a, *b])),
            Op::Fma(a, b, c) => format!("fma {}", list(&[*a, *b, *c])),
            Op::Select(c, a, b) => format!("select {}", list(&[*c, *a, *b])),
            Op::Cast(a) => format!("cast {}", value(*a)),
            Op::Bitcast(a) => format!("bitcast {}", value(*a)),
            Op::Load(at, i) => format!("load {}", self.element(*at, *i)),
            Op::Store(at, i, a) => format!("store {}, {}", self.element(*at, *i), value(*a)),
            Op::Pack(all) => format!("pack {}", list(all)),
            Op::Extract(a, at) => format!("extract {}, {at}", value(*a)),
            Op::Get(var) => format!("get {}", self.var(*var)),
            Op::Set(var, a) => format!("set {}, {}", self.var(*var), value(*a)),
            Op::Atomic(op, at, i, a) => {
                format!("{} {}, {}", op.name(), self.element(*at, *i), value(*a))
            }
            Op::CompareExchange { at, index, expected, value } => {
                let operands = list(&[*expected, *value]);
                format!("compare_exchange {}, {operands}", self.element(*at, *index))
            }
            Op::Barrier => "barrier".into(),
            Op::Shuffle(op, a, by) => format!("{} {}", op.name(), list(&[*a, *by])),
            Op::Vote(op, a) => format!("{} {}", op.name(), value(*a)),
            Op::Reduce(reach, op, a) => format!("{} {} {}", reach.name(), op.name(), value(*a)),
            Op::Matrix(atom, all) => format!("{} {}", atom.name(), list(all)),
            Op::Wide { wide, sums, tile, words } => {
                let (sums, tile) = (self.array(*sums), self.array(*tile));
                format!("{} {sums}, {tile}, {}", wide.name(), list(words))
            }
            Op::GroupBroadcast(a) => format!("group_broadcast {}", value(*a)),
            Op::If { cond, .. } => format!("if {} {{", value(*cond)),
            Op::For { start, end, step, .. } => {
                format!("for {} to {} step {} {{", value(*start), value(*end), value(*step))
            }
            Op::Loop { .. } => "loop {".into(),
            Op::Scope { .. } => "scope {".into(),
            Op::Break(v) => format!("break {}", value(*v)),
            Op::Continue(v) => format!("continue {}", value(*v)),
            Op::Return => "return".into(),
            Op::Assert(cond, text) => format!("assert {}, {text:?}", value(*cond)),
            Op::Print(text, values) if values.is_empty() => format!("print {text:?}"),
            Op::Print(text, values) => format!("print {text:?}, {}", list(values)),
        }
    }

    fn element(&self, at: Place, index: Value) -> String {
        let name = match at {
            Place::Param(p) => self.param_name(p),
            Place::Array(a) => self.array(a),
        };
        format!("{name}[{}]", value(index))
    }

    fn param_name(&self, p: Param) -> &str {
        if p.index() < self.kernel.params.len() { self.names.get(p.index()) } else { "<missing>" }
    }

    fn array(&self, a: Array) -> &str {
        if a.index() >= self.kernel.arrays.len() {
            return "<missing>";
        }
        self.names.get(self.kernel.params.len() + a.index())
    }

    fn var(&self, v: Var) -> &str {
        self.names.get(self.kernel.params.len() + self.kernel.arrays.len() + v.index())
    }

    fn len(&self, len: &Len) -> String {
        launch::spell(len, &|p| self.param_name(p))
    }
}

/// Whether `Break` or `Continue` may name it although it has no value.
fn is_target(op: &Op) -> bool {
    matches!(op, Op::Loop { .. } | Op::Scope { .. })
}

/// One axis stands alone; trailing axes of 1 are left out.
fn axes(all: [String; 3]) -> String {
    match all.each_ref().map(String::as_str) {
        [x, "1", "1"] => x.into(),
        [x, y, "1"] => format!("[{x}, {y}]"),
        [x, y, z] => format!("[{x}, {y}, {z}]"),
    }
}

fn access_word(access: Access) -> &'static str {
    match access {
        Access::In => "in",
        Access::Out => "out",
        Access::InOut => "inout",
    }
}

fn value(v: Value) -> String {
    format!("v{}", v.index())
}

fn list(values: &[Value]) -> String {
    values.iter().map(|&v| value(v)).collect::<Vec<_>>().join(", ")
}

fn type_name(ty: Type) -> String {
    match ty {
        Type::Unit => "unit".into(),
        Type::Scalar(d) => d.to_string(),
        Type::Vector(d, width) => format!("{d}x{width}"),
    }
}

/// A number that reads back as these bits, or `bits 0x..` where there is none.
fn constant(ty: Type, c: Const) -> String {
    let number = ty.scalar().and_then(|d| match d.class() {
        Class::Bool => match c.bits {
            0 => Some("false".into()),
            1 => Some("true".into()),
            _ => None,
        },
        Class::Unsigned => (c.bits <= mask(d)).then(|| c.bits.to_string()),
        Class::Signed => (c.bits <= mask(d)).then(|| signed(d, c.bits).to_string()),
        Class::Float => float(d, c.bits),
    });
    number.unwrap_or_else(|| format!("bits {:#x}", c.bits))
}

fn mask(d: DType) -> u64 {
    u64::MAX >> (64 - d.bits())
}

fn signed(d: DType, bits: u64) -> i64 {
    let unused = 64 - d.bits();
    (bits << unused) as i64 >> unused
}

/// The shortest decimal that the parser rounds to these bits. Only the canonical NaN has a word.
fn float(d: DType, bits: u64) -> Option<String> {
    if bits > mask(d) {
        return None;
    }
    let (text, is_nan) = match d {
        DType::F16 => {
            let x = f16::from_bits(bits as u16);
            (format!("{:?}", x.to_f32()), x.is_nan())
        }
        DType::BF16 => {
            let x = bf16::from_bits(bits as u16);
            (format!("{:?}", x.to_f32()), x.is_nan())
        }
        DType::F32 => {
            let x = f32::from_bits(bits as u32);
            (format!("{x:?}"), x.is_nan())
        }
        DType::F64 => {
            let x = f64::from_bits(bits);
            (format!("{x:?}"), x.is_nan())
        }
        DType::Bool
        | DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0 => return None,
    };
    match is_nan {
        false => Some(text),
        true => (Some(bits) == d.canonical_nan()).then(|| "nan".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        build::Builder,
        ops::{BinaryOp, CompareOp, IdOp, Reach, ReduceOp},
    };

    #[test]
    fn a_kernel_reads_well() {
        let mut b = Builder::new("scale<f16>");
        let len = Len::Scalar(Param::at(2));
        let buffer = |access| ParamKind::Buffer { dtype: DType::F16, access, len: len.clone() };
        let x = b.param("x", buffer(Access::In));
        let y = b.param("y", buffer(Access::Out));
        let n = b.param("n", ParamKind::Scalar(DType::U32));
        let kernel = b.kernel_mut();
        kernel.group = [32, 2, 1];
        kernel.grid[0] = Len::Scalar(n).div_ceil(64u32);
        let (u32, f32) = (Type::Scalar(DType::U32), Type::Scalar(DType::F32));
        let loc = b.locate("scale.rs", 4);
        b.set_loc(loc);
        let sum = b.var("sum", DType::F32);
        let tile = b.array("tile", Space::Shared, DType::F32, 64);
        let i = b.id(IdOp::GlobalX);
        let bound = b.push(Op::Scalar(n), u32);
        let inside = b.push(Op::Compare(CompareOp::Lt, i, bound), Type::Scalar(DType::Bool));
        let branch = b.begin_if(inside);
        let loaded = b.push(Op::Load(Place::Param(x), i), Type::Scalar(DType::F16));
        let wide = b.push(Op::Cast(loaded), f32);
        let half = b.constant(DType::F32, 0.5f32.to_bits().into());
        let scaled = b.push(Op::Binary(BinaryOp::Mul, wide, half), f32);
        b.push_unit(Op::Set(sum, scaled));
        b.begin_else(branch);
        b.push_unit(Op::Return);
        b.end_if();
        let one = b.constant(DType::U32, 1);
        let each = b.begin_for(one, bound, one);
        b.push_unit(Op::Continue(each));
        b.close_block();
        let got = b.push(Op::Get(sum), f32);
        let total = b.push(Op::Reduce(Reach::All, ReduceOp::Sum, got), f32);
        b.push_unit(Op::Store(Place::Array(tile), i, total));
        let narrow = b.push(Op::Cast(total), Type::Scalar(DType::F16));
        b.push_unit(Op::Store(Place::Param(y), i, narrow));
        let text = print(&b.finish().compact());
        let lines: Vec<&str> = text.lines().map(|line| line.split(" @").next().unwrap()).collect();
        assert!(
            text.contains("    v0: u32 = global_id.x                        @scale.rs:4\n"),
            "{text}"
        );
        let trimmed: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
        assert_eq!(
            trimmed,
            [
                "kernel scale<f16>(x: in f16[n], y: out f16[n], n: u32) group [32, 2] grid n.div_ceil(64)",
                "    shared tile: f32[64]",
                "    var sum: f32",
                "    v0: u32 = global_id.x",
                "    v1: u32 = scalar n",
                "    v2: bool = lt v0, v1",
                "    if v2 {",
                "        v4: f16 = load x[v0]",
                "        v5: f32 = cast v4",
                "        v6: f32 = const 0.5",
                "        v7: f32 = mul v5, v6",
                "        set sum, v7",
                "    } else {",
                "        return",
                "    }",
                "    v10: u32 = const 1",
                "    v11: u32 = for v10 to v1 step v10 {",
                "        continue v11",
                "    }",
                "    v13: f32 = get sum",
                "    v14: f32 = reduce sum v13",
                "    store tile[v0], v14",
                "    v16: f16 = cast v14",
                "    store y[v0], v16",
            ]
        );
    }

    #[test]
    fn equal_and_odd_names_are_told_apart() {
        let mut b = Builder::new("a (b)");
        b.param("x", ParamKind::Scalar(DType::U32));
        let first = b.var("t", DType::U32);
        let second = b.var("t", DType::U32);
        let odd = b.var("r#in", DType::U32);
        let v = b.id(IdOp::Lane);
        b.push_unit(Op::Set(first, v));
        b.push_unit(Op::Set(second, v));
        b.push_unit(Op::Set(odd, v));
        let text = print(&b.finish().compact());
        assert!(text.starts_with("kernel \"a (b)\"(x: u32) group 1 grid 1\n"), "{text}");
        for line in ["var t#1: u32\n", "var t#2: u32\n", "set t#2, v0 ", "set \"r#in\", v0 "] {
            assert!(text.contains(line), "{line} in\n{text}");
        }
    }

    #[test]
    fn constants_are_exact() {
        let of = |d, bits| constant(Type::Scalar(d), Const { bits });
        assert_eq!(of(DType::I8, 0xff), "-1");
        assert_eq!(of(DType::I64, u64::MAX), "-1");
        assert_eq!(of(DType::I8, 0x1ff), "bits 0x1ff");
        assert_eq!(of(DType::Bool, 1), "true");
        assert_eq!(of(DType::Bool, 2), "bits 0x2");
        assert_eq!(of(DType::F32, 0x3fc0_0000), "1.5");
        assert_eq!(of(DType::F32, 0x8000_0000), "-0.0");
        assert_eq!(of(DType::F32, 1), "1e-45");
        assert_eq!(of(DType::F32, 0xff80_0000), "-inf");
        assert_eq!(of(DType::F32, 0x7fc0_0000), "nan");
        assert_eq!(of(DType::F32, 0x7fc0_0001), "bits 0x7fc00001");
        assert_eq!(of(DType::F16, 0x3555), "0.33325195"); // 1365/4096 = 0.333251953125
        assert_eq!(of(DType::BF16, 0x7f80), "inf");
    }

    #[test]
    fn a_malformed_kernel_prints() {
        let mut b = Builder::new("k");
        b.push_unit(Op::Set(Var::at(3), Value::at(9)));
        b.begin_scope();
        b.close_block();
        let mut k = b.finish();
        k.insts[1].op = Op::Scope { body: k.body };
        let text = print(&k);
        assert!(text.contains("set <missing>, v9") && text.contains("<printed above>"), "{text}");
    }
}
