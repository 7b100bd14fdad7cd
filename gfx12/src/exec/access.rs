//! Which access each memory operation is.
//!
//! Invariants:
//! - Shared, flat, global and scratch forms of one access are one row here.

use super::atomic::Atomic;
use crate::ops::Op;

/// How a value is loaded into registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    Byte,
    SignedByte,
    Half,
    SignedHalf,
    /// So many registers.
    Words(u8),
}

impl Load {
    pub(super) const fn bytes(self) -> u32 {
        match self {
            Self::Byte | Self::SignedByte => 1,
            Self::Half | Self::SignedHalf => 2,
            Self::Words(n) => 4 * n as u32,
        }
    }
}

/// An access of each lane to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Load(Load),
    /// Into one half of a register; the other is kept.
    LoadHalf {
        load: Load,
        high: bool,
    },
    /// Of so many bytes, from the upper half of a register if `high`.
    Store {
        bytes: u32,
        high: bool,
    },
}

/// The plain access of an operation.
pub(super) fn plain(op: Op) -> Option<Access> {
    Some(match op {
        Op::DsStoreB32 | Op::FlatStoreB32 | Op::ScratchStoreB32 | Op::GlobalStoreB32 => {
            Access::Store { bytes: 4, high: false }
        }
        Op::DsStoreB8 | Op::FlatStoreB8 | Op::ScratchStoreB8 | Op::GlobalStoreB8 => {
            Access::Store { bytes: 1, high: false }
        }
        Op::DsStoreB16 | Op::FlatStoreB16 | Op::ScratchStoreB16 | Op::GlobalStoreB16 => {
            Access::Store { bytes: 2, high: false }
        }
        Op::DsLoadB32 | Op::FlatLoadB32 | Op::ScratchLoadB32 | Op::GlobalLoadB32 => {
            Access::Load(Load::Words(1))
        }
        Op::DsLoadI8 | Op::FlatLoadI8 | Op::ScratchLoadI8 | Op::GlobalLoadI8 => {
            Access::Load(Load::SignedByte)
        }
        Op::DsLoadU8 | Op::FlatLoadU8 | Op::ScratchLoadU8 | Op::GlobalLoadU8 => {
            Access::Load(Load::Byte)
        }
        Op::DsLoadI16 | Op::FlatLoadI16 | Op::ScratchLoadI16 | Op::GlobalLoadI16 => {
            Access::Load(Load::SignedHalf)
        }
        Op::DsLoadU16 | Op::FlatLoadU16 | Op::ScratchLoadU16 | Op::GlobalLoadU16 => {
            Access::Load(Load::Half)
        }
        Op::DsStoreB64 | Op::FlatStoreB64 | Op::ScratchStoreB64 | Op::GlobalStoreB64 => {
            Access::Store { bytes: 8, high: false }
        }
        Op::DsLoadB64 | Op::FlatLoadB64 | Op::ScratchLoadB64 | Op::GlobalLoadB64 => {
            Access::Load(Load::Words(2))
        }
        Op::DsStoreB8D16Hi
        | Op::FlatStoreD16HiB8
        | Op::ScratchStoreD16HiB8
        | Op::GlobalStoreD16HiB8 => Access::Store { bytes: 1, high: true },
        Op::DsStoreB16D16Hi
        | Op::FlatStoreD16HiB16
        | Op::ScratchStoreD16HiB16
        | Op::GlobalStoreD16HiB16 => Access::Store { bytes: 2, high: true },
        Op::DsLoadU8D16 | Op::FlatLoadD16U8 | Op::ScratchLoadD16U8 | Op::GlobalLoadD16U8 => {
            Access::LoadHalf { load: Load::Byte, high: false }
        }
        Op::DsLoadU8D16Hi
        | Op::FlatLoadD16HiU8
        | Op::ScratchLoadD16HiU8
        | Op::GlobalLoadD16HiU8 => Access::LoadHalf { load: Load::Byte, high: true },
        Op::DsLoadI8D16 | Op::FlatLoadD16I8 | Op::ScratchLoadD16I8 | Op::GlobalLoadD16I8 => {
            Access::LoadHalf { load: Load::SignedByte, high: false }
        }
        Op::DsLoadI8D16Hi
        | Op::FlatLoadD16HiI8
        | Op::ScratchLoadD16HiI8
        | Op::GlobalLoadD16HiI8 => Access::LoadHalf { load: Load::SignedByte, high: true },
        Op::DsLoadU16D16 | Op::FlatLoadD16B16 | Op::ScratchLoadD16B16 | Op::GlobalLoadD16B16 => {
            Access::LoadHalf { load: Load::Half, high: false }
        }
        Op::DsLoadU16D16Hi
        | Op::FlatLoadD16HiB16
        | Op::ScratchLoadD16HiB16
        | Op::GlobalLoadD16HiB16 => Access::LoadHalf { load: Load::Half, high: true },
        Op::DsStoreB96 | Op::FlatStoreB96 | Op::ScratchStoreB96 | Op::GlobalStoreB96 => {
            Access::Store { bytes: 12, high: false }
        }
        Op::DsStoreB128 | Op::FlatStoreB128 | Op::ScratchStoreB128 | Op::GlobalStoreB128 => {
            Access::Store { bytes: 16, high: false }
        }
        Op::DsLoadB96 | Op::FlatLoadB96 | Op::ScratchLoadB96 | Op::GlobalLoadB96 => {
            Access::Load(Load::Words(3))
        }
        Op::DsLoadB128 | Op::FlatLoadB128 | Op::ScratchLoadB128 | Op::GlobalLoadB128 => {
            Access::Load(Load::Words(4))
        }
        _ => return None,
    })
}

