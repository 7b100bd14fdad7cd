//! Vulkan devices, found while running.
//!
//! A physical device is asked what it is (`hardware`) without being opened. Opening makes a logical device (`gpu`) with one
//! compute queue. What is asked for is recorded into batches (`queue`): a batch is submitted when it is full, or when the
//! host needs what it computes. Each batch has a number, which a timeline semaphore reaches when it has ended; a buffer
//! (`memory`) knows the number of the last batch that uses it, so the host waits for what it needs and for nothing else. A
//! kernel becomes a module and that a pipeline (`program`, `pipeline`); what the driver compiled is kept in a file (`store`).
//!
//! Invariants
//! - Vulkan 1.2 is enough; what is optional is asked for and has a plain path without it.
//! - No environment variable is read here, and no file but the one of the folder that is passed.
//! - All calls may come from several threads at once; work is done in the order in which it was asked for.
//! - An error of the driver is an error of the call, never a panic. A device that is lost stays lost, and harms no other.

mod gpu;
mod hardware;
mod instance;
mod memory;
mod pipeline;
mod program;
mod queue;
mod store;
#[cfg(test)]
mod tests;

use crate::{
    device::{
        Device, DeviceInfo, LaunchArg, LoadOptions, Memory, OpenOptions, Program, check, find,
    },
    error::DeviceError,
    probe::{self, Probed},
};
use ash::vk;
use evenweave_codegen::{
    Fact, FactSet, Facts, Optimise, Target, prepare,
    spirv::{Module, disassemble},
};
use evenweave_lang::{
    dtype::DType,
    ir::{self, Param},
    launch::ArgShape,
};
use gpu::{Gpu, Tuning, lock};
use hardware::Hardware;
use instance::{Absent, DRIVER, Watch, instance, take_messages};
use memory::{Buffer, NoMemory};
use program::{Loaded, Runnable};
use queue::Launch;
use std::{sync::Arc, time::Instant};

/// An opened device.
pub(crate) struct Vulkan {
    gpu: Arc<Gpu>,
    facts: Facts,
    owner: Arc<str>,
}

/// The devices that the loader finds, in its order; none where there is no loader.
pub(crate) fn list() -> Vec<DeviceInfo> {
    match instance(Watch::No) {
        Ok(instance) => hardware::all(instance).into_iter().map(|h| h.info).collect(),
        Err(Absent(_)) => Vec::new(),
    }
}

/// Opens the device that a name means: `vulkan`, `vulkan:INDEX`, `vulkan:TEXT`.
pub(crate) fn open(name: &str, options: &OpenOptions) -> Result<Vulkan, DeviceError> {
    open_tuned(name, options, Tuning::USUAL)
}

fn open_tuned(name: &str, options: &OpenOptions, tuning: Tuning) -> Result<Vulkan, DeviceError> {
    let watch = if options.validate { Watch::Yes } else { Watch::No };
    let instance = instance(watch)
        .map_err(|Absent(what)| DeviceError::Missing { device: name.into(), what })?;
    let hardware = choose(name, hardware::all(instance))?;
    let (owner, mut facts) = (Arc::from(&*hardware.info.name), hardware.facts);
    take_messages();
    let gpu = Gpu::open(instance, hardware, watch, options, tuning)?;
    facts.holds = FactSet::NONE;
    let mut device = Vulkan { gpu: Arc::new(gpu), facts, owner };
    device.watched("opening", || Ok(()))?;
    let mut probed = probe(&device, options)?;
    if let (false, Watch::No, false) =
        (probed.holds.has(Fact::Subnormals), watch, device.info().software)
        && let Some(better) = keep_subnormals(&mut device, options)
    {
        probed = better;
    }
    if let Some((fact, witness)) = probed.refusal() {
        let info = &device.gpu.hardware.info;
        let driver = format!("{}, {} {}", info.description, info.driver, info.driver_version);
        let (device, witness) = (device.gpu.name(), witness.clone());
        return Err(DeviceError::Refused { device, driver, fact: *fact, witness });
    }
    device.facts.holds = probed.holds;
    Ok(device)
}

