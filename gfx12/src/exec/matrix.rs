//! Matrix operations: which registers and which shape each of them has.

use super::lanes::Lanes;
use super::wave::Row;
use crate::inst::{Dst, Src};
use crate::ops::Op;
use crate::sem::fp8::Fp8::{E4m3, E5m2};
use crate::sem::matrix::{Accumulator, Element, Flags, Shape, multiply};

/// The shape of an operation; `None` if it is not of a matrix.
#[inline(always)]
pub(super) fn shape(op: Op) -> Option<Shape> {
    let dense = |element, accumulator, k| Shape { element, accumulator, k, sparse: false };
    let sparse = |element, accumulator, k| Shape { element, accumulator, k, sparse: true };
    Some(match op {
        Op::VWmmaF3216x16x16F16 => dense(Element::F16, Accumulator::F32, 16),
        Op::VWmmaF3216x16x16Bf16 => dense(Element::Bf16, Accumulator::F32, 16),
        Op::VWmmaF1616x16x16F16 => dense(Element::F16, Accumulator::F16, 16),
        Op::VWmmaBf1616x16x16Bf16 => dense(Element::Bf16, Accumulator::Bf16, 16),
        Op::VWmmaI3216x16x16Iu8 => dense(Element::Iu8, Accumulator::I32, 16),
        Op::VWmmaI3216x16x16Iu4 => dense(Element::Iu4, Accumulator::I32, 16),
        Op::VWmmaI3216x16x32Iu4 => dense(Element::Iu4, Accumulator::I32, 32),
        Op::VWmmaF3216x16x16Fp8Fp8 => dense(Element::Float8(E4m3, E4m3), Accumulator::F32, 16),
        Op::VWmmaF3216x16x16Fp8Bf8 => dense(Element::Float8(E4m3, E5m2), Accumulator::F32, 16),
        Op::VWmmaF3216x16x16Bf8Fp8 => dense(Element::Float8(E5m2, E4m3), Accumulator::F32, 16),
        Op::VWmmaF3216x16x16Bf8Bf8 => dense(Element::Float8(E5m2, E5m2), Accumulator::F32, 16),
        Op::VSwmmacF3216x16x32F16 => sparse(Element::F16, Accumulator::F32, 32),
        Op::VSwmmacF3216x16x32Bf16 => sparse(Element::Bf16, Accumulator::F32, 32),
        Op::VSwmmacF1616x16x32F16 => sparse(Element::F16, Accumulator::F16, 32),
        Op::VSwmmacBf1616x16x32Bf16 => sparse(Element::Bf16, Accumulator::Bf16, 32),
        Op::VSwmmacI3216x16x32Iu8 => sparse(Element::Iu8, Accumulator::I32, 32),
        Op::VSwmmacI3216x16x32Iu4 => sparse(Element::Iu4, Accumulator::I32, 32),
        Op::VSwmmacI3216x16x64Iu4 => sparse(Element::Iu4, Accumulator::I32, 64),
        Op::VSwmmacF3216x16x32Fp8Fp8 => sparse(Element::Float8(E4m3, E4m3), Accumulator::F32, 32),
        Op::VSwmmacF3216x16x32Fp8Bf8 => sparse(Element::Float8(E4m3, E5m2), Accumulator::F32, 32),
        Op::VSwmmacF3216x16x32Bf8Fp8 => sparse(Element::Float8(E5m2, E4m3), Accumulator::F32, 32),
        Op::VSwmmacF3216x16x32Bf8Bf8 => sparse(Element::Float8(E5m2, E5m2), Accumulator::F32, 32),
        _ => return None,
    })
}

/// The registers of a source; a constant is in each of them.
#[inline(always)]
fn registers(x: &Lanes, k: usize, count: usize) -> [Row; 8] {
    let mut rows = [[0; 32]; 8];
    for (n, row) in rows.iter_mut().enumerate().take(count) {
        *row = match x.inst.src[k] {
            Src::Vgpr(r) => x.wave.v[usize::from(r) + n],
            other => [super::lanes::scalar32(x.wave, other); 32],
        };
    }
    rows
}

/// Executes an operation of this kind; `false` if it is not one.
#[inline(always)]
pub(super) fn execute(x: &mut Lanes) -> bool {
    let Some(shape) = shape(x.inst.op) else {
        return false;
    };
    let (a_count, b_count) = (shape.a_registers(), shape.b_registers());
    let (a, b) = (registers(x, 0, a_count), registers(x, 1, b_count));
    let count = shape.accumulator.registers();
    let Dst::Vgpr(dst) = x.inst.dst else {
        return false;
    };
    let mut c = [[0; 32]; 8];
    let mut index = None;
    if shape.sparse {
        c[..count].copy_from_slice(&x.wave.v[usize::from(dst)..][..count]);
        let mut row = registers(x, 2, 1)[0];
        if x.inst.op_sel & 1 == 1 {
            row = row.map(|word| word >> 16);
        }
        index = Some(row);
    } else {
        c = registers(x, 2, count);
    }
    let bit = |bits: u8, k: u8| bits >> k & 1 == 1;
    let integer = matches!(shape.accumulator, Accumulator::I32);
    let (neg, abs) = (x.inst.neg, x.inst.abs);
    let flags = Flags {
        signed: [integer && bit(neg, 0), integer && bit(neg, 1)],
        clamp: x.inst.clamp,
        neg: [!integer && bit(neg, 0), !integer && bit(neg, 1), !integer && bit(neg, 2)],
        neg_high: [!integer && bit(abs, 0), !integer && bit(abs, 1)],
        abs_c: !integer && bit(abs, 2),
        perturb: x.perturb,
    };
    let d = multiply(shape, &a, &b, &c, index.as_ref(), flags);
    for (n, row) in d[..count].iter().enumerate() {
        super::lanes::blend(x.wave, usize::from(dst) + n, x.mask, row);
    }
    true
}
