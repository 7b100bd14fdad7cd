//! Conversions, exhaustively where the input has 16 bits or fewer, against definitions.

use crate::division::nearest_f16;
use crate::machine::{
    Random, Registers, apply, apply_program, assemble, assemble_each, fill_in, run_program,
    value_of,
};

fn words(values: impl IntoIterator<Item = u64>) -> Vec<Vec<u64>> {
    vec![values.into_iter().collect()]
}

fn all16() -> Vec<Vec<u64>> {
    words(0..1 << 16)
}

/// One source of 32 bits to a destination of 32.
fn one(text: &str, inputs: &[Vec<u64>]) -> Vec<u64> {
    apply(text, [32; 3], 32, inputs, None)
}

/// As [`one`], of an operation that `op_sel` makes read or write high halves.
fn one_high(text: &str, op_sel: u8, inputs: &[Vec<u64>]) -> Vec<u64> {
    let mut program = assemble(&format!("{}\ns_endpgm\n", fill_in(text, [32; 3], 32)));
    program.insts[0].op_sel = op_sel;
    apply_program(&program, 32, inputs, None)
}

/// Every value that is not NaN must be equal, bits and all; NaN must be NaN.
fn same(text: &str, input: u64, got: f64, expected: f64) {
    let equal = got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan());
    assert!(equal, "{text} of {input:#x}: {got:e}, expected {expected:e}");
}

fn f16(code: u64) -> f64 {
    value_of(code & 0xffff, 5, 10)
}

/// A float to an integer within bounds: towards zero, saturated, NaN to zero.
fn truncated(x: f64, least: f64, most: f64) -> i64 {
    if x.is_nan() { 0 } else { x.clamp(least, most) as i64 }
}

#[test]
fn f16_to_others() {
    let inputs = all16();
    // A low half, and a high one with something else below it.
    let high = words((0..1 << 16).map(|x| x << 16 | 0x1234));
    for (op_sel, inputs) in [(0, &inputs), (1, &high)] {
        let text = "v_cvt_f32_f16 {d}, {0}";
        for (x, got) in one_high(text, op_sel, inputs).into_iter().enumerate() {
            same(text, x as u64, f64::from(f32::from_bits(got as u32)), f16(x as u64));
        }
    }
    for (x, got) in one("v_cvt_i16_f16 {d}, {0}", &inputs).into_iter().enumerate() {
        assert_eq!(
            got as i16,
            truncated(f16(x as u64), -32768.0, 32767.0) as i16,
            "v_cvt_i16_f16 of {x:#x}"
        );
    }
    for (x, got) in one("v_cvt_u16_f16 {d}, {0}", &inputs).into_iter().enumerate() {
        assert_eq!(
            got as u16,
            truncated(f16(x as u64), 0.0, 65535.0) as u16,
            "v_cvt_u16_f16 of {x:#x}"
        );
    }
    for (text, scale, least) in [
        ("v_cvt_norm_i16_f16 {d}, {0}", 32767.0, -1.0),
        ("v_cvt_norm_u16_f16 {d}, {0}", 65535.0, 0.0),
    ] {
        for (x, got) in one(text, &inputs).into_iter().enumerate() {
            let exact = f16(x as u64).clamp(least, 1.0) * scale;
            let expected = if exact.is_nan() { 0 } else { exact.round_ties_even() as i64 };
            assert_eq!(got as u16, expected as u16, "{text} of {x:#x}");
        }
    }
}

