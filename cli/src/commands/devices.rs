//! `evenweave devices`.

use super::{Failure, write_json};
use crate::{args, colours::BOLD};
use serde_json::json;
use std::io::Write;

pub(super) fn run(args: &args::Devices) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    let devices = evenweave::devices();
    let wide = devices.iter().map(|d| d.name.len()).max().unwrap_or(0);
    for d in &devices {
        let software = if d.software { ", software" } else { "" };
        writeln!(
            out,
            "{BOLD}{:<wide$}{BOLD:#}  {} ({}; {} {}{software})",
            d.name, d.description, d.api, d.driver, d.driver_version
        )?;
    }
    write_json(args.json.file.as_deref(), || {
        let all: Vec<_> = devices
            .iter()
            .map(|d| {
                json!({
                    "device": d.name, "description": d.description,
                    "threads": d.threads, "native_lanes": d.native_lanes,
                    "driver": d.driver, "driver_version": d.driver_version, "api": d.api,
                    "software": d.software, "device_uuid": d.device_uuid.map(hex),
                    "driver_uuid": d.driver_uuid.map(hex),
                    "limits": d.limits.iter().map(|(k, v)| json!({ "what": k, "is": v })).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({ "devices": all })
    })
}

fn hex(uuid: [u8; 16]) -> String {
    uuid.iter().map(|byte| format!("{byte:02x}")).collect()
}
