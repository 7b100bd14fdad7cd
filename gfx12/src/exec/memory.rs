//! Memory operations: addresses and data between registers and the three memories.
//!
//! Invariants:
//! - Only active lanes access memory and only their registers change.
//! - Data that is stored was written before: the registers of active lanes are checked by whoever calls. Scratch is the exception:
//!   compilers spill whole tuples of registers, so what was never written is never written there, nor in what it is loaded into.

use super::access::{Access, Load, atomic, plain};
use super::atomic::apply;
use super::lanes::{blend, scalar32, scalar64};
use super::wave::{Row, Wave};
use super::{Options, cross};
use crate::env::Env;
use crate::fault::Cause;
use crate::inst::{Dst, Inst, Src};
use crate::mem::{Lanes, Returns};
use crate::ops::{Format, Op};

/// Where the lanes of an instruction access memory.
enum Place {
    /// Flat or global.
    Wide([u64; 32]),
    /// Shared.
    Shared(Row),
    /// The lane's own.
    Scratch(Row),
}

/// Loads by the scalar unit.
pub(super) fn scalar(wave: &mut Wave, inst: &Inst, env: &mut Env) -> Result<(), Cause> {
    if inst.op == Op::SPrefetchData {
        return Ok(());
    }
    let offset = i64::from(inst.imm).wrapping_add(i64::from(scalar32(wave, inst.src[1])));
    let address = scalar64(wave, inst.src[0]).wrapping_add_signed(offset);
    let narrow = match inst.op {
        Op::SLoadU8 => Some(Load::Byte),
        Op::SLoadI8 => Some(Load::SignedByte),
        Op::SLoadU16 => Some(Load::Half),
        Op::SLoadI16 => Some(Load::SignedHalf),
        Op::SLoadB32
        | Op::SLoadB64
        | Op::SLoadB96
        | Op::SLoadB128
        | Op::SLoadB256
        | Op::SLoadB512 => None,
        _ => return Err(Cause::Unsupported { what: inst.op.mnemonic().into() }),
    };
    let Dst::Sgpr(dst) = inst.dst else {
        return Ok(());
    };
    if let Some(load) = narrow {
        let value = env.spaces.global.load_scalar_narrow(address, load.bytes())?;
        wave.set_sgpr(dst, extend(load, value));
        return Ok(());
    }
    // The scalar unit drops the two lowest bits.
    let (address, mut words) = (address & !3, [0; 16]);
    let words = &mut words[..usize::from(inst.op.info().dst.dwords())];
    let there = env.spaces.global.load_scalar(address, words)?;
    for (register, (n, &word)) in (dst..).zip(words.iter().enumerate()) {
        wave.set_sgpr(register, word);
        if n >= there {
            wave.forget_sgpr(register);
        }
    }
    Ok(())
}

/// A loaded value as the register has it.
fn extend(load: Load, value: u32) -> u32 {
    match load {
        Load::Byte | Load::Half | Load::Words(_) => value,
        Load::SignedByte => value as i8 as u32,
        Load::SignedHalf => value as i16 as u32,
    }
}

/// The register of a source that must be a vector one, as an index.
fn register(src: Src) -> usize {
    if let Src::Vgpr(r) = src { usize::from(r) } else { 0 }
}

fn place(wave: &Wave, inst: &Inst) -> Place {
    let imm = inst.imm;
    match inst.format {
        Format::Ds => {
            Place::Shared(wave.v[register(inst.src[0])].map(|at| at.wrapping_add(imm as u32)))
        }
        Format::Scratch => {
            let base = scalar32(wave, inst.src[2]).wrapping_add(imm as u32);
            match inst.src[0] {
                Src::Vgpr(r) => {
                    Place::Scratch(wave.v[usize::from(r)].map(|at| at.wrapping_add(base)))
                }
                _ => Place::Scratch([base; 32]),
            }
        }
        _ => {
            let r = register(inst.src[0]);
            let mut at = [0; 32];
            let low = &wave.v[r];
            if inst.src[2] == Src::Null || inst.src[2] == Src::None {
                let high = &wave.v[(r + 1) & 255];
                for l in 0..32 {
                    let base = u64::from(low[l]) | (u64::from(high[l]) << 32);
                    at[l] = base.wrapping_add_signed(i64::from(imm));
                }
            } else {
                let base = scalar64(wave, inst.src[2]).wrapping_add_signed(i64::from(imm));
                for l in 0..32 {
                    at[l] = base.wrapping_add(u64::from(low[l]));
                }
            }
            Place::Wide(at)
        }
    }
}

