//! Expressions: text with its kind, and literals.

use evenweave_lang::dtype::DType;
use std::fmt;

/// The type that a value has in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Bool,
    /// Integers of up to 32 bits, extended by their sign, and 16-bit floats.
    Word,
    Wide,
    F32,
    F64,
}

impl Kind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Bool => "bool",
            Kind::Word => "u32",
            Kind::Wide => "u64",
            Kind::F32 => "f32",
            Kind::F64 => "f64",
        }
    }

    pub(super) const fn is_float(self) -> bool {
        matches!(self, Kind::F32 | Kind::F64)
    }

    /// The signed type of as many bits.
    pub(super) const fn signed(self) -> &'static str {
        match self {
            Kind::Wide | Kind::F64 => "i64",
            Kind::Bool | Kind::Word | Kind::F32 => "i32",
        }
    }

    /// The kind that a value of a dtype has.
    pub(super) const fn of(dtype: DType) -> Kind {
        match dtype {
            DType::Bool => Kind::Bool,
            DType::I4
            | DType::U4
            | DType::I8
            | DType::U8
            | DType::I16
            | DType::U16
            | DType::I32
            | DType::U32
            | DType::F16
            | DType::BF16
            | DType::F4E2M1
            | DType::F8E4M3
            | DType::F8E5M2
            | DType::F8E8M0 => Kind::Word,
            DType::I64 | DType::U64 => Kind::Wide,
            DType::F32 => Kind::F32,
            DType::F64 => Kind::F64,
        }
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expr {
    text: String,
    /// Whether it is an operator between operands, which stands in brackets inside another.
    infix: bool,
}

impl Expr {
    pub(super) fn name(text: impl Into<String>) -> Expr {
        Expr { text: text.into(), infix: false }
    }

    pub(super) fn infix(text: String) -> Expr {
        Expr { text, infix: true }
    }

    /// `function(arguments)`.
    pub(super) fn call(function: &str, arguments: &[&Expr]) -> Expr {
        let mut text = format!("{function}(");
        for (i, argument) in arguments.iter().enumerate() {
            text.push_str(if i > 0 { ", " } else { "" });
            text.push_str(&argument.text);
        }
        text.push(')');
        Expr::name(text)
    }

    /// `x operator y`.
    pub(super) fn binary(x: &Expr, operator: &str, y: &Expr) -> Expr {
        Expr::infix(format!("{x} {operator} {y}"))
    }

    /// The value as another type of C.
    pub(super) fn cast(&self, ty: &str) -> Expr {
        Expr::name(format!("({ty}){self}"))
    }

    /// The text where nothing stands beside it.
    pub(super) fn bare(&self) -> &str {
        &self.text
    }

    /// Whether it is short enough to stand inside another.
    pub(super) fn is_short(&self) -> bool {
        self.text.len() <= 120
    }
}

/// As an operand.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.infix { write!(f, "({})", self.text) } else { f.write_str(&self.text) }
    }
}

/// A number of a kind from its bits.
pub(super) fn literal(kind: Kind, bits: u64) -> Expr {
    match kind {
        Kind::Bool => Expr::name(if bits == 0 { "false" } else { "true" }),
        Kind::Word => Expr::name(match bits as u32 {
            n if n < 0x1_0000 => format!("{n}u"),
            n => format!("{n:#x}u"),
        }),
        Kind::Wide => Expr::name(match bits {
            n if n < 0x1_0000 => format!("{n}ull"),
            n => format!("{n:#x}ull"),
        }),
        // Shortest decimals read back as the same number.
        Kind::F32 => {
            let x = f32::from_bits(bits as u32);
            float(x.is_finite(), format!("{x:?}f"), || format!("f32_of({:#x}u)", bits as u32))
        }
        Kind::F64 => {
            let x = f64::from_bits(bits);
            float(x.is_finite(), format!("{x:?}"), || format!("f64_of({bits:#x}ull)"))
        }
    }
}

fn float(is_finite: bool, decimal: String, bits: impl FnOnce() -> String) -> Expr {
    match decimal.starts_with('-') {
        _ if !is_finite => Expr::name(bits()),
        true => Expr::name(format!("({decimal})")),
        false => Expr::name(decimal),
    }
}
