//! On what an operation is tested, what it must give, and how close.
//!
//! Invariants
//! - A bound is in units of the output's last place or relative to the sum of magnitudes, never absolute.
//! - NaN equals only NaN; a wrong infinity is never within a bound. Integers are always exact.
//! - A case that has nothing to compare fails, unless it says so with `empty`.

use crate::{
    entry::{Call, Request, Setting, TensorDesc},
    number,
    pattern::{Pattern, places},
};
use evenweave_lang::dtype::DType;
use std::{collections::BTreeMap, ops::Deref};

/// How close a float output must be to its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The bits of the reference rounded once; the sign of zero counts.
    Exact,
    /// So many units in the output's last place at the reference, which is not rounded: 0.5 is correct
    /// rounding. The sign of zero is free.
    Ulp(f64),
    /// As `Ulp`, and the sign must be right also where the result is zero.
    UlpSigned(f64),
    /// `ulps` as in `Ulp`, and beyond that `factor` roundings of `eps_of` of the sum of magnitudes that the
    /// reference gives.
    Sum {
        /// Units in the last place of the output.
        ulps: f64,
        /// In which dtype the sum is kept.
        eps_of: DType,
        /// How many roundings add up.
        factor: f64,
    },
}

impl Bound {
    /// The bound of a sum kept in f32 whose terms pass through at most `factor` roundings each, and which
    /// is then rounded to the output.
    pub const fn sum(factor: f64) -> Bound {
        Bound::Sum { ulps: 1.0, eps_of: DType::F32, factor }
    }
}

/// One test of an operation.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is special about it, in a word or two: `ragged`.
    pub name: String,
    /// The dtype that it stands for in reports.
    pub dtype: DType,
    /// What is asked.
    pub request: Request,
    /// What each input holds.
    pub inputs: BTreeMap<String, Pattern>,
    /// How close float outputs must be.
    pub bound: Bound,
    /// Outputs with a bound of their own.
    pub bounds: BTreeMap<String, Bound>,
    /// Why a device may differ here; a difference is then KNOWN_HARD.
    pub hard: Option<&'static str>,
    /// Whether every output has no elements.
    pub empty: bool,
    /// A smaller case whose outputs, over and over along each axis, are this one's: of a bench that is too large for the CPU
    /// device.
    pub part: Option<Box<Case>>,
}

impl Case {
    /// A case without inputs, with exact bounds. The name becomes a part of an id that a shell takes as one
    /// word: what is no letter, digit, dot or underscore becomes a hyphen.
    pub fn new(name: impl AsRef<str>, dtype: DType) -> Case {
        Case {
            name: word(name.as_ref()),
            dtype,
            request: Request::new(),
            inputs: BTreeMap::new(),
            bound: Bound::Exact,
            bounds: BTreeMap::new(),
            hard: None,
            empty: false,
            part: None,
        }
    }

    /// Adds a contiguous input of the case's dtype.
    pub fn input(self, name: &str, shape: &[u32], pattern: Pattern) -> Case {
        let desc = TensorDesc::new(self.dtype, shape);
        self.view(name, desc, pattern)
    }

    /// Adds a contiguous input of another dtype.
    pub fn input_as(self, name: &str, dtype: DType, shape: &[u32], pattern: Pattern) -> Case {
        self.view(name, TensorDesc::new(dtype, shape), pattern)
    }

    /// Adds an input with any layout.
    pub fn view(mut self, name: &str, desc: TensorDesc, pattern: Pattern) -> Case {
        self.request = self.request.input(name, desc);
        self.inputs.insert(name.into(), pattern);
        self
    }

    /// Gives a setting.
    pub fn set(mut self, name: &str, value: impl Into<Setting>) -> Case {
        self.request = self.request.set(name, value);
        self
    }

    /// Gives a word.
    pub fn word(mut self, name: &str, value: &str) -> Case {
        self.request = self.request.word(name, value);
        self
    }

    /// Sets the bound of every output.
    pub fn bound(mut self, bound: Bound) -> Case {
        self.bound = bound;
        self
    }

    /// Sets the bound of one output.
    pub fn bound_for(mut self, output: &str, bound: Bound) -> Case {
        self.bounds.insert(output.into(), bound);
        self
    }

    /// Says why a device may differ here.
    pub fn hard(mut self, reason: &'static str) -> Case {
        self.hard = Some(reason);
        self
    }

    /// Says that no output has an element.
    pub fn empty(mut self) -> Case {
        self.empty = true;
        self
    }

    /// Says which smaller case has outputs that, over and over along each axis, are this one's.
    pub fn repeats(mut self, part: Case) -> Case {
        self.part = Some(Box::new(part));
        self
    }

    /// The bound of an output.
    pub fn bound_of(&self, output: &str) -> Bound {
        self.bounds.get(output).copied().unwrap_or(self.bound)
    }
}

