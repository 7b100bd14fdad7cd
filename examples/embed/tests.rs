//! The model against f64, against published numbers, and against itself. They need the files of scripts/fetch-model,
//! and fail with its name where those are missing.

use crate::{
    bits_hash,
    files::{EmbedError, Files, default_folder},
    model::{Model, Products},
    reference, table,
};
use evenweave::{Device, Sparse24};
use rayon::ThreadPoolBuilder;
use safetensors::{
    SafeTensors,
    tensor::{Dtype, TensorView, serialize},
};
use std::{fs, path::Path};

const SENTENCES: [&str; 5] = [
    "",
    "Hello",
    "A cat sits on the mat, and nobody asked why.",
    "Größe zählt nicht: 東京 is 3,776 m below the summit of Mt. Fuji \u{1f5fb}!",
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it \
     was the epoch of belief, it was the epoch of incredulity, it was the season of Light.",
];

fn files() -> Files {
    Files::read(&default_folder()).unwrap_or_else(|error| panic!("{error}"))
}

fn cpu(files: &Files) -> Model {
    with(files, Products::Whole)
}

fn with(files: &Files, products: Products) -> Model {
    let device = Device::open("cpu").expect("every machine has it");
    Model::load(&device, files, products).unwrap_or_else(|error| panic!("{error}"))
}

fn embed(model: &Model, files: &Files, sentence: &str) -> Vec<f32> {
    let tokens = files.tokens(sentence).unwrap();
    model.embed(&tokens).unwrap().to_vec().unwrap()
}

#[test]
fn each_component_is_that_of_f64() {
    let files = files();
    let model = cpu(&files);
    let bytes = fs::read(default_folder().join("model.safetensors")).unwrap();
    let weights = SafeTensors::deserialize(&bytes).unwrap();
    for sentence in SENTENCES {
        let got = embed(&model, &files, sentence);
        let want = reference::embed(&weights, &files.tokens(sentence).unwrap().ids);
        assert_eq!((got.len(), want.len()), (384, 384));
        for (i, (&got, want)) in got.iter().zip(want).enumerate() {
            // Written so that NaN is far.
            let near = (f64::from(got) - want).abs() <= 1e-5;
            assert!(near, "component {i} of {sentence:?} is {got}, not {want}");
        }
    }
}

/// The weights' file with the matrices of all products pruned: of four neighbours the smallest two become zero, of equal ones
/// the later.
fn pruned_file(file: &[u8]) -> Vec<u8> {
    let weights = SafeTensors::deserialize(file).unwrap();
    let mut tensors = Vec::new();
    for (name, view) in weights.tensors() {
        let mut bytes = view.data().to_vec();
        if name.starts_with("encoder.") && name.ends_with(".weight") && view.shape().len() == 2 {
            for four in bytes.chunks_exact_mut(16) {
                let size =
                    |p: usize| f32::from_le_bytes(four[4 * p..][..4].try_into().unwrap()).abs();
                let larger = |p: usize| {
                    (0..4).filter(|&q| size(q) > size(p) || (size(q) == size(p) && q < p)).count()
                };
                let gone: Vec<usize> = (0..4).filter(|&p| larger(p) >= 2).collect();
                gone.into_iter().for_each(|p| four[4 * p..][..4].fill(0));
            }
        }
        tensors.push((name, view.dtype(), view.shape().to_vec(), bytes));
    }
    let views = tensors.iter().map(|(name, dtype, shape, bytes)| {
        (name, TensorView::new(*dtype, shape.clone(), bytes).unwrap())
    });
    serialize(views.collect::<Vec<_>>(), None).unwrap()
}

#[test]
fn pruned_weights_give_the_embedding_of_f64_by_dense_and_by_sparse_products() {
    let files = files();
    let models = [with(&files, Products::Pruned), with(&files, Products::Sparse)];
    let bytes = pruned_file(&fs::read(default_folder().join("model.safetensors")).unwrap());
    let weights = SafeTensors::deserialize(&bytes).unwrap();
    let whole = cpu(&files);
    // The cosines to the whole model's embeddings are those of another implementation, in f64.
    for (sentence, moved) in [(SENTENCES[1], 0.6991), (SENTENCES[2], 0.6414)] {
        let want = reference::embed(&weights, &files.tokens(sentence).unwrap().ids);
        for model in &models {
            let got = embed(model, &files, sentence);
            for (i, (&got, want)) in got.iter().zip(&want).enumerate() {
                let near = (f64::from(got) - want).abs() <= 1e-5;
                assert!(near, "component {i} of {sentence:?} is {got}, not {want}");
            }
        }
        let before = embed(&whole, &files, sentence);
        let cosine: f64 = before.iter().zip(&want).map(|(&x, y)| f64::from(x) * y).sum();
        assert!((cosine - moved).abs() < 1e-4, "{sentence:?}: {cosine}");
    }
}

