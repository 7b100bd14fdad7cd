//! A HIP driver whose one device is a gfx1201 in software: the functions of `hip_runtime_api.h` that Evenweave's HIP device
//! calls, over the crate `evenweave-gfx12`. Their names are HIP's; it stands in for `libamdhip64.so` and is found as
//! `libevenweave_hip_emulated.so`.
//!
//! Invariants
//! - What HIP validates is validated. What it does later is done as late as can be: when somebody waits for it.
//! - A place that is asked for as null, a handle that is none, and a panic inside are error codes.
//! - `evenweaveFault` is the one function that HIP does not have: it says in words why a stream failed.
//!
//! Deliberately absent: hipRTC (kernels are compiled by clang), printing, the heap of kernels, several devices.

mod code;
mod driver;
mod handles;
mod settings;
mod stream;
#[cfg(test)]
mod tests;

use code::{Code, Done, number};
use driver::{Graph, driver};
use evenweave_gfx12::{
    co::Arg,
    dispatch::{MOST_SHARED_BYTES, MOST_THREADS},
    module::{explicit_bytes, is_explicit},
};
use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};
use stream::{Event, Host, MEMORY_BYTES, Work};

/// HIP's version that this is like: 6.4.
const VERSION: c_int = 60_400_000;
/// What the device is called.
const NAME: &CStr = c"gfx1201, emulated";
const UUID: [u8; 16] = *b"emulated-gfx1201";

/// Which device it is. One whose approximations are off is another: what was measured of the first is not true of it.
fn own_uuid() -> [u8; 16] {
    let perturb = settings::options().ok().and_then(|options| options.perturb);
    let Some(seed) = perturb else { return UUID };
    let mut bytes = *b"gfx1201~\0\0\0\0\0\0\0\0";
    bytes[8..].copy_from_slice(&seed.to_le_bytes());
    bytes
}

/// Runs a function's body.
fn guard(body: impl FnOnce() -> Done) -> c_int {
    number(catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(Code::Unknown)))
}

/// Puts a result in its place.
///
/// # Safety
/// The place is null or may be written.
unsafe fn put<T>(place: *mut T, value: T) -> Done {
    if place.is_null() {
        return Err(Code::InvalidValue);
    }
    // SAFETY: the caller's.
    unsafe { place.write(value) };
    Ok(())
}

fn device_of(number: c_int) -> Done {
    if number == 0 { Ok(()) } else { Err(Code::InvalidDevice) }
}

/// `hipInit`.
#[unsafe(no_mangle)]
pub extern "C" fn hipInit(flags: c_uint) -> c_int {
    guard(|| {
        if let Err(why) = settings::options() {
            eprintln!("{why}");
            return Err(Code::InvalidValue);
        }
        if flags == 0 { Ok(()) } else { Err(Code::InvalidValue) }
    })
}

macro_rules! entry {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// As HIP's function of this name demands: places are null or may be written, texts end.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> c_int {
                guard(|| $body)
            }
        )*
    };
}