#[test]
fn small_integers_to_others() {
    let inputs = all16();
    for (x, got) in one("v_cvt_f16_u16 {d}, {0}", &inputs).into_iter().enumerate() {
        nearest_f16(x as f64, got as u16, || format!("v_cvt_f16_u16 of {x}"));
    }
    for (x, got) in one("v_cvt_f16_i16 {d}, {0}", &inputs).into_iter().enumerate() {
        nearest_f16(f64::from(x as u16 as i16), got as u16, || format!("v_cvt_f16_i16 of {x:#x}"));
    }
    for (x, got) in one("v_cvt_i32_i16 {d}, {0}", &inputs).into_iter().enumerate() {
        assert_eq!(got as i32, i32::from(x as u16 as i16));
    }
    for (x, got) in
        one_high("v_cvt_u32_u16 {d}, {0}", 1, &words((0..1 << 16).map(|x| x << 16 | 0xffff)))
            .into_iter()
            .enumerate()
    {
        assert_eq!(got, x as u64);
    }
    for place in 0..4 {
        let inputs =
            words((0..256).map(|x| x << (8 * place) | (!(0xff << (8 * place)) & 0xa5a5_a5a5)));
        for (x, got) in
            one(&format!("v_cvt_f32_ubyte{place} {{d}}, {{0}}"), &inputs).into_iter().enumerate()
        {
            assert_eq!(f32::from_bits(got as u32), x as f32, "byte {place}");
        }
    }
    for (x, got) in
        one("v_cvt_off_f32_i4 {d}, {0}", &words((0..16).map(|x| x | 0x50))).into_iter().enumerate()
    {
        let signed = if x > 7 { x as f32 - 16.0 } else { x as f32 };
        assert_eq!(f32::from_bits(got as u32), signed / 16.0);
    }
    for shift in [0, 16] {
        for (x, got) in one("v_sat_pk_u8_i16 {d}, {0}", &words((0..1 << 16).map(|x| x << shift)))
            .into_iter()
            .enumerate()
        {
            let byte = i64::from(x as u16 as i16).clamp(0, 255) as u64;
            assert_eq!(got & 0xffff, byte << (shift / 2), "v_sat_pk_u8_i16 of {x:#x} << {shift}");
        }
    }
}

/// The value of an 8-bit float, from its definition: e4m3 has one NaN a sign and no infinity.
fn float8(code: u64, is_fp8: bool) -> f64 {
    if !is_fp8 {
        return value_of(code, 5, 2);
    }
    if code & 0x7f == 0x7f {
        return f64::NAN;
    }
    // The highest exponent is an ordinary one: the code's value with one more bit of exponent, the bias moved back.
    value_of((code & 0x7f) | (code & 0x80) << 1, 5, 3) * 2f64.powi(8)
}

#[test]
fn float8_to_f32() {
    for (name, is_fp8) in [("fp8", true), ("bf8", false)] {
        for place in 0..4 {
            let inputs =
                words((0..256).map(|x| x << (8 * place) | (!(0xff << (8 * place)) & 0x5a5a_5a5a)));
            let text = match place {
                0 => format!("v_cvt_f32_{name} {{d}}, {{0}}"),
                n => format!("v_cvt_f32_{name}_e64 {{d}}, {{0}} byte_sel:{n}"),
            };
            for (x, got) in one(&text, &inputs).into_iter().enumerate() {
                same(
                    &text,
                    x as u64,
                    f64::from(f32::from_bits(got as u32)),
                    float8(x as u64, is_fp8),
                );
            }
        }
        for (select, shift) in [("", 0), (" op_sel:[1,0]", 16)] {
            let text = format!("v_cvt_pk_f32_{name}_e64 {{d}}, {{0}}{select}");
            let inputs = words((0..1 << 16).map(|x| x << shift | 0x3c3c_3c3c & !(0xffff << shift)));
            for (x, got) in apply(&text, [32; 3], 64, &inputs, None).into_iter().enumerate() {
                let x = x as u64;
                same(&text, x, f64::from(f32::from_bits(got as u32)), float8(x & 0xff, is_fp8));
                same(
                    &text,
                    x,
                    f64::from(f32::from_bits((got >> 32) as u32)),
                    float8(x >> 8, is_fp8),
                );
            }
        }
    }
}

