//! Loads, stores and atomic updates: which memory, which width, which lanes.
#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    Array, Machine, Stop,
    access::{
        Bad, Cells, IndexWord, Nibbles, Rows, canonical_f64, check_vectors, decode, encode, gather,
        gather_vectors, scatter,
    },
    lanes::{CHUNK, Chunks, Mask, Source},
    program::{Inst, Slot, Target, Update},
    run::{File, give, take},
};
use crate::{
    cpu::memory::{View, combine},
    error::{Access, FaultCause},
};
use evenweave_lang::{dtype::DType, eval, ir::Place};

/// Memory, the dtype of its elements, and the slot of the index.
pub(super) type At = (Target, DType, Slot);

/// Runs `$body` with the lanes of an index as `$index`, or `$word` where it is a word of the scalar file.
macro_rules! with_index {
    ($m:expr, $slot:expr, |$index:ident| $body:expr, word $word:expr) => {
        match $slot {
            Slot::Narrow(i) => {
                let lanes = std::mem::take(&mut $m.narrow[i as usize]);
                let $index = &*lanes;
                let result = $body;
                $m.narrow[i as usize] = lanes;
                result
            }
            Slot::Wide(i) => {
                let lanes = std::mem::take(&mut $m.wide[i as usize]);
                let $index = &*lanes;
                let result = $body;
                $m.wide[i as usize] = lanes;
                result
            }
            Slot::Scalar(_) => $word,
        }
    };
}

/// Elements of the longest vector.
const MOST_ELEMENTS: usize = 16;
const WIDTH: &str = "slots have the width of their dtype";
const VECTORS: &str = "vectors of private arrays are loaded one by one";

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
    fn bad(&self, inst: &Inst, access: Access, width: usize, bad: Bad) -> Stop {
        let kernel = &self.program.kernel;
        let place = kernel[inst.at].op.place().expect("only what touches memory is out of bounds");
        let elems = match place {
            Place::Param(p) => self.args[p.index()].memory().1,
            Place::Array(a) => kernel.arrays[a.index()].elems.into(),
        };
        let (name, width) = (kernel.place_name(place).into(), width as u8);
        let Bad { lane, index } = bad;
        let cause = if index.checked_add(width.into()).is_none_or(|end| end > elems) {
            FaultCause::OutOfBounds { name, access, index, elems }
        } else {
            FaultCause::Misaligned { name, access, index, width }
        };
        self.fault(inst.at, lane, cause)
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
    let result = match *dst {
        [Slot::Narrow(_)] => {
            let mut d = take::<u32>(m, dst[0]);
            let result = load_narrow(m, at, mask, &mut d);
            give(m, dst[0], d);
            result
        }
        [Slot::Wide(_)] => {
            let mut d = take::<u64>(m, dst[0]);
            let result = load_wide(m, at, mask, &mut d);
            give(m, dst[0], d);
            result
        }
        [Slot::Scalar(word)] => load_word(m, at, mask).map(|x| m.scalars[word as usize] = x),
        _ => load_vectors(m, at, dst, mask),
    };
    result.map_err(|bad| m.bad(inst, Access::Read, dst.len(), bad))
}

/// Checks the indices of vectors.
#[inline(always)]
fn check(m: &mut Machine, at: At, width: usize, mask: &Mask) -> Result<(), Bad> {
    let (target, _, slot) = at;
    let (elems, width) = (m.elems(target), width as u64);
    with_index!(m, slot, |index| check_vectors(index, elems, width, mask), word {
        let index = [[m.lane(slot, 0); CHUNK]];
        check_vectors(&index, elems, width, &m.all).map_err(|bad| {
            Bad { lane: mask.first().unwrap_or(0), ..bad }
        })
    })
}

