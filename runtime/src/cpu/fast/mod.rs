//! The fast interpreter: register code over lanes, a group at a time.
//!
//! Invariants
//! - It gives the bits, the faults and the prints of the plain interpreter.
//! - Its two forms, for any machine and for AVX2 with FMA, are the same source and give the same bits.
//!
//! Pure operations run for all lanes: what a lane that does not run computes is never seen. Loads, stores,
//! registers and everything else with an effect follow the mask.

mod access;
mod arith;
mod compile;
mod group;
mod lanes;
mod lifetime;
mod listing;
mod memory;
mod program;
mod run;

use super::{
    grid::{Outcome, group_at, over_groups, site, thread_at},
    memory::Bound,
};
use crate::{
    device::LoadOptions,
    error::{Fault, FaultCause, Place},
};
use evenweave_lang::{
    dtype::DType,
    eval::{self, number::Integer},
    ir::{Kernel, SUBGROUP_LANES, Space, Value},
};
use lanes::{CHUNK, Chunks, Mask, bits_of};
use program::{Compiled, Node, Slot};
use run::{File, source};

/// A compiled kernel.
pub(crate) struct Program(Compiled);

/// Compiles a legal kernel.
pub(crate) fn compile(kernel: &Kernel) -> Program {
    assert_eq!(kernel.lanes, SUBGROUP_LANES, "other widths run in the plain interpreter");
    Program(compile::compile(kernel))
}

/// The program as text, for people.
pub(crate) fn listing(program: &Program) -> String {
    listing::listing(&program.0)
}

/// Which vector instructions the interpreter may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// What every machine of the architecture has.
    Portable,
    /// AVX2, FMA, F16C, BMI1, BMI2.
    Avx2,
}

impl Level {
    /// The best that this machine has.
    pub(crate) fn detect() -> Level {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
        {
            return Level::Avx2;
        }
        Level::Portable
    }
}

/// Runs a launch.
pub(crate) fn run(
    program: &Program,
    options: &LoadOptions,
    level: Level,
    args: &[Bound],
    grid: [u32; 3],
) -> Outcome {
    over_groups(grid, |range| {
        let mut machine = Machine::new(&program.0, options, level, args, grid);
        let mut outcome = Outcome::default();
        for index in range {
            if let Err(fault) = machine.group(index) {
                outcome.faults.push(*fault);
                break;
            }
        }
        outcome.prints = machine.prints;
        outcome
    })
}

type Stop = Box<Fault>;

/// An array's cells.
enum Array {
    Shared32(Vec<u32>),
    Shared64(Vec<u64>),
    /// Chunks of element 0, then of element 1, and so on.
    Private32(Vec<[u32; CHUNK]>),
    Private64(Vec<[u64; CHUNK]>),
}

/// The state of one group, reused for the next.
struct Machine<'a> {
    program: &'a Compiled,
    args: &'a [Bound<'a>],
    grid: [u32; 3],
    budget_rounds: u64,
    level: Level,
    threads: usize,
    chunks: usize,
    /// The threads' places in their group along x, y, z.
    local: [Chunks<u32>; 3],
    all: Mask,
    group: [u32; 3],
    scalars: Vec<u64>,
    narrow: Vec<Chunks<u32>>,
    wide: Vec<Chunks<u64>>,
    arrays: Vec<Array>,
    /// By loop or scope: lanes that wait at its end, and at its next round.
    broken: Vec<Mask>,
    continued: Vec<Mask>,
    rounds: u64,
    prints: Vec<String>,
}

