//! Memory and launches.

use super::{super::gpu::Tuning, device, number, put, run, tuned, words};
use crate::{Device, DeviceError, LaunchArg, LoadOptions};
use evenweave_codegen::spirv::Module;
use evenweave_lang::{
    launch::{LaunchCause, LaunchError},
    prelude::*,
};

/// `x = 3 x + 1`.
#[kernel(group = 64, grid = n.div_ceil(64))]
fn step(#[len(n)] x: &mut InOut<u32>, n: u32) {
    let i = global_id();
    if i < n {
        x[i] = x[i] * 3 + 1;
    }
}

/// `y = x + factor`.
#[kernel(group = 64, grid = n.div_ceil(64))]
fn shift(#[len(n)] x: &In<u32>, #[len(n)] y: &mut Out<u32>, by: u32, n: u32) {
    let i = global_id();
    if i < n {
        y[i] = x[i] + by;
    }
}

/// The number of each group, once.
#[kernel(group = 1, grid = groups)]
fn number_groups(#[len(groups)] y: &mut InOut<u32>, groups: u32) {
    let g = group_id();
    if g < groups {
        y[g] += g + 1;
    }
}

/// Writes the last elements of a buffer.
#[kernel(group = 64, grid = 1)]
fn mark_end(#[len(n)] y: &mut InOut<u32>, n: u32) {
    let i = local_id();
    y[n - 1 - i] += i + 7;
}

#[test]
fn bytes_come_back() {
    let Some(device) = device("bytes_come_back") else { return };
    for dtype in [DType::U8, DType::F16, DType::F32, DType::F64, DType::U4, DType::F4E2M1] {
        for elems in [0u64, 1, 2, 3, 5, 31, 1000] {
            let memory = device.alloc(dtype, elems).unwrap();
            let bytes: Vec<u8> = (0..memory.bytes()).map(|i| (i * 37 + 11) as u8).collect();
            device.write(&memory, &bytes).unwrap();
            assert_eq!(device.read(&memory).unwrap(), bytes, "{dtype}[{elems}]");
            device.fill(&memory, 0xa5).unwrap();
            assert_eq!(device.read(&memory).unwrap(), vec![0xa5; bytes.len()], "{dtype}[{elems}]");
            let more = vec![0; bytes.len() + 1];
            assert!(matches!(device.write(&memory, &more), Err(DeviceError::Size { .. })));
        }
    }
}

/// The way of devices whose memory the host does not reach, on any device.
#[test]
fn bytes_come_back_through_the_staging_buffer() {
    let tuning = Tuning { mapped: false, ..Tuning::USUAL };
    let Some(device) = tuned("bytes_come_back_through_the_staging_buffer", tuning) else { return };
    let kernel = step().unwrap();
    // One word less than goes through at once, just so much, one more, and several times as much.
    for elems in [0, 1, 3, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, 9_000_001u32] {
        let values: Vec<u32> = (0..elems).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
        let x = put(&device, &values);
        assert!(words(&device.read(&x).unwrap()) == values, "{elems} as written");
        run(&device, &kernel, &[LaunchArg::Buffer(&x), number(elems)]).unwrap();
        let want: Vec<u32> = values.iter().map(|w| w.wrapping_mul(3).wrapping_add(1)).collect();
        assert!(words(&device.read(&x).unwrap()) == want, "{elems} after a launch");
    }
    let odd = device.alloc(DType::U8, 5).unwrap();
    device.write(&odd, &[1, 2, 3, 4, 5]).unwrap();
    assert_eq!(device.read(&odd).unwrap(), [1, 2, 3, 4, 5]);
}

