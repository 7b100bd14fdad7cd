//! SMEM, DS, flat, global and scratch as text.

use super::{join, operand};
use crate::decode::memory::{has_two_addresses, is_atomic};
use crate::inst::{Dst, Inst, Src};
use crate::ops::{Format, Kind, Op};

pub(super) fn smem(inst: &Inst) -> String {
    let info = inst.op.info();
    let sign = if inst.imm < 0 { "-" } else { "" };
    let offset = format!("{sign}{:#x}", inst.imm.unsigned_abs());
    let base = operand::src(inst.src[0], Kind::U64);
    let register = operand::src(inst.src[1], Kind::I32);
    if info.dst == Kind::None {
        return join(inst.op.mnemonic(), &[base, offset, register, inst.offset0.to_string()]);
    }
    let dst = operand::dst(inst.dst, info.dst);
    let text = match inst.src[1] {
        Src::Null => join(inst.op.mnemonic(), &[dst, base, offset]),
        _ => join(inst.op.mnemonic(), &[dst, base, register]) + " offset:" + &offset,
    };
    text + &cache_policy(inst)
}

pub(super) fn ds(inst: &Inst) -> String {
    let info = inst.op.info();
    let mut operands = Vec::new();
    if inst.dst != Dst::None {
        operands.push(operand::dst(inst.dst, info.dst));
    }
    for (place, &kind) in info.src.iter().enumerate() {
        operands.push(operand::src(inst.src[place], kind));
    }
    let mut text = join(inst.op.mnemonic(), &operands);
    if has_two_addresses(inst.op) {
        for (name, offset) in [("offset0", inst.offset0), ("offset1", inst.offset1)] {
            if offset != 0 {
                text += &format!(" {name}:{offset}");
            }
        }
    } else if inst.imm != 0 {
        text += " offset:";
        text += &match inst.op {
            Op::DsSwizzleB32 => swizzle(inst.imm as u16),
            _ => inst.imm.to_string(),
        };
    }
    text
}

/// The pattern of `ds_swizzle_b32`.
fn swizzle(imm: u16) -> String {
    if imm & 0xff00 == 0x8000 {
        let lanes: Vec<String> = (0..4).map(|lane| (imm >> (2 * lane) & 3).to_string()).collect();
        return format!("swizzle(QUAD_PERM,{})", lanes.join(","));
    }
    if imm & 0x8000 != 0 {
        return imm.to_string();
    }
    let (and, or, xor) = (imm & 31, imm >> 5 & 31, imm >> 10 & 31);
    if and == 31 && or == 0 && xor.is_power_of_two() {
        return format!("swizzle(SWAP,{xor})");
    }
    if and == 31 && or == 0 && xor > 0 && (xor + 1).is_power_of_two() {
        return format!("swizzle(REVERSE,{})", xor + 1);
    }
    let lanes = 32 - and;
    if lanes > 1 && lanes.is_power_of_two() && or < lanes && xor == 0 {
        return format!("swizzle(BROADCAST,{lanes},{or})");
    }
    let (from_zeros, from_ones) = (or ^ xor, (and | or) ^ xor);
    let mask: String = (0..5)
        .rev()
        .map(|bit| match (from_zeros >> bit & 1, from_ones >> bit & 1) {
            (0, 0) => '0',
            (1, 1) => '1',
            (0, _) => 'p',
            (_, _) => 'i',
        })
        .collect();
    format!("swizzle(BITMASK_PERM,\"{mask}\")")
}

pub(super) fn flat(inst: &Inst) -> String {
    let info = inst.op.info();
    let mut operands = Vec::new();
    if inst.dst != Dst::None {
        operands.push(operand::dst(inst.dst, info.dst));
    }
    if !info.src.is_empty() {
        operands.push(operand::src(inst.src[0], inst.src_kind(0)));
        if info.src.len() > 1 {
            operands.push(operand::src(inst.src[1], info.src[1]));
        }
        match (inst.format, inst.src[2]) {
            (Format::Flat, _) => {}
            (_, Src::Null) => operands.push("off".to_owned()),
            (_, base) => operands.push(operand::src(base, inst.src_kind(2))),
        }
    }
    let mut text = join(inst.op.mnemonic(), &operands);
    if inst.imm != 0 {
        text += &format!(" offset:{}", inst.imm);
    }
    text + &cache_policy(inst)
}

fn cache_policy(inst: &Inst) -> String {
    let scope = ["", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"];
    temporal_hint(inst) + scope[usize::from(inst.scope)]
}

fn temporal_hint(inst: &Inst) -> String {
    if inst.th == 0 {
        return String::new();
    }
    let place = usize::from(inst.th);
    let system = inst.scope == 3;
    let far = inst.scope >= 2;
    if is_atomic(inst.op) {
        let near = ["", "RETURN", "NT", "NT_RETURN", "0x4", "0x5", "0x6", "0x7"][place];
        let name = match inst.th {
            4 | 5 if far => "CASCADE_RT",
            6 | 7 if far => "CASCADE_NT",
            _ => near,
        };
        return format!(" th:TH_ATOMIC_{name}");
    }
    if inst.op.mnemonic().contains("_store_") {
        let name = ["", "NT", "HT", "RT_WB", "NT_RT", "RT_NT", "NT_HT", "NT_WB"][place];
        let name = if inst.th == 3 && system { "BYPASS" } else { name };
        return format!(" th:TH_STORE_{name}");
    }
    if inst.th == 7 {
        return " th:0x7".to_owned();
    }
    let name = ["", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT"][place];
    let name = if inst.th == 3 && system { "BYPASS" } else { name };
    format!(" th:TH_LOAD_{name}")
}
