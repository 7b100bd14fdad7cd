//! Tests that need more than one module, or LLVM's tools.

mod llvm;
mod words;
