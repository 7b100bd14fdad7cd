//! The typed IR: static single assignment with structured control flow.
//!
//! A kernel is an arena of instructions and an arena of blocks; a block lists its instructions in order, and
//! an instruction with bodies (`If`, `For`, `Loop`, `Scope`) owns the blocks it names. Mutable state is
//! explicit: a `Var` is one typed register per thread, an `Array` is shared or private memory. So every
//! `Value` is assigned once, needs no phi, and whatever changes over time is visible as `Get`, `Set`,
//! `Load` or `Store`.
//!
//! Invariants (`verify` checks them after staging and after every pass)
//! - An instruction names only values defined above it in its own or an enclosing block.
//! - `ty` is exact. No one downstream works a type out again.
//! - Operands of one operation have one dtype; the only conversions are `Cast` and `Bitcast`, and the
//!   widening and narrowing of a storage dtype in `Load` and `Store`.
//! - Each block is owned by one instruction, or is the kernel's body; nothing follows a terminator
//!   (`Break`, `Continue`, `Return`) in its block.
//! - Barriers, subgroup and group operations stand where control flow is uniform for their scope.
//! - Every instruction carries the author's file and line.
//!
//! Absent: pointers, aliases, implicit conversions, undefined results. Integer edge cases, NaN and
//! conversions have one answer each (`eval`); an index out of bounds is an error of the launch.

mod op;

pub use op::{Control, NewNames};

use crate::{
    dtype::DType,
    launch::Len,
    matrix::{Atom, wide::Wide},
    ops::{AtomicOp, BinaryOp, CompareOp, IdOp, Reach, ReduceOp, ShuffleOp, Tier, UnaryOp, VoteOp},
};

macro_rules! index_type {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The place in its arena.
            pub const fn index(self) -> usize { self.0 as usize }
            /// The name of place `index`; the arena must have it before it is used.
            pub const fn at(index: usize) -> $name { $name(index as u32) }
        }
    };
}

index_type! {
    /// Names one instruction's result (or the instruction itself, where it has none).
    Value
}
index_type! {
    /// Names a list of instructions.
    Block
}
index_type! {
    /// Names a mutable register of each thread.
    Var
}
index_type! {
    /// Names a shared or private array.
    Array
}
index_type! {
    /// Names a parameter: a scalar, a buffer or a view.
    Param
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Unit,
    /// One number.
    Scalar(DType),
    /// 2, 4, 8 or 16 numbers, made by the vectoriser and by products of matrices.
    Vector(DType, u8),
}

impl Type {
    /// The dtype of a scalar.
    pub const fn scalar(self) -> Option<DType> {
        match self {
            Type::Scalar(d) => Some(d),
            Type::Unit | Type::Vector(..) => None,
        }
    }

    /// The dtype of a scalar or of a vector's elements.
    pub const fn dtype(self) -> Option<DType> {
        match self {
            Type::Scalar(d) | Type::Vector(d, _) => Some(d),
            Type::Unit => None,
        }
    }
}

/// The author's place. `file` indexes `Kernel::files`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Loc {
    /// Index into `Kernel::files`.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
}

/// A constant of some dtype, as its bits in the low end of a word. NaN constants are canonical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Const {
    /// The bits, zero-extended: an i8 of -1 is 0xff.
    pub bits: u64,
}

