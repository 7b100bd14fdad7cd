//! The machine: memory, launches, and waves in turn.
//!
//! A launch runs its groups one after the other, and the waves of a group in turn, on the caller's thread. A wave runs until it
//! ends, or waits at a barrier; with a seed for the order, the waves are shuffled at every turn and each stops after a number of
//! instructions that the seed decides.
//!
//! Invariants
//! - Equal launches with equal options do exactly the same, in the same order.
//! - Arguments lie in memory of exactly their size, which is there for the launch alone and read-only. What a scalar load takes
//!   from behind them, where nothing can fault, is as a register that nobody has written.
//! - A group's shared memory and the registers and scratch of its waves begin unwritten, whatever ran before.
//! - After a fault nothing more of the launch is executed.

use crate::{
    co::Kernel,
    env::{Barrier, Env, Start, Stop},
    exec::Wave,
    fault::{Cause, Fault},
    mem::{AccessCause, Memory, MemoryError, Scratch, Shared, Spaces},
    module::{Launch, Module, explicit_bytes, kernarg, user_sgprs},
};
use std::sync::{Arc, Weak};

/// Waves of 32 lanes.
const LANES: u32 = 32;
/// Threads of a group, at most.
pub const MOST_THREADS: u32 = 1024;
/// Bytes of shared memory of a group, at most.
pub const MOST_SHARED_BYTES: u32 = 64 << 10;
/// Bytes of scratch of a lane, at most: what the hardware's field of 18 bits says, in units of 256 bytes of a wave.
pub const MOST_SCRATCH_BYTES: u32 = 256 * ((1 << 18) - 1) / LANES;
/// Bytes of arguments, at most; more than any compiler lets a kernel have.
const MOST_KERNARG_BYTES: u32 = 1 << 20;
/// Epochs before marks of shared memory are forgotten: a quarter of what they hold, so that none of a group's runs over.
const MOST_EPOCH: u32 = 1 << 26;
/// Loaded modules before it is looked which of them nobody has any more.
const MANY_LOADED: usize = 256;

/// How a machine runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Memory in all.
    pub memory_bytes: u64,
    /// Machines of different numbers have no address in common.
    pub number: u16,
    /// Waves run in an order, and for as long, as this seed decides; without one in their order, as long as they can.
    pub wave_order: Option<u64>,
    /// Instructions of a launch, at most.
    pub budget: u64,
    /// Approximations are off by up to a unit in the last place, and matrix sums in another order, by this seed.
    pub perturb: Option<u64>,
    /// What is checked beside bounds.
    pub checks: Checks,
}

/// What is checked beside bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Memory of all kinds is written before it is read.
    pub memory: bool,
    /// Registers are written before they are read.
    pub registers: bool,
    /// Waves do not race in shared memory.
    pub races: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            memory_bytes: 4 << 30,
            number: 0,
            wave_order: None,
            budget: 1 << 34,
            perturb: None,
            checks: Checks { memory: true, registers: true, races: true },
        }
    }
}

/// What a launch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Instructions that waves executed.
    pub instructions: u64,
    /// Waves.
    pub waves: u64,
}

/// Why a launch is not done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LaunchError {
    /// It asks for more, or less, than can be.
    #[error("{kernel}: {count} {what}, but {limit} are possible")]
    Limit {
        /// The kernel.
        kernel: String,
        /// Of what.
        what: &'static str,
        /// How many.
        count: u64,
        /// How many there may be.
        limit: u64,
    },
    /// There is no room for its code or its arguments.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// An instruction of it was wrong.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
}

/// A gfx1201 in software.
#[derive(Debug)]
pub struct Machine {
    /// Its memory.
    pub memory: Memory,
    options: Options,
    shared: Shared,
    barrier: Barrier,
    waves: Vec<Running>,
    /// The epoch of the next group.
    epoch: u32,
    loaded: Vec<(Weak<Module>, u64)>,
}

/// A wave with what is its own.
#[derive(Debug)]
struct Running {
    wave: Wave,
    scratch: Scratch,
    ended: bool,
}

/// What the groups of a launch have in common.
struct Setting<'a> {
    module: &'a Module,
    kernel: &'a Kernel,
    launch: &'a Launch,
    code_base: u64,
    kernarg: u64,
    shared_bytes: u32,
}

/// Numbers for the order of waves.
struct Order(u64);

impl Order {
    fn next(&mut self, below: u64) -> u64 {
        // An odd multiplier and a rotation: any sequence will do that a seed decides.
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % below
    }

    fn shuffle(&mut self, all: &mut [usize]) {
        for i in (1..all.len()).rev() {
            all.swap(i, self.next(i as u64 + 1) as usize);
        }
    }
}

impl Machine {
    /// A machine with empty memory.
    #[must_use]
    pub fn new(options: Options) -> Machine {
        let mut memory = Memory::at(options.number, options.memory_bytes);
        memory.check_unwritten = options.checks.memory;
        let mut shared = Shared::default();
        shared.check_unwritten = options.checks.memory;
        shared.check_races = options.checks.races;
        Machine {
            memory,
            options,
            shared,
            barrier: Barrier::default(),
            waves: Vec::new(),
            epoch: 1,
            loaded: Vec::new(),
        }
    }

