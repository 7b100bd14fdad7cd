//! The program from outside: what it prints, writes and returns.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Exit code, standard output and standard error.
fn told(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evenweave"));
    let output = command.current_dir(folder).args(args).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("it writes text");
    let code = output.status.code().expect("it ends by itself");
    (code, text(output.stdout), text(output.stderr))
}

/// What goes wrong: exit 2, one line that says all of `wants`, nothing on standard output.
#[track_caller]
fn refused(folder: &Path, args: &[&str], wants: &[&str]) {
    let (code, out, error) = told(folder, args);
    assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{args:?}: {error}");
    for want in wants {
        assert!(error.contains(want), "{args:?}: {error} lacks {want}");
    }
}

fn json(path: PathBuf) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// An `.npy` file, written by its definition.
fn npy(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((text.len() as u16).to_le_bytes());
    file.extend(text.as_bytes());
    file.extend(data);
    file
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

const GATE: [f32; 6] = [-2.0, -1.0, 0.0, 0.5, 1.0, 3.0];
const UP: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

fn with_inputs() -> tempfile::TempDir {
    let folder = folder();
    for (name, values) in [("gate.npy", GATE), ("up.npy", UP)] {
        let file = npy("<f4", "False", "(2, 3)", &floats(&values));
        fs::write(folder.path().join(name), file).unwrap();
    }
    folder
}

fn swiglu(x: f32, u: f32) -> f64 {
    let (x, u) = (f64::from(x), f64::from(u));
    x / (1.0 + (-x).exp()) * u
}

#[test]
fn help_and_wrong_usage() {
    let folder = folder();
    let at = folder.path();
    let (code, out, _) = told(at, &["--help"]);
    assert_eq!(code, 0);
    for word in ["devices", "list", "test", "run", "show", "bench", "Exit code"] {
        assert!(out.contains(word), "{word}");
    }
    for args in
        [&[][..], &["fly"], &["test", "--dtype", "f31"], &["show", "swiglu", "--stage", "x"]]
    {
        assert_eq!(told(at, args).0, 2, "{args:?}");
    }
    refused(at, &["run", "swigl"], &["no operation `swigl`", "swiglu"]);
    refused(at, &["test", "swiglu", "--device", "abacus"], &["abacus", "cpu"]);
    refused(at, &["show", "swiglu", "--target", "abacus"], &["abacus", "cpu", "hip:gfx1201"]);
    refused(at, &["show", "swiglu", "--target", "cuda:sm_1"], &["`sm_1`", "sm_90a"]);
    refused(at, &["show", "swiglu", "--target", "hip:gfx9999"], &["`gfx9999`", "gfx1201"]);
    refused(at, &["show", "swiglu", "--dtype", "f64"], &["no case of f64"]);
}

#[test]
fn what_matches_nothing_is_named_with_what_is_near() {
    let folder = folder();
    let at = folder.path();
    for command in [&["list"][..], &["test"], &["bench"], &["audit", "--target", "cuda:sm_90a"]] {
        let with = |filter| [command, &[filter]].concat();
        refused(at, &with("nothing_like_it"), &["`nothing_like_it`", "families", "softmax"]);
        refused(at, &with("swigli"), &["`swigli`", "near it: swiglu"]);
        refused(at, &with("SWIGLU"), &["`SWIGLU`", "near it: swiglu"]);
        refused(at, &with(""), &["no operation or family has ``"]);
    }
    let case = ["test", "--case", "swiglu/f16/rag"];
    refused(at, &case, &["`swiglu/f16/rag`", "near it: swiglu/f16/ragged"]);
    refused(at, &["test", "--case", "swiglo/f16/one"], &["`swiglo/f16/one`", "near it: swiglu"]);
    refused(
        at,
        &["test", "swiglu", "--dtype", "u8"],
        &["of `swiglu` of u8", "dtypes: bf16, f16, f32"],
    );
    let one = ["test", "--case", "swiglu/f16/ragged", "--dtype", "f32"];
    refused(at, &one, &["`swiglu/f16/ragged` of f32"]);
    refused(at, &["bench", "random_bits", "--large"], &["random_bits has no large bench"]);
}

#[test]
fn what_is_asked_for_twice_is_refused() {
    let folder = folder();
    let at = folder.path();
    let twice = ["--device", "cpu", "--device", "cpu"];
    refused(at, &[&["test", "swiglu"], &twice[..]].concat(), &["--device cpu is given twice"]);
    refused(at, &[&["doctor"], &twice[..]].concat(), &["--device cpu is given twice"]);
    refused(at, &["ulp", "exp", "exp"], &["exp is given twice"]);
    let targets = ["--target", "cuda:sm_75", "--target", "cuda:sm_75"];
    refused(at, &[&["audit", "abs"], &targets[..]].concat(), &["cuda:sm_75 is given twice"]);
}

#[test]
fn what_a_device_cannot_do_is_said_before_anything_runs() {
    let folder = folder();
    let test = |more: &[&str], wants: &[&str]| {
        refused(folder.path(), &[&["test", "swiglu"], more].concat(), wants);
    };
    test(&["--validate", "--device", "cpu"], &["--validate", "cpu has no validation layer"]);
    test(&["--validate", "--device", "cuda:0"], &["cuda:0 has no validation layer"]);
    test(&["--sanitize", "--device", "vulkan:0"], &["--sanitize", "not on vulkan:0"]);
    test(&["--sanitize", "--device", "cpu", "--device", "hip"], &["not on hip"]);
}

#[test]
fn a_machine_without_a_driver_is_told_how_to_get_one() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evenweave"));
    command.env("VK_DRIVER_FILES", "/nowhere/icd.json").env_remove("VK_ICD_FILENAMES");
    let args = ["run", "swiglu", "--device", "vulkan:0"];
    let output = command.args(args).output().expect("the program starts");
    let error = String::from_utf8(output.stderr).expect("it writes text");
    assert_eq!(output.status.code(), Some(2), "{error}");
    let driver = ["VK_DRIVER_FILES", "scripts/fetch-drivers"].iter().all(|w| error.contains(w));
    let loader = ["Vulkan loader", "libvulkan1"].iter().all(|w| error.contains(w));
    assert!(driver || loader, "{error}");
}

