use super::{number::fma_to_odd, storage::*, *};
use half::{bf16, f16};

/// A small generator, so that failures repeat.
struct Rng(u64);
impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

fn same16(got: u16, want: f32, is: impl Fn(f32) -> u16, nan: u16) -> bool {
    if want.is_nan() { got == nan } else { got == is(want) }
}

#[test]
fn sixteen_bit_floats_widen_as_half_does() {
    for code in 0..=u16::MAX {
        let (h, b) = (f16::from_bits(code).to_f32(), bf16::from_bits(code).to_f32());
        let (mine_h, mine_b) = (f16_to_f32(code), bf16_to_f32(code));
        assert!(mine_h.to_bits() == h.to_bits() || (h.is_nan() && mine_h.is_nan()), "{code:x}");
        assert!(mine_b.to_bits() == b.to_bits() || (b.is_nan() && mine_b.is_nan()), "{code:x}");
        assert!(same16(f32_to_f16(mine_h), h, |x| f16::from_f32(x).to_bits(), 0x7e00));
        assert!(same16(f32_to_bf16(mine_b), b, |x| bf16::from_f32(x).to_bits(), 0x7fc0));
    }
}

#[test]
fn narrowing_agrees_with_half_around_every_tie() {
    let check = |x: f32| {
        assert!(same16(f32_to_f16(x), x, |x| f16::from_f32(x).to_bits(), 0x7e00), "f16 {x:e}");
        assert!(same16(f32_to_bf16(x), x, |x| bf16::from_f32(x).to_bits(), 0x7fc0), "bf16 {x:e}");
    };
    for code in 0..u16::MAX {
        // The tie between neighbours lies half a step above each code; a step beside it decides.
        let ties = [
            (u32::from(code) << 16) | 0x8000,
            f16_to_f32(code).to_bits().wrapping_add(0x1000),
            (f16_to_f32(code & 0x3ff) + f32::from_bits(0x3300_0000)).to_bits(),
        ];
        for tie in ties {
            for bits in [tie.wrapping_sub(1), tie, tie.wrapping_add(1)] {
                check(f32::from_bits(bits));
            }
        }
    }
    let mut rng = Rng(1);
    for _ in 0..1 << 20 {
        check(f32::from_bits(rng.next() as u32));
    }
}

#[test]
fn f64_narrows_once() {
    let mut rng = Rng(2);
    for _ in 0..1 << 18 {
        let code = rng.next() as u16 & 0x7fff;
        let tie = 0.5 * (f64::from(f16_to_f32(code)) + f64::from(f16_to_f32(code + 1)));
        let btie = 0.5 * (f64::from(bf16_to_f32(code)) + f64::from(bf16_to_f32(code + 1)));
        if code < 0x7bff {
            // Within an f32 ulp of the tie: rounding through f32 would fall on it and go to even.
            let (below, above) = (tie * (1.0 - 1e-14), tie * (1.0 + 1e-14));
            assert_eq!((f64_to_f16(below), f64_to_f16(above)), (code, code + 1));
            assert_eq!(f64_to_f16(tie), code + (code & 1));
            assert_eq!(f64_to_f16(-above), (code + 1) | 0x8000);
        }
        if code < 0x7f7f {
            let (below, above) = (btie * (1.0 - 1e-14), btie * (1.0 + 1e-14));
            assert_eq!((f64_to_bf16(below), f64_to_bf16(above)), (code, code + 1));
            assert_eq!(f64_to_bf16(btie), code + (code & 1));
        }
    }
    assert_eq!(f64_to_f16(1e300), 0x7c00);
    assert_eq!(f64_to_f16(65519.999), 0x7bff);
    assert_eq!(f64_to_f16(65520.0), 0x7c00);
    assert_eq!(f64_to_f16(5e-324), 0);
    assert_eq!(f64_to_bf16(f64::NAN), 0x7fc0);
}

/// A table of a narrow float's values, from its definition.
fn table(codes: u16, mantissa_bits: u32, bias: i32) -> Vec<f64> {
    (0..codes)
        .map(|code| {
            let (e, m) = (i32::from(code >> mantissa_bits), code & ((1 << mantissa_bits) - 1));
            let unit = 0.5f64.powi(mantissa_bits as i32);
            if e == 0 {
                f64::from(m) * unit * 2f64.powi(1 - bias)
            } else {
                (1.0 + f64::from(m) * unit) * 2f64.powi(e - bias)
            }
        })
        .collect()
}

