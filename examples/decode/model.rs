//! Two small decoders on operations of the library: one of attention layers, and one in which every other layer keeps a
//! state by the gated delta rule, and its tokens go to two of several experts.
//!
//! Each layer is `x + mixer(norm(x))`, then `x + mlp(norm(x))`; the mlp, and each expert, is `down(silu(gate) * up)`.
//!
//! Invariants
//! - The device computes every number, and picks each token; the host waits for nothing between two tokens.
//! - The bits of a sequence's logits depend neither on the other sequences of the batch nor on how its tokens are cut into
//!   pieces: no operation sums over rows, and each sums over a row in an order that its length alone decides.

use crate::{
    cache::Cache,
    weights::{Kind, Matrix, Weights},
};
use evenweave::{Device, Result, Tensor, lang::dtype::DType};

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
    pub(crate) logits: Matrix,
}

pub(crate) struct Layer {
    pub(crate) mixer_norm: Tensor,
    pub(crate) mixer: Mixer,
    pub(crate) mlp_norm: Tensor,
    /// How a token finds its experts, where there are several; their weights are stacked.
    pub(crate) router: Option<Matrix>,
    pub(crate) gate: Matrix,
    pub(crate) up: Matrix,
    pub(crate) down: Matrix,
}

#[expect(clippy::large_enum_variant, reason = "one a layer")]
pub(crate) enum Mixer {
    Attention {
        q: Matrix,
        k: Matrix,
        v: Matrix,
        out: Matrix,
    },
    /// `decay` is how fast each head forgets.
    Delta {
        q: Matrix,
        k: Matrix,
        v: Matrix,
        gate: Matrix,
        beta: Matrix,
        decay: Tensor,
        out: Matrix,
    },
}

/// What a model remembers of a batch of sequences.
pub(crate) struct Memory {
    layers: Vec<Past>,
    /// Tokens so far of each sequence.
    len: u32,
}

enum Past {
    Attention { keys: Cache, values: Cache },
    Delta { state: Tensor },
}

