//! Small kernels built by hand.

use evenweave_lang::{
    build::Builder,
    dtype::DType,
    ir::{Access, Kernel, Op, Param, ParamKind, Place, Type, Value},
    launch::Len,
    ops::{BinaryOp, CompareOp, IdOp},
};
use evenweave_runtime::{Device, DeviceError, LaunchArg, LoadOptions, Memory};

pub(crate) fn scalar(b: &mut Builder, name: &str, dtype: DType) -> Param {
    b.param(name, ParamKind::Scalar(dtype))
}

pub(crate) fn buffer(b: &mut Builder, name: &str, dtype: DType, access: Access, len: Len) -> Param {
    b.param(name, ParamKind::Buffer { dtype, access, len })
}

pub(crate) fn load(b: &mut Builder, p: Param, index: Value) -> Value {
    let dtype = b.kernel().params[p.index()].kind.dtype().value();
    b.push(Op::Load(Place::Param(p), index), Type::Scalar(dtype))
}

pub(crate) fn store(b: &mut Builder, p: Param, index: Value, value: Value) {
    b.push_unit(Op::Store(Place::Param(p), index, value));
}

pub(crate) fn binary(b: &mut Builder, op: BinaryOp, x: Value, y: Value) -> Value {
    let ty = b.kernel()[x].ty;
    b.push(Op::Binary(op, x, y), ty)
}

pub(crate) fn compare(b: &mut Builder, op: CompareOp, x: Value, y: Value) -> Value {
    b.push(Op::Compare(op, x, y), Type::Scalar(DType::Bool))
}

/// `y = x op z` of `n` elements, in groups of 64; every line of it has a place in `pointwise.rs`.
pub(crate) fn pointwise(dtype: DType, op: BinaryOp) -> Kernel {
    let mut b = Builder::new(format!("pointwise<{dtype}>"));
    let n = Param::at(3);
    let len = || Len::Scalar(n);
    let x = buffer(&mut b, "x", dtype, Access::In, len());
    let z = buffer(&mut b, "z", dtype, Access::In, len());
    let y = buffer(&mut b, "y", dtype, Access::Out, len());
    assert_eq!(scalar(&mut b, "n", DType::U32), n);
    b.kernel_mut().group = [64, 1, 1];
    b.kernel_mut().grid = [len().div_ceil(64u32), Len::Const(1), Len::Const(1)];
    let mut line = 0;
    let mut at = |b: &mut Builder| {
        line += 1;
        let loc = b.locate("pointwise.rs", line);
        b.set_loc(loc);
    };
    at(&mut b);
    let i = b.id(IdOp::GlobalX);
    let limit = b.push(Op::Scalar(n), Type::Scalar(DType::U32));
    let inside = compare(&mut b, CompareOp::Lt, i, limit);
    let branch = b.begin_if(inside);
    at(&mut b);
    let (left, right) = (load(&mut b, x, i), load(&mut b, z, i));
    at(&mut b);
    let result = binary(&mut b, op, left, right);
    at(&mut b);
    store(&mut b, y, i, result);
    b.begin_else(branch);
    b.end_if();
    b.finish()
}

pub(crate) fn put(device: &dyn Device, dtype: DType, bytes: &[u8]) -> Memory {
    let elems = bytes.len() as u64 * 8 / u64::from(dtype.bits());
    let memory = device.alloc(dtype, elems).unwrap();
    device.write(&memory, bytes).unwrap();
    memory
}

pub(crate) fn f32_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

pub(crate) fn run(
    device: &dyn Device,
    kernel: &Kernel,
    options: &LoadOptions,
    args: &[LaunchArg],
) -> Result<(), DeviceError> {
    device.launch(&device.load(kernel, options)?, args)
}