/// Nearest entry of an ascending table, ties to the even code, saturating.
fn nearest(table: &[f64], x: f64) -> u8 {
    let above = table.iter().position(|&t| t >= x).unwrap_or(table.len() - 1);
    if above == 0 || table[above] <= x {
        return above as u8;
    }
    let (low, high) = (x - table[above - 1], table[above] - x);
    (if low < high || (low == high && above % 2 == 1) { above - 1 } else { above }) as u8
}

#[test]
fn narrow_floats_follow_their_definitions() {
    type Row = (DType, Vec<f64>, u64);
    let rows: [Row; 3] = [
        (DType::F8E4M3, table(0x7f, 3, 7), 0x7f),
        (DType::F8E5M2, table(0x7c, 2, 15), 0x7e),
        (DType::F4E2M1, table(8, 1, 1), 7),
    ];
    assert_eq!(rows[0].1.last(), Some(&448.0));
    assert_eq!(rows[1].1.last(), Some(&57344.0));
    assert_eq!(rows[2].1, [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
    for (dtype, table, nan) in rows {
        let sign = 1u64 << (dtype.bits() - 1);
        for (code, &value) in table.iter().enumerate() {
            let code = code as u64;
            assert_eq!(decode(dtype, code), (value as f32).to_word(), "{dtype} {code:x}");
            assert_eq!(decode(dtype, code | sign), (-value as f32).to_word(), "{dtype} -{code:x}");
            assert_eq!(encode(dtype, (-value as f32).to_word()), code | sign);
        }
        let top = table.len() as u64 - 1;
        assert_eq!(encode(dtype, f32::INFINITY.to_word()), top);
        assert_eq!(encode(dtype, f32::NEG_INFINITY.to_word()), top | sign);
        assert_eq!(encode(dtype, f32::MAX.to_word()), top);
        assert_eq!(encode(dtype, (-f32::NAN).to_word()), nan);
        let check = |x: f32| {
            assert_eq!(
                encode(dtype, x.to_word()),
                u64::from(nearest(&table, x.into())),
                "{dtype} {x:e}"
            );
        };
        for pair in table.windows(2) {
            let tie = (0.5 * (pair[0] + pair[1])) as f32;
            for x in [tie.next_down(), tie, tie.next_up()] {
                check(x);
            }
        }
        let mut rng = Rng(3);
        for _ in 0..1 << 16 {
            check(f32::from_bits(rng.next() as u32 & 0x7f7f_ffff));
        }
    }
    for code in [0x7d, 0x7e, 0x7f] {
        assert!(f32::from_word(decode(DType::F8E5M2, code)).is_nan());
    }
    assert_eq!(decode(DType::F8E5M2, 0x7c), f32::INFINITY.to_word());
    assert_eq!(decode(DType::F8E4M3, 0x7f), 0x7fc0_0000);
    assert_eq!(decode(DType::F8E4M3, 0xff), 0x7fc0_0000);
}

#[test]
fn scales_and_nibbles() {
    for code in 0..255u64 {
        let value = 2f64.powi(code as i32 - 127);
        assert_eq!(f64::from(f32::from_word(decode(DType::F8E8M0, code))), value);
        // 2^-127 is subnormal in f32; its exponent field is 0 like the code.
        assert_eq!(encode(DType::F8E8M0, (value as f32).to_word()), code);
        assert_eq!(encode(DType::F8E8M0, ((value * 1.99) as f32).to_word()), code);
    }
    assert_eq!(decode(DType::F8E8M0, 255), 0x7fc0_0000);
    for x in [-1.0, f32::INFINITY, f32::NAN] {
        assert_eq!(encode(DType::F8E8M0, x.to_word()), 255);
    }
    assert_eq!(encode(DType::F8E8M0, (-0.0f32).to_word()), 0);
    for x in -20i32..20 {
        assert_eq!(
            i32::from_word(decode(DType::I4, encode(DType::I4, x.to_word()))),
            x.clamp(-8, 7)
        );
        if x >= 0 {
            assert_eq!(decode(DType::U4, encode(DType::U4, x as u64)), x.min(15) as u64);
        }
    }
}

#[test]
fn sixteen_bit_arithmetic_rounds_the_exact_result_once() {
    let mut rng = Rng(4);
    for _ in 0..1 << 20 {
        let r = rng.next();
        let (a, b) = (r as u16, (r >> 16) as u16);
        for (dtype, wide, nan, to) in [
            (DType::F16, f16_to_f32 as fn(u16) -> f32, 0x7e00, f64_to_f16 as fn(f64) -> u16),
            (DType::BF16, bf16_to_f32, 0x7fc0, f64_to_bf16),
        ] {
            let (x, y) = (f64::from(wide(a)), f64::from(wide(b)));
            // Exact in f64, but a quotient: that has 53 bits against 11, and no tie.
            for (op, exact) in [(BinaryOp::Mul, x * y), (BinaryOp::Div, x / y)] {
                let got = binary(op, dtype, a.into(), b.into()).unwrap() as u16;
                assert_eq!(
                    got,
                    if exact.is_nan() { nan } else { to(exact) },
                    "{dtype} {a:x} {b:x}"
                );
            }
            let sum = fma_to_odd(x, 1.0, y);
            let got = binary(BinaryOp::Add, dtype, a.into(), b.into()).unwrap() as u16;
            assert_eq!(got, if sum.is_nan() { nan } else { to(sum) }, "{dtype} {a:x} + {b:x}");
        }
    }
}

/// `a * b + c` of finite 16-bit floats by integers: units of 2^-266 would need 500 bits, so the test takes
/// f16 only, whose numbers are multiples of 2^-24.
#[test]
fn fma_of_f16_rounds_once() {
    let units = |h: u16| (f64::from(f16_to_f32(h)) * 2f64.powi(24)) as i128;
    let mut rng = Rng(5);
    let mut through_f32 = 0;
    for _ in 0..1 << 20 {
        let r = rng.next();
        let [a, b] = [r as u16, (r >> 16) as u16].map(|h| h & 0xbfff);
        let c = (r >> 32) as u16 & 0xbfff;
        let exact = units(a) * units(b) + (units(c) << 24);
        let sign = if exact < 0 { -1.0 } else { 1.0 };
        let magnitude = exact.unsigned_abs();
        let top = 128 - magnitude.leading_zeros();
        // Keep 50 bits and a sticky one: exact in f64, and on the right side of every tie.
        let cut = top.saturating_sub(50);
        let sticky = u128::from(magnitude & ((1 << cut) - 1) != 0);
        let wide = (((magnitude >> cut) << 1) | sticky) as f64 * 2f64.powi(cut as i32 - 49);
        let want = if exact == 0 { None } else { Some(f64_to_f16(sign * wide)) };
        let got = fma(DType::F16, a.into(), b.into(), c.into()).unwrap() as u16;
        match want {
            Some(want) => assert_eq!(got, want, "{a:x} {b:x} {c:x}"),
            None => assert_eq!(got & 0x7fff, 0),
        }
        through_f32 +=
            usize::from(f32_to_f16(f16_to_f32(a).mul_add(f16_to_f32(b), f16_to_f32(c))) != got);
    }
    // 1 + 2^-11 is a tie; 2^-24 * 2^-24 above it must round up. Through f32 it is lost.
    let (one, tiny) = (0x3c00, 0x0001);
    assert_eq!(fma(DType::F16, tiny, tiny, one), Some(one));
    let tie = fma(DType::F16, 0x3c01, 0x3800, 0x0001);
    assert_eq!(tie, Some(u64::from(f64_to_f16(1.0009765625 * 0.5 + 2f64.powi(-24)))));
    assert!(through_f32 < 1 << 16);
}

#[test]
fn rsqrt_is_correctly_rounded() {
    // f32: against the exact comparison x * t * t with 1 in 128-bit integers, at both midpoints.
    let mut rng = Rng(6);
    for _ in 0..1 << 18 {
        let x = f32::from_bits(0x3f00_0000 | (rng.next() as u32 & 0x00ff_ffff));
        let y = Float::rsqrt(x);
        let scaled = |f: f64, p: i32| (f * 2f64.powi(p)) as u128;
        // x has 24 bits below 2^1, midpoints 25 bits below 2^1: scale to integers.
        let (m, power) = (scaled(x.into(), 25), 25 + 2 * 26);
        for (neighbour, above) in [(y.next_up(), true), (y.next_down(), false)] {
            let mid = (f64::from(y) + f64::from(neighbour)) / 2.0;
            let t = scaled(mid, 26);
            assert_eq!(m * t * t > 1 << power, above, "{x:e}");
        }
    }
    // f64: error by fma in double-double; half a unit at most.
    for _ in 0..1 << 18 {
        let x = f64::from_bits(0x3fe0_0000_0000_0000 | (rng.next() >> 11));
        let y = Float::rsqrt(x);
        let (square, low) = (y * y, y.mul_add(y, -(y * y)));
        let residual = (x.mul_add(-square, 1.0) - x * low) / 2.0;
        let ulp = y.next_up() - y;
        assert!((residual * y).abs() <= ulp * 0.500_001, "{x:e}");
    }
    for k in -500..500 {
        assert_eq!(Float::rsqrt(2f64.powi(2 * k)), 2f64.powi(-k));
    }
    assert_eq!(Float::rsqrt(5e-324f64), 2f64.powi(537));
    assert_eq!(Float::rsqrt(-0.0f32), f32::NEG_INFINITY);
    assert_eq!(Float::rsqrt(f64::INFINITY), 0.0);
    assert_eq!(unary(UnaryOp::Rsqrt, DType::F32, (-1.0f32).to_word()), Some(0x7fc0_0000));
}

#[test]
fn remainders_are_exact() {
    let mut rng = Rng(7);
    for i in 0..1 << 18 {
        let r = rng.next();
        let (a, b) = (f32::from_bits(r as u32), f32::from_bits((r >> 32) as u32));
        let want = a % b;
        let got = Number::rem(a, b);
        assert!(
            got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()),
            "{a:e} % {b:e}"
        );
        let (a, b) = (f64::from_bits(rng.next()), f64::from_bits(rng.next() >> (i % 64)));
        let (want, got) = (a % b, Number::rem(a, b));
        assert!(
            got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()),
            "{a:e} % {b:e}"
        );
    }
    assert_eq!(Number::rem(-6.0f32, 3.0).to_bits(), (-0.0f32).to_bits());
    assert_eq!(Number::rem(5.0f32, f32::INFINITY), 5.0);
    assert!(Number::rem(5.0f32, 0.0).is_nan());
}

