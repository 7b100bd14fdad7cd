//! Kernels as text of the C family: CUDA C++, HIP C++ and Metal's language, from a legalised kernel.
//!
//! A value is one of five kinds (`Kind`), as in SPIR-V: integers of up to 32 bits lie in a `u32`, extended by their sign,
//! and 16-bit floats in its low half. What the languages do not share is a row of `Dialect` or a function of its prelude, a
//! real file; the kernel's own text is nearly the same in all three.
//!
//! Invariants
//! - After `legalize` for the same facts the writer is total: no kernel makes it fail.
//! - Floats are strict by construction: CUDA's sums and products are the intrinsics that no flag fuses, the preludes of the
//!   others forbid contraction, and conversions to 16 bits stand behind a barrier for the optimiser. Functions of the
//!   makers' libraries appear where the author wrote `fast::`, and nowhere else.
//! - An index past the end of a buffer reads 0 and writes nothing.
//! - The same kernel, facts and dialect give the same text. No header is included.

mod dialect;
mod expr;
mod flow;
mod lanes;
mod memory;
mod names;
mod tile;
mod values;
mod writer;

pub use dialect::{Dialect, prelude};
pub use memory::shared_bytes;
pub use writer::{write, write_lined};

use crate::field::Field;

/// A kernel as text. With the prelude before it, it is a translation unit; several kernels of different entries may share
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The function, without the prelude.
    pub text: String,
    /// Its name.
    pub entry: String,
    /// Threads of a group, which is one row.
    pub threads: u32,
    /// Its arguments in order: `Field::words` 32-bit words each, `Field::Address` a pointer. Metal takes the pointers at
    /// buffers 0, 1, ..., and the rest in a structure after them.
    pub fields: Vec<Field>,
}
