//! Arguments for a launch: numbers that are interesting, in memory that fits.

use super::Rng;
use crate::{
    dtype::{Class, DType},
    ir::*,
    launch::{self, ArgShape, Layout},
};

/// One argument of a launch, with its data as one word of bits an element.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A scalar.
    Scalar(DType, u64),
    /// A contiguous buffer.
    Buffer(DType, Vec<u64>),
    /// A view of a buffer.
    View(DType, Vec<u64>, Layout),
}

impl Argument {
    /// What `launch::check` sees of it.
    pub fn shape(&self) -> ArgShape {
        match self {
            Argument::Scalar(dtype, bits) => ArgShape::Scalar(*dtype, *bits),
            Argument::Buffer(dtype, bits) => ArgShape::Buffer(*dtype, bits.len() as u64),
            Argument::View(dtype, bits, layout) => {
                ArgShape::View(*dtype, bits.len() as u64, layout.clone())
            }
        }
    }
}

/// Arguments for a kernel: scalar `n` is 1 to 200, everything else is random, views have gaps and permuted
/// axes, and views that are only read may repeat elements. Floats hold no NaN but the canonical one.
///
/// # Panics
/// When a length of the kernel has no value for such arguments; generated kernels have one.
pub fn arguments(kernel: &Kernel, seed: u64) -> Vec<Argument> {
    let mut rng = Rng(seed ^ 0x5bd1_e995_0000_0000);
    let mut shapes: Vec<ArgShape> = (kernel.params.iter())
        .map(|param| match &param.kind {
            ParamKind::Scalar(dtype) if param.name == "n" => {
                ArgShape::Scalar(*dtype, 1 + u64::from(rng.below(200)))
            }
            ParamKind::Scalar(dtype) => ArgShape::Scalar(*dtype, sample(&mut rng, *dtype)),
            ParamKind::Buffer { dtype, .. } => ArgShape::Buffer(*dtype, 0),
            ParamKind::View { dtype, .. } => ArgShape::View(
                *dtype,
                0,
                Layout { shape: Vec::new(), strides: Vec::new(), offset: 0 },
            ),
        })
        .collect();
    let value = |shapes: &[ArgShape], len| {
        launch::value(shapes, len)
            .unwrap_or_else(|why| panic!("a length of {}: {why}", kernel.name))
    };
    // Views first: the lengths of buffers may name their extents.
    for (i, param) in kernel.params.iter().enumerate() {
        if let ParamKind::View { dtype, shape, access } = &param.kind {
            let shape = shape.iter().map(|len| value(&shapes, len) as u32).collect();
            let layout = layout(&mut rng, shape, *access == Access::In);
            let elems = layout.span_elems().expect("small") + u64::from(rng.below(3));
            shapes[i] = ArgShape::View(*dtype, elems, layout);
        }
    }
    for (i, param) in kernel.params.iter().enumerate() {
        if let ParamKind::Buffer { dtype, len, .. } = &param.kind {
            shapes[i] = ArgShape::Buffer(*dtype, value(&shapes, len));
        }
    }
    let mut fill = |dtype, elems| (0..elems).map(|_| sample(&mut rng, dtype)).collect();
    (shapes.into_iter())
        .map(|shape| match shape {
            ArgShape::Scalar(dtype, bits) => Argument::Scalar(dtype, bits),
            ArgShape::Buffer(dtype, elems) => Argument::Buffer(dtype, fill(dtype, elems)),
            ArgShape::View(dtype, elems, layout) => {
                Argument::View(dtype, fill(dtype, elems), layout)
            }
        })
        .collect()
}

/// Axes in some order, with gaps; where elements may repeat, some axes do not move.
fn layout(rng: &mut Rng, shape: Vec<u32>, may_repeat: bool) -> Layout {
    let mut strides = vec![0; shape.len()];
    let mut left: Vec<usize> = (0..shape.len()).collect();
    let mut stride = 1 + u64::from(rng.below(2));
    while !left.is_empty() {
        let axis = left.swap_remove(rng.below(left.len() as u32) as usize);
        if may_repeat && rng.one_in(6) {
            continue;
        }
        strides[axis] = stride;
        stride = stride * u64::from(shape[axis].max(1)) + u64::from(rng.below(2));
    }
    Layout { shape, strides, offset: rng.below(4).into() }
}

/// The bits of an element: often small, sometimes extreme, sometimes anything. A NaN is the canonical one.
pub(super) fn sample(rng: &mut Rng, dtype: DType) -> u64 {
    let mask = u64::MAX >> (64 - dtype.bits());
    let random = rng.next() & mask;
    match (dtype.class(), dtype.is_value()) {
        (Class::Bool, _) => random & 1,
        (Class::Signed | Class::Unsigned, _) => match rng.below(8) {
            0 => mask,
            1 => mask >> 1,
            2 => (mask >> 1) + 1,
            3 | 4 => random,
            _ => (u64::from(rng.below(40)).wrapping_sub(8)) & mask,
        },
        (Class::Float, false) => random,
        (Class::Float, true) => float(rng, dtype, random),
    }
}

fn float(rng: &mut Rng, dtype: DType, random: u64) -> u64 {
    let nan = dtype.canonical_nan().expect("a value float");
    let fraction_bits = nan.trailing_zeros() + 1;
    let infinity = nan >> fraction_bits << fraction_bits;
    let sign = 1 << (dtype.bits() - 1);
    // Specials are rare: what is once NaN stays so, and shows nothing more.
    let magnitude = match rng.below(32) {
        0 => return nan,
        1 => infinity,
        2 => 0,
        3 => 1,
        4 => infinity - 1,
        5..8 => random & !sign,
        // 0.5 to 16: the exponent of 1 is every bit of the exponent but the highest.
        _ => {
            let one = (infinity >> 1) >> fraction_bits << fraction_bits;
            let exponent = (one >> fraction_bits) - 1 + u64::from(rng.below(5));
            let short = rng.one_in(2);
            let fraction = random & ((1 << fraction_bits) - 1);
            let fraction = if short {
                fraction >> (fraction_bits - 2) << (fraction_bits - 2)
            } else {
                fraction
            };
            exponent << fraction_bits | fraction
        }
    };
    let bits = magnitude | (random & sign);
    if bits & infinity == infinity && bits & !(infinity | sign) != 0 { nan } else { bits }
}

/// Elements packed end to end, little-endian, the low nibble first: the bytes of a buffer.
pub fn pack(dtype: DType, elems: &[u64]) -> Vec<u8> {
    if dtype.bits() == 4 {
        let byte = |pair: &[u64]| (pair[0] & 15 | (pair.get(1).unwrap_or(&0) & 15) << 4) as u8;
        return elems.chunks(2).map(byte).collect();
    }
    let bytes = dtype.bits() as usize / 8;
    elems.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(bytes)).collect()
}
