//! Bytes, which of them were written, and accesses of whole rows.
//!
//! Invariants
//! - Callers have seen that all lanes of the mask lie inside: offsets here are never out of bounds.
//! - The first `prefix` bytes are written; what lies behind has a bit each, once any of it is written.

use super::LANES;

/// Where the lanes of a row access memory, and which of them do.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<'a, T> {
    /// Addresses or offsets; those outside of the mask mean nothing.
    pub at: &'a [T; LANES],
    /// A bit for each lane that takes part.
    pub mask: u32,
}

/// Registers of a row: the first 32 bits of all lanes, the next, and so on.
pub type Rows = [[u32; LANES]];

/// Bytes with a shadow.
#[derive(Clone, Debug, Default)]
pub(super) struct Bytes {
    pub(super) data: Vec<u8>,
    prefix: u32,
    bits: Vec<u64>,
}

/// The lanes of a mask.
pub(super) fn each(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(lane)
    })
}

/// Lowest and highest value of the lanes that take part; all of them are looked at without a branch.
#[inline(always)]
pub(super) fn extent<T: Copy + Ord>(lanes: Lanes<T>, least: T, most: T) -> (T, T) {
    let (mut low, mut high) = (most, least);
    for (i, &at) in lanes.at.iter().enumerate() {
        let on = lanes.mask >> i & 1 != 0;
        low = low.min(if on { at } else { most });
        high = high.max(if on { at } else { least });
    }
    (low, high)
}

/// The words that bytes have their bits in, and their bits in the first and in the last of them.
#[inline(always)]
fn words_of(at: u32, end: u32) -> (usize, usize, u64, u64) {
    let last = end - 1;
    let (head, tail) = (u64::MAX << (at % 64), u64::MAX >> (63 - last % 64));
    ((at / 64) as usize, (last / 64) as usize, head, tail)
}

impl Bytes {
    pub(super) fn unwritten(bytes: usize) -> Bytes {
        Bytes { data: vec![super::POISON; bytes], prefix: 0, bits: Vec::new() }
    }

    pub(super) fn written(data: Vec<u8>) -> Bytes {
        let prefix = data.len() as u32;
        Bytes { data, prefix, bits: Vec::new() }
    }

    /// As new, of so many bytes.
    pub(super) fn reset(&mut self, bytes: usize) {
        self.data.clear();
        self.data.resize(bytes, super::POISON);
        self.prefix = 0;
        self.bits.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.data.len()
    }

    /// Says that bytes are written.
    #[inline]
    pub(super) fn mark(&mut self, at: u32, bytes: u32) {
        let end = at + bytes;
        if end <= self.prefix {
            return;
        }
        if at <= self.prefix {
            self.prefix = end;
            return;
        }
        if self.bits.is_empty() {
            self.bits = vec![0; self.data.len().div_ceil(64)];
        }
        if bytes <= 16 {
            let (word, bit) = ((at / 64) as usize, at % 64);
            let ones = (1u64 << bytes) - 1;
            self.bits[word] |= ones << bit;
            if bit + bytes > 64 {
                self.bits[word + 1] |= ones >> (64 - bit);
            }
            return;
        }
        let (first, last, head, tail) = words_of(at, end);
        if first == last {
            self.bits[first] |= head & tail;
            return;
        }
        self.bits[first] |= head;
        self.bits[first + 1..last].fill(u64::MAX);
        self.bits[last] |= tail;
    }

    /// Says that bytes are not written.
    pub(super) fn unmark(&mut self, at: u32, bytes: u32) {
        let end = at + bytes;
        if self.bits.is_empty() {
            self.bits = vec![0; self.data.len().div_ceil(64)];
        }
        let word = |byte: u32| ((byte / 64) as usize, 1 << (byte % 64));
        // What lies behind them has a bit each from now on.
        for (word, bit) in (end..self.prefix).map(word) {
            self.bits[word] |= bit;
        }
        for (word, bit) in (at..end).map(word) {
            self.bits[word] &= !bit;
        }
        self.prefix = self.prefix.min(at);
    }