#[test]
fn minimum_and_maximum_order_zeros_and_let_nan_win() {
    let f = |op, a: f32, b: f32| {
        f32::from_word(binary(op, DType::F32, a.to_word(), b.to_word()).unwrap())
    };
    for (a, b) in [(-0.0, 0.0), (0.0, -0.0)] {
        for op in [BinaryOp::Min, BinaryOp::MinNum] {
            assert!(f(op, a, b).is_sign_negative());
        }
        for op in [BinaryOp::Max, BinaryOp::MaxNum] {
            assert!(f(op, a, b).is_sign_positive());
        }
    }
    for (a, b) in [(f32::NAN, 1.0), (1.0, f32::NAN)] {
        assert!(f(BinaryOp::Min, a, b).is_nan() && f(BinaryOp::Max, a, b).is_nan());
        assert_eq!((f(BinaryOp::MinNum, a, b), f(BinaryOp::MaxNum, a, b)), (1.0, 1.0));
    }
    assert!(f(BinaryOp::MaxNum, f32::NAN, f32::NAN).is_nan());
}

#[test]
fn integers_have_one_answer_each() {
    use BinaryOp::*;
    let i32s = |op, a: i32, b: i32| {
        i32::from_word(binary(op, DType::I32, a.to_word(), b.to_word()).unwrap())
    };
    let u32s = |op, a: u32, b: u32| binary(op, DType::U32, a.into(), b.into()).unwrap() as u32;
    let min = i32::MIN;
    #[rustfmt::skip]
    let rows = [
        (Div, min, -1, min), (Rem, min, -1, 0), (Div, -7, 2, -3), (Rem, -7, 2, -1), (Div, 7, 0, -1),
        (Rem, 7, 0, 7), (Shl, 1, 33, 2), (Shl, 1, 32, 1), (Shr, -8, 1, -4), (Shr, -8, 33, -4),
        (Add, i32::MAX, 1, min), (Sub, min, 1, i32::MAX), (Mul, min, -1, min), (MulHigh, min, min, 1 << 30),
        (MulHigh, -1, 1, -1), (Min, min, 3, min), (Max, -1, 3, 3),
    ];
    for (op, a, b, want) in rows {
        assert_eq!(i32s(op, a, b), want, "{} {a} {b}", op.name());
    }
    assert_eq!(u32s(Div, 7, 0), u32::MAX);
    assert_eq!(u32s(Rem, 7, 0), 7);
    assert_eq!(u32s(MulHigh, u32::MAX, u32::MAX), u32::MAX - 1);
    assert_eq!(u32s(And, (1 << 24) + 1, u32::MAX), (1 << 24) + 1);
    assert_eq!(binary(Add, DType::U8, 255, 1), Some(0));
    assert_eq!(binary(Shl, DType::U8, 1, 9), Some(2));
    assert_eq!(binary(Div, DType::I8, 0x80, 0xff), Some(0x80));
    assert_eq!(binary(MulHigh, DType::I64, u64::MAX, u64::MAX), Some(0));
    assert_eq!(unary(UnaryOp::Abs, DType::I32, min.to_word()), Some(min.to_word()));
    assert_eq!(unary(UnaryOp::Neg, DType::I8, 0x80), Some(0x80));
    assert_eq!(unary(UnaryOp::LeadingZeros, DType::U16, 0), Some(16));
    assert_eq!(unary(UnaryOp::CountOnes, DType::I8, 0xff), Some(8));
    assert_eq!(unary(UnaryOp::TrailingZeros, DType::I64, 0), Some(64));
    assert_eq!(unary(UnaryOp::Not, DType::Bool, 1), Some(0));
    assert_eq!(unary(UnaryOp::Neg, DType::U32, 1), None);
    assert_eq!(unary(UnaryOp::Exp, DType::F32, 0), None);
}

