//! Each float operation on special values, against its definition.
//!
//! A definition is a function of f64, which holds every f16 and f32; its result is rounded once to the operation's format.
//! f64 operations have definitions that are exact in f64 itself.

use crate::machine::{apply, value_of};

/// A format by its name in mnemonics.
#[derive(Clone, Copy)]
struct Type {
    name: &'static str,
    exponent_bits: u32,
    fraction_bits: u32,
}

const F16: Type = Type { name: "f16", exponent_bits: 5, fraction_bits: 10 };
const F32: Type = Type { name: "f32", exponent_bits: 8, fraction_bits: 23 };
const F64: Type = Type { name: "f64", exponent_bits: 11, fraction_bits: 52 };

impl Type {
    fn bits(self) -> u32 {
        self.exponent_bits + self.fraction_bits + 1
    }

    fn value(self, code: u64) -> f64 {
        value_of(code, self.exponent_bits, self.fraction_bits)
    }

    fn largest_exponent(self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    /// Zeros, ones, halves, ties, the edges of the format, infinities and NaN, quiet and signalling; both signs.
    fn specials(self) -> Vec<u64> {
        let bias = (1u64 << (self.exponent_bits - 1)) - 1;
        let at = |exponent: u64, fraction: u64| exponent << self.fraction_bits | fraction;
        let all = (1u64 << self.fraction_bits) - 1;
        let top = 1u64 << (self.fraction_bits - 1);
        let positive = [
            0,
            1,
            all,
            at(1, 0),
            at(1, 1),
            at(bias - 1, 0),
            at(bias - 1, all),
            at(bias, 0),
            at(bias, 1),
            at(bias, top),
            at(bias + 1, top / 2),
            at(bias + 1, top + top / 2),
            at(bias + u64::from(self.fraction_bits), 1),
            at(self.largest_exponent() - 1, all),
            at(self.largest_exponent(), 0),
            at(self.largest_exponent(), top),
            at(self.largest_exponent(), 1),
        ];
        positive.into_iter().flat_map(|x| [x, x | 1 << (self.bits() - 1)]).collect()
    }

    /// Whether a code is the nearest one to an exact value: by its neighbours, ties to even.
    fn is_nearest(self, code: u64, exact: f64) -> bool {
        let value = self.value(code);
        if exact.is_nan() || value.is_nan() {
            return exact.is_nan() && value.is_nan();
        }
        let sign = 1u64 << (self.bits() - 1);
        if exact.is_sign_negative() != (code & sign != 0) {
            return false;
        }
        if self.fraction_bits == 52 {
            return code == exact.to_bits();
        }
        let magnitude = code & (sign - 1);
        // Past the largest value stands the power of two that would follow.
        let step = |m: u64| {
            if m >> self.fraction_bits >= self.largest_exponent() {
                self.value(at_top(self)) * 2.0
            } else {
                self.value(m)
            }
        };
        let (exact, value) = (exact.abs(), step(magnitude));
        if value.is_infinite() || magnitude >> self.fraction_bits == self.largest_exponent() {
            return exact
                >= (self.value(at_top(self)) * 2.0
                    + self.value((self.largest_exponent() << self.fraction_bits) - 1))
                    / 2.0;
        }
        let even = code & 1 == 0;
        let within = |limit: f64, below: bool| {
            if below {
                exact > limit || (even && exact == limit)
            } else {
                exact < limit || (even && exact == limit)
            }
        };
        let low = magnitude == 0 || within((value + step(magnitude - 1)) / 2.0, true);
        low && within((value + step(magnitude + 1)) / 2.0, false)
    }
}

/// The largest power of two of a format.
fn at_top(of: Type) -> u64 {
    (of.largest_exponent() - 1) << of.fraction_bits
}

/// All combinations of the specials for so many operands; three are taken from fewer.
fn combinations(of: Type, count: usize) -> Vec<Vec<u64>> {
    let all = of.specials();
    let few: Vec<u64> = if count == 3 { all.iter().copied().step_by(3).collect() } else { all };
    let n = few.len();
    (0..count)
        .map(|k| (0..n.pow(count as u32)).map(|i| few[i / n.pow(k as u32) % n]).collect())
        .collect()
}

/// Checks `v_NAME_TYPE` of so many operands against a definition.
fn check(of: Type, name: &str, count: usize, definition: &dyn Fn(&[f64]) -> f64) {
    let operands = combinations(of, count);
    let list = (0..count).map(|k| format!("{{{k}}}")).collect::<Vec<_>>().join(", ");
    let text = format!("v_{name}_{} {{d}}, {list}", of.name);
    let got = apply(&text, [of.bits().max(32); 3], of.bits().max(32), &operands, None);
    for (i, &code) in got.iter().enumerate() {
        let values: Vec<f64> = operands.iter().map(|o| of.value(o[i])).collect();
        let exact = definition(&values);
        assert!(
            of.is_nearest(code, exact),
            "{text} of {values:?}: {:e} ({code:#x}), expected {exact:e}",
            of.value(code)
        );
    }
}

/// Less, with -0 before +0.
fn before(a: f64, b: f64) -> bool {
    a < b || (a == b && a.is_sign_negative() && b.is_sign_positive())
}

/// The smaller, or larger, number; a NaN only of two.
fn number_of(a: f64, b: f64, smaller: bool) -> f64 {
    if a.is_nan() {
        b
    } else if b.is_nan() || before(a, b) == smaller {
        a
    } else {
        b
    }
}

/// The smaller, or larger, value; NaN of any.
fn value_or_nan(a: f64, b: f64, smaller: bool) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { number_of(a, b, smaller) }
}

