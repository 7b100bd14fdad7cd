//! The numbers of a launch that written code reads besides its buffers' elements.
//!
//! Invariants
//! - A field's value follows from the launch alone: its grid, its arguments and where their memory lies.

use evenweave_lang::{
    ir::Param,
    launch::{ArgShape, Layout},
};

/// Of an argument that has none.
static NO_LAYOUT: Layout = Layout { shape: Vec::new(), strides: Vec::new(), offset: 0 };

/// A number of the launch that a kernel reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// Groups of the grid along an axis: one word.
    Grid(u8),
    /// First group of this part of the launch along an axis, where a grid is launched in parts: one word.
    First(u8),
    /// A scalar of up to 32 bits: one word.
    Scalar(Param),
    /// A scalar of 64 bits: two words, the low one first. So are all that follow but `Extent` and `Zero`.
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
    /// A zero that no compiler knows: one word.
    Zero,
}

impl Field {
    /// Words that it takes.
    pub const fn words(self) -> usize {
        match self {
            Field::Grid(_)
            | Field::First(_)
            | Field::Scalar(_)
            | Field::Extent(..)
            | Field::Zero => 1,
            Field::Scalar64(_)
            | Field::Length(_)
            | Field::Stride(..)
            | Field::Offset(_)
            | Field::Address(_) => 2,
        }
    }

    /// Its value in a launch that was checked; `address` gives that of a parameter's buffer.
    pub fn value(
        self,
        grid: [u32; 3],
        first: [u32; 3],
        args: &[ArgShape],
        address: &dyn Fn(Param) -> u64,
    ) -> u64 {
        let layout = |p: Param| match &args[p.index()] {
            ArgShape::View(_, _, layout) => layout,
            ArgShape::Scalar(..) | ArgShape::Buffer(..) => &NO_LAYOUT,
        };
        match self {
            Field::Grid(axis) => grid[usize::from(axis)].into(),
            Field::First(axis) => first[usize::from(axis)].into(),
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
            Field::Zero => 0,
        }
    }
}
