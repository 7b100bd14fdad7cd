//! SOPP and SOPK as text: waits, delays, messages and hardware registers.

use super::{join, operand};
use crate::decode::is_branch;
use crate::inst::Inst;
use crate::ops::{Kind, Op};

pub(super) fn sopp(inst: &Inst) -> String {
    let name = inst.op.mnemonic();
    let imm = inst.imm as u16;
    if is_branch(inst.op) {
        return format!("{name} {imm}");
    }
    match inst.op {
        Op::SWaitIdle | Op::SWakeup | Op::SCodeEnd => name.to_owned(),
        Op::SEndpgm if imm == 0 => name.to_owned(),
        Op::SEndpgm => format!("{name} {imm}"),
        Op::SNop | Op::SSleep | Op::SSetprio | Op::SDenormMode | Op::SBarrierWait => {
            format!("{name} {}", operand::constant_32(u32::from(imm)))
        }
        Op::SDelayAlu => format!("{name} {}", delay(imm)),
        Op::SWaitAlu => format!("{name}{}", dependencies(imm)),
        Op::SSendmsg => format!("{name} {}", message(imm)),
        _ => format!("{name} {imm:#x}"),
    }
}

pub(super) fn sopk(inst: &Inst) -> String {
    let info = inst.op.info();
    let imm = inst.imm as u16;
    let register = match info.dst {
        Kind::None => operand::src(inst.src[0], info.src[0]),
        kind => operand::dst(inst.dst, kind),
    };
    let operands = match inst.op {
        Op::SGetregB32 => [register, hardware_register(imm)],
        Op::SSetregB32 => [hardware_register(imm), register],
        Op::SCallB64 => [register, imm.to_string()],
        _ => [register, format!("{imm:#x}")],
    };
    join(inst.op.mnemonic(), &operands)
}

fn delay(imm: u16) -> String {
    const IDS: [&str; 12] = [
        "NO_DEP",
        "VALU_DEP_1",
        "VALU_DEP_2",
        "VALU_DEP_3",
        "VALU_DEP_4",
        "TRANS32_DEP_1",
        "TRANS32_DEP_2",
        "TRANS32_DEP_3",
        "FMA_ACCUM_CYCLE_1",
        "SALU_CYCLE_1",
        "SALU_CYCLE_2",
        "SALU_CYCLE_3",
    ];
    const SKIPS: [&str; 6] = ["SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"];
    let fields = [
        ("instid0", imm & 15, IDS.get(usize::from(imm & 15)), "/* invalid instid value */"),
        (
            "instskip",
            imm >> 4 & 7,
            SKIPS.get(usize::from(imm >> 4 & 7)),
            "/* invalid instskip value */",
        ),
        (
            "instid1",
            imm >> 7 & 15,
            IDS.get(usize::from(imm >> 7 & 15)),
            "/* invalid instid value */",
        ),
    ];
    let parts: Vec<String> = fields
        .into_iter()
        .filter(|&(_, value, _, _)| value != 0)
        .map(|(field, _, name, invalid)| format!("{field}({})", name.unwrap_or(&invalid)))
        .collect();
    if parts.is_empty() { "0".to_owned() } else { parts.join(" | ") }
}

/// Counters that `s_wait_alu` waits for; those at their most say nothing.
fn dependencies(imm: u16) -> String {
    const FIELDS: [(&str, u32, u16); 7] = [
        ("depctr_hold_cnt", 7, 1),
        ("depctr_sa_sdst", 0, 1),
        ("depctr_va_vdst", 12, 15),
        ("depctr_va_sdst", 9, 7),
        ("depctr_va_ssrc", 8, 1),
        ("depctr_va_vcc", 1, 1),
        ("depctr_vm_vsrc", 2, 7),
    ];
    let all = FIELDS.iter().fold(0, |bits, &(_, shift, most)| bits | most << shift);
    if imm & !all != 0 {
        return format!(" {imm:#x}");
    }
    FIELDS
        .iter()
        .map(|&(name, shift, most)| (name, imm >> shift & most, most))
        .filter(|&(_, value, most)| value != most || imm == all)
        .map(|(name, value, _)| format!(" {name}({value})"))
        .collect()
}

fn message(imm: u16) -> String {
    let name = match imm {
        1 => "MSG_INTERRUPT",
        2 => "MSG_HS_TESSFACTOR",
        3 => "MSG_DEALLOC_VGPRS",
        9 => "MSG_GS_ALLOC_REQ",
        128 => "MSG_RTN_GET_DOORBELL",
        129 => "MSG_RTN_GET_DDID",
        130 => "MSG_RTN_GET_TMA",
        131 => "MSG_RTN_GET_REALTIME",
        132 => "MSG_RTN_SAVE_WAVE",
        133 => "MSG_RTN_GET_TBA",
        134 => "MSG_RTN_GET_TBA_TO_PC",
        135 => "MSG_RTN_GET_SE_AID_ID",
        _ => return format!("sendmsg({imm}, 0, 0)"),
    };
    format!("sendmsg({name})")
}

fn hardware_register(imm: u16) -> String {
    let (number, offset, bits) = (imm & 63, imm >> 6 & 31, (imm >> 11) + 1);
    let name = match number {
        1 => "HW_REG_MODE",
        2 => "HW_REG_STATUS",
        4 => "HW_REG_STATE_PRIV",
        5 => "HW_REG_GPR_ALLOC",
        6 => "HW_REG_LDS_ALLOC",
        7 => "HW_REG_IB_STS",
        10 => "HW_REG_PERF_SNAPSHOT_DATA",
        11 => "HW_REG_PERF_SNAPSHOT_PC_LO",
        12 => "HW_REG_PERF_SNAPSHOT_PC_HI",
        15 => "HW_REG_PERF_SNAPSHOT_DATA1",
        16 => "HW_REG_PERF_SNAPSHOT_DATA2",
        17 => "HW_REG_EXCP_FLAG_PRIV",
        18 => "HW_REG_EXCP_FLAG_USER",
        19 => "HW_REG_TRAP_CTRL",
        20 => "HW_REG_SCRATCH_BASE_LO",
        21 => "HW_REG_SCRATCH_BASE_HI",
        23 => "HW_REG_HW_ID1",
        24 => "HW_REG_HW_ID2",
        29 => "HW_REG_SHADER_CYCLES_LO",
        30 => "HW_REG_SHADER_CYCLES_HI",
        31 => "HW_REG_DVGPR_ALLOC_LO",
        32 => "HW_REG_DVGPR_ALLOC_HI",
        _ => &number.to_string(),
    };
    if (offset, bits) == (0, 32) {
        return format!("hwreg({name})");
    }
    format!("hwreg({name}, {offset}, {bits})")
}
