//! Products of matrices, and weights in whichever way they are held.
//!
//! Invariants
//! - The order of each sum follows from the length of a row and how a weight is held, never from how many rows meet it: what
//!   comes of a row depends on that row alone.
//! - What a packed weight stands for is what `dequantize` gives of it in f32.

use super::{Op, kind, one, repeated, wrong};
use crate::{AnySparse24, Call, Device, Result, Tensor};
use evenweave_lang::dtype::DType;

/// A weight of products, [n, k], or several stacked, [matrices, n, k].
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a few a layer")]
pub enum Weight {
    /// As it is: f32, f16 or bf16.
    Dense(Tensor),
    /// In a format of codes and scales.
    Packed(Packed),
    /// 2:4 sparse.
    Sparse(Sparse),
}

/// A weight in a format of codes and scales.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The format's name: `affine4`, `mxfp4`, `q4_k`. `evenweave list quantize` names all.
    pub format: String,
    /// Weights that share a scale, of affine formats; 0: the format's own.
    pub block: u32,
    /// Weights of a row.
    pub k: u32,
    /// The dtype that it stands for: what `dequantize` and `embedding` give.
    pub dtype: DType,
    /// [rows .., ceil(k / 32) * bits of a code] in u32; of GGUF's formats [rows .., bytes of a row] in u8.
    pub codes: Tensor,
    /// [rows .., ceil(k / block)], where they lie apart.
    pub scales: Option<Tensor>,
    /// As `scales`, of affine formats.
    pub biases: Option<Tensor>,
    /// [parts] in f32, of nvfp4.
    pub global: Option<Tensor>,
}

/// A 2:4 sparse weight on a device; `AnySparse24` makes and checks it.
#[derive(Clone, Debug)]
pub struct Sparse {
    /// Rows and columns.
    pub shape: [u32; 2],
    /// [n, k / 2].
    pub values: Tensor,
    /// [n, ceil(k / 16)] in u16.
    pub index: Tensor,
}

impl Weight {
    /// A sparse matrix, on a device.
    pub fn sparse(device: &Device, matrix: &AnySparse24) -> Result<Weight> {
        let [values, index] = matrix.to_device(device)?;
        Ok(Weight::Sparse(Sparse { shape: matrix.shape(), values, index }))
    }

    /// Its axes: [n, k], or [matrices, n, k].
    pub fn shape(&self) -> Vec<u32> {
        match self {
            Weight::Dense(tensor) => tensor.shape().to_vec(),
            Weight::Packed(packed) => packed.shape(),
            Weight::Sparse(sparse) => sparse.shape.to_vec(),
        }
    }

    /// Rows and columns of one matrix.
    fn matrix(&self, op: &'static str) -> Result<[u32; 2]> {
        let shape = self.shape();
        shape[..].try_into().map_err(|_| wrong(op, "w", "[n, k]", format!("{shape:?}")))
    }
}

impl From<Tensor> for Weight {
    fn from(tensor: Tensor) -> Weight {
        Weight::Dense(tensor)
    }
}

impl From<Packed> for Weight {
    fn from(packed: Packed) -> Weight {
        Weight::Packed(packed)
    }
}

impl Packed {
    /// Its axes: those of its rows, and k.
    pub fn shape(&self) -> Vec<u32> {
        let rows = self.codes.shape().split_last().map_or(&[][..], |(_, rows)| rows);
        [rows, &[self.k]].concat()
    }

    /// The same as one matrix of all its rows.
    pub(super) fn flat(&self) -> Result<Packed> {
        let flat = |t: &Tensor| {
            let row = t.shape().last().copied().unwrap_or(1);
            let rows = t.shape().split_last().map_or(1, |(_, rows)| rows.iter().product());
            flattened(t, &[rows, row])
        };
        let maybe = |t: &Option<Tensor>| t.as_ref().map(flat).transpose();
        Ok(Packed {
            codes: flat(&self.codes)?,
            scales: maybe(&self.scales)?,
            biases: maybe(&self.biases)?,
            ..self.clone()
        })
    }

