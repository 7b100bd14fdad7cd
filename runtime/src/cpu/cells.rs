//! The bytes of a buffer, seen as elements of one width: plainly where nobody writes, as atomics where groups
//! on several threads do.
//!
//! Invariants
//! - A plain view borrows the cells shared, an atomic one exclusively: the two never exist together.
//! - The bytes are those of little-endian elements, whatever the width of the view.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

const _: () =
    assert!(cfg!(target_endian = "little"), "views of several widths share one byte order");

/// Zeroed bytes.
pub(crate) struct Cells {
    words: Vec<u64>,
    bytes: usize,
}

macro_rules! views {
    ($($t:ident $atomic:ident $plain:ident $shared:ident;)*) => { $(
        /// The elements, while nobody writes them.
        pub(crate) fn $plain(&self) -> &[$t] {
            // SAFETY: any bytes are a valid integer, and the words are aligned for all smaller widths, so
            // that the prefix is empty.
            let (_, middle, _) = unsafe { self.words.align_to::<$t>() };
            &middle[..self.bytes / size_of::<$t>()]
        }

        /// The elements, for threads that write them together.
        pub(crate) fn $shared(&mut self) -> &[$atomic] {
            // SAFETY: as in the plain view; an atomic has the size and bits of its integer, the words are
            // aligned for it, and the exclusive borrow means that all access goes through the atomics.
            let (_, middle, _) = unsafe { self.words.align_to_mut::<$atomic>() };
            &middle[..self.bytes / size_of::<$t>()]
        }
    )* };
}

impl Cells {
    /// So many bytes, all 0; `None` when there is no such memory. Pages are touched when they are used.
    pub(crate) fn new(bytes: u64) -> Option<Cells> {
        let bytes = usize::try_from(bytes).ok()?;
        let count = bytes.div_ceil(8);
        if count == 0 {
            return Some(Cells { words: Vec::new(), bytes });
        }
        let layout = std::alloc::Layout::array::<u64>(count).ok()?;
        // SAFETY: the layout's size is not 0.
        let start = unsafe { std::alloc::alloc_zeroed(layout) };
        if start.is_null() {
            return None;
        }
        // SAFETY: the global allocator gave `count` words with this very layout, all of them initialised.
        let words = unsafe { Vec::from_raw_parts(start.cast::<u64>(), count, count) };
        Some(Cells { words, bytes })
    }

    views! {
        u8  AtomicU8  plain_u8  shared_u8;
        u16 AtomicU16 plain_u16 shared_u16;
        u32 AtomicU32 plain_u32 shared_u32;
        u64 AtomicU64 plain_u64 shared_u64;
    }

    /// The bytes, for one writer.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: any bytes are a valid `u8`, which needs no alignment.
        let (_, middle, _) = unsafe { self.words.align_to_mut::<u8>() };
        &mut middle[..self.bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::Cells;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn views_share_the_bytes() {
        let mut cells = Cells::new(10).unwrap();
        cells.bytes_mut().copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(cells.plain_u16(), [0x0201, 0x0403, 0x0605, 0x0807, 0x0a09]);
        assert_eq!(cells.plain_u32(), [0x0403_0201, 0x0807_0605]);
        assert_eq!(cells.plain_u64(), [0x0807_0605_0403_0201]);
        cells.shared_u32()[1].store(7, Relaxed);
        assert_eq!(cells.plain_u8(), [1, 2, 3, 4, 7, 0, 0, 0, 9, 10]);
    }

    #[test]
    fn absurd_sizes_are_an_answer() {
        assert!(Cells::new(u64::MAX).is_none());
        assert!(Cells::new(1 << 62).is_none());
        assert_eq!(Cells::new(0).unwrap().plain_u8(), []);
    }
}
