//! Loads and stores of lanes.
//!
//! Invariants
//! - Every index is checked against the element count; the first running lane that is out of bounds is named.
//! - Lanes store in ascending order: of two that name one element the later wins.
//! - Stored floats have one NaN.

use super::lanes::{CHUNK, Chunks, Mask, Word};
use evenweave_lang::{
    dtype::DType,
    eval::{self, storage},
};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// A lane that is out of bounds, or whose vector index is no multiple of the width.
pub(super) struct Bad {
    pub(super) lane: usize,
    pub(super) index: u64,
}

/// Elements that lanes read.
pub(super) trait Readable {
    type Word: Word;
    /// Elements.
    fn len(&self) -> usize;
    fn read(&self, i: usize) -> Option<Self::Word>;
    /// 16 neighbours.
    fn block(&self, i: usize, dst: &mut [Self::Word; CHUNK]) -> Option<()>;
}

/// Elements that lanes write.
pub(super) trait Writable: Readable {
    /// Whether the element is there.
    fn write(&mut self, i: usize, x: Self::Word) -> bool;
    /// 16 neighbours.
    fn write_block(&mut self, i: usize, x: &[Self::Word; CHUNK]) -> bool;
}

macro_rules! plain {
    ($($t:ident $word:ident;)*) => { $(
        impl Readable for &[$t] {
            type Word = $word;
            #[inline(always)]
            fn len(&self) -> usize { <[$t]>::len(self) }
            #[inline(always)]
            fn read(&self, i: usize) -> Option<$word> { self.get(i).map(|&x| x.into()) }
            #[inline(always)]
            fn block(&self, i: usize, dst: &mut [$word; CHUNK]) -> Option<()> {
                let block: &[$t; CHUNK] = self.get(i..)?.first_chunk()?;
                for (dst, &x) in dst.iter_mut().zip(block) {
                    *dst = x.into();
                }
                Some(())
            }
        }
    )* };
}
plain! { u8 u32; u16 u32; u32 u32; u64 u64; }

macro_rules! atomic {
    ($($t:ident $atomic:ident $word:ident;)*) => { $(
        impl Readable for &[$atomic] {
            type Word = $word;
            #[inline(always)]
            fn len(&self) -> usize { <[$atomic]>::len(self) }
            #[inline(always)]
            fn read(&self, i: usize) -> Option<$word> { self.get(i).map(|x| x.load(Relaxed).into()) }
            #[inline(always)]
            fn block(&self, i: usize, dst: &mut [$word; CHUNK]) -> Option<()> {
                let block: &[$atomic; CHUNK] = self.get(i..)?.first_chunk()?;
                for (dst, cell) in dst.iter_mut().zip(block) {
                    *dst = cell.load(Relaxed).into();
                }
                Some(())
            }
        }
        impl Writable for &[$atomic] {
            #[inline(always)]
            fn write(&mut self, i: usize, x: $word) -> bool {
                self.get(i).map(|cell| cell.store(x as $t, Relaxed)).is_some()
            }
            #[inline(always)]
            fn write_block(&mut self, i: usize, x: &[$word; CHUNK]) -> bool {
                let Some(cells) = self.get(i..).and_then(|cells| cells.first_chunk::<CHUNK>()) else {
                    return false;
                };
                for j in 0..CHUNK {
                    cells[j].store(x[j] as $t, Relaxed);
                }
                true
            }
        }
    )* };
}
atomic! { u8 AtomicU8 u32; u16 AtomicU16 u32; u32 AtomicU32 u32; u64 AtomicU64 u64; }

/// A shared array.
pub(super) struct Cells<'a, W>(pub(super) &'a mut [W]);

impl<W: Word> Readable for Cells<'_, W> {
    type Word = W;
    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }
    #[inline(always)]
    fn read(&self, i: usize) -> Option<W> {
        self.0.get(i).copied()
    }
    #[inline(always)]
    fn block(&self, i: usize, dst: &mut [W; CHUNK]) -> Option<()> {
        *dst = *self.0.get(i..)?.first_chunk()?;
        Some(())
    }
}

impl<W: Word> Writable for Cells<'_, W> {
    #[inline(always)]
    fn write(&mut self, i: usize, x: W) -> bool {
        self.0.get_mut(i).map(|cell| *cell = x).is_some()
    }
    #[inline(always)]
    fn write_block(&mut self, i: usize, x: &[W; CHUNK]) -> bool {
        let cells = self.0.get_mut(i..).and_then(|cells| cells.first_chunk_mut::<CHUNK>());
        cells.map(|cells| *cells = *x).is_some()
    }
}

