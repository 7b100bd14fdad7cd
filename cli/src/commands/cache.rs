//! `evenweave cache`.

use super::{Failure, opening, write_json};
use crate::args;
use evenweave_runtime::cache::{Cache, USUAL_BYTES};
use serde_json::json;
use std::{collections::BTreeMap, fs, io, io::Write, path::Path};

/// What a cache folder holds of one kind.
#[derive(Default)]
struct Of {
    entries: u64,
    bytes: u64,
}

pub(super) fn run(args: &args::Cache) -> Result<(), Failure> {
    let Some(folder) = opening().cache else {
        return Err(Failure::usage(
            "there is no cache folder: neither XDG_CACHE_HOME nor HOME is set",
        ));
    };
    if args.clear {
        clear(&folder)?;
    }
    let kinds = kinds(&folder);
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", folder.display())?;
    for (kind, of) in &kinds {
        writeln!(out, "  {kind:<24} {:>6} entries  {:>12} bytes", of.entries, of.bytes)?;
    }
    write_json(args.json.file.as_deref(), || {
        let all = kinds
            .iter()
            .map(|(kind, of)| json!({ "kind": kind, "entries": of.entries, "bytes": of.bytes }));
        json!({ "folder": folder, "kinds": all.collect::<Vec<_>>() })
    })
}

fn kinds(folder: &Path) -> BTreeMap<&'static str, Of> {
    let programs = Cache::open(folder, USUAL_BYTES).usage();
    let mut kinds = BTreeMap::from([
        ("compiled programs", Of { entries: programs.entries, bytes: programs.bytes }),
        ("pipelines of Vulkan", Of::default()),
        ("what was measured", Of::default()),
    ]);
    for (kind, bytes) in files(folder) {
        let of = kinds.entry(kind).or_default();
        of.entries += 1;
        of.bytes += bytes;
    }
    kinds
}

/// The files of the folder itself that are ours.
fn files(folder: &Path) -> Vec<(&'static str, u64)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((kind(&entry.path())?, entry.metadata().ok()?.len()))).collect()
}

fn kind(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "pipelines" => Some("pipelines of Vulkan"),
        "probe" => Some("what was measured"),
        _ => None,
    }
}

/// Removes what is ours, and nothing else that lies there.
fn clear(folder: &Path) -> io::Result<()> {
    Cache::open(folder, USUAL_BYTES).clear()?;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if kind(&entry.path()).is_some() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
