//! The page of the library, `docs/library.md`, from the registry.
//!
//! Invariants
//! - Everything on it is counted or read from the registry: a test compares the file with what is written here.

use crate::judge::mutate::mutants;
use evenweave_kernels::{
    BOUNDED,
    case::Case,
    census::{PUBLISHED, PUBLISHED_TOTAL},
    entries,
    entry::Entry,
    number,
    quant::format::{Code, FORMATS, Format, Scales},
};
use evenweave_lang::{dtype::DType, ops::Tier, text};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet, hash_map::DefaultHasher},
    fmt::{self, Write},
    hash::{Hash, Hasher},
};

const HEAD: &str = "\
# The library

Written by `evenweave list --markdown` from the registry; a test holds this page to the code. `evenweave list NAME` shows an
operation's inputs, settings and outputs.

A *kernel* here is one body with one set of values that must be known when it is compiled; *mutants* are its broken copies
(`evenweave test --mutate`), each of which a case must notice. *Tier*: `exact` has one right answer; `same` is a fixed sequence
of exact operations; both have the same bits on every device. What is `bounded` may differ between devices, and says why below.
";

/// What is counted of an operation.
struct Counted {
    entry: &'static Entry,
    dtypes: BTreeSet<DType>,
    tiers: BTreeSet<Tier>,
    kernels: usize,
    mutants: usize,
    cases: usize,
    kinds: BTreeMap<Kind, usize>,
}

/// A kind of case that every family has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Empty,
    One,
    View,
    Nan,
    Infinity,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Empty, Kind::One, Kind::View, Kind::Nan, Kind::Infinity];

    fn words(self) -> &'static str {
        match self {
            Kind::Empty => "with a tensor of nothing",
            Kind::One => "with a first tensor of one element",
            Kind::View => "with strides or an offset",
            Kind::Nan => "with NaN",
            Kind::Infinity => "with an infinity",
        }
    }

    fn of(self, case: &Case) -> bool {
        let inputs = &case.request.inputs;
        let numbers = |test: fn(f64) -> bool| {
            case.inputs.iter().any(|(name, pattern)| {
                let desc = &inputs[name];
                // Larger inputs are there for their size.
                let look = desc.dtype.is_float() && desc.elems() < 1 << 16;
                let bits = || pattern.bits(desc.dtype, desc.elems() as usize);
                look && bits().into_iter().any(|b| test(number::decode(desc.dtype, b)))
            })
        };
        match self {
            Kind::Empty => case.empty || inputs.values().any(|desc| desc.elems() == 0),
            Kind::One => inputs.values().next().is_some_and(|desc| desc.elems() == 1),
            Kind::View => inputs.values().any(|desc| !desc.is_contiguous()),
            Kind::Nan => numbers(f64::is_nan),
            Kind::Infinity => numbers(f64::is_infinite),
        }
    }
}

/// The page, or which case has no plan.
pub(crate) fn write() -> Result<String, String> {
    let all: Vec<&Entry> = entries().collect();
    let counted: Vec<Counted> = all.into_par_iter().map(count).collect::<Result<_, String>>()?;
    let mut page = String::from(HEAD);
    let text = |e: fmt::Error| e.to_string();
    operations(&mut page, &counted).map_err(text)?;
    bounded(&mut page, &counted)?;
    published(&mut page).map_err(text)?;
    formats(&mut page).map_err(text)?;
    Ok(page)
}

