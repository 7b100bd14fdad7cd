//! Compilers that are libraries: NVRTC, and hipRTC, which has NVRTC's interface under other names.

use super::Compiled;
use crate::{
    error::DeviceError,
    library::{Library, preload},
};
use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    fs,
    path::{Path, PathBuf},
    ptr,
};

type Program = *mut c_void;

/// The functions, by the names that NVRTC gives them after `nvrtc`.
#[derive(Clone, Copy, Debug)]
struct Functions {
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int,
    error_string: unsafe extern "C" fn(c_int) -> *const c_char,
    create_program: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> c_int,
    destroy_program: unsafe extern "C" fn(*mut Program) -> c_int,
    compile_program: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int,
    log_size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
    log: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
    code_size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
    code: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
}

/// What the functions are called.
struct Names {
    device: &'static str,
    version: &'static str,
    error_string: &'static str,
    create_program: &'static str,
    destroy_program: &'static str,
    compile_program: &'static str,
    log_size: &'static str,
    log: &'static str,
    code_size: &'static str,
    code: &'static str,
}

const NVRTC: Names = Names {
    device: "nvrtc",
    version: "nvrtcVersion",
    error_string: "nvrtcGetErrorString",
    create_program: "nvrtcCreateProgram",
    destroy_program: "nvrtcDestroyProgram",
    compile_program: "nvrtcCompileProgram",
    log_size: "nvrtcGetProgramLogSize",
    log: "nvrtcGetProgramLog",
    code_size: "nvrtcGetCUBINSize",
    code: "nvrtcGetCUBIN",
};

const HIPRTC: Names = Names {
    device: "hiprtc",
    version: "hiprtcVersion",
    error_string: "hiprtcGetErrorString",
    create_program: "hiprtcCreateProgram",
    destroy_program: "hiprtcDestroyProgram",
    compile_program: "hiprtcCompileProgram",
    log_size: "hiprtcGetProgramLogSize",
    log: "hiprtcGetProgramLog",
    code_size: "hiprtcGetCodeSize",
    code: "hiprtcGetCode",
};

/// NVRTC's result for text that does not compile; hipRTC's too.
const COMPILATION: c_int = 6;

/// A compiler that is a library.
#[derive(Clone, Debug)]
pub struct Rtc {
    names: &'static str,
    call: &'static str,
    functions: Functions,
    name_and_version: String,
}

impl Rtc {
    pub(super) fn nvrtc(folders: &[PathBuf]) -> Result<Rtc, DeviceError> {
        let names = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"];
        let builtins = "libnvrtc-builtins.so";
        let mut usual: Vec<PathBuf> = vec![
            "/usr/local/cuda/lib64".into(),
            "/usr/lib/x86_64-linux-gnu".into(),
            "/usr/lib/aarch64-linux-gnu".into(),
            "/usr/lib/wsl/lib".into(),
        ];
        usual.extend(packages());
        // NVRTC asks the loader for its other half by a bare name, which no rule of the loader finds in these folders.
        for folder in folders.iter().chain(&usual) {
            if names.iter().any(|name| folder.join(name).is_file()) {
                preload(folder, builtins);
            }
        }
        let (library, _) = Library::find(NVRTC.device, &names, folders, &usual)?;
        Rtc::of(library, &NVRTC)
    }

    pub(super) fn hiprtc(folders: &[PathBuf]) -> Result<Rtc, DeviceError> {
        let names = [
            "libhiprtc.so.7",
            "libhiprtc.so.6",
            "libhiprtc.so",
            "libamdhip64.so.7",
            "libamdhip64.so.6",
        ];
        let usual = ["/opt/rocm/lib".into(), "/usr/lib/x86_64-linux-gnu".into()];
        let (library, _) = Library::find(HIPRTC.device, &names, folders, &usual)?;
        Rtc::of(library, &HIPRTC)
    }

    fn of(library: Library, names: &Names) -> Result<Rtc, DeviceError> {
        let device = names.device;
        // SAFETY: the fields of `Functions` are of the types that nvrtc.h and hiprtc.h declare for these names.
        let functions = unsafe {
            Functions {
                version: library.function(device, names.version)?,
                error_string: library.function(device, names.error_string)?,
                create_program: library.function(device, names.create_program)?,
                destroy_program: library.function(device, names.destroy_program)?,
                compile_program: library.function(device, names.compile_program)?,
                log_size: library.function(device, names.log_size)?,
                log: library.function(device, names.log)?,
                code_size: library.function(device, names.code_size)?,
                code: library.function(device, names.code)?,
            }
        };
        let mut rtc = Rtc {
            names: device,
            call: names.compile_program,
            functions,
            name_and_version: device.into(),
        };
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both are places for a number.
        rtc.done(names.version, unsafe { (functions.version)(&mut major, &mut minor) })?;
        rtc.name_and_version = format!("{device} {major}.{minor}");
        Ok(rtc)
    }

