//! CUDA's and HIP's devices, whose compilers take a kernel's text: one device over two drivers of one shape.
//!
//! The driver is a library that is found while running (`driver`). A device is opened with one stream (`gpu`) that takes
//! launches and copies in order; memory comes from the stream's own pool. A kernel becomes text (`evenweave_codegen::c`),
//! the compiler makes machine code of it for exactly this architecture (`compile`), and the driver loads that.
//!
//! Invariants
//! - Code is compiled for the device's own architecture, never to a form that the driver would compile once more: its
//!   compiler may be older than ours.
//! - All calls may come from several threads at once. Nothing is locked while compiling.
//! - An error of a launch shows at the next call that waits, as on every device of this kind.

mod driver;
mod gpu;
#[cfg(test)]
mod tests;

use crate::{
    cache::{Cache, USUAL_BYTES},
    compile::{Compiler, ENTRY, Programs, unit},
    device::{
        Device, DeviceInfo, Launch, LaunchArg, LoadOptions, Memory, OpenOptions, Program,
        Recording, check, find, parts,
    },
    error::DeviceError,
    probe::{self, Probed},
};
use driver::{Code, Driver, Handle, Kind, done, driver};
use evenweave_codegen::{
    Fact, FactSet, Facts, Optimise, Target,
    c::{self, Dialect},
    prepare,
};
use evenweave_lang::{dtype::DType, ir, ir::Param, launch::ArgShape};
use gpu::{Gpu, PATIENCE, lock};
use std::{
    ffi::{CString, c_int, c_void},
    ptr,
    sync::Arc,
    time::{Duration, Instant},
};

/// What allocations are multiples of: every buffer is whole units of 16 bytes long.
const ALIGN_BYTES: u64 = 256;
/// Sequences of other threads do not hinder a recording.
const CAPTURE_RELAXED: c_int = 2;

/// An opened device of CUDA or HIP.
pub(crate) struct Rtc {
    gpu: Arc<Gpu>,
    info: DeviceInfo,
    facts: Facts,
    dialect: Dialect,
    programs: Programs,
    owner: Arc<str>,
}

/// Memory of a device.
struct Buffer {
    gpu: Arc<Gpu>,
    address: u64,
    bytes: u64,
}

/// What `Program` holds.
struct Loaded {
    gpu: Arc<Gpu>,
    module: Handle,
    function: Handle,
    source: c::Source,
}

/// What `Recording` holds: the driver's graph, and what it uses.
struct Recorded {
    gpu: Arc<Gpu>,
    graph: Option<Handle>,
    _kept: Vec<Arc<dyn std::any::Any + Send + Sync>>,
}

/// One call of the driver's for a launch.
struct Call<'a> {
    loaded: &'a Loaded,
    groups: [u32; 3],
    /// Where each argument lies.
    places: &'a mut [*mut c_void; MOST_FIELDS],
}

const KINDS: [Kind; 3] = [Kind::Cuda, Kind::Hip, Kind::Emulated];
/// The name of the device that is a gfx1201 in software.
pub const EMULATED: &str = "hip:emulated";

/// The devices that the drivers find, in their order; none where there is no driver.
pub(crate) fn list() -> Vec<DeviceInfo> {
    KINDS.into_iter().flat_map(|kind| of_kind(kind).unwrap_or_default()).collect()
}

/// Whether a name is of this kind of device.
pub(crate) fn is_name(name: &str) -> bool {
    kind_of(name).is_some()
}

fn kind_of(name: &str) -> Option<Kind> {
    if name == EMULATED {
        return Some(Kind::Emulated);
    }
    let word = name.split(':').next().unwrap_or(name);
    KINDS.into_iter().find(|kind| kind.word() == word)
}

fn of_kind(kind: Kind) -> Result<Vec<DeviceInfo>, DeviceError> {
    driver(kind, &[]).map(of_driver)
}

fn of_driver(driver: &Driver) -> Vec<DeviceInfo> {
    (0..driver.count()).filter_map(|i| describe(driver, i).ok()).collect()
}

