//! An opened device: its context, its stream, and waiting for it.
//!
//! Invariants
//! - One stream takes all that is asked for, in order.
//! - Every public way in makes the device the thread's current one first.
//! - A device that trapped or hung stays lost: it is asked for nothing more, and nothing of it is given back.
//! - Nothing waits without a bound. A driver whose own queue is full makes a launch wait for as long as the work before it
//!   takes, so the queue is never filled: every so many launches the host sees that those before have ended.

use super::driver::{Code, Driver, Handle, done};
use crate::error::DeviceError;
use std::{
    ffi::{c_int, c_void},
    ptr,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// How long a launch may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);
/// Launches between two looks whether those before have ended; drivers queue about four times as many.
const LOOK_LAUNCHES: u32 = 256;
/// Modules that nobody has any more, before it is tried to unload them.
const MANY_UNUSED: usize = 64;
/// Bytes of each of the two pinned pieces that copies go through.
const PIECE_BYTES: usize = 4 << 20;
/// An event without a time is cheaper.
const WITHOUT_TIME: u32 = 2;
/// A stream that waits for no other.
const NON_BLOCKING: u32 = 1;
/// The attribute of a pool that says how much it keeps.
const RELEASE_THRESHOLD: c_int = 4;

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) struct Gpu {
    pub(super) driver: &'static Driver,
    pub(super) name: String,
    device: c_int,
    context: Handle,
    pub(super) stream: Handle,
    /// The stream on which sequences are recorded; one at a time.
    pub(super) recorder: Mutex<Handle>,
    /// Why it is lost.
    lost: OnceLock<DeviceError>,
    staging: Mutex<[Piece; 2]>,
    /// Start and end of what is timed.
    pub(super) timer: Mutex<[Handle; 2]>,
    /// Modules that nobody has any more, but that launches under way may still run.
    unused: Mutex<Vec<Handle>>,
    looks: Mutex<Looks>,
    pool: Handle,
    patience: Duration,
}

/// How far the host is ahead of the device.
struct Looks {
    launches: u32,
    /// In the stream after the last `LOOK_LAUNCHES`, and after those before them.
    marks: [Handle; 2],
}

/// Pinned memory, and when the last copy through it has ended.
struct Piece {
    memory: *mut c_void,
    ended: Handle,
}

// SAFETY: the memory belongs to the piece alone, and the driver's handles may be used by any thread.
unsafe impl Send for Piece {}

impl Piece {
    const NONE: Piece = Piece { memory: ptr::null_mut(), ended: Handle::NONE };
}

impl Gpu {
    pub(super) fn open(
        driver: &'static Driver,
        device: c_int,
        name: &str,
        patience: Duration,
    ) -> Result<Gpu, DeviceError> {
        let context = driver.context(device);
        let context = context.map_err(|code| driver.failed(name, "opening the context", code))?;
        // What is made from here on goes when this is dropped, if a later step fails.
        let mut gpu = Gpu {
            driver,
            name: name.into(),
            device,
            context,
            stream: Handle::NONE,
            recorder: Mutex::new(Handle::NONE),
            lost: OnceLock::new(),
            staging: Mutex::new([Piece::NONE; 2]),
            timer: Mutex::new([Handle::NONE; 2]),
            unused: Mutex::default(),
            looks: Mutex::new(Looks { launches: 0, marks: [Handle::NONE; 2] }),
            pool: Handle::NONE,
            patience,
        };
        gpu.enter()?;
        gpu.stream = gpu.make_stream()?;
        let recorder = gpu.make_stream()?;
        *lock(&gpu.recorder) = recorder;
        for i in 0..2 {
            let time = gpu.make_event(0)?;
            lock(&gpu.timer)[i] = time;
            let mark = gpu.make_event(WITHOUT_TIME)?;
            lock(&gpu.looks).marks[i] = mark;
            let ended = gpu.make_event(WITHOUT_TIME)?;
            lock(&gpu.staging)[i].ended = ended;
            let memory = gpu.pin()?;
            lock(&gpu.staging)[i].memory = memory;
        }
        gpu.pool = keep_memory(driver, device)
            .map_err(|code| gpu.failed("setting up the memory pool", code))?;
        Ok(gpu)
    }

    fn make_stream(&self) -> Result<Handle, DeviceError> {
        let mut stream = Handle::NONE;
        // SAFETY: a place for a stream; the device is current.
        let made = unsafe { (self.driver.f.stream_create)(&mut stream, NON_BLOCKING) };
        self.call("making a stream", made).map(|()| stream)
    }

    fn make_event(&self, flags: u32) -> Result<Handle, DeviceError> {
        let mut event = Handle::NONE;
        // SAFETY: a place for an event; the device is current.
        let made = unsafe { (self.driver.f.event_create)(&mut event, flags) };
        self.call("making an event", made).map(|()| event)
    }

