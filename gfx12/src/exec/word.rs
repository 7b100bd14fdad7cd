//! Vector operations on 32-bit values: integers, f32 and conversions between them.

use super::lanes::{Lanes, row_of, scalar32, where_true};
use super::wave::{Row, Wave};
use crate::inst::{Dst, Inst};
use crate::ops::Op;
use crate::sem::approx::{Approx, approx_f32};
use crate::sem::fp8::{self, Fp8};
use crate::sem::{bits, cvt, div, float, num, soft};

/// Executes an operation of this kind; `false` if it is not one.
#[inline(always)]
pub(super) fn execute(x: &mut Lanes) -> bool {
    floats(x) || integers(x) || more_integers(x) || conversions(x) || carries(x)
}

fn approx(x: &mut Lanes, which: Approx) {
    let perturb = x.perturb;
    x.f32_1(|a| approx_f32(which, a, perturb));
}

/// Zero times anything is zero.
#[inline(always)]
fn dx9(a: f32, b: f32) -> f32 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

#[inline(always)]
fn floats(x: &mut Lanes) -> bool {
    match x.inst.op {
        Op::VAddF32 => x.f32_2(|a, b| a + b),
        Op::VSubF32 => x.f32_2(|a, b| a - b),
        Op::VSubrevF32 => x.f32_2(|a, b| b - a),
        Op::VMulF32 => x.f32_2(|a, b| a * b),
        Op::VMulDx9ZeroF32 => x.f32_2(dx9),
        Op::VFmaDx9ZeroF32 => {
            x.f32_3(|a, b, c| if a == 0.0 || b == 0.0 { 0.0 + c } else { a.mul_add(b, c) })
        }
        Op::VFmacF32 => x.f32_2_old(|a, b, c| a.mul_add(b, c)),
        Op::VFmaF32 | Op::VFmaakF32 => x.f32_3(|a, b, c| a.mul_add(b, c)),
        // The constant is the second source, a factor.
        Op::VFmamkF32 => x.f32_3(|a, k, c| a.mul_add(k, c)),
        Op::VMinNumF32 => x.f32_2(num::min_num_f32),
        Op::VMaxNumF32 => x.f32_2(num::max_num_f32),
        Op::VMinimumF32 => x.f32_2(num::minimum_f32),
        Op::VMaximumF32 => x.f32_2(num::maximum_f32),
        Op::VMin3NumF32 => x.f32_3(|a, b, c| num::min_num_f32(num::min_num_f32(a, b), c)),
        Op::VMax3NumF32 => x.f32_3(|a, b, c| num::max_num_f32(num::max_num_f32(a, b), c)),
        Op::VMinimum3F32 => x.f32_3(|a, b, c| num::minimum_f32(num::minimum_f32(a, b), c)),
        Op::VMaximum3F32 => x.f32_3(|a, b, c| num::maximum_f32(num::maximum_f32(a, b), c)),
        Op::VMed3NumF32 => x.f32_3(num::med3_f32),
        Op::VMinmaxNumF32 => x.f32_3(|a, b, c| num::max_num_f32(num::min_num_f32(a, b), c)),
        Op::VMaxminNumF32 => x.f32_3(|a, b, c| num::min_num_f32(num::max_num_f32(a, b), c)),
        Op::VMinimummaximumF32 => x.f32_3(|a, b, c| num::maximum_f32(num::minimum_f32(a, b), c)),
        Op::VMaximumminimumF32 => x.f32_3(|a, b, c| num::minimum_f32(num::maximum_f32(a, b), c)),
        Op::VFractF32 => {
            x.f32_1(|a| float::fract_f64(f64::from(a), f64::from(1.0f32.next_down())) as f32)
        }
        Op::VTruncF32 => x.f32_1(f32::trunc),
        Op::VCeilF32 => x.f32_1(f32::ceil),
        Op::VRndneF32 => x.f32_1(f32::round_ties_even),
        Op::VFloorF32 => x.f32_1(f32::floor),
        Op::VExpF32 => approx(x, Approx::Exp),
        Op::VLogF32 => approx(x, Approx::Log),
        Op::VRcpF32 | Op::VRcpIflagF32 => approx(x, Approx::Rcp),
        Op::VRsqF32 => approx(x, Approx::Rsq),
        Op::VSqrtF32 => approx(x, Approx::Sqrt),
        Op::VSinF32 => approx(x, Approx::Sin),
        Op::VCosF32 => approx(x, Approx::Cos),
        Op::VFrexpMantF32 => x.f32_1(|a| float::frexp_mant_f64(f64::from(a)) as f32),
        Op::VFrexpExpI32F32 => x.of_f32(|a| float::frexp_exp_f64(f64::from(a)) as u32),
        Op::VLdexpF32 => {
            let (a, mut t) = (x.floats(0), [0; 32]);
            let n = x.row(1, &mut t);
            let mut out = [0; 32];
            for l in 0..32 {
                out[l] = soft::ldexp_f32(a[l], n[l] as i32).to_bits();
            }
            x.put_floats(out);
        }
        Op::VDivFixupF32 => x.f32_3(div::fixup_f32),
        Op::VDivFmasF32 => {
            let (a, b, c, scaled) = (x.floats(0), x.floats(1), x.floats(2), x.wave.vcc());
            let mut out = [0; 32];
            for l in 0..32 {
                out[l] = div::fmas_f32(a[l], b[l], c[l], scaled >> l & 1 == 1).to_bits();
            }
            x.put_floats(out);
        }
        Op::VDivScaleF32 => {
            let (a, den, nom) = (x.floats(0), x.floats(1), x.floats(2));
            let (mut out, mut flags) = ([0; 32], 0);
            for l in 0..32 {
                let (value, flag) = div::scale_f32(a[l], den[l], nom[l]);
                out[l] = value.to_bits();
                flags |= u32::from(flag) << l;
            }
            x.put_mask(x.inst.dst2, flags);
            x.put_floats(out);
        }
        _ => return false,
    }
    true
}

