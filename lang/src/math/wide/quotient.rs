//! Quotients and remainders of f64 by long division, in integers.
//!
//! Invariants
//! - Each step takes one bit, in a loop of the device.

use super::{INF, MAGNITUDE, NAN, SIGN, flag, leading_zeros, normalised, packed};
use crate::prelude::*;

/// Quotient, correctly rounded.
#[device]
pub fn div(a: Val<f64>, b: Val<f64>) -> Val<f64> {
    let (a, b) = (bits(a), bits(b));
    let sign = (a ^ b) & SIGN;
    let (a, b) = (a & MAGNITUDE, b & MAGNITUDE);
    let (ma, ea) = normalised(a);
    let (mb, eb) = normalised(b);
    // Doubled where it is the smaller one, so that the first bit is always a one.
    let less = ma < mb;
    let mut rest = select(less, ma << 1, ma);
    let mut q = val(0u64);
    for _ in val(0u32)..55 {
        let fits = mb <= rest;
        rest = (rest - select(fits, mb, 0u64)) << 1;
        q = (q << 1) | flag(fits);
    }
    let biased = ea - eb + select(less, 1022, 1023);
    let r = packed(biased, (q << 9) | flag(rest != 0));
    let r = select((a == 0) | (b == INF), 0u64, r);
    let r = select((b == 0) | (a == INF), INF, r);
    let invalid = ((a == 0) & (b == 0)) | ((a == INF) & (b == INF)) | (INF < a) | (INF < b);
    from_bits::<f64>(select(invalid, NAN, r | sign))
}

/// `1 / x`, correctly rounded.
#[device]
pub fn recip(x: Val<f64>) -> Val<f64> {
    div(val(1.0f64), x)
}

/// Exact remainder with the sign of `a`.
///
/// One round for each unit between the exponents, at most 2098.
#[device]
pub fn rem(a: Val<f64>, b: Val<f64>) -> Val<f64> {
    let (a, b) = (bits(a), bits(b));
    let sign = a & SIGN;
    let (a, b) = (a & MAGNITUDE, b & MAGNITUDE);
    let (ma, ea) = normalised(a);
    let (mb, eb) = normalised(b);
    let invalid = (INF <= a) | (INF < b) | (b == 0);
    let idle = invalid | (a < b);
    let rounds = select(idle, 0, ea - eb + 1) as u32;
    let mut rest = ma;
    for i in val(0u32)..rounds {
        // The first round has nothing to bring down.
        let wide = select(i == 0, rest, rest << 1);
        rest = wide - select(mb <= wide, mb, 0u64);
    }
    // `rest` counts units of the last place of `b`.
    let up = leading_zeros(rest) - 11;
    let m = rest << up;
    let e = eb - up as i32;
    let normal = m + (((e - 1) as u64) << 52);
    let r = select(e < 1, m >> (1 - e) as u32, normal);
    let r = select(rest == 0, 0u64, r);
    let r = select(a < b, a, r);
    from_bits::<f64>(select(invalid, NAN, r | sign))
}