#[test]
fn lists_are_whole_and_plain_when_piped() {
    let folder = folder();
    let (code, out, _) = told(folder.path(), &["list", "--json", "list.json"]);
    assert_eq!(code, 0);
    assert!(out.contains("swiglu") && !out.contains('\x1b'), "{out}");
    let kernels = json(folder.path().join("list.json"))["kernels"].clone();
    assert!(kernels.as_array().unwrap().iter().any(|k| k["kernel"] == "swiglu"));
    let (_, out, _) = told(folder.path(), &["list", "swiglu"]);
    assert!(out.contains("in   gate") && out.contains("out  y"), "{out}");
    let (code, out, _) = told(folder.path(), &["devices", "--json", "devices.json"]);
    assert!(code == 0 && out.starts_with("cpu"), "{out}");
    assert_eq!(json(folder.path().join("devices.json"))["devices"][0]["device"], "cpu");
}

#[test]
fn the_corpus_reports_totals_and_cases() {
    let folder = folder();
    let args = ["test", "swiglu", "--device", "cpu", "--json", "test.json"];
    let (code, out, error) = told(folder.path(), &args);
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("gates") && out.contains("total") && !out.contains('\x1b'), "{out}");
    let device = json(folder.path().join("test.json"))["devices"][0].clone();
    let (totals, cases) = (&device["totals"], device["cases"].as_array().unwrap());
    assert_eq!(device["device"], "cpu");
    assert!(device["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(totals["cases"], cases.len());
    for (name, want) in [("pass", cases.len()), ("same", cases.len()), ("mismatch", 0)] {
        assert_eq!(totals[name], want, "{name}");
    }
    for name in ["known_hard", "unsupported", "error"] {
        assert_eq!(totals[name], 0, "{name}");
    }
    for case in cases {
        assert!(case["kernel"] == "swiglu" && case["family"] == "gates");
        assert!(case["id"].as_str().unwrap().starts_with("swiglu/"));
        assert!(case["verdict"] == "PASS" && case["same_bits"] == true);
        assert!(case["max_ulp"].is_f64() && case["dtype"].is_string());
    }
}

#[test]
fn one_case_is_found_by_its_id() {
    let folder = folder();
    let args = ["test", "--case", "swiglu/f16/ragged", "--json", "one.json", "--sanitize"];
    assert_eq!(told(folder.path(), &args).0, 0);
    assert_eq!(json(folder.path().join("one.json"))["devices"][0]["totals"]["cases"], 1);
}

#[test]
fn mutants_are_caught() {
    let folder = folder();
    let (code, out, _) = told(folder.path(), &["test", "swiglu", "--mutate", "--json", "m.json"]);
    assert_eq!(code, 0, "{out}");
    let mutants = json(folder.path().join("m.json"))["devices"][0]["mutants"].clone();
    let mutants = mutants.as_array().unwrap();
    // Stores of y in five ways, loads of gate and up; the packing of a view has its own.
    assert!(mutants.len() >= 7, "{out}");
    assert!(mutants.iter().all(|m| m["caught_by"].is_string()));
    // One element cannot tell its neighbour from itself: alone, this case lets mutants live.
    let (code, out, _) = told(folder.path(), &["test", "--mutate", "--case", "swiglu/f32/one"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("SURVIVED"), "{out}");
}

#[test]
fn an_operation_runs_on_files() {
    let folder = with_inputs();
    let args = ["run", "swiglu", "--in", "gate=gate.npy", "--in", "up=up.npy"];
    let more = ["--out", "y=y.npy", "--check", "--json", "run.json"];
    let (code, out, error) = told(folder.path(), &[&args[..], &more].concat());
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("6 elements, at most") && out.contains("y: f32 [2, 3]"), "{out}");
    let file = fs::read(folder.path().join("y.npy")).unwrap();
    for (at, chunk) in file[file.len() - 24..].chunks(4).enumerate() {
        let y = f64::from(f32::from_le_bytes(chunk.try_into().unwrap()));
        let want = swiglu(GATE[at], UP[at]);
        assert!((y - want).abs() <= want.abs() * 3e-7, "{y} {want}");
    }
    assert_eq!(json(folder.path().join("run.json"))["check"]["verdict"], "PASS");
    let files = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 4, "no part of a file is left");
}

