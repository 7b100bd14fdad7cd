//! The driver's state: one device, and what was made of it.
//!
//! Invariants
//! - Whatever is asked for with a handle that was not given out, or was given back, is refused.
//! - A launch is checked as HIP checks it: groups, threads, shared memory, arguments.

use crate::{
    code::{Code, Done},
    handles::{Table, lock},
    stream::{Event, Host, Loaded, Stream, Work},
};
use evenweave_gfx12::{
    Kernel, Launch, LoadError, Module,
    dispatch::{MOST_SHARED_BYTES, MOST_THREADS},
};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicBool, AtomicU16, Ordering},
    },
};

/// A kernel of a module.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) module: Arc<Loaded>,
    pub(crate) kernel: usize,
}

/// A recorded sequence.
#[derive(Debug)]
pub(crate) struct Graph(pub(crate) Vec<Work>);

/// All of it.
#[derive(Debug)]
pub(crate) struct Driver {
    pub(crate) streams: Table<Stream>,
    pub(crate) events: Table<Event>,
    pub(crate) modules: Table<Loaded>,
    pub(crate) functions: Table<Function>,
    /// Functions by the module that they are of.
    of_module: Mutex<Vec<(usize, usize)>>,
    pub(crate) graphs: Table<Graph>,
    pub(crate) execs: Table<Graph>,
    /// The device's memory that was not given back, by its first address, and the stream that has it.
    owners: Mutex<BTreeMap<u64, Weak<Stream>>>,
    /// Pinned memory: first address, bytes.
    pinned: Mutex<BTreeMap<usize, Vec<u64>>>,
    /// The stream of handle 0.
    usual: Arc<Stream>,
    next_stream: AtomicU16,
}

/// The driver, from the first call on.
pub(crate) fn driver() -> &'static Driver {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    DRIVER.get_or_init(|| Driver {
        streams: Table::new(1),
        events: Table::new(2),
        modules: Table::new(3),
        functions: Table::new(4),
        of_module: Mutex::default(),
        graphs: Table::new(5),
        execs: Table::new(6),
        owners: Mutex::default(),
        pinned: Mutex::default(),
        usual: Arc::new(Stream::new(0)),
        next_stream: AtomicU16::new(1),
    })
}

impl Driver {
    pub(crate) fn make_stream(&self) -> usize {
        let number = self.next_stream.fetch_add(1, Ordering::Relaxed);
        self.streams.put(Arc::new(Stream::new(number)))
    }

    /// The stream of a handle; 0 is the usual one.
    pub(crate) fn stream(&self, handle: usize) -> Done<Arc<Stream>> {
        if handle == 0 { Ok(self.usual.clone()) } else { self.streams.get(handle) }
    }

    /// Does all that was asked for of any stream; one that failed says so to its own callers.
    pub(crate) fn finish_all(&self) {
        for stream in self.streams.each().iter().chain([&self.usual]) {
            let _ = stream.finish();
        }
    }

    /// Memory of a stream.
    pub(crate) fn alloc(&self, bytes: usize, stream: usize) -> Done<u64> {
        let stream = self.stream(stream)?;
        let address = stream.alloc(bytes)?;
        lock(&self.owners).insert(address, Arc::downgrade(&stream));
        Ok(address)
    }

    /// Gives memory back in a stream's order. Where the memory is another stream's, nothing orders that stream's work before it:
    /// what this one has to do is done, and the memory is gone.
    pub(crate) fn free(&self, address: u64, stream: usize) -> Done {
        let stream = self.stream(stream)?;
        if address == 0 {
            return Ok(());
        }
        let owner = lock(&self.owners).get(&address).and_then(Weak::upgrade);
        let owner = owner.ok_or(Code::InvalidValue)?;
        if Arc::ptr_eq(&owner, &stream) {
            stream.ask(Work::Free { address })?;
        } else {
            stream.finish()?;
            owner.free_now(address)?;
        }
        lock(&self.owners).remove(&address);
        Ok(())
    }

    pub(crate) fn pin(&self, bytes: usize) -> Done<*mut u8> {
        if bytes == 0 {
            return Ok(std::ptr::null_mut());
        }
        let words = bytes.div_ceil(8);
        let mut room: Vec<u64> = Vec::new();
        room.try_reserve_exact(words).map_err(|_| Code::OutOfMemory)?;
        room.resize(words, 0);
        let at = room.as_mut_ptr();
        lock(&self.pinned).insert(at as usize, room);
        Ok(at.cast())
    }

    /// Gives pinned memory back, after all that may use it.
    pub(crate) fn unpin(&self, at: usize) -> Done {
        if at == 0 {
            return Ok(());
        }
        if !lock(&self.pinned).contains_key(&at) {
            return Err(Code::InvalidValue);
        }
        self.finish_all();
        lock(&self.pinned).remove(&at);
        Ok(())
    }

