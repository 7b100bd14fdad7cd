//! The judge: cases, mutants, verdicts. Nothing else decides whether a device is right.

pub(crate) mod compare;
pub(crate) mod mutate;
mod report;
mod suite;
pub(crate) mod trial;

#[cfg(test)]
mod tests;

pub(crate) use report::{print, to_json};
pub(crate) use suite::{
    Choice, MutantReport, Stop, copies, copy, oracle, run, run_case, run_mutants,
};
