//! Conversions of conversions.
//!
//! Invariants
//! - A conversion in the middle goes only where it loses nothing, or loses only what the outer one loses too.

use super::{Form, Found};
use evenweave_lang::{
    dtype::{Class, DType},
    ir::{Kernel, Op, Value},
};

/// What `a` converted to `to` is.
pub(super) fn cast(kernel: &Kernel, form: Form, a: Value, to: DType) -> Option<Found> {
    let middle = kernel[a].ty.scalar()?;
    if middle == to {
        return Some(Found::Value(a));
    }
    let Op::Cast(inner) = kernel[a].op else { return None };
    let from = kernel[inner].ty.scalar()?;
    if !joins(from, middle, to) {
        return None;
    }
    match form {
        _ if from == to => Some(Found::Value(inner)),
        // Every target converts between integers.
        Form::Legal if !(from.is_int() && to.is_int()) => None,
        Form::Authored | Form::Legal => Some(Found::Op(Op::Cast(inner))),
    }
}

/// Whether `from` to `middle` to `to` is `from` to `to`, for every value.
fn joins(from: DType, middle: DType, to: DType) -> bool {
    if middle.is_int() && from.is_int() && to.is_int() && to.bits() <= middle.bits() {
        return true; // both keep the low bits
    }
    let clips = from.is_int() && middle.is_float() && to.is_int();
    // A float saturates where an integer wraps, so the value must fit.
    holds(middle, from) && (!clips || holds(to, from))
}

/// Whether `wide` has every value of `narrow`.
fn holds(wide: DType, narrow: DType) -> bool {
    let bits = |d: DType| d.bits() - u32::from(d.is_signed());
    match (narrow.class(), wide.class()) {
        (Class::Bool, _) => true,
        (_, Class::Bool) => false,
        (Class::Unsigned, Class::Unsigned | Class::Signed) | (Class::Signed, Class::Signed) => {
            bits(narrow) <= bits(wide)
        }
        (Class::Signed, Class::Unsigned) => false,
        (Class::Unsigned | Class::Signed, Class::Float) => bits(narrow) <= precision(wide),
        (Class::Float, Class::Float) => {
            narrow == wide
                || matches!(
                    (narrow, wide),
                    (_, DType::F64) | (DType::F16 | DType::BF16, DType::F32)
                )
        }
        (Class::Float, Class::Unsigned | Class::Signed) => false,
    }
}

/// Bits of a float's significand; every integer of as many bits is one of its values.
fn precision(dtype: DType) -> u32 {
    match dtype {
        DType::F16 => 11,
        DType::BF16 => 8,
        DType::F32 => 24,
        DType::F64 => 53,
        _ => 0,
    }
}

/// What the bits of `a` as a `to` are.
pub(super) fn bitcast(kernel: &Kernel, a: Value, to: DType) -> Option<Found> {
    let middle = kernel[a].ty.scalar()?;
    if middle == to {
        return Some(Found::Value(a));
    }
    let Op::Bitcast(inner) = kernel[a].op else { return None };
    let from = kernel[inner].ty.scalar()?;
    // A float in the middle makes NaN canonical, and the other 16-bit float has other NaNs.
    if middle.is_float() {
        return None;
    }
    Some(if from == to { Found::Value(inner) } else { Found::Op(Op::Bitcast(inner)) })
}
