//! What every device does: memory, programs, launches.
//!
//! Invariants
//! - `Memory` and `Program` belong to the device that made them; another one refuses them.
//! - Bytes are little-endian logical elements packed end to end; of two elements in a byte the first has the
//!   low nibble. A `bool` is a byte, 0 or 1.
//! - Launches and copies of one device happen in the order in which they are asked for.
//! - Memory is undefined until written.

use crate::{cpu::Cpu, error::DeviceError, rtc, vulkan};
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
    /// Folders where libraries of CUDA and ROCm are looked for first.
    pub libraries: Vec<PathBuf>,
}

impl OpenOptions {
    /// As the user's environment has it: the folder `evenweave` in the user's cache folder (`XDG_CACHE_HOME`, else `.cache`
    /// in `HOME`), and the folders of `EVENWEAVE_LIBRARIES`, separated as those of `PATH` are. Names that are not absolute
    /// do not count.
    pub fn of_user() -> OpenOptions {
        let folder =
            |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
        let caches =
            folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
        let named = std::env::var_os("EVENWEAVE_LIBRARIES");
        OpenOptions {
            cache: caches.map(|caches| caches.join("evenweave")),
            libraries: named
                .iter()
                .flat_map(std::env::split_paths)
                .filter(|p| p.is_absolute())
                .collect(),
            ..OpenOptions::default()
        }
    }
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
    /// Memory for a buffer parameter that the kernel writes, which other arguments may give it to read: whoever asks for this
    /// knows that the kernel reads no element after, or while another thread, writes it.
    Over(&'a Memory),
    /// The bytes of memory, for a buffer parameter of u8.
    Bytes(&'a Memory),
    /// The whole words of memory, for a buffer parameter of u32.
    Words(&'a Memory),
    /// Memory seen through a layout, for a view parameter.
    View(&'a Memory, Layout),
}

impl LaunchArg<'_> {
    /// The memory that it gives, if any.
    pub fn memory(&self) -> Option<&Memory> {
        match self {
            LaunchArg::Scalar(..) => None,
            LaunchArg::Buffer(memory)
            | LaunchArg::Over(memory)
            | LaunchArg::Bytes(memory)
            | LaunchArg::Words(memory)
            | LaunchArg::View(memory, _) => Some(memory),
        }
    }

    pub(crate) fn shape(&self) -> ArgShape {
        match self {
            LaunchArg::Scalar(dtype, bits) => ArgShape::Scalar(*dtype, *bits),
            LaunchArg::Buffer(m) | LaunchArg::Over(m) => ArgShape::Buffer(m.dtype, m.elems),
            LaunchArg::Bytes(m) => ArgShape::Buffer(DType::U8, m.bytes()),
            LaunchArg::Words(m) => ArgShape::Buffer(DType::U32, m.bytes() / 4),
            LaunchArg::View(m, layout) => ArgShape::View(m.dtype, m.elems, layout.clone()),
        }
    }
}

/// A launch of a sequence that is recorded.
#[derive(Clone, Debug)]
pub struct Launch<'a> {
    /// What runs.
    pub program: &'a Program,
    /// On what, in the order of the kernel's parameters.
    pub args: Vec<LaunchArg<'a>>,
}

/// A sequence of launches that a device was asked to keep, with all that they use.
#[derive(Clone)]
pub struct Recording {
    pub(crate) owner: Arc<str>,
    pub(crate) inner: Arc<dyn Any + Send + Sync>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Recording({})", self.owner)
    }
}

/// A recording on a device that has no form of its own for one.
struct Sequence(Vec<OwnedLaunch>);

/// A launch that holds what it uses.
#[derive(Clone, Debug)]
pub struct OwnedLaunch {
    program: Program,
    args: Vec<OwnedArg>,
}

impl OwnedLaunch {
    /// A launch, kept.
    pub fn of(launch: &Launch<'_>) -> OwnedLaunch {
        let args = launch.args.iter().map(OwnedArg::of).collect();
        OwnedLaunch { program: launch.program.clone(), args }
    }

    /// The launch.
    pub fn lend(&self) -> Launch<'_> {
        Launch { program: &self.program, args: self.args.iter().map(OwnedArg::lend).collect() }
    }
}

#[derive(Clone, Debug)]
enum OwnedArg {
    Scalar(DType, u64),
    Buffer(Memory),
    Over(Memory),
    Bytes(Memory),
    Words(Memory),
    View(Memory, Layout),
}

