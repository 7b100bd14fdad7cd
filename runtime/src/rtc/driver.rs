//! The drivers' functions: CUDA's driver interface, and HIP's, which has the same shape under other names; the emulated device
//! has HIP's.
//!
//! Invariants
//! - A driver is opened once and stays open. One that is not there is an answer.
//! - What differs between the two is in this file: names, and how a device becomes a thread's current one.

use crate::{compile::cuda_arch, error::DeviceError, library::Library};
use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    path::{Path, PathBuf},
    ptr,
    sync::OnceLock,
};

/// What the driver gives out: contexts, streams, events, modules, functions, graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Handle(pub(super) *mut c_void);

// SAFETY: both drivers let any thread use what another one made.
unsafe impl Send for Handle {}
// SAFETY: as above; the drivers synchronise the calls themselves.
unsafe impl Sync for Handle {}

impl Handle {
    pub(super) const NONE: Handle = Handle(ptr::null_mut());
}

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Cuda,
    Hip,
    /// HIP's functions in a library of ours, whose device is a machine in software.
    Emulated,
}

impl Kind {
    /// The word before a device's number in its name.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Kind::Cuda => "cuda",
            Kind::Hip | Kind::Emulated => "hip",
        }
    }

    /// The interface in words.
    pub(super) const fn interface(self) -> &'static str {
        match self {
            Kind::Cuda => "CUDA",
            Kind::Hip | Kind::Emulated => "HIP",
        }
    }
}

macro_rules! functions {
    ($($field:ident ($($arg:ty),*) $cuda:literal $hip:literal;)*) => {
        /// Functions that both have. Each returns 0, or what went wrong.
        pub(super) struct Functions {
            $(pub(super) $field: unsafe extern "C" fn($($arg),*) -> c_int,)*
        }

        impl Functions {
            fn load(library: Library, kind: Kind) -> Result<Functions, DeviceError> {
                let name = |cuda: &'static str, hip: &'static str| match kind {
                    Kind::Cuda => cuda,
                    Kind::Hip | Kind::Emulated => hip,
                };
                // SAFETY: each field is of the type that cuda.h and hip_runtime_api.h declare for its names.
                unsafe {
                    Ok(Functions {
                        $($field: library.function(kind.word(), name($cuda, $hip))?,)*
                    })
                }
            }
        }
    };
}

