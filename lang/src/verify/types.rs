//! Rules of types and memory: what each operation takes, and the type that its value then has.
//!
//! Invariants
//! - Called with every name resolved; operands may still have any type.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{Cause, MAX_VECTOR_BYTES, Words};
use crate::{
    dtype::{Class, DType},
    eval,
    ir::*,
    matrix::{Atom, wide::Wide},
    ops::{Accepts, CompareOp, ReduceOp},
};

const BOOL: Type = Type::Scalar(DType::Bool);
const U32: Type = Type::Scalar(DType::U32);
const U64: Type = Type::Scalar(DType::U64);

/// The type that an instruction must have, after its operands.
pub(super) fn result(kernel: &Kernel, inst: &Inst) -> Result<Type, Cause> {
    let c = Check { kernel, ty: inst.ty };
    match &inst.op {
        Op::Const(value) => c.constant(*value),
        Op::Id(_) => Ok(U32),
        Op::Scalar(p) => match c.param(*p) {
            ParamKind::Scalar(dtype) => Ok(Type::Scalar(*dtype)),
            ParamKind::Buffer { .. } | ParamKind::View { .. } => c.wrong_param(*p, "a scalar"),
        },
        Op::Length(p) => match c.param(*p) {
            ParamKind::Buffer { .. } | ParamKind::View { .. } => Ok(U64),
            ParamKind::Scalar(_) => c.wrong_param(*p, "a buffer or a view"),
        },
        Op::Extent(p, axis) => c.view(*p, Some(*axis)).map(|()| U32),
        Op::Stride(p, axis) => c.view(*p, Some(*axis)).map(|()| U64),
        Op::Offset(p) => c.view(*p, None).map(|()| U64),

        Op::Unary(op, a) => c.all(op.accepts(), &[*a]),
        Op::Binary(op, a, b) => c.all(op.accepts(), &[*a, *b]),
        Op::Compare(op, a, b) => c.compare(*op, *a, *b),
        Op::Fma(x, y, z) => c.all(Accepts::Float, &[*x, *y, *z]),
        Op::Select(cond, a, b) => {
            c.exact(0, *cond, BOOL)?;
            let dtype = c.scalar(1, *a)?;
            c.exact(2, *b, Type::Scalar(dtype))
        }
        Op::Cast(a) => c.scalar(0, *a).and_then(|_| c.own_scalar()),
        Op::Bitcast(a) => c.bitcast(*a),

        Op::Load(at, index) => c.load(*at, *index),
        Op::Store(at, index, value) => c.store(*at, *index, *value),
        Op::Pack(all) => c.pack(all),
        Op::Extract(a, element) => c.extract(*a, *element),
        Op::Get(var) => Ok(Type::Scalar(c.kernel.vars[var.index()].dtype)),
        Op::Set(var, a) => {
            c.exact(0, *a, Type::Scalar(c.kernel.vars[var.index()].dtype))?;
            Ok(Type::Unit)
        }
        Op::Atomic(_, at, index, a) => {
            let element = c.atomic(*at, *index)?;
            c.exact(1, *a, element)
        }
        Op::CompareExchange { at, index, expected, value } => {
            let element = c.atomic(*at, *index)?;
            c.exact(1, *expected, element)?;
            c.exact(2, *value, element)
        }

        Op::Barrier => Ok(Type::Unit),
        Op::Shuffle(_, a, lane) => {
            let dtype = c.scalar(0, *a)?;
            c.exact(1, *lane, U32)?;
            Ok(Type::Scalar(dtype))
        }
        Op::Vote(op, a) => {
            c.exact(0, *a, BOOL)?;
            Ok(match op {
                crate::ops::VoteOp::Ballot => U32,
                crate::ops::VoteOp::Any | crate::ops::VoteOp::All => BOOL,
            })
        }
        Op::Reduce(_, op, a) => c.all(reduce_accepts(*op), &[*a]),
        Op::Matrix(atom, all) => c.matrix(*atom, all),
        Op::Wide { wide, sums, tile, words } => c.wide(*wide, *sums, *tile, words),
        Op::GroupBroadcast(a) => c.scalar(0, *a).map(Type::Scalar),

        Op::If { cond, .. } => c.exact(0, *cond, BOOL).map(|_| Type::Unit),
        Op::For { start, end, step, .. } => c.range(*start, *end, *step),
        Op::Loop { .. } | Op::Scope { .. } | Op::Break(_) | Op::Continue(_) | Op::Return => {
            Ok(Type::Unit)
        }
        Op::Assert(cond, _) => c.exact(0, *cond, BOOL).map(|_| Type::Unit),
        Op::Print(text, values) => c.print(text, values),
    }
}