#[test]
fn quantised_weights_give_the_dense_integers() {
    let file = fs::read(default_folder().join("model.safetensors")).expect("scripts/fetch-model");
    let bytes = pruned_file(&file);
    let weights = SafeTensors::deserialize(&bytes).unwrap();
    let device = Device::open("cpu").unwrap();
    for (name, m, k) in [
        ("encoder.layer.0.attention.self.query.weight", 384, 384),
        ("encoder.layer.3.intermediate.dense.weight", 1536, 384),
        ("encoder.layer.5.output.dense.weight", 384, 1536),
    ] {
        let words = weights.tensor(name).unwrap();
        let numbers: Vec<f32> = words
            .data()
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        let most = numbers.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
        let a: Vec<i8> = numbers.iter().map(|x| (x / most * 127.0).round() as i8).collect();
        let n = 5;
        let b: Vec<i8> = (0..k * n).map(|i| ((i * 37 + i / n * 11) % 255) as u8 as i8).collect();
        let packed: Vec<u8> = a.iter().map(|&x| x as u8).collect();
        let sparse = Sparse24::<i8>::compress([m as u32, k as u32], &packed).unwrap();
        let [values, index] = sparse.to_device(&device).unwrap();
        let b_there = device.tensor(&[k as u32, n as u32], &b).unwrap();
        let call = device.call("gemm_sparse24").input("values", &values).input("index", &index);
        let got = call.input("b", &b_there).run_one().unwrap().to_vec::<i32>().unwrap();
        let dot = |i: usize, j: usize| {
            (0..k).map(|p| i32::from(a[i * k + p]) * i32::from(b[p * n + j])).sum::<i32>()
        };
        let want: Vec<i32> = (0..m * n).map(|at| dot(at / n, at % n)).collect();
        assert!(want.iter().any(|&x| x > 1000) && want.iter().any(|&x| x < -1000), "{name}");
        assert!(got == want, "{name}");
    }
}

#[test]
fn threads_change_no_bit() {
    let files = files();
    let bits_with = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            assert_eq!(rayon::current_num_threads(), threads);
            let model = cpu(&files);
            let bits = |sentence| embed(&model, &files, sentence).into_iter().map(f32::to_bits);
            SENTENCES.into_iter().flat_map(bits).collect::<Vec<_>>()
        })
    };
    let one = bits_with(1);
    assert_eq!(one.len(), SENTENCES.len() * 384);
    for threads in [2, 3] {
        assert!(bits_with(threads) == one, "{threads} threads give other bits than one");
    }
}

/// The cosines that the model's makers publish for these sentences, to four places.
#[test]
fn cosines_are_the_published_ones() {
    let files = files();
    let model = cpu(&files);
    let sentences =
        ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."];
    let tokens = sentences.map(|sentence| files.tokens(sentence).unwrap());
    let embeddings: Vec<_> = tokens.iter().map(|tokens| model.embed(tokens).unwrap()).collect();
    let cosines: Vec<f32> = model.similarities(&embeddings).unwrap().to_vec().unwrap();
    let text = "           1       2       3\n   \
                   1  1.0000  0.6660  0.1046  The weather is lovely today.\n   \
                   2  0.6660  1.0000  0.1411  It's so sunny outside!\n   \
                   3  0.1046  0.1411  1.0000  He drove to the stadium.\n";
    assert_eq!(table(&sentences.map(String::from), &cosines), text);
}

#[test]
fn a_sentence_is_cut_where_the_tokenizer_says() {
    let files = files();
    let [fits, long] = [126, 127].map(|words| files.tokens(&"cat ".repeat(words)).unwrap());
    assert_eq!((fits.ids.len(), fits.cut), (128, false));
    assert_eq!((long.ids.len(), long.cut), (128, true));
    assert_eq!(fits.ids, long.ids);
    let hello = files.tokens("Hello").unwrap();
    assert_eq!((hello.ids, hello.types, hello.cut), (vec![101, 7592, 102], vec![0; 3], false));
}

fn refusal(folder: &Path) -> String {
    let device = Device::open("cpu").unwrap();
    let loaded =
        Files::read(folder).and_then(|files| Model::load(&device, &files, Products::Whole));
    let error: EmbedError = loaded.err().expect("the files are bad");
    error.to_string().replace(&format!("{}/", folder.display()), "")
}

#[test]
fn bad_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(refusal(folder), "model.safetensors is missing: run scripts/fetch-model");
    fs::write(folder.join("model.safetensors"), [0; 9]).unwrap();
    assert_eq!(refusal(folder), "tokenizer.json is missing: run scripts/fetch-model");
    fs::write(folder.join("tokenizer.json"), "{").unwrap();
    assert!(refusal(folder).starts_with("tokenizer.json is no tokenizer: "));
    fs::copy(default_folder().join("tokenizer.json"), folder.join("tokenizer.json"))
        .expect("scripts/fetch-model fetches it");
    assert!(refusal(folder).starts_with("model.safetensors is no safetensors file: "));

    let name = "embeddings.word_embeddings.weight";
    let write = |name, dtype, shape: &[usize]| {
        let view = TensorView::new(dtype, shape.to_vec(), &[0; 24]).unwrap();
        let bytes = serialize([(name, view)], None).unwrap();
        fs::write(folder.join("model.safetensors"), bytes).unwrap();
    };
    write("other", Dtype::F32, &[2, 3]);
    assert_eq!(refusal(folder), format!("model.safetensors has no tensor `{name}`"));
    write(name, Dtype::F32, &[2, 3]);
    let wrong = format!("model.safetensors: `{name}` must be f32 [30522, 384], but it is ");
    assert_eq!(refusal(folder), format!("{wrong}f32 [2, 3]"));
    write(name, Dtype::F64, &[3]);
    assert_eq!(refusal(folder), format!("{wrong}f64 [3]"));
}

#[test]
fn one_bit_changes_the_hash() {
    let numbers = [1.0, -0.0, 0.25];
    assert_eq!(bits_hash(&[]), 0xcbf2_9ce4_8422_2325);
    assert_ne!(bits_hash(&numbers), bits_hash(&[1.0, 0.0, 0.25]));
    assert_ne!(bits_hash(&numbers), bits_hash(&[1.0, -0.0, 0.25f32.next_up()]));
}