/// What a device is, without opening it.
fn describe(driver: &Driver, index: c_int) -> Result<DeviceInfo, Code> {
    let (f, kind) = (&driver.f, driver.kind);
    let (mut device, mut total_bytes, mut uuid) = (0, 0, [0u8; 16]);
    let mut name = [0u8; 256];
    // SAFETY: places for what is asked for; the name's has as many bytes as is said.
    unsafe {
        done((f.device)(&mut device, index))?;
        done((f.device_name)(name.as_mut_ptr().cast(), 256, device))?;
        done((f.total_memory)(&mut total_bytes, device))?;
        done((f.device_uuid)(&mut uuid, device))?;
    }
    let arch = driver.architecture(device)?;
    let name = String::from_utf8_lossy(name.split(|&b| b == 0).next().unwrap_or(&[])).into_owned();
    let mut limits = vec![
        ("architecture", arch.clone()),
        ("memory", format!("{:.1} GiB", total_bytes as f64 / (1u64 << 30) as f64)),
    ];
    for (what, which) in [("multiprocessors", 16), ("bytes of L2 cache", 38)] {
        if let Ok(n) = driver.attribute(device, which) {
            limits.push((what, n.to_string()));
        }
    }
    let emulated = kind == Kind::Emulated;
    Ok(DeviceInfo {
        name: if emulated { EMULATED.into() } else { format!("{}:{index}", kind.word()) },
        description: if emulated { name } else { format!("{name} ({arch})") },
        threads: 0,
        native_lanes: lanes(kind, &arch),
        driver: if emulated { "an instruction-level emulator like HIP" } else { kind.interface() }
            .into(),
        driver_version: driver.version_text(),
        api: format!("{} {}", kind.interface(), driver.version_text()),
        software: emulated,
        device_uuid: Some(uuid),
        driver_uuid: None,
        limits,
    })
}

/// Lanes of the hardware's subgroup, as the compilers have it for an architecture.
fn lanes(kind: Kind, arch: &str) -> u32 {
    if kind == Kind::Hip && arch.starts_with("gfx9") { 64 } else { 32 }
}

/// Opens the device that a name means: `cuda`, `cuda:INDEX`, `cuda:TEXT`, and the same of `hip`.
pub(crate) fn open(name: &str, options: &OpenOptions) -> Result<Rtc, DeviceError> {
    let kind = kind_of(name).expect("asked by `is_name` before");
    let mut opened = open_unmeasured(driver(kind, &options.libraries)?, name, options, PATIENCE)?;
    let probed = opened.probe(options)?;
    // What the text does not work around is needed here.
    let needed = |fact: Fact| {
        matches!(
            fact,
            Fact::ZeroTerm | Fact::Selects | Fact::Magnitudes | Fact::NarrowKept | Fact::Unrolled
        )
    };
    let own = probed.witnesses.iter().find(|(fact, _)| needed(*fact));
    if let Some((fact, witness)) = probed.refusal().or(own) {
        let DeviceInfo { description, driver, driver_version, .. } = &opened.info;
        let driver = format!("{description}, {driver} {driver_version}");
        let (device, witness) = (opened.gpu.name.clone(), witness.clone());
        return Err(DeviceError::Refused { device, driver, fact: *fact, witness });
    }
    opened.facts.holds = probed.holds;
    Ok(opened)
}

