//! Flat addresses: one number that means global memory, shared memory or scratch by its high half.
//!
//! Invariants
//! - A lane's address is in exactly one space; a row may be in all three.

use super::{
    AccessError, Memory, Returns, Scratch, Shared, Who,
    bytes::{Lanes, Rows},
};

/// The high 32 bits of a flat address of shared memory.
pub const SHARED_APERTURE: u32 = 0x0001_0000;
/// The high 32 bits of a flat address of scratch.
pub const PRIVATE_APERTURE: u32 = 0x0002_0000;

/// All that one wave can address.
#[derive(Debug)]
pub struct Spaces<'a> {
    /// The device's memory.
    pub global: &'a mut Memory,
    /// The group's.
    pub shared: &'a mut Shared,
    /// The wave's own.
    pub scratch: &'a mut Scratch,
}

/// The lanes of a row by their spaces.
struct Split {
    global: u32,
    shared: u32,
    scratch: u32,
    low: [u32; super::LANES],
}

fn split(lanes: Lanes<u64>) -> Split {
    let mut split = Split { global: 0, shared: 0, scratch: 0, low: lanes.at.map(|at| at as u32) };
    for lane in super::bytes::each(lanes.mask) {
        let high = (lanes.at[lane] >> 32) as u32;
        match high {
            SHARED_APERTURE => split.shared |= 1 << lane,
            PRIVATE_APERTURE => split.scratch |= 1 << lane,
            _ => split.global |= 1 << lane,
        }
    }
    split
}

impl Spaces<'_> {
    /// Loads 1, 2, 4, 8, 12 or 16 bytes a lane into rows; less than 4 are extended by zeros.
    pub fn load(
        &mut self,
        who: Who,
        lanes: Lanes<u64>,
        bytes: u32,
        out: &mut Rows,
    ) -> Result<(), Box<AccessError>> {
        let Split { global, shared, scratch, low } = split(lanes);
        self.global.load(Lanes { mask: global, ..lanes }, bytes, out)?;
        self.shared.load(who, Lanes { at: &low, mask: shared }, bytes, out)?;
        self.scratch.load(Lanes { at: &low, mask: scratch }, bytes, out)
    }

    /// Stores 1, 2, 4, 8, 12 or 16 bytes a lane.
    pub fn store(
        &mut self,
        who: Who,
        lanes: Lanes<u64>,
        bytes: u32,
        rows: &Rows,
    ) -> Result<(), Box<AccessError>> {
        let Split { global, shared, scratch, low } = split(lanes);
        self.global.store(Lanes { mask: global, ..lanes }, bytes, rows)?;
        self.shared.store(who, Lanes { at: &low, mask: shared }, bytes, rows)?;
        self.scratch.store(Lanes { at: &low, mask: scratch }, bytes, rows)
    }

    /// Replaces 4 or 8 bytes of each lane: `op` gives the new value from lane and old one, or leaves it.
    pub fn atomic(
        &mut self,
        who: Who,
        lanes: Lanes<u64>,
        bytes: u32,
        returns: Returns,
        mut op: impl FnMut(usize, u64) -> Option<u64>,
    ) -> Result<(), Box<AccessError>> {
        let Split { global, shared, scratch, low } = split(lanes);
        self.global.atomic(Lanes { mask: global, ..lanes }, bytes, returns, &mut op)?;
        self.shared.atomic(who, Lanes { at: &low, mask: shared }, bytes, returns, &mut op)?;
        self.scratch.atomic(Lanes { at: &low, mask: scratch }, bytes, returns, &mut op)
    }
}
