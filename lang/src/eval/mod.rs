//! What every native operation computes: the law that each device must meet, bit for bit.
//!
//! Values travel as their bits, zero-extended to `u64` (as `Const::bits`). The functions of one primitive type
//! are in `number`; a device that runs whole vectors calls the same ones.
//!
//! Invariants
//! - A result that is NaN is the canonical one: `0x7e00`, `0x7fc0`, `0x7fc0_0000`, `0x7ff8_0000_0000_0000`.
//!   The functions of `number` leave the NaN as it comes; `unary`, `binary`, `fma` and `cast` make it canonical.
//! - f16 and bf16 compute in f32 and round once. Products, sums, quotients and roots of two such numbers, rounded
//!   to f32 first, round to the same f16 or bf16 as the exact ones. `fma` is the exception: it goes through
//!   f64 and round-to-odd, so that it too is the exact `a * b + c` rounded once.
//! - Integers follow one rule each: sums wrap, shifts take their count modulo the width, `x / 0` is all ones,
//!   `x % 0` is `x`, `MIN / -1` is `MIN`, `MIN % -1` is 0.
//!
//! Absent: rows that `legalize` writes in other rows; their meaning is the sequence in `math`.

pub mod matrix;
pub mod number;
pub mod storage;
pub mod wide;

#[cfg(test)]
mod tests;

use crate::{
    dtype::{Class, DType},
    ops::{BinaryOp, CompareOp, ReduceOp, UnaryOp},
};
use number::{Float, Integer, Number};
use storage::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16, f64_to_bf16, f64_to_f16};

/// The bits of the one NaN of a float value dtype; `None` for other dtypes.
pub const fn nan(dtype: DType) -> Option<u64> {
    match dtype {
        DType::F16 => Some(0x7e00),
        DType::BF16 => Some(0x7fc0),
        DType::F32 => Some(0x7fc0_0000),
        DType::F64 => Some(0x7ff8_0000_0000_0000),
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
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0 => None,
    }
}

/// The bits with every NaN of a float value dtype made the canonical one.
pub const fn canonical(dtype: DType, bits: u64) -> u64 {
    let (magnitude, infinity) = match dtype {
        DType::F16 => (bits & 0x7fff, 0x7c00),
        DType::BF16 => (bits & 0x7fff, 0x7f80),
        DType::F32 => (bits & 0x7fff_ffff, 0x7f80_0000),
        DType::F64 => (bits & 0x7fff_ffff_ffff_ffff, 0x7ff0_0000_0000_0000),
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
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0 => return bits,
    };
    match nan(dtype) {
        Some(nan) if magnitude > infinity => nan,
        Some(_) | None => bits,
    }
}

/// A native row of one value; `None` where the row is legalised or does not take the dtype.
pub fn unary(op: UnaryOp, dtype: DType, a: u64) -> Option<u64> {
    match dtype {
        DType::Bool => (op == UnaryOp::Not).then_some(a ^ 1),
        DType::I8 => int_unary::<i8>(op, a),
        DType::U8 => int_unary::<u8>(op, a),
        DType::I16 => int_unary::<i16>(op, a),
        DType::U16 => int_unary::<u16>(op, a),
        DType::I32 => int_unary::<i32>(op, a),
        DType::U32 => int_unary::<u32>(op, a),
        DType::I64 => int_unary::<i64>(op, a),
        DType::U64 => int_unary::<u64>(op, a),
        DType::F16 => Some(narrow_f16(float_unary::<f32>(op, widen_f16(a))?)),
        DType::BF16 => Some(narrow_bf16(float_unary::<f32>(op, widen_bf16(a))?)),
        DType::F32 => float_unary::<f32>(op, a),
        DType::F64 => float_unary::<f64>(op, a),
        DType::I4 | DType::U4 | DType::F4E2M1 | DType::F8E4M3 | DType::F8E5M2 | DType::F8E8M0 => {
            None
        }
    }
}

