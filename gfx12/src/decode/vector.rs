//! VOP1, VOP2, VOPC, VOP3, VOP3SD, VOP3P and VOPD.
//!
//! Invariants
//! - Modifiers are checked against the operation's row; what the row does not allow is an error.
//! - Implicit operands that an explicit form of the same operation names are filled in.

use super::dpp::{dpp_word, is_dpp};
use super::operand::{LITERAL, Operands, VGPR, literal_place};
use super::{Cursor, Reason, bits, find, unused};
use crate::inst::{Dst, EXEC, Inst, Omod, Src, VCC};
use crate::ops::{CLAMP, DPP, DPP3, Format, Kind, OMOD, Op, OpInfo, SEL_HI};

/// Whether an operation writes EXEC rather than a mask.
#[must_use]
pub(crate) fn is_cmpx(op: Op) -> bool {
    op.mnemonic().starts_with("v_cmpx_")
}

/// Whether a vector operation writes a scalar register that is no mask.
#[must_use]
pub(crate) fn has_scalar_dst(op: Op) -> bool {
    matches!(op, Op::VReadlaneB32 | Op::VReadfirstlaneB32) || op.mnemonic().starts_with("v_s_")
}

/// Sources that must be scalar registers or constants, one bit each.
fn scalar_sources(op: Op) -> u8 {
    match op {
        Op::VReadlaneB32 => 0b010,
        Op::VWritelaneB32 => 0b011,
        Op::VPermlane16B32 | Op::VPermlanex16B32 => 0b110,
        _ if op.mnemonic().starts_with("v_s_") => 0b001,
        _ => 0,
    }
}

/// Sources that must be vector registers, one bit each.
fn vector_sources(op: Op) -> u8 {
    match op {
        Op::VReadlaneB32
        | Op::VReadfirstlaneB32
        | Op::VPermlane16B32
        | Op::VPermlanex16B32
        | Op::VPermlane64B32
        | Op::VSwapB32
        | Op::VSwaprelB32
        | Op::VMovrelsB32
        | Op::VMovrelsdB32
        | Op::VMovrelsd2B32 => 0b001,
        Op::VPermlane16VarB32 | Op::VPermlanex16VarB32 => 0b011,
        _ if op.mnemonic().starts_with("v_wmma_") => 0b011,
        _ if op.mnemonic().starts_with("v_swmmac_") => 0b111,
        _ => 0,
    }
}

fn check_register_files(inst: &Inst) -> Result<(), Reason> {
    let (scalar, vector) = (scalar_sources(inst.op), vector_sources(inst.op));
    for (place, &kind) in inst.op.info().src.iter().enumerate() {
        let is_vector = matches!(inst.src[place], Src::Vgpr(_));
        let is_mask = matches!(inst.src[place], Src::Sgpr(0..EXEC) | Src::Null);
        if kind == Kind::Mask && !is_mask {
            return Err(Reason::Source { op: inst.op, code: place as u16 });
        }
        let must_scalar = scalar >> place & 1 == 1;
        let must_vector = vector >> place & 1 == 1;
        if (is_vector && must_scalar) || (!is_vector && must_vector) {
            return Err(Reason::Source { op: inst.op, code: place as u16 });
        }
    }
    Ok(())
}

/// A vector register of VOP1, VOP2 or VOPC: of a 16-bit operand bit 7 says the high half.
fn halved(register: u8, kind: Kind) -> (u8, bool) {
    if kind.is_half() { (register & 0x7f, register & 0x80 != 0) } else { (register, false) }
}

/// A source of VOP1, VOP2 or VOPC.
fn set_short_source(
    inst: &mut Inst,
    operands: &Operands,
    place: usize,
    code: u16,
) -> Result<(), Reason> {
    let kind = inst.op.info().src[place];
    inst.src[place] = operands.source(code, kind)?;
    if let Src::Vgpr(register) = inst.src[place] {
        let (register, high) = halved(register, kind);
        inst.src[place] = Src::Vgpr(register);
        inst.op_sel |= u8::from(high) << place;
    }
    Ok(())
}

fn set_short_dst(inst: &mut Inst, operands: &Operands, vdst: u32) -> Result<(), Reason> {
    let info = inst.op.info();
    if info.dst == Kind::None {
        return unused(inst.op, "VDST", vdst);
    }
    if has_scalar_dst(inst.op) {
        inst.dst = operands.scalar_dst(vdst, info.dst)?;
    } else {
        let (register, high) = halved(vdst as u8, info.dst);
        inst.dst = Dst::Vgpr(register);
        inst.op_sel |= u8::from(high) << 3;
    }
    Ok(())
}

