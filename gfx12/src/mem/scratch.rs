//! Each lane's own memory: what a kernel keeps on its stack.
//!
//! Invariants
//! - Lane `l` has the bytes from `l * size` on, and can name no others.
//! - What a compiler spills, it need not have written: `spill` and `restore` carry along what nobody has written. The accesses
//!   of flat addresses do not, since what they read is used.

use super::{
    Access, AccessCause, AccessError, LANES, Returns, Space,
    bytes::{Bytes, Lanes, Rows, each},
};

/// The scratch of a wave's lanes.
#[derive(Clone, Debug)]
pub struct Scratch {
    lane_bytes: u32,
    /// A shadow has one written prefix, so each lane has a memory of its own.
    lanes: Vec<Bytes>,
    /// Reading what nobody has written is an error.
    pub check_unwritten: bool,
}

impl Scratch {
    /// So many bytes for each lane, unwritten.
    pub fn new(lane_bytes: u32) -> Scratch {
        let lanes = if lane_bytes == 0 { 0 } else { LANES };
        let lanes = (0..lanes).map(|_| Bytes::unwritten(lane_bytes as usize)).collect();
        Scratch { lane_bytes, lanes, check_unwritten: true }
    }

    /// As a new wave finds it.
    pub fn reset(&mut self) {
        self.lanes.iter_mut().for_each(|lane| lane.reset(self.lane_bytes as usize));
    }

    /// Bytes of a lane.
    pub fn lane_bytes(&self) -> u32 {
        self.lane_bytes
    }

    /// Loads 1, 2, 4, 8, 12 or 16 bytes a lane into rows; less than 4 are extended by zeros.
    pub fn load(
        &mut self,
        lanes: Lanes<u32>,
        bytes: u32,
        out: &mut Rows,
    ) -> Result<(), Box<AccessError>> {
        self.check(lanes, bytes, Access::Load)?;
        for l in each(lanes.mask) {
            self.lanes[l].load(Lanes { mask: 1 << l, ..lanes }, bytes, out);
        }
        Ok(())
    }

    /// Stores 1, 2, 4, 8, 12 or 16 bytes a lane.
    pub fn store(
        &mut self,
        lanes: Lanes<u32>,
        bytes: u32,
        rows: &Rows,
    ) -> Result<(), Box<AccessError>> {
        self.check(lanes, bytes, Access::Store)?;
        for l in each(lanes.mask) {
            self.lanes[l].store(Lanes { mask: 1 << l, ..lanes }, bytes, rows);
        }
        Ok(())
    }

    /// Stores as `store` does. Where a lane's register was never written, by the mask of its row, the lane's bytes are unwritten after it.
    pub fn spill(
        &mut self,
        lanes: Lanes<u32>,
        bytes: u32,
        rows: &Rows,
        written: &[u32],
    ) -> Result<(), Box<AccessError>> {
        self.store(lanes, bytes, rows)?;
        for (row, written) in (0..bytes.div_ceil(4)).zip(written) {
            let (from, part) = (4 * row, 4.min(bytes - 4 * row));
            for l in each(lanes.mask & !written) {
                self.lanes[l].unmark(lanes.at[l] + from, part);
            }
        }
        Ok(())
    }

    /// Loads as `load` does, but also what nobody has written. Gives for each row the lanes of which all bytes were written.
    pub fn restore(
        &mut self,
        lanes: Lanes<u32>,
        bytes: u32,
        out: &mut Rows,
    ) -> Result<[u32; 4], Box<AccessError>> {
        self.check_bounds(lanes, bytes, Access::Load)?;
        let mut written = [u32::MAX; 4];
        for l in each(lanes.mask) {
            self.lanes[l].load(Lanes { mask: 1 << l, ..lanes }, bytes, out);
            for (row, written) in (0..bytes.div_ceil(4)).zip(&mut written) {
                let from = lanes.at[l] + 4 * row;
                let end = from + 4.min(bytes - 4 * row);
                let is_written = !self.check_unwritten || self.lanes[l].is_written(from, end);
                *written &= !(u32::from(!is_written) << l);
            }
        }
        Ok(written)
    }

    /// Replaces 4 or 8 bytes of each lane.
    pub fn atomic(
        &mut self,
        lanes: Lanes<u32>,
        bytes: u32,
        returns: Returns,
        mut op: impl FnMut(usize, u64) -> Option<u64>,
    ) -> Result<(), Box<AccessError>> {
        self.check(lanes, bytes, Access::atomic(returns))?;
        for l in each(lanes.mask) {
            self.lanes[l].atomic(Lanes { mask: 1 << l, ..lanes }, bytes, &mut op);
        }
        Ok(())
    }

    fn check(&self, lanes: Lanes<u32>, bytes: u32, access: Access) -> Result<(), Box<AccessError>> {
        self.check_bounds(lanes, bytes, access)?;
        if !(access.gives() && self.check_unwritten) {
            return Ok(());
        }
        for l in each(lanes.mask) {
            if let Some(at) = self.lanes[l].first_unwritten(lanes.at[l], bytes) {
                let cause = AccessCause::Unwritten { at: at.into() };
                return Err(refused(lanes, l, bytes, access, cause));
            }
        }
        Ok(())
    }

    fn check_bounds(
        &self,
        lanes: Lanes<u32>,
        bytes: u32,
        access: Access,
    ) -> Result<(), Box<AccessError>> {
        for l in each(lanes.mask) {
            let at = lanes.at[l];
            if u64::from(at) + u64::from(bytes) > u64::from(self.lane_bytes) {
                let (label, offset) = ("the lane's scratch".into(), i64::from(at as i32));
                let bytes_there = self.lane_bytes.into();
                let cause = AccessCause::OutOfBounds { label, base: 0, bytes: bytes_there, offset };
                return Err(refused(lanes, l, bytes, access, cause));
            }
        }
        Ok(())
    }
}

fn refused(
    lanes: Lanes<u32>,
    lane: usize,
    bytes: u32,
    access: Access,
    cause: AccessCause,
) -> Box<AccessError> {
    let (address, space) = (lanes.at[lane].into(), Space::Scratch);
    Box::new(AccessError { lane: lane as u8, address, bytes, access, space, cause })
}
