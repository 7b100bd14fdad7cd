//! A kernel as Vulkan runs it: its module, and the one for buffers that are too large for it.
//!
//! Invariants
//! - A module that the device's limits do not allow is refused when it is loaded, with the limit.
//! - The module that addresses buffers of any size is written when a launch first needs it.

use super::{
    gpu::Gpu,
    pipeline::{Pipeline, Shape, pipeline},
    queue::{BLOCKS_BYTES, block_bytes},
};
use crate::error::DeviceError;
use ash::vk;
use evenweave_codegen::{
    Facts, Field, Lanes,
    spirv::{self, Addressing, Module},
};
use evenweave_lang::ir::{Kernel, Param};
use std::sync::{Arc, OnceLock};

/// What `Program` holds.
pub(super) struct Loaded {
    pub(super) gpu: Arc<Gpu>,
    pub(super) bound: Runnable,
    addressed: OnceLock<Result<Runnable, DeviceError>>,
    legal: Kernel,
    facts: Facts,
}

/// A module and its pipeline.
#[derive(Clone)]
pub(super) struct Runnable {
    pub(super) module: Module,
    pub(super) pipeline: Arc<Pipeline>,
    /// The parameters that are bound, in the order of the bindings.
    pub(super) params: Vec<Param>,
}

impl Loaded {
    pub(super) fn new(gpu: &Arc<Gpu>, legal: Kernel, facts: Facts) -> Result<Loaded, DeviceError> {
        let module = spirv::write(&legal, &facts, usual(gpu));
        Loaded::of_modules(gpu, legal, facts, module, None)
    }

    /// Of modules that are written already.
    pub(super) fn of_modules(
        gpu: &Arc<Gpu>,
        legal: Kernel,
        facts: Facts,
        bound: Module,
        addressed: Option<Module>,
    ) -> Result<Loaded, DeviceError> {
        let bound = Runnable::new(gpu, bound, &facts)?;
        let cell = OnceLock::new();
        if let Some(module) = addressed {
            cell.get_or_init(|| Runnable::new(gpu, module, &facts));
        }
        Ok(Loaded { gpu: gpu.clone(), bound, addressed: cell, legal, facts })
    }

    /// The one that addresses buffers of any size.
    pub(super) fn addressed(&self) -> Result<&Runnable, DeviceError> {
        let make = || {
            let module = spirv::write(&self.legal, &self.facts, Addressing::Addresses);
            Runnable::new(&self.gpu, module, &self.facts)
        };
        self.addressed.get_or_init(make).as_ref().map_err(Clone::clone)
    }
}

/// How buffers are reached where none is large. A processor has nothing that checks what descriptors reach: its driver
/// compiles each lane of an access into branches of its own, which takes most of the time until a kernel runs.
fn usual(gpu: &Gpu) -> Addressing {
    let offered = &gpu.hardware.offered;
    match gpu.hardware.info.software && offered.addresses && offered.int64 {
        true => Addressing::Near,
        false => Addressing::Descriptors,
    }
}

impl Runnable {
    fn new(gpu: &Arc<Gpu>, module: Module, facts: &Facts) -> Result<Runnable, DeviceError> {
        let addressed = |p: Param| module.fields.contains(&Field::Address(p));
        let params: Vec<Param> =
            module.buffers.iter().map(|b| b.param).filter(|&p| !addressed(p)).collect();
        within_limits(gpu, &module, params.len() as u32)?;
        let width = match facts.lanes {
            Lanes::Fixed(lanes) if gpu.hardware.widths_vary && module.full_subgroups => Some(lanes),
            Lanes::Fixed(_) | Lanes::Unknown => None,
        };
        let full = module.full_subgroups && gpu.hardware.offered.full_subgroups;
        let shape = Shape { block: block(&module), bindings: params.len() as u32, full, width };
        let pipeline = pipeline(gpu, &module.words, shape)?;
        Ok(Runnable { module, pipeline, params })
    }
}

/// What holds the numbers of a launch.
fn block(module: &Module) -> vk::DescriptorType {
    match module.addressing.block_in_storage() {
        true => vk::DescriptorType::STORAGE_BUFFER,
        false => vk::DescriptorType::UNIFORM_BUFFER,
    }
}

fn within_limits(gpu: &Gpu, module: &Module, bindings: u32) -> Result<(), DeviceError> {
    let limits = &gpu.hardware.limits;
    let words: usize = module.fields.iter().map(|f| f.words()).sum();
    let block = block_bytes(&vec![0; words.next_multiple_of(4)], gpu);
    let block_limit = BLOCKS_BYTES.min(limits.max_uniform_buffer_range.into());
    let rows = [
        (
            "buffers of a kernel",
            u64::from(bindings),
            limits.max_per_stage_descriptor_storage_buffers.into(),
        ),
        ("bytes of numbers of a launch", block, block_limit),
        (
            "threads of a group",
            module.invocations.into(),
            limits.max_compute_work_group_invocations.into(),
        ),
    ];
    for (what, count, limit) in rows {
        if count > limit {
            return Err(DeviceError::Limit { device: gpu.name(), what, count, limit });
        }
    }
    Ok(())
}