/// A native row of two values; `None` where the row is legalised or does not take the dtype.
pub fn binary(op: BinaryOp, dtype: DType, a: u64, b: u64) -> Option<u64> {
    match dtype {
        DType::Bool => match op {
            BinaryOp::And => Some(a & b),
            BinaryOp::Or => Some(a | b),
            BinaryOp::Xor => Some(a ^ b),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Min
            | BinaryOp::Max
            | BinaryOp::MinNum
            | BinaryOp::MaxNum
            | BinaryOp::MulHigh
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::Pow
            | BinaryOp::Atan2 => None,
        },
        DType::I8 => int_binary::<i8>(op, a, b),
        DType::U8 => int_binary::<u8>(op, a, b),
        DType::I16 => int_binary::<i16>(op, a, b),
        DType::U16 => int_binary::<u16>(op, a, b),
        DType::I32 => int_binary::<i32>(op, a, b),
        DType::U32 => int_binary::<u32>(op, a, b),
        DType::I64 => int_binary::<i64>(op, a, b),
        DType::U64 => int_binary::<u64>(op, a, b),
        DType::F16 => Some(narrow_f16(float_binary::<f32>(op, widen_f16(a), widen_f16(b))?)),
        DType::BF16 => Some(narrow_bf16(float_binary::<f32>(op, widen_bf16(a), widen_bf16(b))?)),
        DType::F32 => float_binary::<f32>(op, a, b),
        DType::F64 => float_binary::<f64>(op, a, b),
        DType::I4 | DType::U4 | DType::F4E2M1 | DType::F8E4M3 | DType::F8E5M2 | DType::F8E8M0 => {
            None
        }
    }
}

/// A comparison of two values of a value dtype; `None` for storage dtypes. `bool` orders false before true.
pub fn compare(op: CompareOp, dtype: DType, a: u64, b: u64) -> Option<bool> {
    fn of<T: Number>(op: CompareOp, a: u64, b: u64) -> bool {
        number::compare(op, T::from_word(a), T::from_word(b))
    }
    Some(match dtype {
        DType::Bool | DType::U8 => of::<u8>(op, a, b),
        DType::I8 => of::<i8>(op, a, b),
        DType::I16 => of::<i16>(op, a, b),
        DType::U16 => of::<u16>(op, a, b),
        DType::I32 => of::<i32>(op, a, b),
        DType::U32 => of::<u32>(op, a, b),
        DType::I64 => of::<i64>(op, a, b),
        DType::U64 => of::<u64>(op, a, b),
        DType::F16 => of::<f32>(op, widen_f16(a), widen_f16(b)),
        DType::BF16 => of::<f32>(op, widen_bf16(a), widen_bf16(b)),
        DType::F32 => of::<f32>(op, a, b),
        DType::F64 => of::<f64>(op, a, b),
        DType::I4 | DType::U4 | DType::F4E2M1 | DType::F8E4M3 | DType::F8E5M2 | DType::F8E8M0 => {
            return None;
        }
    })
}

/// `a * b + c` with one rounding; `None` where the dtype is no float value dtype.
pub fn fma(dtype: DType, a: u64, b: u64, c: u64) -> Option<u64> {
    let small = |widen: fn(u64) -> u64| {
        let [a, b, c] = [a, b, c].map(|x| f64::from(f32::from_word(widen(x))));
        number::fma_to_odd(a, b, c)
    };
    let bits = match dtype {
        DType::F16 => u64::from(f64_to_f16(small(widen_f16))),
        DType::BF16 => u64::from(f64_to_bf16(small(widen_bf16))),
        DType::F32 => f32::from_word(a).fma(f32::from_word(b), f32::from_word(c)).to_word(),
        DType::F64 => f64::from_word(a).fma(f64::from_word(b), f64::from_word(c)).to_word(),
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
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0 => return None,
    };
    Some(canonical(dtype, bits))
}

