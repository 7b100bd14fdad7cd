//! What goes wrong between a kernel and its results, as facts.
//!
//! Invariants
//! - Callers tell failures apart by variant, never by text; `Display` gives one line (faults: one line each).

use evenweave_codegen::{Fact, PrepareError};
use evenweave_lang::{dtype::DType, launch::LaunchError};
use std::fmt;

/// Why a device did not do what was asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is no such device on this machine.
    #[error("there is no device `{name}` here (devices: {known})")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// More than one device answers to the name.
    #[error("`{name}` could be any of {candidates}")]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// The devices: name and description.
        candidates: String,
    },
    /// Something that was asked for, or is needed, is not on this machine.
    #[error("{device}: there is no {what} here")]
    Missing {
        /// The device.
        device: String,
        /// What is not there.
        what: String,
    },
    /// More bytes than the device takes.
    #[error("{device}: {what} of {bytes} bytes, but at most {limit_bytes} are possible")]
    TooLarge {
        /// The device.
        device: String,
        /// What is too large.
        what: String,
        /// Its bytes.
        bytes: u64,
        /// The device's limit.
        limit_bytes: u64,
    },
    /// A kernel needs more of something than the device has.
    #[error("{device}: {count} {what}, but at most {limit} are possible")]
    Limit {
        /// The device.
        device: String,
        /// Of what.
        what: &'static str,
        /// How many are needed.
        count: u64,
        /// The device's limit.
        limit: u64,
    },
    /// The driver did not do what it should have.
    #[error("{device}: {call} failed with {}", driver_code(*.code))]
    Driver {
        /// The device.
        device: String,
        /// The call.
        call: &'static str,
        /// What it returned, a `VkResult`.
        code: i32,
    },
    /// A driver's or a compiler's function failed.
    #[error("{device}: {call} failed: {name} ({code})")]
    Call {
        /// The device, or the compiler.
        device: String,
        /// The function.
        call: &'static str,
        /// What it returned.
        code: i32,
        /// What it calls that.
        name: String,
    },
    /// A compiler does not take a kernel's text: a fault of what was written for it.
    #[error("{compiler} does not compile for {arch}: {}", first_error(.log))]
    Compile {
        /// The compiler and its version.
        compiler: String,
        /// For which machine.
        arch: String,
        /// All that it said.
        log: String,
    },
    /// The validation layer objects to what a call did.
    #[error("{device}: {call} is not valid: {}", .messages.join("; "))]
    Validation {
        /// The device.
        device: String,
        /// What was asked of the device.
        call: &'static str,
        /// What the layer said.
        messages: Vec<String>,
    },
    /// A launch did not end in time. The device is lost.
    #[error("{device}: a launch did not end within {seconds} s")]
    Hung {
        /// The device.
        device: String,
        /// How long was waited.
        seconds: u64,
    },
    /// The device is gone; nothing more can be asked of it.
    #[error("{device}: the device is lost{}", because(.why))]
    Lost {
        /// The device.
        device: String,
        /// What lost it, where that is known.
        why: Option<String>,
    },
    /// The device computes wrong in a way that nothing makes good.
    #[error("{device} is refused ({driver}): {} does not hold: {witness}", .fact.name())]
    Refused {
        /// The device.
        device: String,
        /// What it is, with its driver and that one's version.
        driver: String,
        /// What does not hold.
        fact: Fact,
        /// The input that shows it.
        witness: String,
    },
    /// The memory cannot be had.
    #[error("{device}: no memory for {elems} elements of {dtype}")]
    OutOfMemory {
        /// The device.
        device: String,
        /// The elements.
        dtype: DType,
        /// How many.
        elems: u64,
    },
    /// A write whose bytes are not those of the memory.
    #[error(
        "{device}: {elems} elements of {dtype} are {want_bytes} bytes, but {got_bytes} were given"
    )]
    Size {
        /// The device.
        device: String,
        /// The elements.
        dtype: DType,
        /// How many.
        elems: u64,
        /// Bytes of the memory.
        want_bytes: u64,
        /// Bytes given.
        got_bytes: u64,
    },
    /// Memory or a program of another device.
    #[error("{device}: {what} belongs to {owner}")]
    Foreign {
        /// The device.
        device: String,
        /// `memory` or `a program`.
        what: &'static str,
        /// Whose it is.
        owner: String,
    },
    /// The kernel cannot become a program: it is malformed, or the device cannot run it honestly.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The launch does not fit what the kernel declares. Nothing ran.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The kernel ran and did what it must not. Outputs are undefined.
    #[error("{}", lines(.0))]
    Faults(Vec<Fault>),
}

