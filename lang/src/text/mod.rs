//! The text form of a kernel: what people read and tests compare. `print` writes it, `parse` reads it.
//!
//! ```text
//! kernel swiglu<f16>(gate: in f16[n], up: in f16[n], y: out f16[n], n: u32) group 256 grid n.div_ceil(256)
//!     var acc: f32
//!     shared tile: f32[256]
//!     v0: u32 = global_id.x            @swiglu.rs:10
//!     v1: u32 = scalar n               @swiglu.rs:11
//!     v2: bool = lt v0, v1             @swiglu.rs:11
//!     if v2 {                          @swiglu.rs:11
//!         v4: f16 = load gate[v0]      @swiglu.rs:12
//!         store y[v0], v4              @swiglu.rs:13
//!     }
//! ```
//!
//! Invariants
//! - `parse(&print(&k)) == Ok(k)` for every compact, verified kernel: places, names and all bits included.
//! - Every dtype and every table row is spelt as its table spells it.
//! - Text that is no kernel is a `ParseError` with line and column, never a panic.
//!
//! Notes. A name is plain where it is an identifier that no other parameter, array or register has;
//! otherwise it is quoted and/or followed by `#` and its number, counted over parameters, arrays and
//! registers in this order. A view is `x: in view f32[m, n]`; a group or grid of more than one axis is
//! `group [16, 16]`. A vector type is `f32x4`. `;` begins a comment. An instruction without `@file:line`
//! gets its own line in file `<text>`.

mod cursor;
mod head;
mod parse;
mod print;

#[cfg(test)]
mod tests;

pub use parse::parse;
pub use print::print;

use crate::ir::Kernel;
use std::collections::HashMap;

/// The file of instructions that name none.
const TEXT_FILE: &str = "<text>";

/// A text that is no kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {cause}")]
pub struct ParseError {
    /// Line of the text, from 1.
    pub line: u32,
    /// Character of the line, from 1.
    pub column: u32,
    /// What is wrong there.
    pub cause: ParseCause,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the messages name")]
pub enum ParseCause {
    #[error("expected {want}, found {found}")]
    Expected { want: String, found: String },
    #[error("there is no {what} `{name}`")]
    Unknown { what: &'static str, name: String },
    #[error("{what} `{name}` is defined twice")]
    Repeated { what: &'static str, name: String },
    #[error("`{name}` has several meanings; add `#` and its number")]
    Ambiguous { name: String },
    #[error("`{text}` is not {want}")]
    Number { text: String, want: String },
    #[error("a number has a scalar type in front of it; other constants are `bits 0x..`")]
    ConstantType,
    #[error("no such escape in a text")]
    Escape,
    #[error("the text in quotes does not end")]
    OpenText,
    #[error("too deeply nested")]
    Nesting,
}

/// How parameters, arrays and registers are spelt.
struct Names(Vec<String>);

impl Names {
    fn new(kernel: &Kernel) -> Names {
        let all: Vec<&str> = (kernel.params.iter().map(|p| p.name.as_str()))
            .chain(kernel.arrays.iter().map(|a| a.name.as_str()))
            .chain(kernel.vars.iter().map(|v| v.name.as_str()))
            .collect();
        let mut uses = HashMap::new();
        for &name in &all {
            *uses.entry(name).or_insert(0u32) += 1;
        }
        let spell = |(number, &name): (usize, &&str)| {
            let text = if is_identifier(name) { name.to_string() } else { format!("{name:?}") };
            if uses[name] == 1 { text } else { format!("{text}#{number}") }
        };
        Names(all.iter().enumerate().map(spell).collect())
    }

    fn get(&self, number: usize) -> &str {
        self.0.get(number).map_or("<missing>", String::as_str)
    }
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a kernel's name stands without quotes.
fn is_plain_kernel_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !name.ends_with(' ')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_<>,:=.+- ".contains(c))
}

/// Whether a file's name stands without quotes after `@`.
fn is_plain_file(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_./+-<>\\".contains(c))
}