#[rustfmt::skip]
functions! {
    init(c_uint)                                          "cuInit"                       "hipInit";
    driver_version(*mut c_int)                            "cuDriverGetVersion"           "hipDriverGetVersion";
    device_count(*mut c_int)                              "cuDeviceGetCount"             "hipGetDeviceCount";
    device(*mut c_int, c_int)                             "cuDeviceGet"                  "hipDeviceGet";
    device_name(*mut c_char, c_int, c_int)                "cuDeviceGetName"              "hipDeviceGetName";
    total_memory(*mut usize, c_int)                       "cuDeviceTotalMem_v2"          "hipDeviceTotalMem";
    device_uuid(*mut [u8; 16], c_int)                     "cuDeviceGetUuid"              "hipDeviceGetUuid";
    error_name(c_int, *mut *const c_char)                 "cuGetErrorName"               "hipDrvGetErrorName";
    stream_create(*mut Handle, c_uint)                    "cuStreamCreate"               "hipStreamCreateWithFlags";
    stream_destroy(Handle)                                "cuStreamDestroy_v2"           "hipStreamDestroy";
    stream_query(Handle)                                  "cuStreamQuery"                "hipStreamQuery";
    default_pool(*mut Handle, c_int)                      "cuDeviceGetDefaultMemPool"    "hipDeviceGetDefaultMemPool";
    pool_set(Handle, c_int, *mut c_void)                  "cuMemPoolSetAttribute"        "hipMemPoolSetAttribute";
    pool_trim(Handle, usize)                              "cuMemPoolTrimTo"              "hipMemPoolTrimTo";
    alloc(*mut u64, usize, Handle)                        "cuMemAllocAsync"              "hipMallocAsync";
    free(u64, Handle)                                     "cuMemFreeAsync"               "hipFreeAsync";
    copy_in(u64, *const c_void, usize, Handle)            "cuMemcpyHtoDAsync_v2"         "hipMemcpyHtoDAsync";
    copy_out(*mut c_void, u64, usize, Handle)             "cuMemcpyDtoHAsync_v2"         "hipMemcpyDtoHAsync";
    fill(u64, u8, usize, Handle)                          "cuMemsetD8Async"              "hipMemsetD8Async";
    pinned(*mut *mut c_void, usize, c_uint)               "cuMemHostAlloc"               "hipHostMalloc";
    pinned_free(*mut c_void)                              "cuMemFreeHost"                "hipHostFree";
    module_load(*mut Handle, *const c_void)               "cuModuleLoadData"             "hipModuleLoadData";
    module_unload(Handle)                                 "cuModuleUnload"               "hipModuleUnload";
    module_function(*mut Handle, Handle, *const c_char)   "cuModuleGetFunction"          "hipModuleGetFunction";
    launch(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void)
                                                          "cuLaunchKernel"               "hipModuleLaunchKernel";
    event_create(*mut Handle, c_uint)                     "cuEventCreate"                "hipEventCreateWithFlags";
    event_destroy(Handle)                                 "cuEventDestroy_v2"            "hipEventDestroy";
    event_record(Handle, Handle)                          "cuEventRecord"                "hipEventRecord";
    event_query(Handle)                                   "cuEventQuery"                 "hipEventQuery";
    event_elapsed(*mut f32, Handle, Handle)               "cuEventElapsedTime"           "hipEventElapsedTime";
    capture_begin(Handle, c_int)                          "cuStreamBeginCapture_v2"      "hipStreamBeginCapture";
    capture_end(Handle, *mut Handle)                      "cuStreamEndCapture"           "hipStreamEndCapture";
    graph_instantiate(*mut Handle, Handle, u64)           "cuGraphInstantiateWithFlags"  "hipGraphInstantiateWithFlags";
    graph_launch(Handle, Handle)                          "cuGraphLaunch"                "hipGraphLaunch";
    graph_exec_destroy(Handle)                            "cuGraphExecDestroy"           "hipGraphExecDestroy";
    graph_destroy(Handle)                                 "cuGraphDestroy"               "hipGraphDestroy";
}

/// What only one of the two has.
enum Own {
    Cuda {
        attribute: unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int,
        retain: unsafe extern "C" fn(*mut Handle, c_int) -> c_int,
        set_current: unsafe extern "C" fn(Handle) -> c_int,
    },
    Hip {
        set_current: unsafe extern "C" fn(c_int) -> c_int,
        properties: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
        /// What a stream's launch did wrong, in words; only the emulated device says that.
        fault: Option<unsafe extern "C" fn(Handle, *mut c_char, usize) -> usize>,
    },
}

/// A driver.
pub(super) struct Driver {
    pub(super) kind: Kind,
    /// In the driver's own form: 13000 is CUDA 13.0.
    pub(super) version: c_int,
    pub(super) f: Functions,
    own: Own,
}

/// What a driver's function returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code(pub(super) c_int);

impl Code {
    pub(super) const OUT_OF_MEMORY: Code = Code(2);
    pub(super) const NO_DEVICE: Code = Code(100);
    pub(super) const NOT_READY: Code = Code(600);

    /// Whether the device can do nothing more: a kernel trapped, or the hardware failed.
    pub(super) const fn is_sticky(self) -> bool {
        matches!(self.0, 4 | 214 | 226 | 700 | 702 | 709 | 710 | 713..=719 | 999)
    }
}

