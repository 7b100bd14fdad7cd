//! Rows and elements by index.
//!
//! Invariants
//! - Indices are u32 on the device; one that is out of range is an error of the launch on the CPU device, and undefined elsewhere.

use super::{Dequantize, Op, Weight, dequantize, kind, one, wrong};
use crate::Tensor;
use evenweave_lang::dtype::DType;

/// `y[n, d] = table[indices[n], d]`.
///
/// `table` is [rows, ...], `indices` has any shape, `y` is [indices' shape ..., ...]. Tier `exact`. Source `indexing/gather.rs`.
pub fn gather<'a>(table: &'a Tensor, indices: &Tensor) -> Op<'a, Tensor> {
    one(table.device().call("gather").input("table", table).input("indices", indices), "y")
}

/// Rows of a table of embeddings, dense or packed: `y[n, d] = table[indices[n], d]`.
///
/// `table` is [rows, d], `indices` has any shape, `y` is [indices' shape ..., d] of the dtype that the table has or stands for. A
/// 2:4 one is refused. Tier `exact`. Source `indexing/gather.rs`, `quant/dequantize.rs`.
pub fn embedding<'a>(table: &'a Weight, indices: &'a Tensor) -> Op<'a, Tensor> {
    match table {
        Weight::Dense(table) => gather(table, indices),
        Weight::Packed(packed) => Op::new(move |to: Option<&Tensor>| {
            if indices.dtype() != DType::U32 {
                return Err(wrong("embedding", "indices", "u32", kind(indices)));
            }
            let shape = [indices.shape(), &[packed.k]].concat();
            let flat = indices.contiguous()?.reshape(&[indices.elems() as u32])?;
            let op = dequantize(packed, Dequantize { index: Some(&flat), dtype: None });
            match to {
                Some(to) => {
                    let rows = to.reshape(&[flat.shape()[0], packed.k])?;
                    op.into(&rows)?;
                    Ok(to.clone())
                }
                None => op.run()?.reshape(&shape),
            }
        }),
        Weight::Sparse(_) => Op::new(|_| {
            Err(wrong("embedding", "table", "dense or packed", "2:4, which has no rows to gather"))
        }),
    }
}

/// `y[o, j, i] = x[o, indices[o, j, i], i]`.
///
/// `x` is [outer, axis, inner], `indices` and `y` are [outer, n, inner]. Tier `exact`. Source `indexing/gather_axis.rs`.
pub fn gather_axis<'a>(x: &'a Tensor, indices: &Tensor) -> Op<'a, Tensor> {
    one(x.device().call("gather_axis").input("x", x).input("indices", indices), "y")
}

/// `y = x`, then `y[indices[n], d] = updates[n, d]` for n ascending: of equal indices the last wins.
///
/// `x` and `y` are [rows, ...], `indices` is [n], `updates` is [n, ...] of the dtype of `x`. In place, over `x`, nothing is copied.
/// Tier `exact`. Source `indexing/scatter.rs`.
pub fn scatter<'a>(x: &'a Tensor, indices: &Tensor, updates: &Tensor) -> Op<'a, Tensor> {
    let call = x.device().call("scatter").input("x", x).input("indices", indices);
    one(call.input("updates", updates), "y")
}

/// `y = x`, then `y[o, indices[o, j, i], i] = updates[o, j, i]` for j ascending.
///
/// `x` and `y` are [outer, axis, inner], `indices` and `updates` are [outer, n, inner]. In place, over `x`, nothing is copied. Tier
/// `exact`. Source `indexing/scatter_axis.rs`.
pub fn scatter_axis<'a>(x: &'a Tensor, indices: &Tensor, updates: &Tensor) -> Op<'a, Tensor> {
    let call = x.device().call("scatter_axis").input("x", x).input("indices", indices);
    one(call.input("updates", updates), "y")
}