/// A device of which nothing is known yet.
fn open_unmeasured(
    driver: &'static Driver,
    name: &str,
    options: &OpenOptions,
    patience: Duration,
) -> Result<Rtc, DeviceError> {
    let kind = driver.kind;
    if options.validate {
        let what = "validation layer (Vulkan's devices have one)".into();
        return Err(DeviceError::Missing { device: name.into(), what });
    }
    let all = of_driver(driver);
    let info = all[find(name, kind.interface(), &all)?].clone();
    let index = info.name.rsplit(':').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut device = 0;
    // SAFETY: a place for a device.
    done(unsafe { (driver.f.device)(&mut device, index) })
        .map_err(|code| driver.failed(&info.name, "finding the device", code))?;
    let arch = driver
        .architecture(device)
        .map_err(|code| driver.failed(&info.name, "asking for the architecture", code))?;
    let cache = options.cache.as_deref().map(|folder| Cache::open(folder, USUAL_BYTES));
    let (dialect, programs) = match kind {
        Kind::Cuda => {
            (Dialect::Cuda, Programs::cuda(&arch, Compiler::nvrtc(&options.libraries), cache))
        }
        Kind::Hip => {
            (Dialect::Hip, Programs::hip(&arch, Compiler::hiprtc(&options.libraries), cache))
        }
        Kind::Emulated => {
            (Dialect::Hip, Programs::hip(&arch, Compiler::clang(), cache).with_lines())
        }
    };
    let Some(Target::C(_, mut facts)) = Target::of_arch(dialect, &arch) else {
        let what = format!("code for `{arch}`");
        return Err(DeviceError::Missing { device: info.name, what });
    };
    facts.holds = FactSet::NONE;
    let gpu = Arc::new(Gpu::open(driver, device, &info.name, patience)?);
    let owner = Arc::from(&*info.name);
    Ok(Rtc { gpu, info, facts, dialect, programs, owner })
}

impl Rtc {
    /// Writes so many bytes of memory of ours with one.
    fn set(&self, address: u64, byte: u8, bytes: usize) -> Result<(), DeviceError> {
        if bytes == 0 {
            return Ok(());
        }
        let (f, stream) = (&self.gpu.driver.f, self.gpu.stream);
        // SAFETY: the callers' memory has so many bytes at the address; the stream is alive.
        let done = unsafe { (f.fill)(address, byte, bytes, stream) };
        self.gpu.call("filling", done)?;
        self.gpu.launched()
    }

    /// What is measured of the device, or was before. What is compiled decides it as much as who compiles.
    fn probe(&self, options: &OpenOptions) -> Result<Probed, DeviceError> {
        let (compiler, flags) = (self.programs.compiler(), self.programs.flags());
        let written = format!("{compiler} {flags:?} {}", c::prelude(self.dialect));
        let key = probe::Key::with_compiler(&self.info, &self.facts, &written);
        let place = options.cache.as_deref().zip(key);
        if let Some(known) = place.as_ref().and_then(|(folder, key)| probe::recall(folder, key)) {
            return Ok(known);
        }
        let probed = probe::measure(self)?;
        if let Some((folder, key)) = place {
            probe::remember(folder, &key, &probed);
        }
        Ok(probed)
    }

    fn foreign(&self, what: &'static str, owner: &Arc<str>) -> DeviceError {
        let device = self.gpu.name.clone();
        let owner = match **owner == *device {
            true => format!("another opening of {device}"),
            false => owner.to_string(),
        };
        DeviceError::Foreign { device, what, owner }
    }

