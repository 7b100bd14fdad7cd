//! Vector operations with 16-bit operands or results.

use super::lanes::{Half, Lanes};
use crate::ops::Op;
use crate::sem::approx::{Approx, approx_f16};
use crate::sem::float::{self, f16_to_f32};
use crate::sem::{cvt, div, dot, num, soft};

/// Executes an operation of this kind; `false` if it is not one.
#[inline(always)]
pub(super) fn execute(x: &mut Lanes) -> bool {
    floats(x) || integers(x) || conversions(x)
}

fn approx(x: &mut Lanes, which: Approx) {
    let (a, perturb) = (x.halves_signed(0), x.perturb);
    x.put_f16(a.map(|h| approx_f16(which, h, perturb)));
}

#[inline(always)]
fn one(x: &mut Lanes, f: impl Fn(f32) -> f32) {
    x.half_float(1, |a, _, _| f(a));
}

#[inline(always)]
fn two(x: &mut Lanes, f: impl Fn(f32, f32) -> f32) {
    x.half_float(2, |a, b, _| f(a, b));
}

#[inline(always)]
fn fma(x: &mut Lanes, c: Half) {
    let (a, b, mut out) = (x.halves_signed(0), x.halves_signed(1), [0; 32]);
    for l in 0..32 {
        out[l] = float::fma_f16(a[l], b[l], c[l]);
    }
    x.put_f16(out);
}

/// The half of the destination that is written, as it was.
#[inline(always)]
fn old_half(x: &Lanes) -> Half {
    let shift = if x.inst.op_sel & 8 != 0 { 16 } else { 0 };
    x.old().map(|word| (word >> shift) as u16)
}

#[inline(always)]
fn floats(x: &mut Lanes) -> bool {
    match x.inst.op {
        Op::VAddF16 => two(x, |a, b| a + b),
        Op::VSubF16 => two(x, |a, b| a - b),
        Op::VSubrevF16 => two(x, |a, b| b - a),
        Op::VMulF16 => two(x, |a, b| a * b),
        Op::VFmaF16 | Op::VFmaakF16 | Op::VFmamkF16 => {
            let c = x.halves_signed(2);
            fma(x, c);
        }
        Op::VFmacF16 => {
            let c = old_half(x);
            fma(x, c);
        }
        Op::VMinNumF16 => two(x, num::min_num_f32),
        Op::VMaxNumF16 => two(x, num::max_num_f32),
        Op::VMinimumF16 => two(x, num::minimum_f32),
        Op::VMaximumF16 => two(x, num::maximum_f32),
        Op::VMin3NumF16 => x.half_float(3, |a, b, c| num::min_num_f32(num::min_num_f32(a, b), c)),
        Op::VMax3NumF16 => x.half_float(3, |a, b, c| num::max_num_f32(num::max_num_f32(a, b), c)),
        Op::VMinimum3F16 => x.half_float(3, |a, b, c| num::minimum_f32(num::minimum_f32(a, b), c)),
        Op::VMaximum3F16 => x.half_float(3, |a, b, c| num::maximum_f32(num::maximum_f32(a, b), c)),
        Op::VMed3NumF16 => x.half_float(3, num::med3_f32),
        Op::VMinmaxNumF16 => x.half_float(3, |a, b, c| num::max_num_f32(num::min_num_f32(a, b), c)),
        Op::VMaxminNumF16 => x.half_float(3, |a, b, c| num::min_num_f32(num::max_num_f32(a, b), c)),
        Op::VMinimummaximumF16 => {
            x.half_float(3, |a, b, c| num::maximum_f32(num::minimum_f32(a, b), c))
        }
        Op::VMaximumminimumF16 => {
            x.half_float(3, |a, b, c| num::minimum_f32(num::maximum_f32(a, b), c))
        }
        Op::VRcpF16 => approx(x, Approx::Rcp),
        Op::VSqrtF16 => approx(x, Approx::Sqrt),
        Op::VRsqF16 => approx(x, Approx::Rsq),
        Op::VLogF16 => approx(x, Approx::Log),
        Op::VExpF16 => approx(x, Approx::Exp),
        Op::VSinF16 => approx(x, Approx::Sin),
        Op::VCosF16 => approx(x, Approx::Cos),
        Op::VFloorF16 => one(x, f32::floor),
        Op::VCeilF16 => one(x, f32::ceil),
        Op::VTruncF16 => one(x, f32::trunc),
        Op::VRndneF16 => one(x, f32::round_ties_even),
        // The largest f16 below one.
        Op::VFractF16 => one(x, |a| float::fract_f64(f64::from(a), 2047.0 / 2048.0) as f32),
        Op::VFrexpMantF16 => one(x, |a| float::frexp_mant_f64(f64::from(a)) as f32),
        Op::VFrexpExpI16F16 => {
            let out = x.half_floats(0).map(|a| float::frexp_exp_f64(f64::from(a)) as u16);
            x.put_halves(&out);
        }
        Op::VLdexpF16 => {
            let (a, n, mut out) = (x.half_floats(0), x.halves(1), [0.0; 32]);
            for l in 0..32 {
                // f32 holds every f16 times a power that leaves it within f16; farther out only zero and infinity remain.
                out[l] = soft::ldexp_f32(a[l], i32::from(n[l] as i16).clamp(-60, 60));
            }
            x.put_half_floats(out);
        }
        Op::VDivFixupF16 => x.half_float(3, div::fixup_f16),
        Op::VDot2F16F16 => {
            let (a, b, c, mut out) = (x.packed(0), x.packed(1), x.halves_signed(2), [0; 32]);
            for l in 0..32 {
                out[l] = dot::dot2_f16(a[l], b[l], c[l]);
            }
            x.put_f16(out);
        }
        Op::VDot2Bf16Bf16 => {
            let (a, b, c, mut out) = (x.packed(0), x.packed(1), x.halves_signed(2), [0; 32]);
            for l in 0..32 {
                out[l] = dot::dot2_bf16(a[l], b[l], c[l]);
            }
            x.put_halves(&out);
        }
        _ => return false,
    }
    true
}