#[test]
fn a_dtype_converts_and_safetensors_hold_many() {
    let folder = with_inputs();
    let run = |more: &[&str]| [&["run", "swiglu"][..], more].concat().join(" ");
    let convert = "--in gate=gate.npy --in up=up.npy --dtype bf16 --out";
    let split = |text: String| text.split(' ').map(String::from).collect::<Vec<_>>();
    let go = |text: String| {
        let args = split(text);
        told(folder.path(), &args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (code, out, error) = go(run(&[convert, "y=y.safetensors"]));
    assert_eq!(code, 0, "{out}{error}");
    let file = fs::read(folder.path().join("y.safetensors")).unwrap();
    let tensors = safetensors::SafeTensors::deserialize(&file).unwrap();
    let y = tensors.tensor("y").unwrap();
    assert_eq!((y.dtype(), y.shape()), (safetensors::Dtype::BF16, &[2, 3][..]));
    let again = "--in gate=y.safetensors --in up=y.safetensors:y --out y=z.safetensors";
    assert_eq!(go(run(&[again])).0, 0);
    let (code, _, error) = go(run(&[convert, "y=y.npy"]));
    assert!(code == 2 && error.contains("no element type for bf16"), "{error}");
}

#[test]
fn what_does_not_fit_is_one_line_and_writes_nothing() {
    let folder = with_inputs();
    let put = |name: &str, file: Vec<u8>| fs::write(folder.path().join(name), file).unwrap();
    let mut whole = npy("<f4", "False", "(2, 3)", &floats(&GATE));
    whole.truncate(whole.len() - 3);
    put("cut.npy", whole);
    put("big.npy", npy(">f4", "False", "(2, 3)", &floats(&GATE)));
    put("columns.npy", npy("<f4", "True", "(2, 3)", &floats(&GATE)));
    put("other.npy", npy("<f4", "False", "(3, 2)", &floats(&GATE)));
    put("int.npy", npy("<i4", "False", "(2, 3)", &floats(&GATE)));
    put("wide.npy", npy("<f8", "False", "(0,)", &[]));
    fs::create_dir(folder.path().join("folder.npy")).unwrap();
    let before = fs::read_dir(folder.path()).unwrap().count();
    let run = |gate: &str, more: &[&str], wants: &[&str]| {
        let gate = format!("gate={gate}");
        let args = ["run", "swiglu", "--in", &gate, "--in", "up=up.npy", "--out", "y=y.npy"];
        refused(folder.path(), &[&args[..], more].concat(), wants);
    };
    run("nowhere.npy", &[], &["nowhere.npy"]);
    run("cut.npy", &[], &["cut.npy", "24 bytes", "21"]);
    run("big.npy", &[], &["big.npy", "big-endian"]);
    run("columns.npy", &[], &["columns.npy", "Fortran order"]);
    run("other.npy", &[], &["swiglu", "shape of `up`", "[3, 2]", "[2, 3]"]);
    run("int.npy", &[], &["swiglu", "`gate` is i32", "f32, f16, bf16"]);
    run("wide.npy", &[], &["swiglu", "`gate` is f64"]);
    run("gate.npy:x", &[], &["no names"]);
    run("gate.txt", &[], &["gate.txt", ".npy, .npz and .safetensors"]);
    run("gate.npy", &["--in", "bias=up.npy"], &["no input `bias`", "gate, up"]);
    run("gate.npy", &["--in", "gate=up.npy"], &["gate is given twice"]);
    run("gate.npy", &["--set", "eps=1"], &["no setting `eps`"]);
    run("gate.npy", &["--set", "eps"], &["--set takes NAME=VALUE"]);
    run("gate.npy", &["--set", "eps=small"], &["eps", "small"]);
    run("gate.npy", &["--out", "z=z.npy"], &["no output `z`", "y"]);
    run("gate.npy", &["--out", "y=z.npy"], &["y is given twice"]);
    run("gate.npy", &["--set", "eps=1", "--set", "eps=2"], &["--set eps is given twice"]);
    run("gate.npy", &["--device", "abacus"], &["abacus"]);
    run("gate.npy", &["--json", "no/r.json"], &["no/r.json"]);
    run("gate.npy", &["--json", "./y.npy"], &["--json and --out name the same file"]);
    refused(folder.path(), &["run", "swiglu", "--in", "gate=gate.npy"], &["`up` is missing"]);
    for nowhere in ["no/y.npy", "gate.npy/", "gate.npy/y.npy", "folder.npy"] {
        let out = format!("y={nowhere}");
        let args = ["run", "swiglu", "--in", "gate=gate.npy", "--in", "up=up.npy", "--out", &out];
        refused(folder.path(), &args, &[nowhere]);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before);
}

#[test]
fn a_file_is_one_file_however_it_is_spelt() {
    let folder = with_inputs();
    let run = ["run", "argsort", "--in", "x=gate.npy"];
    let two = ["--out", "values=r.npy", "--out", "indices=./r.npy"];
    refused(folder.path(), &[run, two].concat(), &["./r.npy holds one array"]);
    let two = ["--out", "values=r.safetensors", "--out", "indices=./r.safetensors"];
    let (code, out, error) = told(folder.path(), &[run, two].concat());
    assert_eq!(code, 0, "{out}{error}");
    let file = fs::read(folder.path().join("r.safetensors")).unwrap();
    let tensors = safetensors::SafeTensors::deserialize(&file).unwrap();
    let mut names = tensors.names();
    names.sort();
    assert_eq!(names, ["indices", "values"]);
}

#[test]
fn no_work_is_done_for_a_report_that_cannot_be_written() {
    let folder = with_inputs();
    for command in [&["devices"][..], &["list"], &["test", "swiglu"], &["bench"], &["ulp", "exp"]] {
        refused(folder.path(), &[command, &["--json", "no/r.json"]].concat(), &["no/r.json"]);
    }
    for flag in ["--markdown", "--hashes"] {
        refused(folder.path(), &["ulp", "exp", flag, "no/r"], &["no/r"]);
    }
}

#[test]
fn arrays_without_elements_are_arrays() {
    let folder = folder();
    fs::write(folder.path().join("x.npy"), npy("<f4", "False", "(0, 3)", &[])).unwrap();
    let args =
        ["run", "swiglu", "--in", "gate=x.npy", "--in", "up=x.npy", "--out", "y=y.npy", "--check"];
    let (code, out, error) = told(folder.path(), &args);
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("y: f32 [0, 3]"), "{out}");
}

#[test]
fn every_stage_is_shown() {
    let folder = folder();
    for stage in ["ir", "legal", "artifact"] {
        let (code, out, error) = told(folder.path(), &["show", "swiglu", "--stage", stage]);
        assert_eq!(code, 0, "{error}");
        assert!(out.contains("swiglu<f32>"), "{stage}: {out}");
        assert_eq!(out.contains("= silu "), stage == "ir", "{stage}");
    }
}

#[test]
fn speed_is_measured_on_right_results() {
    let folder = folder();
    let args = ["bench", "swiglu", "--seconds", "0.01", "--json", "bench.json"];
    let (code, out, error) = told(folder.path(), &args);
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("GB/s") && out.contains("PASS"), "{out}");
    let bench = json(folder.path().join("bench.json"))["benches"][0].clone();
    assert!(bench["gb_per_s"].as_f64().unwrap() > 0.0 && bench["seconds"].as_f64().unwrap() > 0.0);

    // What is written is what is read: a file against itself, and as a baseline.
    let (code, out, error) = told(folder.path(), &["diff", "bench.json", "bench.json"]);
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("1.00x") && out.contains("benches in both"), "{out}");
    let (code, out, error) =
        told(folder.path(), &["bench", "swiglu", "--seconds", "0.01", "--baseline", "bench.json"]);
    assert_eq!(code, 0, "{out}{error}");
    let row = out.lines().find(|line| line.starts_with("swiglu/")).unwrap();
    assert!(out.contains("before") && row.contains("x  PASS"), "{out}");
}