/// Takes the DPP word of VOP1, VOP2 or VOPC, and gives the number of the first source.
fn short_dpp(cursor: &mut Cursor<'_>, inst: &mut Inst, code: u16) -> Result<u16, Reason> {
    if !is_dpp(code) {
        return Ok(code);
    }
    let info = inst.op.info();
    if info.flags & DPP == 0 {
        return Err(Reason::Modifier { op: inst.op, modifier: "dpp", bits: code as u8 });
    }
    let word = dpp_word(inst.op, code, cursor.take()?)?;
    inst.neg = word.modifiers & 1 | word.modifiers >> 1 & 2;
    inst.abs = word.modifiers >> 1 & 1 | word.modifiers >> 2 & 2;
    check_mask(inst.op, "neg", inst.neg, info.neg)?;
    check_mask(inst.op, "abs", inst.abs, if info.abs == 0 { info.neg } else { info.abs })?;
    inst.dpp = Some(Box::new(word.dpp));
    Ok(VGPR + u16::from(word.vgpr))
}

fn check_mask(op: Op, modifier: &'static str, bits: u8, allowed: u8) -> Result<(), Reason> {
    if bits & !allowed == 0 { Ok(()) } else { Err(Reason::Modifier { op, modifier, bits }) }
}

pub(super) fn vop1(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Vop1, bits(word, 9, 8))?;
    let mut inst = Inst::new(op, Format::Vop1, cursor.pc);
    let mut operands = Operands::of(op);
    let code = bits(word, 0, 9) as u16;
    set_short_dst(&mut inst, &operands, bits(word, 17, 8))?;
    if op.info().src.is_empty() {
        unused(op, "SRC0", u32::from(code))?;
    } else {
        operands.take_literal(cursor, &[code])?;
        let code = short_dpp(cursor, &mut inst, code)?;
        set_short_source(&mut inst, &operands, 0, code)?;
    }
    check_register_files(&inst)?;
    Ok(cursor.finish(inst))
}

pub(super) fn vop2(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Vop2, bits(word, 25, 6))?;
    let info = op.info();
    let mut inst = Inst::new(op, Format::Vop2, cursor.pc);
    let mut operands = Operands::of(op);
    let code = bits(word, 0, 9) as u16;
    let vsrc1 = VGPR + bits(word, 9, 8) as u16;
    set_short_dst(&mut inst, &operands, bits(word, 17, 8))?;
    operands.take_literal(cursor, &[code])?;
    let code = short_dpp(cursor, &mut inst, code)?;
    set_short_source(&mut inst, &operands, 0, code)?;
    match literal_place(op) {
        Some(1) => {
            operands.must_literal(cursor)?;
            inst.src[1] = operands.literal(info.src[1])?;
            set_short_source(&mut inst, &operands, 2, vsrc1)?;
        }
        Some(_) => {
            operands.must_literal(cursor)?;
            set_short_source(&mut inst, &operands, 1, vsrc1)?;
            inst.src[2] = operands.literal(info.src[2])?;
        }
        None => set_short_source(&mut inst, &operands, 1, vsrc1)?,
    }
    fill_vcc(&mut inst);
    Ok(cursor.finish(inst))
}

/// What VOP2 and VOPD leave out: carries and conditions are in VCC.
fn fill_vcc(inst: &mut Inst) {
    let info = inst.op.info();
    if info.dst2 == Kind::Mask {
        inst.dst2 = Dst::Sgpr(VCC);
    }
    if info.src.get(2) == Some(&Kind::Mask) {
        inst.src[2] = Src::Sgpr(VCC);
    }
}

pub(super) fn vopc(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Vopc, bits(word, 17, 8))?;
    let mut inst = Inst::new(op, Format::Vopc, cursor.pc);
    let mut operands = Operands::of(op);
    let code = bits(word, 0, 9) as u16;
    inst.dst = Dst::Sgpr(if is_cmpx(op) { EXEC } else { VCC });
    operands.take_literal(cursor, &[code])?;
    let code = short_dpp(cursor, &mut inst, code)?;
    set_short_source(&mut inst, &operands, 0, code)?;
    set_short_source(&mut inst, &operands, 1, VGPR + bits(word, 9, 8) as u16)?;
    Ok(cursor.finish(inst))
}