/// More than goes through a staging buffer or a pool's block at once.
#[test]
fn many_bytes_come_back() {
    let Some(device) = device("many_bytes_come_back") else { return };
    let values: Vec<u32> = (0..9_000_001u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let memory = put(&device, &values);
    assert_eq!(words(&device.read(&memory).unwrap()), values);
}

#[test]
fn launches_copies_and_fills_happen_in_order() {
    let Some(device) = device("launches_copies_and_fills_happen_in_order") else { return };
    let kernel = step().unwrap();
    let program = device.load(&kernel, &LoadOptions::default()).unwrap();
    let start: Vec<u32> = (0..1000).collect();
    let x = put(&device, &start);
    let mut want = start;
    // More launches than a batch holds, with fills and writes between them.
    for round in 0..700u32 {
        if round == 300 {
            device.fill(&x, 0x01).unwrap();
            want.fill(0x0101_0101);
        }
        if round == 500 {
            let bytes: Vec<u8> = want.iter().flat_map(|w| (w ^ 5).to_le_bytes()).collect();
            device.write(&x, &bytes).unwrap();
            want.iter_mut().for_each(|w| *w ^= 5);
        }
        device.launch(&program, &[LaunchArg::Buffer(&x), number(1000)]).unwrap();
        want.iter_mut().for_each(|w| *w = w.wrapping_mul(3).wrapping_add(1));
    }
    assert_eq!(words(&device.read(&x).unwrap()), want);
}

/// Each batch takes only so many bindings and blocks; each launch keeps its own numbers.
#[test]
fn launches_keep_their_arguments() {
    let Some(device) = device("launches_keep_their_arguments") else { return };
    let program = device.load(&shift().unwrap(), &LoadOptions::default()).unwrap();
    let outs: Vec<_> = (0..300u32)
        .map(|by| {
            // The input is let go of before the launch has run.
            let x = put(&device, &[10, 20, 30]);
            let y = device.alloc(DType::U32, 3).unwrap();
            let args = [LaunchArg::Buffer(&x), LaunchArg::Buffer(&y), number(by), number(3)];
            device.launch(&program, &args).unwrap();
            y
        })
        .collect();
    drop(program);
    for (by, y) in (0u32..).zip(&outs) {
        assert_eq!(words(&device.read(y).unwrap()), [10 + by, 20 + by, 30 + by]);
    }
}

#[test]
fn a_grid_past_one_dispatch_is_split() {
    let Some(device) = device("a_grid_past_one_dispatch_is_split") else { return };
    let groups = 150_001;
    let y = put(&device, &vec![0; groups]);
    run(&device, &number_groups().unwrap(), &[LaunchArg::Buffer(&y), number(groups as u32)])
        .unwrap();
    let want: Vec<u32> = (1..=groups as u32).collect();
    assert_eq!(words(&device.read(&y).unwrap()), want);
    // No groups: nothing runs.
    run(&device, &number_groups().unwrap(), &[LaunchArg::Buffer(&y), number(0)]).unwrap();
    assert_eq!(words(&device.read(&y).unwrap()), want);
}

#[test]
fn a_buffer_past_one_binding_is_addressed_or_refused() {
    let Some(device) = device("a_buffer_past_one_binding_is_addressed_or_refused") else { return };
    let hardware = &device.gpu.hardware;
    let limit_bytes =
        u64::from(hardware.limits.max_storage_buffer_range).min(Module::MAX_BOUND_BYTES);
    let elems = limit_bytes / 4 + 100;
    if hardware.info.software && limit_bytes > 1 << 30 {
        return eprintln!("skipped: a binding here takes {limit_bytes} bytes");
    }
    let y = match device.alloc(DType::U32, elems) {
        Err(DeviceError::TooLarge { .. }) => return,
        y => y.unwrap(),
    };
    device.fill(&y, 0).unwrap();
    let args = [LaunchArg::Buffer(&y), number(elems as u32)];
    let ran = run(&device, &mark_end().unwrap(), &args);
    if !hardware.offered.addresses {
        assert!(matches!(ran, Err(DeviceError::TooLarge { .. })), "{ran:?}");
        return;
    }
    ran.unwrap();
    let got = words(&device.read(&y).unwrap());
    let (rest, end) = got.split_at(got.len() - 64);
    assert_eq!(end, (0..64).rev().map(|i| i + 7).collect::<Vec<_>>());
    assert!(rest.iter().all(|&w| w == 0));
}

#[test]
fn what_no_memory_holds_is_refused() {
    let Some(device) = device("what_no_memory_holds_is_refused") else { return };
    for elems in [u64::MAX, 1 << 60, 1 << 45] {
        let error = device.alloc(DType::F64, elems).unwrap_err();
        let typed = matches!(error, DeviceError::OutOfMemory { .. } | DeviceError::TooLarge { .. });
        assert!(typed, "{error}");
    }
    // The device goes on.
    let x = put(&device, &[1, 2, 3]);
    assert_eq!(words(&device.read(&x).unwrap()), [1, 2, 3]);
}

#[test]
fn memory_that_is_written_is_given_once() {
    let Some(device) = device("memory_that_is_written_is_given_once") else { return };
    let x = put(&device, &[1, 2, 3]);
    let args = [LaunchArg::Buffer(&x), LaunchArg::Buffer(&x), number(1), number(3)];
    let error = run(&device, &shift().unwrap(), &args).unwrap_err();
    let cause = |e| match e {
        DeviceError::Launch(LaunchError { cause, .. }) => Some(cause),
        _ => None,
    };
    assert!(matches!(cause(error), Some(LaunchCause::Aliased { .. })));
    assert_eq!(words(&device.read(&x).unwrap()), [1, 2, 3]);
}

#[test]
fn two_devices_do_not_share() {
    let name = "two_devices_do_not_share";
    let (Some(a), Some(b)) = (device(name), device(name)) else { return };
    let (x, y) = (put(&a, &[1, 2, 3]), put(&b, &[4, 5, 6]));
    let program = a.load(&step().unwrap(), &LoadOptions::default()).unwrap();
    let foreign = |r: Result<(), DeviceError>| matches!(r, Err(DeviceError::Foreign { .. }));
    assert!(foreign(a.launch(&program, &[LaunchArg::Buffer(&y), number(3)])));
    assert!(foreign(b.launch(&program, &[LaunchArg::Buffer(&y), number(3)])));
    assert!(foreign(a.fill(&y, 0)) && foreign(b.write(&x, &[0; 12])) && b.read(&x).is_err());
    a.launch(&program, &[LaunchArg::Buffer(&x), number(3)]).unwrap();
    run(&b, &step().unwrap(), &[LaunchArg::Buffer(&y), number(3)]).unwrap();
    drop(a.read(&x));
    drop(a);
    // What is left of a closed device harms nothing.
    drop((x, program));
    assert_eq!(words(&b.read(&y).unwrap()), [13, 16, 19]);
}

#[test]
fn several_threads_use_one_device() {
    let Some(device) = device("several_threads_use_one_device") else { return };
    let device = &device;
    std::thread::scope(|scope| {
        for t in 0..8u32 {
            scope.spawn(move || {
                for round in 0..20u32 {
                    let n = 64 + 7 * t + round;
                    let start: Vec<u32> = (0..n).map(|i| i * t + round).collect();
                    let x = put(device, &start);
                    let y = device.alloc(DType::U32, n.into()).unwrap();
                    device.fill(&y, 0xff).unwrap();
                    let args = [LaunchArg::Buffer(&x), number(n)];
                    run(device, &step().unwrap(), &args).unwrap();
                    let args = [LaunchArg::Buffer(&x), LaunchArg::Buffer(&y), number(t), number(n)];
                    run(device, &shift().unwrap(), &args).unwrap();
                    let want: Vec<u32> = start.iter().map(|w| w * 3 + 1 + t).collect();
                    assert_eq!(words(&device.read(&y).unwrap()), want, "thread {t} round {round}");
                }
            });
        }
    });
}

#[test]
fn time_is_that_of_the_work() {
    let Some(device) = device("time_is_that_of_the_work") else { return };
    let n = 1 << 20;
    let x = put(&device, &vec![1; n]);
    let program = device.load(&step().unwrap(), &LoadOptions::default()).unwrap();
    let launches = |count: u32| {
        device.time(&mut || {
            (0..count).try_for_each(|_| {
                device.launch(&program, &[LaunchArg::Buffer(&x), number(n as u32)])
            })
        })
    };
    launches(1).unwrap();
    let (none, started) = (launches(0).unwrap(), std::time::Instant::now());
    let many = launches(100).unwrap();
    let wall = started.elapsed().as_nanos() as u64;
    assert!(none < many && many <= wall, "none {none}, many {many}, wall {wall}");
    // An error of the work is the result, and the device goes on.
    let failed = device.time(&mut || device.launch(&program, &[number(3)]));
    assert!(matches!(failed, Err(DeviceError::Launch(_))));
    assert!(launches(1).unwrap() > 0);
}
