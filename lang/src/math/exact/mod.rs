//! Exact rows of the tables as sequences of 32-bit operations, for devices whose own are missing or wrong.
//!
//! Invariants
//! - Every function has the bits of `eval` for every input: NaN is canonical, zeros keep their sign, subnormals
//!   are kept.
//! - No result depends on whether f32 arithmetic flushes subnormals: a float operation stands only where no
//!   operand or result that matters can be one.
//! - Only u32, i32 and f32 operations, but for `fma_wide`, which is for devices with exact f64 and has u64 too.
//!
//! Absent: f64 and 64-bit integers; division and roots, which are sequences of `fma` (`math::div`).

mod add;
mod convert;
mod fma;
mod order;
mod pack;
mod rem;
mod round;
mod storage;
#[cfg(test)]
mod tests;

pub use add::{add, mul, sub};
pub use convert::{
    from_i32, from_u32, i32_to_bf16, i32_to_f16, to_i32, to_i32_guarded, to_u32, to_u32_guarded,
    u32_to_bf16, u32_to_f16,
};
pub use fma::{fma, fma_wide};
pub use order::{abs, eq, ge, gt, le, lt, max, max_num, min, min_num, ne, neg};
pub use rem::rem;
pub use round::{ceil, floor, round_even, trunc};
pub use storage::{decode, encode, narrow_bf16, narrow_f16, widen_bf16, widen_f16};
