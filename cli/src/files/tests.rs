use super::*;
use proptest::prelude::*;

fn array(dtype: DType, shape: &[u32]) -> Array {
    let elems = shape.iter().map(|&e| u64::from(e)).product();
    let bytes = (0..dtype.bytes_for(elems).unwrap()).map(|i| (i * 37 % 2) as u8).collect();
    Array { dtype, shape: shape.to_vec(), bytes }
}

fn in_folder(name: &str, bytes: &[u8], tensor: Option<&str>) -> Result<Array, FileError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    read(&Source { path, tensor: tensor.map(Into::into) })
}

fn header(text: &str) -> Vec<u8> {
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((text.len() as u16).to_le_bytes());
    file.extend(text.as_bytes());
    file
}

fn npy(text: &str, data: &[u8]) -> Result<Array, FileError> {
    let mut file = header(text);
    file.extend(data);
    in_folder("x.npy", &file, None)
}

#[test]
fn every_type_comes_back() {
    for &dtype in DType::ALL {
        for (name, shape) in [("x.npy", &[3, 4][..]), ("x.safetensors", &[2, 6]), ("x.npy", &[])] {
            let array = array(dtype, shape);
            let path = Path::new(name);
            if check_kind(path, dtype).is_ok() {
                let bytes = encode(path, &[("x", &array)]).unwrap();
                assert_eq!(in_folder(name, &bytes, None).unwrap(), array, "{dtype} {name}");
            }
        }
    }
}

#[test]
fn empty_and_scalar_arrays_are_arrays() {
    let empty = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 0)}", &[]).unwrap();
    assert_eq!(empty.shape, [3, 0]);
    let scalar = npy("{'descr': '<i2', 'fortran_order': False, 'shape': ()}", &[1, 2]).unwrap();
    assert_eq!((scalar.shape.as_slice(), scalar.bytes.as_slice()), (&[][..], &[1, 2][..]));
}

#[test]
fn what_is_wrong_with_a_npy_file_is_said() {
    let f = |descr: &str, order: &str, shape: &str| {
        format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}}}")
    };
    let deep = format!("{{'descr': {}", "(".repeat(60_000));
    #[rustfmt::skip]
    let cases: Vec<(String, usize, &str)> = vec![
        (f("'<f4'", "False", "(2, 3)"), 23, "says 24 bytes, there are 23"),
        (f("'<f4'", "False", "(2, 3)"), 25, "more data than the 24 bytes"),
        (f("'>f4'", "False", "(2, 3)"), 24, "big-endian"),
        (f("'<f4'", "True", "(2, 3)"), 24, "Fortran order"),
        (f("'<c8'", "False", "(2, 3)"), 48, "element type <c8"),
        (f("'|O'", "False", "(1,)"), 8, "element type"),
        (f("[('a', '<f4')]", "False", "(1,)"), 4, "element type"),
        (f("'<f4'", "False", "(4294967296,)"), 4, "is too large"),
        (f("'<f4'", "False", "(4294967295, 4294967295, 4294967295)"), 4, "is too large"),
        (f("'<f4'", "False", "(0, 4294967295, 4294967295, 4294967295)"), 0, "is too large"),
        (f("'<f4'", "False", "(-1,)"), 4, "malformed"),
        (f("'<f4'", "False", "7"), 4, "malformed"),
        ("{}".into(), 4, "malformed"),
        ("hello".into(), 4, "malformed"),
        (deep, 4, "nested too deep"),
    ];
    for (text, data, want) in cases {
        let error = npy(&text, &vec![0; data]).unwrap_err().to_string();
        assert!(error.contains(want), "{error}\nlacks {want}");
        assert!(!error.contains('\n'), "{error}");
    }
    let claims_much = b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}";
    let error = in_folder("x.npy", claims_much, None).unwrap_err().to_string();
    assert!(error.contains("claims to be 4294967295 bytes"), "{error}");
}

