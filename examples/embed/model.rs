//! The sentence encoder all-MiniLM-L6-v2 on operations of the library.
//!
//! Invariants
//! - The device computes every number; the host moves tokens in and embeddings out.
//! - A sentence is embedded alone: its bits depend on no other sentence.
//!
//! Absent: padding, and with it masks. All rows of a sentence are tokens, so the mean over the tokens that a mask
//! would keep is the mean over its rows.

use crate::files::{EmbedError, Files, Tokens, Weights};
use evenweave::{Device, Result, Tensor, lang::dtype::DType};

const LAYERS: usize = 6;
const WIDTH: u32 = 384;
const HEADS: u32 = 12;
const INNER: u32 = 1_536;
const WORDS: u32 = 30_522;
const PLACES: u32 = 512;
const TYPES: u32 = 2;
/// Added to the variance by each norm.
const EPS: f64 = 1e-12;

/// The encoder's weights on a device.
pub(crate) struct Model {
    device: Device,
    words: Tensor,
    places: Tensor,
    types: Tensor,
    norm: Affine,
    layers: Vec<Layer>,
}

/// Weight and bias of a norm.
struct Affine {
    weight: Tensor,
    bias: Tensor,
}

/// Weight and bias of a product.
struct Linear {
    weight: Matrix,
    bias: Tensor,
}

/// A product's weight.
enum Matrix {
    Dense(Tensor),
    Sparse { values: Tensor, index: Tensor },
}

/// How the weights of products are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Products {
    /// As the file has them.
    Whole,
    /// Of every four neighbours along a row the two largest, and zeros.
    Pruned,
    /// The same numbers without the zeros, for sparse products.
    Sparse,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: Affine,
    widen: Linear,
    narrow: Linear,
    norm: Affine,
}

impl Model {
    /// Puts the weights on a device.
    pub(crate) fn load(
        device: &Device,
        files: &Files,
        products: Products,
    ) -> std::result::Result<Model, EmbedError> {
        let weights = files.weights()?;
        let table = |name: &str, rows| {
            weights.tensor(device, &format!("embeddings.{name}_embeddings.weight"), &[rows, WIDTH])
        };
        Ok(Model {
            device: device.clone(),
            words: table("word", WORDS)?,
            places: table("position", PLACES)?,
            types: table("token_type", TYPES)?,
            norm: Affine::load(&weights, device, "embeddings.LayerNorm", &[WIDTH])?,
            layers: (0..LAYERS)
                .map(|at| Layer::load(&weights, device, at, products))
                .collect::<std::result::Result<_, _>>()?,
        })
    }

    /// The embedding of a sentence: the mean of its tokens' last states, scaled to length 1.
    pub(crate) fn embed(&self, tokens: &Tokens) -> Result<Tensor> {
        let states = self.states(tokens)?;
        let sum =
            self.device.call("reduce_columns").input("x", &states).word("op", "sum").run_one()?;
        let count = self.device.tensor(&[1], &[tokens.ids.len() as f32])?;
        let mean = self.of_two("div", &sum, &count)?;
        let squares = self.of_two("mul", &mean, &mean)?;
        let square =
            self.device.call("reduce_rows").input("x", &squares).word("op", "sum").run_one()?;
        let length = self.device.call("sqrt").input("x", &square).run_one()?;
        self.of_two("div", &mean, &length)
    }

    /// The cosine of each two embeddings, [n, n].
    pub(crate) fn similarities(&self, embeddings: &[Tensor]) -> Result<Tensor> {
        let mut rows = Vec::new();
        for embedding in embeddings {
            rows.extend(embedding.to_vec::<f32>()?);
        }
        let all = self.device.tensor(&[embeddings.len() as u32, WIDTH], &rows)?;
        self.device.call("gemm").input("a", &all).input("b", &all).set("trans_b", true).run_one()
    }

    /// The last states of a sentence's tokens, [tokens, WIDTH].
    fn states(&self, tokens: &Tokens) -> Result<Tensor> {
        let words = self.rows_of(&self.words, &tokens.ids)?;
        let types = self.rows_of(&self.types, &tokens.types)?;
        let places = self.places.slice(0, 0, tokens.ids.len() as u32)?;
        let sum = self.of_two("add", &words, &types)?;
        let sum = self.of_two("add", &sum, &places)?;
        let mut x = self.normed(&sum, &self.norm)?;
        for layer in &self.layers {
            x = self.after(layer, &x)?;
        }
        Ok(x)
    }

