//! Loads and stores of lanes.
//!
//! Invariants
//! - Every index is checked against the element count; the first running lane that is out of bounds is named.
//! - Lanes store in ascending order: of two that name one element the later wins.
//! - Stored floats have one NaN.

use super::lanes::{CHUNK, Mask, Word};
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
    fn block(&self, i: usize) -> Option<[Self::Word; CHUNK]>;
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
            fn block(&self, i: usize) -> Option<[$word; CHUNK]> {
                let block: &[$t; CHUNK] = self.get(i..)?.first_chunk()?;
                Some(block.map(|x| x.into()))
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
            fn block(&self, i: usize) -> Option<[$word; CHUNK]> {
                let block: &[$atomic; CHUNK] = self.get(i..)?.first_chunk()?;
                Some(std::array::from_fn(|j| block[j].load(Relaxed).into()))
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
    fn block(&self, i: usize) -> Option<[W; CHUNK]> {
        self.0.get(i..)?.first_chunk().copied()
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
    fn block(&self, i: usize) -> Option<[u32; CHUNK]> {
        if i.checked_add(CHUNK)? > self.elems {
            return None;
        }
        Some(std::array::from_fn(|j| {
            u32::from(self.bytes[(i + j) / 2].byte() >> (4 * ((i + j) & 1)) & 0xf)
        }))
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

/// The indices of lanes: lanes of either width, plus the place of an element in a vector.
pub(super) struct Index<'a, I> {
    pub(super) chunks: &'a [[I; CHUNK]],
    pub(super) offset: u64,
}

impl<I: Word> Index<'_, I> {
    #[inline(always)]
    fn chunk(&self, i: usize) -> [u64; CHUNK] {
        self.chunks[i].map(|index| index.up().wrapping_add(self.offset))
    }
}

/// Whether the indices of a chunk are neighbours.
#[inline(always)]
fn is_run(index: &[u64; CHUNK]) -> bool {
    let mut differs = 0;
    for j in 0..CHUNK {
        differs |= index[j].wrapping_sub(index[0]) ^ j as u64;
    }
    differs == 0
}

#[inline(always)]
fn is_one(index: &[u64; CHUNK]) -> bool {
    let mut differs = 0;
    for i in index {
        differs |= i ^ index[0];
    }
    differs == 0
}

/// The first running lane of a chunk whose index is past the end.
#[cold]
fn blame(index: &[u64; CHUNK], len: usize, running: u16, chunk: usize) -> Bad {
    let out = |j: &usize| running >> j & 1 == 1 && index[*j] >= len as u64;
    let j = (0..CHUNK).find(out).unwrap_or(0);
    Bad { lane: chunk * CHUNK + j, index: index[j] }
}

/// Reads an element a lane.
#[inline(always)]
pub(super) fn gather<M: Readable, I: Word>(
    memory: &M,
    index: &Index<'_, I>,
    mask: &Mask,
    dst: &mut [[M::Word; CHUNK]],
) -> Result<(), Bad> {
    for (c, dst) in dst.iter_mut().enumerate() {
        let running = mask.chunk(c);
        if running == 0 {
            continue;
        }
        let index = index.chunk(c);
        if running == u16::MAX && is_run(&index) {
            let Some(block) = memory.block(index[0] as usize) else {
                return Err(blame(&index, memory.len(), running, c));
            };
            *dst = block;
        } else if running == u16::MAX && is_one(&index) {
            let Some(x) = memory.read(index[0] as usize) else {
                return Err(blame(&index, memory.len(), running, c));
            };
            *dst = [x; CHUNK];
        } else if running == u16::MAX {
            for j in 0..CHUNK {
                let Some(x) = memory.read(index[j] as usize) else {
                    return Err(blame(&index, memory.len(), running, c));
                };
                dst[j] = x;
            }
        } else {
            for j in 0..CHUNK {
                if running >> j & 1 == 1 {
                    let Some(x) = memory.read(index[j] as usize) else {
                        return Err(blame(&index, memory.len(), running, c));
                    };
                    dst[j] = x;
                }
            }
        }
    }
    Ok(())
}

/// Writes an element a lane.
#[inline(always)]
pub(super) fn scatter<M: Writable, I: Word>(
    memory: &mut M,
    index: &Index<'_, I>,
    mask: &Mask,
    src: impl Fn(usize) -> [M::Word; CHUNK],
) -> Result<(), Bad> {
    for c in 0..index.chunks.len() {
        let running = mask.chunk(c);
        if running == 0 {
            continue;
        }
        let (index, src) = (index.chunk(c), src(c));
        if running == u16::MAX && is_run(&index) {
            if !memory.write_block(index[0] as usize, &src) {
                return Err(blame(&index, memory.len(), running, c));
            }
            continue;
        }
        for j in 0..CHUNK {
            if running >> j & 1 == 1 && !memory.write(index[j] as usize, src[j]) {
                return Err(blame(&index, memory.len(), running, c));
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

impl<W: Word> Rows<'_, W> {
    fn elems(&self) -> usize {
        self.cells.len() / self.chunks
    }

    /// Reads an element a lane.
    #[inline(always)]
    pub(super) fn gather<I: Word>(
        &self,
        index: &Index<'_, I>,
        mask: &Mask,
        dst: &mut [[W; CHUNK]],
    ) -> Result<(), Bad> {
        for (c, dst) in dst.iter_mut().enumerate() {
            let (running, index) = (mask.chunk(c), index.chunk(c));
            for j in (0..CHUNK).filter(|j| running >> j & 1 == 1) {
                if index[j] >= self.elems() as u64 {
                    return Err(blame(&index, self.elems(), running, c));
                }
                dst[j] = self.cells[index[j] as usize * self.chunks + c][j];
            }
        }
        Ok(())
    }

    /// Writes an element a lane.
    #[inline(always)]
    pub(super) fn scatter<I: Word>(
        &mut self,
        index: &Index<'_, I>,
        mask: &Mask,
        src: impl Fn(usize) -> [W; CHUNK],
    ) -> Result<(), Bad> {
        for c in 0..self.chunks {
            let (running, index, src) = (mask.chunk(c), index.chunk(c), src(c));
            for j in (0..CHUNK).filter(|j| running >> j & 1 == 1) {
                if index[j] >= self.elems() as u64 {
                    return Err(blame(&index, self.elems(), running, c));
                }
                self.cells[index[j] as usize * self.chunks + c][j] = src[j];
            }
        }
        Ok(())
    }

    /// The lanes of one element.
    #[inline(always)]
    pub(super) fn row(&mut self, i: usize) -> &mut [[W; CHUNK]] {
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
pub(super) fn encode(dtype: DType, chunk: &[u32; CHUNK]) -> [u32; CHUNK] {
    let f = f32::from_bits;
    match dtype {
        DType::I4 => chunk.map(|x| storage::i32_to_i4(x as i32).into()),
        DType::U4 => chunk.map(|x| storage::u32_to_u4(x).into()),
        DType::F4E2M1 => chunk.map(|x| storage::f32_to_f4e2m1(f(x)).into()),
        DType::F8E4M3 => chunk.map(|x| storage::f32_to_f8e4m3(f(x)).into()),
        DType::F8E5M2 => chunk.map(|x| storage::f32_to_f8e5m2(f(x)).into()),
        DType::F8E8M0 => chunk.map(|x| storage::f32_to_f8e8m0(f(x)).into()),
        DType::F16 => chunk.map(|x| if x & 0x7fff > 0x7c00 { 0x7e00 } else { x }),
        DType::BF16 => chunk.map(|x| if x & 0x7fff > 0x7f80 { 0x7fc0 } else { x }),
        DType::F32 => chunk.map(canonical_f32),
        DType::Bool
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F64 => *chunk,
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