/// Conversion by value between value dtypes; `None` where either is a storage dtype.
///
/// Floats round to nearest even, once. Floats to integers truncate and saturate, NaN gives 0. Integers wrap.
/// `bool` gives 0 or 1; to `bool` is `!= 0`, so NaN is true.
pub fn cast(from: DType, to: DType, a: u64) -> Option<u64> {
    enum Wide {
        Int(i128),
        F32(f32),
        F64(f64),
    }
    let wide = match from {
        DType::Bool | DType::U8 | DType::U16 | DType::U32 | DType::U64 => Wide::Int(a.into()),
        DType::I8 => Wide::Int(i8::from_word(a).into()),
        DType::I16 => Wide::Int(i16::from_word(a).into()),
        DType::I32 => Wide::Int(i32::from_word(a).into()),
        DType::I64 => Wide::Int(i64::from_word(a).into()),
        DType::F16 => Wide::F32(f16_to_f32(a as u16)),
        DType::BF16 => Wide::F32(bf16_to_f32(a as u16)),
        DType::F32 => Wide::F32(f32::from_word(a)),
        DType::F64 => Wide::F64(f64::from_word(a)),
        DType::I4 | DType::U4 | DType::F4E2M1 | DType::F8E4M3 | DType::F8E5M2 | DType::F8E8M0 => {
            return None;
        }
    };
    macro_rules! to_int {
        ($t:ty) => {
            match wide {
                Wide::Int(x) => (x as $t).to_word(),
                Wide::F32(x) => (x as $t).to_word(),
                Wide::F64(x) => (x as $t).to_word(),
            }
        };
    }
    let bits = match to {
        DType::Bool => u64::from(match wide {
            Wide::Int(x) => x != 0,
            Wide::F32(x) => x != 0.0,
            Wide::F64(x) => x != 0.0,
        }),
        DType::I8 => to_int!(i8),
        DType::U8 => to_int!(u8),
        DType::I16 => to_int!(i16),
        DType::U16 => to_int!(u16),
        DType::I32 => to_int!(i32),
        DType::U32 => to_int!(u32),
        DType::I64 => to_int!(i64),
        DType::U64 => to_int!(u64),
        DType::F16 => u64::from(match wide {
            Wide::Int(x) => f64_to_f16(number::int_to_odd(x)),
            Wide::F32(x) => f32_to_f16(x),
            Wide::F64(x) => f64_to_f16(x),
        }),
        DType::BF16 => u64::from(match wide {
            Wide::Int(x) => f64_to_bf16(number::int_to_odd(x)),
            Wide::F32(x) => f32_to_bf16(x),
            Wide::F64(x) => f64_to_bf16(x),
        }),
        DType::F32 => match wide {
            Wide::Int(x) => (x as f32).to_word(),
            Wide::F32(x) => x.to_word(),
            Wide::F64(x) => (x as f32).to_word(),
        },
        DType::F64 => match wide {
            Wide::Int(x) => (x as f64).to_word(),
            Wide::F32(x) => f64::from(x).to_word(),
            Wide::F64(x) => x.to_word(),
        },
        DType::I4 | DType::U4 | DType::F4E2M1 | DType::F8E4M3 | DType::F8E5M2 | DType::F8E8M0 => {
            return None;
        }
    };
    Some(canonical(to, bits))
}

/// The same bits as another value dtype of the same width; a NaN becomes canonical first. `None` where the
/// widths differ, for storage dtypes, and between `bool` and numbers.
pub fn bitcast(from: DType, to: DType, a: u64) -> Option<u64> {
    let number = |d: DType| d.is_value() && d.class() != Class::Bool;
    let same = from == to && from.is_value();
    let fits = same || (number(from) && number(to) && from.bits() == to.bits());
    fits.then(|| canonical(from, a))
}

/// What a load of a stored element yields: its value, in the bits of `stored.value()`. Any byte but 0 is a true
/// `bool`.
pub fn decode(stored: DType, code: u64) -> u64 {
    match stored {
        DType::Bool => u64::from(code != 0),
        DType::I8
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
        | DType::F64 => code,
        DType::I4 => storage::i4_to_i32(code as u8).to_word(),
        DType::U4 => code & 0xf,
        DType::F4E2M1 => storage::f4e2m1_to_f32(code as u8).to_word(),
        DType::F8E4M3 => storage::f8e4m3_to_f32(code as u8).to_word(),
        DType::F8E5M2 => storage::f8e5m2_to_f32(code as u8).to_word(),
        DType::F8E8M0 => storage::f8e8m0_to_f32(code as u8).to_word(),
    }
}

/// What a store writes for a value of `stored.value()`: value dtypes keep their bits (a NaN becomes
/// canonical), storage dtypes round to nearest even and saturate.
pub fn encode(stored: DType, value: u64) -> u64 {
    let x = || f32::from_word(value);
    match stored {
        DType::Bool
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
        | DType::F64 => canonical(stored, value),
        DType::I4 => storage::i32_to_i4(i32::from_word(value)).into(),
        DType::U4 => storage::u32_to_u4(value as u32).into(),
        DType::F4E2M1 => storage::f32_to_f4e2m1(x()).into(),
        DType::F8E4M3 => storage::f32_to_f8e4m3(x()).into(),
        DType::F8E5M2 => storage::f32_to_f8e5m2(x()).into(),
        DType::F8E8M0 => storage::f32_to_f8e8m0(x()).into(),
    }
}