#[test]
fn eight_bit_integers_exhaustively() {
    for a in -128i32..128 {
        for b in -128i32..128 {
            let got = |op| {
                i32::from(binary(op, DType::I8, a as u8 as u64, b as u8 as u64).unwrap() as i8)
            };
            assert_eq!(got(BinaryOp::MulHigh), (a * b) >> 8);
            let quotient = if b == 0 { -1 } else { (a / b) as i8 as i32 };
            assert_eq!(got(BinaryOp::Div), quotient);
            assert_eq!(got(BinaryOp::Rem), if b == 0 { a } else { a % b });
        }
    }
}

#[test]
fn casts_saturate_truncate_and_wrap() {
    let from_f32 = |to, x: f32| cast(DType::F32, to, x.to_word()).unwrap();
    assert_eq!(from_f32(DType::I32, 2.9), 2);
    assert_eq!(from_f32(DType::I32, -2.9), (-2i32).to_word());
    assert_eq!(from_f32(DType::I32, 1e20), i32::MAX as u64);
    assert_eq!(from_f32(DType::U8, -5.0), 0);
    assert_eq!(from_f32(DType::U8, f32::NAN), 0);
    assert_eq!(from_f32(DType::I8, -1000.0), 0x80);
    assert_eq!(from_f32(DType::Bool, f32::NAN), 1);
    assert_eq!(from_f32(DType::Bool, -0.0), 0);
    assert_eq!(cast(DType::I32, DType::U8, 0x1ff), Some(0xff));
    assert_eq!(cast(DType::I8, DType::U32, 0xff), Some(u32::MAX.into()));
    assert_eq!(cast(DType::U32, DType::F32, 16_777_217), Some(16_777_216f32.to_word()));
    assert_eq!(cast(DType::U64, DType::F32, u64::MAX), Some(2f32.powi(64).to_word()));
    // One rounding: 2^54 + 2^46 + 1 lies just above a tie of bf16 and must go up.
    let above = (1u64 << 54) + (1 << 46) + 1;
    assert_eq!(
        cast(DType::U64, DType::BF16, above),
        Some(u64::from(f32_to_bf16(2f32.powi(54))) + 1)
    );
    assert_eq!(cast(DType::U64, DType::BF16, above - 1), Some(f32_to_bf16(2f32.powi(54)).into()));
    assert_eq!(cast(DType::I32, DType::F16, 65520), Some(0x7c00));
    assert_eq!(cast(DType::I32, DType::F16, 2049), Some(f32_to_f16(2048.0).into()));
    assert_eq!(cast(DType::F8E4M3, DType::F32, 0), None);
}