/// The integer of a magnitude below 2^52 by a rule for the rest; everything else is one already. The sign stays.
fn integral(x: f64, up: impl Fn(f64, bool, bool) -> bool) -> f64 {
    if x.is_nan() || x.abs() >= 4_503_599_627_370_496.0 {
        return x;
    }
    let whole = x.abs() as u64;
    let rest = x.abs() - whole as f64;
    let raised = whole + u64::from(up(rest, whole % 2 == 1, x.is_sign_negative()));
    (raised as f64).copysign(x)
}

fn floor(x: f64) -> f64 {
    integral(x, |rest, _, negative| negative && rest > 0.0)
}

#[test]
fn sums_and_products() {
    for of in [F16, F32, F64] {
        check(of, "add", 2, &|x| x[0] + x[1]);
        check(of, "mul", 2, &|x| x[0] * x[1]);
    }
    for of in [F16, F32] {
        check(of, "sub", 2, &|x| x[0] - x[1]);
        check(of, "subrev", 2, &|x| x[1] - x[0]);
    }
    check(F64, "fma", 3, &|x| x[0].mul_add(x[1], x[2]));
    // The host's fused operation of f32 is an independent one; f16 is exact enough in f64.
    check(F32, "fma", 3, &|x| f64::from((x[0] as f32).mul_add(x[1] as f32, x[2] as f32)));
    check(F16, "fma", 3, &|x| x[0] * x[1] + x[2]);
    check(F32, "mul_dx9_zero", 2, &|x| if x[0] == 0.0 || x[1] == 0.0 { 0.0 } else { x[0] * x[1] });
}

#[test]
fn smallest_and_largest() {
    for of in [F16, F32, F64] {
        check(of, "min_num", 2, &|x| number_of(x[0], x[1], true));
        check(of, "max_num", 2, &|x| number_of(x[0], x[1], false));
        check(of, "minimum", 2, &|x| value_or_nan(x[0], x[1], true));
        check(of, "maximum", 2, &|x| value_or_nan(x[0], x[1], false));
    }
    for of in [F16, F32] {
        check(of, "min3_num", 3, &|x| number_of(number_of(x[0], x[1], true), x[2], true));
        check(of, "max3_num", 3, &|x| number_of(number_of(x[0], x[1], false), x[2], false));
        check(of, "minimum3", 3, &|x| value_or_nan(value_or_nan(x[0], x[1], true), x[2], true));
        check(of, "maximum3", 3, &|x| value_or_nan(value_or_nan(x[0], x[1], false), x[2], false));
        check(of, "minmax_num", 3, &|x| number_of(number_of(x[0], x[1], true), x[2], false));
        check(of, "maxmin_num", 3, &|x| number_of(number_of(x[0], x[1], false), x[2], true));
        check(of, "minimummaximum", 3, &|x| {
            value_or_nan(value_or_nan(x[0], x[1], true), x[2], false)
        });
        check(of, "maximumminimum", 3, &|x| {
            value_or_nan(value_or_nan(x[0], x[1], false), x[2], true)
        });
        check(of, "med3_num", 3, &|x| {
            if x.iter().any(|v| v.is_nan()) {
                return number_of(number_of(x[0], x[1], true), x[2], true);
            }
            let mut sorted = [x[0], x[1], x[2]];
            sorted.sort_by(|a, b| {
                if before(*a, *b) {
                    std::cmp::Ordering::Less
                } else if before(*b, *a) {
                    std::cmp::Ordering::Greater
                } else {
                    std::cmp::Ordering::Equal
                }
            });
            sorted[1]
        });
    }
}