/// A file of `bench --json` with these benches and their seconds.
fn speeds(device: &str, benches: &[(&str, f64)]) -> String {
    let one = |(id, seconds): &(&str, f64)| {
        serde_json::json!({
            "id": id, "verdict": "PASS", "detail": null, "seconds": seconds,
            "gb_per_s": 6.0 / seconds, "gflop_per_s": 0.0, "of_copy": null,
        })
    };
    let benches = benches.iter().map(one).collect::<Vec<_>>();
    serde_json::json!({ "device": device, "copy_gb_per_s": 100.0, "benches": benches }).to_string()
}

#[test]
fn times_are_compared_and_decide_nothing() {
    let folder = folder();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("a.json", &speeds("cpu", &[("add/f32/large", 0.25), ("abs/f32/large", 0.5)]));
    put("b.json", &speeds("cuda:0", &[("add/f32/large", 0.125), ("abs/f32/large", 4.0)]));
    let (code, out, error) = told(folder.path(), &["diff", "a.json", "b.json"]);
    assert_eq!(code, 0, "{out}{error}");
    let row: Vec<&str> =
        out.lines().find(|line| line.starts_with("add/")).unwrap().split_whitespace().collect();
    assert_eq!(row, ["add/f32/large", "250.0000", "125.0000", "24.0", "48.0", "2.00x"]);
    // sqrt(2 / 8)
    assert!(out.contains("2 benches in both, 0.50x in the geometric mean"), "{out}");
    assert!(out.contains("b.json, cuda:0, which copies 100 GB/s"), "{out}");

    put("c.json", &speeds("cpu", &[("add/f32/large", 0.25), ("neg/f32/large", 1.0)]));
    let (code, out, _) = told(folder.path(), &["diff", "a.json", "c.json"]);
    assert_eq!(code, 1, "{out}");
    let alone = ["abs/f32/large: the first alone", "neg/f32/large: the second alone"];
    assert!(alone.iter().all(|line| out.contains(line)), "{out}");
    put("d.json", &speeds("cpu", &[("add/f32/large", 0.25)]).replace("PASS", "MISMATCH"));
    let (code, out, _) = told(folder.path(), &["diff", "d.json", "c.json"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("add/f32/large: MISMATCH in the first"), "{out}");

    put("e.json", &speeds("cpu", &[("pow/f32/large", 0.25)]));
    refused(folder.path(), &["diff", "a.json", "e.json"], &["no bench in common"]);
    put("doctor.json", &attestation("a:0", "01").to_string());
    for (a, b) in [("a.json", "doctor.json"), ("doctor.json", "a.json")] {
        refused(folder.path(), &["diff", a, b], &["`bench --json`", "`doctor`", "of one kind"]);
    }
    put("enqueue.json", r#"{"device": "cuda", "bare_ns": 1.0}"#);
    put("list.json", "[1, 2]");
    put("half.json", r#"{"device": "cpu", "copy_gb_per_s": null, "benches": [{"id": "x"}]}"#);
    for (file, want) in
        [("enqueue.json", "neither"), ("list.json", "neither"), ("half.json", "missing field")]
    {
        refused(folder.path(), &["diff", "a.json", file], &[file, want, "`bench --json`"]);
    }
    refused(
        folder.path(),
        &["bench", "abs", "--baseline", "half.json"],
        &["half.json", "no file of"],
    );
}

/// The paths of the project that a page names in backquotes.
fn paths_named(page: &str) -> Vec<&str> {
    let roots = "macros lang codegen kernels runtime evenweave cli docs scripts examples";
    page.split('`')
        .skip(1)
        .step_by(2)
        .filter(|quoted| !quoted.contains(char::is_whitespace))
        .filter(|quoted| match quoted.split_once('/') {
            Some((root, _)) => roots.split(' ').any(|r| r == root),
            None => quoted.ends_with(".md"),
        })
        .collect()
}

#[test]
fn pages_name_paths_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let pages = "ARCHITECTURE.md CONTRIBUTING.md README.md STYLE.md docs/language.md docs/library.md docs/numerics.md docs/cuda.md docs/vulkan.md";
    let mut named = 0;
    for page in pages.split(' ') {
        let text = fs::read_to_string(root.join(page)).unwrap();
        assert!(page != "ARCHITECTURE.md" || text.lines().count() < 200, "{page} is too long");
        for path in paths_named(&text) {
            assert!(root.join(path).exists(), "{page} names {path}, which is gone");
            named += 1;
        }
    }
    assert!(named > 20, "only {named} paths were found");
}

#[test]
fn the_readme_counts_cases_as_the_corpus_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let mut rows = readme.lines().filter(|line| line.starts_with("softmax  "));
    let row: Vec<&str> = rows.next().expect("the table of a test").split_whitespace().collect();
    let (_, out, _) = told(root, &["test", "softmax", "--device", "cpu"]);
    let total = out.lines().find(|line| line.starts_with("total")).unwrap();
    assert_eq!(total.split_whitespace().nth(1), Some(row[1]), "README.md: {row:?}");
    assert_eq!(row[1], row[2], "all pass");
}

#[test]
fn every_stage_of_a_kernel_can_be_shown() {
    let at = folder();
    let shown = |stage| {
        let (code, out, error) = told(at.path(), &["show", "softmax", "--stage", stage]);
        assert_eq!((code, error.as_str()), (0, ""), "{stage}");
        out
    };
    let (ir, legal, artifact) = (shown("ir"), shown("legal"), shown("artifact"));
    assert!(ir.contains(" = exp ") && !legal.contains(" = exp "), "exp is legalised:\n{legal}");
    let listed = ["program softmax", "\nlaunch:\n", "\ngroup:\n", "softmax.rs:"];
    assert!(listed.iter().all(|words| artifact.contains(words)), "{artifact}");
}

#[test]
fn random_kernels_are_counted_and_reproduced() {
    let folder = folder();
    let args = ["fuzz", "--seed", "7", "--count", "12", "--json", "fuzz.json"];
    let (code, out, error) = told(folder.path(), &args);
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("cpu: 12 kernels from seed 7: 12 same, 0 wrong, 0 refused"), "{out}");
    let report = json(folder.path().join("fuzz.json"));
    assert_eq!((&report["same"], &report["seed"]), (&12.into(), &7.into()));
    let (code, _, error) = told(folder.path(), &["fuzz", "--count", "0"]);
    assert_eq!((code, error.contains("nothing to compare")), (2, true), "{error}");
    refused(folder.path(), &["fuzz", "--device", "abacus"], &["abacus"]);
}

