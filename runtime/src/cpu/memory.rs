//! Buffers, and the arguments of a launch bound to them.
//!
//! Invariants
//! - A launch holds each of its buffers locked: shared where the kernel only reads, exclusively where it writes.
//!   Locks are taken in the order of addresses, so that launches of several host threads cannot block each other.

use super::cells::Cells;
use crate::device::{LaunchArg, Memory};
use evenweave_lang::{
    dtype::DType,
    eval,
    ir::{Access, Kernel},
    launch::Layout,
    ops::{AtomicOp, BinaryOp},
};
use std::sync::{
    PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
    atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed},
};

/// What `Memory` holds.
pub(crate) struct Buffer {
    cells: RwLock<Cells>,
}

impl Buffer {
    pub(crate) fn new(bytes: u64, elems: u64) -> Option<Buffer> {
        // An element count must fit the host's indices even where bytes do.
        usize::try_from(elems).ok()?;
        Some(Buffer { cells: RwLock::new(Cells::new(bytes)?) })
    }

    /// A panic elsewhere leaves bytes that are as valid as any.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Cells> {
        self.cells.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Cells> {
        self.cells.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The elements of a buffer by their width, with sub-byte elements as the bytes they share.
#[derive(Clone, Copy)]
pub(crate) enum View<'a> {
    Plain8(&'a [u8]),
    Plain16(&'a [u16]),
    Plain32(&'a [u32]),
    Plain64(&'a [u64]),
    Shared8(&'a [AtomicU8]),
    Shared16(&'a [AtomicU16]),
    Shared32(&'a [AtomicU32]),
    Shared64(&'a [AtomicU64]),
}

/// An argument of a launch.
#[derive(Clone, Copy)]
pub(crate) enum Bound<'a> {
    Scalar(u64),
    Memory { view: View<'a>, elems: u64, layout: Option<&'a Layout> },
}

impl<'a> Bound<'a> {
    pub(crate) fn scalar(&self) -> u64 {
        match self {
            Bound::Scalar(bits) => *bits,
            Bound::Memory { .. } => {
                unreachable!("the launch's check matched arguments and parameters")
            }
        }
    }

    pub(crate) fn memory(&self) -> (View<'a>, u64) {
        match self {
            Bound::Memory { view, elems, .. } => (*view, *elems),
            Bound::Scalar(_) => unreachable!("the launch's check matched arguments and parameters"),
        }
    }

    pub(crate) fn layout(&self) -> &'a Layout {
        match self {
            Bound::Memory { layout: Some(layout), .. } => layout,
            Bound::Memory { layout: None, .. } | Bound::Scalar(_) => {
                unreachable!("the launch's check matched arguments and parameters")
            }
        }
    }
}

impl View<'_> {
    /// Where it begins.
    pub(crate) fn address(&self) -> *const () {
        match self {
            View::Plain8(v) => v.as_ptr().cast(),
            View::Plain16(v) => v.as_ptr().cast(),
            View::Plain32(v) => v.as_ptr().cast(),
            View::Plain64(v) => v.as_ptr().cast(),
            View::Shared8(v) => v.as_ptr().cast(),
            View::Shared16(v) => v.as_ptr().cast(),
            View::Shared32(v) => v.as_ptr().cast(),
            View::Shared64(v) => v.as_ptr().cast(),
        }
    }

    /// The code of an element of so many bits. The index is in bounds.
    pub(crate) fn load(&self, bits: u32, index: u64) -> u64 {
        let i = index as usize;
        let nibble = |byte: u8| u64::from(byte >> (4 * (i & 1)) & 0xf);
        match self {
            View::Plain8(v) if bits == 4 => nibble(v[i / 2]),
            View::Shared8(v) if bits == 4 => nibble(v[i / 2].load(Relaxed)),
            View::Plain8(v) => v[i].into(),
            View::Plain16(v) => v[i].into(),
            View::Plain32(v) => v[i].into(),
            View::Plain64(v) => v[i],
            View::Shared8(v) => v[i].load(Relaxed).into(),
            View::Shared16(v) => v[i].load(Relaxed).into(),
            View::Shared32(v) => v[i].load(Relaxed).into(),
            View::Shared64(v) => v[i].load(Relaxed),
        }
    }

    /// Writes the code of an element of so many bits. Neighbours in the same byte may be written by other
    /// threads at the same time.
    pub(crate) fn store(&self, bits: u32, index: u64, code: u64) {
        let i = index as usize;
        match self {
            View::Shared8(v) if bits == 4 => store_nibble(&v[i / 2], i, code as u8),
            View::Shared8(v) => v[i].store(code as u8, Relaxed),
            View::Shared16(v) => v[i].store(code as u16, Relaxed),
            View::Shared32(v) => v[i].store(code as u32, Relaxed),
            View::Shared64(v) => v[i].store(code, Relaxed),
            View::Plain8(_) | View::Plain16(_) | View::Plain32(_) | View::Plain64(_) => {
                unreachable!("`verify` refuses stores to `In` parameters")
            }
        }
    }

    /// Changes an element of 32 or 64 bits in one step; the code before. `None` leaves it.
    pub(crate) fn update(&self, index: u64, f: impl Fn(u64) -> Option<u64>) -> u64 {
        let i = index as usize;
        match self {
            View::Shared32(v) => {
                let step = |x: u32| f(x.into()).map(|x| x as u32);
                v[i].fetch_update(Relaxed, Relaxed, step).unwrap_or_else(|x| x).into()
            }
            View::Shared64(v) => v[i].fetch_update(Relaxed, Relaxed, f).unwrap_or_else(|x| x),
            View::Plain8(_)
            | View::Plain16(_)
            | View::Plain32(_)
            | View::Plain64(_)
            | View::Shared8(_)
            | View::Shared16(_) => {
                unreachable!("`verify` allows atomics of writable 32 and 64 bits")
            }
        }
    }
}

/// Writes one nibble; the other may be written by another thread at the same time.
pub(crate) fn store_nibble(cell: &AtomicU8, index: usize, code: u8) {
    let shift = 4 * (index & 1);
    let keep = !(0xf << shift);
    let put = |byte| Some(byte & keep | (code & 0xf) << shift);
    let done = cell.fetch_update(Relaxed, Relaxed, put);
    debug_assert!(done.is_ok(), "the closure never declines");
}

/// What an atomic operation puts in place of an old value.
pub(crate) fn combine(op: AtomicOp, dtype: DType, old: u64, x: u64) -> u64 {
    let op = match op {
        AtomicOp::Add => BinaryOp::Add,
        AtomicOp::Min => BinaryOp::Min,
        AtomicOp::Max => BinaryOp::Max,
        AtomicOp::And => BinaryOp::And,
        AtomicOp::Or => BinaryOp::Or,
        AtomicOp::Xor => BinaryOp::Xor,
        AtomicOp::Exchange => return x,
    };
    eval::binary(op, dtype, old, x).expect("`verify` allows atomics of integers")
}

/// A scalar's bits as a value has them: no bit above its width, and a `bool` of 0 or 1.
fn scalar(dtype: DType, bits: u64) -> u64 {
    eval::decode(dtype, bits & (u64::MAX >> (64 - dtype.bits())))
}

enum Guard<'a> {
    Read(RwLockReadGuard<'a, Cells>),
    Write(RwLockWriteGuard<'a, Cells>),
}

/// Locks the buffers of a launch and runs `f` on its arguments.
pub(crate) fn with_bound<R>(
    kernel: &Kernel,
    args: &[LaunchArg],
    f: impl FnOnce(&[Bound]) -> R,
) -> R {
    let buffer = |m: &'_ Memory| -> *const () { std::sync::Arc::as_ptr(&m.inner).cast() };
    let writes = |i: usize| match kernel.params[i].kind.access() {
        Some(Access::Out | Access::InOut) => true,
        Some(Access::In) | None => false,
    };
    let mut order: Vec<usize> = (0..args.len()).filter(|&i| args[i].memory().is_some()).collect();
    let address = |i: usize| args[i].memory().map_or(std::ptr::null(), buffer);
    order.sort_by_key(|&i| (address(i), !writes(i)));
    // A buffer that is given twice is only read, or written once, by the check of the launch.
    order.dedup_by_key(|i| address(*i));
    let mut guards: Vec<(usize, Guard)> = order
        .into_iter()
        .map(|i| {
            let memory = args[i].memory().expect("filtered above");
            let buffer: &Buffer = memory.inner.downcast_ref().expect("the device checked its own");
            let guard =
                if writes(i) { Guard::Write(buffer.write()) } else { Guard::Read(buffer.read()) };
            (i, guard)
        })
        .collect();
    let views: Vec<(*const (), View)> = guards
        .iter_mut()
        .map(|(i, guard)| {
            let bits = kernel.params[*i].kind.dtype().bits();
            let view = match guard {
                Guard::Read(cells) => match bits {
                    16 => View::Plain16(cells.plain_u16()),
                    32 => View::Plain32(cells.plain_u32()),
                    64 => View::Plain64(cells.plain_u64()),
                    _ => View::Plain8(cells.plain_u8()),
                },
                Guard::Write(cells) => match bits {
                    16 => View::Shared16(cells.shared_u16()),
                    32 => View::Shared32(cells.shared_u32()),
                    64 => View::Shared64(cells.shared_u64()),
                    _ => View::Shared8(cells.shared_u8()),
                },
            };
            (address(*i), view)
        })
        .collect();
    let view = |m: &Memory| {
        let at = buffer(m);
        views.iter().find(|(a, _)| *a == at).expect("every buffer was locked").1
    };
    let bound: Vec<Bound> = args
        .iter()
        .map(|arg| match arg {
            LaunchArg::Scalar(dtype, bits) => Bound::Scalar(scalar(*dtype, *bits)),
            LaunchArg::Buffer(m) | LaunchArg::Over(m) => {
                Bound::Memory { view: view(m), elems: m.elems(), layout: None }
            }
            LaunchArg::Bytes(m) => Bound::Memory { view: view(m), elems: m.bytes(), layout: None },
            LaunchArg::Words(m) => {
                Bound::Memory { view: view(m), elems: m.bytes() / 4, layout: None }
            }
            LaunchArg::View(m, layout) => {
                Bound::Memory { view: view(m), elems: m.elems(), layout: Some(layout) }
            }
        })
        .collect();
    f(&bound)
}
