//! The plain interpreter: all lanes of a group in lock step, one instruction and one lane after the other, every
//! value by `eval`. It is what the fast one is compared with, and what the sanitizer watches.
//!
//! Invariants
//! - Subgroups have as many lanes as the kernel says, 32 at most: a ballot is a word.
//! - It runs the typed IR as it stands and shares no code with the fast interpreter but memory, the grid and the words of prints.
//! - Under the sanitizer, groups run one after the other in the order of the grid.
//!
//! Control flow is by masks: running a block with some lanes gives the lanes that fall out of its end. Lanes
//! that leave by `Break` or `Continue` wait at the loop or scope that they name; `Return` ends them.
#![deny(clippy::wildcard_enum_match_arm)]

mod shadow;
mod step;

use super::{
    grid::{Outcome, group_at, over_groups, site, thread_at},
    memory::Bound,
};
use crate::{
    device::LoadOptions,
    error::{Fault, FaultCause, Place, Site},
};
use evenweave_lang::{
    dtype::DType,
    eval::number::Number,
    ir::{Block, Control, Kernel, Loc, Param, Space, Value},
};
use shadow::Shadow;

/// Faults that one launch reports at most under the sanitizer.
const MOST_FAULTS: usize = 16;

/// Which lanes run.
type Mask = Vec<bool>;

/// The fault that ends the launch, or nothing where the sanitizer has enough of them.
type Stop = Option<Box<Fault>>;

/// Runs a launch.
pub(crate) fn run(
    kernel: &Kernel,
    options: &LoadOptions,
    args: &[Bound],
    grid: [u32; 3],
) -> Outcome {
    let groups = |range: std::ops::Range<u64>, shadow: Option<Shadow>| {
        let mut machine = Machine::new(kernel, options, args, grid, shadow);
        for index in range {
            if let Err(stop) = machine.group(index) {
                machine.faults.extend(stop.map(|fault| *fault));
                break;
            }
        }
        Outcome { prints: machine.prints, faults: machine.faults }
    };
    if options.sanitize {
        let all = grid.iter().map(|&n| u64::from(n)).product();
        return groups(0..all, Some(Shadow::default()));
    }
    over_groups(grid, |range| groups(range, None))
}

/// The first parameter that has the memory of the `i`th.
fn first_of_memory(args: &[Bound<'_>], i: usize) -> Param {
    let address = |bound: &Bound<'_>| match bound {
        Bound::Memory { view, .. } => Some(view.address()),
        Bound::Scalar(_) => None,
    };
    let own = address(&args[i]);
    let first = args.iter().position(|other| own.is_some() && address(other) == own);
    Param::at(first.unwrap_or(i))
}

/// The state of one group, reused for the next.
struct Machine<'a> {
    kernel: &'a Kernel,
    args: &'a [Bound<'a>],
    /// By parameter: the first that has its memory.
    first_of_memory: Vec<Param>,
    grid: [u32; 3],
    budget_rounds: u64,
    threads: usize,
    /// Lanes of a subgroup.
    subgroup: usize,
    group: [u32; 3],
    group_index: u64,
    /// By value: lanes, or for vectors the lanes of each element in turn.
    values: Vec<Vec<u64>>,
    vars: Vec<Vec<u64>>,
    /// By array: elements, of private ones the lanes of each element in turn.
    arrays: Vec<Vec<u64>>,
    /// By loop or scope: lanes that wait there.
    broken: Vec<Mask>,
    continued: Vec<Mask>,
    rounds: u64,
    prints: Vec<String>,
    faults: Vec<Fault>,
    shadow: Option<Shadow>,
}

