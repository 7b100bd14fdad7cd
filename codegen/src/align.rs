//! What is known of indices: which power of two divides them, and how far apart two of them are.
//!
//! Invariants
//! - Everything holds modulo 2^32 or 2^64, the width of the index: wrapping changes neither divisibility by a
//!   power of two nor a difference.

use crate::rewrite::constant;
use evenweave_lang::{
    dtype::DType,
    ir::{Kernel, Op, Value},
    ops::{BinaryOp, IdOp},
};
use std::collections::BTreeMap;

/// How deep an expression is followed.
const MAX_DEPTH: u32 = 12;

/// Low zero bits of 0, which every power of two divides.
const ALL_ZEROS: u32 = 63;

/// An index as a sum of multiples of values and a constant, modulo 2^32 or 2^64.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Linear {
    /// The factor of each value; none is 0.
    pub(crate) terms: BTreeMap<Value, u64>,
    /// The constant.
    pub(crate) constant: u64,
    /// Whether the sum is of `u32`, even where it is widened to an index of `u64`.
    pub(crate) narrow: bool,
}

impl Linear {
    /// The index as a sum. A `u64` made of a `u32` is the sum that the `u32` is: an aligned group of neighbours
    /// does not cross 2^32.
    pub(crate) fn of(kernel: &Kernel, index: Value) -> Linear {
        let narrow = |v: Value| kernel[v].ty.scalar() == Some(DType::U32);
        let index = match kernel[index].op {
            Op::Cast(inner) if narrow(inner) => inner,
            _ => index,
        };
        let mut sum = Linear { narrow: narrow(index), ..Linear::default() };
        sum.add(kernel, index, 1, 0);
        sum
    }

    fn add(&mut self, kernel: &Kernel, v: Value, factor: u64, depth: u32) {
        let term = match kernel[v].op {
            _ if depth > MAX_DEPTH => None,
            Op::Const(c) => {
                self.constant = self.wrap(self.constant.wrapping_add(c.bits.wrapping_mul(factor)));
                return;
            }
            Op::Binary(op, a, b) => self.term(kernel, op, a, b, factor),
            _ => None,
        };
        match term {
            Some(parts) => {
                for (part, factor) in parts.into_iter().flatten() {
                    self.add(kernel, part, factor, depth + 1);
                }
            }
            None => {
                let old = self.terms.remove(&v).unwrap_or(0);
                let factor = self.wrap(old.wrapping_add(factor));
                if factor != 0 {
                    self.terms.insert(v, factor);
                }
            }
        }
    }

    /// The two parts of a sum, or the one part of a product with a constant, and their factors.
    fn term(
        &self,
        kernel: &Kernel,
        op: BinaryOp,
        a: Value,
        b: Value,
        factor: u64,
    ) -> Option<[Option<(Value, u64)>; 2]> {
        let product = |v, by: u64| Some([Some((v, factor.wrapping_mul(by))), None]);
        match op {
            BinaryOp::Add => Some([Some((a, factor)), Some((b, factor))]),
            BinaryOp::Sub => Some([Some((a, factor)), Some((b, factor.wrapping_neg()))]),
            BinaryOp::Mul => match (constant(kernel, a), constant(kernel, b)) {
                (_, Some(by)) => product(a, by),
                (Some(by), None) => product(b, by),
                (None, None) => None,
            },
            BinaryOp::Shl => {
                let bits = if self.narrow { 32 } else { 64 };
                constant(kernel, b).and_then(|by| product(a, 1 << (by % bits)))
            }
            // Without a common bit `a | b` is `a + b`.
            BinaryOp::Or => {
                let low = constant(kernel, b)?;
                (low < 1 << zeros(kernel, a)).then_some([Some((a, factor)), Some((b, factor))])
            }
            _ => None,
        }
    }

    fn wrap(&self, bits: u64) -> u64 {
        if self.narrow { bits & u64::from(u32::MAX) } else { bits }
    }

    /// How many low bits of the sum without its constant are surely 0.
    pub(crate) fn zeros(&self, kernel: &Kernel) -> u32 {
        let term = |(&v, &factor): (&Value, &u64)| zeros(kernel, v) + factor.trailing_zeros();
        self.terms.iter().map(term).min().unwrap_or(ALL_ZEROS).min(ALL_ZEROS)
    }
}

/// How many low bits of an integer are surely 0; at most the width of its dtype matters.
pub(crate) fn zeros(kernel: &Kernel, v: Value) -> u32 {
    zeros_at(kernel, v, 0).min(ALL_ZEROS)
}

