//! The decoded instruction, and the program that a code object's text decodes to.
//!
//! Invariants
//! - A constant is the value that the operation reads: an inline constant of an f16 operand is an f16, of an f64
//!   operand all 64 bits, and a literal is extended as its operand's `Kind` says.
//! - Sources stand in the order of `OpInfo::src`, with what an encoding leaves out filled in: VCC of `v_cndmask_b32` in
//!   VOP2, the literal of `v_fmaak_f32`. Destinations too: VCC of VOPC, EXEC of `v_cmpx`.
//! - A branch target is an index into `Program::insts`, or `NO_TARGET`.
//! - High halves of VOP1, VOP2 and VOPC are bits of `op_sel`, like those of VOP3.
//!
//! Deliberately absent: the executor's state, and the text form (`disasm`).

use crate::exec::Plan;
use crate::ops::{Format, Kind, Op};
use std::sync::OnceLock;

/// A branch that leads out of the code, or into the middle of an instruction.
pub const NO_TARGET: u32 = u32::MAX;

/// The scalar register VCC.
pub const VCC: u8 = 106;
/// The scalar register NULL: reads zero, keeps nothing.
pub const NULL: u8 = 124;
/// The scalar register M0.
pub const M0: u8 = 125;
/// The scalar register EXEC.
pub const EXEC: u8 = 126;

/// What an instruction reads. Registers are the first of as many as the operand's `Kind` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Src {
    /// No operand.
    None,
    /// A vector register.
    Vgpr(u8),
    /// A scalar register by its number in encodings: SGPRs 0 to 105, VCC 106 and 107, TTMP 108 to 123, M0 125,
    /// EXEC 126 and 127.
    Sgpr(u8),
    /// NULL: zero. As `saddr` of a memory operation: there is none.
    Null,
    /// The scalar condition code, zero-extended.
    Scc,
    /// The base or limit of the shared or private aperture, by its number in encodings: 235 to 238.
    Aperture(u8),
    /// An inline constant.
    Const(u64),
    /// A literal constant.
    Literal(u64),
}

/// What an instruction writes: the first register of as many as the operand's `Kind` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dst {
    /// Nothing.
    None,
    /// A vector register.
    Vgpr(u8),
    /// A scalar register by its number in encodings, as in `Src::Sgpr`.
    Sgpr(u8),
    /// NULL: the result is dropped.
    Null,
}

/// Which lane the first source of a DPP instruction comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DppControl {
    /// DPP16: one of the ISA's patterns in 9 bits.
    Dpp16 {
        /// `dpp_ctrl`.
        control: u16,
        /// Rows of 16 lanes that are written, a bit each.
        row_mask: u8,
        /// Banks of 4 lanes in a row that are written, a bit each.
        bank_mask: u8,
        /// An invalid source lane reads zero; without it the lane is not written.
        bound_ctrl: bool,
    },
    /// DPP8: for each of 8 lanes the lane of the same eight that it reads.
    Dpp8([u8; 8]),
}

/// The lane crossing of a DPP instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dpp {
    /// As encoded.
    pub control: DppControl,
    /// Lanes that are inactive may be read.
    pub fetch_inactive: bool,
    /// For each lane the lane that it reads, or `Dpp::OUTSIDE`.
    pub lanes: [u8; 32],
    /// Lanes that `row_mask` and `bank_mask` allow to be written.
    pub write_lanes: u32,
}

impl Dpp {
    /// The pattern leads out of the row.
    pub const OUTSIDE: u8 = 0xff;
}

/// The result's scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omod {
    /// As it is.
    None,
    /// Twice.
    Mul2,
    /// Four times.
    Mul4,
    /// Half.
    Div2,
}

