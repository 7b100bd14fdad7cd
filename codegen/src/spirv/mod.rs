//! SPIR-V, written directly as words from a legalised kernel.
//!
//! A value lives in a register of one of five kinds (`Repr`): integers of up to 32 bits in a 32-bit one, extended by
//! their sign, 16-bit floats in the low half of one. So a module needs no small types but those of its buffers, and
//! operations have one spelling each. A buffer is seen through views: arrays of 8-, 16-, 32-bit elements or of
//! vectors of 32-bit ones, all at one binding.
//!
//! Invariants
//! - After `legalize` for the same facts the writer is total: no kernel makes it fail.
//! - Every float operation carries `NoContraction`; nothing is left to the driver's mathematics.
//! - The same kernel and facts give the same words.
//!
//! Absent: names of operations that a driver implements as it likes (`exp`, `sin`, `mod`, `mix`, float atomics).

mod assembler;
mod flow;
mod lanes;
mod memory;
mod module;
mod values;
mod writer;

pub use memory::shared_bytes;
pub use module::{Addressing, Binding, Module};
pub use writer::write;

/// The module as text for people.
pub fn disassemble(module: &Module) -> String {
    use rspirv::binary::{Disassemble, parse_words};
    let mut loader = rspirv::dr::Loader::new();
    match parse_words(&module.words, &mut loader) {
        Ok(()) => loader.module().disassemble(),
        Err(error) => unreachable!("the writer's words parse: {error}"),
    }
}
