//! What a library operation is, as data: signature, plan, reference, cases, bench.
//!
//! An operation takes named tensors and settings. From their dtypes and shapes alone, `plan` says which
//! outputs there are and which kernels to launch with which arguments; whoever has a device runs the plan.
//! The reference computes the same outputs in f64 with plain loops and shares nothing with the definition.
//!
//! Invariants
//! - `plan` is pure: the same request gives the same plan. It never sees data.
//! - A plan works for every size, 0 included, or fails with an error that names what does not fit.
//! - Everything a kernel writes is an output or a temporary of its plan; every output element is written.

use evenweave_lang::{dtype::DType, ir, launch::Layout};
use std::collections::BTreeMap;

/// dtype and memory of a tensor: a layout over a buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorDesc {
    /// Elements.
    pub dtype: DType,
    /// Shape, strides and offset in elements.
    pub layout: Layout,
}

impl TensorDesc {
    /// A row-major tensor without gaps.
    pub fn new(dtype: DType, shape: &[u32]) -> TensorDesc {
        TensorDesc { dtype, layout: Layout::contiguous(shape) }
    }

    /// Extent along each axis.
    pub fn shape(&self) -> &[u32] {
        &self.layout.shape
    }

    /// Logical elements.
    pub fn elems(&self) -> u64 {
        self.layout.elems().unwrap_or(u64::MAX)
    }

    /// Whether it is row-major, without gaps, from element 0.
    pub fn is_contiguous(&self) -> bool {
        self.elems() == 0 || self.layout == Layout::contiguous(&self.layout.shape)
    }
}

/// A number given by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

/// What a caller asks of an operation.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Input tensors by name.
    pub inputs: BTreeMap<String, TensorDesc>,
    /// Settings by name; a missing one takes the default that the signature names.
    pub settings: BTreeMap<String, Setting>,
    /// Words by name: a format, an activation.
    pub words: BTreeMap<String, String>,
}

/// Memory that a step names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TensorRef {
    /// An input of the request.
    Input(String),
    /// An output of the plan.
    Output(String),
    /// A temporary of the plan.
    Temp(usize),
}

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// The whole buffer of a tensor, for a buffer parameter.
    Buffer(TensorRef),
    /// A buffer seen through a layout, for a view parameter.
    View(TensorRef, Layout),
    /// A number: dtype and bits (zero-extended).
    Scalar(DType, u64),
}

/// One launch.
#[derive(Clone, Debug)]
pub struct Step {
    /// The kernel.
    pub kernel: ir::Kernel,
    /// Its arguments in order.
    pub args: Vec<Arg>,
}

/// What to do for a request.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Outputs in the order of the signature, contiguous.
    pub outputs: Vec<(String, TensorDesc)>,
    /// Scratch memory, contiguous, undefined at first.
    pub temps: Vec<TensorDesc>,
    /// Launches in order; each sees what those before wrote.
    pub steps: Vec<Step>,
}

/// Why a request has no plan. `Display` gives one line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the messages name")]
pub enum PlanError {
    #[error("{op}: input `{name}` is missing")]
    MissingInput { op: &'static str, name: String },
    #[error("{op}: there is no input `{name}` (inputs: {known})")]
    UnknownInput { op: &'static str, name: String, known: String },
    #[error("{op}: setting `{name}` is missing")]
    MissingSetting { op: &'static str, name: String },
    #[error("{op}: there is no setting `{name}` (settings: {known})")]
    UnknownSetting { op: &'static str, name: String, known: String },
    #[error("{op}: {what} must be {want}, but it is {got}")]
    Wrong { op: &'static str, what: String, want: String, got: String },
    #[error("{op}: {0}", op = .1)]
    Stage(evenweave_lang::StageError, &'static str),
}
