//! How quantised weights are stored: code x block x scale, as values that one kernel is written over.
//!
//! A row of K weights is cut into blocks of `block` along K; each weight is a code, each block has a scale.
//!
//! Invariants
//! - A row's codes are a stream of bits in `u32` words, the least significant bit first, and each row starts
//!   at a word: rows of K codes take `row_words(K, bits)` words. 32 codes are always whole words.
//! - A row has `K.div_ceil(block)` scales; the last block may be short.

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
}

impl Code {
    /// Bits of a code.
    pub const fn bits(self) -> u32 {
        match self {
            Code::E2M1 => 4,
            Code::E4M3 | Code::E5M2 => 8,
            Code::Int(bits) | Code::Uint(bits) => bits,
        }
    }

    /// The largest number. That of integers is also the least one's magnitude when weights are quantised.
    pub const fn most(self) -> f32 {
        match self {
            Code::E2M1 => 6.0,
            Code::E4M3 => 448.0,
            Code::E5M2 => 57344.0,
            Code::Int(bits) => ((1 << (bits - 1)) - 1) as f32,
            Code::Uint(bits) => ((1 << bits) - 1) as f32,
        }
    }
}

/// How a row of weights is stored: a weight is `decode(code) * scale`, plus a bias where there is one, times
/// a global scale where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The code of a weight.
    pub code: Code,
    /// Weights along K that share a scale (and a bias): 16 or a multiple of 32.
    pub block: u32,
    /// Whether each block has a bias.
    pub bias: bool,
    /// Whether an f32 scales the whole matrix, or each of several equal parts of its rows, as well.
    pub global: bool,
}

/// A block-scaled format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The name.
    pub name: &'static str,
    /// How a row is stored.
    pub scheme: Scheme,
    /// The dtype of a scale.
    pub scale: DType,
}

const fn f(name: &'static str, code: Code, block: u32, scale: DType) -> Format {
    Format { name, scheme: Scheme { code, block, bias: false, global: false }, scale }
}

use Code::{E2M1, E4M3, E5M2, Int};
use DType::{F8E4M3, F8E8M0, F16, F32};

/// Every format.
#[rustfmt::skip]
pub const FORMATS: [Format; 30] = [
    Format { name: "nvfp4", scale: F8E4M3, scheme: Scheme { code: E2M1, block: 16, bias: false, global: true } },
    f("mxfp4",      E2M1,   32, F8E8M0), f("mxfp8_e4m3",   E4M3,   32, F8E8M0), f("mxfp8_e5m2",   E5M2,   32, F8E8M0),
    f("mxint2",     Int(2), 32, F8E8M0), f("mxint3",       Int(3), 32, F8E8M0), f("mxint4",       Int(4), 32, F8E8M0),
    f("mxint5",     Int(5), 32, F8E8M0), f("mxint6",       Int(6), 32, F8E8M0), f("mxint8",       Int(8), 32, F8E8M0),
    f("nvfp8",      E4M3,   16, F32),    f("fp4",          E2M1,   32, F32),
    f("fp8_e4m3",   E4M3,   32, F32),    f("fp8_e5m2",     E5M2,   32, F32),
    f("int2",       Int(2), 64, F32),    f("int3",         Int(3), 64, F32),    f("int4",         Int(4), 64, F32),
    f("int5",       Int(5), 64, F32),    f("int6",         Int(6), 64, F32),    f("int8",         Int(8), 64, F32),
    f("nvfp8_f16",  E4M3,   16, F16),    f("fp4_f16",      E2M1,   32, F16),
    f("fp8_e4m3_f16", E4M3, 32, F16),    f("fp8_e5m2_f16", E5M2,   32, F16),
    f("int2_f16",   Int(2), 64, F16),    f("int3_f16",     Int(3), 64, F16),    f("int4_f16",     Int(4), 64, F16),
    f("int5_f16",   Int(5), 64, F16),    f("int6_f16",     Int(6), 64, F16),    f("int8_f16",     Int(8), 64, F16),
];

/// The names of `FORMATS`, for signatures.
pub const FORMAT_WORDS: [&str; 30] = {
    let mut names = [""; 30];
    let mut i = 0;
    while i < 30 {
        names[i] = FORMATS[i].name;
        i += 1;
    }
    names
};

impl Format {
    /// The format with this name.
    pub fn named(name: &str) -> Option<Format> {
        FORMATS.iter().copied().find(|f| f.name == name)
    }
}

/// Words that a row of `k` codes takes.
pub const fn row_words(k: u32, bits: u32) -> u32 {
    k.div_ceil(32) * bits
}
