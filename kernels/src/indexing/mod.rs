//! Elements chosen by an index.
//!
//! Invariants
//! - An index out of range is an error of the launch.
//! - Where indices repeat, the last one in order wins: one thread walks them, so no order of threads matters.
pub mod gather;
pub mod gather_axis;
pub mod masked_scatter;
pub mod scatter;
pub mod scatter_axis;

use crate::entry::Entry;

/// The family.
pub const ENTRIES: &[Entry] = &[
    gather::ENTRY,
    gather_axis::ENTRY,
    scatter::ENTRY,
    scatter_axis::ENTRY,
    masked_scatter::ENTRY,
];

use crate::prelude::*;

/// The dtypes that are moved.
pub(crate) const DTYPES: &[DType] =
    &[DType::F32, DType::F16, DType::BF16, DType::U8, DType::I32, DType::U32, DType::I64];

/// Stages for a dtype of `DTYPES`.
macro_rules! with_moved {
    ($call:expr, $dtype:expr, $T:ident => $stage:expr) => {
        $crate::with_dtype! { $call, $dtype, $T => $stage; $crate::indexing::DTYPES;
        F32 f32, F16 ::half::f16, BF16 ::half::bf16, U8 u8, I32 i32, U32 u32, I64 i64, }
    };
}
use with_moved;

/// The values of any input by their place.
fn moved(known: &Known<'_>, name: &str) -> Moved {
    match known.dtype(name).is_float() {
        true => Moved::Float(known.float(name).to_vec()),
        false => Moved::Int(known.int(name).to_vec()),
    }
}

/// Numbers that are moved, not computed with.
enum Moved {
    Float(Vec<f64>),
    Int(Vec<i128>),
}

impl Moved {
    /// `self[at[0]], self[at[1]], ...`.
    fn take(&self, at: &[usize]) -> Expected {
        match self {
            Moved::Float(x) => Expected::float("y", at.iter().map(|&i| x[i]).collect()),
            Moved::Int(x) => Expected::int("y", at.iter().map(|&i| x[i]).collect()),
        }
    }

    /// Followed by another of the same kind.
    fn chain(self, other: Moved) -> Moved {
        match (self, other) {
            (Moved::Float(a), Moved::Float(b)) => Moved::Float([a, b].concat()),
            (Moved::Int(a), Moved::Int(b)) => Moved::Int([a, b].concat()),
            (Moved::Float(_), Moved::Int(_)) | (Moved::Int(_), Moved::Float(_)) => {
                unreachable!("the signature gives both one dtype")
            }
        }
    }
}