impl Model {
    /// Draws the weights of a seed.
    pub(crate) fn new(device: &Device, sizes: Sizes, kind: Kind, seed: u32) -> Result<Model> {
        let mut w = Weights::new(device, kind, seed);
        Ok(Model {
            device: device.clone(),
            sizes,
            dtype: kind.dtype(),
            tokens: w.tensor(&[sizes.vocabulary, sizes.width], 1.0)?,
            layers: (0..sizes.layers)
                .map(|at| Layer::new(&mut w, &sizes, at))
                .collect::<Result<_>>()?,
            norm: w.tensor(&[sizes.width], 1.0)?,
            logits: w.matrix(sizes.vocabulary, sizes.width)?,
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
        let dim = self.sizes.dim();
        let cache = || Cache::new(&self.device, self.dtype, [batch, kv_heads, capacity, dim]);
        let past = |layer: &Layer| match layer.mixer {
            Mixer::Attention { .. } => Ok(Past::Attention { keys: cache()?, values: cache()? }),
            Mixer::Delta { .. } => {
                let shape = [batch, heads, dim, dim];
                let zeros = vec![0.0f32; shape.iter().product::<u32>() as usize];
                Ok(Past::Delta { state: self.device.tensor(&shape, &zeros)? })
            }
        };
        Ok(Memory { layers: self.layers.iter().map(past).collect::<Result<_>>()?, len: 0 })
    }

    /// The logits after some more tokens of each sequence: [batch, steps] gives [batch, vocabulary].
    pub(crate) fn logits(&self, tokens: &Tensor, memory: &mut Memory) -> Result<Tensor> {
        let [batch, steps] = tokens.shape()[..] else { panic!("tokens are [batch, steps]") };
        let rows = batch * steps;
        let positions: Vec<u32> = (0..rows).map(|row| memory.len + row % steps).collect();
        let positions = self.device.tensor(&[rows], &positions)?;
        let mut x = self
            .device
            .call("gather")
            .input("table", &self.tokens)
            .input("indices", &tokens.reshape(&[rows])?)
            .run_one()?;
        for (layer, past) in self.layers.iter().zip(&mut memory.layers) {
            let normed = self.normed(&x, &layer.mixer_norm)?;
            let mixed = self.mixed(&layer.mixer, past, &normed, batch, &positions)?;
            let (sum, normed) = self.added_and_normed(&x, &mixed, &layer.mlp_norm)?;
            x = self.of_two("add", &sum, &self.mlp(layer, &normed)?)?;
        }
        memory.len += steps;
        let last = x.reshape(&[batch, steps, self.sizes.width])?.slice(1, steps - 1, 1)?;
        let last = last.contiguous()?.reshape(&[batch, self.sizes.width])?;
        self.logits.product(&self.normed(&last, &self.norm)?)
    }

    /// The most likely token of each sequence, [batch, 1].
    pub(crate) fn greedy(&self, logits: &Tensor) -> Result<Tensor> {
        let best = self.device.call("arg_reduce").input("x", logits).word("op", "max").run_one()?;
        best.reshape(&[logits.shape()[0], 1])
    }

    fn mlp(&self, layer: &Layer, x: &Tensor) -> Result<Tensor> {
        let Some(router) = &layer.router else {
            let inner = self.gated(&layer.gate.product(x)?, &layer.up.product(x)?)?;
            return layer.down.product(&inner);
        };
        let logits = router.product(x)?;
        let route = self.device.call("route_experts").input("logits", &logits).set("top_k", TOP_K);
        let route = route.run()?;
        let sorted = self
            .device
            .call("permute_experts")
            .input("expert", route.get("experts")?)
            .input("x", x)
            .set("experts", EXPERTS)
            .run()?;
        let (rows, offsets) = (sorted.get("y")?, sorted.get("offsets")?);
        let gate = layer.gate.grouped(rows, offsets)?;
        let inner = self.gated(&gate, &layer.up.grouped(rows, offsets)?)?;
        self.device
            .call("unpermute_experts")
            .input("rows", &layer.down.grouped(&inner, offsets)?)
            .input("place", sorted.get("place")?)
            .input("weights", route.get("weights")?)
            .run_one()
    }

    fn gated(&self, gate: &Tensor, up: &Tensor) -> Result<Tensor> {
        self.device.call("swiglu").input("gate", gate).input("up", up).run_one()
    }

    fn mixed(
        &self,
        mixer: &Mixer,
        past: &mut Past,
        x: &Tensor,
        batch: u32,
        positions: &Tensor,
    ) -> Result<Tensor> {
        let (rows, dim) = (x.shape()[0], self.sizes.dim());
        let steps = rows / batch;
        let heads = |w: &Matrix, heads: u32| w.product(x)?.reshape(&[rows, heads, dim]);
        let by_sequence = |x: &Tensor| x.reshape(&[batch, steps, x.shape()[1], dim]);
        match (mixer, past) {
            (Mixer::Attention { q, k, v, out }, Past::Attention { keys, values }) => {
                let q = self.turned(&heads(q, self.sizes.heads)?, positions)?;
                let k = self.turned(&heads(k, self.sizes.kv_heads)?, positions)?;
                let v = heads(v, self.sizes.kv_heads)?;
                let y = self
                    .device
                    .call("attention")
                    .input("q", &by_sequence(&q)?.transpose(1, 2)?.contiguous()?)
                    .input("k", &keys.append(&by_sequence(&k)?)?)
                    .input("v", &values.append(&by_sequence(&v)?)?)
                    .set("causal", true)
                    .run_one()?;
                out.product(&y.transpose(1, 2)?.contiguous()?.reshape(x.shape())?)
            }
            (Mixer::Delta { q, k, v, gate, beta, decay, out }, Past::Delta { state }) => {
                // exp(-decay * softplus(gate)): what stays of a state.
                let kept = self.wide(&gate.product(x)?)?;
                let kept = self.of_one("softplus", &kept)?;
                let kept = self.of_two("mul", &kept, decay)?;
                let kept = self.of_one("exp", &self.of_one("neg", &kept)?)?;
                let beta = self.of_one("sigmoid", &self.wide(&beta.product(x)?)?)?;
                let by_head = |x: &Tensor| x.reshape(&[batch, steps, self.sizes.heads]);
                // Keys of length one, so that a state does not grow.
                let unit = self.unit(&heads(k, self.sizes.kv_heads)?)?;
                let query = self.unit(&heads(q, self.sizes.kv_heads)?)?;
                let done = self
                    .device
                    .call("gated_delta")
                    .input("q", &by_sequence(&query)?)
                    .input("k", &by_sequence(&unit)?)
                    .input("v", &by_sequence(&heads(v, self.sizes.heads)?)?)
                    .input("gate", &by_head(&kept)?)
                    .input("beta", &by_head(&beta)?)
                    .input("state", state)
                    .run()?;
                *state = done.get("y_state")?.clone();
                out.product(&done.get("y")?.reshape(x.shape())?)
            }
            (Mixer::Attention { .. }, Past::Delta { .. })
            | (Mixer::Delta { .. }, Past::Attention { .. }) => {
                panic!("the memory is another model's")
            }
        }
    }

    fn turned(&self, x: &Tensor, positions: &Tensor) -> Result<Tensor> {
        self.device
            .call("rope")
            .input("x", x)
            .input("positions", positions)
            .set("theta", THETA)
            .run_one()
    }

    /// Each head scaled to length one: its RMS norm by 1 / sqrt(dim).
    fn unit(&self, x: &Tensor) -> Result<Tensor> {
        let dim = self.sizes.dim();
        let weight = vec![1.0 / (dim as f32).sqrt(); dim as usize];
        self.normed(x, &self.narrow(&self.device.tensor(&[dim], &weight)?)?)
    }

    fn normed(&self, x: &Tensor, weight: &Tensor) -> Result<Tensor> {
        let call = self.device.call("rms_norm").input("x", x).input("weight", weight);
        call.set("eps", EPS).run_one()
    }

    /// The sum, and its norm.
    fn added_and_normed(
        &self,
        a: &Tensor,
        b: &Tensor,
        weight: &Tensor,
    ) -> Result<(Tensor, Tensor)> {
        let call = self.device.call("add_rms_norm").input("a", a).input("b", b);
        let both = call.input("weight", weight).set("eps", EPS).run()?;
        Ok((both.get("sum")?.clone(), both.get("y")?.clone()))
    }

    fn wide(&self, x: &Tensor) -> Result<Tensor> {
        self.device.call("cast").input("x", x).word("to", "f32").run_one()
    }

    fn narrow(&self, x: &Tensor) -> Result<Tensor> {
        self.device.call("cast").input("x", x).word("to", self.dtype.name()).run_one()
    }

    fn of_one(&self, operation: &str, x: &Tensor) -> Result<Tensor> {
        self.device.call(operation).input("x", x).run_one()
    }

    /// A binary operation; `b` is repeated to the shape of `a`.
    fn of_two(&self, operation: &str, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        let b = b.broadcast(a.shape())?.contiguous()?;
        self.device.call(operation).input("a", a).input("b", &b).run_one()
    }
}

impl Layer {
    fn new(w: &mut Weights, sizes: &Sizes, at: u32) -> Result<Layer> {
        let &Sizes { width, inner, heads, kv_heads, .. } = sizes;
        let narrow = kv_heads * sizes.dim();
        let mixer_norm = w.tensor(&[width], 1.0)?;
        let odd = sizes.hybrid && at % 2 == 1;
        let mixer = match odd {
            false => Mixer::Attention {
                q: w.matrix(width, width)?,
                k: w.matrix(narrow, width)?,
                v: w.matrix(narrow, width)?,
                out: w.matrix(width, width)?,
            },
            true => Mixer::Delta {
                q: w.matrix(narrow, width)?,
                k: w.matrix(narrow, width)?,
                v: w.matrix(width, width)?,
                gate: w.matrix(heads, width)?,
                beta: w.matrix(heads, width)?,
                decay: w.decay(heads)?,
                out: w.matrix(width, width)?,
            },
        };
        let mlp_norm = w.tensor(&[width], 1.0)?;
        let router = if odd { Some(w.matrix(EXPERTS, width)?) } else { None };
        let mut weight = |outputs, inputs| match odd {
            true => w.experts(EXPERTS, outputs, inputs),
            false => w.matrix(outputs, inputs),
        };
        let (gate, up) = (weight(inner, width)?, weight(inner, width)?);
        let down = weight(width, inner)?;
        Ok(Layer { mixer_norm, mixer, mlp_norm, router, gate, up, down })
    }
}
