//! Quantised weights: packing, unpacking, and products with vectors.

pub mod affine;
mod affine_cases;
pub mod block_quantize;
pub mod block_scaled;
pub mod format;
pub mod packed;
mod plans;
mod weights;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[
    affine::QUANTIZE,
    affine::DEQUANTIZE,
    affine::GEMV,
    block_quantize::ENTRY,
    block_scaled::DEQUANTIZE,
    block_scaled::GEMV,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn refusal(entry: &Entry, request: Request) -> String {
        entry.plan(&request).expect_err("it does not fit").to_string()
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let tensor = |dtype, shape: &[u32]| TensorDesc::new(dtype, shape);
        let w = || Request::new().input("w", tensor(DType::F32, &[2, 64]));
        assert_eq!(
            refusal(&affine::QUANTIZE, w().set("bits", 7)),
            "quantize_affine: `bits` must be 2, 3, 4, 5, 6 or 8, but it is 7"
        );
        assert_eq!(
            refusal(&affine::QUANTIZE, w().set("block", 48)),
            "quantize_affine: `block` must be 32, 64 or 128, but it is 48"
        );
        assert_eq!(
            refusal(&block_quantize::ENTRY, w().word("format", "nvfp4")),
            "quantize_block_scaled: `global` for nvfp4 must be given, but it is left out"
        );
        let product = |words, scale, format: &str| {
            Request::new()
                .input("codes", tensor(DType::U32, &[6, words]))
                .input("scales", tensor(scale, &[6, 2]))
                .input("x", tensor(DType::F16, &[3, 64]))
                .word("format", format)
        };
        assert_eq!(
            refusal(&block_scaled::GEMV, product(7, DType::F8E8M0, "mxfp4")),
            "gemv_block_scaled: the shape of `codes` must be [6, 8], but it is [6, 7]"
        );
        assert_eq!(
            refusal(&block_scaled::GEMV, product(8, DType::F16, "mxfp4")),
            "gemv_block_scaled: the dtype of `scales` for mxfp4 must be f8e8m0, but it is f16"
        );
        assert_eq!(
            refusal(&block_scaled::GEMV, product(8, DType::F8E8M0, "mxfp4").set("experts", 4)),
            "gemv_block_scaled: the rows of `codes` must be a multiple of 4 experts, but it is 6"
        );
        assert_eq!(
            refusal(&block_scaled::GEMV, product(8, DType::F8E8M0, "mxfp4").set("experts", 3)),
            "gemv_block_scaled: `experts` without `expert` must be 1, but it is 3"
        );
        assert!(
            refusal(&block_scaled::GEMV, product(8, DType::F16, "q4")).contains("one of: nvfp4")
        );
    }
}
