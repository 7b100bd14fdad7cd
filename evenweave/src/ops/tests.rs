//! What the functions' documentation says of operations, held against the operations.

use crate::operation;
use evenweave_lang::ops::Tier;
use std::path::Path;

const SOURCES: [&str; 9] = [
    include_str!("attention.rs"),
    include_str!("elementwise.rs"),
    include_str!("experts.rs"),
    include_str!("indexing.rs"),
    include_str!("linear.rs"),
    include_str!("norms.rs"),
    include_str!("recurrent.rs"),
    include_str!("reduce.rs"),
    include_str!("sampling.rs"),
];

/// The weakest tier of an operation's kernels, over its cases.
fn tier(name: &str) -> Tier {
    let entry = operation(name).unwrap_or_else(|e| panic!("{e}"));
    let mut weakest = Tier::Exact;
    for case in (entry.cases)(entry) {
        let plan = entry.plan(&case.request).unwrap();
        let sequences_apart = case.request.words.contains_key("sums");
        for step in plan.steps.iter().filter(|_| !sequences_apart) {
            weakest = weakest.max(step.kernel.tier());
        }
    }
    weakest
}

fn word(tier: Tier) -> &'static str {
    match tier {
        Tier::Exact => "exact",
        Tier::Same => "same",
        Tier::Bounded => "bounded",
    }
}

/// The texts between some mark and the quote that ends them.
fn quoted<'a>(text: &'a str, mark: &str) -> Vec<&'a str> {
    text.split(mark).skip(1).filter_map(|rest| rest.split(['"', '`']).next()).collect()
}

#[test]
fn each_function_names_its_sources() {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/src");
    let mut functions = 0;
    for source in SOURCES {
        let items: Vec<&str> = source.split("\npub fn ").collect();
        for before in &items[..items.len() - 1] {
            let doc = before.rsplit("\n\n").next().unwrap().replace("\n/// ", " ");
            assert!(doc.contains("Tier `"), "{doc}");
            let (_, named) = doc.split_once("Source `").unwrap_or_else(|| panic!("{doc}"));
            assert!(named.contains(".rs`"), "{doc}");
            for file in named.split('`').filter(|file| file.ends_with(".rs")) {
                assert!(kernels.join(file).is_file(), "{file}");
            }
            functions += 1;
        }
    }
    assert!(functions > 20, "{functions}");
}

#[test]
fn tiers_are_those_of_the_kernels() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for source in SOURCES {
        // `name "tier" "formula";` rows of the tables of functions.
        for line in source.lines().map(str::trim).filter(|l| l.ends_with("\";")) {
            let [name, said, ..] = line.split('"').map(str::trim).collect::<Vec<_>>()[..] else {
                continue;
            };
            if !["exact", "same"].contains(&said) {
                continue;
            }
            if word(tier(name)) != said {
                wrong.push(format!("{name} is {}, not {said}", word(tier(name))));
            }
            compared += 1;
        }
        // A function's operations are named after its documentation.
        for item in source.split("\npub fn ").collect::<Vec<_>>().windows(2) {
            let doc = item[0].replace("\n/// ", " ");
            let said = quoted(&doc, "Tier `").pop();
            let body = item[1].split("\n/// ").next().unwrap();
            let names = quoted(body, "call(\"");
            for name in names {
                let said = said.unwrap_or_else(|| panic!("{name} has no tier"));
                let is = word(tier(name));
                // What a composition says holds of all its parts.
                if is != said && !(is == "exact" && said == "same") {
                    wrong.push(format!("{name} is {is}, not {said}"));
                }
                compared += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 60, "{compared}");
}
