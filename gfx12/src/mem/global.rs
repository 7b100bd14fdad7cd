//! The device's memory: allocations at addresses of their own, with nothing between them.
//!
//! Invariants
//! - Addresses only grow, and no address is given twice: what was freed stays known as freed.
//! - Between two allocations lie at least `GUARD_BYTES` that belong to nobody. Page 0 is nobody's.
//! - Nothing is longer than 32 bits count.

use super::{
    Access, AccessCause, AccessError, Returns, Space,
    bytes::{Bytes, Lanes, Rows, each, extent},
};
use pulp::{Arch, Simd, WithSimd};

/// Where the first allocation is.
const FIRST: u64 = 0x7f00_0000_0000;
/// What allocations are multiples of.
const ALIGN_BYTES: u64 = 4096;
const GUARD_BYTES: u64 = 1 << 20;
/// What addresses of arguments and the room for them are multiples of.
const ARGUMENTS_ALIGN_BYTES: u64 = 16;
/// What is farther from an address is not called its nearest allocation.
const NEAR_BYTES: u64 = 1 << 30;
/// Freed allocations that are remembered.
const REMEMBERED: usize = 1 << 14;

/// What the host asked for and cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// More than there is.
    #[error("{bytes} bytes of memory asked for, but {free_bytes} are free")]
    Full {
        /// What was asked for.
        bytes: u64,
        /// What there is.
        free_bytes: u64,
    },
    /// The address is not the first of an allocation that is alive.
    #[error("no allocation begins at {address:#x}")]
    NotAllocated {
        /// The address.
        address: u64,
    },
    /// The bytes are not inside of one allocation.
    #[error("{bytes} bytes at {address:#x} are not inside of one allocation")]
    Outside {
        /// The first byte.
        address: u64,
        /// How many.
        bytes: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Writable,
    ReadOnly,
    Freed,
}

#[derive(Debug)]
struct Allocation {
    base: u64,
    /// What it was allocated with; a freed one has no bytes.
    len: u64,
    /// How far scalar loads of several words reach from the base: behind the end of arguments.
    reach: u64,
    bytes: Bytes,
    state: State,
    label: String,
}

impl Allocation {
    fn end(&self) -> u64 {
        self.base + self.len
    }
}

/// The extent of a row's addresses.
struct Extent<'a>(Lanes<'a, u64>);

impl WithSimd for Extent<'_> {
    type Output = (u64, u64);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (u64, u64) {
        extent(self.0, 0, u64::MAX)
    }
}

/// The device's memory.
#[derive(Debug)]
pub struct Memory {
    /// By their bases.
    all: Vec<Allocation>,
    /// The one that was accessed last.
    last: usize,
    next: u64,
    used_bytes: u64,
    limit_bytes: u64,
    freed: usize,
    count: u64,
    arch: Arch,
    /// Reading what nobody has written is an error.
    pub check_unwritten: bool,
}

impl Memory {
    /// Memory of so many bytes in all.
    pub fn new(limit_bytes: u64) -> Memory {
        Memory {
            all: Vec::new(),
            last: 0,
            next: FIRST,
            used_bytes: 0,
            limit_bytes,
            freed: 0,
            count: 0,
            arch: Arch::new(),
            check_unwritten: true,
        }
    }

    /// The same at other addresses: those of different numbers have none in common.
    pub fn at(number: u16, limit_bytes: u64) -> Memory {
        Memory { next: FIRST - (u64::from(number) << 40) % FIRST, ..Memory::new(limit_bytes) }
    }

    /// Bytes that are not allocated.
    pub fn free_bytes(&self) -> u64 {
        self.limit_bytes - self.used_bytes
    }

    /// Bytes that nobody has written. They are named by their number.
    pub fn alloc(&mut self, bytes: u64) -> Result<u64, MemoryError> {
        if bytes > self.free_bytes() || bytes > u64::from(u32::MAX) {
            return Err(MemoryError::Full { bytes, free_bytes: self.free_bytes() });
        }
        self.count += 1;
        let label = format!("allocation {}", self.count);
        Ok(self.place(Bytes::unwritten(bytes as usize), State::Writable, label, 1))
    }