#[test]
fn a_device_that_does_not_differ_is_said_to_be_so() {
    let folder = folder();
    let one = ["diverge", "neg", "--device", "cpu", "--json", "diverge.json"];
    let (code, out, error) = told(folder.path(), &one);
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("no difference between cpu and the CPU device"), "{out}");
    let report = json(folder.path().join("diverge.json"));
    assert_eq!(report["differs"], false);
    assert!(report["compared"].as_u64() > Some(3), "{report}");
    refused(
        folder.path(),
        &["diverge", "neg", "--device", "cpu", "--case", "neg/f32/no"],
        &["neg/f32/no"],
    );
    refused(folder.path(), &["diverge", "nag", "--device", "cpu"], &["nag"]);
}

/// The bits of a device with one case: FNV-1a in 128 bits of the case's bits and their length.
fn bits_of_all(case: &str) -> String {
    let bytes = case.bytes().chain((case.len() as u64).to_le_bytes());
    let step =
        |hash: u128, byte| (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
    format!("{:032x}", bytes.fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, step))
}

/// An attestation with one device and one case whose bits are these.
fn attestation(device: &str, bits: &str) -> Value {
    serde_json::json!({
        "tool": "evenweave",
        "version": "0.1.0",
        "devices": [{
            "device": device, "description": "some device", "api": "an API 1.0", "driver": "a driver",
            "driver_version": "1", "limits": [["shared bytes of a group", "32768"]],
            "facts": [{"fact": "fma", "holds": true, "witness": null}], "refused": null,
            "totals": {"PASS": 1}, "bits": bits_of_all(bits),
            "cases": [{"id": "abs/f32/one", "verdict": "PASS", "same": true, "bits": bits, "detail": null}],
        }],
    })
}

