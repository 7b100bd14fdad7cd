//! The first value that differs, by watching a kernel on both devices.
//!
//! Invariants
//! - The event that is named is the first of its thread whose value differs, and no thread has one at a lower number.
//! - Its bits are those that both devices stored in one launch each.

use super::launch::{first_element, load, outputs, run};
use evenweave::{Device, Error};
use evenweave_codegen::{Watch, event_type, value_words, watch};
use evenweave_lang::{
    dtype::DType,
    generate::Argument,
    ir::{Kernel, Op, Type, Value},
    launch,
    ops::{Reach, ReduceOp},
};
use evenweave_runtime::Place;

/// Bits of one value on the oracle and on the device, scalar by scalar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Both {
    pub(crate) dtype: DType,
    pub(crate) want: Vec<u64>,
    pub(crate) got: Vec<u64>,
}

impl Both {
    pub(crate) fn differs(&self) -> bool {
        self.want != self.got
    }
}

/// An instruction's value that differs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) at: Value,
    /// The operation in words: `add f32`.
    pub(crate) operation: String,
    pub(crate) site: String,
    pub(crate) place: Place,
    /// The lane of the logical subgroup.
    pub(crate) lane: u32,
    /// Values that the thread computed before.
    pub(crate) event: u32,
    pub(crate) operands: Vec<Both>,
    pub(crate) result: Both,
}

/// What watching shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trail {
    Value(Box<Found>),
    /// Threads go different ways at this event, though all values before are the same.
    Way {
        place: Place,
        event: u32,
        want: String,
        got: String,
    },
    /// The values differ, but they do not when this instruction is looked at more closely.
    Shy {
        operation: String,
        site: String,
        place: Place,
    },
    /// All values are the same, and still what is in memory differs: a store, an update or a barrier.
    Memory,
    /// While the kernel is watched nothing differs.
    Hidden,
    /// The buffer of the watched kernel would not fit.
    TooLarge {
        threads: u64,
    },
}

/// Threads that are watched at once, at most: places in the buffer are `u32`.
const MOST_THREADS: u64 = 1 << 24;

/// Finds the first value that differs.
pub(crate) fn find(
    kernel: &Kernel,
    args: &[Argument],
    oracle: &Device,
    device: &Device,
) -> Result<Trail, Error> {
    let kernel = &kernel.compact();
    let shapes: Vec<_> = args.iter().map(Argument::shape).collect();
    let grid = launch::check(kernel, &shapes)
        .map_err(|error| Error::from(evenweave_runtime::DeviceError::from(error)))?;
    let group_threads = u64::from(kernel.group_threads());
    let threads = grid.iter().fold(group_threads, |n, &g| n.saturating_mul(g.into()));
    if threads > MOST_THREADS {
        return Ok(Trail::TooLarge { threads });
    }
    let sides = [oracle, device];
    let watched = watch(kernel, Watch::Digest);
    let programs = [load(oracle, &watched.kernel)?, load(device, &watched.kernel)?];
    let digests = |limit: u32| -> Result<[Vec<Vec<u64>>; 2], Error> {
        let args = with_trace(args, limit, threads, watched.thread_words);
        let [a, b] = [0, 1].map(|side| run(sides[side], &programs[side], &args));
        Ok([a?, b?])
    };
    let differing = |[a, b]: &[Vec<Vec<u64>>; 2]| {
        let digest = |side: &[Vec<u64>]| -> Vec<u64> {
            trace(side).chunks(3).map(|words| words[0]).collect()
        };
        let (a, b) = (digest(a), digest(b));
        (0..a.len()).find(|&i| a[i] != b[i])
    };
    let whole = digests(u32::MAX)?;
    if differing(&whole).is_none() {
        let differs = first_element(kernel, &whole[0], &whole[1]).is_some();
        return Ok(if differs { Trail::Memory } else { Trail::Hidden });
    }
    let events = |side: &[Vec<u64>]| trace(side).chunks(3).map(|w| w[1]).max().unwrap_or(0);
    let most = events(&whole[0]).max(events(&whole[1])) as u32;
    let (mut same, mut differ, mut seen) = (0, most, digests(most)?);
    while differ - same > 1 {
        let middle = same + (differ - same) / 2;
        let now = digests(middle)?;
        match differing(&now) {
            Some(_) => (differ, seen) = (middle, now),
            None => same = middle,
        }
    }
    let Some(thread) = differing(&seen) else { return Ok(Trail::Hidden) };
    let place = place(kernel, grid, thread);
    let [want, got] = [0, 1].map(|side| {
        let words = &trace(&seen[side])[3 * thread..3 * thread + 3];
        (words[1] >= u64::from(differ)).then(|| Value::at(words[2] as usize))
    });
    let event = differ - 1;
    let (Some(at), true) = (want, want == got) else {
        let words = |v: Option<Value>| v.map_or("the thread's end".into(), |v| named(kernel, v));
        return Ok(Trail::Way { place, event, want: words(want), got: words(got) });
    };
    let looked = look(kernel, args, sides, (at, event), threads)?;
    Ok(read(kernel, &looked, at, (thread, event), place))
}

