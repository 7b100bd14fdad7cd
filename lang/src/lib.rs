//! What a kernel means: dtypes, operation tables, the typed IR, the authoring API and staging.
#![forbid(unsafe_code)]

pub mod build;
pub mod compact;
pub mod dtype;
pub mod eval;
pub mod ir;
pub mod launch;
pub mod ops;
pub mod text;
pub mod uniform;
pub mod verify;