fn count(entry: &'static Entry) -> Result<Counted, String> {
    let (mut dtypes, mut tiers) = (BTreeSet::new(), BTreeSet::new());
    let (mut kernels, mut broken) = (BTreeSet::new(), BTreeSet::new());
    let (cases, mut kinds) = ((entry.cases)(entry), BTreeMap::new());
    for case in &cases {
        for kind in Kind::ALL.into_iter().filter(|kind| kind.of(case)) {
            *kinds.entry(kind).or_default() += 1;
        }
        dtypes.insert(case.dtype);
        let plan = entry.plan(&case.request).map_err(|e| format!("{}: {e}", case.name))?;
        for step in plan.steps {
            let mut hasher = DefaultHasher::new();
            text::print(&step.kernel).hash(&mut hasher);
            if kernels.insert(hasher.finish()) {
                tiers.insert(step.kernel.tier());
                let base = step.kernel.name.split('<').next().unwrap_or_default().to_string();
                broken.extend(mutants(&step.kernel).into_iter().map(|m| (base.clone(), m)));
            }
        }
    }
    let (kernels, mutants) = (kernels.len(), broken.len());
    Ok(Counted { entry, dtypes, tiers, kernels, mutants, cases: cases.len(), kinds })
}

fn operations(page: &mut String, counted: &[Counted]) -> fmt::Result {
    let sum = |of: fn(&Counted) -> usize| counted.iter().map(of).sum::<usize>();
    let mut families: BTreeMap<&str, Vec<&Counted>> = BTreeMap::new();
    for c in counted {
        families.entry(c.entry.family).or_default().push(c);
    }
    writeln!(
        page,
        "\n{} operations in {} families: {} cases, {} kernels, {} mutants.",
        counted.len(),
        families.len(),
        sum(|c| c.cases),
        sum(|c| c.kernels),
        sum(|c| c.mutants)
    )?;
    let mut shown = "";
    for Counted { entry, dtypes, tiers, kernels, mutants, cases, .. } in counted {
        if entry.family != shown {
            shown = entry.family;
            let of = |count: &dyn Fn(&Counted) -> usize| {
                families[shown].iter().map(|c| count(c)).sum::<usize>()
            };
            let kind = |kind: Kind| {
                let many = of(&|c| c.kinds.get(&kind).copied().unwrap_or(0));
                format!("{many} {}", kind.words())
            };
            let kinds = Kind::ALL.map(kind).join(", ");
            writeln!(page, "\n## {shown}\n{} cases: {kinds}.\n", of(&|c| c.cases))?;
            writeln!(page, "| operation | computes | dtypes | tier | kernels | mutants | cases |")?;
            writeln!(page, "|---|---|---|---|--:|--:|--:|")?;
        }
        let dtypes = join(dtypes.iter().map(|d| d.name()));
        let tiers = join(tiers.iter().map(|t| t.name()));
        let summary = entry.summary.replace('|', "\\|");
        writeln!(
            page,
            "| `{}` | {summary} | {dtypes} | {tiers} | {kernels} | {mutants} | {cases} |",
            entry.name
        )?;
    }
    Ok(())
}

fn join<'a>(all: impl Iterator<Item = &'a str>) -> String {
    all.collect::<Vec<_>>().join(", ")
}

/// The reasons of the operations that have such kernels; an error where one has none, or one has a reason only.
fn bounded(page: &mut String, counted: &[Counted]) -> Result<(), String> {
    let has: BTreeSet<&str> =
        counted.iter().filter(|c| c.tiers.contains(&Tier::Bounded)).map(|c| c.entry.name).collect();
    let says: BTreeSet<&str> = BOUNDED.iter().map(|(name, _)| *name).collect();
    if let Some(name) = has.symmetric_difference(&says).next() {
        return Err(format!(
            "{name} has a bounded kernel without a reason, or the other way round"
        ));
    }
    let lines = BOUNDED.iter().map(|(name, why)| format!("- `{name}`: {why}\n"));
    page.push_str("\n## Bounded\nAll that is `bounded`:\n\n");
    page.extend(lines);
    Ok(())
}