    /// Gives it to a call, under names with a prefix.
    pub(super) fn give<'a>(&self, call: Call<'a>, prefix: &str) -> Call<'a> {
        let named = |name: &str| format!("{prefix}{name}");
        call.word("format", &self.format)
            .set("block", self.block)
            .input(&named("codes"), &self.codes)
            .maybe(&named("scales"), self.scales.as_ref())
            .maybe(&named("biases"), self.biases.as_ref())
            .maybe(&named("global"), self.global.as_ref())
    }
}

/// What follows a product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// Nothing.
    #[default]
    None,
    /// `max(y, 0)`.
    Relu,
    /// `gelu_tanh`.
    GeluTanh,
    /// `gelu_erf`.
    GeluErf,
    /// `silu`.
    Silu,
}

impl Activation {
    pub(super) fn word(self) -> &'static str {
        match self {
            Activation::None => "none",
            Activation::Relu => "relu",
            Activation::GeluTanh => "gelu_tanh",
            Activation::GeluErf => "gelu_erf",
            Activation::Silu => "silu",
        }
    }
}

/// In which order the products of a row of a packed weight are added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sums {
    /// By the lanes of a subgroup, each row of `x` for itself: for few rows.
    #[default]
    ByLanes,
    /// Ascending, by tiles, as of a dense weight: for many rows. Choose by the model, not by the rows at hand: the two orders have
    /// different bits.
    ByTiles,
}

/// What else `linear` does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linear<'a> {
    /// [n], added to each row, of the dtype of `x`; of a sparse weight in f32.
    pub bias: Option<&'a Tensor>,
    /// What follows.
    pub activation: Activation,
    /// The order of the sums of a packed weight.
    pub sums: Sums,
}

/// `y[.., j] = sum over k of x[.., k] w[j, k]`: `linear_with` without a bias.
///
/// `x` is [.., k], `w` is [n, k], `y` is [.., n] of the dtype of `x`. Tier `exact`. Source `matmul/gemm.rs`,
/// `quant/gemv.rs`, `sparse/gemm_sparse24.rs`.
pub fn linear<'a>(x: &'a Tensor, w: &'a Weight) -> Op<'a, Tensor> {
    linear_with(x, w, Linear::default())
}

/// `y[.., j] = f(sum over k of x[.., k] w[j, k] + bias[j])`.
///
/// `x` is [.., k] (f32, f16 or bf16), `w` is [n, k], dense of the dtype of `x`, packed, or 2:4 sparse with values of the dtype of
/// `x`; `y` is [.., n] of the dtype of `x`. With a dense weight sum, bias and activation are computed in f32 and rounded once; with
/// the others the sum is rounded before the bias, and that before the activation. A sparse weight takes `x` transposed, as its
/// format wants. Tier `same`, and `exact` without an activation. Source `matmul/gemm.rs`, `quant/gemv.rs`, `quant/gemm.rs`,
/// `sparse/gemm_sparse24.rs`.
pub fn linear_with<'a>(x: &'a Tensor, w: &'a Weight, how: Linear<'a>) -> Op<'a, Tensor> {
    Op::new(move |to| {
        let [n, k] = w.matrix("linear")?;
        let Some((&last, lead)) = x.shape().split_last() else {
            return Err(wrong("linear", "x", format!("[.., {k}]"), kind(x)));
        };
        if last != k {
            return Err(wrong("linear", "x", format!("[.., {k}], as `w` is [{n}, {k}]"), kind(x)));
        }
        check_kinds(x, w, &how, n)?;
        let rows = rows_of(lead, x)?;
        let flat = flattened(x, &[rows, k])?;
        let given = to.map(|to| as_rows("linear", to, [rows, n], x, &[lead, &[n]].concat()));
        let given = given.transpose()?;
        let y = product(&flat, w, &how, given.as_ref())?;
        match to {
            Some(to) => Ok(to.clone()),
            None => y.reshape(&[lead, &[n]].concat()),
        }
    })
}

