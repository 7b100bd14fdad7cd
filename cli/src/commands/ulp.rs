//! `evenweave ulp`.

use super::{Failure, distinct, opening, progress, write_json};
use crate::{
    args,
    colours::RED,
    files,
    ulp::{
        functions::{FUNCTIONS, Function},
        measure::{Measure, MeasureError, Set},
        report::{self, Row},
    },
};
use evenweave_lang::dtype::DType;
use evenweave_runtime::Device;
use serde_json::json;
use std::io::Write;

pub(super) fn run(args: &args::Ulp) -> Result<(), Failure> {
    let functions = choose(&args.functions)?;
    for file in [&args.markdown, &args.hashes].into_iter().flatten() {
        files::check_place(file)?;
    }
    let device =
        evenweave_runtime::open(&args.device, &opening()).map_err(evenweave::Error::from)?;
    let set = if args.exhaustive { Set::All } else { Set::Sample };
    let mut out = anstream::stdout();
    writeln!(out, "{}", report::head())?;
    let mut rows = Vec::new();
    let mut good = true;
    for function in functions {
        let row = measure(&*device, function, set)?;
        writeln!(out, "{}", report::text(&row))?;
        for complaint in row.complaints() {
            good = false;
            writeln!(out, "  {RED}{complaint}{RED:#}")?;
        }
        out.flush()?;
        rows.push(row);
        // After each function, so that a run that is cut short leaves what it has.
        write(args, &rows)?;
    }
    if good { Ok(()) } else { Err(Failure::Check) }
}

fn choose(names: &[String]) -> Result<Vec<&'static Function>, Failure> {
    if names.iter().any(|name| name == "all") {
        return Ok(FUNCTIONS.iter().collect());
    }
    distinct("function", names)?;
    let find = |name: &String| {
        FUNCTIONS.iter().find(|f| f.name == *name).ok_or_else(|| {
            let known: Vec<_> = FUNCTIONS.iter().map(|f| f.name).collect();
            Failure::usage(format!("there is no function `{name}`; there are {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

fn measure(device: &dyn Device, function: &'static Function, set: Set) -> Result<Row, Failure> {
    let failed = |e: MeasureError| Failure::usage(format!("{}: {e}", function.name));
    let f32_form = Measure::new(device, function, DType::F32).map_err(failed)?;
    let bar = progress(function.name, f32_form.count(set));
    let outcome = f32_form.run(set, &|inputs| bar.inc(inputs)).map_err(failed)?;
    bar.finish_and_clear();
    let mut halves = Vec::new();
    for dtype in [DType::F16, DType::BF16] {
        if function.has_halves() {
            let form = Measure::new(device, function, dtype).map_err(failed)?;
            halves.push((dtype, form.run(Set::All, &|_| {}).map_err(failed)?));
        }
    }
    let operations = f32_form.operations().map_err(failed)?;
    Ok(Row { function, set, outcome, halves, operations })
}

fn write(args: &args::Ulp, rows: &[Row]) -> Result<(), Failure> {
    write_json(
        args.json.file.as_deref(),
        || json!({ "device": args.device, "functions": rows.iter().map(Row::json).collect::<Vec<_>>() }),
    )?;
    if let Some(file) = &args.markdown {
        files::write(file, report::markdown(rows).as_bytes())?;
    }
    if let Some(file) = &args.hashes {
        files::write(file, report::hashes(rows).as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole sample: promises, special values, and the hashes that the repository keeps.
    #[test]
    fn every_function_keeps_its_promise_and_its_bits() {
        let device = evenweave_runtime::open("cpu", &Default::default()).unwrap();
        for function in FUNCTIONS {
            let row = measure(&*device, function, Set::Sample).unwrap();
            assert_eq!(row.complaints(), Vec::<String>::new(), "{}", function.name);
        }
    }
}