#[test]
fn attestations_are_compared_by_what_was_computed() {
    let folder = folder();
    let put =
        |name: &str, what: &Value| fs::write(folder.path().join(name), what.to_string()).unwrap();
    let one = attestation("a:0", "01");
    put("one.json", &one);
    // Another device with other facts, and the same bits.
    let mut equal = attestation("b:0", "01");
    equal["devices"][0]["facts"][0]["holds"] = false.into();
    put("equal.json", &equal);
    put("other.json", &attestation("b:0", "02"));
    let mut more = one.clone();
    let second = attestation("b:0", "01")["devices"][0].clone();
    more["devices"].as_array_mut().unwrap().push(second);
    put("more.json", &more);

    let (code, out, _) = told(folder.path(), &["diff", "one.json", "equal.json"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("fma holds for the first alone") && out.contains("results are the same"));
    let (code, out, _) = told(folder.path(), &["diff", "one.json", "other.json"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("abs/f32/one: PASS 01 and PASS 02") && out.contains("results differ"));
    let (code, out, _) = told(folder.path(), &["diff", "one.json", "more.json"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("b:0: the second alone") && out.contains("results are the same"), "{out}");
}

#[test]
fn what_is_no_attestation_is_not_compared() {
    let folder = folder();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("one.json", &attestation("a:0", "01").to_string());
    put("text.json", "no JSON\nof any kind");
    put("corpus.json", r#"{"tool": "evenweave", "devices": [], "cases": 3}"#);
    let mut foreign = attestation("a:0", "01");
    foreign["tool"] = "another tool".into();
    put("foreign.json", &foreign.to_string());
    let mut apart = attestation("b:0", "01");
    let second = attestation("c:0", "01")["devices"][0].clone();
    apart["devices"].as_array_mut().unwrap().push(second);
    put("apart.json", &apart.to_string());

    let diff = |with: &str, wants: &[&str]| {
        refused(folder.path(), &["diff", "one.json", with], wants);
        refused(folder.path(), &["diff", with, "one.json"], wants);
    };
    diff("absent.json", &["absent.json", "No such file"]);
    diff("text.json", &["text.json", "neither an attestation of `doctor` nor"]);
    diff("corpus.json", &["corpus.json", "no attestation of `doctor`", "missing field"]);
    diff("foreign.json", &["foreign.json", "it is of `another tool`"]);
    let mut changed = attestation("a:0", "01");
    changed["devices"][0]["bits"] = "0".repeat(32).into();
    fs::write(folder.path().join("changed.json"), changed.to_string()).unwrap();
    diff("changed.json", &["changed.json", "the bits of a:0 are not those of its cases"]);
    diff("apart.json", &["no device in common"]);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_written_to_as_it_is() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = folder();
    let (file, link) = (folder.path().join("file.json"), folder.path().join("link.json"));
    fs::write(&file, "old").unwrap();
    symlink(&file, &link).unwrap();
    let (code, _, said) = told(folder.path(), &["devices", "--json", "link.json"]);
    assert_eq!(code, 0, "{said}");
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().contains("cpu"));
    let (code, _, said) = told(folder.path(), &["devices", "--json", "/dev/null"]);
    assert_eq!(code, 0, "{said}");
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let (code, _, said) = told(folder.path(), &["devices", "--json", "/dev/full"]);
    assert_eq!(code, 2, "{said}");
    assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
}

#[test]
fn seconds_and_statements_are_numbers_in_range() {
    let folder = folder();
    let wrong = |args: &[&str], want: &str| {
        let (code, _, said) = told(folder.path(), args);
        assert_eq!(code, 2, "{args:?}: {said}");
        assert!(said.contains(want), "{args:?}: {said}");
    };
    for seconds in ["nan", "inf", "1e30"] {
        wrong(&["bench", "neg", "--seconds", seconds], "from 0 to 1000000");
        wrong(&["fuzz", "--seconds", seconds], "from 0 to 1000000");
    }
    wrong(&["fuzz", "--count", "1", "--statements", "100000"], "10000");
}
