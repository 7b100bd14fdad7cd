//! WMMA and SWMMAC against plain matrix arithmetic on integer-valued data: every form, sign and clamp, both index keys.

use crate::machine::{Random, Registers, assemble_each, run_program};
use evenweave_gfx12::Program;
use evenweave_gfx12::exec::Row;

/// What elements are, by the operation's name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Element {
    F16,
    Bf16,
    Fp8,
    Bf8,
    Int { bits: u32, signed: bool },
}

impl Element {
    pub(crate) fn bits(self) -> usize {
        match self {
            Element::F16 | Element::Bf16 => 16,
            Element::Fp8 | Element::Bf8 => 8,
            Element::Int { bits, .. } => bits as usize,
        }
    }

    /// The code of an integer that the format holds exactly.
    fn code(self, value: i64) -> u32 {
        match self {
            Element::Int { bits, .. } => value as u32 & ((1u64 << bits) - 1) as u32,
            Element::F16 => small_float(value, 10, 15),
            Element::Bf16 => small_float(value, 7, 127),
            Element::Fp8 => small_float(value, 3, 7),
            Element::Bf8 => small_float(value, 2, 15),
        }
    }
}

/// An integer in a format of so many fraction bits and such a bias: sign, exponent of its leading digit, digits after it.
fn small_float(value: i64, fraction_bits: u32, bias: i64) -> u32 {
    if value == 0 {
        return 0;
    }
    let magnitude = value.unsigned_abs();
    let top = i64::from(63 - magnitude.leading_zeros());
    let fraction = (magnitude << fraction_bits) >> top;
    assert_eq!(fraction << top, magnitude << fraction_bits, "{value} is exact");
    let sign_place = match (fraction_bits, bias) {
        (10, 15) | (7, 127) => 15,
        _ => 7,
    };
    let sign = u32::from(value < 0) << sign_place;
    sign | ((((top + bias) as u32) << fraction_bits)
        + (fraction as u32 & ((1 << fraction_bits) - 1)))
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Accumulator {
    F32,
    F16,
    Bf16,
    I32,
}

impl Accumulator {
    fn code(self, value: i64) -> u32 {
        match self {
            Accumulator::F32 => (value as f32).to_bits(),
            Accumulator::I32 => value as u32,
            Accumulator::F16 => small_float(value, 10, 15),
            Accumulator::Bf16 => small_float(value, 7, 127),
        }
    }

    fn registers(self) -> usize {
        if matches!(self, Accumulator::F16 | Accumulator::Bf16) { 4 } else { 8 }
    }
}

/// An instruction with its flags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    name: &'static str,
    pub(crate) a: Element,
    pub(crate) b: Element,
    pub(crate) accumulator: Accumulator,
    pub(crate) k: usize,
    clamp: bool,
}

pub(crate) type Matrix = Vec<Vec<i64>>;

const A: u8 = 8;
const B: u8 = 16;
const C: u8 = 32;
const INDEX: u8 = 48;

/// Every form with every combination of signs and clamping.
fn forms(sparse: bool) -> Vec<Form> {
    use Accumulator::{Bf16 as CBf16, F16 as CF16, F32, I32};
    use Element::{Bf8, Bf16, F16, Fp8};
    let (name, k) = if sparse { ("v_swmmac", 32) } else { ("v_wmma", 16) };
    let float = |suffix: &str, a, b, accumulator| {
        let (result, inputs) = suffix.split_once(' ').expect("two parts");
        let name = Box::leak(format!("{name}_{result}_16x16x{k}_{inputs}").into_boxed_str());
        Form { name, a, b, accumulator, k, clamp: false }
    };
    let mut all = vec![
        float("f32 f16", F16, F16, F32),
        float("f32 bf16", Bf16, Bf16, F32),
        float("f16 f16", F16, F16, CF16),
        float("bf16 bf16", Bf16, Bf16, CBf16),
        float("f32 fp8_fp8", Fp8, Fp8, F32),
        float("f32 fp8_bf8", Fp8, Bf8, F32),
        float("f32 bf8_fp8", Bf8, Fp8, F32),
        float("f32 bf8_bf8", Bf8, Bf8, F32),
    ];
    for flags in 0..8 {
        let (sa, sb, clamp) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0);
        for (bits, k) in [(8, k), (4, k), (4, 2 * k)] {
            let name = Box::leak(format!("{name}_i32_16x16x{k}_iu{bits}").into_boxed_str());
            let (a, b) = (Element::Int { bits, signed: sa }, Element::Int { bits, signed: sb });
            all.push(Form { name, a, b, accumulator: I32, k, clamp });
        }
    }
    all
}

