//! Each lane's own memory: what a kernel keeps on its stack.
//!
//! Invariants
//! - Lane `l` has the bytes from `l * size` on, and can name no others.

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
        for l in each(lanes.mask) {
            let at = lanes.at[l];
            let cause = if u64::from(at) + u64::from(bytes) > u64::from(self.lane_bytes) {
                let (label, offset) = ("the lane's scratch".into(), i64::from(at as i32));
                let bytes = self.lane_bytes.into();
                Some(AccessCause::OutOfBounds { label, base: 0, bytes, offset })
            } else if !(access.gives() && self.check_unwritten) {
                None
            } else {
                let byte = self.lanes[l].first_unwritten(at, bytes);
                byte.map(|at| AccessCause::Unwritten { at: at.into() })
            };
            if let Some(cause) = cause {
                let (address, space) = (at.into(), Space::Scratch);
                return Err(Box::new(AccessError {
                    lane: l as u8,
                    address,
                    bytes,
                    access,
                    space,
                    cause,
                }));
            }
        }
        Ok(())
    }
}
