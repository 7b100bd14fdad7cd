//! Weights that nobody trained, drawn from a counter-based generator: the same on every device.

use evenweave::{
    Device, Result, Tensor,
    lang::dtype::DType,
    ops::{self, Random, Weight},
};

/// How weights of products are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    F32,
    Bf16,
    /// Codes of 4 bits, of which 64 share a scale and a bias; the rest of the model is bf16.
    Int4,
}

impl Kind {
    /// The dtype of activations.
    pub(crate) fn dtype(self) -> DType {
        match self {
            Kind::F32 => DType::F32,
            Kind::Bf16 | Kind::Int4 => DType::BF16,
        }
    }
}

/// Where weights come from: each tensor is a stream of its own.
pub(crate) struct Weights {
    device: Device,
    kind: Kind,
    seed: u32,
    stream: u32,
}

impl Weights {
    pub(crate) fn new(device: &Device, kind: Kind, seed: u32) -> Weights {
        Weights { device: device.clone(), kind, seed, stream: 0 }
    }

    /// Normal numbers of a standard deviation, in the dtype of activations.
    pub(crate) fn tensor(&mut self, shape: &[u32], deviation: f32) -> Result<Tensor> {
        ops::cast(&self.normal(shape, deviation)?, self.kind.dtype()).run()
    }

    /// The weight of a product, [outputs, inputs], or of several, [experts, outputs, inputs], so that outputs are about as large
    /// as inputs.
    pub(crate) fn weight(&mut self, shape: &[u32]) -> Result<Weight> {
        let inputs = *shape.last().expect("a weight has two axes or more");
        let weight = self.tensor(shape, 1.0 / (inputs as f32).sqrt())?;
        match self.kind {
            Kind::F32 | Kind::Bf16 => Ok(weight.into()),
            Kind::Int4 => Ok(ops::quantize(&weight, "affine4", 64, None).run()?.into()),
        }
    }

    /// The next stream's normal numbers, in f32.
    pub(crate) fn normal(&mut self, shape: &[u32], deviation: f32) -> Result<Tensor> {
        let of = Random { seed: self.seed, stream: self.stream, call: 0 };
        self.stream += 1;
        let normal = ops::random_normal(&self.device, shape.iter().product(), of).run()?;
        ops::mul(&normal, &self.device.tensor(&[1], &[deviation])?).into(&normal)?;
        normal.reshape(shape)
    }
}
