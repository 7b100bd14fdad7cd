//! Reductions, scans, orders.
//!
//! Invariants
//! - The order of a sum follows from the length of a row alone, so a row's result depends on that row alone.

use super::{Op, one, results, several, unary};
use crate::Tensor;

/// What combines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fold {
    /// The sum; of nothing -0.0.
    #[default]
    Sum,
    /// The product; of nothing 1.
    Prod,
    /// The greatest, NaN wins; of nothing -inf.
    Max,
    /// The least, NaN wins; of nothing +inf.
    Min,
}

impl Fold {
    fn word(self) -> &'static str {
        match self {
            Fold::Sum => "sum",
            Fold::Prod => "prod",
            Fold::Max => "max",
            Fold::Min => "min",
        }
    }
}

fn folded<'a>(operation: &str, x: &'a Tensor, fold: Fold) -> Op<'a, Tensor> {
    one(x.device().call(operation).input("x", x).word("op", fold.word()), "y")
}

/// `y[r] = x[r, 0] . x[r, 1] . ...`: each row, that is the last axis.
///
/// `x` is [..., n] (f32, f16, bf16, i32 or u32), `y` is [...] of its dtype. Tier `same`. Source `reduce/rows.rs`.
pub fn reduce_rows(x: &Tensor, fold: Fold) -> Op<'_, Tensor> {
    folded("reduce_rows", x, fold)
}

/// `y[c] = x[0, c] . x[1, c] . ...`: along the first axis, with the bits of `reduce_rows` on the transposed matrix.
///
/// `x` is [n, ...], `y` is [...]. Tier `same`. Source `reduce/columns.rs`.
pub fn reduce_columns(x: &Tensor, fold: Fold) -> Op<'_, Tensor> {
    folded("reduce_columns", x, fold)
}

/// All elements, in logical order: `y` is [] of the dtype of `x`. Tier `same`. Source `reduce/all.rs`.
pub fn reduce_all(x: &Tensor, fold: Fold) -> Op<'_, Tensor> {
    folded("reduce_all", x, fold)
}

/// Where the greatest element of each row stands, the first of equal ones; NaN wins.
///
/// `x` is [..., n] with n at least 1, `y` is [...] in u32. Tier `exact`. Source `reduce/arg.rs`.
pub fn arg_max(x: &Tensor) -> Op<'_, Tensor> {
    one(x.device().call("arg_reduce").input("x", x).word("op", "max"), "y")
}

/// Where the least element of each row stands, the first of equal ones; NaN wins.
///
/// `x` is [..., n] with n at least 1, `y` is [...] in u32. Tier `exact`. Source `reduce/arg.rs`.
pub fn arg_min(x: &Tensor) -> Op<'_, Tensor> {
    one(x.device().call("arg_reduce").input("x", x).word("op", "min"), "y")
}

/// `y[r, i] = exp(x[r, i] - max_r) / sum over j of exp(x[r, j] - max_r)`; a row of -inf alone gives zeros.
///
/// `x` and `y` are [..., n] (f32, f16 or bf16). In place: over `x`. Tier `same`. Source `softmax/softmax.rs`.
pub fn softmax(x: &Tensor) -> Op<'_, Tensor> {
    unary("softmax", x)
}

/// `y[r] = max_r + ln(sum over j of exp(x[r, j] - max_r))`.
///
/// `x` is [..., n] (f32, f16 or bf16), `y` is [...]. Tier `same`. Source `softmax/log_sum_exp.rs`.
pub fn log_sum_exp(x: &Tensor) -> Op<'_, Tensor> {
    unary("log_sum_exp", x)
}

/// Whether an element takes part in the scan that ends at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScanKind {
    /// It does.
    #[default]
    Inclusive,
    /// It does not: the first result is that of nothing.
    Exclusive,
}

/// `y[r, i] = x[r, 0] . ... . x[r, i]`, or without the last.
///
/// `x` and `y` are [..., n] (f32, f16, bf16, i32 or u32). Tier `same`. Source `scans/scan.rs`.
pub fn scan(x: &Tensor, fold: Fold, kind: ScanKind) -> Op<'_, Tensor> {
    let word = match kind {
        ScanKind::Inclusive => "inclusive",
        ScanKind::Exclusive => "exclusive",
    };
    one(x.device().call("scan").input("x", x).word("op", fold.word()).word("kind", word), "y")
}

/// Which element comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The greatest; NaN is above all.
    #[default]
    Descending,
    /// The least.
    Ascending,
}

impl Order {
    fn word(self) -> &'static str {
        match self {
            Order::Descending => "descending",
            Order::Ascending => "ascending",
        }
    }
}

results! {
    /// Elements in order, and where they stood.
    Ordered {
        /// The elements.
        values,
        /// Their indices in the row, u32.
        indices,
    }
}

/// The first k elements of each row in order; of equal ones the lower index first.
///
/// `x` is [..., n], both results are [..., min(k, n)]. Tier `exact`. Source `sorting/top_k.rs`.
pub fn top_k(x: &Tensor, k: u32, order: Order) -> Op<'_, Ordered> {
    several(x.device().call("top_k").input("x", x).set("k", k).word("order", order.word()))
}

/// Each row in order, and where its elements stood; of equal ones the lower index first.
///
/// `x` and both results are [..., n]. Tier `exact`. Source `sorting/argsort.rs`.
pub fn argsort(x: &Tensor, order: Order) -> Op<'_, Ordered> {
    several(x.device().call("argsort").input("x", x).word("order", order.word()))
}
