//! The bytes of a row as stretches: what lanes access side by side, or together, is one.
//!
//! Invariants
//! - Every byte that a lane of the mask accesses is in a stretch, and no other byte is.
//! - The stretches stand in the order of their first lanes. One that repeats one of the two before it is left out.

use super::{LANES, bytes::Lanes};

/// The stretches of a row.
pub(super) struct Runs {
    all: [(u32, u32); LANES],
    count: usize,
}

impl Runs {
    /// Of lanes that access so many bytes each, none of which lies behind what 32 bits count.
    #[inline(always)]
    pub(super) fn of(lanes: Lanes<u32>, bytes: u32) -> Runs {
        let mut at = *lanes.at;
        if lanes.mask != u32::MAX {
            // A lane that takes no part goes where the one before it does.
            let mut last = at[lanes.mask.trailing_zeros() as usize % LANES];
            for (l, place) in at.iter_mut().enumerate() {
                last = if lanes.mask >> l & 1 != 0 { *place } else { last };
                *place = last;
            }
        }
        // Lanes that neither share their place with the one before them nor follow it.
        let mut firsts = 0;
        for l in 1..LANES {
            let step = at[l].wrapping_sub(at[l - 1]);
            firsts |= u32::from(step != 0 && step != bytes) << l;
        }
        let mut runs = Runs { all: [(0, 0); LANES], count: 0 };
        let mut first = 0;
        loop {
            let next = if firsts == 0 { LANES } else { firsts.trailing_zeros() as usize };
            runs.add((at[first], at[next - 1] + bytes));
            if next == LANES {
                return runs;
            }
            firsts &= firsts - 1;
            first = next;
        }
    }

    #[inline(always)]
    fn add(&mut self, run: (u32, u32)) {
        let n = self.count;
        if n > 0 && self.all[n - 1] == run || n > 1 && self.all[n - 2] == run {
            return;
        }
        self.all[n % LANES] = run;
        self.count += 1;
    }

    /// First byte, and the byte behind the last.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.all[..self.count].iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(at: &[u32; LANES], mask: u32, bytes: u32) -> Vec<bool> {
        let mut all = vec![false; 4096];
        for l in (0..LANES).filter(|l| mask >> l & 1 != 0) {
            all[at[l] as usize..][..bytes as usize].fill(true);
        }
        all
    }

    #[test]
    fn stretches_are_the_bytes_of_the_lanes() {
        let mut seed = 9u32;
        let mut random = move |below: u32| {
            seed = seed.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            (seed >> 8) % below
        };
        for round in 0..4000 {
            let bytes = [1, 2, 4, 8, 12, 16][round % 6];
            // Runs, rows that repeat, places of all lanes, and anything.
            let (kind, base, width) = (round % 4, random(1024), 1 + random(31));
            let at: [u32; LANES] = std::array::from_fn(|l| match kind {
                0 => base + bytes * l as u32,
                1 => base + bytes * (l as u32 % width),
                2 => base + bytes * (l as u32 / width),
                _ => random(4096 - 16),
            });
            let mask =
                if random(2) == 0 { u32::MAX } else { random(1 << 24) << 8 | 1 << random(32) };
            let runs = Runs::of(Lanes { at: &at, mask }, bytes);
            let mut got = vec![false; 4096];
            runs.iter().for_each(|(from, end)| got[from as usize..end as usize].fill(true));
            assert_eq!(got, bytes_of(&at, mask, bytes), "{at:?} {mask:#x} {bytes}");
            if mask == u32::MAX && kind == 0 {
                assert_eq!(runs.iter().count(), 1);
            }
        }
    }
}
