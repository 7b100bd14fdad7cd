//! A smaller kernel that a device still gets wrong.
//!
//! Invariants
//! - Every step is verified, runs on the watched CPU device without a fault, and goes wrong on the device in the
//!   same way: what is left is well defined, and shows the device's fault.
//! - Parameters, geometry and arguments stay.

use super::launch::{Comparison, compare, outputs};
use evenweave::Device;
use evenweave_lang::{
    generate::Argument,
    ir::{Block, Const, Kernel, Op, Type, Value},
    verify::verify,
};
use std::time::{Duration, Instant};

/// What judges a smaller kernel.
pub(crate) struct Judges<'a> {
    /// The CPU device under the sanitizer, with a small budget of rounds.
    pub(crate) watched: &'a Device,
    /// The CPU device without the optimiser, with a small budget of rounds.
    pub(crate) oracle: &'a Device,
    pub(crate) device: &'a Device,
}

impl Judges<'_> {
    fn compare(&self, kernel: &Kernel, args: &[Argument]) -> Comparison {
        compare(kernel, args, self.oracle, self.device)
    }

    fn is_wrong_like(&self, first: &Comparison, kernel: &Kernel, args: &[Argument]) -> bool {
        // The oracle goes first, and ends what would never end; the watched device is slow.
        verify(kernel).is_ok()
            && self.compare(kernel, args).is_wrong_like(first)
            && outputs(self.watched, kernel, args).is_ok()
    }
}

/// Leaves out what the difference does not need, for as long as `time` allows.
pub(crate) fn smaller(
    kernel: &Kernel,
    args: &[Argument],
    judges: &Judges<'_>,
    time: Duration,
) -> Kernel {
    let until = Instant::now() + time;
    let mut best = kernel.compact();
    let first = judges.compare(&best, args);
    let mut run = reachable(&best).len().div_ceil(2);
    while run > 0 && Instant::now() < until {
        let mut shrunk = false;
        let mut end = reachable(&best).len();
        // From the end: what stands above is used by what stands below.
        while end > 0 && Instant::now() < until {
            let all = reachable(&best);
            end = end.min(all.len());
            let start = end.saturating_sub(run);
            let next = without(&best, &all[start..end]);
            let next = verify(&next).is_ok().then(|| tidy(&next));
            if let Some(next) = next
                && size(&next) < size(&best)
                && judges.is_wrong_like(&first, &next, args)
            {
                best = next;
                shrunk = true;
            }
            end = start;
        }
        if !shrunk || run > 1 {
            run /= 2;
        }
    }
    best
}

/// Instructions, and constants at a half: turning something into a constant makes a kernel smaller too.
fn size(kernel: &Kernel) -> usize {
    let weight = |v: &Value| if matches!(kernel[*v].op, Op::Const(_)) { 1 } else { 2 };
    reachable(kernel).iter().map(weight).sum()
}

/// What the body reaches, in order.
fn reachable(kernel: &Kernel) -> Vec<Value> {
    fn walk(kernel: &Kernel, block: Block, all: &mut Vec<Value>) {
        for &v in &kernel[block] {
            all.push(v);
            for body in kernel[v].op.bodies() {
                walk(kernel, body, all);
            }
        }
    }
    let mut all = Vec::new();
    walk(kernel, kernel.body, &mut all);
    all
}

/// Without some instructions: a scalar becomes 0, anything else is left out.
fn without(kernel: &Kernel, gone: &[Value]) -> Kernel {
    let mut next = kernel.clone();
    for &v in gone {
        match next.insts[v.index()].ty {
            Type::Scalar(_) => next.insts[v.index()].op = Op::Const(Const { bits: 0 }),
            // Its users go when they are left out themselves; until then the kernel is refused.
            Type::Unit | Type::Vector(..) => {
                next.blocks.iter_mut().for_each(|block| block.retain(|x| *x != v));
            }
        }
    }
    next
}

/// Without values that nothing uses.
fn tidy(kernel: &Kernel) -> Kernel {
    let mut next = kernel.compact();
    loop {
        let mut used = vec![false; next.insts.len()];
        for v in reachable(&next) {
            next[v].op.for_each_operand(|x| used[x.index()] = true);
        }
        let idle: Vec<Value> = reachable(&next)
            .into_iter()
            .filter(|v| {
                let op = &next[*v].op;
                !used[v.index()] && (op.is_pure() || matches!(op, Op::Get(_) | Op::Load(..)))
            })
            .collect();
        if idle.is_empty() {
            return next.compact();
        }
        for block in &mut next.blocks {
            block.retain(|v| !idle.contains(v));
        }
    }
}
