//! What is given out as handles: numbers that nothing else has, so that a bad one is known as such.
//!
//! Invariants
//! - A handle is never given twice, and never 0. Its low bits say of which table it is.

use crate::code::{Code, Done};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// A lock whose owner may have failed: what it guards is changed in steps that are whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Things by their handles.
#[derive(Debug)]
pub(crate) struct Table<T> {
    kind: usize,
    all: Mutex<HashMap<usize, Arc<T>>>,
}

impl<T> Table<T> {
    /// A table whose handles are told from those of others by a number below 16.
    pub(crate) fn new(kind: usize) -> Table<T> {
        Table { kind, all: Mutex::new(HashMap::new()) }
    }

    pub(crate) fn put(&self, thing: Arc<T>) -> usize {
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        let handle = NEXT.fetch_add(1, Ordering::Relaxed) << 8 | self.kind << 4;
        lock(&self.all).insert(handle, thing);
        handle
    }

    pub(crate) fn get(&self, handle: usize) -> Done<Arc<T>> {
        lock(&self.all).get(&handle).cloned().ok_or(Code::InvalidHandle)
    }

    pub(crate) fn take(&self, handle: usize) -> Done<Arc<T>> {
        lock(&self.all).remove(&handle).ok_or(Code::InvalidHandle)
    }

    pub(crate) fn each(&self) -> Vec<Arc<T>> {
        lock(&self.all).values().cloned().collect()
    }
}