entry! {
    /// `hipDriverGetVersion`.
    fn hipDriverGetVersion(version: *mut c_int) {
        // SAFETY: the caller's place.
        unsafe { put(version, VERSION) }
    }

    /// `hipGetDeviceCount`.
    fn hipGetDeviceCount(count: *mut c_int) {
        // SAFETY: the caller's place.
        unsafe { put(count, 1) }
    }

    /// `hipDeviceGet`.
    fn hipDeviceGet(device: *mut c_int, ordinal: c_int) {
        device_of(ordinal)?;
        // SAFETY: the caller's place.
        unsafe { put(device, ordinal) }
    }

    /// `hipDeviceGetName`.
    fn hipDeviceGetName(name: *mut c_char, room: c_int, device: c_int) {
        device_of(device)?;
        let text = NAME.to_bytes_with_nul();
        if name.is_null() || usize::try_from(room).is_ok_and(|room| room < text.len()) || room <= 0 {
            return Err(Code::InvalidValue);
        }
        // SAFETY: the caller's place has as much room as it says.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr().cast(), name, text.len()) };
        Ok(())
    }

    /// `hipDeviceTotalMem`.
    fn hipDeviceTotalMem(bytes: *mut usize, device: c_int) {
        device_of(device)?;
        // SAFETY: the caller's place.
        unsafe { put(bytes, MEMORY_BYTES as usize) }
    }

    /// `hipDeviceGetUuid`.
    fn hipDeviceGetUuid(uuid: *mut [u8; 16], device: c_int) {
        device_of(device)?;
        // SAFETY: the caller's place.
        unsafe { put(uuid, own_uuid()) }
    }

    /// `hipDrvGetErrorName`.
    fn hipDrvGetErrorName(code: c_int, name: *mut *const c_char) {
        let text = code::name(code).ok_or(Code::InvalidValue)?;
        // SAFETY: the caller's place.
        unsafe { put(name, text.as_ptr()) }
    }

    /// `hipSetDevice`.
    fn hipSetDevice(device: c_int) {
        device_of(device)
    }

    /// `hipGetDevicePropertiesR0600`: the fields that describe a device of this kind; all others are 0.
    fn hipGetDevicePropertiesR0600(properties: *mut u8, device: c_int) {
        device_of(device)?;
        if properties.is_null() {
            return Err(Code::InvalidValue);
        }
        let bytes = properties_bytes();
        // SAFETY: the caller's structure has as many bytes as HIP's.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), properties, bytes.len()) };
        Ok(())
    }

    /// `hipStreamCreateWithFlags`.
    fn hipStreamCreateWithFlags(stream: *mut usize, flags: c_uint) {
        if flags > 1 {
            return Err(Code::InvalidValue);
        }
        // SAFETY: the caller's place.
        unsafe { put(stream, driver().make_stream()) }
    }

    /// `hipStreamDestroy`.
    fn hipStreamDestroy(stream: usize) {
        driver().streams.get(stream)?;
        driver().streams.take(stream)?.finish()
    }

    /// `hipStreamQuery`.
    fn hipStreamQuery(stream: usize) {
        driver().stream(stream)?.query()
    }

    /// `hipStreamSynchronize`.
    fn hipStreamSynchronize(stream: usize) {
        driver().stream(stream)?.finish()
    }

    /// `hipDeviceGetDefaultMemPool`: the pools of all streams are one thing here.
    fn hipDeviceGetDefaultMemPool(pool: *mut usize, device: c_int) {
        device_of(device)?;
        // SAFETY: the caller's place.
        unsafe { put(pool, POOL) }
    }

    /// `hipMemPoolSetAttribute`: what a pool keeps is of no consequence here.
    fn hipMemPoolSetAttribute(pool: usize, _which: c_int, value: *mut c_void) {
        if pool != POOL { Err(Code::InvalidHandle) }
        else if value.is_null() { Err(Code::InvalidValue) }
        else { Ok(()) }
    }

    /// `hipMemPoolTrimTo`.
    fn hipMemPoolTrimTo(pool: usize, _bytes: usize) {
        if pool == POOL { Ok(()) } else { Err(Code::InvalidHandle) }
    }

    /// `hipMallocAsync`.
    fn hipMallocAsync(address: *mut u64, bytes: usize, stream: usize) {
        driver().stream(stream)?;
        let made = if bytes == 0 { 0 } else { driver().alloc(bytes, stream)? };
        // SAFETY: the caller's place.
        unsafe { put(address, made) }
    }

    /// `hipFreeAsync`.
    fn hipFreeAsync(address: u64, stream: usize) {
        driver().free(address, stream)
    }

    /// `hipMemcpyHtoDAsync`.
    fn hipMemcpyHtoDAsync(to: u64, from: *mut c_void, bytes: usize, stream: usize) {
        if from.is_null() && bytes > 0 {
            return Err(Code::InvalidValue);
        }
        driver().copy_in(to, Host(from.cast()), bytes, stream)
    }

    /// `hipMemcpyDtoHAsync`.
    fn hipMemcpyDtoHAsync(to: *mut c_void, from: u64, bytes: usize, stream: usize) {
        if to.is_null() && bytes > 0 {
            return Err(Code::InvalidValue);
        }
        driver().copy_out(Host(to.cast()), from, bytes, stream)
    }

    /// `hipMemsetD8Async`.
    fn hipMemsetD8Async(to: u64, byte: u8, bytes: usize, stream: usize) {
        driver().stream(stream)?.ask(Work::Fill { to, byte, bytes: bytes as u64 })
    }

    /// `hipHostMalloc`.
    fn hipHostMalloc(memory: *mut *mut c_void, bytes: usize, flags: c_uint) {
        if flags != 0 {
            return Err(Code::NotSupported);
        }
        // SAFETY: the caller's place.
        unsafe { put(memory, driver().pin(bytes)?.cast()) }
    }

    /// `hipHostFree`, which waits for the device as HIP says of it.
    fn hipHostFree(memory: *mut c_void) {
        driver().unpin(memory as usize)
    }

    /// `hipModuleLoadData`.
    fn hipModuleLoadData(module: *mut usize, image: *const u8) {
        if image.is_null() {
            return Err(Code::InvalidValue);
        }
        // SAFETY: the caller's image is whole: its own head says how long it is.
        let image = unsafe { image_bytes(image) }?;
        // SAFETY: the caller's place.
        unsafe { put(module, driver().load(image)?) }
    }

    /// `hipModuleUnload`.
    fn hipModuleUnload(module: usize) {
        driver().unload(module)
    }

    /// `hipModuleGetFunction`.
    fn hipModuleGetFunction(function: *mut usize, module: usize, name: *const c_char) {
        if name.is_null() {
            return Err(Code::InvalidValue);
        }
        // SAFETY: the caller's text ends.
        let name = unsafe { CStr::from_ptr(name) }.to_str().map_err(|_| Code::NotFound)?;
        // SAFETY: the caller's place.
        unsafe { put(function, driver().function(module, name)?) }
    }

    /// `hipModuleLaunchKernel`, with arguments in `params` or packed in `extra`.
    fn hipModuleLaunchKernel(function: usize, x: c_uint, y: c_uint, z: c_uint, tx: c_uint, ty: c_uint, tz: c_uint,
        shared_bytes: c_uint, stream: usize, params: *mut *mut c_void, extra: *mut *mut c_void) {
        let (groups, threads) = ([x, y, z], [tx, ty, tz]);
        driver().launch(function, groups, threads, shared_bytes, stream, |kernel| {
            let bytes = explicit_bytes(kernel);
            match (params.is_null(), extra.is_null()) {
                // SAFETY: the caller's `params` has a place for each argument of the kernel.
                (false, true) => unsafe { gather(&kernel.args, bytes, params) },
                // SAFETY: the caller's list ends as HIP says.
                (true, false) => unsafe { packed(bytes, extra) },
                (true, true) if bytes == 0 => Ok(Vec::new()),
                (true, true) | (false, false) => Err(Code::InvalidValue),
            }
        })
    }

    /// `hipEventCreateWithFlags`.
    fn hipEventCreateWithFlags(event: *mut usize, flags: c_uint) {
        let made = driver().events.put(Arc::new(Event::new(flags & WITHOUT_TIME == 0)));
        // SAFETY: the caller's place.
        unsafe { put(event, made) }
    }

    /// `hipEventDestroy`.
    fn hipEventDestroy(event: usize) {
        driver().events.take(event).map(|_| ())
    }

    /// `hipEventRecord`.
    fn hipEventRecord(event: usize, stream: usize) {
        driver().stream(stream)?.record(&driver().events.get(event)?)
    }

    /// `hipEventQuery`: what stands before the event has not ended when somebody asks for the first time.
    fn hipEventQuery(event: usize) {
        driver().events.get(event)?.query()
    }

    /// `hipEventSynchronize`.
    fn hipEventSynchronize(event: usize) {
        driver().events.get(event)?.finish()
    }

    /// `hipEventElapsedTime`, by the host's clock.
    fn hipEventElapsedTime(ms: *mut f32, start: usize, end: usize) {
        let (start, end) = (driver().events.get(start)?, driver().events.get(end)?);
        // SAFETY: the caller's place.
        unsafe { put(ms, end.ms_since(&start)?) }
    }

    /// `hipStreamBeginCapture`.
    fn hipStreamBeginCapture(stream: usize, mode: c_int) {
        if stream == 0 || !(0..=2).contains(&mode) {
            return Err(Code::InvalidValue);
        }
        driver().stream(stream)?.begin_capture()
    }

    /// `hipStreamEndCapture`.
    fn hipStreamEndCapture(stream: usize, graph: *mut usize) {
        let work = driver().stream(stream)?.end_capture()?;
        // SAFETY: the caller's place.
        unsafe { put(graph, driver().graphs.put(Arc::new(Graph(work)))) }
    }

    /// `hipGraphInstantiateWithFlags`.
    fn hipGraphInstantiateWithFlags(exec: *mut usize, graph: usize, flags: u64) {
        if flags != 0 {
            return Err(Code::InvalidValue);
        }
        let graph = driver().graphs.get(graph)?;
        // SAFETY: the caller's place.
        unsafe { put(exec, driver().execs.put(Arc::new(Graph(graph.0.clone())))) }
    }

    /// `hipGraphLaunch`.
    fn hipGraphLaunch(exec: usize, stream: usize) {
        let (graph, stream) = (driver().execs.get(exec)?, driver().stream(stream)?);
        graph.0.iter().try_for_each(|work| stream.ask(work.clone()))
    }

    /// `hipGraphExecDestroy`.
    fn hipGraphExecDestroy(exec: usize) {
        driver().execs.take(exec).map(|_| ())
    }

    /// `hipGraphDestroy`.
    fn hipGraphDestroy(graph: usize) {
        driver().graphs.take(graph).map(|_| ())
    }
}

