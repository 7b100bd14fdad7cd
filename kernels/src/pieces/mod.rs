//! Device functions that several operations need, each written once.
pub mod attention;
pub mod codes;
pub mod each;
pub mod epilogue;
pub mod exp_sum;
pub mod fold;
pub mod norm;
pub mod order;
pub mod packed;
pub mod runs;
pub mod scan;
pub mod state;
