//! Two small decoders on operations of the library: one of attention layers, and one in which every other layer keeps a
//! state by the gated delta rule, and its tokens go to two of several experts.
//!
//! Each layer is `x + mixer(norm(x))`, then `x + mlp(norm(x))`; the mlp, and each expert, is `down(silu(gate) * up)`.
//!
//! Invariants
//! - The device computes every number, picks each token, and counts how many there are; the host waits for nothing between two
//!   tokens, so that a step can be captured once and replayed for every token.
//! - Keys, values and states are updated where they stand.
//! - The bits of a sequence's logits depend neither on the other sequences of the batch nor on how its tokens are cut into
//!   pieces: no operation sums over rows, and each sums over a row in an order that its length alone decides.

use crate::weights::{Kind, Weights};
use evenweave::{
    Device, Result, Tensor,
    lang::dtype::DType,
    ops::{self, Attention, Experts, Filled, Gate, Rope, Route, Stepped, Steps, Weight, linear},
};

/// Sizes of a decoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) layers: u32,
    pub(crate) width: u32,
    pub(crate) heads: u32,
    pub(crate) kv_heads: u32,
    pub(crate) inner: u32,
    pub(crate) vocabulary: u32,
    /// Whether every other layer keeps a state, and has experts.
    pub(crate) hybrid: bool,
}

impl Sizes {
    pub(crate) fn dim(&self) -> u32 {
        self.width / self.heads
    }
}

/// Base of the rotary frequencies.
pub(crate) const THETA: f64 = 10_000.0;
/// Experts of a layer that has them, and how many of them each token meets.
pub(crate) const EXPERTS: u32 = 6;
pub(crate) const TOP_K: u32 = 2;
/// Added to the mean square by each norm.
pub(crate) const EPS: f64 = 1e-5;

/// A decoder's weights on a device.
pub(crate) struct Model {
    device: Device,
    pub(crate) sizes: Sizes,
    dtype: DType,
    pub(crate) tokens: Tensor,
    pub(crate) layers: Vec<Layer>,
    pub(crate) norm: Tensor,
    pub(crate) logits: Weight,
    /// The weight by which an RMS norm gives a head length one.
    unit: Tensor,
    no_shift: Tensor,
}

pub(crate) struct Layer {
    pub(crate) mixer_norm: Tensor,
    pub(crate) mixer: Mixer,
    pub(crate) mlp_norm: Tensor,
    /// How a token finds its experts, where there are several; their weights are stacked.
    pub(crate) router: Option<Weight>,
    pub(crate) gate: Weight,
    pub(crate) up: Weight,
    pub(crate) down: Weight,
}

#[expect(clippy::large_enum_variant, reason = "one a layer")]
pub(crate) enum Mixer {
    Attention {
        q: Weight,
        k: Weight,
        v: Weight,
        out: Weight,
    },
    /// `decay` is the logarithm of how fast each head forgets.
    Delta {
        q: Weight,
        k: Weight,
        v: Weight,
        gate: Weight,
        beta: Weight,
        decay: Tensor,
        out: Weight,
    },
}

/// What a model remembers of a batch of sequences.
pub(crate) struct Memory {
    layers: Vec<Past>,
    /// Tokens so far of each sequence, [batch].
    lens: Tensor,
}

/// Keys and values of each head, [batch, kv_heads, capacity, dim], or its state.
enum Past {
    Attention { keys: Tensor, values: Tensor },
    Delta { state: Tensor },
}

