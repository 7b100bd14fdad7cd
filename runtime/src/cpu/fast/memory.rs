//! Loads, stores and atomic updates: which memory, which width, which lanes.
#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    Array, Machine, Stop,
    access::{Bad, Cells, Index, Nibbles, Rows, canonical_f64, decode, encode, gather, scatter},
    lanes::{CHUNK, Chunks, Mask, Word},
    program::{Code, Inst, Slot, Target},
    run::{File, give, take},
};
use crate::{
    cpu::memory::{View, combine},
    error::{Access, FaultCause},
};
use evenweave_lang::{
    dtype::DType,
    eval,
    ir::{Op, Place},
};

/// Memory, the dtype of its elements, and the slot of the index.
pub(super) type At = (Target, DType, Slot);

const WIDTH: &str = "slots have the width of their dtype";

impl Machine<'_> {
    fn elems(&self, target: Target) -> u64 {
        match target {
            Target::Buffer(p) => self.args[p as usize].memory().1,
            Target::Shared(a) | Target::Private(a) => {
                self.program.kernel.arrays[a as usize].elems.into()
            }
        }
    }

    #[cold]
    fn bad(&self, inst: &Inst, access: Access, bad: Bad) -> Stop {
        let kernel = &self.program.kernel;
        let place = match &kernel[inst.at].op {
            Op::Load(place, _) | Op::Store(place, ..) | Op::Atomic(_, place, ..) => *place,
            Op::CompareExchange { at, .. } => *at,
            other => unreachable!("{other:?} touches no memory"),
        };
        let elems = match place {
            Place::Param(p) => self.args[p.index()].memory().1,
            Place::Array(a) => kernel.arrays[a.index()].elems.into(),
        };
        let name = kernel.place_name(place).into();
        let width = match &inst.code {
            Code::Load { dst, .. } => dst.len() as u8,
            Code::Store { src, .. } => src.len() as u8,
            _ => 1,
        };
        let Bad { lane, index } = bad;
        let cause = if index.checked_add(width.into()).is_none_or(|end| end > elems) {
            FaultCause::OutOfBounds { name, access, index, elems }
        } else {
            FaultCause::Misaligned { name, access, index, width }
        };
        self.fault(inst.at, lane, cause)
    }

    /// The first running lane whose vector of neighbours is not there.
    fn check_vector(&self, at: At, width: usize, mask: &Mask) -> Result<(), Bad> {
        let elems = self.elems(at.0);
        for lane in mask.lanes() {
            let index = self.lane(at.2, lane);
            let fits = index.checked_add(width as u64).is_some_and(|end| end <= elems);
            if !fits || !index.is_multiple_of(width as u64) {
                return Err(Bad { lane, index });
            }
        }
        Ok(())
    }
}

#[inline(always)]
pub(super) fn load(
    m: &mut Machine,
    inst: &Inst,
    at: At,
    dst: &[Slot],
    mask: &Mask,
) -> Result<(), Stop> {
    if dst.len() > 1
        && let Err(bad) = m.check_vector(at, dst.len(), mask)
    {
        return Err(m.bad(inst, Access::Read, bad));
    }
    for (offset, &dst) in dst.iter().enumerate() {
        let offset = offset as u64;
        let result = match dst {
            Slot::Scalar(word) => load_word(m, at, offset, mask).map(|x| {
                m.scalars[word as usize] = x;
            }),
            Slot::Narrow(_) => {
                let mut d = take::<u32>(m, dst);
                let result = load_narrow(m, at, offset, mask, &mut d);
                give(m, dst, d);
                result
            }
            Slot::Wide(_) => {
                let mut d = take::<u64>(m, dst);
                let result = load_wide(m, at, offset, mask, &mut d);
                give(m, dst, d);
                result
            }
        };
        if let Err(bad) = result {
            return Err(m.bad(inst, Access::Read, bad));
        }
    }
    Ok(())
}

/// One element that the whole group reads.
fn load_word(m: &Machine, (target, dtype, slot): At, offset: u64, mask: &Mask) -> Result<u64, Bad> {
    let lane = mask.first().unwrap_or(0);
    let index = m.lane(slot, lane);
    let i = index.wrapping_add(offset);
    if i >= m.elems(target) {
        return Err(Bad { lane, index });
    }
    let cell = i as usize * m.chunks + lane / CHUNK;
    let code = match target {
        Target::Buffer(p) => m.args[p as usize].memory().0.load(dtype.bits(), i),
        Target::Shared(a) | Target::Private(a) => match &m.arrays[a as usize] {
            Array::Shared32(cells) => cells[i as usize].into(),
            Array::Shared64(cells) => cells[i as usize],
            Array::Private32(cells) => cells[cell][lane % CHUNK].into(),
            Array::Private64(cells) => cells[cell][lane % CHUNK],
        },
    };
    Ok(eval::decode(dtype, code))
}

