//! The 32-lane subgroup of the language on hardware of another width.
//!
//! Where the hardware's subgroup has S < 32 lanes, one of its subgroups carries one of the language's: each invocation
//! holds R = 32 / S lanes, as *replicas*. Replica r of hardware lane l is lane r * S + l. What is the same in the whole
//! subgroup is computed once; what varies is computed R times; a register or private array of a thread becomes R.
//!
//! No masks are needed. Movements between lanes stand where flow is uniform for the subgroup (`verify`), and there
//! constructs are written once, with all replicas inside. A construct whose flow is not uniform holds none of them, so
//! it is written R times, one replica after the other: threads may run in any order. So is the rest of a block behind
//! a jump that not all threads take. A jump out of such a piece sets a register of its replica and leaves the piece;
//! until its target is passed, later pieces are skipped by the replicas whose register is set.
//!
//! With S = 1 no movement between lanes is left: all of them are between registers. That serves hardware without any,
//! and groups of more threads than the hardware has invocations.
//!
//! Invariants
//! - Afterwards `Kernel::lanes` is S, the group is one row of threads / R, and `Id` names places of invocations alone.
//! - The order in which sums are formed is that of the index tree, whatever S is.
//! - What was uniform is uniform afterwards, so the kernel verifies.
//!
//! Absent: replicas that share a load of neighbours. A vector of one thread stays one of one replica.

#![deny(clippy::wildcard_enum_match_arm)]

mod moves;
mod spread;

use super::{exits, first_loc, matrix};
use crate::{
    error::{Cause, LegalizeError},
    facts::{Fact, Facts, Lanes},
    target::Target,
};
use evenweave_lang::{
    ir::{Kernel, SUBGROUP_LANES},
    uniform::{Uniform, Uniformity},
};
use spread::Spread;

/// The kernel with as many lanes an invocation as the device needs, and sequences for the products that the target lacks,
/// since those have 32 lanes; refusals name `target`.
pub fn fit(kernel: &Kernel, target: Target, facts: &Facts) -> Result<Kernel, LegalizeError> {
    let kernel = &matrix::expand(kernel, target, facts);
    let threads = kernel.group_threads();
    let most = facts.max_invocations;
    let Some(share) = Share::of(kernel, facts) else {
        let cause = Cause::GroupThreads { target, threads, most };
        return Err(LegalizeError::new(kernel, first_loc(kernel), cause));
    };
    if share.replicas == 1 {
        return Ok(kernel.clone());
    }
    Ok(Spread::run(&exits::without_returns(kernel), share))
}

/// How threads lie on invocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share {
    /// Threads of an invocation.
    replicas: u32,
    /// Lanes of the new kernel's subgroup; `None` where nothing moves between lanes, and any threads may share an
    /// invocation.
    width: Option<u32>,
}

impl Share {
    /// The fewest replicas that the device allows.
    fn of(kernel: &Kernel, facts: &Facts) -> Option<Share> {
        let (threads, most) = (kernel.group_threads(), facts.max_invocations);
        let Some(apart) = moves_apart(kernel) else {
            let fits = |r: &u32| threads.is_multiple_of(*r) && threads / r <= most;
            let replicas = (1..=threads.max(1)).find(fits)?;
            return Some(Share { replicas, width: None });
        };
        let native = match facts.lanes {
            _ if !facts.has(Fact::Shuffles) => 1,
            Lanes::Fixed(lanes) => lanes.min(SUBGROUP_LANES),
            // Through shared memory, where the whole group comes.
            Lanes::Unknown if !apart => SUBGROUP_LANES,
            Lanes::Unknown => 1,
        };
        let fits = |width: &u32| threads / SUBGROUP_LANES * width <= most;
        // Memory moves lanes of one invocation each.
        let widths: &[u32] = match facts.lanes {
            Lanes::Unknown => &[SUBGROUP_LANES, 1],
            Lanes::Fixed(_) => &[32, 16, 8, 4, 2, 1],
        };
        let width = widths.iter().copied().filter(|w| *w <= native).find(fits)?;
        Some(Share { replicas: SUBGROUP_LANES / width, width: Some(width) })
    }
}

/// Whether movements between lanes stand where not the whole group comes; `None` where there are none.
fn moves_apart(kernel: &Kernel) -> Option<bool> {
    let uniform = Uniformity::new(kernel);
    let moves = kernel.blocks.iter().flatten().filter(|&&v| kernel[v].op.moves_lanes());
    let flows: Vec<Uniform> = moves.map(|&v| uniform.flow(v)).collect();
    (!flows.is_empty()).then(|| flows.iter().any(|&flow| flow < Uniform::Group))
}
