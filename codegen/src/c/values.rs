//! Arithmetic: how each operation that `legalize` leaves is spelled.
//!
//! Invariants
//! - Nothing that the languages leave undefined is computed: shift counts are in range, signed sums wrap as unsigned ones,
//!   divisors are not 0, conversions from floats are of values in range.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    dialect::Spelling,
    expr::{Expr, Kind, literal},
    writer::Writer,
};
use evenweave_lang::{
    dtype::DType,
    ir::Value,
    ops::{BinaryOp, CompareOp, UnaryOp},
};

/// What `legalize` does not leave.
fn gone(op: &str, dtype: DType) -> ! {
    unreachable!("legalize: `{op}` of {dtype} is written in other operations")
}

impl Writer<'_> {
    pub(super) fn unary(&self, op: UnaryOp, x: Value) -> Expr {
        let (dtype, kind, x) = (self.dtype(x), self.kind(x), self.get(x));
        match op {
            UnaryOp::Neg if kind.is_float() => Expr::infix(format!("-{x}")),
            UnaryOp::Neg => Expr::binary(&literal(kind, 0), "-", &x),
            UnaryOp::Abs if !kind.is_float() => Expr::call("abs_signed", &[&x]),
            UnaryOp::Not if kind == Kind::Bool => Expr::infix(format!("!{x}")),
            UnaryOp::Not => Expr::infix(format!("~{x}")),
            UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                Expr::call(op.name(), &[&x])
            }
            UnaryOp::Recip => Expr::call("recip", &[&x]),
            UnaryOp::Abs
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Trunc
            | UnaryOp::RoundEven
            | UnaryOp::Sqrt
            | UnaryOp::FastExp
            | UnaryOp::FastLog
            | UnaryOp::FastRecip
            | UnaryOp::FastRsqrt => {
                let function = self.dialect.function(op, kind);
                Expr::call(function.unwrap_or_else(|| gone(op.name(), dtype)), &[&x])
            }
            UnaryOp::Rsqrt
            | UnaryOp::Exp
            | UnaryOp::Exp2
            | UnaryOp::Expm1
            | UnaryOp::Log
            | UnaryOp::Log2
            | UnaryOp::Log10
            | UnaryOp::Log1p
            | UnaryOp::Sin
            | UnaryOp::Cos
            | UnaryOp::Tan
            | UnaryOp::Asin
            | UnaryOp::Acos
            | UnaryOp::Atan
            | UnaryOp::Sinh
            | UnaryOp::Cosh
            | UnaryOp::Tanh
            | UnaryOp::Asinh
            | UnaryOp::Acosh
            | UnaryOp::Atanh
            | UnaryOp::Sigmoid
            | UnaryOp::Silu
            | UnaryOp::GeluTanh
            | UnaryOp::GeluErf
            | UnaryOp::Softplus
            | UnaryOp::Erf
            | UnaryOp::Erfinv => gone(op.name(), dtype),
        }
    }

    pub(super) fn binary(&self, op: BinaryOp, x: Value, y: Value) -> Expr {
        let (dtype, kind) = (self.dtype(x), self.kind(x));
        let (signed, divisor) = (dtype.is_signed(), self.constant_of(y));
        let [x, y] = [x, y].map(|v| self.get(v));
        if kind.is_float()
            && let Some(spelling) = self.dialect.arithmetic(op, kind)
        {
            return match spelling {
                Spelling::Infix(operator) => Expr::binary(&x, operator, &y),
                Spelling::Call(function) => Expr::call(function, &[&x, &y]),
            };
        }
        let called = |name: &str| Expr::call(name, &[&x, &y]);
        let of_dtype = |name: &str| {
            let sign = if signed { 'i' } else { 'u' };
            let bits = if kind == Kind::Wide { 64 } else { 32 };
            called(&format!("{name}_{sign}{bits}"))
        };
        match op {
            BinaryOp::Add => Expr::binary(&x, "+", &y),
            BinaryOp::Sub => Expr::binary(&x, "-", &y),
            BinaryOp::Mul => Expr::binary(&x, "*", &y),
            BinaryOp::Div if kind.is_float() => gone(op.name(), dtype),
            BinaryOp::Rem if kind.is_float() => gone(op.name(), dtype),
            // A constant that is neither 0 nor -1 needs no care.
            BinaryOp::Div if !signed && divisor.is_some_and(|n| n != 0) => {
                Expr::binary(&x, "/", &y)
            }
            BinaryOp::Rem if !signed && divisor.is_some_and(|n| n != 0) => {
                Expr::binary(&x, "%", &y)
            }
            BinaryOp::Div => of_dtype("div"),
            BinaryOp::Rem => of_dtype("rem"),
            BinaryOp::Min if !kind.is_float() && signed => called("min_signed"),
            BinaryOp::Max if !kind.is_float() && signed => called("max_signed"),
            BinaryOp::Min => called("min_of"),
            BinaryOp::Max => called("max_of"),
            BinaryOp::MinNum => called("min_number"),
            BinaryOp::MaxNum => called("max_number"),
            BinaryOp::MulHigh if kind == Kind::Word => of_dtype("mul_high"),
            BinaryOp::MulHigh => gone(op.name(), dtype),
            BinaryOp::And if kind == Kind::Bool => Expr::binary(&x, "&&", &y),
            BinaryOp::And => Expr::binary(&x, "&", &y),
            BinaryOp::Or if kind == Kind::Bool => Expr::binary(&x, "||", &y),
            BinaryOp::Or => Expr::binary(&x, "|", &y),
            BinaryOp::Xor if kind == Kind::Bool => Expr::binary(&x, "!=", &y),
            BinaryOp::Xor => Expr::binary(&x, "^", &y),
            BinaryOp::Shl => Expr::binary(&x, "<<", &shift_count(kind, &y, divisor)),
            BinaryOp::Shr => {
                let count = shift_count(kind, &y, divisor);
                match signed {
                    true => Expr::name(format!(
                        "({})({} >> {count})",
                        kind.name(),
                        x.cast(kind.signed())
                    )),
                    false => Expr::binary(&x, ">>", &count),
                }
            }
            BinaryOp::Pow | BinaryOp::Atan2 => gone(op.name(), dtype),
        }
    }

    pub(super) fn compare(&self, op: CompareOp, x: Value, y: Value) -> Expr {
        let (dtype, kind) = (self.dtype(x), self.kind(x));
        let [mut x, mut y] = [x, y].map(|v| self.get(v));
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        if dtype.is_int() && dtype.is_signed() && !equality {
            [x, y] = [x, y].map(|x| x.cast(kind.signed()));
        }
        let operator = match op {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        };
        Expr::binary(&x, operator, &y)
    }

    /// The bits of `x` as another dtype; a NaN becomes the one first.
    pub(super) fn bitcast(&self, v: Value, x: Value) -> Expr {
        let (from, to) = (self.dtype(x), self.dtype(v));
        let bits = stored_bits(from, self.get(x), self.seen.casts_as_is(v));
        if from == to && !from.is_float() {
            return bits;
        }
        match to {
            DType::I8 => Expr::name(format!("(u32)(i32)(i8){bits}")),
            DType::I16 => Expr::name(format!("(u32)(i32)(i16){bits}")),
            DType::U8 => Expr::binary(&bits, "&", &literal(Kind::Word, 0xff)),
            DType::U16 | DType::F16 | DType::BF16 => {
                Expr::binary(&bits, "&", &literal(Kind::Word, 0xffff))
            }
            DType::F32 => Expr::call("f32_of", &[&bits]),
            DType::F64 => Expr::call("f64_of", &[&bits]),
            DType::Bool => Expr::binary(&bits, "!=", &literal(Kind::Word, 0)),
            DType::I4
            | DType::U4
            | DType::I32
            | DType::U32
            | DType::I64
            | DType::U64
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0 => bits,
        }
    }

    /// Conversion by value. 16-bit floats meet only f32, and floats only integers of 32 or 64 bits (`legalize`).
    pub(super) fn cast(&self, x: Value, to: DType) -> Expr {
        let is_number = self.seen.is_number(x);
        let (from, x) = (self.dtype(x), self.get(x));
        let sign = |dtype: DType| if dtype.is_signed() { 'i' } else { 'u' };
        match (Kind::of(from), Kind::of(to)) {
            _ if from == to => x,
            (Kind::Bool, kind) => {
                let [one, zero] = [one_bits(to), 0].map(|bits| literal(kind, bits));
                Expr::infix(format!("{x} ? {one} : {zero}"))
            }
            (_, Kind::Bool) => is_not_zero(from, &x),
            (Kind::F32, Kind::F64) => Expr::call("f64_of_f32", &[&x]),
            (Kind::F64, Kind::F32) => Expr::call("f32_of_f64", &[&x]),
            (Kind::F32, Kind::Word) if to == DType::F16 => Expr::call("f16_of_f32", &[&x]),
            (Kind::F32, Kind::Word) if to == DType::BF16 => {
                let function = if is_number { "bf16_of_number" } else { "bf16_of_f32" };
                Expr::call(function, &[&x])
            }
            (Kind::F32 | Kind::F64, Kind::Word) if to.is_float() => gone("cast", to),
            (Kind::F32 | Kind::F64, Kind::Word) => Expr::call(&format!("{}32_of", sign(to)), &[&x]),
            (Kind::F32 | Kind::F64, Kind::Wide) => Expr::call(&format!("{}64_of", sign(to)), &[&x]),
            (Kind::Word, Kind::F32) if from == DType::F16 => Expr::call("f32_of_f16", &[&x]),
            (Kind::Word, Kind::F32) if from == DType::BF16 => {
                Expr::call("f32_of", &[&Expr::infix(format!("{x} << 16u"))])
            }
            (Kind::Word | Kind::Wide, kind @ (Kind::F32 | Kind::F64)) => {
                let bits = if Kind::of(from) == Kind::Wide { 64 } else { 32 };
                Expr::call(&format!("{}_of_{}{bits}", kind.name(), sign(from)), &[&x])
            }
            (Kind::Wide, Kind::Word) => narrow(x.cast("u32"), from, to),
            (Kind::Word, Kind::Word) => narrow(x, from, to),
            (Kind::Word, Kind::Wide) if from.is_signed() => {
                Expr::name(format!("(u64)(i64)(i32){x}"))
            }
            (Kind::Word, Kind::Wide) => x.cast("u64"),
            (Kind::Wide, Kind::Wide) | (Kind::F32, Kind::F32) | (Kind::F64, Kind::F64) => x,
        }
    }
}

