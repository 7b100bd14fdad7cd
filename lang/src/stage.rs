//! Staging: running a kernel's function once so that it writes its IR.
//!
//! Invariants
//! - A thread stages one kernel at a time; the builder lives in the thread while it does.
//! - Every instruction gets the line of the author's call, or the line that `pin` fixed.
//! - A fault of the author's is recorded and staging goes on, so that the first fault in reading order is
//!   the one reported; nothing that had a fault becomes a kernel.
//!
//! Absent: anything global. Two threads stage independently.

use crate::{
    build::Builder,
    dtype::DType,
    ir::{Kernel, Loc, Op, Type, Value},
    verify::{self, MAX_NESTING},
};
use std::{
    cell::RefCell,
    collections::HashMap,
    panic::{self, AssertUnwindSafe, Location},
};

/// A kernel that cannot be staged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kernel} ({file}:{line}): {cause}")]
pub struct StageError {
    /// The kernel's name.
    pub kernel: String,
    /// The author's file.
    pub file: String,
    /// The author's line.
    pub line: u32,
    /// What is wrong.
    pub cause: StageCause,
}

/// What is wrong with a kernel.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the messages name")]
pub enum StageCause {
    #[error("a kernel was staged inside another one ({outer}); call a #[device] function instead")]
    Nested { outer: String },
    #[error(
        "`{word}` leaves an unrolled loop under a run-time condition; make the loop run-time with `val(start)..end`, or the condition comptime"
    )]
    LeavesUnrolled { word: &'static str },
    #[error("a step of an unrolled loop is {step}; it must be 1 or more")]
    Step { step: i128 },
    #[error("index {index} is negative")]
    NegativeIndex { index: i128 },
    #[error("index {index} is past the {elems} elements of `{name}`")]
    PastEnd { name: String, index: u64, elems: u64 },
    #[error("an array has {elems} elements; it must have 1 to 2^32 - 1")]
    ArrayElems { elems: i128 },
    #[error("a group has size {size} along an axis; it must have 1 to 1024 threads")]
    GroupSize { size: i128 },
    #[error("{value} is no {dtype}")]
    NotRepresentable { value: f64, dtype: DType },
    #[error("axis {axis} of a view of rank {rank}")]
    Axis { axis: usize, rank: usize },
    #[error("assertion failed while staging: {text}")]
    Assertion { text: String },
    #[error("`debug_print!` has {places} `{{}}` in its text, but {values} values")]
    PrintArity { places: usize, values: usize },
    #[error("{}{cause}", op.map(|op| format!("`{op}` ")).unwrap_or_default())]
    Rule { op: Option<&'static str>, cause: verify::Cause },
    #[error(
        "the kernel is past {MAX_INSTS} instructions: make a loop run-time with `val(start)..end`"
    )]
    TooManyInstructions,
    #[error(
        "more than {MAX_NESTING} run-time blocks lie inside each other: a #[device] function that calls itself under a run-time condition has no end"
    )]
    Nesting,
    #[error("a run-time `if` or loop was left through Rust's own control flow")]
    LeftOpen,
}

/// Instructions of a kernel, at most: a loop that unrolls without end is stopped here.
pub const MAX_INSTS: usize = 1 << 20;

/// What staging unwinds with after a fault that it cannot go on from.
struct Stop;

struct Stage {
    builder: Builder,
    errors: Vec<StageError>,
    pinned: Option<Loc>,
    /// The names of registers and arrays, each with the last number that made one like it unique.
    names: HashMap<String, u32>,
    /// The author's name of the array that is declared next.
    naming: Option<String>,
}

impl Stage {
    fn new(builder: Builder, pinned: Option<Loc>) -> Stage {
        let kernel = builder.kernel();
        let taken =
            kernel.vars.iter().map(|v| &v.name).chain(kernel.arrays.iter().map(|a| &a.name));
        let names = taken.map(|name| (name.clone(), 0)).collect();
        Stage { builder, errors: Vec::new(), pinned, names, naming: None }
    }

    fn error(&self, caller: &Location, cause: StageCause) -> StageError {
        let kernel = self.builder.kernel();
        let (file, line) = match self.pinned {
            Some(loc) => (kernel.files[loc.file as usize].as_str(), loc.line),
            None => (caller.file(), caller.line()),
        };
        StageError { kernel: kernel.name.clone(), file: file.into(), line, cause }
    }
}

thread_local! {
    static STAGE: RefCell<Option<Stage>> = const { RefCell::new(None) };
}

/// Takes the stage out of the thread however its body ends.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        STAGE.take();
    }
}

/// Runs `body`, which writes the kernel `name`, and returns what it wrote.
///
/// # Errors
/// The first fault that staging recorded, or the first rule of the IR that the kernel breaks.
#[track_caller]
pub fn kernel(name: String, body: impl FnOnce()) -> Result<Kernel, StageError> {
    let caller = Location::caller();
    let error = |name: &str, cause| StageError {
        kernel: name.into(),
        file: caller.file().into(),
        line: caller.line(),
        cause,
    };
    let outer = STAGE.with_borrow(|s| s.as_ref().map(|s| s.builder.kernel().name.clone()));
    if let Some(outer) = outer {
        return Err(error(&name, StageCause::Nested { outer }));
    }
    let builder = Builder::new(name);
    STAGE.set(Some(Stage::new(builder, None)));
    let guard = Guard;
    let outcome = panic::catch_unwind(AssertUnwindSafe(body));
    let stage = STAGE.take().expect("only `kernel` and `extend` take the stage");
    drop(guard);
    if let Err(payload) = outcome
        && !payload.is::<Stop>()
    {
        panic::resume_unwind(payload);
    }
    if let Some(first) = stage.errors.into_iter().next() {
        return Err(first);
    }
    if stage.builder.depth() != 1 {
        return Err(error(&stage.builder.kernel().name, StageCause::LeftOpen));
    }
    let kernel = stage.builder.finish().compact();
    match verify::verify(&kernel) {
        Ok(()) => Ok(kernel),
        Err(verify::VerifyError { kernel, op, at, cause }) => {
            let cause = StageCause::Rule { op, cause };
            Err(match at {
                Some(at) => StageError { kernel, file: at.file, line: at.line, cause },
                None => error(&kernel, cause),
            })
        }
    }
}

