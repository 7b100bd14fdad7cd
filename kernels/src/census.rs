//! What a widely used library of kernels publishes of itself, and which operations compute the same here.
//!
//! Its counts are those of its kernels and test cases: there a kernel is one body for one format, width or tile, where here
//! those are values that a kernel is written over. So kernels say what must be covered; cases say how well it is held.
//!
//! Invariants
//! - A case of ours belongs to at most one row; a row's names are operations or families that there are.

use crate::{case::Case, entry::Entry, quant::format::Format};

/// A part of what that library has.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// What is computed.
    pub what: &'static str,
    /// Its kernels.
    pub kernels: u32,
    /// Its test cases.
    pub cases: u32,
    /// Our operations, or whole families where no operation has the name.
    pub ours: &'static [&'static str],
    /// Of which formats of weights.
    pub of: Of,
}

/// A kind of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Any, and operations that take none.
    Any,
    /// A scale and a bias a block.
    Affine,
    /// A scale a block.
    Scaled,
    /// Codes and scales together, as files of GGUF have them.
    Gguf,
}

impl Of {
    /// Whether a case is of this kind.
    fn holds(self, case: &Case) -> bool {
        if self == Of::Any {
            return true;
        }
        let Some(Format { scheme, .. }) = format_of(case) else { return self == Of::Gguf };
        self == match (scheme.blocks.is_some(), scheme.bias) {
            (true, _) => Of::Gguf,
            (false, true) => Of::Affine,
            (false, false) => Of::Scaled,
        }
    }
}

/// The format of an operation that takes one; where none is given, the first of its words.
fn format_of(case: &Case) -> Option<Format> {
    Format::named(case.request.words.get("format").map_or("", |word| word.as_str()))
}

impl Published {
    /// Whether a case of an operation belongs here.
    pub fn holds(&self, entry: &Entry, case: &Case) -> bool {
        let is_family = |name: &str| crate::find(name).is_none();
        let named = |name: &str| name == entry.name || (name == entry.family && is_family(name));
        self.ours.iter().any(|name| named(name)) && self.of.holds(case)
    }
}

const fn row(
    what: &'static str,
    [kernels, cases]: [u32; 2],
    ours: &'static [&'static str],
) -> Published {
    Published { what, kernels, cases, ours, of: Of::Any }
}

const fn of(of: Of, row: Published) -> Published {
    Published { of, ..row }
}

const PACKED: &[&str] = &["quant"];
const QUANTIZED: &[&str] = &["attention_quantized"];
const CONVOLUTIONS: &[&str] =
    &["conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv2d_winograd"];

/// All of it.
#[rustfmt::skip]
pub const PUBLISHED: &[Published] = &[
    row("Elementwise of one operand, casts, fused multiply-adds", [45, 102], &["unary", "fused", "cast"]),
    row("Elementwise of two operands", [13, 39], &["binary"]),
    row("Select, copies, ranges", [5, 27], &["ternary"]),
    row("Gated activations", [10, 36], &["gates"]),
    row("Reductions", [16, 45], &["reduce_rows", "reduce_columns", "reduce_all", "reduce_segments"]),
    row("Index of the greatest or least", [3, 20], &["arg_reduce"]),
    row("Softmax, logarithm of a sum of exponentials", [2, 8], &["softmax", "log_sum_exp"]),
    row("Scans", [8, 18], &["scans"]),
    row("Sorting, merging", [3, 9], &["sorting"]),
    row("Random numbers", [1, 1], &["random"]),
    row("Norms", [10, 33], &[
        "rms_norm", "add_rms_norm", "rms_norm_residual", "gated_rms_norm", "layer_norm", "group_norm", "gated_group_rms_norm",
        "rms_norm_rope",
    ]),
    row("Rotary embeddings", [7, 30], &["rope"]),
    row("Gather, scatter", [6, 18], &["indexing"]),
    row("Fourier transforms", [10, 40], &["fft"]),
    row("Hadamard transforms", [8, 24], &["hadamard"]),
    row("Dense products (plain, tiled, gathered, split, batched)", [27, 84], &["matmul"]),
    row("Attention of many queries", [15, 58], &["attention"]),
    row("Attention of one query", [31, 87], &["attention_decode"]),
    of(Of::Affine, row("Attention over affine keys and values", [22, 30], QUANTIZED)),
    of(Of::Scaled, row("Attention over block-scaled keys and values", [140, 456], QUANTIZED)),
    of(Of::Affine, row("Affine weights: packing, unpacking, products", [71, 213], PACKED)),
    of(Of::Scaled, row("Block-scaled weights: packing, unpacking, products, experts", [510, 1641], PACKED)),
    of(Of::Gguf, row("GGUF weights", [53, 18], PACKED)),
    row("Convolutions with block-scaled weights", [252, 810], &["conv_quantized"]),
    row("Mixture of experts: routing, permuting, grouped products", [30, 67], &["experts"]),
    row("Codebook of keys and values", [36, 58], &["codebook_encode", "codebook_decode", "codebook_score", "codebook_mix"]),
    row("Caches of keys and values", [10, 24], &["cache_update"]),
    row("Gated delta rule", [9, 33], &["gated_delta", "gated_delta_chunk", "gated_delta_gates"]),
    row("State space models, causal convolutions", [26, 30], &["ssm_scan", "ssd", "causal_conv1d", "causal_conv1d_step"]),
    row("Compressed attention, hyper-connections", [8, 45], &["sinkhorn", "compressed"]),
    row("Logits and sampling", [6, 18], &["logits"]),
    row("Convolutions, Winograd, patches", [23, 138], CONVOLUTIONS),
    row("Audio", [8, 30], &["audio", "lstm_cell"]),
    row("Images", [5, 24], &["resize", "pool2d", "patches"]),
    row("Probes", [7, 2], &[]),
];

/// All of its kernels and cases, as it counts them.
pub const PUBLISHED_TOTAL: [u32; 2] = [1_436, 4_316];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries;

    #[test]
    fn rows_add_up_and_name_what_there_is() {
        let sum = |count: fn(&Published) -> u32| PUBLISHED.iter().map(count).sum::<u32>();
        assert_eq!([sum(|p| p.kernels), sum(|p| p.cases)], PUBLISHED_TOTAL);
        for name in PUBLISHED.iter().flat_map(|p| p.ours) {
            assert!(entries().any(|e| e.name == *name || e.family == *name), "{name}");
        }
    }

    #[test]
    fn a_case_is_counted_once() {
        for entry in entries() {
            for case in (entry.cases)(entry) {
                let rows = PUBLISHED.iter().filter(|p| p.holds(entry, &case)).count();
                assert!(rows <= 1, "{}/{} is in {rows} rows", entry.name, case.name);
            }
        }
    }
}
