//! Vector operations that move values between lanes or choose registers by a number.
//!
//! Invariants:
//! - Which lane reads which is what the ISA's text says; the tests hold each pattern to a table written from it.

use super::Options;
use super::lanes::{blend, row_of, scalar32};
use super::wave::{Row, Wave};
use crate::fault::Cause;
use crate::inst::{Dpp, DppControl, Dst, Inst, M0, Src};
use crate::ops::Op;

/// The source row of a DPP instruction and the lanes that are written, of those that are active.
pub(super) fn dpp(
    wave: &Wave,
    inst: &Inst,
    dpp: &Dpp,
    options: &Options,
) -> Result<(Row, u32), Cause> {
    let exec = wave.exec();
    let mut spread = [0; 32];
    let row = row_of(wave, inst.src[0], &mut spread);
    let zeroes = match dpp.control {
        DppControl::Dpp16 { bound_ctrl, .. } => bound_ctrl,
        // DPP8 never leaves its eight lanes; a disabled one reads as zero.
        DppControl::Dpp8(_) => true,
    };
    let mut out = [0; 32];
    let mut written = exec & dpp.write_lanes;
    for (l, value) in out.iter_mut().enumerate() {
        let lane = dpp.lanes[l];
        let valid = lane != Dpp::OUTSIDE && (dpp.fetch_inactive || exec >> lane & 1 == 1);
        if valid {
            *value = row[usize::from(lane)];
            if written >> l & 1 == 1 {
                readable(wave, inst.src[0], 1 << lane, options)?;
            }
        } else if !zeroes {
            written &= !(1 << l);
        }
    }
    Ok((out, written))
}

/// An error if a lane of a vector register is read that nobody has written.
fn readable(wave: &Wave, src: Src, lanes: u32, options: &Options) -> Result<(), Cause> {
    match src {
        Src::Vgpr(register) => vgpr_readable(wave, register, lanes, options),
        Src::None
        | Src::Sgpr(_)
        | Src::Null
        | Src::Scc
        | Src::Aperture(_)
        | Src::Const(_)
        | Src::Literal(_) => Ok(()),
    }
}

/// An error if a lane of a vector register is read that nobody has written.
pub(super) fn vgpr_readable(
    wave: &Wave,
    register: u8,
    lanes: u32,
    options: &Options,
) -> Result<(), Cause> {
    let missing = lanes & !wave.v_written[usize::from(register)];
    if missing != 0 && options.check_registers {
        return Err(Cause::UnwrittenVgpr {
            register: register.into(),
            lane: missing.trailing_zeros() as u8,
        });
    }
    Ok(())
}

/// Executes an operation of this kind; `false` if it is not one.
pub(super) fn execute(wave: &mut Wave, inst: &Inst, options: &Options) -> Result<bool, Cause> {
    match inst.op {
        Op::VReadfirstlaneB32 => {
            let lane = if wave.exec() == 0 { 0 } else { wave.exec().trailing_zeros() };
            read_lane(wave, inst, lane, options)?;
        }
        Op::VReadlaneB32 => {
            let lane = scalar32(wave, inst.src[1]) & 31;
            read_lane(wave, inst, lane, options)?;
        }
        Op::VWritelaneB32 => {
            let (value, lane) = (scalar32(wave, inst.src[0]), scalar32(wave, inst.src[1]) & 31);
            if let Dst::Vgpr(r) = inst.dst {
                blend(wave, usize::from(r), 1 << lane, &[value; 32]);
            }
        }
        Op::VPermlane16B32
        | Op::VPermlanex16B32
        | Op::VPermlane16VarB32
        | Op::VPermlanex16VarB32 => {
            permlane(wave, inst, options)?;
        }
        // Lanes 32 to 63 do not exist; in a wave of 32 lanes the operation does nothing.
        Op::VPermlane64B32 => {
            let row = source(wave, inst, 0);
            write(wave, inst.dst, 0, &row);
        }
        Op::VMovreldB32 => {
            let row = source(wave, inst, 0);
            write(wave, inst.dst, wave.s[M0 as usize], &row);
        }
        Op::VMovrelsB32 => move_relative(wave, inst, wave.s[M0 as usize], 0, options)?,
        Op::VMovrelsdB32 => {
            move_relative(wave, inst, wave.s[M0 as usize], wave.s[M0 as usize], options)?
        }
        Op::VMovrelsd2B32 => {
            let m0 = wave.s[M0 as usize];
            move_relative(wave, inst, m0 & 0x3ff, (m0 >> 16) & 0x3ff, options)?;
        }
        Op::VSwapB32 => swap(wave, inst, 0, 0),
        Op::VSwaprelB32 => {
            let m0 = wave.s[M0 as usize];
            swap(wave, inst, m0 & 0x3ff, (m0 >> 16) & 0x3ff);
        }
        Op::VNop => {}
        _ => return Ok(false),
    }
    Ok(true)
}