#[inline(always)]
fn load_vectors(m: &mut Machine, at: At, dst: &[Slot], mask: &Mask) -> Result<(), Bad> {
    let (target, dtype, slot) = at;
    check(m, at, dst.len(), mask)?;
    match (target, slot, dst[0]) {
        (Target::Private(_), ..) | (_, Slot::Scalar(_), _) | (.., Slot::Scalar(_)) => {
            load_each(m, at, dst, mask);
            Ok(())
        }
        _ if dtype.bits() == 4 => {
            load_each(m, at, dst, mask);
            Ok(())
        }
        (.., Slot::Wide(_)) => {
            let mut lanes: [Chunks<u64>; MOST_ELEMENTS] = Default::default();
            let lanes = &mut lanes[..dst.len()];
            lanes.iter_mut().zip(dst).for_each(|(lanes, &d)| *lanes = take(m, d));
            with_index!(
                m,
                slot,
                |index| gather_vectors_wide(m, target, index, mask, lanes),
                word {}
            );
            lanes.iter_mut().zip(dst).for_each(|(lanes, &d)| give(m, d, std::mem::take(lanes)));
            Ok(())
        }
        (.., Slot::Narrow(_)) => {
            let mut lanes: [Chunks<u32>; MOST_ELEMENTS] = Default::default();
            let lanes = &mut lanes[..dst.len()];
            lanes.iter_mut().zip(dst).for_each(|(lanes, &d)| *lanes = take(m, d));
            with_index!(
                m,
                slot,
                |index| gather_vectors_narrow(m, target, index, mask, lanes),
                word {}
            );
            lanes.iter_mut().for_each(|lanes| decode(dtype, lanes));
            lanes.iter_mut().zip(dst).for_each(|(lanes, &d)| give(m, d, std::mem::take(lanes)));
            Ok(())
        }
    }
}

/// Vectors element by element and lane by lane. The indices were checked.
fn load_each(m: &mut Machine, at: At, dst: &[Slot], mask: &Mask) {
    let (target, dtype, slot) = at;
    for lane in mask.lanes() {
        for (offset, &dst) in dst.iter().enumerate() {
            let code = m.element(target, dtype, m.lane(slot, lane) + offset as u64, lane);
            m.set_lane(dst, lane, eval::decode(dtype, code));
        }
    }
}

#[inline(always)]
fn gather_vectors_narrow<I: IndexWord>(
    m: &mut Machine,
    target: Target,
    index: &[[I; CHUNK]],
    mask: &Mask,
    dst: &mut [Chunks<u32>],
) {
    match target {
        Target::Buffer(p) => {
            let (view, _) = m.args[p as usize].memory();
            match view {
                View::Plain8(v) => gather_vectors(&v, index, mask, dst),
                View::Plain16(v) => gather_vectors(&v, index, mask, dst),
                View::Plain32(v) => gather_vectors(&v, index, mask, dst),
                View::Shared8(v) => gather_vectors(&v, index, mask, dst),
                View::Shared16(v) => gather_vectors(&v, index, mask, dst),
                View::Shared32(v) => gather_vectors(&v, index, mask, dst),
                View::Plain64(_) | View::Shared64(_) => unreachable!("{WIDTH}"),
            }
        }
        Target::Shared(a) | Target::Private(a) => match &mut m.arrays[a as usize] {
            Array::Shared32(cells) => gather_vectors(&Cells(cells), index, mask, dst),
            Array::Private32(_) | Array::Shared64(_) | Array::Private64(_) => {
                unreachable!("{VECTORS}")
            }
        },
    }
}

