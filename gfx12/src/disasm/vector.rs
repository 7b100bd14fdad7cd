//! VOP1, VOP2, VOPC, VOP3, VOP3P and VOPD as text.

use super::{bit_list, byte_select, join, operand};
use crate::decode::vector::is_cmpx;
use crate::inst::{DppControl, Dst, Inst, Omod, Src};
use crate::ops::{Format, Kind, Op, SEL_HI};

pub(super) fn vector(inst: &Inst) -> String {
    let info = inst.op.info();
    let mut operands = Vec::new();
    if info.dst != Kind::None && !is_cmpx(inst.op) {
        operands.push(halved(operand::dst(inst.dst, info.dst), inst, 3));
    }
    if inst.dst2 != Dst::None {
        operands.push(operand::dst(inst.dst2, info.dst2));
    }
    for (place, &kind) in info.src.iter().enumerate() {
        let text = halved(operand::source(inst, place, kind), inst, place);
        operands.push(with_modifiers(text, inst, place));
    }
    let mnemonic = format!("{}{}", inst.op.mnemonic(), suffix(inst));
    join(&mnemonic, &operands) + &selection(inst) + &result(inst) + &dpp(inst)
}

/// Short encodings name the half of a register.
fn halved(text: String, inst: &Inst, place: usize) -> String {
    let short = matches!(inst.format, Format::Vop1 | Format::Vop2 | Format::Vopc);
    let high = inst.op_sel >> place & 1 == 1;
    let low_is_named = inst.op == Op::VMovB16 && text.starts_with('v');
    match (short && high, low_is_named) {
        (true, _) => text + ".h",
        (false, true) if inst.format == Format::Vop3 && high => text + ".h",
        (false, true) => text + ".l",
        (false, false) => text,
    }
}

/// `_e32` and `_e64` where both exist, `_dpp` where lanes cross.
fn suffix(inst: &Inst) -> &'static str {
    let has = |wanted: fn(&Format) -> bool| {
        inst.op.info().encodings.iter().any(|(format, _)| wanted(format))
    };
    let both = has(|format| matches!(format, Format::Vop1 | Format::Vop2 | Format::Vopc))
        && has(|format| matches!(format, Format::Vop3 | Format::Vop3sd));
    let short = matches!(inst.format, Format::Vop1 | Format::Vop2 | Format::Vopc);
    match (inst.dpp.is_some(), short) {
        (true, true) if inst.format == Format::Vopc => "",
        (true, true) => "_dpp",
        (true, false) => "_e64_dpp",
        (false, true) if both => "_e32",
        (false, false) if both => "_e64",
        (false, _) => "",
    }
}

fn with_modifiers(text: String, inst: &Inst, place: usize) -> String {
    let (neg, abs) = (inst.neg >> place & 1 == 1, inst.abs >> place & 1 == 1);
    let text = if abs { format!("|{text}|") } else { text };
    match (neg, inst.src[place]) {
        (true, Src::Const(_) | Src::Literal(_)) if !abs => format!("neg({text})"),
        (true, _) => format!("-{text}"),
        (false, _) => text,
    }
}

/// `op_sel` of VOP3, by whichever name the operation has for it.
fn selection(inst: &Inst) -> String {
    if let Some(byte) = byte_select(inst) {
        return if byte == 0 { String::new() } else { format!(" byte_sel:{byte}") };
    }
    let long = matches!(inst.format, Format::Vop3 | Format::Vop3sd);
    if inst.op_sel == 0 || !long || inst.op == Op::VMovB16 {
        return String::new();
    }
    let sources = inst.op.info().src.len();
    match inst.op {
        Op::VPermlane16B32
        | Op::VPermlanex16B32
        | Op::VPermlane16VarB32
        | Op::VPermlanex16VarB32 => bit_list("op_sel", inst.op_sel, 2),
        // The old destination counts as a source.
        Op::VFmacF16 => bit_list("op_sel", inst.op_sel & 3 | inst.op_sel & 8, 4),
        _ => {
            let low = inst.op_sel & ((1 << sources) - 1);
            let bits = low | (inst.op_sel >> 3 & 1) << sources;
            bit_list("op_sel", bits, sources + 1)
        }
    }
}

