//! `evenweave prune24`.

use super::{BLOCK_ROWS, DENSE, Matrix, Weights, encode};
use crate::{
    args,
    commands::{Failure, progress, write_json},
    files,
};
use evenweave::AnySparse24;
use evenweave_kernels::sparse::host::{self, Cell, Refusal};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::{borrow::Cow, io::Write};

/// What pruning did to a tensor.
struct Pruned {
    name: String,
    dtype: String,
    shape: Vec<usize>,
    /// Elements that were not zero and are now.
    dropped: u64,
    elems: u64,
    /// The mean of `|before - after|`, and of `|before|`.
    error: f64,
    magnitude: f64,
}

pub(in crate::commands) fn run(args: &args::Prune24) -> Result<(), Failure> {
    files::check_place(&args.output)?;
    if let Some(json) = &args.json.file
        && files::place(json)? == files::place(&args.output)?
    {
        return Err(Failure::usage("--json and the output name the same file"));
    }
    let weights = Weights::read(&args.input)?;
    let (tensors, chosen) = (weights.tensors(), chosen(&weights, &args.tensors)?);
    let bar = progress("rows", 0);
    let (mut out, mut reports, mut metadata) = (Vec::new(), Vec::new(), weights.metadata.clone());
    let mut names: Vec<&str> = tensors.names().into_iter().collect();
    names.sort_unstable();
    for name in names {
        let view = tensors.tensor(name).expect("the file has it");
        if !chosen.iter().any(|c| c == name) {
            let shape = view.shape().to_vec();
            out.push((name.to_string(), view.dtype(), shape, Cow::Borrowed(view.data())));
            continue;
        }
        let matrix = weights.matrix(name, &view)?;
        bar.inc_length(matrix.rows as u64);
        let wrong = |what: String| Failure::usage(format!("{}:{name}: {what}", weights.path));
        let (bytes, report) = pruned(&matrix, &bar).map_err(|r| wrong(r.to_string()))?;
        reports.push(Pruned { name: name.into(), shape: view.shape().to_vec(), ..report });
        if args.compress {
            let extents = [matrix.rows, matrix.columns].map(u32::try_from);
            let [Ok(rows), Ok(columns)] = extents else {
                return Err(wrong("an extent is above 2^32 - 1".into()));
            };
            let sparse = AnySparse24::compress(matrix.dtype, [rows, columns], &bytes)
                .map_err(|e| wrong(e.to_string()))?;
            let mut parts = Vec::new();
            sparse.entries(name, &mut parts, &mut metadata);
            out.extend(parts.into_iter().map(|(n, d, s, bytes)| (n, d, s, Cow::Owned(bytes))));
        } else {
            metadata.insert(format!("sparse24.{name}"), DENSE.into());
            let shape = view.shape().to_vec();
            out.push((name.to_string(), view.dtype(), shape, Cow::Owned(bytes)));
        }
    }
    bar.finish_and_clear();
    let file = encode(&args.output, &out, metadata)?;
    files::write(&args.output, &file)?;
    print(&reports)?;
    write_json(
        args.json.file.as_deref(),
        || json!({ "tensors": reports.iter().map(to_json).collect::<Vec<_>>() }),
    )
}

/// The tensors that patterns name; without patterns every matrix of a dtype that has a sparse form.
fn chosen(weights: &Weights, patterns: &[String]) -> Result<Vec<String>, Failure> {
    if !patterns.is_empty() {
        return weights.named(patterns);
    }
    let (tensors, all) = (weights.tensors(), weights.named(&["*".into()])?);
    let fits = |name: &String| {
        let view = tensors.tensor(name).expect("the file has it");
        view.shape().len() == 2 && weights.matrix(name, &view).is_ok()
    };
    let chosen: Vec<String> = all.into_iter().filter(fits).collect();
    match chosen.is_empty() {
        true => Err(Failure::usage(format!("{}: there is no matrix to prune", weights.path))),
        false => Ok(chosen),
    }
}

/// A matrix pruned, packed as before, and what that did.
fn pruned(matrix: &Matrix<'_>, bar: &indicatif::ProgressBar) -> Result<(Vec<u8>, Pruned), Refusal> {
    let one = |(first, bytes): (usize, &[u8])| {
        let before = matrix.cells(bytes);
        let rows = before.len() / matrix.columns;
        let after = host::prune(&before, [rows, matrix.columns]).map_err(|r| r.below(first))?;
        let (mut dropped, mut error, mut magnitude) = (0, 0.0, 0.0);
        for (x, y) in before.iter().zip(&after) {
            let (size, is_gone) = (x.value().abs(), y.is_zero() && !x.is_zero());
            dropped += u64::from(is_gone);
            error += if is_gone { size } else { 0.0 };
            magnitude += size;
        }
        bar.inc(rows.min(BLOCK_ROWS) as u64);
        Ok((host::bytes(matrix.dtype, &after), dropped, error, magnitude))
    };
    // The sums are in the order of the blocks, so that they do not depend on the threads.
    let blocks: Result<Vec<_>, Refusal> = matrix.blocks().into_par_iter().map(one).collect();
    let elems = (matrix.rows * matrix.columns) as u64;
    let mut report = Pruned {
        name: String::new(),
        dtype: matrix.dtype.to_string(),
        shape: Vec::new(),
        dropped: 0,
        elems,
        error: 0.0,
        magnitude: 0.0,
    };
    let mut all = Vec::with_capacity(matrix.bytes.len());
    for (bytes, dropped, error, magnitude) in blocks? {
        all.extend(bytes);
        report.dropped += dropped;
        report.error += error / elems as f64;
        report.magnitude += magnitude / elems as f64;
    }
    Ok((all, report))
}

fn print(reports: &[Pruned]) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    let wide = reports.iter().map(|r| r.name.len()).max().unwrap_or(0);
    for r in reports {
        let shape = r.shape.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("x");
        writeln!(
            out,
            "{:<wide$}  {:<6} {shape:<12} {:5.1}% dropped, mean error {:.3e}, {:.1}% of the mean magnitude",
            r.name,
            r.dtype,
            percent(r.dropped as f64, r.elems as f64),
            r.error,
            percent(r.error, r.magnitude),
        )?;
    }
    let tensors = if reports.len() == 1 { "tensor" } else { "tensors" };
    writeln!(out, "{} {tensors} pruned", reports.len())?;
    Ok(())
}

/// A share of a whole; that of nothing is 0.
fn percent(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { 100.0 * part / whole }
}

fn to_json(r: &Pruned) -> Value {
    json!({
        "name": r.name, "dtype": r.dtype, "shape": r.shape, "elems": r.elems, "dropped": r.dropped,
        "mean_error": r.error, "mean_magnitude": r.magnitude,
    })
}