impl<'a> Machine<'a> {
    fn new(
        kernel: &'a Kernel,
        options: &LoadOptions,
        args: &'a [Bound<'a>],
        grid: [u32; 3],
        shadow: Option<Shadow>,
    ) -> Machine<'a> {
        let count = kernel.insts.len();
        Machine {
            kernel,
            args,
            first_of_memory: (0..args.len()).map(|i| first_of_memory(args, i)).collect(),
            grid,
            budget_rounds: options.budget_rounds,
            threads: kernel.group_threads() as usize,
            subgroup: kernel.lanes as usize,
            group: [0; 3],
            group_index: 0,
            values: vec![Vec::new(); count],
            vars: Vec::new(),
            arrays: Vec::new(),
            broken: vec![Mask::new(); count],
            continued: vec![Mask::new(); count],
            rounds: 0,
            prints: Vec::new(),
            faults: Vec::new(),
            shadow,
        }
    }

    fn group(&mut self, index: u64) -> Result<(), Stop> {
        let (kernel, threads) = (self.kernel, self.threads);
        self.group = group_at(self.grid, index);
        self.group_index = index;
        self.rounds = 0;
        self.vars = vec![vec![0; threads]; kernel.vars.len()];
        let elems = |space, elems: u32| match space {
            Space::Shared => elems as usize,
            Space::Private => elems as usize * threads,
        };
        self.arrays = kernel.arrays.iter().map(|a| vec![0; elems(a.space, a.elems)]).collect();
        if let Some(shadow) = &mut self.shadow {
            shadow.begin_group(kernel, &self.arrays, threads);
        }
        self.block(kernel.body, vec![true; threads]).map(|_| ())
    }

    /// Runs a block; the lanes that fall out of its end.
    fn block(&mut self, block: Block, mut mask: Mask) -> Result<Mask, Stop> {
        let kernel = self.kernel;
        for &v in &kernel[block] {
            if !mask.contains(&true) {
                break;
            }
            mask = self.inst(v, mask)?;
        }
        Ok(mask)
    }

    fn inst(&mut self, v: Value, mask: Mask) -> Result<Mask, Stop> {
        let none = || vec![false; self.threads];
        match self.kernel[v].op.control() {
            Some(Control::If { cond, then, other }) => {
                let cond = &self.values[cond.index()];
                let side = |want: u64| -> Mask {
                    mask.iter().zip(cond).map(|(&on, &c)| on && c == want).collect()
                };
                let (yes, no) = (side(1), side(0));
                let then = self.block(then, yes)?;
                let other = self.block(other, no)?;
                Ok(join(then, &other))
            }
            Some(Control::For { start, end, step, body }) => {
                self.for_loop(v, [start, end, step], body, mask)
            }
            Some(Control::Loop { body }) => {
                (self.broken[v.index()], self.continued[v.index()]) = (none(), none());
                let mut mask = mask;
                while mask.contains(&true) {
                    self.count_round(v, &mask)?;
                    let out = self.block(body, mask)?;
                    mask = join(
                        out,
                        &std::mem::replace(&mut self.continued[v.index()], none_of(self.threads)),
                    );
                }
                Ok(std::mem::take(&mut self.broken[v.index()]))
            }
            Some(Control::Scope { body }) => {
                self.broken[v.index()] = none();
                let out = self.block(body, mask)?;
                Ok(join(out, &std::mem::take(&mut self.broken[v.index()])))
            }
            Some(Control::Break(target)) => {
                let waiting = std::mem::take(&mut self.broken[target.index()]);
                self.broken[target.index()] = join(waiting, &mask);
                Ok(none())
            }
            Some(Control::Continue(target)) => {
                let waiting = std::mem::take(&mut self.continued[target.index()]);
                self.continued[target.index()] = join(waiting, &mask);
                Ok(none())
            }
            Some(Control::Return) => Ok(none()),
            None => {
                self.step(v, &mask)?;
                Ok(mask)
            }
        }
    }

    fn for_loop(
        &mut self,
        v: Value,
        [start, end, step]: [Value; 3],
        body: Block,
        mask: Mask,
    ) -> Result<Mask, Stop> {
        let dtype = self.kernel[start].ty.scalar().expect("`verify` gives a `For` scalars");
        let none = none_of(self.threads);
        (self.broken[v.index()], self.continued[v.index()]) = (none.clone(), none.clone());
        if self.shadow.is_some() {
            for lane in lanes(&mask) {
                let step = wide(dtype, self.values[step.index()][lane]);
                if step <= 0 {
                    self.fault(self.kernel[v].loc, lane, FaultCause::Step { step })?;
                }
            }
        }
        let ends: Vec<i128> = self.values[end.index()].iter().map(|&x| wide(dtype, x)).collect();
        let steps: Vec<i128> =
            self.values[step.index()].iter().map(|&x| wide(dtype, x).max(1)).collect();
        let mut at: Vec<i128> =
            self.values[start.index()].iter().map(|&x| wide(dtype, x)).collect();
        let (mut mask, mut done) = (mask, none.clone());
        loop {
            for lane in 0..self.threads {
                if mask[lane] && at[lane] >= ends[lane] {
                    (mask[lane], done[lane]) = (false, true);
                }
            }
            if !mask.contains(&true) {
                return Ok(join(done, &std::mem::take(&mut self.broken[v.index()])));
            }
            self.count_round(v, &mask)?;
            let bits = u64::MAX >> (64 - dtype.bits());
            self.values[v.index()] = at.iter().map(|&x| x as u64 & bits).collect();
            if let Some(shadow) = &mut self.shadow {
                shadow.set_exact(v, &at);
            }
            let out = self.block(body, mask)?;
            mask = join(out, &std::mem::replace(&mut self.continued[v.index()], none.clone()));
            // Past the end of the type's range is past every end.
            at.iter_mut().zip(&steps).for_each(|(at, step)| *at += step);
        }
    }

    fn count_round(&mut self, v: Value, mask: &Mask) -> Result<(), Stop> {
        self.rounds += 1;
        if self.rounds <= self.budget_rounds {
            return Ok(());
        }
        let lane = lanes(mask).next().unwrap_or(0);
        let cause = FaultCause::Budget { rounds: self.budget_rounds };
        self.fault(self.kernel[v].loc, lane, cause)?;
        Err(None)
    }

    fn site(&self, loc: Loc) -> Site {
        site(self.kernel, loc)
    }

    fn place(&self, lane: usize) -> Place {
        Place { group: self.group, thread: thread_at(self.kernel.group, lane as u32) }
    }

    /// Ends the launch with a fault; under the sanitizer, notes it once for its place in the source and goes on.
    fn fault(&mut self, loc: Loc, lane: usize, cause: FaultCause) -> Result<(), Stop> {
        let fault = Fault {
            kernel: self.kernel.name.clone(),
            site: self.site(loc),
            place: self.place(lane),
            cause,
        };
        if self.shadow.is_none() {
            return Err(Some(Box::new(fault)));
        }
        if !self.faults.iter().any(|known| shadow::is_same_kind(known, &fault)) {
            self.faults.push(fault);
        }
        if self.faults.len() < MOST_FAULTS { Ok(()) } else { Err(None) }
    }
}

/// The number that an integer's bits mean.
fn wide(dtype: DType, bits: u64) -> i128 {
    if dtype.is_signed() {
        let shift = 64 - dtype.bits();
        i128::from(i64::from_word(bits << shift) >> shift)
    } else {
        bits.into()
    }
}

fn none_of(threads: usize) -> Mask {
    vec![false; threads]
}

fn join(mut a: Mask, b: &Mask) -> Mask {
    a.iter_mut().zip(b).for_each(|(a, &b)| *a |= b);
    a
}

fn lanes(mask: &Mask) -> impl Iterator<Item = usize> + use<'_> {
    mask.iter().enumerate().filter_map(|(lane, &on)| on.then_some(lane))
}
