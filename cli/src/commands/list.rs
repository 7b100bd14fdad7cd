//! `evenweave list`.

use super::{Failure, write_json};
use crate::{args, colours::BOLD, judge::Choice, page};
use evenweave_kernels::entry::{Entry, Setting, Takes};
use serde_json::{Value, json};
use std::io::Write;

pub(super) fn run(args: &args::List) -> Result<(), Failure> {
    if args.markdown {
        let page = page::write().map_err(Failure::Usage)?;
        write!(anstream::stdout().lock(), "{page}")?;
        return Ok(());
    }
    let choice = Choice { filter: args.filter.clone(), ..Choice::default() };
    let entries = choice.entries();
    if entries.is_empty() {
        return Err(Failure::Usage(choice.nothing()));
    }
    let mut out = anstream::stdout().lock();
    // One operation is shown whole, many in a line each.
    if let [entry] = entries[..] {
        describe(&mut out, entry)?;
    } else {
        table(&mut out, &entries)?;
    }
    write_json(
        args.json.file.as_deref(),
        || json!({ "kernels": entries.iter().map(|e| entry_json(e)).collect::<Vec<_>>() }),
    )
}

fn table(out: &mut impl Write, entries: &[&Entry]) -> Result<(), Failure> {
    let wide = entries.iter().map(|e| e.name.len()).max().unwrap_or(0);
    let mut family = "";
    for entry in entries {
        if family != entry.family {
            family = entry.family;
            writeln!(out, "{BOLD}{family}{BOLD:#}")?;
        }
        writeln!(out, "  {:<wide$}  {}", entry.name, entry.summary)?;
    }
    writeln!(out, "{} operations", entries.len())?;
    Ok(())
}

fn describe(out: &mut impl Write, entry: &Entry) -> Result<(), Failure> {
    writeln!(out, "{BOLD}{}{BOLD:#} ({}): {}", entry.name, entry.family, entry.summary)?;
    let s = &entry.signature;
    for input in s.inputs {
        let mut of = takes(input.takes);
        for (is, word) in [(input.optional, ", optional"), (input.strided, ", strided")] {
            of.push_str(if is { word } else { "" });
        }
        writeln!(out, "  in   {}: {} ({of})", input.name, input.doc)?;
    }
    for setting in s.settings {
        let default =
            setting.default.map_or("required".into(), |d| format!("default {}", number(d)));
        writeln!(out, "  set  {}: {} ({default})", setting.name, setting.doc)?;
    }
    for word in s.words {
        let choices = word.choices.join(", ");
        writeln!(out, "  set  {}: {} (one of {choices})", word.name, word.doc)?;
    }
    for output in s.outputs {
        let over = match output.over {
            [] => String::new(),
            inputs => format!(" (may lie over {})", inputs.join(" or ")),
        };
        writeln!(out, "  out  {}: {}{over}", output.name, output.doc)?;
    }
    writeln!(out, "  {} cases", (entry.cases)(entry).len())?;
    Ok(())
}

fn takes(takes: Takes) -> String {
    match takes {
        Takes::OneOf(all) => all.iter().map(|d| d.name()).collect::<Vec<_>>().join(", "),
        Takes::Like(other) => format!("dtype of {other}"),
    }
}

fn number(setting: Setting) -> String {
    match setting {
        Setting::Int(x) => x.to_string(),
        Setting::Float(x) => format!("{x:?}"),
    }
}

fn entry_json(entry: &Entry) -> Value {
    let s = &entry.signature;
    json!({
        "kernel": entry.name,
        "family": entry.family,
        "summary": entry.summary,
        "inputs": s.inputs.iter().map(|i| json!({
            "name": i.name, "doc": i.doc, "optional": i.optional, "dtypes": takes(i.takes),
        })).collect::<Vec<_>>(),
        "outputs": s.outputs.iter().map(|o| json!({ "name": o.name, "doc": o.doc })).collect::<Vec<_>>(),
        "settings": s.settings.iter().map(|x| json!({
            "name": x.name, "doc": x.doc, "default": x.default.map(number),
        })).collect::<Vec<_>>(),
        "words": s.words.iter().map(|w| json!({
            "name": w.name, "doc": w.doc, "choices": w.choices,
        })).collect::<Vec<_>>(),
        "cases": (entry.cases)(entry).len(),
    })
}
