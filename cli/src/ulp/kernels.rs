//! The kernels that evaluate a function: operands in, results out, one element a thread.

use super::functions::Body;
use evenweave_lang::{
    StageError,
    dtype::DType,
    ir::Kernel,
    ops::{BinaryOp, UnaryOp},
    prelude::*,
};

#[kernel(group = 256, grid = n.div_ceil(256))]
fn unary<T: Scalar>(
    #[len(n)] x: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
    #[comptime] op: UnaryOp,
) {
    let i = global_id();
    if i < n {
        y[i] = unary_row(op, x[i]);
    }
}

#[kernel(group = 256, grid = n.div_ceil(256))]
fn binary<T: Scalar>(
    #[len(n)] a: &In<T>,
    #[len(n)] b: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
    #[comptime] op: BinaryOp,
) {
    let i = global_id();
    if i < n {
        y[i] = binary_row(op, a[i], b[i]);
    }
}

#[kernel(group = 256, grid = n.div_ceil(256))]
fn fused(
    #[len(n)] a: &In<f32>,
    #[len(n)] b: &In<f32>,
    #[len(n)] c: &In<f32>,
    #[len(n)] y: &mut Out<f32>,
    n: u32,
) {
    let i = global_id();
    if i < n {
        y[i] = fma(a[i], b[i], c[i]);
    }
}

#[kernel(group = 256, grid = n.div_ceil(256))]
fn sequence(
    #[len(n)] x: &In<f32>,
    #[len(n)] y: &mut Out<f32>,
    n: u32,
    #[comptime] f: fn(Val<f32>) -> Val<f32>,
) {
    let i = global_id();
    if i < n {
        y[i] = f(x[i]);
    }
}

#[kernel(group = 256, grid = n.div_ceil(256))]
fn sequence_of_two(
    #[len(n)] a: &In<f32>,
    #[len(n)] b: &In<f32>,
    #[len(n)] y: &mut Out<f32>,
    n: u32,
    #[comptime] f: fn(Val<f32>, Val<f32>) -> Val<f32>,
) {
    let i = global_id();
    if i < n {
        y[i] = f(a[i], b[i]);
    }
}

/// The kernel of a function in f16, bf16 or f32: operands, result, count.
pub(super) fn stage(body: Body, dtype: DType) -> Result<Kernel, StageError> {
    match (body, dtype) {
        (Body::Unary(op), DType::F16) => unary::<f16>(op),
        (Body::Unary(op), DType::BF16) => unary::<bf16>(op),
        (Body::Unary(op), _) => unary::<f32>(op),
        (Body::Binary(op), DType::F16) => binary::<f16>(op),
        (Body::Binary(op), DType::BF16) => binary::<bf16>(op),
        (Body::Binary(op), _) => binary::<f32>(op),
        (Body::Fma, _) => fused(),
        (Body::Sequence(f), _) => sequence(f),
        (Body::SequenceOfTwo(f), _) => sequence_of_two(f),
    }
}
