//! What to do for a request: outputs, temporaries, launches.
//!
//! Invariants
//! - Outputs and temporaries are contiguous, and undefined until a step writes them.
//! - A step sees what the steps before it wrote.
//! - A plan names memory, never holds it: whoever has a device runs it.
//! - An output has memory of its own, or that of an input with which `allows` pairs it.

use crate::entry::TensorDesc;
use evenweave_lang::{dtype::DType, ir, launch::Layout};
use half::{bf16, f16};

/// Memory that a step names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TensorRef {
    /// An input of the request.
    Input(String),
    /// An output of the plan.
    Output(String),
    /// A temporary of the plan.
    Temp(usize),
}

impl TensorRef {
    /// The whole buffer, for a buffer parameter.
    pub fn buffer(&self) -> Arg {
        Arg::Buffer(self.clone())
    }

    /// The bytes of the whole buffer, for a buffer parameter of u8.
    pub fn bytes(&self) -> Arg {
        Arg::Bytes(self.clone())
    }

    /// The whole words of the buffer, for a buffer parameter of u32.
    pub fn words(&self) -> Arg {
        Arg::Words(self.clone())
    }

    /// The buffer seen through a layout, for a view parameter.
    pub fn view(&self, layout: Layout) -> Arg {
        Arg::View(self.clone(), layout)
    }

    /// The buffer seen as row-major with this shape, for a view parameter.
    pub fn view_as(&self, shape: &[u32]) -> Arg {
        self.view(Layout::contiguous(shape))
    }
}

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// The whole buffer of a tensor, for a buffer parameter.
    Buffer(TensorRef),
    /// The bytes of a tensor, for a buffer parameter of u8.
    Bytes(TensorRef),
    /// The whole words of a tensor, for a buffer parameter of u32.
    Words(TensorRef),
    /// A buffer seen through a layout, for a view parameter.
    View(TensorRef, Layout),
    /// A number: dtype and bits (zero-extended).
    Scalar(DType, u64),
}

impl Arg {
    /// The memory that the argument names, if any.
    pub fn tensor(&self) -> Option<&TensorRef> {
        match self {
            Arg::Buffer(t) | Arg::Bytes(t) | Arg::Words(t) | Arg::View(t, _) => Some(t),
            Arg::Scalar(..) => None,
        }
    }

    /// A float setting as a scalar of `dtype`, rounded once.
    pub fn float(dtype: DType, value: f64) -> Arg {
        Arg::Scalar(dtype, crate::number::encode(dtype, value))
    }
}

macro_rules! scalar_args {
    ($($ty:ty, $variant:ident, $x:ident => $bits:expr;)*) => { $(
        impl From<$ty> for Arg {
            fn from($x: $ty) -> Arg { Arg::Scalar(DType::$variant, $bits) }
        }
    )* };
}
scalar_args! {
    u8, U8, x => x.into();
    u16, U16, x => x.into();
    u32, U32, x => x.into();
    u64, U64, x => x;
    i8, I8, x => (x as u8).into();
    i16, I16, x => (x as u16).into();
    i32, I32, x => (x as u32).into();
    i64, I64, x => x as u64;
    f16, F16, x => x.to_bits().into();
    bf16, BF16, x => x.to_bits().into();
    f32, F32, x => x.to_bits().into();
    f64, F64, x => x.to_bits();
    bool, Bool, x => x.into();
}

/// One launch.
#[derive(Clone, Debug)]
pub struct Step {
    /// The kernel.
    pub kernel: ir::Kernel,
    /// Its arguments in order.
    pub args: Vec<Arg>,
    /// The input that it copies to an output and does nothing else: it is left out where both are one memory.
    pub copies: Option<&'static str>,
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
    /// Outputs and inputs that may be one memory, as the signature says and the shapes allow.
    pub over: Vec<(&'static str, &'static str)>,
}

impl Plan {
    /// A plan that does nothing yet.
    pub fn new() -> Plan {
        Plan::default()
    }

    /// Adds an output, contiguous, in the order of the signature.
    pub fn output(&mut self, name: &str, dtype: DType, shape: &[u32]) -> TensorRef {
        self.outputs.push((name.into(), TensorDesc::new(dtype, shape)));
        TensorRef::Output(name.into())
    }

    /// Adds a temporary, contiguous.
    pub fn temp(&mut self, dtype: DType, shape: &[u32]) -> TensorRef {
        self.temps.push(TensorDesc::new(dtype, shape));
        TensorRef::Temp(self.temps.len() - 1)
    }

    /// Adds a launch.
    pub fn step(&mut self, kernel: ir::Kernel, args: impl IntoIterator<Item = Arg>) {
        self.steps.push(Step { kernel, args: args.into_iter().collect(), copies: None });
    }

    /// Adds a launch that copies an input to an output whose memory may be the input's. Where it is, what no other launch
    /// writes keeps its bits, a NaN's payload too.
    pub fn copy(
        &mut self,
        input: &'static str,
        kernel: ir::Kernel,
        args: impl IntoIterator<Item = Arg>,
    ) {
        let args = args.into_iter().collect();
        self.steps.push(Step { kernel, args, copies: Some(input) });
    }

    /// Whether an output may have the memory of an input.
    pub fn allows(&self, output: &str, input: &str) -> bool {
        self.over.iter().any(|&(o, i)| o == output && i == input)
    }
}
