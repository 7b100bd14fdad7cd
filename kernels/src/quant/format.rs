//! How quantised weights are stored: code x block x scale, as values that one kernel is written over.
//!
//! A row of K weights is cut into blocks of `block` along K; each weight is a code, each block has a scale.
//!
//! Invariants
//! - Where codes lie apart from scales, a row's codes are a stream of bits in `u32` words, the least significant bit
//!   first, and each row starts at a word: 32 codes are always whole words. A row has `K.div_ceil(block)` scales; the
//!   last block may be short.
//! - Where they lie together (GGUF), a row is whole `Blocks` of bytes, and nothing but the rows of `FORMATS` knows how
//!   one is laid out.
//! - A format is one row of `FORMATS`: every operation takes every row, and the cases walk the table.

use evenweave_lang::dtype::DType;

/// How one weight is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// OCP E2M1: 0, .5, 1, 1.5, 2, 3, 4, 6 and their negatives.
    E2M1,
    /// OCP E4M3: bias 7, largest 448, NaN 0x7f and 0xff, no infinity.
    E4M3,
    /// OCP E5M2: the upper byte of an f16.
    E5M2,
    /// Two's complement of so many bits.
    Int(u32),
    /// Unsigned, of so many bits.
    Uint(u32),
    /// 8, 25 or 43, and in the third bit a sign. Eight neighbours are one of `POINTS`, named by a byte, with seven signs; the eighth makes the
    /// number of minus signs even.
    Point,
}

impl Code {
    /// Bits of a code in memory.
    pub const fn bits(self) -> u32 {
        match self {
            Code::E2M1 => 4,
            Code::E4M3 | Code::E5M2 => 8,
            Code::Point => 2,
            Code::Int(bits) | Code::Uint(bits) => bits,
        }
    }

    /// The largest number. That of integers is also the least one's magnitude when weights are quantised.
    pub const fn most(self) -> f32 {
        match self {
            Code::E2M1 => 6.0,
            Code::E4M3 => 448.0,
            Code::E5M2 => 57344.0,
            Code::Point => 43.0,
            Code::Int(bits) => ((1 << (bits - 1)) - 1) as f32,
            Code::Uint(bits) => ((1 << bits) - 1) as f32,
        }
    }
}

/// Some bits of each code of a block: elements e, e + p, e + 2 p, ... of a span share a byte, the first the lowest
/// bits, where p is the number of bytes that a span takes. Of points a span is 32 weights: four bytes name points, and the lowest 28
/// bits of the four behind them are signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// Byte of the block at which it starts.
    pub at: u32,
    /// Bits of a code that it holds; 0 for no plane.
    pub bits: u32,
    /// Weights whose bits are laid out together.
    pub span: u32,
}

impl Plane {
    /// Bytes of a span.
    pub const fn span_bytes(self) -> u32 {
        self.span * self.bits / 8
    }
}

/// Where the scales of a block lie, by byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scales {
    /// An f16.
    Half(u32),
    /// An f16 times (s + 1/2) / 4, s the upper half of the last byte of a span of points.
    Points(u32),
    /// An f16 (the first) times an i8 a sub-block.
    Signed(u32, u32),
    /// An f16 times the low half of a byte a sub-block, less the f16 behind it times the high half.
    Nibbles(u32, u32),
    /// An f16 times one of 8 numbers of 6 bits, less the f16 behind it times one of 8 more; the 16 share 12 bytes: those of the
    /// first four sub-blocks are the low 6 bits of bytes 0 to 7, the others have 4 bits in bytes 8 to 11 and the
    /// upper two in the upper bits of bytes 0 to 7.
    Sixes(u32, u32),
}

/// Codes and scales of neighbouring weights as bytes that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Weights.
    pub elems: u32,
    /// Bytes.
    pub bytes: u32,
    /// The low bits of the codes, and the high ones above those.
    pub planes: [Plane; 2],
    /// What is subtracted from a code.
    pub zero: u32,
    /// Scales, and what is subtracted.
    pub scales: Scales,
}

/// How a row of weights is stored: a weight is `decode(code) * scale`, plus a bias where there is one, times
/// a global scale where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The code of a weight.
    pub code: Code,
    /// Weights along K that share a scale (and a bias).
    pub block: u32,
    /// Whether each block has a bias.
    pub bias: bool,
    /// Whether an f32 scales the whole matrix, or each of several equal parts of its rows, as well.
    pub global: bool,
    /// How codes and scales lie together, if they do.
    pub blocks: Option<Blocks>,
}

