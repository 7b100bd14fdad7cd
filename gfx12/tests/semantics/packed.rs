//! Packed f16, mixed precision and float dot products.

use crate::division::nearest_f16;
use crate::machine::{Random, apply, value_of};

fn f16(code: u64) -> f64 {
    value_of(code & 0xffff, 5, 10)
}

fn f32_of(code: u64) -> f64 {
    f64::from(f32::from_bits(code as u32))
}

/// Pairs of any f16, a quarter of them special.
fn pairs(seed: u64) -> Vec<u64> {
    let mut random = Random(seed);
    let special =
        [0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7e00];
    let mut half = || match random.below(4) {
        0 => special[random.below(12) as usize],
        1 => random.next() & 0x83ff | (0x3000 + (random.below(8) << 10)),
        _ => random.next() & 0xffff,
    };
    (0..4096).map(|_| half() | half() << 16).collect()
}

type Formula = fn(f64, f64, f64) -> f64;

/// What modifiers make of the operand for the low result and for the high one.
#[derive(Clone, Copy)]
struct Choice {
    text: &'static str,
    high: [[bool; 2]; 3],
    flip: [[bool; 2]; 3],
}

const PLAIN: Choice = Choice { text: "", high: [[false, true]; 3], flip: [[false; 2]; 3] };

const CHOICES: [Choice; 4] = [
    PLAIN,
    Choice {
        text: " op_sel:[1,0,0] op_sel_hi:[0,1,1]",
        high: [[true, false], [false, true], [false, true]],
        ..PLAIN
    },
    Choice {
        text: " op_sel_hi:[1,0,1]",
        high: [[false, true], [false, false], [false, true]],
        ..PLAIN
    },
    Choice {
        text: " neg_lo:[1,0,1] neg_hi:[0,1,0]",
        flip: [[true, false], [false, true], [true, false]],
        ..PLAIN
    },
];

#[test]
fn packed_operations_round_each_half_once() {
    fn smaller(a: f64, b: f64, _: f64) -> f64 {
        if a.is_nan() || b < a || (b == a && b.is_sign_negative()) { b } else { a }
    }
    let forms: [(&str, usize, Formula); 4] = [
        ("v_pk_add_f16", 2, |a, b, _| a + b),
        ("v_pk_mul_f16", 2, |a, b, _| a * b),
        ("v_pk_fma_f16", 3, |a, b, c| a * b + c),
        ("v_pk_min_num_f16", 2, smaller),
    ];
    for (name, count, formula) in forms {
        for choice in CHOICES {
            let operands: Vec<Vec<u64>> = (0..count as u64).map(|k| pairs(5 + k)).collect();
            let list = (0..count).map(|k| format!("{{{k}}}")).collect::<Vec<_>>().join(", ");
            // Two operands have two flags in each list.
            let text = if count == 2 { shortened(choice.text) } else { choice.text.into() };
            let text = format!("{name} {{d}}, {list}{text}");
            let got = apply(&text, [32; 3], 32, &operands, None);
            for (i, &code) in got.iter().enumerate() {
                for side in 0..2 {
                    let operand = |k: usize| {
                        let value = f16(operands[k.min(count - 1)][i]
                            >> if choice.high[k][side] { 16 } else { 0 });
                        if choice.flip[k][side] { -value } else { value }
                    };
                    let exact = formula(operand(0), operand(1), operand(2));
                    let half = (code >> (16 * side)) as u16;
                    nearest_f16(exact, half, || {
                        format!(
                            "{text}, side {side}, {:#x?}",
                            operands.iter().map(|o| o[i]).collect::<Vec<_>>()
                        )
                    });
                }
            }
        }
    }
}

/// The lists of a modifier without their third entries.
fn shortened(text: &str) -> String {
    text.split(']')
        .map(|part| match part.rsplit_once(',') {
            Some((kept, _)) => format!("{kept}]"),
            None => part.to_string(),
        })
        .collect()
}