    fn buffer<'a>(&self, memory: &'a Memory) -> Result<&'a Buffer, DeviceError> {
        match memory.inner.downcast_ref::<Buffer>() {
            Some(buffer) if Arc::ptr_eq(&buffer.gpu, &self.gpu) => Ok(buffer),
            Some(_) | None => Err(self.foreign("memory", &memory.owner)),
        }
    }

    fn loaded<'a>(&self, program: &'a Program) -> Result<&'a Loaded, DeviceError> {
        match program.inner.downcast_ref::<Loaded>() {
            Some(loaded) if Arc::ptr_eq(&loaded.gpu, &self.gpu) => Ok(loaded),
            Some(_) | None => Err(self.foreign("a program", &program.owner)),
        }
    }

    /// Launches on a stream, in as many parts as the grid needs.
    fn launch_on(
        &self,
        stream: Handle,
        program: &Program,
        args: &[LaunchArg],
    ) -> Result<(), DeviceError> {
        self.each_call(program, args, |call| {
            self.ask(stream, call)?;
            if stream == self.gpu.stream { self.gpu.launched() } else { Ok(()) }
        })
    }

    /// Checks a launch, and gives the driver's calls that it is.
    fn each_call(
        &self,
        program: &Program,
        args: &[LaunchArg],
        mut put: impl FnMut(&mut Call) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        let loaded = self.loaded(program)?;
        let mut addresses = [0u64; MOST_PARAMS];
        if args.len() > MOST_PARAMS {
            let (device, limit) = (self.gpu.name.clone(), MOST_PARAMS as u64);
            let count = args.len() as u64;
            return Err(DeviceError::Limit { device, what: "parameters", count, limit });
        }
        for (address, arg) in addresses.iter_mut().zip(args) {
            if let Some(memory) = arg.memory() {
                *address = self.buffer(memory)?.address;
            }
        }
        let grid = check(&program.kernel, args)?;
        if grid.contains(&0) {
            return Ok(());
        }
        let shapes: Vec<ArgShape> = args.iter().map(LaunchArg::shape).collect();
        let threads = loaded.source.threads;
        let most = match self.gpu.driver.kind {
            Kind::Cuda => [(1 << 31) - 1, 65535, 65535],
            // The threads along an axis are counted in 32 bits.
            Kind::Hip | Kind::Emulated => [u32::MAX / threads, 65535, 65535],
        };
        let mut values = [0u64; MOST_FIELDS];
        for (first, groups) in parts(grid, most) {
            for (value, field) in values.iter_mut().zip(&loaded.source.fields) {
                *value = field.value(grid, first, &shapes, &|p: Param| addresses[p.index()]);
            }
            let mut places = values.each_mut().map(|value| ptr::from_mut(value).cast());
            put(&mut Call { loaded, groups, places: &mut places })?;
        }
        Ok(())
    }

    /// Asks the driver for a launch.
    fn ask(&self, stream: Handle, call: &mut Call) -> Result<(), DeviceError> {
        let [x, y, z] = call.groups;
        // SAFETY: the function is of a module that is loaded; it takes as many arguments as there are fields, of the sizes of
        // `Field::words`, which lie where `places` says until the call has copied them (numbers are little-endian: one of 32
        // bits is the first half of its place); the buffers among them live until what was asked for before their freeing has
        // ended, since that is in the stream's order.
        let launched = unsafe {
            (self.gpu.driver.f.launch)(
                call.loaded.function,
                x,
                y,
                z,
                call.loaded.source.threads,
                1,
                1,
                0,
                stream,
                call.places.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        self.gpu.call("a launch", launched)
    }

    fn capture(&self, launches: &[Launch<'_>]) -> Result<Option<Handle>, DeviceError> {
        let (gpu, f) = (&*self.gpu, &self.gpu.driver.f);
        let recorder = lock(&gpu.recorder);
        // SAFETY: the stream is alive, and nobody else records on it.
        gpu.call("beginning to record", unsafe { (f.capture_begin)(*recorder, CAPTURE_RELAXED) })?;
        let mut asked = Ok(());
        for launch in launches {
            asked = self.launch_on(*recorder, launch.program, &launch.args);
            if asked.is_err() {
                break;
            }
        }
        let (mut graph, mut exec) = (Handle::NONE, Handle::NONE);
        // SAFETY: a place for a graph; the stream records.
        let ended = unsafe { (f.capture_end)(*recorder, &mut graph) };
        let asked = asked.and_then(|()| gpu.call("ending a recording", ended));
        let made = asked.and_then(|()| {
            // SAFETY: a place for an executable graph; the graph was recorded above.
            let made = unsafe { (f.graph_instantiate)(&mut exec, graph, 0) };
            gpu.call("making a recording runnable", made)
        });
        if graph != Handle::NONE {
            // SAFETY: the graph is not used any more; a runnable one is a thing of its own.
            let _ = unsafe { (f.graph_destroy)(graph) };
        }
        made?;
        Ok(Some(exec))
    }
}

/// Parameters of a kernel, at most.
const MOST_PARAMS: usize = 64;
/// Arguments of a kernel's function, at most: its parameters with their lengths and layouts.
const MOST_FIELDS: usize = 256;

impl Device for Rtc {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn facts(&self) -> Option<Facts> {
        Some(self.facts)
    }

    fn alloc(&self, dtype: DType, elems: u64) -> Result<Memory, DeviceError> {
        self.gpu.enter()?;
        let full = || DeviceError::OutOfMemory { device: self.gpu.name.clone(), dtype, elems };
        let bytes = dtype.bytes_for(elems).ok_or_else(full)?;
        let room = bytes.max(1).checked_next_multiple_of(ALIGN_BYTES).ok_or_else(full)?;
        let room = usize::try_from(room).map_err(|_| full())?;
        let (f, stream) = (&self.gpu.driver.f, self.gpu.stream);
        let mut address = 0;
        let mut ask = || {
            // SAFETY: a place for an address; the stream is alive.
            done(unsafe { (f.alloc)(&mut address, room, stream) })
        };
        let mut made = ask();
        if made == Err(Code::OUT_OF_MEMORY) {
            // What is freed is there again when the work before it has ended.
            self.gpu.finish()?;
            self.gpu.trim();
            made = ask();
        }
        match made {
            Ok(()) => {
                let inner = Arc::new(Buffer { gpu: self.gpu.clone(), address, bytes });
                // A word at the end is read whole, and some of its bytes may belong to no element.
                self.set(address + bytes, 0, room - bytes as usize)?;
                Ok(Memory { dtype, elems, owner: self.owner.clone(), inner })
            }
            Err(Code::OUT_OF_MEMORY) => Err(full()),
            Err(code) => Err(self.gpu.failed("allocating", code)),
        }
    }

    fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), DeviceError> {
        let buffer = self.buffer(memory)?;
        if bytes.len() as u64 != memory.bytes() {
            return Err(DeviceError::Size {
                device: self.gpu.name.clone(),
                dtype: memory.dtype,
                elems: memory.elems,
                want_bytes: memory.bytes(),
                got_bytes: bytes.len() as u64,
            });
        }
        self.gpu.enter()?;
        self.gpu.copy_in(buffer.address, bytes)
    }

    fn read(&self, memory: &Memory) -> Result<Vec<u8>, DeviceError> {
        let buffer = self.buffer(memory)?;
        self.gpu.enter()?;
        let (dtype, elems) = (memory.dtype, memory.elems);
        let full = || DeviceError::OutOfMemory { device: "the host".into(), dtype, elems };
        let wanted = usize::try_from(memory.bytes()).map_err(|_| full())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(wanted).map_err(|_| full())?;
        bytes.resize(wanted, 0);
        self.gpu.copy_out(buffer.address, &mut bytes)?;
        Ok(bytes)
    }

    fn fill(&self, memory: &Memory, byte: u8) -> Result<(), DeviceError> {
        let buffer = self.buffer(memory)?;
        self.gpu.enter()?;
        self.set(buffer.address, byte, buffer.bytes as usize)
    }

    fn load(&self, kernel: &ir::Kernel, options: &LoadOptions) -> Result<Program, DeviceError> {
        self.gpu.alive()?;
        if options.sanitize {
            let what = "sanitizer (the CPU device has one)".into();
            return Err(DeviceError::Missing { device: self.gpu.name.clone(), what });
        }
        let facts = options.facts.unwrap_or(self.facts);
        let how = if options.optimise { Optimise::Yes } else { Optimise::No };
        let legal = prepare(kernel, Target::C(self.dialect, facts), how)?;
        // The emulated device names the author's lines.
        let source = match self.gpu.driver.kind {
            Kind::Cuda | Kind::Hip => c::write(&legal, self.dialect, ENTRY),
            Kind::Emulated => c::write_lined(&legal, self.dialect, ENTRY),
        };
        if source.fields.len() > MOST_FIELDS {
            let (device, limit) = (self.gpu.name.clone(), MOST_FIELDS as u64);
            let count = source.fields.len() as u64;
            return Err(DeviceError::Limit { device, what: "arguments", count, limit });
        }
        let code = self.programs.code(&unit(self.dialect, &source))?;
        self.gpu.enter()?;
        let f = &self.gpu.driver.f;
        let mut module = Handle::NONE;
        // SAFETY: a place for a module; the bytes are machine code with its own length in its head, as the compiler made it.
        self.gpu.call("loading a program", unsafe {
            (f.module_load)(&mut module, code.as_ptr().cast())
        })?;
        let mut loaded = Loaded { gpu: self.gpu.clone(), module, function: Handle::NONE, source };
        let entry = CString::new(&*loaded.source.entry).expect("a name has no zero byte");
        // SAFETY: a place for a function; the module is loaded and the name ends.
        self.gpu.call("finding a program's entry", unsafe {
            (f.module_function)(&mut loaded.function, module, entry.as_ptr())
        })?;
        Ok(Program {
            kernel: Arc::new(kernel.clone()),
            owner: self.owner.clone(),
            inner: Arc::new(loaded),
        })
    }

    fn artifact(&self, program: &Program) -> Result<String, DeviceError> {
        Ok(self.loaded(program)?.source.text.clone())
    }

    fn launch(&self, program: &Program, args: &[LaunchArg]) -> Result<(), DeviceError> {
        self.gpu.enter()?;
        self.launch_on(self.gpu.stream, program, args)
    }

    fn enqueue_bare(
        &self,
        program: &Program,
        args: &[LaunchArg],
        times: u32,
    ) -> Result<u64, DeviceError> {
        self.gpu.enter()?;
        let mut taken = Duration::ZERO;
        self.each_call(program, args, |call| {
            let started = Instant::now();
            for _ in 0..times {
                self.ask(self.gpu.stream, call)?;
            }
            taken += started.elapsed();
            Ok(())
        })?;
        Ok(taken.as_nanos() as u64)
    }

    fn time(&self, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<u64, DeviceError> {
        let (gpu, f) = (&*self.gpu, &self.gpu.driver.f);
        gpu.enter()?;
        let timer = lock(&gpu.timer);
        let [start, end] = *timer;
        gpu.finish()?;
        // SAFETY: events and stream are alive.
        gpu.call("recording an event", unsafe { (f.event_record)(start, gpu.stream) })?;
        let result = work();
        gpu.enter()?;
        // SAFETY: as above.
        gpu.call("recording an event", unsafe { (f.event_record)(end, gpu.stream) })?;
        gpu.wait_event(end)?;
        result?;
        let mut ms = 0.0f32;
        // SAFETY: a place for a number; both events have been recorded, with their times, and have ended.
        gpu.call("reading a time", unsafe { (f.event_elapsed)(&mut ms, start, end) })?;
        Ok((f64::from(ms) * 1e6) as u64)
    }

    fn record(&self, launches: &[Launch<'_>]) -> Result<Recording, DeviceError> {
        self.gpu.enter()?;
        let graph = self.capture(launches)?;
        let mut kept: Vec<Arc<dyn std::any::Any + Send + Sync>> = Vec::new();
        for launch in launches {
            kept.push(launch.program.inner.clone());
            kept.extend(launch.args.iter().filter_map(|a| a.memory()).map(|m| m.inner.clone()));
        }
        let inner = Arc::new(Recorded { gpu: self.gpu.clone(), graph, _kept: kept });
        Ok(Recording { owner: self.owner.clone(), inner })
    }

    fn replay(&self, recording: &Recording) -> Result<(), DeviceError> {
        let recorded = match recording.inner.downcast_ref::<Recorded>() {
            Some(recorded) if Arc::ptr_eq(&recorded.gpu, &self.gpu) => recorded,
            Some(_) | None => return Err(self.foreign("a recording", &recording.owner)),
        };
        self.gpu.enter()?;
        let Some(graph) = recorded.graph else { return Ok(()) };
        // SAFETY: the graph is alive, and so is all that it uses, as in `launch`.
        let launched = unsafe { (self.gpu.driver.f.graph_launch)(graph, self.gpu.stream) };
        self.gpu.call("replaying", launched)?;
        self.gpu.launched()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // On a lost device it is left alone.
        if self.gpu.enter().is_ok() {
            // SAFETY: nobody has the memory any more; it is free when what was asked for before has ended.
            let _ = unsafe { (self.gpu.driver.f.free)(self.address, self.gpu.stream) };
        }
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // Launches under way may still run it: it is unloaded when the stream is idle.
        self.gpu.put_away(self.module);
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        if let (Some(graph), Ok(())) = (self.graph, self.gpu.enter()) {
            // A replay under way uses memory that is freed in the stream's order, and programs that stay until it is idle.
            // SAFETY: nobody has the graph any more; the driver keeps what a replay under way needs of it.
            let _ = unsafe { (self.gpu.driver.f.graph_exec_destroy)(graph) };
        }
    }
}
