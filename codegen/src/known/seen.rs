//! Where the bits of a float are seen, and what NaN they may hold there.
//!
//! A value is *demanded* under the truths that hold at each of its uses: an argument of a `Select` is looked at only where
//! the condition takes it. The bits of a float that is a number wherever they are demanded need no care.

use super::{INF, Known, MAGNITUDE, Ranges, Truth, interval::Nan};
use crate::rewrite::{constant, each_inst};
use evenweave_lang::ir::{Kernel, Op, Value};
use evenweave_lang::ops::BinaryOp;

/// Truths that are kept of one value.
const MAX_TRUTHS: usize = 8;

/// What a writer asks before it makes a NaN the one.
pub(crate) struct Seen {
    /// For each value, whether a store may take its bits as they are.
    stored: Vec<bool>,
    /// For each value, whether it is a float and no NaN.
    number: Vec<bool>,
    /// For each `Bitcast`, whether it may.
    cast: Vec<bool>,
}

impl Seen {
    pub(crate) fn of(kernel: &Kernel) -> Seen {
        let mut ranges = Ranges::of(kernel);
        let casts = casts(kernel);
        if !casts.is_empty() {
            let demands = Demands::of(kernel);
            for &v in &casts {
                ranges.as_is[v.index()] = demands.payload_is_free(&ranges, v);
            }
            // Bits that are left as they are may hold any NaN from here on.
            ranges.follow();
        }
        let stored = ranges.always.iter().map(|known| match known {
            Known::Float(x) => x.nan != Nan::Any,
            Known::Word(_) | Known::Nothing => false,
        });
        let number = ranges.always.iter().map(|known| match known {
            Known::Float(x) => x.nan == Nan::Never,
            Known::Word(_) | Known::Nothing => false,
        });
        Seen { stored: stored.collect(), number: number.collect(), cast: ranges.as_is }
    }

    /// Whether the value is a float and no NaN.
    pub(crate) fn is_number(&self, v: Value) -> bool {
        self.number[v.index()]
    }

    /// Whether the value, a float or a vector of floats, needs no care when it is stored.
    pub(crate) fn stores_as_is(&self, kernel: &Kernel, v: Value) -> bool {
        match &kernel[v].op {
            Op::Pack(values) => values.iter().all(|x| self.stored[x.index()]),
            _ => self.stored[v.index()],
        }
    }

    /// Whether the bit cast of a float needs no care.
    pub(crate) fn casts_as_is(&self, v: Value) -> bool {
        self.cast[v.index()]
    }
}

/// Who uses each value, and under which truths it is demanded.
struct Demands<'k> {
    kernel: &'k Kernel,
    users: Vec<Vec<Value>>,
    truths: Vec<Vec<Truth>>,
}

/// The bit casts of floats.
fn casts(kernel: &Kernel) -> Vec<Value> {
    let mut casts = Vec::new();
    each_inst(kernel, kernel.body, &mut |v| {
        if let Op::Bitcast(x) = kernel[v].op
            && kernel[x].ty.scalar().is_some_and(|d| d.is_float())
        {
            casts.push(v);
        }
    });
    casts
}

impl<'k> Demands<'k> {
    fn of(kernel: &'k Kernel) -> Demands<'k> {
        let mut order = Vec::new();
        each_inst(kernel, kernel.body, &mut |v| order.push(v));
        let mut demands = Demands {
            kernel,
            users: vec![Vec::new(); kernel.insts.len()],
            truths: vec![Vec::new(); kernel.insts.len()],
        };
        for &v in &order {
            kernel[v].op.for_each_operand(|x| demands.users[x.index()].push(v));
        }
        for &v in order.iter().rev() {
            let mut uses = demands.users[v.index()].iter().map(|&user| demands.through(user, v));
            let first = uses.next().unwrap_or_default();
            demands.truths[v.index()] = uses.fold(first, |mut all, use_| {
                all.retain(|t| use_.contains(t));
                all
            });
        }
        demands
    }

    /// What holds where `user` looks at `v`.
    #[deny(clippy::wildcard_enum_match_arm)]
    fn through(&self, user: Value, v: Value) -> Vec<Truth> {
        let after = || self.truths[user.index()].clone();
        match self.kernel[user].op {
            Op::Select(c, _, _) if c == v => Vec::new(),
            Op::Select(_, a, b) if a == b => after(),
            Op::Select(condition, a, _) => {
                let mut truths = after();
                truths.truncate(MAX_TRUTHS - 1);
                truths.push(Truth { condition, is: a == v });
                truths
            }
            Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Fma(..)
            | Op::Cast(_)
            | Op::Bitcast(_)
            | Op::Pack(_)
            | Op::Extract(..) => after(),
            Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Load(..)
            | Op::Store(..)
            | Op::Get(_)
            | Op::Set(..)
            | Op::Atomic(..)
            | Op::CompareExchange { .. }
            | Op::Barrier
            | Op::Shuffle(..)
            | Op::Vote(..)
            | Op::Matrix(..)
            | Op::Wide { .. }
            | Op::Reduce(..)
            | Op::GroupBroadcast(_)
            | Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return
            | Op::Assert(..)
            | Op::Print(..) => Vec::new(),
        }
    }

    /// Whether nobody can tell which NaN the cast lets through.
    fn payload_is_free(&self, ranges: &Ranges<'_>, cast: Value) -> bool {
        let Op::Bitcast(x) = self.kernel[cast].op else { return false };
        let never = |truths: &[Truth]| match ranges.under(x, truths) {
            Known::Float(x) => x.nan != Nan::Any,
            Known::Word(_) | Known::Nothing => false,
        };
        let users = &self.users[cast.index()];
        users.iter().all(|&user| match self.is_magnitude(user, cast) {
            true => self.users[user.index()]
                .iter()
                .all(|&of| self.is_payload_blind(of, user) || never(&self.through(of, user))),
            false => never(&self.through(user, cast)),
        })
    }

    /// Whether `v` is `bits` without the sign of an f32.
    fn is_magnitude(&self, v: Value, bits: Value) -> bool {
        match self.kernel[v].op {
            Op::Binary(BinaryOp::And, a, b) => {
                a == bits && constant(self.kernel, b) == Some(MAGNITUDE)
                    || b == bits && constant(self.kernel, a) == Some(MAGNITUDE)
            }
            _ => false,
        }
    }

    /// Whether `v` compares `magnitude` with a constant that every NaN is above.
    fn is_payload_blind(&self, v: Value, magnitude: Value) -> bool {
        match self.kernel[v].op {
            Op::Compare(_, a, b) => {
                a == magnitude && constant(self.kernel, b).is_some_and(|c| c <= INF)
            }
            _ => false,
        }
    }
}