impl Place {
    /// Gives the lanes of each row that get what was written.
    fn load(
        &self,
        env: &mut Env,
        inst: &Inst,
        mask: u32,
        bytes: u32,
        out: &mut [Row],
    ) -> Result<[u32; 4], Cause> {
        let (who, scratch) = (env.who(inst.pc), &mut env.spaces.scratch);
        match self {
            Self::Wide(at) if inst.format == Format::Global => {
                env.spaces.global.load(Lanes { at, mask }, bytes, out)?
            }
            Self::Wide(at) => env.spaces.load(who, Lanes { at, mask }, bytes, out)?,
            Self::Shared(at) => env.spaces.shared.load(who, Lanes { at, mask }, bytes, out)?,
            Self::Scratch(at) if env.check_registers => {
                return Ok(scratch.restore(Lanes { at, mask }, bytes, out)?);
            }
            Self::Scratch(at) => scratch.load(Lanes { at, mask }, bytes, out)?,
        }
        Ok([u32::MAX; 4])
    }

    /// `written` has the lanes of each row that were written; only scratch takes others.
    fn store(
        &self,
        env: &mut Env,
        inst: &Inst,
        mask: u32,
        bytes: u32,
        rows: &[Row],
        written: &[u32],
    ) -> Result<(), Cause> {
        let who = env.who(inst.pc);
        match self {
            Self::Wide(at) if inst.format == Format::Global => {
                env.spaces.global.store(Lanes { at, mask }, bytes, rows)?
            }
            Self::Wide(at) => env.spaces.store(who, Lanes { at, mask }, bytes, rows)?,
            Self::Shared(at) => env.spaces.shared.store(who, Lanes { at, mask }, bytes, rows)?,
            Self::Scratch(at) if env.check_registers => {
                env.spaces.scratch.spill(Lanes { at, mask }, bytes, rows, written)?
            }
            Self::Scratch(at) => env.spaces.scratch.store(Lanes { at, mask }, bytes, rows)?,
        }
        Ok(())
    }

    fn atomic(
        &self,
        env: &mut Env,
        inst: &Inst,
        mask: u32,
        bytes: u32,
        op: impl FnMut(usize, u64) -> Option<u64>,
    ) -> Result<(), Cause> {
        let who = env.who(inst.pc);
        let gives = if inst.dst == Dst::None { Returns::Nothing } else { Returns::Old };
        let spaces = &mut env.spaces;
        match self {
            Self::Wide(at) if inst.format == Format::Global => {
                spaces.global.atomic(Lanes { at, mask }, bytes, gives, op)?
            }
            Self::Wide(at) => spaces.atomic(who, Lanes { at, mask }, bytes, gives, op)?,
            Self::Shared(at) => spaces.shared.atomic(who, Lanes { at, mask }, bytes, gives, op)?,
            Self::Scratch(at) => spaces.scratch.atomic(Lanes { at, mask }, bytes, gives, op)?,
        }
        Ok(())
    }
}

/// Memory operations of lanes.
pub(super) fn vector(
    wave: &mut Wave,
    inst: &Inst,
    env: &mut Env,
    options: &Options,
) -> Result<(), Cause> {
    if matches!(inst.op, Op::GlobalInv | Op::GlobalWb | Op::GlobalWbinv) {
        return Ok(());
    }
    if let Some(access) = plain(inst.op) {
        return access_plain(wave, inst, env, access);
    }
    if let Some((op, bytes)) = atomic(inst.op) {
        let data = register(inst.src[1]);
        let dwords = (bytes / 4) as usize;
        // The second operand follows the first, or is a register of its own.
        let second =
            if inst.format == Format::Ds { register(inst.src[2]) } else { (data + dwords) & 255 };
        return read_modify_write(
            wave,
            inst,
            env,
            &place(wave, inst),
            |old, wave, lane| {
                apply(
                    op,
                    bytes,
                    old,
                    value(wave, data, lane, bytes),
                    value(wave, second, lane, bytes),
                )
            },
            bytes,
            0,
        );
    }
    if inst.format == Format::Ds && two_addresses(wave, inst, env)? {
        return Ok(());
    }
    if lanes_through_shared(wave, inst, options)? {
        return Ok(());
    }
    Err(Cause::Unsupported { what: inst.op.mnemonic().into() })
}

