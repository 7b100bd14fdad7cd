//! The three steps that divisions are made of, each by itself: scaling of the operands, the fused step that scales back, and the
//! special cases at the end. `division` has what they come to together.

use crate::machine::{apply, value_of};

/// A format: name, bits of exponent and fraction, and where the quotient is too small by the exponents as they are encoded.
struct Format {
    name: &'static str,
    exponent_bits: u32,
    fraction_bits: u32,
    underflow: Option<i64>,
}

const F16: Format = Format { name: "f16", exponent_bits: 5, fraction_bits: 10, underflow: None };
const F32: Format =
    Format { name: "f32", exponent_bits: 8, fraction_bits: 23, underflow: Some(-150) };
const F64: Format =
    Format { name: "f64", exponent_bits: 11, fraction_bits: 52, underflow: Some(-1075) };

impl Format {
    fn bits(&self) -> u32 {
        self.exponent_bits + self.fraction_bits + 1
    }

    fn top(&self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    fn exponent(&self, code: u64) -> u64 {
        code >> self.fraction_bits & self.top()
    }

    fn value(&self, code: u64) -> f64 {
        value_of(code, self.exponent_bits, self.fraction_bits)
    }

    /// Two to a power that is normal in the format.
    fn power(&self, of: i64) -> u64 {
        ((of + (self.top() / 2) as i64) as u64) << self.fraction_bits
    }

    /// Both signs of zero, the smallest number, exponents from end to end, infinity and NaN.
    fn operands(&self) -> Vec<u64> {
        let mut all =
            vec![0, 1, self.top() << self.fraction_bits, (self.top() << self.fraction_bits) + 1];
        let exponents = [1, 2, self.top() / 8, self.top() / 3, self.top() / 2];
        for exponent in exponents.into_iter().chain(exponents.map(|e| self.top() - e)) {
            all.push(exponent << self.fraction_bits | 5);
        }
        all.into_iter().flat_map(|code| [code, code | 1 << (self.bits() - 1)]).collect()
    }

    /// What ends a division, as the ISA's text has it.
    fn fixed(&self, quotient: u64, denominator: u64, numerator: u64) -> f64 {
        let [q, d, n] = [quotient, denominator, numerator].map(|code| self.value(code));
        let difference = self.exponent(numerator) as i64 - self.exponent(denominator) as i64;
        let undefined = (d == 0.0 && n == 0.0) || (d.is_infinite() && n.is_infinite());
        let magnitude = if n.is_nan() || d.is_nan() || undefined {
            return f64::NAN;
        } else if d == 0.0 || n.is_infinite() {
            f64::INFINITY
        } else if d.is_infinite() || n == 0.0 || self.underflow.is_some_and(|u| difference < u) {
            0.0
        } else if q.is_nan() {
            // The quotient ran over on its way.
            f64::INFINITY
        } else {
            q.abs()
        };
        let negative = (numerator ^ denominator) >> (self.bits() - 1) & 1 == 1;
        if negative { -magnitude } else { magnitude }
    }
}

#[test]
fn the_last_step_has_the_special_cases() {
    for format in [F16, F32, F64] {
        let operands = format.operands();
        let quotients: Vec<u64> = [format.power(-1) | 3, 1, format.top() << format.fraction_bits]
            .into_iter()
            .flat_map(|code| [code, code | 1 << (format.bits() - 1)])
            // A quotient of f16 goes through f32 and cannot run over there.
            .chain(format.underflow.map(|_| (format.top() << format.fraction_bits) + 2))
            .collect();
        let mut lists = [vec![], vec![], vec![]];
        for &q in &quotients {
            for &d in &operands {
                for &n in &operands {
                    lists[0].push(q);
                    lists[1].push(d);
                    lists[2].push(n);
                }
            }
        }
        let bits = format.bits().max(32);
        let text = format!("v_div_fixup_{} {{d}}, {{0}}, {{1}}, {{2}}", format.name);
        let got = apply(&text, [bits; 3], bits, &lists, None);
        let mut small = 0;
        for (i, code) in got.into_iter().enumerate() {
            let [q, d, n] = [0, 1, 2].map(|k| lists[k][i]);
            let (value, want) = (format.value(code), format.fixed(q, d, n));
            let same = value.to_bits() == want.to_bits() || (value.is_nan() && want.is_nan());
            assert!(same, "{text} of {q:#x}, {d:#x}, {n:#x}: {value:e}, expected {want:e}");
            small +=
                u32::from(want == 0.0 && format.value(n) != 0.0 && format.value(d).is_finite());
        }
        assert_eq!(small > 0, format.underflow.is_some(), "{}: too small a quotient", format.name);
    }
}

/// Numerator and denominator as powers of two, and what they are scaled to; and whether the quotient is to be scaled back.
type Row = (i64, i64, i64, i64, bool);

/// In f32: differences of 96 and more, by 2^64; from a denominator of 2^126 on, and numerators up to 2^-103.
const SCALED_F32: [Row; 12] = [
    (0, 0, 0, 0, false),
    (95, 0, 95, 0, false),
    (96, 0, 96, 64, true),
    (-4, -100, -4, -36, true),
    (60, 125, 60, 125, false),
    (100, 126, 36, 62, false),
    (30, 126, 30, 62, true),
    (31, 126, -33, 62, false),
    (-60, 36, 4, 36, true),
    (-60, 35, -60, 35, false),
    (-103, -100, -39, -36, false),
    (-102, -100, -102, -100, false),
];

/// The same of f64: 768, 2^128, 2^1022, 2^-970.
const SCALED_F64: [Row; 12] = [
    (0, 0, 0, 0, false),
    (767, 0, 767, 0, false),
    (768, 0, 768, 128, true),
    (-100, -900, -100, -772, true),
    (500, 1021, 500, 1021, false),
    (900, 1022, 772, 894, false),
    (254, 1022, 254, 894, true),
    (255, 1022, 127, 894, false),
    (-468, 300, -340, 300, true),
    (-467, 300, -467, 300, false),
    (-970, -960, -842, -832, false),
    (-969, -960, -969, -960, false),
];

#[test]
fn operands_are_scaled_out_of_the_way_of_the_edges() {
    for (format, rows, by, low) in [(F32, SCALED_F32, 64, -46), (F64, SCALED_F64, 128, -300)] {
        let bits = format.bits();
        let apply_to = |which: usize, operands: &[Vec<u64>; 2]| {
            let text =
                format!("v_div_scale_{} {{d}}, vcc_lo, {{{which}}}, {{1}}, {{0}}", format.name);
            let flag = format!(
                "v_div_scale_{} {{2}}, vcc_lo, {{{which}}}, {{1}}, {{0}}\nv_cndmask_b32 {{d}}, 0, 1, vcc_lo",
                format.name
            );
            let spare = vec![0; operands[0].len()];
            let all = [operands[0].clone(), operands[1].clone(), spare];
            let flags = apply(&flag.replace("{d}", "v20"), [bits; 3], 32, &all, None);
            (apply(&text, [bits; 3], bits, &all, None), flags)
        };
        // A significand that is not a power's comes through as it is, and so does a sign.
        for (fraction, sign) in [(0, 0), (3, 1u64 << (bits - 1))] {
            let code = |power: i64| format.power(power) | fraction | sign;
            let column = |of: fn(&Row) -> i64| rows.iter().map(|row| code(of(row))).collect();
            let operands: [Vec<u64>; 2] = [column(|row| row.0), column(|row| row.1)];
            let wanted: [Vec<u64>; 2] = [column(|row| row.2), column(|row| row.3)];
            for (which, wanted) in wanted.iter().enumerate() {
                let (got, flags) = apply_to(which, &operands);
                for (i, row) in rows.iter().enumerate() {
                    assert_eq!(got[i], wanted[i], "{} {row:?}, operand {which}", format.name);
                    assert_eq!(flags[i] == 1, row.4, "{} {row:?}", format.name);
                }
            }
        }
        // A subnormal denominator with a numerator that is not far above goes up, both of them; a zero makes NaN.
        let small = 1u64 << (format.fraction_bits - 2);
        let least = -(format.top() as i64 / 2) - 1;
        let operands =
            [vec![format.power(low), 0, format.power(1)], vec![small, format.power(1), 0]];
        let (numerators, flags) = apply_to(0, &operands);
        let (denominators, _) = apply_to(1, &operands);
        assert_eq!(numerators[0], format.power(low + by));
        assert_eq!(denominators[0], format.power(least + by), "a quarter of the smallest normal");
        assert_eq!(flags[0], 0);
        for i in [1, 2] {
            let both = [numerators[i], denominators[i]];
            assert!(both.iter().all(|&code| format.value(code).is_nan()), "{both:x?}");
        }
    }
}

#[test]
fn the_fused_step_scales_back_and_rounds_once() {
    for (format, by) in [(F32, 64), (F64, 128)] {
        let bits = format.bits();
        let run = |flag: i32, a: u64, b: u64, c: u64| {
            let text = format!(
                "s_mov_b32 vcc_lo, {flag}\nv_div_fmas_{} {{d}}, {{0}}, {{1}}, {{2}}",
                format.name
            );
            apply(&text, [bits; 3], bits, &[vec![a], vec![b], vec![c]], None)[0]
        };
        let power = |of: i64| format.power(of);
        // 3 * 2 + 1, as it is; scaled down since 1 has an exponent of 0, up where the addend is above 1.
        let three = power(1) | 1 << (format.fraction_bits - 1);
        let seven = |of: i64| power(2 + of) | 3 << (format.fraction_bits - 2);
        assert_eq!(run(0, three, power(1), power(0)), seven(0));
        assert_eq!(run(-1, three, power(1), power(0)), seven(-by));
        assert_eq!(run(-1, three, power(2), power(1)), seven(1 + by));
        // A sum that ends half a place and a bit above a subnormal place: rounded to the format first, the bit would be lost and
        // the half go to the even place.
        let digits = i64::from(format.fraction_bits);
        let least = 2 - (format.top() as i64 / 2 + 1);
        let addend = least - 1 + by;
        // (1 + 1/4) * 2^-digits of it is added.
        let quarter = power(addend - digits) | 1 << (format.fraction_bits - 2);
        let half_way = 1u64 << (format.fraction_bits - 1);
        assert_eq!(run(-1, quarter, power(0), power(addend)), half_way + 1);
        // Without the quarter it is a tie, and the place is even.
        assert_eq!(run(-1, power(addend - digits), power(0), power(addend)), half_way);
    }
}
