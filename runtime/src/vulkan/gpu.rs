//! A logical device: what all parts of a Vulkan device share.
//!
//! Invariants
//! - After the device is lost, no call reaches the driver but those that free what nothing uses.
//! - Nothing waits without a bound.
//! - Memory, pipelines and the queue keep the logical device alive; it is destroyed after all of them.
//! - What is destroyed here is used by no pending work. If that cannot be known, it is left alone.

use super::{
    hardware::{Hardware, Offered},
    instance::{Instance, Watch, take_messages},
    memory::Staging,
    pipeline::Pipeline,
    queue::Queue,
    store,
};
use crate::{device::OpenOptions, error::DeviceError};
use ash::{ext, khr, vk};
use gpu_allocator::{
    AllocationSizes, AllocatorDebugSettings,
    vulkan::{Allocator, AllocatorCreateDesc},
};
use std::{
    collections::HashMap,
    mem::ManuallyDrop,
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// How a device is used, where every choice gives the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tuning {
    /// How long one wait may be.
    pub(super) patience: Duration,
    /// Whether the host may reach into device memory where it can; else all bytes are copied by the device.
    pub(super) mapped: bool,
}

impl Tuning {
    /// Drivers that compile at the first launch, on a busy machine, are slow, not hung.
    pub(super) const USUAL: Tuning = Tuning { patience: Duration::from_secs(120), mapped: true };
}

/// The row of an opened device that says how much the store gave.
pub(super) const KEPT: &str = "compiled pipelines bytes";

/// A logical device.
pub(super) struct Gpu {
    pub(super) raw: ash::Device,
    pub(super) hardware: Hardware,
    pub(super) watch: Watch,
    pub(super) queue: Mutex<Queue>,
    /// Signalled with the number of each batch that ended.
    pub(super) timeline: vk::Semaphore,
    allocator: Mutex<ManuallyDrop<Allocator>>,
    pub(super) staging: Mutex<Option<Staging>>,
    pub(super) timer: Mutex<()>,
    pub(super) stamps: vk::QueryPool,
    pub(super) pipelines: Mutex<HashMap<Vec<u32>, Vec<Weak<Pipeline>>>>,
    pub(super) compiled: vk::PipelineCache,
    store: Option<PathBuf>,
    lost: AtomicBool,
    pub(super) tuning: Tuning,
}

