//! Pipelines: modules made runnable.
//!
//! Invariants
//! - Equal words that are fed in the same way share one pipeline while any of them is in use.
//! - A module whose lanes move natively runs with full subgroups of the width that it was written for, or not at all.

use super::gpu::{Gpu, lock};
use crate::error::DeviceError;
use ash::vk;
use std::sync::{Arc, Weak};

/// A pipeline.
pub(super) struct Pipeline {
    gpu: Arc<Gpu>,
    pub(super) raw: vk::Pipeline,
    pub(super) layout: vk::PipelineLayout,
    pub(super) set_layout: vk::DescriptorSetLayout,
    pub(super) shape: Shape,
}

/// How it is fed and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// What binding 0 is, a uniform buffer or a storage buffer: the numbers of the launch.
    pub(super) block: vk::DescriptorType,
    /// Storage buffers at the bindings from 1 on.
    pub(super) bindings: u32,
    /// Whether subgroups must be full.
    pub(super) full: bool,
    /// The width to ask for, where the device has several.
    pub(super) width: Option<u32>,
}

/// The pipeline of these words.
pub(super) fn pipeline(
    gpu: &Arc<Gpu>,
    words: &[u32],
    shape: Shape,
) -> Result<Arc<Pipeline>, DeviceError> {
    gpu.alive()?;
    if let Some(known) = lock(&gpu.pipelines).get(words) {
        let mut known = known.iter().filter_map(Weak::upgrade);
        if let Some(pipeline) = known.find(|p| p.shape == shape) {
            return Ok(pipeline);
        }
    }
    // Drivers compile here for long: others go on meanwhile, and two that ask for the same may both make it.
    let made = Arc::new(Pipeline::new(gpu, words, shape)?);
    let mut pipelines = lock(&gpu.pipelines);
    if pipelines.len().is_power_of_two() {
        for list in pipelines.values_mut() {
            list.retain(|p| p.strong_count() > 0);
        }
        pipelines.retain(|_, list| !list.is_empty());
    }
    pipelines.entry(words.to_vec()).or_default().push(Arc::downgrade(&made));
    Ok(made)
}

impl Pipeline {
    fn new(gpu: &Arc<Gpu>, words: &[u32], shape: Shape) -> Result<Pipeline, DeviceError> {
        // What is made before a call that fails is destroyed with this.
        let mut made = Pipeline {
            gpu: gpu.clone(),
            raw: vk::Pipeline::null(),
            layout: vk::PipelineLayout::null(),
            set_layout: vk::DescriptorSetLayout::null(),
            shape,
        };
        let stage = vk::ShaderStageFlags::COMPUTE;
        let binding = |i, kind| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(i)
                .descriptor_type(kind)
                .descriptor_count(1)
                .stage_flags(stage)
        };
        let mut bindings = vec![binding(0, shape.block)];
        let storage = vk::DescriptorType::STORAGE_BUFFER;
        bindings.extend((0..shape.bindings).map(|i| binding(1 + i, storage)));
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: the device is alive and the structures outlive the call.
        made.set_layout = unsafe { gpu.raw.create_descriptor_set_layout(&info, None) }
            .map_err(|code| gpu.failed("vkCreateDescriptorSetLayout", code))?;
        let sets = [made.set_layout];
        let push = [vk::PushConstantRange { stage_flags: stage, offset: 0, size: 16 }];
        let info =
            vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&push);
        // SAFETY: the device and the layout are alive, and the structures outlive the call.
        made.layout = unsafe { gpu.raw.create_pipeline_layout(&info, None) }
            .map_err(|code| gpu.failed("vkCreatePipelineLayout", code))?;
        made.raw = compute(gpu, words, made.layout, shape)?;
        Ok(made)
    }
}

fn compute(
    gpu: &Gpu,
    words: &[u32],
    layout: vk::PipelineLayout,
    shape: Shape,
) -> Result<vk::Pipeline, DeviceError> {
    let info = vk::ShaderModuleCreateInfo::default().code(words);
    // SAFETY: the device is alive; the words are a module of the writer, which writes valid ones for these features.
    let module = unsafe { gpu.raw.create_shader_module(&info, None) }
        .map_err(|code| gpu.failed("vkCreateShaderModule", code))?;
    let mut width = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
    let mut flags = vk::PipelineShaderStageCreateFlags::empty();
    if shape.full {
        flags |= vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS;
    }
    let mut stage = vk::PipelineShaderStageCreateInfo::default()
        .flags(flags)
        .stage(vk::ShaderStageFlags::COMPUTE)
        .module(module)
        .name(c"main");
    if let Some(lanes) = shape.width {
        width = width.required_subgroup_size(lanes);
        stage = stage.push_next(&mut width);
    }
    let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
    // SAFETY: the module has an entry point `main` that the layout feeds; the cache synchronises itself.
    let made = unsafe { gpu.raw.create_compute_pipelines(gpu.compiled, &info, None) };
    // SAFETY: a pipeline does not need its module once it is made.
    unsafe { gpu.raw.destroy_shader_module(module, None) };
    match made {
        Ok(pipelines) => Ok(pipelines[0]),
        Err((_, code)) => Err(gpu.failed("vkCreateComputePipelines", code)),
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        // On a lost device a launch may still run it: it is left alone.
        if self.gpu.is_lost() {
            return;
        }
        // SAFETY: batches keep what they use, so none that is pending uses these; null ones are ignored.
        unsafe {
            self.gpu.raw.destroy_pipeline(self.raw, None);
            self.gpu.raw.destroy_pipeline_layout(self.layout, None);
            self.gpu.raw.destroy_descriptor_set_layout(self.set_layout, None);
        }
    }
}
