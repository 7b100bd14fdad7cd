//! Words to instructions, by the table in `ops`.
//!
//! Invariants
//! - It fails closed: an unknown opcode, a modifier that the operation does not take, and a field that means nothing
//!   but is not zero are errors that name the address and the words.
//! - Every instruction of the text is decoded, whether a kernel reaches it or not.
//! - Branch targets are resolved last, when every instruction has its index.
//!
//! Deliberately absent: what an operation computes.

mod dpp;
pub(crate) mod memory;
pub(crate) mod operand;
mod scalar;
pub(crate) mod vector;

use crate::inst::{Dst, Inst, NO_TARGET, Program, Src};
use crate::ops::{FORMATS, Format, OPS, Op};
use std::fmt;
use std::sync::OnceLock;

/// Why an instruction cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The first word belongs to no format that is supported.
    #[error("its encoding belongs to no supported format")]
    Encoding,
    /// The opcode is not in the table.
    #[error("{format:?} has no supported operation with opcode {opcode:#x}")]
    Opcode {
        /// The format.
        format: Format,
        /// The opcode.
        opcode: u16,
    },
    /// The text ends within the instruction.
    #[error("the text ends within it")]
    Truncated,
    /// A source that means nothing here.
    #[error("{}: source {code:#x} means nothing here", .op.mnemonic())]
    Source {
        /// The operation.
        op: Op,
        /// The number in the encoding.
        code: u16,
    },
    /// A scalar destination that means nothing here.
    #[error("{}: destination {code:#x} means nothing here", .op.mnemonic())]
    Destination {
        /// The operation.
        op: Op,
        /// The number in the encoding.
        code: u16,
    },
    /// Registers that are not aligned, or reach out of their file.
    #[error("{}: {dwords} registers cannot begin at {first}", .op.mnemonic())]
    Registers {
        /// The operation.
        op: Op,
        /// The first register.
        first: u8,
        /// How many.
        dwords: u8,
    },
    /// A modifier that the operation does not take.
    #[error("{} takes no {modifier} of {bits:#x}", .op.mnemonic())]
    Modifier {
        /// The operation.
        op: Op,
        /// LLVM's name of the modifier.
        modifier: &'static str,
        /// Its bits.
        bits: u8,
    },
    /// A field that the operation does not use is not zero.
    #[error("{}: unused field {field} is {bits:#x}, expected 0", .op.mnemonic())]
    Unused {
        /// The operation.
        op: Op,
        /// The field, as the ISA's manual names it.
        field: &'static str,
        /// Its bits.
        bits: u32,
    },
    /// A DPP pattern that gfx12 does not have.
    #[error("{}: DPP pattern {control:#x} does not exist on gfx12", .op.mnemonic())]
    DppControl {
        /// The operation.
        op: Op,
        /// `dpp_ctrl`.
        control: u16,
    },
}

/// An instruction that cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot decode the instruction at {pc:#x} ({words}){}: {reason}", in_symbol(.symbol))]
pub struct DecodeError {
    /// Its address in the code object.
    pub pc: u64,
    /// Its words, as far as they matter.
    pub words: Words,
    /// The kernel or function that it belongs to, if the code object says.
    pub symbol: Option<String>,
    /// What is wrong.
    pub reason: Reason,
}

/// The first words of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(pub Vec<u32>);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, word) in self.0.iter().enumerate() {
            let space = if place == 0 { "" } else { " " };
            write!(f, "{space}{word:08x}")?;
        }
        Ok(())
    }
}

fn in_symbol(symbol: &Option<String>) -> String {
    symbol.as_ref().map_or_else(String::new, |name| format!(" of {name}"))
}

/// Decodes a text section that begins at address `base`.
///
/// # Errors
/// The first instruction that cannot be decoded.
pub fn decode(text: &[u8], base: u64) -> Result<Program, DecodeError> {
    let (words, whole) = words_of(text);
    let mut program = Program::new(base, Vec::new(), vec![NO_TARGET; words.len()]);
    let mut at = 0;
    while at < words.len() {
        let pc = base + 4 * at as u64;
        let mut cursor = Cursor { words: &words[at..], used: 0, pc };
        let decoded =
            decode_one(&mut cursor).and_then(check_vector_registers).map_err(|reason| {
                DecodeError {
                    pc,
                    words: Words(words[at..].iter().take(4).copied().collect()),
                    symbol: None,
                    reason,
                }
            })?;
        program.index_of_dword[at] = index_of(program.insts.len());
        at += cursor.used;
        program.insts.extend(decoded);
    }
    if !whole {
        let pc = base + 4 * words.len() as u64;
        let (words, reason) = (Words(Vec::new()), Reason::Truncated);
        return Err(DecodeError { pc, words, symbol: None, reason });
    }
    resolve_targets(&mut program);
    Ok(program)
}

