//! A sheet: formulas over columns of inputs, computed by a device natively and on the host by the law.
//!
//! Invariants
//! - What the kernel computes and what `want` computes come from one list of steps.
//! - Indices are `u32`, and inputs come from buffers: nothing can be folded, and nothing needs more than 32 bits but what
//!   is probed.
//! - Where an f32 is subnormal, or may have been before it was rounded, a disagreement of one sum, product or comparison is
//!   of `Subnormals` and not of the row's fact; that of several together is a doubt.

use super::{Disagreements, cache::hash};
use crate::{
    device::{Device, LaunchArg, LoadOptions, Memory},
    error::DeviceError,
};
use evenweave_codegen::Fact;
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    eval,
    ir::{self, Access, Const, Op, ParamKind, Place, Type, Value},
    launch::Len,
    ops::{BinaryOp, CompareOp, IdOp, UnaryOp},
    text,
};
use std::cell::RefCell;

const GROUP: u32 = 64;
/// What a row may be, as it is stored: what is narrower travels in 32 bits.
const STORED: [DType; 4] = [DType::U32, DType::F32, DType::U64, DType::F64];

/// A value of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell(usize);

#[derive(Clone, Copy, Debug)]
enum Step {
    Input(usize),
    /// A constant of the module: its bits.
    Literal(u64),
    Unary(UnaryOp, Cell),
    Binary(BinaryOp, Cell, Cell),
    Compare(CompareOp, Cell, Cell),
    Fma(Cell, Cell, Cell),
    Select(Cell, Cell, Cell),
    Cast(Cell),
    Bits(Cell),
}

struct Column {
    name: &'static str,
    dtype: DType,
    words: Vec<u64>,
}

struct Row {
    fact: Fact,
    text: &'static str,
    cell: Cell,
}

/// The formulas.
pub(super) struct Sheet {
    name: &'static str,
    columns: RefCell<Vec<Column>>,
    steps: RefCell<Vec<(Step, DType)>>,
    rows: RefCell<Vec<Row>>,
}

impl Sheet {
    pub(super) fn new(name: &'static str) -> Sheet {
        let (columns, steps, rows) = Default::default();
        Sheet { name, columns, steps, rows }
    }

    fn step(&self, step: Step, dtype: DType) -> Cell {
        let mut steps = self.steps.borrow_mut();
        steps.push((step, dtype));
        Cell(steps.len() - 1)
    }

    fn dtype(&self, cell: Cell) -> DType {
        self.steps.borrow()[cell.0].1
    }

    /// A column of inputs; all have one length.
    pub(super) fn column(&self, name: &'static str, dtype: DType, words: Vec<u64>) -> Cell {
        let mut columns = self.columns.borrow_mut();
        columns.push(Column { name, dtype, words });
        self.step(Step::Input(columns.len() - 1), dtype)
    }

    /// A number that the module names, and the driver knows.
    pub(super) fn literal(&self, dtype: DType, bits: u64) -> Cell {
        self.step(Step::Literal(bits), dtype)
    }

    pub(super) fn unary(&self, op: UnaryOp, a: Cell) -> Cell {
        self.step(Step::Unary(op, a), self.dtype(a))
    }

    pub(super) fn binary(&self, op: BinaryOp, a: Cell, b: Cell) -> Cell {
        self.step(Step::Binary(op, a, b), self.dtype(a))
    }

    pub(super) fn add(&self, a: Cell, b: Cell) -> Cell {
        self.binary(BinaryOp::Add, a, b)
    }

    pub(super) fn sub(&self, a: Cell, b: Cell) -> Cell {
        self.binary(BinaryOp::Sub, a, b)
    }

    pub(super) fn mul(&self, a: Cell, b: Cell) -> Cell {
        self.binary(BinaryOp::Mul, a, b)
    }

    pub(super) fn neg(&self, a: Cell) -> Cell {
        self.unary(UnaryOp::Neg, a)
    }

    pub(super) fn compare(&self, op: CompareOp, a: Cell, b: Cell) -> Cell {
        self.step(Step::Compare(op, a, b), DType::Bool)
    }