#[inline(always)]
fn gather_vectors_wide<I: IndexWord>(
    m: &mut Machine,
    target: Target,
    index: &[[I; CHUNK]],
    mask: &Mask,
    dst: &mut [Chunks<u64>],
) {
    match target {
        Target::Buffer(p) => match m.args[p as usize].memory().0 {
            View::Plain64(v) => gather_vectors(&v, index, mask, dst),
            View::Shared64(v) => gather_vectors(&v, index, mask, dst),
            View::Plain8(_)
            | View::Plain16(_)
            | View::Plain32(_)
            | View::Shared8(_)
            | View::Shared16(_)
            | View::Shared32(_) => unreachable!("{WIDTH}"),
        },
        Target::Shared(a) | Target::Private(a) => match &mut m.arrays[a as usize] {
            Array::Shared64(cells) => gather_vectors(&Cells(cells), index, mask, dst),
            Array::Shared32(_) | Array::Private32(_) | Array::Private64(_) => {
                unreachable!("{VECTORS}")
            }
        },
    }
}

/// One element that the whole group reads.
fn load_word(m: &Machine, (target, dtype, slot): At, mask: &Mask) -> Result<u64, Bad> {
    let lane = mask.first().unwrap_or(0);
    let index = m.lane(slot, lane);
    if index >= m.elems(target) {
        return Err(Bad { lane, index });
    }
    Ok(eval::decode(dtype, m.element(target, dtype, index, lane)))
}

#[inline(always)]
fn load_narrow(m: &mut Machine, at: At, mask: &Mask, dst: &mut [[u32; CHUNK]]) -> Result<(), Bad> {
    let (target, dtype, slot) = at;
    with_index!(m, slot, |index| {
        let result = gather_narrow(m, target, dtype, index, mask, dst);
        decode(dtype, dst);
        result
    }, word {
        let x = load_word(m, at, mask)?;
        let i = m.lane(slot, 0) as usize;
        let chunks = m.chunks;
        match target {
            Target::Private(a) => {
                if let Array::Private32(cells) = &mut m.arrays[a as usize] {
                    dst.copy_from_slice(Rows { cells, chunks }.into_row(i));
                }
            }
            Target::Buffer(_) | Target::Shared(_) => dst.fill([x as u32; CHUNK]),
        }
        Ok(())
    })
}

#[inline(always)]
fn gather_narrow<I: IndexWord>(
    m: &mut Machine,
    target: Target,
    dtype: DType,
    index: &[[I; CHUNK]],
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
fn load_wide(m: &mut Machine, at: At, mask: &Mask, dst: &mut [[u64; CHUNK]]) -> Result<(), Bad> {
    let (target, _, slot) = at;
    with_index!(m, slot, |index| gather_wide(m, target, index, mask, dst), word {
        let x = load_word(m, at, mask)?;
        let i = m.lane(slot, 0) as usize;
        let chunks = m.chunks;
        match target {
            Target::Private(a) => {
                if let Array::Private64(cells) = &mut m.arrays[a as usize] {
                    dst.copy_from_slice(Rows { cells, chunks }.into_row(i));
                }
            }
            Target::Buffer(_) | Target::Shared(_) => dst.fill([x; CHUNK]),
        }
        Ok(())
    })
}

#[inline(always)]
fn gather_wide<I: IndexWord>(
    m: &mut Machine,
    target: Target,
    index: &[[I; CHUNK]],
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
    let result = match *src {
        [src] if at.1.bits() == 64 => store_wide(m, at, src, mask),
        [src] => store_narrow(m, at, src, mask),
        _ => store_vectors(m, at, src, mask),
    };
    result.map_err(|bad| m.bad(inst, Access::Write, src.len(), bad))
}

/// Vectors lane by lane.
fn store_vectors(m: &mut Machine, at: At, src: &[Slot], mask: &Mask) -> Result<(), Bad> {
    let (target, dtype, slot) = at;
    check(m, at, src.len(), mask)?;
    for lane in mask.lanes() {
        for (offset, &src) in src.iter().enumerate() {
            let code = eval::encode(dtype, m.lane(src, lane));
            m.set_element(target, dtype, m.lane(slot, lane) + offset as u64, lane, code);
        }
    }
    Ok(())
}

/// The lanes of a source, taken out of the machine: a slot, a copy where it is the index too, or a word.
struct Taken<W> {
    lanes: Chunks<W>,
    splat: [[W; CHUNK]; 1],
}

impl<W: File> Taken<W> {
    #[inline(always)]
    fn new(m: &mut Machine, src: Slot, index: Slot) -> Taken<W> {
        let splat = [[W::default(); CHUNK]];
        match W::number(src) {
            Some(i) if src == index => Taken { lanes: W::file(m)[i].clone(), splat },
            Some(_) => Taken { lanes: take::<W>(m, src), splat },
            None => Taken { lanes: Chunks::default(), splat: [[W::down(m.lane(src, 0)); CHUNK]] },
        }
    }

    #[inline(always)]
    fn source(&self) -> Source<'_, W> {
        if self.lanes.is_empty() {
            Source { chunks: &self.splat, stride: 0 }
        } else {
            Source { chunks: &self.lanes, stride: 1 }
        }
    }

    #[inline(always)]
    fn put_back(self, m: &mut Machine, src: Slot) {
        if !self.lanes.is_empty() {
            give(m, src, self.lanes);
        }
    }
}