/// Assembles a form over fixed registers; sparse ones add to their destination.
fn text(form: &Form, sparse: bool, key: usize) -> String {
    let range = |first: u8, count: usize| {
        if count == 1 {
            format!("v{first}")
        } else {
            format!("v[{first}:{}]", usize::from(first) + count - 1)
        }
    };
    let lane_b = form.k / 2 * form.b.bits() / 32;
    let lane_a = if sparse { lane_b / 2 } else { lane_b };
    let d = range(C, form.accumulator.registers());
    let last = if sparse { format!("v{INDEX}") } else { d.clone() };
    let mut text = format!("{} {d}, {}, {}, {last}", form.name, range(A, lane_a), range(B, lane_b));
    if key == 1 {
        text += " index_key:1";
    }
    if let (Element::Int { signed: sa, .. }, Element::Int { signed: sb, .. }) = (form.a, form.b) {
        text += &format!(" neg_lo:[{},{},0]", u8::from(sa), u8::from(sb));
    }
    if form.clamp {
        text += " clamp";
    }
    text
}

/// The half of the wave and the place in a lane's stream that hold dense k, by the layout tables: 16-bit elements
/// interleave the halves by eight, all others split k in two.
fn label(k: usize, form: &Form, sparse: bool) -> (usize, usize) {
    let per_lane = form.k / 2;
    match (form.b.bits(), sparse) {
        (16, true) => ((k >> 3) & 1, 8 * (k >> 4) + (k & 7)),
        (16, false) => ((k >> 2) & 1, 4 * (k >> 3) + (k & 3)),
        _ => (k / per_lane, k % per_lane),
    }
}

/// Puts a code into a lane's stream over registers from `first` on.
fn put(v: &mut [Row], first: u8, bits: usize, lane: usize, place: usize, code: u32) {
    let register = usize::from(first) + place * bits / 32;
    v[register][lane] |= code << (place * bits % 32);
}

/// The kept set of a group by the canonical encoding: values and their two positions.
fn encode(group: &[i64]) -> ([i64; 2], [u32; 2]) {
    let kept: Vec<usize> = (0..4).filter(|&p| group[p] != 0).collect();
    match kept[..] {
        [] => ([0, 0], [2, 3]),
        [3] => ([0, group[3]], [2, 3]),
        [p] => ([group[p], 0], [p as u32, 3]),
        [p, q] => ([group[p], group[q]], [p as u32, q as u32]),
        _ => panic!("more than two of four"),
    }
}

/// A form with one index key, assembled.
pub(crate) struct Case {
    pub(crate) form: Form,
    sparse: bool,
    pub(crate) key: usize,
    program: Program,
    /// The index is that of nibbles whose high one comes first, which the data is not.
    high_nibble_first: bool,
}

/// Every form with every key that it has.
pub(crate) fn cases(sparse: bool) -> Vec<Case> {
    let keys = |form: &Form| if sparse && form.k < 64 { 2 } else { 1 };
    let all: Vec<(Form, usize)> = forms(sparse)
        .into_iter()
        .flat_map(|form| (0..keys(&form)).map(move |key| (form, key)))
        .collect();
    let texts: Vec<String> = all.iter().map(|(form, key)| text(form, sparse, *key)).collect();
    let programs = assemble_each(&texts);
    all.into_iter()
        .zip(programs)
        .map(|((form, key), program)| Case { form, sparse, key, program, high_nibble_first: false })
        .collect()
}

