//! Device memory, and how bytes get into and out of it.
//!
//! Invariants
//! - A buffer is a whole number of 16-byte units and never empty; bytes past its elements are not elements.
//! - The host touches mapped memory of a buffer only while it holds the queue's lock and no pending batch uses the buffer, so
//!   host and device never touch it at once.
//! - Where the host cannot reach a buffer well, its bytes go through one staging buffer, in order with all other work.

use super::{
    gpu::{Gpu, lock},
    queue::Queue,
};
use crate::error::DeviceError;
use ash::vk;
use gpu_allocator::{
    AllocationError, MemoryLocation,
    vulkan::{Allocation, AllocationCreateDesc, AllocationScheme},
};
use std::{
    ptr::NonNull,
    sync::{
        Arc, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
};

/// Bytes that go through the staging buffer at once.
const STAGING_BYTES: u64 = 16 << 20;
/// Alignment of a buffer's size.
const UNIT_BYTES: u64 = 16;

/// What `Memory` holds.
pub(super) struct Buffer {
    pub(super) gpu: Arc<Gpu>,
    pub(super) raw: vk::Buffer,
    /// Taken when dropped.
    allocation: Option<Allocation>,
    /// Bytes of the elements.
    bytes: u64,
    /// Bytes of the buffer.
    size: u64,
    /// Where it starts, on devices whose buffers have addresses; else 0.
    pub(super) address: u64,
    /// The number of the last batch that uses it.
    last_use: AtomicU64,
}

/// Why there is no memory.
pub(super) enum NoMemory {
    Out,
    Error(DeviceError),
}

/// A buffer of the host through which bytes go.
pub(super) struct Staging {
    raw: vk::Buffer,
    allocation: Allocation,
}

impl Staging {
    pub(super) fn into_parts(self) -> (vk::Buffer, Allocation) {
        (self.raw, self.allocation)
    }
}

impl Gpu {
    /// A buffer with memory behind it.
    pub(super) fn make_buffer(
        &self,
        size: u64,
        usage: vk::BufferUsageFlags,
        location: MemoryLocation,
    ) -> Result<(vk::Buffer, Allocation), NoMemory> {
        let info = vk::BufferCreateInfo::default()
            .size(size)
            .usage(usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: the device is alive; the size is not 0.
        let raw = unsafe { self.raw.create_buffer(&info, None) }
            .map_err(|code| self.no_memory("vkCreateBuffer", code))?;
        // SAFETY: the buffer was made above.
        let requirements = unsafe { self.raw.get_buffer_memory_requirements(raw) };
        let allocation = self.allocator().allocate(&AllocationCreateDesc {
            name: "buffer",
            requirements,
            location,
            linear: true,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        });
        let allocation = match allocation {
            Ok(allocation) => allocation,
            Err(error) => {
                // SAFETY: nothing uses the buffer yet.
                unsafe { self.raw.destroy_buffer(raw, None) };
                return Err(match error {
                    AllocationError::OutOfMemory => NoMemory::Out,
                    _ => {
                        NoMemory::Error(self.failed("vkAllocateMemory", vk::Result::ERROR_UNKNOWN))
                    }
                });
            }
        };
        // SAFETY: both were just made; the allocator placed the memory as the buffer requires.
        let bound =
            unsafe { self.raw.bind_buffer_memory(raw, allocation.memory(), allocation.offset()) };
        if let Err(code) = bound {
            self.free_buffer(raw, allocation);
            return Err(self.no_memory("vkBindBufferMemory", code));
        }
        Ok((raw, allocation))
    }

    fn no_memory(&self, call: &'static str, code: vk::Result) -> NoMemory {
        match code {
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY | vk::Result::ERROR_OUT_OF_HOST_MEMORY => {
                NoMemory::Out
            }
            code => NoMemory::Error(self.failed(call, code)),
        }
    }

    /// Frees a buffer that no pending work uses.
    pub(super) fn free_buffer(&self, raw: vk::Buffer, allocation: Allocation) {
        // SAFETY: the caller's batches that used it have ended.
        unsafe { self.raw.destroy_buffer(raw, None) };
        // A block that the allocator does not know would be leaked, which harms nobody.
        let _ = self.allocator().free(allocation);
    }
}

impl Buffer {
    pub(super) fn new(gpu: &Arc<Gpu>, bytes: u64) -> Result<Buffer, NoMemory> {
        let size = bytes.max(1).checked_next_multiple_of(UNIT_BYTES).ok_or(NoMemory::Out)?;
        let limit_bytes = gpu.hardware.max_allocation_bytes;
        if size > limit_bytes {
            return Err(NoMemory::Error(DeviceError::TooLarge {
                device: gpu.name(),
                what: "memory".into(),
                bytes,
                limit_bytes,
            }));
        }
        use vk::BufferUsageFlags as Usage;
        let mut usage = Usage::STORAGE_BUFFER | Usage::TRANSFER_SRC | Usage::TRANSFER_DST;
        if gpu.hardware.offered.addresses {
            usage |= Usage::SHADER_DEVICE_ADDRESS;
        }
        let (raw, allocation) = gpu.make_buffer(size, usage, MemoryLocation::GpuOnly)?;
        let address = match gpu.hardware.offered.addresses {
            // SAFETY: the buffer is bound, and was made to have an address.
            true => unsafe {
                gpu.raw
                    .get_buffer_device_address(&vk::BufferDeviceAddressInfo::default().buffer(raw))
            },
            false => 0,
        };
        let (gpu, last_use) = (gpu.clone(), AtomicU64::new(0));
        Ok(Buffer { gpu, raw, allocation: Some(allocation), bytes, size, address, last_use })
    }

    /// Bytes that a binding of it covers: its elements in whole words.
    pub(super) fn bound_bytes(&self) -> u64 {
        self.bytes.max(1).next_multiple_of(4)
    }

    /// A batch with this number uses it. The queue is locked.
    pub(super) fn used_by(&self, batch: u64) {
        self.last_use.store(batch, Ordering::Relaxed);
    }

    /// Where the host sees it, if the host sees it well enough to write, or to read.
    fn mapped(&self, reads: bool) -> Option<NonNull<u8>> {
        use vk::MemoryPropertyFlags as Flags;
        let allocation = self.allocation.as_ref()?;
        let mut needs = Flags::HOST_VISIBLE | Flags::HOST_COHERENT;
        if reads {
            needs |= Flags::HOST_CACHED;
        }
        let is = allocation.memory_properties();
        let reaches = self.gpu.tuning.mapped && is.contains(needs);
        allocation.mapped_ptr().filter(|_| reaches).map(NonNull::cast)
    }

    /// The queue's lock, once no pending batch uses the buffer.
    fn quiet(&self) -> Result<MutexGuard<'_, Queue>, DeviceError> {
        let gpu = &*self.gpu;
        loop {
            let mut queue = lock(&gpu.queue);
            gpu.alive()?;
            let last = self.last_use.load(Ordering::Relaxed);
            if last <= queue.known_end || last <= gpu.ended()? {
                return Ok(queue);
            }
            queue.submit_through(gpu, last)?;
            drop(queue);
            gpu.wait(last)?;
        }
    }

    /// Writes all bytes.
    pub(super) fn write(self: &Arc<Buffer>, bytes: &[u8]) -> Result<(), DeviceError> {
        assert_eq!(bytes.len() as u64, self.bytes, "the device compared them");
        if let Some(to) = self.mapped(false) {
            let _queue = self.quiet()?;
            // SAFETY: the mapping has at least `self.bytes` bytes; no batch uses it and none can begin while the lock is
            // held, nor can another thread be here; a slice of the caller does not overlap the mapping.
            unsafe { to.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            return Ok(());
        }
        let mut staging = lock(&self.gpu.staging);
        for (i, part) in bytes.chunks(STAGING_BYTES as usize).enumerate() {
            let (raw, at) = self.staging(&mut staging)?;
            // SAFETY: the staging buffer has `STAGING_BYTES` bytes, is locked, and the copy that used it before has ended.
            unsafe { at.as_ptr().copy_from_nonoverlapping(part.as_ptr(), part.len()) };
            let copy = vk::BufferCopy::default()
                .dst_offset(i as u64 * STAGING_BYTES)
                .size(part.len() as u64);
            self.copy(raw, self.raw, copy)?;
        }
        Ok(())
    }

    /// Reads all bytes.
    pub(super) fn read(self: &Arc<Buffer>) -> Result<Vec<u8>, NoMemory> {
        let mut bytes = Vec::new();
        let wanted = usize::try_from(self.bytes).map_err(|_| NoMemory::Out)?;
        bytes.try_reserve_exact(wanted).map_err(|_| NoMemory::Out)?;
        if let Some(from) = self.mapped(true) {
            let _queue = self.quiet().map_err(NoMemory::Error)?;
            // SAFETY: the mapping has at least `wanted` bytes; no batch writes it and none can begin while the lock is
            // held. Every bit pattern is a byte.
            bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(from.as_ptr(), wanted) });
            return Ok(bytes);
        }
        let mut staging = lock(&self.gpu.staging);
        let mut done = 0;
        while done < self.bytes {
            let size = (self.bytes - done).min(STAGING_BYTES);
            let (raw, at) = self.staging(&mut staging).map_err(NoMemory::Error)?;
            let copy = vk::BufferCopy::default().src_offset(done).size(size);
            self.copy(self.raw, raw, copy).map_err(NoMemory::Error)?;
            // SAFETY: the staging buffer has at least `size` bytes, is locked, and the copy into it has ended.
            let part = unsafe { std::slice::from_raw_parts(at.as_ptr(), size as usize) };
            bytes.extend_from_slice(part);
            done += size;
        }
        Ok(bytes)
    }

    /// Writes a byte everywhere, after all that was asked for before.
    pub(super) fn fill(self: &Arc<Buffer>, byte: u8) -> Result<(), DeviceError> {
        let gpu = &*self.gpu;
        let mut queue = lock(&gpu.queue);
        gpu.alive()?;
        let (commands, batch) = queue.command(gpu, self.clone())?;
        self.used_by(batch);
        let word = u32::from_ne_bytes([byte; 4]);
        // SAFETY: the command buffer is being recorded under the lock; the buffer is kept by the batch; its size is a
        // multiple of 4.
        unsafe { gpu.raw.cmd_fill_buffer(commands, self.raw, 0, self.size, word) };
        Ok(())
    }

    /// Copies between the staging buffer and this one, and waits for it.
    fn copy(
        self: &Arc<Buffer>,
        from: vk::Buffer,
        to: vk::Buffer,
        part: vk::BufferCopy,
    ) -> Result<(), DeviceError> {
        let gpu = &*self.gpu;
        let batch = {
            let mut queue = lock(&gpu.queue);
            gpu.alive()?;
            let (commands, batch) = queue.command(gpu, self.clone())?;
            self.used_by(batch);
            // SAFETY: as in `fill`; the part lies in both buffers, which are different ones.
            unsafe { gpu.raw.cmd_copy_buffer(commands, from, to, &[part]) };
            queue.submit(gpu)?;
            batch
        };
        gpu.wait(batch)
    }

    /// The staging buffer, made when it is first needed.
    fn staging(
        &self,
        slot: &mut Option<Staging>,
    ) -> Result<(vk::Buffer, NonNull<u8>), DeviceError> {
        let gpu = &*self.gpu;
        if slot.is_none() {
            let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
            let made = gpu.make_buffer(STAGING_BYTES, usage, MemoryLocation::GpuToCpu);
            let (raw, allocation) = made.map_err(|why| why.of_host(gpu))?;
            *slot = Some(Staging { raw, allocation });
        }
        let staging = slot.as_ref().expect("made above");
        let at = staging.allocation.mapped_ptr().ok_or_else(|| DeviceError::Missing {
            device: gpu.name(),
            what: "memory that the host sees".into(),
        })?;
        Ok((staging.raw, at.cast()))
    }
}

impl NoMemory {
    /// The error for memory of the device's own bookkeeping.
    pub(super) fn of_host(self, gpu: &Gpu) -> DeviceError {
        match self {
            NoMemory::Out => gpu.failed("vkAllocateMemory", vk::Result::ERROR_OUT_OF_DEVICE_MEMORY),
            NoMemory::Error(error) => error,
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // On a lost device a launch may still be at work on it: it is left alone.
        if let Some(allocation) = self.allocation.take().filter(|_| !self.gpu.is_lost()) {
            // Batches keep what they use, so none that is pending uses it.
            self.gpu.free_buffer(self.raw, allocation);
        }
    }
}
