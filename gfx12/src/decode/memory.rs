//! SMEM, DS, flat, global and scratch.
//!
//! Invariants
//! - An atomic that does not return has no destination.

use super::operand::{Operands, VGPR};
use super::{Cursor, Reason, bits, find, unused};
use crate::inst::{Dst, Inst, NULL, Src};
use crate::ops::{Format, Kind, Op};

/// Whether bit 0 of `th` says that the old value is returned.
#[must_use]
pub(crate) fn is_atomic(op: Op) -> bool {
    op.mnemonic().contains("_atomic_")
}

/// Whether a DS operation has two offsets of 8 bits.
#[must_use]
pub(crate) fn has_two_addresses(op: Op) -> bool {
    op.mnemonic().contains("_2addr_")
}

pub(super) fn smem(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Smem, bits(word, 13, 6))?;
    let info = op.info();
    let second = cursor.take()?;
    unused(op, "bits 20:19", bits(word, 19, 2))?;
    unused(op, "bit 24 of the second word", bits(second, 24, 1))?;
    let mut inst = Inst::new(op, Format::Smem, cursor.pc);
    let operands = Operands::of(op);
    let sdata = bits(word, 6, 7);
    if info.dst == Kind::None {
        unused(op, "bits 6:5 of SDATA", bits(sdata, 5, 2))?;
        inst.offset0 = sdata as u8;
    } else {
        if matches!(sdata, 125..) {
            return Err(Reason::Destination { op, code: sdata as u16 });
        }
        inst.dst = operands.scalar_dst(sdata, info.dst)?;
    }
    inst.src[0] = operands.source(2 * bits(word, 0, 6) as u16, Kind::U64)?;
    inst.src[1] = operands.source(bits(second, 25, 7) as u16, Kind::I32)?;
    inst.imm = signed_24(bits(second, 0, 24));
    inst.scope = bits(word, 21, 2) as u8;
    inst.th = bits(word, 23, 2) as u8;
    unused(op, "bit 25", bits(word, 25, 1))?;
    Ok(cursor.finish(inst))
}

pub(super) fn ds(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Ds, bits(word, 18, 8))?;
    let info = op.info();
    let second = cursor.take()?;
    unused(op, "bits 17:16", bits(word, 16, 2))?;
    let mut inst = Inst::new(op, Format::Ds, cursor.pc);
    let (offset0, offset1) = (bits(word, 0, 8), bits(word, 8, 8));
    if has_two_addresses(op) {
        (inst.offset0, inst.offset1) = (offset0 as u8, offset1 as u8);
    } else {
        inst.imm = (offset1 << 8 | offset0) as i32;
    }
    for (place, field) in ["ADDR", "DATA0", "DATA1"].into_iter().enumerate() {
        let register = bits(second, 8 * place as u32, 8);
        if place < info.src.len() {
            inst.src[place] = Src::Vgpr(register as u8);
        } else {
            unused(op, field, register)?;
        }
    }
    let vdst = bits(second, 24, 8);
    if info.dst == Kind::None {
        unused(op, "VDST", vdst)?;
    } else {
        inst.dst = Dst::Vgpr(vdst as u8);
    }
    Ok(cursor.finish(inst))
}

pub(super) fn flat(
    cursor: &mut Cursor<'_>,
    word: u32,
    format: Format,
) -> Result<Vec<Inst>, Reason> {
    let op = find(format, bits(word, 14, 8))?;
    let info = op.info();
    let (second, third) = (cursor.take()?, cursor.take()?);
    unused(op, "bits 13:7", bits(word, 7, 7))?;
    unused(op, "bits 23:22", bits(word, 22, 2))?;
    unused(op, "bits 16:8 of the second word", bits(second, 8, 9))?;
    unused(op, "bit 31 of the second word", bits(second, 31, 1))?;
    let mut inst = Inst::new(op, format, cursor.pc);
    inst.scope = bits(second, 18, 2) as u8;
    inst.th = bits(second, 20, 3) as u8;
    inst.imm = signed_24(bits(third, 8, 24));
    address(&mut inst, word, second, third)?;
    let data = bits(second, 23, 8);
    if info.src.len() > 1 {
        inst.src[1] = Src::Vgpr(data as u8);
    } else {
        unused(op, "VSRC", data)?;
    }
    let vdst = bits(second, 0, 8);
    if info.dst == Kind::None || (is_atomic(op) && inst.th & 1 == 0) {
        unused(op, "VDST", vdst)?;
    } else {
        inst.dst = Dst::Vgpr(vdst as u8);
    }
    Ok(cursor.finish(inst))
}

/// The vector and the scalar part of a flat address.
fn address(inst: &mut Inst, word: u32, second: u32, third: u32) -> Result<(), Reason> {
    let op = inst.op;
    let (saddr, vaddr) = (bits(word, 0, 7), bits(third, 0, 8));
    let with_vaddr = bits(second, 17, 1) == 1;
    let operands = Operands::of(op);
    if op.info().src.is_empty() {
        unused(op, "VADDR", vaddr)?;
        unused(op, "SVE", u32::from(with_vaddr))?;
        unused(op, "IOFFSET", inst.imm as u32)?;
        return unused(op, "SADDR", saddr ^ u32::from(NULL));
    }
    let kind = if inst.format == Format::Global { Kind::U64 } else { Kind::I32 };
    inst.src[2] = operands.source(saddr as u16, kind)?;
    if inst.format == Format::Scratch {
        if with_vaddr {
            inst.src[0] = Src::Vgpr(vaddr as u8);
        } else {
            unused(op, "VADDR", vaddr)?;
        }
        return Ok(());
    }
    if inst.format == Format::Flat {
        unused(op, "SADDR", saddr ^ u32::from(NULL))?;
    }
    unused(op, "SVE", u32::from(with_vaddr))?;
    inst.src[0] = operands.source(VGPR + vaddr as u16, Kind::Addr)?;
    Ok(())
}

fn signed_24(field: u32) -> i32 {
    (field << 8) as i32 >> 8
}
