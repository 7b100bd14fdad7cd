//! What the sanitizer knows beside the values: who touched which element when, what was written, and what
//! integer arithmetic would have given without a width.
//!
//! Invariants
//! - Two accesses of one element by different threads race unless a barrier of their group lies between them, or
//!   both read, or both are atomic. Barriers do not order groups: between those every such pair races.
//! - For each element and kind of access it remembers two threads of the group since its last barrier, and one
//!   of an earlier group. That finds a race whenever there is one with the access at hand.
//! - An index is reported where its value differs from what its sums, differences, products and shifts give in
//!   unbounded integers. Other operations begin anew with their value: a hash that is masked or divided is fine.

use super::{Machine, Mask, Stop, lanes, wide};
use crate::error::{Access, Fault, FaultCause, Place as ThreadPlace};
use evenweave_lang::{
    ir::{Array, Kernel, Loc, Op, Place, Space, Value, Var},
    ops::BinaryOp,
};
use std::collections::HashMap;

/// A touch of an element.
#[derive(Clone, Copy)]
struct Touch {
    thread: u32,
    group: u64,
    epoch: u32,
    loc: Loc,
    place: ThreadPlace,
}

/// What is remembered of one kind of access to one element.
#[derive(Clone, Copy, Default)]
struct Touches {
    /// One of another group than the latest.
    elsewhere: Option<Touch>,
    /// Two threads of the latest group and epoch.
    here: [Option<Touch>; 2],
}

impl Touches {
    fn note(&mut self, touch: Touch) {
        if let Some(old) = self.here[0]
            && (old.group, old.epoch) != (touch.group, touch.epoch)
        {
            if old.group != touch.group {
                self.elsewhere = Some(old);
            }
            self.here = [None; 2];
        }
        match self.here[0] {
            None => self.here[0] = Some(touch),
            Some(first) if first.thread != touch.thread => self.here[1] = Some(touch),
            Some(_) => {}
        }
    }

    fn conflict(&self, touch: &Touch) -> Option<Touch> {
        let unordered = |old: &Touch| {
            old.group != touch.group || (old.epoch == touch.epoch && old.thread != touch.thread)
        };
        self.here.into_iter().flatten().chain(self.elsewhere).find(unordered)
    }
}

/// Reads, writes and atomic updates of one element.
#[derive(Default)]
struct Element([Touches; 3]);

/// Where a value comes from that differs from its unbounded one.
#[derive(Clone, Copy)]
struct Exact {
    value: i128,
    origin: Option<Value>,
}

/// The sanitizer's knowledge.
#[derive(Default)]
pub(super) struct Shadow {
    epoch: u32,
    elements: HashMap<(Place, u64), Element>,
    exact: HashMap<Value, Vec<Exact>>,
    var_exact: Vec<Vec<Exact>>,
    var_written: Vec<Mask>,
    array_written: Vec<Vec<bool>>,
}

impl Shadow {
    pub(super) fn begin_group(&mut self, kernel: &Kernel, arrays: &[Vec<u64>], threads: usize) {
        self.epoch = 0;
        self.elements.retain(|(place, _), _| matches!(place, Place::Param(_)));
        let zero = Exact { value: 0, origin: None };
        self.var_exact = vec![vec![zero; threads]; kernel.vars.len()];
        self.var_written = vec![vec![false; threads]; kernel.vars.len()];
        self.array_written = arrays.iter().map(|a| vec![false; a.len()]).collect();
    }

    /// The unbounded value of a loop's index.
    pub(super) fn set_exact(&mut self, v: Value, at: &[i128]) {
        let exact = at.iter().map(|&value| Exact { value, origin: None }).collect();
        self.exact.insert(v, exact);
    }

    pub(super) fn set_var(&mut self, var: Var, a: Value, mask: &Mask) {
        for lane in lanes(mask) {
            self.var_written[var.index()][lane] = true;
            if let Some(exact) = self.exact.get(&a) {
                self.var_exact[var.index()][lane] = exact[lane];
            }
        }
    }

