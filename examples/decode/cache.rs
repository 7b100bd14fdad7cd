//! Keys and values of the tokens so far, written in place.

use evenweave::{Device, Result, lang::dtype::DType, prelude::*};

/// `cache[b, h, at + t, d] = new[b, t, h, d]`.
#[kernel(group = 256, grid = (batch * steps * heads * dim).div_ceil(256))]
fn append<T: Real>(
    #[len(batch * steps * heads * dim)] new: &In<T>,
    #[len(batch * heads * capacity * dim)] cache: &mut InOut<T>,
    batch: u32,
    steps: u32,
    heads: u32,
    dim: u32,
    capacity: u32,
    at: u32,
) {
    let i = global_id();
    if i < batch * steps * heads * dim {
        let d = i % dim;
        let h = i / dim % heads;
        let t = i / dim / heads % steps;
        let b = i / dim / heads / steps;
        cache[((b * heads + h) * capacity + at + t) * dim + d] = new[i];
    }
}

/// Keys or values of a layer: [batch, heads, capacity, dim], of which the first `len` tokens are there.
pub(crate) struct Cache {
    memory: Tensor,
    len: u32,
}

impl Cache {
    pub(crate) fn new(device: &Device, dtype: DType, shape: [u32; 4]) -> Result<Cache> {
        Ok(Cache { memory: device.empty(dtype, &shape)?, len: 0 })
    }

    /// Adds tokens, [batch, steps, heads, dim], and gives all that are there, [batch, heads, tokens, dim].
    ///
    /// # Panics
    /// When there is no room: the model asks for as much as it will need.
    pub(crate) fn append(&mut self, new: &Tensor) -> Result<Tensor> {
        let [batch, heads, capacity, dim] = self.memory.shape()[..] else {
            panic!("a cache has four axes")
        };
        let steps = new.shape()[1];
        assert!(self.len + steps <= capacity, "{} and {steps} of {capacity} tokens", self.len);
        let kernel = match new.dtype() {
            DType::BF16 => append::<bf16>()?,
            _ => append::<f32>()?,
        };
        let at = self.len;
        new.device()
            .launch(&kernel, &[new, &self.memory, &batch, &steps, &heads, &dim, &capacity, &at])?;
        self.len += steps;
        self.memory.slice(2, 0, self.len)?.contiguous()
    }
}