/// Runs a form on matrices and gives D's codes.
pub(crate) fn run(
    case: &Case,
    a: &Matrix,
    b: &Matrix,
    c: &Matrix,
    perturb: Option<u64>,
) -> Vec<Vec<u32>> {
    let (code_a, code_b) = (|_, _, code| code, |_, _, code| code);
    run_coded(case, [a, b, c], code_a, code_b, perturb)
}

/// As [`run`], with codes of elements of A and B that are what these functions make of row, column and code.
pub(crate) fn run_coded(
    case: &Case,
    [a, b, c]: [&Matrix; 3],
    code_a: impl Fn(usize, usize, u32) -> u32,
    code_b: impl Fn(usize, usize, u32) -> u32,
    perturb: Option<u64>,
) -> Vec<Vec<u32>> {
    let Case { form, sparse, key, program, high_nibble_first } = case;
    let (sparse, key) = (*sparse, *key);
    let mut v = vec![[0u32; 32]; 64];
    for i in 0..16 {
        for k in 0..form.k {
            let (half, place) = label(k, form, sparse);
            let code = code_b(k, i, form.b.code(b[k][i]));
            put(&mut v, B, form.b.bits(), 16 * half + i, place, code);
            if !sparse {
                let code = code_a(i, k, form.a.code(a[i][k]));
                put(&mut v, A, form.a.bits(), 16 * half + i, place, code);
            } else if k % 4 == 0 {
                let (values, places) = encode(&a[i][k..k + 4]);
                let fields =
                    if *high_nibble_first { [places[1] ^ 1, places[0] ^ 1] } else { places };
                for n in 0..2 {
                    let q = place / 2 + n;
                    let code = code_a(i, k + places[n] as usize, form.a.code(values[n]));
                    put(&mut v, A, form.a.bits(), 16 * half + i, q, code);
                    v[usize::from(INDEX)][16 * half + i] |= fields[n] << (2 * q);
                }
            }
        }
        for (j, &value) in c[i].iter().enumerate() {
            let (register, lane) = (i % 8, 16 * (i >> 3) + j);
            let code = form.accumulator.code(value);
            if form.accumulator.registers() == 8 {
                v[usize::from(C) + register][lane] = code;
            } else {
                v[usize::from(C) + register / 2][lane] |= code << (16 * (i & 1));
            }
        }
    }
    if key == 1 {
        // The other half holds an index that is valid and different.
        v[usize::from(INDEX)] = v[usize::from(INDEX)].map(|word| word << 16 | 0x4444);
    } else if sparse && form.k == 32 {
        v[usize::from(INDEX)] = v[usize::from(INDEX)].map(|word| word | 0x9999_0000);
    }
    let registers: Vec<(u8, Row)> = v.iter().enumerate().map(|(n, row)| (n as u8, *row)).collect();
    let wave = run_program(program, &Registers { v: &registers, perturb, ..Registers::default() })
        .unwrap_or_else(|e| panic!("{form:?}: {e}"));
    (0..16)
        .map(|i| {
            let at = |j: usize| {
                let lane = 16 * (i >> 3) + j;
                if form.accumulator.registers() == 8 {
                    wave.v[usize::from(C) + i % 8][lane]
                } else {
                    wave.v[usize::from(C) + i % 8 / 2][lane] >> (16 * (i & 1)) & 0xffff
                }
            };
            (0..16).map(at).collect()
        })
        .collect()
}

/// The sum over k in integers.
pub(crate) fn product(a: &Matrix, b: &Matrix, c: &Matrix) -> Matrix {
    (0..16)
        .map(|i| {
            (0..16)
                .map(|j| c[i][j] + (0..b.len()).map(|k| a[i][k] * b[k][j]).sum::<i64>())
                .collect()
        })
        .collect()
}