/// An error if a tuple of vector registers reaches beyond the last.
fn check_vector_registers(insts: Vec<Inst>) -> Result<Vec<Inst>, Reason> {
    for inst in &insts {
        let sources = inst.src.iter().enumerate().filter_map(|(place, &src)| match src {
            Src::Vgpr(first) => Some((first, inst.src_kind(place).dwords())),
            _ => None,
        });
        let destination = match inst.dst {
            Dst::Vgpr(first) => Some((first, inst.op.info().dst.dwords())),
            Dst::None | Dst::Sgpr(_) | Dst::Null => None,
        };
        for (first, dwords) in sources.chain(destination) {
            if u16::from(first) + u16::from(dwords) > 256 {
                return Err(Reason::Registers { op: inst.op, first, dwords });
            }
        }
    }
    Ok(insts)
}

/// The words of a text, and whether it ends with one.
fn words_of(text: &[u8]) -> (Vec<u32>, bool) {
    let (words, rest) = text.as_chunks::<4>();
    (words.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect(), rest.is_empty())
}

fn index_of(place: usize) -> u32 {
    u32::try_from(place).expect("a text section has less than 2^32 instructions")
}

fn resolve_targets(program: &mut Program) {
    for place in 0..program.insts.len() {
        let inst = &program.insts[place];
        if is_branch(inst.op) {
            let next = inst.pc + u64::from(inst.size_bytes);
            let target = next.wrapping_add_signed(4 * i64::from(inst.imm));
            program.insts[place].target = program.index_at(target).unwrap_or(NO_TARGET);
        }
    }
}

/// Whether SIMM16 is a distance in dwords.
#[must_use]
pub fn is_branch(op: Op) -> bool {
    matches!(
        op,
        Op::SBranch
            | Op::SCbranchScc0
            | Op::SCbranchScc1
            | Op::SCbranchVccz
            | Op::SCbranchVccnz
            | Op::SCbranchExecz
            | Op::SCbranchExecnz
            | Op::SCallB64
    )
}

/// The words of one instruction, taken one by one.
struct Cursor<'a> {
    words: &'a [u32],
    used: usize,
    pc: u64,
}

impl Cursor<'_> {
    fn take(&mut self) -> Result<u32, Reason> {
        let word = self.words.get(self.used).copied().ok_or(Reason::Truncated)?;
        self.used += 1;
        Ok(word)
    }

    /// The instruction, with the bytes that were taken for it.
    fn finish(&self, mut inst: Inst) -> Vec<Inst> {
        inst.size_bytes = self.size_bytes();
        vec![inst]
    }

    fn size_bytes(&self) -> u8 {
        u8::try_from(4 * self.used).expect("an instruction has at most five words")
    }
}

fn decode_one(cursor: &mut Cursor<'_>) -> Result<Vec<Inst>, Reason> {
    let word = cursor.take()?;
    match word >> 23 {
        0x17d => return scalar::sop1(cursor, word),
        0x17e => return scalar::sopc(cursor, word),
        0x17f => return scalar::sopp(cursor, word),
        _ => {}
    }
    match word >> 24 {
        0xcc => return vector::vop3p(cursor, word),
        0xec => return memory::flat(cursor, word, Format::Flat),
        0xed => return memory::flat(cursor, word, Format::Scratch),
        0xee => return memory::flat(cursor, word, Format::Global),
        _ => {}
    }
    match word >> 26 {
        0x00..=0x1e => vector::vop2(cursor, word),
        0x1f if word >> 25 == 0x3e => vector::vopc(cursor, word),
        0x1f => vector::vop1(cursor, word),
        0x20..=0x2b => scalar::sop2(cursor, word),
        0x2c..=0x2f => scalar::sopk(cursor, word),
        0x32 => vector::vopd(cursor, word),
        0x35 => vector::vop3(cursor, word),
        0x36 => memory::ds(cursor, word),
        0x3d => memory::smem(cursor, word),
        _ => Err(Reason::Encoding),
    }
}

/// More opcodes than any format has.
const OPCODES: usize = 1024;

fn find(format: Format, opcode: u32) -> Result<Op, Reason> {
    static BY_OPCODE: OnceLock<Vec<Option<Op>>> = OnceLock::new();
    let by_opcode = BY_OPCODE.get_or_init(|| {
        let mut table = vec![None; FORMATS * OPCODES];
        for &op in OPS {
            for &(format, opcode) in op.info().encodings {
                table[format as usize * OPCODES + usize::from(opcode)] = Some(op);
            }
        }
        table
    });
    let place = format as usize * OPCODES + opcode as usize;
    by_opcode[place].ok_or(Reason::Opcode { format, opcode: opcode as u16 })
}

/// `count` bits of a word from bit `low` on.
fn bits(word: u32, low: u32, count: u32) -> u32 {
    word >> low & ((1 << count) - 1)
}

/// An error if a field without a meaning is not zero.
fn unused(op: Op, field: &'static str, bits: u32) -> Result<(), Reason> {
    if bits == 0 { Ok(()) } else { Err(Reason::Unused { op, field, bits }) }
}