/// One element that the group writes: the last running lane wins.
fn store_word(m: &mut Machine, at: At, src: Slot, mask: &Mask) -> Result<(), Bad> {
    let (target, dtype, slot) = at;
    let index = m.lane(slot, 0);
    if index >= m.elems(target) {
        return Err(Bad { lane: mask.first().unwrap_or(0), index });
    }
    // Private arrays have an element a lane.
    for lane in mask.lanes() {
        let code = eval::encode(dtype, m.lane(src, lane));
        m.set_element(target, dtype, index, lane, code);
    }
    Ok(())
}

#[inline(always)]
fn store_narrow(m: &mut Machine, at: At, src: Slot, mask: &Mask) -> Result<(), Bad> {
    let (target, dtype, slot) = at;
    if let (Target::Private(a), Slot::Scalar(_), true) = (target, slot, mask.is_full()) {
        let (i, elems) = (m.lane(slot, 0), m.elems(target));
        if i >= elems {
            return Err(Bad { lane: 0, index: i });
        }
        let taken = Taken::<u32>::new(m, src, slot);
        let chunks = m.chunks;
        if let Array::Private32(cells) = &mut m.arrays[a as usize] {
            let row = Rows { cells, chunks };
            for (c, cell) in row.into_row(i as usize).iter_mut().enumerate() {
                encode(dtype, taken.source().chunk(c), cell);
            }
        }
        taken.put_back(m, src);
        return Ok(());
    }
    if let Slot::Scalar(_) = slot {
        return store_word(m, at, src, mask);
    }
    let taken = Taken::<u32>::new(m, src, slot);
    let lanes = taken.source();
    let result = with_index!(
        m,
        slot,
        |index| scatter_narrow(m, target, dtype, index, mask, lanes),
        word { Ok(()) }
    );
    taken.put_back(m, src);
    result
}

