//! `evenweave show`.

use super::Failure;
use crate::args::{self, Stage};
use evenweave_codegen::{Optimise, Target, c, prepare, spirv};
use evenweave_lang::{ir::Kernel, text};
use std::io::Write;

pub(super) fn run(args: &args::Show) -> Result<(), Failure> {
    let entry = evenweave::operation(&args.kernel)?;
    let target = Target::parse(&args.target).map_err(|e| Failure::usage(e.to_string()))?;
    let cases = (entry.cases)(entry);
    let fits =
        |c: &&evenweave_kernels::case::Case| args.dtype.is_none_or(|d| d == c.dtype) && !c.empty;
    let case = cases.iter().find(fits).ok_or_else(|| {
        let dtype = args.dtype.map_or(String::new(), |d| format!(" of {d}"));
        Failure::usage(format!("{} has no case{dtype} to show", entry.name))
    })?;
    let plan = entry.plan(&case.request).map_err(evenweave::Error::from)?;
    let mut out = anstream::stdout().lock();
    let mut shown: Vec<&Kernel> = Vec::new();
    for step in &plan.steps {
        if !shown.contains(&&step.kernel) {
            writeln!(out, "{}", stage(&step.kernel, args.stage, target)?.trim_end())?;
            shown.push(&step.kernel);
        }
    }
    Ok(())
}

fn stage(kernel: &Kernel, stage: Stage, target: Target) -> Result<String, Failure> {
    let legal = || {
        prepare(kernel, target, Optimise::Yes)
            .map_err(|e| evenweave::Error::from(evenweave_runtime::DeviceError::from(e)))
    };
    let on_cpu = || {
        let device = evenweave_runtime::open("cpu", &Default::default())?;
        device.artifact(&device.load(kernel, &Default::default())?)
    };
    Ok(match stage {
        Stage::Ir => text::print(kernel),
        Stage::Legal => text::print(&legal()?),
        Stage::Artifact => match target {
            Target::Cpu => on_cpu().map_err(evenweave::Error::from)?,
            Target::Vulkan(facts) => {
                spirv::disassemble(&spirv::write(&legal()?, &facts, spirv::Addressing::Descriptors))
            }
            Target::C(dialect, _) => {
                let base = kernel.name.split('<').next().unwrap_or(&kernel.name);
                c::write(&legal()?, dialect, base).text
            }
        },
    })
}
