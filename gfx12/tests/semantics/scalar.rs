//! The scalar unit: results and SCC against formulas in wider integers, floats, and EXEC.

use crate::machine::{Registers, assemble_each, run_program, snippet};
use crate::operations::{first_one, h, like_the_first, numbers, s};

/// A result, and SCC where the operation changes it.
type ScalarFormula = fn(u64, u64) -> (u64, Option<bool>);

/// The scalar forms: operands in s[10:11] and s[12:13], the result in s[20:21], SCC in s22.
fn scalars(rows: &[(&str, u32, ScalarFormula)]) {
    let texts: Vec<String> =
        rows.iter().map(|(text, ..)| format!("{text}\ns_cselect_b32 s22, 1, 0")).collect();
    let (a, b) = (numbers(3, 64), numbers(4, 64));
    for ((text, bits, formula), program) in rows.iter().zip(assemble_each(&texts)) {
        for (&a, &b) in a.iter().zip(&b) {
            let (a, b) = if *bits == 64 { (a, b) } else { (a & 0xffff_ffff, b & 0xffff_ffff) };
            let s = [
                (10, a as u32),
                (11, (a >> 32) as u32),
                (12, b as u32),
                (13, (b >> 32) as u32),
                (20, 0),
                (21, 0),
            ];
            let wave = run_program(&program, &Registers { s: &s, ..Registers::default() })
                .unwrap_or_else(|e| panic!("{text}: {e}"));
            let (want, scc) = formula(a, b);
            let got = wave.sgpr64(20);
            let got = if *bits == 64 { got } else { got & 0xffff_ffff };
            let want = if *bits == 64 { want } else { want & 0xffff_ffff };
            assert_eq!(got, want, "{text} of {a:#x}, {b:#x}");
            if let Some(scc) = scc {
                assert_eq!(wave.s[22] == 1, scc, "SCC of {text} of {a:#x}, {b:#x}");
            }
        }
    }
}

fn nonzero(x: u64) -> (u64, Option<bool>) {
    (x, Some(x & 0xffff_ffff != 0))
}

fn nonzero64(x: u64) -> (u64, Option<bool>) {
    (x, Some(x != 0))
}

#[test]
fn scalar_words() {
    scalars(&[
        ("s_add_co_u32 s20, s10, s12", 32, |a, b| (a + b, Some(a + b > 0xffff_ffff))),
        ("s_sub_co_u32 s20, s10, s12", 32, |a, b| (a.wrapping_sub(b), Some(b > a))),
        ("s_add_co_i32 s20, s10, s12", 32, |a, b| {
            (a + b, Some((a as u32 as i32).checked_add(b as u32 as i32).is_none()))
        }),
        ("s_sub_co_i32 s20, s10, s12", 32, |a, b| {
            (a.wrapping_sub(b), Some((a as u32 as i32).checked_sub(b as u32 as i32).is_none()))
        }),
        ("s_add_co_u32 s20, s10, s12\ns_add_co_ci_u32 s20, s20, s12", 32, |a, b| {
            let (low, carry) = ((a + b) & 0xffff_ffff, (a + b) >> 32);
            (low + b + carry, Some(low + b + carry > 0xffff_ffff))
        }),
        ("s_absdiff_i32 s20, s10, s12", 32, |a, b| nonzero(s(a).abs_diff(s(b)))),
        ("s_lshl_b32 s20, s10, s12", 32, |a, b| nonzero(a << (b % 32))),
        ("s_ashr_i32 s20, s10, s12", 32, |a, b| nonzero((s(a) >> (b % 32)) as u64)),
        ("s_lshl3_add_u32 s20, s10, s12", 32, |a, b| {
            ((a << 3) + b, Some((a << 3) + b > 0xffff_ffff))
        }),
        ("s_min_i32 s20, s10, s12", 32, |a, b| (s(a).min(s(b)) as u64, Some(s(a) < s(b)))),
        ("s_max_u32 s20, s10, s12", 32, |a, b| (a.max(b), Some(a >= b))),
        ("s_and_not1_b32 s20, s10, s12", 32, |a, b| nonzero(a & !b)),
        ("s_xnor_b32 s20, s10, s12", 32, |a, b| nonzero(!(a ^ b))),
        ("s_bfe_u32 s20, s10, s12", 32, |a, b| {
            let (at, n) = (b % 32, b >> 16 & 127);
            nonzero((a >> at) & ((1 << n.min(63)) - 1))
        }),
        ("s_bfe_i32 s20, s10, s12", 32, |a, b| {
            let (at, n) = (b % 32, (b >> 16 & 127).min(32));
            let field = (s(a) >> at) as u64 & ((1 << n) - 1);
            nonzero(if n > 0 && field >> (n - 1) == 1 { field | u64::MAX << n } else { field })
        }),
        ("s_mul_i32 s20, s10, s12", 32, |a, b| (a.wrapping_mul(b), None)),
        ("s_mul_hi_u32 s20, s10, s12", 32, |a, b| ((a * b) >> 32, None)),
        ("s_mul_hi_i32 s20, s10, s12", 32, |a, b| (((s(a) * s(b)) >> 32) as u64, None)),
        ("s_pack_lh_b32_b16 s20, s10, s12", 32, |a, b| (a & 0xffff | b & 0xffff_0000, None)),
        ("s_ctz_i32_b32 s20, s10", 32, |a, _| (first_one(a, 0..32), None)),
        ("s_clz_i32_u32 s20, s10", 32, |a, _| (first_one(a, (0..32).rev()), None)),
        ("s_cls_i32 s20, s10", 32, |a, _| (like_the_first(a, 32), None)),
        ("s_sext_i32_i8 s20, s10", 32, |a, _| (i64::from(a as u8 as i8) as u64, None)),
        ("s_sext_i32_i16 s20, s10", 32, |a, _| (h(a) as u64, None)),
        ("s_abs_i32 s20, s10", 32, |a, _| nonzero(s(a).unsigned_abs())),
        ("s_bcnt1_i32_b32 s20, s10", 32, |a, _| nonzero((0..32).map(|n| a >> n & 1).sum())),
        ("s_cmp_lt_i32 s10, s12\ns_cselect_b32 s20, s10, s12", 32, |a, b| {
            (s(a).min(s(b)) as u64, Some(s(a) < s(b)))
        }),
        ("s_cmp_ge_u32 s10, s12", 32, |a, b| (0, Some(a >= b))),
        ("s_bitcmp1_b32 s10, s12", 32, |a, b| (0, Some(a >> (b % 32) & 1 == 1))),
        ("s_mov_b32 s20, s10\ns_addk_co_i32 s20, 0x8000", 32, |a, _| {
            (a.wrapping_sub(32768), Some((a as u32 as i32).checked_sub(32768).is_none()))
        }),
        ("s_movk_i32 s20, 0xfffe", 32, |_, _| (0xffff_fffe, None)),
    ]);
}