#[test]
fn nan_is_one_value() {
    let bad = 0xffc0_1234u64;
    assert_eq!(bitcast(DType::F32, DType::U32, bad), Some(0x7fc0_0000));
    assert_eq!(unary(UnaryOp::Neg, DType::F32, bad), Some(0x7fc0_0000));
    assert_eq!(binary(BinaryOp::Add, DType::F32, bad, bad), Some(0x7fc0_0000));
    assert_eq!(cast(DType::F32, DType::F16, bad), Some(0x7e00));
    assert_eq!(cast(DType::F32, DType::F64, bad), Some(0x7ff8_0000_0000_0000));
    assert_eq!(encode(DType::F32, bad), 0x7fc0_0000);
    assert_eq!(encode(DType::BF16, 0xffff), 0x7fc0);
    assert_eq!(bitcast(DType::F32, DType::U64, 0), None);
    assert_eq!(compare(CompareOp::Ne, DType::F32, bad, bad), Some(true));
    assert_eq!(compare(CompareOp::Le, DType::F16, 0xfe00, 0xfe00), Some(false));
}

#[test]
fn an_identity_changes_nothing() {
    for &dtype in DType::ALL {
        for &op in ReduceOp::ALL {
            let Some(id) = identity(op, dtype) else { continue };
            let zero_signs = [0, 1u64 << (dtype.bits() - 1)];
            let mut rng = Rng(8);
            let random = (0..100).map(|_| rng.next() >> (64 - dtype.bits()));
            for x in random.chain(if dtype == DType::Bool { [0, 1] } else { zero_signs }) {
                let x = if dtype == DType::Bool { x & 1 } else { canonical(dtype, x) };
                assert_eq!(binary(combine(op), dtype, id, x), Some(x), "{dtype} {}", op.name());
                assert_eq!(binary(combine(op), dtype, x, id), Some(x), "{dtype} {}", op.name());
            }
        }
    }
    assert_eq!(identity(ReduceOp::Sum, DType::F32), Some(0x8000_0000));
    assert_eq!(identity(ReduceOp::Min, DType::I16), Some(0x7fff));
    assert_eq!(identity(ReduceOp::And, DType::F32), None);
}

