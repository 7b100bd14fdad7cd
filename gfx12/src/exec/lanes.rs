//! Reading operands as rows and writing results back, for the vector operations.
//!
//! Invariants:
//! - All sources of an operation are read before its destination is written.
//! - Lanes outside of the mask keep what they had.
//! - A row without modifiers is borrowed where it is; scalars and constants are spread first.
//!
//! Everything here is inlined into a function that is compiled for the widest vectors of the host.

use super::wave::{Row, Wave};
use crate::inst::{Dst, Inst, Src};
use crate::mem::{PRIVATE_APERTURE, SHARED_APERTURE};
use crate::sem::approx::Perturb;
use crate::sem::float::{f16_to_f32, f32_to_f16, saturate_f32, saturate_f64};

/// A row of halves.
pub(super) type Half = [u16; 32];
/// A row of 64-bit values.
pub(super) type Wide = [u64; 32];

/// One vector operation on its wave.
pub(super) struct Lanes<'a> {
    pub(super) wave: &'a mut Wave,
    pub(super) inst: &'a Inst,
    /// Lanes that are written.
    pub(super) mask: u32,
    /// The first source where it crossed lanes.
    pub(super) first: Option<Row>,
    pub(super) perturb: Option<Perturb>,
}

/// The 64 bits of a scalar operand.
#[inline(always)]
pub(super) fn scalar64(wave: &Wave, src: Src) -> u64 {
    match src {
        Src::Sgpr(r) => wave.sgpr64(r),
        Src::Scc => u64::from(wave.scc),
        Src::Aperture(235) => u64::from(SHARED_APERTURE) << 32,
        Src::Aperture(236) => (u64::from(SHARED_APERTURE) << 32) | 0xffff_ffff,
        Src::Aperture(237) => u64::from(PRIVATE_APERTURE) << 32,
        Src::Aperture(_) => (u64::from(PRIVATE_APERTURE) << 32) | 0xffff_ffff,
        Src::Const(c) | Src::Literal(c) => c,
        Src::Vgpr(_) | Src::None | Src::Null => 0,
    }
}

/// The 32 bits of a scalar operand.
#[inline(always)]
pub(super) fn scalar32(wave: &Wave, src: Src) -> u32 {
    match src {
        Src::Sgpr(r) => wave.s[usize::from(r & 127)],
        Src::Const(c) | Src::Literal(c) => c as u32,
        // An aperture's 32 bits are its high half.
        Src::Aperture(_) => (scalar64(wave, src) >> 32) as u32,
        Src::Scc => u32::from(wave.scc),
        Src::Vgpr(_) | Src::None | Src::Null => 0,
    }
}

/// The row of a source.
#[inline(always)]
pub(super) fn row_of<'t>(wave: &'t Wave, src: Src, spread: &'t mut Row) -> &'t Row {
    match src {
        Src::Vgpr(r) => &wave.v[usize::from(r)],
        other => {
            *spread = [scalar32(wave, other); 32];
            spread
        }
    }
}

/// Writes the lanes of `mask` of a register.
#[inline(always)]
pub(super) fn blend(wave: &mut Wave, register: usize, mask: u32, row: &Row) {
    let to = &mut wave.v[register];
    if mask == u32::MAX {
        *to = *row;
    } else {
        for l in 0..32 {
            let on = 0u32.wrapping_sub((mask >> l) & 1);
            to[l] = (row[l] & on) | (to[l] & !on);
        }
    }
    wave.wrote(register, mask);
}

/// The masks that take the magnitude and flip the sign of source `k`.
#[inline(always)]
fn signs(inst: &Inst, k: usize, sign: u32) -> (u32, u32) {
    let keep = if inst.abs >> k & 1 == 1 { !sign } else { u32::MAX };
    (keep, if inst.neg >> k & 1 == 1 { sign } else { 0 })
}

