//! The formulas of the probe, by what they show.
//!
//! Invariants
//! - A row names the fact that does not hold where it differs. A fact is shown by rows whose other operations have facts of
//!   their own that come before it.

use super::{
    cases::{DOUBLE, Format, Random, SINGLE, canonical, integers as pairs},
    sheet::{Cell, Sheet},
};
use evenweave_codegen::Fact;
use evenweave_lang::{
    dtype::DType,
    eval,
    ops::{BinaryOp, CompareOp, UnaryOp},
};

/// The integers of a width, its dtypes and its fact.
struct Width {
    bits: u32,
    unsigned: DType,
    signed: DType,
    fact: Fact,
}

/// 32-bit integers, small ones in 32-bit registers, and their conversions to f32.
pub(super) fn integers() -> Sheet {
    let s = Sheet::new("probe_integers");
    let width = Width { bits: 32, unsigned: DType::U32, signed: DType::I32, fact: Fact::Integers };
    let (a, i) = integer_rows(&s, &width);
    let [b, j] = [s.unary(UnaryOp::Not, a), s.unary(UnaryOp::Not, i)];
    s.row(Fact::Integers, "mul_high(a, !a)", s.binary(BinaryOp::MulHigh, a, b));
    s.row(Fact::Integers, "mul_high(a, !a), signed", s.binary(BinaryOp::MulHigh, i, j));
    s.row(Fact::Integers, "mul_high(a, a), signed", s.binary(BinaryOp::MulHigh, i, i));
    for (text, dtype) in [
        ("a as u8", DType::U8),
        ("a as i8", DType::I8),
        ("a as u16", DType::U16),
        ("a as i16", DType::I16),
    ] {
        s.row(Fact::Integers, text, s.cast(dtype, a));
    }
    s.row(Fact::FromInt, "a as f32", s.cast(DType::F32, a));
    s.row(Fact::FromInt, "a as i32 as f32", s.cast(DType::F32, i));
    s
}

/// 64-bit integers. The upper half of a product is nowhere native.
pub(super) fn longs() -> Sheet {
    let s = Sheet::new("probe_longs");
    let (unsigned, signed) = (DType::U64, DType::I64);
    let (a, i) = integer_rows(&s, &Width { bits: 64, unsigned, signed, fact: Fact::Integers64 });
    let (low, int) = (s.cast(DType::U32, a), s.cast(DType::I32, i));
    s.row(Fact::Integers64, "a as u32", low);
    s.row(Fact::Integers64, "a as u32 as u64", s.cast(DType::U64, low));
    s.row(Fact::Integers64, "a as i32 as i64", s.cast(DType::I64, int));
    s
}

fn integer_rows(s: &Sheet, width: &Width) -> (Cell, Cell) {
    let &Width { bits, unsigned, signed, fact } = width;
    let pairs = pairs(bits, 2048);
    let a = s.column("a", unsigned, pairs.iter().map(|p| p[0]).collect());
    let b = s.column("b", unsigned, pairs.iter().map(|p| p[1]).collect());
    let (i, j) = (s.bits(signed, a), s.bits(signed, b));
    for (text, op) in [
        ("a + b", BinaryOp::Add),
        ("a - b", BinaryOp::Sub),
        ("a * b", BinaryOp::Mul),
        ("a / b", BinaryOp::Div),
        ("a % b", BinaryOp::Rem),
        ("min(a, b)", BinaryOp::Min),
        ("max(a, b)", BinaryOp::Max),
        ("a & b", BinaryOp::And),
        ("a | b", BinaryOp::Or),
        ("a ^ b", BinaryOp::Xor),
        ("a << b", BinaryOp::Shl),
        ("a >> b", BinaryOp::Shr),
    ] {
        s.row(fact, text, s.binary(op, a, b));
    }
    for (text, op) in [
        ("a / b, signed", BinaryOp::Div),
        ("a % b, signed", BinaryOp::Rem),
        ("min(a, b), signed", BinaryOp::Min),
        ("max(a, b), signed", BinaryOp::Max),
        ("a >> b, signed", BinaryOp::Shr),
    ] {
        s.row(fact, text, s.binary(op, i, j));
    }
    for (text, op) in [
        ("!a", UnaryOp::Not),
        ("count_ones(a)", UnaryOp::CountOnes),
        ("leading_zeros(a)", UnaryOp::LeadingZeros),
        ("trailing_zeros(a)", UnaryOp::TrailingZeros),
    ] {
        s.row(fact, text, s.unary(op, a));
    }
    s.row(fact, "-a", s.neg(i));
    s.row(fact, "abs(a)", s.unary(UnaryOp::Abs, i));
    for &op in CompareOp::ALL {
        s.row(fact, op.name(), s.compare(op, a, b));
        s.row(fact, op.name(), s.compare(op, i, j));
    }
    (a, i)
}

