//! What can go wrong between a caller and a result.

use evenweave_kernels::entry::PlanError;
use evenweave_lang::{StageError, dtype::DType};
use evenweave_runtime::DeviceError;

/// Why there is no result. `Display` gives one line; callers match.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The library has no operation of this name.
    #[error("there is no operation `{name}`{}", nearest(.near))]
    UnknownOperation {
        /// What was asked for.
        name: String,
        /// Names that look like it.
        near: Vec<&'static str>,
    },
    /// The operation does not take what it was given.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A kernel of the caller's own is not one.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// The device refused or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A tensor of another device.
    #[error("`{name}` lies on another device ({owner}) than the call ({device})")]
    Foreign {
        /// The argument.
        name: String,
        /// Where it lies.
        owner: String,
        /// Where the call is.
        device: String,
    },
    /// Host numbers of another type than the tensor's.
    #[error("the tensor holds {got}, not {want}")]
    HostType {
        /// What was asked for.
        want: DType,
        /// What is there.
        got: DType,
    },
    /// Numbers that do not fill a shape.
    #[error("the shape {shape:?} has {want_elems} elements, but {got_elems} were given")]
    Length {
        /// The shape.
        shape: Vec<u32>,
        /// Its elements.
        want_elems: u64,
        /// The elements given.
        got_elems: u64,
    },
    /// A view that the tensor does not have.
    #[error("{what}: a tensor of shape {shape:?} has no such view")]
    View {
        /// What was asked for.
        what: String,
        /// The tensor's shape.
        shape: Vec<u32>,
    },
    /// An output that the operation does not have, or not alone.
    #[error("{op} has no single output `{name}` (outputs: {known})")]
    Output {
        /// The operation.
        op: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A tensor that cannot hold an output.
    #[error("{op}: output `{output}` is {want}, but it was to go into {got}")]
    Destination {
        /// The operation.
        op: &'static str,
        /// The output.
        output: String,
        /// What it is.
        want: String,
        /// The tensor given for it.
        got: String,
    },
    /// An output over an input that is still read when it is written.
    #[error("{op}: output `{output}` may not have the memory of input `{input}` ({})", may_be_over(.over))]
    Over {
        /// The operation.
        op: &'static str,
        /// The output.
        output: String,
        /// The input.
        input: String,
        /// The inputs over which it may be written where shapes and dtypes are one.
        over: Vec<&'static str>,
    },
    /// Two outputs in one memory.
    #[error("{op}: the outputs `{output}` and `{other}` may not have one memory")]
    Twice {
        /// The operation.
        op: &'static str,
        /// The one.
        output: String,
        /// The other.
        other: String,
    },
    /// Something that has to wait for the device, while what is asked of it is only written down.
    #[error("{what} while calls of {device} are captured: nothing has run yet")]
    Capturing {
        /// What was asked for.
        what: &'static str,
        /// The device.
        device: String,
    },
    /// An argument that does not fit the others.
    #[error("{op}: `{argument}` must be {want}, but it is {got}")]
    Argument {
        /// The operation.
        op: &'static str,
        /// The argument.
        argument: &'static str,
        /// What it must be.
        want: String,
        /// What it is.
        got: String,
    },
    /// A launch with too many or too few arguments.
    #[error("{kernel} takes {want} arguments, but {got} were given")]
    Arguments {
        /// The kernel.
        kernel: String,
        /// Its parameters.
        want: usize,
        /// The arguments.
        got: usize,
    },
}

fn nearest(near: &[&str]) -> String {
    if near.is_empty() { String::new() } else { format!(" (near it: {})", near.join(", ")) }
}

fn may_be_over(inputs: &[&str]) -> String {
    if inputs.is_empty() {
        return "it needs memory of its own".into();
    }
    format!(
        "it may have that of a contiguous tensor of its own shape and dtype: {}",
        inputs.join(", ")
    )
}

/// A result of this library.
pub type Result<T> = std::result::Result<T, Error>;
