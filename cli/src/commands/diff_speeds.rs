//! `evenweave diff` of two files of `bench --json`.
//!
//! Invariants
//! - A ratio is the first's time over the second's: above 1 the second is faster.
//! - Times decide nothing: what differs is a bench that one file lacks, or one that is not right.

use crate::{
    colours::BOLD,
    speeds::{Speed, Speeds},
};
use std::{
    io::{self, Write},
    path::Path,
};

/// A file and its name.
pub(super) type Named<'a> = (&'a Path, &'a Speeds);

/// Says how the times stand to each other; whether the files have other benches, or one that is wrong. `None`, and nothing
/// is said, where they have no bench in common.
pub(super) fn compare(
    out: &mut dyn Write,
    (a_path, a): Named<'_>,
    (b_path, b): Named<'_>,
) -> io::Result<Option<bool>> {
    let (left, right) = (a.by_id(), b.by_id());
    let twin = |x: &'_ Speed| right.get(&*x.id).map(|&y| (x.clone(), y.clone()));
    let pairs: Vec<(Speed, Speed)> = a.benches.iter().filter_map(twin).collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    writeln!(out, "first:  {}, {}{}", a_path.display(), a.device, copy(a))?;
    writeln!(out, "second: {}, {}{}", b_path.display(), b.device, copy(b))?;
    table(out, &pairs)?;
    let mut differs = false;
    for (have, lack, which) in [(a, &right, "first"), (b, &left, "second")] {
        for bench in have.benches.iter().filter(|x| !lack.contains_key(&*x.id)) {
            differs = true;
            writeln!(out, "{}: the {which} alone", bench.id)?;
        }
    }
    for (a, b) in &pairs {
        for (bench, which) in [(a, "first"), (b, "second")] {
            if bench.verdict != "PASS" {
                differs = true;
                let detail = bench.detail.as_ref().map_or(String::new(), |d| format!(" {d}"));
                writeln!(out, "{}: {}{detail} in the {which}", bench.id, bench.verdict)?;
            }
        }
    }
    let ratios: Vec<f64> = pairs.iter().filter_map(|(a, b)| ratio(a, b)).collect();
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
        writeln!(out, "{} benches in both, {mean:.2}x in the geometric mean", pairs.len())?;
    }
    Ok(Some(differs))
}

fn copy(speeds: &Speeds) -> String {
    speeds.copy_gb_per_s.map_or(String::new(), |copy| format!(", which copies {copy:.0} GB/s"))
}

fn table(out: &mut dyn Write, pairs: &[(Speed, Speed)]) -> io::Result<()> {
    let wide = pairs.iter().map(|(a, _)| a.id.len()).max().unwrap_or(0).max("bench".len());
    writeln!(
        out,
        "{BOLD}{:<wide$}  {:>10}  {:>10}  {:>10}  {:>11}  {:>7}{BOLD:#}",
        "bench", "first ms", "second ms", "first GB/s", "second GB/s", "ratio"
    )?;
    let number = |x: Option<f64>, digits| x.map_or("-".into(), |x| format!("{x:.digits$}"));
    let ms = |x: &Speed| number(x.seconds.map(|s| s * 1e3), 4);
    for (a, b) in pairs {
        let ratio = ratio(a, b).map_or("-".into(), |ratio| format!("{ratio:.2}x"));
        writeln!(
            out,
            "{:<wide$}  {:>10}  {:>10}  {:>10}  {:>11}  {ratio:>7}",
            a.id,
            ms(a),
            ms(b),
            number(a.gb_per_s, 1),
            number(b.gb_per_s, 1)
        )?;
    }
    Ok(())
}

fn ratio(a: &Speed, b: &Speed) -> Option<f64> {
    let ratio = a.seconds? / b.seconds?;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}
