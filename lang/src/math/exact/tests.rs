//! Each sequence against `eval`, on f32 arithmetic that keeps subnormals and on arithmetic that flushes them.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the sequences use few operations; others are a panic"
)]

use super::*;
use crate::{
    build::Builder,
    dtype::DType,
    eval,
    ir::{Block, Kernel, Op, ParamKind, Type, Value},
    math,
    ops::{BinaryOp, CompareOp, UnaryOp},
    val::{Scalar, Val},
    verify,
};

/// A sequence with its operands.
struct Sequence {
    kernel: Kernel,
    operands: Vec<Value>,
    result: Value,
    name: &'static str,
}

/// Stages a sequence of `N` operands.
fn stage<const N: usize, S: Scalar, D: Scalar>(
    name: &'static str,
    f: impl FnOnce([Val<S>; N]) -> Val<D>,
) -> Sequence {
    let mut b = Builder::new(name);
    let operands: [Value; N] = std::array::from_fn(|i| {
        let param = b.param(format!("x{i}"), ParamKind::Scalar(S::DTYPE));
        b.push(Op::Scalar(param), Type::Scalar(S::DTYPE))
    });
    let result = math::write(&mut b, || f(operands.map(Val::from_ir)));
    let kernel = b.finish();
    verify::verify(&kernel).expect("a sequence is well formed");
    Sequence { kernel, operands: operands.to_vec(), result, name }
}

enum Flow {
    Next,
    Break(Value),
    Continue(Value),
}

/// A run of a sequence; kept between runs for its memory.
struct Machine<'s> {
    sequence: &'s Sequence,
    cells: Vec<u64>,
    vars: Vec<u64>,
    flush: bool,
    /// Operations of the last run.
    steps: usize,
}

impl Machine<'_> {
    fn new(sequence: &Sequence, flush: bool) -> Machine<'_> {
        let kernel = &sequence.kernel;
        let (cells, vars) = (vec![0; kernel.insts.len()], vec![0; kernel.vars.len()]);
        Machine { sequence, cells, vars, flush, steps: 0 }
    }

    fn run(&mut self, operands: &[u64]) -> u64 {
        for (value, bits) in self.sequence.operands.iter().zip(operands) {
            self.cells[value.index()] = *bits;
        }
        self.steps = 0;
        self.block(self.sequence.kernel.body);
        self.cells[self.sequence.result.index()]
    }

    fn block(&mut self, block: Block) -> Flow {
        let sequence = self.sequence;
        for &v in &sequence.kernel[block] {
            let flow = match &sequence.kernel[v].op {
                Op::If { cond, then, other } => {
                    let chosen = if self.at(*cond) != 0 { *then } else { *other };
                    self.block(chosen)
                }
                Op::Scope { body } => match self.block(*body) {
                    Flow::Break(to) if to == v => Flow::Next,
                    flow => flow,
                },
                Op::Loop { body } => loop {
                    match self.block(*body) {
                        Flow::Break(to) if to == v => break Flow::Next,
                        Flow::Continue(to) if to == v => {}
                        Flow::Next => {}
                        flow => break flow,
                    }
                },
                Op::Break(to) => Flow::Break(*to),
                Op::Continue(to) => Flow::Continue(*to),
                _ => {
                    self.leaf(v);
                    Flow::Next
                }
            };
            if !matches!(flow, Flow::Next) {
                return flow;
            }
        }
        Flow::Next
    }

    fn at(&self, v: Value) -> u64 {
        self.cells[v.index()]
    }

    /// An operand or result of f32 arithmetic.
    fn flushed(&self, dtype: DType, bits: u64) -> u64 {
        if self.flush && dtype == DType::F32 && bits & 0x7f80_0000 == 0 {
            bits & 0x8000_0000
        } else {
            bits
        }
    }

    fn leaf(&mut self, v: Value) {
        let kernel = &self.sequence.kernel;
        let dtype = |v: Value| kernel[v].ty.dtype().expect("a value has a dtype");
        let operand = |v: Value| self.flushed(dtype(v), self.at(v));
        let value = match &kernel[v].op {
            Op::Scalar(_) => return,
            Op::Const(c) => Some(c.bits),
            Op::Unary(op, a) => eval::unary(*op, dtype(*a), operand(*a)),
            Op::Binary(op, a, b) => eval::binary(*op, dtype(*a), operand(*a), operand(*b)),
            Op::Compare(op, a, b) => {
                eval::compare(*op, dtype(*a), operand(*a), operand(*b)).map(u64::from)
            }
            Op::Select(c, a, b) => Some(self.at(if self.at(*c) != 0 { *a } else { *b })),
            Op::Cast(a) => eval::cast(dtype(*a), dtype(v), self.at(*a)),
            Op::Bitcast(a) => eval::bitcast(dtype(*a), dtype(v), self.at(*a)),
            Op::Get(var) => Some(self.vars[var.index()]),
            Op::Set(var, value) => {
                self.vars[var.index()] = self.at(*value);
                self.steps += 1;
                return;
            }
            op => panic!("{} has {op:?}", self.sequence.name),
        };
        let value = value.expect("a sequence has native operations only");
        let arithmetic = matches!(kernel[v].op, Op::Unary(..) | Op::Binary(..));
        self.cells[v.index()] = if arithmetic { self.flushed(dtype(v), value) } else { value };
        self.steps += usize::from(!matches!(kernel[v].op, Op::Const(_)));
    }
}

/// Splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// All bits; few bits; a power of two and its neighbours; a special number; each as often.
    fn number(&mut self) -> u64 {
        let r = self.next();
        let bits = r as u32;
        u64::from(match (r >> 32) % 6 {
            0 | 1 => bits,
            2 => bits & 0xfff0_0000,
            3 => (bits & 0xff80_0000).wrapping_add((r >> 40) as u32 % 9).wrapping_sub(4),
            4 => bits & 0x83ff_ffff,
            _ => LATTICE[(r >> 40) as usize % LATTICE.len()],
        })
    }

    /// `N` numbers; in every other tuple the exponents lie near each other.
    fn tuple<const N: usize>(&mut self) -> [u64; N] {
        let mut t = std::array::from_fn(|_| self.number());
        let r = self.next();
        if r & 1 == 0 {
            let base = (r >> 8) % 255;
            for (i, x) in t.iter_mut().enumerate() {
                let near = (base + (r >> (16 + 6 * i)) % 53).saturating_sub(26).min(254);
                *x = (*x & 0x807f_ffff) | near << 23;
            }
        }
        if N == 3 && r & 6 == 0 {
            // The addend near minus the product, so that sums cancel.
            let product = -(f32::from_bits(t[0] as u32) * f32::from_bits(t[1] as u32));
            t[N - 1] =
                u64::from(product.to_bits().wrapping_add((r >> 40) as u32 % 3).wrapping_sub(1));
        }
        t
    }
}

#[rustfmt::skip]
const LATTICE: [u32; 40] = [
    0, 0x8000_0000, 1, 0x8000_0001, 2, 0x8000_0003, 0x0040_0000, 0x007f_ffff, 0x807f_ffff, 0x0080_0000, 0x8080_0000,
    0x0080_0001, 0x00ff_ffff, 0x0100_0000, 0x0d80_0000, 0x0e00_0000, 0x8e00_0001, 0x1f80_0000, 0x2000_0000, 0x3300_0000,
    0x3380_0000, 0x3f00_0000, 0x3f7f_ffff, 0x3f80_0000, 0xbf80_0000, 0x3f80_0001, 0x3fc0_0000, 0x4000_0000, 0xc040_0000,
    0x4b00_0000, 0x4b80_0001, 0x4f00_0000, 0xcf00_0000, 0x4f80_0000, 0x7f00_0000, 0x7f7f_ffff, 0xff7f_ffff, 0x7f80_0000,
    0xff80_0000, 0x7fc0_0000,
];

/// Holds a sequence to `law` on the inputs, on both kinds of arithmetic, and returns the most operations of a run.
fn hold<const N: usize>(
    sequence: &Sequence,
    law: impl Fn([u64; N]) -> u64,
    inputs: impl Iterator<Item = [u64; N]>,
) -> usize {
    let mut machines = [false, true].map(|flush| Machine::new(sequence, flush));
    let mut most = 0;
    for input in inputs {
        let expected = law(input);
        for machine in &mut machines {
            let found = machine.run(&input);
            let flush = machine.flush;
            assert!(
                found == expected,
                "{} of {input:08x?}: {found:08x}, not {expected:08x} (flushing: {flush})",
                sequence.name
            );
            most = most.max(machine.steps);
        }
    }
    println!("{:16} {most:4} operations", sequence.name);
    most
}

