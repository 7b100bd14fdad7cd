//! Executes instructions on a wave.
//!
//! Invariants:
//! - An instruction that is not known to the executor, or a modifier that it does not have, is an error that names it; it is
//!   never skipped. `Wave::next` stays at an instruction that failed.
//! - With `check_registers`, reading a register or a lane of one that nobody has written is an error; a plain copy carries
//!   "never written" along instead, and so does what is stored to scratch and loaded again.
//! - Arithmetic rounds to nearest and keeps subnormals; a kernel that wants another mode is refused.
//!
//! Deliberately absent: wave64, timing, and hazards that the compiler's waits exclude.

mod access;
mod atomic;
mod compare;
mod cross;
mod half;
mod lanes;
mod matrix;
mod memory;
mod notes;
mod packed;
mod plan;
mod scalar;
mod wave;
mod wide;
mod word;

pub(crate) use plan::Plan;
pub use wave::{POISON, Row, Wave};

use crate::env::{Env, Stop};
use crate::fault::Cause;
use crate::inst::{Dst, EXEC, Inst, Omod, Program, Src, VCC};
use crate::ops::{Format, Op};
use crate::sem::approx::{Approx, Perturb, approx_f16, approx_f32};
use lanes::Lanes;
use notes::{Class, NOTES, Note};
use pulp::{Arch, Simd, WithSimd};
use scalar::Flow;

/// What an execution may be asked for.
#[derive(Clone, Copy, Debug)]
struct Options {
    check_registers: bool,
    perturb: Option<Perturb>,
}

/// One kind of vector operation, compiled for the host's widest vectors; each kind is a function of its own.
macro_rules! vectorised {
    ($($name:ident = $module:ident),*) => {$(
        struct $name<'a, 'b>(&'a mut Lanes<'b>);

        impl WithSimd for $name<'_, '_> {
            type Output = bool;

            #[inline(always)]
            fn with_simd<S: Simd>(self, _: S) -> bool {
                $module::execute(self.0)
            }
        }
    )*};
}

vectorised!(
    Words = word,
    Comparisons = compare,
    Halves = half,
    Doubles = wide,
    Packed = packed,
    Matrices = matrix
);

/// The two halves of a pair, both read before either writes.
struct Pair<'a> {
    wave: &'a mut Wave,
    halves: [&'a Inst; 2],
    /// Lanes of each half's result that count as written.
    written: [u32; 2],
}

impl WithSimd for Pair<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Pair { wave, halves: [x, y], written } = self;
        let (Some(first), Some(second)) = (word::dual(wave, x), word::dual(wave, y)) else {
            return false;
        };
        let mask = wave.exec();
        for (half, row, written) in [(x, &first, written[0]), (y, &second, written[1])] {
            if let Dst::Vgpr(r) = half.dst {
                let register = usize::from(r);
                let before = wave.v_written[register];
                lanes::blend(wave, register, mask, row);
                if mask & !written != 0 {
                    wave.set_written(register, (before & !mask) | (written & mask));
                }
            }
        }
        true
    }
}

impl Wave {
    /// Executes at most `limit` instructions, until the wave ends or waits.
    ///
    /// # Errors
    /// What is wrong with the instruction at `next`.
    pub fn run(&mut self, program: &Program, env: &mut Env, limit: u64) -> Result<Stop, Cause> {
        supported_mode(self.rsrc1)?;
        let options = Options {
            check_registers: env.check_registers,
            perturb: env.perturb.map(|seed| Perturb { seed }),
        };
        let (notes, plans) = (&NOTES[..], program.plans());
        let (arch, end) = (Arch::new(), self.executed.saturating_add(limit));
        while self.executed < end {
            let Some(inst) = program.insts.get(self.next as usize) else {
                let last =
                    program.insts.last().map_or(program.base, |i| i.pc + u64::from(i.size_bytes));
                return Err(Cause::OutsideCode { address: last });
            };
            // What was written in all lanes needs no closer look.
            let check = options.check_registers && !self.has_written(&plans[self.next as usize]);
            match self.step(program, inst, notes, arch, env, &options, check)? {
                Flow::Next => self.next += 1,
                Flow::Jump(to) => self.next = to,
                Flow::Stop(Stop::Ended) => {
                    self.executed += 1;
                    return Ok(Stop::Ended);
                }
                Flow::Stop(stop) => return Ok(stop),
            }
            self.executed += 1;
        }
        Ok(Stop::Paused)
    }

