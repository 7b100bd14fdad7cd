//! Packing: a strided view's elements in row-major order, so that operations which take buffers take views.
//!
//! Built instruction by instruction, since its rank is known to the plan alone.

use crate::entry::{PlanError, Request, TensorDesc};
use crate::plan::{Arg, Plan, Step, TensorRef};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Access, Kernel, Op, ParamKind, Place, Type},
    launch::{Layout, Len},
    ops::{BinaryOp, CompareOp, IdOp},
};

/// Threads of a group.
const GROUP: u32 = 256;

/// Makes a plan for packed inputs one for the request's: the named inputs go to temporaries first.
pub(crate) fn insert(
    op: &'static str,
    plan: &mut Plan,
    request: &Request,
    names: &[&'static str],
) -> Result<(), PlanError> {
    let mut first = Vec::new();
    for &name in names {
        let desc = &request.inputs[name];
        let input = TensorRef::Input(name.into());
        let temp = plan.temp(desc.dtype, desc.shape());
        for arg in plan.steps.iter_mut().flat_map(|step| &mut step.args) {
            if let Arg::Buffer(t) | Arg::View(t, _) = arg
                && *t == input
            {
                *t = temp.clone();
            }
        }
        let Ok(elems) = u32::try_from(desc.elems()) else {
            let what = format!("the elements of the view `{name}`");
            let got = format!("{:?}", desc.shape());
            return Err(PlanError::Wrong { op, what, want: "at most 2^32 - 1".into(), got });
        };
        let view = one_axis_at_least(desc);
        let kernel = pack(desc.dtype, view.shape.len());
        first.push(Step { kernel, args: vec![input.view(view), temp.buffer(), elems.into()] });
    }
    plan.steps.splice(0..0, first);
    Ok(())
}

fn one_axis_at_least(desc: &TensorDesc) -> Layout {
    let mut layout = desc.layout.clone();
    if layout.shape.is_empty() {
        (layout.shape, layout.strides) = (vec![1], vec![1]);
    }
    layout
}

/// `y[i] = x[coordinates of i]`, for all `n` elements of a view.
fn pack(dtype: DType, rank: usize) -> Kernel {
    let mut b = Builder::new(format!("pack<{dtype}, {rank}>"));
    let loc = b.locate(file!(), line!());
    b.set_loc(loc);
    let (u32_, u64_) = (Type::Scalar(DType::U32), Type::Scalar(DType::U64));
    let x = evenweave_lang::ir::Param::at(0);
    let shape = (0..rank as u8).map(|axis| Len::Extent(x, axis)).collect();
    b.param("x", ParamKind::View { dtype, access: Access::In, shape });
    let n = evenweave_lang::ir::Param::at(2);
    let y = b.param("y", ParamKind::Buffer { dtype, access: Access::Out, len: Len::Scalar(n) });
    b.param("n", ParamKind::Scalar(DType::U32));
    b.kernel_mut().group = [GROUP, 1, 1];
    b.kernel_mut().grid[0] = Len::Scalar(n).div_ceil(GROUP);

    let i = b.id(IdOp::GlobalX);
    let end = b.push(Op::Scalar(n), u32_);
    let inside = b.push(Op::Compare(CompareOp::Lt, i, end), Type::Scalar(DType::Bool));
    let guard = b.begin_if(inside);
    let mut rest = i;
    let mut place = b.push(Op::Offset(x), u64_);
    for axis in (0..rank as u8).rev() {
        let extent = b.push(Op::Extent(x, axis), u32_);
        let stride = b.push(Op::Stride(x, axis), u64_);
        let coordinate = b.push(Op::Binary(BinaryOp::Rem, rest, extent), u32_);
        rest = b.push(Op::Binary(BinaryOp::Div, rest, extent), u32_);
        let wide = b.push(Op::Cast(coordinate), u64_);
        let steps = b.push(Op::Binary(BinaryOp::Mul, wide, stride), u64_);
        place = b.push(Op::Binary(BinaryOp::Add, place, steps), u64_);
    }
    let value = b.push(Op::Load(Place::Param(x), place), Type::Scalar(dtype.value()));
    b.push_unit(Op::Store(Place::Param(y), i, value));
    b.begin_else(guard);
    b.end_if();
    b.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenweave_lang::verify::verify;

    #[test]
    fn it_is_well_formed_for_every_dtype_and_rank() {
        for &dtype in DType::ALL {
            for rank in 1..=8 {
                verify(&pack(dtype, rank)).unwrap();
            }
        }
    }
}
