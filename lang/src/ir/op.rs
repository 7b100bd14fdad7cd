//! What can be asked of any operation: its operands, its bodies, its memory, its name.
//!
//! Invariants
//! - Each match names every operation: a new one must decide what it is here first.

#![deny(clippy::wildcard_enum_match_arm)]

use super::*;

/// New names for what instructions name besides operands.
pub struct NewNames<'a> {
    /// Of blocks.
    pub block: &'a dyn Fn(Block) -> Block,
    /// Of registers.
    pub var: &'a dyn Fn(Var) -> Var,
    /// Of arrays.
    pub array: &'a dyn Fn(Array) -> Array,
    /// Of the loops and scopes that `Break` and `Continue` name.
    pub target: &'a dyn Fn(Value) -> Value,
}

/// Control flow: the operations with bodies, and those that leave them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// One of two blocks.
    If {
        /// Which.
        cond: Value,
        /// Where it is true.
        then: Block,
        /// Where it is false.
        other: Block,
    },
    /// A counting loop.
    For {
        /// The first index.
        start: Value,
        /// The first index that is not reached.
        end: Value,
        /// What is added each round.
        step: Value,
        /// What is repeated.
        body: Block,
    },
    /// A loop until something leaves it.
    Loop {
        /// What is repeated.
        body: Block,
    },
    /// A block that can be left early.
    Scope {
        /// What is in it.
        body: Block,
    },
    /// Leaves a loop or scope.
    Break(Value),
    /// Goes to the next round of a loop.
    Continue(Value),
    /// Ends the thread.
    Return,
}