    /// Whether these bytes of the host are pinned.
    pub(crate) fn is_pinned(&self, at: usize, bytes: usize) -> bool {
        let pinned = lock(&self.pinned);
        let before = pinned.range(..=at).next_back();
        before.is_some_and(|(first, room)| {
            at.checked_add(bytes).is_some_and(|end| end <= first + 8 * room.len())
        })
    }

    pub(crate) fn load(&self, image: &[u8]) -> Done<usize> {
        let module = Module::load(image).map_err(|error| match error {
            LoadError::Machine { .. } | LoadError::Flags { .. } => Code::NoBinaryForGpu,
            LoadError::Elf(_)
            | LoadError::Abi { .. }
            | LoadError::Unlinked { .. }
            | LoadError::Relocations { .. }
            | LoadError::Outside { .. }
            | LoadError::Texts { .. }
            | LoadError::Symbol { .. }
            | LoadError::Descriptor { .. }
            | LoadError::Entry { .. }
            | LoadError::Disagreement { .. }
            | LoadError::Metadata(_)
            | LoadError::Decode(_) => Code::InvalidImage,
        })?;
        let (module, unloaded) = (Arc::new(module), AtomicBool::new(false));
        Ok(self.modules.put(Arc::new(Loaded { module, unloaded })))
    }

    pub(crate) fn unload(&self, handle: usize) -> Done {
        self.modules.take(handle)?.unloaded.store(true, Ordering::Release);
        lock(&self.of_module).retain(|&(module, function)| {
            let other = module != handle;
            if !other {
                let _ = self.functions.take(function);
            }
            other
        });
        Ok(())
    }

    pub(crate) fn function(&self, handle: usize, name: &str) -> Done<usize> {
        let module = self.modules.get(handle)?;
        let kernel = module.module.kernel(name).ok_or(Code::NotFound)?;
        let function = self.functions.put(Arc::new(Function { module, kernel }));
        lock(&self.of_module).push((handle, function));
        Ok(function)
    }

    /// Asks for a launch; `kernarg` gives the arguments as they lie in memory.
    pub(crate) fn launch(
        &self,
        function: usize,
        groups: [u32; 3],
        threads: [u32; 3],
        shared_bytes: u32,
        stream: usize,
        kernarg: impl FnOnce(&Kernel) -> Done<Vec<u8>>,
    ) -> Done {
        let function = self.functions.get(function)?;
        let stream = self.stream(stream)?;
        let kernel = &function.module.module.kernels()[function.kernel];
        let count = threads.iter().try_fold(1u32, |n, &t| n.checked_mul(t));
        let count = count.filter(|&n| n > 0 && n <= MOST_THREADS);
        let along = |i: usize| u64::from(groups[i]) * u64::from(threads[i]);
        let is_grid =
            groups.iter().all(|&n| n > 0) && (0..3).all(|i| along(i) <= u64::from(u32::MAX));
        let Some(count) = count.filter(|_| is_grid) else {
            return Err(Code::InvalidConfiguration);
        };
        if count > kernel.max_group_threads {
            return Err(Code::LaunchFailure);
        }
        if shared_bytes.saturating_add(kernel.descriptor.shared_bytes) > MOST_SHARED_BYTES {
            return Err(Code::InvalidValue);
        }
        let kernarg = kernarg(kernel)?;
        let how = Launch { groups, threads, kernarg, dynamic_shared_bytes: shared_bytes };
        let (module, kernel) = (function.module.clone(), function.kernel);
        stream.ask(Work::Launch { module, kernel, how })
    }

    pub(crate) fn copy_in(&self, to: u64, from: Host, bytes: usize, stream: usize) -> Done {
        let stream = self.stream(stream)?;
        if bytes == 0 {
            return Ok(());
        }
        if self.is_pinned(from.0 as usize, bytes) {
            return stream.ask(Work::CopyIn { to, from, bytes });
        }
        // SAFETY: the caller of the copy says that so many bytes are there; they are read before it returns.
        let now = unsafe { std::slice::from_raw_parts(from.0, bytes) }.to_vec();
        stream.ask(Work::Put { to, bytes: now })
    }

    pub(crate) fn copy_out(&self, to: Host, from: u64, bytes: usize, stream: usize) -> Done {
        let stream = self.stream(stream)?;
        if bytes == 0 {
            return Ok(());
        }
        stream.ask(Work::CopyOut { to, from, bytes })?;
        // Memory that is not pinned is the caller's again when the call returns.
        if self.is_pinned(to.0 as usize, bytes) { Ok(()) } else { stream.finish() }
    }
}
