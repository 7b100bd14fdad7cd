//! Conversions between f32 and the narrow floats: the integer code of `eval::storage` in the kernel language.
//!
//! Invariants
//! - The bits of a narrow float stand in the low end of a u32, zero-extended; upper bits of codes are ignored by
//!   `decode` and zero from `encode`.
//! - The float sums have results of at least 2^-15, and a subnormal operand counts as zero in them: flushing it
//!   changes nothing.

use crate::dtype::DType;
use crate::math::{INF, MAGNITUDE, NAN, SIGN};
use crate::prelude::*;

/// Rounds a finite magnitude (f32 bits) to `mantissa_bits` with the given bias. `step` is the power of two whose
/// ulp is the target's subnormal step. The result may exceed the largest finite code.
#[device]
fn round(a: Val<u32>, mantissa_bits: u32, bias: u32, step: f32) -> Val<u32> {
    let drop = 23 - mantissa_bits;
    let half = (1 << (drop - 1)) - 1;
    let small = bits(from_bits::<f32>(a) + step) - step.to_bits();
    let large = (a - ((127 - bias) << 23) + half + ((a >> drop) & 1)) >> drop;
    select(a < ((128 - bias) << 23), small, large)
}

/// `code * 2^-k` for a code of few bits, as f32 bits; `step` is 2^(23 - k).
#[device]
fn subnormal(code: Val<u32>, step: f32) -> Val<u32> {
    bits(from_bits::<f32>(code | step.to_bits()) - step)
}

/// `narrow_f16` of an f32 given by its bits.
#[device]
pub(super) fn narrow_f16_bits(x: Val<u32>) -> Val<u32> {
    let a = x & MAGNITUDE;
    let code = select(a < 0x47800000, round(a, 10, 15, 0.5), 0x7c00u32);
    select(INF < a, 0x7e00u32, code | ((x >> 16) & 0x8000))
}

/// The bits of the nearest f16, ties to even.
#[device]
pub fn narrow_f16(x: Val<f32>) -> Val<u32> {
    narrow_f16_bits(bits(x))
}

/// The value of the f16 in the low 16 bits.
#[device]
pub fn widen_f16(code: Val<u32>) -> Val<f32> {
    let a = code & 0x7fff;
    let normal = (a << 13) + (112 << 23);
    let r = select(a < 0x400, subnormal(a, 0.5), normal);
    let r = select(0x7c00 <= a, (a << 13) | INF, r) | ((code & 0x8000) << 16);
    from_bits::<f32>(r)
}

/// `narrow_bf16` of an f32 given by its bits.
#[device]
pub(super) fn narrow_bf16_bits(x: Val<u32>) -> Val<u32> {
    let r = (x + 0x7fff + ((x >> 16) & 1)) >> 16;
    select(INF < (x & MAGNITUDE), 0x7fc0u32, r)
}

/// The bits of the nearest bf16, ties to even.
#[device]
pub fn narrow_bf16(x: Val<f32>) -> Val<u32> {
    narrow_bf16_bits(bits(x))
}

/// The value of the bf16 in the low 16 bits.
#[device]
pub fn widen_bf16(code: Val<u32>) -> Val<f32> {
    from_bits::<f32>(code << 16)
}

#[device]
fn decode_f8e4m3(code: Val<u32>) -> Val<f32> {
    let a = code & 0x7f;
    let r = select(a < 8, subnormal(a, 16384.0), (a << 20) + (120 << 23));
    from_bits::<f32>(select(a == 0x7f, NAN, r | ((code & 0x80) << 24)))
}

#[device]
fn encode_f8e4m3(x: Val<f32>) -> Val<u32> {
    let x = bits(x);
    let a = x & MAGNITUDE;
    let code = select(a < 0x43e00000, round(a, 3, 7, 16384.0), 0x7eu32);
    select(INF < a, 0x7fu32, code | ((x >> 24) & 0x80))
}

#[device]
fn encode_f8e5m2(x: Val<f32>) -> Val<u32> {
    let x = bits(x);
    let a = x & MAGNITUDE;
    let code = select(a < 0x47600000, round(a, 2, 15, 128.0), 0x7bu32);
    select(INF < a, 0x7eu32, code | ((x >> 24) & 0x80))
}

#[device]
fn decode_f8e8m0(code: Val<u32>) -> Val<f32> {
    let code = code & 0xff;
    let r = select(code == 0, 0x00400000u32, code << 23);
    from_bits::<f32>(select(code == 0xff, NAN, r))
}

#[device]
fn encode_f8e8m0(x: Val<f32>) -> Val<u32> {
    let x = bits(x);
    select(SIGN < x, 0xffu32, (x >> 23) & 0xff)
}

#[device]
fn decode_f4e2m1(code: Val<u32>) -> Val<f32> {
    let a = code & 7;
    // The one subnormal, 0.5, and zero.
    let small = select(a == 0, 0u32, 126 << 23);
    let r = select(a < 2, small, (a << 22) + (126 << 23));
    from_bits::<f32>(r | ((code & 8) << 28))
}

#[device]
fn encode_f4e2m1(x: Val<f32>) -> Val<u32> {
    let x = bits(x);
    let a = x & MAGNITUDE;
    let code = select(a < 0x40c00000, round(a, 1, 1, 4_194_304.0), 7u32);
    select(INF < a, 7u32, code | ((x >> 28) & 8))
}

/// The value of a stored float whose code is in the low bits of `code`; `None` where `stored` is no float that
/// exists in buffers only.
#[track_caller]
pub fn decode(stored: DType, code: Val<u32>) -> Option<Val<f32>> {
    match stored {
        DType::F8E4M3 => Some(decode_f8e4m3(code)),
        DType::F8E5M2 => Some(widen_f16((code & 0xff) << 8)),
        DType::F8E8M0 => Some(decode_f8e8m0(code)),
        DType::F4E2M1 => Some(decode_f4e2m1(code)),
        DType::Bool
        | DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F16
        | DType::BF16
        | DType::F32
        | DType::F64 => None,
    }
}

/// The code that a store of `x` writes; `None` where `stored` is no float that exists in buffers only.
#[track_caller]
pub fn encode(stored: DType, x: Val<f32>) -> Option<Val<u32>> {
    match stored {
        DType::F8E4M3 => Some(encode_f8e4m3(x)),
        DType::F8E5M2 => Some(encode_f8e5m2(x)),
        DType::F8E8M0 => Some(encode_f8e8m0(x)),
        DType::F4E2M1 => Some(encode_f4e2m1(x)),
        DType::Bool
        | DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F16
        | DType::BF16
        | DType::F32
        | DType::F64 => None,
    }
}
