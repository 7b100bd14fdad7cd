//! A group's shared memory, and who accessed it since the last barrier.
//!
//! Invariants
//! - Its length is exactly what the kernel and the launch ask for. It begins unwritten for every group.
//! - Two waves race where both access a byte, one of them writes, not both are atomic, and no barrier stands between: the later of
//!   the two is refused, and knows the other's instruction.
//! - Epochs only grow, over groups and launches, so that nothing has to be cleared for the next group.
//!
//! Lanes of one wave do not race: a wave's accesses are done in the order of its instructions.

use super::{
    Access, AccessCause, AccessError, LANES, Returns, Space,
    bytes::{Bytes, Lanes, Rows, each, extent},
};

/// Which instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// The wave of the group.
    pub wave: u8,
    /// Where the instruction is, in bytes of the code.
    pub pc: u32,
    /// The barriers that the wave has passed, with those of the groups before.
    pub epoch: u32,
}

/// An access in one word: epoch (28 bits), wave (5), whether it was atomic (1), pc in words (29), and 1 so that none is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark(u64);

impl Mark {
    fn of(who: Who, access: Access) -> Mark {
        let atomic = u64::from(access.is_atomic());
        let (epoch, wave, pc) = (u64::from(who.epoch), u64::from(who.wave), u64::from(who.pc / 4));
        Mark(
            (epoch & 0xfff_ffff) << 36
                | (wave & 31) << 31
                | atomic << 30
                | (pc & 0x1fff_ffff) << 1
                | 1,
        )
    }

    fn epoch(self) -> u32 {
        (self.0 >> 36) as u32
    }

    fn wave(self) -> u8 {
        (self.0 >> 31 & 31) as u8
    }

    fn is_atomic(self) -> bool {
        self.0 >> 30 & 1 != 0
    }

    fn pc(self) -> u32 {
        (self.0 >> 1 & 0x1fff_ffff) as u32 * 4
    }

    /// Whether it is of another wave, with no barrier before the access.
    #[inline]
    fn meets(self, who: Who) -> bool {
        self.0 != 0 && self.epoch() >= who.epoch & 0xfff_ffff && self.wave() != who.wave
    }
}

/// The last reads and writes of a cell by two different waves each.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    reads: [Mark; 2],
    writes: [Mark; 2],
}

/// The access becomes the last; that of another wave stays known. A wave's atomic does not hide its plain store.
#[inline]
fn note(marks: &mut [Mark; 2], mark: Mark) {
    let last = marks[0];
    if last.wave() != mark.wave() {
        marks[1] = last;
    } else if mark.is_atomic() && !last.is_atomic() && last.epoch() == mark.epoch() {
        return;
    }
    marks[0] = mark;
}

impl Cell {
    /// An access that races with this one.
    #[inline]
    fn rival(&self, who: Who, access: Access) -> Option<(Mark, Access)> {
        let write = self
            .writes
            .into_iter()
            .find(|w| w.meets(who) && !(access.is_atomic() && w.is_atomic()));
        if let Some(w) = write {
            return Some((w, if w.is_atomic() { Access::Atomic } else { Access::Store }));
        }
        match access {
            Access::Load => None,
            Access::Store | Access::Atomic | Access::AtomicReturn => {
                self.reads.into_iter().find(|r| r.meets(who)).map(|r| (r, Access::Load))
            }
        }
    }
}

/// How finely accesses are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// By bytes: for kernels with accesses of less than four.
    Byte,
    /// By four bytes.
    Word,
}

impl Grain {
    const fn shift(self) -> u32 {
        match self {
            Grain::Byte => 0,
            Grain::Word => 2,
        }
    }
}

/// A group's shared memory.
#[derive(Debug)]
pub struct Shared {
    bytes: Bytes,
    cells: Vec<Cell>,
    grain: Grain,
    /// Reading what nobody has written is an error.
    pub check_unwritten: bool,
    /// Races are errors.
    pub check_races: bool,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared {
            bytes: Bytes::default(),
            cells: Vec::new(),
            grain: Grain::Byte,
            check_unwritten: true,
            check_races: true,
        }
    }
}

impl Shared {
    /// As a group finds it, of so many bytes.
    pub fn reset(&mut self, bytes: u32, grain: Grain) {
        self.bytes.reset(bytes as usize);
        if grain != self.grain {
            self.cells.clear();
            self.grain = grain;
        }
        let cells = (bytes as usize).div_ceil(1 << grain.shift());
        if self.check_races && self.cells.len() < cells {
            self.cells.resize(cells, Cell::default());
        }
    }

