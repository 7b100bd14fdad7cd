//! Instructions as text, in LLVM's syntax.
//!
//! Invariants
//! - The text of every instruction is what `llvm-objdump` of LLVM 19 prints for its words; a test compares them.
//! - It is made from the decoded instruction alone, so that it shows what the executor sees.
//!
//! Deliberately absent: addresses, words and labels, which are the caller's to print.

mod control;
mod memory;
mod operand;
mod vector;

use crate::inst::{Inst, Program, Src};
use crate::ops::{Format, Kind, Op};

impl Program {
    /// The text of an instruction; of a VOPD pair both halves, whichever the index names.
    #[must_use]
    pub fn text(&self, index: u32) -> String {
        let place = index as usize;
        let first = match self.insts[place].format {
            Format::VopdY => place - 1,
            Format::Sop1
            | Format::Sop2
            | Format::Sopc
            | Format::Sopp
            | Format::Sopk
            | Format::Smem
            | Format::Vop1
            | Format::Vop2
            | Format::Vopc
            | Format::Vop3
            | Format::Vop3sd
            | Format::Vop3p
            | Format::VopdX
            | Format::Ds
            | Format::Flat
            | Format::Global
            | Format::Scratch => place,
        };
        let inst = &self.insts[first];
        if inst.format == Format::VopdX {
            return format!("{} :: {}", text(inst), text(&self.insts[first + 1]));
        }
        text(inst)
    }
}

/// The text of an instruction, or of one half of a VOPD pair.
#[must_use]
pub fn text(inst: &Inst) -> String {
    match inst.format {
        Format::Sop1 | Format::Sop2 | Format::Sopc => scalar(inst),
        Format::Sopp => control::sopp(inst),
        Format::Sopk => control::sopk(inst),
        Format::Smem => memory::smem(inst),
        Format::Vop1 | Format::Vop2 | Format::Vopc | Format::Vop3 | Format::Vop3sd => {
            vector::vector(inst)
        }
        Format::Vop3p => vector::packed(inst),
        Format::VopdX | Format::VopdY => vector::dual(inst),
        Format::Ds => memory::ds(inst),
        Format::Flat | Format::Global | Format::Scratch => memory::flat(inst),
    }
}

/// The mnemonic and its operands, separated by commas.
fn join(mnemonic: &str, operands: &[String]) -> String {
    if operands.is_empty() {
        return mnemonic.to_owned();
    }
    format!("{mnemonic} {}", operands.join(", "))
}

fn scalar(inst: &Inst) -> String {
    let info = inst.op.info();
    let mut operands = Vec::new();
    if info.dst != Kind::None {
        operands.push(operand::dst(inst.dst, info.dst));
    }
    for (place, &kind) in info.src.iter().enumerate() {
        if inst.src[place] != Src::None {
            operands.push(operand::source(inst, place, kind));
        }
    }
    join(inst.op.mnemonic(), &operands)
}

/// `name:[1,0]` of the lowest bits.
fn bit_list(name: &str, bits: u8, count: usize) -> String {
    let digits: Vec<&str> =
        (0..count).map(|place| if bits >> place & 1 == 1 { "1" } else { "0" }).collect();
    format!(" {name}:[{}]", digits.join(","))
}

/// The number of bits of a byte-wide `op_sel` that the operation uses as a byte's number.
fn byte_select(inst: &Inst) -> Option<u8> {
    match inst.op {
        Op::VCvtF32Fp8 | Op::VCvtF32Bf8 => Some((inst.op_sel & 1) << 1 | inst.op_sel >> 1 & 1),
        Op::VCvtSrFp8F32 | Op::VCvtSrBf8F32 => Some(inst.op_sel >> 2 & 3),
        _ => None,
    }
}