/// The numbers of the three sources of VOP3 and VOP3P, after their literal or DPP word.
fn long_sources(
    cursor: &mut Cursor<'_>,
    inst: &mut Inst,
    operands: &mut Operands,
    second: u32,
) -> Result<[u16; 3], Reason> {
    let (op, info) = (inst.op, inst.op.info());
    let mut codes = [bits(second, 0, 9), bits(second, 9, 9), bits(second, 18, 9)].map(|c| c as u16);
    for (place, field) in ["SRC0", "SRC1", "SRC2"].into_iter().enumerate() {
        if place >= info.src.len() {
            unused(op, field, u32::from(codes[place]))?;
        }
    }
    operands.take_literal(cursor, &codes)?;
    if is_dpp(codes[0]) {
        if info.flags & DPP3 == 0 || codes.contains(&LITERAL) {
            return Err(Reason::Modifier { op, modifier: "dpp", bits: codes[0] as u8 });
        }
        let word = dpp_word(op, codes[0], cursor.take()?)?;
        check_mask(op, "modifiers in the DPP word", word.modifiers, 0)?;
        codes[0] = VGPR + u16::from(word.vgpr);
        inst.dpp = Some(Box::new(word.dpp));
    }
    Ok(codes)
}

pub(super) fn vop3(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let opcode = bits(word, 16, 10);
    let (op, format) = match find(Format::Vop3sd, opcode) {
        Ok(op) => (op, Format::Vop3sd),
        Err(_) => (find(Format::Vop3, opcode)?, Format::Vop3),
    };
    let info = op.info();
    let second = cursor.take()?;
    let mut inst = Inst::new(op, format, cursor.pc);
    let mut operands = Operands::of(op);
    if format == Format::Vop3sd {
        inst.dst2 = operands.scalar_dst(bits(word, 8, 7), info.dst2)?;
    } else {
        inst.abs = bits(word, 8, 3) as u8;
        inst.op_sel = bits(word, 11, 4) as u8;
    }
    inst.neg = bits(second, 29, 3) as u8;
    inst.clamp = bits(word, 15, 1) == 1;
    inst.omod = [Omod::None, Omod::Mul2, Omod::Mul4, Omod::Div2][bits(second, 27, 2) as usize];
    check_long_modifiers(&inst, info)?;
    let vdst = bits(word, 0, 8);
    inst.dst = match info.dst {
        Kind::None => return Err(Reason::Opcode { format, opcode: opcode as u16 }),
        Kind::Mask => operands.scalar_dst(vdst, Kind::Mask)?,
        _ if has_scalar_dst(op) => operands.scalar_dst(vdst, info.dst)?,
        _ => Dst::Vgpr(vdst as u8),
    };
    if is_cmpx(op) && inst.dst != Dst::Sgpr(EXEC) {
        return Err(Reason::Destination { op, code: vdst as u16 });
    }
    let codes = long_sources(cursor, &mut inst, &mut operands, second)?;
    for (place, &kind) in info.src.iter().enumerate() {
        inst.src[place] = operands.source(codes[place], kind)?;
    }
    if has_scalar_dst(op) && matches!(inst.dst, Dst::Sgpr(EXEC..)) {
        return Err(Reason::Destination { op, code: vdst as u16 });
    }
    check_register_files(&inst)?;
    Ok(cursor.finish(inst))
}

fn check_long_modifiers(inst: &Inst, info: &OpInfo) -> Result<(), Reason> {
    check_mask(inst.op, "neg", inst.neg, info.neg)?;
    check_mask(inst.op, "abs", inst.abs, info.abs)?;
    check_mask(inst.op, "op_sel", inst.op_sel, info.op_sel)?;
    check_mask(inst.op, "clamp", u8::from(inst.clamp), u8::from(info.flags & CLAMP != 0))?;
    let scaled = u8::from(inst.omod != Omod::None);
    check_mask(inst.op, "omod", scaled, u8::from(info.flags & OMOD != 0))
}