/// A saturated unsigned result where the instruction clamps, a wrapped one where not.
#[inline(always)]
fn unsigned(clamp: bool, exact: i64) -> u32 {
    if clamp { exact.clamp(0, i64::from(u32::MAX)) as u32 } else { exact as u32 }
}

/// A saturated signed result where the instruction clamps, a wrapped one where not.
#[inline(always)]
fn signed(clamp: bool, exact: i64) -> u32 {
    if clamp { exact.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32 } else { exact as u32 }
}

#[inline(always)]
fn integers(x: &mut Lanes) -> bool {
    let clamp = x.inst.clamp;
    match x.inst.op {
        Op::VMovB32 => x.int1(|a| a),
        Op::VNotB32 => x.int1(|a| !a),
        Op::VBfrevB32 => x.int1(u32::reverse_bits),
        Op::VClzI32U32 => x.int1(bits::clz),
        Op::VCtzI32B32 => x.int1(bits::ctz),
        Op::VClsI32 => x.int1(bits::cls),
        Op::VCndmaskB32 => {
            let mask = x.mask_of(2);
            let (a, b) = (x.floats(0), x.floats(1));
            let mut out = [0; 32];
            for l in 0..32 {
                out[l] = if mask >> l & 1 == 1 { b[l].to_bits() } else { a[l].to_bits() };
            }
            x.put(&out);
        }
        Op::VAndB32 => x.int2(|a, b| a & b),
        Op::VOrB32 => x.int2(|a, b| a | b),
        Op::VXorB32 => x.int2(|a, b| a ^ b),
        Op::VXnorB32 => x.int2(|a, b| !(a ^ b)),
        Op::VLshlrevB32 => x.int2(|n, a| a << (n & 31)),
        Op::VLshrrevB32 => x.int2(|n, a| a >> (n & 31)),
        Op::VAshrrevI32 => x.int2(|n, a| ((a as i32) >> (n & 31)) as u32),
        Op::VMinI32 => x.int2(|a, b| (a as i32).min(b as i32) as u32),
        Op::VMaxI32 => x.int2(|a, b| (a as i32).max(b as i32) as u32),
        Op::VMinU32 => x.int2(u32::min),
        Op::VMaxU32 => x.int2(u32::max),
        Op::VAddNcU32 if clamp => x.int2(u32::saturating_add),
        Op::VAddNcU32 => x.int2(u32::wrapping_add),
        Op::VSubNcU32 if clamp => x.int2(u32::saturating_sub),
        Op::VSubNcU32 => x.int2(u32::wrapping_sub),
        Op::VSubrevNcU32 if clamp => x.int2(|a, b| b.saturating_sub(a)),
        Op::VSubrevNcU32 => x.int2(|a, b| b.wrapping_sub(a)),
        Op::VAddNcI32 if clamp => x.int2(|a, b| (a as i32).saturating_add(b as i32) as u32),
        Op::VAddNcI32 => x.int2(u32::wrapping_add),
        Op::VSubNcI32 if clamp => x.int2(|a, b| (a as i32).saturating_sub(b as i32) as u32),
        Op::VSubNcI32 => x.int2(u32::wrapping_sub),
        Op::VMulLoU32 => x.int2(u32::wrapping_mul),
        Op::VMulHiU32 => x.int2(|a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32),
        Op::VMulHiI32 => x.int2(|a, b| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32),
        Op::VMulI32I24 => {
            x.int2(|a, b| {
                signed(clamp, i64::from(bits::signed24(a)) * i64::from(bits::signed24(b)))
            });
        }
        Op::VMulHiI32I24 => {
            x.int2(|a, b| {
                ((i64::from(bits::signed24(a)) * i64::from(bits::signed24(b))) >> 32) as u32
            });
        }
        Op::VMulU32U24 => {
            x.int2(|a, b| unsigned(clamp, i64::from(a & 0xff_ffff) * i64::from(b & 0xff_ffff)));
        }
        Op::VMulHiU32U24 => {
            x.int2(|a, b| ((u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)) >> 32) as u32);
        }
        Op::VMadI32I24 => x.int3(|a, b, c| {
            let product = i64::from(bits::signed24(a)) * i64::from(bits::signed24(b));
            signed(clamp, product + i64::from(c as i32))
        }),
        Op::VMadU32U24 => x.int3(|a, b, c| {
            unsigned(clamp, i64::from(a & 0xff_ffff) * i64::from(b & 0xff_ffff) + i64::from(c))
        }),
        _ => return false,
    }
    true
}

