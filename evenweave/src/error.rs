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

/// A result of this library.
pub type Result<T> = std::result::Result<T, Error>;
