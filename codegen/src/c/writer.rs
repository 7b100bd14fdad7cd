//! One kernel at a time: its names, its statements, and which values stand inside others.
//!
//! Invariants
//! - A value stands inside the expression that uses it where that is its only use, in the same block, and where nothing
//!   between the two changes what it reads; else it is a constant of its own.
//! - Statements stand in the order of the instructions.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    Source,
    dialect::Dialect,
    expr::{Expr, Kind, literal},
    memory,
    names::Names,
    tile::{self, Running},
};
use crate::{
    field::Field,
    known::{Seen, foreseen},
};
use evenweave_lang::{
    dtype::DType,
    ir::{Array, Block, Kernel, Op, Param, Type, Value},
};
use std::{collections::HashMap, fmt::Write};

/// What an instruction has become.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// It has no value, or has not been visited.
    None,
    One(Expr),
    /// The elements of a vector.
    Many(Vec<Expr>),
}

/// Where a value is used, and what may change meanwhile.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    times: u32,
    /// The block and place of the last one.
    at: (u32, u32),
}

pub(super) struct Writer<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) dialect: Dialect,
    /// Which floats show their bits as they are.
    pub(super) seen: Seen,
    /// Which values a compiler may work out.
    foreseen: Vec<bool>,
    pub(super) text: String,
    depth: usize,
    pub(super) values: Vec<Val>,
    /// Whether the value's expression reads a register.
    reads: Vec<bool>,
    uses: Vec<Use>,
    /// For each block, how many of its instructions up to a place may change a register.
    changes: Vec<Vec<u32>>,
    /// Where the writer is: block and place.
    pub(super) place: (u32, u32),
    pub(super) names: Names,
    pub(super) vars: Vec<String>,
    pub(super) arrays: Vec<String>,
    pub(super) fields: HashMap<Field, String>,
    /// Names for memory that broadcasts of the group need.
    pub(super) mails: HashMap<Value, String>,
    next: u32,
    /// Products that may still run.
    pub(super) running: Vec<Running>,
    /// Instructions that come next and have been written.
    pub(super) begun: usize,
    /// Whether there are products in the kernel.
    pub(super) has_products: bool,
    /// Whether directives say which line of the author's a line of the text comes from.
    lined: bool,
}

/// The text of a kernel that was legalised for a device of this dialect.
pub fn write(kernel: &Kernel, dialect: Dialect, entry: &str) -> Source {
    text(kernel, dialect, entry, false)
}

/// The same text with directives that name the author's file and line, which compilers keep for debuggers. They change no code.
pub fn write_lined(kernel: &Kernel, dialect: Dialect, entry: &str) -> Source {
    text(kernel, dialect, entry, true)
}

fn text(kernel: &Kernel, dialect: Dialect, entry: &str, lined: bool) -> Source {
    let mut names = Names::new();
    let entry = names.free(entry);
    let fields = memory::fields(kernel);
    let named = fields.iter().map(|&f| (f, names.free(&memory::field_name(kernel, f)))).collect();
    let arrays = kernel.arrays.iter().map(|a| names.free(&a.name)).collect();
    let vars = kernel.vars.iter().map(|v| names.free(&v.name)).collect();
    let mut w = Writer {
        kernel,
        dialect,
        seen: Seen::of(kernel),
        foreseen: foreseen(kernel),
        text: String::new(),
        depth: 1,
        values: vec![Val::None; kernel.insts.len()],
        reads: vec![false; kernel.insts.len()],
        uses: vec![Use::default(); kernel.insts.len()],
        changes: Vec::new(),
        place: (0, 0),
        names,
        vars,
        arrays,
        fields: named,
        mails: HashMap::new(),
        next: 0,
        running: Vec::new(),
        begun: 0,
        has_products: !tile::tiles(kernel).is_empty(),
        lined,
    };
    w.count_uses();
    let threads = kernel.group_threads();
    w.text = w.head(&entry, &fields, threads);
    w.declare();
    w.block(kernel.body);
    w.text.push_str("}\n");
    Source { text: w.text, entry, threads, fields }
}

