//! The queue: what is asked for is recorded into batches, which run in order.
//!
//! Invariants
//! - Commands run in the order in which they were recorded, each after all before it: a barrier stands before every one.
//! - A batch keeps what its commands use until it has ended. Batches end in the order of their numbers.
//! - A batch that could not be submitted would leave a gap that others wait at: the device is lost then.
//! - All of it is behind one lock; nothing here waits but for a free batch.

use super::{gpu::Gpu, memory::Buffer, pipeline::Pipeline};
use crate::{device::parts, error::DeviceError};
use ash::vk;
use gpu_allocator::{MemoryLocation, vulkan::Allocation};
use std::{any::Any, collections::VecDeque, sync::Arc};

/// Commands of a batch.
const BATCH_COMMANDS: u32 = 64;
/// Storage buffers that the commands of a batch bind.
const BATCH_BINDINGS: u32 = 1024;
/// Bytes for the blocks of a batch: the numbers of its launches.
pub(super) const BLOCKS_BYTES: u64 = 64 << 10;
/// Batches that are under way at once.
const MOST_FLYING: usize = 8;

type Kept = Arc<dyn Any + Send + Sync>;

/// The queue, and the batches that go through it.
pub(super) struct Queue {
    raw: vk::Queue,
    pool: vk::CommandPool,
    recording: Option<Batch>,
    flying: VecDeque<Batch>,
    free: Vec<Batch>,
    /// The number of the next batch that begins.
    next: u64,
    /// All batches up to this one are known to have ended.
    pub(super) known_end: u64,
}

struct Batch {
    number: u64,
    commands: vk::CommandBuffer,
    sets: vk::DescriptorPool,
    blocks: (vk::Buffer, Allocation),
    blocks_used: u64,
    commands_used: u32,
    bindings_used: u32,
    kept: Vec<Kept>,
}

/// A launch, checked.
pub(super) struct Launch<'a> {
    pub(super) pipeline: &'a Arc<Pipeline>,
    /// What is bound, in the order of the bindings from 1 on.
    pub(super) bound: &'a [Arc<Buffer>],
    /// All that is used.
    pub(super) used: &'a [Arc<Buffer>],
    pub(super) block: &'a [u32],
    pub(super) grid: [u32; 3],
}

impl Queue {
    pub(super) fn new(device: &ash::Device, family: u32) -> Result<Queue, vk::Result> {
        let info = vk::CommandPoolCreateInfo::default()
            .queue_family_index(family)
            .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
        // SAFETY: the device is alive and was made with one queue of this family.
        let (raw, pool) = unsafe {
            (device.get_device_queue(family, 0), device.create_command_pool(&info, None)?)
        };
        Ok(Queue {
            raw,
            pool,
            recording: None,
            flying: VecDeque::new(),
            free: Vec::new(),
            next: 1,
            known_end: 0,
        })
    }

    /// Room for one command, after all before it; the command buffer, and the number of its batch.
    pub(super) fn command(
        &mut self,
        gpu: &Gpu,
        kept: Kept,
    ) -> Result<(vk::CommandBuffer, u64), DeviceError> {
        let batch = self.room(gpu, 0, 0)?;
        batch.kept.push(kept);
        batch.commands_used += 1;
        barrier(gpu, batch.commands);
        Ok((batch.commands, batch.number))
    }

