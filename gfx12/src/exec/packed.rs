//! Vector operations on packed halves, mixed precision and dot products.

use super::lanes::{Half, Lanes};
use super::wave::Row;
use crate::ops::Op;
use crate::sem::float::{self, f16_to_f32, f32_to_f16, saturate_f32};
use crate::sem::fp8::Fp8;
use crate::sem::{cvt, dot, num};

/// Executes an operation of this kind; `false` if it is not one.
#[inline(always)]
pub(super) fn execute(x: &mut Lanes) -> bool {
    floats(x) || integers(x) || mixed(x) || dots(x)
}

impl Lanes<'_> {
    /// A source as the halves that the low result reads, or those that the high one reads, as stored.
    #[inline(always)]
    fn side(&self, k: usize, high: bool) -> Half {
        let select = if high { self.inst.op_sel_hi } else { self.inst.op_sel };
        let shift = if select >> k & 1 == 1 { 16 } else { 0 };
        let mut t = [0; 32];
        let a = self.row(k, &mut t);
        let mut out = [0; 32];
        for l in 0..32 {
            out[l] = (a[l] >> shift) as u16;
        }
        out
    }

    /// As [`Self::side`], as f16 with its sign flipped where the instruction says so.
    #[inline(always)]
    fn side_signed(&self, k: usize, high: bool) -> Half {
        let flips = if high { self.inst.abs } else { self.inst.neg };
        let flip = if flips >> k & 1 == 1 { 0x8000 } else { 0 };
        let mut out = self.side(k, high);
        for h in &mut out {
            *h ^= flip;
        }
        out
    }

    /// Both sides of a source in one word, signs flipped where the instruction says so.
    #[inline(always)]
    fn sides(&self, k: usize) -> Row {
        let (low, high, mut out) = (self.side_signed(k, false), self.side_signed(k, true), [0; 32]);
        for l in 0..32 {
            out[l] = cvt::pair(low[l], high[l]);
        }
        out
    }

    /// A source of two halves of an operation that is not packed: modifiers are for both.
    #[inline(always)]
    pub(super) fn packed(&self, k: usize) -> Row {
        let keep = if self.inst.abs >> k & 1 == 1 { 0x7fff_7fff } else { u32::MAX };
        let flip = if self.inst.neg >> k & 1 == 1 { 0x8000_8000 } else { 0 };
        let mut t = [0; 32];
        self.row(k, &mut t).map(|a| (a & keep) ^ flip)
    }

    /// A source of mixed precision: an f32, or one half of two f16; `neg` and `abs` as everywhere.
    #[inline(always)]
    fn mix(&self, k: usize) -> [f32; 32] {
        let mut t = [0; 32];
        let a = self.row(k, &mut t);
        let half = self.inst.op_sel_hi >> k & 1 == 1;
        let shift = if self.inst.op_sel >> k & 1 == 1 { 16 } else { 0 };
        let keep = if self.inst.abs >> k & 1 == 1 { 0x7fff_ffff } else { u32::MAX };
        let flip = if self.inst.neg >> k & 1 == 1 { 0x8000_0000 } else { 0 };
        let mut out = [0.0; 32];
        for l in 0..32 {
            let value =
                if half { f16_to_f32((a[l] >> shift) as u16) } else { f32::from_bits(a[l]) };
            out[l] = f32::from_bits((value.to_bits() & keep) ^ flip);
        }
        out
    }

    /// Two results in one word.
    #[inline(always)]
    fn put_pair(&mut self, low: &Half, high: &Half) {
        let mut out = [0; 32];
        for l in 0..32 {
            out[l] = cvt::pair(low[l], high[l]);
        }
        self.put(&out);
    }
}

/// One side of two f16 through f32.
#[inline(always)]
fn side2(x: &Lanes, high: bool, f: impl Fn(f32, f32) -> f32) -> Half {
    let (a, b, mut out) = (x.side_signed(0, high), x.side_signed(1, high), [0; 32]);
    for l in 0..32 {
        let value = f(f16_to_f32(a[l]), f16_to_f32(b[l]));
        out[l] = f32_to_f16(if x.inst.clamp { saturate_f32(value) } else { value });
    }
    out
}

