//! Straight runs of instructions, once for any machine and once for AVX2.
//!
//! Invariants
//! - The forms differ in the instructions that the compiler may use, and in nothing else: rustc neither contracts
//!   nor reassociates, and `mul_add` rounds once in both.
#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    Level, Machine, Stop, arith, group,
    lanes::{CHUNK, Chunks, Mask, Source, Word, map1, map3},
    memory,
    program::{Code, Inst, LaunchValue, ScalarOp, Slot},
};
use crate::error::FaultCause;
use evenweave_lang::{
    dtype::DType,
    eval,
    ops::{BinaryOp, CompareOp, IdOp, UnaryOp},
};

/// Runs instructions for the lanes of a mask that is not empty.
pub(super) fn run(m: &mut Machine, insts: &[Inst], mask: &Mask) -> Result<(), Stop> {
    match m.level {
        Level::Portable => portable::run(m, insts, mask),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the level comes from `Level::detect`, which asked the machine for all these features.
        Level::Avx2 => unsafe { avx2::run(m, insts, mask) },
        #[cfg(not(target_arch = "x86_64"))]
        Level::Avx2 => portable::run(m, insts, mask),
    }
}

/// The dispatch, and one function a class of instruction so that none grows beyond what compiles quickly.
macro_rules! level {
    ($(#[$attribute:meta])* $level:ident) => {
        $(#[cfg(target_arch = "x86_64")] #[doc = stringify!($attribute)])*
        mod $level {
            use super::*;

            $(#[$attribute])*
            pub(super) fn run(m: &mut Machine, insts: &[Inst], mask: &Mask) -> Result<(), Stop> {
                for inst in insts {
                    match &inst.code {
                        Code::Unary { op, dtype, dst, a } => unary(m, *op, *dtype, *dst, *a),
                        Code::Binary { op, dtype, dst, a, b } => {
                            binary(m, *op, *dtype, *dst, [*a, *b]);
                        }
                        Code::Compare { op, dtype, dst, a, b } => {
                            compare(m, *op, *dtype, *dst, [*a, *b]);
                        }
                        Code::Fma { dst, a, b, c } => fma(m, *dst, [*a, *b, *c]),
                        Code::Select { dst, cond, a, b } => select(m, *dst, *cond, [*a, *b]),
                        Code::Cast { from, to, dst, a } => cast(m, *from, *to, *dst, *a),
                        Code::Bitcast { from, dst, a } => bitcast(m, *from, *dst, *a),
                        Code::Load { target, dtype, index, dst } => {
                            load(m, inst, (*target, *dtype, *index), dst, mask)?;
                        }
                        Code::Store { target, dtype, index, src } => {
                            store(m, inst, (*target, *dtype, *index), src, mask)?;
                        }
                        Code::Reduce { reach, op, dtype, dst, a } => {
                            reduce(m, (*reach, *op, *dtype), *dst, *a);
                        }
                        Code::Shuffle { op, dst, a, lane } => {
                            group::shuffle(m, *op, *dst, *a, *lane);
                        }
                        Code::Vote { op, dst, a } => group::vote(m, *op, *dst, *a, mask),
                        Code::Matrix { atom, dst, src } => group::matrix(m, *atom, dst, src),
                        Code::Wide { wide, sums, tile, src } => {
                            group::wide(m, *wide, [*sums, *tile], src);
                        }
                        Code::GroupBroadcast { dst, a } => group::broadcast(m, *dst, *a),
                        Code::Set { dst, src, ends } => super::set(m, *dst, *src, *ends, mask),
                        Code::Copy { dst, src } => super::copy(m, *dst, *src, mask),
                        Code::Id { id, dst } => super::id(m, *id, *dst),
                        Code::Launch(..) | Code::Scalar(..) => m.scalar(&inst.code),
                        Code::Update { what, target, index, dst } => {
                            memory::update(m, inst, *what, (*target, *index, *dst), mask)?;
                        }
                        Code::Assert { .. } | Code::Print { .. } => m.report(inst, mask)?,
                    }
                }
                Ok(())
            }

            $(#[$attribute])*
            fn unary(m: &mut Machine, op: UnaryOp, dtype: DType, dst: Slot, a: Slot) {
                super::unary(m, op, dtype, dst, a);
            }
            $(#[$attribute])*
            fn binary(m: &mut Machine, op: BinaryOp, dtype: DType, dst: Slot, ab: [Slot; 2]) {
                super::binary(m, op, dtype, dst, ab);
            }
            $(#[$attribute])*
            fn compare(m: &mut Machine, op: CompareOp, dtype: DType, dst: Slot, ab: [Slot; 2]) {
                super::compare(m, op, dtype, dst, ab);
            }
            $(#[$attribute])*
            fn fma(m: &mut Machine, dst: Slot, abc: [Slot; 3]) {
                super::fma(m, dst, abc);
            }
            $(#[$attribute])*
            fn select(m: &mut Machine, dst: Slot, cond: Slot, ab: [Slot; 2]) {
                super::select(m, dst, cond, ab);
            }
            $(#[$attribute])*
            fn cast(m: &mut Machine, from: DType, to: DType, dst: Slot, a: Slot) {
                super::cast(m, from, to, dst, a);
            }
            $(#[$attribute])*
            fn bitcast(m: &mut Machine, from: DType, dst: Slot, a: Slot) {
                super::bitcast(m, from, dst, a);
            }
            $(#[$attribute])*
            fn load(
                m: &mut Machine,
                inst: &Inst,
                from: memory::At,
                dst: &[Slot],
                mask: &Mask,
            ) -> Result<(), Stop> {
                memory::load(m, inst, from, dst, mask)
            }
            $(#[$attribute])*
            fn store(
                m: &mut Machine,
                inst: &Inst,
                to: memory::At,
                src: &[Slot],
                mask: &Mask,
            ) -> Result<(), Stop> {
                memory::store(m, inst, to, src, mask)
            }
            $(#[$attribute])*
            fn reduce(m: &mut Machine, what: group::What, dst: Slot, a: Slot) {
                group::reduce(m, what, dst, a);
            }
        }
    };
}

level! { portable }
level! { #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")] avx2 }

/// Slots of one width of lane.
pub(super) trait File: Word {
    fn file<'m>(m: &'m Machine) -> &'m [Chunks<Self>];
    fn file_mut<'m>(m: &'m mut Machine) -> &'m mut [Chunks<Self>];
    /// The number of a slot of lanes of this width.
    fn number(slot: Slot) -> Option<usize>;
}

impl File for u32 {
    #[inline(always)]
    fn file<'m>(m: &'m Machine) -> &'m [Chunks<u32>] {
        &m.narrow
    }
    #[inline(always)]
    fn file_mut<'m>(m: &'m mut Machine) -> &'m mut [Chunks<u32>] {
        &mut m.narrow
    }
    #[inline(always)]
    fn number(slot: Slot) -> Option<usize> {
        match slot {
            Slot::Narrow(i) => Some(i as usize),
            Slot::Scalar(_) | Slot::Wide(_) => None,
        }
    }
}

impl File for u64 {
    #[inline(always)]
    fn file<'m>(m: &'m Machine) -> &'m [Chunks<u64>] {
        &m.wide
    }
    #[inline(always)]
    fn file_mut<'m>(m: &'m mut Machine) -> &'m mut [Chunks<u64>] {
        &mut m.wide
    }
    #[inline(always)]
    fn number(slot: Slot) -> Option<usize> {
        match slot {
            Slot::Wide(i) => Some(i as usize),
            Slot::Scalar(_) | Slot::Narrow(_) => None,
        }
    }
}

/// Takes the lanes of a slot out of the machine, so that others can be read while they are written.
#[inline(always)]
pub(super) fn take<W: File>(m: &mut Machine, slot: Slot) -> Chunks<W> {
    let i = W::number(slot).expect("a destination has the width of its dtype");
    std::mem::take(&mut W::file_mut(m)[i])
}

#[inline(always)]
pub(super) fn give<W: File>(m: &mut Machine, slot: Slot, lanes: Chunks<W>) {
    let i = W::number(slot).expect("a destination has the width of its dtype");
    W::file_mut(m)[i] = lanes;
}

/// The lanes of a source; a word of the scalar file fills `splat`.
#[inline(always)]
pub(super) fn source<'a, W: File>(
    m: &'a Machine,
    slot: Slot,
    splat: &'a mut [[W; CHUNK]; 1],
) -> Source<'a, W> {
    match W::number(slot) {
        Some(i) => Source { chunks: &W::file(m)[i], stride: 1 },
        None => {
            let Slot::Scalar(word) = slot else { unreachable!("operands have one width") };
            *splat = [[W::down(m.scalars[word as usize]); CHUNK]];
            Source { chunks: splat, stride: 0 }
        }
    }
}

/// Whether the lanes of a destination are wide.
fn is_wide(slot: Slot) -> bool {
    match slot {
        Slot::Wide(_) => true,
        Slot::Narrow(_) => false,
        Slot::Scalar(_) => unreachable!("lanes are computed into slots of lanes"),
    }
}

#[inline(always)]
fn unary(m: &mut Machine, op: UnaryOp, dtype: DType, dst: Slot, a: Slot) {
    if is_wide(dst) {
        let mut d = take::<u64>(m, dst);
        arith::unary_wide(op, dtype, &mut d, source(m, a, &mut [[0; CHUNK]]));
        give(m, dst, d);
    } else {
        let mut d = take::<u32>(m, dst);
        arith::unary_narrow(op, dtype, &mut d, source(m, a, &mut [[0; CHUNK]]));
        give(m, dst, d);
    }
}

#[inline(always)]
fn binary(m: &mut Machine, op: BinaryOp, dtype: DType, dst: Slot, [a, b]: [Slot; 2]) {
    if is_wide(dst) {
        let mut d = take::<u64>(m, dst);
        let (x, y) = (&mut [[0; CHUNK]], &mut [[0; CHUNK]]);
        arith::binary_wide(op, dtype, &mut d, source(m, a, x), source(m, b, y));
        give(m, dst, d);
    } else {
        let mut d = take::<u32>(m, dst);
        let (x, y) = (&mut [[0; CHUNK]], &mut [[0; CHUNK]]);
        arith::binary_narrow(op, dtype, &mut d, source(m, a, x), source(m, b, y));
        give(m, dst, d);
    }
}

#[inline(always)]
fn compare(m: &mut Machine, op: CompareOp, dtype: DType, dst: Slot, [a, b]: [Slot; 2]) {
    let mut d = take::<u32>(m, dst);
    if dtype.bits() == 64 {
        let (x, y) = (&mut [[0; CHUNK]], &mut [[0; CHUNK]]);
        arith::compare_wide(op, dtype, &mut d, source(m, a, x), source(m, b, y));
    } else {
        let (x, y) = (&mut [[0; CHUNK]], &mut [[0; CHUNK]]);
        arith::compare_narrow(op, dtype, &mut d, source(m, a, x), source(m, b, y));
    }
    give(m, dst, d);
}

#[inline(always)]
fn fma(m: &mut Machine, dst: Slot, [a, b, c]: [Slot; 3]) {
    if is_wide(dst) {
        let mut d = take::<u64>(m, dst);
        let (x, y, z) = (&mut [[0; CHUNK]], &mut [[0; CHUNK]], &mut [[0; CHUNK]]);
        arith::fma_wide(&mut d, source(m, a, x), source(m, b, y), source(m, c, z));
        give(m, dst, d);
    } else {
        let mut d = take::<u32>(m, dst);
        let (x, y, z) = (&mut [[0; CHUNK]], &mut [[0; CHUNK]], &mut [[0; CHUNK]]);
        arith::fma_narrow(&mut d, source(m, a, x), source(m, b, y), source(m, c, z));
        give(m, dst, d);
    }
}

#[inline(always)]
fn select(m: &mut Machine, dst: Slot, cond: Slot, [a, b]: [Slot; 2]) {
    #[inline(always)]
    fn of<W: File>(m: &mut Machine, dst: Slot, cond: Slot, [a, b]: [Slot; 2]) {
        let mut d = take::<W>(m, dst);
        let (c, x, y) =
            (&mut [[0; CHUNK]], &mut [[W::default(); CHUNK]], &mut [[W::default(); CHUNK]]);
        map3(&mut d, source::<u32>(m, cond, c), source(m, a, x), source(m, b, y), |c, x, y| {
            if c != 0 { x } else { y }
        });
        give(m, dst, d);
    }
    if is_wide(dst) { of::<u64>(m, dst, cond, [a, b]) } else { of::<u32>(m, dst, cond, [a, b]) }
}

#[inline(always)]
fn cast(m: &mut Machine, from: DType, to: DType, dst: Slot, a: Slot) {
    let (x, y) = (&mut [[0; CHUNK]], &mut [[0; CHUNK]]);
    if is_wide(dst) {
        let mut d = take::<u64>(m, dst);
        let into = arith::Lanes::Wide(&mut d);
        match from.bits() {
            64 => arith::cast_wide(from, to, into, source(m, a, x)),
            _ => arith::cast_narrow(from, to, into, source(m, a, y)),
        }
        give(m, dst, d);
    } else {
        let mut d = take::<u32>(m, dst);
        let into = arith::Lanes::Narrow(&mut d);
        match from.bits() {
            64 => arith::cast_wide(from, to, into, source(m, a, x)),
            _ => arith::cast_narrow(from, to, into, source(m, a, y)),
        }
        give(m, dst, d);
    }
}

#[inline(always)]
fn bitcast(m: &mut Machine, from: DType, dst: Slot, a: Slot) {
    if is_wide(dst) {
        let mut d = take::<u64>(m, dst);
        map1(&mut d, source(m, a, &mut [[0u64; CHUNK]]), |x| eval::canonical(from, x));
        give(m, dst, d);
    } else {
        let mut d = take::<u32>(m, dst);
        let mut splat = [[0u32; CHUNK]];
        let a = source(m, a, &mut splat);
        // The common ones by themselves, so that the loops have no choice inside.
        match from {
            DType::F32 => map1(&mut d, a, super::access::canonical_f32),
            DType::U32 | DType::I32 => map1(&mut d, a, |x| x),
            DType::Bool
            | DType::I4
            | DType::U4
            | DType::I8
            | DType::U8
            | DType::I16
            | DType::U16
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0
            | DType::F16
            | DType::BF16
            | DType::F64 => map1(&mut d, a, |x| eval::canonical(from, x.into()) as u32),
        }
        give(m, dst, d);
    }
}

/// Fills or copies all lanes; a word of the scalar file takes the first running lane.
fn copy(m: &mut Machine, dst: Slot, src: Slot, mask: &Mask) {
    fn lanes<W: File>(m: &mut Machine, dst: Slot, src: Slot) {
        let mut d = take::<W>(m, dst);
        match W::number(src) {
            Some(i) => d.copy_from_slice(&W::file(m)[i]),
            None => d.fill([W::down(m.lane(src, 0)); CHUNK]),
        }
        give(m, dst, d);
    }
    match dst {
        Slot::Scalar(word) => {
            m.scalars[word as usize] = m.lane(src, mask.first().unwrap_or(0));
        }
        Slot::Narrow(_) => lanes::<u32>(m, dst, src),
        Slot::Wide(_) => lanes::<u64>(m, dst, src),
    }
}

fn set(m: &mut Machine, dst: Slot, src: Slot, ends: bool, mask: &Mask) {
    fn lanes<W: File>(m: &mut Machine, dst: Slot, src: Slot, mask: &Mask) {
        let mut d = take::<W>(m, dst);
        let mut splat = [[W::default(); CHUNK]];
        let from = source(m, src, &mut splat);
        for (i, d) in d.iter_mut().enumerate() {
            let (running, from) = (mask.chunk(i), from.chunk(i));
            match running {
                u16::MAX => *d = *from,
                0 => {}
                _ => {
                    for j in 0..CHUNK {
                        d[j] = if running >> j & 1 == 1 { from[j] } else { d[j] };
                    }
                }
            }
        }
        give(m, dst, d);
    }
    match (dst, src) {
        (Slot::Narrow(a), Slot::Narrow(b)) if ends && mask.is_full() => {
            m.narrow.swap(a as usize, b as usize);
        }
        (Slot::Wide(a), Slot::Wide(b)) if ends && mask.is_full() => {
            m.wide.swap(a as usize, b as usize);
        }
        (Slot::Narrow(_), _) => lanes::<u32>(m, dst, src, mask),
        (Slot::Wide(_), _) => lanes::<u64>(m, dst, src, mask),
        (Slot::Scalar(_), _) => copy(m, dst, src, mask),
    }
}

fn id(m: &mut Machine, id: IdOp, dst: Slot) {
    let (size, group) = (m.program.kernel.group, m.group);
    let mut d = take::<u32>(m, dst);
    let along = |d: &mut Chunks<u32>, axis: usize, base: u32| {
        let local = m.local[axis].as_flattened();
        for (d, local) in d.as_flattened_mut().iter_mut().zip(local) {
            *d = local.wrapping_add(base);
        }
    };
    let base = |axis: usize| group[axis].wrapping_mul(size[axis]);
    let count = |d: &mut Chunks<u32>, of: fn(u32) -> u32| {
        for (thread, d) in d.as_flattened_mut().iter_mut().enumerate() {
            *d = of(thread as u32);
        }
    };
    match id {
        IdOp::GlobalX => along(&mut d, 0, base(0)),
        IdOp::GlobalY => along(&mut d, 1, base(1)),
        IdOp::GlobalZ => along(&mut d, 2, base(2)),
        IdOp::LocalX => along(&mut d, 0, 0),
        IdOp::LocalY => along(&mut d, 1, 0),
        IdOp::LocalZ => along(&mut d, 2, 0),
        IdOp::Thread => count(&mut d, |thread| thread),
        IdOp::Lane => count(&mut d, |thread| thread % 32),
        IdOp::SubgroupId => count(&mut d, |thread| thread / 32),
        IdOp::GroupX
        | IdOp::GroupY
        | IdOp::GroupZ
        | IdOp::GroupSizeX
        | IdOp::GroupSizeY
        | IdOp::GroupSizeZ
        | IdOp::GridX
        | IdOp::GridY
        | IdOp::GridZ
        | IdOp::Subgroups => unreachable!("these are words of the group"),
    }
    give(m, dst, d);
}

impl Machine<'_> {
    /// Computes a word of the scalar file.
    pub(super) fn scalar(&mut self, code: &Code) {
        let at = |word: &u32| self.scalars[*word as usize];
        let native = |x: Option<u64>| x.expect("legalize leaves native rows");
        let (value, dst) = match code {
            Code::Launch(value, dst) => (self.launch_value(*value), *dst),
            Code::Scalar(op, dst) => {
                let value = match op {
                    ScalarOp::Group(axis) => self.group[usize::from(*axis)].into(),
                    ScalarOp::Unary(op, d, a) => native(eval::unary(*op, *d, at(a))),
                    ScalarOp::Binary(op, d, a, b) => native(eval::binary(*op, *d, at(a), at(b))),
                    ScalarOp::Compare(op, d, a, b) => {
                        native(eval::compare(*op, *d, at(a), at(b)).map(u64::from))
                    }
                    ScalarOp::Fma(d, a, b, c) => native(eval::fma(*d, at(a), at(b), at(c))),
                    ScalarOp::Select(c, a, b) => {
                        if at(c) != 0 {
                            at(a)
                        } else {
                            at(b)
                        }
                    }
                    ScalarOp::Cast(from, to, a) => native(eval::cast(*from, *to, at(a))),
                    ScalarOp::Bitcast(from, to, a) => native(eval::bitcast(*from, *to, at(a))),
                };
                (value, *dst)
            }
            Code::Copy { .. }
            | Code::Id { .. }
            | Code::Unary { .. }
            | Code::Binary { .. }
            | Code::Compare { .. }
            | Code::Fma { .. }
            | Code::Select { .. }
            | Code::Cast { .. }
            | Code::Bitcast { .. }
            | Code::Load { .. }
            | Code::Store { .. }
            | Code::Set { .. }
            | Code::Update { .. }
            | Code::Shuffle { .. }
            | Code::Vote { .. }
            | Code::Reduce { .. }
            | Code::Matrix { .. }
            | Code::Wide { .. }
            | Code::GroupBroadcast { .. }
            | Code::Assert { .. }
            | Code::Print { .. } => unreachable!("only words are computed here"),
        };
        self.scalars[dst as usize] = value;
    }

    fn launch_value(&self, value: LaunchValue) -> u64 {
        let arg = |p: u32| &self.args[p as usize];
        match value {
            LaunchValue::Const(bits) => bits,
            LaunchValue::Scalar(p) => arg(p).scalar(),
            LaunchValue::Length(p) => arg(p).memory().1,
            LaunchValue::Extent(p, axis) => arg(p).layout().shape[usize::from(axis)].into(),
            LaunchValue::Stride(p, axis) => arg(p).layout().strides[usize::from(axis)],
            LaunchValue::Offset(p) => arg(p).layout().offset,
            LaunchValue::GroupSize(axis) => self.program.kernel.group[usize::from(axis)].into(),
            LaunchValue::Grid(axis) => self.grid[usize::from(axis)].into(),
            LaunchValue::Subgroups => (self.threads as u64).div_ceil(32),
        }
    }

    /// Assertions and prints.
    fn report(&mut self, inst: &Inst, mask: &Mask) -> Result<(), Stop> {
        if let Code::Assert { cond, text } = &inst.code
            && let Some(lane) = mask.lanes().find(|&lane| self.lane(*cond, lane) == 0)
        {
            let cause = FaultCause::Assert { text: text.to_string() };
            return Err(self.fault(inst.at, lane, cause));
        }
        if let Code::Print { text, values } = &inst.code {
            for lane in mask.lanes() {
                let words = values
                    .iter()
                    .map(|&(dtype, slot)| crate::cpu::print::show(dtype, self.lane(slot, lane)));
                let line = crate::cpu::print::fill(text, words);
                self.prints.push(format!("{}: {line}", self.place(lane)));
            }
        }
        Ok(())
    }
}
