//! Machines: memory, programs and launches, the CPU device, and Vulkan's; and compilers for those that have their own.
//!
//! Invariants
//! - Every device is found while running: no features, no build scripts.
//! - A launch is checked against the kernel's declaration before anything runs.

pub mod cache;
pub mod compile;
mod cpu;
mod device;
mod error;
mod library;
pub mod probe;
mod rtc;
mod vulkan;

pub use device::{
    Device, DeviceInfo, Launch, LaunchArg, LoadOptions, Memory, OpenOptions, OwnedLaunch, Program,
    Recording, list, open,
};
pub use error::{Access, DeviceError, Fault, FaultCause, Place, Site};
pub use rtc::EMULATED;