    /// Computes the unbounded value beside the value.
    pub(super) fn follow(&mut self, kernel: &Kernel, v: Value, values: &[Vec<u64>], mask: &Mask) {
        let inst = &kernel[v];
        let Some(dtype) = inst.ty.scalar().filter(|d| d.is_int()) else { return };
        let threads = mask.len();
        let mut out = self.exact.remove(&v).unwrap_or_default();
        out.resize(threads, Exact { value: 0, origin: None });
        let get = |a: Value, lane: usize| self.exact.get(&a).map(|e| e[lane]);
        for lane in lanes(mask) {
            let value = wide(dtype, values[v.index()][lane]);
            let plain = Exact { value, origin: None };
            let of_two = |a: Value, b: Value, f: fn(i128, i128) -> Option<i128>| {
                let (Some(a), Some(b)) = (get(a, lane), get(b, lane)) else { return plain };
                let exact = f(a.value, b.value).unwrap_or(i128::MAX);
                let own = (exact != value).then_some(v);
                Exact {
                    value: exact,
                    origin: a.origin.or(b.origin).or(own).filter(|_| exact != value),
                }
            };
            out[lane] = match &inst.op {
                Op::Binary(BinaryOp::Add, a, b) => of_two(*a, *b, i128::checked_add),
                Op::Binary(BinaryOp::Sub, a, b) => of_two(*a, *b, i128::checked_sub),
                Op::Binary(BinaryOp::Mul, a, b) => of_two(*a, *b, i128::checked_mul),
                Op::Binary(BinaryOp::Shl, a, b) => of_two(*a, *b, |a, b| {
                    u32::try_from(b).ok().filter(|&b| b < 64).and_then(|b| a.checked_mul(1 << b))
                }),
                Op::Cast(a) => match get(*a, lane) {
                    Some(from) if kernel[*a].ty.scalar().is_some_and(|d| d.is_int()) => {
                        let own = (from.value != value).then_some(v);
                        Exact {
                            value: from.value,
                            origin: from.origin.or(own).filter(|_| from.value != value),
                        }
                    }
                    Some(_) | None => plain,
                },
                Op::Select(c, a, b) => {
                    let taken = if values[c.index()][lane] == 1 { *a } else { *b };
                    get(taken, lane).unwrap_or(plain)
                }
                Op::Get(var) => self.var_exact[var.index()][lane],
                Op::Const(_)
                | Op::Id(_)
                | Op::Scalar(_)
                | Op::Length(_)
                | Op::Extent(..)
                | Op::Stride(..)
                | Op::Offset(_)
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::Compare(..)
                | Op::Fma(..)
                | Op::Bitcast(_)
                | Op::Load(..)
                | Op::Store(..)
                | Op::Pack(_)
                | Op::Extract(..)
                | Op::Set(..)
                | Op::Atomic(..)
                | Op::CompareExchange { .. }
                | Op::Barrier
                | Op::Shuffle(..)
                | Op::Vote(..)
                | Op::Reduce(..)
                | Op::Matrix(..)
                | Op::Wide { .. }
                | Op::GroupBroadcast(_)
                | Op::If { .. }
                | Op::For { .. }
                | Op::Loop { .. }
                | Op::Scope { .. }
                | Op::Break(_)
                | Op::Continue(_)
                | Op::Return
                | Op::Assert(..)
                | Op::Print(..) => plain,
            };
        }
        self.exact.insert(v, out);
    }
}