/// A code as a result.
pub(super) const fn done(code: c_int) -> Result<(), Code> {
    if code == 0 { Ok(()) } else { Err(Code(code)) }
}

/// The driver, opened at the first call that finds it: in these folders, or by the usual rules.
pub(super) fn driver(kind: Kind, folders: &[PathBuf]) -> Result<&'static Driver, DeviceError> {
    static CUDA: OnceLock<Driver> = OnceLock::new();
    static HIP: OnceLock<Driver> = OnceLock::new();
    static EMULATED: OnceLock<Driver> = OnceLock::new();
    let place = match kind {
        Kind::Cuda => &CUDA,
        Kind::Hip => &HIP,
        Kind::Emulated => &EMULATED,
    };
    if let Some(driver) = place.get() {
        return Ok(driver);
    }
    let driver = Driver::open(kind, folders)?;
    // Another thread's is as good.
    Ok(place.get_or_init(|| driver))
}

impl Driver {
    fn open(kind: Kind, folders: &[PathBuf]) -> Result<Driver, DeviceError> {
        let (names, usual): (&[&str], &[&str]) = match kind {
            Kind::Cuda => (
                &["libcuda.so.1", "libcuda.so"],
                &["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib/wsl/lib"],
            ),
            Kind::Hip => (
                &["libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so"],
                &["/opt/rocm/lib", "/usr/lib/x86_64-linux-gnu"],
            ),
            Kind::Emulated => (&["libevenweave_hip_emulated.so"], &[]),
        };
        let mut usual: Vec<PathBuf> = usual.iter().map(PathBuf::from).collect();
        if kind == Kind::Emulated {
            // It is built with what uses it, and stands beside it.
            let program = std::env::current_exe().ok();
            usual.extend(program.as_deref().and_then(Path::parent).map(Path::to_path_buf));
        }
        let (library, _) = Library::find(kind.word(), names, folders, &usual)?;
        Driver::of(library, kind)
    }

    /// The driver that a library is.
    pub(super) fn of(library: Library, kind: Kind) -> Result<Driver, DeviceError> {
        let f = Functions::load(library, kind)?;
        let word = kind.word();
        // SAFETY: the types are those of cuda.h and hip_runtime_api.h for these names.
        let own = unsafe {
            match kind {
                Kind::Cuda => Own::Cuda {
                    attribute: library.function(word, "cuDeviceGetAttribute")?,
                    retain: library.function(word, "cuDevicePrimaryCtxRetain")?,
                    set_current: library.function(word, "cuCtxSetCurrent")?,
                },
                Kind::Hip | Kind::Emulated => Own::Hip {
                    fault: match kind {
                        Kind::Emulated => Some(library.function(word, "evenweaveFault")?),
                        Kind::Cuda | Kind::Hip => None,
                    },
                    set_current: library.function(word, "hipSetDevice")?,
                    properties: library.function(word, "hipGetDevicePropertiesR0600")?,
                },
            }
        };
        let mut driver = Driver { kind, version: 0, f, own };
        // SAFETY: 0 is the one flag that there is.
        let started = done(unsafe { (driver.f.init)(0) });
        started.map_err(|code| driver.failed(word, "init", code))?;
        // SAFETY: a place for a number.
        done(unsafe { (driver.f.driver_version)(&mut driver.version) })
            .map_err(|code| driver.failed(word, "driver version", code))?;
        Ok(driver)
    }

    /// What the driver calls a code.
    pub(super) fn name(&self, code: Code) -> String {
        let mut text: *const c_char = ptr::null();
        // SAFETY: a place for a pointer; any number is taken.
        let known = unsafe { (self.f.error_name)(code.0, &mut text) } == 0 && !text.is_null();
        match known {
            // SAFETY: the driver gives texts that it keeps, with their end.
            true => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
            false => "an error without a name".into(),
        }
    }