/// Asks a driver that flushes subnormals to keep them. Some do when a module asks, though they do not report that they
/// can: so it is tried and measured. Not under validation, which objects to what is not reported; nor where the host's
/// processor runs the kernels, whose mode its driver sets once for all modules, and complains of each that asks.
fn keep_subnormals(device: &mut Vulkan, options: &OpenOptions) -> Option<Probed> {
    let controls = device.facts.controls;
    if controls.denorm32 {
        return None;
    }
    device.facts.controls.denorm32 = true;
    match probe(device, options) {
        Ok(probed) if probed.holds.has(Fact::Subnormals) => Some(probed),
        Ok(_) | Err(_) => {
            device.facts.controls = controls;
            None
        }
    }
}

/// What is measured of a device, or was before.
fn probe(device: &Vulkan, options: &OpenOptions) -> Result<Probed, DeviceError> {
    let place = options.cache.as_deref().zip(probe::Key::of(device.info(), &device.facts));
    if let Some(known) = place.as_ref().and_then(|(folder, key)| probe::recall(folder, key)) {
        return Ok(known);
    }
    let probed = probe::measure(device)?;
    if let Some((folder, key)) = place {
        probe::remember(folder, &key, &probed);
    }
    Ok(probed)
}

fn choose(name: &str, all: Vec<Hardware>) -> Result<Hardware, DeviceError> {
    if all.is_empty() {
        return Err(DeviceError::Missing { device: name.into(), what: DRIVER.into() });
    }
    let infos: Vec<DeviceInfo> = all.iter().map(|h| h.info.clone()).collect();
    let index = find(name, "Vulkan", &infos)?;
    Ok(all.into_iter().nth(index).expect("the index is one of them"))
}

impl Vulkan {
    /// Runs what one call asks for; what the validation layer says of it is its error.
    fn watched<R>(
        &self,
        call: &'static str,
        work: impl FnOnce() -> Result<R, DeviceError>,
    ) -> Result<R, DeviceError> {
        let result = work();
        if self.gpu.watch == Watch::No {
            return result;
        }
        let messages = take_messages();
        if messages.is_empty() {
            return result;
        }
        Err(DeviceError::Validation { device: self.gpu.name(), call, messages })
    }

    fn foreign(&self, what: &'static str, owner: &Arc<str>) -> DeviceError {
        let device = self.gpu.name();
        let owner = match **owner == *device {
            true => format!("another opening of {device}"),
            false => owner.to_string(),
        };
        DeviceError::Foreign { device, what, owner }
    }

    fn buffer(&self, memory: &Memory) -> Result<Arc<Buffer>, DeviceError> {
        match memory.inner.clone().downcast::<Buffer>() {
            Ok(buffer) if Arc::ptr_eq(&buffer.gpu, &self.gpu) => Ok(buffer),
            Ok(_) | Err(_) => Err(self.foreign("memory", &memory.owner)),
        }
    }

