//! The program `evenweave`.
#![forbid(unsafe_code)]

mod files;

fn main() {}