fn value(wave: &Wave, register: usize, lane: usize, bytes: u32) -> u64 {
    let low = u64::from(wave.v[register][lane]);
    if bytes == 4 { low } else { low | (u64::from(wave.v[(register + 1) & 255][lane]) << 32) }
}

fn access_plain(wave: &mut Wave, inst: &Inst, env: &mut Env, access: Access) -> Result<(), Cause> {
    let mask = wave.exec();
    if mask == 0 {
        return Ok(());
    }
    let (at, mut rows) = (place(wave, inst), [[0; 32]; 4]);
    match (access, inst.dst) {
        (Access::Load(load), dst) => {
            let written = at.load(env, inst, mask, load.bytes(), &mut rows)?;
            if let (Load::SignedByte | Load::SignedHalf, row) = (load, &mut rows[0]) {
                *row = row.map(|word| extend(load, word));
            }
            let count = (load.bytes() as usize).div_ceil(4);
            if let Dst::Vgpr(r) = dst {
                for (n, row) in rows[..count].iter().enumerate() {
                    put(wave, usize::from(r) + n, mask, row, written[n]);
                }
            }
        }
        (Access::LoadHalf { load, high }, dst) => {
            let written = at.load(env, inst, mask, load.bytes(), &mut rows)?;
            if let Dst::Vgpr(r) = dst {
                let old = wave.v[usize::from(r)];
                let row = std::array::from_fn(|l| {
                    let half = extend(load, rows[0][l]) & 0xffff;
                    if high {
                        (old[l] & 0xffff) | (half << 16)
                    } else {
                        (old[l] & 0xffff_0000) | half
                    }
                });
                put(wave, usize::from(r), mask, &row, written[0]);
            }
        }
        (Access::Store { bytes, high }, _) => {
            let data = register(inst.src[1]);
            let data = data..data + (bytes as usize).div_ceil(4);
            let (stored, written) = (&wave.v[data.clone()], &wave.v_written[data]);
            if high {
                let row = stored[0].map(|word| word >> 16);
                at.store(env, inst, mask, bytes, &[row], written)?;
            } else {
                at.store(env, inst, mask, bytes, stored, written)?;
            }
        }
    }
    Ok(())
}

/// Writes a row of what was loaded; the lanes that got what nobody has written are as unwritten as that.
fn put(wave: &mut Wave, register: usize, mask: u32, row: &Row, written: u32) {
    let before = wave.v_written[register];
    blend(wave, register, mask, row);
    if mask & !written != 0 {
        wave.set_written(register, (before & !mask) | (written & mask));
    }
}

/// Each active lane in turn: the new value of its place, and the old one into the destination from register `after` on.
fn read_modify_write(
    wave: &mut Wave,
    inst: &Inst,
    env: &mut Env,
    at: &Place,
    new: impl Fn(u64, &Wave, usize) -> u64,
    bytes: u32,
    after: usize,
) -> Result<(), Cause> {
    let (mask, mut rows) = (wave.exec(), [[0; 32]; 2]);
    if mask == 0 {
        return Ok(());
    }
    at.atomic(env, inst, mask, bytes, |lane, old| {
        rows[0][lane] = old as u32;
        rows[1][lane] = (old >> 32) as u32;
        Some(new(old, wave, lane))
    })?;
    if let Dst::Vgpr(r) = inst.dst {
        for (n, row) in rows[..(bytes / 4) as usize].iter().enumerate() {
            blend(wave, usize::from(r) + after + n, mask, row);
        }
    }
    Ok(())
}