    fn loaded<'a>(&self, program: &'a Program) -> Result<&'a Loaded, DeviceError> {
        match program.inner.downcast_ref::<Loaded>() {
            Some(loaded) if Arc::ptr_eq(&loaded.gpu, &self.gpu) => Ok(loaded),
            Some(_) | None => Err(self.foreign("a program", &program.owner)),
        }
    }

    fn no_memory(&self, why: NoMemory, dtype: DType, elems: u64) -> DeviceError {
        match why {
            NoMemory::Out => DeviceError::OutOfMemory { device: self.gpu.name(), dtype, elems },
            NoMemory::Error(error) => error,
        }
    }

    /// Waits for all that was asked for.
    fn finish(&self) -> Result<(), DeviceError> {
        let gpu = &*self.gpu;
        gpu.alive()?;
        let last = lock(&gpu.queue).submit_all(gpu)?;
        gpu.wait(last)?;
        lock(&gpu.queue).retire(gpu)
    }

    /// The module that a launch on these buffers needs.
    fn runnable<'a>(
        &self,
        loaded: &'a Loaded,
        buffer: &dyn Fn(Param) -> Arc<Buffer>,
        program: &Program,
    ) -> Result<&'a Runnable, DeviceError> {
        let bound = &loaded.bound;
        let binding_bytes = u64::from(self.gpu.hardware.limits.max_storage_buffer_range);
        let most_bytes = |param: &Param| match bound.params.contains(param) {
            true => binding_bytes.min(Module::MAX_BOUND_BYTES),
            false => Module::MAX_BOUND_BYTES,
        };
        let mut used = bound.module.buffers.iter().map(|b| b.param);
        let large = used.find(|p| buffer(*p).bound_bytes() > most_bytes(p));
        let Some(param) = large else { return Ok(bound) };
        let limit_bytes = most_bytes(&param);
        if self.gpu.hardware.offered.addresses {
            return loaded.addressed();
        }
        let kernel = program.kernel();
        Err(DeviceError::TooLarge {
            device: self.gpu.name(),
            what: format!("`{}` of {}", kernel.params[param.index()].name, kernel.name),
            bytes: buffer(param).bound_bytes(),
            limit_bytes,
        })
    }

    fn record(&self, program: &Program, args: &[LaunchArg]) -> Result<(), DeviceError> {
        let loaded = self.loaded(program)?;
        let mut used = Vec::new();
        let mut by_param = Vec::new();
        for arg in args {
            let buffer = arg.memory().map(|memory| self.buffer(memory)).transpose()?;
            used.extend(buffer.clone());
            by_param.push(buffer);
        }
        let grid = check(&program.kernel, args)?;
        if grid.contains(&0) {
            return Ok(());
        }
        let buffer = |p: Param| -> Arc<Buffer> {
            let given = by_param[p.index()].as_ref();
            given.expect("the launch's check matched arguments and parameters").clone()
        };
        let run = self.runnable(loaded, &buffer, program)?;
        let shapes: Vec<ArgShape> = args.iter().map(LaunchArg::shape).collect();
        let block = run.module.block(grid, &shapes, &|p| buffer(p).address);
        let bound: Vec<Arc<Buffer>> = run.params.iter().map(|&p| buffer(p)).collect();
        let mut queue = lock(&self.gpu.queue);
        self.gpu.alive()?;
        let (pipeline, block) = (&run.pipeline, &block[..]);
        queue.launch(&self.gpu, &Launch { pipeline, bound: &bound, used: &used, block, grid })
    }

    /// Records a timestamp: all before it has ended.
    fn stamp(&self, index: u32) -> Result<(), DeviceError> {
        let gpu = &*self.gpu;
        let mut queue = lock(&gpu.queue);
        gpu.alive()?;
        let (commands, _) = queue.command(gpu, Arc::new(()))?;
        // SAFETY: the command buffer is being recorded under the lock; the pool has two queries, which belong to the holder
        // of the timer's lock; each is reset before it is written, and read after the batch has ended.
        unsafe {
            gpu.raw.cmd_reset_query_pool(commands, gpu.stamps, index, 1);
            let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
            gpu.raw.cmd_write_timestamp(commands, stage, gpu.stamps, index);
        }
        Ok(())
    }
}

impl Device for Vulkan {
    fn info(&self) -> &DeviceInfo {
        &self.gpu.hardware.info
    }

    fn facts(&self) -> Option<Facts> {
        Some(self.facts)
    }

