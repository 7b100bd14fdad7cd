//! What each command does.
//!
//! Invariants
//! - Results go to standard output, progress and errors to standard error.
//! - A JSON file that cannot be written is an error before anything is computed.
//! - A failed check is `Failure::Check` and has been printed; all else is wrong usage or input.

mod audit;
mod bench;
mod build;
mod cache;
mod devices;
pub(crate) mod diff;
mod diff_speeds;
pub(crate) mod diverge;
pub(crate) mod doctor;
mod enqueue;
mod fuzz;
mod list;
mod run;
mod show;
mod sparse24;
mod test;
mod ulp;

use crate::{args::Command, files};
use evenweave::OpenOptions;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a command does not end well.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("a check failed")]
    Check,
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Library(#[from] evenweave::Error),
    #[error(transparent)]
    File(#[from] files::FileError),
    #[error("the output cannot be written: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    fn usage(text: impl Into<String>) -> Failure {
        Failure::Usage(text.into())
    }
}

/// Runs a command.
pub(crate) fn dispatch(command: Command) -> Result<(), Failure> {
    if let Some(file) = json_file(&command) {
        files::check_place(file)?;
    }
    match command {
        Command::Audit(args) => audit::run(&args),
        Command::Devices(args) => devices::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::List(args) => list::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Build(args) => build::run(&args),
        Command::Cache(args) => cache::run(&args),
        Command::Ulp(args) => ulp::run(&args),
        Command::Diverge(args) => diverge::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Prune24(args) => sparse24::prune24(&args),
        Command::Check24(args) => sparse24::check24(&args),
    }
}

fn json_file(command: &Command) -> Option<&PathBuf> {
    match command {
        Command::Audit(args) => args.json.file.as_ref(),
        Command::Devices(args) => args.json.file.as_ref(),
        Command::Doctor(args) => args.json.file.as_ref(),
        Command::Diff(_) => None,
        Command::List(args) => args.json.file.as_ref(),
        Command::Test(args) => args.json.file.as_ref(),
        Command::Run(args) => args.json.file.as_ref(),
        Command::Show(_) => None,
        Command::Bench(args) => args.json.file.as_ref(),
        Command::Build(args) => args.json.file.as_ref(),
        Command::Cache(args) => args.json.file.as_ref(),
        Command::Ulp(args) => args.json.file.as_ref(),
        Command::Diverge(args) => args.json.file.as_ref(),
        Command::Fuzz(args) => args.json.file.as_ref(),
        Command::Prune24(args) => args.json.file.as_ref(),
        Command::Check24(args) => args.json.file.as_ref(),
    }
}

/// How devices are opened.
fn opening() -> OpenOptions {
    OpenOptions::of_user()
}

/// Folders of the makers' libraries that the user names.
fn libraries() -> Vec<PathBuf> {
    opening().libraries
}

/// Refuses what is asked for twice: it would run twice and be told twice.
fn distinct(what: &str, names: &[String]) -> Result<(), Failure> {
    let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
    match twice {
        None => Ok(()),
        Some((_, name)) => Err(Failure::usage(format!("{what} {name} is given twice"))),
    }
}

/// Writes a JSON file where one is asked for.
fn write_json(file: Option<&Path>, value: impl FnOnce() -> Value) -> Result<(), Failure> {
    if let Some(file) = file {
        let mut text = serde_json::to_string_pretty(&value()).expect("a value has a text");
        text.push('\n');
        files::write(file, text.as_bytes())?;
    }
    Ok(())
}

/// A bar on standard error; unseen where that is no terminal.
fn progress(what: &str, steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} {eta}");
    let bar = ProgressBar::new(steps).with_message(what.to_string());
    bar.with_style(style.expect("the template is one"))
}
