//! Against numbers: what is claimed of a value holds for every input tried.

use super::{
    Known, Limit, Ranges, Seen, decide,
    interval::{Float, Nan, Word},
    of_comparison,
};
use crate::{Facts, Optimise, Target, c::Dialect, prepare};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    eval,
    ir::{Access, Kernel, Op, ParamKind, Place, Type, Value},
    launch::Len,
    ops::{BinaryOp, CompareOp, UnaryOp},
};

const F32: Type = Type::Scalar(DType::F32);
const U32: Type = Type::Scalar(DType::U32);

/// Floats of every sort.
fn floats() -> Vec<f32> {
    let mut all =
        vec![0.0, 1.0, 1.5, 88.7, 3.4e38, f32::MIN_POSITIVE, 1e-40, f32::INFINITY, 1e-20, 7e9];
    all.extend(all.clone().iter().map(|x| -x));
    all
}

fn bits(x: f32) -> u64 {
    u64::from(x.to_bits())
}

fn holds(claim: Float, x: f32, of: &str) {
    if x.is_nan() {
        assert_ne!(claim.nan, Nan::Never, "{of} is NaN, and {claim:?} denies it");
        return;
    }
    let wide = f64::from(x);
    assert!(claim.low <= wide && wide <= claim.high, "{of} is {x:e}, not in {claim:?}");
}

/// Every interval between two of the floats, with its ends and some floats within.
fn intervals() -> Vec<(Float, Vec<f32>)> {
    let all = floats();
    let mut found = Vec::new();
    for &low in &all {
        for &high in all.iter().filter(|&&high| high >= low) {
            let within = all.iter().copied().filter(|x| (low..=high).contains(x)).collect();
            found.push((Float::number(low.into(), high.into()), within));
        }
    }
    found
}

#[test]
fn operations_stay_in_their_intervals() {
    let all = intervals();
    for (a, xs) in &all {
        for &x in xs {
            holds(a.neg(), -x, "-x");
            holds(a.abs(), x.abs(), "|x|");
            holds(a.sqrt(), x.sqrt(), "sqrt(x)");
            holds(a.whole(), x.floor(), "floor(x)");
            holds(a.whole(), x.round_ties_even(), "round(x)");
        }
        for (b, ys) in all.iter().step_by(3) {
            for &x in xs {
                for &y in ys {
                    let of = |op| {
                        let z =
                            eval::binary(op, DType::F32, bits(x), bits(y)).expect("a float row");
                        f32::from_bits(z as u32)
                    };
                    holds(a.times(*b), of(BinaryOp::Mul), &format!("{x:e} * {y:e}"));
                    holds(a.least(*b), of(BinaryOp::Min), &format!("min({x:e}, {y:e})"));
                    let one = Float::number(1.0, 1.0);
                    holds(a.fma(one, *b), of(BinaryOp::Add), &format!("{x:e} + {y:e}"));
                    holds(a.fma(one, b.neg()), of(BinaryOp::Sub), &format!("{x:e} - {y:e}"));
                    let z = x.mul_add(y, 0.5);
                    holds(
                        a.fma(*b, Float::number(0.5, 0.5)),
                        z,
                        &format!("fma({x:e}, {y:e}, 0.5)"),
                    );
                }
            }
        }
    }
}

#[test]
fn whole_numbers_stay_in_their_intervals() {
    let ends = [0u32, 1, 2, 0xff, 0x7f80_0000, 0x8000_0000, 0xffff_fffe, u32::MAX];
    let all = Word::up_to(u32::MAX.into());
    let mut words = Vec::new();
    for &low in &ends {
        for &high in ends.iter().filter(|&&high| high >= low) {
            words.push((Word { low: low.into(), ..Word::up_to(high.into()) }, [low, high]));
        }
    }
    let within = |claim: Option<Word>, x: u32, of: &str| {
        let claim = claim.unwrap_or(all);
        assert!(
            claim.low <= x.into() && u64::from(x) <= claim.high,
            "{of} is {x:#x}, not in {claim:?}"
        );
    };
    for (a, xs) in &words {
        for &x in xs {
            for n in [0u32, 1, 7, 23, 31, 32, 40] {
                within(a.shifted_up(n.into(), all), x.wrapping_shl(n), &format!("{x:#x} << {n}"));
                within(a.shifted_down(n.into(), all), x.wrapping_shr(n), &format!("{x:#x} >> {n}"));
            }
            for (b, ys) in &words {
                for &y in ys {
                    within(a.plus(*b, all), x.wrapping_add(y), &format!("{x:#x} + {y:#x}"));
                    within(a.minus(*b), x.wrapping_sub(y), &format!("{x:#x} - {y:#x}"));
                    within(Some(a.least(*b)), x.min(y), &format!("min({x:#x}, {y:#x})"));
                }
            }
        }
    }
}