fn result(inst: &Inst) -> String {
    let clamp = if inst.clamp { " clamp" } else { "" };
    let omod = match inst.omod {
        Omod::None => "",
        Omod::Mul2 => " mul:2",
        Omod::Mul4 => " mul:4",
        Omod::Div2 => " div:2",
    };
    format!("{clamp}{omod}")
}

fn dpp(inst: &Inst) -> String {
    let Some(dpp) = &inst.dpp else { return String::new() };
    let inactive = if dpp.fetch_inactive { " fi:1" } else { "" };
    match dpp.control {
        DppControl::Dpp8(lanes) => {
            let lanes: Vec<String> = lanes.iter().map(u8::to_string).collect();
            format!(" dpp8:[{}]{inactive}", lanes.join(","))
        }
        DppControl::Dpp16 { control, row_mask, bank_mask, bound_ctrl } => {
            let bound = if bound_ctrl { " bound_ctrl:1" } else { "" };
            let pattern = pattern(control);
            format!(" {pattern} row_mask:{row_mask:#x} bank_mask:{bank_mask:#x}{bound}{inactive}")
        }
    }
}

fn pattern(control: u16) -> String {
    let by = control & 15;
    match control {
        0..=0xff => {
            let lanes: Vec<String> =
                (0..4).map(|lane| (control >> (2 * lane) & 3).to_string()).collect();
            format!("quad_perm:[{}]", lanes.join(","))
        }
        0x100..=0x10f => format!("row_shl:{by}"),
        0x110..=0x11f => format!("row_shr:{by}"),
        0x120..=0x12f => format!("row_ror:{by}"),
        0x140 => "row_mirror".to_owned(),
        0x141 => "row_half_mirror".to_owned(),
        0x150..=0x15f => format!("row_share:{by}"),
        _ => format!("row_xmask:{by}"),
    }
}

pub(super) fn packed(inst: &Inst) -> String {
    let info = inst.op.info();
    let count = info.src.len();
    let is_mix = info.src.first() == Some(&Kind::Mix);
    let mut operands = vec![operand::dst(inst.dst, info.dst)];
    for place in 0..count {
        let text = operand::source(inst, place, inst.src_kind(place));
        operands.push(if is_mix { with_modifiers(text, inst, place) } else { text });
    }
    let suffix = if inst.dpp.is_some() { "_e64_dpp" } else { "" };
    let mut text = join(&format!("{}{suffix}", inst.op.mnemonic()), &operands);
    let all = (1 << count) - 1;
    if inst.op.mnemonic().starts_with("v_swmmac_") {
        if inst.op_sel != 0 {
            text += &format!(" index_key:{}", inst.op_sel);
        }
    } else if inst.op_sel != 0 {
        text += &bit_list("op_sel", inst.op_sel, count);
    }
    let usual = if is_mix { 0 } else { all };
    if info.flags & SEL_HI != 0 && inst.op_sel_hi != usual {
        text += &bit_list("op_sel_hi", inst.op_sel_hi, count);
    }
    if !is_mix {
        if inst.neg != 0 {
            text += &bit_list("neg_lo", inst.neg, count);
        }
        if inst.abs != 0 {
            text += &bit_list("neg_hi", inst.abs, count);
        }
    }
    text + &result(inst) + &dpp(inst)
}

pub(super) fn dual(inst: &Inst) -> String {
    let info = inst.op.info();
    let mut operands = vec![operand::dst(inst.dst, info.dst)];
    for (place, &kind) in info.src.iter().enumerate() {
        // VCC is not named here.
        if kind != Kind::Mask {
            operands.push(operand::source(inst, place, kind));
        }
    }
    join(&inst.op.mnemonic().replacen("v_", "v_dual_", 1), &operands)
}