    /// Records a launch, in as many dispatches as its grid needs.
    pub(super) fn launch(&mut self, gpu: &Gpu, launch: &Launch) -> Result<(), DeviceError> {
        let mut set = (0, vk::DescriptorSet::null());
        for (first, groups) in parts(launch.grid, gpu.hardware.limits.max_compute_work_group_count)
        {
            let bytes = block_bytes(launch.block, gpu);
            let batch = self.room(gpu, launch.bound.len() as u32, bytes)?;
            if set.0 != batch.number {
                set = (batch.number, batch.bind(gpu, launch, bytes)?);
            }
            batch.commands_used += 1;
            let (raw, commands, layout) = (&gpu.raw, batch.commands, launch.pipeline.layout);
            let point = vk::PipelineBindPoint::COMPUTE;
            barrier(gpu, commands);
            // The fourth word is the zero that no driver knows.
            let words: Vec<u8> = first.iter().chain(&[0]).flat_map(|w| w.to_ne_bytes()).collect();
            // SAFETY: the command buffer is being recorded under the lock; the batch keeps the pipeline, its layout and the
            // buffers of the set; the groups are within the device's limits and none is 0.
            unsafe {
                raw.cmd_bind_pipeline(commands, point, launch.pipeline.raw);
                raw.cmd_bind_descriptor_sets(commands, point, layout, 0, &[set.1], &[]);
                raw.cmd_push_constants(commands, layout, vk::ShaderStageFlags::COMPUTE, 0, &words);
                raw.cmd_dispatch(commands, groups[0], groups[1], groups[2]);
            }
        }
        Ok(())
    }

    /// Submits what is recorded.
    pub(super) fn submit(&mut self, gpu: &Gpu) -> Result<(), DeviceError> {
        let Some(batch) = self.recording.take() else { return Ok(()) };
        let (commands, values, semaphores) = ([batch.commands], [batch.number], [gpu.timeline]);
        self.flying.push_back(batch);
        let mut timeline =
            vk::TimelineSemaphoreSubmitInfo::default().signal_semaphore_values(&values);
        let info = [vk::SubmitInfo::default()
            .command_buffers(&commands)
            .signal_semaphores(&semaphores)
            .push_next(&mut timeline)];
        let to_host = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE | vk::AccessFlags::TRANSFER_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ | vk::AccessFlags::HOST_WRITE)];
        // SAFETY: the command buffer is being recorded, and by no one else; the queue is locked; the structures outlive the
        // calls.
        let done = unsafe {
            gpu.raw.cmd_pipeline_barrier(
                commands[0],
                vk::PipelineStageFlags::COMPUTE_SHADER | vk::PipelineStageFlags::TRANSFER,
                vk::PipelineStageFlags::HOST,
                vk::DependencyFlags::empty(),
                &to_host,
                &[],
                &[],
            );
            gpu.raw
                .end_command_buffer(commands[0])
                .and_then(|()| gpu.raw.queue_submit(self.raw, &info, vk::Fence::null()))
        };
        done.map_err(|code| {
            gpu.lose();
            gpu.failed("vkQueueSubmit", code)
        })
    }

    /// Submits what is recorded if it belongs to the batch of this number.
    pub(super) fn submit_through(&mut self, gpu: &Gpu, number: u64) -> Result<(), DeviceError> {
        match &self.recording {
            Some(batch) if batch.number <= number => self.submit(gpu),
            Some(_) | None => Ok(()),
        }
    }

    /// Submits all, and the number of the last batch there was.
    pub(super) fn submit_all(&mut self, gpu: &Gpu) -> Result<u64, DeviceError> {
        self.submit(gpu)?;
        Ok(self.next - 1)
    }

    /// Lets go of what the batches that have ended kept.
    pub(super) fn retire(&mut self, gpu: &Gpu) -> Result<(), DeviceError> {
        self.known_end = self.known_end.max(gpu.ended()?);
        while self.flying.front().is_some_and(|b| b.number <= self.known_end) {
            let ended = self.flying.pop_front().map(|mut batch| {
                batch.kept.clear();
                batch
            });
            self.free.extend(ended);
        }
        Ok(())
    }

    /// Whether nothing is recorded or under way.
    pub(super) fn is_idle(&self) -> bool {
        self.recording.is_none() && self.flying.is_empty()
    }

    /// Destroys what the batches are made of; their buffers are the caller's to free. The queue is idle.
    pub(super) fn dismantle(&mut self, device: &ash::Device) -> Vec<(vk::Buffer, Allocation)> {
        // SAFETY: the queue is idle; command buffers go with their pool, sets with theirs.
        unsafe { device.destroy_command_pool(self.pool, None) };
        let take = |batch: Batch| {
            // SAFETY: the queue is idle, so nothing uses the sets of the pool.
            unsafe { device.destroy_descriptor_pool(batch.sets, None) };
            batch.blocks
        };
        self.free.drain(..).map(take).collect()
    }

    /// The batch that is recorded, with room for a command that binds so much.
    fn room(&mut self, gpu: &Gpu, bindings: u32, bytes: u64) -> Result<&mut Batch, DeviceError> {
        let full = self.recording.as_ref().is_some_and(|b| {
            b.commands_used >= BATCH_COMMANDS
                || b.bindings_used + bindings > BATCH_BINDINGS
                || b.blocks_used + bytes > BLOCKS_BYTES
        });
        if full {
            self.submit(gpu)?;
        }
        if self.recording.is_none() {
            let batch = self.begin(gpu)?;
            self.recording = Some(batch);
        }
        Ok(self.recording.as_mut().expect("begun above"))
    }

    fn begin(&mut self, gpu: &Gpu) -> Result<Batch, DeviceError> {
        self.retire(gpu)?;
        if self.flying.len() >= MOST_FLYING {
            let oldest = self.flying.front().map_or(0, |b| b.number);
            gpu.wait(oldest)?;
            self.retire(gpu)?;
        }
        let mut batch = match self.free.pop() {
            Some(batch) => batch,
            None => Batch::new(gpu, self.pool)?,
        };
        let flags = vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT;
        let info = vk::CommandBufferBeginInfo::default().flags(flags);
        // SAFETY: the batch is free: nothing uses its sets or its commands, which may be reset by beginning them.
        let begun = unsafe {
            gpu.raw
                .reset_descriptor_pool(batch.sets, vk::DescriptorPoolResetFlags::empty())
                .and_then(|()| gpu.raw.begin_command_buffer(batch.commands, &info))
        };
        if let Err(code) = begun {
            self.free.push(batch);
            return Err(gpu.failed("vkBeginCommandBuffer", code));
        }
        batch.number = self.next;
        self.next += 1;
        (batch.blocks_used, batch.commands_used, batch.bindings_used) = (0, 0, 0);
        Ok(batch)
    }
}