/// Nibbles, two in a byte; the count is apart since the last byte may hold one.
pub(super) struct Nibbles<'a, B> {
    pub(super) bytes: &'a [B],
    pub(super) elems: usize,
}

/// A byte that holds nibbles.
pub(super) trait NibbleByte {
    fn byte(&self) -> u8;
}

impl NibbleByte for u8 {
    #[inline(always)]
    fn byte(&self) -> u8 {
        *self
    }
}

impl NibbleByte for AtomicU8 {
    #[inline(always)]
    fn byte(&self) -> u8 {
        self.load(Relaxed)
    }
}

impl<B: NibbleByte> Readable for Nibbles<'_, B> {
    type Word = u32;
    #[inline(always)]
    fn len(&self) -> usize {
        self.elems
    }
    #[inline(always)]
    fn read(&self, i: usize) -> Option<u32> {
        (i < self.elems).then(|| u32::from(self.bytes[i / 2].byte() >> (4 * (i & 1)) & 0xf))
    }
    #[inline(always)]
    fn block(&self, i: usize, dst: &mut [u32; CHUNK]) -> Option<()> {
        if i.checked_add(CHUNK)? > self.elems {
            return None;
        }
        for (i, dst) in (i..).zip(dst) {
            *dst = u32::from(self.bytes[i / 2].byte() >> (4 * (i & 1)) & 0xf);
        }
        Some(())
    }
}

impl Writable for Nibbles<'_, AtomicU8> {
    #[inline(always)]
    fn write(&mut self, i: usize, x: u32) -> bool {
        if i < self.elems {
            crate::cpu::memory::store_nibble(&self.bytes[i / 2], i, x as u8);
        }
        i < self.elems
    }
    #[inline(always)]
    fn write_block(&mut self, i: usize, x: &[u32; CHUNK]) -> bool {
        if i.checked_add(CHUNK).is_none_or(|end| end > self.elems) {
            return false;
        }
        (0..CHUNK).for_each(|j| {
            self.write(i + j, x[j]);
        });
        true
    }
}

/// The indices of lanes.
pub(super) trait IndexWord: Word {
    /// Whether the indices of a chunk are neighbours.
    fn is_run(chunk: &[Self; CHUNK]) -> bool;
    /// Whether the indices of a chunk are one.
    fn is_one(chunk: &[Self; CHUNK]) -> bool;
}

macro_rules! index_word {
    ($($t:ident)*) => { $(
        impl IndexWord for $t {
            #[inline(always)]
            fn is_run(chunk: &[$t; CHUNK]) -> bool {
                let mut run = [chunk[0]; CHUNK];
                for j in 0..CHUNK {
                    run[j] = run[j].wrapping_add(j as $t);
                }
                run == *chunk && chunk[0] <= $t::MAX - CHUNK as $t
            }
            #[inline(always)]
            fn is_one(chunk: &[$t; CHUNK]) -> bool {
                [chunk[0]; CHUNK] == *chunk
            }
        }
    )* };
}
index_word! { u32 u64 }

/// The first running lane of a chunk whose index is past the end.
#[cold]
fn blame<I: Word>(index: &[I; CHUNK], len: usize, running: u16, chunk: usize) -> Bad {
    let out = |j: &usize| running >> j & 1 == 1 && index[*j].up() >= len as u64;
    let j = (0..CHUNK).find(out).unwrap_or(0);
    Bad { lane: chunk * CHUNK + j, index: index[j].up() }
}

/// Reads an element a lane.
#[inline(always)]
pub(super) fn gather<M: Readable, I: IndexWord>(
    memory: &M,
    index: &[[I; CHUNK]],
    mask: &Mask,
    dst: &mut [[M::Word; CHUNK]],
) -> Result<(), Bad> {
    for (c, (dst, index)) in dst.iter_mut().zip(index).enumerate() {
        let running = mask.chunk(c);
        let first = index[0].up() as usize;
        let fits = if running == u16::MAX && I::is_run(index) {
            memory.block(first, dst).is_some()
        } else if running == u16::MAX && I::is_one(index) {
            let x = memory.read(first);
            *dst = [x.unwrap_or_default(); CHUNK];
            x.is_some()
        } else {
            read_each(memory, index, running, dst)
        };
        if !fits {
            return Err(blame(index, memory.len(), running, c));
        }
    }
    Ok(())
}