    pub(super) fn fma(&self, a: Cell, b: Cell, c: Cell) -> Cell {
        self.step(Step::Fma(a, b, c), self.dtype(a))
    }

    pub(super) fn select(&self, cond: Cell, a: Cell, b: Cell) -> Cell {
        self.step(Step::Select(cond, a, b), self.dtype(a))
    }

    pub(super) fn cast(&self, to: DType, a: Cell) -> Cell {
        self.step(Step::Cast(a), to)
    }

    pub(super) fn bits(&self, to: DType, a: Cell) -> Cell {
        self.step(Step::Bits(a), to)
    }

    /// What is compared: the fact that does not hold where it differs, the formula in words, its value.
    pub(super) fn row(&self, fact: Fact, text: &'static str, cell: Cell) {
        let cell = match self.dtype(cell) {
            DType::F16 => self.cast(DType::U32, self.bits(DType::U16, cell)),
            DType::I32 => self.bits(DType::U32, cell),
            DType::I64 => self.bits(DType::U64, cell),
            DType::Bool | DType::U8 | DType::U16 | DType::I8 | DType::I16 => {
                self.cast(DType::U32, cell)
            }
            _ => cell,
        };
        assert!(STORED.contains(&self.dtype(cell)), "{text} cannot be stored");
        self.rows.borrow_mut().push(Row { fact, text, cell });
    }

