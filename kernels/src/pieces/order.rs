//! The total order of numbers, as unsigned integers.
//!
//! Invariants
//! - `key` maps equal bits to equal keys and keeps the order: -inf < ... < -0 < +0 < ... < +inf < NaN.
//! - `value` is the inverse of `key`; NaN comes back canonical.
//! - `rank` is the key for a search of the greatest or least element: the greater rank wins, NaN above all, and
//!   the zeros are equal.

use evenweave_lang::prelude::*;

/// A dtype with the total order.
pub trait Ordered: Numeric {
    /// The place in the order.
    fn key(x: Val<Self>) -> Val<u32>;
    /// The number at a place in the order.
    fn value(key: Val<u32>) -> Val<Self>;
    /// How well `x` does in a search of the greatest element, or of the least one.
    fn rank(x: Val<Self>, least: bool) -> Val<u32>;
}

#[device]
fn float_key(x: Val<f32>) -> Val<u32> {
    let b = bits(x);
    select(b >= 0x8000_0000, !b, b ^ 0x8000_0000)
}

#[device]
fn float_value(key: Val<u32>) -> Val<f32> {
    from_bits::<f32>(select(key >= 0x8000_0000, key ^ 0x8000_0000, !key))
}

#[device]
fn float_rank(x: Val<f32>, least: bool) -> Val<u32> {
    // Adding +0 makes -0 into +0 and leaves the rest; minus NaN is the same NaN.
    float_key(if least { -x } else { x } + 0.0)
}

#[device]
fn int_rank(key: Val<u32>, least: bool) -> Val<u32> {
    if least { !key } else { key }
}

/// The key of an i32: its sign bit flipped.
#[device]
fn signed_key(x: Val<i32>) -> Val<u32> {
    x as u32 ^ 0x8000_0000
}

#[device]
fn signed_value(key: Val<u32>) -> Val<i32> {
    (key ^ 0x8000_0000) as i32
}

#[device]
fn widen<T: Real>(x: Val<T>) -> Val<f32> {
    x as f32
}

#[device]
fn narrow<T: Real>(x: Val<f32>) -> Val<T> {
    x as T
}

macro_rules! ordered_floats {
    ($($ty:ty)*) => { $(
        impl Ordered for $ty {
            fn key(x: Val<$ty>) -> Val<u32> { float_key(widen(x)) }
            fn value(key: Val<u32>) -> Val<$ty> { narrow(float_value(key)) }
            fn rank(x: Val<$ty>, least: bool) -> Val<u32> { float_rank(widen(x), least) }
        }
    )* };
}
ordered_floats! { f32 f16 bf16 }

impl Ordered for i32 {
    fn key(x: Val<i32>) -> Val<u32> {
        signed_key(x)
    }
    fn value(key: Val<u32>) -> Val<i32> {
        signed_value(key)
    }
    fn rank(x: Val<i32>, least: bool) -> Val<u32> {
        int_rank(signed_key(x), least)
    }
}

impl Ordered for u32 {
    fn key(x: Val<u32>) -> Val<u32> {
        x
    }
    fn value(key: Val<u32>) -> Val<u32> {
        key
    }
    fn rank(x: Val<u32>, least: bool) -> Val<u32> {
        int_rank(x, least)
    }
}

/// A dtype whose elements are merged in order.
pub trait Compare: Scalar {
    /// Whether `a` may stand before `b`: it is not above it.
    fn in_order(a: Val<Self>, b: Val<Self>) -> Val<bool>;
}

#[device]
fn not_above<T: Int>(a: Val<T>, b: Val<T>) -> Val<bool> {
    a <= b
}

macro_rules! compare_by_key {
    ($($ty:ty)*) => { $(
        impl Compare for $ty {
            fn in_order(a: Val<$ty>, b: Val<$ty>) -> Val<bool> {
                not_above(<$ty>::key(a), <$ty>::key(b))
            }
        }
    )* };
}
compare_by_key! { f32 f16 bf16 i32 u32 }

impl Compare for u64 {
    fn in_order(a: Val<u64>, b: Val<u64>) -> Val<bool> {
        not_above(a, b)
    }
}
