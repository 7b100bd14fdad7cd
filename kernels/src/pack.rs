//! Packing: a strided view's elements in row-major order, so that operations which take buffers take views.
//!
//! A view whose elements are neighbours along its last axis but one, a transposed matrix, goes through tiles in shared
//! memory, so that whole runs are read and written. The other kernel is built instruction by instruction, since its
//! rank is known to the plan alone.

use crate::entry::{PlanError, Request, TensorDesc};
use crate::plan::{Arg, Plan, Step, TensorRef};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Access, Kernel, Op, ParamKind, Place, Type},
    launch::{Layout, Len},
    ops::{BinaryOp, CompareOp, IdOp},
    prelude::*,
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
            if let Arg::Buffer(t) | Arg::Bytes(t) | Arg::Words(t) | Arg::View(t, _) = arg
                && *t == input
            {
                *t = temp.clone();
            }
        }
        first.push(step(op, name, desc, &temp)?);
    }
    plan.steps.splice(0..0, first);
    Ok(())
}

/// The plan that copies `x`, in row-major order, to `y`, which is seen through a layout: what fills a caller's view. The memory of
/// `y` is that of the plan's first temporary.
pub fn unpack(desc: &TensorDesc) -> Result<Plan, PlanError> {
    let Ok(elems) = u32::try_from(desc.elems()) else {
        let got = format!("{:?}", desc.shape());
        let what = "the elements of the view `y`".into();
        return Err(PlanError::Wrong { op: "copy", what, want: "at most 2^32 - 1".into(), got });
    };
    let view = one_axis_at_least(joined(&desc.layout));
    let kernel = copy_view(desc.dtype, view.shape.len(), Side::To);
    let (x, y) = (TensorRef::Input("x".into()), TensorRef::Temp(0));
    let mut plan = Plan::new();
    plan.temps.push(desc.clone());
    plan.step(kernel, [y.view(view), x.buffer(), elems.into()]);
    Ok(plan)
}

/// The launch that writes a view of an input to `to`, in row-major order.
pub(crate) fn step(
    op: &'static str,
    name: &'static str,
    desc: &TensorDesc,
    to: &TensorRef,
) -> Result<Step, PlanError> {
    let input = TensorRef::Input(name.into());
    let Ok(elems) = u32::try_from(desc.elems()) else {
        let what = format!("the elements of the view `{name}`");
        let got = format!("{:?}", desc.shape());
        return Err(PlanError::Wrong { op, what, want: "at most 2^32 - 1".into(), got });
    };
    let mut view = one_axis_at_least(joined(&desc.layout));
    if !is_transposed(&view) {
        let kernel = copy_view(desc.dtype, view.shape.len(), Side::From);
        return Ok(Step {
            kernel,
            args: vec![input.view(view), to.buffer(), elems.into()],
            copies: None,
        });
    }
    if view.shape.len() == 2 {
        view.shape.insert(0, 1);
        view.strides.insert(0, 0);
    }
    let kernel =
        transposing(desc.dtype).map_err(|cause| PlanError::Stage { op, cause: Box::new(cause) })?;
    let extents: Vec<Arg> = view.shape.iter().map(|&extent| extent.into()).collect();
    let args = [input.view(view), to.buffer()].into_iter().chain(extents).collect();
    Ok(Step { kernel, args, copies: None })
}