    /// Executes one instruction; `check` asks for a look at the registers that it reads.
    #[inline]
    #[expect(
        clippy::too_many_arguments,
        reason = "all of them stay the same from step to step, in registers"
    )]
    fn step(
        &mut self,
        program: &Program,
        inst: &Inst,
        notes: &[Note],
        arch: Arch,
        env: &mut Env,
        options: &Options,
        check: bool,
    ) -> Result<Flow, Cause> {
        let note = &notes[inst.op as usize];
        if note.class == Class::Scalar {
            if !check {
                return scalar::execute(self, program, inst, env);
            }
            self.check_scalars(inst, note)?;
            let missing = if note.copy { self.missing_scalars(inst, note) } else { 0 };
            let flow = scalar::execute(self, program, inst, env)?;
            if let (Dst::Sgpr(to), true) = (inst.dst, missing != 0) {
                for n in (0..note.dwords[0]).filter(|n| missing >> n & 1 != 0) {
                    self.forget_sgpr(to + n);
                }
            }
            return Ok(flow);
        }
        if check && self.check(inst, note, options)? {
            return Ok(Flow::Next);
        }
        match note.class {
            Class::ScalarMemory => memory::scalar(self, inst, env)?,
            Class::Shared | Class::Vector => {
                self.inside(inst, note)?;
                memory::vector(self, inst, env, options)?;
            }
            Class::Cross => {
                self.inside(inst, note)?;
                if !cross::execute(self, inst, options)? {
                    return Err(Cause::Unsupported { what: inst.op.mnemonic().into() });
                }
            }
            Class::ScalarApprox => self.scalar_approx(inst, options)?,
            Class::Scalar
            | Class::Word
            | Class::Half
            | Class::Wide
            | Class::Compare
            | Class::Packed
            | Class::Matrix => {
                if inst.format == Format::VopdX {
                    return self.pair(program, inst, notes, arch, options, check);
                }
                let addend = self.high_addend(inst);
                self.vector(inst, note, arch, options)?;
                if let (Some(written), Dst::Vgpr(r)) = (addend, inst.dst) {
                    let high = usize::from(r.wrapping_add(1));
                    self.set_written(high, self.v_written[high] & (!self.exec() | written));
                }
            }
        }
        Ok(Flow::Next)
    }

    fn vector(
        &mut self,
        inst: &Inst,
        note: &Note,
        arch: Arch,
        options: &Options,
    ) -> Result<(), Cause> {
        self.inside(inst, note)?;
        if inst.omod != Omod::None {
            return Err(Cause::Unsupported {
                what: format!("{} with a scaled result", inst.op.mnemonic()),
            });
        }
        let mut mask = self.exec();
        let mut first = None;
        if let Some(dpp) = &inst.dpp {
            let (row, written) = cross::dpp(self, inst, dpp, options)?;
            (first, mask) = (Some(row), written);
        }
        if note.class == Class::Matrix && mask != u32::MAX {
            return Err(Cause::NotAllLanes { exec: mask });
        }
        let mut lanes = Lanes { wave: self, inst, mask, first, perturb: options.perturb };
        let lanes = &mut lanes;
        let done = match note.class {
            Class::Word => arch.dispatch(Words(lanes)),
            Class::Compare => arch.dispatch(Comparisons(lanes)),
            Class::Half => arch.dispatch(Halves(lanes)),
            Class::Wide => arch.dispatch(Doubles(lanes)),
            Class::Packed => arch.dispatch(Packed(lanes)),
            Class::Matrix => arch.dispatch(Matrices(lanes)),
            Class::Scalar
            | Class::ScalarMemory
            | Class::Cross
            | Class::ScalarApprox
            | Class::Shared
            | Class::Vector => false,
        };
        if done { Ok(()) } else { Err(Cause::Unsupported { what: inst.op.mnemonic().into() }) }
    }

    fn pair(
        &mut self,
        program: &Program,
        x: &Inst,
        notes: &[Note],
        arch: Arch,
        options: &Options,
        check: bool,
    ) -> Result<Flow, Cause> {
        let Some(y) =
            program.insts.get(self.next as usize + 1).filter(|y| y.format == Format::VopdY)
        else {
            return Err(Cause::Unsupported { what: "half a pair".into() });
        };
        let note = &notes[y.op as usize];
        self.inside(x, &notes[x.op as usize])?;
        self.inside(y, note)?;
        let copied = check && self.check(y, note, options)?;
        debug_assert!(!copied, "halves of a pair are not copied apart");
        let written = [x, y].map(|half| self.carried(half, notes));
        if !arch.dispatch(Pair { wave: self, halves: [x, y], written }) {
            return Err(Cause::Unsupported {
                what: format!("{} with {}", x.op.mnemonic(), y.op.mnemonic()),
            });
        }
        Ok(Flow::Jump(self.next + 2))
    }

    /// Lanes in which the high half of a 64-bit addend was written. Compilers that want the low half of the sum alone leave it
    /// out, so it makes the result's high half as unwritten as it is.
    #[inline(always)]
    fn high_addend(&self, inst: &Inst) -> Option<u32> {
        match (inst.op, inst.src[2]) {
            (Op::VMadCoU64U32 | Op::VMadCoI64I32, Src::Vgpr(r)) => {
                Some(self.v_written[usize::from(r.wrapping_add(1))])
            }
            _ => None,
        }
    }

    /// Lanes of a result that count as written: of a copy those of its source.
    fn carried(&self, inst: &Inst, notes: &[Note]) -> u32 {
        match inst.src[0] {
            Src::Vgpr(r) if notes[inst.op as usize].copy => self.v_written[usize::from(r)],
            Src::Sgpr(_) if notes[inst.op as usize].copy => {
                if self.missing_scalars(inst, &notes[inst.op as usize]) == 0 { u32::MAX } else { 0 }
            }
            _ => u32::MAX,
        }
    }

    /// An error if a destination is outside of the wave's registers.
    #[inline(always)]
    fn inside(&self, inst: &Inst, note: &Note) -> Result<(), Cause> {
        match inst.dst {
            Dst::Vgpr(r) if u16::from(r) + u16::from(note.dst) > self.v_count => {
                let register = u16::from(r) + u16::from(note.dst) - 1;
                Err(Cause::OutsideVgprs { register, count: self.v_count })
            }
            Dst::Vgpr(_) | Dst::None | Dst::Sgpr(_) | Dst::Null => Ok(()),
        }
    }

    /// An error if a register is read that nobody has written; `true` if the instruction was a copy of one and is done.
    #[inline(always)]
    fn check(&mut self, inst: &Inst, note: &Note, options: &Options) -> Result<bool, Cause> {
        let exec = if note.class == Class::Matrix { u32::MAX } else { self.exec() };
        if note.copy && inst.dpp.is_none() && matches!(inst.format, Format::Vop1 | Format::Vop3) {
            return Ok(self.copy_unwritten(inst, note, exec));
        }
        if note.copy && matches!(inst.format, Format::VopdX | Format::VopdY) {
            return Ok(false);
        }
        for (k, &src) in inst.src.iter().enumerate() {
            match src {
                // What is spilled need not have been written.
                Src::Vgpr(_) if k == 1 && inst.format == Format::Scratch => {}
                Src::Vgpr(r) if (k > 0 || inst.dpp.is_none()) && !note.own_check => {
                    let count = if note.class == Class::Vector && k == 0 {
                        address_dwords(inst)
                    } else if k == 2 && self.high_addend(inst).is_some() {
                        1
                    } else {
                        note.dwords[k]
                    };
                    let need = if inst.op == Op::DsSwizzleB32 { 0 } else { exec };
                    for n in 0..count {
                        cross::vgpr_readable(self, r.wrapping_add(n), need, options)?;
                    }
                }
                Src::Sgpr(r) => self.scalar_readable(r, scalar_dwords(inst, note, k))?,
                Src::Vgpr(_)
                | Src::None
                | Src::Null
                | Src::Scc
                | Src::Aperture(_)
                | Src::Const(_)
                | Src::Literal(_) => {}
            }
        }
        if let (Dst::Vgpr(r), true) = (inst.dst, note.old > 0) {
            for n in 0..note.old {
                cross::vgpr_readable(self, r.wrapping_add(n), exec, options)?;
            }
        }
        if note.vcc {
            self.scalar_readable(VCC, 1)?;
        }
        Ok(false)
    }

    /// The registers of a copy's scalar source that nobody has written, a bit each from the first on.
    fn missing_scalars(&self, inst: &Inst, note: &Note) -> u128 {
        match inst.src[0] {
            Src::Sgpr(r) => !(self.s_written >> r) & ((1 << note.dwords[0]) - 1),
            Src::None
            | Src::Vgpr(_)
            | Src::Null
            | Src::Scc
            | Src::Aperture(_)
            | Src::Const(_)
            | Src::Literal(_) => 0,
        }
    }

    fn check_scalars(&self, inst: &Inst, note: &Note) -> Result<(), Cause> {
        // Which lanes are active must be known.
        let is_copy = note.copy && inst.dst != Dst::Sgpr(EXEC);
        if is_copy || merges_masks(inst.op) {
            return Ok(());
        }
        for (k, &src) in inst.src.iter().enumerate() {
            if let Src::Sgpr(r) = src {
                self.scalar_readable(r, note.dwords[k])?;
            }
        }
        match (inst.op, inst.dst) {
            (Op::SCbranchVccz | Op::SCbranchVccnz, _) => self.scalar_readable(VCC, 1),
            (_, Dst::Sgpr(r)) => self.scalar_readable(r, note.old),
            (_, Dst::None | Dst::Null | Dst::Vgpr(_)) => Ok(()),
        }
    }

    #[inline(always)]
    fn scalar_readable(&self, register: u8, count: u8) -> Result<(), Cause> {
        let wanted = ((1u128 << count) - 1) << register;
        if self.s_written & wanted == wanted {
            return Ok(());
        }
        let missing = wanted & !self.s_written;
        Err(Cause::UnwrittenSgpr { register: missing.trailing_zeros() as u8 })
    }

    /// Copies a register to a vector one with the lanes of it that were never written; `true` if there are such lanes.
    fn copy_unwritten(&mut self, inst: &Inst, note: &Note, exec: u32) -> bool {
        let Dst::Vgpr(to) = inst.dst else {
            return false;
        };
        let written = match inst.src[0] {
            Src::Vgpr(from) => self.v_written[usize::from(from)],
            _ if self.missing_scalars(inst, note) != 0 => 0,
            _ => return false,
        };
        if written & exec == exec || u16::from(to) >= self.v_count {
            return false;
        }
        let mut spread = [0; 32];
        let row = *lanes::row_of(self, inst.src[0], &mut spread);
        let before = self.v_written[usize::from(to)];
        lanes::blend(self, usize::from(to), exec, &row);
        self.set_written(usize::from(to), (before & !exec) | (written & exec));
        true
    }

    /// An approximation of a scalar.
    fn scalar_approx(&mut self, inst: &Inst, options: &Options) -> Result<(), Cause> {
        let (which, half) = match inst.op {
            Op::VSExpF32 => (Approx::Exp, false),
            Op::VSLogF32 => (Approx::Log, false),
            Op::VSRcpF32 => (Approx::Rcp, false),
            Op::VSRsqF32 => (Approx::Rsq, false),
            Op::VSSqrtF32 => (Approx::Sqrt, false),
            Op::VSExpF16 => (Approx::Exp, true),
            Op::VSLogF16 => (Approx::Log, true),
            Op::VSRcpF16 => (Approx::Rcp, true),
            Op::VSRsqF16 => (Approx::Rsq, true),
            Op::VSSqrtF16 => (Approx::Sqrt, true),
            _ => return Err(Cause::Unsupported { what: inst.op.mnemonic().into() }),
        };
        if inst.omod != Omod::None || inst.clamp {
            return Err(Cause::Unsupported {
                what: format!("{} with a changed result", inst.op.mnemonic()),
            });
        }
        let sign = if half { 1 << 15 } else { 1u32 << 31 };
        let mut a = lanes::scalar32(self, inst.src[0]);
        a = if inst.abs & 1 == 1 { a & !sign } else { a };
        a = if inst.neg & 1 == 1 { a ^ sign } else { a };
        let value = if half {
            u32::from(approx_f16(which, a as u16, options.perturb))
        } else {
            approx_f32(which, f32::from_bits(a), options.perturb).to_bits()
        };
        if let Dst::Sgpr(r) = inst.dst {
            self.set_sgpr(r, value);
        }
        Ok(())
    }
}