/// The read-modify-write of an operation, and its width in bytes.
pub(super) fn atomic(op: Op) -> Option<(Atomic, u32)> {
    Some(match op {
        Op::DsAddU32 | Op::DsAddRtnU32 => (Atomic::Add, 4),
        Op::DsSubU32 | Op::DsSubRtnU32 => (Atomic::Sub, 4),
        Op::DsRsubU32 | Op::DsRsubRtnU32 => (Atomic::ReverseSub, 4),
        Op::DsIncU32 | Op::DsIncRtnU32 => (Atomic::Inc, 4),
        Op::DsDecU32 | Op::DsDecRtnU32 => (Atomic::Dec, 4),
        Op::DsMinI32 | Op::DsMinRtnI32 => (Atomic::MinI, 4),
        Op::DsMaxI32 | Op::DsMaxRtnI32 => (Atomic::MaxI, 4),
        Op::DsMinU32 | Op::DsMinRtnU32 => (Atomic::MinU, 4),
        Op::DsMaxU32 | Op::DsMaxRtnU32 => (Atomic::MaxU, 4),
        Op::DsAndB32 | Op::DsAndRtnB32 => (Atomic::And, 4),
        Op::DsOrB32 | Op::DsOrRtnB32 => (Atomic::Or, 4),
        Op::DsXorB32 | Op::DsXorRtnB32 => (Atomic::Xor, 4),
        Op::DsMskorB32 | Op::DsMskorRtnB32 => (Atomic::MaskOr, 4),
        Op::DsCmpstoreB32 | Op::DsCmpstoreRtnB32 => (Atomic::CompareSwap, 4),
        Op::DsMinNumF32 | Op::DsMinNumRtnF32 => (Atomic::MinNum, 4),
        Op::DsMaxNumF32 | Op::DsMaxNumRtnF32 => (Atomic::MaxNum, 4),
        Op::DsAddF32 | Op::DsAddRtnF32 => (Atomic::AddFloat, 4),
        Op::DsStorexchgRtnB32 => (Atomic::Swap, 4),
        Op::DsAddU64 | Op::DsAddRtnU64 => (Atomic::Add, 8),
        Op::DsSubU64 | Op::DsSubRtnU64 => (Atomic::Sub, 8),
        Op::DsRsubU64 | Op::DsRsubRtnU64 => (Atomic::ReverseSub, 8),
        Op::DsIncU64 | Op::DsIncRtnU64 => (Atomic::Inc, 8),
        Op::DsDecU64 | Op::DsDecRtnU64 => (Atomic::Dec, 8),
        Op::DsMinI64 | Op::DsMinRtnI64 => (Atomic::MinI, 8),
        Op::DsMaxI64 | Op::DsMaxRtnI64 => (Atomic::MaxI, 8),
        Op::DsMinU64 | Op::DsMinRtnU64 => (Atomic::MinU, 8),
        Op::DsMaxU64 | Op::DsMaxRtnU64 => (Atomic::MaxU, 8),
        Op::DsAndB64 | Op::DsAndRtnB64 => (Atomic::And, 8),
        Op::DsOrB64 | Op::DsOrRtnB64 => (Atomic::Or, 8),
        Op::DsXorB64 | Op::DsXorRtnB64 => (Atomic::Xor, 8),
        Op::DsMskorB64 | Op::DsMskorRtnB64 => (Atomic::MaskOr, 8),
        Op::DsCmpstoreB64 | Op::DsCmpstoreRtnB64 => (Atomic::CompareSwap, 8),
        Op::DsMinNumF64 | Op::DsMinNumRtnF64 => (Atomic::MinNum, 8),
        Op::DsMaxNumF64 | Op::DsMaxNumRtnF64 => (Atomic::MaxNum, 8),
        Op::DsStorexchgRtnB64 => (Atomic::Swap, 8),
        Op::DsCondSubU32 | Op::DsCondSubRtnU32 => (Atomic::CondSub, 4),
        Op::DsSubClampU32 | Op::DsSubClampRtnU32 => (Atomic::SubClamp, 4),
        Op::DsPkAddF16 | Op::DsPkAddRtnF16 => (Atomic::PkAddF16, 4),
        Op::DsPkAddBf16 | Op::DsPkAddRtnBf16 => (Atomic::PkAddBf16, 4),
        Op::FlatAtomicSwapB32 | Op::GlobalAtomicSwapB32 => (Atomic::Swap, 4),
        Op::FlatAtomicCmpswapB32 | Op::GlobalAtomicCmpswapB32 => (Atomic::CompareSwap, 4),
        Op::FlatAtomicAddU32 | Op::GlobalAtomicAddU32 => (Atomic::Add, 4),
        Op::FlatAtomicSubU32 | Op::GlobalAtomicSubU32 => (Atomic::Sub, 4),
        Op::FlatAtomicSubClampU32 | Op::GlobalAtomicSubClampU32 => (Atomic::SubClamp, 4),
        Op::FlatAtomicMinI32 | Op::GlobalAtomicMinI32 => (Atomic::MinI, 4),
        Op::FlatAtomicMinU32 | Op::GlobalAtomicMinU32 => (Atomic::MinU, 4),
        Op::FlatAtomicMaxI32 | Op::GlobalAtomicMaxI32 => (Atomic::MaxI, 4),
        Op::FlatAtomicMaxU32 | Op::GlobalAtomicMaxU32 => (Atomic::MaxU, 4),
        Op::FlatAtomicAndB32 | Op::GlobalAtomicAndB32 => (Atomic::And, 4),
        Op::FlatAtomicOrB32 | Op::GlobalAtomicOrB32 => (Atomic::Or, 4),
        Op::FlatAtomicXorB32 | Op::GlobalAtomicXorB32 => (Atomic::Xor, 4),
        Op::FlatAtomicIncU32 | Op::GlobalAtomicIncU32 => (Atomic::Inc, 4),
        Op::FlatAtomicDecU32 | Op::GlobalAtomicDecU32 => (Atomic::Dec, 4),
        Op::FlatAtomicSwapB64 | Op::GlobalAtomicSwapB64 => (Atomic::Swap, 8),
        Op::FlatAtomicCmpswapB64 | Op::GlobalAtomicCmpswapB64 => (Atomic::CompareSwap, 8),
        Op::FlatAtomicAddU64 | Op::GlobalAtomicAddU64 => (Atomic::Add, 8),
        Op::FlatAtomicSubU64 | Op::GlobalAtomicSubU64 => (Atomic::Sub, 8),
        Op::FlatAtomicMinI64 | Op::GlobalAtomicMinI64 => (Atomic::MinI, 8),
        Op::FlatAtomicMinU64 | Op::GlobalAtomicMinU64 => (Atomic::MinU, 8),
        Op::FlatAtomicMaxI64 | Op::GlobalAtomicMaxI64 => (Atomic::MaxI, 8),
        Op::FlatAtomicMaxU64 | Op::GlobalAtomicMaxU64 => (Atomic::MaxU, 8),
        Op::FlatAtomicAndB64 | Op::GlobalAtomicAndB64 => (Atomic::And, 8),
        Op::FlatAtomicOrB64 | Op::GlobalAtomicOrB64 => (Atomic::Or, 8),
        Op::FlatAtomicXorB64 | Op::GlobalAtomicXorB64 => (Atomic::Xor, 8),
        Op::FlatAtomicIncU64 | Op::GlobalAtomicIncU64 => (Atomic::Inc, 8),
        Op::FlatAtomicDecU64 | Op::GlobalAtomicDecU64 => (Atomic::Dec, 8),
        Op::FlatAtomicCondSubU32 | Op::GlobalAtomicCondSubU32 => (Atomic::CondSub, 4),
        Op::FlatAtomicMinNumF32 | Op::GlobalAtomicMinNumF32 => (Atomic::MinNum, 4),
        Op::FlatAtomicMaxNumF32 | Op::GlobalAtomicMaxNumF32 => (Atomic::MaxNum, 4),
        Op::FlatAtomicAddF32 | Op::GlobalAtomicAddF32 => (Atomic::AddFloat, 4),
        Op::FlatAtomicPkAddF16 | Op::GlobalAtomicPkAddF16 => (Atomic::PkAddF16, 4),
        Op::FlatAtomicPkAddBf16 | Op::GlobalAtomicPkAddBf16 => (Atomic::PkAddBf16, 4),
        _ => return None,
    })
}
