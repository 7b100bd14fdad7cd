//! The sequences of exact operations (`lang::math::exact`, `lang::math::wide`) that stand for what a device lacks.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::{facts::Fact, target::Target};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::Value,
    ops::{BinaryOp, CompareOp, UnaryOp},
};

pub(super) fn unary(_b: &mut Builder, _op: UnaryOp, _dtype: DType, _x: Value) -> Option<Value> {
    None
}
pub(super) fn binary(
    _b: &mut Builder,
    _op: BinaryOp,
    _dtype: DType,
    _x: Value,
    _y: Value,
) -> Option<Value> {
    None
}
pub(super) fn cast(_b: &mut Builder, _x: Value, _from: DType, _to: DType) -> Option<Value> {
    None
}
pub(super) fn fma(b: &mut Builder, target: &Target, dtype: DType, operands: [Value; 3]) -> Value {
    let _ = (target, Fact::Fma);
    super::half::fma(b, dtype, DType::F64, operands)
}
pub(super) fn flush_unary(
    _b: &mut Builder,
    _op: UnaryOp,
    _dtype: DType,
    _x: Value,
) -> Option<Value> {
    None
}
pub(super) fn flush_binary(
    _b: &mut Builder,
    _op: BinaryOp,
    _dtype: DType,
    _x: Value,
    _y: Value,
) -> Option<Value> {
    None
}
pub(super) fn flush_compare(
    _b: &mut Builder,
    _op: CompareOp,
    _dtype: DType,
    _x: Value,
    _y: Value,
) -> Option<Value> {
    None
}
pub(super) fn decode(_b: &mut Builder, _dtype: DType, word: Value) -> Value {
    word
}
pub(super) fn encode(_b: &mut Builder, _dtype: DType, x: Value) -> Value {
    x
}
