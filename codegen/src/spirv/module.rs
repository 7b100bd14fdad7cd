//! What the writer gives: a module, and how a launch feeds it.
//!
//! Set 0 has at binding 0 a uniform block of `fields`, an array of 16-byte vectors of four 32-bit words (word `i` is
//! component `i % 4` of vector `i / 4`), and at binding `1 + i` the storage buffer of `buffers[i]`. The push constant
//! of 16 bytes is the first group of the dispatch along x, y, z (a grid past the limits of one dispatch is launched
//! in parts), and a word that is always 0: a zero that no driver knows.
//!
//! Invariants
//! - The words are one compute shader with entry point `main`, whose local size is `[invocations, 1, 1]`.
//! - A storage buffer is a whole number of 32-bit words; bytes past its last element are not elements.

use evenweave_lang::{
    dtype::DType,
    ir::{Access, Param},
    launch::{ArgShape, Layout},
};

/// How a module reaches its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Addressing {
    /// By storage buffers at bindings, each of at most `Module::MAX_BOUND_BYTES`.
    Descriptors,
    /// By 64-bit addresses in the uniform block; every access is checked against the buffer's length.
    Addresses,
}

/// A module for a device that has the facts it was written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The SPIR-V.
    pub words: Vec<u32>,
    /// Invocations of a group.
    pub invocations: u32,
    /// Whether lanes move natively: subgroups must be full, and have the width that the facts give.
    pub full_subgroups: bool,
    /// The storage buffers, in the order of their bindings from 1 on. With addresses, those that are used.
    pub buffers: Vec<Binding>,
    /// What the uniform block holds, in the order of its words; each takes `Field::words` of them.
    pub fields: Vec<Field>,
    /// What the module takes the elements of each parameter for. Where that is a word and the launch gives a
    /// 64-bit integer, a length counts words: two an element.
    pub dtypes: Vec<DType>,
}

/// A storage buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The parameter of the kernel.
    pub param: Param,
    /// How it is used.
    pub access: Access,
}

/// A number of the launch that a module reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// Groups of the grid along an axis: one word.
    Grid(u8),
    /// A scalar of up to 32 bits: one word.
    Scalar(Param),
    /// A scalar of 64 bits: two words, the low one first. So are all that follow but `Extent`.
    Scalar64(Param),
    /// Elements of a buffer.
    Length(Param),
    /// Extent of a view along an axis: one word.
    Extent(Param, u8),
    /// Stride of a view along an axis, in elements.
    Stride(Param, u8),
    /// Element where a view starts.
    Offset(Param),
    /// Address of a buffer, where buffers are addressed by pointers.
    Address(Param),
}

impl Field {
    /// Words that it takes.
    pub const fn words(self) -> usize {
        match self {
            Field::Grid(_) | Field::Scalar(_) | Field::Extent(..) => 1,
            Field::Scalar64(_)
            | Field::Length(_)
            | Field::Stride(..)
            | Field::Offset(_)
            | Field::Address(_) => 2,
        }
    }

    /// Its value in a launch that was checked; `address` gives that of a parameter's buffer.
    pub fn value(self, grid: [u32; 3], args: &[ArgShape], address: &dyn Fn(Param) -> u64) -> u64 {
        let layout = |p: Param| match &args[p.index()] {
            ArgShape::View(_, _, layout) => layout.clone(),
            ArgShape::Scalar(..) | ArgShape::Buffer(..) => Layout::contiguous(&[]),
        };
        match self {
            Field::Grid(axis) => grid[usize::from(axis)].into(),
            Field::Scalar(p) | Field::Scalar64(p) => match args[p.index()] {
                ArgShape::Scalar(_, bits) => bits,
                ArgShape::Buffer(..) | ArgShape::View(..) => 0,
            },
            Field::Length(p) => match args[p.index()] {
                ArgShape::Buffer(_, elems) | ArgShape::View(_, elems, _) => elems,
                ArgShape::Scalar(..) => 0,
            },
            Field::Extent(p, axis) => layout(p).shape[usize::from(axis)].into(),
            Field::Stride(p, axis) => layout(p).strides[usize::from(axis)],
            Field::Offset(p) => layout(p).offset,
            Field::Address(p) => address(p),
        }
    }
}

impl Module {
    /// Bytes of a buffer that descriptors reach: indices are 32-bit numbers that drivers take as signed.
    pub const MAX_BOUND_BYTES: u64 = (1 << 31) - 1;

    /// The words of the uniform block for a launch that was checked, padded to whole vectors of four.
    pub fn block(
        &self,
        grid: [u32; 3],
        args: &[ArgShape],
        address: &dyn Fn(Param) -> u64,
    ) -> Vec<u32> {
        let mut words = Vec::new();
        for field in &self.fields {
            let mut value = field.value(grid, args, address);
            if let Field::Length(p) = *field
                && let ArgShape::Buffer(given, _) | ArgShape::View(given, ..) = args[p.index()]
                && given.bits() == 64
            {
                value *= u64::from(given.bits() / self.dtypes[p.index()].bits());
            }
            words.push(value as u32);
            if field.words() == 2 {
                words.push((value >> 32) as u32);
            }
        }
        words.resize(words.len().next_multiple_of(4), 0);
        words
    }
}