/// The product of each row, its result [rows, n], where it is wanted.
fn product(x: &Tensor, w: &Weight, how: &Linear, to: Option<&Tensor>) -> Result<Tensor> {
    let device = x.device();
    let into = |call: Call| match to {
        Some(to) => call.into("y", to).run()?.get("y").cloned(),
        None => call.run()?.get("y").cloned(),
    };
    match w {
        Weight::Dense(w) => {
            let call = device.call("gemm").input("a", x).input("b", w).maybe("bias", how.bias);
            into(call.set("trans_b", true).word("activation", how.activation.word()))
        }
        Weight::Packed(packed) => {
            let operation = match how.sums {
                Sums::ByLanes => "gemv_quantized",
                Sums::ByTiles => "gemm_quantized",
            };
            let mut y = into(packed.give(device.call(operation).input("x", x), ""))?;
            if let Some(bias) = how.bias {
                let bias = repeated(bias, &y)?;
                y = device.call("add").input("a", &y).input("b", &bias).into("y", &y).run_one()?;
            }
            activated(y, how.activation)
        }
        Weight::Sparse(sparse) => {
            // The sparse matrix is the first factor, so its product is the transposed one.
            let call = device.call("gemm_sparse24").input("values", &sparse.values);
            let call = call.input("index", &sparse.index).input("b", x).maybe("bias", how.bias);
            activated(into(call.set("trans_b", true).set("trans_y", true))?, how.activation)
        }
    }
}

/// An activation in place.
fn activated(y: Tensor, activation: Activation) -> Result<Tensor> {
    if activation == Activation::None {
        return Ok(y);
    }
    y.device().call(activation.word()).input("x", &y).into("y", &y).run_one()
}

fn check_kinds(x: &Tensor, w: &Weight, how: &Linear, n: u32) -> Result<()> {
    let (name, dtype) = match w {
        Weight::Dense(w) => ("w", w.dtype()),
        Weight::Sparse(sparse) => ("w", sparse.values.dtype()),
        Weight::Packed(_) => ("w", x.dtype()),
    };
    if !matches!(x.dtype(), DType::F32 | DType::F16 | DType::BF16) {
        return Err(wrong("linear", "x", "f32, f16 or bf16", kind(x)));
    }
    if dtype != x.dtype() {
        return Err(wrong("linear", name, format!("of {}, as `x` is", x.dtype()), dtype));
    }
    let Some(bias) = how.bias else { return Ok(()) };
    let dtype = match w {
        Weight::Dense(_) | Weight::Packed(_) => x.dtype(),
        Weight::Sparse(_) => DType::F32,
    };
    if bias.shape() != [n] || bias.dtype() != dtype {
        return Err(wrong("linear", "bias", format!("{dtype} [{n}]"), kind(bias)));
    }
    Ok(())
}

/// The product of some extents.
fn rows_of(lead: &[u32], x: &Tensor) -> Result<u32> {
    let rows = lead.iter().try_fold(1u32, |n, &e| n.checked_mul(e));
    rows.ok_or_else(|| wrong("linear", "x", "of fewer than 2^32 rows", kind(x)))
}

/// A tensor in another shape, packed first where its view has none.
fn flattened(x: &Tensor, shape: &[u32]) -> Result<Tensor> {
    x.reshape(shape).or_else(|_| x.contiguous()?.reshape(shape))
}

/// A tensor for results, as rows: it must have the results' own shape and dtype, and be contiguous where that is of more axes.
fn as_rows(
    op: &'static str,
    to: &Tensor,
    [rows, n]: [u32; 2],
    x: &Tensor,
    shape: &[u32],
) -> Result<Tensor> {
    let want = format!("{} {shape:?}, contiguous", x.dtype());
    if to.shape() != shape || to.dtype() != x.dtype() {
        return Err(wrong(op, "the tensor for y", want, kind(to)));
    }
    if shape.len() == 2 {
        return Ok(to.clone());
    }
    to.reshape(&[rows, n]).map_err(|_| wrong(op, "the tensor for y", want, "a view with gaps"))
}

