//! What a driver or compiler may work out by itself, and so may choose between as if it were arithmetic.
//!
//! Compilers make `-float(!c)` of `c ? 0.0 : -1.0` and `float(-int(c))` of `c ? -1.0 : -0.0`, some of them for integers with
//! the same bits; each loses the sign of a zero. Writers hide one of two such constants.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::rewrite::each_inst;
use evenweave_lang::ir::{Kernel, Op, Place};

/// The values that a driver may work out before the launch: constants, and what is made of nothing else. Registers and
/// arrays of a thread count, since a driver may see through them.
pub(crate) fn foreseen(kernel: &Kernel) -> Vec<bool> {
    let mut all = vec![false; kernel.insts.len()];
    each_inst(kernel, kernel.body, &mut |v| {
        let mut operands = true;
        kernel[v].op.for_each_operand(|x| operands &= all[x.index()]);
        all[v.index()] = match kernel[v].op {
            Op::Const(_) | Op::Get(_) | Op::Load(Place::Array(_), _) => true,
            Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Fma(..)
            | Op::Select(..)
            | Op::Cast(_)
            | Op::Bitcast(_)
            | Op::Pack(_)
            | Op::Extract(..)
            | Op::Vote(..)
            | Op::Reduce(..)
            | Op::GroupBroadcast(_) => operands,
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
            | Op::Shuffle(..)
            | Op::Matrix(..)
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
        // A value that all lanes have is the same from any of them.
        if let Op::Shuffle(_, x, _) = kernel[v].op {
            all[v.index()] = all[x.index()];
        }
    });
    all
}
