//! The model against f64, against published numbers, and against itself. They need the files of scripts/fetch-model,
//! and fail with its name where those are missing.

use crate::{
    bits_hash,
    files::{EmbedError, Files, default_folder},
    model::Model,
    reference, table,
};
use evenweave::Device;
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
    let device = Device::open("cpu").expect("every machine has it");
    Model::load(&device, files).unwrap_or_else(|error| panic!("{error}"))
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
    let loaded = Files::read(folder).and_then(|files| Model::load(&device, &files));
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
