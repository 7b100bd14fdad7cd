//! What the executor needs to know of an operation before it executes it: who executes it, and which registers it reads.
//!
//! Invariants:
//! - Everything is derived from the table of operations and a few names; it is derived once.
//! - An operation that nobody executes is `Other`, and executing it is an error that names it.

use crate::ops::{INFO, Kind, OPS, Op, OpInfo};
use std::sync::LazyLock;

/// Who executes an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Scalar arithmetic, control and waits.
    Scalar,
    /// Loads by the scalar unit.
    ScalarMemory,
    /// Vector operations on 32 bits.
    Word,
    /// Vector operations on 16 bits.
    Half,
    /// Vector operations on 64 bits.
    Wide,
    /// Vector comparisons.
    Compare,
    /// Packed, mixed and dot products.
    Packed,
    /// Matrices.
    Matrix,
    /// Lanes and registers by number.
    Cross,
    /// Approximations of scalars.
    ScalarApprox,
    /// Shared memory.
    Shared,
    /// Flat, global and scratch memory.
    Vector,
}

/// One operation's note.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    pub(super) class: Class,
    /// Registers of each source.
    pub(super) dwords: [u8; 4],
    /// Registers of the destination that are read as well.
    pub(super) old: u8,
    /// Registers of the destination.
    pub(super) dst: u8,
    /// It reads VCC though no source says so.
    pub(super) vcc: bool,
    /// A copy: it carries what was never written along instead of reading it.
    pub(super) copy: bool,
    /// Its sources are looked at lane by lane where they are read.
    pub(super) own_check: bool,
}

/// The notes, by operation.
pub(super) static NOTES: LazyLock<Vec<Note>> =
    LazyLock::new(|| OPS.iter().map(|&op| note(op)).collect());

fn note(op: Op) -> Note {
    let info = &INFO[op as usize];
    let class = class(op, info);
    let mut dwords = [0; 4];
    for (k, kind) in info.src.iter().enumerate() {
        dwords[k] = kind.dwords();
    }
    let name = info.mnemonic;
    let accumulates = ["fmac", "v_swmmac", "v_dot2c", "s_addk", "s_mulk", "s_bitset", "s_cmov"];
    let old =
        if accumulates.iter().any(|part| name.contains(part)) { info.dst.dwords() } else { 0 };
    Note {
        class,
        dwords,
        old: if name == "v_swap_b32" { 1 } else { old },
        dst: info.dst.dwords(),
        vcc: name.starts_with("v_div_fmas"),
        copy: matches!(op, Op::VMovB32 | Op::SMovB32 | Op::SMovB64),
        own_check: class == Class::Cross
            && name != "v_swap_b32"
            && name != "v_movreld_b32"
            && name != "v_writelane_b32",
    }
}

fn class(op: Op, info: &OpInfo) -> Class {
    let name = info.mnemonic;
    let kinds = || info.src.iter().chain([&info.dst]);
    if name.starts_with("s_load") || name.starts_with("s_prefetch") {
        Class::ScalarMemory
    } else if name.starts_with("s_") {
        Class::Scalar
    } else if name.starts_with("ds_") {
        Class::Shared
    } else if ["global_", "flat_", "scratch_"].iter().any(|space| name.starts_with(space)) {
        Class::Vector
    } else if name.starts_with("v_s_") {
        Class::ScalarApprox
    } else if name.starts_with("v_cmp") {
        Class::Compare
    } else if super::matrix::shape(op).is_some() {
        Class::Matrix
    } else if ["v_pk_", "v_fma_mix", "v_dot4", "v_dot8", "v_dot2_f32"]
        .iter()
        .any(|part| name.starts_with(part))
    {
        Class::Packed
    } else if ["v_read", "v_writelane", "v_permlane", "v_movrel", "v_swap", "v_nop"]
        .iter()
        .any(|part| name.starts_with(part))
    {
        Class::Cross
    } else if kinds().any(|kind| matches!(kind, Kind::F64 | Kind::I64 | Kind::U64)) {
        Class::Wide
    } else if kinds().any(|kind| kind.is_half()) {
        Class::Half
    } else {
        Class::Word
    }
}