/// One instruction, with everything resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// How it was encoded. `VopdX` is followed by its `VopdY`: both read before either writes.
    pub format: Format,
    /// Bytes that it takes: 4, 8, 12 or 16; 0 of a `VopdY`.
    pub size_bytes: u8,
    /// Address of its first byte in the code object.
    pub pc: u64,
    /// What it writes.
    pub dst: Dst,
    /// The second destination: the carry, or the mask of `v_div_scale`.
    pub dst2: Dst,
    /// What it reads. Memory operations: `[address, data, saddr]`; DS: `[address, data0, data1]`; SMEM:
    /// `[base, offset]`; stores have no destination.
    pub src: [Src; 4],
    /// SIMM16 of SOPP and SOPK, sign-extended; the offset of SMEM, DS, flat, global and scratch in bytes; the length of
    /// a prefetch is in `offset0`.
    pub imm: i32,
    /// The first offset of a DS operation with two addresses, in elements (or 64 elements).
    pub offset0: u8,
    /// The second offset of a DS operation with two addresses, in elements (or 64 elements).
    pub offset1: u8,
    /// Index of the instruction that a branch leads to, or `NO_TARGET`.
    pub target: u32,
    /// Sources to negate, one bit each; `neg_lo` of VOP3P.
    pub neg: u8,
    /// Sources to take the magnitude of, one bit each; `neg_hi` of VOP3P.
    pub abs: u8,
    /// High halves: one bit a source, bit 3 the destination. SWMMAC: its index key in bit 0.
    pub op_sel: u8,
    /// VOP3P: which half of each source the high result reads; `v_fma_mix`: the source is an f16.
    pub op_sel_hi: u8,
    /// The result is clamped.
    pub clamp: bool,
    /// The result is scaled.
    pub omod: Omod,
    /// Temporal hint of a memory operation; bit 0 of an atomic: it returns the old value.
    pub th: u8,
    /// Scope of a memory operation: CU, SE, device, system.
    pub scope: u8,
    /// The lane crossing of the first source.
    pub dpp: Option<Box<Dpp>>,
}

impl Inst {
    /// An instruction without operands, for the decoder to fill in.
    #[must_use]
    pub fn new(op: Op, format: Format, pc: u64) -> Inst {
        Inst {
            op,
            format,
            size_bytes: 4,
            pc,
            dst: Dst::None,
            dst2: Dst::None,
            src: [Src::None; 4],
            imm: 0,
            offset0: 0,
            offset1: 0,
            target: NO_TARGET,
            neg: 0,
            abs: 0,
            op_sel: 0,
            op_sel_hi: 0,
            clamp: false,
            omod: Omod::None,
            th: 0,
            scope: 0,
            dpp: None,
        }
    }
}

impl Inst {
    /// What the source at this place is, where the row leaves it to the form: addresses, and f16 or f32 of `v_fma_mix`.
    #[must_use]
    pub fn src_kind(&self, place: usize) -> Kind {
        let has_base = matches!(self.src[2], Src::Sgpr(_));
        match (self.op.info().src.get(place), self.format) {
            (Some(Kind::Addr), Format::Scratch) => Kind::I32,
            (Some(Kind::Addr), Format::Global) if has_base => Kind::I32,
            (Some(Kind::Addr), _) => Kind::U64,
            (Some(Kind::Mix), _) if self.op_sel_hi >> place & 1 == 1 => Kind::F16,
            (Some(Kind::Mix), _) => Kind::F32,
            (Some(&kind), _) => kind,
            (None, Format::Global) if place == 2 && has_base => Kind::U64,
            (None, Format::Scratch) if place == 2 && has_base => Kind::I32,
            (None, _) => Kind::None,
        }
    }
}

/// A decoded text section.
#[derive(Clone, Debug)]
pub struct Program {
    /// Address of the first instruction in the code object.
    pub base: u64,
    /// The instructions, in order.
    pub insts: Vec<Inst>,
    /// For each dword of the text the index of the instruction that begins there, or `NO_TARGET`.
    pub index_of_dword: Vec<u32>,
    /// What the executor looks at before each instruction; it fills it in.
    plans: OnceLock<Vec<Plan>>,
}

impl Program {
    /// Of these instructions.
    #[must_use]
    pub fn new(base: u64, insts: Vec<Inst>, index_of_dword: Vec<u32>) -> Program {
        Program { base, insts, index_of_dword, plans: OnceLock::new() }
    }

    /// One for each instruction.
    pub(crate) fn plans(&self) -> &[Plan] {
        self.plans.get_or_init(|| Plan::all(&self.insts))
    }

    /// Index of the instruction at an address, if one begins there.
    #[must_use]
    pub fn index_at(&self, pc: u64) -> Option<u32> {
        let offset_bytes = pc.checked_sub(self.base)?;
        if offset_bytes % 4 != 0 {
            return None;
        }
        let dword = usize::try_from(offset_bytes / 4).ok()?;
        self.index_of_dword.get(dword).copied().filter(|&index| index != NO_TARGET)
    }
}