impl<'a> Machine<'a> {
    fn new(
        program: &'a Compiled,
        options: &LoadOptions,
        level: Level,
        args: &'a [Bound<'a>],
        grid: [u32; 3],
    ) -> Machine<'a> {
        let kernel = &program.kernel;
        let threads = kernel.group_threads() as usize;
        let chunks = threads.div_ceil(2 * CHUNK) * 2;
        let all = Mask::all(threads);
        let array = |decl: &evenweave_lang::ir::ArrayDecl| {
            let elems = decl.elems as usize;
            match (decl.space, decl.dtype.bits()) {
                (Space::Shared, 64) => Array::Shared64(vec![0; elems]),
                (Space::Shared, _) => Array::Shared32(vec![0; elems]),
                (Space::Private, 64) => Array::Private64(vec![[0; CHUNK]; elems * chunks]),
                (Space::Private, _) => Array::Private32(vec![[0; CHUNK]; elems * chunks]),
            }
        };
        let local = [0, 1, 2].map(|axis| {
            let at = |thread: usize| thread_at(kernel.group, thread as u32)[axis];
            (0..chunks).map(|c| std::array::from_fn(|j| at(c * CHUNK + j))).collect()
        });
        let mut machine = Machine {
            program,
            local,
            args,
            grid,
            budget_rounds: options.budget_rounds,
            level,
            threads,
            chunks,
            all,
            group: [0; 3],
            scalars: vec![0; program.scalars],
            narrow: vec![vec![[0; CHUNK]; chunks].into(); program.narrow],
            wide: vec![vec![[0; CHUNK]; chunks].into(); program.wide],
            arrays: kernel.arrays.iter().map(array).collect(),
            broken: vec![all.none(); program.exits],
            continued: vec![all.none(); program.exits],
            rounds: 0,
            prints: Vec::new(),
        };
        for inst in &program.once {
            machine.scalar(&inst.code);
        }
        machine
    }

    fn group(&mut self, index: u64) -> Result<(), Stop> {
        self.group = group_at(self.grid, index);
        self.rounds = 0;
        for &var in &self.program.vars {
            match var {
                Slot::Scalar(i) => self.scalars[i as usize] = 0,
                Slot::Narrow(i) => self.narrow[i as usize].fill([0; CHUNK]),
                Slot::Wide(i) => self.wide[i as usize].fill([0; CHUNK]),
            }
        }
        for array in &mut self.arrays {
            match array {
                Array::Shared32(cells) => cells.fill(0),
                Array::Shared64(cells) => cells.fill(0),
                Array::Private32(cells) => cells.fill([0; CHUNK]),
                Array::Private64(cells) => cells.fill([0; CHUNK]),
            }
        }
        let program = self.program;
        self.block(&program.body, self.all).map(|_| ())
    }

    /// Runs a block with lanes that are not none; the lanes that fall out of its end.
    fn block(&mut self, nodes: &'a [Node], mut mask: Mask) -> Result<Mask, Stop> {
        for node in nodes {
            mask = match node {
                Node::Run(insts) => {
                    run::run(self, insts, &mask)?;
                    continue;
                }
                Node::If { cond, then, other } => self.branch(*cond, then, other, mask)?,
                Node::For { at, exit, dtype, index, range, body } => {
                    self.for_loop(*at, *exit, *dtype, (*index, *range), body, mask)?
                }
                Node::Loop { at, exit, body } => self.plain_loop(*at, *exit, body, mask)?,
                Node::Scope { exit, body } => {
                    self.broken[*exit] = self.all.none();
                    let out = self.block(body, mask)?;
                    out.join(&self.broken[*exit], &self.all)
                }
                Node::Break(exit) => {
                    self.broken[*exit] = self.broken[*exit].join(&mask, &self.all);
                    mask.none()
                }
                Node::Continue(exit) => {
                    self.continued[*exit] = self.continued[*exit].join(&mask, &self.all);
                    mask.none()
                }
                Node::Return => mask.none(),
            };
            if !mask.is_full() && mask.is_empty() {
                break;
            }
        }
        Ok(mask)
    }

    fn branch(
        &mut self,
        cond: Slot,
        then: &'a [Node],
        other: &'a [Node],
        mask: Mask,
    ) -> Result<Mask, Stop> {
        let slot = match cond {
            Slot::Scalar(word) => {
                let taken = if self.scalars[word as usize] != 0 { then } else { other };
                return self.block(taken, mask);
            }
            Slot::Narrow(slot) => slot,
            Slot::Wide(_) => unreachable!("a `bool` is narrow"),
        };
        let cond = &self.narrow[slot as usize];
        let yes = mask.filter(&self.all, |i| bits_of(&cond[i]));
        let no = mask.without(&yes, &self.all);
        let mut arm = |nodes, mask: Mask| {
            if mask.is_empty() { Ok(mask) } else { self.block(nodes, mask) }
        };
        let then = arm(then, yes)?;
        let other = arm(other, no)?;
        Ok(then.join(&other, &self.all))
    }

    fn plain_loop(
        &mut self,
        at: Value,
        exit: usize,
        body: &'a [Node],
        mut mask: Mask,
    ) -> Result<Mask, Stop> {
        (self.broken[exit], self.continued[exit]) = (self.all.none(), self.all.none());
        while !mask.is_empty() {
            self.count_round(at, &mask)?;
            let out = self.block(body, mask)?;
            mask = self.next_round(exit, out);
        }
        Ok(self.broken[exit])
    }

    /// The lanes that begin the next round.
    fn next_round(&mut self, exit: usize, out: Mask) -> Mask {
        let none = self.all.none();
        out.join(&std::mem::replace(&mut self.continued[exit], none), &self.all)
    }

    fn for_loop(
        &mut self,
        at: Value,
        exit: usize,
        dtype: DType,
        (index, [start, end, step]): (Slot, [Slot; 3]),
        body: &'a [Node],
        mask: Mask,
    ) -> Result<Mask, Stop> {
        (self.broken[exit], self.continued[exit]) = (self.all.none(), self.all.none());
        if let (Slot::Scalar(index), Slot::Scalar(start), Slot::Scalar(end), Slot::Scalar(step)) =
            (index, start, end, step)
        {
            return self.counted_loop(at, exit, dtype, [index, start, end, step], body, mask);
        }
        let around = (at, exit, index, [start, end, step]);
        match dtype {
            DType::I8 => self.lane_loop::<u32, i8>(around, body, mask),
            DType::U8 => self.lane_loop::<u32, u8>(around, body, mask),
            DType::I16 => self.lane_loop::<u32, i16>(around, body, mask),
            DType::U16 => self.lane_loop::<u32, u16>(around, body, mask),
            DType::I32 => self.lane_loop::<u32, i32>(around, body, mask),
            DType::U32 => self.lane_loop::<u32, u32>(around, body, mask),
            DType::I64 => self.lane_loop::<u64, i64>(around, body, mask),
            DType::U64 => self.lane_loop::<u64, u64>(around, body, mask),
            DType::Bool
            | DType::I4
            | DType::U4
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0
            | DType::F16
            | DType::BF16
            | DType::F32
            | DType::F64 => unreachable!("loops count integers"),
        }
    }

    /// A `for` whose lanes count by themselves.
    fn lane_loop<W: File, T: Integer>(
        &mut self,
        (at, exit, index, [start, end, step]): (Value, usize, Slot, [Slot; 3]),
        body: &'a [Node],
        mut mask: Mask,
    ) -> Result<Mask, Stop> {
        let mut splats = [[[W::default(); CHUNK]]; 3];
        let [x, y, z] = &mut splats;
        let from = source::<W>(self, start, x);
        let mut now: Chunks<W> = (0..self.chunks).map(|c| *from.chunk(c)).collect();
        let mut done = self.all.none();
        loop {
            let ends = source::<W>(self, end, y);
            let inside = mask.filter(&self.all, |c| {
                let (now, ends) = (&now[c], ends.chunk(c));
                let below = |j: usize| T::from_word(now[j].up()) < T::from_word(ends[j].up());
                (0..CHUNK).fold(0, |bits, j| bits | u16::from(below(j)) << j)
            });
            done = done.join(&mask.without(&inside, &self.all), &self.all);
            if inside.is_empty() {
                return Ok(done.join(&self.broken[exit], &self.all));
            }
            self.count_round(at, &inside)?;
            match W::number(index) {
                Some(i) => W::file_mut(self)[i].copy_from_slice(&now),
                None => {
                    let lane = inside.first().unwrap_or(0);
                    let Slot::Scalar(word) = index else { unreachable!("an index has its width") };
                    self.scalars[word as usize] = now[lane / CHUNK][lane % CHUNK].up();
                }
            }
            let out = self.block(body, inside)?;
            let next = self.next_round(exit, out);
            // Past the end of the type's range is past every end.
            let steps = source::<W>(self, step, z);
            mask = next.filter(&self.all, |c| {
                let (now, steps) = (&mut now[c], steps.chunk(c));
                let mut bits = 0;
                for j in 0..CHUNK {
                    let (x, by) = (T::from_word(now[j].up()), T::from_word(steps[j].up()));
                    let sum = x.add(if by > T::from_word(0) { by } else { T::from_word(1) });
                    bits |= u16::from(sum > x) << j;
                    now[j] = W::down(sum.to_word());
                }
                bits
            });
            done = done.join(&next.without(&mask, &self.all), &self.all);
        }
    }

    /// A `for` whose index and bounds are the same for the group.
    fn counted_loop(
        &mut self,
        at: Value,
        exit: usize,
        dtype: DType,
        [index, start, end, step]: [u32; 4],
        body: &'a [Node],
        mut mask: Mask,
    ) -> Result<Mask, Stop> {
        let [mut now, end, step] =
            [start, end, step].map(|word| number(dtype, self.scalars[word as usize]));
        while now < end && !mask.is_empty() {
            self.count_round(at, &mask)?;
            self.scalars[index as usize] = word_of(dtype, now);
            let out = self.block(body, mask)?;
            mask = self.next_round(exit, out);
            now += step.max(1);
        }
        Ok(mask.join(&self.broken[exit], &self.all))
    }

    #[inline]
    fn count_round(&mut self, at: Value, mask: &Mask) -> Result<(), Stop> {
        self.rounds += 1;
        if self.rounds <= self.budget_rounds {
            return Ok(());
        }
        let cause = FaultCause::Budget { rounds: self.budget_rounds };
        Err(self.fault(at, mask.first().unwrap_or(0), cause))
    }

    fn place(&self, lane: usize) -> Place {
        let group = self.program.kernel.group;
        Place { group: self.group, thread: thread_at(group, lane as u32) }
    }

    #[cold]
    fn fault(&self, at: Value, lane: usize, cause: FaultCause) -> Stop {
        let kernel = &self.program.kernel;
        Box::new(Fault {
            kernel: kernel.name.clone(),
            site: site(kernel, kernel[at].loc),
            place: self.place(lane),
            cause,
        })
    }

    fn lane(&self, slot: Slot, lane: usize) -> u64 {
        let (chunk, at) = (lane / CHUNK, lane % CHUNK);
        match slot {
            Slot::Scalar(word) => self.scalars[word as usize],
            Slot::Narrow(slot) => self.narrow[slot as usize][chunk][at].into(),
            Slot::Wide(slot) => self.wide[slot as usize][chunk][at],
        }
    }
}

/// The number that an integer's bits mean.
fn number(dtype: DType, bits: u64) -> i128 {
    let wide = eval::cast(dtype, DType::I64, bits).expect("loops count integers");
    if dtype == DType::U64 { bits.into() } else { i128::from(wide as i64) }
}

/// The bits of a number of the dtype's range.
fn word_of(dtype: DType, x: i128) -> u64 {
    x as u64 & (u64::MAX >> (64 - dtype.bits()))
}