/// f32 sums, products, comparisons, `fma`, rounding to integers.
pub(super) fn singles() -> Sheet {
    let s = Sheet::new("probe_singles");
    let [a, b, c] = triple(&s, SINGLE, 3072);
    let facts = Arithmetic {
        rounding: Fact::Rounding,
        uncontracted: Fact::Uncontracted,
        as_written: Fact::AsWritten,
        compares: Fact::Compares,
        fma: Fact::Fma,
        round: Fact::Round,
    };
    arithmetic(&s, &facts, DType::F32, [a, b, c]);
    s.row(Fact::ToInt, "a as i32", s.cast(DType::I32, a));
    s.row(Fact::ToInt, "a as u32", s.cast(DType::U32, a));
    s
}

fn triple(s: &Sheet, format: Format, count: usize) -> [Cell; 3] {
    let triples = format.triples(count);
    let column = |at: usize| triples.iter().map(|t| t[at]).collect();
    [("a", 0), ("b", 1), ("c", 2)].map(|(name, at)| s.column(name, format.dtype, column(at)))
}

struct Arithmetic {
    rounding: Fact,
    uncontracted: Fact,
    as_written: Fact,
    compares: Fact,
    fma: Fact,
    round: Fact,
}

fn arithmetic(s: &Sheet, facts: &Arithmetic, dtype: DType, [a, b, c]: [Cell; 3]) {
    // A driver may know the value of a constant; that of a column it cannot.
    let all = |name, x: u64| {
        let bits = eval::cast(DType::U64, dtype, x).expect("a number");
        s.column(name, dtype, vec![bits; s.cases()])
    };
    let (zero, one) = (all("zero", 0), all("one", 1));
    s.row(facts.rounding, "a + b", s.add(a, b));
    s.row(facts.rounding, "a - b", s.sub(a, b));
    s.row(facts.rounding, "a * b", s.mul(a, b));
    s.row(facts.rounding, "-a", s.neg(a));
    s.row(facts.rounding, "abs(a)", s.unary(UnaryOp::Abs, a));

    let p = s.mul(a, b);
    let once = s.add(p, c);
    s.row(facts.uncontracted, "a * b + c", once);
    s.row(facts.uncontracted, "c + a * b", s.add(c, s.mul(a, b)));
    s.row(facts.uncontracted, "a * b - c", s.sub(s.mul(a, b), c));
    s.row(facts.uncontracted, "c - a * b", s.sub(c, s.mul(a, b)));
    s.row(facts.uncontracted, "-a * b + c", s.add(s.mul(s.neg(a), b), c));
    s.row(facts.uncontracted, "a * b + b * c", s.add(s.mul(a, b), s.mul(b, c)));
    s.row(facts.uncontracted, "a * b + (a * b + c)", s.add(p, once));

    s.row(facts.as_written, "(a + b) - a", s.sub(s.add(a, b), a));
    s.row(facts.as_written, "(a - b) + b", s.add(s.sub(a, b), b));
    s.row(facts.as_written, "(a + b) + c", s.add(s.add(a, b), c));
    s.row(facts.as_written, "a + (b + c)", s.add(a, s.add(b, c)));
    s.row(facts.as_written, "(a * b) * c", s.mul(s.mul(a, b), c));
    s.row(facts.as_written, "a * (b * c)", s.mul(a, s.mul(b, c)));
    s.row(facts.as_written, "(a + b) * c", s.mul(s.add(a, b), c));
    s.row(facts.as_written, "a - a", s.sub(a, a));
    s.row(facts.as_written, "a + zero", s.add(a, zero));
    s.row(facts.as_written, "zero - a", s.sub(zero, a));
    s.row(facts.as_written, "a * zero", s.mul(a, zero));
    let named = s.literal(dtype, 0);
    s.row(Fact::ZeroTerm, "a + 0.0", s.add(a, named));
    s.row(Fact::ZeroTerm, "0.0 + a", s.add(named, a));
    s.row(Fact::ZeroTerm, "0.0 - a", s.sub(named, a));
    s.row(Fact::ZeroTerm, "a - 0.0", s.sub(a, named));
    let divided = |by| s.binary(BinaryOp::Div, a, by);
    s.row(Fact::ZeroTerm, "a / 0.0", divided(named));
    s.row(Fact::ZeroTerm, "a / -0.0", divided(s.literal(dtype, 1 << (dtype.bits() - 1))));
    // Its sign alone: a root may be an estimate.
    let int = if dtype == DType::F32 { DType::U32 } else { DType::U64 };
    let last = s.literal(int, u64::from(dtype.bits()) - 1);
    let sign_of = |x| s.binary(BinaryOp::Shr, s.bits(int, s.unary(UnaryOp::Abs, x)), last);
    let root = s.unary(UnaryOp::Sqrt, a);
    s.row(Fact::Magnitudes, "the sign of abs(sqrt(a))", sign_of(root));
    s.row(Fact::Magnitudes, "the sign of abs(a)", sign_of(a));
    s.row(facts.as_written, "a * one", s.mul(a, one));
    let magic = all("magic", if dtype == DType::F32 { 3 << 22 } else { 3 << 51 });
    s.row(facts.as_written, "(a + magic) - magic", s.sub(s.add(a, magic), magic));

    let less = s.compare(CompareOp::Lt, a, b);
    let sign = 1 << (dtype.bits() - 1);
    let unit = if dtype == DType::F32 { 0x3f80_0000 } else { 0x3ff0 << 48 };
    for (text, x, y) in [
        ("a < b ? 0.0 : -1.0", 0, unit | sign),
        ("a < b ? -1.0 : 0.0", unit | sign, 0),
        ("a < b ? 0.0 : 1.0", 0, unit),
        ("a < b ? 1.0 : 0.0", unit, 0),
        ("a < b ? -0.0 : -1.0", sign, unit | sign),
        ("a < b ? -1.0 : -0.0", unit | sign, sign),
        ("a < b ? -0.0 : 1.0", sign, unit),
        ("a < b ? 1.0 : -0.0", unit, sign),
        ("a < b ? 0.0 : -0.0", 0, sign),
    ] {
        let [x, y] = [x, y].map(|bits| s.literal(dtype, bits));
        s.row(Fact::Selects, text, s.select(less, x, y));
    }

    for &op in CompareOp::ALL {
        let truth = s.compare(op, a, b);
        s.row(facts.compares, op.name(), truth);
        s.row(facts.compares, "not", s.unary(UnaryOp::Not, truth));
        s.row(facts.compares, "select(compare, a, b)", s.select(truth, a, b));
    }
    for op in [BinaryOp::Min, BinaryOp::Max, BinaryOp::MinNum, BinaryOp::MaxNum] {
        s.row(facts.compares, op.name(), s.binary(op, a, b));
    }

    s.row(facts.fma, "fma(a, b, c)", s.fma(a, b, c));
    s.row(facts.fma, "fma(-a, b, c)", s.fma(s.neg(a), b, c));
    s.row(facts.fma, "fma(a, b, -(a * b))", s.fma(a, b, s.neg(s.mul(a, b))));
    for (text, op) in [
        ("floor(a)", UnaryOp::Floor),
        ("ceil(a)", UnaryOp::Ceil),
        ("trunc(a)", UnaryOp::Trunc),
        ("round_even(a)", UnaryOp::RoundEven),
    ] {
        s.row(facts.round, text, s.unary(op, a));
    }
}

