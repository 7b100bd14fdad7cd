//! Tests that need more than one module, or LLVM's tools.

mod broken;
mod llvm;
mod objects;
mod operands;
mod refusals;
mod words;
