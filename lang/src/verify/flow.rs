//! Rules of scopes: what a group or a subgroup does together, it does all together.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{Cause, SourceLine, VerifyError, error_at, source_line};
use crate::{
    ir::*,
    matrix::wide,
    ops::ShuffleOp,
    uniform::{Uniform, Uniformity},
};

pub(super) fn check(kernel: &Kernel, uniform: &Uniformity) -> Result<(), VerifyError> {
    block(kernel, uniform, kernel.body)
}

fn block(kernel: &Kernel, uniform: &Uniformity, b: Block) -> Result<(), VerifyError> {
    for &v in &kernel[b] {
        let inst = &kernel[v];
        place(kernel, uniform, v).map_err(|cause| error_at(kernel, inst, cause))?;
        for body in inst.op.bodies() {
            block(kernel, uniform, body)?;
        }
    }
    Ok(())
}

fn place(kernel: &Kernel, uniform: &Uniformity, v: Value) -> Result<(), Cause> {
    let scope = scope(&kernel[v].op);
    let threads = kernel.group_threads();
    if scope == Uniform::Subgroup && !threads.is_multiple_of(kernel.lanes) {
        return Err(Cause::PartialSubgroup { threads, lanes: kernel.lanes });
    }
    let together = wide::SUBGROUPS * kernel.lanes;
    if matches!(kernel[v].op, Op::Wide { .. }) && !threads.is_multiple_of(together) {
        return Err(Cause::PartialSubgroup { threads, lanes: together });
    }
    if let Some(parts) = uniform.parts(v, scope) {
        let parts = source_line(kernel, kernel[parts].loc)
            .unwrap_or(SourceLine { file: "?".into(), line: 0 });
        return Err(Cause::Divergent { scope, parts });
    }
    if let Op::Shuffle(ShuffleOp::Xor | ShuffleOp::Broadcast, _, lane) = kernel[v].op
        && uniform.value(lane) < Uniform::Subgroup
    {
        return Err(Cause::VaryingLane);
    }
    Ok(())
}

/// Over which threads an operation needs flow to be uniform.
fn scope(op: &Op) -> Uniform {
    match op {
        Op::Barrier | Op::GroupBroadcast(_) | Op::Wide { .. } => Uniform::Group,
        Op::Shuffle(..) | Op::Vote(..) | Op::Reduce(..) | Op::Matrix(..) => Uniform::Subgroup,
        Op::Const(_)
        | Op::Id(_)
        | Op::Scalar(_)
        | Op::Length(_)
        | Op::Extent(..)
        | Op::Stride(..)
        | Op::Offset(_)
        | Op::Unary(..)
        | Op::Binary(..)
        | Op::Compare(..)
        | Op::Fma(..)
        | Op::Select(..)
        | Op::Cast(_)
        | Op::Bitcast(_)
        | Op::Load(..)
        | Op::Store(..)
        | Op::Pack(_)
        | Op::Extract(..)
        | Op::Get(_)
        | Op::Set(..)
        | Op::Atomic(..)
        | Op::CompareExchange { .. }
        | Op::If { .. }
        | Op::For { .. }
        | Op::Loop { .. }
        | Op::Scope { .. }
        | Op::Break(_)
        | Op::Continue(_)
        | Op::Return
        | Op::Assert(..)
        | Op::Print(..) => Uniform::Varying,
    }
}