/// All tuples of the lattice, then random ones.
fn tuples<const N: usize>(random: usize) -> impl Iterator<Item = [u64; N]> {
    let lattice = (0..LATTICE.len().pow(N as u32)).map(|i| {
        std::array::from_fn(|n| u64::from(LATTICE[i / LATTICE.len().pow(n as u32) % LATTICE.len()]))
    });
    let mut r = Random(N as u64);
    // A NaN operand is canonical, as every NaN value is.
    lattice
        .chain((0..random).map(move |_| r.tuple()))
        .map(|t| t.map(|x| eval::canonical(DType::F32, x)))
}

/// Every f32 whose low bits are 0, 1, a half, beside it, or all ones: all ties of narrowings to 12 bits or fewer,
/// with random ones between.
fn floats() -> impl Iterator<Item = [u64; 1]> {
    let ties = (0u64..1 << 20)
        .flat_map(|upper| [0, 1, 0x800, 0x7ff, 0x801, 0xfff].map(|low| [upper << 12 | low]));
    ties.chain(tuples(1 << 18)).map(|[x]| [eval::canonical(DType::F32, x)])
}

/// Integers around all powers of two, sums of two of them, and random ones of all sizes.
fn integers() -> impl Iterator<Item = [u64; 1]> {
    let powers =
        (0..32u32).flat_map(|i| (0..32u32).flat_map(move |j| (0..32u32).map(move |k| (i, j, k))));
    let near = powers.flat_map(|(i, j, k)| {
        let x = (1u32 << i).wrapping_add(1 << j).wrapping_add(1 << k);
        [x.wrapping_sub(1), x, x.wrapping_add(1), x.wrapping_neg()]
    });
    let mut r = Random(7);
    let random = (0..1 << 20).map(move |_| {
        let x = r.next();
        (x as u32) >> ((x >> 32) % 32)
    });
    [0, 1, u32::MAX, 1 << 31].into_iter().chain(near).chain(random).map(|x| [u64::from(x)])
}

fn law_binary(op: BinaryOp) -> impl Fn([u64; 2]) -> u64 {
    move |[a, b]| eval::binary(op, DType::F32, a, b).expect("a native row")
}

fn law_unary(op: UnaryOp) -> impl Fn([u64; 1]) -> u64 {
    move |[a]| eval::unary(op, DType::F32, a).expect("a native row")
}

fn law_cast(from: DType, to: DType) -> impl Fn([u64; 1]) -> u64 {
    move |[a]| eval::cast(from, to, a).expect("numbers convert")
}

#[test]
fn fma_has_one_rounding() {
    let law = |[a, b, c]: [u64; 3]| eval::fma(DType::F32, a, b, c).expect("f32 has fma");
    let sequence = stage("fma", |[a, b, c]| fma(a, b, c));
    hold(&sequence, law, tuples(1 << 18));
    let sequence = stage("fma_wide", |[a, b, c]| fma_wide(a, b, c));
    hold(&sequence, law, tuples(1 << 18));
}

/// Products midway between two f32, at every exponent, whole or with something far below added: only that decides.
#[test]
fn fma_sees_what_lies_far_below_a_midway_product() {
    let law = |[a, b, c]: [u64; 3]| eval::fma(DType::F32, a, b, c).expect("f32 has fma");
    let sequences = [
        stage("fma", |[a, b, c]: [Val<f32>; 3]| fma(a, b, c)),
        stage("fma_wide", |[a, b, c]: [Val<f32>; 3]| fma_wide(a, b, c)),
    ];
    let mut state = 7u64;
    let mut draw = move |below: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) % below
    };
    let power = |e: i32| 2f64.powi(e);
    let mut cases = Vec::new();
    for e in -178i32..104 {
        for _ in 0..40 {
            // The odd product of 25 bits has one bit more than an f32; below 2^-149 bits of a smaller one are lost.
            let (m, n) = (4097 + 2 * draw(2048), 4097 + 2 * draw(2048));
            let half = e.div_euclid(2);
            let (a, b) = (m as f64 * power(half), n as f64 * power(e - half));
            cases.push((a as f32, b as f32, e));
        }
        // (2^25 - 1) 2^103 lies midway between the greatest f32 and infinity.
        cases.push((
            (18631.0 * power(e.min(52))) as f32,
            (1801.0 * power(e - e.min(52))) as f32,
            e,
        ));
        cases.push((power(e.div_euclid(2)) as f32, (3.0 * power(e - e.div_euclid(2))) as f32, e));
    }
    let mut midway = 0;
    for (a, b, e) in cases {
        let product = f64::from(a) * f64::from(b);
        midway += u32::from(f64::from(product as f32) != product);
        let addends = [0.0, power(-149), power(e - 30), power(e - 60), power(e + 20), power(127)];
        for c in addends.into_iter().flat_map(|c| [c, -c]) {
            for sign in [1.0, -1.0] {
                let operands = [a * sign, b, c as f32].map(|x| u64::from(x.to_bits()));
                for sequence in &sequences {
                    let got = Machine::new(sequence, false).run(&operands);
                    let want = law(operands);
                    assert_eq!(got, want, "{} of {operands:x?}", sequence.name);
                }
            }
        }
    }
    assert!(midway > 5000, "{midway} products are no f32");
}

