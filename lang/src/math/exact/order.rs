//! Comparisons, minima and signs of f32 on the bits.

use crate::math::{INF, MAGNITUDE, NAN, SIGN};
use crate::prelude::*;

/// An integer in the order of the numbers; the zeros are one.
#[device]
fn place(x: Val<u32>) -> Val<i32> {
    let magnitude = (x & MAGNITUDE) as i32;
    select((x as i32) < 0, 0 - magnitude, magnitude)
}

/// An integer in the order of the numbers; -0 lies before 0.
#[device]
fn rank(x: Val<u32>) -> Val<i32> {
    let x = x as i32;
    x ^ ((x >> 31) & (MAGNITUDE as i32))
}

/// Neither is NaN.
#[device]
fn ordered(x: Val<u32>, y: Val<u32>) -> Val<bool> {
    func::max(x & MAGNITUDE, y & MAGNITUDE) <= INF
}

/// `a == b`.
#[device]
pub fn eq(a: Val<f32>, b: Val<f32>) -> Val<bool> {
    let (a, b) = (bits(a), bits(b));
    ((a == b) | (((a | b) & MAGNITUDE) == 0)) & ordered(a, b)
}

/// `a != b`; true of NaN.
#[device]
pub fn ne(a: Val<f32>, b: Val<f32>) -> Val<bool> {
    !eq(a, b)
}

/// `a < b`.
#[device]
pub fn lt(a: Val<f32>, b: Val<f32>) -> Val<bool> {
    let (a, b) = (bits(a), bits(b));
    (place(a) < place(b)) & ordered(a, b)
}

/// `a <= b`.
#[device]
pub fn le(a: Val<f32>, b: Val<f32>) -> Val<bool> {
    let (a, b) = (bits(a), bits(b));
    (place(a) <= place(b)) & ordered(a, b)
}

/// `a > b`.
#[device]
pub fn gt(a: Val<f32>, b: Val<f32>) -> Val<bool> {
    lt(b, a)
}

/// `a >= b`.
#[device]
pub fn ge(a: Val<f32>, b: Val<f32>) -> Val<bool> {
    le(b, a)
}

/// IEEE minimum: NaN wins, -0 is below 0.
#[device]
pub fn min(a: Val<f32>, b: Val<f32>) -> Val<f32> {
    let (a, b) = (bits(a), bits(b));
    let low = select(rank(a) < rank(b), a, b);
    from_bits::<f32>(select(ordered(a, b), low, NAN))
}

/// IEEE maximum: NaN wins, -0 is below 0.
#[device]
pub fn max(a: Val<f32>, b: Val<f32>) -> Val<f32> {
    let (a, b) = (bits(a), bits(b));
    let high = select(rank(a) < rank(b), b, a);
    from_bits::<f32>(select(ordered(a, b), high, NAN))
}

/// IEEE minimumNumber: a number wins over NaN.
#[device]
pub fn min_num(a: Val<f32>, b: Val<f32>) -> Val<f32> {
    let (a, b) = (bits(a), bits(b));
    let low = select(rank(a) < rank(b), a, b);
    let low = select(INF < (a & MAGNITUDE), b, low);
    from_bits::<f32>(select(INF < (b & MAGNITUDE), a, low))
}

/// IEEE maximumNumber: a number wins over NaN.
#[device]
pub fn max_num(a: Val<f32>, b: Val<f32>) -> Val<f32> {
    let (a, b) = (bits(a), bits(b));
    let high = select(rank(a) < rank(b), b, a);
    let high = select(INF < (a & MAGNITUDE), b, high);
    from_bits::<f32>(select(INF < (b & MAGNITUDE), a, high))
}

/// `-x`.
#[device]
pub fn neg(x: Val<f32>) -> Val<f32> {
    let x = bits(x);
    from_bits::<f32>(select(INF < (x & MAGNITUDE), NAN, x ^ SIGN))
}

/// The magnitude.
#[device]
pub fn abs(x: Val<f32>) -> Val<f32> {
    from_bits::<f32>(bits(x) & MAGNITUDE)
}