    /// Its length.
    pub fn len_bytes(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Loads 1, 2, 4, 8, 12 or 16 bytes a lane into rows; less than 4 are extended by zeros.
    pub fn load(
        &mut self,
        who: Who,
        lanes: Lanes<u32>,
        bytes: u32,
        out: &mut Rows,
    ) -> Result<(), Box<AccessError>> {
        self.check(who, lanes, bytes, Access::Load)?;
        self.bytes.load(lanes, bytes, out);
        Ok(())
    }

    /// Stores 1, 2, 4, 8, 12 or 16 bytes a lane, in the order of the lanes.
    pub fn store(
        &mut self,
        who: Who,
        lanes: Lanes<u32>,
        bytes: u32,
        rows: &Rows,
    ) -> Result<(), Box<AccessError>> {
        self.check(who, lanes, bytes, Access::Store)?;
        self.bytes.store(lanes, bytes, rows);
        Ok(())
    }

    /// Replaces 4 or 8 bytes of each lane, in the order of the lanes: `op` gives the new value from lane and old one, or leaves it.
    pub fn atomic(
        &mut self,
        who: Who,
        lanes: Lanes<u32>,
        bytes: u32,
        returns: Returns,
        op: impl FnMut(usize, u64) -> Option<u64>,
    ) -> Result<(), Box<AccessError>> {
        self.check(who, lanes, bytes, Access::atomic(returns))?;
        self.bytes.atomic(lanes, bytes, op);
        Ok(())
    }

    fn check(
        &mut self,
        who: Who,
        lanes: Lanes<u32>,
        bytes: u32,
        access: Access,
    ) -> Result<(), Box<AccessError>> {
        if lanes.mask == 0 {
            return Ok(());
        }
        let (_, high) = extent(lanes, 0, u32::MAX);
        let len = self.bytes.len() as u64;
        if u64::from(high) + u64::from(bytes) > len {
            let outside = |&l: &usize| u64::from(lanes.at[l]) + u64::from(bytes) > len;
            let lane = each(lanes.mask).find(outside).expect("the highest is outside");
            let offset = i64::from(lanes.at[lane]);
            let label = "the group's memory".into();
            let cause = AccessCause::OutOfBounds { label, base: 0, bytes: len, offset };
            return Err(refuse(lanes, lane, bytes, access, cause));
        }
        let reads = self.check_unwritten && access.gives();
        if reads && let Some((lane, byte)) = self.bytes.unwritten_lane(lanes, high, bytes) {
            let cause = AccessCause::Unwritten { at: byte.into() };
            return Err(refuse(lanes, lane, bytes, access, cause));
        }
        if self.check_races { self.race(who, lanes, bytes, access) } else { Ok(()) }
    }

    fn race(
        &mut self,
        who: Who,
        lanes: Lanes<u32>,
        bytes: u32,
        access: Access,
    ) -> Result<(), Box<AccessError>> {
        let shift = self.grain.shift();
        let cells_of = |at: u32| (at >> shift) as usize..=((at + bytes - 1) >> shift) as usize;
        let mark = Mark::of(who, access);
        let mut before = None;
        for lane in each(lanes.mask) {
            // Lanes often read the same place.
            if before.replace(lanes.at[lane]) == Some(lanes.at[lane]) {
                continue;
            }
            for cell in &mut self.cells[cells_of(lanes.at[lane])] {
                if let Some((other, did)) = cell.rival(who, access) {
                    let cause =
                        AccessCause::Race { wave: other.wave(), pc: other.pc(), access: did };
                    return Err(refuse(lanes, lane, bytes, access, cause));
                }
                match access {
                    Access::Load => note(&mut cell.reads, mark),
                    Access::Store | Access::Atomic | Access::AtomicReturn => {
                        note(&mut cell.writes, mark)
                    }
                }
            }
        }
        Ok(())
    }
}

#[cold]
fn refuse(
    lanes: Lanes<u32>,
    lane: usize,
    bytes: u32,
    access: Access,
    cause: AccessCause,
) -> Box<AccessError> {
    debug_assert!(lane < LANES, "a lane of the row");
    let (address, space) = (lanes.at[lane].into(), Space::Shared);
    Box::new(AccessError { lane: lane as u8, address, bytes, access, space, cause })
}