    /// Whether all bytes from one to before another are written.
    #[inline(always)]
    pub(super) fn is_written(&self, at: u32, end: u32) -> bool {
        let from = at.max(self.prefix);
        if from >= end {
            return true;
        }
        if self.bits.is_empty() {
            return false;
        }
        let (first, last, head, tail) = words_of(from, end);
        if first == last {
            return !self.bits[first] & head & tail == 0;
        }
        let between = self.bits[first + 1..last].iter().fold(u64::MAX, |all, bits| all & bits);
        !self.bits[first] & head == 0 && !self.bits[last] & tail == 0 && between == u64::MAX
    }

    /// The first byte of these that nobody has written.
    #[inline]
    pub(super) fn first_unwritten(&self, at: u32, bytes: u32) -> Option<u32> {
        if at + bytes <= self.prefix {
            return None;
        }
        self.search(at.max(self.prefix), at + bytes)
    }

    fn search(&self, from: u32, end: u32) -> Option<u32> {
        if self.bits.is_empty() {
            return Some(from);
        }
        let (word, bit, bytes) = ((from / 64) as usize, from % 64, end - from);
        if bytes <= 32 {
            let next = self.bits.get(word + 1).copied().unwrap_or(0);
            let bits = self.bits[word] >> bit | next.checked_shl(64 - bit).unwrap_or(0);
            let missing = !bits & ((1 << bytes) - 1);
            return (missing != 0).then(|| from + missing.trailing_zeros());
        }
        (from..end).find(|byte| self.bits[(byte / 64) as usize] >> (byte % 64) & 1 == 0)
    }

