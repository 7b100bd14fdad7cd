//! The SPIR-V writer over the whole corpus: every module is valid.

use evenweave_codegen::{
    Cause, Controls, Facts, Features, Lanes, Optimise, PrepareError, Target, prepare,
    spirv::{self, Addressing},
};
use evenweave_lang::{ir::Kernel, text};
use std::{
    collections::{BTreeMap, HashSet},
    process::Command,
};

/// The distinct kernels of the corpus, by name.
fn corpus() -> Vec<Kernel> {
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

fn check(name: &str, facts: Facts, addressing: Addressing) {
    let (mut modules, mut refused) = (Vec::new(), BTreeMap::<String, u32>::new());
    for kernel in corpus() {
        if text::print(&kernel).contains("group_broadcast") {
            continue;
        }
        match prepare(&kernel, Target::Vulkan(facts), Optimise::Yes) {
            Ok(legal) => {
                let module = spirv::write(&legal, &facts, addressing);
                modules.push((kernel.name.clone(), module.words));
            }
            Err(PrepareError::Legalize(refusal)) => {
                *refused.entry(refusal.cause.to_string()).or_default() += 1;
            }
            Err(error) => {
                *refused.entry(error.to_string().chars().take(60).collect()).or_default() += 1
            }
        }
    }
    let bad = invalid(&modules);
    println!("{name}: {} modules, refused {refused:?}", modules.len());
    for text in bad.iter().take(5) {
        println!("{text}");
    }
    assert!(bad.is_empty(), "{name}: {} of {} modules are invalid", bad.len(), modules.len());
}

#[test]
fn every_module_for_a_device_that_has_everything_is_valid() {
    check("everything", Facts::IDEAL, Addressing::Descriptors);
}

#[test]
fn every_module_that_addresses_its_buffers_is_valid() {
    check("addresses", Facts::IDEAL, Addressing::Addresses);
}

#[test]
fn every_module_for_a_device_that_has_the_least_is_valid() {
    check("least", Facts::LEAST, Addressing::Descriptors);
}