    fn alloc(&self, dtype: DType, elems: u64) -> Result<Memory, DeviceError> {
        self.watched("alloc", || {
            self.gpu.alive()?;
            let fail = |why| self.no_memory(why, dtype, elems);
            let bytes = dtype.bytes_for(elems).ok_or_else(|| fail(NoMemory::Out))?;
            let buffer = match Buffer::new(&self.gpu, bytes) {
                Err(NoMemory::Out) => {
                    // What batches keep may be all that is in the way.
                    self.finish()?;
                    Buffer::new(&self.gpu, bytes)
                }
                made => made,
            };
            let inner = Arc::new(buffer.map_err(fail)?);
            Ok(Memory { dtype, elems, owner: self.owner.clone(), inner })
        })
    }

    fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), DeviceError> {
        self.watched("write", || {
            let buffer = self.buffer(memory)?;
            if bytes.len() as u64 != memory.bytes() {
                return Err(DeviceError::Size {
                    device: self.gpu.name(),
                    dtype: memory.dtype,
                    elems: memory.elems,
                    want_bytes: memory.bytes(),
                    got_bytes: bytes.len() as u64,
                });
            }
            buffer.write(bytes)
        })
    }

    fn read(&self, memory: &Memory) -> Result<Vec<u8>, DeviceError> {
        self.watched("read", || {
            let buffer = self.buffer(memory)?;
            buffer.read().map_err(|why| self.no_memory(why, memory.dtype, memory.elems))
        })
    }

    fn fill(&self, memory: &Memory, byte: u8) -> Result<(), DeviceError> {
        self.watched("fill", || self.buffer(memory)?.fill(byte))
    }

    fn load(&self, kernel: &ir::Kernel, options: &LoadOptions) -> Result<Program, DeviceError> {
        self.watched("load", || {
            self.gpu.alive()?;
            if options.sanitize {
                let what = "sanitizer (the CPU device has one)".into();
                return Err(DeviceError::Missing { device: self.gpu.name(), what });
            }
            let facts = options.facts.unwrap_or(self.facts);
            let how = if options.optimise { Optimise::Yes } else { Optimise::No };
            let legal = prepare(kernel, Target::Vulkan(facts), how)?;
            let inner = Loaded::new(&self.gpu, legal, facts)?;
            Ok(Program {
                kernel: Arc::new(kernel.clone()),
                owner: self.owner.clone(),
                inner: Arc::new(inner),
            })
        })
    }

    fn artifact(&self, program: &Program) -> Result<String, DeviceError> {
        Ok(disassemble(&self.loaded(program)?.bound.module))
    }

    fn launch(&self, program: &Program, args: &[LaunchArg]) -> Result<(), DeviceError> {
        self.watched("launch", || self.record(program, args))
    }

    fn time(&self, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<u64, DeviceError> {
        let gpu = &*self.gpu;
        let _timer = lock(&gpu.timer);
        self.watched("time", || self.finish())?;
        if gpu.stamps == vk::QueryPool::null() {
            let started = Instant::now();
            work()?;
            self.watched("time", || self.finish())?;
            return Ok(started.elapsed().as_nanos() as u64);
        }
        self.watched("time", || self.stamp(0))?;
        let result = work();
        self.watched("time", || self.stamp(1).and_then(|()| self.finish()))?;
        result?;
        let mut ticks = [0u64; 2];
        // SAFETY: the device is alive, and both queries were written by batches that have ended.
        unsafe {
            gpu.raw.get_query_pool_results(
                gpu.stamps,
                0,
                &mut ticks,
                vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT,
            )
        }
        .map_err(|code| gpu.failed("vkGetQueryPoolResults", code))?;
        let mask = u64::MAX >> (64 - gpu.hardware.timestamp_bits.clamp(1, 64));
        let taken = ticks[1].wrapping_sub(ticks[0]) & mask;
        Ok((taken as f64 * f64::from(gpu.hardware.limits.timestamp_period)) as u64)
    }
}

impl Drop for Vulkan {
    fn drop(&mut self) {
        // What was asked for is done; what fails here has nobody left to tell. A device that is lost is left alone.
        let _ = self.watched("closing", || self.finish());
        self.gpu.keep_compiled();
    }
}
