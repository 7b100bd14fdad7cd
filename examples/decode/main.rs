//! Decodes greedily with a small decoder that nobody trained, and prints its tokens and a hash of all its logits.
//!
//! ```sh
//! cargo run --release --example decode -- --batch 8 --chunk 5 --weights int4 --device cpu
//! ```
//!
//! What it prints depends on the model alone: not on the device, nor on how many sequences are decoded at once, nor on the
//! pieces in which their prompts are read. The speed goes to standard error.
#![forbid(unsafe_code)]

mod model;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
mod weights;

use clap::Parser;
use evenweave::{Device, Result, lang::dtype::DType, ops};
use model::{Model, Sizes};
use std::{fmt::Write, process::ExitCode, time::Instant};
use weights::Kind;

/// Decodes greedily with a small decoder that nobody trained, and prints its tokens and a hash of all its logits.
#[derive(Parser)]
#[command(name = "decode")]
struct Args {
    /// The device that computes, as `evenweave devices` lists it
    #[arg(long, default_value = "cpu")]
    device: String,
    /// How weights are held
    #[arg(long, value_enum, default_value = "bf16")]
    weights: Kind,
    /// Layers that keep a state by the gated delta rule and have experts, between those of attention
    #[arg(long)]
    hybrid: bool,
    /// Sequences decoded at once, of the eight that there are
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=8))]
    batch: u32,
    /// Tokens of a prompt that are read at once; 0: all
    #[arg(long, default_value_t = 0)]
    chunk: u32,
    /// Tokens to decode of each sequence
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=1024))]
    tokens: u32,
}

const SIZES: Sizes = Sizes {
    layers: 4,
    width: 256,
    heads: 8,
    kv_heads: 2,
    inner: 704,
    vocabulary: 1_000,
    hybrid: false,
};
const SEED: u32 = 1;
const SEQUENCES: u32 = 8;
/// Tokens of each prompt.
const PROMPT: u32 = 19;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("decode: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<String> {
    let device = Device::open(&args.device)?;
    let sizes = Sizes { hybrid: args.hybrid, ..SIZES };
    let model = Model::new(&device, sizes, args.weights, SEED)?;
    let chunk = if args.chunk == 0 { PROMPT } else { args.chunk };
    // The first decoding also compiles.
    decode(&model, 0..args.batch.min(SEQUENCES), chunk, 2)?;
    let started = Instant::now();
    let mut decoded = Vec::new();
    for first in (0..SEQUENCES).step_by(args.batch as usize) {
        let end = SEQUENCES.min(first + args.batch);
        decoded.extend(decode(&model, first..end, chunk, args.tokens)?);
    }
    let seconds = started.elapsed().as_secs_f64();
    let count = SEQUENCES * (PROMPT + args.tokens);
    eprintln!(
        "{count} tokens in {seconds:.2} s on {}: {:.0} a second",
        args.device,
        f64::from(count) / seconds
    );
    let mut text = String::new();
    for (at, one) in decoded.iter().enumerate() {
        let tokens: Vec<String> = one.tokens.iter().map(u32::to_string).collect();
        writeln!(text, "{at}: {}", tokens.join(" ")).expect("a String takes all");
    }
    let bits = decoded.iter().flat_map(|one| &one.logits);
    writeln!(text, "bits: {:016x}", hash(bits)).expect("a String takes all");
    Ok(text)
}

/// What came of a sequence.
#[derive(Debug, PartialEq)]
struct Decoded {
    tokens: Vec<u32>,
    /// The bytes of the logits that each token was picked from.
    logits: Vec<u8>,
}

/// The prompt of a sequence: any tokens, others for each.
fn prompt(sequence: u32, vocabulary: u32) -> Vec<u32> {
    (0..PROMPT).map(|t| (sequence * 131 + t * t * 7 + t * 29 + 3) % vocabulary).collect()
}

/// Reads some prompts together, in pieces, and picks the most likely token so many times.
fn decode(
    model: &Model,
    sequences: std::ops::Range<u32>,
    chunk: u32,
    count: u32,
) -> Result<Vec<Decoded>> {
    let (device, vocabulary) = (model.device(), model.vocabulary());
    let batch = sequences.len() as u32;
    let prompts: Vec<u32> = sequences.flat_map(|s| prompt(s, vocabulary)).collect();
    let prompts = device.tensor(&[batch, PROMPT], &prompts)?;
    let memory = model.memory(batch, PROMPT + count)?;
    let mut logits = None;
    for at in (0..PROMPT).step_by(chunk as usize) {
        let piece = prompts.slice(1, at, chunk.min(PROMPT - at))?.contiguous()?;
        logits = Some(model.logits(&piece, &memory)?);
    }
    let logits = logits.expect("a prompt has tokens");
    // What each step leaves, on the device: its number, its tokens and the logits that they were picked from.
    let (step, one) = (device.tensor(&[1], &[0u32])?, device.tensor(&[1], &[1u32])?);
    let picked = device.empty(DType::U32, &[batch])?;
    let all_picked = device.empty(DType::U32, &[count, batch])?;
    let all_logits = device.empty(logits.dtype(), &[count, batch, vocabulary])?;
    let pick = || {
        ops::greedy(&logits).into(&picked)?;
        let row = picked.reshape(&[1, batch])?;
        ops::scatter(&all_picked, &step, &row).into(&all_picked)?;
        let row = logits.reshape(&[1, batch, vocabulary])?;
        ops::scatter(&all_logits, &step, &row).into(&all_logits)?;
        ops::add(&step, &one).into(&step)
    };
    pick()?;
    // A step is written down once and asked for as often as there are tokens; nothing waits for it.
    let (_, next) = device.capture(|| {
        ops::copy(&model.logits(&picked.reshape(&[batch, 1])?, &memory)?).into(&logits)?;
        pick()
    })?;
    (1..count).try_for_each(|_| next.replay())?;

    let (picked, bytes) = (all_picked.to_vec::<u32>()?, all_logits.to_bytes()?);
    let row = bytes.len() / picked.len();
    let of_step = |step: usize, at: usize| step * batch as usize + at;
    let decoded = (0..batch as usize).map(|at| Decoded {
        tokens: (0..count as usize).map(|step| picked[of_step(step, at)]).collect(),
        logits: (0..count as usize)
            .flat_map(|step| &bytes[of_step(step, at) * row..][..row])
            .copied()
            .collect(),
    });
    Ok(decoded.collect())
}

/// FNV-1a: two devices that print the same computed the same, to the last bit of each logit.
fn hash<'a>(bytes: impl Iterator<Item = &'a u8>) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.fold(0xcbf2_9ce4_8422_2325, step)
}