#[inline(always)]
fn scatter_narrow<I: IndexWord>(
    m: &mut Machine,
    target: Target,
    dtype: DType,
    index: &[[I; CHUNK]],
    mask: &Mask,
    lanes: Source<u32>,
) -> Result<(), Bad> {
    let chunks = m.chunks;
    let src = |c: usize, codes: &mut [u32; CHUNK]| encode(dtype, lanes.chunk(c), codes);
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
fn store_wide(m: &mut Machine, at: At, src: Slot, mask: &Mask) -> Result<(), Bad> {
    let (target, dtype, slot) = at;
    if let Slot::Scalar(_) = slot {
        return store_word(m, at, src, mask);
    }
    let taken = Taken::<u64>::new(m, src, slot);
    let lanes = taken.source();
    let result = with_index!(
        m,
        slot,
        |index| scatter_wide(m, target, dtype, index, mask, lanes),
        word { Ok(()) }
    );
    taken.put_back(m, src);
    result
}

#[inline(always)]
fn scatter_wide<I: IndexWord>(
    m: &mut Machine,
    target: Target,
    dtype: DType,
    index: &[[I; CHUNK]],
    mask: &Mask,
    lanes: Source<u64>,
) -> Result<(), Bad> {
    let chunks = m.chunks;
    let src = |c: usize, codes: &mut [u64; CHUNK]| {
        let lanes = lanes.chunk(c);
        for j in 0..CHUNK {
            codes[j] = if dtype == DType::F64 { canonical_f64(lanes[j]) } else { lanes[j] };
        }
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

/// Atomic updates, lane by lane in ascending order: memory, index, destination.
pub(super) fn update(
    m: &mut Machine,
    inst: &Inst,
    what: Update,
    (target, index, dst): (Target, Slot, Slot),
    mask: &Mask,
) -> Result<(), Stop> {
    let elems = m.elems(target);
    for lane in mask.lanes() {
        let at = m.lane(index, lane);
        if at >= elems {
            return Err(m.bad(inst, Access::Atomic, 1, Bad { lane, index: at }));
        }
        let old = match target {
            Target::Buffer(p) => {
                m.args[p as usize].memory().0.update(at, |old| m.replacement(what, lane, old))
            }
            Target::Shared(_) | Target::Private(_) => {
                let dtype = DType::U64;
                let old = m.element(target, dtype, at, lane);
                if let Some(new) = m.replacement(what, lane, old) {
                    m.set_element(target, dtype, at, lane, new);
                }
                old
            }
        };
        m.set_lane(dst, lane, old);
    }
    Ok(())
}

impl Machine<'_> {
    /// What an atomic update puts in place of an old value; `None` leaves it.
    fn replacement(&self, what: Update, lane: usize, old: u64) -> Option<u64> {
        match what {
            Update::Combine { op, dtype, src } => {
                Some(combine(op, dtype, old, self.lane(src, lane)))
            }
            Update::Exchange { expected, src } => {
                (old == self.lane(expected, lane)).then(|| self.lane(src, lane))
            }
        }
    }

    /// The code of an element that is there.
    fn element(&self, target: Target, dtype: DType, i: u64, lane: usize) -> u64 {
        let cell = i as usize * self.chunks + lane / CHUNK;
        match target {
            Target::Buffer(p) => self.args[p as usize].memory().0.load(dtype.bits(), i),
            Target::Shared(a) | Target::Private(a) => match &self.arrays[a as usize] {
                Array::Shared32(cells) => cells[i as usize].into(),
                Array::Shared64(cells) => cells[i as usize],
                Array::Private32(cells) => cells[cell][lane % CHUNK].into(),
                Array::Private64(cells) => cells[cell][lane % CHUNK],
            },
        }
    }

    /// Writes the code of an element that is there.
    fn set_element(&mut self, target: Target, dtype: DType, i: u64, lane: usize, code: u64) {
        let cell = i as usize * self.chunks + lane / CHUNK;
        match target {
            Target::Buffer(p) => self.args[p as usize].memory().0.store(dtype.bits(), i, code),
            Target::Shared(a) | Target::Private(a) => match &mut self.arrays[a as usize] {
                Array::Shared32(cells) => cells[i as usize] = code as u32,
                Array::Shared64(cells) => cells[i as usize] = code,
                Array::Private32(cells) => cells[cell][lane % CHUNK] = code as u32,
                Array::Private64(cells) => cells[cell][lane % CHUNK] = code,
            },
        }
    }

    fn set_lane(&mut self, slot: Slot, lane: usize, bits: u64) {
        let (chunk, at) = (lane / CHUNK, lane % CHUNK);
        match slot {
            Slot::Scalar(word) => self.scalars[word as usize] = bits,
            Slot::Narrow(slot) => self.narrow[slot as usize][chunk][at] = bits as u32,
            Slot::Wide(slot) => self.wide[slot as usize][chunk][at] = bits,
        }
    }
}