fn zeros_at(kernel: &Kernel, v: Value, depth: u32) -> u32 {
    if depth > MAX_DEPTH {
        return 0;
    }
    let of = |v| zeros_at(kernel, v, depth + 1);
    let both = |a, b| of(a).min(of(b));
    let is_int = |v: Value| kernel[v].ty.scalar().is_some_and(DType::is_int);
    match kernel[v].op {
        Op::Const(c) => of_constant(c.bits),
        Op::Id(id) => of_id(kernel, id),
        Op::Cast(inner) if is_int(inner) => of(inner),
        Op::Select(_, a, b) => both(a, b),
        // A step of 0 counts as 1, so that a step must be known not to be 0.
        Op::For { start, step, .. } => match constant(kernel, step) {
            Some(1..) => both(start, step),
            Some(0) | None => 0,
        },
        Op::Binary(op, a, b) => match op {
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Min
            | BinaryOp::Max => both(a, b),
            BinaryOp::And => of(a).max(of(b)),
            BinaryOp::Mul => of(a) + of(b),
            // A multiple of 2^k less a multiple of 2^k; x % 0 is x.
            BinaryOp::Rem => both(a, b),
            BinaryOp::Shl => of(a) + shift(kernel, b).unwrap_or(0),
            BinaryOp::Shr => shift(kernel, b).map_or(0, |by| of(a).saturating_sub(by)),
            BinaryOp::Div => match constant(kernel, b) {
                Some(by) if by.is_power_of_two() => of(a).saturating_sub(by.trailing_zeros()),
                _ => 0,
            },
            BinaryOp::MinNum
            | BinaryOp::MaxNum
            | BinaryOp::MulHigh
            | BinaryOp::Pow
            | BinaryOp::Atan2 => 0,
        },
        _ => 0,
    }
}

/// A constant shift count within the width.
fn shift(kernel: &Kernel, count: Value) -> Option<u32> {
    let width = kernel[count].ty.scalar()?.bits();
    constant(kernel, count).and_then(|by| u32::try_from(by).ok()).filter(|&by| by < width)
}

/// What a `u32` is at most.
pub(crate) fn most(kernel: &Kernel, v: Value) -> u64 {
    most_at(kernel, v, 0)
}

fn most_at(kernel: &Kernel, v: Value, depth: u32) -> u64 {
    let all = u64::from(u32::MAX);
    if depth > MAX_DEPTH || kernel[v].ty.scalar() != Some(DType::U32) {
        return all;
    }
    let of = |v| most_at(kernel, v, depth + 1);
    let most = match kernel[v].op {
        Op::Const(c) => c.bits,
        Op::Id(IdOp::Thread) => u64::from(kernel.group_threads()) - 1,
        Op::Id(IdOp::LocalX) => u64::from(kernel.group[0]) - 1,
        Op::Id(IdOp::LocalY) => u64::from(kernel.group[1]) - 1,
        Op::Id(IdOp::LocalZ) => u64::from(kernel.group[2]) - 1,
        Op::Id(IdOp::Lane) => u64::from(kernel.lanes) - 1,
        Op::Binary(BinaryOp::Add, a, b) => of(a) + of(b),
        Op::Binary(BinaryOp::Mul, a, b) => of(a) * of(b),
        Op::Binary(BinaryOp::And | BinaryOp::Min, a, b) => of(a).min(of(b)),
        Op::Binary(BinaryOp::Shl, a, b) => shift(kernel, b).map_or(all, |by| of(a) << by),
        Op::Binary(BinaryOp::Shr, a, b) => shift(kernel, b).map_or(all, |by| of(a) >> by),
        _ => all,
    };
    // A sum or product above the range may have wrapped to anything.
    most.min(all)
}

fn of_id(kernel: &Kernel, id: IdOp) -> u32 {
    let size = |axis: usize| of_constant(u64::from(kernel.group[axis]));
    match id {
        IdOp::GroupSizeX => size(0),
        IdOp::GroupSizeY => size(1),
        IdOp::GroupSizeZ => size(2),
        IdOp::GlobalX
        | IdOp::GlobalY
        | IdOp::GlobalZ
        | IdOp::GroupX
        | IdOp::GroupY
        | IdOp::GroupZ
        | IdOp::LocalX
        | IdOp::LocalY
        | IdOp::LocalZ
        | IdOp::GridX
        | IdOp::GridY
        | IdOp::GridZ
        | IdOp::Thread
        | IdOp::Lane
        | IdOp::SubgroupId
        | IdOp::Subgroups => 0,
    }
}

