//! What `legalize` leaves, and what it makes of what it does not leave.

use crate::interpret;
use evenweave_codegen::{Optimise, Target, prepare};
use evenweave_lang::{
    build::Builder,
    dtype::DType,
    eval,
    ir::{Access, Kernel, Op, ParamKind, Place, Type},
    launch::Len,
};

fn fma_kernel(dtype: DType) -> Kernel {
    let mut b = Builder::new("fma");
    let [x, y, z] = ["x", "y", "z"].map(|name| {
        let param = b.param(name, ParamKind::Scalar(dtype));
        b.push(Op::Scalar(param), Type::Scalar(dtype))
    });
    let kind = ParamKind::Buffer { dtype, access: Access::Out, len: Len::Const(1) };
    let out = b.param("out", kind);
    let v = b.push(Op::Fma(x, y, z), Type::Scalar(dtype));
    let at = b.constant(DType::U32, 0);
    b.push_unit(Op::Store(Place::Param(out), at, v));
    prepare(&b.finish(), Target::Cpu, Optimise::No).unwrap()
}

/// Every product of two significands lies on, just above or just below a tie once some tiny `z` joins it;
/// a rounding to f64 first would lose `z`.
#[test]
fn fma_of_sixteen_bits_rounds_once() {
    for (dtype, one, tiny) in [(DType::BF16, 0x3f80, 0x0001), (DType::F16, 0x3c00, 0x0001)] {
        let kernel = fma_kernel(dtype);
        let mut ties = 0;
        for x in (one..one + 128).step_by(3) {
            for y in one..one + 128 {
                for z in [tiny, tiny | 0x8000] {
                    let memory = vec![vec![x], vec![y], vec![z], vec![0]];
                    let got = interpret::run(&kernel, memory).unwrap()[3][0];
                    let want = eval::fma(dtype, x, y, z).unwrap();
                    assert_eq!(got, want, "fma({x:#x}, {y:#x}, {z:#x}) of {dtype}");
                    let product = eval::binary(evenweave_lang::ops::BinaryOp::Mul, dtype, x, y);
                    ties += u32::from(product != Some(want));
                }
            }
        }
        assert!(ties > 0, "{dtype}: no input tells one rounding from two");
    }
}