/// f32 quotients and roots: 65,536 hard ones, specials, random bits.
pub(super) fn roots() -> Sheet {
    let s = Sheet::new("probe_roots");
    root_rows(&s, SINGLE, 1 << 15, [Fact::Div, Fact::Sqrt]);
    s
}

/// f64 quotients and roots.
pub(super) fn double_roots() -> Sheet {
    let s = Sheet::new("probe_double_roots");
    root_rows(&s, DOUBLE, 1 << 13, [Fact::DoubleDiv, Fact::DoubleSqrt]);
    s
}

fn root_rows(s: &Sheet, format: Format, count: usize, [div, sqrt]: [Fact; 2]) {
    let specials = format.specials();
    let mut pairs: Vec<[u64; 2]> =
        specials.iter().flat_map(|&a| specials.iter().map(move |&b| [a, b])).collect();
    let mut random = Random(5);
    for _ in 0..count / 8 {
        let mask = u64::MAX >> (64 - format.dtype.bits());
        pairs.push([0; 2].map(|_| canonical(format, random.next() & mask)));
    }
    pairs.extend(format.quotients(count));
    pairs.extend(format.by_all_ones());
    // A hard divisor stands beside a hard root: each row has its own operand.
    let squares = format.squares(count);
    pairs.extend(squares.iter().enumerate().map(|(i, &x)| [x, squares[(i + 1) % squares.len()]]));
    let a = s.column("a", format.dtype, pairs.iter().map(|p| p[0]).collect());
    let b = s.column("b", format.dtype, pairs.iter().map(|p| p[1]).collect());
    s.row(div, "a / b", s.binary(BinaryOp::Div, a, b));
    s.row(div, "1 / b", s.unary(UnaryOp::Recip, b));
    s.row(sqrt, "sqrt(a)", s.unary(UnaryOp::Sqrt, a));
}