    /// Bytes that kernels read and do not write: code.
    pub fn alloc_read_only(&mut self, data: Vec<u8>, label: &str) -> Result<u64, MemoryError> {
        self.read_only(data, label, 1)
    }

    /// The arguments of a launch. They are read-only, and their address and room are multiples of 16 bytes, which compilers know:
    /// a scalar load may reach to the end of the room, though there is nothing behind the arguments.
    pub fn alloc_arguments(&mut self, data: Vec<u8>, label: &str) -> Result<u64, MemoryError> {
        self.read_only(data, label, ARGUMENTS_ALIGN_BYTES)
    }

    fn read_only(&mut self, data: Vec<u8>, label: &str, room: u64) -> Result<u64, MemoryError> {
        let bytes = data.len() as u64;
        if bytes > self.free_bytes() || bytes > u64::from(u32::MAX) {
            return Err(MemoryError::Full { bytes, free_bytes: self.free_bytes() });
        }
        Ok(self.place(Bytes::written(data), State::ReadOnly, label.into(), room))
    }

    /// `room`: what the room for it is a multiple of.
    fn place(&mut self, bytes: Bytes, state: State, label: String, room: u64) -> u64 {
        let (base, len) = (self.next, bytes.len() as u64);
        let reach = len.next_multiple_of(room);
        self.next = (base + len + GUARD_BYTES).next_multiple_of(ALIGN_BYTES);
        self.used_bytes += len;
        self.all.push(Allocation { base, len, reach, bytes, state, label });
        base
    }

    /// Gives an allocation back. Later accesses say that it was freed.
    pub fn free(&mut self, address: u64) -> Result<(), MemoryError> {
        let found = self.all.binary_search_by_key(&address, |a| a.base);
        let found = found.ok().filter(|&i| self.all[i].state != State::Freed);
        let allocation = &mut self.all[found.ok_or(MemoryError::NotAllocated { address })?];
        allocation.bytes = Bytes::default();
        allocation.state = State::Freed;
        self.used_bytes -= allocation.len;
        self.freed += 1;
        if self.freed > REMEMBERED {
            self.all.retain(|a| a.state != State::Freed);
            (self.freed, self.last) = (0, 0);
        }
        Ok(())
    }

    /// The allocation that the address is in, or the last before it.
    fn find(&mut self, address: u64) -> Option<usize> {
        if let Some(a) = self.all.get(self.last)
            && a.base <= address
            && address < a.end()
        {
            return Some(self.last);
        }
        let after = self.all.partition_point(|a| a.base <= address);
        self.last = after.checked_sub(1)?;
        Some(self.last)
    }

    /// What the host may touch: an allocation, and the offset in it.
    fn host(&mut self, address: u64, bytes: u64) -> Result<(usize, usize), MemoryError> {
        let outside = MemoryError::Outside { address, bytes };
        let Some(i) = self.find(address) else { return Err(outside) };
        let a = &self.all[i];
        let fits = address.checked_add(bytes).is_some_and(|end| end <= a.end());
        match a.state {
            State::Writable | State::ReadOnly if fits => Ok((i, (address - a.base) as usize)),
            State::Writable | State::ReadOnly | State::Freed => Err(outside),
        }
    }

    /// The host reads; bytes that nobody has written are `POISON`.
    pub fn read(&mut self, address: u64, out: &mut [u8]) -> Result<(), MemoryError> {
        let (i, at) = self.host(address, out.len() as u64)?;
        out.copy_from_slice(self.all[i].bytes.slice(at, out.len()));
        Ok(())
    }

