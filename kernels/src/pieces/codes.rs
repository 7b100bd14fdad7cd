//! Packed codes: from a stream of bits to numbers.
//!
//! Invariants
//! - A stream is `u32` words, the least significant bit first; 32 codes are as many whole words as a code
//!   has bits.
//! - Decoding is exact and forms no subnormal: the same bits on a device that flushes them.

use crate::quant::format::Code;
use evenweave_lang::prelude::*;

/// Code `i` of the 32 codes in `words`; the shift is known while staging.
#[device]
pub fn code_of_32(words: &[Val<u32>], i: u32, bits: u32) -> Val<u32> {
    let (word, shift) = (i * bits / 32, i * bits % 32);
    let low = words[word as usize] >> shift;
    if shift + bits > 32 {
        (low | (words[word as usize + 1] << (32 - shift))) & ((1u32 << bits) - 1)
    } else if shift + bits == 32 {
        low
    } else {
        low & ((1u32 << bits) - 1)
    }
}

/// Code `i` of the stream that starts at word `first`.
#[device]
pub fn code_at(codes: &In<u32>, first: Val<u64>, i: Val<u32>, bits: u32) -> Val<u32> {
    // 32 codes are `bits` words, so the product below stays small.
    let bit = i % 32 * bits;
    let word = first + ((i / 32 * bits + bit / 32) as u64);
    let shift = bit % 32;
    let low = codes[word] >> shift;
    if 32 % bits == 0 {
        low & ((1u32 << bits) - 1)
    } else {
        let mut all = low;
        if shift + bits > 32 {
            all = low | (codes[word + 1] << (32 - shift));
        }
        all & ((1u32 << bits) - 1)
    }
}

/// The number that a code stands for.
#[device]
pub fn decode(code: Val<u32>, of: Code) -> Val<f32> {
    match of {
        Code::Uint(_) => code as f32,
        Code::Int(bits) => (((code << (32 - bits)) as i32) >> (32 - bits)) as f32,
        Code::E2M1 => small_float(code, 2, 1),
        Code::E4M3 => {
            let number = small_float(code, 4, 3);
            select((code & 0x7f) == 0x7f, f32::NAN, number)
        }
        Code::E5M2 => {
            let number = small_float(code, 5, 2);
            let infinite = from_bits::<f32>(((code & 0x80) << 24) | 0x7f80_0000);
            let number = select((code & 0x7f) == 0x7c, infinite, number);
            select((code & 0x7f) > 0x7c, f32::NAN, number)
        }
    }
}

/// A float of a sign, `exponent` bits with the usual bias, and `mantissa` bits, without NaN and infinity.
#[device]
fn small_float(code: Val<u32>, exponent: u32, mantissa: u32) -> Val<f32> {
    let bias = (1u32 << (exponent - 1)) - 1;
    let magnitude = code & ((1u32 << (exponent + mantissa)) - 1);
    let normal = (magnitude << (23 - mantissa)) + ((127 - bias) << 23);
    // The last place of a subnormal, 2^(1 - bias - mantissa), times its whole number.
    let place = f32::from_bits((128 - bias - mantissa) << 23);
    let subnormal = bits((magnitude as f32) * place);
    let number = select(magnitude < (1u32 << mantissa), subnormal, normal);
    let sign = (code >> (exponent + mantissa)) << 31;
    from_bits::<f32>(number | sign)
}