#[test]
fn a_bool_is_zero_or_one() {
    let error = npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", &[1, 2]);
    assert!(error.unwrap_err().to_string().contains("element 1 of a bool array is 2"));
}

#[test]
fn tensors_are_found_by_name() {
    let (a, b) = (array(DType::BF16, &[2]), array(DType::F8E4M3, &[1, 3]));
    let bytes = encode(Path::new("x.safetensors"), &[("a", &a), ("b", &b)]).unwrap();
    assert_eq!(in_folder("x.safetensors", &bytes, Some("b")).unwrap(), b);
    let error = in_folder("x.safetensors", &bytes, Some("c")).unwrap_err().to_string();
    assert!(error.contains("no tensor `c` (there are: a, b)"), "{error}");
    let error = in_folder("x.safetensors", &bytes, None).unwrap_err().to_string();
    assert!(error.contains("say which tensor"), "{error}");
    assert!(in_folder("x.txt", &bytes, None).unwrap_err().to_string().contains(".npy, .npz"));
}

#[test]
fn archives_are_read_by_name() {
    let a = array(DType::F16, &[5]);
    let inner = encode(Path::new("a.npy"), &[("a", &a)]).unwrap();
    let mut zipped = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    let options: zip::write::SimpleFileOptions = Default::default();
    for name in ["a.npy", "b.npy"] {
        zipped.start_file(name, options).unwrap();
        io::Write::write_all(&mut zipped, &inner).unwrap();
    }
    let bytes = zipped.finish().unwrap().into_inner();
    assert_eq!(in_folder("x.npz", &bytes, Some("b")).unwrap(), a);
    let error = in_folder("x.npz", &bytes, Some("z")).unwrap_err().to_string();
    assert!(error.contains("no tensor `z` (there are: a, b)"), "{error}");
    let error = in_folder("x.npz", &bytes[..bytes.len() / 2], Some("a")).unwrap_err().to_string();
    assert!(error.contains("the zip archive is malformed"), "{error}");
}

#[test]
fn a_source_may_have_colons() {
    let source = Source::parse("/a:b/x.safetensors:layer.0:w");
    assert_eq!(source.path, PathBuf::from("/a:b/x.safetensors"));
    assert_eq!(source.tensor.as_deref(), Some("layer.0:w"));
    assert_eq!(Source::parse("x.npy").tensor, None);
}

#[test]
fn a_failed_write_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("taken.npy");
    fs::create_dir(&target).unwrap();
    assert!(write(&target, b"x").is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Files with some bytes changed, cut or added give an array or an error, never a crash.
    #[test]
    fn mutated_files_do_not_crash(
        which in 0usize..3,
        changes in prop::collection::vec((0usize..400, any::<u8>()), 0..6),
        cut in prop::option::of(0usize..400),
    ) {
        let a = array(DType::F32, &[3, 5]);
        let name = ["x.npy", "x.safetensors", "x.npz"][which];
        let mut bytes = match which {
            2 => {
                let inner = encode(Path::new("a.npy"), &[("a", &a)]).unwrap();
                let mut zipped = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
                let options: zip::write::SimpleFileOptions = Default::default();
                zipped.start_file("a.npy", options).unwrap();
                io::Write::write_all(&mut zipped, &inner).unwrap();
                zipped.finish().unwrap().into_inner()
            }
            _ => encode(Path::new(name), &[("a", &a)]).unwrap(),
        };
        for (at, byte) in changes {
            if let Some(slot) = bytes.get_mut(at) {
                *slot = byte;
            }
        }
        bytes.truncate(cut.unwrap_or(usize::MAX));
        if let Ok(array) = in_folder(name, &bytes, None) {
            let elems = array.shape.iter().map(|&e| u64::from(e)).product();
            prop_assert_eq!(array.dtype.bytes_for(elems), Some(array.bytes.len() as u64));
        }
    }
}
