//! The remainder of a truncated quotient, exact.

use super::pack::split;
use crate::math::{INF, MAGNITUDE, NAN};
use crate::prelude::*;

/// `a - b * trunc(a / b)`, exact, with the sign of `a`: long division of the significands, eight bits a step.
#[device]
pub fn rem(a: Val<f32>, b: Val<f32>) -> Val<f32> {
    let (ab, bb) = (bits(a), bits(b));
    let (aa, ba) = (ab & MAGNITUDE, bb & MAGNITUDE);
    let invalid = (ba == 0) | (INF <= aa) | (INF < ba);
    let mut r = select(invalid, NAN, ab);
    if !invalid & (ba <= aa) {
        let (ma, ea) = split(aa);
        let (mb, eb) = split(ba);
        let mut rest = ma % mb;
        let mut left = ea - eb;
        while (left != 0) & (rest != 0) {
            let by = min(left, 8);
            rest = (rest << by) % mb;
            left -= by;
        }
        // Units of the last place of `b`: up to a normal number, or as far as the exponent allows.
        let up = min(leading_zeros(rest) - 8, eb - 1);
        let magnitude = (rest << up) + ((eb - up - 1) << 23);
        r = select(rest == 0, 0u32, magnitude) | (ab ^ aa);
    }
    from_bits::<f32>(r)
}
