//! Instructions without bodies.
#![deny(clippy::wildcard_enum_match_arm)]

use super::{Machine, Mask, Stop, lanes};
use crate::{
    cpu::{
        grid::thread_at,
        memory::combine,
        print::{fill, show},
    },
    error::{Access, FaultCause},
};
use evenweave_lang::{
    dtype::DType,
    eval,
    ir::{Array, Op, Place, Space, Type, Value},
    matrix::{Atom, wide::Wide},
    ops::{IdOp, Reach, ReduceOp, ShuffleOp, VoteOp},
};

/// Elements of a place, and how they are stored.
struct Extent {
    dtype: DType,
    elems: u64,
}

impl Machine<'_> {
    /// Runs an instruction for the lanes of a mask that is not empty.
    pub(super) fn step(&mut self, v: Value, mask: &Mask) -> Result<(), Stop> {
        let kernel = self.kernel;
        let inst = &kernel[v];
        let (loc, ty) = (inst.loc, inst.ty);
        let dtype = |v: Value| kernel[v].ty.dtype().expect("operands have a dtype");
        match &inst.op {
            Op::Const(c) => self.each(v, mask, |_, _| c.bits),
            Op::Id(id) => self.each(v, mask, |m, lane| m.id(*id, lane as u32).into()),
            Op::Scalar(p) => self.each(v, mask, |m, _| m.args[p.index()].scalar()),
            Op::Length(p) => self.each(v, mask, |m, _| m.args[p.index()].memory().1),
            Op::Extent(p, axis) => {
                self.each(v, mask, |m, _| {
                    m.args[p.index()].layout().shape[usize::from(*axis)].into()
                });
            }
            Op::Stride(p, axis) => {
                self.each(v, mask, |m, _| m.args[p.index()].layout().strides[usize::from(*axis)]);
            }
            Op::Offset(p) => self.each(v, mask, |m, _| m.args[p.index()].layout().offset),
            Op::Unary(op, a) => {
                self.each(v, mask, |m, lane| native(eval::unary(*op, dtype(*a), m.at(*a, lane))));
            }
            Op::Binary(op, a, b) => self.each(v, mask, |m, lane| {
                native(eval::binary(*op, dtype(*a), m.at(*a, lane), m.at(*b, lane)))
            }),
            Op::Compare(op, a, b) => self.each(v, mask, |m, lane| {
                native(eval::compare(*op, dtype(*a), m.at(*a, lane), m.at(*b, lane))).into()
            }),
            Op::Fma(a, b, c) => self.each(v, mask, |m, lane| {
                native(eval::fma(dtype(*a), m.at(*a, lane), m.at(*b, lane), m.at(*c, lane)))
            }),
            Op::Select(c, a, b) => self.each(v, mask, |m, lane| {
                if m.at(*c, lane) == 1 { m.at(*a, lane) } else { m.at(*b, lane) }
            }),
            Op::Cast(a) => self.each(v, mask, |m, lane| {
                native(eval::cast(
                    dtype(*a),
                    ty.dtype().expect("a cast has a dtype"),
                    m.at(*a, lane),
                ))
            }),
            Op::Bitcast(a) => self.each(v, mask, |m, lane| {
                native(eval::bitcast(
                    dtype(*a),
                    ty.dtype().expect("a cast has a dtype"),
                    m.at(*a, lane),
                ))
            }),
            Op::Pack(parts) => {
                let packed = parts.iter().flat_map(|p| self.values[p.index()].clone()).collect();
                self.values[v.index()] = packed;
            }
            Op::Extract(a, i) => {
                let start = usize::from(*i) * self.threads;
                let part = self.values[a.index()][start..start + self.threads].to_vec();
                self.values[v.index()] = part;
            }
            Op::Load(place, index) => self.load(v, *place, *index, mask)?,
            Op::Store(place, index, value) => self.store(v, *place, *index, *value, mask)?,
            Op::Get(var) => {
                self.each(v, mask, |m, lane| m.vars[var.index()][lane]);
                self.check_var(v, *var, mask)?;
            }
            Op::Set(var, a) => {
                for lane in lanes(mask) {
                    self.vars[var.index()][lane] = self.at(*a, lane);
                }
                if let Some(shadow) = &mut self.shadow {
                    shadow.set_var(*var, *a, mask);
                }
            }
            Op::Atomic(op, place, index, value) => {
                let d = dtype(*value);
                self.update(v, *place, *index, mask, |m, lane, old| {
                    Some(combine(*op, d, old, m.at(*value, lane)))
                })?;
            }
            Op::CompareExchange { at, index, expected, value } => {
                self.update(v, *at, *index, mask, |m, lane, old| {
                    (old == m.at(*expected, lane)).then(|| m.at(*value, lane))
                })?;
            }
            Op::Barrier => {
                self.check_scope(loc, "barrier", self.threads, mask)?;
                self.pass_barrier();
            }
            Op::GroupBroadcast(a) => {
                self.check_scope(loc, "group_broadcast", self.threads, mask)?;
                self.pass_barrier();
                let first = self.at(*a, 0);
                self.each(v, mask, |_, _| first);
            }
            Op::Shuffle(op, a, arg) => {
                self.check_scope(loc, op.name(), self.subgroup, mask)?;
                self.each(v, mask, |m, lane| {
                    let (own, arg) = (lane % m.subgroup, m.at(*arg, lane) as usize);
                    let from = match op {
                        ShuffleOp::Any | ShuffleOp::Broadcast => arg % m.subgroup,
                        ShuffleOp::Xor => own ^ (arg % m.subgroup),
                    };
                    m.values[a.index()].get(lane - own + from).copied().unwrap_or(0)
                });
            }
            Op::Vote(op, a) => {
                self.check_scope(loc, op.name(), self.subgroup, mask)?;
                self.vote(v, *op, *a, mask);
            }
            Op::Reduce(reach, op, a) => {
                self.check_scope(loc, reach.name(), self.subgroup, mask)?;
                self.reduce(v, *reach, *op, *a, mask);
            }
            Op::Matrix(atom, all) => {
                self.check_scope(loc, atom.name(), self.subgroup, mask)?;
                self.matrix(v, *atom, all);
            }
            Op::Wide { wide, sums, tile, words } => {
                self.check_scope(loc, wide.name(), self.threads, mask)?;
                self.wide(v, *wide, [*sums, *tile], words)?;
            }
            Op::Assert(cond, text) => {
                for lane in lanes(mask) {
                    if self.at(*cond, lane) == 0 {
                        self.fault(loc, lane, FaultCause::Assert { text: text.clone() })?;
                    }
                }
            }
            Op::Print(text, values) => {
                for lane in lanes(mask) {
                    let words = values.iter().map(|&x| show(dtype(x), self.at(x, lane)));
                    let line = fill(text, words);
                    self.prints.push(format!("{}: {line}", self.place(lane)));
                }
            }
            Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return => unreachable!("`inst` runs control flow"),
        }
        if let Some(shadow) = &mut self.shadow {
            shadow.follow(kernel, v, &self.values, mask);
        }
        Ok(())
    }

    /// The elements of a vector follow each other, each of all threads.
    fn matrix(&mut self, v: Value, atom: Atom, all: &[Value]) {
        let mut out = vec![0; atom.sums() as usize * self.threads];
        for first in (0..self.threads).step_by(self.subgroup) {
            let d = eval::matrix::product(atom, |operand, lane| {
                self.values[all[operand].index()].get(first + lane).map_or(0, |&bits| bits as u32)
            });
            for (i, lanes) in d.iter().enumerate() {
                for (lane, &bits) in lanes.iter().enumerate() {
                    out[i * self.threads + first + lane] = bits.into();
                }
            }
        }
        self.values[v.index()] = out;
    }

    /// Each subgroup reads the whole tile, and each lane its sums, which it then writes.
    fn wide(
        &mut self,
        v: Value,
        wide: Wide,
        [sums, tile]: [Array; 2],
        words: &[Value],
    ) -> Result<(), Stop> {
        for first in (0..self.threads).step_by(self.subgroup) {
            for word in 0..u64::from(wide.tile_words()) {
                self.touch(v, Place::Array(tile), Access::Read, word, first)?;
            }
            for lane in first..first + self.subgroup {
                for sum in 0..u64::from(wide.sums()) {
                    self.touch(v, Place::Array(sums), Access::Read, sum, lane)?;
                }
            }
            let d = eval::wide::product(
                wide,
                |operand, lane| self.at(words[operand], first + lane) as u32,
                |word| self.arrays[tile.index()][word] as u32,
                |sum, lane| self.arrays[sums.index()][sum * self.threads + first + lane] as u32,
            );
            for (sum, lanes) in d.iter().enumerate() {
                for (lane, &bits) in lanes.iter().enumerate() {
                    let cell = self.cell(sums, sum as u64, first + lane);
                    self.arrays[sums.index()][cell] = bits.into();
                }
            }
        }
        Ok(())
    }

    pub(super) fn at(&self, v: Value, lane: usize) -> u64 {
        self.values[v.index()][lane]
    }

    /// Computes a value lane by lane; lanes that do not run keep what they had.
    fn each(&mut self, v: Value, mask: &Mask, f: impl Fn(&Self, usize) -> u64) {
        let mut out = std::mem::take(&mut self.values[v.index()]);
        out.resize(self.threads, 0);
        for lane in lanes(mask) {
            out[lane] = f(self, lane);
        }
        self.values[v.index()] = out;
    }

    fn id(&self, id: IdOp, thread: u32) -> u32 {
        let size = self.kernel.group;
        let (local, group, grid) = (thread_at(size, thread), self.group, self.grid);
        let global = |axis: usize| group[axis].wrapping_mul(size[axis]).wrapping_add(local[axis]);
        match id {
            IdOp::GlobalX => global(0),
            IdOp::GlobalY => global(1),
            IdOp::GlobalZ => global(2),
            IdOp::GroupX => group[0],
            IdOp::GroupY => group[1],
            IdOp::GroupZ => group[2],
            IdOp::LocalX => local[0],
            IdOp::LocalY => local[1],
            IdOp::LocalZ => local[2],
            IdOp::GroupSizeX => size[0],
            IdOp::GroupSizeY => size[1],
            IdOp::GroupSizeZ => size[2],
            IdOp::GridX => grid[0],
            IdOp::GridY => grid[1],
            IdOp::GridZ => grid[2],
            IdOp::Thread => thread,
            IdOp::Lane => thread % self.subgroup as u32,
            IdOp::SubgroupId => thread / self.subgroup as u32,
            IdOp::Subgroups => (self.threads as u32).div_ceil(self.subgroup as u32),
        }
    }

    fn extent(&self, place: Place) -> Extent {
        let dtype = self.kernel.place_dtype(place);
        let elems = match place {
            Place::Param(p) => self.args[p.index()].memory().1,
            Place::Array(a) => self.kernel.arrays[a.index()].elems.into(),
        };
        Extent { dtype, elems }
    }

    /// Whether so many elements from the index may be touched; where not, the fault was noted.
    fn in_bounds(
        &mut self,
        v: Value,
        place: Place,
        access: Access,
        (index, width): (u64, u8),
        lane: usize,
    ) -> Result<bool, Stop> {
        let Extent { elems, .. } = self.extent(place);
        let name = || self.kernel.place_name(place).to_string();
        let cause = if index.checked_add(width.into()).is_none_or(|end| end > elems) {
            FaultCause::OutOfBounds { name: name(), access, index, elems }
        } else if !index.is_multiple_of(width.into()) {
            FaultCause::Misaligned { name: name(), access, index, width }
        } else {
            return Ok(true);
        };
        self.fault(self.kernel[v].loc, lane, cause)?;
        Ok(false)
    }

    fn cell(&self, array: Array, index: u64, lane: usize) -> usize {
        match self.kernel.arrays[array.index()].space {
            Space::Shared => index as usize,
            Space::Private => index as usize * self.threads + lane,
        }
    }

    fn load(&mut self, v: Value, place: Place, index: Value, mask: &Mask) -> Result<(), Stop> {
        let width = width(self.kernel[v].ty);
        let Extent { dtype, .. } = self.extent(place);
        let mut out = std::mem::take(&mut self.values[v.index()]);
        out.resize(self.threads * usize::from(width), 0);
        for lane in lanes(mask) {
            self.check_index(v, place, index, lane)?;
            let first = self.at(index, lane);
            if !self.in_bounds(v, place, Access::Read, (first, width), lane)? {
                continue;
            }
            for i in 0..u64::from(width) {
                self.touch(v, place, Access::Read, first + i, lane)?;
                out[i as usize * self.threads + lane] = match place {
                    Place::Param(p) => {
                        let (view, _) = self.args[p.index()].memory();
                        eval::decode(dtype, view.load(dtype.bits(), first + i))
                    }
                    Place::Array(a) => self.arrays[a.index()][self.cell(a, first + i, lane)],
                };
            }
        }
        self.values[v.index()] = out;
        Ok(())
    }

    fn store(
        &mut self,
        v: Value,
        place: Place,
        index: Value,
        value: Value,
        mask: &Mask,
    ) -> Result<(), Stop> {
        let width = width(self.kernel[value].ty);
        let Extent { dtype, .. } = self.extent(place);
        for lane in lanes(mask) {
            self.check_index(v, place, index, lane)?;
            let first = self.at(index, lane);
            if !self.in_bounds(v, place, Access::Write, (first, width), lane)? {
                continue;
            }
            for i in 0..u64::from(width) {
                self.touch(v, place, Access::Write, first + i, lane)?;
                let bits = self.values[value.index()][i as usize * self.threads + lane];
                let code = eval::encode(dtype, bits);
                match place {
                    Place::Param(p) => {
                        self.args[p.index()].memory().0.store(dtype.bits(), first + i, code);
                    }
                    Place::Array(a) => {
                        let cell = self.cell(a, first + i, lane);
                        self.arrays[a.index()][cell] = code;
                    }
                }
            }
        }
        Ok(())
    }

    fn update(
        &mut self,
        v: Value,
        place: Place,
        index: Value,
        mask: &Mask,
        f: impl Fn(&Self, usize, u64) -> Option<u64>,
    ) -> Result<(), Stop> {
        let mut out = std::mem::take(&mut self.values[v.index()]);
        out.resize(self.threads, 0);
        for lane in lanes(mask) {
            self.check_index(v, place, index, lane)?;
            let at = self.at(index, lane);
            if !self.in_bounds(v, place, Access::Atomic, (at, 1), lane)? {
                continue;
            }
            self.touch(v, place, Access::Atomic, at, lane)?;
            out[lane] = match place {
                Place::Param(p) => {
                    self.args[p.index()].memory().0.update(at, |old| f(self, lane, old))
                }
                Place::Array(a) => {
                    let cell = self.cell(a, at, lane);
                    let old = self.arrays[a.index()][cell];
                    if let Some(new) = f(self, lane, old) {
                        self.arrays[a.index()][cell] = new;
                    }
                    old
                }
            };
        }
        self.values[v.index()] = out;
        Ok(())
    }

    fn vote(&mut self, v: Value, op: VoteOp, a: Value, mask: &Mask) {
        let ballot = |m: &Self, lane: usize| {
            let start = lane - lane % m.subgroup;
            let votes = m.values[a.index()].iter().zip(mask).skip(start).take(m.subgroup);
            let count = |(ones, asked), (i, (&x, &on)): (usize, (&u64, &bool))| {
                (ones | u32::from(on && x == 1) << i, asked | u32::from(on) << i)
            };
            votes.enumerate().fold((0u32, 0u32), count)
        };
        self.each(v, mask, |m, lane| {
            let (ones, asked) = ballot(m, lane);
            match op {
                VoteOp::Ballot => ones.into(),
                VoteOp::Any => u64::from(ones != 0),
                VoteOp::All => u64::from(ones == asked),
            }
        });
    }

    fn reduce(&mut self, v: Value, reach: Reach, op: ReduceOp, a: Value, mask: &Mask) {
        let dtype = self.kernel[a].ty.scalar().expect("`verify` reduces scalars");
        let identity = native(eval::identity(op, dtype));
        let source = &self.values[a.index()];
        let mut out = vec![0; self.threads];
        for (i, out) in out.chunks_mut(self.subgroup).enumerate() {
            let mut part = vec![identity; self.subgroup];
            for (j, lane) in (i * self.subgroup..).take(out.len()).enumerate() {
                if mask[lane] {
                    part[j] = source[lane];
                }
            }
            native(eval::reduce(reach, op, dtype, &mut part));
            out.copy_from_slice(&part[..out.len()]);
        }
        self.values[v.index()] = out;
    }
}

/// Elements that an access of this type touches.
fn width(ty: Type) -> u8 {
    match ty {
        Type::Vector(_, width) => width,
        Type::Scalar(_) | Type::Unit => 1,
    }
}

/// After `verify` and `legalize` every row has a value.
fn native<T>(value: Option<T>) -> T {
    value.expect("legalised kernels have native rows only")
}