/// What a reduction takes.
fn reduce_accepts(op: ReduceOp) -> Accepts {
    match op {
        ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max => Accepts::Num,
        ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => Accepts::Bits,
    }
}

struct Check<'a> {
    kernel: &'a Kernel,
    /// The type that the instruction claims.
    ty: Type,
}

impl Check<'_> {
    fn operand<T>(&self, number: usize, want: impl Into<String>, v: Value) -> Result<T, Cause> {
        Err(Cause::Operand { number, want: want.into(), got: self.kernel[v].ty })
    }

    fn exact(&self, number: usize, v: Value, want: Type) -> Result<Type, Cause> {
        if self.kernel[v].ty == want {
            return Ok(want);
        }
        self.operand(number, Words(want).to_string(), v)
    }

    fn scalar(&self, number: usize, v: Value) -> Result<DType, Cause> {
        match self.kernel[v].ty {
            Type::Scalar(dtype) => Ok(dtype),
            Type::Unit | Type::Vector(..) => self.operand(number, "a scalar", v),
        }
    }

    /// The instruction's own type, where it may be any scalar.
    fn own_scalar(&self) -> Result<Type, Cause> {
        match self.ty {
            Type::Scalar(dtype) if dtype.is_value() => Ok(self.ty),
            Type::Scalar(dtype) => Err(Cause::StorageDtype { what: "the value".into(), dtype }),
            Type::Unit | Type::Vector(..) => Err(Cause::NotScalar { got: self.ty }),
        }
    }

    /// Operands of one dtype from a set; the result has it too.
    fn all(&self, accepts: Accepts, operands: &[Value]) -> Result<Type, Cause> {
        let dtype = self.scalar(0, operands[0])?;
        if !accepts.holds(dtype) {
            return Err(Cause::Accepts { takes: accepts.words(), got: dtype });
        }
        for (number, &v) in operands.iter().enumerate() {
            self.exact(number, v, Type::Scalar(dtype))?;
        }
        Ok(Type::Scalar(dtype))
    }

    fn compare(&self, op: CompareOp, a: Value, b: Value) -> Result<Type, Cause> {
        let dtype = self.scalar(0, a)?;
        let is_ordered = match op {
            CompareOp::Eq | CompareOp::Ne => false,
            CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => true,
        };
        if is_ordered && !Accepts::Num.holds(dtype) {
            return Err(Cause::Accepts { takes: Accepts::Num.words(), got: dtype });
        }
        self.exact(1, b, Type::Scalar(dtype))?;
        Ok(BOOL)
    }

    fn constant(&self, value: Const) -> Result<Type, Cause> {
        let ty = self.own_scalar()?;
        let dtype = ty.scalar().expect("own_scalar yields scalars");
        let bits = value.bits;
        let most = match dtype.class() {
            Class::Bool => 1,
            Class::Signed | Class::Unsigned | Class::Float => u64::MAX >> (64 - dtype.bits()),
        };
        if bits > most {
            return Err(Cause::ConstantBits { dtype, bits });
        }
        if is_nan(dtype, bits) && dtype.canonical_nan() != Some(bits) {
            return Err(Cause::ConstantNan { dtype, bits });
        }
        Ok(ty)
    }

    fn bitcast(&self, a: Value) -> Result<Type, Cause> {
        let from = self.scalar(0, a)?;
        let ty = self.own_scalar()?;
        let to = ty.scalar().expect("own_scalar yields scalars");
        if eval::bitcast(from, to, 0).is_some() {
            return Ok(ty);
        }
        Err(Cause::BitcastWidth { from, to })
    }

    fn range(&self, start: Value, end: Value, step: Value) -> Result<Type, Cause> {
        let ty = self.all(Accepts::Int, &[start, end, step])?;
        let dtype = ty.scalar().expect("all yields scalars");
        if let Op::Const(Const { bits }) = self.kernel[step].op
            && dtype.is_signed()
        {
            let unused = 64 - dtype.bits();
            let step = (bits << unused) as i64 >> unused;
            if step < 0 {
                return Err(Cause::NegativeStep { step });
            }
        }
        Ok(ty)
    }

    fn print(&self, text: &str, values: &[Value]) -> Result<Type, Cause> {
        for (number, &v) in values.iter().enumerate() {
            self.scalar(number, v)?;
        }
        let places = text.matches("{}").count();
        if places != values.len() {
            return Err(Cause::PrintPlaces { places, values: values.len() });
        }
        Ok(Type::Unit)
    }

    fn param(&self, p: Param) -> &ParamKind {
        &self.kernel.params[p.index()].kind
    }

    fn wrong_param<T>(&self, p: Param, want: &'static str) -> Result<T, Cause> {
        let is = match self.param(p) {
            ParamKind::Scalar(_) => "a scalar",
            ParamKind::Buffer { .. } => "a buffer",
            ParamKind::View { .. } => "a view",
        };
        Err(Cause::ParamKind { param: self.kernel.params[p.index()].name.clone(), is, want })
    }

    fn view(&self, p: Param, axis: Option<u8>) -> Result<(), Cause> {
        let ParamKind::View { shape, .. } = self.param(p) else {
            return self.wrong_param(p, "a view");
        };
        match axis {
            Some(axis) if usize::from(axis) >= shape.len() => {
                let param = self.kernel.params[p.index()].name.clone();
                Err(Cause::Axis { param, axis, rank: shape.len() })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The memory is no scalar, and the index is one that memory takes.
    fn memory(&self, at: Place, index: Value) -> Result<Option<Access>, Cause> {
        let access = match at {
            Place::Array(_) => None,
            Place::Param(p) => match self.param(p).access() {
                Some(access) => Some(access),
                None => return self.wrong_param(p, "a buffer or a view"),
            },
        };
        match self.kernel[index].ty {
            U32 | U64 => Ok(access),
            Type::Unit | Type::Scalar(_) | Type::Vector(..) => self.operand(0, "u32 or u64", index),
        }
    }

    /// The type that memory gives and takes where the instruction moves `ty`.
    fn element(&self, at: Place, ty: Type) -> Result<Type, Cause> {
        let stored = self.kernel.place_dtype(at);
        let Type::Vector(_, lanes) = ty else { return Ok(Type::Scalar(stored.value())) };
        self.lanes(lanes.into())?;
        let bytes = (stored.bits() * u32::from(lanes)).div_ceil(8);
        if bytes > MAX_VECTOR_BYTES {
            return Err(Cause::VectorBytes { bytes });
        }
        Ok(Type::Vector(stored.value(), lanes))
    }

    fn load(&self, at: Place, index: Value) -> Result<Type, Cause> {
        match self.memory(at, index)? {
            Some(Access::Out) => Err(Cause::ReadOfOut { param: self.kernel.place_name(at).into() }),
            Some(Access::In | Access::InOut) | None => self.element(at, self.ty),
        }
    }

    fn store(&self, at: Place, index: Value, value: Value) -> Result<Type, Cause> {
        if self.memory(at, index)? == Some(Access::In) {
            return Err(Cause::WriteToIn { param: self.kernel.place_name(at).into() });
        }
        let element = self.element(at, self.kernel[value].ty)?;
        self.exact(1, value, element)?;
        Ok(Type::Unit)
    }

    fn atomic(&self, at: Place, index: Value) -> Result<Type, Cause> {
        let is = match (self.memory(at, index)?, at) {
            (Some(Access::InOut), _) => None,
            (Some(Access::In), _) => Some("`In`"),
            (Some(Access::Out), _) => Some("`Out`"),
            (None, Place::Array(a)) => match self.kernel.arrays[a.index()].space {
                Space::Shared => None,
                Space::Private => Some("private"),
            },
            (None, Place::Param(_)) => unreachable!("`memory` refuses scalars"),
        };
        let place = || self.kernel.place_name(at).to_string();
        if let Some(is) = is {
            return Err(Cause::AtomicPlace { place: place(), is });
        }
        match self.kernel.place_dtype(at) {
            dtype @ (DType::I32 | DType::U32 | DType::I64 | DType::U64) => Ok(Type::Scalar(dtype)),
            dtype @ (DType::Bool
            | DType::I4
            | DType::U4
            | DType::I8
            | DType::U8
            | DType::I16
            | DType::U16
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0
            | DType::F16
            | DType::BF16
            | DType::F32
            | DType::F64) => Err(Cause::AtomicDtype { place: place(), dtype }),
        }
    }

    fn lanes(&self, lanes: usize) -> Result<(), Cause> {
        match lanes {
            2 | 4 | 8 | 16 => Ok(()),
            _ => Err(Cause::VectorLanes { lanes }),
        }
    }

    fn pack(&self, all: &[Value]) -> Result<Type, Cause> {
        self.lanes(all.len())?;
        let dtype = self.scalar(0, all[0])?;
        for (number, &v) in all.iter().enumerate() {
            self.exact(number, v, Type::Scalar(dtype))?;
        }
        Ok(Type::Vector(dtype, all.len() as u8))
    }

    fn matrix(&self, atom: Atom, all: &[Value]) -> Result<Type, Cause> {
        if all.len() != atom.operands() {
            return Err(Cause::Operands { want: atom.operands(), got: all.len() });
        }
        let sum = Type::Scalar(atom.sum());
        let words = (atom.a_words() + atom.b_words()) as usize;
        for (number, &v) in all.iter().enumerate() {
            let is_sum = (words..all.len() - 1).contains(&number);
            self.exact(number, v, if is_sum { sum } else { U32 })?;
        }
        Ok(Type::Vector(atom.sum(), atom.sums() as u8))
    }

    fn wide(&self, of: Wide, sums: Array, tile: Array, words: &[Value]) -> Result<Type, Cause> {
        if words.len() != of.operands() {
            return Err(Cause::Operands { want: of.operands(), got: words.len() });
        }
        for (number, &v) in words.iter().enumerate() {
            self.exact(number, v, U32)?;
        }
        let whole = [
            (sums, Space::Private, "private", of.sum(), of.sums()),
            (tile, Space::Shared, "shared", DType::U32, of.tile_words()),
        ];
        for (array, space, word, dtype, elems) in whole {
            let decl = &self.kernel.arrays[array.index()];
            if (decl.space, decl.dtype, decl.elems) != (space, dtype, elems) {
                let array = decl.name.clone();
                return Err(Cause::WholeArray { array, space: word, dtype, elems });
            }
        }
        Ok(Type::Unit)
    }

    fn extract(&self, a: Value, element: u8) -> Result<Type, Cause> {
        match self.kernel[a].ty {
            Type::Vector(_, lanes) if element >= lanes => {
                Err(Cause::VectorElement { element, lanes })
            }
            Type::Vector(dtype, _) => Ok(Type::Scalar(dtype)),
            Type::Unit | Type::Scalar(_) => self.operand(0, "a vector", a),
        }
    }
}

/// Whether these bits of a value dtype are a NaN: an exponent of ones and some fraction.
fn is_nan(dtype: DType, bits: u64) -> bool {
    let Some(nan) = dtype.canonical_nan() else { return false };
    // The canonical NaN is the exponent and the top bit of the fraction.
    let fraction_bits = nan.trailing_zeros() + 1;
    let exponent = nan >> fraction_bits << fraction_bits;
    let fraction = (1 << fraction_bits) - 1;
    bits & exponent == exponent && bits & fraction != 0
}
