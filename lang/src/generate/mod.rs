//! Random kernels that are well formed and have one right answer: what devices and passes are compared on.
//!
//! Invariants
//! - A seed and options give one kernel, and `verify` accepts it.
//! - For every `arguments` no index is out of bounds, every loop ends, no `Assert` fails, nothing is read
//!   before it is written, and threads do not race: each writes elements of its own, meets the others at
//!   barriers, or updates atomically with one order-free operation a buffer.
//! - Every element of every `Out` buffer is written, whatever path a thread takes.
//! - What is computed is seen: values flow into `hash`, one `u32` a thread.
//!
//! Absent: vectors from views, whose alignment is the launch's; matrix fragments.

mod control;
mod data;
mod memory;
mod values;

#[cfg(test)]
mod tests;

pub use data::{Argument, arguments, pack};

use crate::{
    build::Builder,
    dtype::DType,
    ir::*,
    launch::Len,
    ops::{BinaryOp, IdOp, Tier},
    uniform::Uniform,
    verify::verify,
};
use std::collections::HashMap;

/// What kernels may contain.
#[derive(Clone, Debug)]
pub struct Options {
    /// About how many statements.
    pub statements: u32,
    /// The dtypes of values, buffers and memory; `bool` and `u32` are always in use.
    pub dtypes: Vec<DType>,
    /// The weakest operations: `Bounded` ones have different bits on different devices.
    pub tier: Tier,
    /// Whether lanes of a subgroup work together.
    pub subgroups: bool,
    /// Whether neighbours are loaded and stored at once.
    pub vectors: bool,
    /// Whether threads print.
    pub prints: bool,
}

impl Default for Options {
    /// Everything that has the same bits on every device, and is silent.
    fn default() -> Options {
        Options {
            statements: 60,
            dtypes: DType::ALL.to_vec(),
            tier: Tier::Same,
            subgroups: true,
            vectors: true,
            prints: false,
        }
    }
}

/// The kernel of a seed.
///
/// # Panics
/// When the kernel breaks a rule: a fault of this module.
pub fn generate(seed: u64, options: &Options) -> Kernel {
    let kernel = Generator::new(seed, options).run().compact();
    if let Err(error) = verify(&kernel) {
        panic!("the kernel of seed {seed} is malformed: {error}");
    }
    kernel
}

/// Random numbers: splitmix64.
#[derive(Debug)]
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Less than `end`, which is not 0.
    fn below(&mut self, end: u32) -> u32 {
        (((self.next() >> 32) * u64::from(end)) >> 32) as u32
    }

    /// True once in `times`.
    fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }
}

/// Elements that belong to one thread: `elems` from `elems * thread`, or a row of a view.
#[derive(Clone, Copy)]
struct Own {
    param: Param,
    dtype: DType,
    elems: u32,
    is_view: bool,
}

/// A buffer or array with a number of elements known here.
#[derive(Clone, Copy)]
struct Table {
    place: Place,
    dtype: DType,
    elems: u32,
}

/// A register, and over how many threads it is kept the same.
#[derive(Clone, Copy)]
struct Register {
    var: Var,
    dtype: DType,
    level: Uniform,
    /// Over how many threads what it is set to is the same: where that is more, flow makes it vary.
    operands: Uniform,
}

/// An open loop or scope.
#[derive(Clone, Copy)]
struct Around {
    value: Value,
    is_loop: bool,
    /// Flow that its body is kept at: jumps out of it may not part more.
    flow: Uniform,
}

struct Generator<'a> {
    options: &'a Options,
    rng: Rng,
    b: Builder,
    /// Value dtypes in use.
    dtypes: Vec<DType>,
    /// Dtypes of buffers in use.
    stored: Vec<DType>,
    /// Scalars in reach, oldest first.
    pool: Vec<Value>,
    levels: HashMap<Value, Uniform>,
    /// Flow here, and outside of all loops and branches.
    flow: Uniform,
    top_flow: Uniform,
    around: Vec<Around>,
    left: u32,
    line: u32,
    threads: u32,

    registers: Vec<Register>,
    hash: Var,
    scalars: Vec<Param>,
    inputs: Vec<Table>,
    views: Vec<(Param, DType, u8)>,
    outputs: Vec<Own>,
    in_place: Own,
    slots: Own,
    counters: Vec<(Table, crate::ops::AtomicOp)>,
    privates: Vec<Table>,
    tile: Table,
    tally: Table,
    /// The thread's place in the launch.
    thread: Value,
}

const BOOL: Type = Type::Scalar(DType::Bool);
const U32: Type = Type::Scalar(DType::U32);
const U64: Type = Type::Scalar(DType::U64);

