//! A stream: work in order, done late, on a machine of its own.
//!
//! Invariants
//! - What is asked for is done when somebody waits for it and not before, so that a host that does not wait finds nothing done. Who asks
//!   an event once and does not look at the answer has not waited.
//! - What is in no order with a stream's work comes before it, if that is what shows a mistake: memory that another stream gives
//!   back, and modules that are unloaded, are gone at once.
//! - Each stream has memory of its own, at addresses that no other stream has: streams of different threads run at once, and a
//!   kernel that is given another stream's memory faults. HIP allows that after synchronising; here it is refused.
//! - A stream whose launch faulted does nothing more, and says so at every call.

use crate::{
    code::{Code, Done},
    handles::lock,
    settings,
};
use evenweave_gfx12::{Launch, LaunchError, Machine, Module, Options};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// Bytes that a stream can have.
pub(crate) const MEMORY_BYTES: u64 = 4 << 30;

/// A place of the host's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Host(pub(crate) *mut u8);

// SAFETY: what the pointer leads to is read and written by the thread that does the work, as HIP's interface says it may be.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

/// A module that was loaded, and maybe unloaded since.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) module: Arc<Module>,
    /// Its code is in the device's memory no more.
    pub(crate) unloaded: AtomicBool,
}

/// Something to do.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Launch {
        module: Arc<Loaded>,
        kernel: usize,
        how: Launch,
    },
    /// Pinned memory is read when the copy is done.
    CopyIn {
        to: u64,
        from: Host,
        bytes: usize,
    },
    /// Other memory was read when it was asked for.
    Put {
        to: u64,
        bytes: Vec<u8>,
    },
    CopyOut {
        to: Host,
        from: u64,
        bytes: usize,
    },
    Fill {
        to: u64,
        byte: u8,
        bytes: u64,
    },
    Free {
        address: u64,
    },
    Record {
        event: Arc<Event>,
        number: u64,
    },
}

/// When recorded work had ended.
#[derive(Debug, Default)]
pub(crate) struct Event {
    pub(crate) timed: bool,
    state: Mutex<Recorded>,
}

#[derive(Debug, Default)]
struct Recorded {
    asked: u64,
    done: u64,
    /// The record of which somebody was told that it has not ended.
    told: u64,
    at: Option<Instant>,
    stream: Option<Arc<Stream>>,
}

/// A stream.
#[derive(Debug)]
pub(crate) struct Stream {
    machine: Mutex<Machine>,
    queue: Mutex<VecDeque<Work>>,
    captured: Mutex<Option<Vec<Work>>>,
    failed: OnceLock<(Code, String)>,
}

impl Event {
    pub(crate) fn new(timed: bool) -> Event {
        Event { timed, state: Mutex::default() }
    }

    /// Does what stands before the event's last record. An event that was never recorded has ended.
    pub(crate) fn finish(&self) -> Done {
        let stream = {
            let state = lock(&self.state);
            if state.done == state.asked {
                return Ok(());
            }
            state.stream.clone()
        };
        let Some(stream) = stream else { return Ok(()) };
        stream.run(|| {
            let state = lock(&self.state);
            state.done == state.asked
        })
    }

    /// Whether the event's last record has ended. It has not when it is asked the first time, and does nothing then; who asks
    /// again waits.
    pub(crate) fn query(&self) -> Done {
        {
            let mut state = lock(&self.state);
            if state.done != state.asked && state.told != state.asked {
                state.told = state.asked;
                return Err(Code::NotReady);
            }
        }
        self.finish()
    }

    /// Milliseconds from an event to this one.
    pub(crate) fn ms_since(&self, start: &Event) -> Done<f32> {
        let at = |event: &Event| -> Done<Instant> {
            let state = lock(&event.state);
            match (event.timed, state.at) {
                (false, _) => Err(Code::InvalidHandle),
                (true, Some(at)) if state.done == state.asked => Ok(at),
                (true, Some(_)) => Err(Code::NotReady),
                (true, None) => Err(Code::InvalidHandle),
            }
        };
        let (from, to) = (at(start)?, at(self)?);
        Ok((to.saturating_duration_since(from).as_secs_f64() * 1e3) as f32)
    }
}

impl Stream {
    pub(crate) fn new(number: u16) -> Stream {
        // `hipInit` has refused what is wrong.
        let options = Options { number, ..settings::options().unwrap_or_default() };
        Stream {
            machine: Mutex::new(Machine::new(options)),
            queue: Mutex::default(),
            captured: Mutex::default(),
            failed: OnceLock::new(),
        }
    }

    pub(crate) fn alive(&self) -> Done {
        self.failed.get().map_or(Ok(()), |&(code, _)| Err(code))
    }

