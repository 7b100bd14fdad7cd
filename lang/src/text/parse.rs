//! Reads the text form.
//!
//! Invariants
//! - The kernel is what the text says, well formed or not; `verify` judges it.
//! - Instructions and blocks are numbered in the order of the text, whatever their labels.

use super::{ParseCause, ParseError, TEXT_FILE, cursor::Cursor, head, is_plain_file};
use crate::{
    dtype::{Class, DType},
    ir::*,
    matrix::{Atom, wide::Wide},
    ops::{AtomicOp, BinaryOp, CompareOp, IdOp, Reach, ReduceOp, ShuffleOp, UnaryOp, VoteOp},
    verify::MAX_NESTING,
};
use half::{bf16, f16};
use std::collections::HashMap;

/// The kernel that a text describes.
pub fn parse(text: &str) -> Result<Kernel, ParseError> {
    let mut cursor = Cursor::new(text);
    let (kernel, symbols) = head::parse(&mut cursor)?;
    let mut parser = Parser { cursor, kernel, symbols, labels: HashMap::new(), depth: 0 };
    let body = parser.block()?;
    parser.kernel.body = body;
    if !parser.cursor.is_at_end() {
        return parser.cursor.expected("an instruction");
    }
    Ok(parser.kernel)
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    kernel: Kernel,
    symbols: head::Symbols,
    labels: HashMap<&'a str, Value>,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// Instructions up to a `}` or the end.
    fn block(&mut self) -> Result<Block, ParseError> {
        if self.depth > MAX_NESTING {
            return self.cursor.error(self.cursor.at(), ParseCause::Nesting);
        }
        self.depth += 1;
        self.kernel.blocks.push(Vec::new());
        let block = Block::at(self.kernel.blocks.len() - 1);
        while !self.cursor.is_at_end() && !self.cursor.peek('}') {
            let v = self.inst(block)?;
            let is_if = matches!(self.kernel[v].op, Op::If { .. });
            for number in 0..self.kernel[v].op.bodies().len() {
                if number == 0 || self.cursor.eat_word("else") {
                    if number > 0 {
                        self.cursor.expect('{')?;
                    }
                    let body = self.block()?;
                    self.cursor.expect('}')?;
                    self.set_body(v, number, body);
                } else if is_if {
                    self.kernel.blocks.push(Vec::new());
                    let empty = Block::at(self.kernel.blocks.len() - 1);
                    self.set_body(v, number, empty);
                }
            }
        }
        self.depth -= 1;
        Ok(block)
    }

    fn set_body(&mut self, v: Value, number: usize, new: Block) {
        match (&mut self.kernel.insts[v.index()].op, number) {
            (Op::If { other, .. }, 1) => *other = new,
            (
                Op::If { then: body, .. }
                | Op::For { body, .. }
                | Op::Loop { body }
                | Op::Scope { body },
                _,
            ) => *body = new,
            _ => unreachable!("only these own bodies"),
        }
    }

    /// One instruction, without the bodies that follow its `{`.
    fn inst(&mut self, block: Block) -> Result<Value, ParseError> {
        let text_line = self.cursor.line();
        let mut label = None;
        let mut ty = Type::Unit;
        if self.is_label() {
            label = Some((self.cursor.at(), self.cursor.word("a label")?));
            self.cursor.expect(':')?;
            if !matches!(self.cursor.peek_word(), "loop" | "scope") {
                ty = self.ty()?;
                self.cursor.expect('=')?;
            }
        }
        let op = self.op(ty)?;
        let loc = self.loc(text_line)?;
        self.kernel.insts.push(Inst { op, ty, loc });
        let v = Value::at(self.kernel.insts.len() - 1);
        self.kernel.blocks[block.index()].push(v);
        if let Some((at, label)) = label
            && self.labels.insert(label, v).is_some()
        {
            let cause = ParseCause::Repeated { what: "value", name: label.into() };
            return self.cursor.error(at, cause);
        }
        Ok(v)
    }

    fn is_label(&self) -> bool {
        let digits = self.cursor.peek_word().strip_prefix('v');
        digits.is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
        })
    }

    fn ty(&mut self) -> Result<Type, ParseError> {
        let at = self.cursor.at();
        let word = self.cursor.word("a type")?;
        let vector = word.rsplit_once('x').and_then(|(dtype, lanes)| {
            Some(Type::Vector(DType::parse(dtype)?, lanes.parse().ok()?))
        });
        match (DType::parse(word), vector) {
            (Some(dtype), _) => Ok(Type::Scalar(dtype)),
            (None, Some(vector)) => Ok(vector),
            (None, None) => self.unknown(at, "type", word),
        }
    }

    fn unknown<T>(&self, at: usize, what: &'static str, name: &str) -> Result<T, ParseError> {
        self.cursor.error(at, ParseCause::Unknown { what, name: name.into() })
    }

    fn loc(&mut self, text_line: u32) -> Result<Loc, ParseError> {
        if !self.cursor.eat('@') {
            return Ok(Loc { file: self.file(TEXT_FILE), line: text_line });
        }
        let file = if self.cursor.eat('?') {
            u32::MAX
        } else if self.cursor.peek('"') {
            let name = self.cursor.string()?;
            self.file(&name)
        } else {
            let name = self.cursor.run(|c| is_plain_file(c.encode_utf8(&mut [0; 4])));
            if name.is_empty() {
                return self.cursor.expected("a file");
            }
            self.file(name)
        };
        self.cursor.expect(':')?;
        Ok(Loc { file, line: self.cursor.integer("a line")? })
    }

    fn file(&mut self, name: &str) -> u32 {
        let files = &mut self.kernel.files;
        let at = files.iter().position(|file| file == name).unwrap_or_else(|| {
            files.push(name.into());
            files.len() - 1
        });
        at as u32
    }

    fn value(&mut self) -> Result<Value, ParseError> {
        if !self.is_label() {
            return self.cursor.expected("a value");
        }
        let at = self.cursor.at();
        let label = self.cursor.word("a value")?;
        match self.labels.get(label) {
            Some(&v) => Ok(v),
            None => self.unknown(at, "value", label),
        }
    }

    /// So many values with commas between them.
    fn values<const N: usize>(&mut self) -> Result<[Value; N], ParseError> {
        let mut all = [Value::at(0); N];
        for (i, v) in all.iter_mut().enumerate() {
            if i > 0 {
                self.cursor.expect(',')?;
            }
            *v = self.value()?;
        }
        Ok(all)
    }

    /// Behind a comma, one value.
    fn next_value(&mut self) -> Result<Value, ParseError> {
        self.cursor.expect(',')?;
        self.value()
    }

    /// One value or more.
    fn list(&mut self) -> Result<Vec<Value>, ParseError> {
        let mut all = vec![self.value()?];
        while self.cursor.eat(',') {
            all.push(self.value()?);
        }
        Ok(all)
    }

    fn param(&mut self) -> Result<Param, ParseError> {
        let at = self.cursor.at();
        match self.symbols.reference(&mut self.cursor)? {
            head::Symbol::Param(p) => Ok(p),
            head::Symbol::Array(_) | head::Symbol::Var(_) => self.not(at, "a parameter"),
        }
    }

    fn var(&mut self) -> Result<Var, ParseError> {
        let at = self.cursor.at();
        match self.symbols.reference(&mut self.cursor)? {
            head::Symbol::Var(v) => Ok(v),
            head::Symbol::Array(_) | head::Symbol::Param(_) => self.not(at, "a register"),
        }
    }

    fn array(&mut self) -> Result<Array, ParseError> {
        let at = self.cursor.at();
        match self.symbols.reference(&mut self.cursor)? {
            head::Symbol::Array(a) => Ok(a),
            head::Symbol::Var(_) | head::Symbol::Param(_) => self.not(at, "an array"),
        }
    }

    /// `name[v1]`
    fn element(&mut self) -> Result<(Place, Value), ParseError> {
        let at = self.cursor.at();
        let place = match self.symbols.reference(&mut self.cursor)? {
            head::Symbol::Param(p) => Place::Param(p),
            head::Symbol::Array(a) => Place::Array(a),
            head::Symbol::Var(_) => return self.not(at, "a parameter or an array"),
        };
        self.cursor.expect('[')?;
        let index = self.value()?;
        self.cursor.expect(']')?;
        Ok((place, index))
    }

    fn not<T>(&self, at: usize, want: &str) -> Result<T, ParseError> {
        let found = "another kind of name".into();
        self.cursor.error(at, ParseCause::Expected { want: want.into(), found })
    }

    fn op(&mut self, ty: Type) -> Result<Op, ParseError> {
        let at = self.cursor.at();
        let word = self.cursor.word("an operation")?;
        if let Some(op) = self.table_op(word)? {
            return Ok(op);
        }
        Ok(match word {
            "const" => Op::Const(Const { bits: self.constant(at, ty)? }),
            "scalar" => Op::Scalar(self.param()?),
            "length" => Op::Length(self.param()?),
            "offset" => Op::Offset(self.param()?),
            "extent" => self.axis(Op::Extent)?,
            "stride" => self.axis(Op::Stride)?,
            "fma" => self.values().map(|[a, b, c]| Op::Fma(a, b, c))?,
            "select" => self.values().map(|[c, a, b]| Op::Select(c, a, b))?,
            "cast" => Op::Cast(self.value()?),
            "bitcast" => Op::Bitcast(self.value()?),
            "load" => self.element().map(|(at, index)| Op::Load(at, index))?,
            "store" => {
                let (at, index) = self.element()?;
                Op::Store(at, index, self.next_value()?)
            }
            "pack" => Op::Pack(self.list()?),
            "extract" => {
                let from = self.value()?;
                self.cursor.expect(',')?;
                Op::Extract(from, self.cursor.integer("an element")?)
            }
            "get" => Op::Get(self.var()?),
            "set" => {
                let var = self.var()?;
                Op::Set(var, self.next_value()?)
            }
            "compare_exchange" => {
                let (at, index) = self.element()?;
                let (expected, value) = (self.next_value()?, self.next_value()?);
                Op::CompareExchange { at, index, expected, value }
            }
            "barrier" => Op::Barrier,
            "group_broadcast" => Op::GroupBroadcast(self.value()?),
            "if" | "for" | "loop" | "scope" => {
                let op = self.body_op(word)?;
                self.cursor.expect('{')?;
                op
            }
            "break" => Op::Break(self.value()?),
            "continue" => Op::Continue(self.value()?),
            "return" => Op::Return,
            "assert" => {
                let cond = self.value()?;
                self.cursor.expect(',')?;
                Op::Assert(cond, self.cursor.string()?)
            }
            "print" => {
                let text = self.cursor.string()?;
                let values = if self.cursor.eat(',') { self.list()? } else { Vec::new() };
                Op::Print(text, values)
            }
            _ => return self.unknown(at, "operation", word),
        })
    }

    /// The instructions that are rows of a table.
    fn table_op(&mut self, word: &str) -> Result<Option<Op>, ParseError> {
        if IdOp::ALL.iter().any(|id| id.name().split('.').next() == Some(word)) {
            return self.id(word).map(|id| Some(Op::Id(id)));
        }
        let op = if let Some(op) = UnaryOp::parse(word) {
            Op::Unary(op, self.value()?)
        } else if let Some(op) = BinaryOp::parse(word) {
            self.values().map(|[a, b]| Op::Binary(op, a, b))?
        } else if let Some(op) = CompareOp::parse(word) {
            self.values().map(|[a, b]| Op::Compare(op, a, b))?
        } else if let Some(op) = AtomicOp::parse(word) {
            let (at, index) = self.element()?;
            Op::Atomic(op, at, index, self.next_value()?)
        } else if let Some(op) = ShuffleOp::parse(word) {
            self.values().map(|[a, lane]| Op::Shuffle(op, a, lane))?
        } else if let Some(op) = VoteOp::parse(word) {
            Op::Vote(op, self.value()?)
        } else if let Some(atom) = Atom::parse(word) {
            Op::Matrix(atom, self.list()?)
        } else if let Some(wide) = Wide::parse(word) {
            let sums = self.array()?;
            self.cursor.expect(',')?;
            let tile = self.array()?;
            self.cursor.expect(',')?;
            Op::Wide { wide, sums, tile, words: self.list()? }
        } else if let Some(reach) = Reach::parse(word) {
            let at = self.cursor.at();
            let name = self.cursor.word("a reduction")?;
            match ReduceOp::parse(name) {
                Some(op) => Op::Reduce(reach, op, self.value()?),
                None => return self.unknown(at, "reduction", name),
            }
        } else {
            return Ok(None);
        };
        Ok(Some(op))
    }

    fn id(&mut self, word: &str) -> Result<IdOp, ParseError> {
        if let Some(id) = IdOp::parse(word) {
            return Ok(id);
        }
        self.cursor.expect('.')?;
        let at = self.cursor.at();
        let axis = self.cursor.word("an axis")?;
        match IdOp::parse(&format!("{word}.{axis}")) {
            Some(id) => Ok(id),
            None => self.unknown(at, "axis", axis),
        }
    }

    fn axis(&mut self, op: impl Fn(Param, u8) -> Op) -> Result<Op, ParseError> {
        let param = self.param()?;
        self.cursor.expect(',')?;
        Ok(op(param, self.cursor.integer("an axis")?))
    }

    /// What stands before a `{`; the bodies are set when they are read.
    fn body_op(&mut self, word: &str) -> Result<Op, ParseError> {
        let body = Block(u32::MAX);
        Ok(match word {
            "if" => Op::If { cond: self.value()?, then: body, other: body },
            "for" => {
                let start = self.value()?;
                self.cursor.expect_word("to")?;
                let end = self.value()?;
                self.cursor.expect_word("step")?;
                Op::For { start, end, step: self.value()?, body }
            }
            "loop" => Op::Loop { body },
            _ => Op::Scope { body },
        })
    }

    /// The bits of a constant of this type.
    fn constant(&mut self, op_at: usize, ty: Type) -> Result<u64, ParseError> {
        if self.cursor.eat_word("bits") {
            return self.cursor.hexadecimal();
        }
        let Some(dtype) = ty.scalar() else {
            return self.cursor.error(op_at, ParseCause::ConstantType);
        };
        let at = self.cursor.at();
        let sign = if self.cursor.eat('-') { "-" } else { "" };
        let digits = match self.cursor.peek_word() {
            "" => self.cursor.number("a number")?,
            _ => self.cursor.word("a number")?,
        };
        let text = format!("{sign}{digits}");
        match number(dtype, &text) {
            Some(bits) => Ok(bits),
            None => {
                let want = format!("{} {dtype}", if dtype.is_signed() { "an" } else { "a" });
                self.cursor.error(at, ParseCause::Number { text, want })
            }
        }
    }
}