    /// Its name and version.
    pub fn name_and_version(&self) -> &str {
        &self.name_and_version
    }

    fn done(&self, call: &'static str, code: c_int) -> Result<(), DeviceError> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: the function takes any number and gives a constant text or none.
        let words = unsafe { (self.functions.error_string)(code) };
        let name = match words.is_null() {
            true => "unknown".into(),
            // SAFETY: a text that the library keeps, with its end.
            false => unsafe { CStr::from_ptr(words) }.to_string_lossy().into_owned(),
        };
        Err(DeviceError::Call { device: self.names.into(), call, code, name })
    }

    pub(super) fn compile(
        &self,
        text: &str,
        arch_flag: &str,
        arch: &str,
        flags: &[&str],
    ) -> Result<Compiled, DeviceError> {
        let fail = |log: String| DeviceError::Compile {
            compiler: self.name_and_version.clone(),
            arch: arch.into(),
            log,
        };
        let c_text = |text: &str| {
            CString::new(text).map_err(|_| fail("error: the text has a zero byte".into()))
        };
        let (source, name) = (c_text(text)?, c_text("kernels")?);
        let flags: Vec<CString> =
            [arch_flag].iter().chain(flags).map(|flag| c_text(flag)).collect::<Result<_, _>>()?;
        let flags: Vec<*const c_char> = flags.iter().map(|flag| flag.as_ptr()).collect();
        let mut made = Made { functions: &self.functions, raw: ptr::null_mut() };
        // SAFETY: both texts end and outlive the call; there are no headers.
        self.done("CreateProgram", unsafe {
            (self.functions.create_program)(
                &mut made.raw,
                source.as_ptr(),
                name.as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            )
        })?;
        // SAFETY: the program was made above; the flags are as many as is said, and outlive the call.
        let code = unsafe {
            (self.functions.compile_program)(made.raw, flags.len() as c_int, flags.as_ptr())
        };
        let log = self.bytes(&made, self.functions.log_size, self.functions.log)?;
        let log = String::from_utf8_lossy(&log).trim_matches(['\0', '\n', ' ']).to_string();
        match self.done(self.call, code) {
            Ok(()) => {}
            Err(_) if code == COMPILATION || !log.is_empty() => return Err(fail(log)),
            Err(error) => return Err(error),
        }
        let code = self.bytes(&made, self.functions.code_size, self.functions.code)?;
        if code.is_empty() {
            return Err(fail(format!("error: it has no machine code for {arch}")));
        }
        Ok(Compiled { code, log })
    }

    /// What a pair of functions gives: how many bytes, and these.
    fn bytes(
        &self,
        made: &Made,
        size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
        get: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
    ) -> Result<Vec<u8>, DeviceError> {
        let mut count = 0usize;
        // SAFETY: the program is alive, and `count` is a place for a size.
        self.done("asking for a size", unsafe { size(made.raw, &mut count) })?;
        let mut bytes = vec![0u8; count];
        if count > 0 {
            // SAFETY: the program is alive, and there is room for as many bytes as it said.
            self.done("asking for bytes", unsafe { get(made.raw, bytes.as_mut_ptr().cast()) })?;
        }
        Ok(bytes)
    }
}

/// A program of the library, destroyed with its holder.
struct Made<'a> {
    functions: &'a Functions,
    raw: Program,
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: the program was made by this library and is not used again.
            unsafe { (self.functions.destroy_program)(&mut self.raw) };
        }
    }
}

/// Folders of Python's packages that hold NVRTC.
fn packages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for root in ["/usr/local/lib", "/usr/lib", "/opt/conda/lib"] {
        for python in folders(Path::new(root), "python3") {
            for packages in ["site-packages", "dist-packages"] {
                let vendor = python.join(packages).join("nvidia");
                for part in ["cu13/lib", "cuda_nvrtc/lib"] {
                    found.push(vendor.join(part));
                }
            }
        }
    }
    found.retain(|folder| folder.is_dir());
    found
}

fn folders(root: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .collect();
    all.sort();
    all
}