#[inline(always)]
fn more_integers(x: &mut Lanes) -> bool {
    match x.inst.op {
        Op::VBfeU32 => x.int3(bits::bfe_u32),
        Op::VBfeI32 => x.int3(bits::bfe_i32),
        Op::VBfiB32 => x.int3(|m, a, b| (m & a) | (!m & b)),
        Op::VBfmB32 => x.int2(|width, at| ((1 << (width & 31)) - 1) << (at & 31)),
        Op::VAlignbitB32 => x.int3(bits::align_bits),
        Op::VAlignbyteB32 => x.int3(|high, low, n| bits::align_bits(high, low, 8 * (n & 3))),
        Op::VPermB32 => x.int3(bits::perm),
        Op::VMin3I32 => x.int3(|a, b, c| (a as i32).min(b as i32).min(c as i32) as u32),
        Op::VMin3U32 => x.int3(|a, b, c| a.min(b).min(c)),
        Op::VMax3I32 => x.int3(|a, b, c| (a as i32).max(b as i32).max(c as i32) as u32),
        Op::VMax3U32 => x.int3(|a, b, c| a.max(b).max(c)),
        Op::VMed3I32 => x.int3(|a, b, c| {
            let (a, b, c) = (a as i32, b as i32, c as i32);
            a.min(b).max(a.max(b).min(c)) as u32
        }),
        Op::VMed3U32 => x.int3(|a, b, c| a.min(b).max(a.max(b).min(c))),
        Op::VMaxminU32 => x.int3(|a, b, c| a.max(b).min(c)),
        Op::VMinmaxU32 => x.int3(|a, b, c| a.min(b).max(c)),
        Op::VMaxminI32 => x.int3(|a, b, c| (a as i32).max(b as i32).min(c as i32) as u32),
        Op::VMinmaxI32 => x.int3(|a, b, c| (a as i32).min(b as i32).max(c as i32) as u32),
        Op::VSadU8 => x.int3(|a, b, c| bits::sad_u8(a, b, c, false)),
        Op::VSadHiU8 => x.int3(|a, b, c| (bits::sad_u8(a, b, 0, false) << 16).wrapping_add(c)),
        Op::VSadU16 => x.int3(bits::sad_u16),
        Op::VSadU32 => x.int3(|a, b, c| a.abs_diff(b).wrapping_add(c)),
        Op::VXor3B32 => x.int3(|a, b, c| a ^ b ^ c),
        Op::VXadU32 => x.int3(|a, b, c| (a ^ b).wrapping_add(c)),
        Op::VLshlAddU32 => x.int3(|a, n, c| (a << (n & 31)).wrapping_add(c)),
        Op::VAddLshlU32 => x.int3(|a, b, n| a.wrapping_add(b) << (n & 31)),
        Op::VAdd3U32 => x.int3(|a, b, c| a.wrapping_add(b).wrapping_add(c)),
        Op::VLshlOrB32 => x.int3(|a, n, c| (a << (n & 31)) | c),
        Op::VAndOrB32 => x.int3(|a, b, c| (a & b) | c),
        Op::VOr3B32 => x.int3(|a, b, c| a | b | c),
        Op::VBcntU32B32 => x.int2(|a, b| a.count_ones().wrapping_add(b)),
        Op::VMbcntLoU32B32 => {
            let (mut s, mut t, mut out) = ([0; 32], [0; 32], [0; 32]);
            let (a, b) = (x.row(0, &mut s), x.row(1, &mut t));
            for l in 0..32 {
                out[l] = (a[l] & ((1u32 << l) - 1)).count_ones().wrapping_add(b[l]);
            }
            x.put(&out);
        }
        // No lane of 32 has lanes of the upper half before it.
        Op::VMbcntHiU32B32 => x.int2(|_, b| b),
        _ => return false,
    }
    true
}

