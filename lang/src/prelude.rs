//! What a kernel's author needs: `use evenweave_lang::prelude::*`.

pub use crate::{
    StageError,
    dtype::DType,
    evenweave_lang,
    func::{self, *},
    group::*,
    ir::Kernel,
    lanes::*,
    memory::{
        In, InOut, InOutView, InView, Index, IndexLoad, IndexStore, Out, OutView, Private, Shared,
        atomic_add, atomic_and, atomic_exchange, atomic_max, atomic_min, atomic_or, atomic_xor,
        compare_exchange, private, shared,
    },
    val::{
        Atomic, Bits, Element, F4E2M1, F8E4M3, F8E5M2, F8E8M0, Float, I4, Int, IntoVal, Numeric,
        Real, Reinterpret, Scalar, Signed, U4, Val, bits, from_bits, lit, val,
    },
};
pub use evenweave_macros::{device, kernel};
pub use half::{bf16, f16};
