//! Comparisons that intervals decide.

use super::{Known, Ranges};
use crate::{
    known::interval::Nan,
    rewrite::{Visit, Walk, rewrite},
};
use evenweave_lang::{
    ir::{Kernel, Op, Value},
    ops::CompareOp,
};

/// The kernel with a constant for each comparison whose outcome its operands' intervals leave no doubt of.
pub(crate) fn decide(kernel: &Kernel) -> Kernel {
    rewrite(kernel, &mut Decide { ranges: Ranges::of(kernel) })
}

struct Decide<'k> {
    ranges: Ranges<'k>,
}

impl Visit for Decide<'_> {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        match walk.old[old].op {
            Op::Compare(op, a, b) => match self.outcome(op, a, b) {
                Some(is) => {
                    let constant = walk.new.constant(evenweave_lang::dtype::DType::Bool, is.into());
                    walk.set(old, constant);
                }
                None => walk.copy(self, old),
            },
            _ => walk.copy(self, old),
        }
    }
}

impl Decide<'_> {
    fn outcome(&self, op: CompareOp, a: Value, b: Value) -> Option<bool> {
        let of = |v: Value| self.ranges.always[v.index()];
        let (a, b, numbers) = match (of(a), of(b)) {
            (Known::Float(a), Known::Float(b)) => {
                let numbers = a.nan == Nan::Never && b.nan == Nan::Never;
                ((a.low, a.high), (b.low, b.high), numbers)
            }
            (Known::Word(a), Known::Word(b)) => {
                ((a.low as f64, a.high as f64), (b.low as f64, b.high as f64), true)
            }
            _ => return None,
        };
        // Bounds that touch decide nothing: they are not reached by every pair, and near 0 they are not exact.
        let (below, above) = (a.1 < b.0, a.0 > b.1);
        match op {
            CompareOp::Lt | CompareOp::Le if above => Some(false),
            CompareOp::Gt | CompareOp::Ge if below => Some(false),
            CompareOp::Eq if above || below => Some(false),
            CompareOp::Lt | CompareOp::Le | CompareOp::Ne if below && numbers => Some(true),
            CompareOp::Gt | CompareOp::Ge | CompareOp::Ne if above && numbers => Some(true),
            CompareOp::Eq
            | CompareOp::Ne
            | CompareOp::Lt
            | CompareOp::Le
            | CompareOp::Gt
            | CompareOp::Ge => None,
        }
    }
}