    /// How it runs.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Runs a kernel of a module, by its index.
    pub fn launch(
        &mut self,
        module: &Arc<Module>,
        kernel: usize,
        launch: &Launch,
    ) -> Result<Stats, LaunchError> {
        let of = &module.kernels()[kernel];
        let shared_bytes = check(of, launch)?;
        let code_base = self.code_base(module)?;
        let segment = kernarg(of, launch);
        let label = format!("the arguments of {}", of.name);
        let kernarg = self.memory.alloc_arguments(segment, &label)?;
        let setting = Setting { module, kernel: of, launch, code_base, kernarg, shared_bytes };
        let done = self.groups(&setting);
        self.memory.free(kernarg)?;
        Ok(done?)
    }

    /// Where a module's address 0 is in memory; it is put there when first asked for.
    fn code_base(&mut self, module: &Arc<Module>) -> Result<u64, MemoryError> {
        let known = self.loaded.iter().find(|(m, _)| std::ptr::eq(m.as_ptr(), Arc::as_ptr(module)));
        if let Some(&(_, base)) = known {
            return Ok(base);
        }
        if self.loaded.len() >= MANY_LOADED {
            let (kept, gone): (Vec<_>, Vec<_>) = std::mem::take(&mut self.loaded)
                .into_iter()
                .partition(|(m, _)| m.strong_count() > 0);
            self.loaded = kept;
            gone.into_iter().try_for_each(|(_, base)| self.memory.free(base))?;
        }
        let base = self.memory.alloc_read_only(module.image().to_vec(), "the code object")?;
        self.loaded.push((Arc::downgrade(module), base));
        Ok(base)
    }

    fn groups(&mut self, setting: &Setting) -> Result<Stats, Box<Fault>> {
        let mut stats = Stats::default();
        let mut order = Order(self.options.wave_order.unwrap_or(0));
        let [nx, ny, nz] = setting.launch.groups;
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    self.begin(setting, [x, y, z]);
                    self.group(setting, [x, y, z], &mut order, &mut stats)?;
                }
            }
        }
        Ok(stats)
    }

    /// Makes the waves of a group.
    fn begin(&mut self, setting: &Setting, group: [u32; 3]) {
        let [tx, ty, tz] = setting.launch.threads;
        let (threads, kernel) = (tx * ty * tz, setting.kernel);
        if self.epoch > MOST_EPOCH {
            self.shared.forget();
            self.epoch = 1;
        }
        let count = threads.div_ceil(LANES) as usize;
        self.shared.reset(setting.shared_bytes, setting.module.grain());
        self.barrier.reset(count);
        let checks = self.options.checks;
        let fits = |r: &Running| r.scratch.lane_bytes() == kernel.descriptor.scratch_bytes;
        if !self.waves.first().is_some_and(fits) {
            self.waves.clear();
        }
        self.waves.truncate(count);
        for first in (0..threads).step_by(LANES as usize) {
            let i = (first / LANES) as usize;
            let live = (threads - first).min(LANES);
            let v0 = std::array::from_fn(|lane| {
                let t = first + lane as u32;
                (t % tx) | (t / tx % ty) << 10 | (t / tx / ty) << 20
            });
            let [x, y, z] = group;
            // The group's number: x in TTMP9, y and z in TTMP7.
            let mut sgprs = vec![(117, x), (115, y & 0xffff | z << 16)];
            sgprs.extend((0u8..).zip(user_sgprs(kernel, setting.kernarg)));
            let start = Start {
                index: kernel.entry_index,
                vgprs: kernel.descriptor.vgprs,
                exec: u32::MAX >> (LANES - live),
                sgprs,
                v0,
                rsrc1: kernel.descriptor.rsrc1,
            };
            match self.waves.get_mut(i) {
                Some(running) => {
                    running.wave.restart(&start);
                    running.scratch.reset();
                    running.ended = false;
                }
                None => {
                    let mut scratch = Scratch::new(kernel.descriptor.scratch_bytes);
                    scratch.check_unwritten = checks.memory;
                    self.waves.push(Running { wave: Wave::begin(&start), scratch, ended: false });
                }
            }
        }
    }

    /// Runs the waves of a group until all have ended.
    fn group(
        &mut self,
        setting: &Setting,
        group: [u32; 3],
        order: &mut Order,
        stats: &mut Stats,
    ) -> Result<(), Box<Fault>> {
        let epoch = self.epoch;
        let mut turn: Vec<usize> = (0..self.waves.len()).collect();
        let seeded = self.options.wave_order.is_some();
        loop {
            if seeded {
                order.shuffle(&mut turn);
            }
            let mut went_on = false;
            for &i in &turn {
                if self.waves[i].ended {
                    continue;
                }
                let left = self.options.budget - stats.instructions;
                let limit = if seeded { left.min(1 + order.next(64)) } else { left };
                let (stop, executed) = self.turn(setting, group, i, epoch, limit)?;
                stats.instructions += executed;
                went_on |= executed > 0;
                match stop {
                    Stop::Ended => {
                        self.waves[i].ended = true;
                        self.barrier.end(i as u8);
                        stats.waves += 1;
                        went_on = true;
                    }
                    Stop::Waiting => {}
                    Stop::Paused if stats.instructions >= self.options.budget => {
                        let cause = Cause::Budget { instructions: self.options.budget };
                        return Err(self.fault(setting, group, i, cause));
                    }
                    Stop::Paused => {}
                }
            }
            if self.waves.iter().all(|running| running.ended) {
                break;
            }
            if !went_on {
                let first = self.waves.iter().position(|running| !running.ended);
                let waiting = self.waves.iter().filter(|running| !running.ended).count() as u32;
                let cause = Cause::Deadlock { waiting, waves: self.waves.len() as u32 };
                return Err(self.fault(setting, group, first.unwrap_or(0), cause));
            }
        }
        let passed = (0..self.waves.len()).map(|i| self.barrier.passed(i as u8)).max();
        self.epoch = epoch + passed.unwrap_or(0) + 1;
        Ok(())
    }

    /// Lets a wave go on.
    fn turn(
        &mut self,
        setting: &Setting,
        group: [u32; 3],
        i: usize,
        epoch: u32,
        limit: u64,
    ) -> Result<(Stop, u64), Box<Fault>> {
        let Running { wave, scratch, .. } = &mut self.waves[i];
        let spaces = Spaces { global: &mut self.memory, shared: &mut self.shared, scratch };
        let mut env = Env {
            spaces,
            barrier: &mut self.barrier,
            wave: i as u8,
            epoch,
            code_base: setting.code_base,
            perturb: self.options.perturb,
            check_registers: self.options.checks.registers,
        };
        let before = wave.executed;
        match wave.run(setting.module.program(), &mut env, limit) {
            Ok(stop) => Ok((stop, wave.executed - before)),
            Err(cause) => Err(self.fault(setting, group, i, cause)),
        }
    }

    #[cold]
    fn fault(&self, setting: &Setting, group: [u32; 3], i: usize, cause: Cause) -> Box<Fault> {
        let (module, program) = (setting.module, setting.module.program());
        let inst = program.insts.get(self.waves[i].wave.next as usize);
        let pc = inst.map_or(program.base, |inst| inst.pc);
        let other = if let Cause::Access(error) = &cause
            && let AccessCause::Race { pc, .. } = error.cause
        {
            Some(u64::from(pc))
        } else {
            None
        };
        Box::new(Fault {
            kernel: setting.kernel.name.clone(),
            group,
            wave: i as u8,
            pc,
            instruction: inst
                .map_or("no instruction".into(), |_| program.text(self.waves[i].wave.next)),
            place: module.lines().at(pc),
            other_place: other.and_then(|pc| module.lines().at(pc)),
            cause,
        })
    }
}