pub(crate) fn check(case: &Case, a: &Matrix, b: &Matrix, c: &Matrix, what: &str) {
    let (form, key) = (&case.form, case.key);
    for perturb in [None, Some(3)] {
        let got = run(case, a, b, c, perturb);
        let exact = product(a, b, c);
        for i in 0..16 {
            for j in 0..16 {
                let wide = exact[i][j];
                let value = match (form.accumulator, form.clamp) {
                    (Accumulator::I32, true) => {
                        wide.clamp(i64::from(i32::MIN), i64::from(i32::MAX))
                    }
                    _ => wide,
                };
                let expected = form.accumulator.code(value);
                assert_eq!(
                    got[i][j], expected,
                    "{what}, {form:?}, key {key}, D[{i}][{j}] = {value}, perturb {perturb:?}"
                );
            }
        }
    }
}

/// Numbers that both an element and, summed, the accumulator hold exactly.
fn small(element: Element, accumulator: Accumulator, random: &mut Random) -> i64 {
    let narrow = matches!(accumulator, Accumulator::F16 | Accumulator::Bf16);
    let (low, high) = match element {
        Element::Int { bits, signed: true } => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
        Element::Int { bits, signed: false } => (0, (1i64 << bits) - 1),
        _ if narrow => (-2, 2),
        Element::F16 | Element::Bf16 => (-64, 64),
        // Four bits of digits, or three.
        Element::Fp8 => (-16, 16),
        Element::Bf8 => (-8, 8),
    };
    low + random.below((high - low + 1) as u64) as i64
}

pub(crate) fn filled(
    rows: usize,
    columns: usize,
    mut f: impl FnMut(usize, usize) -> i64,
) -> Matrix {
    (0..rows).map(|i| (0..columns).map(|j| f(i, j)).collect()).collect()
}

#[test]
fn dense_products_are_those_of_plain_arithmetic() {
    let mut random = Random(11);
    for case in &cases(false) {
        let form = &case.form;
        let a = filled(16, form.k, |_, _| small(form.a, form.accumulator, &mut random));
        let b = filled(form.k, 16, |_, _| small(form.b, form.accumulator, &mut random));
        let c = filled(16, 16, |_, _| random.below(9) as i64 - 4);
        check(case, &a, &b, &c, "random");
        // One element of A at a time and a B that tells k and column apart show every place of both.
        let one = filled(16, form.k, |i, k| i64::from(k == (3 * i + 1) % form.k));
        let telling = filled(form.k, 16, |k, j| ((5 * k + 3 * j) % 3) as i64);
        check(case, &one, &telling, &c, "one element");
    }
}

const CASES: [&[usize]; 11] =
    [&[0, 1], &[0, 2], &[0, 3], &[1, 2], &[1, 3], &[2, 3], &[0], &[1], &[2], &[3], &[]];

/// A matrix whose group `g` of row `r` keeps the set `case(r, g)`, with values `value(r, g, p)`.
pub(crate) fn sparse(
    k: usize,
    case: impl Fn(usize, usize) -> usize,
    value: impl Fn(usize, usize, usize) -> i64,
) -> Matrix {
    filled(16, k, |r, c| {
        let (g, p) = (c / 4, c % 4);
        if CASES[case(r, g) % 11].contains(&p) { value(r, g, p) } else { 0 }
    })
}

/// A value of the generators: never zero, of both signs where the element has them.
pub(crate) fn telling(form: &Form) -> impl Fn(usize, usize, usize) -> i64 + use<> {
    let narrow = matches!(form.accumulator, Accumulator::F16 | Accumulator::Bf16);
    let signed = !matches!(form.a, Element::Int { signed: false, .. });
    move |r, g, p| {
        let magnitude = if narrow {
            1 + ((g + p + r) % 2) as i64
        } else {
            1 + ((5 * g + 3 * p + r) % 7) as i64
        };
        if signed && (g + p + r) % 2 == 1 { -magnitude } else { magnitude }
    }
}

