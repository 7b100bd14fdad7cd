//! Attention over keys and values of fewer heads than the queries' (GQA).
mod common;
pub mod decode;
pub mod prefill;
pub mod quantized;
mod reference;

use crate::{
    entry::{Call, Entry},
    prelude::PlanError,
};

/// The family.
pub const ENTRIES: &[Entry] = &[prefill::ENTRY, decode::ENTRY, quantized::ENTRY];

/// Heads that fit those of the keys, and a length of theirs that a lane's registers hold.
fn heads_fit(call: &Call<'_>, heads: u32, kv_heads: u32, dim: u32) -> Result<(), PlanError> {
    call.expect((1..=512).contains(&dim), "`dim`", "1 to 512", dim)?;
    call.require(kv_heads > 0 && heads.is_multiple_of(kv_heads), || {
        let want = format!("a multiple of {kv_heads}, those of the keys");
        ("the heads of `q`".into(), want, heads.to_string())
    })
}

/// The factor of the scores.
fn scale_of(call: &Call<'_>, dim: u32) -> f64 {
    match call.float("scale") {
        0.0 => 1.0 / f64::from(dim).sqrt(),
        scale => scale,
    }
}
