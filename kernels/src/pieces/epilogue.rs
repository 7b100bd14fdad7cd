//! What a matrix operation does with a finished sum: add a bias, apply a function, round once.
//!
//! Invariants
//! - Everything happens in f32; the store rounds.
//! - `Activation::f64` is the reference's own arithmetic and shares nothing with `activate`.

use evenweave_lang::prelude::*;

/// The function applied to a finished sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// The sum itself.
    None,
    /// `max(x, 0)`; NaN stays.
    Relu,
    /// `x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))`.
    GeluTanh,
    /// `x/2 (1 + erf(x / sqrt 2))`.
    GeluErf,
    /// `x / (1 + e^-x)`.
    Silu,
}

impl Activation {
    /// The words that requests use, in the order of `ALL`.
    pub const WORDS: &'static [&'static str] = &["none", "relu", "gelu_tanh", "gelu_erf", "silu"];
    /// Every function.
    pub const ALL: [Activation; 5] = [
        Activation::None,
        Activation::Relu,
        Activation::GeluTanh,
        Activation::GeluErf,
        Activation::Silu,
    ];

    /// The function with this word.
    ///
    /// # Panics
    /// On a word that is not in `WORDS`; a request is checked against them first.
    pub fn named(word: &str) -> Activation {
        let at = Activation::WORDS.iter().position(|w| *w == word);
        Activation::ALL[at.expect("the signature lists the words")]
    }

    /// The value in f64, for references.
    pub fn f64(self, x: f64) -> f64 {
        match self {
            Activation::None => x,
            Activation::Relu => {
                if x > 0.0 || x.is_nan() {
                    x
                } else {
                    0.0
                }
            }
            Activation::GeluTanh => {
                let inner = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
                x / (1.0 + libm::exp(-2.0 * inner))
            }
            Activation::GeluErf => 0.5 * x * libm::erfc(-x / std::f64::consts::SQRT_2),
            Activation::Silu => x / (1.0 + libm::exp(-x)),
        }
    }
}

/// The function's value in f32.
#[device]
pub fn activate(x: Val<f32>, f: Activation) -> Val<f32> {
    match f {
        Activation::None => x,
        Activation::Relu => max(x, 0.0),
        Activation::GeluTanh => gelu_tanh(x),
        Activation::GeluErf => gelu_erf(x),
        Activation::Silu => silu(x),
    }
}
