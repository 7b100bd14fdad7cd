//! A one-thread interpreter of the IR, straight from `eval`: what the passes are held against.
//!
//! Absent: whatever needs other threads (subgroups, barriers, atomics), and rows without a native value.

use evenweave_lang::{
    eval,
    ir::{Block, Kernel, Op, Place, Type, Value},
    ops::IdOp,
};
use std::collections::HashMap;

/// Bits of the elements of each buffer parameter, and of each scalar, by parameter.
pub(crate) type Memory = Vec<Vec<u64>>;

#[derive(Clone, Debug)]
enum Cell {
    One(u64),
    Many(Vec<u64>),
}

enum Flow {
    Next,
    Break(Value),
    Continue(Value),
    Return,
}

struct Machine<'k> {
    kernel: &'k Kernel,
    memory: Memory,
    arrays: Vec<Vec<Option<u64>>>,
    vars: Vec<Option<u64>>,
    cells: HashMap<Value, Cell>,
    fault: Option<String>,
}

/// What the buffers hold afterwards, or the launch's error.
pub(crate) fn run(kernel: &Kernel, memory: Memory) -> Result<Memory, String> {
    let arrays = kernel.arrays.iter().map(|a| vec![None; a.elems as usize]).collect();
    let vars = vec![None; kernel.vars.len()];
    let mut machine = Machine { kernel, memory, arrays, vars, cells: HashMap::new(), fault: None };
    machine.block(kernel.body);
    match machine.fault {
        Some(fault) => Err(fault),
        None => Ok(machine.memory),
    }
}

