//! Reductions: sum, product, maximum and minimum of all elements, of rows, of columns and of runs; and where the
//! greatest and least element stands.

pub mod all;
pub mod arg;
pub mod columns;
mod reference;
pub mod rows;
pub mod segments;

use crate::entry::Entry;

/// The operations of this family.
pub static ENTRIES: &[Entry] =
    &[rows::ENTRY, columns::ENTRY, all::ENTRY, segments::ENTRY, arg::ENTRY];
