//! The driver's side: pipelines, their file, the validation layer, and launches that never end.

use super::{
    super::{
        gpu::{KEPT, Tuning},
        instance, open_tuned, pipeline, store,
    },
    device, put, wanted, watched, words,
};
use crate::{Device, DeviceError, LaunchArg, LoadOptions, OpenOptions, open};
use evenweave_lang::prelude::*;
use std::{
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

#[kernel(group = 32, grid = 1)]
fn double(#[len(32)] x: &mut InOut<u32>) {
    let i = local_id();
    x[i] = x[i] * 2;
}

/// Runs for as long as nobody changes `stop`.
#[kernel(group = 32, grid = 1)]
fn endless(#[len(32)] x: &mut InOut<u32>, #[len(1)] stop: &mut InOut<u32>) {
    let i = local_id();
    while atomic_add(stop, 0, 0) == 0 {
        x[i] += 1;
    }
}

#[test]
fn equal_modules_share_a_pipeline() {
    let Some(device) = device("equal_modules_share_a_pipeline") else { return };
    let load = |options: &LoadOptions| device.load(&double().unwrap(), options).unwrap();
    let (a, b) = (load(&LoadOptions::default()), load(&LoadOptions::default()));
    let of = |p: &_| device.loaded(p).unwrap().bound.pipeline.clone();
    assert!(Arc::ptr_eq(&of(&a), &of(&b)));
    assert!(device.artifact(&a).unwrap().contains("OpEntryPoint GLCompute"));
    let pipeline = Arc::downgrade(&of(&a));
    drop((a, b));
    assert!(pipeline.upgrade().is_none());
    let watching = LoadOptions { sanitize: true, ..LoadOptions::default() };
    let refused = device.load(&double().unwrap(), &watching);
    assert!(matches!(refused, Err(DeviceError::Missing { .. })));
}

#[test]
fn what_was_compiled_is_kept() {
    if !wanted("what_was_compiled_is_kept") {
        return;
    }
    let folder = std::env::temp_dir().join(format!("evenweave-vulkan-{}", std::process::id()));
    let options = OpenOptions { cache: Some(folder.clone()), ..OpenOptions::default() };
    let once = || {
        let device = open_tuned("vulkan", &options, Tuning::USUAL).unwrap();
        let x = put(&device, &[21; 32]);
        let program = device.load(&double().unwrap(), &LoadOptions::default()).unwrap();
        device.launch(&program, &[LaunchArg::Buffer(&x)]).unwrap();
        assert_eq!(words(&device.read(&x).unwrap()), [42; 32]);
        let row = device.info().limits.iter().find(|(what, _)| *what == KEPT).unwrap();
        let path = store::path(&folder, &device.gpu.hardware);
        (row.1.parse::<usize>().unwrap(), path)
    };
    let (read, path) = once();
    assert_eq!(read, 0, "there was no file");
    let kept = store::read(&path).expect("a file is there after closing");
    assert!(kept.len() >= 32, "a cache has a header at least");
    assert_eq!(once().0, kept.len(), "the second opening reads what the first wrote");
    std::fs::write(&path, b"broken").unwrap();
    assert_eq!(once().0, 0, "a broken file is ignored");
    assert!(store::read(&path).is_some(), "and written anew");
    std::fs::remove_dir_all(&folder).unwrap();
    // A folder that cannot be made is no error.
    let nowhere = OpenOptions { cache: Some("/dev/null/no".into()), ..OpenOptions::default() };
    drop(open("vulkan", &nowhere).unwrap());
}

/// The other tests demand that the layer is silent; here it must speak.
#[test]
fn what_is_not_valid_is_an_error_of_the_call() {
    let Some(device) = device("what_is_not_valid_is_an_error_of_the_call") else { return };
    if device.gpu.watch == instance::Watch::No {
        return;
    }
    let x = put(&device, &[1; 32]);
    let program = device.load(&double().unwrap(), &LoadOptions::default()).unwrap();
    let mut module = device.loaded(&program).unwrap().bound.module.clone();
    // The declared memory model (the word after the addressing model of OpMemoryModel) becomes OpenCL's.
    let at = module.words.windows(2).skip(5).position(|w| w[0] == 3 << 16 | 14).unwrap() + 5;
    module.words[at + 2] = 2;
    let block = ash::vk::DescriptorType::UNIFORM_BUFFER;
    let shape = pipeline::Shape { block, bindings: 1, full: false, width: None };
    let made = device.watched("load", || pipeline::pipeline(&device.gpu, &module.words, shape));
    let Err(DeviceError::Validation { call: "load", messages, .. }) = made.map(|_| ()) else {
        panic!("a module of another memory model passes")
    };
    assert!(!messages.is_empty());
    // What comes after is not to blame.
    device.launch(&program, &[LaunchArg::Buffer(&x)]).unwrap();
    assert_eq!(words(&device.read(&x).unwrap()), [2; 32]);
}

/// A launch that never ends leaves a thread of a CPU driver at work, so it happens in a process of its own.
#[test]
fn a_launch_that_never_ends_is_an_error() {
    if !wanted("a_launch_that_never_ends_is_an_error") {
        return;
    }
    let started = Instant::now();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "vulkan::tests::driver::hangs", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && text.contains("hung, then lost"), "{child:?}");
    assert!(started.elapsed() < Duration::from_secs(60), "it took {:?}", started.elapsed());
}

#[test]
#[ignore = "leaves a thread at work: run by the test above in a process of its own"]
fn hangs() {
    let impatient = Tuning { patience: Duration::from_secs(2), ..Tuning::USUAL };
    let device = open_tuned("vulkan", &OpenOptions::default(), impatient).unwrap();
    let (x, stop) = (put(&device, &[0; 32]), put(&device, &[0]));
    let program = device.load(&endless().unwrap(), &LoadOptions::default()).unwrap();
    device.launch(&program, &[LaunchArg::Buffer(&x), LaunchArg::Buffer(&stop)]).unwrap();
    let first = device.read(&x).unwrap_err();
    assert!(matches!(first, DeviceError::Hung { seconds: 2, .. }), "{first}");
    let lost = |r: Result<(), DeviceError>| assert!(matches!(r, Err(DeviceError::Lost { .. })));
    lost(device.read(&x).map(|_| ()));
    lost(device.fill(&x, 0));
    lost(device.write(&x, &[0; 128]));
    lost(device.alloc(DType::U32, 1).map(|_| ()));
    lost(device.load(&double().unwrap(), &LoadOptions::default()).map(|_| ()));
    lost(device.launch(&program, &[LaunchArg::Buffer(&x), LaunchArg::Buffer(&stop)]));
    lost(device.time(&mut || Ok(())).map(|_| ()));
    drop((device, x, stop, program));
    println!("hung, then lost");
}

#[test]
fn validation_is_there_or_missed() {
    if !wanted("validation_is_there_or_missed") {
        return;
    }
    match open("vulkan", &watched()) {
        Ok(device) => drop(device),
        Err(error) => assert!(matches!(error, DeviceError::Missing { .. }), "{error}"),
    }
}
