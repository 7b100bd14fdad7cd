//! What each pass makes of a kernel, as text: `snapshots/NAME.txt` holds the pass, the kernel and the result.
//!
//! `BLESS=1` writes the results anew; read the change.

use evenweave_codegen::{PASSES, Target, legalize};
use evenweave_lang::{ir::Kernel, text, verify::verify};
use std::{env, fs, path::Path};

const MARK: &str = "\n=== after ===\n";

/// The text form without the author's places.
fn show(kernel: &Kernel) -> String {
    let text = text::print(kernel);
    text.lines().map(|line| format!("{}\n", line.split(" @").next().unwrap().trim_end())).collect()
}

fn apply(name: &str, kernel: &Kernel) -> Kernel {
    if name == "legalize" {
        return legalize(kernel, Target::Cpu).unwrap().compact();
    }
    let pass = PASSES.iter().find(|pass| pass.name == name);
    let pass = pass.unwrap_or_else(|| panic!("there is no pass `{name}`"));
    pass.apply(kernel).unwrap()
}

#[track_caller]
fn check(path: &Path) {
    let file = path.display();
    let stored = fs::read_to_string(path).unwrap();
    let (before, want) = stored.split_once(MARK).unwrap_or((&stored, ""));
    let mut words = before.lines().next().unwrap().split_whitespace();
    assert_eq!(words.next(), Some(";"), "{file} begins with `; PASS ...`");
    let kernel = text::parse(before).unwrap_or_else(|e| panic!("{file}: {e}")).compact();
    verify(&kernel).unwrap_or_else(|e| panic!("{file}: {e}"));
    let after = words.fold(kernel.clone(), |kernel, name| apply(name, &kernel));
    verify(&after).unwrap();
    let got = show(&after);
    assert!(got != show(&kernel) || before.contains("; stays"), "{file}: nothing changed");
    if env::var_os("BLESS").is_some() {
        return fs::write(path, format!("{}{MARK}{got}", before.trim_end())).unwrap();
    }
    assert!(got == want, "{file} is out of date: read the change, then BLESS=1\n{got}");
}

#[test]
fn each_pass_gives_its_snapshots() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut passes: Vec<&str> = PASSES.iter().map(|pass| pass.name).chain(["legalize"]).collect();
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        check(&path);
        let name = path.file_stem().unwrap().to_str().unwrap();
        passes.retain(|pass| !name.starts_with(pass));
    }
    assert!(passes.is_empty(), "without a snapshot: {passes:?}");
}