/// A shift count in range.
fn shift_count(kind: Kind, count: &Expr, constant: Option<u64>) -> Expr {
    let mask = if kind == Kind::Wide { 63 } else { 31 };
    match constant {
        Some(n) => literal(Kind::Word, n & mask),
        None => Expr::binary(count, "&", &literal(kind, mask)),
    }
}

/// The bits of a value as they are stored: NaN canonical, unless they may go `as_is`; small integers with ones above a
/// negative.
pub(super) fn stored_bits(dtype: DType, x: Expr, as_is: bool) -> Expr {
    match dtype {
        DType::F32 | DType::F64 if as_is => Expr::call("bits_of", &[&x]),
        DType::F16 | DType::BF16 if as_is => x,
        DType::Bool => Expr::infix(format!("{x} ? 1u : 0u")),
        DType::F32 | DType::F64 => Expr::call("canonical", &[&x]),
        DType::F16 => Expr::call("canonical_f16", &[&x]),
        DType::BF16 => Expr::call("canonical_bf16", &[&x]),
        DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0 => x,
    }
}

/// An integer of up to 32 bits from a word that holds one of `from`.
fn narrow(word: Expr, from: DType, to: DType) -> Expr {
    let holds = from.bits() < to.bits() && (to.is_signed() || !from.is_signed());
    match to.bits() {
        32 => word,
        _ if holds => word,
        bits if to.is_signed() => Expr::name(format!("(u32)(i32)(i{bits}){word}")),
        bits => Expr::binary(&word, "&", &literal(Kind::Word, (1 << bits) - 1)),
    }
}

/// The bits of 1.
const fn one_bits(dtype: DType) -> u64 {
    match dtype {
        DType::F16 => 0x3c00,
        DType::BF16 => 0x3f80,
        DType::F32 => 0x3f80_0000,
        DType::F64 => 0x3ff0 << 48,
        DType::Bool
        | DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0 => 1,
    }
}

fn is_not_zero(from: DType, x: &Expr) -> Expr {
    match from {
        DType::F16 | DType::BF16 => Expr::infix(format!("({x} & 0x7fffu) != 0u")),
        // On the bits: a comparison may take a subnormal for 0.
        DType::F32 => Expr::infix(format!("(bits_of({}) & 0x7fffffffu) != 0u", x.bare())),
        DType::F64 => Expr::infix(format!("bits_of({}) << 1 != 0u", x.bare())),
        DType::Bool
        | DType::I4
        | DType::U4
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64
        | DType::U64
        | DType::F4E2M1
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F8E8M0 => Expr::infix(format!("{x} != 0u")),
    }
}
