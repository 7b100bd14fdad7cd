//! Convolutions.

pub mod causal_conv1d;
pub mod conv;
pub mod patches;
pub mod pool;
pub mod quantized;
pub mod resize;
pub mod winograd;

use crate::entry::Entry;

/// Over one to three axes.
pub static DIRECT: &[Entry] = conv::ENTRIES;
/// The others of this family.
pub static ENTRIES: &[Entry] = &[
    causal_conv1d::STEP,
    causal_conv1d::ENTRY,
    winograd::ENTRY,
    quantized::ENTRY,
    patches::ENTRY,
    resize::ENTRY,
    pool::ENTRY,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn refusal(x: &[u32], w: &[u32], set: (&str, i64)) -> String {
        let request = Request::new()
            .input("x", TensorDesc::new(DType::F32, x))
            .input("w", TensorDesc::new(DType::F32, w))
            .set(set.0, set.1);
        conv::CONV2D.plan(&request).expect_err("it does not fit").to_string()
    }

    #[test]
    fn what_does_not_fit_is_named() {
        assert_eq!(
            refusal(&[1, 4, 5, 5], &[2, 3, 3, 3], ("groups", 1)),
            "conv2d: the channels of `x` must be 1 groups of 3, but it is 4"
        );
        assert_eq!(
            refusal(&[1, 4, 5, 5], &[3, 2, 3, 3], ("groups", 2)),
            "conv2d: the out channels of `w` must be a multiple of 2, but it is 3"
        );
        assert_eq!(
            refusal(&[1, 1, 5, 5], &[1, 1, 3, 3], ("dilation_columns", 3)),
            "conv2d: the kernel's columns must be at least 1 and, with dilation 3, reach at most 5 columns, \
             but it is 3 (reach 7)"
        );
        assert_eq!(
            refusal(&[1, 1, 5, 5], &[1, 1, 3, 3], ("stride_rows", 0)),
            "conv2d: `stride_rows` must be 1 to 16777216, but it is 0"
        );
    }
}
