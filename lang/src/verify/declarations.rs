//! Rules of what stands before the instructions: parameters, geometry, arrays, registers.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{Cause, MAX_PRIVATE_BYTES, MAX_SHARED_BYTES};
use crate::{dtype::DType, ir::*, launch::Len};

pub(super) fn check(kernel: &Kernel) -> Result<(), Cause> {
    let threads = kernel.group.iter().map(|&n| u128::from(n)).product::<u128>();
    if !(1..=u128::from(MAX_GROUP_THREADS)).contains(&threads) {
        return Err(Cause::GroupSize { group: kernel.group });
    }
    if !kernel.lanes.is_power_of_two() || kernel.lanes > SUBGROUP_LANES {
        return Err(Cause::Lanes { lanes: kernel.lanes });
    }
    for (i, param) in kernel.params.iter().enumerate() {
        let name = &param.name;
        if kernel.params[..i].iter().any(|other| other.name == *name) {
            return Err(Cause::DuplicateParam { name: name.clone() });
        }
        match &param.kind {
            ParamKind::Scalar(dtype) => value_dtype(*dtype, || format!("scalar `{name}`"))?,
            ParamKind::Buffer { len: l, .. } => len(kernel, l, &format!("the length of `{name}`"))?,
            ParamKind::View { shape, .. } => {
                if !(1..=MAX_RANK).contains(&shape.len()) {
                    return Err(Cause::Rank { param: name.clone(), rank: shape.len() });
                }
                for (axis, l) in shape.iter().enumerate() {
                    len(kernel, l, &format!("extent {axis} of `{name}`"))?;
                }
            }
        }
    }
    for (l, axis) in kernel.grid.iter().zip(["x", "y", "z"]) {
        len(kernel, l, &format!("the grid along {axis}"))?;
    }
    memory(kernel)
}

fn memory(kernel: &Kernel) -> Result<(), Cause> {
    let (mut shared_bytes, mut private_bytes) = (0u64, 0u64);
    for array in &kernel.arrays {
        value_dtype(array.dtype, || format!("array `{}`", array.name))?;
        if array.elems == 0 {
            return Err(Cause::EmptyArray { array: array.name.clone() });
        }
        let bytes = array.dtype.bytes_for(array.elems.into()).unwrap_or(u64::MAX);
        match array.space {
            Space::Shared => shared_bytes = shared_bytes.saturating_add(bytes),
            Space::Private => private_bytes = private_bytes.saturating_add(bytes),
        }
    }
    if shared_bytes > MAX_SHARED_BYTES {
        return Err(Cause::SharedBytes { need_bytes: shared_bytes });
    }
    if private_bytes > MAX_PRIVATE_BYTES {
        return Err(Cause::PrivateBytes { need_bytes: private_bytes });
    }
    for var in &kernel.vars {
        value_dtype(var.dtype, || format!("register `{}`", var.name))?;
    }
    Ok(())
}

fn value_dtype(dtype: DType, what: impl Fn() -> String) -> Result<(), Cause> {
    if dtype.is_value() { Ok(()) } else { Err(Cause::StorageDtype { what: what(), dtype }) }
}

/// A length names parameters that have the number it asks for.
fn len(kernel: &Kernel, l: &Len, what: &str) -> Result<(), Cause> {
    let param = |p: &Param| match kernel.params.get(p.index()) {
        Some(param) => Ok((format!("`{}`", param.name), &param.kind)),
        None => Err(Cause::Length {
            what: what.into(),
            on: format!("parameter {}", p.index()),
            not: "not in the kernel",
        }),
    };
    let wrong = |on, not| Err(Cause::Length { what: what.into(), on, not });
    match l {
        Len::Const(_) => Ok(()),
        Len::Scalar(p) => match param(p)? {
            (_, ParamKind::Scalar(dtype)) if dtype.is_int() => Ok(()),
            (on, ParamKind::Scalar(_) | ParamKind::Buffer { .. } | ParamKind::View { .. }) => {
                wrong(on, "no integer scalar")
            }
        },
        Len::Extent(p, axis) => match param(p)? {
            (_, ParamKind::View { shape, .. }) if usize::from(*axis) < shape.len() => Ok(()),
            (on, ParamKind::View { .. }) => {
                wrong(format!("axis {axis} of {on}"), "beyond the view's rank")
            }
            (on, ParamKind::Scalar(_) | ParamKind::Buffer { .. }) => wrong(on, "no view"),
        },
        Len::Length(p) => match param(p)? {
            (_, ParamKind::Buffer { .. } | ParamKind::View { .. }) => Ok(()),
            (on, ParamKind::Scalar(_)) => wrong(on, "no buffer"),
        },
        Len::Op(_, a, b) => len(kernel, a, what).and_then(|()| len(kernel, b, what)),
    }
}
