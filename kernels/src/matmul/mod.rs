//! Products of matrices and vectors.

pub mod gemm;
mod gemm_cases;
pub mod gemv;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] = &[gemv::ENTRY, gemm::GEMM, gemm::GEMM_BATCHED];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn refusal(entry: &Entry, a: &[u32], b: &[u32], set: (&str, i64)) -> String {
        let second = if entry.name == "gemv" { "x" } else { "b" };
        let request = Request::new()
            .input("a", TensorDesc::new(DType::F32, a))
            .input(second, TensorDesc::new(DType::F32, b))
            .set(set.0, set.1);
        entry.plan(&request).expect_err("it does not fit").to_string()
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let [gemv, gemm, batched] = ENTRIES else { panic!("three operations") };
        assert_eq!(
            refusal(gemm, &[2, 3], &[4, 5], ("trans_a", 0)),
            "gemm: `b` as [batch, k, n] must be [1, 3, n] like `a`, but it is [1, 4, 5]"
        );
        assert_eq!(
            refusal(gemm, &[2, 3], &[3, 5], ("tile", 9)),
            "gemm: `tile` must be 0 to 3, but it is 9"
        );
        assert_eq!(
            refusal(gemm, &[2, 3, 4], &[3, 5], ("tile", 0)),
            "gemm: the rank of `a` must be 2, but it is 3 [2, 3, 4]"
        );
        assert_eq!(
            refusal(batched, &[2, 3, 4], &[1, 4, 5], ("trans_b", 0)),
            "gemm_batched: `b` as [batch, k, n] must be [2, 4, n] like `a`, but it is [1, 4, 5]"
        );
        assert_eq!(
            refusal(gemv, &[2, 3], &[2], ("trans_a", 0)),
            "gemv: the shape of `x` must be [3], but it is [2]"
        );
        assert!(refusal(gemv, &[2, 3], &[3], ("trans_b", 1)).contains("no setting `trans_b`"));
    }
}
