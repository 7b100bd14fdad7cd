//! A kernel as the fast interpreter runs it: structured control flow over straight runs of register code.
//!
//! Invariants
//! - A value that is the same for the whole group is one word of the scalar file, computed once. Every other
//!   value is a slot of 32-bit lanes (dtypes up to 32 bits, zero-extended) or of 64-bit lanes.
//! - No instruction's destination slot is one of its source slots.
//! - What depends on the launch alone is in `once` and runs before the first group.

use evenweave_lang::{
    dtype::DType,
    ir::{Kernel, Value},
    matrix::{Atom, wide::Wide},
    ops::{AtomicOp, BinaryOp, CompareOp, IdOp, Reach, ReduceOp, ShuffleOp, UnaryOp, VoteOp},
};

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// A word for the group.
    Scalar(u32),
    /// 32-bit lanes.
    Narrow(u32),
    /// 64-bit lanes.
    Wide(u32),
}

/// An instruction and the place in the kernel that it comes from.
#[derive(Clone, Debug)]
pub(super) struct Inst {
    pub(super) at: Value,
    pub(super) code: Code,
}

/// Elements that an instruction touches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// A buffer parameter.
    Buffer(u32),
    /// A shared array of 32-bit cells (dtypes up to 32 bits) or 64-bit cells.
    Shared(u32),
    /// A private array: its cells are lanes.
    Private(u32),
}

/// What an instruction does. Values are dealt with in the order of the IR's operands.
#[derive(Clone, Debug)]
pub(super) enum Code {
    /// A launch-wide number into the scalar file.
    Launch(LaunchValue, u32),
    /// A pure operation on words of the scalar file.
    Scalar(ScalarOp, u32),
    /// A copy between places of any two kinds; a scalar fills all lanes.
    Copy {
        dst: Slot,
        src: Slot,
    },
    Id {
        id: IdOp,
        dst: Slot,
    },
    Unary {
        op: UnaryOp,
        dtype: DType,
        dst: Slot,
        a: Slot,
    },
    Binary {
        op: BinaryOp,
        dtype: DType,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Compare {
        op: CompareOp,
        dtype: DType,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Fma {
        dst: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Select {
        dst: Slot,
        cond: Slot,
        a: Slot,
        b: Slot,
    },
    Cast {
        from: DType,
        to: DType,
        dst: Slot,
        a: Slot,
    },
    Bitcast {
        from: DType,
        dst: Slot,
        a: Slot,
    },
    /// `dtype` is that of the stored elements; several places are neighbours of a vector.
    Load {
        target: Target,
        dtype: DType,
        index: Slot,
        dst: Box<[Slot]>,
    },
    Store {
        target: Target,
        dtype: DType,
        index: Slot,
        src: Box<[Slot]>,
    },
    /// Changes a register for the running lanes. `ends`: nothing reads `src` later, so that it may be swapped in.
    Set {
        dst: Slot,
        src: Slot,
        ends: bool,
    },
    Update {
        what: Update,
        target: Target,
        index: Slot,
        dst: Slot,
    },
    Shuffle {
        op: ShuffleOp,
        dst: Slot,
        a: Slot,
        lane: Slot,
    },
    Vote {
        op: VoteOp,
        dst: Slot,
        a: Slot,
    },
    Reduce {
        reach: Reach,
        op: ReduceOp,
        dtype: DType,
        dst: Slot,
        a: Slot,
    },
    Matrix {
        atom: Atom,
        dst: Box<[Slot]>,
        src: Box<[Slot]>,
    },
    /// The arrays are those of the sums and the tile.
    Wide {
        wide: Wide,
        sums: u32,
        tile: u32,
        src: Box<[Slot]>,
    },
    GroupBroadcast {
        dst: Slot,
        a: Slot,
    },
    Assert {
        cond: Slot,
        text: Box<str>,
    },
    Print {
        text: Box<str>,
        values: Box<[(DType, Slot)]>,
    },
}

/// An atomic update.
#[derive(Clone, Copy, Debug)]
pub(super) enum Update {
    Combine { op: AtomicOp, dtype: DType, src: Slot },
    Exchange { expected: Slot, src: Slot },
}

/// A number that is the same for the whole launch.
#[derive(Clone, Copy, Debug)]
pub(super) enum LaunchValue {
    Const(u64),
    Scalar(u32),
    Length(u32),
    Extent(u32, u8),
    Stride(u32, u8),
    Offset(u32),
    GroupSize(u8),
    Grid(u8),
    Subgroups,
}

/// A pure operation on words of the scalar file.
#[derive(Clone, Copy, Debug)]
pub(super) enum ScalarOp {
    Group(u8),
    Unary(UnaryOp, DType, u32),
    Binary(BinaryOp, DType, u32, u32),
    Compare(CompareOp, DType, u32, u32),
    Fma(DType, u32, u32, u32),
    Select(u32, u32, u32),
    Cast(DType, DType, u32),
    Bitcast(DType, DType, u32),
}

/// A step of a block.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Run(Vec<Inst>),
    If {
        cond: Slot,
        then: Vec<Node>,
        other: Vec<Node>,
    },
    For {
        at: Value,
        exit: usize,
        dtype: DType,
        index: Slot,
        range: [Slot; 3],
        body: Vec<Node>,
    },
    Loop {
        at: Value,
        exit: usize,
        body: Vec<Node>,
    },
    Scope {
        exit: usize,
        body: Vec<Node>,
    },
    /// Leave the construct with this number.
    Break(usize),
    /// Go on with the next round of the loop with this number.
    Continue(usize),
    Return,
}

/// A compiled kernel.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) once: Vec<Inst>,
    pub(super) body: Vec<Node>,
    pub(super) scalars: usize,
    pub(super) narrow: usize,
    pub(super) wide: usize,
    /// Registers that begin each group as 0, so that a read before the first set is the same everywhere.
    pub(super) vars: Vec<Slot>,
    /// Loops and scopes.
    pub(super) exits: usize,
    pub(super) kernel: Kernel,
}