/// All f16 to f32; f32 to f16 at every midpoint and beside it, alone and after arithmetic.
pub(super) fn halves() -> Sheet {
    let s = Sheet::new("probe_halves");
    let codes: Vec<u64> = (0..1 << 16).map(|code| eval::encode(DType::F16, code)).collect();
    let widen = |code: u64| eval::cast(DType::F16, DType::F32, code).expect("a number");
    // Between a finite code and the next one; past the greatest, where infinity begins.
    let midpoint = |&code: &u64| {
        let (sign, code) = (code & 0x8000, code & 0x7fff);
        let half = |x: u64| f32::from_bits(widen(x) as u32);
        let bits = match code {
            0x7c00.. => widen(code),
            0x7bff => 65520f32.to_bits().into(),
            _ => ((half(code) + half(code + 1)) / 2.0).to_bits().into(),
        };
        bits | sign << 16
    };
    let middles: Vec<u64> = codes.iter().map(midpoint).collect();
    let beside = |by: i64| {
        let step =
            |&m: &u64| if m & 0x7f80_0000 == 0x7f80_0000 { m } else { m.wrapping_add_signed(by) };
        middles.iter().map(step).collect()
    };
    let (below, above) = (beside(-1), beside(1));
    let all = |x: f32| vec![u64::from(x.to_bits()); codes.len()];
    let (factor, offset) = (all(1.1), all(1000.0));
    let h = s.column("h", DType::F16, codes.clone());
    let [m, low, high] = [("m", middles), ("below", below), ("above", above)]
        .map(|(name, words)| s.column(name, DType::F32, words));
    let [k, o] = [("k", factor), ("o", offset)].map(|(name, w)| s.column(name, DType::F32, w));
    let narrow = |x: Cell| s.cast(DType::F16, x);
    let x = s.cast(DType::F32, h);
    s.row(Fact::WidenHalf, "h as f32", x);
    s.row(Fact::NarrowHalf, "m as f16", narrow(m));
    s.row(Fact::NarrowHalf, "below as f16", narrow(low));
    s.row(Fact::NarrowHalf, "above as f16", narrow(high));
    let product = narrow(s.mul(x, k));
    // Nothing but the widening sees these: a driver may take the two conversions for none.
    let both = |v: Cell| s.cast(DType::F32, s.cast(DType::F16, v));
    s.row(Fact::NarrowKept, "m as f16 as f32", both(m));
    s.row(Fact::NarrowKept, "below as f16 as f32 * k", s.mul(both(low), k));
    s.row(Fact::NarrowAlone, "(h as f32 * k) as f16", product);
    s.row(Fact::NarrowAlone, "(h as f32 + k) as f16", narrow(s.add(x, k)));
    s.row(Fact::NarrowAlone, "fma(h as f32, k, o) as f16", narrow(s.fma(x, k, o)));
    let twice = narrow(s.add(s.cast(DType::F32, product), o));
    s.row(Fact::NarrowAlone, "((h as f32 * k) as f16 as f32 + o) as f16", twice);
    s
}

