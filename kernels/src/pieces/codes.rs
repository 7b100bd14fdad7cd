//! Packed codes: from a stream of bits to numbers, and from numbers to codes.
//!
//! Invariants
//! - A stream is `u32` words, the least significant bit first; 32 codes are as many whole words as a code
//!   has bits.
//! - Decoding is exact, encoding rounds once to nearest even and saturates; neither forms a subnormal: the
//!   same bits on a device that flushes them.

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

/// Codes `i` to `i + count - 1` of the stream that `word` reads from its first word on; `count` is a power of two up to 32 that
/// divides `i`. Where the codes fill words, or share one, each word is read once.
#[device]
pub fn codes_at(
    word: &dyn Fn(Val<u64>) -> Val<u32>,
    first: Val<u64>,
    i: Val<u32>,
    count: u32,
    bits: u32,
) -> Vec<Val<u32>> {
    // 32 codes are `bits` words, so the product below stays small.
    let bit = i % 32 * bits;
    let at = first + ((i / 32 * bits + bit / 32) as u64);
    if count * bits % 32 == 0 {
        let words: Vec<Val<u32>> = (0..count * bits / 32).map(|n| word(at + n as u64)).collect();
        (0..count).map(|j| code_of_32(&words, j, bits)).collect()
    } else if 32 % bits == 0 {
        let all = word(at) >> (bit % 32);
        (0..count).map(|j| (all >> (j * bits)) & ((1u32 << bits) - 1)).collect()
    } else {
        (0..count).map(|j| code_at(word, first, i + j, bits)).collect()
    }
}

/// Code `i` of a stream whose codes cross words.
#[device]
fn code_at(
    word: &dyn Fn(Val<u64>) -> Val<u32>,
    first: Val<u64>,
    i: Val<u32>,
    bits: u32,
) -> Val<u32> {
    let bit = i % 32 * bits;
    let at = first + ((i / 32 * bits + bit / 32) as u64);
    let shift = bit % 32;
    let mut all = word(at) >> shift;
    if shift + bits > 32 {
        all = all | (word(at + 1) << (32 - shift));
    }
    all & ((1u32 << bits) - 1)
}

/// Word `w` of the stream of the first `count` codes.
#[device]
pub fn word_of(
    code: &dyn Fn(Val<u32>) -> Val<u32>,
    count: Val<u32>,
    w: Val<u32>,
    bits: u32,
) -> Val<u32> {
    let mut word = val(0u32);
    let (start, first) = (w * 32, w * 32 / bits);
    for k in 0..32u32.div_ceil(bits) + 1 {
        // The code's first bit; a code may begin in the word before, or end in the next.
        let (i, at) = (first + k, (first + k) * bits);
        if i < count && at < start + 32 {
            let code = code(i);
            word |= select(at < start, code >> (start - at), code << (at - start));
        }
    }
    word
}

/// The number that a code stands for.
#[device]
pub fn decode(code: Val<u32>, of: Code) -> Val<f32> {
    match of {
        Code::Uint(_) => code as f32,
        Code::Point => {
            let place = code & 3;
            let size = (place * 17 + (place >> 1) + 8) as f32;
            select(code < 4, size, -size)
        }
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

/// The code of the nearest number, halves to even; beyond the largest, that one's. Of integers the range is
/// symmetric, and NaN is 0; of floats it is the format's NaN, or the largest number where there is none.
#[device]
pub fn encode(x: Val<f32>, of: Code) -> Val<u32> {
    match of {
        Code::Uint(bits) => {
            let most = ((1u32 << bits) - 1) as f32;
            min(max(round_even(x), 0.0), most) as u32
        }
        Code::Int(bits) => {
            let most = ((1u32 << (bits - 1)) - 1) as f32;
            ((min(max(round_even(x), -most), most) as i32) as u32) & (u32::MAX >> (32 - bits))
        }
        Code::Point => {
            let (sign, size) = (bits(x) >> 31 << 2, abs(x));
            sign | select(size > 34.0, 2u32, select(size > 16.5, 1u32, 0u32))
        }
        Code::E2M1 => small_code(x, 2, 1, 7, 7),
        Code::E4M3 => small_code(x, 4, 3, 0x7e, 0x7f),
        Code::E5M2 => small_code(x, 5, 2, 0x7b, 0x7e),
    }
}

/// The code of a float as `small_float` reads it, with that of the largest number and that of NaN.
#[device]
fn small_code(x: Val<f32>, exponent: u32, mantissa: u32, most: u32, nan: u32) -> Val<u32> {
    let bias = (1u32 << (exponent - 1)) - 1;
    let magnitude = bits(x) & 0x7fff_ffff;
    // Half of the last place less one, and one more where the last place is odd.
    let last = 23 - mantissa;
    let round = ((1u32 << (last - 1)) - 1) + ((magnitude >> last) & 1);
    let normal = (magnitude + round - ((127 - bias) << 23)) >> last;
    // A float whose last place is the step of the subnormals rounds to it when added.
    let step = f32::from_bits((127 + 24 - bias - mantissa) << 23);
    let subnormal = bits(from_bits::<f32>(magnitude) + step) - step.to_bits();
    let code = min(select(magnitude < ((128 - bias) << 23), subnormal, normal), most);
    let sign = (bits(x) >> 31) << (exponent + mantissa);
    select(magnitude > 0x7f80_0000, nan, code | sign)
}
