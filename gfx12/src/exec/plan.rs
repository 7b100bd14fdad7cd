//! Which registers an instruction may read, as sets: one look says that all of them were written, which they nearly always are.
//!
//! Invariants:
//! - A plan has every register that `Wave::check` looks at; where all of them were written in all lanes, it has nothing to say.
//! - The plan of the first half of a pair has the registers of both.
//!
//! Deliberately absent: registers by number and lanes of other lanes, which are looked at where they are read.

use super::notes::{Class, NOTES, Note};
use super::wave::Wave;
use super::{address_dwords, scalar_dwords};
use crate::inst::{Dst, Inst, Src, VCC};
use crate::ops::{Format, Op};

/// The registers that an instruction may read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Vector registers, a bit each.
    vector: [u64; 4],
    /// Scalar registers, a bit each.
    scalar: u128,
}

impl Plan {
    /// The plans of a program's instructions.
    pub(crate) fn all(insts: &[Inst]) -> Vec<Plan> {
        let mut plans: Vec<Plan> = insts.iter().map(Plan::of).collect();
        for (i, inst) in insts.iter().enumerate() {
            if inst.format == Format::VopdX
                && let Some(&second) = plans.get(i + 1)
            {
                plans[i].join(second);
            }
        }
        plans
    }

    fn of(inst: &Inst) -> Plan {
        let note: &Note = &NOTES[inst.op as usize];
        let mut plan = Plan::default();
        for (k, &src) in inst.src.iter().enumerate() {
            match src {
                Src::Vgpr(r) if note.class == Class::Vector && k == 0 => {
                    plan.vector(r, address_dwords(inst));
                }
                Src::Vgpr(r) => plan.vector(r, note.dwords[k]),
                Src::Sgpr(r) => plan.scalar(r, scalar_dwords(inst, note, k)),
                Src::None
                | Src::Null
                | Src::Scc
                | Src::Aperture(_)
                | Src::Const(_)
                | Src::Literal(_) => {}
            }
        }
        match inst.dst {
            Dst::Vgpr(r) => plan.vector(r, note.old),
            Dst::Sgpr(r) => plan.scalar(r, note.old),
            Dst::None | Dst::Null => {}
        }
        if note.vcc || matches!(inst.op, Op::SCbranchVccz | Op::SCbranchVccnz) {
            plan.scalar(VCC, 1);
        }
        plan
    }

    fn vector(&mut self, first: u8, count: u8) {
        for n in 0..count {
            let register = usize::from(first.wrapping_add(n));
            self.vector[register / 64] |= 1 << (register % 64);
        }
    }

    fn scalar(&mut self, first: u8, count: u8) {
        self.scalar |= ((1u128 << count) - 1) << first;
    }

    fn join(&mut self, other: Plan) {
        for (mine, its) in self.vector.iter_mut().zip(other.vector) {
            *mine |= its;
        }
        self.scalar |= other.scalar;
    }
}

impl Wave {
    /// Whether all registers of a plan were written in all lanes.
    #[inline(always)]
    pub(super) fn has_written(&self, plan: &Plan) -> bool {
        let mut missing = 0;
        for (wanted, whole) in plan.vector.iter().zip(self.v_whole) {
            missing |= wanted & !whole;
        }
        missing == 0 && plan.scalar & !self.s_written == 0
    }
}