#[test]
fn a_reduction_is_the_adjacent_first_tree() {
    use crate::ops::Reach;
    let mut rng = Rng(9);
    let x: [f32; 32] = std::array::from_fn(|_| (rng.next() as i32 as f32) * 1e-3);
    // The tree, from its definition: acc[v] = acc[2v] + acc[2v + 1], halving.
    let mut tree = x.to_vec();
    while tree.len() > 1 {
        tree = tree.chunks(2).map(|p| p[0] + p[1]).collect();
    }
    let mut lanes = x.map(|v| v.to_word());
    reduce(Reach::All, ReduceOp::Sum, DType::F32, &mut lanes).unwrap();
    assert!(lanes.iter().all(|&l| l == tree[0].to_word()));
    // The scan's prefixes of a power of two are the tree's totals of that prefix.
    let mut lanes = x.map(|v| v.to_word());
    reduce(Reach::Inclusive, ReduceOp::Sum, DType::F32, &mut lanes).unwrap();
    assert_eq!(lanes[31], tree[0].to_word());
    assert_eq!(lanes[1], (x[0] + x[1]).to_word());
    assert_eq!(lanes[2], ((x[0] + x[1]) + x[2]).to_word());
    assert_eq!(lanes[6], (((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + x[6])).to_word());
    let mut exclusive = x.map(|v| v.to_word());
    reduce(Reach::Exclusive, ReduceOp::Sum, DType::F32, &mut exclusive).unwrap();
    assert_eq!(exclusive[0], (-0.0f32).to_word());
    assert_eq!(exclusive[1..], lanes[..31]);
}