/// Says in words why a stream failed, as a text that ends, cut to the room; returns its length, 0 where nothing failed.
///
/// # Safety
/// The room has so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenweaveFault(stream: usize, to: *mut c_char, room: usize) -> usize {
    let Ok(stream) = driver().stream(stream) else { return 0 };
    let Some(text) = stream.fault() else { return 0 };
    if to.is_null() || room == 0 {
        return text.len();
    }
    let bytes = text.len().min(room - 1);
    // SAFETY: the caller's room has one byte more at least.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), to, bytes);
        to.add(bytes).write(0);
    }
    text.len()
}

/// The handle of the one pool.
const POOL: usize = 0x71;
/// The flag of an event that keeps no time.
const WITHOUT_TIME: c_uint = 2;

/// `hipDeviceProp_tR0600`, as HIP 6 has it.
fn properties_bytes() -> Vec<u8> {
    let mut bytes = vec![0; 1472];
    let mut at =
        |offset: usize, value: &[u8]| bytes[offset..offset + value.len()].copy_from_slice(value);
    at(0, NAME.to_bytes());
    at(256, &own_uuid());
    at(288, &MEMORY_BYTES.to_le_bytes());
    at(296, &u64::from(MOST_SHARED_BYTES).to_le_bytes());
    // Lanes of a wave, threads of a group, and how many along x, y and z.
    at(308, &32u32.to_le_bytes());
    for offset in [320, 324, 328, 332] {
        at(offset, &MOST_THREADS.to_le_bytes());
    }
    for (offset, most) in [(336, i32::MAX), (340, 65_535), (344, 65_535)] {
        at(offset, &most.to_le_bytes());
    }
    // Major and minor of the architecture.
    at(360, &12u32.to_le_bytes());
    at(364, &0u32.to_le_bytes());
    at(1160, b"gfx1201");
    bytes
}