/// Memory that has elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A buffer or view parameter, indexed by absolute element of its buffer.
    Param(Param),
    /// A shared or private array.
    Array(Array),
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant of the instruction's type.
    Const(Const),
    /// Where the thread is; `u32`.
    Id(IdOp),
    /// A scalar parameter.
    Scalar(Param),
    /// Elements of a buffer parameter's buffer; `u64`.
    Length(Param),
    /// Extent of a view along an axis; `u32`.
    Extent(Param, u8),
    /// Distance of neighbours along an axis of a view, in elements; `u64`.
    Stride(Param, u8),
    /// Element of the buffer where a view starts; `u64`.
    Offset(Param),

    /// A row of `UnaryOp`.
    Unary(UnaryOp, Value),
    /// A row of `BinaryOp`.
    Binary(BinaryOp, Value, Value),
    /// A comparison; `bool`.
    Compare(CompareOp, Value, Value),
    /// `a * b + c` of floats with one rounding.
    Fma(Value, Value, Value),
    /// The second value where the first (`bool`) is true, else the third. Both are computed.
    Select(Value, Value, Value),
    /// Conversion to the instruction's dtype by value: floats to nearest even, floats to integers
    /// towards zero, saturating, NaN to 0; integers wrap; `bool` to 0 or 1; to `bool` is `!= 0`.
    Cast(Value),
    /// The same bits as the instruction's dtype of the same width; NaN becomes canonical first.
    Bitcast(Value),

    /// One element, widened to its value dtype. The index is `u32` or `u64`. A vector type reads that
    /// many neighbours from an index that is a multiple of their number.
    Load(Place, Value),
    /// Writes one element, or a vector of neighbours: place, index, value. Narrowing of a storage
    /// dtype rounds to nearest even and saturates.
    Store(Place, Value, Value),
    /// A vector of the given scalars.
    Pack(Vec<Value>),
    /// One scalar of a vector.
    Extract(Value, u8),
    /// The register's value.
    Get(Var),
    /// Changes the register of the running threads.
    Set(Var, Value),

    /// Atomic update: operation, place, index, operand; yields the value before.
    Atomic(AtomicOp, Place, Value, Value),
    /// Atomic replacement by `value` where the element equals `expected`; yields the value before.
    CompareExchange {
        /// The memory.
        at: Place,
        /// The element.
        index: Value,
        /// What must be there.
        expected: Value,
        /// What is put there.
        value: Value,
    },

    /// All threads of the group meet; what they wrote to shared memory and buffers before is visible
    /// to the group after.
    Barrier,
    /// Movement between lanes: value, lane or mask (`u32`).
    Shuffle(ShuffleOp, Value, Value),
    /// Question to the lanes of the subgroup.
    Vote(VoteOp, Value),
    /// Reduction or scan over the lanes of the subgroup, in the order of the index tree.
    Reduce(Reach, ReduceOp, Value),
    /// A product of small matrices by the lanes of the subgroup: words of `a`, words of `b`, elements of `c`, the word of
    /// places (`u32`, and the dtype of sums). Yields the lane's elements of `d`, a vector.
    Matrix(Atom, Vec<Value>),
    /// A product of a matrix that each subgroup has in registers and one in shared memory, added to sums.
    Wide {
        /// Which.
        wide: Wide,
        /// The private array of the lane's sums.
        sums: Array,
        /// The shared array that is the dense matrix.
        tile: Array,
        /// Words of `a`, and a word of places for each step (`u32`).
        words: Vec<Value>,
    },
    /// The value of thread 0 of the group, for all its threads; has the effect of a barrier.
    GroupBroadcast(Value),

    /// One of two bodies. Results leave through `Var`s.
    If {
        /// A `bool`.
        cond: Value,
        /// Where it is true.
        then: Block,
        /// Where it is false.
        other: Block,
    },
    /// Runs `body` for start, start + step, ... while below `end`; no index past the type's range is
    /// formed. The instruction's value is the index, visible in the body. A step of 0 counts as 1;
    /// a negative step is not formed by staging.
    For {
        /// First index.
        start: Value,
        /// First index not reached.
        end: Value,
        /// Distance.
        step: Value,
        /// What is repeated.
        body: Block,
    },
    /// Runs `body` until a `Break` leaves it.
    Loop {
        /// What is repeated.
        body: Block,
    },
    /// Runs `body` once; `Break` leaves it early.
    Scope {
        /// What runs.
        body: Block,
    },
    /// Leaves the named enclosing `For`, `Loop` or `Scope`.
    Break(Value),
    /// Goes on with the next round of the named enclosing `For` or `Loop`.
    Continue(Value),
    /// Ends the thread.
    Return,

    /// Reports an error of the launch where the `bool` is false, on devices that can (the CPU device does).
    Assert(Value, String),
    /// Prints the text, each `{}` replaced by an operand, on devices that can (the CPU device does).
    Print(String, Vec<Value>),
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// The exact type of its value.
    pub ty: Type,
    /// The author's place.
    pub loc: Loc,
}

/// How a kernel uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Read only; the buffer does not change during the launch.
    In,
    /// Written only; elements not written keep what they had.
    Out,
    /// Read and written.
    InOut,
}

/// What a parameter is.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// One number of a value dtype.
    Scalar(DType),
    /// A contiguous buffer.
    Buffer {
        /// The elements, storage dtypes included.
        dtype: DType,
        /// How it is used.
        access: Access,
        /// The elements it must have, at least; declared by the kernel.
        len: Len,
    },
    /// A strided view of a buffer, with run-time shape, strides and offset.
    View {
        /// The elements, storage dtypes included.
        dtype: DType,
        /// How it is used.
        access: Access,
        /// The extent it must have along each axis, exactly; its length is the rank, 1 to 8.
        shape: Vec<Len>,
    },
}

