//! What an executing wave has around it: memory, its group's barrier, and how it begins and stops. The contract between
//! `dispatch` and `exec`.
//!
//! Invariants
//! - A wave that waits has not moved: its instruction is executed again when it runs next.
//! - A barrier completes when every wave that has not ended has signalled; a wave that ends counts as signalled for good.
//! - What a wave did before a barrier has the epoch before it: `Env::who`.

use crate::mem::{Spaces, Who};

/// How a wave begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Index of the first instruction.
    pub index: u32,
    /// Vector registers that the kernel has.
    pub vgprs: u16,
    /// Lanes that there are.
    pub exec: u32,
    /// Scalar registers that hold something: number in encodings, value.
    pub sgprs: Vec<(u8, u32)>,
    /// Register 0: the work-item's ids along x (10 bits), y and z of each lane.
    pub v0: [u32; 32],
    /// Rounding, denormals and clamping of f16, as the kernel's descriptor says them (`rsrc1`).
    pub rsrc1: u32,
}

/// Why a wave does not go on for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// `s_endpgm`.
    Ended,
    /// It waits at a barrier that others have not reached.
    Waiting,
    /// It has executed as many instructions as it may for now.
    Paused,
}

/// What a wave of a group has done at the group's barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Arrival {
    /// The phase in which it has signalled and not waited yet.
    signalled: Option<u32>,
    /// The phase in which it began to wait without having signalled.
    awaited: Option<u32>,
    passed: u32,
    ended: bool,
}

/// The barrier of a group.
#[derive(Clone, Debug, Default)]
pub struct Barrier {
    waves: Vec<Arrival>,
    phase: u32,
    signals: u32,
    ended: u32,
}

/// A wave that signals a barrier twice without waiting at it: it would stand for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the wave signals a barrier twice without waiting at it")]
pub struct SignalledTwice;

impl Barrier {
    /// For so many waves.
    pub fn new(waves: usize) -> Barrier {
        Barrier { waves: vec![Arrival::default(); waves], phase: 0, signals: 0, ended: 0 }
    }

    /// As new, for so many waves.
    pub fn reset(&mut self, waves: usize) {
        self.waves.clear();
        self.waves.resize(waves, Arrival::default());
        (self.phase, self.signals, self.ended) = (0, 0, 0);
    }

    /// `s_barrier_signal`. Whether it is the first of its phase.
    pub fn signal(&mut self, wave: u8) -> Result<bool, SignalledTwice> {
        let arrival = &mut self.waves[usize::from(wave)];
        if arrival.signalled.is_some() {
            return Err(SignalledTwice);
        }
        arrival.signalled = Some(self.phase);
        self.signals += 1;
        let first = self.signals == 1;
        self.complete();
        Ok(first)
    }

    /// `s_barrier_wait`. Whether the wave goes on. One that has not signalled waits for the others' next phase.
    pub fn wait(&mut self, wave: u8) -> bool {
        let arrival = &mut self.waves[usize::from(wave)];
        let phase = arrival.signalled.unwrap_or(*arrival.awaited.get_or_insert(self.phase));
        if phase == self.phase {
            return false;
        }
        (arrival.signalled, arrival.awaited) = (None, None);
        arrival.passed += 1;
        true
    }

    /// A wave has ended.
    pub(crate) fn end(&mut self, wave: u8) {
        let arrival = &mut self.waves[usize::from(wave)];
        let outstanding = arrival.signalled == Some(self.phase);
        arrival.ended = true;
        self.ended += 1;
        // Its signal is counted among the ended from now on.
        self.signals -= u32::from(outstanding);
        arrival.signalled = None;
        if self.signals > 0 {
            self.complete();
        }
    }

    fn complete(&mut self) {
        if self.signals + self.ended == self.waves.len() as u32 {
            self.phase += 1;
            self.signals = 0;
        }
    }

    /// Barriers that a wave has passed.
    #[must_use]
    pub fn passed(&self, wave: u8) -> u32 {
        self.waves[usize::from(wave)].passed
    }
}

/// What an executing wave has around it.
#[derive(Debug)]
pub struct Env<'a> {
    /// All that it can address.
    pub spaces: Spaces<'a>,
    /// Its group's.
    pub barrier: &'a mut Barrier,
    /// Its number in the group.
    pub wave: u8,
    /// The epoch with which the group began.
    pub epoch: u32,
    /// Where the code object's address 0 is in the device's memory.
    pub code_base: u64,
    /// Approximations are off by up to a unit in the last place, and matrix sums in another order, by this seed.
    pub perturb: Option<u64>,
    /// Reading a register that nobody has written is an error.
    pub check_registers: bool,
}

impl Env<'_> {
    /// Who accesses shared memory: the instruction at this address of the code object.
    #[must_use]
    pub fn who(&self, pc: u64) -> Who {
        let epoch = self.epoch + self.barrier.passed(self.wave);
        Who { wave: self.wave, pc: pc as u32, epoch }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_signal_lets_all_go_on() {
        let mut barrier = Barrier::new(3);
        assert_eq!(barrier.signal(2), Ok(true));
        assert!(!barrier.wait(2));
        assert_eq!(barrier.signal(0), Ok(false));
        assert!(!barrier.wait(0));
        assert_eq!(barrier.signal(1), Ok(false));
        assert_eq!([2, 0, 1].map(|w| barrier.wait(w)), [true; 3]);
        // One may be a phase ahead, not two.
        assert_eq!(barrier.signal(0), Ok(true));
        assert_eq!(barrier.signal(0), Err(SignalledTwice));
        // One that does not signal is let through by nobody.
        assert!(!barrier.wait(1));
        barrier.signal(2).unwrap();
        assert!(!barrier.wait(1) && !barrier.wait(0));
        assert_eq!((barrier.passed(0), barrier.passed(1)), (1, 1));
    }

    #[test]
    fn a_wave_that_ended_is_not_waited_for() {
        let mut barrier = Barrier::new(3);
        barrier.end(1);
        barrier.signal(0).unwrap();
        assert!(!barrier.wait(0));
        // It signalled, and ended without waiting.
        barrier.signal(2).unwrap();
        assert!(barrier.wait(0));
        barrier.end(2);
        barrier.signal(0).unwrap();
        assert!(barrier.wait(0));
        barrier.signal(0).unwrap();
        assert!(barrier.wait(0));
    }

    #[test]
    fn an_ending_wave_completes_a_barrier() {
        let mut barrier = Barrier::new(2);
        barrier.signal(0).unwrap();
        assert!(!barrier.wait(0));
        barrier.end(1);
        assert!(barrier.wait(0));
    }
}
