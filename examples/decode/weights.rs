//! Weights that nobody trained, drawn from a counter-based generator: the same on every device.

use evenweave::{Device, Result, Tensor, lang::dtype::DType};

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

/// The format of 4-bit weights.
const INT4: &str = "affine4";

/// A product's weight, [outputs, inputs], or several stacked, [experts, outputs, inputs].
#[expect(clippy::large_enum_variant, reason = "a few a layer")]
pub(crate) enum Matrix {
    Dense(Tensor),
    Int4 { codes: Tensor, scales: Tensor, biases: Tensor },
}

impl Matrix {
    /// `x weight^T` for `x` of [rows, inputs].
    pub(crate) fn product(&self, x: &Tensor) -> Result<Tensor> {
        match self {
            Matrix::Dense(weight) => x
                .device()
                .call("gemm")
                .input("a", x)
                .input("b", weight)
                .set("trans_b", true)
                .run_one(),
            Matrix::Int4 { codes, scales, biases } => x
                .device()
                .call("gemv_quantized")
                .word("format", INT4)
                .input("codes", codes)
                .input("scales", scales)
                .input("biases", biases)
                .input("x", x)
                .run_one(),
        }
    }

    /// The same of stacked weights: the rows of `x` from `offsets[e]` to `offsets[e + 1]` meet the e-th.
    pub(crate) fn grouped(&self, x: &Tensor, offsets: &Tensor) -> Result<Tensor> {
        match self {
            Matrix::Dense(weight) => x
                .device()
                .call("gemm_grouped")
                .input("x", x)
                .input("w", weight)
                .input("offsets", offsets)
                .run_one(),
            Matrix::Int4 { codes, scales, biases } => x
                .device()
                .call("gemm_quantized")
                .word("format", INT4)
                .input("codes", codes)
                .input("scales", scales)
                .input("biases", biases)
                .input("x", x)
                .input("offsets", offsets)
                .run_one(),
        }
    }
}

/// Where weights come from: each tensor is a stream of its own.
pub(crate) struct Weights {
    device: Device,
    kind: Kind,
    seed: i64,
    stream: i64,
}

impl Weights {
    pub(crate) fn new(device: &Device, kind: Kind, seed: u32) -> Weights {
        Weights { device: device.clone(), kind, seed: seed.into(), stream: 0 }
    }

    /// Normal numbers of a standard deviation, in the dtype of activations.
    pub(crate) fn tensor(&mut self, shape: &[u32], deviation: f32) -> Result<Tensor> {
        let normal = self.normal(shape, deviation)?;
        self.stream += 1;
        let to = self.kind.dtype();
        self.device.call("cast").input("x", &normal).word("to", to.name()).run_one()
    }

    /// The weight of a product, so that outputs are about as large as inputs.
    pub(crate) fn matrix(&mut self, outputs: u32, inputs: u32) -> Result<Matrix> {
        self.of_shape(&[outputs, inputs])
    }

    /// The weights of as many experts.
    pub(crate) fn experts(&mut self, experts: u32, outputs: u32, inputs: u32) -> Result<Matrix> {
        self.of_shape(&[experts, outputs, inputs])
    }

    fn of_shape(&mut self, shape: &[u32]) -> Result<Matrix> {
        let (inputs, rows) = shape.split_last().expect("a weight has two axes or more");
        let weight = self.tensor(shape, 1.0 / (*inputs as f32).sqrt())?;
        match self.kind {
            Kind::F32 | Kind::Bf16 => Ok(Matrix::Dense(weight)),
            Kind::Int4 => {
                let flat = weight.reshape(&[rows.iter().product(), *inputs])?;
                let parts =
                    self.device.call("quantize").word("format", INT4).input("w", &flat).run()?;
                let part = |name: &str| parts.get(name).cloned();
                Ok(Matrix::Int4 {
                    codes: part("codes")?,
                    scales: part("scales")?,
                    biases: part("biases")?,
                })
            }
        }
    }

    /// A positive number a head, in f32: how fast it forgets.
    pub(crate) fn decay(&mut self, heads: u32) -> Result<Tensor> {
        let normal = self.normal(&[heads], 1.0)?;
        self.stream += 1;
        self.device.call("exp").input("x", &normal).run_one()
    }

    fn normal(&self, shape: &[u32], deviation: f32) -> Result<Tensor> {
        let n: u32 = shape.iter().product();
        let normal = self
            .device
            .call("random_normal")
            .set("n", n)
            .set("seed", self.seed)
            .set("stream", self.stream)
            .run_one()?;
        let deviation = self.device.tensor(&[1], &[deviation])?.broadcast(&[n])?.contiguous()?;
        let scaled =
            self.device.call("mul").input("a", &normal).input("b", &deviation).run_one()?;
        scaled.reshape(shape)
    }
}
