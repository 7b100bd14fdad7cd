//! Storage dtypes: 4-bit integers saturate where they are stored, and buffers of fp8 and fp4 become buffers of their codes, decoded where they are loaded and encoded
//! where they are stored.
//!
//! Invariants
//! - Afterwards buffers hold value dtypes and 4-bit integers. A code has the width of the number it stands for, so a
//!   launch's memory is the same.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{exact, half::cast};
use crate::rewrite::{Visit, Walk, rewrite};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Kernel, Op, ParamKind, Place, Type, Value},
    ops::BinaryOp,
};

/// The integer that a storage float is kept as.
fn code(dtype: DType) -> Option<DType> {
    match dtype {
        DType::F4E2M1 => Some(DType::U4),
        DType::F8E4M3 | DType::F8E5M2 | DType::F8E8M0 => Some(DType::U8),
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

/// The range of a 4-bit integer.
fn range(kernel: &Kernel, place: Place) -> Option<(i32, i32)> {
    let dtype = kernel.place_dtype(place);
    match dtype.is_int() && dtype.bits() == 4 {
        true if dtype.is_signed() => Some((-8, 7)),
        true => Some((0, 15)),
        false => None,
    }
}

/// The kernel with codes in its buffers, and what it stores in range.
pub(super) fn decode(kernel: &Kernel) -> Kernel {
    if kernel.params.iter().all(|p| p.kind.dtype().is_value()) {
        return kernel.clone();
    }
    let mut coded = rewrite(kernel, &mut Decode);
    for param in &mut coded.params {
        match &mut param.kind {
            ParamKind::Scalar(_) => {}
            ParamKind::Buffer { dtype, .. } | ParamKind::View { dtype, .. } => {
                *dtype = code(*dtype).unwrap_or(*dtype);
            }
        }
    }
    coded
}

/// The same shape of another dtype.
fn of_dtype(ty: Type, dtype: DType) -> Type {
    match ty {
        Type::Vector(_, elems) => Type::Vector(dtype, elems),
        Type::Scalar(_) | Type::Unit => Type::Scalar(dtype),
    }
}

/// The elements of a vector; a scalar is its own.
fn elements(b: &mut Builder, x: Value) -> Vec<Value> {
    match b.kernel()[x].ty {
        Type::Vector(dtype, elems) => {
            (0..elems).map(|at| b.push(Op::Extract(x, at), Type::Scalar(dtype))).collect()
        }
        Type::Scalar(_) | Type::Unit => vec![x],
    }
}

/// A vector of several elements; one stays a scalar.
fn pack(b: &mut Builder, elements: Vec<Value>) -> Value {
    let [first, _, ..] = elements[..] else { return elements[0] };
    let dtype = b.kernel()[first].ty.dtype().expect("an element has a value");
    let ty = Type::Vector(dtype, elements.len() as u8);
    b.push(Op::Pack(elements), ty)
}

struct Decode;

impl Visit for Decode {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        let coded = |place: Place| {
            let dtype = walk.old.place_dtype(place);
            code(dtype).map(|code| (dtype, code))
        };
        let ty = walk.old[old].ty;
        if let Op::Load(place, index) = walk.old[old].op
            && let Some((dtype, code)) = coded(place)
        {
            let index = walk.get(index);
            let b = &mut walk.new;
            let codes = b.push(Op::Load(place, index), of_dtype(ty, code.value()));
            let numbers = elements(b, codes)
                .into_iter()
                .map(|code| {
                    let word = cast(b, code, DType::U32);
                    exact::decode(b, dtype, word)
                })
                .collect();
            let number = pack(b, numbers);
            walk.set(old, number);
        } else if let Op::Store(place, index, x) = walk.old[old].op
            && let Some((dtype, code)) = coded(place)
        {
            let [index, x] = [index, x].map(|v| walk.get(v));
            let b = &mut walk.new;
            let codes = elements(b, x)
                .into_iter()
                .map(|x| {
                    let word = exact::encode(b, dtype, x);
                    cast(b, word, code.value())
                })
                .collect();
            let codes = pack(b, codes);
            b.push_unit(Op::Store(place, index, codes));
        } else if let Op::Store(place, index, x) = walk.old[old].op
            && let Some((least, most)) = range(walk.old, place)
        {
            // 4-bit integers saturate.
            let [index, x] = [index, x].map(|v| walk.get(v));
            let b = &mut walk.new;
            let clamped = elements(b, x)
                .into_iter()
                .map(|x| {
                    let ty = b.kernel()[x].ty;
                    let dtype = ty.dtype().expect("a stored value has a type");
                    let [least, most] =
                        [least, most].map(|n| b.constant(dtype, u64::from(n as u32)));
                    let above = b.push(Op::Binary(BinaryOp::Max, x, least), ty);
                    b.push(Op::Binary(BinaryOp::Min, above, most), ty)
                })
                .collect();
            let clamped = pack(b, clamped);
            b.push_unit(Op::Store(place, index, clamped));
        } else {
            walk.copy(self, old);
        }
    }
}
