//! What every device does: memory, programs, launches.
//!
//! Invariants
//! - `Memory` and `Program` belong to the device that made them; another one refuses them.
//! - Bytes are little-endian logical elements packed end to end; of two elements in a byte the first has the
//!   low nibble. A `bool` is a byte, 0 or 1.
//! - Launches and copies of one device happen in the order in which they are asked for.
//! - Memory is undefined until written.

use crate::{cpu::Cpu, error::DeviceError, vulkan};
use evenweave_codegen::Facts;
use evenweave_lang::{
    dtype::DType,
    ir::{self, Access},
    launch::{self, ArgShape, LaunchCause, LaunchError, Layout},
};
use std::{any::Any, path::PathBuf, sync::Arc, time::Instant};

/// What a device is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The name that `open` takes: `cpu`, `vulkan:0`.
    pub name: String,
    /// The machine in words.
    pub description: String,
    /// Threads of the host that run kernels at once; 0 where others run them.
    pub threads: u32,
    /// Lanes of the subgroup that the hardware has; the language's has 32 everywhere.
    pub native_lanes: u32,
    /// What drives it.
    pub driver: String,
    /// Its version, in the driver's own words.
    pub driver_version: String,
    /// The interface and its version: `Vulkan 1.3.230`.
    pub api: String,
    /// Whether the host's processor runs the kernels.
    pub software: bool,
    /// What the driver calls the device, where it does.
    pub device_uuid: Option<[u8; 16]>,
    /// What the driver calls itself, where it does.
    pub driver_uuid: Option<[u8; 16]>,
    /// What it has and how much of it, as rows for people.
    pub limits: Vec<(&'static str, String)>,
}

/// How a device is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenOptions {
    /// A folder for what a driver compiled, kept from run to run. The CPU device keeps nothing.
    pub cache: Option<PathBuf>,
    /// Have the interface's own checks watch every call; what they say is an error of that call. Slow. The CPU
    /// device has no such interface.
    pub validate: bool,
}

/// Memory of a device.
#[derive(Clone)]
pub struct Memory {
    pub(crate) dtype: DType,
    pub(crate) elems: u64,
    pub(crate) owner: Arc<str>,
    pub(crate) inner: Arc<dyn Any + Send + Sync>,
}

impl Memory {
    /// The elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// How many there are.
    pub fn elems(&self) -> u64 {
        self.elems
    }

    /// Bytes of all elements packed end to end.
    pub fn bytes(&self) -> u64 {
        self.dtype.bytes_for(self.elems).expect("alloc refuses what has no byte count")
    }

    /// Whether both name the same memory.
    pub fn is_same(&self, other: &Memory) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({}, {}[{}])", self.owner, self.dtype, self.elems)
    }
}

/// A kernel made runnable by a device.
#[derive(Clone)]
pub struct Program {
    pub(crate) kernel: Arc<ir::Kernel>,
    pub(crate) owner: Arc<str>,
    pub(crate) inner: Arc<dyn Any + Send + Sync>,
}

impl Program {
    /// The kernel as it was given.
    pub fn kernel(&self) -> &ir::Kernel {
        &self.kernel
    }
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Program({}, {})", self.owner, self.kernel.name)
    }
}

/// How a kernel is made runnable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoadOptions {
    /// Run the optimiser's passes. They change no bit of any result.
    pub optimise: bool,
    /// Watch the launch for races, uninitialised reads, divergent barriers and wrapped indices. Slow; the CPU
    /// device alone can. The kernel is run as written.
    pub sanitize: bool,
    /// Rounds of all loops of one group, at most; more is a fault. Devices without a count ignore it.
    pub budget_rounds: u64,
    /// Write the code for these facts instead of the device's own: how a probe runs what is not yet believed.
    /// The CPU device has none.
    pub facts: Option<Facts>,
}

impl Default for LoadOptions {
    fn default() -> LoadOptions {
        LoadOptions { optimise: true, sanitize: false, budget_rounds: 1 << 28, facts: None }
    }
}