#[inline(always)]
fn both2(x: &mut Lanes, f: impl Fn(f32, f32) -> f32) {
    let (low, high) = (side2(x, false, &f), side2(x, true, &f));
    x.put_pair(&low, &high);
}

#[inline(always)]
fn side_fma(x: &Lanes, high: bool, c: &Half) -> Half {
    let (a, b, mut out) = (x.side_signed(0, high), x.side_signed(1, high), [0; 32]);
    for l in 0..32 {
        out[l] = float::fma_f16(a[l], b[l], c[l]);
        if x.inst.clamp {
            out[l] = f32_to_f16(saturate_f32(f16_to_f32(out[l])));
        }
    }
    out
}

#[inline(always)]
fn floats(x: &mut Lanes) -> bool {
    match x.inst.op {
        Op::VPkAddF16 => both2(x, |a, b| a + b),
        Op::VPkMulF16 => both2(x, |a, b| a * b),
        Op::VPkMinNumF16 => both2(x, num::min_num_f32),
        Op::VPkMaxNumF16 => both2(x, num::max_num_f32),
        Op::VPkMinimumF16 => both2(x, num::minimum_f32),
        Op::VPkMaximumF16 => both2(x, num::maximum_f32),
        Op::VPkFmaF16 => {
            let (low, high) = (
                side_fma(x, false, &x.side_signed(2, false)),
                side_fma(x, true, &x.side_signed(2, true)),
            );
            x.put_pair(&low, &high);
        }
        Op::VPkFmacF16 => {
            // VOP2 has no selection: each half of one with the same half of the other.
            let (mut s, mut t, mut out) = ([0; 32], [0; 32], [0; 32]);
            let (a, b, c) = (x.row(0, &mut s), x.row(1, &mut t), x.old());
            for l in 0..32 {
                let one = |n: u32| {
                    float::fma_f16((a[l] >> n) as u16, (b[l] >> n) as u16, (c[l] >> n) as u16)
                };
                out[l] = cvt::pair(one(0), one(16));
            }
            x.put(&out);
        }
        _ => return false,
    }
    true
}

#[inline(always)]
fn ints(x: &mut Lanes, sources: usize, f: impl Fn(u16, u16, u16) -> u16) {
    let mut sides = [[0; 32]; 2];
    for (high, out) in sides.iter_mut().enumerate() {
        let (a, b) = (x.side(0, high == 1), x.side(1, high == 1));
        let c = if sources > 2 { x.side(2, high == 1) } else { a };
        for l in 0..32 {
            out[l] = f(a[l], b[l], c[l]);
        }
    }
    x.put_pair(&sides[0], &sides[1]);
}

/// A half as a signed number.
#[inline(always)]
fn number(h: u16) -> i64 {
    i64::from(h as i16)
}

#[inline(always)]
fn integers(x: &mut Lanes) -> bool {
    let clamp = x.inst.clamp;
    let signed =
        |exact: i64| if clamp { exact.clamp(-0x8000, 0x7fff) as u16 } else { exact as u16 };
    let unsigned = |exact: i64| if clamp { exact.clamp(0, 0xffff) as u16 } else { exact as u16 };
    match x.inst.op {
        Op::VPkMadI16 => ints(x, 3, |a, b, c| signed(number(a) * number(b) + number(c))),
        Op::VPkMadU16 => ints(x, 3, |a, b, c| unsigned(i64::from(a) * i64::from(b) + i64::from(c))),
        Op::VPkMulLoU16 => ints(x, 2, |a, b, _| a.wrapping_mul(b)),
        Op::VPkAddI16 => ints(x, 2, |a, b, _| signed(number(a) + number(b))),
        Op::VPkSubI16 => ints(x, 2, |a, b, _| signed(number(a) - number(b))),
        Op::VPkAddU16 => ints(x, 2, |a, b, _| unsigned(i64::from(a) + i64::from(b))),
        Op::VPkSubU16 => ints(x, 2, |a, b, _| unsigned(i64::from(a) - i64::from(b))),
        Op::VPkLshlrevB16 => ints(x, 2, |n, a, _| a << (n & 15)),
        Op::VPkLshrrevB16 => ints(x, 2, |n, a, _| a >> (n & 15)),
        Op::VPkAshrrevI16 => ints(x, 2, |n, a, _| ((a as i16) >> (n & 15)) as u16),
        Op::VPkMaxI16 => ints(x, 2, |a, b, _| number(a).max(number(b)) as u16),
        Op::VPkMinI16 => ints(x, 2, |a, b, _| number(a).min(number(b)) as u16),
        Op::VPkMaxU16 => ints(x, 2, |a, b, _| a.max(b)),
        Op::VPkMinU16 => ints(x, 2, |a, b, _| a.min(b)),
        _ => return false,
    }
    true
}

