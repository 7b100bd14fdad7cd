//! What gfx1201's instructions give, as compiled by clang-19 and assembled by llvm-mc-19, against definitions.
//!
//! Invariants
//! - An expected value comes from a formula of its own, never from the crate under test.
//! - A missing tool fails the tests; it does not skip them.

mod conversions;
mod division;
mod lanes;
mod machine;
mod matrix;
mod memory;
mod operations;
mod packed;
mod quotients;
mod scalar;
mod sparse;
mod special;
mod speed;
