//! `evenweave check24`.

use super::{DENSE, Matrix, Weights};
use crate::{
    args,
    commands::{Failure, progress, write_json},
};
use evenweave::AnySparse24;
use evenweave_kernels::sparse::host::{self, FIRST, Refusal, Violation, Violations};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::io::{self, Write};

/// What is found of a matrix.
enum Finding {
    /// A dense one: the groups that have too many nonzeros.
    Dense(Violations),
    /// An image; what is wrong with it.
    Image(Option<String>),
}

impl Finding {
    fn is_good(&self) -> bool {
        match self {
            Finding::Dense(found) => found.count == 0,
            Finding::Image(wrong) => wrong.is_none(),
        }
    }
}

pub(in crate::commands) fn run(args: &args::Check24) -> Result<(), Failure> {
    let weights = Weights::read(&args.file)?;
    let asked = asked(&weights, &args.tensors)?;
    let bar = progress("tensors", asked.len() as u64);
    let (tensors, mut found) = (weights.tensors(), Vec::new());
    for (name, is_image) in asked {
        let finding = if is_image {
            Finding::Image(AnySparse24::load(&weights.bytes, &name).err().map(|e| e.to_string()))
        } else {
            let view = tensors.tensor(&name).map_err(|_| {
                let path = &weights.path;
                Failure::usage(format!("{path}: the metadata names `{name}`, which is not there"))
            })?;
            Finding::Dense(violations(&weights.matrix(&name, &view)?))
        };
        found.push((name, finding));
        bar.inc(1);
    }
    bar.finish_and_clear();
    print(&mut anstream::stdout().lock(), &found)?;
    write_json(args.json.file.as_deref(), || to_json(&found))?;
    if found.iter().all(|(_, f)| f.is_good()) { Ok(()) } else { Err(Failure::Check) }
}

/// What is to be checked, and whether it is an image: what the patterns name, or all that the file says is sparse.
fn asked(weights: &Weights, patterns: &[String]) -> Result<Vec<(String, bool)>, Failure> {
    let mut said: Vec<(String, bool)> = weights
        .metadata
        .iter()
        .filter_map(|(key, value)| Some((key.strip_prefix("sparse24.")?.into(), value != DENSE)))
        .collect();
    said.sort();
    if patterns.is_empty() {
        return match said.is_empty() {
            true => Err(Failure::usage(format!(
                "{}: nothing in the file says that it is sparse; name tensors with --tensors",
                weights.path
            ))),
            false => Ok(said),
        };
    }
    said.retain(|(name, is_image)| *is_image && patterns.iter().any(|p| super::matches(p, name)));
    // A pattern that names an image need not name a tensor.
    let rest: Vec<String> = patterns
        .iter()
        .filter(|p| !said.iter().any(|(name, _)| super::matches(p, name)))
        .cloned()
        .collect();
    said.extend(weights.named(&rest)?.into_iter().map(|name| (name, false)));
    Ok(said)
}

fn violations(matrix: &Matrix<'_>) -> Violations {
    let one = |(first, bytes): (usize, &[u8])| {
        let cells = matrix.cells(bytes);
        let shape = [cells.len() / matrix.columns, matrix.columns];
        let mut found = host::check(&cells, shape).expect("a block is whole rows");
        found.first.iter_mut().for_each(|v| v.row += first);
        found
    };
    let blocks: Vec<Violations> = matrix.blocks().into_par_iter().map(one).collect();
    let count = blocks.iter().map(|found| found.count).sum();
    let first = blocks.into_iter().flat_map(|found| found.first).take(FIRST).collect();
    Violations { count, first }
}

fn print(out: &mut impl Write, found: &[(String, Finding)]) -> io::Result<()> {
    let red = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
    for (name, finding) in found {
        match finding {
            Finding::Dense(found) if found.count > 0 => {
                let groups = if found.count == 1 { "group has" } else { "groups have" };
                let count = found.count;
                writeln!(out, "{red}FAIL{red:#} {name}: {count} {groups} more than 2 nonzeros")?;
                for &first in &found.first {
                    writeln!(out, "     {}", Refusal::TooMany { first, count: 1 })?;
                }
                if found.count > found.first.len() as u64 {
                    writeln!(out, "     ...")?;
                }
            }
            Finding::Image(Some(wrong)) => writeln!(out, "{red}FAIL{red:#} {name}: {wrong}")?,
            Finding::Dense(_) => writeln!(out, "ok   {name}")?,
            Finding::Image(None) => writeln!(out, "ok   {name} (compressed)")?,
        }
    }
    let bad = found.iter().filter(|(_, f)| !f.is_good()).count();
    writeln!(out, "{} checked, {bad} wrong", found.len())
}

fn to_json(found: &[(String, Finding)]) -> Value {
    let first = |v: &Violation| {
        // JSON has no NaN, so elements are text.
        let values = v.values.map(|x| x.to_string());
        json!({ "row": v.row, "group": v.group, "nonzeros": v.nonzeros, "values": values })
    };
    let one = |(name, finding): &(String, Finding)| match finding {
        Finding::Dense(found) => json!({
            "name": name, "good": found.count == 0, "groups": found.count,
            "first": found.first.iter().map(first).collect::<Vec<_>>(),
        }),
        Finding::Image(wrong) => json!({ "name": name, "good": wrong.is_none(), "error": wrong }),
    };
    json!({ "tensors": found.iter().map(one).collect::<Vec<_>>() })
}
