//! What an operation takes and gives, as data that is checked before the operation sees a request.
//!
//! Invariants
//! - A name stands for one thing; an input is like another that is there; a word has a choice.

use crate::entry::Setting;
use evenweave_lang::dtype::DType;

/// f32, f16 and bf16: the floats with elementary functions.
pub const REALS: &[DType] = &[DType::F32, DType::F16, DType::BF16];
/// The float value dtypes.
pub const FLOATS: &[DType] = &[DType::F32, DType::F16, DType::BF16, DType::F64];
/// The integers of 8 to 64 bits.
#[rustfmt::skip]
pub const INTS: &[DType] = &[
    DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32, DType::I64, DType::U64,
];
/// The floats and the integers.
#[rustfmt::skip]
pub const NUMERICS: &[DType] = &[
    DType::F32, DType::F16, DType::BF16, DType::F64,
    DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32, DType::I64, DType::U64,
];
/// Every value dtype: numbers and bool.
#[rustfmt::skip]
pub const SCALARS: &[DType] = &[
    DType::F32, DType::F16, DType::BF16, DType::F64, DType::Bool,
    DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32, DType::I64, DType::U64,
];
/// Dtypes of an index.
pub const INDICES: &[DType] = &[DType::U32, DType::I32];

/// Which dtypes an input takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// Any of these.
    OneOf(&'static [DType]),
    /// That of the named input.
    Like(&'static str),
}

/// An input of a signature.
#[derive(Clone, Copy, Debug)]
pub struct InputSpec {
    /// The name.
    pub name: &'static str,
    /// Its dtypes.
    pub takes: Takes,
    /// Whether a request may leave it out.
    pub optional: bool,
    /// Whether the operation reads strided views itself. Otherwise a view is packed before its first step.
    pub strided: bool,
    /// Shape and meaning, for people.
    pub doc: &'static str,
}

impl InputSpec {
    /// An input of one of several dtypes.
    pub const fn new(name: &'static str, dtypes: &'static [DType], doc: &'static str) -> InputSpec {
        InputSpec { name, takes: Takes::OneOf(dtypes), optional: false, strided: false, doc }
    }

    /// An input of the dtype of another.
    pub const fn like(name: &'static str, other: &'static str, doc: &'static str) -> InputSpec {
        InputSpec { name, takes: Takes::Like(other), optional: false, strided: false, doc }
    }

    /// It may be left out.
    pub const fn optional(mut self) -> InputSpec {
        self.optional = true;
        self
    }

    /// The operation reads strided views itself.
    pub const fn strided(mut self) -> InputSpec {
        self.strided = true;
        self
    }
}

/// An output of a signature.
#[derive(Clone, Copy, Debug)]
pub struct OutputSpec {
    /// The name.
    pub name: &'static str,
    /// Shape, dtype and meaning, for people.
    pub doc: &'static str,
    /// Inputs whose memory it may be written over: each of their elements is read for the last time before the output's
    /// element in its place is written.
    pub over: &'static [&'static str],
}

impl OutputSpec {
    /// An output with memory of its own.
    pub const fn new(name: &'static str, doc: &'static str) -> OutputSpec {
        OutputSpec { name, doc, over: &[] }
    }

    /// It may be written over one of these inputs, where that has its shape and dtype.
    pub const fn over(mut self, inputs: &'static [&'static str]) -> OutputSpec {
        self.over = inputs;
        self
    }
}

/// A number of a signature.
#[derive(Clone, Copy, Debug)]
pub struct SettingSpec {
    /// The name.
    pub name: &'static str,
    /// The value where a request gives none; `None` where it must.
    pub default: Option<Setting>,
    /// Whether it is an integer; a float otherwise.
    pub integer: bool,
    /// Meaning, for people.
    pub doc: &'static str,
}

impl SettingSpec {
    /// An integer with a default.
    pub const fn int(name: &'static str, default: i64, doc: &'static str) -> SettingSpec {
        SettingSpec { name, default: Some(Setting::Int(default)), integer: true, doc }
    }

    /// A float with a default.
    pub const fn float(name: &'static str, default: f64, doc: &'static str) -> SettingSpec {
        SettingSpec { name, default: Some(Setting::Float(default)), integer: false, doc }
    }

    /// An integer that a request must give.
    pub const fn required_int(name: &'static str, doc: &'static str) -> SettingSpec {
        SettingSpec { name, default: None, integer: true, doc }
    }

    /// A float that a request must give.
    pub const fn required_float(name: &'static str, doc: &'static str) -> SettingSpec {
        SettingSpec { name, default: None, integer: false, doc }
    }
}

/// A choice by name of a signature.
#[derive(Clone, Copy, Debug)]
pub struct WordSpec {
    /// The name.
    pub name: &'static str,
    /// What it may be; the first is the default.
    pub choices: &'static [&'static str],
    /// Meaning, for people.
    pub doc: &'static str,
}

impl WordSpec {
    /// A choice; the first is the default.
    pub const fn new(
        name: &'static str,
        choices: &'static [&'static str],
        doc: &'static str,
    ) -> WordSpec {
        WordSpec { name, choices, doc }
    }
}

/// What an operation takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Tensors in.
    pub inputs: &'static [InputSpec],
    /// Tensors out.
    pub outputs: &'static [OutputSpec],
    /// Numbers.
    pub settings: &'static [SettingSpec],
    /// Choices by name.
    pub words: &'static [WordSpec],
}
