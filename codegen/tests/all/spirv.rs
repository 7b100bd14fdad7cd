//! The SPIR-V writer over the whole corpus: every module is valid.

use evenweave_codegen::{
    Fact, FactSet, Facts, Lanes, Optimise, PrepareError, Target, prepare,
    spirv::{self, Addressing},
};
use evenweave_lang::{ir::Kernel, text};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    process::Command,
};

/// The distinct kernels of the corpus, by name.
pub(crate) fn corpus() -> Vec<Kernel> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for entry in evenweave_kernels::entries() {
        for case in (entry.cases)(entry) {
            for step in entry.plan(&case.request).expect("the corpus can be planned").steps {
                if seen.insert(text::print(&step.kernel)) {
                    all.push(step.kernel);
                }
            }
        }
    }
    all
}

/// Validates modules, several at a time; the messages of those that are not valid.
fn invalid(modules: &[(String, Vec<u32>)]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder for modules");
    let next = std::sync::atomic::AtomicUsize::new(0);
    let found = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some((name, words)) = modules.get(at) else { break };
                    let path = folder.path().join(format!("{at}.spv"));
                    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                    std::fs::write(&path, bytes).expect("a module is written");
                    let run = Command::new("spirv-val")
                        .args(["--target-env", "vulkan1.2"])
                        .arg(&path)
                        .output()
                        .expect("spirv-val is installed (Debian: spirv-tools)");
                    if !run.status.success() {
                        let text = String::from_utf8_lossy(&run.stderr);
                        let out = String::from_utf8_lossy(&run.stdout);
                        found.lock().unwrap().push(format!("{name}: {text}{out}"));
                    }
                }
            });
        }
    });
    found.into_inner().unwrap()
}

/// One kernel of the corpus on the way to a module: its name and words, or why it is refused.
fn module(
    kernel: &Kernel,
    facts: &Facts,
    addressing: Addressing,
) -> Result<(String, Vec<u32>), String> {
    match prepare(kernel, Target::Vulkan(*facts), Optimise::Yes) {
        Ok(legal) => Ok((kernel.name.clone(), spirv::write(&legal, facts, addressing).words)),
        Err(PrepareError::Legalize(refusal)) => Err(refusal.cause.to_string()),
        Err(error) => panic!("{error}"),
    }
}

/// Modules of all kernels, several written at a time.
fn modules(
    kernels: &[Kernel],
    facts: &Facts,
    addressing: Addressing,
) -> Vec<Result<(String, Vec<u32>), String>> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let all = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(kernel) = kernels.get(at) else { break };
                    let module = module(kernel, facts, addressing);
                    all.lock().unwrap().push(module);
                }
            });
        }
    });
    all.into_inner().unwrap()
}

fn check(name: &str, kernels: &[Kernel], facts: Facts, addressing: Addressing) {
    let started = std::time::Instant::now();
    let (mut written, mut refused) = (HashMap::new(), BTreeMap::<String, u32>::new());
    for module in modules(kernels, &facts, addressing) {
        match module {
            Ok((kernel, words)) => {
                written.insert(words, kernel);
            }
            Err(cause) => *refused.entry(cause).or_default() += 1,
        }
    }
    let written: Vec<_> = written.into_iter().map(|(words, kernel)| (kernel, words)).collect();
    let writing_s = started.elapsed().as_secs_f64();
    let bad = invalid(&written);
    let all_s = started.elapsed().as_secs_f64();
    let (count, of) = (written.len(), kernels.len());
    println!("{name}: {count} modules of {of} kernels, refused {refused:?}");
    println!("{name}: {writing_s:.1} s, and {:.1} s of checking", all_s - writing_s);
    for text in bad.iter().take(5) {
        println!("{text}");
    }
    assert!(count > of / 2, "{name}: {count} modules of {of} kernels");
    assert!(bad.is_empty(), "{name}: {} of {count} modules are invalid", bad.len());
}

/// A driver for processors is given modules with addresses, which the next test has all of.
#[test]
fn every_module_for_a_device_that_has_everything_is_valid() {
    check("everything", &corpus(), Facts::IDEAL, Addressing::Descriptors);
    check("cpu driver", &definitions(), cpu_driver(), Addressing::Descriptors);
}

#[test]
fn every_module_that_addresses_its_buffers_is_valid() {
    check("addresses", &corpus(), Facts::IDEAL, Addressing::Addresses);
    check("near addresses", &corpus(), cpu_driver(), Addressing::Near);
}

/// One kernel of each definition.
fn definitions() -> Vec<Kernel> {
    let mut seen = HashSet::new();
    let base = |k: &Kernel| k.name.split('<').next().map(String::from);
    corpus().into_iter().filter(|k| seen.insert(base(k))).collect()
}

/// Where floats are sequences and a thread carries many lanes, a kernel may have hundreds of thousands of operations: one
/// of each definition.
#[test]
fn every_module_for_a_device_that_has_the_least_is_valid() {
    check("least", &definitions(), Facts::LEAST, Addressing::Descriptors);
}