/// Bytes of shared memory of a group, if the launch can be.
fn check(kernel: &Kernel, launch: &Launch) -> Result<u32, LaunchError> {
    let limit = |what, count: u64, limit: u64| {
        Err(LaunchError::Limit { kernel: kernel.name.clone(), what, count, limit })
    };
    let threads = product(launch.threads);
    let most = u64::from(kernel.max_group_threads.min(MOST_THREADS));
    if threads == 0 || threads > most {
        return limit("threads of a group", threads, most);
    }
    if let Some(required) = kernel.required_group
        && required != launch.threads
    {
        return limit("threads of a group in another shape", threads, product(required));
    }
    let (args, scratch) = (kernel.descriptor.kernarg_bytes, kernel.descriptor.scratch_bytes);
    if args > MOST_KERNARG_BYTES {
        return limit("bytes of arguments", args.into(), MOST_KERNARG_BYTES.into());
    }
    if scratch > MOST_SCRATCH_BYTES {
        return limit(
            "bytes of scratch memory of a lane",
            scratch.into(),
            MOST_SCRATCH_BYTES.into(),
        );
    }
    let wanted = explicit_bytes(kernel) as u64;
    if launch.kernarg.len() as u64 != wanted {
        return limit("bytes of arguments", launch.kernarg.len() as u64, wanted);
    }
    for axis in 1..3 {
        // Their numbers have 16 bits.
        if launch.groups[axis] > 1 << 16 {
            return limit("groups along an axis", launch.groups[axis].into(), 1 << 16);
        }
    }
    let shared = u64::from(kernel.descriptor.shared_bytes) + u64::from(launch.dynamic_shared_bytes);
    if shared > u64::from(MOST_SHARED_BYTES) {
        return limit("bytes of shared memory", shared, MOST_SHARED_BYTES.into());
    }
    Ok(shared as u32)
}

/// How many there are of a shape.
fn product(shape: [u32; 3]) -> u64 {
    shape.iter().fold(1u64, |n, &along| n.saturating_mul(along.into()))
}