    /// The host writes.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let (i, at) = self.host(address, bytes.len() as u64)?;
        self.all[i].bytes.put(at, bytes);
        Ok(())
    }

    /// The host writes the byte everywhere.
    pub fn fill(&mut self, address: u64, byte: u8, bytes: u64) -> Result<(), MemoryError> {
        let (i, at) = self.host(address, bytes)?;
        let to = &mut self.all[i].bytes;
        to.data[at..at + bytes as usize].fill(byte);
        to.mark(at as u32, bytes as u32);
        Ok(())
    }

    /// Whether so many bytes at an address are inside of one allocation that is alive.
    pub fn is_inside(&mut self, address: u64, bytes: u64) -> bool {
        self.host(address, bytes).is_ok()
    }

    /// Loads 1, 2, 4, 8, 12 or 16 bytes a lane into rows; less than 4 are extended by zeros.
    pub fn load(
        &mut self,
        lanes: Lanes<u64>,
        bytes: u32,
        out: &mut Rows,
    ) -> Result<(), Box<AccessError>> {
        self.each_allocation(lanes, bytes, Access::Load, |memory, lanes, high| {
            memory.load(lanes, bytes, out);
            high
        })
    }

    /// Stores 1, 2, 4, 8, 12 or 16 bytes a lane, in the order of the lanes.
    pub fn store(
        &mut self,
        lanes: Lanes<u64>,
        bytes: u32,
        rows: &Rows,
    ) -> Result<(), Box<AccessError>> {
        self.each_allocation(lanes, bytes, Access::Store, |memory, lanes, high| {
            memory.store(lanes, bytes, rows);
            high
        })
    }

    /// Replaces 4 or 8 bytes of each lane, in the order of the lanes: `op` gives the new value from lane and old one, or leaves it.
    pub fn atomic(
        &mut self,
        lanes: Lanes<u64>,
        bytes: u32,
        returns: Returns,
        mut op: impl FnMut(usize, u64) -> Option<u64>,
    ) -> Result<(), Box<AccessError>> {
        self.each_allocation(lanes, bytes, Access::atomic(returns), |memory, lanes, high| {
            memory.atomic(lanes, bytes, &mut op);
            high
        })
    }

    /// Loads words at one address, as scalar instructions do, and says how many of them are there: the others lie behind
    /// arguments, in the room for them.
    pub fn load_scalar(
        &mut self,
        address: u64,
        out: &mut [u32],
    ) -> Result<usize, Box<AccessError>> {
        let bytes = 4 * out.len() as u32;
        let there = match self.inside(0, address, address, bytes, Access::Load) {
            Ok((i, at)) => (i, at, out.len()),
            Err(error) => self.behind_arguments(address, bytes).ok_or(error)?,
        };
        let (i, at, words) = there;
        if self.check_unwritten
            && let Some(byte) = self.all[i].bytes.first_unwritten(at, 4 * words as u32)
        {
            return Err(self.unwritten(i, 0, address, bytes, Access::Load, byte));
        }
        let (from, _) = self.all[i].bytes.slice(at as usize, 4 * words).as_chunks::<4>();
        for (to, from) in out.iter_mut().zip(from) {
            *to = u32::from_le_bytes(*from);
        }
        Ok(words)
    }

    /// The allocation of a load that begins in arguments and ends in their room, its offset, and the words that are arguments.
    fn behind_arguments(&mut self, address: u64, bytes: u32) -> Option<(usize, u32, usize)> {
        let i = self.find(address)?;
        let a = &self.all[i];
        let offset = address - a.base;
        let fits = a.state == State::ReadOnly && offset + u64::from(bytes) <= a.reach;
        fits.then(|| (i, offset as u32, (a.len.saturating_sub(offset) / 4) as usize))
    }

    /// Loads 1 or 2 bytes at one address, as scalar instructions do.
    pub fn load_scalar_narrow(
        &mut self,
        address: u64,
        bytes: u32,
    ) -> Result<u32, Box<AccessError>> {
        let mut out = [[0; super::LANES]];
        self.load(Lanes { at: &[address; super::LANES], mask: 1 }, bytes, &mut out)?;
        Ok(out[0][0])
    }

    /// Runs an access for the lanes of each allocation: mostly one, whose bounds are then checked once.
    fn each_allocation(
        &mut self,
        lanes: Lanes<u64>,
        bytes: u32,
        access: Access,
        mut run: impl FnMut(&mut Bytes, Lanes<u32>, u32) -> u32,
    ) -> Result<(), Box<AccessError>> {
        if lanes.mask == 0 {
            return Ok(());
        }
        let (low, high) = self.arch.dispatch(Extent(lanes));
        if let Ok((i, _)) = self.inside(0, low, high, bytes, access) {
            let base = self.all[i].base;
            let offsets = lanes.at.map(|at| at.wrapping_sub(base) as u32);
            let lanes32 = Lanes { at: &offsets, mask: lanes.mask };
            self.written(i, lanes32, (high - base) as u32, bytes, access)?;
            run(&mut self.all[i].bytes, lanes32, (high - base) as u32);
            return Ok(());
        }
        // Lanes in different allocations, or one outside: all are checked before any is done.
        for lane in each(lanes.mask) {
            let at = lanes.at[lane];
            let (i, offset) = self.inside(lane, at, at, bytes, access)?;
            let one = Lanes { at: &[offset; super::LANES], mask: 1 << lane };
            self.written(i, one, offset, bytes, access)?;
        }
        for lane in each(lanes.mask) {
            let at = lanes.at[lane];
            let (i, offset) = self.inside(lane, at, at, bytes, access)?;
            run(
                &mut self.all[i].bytes,
                Lanes { at: &[offset; super::LANES], mask: 1 << lane },
                offset,
            );
        }
        Ok(())
    }

    /// What is read was written.
    fn written(
        &self,
        i: usize,
        lanes: Lanes<u32>,
        high: u32,
        bytes: u32,
        access: Access,
    ) -> Result<(), Box<AccessError>> {
        if !(access.gives() && self.check_unwritten) {
            return Ok(());
        }
        match self.all[i].bytes.unwritten_lane(lanes, high, bytes) {
            None => Ok(()),
            Some((lane, byte)) => {
                let address = self.all[i].base + u64::from(lanes.at[lane]);
                Err(self.unwritten(i, lane, address, bytes, access, byte))
            }
        }
    }

    fn unwritten(
        &self,
        i: usize,
        lane: usize,
        address: u64,
        bytes: u32,
        access: Access,
        byte: u32,
    ) -> Box<AccessError> {
        let cause = AccessCause::Unwritten { at: self.all[i].base + u64::from(byte) };
        let space = Space::Global;
        Box::new(AccessError { lane: lane as u8, address, bytes, access, space, cause })
    }

    /// The allocation that all of these bytes are in, and the offset of the first.
    #[inline]
    fn inside(
        &mut self,
        lane: usize,
        low: u64,
        high: u64,
        bytes: u32,
        access: Access,
    ) -> Result<(usize, u32), Box<AccessError>> {
        let found = self.find(low);
        if let Some(i) = found {
            let a = &self.all[i];
            let fits = high.checked_add(u64::from(bytes)).is_some_and(|end| end <= a.end());
            let state = match (a.state, access) {
                (State::Writable, _) | (State::ReadOnly, Access::Load) => true,
                (State::ReadOnly, Access::Store | Access::Atomic | Access::AtomicReturn)
                | (State::Freed, _) => false,
            };
            if fits && state {
                return Ok((i, (low - a.base) as u32));
            }
        }
        Err(self.outside(found, lane, low, bytes, access))
    }

    #[cold]
    fn outside(
        &self,
        before: Option<usize>,
        lane: usize,
        address: u64,
        bytes: u32,
        access: Access,
    ) -> Box<AccessError> {
        let distance = |i: usize| {
            let a = &self.all[i];
            if address < a.base { a.base - address } else { address.saturating_sub(a.end()) }
        };
        let after = before.map_or(0, |i| i + 1);
        let near = before.into_iter().chain((after < self.all.len()).then_some(after));
        let near = near.min_by_key(|&i| distance(i)).filter(|&i| distance(i) < NEAR_BYTES);
        let cause = match near {
            None => AccessCause::Unmapped,
            Some(i) => {
                let a = &self.all[i];
                let (label, base, bytes_of) = (a.label.clone(), a.base, a.len);
                let end = address.saturating_add(bytes.into());
                let is_inside = address >= a.base && end <= a.end();
                match a.state {
                    State::Freed => AccessCause::Freed { label, base, bytes: bytes_of },
                    State::ReadOnly if is_inside => AccessCause::ReadOnly { label },
                    State::ReadOnly | State::Writable => {
                        let offset = address.wrapping_sub(base) as i64;
                        AccessCause::OutOfBounds { label, base, bytes: bytes_of, offset }
                    }
                }
            }
        };
        let (lane, space) = (lane as u8, Space::Global);
        Box::new(AccessError { lane, address, bytes, access, space, cause })
    }
}