/// The row of `BinaryOp` that a reduction combines with.
pub const fn combine(op: ReduceOp) -> BinaryOp {
    match op {
        ReduceOp::Sum => BinaryOp::Add,
        ReduceOp::Prod => BinaryOp::Mul,
        ReduceOp::Min => BinaryOp::Min,
        ReduceOp::Max => BinaryOp::Max,
        ReduceOp::And => BinaryOp::And,
        ReduceOp::Or => BinaryOp::Or,
        ReduceOp::Xor => BinaryOp::Xor,
    }
}

/// The value that changes nothing when a reduction combines with it. -0.0 for float sums, since `-0.0 + -0.0`
/// is -0.0 and `0.0 + -0.0` is 0.0. `None` where the reduction does not take the dtype.
pub fn identity(op: ReduceOp, dtype: DType) -> Option<u64> {
    if !combine(op).accepts().holds(dtype) {
        return None;
    }
    let width = dtype.bits();
    let ones = if dtype == DType::Bool { 1 } else { u64::MAX >> (64 - width) };
    let sign = 1u64 << (width - 1);
    Some(match (op, dtype.class()) {
        (ReduceOp::Sum, Class::Float) => sign,
        (ReduceOp::Prod, Class::Float) => cast(DType::F32, dtype, 1.0f32.to_word())?,
        (ReduceOp::Min, Class::Float) => cast(DType::F32, dtype, f32::INFINITY.to_word())?,
        (ReduceOp::Max, Class::Float) => cast(DType::F32, dtype, f32::NEG_INFINITY.to_word())?,
        (ReduceOp::Sum | ReduceOp::Or | ReduceOp::Xor, _) => 0,
        (ReduceOp::Prod, _) => 1,
        (ReduceOp::Min, Class::Signed) => ones ^ sign,
        (ReduceOp::Max, Class::Signed) => sign,
        (ReduceOp::Min | ReduceOp::And, _) => ones,
        (ReduceOp::Max, _) => 0,
    })
}

/// What every lane receives from a reduction or scan of a subgroup, in the order of the index tree.
///
/// The reduction is the butterfly with xor 1, 2, 4, 8, 16 (each step's operation is commutative, so all lanes end
/// with the same bits). The inclusive scan at level d adds, where bit d of the lane is set, the total of the
/// block before: `p[i] = p[((i >> d) << d) - 1] + p[i]`. The exclusive scan is the inclusive one of the lane
/// before, and the identity in lane 0.
pub fn reduce(
    reach: crate::ops::Reach,
    op: ReduceOp,
    dtype: DType,
    lanes: &mut [u64],
) -> Option<()> {
    use crate::ops::Reach;
    let identity = identity(op, dtype)?;
    let step = |a, b| binary(combine(op), dtype, a, b);
    for level in 0..lanes.len().trailing_zeros() {
        let before = lanes.to_vec();
        for (i, lane) in lanes.iter_mut().enumerate() {
            match reach {
                Reach::All => *lane = step(before[i], before[i ^ (1 << level)])?,
                Reach::Inclusive | Reach::Exclusive if i >> level & 1 == 1 => {
                    *lane = step(before[((i >> level) << level) - 1], before[i])?;
                }
                Reach::Inclusive | Reach::Exclusive => {}
            }
        }
    }
    if reach == Reach::Exclusive {
        lanes.rotate_right(1);
        lanes[0] = identity;
    }
    Some(())
}

fn widen_f16(bits: u64) -> u64 {
    f16_to_f32(bits as u16).to_word()
}
fn widen_bf16(bits: u64) -> u64 {
    bf16_to_f32(bits as u16).to_word()
}
fn narrow_f16(bits: u64) -> u64 {
    f32_to_f16(f32::from_word(bits)).into()
}
fn narrow_bf16(bits: u64) -> u64 {
    f32_to_bf16(f32::from_word(bits)).into()
}

fn int_unary<T: Integer>(op: UnaryOp, a: u64) -> Option<u64> {
    number::int_unary::<T>(op, T::from_word(a)).map(T::to_word)
}

fn int_binary<T: Integer>(op: BinaryOp, a: u64, b: u64) -> Option<u64> {
    number::int_binary::<T>(op, T::from_word(a), T::from_word(b)).map(T::to_word)
}

fn float_unary<T: Float>(op: UnaryOp, a: u64) -> Option<u64> {
    number::float_unary::<T>(op, T::from_word(a)).map(|x| canonical(T::DTYPE, x.to_word()))
}

fn float_binary<T: Float>(op: BinaryOp, a: u64, b: u64) -> Option<u64> {
    number::float_binary::<T>(op, T::from_word(a), T::from_word(b))
        .map(|x| canonical(T::DTYPE, x.to_word()))
}