fn word(text: &str) -> String {
    let kept = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    let parts: Vec<&str> = text.split(|c| !kept(c)).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "none".into() } else { parts.join("-") }
}

/// What speed is measured on.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Request, inputs and bounds; its result is checked as a case's.
    pub case: Case,
    /// Bytes that must be read and written once each.
    pub bytes: u64,
    /// Floating-point operations; 0 where they are not the point.
    pub flops: u64,
    /// How large it is.
    pub scale: Scale,
}

/// What a bench is large enough for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// A processor with a few cores: megabytes.
    Host,
    /// A device of thousands of lanes, past its caches: hundreds of megabytes.
    Device,
}

/// The elements of a tensor in logical order, as values.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Of a float dtype.
    Float(Vec<f64>),
    /// Of an integer dtype or `bool`.
    Int(Vec<i128>),
}

impl Column {
    /// The elements of a tensor whose buffer these bytes are.
    pub fn read(desc: &TensorDesc, memory: &[u8]) -> Column {
        let bits = places(desc).map(|at| number::element(desc.dtype, memory, at));
        match desc.dtype.is_float() {
            true => Column::Float(bits.map(|b| number::decode(desc.dtype, b)).collect()),
            false => Column::Int(bits.map(|b| number::decode_int(desc.dtype, b)).collect()),
        }
    }

    /// How many.
    pub fn elems(&self) -> usize {
        match self {
            Column::Float(x) => x.len(),
            Column::Int(x) => x.len(),
        }
    }
}

/// What the reference sees: the call and the numbers of its inputs in logical order, whatever their layout.
///
/// It derefs to `Call`, so that settings, words, dtypes and shapes are asked for as in `plan`.
#[derive(Clone, Debug)]
pub struct Known<'a> {
    call: Call<'a>,
    columns: BTreeMap<String, Column>,
}

impl<'a> Known<'a> {
    /// The call with its inputs' numbers.
    pub fn new(call: Call<'a>, columns: BTreeMap<String, Column>) -> Known<'a> {
        Known { call, columns }
    }

    /// A float input.
    pub fn float(&self, name: &str) -> &[f64] {
        match self.columns.get(name) {
            Some(Column::Float(x)) => x,
            Some(Column::Int(_)) => panic!("{}: `{name}` holds integers", self.op),
            None => panic!("{}: `{name}` is not given", self.op),
        }
    }

    /// An integer or `bool` input.
    pub fn int(&self, name: &str) -> &[i128] {
        match self.columns.get(name) {
            Some(Column::Int(x)) => x,
            Some(Column::Float(_)) => panic!("{}: `{name}` holds floats", self.op),
            None => panic!("{}: `{name}` is not given", self.op),
        }
    }

    /// Any input: floats as they are, integers as floats. Exact below 2^53.
    pub fn values(&self, name: &str) -> Vec<f64> {
        match self.columns.get(name) {
            Some(Column::Float(x)) => x.clone(),
            Some(Column::Int(x)) => x.iter().map(|&i| i as f64).collect(),
            None => panic!("{}: `{name}` is not given", self.op),
        }
    }

    /// Extents of a given input.
    pub fn extents(&self, name: &str) -> Vec<usize> {
        self.dims(name).iter().map(|&e| e as usize).collect()
    }

    /// Extent of a given input along an axis.
    pub fn extent(&self, name: &str, axis: usize) -> usize {
        self.dims(name)[axis] as usize
    }
}

impl<'a> Deref for Known<'a> {
    type Target = Call<'a>;
    fn deref(&self) -> &Call<'a> {
        &self.call
    }
}

/// What an output must be.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The output.
    pub name: &'static str,
    /// Its elements in order, not rounded.
    pub values: Column,
    /// The sum of the terms' magnitudes of each element, for `Bound::Sum`.
    pub magnitude: Option<Vec<f64>>,
}

impl Expected {
    /// A float output.
    pub fn float(name: &'static str, values: Vec<f64>) -> Expected {
        Expected { name, values: Column::Float(values), magnitude: None }
    }

    /// A float output that is a sum, with the sums of magnitudes.
    pub fn sum(name: &'static str, values: Vec<f64>, magnitude: Vec<f64>) -> Expected {
        Expected { name, values: Column::Float(values), magnitude: Some(magnitude) }
    }

    /// An integer or `bool` output.
    pub fn int(name: &'static str, values: Vec<i128>) -> Expected {
        Expected { name, values: Column::Int(values), magnitude: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_word() {
        let name = |text| Case::new(text, DType::F32).name;
        assert_eq!(name("max [37, 100]"), "max-37-100");
        assert_eq!((name("[]"), name("axis_1.5")), ("none".into(), "axis_1.5".into()));
    }
}
