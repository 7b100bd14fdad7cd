//! `evenweave build`.

use super::{Failure, libraries, opening, progress, write_json};
use crate::{args, judge::Choice, targets::Machine};
use evenweave_codegen::{
    Facts, Optimise, Target,
    c::{self, Dialect},
    prepare,
};
use evenweave_lang::{ir::Kernel, text};
use evenweave_runtime::{
    DeviceError,
    cache::{Cache, USUAL_BYTES},
    compile::{Compiler, ENTRY, Programs, cuda_arch, unit},
    probe,
};
use rayon::prelude::*;
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    time::Instant,
};

/// What was built.
#[derive(Default)]
struct Built {
    compiled: usize,
    known: usize,
    /// Kernels that the target refuses, with the reason.
    refused: BTreeMap<String, String>,
}

pub(super) fn run(args: &args::Build) -> Result<(), Failure> {
    let (programs, dialect, facts) = programs(&args.target)?;
    let begun = Instant::now();
    let (units, refused) = units(args, dialect, facts)?;
    let bar = progress("build", units.len() as u64);
    let made: Result<Vec<bool>, DeviceError> = units
        .par_iter()
        .map(|unit| {
            let known = programs.entry(unit).map(|(_, known)| known);
            bar.inc(1);
            known
        })
        .collect();
    bar.finish_and_clear();
    let made = made.map_err(evenweave::Error::from)?;
    let known = made.iter().filter(|&&known| known).count();
    let built = Built { compiled: made.len() - known, known, refused };
    let mut out = anstream::stdout().lock();
    for (kernel, why) in &built.refused {
        writeln!(out, "refused by {}: {kernel}: {why}", args.target)?;
    }
    writeln!(
        out,
        "{}:{}: {} programs compiled by {}, {} were there, {} refused, {:.1} s",
        dialect.name(),
        programs.arch(),
        built.compiled,
        programs.compiler(),
        built.known,
        built.refused.len(),
        begun.elapsed().as_secs_f64()
    )?;
    write_json(args.json.file.as_deref(), || {
        json!({
            "target": args.target, "arch": programs.arch(), "compiler": programs.compiler(),
            "compiled": built.compiled, "known": built.known, "refused": built.refused,
        })
    })
}

/// The programs of a target, and what its kernels are written for.
fn programs(target: &str) -> Result<(Programs, Dialect, Facts), Failure> {
    let Machine { dialect, facts, arch } = Machine::parse(target).map_err(Failure::Usage)?;
    let Some(folder) = opening().cache else {
        return Err(Failure::usage(
            "there is no cache folder: neither XDG_CACHE_HOME nor HOME is set",
        ));
    };
    let cache = Some(Cache::open(&folder, USUAL_BYTES));
    let compiler = match dialect {
        Dialect::Cuda => Compiler::nvrtc(&libraries()),
        Dialect::Hip => Compiler::clang().or_else(|none| {
            // What is missing is said of the one that most machines can have.
            Compiler::hiprtc(&libraries()).map_err(|_| none)
        }),
        Dialect::Metal => return Err(Failure::usage("there is no compiler for Metal here")),
    };
    let compiler = Ok(compiler.map_err(evenweave::Error::from)?);
    Ok(match dialect {
        Dialect::Cuda => (Programs::cuda(&cuda_arch(arch), compiler, cache), dialect, facts),
        Dialect::Hip | Dialect::Metal => (Programs::hip(arch, compiler, cache), dialect, facts),
    })
}

/// The translation units that a device of these facts asks for: those of the chosen cases, and the probe's, without which a
/// device is not opened. And the kernels that the target refuses.
fn units(
    args: &args::Build,
    dialect: Dialect,
    facts: Facts,
) -> Result<(BTreeSet<String>, BTreeMap<String, String>), Failure> {
    let mut kernels: Vec<(Kernel, Optimise)> =
        probe::kernels(facts.features).into_iter().map(|k| (k, Optimise::No)).collect();
    let mut seen = BTreeSet::new();
    for kernel in chosen(args)? {
        if seen.insert(text::print(&kernel)) {
            kernels.push((kernel, Optimise::Yes));
        }
    }
    let write = |(kernel, how): &(Kernel, Optimise)| {
        prepare(kernel, Target::C(dialect, facts), *how)
            .map(|legal| unit(dialect, &c::write(&legal, dialect, ENTRY)))
            .map_err(|error| (kernel.name.clone(), error.to_string()))
    };
    let written: Vec<_> = kernels.par_iter().map(write).collect();
    let (mut units, mut refused) = (BTreeSet::new(), BTreeMap::new());
    for one in written {
        match one {
            Ok(unit) => drop(units.insert(unit)),
            Err((kernel, why)) => drop(refused.insert(kernel, why)),
        }
    }
    Ok((units, refused))
}

fn chosen(args: &args::Build) -> Result<Vec<Kernel>, Failure> {
    let filter = match &*args.kernel {
        "all" => None,
        name => Some(evenweave::operation(name)?.name.to_string()),
    };
    let named = |id: &String| filter.is_none() || id.split('/').next() == filter.as_deref();
    if let Some(id) = args.case.as_ref().filter(|id| !named(id)) {
        return Err(Failure::usage(format!("`{id}` is no case of {}", args.kernel)));
    }
    let choice = Choice { filter: filter.clone(), dtype: args.dtype, case: args.case.clone() };
    let mut cases = choice.cases();
    // A filter also takes operations whose names hold the word.
    cases.retain(|(entry, _)| filter.as_deref().is_none_or(|name| entry.name == name));
    if cases.is_empty() {
        return Err(Failure::Usage(choice.nothing()));
    }
    let plans = cases.iter().filter_map(|(entry, case)| entry.plan(&case.request).ok());
    Ok(plans.flat_map(|plan| plan.steps).map(|step| step.kernel).collect())
}
