//! A function of each element, several neighbours a thread.
//!
//! A thread whose neighbours are all there takes them one after another in straight line, so that its loads and
//! its stores of each buffer join to one access; the one at the ragged end walks those that are left.
//!
//! Invariants
//! - The body runs once for every element, and no element's result depends on another's: the split changes no bit.
//! - A thread's first element is a multiple of `per`.
//! - No product of these indices wraps for any `n` of 32 bits.

use evenweave_lang::{dtype::DType, prelude::*};

/// Threads of a group.
pub const THREADS: u32 = 256;

/// Bits of the widest access.
const ACCESS_BITS: u32 = 128;

/// Elements of a thread for buffers of these dtypes: the widest is accessed whole, 16 bytes at once, and the
/// narrower ones in one access each, so that neighbouring threads leave no gaps in any of them. One, where accesses of
/// some buffer do not join: its elements are `bool`, or of 4 bits. Floats of 8 bits are taken apart in many steps: half as
/// many keep all of them in registers.
pub const fn per(dtypes: &[DType]) -> u32 {
    let (mut widest, mut join, mut i) = (8, true, 0);
    while i < dtypes.len() {
        let bits =
            if dtypes[i].is_float() && dtypes[i].bits() == 8 { 16 } else { dtypes[i].bits() };
        if bits > widest {
            widest = bits;
        }
        join &= dtypes[i].bits() >= 8 && !matches!(dtypes[i], DType::Bool);
        i += 1;
    }
    if join { ACCESS_BITS / widest } else { 1 }
}

/// `x`, which `of`, a power of two, divides: the IR then says as much, and accesses may join.
#[device]
pub fn multiple(of: u32, x: Val<u32>) -> Val<u32> {
    if of == 1 {
        x
    } else {
        assert!(x & (of - 1) == 0, "neighbours that are taken together divide what there is");
        x & !(of - 1)
    }
}

/// Calls `body(i)` for each `i` below `n`, `per` neighbours a thread; `per` is a power of two, and there are
/// `n.div_ceil(THREADS * per)` groups.
#[device]
pub fn each(per: u32, n: Val<u32>, body: impl Fn(Val<u32>)) {
    // `n` rounded up to whole groups is at most 2^32, and so every thread's first element is below that.
    let first = global_id() * per;
    if first < n {
        if per == 1 {
            body(first);
        } else if n - first >= per {
            for k in 0..per {
                body(first + k);
            }
        } else {
            for i in first..n {
                body(i);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_dtype_fills_an_access() {
        assert_eq!(per(&[DType::F32]), 4);
        assert_eq!(per(&[DType::F32, DType::F16]), 4);
        assert_eq!(per(&[DType::BF16]), 8);
        assert_eq!(per(&[DType::U8]), 16);
        assert_eq!(per(&[DType::F64, DType::U8]), 2);
        assert_eq!(per(&[DType::F16, DType::Bool]), 1);
        assert_eq!(per(&[DType::I4, DType::F32]), 1);
        assert_eq!(per(&[DType::F8E4M3, DType::F32]), 4);
        assert_eq!(per(&[DType::F8E4M3, DType::I8]), 8);
    }
}
