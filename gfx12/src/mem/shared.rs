//! A group's shared memory, and who accessed it since the last barrier.
//!
//! Invariants
//! - Its length is exactly what the kernel and the launch ask for. It begins unwritten for every group.
//! - Two waves race where both access a byte, one of them writes, not both are atomic, and no barrier stands between: the later of
//!   the two is refused, and knows the other's instruction.
//! - Epochs only grow, over groups and launches, so that nothing has to be cleared for the next group; before a mark cannot hold
//!   them any more, all marks are forgotten and they begin anew.
//! - A row is looked at as a whole first. Where something is wrong with it, it is gone through lane by lane, to name the first.
//!
//! Lanes of one wave do not race: a wave's accesses are done in the order of its instructions.

use super::{
    Access, AccessCause, AccessError, LANES, Returns, Space,
    bytes::{Bytes, Lanes, Rows, each, extent},
    runs::Runs,
};
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

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
    #[inline(always)]
    fn meets(self, who: Who) -> bool {
        (self.0 != 0) & (self.epoch() >= who.epoch & 0xfff_ffff) & (self.wave() != who.wave)
    }

    /// Whether it races with this access, which writes if the mark does not.
    #[inline(always)]
    fn races(self, who: Who, access: Access) -> bool {
        self.meets(who) & !(access.is_atomic() & self.is_atomic())
    }
}

/// The last accesses of each cell by two different waves: the later, and the one before.
#[derive(Debug, Default)]
struct Marks {
    last: Vec<Mark>,
    before: Vec<Mark>,
}

impl Marks {
    /// Whether an access of some of these cells races with one of theirs.
    #[inline(always)]
    fn race(&self, cells: &Range<usize>, who: Who, access: Access) -> bool {
        let mut any = false;
        for (&last, &before) in self.last[cells.clone()].iter().zip(&self.before[cells.clone()]) {
            any |= last.races(who, access) | before.races(who, access);
        }
        any
    }

    /// The one of a cell's that races.
    fn rival(&self, cell: usize, who: Who, access: Access) -> Option<Mark> {
        [self.last[cell], self.before[cell]].into_iter().find(|mark| mark.races(who, access))
    }

    /// The access becomes the last; that of another wave stays known. A wave's atomic does not hide its plain store.
    #[inline(always)]
    fn note(&mut self, cells: &Range<usize>, mark: Mark) {
        let lasts = self.last[cells.clone()].iter_mut();
        for (last, before) in lasts.zip(&mut self.before[cells.clone()]) {
            let (old, is_other) = (*last, last.wave() != mark.wave());
            let is_hidden =
                !is_other & mark.is_atomic() & !old.is_atomic() & (old.epoch() == mark.epoch());
            *before = if is_other { old } else { *before };
            *last = if is_hidden { old } else { mark };
        }
    }

    fn resize(&mut self, cells: usize) {
        self.last.resize(cells, Mark::default());
        self.before.resize(cells, Mark::default());
    }

    fn clear(&mut self) {
        self.last.clear();
        self.before.clear();
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

    /// The cells of the bytes from one to before another.
    #[inline(always)]
    fn cells(self, at: u32, end: u32) -> Range<usize> {
        let shift = self.shift();
        (at >> shift) as usize..((end - 1) >> shift) as usize + 1
    }
}

/// A group's shared memory.
#[derive(Debug)]
pub struct Shared {
    bytes: Bytes,
    reads: Marks,
    writes: Marks,
    grain: Grain,
    arch: Arch,
    /// Reading what nobody has written is an error.
    pub check_unwritten: bool,
    /// Races are errors.
    pub check_races: bool,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared {
            bytes: Bytes::default(),
            reads: Marks::default(),
            writes: Marks::default(),
            grain: Grain::Byte,
            arch: Arch::new(),
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
            self.forget();
            self.grain = grain;
        }
        let cells = (bytes as usize).div_ceil(1 << grain.shift());
        if self.check_races && self.reads.last.len() < cells {
            self.reads.resize(cells);
            self.writes.resize(cells);
        }
    }

    /// Forgets who accessed what: epochs may begin anew before the next `reset`.
    pub fn forget(&mut self) {
        self.reads.clear();
        self.writes.clear();
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
        let whole = Whole { shared: self, who, lanes, bytes, access };
        if lanes.mask == 0 || whole.shared.arch.dispatch(whole) {
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
        let mark = Mark::of(who, access);
        for lane in each(lanes.mask) {
            let at = lanes.at[lane];
            let cells = self.grain.cells(at, at + bytes);
            for cell in cells.clone() {
                if let Some((other, did)) = self.rival(cell, who, access) {
                    let cause =
                        AccessCause::Race { wave: other.wave(), pc: other.pc(), access: did };
                    return Err(refuse(lanes, lane, bytes, access, cause));
                }
            }
            self.note(&cells, mark, access);
        }
        Ok(())
    }

    /// An access that races with this one.
    fn rival(&self, cell: usize, who: Who, access: Access) -> Option<(Mark, Access)> {
        if let Some(w) = self.writes.rival(cell, who, access) {
            return Some((w, if w.is_atomic() { Access::Atomic } else { Access::Store }));
        }
        match access {
            Access::Load => None,
            Access::Store | Access::Atomic | Access::AtomicReturn => {
                self.reads.rival(cell, who, access).map(|r| (r, Access::Load))
            }
        }
    }

    #[inline(always)]
    fn note(&mut self, cells: &Range<usize>, mark: Mark, access: Access) {
        match access {
            Access::Load => self.reads.note(cells, mark),
            Access::Store | Access::Atomic | Access::AtomicReturn => self.writes.note(cells, mark),
        }
    }
}

/// A row that is looked at as a whole: `true` if nothing is wrong with it, and its access is noted.
struct Whole<'a> {
    shared: &'a mut Shared,
    who: Who,
    lanes: Lanes<'a, u32>,
    bytes: u32,
    access: Access,
}

impl WithSimd for Whole<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Whole { shared, who, lanes, bytes, access } = self;
        let (_, high) = extent(lanes, 0, u32::MAX);
        if u64::from(high) + u64::from(bytes) > shared.bytes.len() as u64 {
            return false;
        }
        let runs = Runs::of(lanes, bytes);
        if shared.check_unwritten && access.gives() {
            for (from, end) in runs.iter() {
                if !shared.bytes.is_written(from, end) {
                    return false;
                }
            }
        }
        if !shared.check_races {
            return true;
        }
        let (mark, grain) = (Mark::of(who, access), shared.grain);
        for (from, end) in runs.iter() {
            let cells = grain.cells(from, end);
            let reads = access != Access::Load && shared.reads.race(&cells, who, access);
            if reads || shared.writes.race(&cells, who, access) {
                return false;
            }
        }
        for (from, end) in runs.iter() {
            shared.note(&grain.cells(from, end), mark, access);
        }
        true
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
