//! Kernels whose 64-bit integers are pairs of words: the same bytes, in groups, with views and subgroups.

use crate::random::outputs;
use evenweave_codegen::{Cause, Target, split_wide};
use evenweave_lang::{
    dtype::DType,
    generate::{Argument, Options, arguments, generate},
    verify::verify,
};
use evenweave_runtime::{LoadOptions, OpenOptions, open};

/// What is given for a buffer of 64-bit integers, as a buffer of their words.
fn in_words(arg: Argument) -> Argument {
    let cut = |elems: Vec<u64>| {
        elems.into_iter().flat_map(|bits| [bits & 0xffff_ffff, bits >> 32]).collect::<Vec<u64>>()
    };
    match arg {
        Argument::Buffer(DType::I64 | DType::U64, elems) => {
            Argument::Buffer(DType::U32, cut(elems))
        }
        Argument::View(DType::I64 | DType::U64, elems, layout) => {
            Argument::View(DType::U32, cut(elems), layout)
        }
        other => other,
    }
}

#[test]
fn pairs_of_words_give_the_same_bytes() {
    let cpu = open("cpu", &OpenOptions::default()).unwrap();
    let plain = LoadOptions { optimise: false, ..LoadOptions::default() };
    let dtypes: Vec<DType> = DType::ALL.iter().copied().filter(|&d| d != DType::F64).collect();
    let options = Options { dtypes, ..Options::default() };
    let (mut ran, mut refused) = (0, 0);
    for seed in 0..300 {
        let kernel = generate(seed, &options);
        let words = match split_wide(&kernel, Target::Cpu) {
            Ok(words) => words.compact(),
            Err(error) => {
                assert!(matches!(error.cause, Cause::NoOperation { .. }), "seed {seed}: {error}");
                refused += 1;
                continue;
            }
        };
        verify(&words).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let args = arguments(&kernel, seed);
        let want = outputs(&*cpu, &kernel, &args, &plain).unwrap();
        let args: Vec<Argument> = args.into_iter().map(in_words).collect();
        for options in [plain, LoadOptions::default()] {
            let got = outputs(&*cpu, &words, &args, &options);
            assert_eq!(Ok(&want), got.as_ref(), "seed {seed}");
        }
        ran += 1;
    }
    assert!(ran > 50, "{ran} ran, {refused} refused");
}