impl<'a> Generator<'a> {
    fn new(seed: u64, options: &'a Options) -> Generator<'a> {
        let mut rng = Rng(seed);
        let mut stored = options.dtypes.clone();
        stored.extend([DType::Bool, DType::U32]);
        stored.sort();
        stored.dedup();
        let dtypes = stored.iter().copied().filter(|d| d.is_value()).collect();
        let whole = [[32, 1, 1], [64, 1, 1], [8, 8, 1], [32, 2, 1], [16, 2, 2], [1, 96, 1]];
        let ragged = [[1, 1, 1], [7, 1, 1], [5, 3, 2], [48, 1, 1]];
        let is_whole = options.subgroups && !rng.one_in(5);
        let group = if is_whole { rng.pick(&whole) } else { rng.pick(&ragged) };
        let threads = group.iter().product();

        let mut b = Builder::new(format!("generated<{seed}>"));
        let n = b.param("n", ParamKind::Scalar(DType::U32));
        let groups = [
            Len::Scalar(n).div_ceil(threads),
            rng.pick(&[1u32, 1, 2]).into(),
            rng.pick(&[1u32, 1, 2]).into(),
        ];
        b.kernel_mut().group = group;
        b.kernel_mut().grid = groups;
        let hash = b.var("hash", DType::U32);
        let nowhere = Place::Param(n);
        let own = Own { param: n, dtype: DType::U32, elems: 1, is_view: false };
        let table = Table { place: nowhere, dtype: DType::U32, elems: 1 };
        Generator {
            options,
            rng,
            b,
            dtypes,
            stored,
            pool: Vec::new(),
            levels: HashMap::new(),
            flow: Uniform::Group,
            top_flow: Uniform::Group,
            around: Vec::new(),
            left: options.statements,
            line: 0,
            threads,
            registers: Vec::new(),
            hash,
            scalars: vec![n],
            inputs: Vec::new(),
            views: Vec::new(),
            outputs: Vec::new(),
            in_place: own,
            slots: own,
            counters: Vec::new(),
            privates: Vec::new(),
            tile: table,
            tally: table,
            thread: Value::at(0),
        }
    }

    fn run(mut self) -> Kernel {
        self.declare();
        self.next_line();
        self.place_thread();
        self.begin_memory();
        let whole = self.left;
        while self.left > 0 {
            if self.left * 3 < whole && self.top_flow > Uniform::Varying && self.rng.one_in(4) {
                self.leave_early();
            }
            self.statement();
        }
        self.end_memory();
        self.b.finish()
    }

    fn next_line(&mut self) {
        self.line += 1;
        let loc = self.b.locate("<generated>", self.line);
        self.b.set_loc(loc);
    }

    /// The thread's place in the launch, groups of all three axes counted through.
    fn place_thread(&mut self) {
        let mut id = |id| self.push(Op::Id(id), U32, Uniform::Group);
        let [x, y, z] = [id(IdOp::GroupX), id(IdOp::GroupY), id(IdOp::GroupZ)];
        let [size_x, size_y] = [id(IdOp::GridX), id(IdOp::GridY)];
        let place = self.push(Op::Id(IdOp::Thread), U32, Uniform::Varying);
        let threads = self.number(DType::U32, self.threads.into());
        let mut group = z;
        for (size, next) in [(size_y, y), (size_x, x)] {
            group = self.u32(BinaryOp::Mul, group, size);
            group = self.u32(BinaryOp::Add, group, next);
        }
        let first = self.u32(BinaryOp::Mul, group, threads);
        self.thread = self.u32(BinaryOp::Add, first, place);
    }

    /// Appends an instruction whose value later ones may use.
    fn push(&mut self, op: Op, ty: Type, level: Uniform) -> Value {
        let v = self.b.push(op, ty);
        self.levels.insert(v, level);
        if let Type::Scalar(_) = ty {
            self.pool.push(v);
        }
        v
    }

    /// Appends a pure instruction: as uniform as its operands.
    fn pure(&mut self, op: Op, ty: Type) -> Value {
        let mut level = Uniform::Group;
        op.for_each_operand(|v| level = level.min(self.levels[&v]));
        self.push(op, ty, level)
    }

    /// A binary operation of two u32.
    fn u32(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        self.pure(Op::Binary(op, a, b), U32)
    }

    /// A constant. It is not offered to later statements, which make their own.
    fn number(&mut self, dtype: DType, bits: u64) -> Value {
        let v = self.b.constant(dtype, bits);
        self.levels.insert(v, Uniform::Group);
        v
    }

    /// Runs `body` in an open block; what it defines is out of reach after it.
    fn inside(&mut self, flow: Uniform, body: impl FnOnce(&mut Self)) {
        let (reach, before) = (self.pool.len(), self.flow);
        self.flow = flow;
        body(self);
        self.flow = before;
        self.pool.truncate(reach);
    }
}