fn driver_code(code: i32) -> String {
    format!("{:?} ({code})", ash::vk::Result::from_raw(code))
}

/// The line of a compiler's words that says what is wrong.
fn first_error(log: &str) -> &str {
    let is_error = |line: &&str| line.contains("error");
    let mut lines = log.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().find(is_error).or_else(|| lines.next());
    first.unwrap_or("it does not say why")
}

fn because(why: &Option<String>) -> String {
    why.as_ref().map_or(String::new(), |why| format!(": {why}"))
}

fn lines(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n")
}

/// A place in the author's source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A thread of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Its group in the grid.
    pub group: [u32; 3],
    /// Its place in the group.
    pub thread: [u32; 3],
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([gx, gy, gz], [x, y, z]) = (self.group, self.thread);
        write!(f, "thread ({x}, {y}, {z}) of group ({gx}, {gy}, {gz})")
    }
}

/// Something a kernel did that it must not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kernel} ({site}): {cause}, {place}")]
pub struct Fault {
    /// The kernel.
    pub kernel: String,
    /// The instruction.
    pub site: Site,
    /// The thread.
    pub place: Place,
    /// What it did.
    pub cause: FaultCause,
}

/// How memory was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic update.
    Atomic,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::Atomic => "atomic update",
        })
    }
}

/// What a kernel did.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultCause {
    /// An index past the end. Found always.
    #[error("{access} of `{name}` at index {index}, which has {elems} elements")]
    OutOfBounds {
        /// The buffer, view or array.
        name: String,
        /// How it was touched.
        access: Access,
        /// The element.
        index: u64,
        /// The elements there are.
        elems: u64,
    },
    /// A vector access whose first index is not a multiple of its width. Found always.
    #[error(
        "{access} of {width} elements of `{name}` at index {index}, which is no multiple of {width}"
    )]
    Misaligned {
        /// The buffer, view or array.
        name: String,
        /// How it was touched.
        access: Access,
        /// The first element.
        index: u64,
        /// Elements at once.
        width: u8,
    },
    /// An `assert!` that does not hold. Found always.
    #[error("assertion failed: {text}")]
    Assert {
        /// The author's text.
        text: String,
    },
    /// A group's loops went round more often than `LoadOptions::budget_rounds`. Found always.
    #[error("the loops of a group went round more than {rounds} times")]
    Budget {
        /// The budget.
        rounds: u64,
    },
    /// Two accesses without a barrier between them, one of them a plain write. Found by the sanitizer.
    #[error(
        "{access} of `{name}` at index {index} races with the {other} at {other_site} by {other_place}"
    )]
    Race {
        /// The buffer or array.
        name: String,
        /// The element.
        index: u64,
        /// How this thread touched it.
        access: Access,
        /// How the other thread did.
        other: Access,
        /// Where the other thread did.
        other_site: Site,
        /// The other thread.
        other_place: Place,
    },
    /// A read of memory or a register that nothing wrote. Found by the sanitizer.
    #[error("read of {what}, which was not written before")]
    Uninitialised {
        /// The register, or the element of an array.
        what: String,
    },
    /// A barrier, group or subgroup operation that not all threads of its scope reach. Found by the sanitizer.
    #[error("`{op}` is reached by {present} of the {expected} threads of its {scope}")]
    Divergent {
        /// The operation.
        op: &'static str,
        /// `group` or `subgroup`.
        scope: &'static str,
        /// Threads that reach it.
        present: u32,
        /// Threads that must.
        expected: u32,
    },
    /// Arithmetic in the computation of an index went past the range of its dtype. Found by the sanitizer.
    #[error(
        "index of `{name}` comes from `{op}` at {origin}, which wrapped around the range of {dtype}"
    )]
    IndexOverflow {
        /// The buffer, view or array.
        name: String,
        /// The operation.
        op: &'static str,
        /// Its dtype.
        dtype: DType,
        /// Where it stands.
        origin: Site,
    },
    /// A `for` with a step of 0 or below. Found by the sanitizer.
    #[error("the step of the loop is {step}")]
    Step {
        /// The step.
        step: i128,
    },
}