impl Machine<'_> {
    pub(super) fn pass_barrier(&mut self) {
        if let Some(shadow) = &mut self.shadow {
            shadow.epoch += 1;
        }
    }

    /// Reports an operation that not all threads of its scope (of so many lanes) reach.
    pub(super) fn check_scope(
        &mut self,
        loc: Loc,
        op: &'static str,
        lanes_of_scope: usize,
        mask: &Mask,
    ) -> Result<(), Stop> {
        if self.shadow.is_none() {
            return Ok(());
        }
        let scope = if lanes_of_scope == self.threads { "group" } else { "subgroup" };
        for (i, part) in mask.chunks(lanes_of_scope).enumerate() {
            let present = part.iter().filter(|&&on| on).count() as u32;
            let expected = part.len() as u32;
            if present != 0 && present != expected {
                let lane = i * lanes_of_scope + part.iter().position(|&on| on).unwrap_or(0);
                self.fault(loc, lane, FaultCause::Divergent { op, scope, present, expected })?;
            }
        }
        Ok(())
    }

    /// Reports a register that is read before it is set.
    pub(super) fn check_var(&mut self, v: Value, var: Var, mask: &Mask) -> Result<(), Stop> {
        let Some(shadow) = &self.shadow else { return Ok(()) };
        let written = &shadow.var_written[var.index()];
        if let Some(lane) = lanes(mask).find(|&lane| !written[lane]) {
            let what = format!("register `{}`", self.kernel.vars[var.index()].name);
            self.fault(self.kernel[v].loc, lane, FaultCause::Uninitialised { what })?;
        }
        Ok(())
    }

    /// Reports an index whose arithmetic wrapped.
    pub(super) fn check_index(
        &mut self,
        v: Value,
        place: Place,
        index: Value,
        lane: usize,
    ) -> Result<(), Stop> {
        let Some(shadow) = &self.shadow else { return Ok(()) };
        let origin = shadow.exact.get(&index).and_then(|exact| exact[lane].origin);
        let Some(origin) = origin else { return Ok(()) };
        let inst = &self.kernel[origin];
        let cause = FaultCause::IndexOverflow {
            name: self.kernel.place_name(place).into(),
            op: inst.op.name(),
            dtype: inst.ty.scalar().expect("only integers are followed"),
            origin: self.site(inst.loc),
        };
        self.fault(self.kernel[v].loc, lane, cause)
    }

    /// Notes an access of an element in bounds; reports races and reads of what nothing wrote.
    pub(super) fn touch(
        &mut self,
        v: Value,
        place: Place,
        access: Access,
        index: u64,
        lane: usize,
    ) -> Result<(), Stop> {
        if self.shadow.is_none() {
            return Ok(());
        }
        if let Place::Array(array) = place {
            self.check_written(v, array, access, index, lane)?;
            if self.kernel.arrays[array.index()].space == Space::Private {
                return Ok(());
            }
        }
        let (loc, thread_place) = (self.kernel[v].loc, self.place(lane));
        let shadow = self.shadow.as_mut().expect("checked above");
        let touch = Touch {
            thread: lane as u32,
            group: self.group_index,
            epoch: shadow.epoch,
            loc,
            place: thread_place,
        };
        // What one parameter writes another may read.
        let memory = match place {
            Place::Param(p) => Place::Param(self.first_of_memory[p.index()]),
            Place::Array(_) => place,
        };
        let element = shadow.elements.entry((memory, index)).or_default();
        let against = match access {
            Access::Read => [Access::Write, Access::Atomic].as_slice(),
            Access::Write => &[Access::Write, Access::Read, Access::Atomic],
            Access::Atomic => &[Access::Write, Access::Read],
        };
        let conflict = against
            .iter()
            .find_map(|&other| Some((other, element.0[other as usize].conflict(&touch)?)));
        element.0[access as usize].note(touch);
        let Some((other, old)) = conflict else { return Ok(()) };
        let cause = FaultCause::Race {
            name: self.kernel.place_name(place).into(),
            index,
            access,
            other,
            other_site: self.site(old.loc),
            other_place: old.place,
        };
        self.fault(loc, lane, cause)
    }

    fn check_written(
        &mut self,
        v: Value,
        array: Array,
        access: Access,
        index: u64,
        lane: usize,
    ) -> Result<(), Stop> {
        let cell = match self.kernel.arrays[array.index()].space {
            Space::Shared => index as usize,
            Space::Private => index as usize * self.threads + lane,
        };
        let shadow = self.shadow.as_mut().expect("the caller checked");
        let written = std::mem::replace(&mut shadow.array_written[array.index()][cell], true);
        if written || access == Access::Write {
            return Ok(());
        }
        let name = &self.kernel.arrays[array.index()].name;
        let what = format!("`{name}` at index {index}");
        self.fault(self.kernel[v].loc, lane, FaultCause::Uninitialised { what })
    }
}

/// Whether two faults are of one kind at one place (or pair of places) in the source.
pub(super) fn is_same_kind(a: &Fault, b: &Fault) -> bool {
    let other = |f: &Fault| match &f.cause {
        FaultCause::Race { other_site, access, other, .. } => {
            Some((other_site.clone(), Some((*access, *other))))
        }
        FaultCause::IndexOverflow { origin, .. } => Some((origin.clone(), None)),
        FaultCause::OutOfBounds { .. }
        | FaultCause::Misaligned { .. }
        | FaultCause::Assert { .. }
        | FaultCause::Budget { .. }
        | FaultCause::Uninitialised { .. }
        | FaultCause::Divergent { .. }
        | FaultCause::Step { .. } => None,
    };
    a.site == b.site
        && std::mem::discriminant(&a.cause) == std::mem::discriminant(&b.cause)
        && other(a) == other(b)
}