#[inline(always)]
fn conversions(x: &mut Lanes) -> bool {
    let byte = |a: u32, place: u32| ((a >> (8 * place)) & 0xff) as f32;
    match x.inst.op {
        Op::VCvtF32I32 => x.of_int(|a| a as i32 as f32),
        Op::VCvtF32U32 => x.of_int(|a| a as f32),
        Op::VCvtU32F32 => x.of_f32(|a| a as u32),
        Op::VCvtI32F32 => x.of_f32(|a| a as i32 as u32),
        Op::VCvtNearestI32F32 => x.of_f32(|a| cvt::nearest_i32(a) as u32),
        Op::VCvtFloorI32F32 => x.of_f32(|a| cvt::floor_i32(a) as u32),
        Op::VCvtOffF32I4 => x.of_int(cvt::off_f32_i4),
        Op::VCvtF32Ubyte0 => x.of_int(|a| byte(a, 0)),
        Op::VCvtF32Ubyte1 => x.of_int(|a| byte(a, 1)),
        Op::VCvtF32Ubyte2 => x.of_int(|a| byte(a, 2)),
        Op::VCvtF32Ubyte3 => x.of_int(|a| byte(a, 3)),
        Op::VCvtPkRtzF16F32 => pack(x, cvt::pk_rtz),
        Op::VCvtPkI16F32 => pack(x, |a, b| cvt::pair(a as i16 as u16, b as i16 as u16)),
        Op::VCvtPkU16F32 => pack(x, |a, b| cvt::pair(a as u16, b as u16)),
        Op::VCvtPkNormI16F32 => {
            pack(x, |a, b| cvt::pair(cvt::norm_i16(a) as u16, cvt::norm_i16(b) as u16))
        }
        Op::VCvtPkNormU16F32 => pack(x, |a, b| cvt::pair(cvt::norm_u16(a), cvt::norm_u16(b))),
        Op::VCvtPkU16U32 => x.int2(|a, b| cvt::pair(a.min(0xffff) as u16, b.min(0xffff) as u16)),
        Op::VCvtPkI16I32 => x.int2(|a, b| {
            let narrow = |v: u32| (v as i32).clamp(-0x8000, 0x7fff) as u16;
            cvt::pair(narrow(a), narrow(b))
        }),
        Op::VCvtPkU8F32 => {
            let (a, mut s, mut t, mut out) = (x.floats(0), [0; 32], [0; 32], [0; 32]);
            let (place, old) = (x.row(1, &mut s), x.row(2, &mut t));
            for l in 0..32 {
                out[l] = cvt::pk_u8(a[l], place[l], old[l]);
            }
            x.put(&out);
        }
        Op::VCvtF32Fp8 => from_fp8(x, Fp8::E4m3),
        Op::VCvtF32Bf8 => from_fp8(x, Fp8::E5m2),
        Op::VCvtPkFp8F32 => to_fp8(x, Fp8::E4m3),
        Op::VCvtPkBf8F32 => to_fp8(x, Fp8::E5m2),
        Op::VCvtSrFp8F32 => stochastic(x, Fp8::E4m3),
        Op::VCvtSrBf8F32 => stochastic(x, Fp8::E5m2),
        _ => return false,
    }
    true
}

