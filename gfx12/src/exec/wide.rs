//! Vector operations with 64-bit operands or results.

use super::lanes::{Lanes, where_true};
use crate::ops::Op;
use crate::sem::approx::{Approx, approx_f64};
use crate::sem::fp8::{self, Fp8};
use crate::sem::{div, float, num, soft, trig};

/// Executes an operation of this kind; `false` if it is not one.
#[inline(always)]
pub(super) fn execute(x: &mut Lanes) -> bool {
    floats(x) || others(x)
}

fn approx(x: &mut Lanes, which: Approx) {
    let perturb = x.perturb;
    x.f64_1(|a| approx_f64(which, a, perturb));
}

#[inline(always)]
fn floats(x: &mut Lanes) -> bool {
    match x.inst.op {
        Op::VAddF64 => x.f64_2(|a, b| a + b),
        Op::VMulF64 => x.f64_2(|a, b| a * b),
        Op::VFmaF64 => x.f64_3(f64::mul_add),
        Op::VMinNumF64 => x.f64_2(num::min_num_f64),
        Op::VMaxNumF64 => x.f64_2(num::max_num_f64),
        Op::VMinimumF64 => x.f64_2(num::minimum_f64),
        Op::VMaximumF64 => x.f64_2(num::maximum_f64),
        Op::VTruncF64 => x.f64_1(f64::trunc),
        Op::VCeilF64 => x.f64_1(f64::ceil),
        Op::VRndneF64 => x.f64_1(f64::round_ties_even),
        Op::VFloorF64 => x.f64_1(f64::floor),
        Op::VFractF64 => x.f64_1(|a| float::fract_f64(a, 1.0f64.next_down())),
        Op::VFrexpMantF64 => x.f64_1(float::frexp_mant_f64),
        Op::VFrexpExpI32F64 => x.of_f64(|a| float::frexp_exp_f64(a) as u32),
        Op::VRcpF64 => approx(x, Approx::Rcp),
        Op::VRsqF64 => approx(x, Approx::Rsq),
        Op::VSqrtF64 => approx(x, Approx::Sqrt),
        Op::VLdexpF64 => {
            let (a, mut t, mut out) = (x.doubles(0), [0; 32], [0.0; 32]);
            let n = x.row(1, &mut t);
            for l in 0..32 {
                out[l] = soft::ldexp_f64(a[l], n[l] as i32);
            }
            x.put_doubles(out);
        }
        Op::VTrigPreopF64 => {
            let (a, mut t, mut out) = (x.doubles(0), [0; 32], [0.0; 32]);
            let n = x.row(1, &mut t);
            for l in 0..32 {
                out[l] = trig::two_over_pi(a[l], n[l]);
            }
            x.put_doubles(out);
        }
        Op::VDivFixupF64 => x.f64_3(div::fixup_f64),
        Op::VDivFmasF64 => {
            let (a, b, c, scaled) = (x.doubles(0), x.doubles(1), x.doubles(2), x.wave.vcc());
            let mut out = [0.0; 32];
            for l in 0..32 {
                out[l] = div::fmas_f64(a[l], b[l], c[l], scaled >> l & 1 == 1);
            }
            x.put_doubles(out);
        }
        Op::VDivScaleF64 => {
            let (a, den, nom) = (x.doubles(0), x.doubles(1), x.doubles(2));
            let (mut out, mut flags) = ([0.0; 32], 0);
            for l in 0..32 {
                let (value, flag) = div::scale_f64(a[l], den[l], nom[l]);
                out[l] = value;
                flags |= u32::from(flag) << l;
            }
            x.put_mask(x.inst.dst2, flags);
            x.put_doubles(out);
        }
        _ => return false,
    }
    true
}

#[inline(always)]
fn others(x: &mut Lanes) -> bool {
    match x.inst.op {
        Op::VCvtI32F64 => x.of_f64(|a| a as i32 as u32),
        Op::VCvtU32F64 => x.of_f64(|a| a as u32),
        Op::VCvtF32F64 => {
            let a = x.doubles(0);
            x.put_floats(a.map(|a| (a as f32).to_bits()));
        }
        Op::VCvtF64I32 => of_word(x, |a| f64::from(a as i32)),
        Op::VCvtF64U32 => of_word(x, f64::from),
        Op::VCvtF64F32 => {
            let a = x.floats(0);
            x.put_doubles(a.map(f64::from));
        }
        Op::VCvtPkF32Fp8 => from_fp8(x, Fp8::E4m3),
        Op::VCvtPkF32Bf8 => from_fp8(x, Fp8::E5m2),
        Op::VLshlrevB64 => shift(x, |a, n| a << n),
        Op::VLshrrevB64 => shift(x, |a, n| a >> n),
        Op::VAshrrevI64 => shift(x, |a, n| ((a as i64) >> n) as u64),
        Op::VMadCoU64U32 => mad(x, |a, b, c| u128::from(a) * u128::from(b) + u128::from(c)),
        Op::VMadCoI64I32 => mad(x, |a, b, c| {
            let product = i128::from(a as i32) * i128::from(b as i32);
            (product + i128::from(c as i64)) as u128
        }),
        _ => return false,
    }
    true
}

#[inline(always)]
fn of_word(x: &mut Lanes, f: impl Fn(u32) -> f64) {
    let mut t = [0; 32];
    let out = x.row(0, &mut t).map(f);
    x.put_doubles(out);
}

/// Two codes of the low or the high half into two f32.
#[inline(always)]
fn from_fp8(x: &mut Lanes, format: Fp8) {
    let shift = if x.inst.op_sel & 1 == 1 { 16 } else { 0 };
    let mut t = [0; 32];
    let value = |code: u32| u64::from(fp8::decode(format, code as u8).to_bits());
    let out = x.row(0, &mut t).map(|a| value(a >> shift) | (value(a >> (shift + 8)) << 32));
    x.put_wide(&out);
}

/// A 64-bit shift; the count is the first source.
#[inline(always)]
fn shift(x: &mut Lanes, f: impl Fn(u64, u32) -> u64) {
    let (mut t, mut out) = ([0; 32], [0; 32]);
    let (n, a) = (x.row(0, &mut t), x.wide(1));
    for l in 0..32 {
        out[l] = f(a[l], n[l] & 63);
    }
    x.put_wide(&out);
}

/// A product onto 64 bits, with what leaves them: a carry, or for signed ones an overflow, as bit 64 says.
#[inline(always)]
fn mad(x: &mut Lanes, f: impl Fn(u32, u32, u64) -> u128) {
    let (mut s, mut t, mut exact) = ([0; 32], [0; 32], [0; 32]);
    let (a, b, c) = (x.row(0, &mut s), x.row(1, &mut t), x.wide(2));
    for l in 0..32 {
        exact[l] = f(a[l], b[l], c[l]);
    }
    let carry = where_true(|l| (exact[l] >> 64) & 1 == 1);
    x.put_mask(x.inst.dst2, carry);
    x.put_wide(&exact.map(|e| e as u64));
}