    fn pin(&self) -> Result<*mut c_void, DeviceError> {
        let mut memory = ptr::null_mut();
        // SAFETY: a place for a pointer; the device is current.
        let made = unsafe { (self.driver.f.pinned)(&mut memory, PIECE_BYTES, 0) };
        self.call("pinning memory", made).map(|()| memory)
    }

    /// Makes the device this thread's current one; or says that it is lost.
    pub(super) fn enter(&self) -> Result<(), DeviceError> {
        self.alive()?;
        self.driver
            .make_current(self.device, self.context)
            .map_err(|code| self.failed("making the context current", code))
    }

    fn is_lost(&self) -> bool {
        self.lost.get().is_some()
    }

    pub(super) fn alive(&self) -> Result<(), DeviceError> {
        match self.lost.get() {
            Some(why) => Err(why.clone()),
            None => Ok(()),
        }
    }

    /// A call that failed; what the device does not survive loses it.
    pub(super) fn failed(&self, call: &'static str, code: Code) -> DeviceError {
        if !code.is_sticky() {
            return self.driver.failed(&self.name, call, code);
        }
        let mut why = format!("{call} failed: {} ({})", self.driver.name(code), code.0);
        if let Some(fault) = self.driver.fault(self.stream) {
            why += &format!(": {fault}");
        }
        self.lose(DeviceError::Lost { device: self.name.clone(), why: Some(why) })
    }

    fn lose(&self, why: DeviceError) -> DeviceError {
        self.lost.get_or_init(|| match &why {
            // Later calls say that it is lost, whatever this one says.
            DeviceError::Hung { device, seconds } => DeviceError::Lost {
                device: device.clone(),
                why: Some(format!("a launch did not end within {seconds} s")),
            },
            other => other.clone(),
        });
        why
    }

    /// Calls the driver.
    pub(super) fn call(&self, call: &'static str, code: c_int) -> Result<(), DeviceError> {
        done(code).map_err(|code| self.failed(call, code))
    }

    /// Waits until all that was in the stream before the event has ended.
    pub(super) fn wait_event(&self, event: Handle) -> Result<(), DeviceError> {
        let started = Instant::now();
        loop {
            // SAFETY: the event is alive.
            match done(unsafe { (self.driver.f.event_query)(event) }) {
                Ok(()) => return Ok(()),
                Err(Code::NOT_READY) => {}
                Err(code) => return Err(self.failed("a launch", code)),
            }
            let waited = started.elapsed();
            if waited > self.patience {
                let seconds = self.patience.as_secs();
                return Err(self.lose(DeviceError::Hung { device: self.name.clone(), seconds }));
            }
            // Short work is awaited awake.
            match waited.as_micros() {
                0..=200 => std::hint::spin_loop(),
                201..=2000 => thread::yield_now(),
                _ => thread::sleep(Duration::from_micros(200)),
            }
        }
    }

    /// Waits for all that was asked for until now; what other threads ask for meanwhile is not waited for.
    pub(super) fn finish(&self) -> Result<(), DeviceError> {
        let f = &self.driver.f;
        let unused = std::mem::take(&mut *lock(&self.unused));
        let end = self.make_event(WITHOUT_TIME)?;
        // SAFETY: event and stream are alive.
        let asked = self.call("recording an event", unsafe { (f.event_record)(end, self.stream) });
        let ended = asked.and_then(|()| self.wait_event(end));
        if !self.is_lost() {
            // SAFETY: nobody else has the event.
            let _ = unsafe { (f.event_destroy)(end) };
        }
        match ended {
            Ok(()) => self.unload(unused),
            Err(_) => lock(&self.unused).extend(unused),
        }
        ended
    }

    /// Unloads modules that nobody has. What was launched before they were put away has ended.
    fn unload(&self, unused: Vec<Handle>) {
        for module in unused {
            // SAFETY: as said above.
            let _ = unsafe { (self.driver.f.module_unload)(module) };
        }
    }

    /// Puts a module away that nobody has any more. Those that no launch under way can run are unloaded now and then.
    pub(super) fn put_away(&self, module: Handle) {
        let mut unused = lock(&self.unused);
        unused.push(module);
        if unused.len() < MANY_UNUSED || self.enter().is_err() {
            return;
        }
        // SAFETY: the stream is alive.
        if unsafe { (self.driver.f.stream_query)(self.stream) } == 0 {
            self.unload(std::mem::take(&mut *unused));
        }
    }

    /// Counts a launch, and waits where the host is too far ahead.
    pub(super) fn launched(&self) -> Result<(), DeviceError> {
        let mut looks = lock(&self.looks);
        looks.launches += 1;
        if looks.launches < LOOK_LAUNCHES {
            return Ok(());
        }
        looks.launches = 0;
        looks.marks.swap(0, 1);
        let [now, before] = looks.marks;
        // SAFETY: event and stream are alive.
        self.call("recording an event", unsafe { (self.driver.f.event_record)(now, self.stream) })?;
        self.wait_event(before)
    }