#[test]
fn integers_of_floats() {
    for of in [F16, F32, F64] {
        check(of, "floor", 1, &|x| floor(x[0]));
        check(of, "ceil", 1, &|x| integral(x[0], |rest, _, negative| !negative && rest > 0.0));
        check(of, "trunc", 1, &|x| integral(x[0], |_, _, _| false));
        check(of, "rndne", 1, &|x| {
            integral(x[0], |rest, odd, _| rest > 0.5 || (rest == 0.5 && odd))
        });
        let below_one = of.value((((1u64 << (of.exponent_bits - 1)) - 1) << of.fraction_bits) - 1);
        check(of, "fract", 1, &|x| {
            let part = x[0] - floor(x[0]);
            if part.is_nan() { part } else { part.min(below_one) }
        });
    }
}

#[test]
fn parts_of_floats() {
    for of in [F16, F32, F64] {
        // The power that brings the magnitude into [1/2, 1).
        let exponent = |x: f64| {
            let mut n = 0i32;
            let mut m = x.abs();
            while m != 0.0 && m.is_finite() && m >= 1.0 {
                (m, n) = (m / 2.0, n + 1);
            }
            while m != 0.0 && m.is_finite() && m < 0.5 {
                (m, n) = (m * 2.0, n - 1);
            }
            (m, n)
        };
        check(of, "frexp_mant", 1, &|x| exponent(x[0]).0.copysign(x[0]));
        let kind = if of.bits() == 16 { "i16" } else { "i32" };
        let operands = combinations(of, 1);
        let got = apply(
            &format!("v_frexp_exp_{kind}_{} {{d}}, {{0}}", of.name),
            [of.bits().max(32); 3],
            32,
            &operands,
            None,
        );
        for (&code, got) in operands[0].iter().zip(got) {
            let got =
                if of.bits() == 16 { i32::from(got as u16 as i16) } else { got as u32 as i32 };
            assert_eq!(got, exponent(of.value(code)).1, "exponent of {code:#x}");
        }
    }
}

#[test]
fn scaling_rounds_once() {
    for of in [F16, F32, F64] {
        let counts: Vec<i32> = (-160..160)
            .chain([-1100, -1074, -1023, 1023, 1100, 2000, -2000, 2100, -2100, i32::MIN, i32::MAX])
            .collect();
        let values = of.specials();
        let operands: Vec<Vec<u64>> = vec![
            counts.iter().flat_map(|_| values.iter().copied()).collect(),
            counts.iter().flat_map(|&n| values.iter().map(move |_| u64::from(n as u32))).collect(),
        ];
        let bits = of.bits().max(32);
        let got = apply(
            &format!("v_ldexp_{} {{d}}, {{0}}, {{1}}", of.name),
            [bits, 32, 32],
            bits,
            &operands,
            None,
        );
        for (i, code) in got.into_iter().enumerate() {
            let x = of.value(operands[0][i]);
            let n = operands[1][i] as u32 as i32;
            let n = if of.bits() == 16 { i32::from(n as i16) } else { n };
            if of.bits() == 64 {
                // Digits and a power: what does not fit below the smallest subnormal is rounded to even.
                let exact = scaled_f64(x, n);
                assert!(
                    code == exact.to_bits() || (exact.is_nan() && of.value(code).is_nan()),
                    "{x:e} * 2^{n}: {:e}, expected {exact:e}",
                    of.value(code)
                );
            } else {
                // Two steps are exact in f64 for these formats, and beyond its range all is zero or infinite.
                let n = n.clamp(-800, 800);
                let exact = x * 2f64.powi(n / 2) * 2f64.powi(n - n / 2);
                assert!(
                    of.is_nearest(code, exact),
                    "{x:e} * 2^{n} in {}: {:e}",
                    of.name,
                    of.value(code)
                );
            }
        }
    }
}