pub(super) fn vop3p(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let op = find(Format::Vop3p, bits(word, 16, 8))?;
    let info = op.info();
    let second = cursor.take()?;
    let mut inst = Inst::new(op, Format::Vop3p, cursor.pc);
    let mut operands = Operands::of(op);
    inst.neg = bits(second, 29, 3) as u8;
    inst.abs = bits(word, 8, 3) as u8;
    inst.op_sel = bits(word, 11, 3) as u8;
    inst.op_sel_hi = (bits(word, 14, 1) << 2 | bits(second, 27, 2)) as u8;
    inst.clamp = bits(word, 15, 1) == 1;
    check_long_modifiers(&inst, info)?;
    if info.flags & SEL_HI == 0 {
        // All ones says nothing.
        check_mask(op, "op_sel_hi", inst.op_sel_hi ^ 7, 0)?;
        inst.op_sel_hi = 0;
    } else {
        // Of two sources, nothing reads the third's half.
        inst.op_sel_hi &= (1u8 << info.src.len()) - 1;
    }
    inst.dst = Dst::Vgpr(bits(word, 0, 8) as u8);
    let codes = long_sources(cursor, &mut inst, &mut operands, second)?;
    for (place, &code) in codes.iter().enumerate().take(info.src.len()) {
        inst.src[place] = operands.source(code, inst.src_kind(place))?;
        let is_mix = info.src[place] == Kind::Mix;
        if is_mix && matches!(inst.src[place], Src::Literal(0x1_0000..)) {
            return Err(Reason::Source { op, code: LITERAL });
        }
    }
    let is_dot4 = op.mnemonic().starts_with("v_dot4_");
    let vectors = if is_dot4 { &inst.src[1..3] } else { &inst.src[1..2] };
    if inst.dpp.is_some() && vectors.iter().any(|src| !matches!(src, Src::Vgpr(_))) {
        return Err(Reason::Source { op, code: codes[1] });
    }
    let is_wmma = op.mnemonic().starts_with("v_wmma_");
    if is_wmma && !matches!(inst.src[2], Src::Vgpr(_) | Src::Const(_)) {
        return Err(Reason::Source { op, code: codes[2] });
    }
    check_register_files(&inst)?;
    Ok(cursor.finish(inst))
}

pub(super) fn vopd(cursor: &mut Cursor<'_>, word: u32) -> Result<Vec<Inst>, Reason> {
    let second = cursor.take()?;
    let op_x = find(Format::VopdX, bits(word, 22, 4))?;
    let op_y = find(Format::VopdY, bits(word, 17, 5))?;
    let (x0, y0) = (bits(word, 0, 9) as u16, bits(second, 0, 9) as u16);
    let (x1, y1) = (bits(word, 9, 8), bits(second, 9, 8));
    let vdst_x = bits(second, 24, 8) as u8;
    let vdst_y = (bits(second, 17, 7) << 1) as u8 | (!vdst_x & 1);
    let mut operands = Operands::of(op_x);
    operands.take_literal(cursor, &[x0, y0])?;
    if literal_place(op_x).is_some() || literal_place(op_y).is_some() {
        operands.must_literal(cursor)?;
    }
    let mut x = vopd_half(cursor.pc, (op_x, Format::VopdX), vdst_x, (x0, x1), &operands)?;
    let operands = operands.with_op(op_y);
    let mut y = vopd_half(cursor.pc, (op_y, Format::VopdY), vdst_y, (y0, y1), &operands)?;
    x.size_bytes = cursor.size_bytes();
    y.size_bytes = 0;
    Ok(vec![x, y])
}

fn vopd_half(
    pc: u64,
    (op, format): (Op, Format),
    vdst: u8,
    (src0, vsrc1): (u16, u32),
    operands: &Operands,
) -> Result<Inst, Reason> {
    let info = op.info();
    let mut inst = Inst::new(op, format, pc);
    inst.dst = Dst::Vgpr(vdst);
    inst.src[0] = operands.source(src0, info.src[0])?;
    let vsrc1_source = Src::Vgpr(vsrc1 as u8);
    match literal_place(op) {
        Some(1) => {
            inst.src[1] = operands.literal(info.src[1])?;
            inst.src[2] = vsrc1_source;
        }
        Some(_) => {
            inst.src[1] = vsrc1_source;
            inst.src[2] = operands.literal(info.src[2])?;
        }
        None if info.src.len() > 1 => inst.src[1] = vsrc1_source,
        None => unused(op, "VSRC1", vsrc1)?,
    }
    fill_vcc(&mut inst);
    Ok(inst)
}
