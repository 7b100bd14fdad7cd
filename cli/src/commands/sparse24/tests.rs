use super::*;
use crate::args::{Check24, Json, Prune24};
use std::path::PathBuf;

const NO_JSON: Json = Json { file: None };

fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn write(path: &Path, tensors: &[(&str, Dtype, &[usize], Vec<u8>)]) {
    let tensors: Vec<_> =
        tensors.iter().map(|(n, d, s, b)| (n.to_string(), *d, s.to_vec(), b.clone())).collect();
    let metadata = HashMap::from([("format".to_string(), "pt".to_string())]);
    fs::write(path, encode(path, &tensors, metadata).unwrap()).unwrap();
}

fn prune(input: &Path, output: &Path, tensors: &[&str], compress: bool) -> Result<(), Failure> {
    let tensors = tensors.iter().map(ToString::to_string).collect();
    prune24(&Prune24 {
        input: input.into(),
        output: output.into(),
        tensors,
        compress,
        json: NO_JSON,
    })
}

fn check(file: &Path, tensors: &[&str], json: Option<PathBuf>) -> Result<(), Failure> {
    let tensors = tensors.iter().map(ToString::to_string).collect();
    check24(&Check24 { file: file.into(), tensors, json: Json { file: json } })
}

/// A matrix with ties and a -0.0, a vector, integers, and a dtype of no interest.
fn weights(path: &Path) {
    let matrix = f32s(&[
        1.0, -2.0, 2.0, 2.0, -0.0, 0.0, 3.0, 1.0, 5.0, 6.0, 7.0, 8.0, 0.5, -0.25, 0.125, 0.0,
    ]);
    write(
        path,
        &[
            ("layer.weight", Dtype::F32, &[2, 8], matrix),
            ("layer.bias", Dtype::F32, &[2], f32s(&[9.0, 10.0])),
            ("other.weight", Dtype::I8, &[1, 4], vec![1, 0x80, 3, 127]),
            ("ids", Dtype::I64, &[1, 2], vec![7; 16]),
        ],
    );
}

#[test]
fn what_is_named_is_pruned_and_all_else_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["in.safetensors", "out.safetensors"].map(|n| folder.path().join(n));
    weights(&input);
    prune(&input, &output, &["layer.*t"], false).unwrap();
    let (before, after) = (Weights::read(&input).unwrap(), Weights::read(&output).unwrap());
    let want =
        f32s(&[0.0, -2.0, 2.0, 0.0, 0.0, 0.0, 3.0, 1.0, 0.0, 0.0, 7.0, 8.0, 0.5, -0.25, 0.0, 0.0]);
    assert_eq!(after.tensors().tensor("layer.weight").unwrap().data(), want);
    for name in ["layer.bias", "other.weight", "ids"] {
        let of = |w: &Weights| {
            let tensors = w.tensors();
            let view = tensors.tensor(name).unwrap();
            (view.dtype(), view.shape().to_vec(), view.data().to_vec())
        };
        assert_eq!(of(&before), of(&after), "{name}");
    }
    assert_eq!(after.metadata["format"], "pt");
    assert_eq!(after.metadata["sparse24.layer.weight"], "dense");
    assert!(check(&output, &[], None).is_ok());
    assert!(matches!(check(&input, &["layer.weight"], None), Err(Failure::Check)));
    // Over itself, and every matrix: -128 is the largest of its group.
    prune(&output, &output, &[], false).unwrap();
    let after = Weights::read(&output).unwrap();
    assert_eq!(after.tensors().tensor("other.weight").unwrap().data(), [0, 0x80, 0, 127]);
    assert!(check(&output, &[], None).is_ok());
}

#[test]
fn the_report_has_the_mean_error() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output, json] =
        ["in.safetensors", "out.safetensors", "x.json"].map(|n| folder.path().join(n));
    weights(&input);
    let tensors = vec!["layer.weight".to_string()];
    let json_of = Json { file: Some(json.clone()) };
    prune24(&Prune24 { input, output, tensors, compress: false, json: json_of }).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&fs::read(json).unwrap()).unwrap();
    let report = &report["tensors"][0];
    // 1 and 2, 5 and 6, and 0.125 go, of 37.875 in all.
    assert_eq!((&report["dropped"], &report["elems"]), (&5.into(), &16.into()));
    assert_eq!(report["mean_error"], 14.125 / 16.0);
    assert_eq!(report["mean_magnitude"], 37.875 / 16.0);
}

