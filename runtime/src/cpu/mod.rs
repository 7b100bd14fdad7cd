//! The CPU device: memory in RAM, kernels by interpretation. Its results are the law.
//!
//! Invariants
//! - Results do not depend on the number of threads, nor on which vector instructions the machine has.
//! - The fast interpreter is given kernels of 32 lanes alone; those spread over narrower subgroups run in the plain one.
//! - An index out of bounds is an error of the launch; nothing wraps or is dropped.

mod cells;
mod fast;
mod grid;
mod memory;
mod print;
mod reference;
#[cfg(test)]
mod tests;

use crate::{
    device::{Device, DeviceInfo, LaunchArg, LoadOptions, Memory, Program, check},
    error::DeviceError,
};
use evenweave_codegen::{Facts, Optimise, Target, prepare};
use evenweave_lang::{dtype::DType, ir};
use memory::Buffer;
use std::sync::Arc;

/// The CPU device.
pub(crate) struct Cpu {
    info: DeviceInfo,
    owner: Arc<str>,
    level: fast::Level,
}

/// What `Program` holds.
struct Loaded {
    kernel: ir::Kernel,
    /// Absent under the sanitizer and for subgroups of other than 32 lanes: those run the kernel itself.
    fast: Option<fast::Program>,
    options: LoadOptions,
}

impl Cpu {
    pub(crate) fn new() -> Cpu {
        let threads = rayon::current_num_threads() as u32;
        let info = DeviceInfo {
            name: "cpu".into(),
            description: format!("interpreter on {threads} threads"),
            threads,
            native_lanes: ir::SUBGROUP_LANES,
            driver: "evenweave".into(),
            driver_version: env!("CARGO_PKG_VERSION").into(),
            api: "in process".into(),
            software: true,
            device_uuid: None,
            driver_uuid: None,
            limits: vec![
                ("threads", threads.to_string()),
                ("subgroup lanes", ir::SUBGROUP_LANES.to_string()),
                ("64-bit integers", "yes".into()),
                ("64-bit floats", "yes".into()),
                ("64-bit atomics", "yes".into()),
                ("host-visible memory", "yes".into()),
            ],
        };
        Cpu { info, owner: "cpu".into(), level: fast::Level::detect() }
    }

    fn buffer<'a>(&self, memory: &'a Memory) -> Result<&'a Buffer, DeviceError> {
        memory.inner.downcast_ref::<Buffer>().ok_or_else(|| DeviceError::Foreign {
            device: self.info.name.clone(),
            what: "memory",
            owner: memory.owner.to_string(),
        })
    }

    fn loaded<'a>(&self, program: &'a Program) -> Result<&'a Loaded, DeviceError> {
        program.inner.downcast_ref::<Loaded>().ok_or_else(|| DeviceError::Foreign {
            device: self.info.name.clone(),
            what: "a program",
            owner: program.owner.to_string(),
        })
    }

    fn no_memory(&self, dtype: DType, elems: u64) -> DeviceError {
        DeviceError::OutOfMemory { device: self.info.name.clone(), dtype, elems }
    }
}

impl Device for Cpu {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn facts(&self) -> Option<Facts> {
        None
    }

    fn alloc(&self, dtype: DType, elems: u64) -> Result<Memory, DeviceError> {
        let buffer = dtype.bytes_for(elems).and_then(|bytes| Buffer::new(bytes, elems));
        let buffer = buffer.ok_or_else(|| self.no_memory(dtype, elems))?;
        Ok(Memory { dtype, elems, owner: self.owner.clone(), inner: Arc::new(buffer) })
    }

    fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), DeviceError> {
        let buffer = self.buffer(memory)?;
        if bytes.len() as u64 != memory.bytes() {
            return Err(DeviceError::Size {
                device: self.info.name.clone(),
                dtype: memory.dtype,
                elems: memory.elems,
                want_bytes: memory.bytes(),
                got_bytes: bytes.len() as u64,
            });
        }
        buffer.write().bytes_mut().copy_from_slice(bytes);
        Ok(())
    }

    fn read(&self, memory: &Memory) -> Result<Vec<u8>, DeviceError> {
        let cells = self.buffer(memory)?.read();
        let bytes = cells.plain_u8();
        let mut copy = Vec::new();
        copy.try_reserve_exact(bytes.len())
            .map_err(|_| self.no_memory(memory.dtype, memory.elems))?;
        copy.extend_from_slice(bytes);
        Ok(copy)
    }

    fn fill(&self, memory: &Memory, byte: u8) -> Result<(), DeviceError> {
        self.buffer(memory)?.write().bytes_mut().fill(byte);
        Ok(())
    }

    fn load(&self, kernel: &ir::Kernel, options: &LoadOptions) -> Result<Program, DeviceError> {
        let optimise =
            if options.optimise && !options.sanitize { Optimise::Yes } else { Optimise::No };
        let legal = prepare(kernel, Target::Cpu, optimise)?;
        let is_plain = options.sanitize || legal.lanes != ir::SUBGROUP_LANES;
        let fast = (!is_plain).then(|| fast::compile(&legal));
        let inner = Loaded { kernel: legal, fast, options: *options };
        Ok(Program {
            kernel: Arc::new(kernel.clone()),
            owner: self.owner.clone(),
            inner: Arc::new(inner),
        })
    }

    fn artifact(&self, program: &Program) -> Result<String, DeviceError> {
        let loaded = self.loaded(program)?;
        // A program of the plain interpreter is the legal kernel itself.
        Ok(match &loaded.fast {
            Some(fast) => fast::listing(fast),
            None => evenweave_lang::text::print(&loaded.kernel),
        })
    }

    fn launch(&self, program: &Program, args: &[LaunchArg]) -> Result<(), DeviceError> {
        let loaded = self.loaded(program)?;
        for memory in args.iter().filter_map(LaunchArg::memory) {
            self.buffer(memory)?;
        }
        let grid = check(&program.kernel, args)?;
        if grid.contains(&0) {
            return Ok(());
        }
        let outcome = memory::with_bound(&loaded.kernel, args, |bound| match &loaded.fast {
            Some(fast) => fast::run(fast, &loaded.options, self.level, bound, grid),
            None => reference::run(&loaded.kernel, &loaded.options, bound, grid),
        });
        for line in &outcome.prints {
            eprintln!("{}: {line}", program.kernel.name);
        }
        if outcome.faults.is_empty() { Ok(()) } else { Err(DeviceError::Faults(outcome.faults)) }
    }
}