    /// The first lane that reads what nobody has written, and the byte.
    pub(super) fn unwritten_lane(
        &self,
        lanes: Lanes<u32>,
        high: u32,
        bytes: u32,
    ) -> Option<(usize, u32)> {
        if high + bytes <= self.prefix {
            return None;
        }
        each(lanes.mask).find_map(|lane| Some((lane, self.first_unwritten(lanes.at[lane], bytes)?)))
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.data[at..at + 4].try_into().expect("four bytes"))
    }

    /// Whether all lanes take part and lie side by side.
    fn contiguous(lanes: Lanes<u32>, bytes: u32) -> bool {
        let first = lanes.at[0];
        let mut same = lanes.mask == u32::MAX;
        for (i, &at) in lanes.at.iter().enumerate() {
            same &= at == first.wrapping_add(i as u32 * bytes);
        }
        same
    }

    /// Loads 1, 2, 4, 8, 12 or 16 bytes a lane; less than 4 are extended by zeros. Lanes outside of the mask are left alone.
    pub(super) fn load(&self, lanes: Lanes<u32>, bytes: u32, out: &mut Rows) {
        match bytes {
            1 => each(lanes.mask).for_each(|l| out[0][l] = self.data[lanes.at[l] as usize].into()),
            2 => each(lanes.mask).for_each(|l| {
                let at = lanes.at[l] as usize;
                out[0][l] = u16::from_le_bytes([self.data[at], self.data[at + 1]]).into();
            }),
            4 => self.load_words::<1>(lanes, out),
            8 => self.load_words::<2>(lanes, out),
            12 => self.load_words::<3>(lanes, out),
            16 => self.load_words::<4>(lanes, out),
            _ => unreachable!("instructions access 1, 2, 4, 8, 12 or 16 bytes"),
        }
    }

    fn load_words<const N: usize>(&self, lanes: Lanes<u32>, out: &mut Rows) {
        let bytes = 4 * N as u32;
        if Bytes::contiguous(lanes, bytes) {
            let from = &self.data[lanes.at[0] as usize..][..LANES * 4 * N];
            let (chunks, _) = from.as_chunks::<4>();
            for (w, row) in out[..N].iter_mut().enumerate() {
                for (l, to) in row.iter_mut().enumerate() {
                    *to = u32::from_le_bytes(chunks[l * N + w]);
                }
            }
            return;
        }
        for l in each(lanes.mask) {
            let at = lanes.at[l] as usize;
            let (from, _) = self.data[at..at + 4 * N].as_chunks::<4>();
            for w in 0..N {
                out[w][l] = u32::from_le_bytes(from[w]);
            }
        }
    }

    /// Stores 1, 2, 4, 8, 12 or 16 bytes a lane, in the order of the lanes.
    pub(super) fn store(&mut self, lanes: Lanes<u32>, bytes: u32, rows: &Rows) {
        match bytes {
            1 => each(lanes.mask).for_each(|l| {
                self.data[lanes.at[l] as usize] = rows[0][l] as u8;
                self.mark(lanes.at[l], 1);
            }),
            2 => each(lanes.mask).for_each(|l| {
                let at = lanes.at[l] as usize;
                self.data[at..at + 2].copy_from_slice(&(rows[0][l] as u16).to_le_bytes());
                self.mark(lanes.at[l], 2);
            }),
            4 => self.store_words::<1>(lanes, rows),
            8 => self.store_words::<2>(lanes, rows),
            12 => self.store_words::<3>(lanes, rows),
            16 => self.store_words::<4>(lanes, rows),
            _ => unreachable!("instructions access 1, 2, 4, 8, 12 or 16 bytes"),
        }
    }

    fn store_words<const N: usize>(&mut self, lanes: Lanes<u32>, rows: &Rows) {
        let bytes = 4 * N as u32;
        if Bytes::contiguous(lanes, bytes) {
            let to = &mut self.data[lanes.at[0] as usize..][..LANES * 4 * N];
            let (chunks, _) = to.as_chunks_mut::<4>();
            for l in 0..LANES {
                for w in 0..N {
                    chunks[l * N + w] = rows[w][l].to_le_bytes();
                }
            }
            self.mark(lanes.at[0], LANES as u32 * bytes);
            return;
        }
        for l in each(lanes.mask) {
            let at = lanes.at[l] as usize;
            let (to, _) = self.data[at..at + 4 * N].as_chunks_mut::<4>();
            for w in 0..N {
                to[w] = rows[w][l].to_le_bytes();
            }
            self.mark(lanes.at[l], bytes);
        }
    }

    /// Replaces 4 or 8 bytes of each lane, in the order of the lanes: `op` gives the new value from lane and old one, or leaves it.
    /// Of a place that was written in part those bytes become written that do not depend on the others: `op` is asked for both.
    pub(super) fn atomic(
        &mut self,
        lanes: Lanes<u32>,
        bytes: u32,
        mut op: impl FnMut(usize, u64) -> Option<u64>,
    ) {
        for l in each(lanes.mask) {
            let place = lanes.at[l];
            let at = place as usize;
            let old = match bytes {
                4 => u64::from(self.word(at)),
                8 => u64::from(self.word(at)) | u64::from(self.word(at + 4)) << 32,
                _ => unreachable!("atomics are of 4 or 8 bytes"),
            };
            let unwritten = self.unwritten_bits(place, bytes);
            let decided = match unwritten {
                0 => u64::MAX,
                _ => {
                    // Each unwritten bit as 0 and as 1, with different neighbours.
                    let tried =
                        [0, u64::MAX, 0x5555_5555_5555_5555, 0x3333_3333_3333_3333].map(|bits| {
                            let before = old & !unwritten | bits & unwritten;
                            op(l, before).unwrap_or(before)
                        });
                    tried.iter().fold(u64::MAX, |same, new| same & !(new ^ tried[0]))
                }
            };
            if let Some(new) = op(l, old) {
                let new = new.to_le_bytes();
                self.data[at..at + bytes as usize].copy_from_slice(&new[..bytes as usize]);
                for byte in (0..bytes).filter(|byte| unwritten >> (8 * byte) & 0xff != 0) {
                    if decided >> (8 * byte) & 0xff == 0xff {
                        self.mark(place + byte, 1);
                    }
                }
            }
        }
    }

    /// Ones for the bits of these bytes that nobody has written.
    fn unwritten_bits(&self, at: u32, bytes: u32) -> u64 {
        if at + bytes <= self.prefix {
            return 0;
        }
        let is_unwritten = |byte: &u32| self.first_unwritten(at + byte, 1).is_some();
        (0..bytes).filter(is_unwritten).map(|byte| 0xff << (8 * byte)).sum()
    }

    /// Bytes as the host reads them, whoever wrote them.
    pub(super) fn slice(&self, at: usize, bytes: usize) -> &[u8] {
        &self.data[at..at + bytes]
    }

    /// The host writes.
    pub(super) fn put(&mut self, at: usize, bytes: &[u8]) {
        self.data[at..at + bytes.len()].copy_from_slice(bytes);
        self.mark(at as u32, bytes.len() as u32);
    }
}
