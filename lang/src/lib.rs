//! What a kernel means: dtypes, operation tables, the typed IR, the authoring API and staging.
#![forbid(unsafe_code)]

pub extern crate self as evenweave_lang;

pub mod build;
pub mod compact;
pub mod dtype;
pub mod eval;
pub mod generate;
pub mod ir;
pub mod launch;
pub mod math;
pub mod matrix;
pub mod ops;
pub mod text;
pub mod uniform;
pub mod verify;

pub mod stage;
pub mod val;

pub mod cast;
pub mod compare;
pub mod control;
pub mod func;
pub mod group;
pub mod lanes;
pub mod memory;
pub mod prelude;
pub mod registers;
#[doc(hidden)]
pub mod rt;

pub use stage::{StageCause, StageError};

/// The manual, whose examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/language.md")]
pub struct Manual;