/// f64 sums, products, comparisons, `fma`, rounding to integers.
pub(super) fn doubles() -> Sheet {
    let s = Sheet::new("probe_doubles");
    let cells = triple(&s, DOUBLE, 1024);
    let facts = Arithmetic {
        rounding: Fact::Double,
        uncontracted: Fact::Double,
        as_written: Fact::Double,
        compares: Fact::Double,
        fma: Fact::DoubleFma,
        round: Fact::DoubleRound,
    };
    arithmetic(&s, &facts, DType::F64, cells);
    s
}

/// f64 from and to f32 and integers.
pub(super) fn double_conversions(int64: bool) -> Sheet {
    let s = Sheet::new("probe_double_conversions");
    let (mut random, mut words) = (Random(6), DOUBLE.specials());
    for _ in 0..4096 {
        // A midpoint of two f32, subnormal ones with them, and what is beside it.
        let f = f32::from_bits(random.next() as u32 & 0x7f7f_fffe);
        let (low, high) = (f64::from(f), f64::from(f32::from_bits(f.to_bits() + 1)));
        let middle = ((low + high) / 2.0).to_bits();
        words.extend([middle - 1, middle, middle + 1]);
        let exponent = random.within(-3, 67);
        let size =
            2f64.powi(exponent as i32) * (1.0 + random.within(0, 1 << 52) as f64 / 2f64.powi(52));
        words.extend([size.to_bits(), (-size).to_bits(), (size.trunc() + 0.5).to_bits()]);
    }
    let integers: Vec<u64> =
        pairs(64, 4096).iter().map(|p| p[0]).cycle().take(words.len()).collect();
    let singles: Vec<u64> =
        SINGLE.triples(2048).iter().map(|t| t[0]).cycle().take(words.len()).collect();
    let low = integers.iter().map(|x| x & 0xffff_ffff).collect();
    let a = s.column("a", DType::F64, words);
    let f = s.column("f", DType::F32, singles);
    let u = s.column("u", DType::U32, low);
    s.row(Fact::Double, "f as f64", s.cast(DType::F64, f));
    s.row(Fact::DoubleNarrow, "a as f32", s.cast(DType::F32, a));
    s.row(Fact::DoubleInt, "a as i32", s.cast(DType::I32, a));
    s.row(Fact::DoubleInt, "a as u32", s.cast(DType::U32, a));
    s.row(Fact::DoubleInt, "u as f64", s.cast(DType::F64, u));
    s.row(Fact::DoubleInt, "u as i32 as f64", s.cast(DType::F64, s.bits(DType::I32, u)));
    if int64 {
        let v = s.column("v", DType::U64, integers);
        s.row(Fact::DoubleInt, "a as i64", s.cast(DType::I64, a));
        s.row(Fact::DoubleInt, "a as u64", s.cast(DType::U64, a));
        s.row(Fact::DoubleInt, "v as f64", s.cast(DType::F64, v));
        s.row(Fact::DoubleInt, "v as i64 as f64", s.cast(DType::F64, s.bits(DType::I64, v)));
    }
    s
}
