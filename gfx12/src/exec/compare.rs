//! Vector comparisons: a mask of the lanes where a relation holds.

use super::lanes::{Lanes, where_true};
use crate::ops::Op;
use crate::sem::float;
use std::cmp::Ordering;

/// What is compared.
#[derive(Clone, Copy)]
enum Type {
    F16,
    F32,
    F64,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

/// What may hold between two values; the negated ones hold for NaN.
#[derive(Clone, Copy)]
enum Relation {
    Lt,
    Eq,
    Le,
    Gt,
    Lg,
    Ge,
    O,
    U,
    Nge,
    Nlg,
    Ngt,
    Nle,
    Neq,
    Nlt,
    Class,
}

/// Type and relation of a comparison.
#[inline(always)]
fn meaning(op: Op) -> Option<(Type, Relation)> {
    Some(match op {
        Op::VCmpLtF16 | Op::VCmpxLtF16 => (Type::F16, Relation::Lt),
        Op::VCmpEqF16 | Op::VCmpxEqF16 => (Type::F16, Relation::Eq),
        Op::VCmpLeF16 | Op::VCmpxLeF16 => (Type::F16, Relation::Le),
        Op::VCmpGtF16 | Op::VCmpxGtF16 => (Type::F16, Relation::Gt),
        Op::VCmpLgF16 | Op::VCmpxLgF16 => (Type::F16, Relation::Lg),
        Op::VCmpGeF16 | Op::VCmpxGeF16 => (Type::F16, Relation::Ge),
        Op::VCmpOF16 | Op::VCmpxOF16 => (Type::F16, Relation::O),
        Op::VCmpUF16 | Op::VCmpxUF16 => (Type::F16, Relation::U),
        Op::VCmpNgeF16 | Op::VCmpxNgeF16 => (Type::F16, Relation::Nge),
        Op::VCmpNlgF16 | Op::VCmpxNlgF16 => (Type::F16, Relation::Nlg),
        Op::VCmpNgtF16 | Op::VCmpxNgtF16 => (Type::F16, Relation::Ngt),
        Op::VCmpNleF16 | Op::VCmpxNleF16 => (Type::F16, Relation::Nle),
        Op::VCmpNeqF16 | Op::VCmpxNeqF16 => (Type::F16, Relation::Neq),
        Op::VCmpNltF16 | Op::VCmpxNltF16 => (Type::F16, Relation::Nlt),
        Op::VCmpLtF32 | Op::VCmpxLtF32 => (Type::F32, Relation::Lt),
        Op::VCmpEqF32 | Op::VCmpxEqF32 => (Type::F32, Relation::Eq),
        Op::VCmpLeF32 | Op::VCmpxLeF32 => (Type::F32, Relation::Le),
        Op::VCmpGtF32 | Op::VCmpxGtF32 => (Type::F32, Relation::Gt),
        Op::VCmpLgF32 | Op::VCmpxLgF32 => (Type::F32, Relation::Lg),
        Op::VCmpGeF32 | Op::VCmpxGeF32 => (Type::F32, Relation::Ge),
        Op::VCmpOF32 | Op::VCmpxOF32 => (Type::F32, Relation::O),
        Op::VCmpUF32 | Op::VCmpxUF32 => (Type::F32, Relation::U),
        Op::VCmpNgeF32 | Op::VCmpxNgeF32 => (Type::F32, Relation::Nge),
        Op::VCmpNlgF32 | Op::VCmpxNlgF32 => (Type::F32, Relation::Nlg),
        Op::VCmpNgtF32 | Op::VCmpxNgtF32 => (Type::F32, Relation::Ngt),
        Op::VCmpNleF32 | Op::VCmpxNleF32 => (Type::F32, Relation::Nle),
        Op::VCmpNeqF32 | Op::VCmpxNeqF32 => (Type::F32, Relation::Neq),
        Op::VCmpNltF32 | Op::VCmpxNltF32 => (Type::F32, Relation::Nlt),
        Op::VCmpLtF64 | Op::VCmpxLtF64 => (Type::F64, Relation::Lt),
        Op::VCmpEqF64 | Op::VCmpxEqF64 => (Type::F64, Relation::Eq),
        Op::VCmpLeF64 | Op::VCmpxLeF64 => (Type::F64, Relation::Le),
        Op::VCmpGtF64 | Op::VCmpxGtF64 => (Type::F64, Relation::Gt),
        Op::VCmpLgF64 | Op::VCmpxLgF64 => (Type::F64, Relation::Lg),
        Op::VCmpGeF64 | Op::VCmpxGeF64 => (Type::F64, Relation::Ge),
        Op::VCmpOF64 | Op::VCmpxOF64 => (Type::F64, Relation::O),
        Op::VCmpUF64 | Op::VCmpxUF64 => (Type::F64, Relation::U),
        Op::VCmpNgeF64 | Op::VCmpxNgeF64 => (Type::F64, Relation::Nge),
        Op::VCmpNlgF64 | Op::VCmpxNlgF64 => (Type::F64, Relation::Nlg),
        Op::VCmpNgtF64 | Op::VCmpxNgtF64 => (Type::F64, Relation::Ngt),
        Op::VCmpNleF64 | Op::VCmpxNleF64 => (Type::F64, Relation::Nle),
        Op::VCmpNeqF64 | Op::VCmpxNeqF64 => (Type::F64, Relation::Neq),
        Op::VCmpNltF64 | Op::VCmpxNltF64 => (Type::F64, Relation::Nlt),
        Op::VCmpLtI16 | Op::VCmpxLtI16 => (Type::I16, Relation::Lt),
        Op::VCmpEqI16 | Op::VCmpxEqI16 => (Type::I16, Relation::Eq),
        Op::VCmpLeI16 | Op::VCmpxLeI16 => (Type::I16, Relation::Le),
        Op::VCmpGtI16 | Op::VCmpxGtI16 => (Type::I16, Relation::Gt),
        Op::VCmpNeI16 | Op::VCmpxNeI16 => (Type::I16, Relation::Neq),
        Op::VCmpGeI16 | Op::VCmpxGeI16 => (Type::I16, Relation::Ge),
        Op::VCmpLtU16 | Op::VCmpxLtU16 => (Type::U16, Relation::Lt),
        Op::VCmpEqU16 | Op::VCmpxEqU16 => (Type::U16, Relation::Eq),
        Op::VCmpLeU16 | Op::VCmpxLeU16 => (Type::U16, Relation::Le),
        Op::VCmpGtU16 | Op::VCmpxGtU16 => (Type::U16, Relation::Gt),
        Op::VCmpNeU16 | Op::VCmpxNeU16 => (Type::U16, Relation::Neq),
        Op::VCmpGeU16 | Op::VCmpxGeU16 => (Type::U16, Relation::Ge),
        Op::VCmpLtI32 | Op::VCmpxLtI32 => (Type::I32, Relation::Lt),
        Op::VCmpEqI32 | Op::VCmpxEqI32 => (Type::I32, Relation::Eq),
        Op::VCmpLeI32 | Op::VCmpxLeI32 => (Type::I32, Relation::Le),
        Op::VCmpGtI32 | Op::VCmpxGtI32 => (Type::I32, Relation::Gt),
        Op::VCmpNeI32 | Op::VCmpxNeI32 => (Type::I32, Relation::Neq),
        Op::VCmpGeI32 | Op::VCmpxGeI32 => (Type::I32, Relation::Ge),
        Op::VCmpLtU32 | Op::VCmpxLtU32 => (Type::U32, Relation::Lt),
        Op::VCmpEqU32 | Op::VCmpxEqU32 => (Type::U32, Relation::Eq),
        Op::VCmpLeU32 | Op::VCmpxLeU32 => (Type::U32, Relation::Le),
        Op::VCmpGtU32 | Op::VCmpxGtU32 => (Type::U32, Relation::Gt),
        Op::VCmpNeU32 | Op::VCmpxNeU32 => (Type::U32, Relation::Neq),
        Op::VCmpGeU32 | Op::VCmpxGeU32 => (Type::U32, Relation::Ge),
        Op::VCmpLtI64 | Op::VCmpxLtI64 => (Type::I64, Relation::Lt),
        Op::VCmpEqI64 | Op::VCmpxEqI64 => (Type::I64, Relation::Eq),
        Op::VCmpLeI64 | Op::VCmpxLeI64 => (Type::I64, Relation::Le),
        Op::VCmpGtI64 | Op::VCmpxGtI64 => (Type::I64, Relation::Gt),
        Op::VCmpNeI64 | Op::VCmpxNeI64 => (Type::I64, Relation::Neq),
        Op::VCmpGeI64 | Op::VCmpxGeI64 => (Type::I64, Relation::Ge),
        Op::VCmpLtU64 | Op::VCmpxLtU64 => (Type::U64, Relation::Lt),
        Op::VCmpEqU64 | Op::VCmpxEqU64 => (Type::U64, Relation::Eq),
        Op::VCmpLeU64 | Op::VCmpxLeU64 => (Type::U64, Relation::Le),
        Op::VCmpGtU64 | Op::VCmpxGtU64 => (Type::U64, Relation::Gt),
        Op::VCmpNeU64 | Op::VCmpxNeU64 => (Type::U64, Relation::Neq),
        Op::VCmpGeU64 | Op::VCmpxGeU64 => (Type::U64, Relation::Ge),
        Op::VCmpClassF16 | Op::VCmpxClassF16 => (Type::F16, Relation::Class),
        Op::VCmpClassF32 | Op::VCmpxClassF32 => (Type::F32, Relation::Class),
        Op::VCmpClassF64 | Op::VCmpxClassF64 => (Type::F64, Relation::Class),
        _ => return None,
    })
}

/// Executes an operation of this kind; `false` if it is not one.
#[inline(always)]
pub(super) fn execute(x: &mut Lanes) -> bool {
    let Some((kind, relation)) = meaning(x.inst.op) else {
        return false;
    };
    if matches!(relation, Relation::Class) {
        let mask = classes(x, kind);
        x.put_mask(x.inst.dst, mask);
        return true;
    }
    let (mut s, mut t) = ([0; 32], [0; 32]);
    let mask = match kind {
        Type::F16 => holding(relation, &x.half_floats(0), &x.half_floats(1)),
        Type::F32 => holding(relation, &x.floats(0), &x.floats(1)),
        Type::F64 => holding(relation, &x.doubles(0), &x.doubles(1)),
        Type::I16 => {
            holding(relation, &x.halves(0).map(|h| h as i16), &x.halves(1).map(|h| h as i16))
        }
        Type::U16 => holding(relation, &x.halves(0), &x.halves(1)),
        Type::I32 => {
            let (a, b) = (x.row(0, &mut s), x.row(1, &mut t));
            holding(relation, &a.map(|a| a as i32), &b.map(|b| b as i32))
        }
        Type::U32 => holding(relation, x.row(0, &mut s), x.row(1, &mut t)),
        Type::I64 => holding(relation, &x.wide(0).map(|a| a as i64), &x.wide(1).map(|b| b as i64)),
        Type::U64 => holding(relation, &x.wide(0), &x.wide(1)),
    };
    x.put_mask(x.inst.dst, mask);
    true
}

/// Less or greater: not for NaN.
#[inline(always)]
fn differ<T: PartialOrd>(a: T, b: T) -> bool {
    a.partial_cmp(&b).is_some_and(Ordering::is_ne)
}

#[inline(always)]
fn holding<T: PartialOrd + Copy>(relation: Relation, a: &[T; 32], b: &[T; 32]) -> u32 {
    match relation {
        Relation::Lt => where_true(|l| a[l] < b[l]),
        Relation::Eq => where_true(|l| a[l] == b[l]),
        Relation::Le => where_true(|l| a[l] <= b[l]),
        Relation::Gt => where_true(|l| a[l] > b[l]),
        Relation::Lg => where_true(|l| differ(a[l], b[l])),
        Relation::Ge => where_true(|l| a[l] >= b[l]),
        Relation::O => where_true(|l| a[l].partial_cmp(&b[l]).is_some()),
        Relation::U => where_true(|l| a[l].partial_cmp(&b[l]).is_none()),
        Relation::Nge => !where_true(|l| a[l] >= b[l]),
        Relation::Nlg => !where_true(|l| differ(a[l], b[l])),
        Relation::Ngt => !where_true(|l| a[l] > b[l]),
        Relation::Nle => !where_true(|l| a[l] <= b[l]),
        Relation::Neq => where_true(|l| a[l] != b[l]),
        Relation::Nlt => !where_true(|l| a[l] < b[l]),
        Relation::Class => unreachable!("classes are not compared"),
    }
}

/// The lanes whose class is among those that the second source names.
#[inline(always)]
fn classes(x: &Lanes, kind: Type) -> u32 {
    let mut t = [0; 32];
    let wanted = x.row(1, &mut t);
    match kind {
        Type::F16 => {
            let a = x.halves_signed(0);
            where_true(|l| float::class_f16(a[l]) & wanted[l] != 0)
        }
        Type::F64 => {
            let a = x.doubles(0);
            let quiet = |v: f64| v.to_bits() & (1 << 51) != 0;
            where_true(|l| float::class_f64(a[l], quiet(a[l]), f64::MIN_POSITIVE) & wanted[l] != 0)
        }
        Type::F32 | Type::I16 | Type::U16 | Type::I32 | Type::U32 | Type::I64 | Type::U64 => {
            let a = x.floats(0);
            where_true(|l| float::class_f32(a[l].to_bits()) & wanted[l] != 0)
        }
    }
}