impl Lanes<'_> {
    #[inline(always)]
    pub(super) fn row<'t>(&'t self, k: usize, spread: &'t mut Row) -> &'t Row {
        match &self.first {
            Some(first) if k == 0 => first,
            _ => row_of(self.wave, self.inst.src[k], spread),
        }
    }

    /// A source as a mask of lanes.
    #[inline(always)]
    pub(super) fn mask_of(&self, k: usize) -> u32 {
        scalar32(self.wave, self.inst.src[k])
    }

    /// The destination as it was.
    #[inline(always)]
    pub(super) fn old(&self) -> &Row {
        match self.inst.dst {
            Dst::Vgpr(r) => &self.wave.v[usize::from(r)],
            Dst::None | Dst::Sgpr(_) | Dst::Null => {
                unreachable!("vector operations with an old value write a vector register")
            }
        }
    }

    #[inline(always)]
    pub(super) fn put(&mut self, row: &Row) {
        if let Dst::Vgpr(r) = self.inst.dst {
            blend(self.wave, usize::from(r), self.mask, row);
        }
    }

    /// Writes a mask to a scalar destination; lanes that are not active have no bit.
    #[inline(always)]
    pub(super) fn put_mask(&mut self, dst: Dst, mask: u32) {
        if let Dst::Sgpr(r) = dst {
            self.wave.set_sgpr(r, mask & self.mask);
        }
    }

    // Words.

    #[inline(always)]
    pub(super) fn int1(&mut self, f: impl Fn(u32) -> u32) {
        let (mut t, mut out) = ([0; 32], [0; 32]);
        let a = self.row(0, &mut t);
        for l in 0..32 {
            out[l] = f(a[l]);
        }
        self.put(&out);
    }

    #[inline(always)]
    pub(super) fn int2(&mut self, f: impl Fn(u32, u32) -> u32) {
        let (mut s, mut t, mut out) = ([0; 32], [0; 32], [0; 32]);
        let (a, b) = (self.row(0, &mut s), self.row(1, &mut t));
        for l in 0..32 {
            out[l] = f(a[l], b[l]);
        }
        self.put(&out);
    }

    #[inline(always)]
    pub(super) fn int3(&mut self, f: impl Fn(u32, u32, u32) -> u32) {
        let (mut s, mut t, mut u, mut out) = ([0; 32], [0; 32], [0; 32], [0; 32]);
        let (a, b, c) = (self.row(0, &mut s), self.row(1, &mut t), self.row(2, &mut u));
        for l in 0..32 {
            out[l] = f(a[l], b[l], c[l]);
        }
        self.put(&out);
    }

    /// A source as f32, with its modifiers.
    #[inline(always)]
    pub(super) fn floats(&self, k: usize) -> [f32; 32] {
        let mut t = [0; 32];
        let a = self.row(k, &mut t);
        let (keep, flip) = signs(self.inst, k, 1 << 31);
        let mut out = [0.0; 32];
        for l in 0..32 {
            out[l] = f32::from_bits((a[l] & keep) ^ flip);
        }
        out
    }

    #[inline(always)]
    pub(super) fn put_floats(&mut self, mut out: Row) {
        if self.inst.clamp {
            for x in &mut out {
                *x = saturate_f32(f32::from_bits(*x)).to_bits();
            }
        }
        self.put(&out);
    }

    #[inline(always)]
    pub(super) fn f32_1(&mut self, f: impl Fn(f32) -> f32) {
        let (mut t, mut out) = ([0; 32], [0; 32]);
        let a = self.row(0, &mut t);
        let (ak, af) = signs(self.inst, 0, 1 << 31);
        for l in 0..32 {
            out[l] = f(f32::from_bits((a[l] & ak) ^ af)).to_bits();
        }
        self.put_floats(out);
    }

    #[inline(always)]
    pub(super) fn f32_2(&mut self, f: impl Fn(f32, f32) -> f32) {
        let (mut s, mut t, mut out) = ([0; 32], [0; 32], [0; 32]);
        let (a, b) = (self.row(0, &mut s), self.row(1, &mut t));
        let ((ak, af), (bk, bf)) = (signs(self.inst, 0, 1 << 31), signs(self.inst, 1, 1 << 31));
        for l in 0..32 {
            out[l] =
                f(f32::from_bits((a[l] & ak) ^ af), f32::from_bits((b[l] & bk) ^ bf)).to_bits();
        }
        self.put_floats(out);
    }

    #[inline(always)]
    pub(super) fn f32_3(&mut self, f: impl Fn(f32, f32, f32) -> f32) {
        let (mut s, mut t, mut u, mut out) = ([0; 32], [0; 32], [0; 32], [0; 32]);
        let (a, b, c) = (self.row(0, &mut s), self.row(1, &mut t), self.row(2, &mut u));
        let ((ak, af), (bk, bf)) = (signs(self.inst, 0, 1 << 31), signs(self.inst, 1, 1 << 31));
        let (ck, cf) = signs(self.inst, 2, 1 << 31);
        for l in 0..32 {
            let (x, y) = (f32::from_bits((a[l] & ak) ^ af), f32::from_bits((b[l] & bk) ^ bf));
            out[l] = f(x, y, f32::from_bits((c[l] & ck) ^ cf)).to_bits();
        }
        self.put_floats(out);
    }

    /// As [`Self::f32_2`] with the old destination as a third operand.
    #[inline(always)]
    pub(super) fn f32_2_old(&mut self, f: impl Fn(f32, f32, f32) -> f32) {
        let (mut s, mut t, mut out) = ([0; 32], [0; 32], [0; 32]);
        let (a, b, c) = (self.row(0, &mut s), self.row(1, &mut t), self.old());
        let ((ak, af), (bk, bf)) = (signs(self.inst, 0, 1 << 31), signs(self.inst, 1, 1 << 31));
        for l in 0..32 {
            let (x, y) = (f32::from_bits((a[l] & ak) ^ af), f32::from_bits((b[l] & bk) ^ bf));
            out[l] = f(x, y, f32::from_bits(c[l])).to_bits();
        }
        self.put_floats(out);
    }

    /// An integer of an f32.
    #[inline(always)]
    pub(super) fn of_f32(&mut self, f: impl Fn(f32) -> u32) {
        let a = self.floats(0);
        self.put(&a.map(f));
    }

    /// An f32 of an integer.
    #[inline(always)]
    pub(super) fn of_int(&mut self, f: impl Fn(u32) -> f32) {
        let (mut t, mut out) = ([0; 32], [0; 32]);
        let a = self.row(0, &mut t);
        for l in 0..32 {
            out[l] = f(a[l]).to_bits();
        }
        self.put_floats(out);
    }

    // Halves.

    /// A source as halves: its low or high one.
    #[inline(always)]
    pub(super) fn halves(&self, k: usize) -> Half {
        let mut t = [0; 32];
        let a = self.row(k, &mut t);
        let constant = matches!(self.inst.src[k], Src::Const(_) | Src::Literal(_));
        let shift = if self.inst.op_sel >> k & 1 == 1 && !constant { 16 } else { 0 };
        let mut out = [0; 32];
        for l in 0..32 {
            out[l] = (a[l] >> shift) as u16;
        }
        out
    }

    /// A source as f16, with its modifiers.
    #[inline(always)]
    pub(super) fn halves_signed(&self, k: usize) -> Half {
        let (keep, flip) = signs(self.inst, k, 1 << 15);
        let mut out = self.halves(k);
        for x in &mut out {
            *x = (*x & keep as u16) ^ flip as u16;
        }
        out
    }

    /// A source of f16 as f32, with its modifiers.
    #[inline(always)]
    pub(super) fn half_floats(&self, k: usize) -> [f32; 32] {
        let halves = self.halves_signed(k);
        let mut out = [0.0; 32];
        for l in 0..32 {
            out[l] = f16_to_f32(halves[l]);
        }
        out
    }

    /// Writes one half of the destination and keeps the other.
    #[inline(always)]
    pub(super) fn put_halves(&mut self, halves: &Half) {
        let high = self.inst.op_sel & 8 != 0;
        self.put_halves_at(halves, high);
    }

    #[inline(always)]
    pub(super) fn put_halves_at(&mut self, halves: &Half, high: bool) {
        let old = self.old();
        let mut out = [0; 32];
        for l in 0..32 {
            let half = u32::from(halves[l]);
            out[l] =
                if high { (old[l] & 0xffff) | (half << 16) } else { (old[l] & 0xffff_0000) | half };
        }
        self.put(&out);
    }

    /// Writes f32 results as f16, in one half of the destination.
    #[inline(always)]
    pub(super) fn put_half_floats(&mut self, values: [f32; 32]) {
        let mut out = [0; 32];
        for l in 0..32 {
            let x = if self.inst.clamp { saturate_f32(values[l]) } else { values[l] };
            out[l] = f32_to_f16(x);
        }
        self.put_halves(&out);
    }

    /// Writes f16 results, in one half of the destination.
    #[inline(always)]
    pub(super) fn put_f16(&mut self, mut out: Half) {
        if self.inst.clamp {
            out = out.map(|h| f32_to_f16(saturate_f32(f16_to_f32(h))));
        }
        self.put_halves(&out);
    }

    #[inline(always)]
    pub(super) fn half_int(&mut self, sources: usize, f: impl Fn(u16, u16, u16) -> u16) {
        let a = self.halves(0);
        let b = if sources > 1 { self.halves(1) } else { a };
        let c = if sources > 2 { self.halves(2) } else { a };
        let mut out = [0; 32];
        for l in 0..32 {
            out[l] = f(a[l], b[l], c[l]);
        }
        self.put_halves(&out);
    }

    #[inline(always)]
    pub(super) fn half_float(&mut self, sources: usize, f: impl Fn(f32, f32, f32) -> f32) {
        let a = self.half_floats(0);
        let b = if sources > 1 { self.half_floats(1) } else { a };
        let c = if sources > 2 { self.half_floats(2) } else { a };
        let mut out = [0.0; 32];
        for l in 0..32 {
            out[l] = f(a[l], b[l], c[l]);
        }
        self.put_half_floats(out);
    }

    // 64 bits.

    /// A source of 64 bits.
    #[inline(always)]
    pub(super) fn wide(&self, k: usize) -> Wide {
        let mut out = [0; 32];
        match self.inst.src[k] {
            Src::Vgpr(r) => {
                let (low, high) =
                    (&self.wave.v[usize::from(r)], &self.wave.v[usize::from(r.wrapping_add(1))]);
                for l in 0..32 {
                    out[l] = u64::from(low[l]) | (u64::from(high[l]) << 32);
                }
            }
            other => out = [scalar64(self.wave, other); 32],
        }
        out
    }

    /// A source as f64, with its modifiers.
    #[inline(always)]
    pub(super) fn doubles(&self, k: usize) -> [f64; 32] {
        let (keep, flip) = signs(self.inst, k, 1 << 31);
        let keep = (u64::from(keep) << 32) | 0xffff_ffff;
        let wide = self.wide(k);
        let mut out = [0.0; 32];
        for l in 0..32 {
            out[l] = f64::from_bits((wide[l] & keep) ^ (u64::from(flip) << 32));
        }
        out
    }

    #[inline(always)]
    pub(super) fn put_wide(&mut self, values: &Wide) {
        let (mut low, mut high) = ([0; 32], [0; 32]);
        for l in 0..32 {
            low[l] = values[l] as u32;
            high[l] = (values[l] >> 32) as u32;
        }
        if let Dst::Vgpr(r) = self.inst.dst {
            blend(self.wave, usize::from(r), self.mask, &low);
            blend(self.wave, usize::from(r.wrapping_add(1)), self.mask, &high);
        }
    }

    #[inline(always)]
    pub(super) fn put_doubles(&mut self, values: [f64; 32]) {
        let clamp = self.inst.clamp;
        self.put_wide(&values.map(|x| if clamp { saturate_f64(x) } else { x }.to_bits()));
    }

    #[inline(always)]
    pub(super) fn f64_1(&mut self, f: impl Fn(f64) -> f64) {
        let a = self.doubles(0);
        self.put_doubles(a.map(f));
    }

    #[inline(always)]
    pub(super) fn f64_2(&mut self, f: impl Fn(f64, f64) -> f64) {
        let (a, b) = (self.doubles(0), self.doubles(1));
        let mut out = [0.0; 32];
        for l in 0..32 {
            out[l] = f(a[l], b[l]);
        }
        self.put_doubles(out);
    }

    #[inline(always)]
    pub(super) fn f64_3(&mut self, f: impl Fn(f64, f64, f64) -> f64) {
        let (a, b, c) = (self.doubles(0), self.doubles(1), self.doubles(2));
        let mut out = [0.0; 32];
        for l in 0..32 {
            out[l] = f(a[l], b[l], c[l]);
        }
        self.put_doubles(out);
    }

    /// A 32-bit result of an f64.
    #[inline(always)]
    pub(super) fn of_f64(&mut self, f: impl Fn(f64) -> u32) {
        let a = self.doubles(0);
        self.put(&a.map(f));
    }
}

/// The lanes where a predicate holds.
#[inline(always)]
pub(super) fn where_true(f: impl Fn(usize) -> bool) -> u32 {
    let mut mask = 0;
    for l in 0..32 {
        mask |= u32::from(f(l)) << l;
    }
    mask
}
