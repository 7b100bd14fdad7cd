//! What a driver or compiler may work out by itself, and so may choose between as if it were arithmetic.
//!
//! Compilers make `-float(!c)` of `c ? 0.0 : -1.0` and `float(-int(c))` of `c ? -1.0 : -0.0`, some of them for integers with
//! the same bits; each loses the sign of a zero. Writers hide one of two such constants.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::rewrite::each_inst;
use evenweave_lang::ir::{Kernel, Op, Place, Value};

/// The values that a driver may work out before the launch: constants, and what is made of nothing else. Registers and
/// arrays of a thread count, since a driver may see through them.
pub(crate) fn foreseen(kernel: &Kernel) -> Vec<bool> {
    let mut all = vec![false; kernel.insts.len()];
    each_inst(kernel, kernel.body, &mut |v| {
        let of = |x: &Value| all[x.index()];
        all[v.index()] = match &kernel[v].op {
            Op::Const(_) | Op::Get(_) | Op::Load(Place::Array(_), _) => true,
            // What all lanes have is the same from any of them.
            Op::Unary(_, x)
            | Op::Cast(x)
            | Op::Bitcast(x)
            | Op::Extract(x, _)
            | Op::Shuffle(_, x, _)
            | Op::Vote(_, x)
            | Op::Reduce(_, _, x)
            | Op::GroupBroadcast(x) => of(x),
            Op::Binary(_, x, y) | Op::Compare(_, x, y) => of(x) && of(y),
            Op::Fma(x, y, z) | Op::Select(x, y, z) => of(x) && of(y) && of(z),
            Op::Pack(values) => values.iter().all(of),
            Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Load(Place::Param(_), _)
            | Op::Store(..)
            | Op::Set(..)
            | Op::Atomic(..)
            | Op::CompareExchange { .. }
            | Op::Matrix(..)
            | Op::Wide { .. }
            | Op::Barrier
            | Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return
            | Op::Assert(..)
            | Op::Print(..) => false,
        };
    });
    all
}