#[test]
#[ignore = "takes minutes"]
fn arithmetic_for_long() {
    let law = |[a, b, c]: [u64; 3]| eval::fma(DType::F32, a, b, c).expect("f32 has fma");
    hold(&stage("fma", |[a, b, c]| fma(a, b, c)), law, tuples(1 << 24));
    hold(&stage("fma_wide", |[a, b, c]| fma_wide(a, b, c)), law, tuples(1 << 24));
    hold(&stage("add", |[a, b]| add(a, b)), law_binary(BinaryOp::Add), tuples(1 << 24));
    hold(&stage("mul", |[a, b]| mul(a, b)), law_binary(BinaryOp::Mul), tuples(1 << 24));
    hold(&stage("rem", |[a, b]| rem(a, b)), law_binary(BinaryOp::Rem), tuples(1 << 22));
}

#[test]
fn arithmetic_keeps_subnormals() {
    hold(&stage("add", |[a, b]| add(a, b)), law_binary(BinaryOp::Add), tuples(1 << 19));
    hold(&stage("sub", |[a, b]| sub(a, b)), law_binary(BinaryOp::Sub), tuples(1 << 18));
    hold(&stage("mul", |[a, b]| mul(a, b)), law_binary(BinaryOp::Mul), tuples(1 << 19));
    hold(&stage("rem", |[a, b]| rem(a, b)), law_binary(BinaryOp::Rem), tuples(1 << 18));
}

#[test]
fn order_is_on_the_bits() {
    let law = |op| {
        move |[a, b]: [u64; 2]| {
            u64::from(eval::compare(op, DType::F32, a, b).expect("numbers compare"))
        }
    };
    let n = 1 << 18;
    hold(&stage("eq", |[a, b]| eq(a, b)), law(CompareOp::Eq), tuples(n));
    hold(&stage("ne", |[a, b]| ne(a, b)), law(CompareOp::Ne), tuples(n));
    hold(&stage("lt", |[a, b]| lt(a, b)), law(CompareOp::Lt), tuples(n));
    hold(&stage("le", |[a, b]| le(a, b)), law(CompareOp::Le), tuples(n));
    hold(&stage("gt", |[a, b]| gt(a, b)), law(CompareOp::Gt), tuples(n));
    hold(&stage("ge", |[a, b]| ge(a, b)), law(CompareOp::Ge), tuples(n));
    hold(&stage("min", |[a, b]| min(a, b)), law_binary(BinaryOp::Min), tuples(n));
    hold(&stage("max", |[a, b]| max(a, b)), law_binary(BinaryOp::Max), tuples(n));
    hold(&stage("min_num", |[a, b]| min_num(a, b)), law_binary(BinaryOp::MinNum), tuples(n));
    hold(&stage("max_num", |[a, b]| max_num(a, b)), law_binary(BinaryOp::MaxNum), tuples(n));
    hold(&stage("neg", |[a]| neg(a)), law_unary(UnaryOp::Neg), tuples(n));
    hold(&stage("abs", |[a]| abs(a)), law_unary(UnaryOp::Abs), tuples(n));
}

