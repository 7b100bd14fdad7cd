//! One GPU kernel, written once in Rust, on every device, with the same bits.
//!
//! Open a device, put tensors on it, and call the library's operations, which are checked functions (`ops`):
//!
//! ```
//! use evenweave::{ops, prelude::*};
//!
//! let device = Device::open("cpu")?;
//! let gate = device.tensor(&[4], &[-1.0f32, 0.0, 1.0, 2.0])?;
//! let up = device.tensor(&[4], &[1.0f32, 1.0, 1.0, 0.5])?;
//! let y = ops::swiglu(&gate, &up).run()?;
//! assert_eq!(y.to_vec::<f32>()?[1], 0.0);
//! ops::swiglu(&gate, &up).into(&gate)?;
//! assert_eq!(gate.to_vec::<f32>()?, y.to_vec::<f32>()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! or by the names of the registry, all of which have cases and references: `Device::call`;
//! or write your own kernels and launch them: `Device::launch`.
#![forbid(unsafe_code)]

mod call;
mod device;
mod error;
pub mod ops;
mod sparse24;
mod tensor;

pub use call::{Call, Outputs};
pub use device::{Captured, Device, Operand, Prepared, Workspace, devices, operation};
pub use error::{Error, Result};
pub use evenweave_kernels as kernels;
pub use evenweave_lang as lang;
pub use evenweave_runtime::{DeviceInfo, EMULATED, LoadOptions, OpenOptions};
pub use sparse24::{AnySparse24, Sparse24, Sparse24Element, Sparse24Error};
pub use tensor::{Host, Tensor};

/// All that a caller and an author of kernels need.
pub mod prelude {
    pub use crate::{Device, Host, Operand, Outputs, Sparse24, Tensor, devices};
    pub use evenweave_lang::prelude::*;
}

/// The examples of the first page.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
