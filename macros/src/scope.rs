//! Which names are registers, scope by scope.
//!
//! Invariants
//! - A name means its innermost declaration, as in Rust; a shadowing `let`, pattern or closure parameter ends
//!   a register's reach.

use std::collections::HashMap;

/// What a local name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A binding that does not change.
    Plain,
    /// A register: `let mut`.
    Register,
    /// An array of registers: `let mut x = [...]`.
    Registers,
}

/// The names in reach.
#[derive(Debug)]
pub(crate) struct Scopes(Vec<HashMap<String, Kind>>);

impl Scopes {
    pub(crate) fn new() -> Scopes {
        Scopes(vec![HashMap::new()])
    }

    pub(crate) fn open(&mut self) {
        self.0.push(HashMap::new());
    }

    pub(crate) fn close(&mut self) {
        self.0.pop();
    }

    pub(crate) fn declare(&mut self, name: String, kind: Kind) {
        if let Some(innermost) = self.0.last_mut() {
            innermost.insert(name, kind);
        }
    }

    pub(crate) fn kind(&self, name: &str) -> Kind {
        self.0.iter().rev().find_map(|s| s.get(name)).copied().unwrap_or(Kind::Plain)
    }
}