/// Runs `$body` with the lanes of an index as `$index`. A word of the scalar file goes to `$word`.
macro_rules! with_index {
    ($m:expr, $slot:expr, $offset:expr, |$index:ident| $body:expr, word $word:expr) => {
        match $slot {
            Slot::Narrow(i) => {
                let lanes = std::mem::take(&mut $m.narrow[i as usize]);
                let $index = Index { chunks: &lanes, offset: $offset };
                let result = $body;
                $m.narrow[i as usize] = lanes;
                result
            }
            Slot::Wide(i) => {
                let lanes = std::mem::take(&mut $m.wide[i as usize]);
                let $index = Index { chunks: &lanes, offset: $offset };
                let result = $body;
                $m.wide[i as usize] = lanes;
                result
            }
            Slot::Scalar(_) => $word,
        }
    };
}

#[inline(always)]
fn load_narrow(
    m: &mut Machine,
    at: At,
    offset: u64,
    mask: &Mask,
    dst: &mut [[u32; CHUNK]],
) -> Result<(), Bad> {
    let (target, dtype, slot) = at;
    with_index!(m, slot, offset, |index| {
        let result = gather_narrow(m, target, dtype, &index, mask, dst);
        decode(dtype, dst);
        result
    }, word {
        let x = load_word(m, at, offset, mask)?;
        let i = m.lane(slot, 0).wrapping_add(offset) as usize;
        let chunks = m.chunks;
        match target {
            Target::Private(a) => {
                if let Array::Private32(cells) = &mut m.arrays[a as usize] {
                    dst.copy_from_slice(Rows { cells, chunks }.row(i));
                }
            }
            Target::Buffer(_) | Target::Shared(_) => dst.fill([x as u32; CHUNK]),
        }
        Ok(())
    })
}

#[inline(always)]
fn gather_narrow<I: Word>(
    m: &mut Machine,
    target: Target,
    dtype: DType,
    index: &Index<I>,
    mask: &Mask,
    dst: &mut [[u32; CHUNK]],
) -> Result<(), Bad> {
    let chunks = m.chunks;
    match target {
        Target::Buffer(p) => {
            let (view, elems) = m.args[p as usize].memory();
            let elems = elems as usize;
            match view {
                View::Plain8(bytes) if dtype.bits() == 4 => {
                    gather(&Nibbles { bytes, elems }, index, mask, dst)
                }
                View::Shared8(bytes) if dtype.bits() == 4 => {
                    gather(&Nibbles { bytes, elems }, index, mask, dst)
                }
                View::Plain8(v) => gather(&v, index, mask, dst),
                View::Plain16(v) => gather(&v, index, mask, dst),
                View::Plain32(v) => gather(&v, index, mask, dst),
                View::Shared8(v) => gather(&v, index, mask, dst),
                View::Shared16(v) => gather(&v, index, mask, dst),
                View::Shared32(v) => gather(&v, index, mask, dst),
                View::Plain64(_) | View::Shared64(_) => unreachable!("{WIDTH}"),
            }
        }
        Target::Shared(a) | Target::Private(a) => match &mut m.arrays[a as usize] {
            Array::Shared32(cells) => gather(&Cells(cells), index, mask, dst),
            Array::Private32(cells) => Rows { cells, chunks }.gather(index, mask, dst),
            Array::Shared64(_) | Array::Private64(_) => unreachable!("{WIDTH}"),
        },
    }
}

#[inline(always)]
fn load_wide(
    m: &mut Machine,
    at: At,
    offset: u64,
    mask: &Mask,
    dst: &mut [[u64; CHUNK]],
) -> Result<(), Bad> {
    let (target, _, slot) = at;
    with_index!(m, slot, offset, |index| gather_wide(m, target, &index, mask, dst), word {
        let x = load_word(m, at, offset, mask)?;
        let i = m.lane(slot, 0).wrapping_add(offset) as usize;
        let chunks = m.chunks;
        match target {
            Target::Private(a) => {
                if let Array::Private64(cells) = &mut m.arrays[a as usize] {
                    dst.copy_from_slice(Rows { cells, chunks }.row(i));
                }
            }
            Target::Buffer(_) | Target::Shared(_) => dst.fill([x; CHUNK]),
        }
        Ok(())
    })
}