/// A lock whose holder may have panicked: all states of what is locked here are valid between statements.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gpu {
    pub(super) fn open(
        instance: &'static Instance,
        mut hardware: Hardware,
        watch: Watch,
        options: &OpenOptions,
        tuning: Tuning,
    ) -> Result<Gpu, DeviceError> {
        let fail = |call: &'static str| {
            let device = hardware.info.name.clone();
            move |code: vk::Result| DeviceError::Driver { device, call, code: code.as_raw() }
        };
        let raw = create(instance, &hardware).map_err(fail("vkCreateDevice"))?;
        // From here on the device is destroyed when something fails.
        let guard = Unfinished(&raw);
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: instance.raw.clone(),
            device: raw.clone(),
            physical_device: hardware.raw,
            debug_settings: AllocatorDebugSettings::default(),
            buffer_device_address: hardware.offered.addresses,
            allocation_sizes: AllocationSizes::default(),
        })
        .map_err(|_| fail("vkGetPhysicalDeviceMemoryProperties")(vk::Result::ERROR_UNKNOWN))?;
        let mut kind = vk::SemaphoreTypeCreateInfo::default()
            .semaphore_type(vk::SemaphoreType::TIMELINE)
            .initial_value(0);
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: the device is alive, and the structures outlive the call.
        let timeline = unsafe { raw.create_semaphore(&info, None) };
        let timeline = timeline.map_err(fail("vkCreateSemaphore"))?;
        let stamps = match hardware.timestamp_bits {
            0 => vk::QueryPool::null(),
            _ => {
                let info = vk::QueryPoolCreateInfo::default()
                    .query_type(vk::QueryType::TIMESTAMP)
                    .query_count(2);
                // SAFETY: the device is alive, and the structure outlives the call.
                unsafe { raw.create_query_pool(&info, None) }.map_err(fail("vkCreateQueryPool"))?
            }
        };
        let store = options.cache.as_deref().map(|folder| store::path(folder, &hardware));
        let data = store.as_deref().and_then(store::read);
        let compiled = compiled(&raw, data.as_deref()).map_err(fail("vkCreatePipelineCache"))?;
        let kept = data.as_ref().map_or(0, Vec::len);
        hardware.info.limits.push((KEPT, kept.to_string()));
        let queue = Queue::new(&raw, hardware.family).map_err(fail("vkCreateCommandPool"))?;
        std::mem::forget(guard);
        Ok(Gpu {
            raw,
            watch,
            queue: Mutex::new(queue),
            timeline,
            allocator: Mutex::new(ManuallyDrop::new(allocator)),
            staging: Mutex::default(),
            timer: Mutex::default(),
            stamps,
            pipelines: Mutex::default(),
            compiled,
            store,
            lost: AtomicBool::new(false),
            tuning,
            hardware,
        })
    }

    pub(super) fn name(&self) -> String {
        self.hardware.info.name.clone()
    }

    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// Refuses when the device is lost.
    pub(super) fn alive(&self) -> Result<(), DeviceError> {
        if self.is_lost() {
            Err(DeviceError::Lost { device: self.name(), why: None })
        } else {
            Ok(())
        }
    }

    /// The device is lost from now on.
    pub(super) fn lose(&self) {
        self.lost.store(true, Ordering::Release);
    }

    /// What a driver returned, as an error.
    pub(super) fn failed(&self, call: &'static str, code: vk::Result) -> DeviceError {
        if code == vk::Result::ERROR_DEVICE_LOST {
            self.lose();
            return DeviceError::Lost { device: self.name(), why: None };
        }
        DeviceError::Driver { device: self.name(), call, code: code.as_raw() }
    }

    pub(super) fn allocator(&self) -> MutexGuard<'_, ManuallyDrop<Allocator>> {
        lock(&self.allocator)
    }

    /// Waits until the batch of this number has ended. The queue need not be locked.
    pub(super) fn wait(&self, batch: u64) -> Result<(), DeviceError> {
        self.alive()?;
        let (semaphores, values) = ([self.timeline], [batch]);
        let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
        let nanos = self.tuning.patience.as_nanos().min(u64::MAX as u128) as u64;
        // SAFETY: the device and the semaphore are alive; the wait has a bound.
        match unsafe { self.raw.wait_semaphores(&info, nanos) } {
            Ok(()) => Ok(()),
            Err(vk::Result::TIMEOUT) => {
                self.lose();
                Err(DeviceError::Hung {
                    device: self.name(),
                    seconds: self.tuning.patience.as_secs(),
                })
            }
            Err(code) => Err(self.failed("vkWaitSemaphores", code)),
        }
    }

    /// The number of the last batch that has ended.
    pub(super) fn ended(&self) -> Result<u64, DeviceError> {
        // SAFETY: the device and the semaphore are alive.
        unsafe { self.raw.get_semaphore_counter_value(self.timeline) }
            .map_err(|code| self.failed("vkGetSemaphoreCounterValue", code))
    }

    /// Writes what the driver compiled to the store, if there is one.
    pub(super) fn keep_compiled(&self) {
        let Some(path) = &self.store else { return };
        if self.is_lost() {
            return;
        }
        // SAFETY: the device and the cache are alive.
        if let Ok(data) = unsafe { self.raw.get_pipeline_cache_data(self.compiled) } {
            // A folder that cannot be written makes the next start slow and nothing wrong.
            let _ = store::write(path, &data);
        }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        let queue = self.queue.get_mut().unwrap_or_else(PoisonError::into_inner);
        if self.lost.load(Ordering::Acquire) || !queue.is_idle() {
            // The driver may still use any of it: a launch that hangs cannot be taken back.
            return;
        }
        let parts = queue.dismantle(&self.raw);
        let staging = self.staging.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let allocator = self.allocator.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (buffer, allocation) in parts.into_iter().chain(staging.map(Staging::into_parts)) {
            // SAFETY: no work is pending, so nothing uses the buffer; its memory is freed after it.
            unsafe { self.raw.destroy_buffer(buffer, None) };
            // A block that the allocator does not know would be leaked, which harms nobody.
            let _ = allocator.free(allocation);
        }
        // SAFETY: this is the only place that drops it, once; every allocation was given back, since what holds one keeps
        // this structure alive.
        unsafe { ManuallyDrop::drop(allocator) };
        // SAFETY: nothing is pending and every other object of the device is gone.
        unsafe {
            self.raw.destroy_query_pool(self.stamps, None);
            self.raw.destroy_pipeline_cache(self.compiled, None);
            self.raw.destroy_semaphore(self.timeline, None);
            self.raw.destroy_device(None);
        }
        if self.watch == Watch::Yes {
            // Nobody is left to return an error to.
            for line in take_messages() {
                eprintln!("{}: closing is not valid: {line}", self.hardware.info.name);
            }
        }
    }
}