/// `y[i, j] = sum over k of a[i, k] b[k, j]`, or of each of a batch; sums ascend from -0.0.
///
/// `a` is [m, k] or [batch, m, k], `b` is [k, n] or [batch, k, n], of one dtype (f32, f16 or bf16), any views: a transposed matrix
/// is read where it stands. `y` is [m, n] or [batch, m, n]. Tier `exact`. Source `matmul/gemm.rs`.
pub fn matmul<'a>(a: &'a Tensor, b: &Tensor) -> Op<'a, Tensor> {
    let operation = if a.shape().len() == 3 { "gemm_batched" } else { "gemm" };
    one(a.device().call(operation).input("a", a).input("b", b), "y")
}

/// A weight in a format of codes and scales: of each block the scale is the greatest magnitude through the code's greatest, and
/// codes are the nearest; of affine formats bias and scale follow from the least and the greatest.
///
/// `w` is [rows .., k] (f32, f16 or bf16). GGUF's formats are read, not written; `nvfp4` needs `global`, [parts] in f32. Tier
/// `exact`. Source `quant/quantize.rs`.
pub fn quantize<'a>(
    w: &'a Tensor,
    format: &'a str,
    block: u32,
    global: Option<&'a Tensor>,
) -> Op<'a, Packed> {
    Op::new(move |to: Option<&Packed>| {
        let Some((&k, lead)) = w.shape().split_last() else {
            return Err(wrong("quantize", "w", "[rows .., k]", kind(w)));
        };
        let flat = flattened(w, &[rows_of(lead, w)?, k])?;
        let call = w.device().call("quantize").input("w", &flat).word("format", format);
        let mut call = call.set("block", block).maybe("global", global);
        if let Some(to) = to {
            let as_rows =
                |t: &Tensor| t.reshape(&[flat.shape()[0], *t.shape().last().unwrap_or(&1)]);
            call = call.into("codes", &as_rows(&to.codes)?);
            for (name, tensor) in [("scales", &to.scales), ("biases", &to.biases)] {
                if let Some(tensor) = tensor {
                    call = call.into(name, &as_rows(tensor)?);
                }
            }
        }
        let parts = call.run()?;
        let part = |name: &str| -> Result<Option<Tensor>> {
            let Ok(part) = parts.get(name) else { return Ok(None) };
            let row = part.shape().last().copied().unwrap_or(1);
            Ok(Some(part.reshape(&[lead, &[row]].concat())?))
        };
        Ok(Packed {
            format: format.into(),
            block,
            k,
            dtype: w.dtype(),
            codes: part("codes")?.expect("quantize gives codes"),
            scales: part("scales")?,
            biases: part("biases")?,
            global: global.cloned(),
        })
    })
}

/// What `dequantize` gives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dequantize<'a> {
    /// Which rows, [n] in u32; all without it.
    pub index: Option<&'a Tensor>,
    /// f32, f16 or bf16; without it that which the weight stands for.
    pub dtype: Option<DType>,
}

/// `y[r, i] = decode(code[s, i]) scale (+ bias) (* global)`, s = r or `index[r]`.
///
/// `w` is [rows .., k], `y` is [all its rows, k] or [n, k]. Tier `exact`. Source `quant/dequantize.rs`.
pub fn dequantize<'a>(w: &'a Packed, how: Dequantize<'a>) -> Op<'a, Tensor> {
    Op::new(move |to| {
        let call = w.flat()?.give(w.codes.device().call("dequantize"), "").set("k", w.k);
        let call = call.maybe("index", how.index);
        let dtype = how.dtype.unwrap_or(w.dtype);
        (one(call.word("dtype", dtype.name()), "w").work)(to)
    })
}