/// Two f32 into the halves of a word.
#[inline(always)]
fn pack(x: &mut Lanes, f: impl Fn(f32, f32) -> u32) {
    let (a, b, mut out) = (x.floats(0), x.floats(1), [0; 32]);
    for l in 0..32 {
        out[l] = f(a[l], b[l]);
    }
    x.put(&out);
}

/// The byte that `op_sel` names: bit 0 of the source's two bits is the byte's high one.
#[inline(always)]
fn from_fp8(x: &mut Lanes, format: Fp8) {
    let place = u32::from((x.inst.op_sel & 1) << 1 | (x.inst.op_sel >> 1 & 1));
    x.of_int(|a| fp8::decode(format, (a >> (8 * place)) as u8));
}

/// Two codes into one half of the destination.
#[inline(always)]
fn to_fp8(x: &mut Lanes, format: Fp8) {
    let (a, b, mut out) = (x.floats(0), x.floats(1), [0; 32]);
    for l in 0..32 {
        out[l] = u16::from_le_bytes([fp8::encode(format, a[l]), fp8::encode(format, b[l])]);
    }
    x.put_halves(&out);
}

/// One code into one byte of the destination, whose number is in bits 3 and 2 of `op_sel`.
#[inline(always)]
fn stochastic(x: &mut Lanes, format: Fp8) {
    let shift = 8 * u32::from(x.inst.op_sel >> 2 & 3);
    let (a, mut t, mut out) = (x.floats(0), [0; 32], [0; 32]);
    let (random, old) = (x.row(1, &mut t), x.old());
    for l in 0..32 {
        let code = u32::from(fp8::encode_stochastic(format, a[l], random[l]));
        out[l] = (old[l] & !(0xff << shift)) | (code << shift);
    }
    x.put(&out);
}

/// Sums with a carry out, and in.
#[inline(always)]
fn carries(x: &mut Lanes) -> bool {
    match x.inst.op {
        Op::VAddCoU32 => carry(x, false, |a, b, _| i64::from(a) + i64::from(b)),
        Op::VSubCoU32 => carry(x, false, |a, b, _| i64::from(a) - i64::from(b)),
        Op::VSubrevCoU32 => carry(x, false, |a, b, _| i64::from(b) - i64::from(a)),
        Op::VAddCoCiU32 => carry(x, true, |a, b, c| i64::from(a) + i64::from(b) + c),
        Op::VSubCoCiU32 => carry(x, true, |a, b, c| i64::from(a) - i64::from(b) - c),
        Op::VSubrevCoCiU32 => carry(x, true, |a, b, c| i64::from(b) - i64::from(a) - c),
        _ => return false,
    }
    true
}