#[test]
fn mixed_precision_takes_f32_or_either_half() {
    let mut random = Random(91);
    let mut word = || {
        // An f32 of moderate size, whose halves are some f16 as well.
        u64::from(((random.next() >> 40) as f32 / 4096.0 - 2048.0).to_bits())
    };
    let operands: Vec<Vec<u64>> = (0..3).map(|_| (0..4096).map(|_| word()).collect()).collect();
    let forms = [
        ("", [None, None, None]),
        (" op_sel_hi:[1,0,0]", [Some(0), None, None]),
        (" op_sel:[1,0,0] op_sel_hi:[1,1,0]", [Some(16), Some(0), None]),
        (" op_sel:[0,1,1] op_sel_hi:[1,1,1]", [Some(0), Some(16), Some(16)]),
    ];
    for (select, halves) in forms {
        for (name, shift) in [("mix_f32", None), ("mixlo_f16", Some(0)), ("mixhi_f16", Some(16))] {
            let text = format!("v_fma_{name} {{d}}, {{0}}, -{{1}}, |{{2}}|{select}");
            let got = apply(&text, [32; 3], 32, &operands, None);
            for (i, &code) in got.iter().enumerate() {
                let value = |k: usize| match halves[k] {
                    None => f32_of(operands[k][i]),
                    Some(place) => f16(operands[k][i] >> place),
                };
                let (a, b, c) = (value(0) as f32, -value(1) as f32, value(2).abs() as f32);
                let sum = a.mul_add(b, c);
                match shift {
                    None => {
                        let same = code as u32 == sum.to_bits()
                            || (sum.is_nan() && f32::from_bits(code as u32).is_nan());
                        assert!(same, "{text} of {a}, {b}, {c}: {}", f32::from_bits(code as u32));
                    }
                    Some(shift) => {
                        assert_eq!(code & !(0xffff << shift), 0, "{text}: the other half stays");
                        nearest_f16(f64::from(sum), (code >> shift) as u16, || text.clone());
                    }
                }
            }
        }
    }
}

#[test]
fn float_dot_products_of_integers_are_exact() {
    // Small integers, whose sums are exact in any order.
    let code16 = |n: i64| {
        if n == 0 {
            0
        } else {
            let top = 63 - n.unsigned_abs().leading_zeros() as i64;
            let fraction = (n.unsigned_abs() << 10 >> top) & 1023;
            u64::from(n < 0) << 15 | ((top + 15) as u64) << 10 | fraction
        }
    };
    let codeb = |n: i64| u64::from((n as f32).to_bits() >> 16);
    let mut random = Random(17);
    let values: Vec<[i64; 5]> =
        (0..512).map(|_| std::array::from_fn(|_| random.below(33) as i64 - 16)).collect();
    for (name, code) in [("f16", &code16 as &dyn Fn(i64) -> u64), ("bf16", &codeb)] {
        let operands = vec![
            values.iter().map(|v| code(v[0]) | code(v[1]) << 16).collect::<Vec<u64>>(),
            values.iter().map(|v| code(v[2]) | code(v[3]) << 16).collect(),
            values.iter().map(|v| u64::from((v[4] as f32).to_bits())).collect(),
        ];
        let got = apply(
            &format!("v_dot2_f32_{name} {{d}}, {{0}}, {{1}}, {{2}}"),
            [32; 3],
            32,
            &operands,
            None,
        );
        for (v, got) in values.iter().zip(got) {
            assert_eq!(
                f32::from_bits(got as u32),
                (v[0] * v[2] + v[1] * v[3] + v[4]) as f32,
                "{name} of {v:?}"
            );
        }
    }
    // fp8 and bf8: powers of two and their negatives, by their fields.
    let small = [0i64, 1, 2, 4, 8, -1, -2, -4];
    let code8 = |n: i64, bias: u64, bits: u32| {
        if n == 0 {
            0
        } else {
            u64::from(n < 0) << 7 | (u64::from(n.unsigned_abs().trailing_zeros()) + bias) << bits
        }
    };
    for (a_name, a_bias, a_bits) in [("fp8", 7, 3), ("bf8", 15, 2)] {
        for (b_name, b_bias, b_bits) in [("fp8", 7, 3), ("bf8", 15, 2)] {
            let pick = |i: usize, n: usize| small[(i * 31 + n * 7 + i / 8) % 8];
            let pack = |f: &dyn Fn(usize) -> u64| (0..4).map(|n| f(n) << (8 * n)).sum::<u64>();
            let operands = vec![
                (0..256).map(|i| pack(&|n| code8(pick(i, n), a_bias, a_bits))).collect::<Vec<_>>(),
                (0..256).map(|i| pack(&|n| code8(pick(i + 3, n + 1), b_bias, b_bits))).collect(),
                vec![u64::from(100f32.to_bits()); 256],
            ];
            let got = apply(
                &format!("v_dot4_f32_{a_name}_{b_name} {{d}}, {{0}}, {{1}}, {{2}}"),
                [32; 3],
                32,
                &operands,
                None,
            );
            for (i, got) in got.into_iter().enumerate() {
                let want = 100 + (0..4).map(|n| pick(i, n) * pick(i + 3, n + 1)).sum::<i64>();
                assert_eq!(f32::from_bits(got as u32), want as f32, "{a_name} {b_name}, {i}");
            }
        }
    }
}