impl Machine<'_> {
    fn block(&mut self, block: Block) -> Flow {
        for &v in &self.kernel[block] {
            let flow = self.step(v);
            if self.fault.is_some() {
                return Flow::Return;
            }
            if !matches!(flow, Flow::Next) {
                return flow;
            }
        }
        Flow::Next
    }

    fn one(&self, v: Value) -> u64 {
        match &self.cells[&v] {
            Cell::One(bits) => *bits,
            Cell::Many(_) => panic!("v{} is a vector", v.index()),
        }
    }

    fn step(&mut self, v: Value) -> Flow {
        match &self.kernel[v].op {
            Op::If { cond, then, other } => {
                return self.block(if self.one(*cond) != 0 { *then } else { *other });
            }
            Op::Scope { body } => {
                return match self.block(*body) {
                    Flow::Break(to) if to == v => Flow::Next,
                    flow => flow,
                };
            }
            Op::Loop { body } => return self.repeat(v, *body),
            Op::For { start, end, step, body } => {
                let (start, end, step) = (self.one(*start), self.one(*end), self.one(*step));
                return self.count(v, [start, end, step.max(1)], *body);
            }
            Op::Break(to) => return Flow::Break(*to),
            Op::Continue(to) => return Flow::Continue(*to),
            Op::Return => return Flow::Return,
            _ => self.leaf(v),
        }
        Flow::Next
    }

    fn repeat(&mut self, v: Value, body: Block) -> Flow {
        for _ in 0..10_000 {
            match self.block(body) {
                Flow::Break(to) if to == v => return Flow::Next,
                Flow::Continue(to) if to == v => {}
                Flow::Next => {}
                flow => return flow,
            }
        }
        panic!("a loop does not end")
    }

    /// A `For` of unsigned indices.
    fn count(&mut self, v: Value, [start, end, step]: [u64; 3], body: Block) -> Flow {
        let mut at = start;
        while at < end {
            self.cells.insert(v, Cell::One(at));
            match self.block(body) {
                Flow::Break(to) if to == v => return Flow::Next,
                Flow::Continue(to) if to == v => {}
                Flow::Next => {}
                flow => return flow,
            }
            at = at.saturating_add(step);
        }
        Flow::Next
    }

    fn leaf(&mut self, v: Value) {
        let inst = &self.kernel[v];
        let dtype = |v: Value| self.kernel[v].ty.dtype().unwrap();
        let value = match &inst.op {
            Op::Const(c) => Some(c.bits),
            Op::Id(IdOp::GroupSizeX | IdOp::GroupSizeY | IdOp::GroupSizeZ) => Some(1),
            Op::Id(_) => Some(0),
            Op::Scalar(p) => Some(self.memory[p.index()][0]),
            Op::Length(p) => Some(self.memory[p.index()].len() as u64),
            Op::Unary(op, a) => eval::unary(*op, dtype(*a), self.one(*a)),
            Op::Binary(op, a, b) => eval::binary(*op, dtype(*a), self.one(*a), self.one(*b)),
            Op::Compare(op, a, b) => {
                eval::compare(*op, dtype(*a), self.one(*a), self.one(*b)).map(u64::from)
            }
            Op::Fma(a, b, c) => eval::fma(dtype(*a), self.one(*a), self.one(*b), self.one(*c)),
            Op::Select(c, a, b) => Some(self.one(if self.one(*c) != 0 { *a } else { *b })),
            Op::Cast(a) => eval::cast(dtype(*a), dtype(v), self.one(*a)),
            Op::Bitcast(a) => eval::bitcast(dtype(*a), dtype(v), self.one(*a)),
            Op::Get(var) => Some(self.vars[var.index()].expect("a register is set before")),
            Op::Set(var, value) => {
                self.vars[var.index()] = Some(self.one(*value));
                return;
            }
            Op::Load(place, index) => return self.load(v, *place, *index),
            Op::Store(place, index, value) => return self.store(*place, *index, *value),
            Op::Pack(values) => {
                let values = values.iter().map(|&v| self.one(v)).collect();
                self.cells.insert(v, Cell::Many(values));
                return;
            }
            Op::Extract(vector, at) => match &self.cells[vector] {
                Cell::Many(values) => Some(values[usize::from(*at)]),
                Cell::One(_) => panic!("no vector"),
            },
            Op::Assert(cond, text) => {
                if self.one(*cond) == 0 {
                    self.fault = Some(text.clone());
                }
                return;
            }
            other => panic!("{other:?} needs other threads"),
        };
        let bits = value.unwrap_or_else(|| panic!("{:?} has no native value", inst.op));
        self.cells.insert(v, Cell::One(bits));
    }

    fn range(&mut self, place: Place, index: Value, width: u64) -> Option<std::ops::Range<usize>> {
        let at = self.one(index);
        let len = match place {
            Place::Param(p) => self.memory[p.index()].len(),
            Place::Array(a) => self.arrays[a.index()].len(),
        };
        assert_eq!(at % width, 0, "a vector of {width} starts at {at}");
        let end = at.checked_add(width).filter(|&end| end <= len as u64);
        if end.is_none() {
            self.fault = Some(format!("out of bounds of {}", self.kernel.place_name(place)));
        }
        end.map(|end| at as usize..end as usize)
    }

    fn load(&mut self, v: Value, place: Place, index: Value) {
        let (width, many) = width(self.kernel[v].ty);
        let Some(range) = self.range(place, index, width) else { return };
        let stored = self.kernel.place_dtype(place);
        let values: Vec<u64> = match place {
            Place::Param(p) => {
                self.memory[p.index()][range].iter().map(|&c| eval::decode(stored, c)).collect()
            }
            Place::Array(a) => {
                let cells = &self.arrays[a.index()][range];
                cells.iter().map(|c| c.expect("an element is written before")).collect()
            }
        };
        self.cells.insert(v, if many { Cell::Many(values) } else { Cell::One(values[0]) });
    }

    fn store(&mut self, place: Place, index: Value, value: Value) {
        let (width, _) = width(self.kernel[value].ty);
        let Some(range) = self.range(place, index, width) else { return };
        let stored = self.kernel.place_dtype(place);
        let values = match &self.cells[&value] {
            Cell::One(bits) => vec![*bits],
            Cell::Many(values) => values.clone(),
        };
        for (at, bits) in range.zip(values) {
            match place {
                Place::Param(p) => self.memory[p.index()][at] = eval::encode(stored, bits),
                Place::Array(a) => self.arrays[a.index()][at] = Some(bits),
            }
        }
    }
}

fn width(ty: Type) -> (u64, bool) {
    match ty {
        Type::Vector(_, width) => (width.into(), true),
        Type::Scalar(_) | Type::Unit => (1, false),
    }
}