#[inline(always)]
fn carry(x: &mut Lanes, carries_in: bool, f: impl Fn(u32, u32, i64) -> i64) {
    let carry_in = if carries_in { x.mask_of(2) } else { 0 };
    let (mut s, mut t, mut out) = ([0; 32], [0; 32], [0; 32]);
    let (a, b) = (x.row(0, &mut s), x.row(1, &mut t));
    let mut exact = [0; 32];
    for l in 0..32 {
        exact[l] = f(a[l], b[l], i64::from(carry_in >> l & 1));
        out[l] = unsigned(x.inst.clamp, exact[l]);
    }
    let carry_out = where_true(|l| exact[l] >> 32 != 0);
    x.put_mask(x.inst.dst2, carry_out);
    x.put(&out);
}

/// What one half of a pair gives, without writing it; `None` if the operation is not one of theirs.
#[inline(always)]
pub(super) fn dual(wave: &Wave, inst: &Inst) -> Option<Row> {
    let (mut s, mut t, mut u, mut out) = ([0; 32], [0; 32], [0; 32], [0; 32]);
    let (a, b) = (row_of(wave, inst.src[0], &mut s), row_of(wave, inst.src[1], &mut t));
    let float = f32::from_bits;
    match inst.op {
        Op::VMovB32 => return Some(*a),
        Op::VFmacF32 => {
            let Dst::Vgpr(old) = inst.dst else {
                return None;
            };
            let c = &wave.v[usize::from(old)];
            for l in 0..32 {
                out[l] = float(a[l]).mul_add(float(b[l]), float(c[l])).to_bits();
            }
        }
        Op::VFmaakF32 | Op::VFmamkF32 => {
            let c = row_of(wave, inst.src[2], &mut u);
            for l in 0..32 {
                out[l] = float(a[l]).mul_add(float(b[l]), float(c[l])).to_bits();
            }
        }
        Op::VCndmaskB32 => {
            let mask = scalar32(wave, inst.src[2]);
            for l in 0..32 {
                out[l] = if mask >> l & 1 == 1 { b[l] } else { a[l] };
            }
        }
        Op::VAddF32 => each(a, b, &mut out, |a, b| (float(a) + float(b)).to_bits()),
        Op::VSubF32 => each(a, b, &mut out, |a, b| (float(a) - float(b)).to_bits()),
        Op::VSubrevF32 => each(a, b, &mut out, |a, b| (float(b) - float(a)).to_bits()),
        Op::VMulF32 => each(a, b, &mut out, |a, b| (float(a) * float(b)).to_bits()),
        Op::VMulDx9ZeroF32 => each(a, b, &mut out, |a, b| dx9(float(a), float(b)).to_bits()),
        Op::VMinNumF32 => {
            each(a, b, &mut out, |a, b| num::min_num_f32(float(a), float(b)).to_bits())
        }
        Op::VMaxNumF32 => {
            each(a, b, &mut out, |a, b| num::max_num_f32(float(a), float(b)).to_bits())
        }
        Op::VLshlrevB32 => each(a, b, &mut out, |n, a| a << (n & 31)),
        Op::VAndB32 => each(a, b, &mut out, |a, b| a & b),
        Op::VAddNcU32 => each(a, b, &mut out, u32::wrapping_add),
        _ => return None,
    }
    Some(out)
}

#[inline(always)]
fn each(a: &[u32; 32], b: &[u32; 32], out: &mut [u32; 32], f: impl Fn(u32, u32) -> u32) {
    for l in 0..32 {
        out[l] = f(a[l], b[l]);
    }
}