#[test]
fn scalar_longs() {
    scalars(&[
        ("s_lshl_b64 s[20:21], s[10:11], s12", 64, |a, b| nonzero64(a << (b % 64))),
        ("s_ashr_i64 s[20:21], s[10:11], s12", 64, |a, b| nonzero64((a as i64 >> (b % 64)) as u64)),
        ("s_or_not1_b64 s[20:21], s[10:11], s[12:13]", 64, |a, b| nonzero64(a | !b)),
        ("s_add_nc_u64 s[20:21], s[10:11], s[12:13]", 64, |a, b| (a.wrapping_add(b), None)),
        ("s_sub_nc_u64 s[20:21], s[10:11], s[12:13]", 64, |a, b| (a.wrapping_sub(b), None)),
        ("s_mul_u64 s[20:21], s[10:11], s[12:13]", 64, |a, b| (a.wrapping_mul(b), None)),
        ("s_brev_b64 s[20:21], s[10:11]", 64, |a, _| {
            ((0..64).map(|n| (a >> n & 1) << (63 - n)).sum(), None)
        }),
        ("s_ctz_i32_b64 s20, s[10:11]", 64, |a, _| (first_one(a, 0..64), None)),
        ("s_cmp_eq_u64 s[10:11], s[12:13]", 64, |a, b| (0, Some(a == b))),
        ("s_bfe_u64 s[20:21], s[10:11], s12", 64, |a, b| {
            let (at, n) = (b % 64, (b >> 16 & 127).min(64));
            nonzero64(if n == 0 { 0 } else { (a >> at) & (u64::MAX >> (64 - n)) })
        }),
    ]);
}