#[inline(always)]
fn mixed(x: &mut Lanes) -> bool {
    let high = match x.inst.op {
        Op::VFmaMixF32 => None,
        Op::VFmaMixloF16 => Some(false),
        Op::VFmaMixhiF16 => Some(true),
        _ => return false,
    };
    let (a, b, c) = (x.mix(0), x.mix(1), x.mix(2));
    let clamp = |v: f32| if x.inst.clamp { saturate_f32(v) } else { v };
    if let Some(high) = high {
        let mut out = [0; 32];
        for l in 0..32 {
            // The sum is an f32 before it is converted: two roundings.
            out[l] = f32_to_f16(clamp(a[l].mul_add(b[l], c[l])));
        }
        x.put_halves_at(&out, high);
    } else {
        let mut out = [0; 32];
        for l in 0..32 {
            out[l] = clamp(a[l].mul_add(b[l], c[l])).to_bits();
        }
        x.put(&out);
    }
    true
}

#[inline(always)]
fn dots(x: &mut Lanes) -> bool {
    let clamp = x.inst.clamp;
    let signed = [x.inst.neg & 1 != 0, x.inst.neg & 2 != 0];
    match x.inst.op {
        Op::VDot4I32Iu8 => x.int3(|a, b, c| dot::dot_int(a, b, c, 8, signed, clamp)),
        Op::VDot8I32Iu4 => x.int3(|a, b, c| dot::dot_int(a, b, c, 4, signed, clamp)),
        Op::VDot4U32U8 => x.int3(|a, b, c| dot::dot_uint(a, b, c, 8, clamp)),
        Op::VDot8U32U4 => x.int3(|a, b, c| dot::dot_uint(a, b, c, 4, clamp)),
        Op::VDot2F32F16 => dot2(x, dot::halves_f16),
        Op::VDot2F32Bf16 => dot2(x, dot::halves_bf16),
        Op::VDot4F32Fp8Fp8 => dot4(x, [Fp8::E4m3, Fp8::E4m3]),
        Op::VDot4F32Fp8Bf8 => dot4(x, [Fp8::E4m3, Fp8::E5m2]),
        Op::VDot4F32Bf8Fp8 => dot4(x, [Fp8::E5m2, Fp8::E4m3]),
        Op::VDot4F32Bf8Bf8 => dot4(x, [Fp8::E5m2, Fp8::E5m2]),
        _ => return false,
    }
    true
}

/// The f32 addend of a packed operation: `neg_hi` is its magnitude.
#[inline(always)]
fn addend(x: &Lanes) -> [f32; 32] {
    x.floats(2)
}

#[inline(always)]
fn dot2(x: &mut Lanes, halves: impl Fn(u32) -> [f32; 2]) {
    let (a, b, c, mut out) = (x.sides(0), x.sides(1), addend(x), [0; 32]);
    for l in 0..32 {
        out[l] = dot::dot2(halves(a[l]), halves(b[l]), c[l]).to_bits();
    }
    x.put_floats(out);
}

#[inline(always)]
fn dot4(x: &mut Lanes, formats: [Fp8; 2]) {
    let (mut s, mut t, c, mut out) = ([0; 32], [0; 32], addend(x), [0; 32]);
    let (a, b) = (x.row(0, &mut s), x.row(1, &mut t));
    for l in 0..32 {
        out[l] = dot::dot4_fp8(a[l], b[l], c[l], formats).to_bits();
    }
    x.put_floats(out);
}
