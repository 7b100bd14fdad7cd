//! From a dtype that a request has to a Rust type that a kernel is written over.
//!
//! `with_real!(call, call.dtype("x"), T => swiglu::<T>())?` stages with the type that `T` then names, and
//! yields `Result<ir::Kernel, PlanError>`. A dtype outside the macro's set is an error that lists the set.

/// One arm a dtype; used by the macros below.
#[doc(hidden)]
#[macro_export]
macro_rules! with_dtype {
    ($call:expr, $dtype:expr, $T:ident => $stage:expr; $set:expr; $($variant:ident $ty:ty,)*) => {
        match $dtype {
            $(::evenweave_lang::dtype::DType::$variant => {
                #[allow(dead_code, reason = "a kernel may fix its types")]
                type $T = $ty;
                $call.staged($stage)
            })*
            #[allow(unreachable_patterns, reason = "a set may hold every dtype")]
            other => Err($call.no_dtype(other, $set)),
        }
    };
}

/// Stages for f32, f16 or bf16.
#[macro_export]
macro_rules! with_real {
    ($call:expr, $dtype:expr, $T:ident => $stage:expr) => {
        $crate::with_dtype! { $call, $dtype, $T => $stage; $crate::entry::REALS;
        F32 f32, F16 ::half::f16, BF16 ::half::bf16, }
    };
}

/// Stages for f32, f16, bf16 or f64.
#[macro_export]
macro_rules! with_float {
    ($call:expr, $dtype:expr, $T:ident => $stage:expr) => {
        $crate::with_dtype! { $call, $dtype, $T => $stage; $crate::entry::FLOATS;
        F32 f32, F16 ::half::f16, BF16 ::half::bf16, F64 f64, }
    };
}

/// Stages for the integers of 8 to 64 bits.
#[macro_export]
macro_rules! with_int {
    ($call:expr, $dtype:expr, $T:ident => $stage:expr) => {
        $crate::with_dtype! { $call, $dtype, $T => $stage; $crate::entry::INTS;
        I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64, }
    };
}

/// Stages for the floats and the integers of 8 to 64 bits.
#[macro_export]
macro_rules! with_numeric {
    ($call:expr, $dtype:expr, $T:ident => $stage:expr) => {
        $crate::with_dtype! { $call, $dtype, $T => $stage; $crate::entry::NUMERICS;
        F32 f32, F16 ::half::f16, BF16 ::half::bf16, F64 f64,
        I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64, }
    };
}

/// Stages for every value dtype: numbers and bool.
#[macro_export]
macro_rules! with_scalar {
    ($call:expr, $dtype:expr, $T:ident => $stage:expr) => {
        $crate::with_dtype! { $call, $dtype, $T => $stage; $crate::entry::SCALARS;
        F32 f32, F16 ::half::f16, BF16 ::half::bf16, F64 f64, Bool bool,
        I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64, }
    };
}

/// Stages for every pair of f32, f16 or bf16 of two inputs.
#[macro_export]
macro_rules! with_real2 {
    ($call:expr, [$a:expr, $b:expr], [$A:ident, $B:ident] => $stage:expr) => {
        match $call.dtype($a) {
            ::evenweave_lang::dtype::DType::F16 => {
                type $A = ::half::f16;
                $crate::with_real!($call, $call.dtype($b), $B => $stage)
            }
            ::evenweave_lang::dtype::DType::BF16 => {
                type $A = ::half::bf16;
                $crate::with_real!($call, $call.dtype($b), $B => $stage)
            }
            ::evenweave_lang::dtype::DType::F32 => {
                type $A = f32;
                $crate::with_real!($call, $call.dtype($b), $B => $stage)
            }
            other => Err($call.no_dtype(other, $crate::entry::REALS)),
        }
    };
}