impl Scheme {
    const fn apart(code: Code, block: u32) -> Scheme {
        Scheme { code, block, bias: false, global: false, blocks: None }
    }

    /// Neighbours that share a scale wherever a multiple of their number starts: a power of two up to 32.
    pub const fn run(&self) -> u32 {
        let zeros = self.block.trailing_zeros();
        if zeros > 5 { 32 } else { 1 << zeros }
    }

    /// Weights that take whole units of memory.
    pub const fn unit_elems(&self) -> u32 {
        match self.blocks {
            Some(blocks) => blocks.elems,
            None => 32,
        }
    }

    /// The units, words or bytes, that those take.
    pub const fn units(&self) -> u32 {
        match self.blocks {
            Some(blocks) => blocks.bytes,
            None => self.code.bits(),
        }
    }

    /// 1 where scales are a tensor of their own, else 0.
    pub const fn scale_rows(&self) -> u32 {
        self.blocks.is_none() as u32
    }

    /// 1 where biases are a tensor of their own, else 0.
    pub const fn bias_rows(&self) -> u32 {
        (self.bias && self.blocks.is_none()) as u32
    }

    /// Units that a row of `k` weights takes.
    pub const fn row_units(&self, k: u32) -> u32 {
        k.div_ceil(self.unit_elems()) * self.units()
    }
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The name.
    pub name: &'static str,
    /// How a row is stored.
    pub scheme: Scheme,
    /// The dtypes that scales may have; none where they lie with the codes.
    pub scales: &'static [DType],
}

const fn f(name: &'static str, code: Code, block: u32, scales: &'static [DType]) -> Format {
    Format { name, scheme: Scheme::apart(code, block), scales }
}

const fn affine(name: &'static str, bits: u32) -> Format {
    let scheme = Scheme { bias: true, ..Scheme::apart(Code::Uint(bits), 64) };
    Format { name, scheme, scales: &[DType::F32, DType::F16, DType::BF16] }
}

const fn gguf(name: &'static str, code: Code, block: u32, blocks: Blocks) -> Format {
    let bias = matches!(blocks.scales, Scales::Nibbles(..) | Scales::Sixes(..));
    let scheme = Scheme { bias, blocks: Some(blocks), ..Scheme::apart(code, block) };
    Format { name, scheme, scales: &[] }
}

const fn plane(at: u32, bits: u32, span: u32) -> Plane {
    Plane { at, bits, span }
}

use Code::{E2M1, E4M3, E5M2, Int, Point, Uint};
const E8: &[DType] = &[DType::F8E8M0];
const E4: &[DType] = &[DType::F8E4M3];
const F16: &[DType] = &[DType::F16];
const F32: &[DType] = &[DType::F32];
const NONE: Plane = plane(0, 0, 32);

