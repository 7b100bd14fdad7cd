//! Quantised weights: packing, unpacking, and products.

pub(crate) mod cases;
pub mod dequantize;
pub mod format;
pub mod gemm;
pub mod gemv;
pub(crate) mod plans;
pub mod points;
pub mod quantize;
pub mod quantize_blocks;
pub(crate) mod reference;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] =
    &[quantize::ENTRY, quantize_blocks::ENTRY, dequantize::ENTRY, gemv::ENTRY, gemm::ENTRY];

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
        assert!(refusal(&quantize::ENTRY, w().word("format", "q4_k")).contains("one of: nvfp4"));
        assert_eq!(
            refusal(&quantize::ENTRY, w().word("format", "mxfp4").set("block", 48)),
            "quantize: `block` for mxfp4 must be left out, but it is 48"
        );
        assert_eq!(
            refusal(&quantize::ENTRY, w().word("format", "nvfp4")),
            "quantize: `global` for nvfp4 must be given, but it is left out"
        );
        let product = |words, scale, format: &str| {
            Request::new()
                .input("codes", tensor(DType::U32, &[6, words]))
                .input("scales", tensor(scale, &[6, 2]))
                .input("x", tensor(DType::F16, &[3, 64]))
                .word("format", format)
        };
        let refused = |request| refusal(&gemv::ENTRY, request);
        assert_eq!(
            refused(product(7, DType::F8E8M0, "mxfp4")),
            "gemv_quantized: the shape of `codes` must be [6, 8], but it is [6, 7]"
        );
        assert_eq!(
            refused(product(8, DType::F16, "mxfp4")),
            "gemv_quantized: the dtype of `scales` for mxfp4 must be f8e8m0, but it is f16"
        );
        assert_eq!(
            refused(product(8, DType::F16, "q6_k")),
            "gemv_quantized: `scales` for q6_k must be left out, but it is given"
        );
        assert_eq!(
            refused(product(8, DType::F8E8M0, "mxfp4").set("experts", 4)),
            "gemv_quantized: the rows of `codes` must be a multiple of 4 experts, but it is 6"
        );
        assert_eq!(
            refused(product(8, DType::F8E8M0, "mxfp4").set("experts", 3)),
            "gemv_quantized: `experts` without `expert` must be 1, but it is 3"
        );
        assert_eq!(
            refused(product(8, DType::F8E8M0, "mxfp4").set("rows_2", 3)),
            "gemv_quantized: `rows_1` and on must be 0 only behind the last output, but it is 0, 3, 0"
        );
        assert!(refused(product(8, DType::F16, "q4")).contains("one of: nvfp4"));
    }

    /// Every operation that takes a format is tested on all of them, or on one of each kind: the formats that are nobody's
    /// and GGUF's too.
    #[test]
    fn no_operation_knows_some_formats_only() {
        let takes = |e: &&Entry| e.signature.words.iter().any(|w| w.name == "format");
        for entry in crate::entries().filter(takes) {
            let cases = (entry.cases)(entry);
            for name in ["int7_48", "affine4", "q6_k", "iq2_xxs"] {
                let given = |c: &Case| c.request.words.get("format").is_some_and(|f| f == name);
                let together = name == "q6_k" || name == "iq2_xxs";
                let takes = match entry.name {
                    "quantize" => !together,
                    "quantize_blocks" => name == "q6_k",
                    _ => true,
                };
                assert_eq!(cases.iter().any(given), takes, "{} of {name}", entry.name);
            }
        }
    }
}
