//! Invariants that a decoder on any device has, and what the first logits should be.

use crate::{
    PROMPT, SEED, decode,
    model::{Model, Sizes},
    prompt, reference,
    weights::Kind,
};
use evenweave::Device;

const SMALL: Sizes = Sizes {
    layers: 2,
    width: 64,
    heads: 4,
    kv_heads: 2,
    inner: 96,
    vocabulary: 101,
    hybrid: false,
};

fn model(kind: Kind, hybrid: bool) -> Model {
    let device = Device::open("cpu").unwrap();
    Model::new(&device, Sizes { hybrid, ..SMALL }, kind, SEED).unwrap()
}

#[test]
fn a_sequence_has_the_same_bits_alone_and_among_others() {
    for (kind, hybrid) in [(Kind::F32, false), (Kind::Bf16, true), (Kind::Int4, true)] {
        let model = model(kind, hybrid);
        let together = decode(&model, 0..8, PROMPT, 6).unwrap();
        for (at, one) in together.iter().enumerate() {
            let at = at as u32;
            let alone = decode(&model, at..at + 1, PROMPT, 6).unwrap();
            assert_eq!(alone[0], *one, "{kind:?}, sequence {at}");
        }
        let unlike = together.windows(2).filter(|w| w[0].tokens != w[1].tokens).count();
        assert!(unlike > 3, "{kind:?}: prompts matter");
    }
}

#[test]
fn a_prompt_may_be_read_in_any_pieces() {
    for (kind, hybrid) in [(Kind::F32, true), (Kind::Bf16, false), (Kind::Int4, false)] {
        let model = model(kind, hybrid);
        let whole = decode(&model, 0..2, PROMPT, 4).unwrap();
        for chunk in [1, 2, 5, 18] {
            assert_eq!(decode(&model, 0..2, chunk, 4).unwrap(), whole, "{kind:?} by {chunk}");
        }
    }
}

/// The weights by their definition in f64, and the model in plain loops on them.
#[test]
fn logits_are_those_of_f64() {
    for hybrid in [false, true] {
        let model = model(Kind::F32, hybrid);
        let got = decode(&model, 3..4, PROMPT, 1).unwrap();
        let got: Vec<f64> = got[0]
            .logits
            .chunks(4)
            .map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap())))
            .collect();
        let want = reference::logits(&model, &prompt(3, SMALL.vocabulary));
        let far = got.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let large = want.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        assert!(large > 0.5, "logits differ: {large}");
        assert!(far < 2e-4 * large, "hybrid {hybrid}: {far} of {large}");
    }
}