impl Model {
    /// Draws the weights of a seed.
    pub(crate) fn new(device: &Device, sizes: Sizes, kind: Kind, seed: u32) -> Result<Model> {
        let mut w = Weights::new(device, kind, seed);
        let (dtype, dim) = (kind.dtype(), sizes.dim());
        let unit = device.tensor(&[dim], &vec![1.0 / (dim as f32).sqrt(); dim as usize])?;
        Ok(Model {
            device: device.clone(),
            sizes,
            dtype,
            tokens: w.tensor(&[sizes.vocabulary, sizes.width], 1.0)?,
            layers: (0..sizes.layers)
                .map(|at| Layer::new(&mut w, &sizes, at))
                .collect::<Result<_>>()?,
            norm: w.tensor(&[sizes.width], 1.0)?,
            logits: w.weight(&[sizes.vocabulary, sizes.width])?,
            unit: ops::cast(&unit, dtype).run()?,
            no_shift: device.tensor(&[sizes.heads], &vec![0.0f32; sizes.heads as usize])?,
        })
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn vocabulary(&self) -> u32 {
        self.sizes.vocabulary
    }

    /// Room for sequences of at most so many tokens.
    pub(crate) fn memory(&self, batch: u32, capacity: u32) -> Result<Memory> {
        let Sizes { kv_heads, heads, .. } = self.sizes;
        let (device, dim) = (&self.device, self.sizes.dim());
        let cache = || device.empty(self.dtype, &[batch, kv_heads, capacity, dim]);
        let past = |layer: &Layer| match layer.mixer {
            Mixer::Attention { .. } => Ok(Past::Attention { keys: cache()?, values: cache()? }),
            Mixer::Delta { .. } => {
                let shape = [batch, heads, dim, dim];
                let zeros = vec![0.0f32; shape.iter().product::<u32>() as usize];
                Ok(Past::Delta { state: device.tensor(&shape, &zeros)? })
            }
        };
        let layers = self.layers.iter().map(past).collect::<Result<_>>()?;
        Ok(Memory { layers, lens: device.tensor(&[batch], &vec![0u32; batch as usize])? })
    }

    /// The logits after some more tokens of each sequence: [batch, steps] gives [batch, vocabulary].
    pub(crate) fn logits(&self, tokens: &Tensor, memory: &Memory) -> Result<Tensor> {
        let [batch, steps] = tokens.shape()[..] else { panic!("tokens are [batch, steps]") };
        let rows = batch * steps;
        let first = memory.lens.reshape(&[batch, 1])?.broadcast(&[batch, steps])?;
        let ramp = self.device.tensor(&[steps], &(0..steps).collect::<Vec<u32>>())?;
        let at = At { positions: ops::add(&first, &ramp).run()?, lens: &memory.lens };
        ops::add(&memory.lens, &self.device.tensor(&[1], &[steps])?).into(&memory.lens)?;
        let mut x = ops::gather(&self.tokens, &tokens.reshape(&[rows])?).run()?;
        for (layer, past) in self.layers.iter().zip(&memory.layers) {
            let normed = ops::rms_norm(&x, &layer.mixer_norm, EPS).run()?;
            let mixed = self.mixed(&layer.mixer, past, &normed, &at)?;
            let both = ops::add_rms_norm(&x, &mixed, &layer.mlp_norm, EPS).run()?;
            ops::add(&both.sum, &self.mlp(layer, &both.y)?).into(&both.sum)?;
            x = both.sum;
        }
        let last = x.reshape(&[batch, steps, self.sizes.width])?.slice(1, steps - 1, 1)?;
        let last = last.contiguous()?.reshape(&[batch, self.sizes.width])?;
        linear(&ops::rms_norm(&last, &self.norm, EPS).run()?, &self.logits).run()
    }

    fn mlp(&self, layer: &Layer, x: &Tensor) -> Result<Tensor> {
        let Layer { gate, up, down, .. } = layer;
        if let Some(router) = &layer.router {
            let route = Route { top_k: TOP_K, ..Route::default() };
            return ops::moe(x, Experts { router, gate, up, down }, route, Gate::Swiglu).run();
        }
        let open = linear(x, gate).run()?;
        ops::swiglu(&open, &linear(x, up).run()?).into(&open)?;
        linear(&open, down).run()
    }

    fn mixed(&self, mixer: &Mixer, past: &Past, x: &Tensor, at: &At<'_>) -> Result<Tensor> {
        let [batch, steps] = at.positions.shape()[..] else {
            panic!("positions are [batch, steps]")
        };
        let (rows, dim) = (batch * steps, self.sizes.dim());
        let heads = |w: &Weight, heads: u32| linear(x, w).run()?.reshape(&[rows, heads, dim]);
        let by_sequence = |x: &Tensor| x.reshape(&[batch, steps, x.shape()[1], dim]);
        match (mixer, past) {
            (Mixer::Attention { q, k, v, out }, Past::Attention { keys, values }) => {
                let (q, k) = (heads(q, self.sizes.heads)?, heads(k, self.sizes.kv_heads)?);
                let positions = at.positions.reshape(&[rows])?;
                for turned in [&q, &k] {
                    let how = Rope { theta: THETA, ..Rope::default() };
                    ops::rope(turned, &positions, how).into(turned)?;
                }
                let v = heads(v, self.sizes.kv_heads)?;
                for (cache, new) in [(keys, k), (values, v)] {
                    ops::cache_update(cache, &by_sequence(&new)?, &at.positions).into(cache)?;
                }
                let q = by_sequence(&q)?.transpose(1, 2)?;
                let filled = Filled::Of(at.lens);
                let how = Attention { causal: true, filled, ..Attention::default() };
                let y = ops::attention(&q, keys, values, how).run()?;
                linear(&y.transpose(1, 2)?.contiguous()?.reshape(x.shape())?, out).run()
            }
            (Mixer::Delta { q, k, v, gate, beta, decay, out }, Past::Delta { state }) => {
                let gates = ops::gated_delta_gates(
                    &linear(x, gate).run()?,
                    &linear(x, beta).run()?,
                    decay,
                    &self.no_shift,
                )
                .run()?;
                let by_head = |x: &Tensor| x.reshape(&[batch, steps, self.sizes.heads]);
                let (q, k) = (heads(q, self.sizes.kv_heads)?, heads(k, self.sizes.kv_heads)?);
                // Keys of length one, so that a state does not grow.
                for x in [&q, &k] {
                    ops::rms_norm(x, &self.unit, EPS).into(x)?;
                }
                let v = by_sequence(&heads(v, self.sizes.heads)?)?;
                let y = self.device.empty(self.dtype, v.shape())?;
                let done = Stepped { y: y.clone(), y_state: state.clone() };
                let qkv = [&by_sequence(&q)?, &by_sequence(&k)?, &v];
                let (gate, beta) = (by_head(&gates.gate)?, by_head(&gates.beta)?);
                ops::gated_delta(qkv, &gate, &beta, state, Steps::OneByOne).into(&done)?;
                linear(&y.reshape(x.shape())?, out).run()
            }
            (Mixer::Attention { .. }, Past::Delta { .. })
            | (Mixer::Delta { .. }, Past::Attention { .. }) => {
                panic!("the memory is another model's")
            }
        }
    }
}

/// Where new tokens stand.
struct At<'a> {
    /// [batch, steps].
    positions: Tensor,
    /// Tokens of each sequence, the new ones too.
    lens: &'a Tensor,
}