impl OwnedArg {
    fn of(arg: &LaunchArg) -> OwnedArg {
        match arg {
            LaunchArg::Scalar(dtype, bits) => OwnedArg::Scalar(*dtype, *bits),
            LaunchArg::Buffer(memory) => OwnedArg::Buffer((*memory).clone()),
            LaunchArg::Over(memory) => OwnedArg::Over((*memory).clone()),
            LaunchArg::Bytes(memory) => OwnedArg::Bytes((*memory).clone()),
            LaunchArg::Words(memory) => OwnedArg::Words((*memory).clone()),
            LaunchArg::View(memory, layout) => OwnedArg::View((*memory).clone(), layout.clone()),
        }
    }

    fn lend(&self) -> LaunchArg<'_> {
        match self {
            OwnedArg::Scalar(dtype, bits) => LaunchArg::Scalar(*dtype, *bits),
            OwnedArg::Buffer(memory) => LaunchArg::Buffer(memory),
            OwnedArg::Over(memory) => LaunchArg::Over(memory),
            OwnedArg::Bytes(memory) => LaunchArg::Bytes(memory),
            OwnedArg::Words(memory) => LaunchArg::Words(memory),
            OwnedArg::View(memory, layout) => LaunchArg::View(memory, layout.clone()),
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
    /// must not be given twice, but for what `LaunchArg::Over` allows. After an error, what it writes is undefined.
    fn launch(&self, program: &Program, args: &[LaunchArg]) -> Result<(), DeviceError>;

    /// Nanoseconds that the launches which `work` asks for take, from the start of the first to the end of the last: by
    /// the device's clock where it has one, else by the host's around work that has ended.
    fn time(&self, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<u64, DeviceError> {
        let started = Instant::now();
        work()?;
        Ok(started.elapsed().as_nanos() as u64)
    }

    /// Launches the program so many times as a driver's own function does, all that a launch of this crate does before being
    /// done once, and gives the nanoseconds of the host: what launches cost at least. For measuring alone; a driver that queues
    /// less makes the host wait. A device without such a function has none.
    fn enqueue_bare(
        &self,
        program: &Program,
        args: &[LaunchArg],
        times: u32,
    ) -> Result<u64, DeviceError> {
        let _ = (program, args, times);
        let what = "function of the driver that launches".into();
        Err(DeviceError::Missing { device: self.info().name.clone(), what })
    }

    /// Keeps a sequence of launches, to be asked for at once by `replay`; nothing runs yet. Launches are checked here.
    fn record(&self, launches: &[Launch<'_>]) -> Result<Recording, DeviceError> {
        for launch in launches {
            check(&launch.program.kernel, &launch.args)?;
        }
        let inner = Arc::new(Sequence(launches.iter().map(OwnedLaunch::of).collect()));
        Ok(Recording { owner: Arc::from(&*self.info().name), inner })
    }

    /// Runs the launches of a recording, in their order, on what their memory holds now.
    fn replay(&self, recording: &Recording) -> Result<(), DeviceError> {
        let Some(Sequence(launches)) = recording.inner.downcast_ref() else {
            let (device, owner) = (self.info().name.clone(), recording.owner.to_string());
            return Err(DeviceError::Foreign { device, what: "a recording", owner });
        };
        launches.iter().try_for_each(|launch| {
            let Launch { program, args } = launch.lend();
            self.launch(program, &args)
        })
    }
}

/// The devices of this machine: the CPU first, then what Vulkan's loader, CUDA's driver and HIP's find, each in its order.
/// None is opened.
pub fn list() -> Vec<DeviceInfo> {
    let mut all = vec![Cpu::new().info().clone()];
    all.extend(vulkan::list());
    all.extend(rtc::list());
    all
}

/// Opens the device with this name: one that `list` gives, `vulkan` for the first of Vulkan's, or `vulkan:TEXT` for
/// the one whose description has the text in it, in any case; the same with `cuda` and `hip`.
pub fn open(name: &str, options: &OpenOptions) -> Result<Box<dyn Device>, DeviceError> {
    if name == "cpu" {
        return Ok(Box::new(Cpu::new()));
    }
    if name == "vulkan" || name.starts_with("vulkan:") {
        return Ok(Box::new(vulkan::open(name, options)?));
    }
    if rtc::is_name(name) {
        return Ok(Box::new(rtc::open(name, options)?));
    }
    Err(DeviceError::Unknown { name: name.into(), known: names(&list()) })
}

/// The names of devices, for an error.
pub(crate) fn names(devices: &[DeviceInfo]) -> String {
    devices.iter().map(|info| &*info.name).collect::<Vec<_>>().join(", ")
}

/// Checks a launch and returns its groups along x, y, z: geometry and lengths by `lang::launch`, and that
/// memory which the kernel writes is given once, or is a buffer to read elsewhere where that is asked for.
pub(crate) fn check(kernel: &ir::Kernel, args: &[LaunchArg]) -> Result<[u32; 3], LaunchError> {
    let shapes: Vec<ArgShape> = args.iter().map(LaunchArg::shape).collect();
    let grid = launch::check(kernel, &shapes)?;
    let writable = |i: usize| match kernel.params[i].kind.access() {
        Some(Access::Out | Access::InOut) => true,
        Some(Access::In) | None => false,
    };
    let read_by_leave = |a: &LaunchArg, b: &LaunchArg, j: usize| {
        let reads = match b {
            LaunchArg::Buffer(_) => true,
            LaunchArg::View(_, layout) => *layout == Layout::contiguous(&layout.shape),
            LaunchArg::Over(_)
            | LaunchArg::Bytes(_)
            | LaunchArg::Words(_)
            | LaunchArg::Scalar(..) => false,
        };
        matches!(a, LaunchArg::Over(_)) && reads && !writable(j)
    };
    for (i, a) in args.iter().enumerate().filter(|&(i, _)| writable(i)) {
        for (j, b) in args.iter().enumerate().filter(|&(j, _)| j != i) {
            if let (Some(x), Some(y)) = (a.memory(), b.memory())
                && x.is_same(y)
                && !read_by_leave(a, b, j)
            {
                let name = |p: usize| kernel.params[p].name.clone();
                let cause = LaunchCause::Aliased { a: name(i), b: name(j) };
                return Err(LaunchError { kernel: kernel.name.clone(), cause });
            }
        }
    }
    Ok(grid)
}

/// Which of an interface's devices a name means: the first, one by its number, or the one whose description has the text.
pub(crate) fn find(name: &str, interface: &str, all: &[DeviceInfo]) -> Result<usize, DeviceError> {
    let unknown = || {
        let known = if all.is_empty() { format!("none of {interface}") } else { names(all) };
        DeviceError::Unknown { name: name.into(), known }
    };
    let text = match name.split_once(':') {
        None => return if all.is_empty() { Err(unknown()) } else { Ok(0) },
        Some((_, text)) => text.trim().to_lowercase(),
    };
    if let Some(index) = all.iter().position(|d| d.name == name) {
        return Ok(index);
    }
    let is_number = text.chars().all(|c| c.is_ascii_digit());
    let hits: Vec<usize> = (0..all.len())
        .filter(|&i| !is_number && all[i].description.to_lowercase().contains(&text))
        .collect();
    match hits[..] {
        [] => Err(unknown()),
        [index] => Ok(index),
        _ => {
            let line = |&i: &usize| format!("{} ({})", all[i].name, all[i].description);
            let candidates = hits.iter().map(line).collect::<Vec<_>>().join(", ");
            Err(DeviceError::Ambiguous { name: name.into(), candidates })
        }
    }
}

/// A grid as launches of at most `most` groups along each axis: the first group and the groups of each.
pub(crate) fn parts(grid: [u32; 3], most: [u32; 3]) -> impl Iterator<Item = ([u32; 3], [u32; 3])> {
    let cut = move |axis: usize| {
        let most = most[axis].max(1);
        let firsts = (0..grid[axis]).step_by(most as usize);
        firsts.map(move |first| (first, most.min(grid[axis] - first)))
    };
    cut(2).flat_map(move |(z, dz)| {
        cut(1).flat_map(move |(y, dy)| cut(0).map(move |(x, dx)| ([x, y, z], [dx, dy, dz])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_a_grid_once() {
        let (grid, most) = ([5, 3, 7], [2, 3, 4]);
        let mut seen = std::collections::HashSet::new();
        for (first, groups) in parts(grid, most) {
            assert!((0..3).all(|a| groups[a] > 0 && groups[a] <= most[a]));
            for z in 0..groups[2] {
                for y in 0..groups[1] {
                    for x in 0..groups[0] {
                        assert!(seen.insert([first[0] + x, first[1] + y, first[2] + z]));
                    }
                }
            }
        }
        assert_eq!(seen.len(), 5 * 3 * 7);
        assert!(seen.iter().all(|at| (0..3).all(|a| at[a] < grid[a])));
        assert_eq!(parts([u32::MAX, 1, 1], [u32::MAX; 3]).count(), 1);
        assert_eq!(parts([0, 1, 1], [8; 3]).count(), 0);
    }
}
