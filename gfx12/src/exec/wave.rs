//! The state of one wave of 32 lanes.
//!
//! Invariants:
//! - A register that nobody has written is known as such, a vector register lane by lane, and holds a pattern that is easy
//!   to recognise.
//! - A register's bit in `v_whole` says that every lane of it was written; it follows `v_written`.
//! - EXEC, VCC, M0 and the TTMPs are scalar registers at their numbers in encodings.
//!
//! Deliberately absent: scratch and the place among other waves, which belong to whoever runs the wave.

use crate::env::Start;
use crate::inst::{EXEC, VCC};

/// A vector register: a value a lane.
pub type Row = [u32; 32];

/// What an unwritten register holds.
pub const POISON: u32 = 0xD9D9_D9D9;

/// The registers of a wave.
#[derive(Clone, Debug)]
pub struct Wave {
    /// Vector registers.
    pub v: Box<[Row; 256]>,
    /// Lanes of each vector register that were written.
    pub(super) v_written: Box<[u32; 256]>,
    /// Vector registers that were written in all lanes, a bit each.
    pub(super) v_whole: [u64; 4],
    /// Vector registers that the wave was given; a write to another one is an error.
    pub v_count: u16,
    /// Scalar registers by their numbers in encodings.
    pub s: [u32; 128],
    /// Scalar registers that were written, a bit each.
    pub s_written: u128,
    /// The scalar condition code.
    pub scc: bool,
    /// Rounding, denormals and clamping of f16 as the kernel's descriptor has them.
    pub rsrc1: u32,
    /// The index of the next instruction.
    pub next: u32,
    /// Instructions that were executed.
    pub executed: u64,
}

impl Wave {
    /// A wave as a launch begins it.
    #[must_use]
    pub fn begin(start: &Start) -> Self {
        let mut wave = Self {
            v: Box::new([[POISON; 32]; 256]),
            v_written: Box::new([0; 256]),
            v_whole: [0; 4],
            v_count: 0,
            s: [POISON; 128],
            s_written: 0,
            scc: false,
            rsrc1: 0,
            next: 0,
            executed: 0,
        };
        wave.restart(start);
        wave
    }

    /// Begins anew, with nothing written but what the launch gives.
    pub fn restart(&mut self, start: &Start) {
        for register in 0..usize::from(self.v_count) {
            self.v[register] = [POISON; 32];
        }
        self.v_written.fill(0);
        self.v_whole = [0; 4];
        self.v_count = start.vgprs.min(256);
        self.s = [POISON; 128];
        self.s_written = 0;
        self.scc = false;
        self.rsrc1 = start.rsrc1;
        self.next = start.index;
        self.executed = 0;
        self.set_sgpr(EXEC, start.exec);
        self.set_sgpr(EXEC + 1, 0);
        for &(register, value) in &start.sgprs {
            self.set_sgpr(register, value);
        }
        self.set_vgpr(0, start.v0);
    }

    /// Writes a scalar register.
    pub fn set_sgpr(&mut self, register: u8, value: u32) {
        let register = usize::from(register & 127);
        self.s[register] = value;
        self.s_written |= 1 << register;
    }

    /// Makes a scalar register one that nobody has written.
    pub(super) fn forget_sgpr(&mut self, register: u8) {
        let register = usize::from(register & 127);
        self.s[register] = POISON;
        self.s_written &= !(1 << register);
    }

    /// Writes two scalar registers.
    pub fn set_sgpr64(&mut self, register: u8, value: u64) {
        self.set_sgpr(register, value as u32);
        self.set_sgpr(register + 1, (value >> 32) as u32);
    }

    /// Writes all lanes of a vector register.
    pub fn set_vgpr(&mut self, register: u8, value: Row) {
        self.v[usize::from(register)] = value;
        self.wrote(usize::from(register), u32::MAX);
    }

    /// Says that lanes of a vector register were written.
    #[inline(always)]
    pub(super) fn wrote(&mut self, register: usize, lanes: u32) {
        let all = self.v_written[register] | lanes;
        self.v_written[register] = all;
        self.v_whole[register / 64] |= u64::from(all == u32::MAX) << (register % 64);
    }

    /// Says which lanes of a vector register were written, and that the others were not.
    pub(super) fn set_written(&mut self, register: usize, lanes: u32) {
        self.v_written[register] = 0;
        self.v_whole[register / 64] &= !(1 << (register % 64));
        self.wrote(register, lanes);
    }

    /// Lanes that are active.
    #[must_use]
    #[inline(always)]
    pub fn exec(&self) -> u32 {
        self.s[EXEC as usize]
    }

    /// The mask VCC.
    #[must_use]
    #[inline(always)]
    pub fn vcc(&self) -> u32 {
        self.s[VCC as usize]
    }

    /// Two scalar registers.
    #[must_use]
    #[inline(always)]
    pub fn sgpr64(&self, register: u8) -> u64 {
        let register = usize::from(register & 127);
        u64::from(self.s[register]) | (u64::from(self.s[(register + 1) & 127]) << 32)
    }
}