fn source(wave: &Wave, inst: &Inst, k: usize) -> Row {
    let mut spread = [0; 32];
    *row_of(wave, inst.src[k], &mut spread)
}

/// Writes the active lanes of a register that is so many after the destination.
fn write(wave: &mut Wave, dst: Dst, after: u32, row: &Row) {
    if let Dst::Vgpr(r) = dst {
        let exec = wave.exec();
        blend(wave, (usize::from(r) + after as usize) & 255, exec, row);
    }
}

fn read_lane(wave: &mut Wave, inst: &Inst, lane: u32, options: &Options) -> Result<(), Cause> {
    readable(wave, inst.src[0], 1 << lane, options)?;
    let value = source(wave, inst, 0)[lane as usize];
    if let Dst::Sgpr(r) = inst.dst {
        wave.set_sgpr(r, value);
    }
    Ok(())
}

fn move_relative(
    wave: &mut Wave,
    inst: &Inst,
    from: u32,
    to: u32,
    options: &Options,
) -> Result<(), Cause> {
    let Src::Vgpr(first) = inst.src[0] else {
        return Err(Cause::Unsupported { what: "a relative move from a scalar".into() });
    };
    let register = (u32::from(first) + from) & 255;
    vgpr_readable(wave, register as u8, wave.exec(), options)?;
    let row = wave.v[register as usize];
    write(wave, inst.dst, to, &row);
    Ok(())
}

fn swap(wave: &mut Wave, inst: &Inst, from: u32, to: u32) {
    if let (Src::Vgpr(a), Dst::Vgpr(b)) = (inst.src[0], inst.dst) {
        let (a, b) = ((usize::from(a) + from as usize) & 255, (usize::from(b) + to as usize) & 255);
        let (row_a, row_b, exec) = (wave.v[a], wave.v[b], wave.exec());
        blend(wave, a, exec, &row_b);
        blend(wave, b, exec, &row_a);
    }
}

/// Each lane reads a lane of its own row of sixteen, or of the other row.
///
/// The fixed form has sixteen nibbles in two scalars, the same for both rows; the variable form takes them from the lane.
/// `op_sel` 0 allows inactive lanes to be read, and `op_sel` 1 makes them zero; otherwise the lane keeps what it had.
fn permlane(wave: &mut Wave, inst: &Inst, options: &Options) -> Result<(), Cause> {
    let other_row = matches!(inst.op, Op::VPermlanex16B32 | Op::VPermlanex16VarB32);
    let variable = matches!(inst.op, Op::VPermlane16VarB32 | Op::VPermlanex16VarB32);
    let (row, exec) = (source(wave, inst, 0), wave.exec());
    let choices = if variable {
        source(wave, inst, 1)
    } else {
        let nibbles =
            u64::from(scalar32(wave, inst.src[1])) | (u64::from(scalar32(wave, inst.src[2])) << 32);
        std::array::from_fn(|l| (nibbles >> (4 * (l % 16))) as u32)
    };
    let (fetch_inactive, bound_ctrl) = (inst.op_sel & 1 != 0, inst.op_sel & 2 != 0);
    let (mut out, mut written) = ([0; 32], exec);
    for (l, value) in out.iter_mut().enumerate() {
        let base = if other_row { 16 - (l & 16) } else { l & 16 };
        let lane = base + (choices[l] & 15) as usize;
        if fetch_inactive || exec >> lane & 1 == 1 {
            *value = row[lane];
            if written >> l & 1 == 1 {
                readable(wave, inst.src[0], 1 << lane, options)?;
            }
        } else if !bound_ctrl {
            written &= !(1 << l);
        }
    }
    if let Dst::Vgpr(r) = inst.dst {
        blend(wave, usize::from(r), written, &out);
    }
    Ok(())
}
