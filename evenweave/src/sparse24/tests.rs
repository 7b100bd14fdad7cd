use super::*;
use evenweave_kernels::{
    number,
    sparse::generators::{Generator, given},
};

/// The first generator's matrix in a dtype, packed.
fn cycle(dtype: DType, [rows, columns]: [u32; 2]) -> Vec<u8> {
    let shape = [rows as usize, 8, columns as usize];
    host::bytes(dtype, &given(Generator::Cycle, [dtype; 2], shape).remove(0).coded_a())
}

#[test]
fn every_dtype_goes_to_a_file_and_comes_back() {
    for dtype in DTYPES {
        let dense = cycle(dtype, [17, 68]);
        let sparse = AnySparse24::compress(dtype, [17, 68], &dense).unwrap();
        assert_eq!(sparse.values().len() * 2, dense.len(), "{dtype}");
        assert_eq!((sparse.index().len(), sparse.row_index_words()), (17 * 5, 5));
        let file = sparse.save("layer.weight").unwrap();
        let back = AnySparse24::load(&file, "layer.weight").unwrap();
        assert!(back == sparse, "{dtype}");
        assert_eq!(back.decompress(), dense, "{dtype}");
    }
}

#[test]
fn a_file_holds_what_the_format_says() {
    let dense = [0x21, 0x00, 0x00, 0x85u8];
    let sparse = Sparse24::<I4>::compress([1, 8], &dense).unwrap();
    let file = sparse.save("w").unwrap();
    let (_, header) = SafeTensors::read_metadata(&file).unwrap();
    assert_eq!(header.metadata().as_ref().unwrap()["sparse24.w"], "i4 1 8");
    let tensors = SafeTensors::deserialize(&file).unwrap();
    let values = tensors.tensor("w.values").unwrap();
    // Elements 1, 2, 0, 0, 0, 0, 5, -8: positions 0 and 1, then 2 and 3.
    assert_eq!(
        (values.dtype(), values.shape(), values.data()),
        (Dtype::U8, &[1, 2][..], &[0x21, 0x85][..])
    );
    let index = tensors.tensor("w.index").unwrap();
    assert_eq!(
        (index.dtype(), index.shape(), index.data()),
        (Dtype::U16, &[1, 1][..], &[0xe4, 0xee][..])
    );
}

/// A tensor of a file: name, dtype, shape, bytes.
type Stored = (String, Dtype, Vec<usize>, Vec<u8>);

/// What is done to a file's tensors and metadata before it is read.
type Change<'a> = &'a dyn Fn(&mut Vec<Stored>, &mut HashMap<String, String>);

#[test]
fn a_bad_file_is_refused() {
    let sparse = Sparse24::<f16>::compress([2, 4], &cycle(DType::F16, [2, 4])).unwrap();
    let refused = |name: &str, change: Change<'_>| {
        let (mut tensors, mut metadata) = (Vec::new(), HashMap::new());
        sparse.entries("w", &mut tensors, &mut metadata);
        change(&mut tensors, &mut metadata);
        let views = tensors.iter().map(|(name, dtype, shape, bytes)| {
            (name, TensorView::new(*dtype, shape.clone(), bytes).unwrap())
        });
        let file = safetensors::serialize(views.collect::<Vec<_>>(), Some(metadata)).unwrap();
        AnySparse24::load(&file, name).map(|_| ()).unwrap_err().to_string()
    };
    let text = "`v`: the file's metadata has no `sparse24.v`, so it is no sparse matrix";
    assert_eq!(refused("v", &|_, _| {}), text);
    let text = refused("w", &|_, m| drop(m.insert("sparse24.w".into(), "f64 2 4".into())));
    assert!(text.contains("is `f64 2 4`, but it must be dtype, rows and columns"), "{text}");
    let text = refused("w", &|_, m| drop(m.insert("sparse24.w".into(), "f16 2 8".into())));
    assert_eq!(text, "`w`: `w.values` must be F16 [2, 4], but it is F16 [2, 2]");
    let text = refused("w", &|_, m| drop(m.insert("sparse24.w".into(), "i8 2 4".into())));
    assert_eq!(text, "`w`: `w.values` must be I8 [2, 2], but it is F16 [2, 2]");
    assert!(refused("w", &|t, _| drop(t.remove(1))).contains("w.index"));
    let text = refused("w", &|t, _| t[1].3[2] = 0x41);
    assert!(text.starts_with("row 1, columns 0 to 3: the index is 0x1"), "{text}");
    // A first row of 1 and 2 at positions 0 and 1 may not stand at 1 and 0.
    let text = refused("w", &|t, _| t[1].3[0] = 0xe1);
    assert_eq!(text, "row 0, columns 0 to 3: the index is 0x1, but it must be 4, 8, 9, c, d or e");
    assert!(AnySparse24::load(b"no file", "w").is_err());
}