#[test]
fn scalar_floats() {
    let specials = [
        0.0f32,
        -0.0,
        1.0,
        -1.5,
        2.5,
        3.75,
        1e-40,
        -3e38,
        3e38,
        f32::INFINITY,
        f32::NAN,
        6e-8,
        65504.0,
        1e10,
    ];
    type Float = fn(f32, f32) -> f32;
    let sums: [(&str, Float); 12] = [
        ("s_add_f32 s20, s10, s12", |a, b| a + b),
        ("s_sub_f32 s20, s10, s12", |a, b| a - b),
        ("s_mul_f32 s20, s10, s12", |a, b| a * b),
        ("s_mov_b32 s20, s12\ns_fmac_f32 s20, s10, s12", |a, b| a.mul_add(b, b)),
        ("s_fmaak_f32 s20, s10, s12, 0x40400000", |a, b| a.mul_add(b, 3.0)),
        ("s_fmamk_f32 s20, s10, 0x40400000, s12", |a, b| a.mul_add(3.0, b)),
        ("s_ceil_f32 s20, s10", |a, _| a.ceil()),
        ("s_rndne_f32 s20, s10", |a, _| a.round_ties_even()),
        ("s_cvt_f32_i32 s20, s10", |a, _| a.to_bits() as i32 as f32),
        ("s_cvt_f32_u32 s20, s10", |a, _| a.to_bits() as f32),
        ("s_min_num_f32 s20, s10, s12", |a, b| {
            if a.is_nan() || b < a || (a == b && b.is_sign_negative()) { b } else { a }
        }),
        ("s_maximum_f32 s20, s10, s12", |a, b| match a.is_nan() || b.is_nan() {
            true => f32::NAN,
            false => {
                if b > a || (a == b && b.is_sign_positive()) {
                    b
                } else {
                    a
                }
            }
        }),
    ];
    type Relation = fn(f32, f32) -> bool;
    let relations: [(&str, Relation); 6] = [
        ("s_cmp_lt_f32 s10, s12", |a, b| a < b),
        ("s_cmp_lg_f32 s10, s12", |a, b| a < b || b < a),
        ("s_cmp_u_f32 s10, s12", |a, b| a.is_nan() || b.is_nan()),
        ("s_cmp_neq_f32 s10, s12", |a, b| a != b),
        ("s_cmp_nge_f32 s10, s12", |a, b| a.is_nan() || b.is_nan() || a < b),
        ("s_cmp_ge_f32 s10, s12", |a, b| a >= b),
    ];
    let texts: Vec<String> = sums
        .iter()
        .map(|(text, _)| text.to_string())
        .chain(relations.iter().map(|(text, _)| format!("{text}\ns_cselect_b32 s20, 1, 0")))
        .collect();
    let programs = assemble_each(&texts);
    for (n, program) in programs.iter().enumerate() {
        for a in specials {
            for b in specials {
                let s = [(10, a.to_bits()), (12, b.to_bits())];
                let got = run_program(program, &Registers { s: &s, ..Registers::default() })
                    .expect("it runs")
                    .s[20];
                if let Some((text, formula)) = sums.get(n) {
                    let (got, want) = (f32::from_bits(got), formula(a, b));
                    let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
                    assert!(same, "{text} of {a:e}, {b:e}: {got:e}, expected {want:e}");
                } else {
                    let (text, holds) = relations[n - sums.len()];
                    assert_eq!(got == 1, holds(a, b), "{text} of {a:e}, {b:e}");
                }
            }
        }
    }
    // Conversions to integers saturate; halves are rounded.
    let one = |text: &str, a: f32| {
        snippet(text, &Registers { s: &[(10, a.to_bits())], ..Registers::default() }).expect(text).s
            [20]
    };
    for (a, signed, unsigned) in
        [(-1.5, u32::MAX, 0), (3e9, 0x7fff_ffff, 3_000_000_000), (f32::NAN, 0, 0)]
    {
        assert_eq!(
            (one("s_cvt_i32_f32 s20, s10", a), one("s_cvt_u32_f32 s20, s10", a)),
            (signed, unsigned),
            "{a}"
        );
    }
    assert_eq!(one("s_cvt_f16_f32 s20, s10", 65520.0), 0x7c00);
    assert_eq!(
        one("s_cvt_f16_f32 s20, s10\ns_cvt_f32_f16 s20, s20", 0.1),
        0.099_975_586f32.to_bits()
    );
    // 1.5 + 2.25 in f16.
    assert_eq!(
        snippet(
            "s_add_f16 s20, 0x3e00, s10",
            &Registers { s: &[(10, 0x4080)], ..Registers::default() }
        )
        .expect("it runs")
        .s[20],
        0x4380
    );
    // The scalar unit's approximations.
    assert_eq!(
        (one("v_s_rcp_f32 s20, s10", 4.0), one("v_s_sqrt_f32 s20, s10", 9.0)),
        (0.25f32.to_bits(), 3f32.to_bits())
    );
    assert_eq!(
        (one("v_s_exp_f32 s20, s10", -3.0), one("v_s_log_f32 s20, s10", 32.0)),
        (0.125f32.to_bits(), 5f32.to_bits())
    );
}

#[test]
fn exec_is_saved_and_changed() {
    let run = |text: &str| {
        let registers =
            Registers { s: &[(10, 0x00ff_00f0)], exec: Some(0x0ff0_0ff0), ..Registers::default() };
        let wave = snippet(text, &registers).unwrap_or_else(|e| panic!("{text}: {e}"));
        (wave.s[20], wave.exec())
    };
    let (s0, exec) = (0x00ff_00f0u32, 0x0ff0_0ff0u32);
    assert_eq!(run("s_and_saveexec_b32 s20, s10"), (exec, s0 & exec));
    assert_eq!(run("s_or_saveexec_b32 s20, s10"), (exec, s0 | exec));
    assert_eq!(run("s_and_not1_saveexec_b32 s20, s10"), (exec, s0 & !exec));
    assert_eq!(run("s_and_not0_saveexec_b32 s20, s10"), (exec, !s0 & exec));
    assert_eq!(run("s_or_not1_saveexec_b32 s20, s10"), (exec, s0 | !exec));
    assert_eq!(run("s_and_not1_wrexec_b32 s20, s10"), (s0 & !exec, s0 & !exec));
    // A comparison that writes EXEC leaves only active lanes; one into a mask gives others no bit.
    let lane = "v_mov_b32 v1, 0\nv_mbcnt_lo_u32_b32 v1, -1, v1\n";
    assert_eq!(run(&format!("{lane}v_cmpx_lt_u32 v1, 8\ns_mov_b32 s20, 0")).1, exec & 0xff);
    assert_eq!(run("v_cmp_eq_u32 s20, 0, 0").0, exec);
}