#[test]
fn an_image_is_stored_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["in.safetensors", "out.safetensors"].map(|n| folder.path().join(n));
    weights(&input);
    prune(&input, &output, &["*.weight"], true).unwrap();
    let stored = Weights::read(&output).unwrap();
    let sparse = evenweave::AnySparse24::load(&stored.bytes, "layer.weight").unwrap();
    assert_eq!(sparse.values(), f32s(&[-2.0, 2.0, 3.0, 1.0, 7.0, 8.0, 0.5, -0.25]));
    assert_eq!(sparse.index(), [0xeee9, 0xee4e]);
    assert!(stored.tensors().tensor("layer.weight").is_err());
    assert!(check(&output, &[], None).is_ok());
    assert!(check(&output, &["layer.weight"], None).is_ok());
    let refused = prune(&output, &output, &["layer.weight.values"], false).unwrap_err();
    assert!(refused.to_string().ends_with("it is a part of a compressed matrix"), "{refused}");
    // Nothing that is left is a matrix to prune: ids are i64.
    let refused = prune(&output, &output, &[], false).unwrap_err();
    assert!(refused.to_string().ends_with("there is no matrix to prune"), "{refused}");
    // A position that is damaged in the file.
    let mut bytes = stored.bytes.clone();
    let at = bytes.windows(4).position(|w| w == [0xe9, 0xee, 0x4e, 0xee]).unwrap();
    bytes[at] = 0xe5;
    fs::write(&output, bytes).unwrap();
    assert!(matches!(check(&output, &[], None), Err(Failure::Check)));
}

#[test]
fn violations_are_counted_and_the_first_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let [file, json] = ["in.safetensors", "x.json"].map(|n| folder.path().join(n));
    let mut values = vec![0.0; 700 * 8];
    for row in 300..700 {
        values[row * 8 + 4..row * 8 + 7].copy_from_slice(&[1.0, -2.0, f32::NAN]);
    }
    write(&file, &[("w", Dtype::F32, &[7, 100, 8], f32s(&values))]);
    assert!(matches!(check(&file, &["w"], Some(json.clone())), Err(Failure::Check)));
    let report: serde_json::Value = serde_json::from_slice(&fs::read(json).unwrap()).unwrap();
    let w = &report["tensors"][0];
    assert_eq!((&w["good"], &w["groups"]), (&false.into(), &400.into()));
    let first = w["first"].as_array().unwrap();
    assert_eq!(first.len(), 8);
    let want = serde_json::json!({ "row": 300, "group": 1, "nonzeros": 3, "values": ["1", "-2", "NaN", "0"] });
    assert_eq!(first[0], want);
}

#[test]
fn errors_name_the_tensor_and_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["in.safetensors", "out.safetensors"].map(|n| folder.path().join(n));
    let mut values = vec![1.0f32; 300 * 4];
    values[270 * 4 + 3] = f32::NAN;
    write(
        &input,
        &[("w", Dtype::F32, &[300, 4], f32s(&values)), ("v", Dtype::U8, &[2, 4], vec![1; 8])],
    );
    let text = |r: Result<(), Failure>| {
        r.unwrap_err().to_string().replace(&format!("{}/", folder.path().display()), "")
    };
    let refused = text(prune(&input, &output, &["w"], false));
    assert_eq!(refused, "in.safetensors:w: row 270, column 3: NaN has no magnitude to prune by");
    assert!(!output.exists());
    let refused = text(prune(&input, &output, &["v"], false));
    assert!(refused.starts_with("in.safetensors:v: u8 has no 2:4 form"), "{refused}");
    let refused = text(prune(&input, &output, &["w", "x*"], false));
    assert_eq!(refused, "in.safetensors: no tensor is named `x*` (there are: v, w)");
    let refused = text(check(&input, &[], None));
    assert!(refused.contains("nothing in the file says that it is sparse"), "{refused}");
    fs::write(&output, b"no weights").unwrap();
    assert!(
        text(check(&output, &["w"], None))
            .starts_with("out.safetensors: the safetensors file is malformed")
    );
    assert!(text(prune(&folder.path().join("none"), &output, &[], false)).starts_with("none: "));
    write(
        &input,
        &[("w", Dtype::F32, &[1, 4], f32s(&[1.0; 4])), ("w.index", Dtype::F32, &[1], f32s(&[0.0]))],
    );
    let refused = text(prune(&input, &output, &["w"], true));
    assert_eq!(refused, "out.safetensors: two tensors would be named `w.index`");
}

#[test]
fn patterns_name_what_they_should() {
    for (pattern, name) in [
        ("*", ""),
        ("a*c", "abbc"),
        ("a?c", "abc"),
        ("*.weight", "x.weight"),
        ("a", "a"),
        ("**b", "ab"),
    ] {
        assert!(matches(pattern, name), "{pattern} {name}");
    }
    for (pattern, name) in
        [("", "a"), ("a?c", "ac"), ("a*c", "abcd"), ("*.weight", "x.bias"), ("?", "")]
    {
        assert!(!matches(pattern, name), "{pattern} {name}");
    }
}
