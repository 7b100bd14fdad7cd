//! SOP1, SOP2, SOPC, SOPK and SOPP.

use super::operand::{Operands, literal_place};
use super::{Cursor, Reason, bits, find, unused};
use crate::inst::{Inst, Src};
use crate::ops::{Format, Kind, Op};

pub(super) fn sop1(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Sop1, bits(word, 8, 8))?;
    let info = op.info();
    let mut inst = Inst::new(op, Format::Sop1, cursor.pc);
    let mut operands = Operands::of(op);
    let (code, sdst) = (bits(word, 0, 8) as u16, bits(word, 16, 7));
    if info.dst == Kind::None {
        unused(op, "SDST", sdst)?;
    } else {
        inst.dst = operands.scalar_dst(sdst, info.dst)?;
    }
    if let Some(&kind) = info.src.first() {
        operands.take_literal(cursor, &[code])?;
        inst.src[0] = operands.source(code, kind)?;
        let jumps = matches!(op, Op::SSetpcB64 | Op::SSwappcB64);
        if jumps && !matches!(inst.src[0], Src::Sgpr(_)) {
            return Err(Reason::Source { op, code });
        }
    } else {
        unused(op, "SSRC0", u32::from(code))?;
    }
    Ok(cursor.finish(inst))
}

pub(super) fn sop2(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Sop2, bits(word, 23, 7))?;
    let info = op.info();
    let mut inst = Inst::new(op, Format::Sop2, cursor.pc);
    let mut operands = Operands::of(op);
    let codes = [bits(word, 0, 8) as u16, bits(word, 8, 8) as u16];
    inst.dst = operands.scalar_dst(bits(word, 16, 7), info.dst)?;
    operands.take_literal(cursor, &codes)?;
    match literal_place(op) {
        Some(place) => {
            operands.must_literal(cursor)?;
            inst.src[0] = operands.source(codes[0], info.src[0])?;
            inst.src[3 - place] = operands.source(codes[1], info.src[3 - place])?;
            inst.src[place] = operands.literal(info.src[place])?;
        }
        None => {
            inst.src[0] = operands.source(codes[0], info.src[0])?;
            inst.src[1] = operands.source(codes[1], info.src[1])?;
        }
    }
    Ok(cursor.finish(inst))
}

pub(super) fn sopc(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Sopc, bits(word, 16, 7))?;
    let info = op.info();
    let mut inst = Inst::new(op, Format::Sopc, cursor.pc);
    let mut operands = Operands::of(op);
    let codes = [bits(word, 0, 8) as u16, bits(word, 8, 8) as u16];
    operands.take_literal(cursor, &codes)?;
    inst.src[0] = operands.source(codes[0], info.src[0])?;
    inst.src[1] = operands.source(codes[1], info.src[1])?;
    Ok(cursor.finish(inst))
}

pub(super) fn sopk(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Sopk, bits(word, 23, 5))?;
    let info = op.info();
    let mut inst = Inst::new(op, Format::Sopk, cursor.pc);
    let operands = Operands::of(op);
    inst.imm = simm16(word);
    if info.dst == Kind::None {
        inst.src[0] = operands.source(bits(word, 16, 7) as u16, info.src[0])?;
    } else {
        inst.dst = operands.scalar_dst(bits(word, 16, 7), info.dst)?;
    }
    Ok(cursor.finish(inst))
}

pub(super) fn sopp(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Sopp, bits(word, 16, 7))?;
    let mut inst = Inst::new(op, Format::Sopp, cursor.pc);
    inst.imm = simm16(word);
    match op {
        Op::SWaitIdle | Op::SWakeup | Op::SCodeEnd => unused(op, "SIMM16", bits(word, 0, 16))?,
        Op::SSendmsg => unused(op, "bits 15:8 of SIMM16", bits(word, 8, 8))?,
        _ => {}
    }
    Ok(cursor.finish(inst))
}

fn simm16(word: u32) -> i32 {
    i32::from(word as u16 as i16)
}