    fn after(&self, layer: &Layer, x: &Tensor) -> Result<Tensor> {
        let heads = |to: &Linear| {
            let y = self.product(x, to, "none")?;
            y.reshape(&[1, y.shape()[0], HEADS, WIDTH / HEADS])?.transpose(1, 2)?.contiguous()
        };
        let attended = self
            .device
            .call("attention")
            .input("q", &heads(&layer.query)?)
            .input("k", &heads(&layer.key)?)
            .input("v", &heads(&layer.value)?)
            .run_one()?;
        let attended = attended.transpose(1, 2)?.contiguous()?.reshape(x.shape())?;
        let attended = self.product(&attended, &layer.attended, "none")?;
        let x = self.normed(&self.of_two("add", &attended, x)?, &layer.attended_norm)?;
        let wide = self.product(&x, &layer.widen, "gelu_erf")?;
        let narrow = self.product(&wide, &layer.narrow, "none")?;
        self.normed(&self.of_two("add", &narrow, &x)?, &layer.norm)
    }

    fn rows_of(&self, table: &Tensor, rows: &[u32]) -> Result<Tensor> {
        let indices = self.device.tensor(&[rows.len() as u32], rows)?;
        self.device.call("gather").input("table", table).input("indices", &indices).run_one()
    }

    /// A binary operation; `b` is repeated to the shape of `a`.
    fn of_two(&self, operation: &str, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        let b = b.broadcast(a.shape())?.contiguous()?;
        self.device.call(operation).input("a", a).input("b", &b).run_one()
    }

    /// `activation(x weight^T + bias)`.
    fn product(&self, x: &Tensor, to: &Linear, activation: &str) -> Result<Tensor> {
        match &to.weight {
            Matrix::Dense(weight) => self
                .device
                .call("gemm")
                .input("a", x)
                .input("b", weight)
                .input("bias", &to.bias)
                .set("trans_b", true)
                .word("activation", activation)
                .run_one(),
            // The sparse matrix is the first factor, so its product is the transposed one.
            Matrix::Sparse { values, index } => {
                let product = self
                    .device
                    .call("gemm_sparse24")
                    .input("values", values)
                    .input("index", index)
                    .input("b", x)
                    .input("bias", &to.bias)
                    .set("trans_b", true)
                    .set("trans_y", true)
                    .run_one()?;
                match activation {
                    "none" => Ok(product),
                    activation => self.device.call(activation).input("x", &product).run_one(),
                }
            }
        }
    }

    fn normed(&self, x: &Tensor, by: &Affine) -> Result<Tensor> {
        self.device
            .call("layer_norm")
            .input("x", x)
            .input("weight", &by.weight)
            .input("bias", &by.bias)
            .set("eps", EPS)
            .run_one()
    }
}

impl Affine {
    /// Both tensors of a name; the bias is as long as the weight's first axis.
    fn load(
        weights: &Weights<'_>,
        device: &Device,
        name: &str,
        shape: &[u32],
    ) -> std::result::Result<Affine, EmbedError> {
        let tensor = |part: &str, shape| weights.tensor(device, &format!("{name}.{part}"), shape);
        Ok(Affine { weight: tensor("weight", shape)?, bias: tensor("bias", &shape[..1])? })
    }
}

impl Linear {
    /// Both tensors of a name; the bias is as long as the weight's first axis.
    fn load(
        weights: &Weights<'_>,
        device: &Device,
        name: &str,
        shape: [u32; 2],
        products: Products,
    ) -> std::result::Result<Linear, EmbedError> {
        let weight = format!("{name}.weight");
        let weight = match products {
            Products::Whole => Matrix::Dense(weights.tensor(device, &weight, &shape)?),
            Products::Pruned => {
                let zeros = weights.pruned(&weight, shape)?.decompress();
                Matrix::Dense(device.tensor_of_bytes(DType::F32, &shape, &zeros)?)
            }
            Products::Sparse => {
                let [values, index] = weights.pruned(&weight, shape)?.to_device(device)?;
                Matrix::Sparse { values, index }
            }
        };
        Ok(Linear { weight, bias: weights.tensor(device, &format!("{name}.bias"), &shape[..1])? })
    }
}

impl Layer {
    fn load(
        weights: &Weights<'_>,
        device: &Device,
        at: usize,
        products: Products,
    ) -> std::result::Result<Layer, EmbedError> {
        let in_layer = |name: &str| format!("encoder.layer.{at}.{name}");
        let norm = |name: &str| Affine::load(weights, device, &in_layer(name), &[WIDTH]);
        let linear =
            |name: &str, shape| Linear::load(weights, device, &in_layer(name), shape, products);
        Ok(Layer {
            query: linear("attention.self.query", [WIDTH, WIDTH])?,
            key: linear("attention.self.key", [WIDTH, WIDTH])?,
            value: linear("attention.self.value", [WIDTH, WIDTH])?,
            attended: linear("attention.output.dense", [WIDTH, WIDTH])?,
            attended_norm: norm("attention.output.LayerNorm")?,
            widen: linear("intermediate.dense", [INNER, WIDTH])?,
            narrow: linear("output.dense", [WIDTH, INNER])?,
            norm: norm("output.LayerNorm")?,
        })
    }
}
