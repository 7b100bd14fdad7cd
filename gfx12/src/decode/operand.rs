//! Operand numbers to operands: registers, constants and literals.
//!
//! Invariants
//! - A constant becomes the value that its operand's `Kind` reads.
//! - A literal is taken from the words once, however many operands name it.

use super::{Cursor, Reason};
use crate::inst::{Dst, NULL, Src};
use crate::ops::{Kind, Op};

/// The number that says that a literal follows.
pub(super) const LITERAL: u16 = 255;
/// Numbers from here on are vector registers.
pub(super) const VGPR: u16 = 256;

/// The place of the literal that an operation always has.
pub(crate) fn literal_place(op: Op) -> Option<usize> {
    match op {
        Op::SFmamkF32 | Op::VFmamkF32 | Op::VFmamkF16 => Some(1),
        Op::SFmaakF32 | Op::VFmaakF32 | Op::VFmaakF16 => Some(2),
        _ => None,
    }
}

/// The operands of one instruction, which share a literal.
pub(super) struct Operands {
    op: Op,
    literal: Option<u32>,
}

impl Operands {
    pub(super) fn of(op: Op) -> Operands {
        Operands { op, literal: None }
    }

    /// Takes the literal if any of the sources names one.
    pub(super) fn take_literal(
        &mut self,
        cursor: &mut Cursor<'_>,
        codes: &[u16],
    ) -> Result<(), Reason> {
        if codes.contains(&LITERAL) {
            self.must_literal(cursor)?;
        }
        Ok(())
    }

