//! Outputs in memory of the caller's: over inputs, as the registry says, in views, and in recordings.

use evenweave::{
    Error, LoadOptions, OpenOptions,
    kernels::{
        case::Case,
        entries,
        entry::Entry,
        number,
        plan::{Plan, TensorRef},
    },
    prelude::*,
};
use std::collections::{BTreeMap, BTreeSet};

fn cpu() -> Device {
    Device::open("cpu").unwrap()
}

/// A device that watches for an element that one thread writes while another reads it, through whichever argument.
fn watched() -> Device {
    let options = LoadOptions { sanitize: true, ..LoadOptions::default() };
    Device::open_with("cpu", &OpenOptions::default(), options).unwrap()
}

/// Of an entry's cases those that may run in place, one of each set of kernels, and not large.
fn cases(entry: &'static Entry) -> Vec<(Case, Plan)> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut all = Vec::new();
    for case in (entry.cases)(entry) {
        let plan = entry.plan(&case.request).unwrap();
        let elems: u64 = case.request.inputs.values().map(|d| d.elems()).sum();
        if plan.over.is_empty() || elems == 0 || elems > 6_000 {
            continue;
        }
        let kernels: Vec<&str> = plan.steps.iter().map(|s| s.kernel.name.as_str()).collect();
        let seen = counts.entry(kernels.join(" ")).or_default();
        *seen += 1;
        if *seen == 1 {
            all.push((case, plan));
        }
    }
    all
}

/// Every choice of distinct inputs for the outputs that may have one, but that of none.
fn choices(plan: &Plan) -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all = vec![Vec::new()];
    let outputs: BTreeSet<&str> = plan.over.iter().map(|(o, _)| *o).collect();
    for output in outputs {
        let mut more = Vec::new();
        for chosen in &all {
            let free = |i: &str| chosen.iter().all(|(_, other): &(&str, &str)| *other != i);
            for &pair in plan.over.iter().filter(|(o, i)| *o == output && free(i)) {
                more.push(chosen.iter().copied().chain([pair]).collect());
            }
        }
        all.extend(more);
    }
    all.retain(|chosen| !chosen.is_empty());
    all
}

/// The bytes of a tensor, NaN as the one: what a copy would have made of it, and what is left alone in place keeps.
fn known_bytes(tensor: &Tensor) -> Result<Vec<u8>, Error> {
    let (dtype, mut bytes) = (tensor.dtype(), tensor.to_bytes()?);
    for at in (0..tensor.elems() as usize).filter(|_| dtype.is_float()) {
        let value = number::decode(dtype, number::element(dtype, &bytes, at));
        number::set_element(dtype, &mut bytes, at, number::encode(dtype, value));
    }
    Ok(bytes)
}

/// The bytes of all outputs, of which the chosen ones lie over inputs.
fn outputs(
    device: &Device,
    entry: &'static Entry,
    case: &Case,
    chosen: &[(&str, &str)],
) -> Result<Vec<Vec<u8>>, Error> {
    let mut call = device.call(entry.name);
    let mut over = BTreeMap::new();
    for (name, desc) in &case.request.inputs {
        let bytes = case.inputs[name].memory(desc);
        let elems = desc.layout.span_elems().unwrap();
        let memory = device.raw().alloc(desc.dtype, elems)?;
        device.raw().write(&memory, &bytes)?;
        let tensor = device.tensor_of_memory(memory, desc.clone());
        call = call.input(name, &tensor);
        over.insert(name.as_str(), tensor);
    }
    for (name, &value) in &case.request.settings {
        call = call.set(name, value);
    }
    for (name, word) in &case.request.words {
        call = call.word(name, word);
    }
    for (output, input) in chosen {
        call = call.into(output, &over[input]);
    }
    call.run()?.iter().map(|(_, tensor)| known_bytes(tensor)).collect()
}

