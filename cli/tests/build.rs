//! Building ahead of time and the cache folder, from outside. A machine without a compiler has its absence tested.

use serde_json::Value;
use std::{fs, path::Path, process::Command};

/// Exit code, standard output and standard error, with this cache folder.
fn told(cache: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evenweave"));
    let output = command.env("XDG_CACHE_HOME", cache).args(args).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("it writes text");
    (output.status.code().expect("it ends by itself"), text(output.stdout), text(output.stderr))
}

fn report(cache: &Path, args: &[&str]) -> Value {
    let file = cache.join("report.json");
    let (code, _, error) = told(cache, &[args, &["--json", file.to_str().unwrap()]].concat());
    assert_eq!(code, 0, "{args:?}: {error}");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn programs(report: &Value) -> u64 {
    let kinds = report["kinds"].as_array().unwrap();
    let of = kinds.iter().find(|k| k["kind"] == "compiled programs").unwrap();
    of["entries"].as_u64().unwrap()
}

#[test]
fn what_is_built_is_kept_shown_and_cleared() {
    let cache = tempfile::tempdir().unwrap();
    let build = ["build", "abs", "--target", "hip:gfx1201", "--dtype", "f32"];
    let (code, out, error) = told(cache.path(), &build);
    if code == 2 {
        assert!(error.contains("clang with the target amdgcn"), "{error}");
        return;
    }
    assert_eq!(code, 0, "{error}");
    assert!(out.starts_with("hip:gfx1201: ") && out.contains("clang"), "{out}");
    let again = report(cache.path(), &build);
    let known = again["known"].as_u64().unwrap();
    assert!(known > 5, "the probe's kernels are built too: {again}");
    assert_eq!(again["compiled"], 0);
    assert_eq!(programs(&report(cache.path(), &["cache"])), known);

    // A program that is damaged is made again, and only that one.
    let folder = cache.path().join("evenweave").join("programs");
    let path = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let mended = report(cache.path(), &build);
    assert_eq!((&mended["compiled"], &mended["known"]), (&1.into(), &(known - 1).into()));

    let other = cache.path().join("evenweave").join("notes.txt");
    fs::write(&other, "mine").unwrap();
    assert_eq!(programs(&report(cache.path(), &["cache", "--clear"])), 0);
    assert!(other.exists(), "what is not ours stays");
}

#[test]
fn what_cannot_be_built_is_said() {
    let cache = tempfile::tempdir().unwrap();
    for (args, want) in [
        (["build", "abs", "--target", "vulkan"], "`vulkan` names no architecture"),
        (["build", "abs", "--target", "metal"], "`metal` names no architecture"),
        (["build", "abs", "--target", "cuda:gfx1201"], "no compiler of cuda knows"),
        (["build", "no_such", "--target", "hip:gfx1201"], "no operation `no_such`"),
    ] {
        let (code, out, error) = told(cache.path(), &args);
        // Without the compiler that is said instead.
        let missing = error.contains("clang with the target amdgcn");
        assert!(error.contains(want) || missing, "{args:?}: {error}");
        assert_eq!((code, &*out), (2, ""), "{args:?}");
    }
}