/// Reads the running lanes of a chunk; whether all of them are there.
#[inline(always)]
fn read_each<M: Readable, I: IndexWord>(
    memory: &M,
    index: &[I; CHUNK],
    running: u16,
    dst: &mut [M::Word; CHUNK],
) -> bool {
    let mut fits = true;
    for (j, (dst, index)) in dst.iter_mut().zip(index).enumerate() {
        if running >> j & 1 == 1 {
            match memory.read(index.up() as usize) {
                Some(x) => *dst = x,
                None => fits = false,
            }
        }
    }
    fits
}

/// Writes an element a lane.
#[inline(always)]
pub(super) fn scatter<M: Writable, I: IndexWord>(
    memory: &mut M,
    index: &[[I; CHUNK]],
    mask: &Mask,
    src: impl Fn(usize, &mut [M::Word; CHUNK]),
) -> Result<(), Bad> {
    let mut codes = [M::Word::default(); CHUNK];
    for (c, index) in index.iter().enumerate() {
        let running = mask.chunk(c);
        if running == 0 {
            continue;
        }
        src(c, &mut codes);
        if running == u16::MAX && I::is_run(index) {
            if !memory.write_block(index[0].up() as usize, &codes) {
                return Err(blame(index, memory.len(), running, c));
            }
            continue;
        }
        for j in 0..CHUNK {
            if running >> j & 1 == 1 && !memory.write(index[j].up() as usize, codes[j]) {
                return Err(blame(index, memory.len(), running, c));
            }
        }
    }
    Ok(())
}

/// Reads a vector of neighbours a lane, one slot of lanes an element. The indices were checked.
#[inline(always)]
pub(super) fn gather_vectors<M: Readable, I: IndexWord>(
    memory: &M,
    index: &[[I; CHUNK]],
    mask: &Mask,
    dst: &mut [Chunks<M::Word>],
) {
    for (c, index) in index.iter().enumerate() {
        let running = mask.chunk(c);
        if running == u16::MAX && I::is_one(index) {
            for (e, dst) in dst.iter_mut().enumerate() {
                let x = memory.read(index[0].up() as usize + e);
                dst[c] = [x.unwrap_or_default(); CHUNK];
            }
            continue;
        }
        for j in 0..CHUNK {
            if running >> j & 1 == 1 {
                for (e, dst) in dst.iter_mut().enumerate() {
                    dst[c][j] = memory.read(index[j].up() as usize + e).unwrap_or_default();
                }
            }
        }
    }
}

/// The first running lane whose vector of neighbours is not there.
#[inline(always)]
pub(super) fn check_vectors<I: IndexWord>(
    index: &[[I; CHUNK]],
    elems: u64,
    width: u64,
    mask: &Mask,
) -> Result<(), Bad> {
    // Widths are powers of two.
    let is_bad =
        |i: u64| i.checked_add(width).is_none_or(|end| end > elems) || i & (width - 1) != 0;
    for (c, index) in index.iter().enumerate() {
        let running = mask.chunk(c);
        if running == u16::MAX {
            // A power of two divides all where it divides their union.
            let (mut union, mut most) = (0, 0);
            for i in index {
                union |= i.up();
                most = most.max(i.up());
            }
            if !is_bad(most) && union & (width - 1) == 0 {
                continue;
            }
        }
        for j in (0..CHUNK).filter(|j| running >> j & 1 == 1) {
            if is_bad(index[j].up()) {
                return Err(Bad { lane: c * CHUNK + j, index: index[j].up() });
            }
        }
    }
    Ok(())
}

/// The cells of a private array: chunks of element 0, then of element 1, and so on.
pub(super) struct Rows<'a, W> {
    pub(super) cells: &'a mut [[W; CHUNK]],
    /// Chunks of one element.
    pub(super) chunks: usize,
}

impl<'a, W: Word> Rows<'a, W> {
    fn elems(&self) -> usize {
        self.cells.len() / self.chunks
    }