/// Whether compilers merge masks of lanes by the operation: the bits of lanes that are not active may be anything, and a mask
/// of which nothing else was written yet begins so.
fn merges_masks(op: Op) -> bool {
    matches!(op, Op::SAndB32 | Op::SAndNot1B32 | Op::SOrB32 | Op::SOrNot1B32 | Op::SXorB32)
}

/// Registers of a scalar source; the base of a scalar or vector memory operation is an address.
#[inline(always)]
fn scalar_dwords(inst: &Inst, note: &Note, k: usize) -> u8 {
    match (note.class, inst.format) {
        (Class::Vector, Format::Global) => 2,
        (Class::Vector, _) => 1,
        _ => note.dwords[k],
    }
}

/// Registers of a vector address: two where there is no scalar base.
#[inline(always)]
fn address_dwords(inst: &Inst) -> u8 {
    let wide = matches!(inst.format, Format::Global | Format::Flat);
    if wide && matches!(inst.src[2], Src::Null | Src::None) { 2 } else { 1 }
}

/// An error unless the kernel wants rounding to nearest, subnormals kept and f16 overflow to infinity.
fn supported_mode(rsrc1: u32) -> Result<(), Cause> {
    let (rounding, subnormals, saturating) = (rsrc1 >> 12 & 15, rsrc1 >> 16 & 15, rsrc1 >> 26 & 1);
    if rounding == 0 && subnormals == 15 && saturating == 0 {
        return Ok(());
    }
    let what = format!(
        "a mode with rounding {rounding:#x}, subnormals {subnormals:#x}, f16 saturation {saturating}"
    );
    Err(Cause::Unsupported { what })
}