impl Batch {
    fn new(gpu: &Gpu, pool: vk::CommandPool) -> Result<Batch, DeviceError> {
        let usage = vk::BufferUsageFlags::UNIFORM_BUFFER | vk::BufferUsageFlags::STORAGE_BUFFER;
        let blocks = gpu
            .make_buffer(BLOCKS_BYTES, usage, MemoryLocation::CpuToGpu)
            .map_err(|why| why.of_host(gpu))?;
        let size = |ty, count| vk::DescriptorPoolSize { ty, descriptor_count: count };
        let sizes = [
            size(vk::DescriptorType::UNIFORM_BUFFER, BATCH_COMMANDS),
            size(vk::DescriptorType::STORAGE_BUFFER, BATCH_COMMANDS + BATCH_BINDINGS),
        ];
        let info =
            vk::DescriptorPoolCreateInfo::default().max_sets(BATCH_COMMANDS).pool_sizes(&sizes);
        // SAFETY: the device is alive, the structure outlives the call.
        let sets = match unsafe { gpu.raw.create_descriptor_pool(&info, None) } {
            Ok(sets) => sets,
            Err(code) => {
                gpu.free_buffer(blocks.0, blocks.1);
                return Err(gpu.failed("vkCreateDescriptorPool", code));
            }
        };
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool is the queue's, which is locked.
        let commands = match unsafe { gpu.raw.allocate_command_buffers(&info) } {
            Ok(commands) => commands[0],
            Err(code) => {
                // SAFETY: the pool was made above and is unused.
                unsafe { gpu.raw.destroy_descriptor_pool(sets, None) };
                gpu.free_buffer(blocks.0, blocks.1);
                return Err(gpu.failed("vkAllocateCommandBuffers", code));
            }
        };
        Ok(Batch {
            number: 0,
            commands,
            sets,
            blocks,
            blocks_used: 0,
            commands_used: 0,
            bindings_used: 0,
            kept: Vec::new(),
        })
    }