/// The nearest code of an 8-bit float, by looking at all of them.
fn nearest8(x: f64, is_fp8: bool) -> u64 {
    let sign = if x.is_sign_negative() { 0x80 } else { 0 };
    // Half a place past the largest value; the tie goes to the even code.
    let (largest, limit, overflow) =
        if is_fp8 { (0x7e, 464.0, 0x7f) } else { (0x7b, 61440.0, 0x7c) };
    let magnitude = x.abs();
    if magnitude > limit || (!is_fp8 && magnitude == limit) {
        return sign | overflow;
    }
    let distance = |code: u64| (float8(code, is_fp8) - magnitude).abs();
    let best = (0..=largest).min_by(|&a, &b| {
        distance(a).partial_cmp(&distance(b)).expect("finite").then((a & 1).cmp(&(b & 1)))
    });
    sign | best.expect("there are codes")
}

/// f32 near every code of an 8-bit float and of the points half-way between, and random ones.
fn near_codes(is_fp8: bool) -> Vec<f32> {
    let mut random = Random(21);
    let mut all = Vec::new();
    for code in 0..0x7c {
        let (x, y) = (float8(code, is_fp8), float8(code + 1, is_fp8));
        for middle in [x as f32, ((x + y) / 2.0) as f32] {
            all.extend([middle, middle.next_up(), middle.next_down(), -middle, -middle.next_up()]);
        }
    }
    all.extend([
        464.0,
        464.0f32.next_up(),
        480.0,
        1e9,
        f32::MAX,
        f32::INFINITY,
        f32::MIN_POSITIVE,
        1e-45,
        61440.0,
        57344.0,
    ]);
    all.extend((0..20_000).map(|_| f32::from_bits(random.next() as u32)).filter(|x| !x.is_nan()));
    all.extend((0..20_000).map(|_| f32::from_bits(0x3000_0000 + random.below(0x1a00_0000) as u32)));
    all
}

#[test]
fn f32_to_float8() {
    for (name, is_fp8) in [("fp8", true), ("bf8", false)] {
        let values = near_codes(is_fp8);
        let a: Vec<u64> = values.iter().map(|x| u64::from(x.to_bits())).collect();
        let b: Vec<u64> = a.iter().rev().copied().collect();
        for (select, shift) in [("", 0), (" op_sel:[0,0,1]", 16)] {
            let text = format!("v_cvt_pk_{name}_f32 {{d}}, {{0}}, {{1}}{select}");
            let got = apply(&text, [32; 3], 32, &[a.clone(), b.clone()], None);
            for (i, got) in got.into_iter().enumerate() {
                let (x, y) = (values[i], values[values.len() - 1 - i]);
                let want = nearest8(f64::from(x), is_fp8) | nearest8(f64::from(y), is_fp8) << 8;
                assert_eq!(got, want << shift, "{text} of {x:e}, {y:e}");
            }
        }
        for nan in [0x7fc0_0000u64, 0xff80_0001] {
            let got = one(&format!("v_cvt_pk_{name}_f32 {{d}}, {{0}}, {{0}}"), &words([nan]))[0];
            assert!(
                float8(got & 0xff, is_fp8).is_nan() && float8(got >> 8 & 0xff, is_fp8).is_nan()
            );
        }
    }
}

#[test]
fn stochastic_rounding_goes_up_as_often_as_the_rest_says() {
    let mut random = Random(5);
    for (name, is_fp8) in [("fp8", true), ("bf8", false)] {
        for place in 0..4 {
            let text = format!(
                "v_cvt_sr_{name}_f32 {{d}}, {{0}}, {{1}}{}",
                if place == 0 { String::new() } else { format!(" byte_sel:{place}") }
            );
            let values: Vec<f32> = (0..512)
                .map(|_| f32::from_bits(0x3c80_0000 + random.below(0x0600_0000) as u32))
                .collect();
            let a: Vec<u64> = values.iter().map(|x| u64::from(x.to_bits())).collect();
            let r: Vec<u64> = values.iter().map(|_| random.next() >> 32).collect();
            let got = apply(&text, [32; 3], 32, &[a, r.clone()], None);
            for (i, got) in got.into_iter().enumerate() {
                assert_eq!(got & !(0xff << (8 * place)), 0, "the other bytes stay");
                let x = f64::from(values[i]);
                let below =
                    (0..0x7b).rev().find(|&c| float8(c, is_fp8) <= x).expect("a code below");
                let (low, high) = (float8(below, is_fp8), float8(below + 1, is_fp8));
                let part = (x - low) / (high - low);
                // The top bits of the random number as a fraction; the sum's carry goes up.
                let dropped = if is_fp8 { 20 } else { 21 };
                let draw = (r[i] >> (32 - dropped)) as f64 / f64::from(1u32 << dropped);
                let want = if part + draw >= 1.0 { below + 1 } else { below };
                assert_eq!(got >> (8 * place), want, "{text} of {x} with {:#x}", r[i]);
            }
        }
    }
}