pub(crate) fn telling_b(form: &Form) -> Matrix {
    let narrow = matches!(form.accumulator, Accumulator::F16 | Accumulator::Bf16);
    let signed = !matches!(form.b, Element::Int { signed: false, .. });
    filled(form.k, 16, |k, n| {
        let x = ((5 * k + 3 * n) % 16) as i64;
        let x = if narrow { x % 4 - 2 } else { x - 8 };
        if signed { x } else { x.abs() }
    })
}

#[test]
fn sparse_products_are_those_of_plain_arithmetic() {
    for case in &cases(true) {
        let form = &case.form;
        let (value, b) = (telling(form), telling_b(form));
        let zero = filled(16, 16, |_, _| 0);
        let c = filled(16, 16, |i, j| ((7 * i + j) % 9) as i64 - 4);
        check(case, &sparse(form.k, |r, g| r + g, &value), &b, &c, "cycle");
        for kept in 0..11 {
            check(case, &sparse(form.k, |_, _| kept, &value), &b, &zero, "one case everywhere");
        }
        check(case, &sparse(form.k, |r, _| r, &value), &b, &zero, "a case a row");
        for half in 0..2 {
            let a = sparse(
                form.k,
                |r, g| if (g >= form.k / 8) == (half == 1) { r + g } else { 10 },
                &value,
            );
            check(case, &a, &b, &c, "one half of k");
        }
        // One element a row: D's row is B's row at the kept position.
        let one = filled(16, form.k, |i, k| i64::from(k == (5 * i + 2) % form.k));
        check(case, &one, &b, &zero, "one element");
        check(case, &sparse(form.k, |_, _| 10, &value), &b, &c, "nothing kept");
    }
}

#[test]
fn integer_extremes_and_saturation() {
    for is_sparse in [false, true] {
        for case in &cases(is_sparse) {
            let form = &case.form;
            let (Element::Int { bits, signed: sa }, Element::Int { signed: sb, .. }) =
                (form.a, form.b)
            else {
                continue;
            };
            let extreme =
                |signed: bool| if signed { -(1i64 << (bits - 1)) } else { (1i64 << bits) - 1 };
            let full = |_, k: usize| if is_sparse && k % 4 > 1 { 0 } else { extreme(sa) };
            let (a, b) = (filled(16, form.k, full), filled(form.k, 16, |_, _| extreme(sb)));
            for start in [i64::from(i32::MAX) - 4, i64::from(i32::MIN) + 4, 0] {
                check(case, &a, &b, &filled(16, 16, |_, _| start), "extremes");
            }
        }
    }
}

#[test]
fn an_index_of_the_other_nibble_order_fails() {
    for case in cases(true) {
        let form = case.form;
        if !matches!(form.a, Element::Int { bits: 4, signed: true }) || form.clamp {
            continue;
        }
        let (a, b) = (sparse(form.k, |r, g| r + g, telling(&form)), telling_b(&form));
        let zero = filled(16, 16, |_, _| 0);
        let wanted: Vec<Vec<u32>> = product(&a, &b, &zero)
            .iter()
            .map(|row| row.iter().map(|&d| d as u32).collect())
            .collect();
        assert_eq!(run(&case, &a, &b, &zero, None), wanted);
        let wrong = Case { high_nibble_first: true, ..case };
        assert_ne!(run(&wrong, &a, &b, &zero, None), wanted);
    }
}

#[test]
fn survivors_keep_their_places() {
    for case in &cases(true) {
        let form = &case.form;
        let zero = filled(16, 16, |_, _| 0);
        let large = if matches!(form.a, Element::Int { bits: 4, .. }) { 7 } else { 8 };
        let b = filled(form.k, 16, |k, j| i64::from(k % 4 == j % 4));
        for (kept, places) in CASES.iter().enumerate().take(6) {
            let first = places[0];
            let a = sparse(form.k, |_, _| kept, |_, _, p| if p == first { 1 } else { large });
            check(case, &a, &b, &zero, "two survivors of different size");
        }
    }
}

