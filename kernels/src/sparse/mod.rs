//! 2:4 structured sparsity: of every four neighbours along a row, at most two are not zero.
//!
//! The format is in `docs/sparse24.md`.
//!
//! Invariants
//! - Kernels and `host` mean the same by a compressed matrix; neither uses the other's rules.
//! - What a kernel cannot take it counts, with the first row and group; the caller refuses.
//!
//! Absent: dropping a third number of a group. `prune24` alone chooses.

pub mod check24;
pub mod compress24;
pub mod decompress24;
pub mod definition;
mod gemm_cases;
pub mod gemm_sparse24;
pub mod generators;
pub mod group;
pub mod host;
mod image;
pub mod matrix;
mod plans;
mod product;
pub mod prune24;
pub mod registers;
mod report;
pub mod skinny;
mod wide;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[
    prune24::ENTRY,
    check24::ENTRY,
    compress24::ENTRY,
    decompress24::ENTRY,
    gemm_sparse24::ENTRY,
    gemm_sparse24::BLOCK_SCALED,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use evenweave_lang::matrix::Atom;

    fn refusal(entry: &Entry, request: Request) -> String {
        entry.plan(&request).expect_err("it does not fit").to_string()
    }

    /// A kernel is compiled for every device: what need not be known then is a number of the launch.
    #[test]
    fn the_family_has_few_kernels() {
        let kernels = |entry: &Entry| {
            let cases = (entry.cases)(entry);
            let plans = cases.iter().map(|case| entry.plan(&case.request).unwrap());
            let steps = plans.flat_map(|plan| plan.steps);
            let texts: std::collections::BTreeSet<_> =
                steps.map(|step| evenweave_lang::text::print(&step.kernel)).collect();
            (texts.len(), cases.len())
        };
        for (entry, most) in ENTRIES.iter().zip([20, 12, 12, 10, 160, 30]) {
            let (found, cases) = kernels(entry);
            assert!(found <= most, "{}: {found} kernels for {cases} cases", entry.name);
        }
    }

    /// Which path is taken on which device.
    #[test]
    fn a_device_gets_its_own_path_where_no_bit_changes() {
        let of = |[a, b]: [DType; 2], n: u32| {
            Request::new()
                .input("values", TensorDesc::new(a, &[5, 32]))
                .input("index", TensorDesc::new(DType::U16, &[5, 4]))
                .input("b", TensorDesc::new(b, &[64, n]))
        };
        let path = |request: Request, has: fn(Atom) -> bool| {
            let request = gemm_sparse24::for_device(&gemm_sparse24::ENTRY, request, has, |_| false);
            assert!(gemm_sparse24::ENTRY.plan(&request).is_ok());
            request.words.get("path").cloned().unwrap_or_default()
        };
        let quads = |atom: Atom| atom.quads();
        let halves = |atom: Atom| !atom.quads();
        let ints = [DType::I8; 2];
        assert_eq!(path(of(ints, 17), quads), "quads");
        assert_eq!(path(of(ints, 17), halves), "halves");
        assert_eq!(path(of(ints, 17), |_| false), "");
        // Few columns, of 64 rows: whole spans of one path, half a span of the other.
        assert_eq!(path(of(ints, 16), halves), "halves");
        assert_eq!(path(of(ints, 16), quads), "");
        assert_eq!(path(of([DType::F16; 2], 1).word("sums", "fast"), quads), "quads");
        assert_eq!(path(of([DType::I4, DType::U4], 17), halves), "halves");
        assert_eq!(path(of([DType::I4, DType::U4], 17), quads), "");
        assert_eq!(path(of([DType::I4, DType::I8], 17), halves), "");
        for pair in [[DType::F16; 2], [DType::F8E4M3, DType::F8E5M2]] {
            assert_eq!(path(of(pair, 17), halves), "");
            assert_eq!(path(of(pair, 17).word("sums", "fast"), halves), "halves");
        }
        assert_eq!(path(of([DType::F32; 2], 17).word("sums", "fast"), halves), "");
        assert_eq!(path(of(ints, 17).word("path", "plain"), halves), "plain");
    }

    /// Products with shared memory are taken where they have something to do, and no bit changes.
    #[test]
    fn a_large_product_is_of_groups_where_a_device_has_such() {
        let path = |pair: [DType; 2], [m, n, k]: [u32; 3], sums: &str, wide: bool| {
            let request = Request::new()
                .input("values", TensorDesc::new(pair[0], &[m, k / 2]))
                .input("index", TensorDesc::new(DType::U16, &[m, k / 16]))
                .input("b", TensorDesc::new(pair[1], &[k, n]))
                .word("sums", sums);
            let entry = &gemm_sparse24::ENTRY;
            let request =
                gemm_sparse24::for_device(entry, request, |atom: Atom| atom.quads(), |_| wide);
            assert!(entry.plan(&request).is_ok());
            request.words.get("path").cloned().unwrap_or_default()
        };
        let large = [128, 96, 128];
        let (i8s, f16s) = ([DType::I8; 2], [DType::F16; 2]);
        assert_eq!(path(i8s, large, "same", true), "group");
        assert_eq!(path(i8s, large, "same", false), "quads");
        assert_eq!(path(i8s, [127, 96, 128], "same", true), "quads");
        assert_eq!(path(i8s, [128, 95, 128], "same", true), "quads");
        assert_eq!(path(i8s, [128, 96, 192], "same", true), "quads");
        assert_eq!(path(f16s, large, "same", true), "");
        assert_eq!(path(f16s, [128, 96, 192], "fast", true), "group");
        assert_eq!(path([DType::F8E5M2, DType::F8E4M3], large, "fast", true), "group");
        assert_eq!(path([DType::F32; 2], large, "fast", true), "");
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let tensor = |dtype, shape: &[u32]| TensorDesc::new(dtype, shape);
        let x = |shape: &[u32]| Request::new().input("x", tensor(DType::F16, shape));
        assert_eq!(
            refusal(&prune24::ENTRY, x(&[2, 6])),
            "prune24: the last extent of `x` must be a multiple of 4, but it is [2, 6]"
        );
        assert_eq!(
            refusal(&prune24::ENTRY, x(&[2, 8]).input("mask", tensor(DType::Bool, &[2, 4]))),
            "prune24: the shape of `mask` must be [2, 8], but it is [2, 4]"
        );
        let product = |dtype, index: u32, k: u32| {
            Request::new()
                .input("values", tensor(dtype, &[5, 16]))
                .input("index", tensor(DType::U16, &[5, index]))
                .input("b", tensor(dtype, &[k, 3]))
        };
        let gemm = |request| refusal(&gemm_sparse24::ENTRY, request);
        assert_eq!(
            gemm(product(DType::F16, 3, 32)),
            "gemm_sparse24: the shape of `index` must be [5, 2], but it is [5, 3]"
        );
        assert_eq!(
            gemm(product(DType::F16, 2, 36)),
            "gemm_sparse24: the last extent of `values` must be 18, half of the 36 rows of `b`, but it is 16"
        );
        assert!(gemm(product(DType::F16, 2, 33)).contains("must be a multiple of 4"));
        assert_eq!(
            gemm(product(DType::F16, 2, 32).word("out", "i32")),
            "gemm_sparse24: `out` of floats must be f32, f16 or bf16, but it is i32"
        );
        let scale = tensor(DType::F32, &[5]);
        assert_eq!(
            gemm(product(DType::I8, 2, 32).input("scale", scale)),
            "gemm_sparse24: `scale` where y is i32 must be left out, but it is given"
        );
        assert!(gemm(product(DType::F32, 2, 32).word("path", "quads")).contains("f16, bf16 or i8"));
        assert_eq!(
            gemm(product(DType::I8, 2, 32).word("path", "group")),
            "gemm_sparse24: k, the rows of `b`, must be a multiple of 128 for this `path`, but it is 32"
        );
        assert!(gemm(product(DType::I4, 2, 32).word("path", "group")).contains("each one of f8"));
        let narrow = product(DType::I4, 2, 32).input("b", tensor(DType::I8, &[32, 3]));
        assert_eq!(
            gemm(narrow.word("path", "halves")),
            "gemm_sparse24: the dtypes of `values` and `b` for this `path` must be f16, bf16 or i8, both the same, \
             or each one of f8, or each of 4 bits, but it is i4 and i8"
        );
        let mixed = product(DType::F16, 2, 32).input("b", tensor(DType::F32, &[32, 3]));
        assert!(gemm(mixed).contains("the dtype of `b` for values of f16"));
    }
}
