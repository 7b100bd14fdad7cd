//! One GPU kernel, written once in Rust, on every device, with the same bits.
//!
//! Open a device, put tensors on it, call operations of the library by name:
//!
//! ```
//! use evenweave::prelude::*;
//!
//! let device = Device::open("cpu")?;
//! let gate = device.tensor(&[4], &[-1.0f32, 0.0, 1.0, 2.0])?;
//! let up = device.tensor(&[4], &[1.0f32, 1.0, 1.0, 0.5])?;
//! let y = device.call("swiglu").input("gate", &gate).input("up", &up).run_one()?;
//! assert_eq!(y.to_vec::<f32>()?[1], 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! or write your own kernels and launch them: `Device::launch`.
#![forbid(unsafe_code)]

mod call;
mod device;
mod error;
mod sparse24;
mod tensor;

pub use call::{Call, Outputs};
pub use device::{Device, Operand, Prepared, Workspace, devices, operation};
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