fn of_constant(bits: u64) -> u32 {
    bits.trailing_zeros().min(ALL_ZEROS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenweave_lang::{
        build::Builder,
        ir::{Const, ParamKind, Type},
    };

    struct Sums {
        b: Builder,
        n: Value,
    }

    impl Sums {
        fn new() -> Sums {
            let mut b = Builder::new("sums");
            let n = b.param("n", ParamKind::Scalar(DType::U32));
            let n = b.push(Op::Scalar(n), Type::Scalar(DType::U32));
            Sums { b, n }
        }

        fn of(&mut self, op: BinaryOp, a: Value, by: u32) -> Value {
            let ty = Type::Scalar(DType::U32);
            let by = self.b.push(Op::Const(Const { bits: by.into() }), ty);
            self.b.push(Op::Binary(op, a, by), ty)
        }

        fn both(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
            self.b.push(Op::Binary(op, a, b), Type::Scalar(DType::U32))
        }

        fn linear(&self, v: Value) -> (Vec<u64>, u64) {
            let sum = Linear::of(self.b.kernel(), v);
            (sum.terms.values().copied().collect(), sum.constant)
        }

        fn zeros(&self, v: Value) -> u32 {
            zeros(self.b.kernel(), v)
        }
    }

    #[test]
    fn a_sum_is_taken_apart_modulo_its_width() {
        let mut s = Sums::new();
        let n = s.n;
        let four = s.of(BinaryOp::Mul, n, 4);
        let five = s.both(BinaryOp::Add, four, n);
        let plus = s.of(BinaryOp::Add, five, 3);
        assert_eq!(s.linear(plus), (vec![5], 3));
        let doubled = s.of(BinaryOp::Shl, plus, 1);
        assert_eq!(s.linear(doubled), (vec![10], 6));
        let less = s.of(BinaryOp::Sub, n, 1);
        assert_eq!(s.linear(less), (vec![1], u64::from(u32::MAX)));
        let gone = s.both(BinaryOp::Sub, plus, five);
        assert_eq!(s.linear(gone), (vec![], 3));
        let negative = s.both(BinaryOp::Sub, four, five);
        assert_eq!(s.linear(negative), (vec![u64::from(u32::MAX)], 0));
    }

    #[test]
    fn an_or_is_a_sum_only_without_a_common_bit() {
        let mut s = Sums::new();
        let n = s.n;
        let four = s.of(BinaryOp::Mul, n, 4);
        let apart = s.of(BinaryOp::Or, four, 3);
        assert_eq!(s.linear(apart), (vec![4], 3));
        let common = s.of(BinaryOp::Or, four, 4);
        assert_eq!(s.linear(common), (vec![1], 0), "the `or` is one term of its own");
    }

    #[test]
    fn the_most_that_an_index_can_be_is_never_too_little() {
        let mut s = Sums::new();
        s.b.kernel_mut().group = [256, 1, 1];
        let thread = s.b.id(IdOp::Thread);
        let four = s.of(BinaryOp::Mul, thread, 4);
        let behind = s.of(BinaryOp::Add, four, 3_072);
        let shifted = s.of(BinaryOp::Shl, thread, 3);
        let wraps = s.of(BinaryOp::Mul, thread, 1 << 25);
        let (n, masked) = (s.n, s.of(BinaryOp::And, s.n, 0xff));
        let all = u64::from(u32::MAX);
        for (v, want) in [
            (thread, 255),
            (four, 1_020),
            (behind, 4_092),
            (shifted, 2_040),
            (wraps, all),
            (n, all),
            (masked, 255),
        ] {
            assert_eq!(most(s.b.kernel(), v), want);
        }
    }

    #[test]
    fn low_zeros_are_never_too_many() {
        let mut s = Sums::new();
        let n = s.n;
        let four = s.of(BinaryOp::Mul, n, 4);
        let masked = s.of(BinaryOp::And, n, 0xf8);
        let expected = [(four, 2), (masked, 3), (n, 0)];
        assert_eq!(expected.map(|(v, _)| s.zeros(v)), expected.map(|(_, zeros)| zeros));
        for (op, by, want) in [
            (BinaryOp::Add, 6, 1),
            (BinaryOp::Sub, 8, 2),
            (BinaryOp::Mul, 6, 3),
            (BinaryOp::And, 0xff, 2),
            (BinaryOp::And, 0xf0, 4),
            (BinaryOp::Rem, 6, 1),
            (BinaryOp::Shr, 1, 1),
            (BinaryOp::Div, 2, 1),
            (BinaryOp::Div, 3, 0),
            (BinaryOp::Shl, 2, 4),
            (BinaryOp::Max, 2, 1),
            (BinaryOp::MulHigh, 4, 0),
        ] {
            let v = s.of(op, four, by);
            assert_eq!(s.zeros(v), want, "{} {by}", op.name());
        }
    }
}