/// `x * 2^n` by shifting digits.
fn scaled_f64(x: f64, n: i32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let bits = x.to_bits() & !(1 << 63);
    let (field, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    let (mut digits, mut exponent) =
        if field == 0 { (fraction, 1) } else { (fraction | 1 << 52, field) };
    while digits < 1 << 52 {
        (digits, exponent) = (digits << 1, exponent - 1);
    }
    exponent += i64::from(n);
    let magnitude = if exponent >= 2047 {
        f64::INFINITY
    } else if exponent >= 1 {
        f64::from_bits((exponent as u64) << 52 | (digits & ((1 << 52) - 1)))
    } else if exponent < -60 {
        0.0
    } else {
        let drop = 1 - exponent;
        let (kept, rest) = (digits >> drop, digits & ((1 << drop) - 1));
        let half = 1u64 << (drop - 1);
        f64::from_bits(kept + u64::from(rest > half || (rest == half && kept & 1 == 1)))
    };
    magnitude.copysign(x)
}

#[test]
fn approximations_are_close_and_flush_f32() {
    type Function = fn(f64) -> f64;
    let functions: [(&str, Function); 7] = [
        ("rcp", |x| 1.0 / x),
        ("rsq", |x| if x == 0.0 { 1.0 / x } else { 1.0 / x.sqrt() }),
        ("sqrt", f64::sqrt),
        ("exp", f64::exp2),
        ("log", f64::log2),
        ("sin", |x| {
            if x.is_finite() { ((x - x.trunc()) * std::f64::consts::TAU).sin() } else { f64::NAN }
        }),
        ("cos", |x| {
            if x.is_finite() { ((x - x.trunc()) * std::f64::consts::TAU).cos() } else { f64::NAN }
        }),
    ];
    for (name, f) in functions {
        for of in [F16, F32] {
            let mut inputs = of.specials();
            inputs.extend((0..2000u64).map(|i| (i * 0x9e37_79b9_7f4a) & ((1 << of.bits()) - 1)));
            for perturb in [None, Some(1), Some(2)] {
                let text = format!("v_{name}_{} {{d}}, {{0}}", of.name);
                let got = apply(&text, [32; 3], 32, &[inputs.clone()], perturb);
                for (&code, got) in inputs.iter().zip(got) {
                    let flushes = of.bits() == 32;
                    let tiny = |v: f64| flushes && v.abs() < 2f64.powi(-126);
                    let x = of.value(code);
                    let operand = if tiny(x) { 0.0f64.copysign(x) } else { x };
                    let (exact, value) = (f(operand), of.value(got));
                    if exact.is_nan() || value.is_nan() {
                        assert!(
                            exact.is_nan() && value.is_nan(),
                            "{text} of {x:e}: {value:e}, expected {exact:e}"
                        );
                        continue;
                    }
                    if tiny(exact) {
                        assert!(
                            value == 0.0 || value.abs() == 2f64.powi(-126),
                            "{text} of {x:e}: {value:e} is flushed"
                        );
                        continue;
                    }
                    // One last place, of the format's smallest step at least.
                    let place = (exact.abs() * 2f64.powi(-(of.fraction_bits as i32))).max(
                        2f64.powi(2 - (1 << (of.exponent_bits - 1)) - of.fraction_bits as i32),
                    );
                    let largest = of.value((of.largest_exponent() << of.fraction_bits) - 1);
                    let same = (value - exact).abs() <= place
                        || value == exact
                        || (value.is_infinite() && exact.abs() > largest)
                        || (exact.abs() < 1e-15 && value == 0.0);
                    assert!(
                        same,
                        "{text} of {x:e}, perturb {perturb:?}: {value:e}, expected {exact:e}"
                    );
                }
            }
        }
    }
    // At quarter turns nothing is open.
    for (name, values) in [("sin", [0.0, 1.0, 0.0, -1.0, 0.0]), ("cos", [1.0, 0.0, -1.0, 0.0, 1.0])]
    {
        let inputs: Vec<u64> =
            [0.0f32, 0.25, 0.5, 0.75, 1.0].iter().map(|x| u64::from(x.to_bits())).collect();
        let got = apply(&format!("v_{name}_f32 {{d}}, {{0}}"), [32; 3], 32, &[inputs], Some(9));
        assert_eq!(got.iter().map(|&g| f32::from_bits(g as u32)).collect::<Vec<_>>(), values);
    }
}

#[test]
fn classes() {
    for of in [F16, F32, F64] {
        let values = of.specials();
        for (i, &code) in values.iter().enumerate() {
            let (field, fraction) = (
                (code >> of.fraction_bits) & of.largest_exponent(),
                code & ((1 << of.fraction_bits) - 1),
            );
            let negative = code >> (of.bits() - 1) == 1;
            let quiet = fraction >> (of.fraction_bits - 1) == 1;
            // signalling, quiet, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf
            let class = match (field, fraction) {
                (f, 0) if f == of.largest_exponent() => {
                    if negative {
                        2
                    } else {
                        9
                    }
                }
                (f, _) if f == of.largest_exponent() => u32::from(quiet),
                (0, 0) => {
                    if negative {
                        5
                    } else {
                        6
                    }
                }
                (0, _) => {
                    if negative {
                        4
                    } else {
                        7
                    }
                }
                _ => {
                    if negative {
                        3
                    } else {
                        8
                    }
                }
            };
            let operands = [vec![code; 10], (0..10).map(|n| 1u64 << n).collect()];
            let bits = of.bits().max(32);
            let text = format!(
                "v_cmp_class_{} vcc_lo, {{0}}, {{1}}\nv_cndmask_b32 {{d}}, 0, 1, vcc_lo",
                of.name
            );
            let got = apply(&text, [bits, 32, 32], 32, &operands, None);
            for (n, got) in got.into_iter().enumerate() {
                assert_eq!(got == 1, n as u32 == class, "special {i}, {code:#x}, class {n}");
            }
        }
    }
}

#[test]
fn comparisons() {
    type Holds = fn(f64, f64) -> bool;
    let relations: [(&str, Holds); 14] = [
        ("lt", |a, b| a < b),
        ("eq", |a, b| a == b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("lg", |a, b| !a.is_nan() && !b.is_nan() && a != b),
        ("ge", |a, b| a >= b),
        ("o", |a, b| !a.is_nan() && !b.is_nan()),
        ("u", |a, b| a.is_nan() || b.is_nan()),
        ("nge", |a, b| a.is_nan() || b.is_nan() || a < b),
        ("nlg", |a, b| a.is_nan() || b.is_nan() || a == b),
        ("ngt", |a, b| a.is_nan() || b.is_nan() || a <= b),
        ("nle", |a, b| a.is_nan() || b.is_nan() || a > b),
        ("neq", |a, b| a != b),
        ("nlt", |a, b| a.is_nan() || b.is_nan() || a >= b),
    ];
    for of in [F16, F32, F64] {
        let operands = combinations(of, 2);
        for (name, holds) in relations {
            let bits = of.bits().max(32);
            let text = format!(
                "v_cmp_{name}_{} vcc_lo, {{0}}, {{1}}\nv_cndmask_b32 {{d}}, 0, 1, vcc_lo",
                of.name
            );
            let got = apply(&text, [bits; 3], 32, &operands, None);
            for (i, got) in got.into_iter().enumerate() {
                let (a, b) = (of.value(operands[0][i]), of.value(operands[1][i]));
                assert_eq!(got == 1, holds(a, b), "{name}_{} of {a:e} and {b:e}", of.name);
            }
        }
    }
}

#[test]
fn modifiers_change_operands_and_results() {
    let one = |text: &str, x: f32| {
        f32::from_bits(apply(text, [32; 3], 32, &[vec![u64::from(x.to_bits())]], None)[0] as u32)
    };
    assert_eq!(one("v_add_f32 {d}, -{0}, 1.0", 3.0), -2.0);
    assert_eq!(one("v_add_f32 {d}, |{0}|, 1.0", -3.0), 4.0);
    assert_eq!(one("v_add_f32 {d}, -|{0}|, 1.0", -3.0), -2.0);
    for (x, held) in [(3.0, 1.0), (-3.0, 0.0), (0.25, 0.25), (f32::NAN, 0.0), (f32::INFINITY, 1.0)]
    {
        assert_eq!(one("v_add_f32 {d}, {0}, 0 clamp", x), held, "{x} held between 0 and 1");
    }
    // A scaled result is refused by name, since subnormals are kept.
    let refused = crate::machine::snippet(
        "v_add_f32 v1, v0, v0 mul:2",
        &crate::machine::Registers::default(),
    );
    assert_eq!(
        refused.expect_err("it is refused").to_string(),
        "v_add_f32 with a scaled result is not supported"
    );
}

#[test]
fn two_over_pi_comes_from_a_series() {
    // pi by Machin's formula in 1408-bit fixed point, by schoolbook arithmetic on 64-bit limbs, high limb first.
    const LIMBS: usize = 22;
    let divide = |x: &[u64; LIMBS], by: u64| {
        let (mut out, mut rest) = ([0u64; LIMBS], 0u128);
        for i in 0..LIMBS {
            let part = rest << 64 | u128::from(x[i]);
            out[i] = (part / u128::from(by)) as u64;
            rest = part % u128::from(by);
        }
        out
    };
    let add = |a: &[u64; LIMBS], b: &[u64; LIMBS], minus: bool| {
        let (mut out, mut carry) = ([0u64; LIMBS], u128::from(minus));
        for i in (0..LIMBS).rev() {
            let b = if minus { !b[i] } else { b[i] };
            let sum = u128::from(a[i]) + u128::from(b) + carry;
            (out[i], carry) = (sum as u64, sum >> 64);
        }
        out
    };
    // Limb 0 holds integers.
    let arctan = |by: u64, times: u64| {
        let mut power = [0u64; LIMBS];
        power[0] = times;
        power = divide(&power, by);
        let (mut sum, mut n, mut minus) = (power, 3, true);
        while power.iter().any(|&limb| limb != 0) {
            power = divide(&divide(&power, by), by);
            sum = add(&sum, &divide(&power, n), minus);
            (n, minus) = (n + 2, !minus);
        }
        sum
    };
    let half_pi = add(&arctan(5, 8), &arctan(239, 2), true);
    // 2/pi bit by bit: the remainder doubles, and pi/2 is taken off where it fits.
    let mut remainder = [0u64; LIMBS];
    remainder[0] = 1;
    let mut digits = Vec::new();
    for _ in 0..1201 {
        remainder = add(&remainder, &remainder, false);
        let fits = remainder >= half_pi;
        if fits {
            remainder = add(&remainder, &half_pi, true);
        }
        digits.push(u64::from(fits));
    }
    // 53 digits from the segment on, and later for large numbers, whose parts are scaled up where they would be subnormal.
    for exponent in [1023u64, 1077, 1100, 1500, 1968, 2046] {
        let inputs = [vec![exponent << 52; 32], (0..32).collect()];
        let text = "v_trig_preop_f64 {d}, {0}, {1}";
        let got = apply(text, [64, 32, 32], 64, &inputs, None);
        for (segment, got) in got.into_iter().enumerate() {
            let first = 53 * segment + (exponent as usize).saturating_sub(1077);
            let digit = |place: usize| digits.get(place).copied().unwrap_or(0);
            let part = (first..first + 53).fold(0u64, |sum, place| sum << 1 | digit(place));
            let up = if exponent >= 1968 { 128 } else { 0 };
            let expected = scaled_f64(part as f64, up - 53 - first as i32);
            assert_eq!(f64::from_bits(got), expected, "exponent {exponent}, segment {segment}");
        }
    }
}