/// Random f32 and the edges of integers.
fn edges() -> Vec<f32> {
    let mut random = Random(31);
    let mut all: Vec<f32> = vec![
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -1.5,
        -2.5,
        0.499_999_97,
        255.5,
        254.5,
        -0.9,
        1e-45,
        f32::MAX,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        65504.0,
        65519.0,
        65520.0,
        65536.0,
        6e-8,
        2.9e-8,
        8_388_608.5,
        32767.5,
        -32768.5,
    ];
    for edge in [2147483648.0f32, 4294967296.0, 32768.0, 65536.0, 256.0, 16_777_216.0] {
        all.extend([
            edge,
            edge.next_down(),
            edge.next_up(),
            -edge,
            -edge.next_down(),
            -edge.next_up(),
        ]);
    }
    all.extend((0..30_000).map(|_| f32::from_bits(random.next() as u32)));
    all.extend((0..30_000).map(|_| (random.next() as i64 >> random.below(63)) as f32 / 8.0));
    all
}

#[test]
fn f32_to_integers() {
    let values = edges();
    let inputs = words(values.iter().map(|x| u64::from(x.to_bits())));
    let check = |text: &str, f: &dyn Fn(f64) -> i64| {
        for (x, got) in values.iter().zip(one(text, &inputs)) {
            assert_eq!(got as u32, f(f64::from(*x)) as u32, "{text} of {x:e}");
        }
    };
    let (min, max) = (f64::from(i32::MIN), f64::from(i32::MAX));
    check("v_cvt_i32_f32 {d}, {0}", &|x| truncated(x, min, max));
    check("v_cvt_u32_f32 {d}, {0}", &|x| truncated(x, 0.0, f64::from(u32::MAX)));
    check("v_cvt_floor_i32_f32 {d}, {0}", &|x| truncated(x.floor(), min, max));
    check("v_cvt_nearest_i32_f32 {d}, {0}", &|x| truncated((x + 0.5).floor(), min, max));
}

#[test]
fn f32_to_f16() {
    let values = edges();
    let inputs = words(values.iter().map(|x| u64::from(x.to_bits())));
    for (op_sel, shift) in [(0, 0), (8, 16)] {
        for (x, got) in values.iter().zip(one_high("v_cvt_f16_f32 {d}, {0}", op_sel, &inputs)) {
            assert_eq!(got & !(0xffff << shift), 0, "the other half stays");
            nearest_f16(f64::from(*x), (got >> shift) as u16, || format!("v_cvt_f16_f32 of {x:e}"));
        }
    }
    for (x, got) in values.iter().zip(one("v_cvt_pk_rtz_f16_f32 {d}, {0}, 1.0", &inputs)) {
        let (x, low) = (f64::from(*x), f16(got));
        assert_eq!(got >> 16, 0x3c00);
        if x.is_nan() {
            assert!(low.is_nan());
            continue;
        }
        // Towards zero: the largest magnitude that is not above.
        let next = f16((got & 0x7fff) + 1);
        let right = if x.is_infinite() {
            low == x
        } else {
            low.abs() <= x.abs() && (x.abs() < next || next.is_infinite()) && !low.is_infinite()
        };
        assert!(right && low.is_sign_negative() == x.is_sign_negative(), "{x:e} became {low:e}");
    }
}

