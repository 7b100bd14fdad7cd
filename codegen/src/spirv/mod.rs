//! SPIR-V, written directly as words from a legalised kernel.

mod module;

pub use module::{Binding, Field, Module};
