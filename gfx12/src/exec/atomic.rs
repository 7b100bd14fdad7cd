//! What an atomic operation makes of the old value and its operands.
//!
//! Invariants:
//! - 32-bit operations see and give the low half of the 64 bits that they are called with.

use crate::sem::float::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use crate::sem::{cvt, num};

/// A read-modify-write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atomic {
    Swap,
    /// Writes the first operand where the old value equals the second.
    CompareSwap,
    Add,
    Sub,
    /// The operand minus the old value.
    ReverseSub,
    /// A difference that stops at zero.
    SubClamp,
    /// A difference only where it is not negative.
    CondSub,
    MinI,
    MinU,
    MaxI,
    MaxU,
    And,
    Or,
    Xor,
    /// Plus one, back to zero after the operand.
    Inc,
    /// Minus one, back to the operand after zero or from above it.
    Dec,
    /// Bits of the first operand are replaced by those of the second.
    MaskOr,
    MinNum,
    MaxNum,
    AddFloat,
    PkAddF16,
    PkAddBf16,
}

/// The new value of 4 bytes.
fn word(atomic: Atomic, old: u32, a: u32, b: u32) -> u32 {
    let float = f32::from_bits;
    match atomic {
        Atomic::Swap => a,
        Atomic::CompareSwap => {
            if old == b {
                a
            } else {
                old
            }
        }
        Atomic::Add => old.wrapping_add(a),
        Atomic::Sub => old.wrapping_sub(a),
        Atomic::ReverseSub => a.wrapping_sub(old),
        Atomic::SubClamp => old.saturating_sub(a),
        Atomic::CondSub => {
            if old >= a {
                old - a
            } else {
                old
            }
        }
        Atomic::MinI => (old as i32).min(a as i32) as u32,
        Atomic::MinU => old.min(a),
        Atomic::MaxI => (old as i32).max(a as i32) as u32,
        Atomic::MaxU => old.max(a),
        Atomic::And => old & a,
        Atomic::Or => old | a,
        Atomic::Xor => old ^ a,
        Atomic::Inc => {
            if old >= a {
                0
            } else {
                old + 1
            }
        }
        Atomic::Dec => {
            if old == 0 || old > a {
                a
            } else {
                old - 1
            }
        }
        Atomic::MaskOr => (old & !a) | b,
        Atomic::MinNum => num::min_num_f32(float(old), float(a)).to_bits(),
        Atomic::MaxNum => num::max_num_f32(float(old), float(a)).to_bits(),
        Atomic::AddFloat => (float(old) + float(a)).to_bits(),
        Atomic::PkAddF16 => {
            let sum =
                |n: u32| f32_to_f16(f16_to_f32((old >> n) as u16) + f16_to_f32((a >> n) as u16));
            cvt::pair(sum(0), sum(16))
        }
        Atomic::PkAddBf16 => {
            let sum =
                |n: u32| f32_to_bf16(bf16_to_f32((old >> n) as u16) + bf16_to_f32((a >> n) as u16));
            cvt::pair(sum(0), sum(16))
        }
    }
}

/// The new value of 8 bytes; packed halves are of 4 bytes alone.
fn long(atomic: Atomic, old: u64, a: u64, b: u64) -> u64 {
    let float = f64::from_bits;
    match atomic {
        Atomic::Swap => a,
        Atomic::CompareSwap => {
            if old == b {
                a
            } else {
                old
            }
        }
        Atomic::Add => old.wrapping_add(a),
        Atomic::Sub => old.wrapping_sub(a),
        Atomic::ReverseSub => a.wrapping_sub(old),
        Atomic::SubClamp => old.saturating_sub(a),
        Atomic::CondSub => {
            if old >= a {
                old - a
            } else {
                old
            }
        }
        Atomic::MinI => (old as i64).min(a as i64) as u64,
        Atomic::MinU => old.min(a),
        Atomic::MaxI => (old as i64).max(a as i64) as u64,
        Atomic::MaxU => old.max(a),
        Atomic::And => old & a,
        Atomic::Or => old | a,
        Atomic::Xor => old ^ a,
        Atomic::Inc => {
            if old >= a {
                0
            } else {
                old + 1
            }
        }
        Atomic::Dec => {
            if old == 0 || old > a {
                a
            } else {
                old - 1
            }
        }
        Atomic::MaskOr => (old & !a) | b,
        Atomic::MinNum => num::min_num_f64(float(old), float(a)).to_bits(),
        Atomic::MaxNum => num::max_num_f64(float(old), float(a)).to_bits(),
        Atomic::AddFloat => (float(old) + float(a)).to_bits(),
        Atomic::PkAddF16 | Atomic::PkAddBf16 => unreachable!("packed atomics are of 4 bytes"),
    }
}

/// The new value.
pub(super) fn apply(atomic: Atomic, bytes: u32, old: u64, a: u64, b: u64) -> u64 {
    if bytes == 4 {
        u64::from(word(atomic, old as u32, a as u32, b as u32))
    } else {
        long(atomic, old, a, b)
    }
}
