//! The segments of 2/pi that argument reduction of f64 needs.
//!
//! Invariants:
//! - The table is 2/pi to 1201 binary places, most significant first; a test derives it from a series for pi.

use super::soft;

/// 2/pi times 2^64, 2^128 and so on: words of its binary expansion after the point.
pub(super) const TWO_OVER_PI: [u64; 19] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_0000,
];

/// 53 bits of 2/pi from a place that the exponent of `x` and `segment` choose, at their weight.
#[must_use]
pub fn two_over_pi(x: f64, segment: u32) -> f64 {
    let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32;
    let shift = (segment & 31) as i32 * 53 + (exponent - 1077).max(0);
    let mut window = 0u64;
    for place in 0..53 {
        let bit = shift + place;
        let word = TWO_OVER_PI.get((bit / 64) as usize).copied().unwrap_or(0);
        let known = bit < 1201;
        window = (window << 1) | if known { (word >> (63 - bit % 64)) & 1 } else { 0 };
    }
    let scale = -53 - shift + if exponent >= 1968 { 128 } else { 0 };
    soft::ldexp_f64(window as f64, scale)
}