#[test]
fn pruned_positions_are_not_read() {
    // NaN in every row of B that no field addresses: all groups keep 1 and 2, so rows 0 and 3 of each group.
    let case = &cases(true)[0];
    let a = sparse(32, |_, _| 3, |_, _, _| 1);
    let b = filled(32, 16, |k, _| if k % 4 == 1 || k % 4 == 2 { 1 } else { 0 });
    let got = run(case, &a, &b, &filled(16, 16, |_, _| 0), None);
    assert!(got.iter().flatten().all(|&d| f32::from_bits(d) == 16.0));
    let mut v = vec![[0u32; 32]; 64];
    for lane in 0..32 {
        for place in 0..16 {
            let code = if place % 4 == 1 || place % 4 == 2 { 0x3c00 } else { 0x7e00 };
            put(&mut v, B, 16, lane, place, code);
        }
        for place in 0..8 {
            put(&mut v, A, 16, lane, place, 0x3c00);
            v[usize::from(INDEX)][lane] |= [1, 2][place % 2] << (2 * place);
        }
    }
    let registers: Vec<(u8, Row)> = v.iter().enumerate().map(|(n, row)| (n as u8, *row)).collect();
    let wave = run_program(&case.program, &Registers { v: &registers, ..Registers::default() })
        .expect("it runs");
    for row in &wave.v[usize::from(C)..usize::from(C) + 8] {
        assert!(row.iter().all(|&d| f32::from_bits(d) == 16.0), "{row:x?}");
    }
}

#[test]
fn a_row_with_nan_is_nan_and_no_other() {
    let case = &cases(true)[0];
    for row in 0..16 {
        let mut v = vec![[0u32; 32]; 64];
        for lane in 0..32 {
            (0..16).for_each(|place| put(&mut v, B, 16, lane, place, 0x3c00));
            let code = if lane == 16 + row { 0x7e00 } else { 0x3c00 };
            put(&mut v, A, 16, lane, row % 8, code);
            v[usize::from(INDEX)][lane] = 0x4444;
        }
        let registers: Vec<(u8, Row)> =
            v.iter().enumerate().map(|(n, row)| (n as u8, *row)).collect();
        let wave = run_program(&case.program, &Registers { v: &registers, ..Registers::default() })
            .expect("it runs");
        for i in 0..16 {
            for j in 0..16 {
                let d = f32::from_bits(wave.v[usize::from(C) + i % 8][16 * (i / 8) + j]);
                assert_eq!(d.is_nan(), i == row, "row {row}, D[{i}][{j}] = {d}");
            }
        }
    }
}

#[test]
fn published_vectors_of_the_sparse_layout() {
    // Lane 0's registers of the cycle generator as the layout's tables give them for bytes: A, index and B.
    let signed = Element::Int { bits: 8, signed: true };
    let all = cases(true);
    let case = all.iter().find(|c| c.form.a == signed && c.form.b == signed && !c.form.clamp);
    let case = case.expect("the form is there");
    let a = sparse(32, |r, g| r + g, telling(&case.form));
    let b = telling_b(&case.form);
    let got = run(case, &a, &b, &filled(16, 16, |_, _| 0), None);
    let row = |i: usize| got[i][..4].iter().map(|&d| d as i32).collect::<Vec<_>>();
    assert_eq!(row(0), [-121, 34, 13, -24]);
    assert_eq!(row(10), [-56, 7, 70, -107]);
    let weighed: i64 =
        (0..256).map(|n| i64::from(got[n / 16][n % 16] as i32) * (n as i64 + 1)).sum();
    assert_eq!(weighed, -100_168);
}

#[test]
fn matrices_need_all_lanes() {
    let program = &cases(false)[0].program;
    let rows: Vec<(u8, Row)> = (0..64).map(|n| (n, [0; 32])).collect();
    let registers = Registers { v: &rows, exec: Some(0x7fff_ffff), ..Registers::default() };
    let error = run_program(program, &registers).expect_err("a lane is missing");
    assert_eq!(error.to_string(), "all lanes must be active, but EXEC is 0x7fffffff");
}