#[test]
fn bits_of_floats_and_floats_of_bits_stay_in_their_intervals() {
    let all = Word::up_to(u32::MAX.into());
    for (a, xs) in intervals() {
        let claim = a.bits(DType::F32, true, all);
        for x in xs {
            assert!(claim.low <= bits(x) && bits(x) <= claim.high, "bits of {x:e} in {claim:?}");
            holds(Float::of_bits(claim, DType::F32), x, "the float of the bits");
        }
    }
}

#[test]
fn a_comparison_limits_what_is_compared() {
    let ops =
        [CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge, CompareOp::Eq, CompareOp::Ne];
    let mut all = floats();
    all.push(f32::NAN);
    for op in ops {
        for &c in floats().iter() {
            for &x in &all {
                let is = eval::compare(op, DType::F32, bits(x), bits(c)).expect("floats compare");
                let Some(limit) = of_comparison(op, Value::at(0), c.into(), is) else { continue };
                let Limit { low, high, number, .. } = limit;
                if x.is_nan() {
                    assert!(!number, "NaN {op:?} {c:e} is {is}, and it is no number");
                } else {
                    assert!(low <= x.into() && f64::from(x) <= high, "{x:e} {op:?} {c:e} is {is}");
                }
            }
        }
    }
}

/// `y[0] = of(x[0])`.
fn kernel(from: DType, of: impl Fn(&mut Builder, Value) -> Value) -> Kernel {
    let mut b = Builder::new("k");
    let buffer = |dtype, access| ParamKind::Buffer { dtype, access, len: Len::Const(1) };
    let x = b.param("x", buffer(from, Access::In));
    let first = b.constant(DType::U32, 0);
    let x = b.push(Op::Load(Place::Param(x), first), Type::Scalar(from));
    let y = of(&mut b, x);
    let dtype = b.kernel()[y].ty.scalar().expect("one number");
    let out = b.param("y", buffer(dtype, Access::Out));
    b.push_unit(Op::Store(Place::Param(out), first, y));
    b.finish()
}

/// The bit casts of floats, and whether each leaves a NaN as it is.
fn casts(kernel: &Kernel) -> Vec<bool> {
    let seen = Seen::of(kernel);
    let is_cast = |v: &Value| match kernel[*v].op {
        Op::Bitcast(x) => kernel[x].ty == F32,
        _ => false,
    };
    kernel[kernel.body].iter().filter(|v| is_cast(v)).map(|&v| seen.casts_as_is(v)).collect()
}

fn stores_as_is(kernel: &Kernel) -> bool {
    let seen = Seen::of(kernel);
    let stored = kernel[kernel.body].iter().find_map(|&v| match kernel[v].op {
        Op::Store(_, _, x) => Some(x),
        _ => None,
    });
    seen.stores_as_is(kernel, stored.expect("it stores"))
}

/// `bits(2 x)`, looked at only where `x op c` is `is`.
fn guarded(op: CompareOp, c: f32, is: bool) -> Kernel {
    kernel(DType::F32, |b, x| {
        let c = b.constant(DType::F32, bits(c));
        let condition = b.push(Op::Compare(op, x, c), Type::Scalar(DType::Bool));
        let twice = b.push(Op::Binary(BinaryOp::Add, x, x), F32);
        let seen = b.push(Op::Bitcast(twice), U32);
        let zero = b.constant(DType::U32, 0);
        let [then, other] = if is { [seen, zero] } else { [zero, seen] };
        b.push(Op::Select(condition, then, other), U32)
    })
}

