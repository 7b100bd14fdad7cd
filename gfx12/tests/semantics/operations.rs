//! Integer, packed and scalar operations against formulas in wider integers, and what must be refused.

use crate::machine::{
    Random, Registers, apply_program, assemble_each, fill_in, run_program, snippet,
};
use evenweave_gfx12::fault::Cause;
use evenweave_gfx12::ops::OPS;
use evenweave_gfx12::{Dst, Format, Inst, Kind, Op, Program, Src};

/// Numbers of all lengths, and the edges.
pub(crate) fn numbers(seed: u64, bits: u32) -> Vec<u64> {
    let mut random = Random(seed);
    let edge =
        [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    let mut all: Vec<u64> =
        edge.iter().flat_map(|&x: &u64| [x, !x, x << 32]).map(|x| x & mask).collect();
    while all.len() < 256 {
        let x = random.next() >> random.below(64);
        all.push((if x & 2 == 0 { x } else { x.wrapping_neg() }) & mask);
    }
    // Every seed pairs the edges with others.
    for i in 0..256 {
        all.swap(i, random.below(256) as usize);
    }
    all
}

type Formula = fn(u64, u64, u64) -> u64;

/// An operation: its text, the widths of its operands and its result, and what it gives.
struct Row(&'static str, [u32; 3], u32, Formula);

fn check(rows: &[Row]) {
    let texts: Vec<String> =
        rows.iter().map(|Row(text, bits, result, _)| fill_in(text, *bits, *result)).collect();
    for (Row(text, bits, result, formula), program) in rows.iter().zip(assemble_each(&texts)) {
        let operands: Vec<Vec<u64>> = (0..3).map(|k| numbers(7 + k as u64, bits[k])).collect();
        let got = apply_program(&program, *result, &operands, None);
        for i in 0..256 {
            let (a, b, c) = (operands[0][i], operands[1][i], operands[2][i]);
            let want = formula(a, b, c);
            let want = if *result == 64 { want } else { want & 0xffff_ffff };
            assert_eq!(
                got[i], want,
                "{text} of {a:#x}, {b:#x}, {c:#x}: {:#x}, expected {want:#x}",
                got[i]
            );
        }
    }
}

const W: [u32; 3] = [32; 3];
const H: [u32; 3] = [16; 3];

pub(crate) fn s(x: u64) -> i64 {
    i64::from(x as u32 as i32)
}

pub(crate) fn h(x: u64) -> i64 {
    i64::from(x as u16 as i16)
}

fn clamp_i32(x: i64) -> u64 {
    x.clamp(-0x8000_0000, 0x7fff_ffff) as u64
}

fn signed24(x: u64) -> i64 {
    let low = (x & 0xff_ffff) as i64;
    if low >= 0x80_0000 { low - 0x100_0000 } else { low }
}

/// Bits from the top that are like the first one.
pub(crate) fn like_the_first(x: u64, bits: u32) -> u64 {
    let bit = |n: u32| x >> (bits - 1 - n) & 1;
    (1..bits).find(|&n| bit(n) != bit(0)).map_or(0xffff_ffff, u64::from)
}

pub(crate) fn first_one(x: u64, places: impl Iterator<Item = u32>) -> u64 {
    places
        .enumerate()
        .find(|&(_, place)| x >> place & 1 == 1)
        .map_or(0xffff_ffff, |(n, _)| n as u64)
}

#[test]
fn words() {
    check(&[
        Row("v_add_nc_u32 {d}, {0}, {1}", W, 32, |a, b, _| a + b),
        Row("v_add_nc_u32_e64 {d}, {0}, {1} clamp", W, 32, |a, b, _| (a + b).min(0xffff_ffff)),
        Row("v_sub_nc_u32 {d}, {0}, {1}", W, 32, |a, b, _| a.wrapping_sub(b)),
        Row("v_sub_nc_u32_e64 {d}, {0}, {1} clamp", W, 32, |a, b, _| a.saturating_sub(b)),
        Row("v_subrev_nc_u32 {d}, {0}, {1}", W, 32, |a, b, _| b.wrapping_sub(a)),
        Row("v_add_nc_i32 {d}, {0}, {1} clamp", W, 32, |a, b, _| clamp_i32(s(a) + s(b))),
        Row("v_sub_nc_i32 {d}, {0}, {1} clamp", W, 32, |a, b, _| clamp_i32(s(a) - s(b))),
        Row("v_mul_lo_u32 {d}, {0}, {1}", W, 32, |a, b, _| a.wrapping_mul(b)),
        Row("v_mul_hi_u32 {d}, {0}, {1}", W, 32, |a, b, _| (a * b) >> 32),
        Row("v_mul_hi_i32 {d}, {0}, {1}", W, 32, |a, b, _| ((s(a) * s(b)) >> 32) as u64),
        Row("v_mul_u32_u24 {d}, {0}, {1}", W, 32, |a, b, _| (a & 0xff_ffff) * (b & 0xff_ffff)),
        Row("v_mul_i32_i24 {d}, {0}, {1}", W, 32, |a, b, _| (signed24(a) * signed24(b)) as u64),
        Row("v_mul_hi_u32_u24 {d}, {0}, {1}", W, 32, |a, b, _| {
            ((a & 0xff_ffff) * (b & 0xff_ffff)) >> 32
        }),
        Row("v_mad_u32_u24 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            (a & 0xff_ffff) * (b & 0xff_ffff) + c
        }),
        Row("v_mad_i32_i24 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            (signed24(a) * signed24(b) + s(c)) as u64
        }),
        Row("v_lshlrev_b32 {d}, {0}, {1}", W, 32, |a, b, _| b << (a % 32)),
        Row("v_lshrrev_b32 {d}, {0}, {1}", W, 32, |a, b, _| b >> (a % 32)),
        Row("v_ashrrev_i32 {d}, {0}, {1}", W, 32, |a, b, _| (s(b) >> (a % 32)) as u64),
        Row("v_min_i32 {d}, {0}, {1}", W, 32, |a, b, _| s(a).min(s(b)) as u64),
        Row("v_max_u32 {d}, {0}, {1}", W, 32, |a, b, _| a.max(b)),
        Row("v_med3_i32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            let mut all = [s(a), s(b), s(c)];
            all.sort_unstable();
            all[1] as u64
        }),
        Row("v_minmax_u32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| a.min(b).max(c)),
        Row("v_maxmin_i32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| s(a).max(s(b)).min(s(c)) as u64),
        Row("v_bfe_u32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            (a >> (b % 32)) & ((1 << (c % 32)) - 1)
        }),
        Row("v_bfe_i32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            let (n, field) = (c % 32, (a >> (b % 32)) & ((1 << (c % 32)) - 1));
            if n > 0 && field >> (n - 1) == 1 { field | u64::MAX << n } else { field }
        }),
        Row("v_bfi_b32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| a & b | !a & c),
        Row("v_bfm_b32 {d}, {0}, {1}", W, 32, |a, b, _| ((1 << (a % 32)) - 1) << (b % 32)),
        Row("v_alignbit_b32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| (a << 32 | b) >> (c % 32)),
        Row("v_alignbyte_b32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| (a << 32 | b) >> (8 * (c % 4))),
        Row("v_xad_u32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| (a ^ b) + c),
        Row("v_lshl_add_u32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| (a << (b % 32)) + c),
        Row("v_add_lshl_u32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| (a + b) << (c % 32)),
        Row("v_lshl_or_b32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| a << (b % 32) | c),
        Row("v_and_or_b32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| a & b | c),
        Row("v_or3_b32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| a | b | c),
        Row("v_xor3_b32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| a ^ b ^ c),
        Row("v_add3_u32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| a + b + c),
        Row("v_bcnt_u32_b32 {d}, {0}, {1}", W, 32, |a, b, _| {
            (0..32).map(|n| a >> n & 1).sum::<u64>() + b
        }),
        Row("v_bfrev_b32 {d}, {0}", W, 32, |a, _, _| {
            (0..32).map(|n| (a >> n & 1) << (31 - n)).sum()
        }),
        Row("v_clz_i32_u32 {d}, {0}", W, 32, |a, _, _| first_one(a, (0..32).rev())),
        Row("v_ctz_i32_b32 {d}, {0}", W, 32, |a, _, _| first_one(a, 0..32)),
        Row("v_cls_i32 {d}, {0}", W, 32, |a, _, _| like_the_first(a, 32)),
        Row("v_sad_u8 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            (0..4).map(|n| (a >> (8 * n) & 255).abs_diff(b >> (8 * n) & 255)).sum::<u64>() + c
        }),
        Row("v_sad_u16 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            (a & 0xffff).abs_diff(b & 0xffff) + (a >> 16).abs_diff(b >> 16) + c
        }),
        Row("v_perm_b32 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            let all = a << 32 | b;
            let byte = |selector: u64| match selector {
                0..=7 => all >> (8 * selector) & 255,
                8 => (all >> 15 & 1) * 255,
                9 => (all >> 31 & 1) * 255,
                10 => (all >> 47 & 1) * 255,
                11 => (all >> 63 & 1) * 255,
                12 => 0,
                _ => 255,
            };
            (0..4).map(|n| byte(c >> (8 * n) & 255) << (8 * n)).sum()
        }),
        Row("v_cvt_pk_u16_u32 {d}, {0}, {1}", W, 32, |a, b, _| a.min(0xffff) | b.min(0xffff) << 16),
        Row("v_cvt_pk_i16_i32 {d}, {0}, {1}", W, 32, |a, b, _| {
            let half = |x: u64| (s(x).clamp(-32768, 32767) & 0xffff) as u64;
            half(a) | half(b) << 16
        }),
    ]);
}

#[test]
fn carries_go_from_word_to_word() {
    let add = "v_add_co_u32 {d}, vcc_lo, {0}, {1}\nv_add_co_ci_u32 {d}, vcc_lo, {2}, {d}, vcc_lo";
    let sub = "v_sub_co_u32 {d}, vcc_lo, {0}, {1}\nv_sub_co_ci_u32 {d}, vcc_lo, {2}, {d}, vcc_lo";
    let out = "v_add_co_u32 {d}, vcc_lo, {0}, {1}\nv_cndmask_b32 {d}, 0, 1, vcc_lo";
    let borrow = "v_subrev_co_u32 {d}, s4, {0}, {1}\nv_cndmask_b32 {d}, 0, 1, s4";
    check(&[
        Row(add, W, 32, |a, b, c| c + ((a + b) & 0xffff_ffff) + ((a + b) >> 32)),
        Row(sub, W, 32, |a, b, c| {
            c.wrapping_sub(a.wrapping_sub(b) & 0xffff_ffff).wrapping_sub(u64::from(a < b))
        }),
        Row(out, W, 32, |a, b, _| (a + b) >> 32),
        Row(borrow, W, 32, |a, b, _| u64::from(b < a)),
    ]);
}

#[test]
fn longs() {
    let mixed = [32, 64, 32];
    check(&[
        Row("v_lshlrev_b64 {d}, {0}, {1}", mixed, 64, |a, b, _| b << (a % 64)),
        Row("v_lshrrev_b64 {d}, {0}, {1}", mixed, 64, |a, b, _| b >> (a % 64)),
        Row("v_ashrrev_i64 {d}, {0}, {1}", mixed, 64, |a, b, _| (b as i64 >> (a % 64)) as u64),
        Row("v_mad_co_u64_u32 {d}, vcc_lo, {0}, {1}, {2}", [32, 32, 64], 64, |a, b, c| {
            (a * b).wrapping_add(c)
        }),
        Row("v_mad_co_i64_i32 {d}, vcc_lo, {0}, {1}, {2}", [32, 32, 64], 64, |a, b, c| {
            (s(a) * s(b)).wrapping_add(c as i64) as u64
        }),
        Row(
            "v_mad_co_u64_u32 v[22:23], s4, {0}, {1}, {2}\nv_cndmask_b32 {d}, 0, 1, s4",
            [32, 32, 64],
            32,
            |a, b, c| u64::from((a * b).checked_add(c).is_none()),
        ),
        Row(
            "v_cmp_lt_i64 vcc_lo, {0}, {1}\nv_cndmask_b32 {d}, 0, 1, vcc_lo",
            [64; 3],
            32,
            |a, b, _| u64::from((a as i64) < b as i64),
        ),
        Row(
            "v_cmp_ge_u64 vcc_lo, {0}, {1}\nv_cndmask_b32 {d}, 0, 1, vcc_lo",
            [64; 3],
            32,
            |a, b, _| u64::from(a >= b),
        ),
        Row(
            "v_cmp_ne_u64 vcc_lo, {0}, {1}\nv_cndmask_b32 {d}, 0, 1, vcc_lo",
            [64; 3],
            32,
            |a, b, _| u64::from(a != b),
        ),
        Row("v_cmp_gt_i32 vcc_lo, {0}, {1}\nv_cndmask_b32 {d}, 0, 1, vcc_lo", W, 32, |a, b, _| {
            u64::from(s(a) > s(b))
        }),
        Row("v_cmp_le_u32 vcc_lo, {0}, {1}\nv_cndmask_b32 {d}, 0, 1, vcc_lo", W, 32, |a, b, _| {
            u64::from(a <= b)
        }),
        Row("v_cmp_lt_i16 vcc_lo, {0}, {1}\nv_cndmask_b32 {d}, 0, 1, vcc_lo", W, 32, |a, b, _| {
            u64::from(h(a) < h(b))
        }),
        Row("v_cmp_gt_u16 vcc_lo, {0}, {1}\nv_cndmask_b32 {d}, 0, 1, vcc_lo", W, 32, |a, b, _| {
            u64::from(a & 0xffff > b & 0xffff)
        }),
    ]);
}

/// Two halves by a formula of halves.
fn both(a: u64, b: u64, c: u64, f: impl Fn(u64, u64, u64) -> u64) -> u64 {
    let at = |n: u32| f(a >> n & 0xffff, b >> n & 0xffff, c >> n & 0xffff) & 0xffff;
    at(0) | at(16) << 16
}

#[test]
fn halves() {
    check(&[
        Row("v_add_nc_u16 {d}, {0}, {1}", H, 32, |a, b, _| (a + b) & 0xffff),
        Row("v_add_nc_u16 {d}, {0}, {1} clamp", H, 32, |a, b, _| (a + b).min(0xffff)),
        Row("v_sub_nc_i16 {d}, {0}, {1} clamp", H, 32, |a, b, _| {
            ((h(a) - h(b)).clamp(-32768, 32767) & 0xffff) as u64
        }),
        Row("v_mul_lo_u16 {d}, {0}, {1}", H, 32, |a, b, _| (a * b) & 0xffff),
        Row("v_mad_u16 {d}, {0}, {1}, {2}", H, 32, |a, b, c| (a * b + c) & 0xffff),
        Row("v_max_i16 {d}, {0}, {1}", H, 32, |a, b, _| (h(a).max(h(b)) & 0xffff) as u64),
        Row("v_ashrrev_i16 {d}, {0}, {1}", H, 32, |a, b, _| ((h(b) >> (a % 16)) & 0xffff) as u64),
        Row("v_mad_u32_u16 {d}, {0}, {1}, {2}", [16, 16, 32], 32, |a, b, c| a * b + c),
        Row("v_mad_i32_i16 {d}, {0}, {1}, {2}", [16, 16, 32], 32, |a, b, c| {
            (h(a) * h(b) + s(c)) as u64
        }),
        // The high half of one operand and of the result; the low half of the result stays zero.
        Row("v_add_nc_u16 {d}, {0}, {1} op_sel:[1,0,1]", W, 32, |a, b, _| {
            (((a >> 16) + (b & 0xffff)) & 0xffff) << 16
        }),
        Row("v_pk_add_u16 {d}, {0}, {1}", W, 32, |a, b, c| both(a, b, c, |a, b, _| a + b)),
        Row("v_pk_add_u16 {d}, {0}, {1} clamp", W, 32, |a, b, c| {
            both(a, b, c, |a, b, _| (a + b).min(0xffff))
        }),
        Row("v_pk_sub_i16 {d}, {0}, {1}", W, 32, |a, b, c| {
            both(a, b, c, |a, b, _| a.wrapping_sub(b))
        }),
        Row("v_pk_mul_lo_u16 {d}, {0}, {1}", W, 32, |a, b, c| both(a, b, c, |a, b, _| a * b)),
        Row("v_pk_mad_i16 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            both(a, b, c, |a, b, c| (h(a) * h(b) + h(c)) as u64)
        }),
        Row("v_pk_lshlrev_b16 {d}, {0}, {1}", W, 32, |a, b, c| {
            both(a, b, c, |a, b, _| b << (a % 16))
        }),
        Row("v_pk_ashrrev_i16 {d}, {0}, {1}", W, 32, |a, b, c| {
            both(a, b, c, |a, b, _| (h(b) >> (a % 16)) as u64)
        }),
        Row("v_pk_max_i16 {d}, {0}, {1}", W, 32, |a, b, c| {
            both(a, b, c, |a, b, _| h(a).max(h(b)) as u64)
        }),
        // Halves crossed, then the low one for both.
        Row("v_pk_add_u16 {d}, {0}, {1} op_sel:[1,0] op_sel_hi:[0,1]", W, 32, |a, b, c| {
            both(a >> 16 | a << 16, b, c, |a, b, _| a + b)
        }),
        Row("v_pk_min_u16 {d}, {0}, {1} op_sel_hi:[0,0]", W, 32, |a, b, _| {
            (a & 0xffff).min(b & 0xffff) * 0x1_0001
        }),
    ]);
}

/// A signed element of so many bits.
fn element(x: u64, n: u32, bits: u32, signed: bool) -> i64 {
    let field = (x >> (n * bits) & ((1 << bits) - 1)) as i64;
    if signed && field >> (bits - 1) == 1 { field - (1 << bits) } else { field }
}

#[test]
fn dot_products() {
    fn dot(a: u64, b: u64, bits: u32, sa: bool, sb: bool) -> i64 {
        (0..32 / bits).map(|n| element(a, n, bits, sa) * element(b, n, bits, sb)).sum()
    }
    check(&[
        Row("v_dot4_i32_iu8 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            (dot(a, b, 8, false, false) + s(c)) as u64
        }),
        Row("v_dot4_i32_iu8 {d}, {0}, {1}, {2} neg_lo:[1,0,0]", W, 32, |a, b, c| {
            (dot(a, b, 8, true, false) + s(c)) as u64
        }),
        Row("v_dot4_i32_iu8 {d}, {0}, {1}, {2} neg_lo:[0,1,0]", W, 32, |a, b, c| {
            (dot(a, b, 8, false, true) + s(c)) as u64
        }),
        Row("v_dot4_i32_iu8 {d}, {0}, {1}, {2} neg_lo:[1,1,0] clamp", W, 32, |a, b, c| {
            clamp_i32(dot(a, b, 8, true, true) + s(c))
        }),
        Row("v_dot8_i32_iu4 {d}, {0}, {1}, {2} neg_lo:[1,1,0]", W, 32, |a, b, c| {
            (dot(a, b, 4, true, true) + s(c)) as u64
        }),
        Row("v_dot8_i32_iu4 {d}, {0}, {1}, {2} clamp", W, 32, |a, b, c| {
            clamp_i32(dot(a, b, 4, false, false) + s(c))
        }),
        Row("v_dot4_u32_u8 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            dot(a, b, 8, false, false) as u64 + c
        }),
        Row("v_dot4_u32_u8 {d}, {0}, {1}, {2} clamp", W, 32, |a, b, c| {
            (dot(a, b, 8, false, false) as u64 + c).min(0xffff_ffff)
        }),
        Row("v_dot8_u32_u4 {d}, {0}, {1}, {2}", W, 32, |a, b, c| {
            dot(a, b, 4, false, false) as u64 + c
        }),
    ]);
}

#[test]
fn unwritten_registers_are_named() {
    let refused =
        |text: &str, registers: &Registers| snippet(text, registers).expect_err(text).to_string();
    let registers = Registers { v: &[(1, [1; 32])], s: &[(4, 4)], ..Registers::default() };
    assert_eq!(
        refused("v_add_f32 v2, v1, v3", &registers),
        "v3 is read in lane 0, and was never written there"
    );
    assert_eq!(
        refused("s_add_co_u32 s5, s4, s6", &registers),
        "scalar register 6 is read, and was never written"
    );
    assert_eq!(
        refused("v_fmac_f32 v2, v1, v1", &registers),
        "v2 is read in lane 0, and was never written there"
    );
    // Written by half of the lanes, read by more.
    let text = "s_mov_b32 exec_lo, 0xffff\nv_mov_b32 v2, 0\ns_mov_b32 exec_lo, 0x1ffff\nv_add_f32 v3, v2, v1";
    assert_eq!(refused(text, &registers), "v2 is read in lane 16, and was never written there");
    // A copy is no reading: what is read later is the copy.
    let text =
        "v_mov_b32 v2, v7\nv_dual_mov_b32 v4, v2 :: v_dual_mov_b32 v5, v1\nv_add_f32 v3, v4, v1";
    assert_eq!(refused(text, &registers), "v4 is read in lane 0, and was never written there");
    assert_eq!(
        refused("v_readlane_b32 s5, v2, 3", &registers),
        "v2 is read in lane 3, and was never written there"
    );
    // Two halves are a whole; the second half of a pair reads as well as the first.
    let halves = "s_mov_b32 exec_lo, 0xffff\nv_mov_b32 v2, 0\ns_mov_b32 exec_lo, 0xffff0000\n\
        v_mov_b32 v2, 0\ns_mov_b32 exec_lo, -1\nv_add_f32 v3, v2, v1";
    assert!(snippet(halves, &registers).is_ok());
    assert_eq!(
        refused("v_dual_mov_b32 v2, s4 :: v_dual_add_f32 v3, v1, v6", &registers),
        "v6 is read in lane 0, and was never written there"
    );
}

/// A register that was written in all lanes is not any more where what was never written is copied over it.
#[test]
fn what_was_written_may_be_unwritten_again() {
    let registers = Registers { v: &[(1, [1; 32])], s: &[(4, 4)], ..Registers::default() };
    let written = "v_mov_b32 v2, 0\nv_mov_b32 v5, 0\nv_mov_b32 v20, 0\n";
    for (text, register) in [
        ("v_mov_b32 v2, v7\nv_add_f32 v3, v2, v1", 2),
        ("v_dual_mov_b32 v2, v7 :: v_dual_mov_b32 v5, s4\nv_add_f32 v3, v2, v1", 2),
        ("v_dual_mov_b32 v2, s4 :: v_dual_mov_b32 v5, v7\nv_add_f32 v3, v5, v1", 5),
        // The sum's high half is as unwritten as the addend's.
        ("v_mad_co_u64_u32 v[4:5], null, v1, v1, v[20:21]\nv_add_f32 v3, v5, v1", 5),
        ("s_mov_b32 exec_lo, 1\nv_mov_b32 v2, v7\ns_mov_b32 exec_lo, -1\nv_add_f32 v3, v2, v1", 2),
    ] {
        let error = snippet(&format!("{written}{text}"), &registers).expect_err(text).to_string();
        assert_eq!(
            error,
            format!("v{register} is read in lane 0, and was never written there"),
            "{text}"
        );
    }
    assert!(snippet(&format!("{written}v_add_f32 v3, v2, v5"), &registers).is_ok());
    // Copies of scalars that nobody has written, into scalars and into lanes.
    for (text, register) in [
        ("s_mov_b32 s4, s9\ns_add_co_u32 s5, s4, s4", "scalar register 4 is read, and"),
        (
            "s_mov_b32 s10, s4\ns_mov_b64 s[6:7], s[10:11]\ns_add_co_u32 s5, s6, s7",
            "scalar register 7 is read, and",
        ),
        ("s_mov_b32 s4, s9\ns_mov_b32 exec_lo, s4", "scalar register 4 is read, and"),
        ("v_mov_b32 v2, s9\nv_add_f32 v3, v2, v1", "v2 is read in lane 0, and"),
        (
            "v_dual_mov_b32 v2, s9 :: v_dual_mov_b32 v5, s4\nv_add_f32 v3, v2, v1",
            "v2 is read in lane 0, and",
        ),
    ] {
        let error = snippet(&format!("{written}{text}"), &registers).expect_err(text).to_string();
        assert!(error.starts_with(register), "{text}: {error}");
    }
}

#[test]
fn every_operation_of_the_table_is_executed_or_named() {
    // What is not executed: transposing loads, which no compiler makes of plain code.
    let absent = ["global_load_tr_b128", "global_load_tr_b64"];
    let v: Vec<(u8, [u32; 32])> = (0..=255).map(|r| (r, [0; 32])).collect();
    // Jumps to a register lead to the last instruction.
    let s: Vec<(u8, u32)> = (0..126).map(|r| (r, if r == 0 { 4 } else { 0 })).collect();
    for &op in OPS {
        let info = op.info();
        let mut inst = Inst::new(op, info.encodings[0].0, 0);
        let scalar = op.mnemonic().starts_with("s_") || op.mnemonic().starts_with("v_s_");
        let place = |kind: Kind, n: u8| {
            if scalar || kind == Kind::Mask { Src::Sgpr(16 * n) } else { Src::Vgpr(16 * n) }
        };
        for (k, &kind) in info.src.iter().enumerate() {
            inst.src[k] = place(kind, k as u8);
        }
        inst.dst = match info.dst {
            Kind::None => Dst::None,
            Kind::Mask => Dst::Sgpr(64),
            _ if scalar => Dst::Sgpr(64),
            _ => Dst::Vgpr(64),
        };
        let insts = vec![inst, Inst::new(Op::SEndpgm, Format::Sopp, 4)];
        let program = Program::new(0, insts, vec![0, 1]);
        let result = run_program(&program, &Registers { v: &v, s: &s, ..Registers::default() });
        let unknown = matches!(result, Err(Cause::Unsupported { what }) if what == op.mnemonic());
        assert_eq!(unknown, absent.contains(&op.mnemonic()), "{}", op.mnemonic());
    }
}