/// What a launch gives for one parameter.
#[derive(Clone, Debug)]
pub enum LaunchArg<'a> {
    /// A number: dtype and bits (zero-extended).
    Scalar(DType, u64),
    /// Memory for a buffer parameter.
    Buffer(&'a Memory),
    /// Memory seen through a layout, for a view parameter.
    View(&'a Memory, Layout),
}

impl LaunchArg<'_> {
    pub(crate) fn memory(&self) -> Option<&Memory> {
        match self {
            LaunchArg::Scalar(..) => None,
            LaunchArg::Buffer(memory) | LaunchArg::View(memory, _) => Some(memory),
        }
    }

    pub(crate) fn shape(&self) -> ArgShape {
        match self {
            LaunchArg::Scalar(dtype, bits) => ArgShape::Scalar(*dtype, *bits),
            LaunchArg::Buffer(m) => ArgShape::Buffer(m.dtype, m.elems),
            LaunchArg::View(m, layout) => ArgShape::View(m.dtype, m.elems, layout.clone()),
        }
    }
}

/// A machine that runs kernels.
pub trait Device: Send + Sync {
    /// What it is.
    fn info(&self) -> &DeviceInfo;

    /// What is known of it where that changes the code written for it. The CPU device needs none.
    fn facts(&self) -> Option<Facts>;

    /// Memory of so many elements, undefined until written. 0 elements are fine.
    fn alloc(&self, dtype: DType, elems: u64) -> Result<Memory, DeviceError>;

    /// Writes all of the memory.
    fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Reads all of the memory.
    fn read(&self, memory: &Memory) -> Result<Vec<u8>, DeviceError>;

    /// Writes the byte everywhere: poison, so that unwritten output shows.
    fn fill(&self, memory: &Memory, byte: u8) -> Result<(), DeviceError>;

    /// Makes the kernel runnable, or says why the device cannot run it honestly.
    fn load(&self, kernel: &ir::Kernel, options: &LoadOptions) -> Result<Program, DeviceError>;

    /// The program in the device's own form, as text for people.
    fn artifact(&self, program: &Program) -> Result<String, DeviceError>;

    /// Runs the program on the arguments, in the order of the kernel's parameters. Memory that the kernel writes
    /// must not be given twice. After an error, what it writes is undefined.
    fn launch(&self, program: &Program, args: &[LaunchArg]) -> Result<(), DeviceError>;

    /// Nanoseconds that the launches which `work` asks for take, from the start of the first to the end of the last: by
    /// the device's clock where it has one, else by the host's around work that has ended.
    fn time(&self, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<u64, DeviceError> {
        let started = Instant::now();
        work()?;
        Ok(started.elapsed().as_nanos() as u64)
    }
}

/// The devices of this machine: the CPU first, then what Vulkan's loader finds, in its order. None is opened.
pub fn list() -> Vec<DeviceInfo> {
    let mut all = vec![Cpu::new().info().clone()];
    all.extend(vulkan::list());
    all
}

/// Opens the device with this name: one that `list` gives, `vulkan` for the first of Vulkan's, or `vulkan:TEXT` for
/// the one whose description has the text in it, in any case.
pub fn open(name: &str, options: &OpenOptions) -> Result<Box<dyn Device>, DeviceError> {
    if name == "cpu" {
        return Ok(Box::new(Cpu::new()));
    }
    if name == "vulkan" || name.starts_with("vulkan:") {
        return Ok(Box::new(vulkan::open(name, options)?));
    }
    Err(DeviceError::Unknown { name: name.into(), known: names(&list()) })
}

/// The names of devices, for an error.
pub(crate) fn names(devices: &[DeviceInfo]) -> String {
    devices.iter().map(|info| &*info.name).collect::<Vec<_>>().join(", ")
}

/// Checks a launch and returns its groups along x, y, z: geometry and lengths by `lang::launch`, and that
/// memory which the kernel writes is given once.
pub(crate) fn check(kernel: &ir::Kernel, args: &[LaunchArg]) -> Result<[u32; 3], LaunchError> {
    let shapes: Vec<ArgShape> = args.iter().map(LaunchArg::shape).collect();
    let grid = launch::check(kernel, &shapes)?;
    let writable = |i: usize| match kernel.params[i].kind.access() {
        Some(Access::Out | Access::InOut) => true,
        Some(Access::In) | None => false,
    };
    for (i, a) in args.iter().enumerate().filter(|&(i, _)| writable(i)) {
        for (j, b) in args.iter().enumerate().filter(|&(j, _)| j != i) {
            if let (Some(x), Some(y)) = (a.memory(), b.memory())
                && x.is_same(y)
            {
                let name = |p: usize| kernel.params[p].name.clone();
                let cause = LaunchCause::Aliased { a: name(i), b: name(j) };
                return Err(LaunchError { kernel: kernel.name.clone(), cause });
            }
        }
    }
    Ok(grid)
}