/// A saturated unsigned result where the instruction clamps, a wrapped one where not.
#[inline(always)]
fn unsigned(clamp: bool, exact: i64) -> u16 {
    if clamp { exact.clamp(0, 0xffff) as u16 } else { exact as u16 }
}

/// A saturated signed result where the instruction clamps, a wrapped one where not.
#[inline(always)]
fn signed(clamp: bool, exact: i64) -> u16 {
    if clamp { exact.clamp(-0x8000, 0x7fff) as u16 } else { exact as u16 }
}

/// A half as a signed number.
#[inline(always)]
fn number(h: u16) -> i64 {
    i64::from(h as i16)
}

#[inline(always)]
fn integers(x: &mut Lanes) -> bool {
    let clamp = x.inst.clamp;
    match x.inst.op {
        Op::VMovB16 => x.half_int(1, |a, _, _| a),
        Op::VNotB16 => x.half_int(1, |a, _, _| !a),
        Op::VAndB16 => x.half_int(2, |a, b, _| a & b),
        Op::VOrB16 => x.half_int(2, |a, b, _| a | b),
        Op::VXorB16 => x.half_int(2, |a, b, _| a ^ b),
        Op::VAddNcU16 => x.half_int(2, |a, b, _| unsigned(clamp, i64::from(a) + i64::from(b))),
        Op::VSubNcU16 => x.half_int(2, |a, b, _| unsigned(clamp, i64::from(a) - i64::from(b))),
        Op::VAddNcI16 => x.half_int(2, |a, b, _| signed(clamp, number(a) + number(b))),
        Op::VSubNcI16 => x.half_int(2, |a, b, _| signed(clamp, number(a) - number(b))),
        Op::VMulLoU16 => x.half_int(2, |a, b, _| a.wrapping_mul(b)),
        Op::VMadU16 => {
            x.half_int(3, |a, b, c| unsigned(clamp, i64::from(a) * i64::from(b) + i64::from(c)))
        }
        Op::VMadI16 => x.half_int(3, |a, b, c| signed(clamp, number(a) * number(b) + number(c))),
        Op::VMaxU16 => x.half_int(2, |a, b, _| a.max(b)),
        Op::VMinU16 => x.half_int(2, |a, b, _| a.min(b)),
        Op::VMaxI16 => x.half_int(2, |a, b, _| number(a).max(number(b)) as u16),
        Op::VMinI16 => x.half_int(2, |a, b, _| number(a).min(number(b)) as u16),
        Op::VMin3I16 => x.half_int(3, |a, b, c| number(a).min(number(b)).min(number(c)) as u16),
        Op::VMin3U16 => x.half_int(3, |a, b, c| a.min(b).min(c)),
        Op::VMax3I16 => x.half_int(3, |a, b, c| number(a).max(number(b)).max(number(c)) as u16),
        Op::VMax3U16 => x.half_int(3, |a, b, c| a.max(b).max(c)),
        Op::VMed3I16 => x.half_int(3, |a, b, c| {
            let (a, b, c) = (number(a), number(b), number(c));
            a.min(b).max(a.max(b).min(c)) as u16
        }),
        Op::VMed3U16 => x.half_int(3, |a, b, c| a.min(b).max(a.max(b).min(c))),
        Op::VLshlrevB16 => x.half_int(2, |n, a, _| a << (n & 15)),
        Op::VLshrrevB16 => x.half_int(2, |n, a, _| a >> (n & 15)),
        Op::VAshrrevI16 => x.half_int(2, |n, a, _| ((a as i16) >> (n & 15)) as u16),
        Op::VCndmaskB16 => {
            let (a, b, mask, mut out) =
                (x.halves_signed(0), x.halves_signed(1), x.mask_of(2), [0; 32]);
            for l in 0..32 {
                out[l] = if mask >> l & 1 == 1 { b[l] } else { a[l] };
            }
            x.put_halves(&out);
        }
        Op::VMadU32U16 => {
            let f = |a: u16, b: u16, c: u32| i64::from(a) * i64::from(b) + i64::from(c);
            mad32(x, f, |exact| exact.min(i64::from(u32::MAX)));
        }
        Op::VMadI32I16 => {
            let f = |a: u16, b: u16, c: u32| number(a) * number(b) + i64::from(c as i32);
            mad32(x, f, |exact| exact.clamp(i64::from(i32::MIN), i64::from(i32::MAX)));
        }
        _ => return false,
    }
    true
}