    /// What a stream's launch did wrong, where the driver can say it.
    pub(super) fn fault(&self, stream: Handle) -> Option<String> {
        let Own::Hip { fault: Some(fault), .. } = self.own else { return None };
        let mut room = vec![0u8; 4096];
        // SAFETY: the room has so many bytes.
        let bytes = unsafe { fault(stream, room.as_mut_ptr().cast(), room.len()) };
        room.truncate(bytes.min(room.len() - 1));
        (bytes > 0).then(|| String::from_utf8_lossy(&room).into_owned())
    }

    /// A call that failed, of a device or of the driver.
    pub(super) fn failed(&self, device: &str, call: &'static str, code: Code) -> DeviceError {
        DeviceError::Call { device: device.into(), call, code: code.0, name: self.name(code) }
    }

    /// How many devices there are.
    pub(super) fn count(&self) -> c_int {
        let mut count = 0;
        // SAFETY: a place for a number.
        match done(unsafe { (self.f.device_count)(&mut count) }) {
            Ok(()) => count,
            // Either driver says so where there is none; another failure leaves none to use either.
            Err(Code::NO_DEVICE) | Err(_) => 0,
        }
    }

    /// The architecture that a compiler makes code for.
    pub(super) fn architecture(&self, device: c_int) -> Result<String, Code> {
        match self.own {
            Own::Cuda { .. } => {
                let [major, minor] = [75, 76].map(|which| self.attribute(device, which));
                let (major, minor) = (major?, minor?);
                Ok(cuda_arch(&format!("sm_{major}{minor}")))
            }
            Own::Hip { properties, .. } => {
                // The structure grows with every release; the name in it is the only text that begins so.
                let mut room = vec![0u64; 1024];
                // SAFETY: the structure is smaller than 2 KiB in every release, and the room is 8 KiB.
                done(unsafe { properties(room.as_mut_ptr().cast(), device) })?;
                let bytes: Vec<u8> = room.iter().flat_map(|word| word.to_ne_bytes()).collect();
                let at = bytes.windows(3).position(|w| w == b"gfx").ok_or(Code::NO_DEVICE)?;
                let name = bytes[at..].iter().take_while(|b| b.is_ascii_alphanumeric());
                Ok(name.map(|&b| char::from(b)).collect())
            }
        }
    }

    /// A number that describes a device of CUDA.
    pub(super) fn attribute(&self, device: c_int, which: c_int) -> Result<c_int, Code> {
        let Own::Cuda { attribute, .. } = self.own else { return Err(Code::NO_DEVICE) };
        let mut value = 0;
        // SAFETY: a place for a number.
        done(unsafe { attribute(&mut value, which, device) })?;
        Ok(value)
    }

    /// The context of a device, which is kept until the process ends.
    pub(super) fn context(&self, device: c_int) -> Result<Handle, Code> {
        let mut context = Handle::NONE;
        match self.own {
            // SAFETY: a place for a context; the device is one of those that there are.
            Own::Cuda { retain, .. } => done(unsafe { retain(&mut context, device) })?,
            Own::Hip { .. } => {}
        }
        Ok(context)
    }

    /// Makes a device this thread's current one.
    pub(super) fn make_current(&self, device: c_int, context: Handle) -> Result<(), Code> {
        match self.own {
            // SAFETY: the context is of a device, and is never released.
            Own::Cuda { set_current, .. } => done(unsafe { set_current(context) }),
            // SAFETY: the device is one of those that there are.
            Own::Hip { set_current, .. } => done(unsafe { set_current(device) }),
        }
    }

    /// The version as people write it.
    pub(super) fn version_text(&self) -> String {
        match self.kind {
            Kind::Cuda => format!("{}.{}", self.version / 1000, self.version % 1000 / 10),
            Kind::Hip | Kind::Emulated => {
                let (major, minor) = (self.version / 10_000_000, self.version / 100_000 % 100);
                format!("{major}.{minor}.{}", self.version % 100_000)
            }
        }
    }
}