#[test]
fn rounding_to_integral() {
    // Around every half and whole number below 2^12, beside the strided floats.
    let halves = || {
        (0u32..1 << 13)
            .flat_map(|i| [i as f32 * 0.5, -(i as f32 * 0.5)])
            .flat_map(|x| [-1i32, 0, 1].map(|d| [u64::from(x.to_bits().wrapping_add_signed(d))]))
    };
    let inputs = || floats().chain(halves().map(|[x]| [eval::canonical(DType::F32, x)]));
    hold(&stage("floor", |[a]| floor(a)), law_unary(UnaryOp::Floor), inputs());
    hold(&stage("ceil", |[a]| ceil(a)), law_unary(UnaryOp::Ceil), inputs());
    hold(&stage("trunc", |[a]| trunc(a)), law_unary(UnaryOp::Trunc), inputs());
    hold(&stage("round_even", |[a]| round_even(a)), law_unary(UnaryOp::RoundEven), inputs());
}

#[test]
fn integers_convert() {
    use DType::{BF16, F16, F32, I32, U32};
    hold(&stage("from_i32", |[a]| from_i32(a)), law_cast(I32, F32), integers());
    hold(&stage("from_u32", |[a]| from_u32(a)), law_cast(U32, F32), integers());
    hold(&stage("i32_to_f16", |[a]| i32_to_f16(a)), law_cast(I32, F16), integers());
    hold(&stage("u32_to_f16", |[a]| u32_to_f16(a)), law_cast(U32, F16), integers());
    hold(&stage("i32_to_bf16", |[a]| i32_to_bf16(a)), law_cast(I32, BF16), integers());
    hold(&stage("u32_to_bf16", |[a]| u32_to_bf16(a)), law_cast(U32, BF16), integers());
    hold(&stage("to_i32", |[a]| to_i32(a)), law_cast(F32, I32), floats());
    hold(&stage("to_u32", |[a]| to_u32(a)), law_cast(F32, U32), floats());
    hold(&stage("to_i32_guarded", |[a]| to_i32_guarded(a)), law_cast(F32, I32), floats());
    hold(&stage("to_u32_guarded", |[a]| to_u32_guarded(a)), law_cast(F32, U32), floats());
}

#[test]
fn halves_convert() {
    use DType::{BF16, F16, F32};
    hold(&stage("narrow_f16", |[a]| narrow_f16(a)), law_cast(F32, F16), floats());
    hold(&stage("narrow_bf16", |[a]| narrow_bf16(a)), law_cast(F32, BF16), floats());
    let codes = || (0..1u64 << 16).map(|x| [x]);
    hold(&stage("widen_f16", |[a]| bits_of(widen_f16(a))), law_cast(F16, F32), codes());
    hold(&stage("widen_bf16", |[a]| bits_of(widen_bf16(a))), law_cast(BF16, F32), codes());
}

/// A result as it is observed: NaN canonical.
fn bits_of(x: Val<f32>) -> Val<u32> {
    crate::val::bits(x)
}

const STORED: [DType; 4] = [DType::F8E4M3, DType::F8E5M2, DType::F8E8M0, DType::F4E2M1];

#[test]
fn stored_floats_convert() {
    for stored in STORED {
        let sequence =
            stage(stored.name(), |[x]| bits_of(decode(stored, x).expect("a stored float")));
        let codes = (0..256u64).map(|x| [x]);
        hold(&sequence, |[code]| eval::canonical(DType::F32, eval::decode(stored, code)), codes);
        let sequence = stage(stored.name(), |[x]| encode(stored, x).expect("a stored float"));
        hold(&sequence, |[x]| eval::encode(stored, x), floats());
    }
}

#[test]
#[ignore = "takes a minute"]
fn narrowing_of_a_stride_of_floats() {
    let inputs = || (0..1u64 << 32).step_by(251).map(|x| [eval::canonical(DType::F32, x)]);
    hold(&stage("narrow_f16", |[a]| narrow_f16(a)), law_cast(DType::F32, DType::F16), inputs());
    hold(&stage("narrow_bf16", |[a]| narrow_bf16(a)), law_cast(DType::F32, DType::BF16), inputs());
}

#[test]
fn the_executor_flushes() {
    // A native product that underflows: the flushing machine must not find the law's bits.
    let sequence = stage("product", |[a, b]: [Val<f32>; 2]| a * b);
    let input = [0x0080_0000, 0x3f00_0000];
    assert_eq!(Machine::new(&sequence, false).run(&input), 0x0040_0000);
    assert_eq!(Machine::new(&sequence, true).run(&input), 0);
}