/// The words that both devices tell of an instruction at an event, and how many a thread has.
fn look(
    kernel: &Kernel,
    args: &[Argument],
    sides: [&Device; 2],
    (at, event): (Value, u32),
    threads: u64,
) -> Result<[Vec<u64>; 2], Error> {
    let watched = watch(kernel, Watch::Look(at));
    let args = with_trace(args, event, threads, watched.thread_words);
    let [a, b] = sides.map(|side| outputs(side, &watched.kernel, &args));
    Ok([a?, b?].map(|side| trace(&side).to_vec()))
}

fn read(
    kernel: &Kernel,
    looked: &[Vec<u64>; 2],
    at: Value,
    (thread, event): (usize, u32),
    place: Place,
) -> Trail {
    let mut types = vec![event_type(kernel, at)];
    kernel[at].op.for_each_operand(|v| types.push(kernel[v].ty));
    let thread_words = 1 + types.iter().map(|&ty| value_words(ty) as usize).sum::<usize>();
    let [want, got] =
        [0, 1].map(|side| &looked[side][thread * thread_words..(thread + 1) * thread_words]);
    let (operation, site) = (named(kernel, at), kernel.locate(kernel[at].loc));
    let mut next = 1;
    let mut values = Vec::new();
    for ty in types {
        let end = next + value_words(ty) as usize;
        let bits = |words: &[u64]| -> Vec<u64> {
            words[next..end].chunks(2).map(|w| w[0] | w[1] << 32).collect()
        };
        if let Some(dtype) = ty.dtype() {
            values.push(Both { dtype, want: bits(want), got: bits(got) });
        }
        next = end;
    }
    let result = values.remove(0);
    if want[0] != 1 || got[0] != 1 || !result.differs() {
        return Trail::Shy { operation, site, place };
    }
    let lane = (thread as u64 % u64::from(kernel.group_threads())) as u32 % 32;
    Trail::Value(Box::new(Found {
        at,
        operation,
        site,
        place,
        lane,
        event,
        operands: values,
        result,
    }))
}

/// The arguments of the watched kernel.
fn with_trace(args: &[Argument], limit: u32, threads: u64, thread_words: u32) -> Vec<Argument> {
    let mut all = args.to_vec();
    all.push(Argument::Scalar(DType::U32, limit.into()));
    all.push(Argument::Buffer(DType::U32, vec![0; (threads * u64::from(thread_words)) as usize]));
    all
}

fn trace(side: &[Vec<u64>]) -> &[u64] {
    side.last().expect("the trace is the last parameter")
}

/// The place of a thread, counted through the launch.
fn place(kernel: &Kernel, grid: [u32; 3], thread: usize) -> Place {
    let threads = kernel.group_threads() as usize;
    let split = |at: usize, [x, y, _]: [u32; 3]| {
        let (x, y) = (x as usize, y as usize);
        [(at % x) as u32, (at / x % y) as u32, (at / x / y) as u32]
    };
    Place { group: split(thread / threads, grid), thread: split(thread % threads, kernel.group) }
}

/// An instruction in words: its operation, dtype, and the memory or register that it names.
pub(crate) fn named(kernel: &Kernel, at: Value) -> String {
    let op = &kernel[at].op;
    let mut text = op.name().to_string();
    if let Op::Reduce(reach, op, _) = op {
        text = reduction(*reach, *op);
    }
    match event_type(kernel, at) {
        Type::Unit => {}
        Type::Scalar(dtype) => text += &format!(" {dtype}"),
        Type::Vector(dtype, lanes) => text += &format!(" {dtype}x{lanes}"),
    }
    if let Some(place) = op.place() {
        text += &format!(" `{}`", kernel.place_name(place));
    }
    if let Some(var) = op.var() {
        text += &format!(" `{}`", kernel.vars[var.index()].name);
    }
    text
}

fn reduction(reach: Reach, op: ReduceOp) -> String {
    format!("{} {}", reach.name(), op.name())
}
