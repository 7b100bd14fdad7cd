//! The sentence encoder all-MiniLM-L6-v2 on operations of the library.
//!
//! Invariants
//! - The device computes every number; the host moves tokens in and embeddings out.
//! - A sentence is embedded alone: its bits depend on no other sentence.
//!
//! Absent: padding, and with it masks. All rows of a sentence are tokens, so the mean over the tokens that a mask
//! would keep is the mean over its rows.

use crate::files::{EmbedError, Files, Tokens, Weights};
use evenweave::{
    Device, Result, Tensor,
    lang::dtype::DType,
    ops::{self, Activation, Attention, Fold, Linear, Weight},
};

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
struct Projection {
    weight: Weight,
    bias: Tensor,
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
    query: Projection,
    key: Projection,
    value: Projection,
    attended: Projection,
    attended_norm: Affine,
    widen: Projection,
    narrow: Projection,
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
        let mean = ops::reduce_columns(&states, Fold::Sum).run()?;
        let count = self.device.tensor(&[1], &[tokens.ids.len() as f32])?;
        ops::div(&mean, &count).into(&mean)?;
        let square = ops::reduce_rows(&ops::square(&mean).run()?, Fold::Sum).run()?;
        let length = ops::sqrt(&square).run()?;
        ops::div(&mean, &length).into(&mean)?;
        Ok(mean)
    }

    /// The cosine of each two embeddings, [n, n].
    pub(crate) fn similarities(&self, embeddings: &[Tensor]) -> Result<Tensor> {
        let mut rows = Vec::new();
        for embedding in embeddings {
            rows.extend(embedding.to_vec::<f32>()?);
        }
        let all = self.device.tensor(&[embeddings.len() as u32, WIDTH], &rows)?;
        ops::linear(&all, &all.clone().into()).run()
    }

    /// The last states of a sentence's tokens, [tokens, WIDTH].
    fn states(&self, tokens: &Tokens) -> Result<Tensor> {
        let words = self.rows_of(&self.words, &tokens.ids)?;
        let types = self.rows_of(&self.types, &tokens.types)?;
        let places = self.places.slice(0, 0, tokens.ids.len() as u32)?;
        let x = ops::add(&words, &types).run()?;
        ops::add(&x, &places).into(&x)?;
        normed(&x, &self.norm)?;
        self.layers.iter().try_fold(x, |x, layer| after(layer, &x))
    }

    fn rows_of(&self, table: &Tensor, rows: &[u32]) -> Result<Tensor> {
        ops::gather(table, &self.device.tensor(&[rows.len() as u32], rows)?).run()
    }
}

fn after(layer: &Layer, x: &Tensor) -> Result<Tensor> {
    let heads = |to: &Projection| {
        let y = projected(x, to, Activation::None)?;
        y.reshape(&[1, y.shape()[0], HEADS, WIDTH / HEADS])?.transpose(1, 2)
    };
    let [q, k, v] = [&layer.query, &layer.key, &layer.value].map(heads);
    let attended = ops::attention(&q?, &k?, &v?, Attention::default()).run()?;
    let attended = attended.transpose(1, 2)?.contiguous()?.reshape(x.shape())?;
    let y = projected(&attended, &layer.attended, Activation::None)?;
    ops::add(&y, x).into(&y)?;
    normed(&y, &layer.attended_norm)?;
    let wide = projected(&y, &layer.widen, Activation::GeluErf)?;
    let narrow = projected(&wide, &layer.narrow, Activation::None)?;
    ops::add(&narrow, &y).into(&narrow)?;
    normed(&narrow, &layer.norm)?;
    Ok(narrow)
}

fn projected(x: &Tensor, to: &Projection, activation: Activation) -> Result<Tensor> {
    let how = Linear { bias: Some(&to.bias), activation, ..Linear::default() };
    ops::linear_with(x, &to.weight, how).run()
}

/// In place.
fn normed(x: &Tensor, by: &Affine) -> Result<()> {
    ops::layer_norm(x, &by.weight, &by.bias, EPS).into(x)
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

impl Projection {
    /// Both tensors of a name; the bias is as long as the weight's first axis.
    fn load(
        weights: &Weights<'_>,
        device: &Device,
        name: &str,
        shape: [u32; 2],
        products: Products,
    ) -> std::result::Result<Projection, EmbedError> {
        let weight = format!("{name}.weight");
        let weight = match products {
            Products::Whole => weights.tensor(device, &weight, &shape)?.into(),
            Products::Pruned => {
                let zeros = weights.pruned(&weight, shape)?.decompress();
                device.tensor_of_bytes(DType::F32, &shape, &zeros)?.into()
            }
            Products::Sparse => Weight::sparse(device, &*weights.pruned(&weight, shape)?)?,
        };
        Ok(Projection {
            weight,
            bias: weights.tensor(device, &format!("{name}.bias"), &shape[..1])?,
        })
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
            |name: &str, shape| Projection::load(weights, device, &in_layer(name), shape, products);
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
