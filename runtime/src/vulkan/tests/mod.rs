//! A device from inside, on whatever driver `VK_DRIVER_FILES` names.
//!
//! Without that variable these tests say that they were skipped; with `EVENWEAVE_REQUIRE_VULKAN=1` that is a failure.
//! Every device is watched by the validation layer where there is one, and no call may make it speak.

mod driver;
mod launches;
mod names;

use super::{Vulkan, gpu::Tuning, open_tuned};
use crate::{Device, DeviceError, LaunchArg, LoadOptions, Memory, OpenOptions};
use evenweave_lang::{dtype::DType, ir::Kernel};

/// Whether tests that need a driver run.
fn wanted(test: &str) -> bool {
    if std::env::var_os("VK_DRIVER_FILES").is_some() {
        return true;
    }
    let required = std::env::var_os("EVENWEAVE_REQUIRE_VULKAN").is_some_and(|v| v == "1");
    assert!(!required, "{test}: VK_DRIVER_FILES names no driver, and one is required");
    eprintln!("{test}: skipped, VK_DRIVER_FILES names no driver");
    false
}

fn watched() -> OpenOptions {
    OpenOptions { validate: true, ..OpenOptions::default() }
}

/// The first device, watched if it can be.
fn device(test: &str) -> Option<Vulkan> {
    tuned(test, Tuning::USUAL)
}

fn tuned(test: &str, tuning: Tuning) -> Option<Vulkan> {
    if !wanted(test) {
        return None;
    }
    Some(match open_tuned("vulkan", &watched(), tuning) {
        Err(DeviceError::Missing { what, .. }) => {
            eprintln!("{test}: not watched, there is no {what}");
            open_tuned("vulkan", &OpenOptions::default(), tuning).unwrap()
        }
        opened => opened.unwrap(),
    })
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}

fn put(device: &dyn Device, words: &[u32]) -> Memory {
    let memory = device.alloc(DType::U32, words.len() as u64).unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    device.write(&memory, &bytes).unwrap();
    memory
}

fn run(device: &dyn Device, kernel: &Kernel, args: &[LaunchArg]) -> Result<(), DeviceError> {
    let program = device.load(kernel, &LoadOptions::default())?;
    device.launch(&program, args)
}

fn number(n: u32) -> LaunchArg<'static> {
    LaunchArg::Scalar(DType::U32, n.into())
}