    /// Takes the literal that an operation always has.
    pub(super) fn must_literal(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Reason> {
        if self.literal.is_none() {
            self.literal = Some(cursor.take()?);
        }
        Ok(())
    }

    /// Other operations of the pair read the same literal.
    pub(super) fn with_op(self, op: Op) -> Operands {
        Operands { op, literal: self.literal }
    }

    /// The source with a number of 9 bits.
    pub(super) fn source(&self, code: u16, kind: Kind) -> Result<Src, Reason> {
        let unknown = Reason::Source { op: self.op, code };
        Ok(match code {
            0..=123 | 125..=127 => {
                let first = code as u8;
                self.aligned(first, kind)?;
                Src::Sgpr(first)
            }
            124 => Src::Null,
            128..=208 | 240..=248 => Src::Const(constant(code, kind).ok_or(unknown)?),
            235..=238 => Src::Aperture(code as u8),
            253 => Src::Scc,
            LITERAL => {
                let word = self.literal.ok_or(unknown)?;
                Src::Literal(literal_value(word, kind).ok_or(unknown)?)
            }
            256..=511 => Src::Vgpr((code - VGPR) as u8),
            _ => return Err(unknown),
        })
    }

    /// The literal as a source.
    pub(super) fn literal(&self, kind: Kind) -> Result<Src, Reason> {
        self.source(LITERAL, kind)
    }

    /// The scalar destination with a number of 7 or 8 bits.
    pub(super) fn scalar_dst(&self, code: u32, kind: Kind) -> Result<Dst, Reason> {
        match code as u8 {
            NULL => Ok(Dst::Null),
            first @ 0..=127 if code < 128 => {
                self.aligned(first, kind)?;
                Ok(Dst::Sgpr(first))
            }
            _ => Err(Reason::Destination { op: self.op, code: code as u16 }),
        }
    }

    /// Pairs begin at an even register, more at a multiple of four, and all lie in one file.
    fn aligned(&self, first: u8, kind: Kind) -> Result<(), Reason> {
        let dwords = kind.dwords();
        let alignment = match dwords {
            0 | 1 => 1,
            2 => 2,
            _ => 4,
        };
        let end = match first {
            0..=105 => 106,
            106 | 107 => 108,
            108..=123 => 124,
            _ => 128,
        };
        let fits = first.is_multiple_of(alignment) && first + dwords <= end;
        if fits { Ok(()) } else { Err(Reason::Registers { op: self.op, first, dwords }) }
    }
}

/// The value of an inline constant, if its number means something for the operand. Of a matrix it is what each register
/// holds: an element of 16 bits stands in both halves.
fn constant(code: u16, kind: Kind) -> Option<u64> {
    let value = match code {
        128..=192 => integer(i64::from(code) - 128, kind),
        193..=208 => integer(192 - i64::from(code), kind),
        240..=248 => float(usize::from(code) - 240, kind)?,
        _ => return None,
    };
    let doubled = matches!(kind, Kind::PkF16x4 | Kind::PkBf16x4);
    Some(if doubled { value << 16 | value } else { value })
}

fn integer(value: i64, kind: Kind) -> u64 {
    match kind {
        Kind::I16 | Kind::F16 | Kind::Bf16 | Kind::PkF16x4 | Kind::PkBf16x4 => {
            u64::from(value as u16)
        }
        Kind::I64 | Kind::U64 | Kind::F64 => value as u64,
        Kind::None
        | Kind::I32
        | Kind::F32
        | Kind::PkI16
        | Kind::PkF16
        | Kind::PkBf16
        | Kind::Mix
        | Kind::Mask
        | Kind::Addr
        | Kind::B96
        | Kind::B128
        | Kind::B256
        | Kind::B512
        | Kind::F32x8
        | Kind::I32x8 => u64::from(value as u32),
    }
}

/// 0.5, -0.5, 1, -1, 2, -2, 4, -4, 1/(2 pi) in each width.
pub(crate) const FLOATS_16: [u16; 9] =
    [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118];
/// As bf16.
pub(crate) const FLOATS_BF16: [u16; 9] =
    [0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e22];
/// As f32.
pub(crate) const FLOATS_32: [u32; 9] = [
    0x3f00_0000,
    0xbf00_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x4000_0000,
    0xc000_0000,
    0x4080_0000,
    0xc080_0000,
    0x3e22_f983,
];
/// As f64.
pub(crate) const FLOATS_64: [u64; 9] = [
    0x3fe0_0000_0000_0000,
    0xbfe0_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x4000_0000_0000_0000,
    0xc000_0000_0000_0000,
    0x4010_0000_0000_0000,
    0xc010_0000_0000_0000,
    0x3fc4_5f30_6dc9_c882,
];

/// A float constant. Operands of 16-bit integers have none: compilers disagree about what they would read.
fn float(place: usize, kind: Kind) -> Option<u64> {
    Some(match kind {
        Kind::F16 | Kind::PkF16 | Kind::PkF16x4 => u64::from(FLOATS_16[place]),
        Kind::Bf16 | Kind::PkBf16 | Kind::PkBf16x4 => u64::from(FLOATS_BF16[place]),
        Kind::I32
        | Kind::F32
        | Kind::PkI16
        | Kind::Mix
        | Kind::Mask
        | Kind::F32x8
        | Kind::I32x8 => u64::from(FLOATS_32[place]),
        Kind::I64 | Kind::U64 | Kind::F64 => FLOATS_64[place],
        Kind::None | Kind::I16 | Kind::Addr | Kind::B96 | Kind::B128 | Kind::B256 | Kind::B512 => {
            return None;
        }
    })
}

/// The value of a literal. One that does not fit an operand of 16 bits has none.
fn literal_value(word: u32, kind: Kind) -> Option<u64> {
    Some(match kind {
        Kind::I16 | Kind::F16 | Kind::Bf16 => {
            let half = word as u16;
            let fits = u32::from(half) == word || i32::from(half as i16) as u32 == word;
            return fits.then_some(u64::from(word));
        }
        Kind::F64 => u64::from(word) << 32,
        Kind::I64 => i64::from(word as i32) as u64,
        Kind::None
        | Kind::I32
        | Kind::F32
        | Kind::U64
        | Kind::PkI16
        | Kind::PkF16
        | Kind::PkBf16
        | Kind::Mix
        | Kind::Mask
        | Kind::Addr
        | Kind::B96
        | Kind::B128
        | Kind::B256
        | Kind::B512
        | Kind::F32x8
        | Kind::I32x8
        | Kind::PkF16x4
        | Kind::PkBf16x4 => u64::from(word),
    })
}