    /// Gives memory that the pool keeps back to the driver.
    pub(super) fn trim(&self) {
        // SAFETY: the pool is the device's own. What cannot be given back stays.
        let _ = unsafe { (self.driver.f.pool_trim)(self.pool, 0) };
    }

    /// Copies bytes to the device's memory at an address. When it returns the bytes are the caller's again.
    pub(super) fn copy_in(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        let f = &self.driver.f;
        let staging = lock(&self.staging);
        for (i, part) in bytes.chunks(PIECE_BYTES).enumerate() {
            let piece = &staging[i % 2];
            self.wait_event(piece.ended)?;
            // SAFETY: the part fits the piece, which no copy uses any more; the address has room for all bytes.
            let copied = unsafe {
                ptr::copy_nonoverlapping(part.as_ptr(), piece.memory.cast(), part.len());
                let to = address + (i * PIECE_BYTES) as u64;
                (f.copy_in)(to, piece.memory, part.len(), self.stream)
            };
            self.call("copying to the device", copied)?;
            // SAFETY: event and stream are alive.
            self.call("recording an event", unsafe { (f.event_record)(piece.ended, self.stream) })?;
        }
        Ok(())
    }

    /// Copies bytes from the device's memory at an address, after all that was asked for.
    pub(super) fn copy_out(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        let f = &self.driver.f;
        let staging = lock(&self.staging);
        let parts = bytes.len().div_ceil(PIECE_BYTES);
        let part_bytes = |i: usize| PIECE_BYTES.min(bytes.len() - i * PIECE_BYTES);
        let begin = |i: usize, len: usize| -> Result<(), DeviceError> {
            let piece = &staging[i % 2];
            self.wait_event(piece.ended)?;
            let from = address + (i * PIECE_BYTES) as u64;
            // SAFETY: the part fits the piece, which no copy uses any more; the memory has all these bytes.
            let copied = unsafe { (f.copy_out)(piece.memory, from, len, self.stream) };
            self.call("copying from the device", copied)?;
            // SAFETY: event and stream are alive.
            self.call("recording an event", unsafe { (f.event_record)(piece.ended, self.stream) })
        };
        let sizes: Vec<usize> = (0..parts).map(part_bytes).collect();
        if parts > 0 {
            begin(0, sizes[0])?;
        }
        for (i, &len) in sizes.iter().enumerate() {
            if i + 1 < parts {
                begin(i + 1, sizes[i + 1])?;
            }
            self.wait_event(staging[i % 2].ended)?;
            let to = &mut bytes[i * PIECE_BYTES..][..len];
            // SAFETY: the copy of this part has ended, and the piece holds so many bytes.
            unsafe { ptr::copy_nonoverlapping(staging[i % 2].memory.cast(), to.as_mut_ptr(), len) };
        }
        Ok(())
    }
}

/// Freed memory stays the process's, for the next allocation.
fn keep_memory(driver: &Driver, device: c_int) -> Result<Handle, Code> {
    let mut pool = Handle::NONE;
    let mut all = u64::MAX;
    // SAFETY: a place for a pool, and one for the 64 bits that this attribute has.
    unsafe {
        done((driver.f.default_pool)(&mut pool, device))?;
        done((driver.f.pool_set)(pool, RELEASE_THRESHOLD, ptr::from_mut(&mut all).cast()))?;
    }
    Ok(pool)
}

impl Drop for Gpu {
    fn drop(&mut self) {
        let idle = || match self.stream {
            Handle::NONE => Ok(()),
            _ => self.finish(),
        };
        if self.enter().and_then(|()| idle()).is_err() {
            return;
        }
        let f = &self.driver.f;
        let staging = self.staging.get_mut().unwrap_or_else(PoisonError::into_inner);
        let timer = self.timer.get_mut().unwrap_or_else(PoisonError::into_inner);
        let looks = self.looks.get_mut().unwrap_or_else(PoisonError::into_inner);
        let recorder = self.recorder.get_mut().unwrap_or_else(PoisonError::into_inner);
        let pieces = staging.each_ref().map(|piece| piece.ended);
        let is_made = |handle: &Handle| *handle != Handle::NONE;
        // SAFETY: the stream is idle and nothing that belongs to this is used again. Failures have nobody left to tell.
        unsafe {
            for piece in staging.iter().filter(|piece| !piece.memory.is_null()) {
                let _ = (f.pinned_free)(piece.memory);
            }
            for event in [*timer, looks.marks, pieces].concat().into_iter().filter(is_made) {
                let _ = (f.event_destroy)(event);
            }
            for stream in [*recorder, self.stream].into_iter().filter(is_made) {
                let _ = (f.stream_destroy)(stream);
            }
        }
    }
}
