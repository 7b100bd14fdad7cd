//! What `bench` measured, as `--json` writes it and `diff` and `--baseline` read it.
//!
//! Invariants
//! - A time or a speed that was not measured is none, never 0.

use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};

/// The file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Speeds {
    pub(crate) device: String,
    /// Of the device's own copy, read and written.
    pub(crate) copy_gb_per_s: Option<f64>,
    pub(crate) benches: Vec<Speed>,
}

/// One bench.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Speed {
    pub(crate) id: String,
    pub(crate) verdict: String,
    pub(crate) detail: Option<String>,
    /// The median of the rounds; of the CPU device the least.
    pub(crate) seconds: Option<f64>,
    pub(crate) gb_per_s: Option<f64>,
    pub(crate) gflop_per_s: Option<f64>,
    pub(crate) of_copy: Option<f64>,
}

impl Speeds {
    /// Reads a file; the error says why it is none, without its name.
    pub(crate) fn read(path: &Path) -> Result<Speeds, String> {
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        Speeds::parse(&text)
    }

    /// Reads a file's text.
    pub(crate) fn parse(text: &str) -> Result<Speeds, String> {
        serde_json::from_str(text).map_err(|e| format!("no file of `bench --json`: {e}"))
    }

    /// The benches by their ids.
    pub(crate) fn by_id(&self) -> BTreeMap<&str, &Speed> {
        self.benches.iter().map(|b| (&*b.id, b)).collect()
    }
}
