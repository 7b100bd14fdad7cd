//! Lanes in chunks of 16, and which of them run.
//!
//! Invariants
//! - Slots have whole chunks. Lanes past the group's threads are in no mask; what they compute is never seen.

/// Lanes of a chunk.
pub(super) const CHUNK: usize = 16;
/// Chunks of the largest group.
const MOST_CHUNKS: usize = evenweave_lang::ir::MAX_GROUP_THREADS as usize / CHUNK;

/// The lanes of one slot.
pub(super) type Chunks<W> = Box<[[W; CHUNK]]>;

/// The bits of a lane: `u32` or `u64`.
pub(super) trait Word: Copy + Default + Eq + Ord + 'static {
    fn up(self) -> u64;
    fn down(bits: u64) -> Self;
}

impl Word for u32 {
    #[inline(always)]
    fn up(self) -> u64 {
        self.into()
    }
    #[inline(always)]
    fn down(bits: u64) -> u32 {
        bits as u32
    }
}

impl Word for u64 {
    #[inline(always)]
    fn up(self) -> u64 {
        self
    }
    #[inline(always)]
    fn down(bits: u64) -> u64 {
        bits
    }
}

/// Source lanes: a slot, or one chunk that stands for all of them.
#[derive(Clone, Copy)]
pub(super) struct Source<'a, W> {
    pub(super) chunks: &'a [[W; CHUNK]],
    /// 1, or 0 where the first chunk stands for all.
    pub(super) stride: usize,
}

impl<'a, W: Copy> Source<'a, W> {
    #[inline(always)]
    pub(super) fn chunk(&self, i: usize) -> &'a [W; CHUNK] {
        &self.chunks[i * self.stride]
    }
}

/// Which lanes run: a bit a lane, a word a chunk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mask {
    bits: [u16; MOST_CHUNKS],
    count: u16,
    full: bool,
}

impl Mask {
    /// All of so many threads.
    pub(super) fn all(threads: usize) -> Mask {
        let mut bits = [0; MOST_CHUNKS];
        for (i, bits) in bits.iter_mut().enumerate().take(threads.div_ceil(CHUNK)) {
            let here = (threads - i * CHUNK).min(CHUNK);
            *bits = (u32::MAX >> (32 - here)) as u16;
        }
        Mask { bits, count: threads.div_ceil(CHUNK) as u16, full: true }
    }

    pub(super) fn none(self) -> Mask {
        Mask { bits: [0; MOST_CHUNKS], full: false, ..self }
    }

    /// Whether every thread of the group runs.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bits[..usize::from(self.count)].iter().all(|&b| b == 0)
    }

    #[inline(always)]
    pub(super) fn chunk(&self, i: usize) -> u16 {
        self.bits[i]
    }

    pub(super) fn has(&self, lane: usize) -> bool {
        self.bits[lane / CHUNK] >> (lane % CHUNK) & 1 == 1
    }

    /// The lanes that also have a bit in `f` of their chunk. `all` is the mask of the whole group.
    pub(super) fn filter(&self, all: &Mask, mut f: impl FnMut(usize) -> u16) -> Mask {
        let mut out = *self;
        for (i, bits) in out.bits.iter_mut().enumerate().take(usize::from(self.count)) {
            *bits &= f(i);
        }
        out.full = out.bits == all.bits;
        out
    }

    pub(super) fn join(&self, other: &Mask, all: &Mask) -> Mask {
        let mut out = *self;
        for (a, b) in out.bits.iter_mut().zip(&other.bits) {
            *a |= b;
        }
        out.full = out.bits == all.bits;
        out
    }

    /// The lanes of this mask that are not in the other.
    pub(super) fn without(&self, other: &Mask, all: &Mask) -> Mask {
        self.filter(all, |i| !other.bits[i])
    }

    /// The running lanes, ascending.
    pub(super) fn lanes(&self) -> impl Iterator<Item = usize> + use<'_> {
        (0..usize::from(self.count) * CHUNK).filter(|&lane| self.has(lane))
    }

    pub(super) fn first(&self) -> Option<usize> {
        self.lanes().next()
    }
}

/// A bit for each lane of a chunk that is true.
#[inline(always)]
pub(super) fn bits_of(chunk: &[u32; CHUNK]) -> u16 {
    let mut bits = 0;
    for (i, &x) in chunk.iter().enumerate() {
        bits |= u16::from(x != 0) << i;
    }
    bits
}

/// Computes all lanes of `dst`.
#[inline(always)]
pub(super) fn map1<A: Copy, D: Copy>(dst: &mut [[D; CHUNK]], a: Source<'_, A>, f: impl Fn(A) -> D) {
    match a.stride {
        0 => dst.as_flattened_mut().fill(f(a.chunks[0][0])),
        _ => {
            for (d, &x) in dst.as_flattened_mut().iter_mut().zip(a.chunks.as_flattened()) {
                *d = f(x);
            }
        }
    }
}

/// Computes all lanes of `dst`: a loop for each kind of operand, so that words stay in registers.
#[inline(always)]
pub(super) fn map2<A: Copy, B: Copy, D: Copy>(
    dst: &mut [[D; CHUNK]],
    a: Source<'_, A>,
    b: Source<'_, B>,
    f: impl Fn(A, B) -> D,
) {
    let (one_a, one_b) = (a.chunks[0][0], b.chunks[0][0]);
    match (a.stride, b.stride) {
        (_, 0) => map1(dst, a, |x| f(x, one_b)),
        (0, _) => map1(dst, b, |y| f(one_a, y)),
        (_, _) => {
            let (a, b) = (a.chunks.as_flattened(), b.chunks.as_flattened());
            for ((d, &x), &y) in dst.as_flattened_mut().iter_mut().zip(a).zip(b) {
                *d = f(x, y);
            }
        }
    }
}

/// Computes all lanes of `dst`.
#[inline(always)]
pub(super) fn map3<A: Copy, B: Copy, C: Copy, D: Copy>(
    dst: &mut [[D; CHUNK]],
    a: Source<'_, A>,
    b: Source<'_, B>,
    c: Source<'_, C>,
    f: impl Fn(A, B, C) -> D,
) {
    let (one_a, one_b, one_c) = (a.chunks[0][0], b.chunks[0][0], c.chunks[0][0]);
    match (a.stride, b.stride, c.stride) {
        (0, _, _) => map2(dst, b, c, |y, z| f(one_a, y, z)),
        (_, 0, _) => map2(dst, a, c, |x, z| f(x, one_b, z)),
        (_, _, 0) => map2(dst, a, b, |x, y| f(x, y, one_c)),
        (_, _, _) => {
            let (a, b, c) =
                (a.chunks.as_flattened(), b.chunks.as_flattened(), c.chunks.as_flattened());
            for (((d, &x), &y), &z) in dst.as_flattened_mut().iter_mut().zip(a).zip(b).zip(c) {
                *d = f(x, y, z);
            }
        }
    }
}
