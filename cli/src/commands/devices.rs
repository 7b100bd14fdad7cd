//! `evenweave devices`.

use super::{Failure, write_json};
use crate::args;
use serde_json::json;
use std::io::Write;

pub(super) fn run(args: &args::Devices) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    let devices = evenweave::devices();
    let wide = devices.iter().map(|d| d.name.len()).max().unwrap_or(0);
    let bold = anstyle::Style::new().bold();
    for d in &devices {
        writeln!(out, "{bold}{:<wide$}{bold:#}  {}", d.name, d.description)?;
    }
    write_json(args.json.file.as_deref(), || {
        let all: Vec<_> = devices
            .iter()
            .map(|d| {
                json!({
                    "device": d.name, "description": d.description,
                    "threads": d.threads, "native_lanes": d.native_lanes,
                })
            })
            .collect();
        json!({ "devices": all })
    })
}