    /// What the rows show. Subnormals are shown wherever an f32 is.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let mut facts: Vec<Fact> = self.rows.borrow().iter().map(|row| row.fact).collect();
        if facts.contains(&Fact::Rounding) {
            facts.push(Fact::Subnormals);
        }
        facts.sort_unstable();
        facts.dedup();
        facts
    }

    /// A hash of the kernel and its inputs, going on from a state.
    pub(super) fn hash(&self, state: u64) -> u64 {
        let mut state = hash(state, text::print(&self.kernel()).as_bytes());
        for word in self.columns.borrow().iter().flat_map(|column| &column.words) {
            state = hash(state, &word.to_le_bytes());
        }
        state
    }

    /// Whether arithmetic comes before the last operation.
    fn is_compound(&self, cell: Cell) -> bool {
        let steps = self.steps.borrow();
        let before = |cell: Cell| match steps[cell.0].0 {
            Step::Binary(..) | Step::Fma(..) => true,
            Step::Unary(_, a) => matches!(steps[a.0].0, Step::Binary(..) | Step::Fma(..)),
            Step::Input(_)
            | Step::Literal(_)
            | Step::Compare(..)
            | Step::Select(..)
            | Step::Cast(_)
            | Step::Bits(_) => false,
        };
        match steps[cell.0].0 {
            Step::Binary(_, a, b) | Step::Compare(_, a, b) => before(a) || before(b),
            Step::Fma(a, b, c) | Step::Select(a, b, c) => before(a) || before(b) || before(c),
            Step::Unary(_, a) | Step::Cast(a) | Step::Bits(a) => before(a),
            Step::Input(_) | Step::Literal(_) => false,
        }
    }

    /// How many cases the columns have.
    pub(super) fn cases(&self) -> usize {
        self.columns.borrow().first().map_or(0, |column| column.words.len())
    }

    /// The rows of each stored dtype, in order.
    fn shelves(&self) -> Vec<(DType, Vec<usize>)> {
        let rows = self.rows.borrow();
        let of = |dtype| -> Vec<usize> {
            (0..rows.len()).filter(|&r| self.dtype(rows[r].cell) == dtype).collect()
        };
        let all = STORED.iter().map(|&dtype| (dtype, of(dtype)));
        all.filter(|(_, rows)| !rows.is_empty()).collect()
    }

    /// The kernel: a thread a case, and row `r` of a dtype at `r * n`.
    pub(super) fn kernel(&self) -> ir::Kernel {
        let mut b = Builder::new(self.name);
        let loc = b.locate(file!(), line!());
        b.set_loc(loc);
        let n = b.param("n", ParamKind::Scalar(DType::U32));
        let columns = self.columns.borrow();
        let inputs: Vec<_> = columns
            .iter()
            .map(|column| {
                let (dtype, access, len) = (column.dtype, Access::In, Len::Scalar(n));
                b.param(column.name, ParamKind::Buffer { dtype, access, len })
            })
            .collect();
        let shelves = self.shelves();
        let outputs: Vec<_> = shelves
            .iter()
            .map(|(dtype, rows)| {
                let len = Len::Scalar(n) * Len::Const(rows.len() as u64);
                let kind = ParamKind::Buffer { dtype: *dtype, access: Access::Out, len };
                b.param(format!("y_{dtype}"), kind)
            })
            .collect();
        b.kernel_mut().group = [GROUP, 1, 1];
        b.kernel_mut().grid = [Len::Scalar(n).div_ceil(GROUP), Len::Const(1), Len::Const(1)];
        let i = b.id(IdOp::GlobalX);
        let cases = b.push(Op::Scalar(n), Type::Scalar(DType::U32));
        let inside = b.push(Op::Compare(CompareOp::Lt, i, cases), Type::Scalar(DType::Bool));
        let branch = b.begin_if(inside);
        let mut values: Vec<Value> = Vec::new();
        for &(step, dtype) in &*self.steps.borrow() {
            let v = |cell: Cell| values[cell.0];
            let op = match step {
                Step::Input(column) => Op::Load(Place::Param(inputs[column]), i),
                Step::Literal(bits) => Op::Const(Const { bits }),
                Step::Unary(op, a) => Op::Unary(op, v(a)),
                Step::Binary(op, x, y) => Op::Binary(op, v(x), v(y)),
                Step::Compare(op, x, y) => Op::Compare(op, v(x), v(y)),
                Step::Fma(x, y, z) => Op::Fma(v(x), v(y), v(z)),
                Step::Select(c, x, y) => Op::Select(v(c), v(x), v(y)),
                Step::Cast(a) => Op::Cast(v(a)),
                Step::Bits(a) => Op::Bitcast(v(a)),
            };
            values.push(b.push(op, Type::Scalar(dtype)));
        }
        let rows = self.rows.borrow();
        for ((_, shelf), &output) in shelves.iter().zip(&outputs) {
            let mut at = i;
            for (place, &row) in shelf.iter().enumerate() {
                if place > 0 {
                    let add = Op::Binary(BinaryOp::Add, at, cases);
                    at = b.push(add, Type::Scalar(DType::U32));
                }
                b.push_unit(Op::Store(Place::Param(output), at, values[rows[row].cell.0]));
            }
        }
        b.begin_else(branch);
        b.end_if();
        b.finish()
    }

    /// The values of all steps of a case, each with whether an f32 was subnormal on its way.
    fn law(&self, case: usize, out: &mut Vec<(u64, bool)>) {
        let (columns, steps) = (self.columns.borrow(), self.steps.borrow());
        out.clear();
        for &(step, dtype) in &*steps {
            let v = |cell: Cell| out[cell.0].0;
            let of = |cell: Cell| steps[cell.0].1;
            let tiny = |cell: Cell| of(cell) == DType::F32 && is_tiny(v(cell));
            let (value, operands): (Option<u64>, &[Cell]) = match step {
                Step::Input(column) => (Some(columns[column].words[case]), &[]),
                Step::Literal(bits) => (Some(bits), &[]),
                Step::Unary(op, a) => (eval::unary(op, of(a), v(a)), &[a]),
                Step::Binary(op, a, b) => (eval::binary(op, of(a), v(a), v(b)), &[a, b]),
                Step::Compare(op, a, b) => {
                    (eval::compare(op, of(a), v(a), v(b)).map(u64::from), &[a, b])
                }
                Step::Fma(a, b, c) => (eval::fma(of(a), v(a), v(b), v(c)), &[a, b, c]),
                Step::Select(c, a, b) => (Some(if v(c) != 0 { v(a) } else { v(b) }), &[c, a, b]),
                Step::Cast(a) => (eval::cast(of(a), dtype, v(a)), &[a]),
                Step::Bits(a) => (eval::bitcast(of(a), dtype, v(a)), &[a]),
            };
            let value = value.expect("a sheet has native rows only");
            let passed = operands.iter().any(|&cell| out[cell.0].1 || tiny(cell));
            out.push((value, passed || dtype == DType::F32 && is_tiny(value)));
        }
    }

    /// Runs the sheet on a device and tells what differs.
    pub(super) fn run(
        &self,
        device: &dyn Device,
        options: &LoadOptions,
        found: &mut Disagreements,
    ) -> Result<(), DeviceError> {
        let cases = self.cases();
        let outputs = self.outputs(device, options)?;
        let (rows, columns) = (self.rows.borrow(), self.columns.borrow());
        let mut law = Vec::new();
        for case in 0..cases {
            self.law(case, &mut law);
            for (dtype, shelf, bytes) in &outputs {
                for (place, &row) in shelf.iter().enumerate() {
                    let Row { fact, text, cell } = rows[row];
                    let got = word(*dtype, bytes, place * cases + case);
                    let (stored, small) = law[cell.0];
                    let want = eval::encode(*dtype, stored);
                    if got == want {
                        continue;
                    }
                    let witness = || {
                        let given = columns.iter().map(|c| {
                            let digits = c.dtype.bits() as usize / 4 + 2;
                            format!("{} = {:#0digits$x}", c.name, c.words[case])
                        });
                        let given = given.collect::<Vec<_>>().join(", ");
                        format!("{text} of {given} gave {got:#x}, is {want:#x}")
                    };
                    match fact {
                        Fact::Uncontracted | Fact::AsWritten | Fact::ZeroTerm if small => {
                            found.doubt(fact, witness)
                        }
                        Fact::Fma if small && self.is_compound(cell) => found.doubt(fact, witness),
                        Fact::Rounding | Fact::Compares if small => found.small(fact, witness),
                        _ => found.add(fact, witness),
                    }
                }
            }
        }
        Ok(())
    }

    /// What the device computes: for each stored dtype its rows and their bytes.
    #[allow(clippy::type_complexity)]
    fn outputs(
        &self,
        device: &dyn Device,
        options: &LoadOptions,
    ) -> Result<Vec<(DType, Vec<usize>, Vec<u8>)>, DeviceError> {
        let cases = self.cases() as u64;
        let program = device.load(&self.kernel(), options)?;
        let mut memories: Vec<Memory> = Vec::new();
        for column in &*self.columns.borrow() {
            let size = column.dtype.bits() as usize / 8;
            let bytes: Vec<u8> =
                column.words.iter().flat_map(|w| w.to_le_bytes().into_iter().take(size)).collect();
            let memory = device.alloc(column.dtype, cases)?;
            device.write(&memory, &bytes)?;
            memories.push(memory);
        }
        let (shelves, inputs) = (self.shelves(), memories.len());
        for (dtype, rows) in &shelves {
            let memory = device.alloc(*dtype, cases * rows.len() as u64)?;
            device.fill(&memory, 0xa5)?;
            memories.push(memory);
        }
        let mut args = vec![LaunchArg::Scalar(DType::U32, cases)];
        args.extend(memories.iter().map(LaunchArg::Buffer));
        device.launch(&program, &args)?;
        let outputs = shelves.into_iter().zip(&memories[inputs..]);
        outputs.map(|((dtype, rows), memory)| Ok((dtype, rows, device.read(memory)?))).collect()
    }
}

/// Whether an f32 is subnormal, or so small that it may have been before it was rounded.
fn is_tiny(bits: u64) -> bool {
    let magnitude = bits as u32 & 0x7fff_ffff;
    magnitude != 0 && magnitude <= 0x0080_0000
}

fn word(dtype: DType, bytes: &[u8], at: usize) -> u64 {
    let size = dtype.bits() as usize / 8;
    let mut word = [0; 8];
    word[..size].copy_from_slice(&bytes[at * size..(at + 1) * size]);
    u64::from_le_bytes(word)
}