#[test]
fn integers_to_floats() {
    let mut random = Random(41);
    let values: Vec<u64> = (0..60_000)
        .map(|_| u64::from(random.next() as u32 >> random.below(32)))
        .chain([0, 1, u64::from(u32::MAX), 0x8000_0000, 0x0100_0001])
        .collect();
    let inputs = vec![values.clone()];
    for (x, got) in values.iter().zip(one("v_cvt_f32_u32 {d}, {0}", &inputs)) {
        nearest_f32(*x as f64, f32::from_bits(got as u32));
    }
    for (x, got) in values.iter().zip(one("v_cvt_f32_i32 {d}, {0}", &inputs)) {
        nearest_f32(f64::from(*x as u32 as i32), f32::from_bits(got as u32));
    }
    for (x, got) in values.iter().zip(apply("v_cvt_f64_u32 {d}, {0}", [32; 3], 64, &inputs, None)) {
        assert_eq!(f64::from_bits(got), *x as f64);
    }
    for (x, got) in values.iter().zip(apply("v_cvt_f64_i32 {d}, {0}", [32; 3], 64, &inputs, None)) {
        assert_eq!(f64::from_bits(got), f64::from(*x as u32 as i32));
    }
}

/// Fails unless `got` is the f32 nearest to an exact value, ties to even.
fn nearest_f32(exact: f64, got: f32) {
    let error = |x: f32| (f64::from(x) - exact).abs();
    let (mine, up, down) = (error(got), error(got.next_up()), error(got.next_down()));
    let even = got.to_bits() & 1 == 0;
    assert!(
        mine < up && mine < down || (even && mine <= up && mine <= down),
        "{exact} became {got}"
    );
}

#[test]
fn f64_to_others() {
    let mut random = Random(51);
    let mut values: Vec<f64> = (0..40_000).map(|_| f64::from_bits(random.next())).collect();
    values.extend((0..40_000).map(|_| (random.next() as i64 >> random.below(63)) as f64 / 16.0));
    values.extend([
        0.0,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        -1e300,
        2147483647.5,
        2147483648.0,
        -2147483648.9,
        4294967295.9,
        1e-46,
        7e-46,
    ]);
    let inputs = words(values.iter().map(|x| x.to_bits()));
    for (x, got) in values.iter().zip(apply("v_cvt_i32_f64 {d}, {0}", [64; 3], 32, &inputs, None)) {
        assert_eq!(
            got as u32 as i32,
            truncated(*x, f64::from(i32::MIN), f64::from(i32::MAX)) as i32,
            "{x:e}"
        );
    }
    for (x, got) in values.iter().zip(apply("v_cvt_u32_f64 {d}, {0}", [64; 3], 32, &inputs, None)) {
        assert_eq!(got as u32, truncated(*x, 0.0, f64::from(u32::MAX)) as u32, "{x:e}");
    }
    for (x, got) in values.iter().zip(apply("v_cvt_f32_f64 {d}, {0}", [64; 3], 32, &inputs, None)) {
        let got = f32::from_bits(got as u32);
        if x.is_nan() {
            assert!(got.is_nan());
        } else if x.abs() < 3.4e38 {
            nearest_f32(*x, got);
        } else {
            assert!(got.is_infinite() || got.abs() == f32::MAX);
        }
    }
    let narrow: Vec<f32> = values.iter().map(|&x| x as f32).collect();
    let inputs = words(narrow.iter().map(|x| u64::from(x.to_bits())));
    for (x, got) in narrow.iter().zip(apply("v_cvt_f64_f32 {d}, {0}", [32; 3], 64, &inputs, None)) {
        same(
            "v_cvt_f64_f32",
            u64::from(x.to_bits()),
            f64::from_bits(got),
            value_of(u64::from(x.to_bits()), 8, 23),
        );
    }
}

/// A fraction of the largest integer: the nearest one, ties to even; NaN is zero.
fn fraction_of(x: f64, least: f64, most: f64) -> u64 {
    if x.is_nan() {
        0
    } else {
        (x.clamp(least, 1.0) * most).round_ties_even() as i64 as u64 & 0xffff
    }
}