/// Every format: block-scaled ones, then affine ones, then GGUF's. `int7_48` is nobody's; it holds every operation to a width and a
/// block that no other has.
#[rustfmt::skip]
pub const FORMATS: &[Format] = &[
    Format { name: "nvfp4", scales: E4, scheme: Scheme { global: true, ..Scheme::apart(E2M1, 16) } },
    f("mxfp4",      E2M1,   32, E8),  f("mxfp8_e4m3",   E4M3,   32, E8),  f("mxfp8_e5m2",   E5M2,   32, E8),
    f("mxint2",     Int(2), 32, E8),  f("mxint3",       Int(3), 32, E8),  f("mxint4",       Int(4), 32, E8),
    f("mxint5",     Int(5), 32, E8),  f("mxint6",       Int(6), 32, E8),  f("mxint8",       Int(8), 32, E8),
    f("nvfp8",      E4M3,   16, F32), f("fp4",          E2M1,   32, F32),
    f("fp8_e4m3",   E4M3,   32, F32), f("fp8_e5m2",     E5M2,   32, F32),
    f("int2",       Int(2), 64, F32), f("int3",         Int(3), 64, F32), f("int4",         Int(4), 64, F32),
    f("int5",       Int(5), 64, F32), f("int6",         Int(6), 64, F32), f("int8",         Int(8), 64, F32),
    f("nvfp8_f16",  E4M3,   16, F16), f("fp4_f16",      E2M1,   32, F16),
    f("fp8_e4m3_f16", E4M3, 32, F16), f("fp8_e5m2_f16", E5M2,   32, F16),
    f("int2_f16",   Int(2), 64, F16), f("int3_f16",     Int(3), 64, F16), f("int4_f16",     Int(4), 64, F16),
    f("int5_f16",   Int(5), 64, F16), f("int6_f16",     Int(6), 64, F16), f("int8_f16",     Int(8), 64, F16),
    f("int7_48",    Int(7), 48, F16),
    affine("affine2", 2), affine("affine3", 3), affine("affine4", 4), affine("affine5", 5), affine("affine6", 6),
    affine("affine8", 8),
    gguf("q8_0", Int(8), 32, Blocks { elems: 32, bytes: 34, zero: 0, scales: Scales::Half(0), planes: [plane(2, 8, 32), NONE] }),
    gguf("q4_0", Uint(4), 32, Blocks { elems: 32, bytes: 18, zero: 8, scales: Scales::Half(0), planes: [plane(2, 4, 32), NONE] }),
    gguf("q2_k", Uint(2), 16, Blocks {
        elems: 256, bytes: 84, zero: 0, scales: Scales::Nibbles(80, 0), planes: [plane(16, 2, 128), NONE],
    }),
    gguf("q4_k", Uint(4), 32, Blocks {
        elems: 256, bytes: 144, zero: 0, scales: Scales::Sixes(0, 4), planes: [plane(16, 4, 64), NONE],
    }),
    gguf("q5_k", Uint(5), 32, Blocks {
        elems: 256, bytes: 176, zero: 0, scales: Scales::Sixes(0, 4), planes: [plane(48, 4, 64), plane(16, 1, 256)],
    }),
    gguf("q6_k", Uint(6), 16, Blocks {
        elems: 256, bytes: 210, zero: 32, scales: Scales::Signed(208, 192), planes: [plane(0, 4, 128), plane(128, 2, 128)],
    }),
    gguf("iq2_xxs", Point, 32, Blocks { elems: 256, bytes: 66, zero: 0, scales: Scales::Points(0), planes: [plane(2, 2, 32), NONE] }),
];

const fn words<const N: usize>(first: usize) -> [&'static str; N] {
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = FORMATS[first + i].name;
        i += 1;
    }
    names
}

/// How many formats lie apart; they come first.
pub const APART: usize = {
    let mut n = 0;
    while FORMATS[n].scheme.blocks.is_none() {
        n += 1;
    }
    n
};
/// The names of `FORMATS`, for signatures.
pub const FORMAT_WORDS: &[&str] = &words::<{ FORMATS.len() }>(0);
/// The names of those that lie apart.
pub const APART_WORDS: &[&str] = &words::<APART>(0);
/// The names of the others but the last, whose points have to be searched for.
pub const TOGETHER_WORDS: &[&str] = &words::<{ FORMATS.len() - APART - 1 }>(APART);

impl Format {
    /// The format with this name.
    pub fn named(name: &str) -> Option<Format> {
        FORMATS.iter().copied().find(|f| f.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        for (i, f) in FORMATS.iter().enumerate() {
            assert!(FORMATS[..i].iter().all(|g| g.name != f.name), "{} twice", f.name);
            assert_eq!(Format::named(f.name), Some(*f));
            assert_eq!(f.scheme.blocks.is_some(), i >= APART, "{}", f.name);
            assert!(!(f.scheme.bias && f.scheme.global), "{}", f.name);
            let Some(blocks) = f.scheme.blocks else { continue };
            // Planes, scales and the like fill a block, and the planes hold a code.
            let planes: u32 = blocks.planes.iter().map(|p| p.bits * blocks.elems / 8).sum();
            let runs = blocks.elems / f.scheme.block;
            let scales = match blocks.scales {
                Scales::Half(_) | Scales::Points(_) => 2,
                Scales::Signed(..) => 2 + runs,
                Scales::Nibbles(..) => 4 + runs,
                Scales::Sixes(..) => 4 + 12,
            };
            assert_eq!(planes + scales, blocks.bytes, "{}", f.name);
            assert_eq!(blocks.planes.iter().map(|p| p.bits).sum::<u32>(), f.scheme.code.bits());
        }
        // 32 codes are whole words, the last chunk of a row included.
        let words = |name, k| Format::named(name).map(|f| f.scheme.row_units(k));
        assert_eq!(words("int5", 64), Some(10));
        assert_eq!(words("int3", 65), Some(9));
        assert_eq!(words("int8", 0), Some(0));
        assert_eq!(words("q6_k", 512), Some(420));
        assert_eq!(Format::named("int7_48").map(|f| f.scheme.run()), Some(16));
    }
}
