//! What the languages do not share.

use super::expr::Kind;
use crate::facts::Facts;
use evenweave_lang::ops::{BinaryOp, UnaryOp};

/// A language of the C family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// CUDA C++, for NVRTC.
    Cuda,
    /// HIP C++, for clang and hipRTC.
    Hip,
    /// Metal's shading language.
    Metal,
}

/// The text that stands before the kernels of a translation unit.
pub const fn prelude(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Cuda => concat!(include_str!("prelude/cuda.cu"), include_str!("prelude/shared.h")),
        Dialect::Hip => concat!(include_str!("prelude/hip.hip"), include_str!("prelude/shared.h")),
        Dialect::Metal => {
            concat!(include_str!("prelude/metal.metal"), include_str!("prelude/shared.h"))
        }
    }
}

/// How an operation of floats is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Between its operands.
    Infix(&'static str),
    /// As a function.
    Call(&'static str),
}

use Spelling::{Call, Infix};

impl Dialect {
    /// Every one.
    pub const ALL: [Dialect; 3] = [Dialect::Cuda, Dialect::Hip, Dialect::Metal];

    /// The word in targets' names.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Cuda => "cuda",
            Dialect::Hip => "hip",
            Dialect::Metal => "metal",
        }
    }

    /// What its makers promise of devices that it runs on.
    pub const fn facts(self) -> Facts {
        match self {
            Dialect::Cuda => Facts::CUDA,
            Dialect::Hip => Facts::HIP,
            Dialect::Metal => Facts::METAL,
        }
    }

    /// A rounding operation of two floats.
    pub(super) fn arithmetic(self, op: BinaryOp, kind: Kind) -> Option<Spelling> {
        let single = kind == Kind::F32;
        Some(match (self, op) {
            (Dialect::Cuda, BinaryOp::Add) => Call(if single { "__fadd_rn" } else { "__dadd_rn" }),
            (Dialect::Cuda, BinaryOp::Sub) => Call(if single { "__fsub_rn" } else { "__dsub_rn" }),
            (Dialect::Cuda, BinaryOp::Mul) => Call(if single { "__fmul_rn" } else { "__dmul_rn" }),
            (Dialect::Cuda, BinaryOp::Div) => Call(if single { "__fdiv_rn" } else { "__ddiv_rn" }),
            (Dialect::Hip | Dialect::Metal, BinaryOp::Add) => Infix("+"),
            (Dialect::Hip | Dialect::Metal, BinaryOp::Sub) => Infix("-"),
            (Dialect::Hip | Dialect::Metal, BinaryOp::Mul) => Infix("*"),
            (Dialect::Hip | Dialect::Metal, BinaryOp::Div) => Infix("/"),
            _ => return None,
        })
    }

    /// `fma`.
    pub(super) fn fma(self, kind: Kind) -> &'static str {
        let single = kind == Kind::F32;
        match self {
            Dialect::Cuda if single => "__fmaf_rn",
            Dialect::Cuda => "__fma_rn",
            Dialect::Hip if single => "__builtin_fmaf",
            Dialect::Hip => "__builtin_fma",
            Dialect::Metal => "fma",
        }
    }

    /// A function of one float.
    pub(super) fn function(self, op: UnaryOp, kind: Kind) -> Option<&'static str> {
        let single = kind == Kind::F32;
        let of = |cuda: [&'static str; 2], hip: [&'static str; 2], metal| {
            let at = usize::from(!single);
            match self {
                Dialect::Cuda => cuda[at],
                Dialect::Hip => hip[at],
                Dialect::Metal => metal,
            }
        };
        Some(match op {
            UnaryOp::Abs => of(["fabsf", "fabs"], ["__builtin_fabsf", "__builtin_fabs"], "fabs"),
            UnaryOp::Floor => {
                of(["floorf", "floor"], ["__builtin_floorf", "__builtin_floor"], "floor")
            }
            UnaryOp::Ceil => of(["ceilf", "ceil"], ["__builtin_ceilf", "__builtin_ceil"], "ceil"),
            UnaryOp::Trunc => {
                of(["truncf", "trunc"], ["__builtin_truncf", "__builtin_trunc"], "trunc")
            }
            UnaryOp::RoundEven => {
                of(["rintf", "rint"], ["__builtin_roundevenf", "__builtin_roundeven"], "rint")
            }
            UnaryOp::Sqrt => of(
                ["__fsqrt_rn", "__dsqrt_rn"],
                ["__builtin_sqrtf", "__builtin_sqrt"],
                "precise::sqrt",
            ),
            UnaryOp::FastExp => "fast_exp",
            UnaryOp::FastLog => "fast_log",
            UnaryOp::FastRecip => "fast_recip",
            UnaryOp::FastRsqrt => "fast_rsqrt",
            _ => return None,
        })
    }

    /// What stands before a kernel's name.
    pub(super) fn head(self, threads: u32) -> String {
        match self {
            Dialect::Cuda => format!("extern \"C\" __global__ __launch_bounds__({threads})\nvoid"),
            Dialect::Hip => format!(
                "extern \"C\" __attribute__((global, amdgpu_flat_work_group_size({threads}, {threads})))\nvoid"
            ),
            Dialect::Metal => {
                format!("[[max_total_threads_per_threadgroup({threads})]]\nkernel void")
            }
        }
    }

    /// What stands before a shared array's type.
    pub(super) const fn shared(self) -> &'static str {
        match self {
            Dialect::Cuda => "__shared__",
            Dialect::Hip => "static __attribute__((shared))",
            Dialect::Metal => "threadgroup",
        }
    }

    /// What stands before the type that a pointer to a buffer's elements has.
    pub(super) const fn global(self) -> &'static str {
        match self {
            Dialect::Cuda | Dialect::Hip => "",
            Dialect::Metal => "device ",
        }
    }

    /// The group's place along an axis, within its part of the launch.
    pub(super) const fn group(self, axis: usize) -> &'static str {
        let all = match self {
            Dialect::Cuda => ["blockIdx.x", "blockIdx.y", "blockIdx.z"],
            Dialect::Hip => [
                "__builtin_amdgcn_workgroup_id_x()",
                "__builtin_amdgcn_workgroup_id_y()",
                "__builtin_amdgcn_workgroup_id_z()",
            ],
            Dialect::Metal => ["group.x", "group.y", "group.z"],
        };
        all[axis]
    }

    /// The thread's place in its group.
    pub(super) const fn thread(self) -> &'static str {
        match self {
            Dialect::Cuda => "threadIdx.x",
            Dialect::Hip => "__builtin_amdgcn_workitem_id_x()",
            Dialect::Metal => "thread_in_group",
        }
    }
}