impl Writer<'_> {
    fn count_uses(&mut self) {
        let kernel = self.kernel;
        for (b, block) in kernel.blocks.iter().enumerate() {
            let mut changes = 0;
            let mut of_block = Vec::with_capacity(block.len());
            for (i, &v) in block.iter().enumerate() {
                let op = &kernel[v].op;
                op.for_each_operand(|x| {
                    let used = &mut self.uses[x.index()];
                    used.times += 1;
                    used.at = (b as u32, i as u32);
                });
                changes += u32::from(matches!(op, Op::Set(..)) || !op.bodies().is_empty());
                of_block.push(changes);
            }
            self.changes.push(of_block);
        }
    }

    fn head(&self, entry: &str, fields: &[Field], threads: u32) -> String {
        let head = self.dialect.head(threads);
        let mut text = String::new();
        if self.dialect == Dialect::Metal {
            self.metal_head(&mut text, &head, entry, fields);
            return text;
        }
        text.push_str(&format!("{head} {entry}("));
        for (i, field) in fields.iter().enumerate() {
            text.push_str(if i > 0 { ",\n    " } else { "\n    " });
            text.push_str(&self.declaration(*field));
        }
        text.push_str(") {\n");
        text
    }

    fn declaration(&self, field: Field) -> String {
        let name = &self.fields[&field];
        match field {
            Field::Address(p) => format!("{}{name}", self.pointer_ty(p)),
            Field::Grid(_)
            | Field::First(_)
            | Field::Scalar(_)
            | Field::Scalar64(_)
            | Field::Length(_)
            | Field::Extent(..)
            | Field::Stride(..)
            | Field::Offset(_)
            | Field::Zero => {
                format!("{} {name}", if field.words() == 1 { "u32" } else { "u64" })
            }
        }
    }

    /// Metal takes numbers in a structure.
    fn metal_head(&self, text: &mut String, head: &str, entry: &str, fields: &[Field]) {
        let is_address = |f: &&Field| matches!(f, Field::Address(_));
        let numbers: Vec<&Field> = fields.iter().filter(|f| !is_address(f)).collect();
        if !numbers.is_empty() {
            text.push_str(&format!("struct {entry}_launch {{\n"));
            for field in &numbers {
                text.push_str(&format!("    {};\n", self.declaration(**field)));
            }
            text.push_str("};\n");
        }
        text.push_str(&format!("{head} {entry}("));
        let mut at = 0;
        for field in fields.iter().filter(is_address) {
            text.push_str(&format!("\n    {} [[buffer({at})]],", self.declaration(*field)));
            at += 1;
        }
        if !numbers.is_empty() {
            text.push_str(&format!("\n    constant {entry}_launch& launch [[buffer({at})]],"));
        }
        text.push_str("\n    uint thread_in_group [[thread_index_in_threadgroup]],");
        text.push_str("\n    uint3 group [[threadgroup_position_in_grid]]) {\n");
    }

    fn declare(&mut self) {
        let tiles = tile::tiles(self.kernel);
        for (i, (array, name)) in self.kernel.arrays.iter().zip(self.arrays.clone()).enumerate() {
            let space = self.array_space(array.space);
            let ty = memory::element_ty(array.dtype);
            let is_tile = tiles.contains(&Array::at(i));
            let align = if is_tile { "TILE " } else { "" };
            self.line(&format!("{space}{align}{ty} {name}[{}];", array.elems));
        }
        for (var, name) in self.kernel.vars.iter().zip(self.vars.clone()) {
            self.line(&format!("{} {name};", Kind::of(var.dtype).name()));
        }
        let broadcasts: Vec<Value> = self
            .kernel
            .blocks
            .iter()
            .flatten()
            .copied()
            .filter(|&v| matches!(self.kernel[v].op, Op::GroupBroadcast(_)))
            .collect();
        for v in broadcasts {
            let name = self.names.free("broadcast");
            let ty = match Kind::of(self.dtype(v)) {
                Kind::Bool => "u32",
                kind @ (Kind::Word | Kind::Wide | Kind::F32 | Kind::F64) => kind.name(),
            };
            self.line(&format!("{} {ty} {name};", self.dialect.shared()));
            self.mails.insert(v, name);
        }
    }

    /// A line of the text.
    pub(super) fn line(&mut self, text: &str) {
        let indent = 4 * self.depth;
        let _ = writeln!(self.text, "{:indent$}{text}", "");
    }

    /// Lines that stand deeper.
    pub(super) fn inside(&mut self, body: impl FnOnce(&mut Self)) {
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }

    /// Writes the instructions of a block, with the place of each known.
    pub(super) fn each(&mut self, block: Block, mut write: impl FnMut(&mut Self, Value)) {
        let (kernel, outer) = (self.kernel, self.place);
        let running = self.running.len();
        for (i, &v) in kernel[block].iter().enumerate() {
            self.place = (block.index() as u32, i as u32);
            let before = self.text.len();
            let directive = if self.lined { self.directive(v) } else { String::new() };
            self.text.push_str(&directive);
            let after = self.text.len();
            self.settle_before(v);
            write(self, v);
            if self.text.len() == after {
                self.text.truncate(before);
            }
        }
        if self.running.len() > running {
            self.settle();
        }
        self.place = outer;
    }

    /// A directive that says where an instruction comes from.
    fn directive(&self, v: Value) -> String {
        let loc = self.kernel[v].loc;
        let Some(file) = self.kernel.files.get(loc.file as usize) else { return String::new() };
        // A name that C would read otherwise is as good as none.
        let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\\');
        if file.chars().all(is_plain) {
            format!("#line {} \"{file}\"\n", loc.line)
        } else {
            String::new()
        }
    }

    pub(super) fn dtype(&self, v: Value) -> DType {
        self.kernel[v].ty.dtype().expect("an operand has a value")
    }

    pub(super) fn kind(&self, v: Value) -> Kind {
        Kind::of(self.dtype(v))
    }

    /// The expression of a scalar.
    pub(super) fn get(&self, v: Value) -> Expr {
        match &self.values[v.index()] {
            Val::One(expr) => expr.clone(),
            Val::None | Val::Many(_) => unreachable!("verify: operands are scalars defined above"),
        }
    }

    /// The elements of a vector, or a scalar as its only one.
    pub(super) fn elements(&self, v: Value) -> Vec<Expr> {
        match &self.values[v.index()] {
            Val::Many(all) => all.clone(),
            Val::None | Val::One(_) => vec![self.get(v)],
        }
    }

    /// A constant of its own for an expression.
    pub(super) fn constant(&mut self, ty: &str, expr: &Expr) -> Expr {
        let name = format!("v{}", self.next);
        self.next += 1;
        self.line(&format!("const {ty} {name} = {};", expr.bare()));
        Expr::name(name)
    }

    /// A name that a function gives its value.
    pub(super) fn variable(&mut self, ty: &str) -> Expr {
        let name = format!("v{}", self.next);
        self.next += 1;
        self.line(&format!("{ty} {name};"));
        Expr::name(name)
    }

    /// The value of an instruction that only computes: inside its user, or as a constant.
    fn pure(&mut self, v: Value, expr: Expr) -> Val {
        let reads = {
            let mut reads = matches!(self.kernel[v].op, Op::Get(_));
            self.kernel[v].op.for_each_operand(|x| reads |= self.reads[x.index()]);
            reads
        };
        if self.stands_inside(v, reads) && expr.is_short() {
            self.reads[v.index()] = reads;
            return Val::One(expr);
        }
        match self.uses[v.index()].times {
            0 => Val::One(expr),
            _ => Val::One(self.constant(self.kind(v).name(), &expr)),
        }
    }

    fn stands_inside(&self, v: Value, reads: bool) -> bool {
        let Use { times, at } = self.uses[v.index()];
        if times != 1 || at.0 != self.place.0 {
            return false;
        }
        let changes = &self.changes[at.0 as usize];
        // The user itself, when it is a `Set` or has bodies, reads before it changes; but a loop reads its bounds again.
        let user = self.kernel.blocks[at.0 as usize][at.1 as usize];
        let again = matches!(self.kernel[user].op, Op::For { .. });
        let before_user = changes[at.1 as usize - 1];
        !again && (!reads || before_user == changes[self.place.1 as usize])
    }

    /// Writes one instruction that is no control flow.
    pub(super) fn leaf(&mut self, v: Value) {
        let inst = &self.kernel[v];
        let value = match &inst.op {
            Op::Const(c) => Val::One(self.number(self.dtype(v), c.bits)),
            &Op::Id(id) => {
                let expr = self.place_of(id);
                self.pure(v, expr)
            }
            &Op::Scalar(p) => {
                let expr = self.scalar(p);
                self.pure(v, expr)
            }
            &Op::Length(p) => Val::One(self.field(Field::Length(p))),
            &Op::Extent(p, axis) => Val::One(self.field(Field::Extent(p, axis))),
            &Op::Stride(p, axis) => Val::One(self.field(Field::Stride(p, axis))),
            &Op::Offset(p) => Val::One(self.field(Field::Offset(p))),
            &Op::Unary(op, x) => {
                let expr = self.unary(op, x);
                self.pure(v, expr)
            }
            &Op::Binary(op, x, y) => {
                let expr = self.binary(op, x, y);
                self.pure(v, expr)
            }
            &Op::Compare(op, x, y) => {
                let expr = self.compare(op, x, y);
                self.pure(v, expr)
            }
            &Op::Fma(x, y, z) => {
                let operands = [x, y, z].map(|v| self.get(v));
                let expr = Expr::call(self.dialect.fma(self.kind(x)), &operands.each_ref());
                self.pure(v, expr)
            }
            &Op::Select(c, x, y) => {
                let known = self.foreseen[x.index()] && self.foreseen[y.index()];
                let known = known && self.kind(x) != Kind::Bool;
                let [c, x, y] = [c, x, y].map(|v| self.get(v));
                // A function's arguments are worked out before it: else a compiler branches around them.
                self.pure(v, Expr::call(if known { "chosen" } else { "pick" }, &[&c, &x, &y]))
            }
            &Op::Cast(x) => {
                let expr = self.cast(x, self.dtype(v));
                self.pure(v, expr)
            }
            &Op::Bitcast(x) => {
                let expr = self.bitcast(v, x);
                self.pure(v, expr)
            }
            &Op::Load(place, index) => self.load(place, index, inst.ty),
            &Op::Store(place, index, value) => {
                self.store(place, index, value);
                Val::None
            }
            Op::Pack(all) => Val::Many(
                all.iter()
                    .map(|&x| match self.reads[x.index()] {
                        // The vector may be used after the register has changed.
                        true => {
                            let (kind, x) = (self.kind(x).name(), self.get(x));
                            self.constant(kind, &x)
                        }
                        false => self.get(x),
                    })
                    .collect(),
            ),
            &Op::Extract(x, at) => Val::One(self.elements(x)[usize::from(at)].clone()),
            &Op::Get(var) => {
                let name = Expr::name(self.vars[var.index()].clone());
                self.pure(v, name)
            }
            &Op::Set(var, x) => {
                let x = self.get(x);
                self.line(&format!("{} = {};", self.vars[var.index()], x.bare()));
                Val::None
            }
            &Op::Atomic(op, place, index, x) => {
                let used = self.uses[v.index()].times > 0;
                self.atomic(v, op, place, index, x, used)
            }
            &Op::CompareExchange { at, index, expected, value } => {
                self.compare_exchange(v, at, index, expected, value)
            }
            Op::Barrier => {
                self.barrier();
                Val::None
            }
            &Op::Shuffle(op, x, lane) => {
                let expr = self.shuffle(op, x, lane);
                Val::One(self.constant(self.kind(v).name(), &expr))
            }
            &Op::Vote(op, x) => {
                let expr = self.vote(op, x);
                Val::One(self.constant(self.kind(v).name(), &expr))
            }
            Op::Reduce(..) => unreachable!("legalize: reductions are shuffles"),
            Op::Matrix(atom, all) => self.matrix(*atom, all),
            Op::Wide { .. } => {
                match self.begun {
                    0 => self.wide(v),
                    _ => self.begun -= 1,
                }
                Val::None
            }
            &Op::GroupBroadcast(x) => Val::One(self.group_broadcast(v, x)),
            // The CPU device is the one that can.
            Op::Assert(..) | Op::Print(..) => Val::None,
            Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return => unreachable!("`block` writes control flow"),
        };
        self.values[v.index()] = value;
    }

    /// A constant of a value dtype from its bits, in the form of its kind.
    pub(super) fn number(&self, dtype: DType, bits: u64) -> Expr {
        let bits = match dtype {
            DType::I8 => u64::from(bits as u8 as i8 as i32 as u32),
            DType::I16 => u64::from(bits as u16 as i16 as i32 as u32),
            DType::Bool
            | DType::I4
            | DType::U4
            | DType::U8
            | DType::U16
            | DType::I32
            | DType::U32
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0
            | DType::F16
            | DType::BF16
            | DType::F32
            | DType::F64 => bits,
        };
        literal(Kind::of(dtype), bits)
    }

    /// A number of the launch.
    pub(super) fn field(&self, field: Field) -> Expr {
        let name = &self.fields[&field];
        match (self.dialect, field) {
            (Dialect::Metal, Field::Address(_)) | (Dialect::Cuda | Dialect::Hip, _) => {
                Expr::name(name.clone())
            }
            (Dialect::Metal, _) => Expr::name(format!("launch.{name}")),
        }
    }

    fn scalar(&self, p: Param) -> Expr {
        let dtype = self.kernel.params[p.index()].kind.dtype();
        if dtype.bits() == 64 {
            let x = self.field(Field::Scalar64(p));
            return match Kind::of(dtype) {
                Kind::F64 => Expr::call("f64_of", &[&x]),
                Kind::Bool | Kind::Word | Kind::Wide | Kind::F32 => x,
            };
        }
        memory::register_of(dtype, self.field(Field::Scalar(p)))
    }

    /// The type of a value's elements and how many there are.
    pub(super) fn shape(ty: Type) -> (DType, u32) {
        match ty {
            Type::Scalar(dtype) => (dtype, 1),
            Type::Vector(dtype, elems) => (dtype, elems.into()),
            Type::Unit => unreachable!("verify: loads and stores are of values"),
        }
    }
}