/// What is shown of the writer: an operation, a dtype, and the facts. One of each kind of type, access, control flow
/// and rewriting.
const SHOWN: &[(&str, &str, &str)] = &[
    ("add", "f32", "everything"),
    ("add", "f64", "everything"),
    ("add", "f16", "everything"),
    ("add", "bf16", "everything"),
    ("add", "i64", "everything"),
    ("add", "u8", "everything"),
    ("add", "f32", "least"),
    ("add", "i64", "least"),
    ("add", "u8", "least"),
    ("add", "f16", "least"),
    ("div", "i32", "everything"),
    ("div", "f32", "cpu driver"),
    ("remainder", "f32", "everything"),
    ("min", "f32", "everything"),
    ("mul_high", "i32", "everything"),
    ("shift_right", "i8", "everything"),
    ("cast", "f32", "cpu driver"),
    ("cast", "f16", "cpu driver"),
    ("select", "f32", "everything"),
    ("copy", "f32", "everything"),
    ("copy", "f16", "everything"),
    ("exp", "f32", "everything"),
    ("exp", "f32", "cpu driver"),
    ("sqrt", "f32", "cpu driver"),
    ("swiglu", "f16", "everything"),
    ("softmax", "f32", "everything"),
    ("softmax", "f32", "cpu driver"),
    ("reduce_rows", "f32", "everything"),
    ("reduce_rows", "f32", "cpu driver"),
    ("reduce_rows", "f32", "least"),
    ("reduce_columns", "f32", "everything"),
    ("arg_reduce", "f32", "everything"),
    ("scan", "f32", "everything"),
    ("scan", "f32", "cpu driver"),
    ("sort", "f32", "everything"),
    ("rms_norm", "f16", "everything"),
    ("gemm", "f32", "everything"),
    ("gemv_quantized", "f16", "everything"),
    ("quantize", "f16", "everything"),
    ("gather", "f32", "everything"),
    ("scatter", "f32", "everything"),
    ("rope", "f32", "everything"),
    ("random_bits", "u32", "everything"),
    ("top_k_mask", "f32", "everything"),
];

/// A device like a CPU driver for Vulkan: subgroups of 8, and an `fma` of two roundings.
fn cpu_driver() -> Facts {
    let holds =
        [Fact::Fma, Fact::DoubleFma].into_iter().fold(FactSet::ALL, |s, f| s.with(f, false));
    Facts { lanes: Lanes::Fixed(8), holds, ..Facts::IDEAL }
}

fn facts(name: &str) -> Facts {
    match name {
        "everything" => Facts::IDEAL,
        "cpu driver" => cpu_driver(),
        "least" => Facts::LEAST,
        other => panic!("no facts are called {other}"),
    }
}

#[test]
fn modules_read_as_they_are_stored() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules");
    let mut stale = Vec::new();
    for &(operation, dtype, on) in SHOWN {
        let entry = evenweave_kernels::entries().find(|e| e.name == operation).expect(operation);
        let cases = (entry.cases)(entry);
        let case = cases.iter().find(|c| c.dtype.name() == dtype && !c.empty);
        let case = case.unwrap_or_else(|| panic!("{operation} has no case of {dtype}"));
        let plan = entry.plan(&case.request).unwrap();
        let facts = facts(on);
        let mut text = String::new();
        for step in &plan.steps {
            match prepare(&step.kernel, Target::Vulkan(facts), Optimise::Yes) {
                Ok(legal) => {
                    let module = spirv::write(&legal, &facts, Addressing::Descriptors);
                    text += &spirv::disassemble(&module);
                    text.push('\n');
                }
                Err(refusal) => text += &format!("{refusal}\n"),
            }
        }
        let path = folder.join(format!("{operation}-{dtype}-{}.txt", on.replace(' ', "-")));
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(&text) {
            stale.push(path.display().to_string());
        }
    }
    assert!(stale.is_empty(), "out of date; BLESS=1, then read the change: {stale:#?}");
}

#[test]
fn writing_takes_less_than_a_third_of_a_millisecond() {
    let facts = Facts::IDEAL;
    let legal: Vec<_> = corpus()
        .iter()
        .filter_map(|k| prepare(k, Target::Vulkan(facts), Optimise::Yes).ok())
        .collect();
    // The least of several: what else the machine does only adds.
    let round = || {
        let started = std::time::Instant::now();
        let words =
            legal.iter().map(|k| spirv::write(k, &facts, Addressing::Descriptors).words.len());
        assert!(words.sum::<usize>() > 1 << 20);
        started.elapsed().as_secs_f64() * 1e6 / legal.len() as f64
    };
    let each_us = (0..4).map(|_| round()).fold(f64::INFINITY, f64::min);
    println!("{} kernels, {each_us:.1} us each", legal.len());
    assert!(each_us < 300.0, "{each_us} us a kernel");
}

/// A loop whose body leaves by both ways of an `if`, and has more after it.
const LEFT_BY_BOTH: &str = "kernel k(
    x: in f32[16],
    y: out u32[16],
) group 16 grid [1]
    v0: u32 = thread_id                          @<text>:1
    v1: u32 = const 0                            @<text>:1
    v2: u32 = const 9                            @<text>:1
    v3: u32 = const 2                            @<text>:1
    v4: f32 = const 1.0                          @<text>:1
    v5: u32 = for v1 to v2 step v3 {             @<text>:2
        v6: f32 = load x[v0]                     @<text>:3
        v7: bool = lt v6, v4                     @<text>:3
        if v7 {                                  @<text>:3
            break v5                             @<text>:4
        } else {
            continue v5                          @<text>:5
        }
        store y[v0], v5                          @<text>:6
        continue v5                              @<text>:7
    }
";

#[test]
fn what_follows_an_if_that_never_continues_has_no_place_in_a_block() {
    let kernel = text::parse(LEFT_BY_BOTH).expect("the kernel is well formed");
    let mut modules = Vec::new();
    for how in [Optimise::No, Optimise::Yes] {
        let legal = prepare(&kernel, Target::Vulkan(Facts::IDEAL), how).expect("nothing lacks");
        let module = spirv::write(&legal, &Facts::IDEAL, Addressing::Descriptors);
        modules.push((format!("{how:?}"), module.words));
    }
    assert_eq!(invalid(&modules), Vec::<String>::new());
}