    /// Reads an element a lane.
    #[inline(always)]
    pub(super) fn gather<I: IndexWord>(
        &self,
        index: &[[I; CHUNK]],
        mask: &Mask,
        dst: &mut [[W; CHUNK]],
    ) -> Result<(), Bad> {
        for (c, (dst, index)) in dst.iter_mut().zip(index).enumerate() {
            let running = mask.chunk(c);
            for j in (0..CHUNK).filter(|j| running >> j & 1 == 1) {
                if index[j].up() >= self.elems() as u64 {
                    return Err(blame(index, self.elems(), running, c));
                }
                dst[j] = self.cells[index[j].up() as usize * self.chunks + c][j];
            }
        }
        Ok(())
    }

    /// Writes an element a lane.
    #[inline(always)]
    pub(super) fn scatter<I: IndexWord>(
        &mut self,
        index: &[[I; CHUNK]],
        mask: &Mask,
        src: impl Fn(usize, &mut [W; CHUNK]),
    ) -> Result<(), Bad> {
        let mut codes = [W::default(); CHUNK];
        for (c, index) in index.iter().enumerate() {
            let running = mask.chunk(c);
            if running == 0 {
                continue;
            }
            src(c, &mut codes);
            for j in (0..CHUNK).filter(|j| running >> j & 1 == 1) {
                if index[j].up() >= self.elems() as u64 {
                    return Err(blame(index, self.elems(), running, c));
                }
                self.cells[index[j].up() as usize * self.chunks + c][j] = codes[j];
            }
        }
        Ok(())
    }

    /// The lanes of one element.
    #[inline(always)]
    pub(super) fn into_row(self, i: usize) -> &'a mut [[W; CHUNK]] {
        &mut self.cells[i * self.chunks..(i + 1) * self.chunks]
    }
}

/// Codes of a storage dtype to values, in place.
#[inline(always)]
pub(super) fn decode(dtype: DType, lanes: &mut [[u32; CHUNK]]) {
    macro_rules! all {
        (|$x:ident| $value:expr) => {
            for chunk in lanes {
                for j in 0..CHUNK {
                    let $x = chunk[j];
                    chunk[j] = $value;
                }
            }
        };
    }
    match dtype {
        DType::Bool => all!(|x| u32::from(x != 0)),
        DType::I4 => all!(|x| storage::i4_to_i32(x as u8) as u32),
        DType::F4E2M1 => all!(|x| storage::f4e2m1_to_f32(x as u8).to_bits()),
        DType::F8E4M3 => all!(|x| storage::f8e4m3_to_f32(x as u8).to_bits()),
        DType::F8E5M2 => all!(|x| storage::f8e5m2_to_f32(x as u8).to_bits()),
        DType::F8E8M0 => all!(|x| storage::f8e8m0_to_f32(x as u8).to_bits()),
        DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F16
        | DType::BF16
        | DType::F32
        | DType::F64 => {}
    }
}

/// Values to the codes that a store writes.
#[inline(always)]
pub(super) fn encode(dtype: DType, from: &[u32; CHUNK], to: &mut [u32; CHUNK]) {
    macro_rules! all {
        (|$x:ident| $value:expr) => {
            for j in 0..CHUNK {
                let $x = from[j];
                to[j] = $value;
            }
        };
    }
    let f = f32::from_bits;
    match dtype {
        DType::I4 => all!(|x| storage::i32_to_i4(x as i32).into()),
        DType::U4 => all!(|x| storage::u32_to_u4(x).into()),
        DType::F4E2M1 => all!(|x| storage::f32_to_f4e2m1(f(x)).into()),
        DType::F8E4M3 => all!(|x| storage::f32_to_f8e4m3(f(x)).into()),
        DType::F8E5M2 => all!(|x| storage::f32_to_f8e5m2(f(x)).into()),
        DType::F8E8M0 => all!(|x| storage::f32_to_f8e8m0(f(x)).into()),
        DType::F16 => all!(|x| if x & 0x7fff > 0x7c00 { 0x7e00 } else { x }),
        DType::BF16 => all!(|x| if x & 0x7fff > 0x7f80 { 0x7fc0 } else { x }),
        DType::F32 => all!(|x| canonical_f32(x)),
        DType::Bool
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F64 => *to = *from,
    }
}

#[inline(always)]
pub(super) fn canonical_f32(x: u32) -> u32 {
    if x & 0x7fff_ffff > 0x7f80_0000 { 0x7fc0_0000 } else { x }
}

#[inline(always)]
pub(super) fn canonical_f64(x: u64) -> u64 {
    eval::canonical(DType::F64, x)
}