/// The bits of a number of a value dtype; decimals round to nearest.
fn number(dtype: DType, text: &str) -> Option<u64> {
    match dtype.class() {
        Class::Bool => text.parse::<bool>().ok().map(u64::from),
        Class::Signed | Class::Unsigned => {
            let n: i128 = text.parse().ok()?;
            let (least, most) = match dtype.is_signed() {
                true => (-1i128 << (dtype.bits() - 1), (1i128 << (dtype.bits() - 1)) - 1),
                false => (0, (1i128 << dtype.bits()) - 1),
            };
            let mask = u64::MAX >> (64 - dtype.bits());
            (least..=most).contains(&n).then_some(n as u64 & mask)
        }
        Class::Float => float(dtype, text),
    }
}

fn float(dtype: DType, text: &str) -> Option<u64> {
    if text == "nan" {
        return dtype.canonical_nan();
    }
    let is_number = text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    if !is_number && !matches!(text, "inf" | "-inf") {
        return None;
    }
    let x: f64 = text.parse().ok()?;
    Some(match dtype {
        DType::F16 => f16::from_f64(x).to_bits().into(),
        DType::BF16 => bf16::from_f64(x).to_bits().into(),
        DType::F32 => text.parse::<f32>().ok()?.to_bits().into(),
        DType::F64 => x.to_bits(),
        _ => return None,
    })
}
