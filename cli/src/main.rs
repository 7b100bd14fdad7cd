//! The program `evenweave`: the judge, and the library from the command line.
#![forbid(unsafe_code)]

mod args;
mod attest;
mod audit;
mod colours;
mod commands;
mod diverge;
mod files;
mod judge;
#[cfg(test)]
mod liars;
mod movements;
mod page;
mod speeds;
mod targets;
mod ulp;

use clap::Parser;
use colours::RED;
use commands::Failure;
use std::{io, process::ExitCode};

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    match commands::dispatch(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Check) => ExitCode::from(1),
        // Whoever reads our output has seen enough.
        Err(Failure::Output(e)) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            anstream::eprintln!("{RED}error:{RED:#} {failure}");
            ExitCode::from(2)
        }
    }
}