/// The bytes of a code object, as long as the tables that its head names.
///
/// # Safety
/// The image begins with 64 bytes, and is as long as its head says.
unsafe fn image_bytes<'a>(image: *const u8) -> Done<&'a [u8]> {
    // SAFETY: the caller's.
    let head = unsafe { std::slice::from_raw_parts(image, 64) };
    if head[..6] != *b"\x7fELF\x02\x01" {
        return Err(Code::InvalidImage);
    }
    let half = |at: usize| u64::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let wide = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes"));
    // The table of sections is the last thing in a file, or else that of segments.
    let end = |first: usize, each: usize, count: usize| {
        half(each).checked_mul(half(count)).and_then(|table| table.checked_add(wide(first)))
    };
    let ends = [end(40, 58, 60), end(32, 54, 56)];
    let bytes = ends.into_iter().flatten().max().filter(|&n| (64..1 << 32).contains(&n));
    let bytes = bytes.ok_or(Code::InvalidImage)?;
    // SAFETY: the caller's.
    Ok(unsafe { std::slice::from_raw_parts(image, bytes as usize) })
}

/// Arguments from a place each, as the kernel's metadata lays them out.
///
/// # Safety
/// `params` has a place for each argument, with as many bytes as the argument.
unsafe fn gather(args: &[Arg], bytes: usize, params: *mut *mut c_void) -> Done<Vec<u8>> {
    let mut kernarg = vec![0; bytes];
    for (i, arg) in args.iter().filter(|arg| is_explicit(arg)).enumerate() {
        // SAFETY: the caller's.
        let place = unsafe { *params.add(i) };
        if place.is_null() {
            return Err(Code::InvalidValue);
        }
        let (at, size) = (arg.offset_bytes as usize, arg.size_bytes as usize);
        let to = kernarg.get_mut(at..at + size).ok_or(Code::InvalidImage)?;
        // SAFETY: the caller's.
        unsafe { std::ptr::copy_nonoverlapping(place.cast(), to.as_mut_ptr(), size) };
    }
    Ok(kernarg)
}

/// Arguments that the caller has packed: `HIP_LAUNCH_PARAM_BUFFER_POINTER` and `HIP_LAUNCH_PARAM_BUFFER_SIZE`.
///
/// # Safety
/// The list ends with `HIP_LAUNCH_PARAM_END`, and the buffer has as many bytes as is said.
unsafe fn packed(bytes: usize, extra: *mut *mut c_void) -> Done<Vec<u8>> {
    let (mut buffer, mut size) = (std::ptr::null::<u8>(), 0usize);
    let mut i = 0;
    loop {
        // SAFETY: the caller's.
        let (key, value) = unsafe { (*extra.add(i) as usize, extra.add(i + 1)) };
        match key {
            // SAFETY: a value follows each of these two keys.
            1 => buffer = unsafe { *value }.cast(),
            // SAFETY: as above; the value is where the size is.
            2 => size = unsafe { (*value).cast::<usize>().read() },
            3 => break,
            _ => return Err(Code::InvalidValue),
        }
        i += 2;
    }
    if buffer.is_null() || size < bytes {
        return Err(Code::InvalidValue);
    }
    // SAFETY: the caller's.
    Ok(unsafe { std::slice::from_raw_parts(buffer, bytes) }.to_vec())
}