/// Shared memory at two offsets of one address; `false` if the operation is not one of these.
fn two_addresses(wave: &mut Wave, inst: &Inst, env: &mut Env) -> Result<bool, Cause> {
    let (bytes, stride) = match inst.op {
        Op::DsLoad2addrB32 | Op::DsStore2addrB32 | Op::DsStorexchg2addrRtnB32 => (4, 1),
        Op::DsLoad2addrStride64B32
        | Op::DsStore2addrStride64B32
        | Op::DsStorexchg2addrStride64RtnB32 => (4, 64),
        Op::DsLoad2addrB64 | Op::DsStore2addrB64 | Op::DsStorexchg2addrRtnB64 => (8, 1),
        Op::DsLoad2addrStride64B64
        | Op::DsStore2addrStride64B64
        | Op::DsStorexchg2addrStride64RtnB64 => (8, 64),
        _ => return Ok(false),
    };
    let (mask, dwords) = (wave.exec(), (bytes / 4) as usize);
    if mask == 0 {
        return Ok(true);
    }
    let base = wave.v[register(inst.src[0])];
    let mut loaded = [[0; 32]; 4];
    for (n, offset) in [inst.offset0, inst.offset1].into_iter().enumerate() {
        let at = Place::Shared(base.map(|at| at.wrapping_add(u32::from(offset) * bytes * stride)));
        let data = register(inst.src[(1 + n).min(3)]);
        if inst.src[1] == Src::None {
            at.load(env, inst, mask, bytes, &mut loaded[n * dwords..])?;
        } else if inst.dst == Dst::None {
            let data = data..data + dwords;
            at.store(env, inst, mask, bytes, &wave.v[data.clone()], &wave.v_written[data])?;
        } else {
            read_modify_write(
                wave,
                inst,
                env,
                &at,
                |_, wave, lane| value(wave, data, lane, bytes),
                bytes,
                n * dwords,
            )?;
        }
    }
    if let (Dst::Vgpr(r), Src::None) = (inst.dst, inst.src[1]) {
        for (n, row) in loaded[..2 * dwords].iter().enumerate() {
            blend(wave, usize::from(r) + n, mask, row);
        }
    }
    Ok(true)
}

/// Operations that move values between lanes by way of shared memory's crossbar, without touching it.
fn lanes_through_shared(wave: &mut Wave, inst: &Inst, options: &Options) -> Result<bool, Cause> {
    let exec = wave.exec();
    let offset = inst.imm as u32;
    let first = wave.v[register(inst.src[0])];
    let mut out = [0; 32];
    match inst.op {
        Op::DsBpermuteB32 => {
            let data = register(inst.src[1]);
            for (l, value) in out.iter_mut().enumerate().filter(|(l, _)| exec >> l & 1 == 1) {
                let lane = first[l].wrapping_add(offset) as usize / 4 % 32;
                // A lane that is not active gives nothing: zero.
                if exec >> lane & 1 == 1 {
                    *value = wave.v[data][lane];
                }
            }
        }
        Op::DsPermuteB32 => {
            let data = register(inst.src[1]);
            for l in (0..32).filter(|l| exec >> l & 1 == 1) {
                // Lanes write in their order, so that the highest wins.
                out[first[l].wrapping_add(offset) as usize / 4 % 32] = wave.v[data][l];
            }
        }
        Op::DsSwizzleB32 if offset >= 0xe000 => {
            return Err(Cause::Unsupported { what: "ds_swizzle_b32 in FFT mode".into() });
        }
        Op::DsSwizzleB32 => {
            for (l, value) in out.iter_mut().enumerate().filter(|(l, _)| exec >> l & 1 == 1) {
                let lane = swizzled(offset, l);
                if exec >> lane & 1 == 1 {
                    cross::vgpr_readable(wave, register(inst.src[0]) as u8, 1 << lane, options)?;
                    *value = first[lane];
                }
            }
        }
        _ => return Ok(false),
    }
    if let Dst::Vgpr(r) = inst.dst {
        blend(wave, usize::from(r), exec, &out);
    }
    Ok(true)
}

/// The lane that a lane reads in `ds_swizzle_b32`: a quad's choice, a rotation, or masks of the lane's number.
fn swizzled(pattern: u32, lane: usize) -> usize {
    if pattern >= 0xc000 {
        // Rotation: bit 10 the direction, 9 to 5 how far, 4 to 0 the bits of the number that stay.
        let by = (pattern >> 5 & 31) as usize;
        let mask = (pattern & 31) as usize;
        let turned = if pattern >> 10 & 1 == 1 { lane + 32 - by } else { lane + by };
        return (lane & mask) | (turned & 31 & !mask);
    }
    if pattern & 0x8000 != 0 {
        return (lane & !3) | (pattern >> (2 * (lane & 3)) & 3) as usize;
    }
    let (and, or, xor) = (pattern & 31, pattern >> 5 & 31, pattern >> 10 & 31);
    (((lane as u32 & and) | or) ^ xor) as usize
}