/// Destroys a device whose opening failed.
struct Unfinished<'a>(&'a ash::Device);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        // SAFETY: the device did no work yet. The few objects that were made on the way are not used again.
        unsafe { self.0.destroy_device(None) };
    }
}

fn create(instance: &Instance, hardware: &Hardware) -> Result<ash::Device, vk::Result> {
    let o = &hardware.offered;
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(hardware.family)
        .queue_priorities(&priorities)];
    let names = extensions(o);
    let features = vk::PhysicalDeviceFeatures::default()
        .robust_buffer_access(o.robust)
        .shader_int64(o.int64)
        .shader_float64(o.float64)
        .shader_int16(o.int16);
    let mut f11 =
        vk::PhysicalDeviceVulkan11Features::default().storage_buffer16_bit_access(o.storage16);
    let mut f12 = vk::PhysicalDeviceVulkan12Features::default()
        .timeline_semaphore(true)
        .shader_int8(o.int8)
        .storage_buffer8_bit_access(o.storage8)
        .shader_buffer_int64_atomics(o.buffer_atomics64)
        .shader_shared_int64_atomics(o.shared_atomics64)
        .buffer_device_address(o.addresses)
        .vulkan_memory_model(o.memory_model)
        .vulkan_memory_model_device_scope(o.memory_model_device)
        .shader_subgroup_extended_types(o.extended_types);
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlFeatures::default()
        .subgroup_size_control(o.size_control)
        .compute_full_subgroups(o.full_subgroups);
    let mut dot = vk::PhysicalDeviceShaderIntegerDotProductFeatures::default()
        .shader_integer_dot_product(true);
    let mut flow = vk::PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR::default()
        .shader_subgroup_uniform_control_flow(true);
    let mut info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&names)
        .enabled_features(&features)
        .push_next(&mut f11)
        .push_next(&mut f12);
    if o.size_control {
        info = info.push_next(&mut sizes);
    }
    if o.integer_dot {
        info = info.push_next(&mut dot);
    }
    if o.uniform_flow {
        info = info.push_next(&mut flow);
    }
    // SAFETY: the physical device is this instance's; every extension and feature was offered; all that `info` points to
    // outlives the call.
    unsafe { instance.raw.create_device(hardware.raw, &info, None) }
}

fn extensions(o: &Offered) -> Vec<*const std::ffi::c_char> {
    let rows = [
        (o.size_control_extension, ext::subgroup_size_control::NAME),
        (o.integer_dot_extension, khr::shader_integer_dot_product::NAME),
        (o.uniform_flow, khr::shader_subgroup_uniform_control_flow::NAME),
        (o.portability, khr::portability_subset::NAME),
    ];
    rows.iter().filter(|(wanted, _)| *wanted).map(|(_, name)| name.as_ptr()).collect()
}

fn compiled(raw: &ash::Device, data: Option<&[u8]>) -> Result<vk::PipelineCache, vk::Result> {
    let info = vk::PipelineCacheCreateInfo::default();
    if let Some(data) = data {
        // SAFETY: the device is alive; the bytes are whole, as a driver of this name and version gave them.
        let cache = unsafe { raw.create_pipeline_cache(&info.initial_data(data), None) };
        if cache.is_ok() {
            return cache;
        }
    }
    // SAFETY: the device is alive.
    unsafe { raw.create_pipeline_cache(&info, None) }
}