    /// What a launch did wrong.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.failed.get().map(|(_, text)| &**text)
    }

    /// Asks for work; a stream that records keeps it instead.
    pub(crate) fn ask(&self, work: Work) -> Done {
        self.alive()?;
        let mut captured = lock(&self.captured);
        match (&mut *captured, &work) {
            (None, _) => lock(&self.queue).push_back(work),
            (Some(_), Work::Free { .. } | Work::Record { .. }) => {
                return Err(Code::StreamCaptureUnsupported);
            }
            (
                Some(list),
                Work::Launch { .. }
                | Work::CopyIn { .. }
                | Work::Put { .. }
                | Work::CopyOut { .. }
                | Work::Fill { .. },
            ) => list.push(work),
        }
        Ok(())
    }

    pub(crate) fn record(self: &Arc<Stream>, event: &Arc<Event>) -> Done {
        let number = {
            let mut state = lock(&event.state);
            state.asked += 1;
            state.stream = Some(self.clone());
            state.asked
        };
        self.ask(Work::Record { event: event.clone(), number })
    }

    pub(crate) fn begin_capture(&self) -> Done {
        let mut captured = lock(&self.captured);
        match *captured {
            Some(_) => Err(Code::IllegalState),
            None => {
                *captured = Some(Vec::new());
                Ok(())
            }
        }
    }

    pub(crate) fn end_capture(&self) -> Done<Vec<Work>> {
        lock(&self.captured).take().ok_or(Code::IllegalState)
    }

    fn is_capturing(&self) -> bool {
        lock(&self.captured).is_some()
    }

    /// Memory, at once: it is used by what is asked for later.
    pub(crate) fn alloc(&self, bytes: usize) -> Done<u64> {
        self.alive()?;
        if self.is_capturing() {
            return Err(Code::StreamCaptureUnsupported);
        }
        lock(&self.machine).memory.alloc(bytes as u64).map_err(|_| Code::OutOfMemory)
    }

    /// Gives memory back that another stream has freed: nothing says that this one's work comes before that.
    pub(crate) fn free_now(&self, address: u64) -> Done {
        lock(&self.machine).memory.free(address).map_err(|_| Code::InvalidValue)
    }

    /// Does all that was asked for.
    pub(crate) fn finish(&self) -> Done {
        if self.is_capturing() {
            return Err(Code::StreamCaptureUnsupported);
        }
        self.run(|| false)
    }

    /// Does one thing, and says whether that was all.
    pub(crate) fn query(&self) -> Done {
        let mut first = true;
        self.run(|| !std::mem::take(&mut first))?;
        if lock(&self.queue).is_empty() { Ok(()) } else { Err(Code::NotReady) }
    }

    /// Does what was asked for, in order, until that is all or it is enough.
    fn run(&self, mut enough: impl FnMut() -> bool) -> Done {
        let mut machine = lock(&self.machine);
        self.alive()?;
        while !enough() {
            let Some(work) = lock(&self.queue).pop_front() else { break };
            if let Err((code, text)) = perform(&mut machine, work) {
                let _ = self.failed.set((code, text));
                lock(&self.queue).clear();
                return Err(code);
            }
        }
        Ok(())
    }
}

/// Does one thing.
fn perform(machine: &mut Machine, work: Work) -> Result<(), (Code, String)> {
    let bad = |error: evenweave_gfx12::mem::MemoryError| (Code::IllegalAddress, error.to_string());
    match work {
        Work::Launch { module, kernel, .. } if module.unloaded.load(Ordering::Acquire) => {
            let name = &module.module.kernels()[kernel].name;
            let text = format!("{name}: its module was unloaded before the launch was done");
            Err((Code::IllegalAddress, text))
        }
        Work::Launch { module, kernel, how } => {
            machine.launch(&module.module, kernel, &how).map(|_| ()).map_err(|error| {
                let code = match &error {
                    LaunchError::Fault(fault) if fault.is_access() => Code::IllegalAddress,
                    LaunchError::Fault(fault) if fault.is_endless() => Code::LaunchTimeOut,
                    LaunchError::Fault(_) => Code::LaunchFailure,
                    LaunchError::Limit { .. } | LaunchError::Memory(_) => {
                        Code::LaunchOutOfResources
                    }
                };
                (code, error.to_string())
            })
        }
        Work::CopyIn { to, from, bytes } => {
            // SAFETY: the host keeps pinned memory until the copy has ended, and freeing it waits for that.
            let from = unsafe { std::slice::from_raw_parts(from.0, bytes) };
            machine.memory.write(to, from).map_err(bad)
        }
        Work::Put { to, bytes } => machine.memory.write(to, &bytes).map_err(bad),
        Work::CopyOut { to, from, bytes } => {
            // SAFETY: as above; and nobody else uses the memory until the copy has ended.
            let to = unsafe { std::slice::from_raw_parts_mut(to.0, bytes) };
            machine.memory.read(from, to).map_err(bad)
        }
        Work::Fill { to, byte, bytes } => machine.memory.fill(to, byte, bytes).map_err(bad),
        Work::Free { address } => machine.memory.free(address).map_err(bad),
        Work::Record { event, number } => {
            let mut state = lock(&event.state);
            if number > state.done {
                (state.done, state.at) = (number, Some(Instant::now()));
            }
            Ok(())
        }
    }
}