#[inline(always)]
fn gather_wide<I: Word>(
    m: &mut Machine,
    target: Target,
    index: &Index<I>,
    mask: &Mask,
    dst: &mut [[u64; CHUNK]],
) -> Result<(), Bad> {
    let chunks = m.chunks;
    match target {
        Target::Buffer(p) => match m.args[p as usize].memory().0 {
            View::Plain64(v) => gather(&v, index, mask, dst),
            View::Shared64(v) => gather(&v, index, mask, dst),
            View::Plain8(_)
            | View::Plain16(_)
            | View::Plain32(_)
            | View::Shared8(_)
            | View::Shared16(_)
            | View::Shared32(_) => unreachable!("{WIDTH}"),
        },
        Target::Shared(a) | Target::Private(a) => match &mut m.arrays[a as usize] {
            Array::Shared64(cells) => gather(&Cells(cells), index, mask, dst),
            Array::Private64(cells) => Rows { cells, chunks }.gather(index, mask, dst),
            Array::Shared32(_) | Array::Private32(_) => unreachable!("{WIDTH}"),
        },
    }
}

#[inline(always)]
pub(super) fn store(
    m: &mut Machine,
    inst: &Inst,
    at: At,
    src: &[Slot],
    mask: &Mask,
) -> Result<(), Stop> {
    if src.len() > 1
        && let Err(bad) = m.check_vector(at, src.len(), mask)
    {
        return Err(m.bad(inst, Access::Write, bad));
    }
    for (offset, &src) in src.iter().enumerate() {
        let offset = offset as u64;
        let result = match at.1.bits() {
            64 => store_wide(m, at, offset, src, mask),
            _ => store_narrow(m, at, offset, src, mask),
        };
        if let Err(bad) = result {
            return Err(m.bad(inst, Access::Write, bad));
        }
    }
    Ok(())
}

/// Takes the lanes of a source out of the machine; a word fills them. `put_back` returns them.
#[inline(always)]
fn take_source<W: File>(m: &mut Machine, src: Slot) -> Chunks<W> {
    match W::number(src) {
        Some(_) => take::<W>(m, src),
        None => vec![[W::down(m.lane(src, 0)); CHUNK]; m.chunks].into(),
    }
}

#[inline(always)]
fn put_back<W: File>(m: &mut Machine, src: Slot, lanes: Chunks<W>) {
    if W::number(src).is_some() {
        give(m, src, lanes);
    }
}

#[inline(always)]
fn store_narrow(m: &mut Machine, at: At, offset: u64, src: Slot, mask: &Mask) -> Result<(), Bad> {
    let (target, dtype, slot) = at;
    // The index may be the value too: its lanes are copied then.
    if slot == src {
        let (index, lanes) = (m.narrow_copy(slot), m.narrow_copy(src));
        return scatter_narrow(m, target, dtype, &Index { chunks: &index, offset }, mask, &lanes);
    }
    let lanes = take_source::<u32>(m, src);
    let result = with_index!(
        m,
        slot,
        offset,
        |index| scatter_narrow(m, target, dtype, &index, mask, &lanes),
        word {
            let splat = vec![[m.lane(slot, 0); CHUNK]; m.chunks];
            scatter_narrow(m, target, dtype, &Index { chunks: &splat, offset }, mask, &lanes)
        }
    );
    put_back(m, src, lanes);
    result
}

#[inline(always)]
fn scatter_narrow<I: Word>(
    m: &mut Machine,
    target: Target,
    dtype: DType,
    index: &Index<I>,
    mask: &Mask,
    lanes: &[[u32; CHUNK]],
) -> Result<(), Bad> {
    let chunks = m.chunks;
    let src = |c: usize| encode(dtype, &lanes[c]);
    match target {
        Target::Buffer(p) => {
            let (view, elems) = m.args[p as usize].memory();
            let elems = elems as usize;
            match view {
                View::Shared8(bytes) if dtype.bits() == 4 => {
                    scatter(&mut Nibbles { bytes, elems }, index, mask, src)
                }
                View::Shared8(mut v) => scatter(&mut v, index, mask, src),
                View::Shared16(mut v) => scatter(&mut v, index, mask, src),
                View::Shared32(mut v) => scatter(&mut v, index, mask, src),
                View::Plain8(_) | View::Plain16(_) | View::Plain32(_) | View::Plain64(_) => {
                    unreachable!("`verify` refuses stores to `In` parameters")
                }
                View::Shared64(_) => unreachable!("{WIDTH}"),
            }
        }
        Target::Shared(a) | Target::Private(a) => match &mut m.arrays[a as usize] {
            Array::Shared32(cells) => scatter(&mut Cells(cells), index, mask, src),
            Array::Private32(cells) => Rows { cells, chunks }.scatter(index, mask, src),
            Array::Shared64(_) | Array::Private64(_) => unreachable!("{WIDTH}"),
        },
    }
}