impl Op {
    /// The word for it in messages and in the text form.
    pub const fn name(&self) -> &'static str {
        match self {
            Op::Const(_) => "const",
            Op::Id(id) => id.name(),
            Op::Scalar(_) => "scalar",
            Op::Length(_) => "length",
            Op::Extent(..) => "extent",
            Op::Stride(..) => "stride",
            Op::Offset(_) => "offset",
            Op::Unary(op, _) => op.name(),
            Op::Binary(op, ..) => op.name(),
            Op::Compare(op, ..) => op.name(),
            Op::Fma(..) => "fma",
            Op::Select(..) => "select",
            Op::Cast(_) => "cast",
            Op::Bitcast(_) => "bitcast",
            Op::Load(..) => "load",
            Op::Store(..) => "store",
            Op::Pack(_) => "pack",
            Op::Extract(..) => "extract",
            Op::Get(_) => "get",
            Op::Set(..) => "set",
            Op::Atomic(op, ..) => op.name(),
            Op::CompareExchange { .. } => "compare_exchange",
            Op::Barrier => "barrier",
            Op::Shuffle(op, ..) => op.name(),
            Op::Vote(op, _) => op.name(),
            Op::Reduce(reach, ..) => reach.name(),
            Op::Matrix(atom, _) => atom.name(),
            Op::Wide { wide, .. } => wide.name(),
            Op::GroupBroadcast(_) => "group_broadcast",
            Op::If { .. } => "if",
            Op::For { .. } => "for",
            Op::Loop { .. } => "loop",
            Op::Scope { .. } => "scope",
            Op::Break(_) => "break",
            Op::Continue(_) => "continue",
            Op::Return => "return",
            Op::Assert(..) => "assert",
            Op::Print(..) => "print",
        }
    }

    /// Calls `f` with each operand, in order. The loop named by `Break` and `Continue` is no operand.
    pub fn for_each_operand(&self, mut f: impl FnMut(Value)) {
        let mut copy = self.clone();
        copy.map_operands(|v| {
            f(v);
            v
        });
    }

    /// Replaces each operand. The loop named by `Break` and `Continue` is no operand.
    pub fn map_operands(&mut self, mut f: impl FnMut(Value) -> Value) {
        let mut each = |v: &mut Value| *v = f(*v);
        match self {
            Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Get(_)
            | Op::Barrier
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return => {}
            Op::Unary(_, a)
            | Op::Cast(a)
            | Op::Bitcast(a)
            | Op::Load(_, a)
            | Op::Extract(a, _)
            | Op::Set(_, a)
            | Op::Vote(_, a)
            | Op::Reduce(_, _, a)
            | Op::GroupBroadcast(a)
            | Op::If { cond: a, .. }
            | Op::Assert(a, _) => each(a),
            Op::Binary(_, a, b)
            | Op::Compare(_, a, b)
            | Op::Store(_, a, b)
            | Op::Atomic(_, _, a, b)
            | Op::Shuffle(_, a, b) => {
                each(a);
                each(b);
            }
            Op::Fma(a, b, c) | Op::Select(a, b, c) => {
                each(a);
                each(b);
                each(c);
            }
            Op::CompareExchange { index, expected, value, .. } => {
                each(index);
                each(expected);
                each(value);
            }
            Op::For { start, end, step, .. } => {
                each(start);
                each(end);
                each(step);
            }
            Op::Pack(values)
            | Op::Print(_, values)
            | Op::Matrix(_, values)
            | Op::Wide { words: values, .. } => values.iter_mut().for_each(each),
        }
    }

    /// It as control flow; `None` for what only computes.
    pub const fn control(&self) -> Option<Control> {
        match *self {
            Op::If { cond, then, other } => Some(Control::If { cond, then, other }),
            Op::For { start, end, step, body } => Some(Control::For { start, end, step, body }),
            Op::Loop { body } => Some(Control::Loop { body }),
            Op::Scope { body } => Some(Control::Scope { body }),
            Op::Break(target) => Some(Control::Break(target)),
            Op::Continue(target) => Some(Control::Continue(target)),
            Op::Return => Some(Control::Return),
            Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Fma(..)
            | Op::Select(..)
            | Op::Cast(_)
            | Op::Bitcast(_)
            | Op::Load(..)
            | Op::Store(..)
            | Op::Pack(_)
            | Op::Extract(..)
            | Op::Get(_)
            | Op::Set(..)
            | Op::Atomic(..)
            | Op::CompareExchange { .. }
            | Op::Barrier
            | Op::Shuffle(..)
            | Op::Vote(..)
            | Op::Reduce(..)
            | Op::Matrix(..)
            | Op::Wide { .. }
            | Op::GroupBroadcast(_)
            | Op::Assert(..)
            | Op::Print(..) => None,
        }
    }

    /// Whether threads meet at it: a barrier, or a movement between threads.
    pub const fn meets(&self) -> bool {
        matches!(
            self,
            Op::Barrier
                | Op::Shuffle(..)
                | Op::Vote(..)
                | Op::Reduce(..)
                | Op::Matrix(..)
                | Op::Wide { .. }
                | Op::GroupBroadcast(_)
        )
    }

    /// Whether values move between the lanes of a subgroup.
    pub const fn moves_lanes(&self) -> bool {
        matches!(
            self,
            Op::Shuffle(..) | Op::Vote(..) | Op::Reduce(..) | Op::Matrix(..) | Op::Wide { .. }
        )
    }

    /// The bodies it owns, in order.
    pub fn bodies(&self) -> Vec<Block> {
        match self.control() {
            Some(Control::If { then, other, .. }) => vec![then, other],
            Some(Control::For { body, .. } | Control::Loop { body } | Control::Scope { body }) => {
                vec![body]
            }
            Some(Control::Break(_) | Control::Continue(_) | Control::Return) | None => Vec::new(),
        }
    }

    /// The memory whose elements it reads or writes, one by one.
    pub const fn place(&self) -> Option<Place> {
        match self {
            Op::Load(at, _)
            | Op::Store(at, ..)
            | Op::Atomic(_, at, ..)
            | Op::CompareExchange { at, .. } => Some(*at),
            Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Fma(..)
            | Op::Select(..)
            | Op::Cast(_)
            | Op::Bitcast(_)
            | Op::Pack(_)
            | Op::Extract(..)
            | Op::Get(_)
            | Op::Set(..)
            | Op::Barrier
            | Op::Shuffle(..)
            | Op::Vote(..)
            | Op::Reduce(..)
            | Op::Matrix(..)
            | Op::Wide { .. }
            | Op::GroupBroadcast(_)
            | Op::If { .. }
            | Op::For { .. }
            | Op::Loop { .. }
            | Op::Scope { .. }
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return
            | Op::Assert(..)
            | Op::Print(..) => None,
        }
    }

    /// The arrays that it reads or writes as wholes: sums, which it changes, and a tile.
    pub const fn whole_arrays(&self) -> Option<[Array; 2]> {
        if let Op::Wide { sums, tile, .. } = self { Some([*sums, *tile]) } else { None }
    }

    /// The register that it reads or changes.
    pub const fn var(&self) -> Option<Var> {
        if let Op::Get(var) | Op::Set(var, _) = self { Some(*var) } else { None }
    }

    /// Replaces the blocks it owns, its register, its array and the loop that it leaves: all that
    /// `map_operands` does not.
    pub fn map_names(&mut self, names: &NewNames<'_>) {
        match self {
            Op::If { then, other, .. } => {
                *then = (names.block)(*then);
                *other = (names.block)(*other);
            }
            Op::For { body, .. } | Op::Loop { body } | Op::Scope { body } => {
                *body = (names.block)(*body);
            }
            Op::Get(var) | Op::Set(var, _) => *var = (names.var)(*var),
            Op::Break(target) | Op::Continue(target) => *target = (names.target)(*target),
            Op::Load(at, _)
            | Op::Store(at, ..)
            | Op::Atomic(_, at, ..)
            | Op::CompareExchange { at, .. } => {
                if let Place::Array(array) = at {
                    *array = (names.array)(*array);
                }
            }
            Op::Wide { sums, tile, .. } => {
                *sums = (names.array)(*sums);
                *tile = (names.array)(*tile);
            }
            Op::Const(_)
            | Op::Id(_)
            | Op::Scalar(_)
            | Op::Length(_)
            | Op::Extent(..)
            | Op::Stride(..)
            | Op::Offset(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Fma(..)
            | Op::Select(..)
            | Op::Cast(_)
            | Op::Bitcast(_)
            | Op::Pack(_)
            | Op::Extract(..)
            | Op::Barrier
            | Op::Shuffle(..)
            | Op::Vote(..)
            | Op::Reduce(..)
            | Op::Matrix(..)
            | Op::GroupBroadcast(_)
            | Op::Return
            | Op::Assert(..)
            | Op::Print(..) => {}
        }
    }

    /// Whether nothing follows it in its block.
    pub const fn is_terminator(&self) -> bool {
        matches!(self, Op::Break(_) | Op::Continue(_) | Op::Return)
    }

    /// Whether its value depends on its operands, the parameters and the thread alone: it may be moved,
    /// merged or dropped. Loads are not pure: they read what stores change, and may be out of bounds.
    pub const fn is_pure(&self) -> bool {
        matches!(
            self,
            Op::Const(_)
                | Op::Id(_)
                | Op::Scalar(_)
                | Op::Length(_)
                | Op::Extent(..)
                | Op::Stride(..)
                | Op::Offset(_)
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::Compare(..)
                | Op::Fma(..)
                | Op::Select(..)
                | Op::Cast(_)
                | Op::Bitcast(_)
                | Op::Pack(_)
                | Op::Extract(..)
        )
    }
}