#[test]
fn pairs_of_f16_to_fractions() {
    // Every f16 on either side, beside one that is another.
    let all: Vec<u64> = (0..1 << 16).collect();
    let other: Vec<u64> = all.iter().map(|x| (x * 0x9e37 + 1) & 0xffff).collect();
    for (text, least, most) in [
        ("v_cvt_pk_norm_i16_f16 {d}, {0}, {1}", -1.0, 32767.0),
        ("v_cvt_pk_norm_u16_f16 {d}, {0}, {1}", 0.0, 65535.0),
    ] {
        for (low, high) in [(&all, &other), (&other, &all)] {
            for (n, got) in one(text, &[low.clone(), high.clone()]).into_iter().enumerate() {
                let half = |x: u64| fraction_of(f16(x), least, most);
                assert_eq!(got, half(low[n]) | half(high[n]) << 16, "{text} of {:#x}", low[n]);
            }
        }
    }
}

#[test]
fn pairs_of_f32_to_integers() {
    let mut values = edges();
    values.extend((0..20_000).map(|n| (n as f32 - 10_000.0) / 9_000.0));
    let low: Vec<u64> = values.iter().map(|x| u64::from(x.to_bits())).collect();
    let high: Vec<u64> = low.iter().rev().copied().collect();
    let value = |bits: u64| f64::from(f32::from_bits(bits as u32));
    type Half = fn(f64) -> u64;
    let rows: [(&str, Half); 4] = [
        ("v_cvt_pk_i16_f32 {d}, {0}, {1}", |x| truncated(x, -32768.0, 32767.0) as u64 & 0xffff),
        ("v_cvt_pk_u16_f32 {d}, {0}, {1}", |x| truncated(x, 0.0, 65535.0) as u64),
        ("v_cvt_pk_norm_i16_f32 {d}, {0}, {1}", |x| fraction_of(x, -1.0, 32767.0)),
        ("v_cvt_pk_norm_u16_f32 {d}, {0}, {1}", |x| fraction_of(x, 0.0, 65535.0)),
    ];
    for (text, half) in rows {
        for (n, got) in one(text, &[low.clone(), high.clone()]).into_iter().enumerate() {
            let want = half(value(low[n])) | half(value(high[n])) << 16;
            assert_eq!(got, want, "{text} of {:e} and {:e}", value(low[n]), value(high[n]));
        }
    }
    // One byte of the third operand.
    let places: Vec<u64> = (0..low.len() as u64).map(|n| n % 7).collect();
    let olds: Vec<u64> = (0..low.len() as u64).map(|n| (n * 0x0101_2357) & 0xffff_ffff).collect();
    let text = "v_cvt_pk_u8_f32 {d}, {0}, {1}, {2}";
    for (n, got) in one(text, &[low.clone(), places.clone(), olds.clone()]).into_iter().enumerate()
    {
        let (x, shift) = (value(low[n]), 8 * (places[n] & 3));
        let byte = if x.is_nan() { 0 } else { x.round_ties_even().clamp(0.0, 255.0) as u64 };
        assert_eq!(got, olds[n] & !(0xff << shift) | byte << shift, "{text} of {x:e}");
    }
}

#[test]
fn halves_of_scalars_to_f32() {
    let texts = [
        "s_cvt_f32_f16 s20, s10",
        "s_cvt_hi_f32_f16 s20, s10",
        "s_cvt_pk_rtz_f16_f32 s20, s10, s12",
    ];
    let programs = assemble_each(&texts.map(str::to_owned));
    let run = |which: usize, s: &[(u8, u32)]| {
        let registers = Registers { s, ..Registers::default() };
        run_program(&programs[which], &registers).expect(texts[which]).s[20]
    };
    for x in 0..1u32 << 16 {
        for (which, word) in [(0, x | 0x3c00_0000), (1, x << 16 | 0x3c00)] {
            let got = f64::from(f32::from_bits(run(which, &[(10, word)])));
            same(texts[which], word.into(), got, f16(x.into()));
        }
    }
    // Halfway between two f16, and a place above it: towards zero.
    let pair = run(2, &[(10, 1.000_488_3f32.to_bits()), (12, (-2.002f32).to_bits())]);
    assert_eq!(pair, 0x3c00 | 0xc001 << 16);
}