/// A product of halves onto a word.
#[inline(always)]
fn mad32(x: &mut Lanes, f: impl Fn(u16, u16, u32) -> i64, saturate: impl Fn(i64) -> i64) {
    let (a, b, mut t, mut out) = (x.halves(0), x.halves(1), [0; 32], [0; 32]);
    let c = x.row(2, &mut t);
    for l in 0..32 {
        let exact = f(a[l], b[l], c[l]);
        out[l] = (if x.inst.clamp { saturate(exact) } else { exact }) as u32;
    }
    x.put(&out);
}

#[inline(always)]
fn conversions(x: &mut Lanes) -> bool {
    match x.inst.op {
        Op::VCvtF16F32 => {
            let a = x.floats(0);
            x.put_half_floats(a);
        }
        Op::VCvtF32F16 => {
            let a = x.half_floats(0);
            x.put_floats(a.map(f32::to_bits));
        }
        Op::VCvtF16U16 => {
            let a = x.halves(0);
            x.put_half_floats(a.map(f32::from));
        }
        Op::VCvtF16I16 => {
            let a = x.halves(0);
            x.put_half_floats(a.map(|h| f32::from(h as i16)));
        }
        Op::VCvtU16F16 => {
            let a = x.halves_signed(0);
            x.put_halves(&a.map(cvt::u16_of_f16));
        }
        Op::VCvtI16F16 => {
            let a = x.halves_signed(0);
            x.put_halves(&a.map(|h| cvt::i16_of_f16(h) as u16));
        }
        Op::VCvtNormI16F16 => {
            let a = x.half_floats(0);
            x.put_halves(&a.map(|f| cvt::norm_i16(f) as u16));
        }
        Op::VCvtNormU16F16 => {
            let a = x.half_floats(0);
            x.put_halves(&a.map(cvt::norm_u16));
        }
        Op::VCvtI32I16 => {
            let a = x.halves(0);
            x.put(&a.map(|h| i32::from(h as i16) as u32));
        }
        Op::VCvtU32U16 => {
            let a = x.halves(0);
            x.put(&a.map(u32::from));
        }
        Op::VSatPkU8I16 => {
            let mut t = [0; 32];
            let out = x.row(0, &mut t).map(|a| cvt::sat_pk_u8(a) as u16);
            x.put_halves(&out);
        }
        Op::VPackB32F16 => pack(x, |h| h),
        Op::VCvtPkNormI16F16 => pack(x, |h| cvt::norm_i16(f16_to_f32(h)) as u16),
        Op::VCvtPkNormU16F16 => pack(x, |h| cvt::norm_u16(f16_to_f32(h))),
        _ => return false,
    }
    true
}

/// Two halves of any registers into one word.
#[inline(always)]
fn pack(x: &mut Lanes, f: impl Fn(u16) -> u16) {
    let (a, b, mut out) = (x.halves_signed(0), x.halves_signed(1), [0; 32]);
    for l in 0..32 {
        out[l] = cvt::pair(f(a[l]), f(b[l]));
    }
    x.put(&out);
}
