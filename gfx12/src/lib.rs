//! A gfx1201 machine in software: it loads the code objects that AMD's compilers make, decodes them with its own
//! decoder, prints them as LLVM does, and executes them.
//!
//! Invariants
//! - What is not known is an error: an unknown opcode, operand, modifier or section stops the load and names itself.
//! - One table (`ops`) says what every operation is called, how it is encoded, and what its operands are; the
//!   decoder, the disassembler and the executor read it.
//! - After `decode` nothing is left to resolve: operands, constants, lane maps and branch targets are values.
//!
//! Deliberately absent: wave64, images, buffers, exports and interpolation, and every other architecture.
#![forbid(unsafe_code)]

pub mod co;
pub mod decode;
pub mod disasm;
pub mod dispatch;
pub mod env;
pub mod exec;
pub mod fault;
pub mod inst;
pub mod lines;
pub mod mem;
pub mod module;
pub mod ops;
pub mod sem;

pub use co::{CodeObject, Kernel, LoadError};
pub use decode::{DecodeError, Reason, decode};
pub use dispatch::{Checks, LaunchError, Machine, Options, Stats};
pub use env::{Barrier, Env, Start, Stop};
pub use fault::{Cause, Fault, Place};
pub use inst::{Dpp, DppControl, Dst, Inst, Program, Src};
pub use lines::Lines;
pub use module::{Launch, Module};
pub use ops::{Format, Kind, Op, OpInfo};