/// The same elements in the same order with as few axes as there can be: none of one element, and no two that could be
/// one.
fn joined(layout: &Layout) -> Layout {
    let (mut shape, mut strides): (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
    for (&extent, &stride) in layout.shape.iter().zip(&layout.strides) {
        if extent == 1 {
            continue;
        }
        if let (Some(outer), Some(step)) = (shape.last_mut(), strides.last_mut())
            && stride.checked_mul(extent.into()) == Some(*step)
            && let Some(both) = u32::checked_mul(*outer, extent)
        {
            (*outer, *step) = (both, stride);
        } else {
            shape.push(extent);
            strides.push(stride);
        }
    }
    Layout { shape, strides, offset: layout.offset }
}

fn one_axis_at_least(mut layout: Layout) -> Layout {
    if layout.shape.is_empty() {
        (layout.shape, layout.strides) = (vec![1], vec![1]);
    }
    layout
}

/// Whether neighbours in memory are neighbours along the last axis but one of a matrix, or of several.
fn is_transposed(view: &Layout) -> bool {
    matches!(view.strides[..], [1, _] | [_, 1, _])
}

/// Rows and columns of a tile.
const TILE: u32 = 32;
/// Threads of a group that share a column of a tile when it is read, and a row when it is written.
const SHARE: u32 = 8;
/// A row of the tile: one element more than its columns, so that a column's elements lie in different banks.
const PITCH: u32 = TILE + 1;

/// `y[b, r, c] = x[b, r, c]`, where neighbours in `x` are those along r.
#[kernel(group = (TILE, SHARE), grid = (columns.div_ceil(TILE), rows.div_ceil(TILE), batch))]
fn transpose<T: Element>(
    #[shape(batch, rows, columns)] x: &InView<T, 3>,
    #[len(batch * rows * columns)] y: &mut Out<T>,
    batch: u32,
    rows: u32,
    columns: u32,
) {
    let tile = shared::<T::Value>(TILE * PITCH);
    let (lane, share, matrix) = (local_id(), local_id_y(), group_id_z());
    let (first_row, first_column) = (group_id_y() * TILE, group_id() * TILE);
    // Nothing is asked within a whole tile, so all of a thread's loads are under way at once.
    let whole = first_row + TILE <= rows && first_column + TILE <= columns;
    let row = first_row + lane;
    if whole {
        for j in 0..TILE / SHARE {
            let along = share + j * SHARE;
            tile[lane * PITCH + along] = x[[matrix, row, first_column + along]];
        }
    } else {
        for j in 0..TILE / SHARE {
            let along = share + j * SHARE;
            let column = first_column + along;
            if row < rows && column < columns {
                tile[lane * PITCH + along] = x[[matrix, row, column]];
            }
        }
    }
    barrier();
    let (row, column) = (first_row + share, first_column + lane);
    let first = (matrix as u64 * rows as u64 + row as u64) * columns as u64 + column as u64;
    for j in 0..TILE / SHARE {
        let along = j * SHARE;
        if whole || row + along < rows && column < columns {
            y[first + along as u64 * columns as u64] = tile[(share + along) * PITCH + lane];
        }
    }
}

fn transposing(dtype: DType) -> Result<Kernel, evenweave_lang::StageError> {
    macro_rules! of {
        ($($variant:ident $ty:ty,)*) => {
            match dtype { $(DType::$variant => transpose::<$ty>(),)* }
        };
    }
    of! {
        Bool bool, I4 I4, U4 U4, I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64,
        F4E2M1 F4E2M1, F8E4M3 F8E4M3, F8E5M2 F8E5M2, F8E8M0 F8E8M0, F16 f16, BF16 bf16, F32 f32, F64 f64,
    }
}

/// Which side of a copy is the view.
#[derive(Clone, Copy)]
enum Side {
    /// `y[i] = x[coordinates of i]`.
    From,
    /// `x[coordinates of i] = y[i]`.
    To,
}

/// A copy between the view `x` of `n` elements and the buffer `y` of as many.
fn copy_view(dtype: DType, rank: usize, side: Side) -> Kernel {
    let (word, x_access, y_access) = match side {
        Side::From => ("pack", Access::In, Access::Out),
        Side::To => ("unpack", Access::Out, Access::In),
    };
    let mut b = Builder::new(format!("{word}<{dtype}, {rank}>"));
    let loc = b.locate(file!(), line!());
    b.set_loc(loc);
    let (u32_, u64_) = (Type::Scalar(DType::U32), Type::Scalar(DType::U64));
    let x = evenweave_lang::ir::Param::at(0);
    let shape = (0..rank as u8).map(|axis| Len::Extent(x, axis)).collect();
    b.param("x", ParamKind::View { dtype, access: x_access, shape });
    let n = evenweave_lang::ir::Param::at(2);
    let y = b.param("y", ParamKind::Buffer { dtype, access: y_access, len: Len::Scalar(n) });
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
    let ((from, at), (to, to_at)) = match side {
        Side::From => ((x, place), (y, i)),
        Side::To => ((y, i), (x, place)),
    };
    let value = b.push(Op::Load(Place::Param(from), at), Type::Scalar(dtype.value()));
    b.push_unit(Op::Store(Place::Param(to), to_at, value));
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
                verify(&copy_view(dtype, rank, Side::From)).unwrap();
                verify(&copy_view(dtype, rank, Side::To)).unwrap();
            }
            transposing(dtype).unwrap();
        }
    }

    #[test]
    fn axes_are_joined_where_one_walks_on_from_the_other() {
        let of = |shape: &[u32], strides: &[u64]| {
            let view = joined(&Layout { shape: shape.into(), strides: strides.into(), offset: 7 });
            assert_eq!(view.offset, 7);
            (view.shape, view.strides)
        };
        assert_eq!(of(&[2, 3, 4], &[12, 4, 1]), (vec![24], vec![1]));
        assert_eq!(of(&[2, 1, 3, 4], &[40, 9, 4, 1]), (vec![2, 12], vec![40, 1]));
        assert_eq!(of(&[5, 2, 3], &[1, 15, 5]), (vec![5, 6], vec![1, 5]));
        assert_eq!(of(&[5, 4], &[0, 0]), (vec![20], vec![0]));
        assert_eq!(of(&[3, 5], &[0, 1]), (vec![3, 5], vec![0, 1]));
        assert_eq!(of(&[1, 1], &[3, 3]), (vec![], vec![]));
    }

    #[test]
    fn only_a_transposed_matrix_goes_through_tiles() {
        let of = |shape: &[u32], strides: &[u64]| {
            is_transposed(&Layout { shape: shape.into(), strides: strides.into(), offset: 0 })
        };
        assert!(of(&[3, 5], &[1, 3]) && of(&[2, 3, 5], &[15, 1, 3]));
        assert!(!of(&[3, 5], &[8, 1]) && !of(&[6], &[1]) && !of(&[2, 3, 4, 5], &[60, 1, 12, 3]));
    }
}