#[inline(always)]
fn store_wide(m: &mut Machine, at: At, offset: u64, src: Slot, mask: &Mask) -> Result<(), Bad> {
    let (target, dtype, slot) = at;
    if slot == src {
        let (index, lanes) = (m.wide_copy(slot), m.wide_copy(src));
        return scatter_wide(m, target, dtype, &Index { chunks: &index, offset }, mask, &lanes);
    }
    let lanes = take_source::<u64>(m, src);
    let result = with_index!(
        m,
        slot,
        offset,
        |index| scatter_wide(m, target, dtype, &index, mask, &lanes),
        word {
            let splat = vec![[m.lane(slot, 0); CHUNK]; m.chunks];
            scatter_wide(m, target, dtype, &Index { chunks: &splat, offset }, mask, &lanes)
        }
    );
    put_back(m, src, lanes);
    result
}

#[inline(always)]
fn scatter_wide<I: Word>(
    m: &mut Machine,
    target: Target,
    dtype: DType,
    index: &Index<I>,
    mask: &Mask,
    lanes: &[[u64; CHUNK]],
) -> Result<(), Bad> {
    let chunks = m.chunks;
    let src = |c: usize| match dtype {
        DType::F64 => lanes[c].map(canonical_f64),
        _ => lanes[c],
    };
    match target {
        Target::Buffer(p) => match m.args[p as usize].memory().0 {
            View::Shared64(mut v) => scatter(&mut v, index, mask, src),
            View::Plain8(_)
            | View::Plain16(_)
            | View::Plain32(_)
            | View::Plain64(_)
            | View::Shared8(_)
            | View::Shared16(_)
            | View::Shared32(_) => unreachable!("{WIDTH}"),
        },
        Target::Shared(a) | Target::Private(a) => match &mut m.arrays[a as usize] {
            Array::Shared64(cells) => scatter(&mut Cells(cells), index, mask, src),
            Array::Private64(cells) => Rows { cells, chunks }.scatter(index, mask, src),
            Array::Shared32(_) | Array::Private32(_) => unreachable!("{WIDTH}"),
        },
    }
}

/// Atomic updates, lane by lane in ascending order.
pub(super) fn update(m: &mut Machine, inst: &Inst, mask: &Mask) -> Result<(), Stop> {
    let (target, index, dst) = match &inst.code {
        Code::Atomic { target, index, dst, .. }
        | Code::CompareExchange { target, index, dst, .. } => (*target, *index, *dst),
        other => unreachable!("{other:?} is no atomic update"),
    };
    let elems = m.elems(target);
    for lane in mask.lanes() {
        let at = m.lane(index, lane);
        if at >= elems {
            return Err(m.bad(inst, Access::Atomic, Bad { lane, index: at }));
        }
        let old = match target {
            Target::Buffer(p) => {
                m.args[p as usize].memory().0.update(at, |old| m.replacement(&inst.code, lane, old))
            }
            Target::Shared(a) | Target::Private(a) => {
                let at = at as usize;
                let old = match &m.arrays[a as usize] {
                    Array::Shared32(cells) => cells[at].into(),
                    Array::Shared64(cells) => cells[at],
                    Array::Private32(_) | Array::Private64(_) => {
                        unreachable!("`verify` allows atomics of buffers and shared arrays")
                    }
                };
                if let Some(new) = m.replacement(&inst.code, lane, old) {
                    match &mut m.arrays[a as usize] {
                        Array::Shared32(cells) => cells[at] = new as u32,
                        Array::Shared64(cells) => cells[at] = new,
                        Array::Private32(_) | Array::Private64(_) => {
                            unreachable!("`verify` allows atomics of buffers and shared arrays")
                        }
                    }
                }
                old
            }
        };
        match dst {
            Slot::Narrow(slot) => m.narrow[slot as usize][lane / CHUNK][lane % CHUNK] = old as u32,
            Slot::Wide(slot) => m.wide[slot as usize][lane / CHUNK][lane % CHUNK] = old,
            Slot::Scalar(word) => m.scalars[word as usize] = old,
        }
    }
    Ok(())
}

impl Machine<'_> {
    /// What an atomic update puts in place of an old value; `None` leaves it.
    fn replacement(&self, code: &Code, lane: usize, old: u64) -> Option<u64> {
        match code {
            Code::Atomic { op, dtype, src, .. } => {
                Some(combine(*op, *dtype, old, self.lane(*src, lane)))
            }
            Code::CompareExchange { expected, src, .. } => {
                (old == self.lane(*expected, lane)).then(|| self.lane(*src, lane))
            }
            other => unreachable!("{other:?} is no atomic update"),
        }
    }

    fn narrow_copy(&self, slot: Slot) -> Chunks<u32> {
        let lane = |c: usize, j: usize| self.lane(slot, c * CHUNK + j) as u32;
        (0..self.chunks).map(|c| std::array::from_fn(|j| lane(c, j))).collect()
    }

    fn wide_copy(&self, slot: Slot) -> Chunks<u64> {
        let lane = |c: usize, j: usize| self.lane(slot, c * CHUNK + j);
        (0..self.chunks).map(|c| std::array::from_fn(|j| lane(c, j))).collect()
    }
}
