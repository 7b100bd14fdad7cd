//! No pass and no legalisation changes a bit of what a kernel computes.

use crate::{interpret, random};
use evenweave_codegen::{Optimise, PASSES, Target, prepare};
use evenweave_lang::{ir::Kernel, text, verify::verify};

const SEEDS: u64 = 200;

#[track_caller]
fn check(seed: u64, what: &str, before: &Kernel, after: &Kernel, memory: &[Vec<u64>]) {
    let want = interpret::run(before, memory.to_vec());
    let got = interpret::run(after, memory.to_vec());
    assert!(
        got == want,
        "seed {seed}: {what} changed the result\n{want:?}\n{got:?}\n{}\n{}",
        text::print(before),
        text::print(after)
    );
}

#[test]
fn each_pass_keeps_every_bit() {
    for seed in 0..SEEDS {
        let (kernel, memory) = random::kernel(seed);
        let kernel = kernel.compact();
        verify(&kernel).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        for pass in PASSES {
            let after = pass.apply(&kernel).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            check(seed, pass.name, &kernel, &after, &memory);
        }
    }
}

#[test]
fn preparing_keeps_every_bit() {
    for seed in 0..SEEDS {
        let (kernel, memory) = random::kernel(seed);
        for how in [Optimise::No, Optimise::Yes] {
            let after =
                prepare(&kernel, Target::Cpu, how).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            check(seed, "prepare", &kernel, &after, &memory);
        }
    }
}
