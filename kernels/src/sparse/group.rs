//! A group of four neighbours in a kernel: which of them are numbers other than zero, and how large they are.
//!
//! Invariants
//! - Magnitudes compare as unsigned integers, exactly, NaN above all; a magnitude is 0 only of a zero.

use crate::prelude::*;

/// The dtypes of compressed matrices.
#[rustfmt::skip]
pub const DTYPES: &[DType] = &[
    DType::F32, DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2, DType::I8, DType::I4, DType::U4,
];

/// A dtype of compressed matrices.
pub trait Kept: Element<Value: Numeric> {
    /// How large a number is.
    fn magnitude(x: Val<Self::Value>) -> Val<u32>;
}

#[device]
fn float_magnitude<T: Real>(x: Val<T>) -> Val<u32> {
    bits(x as f32) & 0x7fff_ffff
}

#[device]
fn int_magnitude<T: Int>(x: Val<T>) -> Val<u32> {
    let wide = x as i32;
    select(wide < 0, -wide, wide) as u32
}

macro_rules! kept {
    ($($ty:ty, $magnitude:ident;)*) => { $(
        impl Kept for $ty {
            fn magnitude(x: Val<Self::Value>) -> Val<u32> { $magnitude(x) }
        }
    )* };
}
kept! {
    f32, float_magnitude; f16, float_magnitude; bf16, float_magnitude;
    F8E4M3, float_magnitude; F8E5M2, float_magnitude;
    i8, int_magnitude; I4, int_magnitude; U4, int_magnitude;
}

/// Stages for a dtype of `DTYPES`.
macro_rules! with_kept {
    ($call:expr, $dtype:expr, $T:ident => $stage:expr) => {
        $crate::with_dtype! { $call, $dtype, $T => $stage; $crate::sparse::group::DTYPES;
        F32 f32, F16 ::half::f16, BF16 ::half::bf16, F8E4M3 F8E4M3, F8E5M2 F8E5M2, I8 i8, I4 I4, U4 U4, }
    };
}
pub(super) use with_kept;

/// Four neighbours.
pub struct Group<T: Kept> {
    /// The elements, each zero as +0.
    pub values: Vec<Val<T::Value>>,
    /// Their magnitudes.
    pub magnitudes: Vec<Val<u32>>,
}

/// The group that starts at element `first`.
#[device]
pub fn group_at<T: Kept>(x: &In<T>, first: Val<u64>) -> Group<T> {
    let raw: Vec<Val<T::Value>> = (0..4u64).map(|j| x[first + j]).collect();
    let magnitudes: Vec<Val<u32>> = raw.iter().map(|&v| T::magnitude(v)).collect();
    let zero = lit::<T::Value>(0.0);
    let values = (0..4).map(|j| select(magnitudes[j] == 0, zero, raw[j])).collect();
    Group { values, magnitudes }
}

/// How many of the group are other than zero.
#[device]
pub fn survivors<T: Kept>(group: &Group<T>) -> Val<u32> {
    let one: Vec<Val<u32>> = group.magnitudes.iter().map(|&m| min(m, 1)).collect();
    one[0] + one[1] + (one[2] + one[3])
}

/// Words of the index of a row of `k`, which is a multiple of four.
#[device]
pub fn index_words(k: Val<u32>) -> Val<u32> {
    k / 16 + min(k % 16, 1)
}
