//! Texts of the C family: stored side by side for reading, and held to what they promise.

use crate::spirv::corpus;
use evenweave_codegen::{
    Optimise, Target,
    c::{self, Dialect},
    prepare,
};
use std::{collections::HashSet, path::Path, time::Instant};

/// Operations and dtypes whose texts are stored.
const SHOWN: &[(&str, &str)] = &[
    ("add", "f32"),
    ("add", "f64"),
    ("add", "f16"),
    ("add", "bf16"),
    ("add", "i64"),
    ("add", "u8"),
    ("div", "f32"),
    ("div", "i32"),
    ("remainder", "f32"),
    ("remainder", "i64"),
    ("min", "f32"),
    ("mul_high", "i32"),
    ("shift_right", "i8"),
    ("cast", "f32"),
    ("cast", "f16"),
    ("cast", "i64"),
    ("select", "f32"),
    ("copy", "f32"),
    ("copy", "f16"),
    ("exp", "f32"),
    ("sqrt", "f32"),
    ("tanh", "f16"),
    ("swiglu", "f16"),
    ("softmax", "f32"),
    ("reduce_rows", "f32"),
    ("reduce_columns", "f32"),
    ("reduce_all", "f32"),
    ("arg_reduce", "f32"),
    ("scan", "f32"),
    ("sort", "f32"),
    ("rms_norm", "f16"),
    ("layer_norm", "f32"),
    ("gemm", "f32"),
    ("gemv", "f16"),
    ("gemv_quantized", "f16"),
    ("dequantize", "f16"),
    ("gather", "f32"),
    ("scatter", "f32"),
    ("rope", "f32"),
    ("random_bits", "u32"),
    ("top_k_mask", "f32"),
];

const fn ending(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Cuda => "cu",
        Dialect::Hip => "hip",
        Dialect::Metal => "metal",
    }
}

#[test]
fn texts_read_as_they_are_stored() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts");
    let mut stale = Vec::new();
    for &(operation, dtype) in SHOWN {
        let entry = evenweave_kernels::entries().find(|e| e.name == operation).expect(operation);
        let cases = (entry.cases)(entry);
        let case = cases.iter().find(|c| c.dtype.name() == dtype && !c.empty);
        let case = case.unwrap_or_else(|| panic!("{operation} has no case of {dtype}"));
        let plan = entry.plan(&case.request).unwrap();
        for dialect in Dialect::ALL {
            let target = Target::C(dialect, dialect.facts());
            let mut text = String::new();
            for step in &plan.steps {
                match prepare(&step.kernel, target, Optimise::Yes) {
                    Ok(legal) => text += &c::write(&legal, dialect, operation).text,
                    Err(refusal) => text += &format!("// {refusal}\n"),
                }
            }
            let path = folder.join(format!("{operation}-{dtype}.{}", ending(dialect)));
            if std::env::var_os("BLESS").is_some() {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, &text).unwrap();
            } else if std::fs::read_to_string(&path).ok().as_deref() != Some(&text) {
                stale.push(path.display().to_string());
            }
        }
    }
    assert!(stale.is_empty(), "out of date; BLESS=1, then read the change: {stale:#?}");
}

/// The words of a text that name something.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty())
}

#[test]
fn every_kernel_has_a_text_without_the_makers_mathematics() {
    const MATHEMATICS: &[&str] = &[
        "exp",
        "expf",
        "exp2f",
        "__expf",
        "log",
        "logf",
        "log2f",
        "__logf",
        "sin",
        "sinf",
        "cosf",
        "tanf",
        "tanhf",
        "powf",
        "pow",
        "erff",
        "sqrtf",
        "rsqrtf",
        "fmaf",
        "fminf",
        "fmaxf",
        "fmodf",
        "__fdividef",
        "atomicAddf",
    ];
    for dialect in Dialect::ALL {
        assert_eq!(c::prelude(dialect).contains("#include"), dialect == Dialect::Metal);
        let mut written = 0;
        let mut definitions = HashSet::new();
        for kernel in corpus() {
            let definition = kernel.name.split('<').next().unwrap_or_default().to_string();
            // Where subnormals are flushed a text is many times as long: one of each definition is enough there.
            if !definitions.insert(definition) && dialect == Dialect::Metal {
                continue;
            }
            // What a device lacks is refused with a reason; the writer itself never fails.
            let Ok(legal) = prepare(&kernel, Target::C(dialect, dialect.facts()), Optimise::Yes)
            else {
                assert_eq!(dialect, Dialect::Metal, "{}", kernel.name);
                continue;
            };
            let text = c::write(&legal, dialect, "entry").text;
            if let Some(word) = words(&text).find(|w| MATHEMATICS.contains(w)) {
                panic!("{} for {} calls `{word}`", kernel.name, dialect.name());
            }
            assert!(text.contains(" entry("), "{}", kernel.name);
            written += 1;
        }
        let least = if dialect == Dialect::Metal { 40 } else { 1000 };
        assert!(written > least, "{written} texts for {}", dialect.name());
    }
}

/// Directives are lines of their own: without them the text is the same.
#[test]
fn a_lined_text_is_the_text_with_directives() {
    let target = Target::parse("hip:gfx1201").unwrap();
    let mut named = 0;
    for kernel in corpus().iter().step_by(7) {
        let Ok(legal) = prepare(kernel, target, Optimise::Yes) else { continue };
        let lined = c::write_lined(&legal, Dialect::Hip, "entry").text;
        let (directives, rest): (Vec<&str>, Vec<&str>) =
            lined.lines().partition(|line| line.starts_with("#line "));
        let plain = c::write(&legal, Dialect::Hip, "entry").text;
        assert!(rest.iter().copied().eq(plain.lines()), "{}", kernel.name);
        for directive in directives {
            let names = |file: &String| directive.ends_with(&format!("\"{file}\""));
            assert!(legal.files.iter().any(names), "{}: {directive}", kernel.name);
            named += 1;
        }
    }
    assert!(named > 1000, "{named} directives");
}

#[test]
fn a_text_takes_less_than_a_third_of_a_millisecond() {
    let target = Target::parse("cuda").unwrap();
    let legal: Vec<_> =
        corpus().iter().filter_map(|k| prepare(k, target, Optimise::Yes).ok()).collect();
    // The least of several: what else the machine does only adds.
    let round = || {
        let started = Instant::now();
        let bytes: usize =
            legal.iter().map(|k| c::write(k, Dialect::Cuda, "entry").text.len()).sum();
        assert!(bytes > 1 << 20);
        started.elapsed().as_secs_f64() * 1e6 / legal.len() as f64
    };
    let each_us = (0..4).map(|_| round()).fold(f64::INFINITY, f64::min);
    println!("{} kernels, {each_us:.1} us each", legal.len());
    assert!(each_us < 300.0, "{each_us} us a kernel");
}