#[test]
fn in_place_gives_the_same_bits_and_no_thread_reads_what_another_writes() {
    let (plain, watched) = (cpu(), watched());
    let (mut claimed, mut wrong) = (0, Vec::new());
    for entry in entries() {
        let claims: usize = entry.signature.outputs.iter().map(|o| o.over.len()).sum();
        for output in entry.signature.outputs {
            for input in output.over {
                let is_there = entry.signature.inputs.iter().any(|i| i.name == *input);
                assert!(is_there, "{}: `{}` over `{input}`", entry.name, output.name);
            }
        }
        let mut met = BTreeSet::new();
        for (case, plan) in cases(entry) {
            let want = outputs(&plain, entry, &case, &[]).unwrap();
            for chosen in choices(&plan) {
                let at = format!("{}/{}/{} {chosen:?}", entry.name, case.dtype, case.name);
                for device in [&plain, &watched] {
                    let got = outputs(device, entry, &case, &chosen);
                    match got {
                        Ok(got) if got == want => {}
                        Ok(_) => wrong.push(format!("{at} differs")),
                        Err(error) => wrong.push(format!("{at}: {error}")),
                    }
                }
                met.extend(chosen);
            }
        }
        if met.len() != claims {
            wrong.push(format!("{}: no case of some pair ({met:?})", entry.name));
        }
        claimed += claims;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(claimed > 100, "{claimed}");
}

/// A plan leaves out the copy of what is there already.
#[test]
fn a_cache_is_not_copied_where_it_is_updated_in_place() {
    let entry = evenweave::operation("cache_update").unwrap();
    let (case, plan) = cases(entry).remove(0);
    let copies = |step: &&evenweave::kernels::plan::Step| step.copies == Some("cache");
    let step = plan.steps.iter().find(copies).expect("it begins with a copy");
    assert!(step.args.iter().any(|a| a.tensor() == Some(&TensorRef::Output("y".into()))));
    let device = cpu();
    let (cache, new, positions) = {
        let tensor = |name: &str| {
            let desc = &case.request.inputs[name];
            device.tensor_of_bytes(desc.dtype, desc.shape(), &case.inputs[name].memory(desc))
        };
        (tensor("cache").unwrap(), tensor("new").unwrap(), tensor("positions").unwrap())
    };
    let call = || {
        let call = device.call("cache_update").input("cache", &cache).input("new", &new);
        call.input("positions", &positions)
    };
    let (_, apart) = device.capture(|| call().run()).unwrap();
    let (_, in_place) = device.capture(|| call().into("y", &cache).run()).unwrap();
    assert_eq!((apart.launches(), in_place.launches()), (plan.steps.len(), plan.steps.len() - 1));
}

#[test]
fn outputs_go_where_they_are_wanted() {
    let device = cpu();
    let x = device.tensor(&[2, 3], &[1.0f32, -2.0, 3.0, -4.0, 5.0, -6.0]).unwrap();
    let relu = |to: &Tensor| device.call("relu").input("x", &x).into("y", to).run_one();
    let whole = device.empty(DType::F32, &[2, 3]).unwrap();
    let y = relu(&whole).unwrap();
    assert!(y.memory().is_same(whole.memory()));
    assert_eq!(whole.to_vec::<f32>().unwrap(), [1.0, 0.0, 3.0, 0.0, 5.0, 0.0]);
    // A transposed half of a larger tensor.
    let room = device.tensor(&[3, 4], &[9.0f32; 12]).unwrap();
    let half = room.slice(1, 1, 2).unwrap().transpose(0, 1).unwrap();
    relu(&half).unwrap();
    let want = [9., 1., 0., 9., 9., 0., 5., 9., 9., 3., 0., 9.];
    assert_eq!(room.to_vec::<f32>().unwrap(), want);
    // A view of its own memory: all is read before any is written.
    let square = device.tensor(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let turned = square.transpose(0, 1).unwrap();
    device.call("relu").input("x", &square).into("y", &turned).run().unwrap();
    assert_eq!(square.to_vec::<f32>().unwrap(), [1.0, 3.0, 2.0, 4.0]);
    device.call("relu").input("x", &turned).into("y", &square).run().unwrap();
    assert_eq!(square.to_vec::<f32>().unwrap(), [1.0, 2.0, 3.0, 4.0]);
    // Nothing of it.
    let none = device.empty(DType::F32, &[0, 3]).unwrap();
    device.call("relu").input("x", &none).into("y", &none).run().unwrap();
}

#[test]
fn an_output_that_has_no_place_is_refused() {
    let device = cpu();
    let tensor = |shape: &[u32]| device.empty(DType::F32, shape).unwrap();
    let x = tensor(&[2, 3]);
    let refused = |op: &str, name: &str, to: &Tensor| {
        device.call(op).input("x", &x).into(name, to).run().unwrap_err().to_string()
    };
    assert_eq!(
        refused("relu", "y", &tensor(&[3, 2])),
        "relu: output `y` is f32 [2, 3], but it was to go into f32 [3, 2]"
    );
    assert_eq!(refused("relu", "z", &x), "relu has no single output `z` (outputs: y)");
    let f16 = device.empty(DType::F16, &[2, 3]).unwrap();
    assert_eq!(
        refused("relu", "y", &f16),
        "relu: output `y` is f32 [2, 3], but it was to go into f16 [2, 3]"
    );
    let repeated = tensor(&[3]).broadcast(&[2, 3]).unwrap();
    assert_eq!(
        refused("relu", "y", &repeated),
        "relu: output `y` is elements of their own, but it was to go into a view that repeats some"
    );
    let far = Device::open("cpu").unwrap().empty(DType::F32, &[2, 3]).unwrap();
    assert!(refused("relu", "y", &far).starts_with("`y` lies on another device"));

    let q = tensor(&[1, 1, 2, 4]);
    let attention = device.call("attention").input("q", &q).input("k", &q).input("v", &q);
    assert_eq!(
        attention.into("y", &q).run().unwrap_err().to_string(),
        "attention: output `y` may not have the memory of input `k` (it needs memory of its own)"
    );
    let pair = device.call("add_and_mul").input("a", &x).input("b", &tensor(&[2, 3]));
    assert_eq!(
        pair.into("sum", &x).into("product", &x).run().unwrap_err().to_string(),
        "add_and_mul: the outputs `product` and `sum` may not have one memory"
    );
    let weight = tensor(&[3]);
    let norm = device.call("rms_norm").input("x", &x.slice(0, 0, 1).unwrap());
    let norm = norm.input("weight", &weight).into("y", &weight.reshape(&[1, 3]).unwrap());
    assert_eq!(
        norm.run().unwrap_err().to_string(),
        "rms_norm: output `y` may not have the memory of input `weight` (it may have that of a contiguous \
         tensor of its own shape and dtype: x)"
    );
}

#[test]
fn captured_calls_run_when_they_are_asked_for() {
    let device = cpu();
    let x = device.tensor(&[4], &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let one = device.tensor(&[4], &[1.0f32; 4]).unwrap();
    let step = || device.call("add").input("a", &x).input("b", &one).into("y", &x).run_one();
    let (y, steps) = device
        .capture(|| {
            step()?;
            step()?;
            device.call("square").input("x", &x).run_one()
        })
        .unwrap();
    assert_eq!(x.to_vec::<f32>().unwrap(), [1.0, 2.0, 3.0, 4.0]);
    for _ in 0..3 {
        steps.replay().unwrap();
    }
    assert_eq!(x.to_vec::<f32>().unwrap(), [7.0, 8.0, 9.0, 10.0]);
    assert_eq!(y.to_vec::<f32>().unwrap(), [49.0, 64.0, 81.0, 100.0]);
    assert_eq!(steps.launches(), 3);

    let error = device.capture(|| x.to_vec::<f32>()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "reading a tensor while calls of cpu are captured: nothing has run yet"
    );
    let error = device.capture(|| device.capture(step)).unwrap_err();
    assert!(matches!(error, Error::Capturing { what: "another capture", .. }));
    // A capture that failed leaves nothing behind, nor does one that panicked; other threads are not captured.
    let throw = || device.capture(|| -> evenweave::Result<()> { panic!("thrown by the test") });
    let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(throw));
    assert!(thrown.is_err());
    let (_, none) = device
        .capture(|| {
            std::thread::scope(|s| s.spawn(step).join().unwrap())?;
            Ok(())
        })
        .unwrap();
    assert_eq!((none.launches(), x.to_vec::<f32>().unwrap()[0]), (0, 8.0));
}
