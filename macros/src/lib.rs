//! `#[kernel]` and `#[device]`: an author's function becomes Rust that stages.
//!
//! Invariants
//! - The macros know Rust's syntax and no operation's meaning: operators, `if`, `for`, `as` and indexing
//!   become calls that dispatch on the type of their operands.
//! - Every call carries the span of the author's token, so errors and IR lines are the author's.
//! - Syntax that is not understood is an error at its token; nothing is dropped.
//!
//! Absent: types. The macros never know what is comptime and what is run-time.
#![forbid(unsafe_code)]

mod body;
mod device;
mod kernel;
mod scope;
mod unsupported;

use proc_macro::TokenStream;

/// Makes a function a kernel: called with its comptime arguments, it returns `Result<ir::Kernel, StageError>`.
///
/// `group = 256` or `group = (16, 16)` is the group's size, `grid = n.div_ceil(256)` the number of groups;
/// `name = "text"` replaces the function's name.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    kernel::expand(attribute.into(), item.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}

/// Makes a function (or each one of an `impl` or `trait`) a helper that kernels and other helpers call.
///
/// `#[device(at_caller)]`: what it stages carries the line of its call.
#[proc_macro_attribute]
pub fn device(attribute: TokenStream, item: TokenStream) -> TokenStream {
    device::expand(attribute.into(), item.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}
