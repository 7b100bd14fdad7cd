//! Embeds sentences with all-MiniLM-L6-v2 and prints how alike they are.
//!
//! ```sh
//! scripts/fetch-model
//! cargo run --release --example embed -- "A cat sits on the mat." "A kitten rests on a rug."
//! ```
//!
//! With `--sparse` the weights of all products are pruned to 2:4 sparsity as well: it prints how far that moves each
//! embedding, and how far sparse products are from dense ones of the same numbers.
#![forbid(unsafe_code)]

mod files;
mod model;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use clap::Parser;
use evenweave::{Device, Tensor};
use files::{EmbedError, Files};
use model::{Model, Products};
use std::{fmt::Write, path::PathBuf, process::ExitCode, time::Instant};

/// Prints the cosine similarities of sentences, computed by the sentence encoder all-MiniLM-L6-v2.
#[derive(Parser)]
#[command(name = "embed")]
struct Args {
    /// The sentences
    #[arg(value_name = "SENTENCE", required = true, num_args = 2..)]
    sentences: Vec<String>,
    /// The device that computes, as `evenweave devices` lists it
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Also run with pruned weights, by dense and by sparse products
    #[arg(long)]
    sparse: bool,
    /// The folder with model.safetensors and tokenizer.json; scripts/fetch-model fills the default
    #[arg(long, value_name = "FOLDER", default_value_os_t = files::default_folder())]
    model: PathBuf,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("embed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<String, EmbedError> {
    let device = Device::open(&args.device)?;
    let files = Files::read(&args.model)?;
    let model = Model::load(&device, &files, Products::Whole)?;
    let start = Instant::now();
    let (mut embeddings, mut token_count) = (Vec::new(), 0);
    for sentence in &args.sentences {
        let tokens = files.tokens(sentence)?;
        if tokens.cut {
            let kept = tokens.ids.len();
            eprintln!("embed: only the first {kept} tokens count of: {sentence}");
        }
        token_count += tokens.ids.len();
        embeddings.push(model.embed(&tokens)?);
    }
    let cosines = model.similarities(&embeddings)?.to_vec::<f32>()?;
    let mut numbers = cosines.clone();
    for embedding in &embeddings {
        numbers.extend(embedding.to_vec::<f32>()?);
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!(
        "{} sentences, {token_count} tokens: {seconds:.2} s on {}",
        embeddings.len(),
        args.device
    );
    let text = table(&args.sentences, &cosines);
    let mut text = format!("{text}bits: {:016x}\n", bits_hash(&numbers));
    if args.sparse {
        text.push_str(&pruned(&device, &files, &args.sentences, &embeddings)?);
    }
    Ok(text)
}

/// What pruning does to some sentences, and what sparse products do.
fn pruned(
    device: &Device,
    files: &Files,
    sentences: &[String],
    whole: &[Tensor],
) -> Result<String, EmbedError> {
    let mut text = String::from(
        "pruned to 2:4, cosine to the whole model's and largest difference of sparse and dense\n",
    );
    let [dense, sparse] =
        [Products::Pruned, Products::Sparse].map(|p| Model::load(device, files, p));
    let (dense, sparse, mut numbers) = (dense?, sparse?, Vec::new());
    for (row, (sentence, whole)) in sentences.iter().zip(whole).enumerate() {
        let tokens = files.tokens(sentence)?;
        let by_sparse = sparse.embed(&tokens)?;
        let both = sparse.similarities(&[whole.clone(), by_sparse.clone()])?.to_vec::<f32>()?;
        let (x, y) = (dense.embed(&tokens)?.to_vec::<f32>()?, by_sparse.to_vec::<f32>()?);
        let far = x.iter().zip(&y).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
        numbers.extend(y);
        writeln!(text, "{:>4}{:>8.4} {far:.1e}  {sentence}", row + 1, both[1])
            .expect("a String takes all");
    }
    writeln!(text, "bits: {:016x}", bits_hash(&numbers)).expect("a String takes all");
    Ok(text)
}

/// FNV-1a of all bits: two devices that print the same computed the same, to the last bit of each number.
fn bits_hash(numbers: &[f32]) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    numbers.iter().flat_map(|x| x.to_bits().to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, step)
}

/// A row a sentence: its number, its cosines with all, itself.
fn table(sentences: &[String], cosines: &[f32]) -> String {
    let mut text = " ".repeat(4);
    for column in 1..=sentences.len() {
        write!(text, "{column:>8}").expect("a String takes all");
    }
    text.push('\n');
    for (row, sentence) in sentences.iter().enumerate() {
        write!(text, "{:>4}", row + 1).expect("a String takes all");
        for cosine in &cosines[row * sentences.len()..(row + 1) * sentences.len()] {
            write!(text, "{cosine:>8.4}").expect("a String takes all");
        }
        writeln!(text, "  {sentence}").expect("a String takes all");
    }
    text
}