/// Runs `body`, which writes at the end of a kernel that a pass is building; every instruction carries the
/// builder's own place.
///
/// # Panics
/// Inside staging, and where `body` has a fault or leaves a block open: it is ours, not an author's.
#[track_caller]
pub fn extend<R>(builder: Builder, body: impl FnOnce() -> R) -> (Builder, R) {
    let (pinned, depth) = (Some(builder.loc()), builder.depth());
    assert!(STAGE.with_borrow(Option::is_none), "a pass runs outside staging");
    STAGE.set(Some(Stage::new(builder, pinned)));
    let guard = Guard;
    let result = body();
    let stage = STAGE.take().expect("only `kernel` and `extend` take the stage");
    drop(guard);
    if let Some(error) = stage.errors.first() {
        panic!("a pass staged a fault: {error}");
    }
    assert_eq!(stage.builder.depth(), depth, "a pass left a block open");
    (stage.builder, result)
}

/// The builder of the kernel being staged, its place set to the caller's line.
///
/// # Panics
/// Outside staging: a device function works only inside a kernel.
#[track_caller]
pub(crate) fn with<R>(f: impl FnOnce(&mut Builder) -> R) -> R {
    let caller = Location::caller();
    let (result, ends) = stage(|s| {
        let loc = s.pinned.unwrap_or_else(|| s.builder.locate(caller.file(), caller.line()));
        s.builder.set_loc(loc);
        let result = f(&mut s.builder);
        // A pass has limits of its own.
        let is_author = s.pinned.is_none();
        let ends = if is_author && s.builder.kernel().insts.len() > MAX_INSTS {
            Some(StageCause::TooManyInstructions)
        } else {
            (is_author && s.builder.depth() > MAX_NESTING + 1).then_some(StageCause::Nesting)
        };
        (result, ends)
    });
    if let Some(cause) = ends {
        stage(|s| s.errors.push(s.error(caller, cause)));
        panic::resume_unwind(Box::new(Stop));
    }
    result
}

#[track_caller]
fn stage<R>(f: impl FnOnce(&mut Stage) -> R) -> R {
    STAGE.with_borrow_mut(|s| match s {
        Some(stage) => f(stage),
        None => panic!(
            "a function of the kernel language was called outside a kernel: \
             call it from a #[kernel] function or from a #[device] function that one calls"
        ),
    })
}

/// Appends an instruction at the caller's line.
#[track_caller]
pub(crate) fn push(op: Op, ty: Type) -> Value {
    with(|b| b.push(op, ty))
}

/// Appends an instruction without a value at the caller's line.
#[track_caller]
pub(crate) fn push_unit(op: Op) {
    with(|b| b.push_unit(op));
}

/// Records a fault at the caller's line, unless no thread would come there.
#[track_caller]
pub(crate) fn fault(cause: StageCause) {
    let caller = Location::caller();
    stage(|s| {
        if !s.builder.is_dead() {
            s.errors.push(s.error(caller, cause));
        }
    });
}

/// `name`, or `name_2` and so on where it is taken.
#[track_caller]
pub(crate) fn unique(name: &str) -> String {
    stage(|s| {
        let mut n = *s.names.get(name).unwrap_or(&0);
        let mut unique = name.to_string();
        while s.names.contains_key(&unique) {
            n += 1;
            unique = format!("{name}_{}", n + 1);
        }
        s.names.insert(name.into(), n);
        s.names.entry(unique.clone()).or_insert(0);
        unique
    })
}

/// Keeps a parameter's name from registers and arrays.
#[track_caller]
pub(crate) fn reserve(name: &str) {
    stage(|s| s.names.insert(name.into(), 0));
}

/// While it lives, the next array that is declared has the author's name.
#[derive(Debug)]
pub struct Naming;

/// Gives the next array its name.
#[track_caller]
pub fn naming(name: &str) -> Naming {
    stage(|s| s.naming = Some(name.into()));
    Naming
}

impl Drop for Naming {
    fn drop(&mut self) {
        STAGE.with_borrow_mut(|s| {
            if let Some(s) = s {
                s.naming = None;
            }
        });
    }
}

/// The name of an array that is being declared.
#[track_caller]
pub(crate) fn array_name(otherwise: &str) -> String {
    let name = stage(|s| s.naming.take());
    unique(name.as_deref().unwrap_or(otherwise))
}

/// While it lives, instructions carry the line of the call that made it: for functions of the language
/// written in the language, so that a message names the author's line and not ours.
#[derive(Debug)]
pub struct Pin {
    before: Option<Loc>,
}

/// Pins the caller's line, unless an outer call already did.
#[track_caller]
pub fn pin() -> Pin {
    let caller = Location::caller();
    stage(|s| {
        let before = s.pinned;
        if before.is_none() {
            s.pinned = Some(s.builder.locate(caller.file(), caller.line()));
        }
        Pin { before }
    })
}

impl Drop for Pin {
    fn drop(&mut self) {
        STAGE.with_borrow_mut(|s| {
            if let Some(s) = s {
                s.pinned = self.before;
            }
        });
    }
}