    /// A descriptor set for a launch, whose block and buffers are kept until the batch has ended.
    fn bind(
        &mut self,
        gpu: &Gpu,
        launch: &Launch,
        bytes: u64,
    ) -> Result<vk::DescriptorSet, DeviceError> {
        let layouts = [launch.pipeline.set_layout];
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(self.sets)
            .set_layouts(&layouts);
        // SAFETY: the pool is this batch's; there was room for the set.
        let set = unsafe { gpu.raw.allocate_descriptor_sets(&info) }
            .map_err(|code| gpu.failed("vkAllocateDescriptorSets", code))?[0];
        let at = self.blocks_used;
        let ptr = self.blocks.1.mapped_ptr().ok_or_else(|| DeviceError::Missing {
            device: gpu.name(),
            what: "memory that the host sees".into(),
        })?;
        let words = launch.block;
        // SAFETY: `room` saw that `bytes`, which are at least those of the words, fit behind `at`; nothing uses this part of
        // the batch's blocks yet; `at` is a multiple of 16, so aligned for words.
        unsafe {
            let to = ptr.as_ptr().cast::<u8>().add(at as usize).cast::<u32>();
            to.copy_from_nonoverlapping(words.as_ptr(), words.len());
        }
        self.blocks_used += bytes;
        self.bindings_used += launch.bound.len() as u32;
        let range = (words.len() as u64 * 4).max(16);
        let info = |buffer, offset, range| vk::DescriptorBufferInfo { buffer, offset, range };
        let block = [info(self.blocks.0, at, range)];
        let storage: Vec<_> =
            launch.bound.iter().map(|b| info(b.raw, 0, b.bound_bytes())).collect();
        let write = |binding| vk::WriteDescriptorSet::default().dst_set(set).dst_binding(binding);
        let mut writes =
            vec![write(0).descriptor_type(launch.pipeline.shape.block).buffer_info(&block)];
        for (i, one) in storage.iter().enumerate() {
            let one = std::slice::from_ref(one);
            let kind = vk::DescriptorType::STORAGE_BUFFER;
            writes.push(write(1 + i as u32).descriptor_type(kind).buffer_info(one));
        }
        // SAFETY: the set is new; the bindings are those of its layout; the ranges lie in their buffers.
        unsafe { gpu.raw.update_descriptor_sets(&writes, &[]) };
        self.kept.push(launch.pipeline.clone());
        for buffer in launch.used {
            buffer.used_by(self.number);
            self.kept.push(buffer.clone());
        }
        Ok(set)
    }
}

/// Bytes that a block takes of a batch's: what follows it begins where a block may.
pub(super) fn block_bytes(words: &[u32], gpu: &Gpu) -> u64 {
    let limits = &gpu.hardware.limits;
    let uniform = limits.min_uniform_buffer_offset_alignment;
    let align = uniform.max(limits.min_storage_buffer_offset_alignment).max(16);
    (words.len() as u64 * 4).max(16).next_multiple_of(align)
}

/// All that was recorded before has ended, and is seen by what follows.
fn barrier(gpu: &Gpu, commands: vk::CommandBuffer) {
    use vk::{AccessFlags as Access, PipelineStageFlags as Stage};
    let stages = Stage::COMPUTE_SHADER | Stage::TRANSFER;
    let barrier = [vk::MemoryBarrier::default()
        .src_access_mask(Access::SHADER_WRITE | Access::TRANSFER_WRITE)
        .dst_access_mask(
            Access::SHADER_READ
                | Access::SHADER_WRITE
                | Access::TRANSFER_READ
                | Access::TRANSFER_WRITE,
        )];
    // SAFETY: the command buffer is being recorded under the lock.
    unsafe {
        gpu.raw.cmd_pipeline_barrier(
            commands,
            stages,
            stages,
            vk::DependencyFlags::empty(),
            &barrier,
            &[],
            &[],
        );
    }
}