#[test]
fn what_does_not_fit_is_refused() {
    let text = |r: std::result::Result<AnySparse24, Sparse24Error>| r.unwrap_err().to_string();
    let refused = text(AnySparse24::compress(DType::F16, [2, 4], &[0; 15]));
    assert_eq!(refused, "2 x 4 elements of f16 take 16 bytes, but there are 15");
    let refused = text(AnySparse24::compress(DType::U8, [2, 4], &[0; 8]));
    assert_eq!(refused, "u8 has no 2:4 form (f16, bf16, f32, i8, f8e4m3, f8e5m2, i4 and u4 have)");
    let refused = text(AnySparse24::compress(DType::I4, [2, 5], &[0; 5]));
    assert_eq!(refused, "a row of 5 elements of i4 is no whole number of bytes");
    let refused = text(AnySparse24::new(DType::I8, [1, 16], vec![0; 8], vec![0xeeee; 2]));
    assert_eq!(refused, "1 x 16 takes 1 words of the index, but there are 2");
    let any = AnySparse24::compress(DType::I8, [1, 4], &[0; 4]).unwrap();
    let typed: std::result::Result<Sparse24<f16>, _> = any.try_into();
    assert_eq!(typed.unwrap_err().to_string(), "the matrix holds i8, not f16");
    let huge = text(AnySparse24::new(DType::F32, [u32::MAX, u32::MAX], Vec::new(), Vec::new()));
    assert!(huge.contains("but there are 0"), "{huge}");
}

#[test]
fn a_place_is_told_in_whatever_block_it_is() {
    let mut dense = vec![0u8; 700 * 8];
    dense[600 * 8 + 4..600 * 8 + 7].copy_from_slice(&[1, 2, 3]);
    let refused = Sparse24::<i8>::compress([700, 8], &dense).unwrap_err().to_string();
    let text = "row 600, columns 4 to 7: 3 nonzeros (1, 2, 3, 0), but a group has at most 2";
    assert_eq!(refused, text);
    let pruned = Sparse24::<i8>::prune([700, 8], &dense).unwrap();
    dense[600 * 8 + 4] = 0;
    assert_eq!(pruned.decompress(), dense);
    assert_eq!(number::element(DType::I8, pruned.values(), 600 * 4 + 2), 2);
}

#[test]
fn tensors_on_a_device_have_the_operations_shapes() {
    let device = Device::open("cpu").unwrap();
    let sparse = Sparse24::<U4>::compress([3, 40], &cycle(DType::U4, [3, 40])).unwrap();
    let [values, index] = sparse.to_device(&device).unwrap();
    assert_eq!((values.dtype(), values.shape()), (DType::U4, &[3, 20][..]));
    assert_eq!((index.dtype(), index.shape()), (DType::U16, &[3, 3][..]));
    assert_eq!(values.to_bytes().unwrap(), sparse.values());
    assert_eq!(index.to_vec::<u16>().unwrap(), sparse.index());
}

/// Views at any place are products too; what does not fit is refused in one line, before anything runs.
#[test]
fn a_product_takes_any_view_and_refuses_what_does_not_fit() {
    let device = Device::open("cpu").unwrap();
    let bytes = cycle(DType::I8, [5, 32]);
    let sparse = Sparse24::<i8>::compress([5, 32], &bytes).unwrap();
    let [values, index] = sparse.to_device(&device).unwrap();
    // One element before each row of the values, and one row before `b`: no access of more than a byte is aligned.
    let padded: Vec<i8> =
        sparse.values().chunks(16).flat_map(|row| [&[99], row].concat()).map(|x| x as i8).collect();
    let apart = device.tensor(&[5, 17], &padded).unwrap().slice(1, 1, 16).unwrap();
    let right: Vec<i8> = (0..33 * 3).map(|i| (i * 7 % 13 - 6) as i8).collect();
    let b = device.tensor(&[33, 3], &right).unwrap().slice(0, 1, 32).unwrap();
    let want: Vec<i32> = (0..15)
        .map(|at| {
            let term = |k: usize| {
                i32::from(bytes[at / 3 * 32 + k] as i8) * i32::from(right[(k + 1) * 3 + at % 3])
            };
            (0..32).map(term).sum()
        })
        .collect();
    let call = |values: &Tensor, index: &Tensor, b: &Tensor| {
        let call = device.call("gemm_sparse24").input("values", values).input("index", index);
        call.input("b", b)
    };
    for path in ["plain", "quads", "halves"] {
        let y = call(&apart, &index, &b).word("path", path).run_one().unwrap();
        assert_eq!(y.to_vec::<i32>().unwrap(), want, "{path}");
    }
    let any = |shape: &[u32], dtype| device.empty(dtype, shape).unwrap();
    let elsewhere = Device::open("cpu").unwrap().tensor(&[32, 3], &right[3..]).unwrap();
    for (refused, part) in [
        (call(&values, &index, &any(&[40, 3], DType::I8)), "must be 20, half of the 40"),
        (call(&values, &index, &any(&[30, 3], DType::I8)), "must be a multiple of 4"),
        (call(&values, &index, &any(&[32, 3], DType::F16)), "the dtype of `b`"),
        (call(&values, &any(&[5, 3], DType::U16), &b), "the shape of `index`"),
        (call(&values, &index, &b).word("out", "f64"), "`out`"),
        (call(&values, &index, &elsewhere), "device"),
    ] {
        let text = refused.run().unwrap_err().to_string();
        assert!(text.contains(part) && !text.contains('\n'), "{text}");
    }
}