#[test]
fn bits_are_free_where_the_condition_makes_them_a_numbers() {
    assert_eq!(
        casts(&guarded(CompareOp::Lt, 5.0, true)),
        [false],
        "-inf - -inf is not ruled out by this alone"
    );
    assert_eq!(casts(&guarded(CompareOp::Eq, 5.0, true)), [true]);
    assert_eq!(casts(&guarded(CompareOp::Ne, 5.0, false)), [true]);
    assert_eq!(casts(&guarded(CompareOp::Lt, 5.0, false)), [false], "NaN is not below 5");
    assert_eq!(casts(&guarded(CompareOp::Eq, 5.0, false)), [false]);
}

#[test]
fn bits_that_are_seen_elsewhere_too_are_not_free() {
    let k = kernel(DType::F32, |b, x| {
        let c = b.constant(DType::F32, bits(5.0));
        let condition = b.push(Op::Compare(CompareOp::Eq, x, c), Type::Scalar(DType::Bool));
        let seen = b.push(Op::Bitcast(x), U32);
        let zero = b.constant(DType::U32, 0);
        let chosen = b.push(Op::Select(condition, seen, zero), U32);
        b.push(Op::Binary(BinaryOp::Xor, chosen, seen), U32)
    });
    assert_eq!(casts(&k), [false]);
}

#[test]
fn a_magnitude_that_is_compared_tells_no_payload_and_a_sign_does() {
    let masked = |mask: u64, limit: u64| {
        kernel(DType::F32, |b, x| {
            let seen = b.push(Op::Bitcast(x), U32);
            let mask = b.constant(DType::U32, mask);
            let limit = b.constant(DType::U32, limit);
            let part = b.push(Op::Binary(BinaryOp::And, seen, mask), U32);
            b.push(Op::Compare(CompareOp::Gt, part, limit), Type::Scalar(DType::Bool))
        })
    };
    assert_eq!(casts(&masked(0x7fff_ffff, 0x7f80_0000)), [true]);
    assert_eq!(casts(&masked(0x7fff_ffff, 0x3300_0000)), [true]);
    assert_eq!(casts(&masked(0x7fff_ffff, 0x7fa0_0000)), [false], "NaN lie on both sides of it");
    assert_eq!(casts(&masked(0x8000_0000, 0)), [false]);
}

#[test]
fn a_loaded_float_is_made_canonical_and_an_exponential_is_already() {
    assert!(
        !stores_as_is(&kernel(DType::F32, |b, x| b.push(Op::Binary(BinaryOp::Add, x, x), F32)))
    );
    let exp = kernel(DType::F32, |b, x| b.push(Op::Unary(UnaryOp::Exp, x), F32));
    let target = Target::C(Dialect::Cuda, Facts::CUDA);
    let legal = prepare(&exp, target, Optimise::Yes).expect("every device has exp");
    assert!(stores_as_is(&legal));
    assert!(casts(&legal).iter().all(|&as_is| as_is), "its bits are seen in range only");
}

#[test]
fn decides_what_the_sign_of_a_distance_decides() {
    let below = |negate: bool, c: f32| {
        let k = kernel(DType::F32, |b, x| {
            let distance = b.push(Op::Unary(UnaryOp::Abs, x), F32);
            let distance =
                if negate { b.push(Op::Unary(UnaryOp::Neg, distance), F32) } else { distance };
            let c = b.constant(DType::F32, bits(c));
            b.push(Op::Compare(CompareOp::Ge, distance, c), Type::Scalar(DType::Bool))
        });
        let k = decide(&k);
        let has = |v: &Value| matches!(k[*v].op, Op::Compare(..));
        !k[k.body].iter().any(has)
    };
    assert!(below(true, 1.0), "-|x| >= 1 is false, for NaN too");
    assert!(!below(true, 0.0), "-|x| >= 0 where x is 0");
    assert!(!below(false, -1.0), "|x| >= -1 unless x is NaN");
    assert!(!below(false, 1.0));
}

#[test]
fn what_is_not_followed_may_be_anything() {
    let k = kernel(DType::F32, |b, x| b.push(Op::Unary(UnaryOp::Sqrt, x), F32));
    let ranges = Ranges::of(&k);
    let root = k[k.body].iter().find(|v| matches!(k[**v].op, Op::Unary(..))).expect("it is there");
    let Known::Float(root) = ranges.always[root.index()] else { panic!("a root is a float") };
    assert_eq!(root.nan, Nan::Any);
}