impl Layer {
    fn new(w: &mut Weights, sizes: &Sizes, at: u32) -> Result<Layer> {
        let &Sizes { width, inner, heads, kv_heads, .. } = sizes;
        let narrow = kv_heads * sizes.dim();
        let mixer_norm = w.tensor(&[width], 1.0)?;
        let odd = sizes.hybrid && at % 2 == 1;
        let mixer = match odd {
            false => Mixer::Attention {
                q: w.weight(&[width, width])?,
                k: w.weight(&[narrow, width])?,
                v: w.weight(&[narrow, width])?,
                out: w.weight(&[width, width])?,
            },
            true => Mixer::Delta {
                q: w.weight(&[narrow, width])?,
                k: w.weight(&[narrow, width])?,
                v: w.weight(&[width, width])?,
                gate: w.weight(&[heads, width])?,
                beta: w.weight(&[heads, width])?,
                decay: w.normal(&[heads], 1.0)?,
                out: w.weight(&[width, width])?,
            },
        };
        let mlp_norm = w.tensor(&[width], 1.0)?;
        let router = if odd { Some(w.weight(&[EXPERTS, width])?) } else { None };
        let mut weight = |outputs, inputs| match odd {
            true => w.weight(&[EXPERTS, outputs, inputs]),
            false => w.weight(&[outputs, inputs]),
        };
        let (gate, up) = (weight(inner, width)?, weight(inner, width)?);
        let down = weight(width, inner)?;
        Ok(Layer { mixer_norm, mixer, mlp_norm, router, gate, up, down })
    }
}