impl ParamKind {
    /// The dtype of the scalar or of the elements.
    pub const fn dtype(&self) -> DType {
        match self {
            ParamKind::Scalar(d) => *d,
            ParamKind::Buffer { dtype, .. } | ParamKind::View { dtype, .. } => *dtype,
        }
    }

    /// How the buffer is used; `None` for a scalar.
    pub const fn access(&self) -> Option<Access> {
        match self {
            ParamKind::Scalar(_) => None,
            ParamKind::Buffer { access, .. } | ParamKind::View { access, .. } => Some(*access),
        }
    }
}

/// A parameter, in the order of the author's signature.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamDecl {
    /// The author's name.
    pub name: String,
    /// What it is.
    pub kind: ParamKind,
}

/// Where an array lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// One for the group.
    Shared,
    /// One for each thread.
    Private,
}

/// A shared or private array of a value dtype, with a fixed number of elements. Undefined until written.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayDecl {
    /// The author's name, or a made one.
    pub name: String,
    /// Where it lies.
    pub space: Space,
    /// The elements; a value dtype.
    pub dtype: DType,
    /// How many.
    pub elems: u32,
}

/// A mutable register of each thread. Undefined until set.
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    /// The author's name, or a made one.
    pub name: String,
    /// A value dtype.
    pub dtype: DType,
}

/// A kernel: parameters, geometry, memory, and instructions.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// What it computes, and its comptime arguments where they matter: `softmax<f16>`.
    pub name: String,
    /// The files that `Loc` names.
    pub files: Vec<String>,
    /// Parameters in the order of the signature.
    pub params: Vec<ParamDecl>,
    /// Threads of a group along x, y, z.
    pub group: [u32; 3],
    /// Lanes of a subgroup: `SUBGROUP_LANES` as authored; what one subgroup of the hardware holds after legalisation,
    /// a power of two and no more.
    pub lanes: u32,
    /// Groups along x, y, z, from the scalars, extents and lengths of the launch.
    pub grid: [Len; 3],
    /// Shared and private arrays.
    pub arrays: Vec<ArrayDecl>,
    /// Mutable registers.
    pub vars: Vec<VarDecl>,
    /// The arena of instructions.
    pub insts: Vec<Inst>,
    /// The arena of blocks.
    pub blocks: Vec<Vec<Value>>,
    /// The kernel's own block.
    pub body: Block,
}

/// Lanes of a subgroup of the language, on every device.
pub const SUBGROUP_LANES: u32 = 32;
/// Threads of a group, at most.
pub const MAX_GROUP_THREADS: u32 = 1024;
/// Axes of a view, at most.
pub const MAX_RANK: usize = 8;

impl std::ops::Index<Value> for Kernel {
    type Output = Inst;
    fn index(&self, v: Value) -> &Inst {
        &self.insts[v.index()]
    }
}

impl std::ops::Index<Block> for Kernel {
    type Output = Vec<Value>;
    fn index(&self, b: Block) -> &Vec<Value> {
        &self.blocks[b.index()]
    }
}

impl Kernel {
    /// Threads of a group.
    pub fn group_threads(&self) -> u32 {
        self.group.iter().product()
    }

    /// The dtype of the elements of a place, as stored.
    pub fn place_dtype(&self, place: Place) -> DType {
        match place {
            Place::Param(p) => self.params[p.index()].kind.dtype(),
            Place::Array(a) => self.arrays[a.index()].dtype,
        }
    }

    /// The author's name of a place.
    pub fn place_name(&self, place: Place) -> &str {
        match place {
            Place::Param(p) => &self.params[p.index()].name,
            Place::Array(a) => &self.arrays[a.index()].name,
        }
    }

    /// `file:line` of a place in the author's source.
    pub fn locate(&self, loc: Loc) -> String {
        match self.files.get(loc.file as usize) {
            Some(file) => format!("{file}:{}", loc.line),
            None => format!("?:{}", loc.line),
        }
    }

    /// The weakest tier of the operations in the kernel's blocks.
    pub fn tier(&self) -> Tier {
        self.blocks
            .iter()
            .flatten()
            .map(|&v| match self[v].op {
                Op::Unary(op, _) => op.tier(),
                Op::Binary(op, ..) => op.tier(),
                Op::Matrix(atom, _) => atom.tier(),
                Op::Wide { wide, .. } => wide.tier(),
                _ => Tier::Exact,
            })
            .max()
            .unwrap_or(Tier::Exact)
    }
}