fn published(page: &mut String) -> fmt::Result {
    let corpus: Vec<_> =
        entries().flat_map(|e| (e.cases)(e).into_iter().map(move |c| (e, c))).collect();
    writeln!(
        page,
        "\n## Beside another library\n\
         What a widely used library of kernels publishes of itself, and the cases that hold the same here. It has a kernel for each \
         format, width and tile; here those are values.\n\n\
         | what | its kernels | its cases | our cases |\n|---|--:|--:|--:|"
    )?;
    let mut held = 0;
    for p in PUBLISHED {
        let ours = corpus.iter().filter(|(entry, case)| p.holds(entry, case)).count();
        held += ours;
        writeln!(page, "| {} | {} | {} | {ours} |", p.what, p.kernels, p.cases)?;
    }
    let [kernels, cases] = PUBLISHED_TOTAL;
    writeln!(page, "| of no row: 2:4 sparsity | | | {} |", corpus.len() - held)?;
    writeln!(page, "| **all** | **{kernels}** | **{cases}** | **{}** |", corpus.len())
}

fn formats(page: &mut String) -> fmt::Result {
    writeln!(
        page,
        "\n## Formats of weights\n\
         Every operation with a setting `format` takes each; `kernels/src/quant/format.rs` has the table.\n\n\
         | format | code | weights of a scale | scale | bits a weight |\n|---|---|--:|---|--:|"
    )?;
    for Format { name, scheme, scales } in FORMATS {
        let code = match scheme.code {
            Code::E2M1 => "E2M1".into(),
            Code::E4M3 => "E4M3".into(),
            Code::E5M2 => "E5M2".into(),
            Code::Point => "a coordinate of one of 256 points of 8, 25 and 43, and a sign".into(),
            Code::Int(bits) => format!("signed, {bits} bits"),
            Code::Uint(bits) => format!("unsigned, {bits} bits"),
        };
        let more = match (scheme.bias && scheme.blocks.is_none(), scheme.global) {
            (true, _) => " and a bias",
            (false, true) => " and one f32 for all",
            (false, false) => "",
        };
        let scale = match scheme.blocks.map(|b| b.scales) {
            None => {
                format!("{}{more}", join(scales.iter().map(|d| d.name())).replace(", ", " or "))
            }
            Some(Scales::Half(_)) => "f16".into(),
            Some(Scales::Points(_)) => "f16 times 4 bits and a half".into(),
            Some(Scales::Signed(..)) => "f16 times i8".into(),
            Some(Scales::Nibbles(..)) => "f16 times 4 bits, less f16 times 4 bits".into(),
            Some(Scales::Sixes(..)) => "f16 times 6 bits, less f16 times 6 bits".into(),
        };
        let per = 1.0 + f64::from(u8::from(scheme.bias && scheme.blocks.is_none()));
        let bits = match scheme.blocks {
            Some(blocks) => f64::from(8 * blocks.bytes) / f64::from(blocks.elems),
            None => {
                let scale = scales.last().map_or(0, |d| d.bits());
                f64::from(scheme.code.bits()) + per * f64::from(scale) / f64::from(scheme.block)
            }
        };
        writeln!(page, "| `{name}` | {code} | {} | {scale} | {bits:.2} |", scheme.block)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, fs, path::Path};

    /// Random numbers come from a seed alone.
    #[test]
    fn every_family_has_every_kind_of_case() {
        let mut missing = Vec::new();
        let families: BTreeSet<&str> = entries().map(|e| e.family).collect();
        for family in families.into_iter().filter(|family| *family != "random") {
            let of = || entries().filter(|e| e.family == family).flat_map(|e| (e.cases)(e));
            let lacks = |kind: &Kind| !of().any(|case| kind.of(&case));
            missing.extend(Kind::ALL.into_iter().filter(lacks).map(|kind| (family, kind)));
        }
        assert!(missing.is_empty(), "no cases: {missing:?}");
    }

    #[test]
    fn the_page_is_that_of_the_registry() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/library.md");
        let page = super::write().unwrap();
        if env::var_os("BLESS").is_some() {
            return fs::write(file, page).unwrap();
        }
        let shown = fs::read_to_string(file).unwrap();
        assert!(shown == page, "docs/library.md is out of date: read the change, then BLESS=1");
    }
}
